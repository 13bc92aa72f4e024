"""How Onet boards look, in characters and as SVG."""

import re
from xml.etree import ElementTree

import pytest

from papan.core import View
from papan.core.message import LANGUAGES, text_of
from papan.core.parts import Drawing
from papan.games.onet import Onet
from papan.games.onet.drawing import MOTIFS, motif, point_name
from papan.games.onet.rules import OnetPosition

from .outlines import outline


def on(board: str) -> OnetPosition:
    rows = board.split("/")
    return Onet(len(rows), len(rows[0].split(","))).read([board])


def test_the_picture_has_numbers_dots_and_coordinates() -> None:
    assert Drawing.of(on("1,0,12/3,4,5")).picture().splitlines() == [
        "   a  b  c",
        "1  1  . 12",
        "2  3  4  5",
    ]
    assert Drawing.of(Onet(1, 28).start()).picture().splitlines()[0].endswith(" y  z aa ab")


def classes(svg: str, name: str) -> list[dict[str, str]]:
    found = ElementTree.fromstring(svg).iter()
    return [element.attrib for element in found if name in element.get("class", "").split()]


def test_the_drawing_shows_tiles_and_the_line_of_a_highlighted_pair() -> None:
    position = on("1,2,1/3,0,5")
    svg = Drawing.of(position).svg(View(highlights=(position.legal_move("a1c1"),)))
    assert [each["data-cell"] for each in classes(svg, "tile")] == ["a1", "b1", "c1", "a2", "c2"]
    assert len(classes(svg, "highlight")) == 3  # two rings and the line
    (line,) = classes(svg, "path")
    points = [tuple(map(float, point.split(","))) for point in line["points"].split()]
    assert points == [(75, 75), (75, 37), (195, 37), (195, 75)]
    assert [(each["cx"], each["cy"]) for each in classes(svg, "corner")] == [
        ("75", "37"),
        ("195", "37"),
    ]


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("1,2,1/3,4,5", "a1c1"),
        ("3,4,5/1,2,1", "a2c2"),
        ("3,1/4,2/5,1", "b1b3"),
        ("1,3/2,4/1,5", "a1a3"),
    ],
    ids=["above", "below", "right", "left"],
)
def test_a_line_outside_stays_within_the_drawing(board: str, name: str) -> None:
    position = on(board)
    svg = Drawing.of(position).svg(View(highlights=(position.legal_move(name),)))
    root = ElementTree.fromstring(svg)
    corners = classes(svg, "corner")
    assert len(corners) == 2
    for corner in corners:
        assert 0 < float(corner["cx"]) < float(root.attrib["width"])
        assert 0 < float(corner["cy"]) < float(root.attrib["height"])


def test_the_drawing_shows_where_the_last_pair_was() -> None:
    before = on("1,2,1/3,0,5")
    move = before.legal_move("a1c1")
    svg = Drawing.of(before.child(move)).svg(View(played=((before, move),)))
    assert [each["data-cell"] for each in classes(svg, "last") if "data-cell" in each] == [
        "a1",
        "c1",
    ]
    assert len(classes(svg, "path")) == 1


def test_a_pair_that_cannot_go_yet_is_pointed_out_without_a_line() -> None:
    position = on("1,2/2,1")
    svg = Drawing.of(position).svg(
        View(highlights=(position.game.parse_move("a1b2"),), labels={3: "no"})
    )
    assert len(classes(svg, "highlight")) == 2
    assert classes(svg, "path") == []
    assert [element.text for element in ElementTree.fromstring(svg).iter() if element.text == "no"]


def test_all_kinds_differ_without_their_colours() -> None:
    drawn = {re.sub("#(?!fff)[0-9a-f]{6}", "", motif(kind, 0, 0, 15)) for kind in range(1, 1000)}
    assert len(drawn) == 999


def test_motifs_differ_in_their_main_colours() -> None:
    colours = [tuple(re.findall("#[0-9a-f]{6}", each)) for each in MOTIFS]
    assert len(set(colours)) == len(MOTIFS) == 36


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_motif_has_a_name_of_its_own(language: str) -> None:
    names = [text_of(f"onet.tile_{kind}", language) for kind in range(1, len(MOTIFS) + 1)]
    assert len(set(names)) == len(MOTIFS)
    assert not any("onet.tile" in name for name in names)


AFTER_A_PAIR = """
paper 0,0 270x180
tray 33,33 204x144
cell last lit 45,45 60x60
cell tile 105,45 60x60
piece b1
under 107,49 56x55
face 107,47 56x54
motif
cell last lit 165,45 60x60
cell tile 45,105 60x60
piece a2
under 47,109 56x55
face 47,107 56x54
motif
cell 105,105 60x60
cell tile 165,105 60x60
piece c2
under 167,109 56x55
face 167,107 56x54
motif
link last-link
gold-edge 75,75 75,37 195,37 195,75
path last 75,75 75,37 195,37 195,75
corner 75,37 r5
corner 195,37 r5
highlight 109,49 52x52
highlight 169,109 52x52
link highlight-link
path highlight 135,75 135,135 195,135
corner 135,135 r5
value 135,53 12px +1
column-name 75,22.5 8px a
column-name 135,22.5 8px b
column-name 195,22.5 8px c
row-name 22.5,75 8px 1
row-name 22.5,135 8px 2
"""


def test_every_element_of_a_board_is_where_it_belongs() -> None:
    before = on("1,2,1/3,0,2")
    taken, next_pair = before.legal_move("a1c1"), before.legal_move("b1c2")
    view = View(((before, taken),), highlights=(next_pair,), labels={next_pair: "+1"})
    svg = Drawing.of(before.child(taken)).svg(view)
    drawn = [each for each in outline(svg) if each != "g" and "path M" not in each]  # no motifs
    assert drawn == AFTER_A_PAIR.split("\n")[1:-1]
    assert "<title>onet:2,3 0,2,0/3,0,2</title><desc>  a b c\n1 . 2 .\n2 3 . 2</desc>" in svg


def test_a_search_is_drawn_turn_by_turn_and_then_its_line() -> None:
    """From a1 up and left; then along both edges; then around the next corners."""
    position = on("1,2,1/3,0,2")
    traced = Drawing.of(position).traced(position.legal_move("a1c1"))
    assert [(each.key, each.values) for each in traced] == [
        ("onet.frontier", {"turns": 0, "cells": 2, "visited": 2}),
        ("onet.frontier", {"turns": 1, "cells": 6, "visited": 8}),
        ("onet.frontier", {"turns": 2, "cells": 6, "visited": 14}),
        ("onet.path", {"turns": 2, "cells": 3, "visited": 14}),
    ]
    first, second, third, line = (outline(f"<svg>{each.svg}</svg>") for each in traced)
    assert first == ["frontier turns-0 75,37 r9", "frontier turns-0 37,75 r9"]
    assert second[::5] == ["frontier turns-1 37,37 r8", "frontier turns-1 37,173 r8"]
    assert third[::5] == ["frontier turns-2 233,75 r5", "frontier turns-2 233,173 r5"]
    assert line[:2] == ["highlight 49,49 52x52", "highlight 169,49 52x52"]
    assert line[3] == "path highlight 75,75 75,37 195,37 195,75"


def test_a_line_found_only_from_the_second_tile_is_traced_from_there() -> None:
    """By the paper's rule: see `test_a_pair_linked_in_one_order_only_is_a_legal_move`."""
    position = Onet(3, 3, rule="paper").read(["0,0,0/1,0,2/3,0,1"])
    first, *_ = Drawing.of(position).traced(position.legal_move("a2c3"))
    assert (first.values["cells"], outline(f"<svg>{first.svg}</svg>")) == (
        1,
        ["frontier turns-0 135,195 r9"],
    )


def test_the_graphs_join_pairs_by_their_lines_and_cells_by_straight_runs() -> None:
    links, runs = Drawing.of(on("1,2,1/3,0,2")).graphs()
    assert (links.name, runs.name) == ("links", "runs")
    assert [(each.name, each.data["tile"]) for each in links.vertices] == [
        *(("a1", 1), ("b1", 2), ("c1", 1)),
        *(("a2", 3), ("c2", 2)),
    ]
    assert [(*each.ends, each.mark, each.data["turns"], each.path) for each in links.edges] == [
        ("a1", "c1", "link", 2, ((75, 75), (75, 37), (195, 37), (195, 75))),
        ("b1", "c2", "link", 1, ((135, 75), (135, 135), (195, 135))),
    ]
    places = {each.name: each for each in runs.vertices}
    assert [*places] == [f"{letter}{row}" for row in range(4) for letter in "_abcd"]
    tiles = {name for name, each in places.items() if each.stops}
    assert tiles == {name for name, each in places.items() if each.mark == "tile"}
    assert tiles == {"a1", "b1", "c1", "a2", "c2"}
    assert (places["b2"].data, places["c2"].data, places["d3"].at) == (
        {"tile": 0},
        {"tile": 2},
        (233, 173),
    )
    ends = {frozenset(each.ends) for each in runs.edges}
    assert len(ends) == len(runs.edges) == (10 + 4 + 5 + 10) + (6 + 3 + 4 + 3 + 6)
    for near, far, joined in (("a2", "c2", True), ("_1", "b1", False), ("b1", "b3", True)):
        assert (frozenset((near, far)) in ends) == joined, (near, far)
    assert runs.notes[0].values == {"turns": 2, "level": 3}


def test_points_outside_the_board_have_names_too() -> None:
    points = {(-1, -1): "_0", (0, 0): "a1", (2, 3): "d3", (1, -1): "_2", (16, 30): "ae17"}
    assert {point: point_name(point) for point in points} == points


@pytest.mark.parametrize(
    ("kind", "scale", "dashes"),
    [
        *((1, "2", None), (36, "2", None), (37, "1.4", "none"), (73, "1.4", "7 4")),
        *((109, "1.4", "1 4.5"), (180, "1.4", "18 5"), (181, "1.4", "none")),
    ],
)
def test_kinds_with_one_motif_differ_by_a_circle_and_their_number(
    kind: int, scale: str, dashes: str | None
) -> None:
    svg = motif(kind, 100, 50, 20)
    assert MOTIFS[(kind - 1) % 36] in svg
    assert f'transform="translate(100 50) scale({scale})"' in svg
    circles = re.findall('<circle cx="100" cy="50" r="20".* stroke-dasharray="(.*?)"/>', svg)
    assert circles == ([] if dashes is None else [dashes])
    numbers = re.findall('<text x="120" y="70" .*>([0-9]+)</text>', svg)
    assert numbers == ([] if dashes is None else [str(kind)])
