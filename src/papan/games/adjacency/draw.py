"""Adjacency boards, in characters and as SVG, and as people set them up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from papan.core import PLAIN, Feature, Move, View, board
from papan.core.drawing import COLOURS, UNIT, tag
from papan.core.editing import Dial, GridDraft

if TYPE_CHECKING:
    from papan.games.adjacency.rules import AdjacencyPosition

TILE = UNIT * 0.43
"""Half the side of a tile."""
ROUNDING = 9


def svg(position: AdjacencyPosition, view: View = PLAIN) -> str:
    """The board with the last move and what it turned, highlighted moves with theirs, labels."""
    grid = position.game.grid
    parts = [board.tray(grid.columns * UNIT, grid.rows * UNIT)]
    for cell, mark in enumerate(position.cells()):
        parts.append(_slot(grid, cell))
        lit = {"class_": "cell last"} if cell == view.last else {}
        parts.append(board.square(grid, cell, **lit))
        if mark in "xo":
            body = board.solid(*board.centre(grid, cell), "xo".index(mark), TILE, ROUNDING)
            parts.append(board.piece(grid.names[cell], body, "tile"))
    if view.last is not None:
        parts.append(board.gold(*board.centre(grid, view.last), TILE, ROUNDING, "latest"))
    parts += [_turned(position, cell, "quiet", "turned") for cell in _just_turned(view)]
    parts += [highlight(position, move) for move in view.highlights]
    parts += [board.value(grid, cell, text) for cell, text in view.labels.items()]
    return board.sheet(grid, str(position), position.picture(), parts)


def _slot(grid: board.Grid, cell: int) -> str:
    """Where a tile can lie."""
    x, y = board.centre(grid, cell)
    size: dict[str, Any] = {"width": 2 * TILE, "height": 2 * TILE, "rx": ROUNDING}
    return tag("rect", x=x - TILE, y=y - TILE, **size, fill=COLOURS["slot"], class_="slot")


def highlight(position: AdjacencyPosition, move: Move) -> str:
    """A frame around the cell of *move*, and around every mark that it would turn."""
    turns = (_turned(position, cell, "highlight", "turns") for cell in position.flips(move))
    return board.ring(position.game.grid, move) + "".join(turns)


def features(position: AdjacencyPosition) -> list[Feature]:
    """How long the game still lasts."""
    return [Feature("adjacency.rounds_left", {"rounds": position.rounds_left})]


def _just_turned(view: View) -> list[int]:
    """The cells that the last move turned."""
    if not view.played:
        return []
    before, move = view.played[-1]
    return cast("AdjacencyPosition", before).flips(move)


def _turned(position: AdjacencyPosition, cell: int, colour: str, name: str) -> str:
    """A dotted frame around a mark that changes hands."""
    x, y = board.corner(position.game.grid, cell)
    return tag(
        "rect",
        x=x + 5,
        y=y + 5,
        width=UNIT - 10,
        height=UNIT - 10,
        fill="none",
        stroke=COLOURS[colour],
        stroke_width=4,
        stroke_dasharray="1 7",
        stroke_linecap="round",
        class_=name,
    )


ROUNDS = "rounds"


@dataclass(frozen=True)
class AdjacencyDraft(GridDraft):
    """A board, and the rounds of the game: those left follow from the marks."""

    position: AdjacencyPosition

    def dials(self) -> tuple[Dial, ...]:
        game = self.position.game
        return (Dial(ROUNDS, game.rounds, 1, game.most_rounds),)

    def dialled(self, name: str, value: int) -> AdjacencyPosition:
        return replace(self.position, game=replace(self.position.game, rounds=value))
