"""Exact search for Tic Tac Toe on boards of at most 64 cells, which bitboards hold.

First static bounds: threats, and draws by pairing (Erdős-Selfridge). Then the search.

A score is 0 for a draw; a win is worth one more than the cells that it leaves empty, so that sooner
is better; a loss is the same below 0. A search only answers whether the score is above a bar.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np

from papan.engine.control import GOES_ON, NODES, spend
from papan.engine.memory import Row, kind
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    ZERO,
    Word,
    bottom_bit,
    kinds,
    load,
    lowest,
    native,
    popcount,
    reversed_bits,
    signed,
    span,
    words_at,
)
from papan.engine.transpositions import (
    Key,
    Transpositions,
    data_at,
    first_place,
    found,
    grow,
    put_entry,
)

U = np.uint64
NUMBER = kinds.int64
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


BOTTOM = 128
"""No score is so low, nor its opposite so high."""
ABORTED = 1_000  # a score that no position has: the search was told to stop
BUCKET = TWO, TWO
FIRST_BUCKETS, KEY_BITS = 1 << 10, 50
BYTE, HIGH, MARKS = U(255), U(8), U(16)
"""The data of an entry: a byte for either bound, and for the marks on the board."""


class Bounds:
    """What is known of a score."""

    low: np.int64
    high: np.int64


class Marks:
    """A position: the marks of the side to move and of its rival."""

    own: Word
    rival: Word


class Workspace:
    """What one solution works with."""

    controls: Word
    """Where the words are that are shared with the caller: `papan.engine.control`."""
    transpositions: Transpositions
    lines: Lines
    image_count: Word
    images: Annotated[Row[Word], 8, 64]
    """For each of the eight images of the board the bit of each cell."""
    root: Bounds
    """Of the score."""
    moves: Annotated[Row[Bounds], 64]
    """Of the rival's score after each move."""
    passed: Bounds
    """Of the rival's score if it were its turn."""
    line_length: Word
    line: Annotated[Row[Word], 64]
    """The cells of the best play."""
    frames: Annotated[Row[Marks], 66, 8]
    """For each number of marks on the board each image of the position."""


WORKSPACE, BOUNDS = kind(Workspace), kind(Bounds)


@native(PAIR(WORD, WORD))
def key_of(own: Word, rival: Word) -> Key:
    """What the table knows the marks of two sides by: 114 bits that tell them apart.

    One side is mixed into the other, which could be undone; its lowest bits are the best.
    """
    mixed = own * U(0x9E3779B97F4A7C15) ^ rival * U(0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> U(29)) * U(0xBF58476D1CE4E5B9)
    return reversed_bits(mixed ^ mixed >> U(32)) >> U(64 - KEY_BITS), own


@native(SCORES(WORD, WORD, WORKSPACE))
def recall(own: Word, rival: Word, workspace: Workspace) -> tuple[int, int]:
    """The bounds that the table has for a position."""
    _, data = found(workspace.transpositions, BUCKET, key_of(own, rival))
    if data == ZERO:
        return -BOTTOM, BOTTOM
    return signed(data & BYTE) - BOTTOM, signed(data >> HIGH & BYTE) - BOTTOM


@native(kinds.void(WORD, WORD, NUMBER, NUMBER, WORKSPACE))
def remember(own: Word, rival: Word, low: int, high: int, workspace: Workspace) -> None:
    """Put a position into the table: of the two in its bucket, the fuller board gives way."""
    table, name, marks = workspace.transpositions, key_of(own, rival), popcount(own | rival)
    place = first_place(table, BUCKET, name)
    old = data_at(table, BUCKET, place)
    if old and marks > old >> MARKS:
        place += ONE
    put_entry(
        table, BUCKET, place, name, U(low + BOTTOM) | U(high + BOTTOM) << HIGH | marks << MARKS
    )


@native(PAIR(WORD, WORD, WORD, WORKSPACE))
def key(own: Word, rival: Word, live: Word, workspace: Workspace) -> tuple[Word, Word]:
    """What the table knows a position by: marks off all *live* lines belong to both sides, and
    while there are none, a position and its images are one.
    """
    taken = own | rival
    spent = taken & ~live
    if spent:
        return own | spent, rival | spent
    plies = popcount(taken)
    for number in span(ONE, workspace.image_count):
        image = workspace.frames[plies, number]
        if image.own < own or (image.own == own and image.rival < rival):
            own, rival = image.own, image.rival
    return own, rival


@native(kinds.void(WORD, WORD, WORKSPACE))
def step(taken: Word, move: Word, workspace: Workspace) -> None:
    """Write the images of the position after a move, as the rival sees them."""
    cell, plies = lowest(move), popcount(taken)
    for number in span(ONE, workspace.image_count):
        image, after = workspace.frames[plies, number], workspace.frames[plies + ONE, number]
        after.own = image.rival
        after.rival = image.own | ONE << workspace.images[number, cell]


@native(kinds.boolean(WORKSPACE))
def spent(workspace: Workspace) -> bool:
    """Count a node, and let the table grow with them; True if there are no more to be spent."""
    controls = words_at(workspace.controls)
    nodes = load(controls, NODES)
    if spend(controls) != GOES_ON:
        return True
    if nodes >= workspace.transpositions.grow_at:
        grow(workspace.transpositions, BUCKET, ONE)
    return False


@native(NUMBER(WORD, WORD, NUMBER, WORKSPACE))
def search(own: Word, rival: Word, bar: int, workspace: Workspace) -> int:
    """A lower bound of the score if it is above *bar*, an upper bound if not."""
    if spent(workspace):
        return ABORTED
    info = static_info(own, rival, workspace.lines)
    low, high = static_bounds(own, rival, info, workspace.lines)
    if low > bar or high <= bar:
        return low if low > bar else high
    _, threats, live, counters, _, _ = info
    key_own, key_rival = key(own, rival, live, workspace)
    known_low, known_high = recall(key_own, key_rival, workspace)
    low, high = max(low, known_low), min(high, known_high)
    if low > bar or high <= bar:
        return low if low > bar else high
    new = known_low == -BOTTOM  # else this has been tried before
    if new and (
        drawn_by_pairing(own, rival, ZERO, workspace.lines)
        if bar >= 0
        else drawn_by_pairing(rival, own, ONE, workspace.lines)
    ):
        return 0

    # A mark off all live lines would be wasted: a mark on one is never worse.
    moves = threats if threats else live & ~(own | rival)
    best = -ABORTED
    while moves and best <= bar:
        move = foremost(counters, moves)
        moves ^= move
        step(own | rival, move, workspace)
        score = -search(rival, own | move, -bar - 1, workspace)
        if score == -ABORTED:
            return ABORTED
        best = max(best, score)
    low, high = (max(low, best), high) if best > bar else (low, min(high, best))
    remember(key_own, key_rival, low, high, workspace)
    return best


@native(WORD(WORD, WORD, BOUNDS, WORD, WORKSPACE))
def settle(own: Word, rival: Word, bounds: Bounds, sharp: Word, workspace: Workspace) -> Word:
    """Narrow the *bounds* until the score is known, or its sign if not *sharp*; 1 if done.

    Wins and losses are looked for in turn, the quickest first: those are found with little work.
    """
    empty = signed(popcount(workspace.lines.cells & ~(own | rival)))
    hope = False
    while True:
        low, high = signed(bounds.low), signed(bounds.high)
        if low >= high or (not sharp and (low > 0 or high < 0)):
            return ONE
        hope = high > 0 and (low >= 0 or not hope)
        bar = high - 1 if hope else low
        score = search(own, rival, bar, workspace)
        if score == ABORTED:
            return ZERO
        if score > bar:
            even = score < 0 and (score + empty) % 2 == 0  # losses end on even plies
            bounds.low = np.int64(score + even)
        else:
            odd = score > 0 and (score + empty) % 2 != 0  # and wins on odd ones
            bounds.high = np.int64(score - odd)


@native(WORD(WORD, WORD, NUMBER, WORKSPACE))
def best_keeping_move(own: Word, rival: Word, score: int, workspace: Workspace) -> Word:
    """The first move that keeps the score, or 0 if the search was told to stop."""
    wins, threats, live, counters, _, _ = static_info(own, rival, workspace.lines)
    free = workspace.lines.cells & ~(own | rival)
    moves = wins if wins else threats if threats else live & free
    moves = moves if moves else free
    while moves:
        move = foremost(counters, moves)
        moves ^= move
        if wins or moves == ZERO:
            return move
        step(own | rival, move, workspace)
        answer = search(rival, own | move, -score, workspace)
        if answer == ABORTED:
            return ZERO
        if answer <= -score:
            return move
    return ZERO


@native(WORD(WORD, WORD, WORKSPACE))
def follow(own: Word, rival: Word, workspace: Workspace) -> Word:
    """Write down a line of best play to the end; 1 if done."""
    score = signed(workspace.root.low)
    length, empty = ZERO, popcount(workspace.lines.cells & ~(own | rival))
    plies = empty - U(abs(score)) + ONE if score else empty
    while length < plies:
        move = best_keeping_move(own, rival, score, workspace)
        if move == ZERO:
            return ZERO
        workspace.line[length] = lowest(move)
        length += ONE
        workspace.line_length = length
        step(own | rival, move, workspace)
        own, rival, score = rival, own | move, -score
    return ONE


@native(kinds.void(WORD, WORKSPACE))
def swap_images(taken: Word, workspace: Workspace) -> None:
    """See the images of the position as the rival does, as if it were its turn."""
    plies = popcount(taken)
    for number in span(ZERO, workspace.image_count):
        image = workspace.frames[plies, number]
        own, rival = image.own, image.rival
        image.own, image.rival = rival, own


@native(kinds.void(BOUNDS, NUMBER, NUMBER))
def expect(bounds: Bounds, low: int, high: int) -> None:
    """Write the first bounds of a score."""
    bounds.low, bounds.high = np.int64(low), np.int64(high)


@native(WORD(WORD, WORD, WORKSPACE))
def settle_pass(own: Word, rival: Word, workspace: Workspace) -> Word:
    """Find the sign of the rival's score if it were its turn; 1 if done."""
    empty = signed(popcount(workspace.lines.cells & ~(own | rival)))
    expect(workspace.passed, -signed(workspace.root.low), empty)  # to have the turn does no harm
    swap_images(own | rival, workspace)
    done = settle(rival, own, workspace.passed, ZERO, workspace)
    swap_images(own | rival, workspace)
    return done


@native(WORD(WORD, WORD, WORD, WORKSPACE))
def compare(own: Word, rival: Word, everything: Word, workspace: Workspace) -> Word:
    """Find which moves are worth as much as the best one; with *everything*, each move's worth.

    If the rival does not even win after a pass, it wins after no move: a mark more does no harm.
    """
    score = signed(workspace.root.low)
    wins, moves = (
        static_info(own, rival, workspace.lines)[0],
        workspace.lines.cells & ~(own | rival),
    )
    empty, safe = signed(popcount(moves)), score > 0
    if score == 0 or (score > 0 and everything):
        if settle_pass(own, rival, workspace) == ZERO:
            return ZERO
        safe = signed(workspace.passed.high) <= 0
    while moves:
        move = bottom_bit(moves)
        moves ^= move
        bounds = workspace.moves[lowest(move)]
        expect(bounds, -score, -empty if move & wins else 0 if safe else empty - 1)
        step(own | rival, move, workspace)
        if settle(rival, own | move, bounds, ZERO, workspace) == ZERO:
            return ZERO
    return ONE


@native(WORD(WORD, WORD, WORD, WORKSPACE))
def solve(own: Word, rival: Word, everything: Word, workspace: Workspace) -> Word:
    """Find the score, a line of best play and the moves that are as good; 1 if all was done.

    What was found is on the workspace, also if the search was told to stop.
    """
    if settle(own, rival, workspace.root, ONE, workspace) == ZERO:
        return ZERO
    if follow(own, rival, workspace) == ZERO:
        return ZERO
    return compare(own, rival, everything, workspace)
