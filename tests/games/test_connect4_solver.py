"""The solver of Connect 4: right on every board, honest when it must stop."""

import json
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import Analysis, Event, InvalidSpecError, Limit
from papan.engine.control import NODES
from papan.games.connect4 import Connect4
from papan.games.connect4.kernel import SEARCH_STOPPED
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.search_memory import Connect4Memory, SearchTeam
from papan.games.connect4.solver import Connect4Prover, Connect4Solver, ScoreBounds
from papan.games.connect4.stones import Layout, Stones

from .connect4_truth import empty, random_positions, score

KNOWN: dict[str, str] = json.loads((Path(__file__).parents[1] / "data/connect4.json").read_text())
"""Positions of 6x7 by ply with the scores that three other solvers agree on, as moves:score."""

EMPTY_BOARDS = {
    (4, 4): 0,
    (4, 5): 0,
    (4, 6): -1,
    (4, 7): 0,
    (5, 4): 0,
    (5, 5): 0,
    (5, 6): 0,
    (6, 4): 0,
    (6, 5): 0,
    (7, 4): 0,
    (8, 4): 0,
    (6, 6): -1,
}


def solve(position: Connect4Position, limit: Limit | None = None, **settings: Any) -> Analysis:
    solver = Connect4Solver(**{"book": False, **settings})
    return solver.analyse(position, limit or Limit())


def proven(position: Connect4Position) -> int:
    """The score that the solver proves, or that of the end."""
    return solve(position).facts.get("score", 0) if position.moves() else score(position)


def known(ply: str) -> list[tuple[str, int]]:
    return [
        (moves, int(true_value))
        for moves, true_value in (pair.split(":") for pair in KNOWN[ply].split())
    ]


def end_of(position: Connect4Position, analysis: Analysis) -> Connect4Position:
    """The position at the end of the line, each move checked by the rules."""
    for move in analysis.line:
        assert move in position.moves()
        position = position.child(move)
    return position


def sign(true_value: int) -> int:
    return (true_value > 0) - (true_value < 0)


def check(position: Connect4Position, analysis: Analysis, true_value: int) -> None:
    """Is the analysis right in all that follows from the score?"""
    assert (analysis.exact, analysis.facts["score"], analysis.value) == (
        True,
        true_value,
        sign(true_value),
    )
    assert analysis.bounds == (sign(true_value), sign(true_value))
    end = end_of(position, analysis)
    assert not end.moves()
    assert len(analysis.line) == analysis.distance
    assert end.scores()[position.turn] - end.scores()[1 - position.turn] == sign(true_value)
    if true_value:
        left = empty(end)
        assert abs(true_value) == left // 2 + 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ply", "share"),
    [
        *((ply, 12 if ply == "8" else 4) for ply in KNOWN),  # early ones take longest
        *(pytest.param(ply, 1, marks=pytest.mark.slow) for ply in KNOWN),
    ],
)
def test_positions_that_other_solvers_agree_on(ply: str, share: int) -> None:
    for moves, true_value in known(ply)[::share]:
        position = Connect4().start().after(moves)
        check(position, solve(position), true_value)


@pytest.mark.thorough
@pytest.mark.parametrize("size", EMPTY_BOARDS, ids=str)
def test_empty_boards(size: tuple[int, int]) -> None:
    position = Connect4(*size).start()
    check(position, solve(position), EMPTY_BOARDS[size])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "most_empty"),
    [((4, 4), 12), ((4, 5), 10), ((5, 4), 10), ((5, 5), 10), ((6, 4), 10), ((4, 6), 10)],
    ids=str,
)
def test_small_boards_by_trying_everything(size: tuple[int, int], most_empty: int) -> None:
    for position in random_positions(Connect4(*size), 150, 1, most_empty):
        check(position, solve(position), score(position))


@pytest.mark.thorough
@pytest.mark.parametrize("rows", range(4, 9))
@pytest.mark.parametrize("columns", range(4, 11))
def test_the_end_of_games_on_every_board(rows: int, columns: int) -> None:
    for position in random_positions(Connect4(rows, columns), 6, 1, 9):
        check(position, solve(position), score(position))


@pytest.mark.parametrize("size", [(6, 10), (7, 9), (7, 10), (8, 8), (8, 9), (8, 10)], ids=str)
def test_boards_above_64_bits_agree_with_their_own_moves(size: tuple[int, int]) -> None:
    for position in random_positions(Connect4(*size), 4, 20, 24):
        replies = (position.child(move) for move in position.moves())
        check(position, solve(position), max(-proven(reply) for reply in replies))


def test_every_move_in_one_call() -> None:
    for moves, true_value in known("16")[:12]:
        position = Connect4().start().after(moves)
        analysis = solve(position, all_moves=True)
        scores = {move: -proven(position.child(move)) for move in position.moves()}
        names = {position.game.move_name(move): each for move, each in scores.items()}
        assert analysis.facts["scores"] == names
        assert max(scores.values()) == true_value == scores[analysis.move]
        assert {move: value.number for move, value in analysis.values.items()} == {
            move: sign(each) for move, each in scores.items()
        }
        assert all(value.kind == "exact" for value in analysis.values.values())


def test_all_best_moves_without_the_scores_of_the_others() -> None:
    for moves, _ in known("20")[:20]:
        position = Connect4().start().after(moves)
        few, every = solve(position), solve(position, all_moves=True)
        assert sorted(few.best) == sorted(every.best)
        for move, value in few.values.items():
            truth = every.values[move].number
            assert value.number == truth if value.kind == "exact" else value.number >= truth


@pytest.mark.thorough
def test_every_move_of_a_position_with_its_mirror_images() -> None:
    analysis = solve(Connect4(5, 5).start(), all_moves=True)
    assert analysis.facts["scores"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0}
    scores = solve(Connect4(5, 6).start().after("34"), all_moves=True).facts["scores"]
    mirror = solve(Connect4(5, 6).start().after("43"), all_moves=True).facts["scores"]
    assert isinstance(scores, dict)
    assert mirror == {str(7 - int(name)): each for name, each in scores.items()}


def test_a_win_at_once() -> None:
    position = Connect4().start().after("112233")
    analysis = solve(position)
    check(position, analysis, 18)
    assert analysis.line == (3,)


def test_nodes_are_counted_and_the_limit_is_exact() -> None:
    position = Connect4().start().after("4444")
    for nodes in (1, 2, 100, 4096, 5000, 30_000):
        analysis = solve(position, Limit(nodes=nodes))
        assert (analysis.nodes, analysis.why, analysis.exact) == (nodes, "nodes", False)
        assert analysis.move in position.moves()


def test_bounds_are_honest_wherever_the_search_stops() -> None:
    for moves, true_value in known("12")[:10]:
        position = Connect4().start().after(moves)
        for nodes in (1, 10, 100, 1000, 10_000):
            analysis = solve(position, Limit(nodes=nodes))
            assert analysis.bounds is not None
            assert analysis.bounds[0] <= sign(true_value) <= analysis.bounds[1]
            if "score" not in analysis.facts:
                bounds: Any = analysis.facts["score_bounds"]
                assert bounds[0] <= true_value <= bounds[1]
            else:
                assert analysis.facts["score"] == true_value
            if analysis.exact:
                assert analysis.value == sign(true_value)


def test_the_clock_and_the_caller_stop_it_at_once() -> None:
    position = Connect4(7, 8).start()
    analysis = solve(position, Limit(seconds=0.2))
    assert (analysis.why, analysis.exact) == ("time", False)
    solver = Connect4Solver(book=False)
    assert solver.analyse(position, cancelled=lambda: True).why == "cancelled"


def test_it_tells_what_it_knows_so_far() -> None:
    events: list[Event] = []
    position = Connect4(7, 8).start()

    def heard() -> bool:
        return any(event["t"] == "root" and event["nodes"] for event in events)

    solver = Connect4Solver(book=False)
    solver.analyse(position, listener=events.append, cancelled=heard)
    roots = [event for event in events if event["t"] == "root"]
    assert roots[-1]["bounds"] == [-1, 1]
    assert roots[-1]["nodes"] > 0


@pytest.mark.thorough
def test_the_same_answer_with_two_threads() -> None:
    for moves, true_value in known("8")[:3]:
        position = Connect4().start().after(moves)
        check(position, solve(position, threads=2), true_value)


def test_d16_a_thread_that_helps_leaves_the_size_of_the_shared_table_alone() -> None:
    workspace = Connect4Memory(Layout(6, 7, 1), 2**24)
    workspace.clear(Stones(0, 0))
    root = ScoreBounds(workspace.layout, Stones(0, 0))
    workspace.put(root.quiet, root.low, root.high)
    helper, size = workspace.helper(), workspace.transposition_bytes
    helper.follow(workspace)
    grows_at = workspace.nodes_to_grow
    helper.words[NODES] = grows_at  # as after rounds in which its core was the faster one
    assert helper.search(1, 4 * grows_at) == SEARCH_STOPPED
    assert helper.nodes == 5 * grows_at
    assert helper.transposition_bytes == workspace.transposition_bytes == size


def test_little_memory_is_enough() -> None:
    for moves, true_value in known("12")[:5]:
        position = Connect4().start().after(moves)
        check(position, solve(position, memory=1), true_value)
    for position in random_positions(Connect4(7, 8), 3, 12, 14):
        check(position, solve(position, memory=1), solve(position).facts.get("score", 0))


def test_a_board_in_two_words_gives_the_same_scores() -> None:
    workspace = Connect4Memory(Layout(6, 7, 2), 2**24)
    truth = Connect4Prover(SearchTeam(workspace, 1), lambda nodes: None)
    for moves, true_value in known("16") + known("12")[:10]:
        position = Connect4().start().after(moves)
        stones = Stones(*position.sides)
        workspace.clear(stones)
        assert truth.score(truth.begin(stones)) == true_value


def test_settings_are_checked() -> None:
    with pytest.raises(InvalidSpecError, match="memory"):
        Connect4Solver(memory=0)
    with pytest.raises(InvalidSpecError, match="threads"):
        Connect4Solver(threads=0)


def test_the_door_is_open() -> None:
    analysis = papan.solve("connect4:4,4")
    assert (analysis.exact, analysis.facts["score"], analysis.distance) == (True, 0, 16)


def test_node_signature() -> None:
    positions = [Connect4().start().after(moves) for moves, _ in known("12")[:20]]
    assert sum(solve(position).nodes for position in positions) == 1_125_124


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "true_value"), [((6, 7), 1), ((4, 8), -1), ((5, 7), 0), ((5, 8), 1)], ids=str
)
def test_larger_empty_boards(size: tuple[int, int], true_value: int) -> None:
    position = Connect4(*size).start()
    check(position, solve(position), true_value)


def test_the_solver_tells_of_its_book_its_table_and_the_plies_of_every_move() -> None:
    facts = papan.solve("connect4", all_moves=True).facts
    assert facts["book"] is True
    assert papan.solve("connect4:4,4", all_moves=True).facts["book"] is False
    transpositions = facts["table"]
    assert isinstance(transpositions, int)
    assert transpositions > 0
    assert facts["distances"] == {"1": 40, "2": 42, "3": 42, "4": 41, "5": 42, "6": 42, "7": 40}
