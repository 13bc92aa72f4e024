"""What every minimax search finds and tells, whether it is plain or compiled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf
from typing import TypeAlias

from papan.core import Analysis, Event, Guess, Move, Position, Proved, Thinking, Value, margin
from papan.core.analysis import root_moves

Line: TypeAlias = tuple[Move, ...]

WIN = 10
"""Paper 003 counts a win as 10 - depth: from the tenth ply on, its wins look like losses."""


class Search(ABC):
    """One search. Scores are those of the seat at the root: it takes the most, its rival the least.

    That holds whoever's turn it is, so extra turns and puzzles for one seat need no special care.
    """

    finished: Sequence[Event] = ()
    """The nodes of the tree of the last finished round, as far as they are to be told of."""

    def __init__(
        self, position: Position, thinking: Thinking, counts_depth: bool, prunes: bool = False
    ) -> None:
        self.root, self.seat, self.thinking = position, position.turn, thinking
        self.counts_depth, self.prunes = counts_depth, prunes
        self.pruned = 0
        self.begin()

    def begin(self) -> None:
        """Forget the last round."""
        self.guesses = 0  # positions at the horizon
        self.faults = 0  # scores of paper 003 that do not tell the margin
        self.best, self.line = -inf, Line()
        self.values: dict[Move, Value] = {}

    @abstractmethod
    def look(self, horizon: float) -> None:
        """Score every move at the root, looking *horizon* plies ahead."""

    def note(self, move: Move, score: float, reply: Line, *, nodes: int, sure: bool) -> None:
        """Take down what was found of a move at the root."""
        value = self._margin_after((move, *reply)) if self.counts_depth else score
        bound = self.prunes and score <= self.best  # the rest of its replies was not looked at
        self.values[move] = (
            Proved.exactly(value, nodes, reply)
            if sure and not bound
            else Guess(value, bound, nodes=nodes, line=reply)
        )
        if score > self.best:
            self.best, self.line = score, (move, *reply)

    def _margin_after(self, line: Line) -> float:
        """The margin a line leads to, for scores that do not say it."""
        position = self.root
        for move in line:
            position = position.child(move)
        over = not position.moves()
        return (margin if over else position.game.evaluate)(position, self.seat)

    def analysis(self) -> Analysis:
        """What the round found."""
        value, whole = self.values[self.line[0]].number, len(self.values) == len(self.root.moves())
        exact = whole and self.guesses + self.faults == 0
        proved = Proved.exactly(value) if exact else Proved()
        distance = len(self.line) if exact and self.counts_depth and value != 0 else None
        return Analysis(self.line, value, proved, self.values, distance)

    def emit(self, analysis: Analysis) -> None:
        """Tell of the moves at the root."""
        if self.thinking.watched:
            game = self.root.game
            depth = max(len(value.line) + 1 for value in analysis.values.values())
            best = game.move_name(analysis.move)
            moves = root_moves(game, analysis.values)
            more = {"pruned": self.pruned} if self.prunes else {}
            self.thinking.emit_root(depth, best, moves, **more)

    def emit_tree(self) -> None:
        """Tell of that tree."""
        for node in self.finished:
            if not self.thinking.emit_node(**node):
                break
