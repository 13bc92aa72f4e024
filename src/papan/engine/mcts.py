"""Monte Carlo tree search for every game: random games, more of them where they went well.

The twin of `papan.agents.mcts.PlainTree`, game by game. First the tree: its nodes, which of them to
visit, and what is proved of them; then the search; last what Python owns and reads.

Margins and their bounds are those of seat 0; wins and the sum of margins are those of the seat that
chose the node. Nodes lie in one array and are identified by their number; the root is 0.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from papan.core import Move, Native, Position, Thinking, native_form
from papan.engine.board import for_kernels, key, legal, margin, play, turn
from papan.engine.control import GOES_ON, STOP, STOPPED, Words, run_within, spend
from papan.engine.memory import address_of, fill, kind, layout, new, records_at
from papan.engine.native import (
    ONE,
    SPLIT,
    WORD,
    ZERO,
    Word,
    kinds,
    load_shared,
    load_word,
    native,
    scaled_random,
    signed,
    span,
    splitmix,
    store,
    words_at,
)
from papan.engine.workspace import without_fraction

SCORE, FLAG = kinds.float64, kinds.boolean


class MctsNode:
    """A position in the tree, and the results of the games through it."""

    child: Word
    """Number of its newest child; 0 for none."""
    sibling: Word
    """Number of its next older sibling; 0 for none."""
    move: Word
    """The move that leads to it."""
    mover: Word
    """The seat that made the move."""
    turn: Word
    """The seat to move at it."""
    untried: Word
    """Number of its moves that have not been tried."""
    visits: Word
    """Games through it."""
    wins: float
    """Sum of their rewards, each from 0 to 1, for `mover`."""
    margin: float
    """Sum of their margins, in points for `mover`."""
    low: float
    """Proved lower bound of the margin of seat 0, in points."""
    high: float
    """Proved upper bound of it."""
    key: Word
    """Hash of its position; 0 at the root of a tree that did not grow from another one."""


class MctsWorkspace:
    """One search: its settings, its counts, and the addresses of its arrays."""

    controls: Word
    """Address of the words shared with the caller: `papan.engine.control`."""
    tree: Word
    """Address of the nodes."""
    node_count: Word
    """Number of nodes."""
    most_nodes: Word
    """Nodes that fit into the array; then games add none."""
    random_state: Word
    """The state that all random numbers are drawn from."""
    exploration: float
    """The factor of the bonus for few visits, in `favourite`."""
    largest: float
    """The largest margin of the game, in points."""
    shares: bool
    """True if rewards are shares of the largest margin: in games for one seat, if it is finite."""
    stamp: Word
    """A number that `untried` increases by 1 each time; see `marks`."""
    depth: Word
    """Depth in the tree that the last game reached."""
    deepest: Word
    """Depth that any game reached."""
    length: Word
    """Moves of the last game."""
    sample: Word
    """Address of these moves."""
    path: Word
    """Address of the nodes on the path of the last game."""
    marks: Word
    """Address of a word for each move of the game: `stamp` while it is known to be tried already.

    Less than `stamp` for other moves.
    """
    moves: Word
    """Address of the buffer for the legal moves of a position."""


MCTS_NODE, MCTS_WORKSPACE = kind(MctsNode), kind(MctsWorkspace)
mcts_node_at = records_at(MctsNode)


@native(kinds.int64(MCTS_WORKSPACE, kinds.int64))
def random_below(workspace: MctsWorkspace, bound: int) -> int:
    """Return a random number from 0 to *bound* - 1, and advance the workspace's random state.

    *bound* is from 1 to 2**32.
    """
    workspace.random_state += SPLIT
    return signed(scaled_random(splitmix(workspace.random_state), Word(bound)))


@native(FLAG(MCTS_NODE), inline=True)
def is_solved(node: MctsNode) -> bool:
    """Return whether the margin of a node is proved: its bounds are equal."""
    return node.low == node.high


@native(FLAG(MCTS_NODE), inline=True)
def leads_on(node: MctsNode) -> bool:
    """Return whether a game goes on to a child: it has one, no untried move, and is not solved."""
    return node.untried == ZERO and node.child != ZERO and not is_solved(node)


@native(kinds.UniTuple(SCORE, 2)(MCTS_NODE, WORD), inline=True)
def node_bounds(node: MctsNode, seat: Word) -> tuple[float, float]:
    """Return the proved (low, high) of a node's margin, in points for *seat*, 0 or 1."""
    return (-node.high, -node.low) if seat else (node.low, node.high)


@native(WORD(MCTS_WORKSPACE, WORD))
def favourite(workspace: MctsWorkspace, number: Word) -> Word:
    """Return the number of the child with the best upper confidence bound for the seat to move.

    *number* is that of the parent, which must have been visited, as must all children. The bound is
    wins / visits + exploration * sqrt(log(parent's visits) / visits). A child takes part if its
    proved upper bound of the margin is above the parent's lower one, for the seat to move there;
    below the root also if its lower bound equals the parent's: else the parent would look worse
    than it is. If none takes part, *number* itself is returned.
    """
    node = mcts_node_at(workspace.tree, number)
    floor, _ = node_bounds(node, node.turn)
    bonus = workspace.exploration * math.sqrt(math.log(float(node.visits)))
    best, chosen, each = -1.0, number, node.child
    while each:
        child = mcts_node_at(workspace.tree, each)
        low, high = node_bounds(child, node.turn)
        if high > floor or (number and low == floor):
            visits = float(child.visits)
            bound = child.wins / visits + bonus / math.sqrt(visits)
            if bound > best:
                best, chosen = bound, each
        each = child.sibling
    return chosen


@native(WORD(MCTS_WORKSPACE, MCTS_NODE, kinds.int64))
def untried(workspace: MctsWorkspace, node: MctsNode, count: int) -> Word:
    """Return a random one of the moves of *node* that have no child yet.

    The first *count* words at `workspace.moves` must be its legal moves: not checked. The node must
    have an untried move.
    """
    marks, moves = words_at(workspace.marks), words_at(workspace.moves)
    stamp = workspace.stamp + ONE
    workspace.stamp = stamp
    each = node.child
    while each:
        child = mcts_node_at(workspace.tree, each)
        store(marks, child.move, stamp)
        each = child.sibling
    left = random_below(workspace, signed(node.untried))
    for at in range(count):
        move: Word = load_word(moves, at)
        if load_word(marks, move) != stamp:
            if left == 0:
                return move
            left -= 1
    return ZERO


@native(WORD(MCTS_WORKSPACE, MCTS_NODE, WORD))
def add_child(workspace: MctsWorkspace, parent: MctsNode, move: Word) -> Word:
    """Add a child for *move* to a node and return the child's number.

    There must be room for it, not checked. The caller writes its `turn`, `untried` and `key`, and
    its bounds if the game is over.
    """
    number = workspace.node_count
    workspace.node_count = number + ONE
    node = mcts_node_at(workspace.tree, number)
    node.child, node.sibling = ZERO, parent.child
    node.move, node.mover = move, parent.turn
    node.visits, node.wins, node.margin = ZERO, 0.0, 0.0
    node.low, node.high = -workspace.largest, workspace.largest
    parent.child = number
    parent.untried -= ONE
    return number


@native(kinds.void(MCTS_WORKSPACE, WORD))
def follow(workspace: MctsWorkspace, number: Word) -> None:
    """Add the node *number* to the path of the current game, and 1 to `depth`.

    `deepest` is raised to that if it is less.
    """
    workspace.depth += ONE
    store(words_at(workspace.path), workspace.depth, number)
    workspace.deepest = max(workspace.depth, workspace.deepest)


@native(kinds.void(MCTS_WORKSPACE, WORD))
def note(workspace: MctsWorkspace, move: Word) -> None:
    """Append *move* to the moves of the current game at `sample`, and add 1 to `length`."""
    store(words_at(workspace.sample), workspace.length, move)
    workspace.length += ONE


@native(FLAG(MCTS_WORKSPACE, MCTS_NODE))
def infer(workspace: MctsWorkspace, node: MctsNode) -> bool:
    """Update the bounds of a node from those of its children; return whether they changed.

    For the seat to move, its low bound becomes the best low one if that is higher; its high bound
    becomes the best high one once all moves have been tried. There must be a child.
    """
    old_low, old_high = node_bounds(node, node.turn)
    low = high = -np.inf
    each = node.child
    while each:
        child = mcts_node_at(workspace.tree, each)
        child_low, child_high = node_bounds(child, node.turn)
        low, high = max(low, child_low), max(high, child_high)
        each = child.sibling
    low = max(low, old_low)
    if node.untried:
        high = old_high
    node.low, node.high = (-high, -low) if node.turn else (low, high)
    return low != old_low or high != old_high


@native(SCORE(MCTS_WORKSPACE, SCORE), inline=True)
def reward(workspace: MctsWorkspace, margin: float) -> float:
    """Return the reward, 0 to 1, of a *margin* in points, for the same seat.

    It is 1 for a win, 0.5 for a draw and 0 for a loss; with `shares` it is margin / largest, for a
    margin from 0 to `largest`.
    """
    if workspace.shares:
        return margin / workspace.largest
    return 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0


@native(kinds.void(MCTS_WORKSPACE, WORD, SCORE))
def backpropagate(workspace: MctsWorkspace, number: Word, margin: float) -> None:
    """Add a game that ended with *margin* for seat 0 to its path, and update what is proved.

    *margin* is in points; *number* is the last node of the path. If it is solved, its proved margin
    counts instead.
    """
    last, path, depth = (
        mcts_node_at(workspace.tree, number),
        words_at(workspace.path),
        workspace.depth,
    )
    if is_solved(last):
        margin = last.low
    for at in span(ZERO, depth + ONE):
        node = mcts_node_at(workspace.tree, load_word(path, at))
        own = -margin if node.mover else margin
        node.visits += ONE
        node.wins += reward(workspace, own)
        node.margin += own
    news = is_solved(last) and depth > ZERO
    while news:
        depth -= ONE
        node = mcts_node_at(workspace.tree, load_word(path, depth))
        news = infer(workspace, node) and depth > ZERO


@native(kinds.void(MCTS_NODE, MCTS_NODE), inline=True)
def copy_node(source: MctsNode, target: MctsNode) -> None:
    """Copy all fields of the node *source* to *target*, except its sibling, which becomes 0."""
    target.child, target.sibling = source.child, ZERO
    target.move, target.mover = source.move, source.mover
    target.turn, target.untried = source.turn, source.untried
    target.visits, target.wins, target.margin = source.visits, source.wins, source.margin
    target.low, target.high, target.key = source.low, source.high, source.key


@native(WORD(WORD, WORD, WORD))
def transplant(old: Word, number: Word, new: Word) -> Word:
    """Copy the subtree of node *number* of the tree *old* to *new*; return its number of nodes.

    Both are addresses of node arrays; *new* must have room for the subtree, not checked. The node
    becomes number 0 of *new*; children keep their order. *old* stays as it is.
    """
    copy_node(mcts_node_at(old, number), mcts_node_at(new, ZERO))
    at, size = ZERO, ONE
    while at < size:
        parent = mcts_node_at(new, at)
        each, parent.child, last = parent.child, ZERO, ZERO  # still one of the old tree
        while each:
            child = mcts_node_at(old, each)
            copy_node(child, mcts_node_at(new, size))
            if last:
                mcts_node_at(new, last).sibling = size
            else:
                parent.child = size
            last = size
            size += ONE
            each = child.sibling
        at += ONE
    return size


@native()
def play_out(rules: Any, board: Any, workspace: MctsWorkspace) -> float:
    """Play random moves to the end of the game; return the final margin of seat 0 in points.

    *rules* and *board* are the native form of the position to begin with, which may be the end. The
    moves are added to the sample.
    """
    moves = words_at(workspace.moves)
    count = legal(rules, board, moves, 0)
    while count:
        move = load_word(moves, random_below(workspace, count))
        note(workspace, move)
        board = play(rules, board, signed(move))
        count = legal(rules, board, moves, 0)
    final: float = margin(rules, board, 0)
    return final


@native()
def iterate(rules: Any, board: Any, workspace: MctsWorkspace) -> None:
    """Play one game: down the tree, one new node, at random to the end, and back up the path.

    *rules* and *board* are the native form of the root. There is no new node where the tree is full
    or the path ends in a solved node. The tree, the path, the sample and the random state of
    *workspace* are changed.
    """
    workspace.depth = workspace.length = ZERO
    moves, number = words_at(workspace.moves), ZERO
    node = mcts_node_at(workspace.tree, number)
    while leads_on(node):
        number = favourite(workspace, number)
        node = mcts_node_at(workspace.tree, number)
        follow(workspace, number)
        note(workspace, node.move)
        board = play(rules, board, signed(node.move))
    if workspace.node_count < workspace.most_nodes and node.untried and not is_solved(node):
        move = untried(workspace, node, legal(rules, board, moves, 0))
        number = add_child(workspace, node, move)
        node = mcts_node_at(workspace.tree, number)
        follow(workspace, number)
        note(workspace, move)
        board = play(rules, board, signed(move))
        count = legal(rules, board, moves, 0)
        node.turn, node.untried, node.key = Word(turn(rules, board)), Word(count), key(board)
        if count == 0:
            node.low = node.high = margin(rules, board, 0)
    backpropagate(workspace, number, play_out(rules, board, workspace))


@native()
def search(rules: Any, root: Any, workspace: MctsWorkspace, games: int) -> int:
    """Play *games*, fewer if the root is solved; return GOES_ON, or OUT_OF_NODES or STOPPED.

    *rules* and *root* are the native form of the root, which is not solved yet. A game counts as a
    node; GOES_ON means that all were played or the root was solved.
    """
    controls = words_at(workspace.controls)
    for _ in range(games):
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        iterate(rules, root, workspace)
        if is_solved(mcts_node_at(workspace.tree, ZERO)):
            break
        if load_shared(controls, STOP):  # a game may take as long as a thousand nodes elsewhere
            return STOPPED
    return GOES_ON


# What Python owns and reads.

MOST_MCTS_NODES = 2**20
"""Nodes of a tree at most, about 100 megabytes; from then on games add no nodes."""
MOST_GAMES = 2**62

MctsNodes = NDArray[Any]
"""An array of node records."""


def new_nodes(nodes: int) -> MctsNodes:
    """Return an array of *nodes* empty node records, as `MctsNode` describes them."""
    return np.zeros(nodes, layout(MctsNode))


class NativeNode:
    """A copy of node number *number* of *tree*, an array of records, as it is now.

    Its attributes move, mover, turn, untried, visits, wins, margin, low and high are the fields of
    `MctsNode`; a float that is whole has become an int.
    """

    def __init__(self, tree: MctsNodes, number: int) -> None:
        self._tree, self.number = tree, number
        self._child, self._sibling, self.move, self.mover, self.turn, *rest = tree[number].tolist()
        self.untried, self.visits, *numbers, _ = rest
        self.wins, self.margin, self.low, self.high = map(without_fraction, numbers)

    @cached_property
    def children(self) -> Sequence[NativeNode]:
        """The node's children, newest first; copied when first asked for."""
        found, number = [], self._child
        while number:
            found.append(NativeNode(self._tree, number))
            number = found[-1]._sibling
        return found


class NativeTree:
    """A search tree of one position in the kernel's records; *settings* are (exploration, seed).

    Exploration is the factor of the bonus for few visits, in `favourite`; seed and position decide
    all random numbers. *form* is the native form of the position.
    """

    emit_every: ClassVar[int] = 2**15
    """Games between two events, at most."""

    def __init__(self, position: Position, settings: tuple[float, int], form: Native) -> None:
        self.settings, self.game, self.form = settings, position.game, form
        self.rules = for_kernels(form.rules)
        (exploration, seed), largest = settings, self.game.largest_margin
        self.tree, turn = new_nodes(1), position.turn
        untried = len(position.moves())
        fill(self.tree[0], mover=turn, turn=turn, untried=untried, low=-largest, high=largest)
        self._sample, self._path = np.zeros((2, form.deepest + 2), np.uint64)
        self._marks = np.zeros(position.game.move_count, np.uint64)
        self._moves = np.zeros(form.widest + 1, np.uint64)
        self.workspace = new(
            MctsWorkspace,
            node_count=1,
            random_state=random.Random(f"{seed} {position}").getrandbits(64),
            exploration=exploration,
            largest=largest,
            shares=self.game.seats == 1 and math.isfinite(largest),
            sample=address_of(self._sample),
            path=address_of(self._path),
            marks=address_of(self._marks),
            moves=address_of(self._moves),
        )

    @property
    def root(self) -> NativeNode:
        """A copy of the root as it is now, with its results for the seat to move."""
        return NativeNode(self.tree, 0)

    @property
    def deepest(self) -> int:
        """The greatest depth that a game has reached in the tree, in plies; 0 before the first."""
        return int(self.workspace.deepest)

    @property
    def sample(self) -> list[Move]:
        """The moves of the last game, from the root to its end; empty before the first."""
        sample: list[Move] = self._sample[: int(self.workspace.length)].tolist()
        return sample

    def play(self, games: float, thinking: Thinking) -> None:
        """Play *games* more (inf: no bound), fewer if the root is solved; none if it is already.

        Each counts as a node of *thinking*. Raise OutOfBudget if that budget is spent before.
        """
        count = int(min(games, thinking.limit.nodes - thinking.nodes + 1, MOST_GAMES))
        self._make_room(count)

        def run(controls: Words) -> int:
            """Run the kernel with these control words; return its GOES_ON, OUT_OF_NODES or STOPPED.

            These are numbers of `papan.engine.control`.
            """
            fill(self.workspace, controls=address_of(controls))
            return search(self.rules, self.form.board, self.workspace, count)

        if self.root.low != self.root.high:
            run_within(thinking, run)

    def _make_room(self, games: int) -> None:
        """Make room for one node more for each of *games*, for MOST_MCTS_NODES in all at most.

        If it has not enough, the nodes move in memory. The workspace gets their address and room.
        """
        size = int(self.workspace.node_count)
        room = min(size + games, MOST_MCTS_NODES)
        if room > self.tree.size:
            larger = new_nodes(room)
            larger[:size] = self.tree[:size]
            self.tree = larger
        fill(self.workspace, tree=address_of(self.tree), most_nodes=self.tree.size)

    def at(self, position: Position) -> NativeTree | None:
        """Return a copy of the tree below *position* as a tree of its own; None if not found.

        None also for a position of another game or without a native form, and for the root of this
        tree, unless this tree was returned by `at` itself. The position is found by its hash; of
        several nodes the most visited becomes the root. This tree stays as it is.
        """
        form = native_form(position) if position.game == self.game else None
        if form is None:
            return None
        size = int(self.workspace.node_count)
        numbers = np.flatnonzero(self.tree["key"][:size] == key(form.board)).tolist()
        if not numbers:
            return None
        nodes = [NativeNode(self.tree, number) for number in numbers]
        node = max(nodes, key=lambda node: (node.visits, node.wins, node.margin))
        later = NativeTree(position, self.settings, form)
        later.tree = new_nodes(size)
        old, grown = address_of(self.tree), address_of(later.tree)
        fill(later.workspace, node_count=transplant(old, np.uint64(node.number), grown))
        later._turn_root()
        return later

    def _turn_root(self) -> None:
        """Turn the root's results, in place, to the seat to move if they are its rival's.

        Its wins become visits - wins, its margin the negative.
        """
        root = self.root
        if root.mover != root.turn:
            wins = root.visits - root.wins
            fill(self.tree[0], wins=wins, margin=-root.margin, mover=root.turn)
