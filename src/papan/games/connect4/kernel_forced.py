"""All moves of a position at once, each played on while the answers are forced."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from papan.engine.native import ONE, ZERO, load, lowest, native, store
from papan.engine.simd import choose, lanes_at, which
from papan.games.connect4.kernel_cells import winning_cells
from papan.games.connect4.kernel_layout import BOTTOMS, CELLS, COLUMNS, FIRST, MOVE, STEP

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
