"""The pieces of the Connect 4 kernel, each against its plain twin."""

from __future__ import annotations

import ast
import inspect
import random
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any

import numpy as np
import pytest

from papan.agents.alphabeta import AlphaBeta
from papan.engine import memory
from papan.engine.memory import Row
from papan.engine.native import Word, native
from papan.engine.simd import (
    choose,
    counts,
    larger,
    smaller,
    spread,
    vector,
    which,
    write_lanes,
)
from papan.engine.transpositions import Transpositions, find_entry, grow
from papan.games.connect4 import Connect4, kernel, kernel_theory
from papan.games.connect4.kernel import CONNECT4_BUCKET, bounds_of, data_of, store_data
from papan.games.connect4.kernel_theory import (
    Connect4Masks,
    LaneBounds,
    Roles,
    Sides,
    fours,
    half_made,
    in_fours,
    mirrored_lanes,
    playable_cells,
    static_bounds,
    winning_lanes,
)
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.search_memory import connect4_workspace
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
    bounds: Both


@native()
def tricks(board: Connect4Masks, lanes: Lanes) -> None:
    """What the bit tricks find for stones among other cells."""
    stones, cells = vector(lanes.stones), vector(lanes.others)
    write_lanes(lanes.wins, winning_lanes(stones, board.step))
    write_lanes(lanes.starts, fours(cells, board.step))
    write_lanes(lanes.members, in_fours(cells, board.step))
    write_lanes(lanes.mirror, mirrored_lanes(board, stones))
    write_lanes(lanes.half, half_made(stones & cells, cells, board.step))


# The bounds. A rule is a function (masks, roles, known) -> bounds for the closer.

WIDEST = 50
"""No score is as large: the bounds of a rule that says nothing are WIDEST away from 0."""
RULE_TYPES = ["Connect4Masks", "Roles", "LaneBounds", "LaneBounds"]


def applied_rules() -> list[str]:
    """The rules that `static_bounds` applies, as its source has them."""
    [function] = [
        node
        for node in ast.parse(inspect.getsource(kernel_theory)).body
        if isinstance(node, ast.FunctionDef) and node.name == "static_bounds"
    ]
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return [
        ast.unparse(call.func)
        for call in calls
        if list(map(ast.unparse, call.args)) == ["board", "roles", "known"]
    ]


def declared_rules() -> list[str]:
    """The functions of the theory that have the types of a rule."""
    return [
        name
        for name, member in vars(kernel_theory).items()
        # Python 3.14 does not copy annotations to what wraps a function.
        for function in [getattr(member, "__wrapped__", member)]
        if list(getattr(function, "__annotations__", {}).values()) == RULE_TYPES
    ]


@native(inline=True)
def sides_of(board: Connect4Masks, lanes: Lanes) -> Sides:
    mine, theirs = vector(lanes.stones), vector(lanes.others)
    free = vector(board.cells) & ~(mine | theirs)
    wins = winning_lanes(mine, board.step) & free
    return Sides(mine, theirs, wins, winning_lanes(theirs, board.step) & free, free)


@native(inline=True)
def roles_of(board: Connect4Masks, sides: Sides, closing: Word) -> Roles:
    mine, theirs, wins, losses, free = sides
    return Roles(
        choose(closing, mine, theirs),
        choose(closing, theirs, mine),
        choose(closing, wins, losses),
        choose(closing, losses, wins),
        free,
        playable_cells(board, free),
    )


@native()
def all_bounds(board: Connect4Masks, lanes: Lanes, same: Word, closing: Word) -> None:
    """Bounds of quiet positions by all rules, for the mover."""
    bounds = static_bounds(board, sides_of(board, lanes), same, closing)
    write_lanes(lanes.bounds.low, bounds[0])
    write_lanes(lanes.bounds.high, bounds[1])


@cache
def bounds_by(rule: Any) -> Any:
    """A kernel that writes the bounds of quiet positions by one rule, for the closer."""

    @native()
    def bounds(board: Connect4Masks, lanes: Lanes, same: Word, closing: Word) -> None:
        sides = sides_of(board, lanes)
        nothing = spread(np.int64(-WIDEST), sides.empty), spread(np.int64(WIDEST), sides.empty)
        low, high = rule(board, roles_of(board, sides, closing), nothing)
        write_lanes(lanes.bounds.low, low)
        write_lanes(lanes.bounds.high, high)

    return bounds


class Bench:
    """A board, and lanes that are filled, worked on and read."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.board = connect4_workspace(layout)["board"][0]
        self.lanes = np.zeros(
            1, memory.layout(Lanes, **kernel.WORKSPACE_SIZES[layout.limbs, layout.lanes])
        )[0]

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


MOST_EMPTY = {(4, 4): 13, (4, 5): 15, (5, 4): 15, (5, 5): 16, (6, 5): 16, (7, 5): 16, (6, 7): 18}
"""The most empty cells of the positions on each board: more than the definition could solve."""
FEW, MANY = 120, 1_600
"""Positions of a board; twice as many of the smallest, of which rules say less."""


class Sample:
    """Quiet positions with their exact scores, as many as there are lanes, all even or all odd."""

    def __init__(self, bench: Bench, positions: list[Connect4Position], odd: bool) -> None:
        self.bench, self.positions, self.odd = bench, positions, odd
        self.scores = list(map(searched_score, positions))

    def bounds(self, function: Any, own_turn: bool) -> list[tuple[int, int]]:
        """The bounds that a kernel finds, where the seat whose stones come first is to move, or
        not: in the search either side may be.
        """
        pairs = [stones_of(position)[:: 1 if own_turn else -1] for position in self.positions]
        closing = np.uint64(EVERY_LANE if self.odd == own_turn else 0)
        own, rival = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        self.bench.run(function, own, rival, np.uint64(EVERY_LANE if own_turn else 0), closing)
        both = self.bench.lanes["bounds"]
        return list(zip(both["low"].tolist(), both["high"].tolist()))

    def closer_scores(self) -> list[int]:
        """The exact scores for the closer: who is to move with an odd number of empty cells."""
        return [exact if self.odd else -exact for exact in self.scores]


@cache
def samples(size: tuple[int, int], count: int) -> list[Sample]:
    """Quiet positions of a board, in groups."""
    bench, rng = Bench(layout_of(*size)), random.Random(f"quiet {size}")
    lanes, groups = bench.layout.lanes, []
    for odd in (False, True):
        numbers = [each for each in range(3, MOST_EMPTY[size] + 1) if each % 2 == odd]
        alike = [quiet_position(bench.layout, rng.choice(numbers), rng) for _ in range(count // 2)]
        groups += [
            Sample(bench, alike[start : start + lanes], odd)
            for start in range(0, len(alike), lanes)
        ]
    return groups


def quiet_position(layout: Layout, cells: int, rng: random.Random) -> Connect4Position:
    """A quiet position with so many empty cells, by random moves that keep quiet if any does."""
    while True:
        position = Connect4(layout.rows, layout.columns).start()
        while empty(position) > cells and position.moves():
            after = [position.child(move) for move in position.moves()]
            rng.shuffle(after)
            position = next((each for each in after if is_quiet(layout, each)), after[0])
        if is_quiet(layout, position):
            return position


def is_quiet(layout: Layout, position: Connect4Position) -> bool:
    return bool(position.moves()) and not forced_line(layout, stones_of(position))[0]


def searched_score(position: Connect4Position) -> int:
    """The exact score by the alpha-beta of all games, which knows nothing of this theory."""
    analysis = AlphaBeta().analyse(position)
    assert analysis.exact
    if not analysis.value:
        return 0
    assert analysis.distance is not None
    left = empty(position) - analysis.distance
    return left // 2 + 1 if analysis.value > 0 else -(left // 2 + 1)


def wrong_bounds(rule: Any, size: tuple[int, int], count: int = FEW) -> tuple[list[str], int]:
    """The positions whose exact score is outside of a rule's bounds, and how many it bounds."""
    wrong, bounded = [], 0
    for sample in samples(size, count):
        for own_turn in (True, False):
            found = sample.bounds(bounds_by(rule), own_turn)
            for position, exact, (low, high) in zip(
                sample.positions, sample.closer_scores(), found
            ):
                bounded += low > -WIDEST or high < WIDEST
                if not low <= exact <= high:
                    wrong.append(f"{position}: {low} <= {exact} <= {high}")
    return wrong, bounded


def test_the_search_of_all_games_gives_the_scores_of_the_definition() -> None:
    for position in random_positions(Connect4(4, 4), 60, 3, 9):
        assert searched_score(position) == score(position)


def test_every_rule_of_the_theory_is_applied_and_found() -> None:
    """A new rule is tested as soon as the search uses it, without being listed here."""
    assert sorted(applied_rules()) == sorted(declared_rules())
    assert len(applied_rules()) >= 3


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "count"),
    [
        *(
            (size, 2 * FEW if size == (4, 4) else FEW) for size in MOST_EMPTY
        ),  # rules say less there
        *(pytest.param(size, MANY, marks=pytest.mark.slow) for size in MOST_EMPTY),
    ],
    ids=str,
)
def test_every_bound_holds(size: tuple[int, int], count: int) -> None:
    for name in applied_rules():
        wrong, bounded = wrong_bounds(getattr(kernel_theory, name), size, count)
        assert not wrong, f"{name}: {wrong[0]}"
        assert bounded, f"{name} must have had something to say"
    for sample in samples(size, count):
        for own_turn in (True, False):
            found = sample.bounds(all_bounds, own_turn)
            for position, exact, (low, high) in zip(sample.positions, sample.scores, found):
                own = exact if own_turn else -exact  # for the seat whose stones come first
                assert low <= own <= high, str(position)


# Rules that look right and are not. Each was made from a sound one, or from a plausible thought.


@native(inline=True)
def claims_what_is_playable(board: Connect4Masks, roles: Roles, known: LaneBounds) -> LaneBounds:
    """Unsound: the closer gets every upper cell, as if none were playable at once."""
    closer, opener, _, _, free, _ = roles
    share = opener | (free & vector(board.lower))
    safe = ~which(fours(share, board.step))
    claimed = which(fours(closer | (free & vector(board.upper)), board.step))
    least = choose(claimed, spread(np.int64(1), free), spread(np.int64(0), free))
    return choose(safe, larger(known[0], least), known[0]), known[1]


@native(inline=True)
def waits_without_a_look(board: Connect4Masks, roles: Roles, known: LaneBounds) -> LaneBounds:
    """Unsound: the opener wins by a lower winning cell, whatever the closer's cells are."""
    waiting = roles.opener_wins & vector(board.lower)
    most = smaller(known[1], spread(np.int64(-1), roles.empty))
    return known[0], choose(which(waiting), most, known[1])


@native(inline=True)
def rounds_the_score_down(board: Connect4Masks, roles: Roles, known: LaneBounds) -> LaneBounds:
    """Unsound by one: a win is worth the empty cells after it // 2 + 1, not just half of them.

    A side without a winning cell needs two stones more, and then at least 3 cells fewer are empty.
    """
    left = counts(roles.empty)
    half = larger(left - spread(np.int64(3), left), spread(np.int64(0), left)) >> np.uint64(1)
    none = ~which(roles.closer_wins)
    return known[0], choose(none, smaller(known[1], half), known[1])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "rule", [claims_what_is_playable, waits_without_a_look, rounds_the_score_down]
)
def test_an_unsound_rule_is_noticed(rule: Any) -> None:
    assert wrong_bounds(rule, (5, 5))[0]


TABLE_LAYOUT = Layout(6, 7, 1)


@native()
def write_entry(table: Transpositions, key: Word, rest: Word, low: int, high: int) -> None:
    store_data(table, (key, rest), data_of(low, high, key & np.uint64(255)))


@native()
def read_entry(table: Transpositions, key: Word, rest: Word) -> tuple[int, int]:
    return bounds_of(find_entry(table, CONNECT4_BUCKET, (key, rest))[1])


@native()
def enlarge(table: Transpositions) -> None:
    grow(table, CONNECT4_BUCKET, np.uint64(2))


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
