"""What a move is for, as anybody sees on the board: it wins, blocks, threatens, takes something."""

from __future__ import annotations

from collections import Counter

from papan.core.drawing import Feature
from papan.core.game import Move, Position
from papan.core.review import FEW, double_threat, wins
from papan.core.text import catalogue


def aim(position: Position, move: Move) -> Feature | None:
    """What a legal *move* does at once, by the rules alone; None where that is nothing special."""
    if position.game.seats == 1:
        return None
    quick = position.game.largest_margin == 1  # won or lost, not by points
    return _of_lines(position, move) if quick else _of_points(position, move)


def _of_lines(position: Position, move: Move) -> Feature | None:
    """What a move does in a game that can be won at once."""
    after = position.child(move)
    if after.is_over:
        return Feature("aim.wins") if after.winner == position.turn else None
    if _threatened(position, move):
        return Feature("aim.blocks", {"place": position.place_of(move)})
    if two := double_threat(after, position.turn):
        return Feature("aim.double", {"place": two})
    threats = _threats(after)
    return Feature("aim.threatens", {"place": ", ".join(threats)}) if threats else None


def _threatened(position: Position, move: Move) -> bool:
    """Would the rival win where *move* goes, if something else were played?"""
    others = [each for each in position.moves() if each != move][:FEW]
    children = [child for child in map(position.child, others) if not child.is_over]
    places = (child.place_of(win) for child in children for win in wins(child))
    return position.place_of(move) in places


def _threats(after: Position) -> list[str]:
    """Where the seat that has just moved wins next, unless that is stopped."""
    children = [child for child in map(after.child, after.moves()[:FEW]) if not child.is_over]
    places = Counter(child.place_of(win) for child in children for win in wins(child))
    return [place for place, count in places.items() if count > 1]  # one answer may allow it


def _of_points(position: Position, move: Move) -> Feature | None:
    """What a move takes and what it leaves, in a game of points that has words for that."""
    after, seat = position.child(move), position.turn
    there, taken = _in_a_row(position), after.scores()[seat] - position.scores()[seat]
    turned = position.scores()[1 - seat] - after.scores()[1 - seat]
    left = _in_a_row(after) if after.turn != seat else 0
    if turned:
        what = "turns"
    elif taken:
        what = "takes" if taken == there else "begins_to_take"
    else:
        what = ("leaves" if there else "gives") if left else "safe"
    key = f"aim.{what}_{position.game.name}"
    points = {"taken": taken, "there": there, "turned": turned, "left": left}
    facts = {name: int(count) for name, count in points.items()}
    return Feature(key, facts) if key in catalogue("en") else None


def _in_a_row(position: Position) -> float:
    """The points that the seat to move can take while each of its moves earns another one."""
    seat, taken = position.turn, 0.0
    while not position.is_over and position.turn == seat:
        children = map(position.child, position.moves())
        gains = ((child.scores()[seat] - position.scores()[seat], child) for child in children)
        gain, best = next(((gain, child) for gain, child in gains if gain > 0), (0, position))
        if not gain or (best.turn != seat and not best.is_over):
            break
        taken, position = taken + gain, best
    return taken
