"""All moves of a position at once, a lane each: where four can be, what wins, what is forced."""

# mypy: disable-error-code="no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, load, lowest, native, store
from papan.engine.simd import choose, counts, lanes_at, which
from papan.games.connect4.kernel_layout import (
    BOTTOMS,
    CELLS,
    COLUMNS,
    FIRST,
    MOVE,
    STEP,
    TOPS,
    WHOLE,
    WIDTH,
)

THREE = np.uint64(3)


@native(inline=True)
def winning_cells(stones, step):
    """Every cell that makes four with three of *stones*, taken or not."""
    above = (stones << ONE) & (stones << TWO) & (stones << THREE)
    rising, falling = _completing(stones, step + ONE), _completing(stones, step - ONE)
    return above | _completing(stones, step) | rising | falling


@native(inline=True)
def _completing(stones, step):
    pair = stones & (stones << step)
    after = (pair << step) & ((stones << THREE * step) | (stones >> step))
    before = (pair >> TWO * step) & ((stones << step) | (stones >> THREE * step))
    return after | before


@native(inline=True)
def fours(cells, step):
    """Where four of *cells* in a row begin: nothing where there is no four."""
    level = _starts(cells, step) | _starts(cells, ONE)
    return level | _starts(cells, step + ONE) | _starts(cells, step - ONE)


@native(inline=True)
def _starts(cells, step):
    pair = cells & (cells >> step)
    return pair & (pair >> TWO * step)


@native(inline=True)
def in_fours(cells, step):
    """Those of *cells* that belong to four in a row."""
    level = _members(cells, step) | _members(cells, ONE)
    return level | _members(cells, step + ONE) | _members(cells, step - ONE)


@native(inline=True)
def _members(cells, step):
    starts = _starts(cells, step)
    pair = starts | (starts << step)
    return pair | (pair << TWO * step)


@native(inline=True)
def half_made(stones, cells, step):
    """How many fours of *cells*, columns apart, hold two or more of *stones*."""
    level = counts(_twos(stones, cells, step))
    rising = counts(_twos(stones, cells, step + ONE))
    return level + rising + counts(_twos(stones, cells, step - ONE))


@native(inline=True)
def _twos(stones, cells, step):
    both, either = stones & (stones >> step), stones | (stones >> step)
    held = both | (both >> TWO * step) | (either & (either >> TWO * step))
    return _starts(cells, step) & held


@native(inline=True)
def lowest_in_columns(board, cells):
    """The lowest of *cells* in each column."""
    return cells & (lanes_at(board, TOPS) - cells)


@native(inline=True)
def upwards(board, cells):
    """All cells from *cells* to the top, which hold one at most in each column."""
    return (lanes_at(board, TOPS) - cells) & lanes_at(board, CELLS)


@native(inline=True)
def mirrored(board, words, key):
    """The mirror image of a board with its unused bits: columns change places in pairs."""
    step, width = load(words, STEP), load(words, WIDTH)
    for column in range(width >> ONE):
        distance = (width - ONE - TWO * np.uint64(column)) * step
        half = distance >> ONE  # two shifts, because one alone must stay below 64
        differing = (key ^ ((key >> half) >> distance - half)) & lanes_at(board, WHOLE + column)
        key = key ^ differing ^ ((differing << half) << distance - half)
    return key


NO_VALUE = -100
"""Below every value."""


@native(inline=True)
def playable_cells(board, empty):
    """Where stones land: in each column the lowest empty cell."""
    taken = empty ^ lanes_at(board, CELLS)
    return (taken + lanes_at(board, BOTTOMS)) & empty


@native(inline=True)
def all_moves(board, words, own, rival, rival_wins):
    """Each safe move of *own* in a lane: stones, winning cells and empty cells after it."""
    empty = lanes_at(board, CELLS) & ~(own | rival)
    safe = playable_cells(board, empty) & ~(rival_wins >> ONE)
    move = safe & lanes_at(board, COLUMNS)
    empty = empty & ~move
    mine = own | move
    mine_wins = winning_cells(mine, load(words, STEP)) & empty
    return which(move), mine, mine_wins, empty


@native(inline=True)
def judged(board, wins, empty, among):
    """Of the lanes *among* which a stone has just landed: what is threatened; won lanes; stuck.

    Two threats at once win, and so does one above another; stuck is who can only move below a
    winning cell, or not at all.
    """
    playable = playable_cells(board, empty)
    threat = wins & playable
    double = threat & (threat - lanes_at(board, FIRST))
    threatened = which(threat) & among
    won = which(double | ((threat << ONE) & wins)) & threatened
    stuck = among & ~threatened & ~which(playable & ~(wins >> ONE))
    return threat, threatened, won, stuck


@native(inline=True)
def answered(words, threat, lanes, sides):
    """The sides after the one that did not move last has blocked a threat in some *lanes*."""
    last, other, last_wins, empty = sides
    block = choose(lanes, threat, threat ^ threat)
    other, empty = other | block, empty & ~block
    other_wins = winning_cells(other, load(words, STEP)) & empty
    return other, last, other_wins, last_wins & ~block, empty


@native(inline=True)
def played_out(board, words, sides, left, beta):
    """Every safe move and what it forces, until nothing is: the best value decided on the way.

    After it the lanes still undecided (none when *beta* is reached or out of reach), those in which
    the mover moves again, and the sides: stones and winning cells of the mover, then of the rival.
    """
    own, rival, rival_wins = sides
    active, last, last_wins, empty = all_moves(board, words, own, rival, rival_wins)
    other, other_wins = rival, rival_wins
    live, same, best = active, ZERO, NO_VALUE
    now, sign = left - 1, 1
    while active != ZERO:
        threat, threatened, won, stuck = judged(board, last_wins, empty, active)
        if now == 0:
            best = max(best, 0)
            live &= ~stuck
        else:
            won |= stuck
        if won != ZERO:
            best = max(best, sign * (now >> 1))
            live &= ~won
        if best >= beta:
            store(words, MOVE, lowest(won | stuck))
        elif now == left - 1 and max(left - 3, 0) >> 1 < beta:
            best, live = max(left - 3, 0) >> 1, ZERO
        active = threatened & live
        if best >= beta or active == ZERO:
            break
        same ^= active
        state = (last, other, last_wins, empty)
        last, other, last_wins, other_wins, empty = answered(words, threat, active, state)
        now, sign = now - 1, -sign
    if best >= beta:
        live = ZERO
    if sign < 0:
        last, other, last_wins, other_wins = other, last, other_wins, last_wins
    return best, live, same, (last, other, last_wins, other_wins, empty)
