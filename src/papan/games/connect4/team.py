"""Several searches for one goal: they share the table, and put off what others are doing."""

from __future__ import annotations

from threading import Thread

import numpy as np

from papan.games.connect4 import kernel_layout as at
from papan.games.connect4.desk import STOPPED, Desk
from papan.kernels.running import STOP


class Team:
    """A desk and its helpers. Whoever gets to the goal first stops the others."""

    def __init__(self, desk: Desk, size: int) -> None:
        self.desk = desk
        self._helpers = [desk.helper() for _ in range(size - 1)]

    @property
    def nodes(self) -> int:
        """How many positions all of them have searched."""
        return sum(each.nodes for each in (self.desk, *self._helpers))

    def search(self, goal: int) -> int:
        """What `Desk.search` gives; STOPPED also when it is time for a larger table."""
        if not self._helpers:
            return self.desk.search(goal)
        notes = np.zeros(at.ENGAGEMENTS, dtype=np.uint64)
        self.desk.words[at.ENGAGED] = notes.ctypes.data
        found: list[tuple[int, int]] = []
        desks = (self.desk, *self._helpers)
        for helper in self._helpers:
            helper.follow(self.desk)
        threads = [Thread(target=self._join_in, args=(each, goal, found)) for each in desks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.desk.words[at.ENGAGED] = 0
        if not found:
            return STOPPED
        bound, self.desk.words[at.MOVE] = found[0]  # now that no search writes moves any more
        return bound

    def _join_in(self, desk: Desk, goal: int, found: list[tuple[int, int]]) -> None:
        bound = desk.search(goal, self.desk.nodes_to_grow)
        if bound != STOPPED:
            found.append((bound, desk.move))
        for each in (self.desk, *self._helpers):
            each.words[STOP] = 1
