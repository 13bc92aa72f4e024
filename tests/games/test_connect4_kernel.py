"""The pieces of the Connect 4 kernel, each against its plain twin."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from papan.engine.control import Words, controls
from papan.engine.native import load, native, words_at
from papan.engine.simd import (
    choose,
    eight_at,
    lane_words,
    lanes_at,
    sixteen_at,
    spread,
    store_lanes,
    wide_at,
)
from papan.games.connect4 import Connect4
from papan.games.connect4.forced import Stones, forced_cell, forced_line, winning_cells
from papan.games.connect4.kernel_bounds import (
    closer_claims,
    last_hopes,
    opener_waits,
    static_bounds,
)
from papan.games.connect4.kernel_layout import (
    BUCKET,
    CELLS,
    GROW_AT,
    KEY_BITS,
    MOST_BUCKETS,
    STEP,
    TAG_BITS,
    TRANSPOSITIONS,
    WIDTH,
)
from papan.games.connect4.kernel_moves import fours, half_made, in_fours, mirrored, playable_cells
from papan.games.connect4.kernel_moves import winning_cells as winning_cells_in_lanes
from papan.games.connect4.kernel_transpositions import bounds_of, data_of, grow, keep, look_up
from papan.games.connect4.layout import Layout, aligned
from papan.games.connect4.rules import Connect4Position

from .connect4_truth import empty, random_positions, score

SIZES = [(4, 4), (6, 7), (7, 8), (5, 10), (8, 10)]
"""Boards for every kind of lanes, with odd and even numbers of rows and columns."""
EVERY_LANE = 0xFFFF


@native()
def tricks(board, words, pointer, out):
    """What the bit tricks find for the boards at *pointer*: stones, then other cells."""
    stones, cells = lanes_at(pointer, 0), lanes_at(pointer, 1)
    step, size = load(words, STEP), lane_words(board)
    store_lanes(out, 0 * size, winning_cells_in_lanes(stones, step))
    store_lanes(out, 1 * size, fours(cells, step))
    store_lanes(out, 2 * size, in_fours(cells, step))
    store_lanes(out, 3 * size, mirrored(board, words, stones))
    store_lanes(out, 4 * size, half_made(stones & cells, cells, step))


@native()
def all_bounds(board, words, pointer, out, masks):
    """Bounds of quiet positions at *pointer*, mover first: by each rule, then by all of them."""
    same, closing = masks
    mine, theirs = lanes_at(pointer, 0), lanes_at(pointer, 1)
    step, size = load(words, STEP), lane_words(board)
    free = lanes_at(board, CELLS) & ~(mine | theirs)
    wins = winning_cells_in_lanes(mine, step) & free, winning_cells_in_lanes(theirs, step) & free
    closer, opener = choose(closing, mine, theirs), choose(closing, theirs, mine)
    claims = choose(closing, wins[0], wins[1]), choose(closing, wins[1], wins[0])
    view = (closer, opener, claims[0], claims[1], free, playable_cells(board, free))
    known = spread(np.int64(-50), mine), spread(np.int64(50), mine)
    for number, found in enumerate(
        (
            last_hopes(board, words, view, known),
            closer_claims(board, words, view, known),
            opener_waits(board, words, view, known),
            static_bounds(board, words, (mine, theirs, wins[0], wins[1], free), same, closing),
        )
    ):
        store_lanes(out, (2 * number) * size, found[0])
        store_lanes(out, (2 * number + 1) * size, found[1])


@native()
def tricks_of_eight(board, words, pointer, out):
    tricks(eight_at(board), words_at(words), eight_at(pointer), words_at(out))


@native()
def tricks_of_sixteen(board, words, pointer, out):
    tricks(sixteen_at(board), words_at(words), sixteen_at(pointer), words_at(out))


@native()
def tricks_of_wide(board, words, pointer, out):
    tricks(wide_at(board), words_at(words), wide_at(pointer), words_at(out))


@native()
def bounds_of_eight(board, words, pointer, out, masks):
    all_bounds(eight_at(board), words_at(words), eight_at(pointer), words_at(out), masks)


@native()
def bounds_of_wide(board, words, pointer, out, masks):
    all_bounds(wide_at(board), words_at(words), wide_at(pointer), words_at(out), masks)


class Bench:
    """A board, and lanes that are filled, worked on and read."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.size = layout, layout.limbs * layout.lanes
        self.board, self.words = layout.masks(), controls()
        self.words[STEP], self.words[WIDTH] = layout.step, layout.columns

    def run(self, function: Any, lanes: list[list[int]], *more: Any) -> Words:
        """What a function writes, given lanes of boards."""
        layout = self.layout
        words = [
            layout.words_of(board)[limb]
            for boards in lanes
            for limb in range(layout.limbs)
            for board in [*boards, *[0] * (layout.lanes - len(boards))]
        ]
        pointer = aligned(np.array(words, dtype=np.uint64))
        out: Words = np.zeros(12 * self.size, dtype=np.uint64)
        addresses = (each.ctypes.data for each in (self.board, self.words, pointer, out))
        function(*addresses, *more)
        return out

    def boards(self, out: Words, index: int) -> list[int]:
        limbs = out[index * self.size : (index + 1) * self.size].reshape(-1, self.layout.lanes)
        return [sum(int(word) << 64 * limb for limb, word in enumerate(each)) for each in limbs.T]

    def numbers(self, out: Words, index: int) -> list[int]:
        words = out[index * self.size : index * self.size + self.layout.lanes]
        return [int(word) for word in words.astype(np.int64)]


def layout_of(rows: int, columns: int) -> Layout:
    return Layout.for_board(rows, columns, 2**28)


def stones_of(position: Connect4Position) -> Stones:
    return Stones(position.stones[position.turn], position.stones[1 - position.turn])


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_bit_tricks_find_what_looking_at_every_four_finds(size: tuple[int, int]) -> None:
    game, bench, rng = Connect4(*size), Bench(layout_of(*size)), random.Random(1)
    layout = bench.layout
    kinds = {(1, 8): tricks_of_eight, (1, 16): tricks_of_sixteen, (2, 16): tricks_of_wide}
    for _ in range(30):
        stones = [sum(bit for bit in game.bits if rng.random() < 0.4) for _ in range(layout.lanes)]
        cells = [sum(bit for bit in game.bits if rng.random() < 0.7) for _ in range(layout.lanes)]
        out = bench.run(kinds[layout.limbs, layout.lanes], [stones, cells])
        for lane, (some, others) in enumerate(zip(stones, cells)):
            wins = _union(_missing(four, some) for four in game.fours if _one_missing(four, some))
            whole = [four for four in game.fours if four & others == four]
            apart = [four for four in whole if four & four >> 1 == 0]
            held = [four for four in apart if (four & some).bit_count() >= 2]
            found = bench.boards(out, 0)[lane] & layout.cells & ~some
            assert found == wins == winning_cells(layout, some) & ~some
            assert bool(bench.boards(out, 1)[lane]) == bool(whole)
            assert bench.boards(out, 2)[lane] == _union(whole)
            assert bench.boards(out, 3)[lane] == layout.mirror(some)
            assert bench.numbers(out, 4)[lane] == len(held)


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
        cell = forced_cell(layout, stones_of(position))
        if cell:
            move = (cell.bit_length() - 1) // layout.step
            assert -score(position.child(move)) == score(position)
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
        assert not position.moves() or not forced_cell(layout, after)


def quiet_groups(bench: Bench, count: int, most_empty: int) -> Iterator[list[Connect4Position]]:
    """Quiet positions, as many as there are lanes, with an even or an odd number of empty cells."""
    game, layout = Connect4(bench.layout.rows, bench.layout.columns), bench.layout
    positions = [
        position
        for position in random_positions(game, count, 3, most_empty)
        if not forced_cell(layout, stones_of(position))
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
    lanes = [[pair[0] for pair in pairs], [pair[1] for pair in pairs]]
    wide = bench.layout.limbs == 2
    out = bench.run(bounds_of_wide if wide else bounds_of_eight, lanes, masks)
    return [
        list(zip(bench.numbers(out, 2 * rule), bench.numbers(out, 2 * rule + 1)))
        for rule in range(4)
    ]


TABLE_LAYOUT = Layout(6, 7, 1)


@native()
def write_entry(words, key, rest, low, high):
    keep(words_at(words), key, rest, data_of(low, high, key & np.uint64(255)))


@native()
def read_entry(words, key, rest):
    return bounds_of(look_up(words_at(words), key, rest))


@native()
def grow_transpositions(words):
    grow(words_at(words))


class Transpositions:
    """A small table, and the questions that a search asks it."""

    def __init__(self, buckets: int, most_buckets: int) -> None:
        self.words = controls()
        self.entries: Words = aligned(np.zeros(most_buckets * BUCKET, dtype=np.uint64))
        self.entries[buckets * BUCKET :] = np.uint64(2**64 - 1)  # what was there does not matter
        self.words[TRANSPOSITIONS] = self.entries.ctypes.data
        self.words[KEY_BITS] = TABLE_LAYOUT.key_bits
        self.words[TAG_BITS] = TABLE_LAYOUT.key_bits - (buckets.bit_length() - 1)
        self.words[MOST_BUCKETS], self.words[GROW_AT] = most_buckets, 100

    def keep(self, key: tuple[int, int], low: int, high: int) -> None:
        write_entry(self.words.ctypes.data, np.uint64(key[0]), np.uint64(key[1]), low, high)

    def bounds(self, key: tuple[int, int]) -> tuple[int, int]:
        found: tuple[int, int] = read_entry(
            self.words.ctypes.data, np.uint64(key[0]), np.uint64(key[1])
        )
        return found

    def grow(self) -> None:
        grow_transpositions(self.words.ctypes.data)


def random_keys(count: int) -> list[tuple[int, int]]:
    rng, bits = random.Random(2), TABLE_LAYOUT.key_bits
    return [(rng.getrandbits(bits), rng.getrandbits(bits)) for _ in range(count)]


def test_the_table_gives_back_what_was_kept() -> None:
    transpositions = Transpositions(1024, 1024)
    keys = random_keys(250)
    for number, key in enumerate(keys):
        transpositions.keep(key, -number % 40 - 20, 20)
    assert [transpositions.bounds(key)[0] for key in keys] == [
        -number % 40 - 20 for number in range(250)
    ]
    transpositions.keep(keys[0], 3, 3)
    assert transpositions.bounds(keys[0]) == (3, 3)


def test_the_table_knows_nothing_of_other_keys() -> None:
    transpositions = Transpositions(16, 16)
    for first, rest in random_keys(60):
        transpositions.keep((first, rest), 1, 2)
        assert (
            transpositions.bounds((first ^ 1, rest))
            == transpositions.bounds((first, rest ^ 1))
            == (-64, 64)
        )
    assert Transpositions(16, 16).bounds((0, 0)) == (-64, 64)


def test_a_full_bucket_forgets_what_took_the_least_work() -> None:
    transpositions = Transpositions(16, 16)
    keys = [(work, rest) for rest, work in enumerate((200, 90, 3, 40, 10))]
    for key in keys:
        transpositions.keep(key, 1, 2)
    known = [transpositions.bounds(key) == (1, 2) for key in keys]
    assert known == [True, True, False, True, True]


def test_a_table_grows_without_forgetting() -> None:
    transpositions = Transpositions(16, 300)
    keys = random_keys(40)
    for key in keys:
        transpositions.keep(key, -5, 7)
    known = [key for key in keys if transpositions.bounds(key) == (-5, 7)]
    assert len(known) > 30
    for buckets, grow_at in ((64, 400), (256, 1600), (256, 2**64 - 1)):
        transpositions.grow()
        assert (
            int(transpositions.words[KEY_BITS] - transpositions.words[TAG_BITS])
            == buckets.bit_length() - 1
        )
        assert int(transpositions.words[GROW_AT]) == grow_at
        assert all(transpositions.bounds(key) == (-5, 7) for key in known)
        assert all(transpositions.bounds((first ^ 1, rest)) == (-64, 64) for first, rest in known)
