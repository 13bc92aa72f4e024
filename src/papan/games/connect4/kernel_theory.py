"""Theory of Connect 4 for compiled searches: fours, forced answers, and bounds without search.

All moves of a position are looked at at once, a lane each. A bitboard is that of `rules.py`; the
cells of a column make pairs from the top down.

If the board fills up, one seat places the last stone: here it is the closer, the other the opener.
As long as the opener is to move on columns with an even number of empty cells, the closer can
answer each stone in the same column, and so gets every upper cell that is not playable yet
(claimeven). A playable upper cell is alone in its pair; there is an even number of them, and they
are shared one by one. With a winning cell among the lower ones the roles change: nobody plays below
it, one column ends there, and now the opener is who answers.
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
MOST_COLUMNS = 10


class Board:
    """A board in masks. Each is the same in every lane, so that it meets all moves at once."""

    cells: Annotated[Row[Word], "limbs", "lanes"]
    bottoms: Annotated[Row[Word], "limbs", "lanes"]
    """The lowest cells of all columns."""
    tops: Annotated[Row[Word], "limbs", "lanes"]
    """The unused bits above all columns."""
    lower: Annotated[Row[Word], "limbs", "lanes"]
    upper: Annotated[Row[Word], "limbs", "lanes"]
    """The lower and the upper cell of each pair."""
    first: Annotated[Row[Word], "limbs", "lanes"]
    """The lowest bit."""
    columns: Annotated[Row[Word], MOST_COLUMNS, "limbs", "lanes"]
    """Each column with its unused bit."""
    column: Annotated[Row[Word], "limbs", "lanes"]
    """The cells of one column, another one in each lane: that of the lane's move."""
    central: Annotated[Row[Word], "lanes"]
    """How central the column of each lane is."""
    step: Word
    """The bits from one column to the next."""
    width: Word
    """The number of columns."""


class Position(NamedTuple):
    """A quiet position: the stones of the mover and of its rival, and what would win for him."""

    own: Vector
    rival: Vector
    rival_wins: Vector


class Sides(NamedTuple):
    """What each lane's move leads to: the stones of who made it and of the rival, the empty cells
    that win for each, and all empty cells.
    """

    mine: Vector
    theirs: Vector
    my_wins: Vector
    their_wins: Vector
    empty: Vector


class Roles(NamedTuple):
    """The same, by who places the last stone of a full board."""

    closer: Vector
    opener: Vector
    closer_wins: Vector
    opener_wins: Vector
    empty: Vector
    playable: Vector


Bounds: TypeAlias = tuple[Vector, Vector]
"""The least and the greatest value of each lane."""


@native(inline=True)
def winning_cells(stones: Vector, step: Word) -> Vector:
    """Every cell that makes four with three of *stones*, taken or not."""
    above = (stones << ONE) & (stones << TWO) & (stones << THREE)
    rising, falling = _completing(stones, step + ONE), _completing(stones, step - ONE)
    return above | _completing(stones, step) | rising | falling


@native(inline=True)
def _completing(stones: Vector, step: Word) -> Vector:
    pair = stones & (stones << step)
    after = (pair << step) & ((stones << THREE * step) | (stones >> step))
    before = (pair >> TWO * step) & ((stones << step) | (stones >> THREE * step))
    return after | before


@native(inline=True)
def fours(cells: Vector, step: Word) -> Vector:
    """Where four of *cells* in a row begin: nothing where there is no four."""
    level = _starts(cells, step) | _starts(cells, ONE)
    return level | _starts(cells, step + ONE) | _starts(cells, step - ONE)


@native(inline=True)
def _starts(cells: Vector, step: Word) -> Vector:
    pair = cells & (cells >> step)
    return pair & (pair >> TWO * step)


@native(inline=True)
def in_fours(cells: Vector, step: Word) -> Vector:
    """Those of *cells* that belong to four in a row."""
    level = _members(cells, step) | _members(cells, ONE)
    return level | _members(cells, step + ONE) | _members(cells, step - ONE)


@native(inline=True)
def _members(cells: Vector, step: Word) -> Vector:
    starts = _starts(cells, step)
    pair = starts | (starts << step)
    return pair | (pair << TWO * step)


@native(inline=True)
def half_made(stones: Vector, cells: Vector, step: Word) -> Vector:
    """How many fours of *cells*, columns apart, hold two or more of *stones*."""
    level = counts(_twos(stones, cells, step))
    rising = counts(_twos(stones, cells, step + ONE))
    return level + rising + counts(_twos(stones, cells, step - ONE))


@native(inline=True)
def _twos(stones: Vector, cells: Vector, step: Word) -> Vector:
    both, either = stones & (stones >> step), stones | (stones >> step)
    held = both | (both >> TWO * step) | (either & (either >> TWO * step))
    return _starts(cells, step) & held


@native(inline=True)
def lowest_in_columns(board: Board, cells: Vector) -> Vector:
    """The lowest of *cells* in each column."""
    return cells & (vector(board.tops) - cells)


@native(inline=True)
def upwards(board: Board, cells: Vector) -> Vector:
    """All cells from *cells* to the top, which hold one at most in each column."""
    return (vector(board.tops) - cells) & vector(board.cells)


@native(inline=True)
def mirrored(board: Board, key: Vector) -> Vector:
    """The mirror image of a board with its unused bits: columns change places in pairs."""
    for column in span(board.width >> ONE):
        distance = (board.width - ONE - TWO * column) * board.step
        half = distance >> ONE  # two shifts, because one alone must stay below 64
        differing = (key ^ ((key >> half) >> distance - half)) & vector_at(board.columns, column)
        key = key ^ differing ^ ((differing << half) << distance - half)
    return key


@native(inline=True)
def playable_cells(board: Board, empty: Vector) -> Vector:
    """Where stones land: in each column the lowest empty cell."""
    taken = empty ^ vector(board.cells)
    return (taken + vector(board.bottoms)) & empty


@native(inline=True)
def all_moves(board: Board, position: Position) -> tuple[Word, Vector, Vector, Vector]:
    """The lanes with a safe move, and after it the mover's stones, what wins, the empty cells."""
    own, rival, rival_wins = position
    empty = vector(board.cells) & ~(own | rival)
    safe = playable_cells(board, empty) & ~(rival_wins >> ONE)
    move = safe & vector(board.column)
    empty = empty & ~move
    mine = own | move
    return which(move), mine, winning_cells(mine, board.step) & empty, empty


@native(inline=True)
def judged(
    board: Board, wins: Vector, empty: Vector, among: Word
) -> tuple[Vector, Word, Word, Word]:
    """Of the lanes *among* which a stone has just landed: what is threatened; won lanes; stuck.

    Two threats at once win, and so does one above another; stuck is who can only move below a
    winning cell, or not at all.
    """
    playable = playable_cells(board, empty)
    threat = wins & playable
    double = threat & (threat - vector(board.first))
    threatened = which(threat) & among
    won = which(double | ((threat << ONE) & wins)) & threatened
    stuck = among & ~threatened & ~which(playable & ~(wins >> ONE))
    return threat, threatened, won, stuck


@native(inline=True)
def answered(board: Board, threat: Vector, lanes: Word, sides: Sides) -> Sides:
    """The sides after the one that did not move last has blocked a threat in some *lanes*: he is
    the one that has moved last now.
    """
    block = choose(lanes, threat, threat ^ threat)
    theirs, empty = sides.theirs | block, sides.empty & ~block
    their_wins = winning_cells(theirs, board.step) & empty
    return Sides(theirs, sides.mine, their_wins, sides.my_wins & ~block, empty)


@native(inline=True)
def static_bounds(board: Board, sides: Sides, same: Word, closing: Word) -> Bounds:
    """Bounds of each lane's value for the mover, who is the closer if *closing* names the lanes.

    They hold in quiet positions, proven by ways to answer every move.
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
def soonest_ends(empty: Vector, same: Word) -> Bounds:
    """What a win of either side is worth at most in a quiet position, as bounds for the mover."""
    zero, left = spread(ZERO, empty), counts(empty)
    again = choose(same, spread(ONE, empty), zero)
    high = larger(left + again - spread(TWO, empty), zero) >> ONE
    return zero - (larger(left - again - spread(ONE, empty), zero) >> ONE), high


@native(inline=True)
def last_hopes(board: Board, roles: Roles, known: Bounds) -> Bounds:
    """Who has no four left but through cells that win already must wait until all else is full.

    The rival will not play below such a cell before; two of them on top of each other are another
    matter. Without any such cell, and without another four, there is nothing left to win.
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
    """Nothing where all fours that *stones* may still make go through single winning cells."""
    return fours((stones | empty) & ~wins, step) | (wins & (wins << ONE))


@native(inline=True)
def _kept_empty(board: Board, wins: Vector) -> Vector:
    """The cells that stay empty until someone must play below a winning cell: those and above."""
    return upwards(board, lowest_in_columns(board, wins) >> ONE)


@native(inline=True)
def closer_claims(board: Board, roles: Roles, known: Bounds) -> Bounds:
    """The closer answers every stone: it does not lose if the opener's share of cells has no four.

    It wins if its own share has one. With a winning cell in it that is known to happen when the
    opener runs out of other moves, and nothing above that cell will ever be played.
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
def opener_waits(board: Board, roles: Roles, known: Bounds) -> Bounds:
    """The opener wins by a winning cell among the lower ones if the closer's share has no four."""
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
def _closer_share(board: Board, plan: tuple[Vector, Vector, Vector], empty: Vector) -> Vector:
    """The empty cells that the closer may get while the opener waits for one *cell* of a column."""
    cell, wins, column = plan
    never = upwards(board, wins) & ~wins
    elsewhere = empty & vector(board.lower) & ~column & ~never
    return elsewhere | (empty & vector(board.upper) & column & (cell - vector(board.first)))
