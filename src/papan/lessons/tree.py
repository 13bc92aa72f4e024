"""The tree of a search, of which a picture shows only the part around one place."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from papan.lessons.lesson import Node, TextValue

Role = Literal["max", "min"]


class Branches:
    """Everything that a search has visited so far."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []

    def __len__(self) -> int:
        return len(self._nodes)

    def enter(self, up: int | None, move: str, role: Role) -> int:
        """A new place below *up*; its number."""
        self._nodes.append(Node(len(self._nodes), up, move, role))
        return len(self._nodes) - 1

    def note(
        self,
        number: int,
        text: TextValue | None,
        state: Literal["open", "done", "cut", "known"] = "open",
    ) -> None:
        """What is known of a place by now."""
        self._nodes[number] = replace(self._nodes[number], text=text, state=state)

    def at(self, current: int) -> dict[str, object]:
        """What a step tells of a search that is at *current*."""
        return {"tree": self.around(current), "current": current}

    def around(self, current: int) -> tuple[Node, ...]:
        """The way from the root to *current*, with everything that branches off it."""
        way, number = {current}, current
        while (up := self._nodes[number].up) is not None:
            way.add(up)
            number = up
        return tuple(node for node in self._nodes if node.up is None or node.up in way)
