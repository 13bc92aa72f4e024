"""Onet for the shared searches: the usual links, and tiles that stay in place.

A board has a bit for each cell with a tile: four words, and twice as many on more than 256 cells.
Links are found on a record, as in `kernel.py`; each position has its own, because two searches may
run at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import SIX, SIXTY_THREE, NativeBoard, answers, packed, with_word
from papan.engine.native import (
    ONE,
    ZERO,
    Word,
    lowest,
    native,
    popcount,
    signed,
    span,
    store,
    words_at,
)
from papan.games.onet.kernel import OnetBoard as Workspace
from papan.games.onet.kernel import alike, clear_tiles, joins, new_board, put_tile, stands
from papan.games.onet.support import FEW

if TYPE_CHECKING:
    from papan.games.onet.rules import OnetPosition

MOST_PAIRS = 2**17
"""With more pairs of equal tiles than this there is no native form: lists of moves would be too
long.
"""
MOVES_WANTED, COUNT_WANTED, ANY_WANTED = range(3)


class OnetRules(NamedTuple):
    """The data that compiled rules look up, and the record that they work on."""

    board: NDArray[Any]
    """An array of one record: see `kernel.OnetBoard`. Each call overwrites which tiles stand."""
    cells: int
    """Number of cells of the board."""
    few: float
    """The number of links that adds half a cell to an estimate: `support.FEW`."""


def onet_form(position: OnetPosition) -> Native | None:
    """Return *position* as compiled searches take it: rules and board.

    The board has a bit for each cell, 1 where a tile stands: four words, or eight if there are more
    than 256 cells. None if there are more than MOST_PAIRS pairs of equal tiles. The game must have
    the usual rule for links and no gravity: not checked.
    """
    game = position.game
    workspace = new_board(np.array(position.tiles, dtype=np.int64), game.rows, game.columns)
    widest = int(workspace["pairs"][0])
    if widest > MOST_PAIRS:
        return None
    bits = sum(1 << cell for cell, tile in enumerate(position.tiles) if tile)
    words = packed(bits, 4 if game.grid.size <= 256 else 8)
    rules = OnetRules(workspace, game.grid.size, float(FEW))
    return Native(rules, words, widest, bits.bit_count() // 2)


@native()
def set_up(workspace: Workspace, board: NativeBoard) -> None:
    """Put the tiles of a board (bits of cells) onto the workspace, in place, and no others."""
    clear_tiles(workspace)
    for word in range(len(board)):
        left = board[word]
        while left:
            put_tile(workspace, Word(word) << SIX | lowest(left))
            left &= left - ONE


@native()
def links(rules: OnetRules, board: NativeBoard, moves: Any, first: int, wanted: int) -> int:
    """Return the number of pairs that can be linked; with ANY_WANTED 1 if there are any, else 0.

    *wanted* is MOVES_WANTED, COUNT_WANTED or ANY_WANTED. With MOVES_WANTED, also write the pairs to
    *moves* from index *first* on, as moves, lower cell * `rules.cells` + the other, in ascending
    order; there must be room: not checked. With the others *moves* is not touched. *board* is bits
    of cells; the standing tiles of `rules.board` are overwritten with it.
    """
    workspace, at = rules.board[0], first
    set_up(workspace, board)
    for cell in span(Word(rules.cells)):
        if not stands(workspace, cell):
            continue
        begin, end = alike(workspace, workspace.kind[cell])
        for place in span(begin, end):
            other = workspace.cells[place]
            if other > cell and stands(workspace, other) and joins(workspace, cell, other):
                if wanted == MOVES_WANTED:
                    store(moves, at, cell * Word(rules.cells) + other)
                at += 1
                if wanted == ANY_WANTED:
                    return 1
    return at - first


@native()
def tiles_left(board: NativeBoard) -> int:
    """Return the number of tiles on a board, given as bits of cells."""
    count = ZERO
    for word in range(len(board)):
        count += popcount(board[word])
    return signed(count)


@native()
def lifted(board: NativeBoard, cell: Word) -> NativeBoard:
    """Return the board, given as bits of cells, without the tile of cell number *cell*.

    The same board if there is no tile.
    """
    at = signed(cell >> SIX)
    after: NativeBoard = with_word(board, at, board[at] & ~(ONE << (cell & SIXTY_THREE)))
    return after


@answers(ask.turn, OnetRules)
def _turn(rules: OnetRules, board: NativeBoard) -> int:
    """Return the seat to move: always 0."""
    return signed(0)


@answers(ask.over, OnetRules)
def _over(rules: OnetRules, board: NativeBoard) -> bool:
    """Return whether the game is over: no pair can be linked."""
    nowhere = words_at(ZERO)
    return links(rules, board, nowhere, 0, ANY_WANTED) == 0


@answers(ask.legal, OnetRules)
def _legal(rules: OnetRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the pairs that can be taken, as moves, in ascending order; return their number.

    They are written to the words *moves* from index *first* on, as lower cell * `rules.cells` + the
    other; there must be room: not checked. *board* is bits of cells.
    """
    return links(rules, board, moves, first, MOVES_WANTED)


@answers(ask.play, OnetRules)
def _play(rules: OnetRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board (bits of cells) without the two tiles of *move*.

    A move is the lower cell * `rules.cells` + the other; that they are linked is not checked.
    """
    return lifted(lifted(board, Word(move // rules.cells)), Word(move % rules.cells))


@answers(ask.margin, OnetRules)
def _margin(rules: OnetRules, board: NativeBoard, seat: int) -> float:
    """Return the margin of the only seat, the number of empty cells; *seat* is not looked at."""
    return float(rules.cells - tiles_left(board))


@answers(ask.evaluate, OnetRules)
def _evaluate(rules: OnetRules, board: NativeBoard, seat: int) -> float:
    """Return the estimate of the final empty cells: those now + links / (links + rules.few).

    Links are the pairs that can be taken now; *seat* is not looked at.
    """
    nowhere = words_at(ZERO)
    count = float(links(rules, board, nowhere, 0, COUNT_WANTED))
    return float(rules.cells - tiles_left(board)) + count / (count + rules.few)
