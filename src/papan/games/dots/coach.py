"""Dots and Boxes in words: what a line takes, leaves or gives, and why it is a mistake."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from papan.core import Coach, IllegalMoveError, Message, Move
from papan.games.dots.chains import all_taken, boxes_to_take, chains, safe_lines, taking
from papan.games.dots.rules import Dots, DotsPosition

if TYPE_CHECKING:
    from papan.core.reasons import Mistake


class DotsCoach(Coach, game=Dots):
    """Reasons by boxes and chains."""

    position: DotsPosition
    lesson_steps = {
        "dots.left_boxes": "lesson.dots_take_task",
        "dots.opened_long_chain": "lesson.dots_safe_task",
        "dots.gave_boxes": "lesson.dots_safe_task",
        "dots.opened_longer": "lesson.dots_chains",
        "dots.refused_double_cross": "lesson.dots_cross_task",
        "dots.lost_control": "lesson.dots_long",
    }

    def why_illegal(self, move: Move) -> IllegalMoveError:
        return IllegalMoveError("dots.already_drawn", line=self.position.game.move_name(move))

    def aim(self, move: Move) -> Message:
        """Return how many boxes a line takes, leaves or gives away."""
        before, after = self.position, self.position.child(move)
        there, taken = boxes_to_take(before), sum(after.owned) - sum(before.owned)
        opened = 0 if taken else boxes_to_take(after) - there
        facts = {"taken": taken, "there": there, "opened": opened}
        if taken:
            return Message("dots.aim_takes" if taken == there else "dots.aim_begins_to_take", facts)
        if there:
            return Message("dots.aim_leaves_and_gives" if opened else "dots.aim_leaves", facts)
        return Message("dots.aim_gives" if opened else "dots.aim_safe", facts)

    def fault(self, mistake: Mistake) -> Message | None:
        """Return what the line leaves, gives away or opens, or that it loses control."""
        before = self.position
        after, better = before.child(mistake.move), before.child(mistake.better)
        takes, should = after.owned != before.owned, better.owned != before.owned
        if should and not takes:
            return Message("dots.left_boxes", mistake.names | {"boxes": boxes_to_take(before)})
        at_once = _refused(before, mistake) if takes and not should else None
        if not takes and not should:
            at_once = _gave(before, mistake)
        return at_once or _later(before, mistake) or _fewer_boxes(before, mistake)


def _refused(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return the message for a box taken where a double-cross is better; None if it is not."""
    better = before.child(mistake.better)
    rest = all_taken(before.game, before.drawn)
    if all_taken(before.game, better.drawn) != rest:
        return None
    gives = not safe_lines(replace(before, drawn=rest))
    key = "dots.refused_double_cross" if gives else "dots.refused_turn"
    return Message(key, mistake.names | {"left": boxes_to_take(better)})


def _gave(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return the message for boxes newly given to the rival, if the better line gives fewer."""
    game, there, safe = before.game, boxes_to_take(before), len(safe_lines(before))
    after, better = before.child(mistake.move), before.child(mistake.better)
    given, least = (boxes_to_take(each) - there for each in (after, better))
    facts = mistake.names | {"boxes": given, "fewer": least, "safe": safe}
    if given > least:
        if least:
            return Message("dots.opened_longer", facts)
        if not safe:
            return Message("dots.opened_more", facts)
        opened = (each for each in chains(before) if mistake.move in each.lines)
        long = any(each.long and each.shape == "open" and each.length == given for each in opened)
        return Message("dots.opened_long_chain" if long else "dots.gave_boxes", facts)
    crossed = taking(game, after.drawn).loss
    if given == least > 0 and crossed and not taking(game, better.drawn).loss:
        return Message("dots.allowed_double_cross", facts | {"left": crossed // 2})
    return None


def _later(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return the first difference of the expected lines: control, safe lines, or boxes taken."""
    seat = before.turn
    lines = (before, (mistake.move, *mistake.refutation)), (before, mistake.plan)
    if [_opener(*line) for line in lines] == [seat, 1 - seat]:
        return Message("dots.lost_control", mistake.names)
    if [_runs_out(*line) for line in lines] == [seat, 1 - seat]:
        return Message("dots.ran_out", mistake.names)
    (now, boxes), (instead, more) = (_next_taken(*line) for line in lines)
    if (now, instead) == (1 - seat, seat):
        return Message("dots.takes_next", mistake.names | {"boxes": boxes, "instead": more})
    return None


def _fewer_boxes(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Return how many of the boxes left the mover gets, and would have got; None if not proved."""
    if not (mistake.now.exact and mistake.instead.exact):
        return None
    boxes, own = len(before.game.boxes), before.owned[before.turn]
    now, instead = (int(boxes + each.low) // 2 - own for each in (mistake.now, mistake.instead))
    facts = {"boxes": now, "instead": instead, "left": boxes - sum(before.owned)}
    return Message("dots.fewer_boxes", mistake.names | facts)


def _runs_out(position: DotsPosition, line: Iterable[Move]) -> int | None:
    """Return the first seat along *line* without a safe line or a box to take; None if none."""
    for move in line:
        if not boxes_to_take(position) and not safe_lines(position):
            return position.turn
        position = position.child(move)
    return None


def _opener(position: DotsPosition, line: Iterable[Move]) -> int | None:
    """Return the seat that must open the first long chain along *line*; the other has control."""
    for move in line:
        found = chains(position)
        quiet = not boxes_to_take(position) and not safe_lines(position)
        if quiet and found and all(chain.long for chain in found):
            return position.turn
        position = position.child(move)
    return None


def _next_taken(position: DotsPosition, line: Iterable[Move]) -> tuple[int | None, int]:
    """Return the seat that takes the next boxes along *line*, and how many in a row."""
    seat, taken = None, 0
    for move in line:
        child = position.child(move)
        won = sum(child.owned) - sum(position.owned)
        if won:
            seat = position.turn
        elif taken:
            break
        taken, position = taken + won, child
    return seat, taken
