"""Measure what one table for all positions of a game saves a review, against a new one for each.

    python -m benchmarks.review

Games of middling players are solved from the last position back to the first that the limit of
nodes allows, once with one table for all and once with a new one each time. The proved values are
the same; nodes and CPU seconds are compared game by game.
"""

from __future__ import annotations

from statistics import median
from time import process_time

from papan import catalog
from papan.core import Agent, Analysis, Game, Limit, Position, Support

CASES = {
    "connect4": (12, 6),
    "connect4:5,6": (6, 6),
    "dots:3,3": (0, 6),
    "dots:4,4": (12, 4),
    "tictactoe": (0, 6),
    "tictactoe:4,4,4": (4, 4),
    "adjacency:6,6,8": (7, 4),
    "adjacency": (38, 4),
}
"""By board: the first ply that is solved, and the number of games."""
PLAYERS = "level:3,seed={}"
MOST_NODES = 5_000_000


def played(spec: str, seed: int) -> list[Position]:
    """Return the positions of a random game of two levels, without the last one."""
    players = [catalog.agent(PLAYERS.format(2 * seed + seat)) for seat in (0, 1)]
    positions = [catalog.game(spec).start()]
    while not positions[-1].is_over:
        move = players[positions[-1].turn].choose(positions[-1], nodes=2_000)
        positions.append(positions[-1].play(move))
    return positions[:-1]


def new_solver(game: Game, reuse: bool) -> Agent:
    """Return the game's solver; with *reuse* it keeps its table from one position to the next."""
    solver = Support.of(game).solver(reuse=reuse)
    assert solver is not None
    return solver


def solved(solver: Agent, positions: list[Position]) -> tuple[list[Analysis], float]:
    """Return the analyses, the last position first, and their CPU seconds in all."""
    began = process_time()
    found = [solver.analyse(each, Limit(nodes=MOST_NODES)) for each in reversed(positions)]
    return found, process_time() - began


def compare(spec: str, first: int, games: int) -> str:
    """Return, as text, nodes with new tables and with one, and ratios of nodes and CPU time with
    their spread.
    """
    game = catalog.game(spec)
    new_solver(game, reuse=False).load(game.start())
    nodes, times, work = [], [], [0, 0]
    for seed in range(games):
        positions = played(spec, seed)[first:]
        results = [solved(new_solver(game, reuse), positions) for reuse in (False, True)]
        for one, other in zip(*(found for found, _ in results)):
            both = one.exact and other.exact
            assert not both or (one.proved, one.distance) == (other.proved, other.distance)
        counts = [sum(each.nodes for each in found) for found, _ in results]
        work = [before + count for before, count in zip(work, counts)]
        nodes.append(counts[0] / max(1, counts[1]))
        times.append(results[0][1] / results[1][1])
    spreads = "".join(
        f"{median(each):6.2f} ({min(each):.2f} to {max(each):.2f})".ljust(26)
        for each in (nodes, times)
    )
    return f"{work[0]:14,}{work[1]:14,}  {spreads}"


if __name__ == "__main__":
    print(f"{'':18}{'new tables':>14}{'one table':>14}  nodes, ratio             CPU, ratio")
    for spec, (first, games) in CASES.items():
        print(f"{spec:18}{compare(spec, first, games)}", flush=True)
