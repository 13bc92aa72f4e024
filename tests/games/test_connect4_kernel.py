"""The pieces of the Connect 4 kernel, each against its plain twin."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import numpy as np
import pytest

from papan.engine import memory
from papan.engine.memory import Row
from papan.engine.native import Word, native
from papan.engine.simd import choose, spread, vector, write
from papan.engine.transpositions import Transpositions, found, grow
from papan.games.connect4 import Connect4, kernel
from papan.games.connect4.kernel import BUCKET, bounds_of, data_of, keep
from papan.games.connect4.kernel_theory import (
    Board,
    Roles,
    Sides,
    closer_claims,
    fours,
    half_made,
    in_fours,
    last_hopes,
    mirrored,
    opener_waits,
    playable_cells,
    static_bounds,
)
from papan.games.connect4.kernel_theory import winning_cells as winning_cells_in_lanes
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.solver import blank_workspace
from papan.games.connect4.stones import (
    BUCKET_BYTES,
    Layout,
    Stones,
    forced_line,
    winning_cells,
)

from .connect4_truth import empty, random_positions, score

SIZES = [(4, 4), (6, 7), (7, 8), (5, 10), (8, 10)]
"""Boards for every kind of lanes, with odd and even numbers of rows and columns."""
EVERY_LANE = 0xFFFF


class Both:
    """Bounds of each lane."""

    low: Annotated[Row[np.int64], "lanes"]
    high: Annotated[Row[np.int64], "lanes"]


class Lanes:
    """Boards in lanes, and what the kernel finds in them."""

    stones: Annotated[Row[Word], "limbs", "lanes"]
    others: Annotated[Row[Word], "limbs", "lanes"]
    wins: Annotated[Row[Word], "limbs", "lanes"]
    starts: Annotated[Row[Word], "limbs", "lanes"]
    members: Annotated[Row[Word], "limbs", "lanes"]
    mirror: Annotated[Row[Word], "limbs", "lanes"]
    half: Annotated[Row[np.int64], "lanes"]
    rules: Annotated[Row[Both], 4]
    """Bounds by each rule, then by all of them."""


@native()
def tricks(board: Board, lanes: Lanes) -> None:
    """What the bit tricks find for stones among other cells."""
    stones, cells = vector(lanes.stones), vector(lanes.others)
    write(lanes.wins, winning_cells_in_lanes(stones, board.step))
    write(lanes.starts, fours(cells, board.step))
    write(lanes.members, in_fours(cells, board.step))
    write(lanes.mirror, mirrored(board, stones))
    write(lanes.half, half_made(stones & cells, cells, board.step))


@native()
def all_bounds(board: Board, lanes: Lanes, same: Word, closing: Word) -> None:
    """Bounds of quiet positions, mover first: by each rule, then by all of them."""
    mine, theirs = vector(lanes.stones), vector(lanes.others)
    free = vector(board.cells) & ~(mine | theirs)
    wins = winning_cells_in_lanes(mine, board.step) & free
    losses = winning_cells_in_lanes(theirs, board.step) & free
    roles = Roles(
        choose(closing, mine, theirs),
        choose(closing, theirs, mine),
        choose(closing, wins, losses),
        choose(closing, losses, wins),
        free,
        playable_cells(board, free),
    )
    known = spread(np.int64(-50), mine), spread(np.int64(50), mine)
    sides = Sides(mine, theirs, wins, losses, free)
    for number, bounds in enumerate(
        (
            last_hopes(board, roles, known),
            closer_claims(board, roles, known),
            opener_waits(board, roles, known),
            static_bounds(board, sides, same, closing),
        )
    ):
        write(lanes.rules[number].low, bounds[0])
        write(lanes.rules[number].high, bounds[1])


class Bench:
    """A board, and lanes that are filled, worked on and read."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.board = blank_workspace(layout)["board"][0]
        self.lanes = np.zeros(1, memory.layout(Lanes, **kernel.SIZES[layout.limbs, layout.lanes]))[
            0
        ]

    def run(self, function: Any, stones: list[int], others: list[int], *more: Any) -> None:
        """Have a function work on lanes of boards."""
        for name, boards in (("stones", stones), ("others", others)):
            self.lanes[name][:] = 0
            for lane, board in enumerate(boards):
                self.lanes[name][:, lane] = self.layout.words_of(board)
        function(self.board, self.lanes, *more)

    def found(self, name: str) -> list[int]:
        """The boards in the lanes of a field."""
        limbs = self.lanes[name].T
        return [sum(int(word) << 64 * limb for limb, word in enumerate(each)) for each in limbs]


def layout_of(rows: int, columns: int) -> Layout:
    return Layout.for_board(rows, columns, 2**28)


def stones_of(position: Connect4Position) -> Stones:
    return Stones(*position.sides)


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_bit_tricks_find_what_looking_at_every_four_finds(size: tuple[int, int]) -> None:
    game, bench, rng = Connect4(*size), Bench(layout_of(*size)), random.Random(1)
    layout = bench.layout
    for _ in range(30):
        stones = [sum(bit for bit in game.bits if rng.random() < 0.4) for _ in range(layout.lanes)]
        cells = [sum(bit for bit in game.bits if rng.random() < 0.7) for _ in range(layout.lanes)]
        bench.run(tricks, stones, cells)
        for lane, (some, others) in enumerate(zip(stones, cells)):
            wins = _union(_missing(four, some) for four in game.lines if _one_missing(four, some))
            whole = [four for four in game.lines if four & others == four]
            apart = [four for four in whole if four & four >> 1 == 0]
            held = [four for four in apart if (four & some).bit_count() >= 2]
            found = bench.found("wins")[lane] & layout.cells & ~some
            assert found == wins == winning_cells(layout, some) & ~some
            assert bool(bench.found("starts")[lane]) == bool(whole)
            assert bench.found("members")[lane] == _union(whole)
            assert bench.found("mirror")[lane] == layout.mirror(some)
            assert bench.lanes["half"][lane] == len(held)


def _missing(four: int, stones: int) -> int:
    return four & ~stones


def _one_missing(four: int, stones: int) -> bool:
    """Is one cell missing: in a column the highest one, for stones do not float?"""
    cell = four & ~stones
    return cell.bit_count() == 1 and (four & four >> 1 == 0 or cell << 1 > four)


def _union(boards: Iterable[int]) -> int:
    cells = 0
    for board in boards:
        cells |= board
    return cells


def test_mirror_images() -> None:
    layout = layout_of(6, 7)
    assert layout.mirror(layout.column(0)) == layout.column(6)
    assert layout.mirror(1 << 3 * 7) == 1 << 3 * 7


def test_what_is_forced_is_as_good_as_anything() -> None:
    game = Connect4(4, 4)
    layout, seen = layout_of(4, 4), 0
    for position in random_positions(game, 500, 1, 9):
        line, _ = forced_line(layout, stones_of(position))
        if line:
            assert -score(position.child(line[0])) == score(position)
            seen += 1
    assert seen > 100


def test_the_forced_line_ends_in_a_quiet_position_or_with_the_game() -> None:
    game = Connect4(4, 5)
    layout = layout_of(4, 5)
    for position in random_positions(game, 200, 1, 12):
        line, after = forced_line(layout, stones_of(position))
        for move in line:
            position = position.child(move)
        assert stones_of(position) == after
        assert not position.moves() or forced_line(layout, after) == ([], after)


def quiet_groups(bench: Bench, count: int, most_empty: int) -> Iterator[list[Connect4Position]]:
    """Quiet positions, as many as there are lanes, with an even or an odd number of empty cells."""
    game, layout = Connect4(bench.layout.rows, bench.layout.columns), bench.layout
    positions = [
        position
        for position in random_positions(game, count, 3, most_empty)
        if not forced_line(layout, stones_of(position))[0]
    ]
    for odd in (False, True):
        alike = [position for position in positions if empty(position) % 2 == odd]
        for start in range(0, len(alike), layout.lanes):
            yield alike[start : start + layout.lanes]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "count", "most_empty"),
    [
        ((4, 4), 800, 11),
        ((4, 5), 800, 10),
        ((5, 4), 800, 11),
        ((5, 5), 800, 10),
        ((6, 5), 800, 9),
        ((7, 5), 800, 9),
        pytest.param((8, 8), 300, 9, marks=pytest.mark.slow),
    ],
    ids=str,
)
@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_every_bound_holds(size: tuple[int, int], count: int, most_empty: int, share: int) -> None:
    bench, hits = Bench(layout_of(*size)), [0, 0, 0]
    for group in quiet_groups(bench, max(count // share, 300), most_empty):
        truths, odd = [score(position) for position in group], empty(group[0]) % 2 == 1
        for own_turn in (True, False):  # in the kernel either side may be the one to move
            found = bounds_of_group(bench, group, own_turn)
            for lane, truth in enumerate(truths):
                true_value = truth if own_turn else -truth  # for the seat whose stones come first
                closer = true_value if odd == own_turn else -true_value
                for rule in range(3):
                    low, high = found[rule][lane]
                    assert low <= closer <= high, (str(group[lane]), rule)
                    hits[rule] += low > -50 or high < 50
                low, high = found[3][lane]
                assert low <= true_value <= high, str(group[lane])
    assert all(hits), "each rule must have had something to say"


def bounds_of_group(
    bench: Bench, group: list[Connect4Position], own_turn: bool
) -> list[list[tuple[int, int]]]:
    """The bounds by each rule, then by all of them."""
    pairs = [stones_of(position)[:: 1 if own_turn else -1] for position in group]
    odd = empty(group[0]) % 2 == 1
    masks = (
        np.uint64(EVERY_LANE if own_turn else 0),
        np.uint64(EVERY_LANE if odd == own_turn else 0),
    )
    bench.run(all_bounds, [pair[0] for pair in pairs], [pair[1] for pair in pairs], *masks)
    return [list(zip(each["low"].tolist(), each["high"].tolist())) for each in bench.lanes["rules"]]


TABLE_LAYOUT = Layout(6, 7, 1)


@native()
def write_entry(table: Transpositions, key: Word, rest: Word, low: int, high: int) -> None:
    keep(table, (key, rest), data_of(low, high, key & np.uint64(255)))


@native()
def read_entry(table: Transpositions, key: Word, rest: Word) -> tuple[int, int]:
    return bounds_of(found(table, BUCKET, (key, rest))[1])


@native()
def enlarge(table: Transpositions) -> None:
    grow(table, BUCKET, np.uint64(2))


class Table:
    """A small table, and the questions that a search asks it."""

    def __init__(self, buckets: int, most_buckets: int) -> None:
        self.entries = memory.aligned(most_buckets * BUCKET_BYTES // 8)
        self.entries[: buckets * BUCKET_BYTES // 8] = 0
        self.entries[buckets * BUCKET_BYTES // 8 :] = 2**64 - 1  # what was there does not matter
        self.record = memory.new(Transpositions)
        self.record.entries = np.uint64(self.entries.ctypes.data)
        self.record.key_bits = np.uint64(TABLE_LAYOUT.key_bits)
        self.record.tag_bits = np.uint64(TABLE_LAYOUT.key_bits - (buckets.bit_length() - 1))
        self.record.most_buckets, self.record.grow_at = np.uint64(most_buckets), np.uint64(100)

    def keep(self, key: tuple[int, int], low: int, high: int) -> None:
        write_entry(self.record, np.uint64(key[0]), np.uint64(key[1]), low, high)

    def bounds(self, key: tuple[int, int]) -> tuple[int, int]:
        return read_entry(self.record, np.uint64(key[0]), np.uint64(key[1]))

    def grow(self) -> None:
        enlarge(self.record)


def random_keys(count: int) -> list[tuple[int, int]]:
    rng, bits = random.Random(2), TABLE_LAYOUT.key_bits
    return [(rng.getrandbits(bits), rng.getrandbits(bits)) for _ in range(count)]


def test_the_table_gives_back_what_was_kept() -> None:
    transpositions = Table(1024, 1024)
    keys = random_keys(250)
    for number, key in enumerate(keys):
        transpositions.keep(key, -number % 40 - 20, 20)
    assert [transpositions.bounds(key)[0] for key in keys] == [
        -number % 40 - 20 for number in range(250)
    ]
    transpositions.keep(keys[0], 3, 3)
    assert transpositions.bounds(keys[0]) == (3, 3)


def test_the_table_knows_nothing_of_other_keys() -> None:
    transpositions = Table(16, 16)
    for first, rest in random_keys(60):
        transpositions.keep((first, rest), 1, 2)
        assert (
            transpositions.bounds((first ^ 1, rest))
            == transpositions.bounds((first, rest ^ 1))
            == (-64, 64)
        )
    assert Table(16, 16).bounds((0, 0)) == (-64, 64)


def test_a_full_bucket_forgets_what_took_the_least_work() -> None:
    transpositions = Table(16, 16)
    keys = [(work, rest) for rest, work in enumerate((200, 90, 3, 40, 10))]
    for key in keys:
        transpositions.keep(key, 1, 2)
    known = [transpositions.bounds(key) == (1, 2) for key in keys]
    assert known == [True, True, False, True, True]


def test_a_table_grows_without_forgetting() -> None:
    transpositions = Table(16, 300)
    keys = random_keys(40)
    for key in keys:
        transpositions.keep(key, -5, 7)
    known = [key for key in keys if transpositions.bounds(key) == (-5, 7)]
    assert len(known) > 30
    for buckets, grow_at in ((64, 400), (256, 1600), (256, 2**64 - 1)):
        transpositions.grow()
        assert (
            int(transpositions.record.key_bits - transpositions.record.tag_bits)
            == buckets.bit_length() - 1
        )
        assert int(transpositions.record.grow_at) == grow_at
        assert all(transpositions.bounds(key) == (-5, 7) for key in known)
        assert all(transpositions.bounds((first ^ 1, rest)) == (-64, 64) for first, rest in known)
