"""Ratings of many players: a published example, OpenSpiel's opinion, and what errors mean."""

import random
from itertools import pairwise
from statistics import pstdev

import numpy as np
import pytest
from open_spiel.python.algorithms import elo as open_spiel

from papan.lab.statistics.elo import ScoreTally, elo_difference, expected_score
from papan.lab.statistics.ranking import Encounter, Ranking, rank

LASKOS = [
    Encounter("a", "b", 75, 0, 25),
    Encounter("b", "c", 75, 0, 25),
    Encounter("a", "c", 90, 0, 10),
]
"""Three engines of TalkChess, 2012: rating tools that compress ratings get this one wrong."""


def test_three_engines_are_as_far_apart_as_published() -> None:
    assert [round(rating) for rating in rank(LASKOS).ratings] == [191, 0, -191]
    assert rank(LASKOS).rating("a").value == pytest.approx(190.85, abs=0.01)


def test_two_players_differ_by_what_their_score_says() -> None:
    ranking = rank([Encounter("a", "b", 30, 20, 10)])
    alone = elo_difference(ScoreTally((10, 20, 30)))
    assert ranking.lead("a", "b").value == pytest.approx(alone.value)
    assert ranking.lead("a", "b").error == pytest.approx(alone.error, rel=0.1)


def test_open_spiel_finds_the_same_ratings() -> None:
    rng = random.Random(3)
    names = ["a", "b", "c", "d", "e"]
    games = [
        Encounter(first, second, *(rng.randrange(1, 30) for _ in range(3)))
        for place, first in enumerate(names)
        for second in names[:place]
    ]
    wins, draws = np.zeros((2, 5, 5), dtype=int)
    for each in games:
        a, b = names.index(each.first), names.index(each.second)
        wins[a, b], wins[b, a] = each.wins, each.losses
        draws[a, b] = draws[b, a] = each.draws
    theirs = open_spiel.compute_ratings_from_matrices(wins, draws, smoothing_factor=0)
    ranking = rank(games)
    ours = np.array([ranking.rating(name).value for name in names])
    assert ours - ours.mean() == pytest.approx(theirs - theirs.mean(), abs=0.01)


def test_the_error_is_how_far_ratings_scatter() -> None:
    rng = random.Random(5)
    rankings = [rank(season(rng)) for _ in range(300)]
    scatter = pstdev(each.lead("a", "c").value for each in rankings)
    errors = [each.lead("a", "c", confidence=0.6827).error for each in rankings]
    assert sum(errors) / len(errors) == pytest.approx(scatter, rel=0.1)


def season(rng: random.Random) -> list[Encounter]:
    """A round robin of three players whose true ratings are 100, 0 and -100, with many draws."""
    true = {"a": 100, "b": 0, "c": -100}
    return [
        Encounter(first, second, *results(rng, expected_score(true[first] - true[second])))
        for first, second in ("ab", "bc", "ac")
    ]


def results(rng: random.Random, score: float) -> tuple[int, int, int]:
    drawn = 0.4
    outcomes = rng.choices("wdl", (score - drawn / 2, drawn, 1 - score - drawn / 2), k=100)
    return outcomes.count("w"), outcomes.count("d"), outcomes.count("l")


def test_those_who_did_well_are_likely_stronger() -> None:
    ranking = rank(LASKOS)
    assert ranking.superiority("a", "b") > 0.99
    assert ranking.superiority("a", "b") + ranking.superiority("b", "a") == pytest.approx(1)
    assert ranking.superiority("a", "a") == 0.5


def test_the_same_games_in_parts_give_the_same_ratings() -> None:
    parts = [Encounter("b", "a", 10, 0, 30), *LASKOS[1:], Encounter("a", "b", 45, 0, 15)]
    whole = rank(LASKOS)
    for name in "abc":
        assert rank(parts).rating(name).value == pytest.approx(whole.rating(name).value)


@pytest.mark.parametrize(
    "games",
    [
        [Encounter("a", "b", 10, 0, 0)],
        [Encounter("a", "b", 5, 0, 5), Encounter("c", "a", 9, 0, 0)],
        [Encounter("a", "b", 6, 1, 3), Encounter("c", "d", 5, 2, 3)],
        [Encounter("a", "b", 0, 0, 0)],
    ],
    ids=["always won", "nobody beat c", "two groups that never met", "no games"],
)
def test_where_no_ratings_are_likeliest_a_drawn_game_is_added(games: list[Encounter]) -> None:
    ranking = rank(games)
    assert ranking.virtual_draws == 1
    assert all(abs(rating) < 1500 for rating in ranking.ratings)
    assert sum(ranking.ratings) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("names", ["abcdef", "abcdefghijkl"])
def test_v05_11_everyone_is_compared_however_long_the_chain(names: str) -> None:
    chain = [Encounter(first, second, 9, 0, 1) for first, second in pairwise(names)]
    assert rank(chain).virtual_draws == 0
    circle = [Encounter(first, second, 5, 0, 0) for first, second in pairwise(names + names[0])]
    assert rank(circle).virtual_draws == 0
    assert rank(circle[:-1]).virtual_draws == 1


def test_a_series_of_draws_is_not_certainty() -> None:
    ranking = rank([Encounter("a", "b", 0, 20, 0)])
    assert ranking.virtual_draws == 0
    assert ranking.lead("a", "b").value == pytest.approx(0)
    assert ranking.lead("a", "b").error > 10


def test_nobody_played() -> None:
    assert rank([]) == Ranking((), (), (), 0.0)


def test_y7_ratings_have_the_mean_0_and_nobody_is_surer_than_by_chance_of_an_equal() -> None:
    games = [
        Encounter("a", "b", 6, 1, 2),
        Encounter("b", "c", 3, 3, 3),
        Encounter("a", "c", 4, 0, 1),
    ]
    found = rank(games)
    assert sum(found.ratings) == pytest.approx(0, abs=1e-6)
    assert sum(map(sum, found.covariance)) == pytest.approx(0, abs=1e-3)
    assert found.superiority("a", "a") == 0.5
    assert found.lead("a", "b").value == pytest.approx(-found.lead("b", "a").value)
    assert found.superiority("a", "b") == pytest.approx(1 - found.superiority("b", "a"))
