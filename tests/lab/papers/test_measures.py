"""Measures: known values from the books, and honesty at the ends."""

import random
from math import inf

import pytest

from papan.lab.papers.measures import mean, middle, share
from papan.lab.results import Measure, measured


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_shares_have_the_published_wilson_intervals(
    successes: int, trials: int, low: float, high: float
) -> None:
    found = share(successes, trials)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_nothing_tried_is_nothing_known() -> None:
    assert share(0, 0) == Measure(0.0, 0.0, 1.0, "share")
    assert mean([]) == Measure(0.0, -inf, inf)


def test_the_mean_of_equal_numbers_is_sure() -> None:
    assert mean([2.0, 2.0, 2.0]) == Measure(2.0, 2.0, 2.0)
    assert mean([2.0]) == Measure(2.0)


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
