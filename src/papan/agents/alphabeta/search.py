"""What every alpha-beta search finds and tells, whether it is plain or compiled."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple, TypeAlias

from papan.core import Analysis, Event, Kind, Move, Position, Thinking, Value
from papan.core.telling import root_moves

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
        kind: Kind = "exact" if sure or abs(score) > SURE else "estimate"
        if self.best >= score > -SURE:  # outside the window; nothing is below losing it all
            kind = "upper"
        self.values[move] = Value(self.margin(score), kind, nodes, reply)
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
        complete, decided = self.guesses == 0, abs(self.best) > SURE
        values = self.values
        if decided and not complete:  # then bounds may rest on guesses, and only the best is proven
            values = {move: _unproven(found) for move, found in values.items()}
        distance = WIN - int(abs(self.best)) if decided else None
        value = self.margin(self.best)
        return Analysis(self.line, value, complete or decided, values, distance)

    def tell(self, analysis: Analysis) -> None:
        """Tell of the moves at the root, and what pruning and table bring."""
        if not self.thinking.watched:
            return
        game = self.root.game
        self.thinking.tell_root(
            self.horizon,
            game.move_name(analysis.move),
            root_moves(game, analysis.values),
            pruned=self.pruned,
            tt={"hit": round(self.hits / max(self.probes, 1), 4), "size": self.entries},
        )

    def tell_tree(self) -> None:
        """Tell of that tree."""
        for node in self.finished:
            self.thinking.tell_node(**node)


def _unproven(found: Value) -> Value:
    return replace(found, kind="estimate") if found.kind == "upper" else found
