"""Monte Carlo tree search for every game: random games, and more of them where they went well.

The twin of `papan.agents.mcts.PlainTree`, game by game. First the tree: its nodes, which of them to
visit, and what is proven of them; then the search; last what Python owns and reads.

Margins and their bounds are those of seat 0; wins and the sum of margins are those of the seat that
chose the node. Nodes lie one after the other and are known by their number; the root is 0.
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
from papan.engine.board import key, legal, margin, play, turn
from papan.engine.control import GOES_ON, STOP, STOPPED, Words, run_within, spend
from papan.engine.memory import address, fill, kind, layout, new, records_at
from papan.engine.native import (
    ONE,
    SPLIT,
    WORD,
    ZERO,
    Word,
    kinds,
    load,
    load_shared,
    native,
    scaled,
    signed,
    span,
    splitmix,
    store,
    words_at,
)
from papan.engine.workspace import whole

U = np.uint64
SCORE, FLAG = kinds.float64, kinds.boolean


class Node:
    """A position in the tree."""

    child: Word
    sibling: Word
    """Its newest child and its older sibling; 0 for none."""
    move: Word
    mover: Word
    """The move to it, and who made it."""
    turn: Word
    untried: Word
    """How many of its moves have not been tried."""
    visits: Word
    wins: float
    margin: float
    """The games through it, and what they came to."""
    low: float
    high: float
    """What is proven."""
    key: Word
    """What tells its position."""


class Workspace:
    """One search: its settings, its counts, and the addresses of all else."""

    controls: Word
    tree: Word
    node_count: Word
    most_nodes: Word
    """The nodes; how many there are, and at most."""
    random_state: Word
    """The random state."""
    exploration: float
    largest: float
    shares: bool
    """The largest margin, and whether the share of it counts."""
    stamp: Word
    """A number that grows with each look at the moves tried."""
    depth: Word
    deepest: Word
    """How deep the last game went down the tree, and how deep any did."""
    length: Word
    sample: Word
    """The last game: how many moves, and where they are."""
    path: Word
    marks: Word
    moves: Word
    """Where the nodes of the last game are, a mark for each move, and the moves of a position."""


NODE, WORKSPACE = kind(Node), kind(Workspace)
node_at = records_at(Node)


@native(kinds.int64(WORKSPACE, kinds.int64))
def below(workspace: Workspace, bound: int) -> int:
    """A number below *bound* that chance decides."""
    workspace.random_state += SPLIT
    return signed(scaled(splitmix(workspace.random_state), U(bound)))


@native(FLAG(NODE), inline=True)
def solved(node: Node) -> bool:
    """Is the value of a node proven?"""
    return node.low == node.high


@native(FLAG(NODE), inline=True)
def leads_on(node: Node) -> bool:
    """Does a game go on from a node to one of its children? All of its moves have been tried."""
    return node.untried == ZERO and node.child != ZERO and not solved(node)


@native(kinds.UniTuple(SCORE, 2)(NODE, WORD), inline=True)
def bounds(node: Node, seat: Word) -> tuple[float, float]:
    """What is proven of a node, as a seat sees it."""
    return (-node.high, -node.low) if seat else (node.low, node.high)


@native(WORD(WORKSPACE, WORD))
def favourite(workspace: Workspace, number: Word) -> Word:
    """The child with the best upper confidence bound, as the seat that chooses sees it.

    At the root games go to what is open: to what may be better than all that is proven. Further
    down a proven child takes part as long as no better one is proven: else its parent would look
    worse than it is.
    """
    node = node_at(workspace.tree, number)
    floor, _ = bounds(node, node.turn)
    bonus = workspace.exploration * math.sqrt(math.log(float(node.visits)))
    best, chosen, each = -1.0, number, node.child
    while each:
        child = node_at(workspace.tree, each)
        low, high = bounds(child, node.turn)
        if high > floor or (number and low == floor):
            visits = float(child.visits)
            bound = child.wins / visits + bonus / math.sqrt(visits)
            if bound > best:
                best, chosen = bound, each
        each = child.sibling
    return chosen


@native(WORD(WORKSPACE, NODE, kinds.int64))
def untried(workspace: Workspace, node: Node, count: int) -> Word:
    """One of the moves of a node that have not been tried; *count* legal ones are listed."""
    marks, moves = words_at(workspace.marks), words_at(workspace.moves)
    stamp = workspace.stamp + ONE
    workspace.stamp = stamp
    each = node.child
    while each:
        child = node_at(workspace.tree, each)
        store(marks, child.move, stamp)
        each = child.sibling
    left = below(workspace, signed(node.untried))
    for at in range(count):
        move: Word = load(moves, at)
        if load(marks, move) != stamp:
            if left == 0:
                return move
            left -= 1
    return ZERO


@native(WORD(WORKSPACE, NODE, WORD))
def grow(workspace: Workspace, parent: Node, move: Word) -> Word:
    """A new child of a node."""
    number = workspace.node_count
    workspace.node_count = number + ONE
    node = node_at(workspace.tree, number)
    node.child, node.sibling = ZERO, parent.child
    node.move, node.mover = move, parent.turn
    node.visits, node.wins, node.margin = ZERO, 0.0, 0.0
    node.low, node.high = -workspace.largest, workspace.largest
    parent.child = number
    parent.untried -= ONE
    return number


@native(kinds.void(WORKSPACE, WORD))
def follow(workspace: Workspace, number: Word) -> None:
    """Go down the tree to a node."""
    workspace.depth += ONE
    store(words_at(workspace.path), workspace.depth, number)
    workspace.deepest = max(workspace.depth, workspace.deepest)


@native(kinds.void(WORKSPACE, WORD))
def note(workspace: Workspace, move: Word) -> None:
    """Take down a move of the game."""
    store(words_at(workspace.sample), workspace.length, move)
    workspace.length += ONE


@native(FLAG(WORKSPACE, NODE))
def infer(workspace: Workspace, node: Node) -> bool:
    """Prove what follows from the children of a node; is there news?"""
    old_low, old_high = bounds(node, node.turn)
    low = high = -np.inf
    each = node.child
    while each:
        child = node_at(workspace.tree, each)
        child_low, child_high = bounds(child, node.turn)
        low, high = max(low, child_low), max(high, child_high)
        each = child.sibling
    low = max(low, old_low)
    if node.untried:
        high = old_high
    node.low, node.high = (-high, -low) if node.turn else (low, high)
    return low != old_low or high != old_high


@native(SCORE(WORKSPACE, SCORE), inline=True)
def reward(workspace: Workspace, margin: float) -> float:
    """A margin as a number from 0 to 1."""
    if workspace.shares:
        return margin / workspace.largest
    return 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0


@native(kinds.void(WORKSPACE, WORD, SCORE))
def backpropagate(workspace: Workspace, number: Word, margin: float) -> None:
    """Add a game that ended the path at a node to all nodes of it, and prove what can be."""
    last, path, depth = node_at(workspace.tree, number), words_at(workspace.path), workspace.depth
    if solved(last):
        margin = last.low
    for at in span(ZERO, depth + ONE):
        node = node_at(workspace.tree, load(path, at))
        own = -margin if node.mover else margin
        node.visits += ONE
        node.wins += reward(workspace, own)
        node.margin += own
    news = solved(last) and depth > ZERO
    while news:
        depth -= ONE
        news = infer(workspace, node_at(workspace.tree, load(path, depth))) and depth > ZERO


@native(kinds.void(NODE, NODE), inline=True)
def copy(source: Node, target: Node) -> None:
    """Make a node the same as another one, but for its sibling."""
    target.child, target.sibling = source.child, ZERO
    target.move, target.mover = source.move, source.mover
    target.turn, target.untried = source.turn, source.untried
    target.visits, target.wins, target.margin = source.visits, source.wins, source.margin
    target.low, target.high, target.key = source.low, source.high, source.key


@native(WORD(WORD, WORD, WORD))
def transplant(old: Word, number: Word, new: Word) -> Word:
    """Copy what grows from a node to a new tree, which has room for it; its size."""
    copy(node_at(old, number), node_at(new, ZERO))
    at, size = ZERO, ONE
    while at < size:
        parent = node_at(new, at)
        each, parent.child, last = parent.child, ZERO, ZERO  # still one of the old tree
        while each:
            child = node_at(old, each)
            copy(child, node_at(new, size))
            if last:
                node_at(new, last).sibling = size
            else:
                parent.child = size
            last = size
            size += ONE
            each = child.sibling
        at += ONE
    return size


@native()
def play_out(rules: Any, board: Any, workspace: Workspace) -> float:
    """The margin of seat 0 at the end of a game played on at random."""
    moves = words_at(workspace.moves)
    count = legal(rules, board, moves, 0)
    while count:
        move = load(moves, below(workspace, count))
        note(workspace, move)
        board = play(rules, board, signed(move))
        count = legal(rules, board, moves, 0)
    final: float = margin(rules, board, 0)
    return final


@native()
def iterate(rules: Any, board: Any, workspace: Workspace) -> None:
    """One game: down the tree, one new position, at random to the end, and back up."""
    workspace.depth = workspace.length = ZERO
    moves, number = words_at(workspace.moves), ZERO
    node = node_at(workspace.tree, number)
    while leads_on(node):
        number = favourite(workspace, number)
        node = node_at(workspace.tree, number)
        follow(workspace, number)
        note(workspace, node.move)
        board = play(rules, board, signed(node.move))
    if workspace.node_count < workspace.most_nodes and node.untried and not solved(node):
        move = untried(workspace, node, legal(rules, board, moves, 0))
        number = grow(workspace, node, move)
        node = node_at(workspace.tree, number)
        follow(workspace, number)
        note(workspace, move)
        board = play(rules, board, signed(move))
        count = legal(rules, board, moves, 0)
        node.turn, node.untried, node.key = U(turn(rules, board)), U(count), key(board)
        if count == 0:
            node.low = node.high = margin(rules, board, 0)
    backpropagate(workspace, number, play_out(rules, board, workspace))


@native()
def search(rules: Any, root: Any, workspace: Workspace, games: int) -> int:
    """Play so many games, or until all is proven; how the search stands then."""
    controls = words_at(workspace.controls)
    for _ in range(games):
        standing = spend(controls)
        if standing != GOES_ON:
            return standing
        iterate(rules, root, workspace)
        if solved(node_at(workspace.tree, ZERO)):
            break
        if load_shared(controls, STOP):  # a game may take as long as a thousand nodes elsewhere
            return STOPPED
    return GOES_ON


# What Python owns and reads.

MOST_NODES = 2**20
"""When a tree has grown so large, about 100 megabytes, games no longer add positions to it."""
ENDLESS = 2**62

Nodes = NDArray[Any]
"""Records of the kernel's nodes."""


def sprout(nodes: int) -> Nodes:
    """Room for so many nodes."""
    return np.zeros(nodes, layout(Node))


class NativeNode:
    """A position in the tree, as the records of the kernel tell of it now."""

    def __init__(self, tree: Nodes, number: int) -> None:
        self._tree, self.number = tree, number
        self._child, self._sibling, self.move, self.mover, self.turn, *rest = tree[number].tolist()
        self.untried, self.visits, *numbers, _ = rest
        self.wins, self.margin, self.low, self.high = map(whole, numbers)

    @cached_property
    def children(self) -> Sequence[NativeNode]:
        """What has been tried, the newest first."""
        found, number = [], self._child
        while number:
            found.append(NativeNode(self._tree, number))
            number = found[-1]._sibling
        return found


class NativeTree:
    """A tree in the records of the kernel: its games explore so much, by the chance of a seed."""

    emit_every: ClassVar[int] = 2**15

    def __init__(self, position: Position, settings: tuple[float, int], form: Native) -> None:
        self.settings, self.game, self.form = settings, position.game, form
        (exploration, seed), largest = settings, self.game.largest_margin
        self.tree, turn = sprout(1), position.turn
        untried = len(position.moves())
        fill(self.tree[0], mover=turn, turn=turn, untried=untried, low=-largest, high=largest)
        self._sample, self._path = np.zeros((2, form.deepest + 2), np.uint64)
        self._marks = np.zeros(position.game.move_count, np.uint64)
        self._moves = np.zeros(form.widest + 1, np.uint64)
        self.workspace = new(
            Workspace,
            node_count=1,
            random_state=random.Random(f"{seed} {position}").getrandbits(64),
            exploration=exploration,
            largest=largest,
            shares=self.game.seats == 1 and math.isfinite(largest),
            sample=address(self._sample),
            path=address(self._path),
            marks=address(self._marks),
            moves=address(self._moves),
        )

    @property
    def root(self) -> NativeNode:
        return NativeNode(self.tree, 0)

    @property
    def deepest(self) -> int:
        return int(self.workspace.deepest)

    @property
    def sample(self) -> list[Move]:
        sample: list[Move] = self._sample[: int(self.workspace.length)].tolist()
        return sample

    def play(self, games: float, thinking: Thinking) -> None:
        count = int(min(games, thinking.limit.nodes - thinking.nodes + 1, ENDLESS))
        self._make_room(count)

        def run(controls: Words) -> int:
            fill(self.workspace, controls=address(controls))
            return search(self.form.rules, self.form.board, self.workspace, count)

        if self.root.low != self.root.high:
            run_within(thinking, run)

    def _make_room(self, games: int) -> None:
        """Let the tree have room for a node from each of so many games."""
        size = int(self.workspace.node_count)
        room = min(size + games, MOST_NODES)
        if room > self.tree.size:
            larger = sprout(room)
            larger[:size] = self.tree[:size]
            self.tree = larger
        fill(self.workspace, tree=address(self.tree), most_nodes=self.tree.size)

    def at(self, position: Position) -> NativeTree | None:
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
        later.tree = sprout(size)
        old, grown = address(self.tree), address(later.tree)
        fill(later.workspace, node_count=transplant(old, np.uint64(node.number), grown))
        later._turn_root()
        return later

    def _turn_root(self) -> None:
        """See the root as the seat that is to move, not as the one that led here."""
        root = self.root
        if root.mover != root.turn:
            wins = root.visits - root.wins
            fill(self.tree[0], wins=wins, margin=-root.margin, mover=root.turn)
