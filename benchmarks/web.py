"""How the web app holds many players: moves without thinking, while searches run beside them.

    python benchmarks/web.py [players] [seconds]      200 players for 20 seconds

Each player makes a random legal move about once a second until the game is over, then begins
another. A game is lost when an answer is missing or refused. Times are wall time as the player sees
it; the players share the processors with the server, so a small machine measures both.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from time import perf_counter

import httpx2

GAMES = ("tictactoe", "connect4", "dots", "adjacency", "onet")
SEARCH = {"start": "connect4:7,10", "agent": "alphabeta", "seconds": 60}
SERVER = """
from papan.web.serving import serve
from papan.web.settings import Settings
serve("127.0.0.1", 0, False, lambda url: print(url, flush=True), Settings(rate=0, warm=False))
"""


class Crowd:
    """All players, and how long they waited."""

    def __init__(self, address: str, seconds: float) -> None:
        self.client = httpx2.AsyncClient(
            base_url=address, timeout=30, limits=httpx2.Limits(max_connections=None)
        )
        self.end = perf_counter() + seconds
        self.waits: list[float] = []
        self.games = self.lost = 0

    async def player(self, number: int) -> None:
        """One game after the other."""
        rng = random.Random(number)
        while perf_counter() < self.end:
            self.games += 1
            try:
                await self.game(rng.choice(GAMES), rng)
            except (httpx2.HTTPError, KeyError):
                self.lost += 1

    async def game(self, start: str, rng: random.Random) -> None:
        moves: list[str] = []
        while perf_counter() < self.end:
            await asyncio.sleep(rng.uniform(0.5, 1.5))
            began = perf_counter()
            body = {"start": start, "moves": " ".join(moves)}
            board = (await self.client.post("/api/v1/board", json=body)).raise_for_status().json()
            self.waits.append(perf_counter() - began)
            if not board["legal"]:
                return
            moves.append(rng.choice(board["legal"])["m"])

    async def search(self) -> None:
        """A search that runs to the end of the measurement."""
        async with self.client.stream("POST", "/api/v1/think", json=SEARCH) as answer:
            async for _ in answer.aiter_lines():
                if perf_counter() >= self.end:
                    return


async def measure(address: str, players: int, seconds: float) -> None:
    """Print how long moves took."""
    crowd = Crowd(address, seconds)
    work = [*(crowd.player(number) for number in range(players)), crowd.search(), crowd.search()]
    await asyncio.gather(*work)
    await crowd.client.aclose()
    waits = sorted(crowd.waits)
    print(f"players {players}, moves {len(waits)}, games {crowd.games}, lost {crowd.lost}")
    for share in (0.5, 0.9, 0.99, 1):
        wait = waits[min(len(waits) - 1, int(len(waits) * share))]
        print(f"{share:4.0%} of moves within {wait * 1000:.0f} ms")


def main() -> None:
    """Start a server, send the players, stop it."""
    given = [int(word) for word in sys.argv[1:3]]
    players, seconds = given + [200, 20][len(given) :]
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        asyncio.run(measure(server.stdout.readline().strip(), players, seconds))
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
