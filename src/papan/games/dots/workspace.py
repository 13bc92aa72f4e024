"""The memory of the Dots and Boxes kernels, with all that depends on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from papan.engine.control import controls
from papan.engine.memory import address_of, copy, fill, layout, new
from papan.engine.native import Word
from papan.games.dots import kernel
from papan.games.dots.rules import Dots

HalfPoint: TypeAlias = tuple[int, int]
"""A point of the board in half boxes from the top left: dots at even, boxes at odd numbers."""

MOST_KERNEL_BOXES = 36
"""Boxes of the largest board that the kernels take."""


class DotsBoard:
    """The geometry of a board for the kernels: bits, images and distances of its lines.

    *stride* is the number of bits from row to row in the words of lines: the columns of boxes + 1.
    """

    def __init__(self, game: Dots) -> None:
        self.game = game
        self.stride = game.columns + 1

    @cached_property
    def points(self) -> tuple[HalfPoint, ...]:
        """The middle of each line, as (row, column) in half boxes from the top left."""
        places = [divmod(dot, self.stride) for dot in range(self.game.dots.size)]
        return tuple(
            (places[one][0] + places[other][0], places[one][1] + places[other][1])
            for one, other in self.game.lines
        )

    @cached_property
    def bits(self) -> tuple[tuple[int, int], ...]:
        """For each line, the word (0 across, 1 down) and the index of its bit there."""
        return tuple((row % 2, row // 2 * self.stride + column // 2) for row, column in self.points)

    @cached_property
    def centres(self) -> tuple[HalfPoint, ...]:
        """The middle of each box, as (row, column) in half boxes from the top left."""
        rows, columns = range(self.game.rows), range(self.game.columns)
        return tuple((2 * row + 1, 2 * column + 1) for row in rows for column in columns)

    @cached_property
    def rims(self) -> dict[HalfPoint, tuple[int, ...]]:
        """The rim lines of each box with two or more, by its middle, in ascending order.

        They are interchangeable, and count as drawn in this order.
        """
        rims = {
            centre: tuple(line for line in sides if len(self.game.beside[line]) == 1)
            for centre, sides in zip(self.centres, self.game.sides)
        }
        return {centre: lines for centre, lines in rims.items() if len(lines) > 1}

    def images(self) -> Iterator[tuple[int, ...]]:
        """Yield, for each of the eight images of the board, the line that each line becomes.

        Rim lines of one box keep their order. A board that is not square has four images, each
        twice.
        """
        line_at = {point: line for line, point in enumerate(self.points)}
        for turn in turns(self.game):
            image = [line_at[turn(point)] for point in self.points]
            for centre, lines in self.rims.items():
                for line, other in zip(lines, self.rims[turn(centre)]):
                    image[line] = other
            yield tuple(image)

    def words(self, drawn: int) -> tuple[int, int]:
        """Return the undrawn lines across and down as two words of bits.

        *drawn* is the bitboard of the lines drawn, by their numbers. Of a box's rim lines the first
        ones count as drawn.
        """
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
        """Return a line's distance from the centre, in units that only order lines.

        On a board that is not square it counts twice across the cut that halves the board.
        """
        row, column = self.points[line]
        rows, columns = self.game.rows, self.game.columns
        down, right = abs(row - rows), abs(column - columns)
        if rows == columns:
            return down * down + right * right
        halves = (columns % 2 == 0, columns) > (rows % 2 == 0, rows)
        return 2 * right + down if halves else 2 * down + right


def turns(game: Dots) -> list[Callable[[HalfPoint], HalfPoint]]:
    """Return the eight ways to turn and mirror a board, as functions of points.

    A board that is not square has four, each twice. The first one changes nothing.
    """
    height, width = 2 * game.rows, 2 * game.columns

    def turn(flip: bool, mirror: bool, swap: bool) -> Callable[[HalfPoint], HalfPoint]:
        """Return one way: flip top and bottom, mirror left and right, swap rows with columns.

        *swap* has no effect on a board that is not square.
        """

        def turned(point: HalfPoint) -> HalfPoint:
            """Return where a point comes to lie when the board is turned so."""
            row, column = point
            row, column = (height - row if flip else row), (width - column if mirror else column)
            return (column, row) if swap and height == width else (row, column)

        return turned

    both = (False, True)
    return [turn(flip, mirror, swap) for swap in both for flip in both for mirror in both]


def noise(number: int) -> int:
    """Return the pseudorandom 64-bit word of a number, always the same."""
    return int.from_bytes(sha256(str(number).encode()).digest()[:8], "big")


class DotsMemory:
    """A *workspace* (copied), with controls of its own and an array of *frames* frames.

    *address* is that of the workspace, *words* are the controls, *root* is the position in the
    root's frame. The transposition table is added by the prover.
    """

    def __init__(self, workspace: kernel.DotsWorkspace, frames: int) -> None:
        self.words = controls()
        self._frames = np.zeros(frames, layout(kernel.DotsFrame))
        self.workspace = copy(workspace)
        fill(self.workspace, controls=address_of(self.words), frames=address_of(self._frames))
        self.address = address_of(self.workspace)
        self.root = self._frames["position"][int(kernel.ROOT_FRAME)]

    def twin(self) -> DotsMemory:
        """Return another memory for the same board, with controls and frames of its own."""
        return DotsMemory(self.workspace, self._frames.size)

    def place(self, across: int, down: int, left: int) -> None:
        """Write the root's position, in place: undrawn lines, and the number of boxes left.

        *across* and *down* are words by `DotsBoard.words`. No chain is counted as isolated yet.
        """
        fill(self.root, across=across, down=down, isolated=0, left=left)


def new_memory(board: DotsBoard) -> DotsMemory:
    """Return a memory for *board*, in which `place` can write a position."""
    return DotsMemory(dots_workspace(board.game), board.game.move_count + 4)


@lru_cache(maxsize=16)
def dots_workspace(game: Dots) -> kernel.DotsWorkspace:
    """Return a workspace, cached, in which all that depends on the board alone is filled in.

    Copy it before writing to it.
    """
    board = DotsBoard(game)
    workspace = new(kernel.DotsWorkspace, stride=board.stride, lanes=range(8))
    fill(
        workspace,
        all_boxes=sum(1 << row // 2 * board.stride + column // 2 for row, column in board.centres),
        noise=[noise(number) for number in range(64)],
    )
    np.asarray(workspace.blank)["lanes"] = [
        [noise(-1 if lane < junctions else -2 - lane) for lane in range(8)]
        for junctions in range(9)
    ]
    _lay_pairs(workspace, board)
    _lay_rings(workspace, board)
    _lay_isolated(workspace)
    _lay_images(workspace, board)
    return workspace


def _lay_pairs(workspace: kernel.DotsWorkspace, board: DotsBoard) -> None:
    """Write the pairs of interchangeable rim lines to the workspace."""
    pairs = [pair for lines in board.rims.values() for pair in pairwise(lines)]
    for pair, lines in zip(np.asarray(workspace.pairs), pairs):
        for names, line in zip((("across", "down"), ("other_across", "other_down")), lines):
            word, bit = board.bits[line]
            pair[names[word]] = 1 << bit
    fill(workspace, pair_count=len(pairs))


def _lay_rings(workspace: kernel.DotsWorkspace, board: DotsBoard) -> None:
    """Write the lines of the board, by their distance from the centre, to the workspace."""
    lines = range(board.game.move_count)
    distances = sorted({board.distance(line) for line in lines})
    rings = np.asarray(workspace.rings)
    for line in lines:
        word, bit = board.bits[line]
        rings[("across", "down")[word]][distances.index(board.distance(line))] |= Word(1 << bit)
    fill(workspace, ring_count=len(distances))


def _lay_isolated(workspace: kernel.DotsWorkspace) -> None:
    """Write the bit fields of the word of isolated chains, wide enough for the largest board.

    Chains of one and of two boxes have one bit, all others a count.
    """
    longest = int(kernel.LONGEST_ISOLATED)
    chains = [(boxes, boxes > int(kernel.PAIRED)) for boxes in range(1, longest + 1)]
    loops = [(boxes, True) for boxes in range(4, longest + 1, 2)]
    shift = 0
    for number, (boxes, counted) in enumerate(chains + loops):
        workspace.fields[number] = Word(shift)
        width = (MOST_KERNEL_BOXES // boxes).bit_length() if counted else 1
        np.asarray(workspace.isolated_boxes)[shift : shift + width] = boxes
        np.asarray(workspace.isolated_fields)[shift : shift + width] = shift
        shift += width


def _lay_images(workspace: kernel.DotsWorkspace, board: DotsBoard) -> None:
    """Write the bit of each line in the eight images of the board to the workspace."""
    few = board.game.move_count <= 64  # then one bit for each line, else a word without pattern
    images = np.asarray(workspace.images_of)["lanes"]
    for number, image in enumerate(board.images()):
        for line, other in enumerate(image):
            word, bit = board.bits[line]
            images[bit + 64 * word, number] = 1 << other if few else noise(64 + other)
