"""Set up boards of Onet: dealt at random by a seed, or by people, tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papan.core import Position, Setup
from papan.core.drawing import UNIT
from papan.core.editing import NOTHING, Draft, GridDraft, Piece
from papan.games.onet.drawing import motif
from papan.games.onet.rules import Onet, OnetPosition


class OnetSetup(Setup, game=Onet):
    """Sets up boards: deals them by a seed, or takes them as people lay them.

    The seed of the game's spec deals the board; if it is 0, a given one. Laid by hand, any cell may
    have any tile, also such that the board cannot be cleared.
    """

    game: Onet
    shuffles = True

    def deal(self, number: int) -> Onet:
        return self.game if self.game.seed else replace(self.game, seed=number)

    def shuffled(self, position: Position, seed: int) -> OnetPosition:
        assert isinstance(position, OnetPosition)
        return position.shuffled(seed)

    def read_rows(self, rows: Sequence[Sequence[str]]) -> Position:
        """Return the board of *rows* of numbers, one for each cell: 0 is empty, else its kind.

        If all options of the game have their defaults, the rows give the size; else they must fit
        the game. A first row with the numbers of rows and columns, as the program of paper 002 asks
        for, is left out, unless it might be a row of a board with two columns. Raise
        InvalidSpecError for a size that Onet does not have, InvalidPositionError for other faults,
        IndexError for no row at all.
        """
        game = self.game
        columns = len(rows[-1])
        if columns != len(rows[0]) and list(rows[0]) == [str(len(rows) - 1), str(columns)]:
            rows = rows[1:]
        if game == Onet():
            game = replace(game, rows=len(rows), columns=len(rows[0]))
        return game.parse("/".join(",".join(row) for row in rows))

    def draft(self, position: Position) -> Draft:
        assert isinstance(position, OnetPosition)
        return GridDraft(position, self.game.grid, pieces(position), between=",", empty="0")


def pieces(position: OnetPosition) -> tuple[Piece, ...]:
    """Return the pieces to set a board up with: nothing, then all kinds by number.

    These are the game's, and others that are on the board of *position*.
    """
    kinds = sorted({*range(1, position.game.kinds + 1), *position.tiles} - {0})
    middle = UNIT / 2
    drawn = (Piece(str(kind), motif(kind, middle, middle, 18)) for kind in kinds)
    return (Piece(NOTHING), *drawn)
