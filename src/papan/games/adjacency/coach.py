"""Adjacency in words: how many marks a move turns, and why it is a mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.core import Message, Move
from papan.core.marks import MarkCoach
from papan.games.adjacency.rules import MARKS_AT_START, Adjacency, AdjacencyPosition

if TYPE_CHECKING:
    from papan.core.reasons import Mistake


class AdjacencyCoach(MarkCoach, game=Adjacency):
    """Reasons by marks that are turned, or can be."""

    position: AdjacencyPosition
    lesson_steps = {
        "adjacency.gave_frontier": "lesson.adjacency_patience_task",
        "adjacency.too_greedy": "lesson.adjacency_patience_task",
        "adjacency.turned_fewer": "lesson.adjacency_flips",
    }

    def aim(self, move: Move) -> Message | None:
        """Return how many marks a move turns; None if it turns none."""
        turned = len(self.position.flips(move))
        return Message("adjacency.aim_turns", {"turned": turned}) if turned else None

    def fault(self, mistake: Mistake) -> Message | None:
        """Return what the rival can turn now, what the move turned or exposed, or how it ends."""
        before, names = self.position, mistake.names
        after, other = before.child(mistake.move), before.child(mistake.better)
        (given, reply), (left, _) = after.most_turned(), other.most_turned()
        if given > left:
            facts = {"reply": reply, "marks": given, "fewer": left}
            return Message("adjacency.gave_frontier", names | facts)
        now, instead = len(before.flips(mistake.move)), len(before.flips(mistake.better))
        if now != instead:
            key = "adjacency.turned_fewer" if now < instead else "adjacency.too_greedy"
            return Message(key, names | {"marks": now, "instead": instead})
        open_now, open_instead = after.exposed(before.turn), other.exposed(before.turn)
        if open_now > open_instead and after.plies_left:
            facts = {"marks": open_now, "fewer": open_instead}
            return Message("adjacency.exposed_more", names | facts)
        if not (mistake.now.exact and mistake.instead.exact):
            return None
        marks = MARKS_AT_START + 2 * before.game.rounds
        ends = [int(marks + each.low) // 2 for each in (mistake.now, mistake.instead)]
        return Message("adjacency.ends_with", names | {"marks": ends[0], "instead": ends[1]})
