"""Tic Tac Toe in menus."""

from papan.core import Card
from papan.games.tictactoe.rules import TicTacToe


class TicTacToeCard(Card, game=TicTacToe):
    """The entry of Tic Tac Toe in menus: sizes to choose from, and a sample game."""

    presets = ("tictactoe:4,4,4", "tictactoe:5,5,5", "tictactoe:5,5,4", "tictactoe:15,15,5")
    sample = "tictactoe b2 a1 c3 a3 a2"
    order = 1
