"""Alpha-beta: looks ahead move by move and skips what cannot change the decision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar

from papan.agents.alphabeta.plain import EmittingSearch, PlainSearch
from papan.agents.alphabeta.search import Search, Settings
from papan.core import Analysis, NativeAgent, OutOfBudget, Position, Thinking, native_form


@dataclass
class AlphaBeta(NativeAgent):
    """Searches one ply deeper each round, until *depth*, the limit, or the end of the game tree.

    It takes the shortest way to win all there is to win, and puts off losing it all.
    """

    depth: int = 0
    """How many plies it looks ahead; 0: as far as the limit allows."""
    ordering: bool = True
    """Look first at moves that were good elsewhere: pruning lives on it."""
    table: bool = True
    """Remember positions that other orders of the same moves have led to."""
    seed: int = 0
    """Shuffles the moves at the root, so that another of equal moves comes first; 0: as listed."""

    name: ClassVar[str] = "alphabeta"

    def __post_init__(self) -> None:
        self.demand("depth", 0)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        search = self._search(position, thinking)
        analysis, why = Analysis((search.order[0],)), "depth"
        try:
            for horizon in range(1, self.depth + 1) if self.depth else count(1):
                search.look(horizon)
                analysis = search.analysis()
                search.emit(analysis)
                if analysis.exact:
                    why = "exact"
                    break
        except OutOfBudget as stop:
            why = str(stop)
            if analysis.value is None and search.line:  # half a first round is better than none
                analysis = search.analysis()
        search.emit_tree()
        return replace(analysis, why=why)

    def _search(self, position: Position, thinking: Thinking) -> Search:
        """The search for this game: compiled where the game offers a form for that."""
        settings = Settings(self.ordering, self.table, self.seed)
        if form := native_form(position):
            from papan.agents.alphabeta.native import NativeSearch  # brings Numba

            return NativeSearch(position, thinking, settings, form)
        return (EmittingSearch if thinking.watched else PlainSearch)(position, thinking, settings)
