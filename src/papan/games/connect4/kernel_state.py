"""Connect 4 for the shared searches.

On at most 64 cells a board is the stones of the seat to move, those of its rival, the turn, and if
there is a four; larger ones are those of `papan.engine.rows`. The columns lie one after the other,
each from the bottom to the top.
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
from papan.engine.native import ONE, ZERO, popcount, signed, store
from papan.engine.patterns import RowPatterns, shipped

if TYPE_CHECKING:
    from papan.games.connect4.rules import Connect4, Connect4Position

U = np.uint64


class Connect4Rules(rows.Rules):
    """What the rules look up on at most 64 cells."""


def form(position: Connect4Position) -> Native:
    """The position for the shared searches; it is not over yet."""
    return rows.form(position, Connect4Rules)


@cache
def patterns(game: Connect4) -> RowPatterns | None:
    """What was learned for this board."""
    return shipped(new_patterns(game), __file__, f"{game.rows}x{game.columns}")


def new_patterns(game: Connect4) -> RowPatterns:
    """The patterns of a board, before anything is learned."""
    marks = LinePosition.without_gaps
    return RowPatterns((game.columns, game.rows), 4, marks, game.most, falls=True)


rows.answer_alike(Connect4Rules)


@answers(ask.legal, Connect4Rules)
def legal(rules: Connect4Rules, board: Board, moves: Any, first: int) -> int:
    taken, at = board[0] | board[1], first
    if board[3] == ZERO:
        top, cells, column = U(rules.column - 1), U(rules.cells), ZERO
        while top < cells:
            store(moves, at, column)
            at += signed(taken >> top & ONE ^ ONE)
            top += U(rules.column)
            column += ONE
    return at - first


@answers(ask.play, Connect4Rules)
def play(rules: Connect4Rules, board: Board, move: int) -> Board:
    height = U(rules.column)
    column = (board[0] | board[1]) >> height * U(move) & (ONE << height) - ONE
    cell = height * U(move) + popcount(column)
    own = board[0] | ONE << cell
    return board[1], own, ONE - board[2], rows.completes(rules.lines, own, signed(cell))
