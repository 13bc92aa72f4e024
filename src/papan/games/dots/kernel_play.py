"""Dots and Boxes beyond proof: Monte Carlo tree search over quiet positions.

In a quiet position no box can be taken. A playout draws safe lines, which give no box away, at
random until none is left; then each side in turn opens (draws a line of) the chain or loop that
costs least, and the other takes its boxes or double-crosses, as is best in that order. As in the
exact search, nodes are quiet positions, with the terms of going from one to the next.
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
    scaled_random,
    signed,
    span,
    words_at,
    xorshift,
)
from papan.games.dots.kernel import (
    ROOT_FRAME,
    DotsWorkspace,
    LineWords,
    Terms,
    after_opening,
    degrees,
    dots_frame_at,
    dots_workspace_at,
    list_chains,
    safe_line_words,
)
from papan.games.dots.kernel_search import next_node


class PlayoutNode:
    """A quiet position in the tree, and the results of the playouts from it.

    *across* and *down* have a bit for each undrawn line (see `kernel.DotsState`).
    """

    across: Word
    down: Word
    visits: Word
    """Number of playouts from it."""
    total: int
    """Sum of the values of its playouts: boxes still to come, the mover's less the rival's."""
    first: Word
    """Index of its first child in the tree's array; the others follow. 0 without children."""
    child_count: Word
    """Number of its children.

    0 before its second visit, if no line is left, and as long as the tree has no room for them.
    """
    terms: Terms
    """The terms of coming here from its parent: boxes given away, and loss of a double-cross."""


class PlayoutTree:
    """A tree of quiet positions, in an array of nodes; the first is the position in question."""

    nodes: Word
    """Address of the array of `PlayoutNode`."""
    node_count: Word
    """Number of nodes so far; that of index 0 is the position in question."""
    most_nodes: Word
    """Nodes that fit into the array."""
    random_state: Word
    """The state that all random numbers are drawn from; never 0."""


PLAYOUT_TREE = kind(PlayoutTree)
playout_node_at = records_at(PlayoutNode)
MOST_CHILDREN = Word(130)
"""Room for the children of a node: more than any board has safe lines and chains."""
DOTS_EXPLORATION = 2.0
"""The exploration constant of UCT, in boxes: see `best_child`."""


@native()
def random_number(tree: PlayoutTree, sides: Word) -> Word:
    """Return a random number from 0 to *sides* - 1, and advance the tree's random state.

    *sides* must be at least 1: not checked.
    """
    tree.random_state = xorshift(tree.random_state)
    return scaled_random(tree.random_state, sides)


@native()
def any_bit(tree: PlayoutTree, across: Word, down: Word) -> LineWords:
    """Return a random one of the bits set in two words: alone in its word, the other word 0.

    At least one bit must be set, not checked. The tree's random state advances.
    """
    skip = random_number(tree, popcount(across) + popcount(down))
    while skip:
        skip -= ONE
        if across:
            across &= across - ONE
        else:
            down &= down - ONE
    return bottom_bit(across), ZERO if across else bottom_bit(down)


@native()
def fill_root_frame(workspace: DotsWorkspace, across: Word, down: Word) -> Word:
    """Write a position (bits of its undrawn lines) and its chains to the root's frame, in place.

    Return the bits of the boxes that have two undrawn lines. The position must be quiet: not
    checked. The frame's name, isolated chains and boxes left are not written.
    """
    frame = dots_frame_at(workspace.frames, ROOT_FRAME)
    frame.position.across, frame.position.down = across, down
    _, two, many = degrees(workspace, across, down)
    list_chains(workspace, frame, two, many)
    return two


@native()
def cheapest(workspace: DotsWorkspace) -> tuple[Word, Word, Word, Word]:
    """Return the opening in the root's frame that costs least: (across, down, boxes, loss).

    That is, as by `after_opening`: the undrawn lines left across and down (bits), the boxes given,
    and the loss of a double-cross. The cost of an opening is 2 * boxes - loss; on equal cost the
    first chain counts. The frame must have a chain: not checked.
    """
    frame = dots_frame_at(workspace.frames, ROOT_FRAME)
    best, least = after_opening(workspace, frame.position, frame.chains[ZERO]), signed(1 << 20)
    for each in span(ZERO, frame.chain_count):
        opening = after_opening(workspace, frame.position, frame.chains[each])
        cost = 2 * signed(opening[2]) - signed(opening[3])
        if cost < least:
            best, least = opening, cost
    return best


@native()
def capture_value(boxes: float, loss: float, rest: float) -> float:
    """Return the value, in boxes for the seat that takes, of a position with *boxes* to take.

    It is boxes + rest, or boxes + max(rest, -loss - rest) if *loss* > 0. *rest* is the value of
    what is left for the seat that moves there; *loss* that of a double-cross (4 or 8; 0: there is
    none).
    """
    return boxes + (max(rest, -loss - rest) if loss else rest)


@native()
def end_value(workspace: DotsWorkspace, across: Word, down: Word) -> int:
    """Return the value of a position without safe lines: boxes, the mover's less the rival's.

    *across* and *down* are the bits of its undrawn lines; 0 if there are none. The position must be
    quiet: not checked. The sides open the chains in the order of `cheapest`, and take all boxes or
    double-cross, whichever is best if that order stays. The root's frame and `DotsWorkspace.order`
    are overwritten.
    """
    steps = ZERO
    while across | down:
        fill_root_frame(workspace, across, down)
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
def playout(workspace: DotsWorkspace, tree: PlayoutTree, across: Word, down: Word) -> int:
    """Return the value of a position by random safe lines and `end_value`, in boxes for its mover.

    *across* and *down* are the bits of the undrawn lines; the position must be quiet: not checked.
    The tree's random state advances; what `end_value` overwrites is overwritten.
    """
    turn = 1
    while True:
        _, two, _ = degrees(workspace, across, down)
        safe_across, safe_down = safe_line_words(workspace, across, down, two)
        if not safe_across | safe_down:
            return turn * end_value(workspace, across, down)
        line_across, line_down = any_bit(tree, safe_across, safe_down)
        across ^= line_across
        down ^= line_down
        turn = -turn


@native()
def add_node(tree: PlayoutTree, across: Word, down: Word, boxes: Word, loss: Word) -> None:
    """Append a node for the position with the undrawn lines *across* and *down* (bits) to the tree.

    *boxes* (given away) and *loss* (of a double-cross, in boxes) are the terms of going there.
    There must be room, not checked.
    """
    node = playout_node_at(tree.nodes, tree.node_count)
    tree.node_count += ONE
    node.across, node.down = across, down
    node.visits, node.total, node.first, node.child_count = ZERO, 0, ZERO, ZERO
    node.terms.boxes, node.terms.loss = boxes, loss


@native()
def add_children(workspace: DotsWorkspace, tree: PlayoutTree, node: PlayoutNode) -> None:
    """Append the children of a node to the tree: safe lines, the central ones first, then openings.

    Write `first` and `child_count` of *node*. There are at most MOST_CHILDREN children, for which
    there must be room: not checked. The root's frame is overwritten.
    """
    across, down, first = node.across, node.down, tree.node_count
    two = fill_root_frame(workspace, across, down)
    safe_across, safe_down = safe_line_words(workspace, across, down, two)
    for each in span(ZERO, workspace.ring_count):
        ring = workspace.rings[each]
        todo_across, todo_down = safe_across & ring.across, safe_down & ring.down
        while todo_across:
            add_node(tree, across ^ bottom_bit(todo_across), down, ZERO, ZERO)
            todo_across &= todo_across - ONE
        while todo_down:
            add_node(tree, across, down ^ bottom_bit(todo_down), ZERO, ZERO)
            todo_down &= todo_down - ONE
    frame = dots_frame_at(workspace.frames, ROOT_FRAME)
    for each in span(ZERO, frame.chain_count):
        rest_across, rest_down, boxes, loss = after_opening(
            workspace, frame.position, frame.chains[each]
        )
        add_node(tree, rest_across, rest_down, boxes, loss)
    node.first, node.child_count = first, tree.node_count - first


@native()
def mean_value(node: PlayoutNode) -> float:
    """Return the mean value of the playouts from a node, in boxes for its mover.

    The node must have been visited: not checked.
    """
    return float(node.total) / float(node.visits)


@native()
def uct_value(child: PlayoutNode, expected: float, weight: float) -> float:
    """Return the upper confidence bound, in boxes, of a child for the side that moves above it.

    It is minus the `capture_value` of the child's terms and mean value, plus *weight* / sqrt(visits
    + 1); for a child never visited it is *expected* + *weight*.
    """
    visits = float(child.visits)
    if visits == 0.0:
        return expected + weight
    value = -capture_value(float(child.terms.boxes), float(child.terms.loss), mean_value(child))
    return value + weight / math.sqrt(visits + 1.0)


@native()
def best_child(tree: PlayoutTree, node: PlayoutNode) -> Word:
    """Return the index in the tree of the child of *node* with the highest `uct_value`.

    The first of equals. The node must have been visited and have children: not checked.
    """
    best, most = ZERO, -1e9
    expected = mean_value(node)
    weight = DOTS_EXPLORATION * math.sqrt(math.log(float(node.visits) + 1.0))
    for number in span(node.first, node.first + node.child_count):
        value = uct_value(playout_node_at(tree.nodes, number), expected, weight)
        if value > most:
            best, most = number, value
    return best


@native()
def add_result(workspace: DotsWorkspace, tree: PlayoutTree, steps: Word, value: int) -> None:
    """Add *value* to the last of the *steps* + 1 nodes on the workspace's path, and to all above.

    *value* is in boxes for the mover of the last node; on the way up it is turned by the terms of
    each step into the value for the mover of the node above. The taker double-crosses where that is
    better by the mean value of the node. Each node's visits grow by 1.
    """
    while True:
        node = playout_node_at(tree.nodes, workspace.path[steps])
        node.visits += ONE
        node.total += value
        if not steps:
            return
        boxes, loss = signed(node.terms.boxes), signed(node.terms.loss)
        crossed = loss and 2.0 * mean_value(node) < -float(loss)
        value = -boxes + (loss + value if crossed else -value)
        steps -= ONE


@native()
def visit_once(workspace: DotsWorkspace, tree: PlayoutTree) -> None:
    """Go down the tree to a leaf, play out from there, and add the result to all nodes on the way.

    A leaf that was visited before gets its children first, if there is room for them; then the way
    goes on to one of these. The tree's random state advances; `path` and `order` of the workspace
    and the root's frame are overwritten.
    """
    number, steps = ZERO, ZERO
    workspace.path[steps] = number
    while True:
        node = playout_node_at(tree.nodes, number)
        full = tree.node_count + MOST_CHILDREN > tree.most_nodes
        if not node.child_count and node.visits and not full:
            add_children(workspace, tree, node)
        if not node.child_count:
            break
        number = best_child(tree, node)
        steps += ONE
        workspace.path[steps] = number
    add_result(workspace, tree, steps, playout(workspace, tree, node.across, node.down))


@native(kinds.void(WORD, PLAYOUT_TREE))
def visit_until_spent(address: Word, tree: PlayoutTree) -> None:
    """Visit the tree until the nodes are spent (a visit counts as one) or the search is stopped.

    *address* is the address of the workspace; the first node of *tree* must be the position in
    question, and the workspace that of its board: not checked. A visit takes as long as a hundred
    nodes of a search, so the stop flag is read before each.
    """
    workspace = dots_workspace_at(address, ZERO)
    words = words_at(workspace.controls)
    while not load_shared(words, STOP) and next_node(workspace):
        visit_once(workspace, tree)
