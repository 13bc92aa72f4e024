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
    """The masks of a board of at most 64 cells: the fields of `rows.RowRules`, under another type.

    By this type compiled searches choose the functions of Tic Tac Toe, such as `_legal` and
    `_play`.
    """


def tictactoe_form(position: TicTacToePosition) -> Native:
    """Return a position that is not over, on a board of any size, as compiled searches take it.

    On at most 64 cells, and with lines of at most 8, its board is four words: the bitboards of the
    seat to move and of its rival, the seat to move (0 or 1), and 1 if a line is full, else 0. Else
    it is the twelve words of `rows.row_form`.
    """
    return rows.row_form(position, TicTacToeRules)


@cache
def tictactoe_patterns(game: TicTacToe) -> RowPatterns | None:
    """Return the patterns for lines of this length with the weights that papan ships; cached.

    None if it ships none, and for boards whose shorter side is at most as long as a winning line.
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

    They are written from index *first* on; none if a line is full. One word after them may be
    overwritten, too.
    """
    taken, at = board[0] | board[1], first
    if board[3] == ZERO:
        for cell in range(rules.cells):
            store(moves, at, Word(cell))
            at += signed(taken >> Word(cell) & ONE ^ ONE)
    return at - first


@answers(ask.play, TicTacToeRules)
def _play(rules: TicTacToeRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after the seat to move has marked cell number *move*.

    The cell must be empty: not checked. The words of both boards are those of `tictactoe_form`.
    """
    own = board[0] | ONE << Word(move)
    return board[1], own, ONE - board[2], rows.completes(rules.lines, own, move)
