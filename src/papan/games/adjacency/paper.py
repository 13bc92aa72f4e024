"""Neighbours: paper 001's minimax with alpha-beta over the squares next to marks."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar, TypeAlias

from papan.core import (
    Agent,
    Analysis,
    Game,
    Guess,
    Move,
    Position,
    Proved,
    Thinking,
    Value,
)
from papan.core.agent import MOST
from papan.core.analysis import root_moves
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition

Line: TypeAlias = tuple[Move, ...]

INFINITE = 1_000  # more than any margin
EMITTED_PLIES = 2  # what lies deeper in the tree would crowd these nodes out


@dataclass
class Neighbours(Agent):
    """Looks ahead *depth_x* plies as x, *depth_o* as o, never past the end of the game.

    The squares to try are listed once, at the root, in row order: the empty ones beside a mark. Of
    equally good ones the first wins. It looks one ply ahead, then two, and so on: when the limit
    strikes, the last depth it has finished answers; at the full depth the answer is the paper's.
    """

    depth_x: int = 6
    depth_o: int = 5
    program: bool = False
    """With the fault of the paper's program: a move strikes the first square off the list instead
    of the played one, so that the search may play a square twice."""

    enemy: bool = False
    """The paper's proposal: try only squares beside marks of the rival, whoever's turn it is, as
    long as there are any; all others at the root are left out at every depth."""

    name: ClassVar[str] = "neighbours"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("depth_x", 1, MOST["depth"])
        self.demand("depth_o", 1, MOST["depth"])

    def plays(self, game: Game) -> bool:
        return isinstance(game, Adjacency)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, AdjacencyPosition)
        search = _Search(position, self, thinking)
        analysis = Analysis(search.squares[:1])  # in case one ply is already too much
        cap = (self.depth_x, self.depth_o)[position.turn]
        with thinking.until_stopped():
            for depth in range(1, min(cap, search.deepest) + 1):
                analysis = search.analysis(depth)
        return analysis


class _Search:
    """One act of looking ahead, on bitboards: the marks of the side to move, then its rival's."""

    def __init__(self, position: AdjacencyPosition, agent: Neighbours, thinking: Thinking) -> None:
        game, empty = position.game, position.empty
        listed = empty & game.around(game.board & ~empty)  # some cell: empty and taken ones touch
        self.bits, self.beside = game.bits, game.beside
        self.squares = tuple(cell for cell, bit in enumerate(game.bits) if bit & listed)
        self.deepest = min(position.plies_left, len(self.squares))  # then the list is used up
        self.complete = listed == empty and not (agent.program or agent.enemy)
        self.position = position
        self.program, self.enemy = agent.program, agent.enemy
        self.thinking = thinking
        self.pruned = 0
        self.path: list[tuple[int, Move]] = []
        """From the root to here: the number of each node, and the move made there."""

    def analysis(self, depth: int) -> Analysis:
        """What looking *depth* plies ahead says."""
        exact = self.complete and depth == self.position.plies_left
        us = self.position.turn
        mine, theirs = self.position.marks[us], self.position.marks[1 - us]
        best, line = -INFINITE, self.squares[:1]
        values: dict[Move, Value] = {}
        for cell in self._beside_rival(list(self.squares), theirs):
            nodes = self.thinking.nodes
            self.path = [(0, cell)]
            gained = self.bits[cell] | self.beside[cell] & theirs
            reply, rest = self.best(theirs & ~gained, mine | gained, depth - 1, -INFINITE, -best)
            if self.program:
                rest = ()  # it may hold a square twice
            pruned, work = -reply <= best, self.thinking.nodes - nodes
            if exact:
                values[cell] = Proved(-inf if pruned else -reply, -reply, nodes=work, line=rest)
            else:
                values[cell] = Guess(-reply, pruned, nodes=work, line=rest)
            if -reply > best:
                best, line = -reply, (cell, *rest)
        self._emit_root(depth, line[0], values)
        proved = Proved.exactly(best) if exact else Proved()
        return Analysis(line, best, proved, values, why="exact" if exact else "depth")

    def best(self, mine: int, theirs: int, depth: int, alpha: int, beta: int) -> tuple[int, Line]:
        """The margin of the side to move after *depth* plies, and the play that leads to it.

        Between alpha and beta the margin is exact, elsewhere it is a bound.
        """
        self.thinking.tick()
        number = self.thinking.nodes
        best = -INFINITE
        line: Line = ()
        if depth == 0:
            best = mine.bit_count() - theirs.bit_count()
        for cell in self._choices(mine, theirs) if depth else ():
            self.path.append((number, cell))
            gained = self.bits[cell] | self.beside[cell] & theirs
            floor = max(alpha, best)
            reply, rest = self.best(theirs & ~gained, mine | gained, depth - 1, -beta, -floor)
            self.path.pop()
            if -reply > best:
                best, line = -reply, (cell, *rest)
                if best >= beta:
                    self.pruned += 1
                    break
        if self.thinking.watched and len(self.path) <= EMITTED_PLIES:
            self._emit_node(number, best, alpha, beta)
        return best, line

    def _choices(self, mine: int, theirs: int) -> list[Move]:
        """The squares still listed, those that turn most marks first: that prunes most."""
        if self.program:
            left = list(self.squares[len(self.path) :])
        else:
            taken = mine | theirs
            left = [cell for cell in self.squares if not self.bits[cell] & taken]
        left = self._beside_rival(left, theirs)
        beside = self.beside
        left.sort(key=lambda cell: -(beside[cell] & theirs).bit_count())
        return left

    def _beside_rival(self, cells: list[Move], theirs: int) -> list[Move]:
        """Only those beside a mark of the rival, where that is wanted and there are any."""
        near = [cell for cell in cells if self.beside[cell] & theirs] if self.enemy else []
        return near or cells

    def _emit_root(self, depth: int, best: Move, values: dict[Move, Value]) -> None:
        if not self.thinking.watched:
            return
        game = self.position.game
        moves = root_moves(game, values)
        self.thinking.emit_root(depth, game.move_name(best), moves, pruned=self.pruned)

    def _emit_node(self, number: int, value: int, alpha: int, beta: int) -> None:
        """Tell of a node as the agent sees it: it is max at its own turns, its rival min."""
        up, move = self.path[-1]
        own_turn = len(self.path) % 2 == 0
        low, high = (alpha, beta) if own_turn else (-beta, -alpha)
        cut = (
            {"s": "cut", "why": "v>=b" if own_turn else "v<=a"} if value >= beta else {"s": "full"}
        )
        self.thinking.emit_node(
            id=number,
            up=up,
            m=self.position.game.move_name(move),
            role="max" if own_turn else "min",
            a=None if low == -INFINITE else low,
            b=None if high == INFINITE else high,
            v=value if own_turn else -value,
            **cut,
        )
