"""Measures: known values from the books, and honesty at the ends."""

import random
from itertools import combinations_with_replacement
from math import factorial, inf, prod

import pytest

from papan.core.message import Message
from papan.lab.results import Evidence, Finding, Measure, cell_text, counted, with_verdicts
from papan.lab.statistics.elo import ScoreTally as Counts
from papan.lab.statistics.elo import score_doubts
from papan.papers.experiment import (
    MatchTally,
    games_from_start,
    mean,
    middle,
    points,
    pooled,
    share,
    together,
)


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
    assert cell_text(middle([0.002, 0.003, 0.004]), "en") == "3 ms (too few for a 95% interval)"
    assert (
        cell_text(middle([0.002, 0.003, 0.004]), "id") == "3 ms (terlalu sedikit untuk selang 95%)"
    )


def test_the_two_games_of_a_pair_are_one_result() -> None:
    pairs = MatchTally([(0, 1, 1, 0), (1, -1, 0, 1)] * 10)  # whoever begins wins
    alone = pairs.on_seat(0)
    assert (pairs.points.value, alone.points.value) == (0.5, 1.0)
    assert pairs.points == points(Counts((0, 0, 10, 0, 0)))
    assert alone.points == points(Counts((0, 0, 10)))
    assert MatchTally([]).points == Measure(0.0, 0.0, 1.0, "share")


def test_the_mean_of_equal_numbers_is_sure() -> None:
    assert mean([2.0, 2.0, 2.0]) == Measure(2.0, 2.0, 2.0)


def test_the_interval_of_a_median_holds_it_nineteen_times_in_twenty() -> None:
    rng = random.Random(1)
    found = [middle([rng.random() for _ in range(31)]) for _ in range(400)]
    held = sum((each.low or 0) <= 0.5 <= (each.high or 0) for each in found)
    assert 370 <= held <= 396


def line(evidence: Evidence) -> Finding:
    return Finding(Message("lab.points"), None, evidence=evidence)


def test_m10_the_surest_of_many_lines_must_be_so_many_times_as_sure() -> None:
    """Holm's own example has the levels 0.01, 0.02, 0.03 and 0.04 or so; here p is half of them."""
    found = with_verdicts(line(Evidence("share", 9, p / 2, 1.0)) for p in (0.01, 0.04, 0.03, 0.005))
    assert [each.agrees for each in found] == ["yes", "open", "open", "yes"]
    assert [cell_text(each.basis, "en").partition("p ")[2] for each in found] == [
        "= 3%",
        "= 6%",
        "= 6%",
        "= 2%",
    ]


def test_m10_a_line_alone_is_judged_by_itself_and_a_count_by_nobody() -> None:
    alone = line(Evidence("share", 9, 1.0, 0.02))
    (judged_alone,) = with_verdicts([alone])
    assert judged_alone.agrees == "no"
    with_count = with_verdicts([counted(Message("lab.points"), 1, 1, True), alone])
    assert [each.agrees for each in with_count] == ["yes", "no"]
    assert cell_text(with_count[0].basis, "en") == "counted: no chance in it"
    assert cell_text(with_count[1].basis, "id") == "disampel: uji binomial eksak, kasus: 9, p = 4%"


def test_m10_four_wins_of_four_decide_nothing() -> None:
    """Between equals that happens once in eight times."""
    pairs = MatchTally([(0, 1, 1, 0), (1, 1, 1, 0)] * 4)
    (found,) = with_verdicts([line(pairs.ahead())])
    assert (found.agrees, pairs.ahead().observations) == ("open", 4)
    (found,) = with_verdicts([line(MatchTally([(0, 1, 1, 0), (1, 1, 1, 0)] * 6).ahead())])
    assert found.agrees == "yes"
    (found,) = with_verdicts([line(MatchTally([(0, -1, 0, 1), (1, -1, 0, 1)] * 6).ahead())])
    assert found.agrees == "no"
    assert with_verdicts([line(MatchTally([]).ahead())])[0].agrees == "open"


@pytest.mark.parametrize("pairs", [3, 6])
@pytest.mark.parametrize("truth", [(0.3, 0.05, 0.3, 0.05, 0.3), (0, 0.4, 0.3, 0.2, 0.1)])
def test_m10_between_equals_there_is_a_verdict_once_in_twenty_times(
    pairs: int, truth: tuple[float, ...]
) -> None:
    """Every tally of so few pairs, each as likely as it is; the second kind is lopsided."""
    wrong = 0.0
    for kinds in combinations_with_replacement(range(5), pairs):
        counts = tuple(map(kinds.count, range(5)))
        ways = factorial(pairs) / prod(map(factorial, counts))
        likely = ways * prod(share**count for share, count in zip(truth, counts))
        evidence = Evidence("pairs", pairs, *score_doubts(Counts(counts)))
        wrong += likely * (with_verdicts([line(evidence)])[0].agrees != "open")
    assert wrong <= 0.05


def test_a_verdict_and_its_interval_never_contradict_each_other() -> None:
    """A line alone is decided where its 95 % interval lies on one side of one half."""
    for kinds in combinations_with_replacement(range(5), 5):
        tally = Counts(tuple(map(kinds.count, range(5))))
        found = points(tally)
        assert found.low is not None
        assert found.high is not None
        side = "yes" if found.low > 0.5 else "no" if found.high < 0.5 else "open"
        evidence = Evidence("pairs", 5, *score_doubts(tally))
        assert with_verdicts([line(evidence)])[0].agrees == side, tally


def test_q5_no_difference_worth_mentioning_is_a_finding() -> None:
    """500 pairs that share the points: not undecided but no, by a test of equivalence."""
    alike = MatchTally([(0, 1, 1, 0), (1, -1, 0, 1)] * 500)
    (found,) = with_verdicts([alike.line(Message("lab.points"), None, alike=True)])
    assert found.agrees == "no"
    assert found.basis is not None and found.basis.key == "lab.by_alike"
    few = MatchTally([(0, 1, 1, 0), (1, -1, 0, 1)] * 5)
    assert with_verdicts([few.line(Message("lab.points"), None, alike=True)])[0].agrees == "open"
    better = MatchTally([(0, 1, 1, 0), (1, 0, 1, 1)] * 200)
    assert with_verdicts([better.line(Message("lab.points"), None, alike=True)])[0].agrees == "yes"
    worse = MatchTally([(0, 1, 0, 1), (1, 1, 0, 1)] * 200).turned()
    assert with_verdicts([worse.line(Message("lab.points"), None, alike=True)])[0].agrees == "no"


def test_m10_what_is_pooled_weighs_the_same() -> None:
    few, many = (
        MatchTally([(0, 1, 1, 0), (1, 1, 1, 0)]),
        MatchTally([(0, -1, 0, 1), (1, -1, 0, 1)] * 9),
    )
    assert together([few, many]).counts == (2, 0, 2)


def test_m10_the_plies_of_one_game_are_not_independent() -> None:
    """Ten games in which everything is missed, ten in which nothing is: as two groups of twenty."""
    games = [[10, 10]] * 10 + [[10, 0]] * 10
    found, alone = pooled([(chances, missed) for chances, missed in games]), share(100, 200)
    assert found.value == alone.value == 0.5
    assert found.low is not None
    assert alone.low is not None
    assert found.low < 0.3 < 0.4 < alone.low
    assert pooled([(3, 1)] * 5).low == -inf, "five games are too few"
    assert pooled([]) == Measure(0.0, 0.0, 1.0, "share")


def test_y7_turned_round_a_game_has_the_other_seat_result_and_scores() -> None:
    turned = MatchTally([(0, 1, 5, 2), (1, -1, 3, 4), (1, 0, 1, 1)]).turned()
    assert turned.outcomes == [(1, -1, 2, 5), (0, 1, 4, 3), (0, 0, 1, 1)]


def test_y7_each_game_from_the_start_is_played_with_a_seed_of_its_own() -> None:
    games = [games_from_start("random", "random", "tictactoe", seed, 1)[0] for seed in range(3, 9)]
    assert games_from_start("random", "random", "tictactoe", 3, 6) == games
    assert len(set(games)) > 1
