"""What the functions of the library plan and pass on, and where their numbers end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import papan
from papan import api
from papan.agents.alphabeta import AlphaBeta
from papan.core import (
    Analysis,
    Guess,
    InvalidSpecError,
    Limit,
    Message,
    PapanError,
    Position,
    Proved,
)
from papan.core.thinking import never
from papan.lab.match import Match
from papan.lab.strength import Strengths
from papan.lab.tournament.plan import BotGuard, Stopping, TournamentPlan
from tests.agents.definition import Pebbles

BOUNDS: list[tuple[dict[str, Any], Limit]] = [
    ({}, Limit(nodes=10_000)),
    ({"nodes": 50}, Limit(nodes=50)),
    ({"seconds": 2}, Limit(seconds=2)),
    ({"seconds": 2, "nodes": 50}, Limit(2, 50)),
    ({"limit": Limit()}, Limit()),
    ({"limit": Limit(3, 40), "seconds": 2, "nodes": 50}, Limit(2, 40)),
]
"""Bounds as a caller gives them, and the limit of each move."""


@pytest.mark.parametrize(("bounds", "limit"), BOUNDS)
def test_a_match_is_planned_as_it_was_asked_for(
    bounds: dict[str, Any], limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[tuple[Any, ...]] = []
    monkeypatch.setattr(api, "play_match", lambda *given: planned.append(given))
    stop, on_game = bool, print
    papan.match(
        *("random", "alphabeta:depth=2", "dots:2,2", 3),
        seed=7, opening=1, cancelled=stop, on_game=on_game, **bounds,
    )  # fmt: skip
    agents = papan.agent("random"), papan.agent("alphabeta:depth=2")
    plan = Match(agents, papan.game("dots:2,2"), 3, 7, limit, 1)
    assert planned == [(plan, stop, on_game)]


def test_the_usual_match_is_one_pair_with_the_usual_opening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(api, "play_match", lambda plan, *_: plan)
    plan: Any = papan.match("random", "random", "dots")
    assert (plan.pairs, plan.seed, plan.opening, plan.first_pair) == (1, 0, 2, 0)
    for people in (("human", "random"), ("random", "human")):
        with pytest.raises(InvalidSpecError, match="play yourself"):
            papan.match(*people, "dots")


class Played:
    """What `play_or_resume` returns."""

    standings = "standings"


def test_a_tournament_is_planned_as_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    planned: list[tuple[Any, ...]] = []

    def play(*given: Any) -> Played:
        planned.append(given)
        return Played()

    monkeypatch.setattr("papan.lab.tournament.run.play_or_resume", play)
    played: Any = papan.tournament(
        [papan.agent("alphabeta:depth=2"), "random"], "dots:2,2", tmp_path, 3,
        pairs=4, seed=5, opening=1, gauntlet=True, seconds=2, nodes=60,
        until_error=25.5, adjudicate=70, deadline=8, memory=90,
    )  # fmt: skip
    assert played == "standings"
    plan = TournamentPlan(
        *("dots:2,2", ("alphabeta:depth=2", "random"), 2, 4, 5, 1, True, Limit(2, 60), 70),
        BotGuard(8, 90),
        Stopping(None, 25.5),
    )
    assert planned == [(tmp_path, plan, "papan", 3)]
    papan.tournament(["random", "level:1"], "tictactoe", str(tmp_path))
    usual = TournamentPlan(
        *("tictactoe:3,3,3", ("random", "level:1"), 2, 10, 0, 2, False, Limit(nodes=10_000), 0),
        BotGuard(60, 2048),
        Stopping(None, None),
    )
    assert planned[1] == (tmp_path, usual, "papan", 1)
    for games, fine in ((0, False), (1, True), (1024, True), (1025, False)):
        before = len(planned)
        try:
            papan.tournament(["random", "level:1"], "tictactoe", tmp_path, games)
        except InvalidSpecError as error:
            assert error.key == "tournament.bad_concurrency"
        assert (len(planned) > before) == fine


anything: Any = papan


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("workers", 0, 1024), ("memory", 1, 1_000_000)],
)
def test_a_proof_has_so_many_workers_and_so_much_memory(name: str, least: int, most: int) -> None:
    for amount in (least, most):  # which is fine, unlike the path
        with pytest.raises(PapanError, match="None is not a path"):
            anything.prove("dots", None, **{name: amount})
    for amount in (least - 1, most + 1):
        with pytest.raises(InvalidSpecError, match=f"{name} must be from {least} to {most}"):
            anything.prove("dots", None, **{name: amount})


@pytest.mark.parametrize(("name", "most"), [("memory", 1_000_000), ("threads", 64)])
def test_a_solver_has_so_much_memory_and_so_many_threads(name: str, most: int) -> None:
    for amount in (1, most):
        api.check_solver_settings(**{name: amount}, other="x")
    for amount in (0, most + 1):
        with pytest.raises(InvalidSpecError, match=f"{name} must be from 1 to {most}"):
            api.check_solver_settings(**{name: amount})


def test_a_solver_gets_the_settings_that_were_given(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    class Solver:
        def analyse(self, *given: Any) -> Analysis:
            asked.append(given)
            return Analysis((4,), position=given[0])

    def solver_for(game: papan.Game, **settings: object) -> Solver:
        asked.append((game, settings))
        return Solver()

    monkeypatch.setattr(api, "solver_for", solver_for)
    position, stop, listener = papan.position("tictactoe b2"), bool, print
    settings: dict[str, Any] = {"all_moves": True, "book": False, "goal": 0, "threads": 2}
    papan.solve("tictactoe b2", 3, 50, stop, listener, memory=9, **settings)
    papan.solve(position)
    assert asked == [
        (position.game, {**settings, "memory": 9}),
        (position, Limit(3, 50), listener, stop),
        (position.game, {}),
        (position, Limit(), None, never),
    ]


def test_a_finished_game_for_two_takes_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "solver_for", lambda *_, **__: pytest.fail("nothing is to be solved"))
    over = papan.position("dots:1,1 1111 2 1-0")
    found = papan.solve(over)
    assert (found.line, found.proved, found.distance, found.why) == ((), Proved(-1, -1), 0, "exact")
    assert found.position == over


def test_a_finished_puzzle_is_asked_of_its_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says more of the end than who has won."""
    said = Analysis((), proved=Proved(4, 4), notes=(Message("a"),))

    class Solver:
        def analyse(self, *given: object) -> Analysis:
            return said

    monkeypatch.setattr(api, "solver_for", lambda game, **settings: Solver())
    assert papan.solve("onet:2,2 0,0/0,0") is said


def test_without_a_solver_each_other_move_is_searched_by_itself() -> None:
    """The nodes are those of all searches together, and each value has its own."""
    position = Pebbles(8).start()
    base = AlphaBeta().analyse(position)
    whole = papan.solve(position, all_moves=True)
    spent, expected = base.nodes, dict(base.values)
    for move in position.moves():
        known = base.values.get(move)
        if isinstance(known, Proved) and known.exact:
            continue
        child = position.child(move)
        found = AlphaBeta().analyse(child)
        spent += found.nodes
        value = found.proved.low if child.turn == position.turn else -found.proved.low
        expected[move] = Proved(value, value, nodes=found.nodes, line=found.line)
    assert (whole.nodes, whole.values) == (spent, expected)
    assert spent > base.nodes
    for nodes in (base.nodes + 1, spent - 1):
        less = papan.solve(position, all_moves=True, nodes=nodes)
        assert less.exact and less.nodes <= nodes
        assert any(isinstance(each, Guess) or each.kind != "exact" for each in less.values.values())
    stopped = papan.solve(position, all_moves=True, cancelled=lambda: True)
    assert not stopped.exact


def test_compiled_searches_are_named_by_board_and_search() -> None:
    found = api.compiled_searches("tictactoe", "onet")
    plain = "alphabeta", "mcts", "minimax"
    assert found.keys() == {
        *("tictactoe:3,3,3", "tictactoe:9,9,5", "onet:4,4", "onet:4,6"),  # to be solved
        *(f"tictactoe {name}" for name in (*plain, "learned")),
        *(f"tictactoe:15,15,5 {name}" for name in (*plain, "patterns")),
        *(f"onet {name}" for name in plain),
        *(f"onet:9,16 {name}" for name in plain),
    }
    assert set(api.compiled_searches()) > set(found)
    solves: Any = found["onet:4,4"]
    assert (solves.func, solves.args[0].split()[0]) == (papan.solve, "onet:4,4")
    assert solves.keywords == {"nodes": 10_000}
    with pytest.raises(KeyError):
        api.compiled_searches("chess")
    quick = found["tictactoe alphabeta"]()
    assert (quick.position, quick.nodes) == (papan.position("tictactoe"), 100)


def test_strength_is_measured_of_all_that_play_and_of_the_anchors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Strengths, "run", lambda plan, on_progress: (plan, on_progress))
    game = papan.game("onet:3,6")
    measured: Any = api.strength(
        "onet:3,6", None, Limit(nodes=9), print, games=3, positions=4, seed=5
    )
    plan, on_progress = measured
    assert on_progress is print
    names = [agent.spec for agent in plan.agents]
    assert "human" not in names and {"random", "level:5", "mcts"} <= {*names}
    assert [each.spec for each in plan.anchors] == ["random", "level:1", "level:3"]
    assert (plan.game, plan.limit, plan.games, plan.positions, plan.seed) == (
        *(game, Limit(nodes=9), 3, 4, 5),
    )
    assert plan.solver == api.solver_for(game) is not None
    lone: Any = api.strength("dots:2,2", [papan.agent("random")], positions=0)
    assert (lone[0].agents, lone[0].solver) == ((papan.agent("random"),), None)
    assert [each.spec for each in lone[0].anchors] == list(api.ANCHORS)
    assert (lone[0].games, lone[0].seed, lone[0].limit) == (4, 0, Limit())


def test_a_session_has_a_seat_for_everybody_and_people_on_the_rest() -> None:
    agent = papan.agent("random")
    for players, seated in (
        ((), (None, None)),
        ((None, "random"), (None, agent)),
        ((agent,), (agent, None)),
        (("random", "level:1"), (agent, papan.agent("level:1"))),
    ):
        session = papan.session("dots", *players)
        assert tuple(session.agents) == seated
    with pytest.raises(InvalidSpecError, match="onet:6,12 has 1 seat"):
        papan.session("onet", None, None)


def test_a_played_game_is_taken_in_every_form(tmp_path: Path) -> None:
    session = papan.session("tictactoe")
    session.play("b2")
    record, path = session.record(), tmp_path / "game.json"
    papan.save(session, path)
    played: list[Any] = [record, session, path, str(path)]
    assert [api.record_of(each) for each in played] == [record] * 4
    assert [len(papan.replay(each)) for each in played] == [2] * 4
    assert papan.load_all(path) == [record]
    path.write_text("", encoding="utf-8")
    assert papan.load_all(path) == []


def test_the_estimate_is_exact_when_the_game_is_over() -> None:
    over = papan.position("dots:1,1 1111 2 1-0")
    assert [papan.evaluate(over, seat) for seat in (0, 1)] == [1, -1]
    won = papan.position("tictactoe xxx/oo./... o")
    assert [papan.evaluate(won, seat) for seat in (0, 1)] == [1, -1]
    assert 0 < papan.evaluate("tictactoe xx./oo./x.. o", 0) < 1
    assert [papan.margin("onet:2,2 0,0/0,0", 0), papan.evaluate("onet:2,2 0,0/0,0", 0)] == [4, 4]


def first(position: Position) -> int:
    return position.moves()[0]


@pytest.mark.parametrize("call", [papan.solve_async, papan.match_async])
def test_an_argument_that_is_wrong_is_wrong_in_a_thread_too(call: Callable[..., Any]) -> None:
    import asyncio

    arguments = ("dots", -1) if call is papan.solve_async else (first, first, "dots", 0)
    with pytest.raises(InvalidSpecError):
        asyncio.run(call(*arguments))


def test_a_reason_takes_an_analysis_of_its_own_position() -> None:
    position = papan.position("tictactoe xx./oo./... x")
    whole = papan.solve(position)
    unnamed = Analysis(whole.line, proved=whole.proved)
    for analysis in (None, whole, unnamed):
        assert papan.why(position, "c1", analysis).text().startswith("c1 wins")
    with pytest.raises(PapanError) as other:
        papan.why("tictactoe", "b2", whole)
    assert other.value.key == "error.other_analysis"
    with pytest.raises(TypeError, match="5"):
        anything.why("tictactoe", "b2", 5)
