"""Intervals hold the true value about as often as they promise."""

import random
from math import comb, exp, inf, sqrt
from statistics import NormalDist, fmean, median

import numpy as np
import pytest

from papan.lab.statistics.elo import share_interval
from papan.lab.statistics.intervals import (
    Interval,
    bootstrap,
    mean_interval,
    median_interval,
    with_ends,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_shares_have_the_published_intervals_of_clopper_and_pearson(
    successes: int, trials: int, low: float, high: float
) -> None:
    interval = share_interval(successes, trials)  # Newcombe 1998, table I, method 5
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-4)


def test_nothing_tried_is_nothing_known() -> None:
    assert share_interval(0, 0) == Interval(0, 0, 1)


@pytest.mark.parametrize("truth", [0.01, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("trials", [1, 4, 10, 40])
def test_v02_shares_are_held_in_95_of_100_cases(truth: float, trials: int) -> None:
    held = 0.0
    for successes in range(trials + 1):
        interval = share_interval(successes, trials)
        if interval.low <= truth <= interval.high:
            ways = comb(trials, successes)
            held += ways * truth**successes * (1 - truth) ** (trials - successes)
    assert held >= 0.95


@pytest.mark.parametrize(
    ("freedom", "factor"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (9, 2.2622), (30, 2.0423)],
)
def test_the_interval_of_a_mean_uses_students_factors(freedom: int, factor: float) -> None:
    values = [0.0, 1.0] + [0.5] * (freedom - 1)
    spread = (0.5 / freedom) ** 0.5
    reach = factor * spread / (freedom + 1) ** 0.5
    assert mean_interval(values).error == pytest.approx(reach, rel=1e-4)


def test_one_value_says_nothing_about_its_spread() -> None:
    assert mean_interval([3.0]).value == 3
    assert mean_interval([3.0]).error == float("inf")


def test_a_bootstrap_agrees_with_student_where_both_hold() -> None:
    rng = random.Random(1)
    values = [rng.gauss(10, 2) for _ in range(200)]
    student, drawn = mean_interval(values), bootstrap(values)
    assert drawn.value == student.value == fmean(values)
    assert drawn.error == pytest.approx(student.error, rel=0.1)


def test_a_bootstrap_measures_anything_and_can_be_repeated() -> None:
    values = [1.0, 2.0, 2.0, 3.0, 100.0] * 5
    assert bootstrap(values, median) == bootstrap(values, median)
    assert 1 <= bootstrap(values, median).low <= 2 <= bootstrap(values, median).high <= 3


def test_v02_a_bootstrap_of_five_values_is_refused() -> None:
    assert bootstrap([1.0, 2.0, 2.0, 3.0, 100.0]) == Interval(21.6, -inf, inf)


@pytest.mark.parametrize("draw", ["normal", "uniform", "lognormal"])
def test_v02_twenty_values_drawn_anew_hold_their_mean(draw: str) -> None:
    rng, times = np.random.default_rng(4), 60
    truth = {"normal": 0.0, "uniform": 0.5, "lognormal": exp(0.08)}[draw]
    samples = {
        "normal": rng.normal(size=(times, 20)),
        "uniform": rng.random((times, 20)),
        "lognormal": rng.lognormal(0, 0.4, (times, 20)),
    }[draw]
    found = [bootstrap(each, rounds=400) for each in samples.tolist()]
    assert held(found, truth) >= 0.95 - 3 * sqrt(0.95 * 0.05 / times)


@pytest.mark.parametrize("count", [6, 7, 12, 31, 200])
def test_v02_medians_are_held_in_95_of_100_cases(count: int) -> None:
    places = median_interval(list(range(count)))
    outside = int(places.low)  # so many values are left out at each end
    beyond = sum(comb(count, n) for n in range(outside + 1)) / 2**count
    assert 1 - 2 * beyond >= 0.95
    assert 1 - 2 * (beyond + comb(count, outside + 1) / 2**count) < 0.95  # and no wider than needed
    assert places.high == count - 1 - outside


@pytest.mark.parametrize("count", [1, 3, 5])
def test_v02_a_median_of_few_has_no_interval(count: int) -> None:
    assert median_interval([1.0] * count) == Interval(1.0, -inf, inf)


def test_the_median_of_thousands_has_an_interval() -> None:
    """A full run of paper 002 has 1,200 boards: 2^1200 is no floating-point number."""
    found = median_interval(list(range(1201)))
    assert (found.value, found.low + found.high) == (600, 1200)
    assert 0.045 < (600 - found.low) / 1201 * 2 < 0.06


def held(intervals: list[Interval], truth: float) -> float:
    return sum(each.low <= truth <= each.high for each in intervals) / len(intervals)


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(120.4, 45.2, 209.9), "+120.4 [+45.2, +209.9]"),
        (Interval(-190.85, -582.5, 163.1), "\u2212191 [\u2212582, +163]"),
        (Interval(6.03, 2.49, 9.57), "+6.03 \u00b1 3.54"),
        (Interval(6.03, 2.49, 9.56), "+6.03 [+2.49, +9.56]"),
        (Interval(0.001, -50.04, 50.0), "0 \u00b1 50.0"),
        (Interval(inf, 92.9, inf), "\u2265 +93"),
        (Interval(40.0, 12.0, inf), "\u2265 +12"),
        (Interval(-inf, -inf, 636.4), "\u2264 +636"),
        (Interval(inf, -inf, inf), "?"),
    ],
)
def test_v04_lopsided_intervals_are_written_with_both_ends(interval: Interval, text: str) -> None:
    assert with_ends(interval) == text


def test_the_error_reaches_to_the_farther_end() -> None:
    assert Interval(10, 8, 15).error == Interval(10, 5, 12).error == 5


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_y7_a_bootstrap_of_twenty_values_reaches_as_far_as_student(confidence: float) -> None:
    """Without Student's factor it would reach 9 % less far."""
    values = [NormalDist().inv_cdf((place + 0.5) / 20) for place in range(20)]
    factor = {0.8: 1.3277, 0.95: 2.0930}[confidence]  # of Student's table for 19
    spread = sqrt(sum(value**2 for value in values) / 19)
    drawn = bootstrap(values, confidence=confidence, rounds=20_000)
    width = (drawn.high - drawn.low) / 2
    assert width == pytest.approx(factor * spread / sqrt(20), rel=0.03)


def test_a_bootstrap_of_twenty_values_cuts_off_as_much_as_hesterberg_says() -> None:
    values = [float(place**2) for place in range(20)]
    rng = random.Random(0)
    drawn = sorted(fmean(rng.choices(values, k=20)) for _ in range(4000))
    farther = 2.0930 * sqrt(20 / 19)  # Student's table for 19; drawn values spread less than others
    cut = int(4000 * NormalDist().cdf(-farther))
    assert bootstrap(values) == Interval(fmean(values), drawn[cut], drawn[-1 - cut])
