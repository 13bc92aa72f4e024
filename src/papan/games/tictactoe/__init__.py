"""Tic Tac Toe on boards of any size, also known as the m,n,k game."""

from papan.games.tictactoe.rules import TicTacToe as TicTacToe
