"""Learned patterns of marks in a row, by the lines of small boards: no search, nothing compiled."""

import random
from itertools import product
from math import tanh
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from papan.engine.patterns import BEYOND, RowPatterns

Marks = tuple[int, int]


def placed(marks: Marks, turn: int) -> Any:
    return SimpleNamespace(marks=marks, turn=turn)


def patterns(width: int, height: int, connect: int, falls: bool, most: float = 1.0) -> RowPatterns:
    return RowPatterns((width, height), connect, lambda it: it.marks, most, falls)


def lines(width: int, height: int, connect: int) -> list[int]:
    """All lines of a board as bitboards, with bit x * height + y for place y of strip x."""
    found = []
    for x, y, (right, up) in product(
        range(width), range(height), ((1, 0), (0, 1), (1, 1), (1, -1))
    ):
        cells = [(x + step * right, y + step * up) for step in range(connect)]
        if all(0 <= a < width and 0 <= b < height for a, b in cells):
            found.append(sum(1 << a * height + b for a, b in cells))
    return found


def by_hand(board: list[int], marks: Marks, growth: float, connect: int) -> float:
    """What the open lines of seat 0 are worth, less those of seat 1."""
    total = 0.0
    for line in board:
        own, rival = ((line & each).bit_count() for each in marks)
        total += growth ** (own - connect) * (own > 0 and not rival)
        total -= growth ** (rival - connect) * (rival > 0 and not own)
    return total


def games(width: int, height: int, falls: bool, count: int) -> list[tuple[Marks, int]]:
    """Marks that were made by turns at random, and whose turn it is."""
    rng, found = random.Random(f"{width} {height} {falls}"), []
    for _ in range(count):
        marks, turn = [0, 0], 0
        for _ in range(rng.randrange(width * height)):
            taken = marks[0] | marks[1]
            free = [
                cell
                for cell in range(width * height)
                if not taken >> cell & 1
                and (not falls or cell % height == 0 or taken >> cell - 1 & 1)
            ]
            marks[turn] |= 1 << rng.choice(free)
            turn = 1 - turn
        found.append(((marks[0], marks[1]), turn))
    return found


BOARDS = [(4, 3, 3, False), (5, 4, 4, False), (4, 4, 4, True), (5, 4, 3, True)]


@pytest.mark.parametrize(("width", "height", "connect", "falls"), BOARDS)
def test_weights_by_hand_are_worth_what_open_lines_are(
    width: int, height: int, connect: int, falls: bool
) -> None:
    found, board = patterns(width, height, connect, falls, most=2.0), lines(width, height, connect)
    found.learn(found.prior(3.0))
    for marks, turn in games(width, height, falls, 40):
        value = by_hand(board, marks, 3.0, connect)
        expected = 2.0 * tanh(-value if turn else value)
        assert found.evaluate(placed(marks, turn)) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(("width", "height", "connect", "falls"), BOARDS)
def test_mirrored_boards_are_worth_the_same_and_so_are_swapped_seats(
    width: int, height: int, connect: int, falls: bool
) -> None:
    found = patterns(width, height, connect, falls)
    found.learn(np.random.default_rng(5).normal(size=found.weight_count) / 8)
    different = set()
    for (first, second), turn in games(width, height, falls, 20):
        value = found.evaluate(placed((first, second), turn))
        strips = [
            [marks >> x * height & (1 << height) - 1 for x in range(width)]
            for marks in (first, second)
        ]
        mirrored = [
            sum(strip << (width - 1 - x) * height for x, strip in enumerate(each))
            for each in strips
        ]
        assert found.evaluate(placed((mirrored[0], mirrored[1]), turn)) == pytest.approx(value)
        if not falls:
            assert found.evaluate(placed((second, first), 1 - turn)) == pytest.approx(value)
        different.add(round(value, 6))
    assert len(different) > 10


def test_each_table_has_its_weights_and_marks_that_fall_one_for_each_window() -> None:
    free, falling = patterns(4, 3, 3, False), patterns(4, 4, 4, True)
    assert (free.length, free.ways, free.tables, free.weight_count) == (4, 256, 1, 256)
    assert (falling.length, falling.ways) == (4, 256)
    assert falling.tables == len(lines(4, 4, 4)) == 10
    assert falling.weight_count == 2 * 10 * 256
    # rows of n cells have n - 1 windows, as one more cell shows which end is open
    assert len(free.starts) == 4 * (3 - 1) + 3 * (4 - 1) + 4 * (3 - 1)


def test_the_two_sums_are_those_of_either_seat_to_move() -> None:
    found = patterns(4, 4, 4, True)
    weights = np.zeros(found.weight_count)
    weights[:] = np.random.default_rng(2).integers(-900, 900, found.weight_count) / 1024
    found.learn(weights)
    for marks, turn in games(4, 4, True, 12):
        form = found.native(placed(marks, turn))
        board = [int(word) for word in form.board]
        sums = board[10] - (2**64 if board[10] >= 2**63 else 0)
        assert sums == found.sums(*found.planes(*marks))
        first = (sums + 2**31) % 2**32 - 2**31
        one = [found.evaluate(placed(marks, seat)) for seat in (0, 1)]
        assert one == pytest.approx([tanh(first / 1024), tanh(-((sums - first) >> 32) / 1024)])
        taken = (marks[0] | marks[1]).bit_count()
        assert board[8:10] == [turn, 0] and board[11] == 16 - taken
        assert (form.widest, form.deepest, len(board)) == (4, 16 - taken, 12)


def test_weights_are_rounded_to_parts_of_1024_and_replace_the_old_ones() -> None:
    found = patterns(3, 3, 3, False)
    rules, one = found.rules, placed((1 << 4, 0), 1)
    for weight, parts in ((0.5004, 512), (0.4996, 512), (-0.25, -256), (0.0, 0)):
        found.learn(np.full(found.weight_count, weight))
        assert {*np.unique(np.abs(rules.table % 2**32))} <= {0, parts % 2**32, -parts % 2**32}
        assert (found.evaluate(one) != 0) == (weight != 0)


def test_planes_tell_four_kinds_of_cells() -> None:
    """A column of marks x, o and the place above, a column that is full, and an empty one."""
    falling = patterns(3, 3, 3, True)
    first, second = 0b011_000 | 0b001, 0b100_000 | 0b010
    low, high = falling.planes(first, second)
    kinds = [(low >> cell & 1) + 2 * (high >> cell & 1) for cell in range(9)]
    assert kinds == [1, 2, 3, 1, 1, 2, 3, 0, 0]
    assert low >> BEYOND & high >> BEYOND & 1 and not low >> 9 & (1 << BEYOND - 9) - 1
    free = patterns(3, 3, 3, False)
    assert free.planes(first, second) == (first | 1 << BEYOND, second | 1 << BEYOND)


def test_rules_have_a_row_for_each_cell_and_direction() -> None:
    rules = patterns(4, 3, 3, False).rules
    assert rules.strips.shape == (12 * 4, 7) and rules.through.shape == (12 * 4, 4)
    assert (rules.length, rules.connect, rules.cells, rules.column) == (4, 3, 12, 0)
    outside = [BEYOND] * 2
    assert rules.strips[4 * 4].tolist() == [*outside, 3, 4, 5, *outside]  # along the strip
    assert rules.strips[4 * 4 + 1].tolist() == [*outside, 1, 4, 7, 10, BEYOND]
    assert rules.strips[4 * 4 + 2].tolist() == [*outside, 0, 4, 8, *outside]
    assert rules.strips[4 * 4 + 3].tolist() == [*outside, 2, 4, 6, *outside]
    assert rules.windows.shape == (25, 5) and not rules.windows[:, 4].any()
    falling = patterns(4, 3, 3, True)
    assert (falling.rules.column, falling.rules.cells, falling.rules.connect) == (3, 12, 3)
    starts = falling.rules.windows[:, 3].tolist()
    assert starts == [number * 64 for number in range(len(starts))]
