"""Tournaments: the same end and the same table, whoever is quicker and whatever is interrupted."""

from dataclasses import replace
from itertools import islice

import pytest

from papan.core.record import Record
from papan.lab.match import MatchGame
from papan.lab.statistics.elo import Sprt, elo_difference
from papan.lab.tournament.plan import MOST_GAMES, Stopping, TournamentPlan
from papan.lab.tournament.report import (
    ratings,
    tournament_csv,
    tournament_facts,
    tournament_table,
)
from papan.lab.tournament.standings import (
    Score,
    Standings,
    TournamentEnd,
    TournamentState,
    cross_table,
    due,
    enough,
    repetitions,
)

from .games import made_up_executor, made_up_game, made_up_games

TWO, FOUR = ("a", "b"), ("a", "b", "c", "d")

PLANS = [
    TournamentPlan("tictactoe", FOUR, pairs=7),
    TournamentPlan("tictactoe", TWO, pairs=5000, stopping=Stopping(Sprt(0, 50))),
    TournamentPlan("tictactoe", FOUR, pairs=5000, stopping=Stopping(error=40)),
    TournamentPlan("tictactoe", FOUR, pairs=5000, gauntlet=True, stopping=Stopping(error=60)),
]


def played(plan: TournamentPlan, width: int, stops: int = 0) -> TournamentState:
    """The plan played to its end, with so many games at a time, left after every *stops* games."""
    state = TournamentState(plan)
    while not state.ending:
        kept = dict(state.games)
        games = state.play(made_up_executor(width), kept.__setitem__, "")
        for _ in islice(games, stops or None):
            pass
        state = TournamentState(plan, kept)
    return state


@pytest.mark.thorough
@pytest.mark.parametrize("plan", PLANS)
def test_the_table_does_not_depend_on_width_or_interruptions(plan: TournamentPlan) -> None:
    one = played(plan, 1)
    for other in (played(plan, 7), played(plan, 3, stops=61)):
        assert other.ending == one.ending
        assert other.rounds == one.rounds
        assert other.standings == one.standings


def test_reasons_for_the_end_are_told() -> None:
    reasons = [state.ending.reason for plan in PLANS if (state := played(plan, 4)).ending]
    assert reasons == ["all", "H1", "error", "error"]


@pytest.mark.parametrize("agents", [TWO, FOUR])
def test_v05_12_an_error_ends_nothing_before_eight_rounds(agents: tuple[str, ...]) -> None:
    plan = TournamentPlan("tictactoe", agents, pairs=50, stopping=Stopping(error=10_000))
    state = played(plan, 4)
    assert state.ending
    assert (state.ending.reason, state.rounds) == ("error", 8)


@pytest.mark.thorough
def test_games_beyond_the_end_do_not_count() -> None:
    plan = PLANS[1]
    state = TournamentState(plan, made_up_games(plan))
    assert state.rounds < plan.pairs
    assert len(state.standings.games) == 2 * state.rounds
    assert state.standings == played(plan, 1).standings


def test_the_table_writes_numbers_as_its_language_does() -> None:
    standings = played(PLANS[0], 4).standings
    english, indonesian = (str(cross_table(standings, language)[1]) for language in ("en", "id"))
    assert ".5/42" in english
    assert ",5/42" in indonesian
    assert ".5/42" not in indonesian


def test_nothing_is_left_to_play_after_the_end() -> None:
    state = played(PLANS[1], 1)
    assert state.left == 0
    assert list(state.play(made_up_executor(1), lambda number, game: None, "")) == []


def test_half_a_pair_waits_for_its_other_half() -> None:
    plan = TournamentPlan("tictactoe", TWO, pairs=3)
    games = {number: made_up_game(plan, number) for number in (0, 2, 3)}
    state = TournamentState(plan, games)
    assert state.rounds == 0
    assert [game.seating for game in state.standings.games] == [(0, 1), (1, 0)]
    assert state.standings.total(0).games == 2


def test_the_largest_plan_is_begun_at_once() -> None:
    plan = TournamentPlan("tictactoe", TWO, pairs=MOST_GAMES // 2)
    state = TournamentState(plan, {0: made_up_game(plan, 0), 1: made_up_game(plan, 1)})
    assert state.standings.total(0).games == 2


def test_rules_are_looked_at_after_each_round_first_and_ever_more_seldom() -> None:
    looks = [rounds for rounds in range(1, 10_001) if due(rounds)]
    assert looks[:63] == list(range(1, 64))
    assert len(looks) < 400


def record(end: str, winner: int | None = None, blame: int | None = None) -> Record:
    scores = (0, 0) if winner is None else (1, 0) if winner == 0 else (0, 1)
    facts = {"game": "tictactoe:3,3,3", "start": "", "agents": TWO, "moves": "", "scores": scores}
    return Record(**facts, end=end, blame=blame)  # type: ignore[arg-type]


def test_a_table_adds_up_wins_draws_losses_and_forfeits() -> None:
    plan = TournamentPlan("tictactoe", TWO, pairs=2)
    games = [
        MatchGame((0, 1), record("win", winner=0)),
        MatchGame((1, 0), record("draw")),
        MatchGame((0, 1), record("crash", blame=1)),
        MatchGame((1, 0), record("timeout", blame=1)),
    ]
    standings = Standings.of(plan, dict(enumerate(games)), 2)
    assert standings.met(0, 1) == [1, 0, -1, 1]
    assert standings.total(0) == Score(2, 1, 1)
    assert standings.total(1) == Score(1, 1, 2)
    assert standings.score(1, 0) == standings.total(1)
    assert standings.tally(0, 1).counts == (0, 0, 1, 1, 0)
    assert standings.forfeits(0) == {"crash": 1}
    assert standings.forfeits(1) == {"timeout": 1}
    assert standings.endings() == {"win": 1, "draw": 1, "crash": 1, "timeout": 1}
    assert standings.order() == [0, 1]


def test_a_puzzle_compares_what_each_has_reached_on_the_same_board() -> None:
    def alone(place: int, points: float, end: str) -> MatchGame:
        facts = {"game": "onet", "start": "", "agents": ("a",), "moves": "", "scores": (points,)}
        return MatchGame((place,), Record(**facts, end=end))  # type: ignore[arg-type]

    plan = TournamentPlan("onet", ("a", "b", "c"), seats=1, pairs=1)
    games = [alone(0, 12, "cleared"), alone(1, 8, "stuck"), alone(2, 12, "cleared")]
    standings = Standings.of(plan, dict(enumerate(games)), 1)
    assert [standings.met(*pairing) for pairing in plan.pairings] == [[1], [0], [-1]]
    assert standings.tally(0, 1).counts == (0, 0, 1)
    assert len(standings.games) == 3


def test_an_agent_that_has_not_played_yet_comes_last() -> None:
    plan = TournamentPlan("tictactoe", ("z", "b", "a"), pairs=1, gauntlet=True)
    games = {number: made_up_game(plan, number) for number in (0, 1)}
    assert Standings.of(plan, games, 1).order()[-1] == 2
    assert Standings.of(plan, {}, 1).order() == [0, 1, 2]


def test_y7_equals_stand_in_the_order_of_the_plan() -> None:
    plan = TournamentPlan("tictactoe", FOUR, pairs=1)
    games = {number: MatchGame(each, record("draw")) for number, each in enumerate(plan.seatings)}
    standings = Standings.of(plan, games, 1)
    assert standings.order() == [0, 1, 2, 3]
    assert [row[1] for row in cross_table(standings, "en")[1]] == [*FOUR]


def test_y7_of_two_each_has_half_of_the_difference_and_of_its_interval() -> None:
    plan = TournamentPlan("tictactoe", TWO, pairs=6)
    won = [("win", 0), ("win", 1), ("win", 0), ("draw", None)] * 3
    games = [
        MatchGame((0, 1) if number % 2 == 0 else (1, 0), record(end, winner))
        for number, (end, winner) in enumerate(won)
    ]
    standings = Standings.of(plan, dict(enumerate(games)), 6)
    lead = elo_difference(standings.tally(0, 1))
    first, second = standings.rating(0), standings.rating(1)
    assert lead.low < lead.value < lead.high
    assert (first.low, first.high) == (lead.low / 2, lead.high / 2)
    assert (second.low, second.high) == pytest.approx((-lead.high / 2, -lead.low / 2))
    assert first.value == -second.value == pytest.approx(lead.value / 2, rel=0.01)


def test_y7_repetitions_are_told_only_where_there_are_some() -> None:
    plan = TournamentPlan("tictactoe", TWO, pairs=2)

    def game(number: int, moves: str) -> MatchGame:
        return MatchGame(
            (0, 1) if number % 2 == 0 else (1, 0), replace(record("draw"), moves=moves)
        )

    different = {number: game(number, f"a{number // 2 + 1}") for number in range(4)}
    assert repetitions(Standings.of(plan, different, 2)) == ""
    repeated = {number: game(number, "a1") for number in range(4)}
    assert repetitions(Standings.of(plan, repeated, 2)) == "1/2"


def test_y7_the_error_of_many_is_that_of_the_least_certain() -> None:
    plan = TournamentPlan("tictactoe", ("a", "b", "c"), pairs=20, gauntlet=True)
    standings = Standings.of(plan, made_up_games(plan), 20)
    errors = [standings.rating(agent).error for agent in range(3)]
    assert max(errors) > min(errors)
    assert standings.error == max(errors)


# Y7: a small tournament, counted by hand

BY_HAND = [  # seating, winner's seat or None, end, blame
    ((0, 1), 0, "win", None),
    ((1, 0), 0, "win", None),
    ((0, 2), None, "draw", None),
    ((2, 0), 1, "crash", 1),
    ((1, 2), 1, "timeout", 1),
    ((2, 1), None, "draw", None),
]
"""One round of three: a and b share their pair, a beats c by 1.5, c beats b by 1.5."""


@pytest.fixture
def by_hand() -> TournamentState:
    plan = TournamentPlan("tictactoe", ("a", "b", "c"), pairs=2, seed=9)
    games = {
        number: MatchGame(seating, replace(record(end, winner, blame), adjudicated=adjudicated))
        for number, (seating, winner, end, blame) in enumerate(BY_HAND)
        for adjudicated in (0 if number == 2 else None,)
    }
    return TournamentState(plan, games)


def test_y7_a_draw_is_half_a_point() -> None:
    assert Score(2, 1, 4).points == 2.5
    assert Score(2, 1, 4).games == 7
    assert str(Score(2, 1, 4)) == "+2 =1 \u22124"


def test_y7_what_is_left_and_what_is_over_is_counted_in_games(by_hand: TournamentState) -> None:
    assert (by_hand.rounds, by_hand.left, by_hand.ending) == (1, 6, None)
    progress = by_hand.progress(5)
    assert (progress.done, progress.total) == (6, 12)


def test_y7_the_facts_of_a_tournament_are_those_of_its_games(by_hand: TournamentState) -> None:
    facts = tournament_facts(by_hand)
    assert (facts.game, facts.seed, facts.planned, facts.games) == ("tictactoe", 9, 12, 6)
    assert (facts.ending, facts.sprt, facts.adjudicated) == (None, None, 1)
    assert facts.endings == {"win": 2, "draw": 2, "crash": 1, "timeout": 1}
    assert [
        (each.agent, each.points, each.games, each.forfeits, each.seats) for each in facts.agents
    ] == [
        ("a", 2.5, 4, {}, [Score(1, 1, 0), Score(1, 0, 1)]),
        ("c", 2, 4, {"crash": 1}, [Score(0, 1, 1), Score(1, 1, 0)]),
        ("b", 1.5, 4, {"timeout": 1}, [Score(1, 0, 1), Score(0, 1, 1)]),
    ]
    met = {(each.first, each.second): each for each in facts.encounters}
    assert {names: each.pentanomial for names, each in met.items()} == {
        ("a", "b"): [0, 0, 1, 0, 0],
        ("a", "c"): [0, 0, 0, 1, 0],
        ("b", "c"): [0, 1, 0, 0, 0],
    }
    pair = met["b", "c"]
    assert (pair.wins, pair.draws, pair.losses, pair.games) == (0, 1, 1, 2)
    assert (pair.score, pair.distinct) == (0.25, 1)
    assert pair.elo.value is not None and pair.elo.value < 0 < pair.los < 0.5


def test_y7_a_row_of_csv_is_that_of_its_agent(by_hand: TournamentState) -> None:
    head, *rows = (line.split(",") for line in tournament_csv(by_hand).splitlines())
    assert head[5:] == ["points", "wins", "draws", "losses", "forfeits", "vs a", "vs c", "vs b"]
    assert [[row[0], *row[4:]] for row in rows] == [
        ["a", "4", "2.5", "2", "1", "1", "0", "", "1.5", "1.0"],
        ["c", "4", "2.0", "1", "2", "1", "1", "0.5", "", "1.5"],
        ["b", "4", "1.5", "1", "1", "2", "1", "1.0", "0.5", ""],
    ]
    for _, elo, low, high, *_ in rows:
        assert float(low) < float(elo) < float(high)


def test_y7_a_row_of_the_table_is_that_of_its_agent(by_hand: TournamentState) -> None:
    rows = tournament_table(by_hand).rows
    assert [(row[0], *row[2:]) for row in rows] == [
        ("a", 2.5, 2, 1, 1, 0),
        ("c", 2, 1, 2, 1, 1),
        ("b", 1.5, 1, 1, 2, 1),
    ]


def test_y7_the_cross_table_of_more_than_two_says_how_each_met_each(
    by_hand: TournamentState,
) -> None:
    heads, rows = cross_table(by_hand.standings, "en")
    usual = ["#", "agent", "Elo", "points", "won", "drawn", "lost", "forfeits"]
    assert heads == [*usual, "1", "2", "3"]
    assert [[*row[:2], *row[3:7], *row[-3:]] for row in rows] == [
        ["1", "a", "2.5/4", "2", "1", "1", "\u00b7", "+1 =1 \u22120", "+1 =0 \u22121"],
        ["2", "c", "2/4", "1", "2", "1", "+0 =1 \u22121", "\u00b7", "+1 =1 \u22120"],
        ["3", "b", "1.5/4", "1", "1", "2", "+1 =0 \u22121", "+0 =1 \u22121", "\u00b7"],
    ]
    assert [row[7] for row in rows] == ["0", "crash 1", "out of time 1"]


def test_y7_two_need_no_cross_table_and_games_for_one_have_no_pairs() -> None:
    plan = TournamentPlan("tictactoe", TWO, pairs=1)
    games = {0: MatchGame((0, 1), record("win", 0)), 1: MatchGame((1, 0), record("draw"))}
    heads, rows = cross_table(Standings.of(plan, games, 1), "en")
    assert len(heads) == len(rows[0]) == 8
    alone = TournamentPlan("onet", TWO, seats=1, pairs=1)
    boards = {place: MatchGame((place,), alone_on_a_board(12 - place)) for place in (0, 1)}
    facts = tournament_facts(TournamentState(alone, boards))
    assert [each.seats for each in facts.agents] == [[], []]
    assert [each.pentanomial for each in facts.encounters] == [None]
    assert [(each.wins, each.games) for each in facts.encounters] == [(1, 1)]
    assert facts.ending == "all"


def alone_on_a_board(points: float) -> Record:
    facts = {"game": "onet", "start": "", "agents": ("a",), "moves": "", "scores": (points,)}
    return Record(**facts, end="stuck")  # type: ignore[arg-type]


def test_y7_who_has_not_played_has_no_bar_and_no_elo() -> None:
    plan = TournamentPlan("tictactoe", ("a", "b", "c"), pairs=1)
    games = {0: MatchGame((0, 1), record("win", 0)), 1: MatchGame((1, 0), record("draw"))}
    state = TournamentState(plan, games)
    assert ratings(state.standings).categories == ("a", "b")
    facts = tournament_facts(state)
    assert [each.elo is None for each in facts.agents] == [False, False, True]
    assert [row[2] for row in facts.superiority] == [None] * 3
    assert tournament_csv(state).splitlines()[-1] == "c,,,,0,0.0,0,0,0,0,,,"


def test_y7_an_error_that_is_just_reached_ends_a_tournament() -> None:
    plan = TournamentPlan("tictactoe", TWO, pairs=20)
    standings = Standings.of(plan, made_up_games(plan), 20)
    assert enough(Stopping(error=standings.error), standings, 20) == TournamentEnd("error")
    assert enough(Stopping(error=standings.error * 0.999), standings, 20) is None
    assert enough(Stopping(), standings, 20) is None


def test_y7_pairs_are_repeated_only_by_the_two_who_played_them() -> None:
    plan = TournamentPlan("tictactoe", ("a", "b", "c"), pairs=2)
    moves = "ab" + "cd" + "ef" + "ab" + "cg" + "eh"
    games = {
        number: MatchGame(plan.seating(number), replace(record("draw"), moves=moves[number]))
        for number in range(12)
    }
    standings = Standings.of(plan, games, 2)
    assert [standings.distinct(*each) for each in plan.pairings] == [1, 2, 2]
    assert [standings.pairs(*each) for each in plan.pairings] == [2, 2, 2]
    assert repetitions(standings) == "a - b 1/2"
