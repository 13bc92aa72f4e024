"""How much of the result agents give away: ``python benchmarks/regret.py connect4 net alphabeta``.

The solver says the exact value of every move of positions from random games; an agent's regret is
how far the value of its move is below the best. Counts and means; with a limit in nodes they are
the same on every machine, except that what is solved in time decides which positions are asked.
"""

import argparse
import random
from collections.abc import Iterator

import papan
from papan.core import Position, Proved


def positions(game: str, count: int, seed: int) -> Iterator[tuple[Position, dict[int, float]]]:
    """Positions with the true value of each move, where moves differ: others ask nothing."""
    rng, solver = random.Random(seed), papan.agent("solver")
    while count:
        position = papan.position(game)
        plies = rng.randrange(4, position.game.move_count * 6)
        for _ in range(plies):
            if moves := position.moves():
                position = position.child(rng.choice(list(moves)))
        if position.is_over:
            continue
        analysis = solver.analyse(position, seconds=2)
        values = {
            move: value.low
            for move, value in analysis.values.items()
            if isinstance(value, Proved) and value.exact
        }
        if len(values) == len(position.moves()) and len(set(values.values())) > 1:
            count -= 1
            yield position, values


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
        for position, values in asked:
            move = agent.analyse(position, **limit).move
            lost.append(max(values.values()) - values[move])
        right = sum(each == 0 for each in lost)
        share, mean = right / len(lost), sum(lost) / len(lost)
        print(f"{name}: right {share:.1%} ({right}), regret {mean:.3f}", flush=True)


if __name__ == "__main__":
    main()
