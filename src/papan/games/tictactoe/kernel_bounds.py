"""Static bounds of a Tic Tac Toe position: threats, and draws by pairing (Erdős-Selfridge).

Bitboards hold the cells, at most 64.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np

from papan.engine.memory import Row, kind
from papan.engine.native import ONE, WORD, ZERO, Word, kinds, lowest, native, popcount, signed, span

U = np.uint64
MOST_LINES = 192

Counters: TypeAlias = tuple[Word, Word, Word, Word, Word, Word]
StaticInfo: TypeAlias = tuple[Word, Word, Word, Counters, int, int]


class Lines:
    """The lines of a board, and room to weigh those that may yet be filled."""

    cells: Word
    """All cells."""
    connect: Word
    """How many cells a line has."""
    count: Word
    each: Annotated[Row[Word], MOST_LINES]
    """The cells of each line."""
    loose: Annotated[Row[Word], MOST_LINES]
    """Lines that may yet be filled, as the cells that they still need."""
    common: Annotated[Row[Word], 64]
    """For each cell the cells that all of its loose lines share."""
    weight: Annotated[Row[Word], 64]
    """For each cell what its loose lines weigh."""


LINES = kind(Lines)
PAIR = kinds.UniTuple(WORD, 2)
SCORES = kinds.UniTuple(kinds.int64, 2)

COUNTERS = kinds.UniTuple(WORD, 6)
NONE = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
STATIC_INFO = kinds.Tuple((WORD, WORD, WORD, COUNTERS, kinds.int64, kinds.int64))


@native(WORD(WORD))
def bottom_bit(word: Word) -> Word:
    """The lowest bit of a word, alone."""
    return word & (~word + ONE)


@native(COUNTERS(COUNTERS, WORD, WORD))
def add(counters: Counters, cells: Word, power: Word) -> Counters:
    """Add 2 to the *power* (8 at most) to the counters of *cells*.

    They stand upright: each word holds one binary digit of the counters of all cells.
    """
    a, b, c, d, e, f = counters
    carry = cells
    if power == ZERO:
        a, carry = a ^ carry, a & carry
    if power <= ONE:
        b, carry = b ^ carry, b & carry
    if power <= U(2):
        c, carry = c ^ carry, c & carry
    d, carry = d ^ carry, d & carry
    e, carry = e ^ carry, e & carry
    return a, b, c, d, e, f | carry


@native(WORD(COUNTERS, WORD))
def foremost(counters: Counters, cells: Word) -> Word:
    """The one of *cells* with the highest counter."""
    a, b, c, d, e, f = counters
    for digit in (f, e, d, c, b, a):
        if cells & digit:
            cells &= digit
    return bottom_bit(cells)


@native(STATIC_INFO(WORD, WORD, LINES))
def static_info(own: Word, rival: Word, lines: Lines) -> StaticInfo:
    """Facts of all lines: where each side wins at once, the cells of all lines that can still
    be filled, how much each cell matters, and the most marks on a line open to each side.
    """
    wins, threats, live, counters = ZERO, ZERO, ZERO, NONE
    most, rival_most = ZERO, ZERO
    almost = lines.connect - ONE
    for number in span(lines.count):
        line = lines.each[number]
        mine, theirs = line & own, line & rival
        if theirs == ZERO:
            live |= line
            marks = popcount(mine)
            most = max(most, marks)
            wins |= line ^ mine if marks == almost else ZERO
            counters = add(counters, line, marks + ONE)  # to make a threat is worth two to stop one
        elif mine == ZERO:
            live |= line
            marks = popcount(theirs)
            rival_most = max(rival_most, marks)
            threats |= line ^ theirs if marks == almost else ZERO
            counters = add(counters, line, marks)
    return wins, threats, live, counters, signed(most), signed(rival_most)


@native(SCORES(WORD, WORD, STATIC_INFO, LINES))
def static_bounds(own: Word, rival: Word, found: StaticInfo, lines: Lines) -> tuple[int, int]:
    """Bounds of the score that follow from `static_info` alone."""
    wins, threats, live, _, most, rival_most = found
    empty = signed(popcount(lines.cells & ~(own | rival)))
    if wins:
        return empty, empty
    if threats & (threats - ONE):
        return 1 - empty, 1 - empty
    if empty <= 1 or live == ZERO:
        return 0, 0
    # Each side needs its turns to fill a line. The one threat, if there is one, is met at once.
    connect = signed(lines.connect)
    rival_most = min(rival_most, connect - 2)
    low = 2 * (connect - rival_most) - empty - 1
    high = empty - 2 * (connect - 1 - most)
    return min(0, low), max(0, high)


@native(WORD(WORD, WORD, LINES))
def loosen(attacker: Word, defender: Word, lines: Lines) -> Word:
    """Write down what the attacker still needs of each line open to it; how many there are."""
    count = ZERO
    for number in span(lines.count):
        line = lines.each[number]
        if line & defender == ZERO:
            lines.loose[count] = line & ~attacker
            count += ONE
    return count


@native(WORD(WORD, WORD, WORD, LINES))
def strike(count: Word, struck: Word, given: Word, lines: Lines) -> Word:
    """Strike out the loose lines through one cell and give another one to the attacker."""
    kept = ZERO
    for number in span(count):
        line = lines.loose[number]
        if line & struck == ZERO:
            lines.loose[kept] = line & ~given
            kept += ONE
    return kept


@native(PAIR(WORD, LINES))
def weigh(count: Word, lines: Lines) -> tuple[Word, Word]:
    """Weigh the loose lines, each 2 to the power of its marks: all together, and for each cell.

    Returns the total and the cells.
    """
    total, cells, connect = ZERO, ZERO, lines.connect
    for number in span(count):
        line = left = lines.loose[number]
        weight = ONE << (connect - popcount(line))
        total += weight
        while left:
            cell = lowest(left)
            left &= left - ONE
            known = cells >> cell & ONE
            lines.weight[cell] = lines.weight[cell] + weight if known else weight
            lines.common[cell] = lines.common[cell] & line if known else line
        cells |= line
    return total, cells


@native(PAIR(WORD, LINES))
def heaviest(cells: Word, lines: Lines) -> tuple[Word, Word]:
    """The heaviest of *cells*, and its weight."""
    best, most = ZERO, ZERO
    while cells:
        bit = bottom_bit(cells)
        cells ^= bit
        weight = lines.weight[lowest(bit)]
        if weight > most:
            best, most = bit, weight
    return best, most


@native(PAIR(WORD, LINES))
def pair(cells: Word, lines: Lines) -> tuple[Word, Word]:
    """The two cells that are best paired: all lines of the first one run through the second, too.

    None (0, 0) if any such pair would make the loose lines heavier.
    """
    first, second, gain = ZERO, ZERO, signed(-1)
    while cells:
        bit = bottom_bit(cells)
        cells ^= bit
        others = lines.common[lowest(bit)] & ~bit
        twice = 2 * signed(lines.weight[lowest(bit)])
        while others:
            other = bottom_bit(others)
            others ^= other
            saved = twice - signed(lines.weight[lowest(other)])
            if saved > gain:
                first, second, gain = bit, other, saved
    return first, second


@native(WORD(WORD, WORD, WORD, LINES))
def drawn_by_pairing(attacker: Word, defender: Word, defender_moves: Word, lines: Lines) -> Word:
    """1 if the defender can surely keep the attacker from filling any line: no win, then, for it.

    Erdős and Selfridge: while the loose lines weigh less than a full one after any move of the
    attacker, the defender keeps it so by always taking the heaviest cell. Some cells are paired
    first: the defender answers a mark in one with a mark in the other, which rids it of the lines
    through both; in other lines the second cell counts as the attacker's.
    """
    full = ONE << lines.connect
    count = loosen(attacker, defender, lines)
    total, cells = weigh(count, lines)
    if defender_moves:
        count = strike(count, heaviest(cells, lines)[0], ZERO, lines)
        total, cells = weigh(count, lines)
    while total + heaviest(cells, lines)[1] >= full:
        first, second = pair(cells, lines)
        if first == ZERO:
            return ZERO
        count = strike(count, first, second, lines)
        total, cells = weigh(count, lines)
    return ONE
