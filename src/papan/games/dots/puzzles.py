"""Puzzles of Dots and Boxes: counting chains, and the double-cross."""

from __future__ import annotations

from papan.core import Analysis, Drawing, Message, Position
from papan.games.dots.chains import safe_lines
from papan.games.dots.rules import Dots, DotsPosition
from papan.puzzles.themes import (
    FEWEST_MOVES,
    GENERAL,
    PuzzleThemes,
    gains,
    is_zugzwang,
    keeps,
)


def is_chains(position: Position, found: Analysis) -> bool:
    """Return whether no box can be taken and one of several safe lines alone keeps the result."""
    return is_quiet(position) and keeps(position, found)


def is_cross(position: Position, found: Analysis) -> bool:
    """Return whether leaving the last boxes to the rival is better than any other line."""
    names = [position.game.move_name(move) for move in found.best]
    return (
        len(position.moves()) >= FEWEST_MOVES
        and len(names) == 1
        and names[0] in double_crosses(position)
    )


def double_crosses(position: Position) -> set[object]:
    """Return the names of the lines that leave the last boxes of a chain or loop to the rival."""
    features = Drawing.of(position).features()
    return {each.values["line"] for each in features if each.key == "dots.double_cross"}


def is_quiet(position: Position) -> bool:
    """Return whether no box can be taken, and several lines give none away."""
    assert isinstance(position, DotsPosition)
    return len(safe_lines(position)) >= 2 and not gains(position, position.turn)


class DotsThemes(PuzzleThemes, game=Dots):
    """Themes of chains; a question gives the boxes so far."""

    claims = {"cross": is_cross, "zugzwang": is_zugzwang, "chains": is_chains, **GENERAL}
    signs = {**PuzzleThemes.signs, "cross": double_crosses, "chains": is_quiet}

    def situation(self, position: Position) -> list[Message]:
        assert isinstance(position, DotsPosition)
        first, second = position.owned
        return [Message("dots.boxes_so_far", {"first": first, "second": second})]
