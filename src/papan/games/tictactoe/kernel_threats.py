"""Threat-space search on a Tic Tac Toe board of any size: forced wins, with every answer looked at.

A threat is a line that lacks one mark. `threat_sequence` wins by threats alone, so that the rival
never has a choice (VCF); `threat_search` also makes quiet moves, after which any answer is met.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.control import MOST_NODES, NODES, STOP
from papan.engine.native import (
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
    cell_weight,
    lift,
    open_lines,
    put,
    short_lines,
)

U = np.uint64
NOWHERE = MOST_CELLS

BUDGET = END_OF_FIELD
"""How many nodes the proof at hand may still take."""
LINE = BUDGET + ONE
"""The cells of the play found last, by the number of marks on the board before each."""
FAILED, FAILURES = LINE + MOST_CELLS + TWO, U(1 << 12)
"""Positions without a chain: their hash, and how long a chain was looked for."""
CHOICES, MOST_CHOICES = FAILED + FAILURES, MOST_CELLS + ONE
"""For each number of marks a list of moves: how many, then each with its value above bit 8."""
END_OF_THREATS = CHOICES + MOST_CHOICES * (MOST_CELLS + TWO)

LOOK_EVERY, LENGTH = U(1023), U(63)
LONGEST_SEQUENCE = U(20)
"""Threats in a chain at most."""
TRIED = U(8)
"""Quiet moves that a threat search tries in a position."""


@native(WORD(WORDS))
def spend(workspace):
    """Count a node; not 0 if there are no more to be spent."""
    words = words_at(load(workspace, SHARED))
    nodes = load(words, NODES)
    if nodes >= load(words, MOST_NODES):
        return ONE
    store_shared(words, NODES, nodes + ONE)
    return ZERO if nodes & LOOK_EVERY else load_shared(words, STOP)


@native(WORD(WORDS))
def exhaust_budget(workspace):
    """Count a node of a proof; not 0 if it has taken too many."""
    budget = load(workspace, BUDGET)
    if budget == ZERO or spend(workspace):
        return ONE
    store(workspace, BUDGET, budget - ONE)
    return ZERO


@native(WORD(WORD, WORDS))
def winning_cell(side, workspace):
    """A cell that fills a line of a side, or NOWHERE."""
    if open_lines(side, load(workspace, CONNECT) - ONE, workspace):
        for cell in range(load(workspace, SIZE)):
            if short_lines(side, cell, ONE_SHORT, workspace):
                return cell
    return NOWHERE


@native(WORD(WORD, WORDS))
def gap(line, workspace):
    """The empty cell of a line that has only one."""
    cell, step = load(workspace, START + line), load(workspace, STEP + line)
    while load(workspace, TAKEN + cell):
        cell += step
    return cell


@native(types.UniTuple(WORD, 2)(WORD, WORD, WORDS))
def threats_of(side, cell, workspace):
    """Two cells where the mark just put on *cell* threatens to win; NOWHERE if there are fewer."""
    first = second = NOWHERE
    almost = (load(workspace, CONNECT) - ONE) << EIGHT * side
    lines = THROUGH + cell * MOST_THROUGH
    for at in range(lines + ONE, lines + ONE + load(workspace, lines)):
        line = load(workspace, at)
        if load(workspace, TALLY + line) == almost:
            found = gap(line, workspace)
            if first == NOWHERE:
                first = found
            elif found != first:
                second = found
    return first, second


@native(types.void(WORD, WORD, WORDS))
def write(cell, answer, workspace):
    """Write down a move and the answer to it as the play from here on."""
    at = LINE + load(workspace, MARKS)
    store(workspace, at, cell)
    store(workspace, at + ONE, answer)


@native(WORD(WORD, WORD, WORDS))
def threat_sequence(side, length, workspace):
    """How many marks are on the board when the side to move has won by at most *length* threats,
    each to be met at once; 0 if it cannot.
    """
    if exhaust_budget(workspace):
        return ZERO
    win, must_block = winning_cell(side, workspace), winning_cell(ONE - side, workspace)
    if win != NOWHERE:
        write(win, NOWHERE, workspace)
        return load(workspace, MARKS) + ONE
    failure = load(workspace, HASH) & ~LENGTH ^ side << U(63)
    known = load(workspace, FAILED + load(workspace, HASH) % FAILURES)
    if length == ZERO or (known & ~LENGTH == failure and known & LENGTH >= length):
        return ZERO
    for cell in range(load(workspace, SIZE)):
        if short_lines(side, cell, TWO_SHORT, workspace) and (
            must_block == NOWHERE or cell == must_block
        ):
            put(side, cell, workspace)
            answer, other = threats_of(side, cell, workspace)
            end = ZERO
            if answer == NOWHERE or winning_cell(ONE - side, workspace) != NOWHERE:
                pass  # the rival need not answer
            elif other != NOWHERE:
                end = load(workspace, MARKS) + TWO
                store(workspace, LINE + end - ONE, other)
            else:
                put(ONE - side, answer, workspace)
                end = threat_sequence(side, length - ONE, workspace)
                lift(ONE - side, answer, workspace)
            lift(side, cell, workspace)
            if end:
                write(cell, answer, workspace)
                return end
    if load(workspace, BUDGET):
        store(workspace, FAILED + load(workspace, HASH) % FAILURES, failure | length)
    return ZERO


@native(types.void(WORD, WORD, WORD, WORDS))
def list_move(cell, value, room, workspace):
    """Put a move in its place on the list of the best ones, which has *room* for so many."""
    top = CHOICES + load(workspace, MARKS) * MOST_CHOICES
    count = load(workspace, top)
    if count < room:
        store(workspace, top, count + ONE)
    elif load(workspace, top + count) >> EIGHT >= value:
        return
    else:
        count -= ONE
    place = top + ONE + count
    while place > top + ONE and load(workspace, place - ONE) >> EIGHT < value:
        store(workspace, place, load(workspace, place - ONE))
        place -= ONE
    store(workspace, place, value << EIGHT | cell)


@native(types.void(WORD, WORD, WORD, WORDS))
def list_threats(side, to_move, must_block, workspace):
    """List what matters while *side* attacks: its own next moves, or all answers of its rival.

    A cell where a line must be stopped is *forced*, and all there is.
    """
    store(workspace, CHOICES + load(workspace, MARKS) * MOST_CHOICES, ZERO)
    if must_block != NOWHERE:
        list_move(must_block, ONE, ONE, workspace)
        return
    for cell in range(load(workspace, SIZE)):
        if to_move != side and not load(workspace, TAKEN + cell):
            list_move(cell, cell_weight(side, cell, workspace), MOST_CELLS, workspace)
        elif short_lines(side, cell, THREE_SHORT, workspace) or short_lines(
            side, cell, TWO_SHORT, workspace
        ):
            list_move(cell, cell_weight(side, cell, workspace) & SMOOTH, TRIED, workspace)


@native(WORD(WORD, WORD, WORD, WORDS))
def threat_search(side, to_move, depth, workspace):
    """1 if *side* surely wins with at most *depth* quiet moves, each of which threatens a chain."""
    if exhaust_budget(workspace):
        return ZERO
    if to_move != side and winning_cell(to_move, workspace) != NOWHERE:
        return ZERO
    must_block = winning_cell(ONE - to_move, workspace)
    if must_block == NOWHERE or to_move == side:
        threatens = threat_sequence(side, LONGEST_SEQUENCE, workspace) != ZERO
        if threatens == (to_move == side) or (to_move == side and depth == ZERO):
            return ONE if threatens else ZERO
    list_threats(side, to_move, must_block, workspace)
    top = CHOICES + load(workspace, MARKS) * MOST_CHOICES
    for at in range(top + ONE, top + ONE + load(workspace, top)):
        cell = load(workspace, at) & BYTE
        put(to_move, cell, workspace)
        won = threat_search(
            side, ONE - to_move, depth - ONE if to_move == side else depth, workspace
        )
        lift(to_move, cell, workspace)
        if (won != ZERO) == (to_move == side):
            store(workspace, LINE + load(workspace, MARKS), cell)
            return won
    return ZERO if to_move == side else ONE


@native(WORD(WORD, WORD, WORDS))
def refuted(side, depth, workspace):
    """1 if every move of the rival of *side*, who is to move, surely loses to `threat_search`."""
    rival = ONE - side
    if winning_cell(rival, workspace) != NOWHERE:
        return ZERO
    list_threats(side, rival, winning_cell(side, workspace), workspace)
    top = CHOICES + load(workspace, MARKS) * MOST_CHOICES
    for at in range(top + ONE, top + ONE + load(workspace, top)):
        cell = load(workspace, at) & BYTE
        put(rival, cell, workspace)
        won = threat_search(side, side, depth, workspace)
        lift(rival, cell, workspace)
        if won == ZERO:
            return ZERO
    return ONE
