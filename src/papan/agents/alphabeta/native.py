"""Alpha-beta compiled, for games that offer a native form: the same values, and far more nodes."""

# mypy: disable-error-code="no-untyped-call, no-any-return"

from __future__ import annotations

import numpy as np

from papan.agents.alphabeta.search import WIN, Search, Settings
from papan.core import Event, Native, Position, Thinking
from papan.core.telling import finite, whole_plies
from papan.core.thinking import MOST_TREE_NODES
from papan.kernels import alphabeta
from papan.kernels import stack as at
from papan.kernels.desk import Desk, ToldNode
from papan.kernels.running import Words, run_within
from papan.kernels.table import BUCKET, move_in

FIRST_BUCKETS, MOST_BUCKETS = 2**14, 2**19
"""Two positions each: a small table is at hand at once, and the largest takes 32 megabytes."""
ROOM = 16
"""The table grows to so many buckets for each position in it, before the next round."""


class NativeSearch(Search):
    """One search, on the desk of the kernel."""

    def __init__(
        self, position: Position, thinking: Thinking, settings: Settings, form: Native
    ) -> None:
        super().__init__(position, thinking, settings)
        self.form = form
        self.told_plies = whole_plies(position) if thinking.watched else -1
        room = MOST_TREE_NODES if thinking.watched else 0
        self.desk = Desk(form.widest, form.deepest, room, position.game.move_count)
        self.desk.numbers[[at.WIN, at.LARGEST]] = WIN, self.largest
        self.desk.words[[at.ORDERS, at.REMEMBERS]] = settings.ordering, settings.table
        self.table: Words = np.zeros(FIRST_BUCKETS * BUCKET, np.uint64)

    def look(self, horizon: int) -> None:
        self.begin(horizon)
        self._make_room()
        rules, board, _, deepest = self.form

        def search(controls: Words) -> int:
            self.desk.begin(min(horizon, deepest + 1), self.told_plies, controls)
            self.desk.place_root(self.order)
            return alphabeta.look(rules, board, self.desk.words)

        try:
            run_within(self.thinking, search)
        finally:
            self._read()
        self.finished = [self._told(*each) for each in enumerate(self.desk.told())]
        self.end()

    def _read(self) -> None:
        """What the kernel found, as far as it came."""
        counts = self.desk.words[[at.GUESSES, at.PRUNED, at.PROBES, at.HITS, at.KEPT]].tolist()
        self.guesses, self.pruned, self.probes, self.hits, self.entries = counts
        for move, found in zip(self.order, self.desk.root()):
            self.note(move, found.score, found.line, nodes=found.nodes, sure=not found.doubts)

    def _make_room(self) -> None:
        """Let the table grow with what is in it."""
        buckets = self.table.size // BUCKET
        wanted = min(1 << (ROOM * self.entries).bit_length(), MOST_BUCKETS)
        if wanted > buckets:
            larger: Words = np.zeros(wanted * BUCKET, np.uint64)
            move_in(self.table, larger)
            self.table = larger
        self.desk.words[at.TABLE] = self.table.ctypes.data
        self.desk.words[at.MASK] = self.table.size // BUCKET - 1

    def _told(self, number: int, node: ToldNode) -> Event:
        low, score, high = (finite(self.margin(each)) for each in (node.low, node.score, node.high))
        told: Event = {
            "id": number,
            "up": node.up if number else None,
            "m": self.root.game.move_name(node.move) if number else None,
            "role": "max" if node.mine else "min",
            "a": low if number else None,
            "b": high if number else None,
            "v": score,
            "s": node.state,
            "tt": node.by_table,
        }
        if node.state == "cut":
            told["why"] = "v>=b" if node.mine else "v<=a"
        return told
