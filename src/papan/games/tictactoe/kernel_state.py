"""Tic Tac Toe for the shared searches.

On at most 64 cells, and with lines of at most 8, a board is the marks of the seat to move, those of
its rival, the turn, and whether a line is full; larger ones are those of `papan.engine.rows`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from papan.core import Native
from papan.core.marks import LinePosition
from papan.engine import board as ask
from papan.engine import rows
from papan.engine.board import NativeBoard, answers
from papan.engine.native import ONE, ZERO, Word, signed, store
from papan.engine.patterns import RowPatterns, with_shipped_weights

if TYPE_CHECKING:
    from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition


class TicTacToeRules(rows.RowRules):
    """The compiled rules of a board of at most 64 cells: `rows.RowRules` under a type of their own.

    By the type, compiled searches find the functions below.
    """


def tictactoe_form(position: TicTacToePosition) -> Native:
    """Return a position that is not over, on a board of any size, as compiled searches take it.

    The head of this module says what the words of its board are.
    """
    return rows.row_form(position, TicTacToeRules)


@cache
def tictactoe_patterns(game: TicTacToe) -> RowPatterns | None:
    """Return the patterns for lines of this length with the weights that papan ships.

    None if it ships none. None also for boards without room around a line.
    """
    if min(game.rows, game.columns) <= game.connect:
        return None
    return with_shipped_weights(new_tictactoe_patterns(game), __file__, str(game.connect))


def new_tictactoe_patterns(game: TicTacToe) -> RowPatterns:
    """Return new patterns, every window as long as a winning line, with no weights learned yet."""
    marks = LinePosition.without_gaps
    return RowPatterns((game.rows, game.columns), game.connect, marks, game.most)


rows.answer_alike(TicTacToeRules)


@answers(ask.legal, TicTacToeRules)
def _legal(rules: TicTacToeRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the empty cells to *moves*, an array of words, in ascending order; return how many.

    They are written from index *first* on; 0 at the end.
    """
    taken, at = board[0] | board[1], first
    if board[3] == ZERO:
        for cell in range(rules.cells):
            store(moves, at, Word(cell))
            at += signed(taken >> Word(cell) & ONE ^ ONE)
    return at - first


@answers(ask.play, TicTacToeRules)
def _play(rules: TicTacToeRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after the seat to move has marked cell *move*, which must be empty."""
    own = board[0] | ONE << Word(move)
    return board[1], own, ONE - board[2], rows.completes(rules.lines, own, move)
