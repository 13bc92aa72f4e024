"""Monte Carlo tree search in plain Python, for every game: the obvious twin of the compiled one."""

from __future__ import annotations

from math import inf, isfinite, log, sqrt

from papan.agents.mcts.search import Search, Settings, bounds, hopeful, random_state
from papan.core import Move, OutOfBudget, Position, Thinking, margin

WORD = 2**64 - 1
MOST_NODES = 2**17
"""When a tree has grown so large, games no longer add positions to it, which bounds the memory."""


class PlainNode:
    """A position in the tree."""

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
        """Is its value proven?"""
        return self.low == self.high

    def infer(self) -> bool:
        """Prove what follows from the children; is there news?"""
        before = bounds(self, self.turn)
        proven = [bounds(child, self.turn) for child in self.children]
        low = max(before[0], *(each for each, _ in proven))
        high = before[1] if self.untried else max(each for _, each in proven)
        self.low, self.high = (-high, -low) if self.turn else (low, high)
        return before != (low, high)


class PlainSearch(Search):
    """One tree of positions."""

    emit_every = 1_000

    def __init__(self, position: Position, settings: Settings) -> None:
        super().__init__(position, settings)
        self._root = PlainNode(position, position.turn)
        self._random_state = random_state(self.seed, position)
        self._deepest = 0
        self._size = 1
        self._sample: list[Move] = []

    @property
    def root(self) -> PlainNode:
        return self._root

    @property
    def deepest(self) -> int:
        return self._deepest

    @property
    def sample(self) -> list[Move]:
        return self._sample

    def play(self, games: float, thinking: Thinking) -> None:
        while games > 0 and not self.solved:
            thinking.tick()
            try:
                self._iterate(thinking)
            except OutOfBudget:
                thinking.nodes -= 1  # a game that was not played to its end counts for nothing
                raise
            games -= 1

    def at(self, position: Position) -> PlainSearch | None:
        nodes = [self._root]
        for node in nodes:
            nodes += node.children
        found = [node for node in nodes if node.position == position]
        if not found:
            return None
        later = PlainSearch(position, self.settings)
        later._root = max(found, key=lambda node: (node.visits, node.wins, node.margin))
        later._size = self._size  # at most: what grew elsewhere is forgotten
        later._turn_root()
        return later

    def _turn_root(self) -> None:
        """See the root as the seat that is to move, not as the one that led here."""
        root = self._root
        if root.mover != root.turn:
            root.wins, root.margin = root.visits - root.wins, -root.margin
            root.mover = root.turn

    def _iterate(self, thinking: Thinking) -> None:
        """One game: down the tree, one new position, at random to the end, and back up."""
        node = self._root
        path = [node]
        while not (node.solved or node.untried) and node.children:
            node = self._promising(node)
            path.append(node)
        if node.untried and not node.solved and self._size < MOST_NODES:
            node = self._sprout(node)
            path.append(node)
        final, played = self._play_out(node.position, thinking)
        if not node.visits and len(path) > 1:
            self._grow(path[-2], node)
        margins = [margin(final, seat) for seat in range(self.game.seats)]
        if node.solved:
            margins = [node.low, -node.low]
        for each in path:
            each.visits += 1
            each.wins += self._reward(margins[each.mover])
            each.margin += margins[each.mover]
        self._deepest = max(self._deepest, len(path) - 1)
        self._sample = [each.move for each in path[1:]] + played
        news = node.solved
        for each in reversed(path[:-1]):
            news = news and each.infer()

    def _promising(self, node: PlainNode) -> PlainNode:
        """The child with the best upper confidence bound, as the seat that chooses sees it."""
        best, favourite = -1.0, node
        bonus = self.exploration * sqrt(log(node.visits))
        for child in node.children:
            bound = child.wins / child.visits + bonus / sqrt(child.visits)
            if bound > best and hopeful(node, child):
                best, favourite = bound, child
        return favourite

    def _sprout(self, node: PlainNode) -> PlainNode:
        """A child of a node by a move that was not tried; not in the tree before it is visited."""
        move = node.untried[self._below(len(node.untried))]
        return PlainNode(node.position.child(move), node.turn, move)

    def _grow(self, node: PlainNode, child: PlainNode) -> None:
        """Add a child to the tree."""
        node.untried.remove(child.move)
        node.children.insert(0, child)
        self._size += 1

    def _play_out(self, position: Position, thinking: Thinking) -> tuple[Position, list[Move]]:
        """The end of a game played on at random, and the moves that led there."""
        played = []
        while moves := position.moves():
            thinking.check()  # on a large board one game may take longer than all the time
            move = moves[self._below(len(moves))]
            played.append(move)
            position = position.child(move)
        return position, played

    def _below(self, bound: int) -> int:
        """A number below *bound* that luck decides: SplitMix64."""
        self._random_state = state = self._random_state + 0x9E3779B97F4A7C15 & WORD
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
        state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD
        return ((state ^ state >> 31) >> 32) * bound >> 32

    def _reward(self, result: float) -> float:
        """A margin as a number from 0 to 1."""
        if self.game.seats == 1 and isfinite(self.game.largest_margin):
            return result / self.game.largest_margin
        return 1.0 if result > 0 else 0.5 if result == 0 else 0.0
