"""Minimax: paper 003's plain search, which looks at every line of play there is.

First what every such search finds and tells, then the plain one, the compiled one, which is
alpha-beta that does not prune and looks at the same nodes, and last the agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from math import inf
from sys import float_info
from typing import Any, ClassVar, Literal

from papan.agents.alphabeta import (
    CompiledSearch,
    DeepeningSearch,
    EmittingSearch,
    Line,
    PlainSearch,
)
from papan.core import (
    UNLIMITED,
    Analysis,
    Guess,
    Move,
    Native,
    NativeAgent,
    Position,
    Proved,
    Thinking,
    margin,
    native_form,
)
from papan.core.analysis import root_moves

WIN = 10
"""Paper 003 counts a win as 10 - depth: from the tenth ply on, its wins look like losses."""


class Search(DeepeningSearch):
    """One search, and what it finds for the seat at the root."""

    def __init__(
        self, position: Position, thinking: Thinking, counts_depth: bool, prunes: bool = False
    ) -> None:
        super().__init__(position, thinking)
        self.counts_depth, self.prunes = counts_depth, prunes

    def note(self, move: Move, score: float, reply: Line, *, nodes: int, sure: bool) -> None:
        value = self._margin_after((move, *reply)) if self.counts_depth else score or 0
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
        return (margin if over else self.evaluate)(position, self.root.turn)

    def analysis(self) -> Analysis:
        value, whole = self.values[self.line[0]].number, len(self.values) == len(self.order)
        exact = whole and self.guesses + self.faults == 0
        proved = Proved.exactly(value) if exact else Proved()
        distance = len(self.line) if exact and self.counts_depth and value != 0 else None
        return Analysis(self.line, value, proved, self.values, distance)

    def emit(self, analysis: Analysis) -> None:
        if self.thinking.watched:
            game = self.root.game
            depth = max(len(value.line) + 1 for value in analysis.values.values())
            best = game.move_name(analysis.move)
            moves = root_moves(game, analysis.values)
            more = {"pruned": self.pruned} if self.prunes else {}
            self.thinking.emit_root(depth, best, moves, **more)


class FullSearch(PlainSearch, Search):
    """The search position by position."""

    def final(self, position: Position, ply: int) -> float:
        result = margin(position, position.turn)
        if not self.counts_depth or result == 0:
            return result
        if ply >= WIN or abs(result) != 1:
            self.faults += 1
        return WIN - ply if result > 0 else ply - WIN


class EmittingFullSearch(EmittingSearch, FullSearch):
    """The same, which tells of its tree."""


class NativeSearch(CompiledSearch, Search):
    """The same search, compiled."""

    def __init__(self, form: Native, *given: Any) -> None:
        from papan.engine.memory import fill

        super().__init__(form, *given)
        if self.counts_depth:
            fill(self.memory.workspace, win=WIN, won_from=float_info.min, win_margin=1)


@dataclass
class Minimax(NativeAgent):
    """Looks at every move in order, without pruning or table; of equal moves it takes the first.

    Without a limit it makes one pass to its full depth. Within a limit it goes one ply deeper
    each round, and the last round that it could finish counts.
    """

    depth: int = 0
    """How many plies it looks ahead; 0: to the end of the game."""
    scoring: Literal["margin", "depth"] = "margin"
    """What the end of a game is worth: its margin, or paper 003's 10 - depth, depth - 10 and 0."""
    pruning: bool = False
    """Paper 003's first suggestion and nothing else: alpha-beta in one pass, without ordering,
    table and rounds. It is always searched in plain Python."""

    name: ClassVar[str] = "minimax"

    def __post_init__(self) -> None:
        self.demand("depth", 0)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        return self._search(position, thinking).decide(self._horizons(thinking))

    def _search(self, position: Position, thinking: Thinking) -> Search:
        """The search for this game: compiled where the game offers a form for that."""
        counts_depth = self.scoring == "depth"
        if not self.pruning and (form := native_form(position)):
            return NativeSearch(form, position, thinking, counts_depth)
        kind = EmittingFullSearch if thinking.watched else FullSearch
        return kind(position, thinking, counts_depth, self.pruning)

    def _horizons(self, thinking: Thinking) -> Iterable[float]:
        """How far each round looks."""
        if thinking.limit == UNLIMITED:
            return [self.depth or inf]
        return range(1, self.depth + 1) if self.depth else count(1)
