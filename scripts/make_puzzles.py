"""Write the puzzles that papan brings: src/papan/puzzles/shipped.txt.

    python scripts/make_puzzles.py [SPEC]...

Without a SPEC all parts of the plan are made, one after the other; with some, those parts are made
anew and the others stay. A part follows from its spec, the seed and the
searches of this version of papan, on every machine.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from papan import catalog
from papan.core import InvalidSpecError
from papan.lab.files import PUBLIC, write_whole
from papan.puzzles import SHIPPED, Puzzle, read, write
from papan.puzzles.making import of_a_game

PLAN = {
    "tictactoe:3,3,3": 150,
    "tictactoe:4,4,4": 100,
    "tictactoe:5,5,4": 260,
    "connect4:6,7": 600,
    "dots:2,3": 80,
    "dots:3,3": 80,
    "dots:3,4": 50,
    "adjacency:6,6,12": 25,
    "adjacency:8,8,8": 120,
    "adjacency:8,8,28": 100,
    "onet:5,6,kinds=12": 100,
    "onet:6,8,kinds=20": 200,
    "onet:4,6,kinds=8,gravity=left": 60,
}
"""How many games are played of each size."""
SEED = 2026
MOST_ALIKE = 130
"""Of one size and theme."""
EASIEST = 500
"""What is easier is no puzzle."""


def part(spec: str) -> Iterator[Puzzle]:
    """The puzzles of one size."""
    game, counts, seen = catalog.game(spec), Counter[str](), set[str]()
    for number in range(PLAN[spec]):
        for each in of_a_game(game, random.Random(f"puzzles {SEED} {number} {spec}")):
            wanted = each.rating >= EASIEST and counts[each.theme] < MOST_ALIKE
            if wanted and each.text not in seen:
                seen.add(each.text)
                counts[each.theme] += 1
                yield each
        print(f"\r{spec} {number + 1}/{PLAN[spec]} {dict(counts)}", end="", file=sys.stderr)
    print(file=sys.stderr)


def main(specs: list[str]) -> None:
    """Make the parts that are named, or all."""
    if unknown := set(specs) - set(PLAN):
        raise InvalidSpecError("puzzle.unknown", name=unknown.pop(), known=", ".join(PLAN))
    path = Path(str(files("papan.puzzles").joinpath(SHIPPED)))
    for spec in specs or PLAN:
        made = list(part(spec))
        kept = list(read(path.read_text(encoding="utf-8"))) if path.exists() else []
        others = [each for each in kept if each.text.split()[0] != spec]
        write_whole(path, write([*others, *made]), PUBLIC)


if __name__ == "__main__":
    main(sys.argv[1:])
