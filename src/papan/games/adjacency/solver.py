"""The solver of Adjacency on boards of up to 8x8: exact to the end, else the best in the time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf, pow

import numpy as np

from papan.core import Game, Guess, Move, OutOfBudget, Position, Proved, Thinking, Value
from papan.core.parts import Support
from papan.engine.control import NODES, controls, run
from papan.engine.memory import address, copy, fill, new
from papan.engine.solver import MEGABYTE, NativeSolver, Solution
from papan.engine.transpositions import Table
from papan.games.adjacency import kernel
from papan.games.adjacency.kernel_board import (
    ABORTED,
    BUCKET,
    INFINITE,
    NO_MIRROR,
    SCALE,
    TAG_BITS,
    Marks,
    Window,
    Workspace,
)
from papan.games.adjacency.rules import MARKS_AT_START, Adjacency, AdjacencyPosition

WIDE = 8
"""The rows and columns of the kernel's board, whatever the game's."""
SPEED = 8_000_000
"""Nodes a second, about: a limit of time is planned with as if it were one of nodes."""
ENTRY = 16
"""The bytes of an entry of the table."""
FEWEST_ENTRIES = 1 << 10
ROOM = 64
"""How much larger a table is made that is kept: one that is too small is lost with all it knows."""
LOOKS = 5
"""Plies to look ahead before a proof that seems affordable: they order the moves."""
PAIR = 2 * SCALE
"""All final margins of a position are even, or all are odd."""
QUICK_PLIES = 2
"""Plies that are enough to order the moves of a line."""
HASTE = 1.5
"""How much likelier than by chance a cell beside a mark is taken: found by self-play."""
CHANCE = 0.5
"""What each mark is worth that the next move could turn: found by self-play."""


@dataclass
class AdjacencySolver(NativeSolver):
    """Proves the final margin; where the limit is too small for that, it looks as far as it can.

    One thread works, whatever is set.
    """

    def plays(self, game: Game) -> bool:
        return isinstance(game, Adjacency) and Support.of(game).has_solver

    def variant(self, position: Position) -> tuple[object, ...]:
        return ()

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        assert isinstance(position, AdjacencyPosition)
        return AdjacencySolution(position, thinking, self)

    def memory_for(self, game: Adjacency, thinking: Thinking, nodes: float) -> Memory:
        """A table for about so many nodes: an empty one, or that of the positions before."""
        most = self.memory * MEGABYTE // ENTRY
        entries = transposition_entries(nodes, most)
        kept = self.kept if isinstance(self.kept, Memory) and self.kept.game == game else None
        if kept is not None and kept.entries >= entries:
            kept.begin(thinking.limit.nodes)
            return kept
        if self.reuse:
            entries = transposition_entries(ROOM * nodes, most)
        memory = Memory(game, thinking.limit.nodes, entries)
        self.kept = memory if self.reuse else None
        return memory


class AdjacencySolution(Solution):
    """Looks, then proofs, as far as the budget goes."""

    def __init__(
        self, position: AdjacencyPosition, thinking: Thinking, settings: AdjacencySolver
    ) -> None:
        super().__init__(position, thinking)
        effort, granted = expected_nodes(position), granted_nodes(thinking)
        self.all_moves = settings.all_moves
        self.memory = settings.memory_for(position.game, thinking, min(effort, granted))
        self.root = Root(self.memory, position)
        self.looks = min(LOOKS, self.root.plies) if effort <= granted else self.root.plies - 1
        self.distance, self.facts = self.root.plies, {"table": self.memory.table.words.nbytes}

    def work(self) -> None:
        try:
            run(lambda: self.root.solve(self.looks, self.all_moves), self.memory.words, self.look)
        finally:
            self.thinking.nodes = int(self.memory.words[NODES])
            self.emit()

    def update(self) -> None:
        root = self.root
        self.line, self.values, self.depth = root.line, values_of(root), root.depth
        self.guess = root.final(root.guess) if root.choices[0].looked_at else None

    def choice(self) -> Move:
        return self.root.choices[0].move

    def bounds(self) -> tuple[float, float]:
        return self.root.final(self.root.low), self.root.final(self.root.high)

    def why(self, stop: str) -> str:
        return "exact" if self.root.proven else stop


def expected_nodes(position: AdjacencyPosition) -> float:
    """About how many nodes a proof takes: measured in play that is good at turning marks."""
    plies, empty = position.plies_left, position.empty.bit_count()
    if plies == empty:
        return 0.3 * pow(1.9, empty)
    return 5 * pow(4.0, plies) * pow(empty / 56, plies / 2)


def granted_nodes(thinking: Thinking) -> float:
    """About how many nodes the limit allows."""
    return min(thinking.limit.nodes, SPEED * thinking.limit.seconds)


def transposition_entries(nodes: float, most: int) -> int:
    """How many entries the table gets, a power of two: a larger one takes time to clear."""
    entries = FEWEST_ENTRIES
    while entries < nodes and 2 * entries <= most:
        entries *= 2
    return entries


def values_of(root: Root) -> dict[Move, Value]:
    """What is known of each move that anything is known of, the best first."""
    found = ((choice.move, _value(root, choice)) for choice in root.choices)
    return {move: value for move, value in found if value is not None}


def _value(root: Root, choice: Choice) -> Value | None:
    """What is proven of a move, else what it looks like: only the best one is looked at closely."""
    best = choice.move == root.line[0]
    line = root.line[1:] if best else ()
    low = root.final(choice.low) if choice.low > -INFINITE else -inf
    high = root.final(choice.high) if choice.high < INFINITE else inf
    if -inf < low or high < inf:
        return Proved(low, high, nodes=choice.nodes, line=line)
    if not choice.looked_at:
        return None
    return Guess(root.final(choice.guess), pruned=not best, nodes=choice.nodes, line=line)


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


class Root:
    """What is known of a position. OutOfBudget may leave its searches, which still leave it true.

    A score is what the side to move gains from the present margin to the final one, times `SCALE`.
    """

    def __init__(self, memory: Memory, position: AdjacencyPosition) -> None:
        self.position, self._memory = position, memory
        self.marks, self.plies = memory.marks(position), position.plies_left
        self.low, self.high = kernel.surely(memory.address, self.marks, self.plies)
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
        child = Root(self._memory, self.position.child(self.choices[0].move))
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
        before = int(self._memory.words[NODES])
        score = self._memory.score(self.marks, choice.move, self.plies, depth, window)
        choice.nodes += int(self._memory.words[NODES]) - before
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


class Memory:
    """What the searches of one analysis share: the controls, the workspace, the table."""

    def __init__(self, game: Adjacency, most_nodes: float, entries: int) -> None:
        self.game, self.words, self.entries = game, controls(most_nodes), entries
        self.table, buckets = Table(BUCKET, entries // 2), entries // 2
        self.workspace = copy(blank_workspace(game))
        key_bits = int(TAG_BITS) + buckets.bit_length() - 1
        known = self.table.fields(key_bits, buckets)
        fill(self.workspace, controls=address(self.words), transpositions=known)
        self.address, self._columns = address(self.workspace), game.columns

    def begin(self, most_nodes: float) -> None:
        """Start to count anew; what the table knows stays."""
        self.words[:] = controls(most_nodes)
        fill(self.workspace, halted=False)

    def marks(self, position: AdjacencyPosition) -> Marks:
        """The marks of a position for the kernel."""
        own, rival = position.sides
        return self.spread(own), self.spread(rival)

    def score(self, marks: Marks, move: Move, plies: int, depth: int, window: Window) -> int:
        """The score of a move by `kernel.score`; raises OutOfBudget when that was stopped."""
        row, column = divmod(move, self._columns)
        cell = np.uint64(1 << WIDE * row + column)
        score = kernel.score(self.address, marks, cell, (plies, depth), window)
        if score == ABORTED:
            raise OutOfBudget("nodes")
        return score

    def spread(self, cells: int) -> np.uint64:
        """Cells of the game's board on the kernel's, row by row."""
        row = (1 << self._columns) - 1
        rows = ((cells >> self._columns * each & row) << WIDE * each for each in range(WIDE))
        return np.uint64(sum(rows))


@lru_cache(maxsize=64)
def blank_workspace(game: Adjacency) -> Workspace:
    """The workspace before a search."""
    workspace = new(Workspace, mirror=NO_MIRROR)
    cells = {(row, column) for row in range(game.rows) for column in range(game.columns)}
    of_degree = [0] * 5
    for row, column in cells:
        sides = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        beside = [WIDE * r + c for r, c in sides if (r, c) in cells]
        workspace.beside[WIDE * row + column] = np.uint64(sum(1 << each for each in beside))
        of_degree[len(beside)] |= 1 << WIDE * row + column
    fill(workspace, cells=sum(of_degree), fours=of_degree[3], fives=of_degree[4])
    if game.rows == game.columns:
        fill(workspace, mirror=(WIDE + 1) * (WIDE - game.rows))
    left = len(cells) - MARKS_AT_START - 2 * game.rounds
    for plies in range(1, 2 * game.rounds + 1):
        np.asarray(workspace.weights)[plies] = weights(plies, left)
    return workspace


def weights(plies: int, left: int) -> list[int]:
    """What an estimate weighs, *plies* before the game ends with *left* cells empty.

    First how much less a mark counts for each empty neighbour more: it stays if no move comes
    beside it; if one does, it may belong to either side. Then what a chance to turn marks counts.
    """
    comes = min(1.0, HASTE * plies / (plies + left))
    stays = [(1 - comes) ** neighbours for neighbours in range(5)]
    falls = [after - before for before, after in pairwise(stays)]
    return [round(SCALE * each) for each in (*falls, CHANCE)]
