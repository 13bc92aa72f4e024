"""Static bounds of a Tic Tac Toe position: threats, and draws by pairing (Erdős-Selfridge).

Bitboards hold the cells, at most 64. All else lies on the workspace, one array of words.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import int64, types

from papan.engine.native import ONE, WORD, WORDS, ZERO, load, lowest, native, popcount, store

U = np.uint64

# The workspace: first what is fixed.
CELLS, CONNECT, LINE_COUNT, IMAGE_COUNT, MASK, MOST_MASK, TRANSPOSITIONS, SHARED = map(U, range(8))
"""All cells; sizes; the table's last bucket, now and at most; the places of the table and of the
words shared with the caller."""
LINES, MOST_LINES = U(16), U(192)
IMAGES = LINES + MOST_LINES
"""For each of the eight images of the board the bit of each cell."""

# Then room to work in.
LOOSE = IMAGES + U(8 * 64)
"""Lines that may yet be filled, as the cells that they still need."""
COMMON = LOOSE + MOST_LINES
"""For each cell the cells that all of its loose lines share."""
WEIGHT = COMMON + U(64)
"""For each cell what its loose lines weigh."""
END_OF_BOUNDS = WEIGHT + U(64)

COUNTERS = types.UniTuple(WORD, 6)
NONE = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
STATIC_INFO = types.Tuple((WORD, WORD, WORD, COUNTERS, int64, int64))


@native(WORD(WORD))
def bottom_bit(word):
    """The lowest bit of a word, alone."""
    return word & (~word + ONE)


@native(COUNTERS(COUNTERS, WORD, WORD))
def add(counters, cells, power):
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
def foremost(counters, cells):
    """The one of *cells* with the highest counter."""
    a, b, c, d, e, f = counters
    for digit in (f, e, d, c, b, a):
        if cells & digit:
            cells &= digit
    return bottom_bit(cells)


@native(STATIC_INFO(WORD, WORD, WORDS))
def static_info(own, rival, workspace):
    """Facts of all lines: where each side wins at once, the cells of all lines that can still
    be filled, how much each cell matters, and the most marks on a line open to each side.
    """
    wins, threats, live, counters = ZERO, ZERO, ZERO, NONE
    most, rival_most = ZERO, ZERO
    almost = load(workspace, CONNECT) - ONE
    for index in range(LINES, LINES + load(workspace, LINE_COUNT)):
        line = load(workspace, index)
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
    return wins, threats, live, counters, int64(most), int64(rival_most)


@native(types.UniTuple(int64, 2)(WORD, WORD, STATIC_INFO, WORDS))
def static_bounds(own, rival, found, workspace):
    """Bounds of the score that follow from `static_info` alone."""
    wins, threats, live, _, most, rival_most = found
    empty = int64(popcount(load(workspace, CELLS) & ~(own | rival)))
    if wins:
        return empty, empty
    if threats & (threats - ONE):
        return 1 - empty, 1 - empty
    if empty <= 1 or live == ZERO:
        return 0, 0
    # Each side needs its turns to fill a line. The one threat, if there is one, is met at once.
    connect = int64(load(workspace, CONNECT))
    rival_most = min(rival_most, connect - 2)
    low = 2 * (connect - rival_most) - empty - 1
    high = empty - 2 * (connect - 1 - most)
    return min(0, low), max(0, high)


@native(WORD(WORD, WORD, WORDS))
def loosen(attacker, defender, workspace):
    """Write down what the attacker still needs of each line open to it; how many there are."""
    count = ZERO
    for index in range(LINES, LINES + load(workspace, LINE_COUNT)):
        line = load(workspace, index)
        if line & defender == ZERO:
            store(workspace, LOOSE + count, line & ~attacker)
            count += ONE
    return count


@native(WORD(WORD, WORD, WORD, WORDS))
def strike(count, struck, given, workspace):
    """Strike out the loose lines through one cell and give another one to the attacker."""
    kept = ZERO
    for index in range(count):
        line = load(workspace, LOOSE + index)
        if line & struck == ZERO:
            store(workspace, LOOSE + kept, line & ~given)
            kept += ONE
    return kept


@native(types.UniTuple(WORD, 2)(WORD, WORDS))
def weigh(count, workspace):
    """Weigh the loose lines, each 2 to the power of its marks: all together, and for each cell.

    Returns the total and the cells.
    """
    total, cells, connect = ZERO, ZERO, load(workspace, CONNECT)
    for index in range(count):
        line = left = load(workspace, LOOSE + index)
        weight = ONE << (connect - popcount(line))
        total += weight
        while left:
            cell = lowest(left)
            left &= left - ONE
            known = cells >> cell & ONE
            store(
                workspace,
                WEIGHT + cell,
                load(workspace, WEIGHT + cell) + weight if known else weight,
            )
            store(
                workspace, COMMON + cell, load(workspace, COMMON + cell) & line if known else line
            )
        cells |= line
    return total, cells


@native(types.UniTuple(WORD, 2)(WORD, WORDS))
def heaviest(cells, workspace):
    """The heaviest of *cells*, and its weight."""
    best, most = ZERO, ZERO
    while cells:
        bit = bottom_bit(cells)
        cells ^= bit
        weight = load(workspace, WEIGHT + lowest(bit))
        if weight > most:
            best, most = bit, weight
    return best, most


@native(types.UniTuple(WORD, 2)(WORD, WORDS))
def pair(cells, workspace):
    """The two cells that are best paired: all lines of the first one run through the second, too.

    None (0, 0) if any such pair would make the loose lines heavier.
    """
    first, second, gain = ZERO, ZERO, int64(-1)
    while cells:
        bit = bottom_bit(cells)
        cells ^= bit
        others = load(workspace, COMMON + lowest(bit)) & ~bit
        twice = 2 * int64(load(workspace, WEIGHT + lowest(bit)))
        while others:
            other = bottom_bit(others)
            others ^= other
            saved = twice - int64(load(workspace, WEIGHT + lowest(other)))
            if saved > gain:
                first, second, gain = bit, other, saved
    return first, second


@native(WORD(WORD, WORD, WORD, WORDS))
def drawn_by_pairing(attacker, defender, defender_moves, workspace):
    """1 if the defender can surely keep the attacker from filling any line: no win, then, for it.

    Erdős and Selfridge: while the loose lines weigh less than a full one after any move of the
    attacker, the defender keeps it so by always taking the heaviest cell. Some cells are paired
    first: the defender answers a mark in one with a mark in the other, which rids it of the lines
    through both; in other lines the second cell counts as the attacker's.
    """
    full = ONE << load(workspace, CONNECT)
    count = loosen(attacker, defender, workspace)
    total, cells = weigh(count, workspace)
    if defender_moves:
        count = strike(count, heaviest(cells, workspace)[0], ZERO, workspace)
        total, cells = weigh(count, workspace)
    while total + heaviest(cells, workspace)[1] >= full:
        first, second = pair(cells, workspace)
        if first == ZERO:
            return ZERO
        count = strike(count, first, second, workspace)
        total, cells = weigh(count, workspace)
    return ONE
