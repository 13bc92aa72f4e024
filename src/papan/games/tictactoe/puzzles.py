"""Puzzles of Tic Tac Toe: a question gives the length of a winning line."""

from __future__ import annotations

from papan.core import Message, Position
from papan.games.tictactoe.rules import TicTacToe
from papan.puzzles.themes import LineThemes


class TicTacToeThemes(LineThemes, game=TicTacToe):
    """The puzzle themes of Tic Tac Toe; a question gives the length of a winning line."""

    game: TicTacToe

    def situation(self, position: Position) -> list[Message]:
        return [Message("tictactoe.in_a_row", {"count": self.game.connect})]
