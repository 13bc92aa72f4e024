"""What is proven of quiet Dots and Boxes positions, the kernel that proves more, and playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import TypeVar

import numpy as np

from papan.core import OutOfBudget, Thinking
from papan.engine.control import MOST_NODES, NODES, STOP, UNBOUNDED, Words, controls, run
from papan.games.dots import kernel, kernel_play, kernel_search
from papan.games.dots.endgame_db import EndgameDb
from papan.games.dots.rules import Dots
from papan.games.dots.theory import Step
from papan.games.dots.workspace import Board, lay

Result = TypeVar("Result")

SPEED = 1_000_000
"""Nodes a second, roughly."""
FIRST_ROOM, GROWTH, WORDS_A_NODE = 1 << 11, 32, 2
"""Words for the table: most questions are answered soon, and a large one takes time to lay out."""
FEW_NODES = FIRST_ROOM // WORDS_A_NODE
"""So little work is not worth a thread of its own."""
MEGABYTE = 1 << 17  # words
LINE = 8  # words that the processor fetches at once
NOTES = 1 << 12
"""Words in which threads note what they are searching."""
SEED = 2026
WORDS_A_VISIT = 160
"""A visit gives one node its children: about twenty, of eight words each."""


class Truth:
    """Bounds of quiet positions: the boxes still to come, the mover's minus the rival's."""

    def __init__(self, game: Dots, thinking: Thinking, memory: int, threads: int = 1) -> None:
        self.game = game
        self.thinking = thinking
        self.memory = memory
        self.most_nodes = thinking.limit.nodes
        self.on_progress: Callable[[int], None] = self._check
        """Called now and then, with the nodes so far, while a kernel runs."""
        self.board = Board(game)
        self.workspace = lay(self.board)
        self.endgame_db: EndgameDb | None = None
        """Where everything about this board is known."""
        self.words = controls()
        self._helpers = [(controls(), self.workspace.copy()) for _ in range(threads - 1)]
        self._known: dict[int, tuple[int, int]] = {}
        self._make_room(FIRST_ROOM)

    @property
    def nodes(self) -> int:
        """The work so far."""
        return int(self.words[NODES])

    @property
    def all_nodes(self) -> int:
        """The work of all threads."""
        return self.nodes + sum(int(words[NODES]) for words, _ in self._helpers)

    @property
    def transposition_bytes(self) -> int:
        """How large the table of the search has grown."""
        return int(self._transpositions.nbytes)

    @property
    def granted(self) -> float:
        """The work that the limit allows."""
        return min(self.thinking.limit.nodes, self.thinking.limit.seconds * SPEED)

    def likely_nodes(self, drawn: int) -> float:
        """How hard a quiet position is to solve, by experience."""
        lines = self.game.move_count - drawn.bit_count()
        return float(10 ** (0.43 * (lines - self.left(drawn)) - 1))

    def left(self, drawn: int) -> int:
        """How many boxes are still to come."""
        return sum(box & drawn != box for box in self.game.boxes)

    def bounds(self, drawn: int) -> tuple[int, int]:
        """The least and the most that the quiet position with these lines drawn can be worth."""
        if self.endgame_db is not None:
            value = self.endgame_db.value(self.workspace, drawn)
            return value, value
        left = self.left(drawn)
        return self._known.get(drawn, (-left, left))

    def at_least(self, drawn: int, bound: int) -> bool:
        """Is it worth at least *bound*? Raises OutOfBudget where that cannot be found out."""
        least, most = self.bounds(drawn)
        bound += (bound - least) % 2  # all values of a position are odd, or all are even
        if least < bound <= most:
            holds = self._ask(drawn, bound)
            self._known[drawn] = least, most = (bound, most) if holds else (least, bound - 2)
        return bound <= least

    def at_most(self, drawn: int, bound: int) -> bool:
        """Is it worth at most *bound*?"""
        return not self.at_least(drawn, bound + 1)

    def value(self, drawn: int, guess: int = 0) -> int:
        """What it is worth: found sooner when *guess* is close."""
        least, most = self.bounds(drawn)
        bound = guess
        while least < most:
            holds = self.at_least(drawn, max(least + 2, min(bound, most)))
            least, most = self.bounds(drawn)
            bound = least + 2 if holds else most
        return least

    def reaches(self, step: Step, target: int) -> bool:
        """Is a move worth at least *target* boxes to come to who makes it?"""
        rest, loss = step.after.rest, step.after.loss
        if step.won:
            least = target - step.won - step.after.boxes
            return self.at_least(rest, least) or (loss > 0 and self.at_most(rest, -loss - least))
        most = -target - step.after.boxes
        return self.at_most(rest, most) and (not loss or self.at_least(rest, -loss - most))

    def run(self, kernel: Callable[[], Result], nodes: int) -> Result:
        """What *kernel* returns, which may spend so many nodes; raises OutOfBudget."""
        words = self.words
        words[STOP] = words[kernel_search.BROKEN_OFF] = 0
        words[MOST_NODES] = int(min(self.most_nodes, self.nodes + nodes, UNBOUNDED))
        result = kernel() if nodes <= FEW_NODES else run(kernel, words, self.on_progress)
        self.on_progress(self.nodes)
        return result

    def _ask(self, drawn: int, bound: int) -> bool:
        root = int(kernel_search.ROOT)
        for workspace in self._workspaces():
            workspace[root : root + 4] = (*self.board.words(drawn), 0, self.left(drawn))
            kernel_search.begin(workspace)
        while True:
            holds = self.run(lambda: self._search(bound), self._most_for_room())
            if not self.words[kernel_search.BROKEN_OFF]:
                return holds
            if self.nodes >= self.most_nodes:
                raise OutOfBudget("nodes")
            wanted = min(self.likely_nodes(drawn) / 8, WORDS_A_NODE * self.granted)
            self._make_room(max(GROWTH * len(self._transpositions), int(min(wanted, UNBOUNDED))))

    def _workspaces(self) -> list[Words]:
        return [self.workspace, *(workspace for _, workspace in self._helpers)]

    def _search(self, bound: int) -> bool:
        if self._helpers and len(self._transpositions) > FIRST_ROOM + NOTES:
            return self._race(bound)
        return kernel_search.root_at_least(self.words, self.workspace, self._transpositions, bound)

    def _race(self, bound: int) -> bool:
        """The same search in several threads, which share the table: the first to end wins."""
        answers: list[bool] = []

        def help_out(words: Words, workspace: Words) -> None:
            words[STOP] = words[kernel_search.BROKEN_OFF] = 0
            words[MOST_NODES] = UNBOUNDED
            holds = kernel_search.root_at_least(words, workspace, self._transpositions, bound)
            if not words[kernel_search.BROKEN_OFF]:
                answers.append(holds)
                self.words[STOP] = 1

        helpers = [Thread(target=help_out, args=helper) for helper in self._helpers]
        for helper in helpers:
            helper.start()
        holds = kernel_search.root_at_least(self.words, self.workspace, self._transpositions, bound)
        for words, _ in self._helpers:
            words[STOP] = 1
        for helper in helpers:
            helper.join()
        if answers and self.words[kernel_search.BROKEN_OFF]:
            self.words[kernel_search.BROKEN_OFF] = 0
            return answers[0]
        return holds

    def _check(self, nodes: int) -> None:
        self.thinking.nodes = nodes
        self.thinking.check()

    def _most_for_room(self) -> int:
        """How many nodes to search before a larger table is worth its price."""
        full = len(self._transpositions) + GROWTH * LINE > self.memory * MEGABYTE
        return UNBOUNDED if full else len(self._transpositions) // WORDS_A_NODE

    def _make_room(self, words: int) -> None:
        """Lay out an empty table."""
        buckets = min(words, self.memory * MEGABYTE) // LINE
        quick = buckets // 8
        notes = NOTES if self._helpers else 0
        self._transpositions = aligned(buckets * LINE + notes)
        for workspace in self._workspaces():
            workspace[int(kernel.QUICK) : int(kernel.QUICK) + 2] = quick, 0
            workspace[int(kernel.THOROUGH) : int(kernel.THOROUGH) + 2] = (
                buckets - quick,
                quick * LINE,
            )
            workspace[int(kernel.BUSY) : int(kernel.BUSY) + 2] = notes, buckets * LINE


def aligned(words: int) -> Words:
    """Words, all 0, that begin where the processor begins to fetch."""
    array = np.zeros(words + LINE, np.uint64)
    start = -(array.ctypes.data // 8) % LINE
    return array[start : start + words]


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
