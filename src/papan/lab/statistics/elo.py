"""Relative strength of two players: Elo, scores, shares, sequential tests.

Intervals of Elo, scores and shares come from random weighted means: every result gets a random
weight (a Dirichlet distribution, Rubin's Bayesian bootstrap of 1981), and the weights sum to 1. A
weighted mean is below a bound where a sum of gamma variables is negative; that probability is an
integral along a line through the saddle point, accurate to some twelve digits for any results.

One imaginary result, the worst possible, enters the lower ends and one, the best possible, the
upper ends, which guarantees their coverage for every number of results (Gaffke, 2005;
Learned-Miller and Thomas, 2019): for two kinds of results these are the ends of Clopper and
Pearson. A better result increases every weighted mean, so it never lowers an end or a likelihood.

The sequential probability ratio test is the generalised one (GSPRT) of fishtest and fastchess: each
hypothesis is taken at the distribution that fits both it and the results best.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from math import (
    atan2,
    copysign,
    cos,
    cosh,
    exp,
    inf,
    log,
    log1p,
    log10,
    pi,
    sinh,
    sqrt,
)
from statistics import NormalDist
from typing import Literal, Self, TypeAlias

from papan.core import InvalidSpecError, PapanError, WrongTypeError
from papan.core.analysis import finite
from papan.core.spec import build_from_spec
from papan.lab.statistics.intervals import CONFIDENCE, Interval

Shifts: TypeAlias = Sequence[tuple[float, int]]
"""For each kind of result: its distance above a bound, and its count."""
Ratios: TypeAlias = Sequence[tuple[float, float, int]]
"""For each kind of result: numerator, denominator (above 0) and count."""

STEP = 0.15
"""Step of the integration; its error is about exp(-pi^2 / step)."""
LEAST_PROBABILITY = 1e-300
"""Smallest probability that is distinguished from 0."""
QUANTILE_PRECISION = 1e-12
"""Precision of a quantile, in standard deviations."""


def negative(shifts: Shifts) -> float:
    """Return the probability, 0 to 1, that the randomly weighted mean of the shifts is below 0.

    *shifts* has, for each kind of result, its distance above a bound (in any unit) and its count;
    kinds with a count of 0 are ignored. 0.5 if all shifts are 0 or there is none.
    """
    apart = [(shift, count) for shift, count in shifts if shift and count]
    if all(shift > 0 for shift, _ in apart):
        return 0.0 if apart else 0.5
    if all(shift < 0 for shift, _ in apart):
        return 1.0
    if sum(shift * count for shift, count in apart) < 0:
        return 1 - _positive(apart)
    return _positive([(-shift, count) for shift, count in apart])


def quantile(ratios: Ratios, share: float) -> float:
    """Return the value below which a *share* of all random ratios of two weighted means lies.

    *ratios* has, for each kind of result, numerator, denominator (above 0) and count; some count
    must be above 0. Raise StatisticsError unless *share* is between 0 and 1.
    """
    seen = [each for each in ratios if each[2]]
    low, high = (choose(part / whole for part, whole, _ in seen) for choose in (min, max))
    parts, wholes = (sum(each[place] * each[2] for each in seen) for place in (0, 1))
    place = parts / wholes
    spread = sqrt(sum(n * (part - place * whole) ** 2 for part, whole, n in seen)) / wholes
    target = NormalDist().inv_cdf(share)
    before, short = place, target  # near the middle the normal distribution is close enough
    place += target * spread
    for _ in range(100):
        if not low < place < high:
            place = (low + high) / 2
        reached = negative([(part - place * whole, n) for part, whole, n in seen])
        missing = target - NormalDist().inv_cdf(
            min(max(reached, LEAST_PROBABILITY), 1 - QUANTILE_PRECISION)
        )
        if abs(missing) < QUANTILE_PRECISION or high - low <= QUANTILE_PRECISION * spread:
            break
        low, high = (place, high) if missing > 0 else (low, place)
        slope = (short - missing) / (place - before) if place != before else 1 / spread
        before, short = place, missing
        place = place + missing / slope if slope > 0 else low
    return place


def _positive(shifts: Shifts) -> float:
    """Return the probability, 0 to 1, that the randomly weighted mean of the shifts is above 0.

    Their own mean must be 0 or less (not checked). *shifts* is as in `negative`, without zeros, and
    has one above 0 and one below.
    """
    saddle = _saddle(shifts)
    curvature = 1 / saddle**2 + sum(
        count * (shift / (1 - shift * saddle)) ** 2 for shift, count in shifts
    )
    width, total, place = 1 / sqrt(curvature), 0.0, 0
    while True:
        across = width * sinh(place * STEP)
        size, angle = -log(saddle**2 + across**2) / 2, -atan2(across, saddle)
        for shift, count in shifts:
            real, imaginary = shift * saddle, shift * across
            size -= count * log1p(real * real - 2 * real + imaginary * imaginary) / 2
            angle += count * atan2(imaginary, 1 - real)
        term = exp(size) * width * cosh(place * STEP)
        total += term * cos(angle) if place else term / 2
        if term <= 1e-17 * abs(total) or term < LEAST_PROBABILITY:
            return min(max(total * STEP / pi, 0.0), 1.0)
        place += 1


def _saddle(shifts: Shifts) -> float:
    """Return the saddle point s, to 1 %, where product((1 - shift * s) ** -count) / s is smallest.

    It lies between 0 and 1 / the largest shift, which is above 0; *shifts* is as in `negative`.
    """
    low, high = 0.0, 1 / max(shift for shift, _ in shifts)
    while high - low > 0.01 * high:
        place = (low + high) / 2
        rises = place * sum(count * shift / (1 - shift * place) for shift, count in shifts) > 1
        low, high = (low, place) if rises else (place, high)
    return (low + high) / 2


Shares: TypeAlias = Sequence[tuple[float, float]]
"""For each score that a sample can have, 0 to 1, the lowest first: the score, and its share of the
samples.
"""


def moments(shares: Shares) -> tuple[float, float]:
    """Return mean and standard deviation of a distribution of scores.

    *shares* has each score (0 to 1) with its share; the shares sum to 1.
    """
    mean = sum(score * share for score, share in shares)
    return mean, sqrt(sum(share * (score - mean) ** 2 for score, share in shares))


def with_mean(seen: Shares, mean: float) -> Shares:
    """Return the most likely distribution with this *mean* (0 to 1), given *seen*.

    *seen* is the distribution of the results. Both have each score with its share; some score of
    *seen* must lie below *mean* and some above it: not checked.
    """
    return tilted(seen, lambda score: score - mean)


def with_lead(seen: Shares, lead: float) -> Shares:
    """Return the most likely distribution whose mean is *lead* standard deviations above 1/2.

    *seen* is the distribution of the results. Both have each score (0 to 1) with its share, the
    lowest first. The scores 0 and 1 must be among them, and all shares above 0: not checked. The
    excess of the mean over what the lead demands is a convex function of the shares: from a
    distribution that exceeds it, each tangent leads to another one that does, so none can fail.
    """
    if lead < 0:
        return _turned(with_lead(_turned(seen), -lead))
    fit = _leading(seen, lead)
    for _ in range(100):
        before, fit = fit, tilted(seen, tangent(*moments(fit), lead))
        if max(abs(old[1] - new[1]) for old, new in zip(before, fit)) < 1e-12:
            break
    return fit


def tangent(mean: float, sigma: float, lead: float) -> Callable[[float], float]:
    """Return a function of a score, 0 to 1, whose mean tells how far a distribution exceeds *lead*.

    *lead* is how many standard deviations the mean score is to lie above 1/2. The function's mean
    is that of score - 1/2, less *lead* times the deviation, replaced by its tangent at *mean* and
    *sigma* (above 0): mean and standard deviation of a distribution, as `moments` returns them. The
    tangent is never below the deviation: if *lead* is not negative, a distribution in which the
    function's mean is above 0 exceeds *lead*.
    """
    return lambda score: score - 0.5 - lead * halved_spread(mean, sigma, score)


def halved_spread(mean: float, sigma: float, score: float) -> float:
    """Return what a score adds to the standard deviation, linearised at *mean* and *sigma*.

    It is sigma * (1 + ((score - mean) / sigma) ** 2) / 2: its mean over the distribution with this
    *mean* and this standard deviation *sigma*, above 0, is *sigma* itself.
    """
    return sigma * (1 + ((score - mean) / sigma) ** 2) / 2


def tilted(seen: Shares, excess: Callable[[float], float]) -> Shares:
    """Return the most likely distribution in which the mean of *excess* is 0, given *seen*.

    *seen* is the distribution of the results. Both have each score with its share. *excess*, a
    function of a score, must be above 0 for one score of *seen* and below 0 for another: not
    checked.
    """
    excesses = [excess(score) for score, _ in seen]
    low, high = -1 / max(excesses), -1 / min(excesses)
    for _ in range(100):  # the sum falls from +inf to -inf between the two
        tilt = (low + high) / 2
        if sum(share * e / (1 + tilt * e) for (_, share), e in zip(seen, excesses)) > 0:
            low = tilt
        else:
            high = tilt
    return [(score, share / (1 + tilt * e)) for (score, share), e in zip(seen, excesses)]


def _leading(seen: Shares, lead: float) -> Shares:
    """Return the distribution *seen* with wins added until its mean exceeds the lead.

    That is: until the mean is more than *lead* standard deviations above 1/2. Nothing is added if
    it is so already. A win is the last score of *seen*, which must be 1: not checked.
    """
    mean, sigma = moments(seen)
    if mean - 0.5 > lead * sigma:
        return seen
    *others, (best, share) = [(score, share / 2) for score, share in seen]
    return _leading([*others, (best, share + 0.5)], lead)


def _turned(shares: Shares) -> Shares:
    """Return the distribution of the other player's scores: 1 - s for each score s, same shares."""
    return [(1 - score, share) for score, share in reversed(shares)]


def _outcomes(outcomes: Sequence[int]) -> list[int]:
    """Return *outcomes* as a list; raise PapanError for the first that is not 1, 0 or -1.

    Points (1, ½, 0) would else be counted as other results, or not at all.
    """
    games = list(outcomes)
    for outcome in games:
        if outcome not in (1, 0, -1):
            raise PapanError("elo.bad_outcome", outcome=repr(outcome))
    return games


MOST_RESULTS = 10**15
"""Largest count of one kind of result, far below where numbers overflow."""


@dataclass(frozen=True)
class ScoreTally:
    """Counts of results, worst first: losses, draws, wins; or pairs worth 0 to 4 half points.

    The two games of a pair share their opening and are not independent; counting pairs (a
    *pentanomial*) accounts for that, and gives smaller and truer intervals. Raises PapanError
    unless there are 3 or 5 counts, each from 0 to `MOST_RESULTS`, with at least one result.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        fine = all(0 <= count <= MOST_RESULTS for count in self.counts) and any(self.counts)
        if len(self.counts) not in (3, 5) or not fine:
            raise PapanError("elo.bad_counts")

    @classmethod
    def of_games(cls, outcomes: Sequence[int]) -> Self:
        """Return the tally of single games: 1, 0 or -1, as the player counted has won, drawn or
        lost.

        Raise PapanError if there is none, or one is no outcome, such as ½.
        """
        return cls(tuple(map(_outcomes(outcomes).count, (-1, 0, 1))))

    @classmethod
    def of_pairs(cls, outcomes: Sequence[int]) -> Self:
        """Return the tally of paired games: 1, 0 or -1, as the player counted has won, drawn or
        lost.

        The two games of a pair are adjacent. Raise PapanError for an odd number of games, if there
        is none, or if one is no outcome, such as ½.
        """
        games = _outcomes(outcomes)
        if len(games) % 2:
            raise PapanError("elo.odd_games", games=len(games))
        sums = [first + second for first, second in zip(games[::2], games[1::2], strict=True)]
        return cls(tuple(sums.count(total) for total in range(-2, 3)))

    @property
    def samples(self) -> int:
        """Number of independent results: pairs, or single games."""
        return sum(self.counts)

    @property
    def games_each(self) -> int:
        """Number of games in one sample: 2 if samples are pairs, else 1."""
        return len(self.counts) // 2

    @property
    def games(self) -> int:
        """Number of games: of pairs, two for each."""
        return self.samples * self.games_each

    @cached_property
    def shares(self) -> tuple[tuple[float, float], ...]:
        """Each score that a sample can have, 0 to 1, with its share of the samples."""
        last = len(self.counts) - 1
        return tuple((place / last, n / self.samples) for place, n in enumerate(self.counts))

    @property
    def score(self) -> float:
        """Mean score of a game, 0 to 1: a win counts 1, a draw 1/2."""
        return sum(score * share for score, share in self.shares)


NORMALISED = 800 / log(10)
"""Normalised Elo of a player whose mean score lies one standard deviation above 1/2."""


def elo_of(score: float) -> float:
    """Return the Elo difference at which *score* is expected: 400 * log10(score / (1 - score)).

    It is -infinity for 0 or less, and infinity for 1 or more.
    """
    if not 0 < score < 1:
        return -inf if score <= 0 else inf
    return 400 * log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """Return the expected score, 0 to 1, at an Elo difference: 1 / (1 + 10 ** (-elo / 400))."""
    return 1 / (1 + 10 ** (-elo / 400))


def score_interval(tally: ScoreTally, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean score of a game, 0 to 1, with its interval at *confidence* (0 to 1)."""
    return _score_interval(tally.counts, confidence)


def score_doubts(tally: ScoreTally, score: float = 0.5) -> tuple[float, float]:
    """Return the p-values of two hypotheses: that the true score is below *score*, or above it.

    A small first one is evidence for a true score above *score*, a small second one for one below.
    All are from 0 to 1. The ends of `score_interval` are where these are 2.5 %.
    """
    return _doubts(tally.counts, score)


def share_doubts(successes: int, trials: int, share: float) -> tuple[float, float]:
    """Return the p-values of two hypotheses: that the true share is below *share*, or above it.

    A small first one is evidence for a true share above *share*, a small second one for one below.
    They are of the exact binomial test, 0 to 1. *share* is between 0 and 1; *successes* are counted
    among the *trials*. Both are 1 without trials. Raise PapanError unless there are from 0 to
    *trials* successes.
    """
    _check_share(successes, trials)
    return _doubts((trials - successes, successes), share) if trials else (1.0, 1.0)


def _doubts(counts: tuple[int, ...], score: float) -> tuple[float, float]:
    """Return the p-values of `score_doubts` for *counts* of results, as `_scored` takes them.

    They are, 0 to 1, of the hypotheses that the true score is below *score*, and above it.
    """
    above = negative([(each - score, count) for each, count in _scored(_worse(counts))])
    best = _worse(counts[::-1])[::-1]
    below = negative([(score - each, count) for each, count in _scored(best)])
    return above, below


def share_interval(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the share of successes, 0 to 1, with the interval of Clopper and Pearson.

    *confidence* is between 0 and 1. Without trials the share is 0, and the interval [0, 1]. Raise
    PapanError unless there are from 0 to *trials* successes.
    """
    _check_share(successes, trials)
    if not trials:
        return Interval(0.0, 0.0, 1.0)
    return _score_interval((trials - successes, successes), confidence)


def _check_share(successes: int, trials: int) -> None:
    """Raise PapanError unless there are from 0 to *trials* successes."""
    if not 0 <= successes <= trials:
        raise PapanError("elo.bad_share", successes=successes, trials=trials)


def elo_difference(tally: ScoreTally, confidence: float = CONFIDENCE) -> Interval:
    """Return the Elo difference that a tally shows, with its interval.

    It is above 0 if the player whose wins are counted is ahead; infinite if all games were won, or
    all lost. Ends may be infinite in other cases, too. *confidence* is between 0 and 1.
    """
    score = score_interval(tally, confidence)
    return Interval(*map(elo_of, (score.value, score.low, score.high)))


def normalised_elo(tally: ScoreTally, confidence: float = CONFIDENCE) -> Interval:
    """Return the lead in standard deviations of a game, on a scale like Elo's, with its interval.

    It is 800 / ln 10 * (mean - 1/2) / sigma / sqrt(`games_each`), with mean and sigma of the
    samples' scores; *confidence* is between 0 and 1. If all samples have the same score, the value
    is 0 for 1/2, else infinite; ends may be infinite, too. It determines how many games it takes to
    prove the difference, however drawish the game is.
    """
    mean, sigma = moments(tally.shares)
    lead = (mean - 0.5) / sigma if sigma else copysign(inf, mean - 0.5) if mean != 0.5 else 0.0
    risk, scale = (1 - confidence) / 2, NORMALISED / sqrt(tally.games_each)
    low, high = _lowest_lead(tally.counts, risk), -_lowest_lead(tally.counts[::-1], risk)
    return Interval(scale * lead, scale * min(low, lead), scale * max(lead, high))


def superiority(tally: ScoreTally) -> float:
    """Return the probability (LOS), 0 to 1, that the player whose wins are counted is stronger."""
    below = [
        negative([(score - 0.5, count) for score, count in _scored(counts)])
        for counts in (_worse(tally.counts), _worse(tally.counts[::-1])[::-1])
    ]
    return 1 - sum(below) / 2


@lru_cache(maxsize=4096)
def _score_interval(counts: tuple[int, ...], confidence: float) -> Interval:
    """Return the mean score, 0 to 1, that *counts* of results show, with its interval; cached.

    *counts* are as `_scored` takes them; *confidence* is between 0 and 1.
    """
    risk = (1 - confidence) / 2
    value = sum(score * count for score, count in _scored(counts)) / sum(counts)
    return Interval(value, _lowest_score(counts, risk), 1 - _lowest_score(counts[::-1], risk))


def _lowest_score(counts: tuple[int, ...], risk: float) -> float:
    """Return the lower end of the interval of the mean score, 0 to 1, that *counts* show.

    *counts* of results are as `_scored` takes them. The mean is below the end with the probability
    *risk*, between 0 and 1.
    """
    return quantile([(score, 1.0, count) for score, count in _scored(_worse(counts))], risk)


@lru_cache(maxsize=4096)
def _lowest_lead(counts: tuple[int, ...], risk: float) -> float:
    """Return the lower end of the lead over a score of 1/2, in standard deviations of a sample.

    The lead is below it with the probability *risk* (0 to 1); *counts* are as in `ScoreTally`. It
    is -infinity where these allow no end, such as losses alone. The lead is not a weighted mean,
    but near the most likely distribution with this lead it is a ratio of two: what a score adds to
    the lead over 1/2, and to the standard deviation.
    """
    counted = [each for each in _scored(_worse(counts)) if each[1]]
    if len(counted) == 1:
        return -inf
    total = sum(count for _, count in counted)
    seen: Shares = [(score, count / total) for score, count in counted]
    fit, lead, before = seen, 0.0, inf
    for _ in range(50):
        mean, sigma = moments(fit)
        ratios = [(score - 0.5, halved_spread(mean, sigma, score), n) for score, n in counted]
        lead = quantile(ratios, risk)
        if abs(lead - before) < 1e-6 * (1 + abs(lead)):
            break
        excess = tangent(mean, sigma, lead)
        sides = [excess(score) for score, _ in seen]
        if not min(sides) < 0 < max(sides):
            return -inf  # losses alone, and too few to estimate their variance
        fit, before = tilted(seen, excess), lead
    return lead


def _worse(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return *counts*, as `_scored` takes them, with one more of the worst result, the first."""
    return counts[0] + 1, *counts[1:]


def _scored(counts: tuple[int, ...]) -> list[tuple[float, int]]:
    """Return each score that a sample can have, 0 to 1, with its count, the lowest first.

    *counts* has one number for each kind of result, the worst first, as in `ScoreTally`; two are
    failures and successes. The scores of the kinds are equally far apart.
    """
    last = len(counts) - 1
    return [(place / last, count) for place, count in enumerate(counts)]


SprtVerdict = Literal["H0", "H1", "continue"]

NEVER_SEEN = 1e-3
"""Count of a result that has not occurred yet, as it may still occur."""


LARGEST_ELO = 1000
"""Largest Elo difference of a hypothesis, in either direction."""


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two hypotheses about an Elo difference, with their error rates.

    Raises PapanError unless -`LARGEST_ELO` <= *elo0* < *elo1* <= `LARGEST_ELO`, and *alpha* and
    *beta* are above 0 and together below 1.
    """

    elo0: float = 0.0
    """The Elo difference of H0."""
    elo1: float = 5.0
    """The Elo difference of H1, above that of H0; both are from -1000 to 1000."""
    alpha: float = 0.05
    """Probability to accept H1 (the better one) although H0 is true."""
    beta: float = 0.05
    """Probability to accept H0 although H1 is true."""
    model: Literal["normalised", "logistic"] = "normalised"
    """Scale of both hypotheses; normalised Elo needs about as many games for every game."""

    def __post_init__(self) -> None:
        errors = 0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1
        if not (errors and -LARGEST_ELO <= self.elo0 < self.elo1 <= LARGEST_ELO):
            raise PapanError("elo.bad_sprt", most=LARGEST_ELO, **asdict(self))

    @property
    def bounds(self) -> tuple[float, float]:
        """Two natural log-likelihood ratios: at most the first accepts H0, at least the second
        H1.
        """
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, tally: ScoreTally) -> float:
        """Return the natural log-likelihood ratio (LLR) of H1 to H0: above 0 it favours H1.

        A kind of result that has not occurred counts as if it had occurred `NEVER_SEEN` times.
        """
        counts = [count or NEVER_SEEN for count in tally.counts]
        total, last = sum(counts), len(counts) - 1
        seen = [(place / last, count / total) for place, count in enumerate(counts)]
        if self.model == "logistic":
            fits = [with_mean(seen, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        else:
            scale = sqrt(tally.games_each) / NORMALISED
            fits = [with_lead(seen, elo * scale) for elo in (self.elo0, self.elo1)]
        worse, better = ([share for _, share in fit] for fit in fits)
        return sum(count * log(b / w) for count, w, b in zip(counts, worse, better))

    def verdict(self, tally: ScoreTally) -> SprtVerdict:
        """Return the accepted hypothesis, ``H0`` or ``H1``, or ``continue`` if neither is accepted
        yet.
        """
        low, high = self.bounds
        ratio = self.ratio(tally)
        return "H0" if ratio <= low else "H1" if ratio >= high else "continue"


@dataclass(frozen=True)
class IntervalFacts:
    """A value with its 95 % interval as JSON data; a number that is infinite is None (null)."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class TallyFacts:
    """Statistics of a tally as JSON data: games, mean score 0 to 1, Elo, likelihood of
    superiority.
    """

    games: int
    """Number of games, not of pairs."""
    score: float
    """Mean score of a game, 0 to 1."""
    elo: IntervalFacts
    """Elo difference: what `elo_difference` returns."""
    normalised_elo: IntervalFacts
    """Lead in standard deviations of a game, on a scale like Elo's."""
    los: float
    """Likelihood of superiority, 0 to 1."""


def read_sprt(given: Sprt | str | None) -> Sprt | None:
    """Return the test that a text such as ``elo0=0 elo1=5`` describes.

    The text has fields of `Sprt` by name, one at least, separated by spaces or commas; others keep
    their defaults. A test or None is returned as it is. Raise InvalidSpecError for another text,
    PapanError for values out of range, WrongTypeError for an argument of another type.
    """
    if given is None or isinstance(given, Sprt):
        return given
    if not isinstance(given, str):
        raise WrongTypeError("elo.takes_sprt", given=repr(given)[:80])
    words = re.findall(r"[^\s,]+", given)
    if not words or not all("=" in word for word in words):  # an empty text would be a test, too
        raise InvalidSpecError("elo.takes_sprt", given=repr(given)[:80])
    return build_from_spec("sprt:" + ",".join(words), {"sprt": Sprt})


@dataclass(frozen=True)
class SprtFacts:
    """State of a sequential test as JSON data: log-likelihood ratio, its bounds, verdict."""

    llr: float
    """Log-likelihood ratio, natural: above 0 the results speak for H1."""
    bounds: tuple[float, float]
    """Ratios at which H0 and H1 are accepted."""
    verdict: str
    """``H0``, ``H1`` or ``continue``."""


def tally_facts(tally: ScoreTally) -> TallyFacts:
    """Return the statistics of a tally as JSON data."""
    return TallyFacts(
        tally.games,
        tally.score,
        interval_facts(elo_difference(tally)),
        interval_facts(normalised_elo(tally)),
        superiority(tally),
    )


def interval_facts(interval: Interval) -> IntervalFacts:
    """Return an interval as JSON data; infinite numbers become None."""
    return IntervalFacts(*map(finite, (interval.value, interval.low, interval.high)))


def sprt_facts(test: Sprt, tally: ScoreTally) -> SprtFacts:
    """Return the state of *test* after the results in *tally*, as JSON data."""
    return SprtFacts(test.ratio(tally), test.bounds, test.verdict(tally))
