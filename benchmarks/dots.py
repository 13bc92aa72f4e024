"""Measure how fast Dots and Boxes is solved, next to OpenSpiel's alpha-beta.

    python -m benchmarks.dots              empty boards that take seconds; OpenSpiel on 2x2 boxes
    python -m benchmarks.dots boards       larger empty boards: some minutes
    python -m benchmarks.dots endgames     positions after random safe lines, by the lines left
    python -m benchmarks.dots threads      one thread and two
    python -m benchmarks.dots table        tables that tools/make_endgame_db.py wrote, and search

Times are CPU seconds, without compiling; every position starts with an empty table. Thill's Java
alpha-beta, which took 3.15 s for 3x3 and 131 s for 3x4 on a similar machine, does not run here.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from statistics import mean, quantiles
from time import perf_counter, process_time
from typing import Any

from papan.core import Limit, Thinking
from papan.games.dots.chains import safe_lines
from papan.games.dots.endgame_db import EndgameDb, endgame_db_for
from papan.games.dots.rules import Dots, DotsPosition
from papan.games.dots.solver import DotsProver, DotsSolver
from papan.games.dots.workspace import DotsBoard, new_memory

QUICK = {(2, 2): 2, (2, 3): -2, (2, 4): 2, (3, 3): -3, (2, 5): -2, (3, 4): 0, (2, 6): 2}
SLOW = {(2, 7): 0, (3, 5): -1, (4, 4): 0}
"""Values of larger empty boards in boxes, for the first player."""
ENDGAMES = {
    (5, 5): (32, 34, 36, 38, 40, 42),
    (4, 5): (30, 32, 34, 36),
    (4, 4): (27, 29, 31),
    (6, 6): (48, 50, 52),
}
TABLES = {(3, 4): (18, 22, 26), (4, 4): (24, 28, 32)}
POSITIONS, QUESTIONS = 10, 1_000


def truth(game: Dots, threads: int = 1) -> DotsProver:
    """Return a solver with an empty table of the usual size, 256 megabytes."""
    return DotsProver(game, Thinking(Limit()), memory=256, threads=threads)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of *work*, and its CPU seconds."""
    began = process_time()
    return work(), process_time() - began


def boards(values: dict[tuple[int, int], int]) -> None:
    """Solve empty boards and print values, nodes, times: the value alone, then with every best
    move.

    Raise AssertionError if a value is not the expected one.
    """
    print("board  value       nodes        s    ns/node   all best moves      nodes        s")
    for (rows, columns), value in values.items():
        game = Dots(rows, columns)
        alone = truth(game)
        found, seconds = timed(partial(alone.value, 0))
        assert found == value, f"{game.spec}: {found}, not {value}"
        row = f"{rows}x{columns} {found:8} {alone.nodes:11,} {seconds:8.3f}"
        row += f" {seconds / alone.nodes * 1e9:10.0f}"
        if values is QUICK:
            analysis, seconds = timed(partial(DotsSolver().analyse, game.start()))
            row += f" {len(analysis.best):16} {analysis.nodes:10,} {seconds:8.3f}"
        print(row, flush=True)


def open_spiel() -> None:
    """Solve 2x2 boxes with OpenSpiel's alpha-beta, and print its time as a multiple of ours."""
    try:
        import pyspiel
        from open_spiel.python.algorithms.minimax import alpha_beta_search
    except ImportError:
        print("open_spiel is not installed: skipped")
        return
    rules = pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)")
    ratios = []
    for _ in range(3):
        (value, _), theirs = timed(lambda: alpha_beta_search(rules))
        own, ours = timed(lambda: truth(Dots(2, 2)).value(0))
        assert value == own
        ratios.append(theirs / ours)
    print(f"OpenSpiel's alpha-beta on 2x2: {theirs:.2f} s, {min(ratios):,.0f} to", end=" ")
    print(f"{max(ratios):,.0f} times as long")


def safe_play(game: Dots, lines: int, rng: random.Random) -> DotsPosition:
    """Return a position with *lines* lines left, after random lines that gave no box away."""
    while True:
        position = game.start()
        while len(position.moves()) > lines and (safe := safe_lines(position)):
            position = position.child(rng.choice(safe))
        if len(position.moves()) == lines:
            return position


def endgames() -> None:
    """Print the CPU seconds and nodes that a position takes, by the number of lines left."""
    print("board  lines   mean nodes   mean s  worst s   quartiles of s")
    for (rows, columns), lengths in ENDGAMES.items():
        for lines in lengths:
            rng = random.Random(f"{rows} {columns} {lines}")
            runs = []
            for _ in range(POSITIONS):
                position = safe_play(Dots(rows, columns), lines, rng)
                solver = truth(position.game)
                _, seconds = timed(partial(solver.value, position.drawn))
                runs.append((solver.nodes, seconds))
            times = [seconds for _, seconds in runs]
            nodes = mean(nodes for nodes, _ in runs)
            spread = " ".join(f"{each:.4f}" for each in quantiles(times, n=4))
            row = f"{rows}x{columns} {lines:8} {nodes:12,.0f} {mean(times):8.4f} {max(times):8.4f}"
            print(f"{row}   {spread}", flush=True)


def threads() -> None:
    """Print nodes, wall and CPU seconds of one thread and of two on the same positions."""
    print("board  threads        nodes   wall s    CPU s")
    for rows, columns in ((2, 6), (4, 4)):
        for count in (1, 2):
            solver = truth(Dots(rows, columns), count)
            began = perf_counter()
            _, seconds = timed(partial(solver.value, 0))
            wall = perf_counter() - began
            print(f"{rows}x{columns} {count:9} {solver.all_nodes:12,} {wall:8.2f} {seconds:8.2f}")


def compare(known: EndgameDb, positions: list[DotsPosition]) -> str:
    """Return one line of the table: microseconds to look values up twice, to search and to analyse.

    Raise AssertionError if they differ.
    """
    game, few = positions[0].game, positions[:POSITIONS]
    memory = new_memory(DotsBoard(game))
    values, first = timed(lambda: [known.value(memory, each.drawn) for each in positions])
    _, again = timed(lambda: [known.value(memory, each.drawn) for each in positions])
    found, search = timed(lambda: [truth(game).value(each.drawn) for each in few])
    assert found == values[: len(few)]
    _, answer = timed(lambda: [DotsSolver(all_moves=True).analyse(each) for each in few])
    first, again = first / len(positions), again / len(positions)
    search, answer = search / len(few), answer / len(few)
    row = f"{first * 1e6:9.2f} {again * 1e6:8.2f} {search * 1e6:13,.0f} {search / again:9,.0f}"
    return f"{row} {answer * 1e3:23.1f}"


def tables() -> None:
    """Print the times of looking up in endgame tables beside those of the search."""
    print("board  lines  us at first   again   us to search     ratio   ms for moves and line")
    for (rows, columns), lengths in TABLES.items():
        game = Dots(rows, columns)
        known = endgame_db_for(game)
        if known is None:
            print(f"{rows}x{columns} has none: python tools/make_endgame_db.py {rows} {columns}")
            continue
        for lines in lengths:
            rng = random.Random(f"{rows} {columns} {lines}")
            positions = [safe_play(game, lines, rng) for _ in range(QUESTIONS)]
            print(f"{rows}x{columns} {lines:8} {compare(known, positions)}", flush=True)


def main() -> None:
    """Run the benchmark that the first argument names."""
    truth(Dots(1, 1)).value(0)
    match sys.argv[1:]:
        case ["boards"]:
            boards(SLOW)
        case ["endgames"]:
            endgames()
        case ["threads"]:
            threads()
        case ["table"]:
            tables()
        case _:
            boards(QUICK)
            open_spiel()


if __name__ == "__main__":
    main()
