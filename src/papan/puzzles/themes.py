"""Themes: what each claims of a position, checked by solvers and rules alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import Any, ClassVar, TypeAlias

from papan import api
from papan.core import Analysis, Message, Move, Position, Proved, Value
from papan.core.parts import GamePart
from papan.core.session import dealt_start

PROOF_NODES = 200_000
"""What a solver may look at: a position that needs more makes no puzzle, as people wait for it."""
FEWEST_MOVES = 3
"""Among fewer there is not much to choose; of pairs, two are enough."""
WIN_PLIES = range(3, 10)
"""The plies of a win that is announced: in two moves, up to five."""


@lru_cache(maxsize=256)  # whoever rates a puzzle asks for the same truth for each of the panel
def truth(position: Position, nodes: float = PROOF_NODES) -> Analysis | None:
    """The proved value of every legal move; None where *nodes* are not enough for that.

    Values are exact; with one seat it is proved whether the board can still be cleared.
    """
    analysis = api.solve(position, nodes=nodes, all_moves=True)
    known = all(_decided(position, analysis.values.get(move)) for move in position.moves())
    whole = analysis.exact if position.game.seats > 1 else analysis.verdict is not None
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
    before, after = result_of(position, found.proved), result_of(position, value)
    if before == after:
        return "margin"
    return "game" if after < 0 else "win"


def result_of(position: Position, value: Proved) -> int:
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
        move: result_of(position, value)
        for move, value in found.values.items()
        if isinstance(value, Proved)
    }


def _alone(position: Position, found: Analysis, wanted: int) -> bool:
    """Does one move alone lead to the outcome that is *wanted*, and every other to a worse one?"""
    outcomes = sorted(_outcomes(position, found).values())
    fewest = FEWEST_MOVES if position.game.seats > 1 else 2
    return len(outcomes) >= fewest and outcomes[-1] == wanted > outcomes[-2]


def keeps(position: Position, found: Analysis) -> bool:
    """Does one move alone keep a win or a draw?"""
    return position.game.seats == 2 and any(_alone(position, found, each) for each in (1, 0))


def _is_win(position: Position, found: Analysis) -> bool:
    """Just one move wins, in two to five moves whatever the rival does."""
    at_once = position.game.largest_margin == 1  # a game that ends when it is won
    return at_once and _alone(position, found, 1) and found.distance in WIN_PLIES


def _is_only(position: Position, found: Analysis) -> bool:
    """Just one move wins, and not at once; how long that takes is not asked."""
    return position.game.seats == 2 and _alone(position, found, 1) and found.distance != 1


def _is_draw(position: Position, found: Analysis) -> bool:
    """Just one move draws, and all others lose."""
    return position.game.seats == 2 and _alone(position, found, 0)


def is_zugzwang(position: Position, found: Analysis) -> bool:
    """One move alone keeps the result, and leaves the rival nothing but moves that harm."""
    return keeps(position, found) and _must_harm(position.child(found.move), position.turn)


def _is_pair(position: Position, found: Analysis) -> bool:
    """Alone: of all moves, one alone lets the board be cleared."""
    return position.game.seats == 1 and _alone(position, found, 1)


def _is_clear(position: Position, found: Analysis) -> bool:
    """Alone: the board can be cleared, but not after every move."""
    outcomes = set(_outcomes(position, found).values())
    return position.game.seats == 1 and outcomes == {0, 1}


def _must_harm(position: Position, seat: int) -> bool:
    """Does every move here let *seat* score at once, who could not if no move had to be made?"""
    if position.is_over or position.turn == seat or gains(position, position.turn):
        return False
    waiting: Any = position
    return not gains(replace(waiting, turn=seat), seat) and all(
        gains(position.child(move), seat) for move in position.moves()
    )


def gains(position: Position, seat: int) -> bool:
    """Can *seat*, if it is its turn, score with one move?"""
    before = position.scores()[seat]
    return position.turn == seat and any(
        position.child(move).scores()[seat] > before for move in position.moves()
    )


def can_leave_harm(position: Position) -> bool:
    """Is there a move after which the rival must harm itself?"""
    return any(_must_harm(position.child(move), position.turn) for move in position.moves())


Claim: TypeAlias = Callable[[Position, Analysis], bool]
"""Returns whether a position, whose moves are solved, has a theme."""

GENERAL: Mapping[str, Claim] = {
    "zugzwang": is_zugzwang,
    "pair": _is_pair,
    "clear": _is_clear,
    "win": _is_win,
    "draw": _is_draw,
    "only": _is_only,
}
"""The themes that any game may have, the most telling first."""


class PuzzleThemes(GamePart, file="puzzles"):
    """The part of a game about its puzzles: themes, what a question tells, where games begin."""

    claims: ClassVar[Mapping[str, Claim]] = GENERAL
    """The themes of this game with what each claims, the most telling first.

    The texts of a theme *x* are ``puzzle.theme_x`` (its name) and ``puzzle.ask_x`` (the question).
    """
    signs: ClassVar[Mapping[str, Callable[[Position], object]]] = {"zugzwang": can_leave_harm}
    """For a rare theme, a quick test by the rules alone: without it nothing is solved."""

    def situation(self, position: Position) -> Sequence[Message]:
        """Return what a question must say of a position because the board does not show it."""
        return ()

    def first_position(self, seed: int, rng: random.Random) -> Position:
        """Return the position from which a game is played that puzzles are looked for in."""
        return dealt_start(self.game.start(), seed)


def possible(theme: str, position: Position) -> bool:
    """Return whether solving *position* could show that it has *theme*; "" stands for any."""
    if len(position.moves()) < (FEWEST_MOVES if position.game.seats > 1 else 2):
        return False
    if position.game.largest_margin == 1 and gains(position, position.turn):
        return False  # won at once, which is no puzzle
    signs = PuzzleThemes.of(position.game).signs
    return theme not in signs or bool(signs[theme](position))


def theme_of(position: Position, found: Analysis) -> str | None:
    """Return the most telling theme of a solved position, or None."""
    claims = PuzzleThemes.of(position.game).claims
    return next((theme for theme, holds in claims.items() if holds(position, found)), None)
