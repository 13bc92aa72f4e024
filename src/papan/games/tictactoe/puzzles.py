"""Puzzles of Tic Tac Toe: a question tells how long a line must be."""

from __future__ import annotations

from papan.core import Message, Position
from papan.games.tictactoe.rules import TicTacToe
from papan.puzzles.themes import PuzzleThemes


class TicTacToeThemes(PuzzleThemes, game=TicTacToe):
    """The general themes; a question tells how many in a row win."""

    game: TicTacToe

    def situation(self, position: Position) -> list[Message]:
        return [Message("tictactoe.in_a_row", {"count": self.game.connect})]
