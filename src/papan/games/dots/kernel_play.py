"""Dots and Boxes beyond proof: Monte-Carlo tree search over quiet positions.

A playout draws safe lines at random until none is left; then both sides open what costs least, and
take or double-cross as is best in that order. The tree knows, as the exact search does, only quiet
positions and the terms of going from one to the next.
"""

from __future__ import annotations

import math

from papan.engine.control import STOP
from papan.engine.memory import kind, records_at
from papan.engine.native import (
    ONE,
    WORD,
    ZERO,
    Word,
    bottom_bit,
    kinds,
    load_shared,
    native,
    popcount,
    scaled,
    signed,
    span,
    words_at,
    xorshift,
)
from papan.games.dots.kernel import (
    ROOT,
    Lines,
    Terms,
    U,
    Workspace,
    degrees,
    frame_at,
    list_chains,
    opened,
    safe_lines,
    workspace_at,
)
from papan.games.dots.kernel_search import next_node


class Node:
    """A node of the tree: a quiet position, and what playouts from it came to."""

    across: Word
    down: Word
    visits: Word
    total: int
    first: Word
    """The number of its first child, and how many it has."""
    child_count: Word
    terms: Terms
    """The terms of coming here."""


class Tree:
    """A tree; its first node is the position in question."""

    nodes: Word
    node_count: Word
    most_nodes: Word
    dice: Word


TREE = kind(Tree)
node_at = records_at(Node)
MOST_CHILDREN = U(130)
EXPLORATION = 2.0
"""How many boxes a line that was never tried may be better than it looks."""


@native()
def throw(tree: Tree, sides: Word) -> Word:
    """A random number below *sides*."""
    tree.dice = xorshift(tree.dice)
    return scaled(tree.dice, sides)


@native()
def any_bit(tree: Tree, across: Word, down: Word) -> Lines:
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
def look_at(workspace: Workspace, across: Word, down: Word) -> Word:
    """Put a position into the root's frame: its boxes with two lines to go."""
    frame = frame_at(workspace.frames, ROOT)
    frame.position.across, frame.position.down = across, down
    _, two, many = degrees(workspace, across, down)
    list_chains(workspace, frame, two, many)
    return two


@native()
def cheapest(workspace: Workspace) -> tuple[Word, Word, Word, Word]:
    """The opening that costs least: lines across and down, boxes and loss."""
    frame = frame_at(workspace.frames, ROOT)
    best, least = opened(workspace, frame.position, frame.chains[ZERO]), signed(1 << 20)
    for each in span(ZERO, frame.chain_count):
        opening = opened(workspace, frame.position, frame.chains[each])
        cost = 2 * signed(opening[2]) - signed(opening[3])
        if cost < least:
            best, least = opening, cost
    return best


@native()
def capture_value(boxes: float, loss: float, rest: float) -> float:
    """What boxes and the rest are worth to who takes them."""
    return boxes + (max(rest, -loss - rest) if loss else rest)


@native()
def end_value(workspace: Workspace, across: Word, down: Word) -> int:
    """The value of a position without safe lines, when both open what costs least."""
    steps = ZERO
    while across | down:
        look_at(workspace, across, down)
        across, down, boxes, loss = cheapest(workspace)
        terms = workspace.order[steps]
        terms.boxes, terms.loss = boxes, loss
        steps += ONE
    value = 0
    while steps:
        steps -= ONE
        terms = workspace.order[steps]
        boxes_won, lost = signed(terms.boxes), signed(terms.loss)
        value = -boxes_won - (max(value, -lost - value) if lost else value)
    return value


@native()
def playout(workspace: Workspace, tree: Tree, across: Word, down: Word) -> int:
    """The value of a position when safe lines are drawn at random."""
    turn = 1
    while True:
        _, two, _ = degrees(workspace, across, down)
        safe_across, safe_down = safe_lines(workspace, across, down, two)
        if not safe_across | safe_down:
            return turn * end_value(workspace, across, down)
        line_across, line_down = any_bit(tree, safe_across, safe_down)
        across ^= line_across
        down ^= line_down
        turn = -turn


@native()
def plant(tree: Tree, across: Word, down: Word, boxes: Word, loss: Word) -> None:
    """A new node at the end of the tree."""
    node = node_at(tree.nodes, tree.node_count)
    tree.node_count += ONE
    node.across, node.down = across, down
    node.visits, node.total, node.first, node.child_count = ZERO, 0, ZERO, ZERO
    node.terms.boxes, node.terms.loss = boxes, loss


@native()
def expand(workspace: Workspace, tree: Tree, node: Node) -> None:
    """Give a node its children: safe lines from the centre outwards, then openings."""
    across, down, first = node.across, node.down, tree.node_count
    two = look_at(workspace, across, down)
    safe_across, safe_down = safe_lines(workspace, across, down, two)
    for each in span(ZERO, workspace.ring_count):
        ring = workspace.rings[each]
        todo_across, todo_down = safe_across & ring.across, safe_down & ring.down
        while todo_across:
            plant(tree, across ^ bottom_bit(todo_across), down, ZERO, ZERO)
            todo_across &= todo_across - ONE
        while todo_down:
            plant(tree, across, down ^ bottom_bit(todo_down), ZERO, ZERO)
            todo_down &= todo_down - ONE
    frame = frame_at(workspace.frames, ROOT)
    for each in span(ZERO, frame.chain_count):
        rest_across, rest_down, boxes, loss = opened(workspace, frame.position, frame.chains[each])
        plant(tree, rest_across, rest_down, boxes, loss)
    node.first, node.child_count = first, tree.node_count - first


@native()
def mean(node: Node) -> float:
    """What the playouts from a node came to."""
    return float(node.total) / float(node.visits)


@native()
def uct_value(child: Node, expected: float, weight: float) -> float:
    """What a child is worth to who chooses it, with the benefit of the doubt."""
    visits = float(child.visits)
    if visits == 0.0:
        return expected + weight
    value = -capture_value(float(child.terms.boxes), float(child.terms.loss), mean(child))
    return value + weight / math.sqrt(visits + 1.0)


@native()
def choose(tree: Tree, node: Node) -> Word:
    """The child to visit next."""
    best, most = ZERO, -1e9
    expected = mean(node)
    weight = EXPLORATION * math.sqrt(math.log(float(node.visits) + 1.0))
    for number in span(node.first, node.first + node.child_count):
        value = uct_value(node_at(tree.nodes, number), expected, weight)
        if value > most:
            best, most = number, value
    return best


@native()
def backpropagate(workspace: Workspace, tree: Tree, steps: Word, value: int) -> None:
    """Add the value of the last node on the path to all of them."""
    while True:
        node = node_at(tree.nodes, workspace.path[steps])
        node.visits += ONE
        node.total += value
        if not steps:
            return
        boxes, loss = signed(node.terms.boxes), signed(node.terms.loss)
        crossed = loss and 2.0 * mean(node) < -float(loss)
        value = -boxes + (loss + value if crossed else -value)
        steps -= ONE


@native()
def visit(workspace: Workspace, tree: Tree) -> None:
    """One way down the tree, a playout, and back."""
    number, steps = ZERO, ZERO
    workspace.path[steps] = number
    while True:
        node = node_at(tree.nodes, number)
        full = tree.node_count + MOST_CHILDREN > tree.most_nodes
        if not node.child_count and node.visits and not full:
            expand(workspace, tree, node)
        if not node.child_count:
            break
        number = choose(tree, node)
        steps += ONE
        workspace.path[steps] = number
    backpropagate(workspace, tree, steps, playout(workspace, tree, node.across, node.down))


@native(kinds.void(WORD, TREE))
def grow(address: Word, tree: Tree) -> None:
    """Visit until the budget is spent or it is stopped; the first node has its position.

    A visit takes as long as a hundred nodes of a search: so it looks at the flag before each.
    """
    workspace = workspace_at(address, ZERO)
    words = words_at(workspace.controls)
    while not load_shared(words, STOP) and next_node(workspace):
        visit(workspace, tree)
