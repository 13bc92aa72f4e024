"""Lanes do to every board, and to every word, what Python does to one number."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.engine.control import Words
from papan.engine.native import native, store, words_at
from papan.engine.simd import (
    EIGHT,
    SIXTEEN,
    WIDE,
    Lanes,
    at_least,
    below,
    choose,
    counts,
    eight_at,
    first_limb,
    greatest,
    lane_of,
    lane_words,
    lanes_at,
    larger,
    last_limb,
    least,
    limbs,
    load_eight,
    sixteen_at,
    smaller,
    some_alike,
    spread,
    spread_eight,
    spread_lane,
    store_lanes,
    sum_of,
    which,
    wide_at,
)

BY = np.uint64(7)
CHOSEN = np.uint64(0b1010_0110)
LANE = 5
RESULTS = 20


@native()
def everything(pointer, out):
    """All that can be done with two boards, one result after the other; masks at the end."""
    one, other, size = lanes_at(pointer, 0), lanes_at(pointer, 1), lane_words(pointer)
    store_lanes(out, 0 * size, one)
    store_lanes(out, 1 * size, one & other)
    store_lanes(out, 2 * size, one | other)
    store_lanes(out, 3 * size, one ^ other)
    store_lanes(out, 4 * size, ~one)
    store_lanes(out, 5 * size, one + other)
    store_lanes(out, 6 * size, one - other)
    store_lanes(out, 7 * size, one << BY)
    store_lanes(out, 8 * size, one >> BY)
    store_lanes(out, 9 * size, choose(CHOSEN, one, other))
    store_lanes(out, 10 * size, spread_lane(out, LANE, one))
    first, second = first_limb(one), first_limb(other)
    store_lanes(out, 11 * size, first * second)
    store_lanes(out, 12 * size, larger(first, second))
    store_lanes(out, 13 * size, smaller(first, second))
    store_lanes(out, 14 * size, spread(np.int64(-3), one))
    store_lanes(out, 15 * size, counts(one))
    store_lanes(out, 16 * size, last_limb(one))
    last = (RESULTS - 1) * size
    store(out, last, which(one & other))
    store(out, last + 1, at_least(first, second))
    store(out, last + 2, below(first, second))
    store(out, last + 3, np.uint64(greatest(first)))
    return limbs(pointer)


@native()
def with_eight(memory, out):
    return everything(eight_at(memory), words_at(out))


@native()
def with_sixteen(memory, out):
    return everything(sixteen_at(memory), words_at(out))


@native()
def with_wide(memory, out):
    return everything(wide_at(memory), words_at(out))


class Trial:
    """Two random boards in every lane, and what `everything` makes of them."""

    def __init__(self, kind: Lanes, function: Any, seed: int) -> None:
        rng = random.Random(seed)
        self.kind, self.bits = kind, 64 * kind.limbs
        self.one, self.other = (
            [rng.getrandbits(rng.choice((1, 3, self.bits))) for _ in range(kind.count)]
            for _ in range(2)
        )
        memory = np.array([*self._words(self.one), *self._words(self.other)], dtype=np.uint64)
        self.out: Words = np.zeros(RESULTS * kind.words, dtype=np.uint64)
        self.limbs = function(memory.ctypes.data, self.out.ctypes.data)

    def _words(self, boards: list[int]) -> list[int]:
        """All first limbs, then all second ones."""
        limbs = range(self.kind.limbs)
        return [board >> 64 * limb & 2**64 - 1 for limb in limbs for board in boards]

    def boards(self, result: int) -> list[int]:
        start = result * self.kind.words
        limbs = self.out[start : start + self.kind.words].reshape(-1, self.kind.count)
        return [sum(int(word) << 64 * limb for limb, word in enumerate(each)) for each in limbs.T]

    def numbers(self, result: int) -> list[int]:
        start = result * self.kind.words
        return [signed(int(word)) for word in self.out[start : start + self.kind.count]]

    def mask(self, number: int) -> int:
        return int(self.out[(RESULTS - 1) * self.kind.words + number])

    def lanes(self, mask: int) -> list[bool]:
        return [bool(mask >> lane & 1) for lane in range(self.kind.count)]


def signed(word: int) -> int:
    """A word as the signed number that it may be."""
    word %= 2**64
    return word - 2**64 if word >> 63 else word


@pytest.fixture(params=[EIGHT, SIXTEEN, WIDE], ids=str)
def trials(request: pytest.FixtureRequest) -> list[Trial]:
    kind: Lanes = request.param
    function = {EIGHT: with_eight, SIXTEEN: with_sixteen, WIDE: with_wide}[kind]
    return [Trial(kind, function, seed) for seed in range(50)]


@pytest.mark.thorough
def test_boards(trials: list[Trial]) -> None:
    for trial in trials:
        pairs, full = list(zip(trial.one, trial.other)), (1 << trial.bits) - 1
        expected = [
            trial.one,
            [one & other for one, other in pairs],
            [one | other for one, other in pairs],
            [one ^ other for one, other in pairs],
            [~one & full for one in trial.one],
            [one + other & full for one, other in pairs],
            [one - other & full for one, other in pairs],
            [one << 7 & full for one in trial.one],
            [one >> 7 for one in trial.one],
            [pair[not chosen] for pair, chosen in zip(pairs, trial.lanes(int(CHOSEN)))],
            [trial.one[LANE]] * trial.kind.count,
        ]
        assert [trial.boards(result) for result in range(len(expected))] == expected


def test_numbers(trials: list[Trial]) -> None:
    for trial in trials:
        firsts = [(signed(one), signed(other)) for one, other in zip(trial.one, trial.other)]
        assert trial.numbers(11) == [signed(one * other) for one, other in firsts]
        assert trial.numbers(12) == [max(pair) for pair in firsts]
        assert trial.numbers(13) == [min(pair) for pair in firsts]
        assert trial.numbers(14) == [-3] * trial.kind.count
        assert trial.numbers(15) == [one.bit_count() for one in trial.one]
        assert trial.numbers(16) == [signed(one >> trial.bits - 64) for one in trial.one]
        assert signed(trial.mask(3)) == max(one for one, _ in firsts)


def test_masks(trials: list[Trial]) -> None:
    for trial in trials:
        pairs = list(zip(trial.one, trial.other))
        firsts = [(one % 2**64, other % 2**64) for one, other in pairs]
        assert trial.lanes(trial.mask(0)) == [one & other != 0 for one, other in pairs]
        assert trial.lanes(trial.mask(1)) == [signed(one) >= signed(other) for one, other in firsts]
        assert trial.lanes(trial.mask(2)) == [one < other for one, other in firsts]
        assert trial.limbs == trial.kind.limbs


WORD = st.integers(0, 2**64 - 1)
WORDS_OF_EIGHT = st.lists(WORD, min_size=8, max_size=8)
FEW = st.lists(st.integers(0, 12), min_size=8, max_size=8)
ALL_BITS = 2**64 - 1


@native()
def combine(words, by):
    """Writes one result of each operation behind the sixteen words that it reads."""
    at = words_at(words.ctypes.data)
    one, other = load_eight(at, 0), load_eight(at, 8)
    store_lanes(at, 16, one + other)
    store_lanes(at, 24, one * other)
    store_lanes(at, 32, one & other)
    store_lanes(at, 40, one ^ other)
    store_lanes(at, 48, one >> by)
    store_lanes(at, 56, one * by)
    store_lanes(at, 64, spread_eight(by))


@native()
def summary(words, word, free):
    eight = load_eight(words_at(words.ctypes.data), 0)
    return least(eight), sum_of(eight), some_alike(eight), lane_of(eight, word, free)


@given(WORDS_OF_EIGHT, WORDS_OF_EIGHT, st.integers(0, 63))
def test_each_lane_is_treated_as_a_word_alone(one: list[int], other: list[int], by: int) -> None:
    words = np.array(one + other + [0] * 56, dtype=np.uint64)
    combine(words, np.uint64(by))
    pairs = list(zip(one, other))
    expected = [
        *(first + second & ALL_BITS for first, second in pairs),
        *(first * second & ALL_BITS for first, second in pairs),
        *(first & second for first, second in pairs),
        *(first ^ second for first, second in pairs),
        *(first >> by for first in one),
        *(first * by & ALL_BITS for first in one),
        *[by] * 8,
    ]
    assert words[16:].tolist() == expected


@given(WORDS_OF_EIGHT | FEW, WORD, WORD)
def test_eight_words_in_one_answer(eight: list[int], word: int, free: int) -> None:
    words = np.array(eight, dtype=np.uint64)
    least, total, alike, _ = summary(words, np.uint64(word), np.uint64(free))
    assert (least, total) == (min(eight), sum(eight) & ALL_BITS)
    assert alike == (len(set(eight)) < 8)


@given(FEW, st.integers(0, 12), st.integers(0, 15))
def test_the_first_lane_that_equals_a_word_outside_of_some_bits(
    eight: list[int], word: int, free: int
) -> None:
    words = np.array(eight, dtype=np.uint64)
    lane = summary(words, np.uint64(word), np.uint64(free))[3]
    fits = [each | free == word | free for each in eight]
    assert lane == (fits.index(True) if True in fits else 8)
