"""MCTS: plays many random games, and more of them where they went well (UCT).

First the results of a search, then the plain tree, the simple twin of the compiled one in
`papan.engine.mcts`, and last the agent.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log, sqrt
from typing import ClassVar, Protocol, Self

from papan.core import (
    UNLIMITED,
    Analysis,
    Event,
    Game,
    Limit,
    Move,
    NativeAgent,
    OutOfBudget,
    Position,
    Proved,
    Share,
    Thinking,
    Value,
    margin,
    native_form,
)
from papan.core.thinking import MOST_TREE_NODES

USUAL_ITERATIONS = 1_000
WORD_MASK = 2**64 - 1
MOST_PLAIN_NODES = 2**17
"""Nodes of a plain tree at most; from then on games add none, which bounds its memory."""

MctsSettings = tuple[float, int]
"""Exploration constant and seed."""


class TreeNode(Protocol):
    """A node of the tree: a position, and results for the seat that moved there.

    *move* led to it (of the root it means nothing), *turn* is the seat to move there; *visits* is
    the number of games through it, *wins* the sum of their rewards, each from 0 to 1. *children*
    are the nodes after the moves tried, the newest first. The root has results for the seat to
    move.
    """

    @property
    def move(self) -> Move: ...
    @property
    def turn(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def wins(self) -> float: ...
    @property
    def margin(self) -> float:
        """Sum of the margins of its games, each in points for the seat that moved there."""

    @property
    def low(self) -> float:
        """Proved lower bound of the first seat's margin, in points."""

    @property
    def high(self) -> float:
        """Proved upper bound of the first seat's margin, in points."""

    @property
    def children(self) -> Sequence[Self]: ...


def bounds(node: TreeNode, seat: int) -> tuple[float, float]:
    """Return the proved (low, high) of a node's margin, in points for *seat*, 0 or 1."""
    return (-node.high, -node.low) if seat else (node.low, node.high)


def is_open(node: TreeNode, child: TreeNode) -> bool:
    """Return whether *child* may be better than what is proved for its parent *node*.

    That is so if its upper bound is above the lower one of *node*, for the seat to move there.
    """
    return bounds(child, node.turn)[1] > bounds(node, node.turn)[0]


def is_best_proven(node: TreeNode, child: TreeNode) -> bool:
    """Return whether *child* has the lower bound that is proved for its parent *node*.

    Both bounds are for the seat to move at *node*; if they are equal, no child is proved to be
    better. They are also equal where only the rules bound both margins and no search has proved
    anything.
    """
    return bounds(child, node.turn)[0] == bounds(node, node.turn)[0]


class MctsTree(Protocol):
    """A tree of positions and the games played through it: `PlainTree` or `NativeTree`."""

    emit_every: ClassVar[int]
    """Games between two events, at most."""

    @property
    def root(self) -> TreeNode:
        """The node of the position that is searched."""

    @property
    def deepest(self) -> int:
        """The most plies that any game has gone down in the tree; 0 before the first one."""

    @property
    def sample(self) -> Sequence[Move]:
        """The moves of the last game, from the root to the end; empty before the first."""

    def play(self, games: float, thinking: Thinking) -> None:
        """Play so many *games*, or fewer if the root is proved before.

        Each counts as a node of *thinking*. Raise OutOfBudget if its budget is spent before.
        """

    def at(self, position: Position) -> Self | None:
        """Return a tree for *position* that goes on with this one's results.

        None if no node has the position; of several the most visited becomes the root. This tree
        must not be used any more.
        """


def reward(game: Game, result: float) -> float:
    """Return the reward, 0 to 1, of a final margin of *result* points, for the same seat.

    It is 0, 1/2 or 1 for a loss, a draw or a win; in a game for one seat with a finite largest
    margin it is the share of that.
    """
    if game.seats == 1 and isfinite(game.largest_margin):
        return result / game.largest_margin
    return 1.0 if result > 0 else 0.5 if result == 0 else 0.0


class MctsSearch:
    """The results of the games through *tree*, for its root, *position*.

    *exploration* is the constant of UCT, for the upper confidence bounds that events show. `moves`
    are the legal moves of the root.
    """

    def __init__(self, position: Position, exploration: float, tree: MctsTree) -> None:
        self.game, self.exploration, self.tree = position.game, exploration, tree
        self.moves = position.moves()

    @property
    def solved(self) -> bool:
        """True if the value of the position is proved."""
        return self.tree.root.low == self.tree.root.high

    def favourite(self, node: TreeNode) -> TreeNode:
        """Return the child of *node* to play: the most visited, unless a proved one is better.

        Compared are two children: the most visited open one, and the most visited one with the
        proved bound of *node* that is not open. The one with the higher mean reward (exact where it
        is proved) is returned. Raise ValueError if *node* has no children.
        """

        def most_visited(children: Iterable[TreeNode]) -> list[TreeNode]:
            """Return a list with the most visited of *children* alone; empty if there are none."""
            return sorted(children, key=lambda child: (child.visits, child.wins))[-1:]

        def rating(child: TreeNode) -> tuple[float, float, float]:
            """Return the sort key of a child: mean reward, mean margin, and proved lower bound.

            They are for the seat to move at *node*; margins are in points. If the margin of the
            child is proved, all three are exact.
            """
            low, high = bounds(child, node.turn)
            if low == high:
                return reward(self.game, low), low, low
            return child.wins / child.visits, child.margin / child.visits, low

        some = most_visited(child for child in node.children if is_open(node, child))
        sure = most_visited(
            child
            for child in node.children
            if is_best_proven(node, child) and not is_open(node, child)
        )
        return max(some + sure, key=rating)

    def line(self, node: TreeNode) -> Iterator[Move]:
        """Yield the moves of the expected play from *node* on; none if it has no children."""
        while node.children:
            node = self.favourite(node)
            yield node.move

    def analysis(self, why: str) -> Analysis:
        """Return the analysis: the `favourite` move, its line, and each move's share of visits.

        The value, in points for the seat to move, is the mean margin of that move's games, or what
        is proved. Before any game it is the first legal move alone, without a value. *why* is why
        the search ended: ``exact`` or ``done``.
        """
        root = self.tree.root
        if not root.children:
            return Analysis((self.moves[0],), why=why)
        best = self.favourite(root)
        low, high = bounds(root, root.turn)
        most = self.game.largest_margin
        trivial = low == -most and high == most  # the rules alone give these bounds
        proved = Proved() if trivial else Proved(low, high)
        value = best.margin / best.visits if is_open(root, best) else low
        return Analysis(tuple(self.line(root)), value, proved, dict(self._values(high)), why=why)

    def _values(self, most: float) -> Iterator[tuple[Move, Value]]:
        """Yield each move that was tried with its value, in the order of the legal moves.

        A value is for the seat to move at the root: bounds in points if it is proved, or if the
        root is, else the move's share of the root's visits, 0 to 1. No upper bound is above *most*.
        """
        root, solved = self.tree.root, self.solved
        found = {child.move: child for child in root.children}
        for move in self.moves:
            if (child := found.get(move)) is None:
                continue
            low, high = bounds(child, root.turn)
            nodes, follows = child.visits, tuple(self.line(child))
            if solved or low == high:
                yield move, Proved(low, min(high, most), nodes=nodes, line=follows)
            else:
                yield move, Share(nodes / root.visits, nodes=nodes, line=follows)

    def emit(self, thinking: Thinking) -> None:
        """Emit a "root" event with `_event` of every legal move, and the last game as ``sample``.

        That is the names of its moves, from the root on. Raise ValueError if the root has no
        children.
        """
        name, root = self.game.move_name, self.tree.root
        found = {child.move: child for child in root.children}
        thinking.emit_root(
            self.tree.deepest,
            name(self.favourite(root).move),
            [self._event(move, found.get(move), root.visits) for move in self.moves],
            sample=[name(move) for move in self.tree.sample],
        )

    def _event(self, move: Move, node: TreeNode | None, games: int) -> Event:
        """Return JSON data on a move: name ``m``, share of visits ``v``, visits ``n``, and more.

        Also ``k``, always "visits", its win rate ``w`` (0 to 1, for the seat to move at the root),
        its upper confidence bound ``ucb`` (``w`` and a bonus for few visits), and ``pv``, the names
        of the expected play, this move first. *node* is the move's, None if it was not tried: ``w``
        and ``ucb`` are None then. *games* is the number of visits of the root, 1 or more.
        """
        facts: Event = {"m": self.game.move_name(move), "k": "visits"}
        if node is None:
            return facts | {"v": 0.0, "n": 0, "w": None, "ucb": None, "pv": [facts["m"]]}
        wins = node.wins / node.visits
        bonus = self.exploration * sqrt(log(games) / node.visits)
        return facts | {
            "v": node.visits / games,
            "n": node.visits,
            "w": wins,
            "ucb": wins + bonus,
            "pv": [self.game.move_name(each) for each in (move, *self.line(node))],
        }

    def emit_tree(self, thinking: Thinking) -> None:
        """Emit the nodes of the tree as events, ply by ply, `MOST_TREE_NODES` at most.

        A node has ``id`` and ``up`` (that of its parent), the name ``m`` of its move (both None at
        the root), its ``role`` (``max`` if the seat of the root is to move, else ``min``), ``n``
        visits, as value ``v`` its win rate, 0 to 1, for the seat that moved there (at the root, for
        the seat to move), and ``s``: ``full`` if it has children, else ``leaf``. The root must have
        been visited. Stop where `Thinking.emit_node` returns False.
        """
        root = self.tree.root
        waiting: deque[tuple[TreeNode, int | None]] = deque([(root, None)])
        for number in range(MOST_TREE_NODES):
            if not waiting:
                break
            node, up = waiting.popleft()
            children = node.children
            emitted = thinking.emit_node(
                id=number,
                up=up,
                m=None if up is None else self.game.move_name(node.move),
                role="max" if node.turn == root.turn else "min",
                v=node.wins / node.visits,
                n=node.visits,
                s="full" if children else "leaf",
            )
            if not emitted:
                break
            waiting.extend((child, number) for child in children)


class PlainNode:
    """A node of a `PlainTree`: a position, and results for *mover*, the seat that moved there.

    *move* led to it, -1 for the root; `turn` is the seat to move. `visits` counts the games through
    it, `wins` is the sum of their rewards (0 to 1) and `margin` that of their margins, in points.
    `untried` are its legal moves without a child, `children` the nodes after the moves tried, the
    newest first; `low` and `high` bound the margin of seat 0, and are infinite with more than two
    seats.
    """

    def __init__(self, position: Position, mover: int, move: Move = -1) -> None:
        self.position, self.mover, self.move = position, mover, move
        self.turn = position.turn
        self.untried = list(position.moves())
        self.children: list[PlainNode] = []
        self.visits = 0
        self.wins = self.margin = 0.0
        largest = position.game.largest_margin if position.game.seats <= 2 else inf
        self.low, self.high = -largest, largest
        if not self.untried and position.game.seats <= 2:
            self.low = self.high = margin(position, 0)

    @property
    def solved(self) -> bool:
        """True if the margin of the position is proved."""
        return self.low == self.high

    def infer(self) -> bool:
        """Update the bounds of the margin from the children's; return whether they changed.

        There must be a child. The high bound changes only when all moves have been tried.
        """
        before = bounds(self, self.turn)
        proven = [bounds(child, self.turn) for child in self.children]
        low = max(before[0], *(each for each, _ in proven))
        high = before[1] if self.untried else max(each for _, each in proven)
        self.low, self.high = (-high, -low) if self.turn else (low, high)
        return before != (low, high)


class PlainTree:
    """A search tree of positions in Python, the simple twin of `papan.engine.mcts.NativeTree`.

    *position* is the root; *settings* are (exploration, seed); the seed decides all games, with the
    position. Its members are those of `MctsTree`.
    """

    emit_every: ClassVar[int] = 1_000

    def __init__(self, position: Position, settings: MctsSettings) -> None:
        self.settings, self.game = settings, position.game
        self.exploration, seed = settings
        self.root = PlainNode(position, position.turn)
        self.deepest = 0
        self.sample: list[Move] = []
        self._random_state = random.Random(f"{seed} {position}").getrandbits(64)
        self._size = 1

    def play(self, games: float, thinking: Thinking) -> None:
        while games > 0 and not self.root.solved:
            thinking.tick()
            try:
                self._iterate(thinking)
            except OutOfBudget:
                thinking.nodes -= 1  # a game that was not played to its end counts for nothing
                raise
            games -= 1

    def at(self, position: Position) -> PlainTree | None:
        nodes = [self.root]
        for node in nodes:
            nodes += node.children
        found = [node for node in nodes if node.position == position]
        if not found:
            return None
        later = PlainTree(position, self.settings)
        later.root = max(found, key=lambda node: (node.visits, node.wins, node.margin))
        later._size = self._size  # at most: what grew elsewhere is forgotten
        later._turn_root()
        return later

    def _turn_root(self) -> None:
        """Turn the root's results, in place, to the seat to move if they are its rival's.

        Its wins become visits - wins, its margin the negative.
        """
        root = self.root
        if root.mover != root.turn:
            root.wins, root.margin = root.visits - root.wins, -root.margin
            root.mover = root.turn

    def _iterate(self, thinking: Thinking) -> None:
        """Play one game: down the tree, one new node, at random to the end, and back up.

        There is no new node where the tree has `MOST_PLAIN_NODES` or the path ends in a solved one.
        Raise OutOfBudget if the time is over or the caller has cancelled before the game is over;
        then nothing of it is counted.
        """
        node = self.root
        path = [node]
        while not (node.solved or node.untried) and node.children:
            node = self._promising(node)
            path.append(node)
        if node.untried and not node.solved and self._size < MOST_PLAIN_NODES:
            node = self._new_child(node)
            path.append(node)
        final, played = self._play_out(node.position, thinking)
        if not node.visits and len(path) > 1:
            self._add_child(path[-2], node)
        margins = [margin(final, seat) for seat in range(self.game.seats)]
        if node.solved:
            margins = [node.low, -node.low]
        for each in path:
            each.visits += 1
            each.wins += reward(self.game, margins[each.mover])
            each.margin += margins[each.mover]
        self.deepest = max(self.deepest, len(path) - 1)
        self.sample = [each.move for each in path[1:]] + played
        news = node.solved
        for each in reversed(path[:-1]):
            news = news and each.infer()

    def _promising(self, node: PlainNode) -> PlainNode:
        """Return the child with the best upper confidence bound for the seat to move.

        The bound is wins / visits + exploration * sqrt(log(parent's visits) / visits). At the root
        only open children take part. Further down a proved child takes part as long as no better
        one is proved: else its parent would look worse than it is. *node* itself is returned if no
        child takes part.
        """
        best, promising = -1.0, node
        bonus = self.exploration * sqrt(log(node.visits))
        for child in node.children:
            bound = child.wins / child.visits + bonus / sqrt(child.visits)
            known = node is not self.root and is_best_proven(node, child)
            if bound > best and (known or is_open(node, child)):
                best, promising = bound, child
        return promising

    def _new_child(self, node: PlainNode) -> PlainNode:
        """Return a node for a random untried move of *node*, which must have one.

        It is no child yet: `_add_child` makes it one when it is visited.
        """
        move = node.untried[self._below(len(node.untried))]
        return PlainNode(node.position.child(move), node.turn, move)

    def _add_child(self, node: PlainNode, child: PlainNode) -> None:
        """Put *child* before the other children of *node*; its move is no longer untried."""
        node.untried.remove(child.move)
        node.children.insert(0, child)
        self._size += 1

    def _play_out(self, position: Position, thinking: Thinking) -> tuple[Position, list[Move]]:
        """Return the end of a game played on at random, and the moves made; none if it is over.

        Raise OutOfBudget if the time of *thinking* is over before, or its caller has cancelled.
        """
        played = []
        while moves := position.moves():
            thinking.check()  # on a large board one game may take longer than all the time
            move = moves[self._below(len(moves))]
            played.append(move)
            position = position.child(move)
        return position, played

    def _below(self, bound: int) -> int:
        """Return a random number from 0 to *bound* - 1, by the tree's generator: SplitMix64."""
        self._random_state = state = self._random_state + 0x9E3779B97F4A7C15 & WORD_MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD_MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD_MASK
        return ((state ^ state >> 31) >> 32) * bound >> 32


@dataclass
class Mcts(NativeAgent):
    """An agent that grows a tree by one position each iteration and plays on from there at random.

    A win counts 1, a draw 1/2, a loss 0; in a puzzle for one seat the share that was done counts.
    The most visited move is the answer, and the mean margin of its games is the value. Where the
    tree reaches the end of the game, margins are proved: once the value of the position is, the
    search ends; a move whose margin is proved is the answer if no other one looks better. Raise
    InvalidSpecError unless *iterations* is from 0 to 10^15, *seconds* from 0 to 10^7 or infinite,
    *exploration* from 0 to 10^6.
    """

    iterations: int = 0
    """Games at most; 0: as many as the limit allows, or 1,000 without any."""
    seconds: float = 0
    """Seconds at most; 0: no limit of its own."""
    exploration: float = 1.4
    """Weight of rarely visited moves; sqrt(2) in theory."""
    seed: int = 0
    """Decides all random games, together with the position."""
    reuse: bool = False
    """Go on with the tree of its last move; then the answer depends on the moves before."""

    name: ClassVar[str] = "mcts"

    def __post_init__(self) -> None:
        self.demand("iterations", 0, 10**15)
        self.demand("seconds", 0)
        self.demand("exploration", 0, 1_000_000)
        self._last: MctsTree | None = None

    @property
    def own_limit(self) -> Limit:
        return Limit(self.seconds or inf, self.iterations or inf)

    def load(self, position: Position) -> None:
        if self.seconds:  # they may be too short to load anything
            replace(self, seconds=0).load(position)
        else:
            super().load(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        if self.seconds:
            thinking.narrow(Limit(seconds=self.seconds))
        search = MctsSearch(position, self.exploration, self._tree(position))
        most = self.iterations or (USUAL_ITERATIONS if thinking.limit == UNLIMITED else inf)
        with thinking.until_stopped():
            for games in rounds(most, search.tree.emit_every if thinking.watched else inf):
                search.tree.play(games, thinking)
                if search.solved:
                    break
                if thinking.watched:
                    search.emit(thinking)
        if thinking.watched and search.tree.root.visits:
            search.emit(thinking)
            search.emit_tree(thinking)
        if self.reuse:
            self._last = search.tree
        return search.analysis("exact" if search.solved else "done")

    def _tree(self, position: Position) -> MctsTree:
        """Return the tree that *reuse* has kept of its last move, if it has the position.

        Else a new tree, compiled if the game offers a native form. What was kept is forgotten.
        """
        last, self._last = self._last, None
        if last and (grown := last.at(position)):
            return grown
        settings = self.exploration, self.seed
        if form := native_form(position):
            from papan.engine.mcts import NativeTree  # brings Numba

            return NativeTree(position, settings, form)
        return PlainTree(position, settings)


def rounds(most: float, emit_every: float) -> Iterator[float]:
    """Yield how many games to play before each event, *most* in all, which may be infinite.

    1, 2, 4 and so on, up to *emit_every*; if that is infinite, all are played at once. Nothing if
    *most* is 0.
    """
    games = most if emit_every == inf else 1
    while most > 0:
        yield min(games, most)
        most -= games
        games = min(2 * games, emit_every)
