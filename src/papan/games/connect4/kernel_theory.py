"""Theory of Connect 4 for compiled searches: fours, forced answers, and bounds without search.

All moves are evaluated in parallel, one per lane. A bitboard is that of `rules.py`; the cells of a
column make pairs from the top down. Scores are those of `kernel.py`: empty cells after a win // 2 +
1.

The side that places the last stone of a full board is the closer, the other one the opener. As long
as the opener is to move and all columns have an even number of empty cells, the closer can answer
each stone in the same column, and so gets every upper cell that is not playable yet (claimeven). A
playable upper cell is alone in its pair; there is an even number of them, and they are shared one
by one. With a winning cell of the opener among the lower ones the roles change: neither side plays
below it, one column ends there, and from then on the opener answers.

`static_bounds` applies the rules, functions (masks, roles, known) -> bounds for the closer.
`tests/games/test_connect4_kernel.py` finds each of them there and compares it with exact scores.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np

from papan.engine.memory import Row
from papan.engine.native import ONE, TWO, ZERO, Word, native, span
from papan.engine.simd import (
    Vector,
    choose,
    counts,
    larger,
    smaller,
    spread,
    vector,
    vector_at,
    which,
)

THREE = np.uint64(3)
MOST_LANES = 10
"""Columns of the widest board."""


class Connect4Masks:
    """The masks of a board as bitboards, each the same in every lane but `column` and `central`.

    So one instruction meets all moves.
    """

    cells: Annotated[Row[Word], "limbs", "lanes"]
    """All cells of the board."""
    bottoms: Annotated[Row[Word], "limbs", "lanes"]
    """The lowest cells of all columns."""
    tops: Annotated[Row[Word], "limbs", "lanes"]
    """The unused bits above all columns."""
    lower: Annotated[Row[Word], "limbs", "lanes"]
    """The lower cell of each pair; see the head of this module."""
    upper: Annotated[Row[Word], "limbs", "lanes"]
    """The upper cell of each pair."""
    first: Annotated[Row[Word], "limbs", "lanes"]
    """The lowest bit of the bitboard."""
    columns: Annotated[Row[Word], MOST_LANES, "limbs", "lanes"]
    """Each column with its unused bit, from the left."""
    column: Annotated[Row[Word], "limbs", "lanes"]
    """The cells of one column, another one in each lane: that of the lane's move."""
    central: Annotated[Row[Word], "lanes"]
    """Distance of the lane's column from the nearer edge."""
    step: Word
    """Bits from one column to the next."""
    width: Word
    """Number of columns."""


class QuietPosition(NamedTuple):
    """A quiet position as bitboards: stones of mover and rival, and cells where the rival wins.

    The mover is the seat to move, which has no cell where it wins at once. The cells in
    *rival_wins* are empty and complete a four of the rival.
    """

    own: Vector
    rival: Vector
    rival_wins: Vector


class Sides(NamedTuple):
    """The position after each lane's move as bitboards, seen by the side that made the move.

    They are its stones, its rival's, the empty cells that complete a four of either (some cannot be
    played yet), and all empty cells.
    """

    mine: Vector
    theirs: Vector
    my_wins: Vector
    their_wins: Vector
    empty: Vector


class Roles(NamedTuple):
    """The position of each lane by roles, as bitboards.

    The closer is the side that places the last stone of a full board; the opener is the other.
    Their *wins* are the empty cells that complete a four. *empty* are all empty cells, *playable*
    the lowest empty ones of the columns.
    """

    closer: Vector
    opener: Vector
    closer_wins: Vector
    opener_wins: Vector
    empty: Vector
    playable: Vector


LaneBounds: TypeAlias = tuple[Vector, Vector]
"""The lower and the upper bound of each lane's score."""


@native(inline=True)
def winning_lanes(stones: Vector, step: Word) -> Vector:
    """Return in each lane, as a bitboard, every cell that makes four with three of *stones*.

    It may be taken already, or lie beyond the board, on an unused bit. *step* is the number of bits
    from one column to the next.
    """
    above = (stones << ONE) & (stones << TWO) & (stones << THREE)
    rising, falling = _completing(stones, step + ONE), _completing(stones, step - ONE)
    return above | _completing(stones, step) | rising | falling


@native(inline=True)
def _completing(stones: Vector, step: Word) -> Vector:
    """Return, as bitboards, the cells that make four with three of *stones* in one direction.

    They may be taken already, or lie beyond the board. *step* is the distance in bits of neighbours
    in that direction.
    """
    pair = stones & (stones << step)
    after = (pair << step) & ((stones << THREE * step) | (stones >> step))
    before = (pair >> TWO * step) & ((stones << step) | (stones >> THREE * step))
    return after | before


@native(inline=True)
def fours(cells: Vector, step: Word) -> Vector:
    """Return in each lane, as a bitboard, the lowest bit of every four *cells* in a row.

    That is side by side in a row, a column or a diagonal. 0 where there is no four. *step* is the
    number of bits from one column to the next.
    """
    level = _starts(cells, step) | _starts(cells, ONE)
    return level | _starts(cells, step + ONE) | _starts(cells, step - ONE)


@native(inline=True)
def _starts(cells: Vector, step: Word) -> Vector:
    """Return a bitboard of the lowest bit of every four *cells* in one direction, in each lane.

    *step* is the distance in bits of neighbours in that direction.
    """
    pair = cells & (cells >> step)
    return pair & (pair >> TWO * step)


@native(inline=True)
def in_fours(cells: Vector, step: Word) -> Vector:
    """Return, in each lane, those of *cells* that belong to some four *cells* in a row.

    *step* is the number of bits from one column to the next.
    """
    level = _members(cells, step) | _members(cells, ONE)
    return level | _members(cells, step + ONE) | _members(cells, step - ONE)


@native(inline=True)
def _members(cells: Vector, step: Word) -> Vector:
    """Return, in each lane, those of *cells* that belong to some four of them in one direction.

    *step* is the distance in bits of neighbours in that direction.
    """
    starts = _starts(cells, step)
    pair = starts | (starts << step)
    return pair | (pair << TWO * step)


@native(inline=True)
def half_made(stones: Vector, cells: Vector, step: Word) -> Vector:
    """Return for each lane the number of fours of *cells* that hold two or more of *stones*.

    Vertical ones do not count. *step* is the number of bits from one column to the next.
    """
    level = counts(_twos(stones, cells, step))
    rising = counts(_twos(stones, cells, step + ONE))
    return level + rising + counts(_twos(stones, cells, step - ONE))


@native(inline=True)
def _twos(stones: Vector, cells: Vector, step: Word) -> Vector:
    """Return the lowest bit of every four of *cells* with two or more of *stones*, in each lane.

    The fours are those of one direction; *step* is the distance in bits of neighbours in it.
    """
    both, either = stones & (stones >> step), stones | (stones >> step)
    held = both | (both >> TWO * step) | (either & (either >> TWO * step))
    return _starts(cells, step) & held


@native(inline=True)
def lowest_in_columns(board: Connect4Masks, cells: Vector) -> Vector:
    """Return, in each lane, the lowest of *cells* in each column; none for a column without any."""
    return cells & (vector(board.tops) - cells)


@native(inline=True)
def upwards(board: Connect4Masks, cells: Vector) -> Vector:
    """Return all cells from *cells* up to the top of their columns.

    *cells* are at most one in each column; where there is none, the result has none.
    """
    return (vector(board.tops) - cells) & vector(board.cells)


@native(inline=True)
def mirrored_lanes(board: Connect4Masks, key: Vector) -> Vector:
    """Return the bitboard *key* of each lane, unused bits included, left and right exchanged."""
    for column in span(board.width >> ONE):
        distance = (board.width - ONE - TWO * column) * board.step
        half = distance >> ONE  # two shifts, because one alone must stay below 64
        differing = (key ^ ((key >> half) >> distance - half)) & vector_at(board.columns, column)
        key = key ^ differing ^ ((differing << half) << distance - half)
    return key


@native(inline=True)
def playable_cells(board: Connect4Masks, empty: Vector) -> Vector:
    """Return the cells where stones land: the lowest of the *empty* cells of each column."""
    taken = empty ^ vector(board.cells)
    return (taken + vector(board.bottoms)) & empty


@native(inline=True)
def all_moves(board: Connect4Masks, position: QuietPosition) -> tuple[Word, Vector, Vector, Vector]:
    """Play each lane's safe move; return a mask of the lanes that have one, and three bitboards.

    Lane n plays column n, and is bit n of the mask. The bitboards are, after the move, the mover's
    stones, the empty cells that complete a four of them, and the empty cells. A move is safe if it
    is not directly below a winning cell of the rival.
    """
    own, rival, rival_wins = position
    empty = vector(board.cells) & ~(own | rival)
    safe = playable_cells(board, empty) & ~(rival_wins >> ONE)
    move = safe & vector(board.column)
    empty = empty & ~move
    mine = own | move
    return which(move), mine, winning_lanes(mine, board.step) & empty, empty


@native(inline=True)
def threats_after(
    board: Connect4Masks, wins: Vector, empty: Vector, among: Word
) -> tuple[Vector, Word, Word, Word]:
    """Judge the lanes of the mask *among* (bit n: lane n), in which a stone has just landed.

    *wins* are the empty cells that complete a four of its side, *empty* all empty cells. Return the
    threats (cells of *wins* that are playable), and masks of the lanes with a threat, the lanes won
    by that side, and the lanes in which its rival is stuck. Two threats at once win, and so does
    one directly below another winning cell; the rival is stuck if it can only play below a winning
    cell, or not at all.
    """
    playable = playable_cells(board, empty)
    threat = wins & playable
    double = threat & (threat - vector(board.first))
    threatened = which(threat) & among
    won = which(double | ((threat << ONE) & wins)) & threatened
    stuck = among & ~threatened & ~which(playable & ~(wins >> ONE))
    return threat, threatened, won, stuck


@native(inline=True)
def after_blocks(board: Connect4Masks, threat: Vector, lanes: Word, sides: Sides) -> Sides:
    """Return the sides after the defender blocks *threat*, a cell in each lane, in *lanes*, a mask.

    The result is seen by the defender, so that `mine` are its stones, also in the lanes that are
    not in *lanes* (bit n: lane n), where no stone is added.
    """
    block = choose(lanes, threat, threat ^ threat)
    theirs, empty = sides.theirs | block, sides.empty & ~block
    their_wins = winning_lanes(theirs, board.step) & empty
    return Sides(theirs, sides.mine, their_wins, sides.my_wins & ~block, empty)


@native(inline=True)
def static_bounds(board: Connect4Masks, sides: Sides, same: Word, closing: Word) -> LaneBounds:
    """Return bounds of each lane's score for the mover, proved without search in quiet positions.

    *sides* are as the mover, which made each lane's first move, sees them. *same* is a mask (bit n:
    lane n) of the lanes in which it is to move again, *closing* of those in which it places the
    last stone of a full board. A score is empty cells after a win // 2 + 1, negative for a loss, 0
    for a draw.
    """
    mine, theirs, my_wins, their_wins, empty = sides
    roles = Roles(
        choose(closing, mine, theirs),
        choose(closing, theirs, mine),
        choose(closing, my_wins, their_wins),
        choose(closing, their_wins, my_wins),
        empty,
        playable_cells(board, empty),
    )
    zero = spread(ZERO, empty)
    low, high = soonest_ends(empty, same)
    known = choose(closing, low, zero - high), choose(closing, high, zero - low)
    known = last_hopes(board, roles, known)
    known = closer_claims(board, roles, known)
    known = opener_waits(board, roles, known)
    return choose(closing, known[0], zero - known[1]), choose(closing, known[1], zero - known[0])


@native(inline=True)
def soonest_ends(empty: Vector, same: Word) -> LaneBounds:
    """Return bounds for the mover from the earliest win possible in a quiet position.

    *empty* are the empty cells of each lane; *same* is a mask (bit n: lane n) of the lanes in which
    the mover, which has just moved, moves again. With n empty cells the side to move wins at the
    soonest with its second stone from now: n - 3 cells are then empty, which scores (n - 3) // 2 +
    1 = (n - 1) // 2. The other side wins at the soonest with its second stone: n - 4 are empty, and
    (n - 2) // 2 is the score.
    """
    zero, left = spread(ZERO, empty), counts(empty)
    again = choose(same, spread(ONE, empty), zero)
    high = larger(left + again - spread(TWO, empty), zero) >> ONE
    return zero - (larger(left - again - spread(ONE, empty), zero) >> ONE), high


@native(inline=True)
def last_hopes(board: Connect4Masks, roles: Roles, known: LaneBounds) -> LaneBounds:
    """Return bounds narrowed for a side whose remaining fours all run through winning cells.

    It cannot win before the rest of the board is full, because the rival does not play below such a
    cell before. If k cells stay empty until then, those below the winning cells and above, a win
    scores at most k // 2 for the closer and (k - 1) // 2 for the opener. With two winning cells
    directly above each other this does not hold. With no winning cell and no other four, k = 0 and
    there is nothing left to win. The bounds, *known* and returned, are (low, high) of the closer's
    score.
    """
    closer, opener, closer_wins, opener_wins, empty, _ = roles
    low, high = known
    zero = spread(ZERO, empty)
    bound = counts(_kept_empty(board, closer_wins)) >> ONE
    hopeless = ~which(_other_hopes(closer, closer_wins, empty, board.step))
    high = choose(hopeless, smaller(high, bound), high)
    bound = larger(counts(_kept_empty(board, opener_wins)) - spread(ONE, empty), zero) >> ONE
    hopeless = ~which(_other_hopes(opener, opener_wins, empty, board.step))
    return choose(hopeless, larger(low, zero - bound), low), high


@native(inline=True)
def _other_hopes(stones: Vector, wins: Vector, empty: Vector, step: Word) -> Vector:
    """Return 0 in lanes where all fours left to *stones* run through single winning cells.

    *wins* are these cells; single means that none is directly above another. Elsewhere not 0.
    *empty* are all empty cells, *step* is the number of bits from one column to the next.
    """
    return fours((stones | empty) & ~wins, step) | (wins & (wins << ONE))


@native(inline=True)
def _kept_empty(board: Connect4Masks, wins: Vector) -> Vector:
    """Return, in each column, the cell below the lowest of *wins* and all cells above that one.

    None for a column without *wins*. They stay empty until a side must play there.
    """
    return upwards(board, lowest_in_columns(board, wins) >> ONE)


@native(inline=True)
def closer_claims(board: Connect4Masks, roles: Roles, known: LaneBounds) -> LaneBounds:
    """Return bounds raised by claimeven: the closer answers every stone in the same column.

    The closer does not lose if the opener's share of cells has no four; if, besides, the closer's
    own share has one, it wins, scoring at least 1. A winning cell in its share is reached when the
    opener runs out of other moves: if k cells are empty then, in each such column the cell below
    the winning one and all above, the win scores k // 2. Nothing above that cell is ever played.
    The bounds, *known* and returned, are (low, high) of the closer's score in each lane; only low
    changes.
    """
    closer, opener, closer_wins, _, empty, playable = roles
    low, high = known
    claimed = empty & vector(board.upper) & ~playable
    wins = lowest_in_columns(board, closer_wins & claimed)
    never = upwards(board, wins) & ~wins
    share = (opener | (empty & vector(board.lower)) | playable) & ~never
    safe = ~which(fours(share, board.step))
    sure = choose(
        which(fours(closer | claimed, board.step)), spread(ONE, empty), spread(ZERO, empty)
    )
    margin = larger(counts(upwards(board, wins >> ONE)) >> ONE, sure)
    return choose(safe, larger(low, margin), low), high


@native(inline=True)
def opener_waits(board: Connect4Masks, roles: Roles, known: LaneBounds) -> LaneBounds:
    """Return bounds lowered where the opener wins by a winning cell among the lower ones.

    The lower cells are `board.lower`. The opener surely wins by such a cell if the closer's share
    of cells has no four. The win scores k // 2, where k cells are empty when the closer must play
    below the winning cell: in each column with a winning cell that the opener gets, the one below
    it and all above. The bounds, *known* and returned, are (low, high) of the closer's score in
    each lane; only high changes.
    """
    closer, _, _, opener_wins, empty, playable = roles
    low, high = known
    waiting = opener_wins & vector(board.lower)
    if which(waiting) != ZERO:
        claimed = lowest_in_columns(board, opener_wins & vector(board.upper))
        for number in span(board.width):
            column = vector_at(board.columns, number)
            cell = lowest_in_columns(board, waiting & column)
            if which(cell) != ZERO:
                wins = claimed & ~column
                share = _closer_share(board, (cell, wins, column), empty) | closer | playable
                safe = which(cell) & ~which(fours(share, board.step))
                margin = counts(upwards(board, (wins | cell) >> ONE)) >> ONE
                high = choose(safe, smaller(high, spread(ZERO, empty) - margin), high)
    return low, high


@native(inline=True)
def _closer_share(
    board: Connect4Masks, plan: tuple[Vector, Vector, Vector], empty: Vector
) -> Vector:
    """Return the empty cells that the closer may get while the opener waits for a cell of a column.

    *plan* has three bitboards: that cell, which must be in the column, at most one winning cell in
    each other column, which the opener gets, and the column with its unused bit. The closer may get
    the upper cells of the column below that cell, and in other columns the lower cells that are not
    above a winning one.
    """
    cell, wins, column = plan
    never = upwards(board, wins) & ~wins
    elsewhere = empty & vector(board.lower) & ~column & ~never
    return elsewhere | (empty & vector(board.upper) & column & (cell - vector(board.first)))
