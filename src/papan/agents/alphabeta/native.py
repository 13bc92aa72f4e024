"""Alpha-beta compiled, for games that offer a native form: the same values, and far more nodes."""

# mypy: disable-error-code="no-untyped-call, no-any-return"

from __future__ import annotations

import numpy as np

from papan.agents.alphabeta.search import WIN, Search, Settings
from papan.core import Event, Native, Position, Thinking
from papan.core.analysis import finite
from papan.core.thinking import MOST_TREE_NODES, whole_plies
from papan.engine import alphabeta
from papan.engine import workspace as at
from papan.engine.control import Words, run_within
from papan.engine.transpositions import BUCKET, move_in
from papan.engine.workspace import EmittedNode, Workspace

FIRST_BUCKETS, MOST_BUCKETS = 2**14, 2**19
"""Two positions each: a small table is at hand at once, and the largest takes 32 megabytes."""
ROOM = 16
"""The table grows to so many buckets for each position in it, before the next round."""


class NativeSearch(Search):
    """One search, on the workspace of the kernel."""

    def __init__(
        self, position: Position, thinking: Thinking, settings: Settings, form: Native
    ) -> None:
        super().__init__(position, thinking, settings)
        self.form = form
        self.emitted_plies = whole_plies(position) if thinking.watched else -1
        room = MOST_TREE_NODES if thinking.watched else 0
        self.workspace = Workspace(form.widest, form.deepest, room, position.game.move_count)
        self.workspace.numbers[[at.WIN, at.LARGEST]] = WIN, self.largest
        self.workspace.words[[at.ORDERS, at.REMEMBERS]] = settings.ordering, settings.table
        self.transpositions: Words = np.zeros(FIRST_BUCKETS * BUCKET, np.uint64)

    def look(self, horizon: int) -> None:
        self.begin(horizon)
        self._make_room()
        rules, board, _, deepest = self.form

        def search(controls: Words) -> int:
            self.workspace.begin(min(horizon, deepest + 1), self.emitted_plies, controls)
            self.workspace.place_root(self.order)
            return alphabeta.look(rules, board, self.workspace.words)

        try:
            run_within(self.thinking, search)
        finally:
            self._read()
        self.finished = [self._event(*each) for each in enumerate(self.workspace.emitted())]
        self.end()

    def _read(self) -> None:
        """What the kernel found, as far as it came."""
        counts = self.workspace.words[
            [at.GUESSES, at.PRUNED, at.PROBES, at.HITS, at.STORED]
        ].tolist()
        self.guesses, self.pruned, self.probes, self.hits, self.entries = counts
        for move, found in zip(self.order, self.workspace.root()):
            self.note(move, found.score, found.line, nodes=found.nodes, sure=not found.doubts)

    def _make_room(self) -> None:
        """Let the table grow with what is in it."""
        buckets = self.transpositions.size // BUCKET
        wanted = min(1 << (ROOM * self.entries).bit_length(), MOST_BUCKETS)
        if wanted > buckets:
            larger: Words = np.zeros(wanted * BUCKET, np.uint64)
            move_in(self.transpositions, larger)
            self.transpositions = larger
        self.workspace.words[at.TRANSPOSITIONS] = self.transpositions.ctypes.data
        self.workspace.words[at.MASK] = self.transpositions.size // BUCKET - 1

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
