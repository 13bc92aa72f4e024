"""What the searches of game trees work on: a frame for each ply instead of recursion.

A recursive function would need its signature written out for every game, and could not just stop.
All lies on one array of words, the desk: counts, then the frames, then what was found of each move
at the root, what is told of the tree, and the moves of all frames one after the other.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from papan.kernels.native import (
    ONE,
    WORD,
    WORDS,
    ZERO,
    load,
    load_number,
    native,
    store,
    store_number,
    words_at,
)
from papan.kernels.running import NODES

U = np.uint64
INDEX: Any = types.int64
NUMBER = types.float64

FINISHED, GUESSES, FAULTS, TOLD, PRUNED, PROBES, HITS, KEPT = range(8)
"""The counts: moves at the root that are done; scores that rest on the horizon; scores that do not
tell the truth; nodes told; moves pruned; questions to the table, answers, positions in it."""
CONTROLS, HORIZON, FRAME, ROOT, RECORD, TELL, MOST_TOLD, TOLD_PLIES, WIN = range(8, 17)
"""The shared words; how many plies to look ahead; the size of a frame; where the moves at the root
are kept, and in how many words each; where told nodes are kept; how many of them, and of how many
plies; the score of a win at once, less one for each ply until then."""
TABLE, MASK, HISTORY, MOVE_COUNT, LARGEST, ORDERS, REMEMBERS = range(17, 24)
"""For alpha-beta: the table and its last bucket; where it counts cuts, for how many moves; the
largest margin; whether it orders moves, and remembers positions."""
FRAMES = 32

BOARD, PLY, TURN, FIRST, COUNT, NEXT, NODE, BEST = 0, 4, 5, 6, 7, 8, 9, 10
"""A frame: its board, ply and turn; where its moves begin, how many they are, which is next; its
told node; its score so far."""
ALPHA, BETA, KEY, SEEN_GUESSES, HINT, CHOICE, SCOUTS = range(11, 18)
"""What alpha-beta keeps: its window, what the table knows the position by, the guesses when it
began, the move to try first and the best one so far (places among the moves, from 1 on; 0 for
none), and whether the child is searched with a null window."""
KILLERS = 18
"""For each seat the two moves that cut last."""
LINE = 22
"""The best play from here: its length, then the moves."""

SCORE, NODES_SPENT, DOUBTS, REPLY = 0, 1, 2, 3
"""A move at the root: its score, its nodes, how often it rests on something unsure, the play after
it: its length, then the moves."""

UP, MOVE, MINE, STATE, BY_TABLE, VALUE, LOW, HIGH = range(8)
"""A told node: its parent, the move to it, whether the seat at the root is to move, how it ended,
whether the table answered; its score and window."""
TOLD_WORDS = 8
LEAF, FULL, CUT = range(3)


@native(INDEX(WORDS, INDEX), inline=True)
def number_at(words, at):
    """A word as a signed number."""
    return INDEX(load(words, at))


@native(WORD(WORDS, INDEX, WORD), inline=True)
def add(desk, at, more):
    """Add to a count; what it was before."""
    count = load(desk, at)
    store(desk, at, count + more)
    return count


@native(INDEX(WORDS, INDEX), inline=True)
def child_of(desk, frame):
    """The next frame."""
    return frame + number_at(desk, FRAME)


@native(INDEX(WORDS, INDEX), inline=True)
def parent_of(desk, frame):
    """The frame before."""
    return frame - number_at(desk, FRAME)


@native(types.boolean(WORDS, INDEX), inline=True)
def mine(desk, frame):
    """Has the seat at the root the turn?"""
    return load(desk, frame + TURN) == load(desk, FRAMES + TURN)


@native(types.void(WORDS, INDEX, INDEX, INDEX), inline=True)
def copy_line(desk, line, to, moves):
    """Copy a line, and leave room for so many *moves* before it."""
    length = load(desk, line)
    store(desk, to, length + U(moves))
    for at in range(1, INDEX(length) + 1):
        store(desk, to + moves + at, load(desk, line + at))


@native(types.void(WORDS, INDEX, WORD))
def extend(desk, frame, move):
    """The best play from a frame is *move* and what follows it."""
    copy_line(desk, child_of(desk, frame) + LINE, frame + LINE, 1)
    store(desk, frame + LINE + 1, move)


@native(WORD(WORDS), inline=True)
def nodes_so_far(desk):
    """How many nodes have been counted."""
    return load(words_at(load(desk, CONTROLS)), NODES)


@native(types.void(WORDS))
def begin_move(desk):
    """Note where a move at the root begins."""
    at = number_at(desk, ROOT) + number_at(desk, RECORD) * number_at(desk, FINISHED)
    store(desk, at + NODES_SPENT, nodes_so_far(desk))
    store(desk, at + DOUBTS, load(desk, GUESSES) + load(desk, FAULTS))


@native(types.void(WORDS, NUMBER))
def end_move(desk, score):
    """Note what a move at the root came to."""
    at = number_at(desk, ROOT) + number_at(desk, RECORD) * number_at(desk, FINISHED)
    add(desk, FINISHED, ONE)
    store_number(desk, at + SCORE, score)
    store(desk, at + NODES_SPENT, nodes_so_far(desk) - load(desk, at + NODES_SPENT))
    doubts = load(desk, GUESSES) + load(desk, FAULTS)
    store(desk, at + DOUBTS, doubts - load(desk, at + DOUBTS))
    copy_line(desk, child_of(desk, FRAMES) + LINE, at + REPLY, 0)


@native(types.boolean(WORDS, INDEX), inline=True)
def is_told(desk, frame):
    """Is a frame among the plies that are told of?"""
    return number_at(desk, frame + PLY) <= number_at(desk, TOLD_PLIES)


@native(INDEX(WORDS, INDEX), inline=True)
def told_at(desk, frame):
    """Where the node of a frame is told of; 0 where it is not."""
    number = load(desk, frame + NODE)
    if number >= load(desk, MOST_TOLD):
        return 0
    return number_at(desk, TELL) + TOLD_WORDS * INDEX(number)


@native(types.void(WORDS, INDEX, WORD))
def tell_entry(desk, frame, move):
    """Tell of a node as it is entered, while there is room."""
    number = load(desk, TOLD)
    store(desk, frame + NODE, number)
    at = told_at(desk, frame)
    if at:
        store(desk, TOLD, number + ONE)
        up = load(desk, parent_of(desk, frame) + NODE) if frame > FRAMES else ZERO
        store(desk, at + UP, up)
        store(desk, at + MOVE, move)
        store(desk, at + MINE, U(mine(desk, frame)))
        store(desk, at + BY_TABLE, ZERO)


@native(types.void(WORDS, INDEX, NUMBER, INDEX))
def tell_exit(desk, frame, score, state):
    """Tell what a node came to."""
    at = told_at(desk, frame)
    if at:
        store_number(desk, at + VALUE, score)
        store(desk, at + STATE, U(state))


@native(types.void(WORDS, INDEX))
def tell_answer(desk, frame):
    """Tell that the table answered."""
    at = told_at(desk, frame)
    if at:
        store(desk, at + BY_TABLE, ONE)


@native(NUMBER(WORDS, INDEX), inline=True)
def best_of(desk, frame):
    """The score of a frame so far."""
    return load_number(desk, frame + BEST)
