"""Alpha-beta in plain Python, for every game: the simpler twin of the compiled search."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TypeAlias

from papan.agents.alphabeta.search import WIN, Line, Search, Settings
from papan.core import Move, Position, Thinking, margin
from papan.core.analysis import finite
from papan.core.thinking import Tree

Entry: TypeAlias = tuple[int, float, float, float, Line]
"""What the table knows: the ply, how far the search looked, bounds of the score, best play."""

MOST_ENTRIES = 300_000
"""How many positions a table remembers before it starts afresh, which bounds the memory."""


class PlainSearch(Search):
    """One search, position by position."""

    def __init__(self, position: Position, thinking: Thinking, settings: Settings) -> None:
        super().__init__(position, thinking, settings)
        self.transpositions: dict[Position, Entry] = {}
        self.history = [[0] * position.game.move_count for _ in range(position.game.seats)]

    def look(self, horizon: int) -> None:
        self.begin(horizon)
        self.thinking.tick()
        for move in self.order:
            nodes, guesses = self.thinking.nodes, self.guesses
            score, reply = self.reply(self.root, move, 0, self.best, inf)
            sure = guesses == self.guesses
            self.note(move, score, reply, nodes=self.thinking.nodes - nodes, sure=sure)
        self.entries = len(self.transpositions)
        self.end()

    def reply(
        self, position: Position, move: Move, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The score of *move* for the seat that makes it, and the play that follows."""
        child = position.child(move)
        if child.turn == position.turn:  # an extra turn: the same side goes on
            return self.best_line(child, ply + 1, alpha, beta)
        score, line = self.best_line(child, ply + 1, -beta, -alpha)
        return -score, line

    def best_line(
        self, position: Position, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The score of a position for the seat to move, and the play that leads to it.

        Between alpha and beta the score is exact. Elsewhere it is a bound: the truth is not above
        a score <= alpha, and not below a score >= beta.
        """
        self.thinking.tick()
        moves = position.moves()
        if not moves:
            return self._final(position, ply), ()
        if ply == self.horizon:
            self.guesses += 1
            return position.game.evaluate(position, position.turn), ()
        beta = min(beta, WIN - ply - 1)  # nothing is better than to win at once
        if alpha >= beta:
            return beta, ()
        if not self.settings.table:
            return self._search(position, self._ordered(position, moves), ply, alpha, beta)

        self.probes += 1
        hint = None
        if entry := self.transpositions.get(position):
            seen_ply, reach, low, high, line = entry
            hint = line[0]
            if (
                seen_ply == ply  # the distance to a win counts from the root
                and reach >= self.horizon
                and (low >= beta or high <= alpha or low == high)
            ):
                self.hits += 1
                self.guesses += reach != inf
                return (low if low >= beta else high), line
        guesses = self.guesses
        best, line = self._search(position, self._ordered(position, moves, hint), ply, alpha, beta)
        if len(self.transpositions) >= MOST_ENTRIES:
            self.transpositions.clear()
        reach = inf if guesses == self.guesses else self.horizon
        low, high = best if best > alpha else -inf, best if best < beta else inf
        self.transpositions[position] = ply, reach, low, high, line
        return best, line

    def _search(
        self, position: Position, moves: Sequence[Move], ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The best of *moves*, up to the first that is too good for the rival to allow."""
        best = -inf
        line: Line = ()
        for seen, move in enumerate(moves, 1):
            score, reply = self.reply(position, move, ply, max(alpha, best), beta)
            if score > best:
                best, line = score, (move, *reply)
                if best >= beta:
                    self.pruned += len(moves) - seen
                    self.history[position.turn][move] += (self.horizon - ply) ** 2
                    break
        return best, line

    def _ordered(
        self, position: Position, moves: Sequence[Move], hint: Move | None = None
    ) -> Sequence[Move]:
        """The moves, promising ones first: the best of an earlier search, then what cut most."""
        if not self.settings.ordering:
            return moves
        ordered = sorted(moves, key=self.history[position.turn].__getitem__, reverse=True)
        if hint is not None:
            ordered.remove(hint)
            ordered.insert(0, hint)
        return ordered

    def _final(self, position: Position, ply: int) -> float:
        """The score of a finished game."""
        result = margin(position, position.turn)
        if abs(result) < self.largest:
            return result
        return WIN - ply if result > 0 else ply - WIN


class EmittingSearch(PlainSearch):
    """The same search, which also keeps its tree, as the seat at the root sees it, and tells."""

    def look(self, horizon: int) -> None:
        self.tree = Tree(self.root)
        node = self.tree.enter(0, m=None, role="max", a=None, b=None)
        super().look(horizon)
        node.update(v=self.margin(self.best), s="full")
        self.finished = self.tree.nodes

    def reply(
        self, position: Position, move: Move, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        if ply >= self.tree.plies:
            return super().reply(position, move, ply, alpha, beta)
        child, nodes = position.child(move), self.thinking.nodes
        role = "max" if child.turn == self.root.turn else "min"
        node = self.tree.enter(ply + 1, m=position.game.move_name(move), role=role)
        score, line = super().reply(position, move, ply, alpha, beta)
        a, v, b = (alpha, score, beta)
        if position.turn != self.root.turn:
            a, v, b = (-beta, -score, -alpha)
        node.update(a=self._event(a), b=self._event(b), v=self._event(v))
        if ply + 1 == self.horizon or not child.moves():
            node.update(s="leaf")
        elif (v >= b) if role == "max" else (v <= a):
            node.update(s="cut", why="v>=b" if role == "max" else "v<=a")
        else:
            node.update(s="full")
        node.update(tt=bool(line) and self.thinking.nodes == nodes + 1)
        return score, line

    def _event(self, score: float) -> float | None:
        return finite(self.margin(score))
