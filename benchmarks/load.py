"""Ask every level of every game for a move by HTTP, after all workers of the server were ended.

    tools/beside-busy-loops .venv/bin/python -m benchmarks.load

The exit code is 1 if a move is missing. The times depend on the machine.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from time import perf_counter
from urllib.error import URLError
from urllib.request import Request, urlopen

from benchmarks.web import GAMES, serving

LEVELS = range(1, 6)
SECONDS = 2
LONGEST_WAIT = 300
"""Seconds after which a move counts as lost."""


def move(address: str, game: str, level: int) -> str:
    """Return the seconds that an agent took to move, or the error, as text."""
    began = perf_counter()
    question = {"start": game, "agent": f"level:{level}", "seconds": SECONDS, "purpose": "game"}
    headers = {"content-type": "application/json"}
    request = Request(f"{address}api/v1/think", json.dumps(question).encode(), headers)
    try:
        with urlopen(request, timeout=LONGEST_WAIT) as stream:
            last = json.loads([*stream][-1])
    except (URLError, TimeoutError) as error:
        return f"LOST {error}"
    if last["t"] != "analysis":
        return f"LOST {last['key']}"
    return f"{perf_counter() - began:7.2f} s, {last['ms'] / 1000:5.2f} s of them thinking"


def end_workers(server: int) -> int:
    """Kill every worker of a server (the children of its children); return their number."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[int(path.parent.name)] = int(fields[1])
    workers = [pid for pid, parent in parents.items() if parents.get(parent) == server]
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    return len(workers)


def main() -> None:
    """Print the time of each move, and the number of missing moves; exit with 1 if one is
    missing.
    """
    lost = 0
    with serving() as (address, server):
        for name in ("first", "second"):
            print(f"{name:<12} {move(address, 'tictactoe', 1)}", flush=True)
        print(f"workers ended: {end_workers(server)}", flush=True)
        for game in GAMES:
            for level in LEVELS:
                reported = move(address, game, level)
                lost += reported.startswith("LOST")
                print(f"{game:<10} {level} {reported}; load {os.getloadavg()[0]:.0f}", flush=True)
    print(f"moves lost: {lost} of {len(GAMES) * len(LEVELS)}")
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
