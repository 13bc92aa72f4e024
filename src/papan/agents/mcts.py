"""MCTS: plays many random games, and more of them where they went well (UCT)."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from math import isfinite, log, sqrt
from typing import ClassVar

from papan.core import (
    Agent,
    Analysis,
    Event,
    Limit,
    Move,
    OutOfBudget,
    Position,
    Thinking,
    Value,
    margin,
)
from papan.core.thinking import MOST_TREE_NODES

USUAL_ITERATIONS = 1_000
TOLD_EVERY = 1_000


@dataclass
class Mcts(Agent):
    """Grows a tree by one position each iteration and plays on from there at random.

    A win counts 1, a draw 1/2, a loss 0; in a puzzle for one seat the share that was done counts.
    The most visited move is the answer, and the mean margin of its games is the value.
    """

    iterations: int = 0
    """How many games it plays; 0: 1,000, or as many as fit when *seconds* are given."""
    seconds: float = 0
    """How long it thinks at most; 0: as long as it takes."""
    exploration: float = 1.4
    """How much it cares for moves that it hardly knows; sqrt(2) is what theory says."""
    seed: int = 0

    name: ClassVar[str] = "mcts"

    def __post_init__(self) -> None:
        for setting in ("iterations", "seconds", "exploration"):
            self.demand(setting, 0)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        if self.seconds:
            thinking.narrow(Limit(seconds=self.seconds))
        search = _Search(self, position)
        why = "done"
        try:
            for done in self._rounds():
                thinking.tick()
                search.iterate()
                if thinking.watched and (done.bit_count() == 1 or done % TOLD_EVERY == 0):
                    search.tell(thinking)
        except OutOfBudget as stop:
            why = str(stop)
        if thinking.watched and search.root.visits:
            search.tell(thinking)
            search.tell_tree(thinking)
        return search.analysis(why)

    def _rounds(self) -> Iterable[int]:
        if self.seconds and not self.iterations:
            return count(1)
        return range(1, (self.iterations or USUAL_ITERATIONS) + 1)


class _Node:
    """A position in the tree, and how the games through it went for the seat that chose it."""

    __slots__ = ("children", "margin", "move", "mover", "position", "untried", "visits", "wins")

    def __init__(self, position: Position, mover: int, move: Move | None = None) -> None:
        self.position, self.mover, self.move = position, mover, move
        self.untried = list(position.moves())
        self.children: list[_Node] = []
        self.visits = 0
        self.wins = self.margin = 0.0

    def most_visited(self) -> _Node:
        return max(self.children, key=lambda child: (child.visits, child.wins))

    def line(self) -> Iterator[Move]:
        """The play from here on, along the most visited moves."""
        node = self
        while node.children:
            node = node.most_visited()
            assert node.move is not None
            yield node.move


class _Search:
    """One tree and the games played through it."""

    def __init__(self, agent: Mcts, position: Position) -> None:
        self.game, self.exploration = position.game, agent.exploration
        self.rng = random.Random(f"{agent.seed} {position}")
        self.root = self._node(position, position.turn)
        self.moves = position.moves()
        self.deepest = 0
        self.sample: list[Move] = []

    def iterate(self) -> None:
        """One game: down the tree, one new position, at random to the end, and back up."""
        node = self.root
        path = [node]
        while not node.untried and node.children:
            node = self._favourite(node)
            path.append(node)
        if node.untried:
            node = self._grow(node)
            path.append(node)
        final, played = self._play_out(node.position)
        margins = [margin(final, seat) for seat in range(self.game.seats)]
        wins = [self._reward(each) for each in margins]
        for node in path:
            node.visits += 1
            node.wins += wins[node.mover]
            node.margin += margins[node.mover]
        self.deepest = max(self.deepest, len(path) - 1)
        self.sample = [node.move for node in path if node.move is not None] + played

    def _node(self, position: Position, mover: int, move: Move | None = None) -> _Node:
        node = _Node(position, mover, move)
        self.rng.shuffle(node.untried)
        return node

    def _favourite(self, node: _Node) -> _Node:
        """The child with the best upper confidence bound, as the seat that chooses sees it."""
        best, favourite = -1.0, node
        bonus = self.exploration * sqrt(log(node.visits))
        for child in node.children:
            bound = child.wins / child.visits + bonus / sqrt(child.visits)
            if bound > best:
                best, favourite = bound, child
        return favourite

    def _grow(self, node: _Node) -> _Node:
        move = node.untried.pop()
        child = self._node(node.position.play(move), node.position.turn, move)
        node.children.append(child)
        return child

    def _play_out(self, position: Position) -> tuple[Position, list[Move]]:
        """The end of a game played on at random, and the moves that led there."""
        choice, played = self.rng.choice, []
        while moves := position.moves():
            move = choice(moves)
            played.append(move)
            position = position.play(move)
        return position, played

    def _reward(self, result: float) -> float:
        """A margin as a number from 0 to 1."""
        if self.game.seats == 1 and isfinite(self.game.largest_margin):
            return result / self.game.largest_margin
        return 1.0 if result > 0 else 0.5 if result == 0 else 0.0

    def analysis(self, why: str) -> Analysis:
        """The most visited move, and the share of the visits that each move got."""
        if not self.root.children:
            return Analysis((self.moves[0],), why=why)
        found = {child.move: child for child in self.root.children}
        values = {
            move: Value(
                found[move].visits / self.root.visits,
                "visits",
                found[move].visits,
                tuple(found[move].line()),
            )
            for move in self.moves
            if move in found
        }
        best = self.root.most_visited()
        return Analysis(tuple(self.root.line()), best.margin / best.visits, values=values, why=why)

    def tell(self, thinking: Thinking) -> None:
        """Tell of every move at the root, and of the last game as a sample."""
        name = self.game.move_name
        found = {child.move: child for child in self.root.children}
        best = self.root.most_visited().move
        assert best is not None
        thinking.tell_root(
            self.deepest,
            name(best),
            [self._told(move, found.get(move)) for move in self.moves],
            sample=[name(move) for move in self.sample],
        )

    def _told(self, move: Move, node: _Node | None) -> Event:
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
            "pv": [self.game.move_name(each) for each in (move, *node.line())],
        }

    def tell_tree(self, thinking: Thinking) -> None:
        """Tell of the tree, ply by ply."""
        waiting: deque[tuple[_Node, int | None]] = deque([(self.root, None)])
        for number in range(MOST_TREE_NODES):
            if not waiting:
                break
            node, up = waiting.popleft()
            name = None if node.move is None else self.game.move_name(node.move)
            role = "max" if node.position.turn == self.root.position.turn else "min"
            wins = node.wins / node.visits
            state = "full" if node.children else "leaf"
            thinking.tell_node(id=number, up=up, m=name, role=role, v=wins, n=node.visits, s=state)
            waiting.extend((child, number) for child in node.children)
