"""Intervals hold the true value about as often as they promise."""

import random
from statistics import fmean, median

import pytest

from papan.lab.statistics import bootstrap, mean_interval, wilson


def test_wilsons_interval_is_the_textbooks() -> None:
    interval = wilson(0.9, 10)  # Brown, Cai and DasGupta's example of few trials
    assert (interval.low, interval.high) == pytest.approx((0.596, 0.982), abs=1e-3)
    assert wilson(0.0, 10).high == pytest.approx(0.2775, abs=1e-4)
    assert (wilson(1.0, 10).high, wilson(0.0, 10).low) == (1.0, 0.0)
    assert (wilson(0.5, 0).low, wilson(0.5, 0).high) == (0.0, 1.0)


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
    values = [1.0, 2.0, 2.0, 3.0, 100.0]
    assert bootstrap(values, median) == bootstrap(values, median)
    assert 1 <= bootstrap(values, median).low <= 2 <= bootstrap(values, median).high
