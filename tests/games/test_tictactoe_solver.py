"""The solver of Tic Tac Toe where it is exact: known values, and plain minimax."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from math import inf, tanh
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import papan
from papan.core import (
    UNLIMITED,
    Analysis,
    Event,
    Guess,
    InvalidSpecError,
    Limit,
    Position,
    Proved,
    Thinking,
)
from papan.core.parts import Drawing, Support
from papan.engine.control import MOST_NODES, NODES, UNBOUNDED
from papan.engine.solver import NativeSolver
from papan.games.tictactoe import solver
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition
from papan.games.tictactoe.solver import (
    EngineSolution,
    ExactBoard,
    ExactSolution,
    TicTacToeSolver,
    exact_board,
    holding_moves,
    with_bounds,
)
from tests.agents.definition import late_positions, outcome

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
    for position in twin.positions(100, 8, seed=1):
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
        words = ExactSolution(position, Thinking(UNLIMITED), memory).table.words
        assert memory * 2**20 / 2 < words.nbytes <= memory * 2**20
    little, much = (solve(position, memory=memory) for memory in (1, 64))
    assert (little.value, set(little.best)) == (much.value, set(much.best))


@pytest.mark.parametrize("setting", ["memory", "threads"])
def test_settings_must_make_sense(setting: str) -> None:
    with pytest.raises(InvalidSpecError, match=setting):
        papan.agent("solver", **{setting: 0})
    with pytest.raises(InvalidSpecError, match=setting):
        Support.of(TicTacToe()).solver(**{setting: 0})


def test_the_game_names_its_solver() -> None:
    assert Support.of(TicTacToe(4, 4, 4)).solver(memory=8) == TicTacToeSolver(memory=8)
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
    assert set(distances) <= set(Drawing.of(papan.position("tictactoe xo./.../... x")).spots())


# larger boards, nearly full


def contested(spec: str, count: int, left: int) -> Iterator[TicTacToePosition]:
    """Positions of larger boards with few empty cells, where nobody wins with the next move."""
    rng, found = random.Random(spec), 0
    for position in late_positions(papan.game(spec), 1_000, left + 14):
        assert isinstance(position, TicTacToePosition)
        while len(position.moves()) > left and (moves := stopping_moves(position)):
            position = position.child(rng.choice(moves))
        wins = any(position.child(move).is_over for move in position.moves())
        if not wins and len(position.moves()) == left:
            found += 1
            yield position
        if found == count:
            return


def stopping_moves(position: TicTacToePosition) -> list[int]:
    """Moves that do not win: those where the rival would, if there are any."""
    waiting = replace(position, turn=1 - position.turn)
    quiet = [move for move in position.moves() if not position.child(move).is_over]
    return [move for move in quiet if waiting.child(move).is_over] or quiet


LARGE = [("11,10,5", 3), ("11,10,5", 6), ("9,9,5", 6), ("13,12,6", 6), ("5,15,4", 5)]


def check_against_definition(position: TicTacToePosition) -> None:
    """Value, best moves, distance and the value of every move are those of plain minimax."""
    value, plies = outcome(position)
    values = {move: -outcome(position.child(move))[0] for move in position.moves()}
    for all_moves in (False, True):
        analysis = solve(position, memory=1, all_moves=all_moves)
        assert (analysis.value, analysis.exact, analysis.why) == (value, True, "exact")
        assert set(analysis.best) == {move for move in values if values[move] == value}
        assert analysis.distance in (None, plies)
        check_line(position, analysis)
    assert {move: each.number for move, each in analysis.values.items()} == values
    assert {each.kind for each in analysis.values.values()} == {"exact"}


@pytest.mark.parametrize(("spec", "left"), LARGE)
def test_y3_larger_boards_that_are_nearly_full_are_solved(spec: str, left: int) -> None:
    for position in contested(f"tictactoe:{spec}", 2, left):
        check_against_definition(position)


@pytest.mark.parametrize("spec", ["9,9,5", "11,10,5"])
def test_y3_without_a_limit_every_move_is_looked_at_where_the_engine_ends(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "exact_board", lambda position: None)  # as if too many mattered
    for position in contested(f"tictactoe:{spec}", 2, 5):
        value, analysis = outcome(position)[0], solve(position)
        assert (analysis.value, analysis.exact, analysis.why) == (value, True, "exact")
        assert all(-outcome(position.child(move))[0] == value for move in analysis.best)
        assert analysis.move in analysis.best


def test_a_value_that_is_proved_without_a_move_leaves_the_move_of_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = at("9,9,5").game.start()
    play = Analysis((40,), 0.5, why="depth")
    unfinished = Analysis((0,), proved=Proved.exactly(1), why="nodes")  # any move, as none is known
    monkeypatch.setattr(NativeSolver, "decide", lambda *_: play)
    monkeypatch.setattr(TicTacToeSolver, "_exact", lambda *_: unfinished)
    monkeypatch.setattr(solver, "exact_board", lambda position: ExactBoard(position.game, 0, ()))
    found = TicTacToeSolver().decide(position, Thinking(UNLIMITED))
    assert (found.move, found.proved, found.why) == (40, Proved.exactly(1), "nodes")
    assert found.best == ()  # nobody says that it wins


def test_y3_only_the_cells_that_matter_are_searched() -> None:
    (position,) = contested("tictactoe:11,10,5", 1, 6)
    board = solver.exact_board(position)
    assert board is not None
    assert 6 <= board.cells.bit_count() <= 64
    assert solver.exact_board(at("11,10,5").game.start()) is None


@pytest.mark.parametrize("nodes", [1, 2, 5, 20])
def test_y3_what_is_proved_of_a_larger_board_at_a_limit_is_true(nodes: int) -> None:
    for position in contested("tictactoe:11,10,5", 2, 6):
        analysis = solve(position, Limit(nodes=nodes), memory=1)
        assert analysis.nodes <= nodes
        assert analysis.proved.low <= outcome(position)[0] <= analysis.proved.high


@pytest.mark.parametrize(
    ("played", "proved", "both"),
    [
        ((-1, 1), (0, 1), (0, 1)),
        ((-1, 1), (-1, 0), (-1, 0)),
        ((0, 1), (-1, 1), (0, 1)),
        ((-1, 0), (0, 1), (0, 1)),  # a draw, but whether the engine's move keeps it is unknown
        ((0, 1), (-1, 0), (-1, 0)),
    ],
)
def test_what_an_unfinished_proof_knows_narrows_what_the_engine_knows(
    played: tuple[float, float], proved: tuple[float, float], both: tuple[float, float]
) -> None:
    play = Analysis((4,), 0.3, Proved(*played), {4: Guess(0.3)}, why="done")
    found = with_bounds(play, Analysis((0,), proved=Proved(*proved), why="nodes"))
    assert (found.proved, found.why) == (Proved(*both), "nodes")
    assert (found.line, found.guess, found.values) == (play.line, play.guess, play.values)
    sure = replace(play, proved=Proved.exactly(1))
    assert with_bounds(sure, Analysis((0,), proved=Proved(*proved), why="nodes")) is sure


@pytest.mark.parametrize(
    ("size", "bounds"),
    [
        ("3,3,3", (-1, 1)),
        ("2,11,4", (-1, 1)),  # 16 open lines weigh as much as a full one
        ("2,10,4", (0, 1)),
        ("2,7,4", (0, 1)),  # 8 lines, and 2 marks in each after the next move
        ("2,6,4", (0, 0)),
        ("5,5,5", (0, 0)),
        ("2,10,4 x........./.......... o", (0, 1)),
        ("2,10,4 ...x..x..o/...x.....o o", (-1, 0)),
    ],
)
def test_open_lines_that_weigh_too_little_cannot_be_filled(
    size: str, bounds: tuple[int, int]
) -> None:
    position = at(size)
    engine = EngineSolution(position, Thinking(Limit(nodes=1)), 1)
    assert engine.bounds() == bounds
    engine.update()
    if bounds[0] < bounds[1]:
        assert engine.guess == 0.0, "nothing was searched yet"
    else:
        assert (engine.guess, engine.distance) == (None, len(position.moves()))


def test_moves_that_hold_take_the_heaviest_cell_or_leave_less_than_half_a_line() -> None:
    position = at("4,4,4")  # ten lines of weight 1; the rival must be left less than 8
    names_of = [position.game.move_name(move) for move in holding_moves(position)]
    assert names_of == ["a1", "d1", "b2", "c2", "b3", "c3", "a4", "d4"]
    with pytest.raises(ValueError, match="empty"):
        holding_moves(at("3,3,3 xox/xoo/oxx o"))


EMPTY_ROWS = "/".join(["." * 13] * 4)


@pytest.mark.parametrize(
    ("text", "cells", "lines", "whole"),
    [
        ("8,8,5", 64, 96, True),
        ("5,13,13", None, 0, False),  # 65 cells
        (f"5,13,13 x............/{EMPTY_ROWS} o", None, 0, False),
        (f"5,13,13 xo.........../{EMPTY_ROWS} x", 63, 4, False),  # the first row is dead
    ],
)
def test_as_many_as_64_cells_may_matter(
    text: str, cells: int | None, lines: int, whole: bool
) -> None:
    found = exact_board(at(text))
    assert (found is None) == (cells is None)
    if found is not None:
        assert (found.cells.bit_count(), len(found.lines), found.whole) == (cells, lines, whole)


@pytest.mark.parametrize(
    ("nodes", "exact"), [(1, 1), (2, 1), (100, 75), (101, 75), (inf, UNBOUNDED)]
)
def test_three_quarters_of_the_nodes_are_for_the_exact_search(nodes: float, exact: int) -> None:
    found = ExactSolution(at("4,4,4"), Thinking(Limit(nodes=nodes)), 1)
    assert int(found.words[MOST_NODES]) == exact


@pytest.mark.parametrize(
    ("limit", "most"),
    [
        (UNLIMITED, 3_000_007),
        (Limit(seconds=9), UNBOUNDED),
        (Limit(nodes=50), 50),
        (Limit(nodes=50, seconds=9), 50),
    ],
)
def test_without_a_limit_the_engine_takes_three_million_nodes_more(limit: Limit, most: int) -> None:
    thinking = Thinking(limit)
    thinking.nodes = 7
    engine = EngineSolution(at("9,9,5"), thinking, 1)
    assert (int(engine.words[NODES]), int(engine.words[MOST_NODES])) == (7, most)


@pytest.mark.parametrize(
    ("size", "unit"),
    [("9,9,3", 5**2), ("9,9,5", 5**4), ("9,9,6", 5**5), ("9,9,8", 5**5)],
)
def test_an_estimate_is_measured_by_a_line_that_lacks_one_mark(size: str, unit: int) -> None:
    engine = EngineSolution(at(size), Thinking(Limit(nodes=1)), 1)
    engine.weighed = (-1, 1)  # as if nothing was proved
    engine.workspace.depth, engine.workspace.best = np.uint64(2), np.uint64(40)
    for lines in (-16, -8, 0, 4, 8):
        engine.workspace.score = np.int64(lines * unit)
        engine.update()
        assert engine.guess == pytest.approx(0.99 * tanh(lines / 8))
        assert (engine.line, engine.choice(), engine.depth) == ((40,), 40, 2)


@pytest.mark.parametrize(("proof", "value"), [(1, 1), (2, -1)])
@pytest.mark.parametrize(("plies", "distance"), [(3, 3), (5, 5), (7, None)])
def test_a_sequence_of_threats_is_the_quickest_win_up_to_five_plies(
    proof: int, value: int, plies: int, distance: int | None
) -> None:
    position = at("9,9,5").after("e5 a1")
    engine = EngineSolution(position, Thinking(Limit(nodes=1)), 1)
    engine.workspace.proof, engine.workspace.end = np.uint64(proof), np.uint64(2 + plies)
    for number in range(plies):
        engine.workspace.line[2 + number] = np.uint64(10 + number)
    engine.update()
    assert engine.bounds() == (value, value)
    assert (engine.line, engine.distance) == (tuple(range(10, 10 + plies)), distance)
    assert (engine.facts, engine.guess) == ({"within": plies}, None)
    assert engine.values == {10: Proved.exactly(value, line=engine.line[1:])}
