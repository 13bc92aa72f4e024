"""Text that is safe to print: nothing in it steers or deceives a terminal."""

from __future__ import annotations

import json
import re

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # steers a terminal, in one byte or two
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # reverses text, or ends lines
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # invisible
    "\ud800-\udfff]"  # halves of characters
)
"""Characters that have no place in a text for people; ends of lines and tabs have."""
LONGEST = 400
"""Characters of a value that a message shows: it is one line, whatever was typed or read."""


def printable(text: str) -> str:
    """Return *text* with U+FFFD for each character that would steer or deceive a terminal.

    Ends of lines (U+000A) and tabs stay.
    """
    return UNPRINTABLE.sub("\ufffd", text)


def short(text: str) -> str:
    """Return *text* in one printable line of at most 400 characters; a longer one ends in ``…``.

    White space of any kind becomes blanks, other unprintable characters U+FFFD.
    """
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"
    flat = "".join(" " if letter.isspace() else letter for letter in cut)
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in flat)


def to_json(data: object, indent: int | None = None) -> str:
    """Return *data* as JSON in printable characters: others are escaped, so that none is lost.

    It is one line unless there is an *indent*, a number of blanks for each level. Raises TypeError
    for what JSON cannot hold, ValueError for what contains itself; NaN and infinity are written,
    which other readers refuse.
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return UNPRINTABLE.sub(lambda letter: json.dumps(letter[0])[1:-1], text)
