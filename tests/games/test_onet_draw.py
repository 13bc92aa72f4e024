"""How Onet boards look, in characters and as SVG."""

import re
from xml.etree import ElementTree

import pytest

from papan.core import View
from papan.core.message import LANGUAGES, text_of
from papan.core.parts import Drawing
from papan.games.onet import Onet
from papan.games.onet.drawing import MOTIFS, motif
from papan.games.onet.rules import OnetPosition


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
