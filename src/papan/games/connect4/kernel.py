"""The search for Connect 4: it decides whether the score of a position is at least *beta*.

It is alpha-beta with a null window. Only quiet positions are searched: neither side can win at
once. Scores are for the mover:

    score of a win  = empty_cells_after_it // 2 + 1
    score of a loss = -(empty_cells_after_it // 2 + 1)
    score of a draw = 0

So of two wins the sooner one has the higher score, and on 6x7 scores run from -18 to 18. After a
move, what it forces is played at once; so it may be the same seat's turn again.
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
    load_shared,
    load_word,
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
    write_lanes,
)
from papan.engine.transpositions import (
    NOWHERE,
    TableKey,
    Transpositions,
    data_at,
    fetch,
    find_entry,
    first_place,
    grow,
    is_marked,
    mark,
    put_entry,
)
from papan.games.connect4.kernel_theory import (
    Connect4Masks,
    LaneBounds,
    QuietPosition,
    Sides,
    after_blocks,
    all_moves,
    half_made,
    in_fours,
    mirrored_lanes,
    playable_cells,
    static_bounds,
    threats_after,
)

SEARCH_STOPPED = 1000
"""Returned by a stopped search: no score is as large."""
NO_VALUE = -100
"""Less than every score."""
NODES_PER_CHECK = np.uint64(4096)
"""Nodes between two looks at the controls."""
EVERY_LANE = np.uint64(0xFFFF)
LANE = np.uint64(15)
LANE_BITS = np.uint64(4)
MOST_FRAMES = 82
"""One for each ply of the largest board, and for the root's parent."""
MIX, MIX_REST = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)

THREAT, GOOD_THREAT, NEXT_THREAT, HALF_MADE = (np.uint64(score) for score in (6, 2, 2, 1))
"""Terms of a move's score in the move order: for each winning cell; more if it will fall to the
mover, or is directly above a playable one; for each half made four.
"""
INITIATIVE, SAFE_ANSWER, CENTRAL = (np.uint64(score) for score in (9, 2, 2))
"""For being to move again; less for each safe answer; for the middle of the board."""
BASE = np.uint64(1000)
"""Keeps move scores positive."""


class Connect4Frame:
    """The positions after each move of one position, forced answers included.

    Lane n has the one after a stone in column n.
    """

    mine: Annotated[Row[Word], "limbs", "lanes"]
    """Stones of the side that made the move."""
    theirs: Annotated[Row[Word], "limbs", "lanes"]
    """Stones of its rival."""
    my_wins: Annotated[Row[Word], "limbs", "lanes"]
    """Empty cells that would complete a four of `mine`."""
    their_wins: Annotated[Row[Word], "limbs", "lanes"]
    """Empty cells that would complete a four of `theirs`."""
    left: Annotated[Row[np.int64], "lanes"]
    """Number of empty cells after the move."""
    low: Annotated[Row[np.int64], "lanes"]
    """Lower bound of the score for the side that made the move."""
    high: Annotated[Row[np.int64], "lanes"]
    """Upper bound of the same score."""
    key: Annotated[Row[Word], "lanes"]
    """First half of the table's key."""
    rest: Annotated[Row[Word], "lanes"]
    """Second half of the key."""
    order: Annotated[Row[Word], "tries"]
    """The moves in the order of search, then those put off: lane in bits 0 to 3, score above.

    Before `ordered` is called, the score of each lane, by its number.
    """
    same: Word
    """The lanes after whose move the same seat is to move again, one bit each."""
    unused: Annotated[Row[Word], 7]
    """Padding, so that lanes begin at a line of the processor's cache."""


class Connect4Workspace:
    """The memory of one search: its frames, the masks of the board, the table, and controls."""

    frames: Annotated[Row[Connect4Frame], MOST_FRAMES]
    """The frames of the line being searched; the root is lane 0 of the first one."""
    board: Connect4Masks
    """The masks of the board."""
    transpositions: Transpositions
    """The transposition table."""
    marks: Word
    """Address where threads mark the positions that they search; 0 for one thread."""
    controls: Word
    """Address of the words shared with the caller: `papan.engine.control`."""
    check: Word
    """The node count at which to look at the controls."""
    mirror: Word
    """1 if mirror images share an entry of the table; 0 where none can come up."""
    move: Word
    """The column of the move that reached its goal last; in the end the root's."""


CONNECT4_BUCKET = np.uint64(4), TWO
"""The entries of a bucket are one line of the cache. Keys are exact: no two positions share one."""
BOUND_BITS, BOUND, BIAS = np.uint64(7), np.uint64(127), 64
WORK, DATA_BITS = np.uint64(14), 19
"""An entry's data: both bounds, 7 bits each, and above them the binary logarithm of the nodes they
took.
"""
SEARCH_MARKS = 1024
SHARED_FROM = 14
"""Searches with fewer empty cells are over too soon to be marked for other threads."""


@native(inline=True)
def bounds_of(data: Word) -> tuple[int, int]:
    """Return the lower and the upper bound of a score in an entry's *data*; -64 and 64 if it is 0.

    Bits 0 to 6 are the lower bound + 64, bits 7 to 13 are 64 - the upper one.
    """
    return signed(data & BOUND) - BIAS, BIAS - signed(data >> BOUND_BITS & BOUND)


@native(inline=True)
def data_of(low: int, high: int, work: Word) -> Word:
    """Return an entry's data: the bounds *low* and *high* of a score, and the *work* they took.

    *low* is at least -64 and below 64, *high* above -64 and at most 64. *work* is the number of
    nodes that the bounds took, 0 counts as 1; its binary logarithm, rounded down, + 1 stands from
    bit 14 on.
    """
    effort: Word = highest(work | ONE) + ONE
    return np.uint64(low + BIAS) | np.uint64(BIAS - high) << BOUND_BITS | effort << WORK


@native(inline=True)
def store_data(table: Transpositions, key: TableKey, data: Word) -> None:
    """Write *data*, from `data_of`, to the table as the entry of *key*, which has both halves.

    If the key has an entry, it is overwritten. Else an empty one of the four in its bucket is
    taken, or if there is none, the one whose data took the fewest nodes; what was there is lost.
    """
    place, _ = find_entry(table, CONNECT4_BUCKET, key)
    if place == NOWHERE:
        first, least = first_place(table, CONNECT4_BUCKET, key), ~ZERO
        for each in span(first, first + CONNECT4_BUCKET[0]):
            work = data_at(table, CONNECT4_BUCKET, each) >> WORK
            if work < least:
                place, least = each, work
    put_entry(table, CONNECT4_BUCKET, place, key, data)


@native(inline=True)
def mark_place(key: Word) -> Word:
    """Return the index, 0 to SEARCH_MARKS - 1, at which threads mark the position of a key.

    *key* is the first half of it. Several positions share an index.
    """
    return key & np.uint64(SEARCH_MARKS - 1)


@native()
def must_stop(workspace: Connect4Workspace) -> bool:
    """Return whether the search must stop: the nodes are spent, or the caller has asked for it.

    If not, enlarge the table fourfold if the node count has reached its `grow_at` (and it may still
    grow), and set `workspace.check`, the node count at which to ask again. No node is counted.
    """
    controls, table = words_at(workspace.controls), workspace.transpositions
    nodes, most = load_word(controls, NODES), load_word(controls, MOST_NODES)
    if nodes >= most or load_shared(controls, STOP) != ZERO:
        return True
    if nodes >= table.grow_at:
        grow(table, CONNECT4_BUCKET, TWO)
    workspace.check = min(min(nodes + NODES_PER_CHECK, most), table.grow_at)
    return False


@native(inline=True)
def position_in(frame: Connect4Frame, lane: Word) -> QuietPosition:
    """Return the position after the move in column *lane* of its parent's *frame*.

    It is seen by its seat to move; each of its vectors has the same bitboard in all lanes.
    """
    own, rival, wins = frame.mine, frame.theirs, frame.their_wins
    if frame.same >> lane & ONE == ZERO:
        own, rival, wins = frame.theirs, frame.mine, frame.my_wins
    return QuietPosition(spread_lane(own, lane), spread_lane(rival, lane), spread_lane(wins, lane))


@native(inline=True)
def played_out(
    workspace: Connect4Workspace, position: QuietPosition, left: int, beta: int
) -> tuple[int, Word, Word, Sides]:
    """Play every safe move, each in its lane, and what it forces, until nothing is forced.

    The mover is the seat to move in *position*, where at least one move must be safe (not checked):
    not directly below a winning cell of the rival. *left* is the number of empty cells there.
    Return four values: the best score decided on the way, for the mover (NO_VALUE if none); a mask
    (bit n: lane n) of the lanes still undecided; a mask of the lanes in which the mover moves
    again; and the positions as the mover sees them. If no lane is undecided, that score bounds the
    score of *position*: from below if it is *beta* or more (then `workspace.move` is the column),
    else from above. The masks and positions mean nothing for lanes that are decided.
    """
    active, mine, my_wins, empty = all_moves(workspace.board, position)
    sides = Sides(mine, position.rival, my_wins, position.rival_wins, empty)
    live, same, best = active, ZERO, NO_VALUE
    now, sign = left - 1, 1
    while active != ZERO:
        threat, threatened, won, stuck = threats_after(
            workspace.board, sides.my_wins, sides.empty, active
        )
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
        sides = after_blocks(workspace.board, threat, active, sides)
        now, sign = now - 1, -sign
    if best >= beta:
        live = ZERO
    if sign < 0:
        last, other, last_wins, other_wins, empty = sides
        sides = Sides(other, last, other_wins, last_wins, empty)
    return best, live, same, sides


@native(inline=True)
def narrowed(
    workspace: Connect4Workspace, bounds: LaneBounds, live: Word, best: int, beta: int
) -> tuple[int, Word]:
    """Return the best score so far and a mask of the lanes still open, given *bounds* of each lane.

    *live* is the mask before (bit n: lane n), *best* the score before; all scores are for the seat
    to move before the lanes' moves. If the lower bound of a lane is *beta* or more, the greatest
    such bound is returned with the mask 0, and `workspace.move` is the column. Else the lanes whose
    upper bound is below *beta* are closed, and *best* is raised to their greatest upper bound.
    """
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
def move_scores(board: Connect4Masks, sides: Sides, same: Word, closing: Word) -> Vector:
    """Return each lane's number for the move order, positive; the highest is searched first.

    *sides* are as the mover sees them. *same* and *closing* are masks (bit n: lane n) of the lanes
    in which the mover moves again, and in which it places the last stone of a full board.
    """
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
def keys(workspace: Connect4Workspace, sides: Sides, same: Word) -> tuple[Vector, Vector]:
    """Return the two halves of each lane's key for the transposition table, the first one mixed.

    *same* is a mask (bit n: lane n) of the lanes in which the mover moves again. Mirror images
    share a key where `workspace.mirror` is 1. On boards of one word, stones that no open four needs
    do not count.
    """
    mine, theirs, _, _, empty = sides
    board, key_bits = workspace.board, workspace.transpositions.key_bits
    heights = (empty ^ vector(board.cells)) + vector(board.bottoms)
    if board.cells.shape[0] == 1:  # a stone that no open four needs is forgotten
        mine = mine & in_fours(mine | empty, board.step)
        theirs = theirs & in_fours(theirs | empty, board.step)
    own, rival = choose(same, mine, theirs) | heights, choose(same, theirs, mine)
    first, rest = _halves(board, key_bits, own, rival)
    if workspace.mirror != ZERO:
        other, other_rest = _halves(
            board, key_bits, mirrored_lanes(board, own), mirrored_lanes(board, rival)
        )
        swap = below(other, first) | (~which(first ^ other) & below(other_rest, rest))
        first, rest = choose(swap, other, first), choose(swap, other_rest, rest)
    return _mixed(key_bits, first, rest), rest


@native(inline=True)
def _halves(board: Connect4Masks, bits: Word, own: Vector, rival: Vector) -> tuple[Vector, Vector]:
    """Return both halves of each lane's key, of *bits* bits each, from two bitboards.

    *own* has own stones and the height of each column, *rival* the rival's stones. On boards of one
    limb these two are the halves. On two limbs the halves are the lower and the upper *bits* bits
    of *own*, which alone tells positions apart.
    """
    if board.cells.shape[0] == 1:
        return first_limb(own), first_limb(rival)
    mask = spread((ONE << bits) - ONE, own)
    return first_limb(own) & mask, (first_limb(own) >> bits) | (
        last_limb(own) << np.uint64(64) - bits
    )


@native(inline=True)
def _mixed(bits: Word, first: Vector, rest: Vector) -> Vector:
    """Return the first half of a key mixed with the second.

    With the second half it still tells all keys apart: a bijection on *bits* bits.
    """
    mask = spread((ONE << bits - ONE) * np.uint64(2) - ONE, first)
    return (first + rest * spread(MIX_REST, first)) * spread(MIX, first) & mask


@native(inline=True)
def write_frame(frame: Connect4Frame, sides: Sides, bounds: LaneBounds) -> None:
    """Write the positions after the moves, their numbers of empty cells and bounds to *frame*.

    Its fields `key`, `rest`, `same` and `order` are not touched.
    """
    write_lanes(frame.mine, sides.mine)
    write_lanes(frame.theirs, sides.theirs)
    write_lanes(frame.my_wins, sides.my_wins)
    write_lanes(frame.their_wins, sides.their_wins)
    write_lanes(frame.left, counts(sides.empty))
    write_lanes(frame.low, bounds[0])
    write_lanes(frame.high, bounds[1])


@native(inline=True)
def fetch_all(table: Transpositions, frame: Connect4Frame, live: Word) -> None:
    """Prefetch the table's entries of the moves in the lanes of the mask *live* (bit n: lane n).

    `frame.key` must have their keys.
    """
    while live != ZERO:
        fetch(table, CONNECT4_BUCKET, (frame.key[lowest(live)], ZERO))
        live &= live - ONE


@native(inline=True)
def ordered(
    workspace: Connect4Workspace, frame: Connect4Frame, live: Word, best: int, beta: int
) -> tuple[int, Word]:
    """Write to `frame.order` the open moves in the order to search, after a look into the table.

    Before, `frame.order` must have the numbers of `move_scores` by lane, and all other fields must
    be written: not checked. *live* is a mask of the open lanes (bit n: lane n), *best* the best
    score before. Return (best, count): the best score so far, for the seat to move, and how many
    moves there are to search. The count is 0 if a lower bound is *beta* or more (then that bound is
    returned, and `workspace.move` is the column), and if no upper bound is. The bounds in the frame
    of the moves to search are narrowed to what the table knows.
    """
    count = ZERO
    while live != ZERO:
        lane = lowest(live)
        live &= live - ONE
        key = frame.key[lane], frame.rest[lane]
        low, high = bounds_of(find_entry(workspace.transpositions, CONNECT4_BUCKET, key)[1])
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
def remember_bounds(
    workspace: Connect4Workspace,
    frame: Connect4Frame,
    lane: Word,
    best: int,
    test: tuple[int, Word],
) -> None:
    """Store in the table what is proved of the position in a *lane* of its parent's frame.

    *test* is (beta, node count at which the search of the position began). *best* is the bound
    found, for the position's seat to move: a lower one if it is beta or more, else an upper one.
    The other bound is that in *frame*, which is not changed.
    """
    beta, began = test
    low, high = signed(frame.low[lane]), signed(frame.high[lane])
    if frame.same >> lane & ONE == ZERO:
        low, high = -high, -low
    if best >= beta:
        low = max(low, best)
    else:
        high = min(high, best)
    data = data_of(low, high, load_word(words_at(workspace.controls), NODES) - began)
    store_data(workspace.transpositions, (frame.key[lane], frame.rest[lane]), data)


@native()
def search_lane(workspace: Connect4Workspace, ply: Word, lane: Word, beta: int) -> int:
    """Return a bound of the score of the position in a *lane* of its parent's frame.

    It is for the seat to move: a lower bound if it is at least *beta* (then `workspace.move` is the
    column), else an upper bound; SEARCH_STOPPED if the search was stopped, which callers must also
    know by its negative. A score is empty cells after a win // 2 + 1, negative for a loss, 0 for a
    draw. Neither side may be able to win at once, and at least one move must be safe, as in
    `played_out`: not checked. *ply* is the number of the parent's frame, which has the keys and
    bounds of its lanes; frames from *ply* + 1 on are overwritten. The result goes to the table if
    moves had to be searched for it.
    """
    controls = words_at(workspace.controls)
    if load_word(controls, NODES) >= workspace.check and must_stop(workspace):
        return SEARCH_STOPPED
    began = load_word(controls, NODES) + ONE
    store(controls, NODES, began)
    parent, frame = workspace.frames[ply], workspace.frames[ply + ONE]
    left = signed(parent.left[lane])
    closing = EVERY_LANE if left & 1 else ZERO

    # What the rules and the static bounds decide.
    best, live, same, sides = played_out(workspace, position_in(parent, lane), left, beta)
    if live == ZERO:
        return best
    bounds = static_bounds(workspace.board, sides, same, closing)
    best, live = narrowed(workspace, bounds, live, best, beta)
    if live == ZERO:
        return best

    # What the table knows, and the order of what is left.
    table = workspace.transpositions
    first, rest = keys(workspace, sides, same)
    write_lanes(frame.key, first)
    write_lanes(frame.rest, rest)
    frame.same = same
    fetch_all(table, frame, live)
    write_frame(frame, sides, bounds)
    write_lanes(frame.order, move_scores(workspace.board, sides, same, closing))
    best, count = ordered(workspace, frame, live, best, beta)
    if count == ZERO:
        return best

    # The search itself; moves that another thread is searching come again at the end.
    number, rounds = ZERO, count
    while number < rounds:
        move = frame.order[number]
        child = move & LANE
        key, marks = frame.key[child], workspace.marks if left >= SHARED_FROM else ZERO
        if ZERO < number < count and is_marked(marks, mark_place(key), key):
            frame.order[rounds] = move
            number, rounds = number + ONE, rounds + ONE
            continue
        mark(marks, mark_place(key), key)
        if same >> child & ONE != ZERO:
            value = search_lane(workspace, ply + ONE, child, beta)
        else:
            value = -search_lane(workspace, ply + ONE, child, 1 - beta)
        mark(marks, mark_place(key), ZERO)
        if abs(value) == SEARCH_STOPPED:
            return SEARCH_STOPPED
        best = max(best, value)
        if best >= beta:
            workspace.move = child
            break
        number += ONE
    remember_bounds(workspace, parent, lane, best, (beta, began))
    return best


table_at = records_at(Transpositions)


@native(kinds.void(kinds.int64))
def grow_at_address(table: int) -> None:
    """Grow the table whose record is at the address *table* to four times its buckets.

    If it may not have so many, its buckets stay as they are, and it never grows again.
    """
    grow(table_at(np.uint64(table), ZERO), CONNECT4_BUCKET, TWO)


WORKSPACE_SIZES = {
    (1, 8): {"limbs": 1, "lanes": 8, "tries": 16},
    (1, 16): {"limbs": 1, "lanes": 16, "tries": 32},
    (2, 16): {"limbs": 2, "lanes": 16, "tries": 32},
}
"""Array sizes of a workspace by limbs and lanes: for boards of up to 64 bits and 8 columns, of up
to 64 bits, and others.
"""
eight_at, sixteen_at, wide_at = (
    records_at(Connect4Workspace, **sizes) for sizes in WORKSPACE_SIZES.values()
)


@native()
def search_eight(workspace: int, beta: int) -> int:
    """Return a bound of the score of a workspace's root: up to 64 bits and 8 columns.

    *workspace* is the address of a `Connect4Workspace` of this size, whose root is written as
    `Connect4Memory.put` does: not checked. The bound is for the seat to move: a lower one if it is
    at least *beta* (then the field `move` is the column), else an upper one; SEARCH_STOPPED if the
    search was stopped. A score is empty cells after a win // 2 + 1, negative for a loss, 0 for a
    draw.
    """
    return search_lane(eight_at(np.uint64(workspace), ZERO), ZERO, ZERO, beta)


@native()
def search_sixteen(workspace: int, beta: int) -> int:
    """Return a bound of the score of a workspace's root: up to 64 bits and 16 columns.

    Arguments and result are those of `search_eight`.
    """
    return search_lane(sixteen_at(np.uint64(workspace), ZERO), ZERO, ZERO, beta)


@native()
def search_wide(workspace: int, beta: int) -> int:
    """Return a bound of the score of a workspace's root: any board, in two words of 64 bits.

    Arguments and result are those of `search_eight`.
    """
    return search_lane(wide_at(np.uint64(workspace), ZERO), ZERO, ZERO, beta)


@cache
def compiled_search(limbs: int, lanes: int) -> Any:
    """Return the search (address of workspace, beta) -> score bound for this kind of boards.

    *limbs* and *lanes* are a pair of `WORKSPACE_SIZES`, else KeyError is raised. It is compiled on
    the first call. A recursive search needs its types from here: if they were inferred, its cached
    code might crash.
    """
    number = kinds.int64
    compiled: Any = search_lane
    compiled.compile(
        number(kind(Connect4Workspace, **WORKSPACE_SIZES[limbs, lanes]), WORD, WORD, number)
    )
    entries = dict(zip(WORKSPACE_SIZES, (search_eight, search_sixteen, search_wide)))
    entry: Any = entries[limbs, lanes]
    entry.compile(number(number, number))
    return entry
