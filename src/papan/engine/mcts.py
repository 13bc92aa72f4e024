"""Monte Carlo tree search for every game: random games, and more of them where they went well.

The twin of `papan.agents.mcts.plain`, game by game. First the tree: its nodes, which of them to
visit, and what is proven of them; then the search.

Margins and their bounds are those of seat 0; wins and the sum of margins are those of the seat that
chose the node. Nodes lie one after the other; a node is known by where it begins, the root by 0.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from papan.engine.board import key, legal, margin, play, turn
from papan.engine.control import GOES_ON, STOP, STOPPED, spend
from papan.engine.native import (
    ONE,
    WORD,
    WORDS,
    ZERO,
    load,
    load_number,
    load_shared,
    native,
    store,
    store_number,
    words_at,
)

U = np.uint64
INDEX: Any = types.int64
NUMBER = types.float64
ARRAY = types.uint64[::1]

CHILD, SIBLING, MOVE, MOVER, TURN, UNTRIED, VISITS, WINS, MARGIN, LOW, HIGH, KEY = range(12)
"""A node: its newest child and its older sibling (0 for none), the move to it and who made it, the
turn, how many moves have not been tried, the games through it, what they came to, what is proven,
and what tells its position."""
NODE = 12

TREE, SIZE, ROOM, LUCK, EXPLORATION, LARGEST, SHARES, STAMP, DEPTH, DEEPEST, SAMPLE = range(11)
"""The workspace: where the tree is, its size and the most it may have; the random state; UCT;
the largest margin and whether the share of it counts; a number that grows with each look at the
moves tried; how deep the last game went down the tree and how deep any did; where the last game
is, its length first."""
PATH, MARKS, MOVES = 11, 12, 13
"""Where the nodes of the last game are, a mark for each move, and the moves of a position."""
CONTROLS = 14
HEADER = 16


@native(INDEX(WORDS, INDEX), inline=True)
def number_at(words, at):
    """A word as a signed number."""
    return INDEX(load(words, at))


@native(INDEX(WORDS, INDEX))
def below(workspace, bound):
    """A number below *bound* that luck decides: SplitMix64, a game's whole luck in one word."""
    state = load(workspace, LUCK) + U(0x9E3779B97F4A7C15)
    store(workspace, LUCK, state)
    state = (state ^ state >> U(30)) * U(0xBF58476D1CE4E5B9)
    state = (state ^ state >> U(27)) * U(0x94D049BB133111EB)
    state ^= state >> U(31)
    return INDEX((state >> U(32)) * U(bound) >> U(32))


@native(types.boolean(WORDS, INDEX), inline=True)
def solved(tree, node):
    """Is the value of a node proven?"""
    return load_number(tree, node + LOW) == load_number(tree, node + HIGH)


@native(types.boolean(WORDS, INDEX), inline=True)
def leads_on(tree, node):
    """Does a game go on from a node to one of its children? All of its moves have been tried."""
    grown = load(tree, node + UNTRIED) == ZERO and load(tree, node + CHILD) != ZERO
    return grown and not solved(tree, node)


@native(types.UniTuple(NUMBER, 2)(WORDS, INDEX, WORD), inline=True)
def bounds(tree, node, seat):
    """What is proven of a node, as a seat sees it."""
    low, high = load_number(tree, node + LOW), load_number(tree, node + HIGH)
    if seat:
        low, high = -high, -low
    return low, high


@native(INDEX(WORDS, WORDS, INDEX))
def favourite(workspace, tree, node):
    """The child with the best upper confidence bound, as the seat that chooses sees it.

    A child that is proven to be no better than another one is not visited.
    """
    seat = load(tree, node + TURN)
    floor, _ = bounds(tree, node, seat)
    bonus = load_number(workspace, EXPLORATION) * math.sqrt(
        math.log(float(load(tree, node + VISITS)))
    )
    best, chosen = -1.0, node
    child = number_at(tree, node + CHILD)
    while child:
        low, high = bounds(tree, child, seat)
        if high > floor or low == floor:
            visits = float(load(tree, child + VISITS))
            bound = load_number(tree, child + WINS) / visits + bonus / math.sqrt(visits)
            if bound > best:
                best, chosen = bound, child
        child = number_at(tree, child + SIBLING)
    return chosen


@native(WORD(WORDS, WORDS, INDEX, INDEX))
def untried(workspace, tree, node, count):
    """One of the moves of a node that have not been tried; *count* legal ones are listed."""
    marks, stamp = number_at(workspace, MARKS), load(workspace, STAMP) + ONE
    store(workspace, STAMP, stamp)
    child = number_at(tree, node + CHILD)
    while child:
        store(workspace, marks + number_at(tree, child + MOVE), stamp)
        child = number_at(tree, child + SIBLING)
    left = below(workspace, number_at(tree, node + UNTRIED))
    for at in range(number_at(workspace, MOVES), number_at(workspace, MOVES) + count):
        move = load(workspace, at)
        if load(workspace, marks + INDEX(move)) != stamp:
            if left == 0:
                return move
            left -= 1
    return ZERO


@native(INDEX(WORDS, WORDS, INDEX, WORD))
def grow(workspace, tree, parent, move):
    """A new child of a node."""
    node = number_at(workspace, SIZE)
    store(workspace, SIZE, U(node + NODE))
    store(tree, node + SIBLING, load(tree, parent + CHILD))
    store(tree, parent + CHILD, U(node))
    store(tree, parent + UNTRIED, load(tree, parent + UNTRIED) - ONE)
    store(tree, node + MOVE, move)
    store(tree, node + MOVER, load(tree, parent + TURN))
    for word in (CHILD, VISITS, WINS, MARGIN):
        store(tree, node + word, ZERO)
    store_number(tree, node + LOW, -load_number(workspace, LARGEST))
    store_number(tree, node + HIGH, load_number(workspace, LARGEST))
    return node


@native(types.void(WORDS, INDEX))
def follow(workspace, node):
    """Go down the tree to a node."""
    depth = load(workspace, DEPTH) + ONE
    store(workspace, DEPTH, depth)
    store(workspace, number_at(workspace, PATH) + INDEX(depth), U(node))
    store(workspace, DEEPEST, max(depth, load(workspace, DEEPEST)))


@native(types.void(WORDS, WORD))
def note(workspace, move):
    """Take down a move of the game."""
    sample = number_at(workspace, SAMPLE)
    length = load(workspace, sample) + ONE
    store(workspace, sample, length)
    store(workspace, sample + INDEX(length), move)


@native(types.boolean(WORDS, INDEX))
def infer(tree, node):
    """Prove what follows from the children of a node; is there news?"""
    seat = load(tree, node + TURN)
    old_low, old_high = bounds(tree, node, seat)
    low = high = -np.inf
    child = number_at(tree, node + CHILD)
    while child:
        child_low, child_high = bounds(tree, child, seat)
        low, high = max(low, child_low), max(high, child_high)
        child = number_at(tree, child + SIBLING)
    low = max(low, old_low)
    if load(tree, node + UNTRIED):
        high = old_high
    if low == old_low and high == old_high:
        return False
    store_number(tree, node + LOW, -high if seat else low)
    store_number(tree, node + HIGH, -low if seat else high)
    return True


@native(NUMBER(WORDS, NUMBER), inline=True)
def reward(workspace, margin):
    """A margin as a number from 0 to 1."""
    if load(workspace, SHARES):
        return margin / load_number(workspace, LARGEST)
    return 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0


@native(types.void(WORDS, WORDS, INDEX, NUMBER))
def backpropagate(workspace, tree, node, margin):
    """Add a game that went through *node* to all nodes of the path, and prove what can be."""
    if solved(tree, node):
        margin = load_number(tree, node + LOW)
    path, depth = number_at(workspace, PATH), number_at(workspace, DEPTH)
    for at in range(path, path + depth + 1):
        each = number_at(workspace, at)
        own = -margin if load(tree, each + MOVER) else margin
        store(tree, each + VISITS, load(tree, each + VISITS) + ONE)
        store_number(tree, each + WINS, load_number(tree, each + WINS) + reward(workspace, own))
        store_number(tree, each + MARGIN, load_number(tree, each + MARGIN) + own)
    news = solved(tree, node) and depth > 0
    while news:
        depth -= 1
        news = infer(tree, number_at(workspace, path + depth)) and depth > 0


@native(INDEX(ARRAY, INDEX, ARRAY))
def transplant(old, node, new):
    """Copy what grows from a node to a new tree, which has room for it; its size."""
    source, tree = words_at(old.ctypes.data), words_at(new.ctypes.data)
    for word in range(NODE):
        store(tree, word, load(source, node + word))
    store(tree, SIBLING, ZERO)
    at, size = 0, NODE
    while at < size:
        place, child = at + CHILD, number_at(tree, at + CHILD)  # still one of the old tree
        while child:
            for word in range(NODE):
                store(tree, size + word, load(source, child + word))
            store(tree, place, U(size))
            place = size + SIBLING
            size += NODE
            child = number_at(source, child + SIBLING)
        store(tree, place, ZERO)
        at += NODE
    return size


@native()
def play_out(rules, board, workspace):
    """The margin of seat 0 at the end of a game played on at random."""
    moves = number_at(workspace, MOVES)
    count = legal(rules, board, workspace, moves)
    while count:
        move = load(workspace, moves + below(workspace, count))
        note(workspace, move)
        board = play(rules, board, INDEX(move))
        count = legal(rules, board, workspace, moves)
    return margin(rules, board, 0)


@native()
def iterate(rules, board, workspace, tree):
    """One game: down the tree, one new position, at random to the end, and back up."""
    store(workspace, DEPTH, ZERO)
    store(workspace, number_at(workspace, SAMPLE), ZERO)
    node = 0
    while leads_on(tree, node):
        node = favourite(workspace, tree, node)
        follow(workspace, node)
        move = load(tree, node + MOVE)
        note(workspace, move)
        board = play(rules, board, INDEX(move))
    room = number_at(workspace, SIZE) + NODE <= number_at(workspace, ROOM)
    if room and load(tree, node + UNTRIED) and not solved(tree, node):
        count = legal(rules, board, workspace, number_at(workspace, MOVES))
        move = untried(workspace, tree, node, count)
        node = grow(workspace, tree, node, move)
        follow(workspace, node)
        note(workspace, move)
        board = play(rules, board, INDEX(move))
        count = legal(rules, board, workspace, number_at(workspace, MOVES))
        store(tree, node + TURN, U(turn(rules, board)))
        store(tree, node + UNTRIED, U(count))
        store(tree, node + KEY, key(board))
        if count == 0:
            store_number(tree, node + LOW, margin(rules, board, 0))
            store_number(tree, node + HIGH, margin(rules, board, 0))
    backpropagate(workspace, tree, node, play_out(rules, board, workspace))


@native()
def search(rules, root, words, games):
    """Play so many games, or until all is proven; how the search stands then."""
    workspace = words_at(words.ctypes.data)
    tree, controls = words_at(load(workspace, TREE)), words_at(load(workspace, CONTROLS))
    for _ in range(games):
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        iterate(rules, root, workspace, tree)
        if solved(tree, 0):
            break
        if load_shared(controls, STOP):  # a game may take as long as a thousand nodes elsewhere
            return STOPPED
    return GOES_ON
