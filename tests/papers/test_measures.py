"""Measures: known values from the books, and honesty at the ends."""

import random
from itertools import combinations_with_replacement
from math import factorial, inf, prod

import pytest

from papan import catalog
from papan.core.message import Message
from papan.lab.results import Evidence, Finding, Measure, cell_text, counted, with_verdicts
from papan.lab.statistics.elo import ScoreTally as Counts
from papan.lab.statistics.elo import score_doubts
from papan.papers.adjacency import by_interval
from papan.papers.experiment import (
    MATCH,
    MatchTally,
    Pairing,
    _image,
    all_of,
    games_from_start,
    match_row,
    mean,
    middle,
    paper_agent,
    play_pairs,
    points,
    pooled,
    share,
    share_above,
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


def test_y7_a_match_is_counted_for_its_first_agent() -> None:
    tally = MatchTally([(0, 1, 5, 2), (1, -1, 3, 4), (0, 0, 1, 1), (1, 1, 6, 0)])
    assert tally.counts == (2, 1, 1)
    assert tally.points.value == pytest.approx(5 / 8)
    assert (tally.margin.value, tally.margin.form) == (2, "number")
    assert [each.value for each in tally.scores] == [3.75, 1.75]
    assert tally.on_seat(0).counts == (1, 1, 0) and tally.on_seat(1).counts == (1, 0, 1)
    row = match_row("a", "b", tally)
    assert row == ("a", "b", 4, 2, 1, 1, tally.points, tally.margin)
    assert len(row) == len(MATCH)
    none = MatchTally([])
    assert (none.points, none.counts) == (Measure(0.0, 0.0, 1.0, "share"), (0, 0, 0))
    assert none.ahead() == Evidence("games", 0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("seats", "method", "observations"),
    [
        ((0, 1, 0, 1), "pairs", 2),
        ((0, 1, 1, 0), "pairs", 2),
        ((0, 0, 1, 1), "games", 4),
        ((0, 1, 0), "games", 3),
        ((0, 0), "games", 2),
    ],
)
def test_y7_games_with_changing_seats_are_pairs(
    seats: tuple[int, ...], method: str, observations: int
) -> None:
    evidence = MatchTally([(seat, 1, 1, 0) for seat in seats]).ahead()
    assert (evidence.method, evidence.observations) == (method, observations)
    assert evidence.if_wrong < 0.5 < evidence.if_right


def test_y7_games_from_the_start_give_the_first_agent_the_first_seat() -> None:
    (game,) = games_from_start("alphabeta", "hillclimb", "tictactoe:3,3,3 xx./oo./... x", 0, 1)
    assert game == (0, 1, 1, 0)
    (game,) = games_from_start("hillclimb", "alphabeta", "tictactoe:3,3,3 xx./oo./..x o", 0, 1)
    assert game == (0, -1, 0, 1)


def test_y7_each_agent_of_a_pairing_has_both_seats_in_each_pair() -> None:
    games = play_pairs(Pairing("alphabeta:depth=1", "random", "connect4:4,4", 2), 5, 2)
    assert [seat for seat, *_ in games] == [0, 1, 0, 1]
    assert games == play_pairs(Pairing("alphabeta:depth=1", "random", "connect4:4,4", 2), 5, 2)
    later = play_pairs(Pairing("alphabeta:depth=1", "random", "connect4:4,4", 2), 6, 1)
    assert games[2:] == later, "the second pair is that of the next seed"
    for _, result, mine, theirs in games:
        assert result == (mine > theirs) - (mine < theirs)


def test_y7_a_claim_about_a_share_is_tested_against_its_bound() -> None:
    line_above = share_above(Finding(Message("lab.points"), None), 9, 10, 0.6)
    assert line_above.evidence is not None and line_above.rule is not None
    ways = [factorial(10) // factorial(n) // factorial(10 - n) for n in range(11)]
    if_wrong = sum(ways[n] * 0.6**n * 0.4 ** (10 - n) for n in (9, 10))
    if_right = sum(ways[n] * 0.6**n * 0.4 ** (10 - n) for n in range(10))
    assert line_above.evidence.observations == 10
    assert line_above.evidence.if_wrong == pytest.approx(if_wrong)
    assert line_above.evidence.if_right == pytest.approx(if_right)
    assert line_above.rule.values["least"] == Measure(0.6, form="share")
    assert [all_of(Message("lab.points"), 1, n, 4).agrees for n in (4, 3)] == ["yes", "no"]


def test_y7_the_eight_images_of_a_square_board_have_one_name_and_others_another() -> None:
    images = ("x../.o./...", "..x/.o./...", ".../.o./x..", ".../.o./..x")
    others = ("x../o../...", ".x./.o./...", "o../.x./...")
    names = {_image(catalog.position(f"tictactoe:3,3,3 {each} x")) for each in images}
    assert len(names) == 1
    assert not names & {_image(catalog.position(f"tictactoe:3,3,3 {each} x")) for each in others}
    found = paper_agent("symmetric").analyse(catalog.position("tictactoe:3,3,3 xx./oo./... x"))
    assert (found.proved.low, found.move) == (1, 2)
    assert not paper_agent("symmetric").plays(catalog.game("tictactoe:3,4,3"))
    assert not paper_agent("perfect").plays(catalog.game("adjacency:9,9,10"))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.5, 0.6, "open"), (0.4, 0.5, "open"), (0.51, 0.6, "no"), (0.3, 0.49, "no")],
)
def test_a_printed_mean_is_refuted_by_an_interval_without_it(
    low: float, high: float, verdict: str
) -> None:
    ours = Measure(0.45, low, high, "share")
    found = by_interval(Message("lab.points"), Measure(0.5, form="share"), ours, 9)
    assert (found.agrees, found.ours) == (verdict, ours)
    assert found.basis == Message("lab.by_interval", {"count": 9})
