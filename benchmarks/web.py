"""How the web app holds many players: moves without thinking, while searches run beside them.

    python benchmarks/web.py [players] [seconds]      200 players for 20 seconds

Each player makes a random legal move about once a second until the game is over, then begins
another. A game is lost when an answer is missing, refused, or not about the moves that were made.
Times are wall time as the player sees it; the players share the processors with the server, so a
small machine measures both. The exit code is 1 where the goal is missed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

GAMES = ("tictactoe", "connect4", "dots", "adjacency", "onet")
SEARCH = {"start": "connect4:7,10", "agent": "alphabeta", "seconds": 60}
SEARCHES = 2
MOST_WAIT = 0.25
"""Seconds within which 99 of 100 moves are to be answered."""
PATIENCE = 30
"""Seconds after which a player gives a game up."""
SERVER = """
from papan.web.serving import serve
from papan.web.settings import Settings
settings = Settings(rate=0, warm=False)
serve("127.0.0.1", 0, False, lambda url, _: print(url.partition("?")[0], flush=True), settings)
"""


class Lost(Exception):  # noqa: N818 - an outcome
    """A game that could not go on."""


class Connection:
    """The least that HTTP asks of a client, so that players take little from the processor."""

    def __init__(self, address: str) -> None:
        self.host = address.removeprefix("http://").rstrip("/")

    async def __aenter__(self) -> Connection:
        name, _, port = self.host.rpartition(":")
        self._reader, self._writer = await asyncio.open_connection(name, int(port), limit=2**20)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._writer.close()

    async def ask(self, path: str, question: object) -> dict[str, str]:
        """Send a question; gives the headers of a good answer."""
        body = json.dumps(question).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        if status.split()[1] != "200":
            raise Lost(status)
        pairs = (line.partition(": ") for line in lines)
        return {name.lower(): value for name, _, value in pairs}

    async def answer(self, path: str, question: object) -> Any:
        """The whole answer to a question."""
        headers = await self.ask(path, question)
        return json.loads(await self._reader.readexactly(int(headers["content-length"])))

    async def line(self) -> bytes:
        """The next line of a stream."""
        return await self._reader.readline()


class Crowd:
    """All players, and how long they waited."""

    def __init__(self, address: str, seconds: float, pace: float = 1) -> None:
        self.address, self.pace = address, pace
        self.patience = seconds + PATIENCE
        self.end = perf_counter() + seconds
        self.waits: list[float] = []
        self.begun = self.finished = self.searched = 0
        self.lost: list[str] = []

    @property
    def over(self) -> bool:
        return perf_counter() >= self.end

    async def play(self, players: int) -> None:
        """Let everybody play, and searches run, to the end."""
        work = [self._player(number) for number in range(players)]
        await asyncio.gather(*work, *(self._search() for _ in range(SEARCHES)))

    async def _player(self, number: int) -> None:
        """One game after the other."""
        rng = random.Random(number)
        while not self.over:
            self.begun += 1
            try:
                async with asyncio.timeout(self.patience), Connection(self.address) as connection:
                    await self._game(connection, rng)
            except (Lost, OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                self.lost.append(f"{type(error).__name__}: {error}")

    async def _game(self, connection: Connection, rng: random.Random) -> None:
        """Play until the game is over, or the time."""
        start, moves = rng.choice(GAMES), list[str]()
        while not self.over:
            await asyncio.sleep(rng.uniform(0.5, 1.5) * self.pace)
            began = perf_counter()
            line = {"start": start, "moves": " ".join(moves)}
            board = await connection.answer("/api/v1/board", line)
            self.waits.append(perf_counter() - began)
            if board["moves"] != moves:
                raise Lost(f"{board['moves']} instead of {moves}")
            if not board["legal"]:
                self.finished += 1
                return
            moves.append(rng.choice(board["legal"])["m"])

    async def _search(self) -> None:
        """A search that runs to the end of the measurement."""
        async with Connection(self.address) as connection:
            await connection.ask("/api/v1/think", SEARCH)
            while not self.over:
                if not await connection.line():
                    return
            self.searched += 1

    def wait(self, share: float) -> float:
        """The seconds within which this *share* of the moves was answered."""
        waits = sorted(self.waits)
        return waits[min(len(waits) - 1, int(len(waits) * share))]


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """A server of its own: its address, and the number of its process."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip(), server.pid
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def processor_seconds(pid: int) -> float:
    """How long a process has kept a processor busy, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Start a server, send the players, say how they fared."""
    given = [int(word) for word in sys.argv[1:3]]
    players, seconds = given + [200, 20][len(given) :]
    with serving() as (address, pid):
        crowd = Crowd(address, seconds)
        before = processor_seconds(pid)
        asyncio.run(crowd.play(players))
        busy = processor_seconds(pid) - before
    moves = len(crowd.waits)
    print(f"players   {players} for {seconds} s; searches beside them: {crowd.searched}")
    print(f"games     {crowd.begun} begun, {crowd.finished} finished, {len(crowd.lost)} lost")
    print(f"moves     {moves}, {moves / seconds:.0f} a second")
    print(f"server    {busy / moves * 1000:.2f} ms of processor time a move")
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "longest": 1}
    waits = (f"{name} {crowd.wait(share) * 1000:.0f} ms" for name, share in shares.items())
    print(f"waits     {', '.join(waits)}")
    met = crowd.wait(0.99) < MOST_WAIT and not crowd.lost and crowd.searched == SEARCHES
    print(f"goal      p99 < {MOST_WAIT * 1000:.0f} ms, none lost: {'met' if met else 'MISSED'}")
    for reason in sorted(set(crowd.lost))[:5]:
        print(f"lost      {reason}")
    sys.exit(not met)


if __name__ == "__main__":
    main()
