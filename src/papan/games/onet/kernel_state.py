"""Onet for the shared searches: the usual links, and tiles that stay in place.

A board has a bit for each cell with a tile: four words, and twice as many on more than 256 cells.
Links are found on a record, as in `kernel.py`; each position brings its own, because two searches
may run at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import SIX, SIXTY_THREE, Board, answers, packed, with_word
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
from papan.games.onet.kernel import Board as Workspace
from papan.games.onet.kernel import alike, joins, new_board, put, stands, sweep
from papan.games.onet.support import FEW

if TYPE_CHECKING:
    from papan.games.onet.rules import OnetPosition

U = np.uint64
MOST_PAIRS = 2**17
"""With more pairs of equal tiles than this, lists of moves would take too much room."""
MOVES_WANTED, COUNT_WANTED, ANY_WANTED = range(3)


class Rules(NamedTuple):
    """What the rules look up, and where they work."""

    board: NDArray[Any]
    """One record: see `kernel.py`."""
    cells: int
    few: float
    """See `rules.estimate`."""


def form(position: OnetPosition) -> Native | None:
    """The position for the shared searches."""
    game = position.game
    workspace = new_board(np.array(position.tiles, dtype=np.int64), game.rows, game.columns)
    widest = int(workspace["pairs"][0])
    if widest > MOST_PAIRS:
        return None
    bits = sum(1 << cell for cell, tile in enumerate(position.tiles) if tile)
    words = packed(bits, 4 if game.grid.size <= 256 else 8)
    rules = Rules(workspace, game.grid.size, float(FEW))
    return Native(rules, words, widest, bits.bit_count() // 2)


@native()
def set_up(workspace: Workspace, board: Board) -> None:
    """Put the tiles of a board onto the workspace, and no others."""
    sweep(workspace)
    for word in range(len(board)):
        left = board[word]
        while left:
            put(workspace, U(word) << SIX | lowest(left))
            left &= left - ONE


@native()
def links(rules: Rules, board: Board, moves: Any, first: int, wanted: int) -> int:
    """How many pairs can be linked, lowest cells first: all of them, or whether there is any."""
    workspace, at = rules.board[0], first
    set_up(workspace, board)
    for cell in span(U(rules.cells)):
        if not stands(workspace, cell):
            continue
        begin, end = alike(workspace, workspace.kind[cell])
        for place in span(begin, end):
            other = workspace.cells[place]
            if other > cell and stands(workspace, other) and joins(workspace, cell, other):
                if wanted == MOVES_WANTED:
                    store(moves, at, cell * U(rules.cells) + other)
                at += 1
                if wanted == ANY_WANTED:
                    return 1
    return at - first


@native()
def tiles_left(board: Board) -> int:
    """How many tiles are on a board."""
    count = ZERO
    for word in range(len(board)):
        count += popcount(board[word])
    return signed(count)


@native()
def lifted(board: Board, cell: Word) -> Board:
    """The board without the tile of a cell."""
    at = signed(cell >> SIX)
    after: Board = with_word(board, at, board[at] & ~(ONE << (cell & SIXTY_THREE)))
    return after


@answers(ask.turn, Rules)
def turn(rules: Rules, board: Board) -> int:
    return signed(0)


@answers(ask.over, Rules)
def over(rules: Rules, board: Board) -> bool:
    nowhere = words_at(ZERO)
    return links(rules, board, nowhere, 0, ANY_WANTED) == 0


@answers(ask.legal, Rules)
def legal(rules: Rules, board: Board, moves: Any, first: int) -> int:
    return links(rules, board, moves, first, MOVES_WANTED)


@answers(ask.play, Rules)
def play(rules: Rules, board: Board, move: int) -> Board:
    return lifted(lifted(board, U(move // rules.cells)), U(move % rules.cells))


@answers(ask.margin, Rules)
def margin(rules: Rules, board: Board, seat: int) -> float:
    return float(rules.cells - tiles_left(board))


@answers(ask.evaluate, Rules)
def evaluate(rules: Rules, board: Board, seat: int) -> float:
    nowhere = words_at(ZERO)
    count = float(links(rules, board, nowhere, 0, COUNT_WANTED))
    return float(rules.cells - tiles_left(board)) + count / (count + rules.few)
