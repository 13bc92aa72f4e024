"""Dots and Boxes beyond proof: Monte-Carlo tree search over quiet positions.

A playout draws safe lines at random until none is left; then both sides open what costs least, and
take or double-cross as is best in that order. The tree knows, as the exact search does, only quiet
positions and the terms of going from one to the next.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import math

import numpy as np
from numba import types

from papan.engine.control import Words
from papan.engine.native import ONE, TWO, ZERO, load, native, popcount, store, words_at
from papan.games.dots.kernel import (
    ACROSS,
    CHAIN,
    CHAINS,
    DOWN,
    EIGHT,
    FRAME,
    FRAMES,
    LINKS,
    RING,
    RING_AT,
    RINGS,
    U,
    bottom_bit,
    degrees,
    list_chains,
    opened,
    safe_lines,
)
from papan.games.dots.kernel_search import next_node
from papan.games.dots.kernel_steps import BYTE

# A node of the tree: a quiet position, what playouts from it came to, where its children are, and
# the terms of coming here.
# The first node is none: it holds the size of the tree, its room, the dice.
VISITS, SUM, FIRST, COUNT, TERMS, NODE = U(2), U(3), U(4), U(5), U(6), U(8)
SIZE, ROOM, DICE = ZERO, ONE, TWO
TRUNK = NODE
HERE = FRAMES + FRAME
"""The frame in which positions are looked at."""
PATH, ORDER = HERE + FRAME, HERE + FRAME + U(256)
"""Places on the workspace: the nodes of one visit, the openings of one playout."""
EXPLORATION = 2.0
"""How many boxes a line that was never tried may be better than it looks."""


@native()
def throw(tree, sides):
    """A random number below *sides*."""
    dice = load(tree, DICE)
    dice ^= dice << U(13)
    dice ^= dice >> U(7)
    dice ^= dice << U(17)
    store(tree, DICE, dice)
    return (dice >> U(32)) * sides >> U(32)


@native()
def any_bit(tree, across, down):
    """A random bit of two words: it alone, in its word."""
    skip = throw(tree, popcount(across) + popcount(down))
    while skip:
        skip -= ONE
        if across:
            across &= across - ONE
        else:
            down &= down - ONE
    return bottom_bit(across), ZERO if across else bottom_bit(down)


@native()
def look_at(workspace, across, down):
    """Put a position into the frame: its boxes with two lines to go."""
    store(workspace, HERE + ACROSS, across)
    store(workspace, HERE + DOWN, down)
    _, two, many = degrees(workspace, across, down)
    list_chains(workspace, HERE, two, many)
    return two


@native()
def cheapest(workspace):
    """The opening that costs least: lines across and down, boxes and loss."""
    best, least = opened(workspace, HERE, HERE + LINKS), np.int64(1 << 20)
    for each in range(load(workspace, HERE + CHAINS)):
        opening = opened(workspace, HERE, HERE + LINKS + each * CHAIN)
        cost = 2 * np.int64(opening[2]) - np.int64(opening[3])
        if cost < least:
            best, least = opening, cost
    return best


@native()
def capture_value(boxes, loss, rest):
    """What boxes and the rest are worth to who takes them."""
    return boxes + (max(rest, -loss - rest) if loss else rest)


@native()
def end_value(workspace, across, down):
    """The value of a position without safe lines, when both open what costs least."""
    steps = ZERO
    while across | down:
        look_at(workspace, across, down)
        across, down, boxes, loss = cheapest(workspace)
        store(workspace, ORDER + steps, boxes | loss << EIGHT)
        steps += ONE
    value = 0
    while steps:
        steps -= ONE
        terms = load(workspace, ORDER + steps)
        value = -capture_value(np.int64(terms & BYTE), np.int64(terms >> EIGHT), value)
    return value


@native()
def playout(workspace, tree, across, down):
    """The value of a position when safe lines are drawn at random."""
    turn = 1
    while True:
        store(workspace, HERE + ACROSS, across)
        store(workspace, HERE + DOWN, down)
        _, two, _ = degrees(workspace, across, down)
        safe_across, safe_down = safe_lines(workspace, HERE, two)
        if not safe_across | safe_down:
            return turn * end_value(workspace, across, down)
        line_across, line_down = any_bit(tree, safe_across, safe_down)
        across ^= line_across
        down ^= line_down
        turn = -turn


@native()
def plant(tree, across, down, terms):
    """A new node at the end of the tree."""
    node = load(tree, SIZE)
    store(tree, SIZE, node + NODE)
    store(tree, node + ACROSS, across)
    store(tree, node + DOWN, down)
    store(tree, node + TERMS, terms)
    for word in (VISITS, SUM, FIRST, COUNT):
        store(tree, node + word, ZERO)


@native()
def expand(workspace, tree, node):
    """Give a node its children: safe lines from the centre outwards, then openings."""
    across, down = load(tree, node + ACROSS), load(tree, node + DOWN)
    first = load(tree, SIZE)
    safe_across, safe_down = safe_lines(workspace, HERE, look_at(workspace, across, down))
    for each in range(load(workspace, RINGS)):
        ring = RING_AT + each * RING
        todo_across, todo_down = (
            safe_across & load(workspace, ring),
            safe_down & load(workspace, ring + ONE),
        )
        while todo_across:
            plant(tree, across ^ bottom_bit(todo_across), down, ZERO)
            todo_across &= todo_across - ONE
        while todo_down:
            plant(tree, across, down ^ bottom_bit(todo_down), ZERO)
            todo_down &= todo_down - ONE
    for each in range(load(workspace, HERE + CHAINS)):
        rest_across, rest_down, boxes, loss = opened(workspace, HERE, HERE + LINKS + each * CHAIN)
        plant(tree, rest_across, rest_down, boxes | loss << EIGHT)
    store(tree, node + FIRST, first)
    store(tree, node + COUNT, (load(tree, SIZE) - first) // NODE)


@native()
def mean(tree, node):
    """What the playouts from a node came to."""
    return float(np.int64(load(tree, node + SUM))) / float(load(tree, node + VISITS))


@native()
def uct_value(tree, child, expected, weight):
    """What a child is worth to who chooses it, with the benefit of the doubt."""
    visits = float(load(tree, child + VISITS))
    if visits == 0.0:
        return expected + weight
    terms = load(tree, child + TERMS)
    value = -capture_value(float(terms & BYTE), float(terms >> EIGHT), mean(tree, child))
    return value + weight / math.sqrt(visits + 1.0)


@native()
def choose(tree, node):
    """The child to visit next."""
    best, most = ZERO, -1e9
    expected = mean(tree, node)
    weight = EXPLORATION * math.sqrt(math.log(float(load(tree, node + VISITS)) + 1.0))
    for each in range(load(tree, node + COUNT)):
        child = load(tree, node + FIRST) + each * NODE
        value = uct_value(tree, child, expected, weight)
        if value > most:
            best, most = child, value
    return best


@native()
def backpropagate(workspace, tree, steps, value):
    """Add the value of the last node on the path to all of them."""
    while True:
        node = load(workspace, PATH + steps)
        store(tree, node + VISITS, load(tree, node + VISITS) + ONE)
        store(tree, node + SUM, load(tree, node + SUM) + U(value))
        if not steps:
            return
        terms = load(tree, node + TERMS)
        boxes, loss = np.int64(terms & BYTE), np.int64(terms >> EIGHT)
        crossed = loss and 2.0 * mean(tree, node) < -float(loss)
        value = -boxes + (loss + value if crossed else -value)
        steps -= ONE


@native()
def visit(workspace, tree):
    """One way down the tree, a playout, and back."""
    node, steps = TRUNK, ZERO
    store(workspace, PATH, node)
    while True:
        full = load(tree, SIZE) + U(130) * NODE > load(tree, ROOM)
        if not load(tree, node + COUNT) and load(tree, node + VISITS) and not full:
            expand(workspace, tree, node)
        if not load(tree, node + COUNT):
            break
        node = choose(tree, node)
        steps += ONE
        store(workspace, PATH + steps, node)
    value = playout(workspace, tree, load(tree, node + ACROSS), load(tree, node + DOWN))
    backpropagate(workspace, tree, steps, value)


ARRAY = types.uint64[::1]


@native(types.void(ARRAY, ARRAY, ARRAY))
def grow(words: Words, workspace: Words, tree: Words) -> None:
    """Visit until the budget is spent; the trunk has its position."""
    controls = words_at(words.ctypes.data)
    places, nodes = words_at(workspace.ctypes.data), words_at(tree.ctypes.data)
    while next_node(controls):
        visit(places, nodes)
