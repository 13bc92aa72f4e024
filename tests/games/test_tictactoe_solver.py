"""The solver of Tic Tac Toe on boards of at most 64 cells: known values, and plain minimax."""

import json
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import UNLIMITED, Analysis, Event, InvalidSpecError, Limit, Position, Thinking
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition
from papan.games.tictactoe.solver import Exact, TicTacToeSolver

from .tictactoe_twin import Twin, sign

KNOWN: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[1] / "data" / "tictactoe.json").read_text()
)
HARD = "tictactoe:8,8,5"
"""Nobody solves it in the time of a test."""


def at(text: str) -> TicTacToePosition:
    position = papan.position(f"tictactoe:{text}")
    assert isinstance(position, TicTacToePosition)
    return position


def solve(position: Position, limit: Limit = UNLIMITED, **settings: Any) -> Analysis:
    return TicTacToeSolver(**settings).analyse(position, limit)


def names(position: Position, moves: tuple[int, ...]) -> list[str]:
    return [position.game.move_name(move) for move in moves]


def check_line(position: Position, analysis: Analysis) -> None:
    """The line is legal, ends the game after as many plies as said, and with the value said."""
    turn = position.turn
    for move in analysis.line:
        assert move in position.moves()
        position = position.child(move)
    assert not position.moves()
    assert len(analysis.line) == analysis.distance
    assert position.scores()[turn] - position.scores()[1 - turn] == analysis.value


@pytest.mark.parametrize("size", KNOWN)
def test_known_positions(size: str) -> None:
    for line in KNOWN[size]:
        board, turn, value, *best = line.split()
        position = at(f"{size} {board} {turn}")
        analysis = solve(position)
        assert (analysis.value, analysis.exact, analysis.why) == (int(value), True, "exact")
        assert sorted(names(position, analysis.best)) == sorted(best)
        check_line(position, analysis)


@pytest.mark.parametrize(
    ("size", "value", "distance"),
    [
        ("3,3,3", 0, 9),
        ("4,4,4", 0, 16),
        ("5,5,5", 0, 25),
        ("5,5,4", 0, 25),
        ("6,6,5", 0, 36),
        ("6,7,5", 0, 42),
        ("8,8,8", 0, 64),
        ("4,4,3", 1, 5),
        ("5,5,3", 1, 5),
        ("5,6,4", 1, 11),
        ("6,5,4", 1, 11),
        ("2,15,3", 0, 30),
        ("1,9,3", 0, 9),
        pytest.param("6,6,4", 1, 11, marks=pytest.mark.slow),
        pytest.param("4,8,4", 0, 32, marks=pytest.mark.slow),
        pytest.param("7,7,5", 0, 49, marks=pytest.mark.slow),
    ],
)
def test_known_boards(size: str, value: int, distance: int) -> None:
    position = at(size)
    analysis = solve(position)
    assert (analysis.value, analysis.exact, analysis.distance) == (value, True, distance)
    check_line(position, analysis)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "fewest", "count"),
    [
        ("3,3,3", 0, 500),
        ("2,4,3", 0, 250),
        ("1,8,3", 0, 250),
        ("3,4,3", 3, 250),
        ("5,3,3", 6, 250),
        ("4,4,3", 7, 250),
        ("4,4,4", 8, 250),
        ("3,5,4", 7, 250),
        ("2,7,3", 6, 100),
        ("5,4,4", 12, 100),
        ("5,5,4", 16, 100),
        ("6,6,5", 27, 100),
    ],
)
@pytest.mark.parametrize("share", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_random_positions_by_plain_minimax(size: str, fewest: int, count: int, share: int) -> None:
    twin = Twin(size)
    for position in twin.positions(count // share, fewest):
        value, moves = sign(twin.score(position)), position.moves()
        values = {move: twin.value(position, move) for move in moves}
        best = {move for move in moves if values[move] == value}
        for all_moves in (False, True):
            analysis = solve(position, all_moves=all_moves)
            assert (analysis.value, analysis.exact) == (value, True)
            assert analysis.distance == twin.distance(position)
            assert set(analysis.best) == best
            assert len(analysis.best) == len(best)
            check_line(position, analysis)
            for move, found in analysis.values.items():
                assert found.number == values[move] or (
                    found.kind == "upper" and not all_moves and values[move] < found.number == 0
                )
        assert set(analysis.values) == set(moves)


def test_the_move_chosen_wins_fastest_or_loses_latest() -> None:
    twin = Twin("4,4,3")
    for position in twin.positions(100, 7, seed=1):
        move = solve(position).move
        assert -twin.score(position.child(move)) == twin.score(position)


def test_mirror_images_have_mirrored_answers() -> None:
    for position in Twin("4,4,4").positions(20, 3):
        board, turn = position.write()
        rows = board.split("/")
        mirrored = at(f"4,4,4 {'/'.join(reversed(rows))} {turn}")
        turned = at(f"4,4,4 {'/'.join(''.join(row) for row in zip(*rows))} {turn}")
        first, second, third = map(solve, (position, mirrored, turned))
        assert first.value == second.value == third.value
        assert first.distance == second.distance == third.distance
        cells = [divmod(move, 4) for move in first.best]
        assert sorted(second.best) == sorted(4 * (3 - row) + column for row, column in cells)
        assert sorted(third.best) == sorted(4 * column + row for row, column in cells)


def test_moves_that_do_not_win_are_bounded_unless_all_are_asked_for() -> None:
    position = at("3,3,3 x.o/.../... x")
    kinds = {each.kind for each in solve(position).values.values()}
    assert kinds == {"exact", "upper"}
    asked = solve(position, all_moves=True).values
    assert {each.kind for each in asked.values()} == {"exact"}
    assert [asked[move].number for move in position.moves()] == [-1, 1, 0, 0, 1, 0, 1]


def test_nodes_are_as_ever() -> None:
    sizes = ("3,3,3", "4,4,4", "5,5,5", "5,5,4", "6,6,5", "4,4,3", "5,6,4")
    assert sum(solve(at(size)).nodes for size in sizes) == 413_754


def test_a_node_limit_is_kept_to_the_node_and_leaves_honest_bounds() -> None:
    position = papan.position(HARD)
    analysis = solve(position, Limit(nodes=5_000))
    assert analysis.nodes == 5_000
    assert (analysis.exact, analysis.bounds, analysis.why) == (False, (-1, 1), "nodes")
    assert analysis.move in position.moves()


@pytest.mark.parametrize("nodes", [1, 10, 100, 300, 1_000, 3_000, 10_000, 30_000])
def test_bounds_always_hold_the_truth(nodes: int) -> None:
    for board, value in (
        ("5,5,4", 0),
        ("5,5,3", 1),
        ("5,6,4", 1),
        ("5,5,4 ...../.x.../...../...../..... o", 0),
        ("4,4,3 x.../..../..../.... o", -1),
    ):
        analysis = solve(at(board), Limit(nodes=nodes))
        low, high = analysis.bounds or (analysis.value, analysis.value)
        assert low is not None
        assert high is not None
        assert low <= value <= high
        assert analysis.nodes <= nodes
        assert not analysis.exact or analysis.value == value


def test_time_ends_a_search() -> None:
    position = papan.position(HARD)
    analysis = solve(position, Limit(seconds=0.1))
    assert (analysis.exact, analysis.bounds, analysis.why) == (False, (-1, 1), "time")


def test_a_search_can_be_cancelled() -> None:
    position = papan.position(HARD)
    heard = list[Event]()
    analysis = TicTacToeSolver().analyse(
        position,
        listener=heard.append,
        cancelled=lambda: any(each["t"] == "root" for each in heard),
    )
    assert (analysis.exact, analysis.bounds, analysis.why) == (False, (-1, 1), "cancelled")
    assert analysis.move in position.moves()


def test_it_tells_what_it_found() -> None:
    heard = list[Event]()
    position = at("3,3,3 .x./.../..o x")
    TicTacToeSolver().analyse(position, listener=heard.append)
    reported = [each for each in heard if each["t"] == "root"][-1]
    assert (reported["best"], reported["bounds"]) == ("c1", [1, 1])
    first = reported["moves"][0]
    assert (first["m"], first["v"], first["k"]) == ("c1", 1, "exact")
    assert len(reported["moves"]) == len(position.moves())


def test_memory_is_a_limit() -> None:
    position = at("5,5,4")
    for memory in (1, 2, 100):
        words = Exact(position, Thinking(UNLIMITED), memory).table.words
        assert memory * 2**20 / 2 < words.nbytes <= memory * 2**20
    little, much = (solve(position, memory=memory) for memory in (1, 64))
    assert (little.value, set(little.best)) == (much.value, set(much.best))


@pytest.mark.parametrize("setting", ["memory", "threads"])
def test_settings_must_make_sense(setting: str) -> None:
    with pytest.raises(InvalidSpecError, match=setting):
        papan.agent("solver", **{setting: 0})
    with pytest.raises(InvalidSpecError, match=setting):
        TicTacToe().solver(**{setting: 0})


def test_the_game_names_its_solver() -> None:
    assert TicTacToe(4, 4, 4).solver(memory=8) == TicTacToeSolver(memory=8)
    assert papan.solve("tictactoe:4,4,3").value == 1
    assert papan.agent("solver").analyse(at("3,3,3 xx./oo./... x")).distance == 1


@pytest.mark.parametrize(
    "board", ["3,3,3 .../.../... x", "9,9,5 " + "/".join(9 * ["." * 9]) + " x"]
)
def test_what_it_needs_is_loaded_before_its_clock_runs(
    monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    monkeypatch.setattr("papan.core.agent._loaded", set())
    limits: list[Limit] = []
    real = TicTacToeSolver.decide

    def decide(self: TicTacToeSolver, position: Position, thinking: Thinking) -> Analysis:
        limits.append(thinking.limit)
        return real(self, position, thinking)

    monkeypatch.setattr(TicTacToeSolver, "decide", decide)
    for _ in range(2):
        solve(at(board), Limit(nodes=500))
    assert limits == [Limit(nodes=1), Limit(nodes=500), Limit(nodes=500)]


def test_the_plies_of_every_move_are_told() -> None:
    facts = papan.solve("tictactoe xo./.../... x", all_moves=True).facts
    distances = facts["distances"]
    assert isinstance(distances, dict)
    assert distances["b2"] == 5
    assert set(distances) <= set(papan.position("tictactoe xo./.../... x").spots())
