"""Minimax: paper 003's plain search, which looks at every line of play there is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from typing import ClassVar, Literal, TypeAlias

from papan.core import (
    UNLIMITED,
    Agent,
    Analysis,
    Move,
    OutOfBudget,
    Position,
    Thinking,
    Value,
    margin,
)
from papan.core.telling import Tree, root_moves

Line: TypeAlias = tuple[Move, ...]

WIN = 10
"""Paper 003 counts a win as 10 - depth: from the tenth ply on, its wins look like losses."""


@dataclass
class Minimax(Agent):
    """Looks at every move in order, without pruning or table; of equal moves it takes the first.

    Without a limit it makes one pass to its full depth. Within a limit it goes one ply deeper
    each round, and the last round that it could finish counts.
    """

    depth: int = 0
    """How many plies it looks ahead; 0: to the end of the game."""
    scoring: Literal["margin", "depth"] = "margin"
    """What the end of a game is worth: its margin, or paper 003's 10 - depth, depth - 10 and 0."""

    name: ClassVar[str] = "minimax"

    def __post_init__(self) -> None:
        self.demand("depth", 0)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        search = (_ToldSearch if thinking.watched else _Search)(self, position, thinking)
        analysis, why = Analysis(tuple(position.moves()[:1])), "depth"
        try:
            for horizon in self._rounds(thinking):
                search.look(horizon)
                analysis = search.analysis()
                search.tell(analysis)
                if search.guesses == 0:
                    why = "exact" if analysis.exact else "done"
                    break
        except OutOfBudget as stop:
            why = str(stop)
            if analysis.value is None and search.line:  # half a first round is better than none
                analysis = replace(search.analysis(), exact=False)
        search.tell_tree()
        return replace(analysis, why=why)

    def _rounds(self, thinking: Thinking) -> Iterable[float]:
        """How far each round looks."""
        if thinking.limit == UNLIMITED:
            return [self.depth or inf]
        return range(1, self.depth + 1) if self.depth else count(1)


class _Search:
    """One search. Scores are those of the seat at the root: it takes the most, its rival the least.

    That holds whoever's turn it is, so extra turns and puzzles for one seat need no special care.
    """

    def __init__(self, agent: Minimax, position: Position, thinking: Thinking) -> None:
        self.root, self.seat, self.thinking = position, position.turn, thinking
        self.counts_depth = agent.scoring == "depth"
        self.line: Line = ()

    def look(self, horizon: float) -> None:
        """Score every move at the root, looking *horizon* plies ahead."""
        self.horizon = horizon
        self.guesses = 0  # positions at the horizon
        self.faults = 0  # scores of paper 003 that do not tell the margin
        self.best, self.line = -inf, ()
        self.values: dict[Move, Value] = {}
        self.thinking.tick()
        for move in self.root.moves():
            nodes, doubts = self.thinking.nodes, self.guesses + self.faults
            score, reply = self.reply(self.root, move, 0)
            self.values[move] = Value(
                self._margin_after((move, *reply)) if self.counts_depth else score,
                "exact" if doubts == self.guesses + self.faults else "estimate",
                self.thinking.nodes - nodes,
                reply,
            )
            if score > self.best:
                self.best, self.line = score, (move, *reply)

    def reply(self, position: Position, move: Move, ply: int) -> tuple[float, Line]:
        """The score of *move*, and the play that follows."""
        return self.best_line(position.play(move), ply + 1)

    def best_line(self, position: Position, ply: int) -> tuple[float, Line]:
        """The score of a position, and the play that leads to it."""
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
            for move in moves:
                score, reply = self.reply(position, move, ply)
                if score > best:
                    best, line = score, (move, *reply)
        else:
            best = inf
            for move in moves:
                score, reply = self.reply(position, move, ply)
                if score < best:
                    best, line = score, (move, *reply)
        return best, line

    def _final(self, position: Position, ply: int) -> float:
        """The score of a finished game."""
        result = margin(position, self.seat)
        if not self.counts_depth or result == 0:
            return result
        if ply >= WIN or abs(result) != 1:
            self.faults += 1
        return WIN - ply if result > 0 else ply - WIN

    def _margin_after(self, line: Line) -> float:
        """The margin a line leads to, for scores that do not say it."""
        position = self.root
        for move in line:
            position = position.play(move)
        over = not position.moves()
        return (margin if over else position.game.evaluate)(position, self.seat)

    def analysis(self) -> Analysis:
        """What the round found."""
        value = self.values[self.line[0]].margin
        exact = self.guesses + self.faults == 0
        known = exact and self.counts_depth and value != 0
        distance = len(self.line) if known else None
        return Analysis(self.line, value, exact, self.values, distance)

    def tell(self, analysis: Analysis) -> None:
        """Nobody listens."""

    def tell_tree(self) -> None:
        """Nobody listens."""


class _ToldSearch(_Search):
    """The same search, which also remembers its tree and tells of it."""

    finished: Tree | None = None
    """The tree of the last finished round."""

    def look(self, horizon: float) -> None:
        self.tree = Tree(self.root)
        node = self.tree.enter(0, m=None, role="max")
        super().look(horizon)
        node.update(v=self.best, s="full")
        self.finished = self.tree

    def reply(self, position: Position, move: Move, ply: int) -> tuple[float, Line]:
        if ply >= self.tree.plies:
            return super().reply(position, move, ply)
        role = "max" if position.play(move).turn == self.seat else "min"
        node = self.tree.enter(ply + 1, m=position.game.move_name(move), role=role)
        score, line = super().reply(position, move, ply)
        node.update(v=score, s="full" if line else "leaf")
        return score, line

    def tell(self, analysis: Analysis) -> None:
        game = self.root.game
        depth = max(len(value.line) + 1 for value in analysis.values.values())
        best = game.move_name(analysis.move)
        self.thinking.tell_root(depth, best, root_moves(game, analysis.values))

    def tell_tree(self) -> None:
        if self.finished is not None:
            self.finished.tell(self.thinking)
