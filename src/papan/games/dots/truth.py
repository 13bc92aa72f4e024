"""What is proven of quiet Dots and Boxes positions, the kernel that proves more, and playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from papan.core import OutOfBudget, Thinking
from papan.engine.control import MOST_NODES, NODES, STOP, UNBOUNDED, Words, run
from papan.engine.memory import address, fill, layout, new
from papan.games.dots import kernel_play
from papan.games.dots.endgame_db import EndgameDb
from papan.games.dots.kernel_search import BROKEN_OFF, HOLDS, begin, root_at_least
from papan.games.dots.rules import Dots
from papan.games.dots.theory import Step
from papan.games.dots.workspace import Board, Memory, new_memory

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
WORDS_A_VISIT, WORDS_A_TREE_NODE = 160, 8
"""A visit gives one node its children: about twenty."""

Nodes = NDArray[Any]
"""Records of the nodes of a tree."""


class Truth:
    """Bounds of quiet positions: the boxes still to come, the mover's minus the rival's."""

    def __init__(self, game: Dots, thinking: Thinking, memory: int, threads: int = 1) -> None:
        self.game = game
        self.memory = memory
        self.board = Board(game)
        self._memory = new_memory(self.board)
        self.endgame_db: EndgameDb | None = None
        """Where everything about this board is known."""
        self._words = self._memory.words
        self._helpers = [self._memory.twin() for _ in range(threads - 1)]
        self._known: dict[int, tuple[int, int]] = {}
        self._make_room(FIRST_ROOM)
        self.begin(thinking)

    def begin(self, thinking: Thinking) -> None:
        """Start to count anew; what is known stays."""
        self.thinking = thinking
        self.most_nodes = thinking.limit.nodes
        self.on_progress: Callable[[int], None] = self._check
        """Called now and then, with the nodes so far, while a kernel runs."""
        for memory in (self._memory, *self._helpers):
            memory.words[NODES] = 0

    @property
    def nodes(self) -> int:
        """The work so far."""
        return int(self._words[NODES])

    @property
    def all_nodes(self) -> int:
        """The work of all threads."""
        return self.nodes + sum(int(helper.words[NODES]) for helper in self._helpers)

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
            value = self.endgame_db.value(self._memory, drawn)
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
        words = self._words
        words[STOP] = 0
        words[MOST_NODES] = int(min(self.most_nodes, self.nodes + nodes, UNBOUNDED))
        result = kernel() if nodes <= FEW_NODES else run(kernel, words, self.on_progress)
        self.on_progress(self.nodes)
        return result

    def grow(self, tree: kernel_play.Tree, visits: int) -> None:
        """Let playouts visit a tree so often; raises OutOfBudget."""
        self.run(lambda: kernel_play.grow(self._memory.address, tree), visits)

    def _ask(self, drawn: int, bound: int) -> bool:
        for memory in (self._memory, *self._helpers):
            memory.place(*self.board.words(drawn), self.left(drawn))
            begin(memory.address)
        while True:
            answer = self.run(lambda: self._search(bound), self._most_for_room())
            if answer != BROKEN_OFF:
                return answer == HOLDS
            if self.nodes >= self.most_nodes:
                raise OutOfBudget("nodes")
            wanted = min(self.likely_nodes(drawn) / 8, WORDS_A_NODE * self.granted)
            self._make_room(max(GROWTH * len(self._transpositions), int(min(wanted, UNBOUNDED))))

    def _search(self, bound: int) -> int:
        if self._helpers and len(self._transpositions) > FIRST_ROOM + NOTES:
            return self._race(bound)
        return root_at_least(self._memory.address, bound)

    def _race(self, bound: int) -> int:
        """The same search in several threads, which share the table: the first to end wins."""
        answers: list[int] = []

        def help_out(helper: Memory) -> None:
            helper.words[STOP] = 0
            helper.words[MOST_NODES] = UNBOUNDED
            answer = root_at_least(helper.address, bound)
            if answer != BROKEN_OFF:
                answers.append(answer)
                self._words[STOP] = 1

        threads = [Thread(target=help_out, args=(helper,)) for helper in self._helpers]
        for thread in threads:
            thread.start()
        answer = root_at_least(self._memory.address, bound)
        for helper in self._helpers:
            helper.words[STOP] = 1
        for thread in threads:
            thread.join()
        return answers[0] if answers and answer == BROKEN_OFF else answer

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
        start = address(self._transpositions)
        thorough, notes_at = (
            start + np.uint64(8 * quick * LINE),
            start + np.uint64(8 * buckets * LINE),
        )
        for memory in (self._memory, *self._helpers):
            fill(
                memory.workspace,
                quick=(start, quick),
                thorough=(thorough, buckets - quick),
                notes=notes_at,
                note_count=notes,
            )


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
        nodes = self._plant(truth, drawn, many)
        tree = new(
            kernel_play.Tree,
            nodes=address(nodes),
            node_count=1,
            most_nodes=len(nodes),
            dice=SEED,
        )
        try:
            truth.grow(tree, many)
        except OutOfBudget as stop:
            self.ended = str(stop)
        if truth.nodes >= truth.most_nodes:
            self.ended = "nodes"
        self._known = self._read(nodes)

    @property
    def value(self) -> float:
        """What the position seems to be worth."""
        return self._known[self._board.words(self.drawn)].value

    def of(self, step: Step) -> tuple[float, float]:
        """How good a move seems: its visits (as good as all, when it leads here), and its worth."""
        guess = self._known.get(self._board.words(step.after.rest), Guess(0, 0.0))
        return guess.visits, step.value(guess.value) if guess.visits else 0.0

    def _plant(self, truth: Truth, drawn: int, visits: int) -> Nodes:
        words = min(WORDS_A_VISIT * max(visits, 1_000), truth.memory * MEGABYTE)
        nodes = np.zeros(words // WORDS_A_TREE_NODE - 1, layout(kernel_play.Node))
        across, down = self._board.words(drawn)
        fill(nodes[0], across=across, down=down)
        return nodes

    def _read(self, nodes: Nodes) -> dict[tuple[int, int], Guess]:
        first, count = int(nodes["first"][0]), int(nodes["child_count"][0])
        return {
            (across, down): Guess(visits, total / max(visits, 1))
            for across, down, visits, total, *_ in (
                *nodes[:1].tolist(),
                *nodes[first : first + count].tolist(),
            )
        }
