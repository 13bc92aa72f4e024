"""Tic Tac Toe for the shared searches.

On at most 64 cells, and with lines of at most 8, a board is the marks of the seat to move, those of
its rival, the turn, and whether a line is full; larger ones are those of `papan.engine.rows`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from papan.core import Native
from papan.core.marks import LinePosition
from papan.engine import board as ask
from papan.engine import rows
from papan.engine.board import Board, answers
from papan.engine.native import ONE, ZERO, signed, store
from papan.engine.patterns import RowPatterns, shipped

if TYPE_CHECKING:
    from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

U = np.uint64


class TicTacToeRules(rows.Rules):
    """What the rules look up on at most 64 cells."""


def form(position: TicTacToePosition) -> Native:
    """The position for the shared searches; it is not over yet."""
    return rows.form(position, TicTacToeRules)


@cache
def patterns(game: TicTacToe) -> RowPatterns | None:
    """What was learned for lines of this length, on boards that have room around them."""
    if min(game.rows, game.columns) <= game.connect:
        return None
    return shipped(new_patterns(game), __file__, str(game.connect))


def new_patterns(game: TicTacToe) -> RowPatterns:
    """The patterns of a board, before anything is learned."""
    marks = LinePosition.without_gaps
    return RowPatterns((game.rows, game.columns), game.connect, marks, game.most)


rows.answer_alike(TicTacToeRules)


@answers(ask.legal, TicTacToeRules)
def legal(rules: TicTacToeRules, board: Board, moves: Any, first: int) -> int:
    taken, at = board[0] | board[1], first
    if board[3] == ZERO:
        for cell in range(rules.cells):
            store(moves, at, U(cell))
            at += signed(taken >> U(cell) & ONE ^ ONE)
    return at - first


@answers(ask.play, TicTacToeRules)
def play(rules: TicTacToeRules, board: Board, move: int) -> Board:
    own = board[0] | ONE << U(move)
    return board[1], own, ONE - board[2], rows.completes(rules.lines, own, move)
