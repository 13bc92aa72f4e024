"""Compare two versions of papan on the same searches: ratios of nodes and CPU time.

    python -m benchmarks.versus OLD/.venv/bin/python [rounds]     that version, and this one

OLD is a checkout of another version with an environment of its own. Each version runs in a
process, one works while the other waits, and they take turns at every search: what slows the
machine down slows both. A ratio is new to old, the median over the rounds with its quartiles;
below 1 the new one is faster. Nodes are compared too: where they differ, the search has changed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median, quantiles
from time import process_time

SOLVED = {
    "Connect 4, 12 stones": "connect4 44444235317",
    "Connect 4, 7x8": "connect4:7,8 444445555546623",
    "Connect 4, 7x10": "connect4:7,10 4 4 7 10 9 1 3 8 1 10 9 3 7 4 7 4 1 5 3 3 4 10 9 7 6 4 1 1 5"
    " 9 9 2 9 1",
    "Dots and Boxes, 3x3": "dots:3,3",
    "Dots and Boxes, 2x5": "dots:2,5",
    "Tic Tac Toe, 5x5, four": "tictactoe:5,5,4",
    "Tic Tac Toe, 5x6, four": "tictactoe:5,6,4",
    "Adjacency, 6x6": "adjacency:6,6,5",
    "Onet, 8x14": "onet:8,14,seed=3",
}
SEARCHED = {
    "alpha-beta, Connect 4": ("connect4", "alphabeta:depth=12"),
    "alpha-beta, Adjacency": ("adjacency", "alphabeta:depth=5"),
    "alpha-beta, Dots 5x5": ("dots:5,5", "alphabeta:depth=4"),
    "minimax, Tic Tac Toe 4x4": ("tictactoe:4,4,4", "minimax:depth=6"),
    "MCTS, Connect 4": ("connect4", "mcts:iterations=20000"),
    "MCTS, Adjacency": ("adjacency", "mcts:iterations=4000"),
}
ROUNDS = 9
SOURCE = "source"


def search(name: str) -> tuple[int, float]:
    """Return the nodes of the search *name*, and its CPU seconds."""
    import papan

    if name in SOLVED:
        spec, _, moves = SOLVED[name].partition(" ")
        position = papan.game(spec).start().after(moves) if moves else papan.game(spec).start()
        began = process_time()
        analysis = papan.solve(position, book=False)
    else:
        spec, agent = SEARCHED[name]
        player, position = papan.agent(agent), papan.game(spec).start()
        began = process_time()
        analysis = player.analyse(position)
    return analysis.nodes, process_time() - began


def answer() -> None:
    """Run the searches named on standard input, one a line, and print each result as JSON."""
    for line in sys.stdin:
        try:
            found: tuple[int, float] | str = search(line.strip())
        except Exception as error:  # an older version may not know a board
            found = str(error)
        print(json.dumps(found), flush=True)


class Version:
    """A process of one version of papan, idle while it has no search to run."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, __file__, SOURCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def search(self, name: str) -> tuple[int, float] | str:
        """Return the nodes and CPU seconds of the search *name* in that version, or its error
        message.
        """
        assert self._process.stdin and self._process.stdout
        print(name, file=self._process.stdin, flush=True)
        found: tuple[int, float] | str = json.loads(self._process.stdout.readline())
        return found


def compare(python: str, rounds: int) -> None:
    """Print a line for each search: nodes, milliseconds, and the ratio of new to old."""
    old, new = Version(python), Version(sys.executable)
    print("search                      nodes old     nodes new  ms old  ms new  ratio (quartiles)")
    for name in (*SOLVED, *SEARCHED):
        pairs = [(old.search(name), new.search(name)) for _ in range(rounds + 1)][1:]
        if any(isinstance(found, str) for found in pairs[0]):
            print(f"{name:26} {pairs[0]}")
            continue
        nodes = [found[0] for found in pairs[0]]
        times = [[float(found[1]) for found in each] for each in zip(*pairs)]
        low, middle, high = quantiles([mine / theirs for theirs, mine in zip(*times)])
        shown = "  ".join(f"{median(each) * 1e3:6.1f}" for each in times)
        print(
            f"{name:26} {nodes[0]:10,}    {nodes[1]:10,}  {shown}  {middle:.3f}"
            f" ({low:.3f} to {high:.3f})",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:] == [SOURCE]:
        answer()
    elif len(sys.argv) < 2:
        sys.exit(__doc__)
    else:
        compare(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
