"""Strong play on boards of any size: the engine's search, run, and what it has proven."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from math import inf, tanh

import numpy as np

from papan.core import Analysis, Guess, Move, OutOfBudget, Proved, Thinking
from papan.core.analysis import root_moves
from papan.engine.control import MOST_NODES, NODES, controls, run
from papan.engine.memory import copy, entries_in, layout, new
from papan.games.tictactoe import kernel_engine as engine
from papan.games.tictactoe.kernel_threats import ONE_SHORT, THREE_SHORT, TWO_SHORT, Workspace, put
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

USUAL_NODES = 3_000_000
"""What it spends without a limit: it could go on for ever."""
ENTRY, MOST_ENTRIES = layout(engine.Entry), 1 << 20
"""An entry of the table, and how many of them are of use."""
STEEP, STEEPEST = 5, 5
"""How many times more a line is worth with one mark more, and for how many of the last marks."""
SURE_PLIES = 5
"""No other way to win is quicker than a chain of threats that takes no more than this."""


class Engine:
    """One thought: the workspace for the kernel, the table, and what has been found."""

    def __init__(self, position: TicTacToePosition, thinking: Thinking, memory: int) -> None:
        self.position, self.thinking = position, thinking
        self.workspace = copy(blank_workspace(position.game))
        self.words = controls(thinking.limit.nodes)
        if thinking.limit.nodes == thinking.limit.seconds == inf:
            self.words[MOST_NODES] = thinking.nodes + USUAL_NODES
        self.words[NODES] = thinking.nodes
        entries = min(entries_in(memory, ENTRY.itemsize), MOST_ENTRIES)
        self.transpositions = np.zeros(entries, ENTRY)
        self.workspace.transpositions = np.uint64(self.transpositions.ctypes.data)
        self.workspace.mask = np.uint64(entries - 1)
        self.workspace.controls = np.uint64(self.words.ctypes.data)
        for seat, marks in enumerate(position.marks):
            for cell, bit in enumerate(position.game.bits):
                if marks & bit:
                    put(np.uint64(seat), np.uint64(cell), self.workspace)

    def think(self) -> Analysis:
        """The best move found within the limit, however small that is."""
        try:
            run(
                lambda: engine.deepen(np.uint64(self.position.turn), self.workspace),
                self.words,
                self._look,
            )
            why = "nodes" if self.words[NODES] >= self.words[MOST_NODES] else "done"
        except OutOfBudget as stop:
            why = str(stop)
        self.thinking.nodes = int(self.words[NODES])
        if self.thinking.watched:
            self._emit()
        proof = int(self.workspace.proof)
        if proof:
            return self._proven(1 if proof == 1 else -1)
        low, high = self.bounds()
        if low == high:
            return self._drawn()
        move = int(self.workspace.best)
        analysis = Analysis((move,), self._estimate(), Proved(low, high), why=why)
        return replace(analysis, values={move: Guess(analysis.value or 0)})

    def bounds(self) -> tuple[int, int]:
        """What the weight of the lines alone proves about the value (Erdős-Selfridge)."""
        turn, full = self.position.turn, 1 << self.position.game.connect
        return -int(self._weight(1 - turn) >= full), int(2 * self._weight(turn) >= full)

    def _weight(self, seat: int) -> int:
        """What all lines open to a seat weigh."""
        opened: list[list[int]] = np.asarray(self.workspace.open).tolist()
        return sum(lines << marks for marks, lines in enumerate(opened[seat]))

    def _proven(self, value: int) -> Analysis:
        """A win or a loss; how long it takes is only known for a short chain."""
        marks, end = self._marks(), int(self.workspace.end)
        line = tuple(np.asarray(self.workspace.line)[marks:end].tolist())
        line = line or (int(self.workspace.best),)
        plies = end - marks if end else None
        distance = plies if plies and plies <= SURE_PLIES else None
        facts = {"within": plies} if plies else {}
        values = {line[0]: Proved.exactly(value, line=line[1:])}
        proved = Proved.exactly(value)
        return Analysis(line, None, proved, values, distance, facts=facts, why="exact")

    def _drawn(self) -> Analysis:
        """A draw: neither side can fill a line against good play."""
        moves = holding_moves(self.position)
        best = int(self.workspace.best)
        move = best if best in moves else moves[0]
        values = {each: Proved.exactly(0) for each in (move, *moves)}
        plies = len(self.position.moves())
        return Analysis((move,), None, Proved.exactly(0), values, plies, why="exact")

    def _estimate(self) -> float:
        """The score of the search as a margin."""
        if not self.workspace.depth:
            return 0.0
        score = int(self.workspace.score)
        almost = STEEP ** min(self.position.game.connect - 1, STEEPEST)
        return 0.99 * tanh(score / (8 * almost))

    def _marks(self) -> int:
        return sum(marks.bit_count() for marks in self.position.marks)

    def _look(self, nodes: int) -> None:
        """Keep count, keep to the limit, and tell how far it has come."""
        self.thinking.nodes = nodes
        self.thinking.check()
        if self.thinking.time_to_emit():
            self._emit()

    def _emit(self) -> None:
        game, best = self.position.game, int(self.workspace.best)
        values = {best: Guess(self._estimate())}
        self.thinking.emit_root(
            int(self.workspace.depth), game.move_name(best), root_moves(game, values)
        )


def holding_moves(position: TicTacToePosition) -> list[Move]:
    """Moves that surely hold the draw where the rival's lines weigh less than a full one.

    The first takes the heaviest cell; others do if no answer could bring the weight to a full line.
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
def blank_workspace(game: TicTacToe) -> Workspace:
    """The workspace for an empty board."""
    workspace, rng = new(Workspace), random.Random(game.spec)
    workspace.cells, workspace.connect = np.uint64(game.grid.size), np.uint64(game.connect)
    workspace.score = np.int64(-engine.WIN)
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
