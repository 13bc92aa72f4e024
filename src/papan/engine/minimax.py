"""Plain minimax for every game: all lines of play, each node counted.

The twin of `papan.agents.minimax.plain`, node by node. Scores are those of the seat at the root.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.board import board_at, evaluate, keep, legal, margin, over, play, turn
from papan.engine.control import GOES_ON, spend
from papan.engine.native import (
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
from papan.engine.workspace import (
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
    emit_entry,
    emit_exit,
    end_move,
    extend,
    is_emitted,
    mine,
    number_at,
    parent_of,
)


@native(types.void(WORDS, INDEX, WORD, INDEX))
def arrive(workspace, frame, move, side):
    """Make a frame ready for the position after *move*."""
    store(workspace, frame + TURN, U(side))
    store(workspace, frame + LINE, ZERO)
    if is_emitted(workspace, frame):
        emit_entry(workspace, frame, move)


@native(NUMBER(WORDS, INDEX, NUMBER))
def final(workspace, frame, result):
    """The score of a finished game: its margin, or where wins have a score, that one."""
    ply, win = float(load(workspace, frame + PLY)), load_number(workspace, WIN)
    if win == 0.0 or result == 0.0:
        return result
    if ply >= win or abs(result) != 1.0:
        add(workspace, FAULTS, ONE)
    return win - ply if result > 0.0 else ply - win


@native(types.void(WORDS, INDEX, INDEX))
def open_frame(workspace, frame, count):
    """Make a frame ready to go through its moves."""
    store(workspace, frame + COUNT, U(count))
    store(workspace, frame + NEXT, ZERO)
    store(workspace, child_of(workspace, frame) + FIRST, load(workspace, frame + FIRST) + U(count))
    store_number(workspace, frame + BEST, -np.inf if mine(workspace, frame) else np.inf)


@native(WORD(WORDS, INDEX))
def next_move(workspace, frame):
    """The next move of a frame."""
    if frame == FRAMES:
        begin_move(workspace)
    following = add(workspace, frame + NEXT, ONE)
    return load(workspace, number_at(workspace, frame + FIRST) + INDEX(following))


@native(types.boolean(WORDS, INDEX, NUMBER))
def take(workspace, frame, score):
    """Hand the score of the last child to its parent; has that more moves?"""
    if frame == FRAMES:
        end_move(workspace, score)
    best, following = best_of(workspace, frame), load(workspace, frame + NEXT)
    if score > best if mine(workspace, frame) else score < best:
        store_number(workspace, frame + BEST, score)
        extend(
            workspace,
            frame,
            load(workspace, number_at(workspace, frame + FIRST) + INDEX(following) - 1),
        )
    return following < load(workspace, frame + COUNT)


@native(INDEX(WORDS, INDEX))
def climb(workspace, frame):
    """From a frame that is done up to the next one with more moves; 0 where there is none."""
    while True:
        score = best_of(workspace, frame)
        if is_emitted(workspace, frame):
            emit_exit(workspace, frame, score, FULL if load(workspace, frame + LINE) else LEAF)
        if frame == FRAMES:
            return 0
        frame = parent_of(workspace, frame)
        if take(workspace, frame, score):
            return frame


@native()
def enter(rules, board, workspace, frame):
    """Score a position that is a leaf, or list its moves; are there any?"""
    seat = number_at(workspace, FRAMES + TURN)
    if over(rules, board):
        score = final(workspace, frame, margin(rules, board, seat))
        store_number(workspace, frame + BEST, score)
        return False
    if load(workspace, frame + PLY) == load(workspace, HORIZON):
        add(workspace, GUESSES, ONE)
        store_number(workspace, frame + BEST, evaluate(rules, board, seat))
        return False
    keep(workspace, frame + BOARD, board)
    open_frame(
        workspace, frame, legal(rules, board, workspace, number_at(workspace, frame + FIRST))
    )
    return True


@native()
def look(rules, board, words):
    """Score every move at the root of a workspace; how the search stands then."""
    workspace = words_at(words.ctypes.data)
    controls, frame, move = words_at(load(workspace, CONTROLS)), FRAMES, ZERO
    while True:
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        arrive(workspace, frame, move, turn(rules, board))
        if not enter(rules, board, workspace, frame):
            frame = climb(workspace, frame)
            if frame == 0:
                return GOES_ON
        move = next_move(workspace, frame)
        board = play(rules, board_at(workspace, frame + BOARD), INDEX(move))
        frame = child_of(workspace, frame)
