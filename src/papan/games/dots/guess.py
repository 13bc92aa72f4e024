"""What playouts make of a Dots and Boxes position that is too far from its end to be solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from papan.core import OutOfBudget
from papan.engine.control import UNBOUNDED, Words
from papan.games.dots import kernel_play
from papan.games.dots.theory import Step
from papan.games.dots.truth import MEGABYTE, Truth

SEED = 2026
WORDS_A_VISIT = 160
"""A visit gives one node its children: about twenty, of eight words each."""


@dataclass(frozen=True)
class Guess:
    """What a quiet position seems to be worth to who moves there, after so many visits."""

    visits: int
    value: float


class Guesses:
    """The guesses about a quiet position and about those one step further."""

    def __init__(self, truth: Truth, drawn: int, visits: float) -> None:
        self._board = truth.board
        self.drawn = drawn
        self.ended = ""
        """Why the playouts ended before all visits were made."""
        many = round(min(visits, UNBOUNDED))
        tree = self._plant(truth, drawn, many)
        try:
            truth.run(lambda: kernel_play.grow(truth.words, truth.workspace, tree), many)
        except OutOfBudget as stop:
            self.ended = str(stop)
        if truth.nodes >= truth.most_nodes:
            self.ended = "nodes"
        self._known = self._read(tree)

    @property
    def value(self) -> float:
        """What the position seems to be worth."""
        return self._known[self._board.words(self.drawn)].value

    def of(self, step: Step) -> tuple[float, float]:
        """How good a move seems: its visits (as good as all, when it leads here), and its worth."""
        guess = self._known.get(self._board.words(step.after.rest), Guess(0, 0.0))
        return guess.visits, step.value(guess.value) if guess.visits else 0.0

    def _plant(self, truth: Truth, drawn: int, visits: int) -> Words:
        room = min(WORDS_A_VISIT * max(visits, 1_000), truth.memory * MEGABYTE)
        tree = np.zeros(room, np.uint64)
        trunk = int(kernel_play.TRUNK)
        tree[:3] = 2 * trunk, room, SEED
        tree[trunk : trunk + 2] = self._board.words(drawn)
        return tree

    def _read(self, tree: Words) -> dict[tuple[int, int], Guess]:
        trunk = int(kernel_play.TRUNK)
        first, count = (
            int(tree[trunk + int(word)]) for word in (kernel_play.FIRST, kernel_play.COUNT)
        )
        known = {}
        for node in (trunk, *range(first, first + 8 * count, 8)):
            across, down, visits = (int(word) for word in tree[node : node + 3])
            total = int(tree[node + 3].astype(np.int64))
            known[across, down] = Guess(visits, total / max(visits, 1))
        return known
