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
    """Return *position*, on a board of any size, as compiled searches take it: rules and board.

    The position must not be over: not checked. On at most 64 cells, and with lines of at most 8,
    the rules are `TicTacToeRules` and the board is four words: the bitboards of the seat to move
    and of its rival, in which bit n is cell number n, without unused bits; the seat to move (0 or
    1); and 1 if a line is full, else 0. On any other board they are `rows.RowRules` and the twelve
    words of `rows.row_form`.
    """
    return rows.row_form(position, TicTacToeRules)


@cache
def tictactoe_patterns(game: TicTacToe) -> RowPatterns | None:
    """Return the patterns for lines of this length with the weights that papan ships; cached.

    All callers get the same object, which must not be changed. None if papan ships no weights for
    this length, and for boards whose shorter side is at most as long as a winning line. Raise
    OSError or ValueError if the file of weights cannot be read.
    """
    if min(game.rows, game.columns) <= game.connect:
        return None
    return with_shipped_weights(new_tictactoe_patterns(game), __file__, str(game.connect))


def new_tictactoe_patterns(game: TicTacToe) -> RowPatterns:
    """Return new patterns with no weights learned yet: all are 0.

    Every window is one cell longer than a winning line.
    """
    marks = LinePosition.without_gaps
    return RowPatterns((game.rows, game.columns), game.connect, marks, game.most)


rows.answer_alike(TicTacToeRules)


@answers(ask.legal, TicTacToeRules)
def _legal(rules: TicTacToeRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the numbers of the empty cells to *moves*, in ascending order; return how many.

    *moves* is a pointer to words, written from index *first* on, with room for all cells (not
    checked): one word after the moves may be overwritten, too. None are written if a line is full.
    *board* has the four words of `tictactoe_form`.
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

    The cell must be empty, and no line full: not checked. Both boards have the four words of
    `tictactoe_form`.
    """
    own = board[0] | ONE << Word(move)
    return board[1], own, ONE - board[2], rows.completes(rules.lines, own, move)
