"""What is claimed of two players holds at every number of pairs, and grows with every result."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import factorial, prod, sqrt

import numpy as np
import pytest

from papan.lab.statistics import (
    Interval,
    Tally,
    elo_difference,
    normalised_elo,
    superiority,
)
from papan.lab.statistics.difference import NORMALISED, elo_of

Shares = tuple[float, ...]

TRUTHS: dict[str, Shares] = {
    "equal and decisive": (0.3, 0.05, 0.3, 0.05, 0.3),
    "equal coins": (0.25, 0, 0.5, 0, 0.25),
    "equal and drawish": (0.02, 0.08, 0.8, 0.08, 0.02),
    "whoever begins wins": (0.05, 0, 0.9, 0, 0.05),
    "stronger": (0.05, 0.1, 0.3, 0.25, 0.3),
    "lopsided": (0.01, 0.02, 0.07, 0.2, 0.7),
    "never loses, wins now and then": (0, 0, 0.8, 0, 0.2),
    "nearly always": (0, 0, 0, 0.05, 0.95),
}
"""How often pairs bring 0, 1/2, 1, 3/2 and 2 points."""


def tallies(samples: int, kinds: int = 5) -> Iterator[tuple[int, ...]]:
    """All ways in which so many samples can fall."""
    places = samples + kinds - 1
    for walls in combinations(range(places), kinds - 1):
        yield tuple(b - a - 1 for a, b in pairwise((-1, *walls, places)))


def improved(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The same with one sample better by half a point."""
    for place, count in enumerate(counts[:-1]):
        if count:
            better = list(counts)
            better[place] -= 1
            better[place + 1] += 1
            yield tuple(better)


@pytest.mark.parametrize(
    ("kinds", "most"), [(5, 5), (3, 12), pytest.param(5, 8, marks=pytest.mark.slow)]
)
def test_v02_a_better_result_lowers_neither_likelihood_nor_elo(kinds: int, most: int) -> None:
    for samples in range(1, most + 1):
        found = {
            counts: (elo_difference(Tally(counts)), superiority(Tally(counts)))
            for counts in tallies(samples, kinds)
        }
        for counts, (elo, sure) in found.items():
            assert elo.low < elo.high
            assert elo.low <= elo.value <= elo.high
            for better in improved(counts):
                after, surer = found[better]
                assert after.value > elo.value
                assert after.low >= elo.low, (counts, better)
                assert after.high >= elo.high, (counts, better)
                assert surer > sure, (counts, better)


def test_v02_eight_to_nothing_is_surer_than_seven_to_one() -> None:
    games = [(0, 0, 0, 0, 4), (0, 0, 1, 0, 3), (0, 0, 2, 0, 2)]
    surest = [superiority(Tally(counts)) for counts in games]
    assert surest == sorted(surest, reverse=True)
    assert surest[0] == pytest.approx(1 - 0.5**5)  # 4 pairs: a coin does this in 1 of 16


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("samples", [2, 3, 5, 8])
def test_v02_few_pairs_hold_the_true_elo_in_95_of_100_cases(truth: str, samples: int) -> None:
    elo = elo_of(mean(TRUTHS[truth]))
    held = [
        chance
        for counts, chance in chances(TRUTHS[truth], samples)
        if holds(elo_difference(Tally(counts)), elo)
    ]
    assert sum(held) >= 0.95


LONG = [pytest.param(pairs, 4000, marks=pytest.mark.slow) for pairs in (20, 50, 100, 200)]


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize(("samples", "times"), [(20, 50), (200, 50), *LONG])
def test_v02_many_pairs_hold_the_true_elo_in_95_of_100_cases(
    truth: str, samples: int, times: int
) -> None:
    elo = elo_of(mean(TRUTHS[truth]))
    drawn = simulated(TRUTHS[truth], samples, times)
    held = sum(holds(elo_difference(tally), elo) for tally in drawn)
    assert held / times >= 0.95 - 3 * sqrt(0.95 * 0.05 / times)


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("samples", [2, 4])
def test_v02_few_pairs_hold_the_true_normalised_elo(truth: str, samples: int) -> None:
    elo = true_normalised_elo(TRUTHS[truth])
    held = [
        chance
        for counts, chance in chances(TRUTHS[truth], samples)
        if holds(normalised_elo(Tally(counts)), elo)
    ]
    assert sum(held) >= 0.95


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize(("samples", "times"), [(50, 20), *LONG])
def test_v02_many_pairs_hold_the_true_normalised_elo(truth: str, samples: int, times: int) -> None:
    elo = true_normalised_elo(TRUTHS[truth])
    drawn = simulated(TRUTHS[truth], samples, times)
    held = sum(holds(normalised_elo(tally), elo) for tally in drawn)
    assert held / times >= 0.95 - 3 * sqrt(0.95 * 0.05 / times)


@pytest.mark.parametrize("truth", [name for name in TRUTHS if "equal" in name])
@pytest.mark.parametrize("samples", [4, 8])
def test_v02_equals_seldom_look_superior(truth: str, samples: int) -> None:
    sure = [
        chance
        for counts, chance in chances(TRUTHS[truth], samples)
        if not 0.025 < superiority(Tally(counts)) < 0.975
    ]
    assert sum(sure) <= 0.05


def test_where_elo_is_proved_positive_normalised_elo_and_superiority_say_so_too() -> None:
    for counts in tallies(5):
        tally = Tally(counts)
        low, high = elo_difference(tally).low, elo_difference(tally).high
        assert (normalised_elo(tally).low > 0, normalised_elo(tally).high < 0) == (
            low > 0,
            high < 0,
        )
        assert superiority(tally) > 0.975 or low <= 0
        assert superiority(tally) < 0.025 or high >= 0


def mean(shares: Shares) -> float:
    return sum(place / 4 * share for place, share in enumerate(shares))


def true_normalised_elo(shares: Shares) -> float:
    variance = sum(share * (place / 4 - mean(shares)) ** 2 for place, share in enumerate(shares))
    return NORMALISED * (mean(shares) - 0.5) / sqrt(2 * variance)


def holds(interval: Interval, truth: float) -> bool:
    return interval.low - 1e-9 <= truth <= interval.high + 1e-9


def chances(shares: Shares, samples: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Everything that so many pairs can bring, and how likely that is: nothing is left to luck."""
    for counts in tallies(samples):
        ways = factorial(samples) // prod(map(factorial, counts))
        chance = ways * prod(share**count for share, count in zip(shares, counts))
        if chance:
            yield counts, chance


def simulated(shares: Shares, samples: int, times: int) -> Iterator[Tally]:
    rng = np.random.default_rng(samples)
    for counts in rng.multinomial(samples, shares, times).tolist():
        yield Tally(tuple(counts))
