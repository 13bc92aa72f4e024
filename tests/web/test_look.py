"""The colours of the pages: words can be read and marks be seen, in both themes."""

import re
from pathlib import Path

import pytest

import papan.web

CSS = Path(papan.web.__file__).parent / "static" / "css"
BASE = (CSS / "base.css").read_text(encoding="utf-8")
PAIR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
COLOURS = {name: {"light": light, "dark": dark} for name, light, dark in PAIR.findall(BASE)}
READ = [
    *((ink, paper) for ink in ("ink", "quiet") for paper in ("ground", "surface", "raised")),
    *((ink, "surface") for ink in ("first", "second", "good", "bad", "gold-ink")),
    *((ink, "ground") for ink in ("first", "second", "good", "bad", "gold-ink")),
    *[("ink", "last"), ("first", "first-soft"), ("quiet", "first-soft"), ("ink", "second-soft")],
    *[("on-accent", "first"), ("gold-ink", "last"), ("on-mark", "first"), ("on-mark", "second")],
]
SEEN = [
    *((mark, cell) for mark in ("first", "second") for cell in ("ground", "raised", "last")),
    *[("first", "board"), ("second", "board"), ("rim", "ground"), ("gold", "gold-edge")],
]


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1, as the guidelines for accessible pages count it."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_u24_words_can_be_read_and_marks_can_be_seen(theme: str) -> None:
    for pairs, least in ((READ, 4.5), (SEEN, 3.0)):
        found = {
            pair: round(contrast(*(COLOURS[name][theme] for name in pair)), 2) for pair in pairs
        }
        assert {pair: each for pair, each in found.items() if each < least} == {}


def test_u24_a_colour_is_written_once() -> None:
    """Elsewhere sheets use the names, so that a theme is whole; white over a picture is none."""
    sheets = {path.name: path.read_text(encoding="utf-8") for path in CSS.glob("*.css")}
    del sheets["base.css"]
    found = {name: re.findall(r"#[0-9a-f]{6}\b", text) for name, text in sheets.items()}
    assert {name: colours for name, colours in found.items() if colours} == {}
