"""Alpha-beta for every game: one round of a search that goes one ply deeper each time.

Principal variation search: after the first move, the others are asked only whether they are better.
Values and choice are those of `papan.agents.alphabeta.plain`, which is simpler and looks at more.
Scores are those of the seat to move; turns are compared, because a move may give another turn.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.board import board_at, evaluate, keep, key, legal, margin, over, play, turn
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
from papan.engine.transpositions import recall, remember
from papan.engine.workspace import (
    ALPHA,
    BEST,
    BETA,
    BOARD,
    CHOICE,
    CONTROLS,
    COUNT,
    CUT,
    EMITTED,
    FIRST,
    FRAMES,
    FULL,
    GUESSES,
    HIGH,
    HINT,
    HISTORY,
    HORIZON,
    INDEX,
    KEY,
    KILLERS,
    LARGEST,
    LEAF,
    LINE,
    LOW,
    MINE,
    MOVE_COUNT,
    NEXT,
    NODE,
    NUMBER,
    ORDERS,
    PLY,
    PRUNED,
    SCOUTS,
    SEEN_GUESSES,
    TURN,
    WIN,
    U,
    add,
    begin_move,
    best_of,
    child_of,
    emit_entry,
    emit_exit,
    emitted_at,
    end_move,
    extend,
    is_emitted,
    number_at,
    parent_of,
)

FIRST_TRIED, KILLER, OTHER_KILLER = U(1 << 46), U(1 << 45), U(1 << 44)
SIXTEEN, PLACES = U(16), U(0xFFFF)
MORE, DONE, AGAIN = range(3)
"""After a child: on to the next, or done, or the same once more with a wider window."""


@native(types.void(WORDS, INDEX, INDEX))
def hand_down(workspace, frame, child):
    """Give a child its window: all of it, or only the question whether it is better."""
    alpha = max(load_number(workspace, frame + ALPHA), best_of(workspace, frame))
    beta = load_number(workspace, frame + BETA)
    if load(workspace, frame + SCOUTS):
        little = np.nextafter(alpha, np.inf)
        store(workspace, frame + SCOUTS, U(little < beta))
        beta = min(little, beta)
    same = load(workspace, frame + TURN) == load(workspace, child + TURN)
    store_number(workspace, child + ALPHA, alpha if same else -beta)
    store_number(workspace, child + BETA, beta if same else -alpha)


@native(types.void(WORDS, INDEX))
def emit_window(workspace, frame):
    """Tell the window of a node, as the seat at the root sees it."""
    at = emitted_at(workspace, frame)
    if at:
        alpha, beta = load_number(workspace, frame + ALPHA), load_number(workspace, frame + BETA)
        mine = load(workspace, at + MINE)
        store_number(workspace, at + LOW, alpha if mine else -beta)
        store_number(workspace, at + HIGH, beta if mine else -alpha)


@native(types.void(WORDS, INDEX, WORD, INDEX))
def arrive(workspace, frame, move, side):
    """Make a frame ready for the position after *move*."""
    store(workspace, frame + TURN, U(side))
    if frame > FRAMES:
        hand_down(workspace, parent_of(workspace, frame), frame)
    store(workspace, frame + LINE, ZERO)
    if is_emitted(workspace, frame):
        emit_entry(workspace, frame, move)
        emit_window(workspace, frame)


@native(types.void(WORDS, INDEX))
def emit_score(workspace, frame):
    """Tell what a node came to, as the seat at the root sees it."""
    at = emitted_at(workspace, frame)
    if at:
        mine, score = load(workspace, at + MINE), best_of(workspace, frame)
        score = score if mine else -score
        low, high = load_number(workspace, at + LOW), load_number(workspace, at + HIGH)
        cut = score >= high if mine else score <= low
        leaf = load(workspace, frame + COUNT) == ZERO
        emit_exit(workspace, frame, score, LEAF if leaf else CUT if cut else FULL)


@native(NUMBER(WORDS, INDEX, NUMBER))
def final(workspace, frame, result):
    """The score of a finished game with this margin."""
    if abs(result) < load_number(workspace, LARGEST):
        return result
    win = load_number(workspace, WIN) - float(load(workspace, frame + PLY))
    return win if result > 0.0 else -win


@native(types.boolean(WORDS, INDEX))
def settled(workspace, frame):
    """Is it clear that nothing here matters? Nothing is better than to win at once."""
    soonest = load_number(workspace, WIN) - float(load(workspace, frame + PLY)) - 1.0
    beta = min(load_number(workspace, frame + BETA), soonest)
    store_number(workspace, frame + BETA, beta)
    if load_number(workspace, frame + ALPHA) < beta:
        return False
    store_number(workspace, frame + BEST, beta)
    return True


@native(types.boolean(WORDS, INDEX, WORD))
def answered(workspace, frame, key):
    """Begin with a position that is no leaf; is its score known without a search?"""
    store(workspace, frame + KEY, key)
    store(workspace, frame + SEEN_GUESSES, load(workspace, GUESSES))
    store_number(workspace, frame + BEST, -np.inf)
    for word in (HINT, NEXT, CHOICE, SCOUTS):
        store(workspace, frame + word, ZERO)
    store(workspace, frame + COUNT, ONE)  # it is no leaf
    return settled(workspace, frame) or recall(workspace, frame)


@native(INDEX(WORDS, INDEX, WORD), inline=True)
def cuts_at(workspace, frame, move):
    """Where it is counted how often a move of the seat to move was too good to be allowed."""
    seat = number_at(workspace, frame + TURN)
    return number_at(workspace, HISTORY) + number_at(workspace, MOVE_COUNT) * seat + INDEX(move)


@native(WORD(WORDS, INDEX, WORD, INDEX), inline=True)
def weight(workspace, frame, move, place):
    """How promising a move is: best in an earlier search, or a cut here, or cuts elsewhere."""
    if not load(workspace, ORDERS):
        return ZERO
    if load(workspace, frame + HINT) == U(place + 1):
        return FIRST_TRIED
    killers = frame + KILLERS + 2 * number_at(workspace, frame + TURN)
    if load(workspace, killers) == move + ONE:
        return KILLER
    if load(workspace, killers + 1) == move + ONE:
        return OTHER_KILLER
    return load(workspace, cuts_at(workspace, frame, move))


@native(types.void(WORDS, INDEX, INDEX))
def arrange(workspace, frame, count):
    """Make a frame ready to go through its moves, promising ones first.

    Behind the moves come their ranks, which have their places in the lowest bits.
    """
    first = number_at(workspace, frame + FIRST)
    ranks = first + count
    for place in range(count):
        order_weight = weight(workspace, frame, load(workspace, first + place), place)
        rank = order_weight << SIXTEEN | PLACES - U(place)
        at = ranks + place
        while at > ranks and load(workspace, at - 1) < rank:
            store(workspace, at, load(workspace, at - 1))
            at -= 1
        store(workspace, at, rank)
    store(workspace, frame + COUNT, U(count))
    store(workspace, child_of(workspace, frame) + FIRST, U(ranks + count))


@native(INDEX(WORDS, INDEX), inline=True)
def place_of(workspace, frame):
    """The place among the moves of the one that is next."""
    ranks = load(workspace, frame + FIRST) + load(workspace, frame + COUNT)
    return INDEX(PLACES - (load(workspace, INDEX(ranks + load(workspace, frame + NEXT))) & PLACES))


@native(WORD(WORDS, INDEX), inline=True)
def move_of(workspace, frame):
    """The move that is next."""
    return load(workspace, number_at(workspace, frame + FIRST) + place_of(workspace, frame))


@native(types.void(WORDS, INDEX, INDEX))
def reward(workspace, frame, order_weight):
    """Remember the move that was too good for the rival to allow."""
    move = move_of(workspace, frame)
    add(workspace, PRUNED, load(workspace, frame + COUNT) - load(workspace, frame + NEXT) - ONE)
    add(workspace, cuts_at(workspace, frame, move), U(order_weight))
    killer = frame + KILLERS + 2 * number_at(workspace, frame + TURN)
    if load(workspace, killer) != move + ONE:
        store(workspace, killer + 1, load(workspace, killer))
        store(workspace, killer, move + ONE)


@native(INDEX(WORDS, INDEX, NUMBER))
def take(workspace, frame, score):
    """Hand the score of a child to its parent; what comes next."""
    best, beta = best_of(workspace, frame), load_number(workspace, frame + BETA)
    left = number_at(workspace, HORIZON) - number_at(workspace, frame + PLY)
    better = score > max(load_number(workspace, frame + ALPHA), best)
    if load(workspace, frame + SCOUTS) and better and score < beta:
        store(workspace, frame + SCOUTS, ZERO)
        emitted = load(
            workspace, child_of(workspace, frame) + NODE
        )  # only the second search is told of
        store(workspace, EMITTED, min(load(workspace, EMITTED), emitted))
        return AGAIN
    if score > best:
        store_number(workspace, frame + BEST, score)
        store(workspace, frame + CHOICE, U(place_of(workspace, frame) + 1))
        extend(workspace, frame, move_of(workspace, frame))
        if score >= beta:
            reward(workspace, frame, left * left)
            return DONE
    store(workspace, frame + SCOUTS, U(left > 1))  # a guess at the horizon is exact in any window
    return (
        DONE if add(workspace, frame + NEXT, ONE) + ONE == load(workspace, frame + COUNT) else MORE
    )


@native(INDEX(WORDS, INDEX))
def climb(workspace, frame):
    """From a frame that is done up to the next one with more to search; 0 where there is none."""
    while True:
        score = best_of(workspace, frame)
        if is_emitted(workspace, frame):
            emit_score(workspace, frame)
        if frame == FRAMES:
            return 0
        parent = parent_of(workspace, frame)
        if load(workspace, parent + TURN) != load(workspace, frame + TURN):
            score = -score
        step = take(workspace, parent, score)
        if parent == FRAMES and step != AGAIN:
            end_move(workspace, score)
            if step == MORE:
                begin_move(workspace)
        if step != DONE:
            return parent
        if parent > FRAMES:
            remember(workspace, parent)
        frame = parent


@native()
def enter(rules, board, workspace, frame):
    """Score a position that needs no search, or list its moves; are there any?"""
    side = turn(rules, board)
    if over(rules, board):
        store(workspace, frame + COUNT, ZERO)
        store_number(workspace, frame + BEST, final(workspace, frame, margin(rules, board, side)))
        return False
    if load(workspace, frame + PLY) == load(workspace, HORIZON):
        add(workspace, GUESSES, ONE)
        store(workspace, frame + COUNT, ZERO)
        store_number(workspace, frame + BEST, evaluate(rules, board, side))
        return False
    if answered(workspace, frame, key(board)):
        return False
    keep(workspace, frame + BOARD, board)
    arrange(workspace, frame, legal(rules, board, workspace, number_at(workspace, frame + FIRST)))
    return True


@native()
def look(rules, board, words):
    """Score every move at the root of a workspace; how the search stands then.

    The first frame is ready: it has its position, and its moves in the order to try them.
    """
    workspace = words_at(words.ctypes.data)
    controls, frame = words_at(load(workspace, CONTROLS)), FRAMES
    standing = spend(controls)
    if standing != GOES_ON:
        return standing
    arrive(workspace, frame, ZERO, turn(rules, board))
    keep(workspace, frame + BOARD, board)
    begin_move(workspace)
    while True:
        move = move_of(workspace, frame)
        board = play(rules, board_at(workspace, frame + BOARD), INDEX(move))
        frame = child_of(workspace, frame)
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        arrive(workspace, frame, move, turn(rules, board))
        if not enter(rules, board, workspace, frame):
            frame = climb(workspace, frame)
            if frame == 0:
                return GOES_ON
