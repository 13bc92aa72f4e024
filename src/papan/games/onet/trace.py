"""How the line between two tiles is found: the cells that lines reach, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.core import Feature, Move
from papan.core.drawing import COLOURS, tag
from papan.games.onet import draw
from papan.games.onet.links import MOST_TURNS, Point, length

if TYPE_CHECKING:
    from papan.games.onet.rules import OnetPosition


def steps(position: OnetPosition, move: Move) -> list[Feature]:
    """The cells reached without a turn, then with one and with two, and the line in the end."""
    first, second = position.game.cells(move)
    links = position.game.links(position.tiles)
    start = first if links.joins(first, second) else second
    fewest = links.spread(start)
    found = []
    for turns in range(MOST_TURNS + 1):
        reached = sorted(point for point in fewest if fewest[point] == turns)
        visited = sum(each <= turns for each in fewest.values())
        drawn = "".join(_mark(position, point, turns) for point in reached)
        values = {"turns": turns, "cells": len(reached), "visited": visited}
        found.append(Feature("onet.frontier", values, drawn))
    path = position.path(move)
    values = {"turns": len(path) - 2, "cells": length(path) - 1, "visited": len(fewest)}
    return [*found, Feature("onet.path", values, draw.highlight(position, move))]


def _mark(position: OnetPosition, point: Point, turns: int) -> str:
    """A dot for each cell: full without a turn, a ring with one, a smaller ring with two."""
    x, y = draw.place(position, point)
    return tag(
        "circle",
        cx=x,
        cy=y,
        r=(9, 8, 5)[turns],
        fill=COLOURS["highlight"] if turns == 0 else COLOURS["paper"],
        stroke=COLOURS["highlight"],
        stroke_width=3,
        class_=f"frontier turns-{turns}",
    )
