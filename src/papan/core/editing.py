"""Setting up a board: change a position spot by spot, whether the result can come about or not.

`Game.read` has the last word on that. Until then a draft may be any picture that people draw.
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

NOTHING = "."
"""What stands at an empty spot."""


@dataclass(frozen=True)
class Piece:
    """Something that can stand at a spot, and its drawing in a square of one cell."""

    content: str
    svg: str = ""


@dataclass(frozen=True)
class Dial:
    """A number of a position that no spot shows, such as the rounds of a game."""

    name: str
    value: int
    least: int
    most: int


class Draft(ABC):
    """A position on its way; each change makes another position."""

    position: Position

    @abstractmethod
    def pieces(self) -> Sequence[Piece]:
        """What can stand at a spot: nothing first."""

    @abstractmethod
    def spots(self) -> Mapping[str, str]:
        """What stands at each spot."""

    @abstractmethod
    def put(self, spot: str, content: str) -> Position:
        """The position with *content* at a *spot*; both must be known."""

    @abstractmethod
    def cleared(self) -> Position:
        """The position with nothing at any spot."""

    def dials(self) -> Sequence[Dial]:
        """The numbers that can be changed."""
        return ()

    def dialled(self, name: str, value: int) -> Position:
        """The position with another number; both must be known."""
        return self.position

    def with_turn(self, turn: int) -> Position:
        """The position with another seat to move."""
        position: Any = self.position  # a dataclass: positions are values
        turned: Position = replace(position, turn=turn)
        return turned


@dataclass(frozen=True)
class GridDraft(Draft):
    """A board whose text is one word for each cell."""

    position: Position
    grid: Grid
    known: Sequence[Piece]
    between: str = ""
    """What separates the words."""
    empty: str = NOTHING
    """How the text writes an empty cell."""

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
        rows = self.position.write()[0].split("/")
        return [word for row in rows for word in (row.split(self.between) if self.between else row)]

    def _with(self, words: Sequence[str]) -> Position:
        _, *rest = self.position.write()
        return self.position.game.sketch((self.grid.board(words, self.between), *rest))


def marks() -> tuple[Piece, ...]:
    """Nothing, or the mark of either seat."""
    middle = UNIT / 2
    return (
        Piece(NOTHING),
        Piece("x", board.cross(middle, middle)),
        Piece("o", board.nought(middle, middle)),
    )


def checked(draft: Draft, spot: str, content: str) -> None:
    """Refuse a spot or a content that this board does not know."""
    if spot not in draft.spots():
        raise InvalidPositionError("error.no_spot", spot=spot, known=_few(draft.spots()))
    known = [piece.content for piece in draft.pieces()]
    if content not in known:
        raise InvalidPositionError("error.no_piece", content=content, known=_few(known))


def checked_dial(draft: Draft, name: str, value: int) -> None:
    """Refuse a number that cannot be set, or not so."""
    dials = {dial.name: dial for dial in draft.dials()}
    if name not in dials:
        raise InvalidPositionError("error.no_dial", name=name, known=_few(dials) or "-")
    dial = dials[name]
    if not dial.least <= value <= dial.most:
        raise InvalidPositionError("error.dial", name=name, least=dial.least, most=dial.most)


def _few(names: Sequence[str] | Mapping[str, Any]) -> str:
    return " ".join(list(names)[:30])
