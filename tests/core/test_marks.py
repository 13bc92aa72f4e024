"""Boards of x and o: marks as bitboards and as text, and what lines are worth."""

from math import tanh
from typing import Any, cast

import numpy as np
import pytest

import papan
from papan.core import InvalidPositionError, Support, View
from papan.core.board import Grid
from papan.core.marks import (
    LinePosition,
    MarkDrawing,
    MarkPosition,
    filled,
    line_graph,
    longest,
    open_lines,
)


def board(text: str) -> LinePosition:
    return cast("LinePosition", papan.position(f"tictactoe {text}"))


@pytest.mark.parametrize(
    ("mine", "theirs", "balance"),
    [
        (0b000_011, 0b000_000, 16 + 4),  # two on the first line, one on the third
        (0b000_011, 0b001_000, 16 - 4 + 4),
        (0b000_001, 0b000_010, 4),  # the first line is dead
        (0b000_000, 0b111_000, -64 - 4),
        (0b000_000, 0b000_000, 0),
        (0b010_101, 0b101_010, 64 - 0),
    ],
)
def test_a_line_is_worth_the_more_the_fuller_it_is_and_nothing_if_both_have_marks(
    mine: int, theirs: int, balance: float
) -> None:
    lines = (0b000_111, 0b111_000, 0b010_101)
    assert open_lines(lines, mine, theirs, 4) == balance
    assert open_lines(lines, theirs, mine, 4) == -balance


def test_an_evaluation_is_bounded_and_turns_with_the_seat() -> None:
    position = board("xx./o../... o")
    game = position.game
    support = Support.of(game)
    own = open_lines(game.lines, *position.marks, game.growth)
    expected = 0.9 * tanh(own / game.growth**3)
    assert support.evaluate(position, 0) == pytest.approx(expected)
    assert support.evaluate(position, 1) == pytest.approx(-expected)
    assert 0 < expected < 0.9


@pytest.mark.parametrize(
    ("text", "seat", "most", "move", "now"),
    [
        ("xx./o../... o", 0, 3, "c1", 2),
        ("xx./o../... o", 1, 2, "b2", 1),
        ("x../.../... o", 1, 1, "b1", 0),
        ("xox/xox/o.. o", 0, 3, "c3", 2),
        ("xox/xox/oxo o", 0, 0, "", 0),
    ],
)
def test_the_fullest_line_of_a_seat_now_and_after_one_more_mark(
    text: str, seat: int, most: int, move: str, now: int
) -> None:
    assert longest(board(text), seat) == (most, move)
    assert filled(board(text), seat) == now


@pytest.mark.parametrize(
    ("text", "utility"),
    [
        ("xxx/oo./... o", -(0.9 + 0.1 * 4 / 9)),
        ("xxx/oxo/oxo o", -0.9),
        ("xx./oo./... x", 0),
        ("xox/xxo/oxo o", 0),
    ],
)
def test_a_loss_is_the_worse_the_more_cells_are_empty(text: str, utility: float) -> None:
    assert board(text).utility() == pytest.approx(utility)


def test_marks_are_text_numbers_and_arrays() -> None:
    position = board("x.o/.../..x o")
    assert position.cells() == "x.o.....x"
    assert position.write() == ("x.o/.../..x", "o")
    own, rival = position.arrays()
    assert own.astype(int).tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert rival.astype(int).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert own.dtype == np.bool_
    x, o = position.marks
    assert position.sides == (o, x) and position.taken == x | o
    assert [position.move_to(position.mark_of(move)) for move in position.moves()] == [
        *position.moves()
    ]
    with pytest.raises(StopIteration):
        position.move_to(x)
    assert position.without_gaps() == (0b100_000_001, 0b000_000_100)


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("xx./.../... x", "error.wrong_counts", {"x": 2, "o": 0, "board": "xx./.../..."}),
        ("o../.../... x", "error.wrong_counts", {"x": 0, "o": 1, "board": "o../.../..."}),
        ("x../.../... x", "error.wrong_turn", {"turn": "x", "board": "x../.../..."}),
        ("xo./.../... o", "error.wrong_turn", {"turn": "o", "board": "xo./.../..."}),
        ("x../.../... y", "error.no_turn", {"turn": "y"}),
        ("xxx/ooo/... x", "error.already_won", {"turn": "x", "board": "xxx/ooo/..."}),
    ],
)
def test_a_board_that_no_play_leads_to_is_refused(
    text: str, key: str, values: dict[str, Any]
) -> None:
    with pytest.raises(InvalidPositionError) as refused:
        board(text)
    assert (refused.value.key, refused.value.values) == (key, values)


def test_all_turned_and_mirrored_boards_have_one_image() -> None:
    turned = "x../.o./...", "..x/.o./...", ".../.o./x..", ".../.o./..x"
    images = {cast("MarkPosition", board(f"{each} x")).image() for each in turned}
    assert [str(each) for each in images] == ["tictactoe:3,3,3 .../.o./..x x"]
    assert str(board("x../.../... o").image()).endswith(" .../.../..x o")


def test_lines_are_edges_that_tell_whose_they_are() -> None:
    lines = [(0, 1), (1, 2), (1, 3), (0, 2), (0, 1, 3)]
    graph = line_graph(Grid(1, 4), "x.o.", lines)
    assert [(edge.name, edge.ends, edge.mark) for edge in graph.edges] == [
        ("a1-b1", ("a1", "b1"), "first"),
        ("b1-c1", ("b1", "c1"), "second"),
        ("b1-d1", ("b1", "d1"), "open"),
        ("a1-c1", ("a1", "c1"), "dead"),
        ("a1-d1", ("a1", "b1", "d1"), "first"),
    ]
    assert graph.notes[0].values == {"first": 2, "second": 1, "open": 1, "dead": 1}
    assert [vertex.mark for vertex in graph.vertices] == ["first", "", "second", ""]


def test_lines_are_ruled_between_the_cells() -> None:
    svg = MarkDrawing(board("x../.../... o")).svg(View(highlights=(4,), labels={5: "+1"}))
    assert 'd="M105 49v172M165 49v172M49 105h172M49 165h172"' in svg
    assert svg.count('class="cell"') == 9 and "lit" not in svg
    assert 'class="highlight"' in svg and ">+1</text>" in svg
    assert svg.count('class="piece pen"') == 1 and 'data-at="a1"' in svg
    after = MarkDrawing(board("xo./.../... x")).svg(View(played=((board("x../.../... o"), 1),)))
    lit = [each for each in after.split("<") if "cell last lit" in each]
    assert len(lit) == 1 and 'data-cell="b1"' in lit[0]
