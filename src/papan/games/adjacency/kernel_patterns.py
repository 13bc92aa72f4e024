"""Learned patterns of Adjacency on 8x8: what each square of nine cells is worth, by the plies left.

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
from papan.engine.board import Board, answers
from papan.engine.control import Words
from papan.engine.native import native, signed, store
from papan.engine.patterns import shipped
from papan.games.adjacency import kernel_state
from papan.games.adjacency.support import SAFE

if TYPE_CHECKING:
    from papan.games.adjacency.rules import Adjacency, AdjacencyPosition

U = np.uint64
SIDE, PLACES, WAYS = 8, 36, 3**9
"""Cells of a side of the board; places of a square, and ways to fill it."""
LAST_OF_STAGE = (2, 6, 12, 20, 30, 42, 64)
"""Up to so many plies left the weights are the same."""
UNIT = 256
"""What is 1 among the whole numbers that a guess is made of."""

Integers: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float64]


class PatternRules(NamedTuple):
    """What the rules look up."""

    beside: Words
    """For each cell, the cells beside it."""
    cells: np.uint64
    """All cells."""
    threes: Integers
    """For three cells of a row, three bits of either side, the number of that way to fill them."""
    table: NDArray[np.int16]
    """For each stage, place and way to fill a square what it is worth to the seat to move."""
    bias: Integers
    """What there is to add with so many plies left."""
    stages: Integers
    """The stage of so many plies left."""
    owners: Integers
    """For who learns: for each place and way which weight of a stage it has."""
    kinds: int
    """How many kinds of places there are."""


class AdjacencyPatterns:
    """The patterns of a board of 8x8, for any number of rounds."""

    unit = UNIT

    def __init__(self) -> None:
        self.table = np.zeros(len(LAST_OF_STAGE) * PLACES * WAYS, np.int16)
        self.bias: Integers = np.zeros(SIDE * SIDE + 1, np.int64)

    @property
    def kinds(self) -> int:
        """How many places of a square are left when turned and mirrored ones count as one."""
        return int(self.owners.max()) // WAYS + 1

    @property
    def weight_count(self) -> int:
        """How many numbers are learned."""
        return len(LAST_OF_STAGE) * self.kinds * WAYS + len(self.bias)

    def learn(self, weights: Weights) -> None:
        """Take these weights for one's own."""
        whole = np.rint(np.clip(weights * UNIT, -32000, 32000)).astype(np.int16)
        squares = whole[: -len(self.bias)].reshape(len(LAST_OF_STAGE), -1)
        self.table[:] = squares[:, self.owners].ravel()
        self.bias[:] = whole[-len(self.bias) :]

    def prior(self) -> Weights:
        """Weights to begin with, which make the guess that people wrote: `rules.estimate`.

        A mark counts one, shared among the squares that it is in, and more where it is safe; that
        shows in the one square that has all cells beside it.
        """
        squares = np.zeros((self.kinds, WAYS))
        digits = np.arange(WAYS)[:, None] // 3 ** np.arange(8, -1, -1) % 3
        marks = (digits == 1) * 1.0 - (digits == 2)
        for place in range(PLACES):
            top, first = divmod(place, 6)
            gains = np.zeros(WAYS)
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
            squares.ravel()[self.owners[place * WAYS : (place + 1) * WAYS]] = gains
        stages = np.tile(squares.ravel(), len(LAST_OF_STAGE))
        return np.concatenate([stages, np.zeros(len(self.bias))])

    @cached_property
    def owners(self) -> Integers:
        """See `PatternRules.owners`."""
        kinds: dict[tuple[int, int], int] = {}
        ways = np.arange(WAYS)
        found = np.zeros((PLACES, WAYS), np.int64)
        for place in range(PLACES):
            turned = min((moved(*divmod(place, 6), 6, image), image) for image in range(SIDE))
            kind = kinds.setdefault(turned[0], len(kinds))
            way = np.zeros(WAYS, np.int64)
            for cell in range(9):  # a cell of a square is a digit, the first one the highest
                row, column = moved(*divmod(cell, 3), 3, turned[1])
                way += ways // 3 ** (8 - cell) % 3 * 3 ** (8 - 3 * row - column)
            found[place] = kind * WAYS + way
        return found.ravel()

    @cached_property
    def rules(self) -> PatternRules:
        """The rules of the board."""
        from papan.games.adjacency.rules import Adjacency

        plain = kernel_state.rules(Adjacency())
        ternary = [
            sum((bits >> cell & 1) * 3 ** (2 - cell) for cell in range(3)) for bits in range(8)
        ]
        threes = [ternary[each & 7] + 2 * ternary[each >> 3] for each in range(64)]
        stages = np.searchsorted(LAST_OF_STAGE, np.arange(SIDE * SIDE + 1))
        return PatternRules(
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
        """The position for the shared searches."""
        return kernel_state.form(position)._replace(rules=self.rules)

    def evaluate(self, position: AdjacencyPosition) -> float:
        """What the seat to move may hope for, in plain Python."""
        left, total = position.plies_left, 0
        own, rival = position.marks[position.turn], position.marks[1 - position.turn]
        base = int(self.rules.stages[left]) * PLACES * WAYS
        for place in range(PLACES):
            top, first = divmod(place, 6)
            way = 0
            for cell in range(9):
                at = (top + cell // 3) * SIDE + first + cell % 3
                way = 3 * way + (own >> at & 1) + 2 * (rival >> at & 1)
            total += int(self.table[base + place * WAYS + way])
        return (total + int(self.bias[left])) / UNIT


@cache
def patterns(game: Adjacency) -> AdjacencyPatterns | None:
    """What was learned for this board."""
    if (game.rows, game.columns) != (SIDE, SIDE):
        return None
    return shipped_patterns()


@cache
def shipped_patterns() -> AdjacencyPatterns | None:
    """One for all numbers of rounds."""
    return shipped(AdjacencyPatterns(), __file__, "8x8")


def squares_with(line: int) -> int:
    """In how many places a square has a cell of this row or column."""
    return min(line, 2, SIDE - 1 - line) + 1


def moved(row: int, column: int, size: int, image: int) -> tuple[int, int]:
    """Where a cell is in one of the eight images of a square."""
    if image & 1:
        row, column = column, row
    return size - 1 - row if image & 2 else row, size - 1 - column if image & 4 else column


answers(ask.turn, PatternRules)(kernel_state.turn)
answers(ask.over, PatternRules)(kernel_state.over)
answers(ask.legal, PatternRules)(kernel_state.legal)
answers(ask.play, PatternRules)(kernel_state.play)
answers(ask.margin, PatternRules)(kernel_state.margin)


@native(inline=True)
def three(rules: PatternRules, board: Board, row: int, column: int) -> int:
    """How three cells of a row are filled, from a column on."""
    shift = U(SIDE * row + column)
    own, rival = board[0] >> shift & U(7), board[1] >> shift & U(7)
    way: int = rules.threes[signed(own | rival << U(3))]
    return way


@answers(ask.evaluate, PatternRules)
def evaluate(rules: PatternRules, board: Board, seat: int) -> float:
    left = signed(board[3])
    total, base = rules.bias[left], rules.stages[left] * PLACES * WAYS
    for column in range(6):
        way = three(rules, board, 0, column) * 27 + three(rules, board, 1, column)
        for row in range(6):
            way = way % 729 * 27 + three(rules, board, row + 2, column)
            total += signed(rules.table[base + (row * 6 + column) * WAYS + way])
    guess: float = total / UNIT
    return guess if seat == signed(board[2]) else -guess


@answers(ask.weights, PatternRules)
def weights(rules: PatternRules, board: Board, found: Any, first: int) -> int:
    left, at = signed(board[3]), first
    stage = rules.stages[left] * rules.kinds * WAYS
    for column in range(6):
        way = three(rules, board, 0, column) * 27 + three(rules, board, 1, column)
        for row in range(6):
            way = way % 729 * 27 + three(rules, board, row + 2, column)
            store(found, at, U(2 * (stage + rules.owners[(row * 6 + column) * WAYS + way])))
            at += 1
    last = len(LAST_OF_STAGE) * rules.kinds * WAYS
    store(found, at, U(2 * (last + left)))
    return at + 1 - first
