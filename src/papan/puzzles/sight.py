"""What people see of a position: a number of turns ahead, with blind spots; it rates puzzles.

A solver of puzzles with a sight of n turns counts what is scored in them, and nothing else: it does
not evaluate positions. Its blind spots (`BLIND_SPOTS`) are what people tend to overlook, such as
diagonals.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, inf

from papan.core import Analysis, Move, Position, margin
from papan.core.drawing import UNIT
from papan.core.parts import Drawing
from papan.puzzles import EASIEST
from papan.puzzles.themes import PuzzleThemes, lasting, right_moves, truth

SIGHTS: Sequence[tuple[int, int]] = ((1, 500), (2, 700), (4, 1000), (6, 1300))
"""Numbers of turns that solvers of puzzles look ahead, and the rating of each by convention."""
BLIND_SPOTS = ("", "shape", "far", "last", "greed")
"""What a solver overlooks: nothing, diagonals, cells far from the last move, its last turn, or that
a gain can cost more than it brings.
"""
GUESS_WEIGHT = 0.5
"""Share of right guesses that count: people who do not see the answer tend to choose
another move.
"""
BLINDNESS = 100
"""Rating points by which a blind spot lowers the strength of a solver."""
FAR = 3
"""Distance in cells from the last move beyond which people overlook moves."""
MOST_LOOKED_AT = 2_000
"""Positions that a solver examines at most; if they are not enough, it sees one turn less."""
HARDEST = 1600
"""Upper bound of a rating; the lower bound is `EASIEST`."""
MIDDLE = 900
"""Rating of a virtual solver with a drawn result, which keeps ratings finite."""

PicturePoint = tuple[float, float]
"""A point (x, y) of the picture of a position, in SVG units."""


def rating(position: Position, theme: str, last: PicturePoint | None = None) -> int:
    """Return the rating of a puzzle, in Elo, from `EASIEST` to `HARDEST`.

    It is the rating at which Elo's formula predicts as many right answers as simulated solvers of
    known strength find. For each of `SIGHTS` there is a solver with each of `BLIND_SPOTS`, and
    there is one more of the strength `MIDDLE`, who finds it every other time. *theme* is the name
    of what is asked, such as "win". *last* is where the last move was made, in SVG units of the
    picture; None if there was none. Raise AssertionError if `truth` cannot solve *position*, or one
    that follows.
    """
    found = truth(position)
    assert found is not None, f"{position} was solved before"
    hidden = blind_spots(position, found, last)
    guessed = share_solved(position, theme, 0)
    shares = {0: guessed}
    results = [(float(MIDDLE), 0.5)]
    for turns, strength in SIGHTS:
        for spot in BLIND_SPOTS:
            looked = turns - (spot == "last")
            if looked not in shares:
                shares[looked] = share_solved(position, theme, looked)
            share = min(guessed, shares[looked]) if spot in hidden else shares[looked]
            results.append((strength - BLINDNESS * bool(spot), share))
    return min(max(EASIEST, performance(results)), HARDEST)


def blind_spots(position: Position, found: Analysis, last: PicturePoint | None) -> frozenset[str]:
    """Return why people tend to overlook the answer: "shape", "far", "greed", several, or none.

    "shape": `PuzzleThemes.hard_to_see` says so, as of a diagonal; "far": it is more than `FAR`
    cells from *last*, where the last move was made (SVG units; None: nothing is far from it);
    "greed": another move gains more at once. The answer is the move of *found*, the analysis that
    solves *position*.
    """
    own, right = PuzzleThemes.of(position.game), found.move
    point = Drawing.of(position).label_point(right)
    greediest = max(own.gain(position, move) for move in position.moves())
    hidden = {
        "shape": own.hard_to_see(position, found),
        "far": point is not None and last is not None and dist(point, last) > FAR * UNIT,
        "greed": own.gain(position, right) < greediest,
    }
    return frozenset(spot for spot, hides in hidden.items() if hides)


def share_solved(position: Position, theme: str, turns: int) -> float:
    """Return the share of tries, 0 to 1, in which a solver with a sight of *turns* turns is right.

    It is right if its move is one of `right_moves`. It chooses at random among the moves that look
    best to it, with 0 turns among all. Unless it is right in every try, the share is multiplied by
    `GUESS_WEIGHT`. Only the first move is asked for, except in games for one with a theme that
    lasts to the end (`lasting`): there it goes on after the first right one of these moves, and the
    shares are multiplied. 1.0 if the game is over. Raise AssertionError if `truth` cannot solve a
    position.
    """
    share = 1.0
    while not position.is_over:
        found = truth(position)
        assert found is not None, f"{position} was solved before"
        right, best = right_moves(position, found), best_by_sight(position, turns)
        share *= sum(move in right for move in best) / len(best)
        if not share or not lasting(theme) or position.game.seats > 1:
            break
        position = position.child(next(move for move in best if move in right))
    return share if share == 1 else share * GUESS_WEIGHT


def best_by_sight(position: Position, turns: int) -> list[Move]:
    """Return the moves that look best to a solver that sees *turns* turns ahead; all moves for 0.

    They are the moves of the greatest value in `values_by_sight`; empty if the game is over.
    """
    values = values_by_sight(position, turns)
    best = max(values.values(), default=0.0)
    return [move for move, value in values.items() if value == best]


def values_by_sight(position: Position, turns: int) -> dict[Move, float]:
    """Return by legal move the margin that is seen *turns* turns ahead.

    It is in points, for the seat to move. With *turns* 0 nothing is seen, and every move has the
    margin 0. If more than `MOST_LOOKED_AT` positions would have to be examined, it looks one turn
    less ahead, if need be again.
    """
    while turns:
        try:
            return Sight().values(position, turns)
        except _TooMuchError:
            turns -= 1
    return dict.fromkeys(position.moves(), 0.0)


class _TooMuchError(Exception):
    """Raised if more than `MOST_LOOKED_AT` positions would have to be examined."""


class Sight:
    """A search that sees what is scored in the next turns, and nothing else.

    The mover's own further moves cost no turn; in a game for one each move is a turn. An object
    examines `MOST_LOOKED_AT` positions in all, those at the end of its sight not counted; for the
    next one it raises _TooMuchError.
    """

    def __init__(self) -> None:
        self._left = MOST_LOOKED_AT
        self._known: dict[tuple[Position, int], tuple[float, float]] = {}

    def values(self, position: Position, turns: int) -> dict[Move, float]:
        """Return for each legal move the margin that is seen *turns* (1 or more) turns ahead.

        It is in points, for the seat to move. Raise _TooMuchError if that takes too many positions.
        """
        return {move: self._after(position, move, turns, -inf, inf) for move in position.moves()}

    def _after(self, position: Position, move: Move, turns: int, low: float, high: float) -> float:
        """Return the margin after *move* for the seat that makes it, seen *turns* turns ahead.

        *low*, *high* and the result are as in `_value`, for that seat. Raise _TooMuchError as it
        does.
        """
        child = position.child(move)
        if child.turn == position.turn:
            return self._value(child, turns - (position.game.seats == 1), low, high)
        return -self._value(child, turns - 1, -high, -low)

    def _value(self, position: Position, turns: int, low: float, high: float) -> float:
        """Return the margin in points for the seat to move, seen *turns* turns ahead.

        By alpha-beta: a bound if it is not between *low* and *high* (at most *low*: the true one is
        no higher; at least *high*: no lower). Bounds are cached. Raise _TooMuchError once
        `MOST_LOOKED_AT` positions have been examined.
        """
        if turns == 0 or position.is_over:
            return margin(position, position.turn)
        at_least, at_most = self._known.get((position, turns), (-inf, inf))
        if at_least >= high or at_least == at_most:
            return at_least
        if at_most <= low:
            return at_most
        if not self._left:
            raise _TooMuchError
        self._left -= 1
        best, above = -inf, max(low, at_least)
        for move in position.moves():
            best = max(best, self._after(position, move, turns, max(above, best), high))
            if best >= high:
                break
        bounds = (best, inf) if best >= high else (-inf, best) if best <= low else (best, best)
        self._known[position, turns] = bounds
        return best


def performance(results: Sequence[tuple[float, float]]) -> int:
    """Return the rating, 0 to 3000, at which Elo's formula predicts the sum of *results*.

    *results* are pairs of a solver's strength, in Elo, and the share that it solved, 0 to 1:
    against a puzzle of this rating they would be expected to solve as much. It is rounded to a
    whole number; it is 0 if all solved everything or *results* is empty, 3000 if none solved
    anything.
    """
    low, high = 0.0, 3000.0
    solved = sum(share for _, share in results)
    while high - low > 0.5:
        middle = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((middle - strength) / 400)) for strength, _ in results)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round((low + high) / 2)
