"""Minimax: paper 003's plain search, which looks at every line of play there is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from typing import ClassVar, Literal

from papan.agents.minimax.plain import EmittingSearch, PlainSearch
from papan.agents.minimax.search import Search
from papan.core import (
    UNLIMITED,
    Analysis,
    NativeAgent,
    OutOfBudget,
    Position,
    Thinking,
    native_form,
)


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
        search = self._search(position, thinking)
        analysis, why = Analysis(tuple(position.moves()[:1])), "depth"
        try:
            for horizon in self._rounds(thinking):
                search.look(horizon)
                analysis = search.analysis()
                search.emit(analysis)
                if search.guesses == 0:
                    why = "exact" if analysis.exact else "done"
                    break
        except OutOfBudget as stop:
            why = str(stop)
            if analysis.value is None and search.line:  # half a first round is better than none
                analysis = search.analysis()
        search.emit_tree()
        return replace(analysis, why=why)

    def _search(self, position: Position, thinking: Thinking) -> Search:
        """The search for this game: compiled where the game offers a form for that."""
        counts_depth = self.scoring == "depth"
        if not self.pruning and (form := native_form(position)):
            from papan.agents.minimax.native import NativeSearch  # brings Numba

            return NativeSearch(position, thinking, counts_depth, form)
        return (EmittingSearch if thinking.watched else PlainSearch)(
            position, thinking, counts_depth, self.pruning
        )

    def _rounds(self, thinking: Thinking) -> Iterable[float]:
        """How far each round looks."""
        if thinking.limit == UNLIMITED:
            return [self.depth or inf]
        return range(1, self.depth + 1) if self.depth else count(1)
