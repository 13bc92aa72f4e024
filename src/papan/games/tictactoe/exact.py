"""The exact truth about a Tic Tac Toe position on at most 64 cells: the kernel's search, run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.core import Analysis, Move, OutOfBudget, Proved, Thinking
from papan.core.analysis import root_moves
from papan.engine.control import MOST_NODES, NODES, controls, run
from papan.engine.memory import copy, entries_in, layout, new
from papan.games.tictactoe import kernel
from papan.games.tictactoe.kernel import BOTTOM, FIRST_BUCKETS, Entry, Workspace
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

ENTRY = layout(Entry)
BUCKET_BYTES = 2 * ENTRY.itemsize


class Exact:
    """One solution: the workspace for the kernel, the table, and what has been found."""

    def __init__(
        self,
        position: TicTacToePosition,
        thinking: Thinking,
        memory: int,
        before: Exact | None = None,
    ) -> None:
        """*before* is another solution of the same game, whose table is used."""
        self.position, self.thinking = position, thinking
        blank, self.bits = blank_workspace(position.game)
        self.workspace, self.words = copy(blank), controls()
        buckets = entries_in(memory, BUCKET_BYTES)
        self.transpositions: NDArray[Any] = (
            before.transpositions if before else np.zeros(2 * buckets, ENTRY)
        )
        """Not touched before it is used."""
        self.workspace.transpositions = np.uint64(self.transpositions.ctypes.data)
        self.workspace.controls = np.uint64(self.words.ctypes.data)
        self.workspace.most_mask = np.uint64(buckets - 1)
        first = np.uint64(min(buckets, FIRST_BUCKETS) - 1)
        self.workspace.mask = before.workspace.mask if before else first
        self.empty = len(position.moves())
        root = self.workspace.root
        root.low, root.high = np.int64(1 - self.empty), np.int64(self.empty)
        self.all_moves, self.deadline, self.why = False, inf, "exact"

    def solve(self, all_moves: bool, share: float) -> Analysis | None:
        """What is proven when all is known, or when this *share* of the limit is spent; None where
        that is not enough for a best move.
        """
        limit = self.thinking.limit
        self.all_moves, self.deadline = all_moves, limit.seconds * share
        if limit.nodes < inf:
            self.words[MOST_NODES] = max(1, int(limit.nodes * share))
        own, rival = self.marks()
        self._write_images((int(own), int(rival)))
        try:
            everything = np.uint64(all_moves)
            done = run(
                lambda: kernel.solve(own, rival, everything, self.workspace), self.words, self._look
            )
            self.why = "exact" if done else "nodes"
        except OutOfBudget as stop:
            self.why = str(stop)
        self.thinking.nodes = int(self.words[NODES])
        return self._analysis()

    def bounds(self) -> tuple[int, int]:
        """The bounds proven for the value."""
        low, high = self._root()
        return _sign(low), _sign(high)

    def marks(self) -> list[np.uint64]:
        """The marks of the side to move and of its rival, in the kernel's order."""
        position, words = self.position, []
        for seat in (position.turn, 1 - position.turn):
            cells = zip(position.game.bits, self.bits)
            places = (1 << place for bit, place in cells if position.marks[seat] & bit)
            words.append(np.uint64(sum(places)))
        return words

    def _analysis(self) -> Analysis | None:
        low, high = self._root()
        line = tuple(self._line())
        if low < high or not line:
            return None
        distance = self._distance(low)
        values = dict(self._values(line))
        self._emit(line[0], values)
        proved = Proved.exactly(_sign(low))
        return Analysis(line, None, proved, values, distance, facts=self._facts(), why=self.why)

    def _facts(self) -> dict[str, object]:
        """The plies to the end after each move where they are known, and the size of the table."""
        name, scores = self.position.game.move_name, dict(self._move_scores())
        distances = {name(move): self._distance(score) for move, score in scores.items()}
        transpositions = BUCKET_BYTES * (int(self.workspace.mask) + 1)
        return {"distances": distances, "table": transpositions}

    def _move_scores(self) -> Iterator[tuple[Move, int]]:
        """The scores after moves that are known to the last ply."""
        after = self._after_moves()
        for move in self.position.moves() if self.all_moves else ():
            low, high = after[self.bits[move]]
            if low == high != -BOTTOM:
                yield move, low

    def _distance(self, score: int) -> int:
        """How many plies the game lasts: a score counts the cells left then."""
        return self.empty - abs(score) + 1 if score else self.empty

    def _look(self, nodes: int) -> None:
        """Keep count, keep to the limit, and tell how far it has come."""
        self.thinking.nodes = nodes
        self.thinking.check()
        if self.thinking.seconds > self.deadline:
            raise OutOfBudget("time")
        if self.thinking.time_to_emit():
            self._emit(min(self.position.moves(), key=self.bits.__getitem__), {})

    def _emit(self, best: Move, values: dict[Move, Proved]) -> None:
        low, high = self._root()
        game = self.position.game
        self.thinking.emit_root(
            self.empty - max(-low, high, 0),
            game.move_name(best),
            root_moves(game, values),
            bounds=list(self.bounds()),
        )

    def _root(self) -> tuple[int, int]:
        """The bounds of the position's score."""
        return int(self.workspace.root.low), int(self.workspace.root.high)

    def _after_moves(self) -> list[tuple[int, int]]:
        """The bounds of the rival's score after each move, by the move's bit."""
        bounds: list[tuple[int, int]] = np.asarray(self.workspace.moves).tolist()
        return bounds

    def _line(self) -> Iterator[Move]:
        """The play found so far."""
        for bit in np.asarray(self.workspace.line)[: int(self.workspace.line_length)]:
            yield self.bits.index(int(bit))

    def _values(self, line: Sequence[Move]) -> Iterator[tuple[Move, Proved]]:
        """What each move is worth, where that is known."""
        value, after = _sign(self._root()[0]), self._after_moves()
        yield line[0], Proved.exactly(value, line=tuple(line[1:]))
        for move in self.position.moves():
            low, high = after[self.bits[move]]
            if move == line[0] or low == -BOTTOM or _sign(low) != _sign(high):
                continue  # the first, or one that the search has not reached
            only_no_win = value > 0 and low >= 0 and not self.all_moves
            most = -_sign(low)
            yield move, Proved(-inf if only_no_win else most, most)

    def _write_images(self, marks: Sequence[int]) -> None:
        count, cells = sum(word.bit_count() for word in marks), range(self.position.game.grid.size)
        images = np.asarray(self.workspace.images)[: int(self.workspace.image_count)].tolist()
        np.asarray(self.workspace.frames)[count, : len(images)] = [
            tuple(sum(1 << image[cell] for cell in cells if word >> cell & 1) for word in marks)
            for image in images
        ]


@cache
def blank_workspace(game: TicTacToe) -> tuple[Workspace, tuple[int, ...]]:
    """The workspace of an empty board, and the bit of each cell: those on most lines come first."""
    lines = [[cell for cell, bit in enumerate(game.bits) if bit & line] for line in game.lines]
    crowd = [sum(cell in line for line in lines) for cell in range(game.grid.size)]
    order = sorted(range(game.grid.size), key=lambda cell: -crowd[cell])
    bits = tuple(order.index(cell) for cell in range(game.grid.size))
    images = game.grid.images
    workspace = new(Workspace)
    workspace.lines.cells = np.uint64(2**game.grid.size - 1)
    workspace.lines.connect = np.uint64(game.connect)
    workspace.lines.count, workspace.image_count = np.uint64(len(lines)), np.uint64(len(images))
    for number, line in enumerate(lines):
        workspace.lines.each[number] = np.uint64(sum(1 << bits[cell] for cell in line))
    for number, image in enumerate(images):
        for cell, place in enumerate(image):
            workspace.images[number, bits[cell]] = np.uint64(bits[place])
    np.asarray(workspace.moves)[:] = -BOTTOM, -BOTTOM  # the search has not reached them
    return workspace, bits


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
