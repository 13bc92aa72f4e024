"""The workspace of the Dots and Boxes kernels: what they need to know of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from papan.engine.control import Words
from papan.games.dots import kernel
from papan.games.dots.rules import Dots

Point: TypeAlias = tuple[int, int]
"""A place on the board in half boxes from the top left: dots at even, boxes at odd numbers."""

MOST_BOXES = 36


class Board:
    """How a board looks to the kernels."""

    def __init__(self, game: Dots) -> None:
        self.game = game
        self.stride = game.columns + 1

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The middle of each line."""
        places = [divmod(dot, self.stride) for dot in range(self.game.dots.size)]
        return tuple(
            (places[one][0] + places[other][0], places[one][1] + places[other][1])
            for one, other in self.game.lines
        )

    @cached_property
    def bits(self) -> tuple[tuple[int, int], ...]:
        """The word (0 across, 1 down) and the bit of each line."""
        return tuple((row % 2, row // 2 * self.stride + column // 2) for row, column in self.points)

    @cached_property
    def centres(self) -> tuple[Point, ...]:
        """The middle of each box."""
        rows, columns = range(self.game.rows), range(self.game.columns)
        return tuple((2 * row + 1, 2 * column + 1) for row in rows for column in columns)

    @cached_property
    def rims(self) -> dict[Point, tuple[int, ...]]:
        """The rim lines of boxes with several: interchangeable, so the first is drawn first."""
        rims = {
            centre: tuple(line for line in sides if len(self.game.beside[line]) == 1)
            for centre, sides in zip(self.centres, self.game.sides)
        }
        return {centre: lines for centre, lines in rims.items() if len(lines) > 1}

    def images(self) -> Iterator[tuple[int, ...]]:
        """Eight times what becomes of each line when the board is turned and mirrored."""
        line_at = {point: line for line, point in enumerate(self.points)}
        for turn in turns(self.game):
            image = [line_at[turn(point)] for point in self.points]
            for centre, lines in self.rims.items():
                for line, other in zip(lines, self.rims[turn(centre)]):
                    image[line] = other
            yield tuple(image)

    def words(self, drawn: int) -> tuple[int, int]:
        """The undrawn lines across and down, rim lines in order."""
        undrawn = {line for line in range(self.game.move_count) if not drawn >> line & 1}
        for lines in self.rims.values():
            rest = len(undrawn.intersection(lines))
            undrawn = undrawn.difference(lines).union(lines[len(lines) - rest :])
        words = [0, 0]
        for line in undrawn:
            word, bit = self.bits[line]
            words[word] |= 1 << bit
        return words[0], words[1]

    def distance(self, line: int) -> int:
        """How far a line is from the centre: twice as far across the cut that halves the board."""
        row, column = self.points[line]
        rows, columns = self.game.rows, self.game.columns
        down, right = abs(row - rows), abs(column - columns)
        if rows == columns:
            return down * down + right * right
        halves = (columns % 2 == 0, columns) > (rows % 2 == 0, rows)
        return 2 * right + down if halves else 2 * down + right


def turns(game: Dots) -> list[Callable[[Point], Point]]:
    """The eight ways to turn and mirror a board; one that is not square has four, twice."""
    height, width = 2 * game.rows, 2 * game.columns

    def turn(flip: bool, mirror: bool, swap: bool) -> Callable[[Point], Point]:
        def turned(point: Point) -> Point:
            row, column = point
            row, column = (height - row if flip else row), (width - column if mirror else column)
            return (column, row) if swap and height == width else (row, column)

        return turned

    both = (False, True)
    return [turn(flip, mirror, swap) for swap in both for flip in both for mirror in both]


def noise(number: int) -> int:
    """A word without pattern, always the same."""
    return int.from_bytes(sha256(str(number).encode()).digest()[:8], "big")


def lay(board: Board) -> Words:
    """A workspace for *board*, ready for a position."""
    game = board.game
    workspace = np.zeros(
        int(kernel.FRAMES + kernel.FRAME * np.uint64(game.move_count + 4)), np.uint64
    )
    workspace[kernel.STRIDE] = board.stride
    for row, column in board.centres:
        workspace[kernel.BOXES] |= np.uint64(1 << row // 2 * board.stride + column // 2)
    for number in range(64):
        workspace[int(kernel.NOISE) + number] = noise(number)
    workspace[int(kernel.LANES) : int(kernel.LANES) + 8] = range(8)
    for junctions in range(9):
        for lane in range(8):
            blank = int(kernel.BLANK_AT) + 8 * junctions + lane
            workspace[blank] = noise(-1 if lane < junctions else -2 - lane)
    _lay_pairs(workspace, board)
    _lay_rings(workspace, board)
    _lay_isolated(workspace)
    _lay_images(workspace, board)
    return workspace


def _lay_pairs(workspace: Words, board: Board) -> None:
    pairs = [pair for lines in board.rims.values() for pair in pairwise(lines)]
    workspace[kernel.PAIRS] = len(pairs)
    for number, pair in enumerate(pairs):
        for place, line in enumerate(pair):
            word, bit = board.bits[line]
            workspace[int(kernel.PAIR_AT) + 4 * number + 2 * place + word] = 1 << bit


def _lay_rings(workspace: Words, board: Board) -> None:
    lines = range(board.game.move_count)
    distances = sorted({board.distance(line) for line in lines})
    workspace[kernel.RINGS] = len(distances)
    for line in lines:
        word, bit = board.bits[line]
        ring = int(kernel.RING_AT) + 2 * distances.index(board.distance(line)) + word
        workspace[ring] |= np.uint64(1 << bit)


def _lay_isolated(workspace: Words) -> None:
    """Fields wide enough for all that fits on the largest board."""
    longest = int(kernel.LONGEST_ISOLATED)
    chains = [(boxes, boxes > int(kernel.PAIRED)) for boxes in range(1, longest + 1)]
    loops = [(boxes, True) for boxes in range(4, longest + 1, 2)]
    shift = 0
    for number, (boxes, counted) in enumerate(chains + loops):
        workspace[int(kernel.FIELDS) + number] = shift
        width = (MOST_BOXES // boxes).bit_length() if counted else 1
        for bit in range(shift, shift + width):
            workspace[int(kernel.ISOLATED_AT) + bit] = boxes | shift << 8
        shift += width


def _lay_images(workspace: Words, board: Board) -> None:
    few = board.game.move_count <= 64  # then one bit for each line, else a word without pattern
    for number, image in enumerate(board.images()):
        for line, other in enumerate(image):
            word, bit = board.bits[line]
            place = int(kernel.IMAGES_OF) + 8 * (bit + 64 * word) + number
            workspace[place] = 1 << other if few else noise(64 + other)
