"""Forced wins on a Tic Tac Toe board of any size, proven: every answer of the rival is looked at.

A threat is a line that wants one more mark. A chain wins by threats alone, so that the rival never
has a choice; a siege also makes quiet moves, after which any answer is met.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from papan.games.tictactoe.kernel_field import (
    BYTE,
    CONNECT,
    EIGHT,
    END_OF_FIELD,
    HASH,
    MARKS,
    MOST_CELLS,
    MOST_THROUGH,
    ONE_SHORT,
    SHARED,
    SIZE,
    SMOOTH,
    START,
    STEP,
    TAKEN,
    TALLY,
    THREE_SHORT,
    THROUGH,
    TWO_SHORT,
    lift,
    open_lines,
    put,
    short_lines,
    worth,
)
from papan.kernels.native import (
    ONE,
    TWO,
    WORD,
    WORDS,
    ZERO,
    load,
    load_shared,
    native,
    store,
    store_shared,
    words_at,
)
from papan.kernels.running import MOST_NODES, NODES, STOP

U = np.uint64
NOWHERE = MOST_CELLS

PATIENCE = END_OF_FIELD
"""How many nodes the proof at hand may still take."""
LINE = PATIENCE + ONE
"""The cells of the play found last, by the number of marks on the board before each."""
FAILED, FAILURES = LINE + MOST_CELLS + TWO, U(1 << 12)
"""Positions without a chain: their hash, and how long a chain was looked for."""
CHOICES, MOST_CHOICES = FAILED + FAILURES, MOST_CELLS + ONE
"""For each number of marks a list of moves: how many, then each with its value above bit 8."""
END_OF_THREATS = CHOICES + MOST_CHOICES * (MOST_CELLS + TWO)

LOOK_EVERY, LENGTH = U(1023), U(63)
CHAIN = U(20)
"""Threats in a chain at most."""
TRIED = U(8)
"""Quiet moves that a siege tries in a position."""


@native(WORD(WORDS))
def spend(desk):
    """Count a node; not 0 if there are no more to be spent."""
    words = words_at(load(desk, SHARED))
    nodes = load(words, NODES)
    if nodes >= load(words, MOST_NODES):
        return ONE
    store_shared(words, NODES, nodes + ONE)
    return ZERO if nodes & LOOK_EVERY else load_shared(words, STOP)


@native(WORD(WORDS))
def lose_patience(desk):
    """Count a node of a proof; not 0 if it has taken too many."""
    patience = load(desk, PATIENCE)
    if patience == ZERO or spend(desk):
        return ONE
    store(desk, PATIENCE, patience - ONE)
    return ZERO


@native(WORD(WORD, WORDS))
def winning_cell(side, desk):
    """A cell that fills a line of a side, or NOWHERE."""
    if open_lines(side, load(desk, CONNECT) - ONE, desk):
        for cell in range(load(desk, SIZE)):
            if short_lines(side, cell, ONE_SHORT, desk):
                return cell
    return NOWHERE


@native(WORD(WORD, WORDS))
def gap(line, desk):
    """The empty cell of a line that has only one."""
    cell, step = load(desk, START + line), load(desk, STEP + line)
    while load(desk, TAKEN + cell):
        cell += step
    return cell


@native(types.UniTuple(WORD, 2)(WORD, WORD, WORDS))
def threats_of(side, cell, desk):
    """Two cells where the mark just put on *cell* threatens to win; NOWHERE if there are fewer."""
    first = second = NOWHERE
    almost = (load(desk, CONNECT) - ONE) << EIGHT * side
    lines = THROUGH + cell * MOST_THROUGH
    for at in range(lines + ONE, lines + ONE + load(desk, lines)):
        line = load(desk, at)
        if load(desk, TALLY + line) == almost:
            found = gap(line, desk)
            if first == NOWHERE:
                first = found
            elif found != first:
                second = found
    return first, second


@native(types.void(WORD, WORD, WORDS))
def write(cell, answer, desk):
    """Write down a move and the answer to it as the play from here on."""
    at = LINE + load(desk, MARKS)
    store(desk, at, cell)
    store(desk, at + ONE, answer)


@native(WORD(WORD, WORD, WORDS))
def chain(side, length, desk):
    """How many marks are on the board when the side to move has won by at most *length* threats,
    each to be met at once; 0 if it cannot.
    """
    if lose_patience(desk):
        return ZERO
    win, forced = winning_cell(side, desk), winning_cell(ONE - side, desk)
    if win != NOWHERE:
        write(win, NOWHERE, desk)
        return load(desk, MARKS) + ONE
    failure = load(desk, HASH) & ~LENGTH ^ side << U(63)
    known = load(desk, FAILED + load(desk, HASH) % FAILURES)
    if length == ZERO or (known & ~LENGTH == failure and known & LENGTH >= length):
        return ZERO
    for cell in range(load(desk, SIZE)):
        if short_lines(side, cell, TWO_SHORT, desk) and (forced == NOWHERE or cell == forced):
            put(side, cell, desk)
            answer, other = threats_of(side, cell, desk)
            end = ZERO
            if answer == NOWHERE or winning_cell(ONE - side, desk) != NOWHERE:
                pass  # the rival need not answer
            elif other != NOWHERE:
                end = load(desk, MARKS) + TWO
                store(desk, LINE + end - ONE, other)
            else:
                put(ONE - side, answer, desk)
                end = chain(side, length - ONE, desk)
                lift(ONE - side, answer, desk)
            lift(side, cell, desk)
            if end:
                write(cell, answer, desk)
                return end
    if load(desk, PATIENCE):
        store(desk, FAILED + load(desk, HASH) % FAILURES, failure | length)
    return ZERO


@native(types.void(WORD, WORD, WORD, WORDS))
def list_move(cell, value, room, desk):
    """Put a move in its place on the list of the best ones, which has *room* for so many."""
    top = CHOICES + load(desk, MARKS) * MOST_CHOICES
    count = load(desk, top)
    if count < room:
        store(desk, top, count + ONE)
    elif load(desk, top + count) >> EIGHT >= value:
        return
    else:
        count -= ONE
    place = top + ONE + count
    while place > top + ONE and load(desk, place - ONE) >> EIGHT < value:
        store(desk, place, load(desk, place - ONE))
        place -= ONE
    store(desk, place, value << EIGHT | cell)


@native(types.void(WORD, WORD, WORD, WORDS))
def list_forced(side, to_move, forced, desk):
    """List what matters while *side* attacks: its own next moves, or all answers of its rival.

    A cell where a line must be stopped is *forced*, and all there is.
    """
    store(desk, CHOICES + load(desk, MARKS) * MOST_CHOICES, ZERO)
    if forced != NOWHERE:
        list_move(forced, ONE, ONE, desk)
        return
    for cell in range(load(desk, SIZE)):
        if to_move != side and not load(desk, TAKEN + cell):
            list_move(cell, worth(side, cell, desk), MOST_CELLS, desk)
        elif short_lines(side, cell, THREE_SHORT, desk) or short_lines(side, cell, TWO_SHORT, desk):
            list_move(cell, worth(side, cell, desk) & SMOOTH, TRIED, desk)


@native(WORD(WORD, WORD, WORD, WORDS))
def siege(side, to_move, depth, desk):
    """1 if *side* surely wins with at most *depth* quiet moves, each of which threatens a chain."""
    if lose_patience(desk):
        return ZERO
    if to_move != side and winning_cell(to_move, desk) != NOWHERE:
        return ZERO
    forced = winning_cell(ONE - to_move, desk)
    if forced == NOWHERE or to_move == side:
        threatens = chain(side, CHAIN, desk) != ZERO
        if threatens == (to_move == side) or (to_move == side and depth == ZERO):
            return ONE if threatens else ZERO
    list_forced(side, to_move, forced, desk)
    top = CHOICES + load(desk, MARKS) * MOST_CHOICES
    for at in range(top + ONE, top + ONE + load(desk, top)):
        cell = load(desk, at) & BYTE
        put(to_move, cell, desk)
        won = siege(side, ONE - to_move, depth - ONE if to_move == side else depth, desk)
        lift(to_move, cell, desk)
        if (won != ZERO) == (to_move == side):
            store(desk, LINE + load(desk, MARKS), cell)
            return won
    return ZERO if to_move == side else ONE


@native(WORD(WORD, WORD, WORDS))
def refuted(side, depth, desk):
    """1 if every move of the rival of *side*, whose turn it is, surely loses to a `siege`."""
    rival = ONE - side
    if winning_cell(rival, desk) != NOWHERE:
        return ZERO
    list_forced(side, rival, winning_cell(side, desk), desk)
    top = CHOICES + load(desk, MARKS) * MOST_CHOICES
    for at in range(top + ONE, top + ONE + load(desk, top)):
        cell = load(desk, at) & BYTE
        put(rival, cell, desk)
        won = siege(side, side, depth, desk)
        lift(rival, cell, desk)
        if won == ZERO:
            return ZERO
    return ONE
