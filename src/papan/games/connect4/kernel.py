"""The search for Connect 4: is a position worth at least so much?

It is alpha-beta with a null window. Only quiet positions are searched: neither side can win at
once. Values are scores: half the number of empty cells, roughly, that are left when the mover wins;
negative when the rival does. After a move, what it forces is played at once; so it may be the same
seat's turn again.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import numpy as np

from papan.engine.control import MOST_NODES, NODES, STOP
from papan.engine.memory import Row, kind, records_at
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    ZERO,
    Word,
    highest,
    insert,
    kinds,
    load,
    load_shared,
    lowest,
    native,
    signed,
    span,
    store,
    words_at,
)
from papan.engine.simd import (
    Vector,
    at_least,
    below,
    choose,
    counts,
    first_limb,
    greatest,
    last_limb,
    spread,
    spread_lane,
    vector,
    which,
    write,
)
from papan.engine.transpositions import (
    NOWHERE,
    Key,
    Transpositions,
    data_at,
    fetch,
    first_place,
    found,
    grow,
    is_marked,
    mark,
    put_entry,
)
from papan.games.connect4.kernel_theory import (
    Board,
    Bounds,
    Position,
    Sides,
    all_moves,
    answered,
    half_made,
    in_fours,
    judged,
    mirrored,
    playable_cells,
    static_bounds,
)

STOPPED = 1000
"""What a search returns that came to no end: no value is as large."""
NO_VALUE = -100
"""Below every value."""
LOOK_EVERY = np.uint64(4096)
EVERY_LANE = np.uint64(0xFFFF)
LANE = np.uint64(15)
LANE_BITS = np.uint64(4)
MOST_FRAMES = 82
"""One for each ply of the largest board, and for the root's parent."""
MIX, MIX_REST = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)

THREAT, GOOD_THREAT, NEXT_THREAT, HALF_MADE = (np.uint64(score) for score in (6, 2, 2, 1))
INITIATIVE, SAFE_ANSWER, CENTRAL = (np.uint64(score) for score in (9, 2, 2))
BASE = np.uint64(1000)
"""What a move promises: cells that win, more if they will fall to the mover or are soon playable;
fours half made; the move after the next; few safe answers; the middle of the board."""


class Frame:
    """What the moves of a position lead to: a lane each, once all that they force is played."""

    mine: Annotated[Row[Word], "limbs", "lanes"]
    theirs: Annotated[Row[Word], "limbs", "lanes"]
    """The stones of who moved and of the rival."""
    my_wins: Annotated[Row[Word], "limbs", "lanes"]
    their_wins: Annotated[Row[Word], "limbs", "lanes"]
    """The empty cells that would win for them."""
    left: Annotated[Row[np.int64], "lanes"]
    """How many cells are empty."""
    low: Annotated[Row[np.int64], "lanes"]
    high: Annotated[Row[np.int64], "lanes"]
    """Bounds of the value for who moved."""
    key: Annotated[Row[Word], "lanes"]
    rest: Annotated[Row[Word], "lanes"]
    """The two halves of the key."""
    order: Annotated[Row[Word], "tries"]
    """The moves in the order of search, as scores and lanes, with room for those put off."""
    same: Word
    """The moves after which the same seat is to move again, one bit each."""
    unused: Annotated[Row[Word], 7]
    """Lanes begin where a line of the cache does."""


class Workspace:
    """What one search works with."""

    frames: Annotated[Row[Frame], MOST_FRAMES]
    """Those on the way down; the root is the first lane of the first one."""
    board: Board
    transpositions: Transpositions
    marks: Word
    """Where threads mark the positions that they search; 0 if there is one thread."""
    controls: Word
    """Where the words are that are shared with the caller: `papan.engine.control`."""
    check: Word
    """The node at which to look at the controls."""
    mirror: Word
    """Are mirror images one position? Not worth a look where none can come up."""
    move: Word
    """A move that reached its goal, the root's at the end."""


BUCKET = np.uint64(4), TWO
"""The entries of a bucket are one line of the cache. Keys are exact: no two positions share one."""
BOUND_BITS, BOUND, BIAS = np.uint64(7), np.uint64(127), 64
WORK, DATA_BITS = np.uint64(14), 19
"""The data of an entry: both bounds, and above them how much work they took."""
SEARCH_MARKS = 1024
SMALL = 14
"""With fewer empty cells than that a search is soon over: to tell of it would cost more."""


@native(inline=True)
def bounds_of(data: Word) -> tuple[int, int]:
    """The bounds that data hold; those of nothing are as wide as can be."""
    return signed(data & BOUND) - BIAS, BIAS - signed(data >> BOUND_BITS & BOUND)


@native(inline=True)
def data_of(low: int, high: int, work: Word) -> Word:
    """Bounds, and the nodes it took to find them, as data."""
    effort: Word = highest(work | ONE) + ONE
    return np.uint64(low + BIAS) | np.uint64(BIAS - high) << BOUND_BITS | effort << WORK


@native(inline=True)
def keep(table: Transpositions, key: Key, data: Word) -> None:
    """Write data of a position in the place of its own old ones, or of the least work."""
    place, _ = found(table, BUCKET, key)
    if place == NOWHERE:
        first, least = first_place(table, BUCKET, key), ~ZERO
        for each in span(first, first + BUCKET[0]):
            work = data_at(table, BUCKET, each) >> WORK
            if work < least:
                place, least = each, work
    put_entry(table, BUCKET, place, key, data)


@native(inline=True)
def mark_place(key: Word) -> Word:
    """Where threads mark the position of a key."""
    return key & np.uint64(SEARCH_MARKS - 1)


@native()
def must_stop(workspace: Workspace) -> bool:
    """Has the caller had enough? Else see to the table, and when to look again."""
    controls, table = words_at(workspace.controls), workspace.transpositions
    nodes, most = load(controls, NODES), load(controls, MOST_NODES)
    if nodes >= most or load_shared(controls, STOP) != ZERO:
        return True
    if nodes >= table.grow_at:
        grow(table, BUCKET, TWO)
    workspace.check = min(min(nodes + LOOK_EVERY, most), table.grow_at)
    return False


@native(inline=True)
def position_in(frame: Frame, lane: Word) -> Position:
    """The position in a lane of its parent's frame."""
    own, rival, wins = frame.mine, frame.theirs, frame.their_wins
    if frame.same >> lane & ONE == ZERO:
        own, rival, wins = frame.theirs, frame.mine, frame.my_wins
    return Position(spread_lane(own, lane), spread_lane(rival, lane), spread_lane(wins, lane))


@native(inline=True)
def played_out(
    workspace: Workspace, position: Position, left: int, beta: int
) -> tuple[int, Word, Word, Sides]:
    """Every safe move and what it forces, until nothing is: the best value decided on the way.

    After it the lanes still undecided (none when *beta* is reached or out of reach), those in which
    the mover moves again, and the sides.
    """
    active, mine, my_wins, empty = all_moves(workspace.board, position)
    sides = Sides(mine, position.rival, my_wins, position.rival_wins, empty)
    live, same, best = active, ZERO, NO_VALUE
    now, sign = left - 1, 1
    while active != ZERO:
        threat, threatened, won, stuck = judged(workspace.board, sides.my_wins, sides.empty, active)
        if now == 0:
            best = max(best, 0)
            live &= ~stuck
        else:
            won |= stuck
        if won != ZERO:
            best = max(best, sign * (now >> 1))
            live &= ~won
        if best >= beta:
            workspace.move = lowest(won | stuck)
        elif now == left - 1 and max(left - 3, 0) >> 1 < beta:
            best, live = max(left - 3, 0) >> 1, ZERO
        active = threatened & live
        if best >= beta or active == ZERO:
            break
        same ^= active
        sides = answered(workspace.board, threat, active, sides)
        now, sign = now - 1, -sign
    if best >= beta:
        live = ZERO
    if sign < 0:
        last, other, last_wins, other_wins, empty = sides
        sides = Sides(other, last, other_wins, last_wins, empty)
    return best, live, same, sides


@native(inline=True)
def within(
    workspace: Workspace, bounds: Bounds, live: Word, best: int, beta: int
) -> tuple[int, Word]:
    """The best value so far and the lanes that are still open, given bounds of each lane."""
    low, high = bounds
    least, goal = spread(np.int64(NO_VALUE), low), spread(beta, low)
    reached = at_least(low, goal) & live
    if reached != ZERO:
        most = greatest(choose(reached, low, least))
        workspace.move = lowest(at_least(low, spread(most, low)) & reached)
        return most, ZERO
    possible = at_least(high, goal) & live
    return max(best, greatest(choose(live & ~possible, high, least))), possible


@native(inline=True)
def move_scores(board: Board, sides: Sides, same: Word, closing: Word) -> Vector:
    """How much each move promises, as positive numbers: the search begins with the greatest."""
    mine, _, wins, _, empty = sides
    playable = playable_cells(board, empty)
    good = choose(closing, vector(board.upper), vector(board.lower))
    score = spread(BASE, empty) + counts(wins) * spread(THREAT, empty)
    score = score + counts(wins & good) * spread(GOOD_THREAT, empty)
    score = score + counts(wins & (playable << ONE)) * spread(NEXT_THREAT, empty)
    score = score + half_made(mine, mine | empty, board.step) * spread(HALF_MADE, empty)
    score = score + choose(same, spread(INITIATIVE, empty), spread(ZERO, empty))
    score = score - counts(playable & ~(wins >> ONE)) * spread(SAFE_ANSWER, empty)
    return score + vector(board.central) * spread(CENTRAL, empty)


@native(inline=True)
def keys(workspace: Workspace, sides: Sides, same: Word) -> tuple[Vector, Vector]:
    """The two halves of each position's key, the first one mixed."""
    mine, theirs, _, _, empty = sides
    board, key_bits = workspace.board, workspace.transpositions.key_bits
    heights = (empty ^ vector(board.cells)) + vector(board.bottoms)
    if board.cells.shape[0] == 1:  # a stone that no open four needs is forgotten
        mine = mine & in_fours(mine | empty, board.step)
        theirs = theirs & in_fours(theirs | empty, board.step)
    own, rival = choose(same, mine, theirs) | heights, choose(same, theirs, mine)
    first, rest = _halves(board, key_bits, own, rival)
    if workspace.mirror != ZERO:
        other, other_rest = _halves(board, key_bits, mirrored(board, own), mirrored(board, rival))
        swap = below(other, first) | (~which(first ^ other) & below(other_rest, rest))
        first, rest = choose(swap, other, first), choose(swap, other_rest, rest)
    return _mixed(key_bits, first, rest), rest


@native(inline=True)
def _halves(board: Board, bits: Word, own: Vector, rival: Vector) -> tuple[Vector, Vector]:
    """A board of two limbs is too large for two sets of stones: its heights and own stones do."""
    if board.cells.shape[0] == 1:
        return first_limb(own), first_limb(rival)
    mask = spread((ONE << bits) - ONE, own)
    return first_limb(own) & mask, (first_limb(own) >> bits) | (
        last_limb(own) << np.uint64(64) - bits
    )


@native(inline=True)
def _mixed(bits: Word, first: Vector, rest: Vector) -> Vector:
    """The first half of a key, spread over all of its bits; the second half undoes it."""
    mask = spread((ONE << bits - ONE) * np.uint64(2) - ONE, first)
    return (first + rest * spread(MIX_REST, first)) * spread(MIX, first) & mask


@native(inline=True)
def write_frame(frame: Frame, sides: Sides, bounds: Bounds) -> None:
    """Fill a frame with what its moves lead to; the keys are there already."""
    write(frame.mine, sides.mine)
    write(frame.theirs, sides.theirs)
    write(frame.my_wins, sides.my_wins)
    write(frame.their_wins, sides.their_wins)
    write(frame.left, counts(sides.empty))
    write(frame.low, bounds[0])
    write(frame.high, bounds[1])


@native(inline=True)
def fetch_all(table: Transpositions, frame: Frame, live: Word) -> None:
    """Ask for the table's entries of all open moves before they are needed."""
    while live != ZERO:
        fetch(table, BUCKET, (frame.key[lowest(live)], ZERO))
        live &= live - ONE


@native(inline=True)
def ordered(
    workspace: Workspace, frame: Frame, live: Word, best: int, beta: int
) -> tuple[int, Word]:
    """The open moves of a frame, best first, after a look into the table: best value, how many."""
    count = ZERO
    while live != ZERO:
        lane = lowest(live)
        live &= live - ONE
        key = frame.key[lane], frame.rest[lane]
        low, high = bounds_of(found(workspace.transpositions, BUCKET, key)[1])
        if frame.same >> lane & ONE == ZERO:
            low, high = -high, -low
        low, high = max(low, signed(frame.low[lane])), min(high, signed(frame.high[lane]))
        if low >= beta:
            workspace.move = lane
            return low, ZERO
        if high < beta:
            best = max(best, high)
            continue
        frame.low[lane], frame.high[lane] = np.int64(low), np.int64(high)
        insert(frame.order, count, frame.order[lane] << LANE_BITS | lane)
        count += ONE
    return best, count


@native(inline=True)
def remember(
    workspace: Workspace, frame: Frame, lane: Word, best: int, test: tuple[int, Word]
) -> None:
    """Keep what a search found out about the position in a lane of its parent's frame."""
    beta, began = test
    low, high = signed(frame.low[lane]), signed(frame.high[lane])
    if frame.same >> lane & ONE == ZERO:
        low, high = -high, -low
    if best >= beta:
        low = max(low, best)
    else:
        high = min(high, best)
    data = data_of(low, high, load(words_at(workspace.controls), NODES) - began)
    keep(workspace.transpositions, (frame.key[lane], frame.rest[lane]), data)


@native()
def search(workspace: Workspace, ply: Word, lane: Word, beta: int) -> int:
    """A bound of what the position in a *lane* of its parent's frame is worth: *beta* or not."""
    controls = words_at(workspace.controls)
    if load(controls, NODES) >= workspace.check and must_stop(workspace):
        return STOPPED
    began = load(controls, NODES) + ONE
    store(controls, NODES, began)
    parent, frame = workspace.frames[ply], workspace.frames[ply + ONE]
    left = signed(parent.left[lane])
    closing = EVERY_LANE if left & 1 else ZERO

    # What the rules and the static bounds decide.
    best, live, same, sides = played_out(workspace, position_in(parent, lane), left, beta)
    if live == ZERO:
        return best
    bounds = static_bounds(workspace.board, sides, same, closing)
    best, live = within(workspace, bounds, live, best, beta)
    if live == ZERO:
        return best

    # What the table knows, and the order of what is left.
    table = workspace.transpositions
    first, rest = keys(workspace, sides, same)
    write(frame.key, first)
    write(frame.rest, rest)
    frame.same = same
    fetch_all(table, frame, live)
    write_frame(frame, sides, bounds)
    write(frame.order, move_scores(workspace.board, sides, same, closing))
    best, count = ordered(workspace, frame, live, best, beta)
    if count == ZERO:
        return best

    # The search itself; moves that another thread is searching come again at the end.
    number, rounds = ZERO, count
    while number < rounds:
        move = frame.order[number]
        child = move & LANE
        key, marks = frame.key[child], workspace.marks if left >= SMALL else ZERO
        if ZERO < number < count and is_marked(marks, mark_place(key), key):
            frame.order[rounds] = move
            number, rounds = number + ONE, rounds + ONE
            continue
        mark(marks, mark_place(key), key)
        if same >> child & ONE != ZERO:
            value = search(workspace, ply + ONE, child, beta)
        else:
            value = -search(workspace, ply + ONE, child, 1 - beta)
        mark(marks, mark_place(key), ZERO)
        if abs(value) == STOPPED:
            return STOPPED
        best = max(best, value)
        if best >= beta:
            workspace.move = child
            break
        number += ONE
    remember(workspace, parent, lane, best, (beta, began))
    return best


table_at = records_at(Transpositions)


@native(kinds.void(kinds.int64))
def grow_at_address(table: int) -> None:
    """Make a table larger, from its address."""
    grow(table_at(np.uint64(table), ZERO), BUCKET, TWO)


SIZES = {
    (1, 8): {"limbs": 1, "lanes": 8, "tries": 16},
    (1, 16): {"limbs": 1, "lanes": 16, "tries": 32},
    (2, 16): {"limbs": 2, "lanes": 16, "tries": 32},
}
"""The sizes of a workspace: boards of up to 64 bits and 8 columns, of up to 64 bits, and others."""
eight_at, sixteen_at, wide_at = (records_at(Workspace, **sizes) for sizes in SIZES.values())


@native()
def search_eight(workspace: int, beta: int) -> int:
    """The search on boards of up to 64 bits and 8 columns, from an address."""
    return search(eight_at(np.uint64(workspace), ZERO), ZERO, ZERO, beta)


@native()
def search_sixteen(workspace: int, beta: int) -> int:
    """The search on boards of up to 64 bits, from an address."""
    return search(sixteen_at(np.uint64(workspace), ZERO), ZERO, ZERO, beta)


@native()
def search_wide(workspace: int, beta: int) -> int:
    """The search on any board, from an address."""
    return search(wide_at(np.uint64(workspace), ZERO), ZERO, ZERO, beta)


@cache
def ready(limbs: int, lanes: int) -> Any:
    """The search for boards of so many limbs and lanes, compiled if it is not yet.

    A search that calls itself needs its types from here: found out by itself, its cached code
    may crash.
    """
    number = kinds.int64
    compiled: Any = search
    compiled.compile(number(kind(Workspace, **SIZES[limbs, lanes]), WORD, WORD, number))
    entries = dict(zip(SIZES, (search_eight, search_sixteen, search_wide)))
    entry: Any = entries[limbs, lanes]
    entry.compile(number(number, number))
    return entry
