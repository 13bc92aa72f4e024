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
from papan.engine.memory import address_of, copy, fill, new
from papan.engine.solver import BYTES_PER_MEGABYTE, NativeSolver, Solution
from papan.engine.transpositions import Table
from papan.games.adjacency import kernel
from papan.games.adjacency.kernel_board import (
    ADJACENCY_ABORTED,
    ADJACENCY_BUCKET,
    INFINITE_SCORE,
    NO_MIRROR,
    SCALE,
    TAG_BITS,
    AdjacencyMarks,
    AdjacencyWindow,
    AdjacencyWorkspace,
)
from papan.games.adjacency.rules import MARKS_AT_START, Adjacency, AdjacencyPosition

KERNEL_COLUMNS = 8
"""The rows and columns of the kernel's board, whatever the game's."""
NODES_PER_SECOND = 8_000_000
"""Approximate speed, by which a time limit is planned as a node limit."""
ENTRY_BYTES = 16
"""Bytes of an entry of the table."""
FEWEST_ENTRIES = 1 << 10
REUSE_FACTOR = 64
"""Factor on the size of a table that is reused: one that is too small is lost with its content."""
LOOKS = 5
"""Plies to look ahead before a proof that seems affordable: they order the moves."""
MARGIN_STEP = 2 * SCALE
"""Step between possible scores: all final margins of a position are even, or all are odd."""
QUICK_PLIES = 2
"""Plies that are enough to order the moves of a line."""
HASTE = 1.5
"""Factor on the chance that a cell beside a mark is taken (tuned by self-play)."""
CHANCE = 0.5
"""Worth, in marks, of each mark that the next move could turn (tuned by self-play)."""


@dataclass
class AdjacencySolver(NativeSolver):
    """An agent that proves the final margin in marks, on boards of up to 8x8.

    Where the limit is too small for a proof, it looks as far ahead as it can. It uses one thread,
    whatever is set.
    """

    def plays(self, game: Game) -> bool:
        """Return whether *game* is a board of Adjacency of up to 8x8."""
        return isinstance(game, Adjacency) and Support.of(game).has_solver

    def variant(self, position: Position) -> tuple[object, ...]:
        return ()

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        assert isinstance(position, AdjacencyPosition)
        return AdjacencySolution(position, thinking, self)

    def memory_for(self, game: Adjacency, thinking: Thinking, nodes: float) -> AdjacencyMemory:
        """Return a memory with a table for about *nodes* nodes; with `reuse` the last if it fits.

        Its count of nodes begins at 0 and ends at the limit of *thinking*. The last memory fits if
        it is of the same *game* and its table is large enough; the table then keeps its content.
        Else the memory is new and its table empty, with `reuse` with room for `REUSE_FACTOR` times
        the nodes. A table takes at most `memory` megabytes, but has FEWEST_ENTRIES at least: see
        `transposition_entries`.
        """
        most = self.memory * BYTES_PER_MEGABYTE // ENTRY_BYTES
        entries = transposition_entries(nodes, most)
        kept = (
            self.kept if isinstance(self.kept, AdjacencyMemory) and self.kept.game == game else None
        )
        if kept is not None and kept.entries >= entries:
            kept.begin(thinking.limit.nodes)
            return kept
        if self.reuse:
            entries = transposition_entries(REUSE_FACTOR * nodes, most)
        memory = AdjacencyMemory(game, thinking.limit.nodes, entries)
        self.kept = memory if self.reuse else None
        return memory


class AdjacencySolution(Solution):
    """The solution of one position: it looks ahead, then proves, as far as the limit goes.

    *settings* are those of the agent. It first looks ahead 1, 2, ... plies: up to `LOOKS`, or up to
    the ply before the last if a proof is expected to take more nodes than the limit allows
    (`expected_nodes`, `granted_nodes`). The game must not be over: not checked.
    """

    def __init__(
        self, position: AdjacencyPosition, thinking: Thinking, settings: AdjacencySolver
    ) -> None:
        super().__init__(position, thinking)
        effort, granted = expected_nodes(position), granted_nodes(thinking)
        self.all_moves = settings.all_moves
        self.memory = settings.memory_for(position.game, thinking, min(effort, granted))
        self.root = AdjacencyRoot(self.memory, position)
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
    """Return about how many nodes a proof takes that starts from *position*.

    It is 0.3 * 1.9^empty where the game fills the board, else 5 * 4^plies * (empty / 56)^(plies /
    2), of the empty cells and the plies left: measured on well-played games.
    """
    plies, empty = position.plies_left, position.empty.bit_count()
    if plies == empty:
        return 0.3 * pow(1.9, empty)
    return 5 * pow(4.0, plies) * pow(empty / 56, plies / 2)


def granted_nodes(thinking: Thinking) -> float:
    """Return about how many nodes the limit allows; infinite where it has none.

    A second counts as NODES_PER_SECOND nodes.
    """
    return min(thinking.limit.nodes, NODES_PER_SECOND * thinking.limit.seconds)


def transposition_entries(nodes: float, most: int) -> int:
    """Return the number of table entries for about *nodes* nodes: a power of two.

    It is at most *most*, but at least FEWEST_ENTRIES, whatever *most* is. A table larger than
    needed would cost time to clear.
    """
    entries = FEWEST_ENTRIES
    while entries < nodes and 2 * entries <= most:
        entries *= 2
    return entries


def values_of(root: AdjacencyRoot) -> dict[Move, Value]:
    """Return the value of each move of which something is known, by move; the best comes first.

    Values are final margins in marks, for the seat to move at the root, proved or guessed.
    """
    found = ((choice.move, _value(root, choice)) for choice in root.choices)
    return {move: value for move, value in found if value is not None}


def _value(root: AdjacencyRoot, choice: RootChoice) -> Value | None:
    """Return what is proved of a move's final margin in marks, else its estimate.

    It is for the seat to move at the root. None if nothing is known.
    """
    best = choice.move == root.line[0]
    line = root.line[1:] if best else ()
    low = root.final(choice.low) if choice.low > -INFINITE_SCORE else -inf
    high = root.final(choice.high) if choice.high < INFINITE_SCORE else inf
    if -inf < low or high < inf:
        return Proved(low, high, nodes=choice.nodes, line=line)
    if not choice.looked_at:
        return None
    return Guess(root.final(choice.guess), pruned=not best, nodes=choice.nodes, line=line)


@dataclass
class RootChoice:
    """A move at the root and what is known of its score: an estimate, and proved bounds.

    Scores are gains from the present margin to the final one for the seat that makes the move, in
    1/SCALE marks.
    """

    move: Move
    low: int = -INFINITE_SCORE
    """Proved lower bound of the score."""
    high: int = INFINITE_SCORE
    """Proved upper bound of the score."""
    guess: int = -INFINITE_SCORE
    """Score by the last look ahead; -INFINITE_SCORE before the first.

    It is an estimate; of a move that was no better than another one before it, an upper bound of
    such an estimate.
    """
    nodes: int = 0
    """Nodes searched below the move so far."""

    @property
    def proven(self) -> bool:
        """True if the score of the move is known."""
        return self.low == self.high

    @property
    def looked_at(self) -> bool:
        """True if the move has an estimate from a look ahead."""
        return self.guess > -INFINITE_SCORE


class AdjacencyRoot:
    """The search at the root of *position* in *memory*; the game must not be over: not checked.

    A score is what the side to move gains from the present margin to the final one, in 1/SCALE
    marks. `low` and `high` are its proved bounds. OutOfBudget may end the search anywhere; what is
    recorded stays true.
    """

    def __init__(self, memory: AdjacencyMemory, position: AdjacencyPosition) -> None:
        self.position, self._memory = position, memory
        self.marks, self.plies = memory.marks(position), position.plies_left
        self.low, self.high = kernel.surely(memory.address, self.marks, self.plies)
        self.high = min(self.high, mirror_bound(position, (self.low, self.high)))
        self.choices = [RootChoice(move) for move in position.moves()]
        """The moves, the best first."""
        self.guess = 0
        """Score of the best move by the last look ahead."""
        self.depth = 0
        """Plies of the last look ahead that was finished; all plies once the score is proved."""
        self.line: tuple[Move, ...] = (self.choices[0].move,)
        """The best move so far; after `follow`, best play to the end of the game."""

    @property
    def proven(self) -> bool:
        """True if the score is known exactly, with a move that reaches it."""
        return self.choices[0].low == self.high

    def solve(self, looks: int, all_moves: bool) -> None:
        """Prove the score, the best moves and the line of best play, with *all_moves* every score.

        Before the proof the position is searched 1, 2, ... *looks* plies deep (see `look`), which
        gives estimates and orders the moves. Results are in the fields `low`, `high`, `choices`,
        `guess`, `depth` and `line`. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        for depth in range(1, looks + 1):
            self.look(depth)
        self.prove()
        self.compare(all_moves)
        self.follow()

    def look(self, depth: int) -> None:
        """Find the best move, *depth* plies deep; the others are only shown to be no better.

        Each score is written to `RootChoice.guess` of its move, that of the best move also to
        `guess`; the best move becomes the first of `choices`, and the whole `line`. `depth` becomes
        *depth*. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        best = -INFINITE_SCORE
        for choice in self.choices:
            score = INFINITE_SCORE
            if best > -INFINITE_SCORE:
                score = self._ask(choice, depth, (best, best + 1))
            if score > best:
                score = self._ask(choice, depth, (best, INFINITE_SCORE))
            choice.guess = score
            if score > best:
                best = self.guess = score
                self._prefer(choice)
        self.depth = depth

    def prove(self) -> None:
        """Prove the score, trying first what the last look has found, `guess`.

        `low` and `high` are equal then, and the first of `choices` is proved to reach them. Raise
        OutOfBudget if a limit or a cancel ends the search.
        """
        guess = self.guess // MARGIN_STEP * MARGIN_STEP + self.plies % 2 * SCALE
        while self.low < self.high:
            guess = min(max(guess, self.low + MARGIN_STEP), self.high)
            guess = self.low + MARGIN_STEP if self.holds(guess) else self.high
        if not self.proven:
            self.holds(self.high)
        for choice in self.choices:
            choice.high = min(choice.high, self.high)
        self.depth = self.plies

    def holds(self, score: int) -> bool:
        """Return whether some move reaches *score*; record the bounds that this proves.

        *score* is in 1/SCALE marks for the side to move. A move that reaches it becomes the first
        of `choices`. Raise OutOfBudget if a limit or a cancel ends the search.
        """
        for choice in self.choices:
            if choice.high >= score and self._test(choice, score):
                self._prefer(choice)
                self.low = max(self.low, choice.low)
                return True
        self.high = min(self.high, max(choice.high for choice in self.choices))
        return False

    def compare(self, all_moves: bool) -> None:
        """Prove of each move whether it is as good as the best one, or with *all_moves* its score.

        The score of the position must be proved: not checked. Write the bounds to `choices`. Raise
        OutOfBudget if a limit or a cancel ends the search.
        """
        for choice in self.choices:
            while not choice.proven and (all_moves or choice.high >= self.low):
                self._test(choice, choice.high)

    def follow(self) -> None:
        """Extend `line` by best moves of both sides to the end of the game.

        The score must be proved: not checked. Raise OutOfBudget if a limit or a cancel ends the
        search.
        """
        root = self
        while root.plies > 1:
            root = root._after_best()
            root.look(min(QUICK_PLIES, root.plies))
            root.holds(root.high)
            self.line += (root.choices[0].move,)

    def final(self, score: int) -> float:
        """Return the final margin in marks, for the side to move, of a *score* in 1/SCALE marks.

        A whole number if the score is one of marks.
        """
        exact, rest = divmod(score, SCALE)
        return self._margin + exact + rest / SCALE if rest else self._margin + exact

    def _after_best(self) -> AdjacencyRoot:
        """Return the search at the position after the best move, with an upper bound from this one.

        Scores of the result are for the side to move there. There must be a move there, and the
        score of this root must be proved: not checked.
        """
        child = AdjacencyRoot(self._memory, self.position.child(self.choices[0].move))
        child.high = -self.high - SCALE * (self._margin + child._margin)
        return child

    def _test(self, choice: RootChoice, score: int) -> bool:
        """Return whether a move reaches *score*, in 1/SCALE marks; write its bounds to *choice*.

        Raise OutOfBudget if a limit or a cancel ends the search.
        """
        found = self._ask(choice, self.plies, (score - 1, score))
        if found >= score:
            choice.low = max(choice.low, found)
        else:
            choice.high = min(choice.high, found)
        return found >= score

    def _ask(self, choice: RootChoice, depth: int, window: AdjacencyWindow) -> int:
        """Return the score of a move in 1/SCALE marks, *depth* plies deep, and count its nodes.

        It is exact inside the *window* (alpha, beta); a lower bound from beta on, an upper one up
        to alpha; an estimate of it with fewer than `plies`. The nodes are added to *choice*. Raise
        OutOfBudget if a limit or a cancel ends the search; then they are not added.
        """
        before = int(self._memory.words[NODES])
        score = self._memory.score(self.marks, choice.move, self.plies, depth, window)
        choice.nodes += int(self._memory.words[NODES]) - before
        return score

    def _prefer(self, choice: RootChoice) -> None:
        """Put *choice* before all others in `choices`, and make its move alone the line."""
        self.choices = [choice, *(other for other in self.choices if other is not choice)]
        self.line = (choice.move,)

    @property
    def _margin(self) -> int:
        """The present margin of the side to move, in marks."""
        own, rival = self.marks
        return int(own).bit_count() - int(rival).bit_count()


def mirror_bound(position: AdjacencyPosition, bounds: AdjacencyWindow) -> int:
    """Return an upper bound of the score against a rival that answers at the opposite cell.

    *bounds* must be those of `kernel.surely`, (low, high): not checked; high is returned where the
    mirror proves nothing. All are in 1/SCALE marks, for the side to move, here called we. If the
    board looks the same to the rival when turned by half a circle, each of its cells makes up for
    one of ours, and where both moves touch a cell, its move was the later one: the bound is 0. In a
    game that fills the board it is enough that the empty cells look the same: the bound is then the
    score by the safe marks, the middle of *bounds*. Neither holds with an odd number of plies left,
    or of cells.
    """
    low, high = bounds
    size, empty = position.game.grid.size, position.empty

    def turned(cells: int) -> int:
        """Return the bitboard *cells* on the board turned by half a circle."""
        return int(f"{cells:0{size}b}"[::-1], 2)

    if position.plies_left % 2 or size % 2:
        return high
    if position.plies_left == empty.bit_count():
        return (low + high) // 2 if turned(empty) == empty else high
    return 0 if turned(position.marks[0]) == position.marks[1] else high


class AdjacencyMemory:
    """The controls, workspace and table that the searches of one analysis share.

    The table has *entries* entries, a power of two, of 16 bytes each. At most *most_nodes* nodes
    may be counted.
    """

    def __init__(self, game: Adjacency, most_nodes: float, entries: int) -> None:
        self.game, self.words, self.entries = game, controls(most_nodes), entries
        self.table, buckets = Table(ADJACENCY_BUCKET, entries // 2), entries // 2
        self.workspace = copy(adjacency_workspace(game))
        key_bits = int(TAG_BITS) + buckets.bit_length() - 1
        known = self.table.fields(key_bits, buckets)
        fill(self.workspace, controls=address_of(self.words), transpositions=known)
        self.address, self._columns = address_of(self.workspace), game.columns

    def begin(self, most_nodes: float) -> None:
        """Count nodes from 0 again, up to *most_nodes*; the table keeps its content."""
        self.words[:] = controls(most_nodes)
        fill(self.workspace, halted=False)

    def marks(self, position: AdjacencyPosition) -> AdjacencyMarks:
        """Return the marks of a position for the kernel: of the side to move, then of its rival.

        Both are bitboards of the kernel's 8x8 board: see `spread`.
        """
        own, rival = position.sides
        return self.spread(own), self.spread(rival)

    def score(
        self, marks: AdjacencyMarks, move: Move, plies: int, depth: int, window: AdjacencyWindow
    ) -> int:
        """Return the score of a move for the seat that makes it, in 1/SCALE marks.

        *marks* are as the method `marks` returns them, *move* is the number of an empty cell.
        *plies* are left before the move, of which the search looks *depth* ahead, the move
        included: with fewer than *plies* the score is an estimate. Outside the *window* (alpha,
        beta) it is a bound. Raise OutOfBudget if the search was stopped.
        """
        row, column = divmod(move, self._columns)
        cell = np.uint64(1 << KERNEL_COLUMNS * row + column)
        score = kernel.score(self.address, marks, cell, (plies, depth), window)
        if score == ADJACENCY_ABORTED:
            raise OutOfBudget("nodes")
        return score

    def spread(self, cells: int) -> np.uint64:
        """Return a bitboard of the game's board as one of the kernel's, with bit 8 * row + column.

        The board must have at most 8 rows and columns: not checked.
        """
        row = (1 << self._columns) - 1
        rows = (
            (cells >> self._columns * each & row) << KERNEL_COLUMNS * each
            for each in range(KERNEL_COLUMNS)
        )
        return np.uint64(sum(rows))


@lru_cache(maxsize=64)
def adjacency_workspace(game: Adjacency) -> AdjacencyWorkspace:
    """Return a workspace in which all that depends on *game* alone is filled in.

    Cached: callers must copy it before they write to it. It has neither controls nor a table yet.
    The board must have at most 8 rows and columns: not checked.
    """
    workspace = new(AdjacencyWorkspace, mirror=NO_MIRROR)
    cells = {(row, column) for row in range(game.rows) for column in range(game.columns)}
    of_degree = [0] * 5
    for row, column in cells:
        sides = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        beside = [KERNEL_COLUMNS * r + c for r, c in sides if (r, c) in cells]
        workspace.beside[KERNEL_COLUMNS * row + column] = np.uint64(
            sum(1 << each for each in beside)
        )
        of_degree[len(beside)] |= 1 << KERNEL_COLUMNS * row + column
    fill(workspace, cells=sum(of_degree), fours=of_degree[3], fives=of_degree[4])
    if game.rows == game.columns:
        fill(workspace, mirror=(KERNEL_COLUMNS + 1) * (KERNEL_COLUMNS - game.rows))
    left = len(cells) - MARKS_AT_START - 2 * game.rounds
    for plies in range(1, 2 * game.rounds + 1):
        np.asarray(workspace.weights)[plies] = estimate_weights(plies, left)
    return workspace


def estimate_weights(plies: int, left: int) -> list[int]:
    """Return the five weights of an estimate, in 1/SCALE marks, *plies* before the end of the game.

    *left* is the number of cells that stay empty at the end. The first four weights, below 0, are
    what a mark's first, second, third and fourth empty neighbour add: it stays if no move comes
    beside it; if one does, it may belong to either side. The last is the worth of each mark that
    the next move could turn.
    """
    comes = min(1.0, HASTE * plies / (plies + left))
    stays = [(1 - comes) ** neighbours for neighbours in range(5)]
    falls = [after - before for before, after in pairwise(stays)]
    return [round(SCALE * each) for each in (*falls, CHANCE)]
