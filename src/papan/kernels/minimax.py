"""Plain minimax for every game: all lines of play, each node counted.

The twin of `papan.agents.minimax.plain`, node by node. Scores are those of the seat at the root.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.kernels.board import board_at, evaluate, keep, legal, margin, over, play, turn
from papan.kernels.budget import spend
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
from papan.kernels.running import GOES_ON
from papan.kernels.stack import (
    BEST,
    BOARD,
    CONTROLS,
    COUNT,
    FAULTS,
    FIRST,
    FRAMES,
    FULL,
    GUESSES,
    HORIZON,
    INDEX,
    LEAF,
    LINE,
    NEXT,
    NUMBER,
    PLY,
    TURN,
    WIN,
    U,
    add,
    begin_move,
    best_of,
    child_of,
    end_move,
    extend,
    is_told,
    mine,
    number_at,
    parent_of,
    tell_entry,
    tell_exit,
)


@native(types.void(WORDS, INDEX, WORD, INDEX))
def arrive(desk, frame, move, side):
    """Make a frame ready for the position after *move*."""
    store(desk, frame + TURN, U(side))
    store(desk, frame + LINE, ZERO)
    if is_told(desk, frame):
        tell_entry(desk, frame, move)


@native(NUMBER(WORDS, INDEX, NUMBER))
def final(desk, frame, result):
    """The score of a finished game: its margin, or where wins have a score, that one."""
    ply, win = float(load(desk, frame + PLY)), load_number(desk, WIN)
    if win == 0.0 or result == 0.0:
        return result
    if ply >= win or abs(result) != 1.0:
        add(desk, FAULTS, ONE)
    return win - ply if result > 0.0 else ply - win


@native(types.void(WORDS, INDEX, INDEX))
def open_frame(desk, frame, count):
    """Make a frame ready to go through its moves."""
    store(desk, frame + COUNT, U(count))
    store(desk, frame + NEXT, ZERO)
    store(desk, child_of(desk, frame) + FIRST, load(desk, frame + FIRST) + U(count))
    store_number(desk, frame + BEST, -np.inf if mine(desk, frame) else np.inf)


@native(WORD(WORDS, INDEX))
def next_move(desk, frame):
    """The next move of a frame."""
    if frame == FRAMES:
        begin_move(desk)
    following = add(desk, frame + NEXT, ONE)
    return load(desk, number_at(desk, frame + FIRST) + INDEX(following))


@native(types.boolean(WORDS, INDEX, NUMBER))
def take(desk, frame, score):
    """Hand the score of the last child to its parent; has that more moves?"""
    if frame == FRAMES:
        end_move(desk, score)
    best, following = best_of(desk, frame), load(desk, frame + NEXT)
    if score > best if mine(desk, frame) else score < best:
        store_number(desk, frame + BEST, score)
        extend(desk, frame, load(desk, number_at(desk, frame + FIRST) + INDEX(following) - 1))
    return following < load(desk, frame + COUNT)


@native(INDEX(WORDS, INDEX))
def climb(desk, frame):
    """From a frame that is done up to the next one with more moves; 0 where there is none."""
    while True:
        score = best_of(desk, frame)
        if is_told(desk, frame):
            tell_exit(desk, frame, score, FULL if load(desk, frame + LINE) else LEAF)
        if frame == FRAMES:
            return 0
        frame = parent_of(desk, frame)
        if take(desk, frame, score):
            return frame


@native()
def enter(rules, board, desk, frame):
    """Score a position that is a leaf, or list its moves; are there any?"""
    seat = number_at(desk, FRAMES + TURN)
    if over(rules, board):
        score = final(desk, frame, margin(rules, board, seat))
        store_number(desk, frame + BEST, score)
        return False
    if load(desk, frame + PLY) == load(desk, HORIZON):
        add(desk, GUESSES, ONE)
        store_number(desk, frame + BEST, evaluate(rules, board, seat))
        return False
    keep(desk, frame + BOARD, board)
    open_frame(desk, frame, legal(rules, board, desk, number_at(desk, frame + FIRST)))
    return True


@native()
def look(rules, board, words):
    """Score every move at the root of a desk; how the search stands then."""
    desk = words_at(words.ctypes.data)
    controls, frame, move = words_at(load(desk, CONTROLS)), FRAMES, ZERO
    while True:
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        arrive(desk, frame, move, turn(rules, board))
        if not enter(rules, board, desk, frame):
            frame = climb(desk, frame)
            if frame == 0:
                return GOES_ON
        move = next_move(desk, frame)
        board = play(rules, board_at(desk, frame + BOARD), INDEX(move))
        frame = child_of(desk, frame)
