"""From questions to scores: which goals to ask the kernel for, and what the answers prove."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from papan.core import Move, OutOfBudget
from papan.engine.control import run
from papan.games.connect4.book import Book
from papan.games.connect4.forced import (
    Stones,
    final_score,
    forced_line,
    landing_cells,
    play,
    winning_cells,
)
from papan.games.connect4.layout import Layout
from papan.games.connect4.team import Team
from papan.games.connect4.workspace import STOPPED

AT_ONCE = 20_000
"""Nodes that take no time: only a longer search needs a thread that can be stopped."""
SOON = 3
"""A win within so many moves is looked for before anything else, because that costs little."""


class Proof:
    """What is known of a position's score: bounds that close in on it."""

    def __init__(self, layout: Layout, stones: Stones) -> None:
        self.forced, self.quiet = forced_line(layout, stones)
        left = layout.empty(self.quiet.own | self.quiet.rival)
        over = final_score(layout, self.quiet)
        self.low = -(max(left - 2, 0) // 2) if over is None else over
        self.high = (left - 1) // 2 if over is None else over
        self.move: Move | None = None
        """A move in the quiet position, after those that are forced, that reaches `low`."""

    @property
    def closed(self) -> bool:
        return self.low == self.high

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest score that are still possible."""
        return (-self.high, -self.low) if len(self.forced) % 2 else (self.low, self.high)

    def learn(self, goal: int, bound: int, move: Move) -> None:
        """Take in that the search for a *goal* found a *bound*, by a *move* if it got there."""
        if bound < goal:
            self.high = min(self.high, bound)
        elif bound > self.low or self.move is None:
            self.low, self.move = bound, move

    def goals(self) -> Iterator[int]:
        """What to ask next until the score is known: the sign first, then from there on.

        A goal far from 0 is cheap to refuse, for the search may not go deep; but most games are
        won late, so that the steps away from 0 are small at first.
        """
        if min(-self.low, self.high) > SOON:
            yield self.high - SOON
        if min(-self.low, self.high) > SOON:
            yield self.low + SOON + 1
        while self.low <= 0 <= self.high and not self.closed:
            yield 1 if self.high > 0 else 0
        for number in range(self.high - self.low):
            step = min(1 + number // 2, (self.high - self.low + 1) // 2)
            if not self.closed:
                yield self.low + step if self.low > 0 else self.high - step + 1


class Truth:
    """Scores, moves and lines, proven by a team; raises OutOfBudget when it must stop."""

    def __init__(self, team: Team, look: Callable[[int], None], book: Book | None = None) -> None:
        self.team, self.workspace, self.look, self.book = team, team.workspace, look, book
        self.looked_up = False
        """Has the book told anything?"""

    def begin(self, stones: Stones) -> Proof:
        """What the rules alone say of a position, or the book."""
        proof = Proof(self.workspace.layout, stones)
        if self.book is not None and not proof.closed:
            score = self.book.score(self.workspace.layout, proof.quiet)
            if score is not None:
                proof.low = proof.high = score
                self.looked_up = True
        return proof

    def score(self, proof: Proof) -> int:
        """The score of a position, proven."""
        for goal in proof.goals():
            proof.learn(goal, self._search(proof, goal), self.workspace.move)
        return proof.bounds[0]

    def reaches(self, stones: Stones, goal: int) -> bool:
        """Is the score of a position *goal* or more?"""
        proof = self.begin(stones)
        turned = len(proof.forced) % 2 == 1
        quiet_goal = 1 - goal if turned else goal
        if proof.low < quiet_goal <= proof.high:
            proof.learn(quiet_goal, self._search(proof, quiet_goal), self.workspace.move)
        return (proof.low >= quiet_goal) != turned

    def line(self, stones: Stones, score: int) -> list[Move]:
        """Best play to the end from a position whose score is known."""
        proof = self.begin(stones)
        line = list(proof.forced)
        score = -score if len(line) % 2 else score
        while final_score(self.workspace.layout, proof.quiet) is None:
            line.append(self.move(proof.quiet, score))
            proof = self.begin(self.after(proof.quiet, line[-1]))
            score = score if len(proof.forced) % 2 else -score
            line += proof.forced
        return line

    def move(self, quiet: Stones, score: int) -> Move:
        """A move of a quiet position that reaches its score: from the book, or found again."""
        for move in self.safe_moves(quiet) if self.book is not None else ():
            reply = self.begin(self.after(quiet, move))
            if reply.bounds == (-score, -score):
                return move
        self._search(Proof(self.workspace.layout, quiet), score)
        return self.workspace.move

    def after(self, stones: Stones, move: Move) -> Stones:
        """The position after a stone in a column."""
        layout = self.workspace.layout
        return play(stones, landing_cells(layout, stones) & layout.column(move))

    def safe_moves(self, stones: Stones) -> list[Move]:
        """The moves of a quiet position that do not lose at once."""
        layout = self.workspace.layout
        threats = winning_cells(layout, stones.rival)
        safe = landing_cells(layout, stones) & ~(threats >> 1)
        return [move for move in range(layout.columns) if safe & layout.column(move)]

    def _search(self, proof: Proof, goal: int) -> int:
        """What the kernel says of a quiet position: at once if it can, else in a thread."""
        team, workspace = self.team, self.workspace
        workspace.put(proof.quiet, proof.low, proof.high)
        bound = workspace.search(goal, AT_ONCE)
        self.look(team.nodes)
        while bound == STOPPED and not workspace.spent:
            workspace.go_on()
            bound = run(lambda: team.search(goal), workspace.words, lambda _: self.look(team.nodes))
        if bound == STOPPED:
            raise OutOfBudget("nodes")
        return bound
