"""Measure how fast Adjacency is solved, and how well its solver plays.

    python -m benchmarks.adjacency endgames         the last cells, against plain alpha-beta
    python -m benchmarks.adjacency rounds [last]    from the start, one round more each time
    python -m benchmarks.adjacency play [pairs [agent [rounds [first pair]]]]    against the paper's

Times are CPU seconds. The solver plays at 0.1 s a move; the others get 1 s, which is mostly enough
for the paper's minimax to look as deep as in the paper, 6 plies as x and 5 as o.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from statistics import mean, quantiles
from time import process_time

import papan
from benchmarks.search import plain
from papan.core import Analysis, Limit, Position, Thinking
from papan.engine.control import NODES
from papan.games.adjacency import Adjacency
from papan.games.adjacency.rules import AdjacencyPosition
from papan.games.adjacency.solver import AdjacencyMemory, AdjacencyRoot, AdjacencySolver
from papan.lab.match import Match, MatchGame, MatchResult

FULL = [8, 10, 12, 14, 16, 18, 20, 22, 24, 26]
LIMITED = [4, 6, 8, 10, 11, 12]
POSITIONS = 20
PEER_UP_TO = 8  # cells: plain alpha-beta needs minutes for more
OWN, OTHERS = Limit(seconds=0.1), Limit(seconds=1)
RIVALS = ("hillclimb", "genetic", "neighbours")


def played(rounds: int, plies_left: int, seed: int) -> AdjacencyPosition:
    """Return a position *plies_left* plies before the end, after random play that is often
    greedy.
    """
    rng = random.Random(f"{rounds} {plies_left} {seed}")
    position, greed = Adjacency(rounds=rounds).start(), rng.random()
    while position.plies_left > plies_left:
        moves = position.moves()
        rng.shuffle(moves)
        if rng.random() < greed:
            moves.sort(key=lambda move: -len(position.flips(move)))
        position = position.child(moves[0])
    return position


def cpu(agent: papan.Agent, position: Position) -> tuple[float, Analysis]:
    """Return the CPU seconds of an analysis, and the analysis."""
    began = process_time()
    analysis = agent.analyse(position)
    return process_time() - began, analysis


def endgames() -> None:
    """Print the CPU seconds and nodes that the last cells take, by number of plies left."""
    peer = papan.agent("alphabeta")
    print("rounds  plies left   mean s  worst s  mean nodes   alpha-beta / solver (quartiles)")
    for rounds, lengths in ((28, FULL), (16, LIMITED)):
        for plies in lengths:
            positions = [played(rounds, plies, seed) for seed in range(POSITIONS)]
            runs = [cpu(AdjacencySolver(), position) for position in positions]
            assert all(analysis.exact for _, analysis in runs)
            times = [seconds for seconds, _ in runs]
            nodes = mean(analysis.nodes for _, analysis in runs)
            print(
                f"{rounds:6} {plies:8}     {mean(times):8.4f} {max(times):8.4f} {nodes:11,.0f}",
                _ratios(peer, positions[:5], times)
                if plies <= PEER_UP_TO - (rounds < 28) * 4
                else "",
            )


def _ratios(peer: papan.Agent, positions: list[AdjacencyPosition], times: list[float]) -> str:
    """Return how many times as long *peer* takes as our *times*: median and quartiles as text."""
    ratios = [cpu(peer, plain(position))[0] / own for position, own in zip(positions, times)]
    low, middle, high = quantiles(ratios, n=4)
    return f"  {middle:,.0f} ({low:,.0f} - {high:,.0f})"


def rounds_from_start(last: int) -> None:
    """Print the value of the game for x and all best first moves, for 1 to *last* rounds."""
    print("rounds  value         nodes  CPU s   best moves      nodes  CPU s")
    for rounds in range(1, last + 1):
        game = Adjacency(rounds=rounds)
        memory = AdjacencyMemory(game, float("inf"), 1 << (20 if rounds < 6 else 24))
        root = AdjacencyRoot(memory, game.start())
        began = process_time()
        for depth in range(1, min(5, 2 * rounds)):
            root.look(depth)
        root.prove()
        value = f"{root.final(root.high):6.0f} {int(memory.words[NODES]):13,}"
        print(f"{rounds:6} {value} {process_time() - began:6.2f}", end="", flush=True)
        if rounds <= 6:
            root.compare(all_moves=False)
            best = sum(choice.low == root.high for choice in root.choices)
            nodes = f"{int(memory.words[NODES]):13,}"
            print(f" {best:12} {nodes} {process_time() - began:6.2f}", end="")
        print(flush=True)


@dataclass
class Hurried(AdjacencySolver):
    """The solver limited to 0.1 s a move, while its rival has more time."""

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        thinking.narrow(OWN)
        return super().decide(position, thinking)


def play(pairs: range, rivals: tuple[str, ...], lengths: tuple[int, ...]) -> None:
    """Play both seats from openings of 2, 4 and 6 random plies in turn, and print the results."""
    for rounds in lengths:
        for rival in rivals:
            games: list[MatchGame] = []
            for pair in pairs:
                agents = (Hurried(), papan.agent(rival))
                opening = 2 + pair % 3 * 2
                match = Match(agents, Adjacency(rounds=rounds), 1, pair, OTHERS, opening)
                games += match.play()
            result = MatchResult(("solver", rival), tuple(games))
            margins = [_margin(game) for game in games]
            print(
                f"{rounds} rounds: {result}  {result.wins / len(games):.1%} won, mean margin"
                f" {mean(margins):+.1f}, forfeits {result.forfeits(0)} {result.forfeits(1)}",
                flush=True,
            )


def _margin(game: MatchGame) -> float:
    """Return the solver's final margin in marks."""
    seat = game.seating.index(0)
    return game.record.scores[seat] - game.record.scores[1 - seat]


def main() -> None:
    """Run the benchmark that the first argument names."""
    question, *rest = sys.argv[1:] or ["endgames"]
    if question == "rounds":
        rounds_from_start(int(rest[0]) if rest else 6)
    elif question == "play":
        rivals = (rest[1],) if len(rest) > 1 else RIVALS
        lengths = (int(rest[2]),) if len(rest) > 2 else (16, 28)
        first = int(rest[3]) if len(rest) > 3 else 0
        play(range(first, first + (int(rest[0]) if rest else 100)), rivals, lengths)
    else:
        endgames()


if __name__ == "__main__":
    main()
