"""Several searches for one goal: they share the table, and put off what others are doing."""

from __future__ import annotations

from threading import Thread

import numpy as np

from papan.engine.control import STOP
from papan.games.connect4 import kernel_layout as at
from papan.games.connect4.workspace import STOPPED, Workspace


class Team:
    """A workspace and its helpers. Whoever gets to the goal first stops the others."""

    def __init__(self, workspace: Workspace, size: int) -> None:
        self.workspace = workspace
        self._helpers = [workspace.helper() for _ in range(size - 1)]

    @property
    def nodes(self) -> int:
        """How many positions all of them have searched."""
        return sum(each.nodes for each in (self.workspace, *self._helpers))

    def search(self, goal: int) -> int:
        """What `Workspace.search` gives; STOPPED also when it is time for a larger table."""
        if not self._helpers:
            return self.workspace.search(goal)
        notes = np.zeros(at.SEARCH_MARKS, dtype=np.uint64)
        self.workspace.words[at.BEING_SEARCHED] = notes.ctypes.data
        found: list[tuple[int, int]] = []
        workspaces = (self.workspace, *self._helpers)
        for helper in self._helpers:
            helper.follow(self.workspace)
        threads = [Thread(target=self._join_in, args=(each, goal, found)) for each in workspaces]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.workspace.words[at.BEING_SEARCHED] = 0
        if not found:
            return STOPPED
        bound, self.workspace.words[at.MOVE] = found[0]  # now that no search writes moves any more
        return bound

    def _join_in(self, workspace: Workspace, goal: int, found: list[tuple[int, int]]) -> None:
        bound = workspace.search(goal, self.workspace.nodes_to_grow)
        if bound != STOPPED:
            found.append((bound, workspace.move))
        for each in (self.workspace, *self._helpers):
            each.words[STOP] = 1
