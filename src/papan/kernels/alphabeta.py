"""Alpha-beta for every game: one round of a search that goes one ply deeper each time.

Principal variation search: after the first move, the others are asked only whether they are better.
Values and choice are those of `papan.agents.alphabeta.plain`, which is simpler and looks at more.
Scores are those of the seat to move; turns are compared, because a move may give another turn.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.kernels.board import board_at, evaluate, keep, key, legal, margin, over, play, turn
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
    ALPHA,
    BEST,
    BETA,
    BOARD,
    CHOICE,
    CONTROLS,
    COUNT,
    CUT,
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
    TOLD,
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
    number_at,
    parent_of,
    tell_entry,
    tell_exit,
    told_at,
)
from papan.kernels.table import recall, remember

FIRST_TRIED, KILLER, OTHER_KILLER = U(1 << 46), U(1 << 45), U(1 << 44)
SIXTEEN, PLACES = U(16), U(0xFFFF)
MORE, DONE, AGAIN = range(3)
"""After a child: on to the next, or done, or the same once more with a wider window."""


@native(types.void(WORDS, INDEX, INDEX))
def hand_down(desk, frame, child):
    """Give a child its window: all of it, or only the question whether it is better."""
    alpha = max(load_number(desk, frame + ALPHA), best_of(desk, frame))
    beta = load_number(desk, frame + BETA)
    if load(desk, frame + SCOUTS):
        little = np.nextafter(alpha, np.inf)
        store(desk, frame + SCOUTS, U(little < beta))
        beta = min(little, beta)
    same = load(desk, frame + TURN) == load(desk, child + TURN)
    store_number(desk, child + ALPHA, alpha if same else -beta)
    store_number(desk, child + BETA, beta if same else -alpha)


@native(types.void(WORDS, INDEX))
def tell_window(desk, frame):
    """Tell the window of a node, as the seat at the root sees it."""
    at = told_at(desk, frame)
    if at:
        alpha, beta = load_number(desk, frame + ALPHA), load_number(desk, frame + BETA)
        mine = load(desk, at + MINE)
        store_number(desk, at + LOW, alpha if mine else -beta)
        store_number(desk, at + HIGH, beta if mine else -alpha)


@native(types.void(WORDS, INDEX, WORD, INDEX))
def arrive(desk, frame, move, side):
    """Make a frame ready for the position after *move*."""
    store(desk, frame + TURN, U(side))
    if frame > FRAMES:
        hand_down(desk, parent_of(desk, frame), frame)
    store(desk, frame + LINE, ZERO)
    if is_told(desk, frame):
        tell_entry(desk, frame, move)
        tell_window(desk, frame)


@native(types.void(WORDS, INDEX))
def tell_score(desk, frame):
    """Tell what a node came to, as the seat at the root sees it."""
    at = told_at(desk, frame)
    if at:
        mine, score = load(desk, at + MINE), best_of(desk, frame)
        score = score if mine else -score
        low, high = load_number(desk, at + LOW), load_number(desk, at + HIGH)
        cut = score >= high if mine else score <= low
        leaf = load(desk, frame + COUNT) == ZERO
        tell_exit(desk, frame, score, LEAF if leaf else CUT if cut else FULL)


@native(NUMBER(WORDS, INDEX, NUMBER))
def final(desk, frame, result):
    """The score of a finished game with this margin."""
    if abs(result) < load_number(desk, LARGEST):
        return result
    win = load_number(desk, WIN) - float(load(desk, frame + PLY))
    return win if result > 0.0 else -win


@native(types.boolean(WORDS, INDEX))
def settled(desk, frame):
    """Is it clear that nothing here matters? Nothing is better than to win at once."""
    soonest = load_number(desk, WIN) - float(load(desk, frame + PLY)) - 1.0
    beta = min(load_number(desk, frame + BETA), soonest)
    store_number(desk, frame + BETA, beta)
    if load_number(desk, frame + ALPHA) < beta:
        return False
    store_number(desk, frame + BEST, beta)
    return True


@native(types.boolean(WORDS, INDEX, WORD))
def answered(desk, frame, key):
    """Begin with a position that is no leaf; is its score known without a search?"""
    store(desk, frame + KEY, key)
    store(desk, frame + SEEN_GUESSES, load(desk, GUESSES))
    store_number(desk, frame + BEST, -np.inf)
    for word in (HINT, NEXT, CHOICE, SCOUTS):
        store(desk, frame + word, ZERO)
    store(desk, frame + COUNT, ONE)  # it is no leaf
    return settled(desk, frame) or recall(desk, frame)


@native(INDEX(WORDS, INDEX, WORD), inline=True)
def cuts_at(desk, frame, move):
    """Where it is counted how often a move of the seat to move was too good to be allowed."""
    seat = number_at(desk, frame + TURN)
    return number_at(desk, HISTORY) + number_at(desk, MOVE_COUNT) * seat + INDEX(move)


@native(WORD(WORDS, INDEX, WORD, INDEX), inline=True)
def weight(desk, frame, move, place):
    """How promising a move is: best in an earlier search, or a cut here, or cuts elsewhere."""
    if not load(desk, ORDERS):
        return ZERO
    if load(desk, frame + HINT) == U(place + 1):
        return FIRST_TRIED
    killers = frame + KILLERS + 2 * number_at(desk, frame + TURN)
    if load(desk, killers) == move + ONE:
        return KILLER
    if load(desk, killers + 1) == move + ONE:
        return OTHER_KILLER
    return load(desk, cuts_at(desk, frame, move))


@native(types.void(WORDS, INDEX, INDEX))
def arrange(desk, frame, count):
    """Make a frame ready to go through its moves, promising ones first.

    Behind the moves come their ranks, which have their places in the lowest bits.
    """
    first = number_at(desk, frame + FIRST)
    ranks = first + count
    for place in range(count):
        worth = weight(desk, frame, load(desk, first + place), place)
        rank = worth << SIXTEEN | PLACES - U(place)
        at = ranks + place
        while at > ranks and load(desk, at - 1) < rank:
            store(desk, at, load(desk, at - 1))
            at -= 1
        store(desk, at, rank)
    store(desk, frame + COUNT, U(count))
    store(desk, child_of(desk, frame) + FIRST, U(ranks + count))


@native(INDEX(WORDS, INDEX), inline=True)
def place_of(desk, frame):
    """The place among the moves of the one that is next."""
    ranks = load(desk, frame + FIRST) + load(desk, frame + COUNT)
    return INDEX(PLACES - (load(desk, INDEX(ranks + load(desk, frame + NEXT))) & PLACES))


@native(WORD(WORDS, INDEX), inline=True)
def move_of(desk, frame):
    """The move that is next."""
    return load(desk, number_at(desk, frame + FIRST) + place_of(desk, frame))


@native(types.void(WORDS, INDEX, INDEX))
def reward(desk, frame, worth):
    """Remember the move that was too good for the rival to allow."""
    move = move_of(desk, frame)
    add(desk, PRUNED, load(desk, frame + COUNT) - load(desk, frame + NEXT) - ONE)
    add(desk, cuts_at(desk, frame, move), U(worth))
    killer = frame + KILLERS + 2 * number_at(desk, frame + TURN)
    if load(desk, killer) != move + ONE:
        store(desk, killer + 1, load(desk, killer))
        store(desk, killer, move + ONE)


@native(INDEX(WORDS, INDEX, NUMBER))
def take(desk, frame, score):
    """Hand the score of a child to its parent; what comes next."""
    best, beta = best_of(desk, frame), load_number(desk, frame + BETA)
    left = number_at(desk, HORIZON) - number_at(desk, frame + PLY)
    better = score > max(load_number(desk, frame + ALPHA), best)
    if load(desk, frame + SCOUTS) and better and score < beta:
        store(desk, frame + SCOUTS, ZERO)
        told = load(desk, child_of(desk, frame) + NODE)  # only the second search is told of
        store(desk, TOLD, min(load(desk, TOLD), told))
        return AGAIN
    if score > best:
        store_number(desk, frame + BEST, score)
        store(desk, frame + CHOICE, U(place_of(desk, frame) + 1))
        extend(desk, frame, move_of(desk, frame))
        if score >= beta:
            reward(desk, frame, left * left)
            return DONE
    store(desk, frame + SCOUTS, U(left > 1))  # a guess at the horizon is exact in any window
    return DONE if add(desk, frame + NEXT, ONE) + ONE == load(desk, frame + COUNT) else MORE


@native(INDEX(WORDS, INDEX))
def climb(desk, frame):
    """From a frame that is done up to the next one with more to search; 0 where there is none."""
    while True:
        score = best_of(desk, frame)
        if is_told(desk, frame):
            tell_score(desk, frame)
        if frame == FRAMES:
            return 0
        parent = parent_of(desk, frame)
        if load(desk, parent + TURN) != load(desk, frame + TURN):
            score = -score
        step = take(desk, parent, score)
        if parent == FRAMES and step != AGAIN:
            end_move(desk, score)
            if step == MORE:
                begin_move(desk)
        if step != DONE:
            return parent
        if parent > FRAMES:
            remember(desk, parent)
        frame = parent


@native()
def enter(rules, board, desk, frame):
    """Score a position that needs no search, or list its moves; are there any?"""
    side = turn(rules, board)
    if over(rules, board):
        store(desk, frame + COUNT, ZERO)
        store_number(desk, frame + BEST, final(desk, frame, margin(rules, board, side)))
        return False
    if load(desk, frame + PLY) == load(desk, HORIZON):
        add(desk, GUESSES, ONE)
        store(desk, frame + COUNT, ZERO)
        store_number(desk, frame + BEST, evaluate(rules, board, side))
        return False
    if answered(desk, frame, key(board)):
        return False
    keep(desk, frame + BOARD, board)
    arrange(desk, frame, legal(rules, board, desk, number_at(desk, frame + FIRST)))
    return True


@native()
def look(rules, board, words):
    """Score every move at the root of a desk; how the search stands then.

    The first frame is ready: it has its position, and its moves in the order to try them.
    """
    desk = words_at(words.ctypes.data)
    controls, frame = words_at(load(desk, CONTROLS)), FRAMES
    standing = spend(controls)
    if standing != GOES_ON:
        return standing
    arrive(desk, frame, ZERO, turn(rules, board))
    keep(desk, frame + BOARD, board)
    begin_move(desk)
    while True:
        move = move_of(desk, frame)
        board = play(rules, board_at(desk, frame + BOARD), INDEX(move))
        frame = child_of(desk, frame)
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        arrive(desk, frame, move, turn(rules, board))
        if not enter(rules, board, desk, frame):
            frame = climb(desk, frame)
            if frame == 0:
                return GOES_ON
