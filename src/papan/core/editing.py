"""Setting up a board: change a position spot by spot, whether the result can come about or not.

`Setup.draft` of a game returns its Draft. A draft may hold any board; `Game.read` decides whether
it is a position of the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from papan.core import board
from papan.core.board import Grid
from papan.core.drawing import UNIT
from papan.core.errors import InvalidPositionError
from papan.core.game import Position
from papan.core.parts import Setup

NOTHING = "."
"""The content of an empty spot."""


@dataclass(frozen=True)
class Piece:
    """A content that a spot can have, and its SVG in a square of one cell."""

    content: str
    """Its word in the text of a board, such as ``x``; ``.`` for nothing."""
    svg: str = ""
    """SVG elements in a square of `UNIT` x `UNIT` from (0, 0); empty for nothing."""


@dataclass(frozen=True)
class Dial:
    """A number of a position that no spot shows, such as the rounds of its game.

    *value* is what it is now, from *least* to *most*, both inclusive; *name* is its key in
    `Draft.dialled`.
    """

    name: str
    value: int
    least: int
    most: int


class Draft(ABC):
    """A position that is being set up; each change returns a new position.

    The draft stays as it is. The result need not be one that play leads to.
    """

    position: Position

    @abstractmethod
    def pieces(self) -> Sequence[Piece]:
        """Return the contents that a spot can have; the first is an empty spot."""

    @abstractmethod
    def spots(self) -> Mapping[str, str]:
        """Return the content of each spot (`Piece.content`, ``.`` for nothing), by its name."""

    @abstractmethod
    def put(self, spot: str, content: str) -> Position:
        """Return the position with *content* (as in `pieces`) at the spot of that name (`spots`).

        Neither is checked here: `checked` does that.
        """

    @abstractmethod
    def cleared(self) -> Position:
        """Return the position with nothing at any spot, and the same seat to move."""

    def dials(self) -> Sequence[Dial]:
        """Return the numbers of the position that can be changed besides spots. Default: none."""
        return ()

    def dialled(self, name: str, value: int) -> Position:
        """Return the position with the `Dial` called *name* set to *value*.

        The dial must exist and *value* be in its range: `checked_dial` checks that, this does not.
        Default: the position itself, which has no dials.
        """
        return self.position

    def with_turn(self, turn: int) -> Position:
        """Return the position with the seat *turn*, counted from 0, to move.

        Neither the seat nor whether the rules allow it is checked.
        """
        position: Any = self.position  # a dataclass: positions are values
        turned: Position = replace(position, turn=turn)
        return turned


@dataclass(frozen=True)
class GridDraft(Draft):
    """The draft of a board of cells whose text has one word for each cell."""

    position: Position
    grid: Grid
    known: Sequence[Piece]
    """The contents that a cell can have; the first is an empty cell."""
    between: str = ""
    """Separator of the words; empty if each is one character."""
    empty: str = NOTHING
    """Text of an empty cell."""

    def pieces(self) -> Sequence[Piece]:
        return self.known

    def spots(self) -> dict[str, str]:
        words = (NOTHING if word == self.empty else word for word in self._words())
        return dict(zip(self.grid.names, words, strict=True))

    def put(self, spot: str, content: str) -> Position:
        words = self._words()
        words[self.grid.names.index(spot)] = self.empty if content == NOTHING else content
        return self._with(words)

    def cleared(self) -> Position:
        return self._with([self.empty] * self.grid.size)

    def _words(self) -> list[str]:
        """Return the word of each cell in the text of the board, row by row from the top."""
        rows = self.position.write()[0].split("/")
        return [word for row in rows for word in (row.split(self.between) if self.between else row)]

    def _with(self, words: Sequence[str]) -> Position:
        """Return the position with these *words* on its board; its other fields stay as they are.

        *words* has one word for each cell, row by row from the top. Raise InvalidPositionError as
        `Setup.sketch` does.
        """
        _, *rest = self.position.write()
        return Setup.of(self.position.game).sketch((self.grid.board(words, self.between), *rest))


def mark_pieces() -> tuple[Piece, ...]:
    """Return the three contents of a cell as `Piece`, in this order: nothing, x and o."""
    middle = UNIT / 2
    return (
        Piece(NOTHING),
        Piece("x", board.cross(middle, middle)),
        Piece("o", board.nought(middle, middle)),
    )


def content_of_spot(position: Position, spot: str) -> str:
    """Return the content (`Piece.content`) of a *spot*, such as ``b2`` or the line ``a1b1``.

    ``.`` for nothing. Raises InvalidPositionError for an unknown spot, a *spot* that is no text,
    and if the position has no draft.
    """
    draft = Setup.of(position.game).draft(position)
    spots = draft.spots() if draft else {}
    if not isinstance(spot, str) or spot not in spots:
        known = " ".join([*list(spots)[:30], *["…"][: len(spots) > 30]]) or "-"
        raise InvalidPositionError("error.no_spot", spot=spot, known=known)
    return spots[spot]


def checked(draft: Draft, spot: str, content: str) -> None:
    """Raise InvalidPositionError if *draft* has no *spot* of that name, or no such *content*.

    After that `Draft.put` may be called with them.
    """
    if spot not in draft.spots():
        raise InvalidPositionError("error.no_spot", spot=spot, known=_few(draft.spots()))
    known = [piece.content for piece in draft.pieces()]
    if content not in known:
        raise InvalidPositionError("error.no_piece", content=content, known=_few(known))


def checked_dial(draft: Draft, name: str, value: int) -> None:
    """Raise InvalidPositionError if no `Dial` has that *name*, or *value* is out of its range.

    After that `Draft.dialled` may be called with them.
    """
    dials = {dial.name: dial for dial in draft.dials()}
    if name not in dials:
        raise InvalidPositionError("error.no_dial", name=name, known=_few(dials) or "-")
    dial = dials[name]
    if not dial.least <= value <= dial.most:
        raise InvalidPositionError("error.dial", name=name, least=dial.least, most=dial.most)


def _few(names: Sequence[str] | Mapping[str, Any]) -> str:
    """Return the first 30 of *names*, or of the keys of a mapping, with blanks between them."""
    return " ".join(list(names)[:30])
