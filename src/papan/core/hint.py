"""Hints: one good move for the person to move, in three steps: its idea, its area, the move itself.

Every view asks `hint_of` once and shows one step more each time it is asked. A hint speaks to the
person who moves; how many were asked for is in the `Session` and in the record of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from papan.core.analysis import Analysis
from papan.core.game import Move, Position
from papan.core.message import Message, catalogue
from papan.core.numbers import Number
from papan.core.parts import Coach
from papan.core.reasons import Reason, reason, with_people

HINT_STEPS = 3
"""Steps of a hint: idea, area, move."""


@dataclass(frozen=True)
class Hint:
    """A good move, with the idea and the area that lead a person to it step by step.

    *position* is the one before the *move*. *idea* says what the move is about without naming it,
    *area* has the names of moves to look at, this one among them, *reason* says why it is good, and
    *outcome* what is proved to come of it (None: nothing).
    """

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
        """Return the text of one *step* of the hint in *language*, for the person who moves.

        Step 1 is the idea, 2 the area, any other (`HINT_STEPS` is the last one) the move with its
        reason and outcome.
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

        The idea and the outcome are `Message.json`; the outcome is None if nothing is proved. The
        reason is left out, as `Explanation.json` has it.
        """
        return {
            "move": self.position.game.move_name(self.move),
            "idea": self.idea.json(),
            "area": list(self.area),
            "outcome": self.outcome and self.outcome.json(),
        }


def hint_of(position: Position, analysis: Analysis) -> Hint:
    """Return the hint that leads to `analysis.move`, the move that an agent would play.

    *analysis* must be one of *position*. Raise CannotPlayError if the game is over.
    """
    move, coach = analysis.move, Coach.of(position)
    found, area = reason(position, move, analysis), area_around(position, move)
    idea = _idea(coach, move, analysis) if len(position.moves()) > 1 else _only(position)
    return Hint(position, move, idea, area, found, _outcome(position, analysis))


def area_around(position: Position, move: Move) -> tuple[str, ...]:
    """Return where to look for a legal *move*, as names of moves: it and some others.

    They are what the coach of the game returns (`area`); but if that is one move alone, or more
    than half of the legal moves, they are what the default `Coach.area` returns. Raise ValueError
    if *move* is not legal and the default is asked.
    """
    coach = Coach.of(position)
    area = coach.area(move)
    if len(area) == 1 or 2 * len(area) > len(position.moves()):
        return Coach.area(coach, move)
    return area


def _idea(coach: Coach, move: Move, analysis: Analysis) -> Message:
    """Return the idea of *move* as a message that does not name it.

    It is the idea that `Coach.ideas` has for the first fact that *analysis* has proved about the
    move (`Coach.proved`) and that is listed there; if none is, what `Coach.idea` returns.
    """
    proved = (coach.ideas.get(each.message.key) for each in coach.proved(move, analysis))
    key = next(filter(None, proved), None)
    return coach.idea(move) if key is None else Message(key)


def _only(position: Position) -> Message:
    """Return the idea of the only legal move of *position*, in the words of its game if it has any.

    Its key is then ``onet.idea_only`` for the game ``onet``.
    """
    own = Message(f"{position.game.name}.idea_only")
    return own if own.key in catalogue("en") else Message("idea.only")


def _outcome(position: Position, analysis: Analysis) -> Message | None:
    """Return a message on the proved result of `analysis.move`, for the seat that makes it.

    That is a win, draw or loss, with its length or its points where known. None if it is not
    proved, if the move ends the game, or in a game for one.
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
