"""Learned patterns of marks in a row: what every window of cells promises, kept as marks are made.

A window is some cells in a row. Each of its cells is empty, the first seat's, the second seat's, or
of the fourth kind: beyond the edge or, where marks fall, empty and the next to be filled. Each way
to fill a window has two numbers, for either seat to move, and a position is worth the sum over all
windows. A mark changes only the windows through its cell, so both sums are kept on the board.

A board is two planes of four words, which tell the kinds of cells apart, and then the words of
`papan.engine.rows`: the turn, whether a line is full, both sums, and how many cells are empty.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import tanh
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from papan.core import Native, Position
from papan.engine import board as ask
from papan.engine import rows
from papan.engine.board import SIX, SIXTY_THREE, Board, answers, packed, with_cell
from papan.engine.native import ONE, ZERO, Word, load, native, signed, store, words_of
from papan.engine.rows import EMPTY, FULL, PROMISE, TURN

U = np.uint64
EMPTY_CELL, FIRST, SECOND, FOURTH = range(4)
"""The kinds of cells."""
HIGH = U(4)
"""The first word of the second plane."""
BEYOND = 255
"""The number of a cell that is on no board."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
UNIT = 1024
"""What is 1 among the whole numbers that a sum is made of."""
HALF = 1 << 32

Integers: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float64]


class CanLearn(Protocol):
    """Patterns whose weights can be replaced."""

    unit: int
    """What is 1 among the whole numbers that weights are kept as."""

    @property
    def weight_count(self) -> int:
        """How many numbers are learned."""

    def learn(self, weights: Weights) -> None:
        """Take these weights for one's own."""


Learner = TypeVar("Learner", bound=CanLearn)


class PatternRules(NamedTuple):
    """What the rules look up."""

    strips: NDArray[np.uint8]
    """For each cell and direction, the cells that may share a window with it, itself among them."""
    through: NDArray[np.int32]
    """For each cell and direction, where the tables of its windows begin."""
    table: Integers
    """For each way to fill a window what it adds to one sum, and HALF times what to the other."""
    length: int
    """How many cells a window has."""
    connect: int
    cells: int
    column: int
    """How many cells a column has that marks fall down; 0: they stay where they are put."""
    most: float
    """What an estimate is at most."""
    windows: Integers
    """For who learns: the cells of each window, and then where its table begins."""
    owners: Integers
    """For either seat to move, which weight each way to fill a window has: twice its number, and
    one more where it counts against the first seat; -1: none."""


class RowPatterns:
    """The patterns of a board of `width` strips, each of `height` cells."""

    unit = UNIT

    def __init__(
        self,
        size: tuple[int, int],
        connect: int,
        marks: Callable[[Any], tuple[int, int]],
        most: float,
        falls: bool = False,
    ) -> None:
        self.width, self.height = size
        self.connect, self.marks, self.most, self.falls = connect, marks, most, falls
        self.length = connect if falls else connect + 1  # a cell more tells which end is open
        self.ways: int = 4**self.length
        self.table: Integers = np.zeros((self.tables + 1) * self.ways, np.int64)  # the last: 0

    def learn(self, weights: Weights) -> None:
        """Take these weights for one's own."""
        whole = np.rint(weights * UNIT).astype(np.int64)
        for seat, factor in enumerate((1, HALF)):
            owners = self.owners[seat]
            added = np.where(owners & 1, -1, 1) * whole[owners >> 1]
            part = factor * np.where(owners < 0, 0, added)
            self.table[:] = part if seat == 0 else self.table + part

    @property
    def weight_count(self) -> int:
        """How many numbers are learned."""
        return 2 * self.tables * self.ways if self.falls else self.ways

    @cached_property
    def starts(self) -> list[tuple[int, int, int]]:
        """Where each window begins, and the number of its direction."""
        reach = range(-self.length, max(self.width, self.height))
        return [
            (across, along, direction)
            for direction in range(len(DIRECTIONS))
            for across in reach
            for along in reach
            if sum(cell != BEYOND for cell in self._cells(across, along, direction)) >= self.connect
        ]

    @property
    def tables(self) -> int:
        """Where marks fall each window has a table of its own, elsewhere all have the same."""
        return len(self.starts) if self.falls else 1

    def _cells(self, across: int, along: int, direction: int, count: int = 0) -> list[int]:
        """The numbers of cells from one on."""
        right, up = DIRECTIONS[direction]
        places = [
            (across + step * right, along + step * up) for step in range(count or self.length)
        ]
        return [
            x * self.height + y if 0 <= x < self.width and 0 <= y < self.height else BEYOND
            for x, y in places
        ]

    @cached_property
    def owners(self) -> Integers:
        """See `PatternRules.owners`."""
        found = np.full((2, len(self.table)), -1, np.int64)
        ways = np.arange(self.ways)
        digits = ways[:, None] >> 2 * np.arange(self.length) & 3
        marked = ((digits == FIRST) | (digits == SECOND)).any(axis=1)
        back = (digits[:, ::-1] << 2 * np.arange(self.length)).sum(axis=1)
        if not self.falls:
            swapped = np.array([0, SECOND, FIRST, FOURTH])[digits]
            rival = (swapped << 2 * np.arange(self.length)).sum(axis=1)
            one, other = np.minimum(ways, back), np.minimum(rival, back[rival])
            found[0, : self.ways] = np.where(marked, 2 * one, -1)
            found[1, : self.ways] = np.where(marked, 2 * other + 1, -1)
            return found
        numbers = {start: number for number, start in enumerate(self.starts)}
        for (across, along, direction), number in numbers.items():
            right, up = DIRECTIONS[direction]
            last = (across + (self.length - 1) * right, along + (self.length - 1) * up)
            mirrored = self.width - 1 - last[0], last[1] if right else along
            twin = numbers[(*mirrored, (0, 1, 3, 2)[direction])]
            alike = back if right else ways
            if twin < number:
                shared, way = twin, alike
            else:
                shared, way = number, np.minimum(ways, alike) if twin == number else ways
            for seat in (0, 1):
                owner = 2 * ((2 * shared + seat) * self.ways + way)
                at = number * self.ways
                found[seat, at : at + self.ways] = np.where(marked, owner, -1)
        return found

    def prior(self, growth: float) -> Weights:
        """Weights to begin with: those of a rule that people wrote.

        A line that only one side can still fill is worth *growth* times as much with each mark, and
        shared among the windows that it lies in.
        """
        digits = np.arange(self.ways)[:, None] >> 2 * np.arange(self.length) & 3
        gains = np.zeros(self.ways)
        places = self.length - self.connect + 1
        for first in range(places):
            line = digits[:, first : first + self.connect]
            one, other = (line == FIRST).sum(axis=1), (line == SECOND).sum(axis=1)
            whole = np.full(self.ways, True) if self.falls else (line != FOURTH).all(axis=1)
            ours, theirs = whole & (one > 0) & (other == 0), whole & (other > 0) & (one == 0)
            gains += (ours * growth**one - theirs * growth**other) / places
        gains = np.tile(gains / growth**self.connect, self.tables + 1)
        found = np.zeros(self.weight_count)
        for owners in self.owners:
            known = owners >= 0
            found[owners[known] >> 1] = np.where(owners & 1, -gains, gains)[known]
        return found

    @cached_property
    def rules(self) -> PatternRules:
        """The rules of the board."""
        reach = self.length - 1
        base = {
            start: number * self.ways if self.falls else 0
            for number, start in enumerate(self.starts)
        }
        strips, through = [], []
        for across in range(self.width):
            for along in range(self.height):
                for direction, (right, up) in enumerate(DIRECTIONS):
                    strip = across - reach * right, along - reach * up
                    strips.append(self._cells(*strip, direction, 2 * reach + 1))
                    starts = [
                        (strip[0] + step * right, strip[1] + step * up, direction)
                        for step in range(self.length)
                    ]
                    through.append([base.get(start, self.tables * self.ways) for start in starts])
        windows = [[*self._cells(*start), base[start]] for start in self.starts]
        return PatternRules(
            np.array(strips, np.uint8),
            np.array(through, np.int32),
            self.table,
            self.length,
            self.connect,
            self.width * self.height,
            self.height if self.falls else 0,
            self.most,
            np.array(windows, np.int64),
            self.owners,
        )

    def planes(self, first: int, second: int) -> tuple[int, int]:
        """Both planes of a position, of the cells of each seat."""
        fourth = 1 << BEYOND
        if self.falls:
            bottoms = sum(1 << each * self.height for each in range(self.width))
            tops = bottoms << self.height - 1
            taken = first | second
            fourth |= (bottoms | (taken & ~tops) << 1) & ~taken
        return first | fourth, second | fourth

    def native(self, position: Position) -> Native:
        """A position that is not over for the shared searches."""
        first, second = self.marks(position)
        low, high = self.planes(first, second)
        empty = self.width * self.height - (first | second).bit_count()
        facts = position.turn, 0, self.sums(low, high) % 2**64, empty
        board = (*packed(low, 4), *packed(high, 4), *map(U, facts))
        return Native(self.rules, board, self.width if self.falls else empty, empty)

    def sums(self, low: int, high: int) -> int:
        """Both sums of a position by their definition: one, and HALF times the other."""
        kinds = np.array([(low >> cell & 1) + 2 * (high >> cell & 1) for cell in range(BEYOND + 1)])
        cells, bases = self.rules.windows[:, :-1], self.rules.windows[:, -1]
        ways = (kinds[cells] << 2 * np.arange(self.length)).sum(axis=1)
        return int(self.table[bases + ways].sum())

    def evaluate(self, position: Position) -> float:
        """What the seat to move may hope for, in plain Python."""
        sums = self.sums(*self.planes(*self.marks(position)))
        one = (sums + HALF // 2) % HALF - HALF // 2
        return self.most * tanh((-(sums - one) // HALF if position.turn else one) / UNIT)


def shipped(patterns: Learner, module: str, board: str) -> Learner | None:
    """These patterns with the weights that lie beside the module of a game, if it has some."""
    path = Path(module).with_name("patterns.npz")
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as kept:
        if board not in kept.files:
            return None
        patterns.learn(kept[board] / patterns.unit)
    return patterns


answers(ask.turn, PatternRules)(rows.turn)
answers(ask.over, PatternRules)(rows.over)
answers(ask.margin, PatternRules)(rows.margin)


@native(inline=True)
def cell_kind(planes: Any, cell: Word) -> int:
    """What kind of cell it is, on a board that `words_of` has laid out."""
    word, bit = cell >> SIX, cell & SIXTY_THREE
    low, high = load(planes, word) >> bit & ONE, load(planes, word + HIGH) >> bit & ONE
    return signed(low | high << ONE)


@answers(ask.legal, PatternRules)
def legal(rules: PatternRules, board: Board, moves: Any, first: int) -> int:
    at, planes = first, words_of(board)
    if board[FULL] == ZERO:
        high = max(rules.column, 1)
        for move in range(rules.cells // high):
            kind = cell_kind(planes, U(move * high + high - 1))
            store(moves, at, U(move))
            at += int(kind in (EMPTY_CELL, FOURTH))
    return at - first


@answers(ask.play, PatternRules)
def play(rules: PatternRules, board: Board, move: int) -> Board:
    seat, cell, before = signed(board[TURN]), signed(move), EMPTY_CELL
    if rules.column:
        cell, before = cell * rules.column, FOURTH
        planes = words_of(board)
        while cell_kind(planes, U(cell)) != FOURTH:
            cell += 1
    gained, full = changed(rules, board, cell, before, FIRST + seat)
    if rules.column:
        board = without_cell(board, 4 * (1 - seat), U(cell))
        if (cell + 1) % rules.column:
            more, _ = changed(rules, board, cell + 1, EMPTY_CELL, FOURTH)
            gained += more
            board = with_cell(with_cell(board, 0, U(cell + 1)), 4, U(cell + 1))
    else:
        board = with_cell(board, 4 * seat, U(cell))
    facts = ONE - board[TURN], U(full), board[PROMISE] + U(gained), board[EMPTY] - ONE
    return board[:TURN] + facts


@native(inline=True)
def without_cell(board: Board, first: int, cell: Word) -> Board:
    """The board without *cell* in the set that begins at the word *first*."""
    at = np.int64(first + np.int64(cell >> SIX))
    changed: Board = ask.with_word(board, at, board[at] & ~(ONE << (cell & SIXTY_THREE)))
    return changed


@native()
def changed(
    rules: PatternRules, board: Board, cell: int, before: int, after: int
) -> tuple[int, bool]:
    """What the sums gain where a cell becomes of another kind; and is there a full line then?"""
    gained, full, reach = signed(0), False, rules.length - 1
    mask, planes = (1 << 2 * rules.length) - 1, words_of(board)
    for direction in range(4):
        at = 4 * cell + direction
        around, run, longest = signed(0), 0, 0
        for step in range(2 * reach + 1):
            kind = after if step == reach else cell_kind(planes, U(rules.strips[at, step]))
            run = run + 1 if kind == after else 0
            longest = max(run, longest)
            around |= (0 if step == reach else kind) << 2 * step
        full |= longest >= rules.connect
        for step in range(rules.length):
            way = rules.through[at, step] + (around >> 2 * step & mask)
            place = 2 * (reach - step)
            gained += rules.table[way + (after << place)] - rules.table[way + (before << place)]
    return gained, full


@answers(ask.evaluate, PatternRules)
def evaluate(rules: PatternRules, board: Board, seat: int) -> float:
    sums = signed(board[PROMISE])
    one = ((sums + HALF // 2) & (HALF - 1)) - HALF // 2
    total = (sums - one) >> 32 if board[TURN] else one
    return rules.most * tanh((-total if seat else total) / UNIT)


@answers(ask.weights, PatternRules)
def weights(rules: PatternRules, board: Board, found: Any, first: int) -> int:
    at, seat, planes = first, signed(board[TURN]), words_of(board)
    for window in range(len(rules.windows)):
        way = rules.windows[window, rules.length]
        for step in range(rules.length):
            way += cell_kind(planes, U(rules.windows[window, step])) << 2 * step
        owner = rules.owners[seat, way]
        if owner >= 0:
            store(found, at, U(owner ^ seat))  # as the seat to move sees it
            at += 1
    return at - first
