"""Write the table of a Dots and Boxes board: the value of every quiet position.

    python tools/make_endgame_db.py ROWS COLUMNS [FILE] [--threads N]

The table is written where the solver looks for it, or to FILE; until it is whole, its name ends in
.part. Call the script again to go on after a stop. A board may have up to 16 boxes, in at least two
rows and columns; 4x4 takes 462 MB and some minutes.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from time import perf_counter

import numpy as np

from papan.core import InvalidDatabaseError, InvalidSpecError
from papan.games.dots.endgame_db import (
    VALUES_PER_WORD,
    Core,
    PositionNumbering,
    has_numbers,
    head_of,
)
from papan.games.dots.endgame_db_file import VALUES_START, checksum, path_for, read_head
from papan.games.dots.kernel_endgame_db import fill_core
from papan.games.dots.rules import Dots
from papan.games.dots.workspace import new_memory


class Draft:
    """A database that is being filled: its file, and how many cores are left."""

    def __init__(self, numbering: PositionNumbering, path: Path) -> None:
        self.numbering = numbering
        self.path = path
        self.left = self._begin()
        self._values = np.memmap(path, np.uint64, "r+", offset=VALUES_START)

    def _begin(self) -> int:
        """Return the number of cores left to fill.

        Without a file of this board, write one in which all are.
        """
        with suppress(InvalidDatabaseError):
            head = read_head(self.path)
            if head == head_of(self.numbering, head.left):
                return head.left
        head = head_of(self.numbering, len(self.numbering.cores))
        with self.path.open("wb") as file:
            file.write(head.packed())
            np.zeros(head.words, np.uint64).tofile(file)  # so that the room is really there
        return head.left

    def fill(self, core: Core) -> Core:
        """Fill in the values of all positions of a core and return it.

        Cores with fewer lines must be done.
        """
        memory = new_memory(self.numbering.board)
        fill_core(memory.address, self.numbering.lookup, self._values.ctypes.data, core.lines)
        return core

    def fill_all(self, threads: int) -> Iterator[Core]:
        """Fill the remaining cores in *threads* threads, and yield each core when it is done."""
        left = self.numbering.cores[len(self.numbering.cores) - self.left :]
        with ThreadPoolExecutor(threads) as pool:
            for _, cores in groupby(left, key=lambda core: core.size):
                for core in pool.map(self.fill, cores):
                    self._keep()
                    yield core

    def _keep(self) -> None:
        """Write to the file that one more core is done; after the last, its checksum."""
        self.left -= 1
        self._values.flush()
        check = 0 if self.left else checksum(self.path)
        with self.path.open("r+b") as file:
            file.write(head_of(self.numbering, self.left, check).packed())


def arguments(words: list[str]) -> argparse.Namespace:
    """Return the parsed command line, with the game and the file.

    Exit with a message if it is invalid.
    """
    parser = argparse.ArgumentParser(description="Write the table of a Dots and Boxes board.")
    parser.add_argument("rows", type=int)
    parser.add_argument("columns", type=int)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--threads", type=int, choices=range(1, 65), default=1, metavar="N")
    asked = parser.parse_args(words)
    try:
        asked.game = Dots(asked.rows, asked.columns)
    except InvalidSpecError as error:
        parser.error(str(error))
    if not has_numbers(asked.game):
        parser.error("the board may have up to 16 boxes, in at least 2 rows and 2 columns")
    asked.file = asked.file or path_for(asked.game)
    if asked.file.is_dir():
        parser.error(f"{asked.file} is a folder; name a file in it")
    return asked


def room(folder: Path) -> int:
    """Return the number of free bytes in a folder's file system."""
    return shutil.disk_usage(folder).free


def make(game: Dots, path: Path, threads: int = 1) -> None:
    """Write the database of a board to *path*; raise OSError if it cannot be written.

    Until it is whole, its name ends in .part; called again, go on from there.
    """
    numbering = PositionNumbering(game)
    part = path.with_name(f"{path.name}.part")
    total = sum(core.positions for core in numbering.cores)
    size = head_of(numbering).size
    print(f"{game.spec}: {total:,} positions, {size:,} bytes", file=sys.stderr)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not part.exists() and room(path.parent) < size:
        raise OSError(f"{path.parent} has room for {room(path.parent):,} bytes only")
    began = perf_counter()
    draft = Draft(numbering, part)
    for core in draft.fill_all(threads):
        done = (core.first + core.positions) / (numbering.words * VALUES_PER_WORD)
        print(f"{done:6.1%}  {perf_counter() - began:6.0f} s", end="\r", file=sys.stderr)
    part.replace(path)
    print(f"{path}: done", file=sys.stderr)


def main() -> None:
    """Make the database that the command line asks for.

    Exit with a message if it cannot be written.
    """
    asked = arguments(sys.argv[1:])
    try:
        make(asked.game, asked.file, asked.threads)
    except OSError as error:
        sys.exit(f"{asked.file} cannot be written: {error}")
    except KeyboardInterrupt:
        print("interrupted: call the script again to go on", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
