"""Themes: what each claims of a position, checked by solvers and rules alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import Any

from papan import api
from papan.core import Analysis, Move, Position, Proved, Value
from papan.core.parts import Drawing

MOST_NODES = 200_000
"""What a solver may look at: a position that needs more makes no puzzle, as people wait for it."""
FEWEST_MOVES = 3
"""Among fewer there is not much to choose; of pairs, two are enough."""
SOON = range(3, 10)
"""The plies of a win that is announced: in two moves, up to five."""


@lru_cache(maxsize=256)  # whoever rates a puzzle asks for the same truth for each of the panel
def truth(position: Position, nodes: float = MOST_NODES) -> Analysis | None:
    """The proved value of every legal move; None where *nodes* are not enough for that.

    Values are exact; of Onet's it is proved whether the board can still be cleared.
    """
    analysis = api.solve(position, nodes=nodes, all_moves=True)
    known = all(_decided(position, analysis.values.get(move)) for move in position.moves())
    whole = analysis.exact if position.game.seats > 1 else analysis.solvable is not None
    return analysis if known and whole else None


def _decided(position: Position, value: Value | None) -> bool:
    """Is a move's value proved as far as themes speak of it? A mere bound is not enough."""
    if not isinstance(value, Proved):
        return False
    stuck = position.game.seats == 1 and value.high < position.game.largest_margin
    return value.exact or stuck


def solved(position: Position) -> Analysis:
    """The same of a position that was solved when its puzzle was made."""
    found = truth(position, inf)
    assert found is not None, f"{position} is not solved"
    return found


def refutation(position: Position, move: Move) -> tuple[Move, ...]:
    """Best play after a move, to the end: what comes of it."""
    after = position.child(move)
    return () if after.is_over else api.solve(after).line


def hint(position: Position, found: Analysis) -> list[str]:
    """A right move among two others, in the order of the board."""
    right = right_moves(position, found)
    others = [move for move in position.moves() if move not in right]
    return [position.game.move_name(move) for move in sorted([*right[:1], *others[:2]])]


def loss(position: Position, found: Analysis, value: Proved) -> str:
    """What a wrong move costs: the board, the game, the win, or a part of the margin."""
    if position.game.seats == 1:
        return "board"
    before, after = outcome(position, found.proved), outcome(position, value)
    if before == after:
        return "margin"
    return "game" if after < 0 else "win"


def outcome(position: Position, value: Proved) -> int:
    """What a value means: 1 won or cleared, 0 a draw or stuck, -1 lost."""
    if position.game.seats == 1:
        return int(value.low == position.game.largest_margin)
    return (value.low > 0) - (value.low < 0)


def right_moves(position: Position, found: Analysis) -> list[Move]:
    """The moves that give nothing away."""
    return [move for move in position.moves() if move in found.best]


def lasting(theme: str) -> bool:
    """Does a puzzle of this theme go on to the end of the game, or is it one decision?"""
    return theme in ("win", "clear")


def moves_to_win(found: Analysis) -> int:
    """In how many moves of one's own the game is won."""
    return ((found.distance or 0) + 1) // 2


# What themes claim.


def _outcomes(position: Position, found: Analysis) -> dict[Move, int]:
    return {
        move: outcome(position, value)
        for move, value in found.values.items()
        if isinstance(value, Proved)
    }


def _alone(position: Position, found: Analysis, wanted: int) -> bool:
    """Does one move alone lead to the outcome that is *wanted*, and every other to a worse one?"""
    outcomes = sorted(_outcomes(position, found).values())
    fewest = FEWEST_MOVES if position.game.seats > 1 else 2
    return len(outcomes) >= fewest and outcomes[-1] == wanted > outcomes[-2]


def _keeps(position: Position, found: Analysis) -> bool:
    """Does one move alone keep a win or a draw?"""
    return position.game.seats == 2 and any(_alone(position, found, each) for each in (1, 0))


def _is_win(position: Position, found: Analysis) -> bool:
    """Just one move wins, in two to five moves whatever the rival does."""
    at_once = position.game.largest_margin == 1  # a game that ends when it is won
    return at_once and _alone(position, found, 1) and found.distance in SOON


def _is_only(position: Position, found: Analysis) -> bool:
    """Just one move wins, and not at once; how long that takes is not asked."""
    return position.game.seats == 2 and _alone(position, found, 1) and found.distance != 1


def _is_draw(position: Position, found: Analysis) -> bool:
    """Just one move draws, and all others lose."""
    return position.game.seats == 2 and _alone(position, found, 0)


def _is_chains(position: Position, found: Analysis) -> bool:
    """Dots and Boxes: no box to take, several safe lines, and one line alone keeps the result."""
    return _is_quiet(position) and _keeps(position, found)


def _is_cross(position: Position, found: Analysis) -> bool:
    """Dots and Boxes: leaving the last boxes to the rival is better than any other line."""
    names = [position.game.move_name(move) for move in found.best]
    return (
        len(position.moves()) >= FEWEST_MOVES
        and len(names) == 1
        and names[0] in _double_crosses(position)
    )


def _is_zugzwang(position: Position, found: Analysis) -> bool:
    """One move alone keeps the result, and leaves the rival nothing but moves that harm."""
    return _keeps(position, found) and _must_harm(position.child(found.move), position.turn)


def _is_pair(position: Position, found: Analysis) -> bool:
    """Onet: of all pairs that can be taken, one alone lets the board be cleared."""
    return position.game.seats == 1 and _alone(position, found, 1)


def _is_clear(position: Position, found: Analysis) -> bool:
    """Onet: the board can be cleared, but not after every pair that can be taken."""
    outcomes = set(_outcomes(position, found).values())
    return position.game.seats == 1 and outcomes == {0, 1}


def _must_harm(position: Position, seat: int) -> bool:
    """Does every move here let *seat* score at once, who could not if no move had to be made?"""
    if position.is_over or position.turn == seat or _gains(position, position.turn):
        return False
    waiting: Any = position
    return not _gains(replace(waiting, turn=seat), seat) and all(
        _gains(position.child(move), seat) for move in position.moves()
    )


def _gains(position: Position, seat: int) -> bool:
    """Can *seat*, if it is its turn, score with one move?"""
    before = position.scores()[seat]
    return position.turn == seat and any(
        position.child(move).scores()[seat] > before for move in position.moves()
    )


def _double_crosses(position: Position) -> set[object]:
    """Dots and Boxes: the lines that leave the last boxes of a chain or loop to the rival."""
    return {
        each.values["line"]
        for each in Drawing.of(position).features()
        if each.key == "dots.double_cross"
    }


def _is_quiet(position: Position) -> bool:
    """Dots and Boxes: is there no box to take, and more than one line that gives none away?"""
    several = _fact(position, "dots.safe_lines", "lines") >= 2
    return several and not _gains(position, position.turn)


def _can_leave_harm(position: Position) -> bool:
    """Is there a move after which the rival must harm itself?"""
    return any(_must_harm(position.child(move), position.turn) for move in position.moves())


def _fact(position: Position, key: str, name: str) -> int:
    """A number among what experts see; 0 where they see nothing of the kind."""
    found = (each.values[name] for each in Drawing.of(position).features() if each.key == key)
    return int(str(next(found, 0)))


CLAIMS: Mapping[str, Callable[[Position, Analysis], bool]] = {
    "cross": _is_cross,
    "zugzwang": _is_zugzwang,
    "chains": _is_chains,
    "pair": _is_pair,
    "clear": _is_clear,
    "win": _is_win,
    "draw": _is_draw,
    "only": _is_only,
}
"""Every theme with what it claims, the most telling first."""

SIGNS: Mapping[str, Callable[[Position], object]] = {
    "cross": _double_crosses,
    "zugzwang": _can_leave_harm,
    "chains": _is_quiet,
}
"""What a rare theme needs and the rules alone can tell: looked at before anything is solved."""


def possible(theme: str, position: Position) -> bool:
    """Is it worth solving a position to find out whether it has a theme, or any?"""
    if len(position.moves()) < (FEWEST_MOVES if position.game.seats > 1 else 2):
        return False
    if position.game.largest_margin == 1 and _gains(position, position.turn):
        return False  # won at once, which is no puzzle
    return theme not in SIGNS or bool(SIGNS[theme](position))


def theme_of(position: Position, found: Analysis) -> str | None:
    """The most telling theme of a position; None where there is nothing to find."""
    return next((theme for theme, holds in CLAIMS.items() if holds(position, found)), None)
