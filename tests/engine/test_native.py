"""The primitives do what their plain twins do."""

# mypy: disable-error-code="no-any-return"

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.engine.control import NODES, Words
from papan.engine.native import (
    ONE,
    Word,
    highest,
    load_shared,
    load_word,
    lowest,
    native,
    popcount,
    prefetch,
    reversed_bits,
    store,
    words_at,
)

WORDS_OF_64_BITS = st.integers(0, 2**64 - 1)


@native()
def bits_of(word: int) -> Word:
    return popcount(word)


@native()
def lowest_of(word: int) -> Word:
    return lowest(word)


@native()
def reversed_of(word: int) -> Word:
    return reversed_bits(word)


@native()
def highest_of(word: int) -> Word:
    return highest(word)


@native()
def move_word(words: Words, source: int, target: int) -> Word:
    pointer = words_at(words.ctypes.data)
    prefetch(pointer, target)
    store(pointer, target, load_word(pointer, source) + ONE)
    return load_shared(pointer, target)


def test_a_kernel_is_compiled_for_python_only_when_python_calls_it() -> None:
    @native()
    def half(number: int) -> int:
        return number // 2

    @native()  # its closure keeps it out of the cache: from there it would come with its callees
    def quarter(number: int) -> int:
        return half(half(number))

    lighter, for_python = half.inner.signatures, half.signatures  # type: ignore[attr-defined]
    assert (quarter(42), len(lighter), for_python) == (10, 0, [])
    assert len(half.inner.signatures) == 1  # type: ignore[attr-defined]
    assert half(42) == 21
    assert len(half.signatures) == 1  # type: ignore[attr-defined]


@given(WORDS_OF_64_BITS)
def test_popcount_counts_the_bits(word: int) -> None:
    assert bits_of(np.uint64(word)) == word.bit_count()  # type: ignore[arg-type]


@given(WORDS_OF_64_BITS.filter(bool))
def test_lowest_is_the_number_of_the_lowest_bit(word: int) -> None:
    assert lowest_of(np.uint64(word)) == (word & -word).bit_length() - 1  # type: ignore[arg-type]


@given(WORDS_OF_64_BITS.filter(bool))
def test_reversed_bits_are_read_from_the_other_end(word: int) -> None:
    assert reversed_of(np.uint64(word)) == int(f"{word:064b}"[::-1], 2)  # type: ignore[arg-type]


@given(WORDS_OF_64_BITS.filter(bool))
def test_highest_is_the_number_of_the_highest_bit(word: int) -> None:
    assert highest_of(np.uint64(word)) == word.bit_length() - 1  # type: ignore[arg-type]


@pytest.mark.parametrize(("source", "target"), [(0, 3), (3, 0), (2, 2)])
def test_words_are_read_and_written_in_place(source: int, target: int) -> None:
    words = np.arange(4, dtype=np.uint64) + np.uint64(2**63)
    expected = words.copy()
    expected[target] = expected[source] + ONE
    assert move_word(words, source, target) == expected[target]
    assert list(words) == list(expected)


def test_nodes_are_counted_in_the_second_word() -> None:
    assert NODES == 1
