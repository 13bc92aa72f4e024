"""Onet on at most 256 cells for the shared searches: the usual links, and tiles that stay in place.

A board has a bit for each cell with a tile. Links are found on a workspace of words, as in
`kernel.py`; each position brings its own, because two searches may run at once.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import answers
from papan.engine.control import Words
from papan.engine.native import ONE, TWO, lowest, native, popcount, store, words_at
from papan.games.onet.evaluate import FEW
from papan.games.onet.kernel import (
    BOARD_WORDS,
    COLUMNS,
    HEIGHT,
    KIND,
    ROWS,
    WIDTH,
    cells_of,
    joins,
    lay,
    pairs_alike,
    put,
    stands,
)

if TYPE_CHECKING:
    from papan.games.onet.rules import OnetPosition

U = np.uint64
MOST_PAIRS = 4_096
"""With more pairs of equal tiles than this, lists of moves would take too much room."""
SIX, SIXTY_THREE = U(6), U(63)
MOVES_WANTED, COUNT_WANTED, ANY_WANTED = range(3)


class Rules(NamedTuple):
    """What the rules look up, and where they work."""

    workspace: Words
    """See `kernel.py`."""
    cells: int
    few: float
    """See `evaluate.py`."""


def form(position: OnetPosition) -> Native | None:
    """The position for the shared searches."""
    game, workspace = position.game, np.zeros(BOARD_WORDS, dtype=np.uint64)
    lay(workspace, np.array(position.tiles, dtype=np.int64), game.rows, game.columns)
    widest = int(pairs_alike(workspace))
    if widest > MOST_PAIRS:
        return None
    bits = sum(1 << cell for cell, tile in enumerate(position.tiles) if tile)
    one, two, three, four = (U(bits >> 64 * word & 2**64 - 1) for word in range(4))
    rules = Rules(workspace, game.grid.size, float(FEW))
    return Native(rules, (one, two, three, four), widest, bits.bit_count() // 2)


@native()
def set_up(workspace, board):
    """Put the tiles of a board onto the workspace, and no others."""
    for row in range(ROWS, ROWS + workspace[HEIGHT] + TWO):
        workspace[row] = ONE << workspace[WIDTH] + TWO
    for column in range(COLUMNS, COLUMNS + workspace[WIDTH] + TWO):
        workspace[column] = ONE << workspace[HEIGHT] + TWO
    for word in range(4):
        left = board[word]
        while left:
            put(workspace, U(word) << SIX | lowest(left))
            left &= left - ONE


@native()
def links(rules, board, moves, first, wanted):
    """How many pairs can be linked, lowest cells first: all of them, or whether there is any."""
    workspace, at = rules.workspace, first
    set_up(workspace, board)
    for cell in range(U(rules.cells)):
        if not stands(workspace, cell):
            continue
        begin, end = cells_of(workspace, workspace[KIND + cell])
        for place in range(begin, end):
            other = workspace[place]
            if other > cell and stands(workspace, other) and joins(workspace, cell, other):
                if wanted == MOVES_WANTED:
                    store(moves, at, cell * U(rules.cells) + other)
                at += 1
                if wanted == ANY_WANTED:
                    return 1
    return at - first


@native()
def tiles_left(board):
    """How many tiles are on a board."""
    count = popcount(board[0]) + popcount(board[1]) + popcount(board[2]) + popcount(board[3])
    return np.int64(count)


@native()
def without(board, number, cell):
    """A word of the board without the tile of a cell."""
    here = U(cell >> SIX == U(number))
    return board[number] & ~(here << (cell & SIXTY_THREE))


@native()
def lifted(board, cell):
    """The board without the tile of a cell."""
    one, two = without(board, 0, cell), without(board, 1, cell)
    return one, two, without(board, 2, cell), without(board, 3, cell)


@answers(ask.turn, Rules)
def turn(rules, board):
    return np.int64(0)


@answers(ask.over, Rules)
def over(rules, board):
    nowhere = words_at(rules.workspace.ctypes.data)
    return links(rules, board, nowhere, 0, ANY_WANTED) == 0


@answers(ask.legal, Rules)
def legal(rules, board, moves, first):
    return links(rules, board, moves, first, MOVES_WANTED)


@answers(ask.play, Rules)
def play(rules, board, move):
    return lifted(lifted(board, U(move // rules.cells)), U(move % rules.cells))


@answers(ask.margin, Rules)
def margin(rules, board, seat):
    return float(rules.cells - tiles_left(board))


@answers(ask.evaluate, Rules)
def evaluate(rules, board, seat):
    nowhere = words_at(rules.workspace.ctypes.data)
    count = float(links(rules, board, nowhere, 0, COUNT_WANTED))
    return float(rules.cells - tiles_left(board)) + count / (count + rules.few)
