"""Measure the speed of the shared searches: compiled, in plain Python, and OpenSpiel's own.

    python -m benchmarks.search

Nodes (MCTS: games) in each CPU second from the start of each game, and the ratio of compiled to
plain with its spread over several runs. Minimax looks at the same nodes in both, MCTS plays the
same games; alpha-beta goes equally deep, so the ratio of the times is given as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from math import ceil
from statistics import median
from time import process_time

import papan
from papan.core import Agent, Analysis, Game, Position

CASES = {
    "minimax": {
        "tictactoe:4,4,4": "depth=4",
        "connect4": "depth=6",
        "dots:3,3": "depth=3",
        "adjacency": "depth=3",
        "onet:6,12": "depth=2",
    },
    "alphabeta": {
        "tictactoe:4,4,4": "depth=6",
        "connect4": "depth=8",
        "dots:3,3": "depth=5",
        "adjacency": "depth=4",
        "onet:6,12": "depth=3",
    },
    "mcts": {
        "tictactoe:4,4,4": "iterations=10000",
        "connect4": "iterations=5000",
        "dots:3,3": "iterations=5000",
        "adjacency": "iterations=1000",
        "onet:6,12": "iterations=100",
    },
}
RUNS = 3
ENOUGH = 0.02
"""Seconds below which a run is repeated, because the clock is coarse."""


def plain(position: Position) -> Position:
    """Return the position in a derived class of its game, which has no compiled form."""
    game = position.game
    options = {each.name: getattr(game, each.name) for each in fields(game)}
    derived: Game = type("Plain", (type(game),), {})(**options)
    return derived.parse(str(position))


def clocked(work: Callable[[], object]) -> float:
    """Return the CPU seconds of *work*: the mean of as many runs as the clock's resolution
    needs.
    """
    began, count = process_time(), 0
    while (seconds := process_time() - began) < ENOUGH or not count:
        work()
        count += 1
    return seconds / count


def compare(agent: Agent, game: Game) -> str:
    """Return, as text, the nodes a second of compiled and plain search, and the ratios with their
    spread.
    """
    native, twin = game.start(), plain(game.start())
    found: list[Analysis] = [agent.analyse(each) for each in (native, twin)]
    assert (found[0].move, found[0].value) == (found[1].move, found[1].value)
    fast, slow, times, ratios = [], [], [], []
    for _ in range(RUNS):
        seconds = [clocked(lambda each=each: agent.analyse(each)) for each in (native, twin)]  # type: ignore[misc]
        fast.append(found[0].nodes / seconds[0])
        slow.append(found[1].nodes / seconds[1])
        ratios.append(fast[-1] / slow[-1])
        times.append(seconds[1] / seconds[0])
    spread = f"{median(ratios):8.0f} ({min(ratios):.0f} to {max(ratios):.0f})"
    return f"{median(fast):14,.0f}{median(slow):12,.0f}  {spread:24}{median(times):8.0f}"


def peers() -> None:
    """Print the times of OpenSpiel on the 3x3 board beside ours: the whole tree, and games of its
    own MCTS.
    """
    try:
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms import mcts
    except ImportError:
        print("OpenSpiel is not installed: left out")
        return
    game = pyspiel.load_game("tic_tac_toe")
    start = papan.position("tictactoe")

    def every_line(state: pyspiel.State) -> int:
        if state.is_terminal():
            return 1
        return 1 + sum(every_line(state.child(move)) for move in state.legal_actions())

    began = process_time()
    nodes = every_line(game.new_initial_state())
    theirs = process_time() - began
    ours = clocked(lambda: papan.agent("minimax").analyse(start))
    print(f"\nall {nodes:,} nodes of 3x3 Tic Tac Toe: {ours * 1e3:.1f} ms;", end=" ")
    print(f"walking OpenSpiel's states from Python {theirs:.2f} s, {theirs / ours:.0f} times ours")
    games = 2_000
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, games, 100, False, 1, False
    )
    slow = mcts.MCTSBot(
        game, 1.4, ceil(games / 10), mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    )
    state = game.new_initial_state()
    ours = clocked(lambda: papan.agent(f"mcts:iterations={games}").analyse(start))
    print(f"{games:,} games of MCTS on 3x3: {ours * 1e3:.2f} ms;", end=" ")
    theirs = clocked(lambda: bot.step(state))
    print(f"OpenSpiel in C++ {theirs * 1e3:.2f} ms, {theirs / ours:.1f} times ours;", end=" ")
    theirs = clocked(lambda: slow.step(state)) * 10
    print(f"in Python {theirs * 1e3:.0f} ms, {theirs / ours:.0f} times ours")


if __name__ == "__main__":
    print(f"{'search':11}{'game':17}{'compiled/s':>13}{'plain/s':>12}  {'ratio':24}{'time':>8}")
    for name, games in CASES.items():
        for spec, settings in games.items():
            row = compare(papan.agent(f"{name}:{settings}"), papan.game(spec))
            print(f"{name:11}{spec:17}{row}", flush=True)
    peers()
