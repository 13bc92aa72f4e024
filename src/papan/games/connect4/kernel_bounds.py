"""Bounds of the value of quiet positions without search, proven by ways to answer every move.

If the board fills up, one seat places the last stone: here it is the closer, the other the opener.
As long as the opener is to move on columns with an even number of empty cells, the closer can
answer each stone in the same column, and so gets every upper cell that is not playable yet. (A
playable upper cell is alone in its pair; there is an even number of them, and they are shared one
by one.) With a winning cell among the lower ones the roles change: nobody plays below it, one
column ends there, and now the opener is who answers.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from papan.engine.native import ONE, TWO, ZERO, load, native
from papan.engine.simd import choose, counts, lanes_at, larger, smaller, spread, which
from papan.games.connect4.kernel_layout import FIRST, LOWER, STEP, UPPER, WHOLE, WIDTH
from papan.games.connect4.kernel_moves import fours, lowest_in_columns, playable_cells, upwards


@native(inline=True)
def static_bounds(board, words, sides, same, closing):
    """Bounds of each lane's value for the mover, who is the closer if *closing* names the lanes."""
    mine, theirs, mine_wins, their_wins, empty = sides
    closer, opener = choose(closing, mine, theirs), choose(closing, theirs, mine)
    closer_wins = choose(closing, mine_wins, their_wins)
    opener_wins = choose(closing, their_wins, mine_wins)
    view = (closer, opener, closer_wins, opener_wins, empty, playable_cells(board, empty))
    zero = spread(ZERO, empty)
    low, high = soonest_ends(empty, same)
    known = choose(closing, low, zero - high), choose(closing, high, zero - low)
    known = last_hopes(board, words, view, known)
    known = closer_claims(board, words, view, known)
    known = opener_waits(board, words, view, known)
    return choose(closing, known[0], zero - known[1]), choose(closing, known[1], zero - known[0])


@native(inline=True)
def soonest_ends(empty, same):
    """What a win of either side is worth at most in a quiet position, as bounds for the mover."""
    zero, left = spread(ZERO, empty), counts(empty)
    again = choose(same, spread(ONE, empty), zero)
    high = larger(left + again - spread(TWO, empty), zero) >> ONE
    return zero - (larger(left - again - spread(ONE, empty), zero) >> ONE), high


@native(inline=True)
def last_hopes(board, words, view, known):
    """Who has no four left but through cells that win already must wait until all else is full.

    The rival will not play below such a cell before; two of them on top of each other are another
    matter. Without any such cell, and without another four, there is nothing left to win.
    """
    closer, opener, closer_wins, opener_wins, empty, _ = view
    low, high = known
    step, zero = load(words, STEP), spread(ZERO, empty)
    bound = counts(_kept_empty(board, closer_wins)) >> ONE
    hopeless = ~which(_other_hopes(closer, closer_wins, empty, step))
    high = choose(hopeless, smaller(high, bound), high)
    bound = larger(counts(_kept_empty(board, opener_wins)) - spread(ONE, empty), zero) >> ONE
    hopeless = ~which(_other_hopes(opener, opener_wins, empty, step))
    return choose(hopeless, larger(low, zero - bound), low), high


@native(inline=True)
def _other_hopes(stones, wins, empty, step):
    """Nothing where all fours that *stones* may still make go through single winning cells."""
    return fours((stones | empty) & ~wins, step) | (wins & (wins << ONE))


@native(inline=True)
def _kept_empty(board, wins):
    """The cells that stay empty until someone must play below a winning cell: those and above."""
    return upwards(board, lowest_in_columns(board, wins) >> ONE)


@native(inline=True)
def closer_claims(board, words, view, known):
    """The closer answers every stone: it does not lose if the opener's share of cells has no four.

    It wins if its own share has one. With a winning cell in it that is known to happen when the
    opener runs out of other moves, and nothing above that cell will ever be played.
    """
    closer, opener, closer_wins, _, empty, playable = view
    low, high = known
    step = load(words, STEP)
    claimed = empty & lanes_at(board, UPPER) & ~playable
    wins = lowest_in_columns(board, closer_wins & claimed)
    never = upwards(board, wins) & ~wins
    share = (opener | (empty & lanes_at(board, LOWER)) | playable) & ~never
    safe = ~which(fours(share, step))
    one, zero = spread(ONE, empty), spread(ZERO, empty)
    sure = choose(which(fours(closer | claimed, step)), one, zero)
    margin = larger(counts(upwards(board, wins >> ONE)) >> ONE, sure)
    return choose(safe, larger(low, margin), low), high


@native(inline=True)
def opener_waits(board, words, view, known):
    """The opener wins by a winning cell among the lower ones if the closer's share has no four."""
    closer, _, _, opener_wins, empty, playable = view
    low, high = known
    waiting = opener_wins & lanes_at(board, LOWER)
    if which(waiting) != ZERO:
        claimed = lowest_in_columns(board, opener_wins & lanes_at(board, UPPER))
        for column in range(load(words, WIDTH)):
            whole = lanes_at(board, WHOLE + column)
            cell = lowest_in_columns(board, waiting & whole)
            if which(cell) != ZERO:
                wins = claimed & ~whole
                share = _closer_share(board, (cell, wins, whole), empty) | closer | playable
                safe = which(cell) & ~which(fours(share, load(words, STEP)))
                margin = counts(upwards(board, (wins | cell) >> ONE)) >> ONE
                high = choose(safe, smaller(high, spread(ZERO, empty) - margin), high)
    return low, high


@native(inline=True)
def _closer_share(board, plan, empty):
    """The empty cells that the closer may get while the opener waits for one *cell* of a column."""
    cell, wins, whole = plan
    never = upwards(board, wins) & ~wins
    elsewhere = empty & lanes_at(board, LOWER) & ~whole & ~never
    return elsewhere | (empty & lanes_at(board, UPPER) & whole & (cell - lanes_at(board, FIRST)))
