"""Measure what the reason of a move costs on large boards.

    python -m benchmarks.reasons

Each move of games between two players that look two plies ahead gets its reason, with the analysis
that chose it. The median and the largest time are printed, in milliseconds.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter

from papan import catalog
from papan.core import Limit
from papan.core.reasons import reason

BOARDS = ("tictactoe:15,15,5", "connect4:7,10", "connect4", "dots:5,5", "adjacency", "onet")
MOST_MOVES = 60
"""Number of moves of a game that are measured, at most."""


def measured(spec: str) -> list[float]:
    """Return the milliseconds that each reason of one game takes."""
    position, times = catalog.game(spec).start(), list[float]()
    agent = catalog.agent("openings" if position.game.seats == 1 else "alphabeta:depth=2")
    while not position.is_over and len(times) < MOST_MOVES:
        analysis = agent.analyse(position, Limit(nodes=5_000))
        began = perf_counter()
        reason(position, analysis.move, analysis)
        times.append(1000 * (perf_counter() - began))
        position = position.play(analysis.move)
    return times


if __name__ == "__main__":
    for board in BOARDS:
        found = measured(board)
        middle, largest = median(found), max(found)
        print(f"{board:20} {len(found):3} moves  {middle:6.1f} ms  at most {largest:6.1f} ms")
