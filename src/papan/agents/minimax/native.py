"""Minimax compiled, for games that offer a native form: alpha-beta that does not prune.

It looks at the same nodes as the plain search, and comes to the same values and lines.
"""

from __future__ import annotations

import numpy as np

from papan.agents.minimax import WIN, Search
from papan.core import Event, Native, Position, Thinking
from papan.core.thinking import MOST_TREE_NODES, whole_plies
from papan.engine import alphabeta
from papan.engine.memory import fill
from papan.engine.workspace import EmittedNode, SearchMemory

LEAST = float(np.finfo(float).tiny)


class NativeSearch(Search):
    """One search, on the workspace of the kernel."""

    def __init__(
        self, position: Position, thinking: Thinking, counts_depth: bool, form: Native
    ) -> None:
        super().__init__(position, thinking, counts_depth)
        plies, room = (whole_plies(position), MOST_TREE_NODES) if thinking.watched else (-1, 0)
        self.memory = SearchMemory(form, 0, room, plies)
        if counts_depth:
            fill(self.memory.workspace, win=WIN, won_from=LEAST, win_margin=1)

    def look(self, horizon: float) -> None:
        self.begin()
        try:
            self.memory.look(alphabeta.look, self.root.moves(), horizon, self.thinking)
        finally:
            self._read()
        self.finished = [self._event(*each) for each in enumerate(self.memory.emitted())]

    def _read(self) -> None:
        """What the kernel found, as far as it came."""
        counts = self.memory.workspace
        self.guesses, self.faults = int(counts.guesses), int(counts.faults)
        for move, found in zip(self.root.moves(), self.memory.found()):
            self.note(move, found.score, found.line, nodes=found.nodes, sure=not found.doubts)

    def _event(self, number: int, node: EmittedNode) -> Event:
        return {
            "id": number,
            "up": node.up if number else None,
            "m": self.root.game.move_name(node.move) if number else None,
            "role": "max" if node.mine else "min",
            "v": node.score,
            "s": node.state,
        }
