"""Bit tricks on all boards of a position's moves at once: where four can be, and what wins."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, load, native
from papan.engine.simd import counts, lanes_at
from papan.games.connect4.kernel_layout import CELLS, STEP, TOPS, WHOLE, WIDTH

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
