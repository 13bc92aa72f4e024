"""Measures: known values from the books, and honesty at the ends."""

import random
from math import inf

import pytest

from papan.lab.results import Measure, measured, show, within
from papan.lab.statistics import Tally as Counts
from papan.papers.experiment import Tally, mean, middle, points, ratio, share


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),  # Newcombe 1998, table I, method 5
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_shares_have_the_published_exact_intervals(
    successes: int, trials: int, low: float, high: float
) -> None:
    found = share(successes, trials)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_nothing_tried_is_nothing_known() -> None:
    assert share(0, 0) == Measure(0.0, 0.0, 1.0, "share")
    assert mean([]) == Measure(0.0, -inf, inf)


def test_v02_too_few_numbers_have_no_interval() -> None:
    assert mean([2.0]) == Measure(2.0, -inf, inf)
    assert middle([2.0, 3.0, 4.0]) == Measure(3.0, -inf, inf, "seconds")
    assert ratio([3.0], [1.0, 1.0]).high == inf
    assert show(middle([0.002, 0.003, 0.004]), "en") == "3 ms (too few for a 95% interval)"
    assert show(middle([0.002, 0.003, 0.004]), "id") == "3 ms (terlalu sedikit untuk selang 95%)"


def test_the_two_games_of_a_pair_are_one_result() -> None:
    pairs = Tally([(0, 1, 1, 0), (1, -1, 0, 1)] * 10)  # whoever begins wins
    alone = pairs.on_seat(0)
    assert (pairs.points.value, alone.points.value) == (0.5, 1.0)
    assert pairs.points == points(Counts((0, 0, 10, 0, 0)))
    assert alone.points == points(Counts((0, 0, 10)))
    assert Tally([]).points == Measure(0.0, 0.0, 1.0, "share")


def test_the_mean_of_equal_numbers_is_sure() -> None:
    assert mean([2.0, 2.0, 2.0]) == Measure(2.0, 2.0, 2.0)


def test_the_interval_of_a_median_holds_it_nineteen_times_in_twenty() -> None:
    rng = random.Random(1)
    found = [middle([rng.random() for _ in range(31)]) for _ in range(400)]
    held = sum((each.low or 0) <= 0.5 <= (each.high or 0) for each in found)
    assert 370 <= held <= 396


@pytest.mark.parametrize(
    ("estimate", "verdict"),
    [
        (Measure(0.7, 0.6, 0.8), "yes"),
        (Measure(0.3, 0.2, 0.4), "no"),
        (Measure(0.6, 0.4, 0.8), "open"),
        (Measure(0.6), "yes"),
    ],
)
def test_only_an_interval_on_one_side_decides(estimate: Measure, verdict: str) -> None:
    assert measured(estimate, above=0.5) == verdict


@pytest.mark.parametrize(
    ("estimate", "verdict"),
    [
        (Measure(3, 2.5, 3.5), "yes"),
        (Measure(5, 4.5, 5.5), "no"),
        (Measure(1, 0.5, 1.5), "no"),
        (Measure(3, 1, 5), "open"),
        (Measure(3, -inf, inf), "open"),
    ],
)
def test_only_a_whole_interval_lies_within_or_without(estimate: Measure, verdict: str) -> None:
    assert within(estimate, 2, 4) == verdict
