"""Alpha-beta compiled, for games that offer a native form: the same values, and far more nodes."""

from __future__ import annotations

from papan.agents.alphabeta import WIN, Search, Settings
from papan.core import Event, Native, Position, Thinking
from papan.core.analysis import finite
from papan.core.thinking import MOST_TREE_NODES, whole_plies
from papan.engine import alphabeta
from papan.engine.memory import fill
from papan.engine.transpositions import Table
from papan.engine.workspace import EmittedNode, SearchMemory

FIRST_ENTRIES, MOST_ENTRIES = 2**15, 2**20
"""A small table is at hand at once, and the largest takes 32 megabytes."""
ROOM = 16
"""The table grows to so many buckets of two for each position in it, before the next round."""


class NativeSearch(Search):
    """One search, on the workspace of the kernel."""

    def __init__(
        self, position: Position, thinking: Thinking, settings: Settings, form: Native
    ) -> None:
        super().__init__(position, thinking, settings)
        plies, room = (whole_plies(position), MOST_TREE_NODES) if thinking.watched else (-1, 0)
        self.memory = SearchMemory(form, position.game.move_count, room, plies)
        self.transpositions = Table(FIRST_ENTRIES)
        fill(
            self.memory.workspace,
            prunes=True,
            orders=settings.ordering,
            remembers=settings.table,
            win=WIN,
            won_from=self.largest,
            win_margin=self.largest,
        )

    def look(self, horizon: int) -> None:
        self.begin(horizon)
        wanted = min(2 << (ROOM * self.entries).bit_length(), MOST_ENTRIES)
        self.transpositions.grow(wanted)
        self.transpositions.lend(self.memory.workspace)
        try:
            self.memory.look(alphabeta.look, self.order, horizon, self.thinking)
        finally:
            self._read()
        self.finished = [self._event(*each) for each in enumerate(self.memory.emitted())]
        self.end()

    def _read(self) -> None:
        """What the kernel found, as far as it came."""
        counts = self.memory.workspace
        self.guesses, self.pruned = int(counts.guesses), int(counts.pruned)
        self.probes, self.hits = int(counts.probes), int(counts.hits)
        self.entries = int(counts.stored)
        for move, found in zip(self.order, self.memory.found()):
            self.note(move, found.score, found.line, nodes=found.nodes, sure=not found.doubts)

    def _event(self, number: int, node: EmittedNode) -> Event:
        low, score, high = (finite(self.margin(each)) for each in (node.low, node.score, node.high))
        emitted: Event = {
            "id": number,
            "up": node.up if number else None,
            "m": self.root.game.move_name(node.move) if number else None,
            "role": "max" if node.mine else "min",
            "a": low if number else None,
            "b": high if number else None,
            "v": score,
            "s": node.state,
            "tt": node.by_transposition,
        }
        if node.state == "cut":
            emitted["why"] = "v>=b" if node.mine else "v<=a"
        return emitted
