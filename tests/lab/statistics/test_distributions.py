"""Random weights: their weighted means against closed forms, and at sizes no sum would reach."""

from math import comb

import pytest

from papan.lab.statistics.elo import negative, quantile


def scored(*counts: int) -> list[tuple[float, float, int]]:
    """Scores from 0 to 1, the worst first, as `quantile` takes them."""
    return [(place / (len(counts) - 1), 1.0, count) for place, count in enumerate(counts)]


@pytest.mark.parametrize(("won", "games"), [(1, 1), (1, 2), (3, 10), (10, 10), (40, 50)])
@pytest.mark.parametrize("score", [0.1, 0.5, 0.83])
def test_two_kinds_of_results_are_the_binomial_sum(won: int, games: int, score: float) -> None:
    at_least = sum(
        comb(games, n) * score**n * (1 - score) ** (games - n) for n in range(won, games + 1)
    )
    found = negative([(-score, games - won + 1), (1 - score, won)])
    assert found == pytest.approx(at_least, rel=1e-10)


@pytest.mark.parametrize("score", [0.01, 0.2, 0.5, 0.7, 0.99])
def test_one_result_of_each_of_three_kinds_is_a_triangle(score: float) -> None:
    below = 2 * score**2 if score <= 0.5 else 1 - 2 * (1 - score) ** 2
    assert negative([(-score, 1), (0.5 - score, 1), (1 - score, 1)]) == pytest.approx(below)


def test_a_probability_is_known_far_out_too() -> None:
    assert negative([(-0.5, 1), (0.5, 200)]) == pytest.approx(0.5**200, rel=1e-9)


def test_where_all_lie_on_one_side_nothing_is_left_to_chance() -> None:
    assert (negative([(0.5, 3), (1.0, 1)]), negative([(-0.5, 3), (-1.0, 1)])) == (0.0, 1.0)
    assert negative([(0.0, 3)]) == 0.5


@pytest.mark.parametrize("counts", [(1, 1), (1, 1, 1), (9, 0, 1), (3, 1, 4, 1, 5), (10**6,) * 5])
@pytest.mark.parametrize("share", [1e-6, 0.025, 0.5, 0.9])
def test_a_quantile_has_the_share_that_it_was_asked_for(
    counts: tuple[int, ...], share: float
) -> None:
    bound = quantile(scored(*counts), share)
    below = negative([(score - bound, count) for score, _, count in scored(*counts)])
    assert below == pytest.approx(share, rel=1e-8)


def test_more_results_than_anyone_will_ever_see() -> None:
    sigma = (1 / 6 / 3e15) ** 0.5
    low = quantile(scored(10**15, 10**15, 10**15), 0.025)
    assert (0.5 - low) / sigma == pytest.approx(1.959964, rel=1e-4)
    assert 0 < quantile(scored(10**15, 0, 1), 0.025) < 1e-15
