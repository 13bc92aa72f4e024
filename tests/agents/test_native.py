"""Compiled searches and their plain twins come to the same, on random positions of every game."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

import papan
from papan.agents.alphabeta import AlphaBeta
from papan.agents.mcts import Mcts
from papan.agents.minimax import Minimax
from papan.core import Agent, Analysis, Event, Limit, Position, Proved, native_form
from tests.agents.definition import plain, random_positions, value

OPENINGS = {
    "tictactoe": (0, 6),
    "tictactoe:4,5,4": (2, 14),
    "connect4": (0, 30),
    "connect4:7,9": (4, 50),
    "dots:2,2": (0, 9),
    "dots:3,4": (2, 26),
    "adjacency": (0, 50),
    "adjacency:4,5,5": (0, 9),
    "onet:3,6": (0, 8),
    "onet:6,12": (8, 30),
}
LARGE = {
    "tictactoe:15,15,5": (10, 60),
    "connect4:7,10": (4, 60),
    "dots:6,6": (30, 80),
    "adjacency:9,9,30": (0, 50),
    "onet:16,17": (120, 130),
}
"""Games, and after how many plies positions are tried."""
Twin: TypeAlias = Callable[[Position], Position]
BOTH = pytest.mark.parametrize("twin", [lambda it: it, plain], ids=["compiled", "plain"])
GAMES = pytest.mark.parametrize("spec", OPENINGS)
FEW = Limit(nodes=800)


def positions(spec: str, count: int) -> list[Position]:
    found = list(random_positions(papan.game(spec), count, (OPENINGS | LARGE)[spec]))
    assert all(native_form(position) for position in found)
    return found


def found(agent: Agent, position: Position, limit: Limit = FEW) -> tuple[Analysis, list[Event]]:
    """An analysis and what was told of it, without the times."""
    events: list[Event] = []
    analysis = agent.analyse(position, limit, events.append)
    for event in events:
        for timed in ("ms", "nps"):
            event.pop(timed, None)
    untimed = [event for event in events if event["t"] != "progress"]  # which comes by the clock
    return replace(analysis, seconds=0), untimed


@pytest.mark.thorough
@GAMES
@pytest.mark.parametrize("scoring", ["margin", "depth"])
def test_minimax_looks_at_the_same_nodes_and_tells_the_same(spec: str, scoring: str) -> None:
    for number, position in enumerate(positions(spec, 4)):
        agent = papan.agent("minimax", depth=number % 4, scoring=scoring)
        assert found(agent, position) == found(agent, plain(position))
        alone = agent.analyse(position, FEW)
        assert replace(alone, seconds=0) == found(agent, position)[0]


@pytest.mark.thorough
@GAMES
@pytest.mark.parametrize("settings", ["", "ordering=false", "table=false", "seed=7"])
def test_alphabeta_chooses_the_same_move_at_the_same_depth(spec: str, settings: str) -> None:
    for number, position in enumerate(positions(spec, 3)):
        agent = papan.agent(f"alphabeta:{settings}", depth=1 + number % 3)
        native, twin = agent.analyse(position), agent.analyse(plain(position))
        assert (native.move, native.value) == (twin.move, twin.value)
        assert native.distance == twin.distance


@pytest.mark.slow
@pytest.mark.parametrize("spec", LARGE)
def test_u08_large_boards_are_searched_as_the_plain_twins_do(spec: str) -> None:
    for position in positions(spec, 2):
        for agent in (Minimax(depth=2), Mcts(iterations=20)):
            assert found(agent, position) == found(agent, plain(position))
        native, twin = (AlphaBeta(depth=2).analyse(each) for each in (position, plain(position)))
        assert (native.move, native.value) == (twin.move, twin.value)


@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("tictactoe", (2, 6)),
        ("connect4:4,4", (7, 12)),
        ("dots:2,2", (5, 9)),
        ("adjacency:4,4,3", (2, 5)),
        ("onet:3,4", (0, 3)),
    ],
)
def test_alphabeta_proves_the_same_value_and_a_best_move(spec: str, plies: tuple[int, int]) -> None:
    for position in random_positions(papan.game(spec), 8, plies):
        analysis = AlphaBeta().analyse(position)
        assert analysis.exact
        assert analysis.value == AlphaBeta().analyse(plain(position)).value == value(position)
        child = position.child(analysis.move)
        true_value = value(child) if child.turn == position.turn else -value(child)
        assert true_value == analysis.value


@pytest.mark.thorough
@GAMES
def test_mcts_plays_the_same_games(spec: str) -> None:
    for seed, position in enumerate(positions(spec, 3)):
        agent = Mcts(iterations=120, seed=seed)
        assert found(agent, position, Limit()) == found(agent, plain(position), Limit())


@GAMES
@pytest.mark.parametrize("agent", [Minimax(), AlphaBeta(), Mcts(2_000)], ids=lambda it: it.name)
def test_a_node_limit_is_kept_to_the_node(spec: str, agent: Agent) -> None:
    for position in positions(spec, 2):
        for nodes in (1, 2, 3, 50, 1_030):
            analysis = agent.analyse(position, Limit(nodes=nodes))
            assert analysis.nodes == nodes if analysis.why == "nodes" else analysis.nodes <= nodes


@pytest.mark.parametrize("agent", [Minimax(), AlphaBeta(), Mcts(10**9)], ids=lambda it: it.name)
def test_a_search_without_end_can_be_cancelled_and_has_its_time(agent: Agent) -> None:
    position = papan.position("adjacency")
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    assert agent.analyse(position, cancelled=cancelled).why == "cancelled"
    analysis = agent.analyse(position, Limit(seconds=0.05))
    assert analysis.why == "time"
    assert analysis.nodes > 0
    assert analysis.move in position.moves()


@pytest.mark.parametrize("spec", ["connect4", "dots:2,2", "onet:3,6"])
def test_what_alphabeta_tells_of_its_tree_hangs_together(spec: str) -> None:
    for position in positions(spec, 4):
        _, events = found(AlphaBeta(depth=4), position, Limit())
        nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
        for node in nodes[1:]:
            up = nodes[node["up"]]
            assert up["id"] < node["id"]
            if node["s"] == "full":  # then the parent knows its value, and is at least as good
                assert up["v"] >= node["v"] if up["role"] == "max" else up["v"] <= node["v"]
        rounds = [event for event in events if event["t"] == "root"]
        assert [event["depth"] for event in rounds] == list(range(1, len(rounds) + 1))


@BOTH
@pytest.mark.parametrize(
    ("spec", "plies"),
    [("tictactoe", (3, 6)), ("connect4:4,4", (9, 12)), ("dots:1,2", (2, 5)), ("onet:3,4", (0, 3))],
)
def test_what_mcts_proves_is_true(spec: str, plies: tuple[int, int], twin: Twin) -> None:
    proofs = 0
    for position in map(twin, random_positions(papan.game(spec), 10, plies)):
        analysis = Mcts(iterations=400).analyse(position)
        assert (analysis.why == "exact") == analysis.exact
        low, high = analysis.bounds or (-float("inf"), float("inf"))
        assert low <= value(position) <= high
        if analysis.exact:
            proofs += 1
            assert analysis.value == value(position)
            for move, known in analysis.values.items():
                child = position.child(move)
                true_value = value(child) if child.turn == position.turn else -value(child)
                assert isinstance(known, Proved)
                assert known.low <= true_value <= known.high <= analysis.value
    assert proofs > 3


@BOTH
def test_mcts_goes_on_with_its_tree_if_it_may(twin: Twin) -> None:
    start = twin(papan.position("connect4"))
    agent, fresh = Mcts(iterations=200, reuse=True), Mcts(iterations=200)
    first = agent.analyse(start)
    assert replace(first, seconds=0) == replace(fresh.analyse(start), seconds=0)
    later = start.child(first.move).child(3)
    visits = [
        sum(each.nodes for each in it.analyse(later).values.values()) for it in (agent, fresh)
    ]
    assert visits[0] > visits[1] == 200
    elsewhere = twin(papan.position("dots:2,2"))
    again = agent.analyse(elsewhere)
    assert replace(again, seconds=0) == replace(fresh.analyse(elsewhere), seconds=0)


def test_both_twins_go_on_with_the_same_tree() -> None:
    agents = Mcts(iterations=150, reuse=True), Mcts(iterations=150, reuse=True)
    position = papan.position("dots:2,2")
    twin = plain(position)
    while position.moves():
        native, slow = agents[0].analyse(position), agents[1].analyse(twin)
        assert replace(native, seconds=0) == replace(slow, seconds=0)
        position, twin = position.child(native.move), twin.child(native.move)


PROGRAM = """
import papan
for name in ("minimax", "alphabeta", "mcts"):
    analysis = papan.agent(name).analyse(papan.position("dots:1,2"), papan.Limit(nodes=500))
    print(analysis.line, analysis.value, analysis.nodes)
"""


@pytest.mark.slow
def test_what_is_compiled_in_one_process_runs_in_another() -> None:
    program = [sys.executable, "-c", PROGRAM]
    first, second = (
        subprocess.run(program, capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert first == second != ""
