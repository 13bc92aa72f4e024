"""Answers to puzzles: hints, why the right move works, and why others fail.

Page, terminal and sheet show the same sentences. They call the person who solves a puzzle *you*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from papan import api
from papan.core import Analysis, Coach, Message, Move, Position, Proved
from papan.core.hint import area_around
from papan.core.message import catalogue
from papan.core.parts import Support
from papan.core.reasons import Mistake, deeds, fault, reason, with_people
from papan.puzzles import Puzzle
from papan.puzzles.sight import values_by_sight
from papan.puzzles.themes import (
    WIN_PLIES,
    PuzzleThemes,
    loss,
    moves_to_win,
    right_moves,
    solved,
)

YOU = {"player": Message("seat.alone"), "rival": Message("because.rival")}
"""Names of both seats in the sentences about a puzzle."""
MOST_PLAYED = 16
"""Number of moves of a line that are played out, at most."""
COUNTED = ("only", "trap")
"""Themes whose answer tells by how many points the right move wins, where points are counted."""
TEMPTED = 2
"""Turns that a person looks ahead who chooses the likeliest wrong move."""


@dataclass(frozen=True)
class Refutation:
    """A wrong move with the reason why it fails, and best play after it.

    *position* is that before *move*. *verdict* says what the move loses, *why* the reason in the
    words of the game (None: there is none), and *line* has at most `MOST_PLAYED` moves after it.
    """

    position: Position
    """The position before the move."""
    move: Move
    verdict: Message
    """What the move loses, as a sentence."""
    why: Message | None
    """The reason in the words of the game; None if there is none."""
    line: tuple[Move, ...]
    """Best play after the move, at most `MOST_PLAYED` moves; empty if the move ends the game."""

    @property
    def gives_away(self) -> bool:
        """True if `why` tells the right move, so that it must not be shown before the answer.

        It does if its text names the better move, or says only what was missed.
        """
        text = "" if self.why is None else catalogue("en").get(self.why.key, "")
        return "{better}" in text or self._only_misses

    @property
    def _only_misses(self) -> bool:
        """True if the reason says only what was missed, and nothing of what the move allows."""
        return self.why is not None and self.why.key.startswith("review.missed_")

    @property
    def in_full(self) -> Message:
        """The reason why the move fails, for readers who know the answer, as one sentence.

        The reason is `why`. Where there is none, or it would only say what was missed, it is the
        verdict with the rival's reply; in a game for one, or without a reply, the verdict alone.
        """
        message = None if self._only_misses else self.why
        if message is None and self.line and self.position.game.seats > 1:
            reply = self.position.game.move_name(self.line[0])
            message = Message("puzzle.answered", {"verdict": self.verdict, "reply": reply})
        name = self.position.game.move_name(self.move)
        return Message("puzzle.why_not", {"move": name, "why": message or self.verdict})


@dataclass(frozen=True)
class PuzzleAnswer:
    """The answer to what is asked in a position; the puzzle may have begun some moves before.

    *theme* is the name of what is asked, such as ``win``. *found* is the solver's analysis of
    *position*, with the proved value of every move.
    """

    theme: str
    """Name of what is asked, such as ``win``."""
    position: Position
    found: Analysis
    """The solver's analysis, with the proved value of every move."""

    @classmethod
    def of(cls, puzzle: Puzzle) -> PuzzleAnswer:
        """Return the answer to a puzzle, which is solved anew, however long it takes.

        Raise PapanError if its text is no position, AssertionError if that cannot be solved.
        """
        return cls(puzzle.theme, puzzle.position, solved(puzzle.position))

    @property
    def right(self) -> list[Move]:
        """The moves that are best by `found`, in the order of the legal moves."""
        return right_moves(self.position, self.found)

    @property
    def move(self) -> Move:
        """The right move; if there are several, the one that the solver chose."""
        return self.found.move

    @property
    def idea(self) -> Message:
        """The first hint: the idea, without the move; that of the theme, else `Coach.idea`."""
        own = Message(f"puzzle.idea_{self.theme}")
        return own if own.key in catalogue("en") else Coach.of(self.position).idea(self.move)

    @property
    def area(self) -> tuple[str, ...]:
        """The second hint: names of some moves, such as ``b2``, with the right one among them."""
        return area_around(self.position, self.move)

    @property
    def why(self) -> Message:
        """The reason why the right move works: what is proved, and what the move does.

        It is the text of the theme (`_proved`) if there is one for this game; else it says only
        what the move does (`_deed`).
        """
        return with_people(self._proved or self._deed, YOU)

    @property
    def _deed(self) -> Message:
        """The message that says what the right move does.

        Its deeds and then the clauses of its reason are looked at: it is the first that decides the
        game, else the first deed of the kind ``prevents``, else the first of all. With the theme
        "fewest" it is always the first, which tells how many boxes the move gives; with "zugzwang"
        a deciding clause of the kind ``forced`` comes after others.
        """
        clauses = reason(self.position, self.move, self.found).clauses
        done = deeds(self.position, self.move)
        first = (*done, *clauses)[0].message
        if self.theme == "fewest":
            return first
        decisive = [each for each in (*done, *clauses) if each.decides]
        if self.theme == "zugzwang":
            decisive.sort(key=lambda each: each.kind == "forced")
        prevents = (each.message for each in done if each.kind == "prevents")
        return decisive[0].message if decisive else next(prevents, first)

    @property
    def _proved(self) -> Message | None:
        """The message that says what is proved of the right move, in the words of the theme.

        None if the theme has no such text, or if it is one of `COUNTED` and the game counts no
        points.
        """
        key, game = f"puzzle.why_{self.theme}", self.position.game
        points = game.largest_margin != 1
        if key not in catalogue("en") or (self.theme in COUNTED and not points):
            return None
        seat, low, names, position = self.position.turn, self.found.proved.low, [], self.position
        for move in self.line:
            if position.turn == seat:
                names.append(game.move_name(move))
            position = position.child(move)
        facts = {
            "move": game.move_name(self.move),
            "moves": moves_to_win(self.found),
            "line": tuple(names),
            "deed": self._deed,
        }
        if self.theme in COUNTED:
            facts["ahead"] = int(low)
        elif points:  # dots: the margin and the number of boxes give those of each
            facts["own"] = int(game.largest_margin + low) // 2
        return Message(key, facts)

    @property
    def line(self) -> tuple[Move, ...]:
        """The solution to play, from the right move on.

        Up to `MOST_PLAYED` moves of both sides if the game counts points, or if the position is won
        in at most the last of `WIN_PLIES`, or in an unknown number of plies; else the right move
        alone.
        """
        points = self.position.game.largest_margin != 1
        wins = self.found.proved.low > 0 and (self.found.distance or 0) < WIN_PLIES.stop
        return self.found.line[:MOST_PLAYED] if points or wins else self.found.line[:1]

    @cached_property
    def likeliest_wrong(self) -> Move | None:
        """The wrong move that looks best to a person; None if every move is right.

        It is the wrong move that gains most at once (`PuzzleThemes.gain`); of equal ones the move
        of the greatest margin in `values_by_sight`, `TEMPTED` turns ahead; of these the move after
        which `Support.evaluate` is greatest.
        """
        wrong = [move for move in self.position.moves() if move not in self.right]
        own, support = PuzzleThemes.of(self.position.game), Support.of(self.position.game)
        seen = values_by_sight(self.position, TEMPTED)

        def looks(move: Move) -> tuple[float, ...]:
            after = support.evaluate(self.position.child(move), self.position.turn)
            return own.gain(self.position, move), seen[move], after

        return max(wrong, key=looks, default=None)

    def refutation(self, move: Move) -> Refutation:
        """Return why a wrong legal *move* fails, by what the solver proves after it.

        The position after it is solved without a limit, which may take seconds. Raise KeyError if
        `found` has no value of the move, AssertionError if that value is not proved.
        """
        position, found, after = self.position, self.found, self.position.child(move)
        value = found.values[move]
        assert isinstance(value, Proved)
        names = {"move": position.game.move_name(move)}
        verdict = Message(f"puzzle.wrong_{loss(position, found, value)}", names)
        then = None if after.is_over else api.solve(after)
        line = () if then is None else then.line
        ends = position.game.largest_margin == 1
        mistake = Mistake(
            position,
            move,
            plan=found.line,
            refutation=line,
            instead=found.proved,
            now=value,
            wins_in=found.distance if ends and found.proved.low > 0 else None,
            loses_in=then.distance if ends and then and value.high < 0 else None,
        )
        why = fault(mistake)
        message = None if why is None else with_people(why, YOU)
        return Refutation(position, move, verdict, message, line[:MOST_PLAYED])


def sentences(answer: PuzzleAnswer) -> Sequence[Message]:
    """Return why the right move works, and why the likeliest wrong one fails: two sentences.

    If every move is right, only the first sentence. The position after the wrong move is solved for
    the second, which may take seconds.
    """
    if answer.likeliest_wrong is None:
        return (answer.why,)
    return answer.why, answer.refutation(answer.likeliest_wrong).in_full
