"""Hints: one good move for the person to move, in three steps: its idea, its area, the move itself.

Every view asks `hint_of` once and shows one step more each time it is asked. A hint speaks to the
person who moves; how many were asked for is in the `Session` and in the record of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from papan.core.analysis import Analysis
from papan.core.game import Move, Position
from papan.core.message import Message
from papan.core.numbers import Number
from papan.core.parts import Coach
from papan.core.reasons import Reason, reason, with_people

HINT_STEPS = 3
"""Steps of a hint: idea, area, move."""


@dataclass(frozen=True)
class Hint:
    """A good move, with the idea and the area that lead a person to it step by step."""

    position: Position
    move: Move
    idea: Message
    """What the move is about, without naming it."""
    area: tuple[str, ...]
    """Where to look, as names of moves; the move is among them."""
    reason: Reason
    """Why the move is good: see `papan.core.reasons`."""
    outcome: Message | None = None
    """What is proved to come of it; None if nothing is."""

    def text(self, step: int, language: str = "en") -> str:
        """Return what *step* says in *language*, to the person who moves.

        1 is the idea, 2 the area, 3 the move with its reason and outcome.
        """
        you = {"player": Message("seat.alone"), "rival": Message("because.rival")}
        count = {"step": step, "steps": HINT_STEPS}
        if step == 1:
            return Message("hint.idea", count | {"idea": self.idea}).text(language)
        if step == 2:
            return Message("hint.area", count | {"moves": self.area}).text(language)
        name = self.position.game.move_name(self.move)
        said = [with_people(each, you) for each in self.reason.messages]
        more = [] if self.outcome is None else [self.outcome]
        found = [Message("hint.move", {"move": name}), *said, *more]
        return " ".join(each.text(language) for each in found)

    def json(self) -> dict[str, Any]:
        """Return the hint as JSON data: ``move``, ``idea``, ``area``, ``outcome``; moves by name.

        The reason is in the explanation.
        """
        return {
            "move": self.position.game.move_name(self.move),
            "idea": self.idea.json(),
            "area": list(self.area),
            "outcome": self.outcome and self.outcome.json(),
        }


def hint_of(position: Position, analysis: Analysis) -> Hint:
    """Return the hint to make the chosen move of *analysis*, which is of *position*.

    Raise CannotPlayError if the game is over.
    """
    move, coach = analysis.move, Coach.of(position)
    found, area, moves = reason(position, move, analysis), coach.area(move), len(position.moves())
    if len(area) == 1 or 2 * len(area) > moves:  # the move already, or most of the board
        area = Coach.area(coach, move)
    idea = coach.idea(move) if moves > 1 else Message("idea.only")
    return Hint(position, move, idea, area, found, _outcome(position, analysis))


def _outcome(position: Position, analysis: Analysis) -> Message | None:
    """Return a message on the proved result of the chosen move, for the seat that makes it.

    None if it is not proved, if the move ends the game, or in a game for one.
    """
    value, plies = analysis.value, analysis.distance
    over = position.child(analysis.move).is_over
    if not analysis.exact or value is None or position.game.seats == 1 or over:
        return None
    if not value:
        return Message("hint.draw")
    result = "win" if value > 0 else "loss"
    if position.game.largest_margin != 1:
        return Message(f"hint.{result}_points", {"points": Number(abs(value))})
    if plies is None:
        return Message(f"hint.{result}")
    return Message(f"hint.{result}_in", {"moves": (plies + 1) // 2, "plies": plies})
