"""Where data and progress go: data to standard output, everything else to standard error."""

from __future__ import annotations

import codecs
import io
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

WIDE = 240
"""How wide text may get when nobody looks at it: no line of data is ever cut."""

PLAINER = {
    "\u2212": "-",
    "\u00b1": "+-",
    "\u00b7": "*",
    "\u2013": "-",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2248": "~",
    "\u2272": "<~",
    "\u2026": "...",
    "\ufffd": "?",
}
"""What stands for a character where the terminal or the pipe has none for it."""


def open_streams() -> None:
    """Make sure that whatever is said can be printed, and whatever is typed can be read."""
    codecs.register_error("papan.plainer", _plainer)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # whoever started papan has closed it
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))  # noqa: SIM115
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "papan.plainer"),
        (sys.stderr, "papan.plainer"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _plainer(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return "".join(PLAINER.get(letter, "?") for letter in letters), error.end


def program() -> str:
    """What the user types for papan."""
    return os.environ.get("PAPAN_COMMAND", "papan")


def console() -> Console:
    """The console for data: colours only for people, and never where NO_COLOR is set."""
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDE)


def print_json(data: object) -> None:
    """One line of JSON."""
    print(json.dumps(data, ensure_ascii=False), flush=True)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table for people; without frames, so that it also reads well aloud and in a pipe."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console().print(table)


def progress(text: str) -> None:
    """A line about how it is going."""
    print(text, file=sys.stderr, flush=True)


def rewrite(text: str) -> None:
    """The same in a line that changes, for those who see it."""
    if sys.stderr.isatty():
        shown = text[: shutil.get_terminal_size().columns - 1]  # two rows could not be rewritten
        print(f"\r\033[K{shown}", end="", file=sys.stderr, flush=True)
