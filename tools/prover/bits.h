// Bitboards of any width, for the CPU and for the GPU: words of 32 bits, which a GPU works on.
#pragma once
#include <cstdint>

#ifdef __CUDACC__
#define SHARED_CODE __host__ __device__ __forceinline__
#define UNROLLED _Pragma("unroll")
#else
#define SHARED_CODE inline __attribute__((always_inline))
#define UNROLLED
#endif

namespace prover {

using Word = uint32_t;
using DoubleWord = uint64_t;
constexpr int WORD_BITS = 32;

SHARED_CODE int ones(Word word) {
#ifdef __CUDA_ARCH__
    return __popc(word);
#else
    return __builtin_popcount(word);
#endif
}

SHARED_CODE int lowest_bit(Word word) {
#ifdef __CUDA_ARCH__
    return __ffs(word) - 1;
#else
    return __builtin_ctz(word);
#endif
}

// The number of binary digits: 0 for 0, 1 for 1, 2 for 2 and 3.
SHARED_CODE Word digits(Word number) {
#ifdef __CUDA_ARCH__
    return WORD_BITS - __clz(number);
#else
    return number ? WORD_BITS - __builtin_clz(number) : 0;
#endif
}

template <int Words>
struct Bits {
    Word word[Words];

    SHARED_CODE constexpr Bits operator&(const Bits& other) const {
        Bits found{};
        UNROLLED for (int i = 0; i < Words; i++) found.word[i] = word[i] & other.word[i];
        return found;
    }
    SHARED_CODE constexpr Bits operator|(const Bits& other) const {
        Bits found{};
        UNROLLED for (int i = 0; i < Words; i++) found.word[i] = word[i] | other.word[i];
        return found;
    }
    SHARED_CODE constexpr Bits operator^(const Bits& other) const {
        Bits found{};
        UNROLLED for (int i = 0; i < Words; i++) found.word[i] = word[i] ^ other.word[i];
        return found;
    }
    SHARED_CODE constexpr Bits operator~() const {
        Bits found{};
        UNROLLED for (int i = 0; i < Words; i++) found.word[i] = ~word[i];
        return found;
    }
    SHARED_CODE constexpr Bits operator+(const Bits& other) const {
        Bits found{};
        Word carry = 0;
        UNROLLED for (int i = 0; i < Words; i++) {
            DoubleWord sum = DoubleWord(word[i]) + other.word[i] + carry;
            found.word[i] = Word(sum);
            carry = Word(sum >> WORD_BITS);
        }
        return found;
    }
    SHARED_CODE constexpr Bits operator-(const Bits& other) const {
        Bits found{};
        Word borrow = 0;
        UNROLLED for (int i = 0; i < Words; i++) {
            DoubleWord difference = DoubleWord(word[i]) - other.word[i] - borrow;
            found.word[i] = Word(difference);
            borrow = Word(difference >> 63);
        }
        return found;
    }
    SHARED_CODE constexpr bool operator==(const Bits& other) const {
        return !(*this ^ other).any();
    }
    SHARED_CODE constexpr bool any() const {
        Word all = 0;
        UNROLLED for (int i = 0; i < Words; i++) all |= word[i];
        return all != 0;
    }
    SHARED_CODE bool below(const Bits& other) const {
        for (int i = Words - 1; i >= 0; i--)
            if (word[i] != other.word[i]) return word[i] < other.word[i];
        return false;
    }
    SHARED_CODE int count() const {
        int found = 0;
        UNROLLED for (int i = 0; i < Words; i++) found += ones(word[i]);
        return found;
    }
    // The place of the lowest bit; -1 if there is none.
    SHARED_CODE int lowest() const {
        UNROLLED for (int i = 0; i < Words; i++)
            if (word[i]) return WORD_BITS * i + lowest_bit(word[i]);
        return -1;
    }
    SHARED_CODE constexpr bool has(int place) const {
        return word[place / WORD_BITS] >> place % WORD_BITS & 1;
    }
    SHARED_CODE constexpr void set(int place) {
        word[place / WORD_BITS] |= Word(1) << place % WORD_BITS;
    }
    SHARED_CODE static constexpr Bits one() {
        Bits found{};
        found.word[0] = 1;
        return found;
    }
    SHARED_CODE Bits without_lowest() const { return *this & (*this - one()); }
};

// Shifts by a number that the compiler knows: a word is then one instruction of the GPU.
template <int Distance, int Words>
SHARED_CODE constexpr Bits<Words> up(const Bits<Words>& bits) {
    constexpr int whole = Distance / WORD_BITS, part = Distance % WORD_BITS;
    Bits<Words> found{};
    UNROLLED for (int i = whole; i < Words; i++) {
        found.word[i] = bits.word[i - whole] << part;
        if (part && i > whole) found.word[i] |= bits.word[i - whole - 1] >> (WORD_BITS - part) % WORD_BITS;
    }
    return found;
}

template <int Distance, int Words>
SHARED_CODE constexpr Bits<Words> down(const Bits<Words>& bits) {
    constexpr int whole = Distance / WORD_BITS, part = Distance % WORD_BITS;
    Bits<Words> found{};
    UNROLLED for (int i = 0; i + whole < Words; i++) {
        found.word[i] = bits.word[i + whole] >> part;
        if (part && i + whole + 1 < Words)
            found.word[i] |= bits.word[i + whole + 1] << (WORD_BITS - part) % WORD_BITS;
    }
    return found;
}

}  // namespace prover
