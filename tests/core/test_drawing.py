"""Films of games: small, valid, still where people prefer that, and never endless."""

import random
import re
from xml.etree import ElementTree

import pytest

from papan import catalog
from papan.core import View
from papan.core.drawing import COLOURS, document, film, label, tag, text_svg
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


def test_an_element_is_written_with_its_attributes_escaped() -> None:
    look = {"class_": "a b", "stroke_width": 2.5, "data_at": 'x<"y'}
    assert tag("path", d="M0", **look) == (
        '<path d="M0" class="a b" stroke-width="2.5" data-at="x&lt;&quot;y"/>'
    )
    assert tag("g", "<path/>", x=100 / 3, y=2) == '<g x="33.3333" y="2"><path/></g>'


def test_a_label_is_centred_and_its_text_is_no_markup() -> None:
    font = 'font-family="system-ui, sans-serif" text-anchor="middle" dominant-baseline="central"'
    ink = f'fill="{COLOURS["ink"]}"'
    assert label(1, 2.5, "a<b") == f'<text x="1" y="2.5" font-size="16" {font} {ink}>a&lt;b</text>'
    assert label(1, 2, "q", 9, class_="v", fill="red") == (
        f'<text x="1" y="2" font-size="9" {font} fill="red" class="v">q</text>'
    )


def opening(size: str, box: str) -> str:
    paper = f'<rect {size} fill="{COLOURS["paper"]}" class="paper"/>'
    svg = '<svg xmlns="http://www.w3.org/2000/svg"'
    return f'{svg} viewBox="0 0 {box}" {size} role="img" class="papan-board">%s{paper}'


def test_a_document_has_its_size_its_texts_and_paper_below_all() -> None:
    head = opening('width="100" height="50.5"', "100 50.5")
    assert document(100, 50.5, "t<", "d&", ["<a/>", "<b/>"]) == (
        head % "<title>t&lt;</title><desc>d&amp;</desc>" + "<a/><b/></svg>"
    )


def test_a_board_in_characters_is_as_large_as_its_lines() -> None:
    drawn = text_svg("board", "ab<\n c  d")
    assert drawn.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 74 64"')
    font = f'font-family="monospace" font-size="16" fill="{COLOURS["ink"]}"'
    wide = "\u00a0c\u00a0\u00a0d"
    assert drawn.endswith(
        f'<text x="12" y="28" {font}>ab&lt;</text><text x="12" y="48" {font}>{wide}</text></svg>'
    )
    assert "<title>board</title><desc>ab&lt;\n c  d</desc>" in drawn


def test_a_film_shows_each_element_in_its_pictures_and_writes_it_once() -> None:
    bodies = ["<a/>", "<b><c/></b>"], ["<a/>", "<d/>"], ["<a/>", "<d/>", "<b><c/></b>", "<a/>"]
    text = film([document(10, 10, "t", "d", body) for body in bodies], "T&", "D<", 2)

    def shown(*times: str) -> str:
        return "".join(f"{time}{{visibility:{state}}}" for time, state in map(str.split, times))

    late = shown("0% hidden", "33.33% visible", "to visible")
    twice = shown("0% visible", "33.33% hidden", "66.67% visible", "to visible")
    moving = "".join(
        f".r{number}{{animation:r{number} 6s step-end both}}@keyframes r{number}{{{keys}}}"
        for number, keys in enumerate((late, twice))
    )
    style = f"<style>@media (prefers-reduced-motion:no-preference){{{moving}}}</style>"
    head = (
        opening('width="10" height="10"', "10 10")
        % f"<title>T&amp;</title><desc>D&lt;</desc>{style}"
    )
    assert text == (
        f'{head}<a/><g class="r0"><d/></g><g class="r1"><b><c/></b></g></svg>'
    )  # the new one lies right above what was below it


def test_what_the_last_picture_lacks_is_hidden_where_nothing_moves() -> None:
    bodies = ["<a/>", "<b/>"], ["<a/>", "<c/>"]
    text = film([document(10, 10, "t", "d", body) for body in bodies], "t", "d")
    assert ".r1{visibility:hidden}@media" in text.replace("<style>", "")
    assert ".r0{visibility:hidden}" not in text
    assert "r1 2s step-end" in text and text.count("50%{visibility:hidden}") == 1


def test_a_film_needs_a_picture() -> None:
    with pytest.raises(IndexError):
        film([], "t", "d")


def test_a_view_knows_the_last_of_the_moves_before_it() -> None:
    start = catalog.position("tictactoe")
    assert View().last is None
    assert View(played=((start, 4), (start.child(4), 0))).last == 0
