"""Measure how fast Connect 4 is solved, next to BitBully, how much is pruned, and boards' values.

    python -m benchmarks.connect4              positions by ply, next to BitBully's; the empty board
    python -m benchmarks.connect4 boards       empty boards whose values are known
    python -m benchmarks.connect4 threads      one thread and two

Times are CPU seconds without any book; every position starts with an empty table. The positions are
those of the tests: random ones, 50 for each ply, with scores that are checked again here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean, quantiles
from time import perf_counter, process_time
from typing import Any, TypeAlias

from papan.games.connect4 import Connect4
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.search_memory import SearchTeam, return_workspace, take_workspace
from papan.games.connect4.solver import Connect4Prover, Connect4Solver
from papan.games.connect4.stones import Stones

POSITIONS = Path(__file__).parents[1] / "tests" / "data" / "connect4.json"
Peer: TypeAlias = Callable[[str], tuple[int, int, float]]
MEMORY = 256 * 2**20
BOARDS = {
    (4, 4): "=",
    (5, 5): "=",
    (4, 6): "- 24",
    (4, 8): "- 32",
    (6, 6): "- 36",
    (6, 7): "+ 41",
    (5, 8): "+ 39",
    (7, 6): "+ 41",
    (5, 9): "+ 41",
    (5, 10): "+ 47",
}
"""Result by rows and columns: + the first player wins, - the second, = a draw; with which stone."""


def score(position: Connect4Position, threads: int = 1) -> tuple[int, int]:
    """Return the score of a position for the mover, and the nodes searched."""
    workspace = take_workspace(position.game.rows, position.game.columns, MEMORY)
    stones = Stones(*position.sides)
    workspace.clear(stones)
    team = SearchTeam(workspace, threads)
    truth = Connect4Prover(team, lambda nodes: None)
    found = truth.score(truth.begin(stones))
    return_workspace(workspace)
    return found, team.nodes


def timed(work: Callable[..., Any], *given: Any) -> tuple[Any, float]:
    """Return the result of *work*, and its CPU seconds."""
    began = process_time()
    result = work(*given)
    return result, process_time() - began


def bitbully() -> Peer | None:
    """Return a function that gives BitBully's score, nodes and CPU seconds for a list of moves.

    None if BitBully is not installed.
    """
    try:
        import bitbully
    except ImportError:
        return None
    agent = bitbully.BitBully(opening_book=None)

    def solve(moves: str) -> tuple[int, int, float]:
        board = bitbully.Board("".join(str(int(move) - 1) for move in moves))
        agent.reset_transposition_table()
        agent.reset_node_counter()
        found, seconds = timed(agent.mtdf, board)
        return found, agent.get_node_counter(), seconds

    return solve


def by_ply() -> None:
    """Print means for each ply, and the ratio to BitBully's: of means, and its quartiles."""
    peer, game = bitbully(), Connect4()
    if peer is None:
        print("BitBully is not installed: its columns are missing")
    score(game.start().after("44444"))
    print("ply     nodes  score ms  analysis ms | BitBully nodes        ms | ratio (quartiles)")
    for ply, pairs in json.loads(POSITIONS.read_text()).items():
        played = [
            (moves, int(true_value))
            for moves, true_value in (pair.split(":") for pair in pairs.split())
        ]
        print(f"{ply:>3} {_row(game, played, peer)}", flush=True)
    print_board(6, 7)


def _row(game: Connect4, played: list[tuple[str, int]], peer: Peer | None) -> str:
    """Return one line of the table: our means first, then the peer's; raise AssertionError for a
    wrong score.
    """
    positions = [game.start().after(moves) for moves, _ in played]
    solver, truths = Connect4Solver(book=False), [true_value for _, true_value in played]
    ours = [timed(score, position) for position in positions]
    whole = [timed(solver.analyse, position) for position in positions]
    assert [found for (found, _), _ in ours] == truths == [each.score for each, _ in whole]
    nodes, seconds = mean(count for (_, count), _ in ours), [each for _, each in ours]
    row = f"{nodes:9,.0f} {milliseconds(seconds)} {milliseconds([each for _, each in whole]):>12}"
    if peer is None:
        return row
    theirs = [peer(moves) for moves, _ in played]
    assert [found for found, _, _ in theirs] == truths
    peer_seconds = [each for _, _, each in theirs]
    low, _, high = quantiles([one / other for one, other in zip(seconds, peer_seconds)])
    row += f" | {mean(count for _, count, _ in theirs):14,.0f} {milliseconds(peer_seconds)}"
    return row + f" | {mean(seconds) / mean(peer_seconds):.3f} ({low:.3f} to {high:.3f})"


def milliseconds(seconds: list[float]) -> str:
    """Return the mean of *seconds* in milliseconds, as text."""
    return f"{mean(seconds) * 1e3:9.3f}"


def print_board(rows: int, columns: int, threads: int = 1) -> None:
    """Solve an empty board, and print its value, nodes and time."""
    position = Connect4(rows, columns).start()
    began = perf_counter()
    (true_value, nodes), seconds = timed(score, position, threads)
    wall = perf_counter() - began
    stone = ""
    if true_value:
        last = rows * columns + 2 - 2 * abs(true_value)
        stone = f" {last - (last % 2 != (true_value > 0))}"
    value = f"{'+' if true_value > 0 else '-' if true_value else '='}{stone}"
    known = BOARDS.get((rows, columns), "?")
    speed = nodes / seconds / 1e6
    print(
        f"{rows} rows, {columns} columns: {value:5} (known: {known:5}) {nodes:14,} nodes"
        f" {seconds:9.2f} s CPU {wall:9.2f} s {speed:5.1f} M nodes/s",
        flush=True,
    )


def boards() -> None:
    """Print the values of the empty boards in `BOARDS`."""
    for rows, columns in BOARDS:
        print_board(rows, columns)


def threads() -> None:
    """Print the wall and CPU time of the same work with one thread and with two."""
    positions = [pair.split(":") for pair in json.loads(POSITIONS.read_text())["8"].split()]
    for count in (1, 2):
        began, work = perf_counter(), process_time()
        for moves, true_value in positions:
            found, _ = score(Connect4().start().after(moves), count)
            assert found == int(true_value)
        print(
            f"{count} thread(s), ply 8: {(perf_counter() - began) / len(positions) * 1e3:8.1f} ms,"
            f" {(process_time() - work) / len(positions) * 1e3:8.1f} ms CPU a position"
        )
        print_board(6, 7, count)


if __name__ == "__main__":
    {"boards": boards, "threads": threads}.get("".join(sys.argv[1:2]), by_ply)()
