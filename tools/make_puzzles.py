"""Add puzzles to those that papan ships: src/papan/puzzles/shipped.txt.

    python tools/make_puzzles.py LOG [MINUTES [GAME]]

Games are played, of all that the plan names or of one GAME, and their positions solved; then those
that differ from each other, and from the puzzles that are there, are rated. What is found is kept
in LOG, from which it goes on when it was stopped; after MINUTES it stops by itself, with what is
rated by then. The findings follow from plan, seed and the searches of this version of papan, on
every machine.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, TypeAlias

from papan import catalog
from papan.lab.files import PUBLIC, write_whole
from papan.lab.log import Json, ResumableLog
from papan.lab.work import WorkItem, run_timed
from papan.puzzles import EASIEST, SHIPPED, Puzzle, read, write_puzzles
from papan.puzzles.making import found_in_a_game, puzzle_look
from papan.puzzles.sight import PicturePoint, rating


class Part(NamedTuple):
    """One part of the plan: the games to play on a board, and the theme if only one is wanted."""

    spec: str
    games: int
    theme: str = ""


PLAN = (
    Part("tictactoe:3,3,3", 200),
    Part("tictactoe:4,4,4", 300),
    Part("tictactoe:5,5,4", 600),
    Part("connect4:6,7", 1500),
    Part("connect4:5,6", 800),
    Part("dots:2,3", 150),
    Part("dots:3,3", 120),
    Part("dots:3,4", 50),
    Part("dots:4,4", 20),
    Part("adjacency:5,5,8", 500),
    Part("adjacency:6,6,12", 900),
    Part("onet:4,4,kinds=5", 800),
    Part("onet:4,5,kinds=6", 800),
    Part("onet:4,6,kinds=8", 500),
    Part("onet:4,6,kinds=8,gravity=left", 120),
    Part("onet:5,6,kinds=10", 500),
    Part("onet:6,8", 300),
)
SEED = 2030
"""Seed of the games; another one finds other puzzles."""
AT_ONCE = 10
"""Number of games played before their puzzles are saved."""
MOST_ALIKE, MOST_PLAIN = 30, 12
"""Maximum number of puzzles of one size and theme, and of those that are seen at once."""
PLAIN = EASIEST + 150
"""Rating below which a puzzle is seen at once."""

Row: TypeAlias = tuple[str, str, PicturePoint | None]
"""Theme, position, and the point where the last move was made."""


def found(spec: str, theme: str, first: int) -> list[Row]:
    """Return the candidate puzzles of the AT_ONCE games from number *first* on.

    Empty if there are none.
    """
    game = catalog.game(spec)
    return [
        (each.theme, str(each.position), each.last)
        for number in range(first, first + AT_ONCE)
        for each in found_in_a_game(game, random.Random(f"puzzles {SEED} {number} {spec}"), theme)
    ]


def rated(theme: str, text: str, last: PicturePoint | None) -> int:
    """Return the rating of a puzzle, in points of the scale that papan's puzzles have."""
    return rating(catalog.position(text), theme, last)


def searches(game: str) -> list[WorkItem]:
    """Return the work items of all games whose name begins with *game*.

    They are interleaved so that every part has results early.
    """
    portions = [
        (first / part.games, part)
        for part in PLAN
        if part.spec.startswith(game)
        for first in range(0, part.games, AT_ONCE)
    ]
    return [
        WorkItem(
            f"{spec} {theme} {round(share * games)}", found, (spec, theme, round(share * games))
        )
        for share, (spec, games, theme) in sorted(portions)
    ]


class Collection:
    """The puzzles to ship: no two look alike, and the number of each kind is limited."""

    def __init__(self) -> None:
        self.puzzles = list[Puzzle]()
        self._looks = set[str]()
        self._counts = Counter[tuple[str, ...]]()

    def wants(self, theme: str, text: str) -> bool:
        """Return whether there is room for a puzzle, before its rating is known."""
        fresh = puzzle_look(catalog.position(text)) not in self._looks
        return fresh and self._counts[_size(text), theme] < MOST_ALIKE

    def add(self, puzzle: Puzzle) -> None:
        """Add a puzzle, unless there are enough of its kind that are as easy."""
        kind = _size(puzzle.text), puzzle.theme
        self._looks.add(puzzle_look(puzzle.position))
        plain = puzzle.rating < PLAIN
        if not (plain and self._counts[*kind, "plain"] >= MOST_PLAIN):
            self.puzzles.append(puzzle)
            self._counts[kind] += 1
            self._counts[*kind, "plain"] += plain


def _size(text: str) -> str:
    """Return the specification of the game in a puzzle's text."""
    return text.split()[0]


def done(log: ResumableLog, item: WorkItem, end: float) -> Json:
    """Return the result of an item, from the log or by running it.

    None if *end*, in seconds, has passed. A result that is computed is also logged.
    """
    if item.name not in log.found and time.monotonic() < end:
        log.keep(item.name, *run_timed(item))
        print(f"\r{len(log.found)} {item.name[:60]:60}", end="", file=sys.stderr)
    return log.found.get(item.name)


def main(path: str, minutes: str = "inf", game: str = "") -> None:
    """Find and rate puzzles with the log *path*, and write those wanted to papan's file.

    After *minutes* it stops with those rated by then; *game* restricts it to boards whose text
    begins so.
    """
    place = Path(str(files("papan.puzzles").joinpath(SHIPPED)))
    end = time.monotonic() + 60 * float(minutes)
    log = ResumableLog(Path(path), {"seed": SEED, "at_once": AT_ONCE}, {})
    log.open()
    collection = Collection()
    for each in read(place.read_text(encoding="utf-8")):
        if collection.wants(each.theme, each.text):
            collection.add(each)
    for item in searches(game):
        for theme, text, last in done(log, item, end) or ():
            if collection.wants(theme, text):
                strength = done(log, WorkItem(f"{theme} {text}", rated, (theme, text, last)), end)
                if strength is not None:
                    collection.add(Puzzle(theme, strength, text))
    write_whole(place, write_puzzles(collection.puzzles), PUBLIC)
    print(Counter((each.game, each.theme) for each in collection.puzzles), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
