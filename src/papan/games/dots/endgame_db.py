"""The endgame database of a Dots and Boxes board: the value of every quiet position, from a file.

A position is quiet if no box can be taken. Its value is the boxes still to come, the mover's less
the rival's. `tools/make_endgame_db.py` writes it. Every position has a number: see
`kernel_endgame_db`. Here the lookup is made, the array in which kernels find all that depends on
the board.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from papan.core import InvalidDatabaseError, Move, PapanWarning
from papan.core.files import open_regular
from papan.engine.control import Words
from papan.games.dots import kernel_endgame_db as kernel
from papan.games.dots.endgame_db_file import VALUES_START, Head, path_for, read_head
from papan.games.dots.rules import Dots
from papan.games.dots.workspace import DotsBoard, DotsMemory

# The parts of a Dots and Boxes board: its rim, the ring of boxes along it, and the core within.


class Parts:
    """The lines of a board, by their numbers, in parts: core, ring and rim.

    The boxes along the rim form a ring, in the order of `ring_of`; a place is an index in it. Two
    lists have a line for each place: *ring* the line between its box and the one before it, *once*
    the rim line of its box. A corner box has two rim lines: the dict *twice* has the other one by
    the corner's place. *core* is the list of all lines left; *spokes* is a list of pairs (index in
    *core*, place) for those of them that are sides of a box in the ring.
    """

    def __init__(self, game: Dots) -> None:
        boxes = ring_of(game)
        sides = [set(game.sides[box]) for box in boxes]
        rims = [[line for line in game.sides[box] if len(game.beside[line]) == 1] for box in boxes]
        self.ring = [(sides[place - 1] & sides[place]).pop() for place in range(len(boxes))]
        self.once = [lines[-1] for lines in rims]
        self.twice = {place: lines[0] for place, lines in enumerate(rims) if len(lines) == 2}
        outer = {*self.ring, *self.once, *self.twice.values()}
        self.core = [line for line in range(game.move_count) if line not in outer]
        self.spokes = [
            (self.core.index(line), place)
            for place, lines in enumerate(sides)
            for line in lines - outer
        ]

    @property
    def bits(self) -> dict[Move, int]:
        """For each line, by its number, the index of its bit in the code of a position, from 0.

        The bits of the core come first, then those of the ring, of *once* and of *twice*.
        """
        core, ring = len(self.core), len(self.ring)
        return {
            **{line: place for place, line in enumerate(self.core)},
            **{line: core + place for place, line in enumerate(self.ring)},
            **{line: core + ring + place for place, line in enumerate(self.once)},
            **{line: core + 2 * ring + place for place, line in self.twice.items()},
        }


def ring_of(game: Dots) -> list[int]:
    """Return the numbers of the boxes along the rim, clockwise from the top left.

    The board must have at least two rows and two columns of boxes, not checked.
    """
    top, bottom, right = 0, game.rows - 1, game.columns - 1
    places = [
        *((top, column) for column in range(right)),
        *((row, right) for row in range(bottom)),
        *((bottom, column) for column in range(right, 0, -1)),
        *((row, 0) for row in range(bottom, 0, -1)),
    ]
    return [row * game.columns + column for row, column in places]


MOST_DATABASE_BOXES = 16
"""Most boxes of a board with a database, so that the boxes won fit into four bits."""
VALUES_PER_WORD = 16
"""Values in a word; each core begins with a new word."""


def has_numbers(game: Dots) -> bool:
    """Return whether a board can have a database: 2 to 8 boxes each way, 16 at most in all."""
    return min(game.rows, game.columns) >= 2 and len(game.boxes) <= MOST_DATABASE_BOXES


@dataclass(frozen=True)
class Core:
    """Which lines of the core (see `Parts`) are undrawn, and which numbers its positions have.

    Of all cores that turn or mirror into each other (images) only the first has positions: the one
    whose word of undrawn lines is the least.
    """

    lines: int
    """Its undrawn lines: a bit for each, by the place in `Parts.core`."""
    first: int
    """The number of its first position; those of one core follow each other."""
    positions: int
    """How many positions have this core."""

    @property
    def size(self) -> int:
        """Number of undrawn lines in the core."""
        return self.lines.bit_count()


class PositionNumbering:
    """The numbering of all quiet positions of one board, from 0, and the *lookup* for kernels.

    Positions that turn or mirror into each other share a number; those of each core begin at a
    multiple of VALUES_PER_WORD, so some numbers stay unused. *lookup* is a flat array of 64-bit
    words, whose parts the constants of `kernel_endgame_db` name. *parts* are the lines of the
    board, part by part; *images* is the list of its symmetries, by `DotsBoard.images`; *cores* is
    the list of `Core` (sets of undrawn lines within the ring of boxes along the rim), in the order
    of their numbers. A position is quiet if no box can be taken. `has_numbers` must hold for the
    board: not checked.
    """

    def __init__(self, game: Dots) -> None:
        self.game = game
        self.board = DotsBoard(game)
        self.parts = Parts(game)
        self.images = list(self.board.images())
        core, ring = len(self.parts.core), len(self.parts.ring)
        first, words = int(kernel.CORES_AT), int(kernel.CORE_WORDS)
        self._entries = first + words * np.arange(1 << core)
        self.lookup = np.zeros(first + (words << core), np.uint64)
        self.lookup[[kernel.CORE, kernel.RING, kernel.HALF_RING_BITS]] = core, ring, (ring + 1) // 2
        self.lookup[kernel.CORNERS] = sum(1 << place for place in self.parts.twice)
        self._lay_lines()
        self.lookup[kernel.PICKS_AT] = self._add(picks((ring + 1) // 2))
        self.cores = self._lay_cores(self._turn_cores())

    @property
    def words(self) -> int:
        """Number of words of 8 bytes in the array of all values; the last may stay unused."""
        last = self.cores[-1]
        return (last.first + last.positions) // VALUES_PER_WORD + 1

    def _add(self, part: Words) -> int:
        """Append *part*, an array of words, to the lookup; return the index where it begins."""
        start = len(self.lookup)
        self.lookup = np.concatenate([self.lookup, part])
        return start

    def _lay_lines(self) -> None:
        """Append three tables of lines and codes to the lookup, and their indexes to its head.

        They turn moves into codes, lines into codes, and codes into lines; a code is the bits of
        the undrawn lines in the order of the numbering.
        """
        bits = self.parts.bits
        pairs = [
            (bit + int(kernel.DOWN_SHIFT) * word, bits[line])
            for line, (word, bit) in enumerate(self.board.bits)
        ]
        self.lookup[kernel.MOVES_AT] = self._add(by_bytes(bits.items()))
        self.lookup[kernel.CODES_AT] = self._add(by_bytes(pairs))
        self.lookup[kernel.LINE_CODES_AT] = self._add(
            by_bytes((code, line) for line, code in pairs)
        )

    def _turn_cores(self) -> Words:
        """Write to the lookup how each core is turned to its first image; return these images.

        The first image is the least word that a core turns or mirrors into. They are returned as an
        array with a word for each core, whose own word is the index. A core's word has a bit for
        each undrawn line, by the place in `Parts.core`.
        """
        core, ring, once = self.parts.core, self.parts.ring, self.parts.once
        turned, tables = [], [0]
        for image in self.images:
            places = [core.index(image[line]) for line in core]
            turned.append(moved_bits(len(core), enumerate(places)))
        first = np.argmin(turned, axis=0)
        for image in self.images[1:]:
            lines = moved_bits(len(ring), enumerate(ring.index(image[line]) for line in ring))
            boxes = moved_bits(len(ring), enumerate(once.index(image[line]) for line in once))
            tables.append(self._add(np.concatenate([lines, boxes])))
        self.lookup[self._entries + int(kernel.TURN_FIELD)] = np.array(tables, np.uint64)[first]
        least: Words = np.min(turned, axis=0)
        return least

    def _lay_cores(self, turned: Words) -> list[Core]:
        """Write to the lookup each core's first number and its spokes; return the cores.

        Returned are those first images, *turned* by `_turn_cores`, that leave no box within the
        ring to take (see `_quiet`); those with the fewest undrawn lines come first.
        """
        spokes = moved_bits(len(self.parts.core), self.parts.spokes)[turned]
        self.lookup[self._entries + int(kernel.SPOKES_FIELD)] = spokes
        firsts = sorted(
            (core for core in set(turned.tolist()) if self._quiet(core)),
            key=lambda core: (core.bit_count(), core),
        )
        counted: dict[int, tuple[int, int]] = {}
        cores = []
        number = 0
        for core in firsts:
            pattern = int(spokes[core])
            if pattern not in counted:
                before = self._add(np.zeros(1 << len(self.parts.ring), np.uint64))
                counted[pattern] = before, int(kernel.count_positions(self.lookup, pattern, before))
            before, positions = counted[pattern]
            entries = self._entries[turned == core]
            self.lookup[entries + int(kernel.FIRST_FIELD)] = number
            self.lookup[entries + int(kernel.BEFORE_FIELD)] = before
            cores.append(Core(core, number, positions))
            number += -(-positions // VALUES_PER_WORD) * VALUES_PER_WORD
        return cores

    def _quiet(self, core: int) -> bool:
        """Return whether no box within the ring has exactly one undrawn line of *core*.

        *core* has a bit for each undrawn line, by the place in `Parts.core`.
        """
        bits = self.parts.bits
        inner = (lines for lines in self.game.sides if set(lines).issubset(self.parts.core))
        return all(sum(core >> bits[line] & 1 for line in lines) != 1 for lines in inner)


def moved_bits(bits: int, pairs: Iterable[tuple[int, int]]) -> Words:
    """Return an array with each word of *bits* bits, from 0 up, after its bits have been moved.

    *pairs* are (bit, new place), both counted from the lowest; bits without a pair are dropped. The
    array has 2**bits words.
    """
    words = np.arange(1 << bits, dtype=np.uint64)
    found = np.zeros_like(words)
    for bit, place in pairs:
        found |= (words >> np.uint64(bit) & np.uint64(1)) << np.uint64(place)
    return found


def by_bytes(pairs: Iterable[tuple[int, int]]) -> Words:
    """Return `moved_bits` for words of 64 bits, as eight tables of 256 words: one for each byte.

    They lie one after the other in one flat array, that of the lowest byte first; the OR of a word
    from each is the result.
    """
    dealt: list[list[tuple[int, int]]] = [[] for _ in range(8)]
    for bit, place in pairs:
        dealt[bit // 8].append((bit % 8, place))
    return np.concatenate([moved_bits(8, each) for each in dealt])


def picks(bits: int) -> Words:
    """Return a table that has, for each mask and word, the bits of the word that the mask selects.

    In a result these bits are moved together to the low end, in the same order; bits that the mask
    does not select are dropped. Masks and words have *bits* bits. The array is flat: the result for
    a word is at mask * 2**bits + word.
    """
    words = np.arange(1 << bits, dtype=np.uint64)
    masks = words[:, np.newaxis]
    found = np.zeros((1 << bits, 1 << bits), np.uint64)
    count = np.zeros_like(masks)
    for bit in range(bits):
        held = masks >> np.uint64(bit) & np.uint64(1)
        found |= (words >> np.uint64(bit) & held) << count
        count += held
    return found.ravel()


class EndgameDb:
    """The values of all quiet positions of a board, read from the file *path* as they are needed.

    Raise InvalidDatabaseError if the file is missing, cannot be read, is no regular file (such as a
    link), or is no complete database of this board; its values are not checked. `has_numbers` must
    hold for the board: not checked.
    """

    def __init__(self, game: Dots, path: Path) -> None:
        numbering = PositionNumbering(game)
        if read_head(path) != head_of(numbering):
            raise InvalidDatabaseError("dots.bad_table", path=path)
        self._lookup = numbering.lookup
        self._all_lines = (1 << game.move_count) - 1
        with open_regular(path, refused=InvalidDatabaseError) as file:
            self._values = np.memmap(file, np.uint64, "r", offset=VALUES_START)
        self._address = self._values.ctypes.data

    def value(self, memory: DotsMemory, drawn: int) -> int:
        """Return the exact value, in boxes for its mover, of a quiet position with lines *drawn*.

        It is the boxes still to come, the mover's less the rival's; *drawn* is a bitboard. *memory*
        is one for the same board, whose frames may be overwritten. Of a position that is not quiet
        the value means nothing.
        """
        undrawn = self._all_lines ^ drawn
        return kernel.database_value(memory.address, self._lookup, self._address, undrawn)


def head_of(numbering: PositionNumbering, left: int = 0, check: int = 0) -> Head:
    """Return the head of a database file of which *left* cores (see `Core`) are still to be done.

    *numbering* is that of its board. *check* is the CRC-32 of all values; 0 before they are done.
    """
    return Head(numbering.game.rows, numbering.game.columns, numbering.words, left, check)


@cache
def endgame_db_for(game: Dots) -> EndgameDb | None:
    """Return the endgame database of a board from the user's folder, cached; None if there is none.

    There is none if the board can have none (`has_numbers`), or the file is missing. If the file is
    damaged, incomplete or cannot be read, a PapanWarning is given once, and None returned. None is
    cached, too: a file that is made later is not found before the next start.
    """
    path = path_for(game)
    if not has_numbers(game) or not path.exists():
        return None
    try:
        return EndgameDb(game, path)
    except InvalidDatabaseError as error:
        warnings.warn(PapanWarning(error), stacklevel=2)
        return None
