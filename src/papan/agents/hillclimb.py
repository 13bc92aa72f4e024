"""Hill climbing: paper 001's steepest ascent, which sees no further than its own next move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from papan.core import Agent, Analysis, Guess, Move, OutOfBudget, Position, Thinking, margin
from papan.core.analysis import root_moves


@dataclass
class HillClimb(Agent):
    """Looks at every move and takes the one with the largest margin right after it.

    Of equal moves it takes the first. It knows no rival, no sideways step and no restart: in a game
    a step cannot be taken back, so each move is one climb of one step.
    """

    name: ClassVar[str] = "hillclimb"
    ends_by_itself: ClassVar[bool] = True

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        best, why = position.moves()[0], "done"
        values: dict[Move, Guess] = {}
        try:
            for move in position.moves():
                thinking.tick()
                height = margin(position.child(move), position.turn)
                values[move] = Guess(height, nodes=1)
                if move == best or height > values[best].margin:
                    best = move
                    name = position.game.move_name(move)
                    thinking.emit("climb", step=1, v=height, nbrs=len(values), restart=0, m=name)
        except OutOfBudget as stop:
            why = str(stop)
        if not values:
            return Analysis((best,), why=why)
        _emit(position, values, best, thinking)
        return Analysis((best,), values[best].margin, values=values, why=why)


def _emit(position: Position, values: Mapping[Move, Guess], best: Move, thinking: Thinking) -> None:
    """Tell of all neighbours: how high they are, how high it is here, how many are the highest."""
    if not thinking.watched:
        return
    heights = [value.margin for value in values.values()]
    thinking.emit_root(
        1,
        position.game.move_name(best),
        root_moves(position.game, values),
        here=margin(position, position.turn),
        plateau=heights.count(values[best].margin),
    )
