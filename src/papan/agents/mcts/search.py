"""What every Monte Carlo search finds and tells, whether it is plain or compiled."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from math import log, sqrt
from typing import ClassVar, Protocol, Self

from papan.core import Analysis, Event, Move, Position, Proved, Share, Thinking, Value
from papan.core.thinking import MOST_TREE_NODES

Settings = tuple[float, int]
"""How much to explore, and the seed of all luck."""


class Node(Protocol):
    """A position in the tree: how the games through it went for the seat that chose it."""

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
        """The sum of the margins."""

    @property
    def low(self) -> float:
        """What the first seat is proven to get at least."""

    @property
    def high(self) -> float:
        """What the first seat is proven to get at most."""

    @property
    def children(self) -> Sequence[Self]: ...


def bounds(node: Node, seat: int) -> tuple[float, float]:
    """What is proven of a node, as *seat* sees it."""
    return (-node.high, -node.low) if seat else (node.low, node.high)


def hopeful(node: Node, child: Node) -> bool:
    """Is it not proven that another child is at least as good?"""
    floor, _ = bounds(node, node.turn)
    low, high = bounds(child, node.turn)
    return high > floor or low == floor


def favourite(node: Node) -> Node:
    """The child that was visited most, of those that may be the best."""
    return max(node.children, key=lambda child: (hopeful(node, child), child.visits, child.wins))


def line(node: Node) -> Iterator[Move]:
    """The play from here on, along the most visited moves."""
    while node.children:
        node = favourite(node)
        yield node.move


def random_state(seed: int, position: Position) -> int:
    """Where the luck of a search begins, as 64 bits."""
    return random.Random(f"{seed} {position}").getrandbits(64)


class Search(ABC):
    """One tree and the games played through it."""

    emit_every: ClassVar[int]
    """How many games are played between two accounts of them, at most."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position, self.game = position, position.game
        self.settings = settings
        self.exploration, self.seed = settings
        self.moves = position.moves()

    @property
    @abstractmethod
    def root(self) -> Node:
        """The position that it searches."""

    @property
    @abstractmethod
    def deepest(self) -> int:
        """How far down the tree any game went."""

    @property
    @abstractmethod
    def sample(self) -> Sequence[Move]:
        """The last game."""

    @abstractmethod
    def play(self, games: float, thinking: Thinking) -> None:
        """Play so many games, or fewer if all is proven before."""

    @abstractmethod
    def at(self, position: Position) -> Search | None:
        """A search that goes on from a later position with what was found so far, if anything."""

    @property
    def solved(self) -> bool:
        """Is the value of the position proven?"""
        return self.root.low == self.root.high

    def analysis(self, why: str) -> Analysis:
        """The most visited move, and the share of the visits that each move got."""
        root = self.root
        if not root.children:
            return Analysis((self.moves[0],), why=why)
        best = favourite(root)
        low, high = bounds(root, root.turn)
        most = self.game.largest_margin
        trivial = low == -most and high == most  # that goes without saying
        proved = Proved() if trivial else Proved(low, high)
        mean = best.margin / best.visits
        return Analysis(tuple(line(root)), mean, proved, dict(self._values(high)), why=why)

    def _values(self, most: float) -> Iterator[tuple[Move, Value]]:
        """What is known of each move that was tried, none of which is worth more than *most*."""
        found = {child.move: child for child in self.root.children}
        for move in self.moves:
            if (child := found.get(move)) is None:
                continue
            low, high = bounds(child, self.root.turn)
            nodes, follows = child.visits, tuple(line(child))
            if self.solved or low == high:
                yield move, Proved(low, min(high, most), nodes=nodes, line=follows)
            else:
                yield move, Share(nodes / self.root.visits, nodes=nodes, line=follows)

    def emit(self, thinking: Thinking) -> None:
        """Tell of every move at the root, and of the last game as a sample."""
        name = self.game.move_name
        found = {child.move: child for child in self.root.children}
        thinking.emit_root(
            self.deepest,
            name(favourite(self.root).move),
            [self._event(move, found.get(move)) for move in self.moves],
            sample=[name(move) for move in self.sample],
        )

    def _event(self, move: Move, node: Node | None) -> Event:
        """A move with its visits, win rate, and the bound that decides who is visited next."""
        facts: Event = {"m": self.game.move_name(move), "k": "visits"}
        if node is None:
            return facts | {"v": 0.0, "n": 0, "w": None, "ucb": None, "pv": [facts["m"]]}
        wins = node.wins / node.visits
        bonus = self.exploration * sqrt(log(self.root.visits) / node.visits)
        return facts | {
            "v": node.visits / self.root.visits,
            "n": node.visits,
            "w": wins,
            "ucb": wins + bonus,
            "pv": [self.game.move_name(each) for each in (move, *line(node))],
        }

    def emit_tree(self, thinking: Thinking) -> None:
        """Tell of the tree, ply by ply."""
        waiting: deque[tuple[Node, int | None]] = deque([(self.root, None)])
        for number in range(MOST_TREE_NODES):
            if not waiting:
                break
            node, up = waiting.popleft()
            children = node.children
            emitted = thinking.emit_node(
                id=number,
                up=up,
                m=None if up is None else self.game.move_name(node.move),
                role="max" if node.turn == self.root.turn else "min",
                v=node.wins / node.visits,
                n=node.visits,
                s="full" if children else "leaf",
            )
            if not emitted:
                break
            waiting.extend((child, number) for child in children)
