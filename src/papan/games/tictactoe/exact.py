"""The exact truth about a Tic Tac Toe position on at most 64 cells: the kernel's search, run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import inf

import numpy as np

from papan.core import Analysis, Move, OutOfBudget, Proved, Thinking
from papan.core.thinking import root_moves
from papan.engine.control import MOST_NODES, NODES, Words, controls, run
from papan.games.tictactoe import kernel
from papan.games.tictactoe import kernel_bounds as bounds
from papan.games.tictactoe.kernel_transpositions import BOTTOM, BUCKET, FIRST_BUCKETS
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

ROOT, BUCKET_WORDS = int(kernel.ROOT), int(BUCKET)


class Exact:
    """One solution: the workspace for the kernel, the table, and what has been found."""

    def __init__(self, position: TicTacToePosition, thinking: Thinking, memory: int) -> None:
        self.position, self.thinking = position, thinking
        blank, self.bits = blank_workspace(position.game)
        self.workspace, self.words = blank.copy(), controls()
        buckets = 1 << (memory * 2**20 // (8 * BUCKET_WORDS)).bit_length() - 1
        self.transpositions = np.zeros(
            buckets * BUCKET_WORDS, dtype=np.uint64
        )  # not touched before it is used
        self.workspace[bounds.TRANSPOSITIONS] = self.transpositions.ctypes.data
        self.workspace[bounds.SHARED] = self.words.ctypes.data
        self.workspace[bounds.MOST_MASK] = buckets - 1
        self.workspace[bounds.MASK] = min(buckets, FIRST_BUCKETS) - 1
        self.empty = len(position.moves())
        self.workspace[ROOT : ROOT + 2] = 1 - self.empty + BOTTOM, self.empty + BOTTOM
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
            done = run(
                lambda: kernel.solve(own, rival, all_moves, self.workspace), self.words, self._look
            )
            self.why = "exact" if done else "nodes"
        except OutOfBudget as stop:
            self.why = str(stop)
        self.thinking.nodes = int(self.words[NODES])
        return self._analysis()

    def bounds(self) -> tuple[int, int]:
        """The bounds proven for the value."""
        low, high = self._score(0)
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
        low, high = self._score(0)
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
        transpositions = 8 * BUCKET_WORDS * (int(self.workspace[bounds.MASK]) + 1)
        return {"distances": distances, "table": transpositions}

    def _move_scores(self) -> Iterator[tuple[Move, int]]:
        """The scores after moves that are known to the last ply."""
        for move in self.position.moves() if self.all_moves else ():
            low, high = self._score(1 + self.bits[move])
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
        low, high = self._score(0)
        game = self.position.game
        self.thinking.emit_root(
            self.empty - max(-low, high, 0),
            game.move_name(best),
            root_moves(game, values),
            bounds=list(self.bounds()),
        )

    def _score(self, place: int) -> tuple[int, int]:
        """Bounds of a score on the workspace: 0 is the position's, then those after each move."""
        low, high = (int(word) for word in self.workspace[ROOT + 2 * place :][:2])
        return low - BOTTOM, high - BOTTOM

    def _line(self) -> Iterator[Move]:
        """The play found so far."""
        at, length = int(kernel.LINE), int(self.workspace[kernel.LINE_LENGTH])
        for bit in self.workspace[at : at + length]:
            yield self.bits.index(int(bit))

    def _values(self, line: Sequence[Move]) -> Iterator[tuple[Move, Proved]]:
        """What each move is worth, where that is known."""
        value = _sign(self._score(0)[0])
        yield line[0], Proved.exactly(value, line=tuple(line[1:]))
        for move in self.position.moves():
            low, high = self._score(1 + self.bits[move])
            if move == line[0] or low == -BOTTOM or _sign(low) != _sign(high):
                continue  # the first, or one that the search has not reached
            only_no_win = value > 0 and low >= 0 and not self.all_moves
            most = -_sign(low)
            yield move, Proved(-inf if only_no_win else most, most)

    def _write_images(self, marks: Sequence[int]) -> None:
        count = sum(word.bit_count() for word in marks)
        frame = int(kernel.FRAMES) + int(kernel.FRAME) * count
        for image in range(int(self.workspace[bounds.IMAGE_COUNT])):
            at = int(bounds.IMAGES) + 64 * image
            places = self.workspace[at : at + 64].tolist()
            for side, word in enumerate(marks):
                bits = (1 << place for cell, place in enumerate(places) if word >> cell & 1)
                self.workspace[frame + 2 * image + side] = sum(bits)


@cache
def blank_workspace(game: TicTacToe) -> tuple[Words, tuple[int, ...]]:
    """The workspace of an empty board, and the bit of each cell: those on most lines come first."""
    lines = [[cell for cell, bit in enumerate(game.bits) if bit & line] for line in game.lines]
    crowd = [sum(cell in line for line in lines) for cell in range(game.grid.size)]
    order = sorted(range(game.grid.size), key=lambda cell: -crowd[cell])
    bits = tuple(order.index(cell) for cell in range(game.grid.size))
    images = list(_images(game))
    workspace = np.zeros(int(kernel.WORKSPACE), dtype=np.uint64)
    workspace[bounds.CELLS] = 2**game.grid.size - 1
    workspace[bounds.CONNECT] = game.connect
    workspace[bounds.LINE_COUNT], workspace[bounds.IMAGE_COUNT] = len(lines), len(images)
    for number, line in enumerate(lines):
        workspace[int(bounds.LINES) + number] = sum(1 << bits[cell] for cell in line)
    for number, image in enumerate(images):
        for cell, place in enumerate(image):
            workspace[int(bounds.IMAGES) + 64 * number + bits[cell]] = bits[place]
    return workspace, bits


def _images(game: TicTacToe) -> Iterator[list[int]]:
    """The cell that each cell becomes, for each way to turn or mirror the board onto itself."""
    rows, columns = game.rows, game.columns
    for turned in (False, True) if rows == columns else (False,):
        for row_flip in (False, True):
            for column_flip in (False, True):
                image = []
                for cell in range(game.grid.size):
                    row, column = divmod(cell, columns)
                    row = rows - 1 - row if row_flip else row
                    column = columns - 1 - column if column_flip else column
                    image.append(column * columns + row if turned else row * columns + column)
                yield image


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
