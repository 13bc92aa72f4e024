"""Minimax in plain Python, for every game: the obvious twin of the compiled search."""

from __future__ import annotations

from math import inf

from papan.agents.minimax.search import WIN, Line, Search
from papan.core import Move, Position, margin
from papan.core.analysis import finite
from papan.core.thinking import Tree


class PlainSearch(Search):
    """One search, position by position."""

    def look(self, horizon: float) -> None:
        self.horizon = horizon
        self.begin()
        self.thinking.tick()
        for move in self.root.moves():
            nodes, doubts = self.thinking.nodes, self.guesses + self.faults
            score, reply = self.reply(self.root, move, 0, self.best, inf)
            sure = doubts == self.guesses + self.faults
            self.note(move, score, reply, nodes=self.thinking.nodes - nodes, sure=sure)

    def reply(
        self, position: Position, move: Move, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The score of *move*, and the play that follows."""
        return self.best_line(position.child(move), ply + 1, alpha, beta)

    def best_line(
        self, position: Position, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The score of a position, and the play that leads to it; with pruning, where it is not
        between what both sides are sure of already, a bound."""
        self.thinking.tick()
        moves = position.moves()
        if not moves:
            return self._final(position, ply), ()
        if ply == self.horizon:
            self.guesses += 1
            return position.game.evaluate(position, self.seat), ()
        line: Line = ()
        if position.turn == self.seat:
            best = -inf
            for seen, move in enumerate(moves, 1):
                score, reply = self.reply(position, move, ply, max(alpha, best), beta)
                if score > best:
                    best, line = score, (move, *reply)
                    if self.prunes and best >= beta:
                        self.pruned += len(moves) - seen
                        break
        else:
            best = inf
            for seen, move in enumerate(moves, 1):
                score, reply = self.reply(position, move, ply, alpha, min(beta, best))
                if score < best:
                    best, line = score, (move, *reply)
                    if self.prunes and best <= alpha:
                        self.pruned += len(moves) - seen
                        break
        return best, line

    def _final(self, position: Position, ply: int) -> float:
        """The score of a finished game."""
        result = margin(position, self.seat)
        if not self.counts_depth or result == 0:
            return result
        if ply >= WIN or abs(result) != 1:
            self.faults += 1
        return WIN - ply if result > 0 else ply - WIN


class EmittingSearch(PlainSearch):
    """The same search, which also remembers its tree and tells of it."""

    def look(self, horizon: float) -> None:
        self.tree = Tree(self.root)
        node = self.tree.enter(0, m=None, role="max")
        super().look(horizon)
        node.update(v=self.best, s="full")
        self.finished = self.tree.nodes

    def reply(
        self, position: Position, move: Move, ply: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        if ply >= self.tree.plies:
            return super().reply(position, move, ply, alpha, beta)
        role = "max" if position.child(move).turn == self.seat else "min"
        node = self.tree.enter(ply + 1, m=position.game.move_name(move), role=role)
        score, line = super().reply(position, move, ply, alpha, beta)
        node.update(v=score, s="full" if line else "leaf")
        if self.prunes:
            node.update(a=finite(alpha), b=finite(beta))
            if line and not alpha < score < beta:
                node.update(s="cut", why="v>=b" if role == "max" else "v<=a")
        return score, line
