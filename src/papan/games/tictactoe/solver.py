"""The solver of Tic Tac Toe: the exact truth where it can be had, else the strongest play."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papan.core import Analysis, Game, Position, Proved, Thinking
from papan.engine.solver import NativeSolver
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

MOST_EXACT_CELLS = 64
EXACT_SHARE = 0.75
"""The part of a limit for the search for the truth; the rest finds a good move if that fails."""


@dataclass
class TicTacToeSolver(NativeSolver):
    """Solves boards of at most 64 cells; on larger ones it proves what it can and plays well.

    One thread does the work, whatever is asked for: most positions take milliseconds.
    """

    def plays(self, game: Game) -> bool:
        return isinstance(game, TicTacToe)

    def variant(self, position: Position) -> tuple[object, ...]:
        assert isinstance(position, TicTacToePosition)
        return (position.game.grid.size > MOST_EXACT_CELLS,)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        assert isinstance(position, TicTacToePosition)
        if position.game.grid.size > MOST_EXACT_CELLS:
            return self._play(position, thinking)
        from papan.games.tictactoe.exact import Exact

        before = self.kept if isinstance(self.kept, Exact) else None
        known = before if before and before.position.game == position.game else None
        exact = Exact(position, thinking, self.memory, known)
        self.kept = exact if self.reuse else None
        solution = exact.solve(self.all_moves, EXACT_SHARE)
        if solution is not None:
            return solution
        play = self._play(position, thinking)
        proved = Proved(*exact.bounds())
        return play if play.exact else replace(play, proved=proved, why=exact.why)

    def _play(self, position: TicTacToePosition, thinking: Thinking) -> Analysis:
        from papan.games.tictactoe.engine import Engine

        return Engine(position, thinking, self.memory).think()
