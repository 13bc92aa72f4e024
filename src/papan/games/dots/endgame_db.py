"""The endgame database of a Dots and Boxes board: the value of every quiet position, from a file.

`scripts/make_endgame_db.py` writes it.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import numpy as np

from papan.core import InvalidEndgameDbError, PapanWarning
from papan.games.dots import kernel_endgame_db
from papan.games.dots.endgame_db_file import START, Head, path_for, read_head
from papan.games.dots.numbering import Numbering, has_numbers
from papan.games.dots.rules import Dots
from papan.games.dots.workspace import Memory


class EndgameDb:
    """What the file of a board says; raises InvalidTableError if it is not one."""

    def __init__(self, game: Dots, path: Path) -> None:
        numbering = Numbering(game)
        if read_head(path) != head_of(numbering):
            raise InvalidEndgameDbError("dots.bad_table", path=path)
        self._atlas = numbering.atlas
        self._all_lines = (1 << game.move_count) - 1
        self._values = np.memmap(path, np.uint64, "r", offset=START)
        self._address = self._values.ctypes.data

    def value(self, memory: Memory, drawn: int) -> int:
        """The value of the quiet position with these lines drawn; *memory* is the board's."""
        undrawn = self._all_lines ^ drawn
        return kernel_endgame_db.value(memory.address, self._atlas, self._address, undrawn)


def head_of(numbering: Numbering, left: int = 0, check: int = 0) -> Head:
    """How a file begins when so many cores are left to be done."""
    return Head(numbering.game.rows, numbering.game.columns, numbering.words, left, check)


@cache
def endgame_db_for(game: Dots) -> EndgameDb | None:
    """The endgame database of a board, where there is one; a damaged file is warned of, once."""
    path = path_for(game)
    if not has_numbers(game) or not path.exists():
        return None
    try:
        return EndgameDb(game, path)
    except InvalidEndgameDbError as error:
        warnings.warn(PapanWarning(error), stacklevel=2)
        return None
