"""The workspace of an Adjacency search: the board, weights of the estimate, transpositions."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from papan.core import Move, OutOfBudget
from papan.engine.control import Words, controls
from papan.games.adjacency import kernel
from papan.games.adjacency import kernel_board as board
from papan.games.adjacency.rules import MARKS_AT_START, Adjacency, AdjacencyPosition

Marks: TypeAlias = tuple[np.uint64, np.uint64]
"""The marks of the side to move, then its rival's, on the kernel's board."""
Window: TypeAlias = tuple[int, int]

WIDE = 8
"""The rows and columns of the kernel's board, whatever the game's."""
ENTRY = 16
"""The bytes of an entry of the table."""
NO_MIRROR = 64

HASTE = 1.5
"""How much likelier than by chance a cell beside a mark is taken: found by self-play."""
CHANCE = 0.5
"""What each mark is worth that the next move could turn: found by self-play."""


class Workspace:
    """Everything that the searches of one analysis share."""

    def __init__(self, game: Adjacency, most_nodes: float, entries: int) -> None:
        self.words = controls(most_nodes)
        self.workspace = workspace_words(game).copy()
        self.workspace[board.ROOM] = entries - 2
        self.transpositions = np.zeros(ENTRY // 8 * entries, dtype=np.uint64)
        self._columns = game.columns

    @property
    def arrays(self) -> tuple[Words, Words, Words]:
        """What a kernel is handed."""
        return self.words, self.workspace, self.transpositions

    def marks(self, position: AdjacencyPosition) -> Marks:
        """The marks of a position for the kernel."""
        own, rival = position.marks[position.turn], position.marks[1 - position.turn]
        return self.spread(own), self.spread(rival)

    def score(self, marks: Marks, move: Move, plies: int, depth: int, window: Window) -> int:
        """The score of a move by `kernel.score`; raises OutOfBudget when that was stopped."""
        row, column = divmod(move, self._columns)
        cell = np.uint64(1 << WIDE * row + column)
        score = kernel.score(self.arrays, marks, cell, (plies, depth), window)
        if self.workspace[board.HALTED]:
            raise OutOfBudget("nodes")
        return int(score)

    def surely(self, marks: Marks, plies: int) -> Window:
        """The bounds of the score that show without a search."""
        low, high = kernel.surely(self.workspace, marks, plies)
        return low, high

    def spread(self, cells: int) -> np.uint64:
        """Cells of the game's board on the kernel's, row by row."""
        row = (1 << self._columns) - 1
        rows = ((cells >> self._columns * each & row) << WIDE * each for each in range(WIDE))
        return np.uint64(sum(rows))


@lru_cache(maxsize=64)
def workspace_words(game: Adjacency) -> Words:
    """The workspace before a search: `kernel_board` says which word means what."""
    workspace = np.zeros(board.WORKSPACE, dtype=np.uint64)
    cells = {(row, column) for row in range(game.rows) for column in range(game.columns)}
    for row, column in cells:
        sides = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        beside = [WIDE * r + c for r, c in sides if (r, c) in cells]
        cell = WIDE * row + column
        workspace[board.BESIDE + cell] = sum(1 << each for each in beside)
        workspace[board.BOARD] |= np.uint64(1 << cell)
        if len(beside) > 2:
            workspace[board.FIVE if len(beside) == 4 else board.FOUR] |= np.uint64(1 << cell)
    square = game.rows == game.columns
    workspace[board.MIRROR] = (WIDE + 1) * (WIDE - game.rows) if square else NO_MIRROR
    left = len(cells) - MARKS_AT_START - 2 * game.rounds
    for plies in range(1, 2 * game.rounds + 1):
        at = board.WEIGHTS + board.WEIGHT_COUNT * plies
        workspace[at : at + board.WEIGHT_COUNT] = weights(plies, left)
    return workspace


def weights(plies: int, left: int) -> Words:
    """What an estimate weighs, *plies* before the game ends with *left* cells empty.

    First how much less a mark counts for each empty neighbour more: it stays if no move comes
    beside it; if one does, it may belong to either side. Then what a chance to turn marks counts.
    """
    comes = min(1.0, HASTE * plies / (plies + left))
    stays = [(1 - comes) ** neighbours for neighbours in range(5)]
    falls = [after - before for before, after in pairwise(stays)]
    scaled = [round(board.SCALE * each) for each in (*falls, CHANCE)]
    return np.array(scaled, dtype=np.int64).view(np.uint64)
