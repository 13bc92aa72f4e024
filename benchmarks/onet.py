"""Measure how fast Onet boards are decided, and how fast all their links are computed.

    python -m benchmarks.onet [times]      with *times* times as many boards

Times are CPU seconds. Boards are dealt at random. The search of paper 002 is the agent's own, one
for each tile instead of one for each pair.
"""

from __future__ import annotations

import random
import sys
from itertools import permutations
from statistics import mean, median
from time import process_time

import numpy as np

import papan
from papan.core import Limit, Thinking
from papan.core.parts import Support
from papan.engine.control import Words
from papan.engine.native import native
from papan.games.onet import Onet
from papan.games.onet.kernel import OnetBoard, linked_pairs, new_board
from papan.games.onet.rules import OnetPosition
from papan.games.onet.solver import OnetSolver

BOARDS = [
    # rows, columns, kinds, tiles dealt at a time, how many boards
    (6, 12, 20, 2, 2000),
    (8, 14, 28, 4, 1000),
    (8, 14, 36, 2, 1000),
    (9, 16, 36, 4, 1000),
    (8, 18, 36, 4, 1000),
    (12, 24, 42, 4, 50),
    (16, 30, 42, 4, 50),
]
VARIANTS = [
    # rows, columns, kinds, rule, gravity, how many boards
    (6, 12, 20, "onet", "down", 50),
    (6, 12, 20, "onet", "left", 50),
    (6, 12, 20, "paper", "none", 50),
    (9, 16, 36, "onet", "down", 20),
]
SECONDS, SECONDS_EACH = 1.0, 10.0
"""CPU seconds after which a board counts as undecided, and wall seconds of the search."""


def deal(rows: int, columns: int, kinds: int, unit: int, seed: int) -> tuple[int, ...]:
    """Return the tiles of a full board, shuffled by *seed*: kinds in turn, *unit* tiles at
    a time.
    """
    tiles = [place // unit % kinds + 1 for place in range(rows * columns)]
    random.Random(f"{rows} {columns} {kinds} {seed}").shuffle(tiles)
    return tuple(tiles)


@native()
def count_links(board: OnetBoard, pairs: Words, repeats: int) -> np.uint64:
    """Compute all linked pairs *repeats* times; return their number."""
    for _ in range(repeats):
        count = linked_pairs(board, pairs)
    return count


def links_by_kernel(tiles: tuple[int, ...], rows: int, columns: int, repeats: int) -> float:
    """Return the microseconds that the compiled rules take for all links of a board."""
    board = new_board(np.array(tiles), rows, columns)[0]
    pairs = np.zeros(2 * int(board["pairs"]), np.uint64)
    count_links(board, pairs, 1)
    began = process_time()
    count_links(board, pairs, repeats)
    return (process_time() - began) / repeats * 1e6


def links_by_rules(position: OnetPosition, repeats: int) -> float:
    """Return the microseconds that plain Python takes for all links, by the rule of the game."""
    began = process_time()
    for _ in range(repeats):
        links = position.game.links(position.tiles)
        sum(links.joins(*pair) for cells in position.alike() for pair in permutations(cells, 2))
    return (process_time() - began) / repeats * 1e6


def compare_links(boards: int) -> None:
    """Print the times for all links of full 6x12 boards: compiled, plain, and the paper's
    search.
    """
    rows, columns = 6, 12
    print(f"all links of a full {rows}x{columns} board, {boards} boards: microseconds, times ours")
    ours, others = [], dict[str, list[float]]()
    for seed in range(boards):
        tiles = deal(rows, columns, 20, 2, seed)
        ours.append(links_by_kernel(tiles, rows, columns, 20_000))
        for name, rule in (("our rules, Python", "onet"), ("the paper's search, Python", "paper")):
            position = OnetPosition(Onet(rows, columns, rule=rule), tiles)  # type: ignore[arg-type]
            others.setdefault(name, []).append(links_by_rules(position, 20))
    print(f"  {'kernel':40}{median(ours):9.2f}")
    for name, times in others.items():
        ratios = sorted(time / own for time, own in zip(times, ours))
        spread = f"{ratios[0]:.0f}..{ratios[-1]:.0f}"
        print(f"  {name:40}{median(times):9.2f}{median(ratios):9.0f} ({spread})")


def decide(times: int) -> None:
    """Solve random boards without gravity, and print the results and milliseconds."""
    print("\nrandom boards: solvable, undecided at 1 s, milliseconds: median, mean, 99 %, most")
    solver = OnetSolver()
    for rows, columns, kinds, unit, boards in BOARDS:
        game, verdicts, spent = Onet(rows, columns), list[bool | None](), list[float]()
        for seed in range(boards * times):
            position = OnetPosition(game, deal(rows, columns, kinds, unit, seed))
            began = process_time()
            analysis = solver.decide(position, Thinking(Limit(seconds=SECONDS_EACH)))
            spent.append((process_time() - began) * 1e3)
            verdicts.append(analysis.facts["solvable"] if spent[-1] <= SECONDS * 1e3 else None)
        _row(f"{rows}x{columns}, {kinds} kinds", verdicts, spent)


def decide_variants(times: int) -> None:
    """Solve boards with gravity, or by the paper's rule, and print the results and milliseconds."""
    print("\nthe same by search")
    solver = OnetSolver()
    for rows, columns, kinds, rule, gravity, boards in VARIANTS:
        game = Onet(rows, columns, rule=rule, gravity=gravity)  # type: ignore[arg-type]
        verdicts, spent = list[bool | None](), list[float]()
        for seed in range(boards * times):
            position = OnetPosition(game, deal(rows, columns, kinds, 2, seed))
            began = process_time()
            analysis = solver.decide(position, Thinking(Limit(seconds=SECONDS)))
            spent.append((process_time() - began) * 1e3)
            verdicts.append(analysis.facts["solvable"])
        _row(f"{rows}x{columns}, rule {rule}, gravity {gravity}", verdicts, spent)


def _row(name: str, verdicts: list[bool | None], spent: list[float]) -> None:
    spent = sorted(spent)
    undecided = f"{verdicts.count(None)} of {len(verdicts)}"
    share = verdicts.count(True) / len(verdicts)
    times = (median(spent), mean(spent), spent[len(spent) * 99 // 100], spent[-1])
    columns = "".join(f"{time:9.2f}" for time in times)
    print(f"  {name:36}{share:7.1%}{undecided:>12}{columns}", flush=True)


if __name__ == "__main__":
    more = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for text in Support.of(Onet()).solver_examples:  # compiles the kernels
        OnetSolver().analyse(papan.position(text))
    compare_links(10)
    decide(more)
    decide_variants(more)
