"""Elo, normalised Elo and likelihood of superiority, against published numbers."""

from math import inf, isinf

import pytest

from papan.core import PapanError
from papan.lab.statistics import (
    Tally,
    elo_difference,
    elo_of,
    expected_score,
    normalised_elo,
    superiority,
)

CINDER = Tally((177, 1629, 3083, 1780, 221))
"""brunocodutra/cinder, pull request 813: the five counts and what fastchess printed."""

FASTCHESS = Tally((379, 10170, 21828, 10640, 343))
"""Disservin/fastchess, pull request 783."""


def test_pairs_give_the_elo_that_fastchess_published() -> None:
    elo = elo_difference(CINDER)
    assert round(elo.value, 2) == 6.03
    assert elo.error == pytest.approx(3.49, rel=0.02)  # 3.54: an imaginary pair at either end


@pytest.mark.parametrize(
    ("tally", "value", "error"), [(CINDER, 10.01, 5.80), (FASTCHESS, 3.05, 2.31)]
)
def test_pairs_give_the_normalised_elo_that_fastchess_published(
    tally: Tally, value: float, error: float
) -> None:
    elo = normalised_elo(tally)
    assert round(elo.value, 2) == value
    assert elo.error == pytest.approx(error, rel=0.02)


def test_pairs_give_the_likelihood_of_superiority_that_fastchess_published() -> None:
    assert round(100 * superiority(CINDER), 2) == 99.96


def test_elo_and_score_are_two_ways_to_say_the_same() -> None:
    assert expected_score(0) == 0.5
    assert round(expected_score(400), 4) == 0.9091
    for elo in (-350.0, -3.0, 0.0, 120.0):
        assert elo_of(expected_score(elo)) == pytest.approx(elo, abs=1e-9)
    assert (elo_of(0), elo_of(1)) == (-inf, inf)


def test_seen_by_the_other_side_everything_is_turned_round() -> None:
    mine, theirs = Tally((10, 20, 30)), Tally((30, 20, 10))
    assert elo_difference(mine).value == pytest.approx(-elo_difference(theirs).value)
    assert elo_difference(mine).low == pytest.approx(-elo_difference(theirs).high)
    assert normalised_elo(mine).value == pytest.approx(-normalised_elo(theirs).value)
    assert superiority(mine) == pytest.approx(1 - superiority(theirs))


def test_draws_make_a_result_surer() -> None:
    assert elo_difference(Tally((20, 60, 30))).error < elo_difference(Tally((50, 0, 60))).error


def test_pairs_that_cancel_out_are_worth_more_than_the_same_games_alone() -> None:
    outcomes = [1, -1] * 40 + [1, 0] * 10
    assert elo_difference(Tally.of_pairs(outcomes)).value == pytest.approx(
        elo_difference(Tally.of_games(outcomes)).value
    )
    assert (
        elo_difference(Tally.of_pairs(outcomes)).error
        < elo_difference(Tally.of_games(outcomes)).error
    )


def test_one_who_always_won_is_at_least_so_much_stronger() -> None:
    few, many = elo_difference(Tally((0, 0, 10))), elo_difference(Tally((0, 0, 1000)))
    assert isinf(few.value)
    assert 100 < few.low < 200 < 900 < many.low
    assert superiority(Tally((0, 0, 10))) == 1 - 0.5**11
    assert superiority(Tally((10, 0, 0))) == 0.5**11


def test_draws_alone_prove_nothing_but_equality() -> None:
    draws = Tally((0, 10, 0))
    assert elo_difference(draws).value == 0
    assert elo_difference(draws).error > 100
    assert normalised_elo(draws).value == 0
    assert superiority(draws) == 0.5


def test_games_are_counted_from_outcomes() -> None:
    outcomes = [1, 1, 1, 0, 0, 0, -1, 1, -1, 0, -1, -1]
    assert Tally.of_games(outcomes).counts == (4, 4, 4)
    assert Tally.of_pairs(outcomes).counts == (1, 1, 2, 1, 1)
    assert Tally.of_pairs(outcomes).games == Tally.of_games(outcomes).games == 12


@pytest.mark.parametrize(
    "counts", [(), (1, 2), (1, 2, 3, 4), (0, 0, 0), (1, -1, 1), (10**16, 0, 0)]
)
def test_numbers_that_are_no_results_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(PapanError, match="write three numbers"):
        Tally(counts)
