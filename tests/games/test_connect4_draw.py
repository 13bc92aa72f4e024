"""How a board of Connect 4 is drawn, element by element, and what of it can be pointed at."""

import papan
from papan.core import View
from papan.core.parts import Drawing
from papan.games.connect4.drawing import Connect4Drawing
from papan.games.connect4.rules import Connect4, Connect4Position

from .outlines import outline

NAMES = """
column-name 75,18 10px 1
text 75,312.9 8px a
column-name 135,18 10px 2
text 135,312.9 8px b
column-name 195,18 10px 3
text 195,312.9 8px c
column-name 255,18 10px 4
text 255,312.9 8px d
row-name 18,75 8px 4
row-name 18,135 8px 3
row-name 18,195 8px 2
row-name 18,255 8px 1
frame-deep 35,41 260x260
backing 35,35 260x260
"""
STONES = """
piece a1 240
under-first 50,233 50x50
disc first 50,230 50x50
first M64 244L86 266M86 244L64 266
piece b1 240
under-second 110,233 50x50
disc second 110,230 50x50
second 135,255 r11
"""
RIM = (
    "M57 35h216a22 22 0 0 1 22 22v216a22 22 0 0 1 -22 22h-216a22 22 0 0 1 -22 -22v-216"
    "a22 22 0 0 1 22 -22z"
)
HOLES = "".join(
    f"M{left} {y}a25 25 0 1 0 50 0a25 25 0 1 0-50 0z"
    for y in (75, 135, 195, 255)
    for left in (50, 110, 170, 230)
)
CELLS = [f"cell {x},{y} 60x60" for y in (45, 105, 165, 225) for x in (45, 105, 165, 225)]
POINTED = """
gold-edge 110,230 50x50
latest 110,230 50x50
highlight 109,169 52x52
value 75,195 16px +1
"""


def played(moves: str) -> Connect4Position:
    return Connect4(4, 4).start().after(moves)


def drawing(position: Connect4Position) -> Connect4Drawing:
    found = Drawing.of(position)
    assert isinstance(found, Connect4Drawing)
    return found


def test_every_element_of_a_board_is_where_it_belongs() -> None:
    before = played("1")
    view = View(((before, 1),), highlights=(1,), labels={0: "+1"})
    svg = drawing(before.child(1)).svg(view)
    cells = [*CELLS]
    cells[13] = cells[13].replace("cell", "cell last")
    paper, *shown = outline(svg)
    assert paper == "paper 0,0 330x330"
    assert shown == [
        *NAMES.split("\n")[1:-1],
        *STONES.split("\n")[1:-1],
        f"frame {RIM}{HOLES}",
        *cells,
        *POINTED.split("\n")[1:-1],
    ]
    looks = 'fill="#d5def7" fill-rule="evenodd" class="frame" stroke="#6d87cc" stroke-width="2"'
    assert looks in svg


def test_a_won_board_frames_its_fours_and_not_the_last_stone() -> None:
    before = played("1 1 2 2 3 3")
    drawn = outline(drawing(before.child(3)).svg(View(((before, 3),))))
    assert [each for each in drawn if each.startswith(("won", "latest"))] == [
        f"won {left},230 50x50" for left in (50, 110, 170, 230)
    ]


def test_a_larger_board_has_room_for_its_columns_and_rows() -> None:
    wide = Drawing.of(Connect4(5, 10).start()).svg()
    assert outline(wide)[0] == "paper 0,0 690x390"
    assert {"row-name 18,75 17.6px 5", "text 615,372.9 17.6px j"} <= {*outline(wide)}


def test_moves_point_at_the_cell_where_the_stone_lands() -> None:
    board = drawing(played("1 1 1 2"))
    assert [board.label_point(move) for move in (0, 1, 2)] == [(75, 75), (135, 195), (195, 255)]
    assert outline(f"<svg>{board.highlight(1)}</svg>") == ["highlight 109,169 52x52"]
    rings = outline(f"<svg>{board.pointed_out(['2', 'd3', 'z9', '1'])}</svg>")
    assert rings == ["glow 107,167 56x56", "glow 227,107 56x56", "glow 47,47 56x56"]


def test_threats_of_both_seats_have_their_row_and_a_mark_beside_the_middle() -> None:
    position = papan.position("connect4:5,5 ...../...../....o/....o/xxx.o x")
    assert isinstance(position, Connect4Position)
    found = drawing(position).features()
    assert [(each.key, *each.values.values()) for each in found] == [
        ("connect4.odd_threat", "d1", 1),
        ("connect4.even_threat", "e4", 2),
    ]
    assert [outline(f"<svg>{each.svg}</svg>") for each in found] == [
        ["threat", "first M236.25 308.75L248.75 321.25M248.75 308.75L236.25 321.25"],
        ["threat", "second 327.5,135 r6.25"],
    ]


def test_rows_of_threats_are_odd_and_even_from_below() -> None:
    game, keys = Connect4(5, 4), dict[object, str]()
    for row in range(5):  # three in a row, as if the cells below were taken
        stones = sum(game.bits[4 * row : 4 * row + 3])
        for each in drawing(Connect4Position(game, (stones, 0), 1)).features():
            keys[each.values["cell"]] = each.key.removeprefix("connect4.").removesuffix("_threat")
    assert keys == {"d5": "odd", "d4": "even", "d3": "odd", "d2": "even", "d1": "odd"}


def test_spots_are_the_characters_of_a_column_with_its_number() -> None:
    narrow, wide = (drawing(Connect4(4, columns).start()).spots() for columns in (4, 10))
    assert narrow["3"] == [(0, 6), (1, 6), (2, 6), (3, 6), (4, 6)]
    assert wide["2"] == [(row, 5 + part) for row in range(5) for part in (0, 1)]
    assert [*wide] == [str(number) for number in range(1, 11)]
