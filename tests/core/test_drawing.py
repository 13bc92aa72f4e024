"""Films of games: small, valid, still where people prefer that, and never endless."""

import random
import re
from xml.etree import ElementTree

import pytest

from papan import catalog
from papan.core import View
from papan.core.drawing import film
from papan.core.game import Position
from papan.core.parts import Drawing

SVG = "{http://www.w3.org/2000/svg}"


def pictures(name: str) -> list[str]:
    """The positions of a game that luck plays."""
    rng, position = random.Random(name), catalog.position(name)
    plies: tuple[tuple[Position, int], ...] = ()
    drawn = [Drawing.of(position).svg()]
    while moves := position.moves():
        plies = (*plies, (position, rng.choice(list(moves))))
        position = position.child(plies[-1][1])
        drawn.append(Drawing.of(position).svg(View(played=plies)))
    return drawn


@pytest.mark.parametrize("name", catalog.GAMES)
def test_a_film_is_valid_and_far_smaller_than_its_pictures(name: str) -> None:
    frames = pictures(name)
    text = film(frames, "a game", "its moves")
    root = ElementTree.fromstring(text)
    assert root.find(f"{SVG}title") is not None
    assert root.findtext(f"{SVG}desc") == "its moves"
    if type(Drawing.of(catalog.position(name))).svg is not Drawing.svg:  # not just its text
        assert len(text) < sum(map(len, frames)) / 2


def test_without_motion_only_the_last_picture_is_seen() -> None:
    frames = pictures("tictactoe")
    text = film(frames, "a game", "")
    still = text[text.index("<style>") : text.index("@media")]
    hidden = set(re.findall(r"\.(r\d+)\{visibility:hidden\}", still))
    root = ElementTree.fromstring(text)
    seen = [
        part
        for child in root
        if child.get("class") not in hidden
        for part in (
            child if child.tag == f"{SVG}g" and child.get("class", "")[0] == "r" else [child]
        )
    ]
    last = ElementTree.fromstring(frames[-1])
    known = [ElementTree.tostring(each) for each in seen]
    for part in last:
        if part.tag not in (f"{SVG}title", f"{SVG}desc"):
            assert ElementTree.tostring(part) in known


def test_a_film_runs_once_and_only_for_those_who_like_motion() -> None:
    text = film(pictures("tictactoe"), "a game", "", seconds=0.5)
    assert "infinite" not in text
    before, moving = text.split("@media (prefers-reduced-motion:no-preference)")
    assert "animation" not in before
    assert "animation:r0 " in moving


def test_a_film_of_one_picture_is_that_picture() -> None:
    picture = Drawing.of(catalog.position("dots:1,1")).svg()
    assert "<g class=" not in film([picture], "t", "d")


def test_titles_are_text_and_no_markup() -> None:
    text = film([Drawing.of(catalog.position("tictactoe")).svg()], "<b>", "a & b")
    assert ElementTree.fromstring(text).findtext(f"{SVG}desc") == "a & b"


@pytest.mark.parametrize(
    ("text", "cells", "marks"),
    [
        ("tictactoe", ("a1", "b2"), 2),
        ("connect4", ("d1",), 1),
        ("connect4", ("4", "5"), 2),
        ("adjacency:4,4,4", ("a1", "c2", "d4"), 3),
        ("dots:2,2", ("a1b1", "a1"), 2),
        ("onet:2,3 1,2,1/2,3,3", ("a1", "c1"), 2),
    ],
)
def test_e3_cells_of_a_sentence_are_pointed_out(
    text: str, cells: tuple[str, ...], marks: int
) -> None:
    drawing = Drawing.of(catalog.position(text))
    assert drawing.pointed_out(cells).count("<") == marks
    assert drawing.pointed_out(()) == ""
    assert drawing.pointed_out(("z9",)) == ""
