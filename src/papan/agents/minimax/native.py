"""Minimax compiled, for games that offer a native form: the same nodes, values and lines."""

# mypy: disable-error-code="no-untyped-call, no-any-return"

from __future__ import annotations

from papan.agents.minimax.search import WIN, Search
from papan.core import Event, Native, Position, Thinking
from papan.core.thinking import MOST_TREE_NODES, whole_plies
from papan.engine import minimax
from papan.engine import workspace as at
from papan.engine.control import Words, run_within
from papan.engine.workspace import EmittedNode, Workspace


class NativeSearch(Search):
    """One search, on the workspace of the kernel."""

    def __init__(
        self, position: Position, thinking: Thinking, counts_depth: bool, form: Native
    ) -> None:
        super().__init__(position, thinking, counts_depth)
        self.form = form
        self.emitted_plies = whole_plies(position) if thinking.watched else -1
        room = MOST_TREE_NODES if thinking.watched else 0
        self.workspace = Workspace(form.widest, form.deepest, room)
        self.workspace.numbers[at.WIN] = WIN if counts_depth else 0

    def look(self, horizon: float) -> None:
        self.begin()
        rules, board, _, deepest = self.form
        plies, words = int(min(horizon, deepest + 1)), self.workspace.words

        def search(controls: Words) -> int:
            self.workspace.begin(plies, self.emitted_plies, controls)
            return minimax.look(rules, board, words)

        try:
            run_within(self.thinking, search)
        finally:
            self._read()
        self.finished = [self._event(*each) for each in enumerate(self.workspace.emitted())]

    def _read(self) -> None:
        """What the kernel found, as far as it came."""
        self.guesses, self.faults = self.workspace.words[[at.GUESSES, at.FAULTS]].tolist()
        for move, found in zip(self.root.moves(), self.workspace.root()):
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
