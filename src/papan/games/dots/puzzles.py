"""Puzzles of Dots and Boxes: boxes to take, safe lines, chains, and the double-cross."""

from __future__ import annotations

from papan.core import Analysis, Coach, Drawing, Message, Position
from papan.games.dots.chains import boxes_given, safe_lines
from papan.games.dots.rules import Dots, DotsPosition
from papan.puzzles.themes import PuzzleThemes, gains, keeps

FEW_SAFE = range(2, 5)
"""Numbers of safe lines of which a person can count out what each leads to."""


def is_take(position: Position, found: Analysis) -> bool:
    """Return whether exactly one line takes boxes, and it is the only best move.

    *found* is the analysis that has all best moves, `found.best`.
    """
    before = position.scores()
    taking = [move for move in position.moves() if position.child(move).scores() != before]
    return len(taking) == 1 and taking == [*found.best]


def is_safe(position: Position, found: Analysis) -> bool:
    """Return whether no box can be taken, and the only safe line is the only best move.

    *found* is the analysis that has all best moves, `found.best`.
    """
    assert isinstance(position, DotsPosition)
    safe = safe_lines(position)
    return len(safe) == 1 and safe == [*found.best] and not gains(position, position.turn)


def is_fewest(position: Position, found: Analysis) -> bool:
    """Return whether every line gives boxes, and just those that give the fewest are the best.

    False if all lines give equally many. *found* is the analysis that has all best moves,
    `found.best`. The game must not be over: not checked.
    """
    if not must_give(position):
        return False
    assert isinstance(position, DotsPosition)
    given = {
        move: len(boxes_given(position.game, position.drawn, move)) for move in position.moves()
    }
    least = min(given.values())
    fewest = {move for move, boxes in given.items() if boxes == least}
    return fewest == {*found.best} != {*given}


def is_handout(position: Position, found: Analysis) -> bool:
    """Return whether every line gives boxes, and the only best one gives two that must be taken.

    They must be taken if the rival cannot leave them by a double-cross. *found* is the analysis
    that has all best moves, `found.best`.
    """
    if not must_give(position) or len(found.best) != 1:
        return False
    deeds = Coach.of(position).deeds(found.move)
    return any(each.message.key == "dots.reason_hard_hearted" for each in deeds)


def is_chains(position: Position, found: Analysis) -> bool:
    """Return whether no box can be taken, two to four lines are safe, and one move alone is right.

    It is the only move that keeps a win or a draw by *found*, the analysis of *position*.
    """
    return is_quiet(position) and keeps(position, found)


def is_cross(position: Position, found: Analysis) -> bool:
    """Return whether the only best line leaves the last boxes of a chain or loop to the rival.

    *found* is the analysis that has all best moves, `found.best`.
    """
    names = [position.game.move_name(move) for move in found.best]
    return len(names) == 1 and names[0] in double_crosses(position)


def double_crosses(position: Position) -> set[object]:
    """Return the names of double-crosses: lines that leave the last boxes of a chain or loop.

    The names are such as ``a1b1``; the rival can take those boxes next. Empty if there are none.
    """
    features = Drawing.of(position).features()
    return {each.values["line"] for each in features if each.key == "dots.double_cross"}


def is_quiet(position: Position) -> bool:
    """Return whether no box can be taken, and two to four lines are safe (FEW_SAFE)."""
    assert isinstance(position, DotsPosition)
    return len(safe_lines(position)) in FEW_SAFE and not gains(position, position.turn)


def must_give(position: Position) -> bool:
    """Return whether no box can be taken, and every line gives some away.

    True, too, if the game is over.
    """
    assert isinstance(position, DotsPosition)
    return not safe_lines(position) and not gains(position, position.turn)


class DotsThemes(PuzzleThemes, game=Dots):
    """The puzzle themes of Dots and Boxes; a question states each player's boxes so far.

    Both dicts have tests by the name of a theme: a test of `claims` proves that a position has the
    theme; a test of `signs` is quick, and false only where the position cannot have it.
    """

    claims = {
        "cross": is_cross,
        "take": is_take,
        "handout": is_handout,
        "fewest": is_fewest,
        "safe": is_safe,
        "chains": is_chains,
    }
    signs = {
        "cross": double_crosses,
        "chains": is_quiet,
        "fewest": must_give,
        "handout": must_give,
    }

    def situation(self, position: Position) -> list[Message]:
        """Return one sentence: how many boxes the seat to move owns, and how many its rival."""
        assert isinstance(position, DotsPosition)
        own, rival = position.owned[position.turn], position.owned[1 - position.turn]
        key = "dots.boxes_so_far" if own or rival else "dots.no_boxes_yet"
        return [Message(key, {"own": own, "rival_boxes": rival})]
