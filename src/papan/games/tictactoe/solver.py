"""The solver of Tic Tac Toe: exact values where possible, else the strongest play.

First the agent, then the exact search where at most 64 cells matter, and the engine for boards of
any size.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import inf, tanh
from typing import NamedTuple

import numpy as np

from papan.core import Analysis, Game, Guess, Move, OutOfBudget, Position, Proved, Thinking
from papan.engine.control import MOST_NODES, NODES, controls, run
from papan.engine.memory import address_of, copy, entries_in, fill, new
from papan.engine.solver import NativeSolver, Solution
from papan.engine.transpositions import Table
from papan.games.tictactoe import kernel, kernel_engine
from papan.games.tictactoe.kernel import (
    BOTTOM,
    EXACT_BUCKET,
    FIRST_BUCKETS,
    KEY_BITS,
    ExactWorkspace,
)
from papan.games.tictactoe.kernel_engine import (
    ONE_SHORT,
    THREE_SHORT,
    TWO_SHORT,
    EngineWorkspace,
    put_mark,
)
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

MOST_EXACT_CELLS = 64
"""Cells that the exact search takes at most: a bit for each in a word."""
FEW_EMPTY = 20
"""With at most this many empty cells a larger board is solved quickly, if no more than 64 cells
matter.
"""
EXACT_SHARE = 0.75
"""Part of the limit for the exact search; the rest finds a good move if that fails."""
ENTRY_BYTES = 16
"""Bytes of an entry of the tables."""


@dataclass
class TicTacToeSolver(NativeSolver):
    """An agent that solves boards of at most 64 cells.

    On larger ones it proves what it can and plays well. Without a limit it goes on until the
    position is solved. Its settings are those of `NativeSolver`, but it uses one thread, whatever
    *threads* is: most positions take milliseconds.
    """

    def plays(self, game: Game) -> bool:
        return isinstance(game, TicTacToe)

    def variant(self, position: Position) -> tuple[object, ...]:
        assert isinstance(position, TicTacToePosition)
        return (position.game.grid.size > MOST_EXACT_CELLS,)

    def solution(self, position: Position, thinking: Thinking) -> Solution:
        assert isinstance(position, TicTacToePosition)
        return EngineSolution(position, thinking, self.memory)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Return the analysis of the exact search, of the engine, or of both together.

        The exact search takes at most 64 cells that matter (see `exact_board`). If they are the
        whole board, or at most FEW_EMPTY cells are empty, it comes first. If it is stopped before
        it knows the exact score and a best move, the engine follows, and its analysis gets the
        bounds proved (`with_bounds`). In all other positions the engine comes first. If it neither
        knows the exact value nor has spent the limit, the exact search follows or, where too many
        cells matter, the search that all games share: the analysis of the second search is returned
        if its value is exact and it knows a move that reaches it, else that of the engine with the
        bounds of both. The position must not be over.
        """
        assert isinstance(position, TicTacToePosition)
        board, few = exact_board(position), len(position.moves()) <= FEW_EMPTY
        if board and (few or board.whole):
            proof = self._exact(position, thinking)
            return proof if proof.values else with_bounds(super().decide(position, thinking), proof)
        play = super().decide(position, thinking)
        spent = thinking.nodes >= thinking.limit.nodes or play.why in ("time", "cancelled")
        if play.exact or spent:
            return play
        rest = thinking.share(1)
        every_move = NativeSolver(self.memory, all_moves=self.all_moves)
        proof = self._exact(position, rest) if board else every_move.decide(position, rest)
        thinking.nodes += rest.nodes
        return proof if proof.exact and proof.values else with_bounds(play, proof)

    def _exact(self, position: TicTacToePosition, thinking: Thinking) -> Analysis:
        """Return the analysis of the exact search with `EXACT_SHARE` of the limit.

        Its `values` are empty if the search was stopped before it knew the exact score and a best
        move; else a "root" event is emitted. With `reuse` the table is that of the last position
        where the same cells mattered, and is kept for the next one. Raise AssertionError if too
        many cells matter: `exact_board` is None.
        """
        before = self.kept if isinstance(self.kept, ExactSolution) else None
        exact, why = ExactSolution(position, thinking, self.memory, before), "exact"
        self.kept = exact if self.reuse else None
        exact.all_moves = self.all_moves
        try:
            exact.work()
        except OutOfBudget as stop:
            why = str(stop)
        analysis = exact.analysis(why)
        if exact.values:
            exact.emit()
        return analysis


def with_bounds(play: Analysis, proof: Analysis) -> Analysis:
    """Return the engine's analysis *play* with the bounds that another search has proved.

    *proof* is the analysis of that search, for the same position. *play* is returned as it is if
    it is exact. Else the result has the `why` of *proof*, and the narrowest bounds that both prove
    together; but if those would be equal, the bounds of *proof* alone, as it is not known whether
    the engine's move reaches that value. If *proof* alone is exact, so is the result: its move is
    still the engine's, and may not reach the value.
    """
    if play.exact:
        return play
    low, high = max(play.proved.low, proof.proved.low), min(play.proved.high, proof.proved.high)
    return replace(play, proved=Proved(low, high) if low < high else proof.proved, why=proof.why)


class ExactBoard(NamedTuple):
    """The cells that matter in a position, and the lines on them that can be filled.

    All of them on boards of at most 64 cells.
    """

    game: TicTacToe
    """The rules."""
    cells: int
    """The cells that matter, as a bitboard of the game."""
    lines: tuple[int, ...]
    """The lines on them that can be filled, each as a bitboard of the game."""

    @property
    def whole(self) -> bool:
        """True if these are all cells of the board."""
        return self.cells.bit_count() == self.game.grid.size


def exact_board(position: TicTacToePosition) -> ExactBoard | None:
    """Return the cells and lines that the exact search works on; None if they are too many for it.

    On boards of up to 64 cells these are all, never None. On larger ones the lines are those
    without marks of both seats, and the cells are the empty ones and those of these lines; None if
    they are more than 64 cells or more than `kernel.MOST_LINES` (192) lines.
    """
    game, (first, second) = position.game, position.marks
    everything = sum(game.bits)
    if game.grid.size <= MOST_EXACT_CELLS:
        return ExactBoard(game, everything, game.lines)
    lines = tuple(line for line in game.lines if not (line & first and line & second))
    cells = everything & ~(first | second)
    for line in lines:
        cells |= line
    fits = cells.bit_count() <= MOST_EXACT_CELLS and len(lines) <= kernel.MOST_LINES
    return ExactBoard(game, cells, lines) if fits else None


class ExactSolution(Solution):
    """The solution of one position by the exact search: workspace, table, and results.

    The search takes at most `EXACT_SHARE` of the limit. Set `all_moves` before `work` to have the
    value of every move proved.
    """

    position: TicTacToePosition

    def __init__(
        self,
        position: TicTacToePosition,
        thinking: Thinking,
        memory: int,
        before: ExactSolution | None = None,
    ) -> None:
        """Prepare a search with a table of at most *memory* megabytes.

        If `before.board` equals the `exact_board` of *position*, the table of *before* is used
        instead, as large as it is, with all that it holds; *before* must not work any more. Raise
        AssertionError if too many cells matter: `exact_board` is None.
        """
        super().__init__(position, thinking)
        board = exact_board(position)
        assert board is not None, f"{position} has too many cells that matter"
        self.board = board
        before = before if before and before.board == board else None
        blank, self.bits = exact_workspace(board)
        self.workspace, self.words, self.all_moves = copy(blank), controls(), False
        buckets = entries_in(memory, 2 * ENTRY_BYTES)
        self.table: Table = before.table if before else Table(EXACT_BUCKET, buckets)
        fresh = self.table.fields(KEY_BITS, FIRST_BUCKETS, grow_at=FIRST_BUCKETS)
        known = before.workspace.transpositions if before else fresh
        fill(self.workspace, controls=address_of(self.words), transpositions=known)
        self.empty = len(position.moves())
        root = self.workspace.root
        root.low, root.high = np.int64(1 - self.empty), np.int64(self.empty)
        if thinking.limit.nodes < inf:
            self.words[MOST_NODES] = max(1, int(thinking.limit.nodes * EXACT_SHARE))

    def work(self) -> None:
        """Search until the value, a line of best play and all equally good moves are known.

        With `all_moves` until the result after each move is known. `thinking.nodes` is set to the
        nodes searched. Raise OutOfBudget when `EXACT_SHARE` of the limit is spent, or the caller
        has cancelled: what was found until then stays in the workspace, where `update` reads it.
        """
        own, rival = self.marks()
        self._write_images((int(own), int(rival)))
        everything = np.uint64(self.all_moves)
        try:
            done = run(
                lambda: kernel.solve_exactly(own, rival, everything, self.workspace),
                self.words,
                self.look,
            )
        finally:
            self.thinking.nodes = int(self.words[NODES])
        if not done:
            raise OutOfBudget("nodes")

    def look(self, nodes: int) -> None:
        """Do what `Solution.look` does: note *nodes*, the kernel's count so far, and emit events.

        Raise OutOfBudget once `EXACT_SHARE` of the seconds is spent, before anything is noted, or
        as `Solution.look` does.
        """
        if self.thinking.seconds > self.thinking.limit.seconds * EXACT_SHARE:
            raise OutOfBudget("time")
        super().look(nodes)

    def choice(self) -> Move:
        return self.line[0] if self.line else min(self.position.moves(), key=self.bits.__getitem__)

    def bounds(self) -> tuple[int, int]:
        low, high = self._root()
        return _sign(low), _sign(high)

    def update(self) -> None:
        low, high = self._root()
        self.depth = self.empty - max(-low, high, 0)
        found = np.asarray(self.workspace.line)[: int(self.workspace.line_length)].tolist()
        self.line = tuple(map(self.bits.index, found))
        if self.line and low == high:
            self.values, self.distance = dict(self._values(self.line)), self._distance(low)
            name, scores = self.position.game.move_name, self._move_scores()
            distances = {name(move): self._distance(score) for move, score in scores}
            table = self.table.size(self.workspace.transpositions)
            self.facts = {"distances": distances, "table": table}

    def marks(self) -> list[np.uint64]:
        """Return the marks of the seat to move and of its rival, each as a bitboard of the kernel.

        Bit `bits[cell]` stands for a cell. Marks on cells that do not matter are left out.
        """
        position, words = self.position, []
        for seat in (position.turn, 1 - position.turn):
            marks = position.marks[seat] & self.board.cells
            cells = zip(position.game.bits, self.bits)
            places = (1 << place for bit, place in cells if marks & bit)
            words.append(np.uint64(sum(places)))
        return words

    def _move_scores(self) -> Iterator[tuple[Move, int]]:
        """Yield (move, rival's score after it) for each move of which the score is exactly known.

        A score is empty cells after a win + 1, negative for a loss, 0 for a draw. Yield nothing
        without `all_moves`; with it, still only some moves, as the search asks for results and not
        for distances.
        """
        after = self._after_moves()
        for move in self.position.moves() if self.all_moves else ():
            low, high = after[self.bits[move]]
            if low == high != -BOTTOM:
                yield move, low

    def _distance(self, score: int) -> int:
        """Return the plies from this position to the end of the game if it ends with *score*.

        The score may be that of either seat, here or after some moves. The result is
        empty - abs(score) + 1, where empty is the number of empty cells of this position; for a
        draw (*score* 0) it is empty.
        """
        return self.empty - abs(score) + 1 if score else self.empty

    def _root(self) -> tuple[int, int]:
        """Return the bounds (low, high) of the position's score, for the seat to move.

        A score is empty cells after a win + 1, negative for a loss, 0 for a draw.
        """
        return int(self.workspace.root.low), int(self.workspace.root.high)

    def _after_moves(self) -> list[tuple[int, int]]:
        """Return the bounds (low, high) of the rival's score after each move: a list of 64 pairs.

        The pair of a move has the index `bits[move]`. It is (-BOTTOM, -BOTTOM) if the search has
        not come to the move. After a winning score, without `all_moves`, high may be too low, even
        below low: see `kernel.compare_moves`.
        """
        bounds: list[tuple[int, int]] = np.asarray(self.workspace.moves).tolist()
        return bounds

    def _values(self, line: Sequence[Move]) -> Iterator[tuple[Move, Proved]]:
        """Yield (move, value) for the first move of *line* and each other move with a known result.

        *line* is the line of best play, not empty; the exact score must be known. Values are
        results for the seat to move: exactly 1, 0 or -1; but at most 0, with a lower bound of minus
        infinity, for a move that is only known not to win. The first move of *line* is yielded
        first, and its value has the line after it.
        """
        value, after = _sign(self._root()[0]), self._after_moves()
        yield line[0], Proved.exactly(value, line=tuple(line[1:]))
        for move in self.position.moves():
            low, high = after[self.bits[move]]
            high = max(low, high)  # more than a draw may not have been asked for
            if move == line[0] or low == -BOTTOM or _sign(low) != _sign(high):
                continue  # the first, or one that the search has not reached
            only_no_win = value > 0 and low == 0 and not self.all_moves
            most = -_sign(low)
            yield move, Proved(-inf if only_no_win else most, most)

    def _write_images(self, marks: Sequence[int]) -> None:
        """Write the images of the position with these *marks* to the kernel's frames.

        *marks* are two bitboards of the kernel, of the seat to move and of its rival, as `marks`
        returns them.
        """
        count, cells = sum(word.bit_count() for word in marks), range(self.board.cells.bit_count())
        images = np.asarray(self.workspace.images)[: int(self.workspace.image_count)].tolist()
        np.asarray(self.workspace.frames)[count, : len(images)] = [
            tuple(sum(1 << image[cell] for cell in cells if word >> cell & 1) for word in marks)
            for image in images
        ]


@lru_cache(maxsize=64)
def exact_workspace(board: ExactBoard) -> tuple[ExactWorkspace, tuple[int, ...]]:
    """Return the workspace of an empty board, and for each cell of the game the number of its bit.

    The more lines of *board* run through a cell, the lower is its bit; a cell that does not matter
    has -1. *board* must come from `exact_board`: not checked. The result is cached and must not be
    changed: callers copy the workspace. Its `controls`, `transpositions`, `root` and `frames` are
    zero: callers set them.
    """
    game = board.game
    cells = [cell for cell, bit in enumerate(game.bits) if bit & board.cells]
    lines = [[cell for cell in cells if game.bits[cell] & line] for line in board.lines]
    crowd = {cell: sum(cell in line for line in lines) for cell in cells}
    order = sorted(cells, key=lambda cell: -crowd[cell])
    bits = tuple(order.index(cell) if cell in crowd else -1 for cell in range(game.grid.size))
    images = game.grid.images if board.whole else [range(game.grid.size)]
    workspace = new(ExactWorkspace)
    workspace.lines.cells = np.uint64(2 ** len(cells) - 1)
    workspace.lines.connect = np.uint64(game.connect)
    workspace.lines.count, workspace.image_count = np.uint64(len(lines)), np.uint64(len(images))
    for number, line in enumerate(lines):
        workspace.lines.each[number] = np.uint64(sum(1 << bits[cell] for cell in line))
    for number, image in enumerate(images):
        for cell in cells:
            workspace.images[number, bits[cell]] = np.uint64(bits[image[cell]])
    np.asarray(workspace.moves)[:] = -BOTTOM, -BOTTOM  # the search has not reached them
    return workspace, bits


USUAL_ENGINE_NODES = 3_000_000
"""Nodes that the engine spends without a limit, before every move is searched."""
MOST_ENGINE_ENTRIES = 1 << 20
"""Entries of the engine's table at most."""
STEEP, STEEPEST = 5, 5
"""Factor on a line's worth with each further mark, and for how many of the last marks."""
SURE_PLIES = 5
"""No other way to win is quicker than a sequence of threats with at most this many plies."""


class EngineSolution(Solution):
    """The solution of one position by the engine: its workspace, its table, and its results.

    The table has at most *memory* megabytes and `MOST_ENGINE_ENTRIES` entries. With neither a limit
    of seconds nor of nodes it takes `USUAL_ENGINE_NODES`. Its proofs are by threats and weights of
    lines; where they prove nothing, the value is a guess.
    """

    position: TicTacToePosition

    def __init__(self, position: TicTacToePosition, thinking: Thinking, memory: int) -> None:
        super().__init__(position, thinking)
        self.workspace = copy(engine_workspace(position.game))
        self.words = controls(thinking.limit.nodes)
        if thinking.limit.nodes == thinking.limit.seconds == inf:
            self.words[MOST_NODES] = thinking.nodes + USUAL_ENGINE_NODES
        self.words[NODES] = thinking.nodes
        entries = min(entries_in(memory, ENTRY_BYTES), MOST_ENGINE_ENTRIES)
        self.table = Table(kernel_engine.ENGINE_BUCKET, entries)
        known = self.table.fields(entries.bit_length() - 1, entries)
        fill(self.workspace, controls=address_of(self.words), transpositions=known)
        for seat, marks in enumerate(position.marks):
            for cell, bit in enumerate(position.game.bits):
                if marks & bit:
                    put_mark(np.uint64(seat), np.uint64(cell), self.workspace)
        self.weighed = self._weighed()  # now: a search puts and lifts marks

    def work(self) -> None:
        """Find the best move within the limit, however small; always end with OutOfBudget.

        `thinking.nodes` is set, and a "root" event emitted, before that is raised: with the text
        "nodes" if they are spent, "time" or "cancelled" as `look` does, else "done".
        """
        turn = np.uint64(self.position.turn)
        try:
            run(lambda: kernel_engine.search_deeper(turn, self.workspace), self.words, self.look)
        finally:
            self.thinking.nodes = int(self.words[NODES])
            self.emit()
        raise OutOfBudget("nodes" if self.words[NODES] >= self.words[MOST_NODES] else "done")

    def choice(self) -> Move:
        return self.line[0] if self.line else int(self.workspace.best)

    def bounds(self) -> tuple[int, int]:
        """Return the (low, high) of the result, -1 to 1, that threats or line weights prove.

        It is for the seat to move; (-1, 1) if nothing is proved.
        """
        if self.workspace.proof:
            value = 1 if self.workspace.proof == 1 else -1
            return value, value
        return self.weighed

    def update(self) -> None:
        low, high = self.bounds()
        best, self.depth = int(self.workspace.best), int(self.workspace.depth)
        if low < high:
            self.line, self.guess = (best,), self._estimate()
            self.values = {best: Guess(self.guess)}
        elif low:
            self._record_threats(low)
        else:  # neither side can fill a line against good play
            moves = holding_moves(self.position)
            self.line = (best if best in moves else moves[0],)
            self.values = {each: Proved.exactly(0) for each in (*self.line, *moves)}
            self.guess, self.distance = None, len(self.position.moves())

    def _record_threats(self, value: int) -> None:
        """Record a proved win or loss: set `line`, `values`, `guess` and perhaps `distance`.

        *value* is the result for the seat to move, 1 or -1. `line` becomes the winning sequence of
        threats or, where the proof has none, the engine's best move alone. `values` gets one item:
        the first move of `line`, with *value*. `guess` becomes None. If there is a sequence,
        `facts` becomes {"within": its plies}, and `distance` these plies, or None if they are more
        than `SURE_PLIES`: there may be a quicker win. Else `facts` and `distance` stay as they are.
        """
        marks, end = self._marks(), int(self.workspace.end)
        line = tuple(np.asarray(self.workspace.line)[marks:end].tolist())
        self.line, self.guess = line or (int(self.workspace.best),), None
        if end:
            plies = end - marks
            self.distance = plies if plies <= SURE_PLIES else None
            self.facts = {"within": plies}
        self.values = {self.line[0]: Proved.exactly(value, line=self.line[1:])}

    def _weighed(self) -> tuple[int, int]:
        """Return the (low, high) of the result, -1 to 1, that the weights of open lines prove.

        It is for the seat to move; -1 and 1 are the bounds where nothing is proved. A line that is
        open to a side weighs 2**marks, a full one 2**connect. A side cannot win with its rival to
        move if its open lines weigh less than a full one, nor when it is to move itself if they
        weigh less than half of that. This is the criterion of Erdős and Selfridge. The workspace
        must hold the marks of the position: not checked.
        """
        turn, full = self.position.turn, 1 << self.position.game.connect
        opened: list[list[int]] = np.asarray(self.workspace.open).tolist()
        weights = [sum(lines << marks for marks, lines in enumerate(each)) for each in opened]
        return -int(weights[1 - turn] >= full), int(2 * weights[turn] >= full)

    def _estimate(self) -> float:
        """Return the score of the search as a margin for the seat to move, from -0.99 to 0.99.

        0.0 before the first round of the search is finished.
        """
        if not self.workspace.depth:
            return 0.0
        score = int(self.workspace.score)
        almost = STEEP ** min(self.position.game.connect - 1, STEEPEST)
        return 0.99 * tanh(score / (8 * almost))

    def _marks(self) -> int:
        """Return the number of marks on the board."""
        return sum(marks.bit_count() for marks in self.position.marks)


def holding_moves(position: TicTacToePosition) -> list[Move]:
    """Return moves that surely keep the rival of the seat to move from filling a line.

    A line without marks of the seat to move weighs 2**marks, a cell as much as these lines through
    it. All of these lines together must weigh less than a full one, 2**connect: not checked. The
    first move takes the heaviest cell. The others, in ascending order, are those after which the
    lines left weigh less than half a full one, so that no answer brings them to a full one. Raise
    ValueError if there is no legal move.
    """
    own, rival = position.sides
    weights = dict.fromkeys(position.moves(), 0)
    total = 0
    for line in position.game.lines:
        if not line & own:
            weight = 1 << (line & rival).bit_count()
            total += weight
            for move in weights:
                if position.game.bits[move] & line:
                    weights[move] += weight
    heaviest = max(weights, key=weights.__getitem__)
    full = 1 << position.game.connect
    others = (move for move in weights if 2 * (total - weights[move]) < full)
    return [heaviest, *(move for move in others if move != heaviest)]


@cache
def engine_workspace(game: TicTacToe) -> EngineWorkspace:
    """Return the engine's workspace for an empty board, cached by game: callers must copy it.

    Its `controls` and `transpositions` are zero: callers set them. The noise for hash keys is drawn
    from the game's spec, so that it is always the same.
    """
    workspace, rng = new(EngineWorkspace), random.Random(game.spec)
    workspace.cells, workspace.connect = np.uint64(game.grid.size), np.uint64(game.connect)
    workspace.score = np.int64(-kernel_engine.ENGINE_WIN)
    gain, noise, weights = map(np.asarray, (workspace.gain, workspace.noise, workspace.weights))
    start, step, central = map(np.asarray, (workspace.start, workspace.step, workspace.central))
    through, count = np.asarray(workspace.through), np.asarray(workspace.through_count)
    for marks in range(game.connect):
        gain[marks] = STEEP ** max(0, marks - max(0, game.connect - 1 - STEEPEST))
    for missing, shift in enumerate((ONE_SHORT, TWO_SHORT, THREE_SHORT), 1):
        gain[game.connect - missing] += np.uint64(1) << shift
    noise[:] = np.reshape([np.uint64(rng.getrandbits(64)) for _ in range(noise.size)], noise.shape)
    for cell in range(game.grid.size):
        row, column = divmod(cell, game.columns)
        aside = max(abs(2 * row + 1 - game.rows), abs(2 * column + 1 - game.columns)) // 2
        central[cell] = 15 - aside
    for number, line in enumerate(game.lines):
        cells = [cell for cell, bit in enumerate(game.bits) if bit & line]
        start[number], step[number] = cells[0], cells[1] - cells[0]
        for cell in cells:
            through[cell, int(count[cell])] = number
            count[cell] += np.uint64(1)
            weights[:, cell] += gain[0]
    np.asarray(workspace.open)[:, 0] = len(game.lines)
    return workspace


def _sign(number: int) -> int:
    """Return the result that a score stands for: 1 if it is positive, 0 for 0, -1 if negative."""
    return (number > 0) - (number < 0)
