"""Connect 4 for the shared searches.

On at most 64 cells a board is the stones of the seat to move, those of its rival, the turn, and
whether there is a four; larger boards are those of `papan.engine.rows`. The columns lie one after
the other, each from the bottom to the top.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from papan.core import Native
from papan.core.marks import LinePosition
from papan.engine import board as ask
from papan.engine import rows
from papan.engine.board import NativeBoard, answers
from papan.engine.native import ONE, ZERO, Word, popcount, signed, store
from papan.engine.patterns import RowPatterns, with_shipped_weights

if TYPE_CHECKING:
    from papan.games.connect4.rules import Connect4, Connect4Position


class Connect4Rules(rows.RowRules):
    """The masks of a board of at most 64 cells: the fields of `rows.RowRules`, under another type.

    By this type compiled searches choose the functions of Connect 4, such as `_legal` and `_play`.
    """


def connect4_form(position: Connect4Position) -> Native:
    """Return *position*, on a board of any size, as compiled searches take it: rules and board.

    The position must not be over: not checked. On at most 64 cells the rules are `Connect4Rules`
    and the board is four words: the bitboards of the seat to move and of its rival, the seat to
    move (0 or 1), and 1 if there is a four, else 0. On larger boards they are `rows.RowRules` and
    the twelve words of `rows.row_form`. Bitboards have the cells column by column, each from the
    bottom, without unused bits between them.
    """
    return rows.row_form(position, Connect4Rules)


@cache
def connect4_patterns(game: Connect4) -> RowPatterns | None:
    """Return the patterns of a board with the weights that papan ships; None if it ships none.

    Cached: it is the same object each time, which must not be changed. Raise OSError or ValueError
    if the file of weights cannot be read.
    """
    return with_shipped_weights(
        new_connect4_patterns(game), __file__, f"{game.rows}x{game.columns}"
    )


def new_connect4_patterns(game: Connect4) -> RowPatterns:
    """Return new patterns for the board of *game*, with windows of four cells and all weights 0."""
    marks = LinePosition.without_gaps
    return RowPatterns((game.columns, game.rows), 4, marks, game.most, falls=True)


rows.answer_alike(Connect4Rules)


@answers(ask.legal, Connect4Rules)
def _legal(rules: Connect4Rules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the open columns, from 0, to *moves* from index *first* on; return their number.

    *moves* is a pointer to words, with room for all columns (not checked): one word after the open
    ones may be overwritten, too. If there is a four, nothing is written, and the result is 0.
    *board* has the four words of `connect4_form`.
    """
    taken, at = board[0] | board[1], first
    if board[3] == ZERO:
        top, cells, column = Word(rules.column - 1), Word(rules.cells), ZERO
        while top < cells:
            store(moves, at, column)
            at += signed(taken >> top & ONE ^ ONE)
            top += Word(rules.column)
            column += ONE
    return at - first


@answers(ask.play, Connect4Rules)
def _play(rules: Connect4Rules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after a stone in the column *move*, from 0, which must be open (unchecked).

    No four may be there, not checked either. Both boards have the four words of `connect4_form`.
    """
    height = Word(rules.column)
    column = (board[0] | board[1]) >> height * Word(move) & (ONE << height) - ONE
    cell = height * Word(move) + popcount(column)
    own = board[0] | ONE << cell
    return board[1], own, ONE - board[2], rows.completes(rules.lines, own, signed(cell))
