"""Lanes do to every board, and to every word, what Python does to one number."""

from __future__ import annotations

import random
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.engine import memory
from papan.engine.memory import Row
from papan.engine.native import ONE, ZERO, Word, native
from papan.engine.simd import (
    Lanes,
    at_least,
    below,
    choose,
    counts,
    first_limb,
    greatest,
    lane_of,
    larger,
    last_limb,
    least,
    smaller,
    some_alike,
    spread,
    spread_lane,
    sum_of,
    vector,
    vector_at,
    which,
    write_lanes,
)

BY = np.uint64(7)
CHOSEN = np.uint64(0b1010_0110)
LANE = np.uint64(5)
RESULTS = 18


class Result:
    """One board in each lane."""

    lanes: Annotated[Row[Word], "limbs", "lanes"]


class Record:
    """Two boards in each lane, and what `everything` makes of them."""

    boards: Annotated[Row[Word], 2, "limbs", "lanes"]
    results: Annotated[Row[Result], RESULTS]
    masks: Annotated[Row[Word], 4]


@native()
def everything(trial: Record) -> None:
    """All that can be done with two boards, one result after the other."""
    one, other = vector_at(trial.boards, ZERO), vector_at(trial.boards, ONE)
    write_lanes(trial.results[0].lanes, one)
    write_lanes(trial.results[1].lanes, one & other)
    write_lanes(trial.results[2].lanes, one | other)
    write_lanes(trial.results[3].lanes, one ^ other)
    write_lanes(trial.results[4].lanes, ~one)
    write_lanes(trial.results[5].lanes, one + other)
    write_lanes(trial.results[6].lanes, one - other)
    write_lanes(trial.results[7].lanes, one << BY)
    write_lanes(trial.results[8].lanes, one >> BY)
    write_lanes(trial.results[9].lanes, choose(CHOSEN, one, other))
    write_lanes(trial.results[10].lanes, spread_lane(trial.results[0].lanes, LANE))
    first, second = first_limb(one), first_limb(other)
    write_lanes(trial.results[11].lanes, first * second)
    write_lanes(trial.results[12].lanes, larger(first, second))
    write_lanes(trial.results[13].lanes, smaller(first, second))
    write_lanes(trial.results[14].lanes, spread(np.int64(-3), one))
    write_lanes(trial.results[15].lanes, counts(one))
    write_lanes(trial.results[16].lanes, last_limb(one))
    write_lanes(trial.results[17].lanes, vector(trial.results[1].lanes))
    trial.masks[0] = which(one & other)
    trial.masks[1] = at_least(first, second)
    trial.masks[2] = below(first, second)
    trial.masks[3] = np.uint64(greatest(first))


class Trial:
    """Two random boards in every lane, and what `everything` makes of them."""

    def __init__(self, kind: Lanes, seed: int) -> None:
        rng = random.Random(seed)
        self.kind, self.bits = kind, 64 * kind.limbs
        self.one, self.other = (
            [rng.getrandbits(rng.choice((1, 3, self.bits))) for _ in range(kind.count)]
            for _ in range(2)
        )
        self.record = np.zeros(1, memory.layout(Record, limbs=kind.limbs, lanes=kind.count))[0]
        for number, boards in enumerate((self.one, self.other)):
            for limb in range(kind.limbs):
                words = [board >> 64 * limb & 2**64 - 1 for board in boards]
                self.record["boards"][number, limb] = words
        everything(self.record)

    def boards(self, result: int) -> list[int]:
        lanes = self.record["results"][result]["lanes"].T
        return [sum(int(word) << 64 * limb for limb, word in enumerate(each)) for each in lanes]

    def numbers(self, result: int) -> list[int]:
        return [signed(int(word)) for word in self.record["results"][result]["lanes"][0]]

    def mask(self, number: int) -> int:
        return int(self.record["masks"][number])

    def lanes(self, mask: int) -> list[bool]:
        return [bool(mask >> lane & 1) for lane in range(self.kind.count)]


def signed(word: int) -> int:
    """A word as the signed number that it may be."""
    word %= 2**64
    return word - 2**64 if word >> 63 else word


@pytest.fixture(params=[Lanes(1, 8), Lanes(1, 16), Lanes(2, 16)], ids=str)
def trials(request: pytest.FixtureRequest) -> list[Trial]:
    return [Trial(request.param, seed) for seed in range(50)]


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
            [trial.one[int(LANE)]] * trial.kind.count,
        ]
        assert [trial.boards(result) for result in range(len(expected))] == expected
        assert trial.boards(17) == trial.boards(1)


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


WORD = st.integers(0, 2**64 - 1)
WORDS_OF_EIGHT = st.lists(WORD, min_size=8, max_size=8)
FEW = st.lists(st.integers(0, 12), min_size=8, max_size=8)
ALL_BITS = 2**64 - 1


class Eight:
    """A word in each of eight lanes."""

    lanes: Annotated[Row[Word], 8]


class Eights:
    """Two times eight words, and behind them what `combine` makes of them."""

    rows: Annotated[Row[Eight], 9]


@native()
def combine(trial: Eights, by: Word) -> None:
    """Writes one result of each operation."""
    one, other = vector(trial.rows[0].lanes), vector(trial.rows[1].lanes)
    write_lanes(trial.rows[2].lanes, one + other)
    write_lanes(trial.rows[3].lanes, one * other)
    write_lanes(trial.rows[4].lanes, one & other)
    write_lanes(trial.rows[5].lanes, one ^ other)
    write_lanes(trial.rows[6].lanes, one >> by)
    write_lanes(trial.rows[7].lanes, one * by)
    write_lanes(trial.rows[8].lanes, spread(by, one))


@native()
def summary(trial: Eight, word: Word, free: Word) -> tuple[Word, Word, bool, Word]:
    eight = vector(trial.lanes)
    return least(eight), sum_of(eight), some_alike(eight), lane_of(eight, word, free)


def summed_up(words: list[int], word: int, free: int) -> tuple[Word, Word, bool, Word]:
    """The words in a record, summed up."""
    trial: Any = np.zeros(1, memory.layout(Eight))[0]
    trial["lanes"] = words
    return summary(trial, np.uint64(word), np.uint64(free))


@given(WORDS_OF_EIGHT, WORDS_OF_EIGHT, st.integers(0, 63))
def test_each_lane_is_treated_as_a_word_alone(one: list[int], other: list[int], by: int) -> None:
    trial: Any = np.zeros(1, memory.layout(Eights))[0]
    words = trial["rows"]["lanes"]
    words[:2] = one, other
    combine(trial, np.uint64(by))
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
    assert words[2:].ravel().tolist() == expected


@given(WORDS_OF_EIGHT | FEW, WORD, WORD)
def test_eight_words_in_one_answer(eight: list[int], word: int, free: int) -> None:
    least, total, alike, _ = summed_up(eight, word, free)
    assert (int(least), int(total)) == (min(eight), sum(eight) & ALL_BITS)
    assert alike == (len(set(eight)) < 8)


@given(FEW, st.integers(0, 12), st.integers(0, 15))
def test_the_first_lane_that_equals_a_word_outside_of_some_bits(
    eight: list[int], word: int, free: int
) -> None:
    lane = summed_up(eight, word, free)[3]
    fits = [each | free == word | free for each in eight]
    assert lane == (fits.index(True) if True in fits else 8)
