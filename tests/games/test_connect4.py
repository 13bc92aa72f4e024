"""Connect 4: the rules against counted tables, worked examples and OpenSpiel in every size."""

import random
from itertools import product
from xml.etree import ElementTree

import pyspiel
import pytest

import papan
from papan.core import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Position,
    View,
)
from papan.core.parts import Drawing, Support
from papan.core.session import picked_move
from papan.games.connect4.drawing import _winning_cells
from papan.games.connect4.rules import Connect4, Connect4Position

SIZES = [(rows, columns) for rows in range(4, 9) for columns in range(4, 11)]


def perft(position: Position, plies: int) -> int:
    """How many ways there are to play *plies* moves."""
    moves = position.moves()
    if plies == 1:
        return len(moves)
    return sum(perft(position.child(move), plies - 1) for move in moves)


def board(picture: str, turn: str = "o") -> Connect4Position:
    """The position of a picture in text, on a board of its size."""
    rows = picture.split()
    return Connect4(len(rows), len(rows[0])).read(("/".join(rows), turn))


def test_perft_of_the_usual_board() -> None:
    start = Connect4().start()
    counts = [perft(start, plies) for plies in range(1, 8)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536]


def test_perft_of_other_sizes() -> None:
    assert perft(Connect4(4, 4).start(), 9) == 206_904
    assert perft(Connect4(8, 10).start(), 5) == 100_000


LAYERS = [
    *(1, 4, 16, 52, 160, 436, 1128, 2512, 5084, 9276, 14788),
    *(21720, 26698, 28922, 24912, 18076, 7244),
]
"""How many positions of the 4x4 board there are after so many plies."""


@pytest.mark.parametrize("plies", [9, pytest.param(16, marks=pytest.mark.slow)])
def test_every_position_of_the_4x4_board_to_the_end(plies: int) -> None:
    layer: set[Position] = {Connect4(4, 4).start()}
    for count in LAYERS[: plies + 1]:
        assert len(layer) == count
        layer = {position.child(move) for position in layer for move in position.moves()}
    assert bool(layer) is (plies < 16)
    assert sum(LAYERS) == 161_029  # as published by John Tromp


@pytest.mark.slow
def test_the_4x4_board_is_a_draw() -> None:
    known: dict[Position, float] = {}

    def value(position: Position) -> float:
        """The margin of the first seat with best play."""
        if position not in known:
            values = [value(position.child(move)) for move in position.moves()]
            if not values:
                known[position] = position.scores()[0] - position.scores()[1]
            else:
                known[position] = max(values) if position.turn == 0 else min(values)
        return known[position]

    assert value(Connect4(4, 4).start()) == 0
    assert set(known.values()) == {-1, 0, 1}


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_open_spiel_agrees_in_every_size(rows: int, columns: int) -> None:
    rng = random.Random(f"{rows} {columns}")
    rules = pyspiel.load_game(f"connect_four(rows={rows},columns={columns})")
    ends = set()
    for _ in range(30):
        position, state = Connect4(rows, columns).start(), rules.new_initial_state()
        while True:
            assert position.moves() == state.legal_actions()
            first, second = position.scores()
            assert [first - second, second - first] == state.returns()
            if state.is_terminal():
                break
            assert position.turn == state.current_player()
            move = rng.choice(position.moves())
            position = position.child(move)
            state.apply_action(move)
        ends.add(position.scores())
    assert ends >= {(1, 0), (0, 1)}


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_four_is_four_cells_in_a_straight_line(rows: int, columns: int) -> None:
    game = Connect4(rows, columns)
    expected = set()
    for row, column, (down, right) in product(
        range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))
    ):
        if row + 3 * down < rows and 0 <= column + 3 * right < columns:
            cells = [(row + i * down) * columns + column + i * right for i in range(4)]
            expected.add(sum(game.bits[cell] for cell in cells))
    assert set(game.lines) == expected
    assert len(game.lines) == len(expected)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_only_a_four_wins_never_a_line_around_the_edge(rows: int, columns: int) -> None:
    game = Connect4(rows, columns)
    assert all(game.has_line(four) for four in game.lines)
    rng = random.Random(rows * columns)
    for _ in range(300):
        stones = sum(rng.sample(game.bits, k=min(len(game.bits), 14)))
        assert game.has_line(stones) == any(four & stones == four for four in game.lines)


WINS = {
    "a row": (
        """
        .......
        .......
        .......
        .......
        ooo....
        xxxx...
        """,
        "o",
        "a1 b1 c1 d1",
    ),
    "a column": (
        """
        .......
        .......
        ......o
        ......o
        x.....o
        xx.x..o
        """,
        "x",
        "g4 g3 g2 g1",
    ),
    "a rising diagonal": (
        """
        .......
        .......
        ...x...
        ..xo...
        .xxo...
        xoox.o.
        """,
        "o",
        "d4 c3 b2 a1",
    ),
    "a falling diagonal": (
        """
        .......
        .......
        ...o...
        ...xo..
        .x.xoo.
        .x.oxxo
        """,
        "x",
        "d4 e3 f2 g1",
    ),
}


@pytest.mark.parametrize(("picture", "turn", "cells"), WINS.values(), ids=WINS)
def test_four_in_a_line_win_and_end_the_game(picture: str, turn: str, cells: str) -> None:
    won = board(picture, turn)
    assert won.moves() == []
    assert won.scores() == ((1, 0) if turn == "o" else (0, 1))
    assert [won.game.grid.names[cell] for cell in _winning_cells(won)] == cells.split()


OPEN = {
    "three and a gap": """
        .......
        .......
        .......
        .......
        oo.....
        xx.xo..
        """,
    "from the top of a column to the bottom of the next": """
        x......
        x......
        x......
        o......
        o......
        xxo.oo.
        """,
    "from the end of a row to the start of the next": """
        .......
        .......
        .......
        .......
        .....xx
        xxo.ooo
        """,
}


@pytest.mark.parametrize("picture", OPEN.values(), ids=OPEN)
def test_other_stones_do_not_win(picture: str) -> None:
    position = board(picture, "x" if picture.count("x") == picture.count("o") else "o")
    assert position.scores() == (0, 0)
    assert position.moves() != []
    assert _winning_cells(position) == []


def test_the_seats_take_turns_and_stones_fall_on_each_other() -> None:
    position = Connect4().start().after("4453")
    assert str(position) == "connect4:6,7 ......./......./......./......./...o.../..oxx.. x"
    assert position.turn == 0


def test_a_full_column_is_refused() -> None:
    full = Connect4().start().after("111111")
    assert full.moves() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(IllegalMoveError, match=r"1 is not legal in .*; legal: 2 3 4 5 6 7"):
        full.after("1")


def test_it_is_said_that_a_column_is_full_however_it_was_named() -> None:
    full = Connect4().start().after("111111")
    for given in (0, "1", "a", "a6"):
        with pytest.raises(IllegalMoveError) as refused:
            full.play(given)
        assert refused.value.text("en").endswith("Column 1 is full; choose another one.")
        assert refused.value.text("id").endswith("Kolom 1 sudah penuh; pilih kolom lain.")


def test_a_full_board_without_a_four_is_a_draw() -> None:
    full = Connect4(4, 4).start().after("1113233214423442")
    assert str(full) == "connect4:4,4 xoxx/xoxo/ooox/xxoo x"
    assert full.moves() == []
    assert full.scores() == (0, 0)


def test_a_four_with_the_very_last_stone_is_no_draw() -> None:
    full = Connect4(4, 4).start().after("3131332242124144")
    assert str(full) == "connect4:4,4 oooo/xoxx/ooxx/oxxx x"
    assert full.scores() == (0, 1)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("4453", [3, 3, 4, 2]),
        ("4 4 5 3", [3, 3, 4, 2]),
        ("4,4, 5,3", [3, 3, 4, 2]),
        ("ddec", [3, 3, 4, 2]),
        ("D d E 3", [3, 3, 4, 2]),
        ("44 ec", [3, 3, 4, 2]),
        ("10", [9]),
        ("0", [9]),
        ("1 10", [0, 9]),
        ("aj", [0, 9]),
        ("1090", [0, 9, 8, 9]),
        ("10 10, 1", [9, 9, 0]),
        ("", []),
    ],
)
def test_moves_can_be_written_with_or_without_spaces(text: str, columns: list[int]) -> None:
    game = Connect4(6, 10)
    assert [game.parse_move(name) for name in game.split_moves(text)] == columns


@pytest.mark.parametrize("text", ["0", "8", "h", "10", "4x", "zz", "-1", "٤", "²", "1.5"])
def test_what_is_not_a_column_is_refused(text: str) -> None:
    with pytest.raises(InvalidMoveError) as caught:
        Connect4().start().after(text)
    assert str(caught.value) == (
        f"'{text}' is not a column here; write a number from 1 to 7, a letter from a to g, "
        "or the cell where the disc comes to rest, such as a1."
    )


def test_a_compact_word_names_the_character_that_is_wrong() -> None:
    with pytest.raises(InvalidMoveError, match="'9' is not a column here"):
        Connect4().start().after("4490")


@pytest.mark.parametrize("spec", ["connect4:3,7", "connect4:9,7", "connect4:6,3", "connect4:6,11"])
def test_other_sizes_are_refused(spec: str) -> None:
    with pytest.raises(InvalidSpecError) as caught:
        papan.game(spec)
    assert str(caught.value) == f"{spec}: Connect 4 is played on 4-8 rows and 4-10 columns."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("..../..../.... x", "'..../..../....' is not a board of this size"),
        ("..../..../..../...z x", "with only x o ."),
        ("..../..../..../.... o", "'o' is not to move on '..../..../..../....': x begins"),
        ("..../..../..../x... x", "'x' is not to move on"),
        ("..../..../..../xx.. o", "x has 2 and o has 0 on"),
        ("..../..../..../.... 1", "'1' cannot be to move; write x or o"),
        ("..../..../x.../.... o", "Floating: a2. Every disc lies on the bottom"),
        ("x.../..../x.../o... o", "Floating: a4"),
        ("..../..../oooo/xxxx x", "'x' cannot be to move on .* it has already won"),
        ("o.../o.../oxx./oxxx o", "'o' cannot be to move on .* it has already won"),
        ("....", "is not a position; write it in the form 'connect4:4,4 <board> <turn>'"),
    ],
)
def test_text_that_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidPositionError, match=message):
        Connect4(4, 4).parse(text)


def test_open_fours_make_the_estimate() -> None:
    start = Connect4().start()
    assert Support.of(start.game).evaluate(start, 0) == 0
    centre, edge = start.after("4"), start.after("1")
    assert Support.of(start.game).evaluate(centre, 0) > Support.of(start.game).evaluate(edge, 0) > 0
    three = start.after("1 7 2 7 3")
    assert Support.of(three.game).evaluate(three, 0) > Support.of(three.game).evaluate(
        start.after("1 7 2 7 6"), 0
    )
    blocked = start.after("1 4 2 7 3")
    assert Support.of(blocked.game).evaluate(blocked, 0) < Support.of(three.game).evaluate(three, 0)


def test_n03_the_picture_numbers_the_rows_from_below() -> None:
    assert Drawing.of(Connect4(4, 10).start().after("0 0 1")).picture().splitlines() == [
        "   1  2  3  4  5  6  7  8  9 10",
        "4  .  .  .  .  .  .  .  .  .  .",
        "3  .  .  .  .  .  .  .  .  .  .",
        "2  .  .  .  .  .  .  .  .  .  o",
        "1  x  .  .  .  .  .  .  .  .  x",
        "   a  b  c  d  e  f  g  h  i  j",
    ]


def test_n03_a_cell_is_the_move_into_its_column_where_the_stone_comes_to_rest() -> None:
    start = Connect4().start()
    assert start.after("D1 d2 E1 c1") == start.after("d1d2e1c1") == start.after("4453")
    with pytest.raises(IllegalMoveError, match="comes to rest at d2, not at d1"):
        start.after("d1 d1")
    with pytest.raises(IllegalMoveError, match="Column 1 is full"):
        picked_move(start.after("111111"), "a6")
    with pytest.raises(InvalidMoveError):
        start.after("d7")


def test_n03_the_drawing_names_its_rows_from_below() -> None:
    texts = [
        part.text
        for part in ElementTree.fromstring(Drawing.of(Connect4(4, 4).start()).svg()).iter()
    ]
    assert [text for text in texts if text in ("1", "a", "4")] == ["1", "a", "4", "4", "1"]


def drawn(svg: str, word: str) -> list[ElementTree.Element]:
    """The parts of a drawing that have *word* among their classes."""
    return [part for part in ElementTree.fromstring(svg).iter() if word in classes(part)]


def classes(part: ElementTree.Element) -> list[str]:
    return part.get("class", "").split()


def test_the_drawing_tells_the_stones_apart_by_shape() -> None:
    svg = Drawing.of(Connect4().start().after("4453 1")).svg()
    assert len(drawn(svg, "disc")) == 5
    crosses = [part for part in drawn(svg, "first") if part.tag.endswith("path")]
    rings = [part for part in drawn(svg, "second") if "disc" not in classes(part)]
    assert (len(crosses), len(rings)) == (3, 2)


def test_the_drawing_marks_the_last_stone_and_the_winning_four() -> None:
    before = Connect4().start().after("112233")
    won = before.child(3)
    svg = Drawing.of(won).svg(View(((before, 3),)))
    assert [part.get("data-cell") for part in drawn(svg, "last")] == ["d1"]
    assert len(drawn(svg, "won")) == 4
    assert drawn(Drawing.of(before).svg(), "won") == []


def test_the_drawing_points_at_the_cell_where_a_stone_would_land() -> None:
    position = Connect4().start().after("111111 44")
    svg = Drawing.of(position).svg(View(highlights=(3, 0), labels={3: "+1", 0: "-1"}))
    ring = drawn(svg, "highlight")
    assert len(ring) == 1  # column 1 is full
    x, y = float(ring[0].get("x", 0)), float(ring[0].get("y", 0))
    cell = next(part for part in drawn(svg, "cell") if part.get("data-cell") == "d3")
    assert (x, y) == (float(cell.get("x", 0)) + 4, float(cell.get("y", 0)) + 4)
    assert cell.get("data-move") == "4"
    assert [part.text for part in drawn(svg, "value")] == ["+1"]


def test_experts_see_the_cells_that_would_complete_four() -> None:
    position = papan.position("connect4").after("121314")
    seen = [(each.key, *each.values.values()) for each in Drawing.of(position).features()]
    assert seen == [("connect4.even_threat", "a4", 1), ("connect4.odd_threat", "e1", 2)]
    assert not Drawing.of(position.after("1")).features()


@pytest.mark.parametrize("cell", ["d1", "d3", "d6"])
def test_y7_a_cell_below_or_above_the_one_where_a_stone_lands_is_refused(cell: str) -> None:
    position = papan.position("connect4 4")
    assert position.play("d2") == position.play("4")
    with pytest.raises(papan.IllegalMoveError, match="d2"):
        position.play(cell)


def test_y7_a_click_on_any_row_of_the_picture_names_its_column() -> None:
    position = Connect4(4, 10).start().after("0 0 0 0")
    lines = Drawing.of(position).picture().splitlines()
    spots = Drawing.of(position).spots()
    assert "".join(lines[row][column] for row, column in spots["10"]) == "10 o x o x"
    assert all(lines[row][column] in " ." for row, column in spots["9"] if row)
