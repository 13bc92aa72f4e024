"""Minimax: paper 003's plain search, which looks at every line of play there is.

It is alpha-beta that does not prune (`papan.agents.alphabeta`), plain or compiled, with a scoring
of its own: every node is visited, in the order of the moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from math import inf
from sys import float_info
from typing import ClassVar, Literal

from papan.agents.alphabeta import (
    CompiledSearch,
    Deepening,
    PlainSearch,
    RoundSearch,
    Scoring,
    SearchCounts,
    SearchRound,
    SearchSettings,
)
from papan.core import (
    UNLIMITED,
    Analysis,
    Event,
    Guess,
    Message,
    Move,
    NativeAgent,
    Position,
    Proved,
    Thinking,
    Value,
    margin,
    native_form,
)
from papan.core.analysis import finite
from papan.core.parts import Support
from papan.engine.solver import RootScore

PAPER_WIN_SCORE = 10
"""Paper 003 counts a win as 10 - depth. Counted from 0, as in its authors' program, a win with the
eleventh ply of a line scores 0, and later ones look like losses; no game of 3x3 is that long."""
FIRST_WIN_SCORE = PAPER_WIN_SCORE + 1
"""What a win would score with ply 0 of a line, the root; its first move, ply 1, has depth 0."""


class MinimaxScoring(Scoring):
    """Scores a finished game by its margin; with *counts_depth* by 10 - depth, depth - 10 and 0.

    These are the scores of a win, a loss and a draw, depth counted from 0 at the first move. *root*
    is the position searched; *prunes*: the search is alpha-beta, so that a move may have an upper
    bound only.
    """

    def __init__(self, root: Position, counts_depth: bool, prunes: bool) -> None:
        self.root, self.counts_depth, self.prunes = root, counts_depth, prunes

    def final(self, position: Position, ply: int) -> tuple[float, bool]:
        result = margin(position, position.turn)
        if not self.counts_depth or result == 0:
            return result, False
        ambiguous = ply >= FIRST_WIN_SCORE or abs(result) != 1
        return (FIRST_WIN_SCORE - ply if result > 0 else ply - FIRST_WIN_SCORE), ambiguous

    def best_after(self, ply: int) -> float:
        return inf

    def kernel_fields(self) -> Mapping[str, float]:
        if not self.counts_depth:
            return {}
        return {"win": FIRST_WIN_SCORE, "won_from": float_info.min, "win_margin": 1}

    def shown(self, score: float) -> float | None:
        return finite(score or 0)  # never -0.0

    def value(self, move: Move, found: RootScore, best: float) -> Value:
        score, line = found.score, found.line
        value = self._margin_after((move, *line)) if self.counts_depth else score or 0
        bound = self.prunes and score <= best  # the rest of its replies was not looked at
        if found.doubts or bound:
            return Guess(value, bound, nodes=found.nodes, line=line)
        return Proved.exactly(value, found.nodes, line)

    def _margin_after(self, line: Iterable[Move]) -> float:
        """Return the margin in points, for the seat to move at the root, after the moves of *line*.

        They must be legal from the root on. If the game is not over then, it is the game's own
        estimate.
        """
        position = self.root
        for move in line:
            position = position.child(move)
        over = not position.moves()
        evaluate = margin if over else Support.of(position.game).evaluate
        return evaluate(position, self.root.turn)

    def analysis(self, done: SearchRound, complete: bool, counts: SearchCounts) -> Analysis:
        value = done.values[done.line[0]].number
        exact = complete and counts.guesses + counts.faults == 0
        proved = Proved.exactly(value) if exact else Proved()
        distance = len(done.line) if exact and self.counts_depth and value != 0 else None
        notes = (self._paper_scores(done),) if exact and self.counts_depth else ()
        return Analysis(done.line, value, proved, done.values, distance, notes=notes)

    def _paper_scores(self, done: SearchRound) -> Message:
        """Return the note with each move at the root and its score by paper 003: ``b2 4, a1 0``.

        A score is 10 - depth for a win of the seat to move, depth - 10 for a loss, 0 for a draw; a
        move that ends the game has depth 0.
        """
        name, scores = self.root.game.move_name, []
        for move, value in done.values.items():
            sign = (value.number > 0) - (value.number < 0)
            scores.append(f"{name(move)} {sign * (PAPER_WIN_SCORE - len(value.line))}")
        return Message("minimax.paper_scores", {"scores": ", ".join(scores)})

    def root_facts(self, analysis: Analysis, done: SearchRound, counts: SearchCounts) -> Event:
        depth = max(len(value.line) + 1 for value in analysis.values.values())
        return {"depth": depth} | ({"pruned": counts.pruned} if self.prunes else {})


@dataclass
class Minimax(NativeAgent):
    """An agent that looks at every move in order, without pruning or table.

    Of equal moves it takes the first. Without a limit it makes one pass to its full depth. Within a
    limit it goes one ply deeper each round, and the last round that it could finish counts; if it
    finished none, the moves that it has scored count. Raise InvalidSpecError unless *depth* is from
    0 to 9,999.
    """

    depth: int = 0
    """Plies that it looks ahead; 0: to the end of the game."""
    scoring: Literal["margin", "depth"] = "margin"
    """The score of a finished game: its margin, or paper 003's 10 - depth, depth - 10 and 0."""
    pruning: bool = False
    """Paper 003's first suggestion and nothing else: alpha-beta in one pass, without ordering,
    table and rounds. It is always searched in plain Python."""

    name: ClassVar[str] = "minimax"

    def __post_init__(self) -> None:
        self.demand("depth", 0)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        scoring = MinimaxScoring(position, self.scoring == "depth", self.pruning)
        search = self._search(position, thinking, scoring)
        return Deepening(position, thinking, scoring, search).decide(self._horizons(thinking))

    def _search(self, position: Position, thinking: Thinking, scoring: Scoring) -> RoundSearch:
        """Return the compiled search; the plain one if `pruning` is on or there is no native form.

        *thinking* is its budget, *scoring* what its scores mean.
        """
        settings = SearchSettings(prunes=self.pruning)
        if not self.pruning and (form := native_form(position)):
            return CompiledSearch(form, position, thinking, scoring, settings)
        return PlainSearch(position, thinking, scoring, settings)

    def _horizons(self, thinking: Thinking) -> Iterable[float]:
        """Return the depth of each round, in plies; inf: to the end of the game.

        Without a limit there is one round, of `depth` or inf; else they are 1, 2, 3 and so on, up
        to `depth` if that is set, without end if not.
        """
        if thinking.limit == UNLIMITED:
            return [self.depth or inf]
        return range(1, self.depth + 1) if self.depth else count(1)
