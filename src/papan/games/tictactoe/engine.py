"""Strong play on boards of any size: the engine's search, run, and what it has proven."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from math import inf, tanh

import numpy as np

from papan.core import Analysis, Guess, Move, OutOfBudget, Proved, Thinking
from papan.core.thinking import root_moves
from papan.engine.control import MOST_NODES, NODES, Words, controls, run
from papan.games.tictactoe import kernel_engine as engine
from papan.games.tictactoe import kernel_field as field
from papan.games.tictactoe import kernel_threats as threats
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

USUAL_NODES = 3_000_000
"""What it spends without a limit: it could go on for ever."""
ENTRY, MOST_ENTRIES = 16, 1 << 20
"""Bytes of an entry in the table, and how many of them are of use."""
STEEP, STEEPEST = 5, 5
"""How many times more a line is worth with one mark more, and for how many of the last marks."""
SURE_PLIES = 5
"""No other way to win is quicker than a chain of threats that takes no more than this."""


class Engine:
    """One thought: the workspace for the kernel, the table, and what has been found."""

    def __init__(self, position: TicTacToePosition, thinking: Thinking, memory: int) -> None:
        self.position, self.thinking = position, thinking
        self.workspace, self.words = (
            blank_workspace(position.game).copy(),
            controls(thinking.limit.nodes),
        )
        if thinking.limit.nodes == thinking.limit.seconds == inf:
            self.words[MOST_NODES] = thinking.nodes + USUAL_NODES
        self.words[NODES] = thinking.nodes
        entries = min(1 << (memory * 2**20 // ENTRY).bit_length() - 1, MOST_ENTRIES)
        self.transpositions = np.zeros(2 * entries, dtype=np.uint64)
        self.workspace[field.MASK], self.workspace[field.TRANSPOSITIONS] = (
            entries - 1,
            self.transpositions.ctypes.data,
        )
        self.workspace[field.SHARED] = self.words.ctypes.data
        for seat, marks in enumerate(position.marks):
            cells = [cell for cell, bit in enumerate(position.game.bits) if marks & bit]
            engine.lay(np.uint64(seat), np.array(cells, dtype=np.uint64), self.workspace)

    def think(self) -> Analysis:
        """The best move found within the limit, however small that is."""
        try:
            run(
                lambda: engine.think(np.uint64(self.position.turn), self.workspace),
                self.words,
                self._look,
            )
            why = "nodes" if self.words[NODES] >= self.words[MOST_NODES] else "done"
        except OutOfBudget as stop:
            why = str(stop)
        self.thinking.nodes = int(self.words[NODES])
        if self.thinking.watched:
            self._emit()
        proof = int(self.workspace[engine.PROOF])
        if proof:
            return self._proven(1 if proof == 1 else -1)
        low, high = self.bounds()
        if low == high:
            return self._drawn()
        move = int(self.workspace[engine.BEST])
        analysis = Analysis((move,), self._estimate(), Proved(low, high), why=why)
        return replace(analysis, values={move: Guess(analysis.value or 0)})

    def bounds(self) -> tuple[int, int]:
        """What the weight of the lines alone proves about the value, as in `kernel_bounds.held`."""
        turn, full = self.position.turn, 1 << self.position.game.connect
        return -int(self._weight(1 - turn) >= full), int(2 * self._weight(turn) >= full)

    def _weight(self, seat: int) -> int:
        """What all lines open to a seat weigh."""
        at = int(field.OPEN) + 16 * seat
        return sum(int(lines) << marks for marks, lines in enumerate(self.workspace[at : at + 16]))

    def _proven(self, value: int) -> Analysis:
        """A win or a loss; how long it takes is only known for a short chain."""
        marks, end = self._marks(), int(self.workspace[engine.END])
        at = int(threats.LINE)
        line = tuple(int(cell) for cell in self.workspace[at + marks : at + end]) if end else ()
        line = line or (int(self.workspace[engine.BEST]),)
        plies = end - marks if end else None
        distance = plies if plies and plies <= SURE_PLIES else None
        facts = {"within": plies} if plies else {}
        values = {line[0]: Proved.exactly(value, line=line[1:])}
        proved = Proved.exactly(value)
        return Analysis(line, None, proved, values, distance, facts=facts, why="exact")

    def _drawn(self) -> Analysis:
        """A draw: neither side can fill a line against good play."""
        moves = holding_moves(self.position)
        best = int(self.workspace[engine.BEST])
        move = best if best in moves else moves[0]
        values = {each: Proved.exactly(0) for each in (move, *moves)}
        plies = len(self.position.moves())
        return Analysis((move,), None, Proved.exactly(0), values, plies, why="exact")

    def _estimate(self) -> float:
        """The score of the search as a margin."""
        if not self.workspace[engine.DEPTH]:
            return 0.0
        score = int(self.workspace[engine.SCORE]) - engine.WIN
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
        game, best = self.position.game, int(self.workspace[engine.BEST])
        values = {best: Guess(self._estimate())}
        self.thinking.emit_root(
            int(self.workspace[engine.DEPTH]), game.move_name(best), root_moves(game, values)
        )


def holding_moves(position: TicTacToePosition) -> list[Move]:
    """Moves that surely hold the draw where the rival's lines weigh less than a full one.

    The first takes the heaviest cell; others do if no answer could bring the weight to a full line.
    """
    own, rival = position.marks[position.turn], position.marks[1 - position.turn]
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
def blank_workspace(game: TicTacToe) -> Words:
    """The workspace for an empty board."""
    workspace = np.zeros(int(engine.WORKSPACE), dtype=np.uint64)
    rng = random.Random(game.spec)
    workspace[field.SIZE], workspace[field.CONNECT] = game.grid.size, game.connect
    for marks in range(game.connect):
        smooth = STEEP ** max(0, marks - max(0, game.connect - 1 - STEEPEST))
        workspace[int(field.GAIN) + marks] = smooth
    for missing, shift in enumerate((field.ONE_SHORT, field.TWO_SHORT, field.THREE_SHORT), 1):
        workspace[int(field.GAIN) + game.connect - missing] += np.uint64(1) << shift
    for noise in range(2 * int(field.MOST_CELLS)):
        workspace[int(field.NOISE) + noise] = rng.getrandbits(64)
    for cell in range(game.grid.size):
        row, column = divmod(cell, game.columns)
        aside = max(abs(2 * row + 1 - game.rows), abs(2 * column + 1 - game.columns)) // 2
        workspace[int(field.CENTRAL) + cell] = 15 - aside
    for number, line in enumerate(game.lines):
        cells = [cell for cell, bit in enumerate(game.bits) if bit & line]
        workspace[int(field.START) + number] = cells[0]
        workspace[int(field.STEP) + number] = cells[1] - cells[0]
        for cell in cells:
            through = int(field.THROUGH) + cell * int(field.MOST_THROUGH)
            workspace[through] += np.uint64(1)
            workspace[through + int(workspace[through])] = number
            for seat in range(2):
                place = int(field.WEIGHTS) + seat * int(field.MOST_CELLS) + cell
                workspace[place] += workspace[int(field.GAIN)]
    for seat in range(2):
        workspace[int(field.OPEN) + 16 * seat] = len(game.lines)
    return workspace
