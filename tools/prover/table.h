// The transposition table that all workers share, without locks: an entry is one word of 64 bits.
//
// An entry has a tag and data. Bucket and tag are 54 + table bits of a hash: two positions of the
// same hash are taken for one. With 2^32 buckets that happens to one pair in 2^86, and whatever it
// might spoil, the check of the proof would find.
#pragma once
#include "theory.h"

namespace prover {

struct TableKey {
    Word bucket;
    DoubleWord tag;
};

struct Table {
    static constexpr int BUCKET = 4, DATA_BITS = 10, EFFORT_SHIFT = 4;
    static constexpr DoubleWord DATA = (1 << DATA_BITS) - 1;
    static constexpr Word MOST_EFFORT = 63;

    DoubleWord* entries;
    int bits;              // the binary logarithm of the number of buckets, at most 32
    bool forgets;          // stones that no open four needs are left out of keys

    static size_t bytes(int bits) { return sizeof(DoubleWord) * BUCKET << bits; }
};

SHARED_CODE Bounds bounds_of(Word data) { return {int(data >> 2 & 3) - 1, int(data & 3) - 1}; }
SHARED_CODE Word data_of(Bounds bounds, Word effort) {
    return effort << Table::EFFORT_SHIFT | Word(bounds.low + 1) << 2 | Word(bounds.high + 1);
}

// Odd numbers, one for each word of a key: the digits of a Weyl sequence, mixed (splitmix64).
SHARED_CODE constexpr DoubleWord multiplier(int number) {
    DoubleWord mixed = (number + 1) * 0x9E3779B97F4A7C15ull;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
    return (mixed ^ mixed >> 31) | 1;
}

SHARED_CODE DoubleWord stirred(DoubleWord hash) {
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93ull;
    return hash ^ hash >> 32;
}

template <class Cells>
SHARED_CODE TableKey hashed(const Cells& own, const Cells& rival, int table_bits) {
    constexpr int words = sizeof(own.word) / sizeof(Word);
    DoubleWord first = 0, second = 0;
    UNROLLED for (int i = 0; i < words; i++) {
        first += own.word[i] * multiplier(i) + rival.word[i] * multiplier(words + i);
        second += own.word[i] * multiplier(2 * words + i) + rival.word[i] * multiplier(3 * words + i);
    }
    first = stirred(first), second = stirred(second ^ first >> 32);
    return {Word(first) & Word((DoubleWord(1) << table_bits) - 1), second >> Table::DATA_BITS};
}

// The key of a position; mirror images share one while they can meet.
template <class Board>
SHARED_CODE TableKey table_key(const Table& table, const typename Board::Position& position) {
    auto [own, rival] = position;
    auto taken = own | rival, heights = taken + Board::bottoms();
    if (table.forgets) {
        auto empty = Board::cells() & ~taken;
        own = own & Board::in_fours(own | empty);
        rival = rival & Board::in_fours(rival | empty);
    }
    own = own | heights;
    if (taken.count() <= Board::MOST_STONES_OF_IMAGES) {
        auto other = Board::mirrored(own);
        if (other.below(own)) own = other, rival = Board::mirrored(rival);
    }
    return hashed(own, rival, table.bits);
}

struct Bucket {
    DoubleWord entry[Table::BUCKET];
};

SHARED_CODE Bucket read_bucket(const Table& table, Word number) {
    const DoubleWord* at = table.entries + size_t(Table::BUCKET) * number;
#ifdef __CUDA_ARCH__
    auto pairs = reinterpret_cast<const ulonglong2*>(at);
    ulonglong2 low = __ldcg(pairs), high = __ldcg(pairs + 1);
    return {{low.x, low.y, high.x, high.y}};
#else
    Bucket found;
    for (int i = 0; i < Table::BUCKET; i++) found.entry[i] = __atomic_load_n(at + i, __ATOMIC_RELAXED);
    return found;
#endif
}

SHARED_CODE void write_entry(const Table& table, Word number, int place, DoubleWord entry) {
    DoubleWord* at = table.entries + size_t(Table::BUCKET) * number + place;
#ifdef __CUDA_ARCH__
    __stcg(reinterpret_cast<unsigned long long*>(at), entry);
#else
    __atomic_store_n(at, entry, __ATOMIC_RELAXED);
#endif
}

// The data of a position; 0 if the table does not have it.
SHARED_CODE Word look_up(const Table& table, const TableKey& key) {
    Bucket bucket = read_bucket(table, key.bucket);
    Word found = 0;
    UNROLLED for (int i = 0; i < Table::BUCKET; i++)
        if (bucket.entry[i] >> Table::DATA_BITS == key.tag) found = Word(bucket.entry[i] & Table::DATA);
    return found;
}

// Write bounds of a position over its own entry, else over the one with the least effort.
SHARED_CODE void remember(const Table& table, const TableKey& key, Bounds bounds, Word effort) {
    Bucket bucket = read_bucket(table, key.bucket);
    int place = 0;
    Word least = Table::MOST_EFFORT + 1;
    bool own = false;
    UNROLLED for (int i = 0; i < Table::BUCKET; i++) {
        Word data = Word(bucket.entry[i] & Table::DATA), work = data >> Table::EFFORT_SHIFT;
        if (data && bucket.entry[i] >> Table::DATA_BITS == key.tag) {
            Bounds known = bounds_of(data);
            bounds.raise(known.low);
            bounds.lower(known.high);
            effort = work > effort ? work : effort;
            place = i, own = true;
        } else if (!own && work < least) {
            least = work, place = i;
        }
    }
    write_entry(table, key.bucket, place, key.tag << Table::DATA_BITS | data_of(bounds, effort));
}

}  // namespace prover
