"""Learned patterns of marks in a row: the worth of every window of cells, updated with each mark.

A window is some cells in a row. Each of its cells is empty, the first seat's, the second seat's, or
of the fourth kind: beyond the edge or, where marks fall, empty and the next to be filled. Each way
to fill a window has two numbers, one for either seat to move, and the value of a position is the
sum over all windows. A mark changes only the windows through its cell, so both sums are part of the
board.

A board is two planes of four words, which encode the kinds of cells, and then the words of
`papan.engine.rows`: the turn, whether a line is full, both sums, and the number of empty cells.
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
from papan.engine.board import SIX, SIXTY_THREE, NativeBoard, answers, packed, with_cell
from papan.engine.native import ONE, ZERO, Word, load_word, native, signed, store, words_of
from papan.engine.rows import EMPTY_AT, FULL_AT, PROMISE_AT, ROW_TURN_AT

EMPTY_CELL, FIRST_MARK, SECOND_MARK, FOURTH = range(4)
"""The kinds of cells: empty, marked by either seat, and one more (see the module)."""
HIGH_PLANE = Word(4)
"""Index of the first word of the second plane."""
BEYOND = 255
"""The number of a cell outside the board."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps (strips, places in a strip) from one cell of a window to the next."""
ROW_WEIGHT_UNIT = 1024
"""The integer that stands for the weight 1 in a sum."""
SECOND_SUM = 1 << 32
"""One word holds two sums: the first, plus this times the second."""

Integers: TypeAlias = NDArray[np.int64]
PatternWeights: TypeAlias = NDArray[np.float64]


class CanLearn(Protocol):
    """Patterns whose weights can be learned: see `unit`, `weight_count` and `learn`."""

    unit: int
    """The integer that stands for the weight 1."""

    @property
    def weight_count(self) -> int:
        """Number of learned weights."""

    def learn(self, weights: PatternWeights) -> None:
        """Replace all weights by *weights*, an array of `weight_count` floats.

        The game's estimate changes at once.
        """


LearnablePatterns = TypeVar("LearnablePatterns", bound=CanLearn)


class RowPatternRules(NamedTuple):
    """The data that compiled rules look up: windows of cells, their tables, the board's size.

    The cell at place y of strip x has the number x * height + y; BEYOND stands for one off the
    board. A way to fill a window is a number of *length* digits of two bits each, the lowest bits
    for its first cell: 0 empty, 1 marked by seat 0, 2 by seat 1, 3 the fourth kind (see the
    module).
    """

    strips: NDArray[np.uint8]
    """For each cell and direction the cells that may share a window with it, itself in the middle.

    Row 4 * cell + direction has 2 * length - 1 of them; BEYOND for those off the board.
    """
    through: NDArray[np.int32]
    """For each cell and direction where in `table` the tables of its windows begin.

    Row 4 * cell + direction has one place for each of *length* windows.
    """
    table: Integers
    """For each way to fill a window what it adds to the first sum, plus SECOND_SUM times what to
    the second.
    """
    length: int
    """Cells of a window."""
    connect: int
    """Marks of one seat in a row that win."""
    cells: int
    """Cells of the board."""
    column: int
    """Cells of a column that marks fall down; 0: they stay where they are put."""
    most: float
    """The largest estimate, in points."""
    windows: Integers
    """For learning: a row for each window, its cells and then where its table begins."""
    owners: Integers
    """For either seat to move, the weight of each way to fill a window: twice its number, plus 1
    where it is subtracted for the first seat; -1: none.
    """


class RowPatterns:
    """The patterns of a board of strips of cells, for winning lines of *connect* cells.

    *size* is (width, height): the number of strips, and the cells of each. *marks* returns the
    marks of seats 0 and 1 in a position as bitboards, bit x * height + y for place y of strip x.
    *most* is the largest estimate, in points. *falls*: marks fall to the first empty cell of a
    strip. All weights are 0 until `learn` is called.
    """

    unit = ROW_WEIGHT_UNIT

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
        self.length = connect if falls else connect + 1  # one more cell shows which end is open
        self.ways: int = 4**self.length
        self.table: Integers = np.zeros((self.tables + 1) * self.ways, np.int64)  # the last: 0

    def learn(self, weights: PatternWeights) -> None:
        """Replace all weights by *weights*, an array of `weight_count` floats.

        They are rounded to multiples of 1 / `unit`. `rules` and `evaluate` change at once: the
        table is rewritten in place.
        """
        whole = np.rint(weights * ROW_WEIGHT_UNIT).astype(np.int64)
        for seat, factor in enumerate((1, SECOND_SUM)):
            owners = self.owners[seat]
            added = np.where(owners & 1, -1, 1) * whole[owners >> 1]
            part = factor * np.where(owners < 0, 0, added)
            self.table[:] = part if seat == 0 else self.table + part

    @property
    def weight_count(self) -> int:
        """Number of learned weights."""
        return 2 * self.tables * self.ways if self.falls else self.ways

    @cached_property
    def starts(self) -> list[tuple[int, int, int]]:
        """The windows, each as (strip, place, direction), with its first cell and direction.

        The direction is an index in `DIRECTIONS`. The first cell may lie beyond the edge, so that
        strip and place may be negative; at least `connect` cells of each window are on the board.
        """
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
        """Number of tables of weights: one for each window where marks fall, else one for all."""
        return len(self.starts) if self.falls else 1

    def _cells(self, across: int, along: int, direction: int, count: int = 0) -> list[int]:
        """Return the numbers of the cells that lie in one direction from a first one, in order.

        The first is place *along* of strip *across*; *direction* is an index in `DIRECTIONS`. They
        are *count* cells, or with 0 as many as a window has. A cell has the number strip * height +
        place, from 0; BEYOND stands for one off the board.
        """
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
        """The weight of each way to fill each window, an array (2, length of `table`).

        The first index is the seat to move, the second an index in `table`. An item is twice the
        index of the weight, plus 1 where the weight is subtracted for seat 0; -1 for none. Ways
        that mirror each other share a weight; so do ways with the seats swapped, unless marks fall.
        """
        found = np.full((2, len(self.table)), -1, np.int64)
        ways = np.arange(self.ways)
        digits = ways[:, None] >> 2 * np.arange(self.length) & 3
        marked = ((digits == FIRST_MARK) | (digits == SECOND_MARK)).any(axis=1)
        back = (digits[:, ::-1] << 2 * np.arange(self.length)).sum(axis=1)
        if not self.falls:
            swapped = np.array([0, SECOND_MARK, FIRST_MARK, FOURTH])[digits]
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

    def prior(self, growth: float) -> PatternWeights:
        """Return initial weights by a hand-written rule: an array of `weight_count` floats.

        A line that only one seat can still fill, with n > 0 of its marks, is worth *growth* ** (n -
        `connect`): 1 when it is full, and less by the factor *growth* for each mark that it lacks.
        The worth is shared among the windows that the line lies in.
        """
        digits = np.arange(self.ways)[:, None] >> 2 * np.arange(self.length) & 3
        gains = np.zeros(self.ways)
        places = self.length - self.connect + 1
        for first in range(places):
            line = digits[:, first : first + self.connect]
            one, other = (line == FIRST_MARK).sum(axis=1), (line == SECOND_MARK).sum(axis=1)
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
    def rules(self) -> RowPatternRules:
        """The data that kernels take as rules; they share the memory of `table`.

        So `learn` changes them at once.
        """
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
        return RowPatternRules(
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
        """Return both planes of a position, as ints, for the marks of seats 0 and 1 as bitboards.

        Bit x * height + y is the cell at place y of strip x. The kind of a cell (EMPTY_CELL,
        FIRST_MARK, SECOND_MARK, FOURTH) is its bit of the first plane plus twice its bit of the
        second. The bit BEYOND, which stands for all cells off the board, is of the fourth kind.
        """
        fourth = 1 << BEYOND
        if self.falls:
            bottoms = sum(1 << each * self.height for each in range(self.width))
            tops = bottoms << self.height - 1
            taken = first | second
            fourth |= (bottoms | (taken & ~tops) << 1) & ~taken
        return first | fourth, second | fourth

    def native(self, position: Position) -> Native:
        """Return a position in the form of compiled searches: `rules` and a board of 12 words.

        The words are four for each of the two `planes`, the seat to move, 0 (no line is full), both
        `sums`, and the number of empty cells. *position* must be one of this board and not be over;
        not checked.
        """
        first, second = self.marks(position)
        low, high = self.planes(first, second)
        empty = self.width * self.height - (first | second).bit_count()
        facts = position.turn, 0, self.sums(low, high) % 2**64, empty
        board = (*packed(low, 4), *packed(high, 4), *map(Word, facts))
        return Native(self.rules, board, self.width if self.falls else empty, empty)

    def sums(self, low: int, high: int) -> int:
        """Return both sums of weights of a position: the first plus `SECOND_SUM` times the second.

        *low* and *high* are its `planes`. The first sum is that with seat 0 to move, the second
        that with seat 1 to move; both are for seat 0, in 1/`unit`, and may be negative.
        """
        kinds = np.array([(low >> cell & 1) + 2 * (high >> cell & 1) for cell in range(BEYOND + 1)])
        cells, bases = self.rules.windows[:, :-1], self.rules.windows[:, -1]
        ways = (kinds[cells] << 2 * np.arange(self.length)).sum(axis=1)
        return int(self.table[bases + ways].sum())

    def evaluate(self, position: Position) -> float:
        """Return the estimate for the seat to move, in points: `most` * tanh(sum of its weights).

        *position* must be one of this board and not be over; not checked.
        """
        sums = self.sums(*self.planes(*self.marks(position)))
        one = (sums + SECOND_SUM // 2) % SECOND_SUM - SECOND_SUM // 2
        return self.most * tanh(
            (-(sums - one) // SECOND_SUM if position.turn else one) / ROW_WEIGHT_UNIT
        )


def with_shipped_weights(
    patterns: LearnablePatterns, module: str, board: str
) -> LearnablePatterns | None:
    """Return *patterns* after `learn` with the weights that papan ships; None if it ships none.

    They are in the file ``patterns.npz`` beside *module*, the path of a game's module: arrays of
    whole numbers in 1/`unit`, by name. *board* is the name, such as ``6x7``. *patterns* is changed
    in place. A missing file ships none; for one that cannot be read what NumPy raises is passed on,
    such as OSError, ValueError or BadZipFile.
    """
    path = Path(module).with_name("patterns.npz")
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as kept:
        if board not in kept.files:
            return None
        patterns.learn(kept[board] / patterns.unit)
    return patterns


answers(ask.turn, RowPatternRules)(rows.wide_turn)
answers(ask.over, RowPatternRules)(rows.wide_over)
answers(ask.margin, RowPatternRules)(rows.row_margin)


@native(inline=True)
def cell_kind(planes: Any, cell: Word) -> int:
    """Return the kind of *cell*: EMPTY_CELL, FIRST_MARK, SECOND_MARK or FOURTH.

    *cell* is a number, strip * height + place, as in `RowPatternRules`; BEYOND, off the board, is
    of the fourth kind. *planes* points to the words of a board: see `words_of`.
    """
    word, bit = cell >> SIX, cell & SIXTY_THREE
    low, high = (
        load_word(planes, word) >> bit & ONE,
        load_word(planes, word + HIGH_PLANE) >> bit & ONE,
    )
    return signed(low | high << ONE)


@answers(ask.legal, RowPatternRules)
def _legal(rules: RowPatternRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the legal moves, strips or cells by number, in ascending order; return how many.

    Where marks fall a move is a strip, else a cell, both from 0 as in `RowPatternRules`. They are
    written to the words *moves*, a pointer, from index *first* on; none if a line is full. One word
    after them may be overwritten, too.
    """
    at, planes = first, words_of(board)
    if board[FULL_AT] == ZERO:
        high = max(rules.column, 1)
        for move in range(rules.cells // high):
            kind = cell_kind(planes, Word(move * high + high - 1))
            store(moves, at, Word(move))
            at += int(kind in (EMPTY_CELL, FOURTH))
    return at - first


@answers(ask.play, RowPatternRules)
def _play(rules: RowPatternRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after *move*, with both sums and the number of empty cells updated.

    *move* is a strip where marks fall, else a cell, by its number from 0. It must be legal; not
    checked.
    """
    seat, cell, before = signed(board[ROW_TURN_AT]), signed(move), EMPTY_CELL
    if rules.column:
        cell, before = cell * rules.column, FOURTH
        planes = words_of(board)
        while cell_kind(planes, Word(cell)) != FOURTH:
            cell += 1
    gained, full = changed(rules, board, cell, before, FIRST_MARK + seat)
    if rules.column:
        board = without_cell(board, 4 * (1 - seat), Word(cell))
        if (cell + 1) % rules.column:
            more, _ = changed(rules, board, cell + 1, EMPTY_CELL, FOURTH)
            gained += more
            board = with_cell(with_cell(board, 0, Word(cell + 1)), 4, Word(cell + 1))
    else:
        board = with_cell(board, 4 * seat, Word(cell))
    facts = (
        ONE - board[ROW_TURN_AT],
        Word(full),
        board[PROMISE_AT] + Word(gained),
        board[EMPTY_AT] - ONE,
    )
    return board[:ROW_TURN_AT] + facts


@native(inline=True)
def without_cell(board: NativeBoard, first: int, cell: Word) -> NativeBoard:
    """Return the board without *cell* in the set of cells that begins at its word *first*.

    *cell* is a number from 0: bit *cell* % 64 of the word *first* + *cell* // 64. No bounds are
    checked.
    """
    at = np.int64(first + np.int64(cell >> SIX))
    changed: NativeBoard = ask.with_word(board, at, board[at] & ~(ONE << (cell & SIXTY_THREE)))
    return changed


@native()
def changed(
    rules: RowPatternRules, board: NativeBoard, cell: int, before: int, after: int
) -> tuple[int, bool]:
    """Return (growth of both sums, whether a line is full) if *cell* changes its kind.

    *cell* is a number as in `RowPatternRules`, *before* and *after* are its kinds; *board* still
    has the old one. The growth, which may be negative, is added to the word of sums (see
    `SECOND_SUM`). A line is full if `connect` cells in a row or more, the changed one among them,
    are of the kind *after*.
    """
    gained, full, reach = signed(0), False, rules.length - 1
    mask, planes = (1 << 2 * rules.length) - 1, words_of(board)
    for direction in range(4):
        at = 4 * cell + direction
        around, run, longest = signed(0), 0, 0
        for step in range(2 * reach + 1):
            kind = after if step == reach else cell_kind(planes, Word(rules.strips[at, step]))
            run = run + 1 if kind == after else 0
            longest = max(run, longest)
            around |= (0 if step == reach else kind) << 2 * step
        full |= longest >= rules.connect
        for step in range(rules.length):
            way = rules.through[at, step] + (around >> 2 * step & mask)
            place = 2 * (reach - step)
            gained += rules.table[way + (after << place)] - rules.table[way + (before << place)]
    return gained, full


@answers(ask.evaluate, RowPatternRules)
def _evaluate(rules: RowPatternRules, board: NativeBoard, seat: int) -> float:
    """Return the estimated margin of *seat* (0 or 1), in points: most * tanh(sum of its weights).

    The word PROMISE_AT of the board has two sums, one for either seat to move (see `SECOND_SUM`):
    the one of the seat whose turn it is counts. Both are for seat 0; for seat 1 the sign is turned.
    """
    sums = signed(board[PROMISE_AT])
    one = ((sums + SECOND_SUM // 2) & (SECOND_SUM - 1)) - SECOND_SUM // 2
    total = (sums - one) >> 32 if board[ROW_TURN_AT] else one
    return rules.most * tanh((-total if seat else total) / ROW_WEIGHT_UNIT)


@answers(ask.weights, RowPatternRules)
def _weights(rules: RowPatternRules, board: NativeBoard, found: Any, first: int) -> int:
    """Write the weights of the estimate for the seat to move to *found*; return how many.

    Each is one word, as `papan.engine.board.weights` describes; they are written from index *first*
    on.
    """
    at, seat, planes = first, signed(board[ROW_TURN_AT]), words_of(board)
    for window in range(len(rules.windows)):
        way = rules.windows[window, rules.length]
        for step in range(rules.length):
            way += cell_kind(planes, Word(rules.windows[window, step])) << 2 * step
        owner = rules.owners[seat, way]
        if owner >= 0:
            store(found, at, Word(owner ^ seat))  # as the seat to move sees it
            at += 1
    return at - first
