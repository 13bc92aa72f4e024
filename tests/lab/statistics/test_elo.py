"""Elo, normalised Elo and likelihood of superiority, against published numbers."""

import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache
from itertools import combinations, pairwise
from math import factorial, inf, isfinite, isinf, log, log10, prod, sqrt
from typing import Any

import numpy as np
import pytest

from papan.core import PapanError
from papan.lab.statistics.elo import (
    NORMALISED,
    ScoreTally,
    Sprt,
    elo_difference,
    elo_of,
    expected_score,
    moments,
    normalised_elo,
    share_doubts,
    share_interval,
    sprt_facts,
    superiority,
    tally_facts,
    with_lead,
)
from papan.lab.statistics.intervals import Interval

CINDER = ScoreTally((177, 1629, 3083, 1780, 221))
"""brunocodutra/cinder, pull request 813: the five counts and what fastchess printed."""

FASTCHESS = ScoreTally((379, 10170, 21828, 10640, 343))
"""Disservin/fastchess, pull request 783."""


def test_pairs_give_the_elo_that_fastchess_published() -> None:
    elo = elo_difference(CINDER)
    assert round(elo.value, 2) == 6.03
    assert elo.error == pytest.approx(3.49, rel=0.02)  # 3.54: an imaginary pair at either end


@pytest.mark.parametrize(
    ("tally", "value", "error"), [(CINDER, 10.01, 5.80), (FASTCHESS, 3.05, 2.31)]
)
def test_pairs_give_the_normalised_elo_that_fastchess_published(
    tally: ScoreTally, value: float, error: float
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
    mine, theirs = ScoreTally((10, 20, 30)), ScoreTally((30, 20, 10))
    assert elo_difference(mine).value == pytest.approx(-elo_difference(theirs).value)
    assert elo_difference(mine).low == pytest.approx(-elo_difference(theirs).high)
    assert normalised_elo(mine).value == pytest.approx(-normalised_elo(theirs).value)
    assert superiority(mine) == pytest.approx(1 - superiority(theirs))


def test_draws_make_a_result_surer() -> None:
    assert (
        elo_difference(ScoreTally((20, 60, 30))).error
        < elo_difference(ScoreTally((50, 0, 60))).error
    )


def test_pairs_that_cancel_out_are_worth_more_than_the_same_games_alone() -> None:
    outcomes = [1, -1] * 40 + [1, 0] * 10
    assert elo_difference(ScoreTally.of_pairs(outcomes)).value == pytest.approx(
        elo_difference(ScoreTally.of_games(outcomes)).value
    )
    assert (
        elo_difference(ScoreTally.of_pairs(outcomes)).error
        < elo_difference(ScoreTally.of_games(outcomes)).error
    )


def test_one_who_always_won_is_at_least_so_much_stronger() -> None:
    few, many = elo_difference(ScoreTally((0, 0, 10))), elo_difference(ScoreTally((0, 0, 1000)))
    assert isinf(few.value)
    assert 100 < few.low < 200 < 900 < many.low
    assert superiority(ScoreTally((0, 0, 10))) == 1 - 0.5**11
    assert superiority(ScoreTally((10, 0, 0))) == 0.5**11


def test_draws_alone_prove_nothing_but_equality() -> None:
    draws = ScoreTally((0, 10, 0))
    assert elo_difference(draws).value == 0
    assert elo_difference(draws).error > 100
    assert normalised_elo(draws).value == 0
    assert superiority(draws) == 0.5


def test_games_are_counted_from_outcomes() -> None:
    outcomes = [1, 1, 1, 0, 0, 0, -1, 1, -1, 0, -1, -1]
    assert ScoreTally.of_games(outcomes).counts == (4, 4, 4)
    assert ScoreTally.of_pairs(outcomes).counts == (1, 1, 2, 1, 1)
    assert ScoreTally.of_pairs(outcomes).games == ScoreTally.of_games(outcomes).games == 12


@pytest.mark.parametrize(
    "counts", [(), (1, 2), (1, 2, 3, 4), (0, 0, 0), (1, -1, 1), (10**16, 0, 0)]
)
def test_numbers_that_are_no_results_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(PapanError, match="write three numbers"):
        ScoreTally(counts)


def test_the_ratio_is_the_one_that_fastchess_published() -> None:
    assert round(Sprt(0, 3, 0.05, 0.10).ratio(CINDER), 2) == 2.91
    assert Sprt(0, 2).ratio(FASTCHESS) == pytest.approx(2.94598, rel=3e-4)


def test_the_verdict_is_the_one_that_fastchess_published() -> None:
    assert Sprt(0, 3, 0.05, 0.10).verdict(CINDER) == "H1"
    assert Sprt(0, 2).verdict(FASTCHESS) == "H1"


def test_the_bounds_follow_from_the_risks() -> None:
    assert Sprt().bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(alpha=0.05, beta=0.10).bounds == pytest.approx((-2.2513, 2.8904), abs=1e-4)


def test_without_draws_the_logistic_ratio_is_the_plain_one_of_two_coins() -> None:
    wins, losses = 60, 40
    low, high = expected_score(0), expected_score(30)
    plain = wins * log(high / low) + losses * log((1 - high) / (1 - low))
    ratio = Sprt(0, 30, model="logistic").ratio(ScoreTally((losses, 0, wins)))
    assert ratio == pytest.approx(plain, abs=1e-3)


@pytest.mark.parametrize("model", ["normalised", "logistic"])
def test_a_stronger_player_is_found_out_and_an_equal_one_too(model: str) -> None:
    test = Sprt(0, 50, model="logistic" if model == "logistic" else "normalised")
    assert test.verdict(ScoreTally((150, 500, 350))) == "H1"
    assert test.verdict(ScoreTally((250, 500, 250))) == "H0"
    assert test.verdict(ScoreTally((3, 4, 5))) == "continue"


def test_results_that_never_happened_do_not_stop_the_test() -> None:
    assert Sprt(0, 50).verdict(ScoreTally((0, 0, 100))) == "H1"
    assert Sprt(0, 50).verdict(ScoreTally((0, 0, 0, 0, 50))) == "H1"
    assert Sprt(0, 50).verdict(ScoreTally((50, 0, 0, 0, 0))) == "H0"
    assert Sprt(-1000, 1000, model="logistic").verdict(ScoreTally((0, 1, 0))) == "continue"


@pytest.mark.parametrize(
    "counts", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0, 0, 0), (3, 0, 1, 0, 9)]
)
@pytest.mark.parametrize(
    ("elo0", "elo1"), [(0, 400), (0, 300), (-1000, 1000), (999, 1000), (-400, -399), (-300, 0)]
)
def test_v03_every_hypothesis_can_be_tested(
    counts: tuple[int, ...], elo0: float, elo1: float
) -> None:
    ratio = Sprt(elo0, elo1).ratio(ScoreTally(counts))
    assert isfinite(ratio)
    assert Sprt(-elo1, -elo0).ratio(ScoreTally(counts[::-1])) == pytest.approx(-ratio, abs=1e-6)


@pytest.mark.parametrize("lead", [-3.0, -1.2, -0.3, 0.0, 0.5, 1.0, 2.5])
@pytest.mark.parametrize("seen", [(0.3, 0.4, 0.3), (0.05, 0.05, 0.9), (0.9, 0.05, 0.05)])
def test_v03_no_distribution_with_the_lead_is_likelier_than_the_one_that_is_found(
    lead: float, seen: tuple[float, ...]
) -> None:
    fit = with_lead([(0, seen[0]), (0.5, seen[1]), (1, seen[2])], lead)
    mean, sigma = moments(fit)
    assert mean - 0.5 == pytest.approx(lead * sigma, abs=1e-9)
    found = sum(share * log(fitted) for share, (_, fitted) in zip(seen, fit))
    for step in range(1, 1000):
        drawn = step / 1000
        ahead = lead * sqrt((1 - drawn) / (1 + lead**2))  # wins minus losses that have this lead
        others = (1 - drawn - ahead) / 2, drawn, (1 - drawn + ahead) / 2
        if min(others) > 0:
            assert sum(a * log(b) for a, b in zip(seen, others)) <= found + 1e-9


@pytest.mark.parametrize("elo1", [300, 600])
def test_v03_few_pairs_keep_the_risk_too(elo1: float) -> None:
    test, rng, times = Sprt(0, elo1), random.Random(1), 150
    verdict = cache(lambda counts: test.verdict(ScoreTally(counts)))
    accepted = 0
    for _ in range(times):
        counts = [0] * 5
        while True:
            counts[rng.choices((0, 2, 4), (1, 2, 1))[0]] += 1
            if (found := verdict(tuple(counts))) != "continue":
                break
        accepted += found == "H1"
    assert accepted / times <= 0.05 + 3 * sqrt(0.05 * 0.95 / times)


def test_the_risk_is_kept() -> None:
    test, rng = Sprt(0, 200, model="logistic"), random.Random(1)
    verdicts = [until_decided(test, rng, expected_score(0)) for _ in range(60)]
    assert verdicts.count("H1") <= 8  # 5 % of 60 are 3; the chance of more than 8 is 0.3 %


def until_decided(test: Sprt, rng: random.Random, score: float) -> str:
    counts = [1, 0, 1]
    while (verdict := test.verdict(ScoreTally(tuple(counts)))) == "continue":
        counts[2 if rng.random() < score else 0] += 1
    return verdict


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta"),
    [
        (0, 0, 0.05, 0.05),
        (5, 0, 0.05, 0.05),
        (0, float("nan"), 0.05, 0.05),
        (0, 1e9, 0.05, 0.05),
        (0, 5, 0, 0.05),
        (0, 5, 0.5, 0.5),
    ],
)
def test_hypotheses_that_cannot_be_told_apart_are_refused(
    elo0: float, elo1: float, alpha: float, beta: float
) -> None:
    with pytest.raises(PapanError, match="The test cannot tell"):
        Sprt(elo0, elo1, alpha, beta)


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
            counts: (elo_difference(ScoreTally(counts)), superiority(ScoreTally(counts)))
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
    surest = [superiority(ScoreTally(counts)) for counts in games]
    assert surest == sorted(surest, reverse=True)
    assert surest[0] == pytest.approx(1 - 0.5**5)  # 4 pairs: a coin does this in 1 of 16


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("samples", [2, 3, 5, 8])
def test_v02_few_pairs_hold_the_true_elo_in_95_of_100_cases(truth: str, samples: int) -> None:
    elo = elo_of(mean(TRUTHS[truth]))
    held = [
        chance
        for counts, chance in chances(TRUTHS[truth], samples)
        if holds(elo_difference(ScoreTally(counts)), elo)
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
        if holds(normalised_elo(ScoreTally(counts)), elo)
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
        if not 0.025 < superiority(ScoreTally(counts)) < 0.975
    ]
    assert sum(sure) <= 0.05


def test_where_elo_is_proved_positive_normalised_elo_and_superiority_say_so_too() -> None:
    for counts in tallies(5):
        tally = ScoreTally(counts)
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


def simulated(shares: Shares, samples: int, times: int) -> Iterator[ScoreTally]:
    rng = np.random.default_rng(samples)
    for counts in rng.multinomial(samples, shares, times).tolist():
        yield ScoreTally(tuple(counts))


def test_y7_a_share_of_no_cases_doubts_nothing() -> None:
    assert share_doubts(0, 0, 0.5) == (1.0, 1.0)
    assert share_doubts(5, 5, 0.5) == pytest.approx((1 / 32, 1.0))


def test_y7_who_always_wins_leads_without_bound() -> None:
    assert normalised_elo(ScoreTally((0, 0, 9))).value == inf
    assert normalised_elo(ScoreTally((9, 0, 0))).value == -inf
    assert normalised_elo(ScoreTally((0, 9, 0))).value == 0


def test_y7_a_tally_is_told_in_games_shares_and_elo() -> None:
    facts = tally_facts(ScoreTally((0, 1, 2, 1, 6)))
    assert (facts.games, facts.score) == (20, (1 + 4 + 3 + 24) / 40)
    value, low = facts.elo.value, facts.elo.low
    assert value is not None and value == pytest.approx(400 * log10(0.8 / 0.2))
    assert low is not None and 0 < low < value
    assert 0.5 < facts.los <= 1
    single = tally_facts(ScoreTally((0, 0, 3)))
    assert (single.games, single.score) == (3, 1)
    assert (single.elo.value, single.elo.high) == (None, None), "JSON knows no infinity"


@pytest.mark.parametrize(
    ("settings", "fine"),
    [
        ({}, True),
        ({"elo0": -1000, "elo1": 1000}, True),
        ({"elo0": 0, "elo1": 1000.5}, False),
        ({"elo0": -1000.5}, False),
        ({"elo0": 5, "elo1": 5}, False),
        ({"alpha": 0.5, "beta": 0.49}, True),
        ({"alpha": 0.5, "beta": 0.5}, False),
        ({"alpha": 0}, False),
        ({"beta": 1}, False),
    ],
)
def test_y7_a_test_needs_two_hypotheses_and_risks_that_leave_room(
    settings: dict[str, float], fine: bool
) -> None:
    with nullcontext() if fine else pytest.raises(PapanError):
        Sprt(**settings)  # type: ignore[arg-type]


def test_y7_a_ratio_on_a_bound_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    test, tally = Sprt(), ScoreTally((1, 1, 1))
    low, high = test.bounds
    verdicts = {}
    for name, ratio in {"low": low, "high": high, "between": (low + high) / 2}.items():
        monkeypatch.setattr(Sprt, "ratio", lambda self, tally, ratio=ratio: ratio)
        verdicts[name] = test.verdict(tally)
    assert verdicts == {"low": "H0", "high": "H1", "between": "continue"}
    facts = sprt_facts(test, tally)
    assert (facts.llr, facts.bounds, facts.verdict) == ((low + high) / 2, (low, high), "continue")


@pytest.mark.parametrize("of", [ScoreTally.of_games, ScoreTally.of_pairs])
def test_d16_points_are_not_taken_for_outcomes(of: Callable[[Any], ScoreTally]) -> None:
    """A draw, ½ of a point, was not counted at all, and a loss, 0 points, was a draw."""
    with pytest.raises(PapanError, match=r"^0\.5 is not the outcome of a game; write 1 for a win"):
        of([1, 0.5, 0, 1])
    for outcomes in ([1, -1, 0, 0], (1, -1, 0, 0), np.array([1, -1, 0, 0]), [1.0, -1.0, 0.0, 0.0]):
        assert of(outcomes) == of([1, -1, 0, 0])


def test_d16_half_a_pair_and_an_impossible_share_are_refused_in_a_sentence() -> None:
    with pytest.raises(PapanError, match="3 games are no pairs"):
        ScoreTally.of_pairs([1, 0, 0])
    for successes, trials in ((9, 8), (-1, 8), (1, 0), (0, -1)):
        with pytest.raises(PapanError, match=f"^{successes} of {trials} is not a share; "):
            share_interval(successes, trials)
