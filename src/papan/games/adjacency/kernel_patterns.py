"""Learned patterns of Adjacency on 8x8: the worth of each square of nine cells, by the plies left.

The squares lie in 36 places, of which six are left when turned and mirrored ones count as one. The
boards and the rules are those of `kernel_state`.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import NativeBoard, answers
from papan.engine.control import Words
from papan.engine.native import Word, native, signed, store
from papan.engine.patterns import with_shipped_weights
from papan.games.adjacency import kernel_state
from papan.games.adjacency.support import SAFE

if TYPE_CHECKING:
    from papan.games.adjacency.rules import Adjacency, AdjacencyPosition

SIDE, PLACES, SQUARE_WAYS = 8, 36, 3**9
"""Cells of a side of the board; places of a square, and ways to fill it."""
LAST_OF_STAGE = (2, 6, 12, 20, 30, 42, 64)
"""Stages of a game: up to this many plies left the weights are the same."""
SQUARE_WEIGHT_UNIT = 256
"""The integer that stands for the weight 1."""

Integers: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float64]


class AdjacencyPatternRules(NamedTuple):
    """The data that compiled rules look up: an 8x8 board, its squares, and their weights."""

    beside: Words
    """For each cell, the cells beside it, as a bitboard."""
    cells: np.uint64
    """All cells, as a bitboard."""
    threes: Integers
    """The way, 0 to 26, to fill three cells of a row.

    Its index has three bits of the mover's marks, and above them three of its rival's.
    """
    table: NDArray[np.int16]
    """The worth to the seat to move, in 1/SQUARE_WEIGHT_UNIT marks, of each way to fill a square.

    The index is (stage * PLACES + place) * SQUARE_WAYS + way.
    """
    bias: Integers
    """What is added to the estimate by the number of plies left, in the same unit."""
    stages: Integers
    """The stage, from 0, by the number of plies left: a part of the game in which the weights are
    the same, see `LAST_OF_STAGE`.
    """
    owners: Integers
    """For learning: the number of the weight, within a stage, of each way to fill each square.

    The index is place * SQUARE_WAYS + way.
    """
    kinds: int
    """Number of places of a square when turned and mirrored ones count as one."""


class AdjacencyPatterns:
    """The patterns of a board of 8x8, for any number of rounds, with weights of 0 at first.

    They are the 36 squares of 3x3 cells. *table* and *bias* are the arrays of
    `AdjacencyPatternRules`, which `learn` rewrites; *unit* is what stands for the weight 1.
    """

    unit = SQUARE_WEIGHT_UNIT

    def __init__(self) -> None:
        self.table = np.zeros(len(LAST_OF_STAGE) * PLACES * SQUARE_WAYS, np.int16)
        self.bias: Integers = np.zeros(SIDE * SIDE + 1, np.int64)

    @property
    def kinds(self) -> int:
        """Number of places of a square when turned and mirrored ones count as one."""
        return int(self.owners.max()) // SQUARE_WAYS + 1

    @property
    def weight_count(self) -> int:
        """Number of learned weights: those of all stages, then one for each number of plies."""
        return len(LAST_OF_STAGE) * self.kinds * SQUARE_WAYS + len(self.bias)

    def learn(self, weights: Weights) -> None:
        """Replace all weights by *weights*, an array of `weight_count` floats, in marks.

        They are rounded to 1/SQUARE_WEIGHT_UNIT and kept within ±125. The arrays of `rules` change
        in place.
        """
        whole = np.rint(np.clip(weights * SQUARE_WEIGHT_UNIT, -32000, 32000)).astype(np.int16)
        squares = whole[: -len(self.bias)].reshape(len(LAST_OF_STAGE), -1)
        self.table[:] = squares[:, self.owners].ravel()
        self.bias[:] = whole[-len(self.bias) :]

    def prior(self) -> Weights:
        """Return initial weights, `weight_count` floats in marks, that make up `support.estimate`.

        With them `evaluate` equals that estimate before the end of the game, but for rounding. A
        mark counts one, shared among the squares that it is in, and SAFE more where it is safe;
        that shows in the one square that has all cells beside it. The weights by the number of
        plies are 0.
        """
        squares = np.zeros((self.kinds, SQUARE_WAYS))
        digits = np.arange(SQUARE_WAYS)[:, None] // 3 ** np.arange(8, -1, -1) % 3
        marks = (digits == 1) * 1.0 - (digits == 2)
        for place in range(PLACES):
            top, first = divmod(place, 6)
            gains = np.zeros(SQUARE_WAYS)
            for cell in range(9):
                row, column = top + cell // 3, first + cell % 3
                gains += marks[:, cell] / (squares_with(row) * squares_with(column))
                beside = [
                    (row - 1, column),
                    (row + 1, column),
                    (row, column - 1),
                    (row, column + 1),
                ]
                near = [
                    (y - top, x - first) for y, x in beside if 0 <= min(y, x) <= max(y, x) < SIDE
                ]
                if all(0 <= min(y, x) <= max(y, x) < 3 for y, x in near):
                    taken = (digits[:, [3 * y + x for y, x in near]] != 0).all(axis=1)
                    gains += SAFE * marks[:, cell] * taken
            squares.ravel()[self.owners[place * SQUARE_WAYS : (place + 1) * SQUARE_WAYS]] = gains
        stages = np.tile(squares.ravel(), len(LAST_OF_STAGE))
        return np.concatenate([stages, np.zeros(len(self.bias))])

    @cached_property
    def owners(self) -> Integers:
        """The number of the weight of each place and way, in a flat array of integers.

        Its index is place * SQUARE_WAYS + way, as in `AdjacencyPatternRules.owners`; places that
        are images of each other share weights.
        """
        kinds: dict[tuple[int, int], int] = {}
        ways = np.arange(SQUARE_WAYS)
        found = np.zeros((PLACES, SQUARE_WAYS), np.int64)
        for place in range(PLACES):
            turned = min((moved(*divmod(place, 6), 6, image), image) for image in range(SIDE))
            kind = kinds.setdefault(turned[0], len(kinds))
            way = np.zeros(SQUARE_WAYS, np.int64)
            for cell in range(9):  # a cell of a square is a digit, the first one the highest
                row, column = moved(*divmod(cell, 3), 3, turned[1])
                way += ways // 3 ** (8 - cell) % 3 * 3 ** (8 - 3 * row - column)
            found[place] = kind * SQUARE_WAYS + way
        return found.ravel()

    @cached_property
    def rules(self) -> AdjacencyPatternRules:
        """The data for compiled rules; `learn` rewrites its `table` and `bias` in place."""
        from papan.games.adjacency.rules import Adjacency

        plain = kernel_state.adjacency_rules(Adjacency())
        ternary = [
            sum((bits >> cell & 1) * 3 ** (2 - cell) for cell in range(3)) for bits in range(8)
        ]
        threes = [ternary[each & 7] + 2 * ternary[each >> 3] for each in range(64)]
        stages = np.searchsorted(LAST_OF_STAGE, np.arange(SIDE * SIDE + 1))
        return AdjacencyPatternRules(
            plain.beside,
            plain.cells,
            np.array(threes),
            self.table,
            self.bias,
            stages,
            self.owners,
            self.kinds,
        )

    def native(self, position: AdjacencyPosition) -> Native:
        """Return a position as compiled searches take it, with these patterns as its estimate.

        The board must be of 8x8: not checked.
        """
        return kernel_state.adjacency_form(position)._replace(rules=self.rules)

    def evaluate(self, position: AdjacencyPosition) -> float:
        """Return the estimate of the final margin in marks, for the seat to move.

        It is what `_evaluate` is for compiled searches.
        """
        left, total = position.plies_left, 0
        own, rival = position.marks[position.turn], position.marks[1 - position.turn]
        base = int(self.rules.stages[left]) * PLACES * SQUARE_WAYS
        for place in range(PLACES):
            top, first = divmod(place, 6)
            way = 0
            for cell in range(9):
                at = (top + cell // 3) * SIDE + first + cell % 3
                way = 3 * way + (own >> at & 1) + 2 * (rival >> at & 1)
            total += int(self.table[base + place * SQUARE_WAYS + way])
        return (total + int(self.bias[left])) / SQUARE_WEIGHT_UNIT


@cache
def adjacency_patterns(game: Adjacency) -> AdjacencyPatterns | None:
    """Return the patterns of a board with the weights that papan ships.

    None for boards other than 8x8, or if papan ships no weights. Cached, and the same object for
    all numbers of rounds: it must not be changed. Raise OSError or ValueError as `shipped_patterns`
    does.
    """
    if (game.rows, game.columns) != (SIDE, SIDE):
        return None
    return shipped_patterns()


@cache
def shipped_patterns() -> AdjacencyPatterns | None:
    """Return the patterns of 8x8 with the weights that papan ships, for all numbers of rounds.

    None if papan ships none. Cached: the patterns must not be changed. Raise OSError or ValueError
    if the file of weights cannot be read.
    """
    return with_shipped_weights(AdjacencyPatterns(), __file__, "8x8")


def squares_with(line: int) -> int:
    """Return how many of the six places along one side have a cell of row or column *line*.

    *line* is 0 to 7; the result is 1 to 3.
    """
    return min(line, 2, SIDE - 1 - line) + 1


def moved(row: int, column: int, size: int, image: int) -> tuple[int, int]:
    """Return row and column of a cell in image 0 to 7 of a square of *size* cells a side.

    The bits of *image*: 1 exchanges rows and columns, then 2 turns the rows around, 4 the columns.
    """
    if image & 1:
        row, column = column, row
    return size - 1 - row if image & 2 else row, size - 1 - column if image & 4 else column


answers(ask.turn, AdjacencyPatternRules)(kernel_state.adjacency_turn)
answers(ask.over, AdjacencyPatternRules)(kernel_state.adjacency_over)
answers(ask.legal, AdjacencyPatternRules)(kernel_state.adjacency_legal)
answers(ask.play, AdjacencyPatternRules)(kernel_state.adjacency_play)
answers(ask.margin, AdjacencyPatternRules)(kernel_state.adjacency_margin)


@native(inline=True)
def three(rules: AdjacencyPatternRules, board: NativeBoard, row: int, column: int) -> int:
    """Return how three cells of a row are filled, from *column* on: a number from 0 to 26.

    It has a digit in base 3 for each cell, the first one the highest: 0 empty, 1 the seat to move,
    2 its rival. *row* and *column* count from 0, *column* at most 5: not checked.
    """
    shift = Word(SIDE * row + column)
    own, rival = board[0] >> shift & Word(7), board[1] >> shift & Word(7)
    way: int = rules.threes[signed(own | rival << Word(3))]
    return way


@answers(ask.evaluate, AdjacencyPatternRules)
def _evaluate(rules: AdjacencyPatternRules, board: NativeBoard, seat: int) -> float:
    """Return the estimate of the final margin of *seat* (0 or 1), in marks.

    It is the sum of the weights of the 36 squares and of the number of plies left.
    """
    left = signed(board[3])
    total, base = rules.bias[left], rules.stages[left] * PLACES * SQUARE_WAYS
    for column in range(6):
        way = three(rules, board, 0, column) * 27 + three(rules, board, 1, column)
        for row in range(6):
            way = way % 729 * 27 + three(rules, board, row + 2, column)
            total += signed(rules.table[base + (row * 6 + column) * SQUARE_WAYS + way])
    guess: float = total / SQUARE_WEIGHT_UNIT
    return guess if seat == signed(board[2]) else -guess


@answers(ask.weights, AdjacencyPatternRules)
def _weights(rules: AdjacencyPatternRules, board: NativeBoard, found: Any, first: int) -> int:
    """Write which weights add up to the estimate for the seat to move; return how many: 37.

    They are those of the 36 places and one for the number of plies left. Each is written as a word,
    twice its index among the learned weights, to the pointer *found* from index *first* on.
    """
    left, at = signed(board[3]), first
    stage = rules.stages[left] * rules.kinds * SQUARE_WAYS
    for column in range(6):
        way = three(rules, board, 0, column) * 27 + three(rules, board, 1, column)
        for row in range(6):
            way = way % 729 * 27 + three(rules, board, row + 2, column)
            store(
                found, at, Word(2 * (stage + rules.owners[(row * 6 + column) * SQUARE_WAYS + way]))
            )
            at += 1
    last = len(LAST_OF_STAGE) * rules.kinds * SQUARE_WAYS
    store(found, at, Word(2 * (last + left)))
    return at + 1 - first
