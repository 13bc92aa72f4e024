"""The events of a search: the moves at the root, and the part of the tree to draw."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from papan.core.position import Game, Move, Position
from papan.core.thinking import MOST_TREE_NODES, Event, Thinking
from papan.core.value import Value


def root_moves(game: Game, values: Mapping[Move, Value]) -> list[Event]:
    """The moves of a root event, each with its value, the work behind it and the play expected."""
    return [
        {
            "m": game.move_name(move),
            **value.as_event(),
            "n": value.nodes,
            "pv": [game.move_name(each) for each in (move, *value.line)],
        }
        for move, value in values.items()
    ]


class Tree:
    """The nodes of one round of a search: whole plies from the root, parents before children.

    They are kept until the round is over, because only then all of their values are known.
    """

    def __init__(self, root: Position) -> None:
        self.plies = whole_plies(root)
        """How deep the part goes that is kept."""
        self.nodes: list[Event] = []
        self._path: list[int] = []

    def enter(self, ply: int, **facts: object) -> Event:
        """A new node below the last one entered at the ply before; add its value on leaving it."""
        node = {"id": len(self.nodes), "up": self._path[ply - 1] if ply else None, **facts}
        self._path[ply:] = [len(self.nodes)]
        self.nodes.append(node)
        return node

    def emit(self, thinking: Thinking) -> None:
        """Tell of every node, as long as there is time for it."""
        for node in self.nodes:
            if not thinking.emit_node(**node):
                break


def whole_plies(root: Position) -> int:
    """How many plies below *root* may be emitted: at least one."""
    width, shrink = len(root.moves()), int(root.game.moves_stay)
    plies, nodes, layer = 1, 1 + width, width
    while (layer := layer * (width - shrink * plies)) and nodes + layer <= MOST_TREE_NODES:
        nodes += layer
        plies += 1
    return plies


def finite(bound: float) -> float | None:
    """A bound as JSON can write it: None where there is none."""
    return bound if isfinite(bound) else None
