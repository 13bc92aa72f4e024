"""What every alpha-beta search finds and tells, whether it is plain or compiled."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf
from typing import NamedTuple, TypeAlias

from papan.core import Analysis, Event, Guess, Move, Position, Proved, Thinking, Value
from papan.core.analysis import root_moves

Line: TypeAlias = tuple[Move, ...]

WIN = 1_000_000
"""The score of the largest margin there is, less one for each ply until then: sooner is better."""
SURE = WIN - 10_000
"""Scores beyond this one, won or lost, are no guesses."""


class Settings(NamedTuple):
    """How to search."""

    ordering: bool
    table: bool
    seed: int


class Search(ABC):
    """The memory of one search. Scores are those of the seat to move."""

    finished: Sequence[Event] = ()
    """The nodes of the tree of the last finished round, as far as they are to be told of."""

    def __init__(self, position: Position, thinking: Thinking, settings: Settings) -> None:
        self.root, self.thinking, self.settings = position, thinking, settings
        self.order = list(position.moves())
        if settings.seed:
            random.Random(f"{settings.seed} {position}").shuffle(self.order)
        self.largest = position.game.largest_margin
        self.probes = self.hits = self.pruned = self.entries = 0
        self.begin(0)

    def begin(self, horizon: int) -> None:
        """Start a round."""
        self.horizon = horizon
        self.guesses = 0  # scores that rest on positions at the horizon
        self.best, self.line = -inf, Line()
        self.values: dict[Move, Value] = {}

    @abstractmethod
    def look(self, horizon: int) -> None:
        """Score every move at the root, looking *horizon* plies ahead."""

    def note(self, move: Move, score: float, reply: Line, *, nodes: int, sure: bool) -> None:
        """Take down what was found of a move at the root."""
        margin, inside = self.margin(score), score > self.best
        low = margin if inside or score < -SURE else -inf  # nothing is below losing it all
        if sure or score < -SURE or (inside and score > SURE):
            self.values[move] = Proved(low, margin, nodes=nodes, line=reply)
        else:
            self.values[move] = Guess(margin, pruned=not inside, nodes=nodes, line=reply)
        if score > self.best:
            self.best, self.line = score, (move, *reply)

    def end(self) -> None:
        """End a round: the next one looks at the best move first."""
        if self.settings.ordering:
            self.order.sort(key=lambda move: move != self.line[0])

    def margin(self, score: float) -> float:
        """The margin that a score stands for."""
        if abs(score) <= SURE:
            return score or 0  # never -0.0
        return self.largest if score > 0 else -self.largest

    def analysis(self) -> Analysis:
        """What the round found; where that is exact, another round would tell no more."""
        value, whole = self.margin(self.best), len(self.values) == len(self.order)
        won, lost = self.best > SURE, whole and self.best < -SURE
        exact = won or lost or (whole and self.guesses == 0)
        proved = Proved.exactly(value) if exact else Proved()
        distance = WIN - int(abs(self.best)) if won or lost else None
        return Analysis(self.line, value, proved, self.values, distance)

    def emit(self, analysis: Analysis) -> None:
        """Tell of the moves at the root, and what pruning and table bring."""
        if not self.thinking.watched:
            return
        game = self.root.game
        self.thinking.emit_root(
            self.horizon,
            game.move_name(analysis.move),
            root_moves(game, analysis.values),
            pruned=self.pruned,
            tt={"hit": round(self.hits / max(self.probes, 1), 4), "size": self.entries},
        )

    def emit_tree(self) -> None:
        """Tell of that tree."""
        for node in self.finished:
            if not self.thinking.emit_node(**node):
                break
