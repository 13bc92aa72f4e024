"""Simulated contests: does the ladder find the order that a full round robin finds?

    python benchmarks/contest.py [--players 40] [--games 1000] [--spread 400] [--rounds 20]
        [--runs 20] [--house 0]

Players have Elo strengths drawn from a normal distribution with *spread*; a game between them ends
by these strengths, a tenth of the games between equals drawn. Each run plays the ladder with so
many games, and a full round robin in which every two players play so many rounds of two games.
After the Swiss rounds everybody plays two pairs of games against each of *house* house bots. It
prints Kendall's tau of the ladder's first ten with the round robin, and with the true strengths.
"""

import argparse
import random
from itertools import combinations
from statistics import mean, median
from time import perf_counter

from papan.contest.ladder import Ladder, kendall_tau

FIRST = 10
DRAWS = 0.1
HOUSE_PAIRS = 2


def outcome(lead: float, rng: random.Random) -> int:
    """Return a random outcome (1, 0 or -1) of a game for a player who is *lead* Elo stronger."""
    expected = 1 / (1 + 10 ** (-lead / 400))
    draw = 4 * DRAWS * expected * (1 - expected)
    drawn = rng.random()
    return 1 if drawn < expected - draw / 2 else 0 if drawn < expected + draw / 2 else -1


def simulate(asked: argparse.Namespace, seed: int) -> tuple[float, float, int, float]:
    """Return Kendall's tau of the ladder with the round robin, tau with the truth, games played,
    and seconds of choosing pairs.
    """
    rng, house = random.Random(seed), asked.house
    truth = {f"{number:03}": rng.gauss(0, asked.spread) for number in range(asked.players)}
    bots = {f"house {each}": (each - house / 2) * asked.spread for each in range(house)}
    waiting = [(player, bot) for _ in range(HOUSE_PAIRS) for bot in bots for player in truth]
    strengths = truth | bots

    def pair(first: str, second: str) -> list[int]:
        return [outcome(strengths[first] - strengths[second], rng) for _ in range(2)]

    ladder, played, took = Ladder(list(truth)), 0, 0.0
    while played < asked.games:
        began = perf_counter()
        chosen = ladder.swiss_pairing(())
        if chosen is None and waiting:
            chosen = waiting.pop(0)
        chosen = chosen or ladder.following(())
        took += perf_counter() - began
        if chosen is None:
            break
        ladder.add(*chosen, pair(*chosen))
        played += 2
    full = Ladder(list(truth))
    for first, second in combinations(truth, 2):
        full.add(first, second, [each for _ in range(asked.rounds) for each in pair(first, second)])
    top = ladder.order()[:FIRST]
    robin = {each: place for place, each in enumerate(full.order())}
    true = {each: place for place, each in enumerate(sorted(truth, key=lambda it: -truth[it]))}
    return kendall_tau(top, robin), kendall_tau(top, true), played, took


def main() -> None:
    """Run the simulations and print a line for each, then the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    usual = {"players": 40, "games": 1000, "spread": 400, "rounds": 20, "runs": 20, "house": 0}
    for name, value in usual.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    asked = parser.parse_args()
    found = []
    for seed in range(asked.runs):
        found.append(simulate(asked, seed))
        print("tau {:.2f}, with the truth {:.2f}, games {}, thought {:.1f} s".format(*found[-1]))
    taus = [each[0] for each in found]
    print(f"median tau {median(taus):.3f}, mean {mean(taus):.3f}, at least 0.9 in", end=" ")
    print(f"{sum(tau >= 0.9 for tau in taus)} of {len(taus)}")
    print(f"with the truth: median {median(each[1] for each in found):.3f}")


if __name__ == "__main__":
    main()
