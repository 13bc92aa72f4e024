"""Exact search for Tic Tac Toe on boards of at most 64 cells, which bitboards hold.

First static bounds: threats, and draws by pairing (Erdős-Selfridge). Then the search. Bit n of a
bitboard is the cell that `solver.exact_workspace` gives the number n. The images of a position are
those that it turns or mirrors into, itself included. Scores are for the side to move:

    score of a win  = empty_cells_after_it + 1
    score of a loss = -(empty_cells_after_it + 1)
    score of a draw = 0

A search only answers whether the score is above a bar.
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
    load_word,
    lowest,
    native,
    popcount,
    reversed_bits,
    signed,
    span,
    words_at,
)
from papan.engine.transpositions import (
    TableKey,
    Transpositions,
    data_at,
    find_entry,
    first_place,
    grow,
    put_entry,
)

NUMBER = kinds.int64
MOST_LINES = 192

Counters: TypeAlias = tuple[Word, Word, Word, Word, Word, Word]
StaticInfo: TypeAlias = tuple[Word, Word, Word, Counters, int, int]


class ExactLines:
    """The lines of a board, and scratch memory to weigh those that can still be filled."""

    cells: Word
    """All cells, as a bitboard."""
    connect: Word
    """Number of cells in a line that wins."""
    count: Word
    """Number of lines."""
    each: Annotated[Row[Word], MOST_LINES]
    """The cells of each line, as a bitboard; the first `count` are in use."""
    loose: Annotated[Row[Word], MOST_LINES]
    """Lines that one side, the attacker, can still fill, each as the bitboard of the cells that it
    still needs; `loosen` and `strike` return how many are in use."""
    common: Annotated[Row[Word], 64]
    """For each cell, by number, the bitboard of the cells that all of its loose lines share; valid
    for the cells that `weigh` returned last."""
    weight: Annotated[Row[Word], 64]
    """For each cell, by number, the total weight of its loose lines: 2**marks for each; valid for
    the cells that `weigh` returned last."""


EXACT_LINES = kind(ExactLines)
PAIR = kinds.UniTuple(WORD, 2)
SCORES = kinds.UniTuple(kinds.int64, 2)

COUNTERS = kinds.UniTuple(WORD, 6)
NONE = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
STATIC_INFO = kinds.Tuple((WORD, WORD, WORD, COUNTERS, kinds.int64, kinds.int64))


@native(COUNTERS(COUNTERS, WORD, WORD))
def add(counters: Counters, cells: Word, power: Word) -> Counters:
    """Return the counters with 2**min(power, 3) added to those of *cells*, a bitboard.

    Each of the six words holds one binary digit, the lowest first, of the counters of all cells. A
    counter that would reach 64 or more is 32 less than the sum: counters only order moves.
    """
    a, b, c, d, e, f = counters
    carry = cells
    if power == ZERO:
        a, carry = a ^ carry, a & carry
    if power <= ONE:
        b, carry = b ^ carry, b & carry
    if power <= Word(2):
        c, carry = c ^ carry, c & carry
    d, carry = d ^ carry, d & carry
    e, carry = e ^ carry, e & carry
    return a, b, c, d, e, f | carry


@native(WORD(COUNTERS, WORD))
def foremost(counters: Counters, cells: Word) -> Word:
    """Return the bit of that one of *cells* which has the highest counter; 0 without *cells*.

    *cells* is a bitboard. Of several cells with the highest counter it is the lowest bit.
    *counters* are those of `add`.
    """
    a, b, c, d, e, f = counters
    for digit in (f, e, d, c, b, a):
        if cells & digit:
            cells &= digit
    return bottom_bit(cells)


@native(STATIC_INFO(WORD, WORD, EXACT_LINES))
def static_info(own: Word, rival: Word, lines: ExactLines) -> StaticInfo:
    """Return facts about all lines, as six values, for the bitboards *own* (to move) and *rival*.

    They are: the cells where *own* fills a line at once, and those where *rival* would (two
    bitboards); the cells, marked ones too, of all lines that only one side or nobody has marks on
    (a bitboard); counters, as in `add`, of how much each cell matters; and the most marks of *own*
    on a line without marks of *rival*, and the reverse (two numbers, 0 if there is no such line).
    No line may be full: not checked.
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


@native(SCORES(WORD, WORD, STATIC_INFO, EXACT_LINES))
def line_bounds(own: Word, rival: Word, found: StaticInfo, lines: ExactLines) -> tuple[int, int]:
    """Return (low, high) of the score for *own*, to move, that follow from *found* alone.

    A win that leaves n cells empty scores n + 1, a loss -(n + 1), a draw 0. *found* must be what
    `static_info` returned for the same bitboards: not checked.
    """
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


@native(WORD(WORD, WORD, EXACT_LINES))
def loosen(attacker: Word, defender: Word, lines: ExactLines) -> Word:
    """Write to `lines.loose` what the *attacker* still needs of each line; return their number.

    Lines with a mark of the *defender* are left out. Both sides are bitboards. For each other line
    the bitboard of its cells without a mark is written, from index 0 on; `lines.weight` and
    `lines.common` are left to `weigh`.
    """
    count = ZERO
    for number in span(lines.count):
        line = lines.each[number]
        if line & defender == ZERO:
            lines.loose[count] = line & ~attacker
            count += ONE
    return count


@native(WORD(WORD, WORD, WORD, EXACT_LINES))
def strike(count: Word, struck: Word, given: Word, lines: ExactLines) -> Word:
    """Remove the loose lines through the cell *struck* and give the cell *given* to the attacker.

    Both are bitboards of one cell, or 0 for none. *count* is the number of lines in `lines.loose`,
    which is changed in place. Return the number of lines that stay in it. `lines.weight` and
    `lines.common` are left to `weigh`.
    """
    kept = ZERO
    for number in span(count):
        line = lines.loose[number]
        if line & struck == ZERO:
            lines.loose[kept] = line & ~given
            kept += ONE
    return kept


@native(PAIR(WORD, EXACT_LINES))
def weigh(count: Word, lines: ExactLines) -> tuple[Word, Word]:
    """Weigh the first *count* loose lines; return their total weight and their cells, a bitboard.

    A line weighs 2**marks, where marks is `connect` less the number of cells that it still needs.
    `lines.weight` and `lines.common` are written for the returned cells alone: other cells keep
    old numbers there.
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


@native(PAIR(WORD, EXACT_LINES))
def heaviest(cells: Word, lines: ExactLines) -> tuple[Word, Word]:
    """Return the bit of the heaviest of *cells*, a bitboard, and its weight; (0, 0) without any.

    Of several it is the lowest bit. Weights are those that `weigh` wrote last; *cells* must be
    among those that it returned: not checked.
    """
    best, most = ZERO, ZERO
    while cells:
        bit = bottom_bit(cells)
        cells ^= bit
        weight = lines.weight[lowest(bit)]
        if weight > most:
            best, most = bit, weight
    return best, most


@native(PAIR(WORD, EXACT_LINES))
def pair(cells: Word, lines: ExactLines) -> tuple[Word, Word]:
    """Return the bits of two cells to pair: all loose lines of the first run through the second.

    Of all such pairs it is the one after which the loose lines weigh least; (0, 0) if there is
    none, or each would make them heavier. *cells* must be the bitboard that `weigh` returned last:
    not checked.
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


@native(WORD(WORD, WORD, WORD, EXACT_LINES))
def drawn_by_pairing(
    attacker: Word, defender: Word, defender_moves: Word, lines: ExactLines
) -> Word:
    """Return 1 if the defender can keep the attacker from filling any line, else 0 (unknown).

    *attacker* and *defender* are bitboards; *defender_moves* is 1 if the defender is to move, else
    0. The lines' scratch memory is overwritten. Erdős and Selfridge: while the loose lines weigh
    less than a full one after any move of the attacker, the defender keeps it so by always taking
    the heaviest cell. Some cells are paired first: the defender answers a mark in one with a mark
    in the other, which rids it of the lines through both; in other lines the second cell counts as
    the attacker's.
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
"""Below every score; its negative is above every score."""
EXACT_ABORTED = 1_000  # a score that no position has: the search was stopped
EXACT_BUCKET = TWO, TWO
FIRST_BUCKETS, KEY_BITS = 1 << 10, 50
BYTE, HIGH_AT, MARKS_AT = Word(255), Word(8), Word(16)
"""The data of an entry: a byte for either bound, and for the marks on the board."""


class ExactBounds:
    """The lower and the upper bound of a score, both included: *low* <= score <= *high*.

    A win that leaves n cells empty scores n + 1, a loss -(n + 1), a draw 0.
    """

    low: np.int64
    high: np.int64


class ExactMarks:
    """A position: the marks of the side to move (*own*) and of its *rival*, as bitboards."""

    own: Word
    rival: Word


class ExactWorkspace:
    """The memory of one search: its table, its lines, and its results."""

    controls: Word
    """Address of the words shared with the caller: `papan.engine.control`."""
    transpositions: Transpositions
    """The transposition table."""
    lines: ExactLines
    """The lines of the board, and scratch memory to weigh them."""
    image_count: Word
    """Number of images that a position of this board has, itself included: 1 to 8."""
    images: Annotated[Row[Word], 8, 64]
    """For each image of the board the number of the cell that each cell turns into."""
    root: ExactBounds
    """Bounds of the score for the side to move."""
    moves: Annotated[Row[ExactBounds], 64]
    """Bounds of the rival's score after each move, by cell, as `compare_moves` leaves them; -BOTTOM
    twice where unknown."""
    passed: ExactBounds
    """Bounds of the rival's score if it were its turn; valid once `settle_pass` has written it."""
    line_length: Word
    """Number of cells of the best line that are known."""
    line: Annotated[Row[Word], 64]
    """The numbers of the cells of the best line."""
    frames: Annotated[Row[ExactMarks], 66, 8]
    """For each number of marks each image of the position; the first one, itself, is not used."""


EXACT_WORKSPACE, EXACT_BOUNDS = kind(ExactWorkspace), kind(ExactBounds)


@native(PAIR(WORD, WORD))
def exact_key(own: Word, rival: Word) -> TableKey:
    """Return the table's key of two bitboards: a hash of both, of 50 bits, and *own* itself.

    Positions with different *own* have different keys; two with the same *own* share a key if the
    50 bits are equal by chance, which nothing rules out. The lowest bits of the hash before it is
    reversed are the best mixed.
    """
    mixed = own * Word(0x9E3779B97F4A7C15) ^ rival * Word(0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> Word(29)) * Word(0xBF58476D1CE4E5B9)
    return reversed_bits(mixed ^ mixed >> Word(32)) >> Word(64 - KEY_BITS), own


@native(SCORES(WORD, WORD, EXACT_WORKSPACE))
def recall_exact(own: Word, rival: Word, workspace: ExactWorkspace) -> tuple[int, int]:
    """Return the bounds (low, high) of the score in the table; -BOTTOM and BOTTOM if it has none.

    *own* are the marks of the side to move, *rival* those of the other, as bitboards from
    `canonical_marks`. Scores are as in `line_bounds`.
    """
    _, data = find_entry(workspace.transpositions, EXACT_BUCKET, exact_key(own, rival))
    if data == ZERO:
        return -BOTTOM, BOTTOM
    return signed(data & BYTE) - BOTTOM, signed(data >> HIGH_AT & BYTE) - BOTTOM


@native(kinds.void(WORD, WORD, NUMBER, NUMBER, EXACT_WORKSPACE))
def remember_exact(own: Word, rival: Word, low: int, high: int, workspace: ExactWorkspace) -> None:
    """Store the bounds *low* and *high* of the score of a position, for the side *own*, to move.

    *own* and *rival* are bitboards from `canonical_marks`. The bounds must be from -BOTTOM to
    BOTTOM - 1: not checked. The entry takes the first place of its bucket, or the second if the
    first has a position with fewer marks. The entry that was in that place is lost.
    """
    table, name, marks = workspace.transpositions, exact_key(own, rival), popcount(own | rival)
    place = first_place(table, EXACT_BUCKET, name)
    old = data_at(table, EXACT_BUCKET, place)
    if old and marks > old >> MARKS_AT:
        place += ONE
    put_entry(
        table,
        EXACT_BUCKET,
        place,
        name,
        Word(low + BOTTOM) | Word(high + BOTTOM) << HIGH_AT | marks << MARKS_AT,
    )


@native(PAIR(WORD, WORD, WORD, EXACT_WORKSPACE))
def canonical_marks(
    own: Word, rival: Word, live: Word, workspace: ExactWorkspace
) -> tuple[Word, Word]:
    """Return the bitboards (own, rival) under which a position is stored in the table.

    *live* is the bitboard of cells that `static_info` returned third. If some marks lie off these
    cells, each of them is added to both sides. Else the least of the position and its images is
    returned, by *own* and then *rival*: the images must be in `workspace.frames`, which is not
    checked.
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


@native(kinds.void(WORD, WORD, EXACT_WORKSPACE))
def write_images(taken: Word, move: Word, workspace: ExactWorkspace) -> None:
    """Write to `workspace.frames` the images of the position after *move*, a bit.

    There `own` are the marks of the rival, who is to move then. *taken* has the marks of both sides
    before the move, a bitboard; the images of that position must be in the frames: not checked. The
    first image, the position itself, is not written.
    """
    cell, plies = lowest(move), popcount(taken)
    for number in span(ONE, workspace.image_count):
        image, after = workspace.frames[plies, number], workspace.frames[plies + ONE, number]
        after.own = image.rival
        after.rival = image.own | ONE << workspace.images[number, cell]


@native(kinds.boolean(EXACT_WORKSPACE))
def is_spent(workspace: ExactWorkspace) -> bool:
    """Count a node; return True if the search must stop: nodes are spent, or the caller wants it.

    Else return False, after enlarging the table if the node count has reached its `grow_at`. A node
    beyond the most nodes allowed is not counted.
    """
    controls = words_at(workspace.controls)
    nodes = load_word(controls, NODES)
    if spend(controls) != GOES_ON:
        return True
    if nodes >= workspace.transpositions.grow_at:
        grow(workspace.transpositions, EXACT_BUCKET, ONE)
    return False


@native(NUMBER(WORD, WORD, NUMBER, EXACT_WORKSPACE))
def search_above(own: Word, rival: Word, bar: int, workspace: ExactWorkspace) -> int:
    """Return a bound of the score for *own*, to move: a lower one above *bar*, else an upper one.

    *own* and *rival* are bitboards. No line may be full, and the images of the position must be in
    the frames: not checked. Scores are as in `line_bounds`. Return EXACT_ABORTED if the search was
    stopped.
    """
    if is_spent(workspace):
        return EXACT_ABORTED
    info = static_info(own, rival, workspace.lines)
    low, high = line_bounds(own, rival, info, workspace.lines)
    if low > bar or high <= bar:
        return low if low > bar else high
    _, threats, live, counters, _, _ = info
    key_own, key_rival = canonical_marks(own, rival, live, workspace)
    known_low, known_high = recall_exact(key_own, key_rival, workspace)
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
    best = -EXACT_ABORTED
    while moves and best <= bar:
        move = foremost(counters, moves)
        moves ^= move
        write_images(own | rival, move, workspace)
        score = -search_above(rival, own | move, -bar - 1, workspace)
        if score == -EXACT_ABORTED:
            return EXACT_ABORTED
        best = max(best, score)
    low, high = (max(low, best), high) if best > bar else (low, min(high, best))
    remember_exact(key_own, key_rival, low, high, workspace)
    return best


@native(WORD(WORD, WORD, EXACT_BOUNDS, WORD, EXACT_WORKSPACE))
def settle_score(
    own: Word, rival: Word, bounds: ExactBounds, sharp: Word, workspace: ExactWorkspace
) -> Word:
    """Narrow *bounds* in place to the score, or its sign if *sharp* is 0; return 1 if done, else 0.

    0: the search was stopped; the bounds hold all the same. If *sharp* is 1, they end equal; if 0,
    it is enough that both are above 0, or both below. At first they must hold: not checked. If the
    score is above the first `high`, `low` may end above `high`. *own*, to move, and *rival* are
    bitboards; no line may be full, and the images of the position must be in the frames: not
    checked. Scores are as in `line_bounds`. Wins and losses are looked for in turn, the quickest
    first: those are found with little work.
    """
    empty = signed(popcount(workspace.lines.cells & ~(own | rival)))
    hope = False
    while True:
        low, high = signed(bounds.low), signed(bounds.high)
        if low >= high or (not sharp and (low > 0 or high < 0)):
            return ONE
        hope = high > 0 and (low >= 0 or not hope)
        bar = high - 1 if hope else low
        score = search_above(own, rival, bar, workspace)
        if score == EXACT_ABORTED:
            return ZERO
        if score > bar:
            even = score < 0 and (score + empty) % 2 == 0  # losses end on even plies
            bounds.low = np.int64(score + even)
        else:
            odd = score > 0 and (score + empty) % 2 != 0  # and wins on odd ones
            bounds.high = np.int64(score - odd)


@native(WORD(WORD, WORD, NUMBER, EXACT_WORKSPACE))
def best_keeping_move(own: Word, rival: Word, score: int, workspace: ExactWorkspace) -> Word:
    """Return the bit of the first move tried that keeps the *score*; 0 if the search was stopped.

    0 also if no cell is empty. *own*, to move, and *rival* are bitboards. *score* must be the exact
    one of the position, as in `line_bounds`, and its images must be in the frames: not checked.
    """
    wins, threats, live, counters, _, _ = static_info(own, rival, workspace.lines)
    free = workspace.lines.cells & ~(own | rival)
    moves = wins if wins else threats if threats else live & free
    moves = moves if moves else free
    while moves:
        move = foremost(counters, moves)
        moves ^= move
        if wins or moves == ZERO:
            return move
        write_images(own | rival, move, workspace)
        answer = search_above(rival, own | move, -score, workspace)
        if answer == EXACT_ABORTED:
            return ZERO
        if answer <= -score:
            return move
    return ZERO


@native(WORD(WORD, WORD, EXACT_WORKSPACE))
def follow_best(own: Word, rival: Word, workspace: ExactWorkspace) -> Word:
    """Write a line of best play from a position to the end; return 1 if done, 0 if stopped.

    *own*, to move, and *rival* are bitboards. `workspace.root` must have the exact score, and the
    frames the images of the position: not checked. The numbers of the cells are written to
    `workspace.line`, from index 0 on, and `line_length` is set after each; it is not touched if the
    first move is not found, or the board is full.
    """
    score = signed(workspace.root.low)
    length, empty = ZERO, popcount(workspace.lines.cells & ~(own | rival))
    plies = empty - Word(abs(score)) + ONE if score else empty
    while length < plies:
        move = best_keeping_move(own, rival, score, workspace)
        if move == ZERO:
            return ZERO
        workspace.line[length] = lowest(move)
        length += ONE
        workspace.line_length = length
        write_images(own | rival, move, workspace)
        own, rival, score = rival, own | move, -score
    return ONE


@native(kinds.void(WORD, EXACT_WORKSPACE))
def swap_images(taken: Word, workspace: ExactWorkspace) -> None:
    """Exchange the sides in the images of a position, in place, as if it were the rival's turn.

    The images are those in `workspace.frames`. *taken*, a bitboard, has the marks of both sides.
    """
    plies = popcount(taken)
    for number in span(ZERO, workspace.image_count):
        image = workspace.frames[plies, number]
        own, rival = image.own, image.rival
        image.own, image.rival = rival, own


@native(kinds.void(EXACT_BOUNDS, NUMBER, NUMBER))
def expect(bounds: ExactBounds, low: int, high: int) -> None:
    """Write *low* and *high*, the first bounds of a score, over those in *bounds*."""
    bounds.low, bounds.high = np.int64(low), np.int64(high)


@native(WORD(WORD, WORD, EXACT_WORKSPACE))
def settle_pass(own: Word, rival: Word, workspace: ExactWorkspace) -> Word:
    """Find the sign of the rival's score if it moved now; return 1 if done, 0 if stopped.

    *own* and *rival* are bitboards. `workspace.root` must have the exact score of *own*, and the
    frames the images of the position, *own* to move: not checked. Write to `workspace.passed`
    bounds of that score: once done, both are above 0, both below, or both 0.
    """
    empty = signed(popcount(workspace.lines.cells & ~(own | rival)))
    expect(workspace.passed, -signed(workspace.root.low), empty)  # to have the turn does no harm
    swap_images(own | rival, workspace)
    done = settle_score(rival, own, workspace.passed, ZERO, workspace)
    swap_images(own | rival, workspace)
    return done


@native(WORD(WORD, WORD, WORD, EXACT_WORKSPACE))
def compare_moves(own: Word, rival: Word, everything: Word, workspace: ExactWorkspace) -> Word:
    """Find which moves have the same result as the best one; return 1 if done, 0 if stopped.

    *own*, to move, and *rival* are bitboards. `workspace.root` must have the exact score, and the
    frames the images of the position: not checked. Write bounds of the rival's score after each
    move to `workspace.moves`, narrowed until their signs are equal. But if `root` has a win and
    *everything* is 0, only whether a move wins is asked: then `high` is at most 0, and where `low`
    is 0 or more, the move does not win and `high` proves nothing. With *everything* 1 the bounds
    have the sign of each score. If the rival does not even win after a pass, it wins after no move:
    a further mark does no harm.
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
        write_images(own | rival, move, workspace)
        if settle_score(rival, own | move, bounds, ZERO, workspace) == ZERO:
            return ZERO
    return ONE


@native(WORD(WORD, WORD, WORD, EXACT_WORKSPACE))
def solve_exactly(own: Word, rival: Word, everything: Word, workspace: ExactWorkspace) -> Word:
    """Find the score, best play and the moves that are as good; return 1 if done, 0 if stopped.

    *own*, to move, and *rival* are bitboards. `root` must have first bounds that hold, and the
    frames the images; no line may be full: not checked. The results are written to `root`, `line`
    and `line_length`, and `moves` of the workspace, in this order; what is there when the search is
    stopped is true. `moves` are as `compare_moves` leaves them, by *everything* (0 or 1). Scores
    are as in `line_bounds`.
    """
    if settle_score(own, rival, workspace.root, ONE, workspace) == ZERO:
        return ZERO
    if follow_best(own, rival, workspace) == ZERO:
        return ZERO
    return compare_moves(own, rival, everything, workspace)
