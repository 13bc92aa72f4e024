"""How much of the result agents give away: ``python benchmarks/regret.py connect4 net alphabeta``.

The solver says the exact value of positions from random games; an agent's regret is how far its
move stays below that. Counts and means; with a limit in nodes they are
the same on every machine, except that what is solved in time decides which positions are asked.
"""

import argparse
import random
from collections.abc import Iterator

import papan
from papan.core import Position


def positions(game: str, count: int, seed: int) -> Iterator[tuple[Position, float]]:
    """Positions of random games with their true value, where not all moves are as good."""
    rng, solver = random.Random(seed), papan.agent("solver")
    while count:
        position = papan.position(game)
        for _ in range(rng.randrange(8, 30)):
            if moves := position.moves():
                position = position.child(rng.choice(list(moves)))
        if position.is_over:
            continue
        analysis = solver.analyse(position, seconds=2)
        if analysis.exact and len(analysis.best) < len(position.moves()):
            count -= 1
            yield position, analysis.proved.low


def true_value(position: Position, seat: int) -> float:
    """The final margin of *seat* with best play."""
    if position.is_over:
        return papan.margin(position, seat)
    value = papan.agent("solver").analyse(position).proved.low
    return value if position.turn == seat else -value


def main() -> None:
    """Print a line for each agent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    limit = {name: amount for name in ("nodes", "seconds") if (amount := getattr(given, name))}
    asked = list(positions(given.game, given.positions, given.seed))
    print(f"{given.game}, {len(asked)} positions, {limit}")
    for name in given.agents:
        agent = papan.agent(name)
        lost = []
        for position, value in asked:
            child = position.child(agent.analyse(position, **limit).move)
            lost.append(value - true_value(child, position.turn))
        right = sum(each == 0 for each in lost)
        share, mean = right / len(lost), sum(lost) / len(lost)
        print(f"{name}: right {share:.1%} ({right}), regret {mean:.3f}", flush=True)


if __name__ == "__main__":
    main()
