"""Measure what the sandbox costs: the start of a bot and one move of it, confined and not.

    python benchmarks/sandbox.py [ROUNDS]

Prints the medians over ROUNDS starts (20) in milliseconds, and what the sandbox adds.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import papan
from papan.catalog import external_agent

PYTHON = "def choose(position): return position.moves()[0]\n"
C = """
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[4096], first[64] = "";
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "papan", 5)) puts("ready");
        if (!strncmp(line, "moves", 5)) sscanf(line, "moves %63s", first);
        if (!strncmp(line, "go", 2)) printf("move %s\\n", first);
        fflush(stdout);
    }
}
"""
MOVES = 50


def measure(spec: str, rounds: int) -> tuple[float, float]:
    """Return the median milliseconds of a start with its first move, and of a move after it."""
    position, starts, moves = papan.position("tictactoe"), list[float](), list[float]()
    for _ in range(rounds):
        agent = external_agent(spec)
        began = perf_counter()
        agent.analyse(position)
        starts.append(perf_counter() - began)
        for _ in range(MOVES):
            began = perf_counter()
            agent.analyse(position)
            moves.append(perf_counter() - began)
        agent.close()
    return 1000 * median(starts), 1000 * median(moves)


def main(rounds: int) -> None:
    """Measure a bot in Python, and one in C if there is a compiler; print milliseconds."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "bot.py").write_text(PYTHON, encoding="utf-8")
        bots = {"Python": str(folder / "bot.py")}
        if shutil.which("gcc"):
            (folder / "bot.c").write_text(C, encoding="utf-8")
            subprocess.run(["gcc", "-O2", "-o", folder / "bot", folder / "bot.c"], check=True)
            bots["C"] = f"program:{folder / 'bot'}"
        print("bot     start     confined  adds      move      confined  adds  (ms)")
        for name, spec in bots.items():
            free, inside = measure(spec, rounds), measure(f"{spec},confined=file", rounds)
            pairs = zip(free, inside)
            numbers = (f"{n:<9.3f}" for a, b in pairs for n in (a, b, b - a))
            print(f"{name:<7}", *numbers)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
