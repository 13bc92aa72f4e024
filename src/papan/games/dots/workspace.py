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

    Its images are the ways to turn and mirror it onto itself. *stride* is the number of bits from
    row to row in a word of lines or boxes: the columns of boxes + 1. The board must fit the solver
    (see `DotsSupport.has_solver`): not checked.
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
        """For each line, by its number: (0 across or 1 down, index of its bit in that word).

        The bits lie as in `kernel.DotsState`.
        """
        return tuple((row % 2, row // 2 * self.stride + column // 2) for row, column in self.points)

    @cached_property
    def centres(self) -> tuple[HalfPoint, ...]:
        """The middle of each box, as (row, column) in half boxes from the top left."""
        rows, columns = range(self.game.rows), range(self.game.columns)
        return tuple((2 * row + 1, 2 * column + 1) for row in rows for column in columns)

    @cached_property
    def rims(self) -> dict[HalfPoint, tuple[int, ...]]:
        """For each box with two or more lines at the rim, these lines, by the middle of the box.

        They are in the order of `Dots.sides`, and interchangeable: they count as drawn in this
        order.
        """
        rims = {
            centre: tuple(line for line in sides if len(self.game.beside[line]) == 1)
            for centre, sides in zip(self.centres, self.game.sides)
        }
        return {centre: lines for centre, lines in rims.items() if len(lines) > 1}

    def images(self) -> Iterator[tuple[int, ...]]:
        """Yield a tuple for each of the eight images of the board: the line that each line becomes.

        A tuple has the new number of every line, by its old one; in the first tuple they are the
        same. Rim lines of one box (see `rims`) keep their order. A board that is not square has
        four images, each twice.
        """
        line_at = {point: line for line, point in enumerate(self.points)}
        for turn in turns(self.game):
            image = [line_at[turn(point)] for point in self.points]
            for centre, lines in self.rims.items():
                for line, other in zip(lines, self.rims[turn(centre)]):
                    image[line] = other
            yield tuple(image)

    def words(self, drawn: int) -> tuple[int, int]:
        """Return the undrawn lines as two words (across, down), with bits as in `kernel.DotsState`.

        *drawn* is the bitboard of the lines drawn, by their numbers. If some of a box's rim lines
        are drawn, the first ones by `rims` count as drawn, as many as there are.
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
        """Return a number, 0 or more, that is the greater the farther a line is from the centre.

        On a square board it is the square of the distance in half boxes. Else it is the distance in
        rows plus that in columns, in half boxes, of which one counts twice: that in columns if the
        number of columns alone is even, or if both or neither are even and there are more columns
        than rows.
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

    Each maps a point, in half boxes from the top left, to its new place. A board that is not square
    has four ways, each twice. The first one changes nothing.
    """
    height, width = 2 * game.rows, 2 * game.columns

    def turn(flip: bool, mirror: bool, swap: bool) -> Callable[[HalfPoint], HalfPoint]:
        """Return one of the eight ways to turn and mirror the board, as a function of points.

        It reverses the order of the rows if *flip* is set, the columns if *mirror* is, and then
        swaps rows with columns if *swap* is and the board is square.
        """

        def turned(point: HalfPoint) -> HalfPoint:
            """Return where *point* is once the board is turned, in half boxes from the top left."""
            row, column = point
            row, column = (height - row if flip else row), (width - column if mirror else column)
            return (column, row) if swap and height == width else (row, column)

        return turned

    both = (False, True)
    return [turn(flip, mirror, swap) for swap in both for flip in both for mirror in both]


def noise(number: int) -> int:
    """Return a pseudorandom 64-bit number that depends on *number* alone, always the same one."""
    return int.from_bytes(sha256(str(number).encode()).digest()[:8], "big")


class DotsMemory:
    """The memory of one search: a workspace, its controls and its array of frames.

    The workspace is a copy of *workspace* that refers to controls and to *frames* frames of its
    own. *address* is that of the copy, valid as long as this object lives; *words* are the controls
    (see `engine.control`); *root* is the position in the root's frame, a record. `DotsProver` adds
    the transposition table.
    """

    def __init__(self, workspace: kernel.DotsWorkspace, frames: int) -> None:
        self.words = controls()
        self._frames = np.zeros(frames, layout(kernel.DotsFrame))
        self.workspace = copy(workspace)
        fill(self.workspace, controls=address_of(self.words), frames=address_of(self._frames))
        self.address = address_of(self.workspace)
        self.root = self._frames["position"][int(kernel.ROOT_FRAME)]

    def twin(self) -> DotsMemory:
        """Return another memory for the same board, with controls and frames of its own.

        It refers to the same transposition table, if there is one already.
        """
        return DotsMemory(self.workspace, self._frames.size)

    def place(self, across: int, down: int, left: int) -> None:
        """Write the root's position, in place: undrawn lines, and the number of boxes left.

        *across* and *down* are words by `DotsBoard.words`; *left* counts the boxes not yet
        complete. No chain is counted as isolated yet. Name and images of the root are not written:
        `kernel_search.begin_search` does that.
        """
        fill(self.root, across=across, down=down, isolated=0, left=left)


def new_memory(board: DotsBoard) -> DotsMemory:
    """Return a memory for *board*, in which `place` can write a position; it has no table yet.

    It has frames for every ply of a search from the start of the game.
    """
    return DotsMemory(dots_workspace(board.game), board.game.move_count + 4)


@lru_cache(maxsize=16)
def dots_workspace(game: Dots) -> kernel.DotsWorkspace:
    """Return a workspace in which all that depends on the board alone is filled in; cached by game.

    Copy it before writing to it. The board must fit the solver (see `DotsSupport.has_solver`): not
    checked.
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
    """Write the pairs of interchangeable rim lines to the workspace: `pairs` and `pair_count`."""
    pairs = [pair for lines in board.rims.values() for pair in pairwise(lines)]
    for pair, lines in zip(np.asarray(workspace.pairs), pairs):
        for names, line in zip((("across", "down"), ("other_across", "other_down")), lines):
            word, bit = board.bits[line]
            pair[names[word]] = 1 << bit
    fill(workspace, pair_count=len(pairs))


def _lay_rings(workspace: kernel.DotsWorkspace, board: DotsBoard) -> None:
    """Write the lines of the board to the workspace by distance: `rings` and `ring_count`.

    The first ring has the lines nearest to the centre.
    """
    lines = range(board.game.move_count)
    distances = sorted({board.distance(line) for line in lines})
    rings = np.asarray(workspace.rings)
    for line in lines:
        word, bit = board.bits[line]
        rings[("across", "down")[word]][distances.index(board.distance(line))] |= Word(1 << bit)
    fill(workspace, ring_count=len(distances))


def _lay_isolated(workspace: kernel.DotsWorkspace) -> None:
    """Write the bit fields of the word of isolated chains, wide enough for the largest board.

    These are `fields`, `isolated_boxes` and `isolated_fields` of the workspace. Chains of one box
    and chains of two boxes have one bit each, all longer ones and loops a count.
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
    """Write the word of each line in the eight images of the board to the workspace.

    It is one bit on boards of up to 64 lines, else a pseudorandom word. Row n of `images_of` is for
    the line across of bit n, row 64 + n for the line down; its eight lanes are for the images, in
    the order of `DotsBoard.images`.
    """
    few = board.game.move_count <= 64  # then one bit for each line, else a word without pattern
    images = np.asarray(workspace.images_of)["lanes"]
    for number, image in enumerate(board.images()):
        for line, other in enumerate(image):
            word, bit = board.bits[line]
            images[bit + 64 * word, number] = 1 << other if few else noise(64 + other)
