"""Rectangular boards and their text: letters for columns, numbers for rows from the top."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from papan.core.errors import InvalidMoveError, InvalidPositionError


def letters(column: int) -> str:
    """The name of a column: ``a`` to ``z``, then ``aa``, ``ab`` and so on."""
    before, last = divmod(column, 26)
    return (letters(before - 1) if before else "") + ascii_lowercase[last]


@dataclass(frozen=True)
class Grid:
    """A rectangle of cells, numbered row by row from 0."""

    rows: int
    columns: int

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each cell."""
        return tuple(
            f"{letters(column)}{row + 1}"
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The cells above, left, right and below of each cell."""
        around = ((-1, 0), (0, -1), (0, 1), (1, 0))
        return tuple(
            tuple(
                (row + down) * self.columns + column + right
                for down, right in around
                if 0 <= row + down < self.rows and 0 <= column + right < self.columns
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    def parse(self, text: str, count: int) -> list[int]:
        """The *count* cells that *text* names one after another, such as ``a1b1``."""
        names = re.findall("[a-z]{1,2}[0-9]{1,3}", text.lower())
        if (
            "".join(names) != text.lower()
            or len(names) != count
            or not self._cells.keys() >= set(names)
        ):
            example = "".join(self.names[:count])
            raise InvalidMoveError(
                "error.not_a_cell", text=text, example=example, last=self.names[-1]
            )
        return [self._cells[name] for name in names]

    @cached_property
    def _cells(self) -> dict[str, int]:
        return {name: cell for cell, name in enumerate(self.names)}

    def board(self, cells: Sequence[str], between: str = "") -> str:
        """The text of a board: one word for each cell, rows set apart by ``/``."""
        rows = range(0, self.size, self.columns)
        return "/".join(between.join(cells[first : first + self.columns]) for first in rows)

    def parse_board(self, text: str, alphabet: str) -> str:
        """The cells of a board's text, one character of *alphabet* each."""
        cells = text.replace("/", "")
        if len(cells) != self.size or self.board(cells) != text or not set(cells) <= set(alphabet):
            example = self.board(alphabet[-1] * self.size)
            raise InvalidPositionError(
                "error.not_a_board", text=text, example=example, alphabet=" ".join(alphabet)
            )
        return cells
