"""The sequential test, against published numbers and against its own promise."""

import random
from functools import cache
from math import isfinite, log, sqrt

import pytest

from papan.core import PapanError
from papan.lab.statistics import Sprt, Tally, expected_score
from papan.lab.statistics.fitting import moments, with_lead

from .test_difference import CINDER, FASTCHESS


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
    ratio = Sprt(0, 30, model="logistic").ratio(Tally((losses, 0, wins)))
    assert ratio == pytest.approx(plain, abs=1e-3)


@pytest.mark.parametrize("model", ["normalised", "logistic"])
def test_a_stronger_player_is_found_out_and_an_equal_one_too(model: str) -> None:
    test = Sprt(0, 50, model="logistic" if model == "logistic" else "normalised")
    assert test.verdict(Tally((150, 500, 350))) == "H1"
    assert test.verdict(Tally((250, 500, 250))) == "H0"
    assert test.verdict(Tally((3, 4, 5))) == "continue"


def test_results_that_never_happened_do_not_stop_the_test() -> None:
    assert Sprt(0, 50).verdict(Tally((0, 0, 100))) == "H1"
    assert Sprt(0, 50).verdict(Tally((0, 0, 0, 0, 50))) == "H1"
    assert Sprt(0, 50).verdict(Tally((50, 0, 0, 0, 0))) == "H0"
    assert Sprt(-1000, 1000, model="logistic").verdict(Tally((0, 1, 0))) == "continue"


@pytest.mark.parametrize(
    "counts", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0, 0, 0), (3, 0, 1, 0, 9)]
)
@pytest.mark.parametrize(
    ("elo0", "elo1"), [(0, 400), (0, 300), (-1000, 1000), (999, 1000), (-400, -399), (-300, 0)]
)
def test_v03_every_hypothesis_can_be_tested(
    counts: tuple[int, ...], elo0: float, elo1: float
) -> None:
    ratio = Sprt(elo0, elo1).ratio(Tally(counts))
    assert isfinite(ratio)
    assert Sprt(-elo1, -elo0).ratio(Tally(counts[::-1])) == pytest.approx(-ratio, abs=1e-6)


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
    verdict = cache(lambda counts: test.verdict(Tally(counts)))
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
    while (verdict := test.verdict(Tally(tuple(counts)))) == "continue":
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
