"""Puzzles of Adjacency: the last round, and cells that look better than they are."""

from __future__ import annotations

from papan.core import Analysis, Message, Position
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition
from papan.puzzles.themes import GENERAL, PuzzleThemes

LAST_PLIES = 2
"""Plies of the last round."""
MOST_PLIES = 4
"""Plies that a person can still count through."""


def is_last(position: Position, found: Analysis) -> bool:
    """Return whether the last round begins, and exactly one of three or more moves wins.

    The last round begins with two plies left. With one ply left it is False: the right move would
    win at once. *found* is the solver's analysis of *position*, with the value of every move.
    """
    return _plies_left(position) <= LAST_PLIES and GENERAL["only"](position, found)


def is_trap(position: Position, found: Analysis) -> bool:
    """Return whether `is_only` holds, and another move than the one that wins turns more marks.

    *found* is the analysis of *position* by the solver.
    """
    return is_only(position, found) and not is_greediest(position, found)


def is_only(position: Position, found: Analysis) -> bool:
    """Return whether exactly one of three or more moves wins, with 2 to `MOST_PLIES` plies left.

    People can count out so few plies; with one ply left the move would win at once. *found* is the
    analysis of *position* by the solver.
    """
    return _plies_left(position) <= MOST_PLIES and GENERAL["only"](position, found)


def is_greediest(position: Position, found: Analysis) -> bool:
    """Return whether no move turns more marks than the best one, `found.move`.

    The game must not be over: not checked.
    """
    assert isinstance(position, AdjacencyPosition)
    return position.turned_by(found.move) == max(map(position.turned_by, position.moves()))


def _plies_left(position: Position) -> int:
    """Return the number of plies left in the game."""
    assert isinstance(position, AdjacencyPosition)
    return position.plies_left


class AdjacencyThemes(PuzzleThemes, game=Adjacency):
    """The puzzle themes of Adjacency; a question states the marks of both seats and the moves left.

    `claims` has, by the name of each theme, the function that tells whether a position has it.
    """

    claims = {"last": is_last, "trap": is_trap, "only": is_only}

    def looks_played(self, position: Position) -> bool:
        """Return whether the game is far enough on for a puzzle.

        That is so with at most `MOST_PLIES` plies left.
        """
        return _plies_left(position) <= MOST_PLIES

    def situation(self, position: Position) -> list[Message]:
        """Return one sentence: the marks of the seat to move and of its rival, and the moves left.

        It also says how many of the moves left the seat to move makes itself.
        """
        assert isinstance(position, AdjacencyPosition)
        own, rival = position.scores()[position.turn], position.scores()[1 - position.turn]
        facts = {"own": int(own), "rival_marks": int(rival), "moves": position.plies_left}
        return [Message("adjacency.moves_to_go", facts | {"mine": (position.plies_left + 1) // 2})]
