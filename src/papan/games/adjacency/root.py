"""The root of an Adjacency search: looks deeper and deeper, then proofs of what is best."""

from __future__ import annotations

from dataclasses import dataclass

from papan.core import Move
from papan.engine.control import NODES
from papan.games.adjacency.kernel_board import INFINITE, SCALE
from papan.games.adjacency.rules import AdjacencyPosition
from papan.games.adjacency.workspace import Window, Workspace

PAIR = 2 * SCALE
"""All final margins of a position are even, or all are odd."""
QUICK_PLIES = 2
"""Plies that are enough to order the moves of a line."""


@dataclass
class Choice:
    """A move and what is known of its score: what it looks like, and the bounds proven."""

    move: Move
    low: int = -INFINITE
    high: int = INFINITE
    guess: int = -INFINITE
    nodes: int = 0

    @property
    def proven(self) -> bool:
        return self.low == self.high

    @property
    def looked_at(self) -> bool:
        return self.guess > -INFINITE

    @property
    def bounded_below(self) -> bool:
        return self.low > -INFINITE

    @property
    def bounded_above(self) -> bool:
        return self.high < INFINITE


class Root:
    """What is known of a position. OutOfBudget may leave its searches, which still leave it true.

    A score is what the side to move gains from the present margin to the final one, times `SCALE`.
    """

    def __init__(self, workspace: Workspace, position: AdjacencyPosition) -> None:
        self.position, self._workspace = position, workspace
        self.marks, self.plies = workspace.marks(position), position.plies_left
        self.low, self.high = workspace.surely(self.marks, self.plies)
        self.high = min(self.high, mirror_bound(position, (self.low, self.high)))
        self.choices = [Choice(move) for move in position.moves()]
        """The moves, the best first."""
        self.guess = 0
        self.depth = 0
        """How many plies ahead the last look was that has been finished."""
        self.line: tuple[Move, ...] = (self.choices[0].move,)

    @property
    def proven(self) -> bool:
        """Is the score known, with a move that reaches it?"""
        return self.choices[0].low == self.high

    def solve(self, looks: int, all_moves: bool) -> None:
        """Find out everything: the score, which moves are best, the line."""
        for depth in range(1, looks + 1):
            self.look(depth)
        self.prove()
        self.compare(all_moves)
        self.follow()

    def look(self, depth: int) -> None:
        """Find the best move, *depth* plies deep; the others are only shown to be no better."""
        best = -INFINITE
        for choice in self.choices:
            score = INFINITE
            if best > -INFINITE:
                score = self._ask(choice, depth, (best, best + 1))
            if score > best:
                score = self._ask(choice, depth, (best, INFINITE))
            choice.guess = score
            if score > best:
                best = self.guess = score
                self._prefer(choice)
        self.depth = depth

    def prove(self) -> None:
        """Close in on the score, beginning with what the last look has found."""
        guess = self.guess // PAIR * PAIR + self.plies % 2 * SCALE
        while self.low < self.high:
            guess = min(max(guess, self.low + PAIR), self.high)
            guess = self.low + PAIR if self.holds(guess) else self.high
        if not self.proven:
            self.holds(self.high)
        for choice in self.choices:
            choice.high = min(choice.high, self.high)
        self.depth = self.plies

    def holds(self, score: int) -> bool:
        """Is some move worth *score*? What that proves is noted."""
        for choice in self.choices:
            if choice.high >= score and self._test(choice, score):
                self._prefer(choice)
                self.low = max(self.low, choice.low)
                return True
        self.high = min(self.high, max(choice.high for choice in self.choices))
        return False

    def compare(self, all_moves: bool) -> None:
        """Prove of every other move whether it is as good, or else what it is worth."""
        for choice in self.choices:
            while not choice.proven and (all_moves or choice.high >= self.low):
                self._test(choice, choice.high)

    def follow(self) -> None:
        """Extend the line by best moves of both sides to the end of the game."""
        root = self
        while root.plies > 1:
            root = root._after_best()
            root.look(min(QUICK_PLIES, root.plies))
            root.holds(root.high)
            self.line += (root.choices[0].move,)

    def final(self, score: int) -> float:
        """The final margin that a score means."""
        exact, rest = divmod(score, SCALE)
        return self._margin + exact + rest / SCALE if rest else self._margin + exact

    def _after_best(self) -> Root:
        """What follows from the best move, which is proven."""
        child = Root(self._workspace, self.position.child(self.choices[0].move))
        child.high = -self.high - SCALE * (self._margin + child._margin)
        return child

    def _test(self, choice: Choice, score: int) -> bool:
        """Is a move worth *score*? Its bounds are noted."""
        found = self._ask(choice, self.plies, (score - 1, score))
        if found >= score:
            choice.low = max(choice.low, found)
        else:
            choice.high = min(choice.high, found)
        return found >= score

    def _ask(self, choice: Choice, depth: int, window: Window) -> int:
        before = int(self._workspace.words[NODES])
        score = self._workspace.score(self.marks, choice.move, self.plies, depth, window)
        choice.nodes += int(self._workspace.words[NODES]) - before
        return score

    def _prefer(self, choice: Choice) -> None:
        """Put a choice before all others."""
        self.choices = [choice, *(other for other in self.choices if other is not choice)]
        self.line = (choice.move,)

    @property
    def _margin(self) -> int:
        """How far the side to move is ahead now."""
        own, rival = self.marks
        return int(own).bit_count() - int(rival).bit_count()


def mirror_bound(position: AdjacencyPosition, bounds: Window) -> int:
    """What a rival holds the score to who answers each move at the opposite cell of the board.

    If the board looks the same to him when turned around, each cell of his then makes up for one
    of ours, and where both moves touch a cell, his was the later one. In a game that fills the
    board it is enough that the empty cells look the same: the score is then that of the safe marks.
    """
    low, high = bounds
    size, empty = position.game.grid.size, position.empty

    def turned(cells: int) -> int:
        return int(f"{cells:0{size}b}"[::-1], 2)

    if position.plies_left % 2 or size % 2:
        return high
    if position.plies_left == empty.bit_count():
        return (low + high) // 2 if turned(empty) == empty else high
    return 0 if turned(position.marks[0]) == position.marks[1] else high
