"""MCTS: plays many random games, and more of them where they went well (UCT)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from papan.agents.mcts.plain import PlainSearch
from papan.agents.mcts.search import Search
from papan.core import (
    UNLIMITED,
    Analysis,
    Limit,
    NativeAgent,
    OutOfBudget,
    Position,
    Thinking,
    native_form,
)

USUAL_ITERATIONS = 1_000


@dataclass
class Mcts(NativeAgent):
    """Grows a tree by one position each iteration and plays on from there at random.

    A win counts 1, a draw 1/2, a loss 0; in a puzzle for one seat the share that was done counts.
    The most visited move is the answer, and the mean margin of its games is the value. Where the
    tree reaches the end of the game, it proves: a move proven best is the answer at once.
    """

    iterations: int = 0
    """How many games it plays at most; 0: as many as the limit allows, or 1,000 without any."""
    seconds: float = 0
    """How long it thinks at most; 0: as long as it takes."""
    exploration: float = 1.4
    """How much it cares for moves that it hardly knows; sqrt(2) is what theory says."""
    seed: int = 0
    reuse: bool = False
    """Go on with the tree of its last move; then what was played before matters for the answer."""

    name: ClassVar[str] = "mcts"

    def __post_init__(self) -> None:
        for setting in ("iterations", "seconds", "exploration"):
            self.demand(setting, 0)
        self._last: Search | None = None

    @property
    def own_limit(self) -> Limit:
        return Limit(self.seconds or inf, self.iterations or inf)

    def load(self, position: Position) -> None:
        if self.seconds:  # they may be too short to load anything
            replace(self, seconds=0).load(position)
        else:
            super().load(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        if self.seconds:
            thinking.narrow(Limit(seconds=self.seconds))
        search, why = self._search(position), "done"
        most = self.iterations or (USUAL_ITERATIONS if thinking.limit == UNLIMITED else inf)
        try:
            for games in rounds(most, search.emit_every if thinking.watched else inf):
                search.play(games, thinking)
                if search.solved:
                    why = "exact"
                    break
                if thinking.watched:
                    search.emit(thinking)
        except OutOfBudget as stop:
            why = str(stop)
        if thinking.watched and search.root.visits:
            search.emit(thinking)
            search.emit_tree(thinking)
        if self.reuse:
            self._last = search
        return search.analysis(why)

    def _search(self, position: Position) -> Search:
        """The search for this game: compiled where the game offers a form for that."""
        last, self._last = self._last, None
        if last and (grown := last.at(position)):
            return grown
        settings = self.exploration, self.seed
        if form := native_form(position):
            from papan.agents.mcts.native import NativeSearch  # brings Numba

            return NativeSearch(position, settings, form)
        return PlainSearch(position, settings)


def rounds(most: float, emit_every: float) -> Iterator[float]:
    """How many games to play before each account of them, *most* in all: twice as many each time,
    up to *told_every*; all at once where that is infinite.
    """
    games = most if emit_every == inf else 1
    while most > 0:
        yield min(games, most)
        most -= games
        games = min(2 * games, emit_every)
