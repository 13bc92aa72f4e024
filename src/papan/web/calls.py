"""What workers do besides thinking: whatever would keep the server itself from answering."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

from papan.core import PapanError, View
from papan.core.drawing import film as moving
from papan.core.thinking import Cancelled
from papan.web import boards
from papan.web.boards import Lines, reopened

LINES = Lines()
"""The games that this worker was asked about."""
MOST_PLIES = 400
"""Longer films are too large to be of use."""
MOST_DRAWN = 200_000
"""How often a spot of the board is drawn, at most: a film of a large board takes seconds."""


def board(cancelled: Cancelled, start: str, moves: str) -> str:
    """What a page shows of a game, as JSON."""
    return boards.board(*LINES.reach(start, moves)).model_dump_json()


def record(cancelled: Cancelled, text: str) -> str:
    """A saved game, replayed and checked, as JSON."""
    return reopened(text).model_dump_json()


def film(cancelled: Cancelled, start: str, moves: str, seconds: float) -> str:
    """Every position of a game, one after another, as one SVG that moves."""
    plies, last = LINES.reach(start, moves)
    most = min(MOST_PLIES, MOST_DRAWN // max(1, len(last.spots())))
    if len(plies) > most:
        raise PapanError("web.film_long", moves=len(plies), most=most)
    pictures = []
    for ply, position in enumerate([*(position for position, _ in plies), last]):
        if cancelled():
            return ""  # nobody waits for it any more
        pictures.append(position.svg(View(played=plies[:ply])))
    names = " ".join(last.game.move_name(move) for _, move in plies)
    return moving(pictures, last.game.spec, names or str(last), seconds)


def paper_file(
    cancelled: Cancelled, folder: str, paper: tuple[str, str | None], name: str, language: str
) -> str | None:
    """A file of the report of a paper and its run, as base64; None where there is no such file."""
    from papan.papers import chosen
    from papan.papers.report import content
    from papan.web.papers import newest

    number, run = paper
    report = newest(chosen([number])[0], Path(folder), run)
    found = None if report is None else content(report, name, language)
    if found is None:
        return None
    return b64encode(found.encode() if isinstance(found, str) else found).decode()


CALLS: dict[str, Callable[..., str | None]] = {
    "board": board,
    "film": film,
    "paper_file": paper_file,
    "record": record,
}
