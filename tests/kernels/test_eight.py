"""Operations on eight words at once do what their plain twins do to each of them."""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from papan.kernels.eight import (
    lane_of_8,
    least_8,
    load_8,
    some_alike_8,
    spread_8,
    store_8,
    sum_8,
)
from papan.kernels.native import native, words_at

WORD = st.integers(0, 2**64 - 1)
EIGHT = st.lists(WORD, min_size=8, max_size=8)
FEW = st.lists(st.integers(0, 12), min_size=8, max_size=8)
ALL = 2**64 - 1


@native()
def combine(words, by):
    """Writes one result of each operation behind the sixteen words that it reads."""
    at = words_at(words.ctypes.data)
    one, other = load_8(at, 0), load_8(at, 8)
    store_8(at, 16, one + other)
    store_8(at, 24, one * other)
    store_8(at, 32, one & other)
    store_8(at, 40, one ^ other)
    store_8(at, 48, one >> by)
    store_8(at, 56, one * by)
    store_8(at, 64, spread_8(by))


@native()
def summary(words, word, free):
    eight = load_8(words_at(words.ctypes.data), 0)
    return least_8(eight), sum_8(eight), some_alike_8(eight), lane_of_8(eight, word, free)


@given(EIGHT, EIGHT, st.integers(0, 63))
def test_each_lane_is_treated_as_a_word_alone(one: list[int], other: list[int], by: int) -> None:
    words = np.array(one + other + [0] * 56, dtype=np.uint64)
    combine(words, np.uint64(by))
    pairs = list(zip(one, other))
    expected = [
        *(first + second & ALL for first, second in pairs),
        *(first * second & ALL for first, second in pairs),
        *(first & second for first, second in pairs),
        *(first ^ second for first, second in pairs),
        *(first >> by for first in one),
        *(first * by & ALL for first in one),
        *[by] * 8,
    ]
    assert words[16:].tolist() == expected


@given(EIGHT | FEW, WORD, WORD)
def test_eight_words_in_one_answer(eight: list[int], word: int, free: int) -> None:
    words = np.array(eight, dtype=np.uint64)
    least, total, alike, _ = summary(words, np.uint64(word), np.uint64(free))
    assert (least, total) == (min(eight), sum(eight) & ALL)
    assert alike == (len(set(eight)) < 8)


@given(FEW, st.integers(0, 12), st.integers(0, 15))
def test_the_first_lane_that_equals_a_word_outside_of_some_bits(
    eight: list[int], word: int, free: int
) -> None:
    words = np.array(eight, dtype=np.uint64)
    lane = summary(words, np.uint64(word), np.uint64(free))[3]
    fits = [each | free == word | free for each in eight]
    assert lane == (fits.index(True) if True in fits else 8)
