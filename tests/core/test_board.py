"""Boards of cells: names, neighbours and symmetries, and where each thing is drawn."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from papan.core import InvalidMoveError, InvalidPositionError, board
from papan.core.board import Grid
from papan.core.drawing import COLOURS

WIDE, FALLING = Grid(2, 3), Grid(2, 3, from_below=True)


def element(svg: str) -> dict[str, str]:
    """The attributes of an SVG element, with its name as ``tag`` and its words as ``text``."""
    found = ElementTree.fromstring(svg)
    return {**found.attrib, "tag": found.tag, "text": "".join(found.itertext())}


def elements(svg: str) -> list[dict[str, str]]:
    return [
        element(ElementTree.tostring(each, "unicode"))
        for each in ElementTree.fromstring(f"<g>{svg}</g>")
    ]


def numbers(found: dict[str, str], *names: str) -> list[float]:
    return [float(found[name]) for name in names]


def test_columns_are_letters_and_then_pairs_of_letters() -> None:
    assert [board.letters(each) for each in (0, 25, 26, 51, 52, 701)] == [
        *("a", "z", "aa", "az", "ba", "zz")
    ]


def test_cells_are_named_from_the_top_or_from_below_where_pieces_fall() -> None:
    assert WIDE.size == 6
    assert WIDE.names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert FALLING.names == ("a2", "b2", "c2", "a1", "b1", "c1")


def test_neighbours_share_a_side() -> None:
    assert WIDE.neighbours == ((1, 3), (0, 2, 4), (1, 5), (0, 4), (1, 3, 5), (2, 4))


def test_images_are_the_symmetries_of_the_board() -> None:
    turned = ((0, 1, 2, 3, 4, 5), (2, 1, 0, 5, 4, 3), (3, 4, 5, 0, 1, 2), (5, 4, 3, 2, 1, 0))
    assert WIDE.images[0] == turned[0] and set(WIDE.images) == set(turned)
    assert set(FALLING.images) == set(turned[:2])
    square = Grid(3, 3).images
    assert len(square) == len(set(square)) == 8
    around = {(image[0], image[2], image[8], image[6]) for image in square}  # the corners, in turn
    corners = (0, 2, 8, 6, 0)
    assert all({*pairwise((*each, each[0]))} & {*pairwise(corners), *pairwise(corners[::-1])}
               for each in around)  # fmt: skip
    assert len(Grid(3, 3, from_below=True).images) == 2


@pytest.mark.parametrize(
    ("text", "count", "cells"),
    [
        ("b2", 1, [4]),
        ("B2", 1, [4]),
        ("1,2", 1, [5]),
        ("(0, 1)", 1, [1]),
        ("a1c2", 2, [0, 5]),
        ("0,0 1,2", 2, [0, 5]),
        ("(0,0) to (1,2)", 2, [0, 5]),
    ],
)
def test_cells_are_read_by_name_and_by_row_and_column(
    text: str, count: int, cells: list[int]
) -> None:
    assert WIDE.parse(text, count) == cells


@pytest.mark.parametrize("text", ["", "a3", "d1", "2,0", "0,3", "a1b1", "a", "1", "a1 !"])
def test_what_is_no_cell_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidMoveError) as refused:
        WIDE.parse(text, 1)
    facts = refused.value.values
    assert (facts["text"], facts["example"]) == (text, "a1")
    assert (facts["last"], facts["corner"]) == ("c2", "1,2")


def test_moves_in_a_line_are_told_apart() -> None:
    assert WIDE.split("a1 b2  c1", 1) == ["a1", "b2", "c1"]
    assert WIDE.split("0,1 (1, 2)", 1) == ["0,1", "(1, 2)"]
    words = WIDE.split("a1b1 0,1 1,1 b2c2", 2)
    assert [WIDE.parse(each, 2) for each in words] == [[0, 1], [1, 4], [4, 5]]
    assert WIDE.split("a1 nonsense", 2) == ["a1", "nonsense"]
    assert WIDE.split("", 1) == []


def test_a_board_is_its_rows_with_strokes_between_them() -> None:
    assert WIDE.board("x..o.x") == "x../o.x"
    assert WIDE.board(["1", "22", "3", "4", "5", "6"], ",") == "1,22,3/4,5,6"
    assert WIDE.parse_board("x../o.x", "xo.") == "x..o.x"
    for wrong in ("x../o.", "x../o.y", "x../o.xx", "x.o/.x", "x..o.x", "/x..o.x"):
        with pytest.raises(InvalidPositionError, match=r"'\.\.\./\.\.\.'|\.\.\./\.\.\."):
            WIDE.parse_board(wrong, "xo.")


def test_a_picture_has_coordinates_around_its_cells() -> None:
    assert board.picture(WIDE, "x..o.x") == "  a b c\n1 x . .\n2 o . x"
    below = board.picture(FALLING, ["12", ".", ".", "3", ".", "."], heads="123")
    assert below == "   1  2  3\n2 12  .  .\n1  3  .  .\n   a  b  c"


def test_each_spot_is_where_the_picture_shows_its_cell() -> None:
    cells = ["10", "11", "12", "13", "14", "15"]
    for grid in (WIDE, FALLING, Grid(6, 1), Grid(1, 6)):
        lines = board.picture(grid, cells).splitlines()
        for (name, places), cell in zip(board.spots(grid, cells).items(), cells):
            assert "".join(lines[row][column] for row, column in places) == cell
            assert name == grid.names[cells.index(cell)]


def test_cells_lie_side_by_side_beside_the_coordinates() -> None:
    assert board.corner(WIDE, 5) == (45 + 2 * 60, 45 + 60)
    assert board.centre(WIDE, 5) == (45 + 2 * 60 + 30, 45 + 60 + 30)


def test_a_cell_a_ring_and_a_glow_are_drawn_where_the_cell_is() -> None:
    size = ("x", "y", "width", "height")
    cell = element(board.square(WIDE, 5))
    assert (cell["tag"], cell["data-cell"], cell["fill"]) == ("rect", "c2", "none")
    assert cell["class"] == "cell"
    assert numbers(cell, *size) == [165, 105, 60, 60]
    assert element(board.square(WIDE, 5, **board.LIT))["fill"] == COLOURS["last"]
    ring = element(board.ring(WIDE, 5))
    assert numbers(ring, *size, "rx") == [169, 109, 52, 52, 8]
    assert (ring["fill"], ring["stroke"]) == ("none", COLOURS["highlight"])
    glowing = elements(board.glow(WIDE, ["c2", "z9", "a1"]))
    assert [numbers(each, *size) for each in glowing] == [[167, 107, 56, 56], [47, 47, 56, 56]]
    assert board.glow(WIDE, ["z9"]) == ""
    name = element(board.value(WIDE, 5, "+1"))
    assert [*numbers(name, "x", "y"), name["text"], name["class"]] == [195, 135, "+1", "value"]


def test_marks_are_crosses_and_circles_in_the_colours_of_their_seats() -> None:
    cross, nought = element(board.cross(100, 50, 10)), element(board.nought(100, 50, 10))
    assert cross["d"] == "M90 40L110 60M110 40L90 60"
    assert (cross["stroke"], cross["class"]) == (COLOURS["first"], "first")
    assert numbers(nought, "cx", "cy", "r") == [100, 50, 10]
    assert (nought["stroke"], nought["class"]) == (COLOURS["second"], "second")
    assert element(board.cross(0, 0))["d"].startswith("M-16.8 -16.8L16.8 16.8")
    assert float(element(board.nought(0, 0))["r"]) == pytest.approx(17.4)


@pytest.mark.parametrize(("seat", "name", "mark"), [(0, "first", "path"), (1, "second", "circle")])
def test_a_solid_piece_has_an_edge_a_face_and_the_mark_of_its_seat(
    seat: int, name: str, mark: str
) -> None:
    under, face, drawn = elements(board.solid(100, 50, seat, 20, 5))
    for part, top, colour in ((under, 33, COLOURS[f"{name}-deep"]), (face, 30, COLOURS[name])):
        assert numbers(part, "x", "y", "width", "height", "rx") == [80, top, 40, 40, 5]
        assert part["fill"] == colour
    assert (under["class"], face["class"]) == (f"under-{name}", f"disc {name}")
    assert (drawn["tag"], drawn["stroke"]) == (mark, COLOURS["surface"])


def test_a_frame_of_gold_lies_on_a_broader_one_that_is_dark() -> None:
    edge, frame = elements(board.gold(100, 50, 20, 5, "won"))
    for part in (edge, frame):
        assert numbers(part, "x", "y", "width", "height", "rx") == [80, 30, 40, 40, 5]
    assert float(edge["stroke-width"]) > float(frame["stroke-width"])
    assert (edge["stroke"], frame["stroke"]) == (COLOURS["gold-edge"], COLOURS["gold"])
    assert (edge["class"], frame["class"]) == ("gold-edge", "won")


def test_a_tray_is_wider_than_its_cells_on_every_side() -> None:
    tray = element(board.tray(180, 120))
    assert numbers(tray, "x", "y", "width", "height") == [37, 37, 196, 136]


def test_a_piece_says_where_it_stands() -> None:
    piece = element(board.piece("b2", "<path/>", "pen", data_kind=3))
    assert (piece["data-at"], piece["class"], piece["data-kind"]) == ("b2", "piece pen", "3")
    assert element(board.piece("b2", "<path/>"))["class"] == "piece"


@pytest.mark.parametrize(
    ("rows", "columns", "size"), [(3, 3, 8), (7, 9, 20), (9, 7, 20), (15, 15, 26)]
)
def test_coordinates_grow_with_the_board_up_to_a_limit(
    rows: int, columns: int, size: float
) -> None:
    assert board.letter_size(rows, columns) == size


@pytest.mark.parametrize(("grid", "rows"), [(WIDE, "12"), (FALLING, "21")])
def test_coordinates_stand_beside_their_columns_and_rows(grid: Grid, rows: str) -> None:
    named = [element(each) for each in board.coordinates(grid, 20, 8, shift=0.5)]
    assert [(each["text"], *numbers(each, "x", "y", "font-size")) for each in named] == [
        *((name, 75 + 60 * place, 20, 8) for place, name in enumerate("abc")),
        *((name, 20, 75 + 60 * place, 8) for place, name in enumerate(rows)),
    ]
    assert [each["class"] for each in named] == ["column-name"] * 3 + ["row-name"] * 2


def test_a_sheet_has_the_board_in_its_middle() -> None:
    root = ElementTree.fromstring(board.sheet(WIDE, "the <title>", "what is there", ["<path/>"]))
    assert root.attrib["viewBox"] == "0 0 270 180"
    assert (root.attrib["width"], root.attrib["height"]) == ("270", "180")
    texts = [each.text for each in root if each.text]
    assert texts == ["the <title>", "what is there", "a", "b", "c", "1", "2"]


def test_a_graph_of_cells_joins_those_side_by_side_once() -> None:
    graph = board.grid_graph(WIDE, "x..o..")
    assert [each.ends for each in graph.edges] == [
        ("a1", "b1"), ("a1", "a2"), ("b1", "c1"), ("b1", "b2"), ("c1", "c2"), ("a2", "b2"),
        ("b2", "c2"),
    ]  # fmt: skip
    assert [each.mark for each in graph.vertices] == ["first", "", "", "second", "", ""]
    assert graph.vertices[5].at == (195, 135)


def test_a_solid_piece_carries_its_mark_small_in_its_middle() -> None:
    cross = elements(board.solid(100, 50, 0, 20, 5))[2]
    nought = elements(board.solid(100, 50, 1, 20, 5))[2]
    assert cross["d"] == "M91.2 41.2L108.8 58.8M108.8 41.2L91.2 58.8"
    assert numbers(nought, "cx", "cy", "r") == [100, 50, 8.8]


def test_the_coordinates_of_a_sheet_stand_beside_the_middle_of_their_cells() -> None:
    found = elements(board.sheet(WIDE, "t", "d", []).partition("<rect")[2].partition("/>")[2]
                     .removesuffix("</svg>"))  # fmt: skip
    assert [(each["text"], *numbers(each, "x", "y", "font-size")) for each in found] == [
        ("a", 75, 22.5, 8), ("b", 135, 22.5, 8), ("c", 195, 22.5, 8),
        ("1", 22.5, 75, 8), ("2", 22.5, 135, 8),
    ]  # fmt: skip


def test_a_picture_is_as_wide_as_the_names_of_its_rows_and_columns() -> None:
    tall, wide = Grid(10, 1), Grid(1, 28)
    assert board.picture(tall, "." * 10).splitlines()[::9] == ["   a", " 9 ."]
    assert board.picture(tall, "." * 10).splitlines()[10] == "10 ."
    assert board.picture(wide, "." * 28).splitlines()[0].endswith("  y  z aa ab")
    assert board.spots(wide, "." * 28)["ab1"] == [(1, 83), (1, 84)]
