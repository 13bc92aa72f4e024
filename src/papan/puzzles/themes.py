"""Themes of puzzles: claims about a position that solvers and rules check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import Any, ClassVar, TypeAlias

from papan import api
from papan.core import Analysis, Message, Move, Position, Proved, Value
from papan.core.marks import LineGame, LinePosition
from papan.core.parts import GamePart
from papan.core.reasons import forced_win, wins

PROOF_NODES = 200_000
"""Nodes of the solver at most; a position that needs more would keep people waiting."""
FEWEST_MOVES = 3
"""Least number of legal moves in a puzzle; in games for one two are enough."""
WIN_PLIES = range(3, 10)
"""Numbers of plies of a win that is announced: two to five moves."""
FEWEST_MADE = 1 / 3
"""Least share of a whole game's moves that were made before a puzzle, 0 to 1."""


@lru_cache(maxsize=256)  # rating a puzzle asks for the same truth for each of the panel
def truth(position: Position, nodes: float = PROOF_NODES) -> Analysis | None:
    """Return an analysis with the proved value of every legal move, cached.

    None if *nodes* of the solver are not enough. In a game for two values are exact; in a game for
    one each proves at least whether the board can still be cleared after the move. The analysis is
    shared: it must not be changed. Raise what `api.solve` raises.
    """
    analysis = api.solve(position, nodes=nodes, all_moves=True)
    known = all(_decided(position, analysis.values.get(move)) for move in position.moves())
    whole = analysis.exact if position.game.seats > 1 else analysis.verdict is not None
    return analysis if known and whole else None


def _decided(position: Position, value: Value | None) -> bool:
    """Return whether *value* is exact, or in a game for one proves that it cannot be cleared.

    False for a guess, and for None: a move without a value.
    """
    if not isinstance(value, Proved):
        return False
    stuck = position.game.seats == 1 and value.high < position.game.largest_margin
    return value.exact or stuck


def solved(position: Position) -> Analysis:
    """Return `truth` of a position that was solved when its puzzle was made.

    It has no limit of nodes, so it may take long. Raise AssertionError if *position* is not solved
    even so. The analysis is cached: it must not be changed.
    """
    found = truth(position, inf)
    assert found is not None, f"{position} is not solved"
    return found


def loss(position: Position, found: Analysis, value: Proved) -> str:
    """Return what a wrong move with the proved *value* loses: "board", "game", "win" or "margin".

    "board" in a game for one: it cannot be cleared any more. Else "margin" if the result stays the
    same, "game" if the mover loses now, and "win" if a won position becomes a draw. *found* is the
    analysis that solves *position*, before the move.
    """
    if position.game.seats == 1:
        return "board"
    before, after = result_of(position, found.proved), result_of(position, value)
    if before == after:
        return "margin"
    return "game" if after < 0 else "win"


def result_of(position: Position, value: Proved) -> int:
    """Return the result of a proved value for the seat to move: 1 won, 0 drawn, -1 lost.

    In a game for one: 1 cleared, 0 stuck. The lower bound of *value* counts; that *value* is exact,
    or in a game for one proves one of both, is not checked.
    """
    if position.game.seats == 1:
        return int(value.low == position.game.largest_margin)
    return (value.low > 0) - (value.low < 0)


def right_moves(position: Position, found: Analysis) -> list[Move]:
    """Return the legal moves that are best by *found*, the analysis that solves *position*."""
    return [move for move in position.moves() if move in found.best]


def lasting(theme: str) -> bool:
    """Return whether *theme* is "win" or "clear", whose puzzles last to the end of the game.

    The puzzles of any other theme ask for one move.
    """
    return theme in ("win", "clear")


def moves_to_win(found: Analysis) -> int:
    """Return the number of the mover's own moves until the win; 0 if the distance is unknown.

    *found* is the analysis of a won position.
    """
    return ((found.distance or 0) + 1) // 2


# Claims of the themes.


def _outcomes(position: Position, found: Analysis) -> dict[Move, int]:
    """Return by move its result for the seat to move in *position*: 1, 0 or -1 by `result_of`.

    Moves without a proved value in *found* are left out.
    """
    return {
        move: result_of(position, value)
        for move, value in found.values.items()
        if isinstance(value, Proved)
    }


def _alone(position: Position, found: Analysis, wanted: int) -> bool:
    """Return whether exactly one move leads to the *wanted* outcome, all others to worse ones.

    Outcomes are those of `result_of`: 1, 0 or -1. False if fewer moves than `FEWEST_MOVES` have a
    proved value in *found*, in a game for one fewer than two. *found* is the analysis that solves
    *position*.
    """
    outcomes = sorted(_outcomes(position, found).values())
    fewest = FEWEST_MOVES if position.game.seats > 1 else 2
    return len(outcomes) >= fewest and outcomes[-1] == wanted > outcomes[-2]


def keeps(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move keeps a win or a draw; False in a game for one.

    False, too, if there are fewer than `FEWEST_MOVES` moves: see `_alone`. *found* is the analysis
    that solves *position*.
    """
    return position.game.seats == 2 and any(_alone(position, found, each) for each in (1, 0))


def _is_one(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move wins, and at once; False in games that count points.

    False, too, in a game for one. *found* is the analysis that solves *position*.
    """
    return _ends_when_won(position) and _alone(position, found, 1) and found.distance == 1


def _is_block(position: Position, found: Analysis) -> bool:
    """Return whether the rival threatens to win, and exactly one move stops that without losing.

    All other moves let the rival win at once. False if the mover can win at once, in games that
    count points, and in a game for one. *found* is the analysis that solves *position*.
    """
    return (
        _ends_when_won(position)
        and keeps(position, found)
        and not wins(position)
        and _scores_unless_stopped(position)
        and all((move in found.best) != bool(wins(position.child(move))) for move in found.values)
    )


def _scores_unless_stopped(position: Position) -> bool:
    """Return whether the rival could score at once if it were its turn in *position*.

    The game must be one for two: not checked.
    """
    passed: Any = position
    return gains(replace(passed, turn=1 - position.turn), 1 - position.turn)


def _is_fork(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move wins, by two threats of which only one can be stopped.

    The win takes three plies: see `_forces`. *found* is the analysis that solves *position*.
    """
    return _forces(position, found, "double")


def _is_stack(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move wins, by a threat whose stop opens another one above it.

    The win takes three plies: see `_forces`. *found* is the analysis that solves *position*.
    """
    return _forces(position, found, "stacked")


def _forces(position: Position, found: Analysis, how: str) -> bool:
    """Return whether exactly one move wins, in three plies and in the way *how*.

    *how* is "double" or "stacked", as `forced_win` returns it. False in games that count points, or
    are for one. *found* is the analysis that solves *position*.
    """
    if not (_ends_when_won(position) and _alone(position, found, 1) and found.distance == 3):
        return False
    forced = forced_win(position.child(found.move), position.turn)
    return forced is not None and forced[0] == how


def _is_win(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move wins, in two to five own moves against any defence.

    False in games that count points, or go on after the first win. *found* is the analysis that
    solves *position*.
    """
    quick = found.distance in WIN_PLIES
    return quick and _ends_when_won(position) and _alone(position, found, 1)


def _ends_when_won(position: Position) -> bool:
    """Return whether the game is one for two without points, which ends with the first win."""
    return position.game.seats == 2 and position.game.largest_margin == 1


def _is_only(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move wins, but not at once; False in a game for one.

    All other moves draw or lose, and there are `FEWEST_MOVES` or more moves: see `_alone`. *found*
    is the analysis that solves *position*.
    """
    return position.game.seats == 2 and _alone(position, found, 1) and found.distance != 1


def _is_draw(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move draws and all others lose; False in a game for one.

    *found* is the analysis that solves *position*.
    """
    return position.game.seats == 2 and _alone(position, found, 0)


def is_zugzwang(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move keeps a win or a draw, and every reply lets the mover score.

    A pass of the rival would not let it: see `_must_harm`. *found* is the analysis that solves
    *position*.
    """
    return keeps(position, found) and _must_harm(position.child(found.move), position.turn)


def _is_pair(position: Position, found: Analysis) -> bool:
    """Return whether exactly one move of a game for one lets the board be cleared.

    *found* is the analysis that solves *position*.
    """
    return position.game.seats == 1 and _alone(position, found, 1)


def _is_clear(position: Position, found: Analysis) -> bool:
    """Return whether the board of a game for one can be cleared, but not after every move.

    There may be several right moves. *found* is the analysis that solves *position*.
    """
    outcomes = set(_outcomes(position, found).values())
    return position.game.seats == 1 and outcomes == {0, 1}


def _must_harm(position: Position, seat: int) -> bool:
    """Return whether every move of the rival of *seat* lets *seat* score, though a pass would not.

    False if it is not the rival's turn in *position*, if the rival can score, or the game is over.
    """
    if position.is_over or position.turn == seat or gains(position, position.turn):
        return False
    waiting: Any = position
    return not gains(replace(waiting, turn=seat), seat) and all(
        gains(position.child(move), seat) for move in position.moves()
    )


def gains(position: Position, seat: int) -> bool:
    """Return whether it is the turn of *seat* (0 or 1) and one of its moves scores at once."""
    before = position.scores()[seat]
    return position.turn == seat and any(
        position.child(move).scores()[seat] > before for move in position.moves()
    )


def can_leave_harm(position: Position) -> bool:
    """Return whether after some move every reply lets the mover score, though a pass would not."""
    return any(_must_harm(position.child(move), position.turn) for move in position.moves())


Claim: TypeAlias = Callable[[Position, Analysis], bool]
"""Returns whether a position has a theme, given the analysis that solves all its moves."""

GENERAL: Mapping[str, Claim] = {
    "zugzwang": is_zugzwang,
    "pair": _is_pair,
    "clear": _is_clear,
    "one": _is_one,
    "block": _is_block,
    "fork": _is_fork,
    "stack": _is_stack,
    "win": _is_win,
    "draw": _is_draw,
    "only": _is_only,
}
"""Themes that any game may have, the most specific first."""


class PuzzleThemes(GamePart, file="puzzles"):
    """Puzzles of a game: its themes, facts that a question states, and what is hard to see.

    A theme is what is asked, such as "win"; its claim is the function that tells whether it holds.
    """

    claims: ClassVar[Mapping[str, Claim]] = GENERAL
    """Claims by name of the theme, the most specific theme first.

    A claim takes a position and the analysis that solves it, and returns whether the theme holds.
    The texts of a theme *x* are ``puzzle.theme_x`` (its name) and ``puzzle.ask_x`` (the question).
    """
    signs: ClassVar[Mapping[str, Callable[[Position], object]]] = {"zugzwang": can_leave_harm}
    """For rare themes, by name, a quick test by the rules alone: what fails is not solved for them.

    A position fails if the value that the test returns for it is false.
    """

    def situation(self, position: Position) -> Sequence[Message]:
        """Return sentences that a question needs because the board does not show it.

        Default: none.
        """
        return ()

    def looks_played(self, position: Position) -> bool:
        """Return whether enough moves were made for the position to look like one of a game.

        Default: True.
        """
        return True

    def gain(self, position: Position, move: Move) -> float:
        """Return how much a legal *move* scores at once, as a greedy player counts.

        Default: the points by which it raises the own score.
        """
        seat = position.turn
        return position.child(move).scores()[seat] - position.scores()[seat]

    def hard_to_see(self, position: Position, found: Analysis) -> bool:
        """Return whether people tend to overlook the answer because of its shape. Default: False.

        *found* is the analysis that solves *position*.
        """
        return False


class LineThemes(PuzzleThemes, game=LineGame):
    """Puzzles of games that a line wins, whose diagonals are hard to see."""

    game: LineGame
    claims = {
        name: GENERAL[name] for name in ("zugzwang", "one", "block", "fork", "stack", "win", "draw")
    }

    def looks_played(self, position: Position) -> bool:
        assert isinstance(position, LinePosition)
        return position.taken.bit_count() >= FEWEST_MADE * self.game.grid.size

    def hard_to_see(self, position: Position, found: Analysis) -> bool:
        """Return whether the line that is completed, or that is blocked, is a diagonal.

        If the mover or the rival wins at the end of `found.line`, it is the line by which that seat
        wins; else the line by which the rival wins at once after a wrong move, the first that lets
        it. If a win completes several lines, all must be diagonals. False if there is no such win.
        """
        wrong = (position.child(move) for move in position.moves() if move not in found.best)
        lost = (after.child(win) for after in wrong for win in wins(after)[:1])
        for last in (position.after(found.line), *lost):
            if last.winner is not None:
                assert isinstance(last, LinePosition)
                mine = last.marks[last.winner]
                made = [line for line in self.game.lines if line & mine == line]
                return all(map(self._is_diagonal, made))
        return False

    def _is_diagonal(self, line: int) -> bool:
        """Return whether *line*, a bitboard, has cells in several rows and in several columns."""
        columns = self.game.grid.columns
        cells = (divmod(cell, columns) for cell, bit in enumerate(self.game.bits) if line & bit)
        return all(len({*each}) > 1 for each in zip(*cells))


def possible(theme: str, position: Position) -> bool:
    """Return whether solving *position* could show that it has *theme*; "" means any theme.

    It is a quick test by the rules alone: False if there are too few moves, if too few were made
    (`PuzzleThemes.looks_played`), or if the test of `PuzzleThemes.signs` fails.
    """
    if len(position.moves()) < (FEWEST_MOVES if position.game.seats > 1 else 2):
        return False
    own = PuzzleThemes.of(position.game)
    signs = own.signs
    return own.looks_played(position) and (theme not in signs or bool(signs[theme](position)))


def theme_of(position: Position, found: Analysis) -> str | None:
    """Return the name of the most specific theme of a position; None if it has none.

    *found* is the analysis that solves *position*.
    """
    claims = PuzzleThemes.of(position.game).claims
    return next((theme for theme, holds in claims.items() if holds(position, found)), None)
