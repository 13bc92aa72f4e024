"""Measure how fast Tic Tac Toe boards are solved, next to OpenSpiel and plain Python; and strength.

    python -m benchmarks.tictactoe             boards from the start, then peers on 3x3 and 4x4
    python -m benchmarks.tictactoe hard        larger boards, up to half a minute each
    python -m benchmarks.tictactoe matches     games on large boards against plain agents

A solution is the value, the distance, a line of best play and all best moves, with an empty table.
Times are CPU seconds, the median of several runs where they are short.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import process_time

import papan
from benchmarks.search import plain
from papan.core import Agent, Analysis, Limit, Position, Thinking
from papan.core.parts import Support
from papan.games.tictactoe import TicTacToe
from papan.games.tictactoe.solver import TicTacToeSolver
from papan.lab.match import Match, play_match

KNOWN = {
    "3,3,3": 0,
    "4,4,4": 0,
    "5,5,5": 0,
    "5,5,4": 0,
    "6,6,5": 0,
    "4,4,3": 1,
    "5,5,3": 1,
    "5,6,4": 1,
    "6,6,4": 1,
}
"""Value for the first player according to the literature: 1 a win, 0 a draw."""
HARD = ("4,7,4", "6,7,5", "8,8,6", "4,8,4", "7,7,4", "7,7,5")
RIVALS = ("mcts:seconds=1", "alphabeta")
SECONDS_EACH = 20
"""Seconds after which a peer is stopped."""
PEER = """
from time import process_time
import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
began = process_time()
value, _ = alpha_beta_search(pyspiel.load_game("mnk(m={0},n={0},k={0})"))
print(process_time() - began, value)
"""


def timed(work: Callable[[], Analysis]) -> tuple[Analysis, float, str]:
    """Return the result of *work*, its median CPU seconds, and their spread in milliseconds as
    text.
    """
    times = list[float]()
    while not times or (sum(times) < 1 and len(times) < 21):
        began = process_time()
        result = work()
        times.append(process_time() - began)
    return result, median(times), f"{min(times) * 1e3:.2f} to {max(times) * 1e3:.2f}"


def solve(size: str) -> tuple[Analysis, float, str]:
    """Solve an empty board; return the solution, its median CPU seconds, and their spread
    as text.
    """
    position = papan.position(f"tictactoe:{size}")
    return timed(lambda: TicTacToeSolver().analyse(position))


def boards(sizes: tuple[str, ...]) -> None:
    """Solve boards from the start, and print their values and times."""
    print(f"{'board':8}{'value':>6}{'plies':>7}{'best':>6}{'nodes':>12}{'ms':>11}   spread")
    for size in sizes:
        found, seconds, spread = solve(size)
        assert found.exact
        assert found.value == KNOWN.get(size, found.value)
        facts = f"{found.value:6.0f}{found.distance:7}{len(found.best):6}{found.nodes:12,}"
        print(f"{size:8}{facts}{seconds * 1e3:11.2f}   {spread}", flush=True)


def open_spiel(side: int) -> tuple[float, bool]:
    """Return the seconds that OpenSpiel's alpha-beta takes, and whether it finished."""
    program = [sys.executable, "-c", PEER.format(side)]
    try:
        done = subprocess.run(
            program, capture_output=True, text=True, check=True, timeout=SECONDS_EACH
        )
    except subprocess.TimeoutExpired:
        return SECONDS_EACH, False
    return float(done.stdout.split()[0]), True


def own_search(position: Position) -> tuple[float, bool]:
    """Return the CPU seconds that our plain alpha-beta takes, and whether it finished."""
    began = process_time()
    analysis = papan.agent("alphabeta").analyse(plain(position), Limit(seconds=SECONDS_EACH))
    return process_time() - began, analysis.why == "exact"


def peers() -> None:
    """Solve the same boards by peers, and print their times as multiples of ours."""
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("OpenSpiel is not installed: left out")
        others: dict[str, Callable[[int], tuple[float, bool]]] = {}
    else:
        others = {"OpenSpiel's alpha-beta": open_spiel}
    others["our alpha-beta, plain Python"] = lambda side: own_search(
        TicTacToe(side, side, side).start()
    )
    for side in (3, 4):
        _, ours, _ = solve(f"{side},{side},{side}")
        print(f"\n{side}x{side}, {side} in a row: {ours * 1e3:.2f} ms")
        for name, peer in others.items():
            seconds, finished = peer(side)
            more = "" if finished else "more than "
            print(f"  {name:30} {more}{seconds:.2f} s, {more}{seconds / ours:,.0f} times ours")


class Brief(TicTacToeSolver):
    """The solver limited to 0.1 s a move."""

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        thinking.narrow(Limit(seconds=0.1))
        return super().decide(position, thinking)


def matches(pairs: int = 3) -> None:
    """Play *pairs* pairs of games from openings of two random plies, and print the results."""
    print("the solver with 0.1 s a move, its rival with a second: wins, draws, losses")
    for size in ("10,10,5", "15,15,5"):
        for rival in RIVALS:
            agents: tuple[Agent, Agent] = (Brief(), papan.agent(rival))
            game = papan.game(f"tictactoe:{size}")
            result = play_match(Match(agents, game, pairs, limit=Limit(seconds=1)))
            forfeits = sum(result.forfeits(1).values())
            score = f"{result.wins:4}{result.draws:4}{result.losses:4}"
            print(f"  {size:9}{rival:16}{score}  ({forfeits} by forfeit)", flush=True)


if __name__ == "__main__":
    for text in Support.of(TicTacToe()).solver_examples:  # compiles the kernels
        papan.solve(text, nodes=10_000)
    question = "".join(sys.argv[1:2])
    if question == "hard":
        boards(HARD)
    elif question == "matches":
        matches()
    else:
        boards(tuple(KNOWN))
        peers()
