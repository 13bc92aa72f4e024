"""Measure how the web app serves many players: moves without thinking, while searches run as well.

    python -m benchmarks.web [players] [seconds]      200 players for 20 seconds
    python -m benchmarks.web --minutes 60             an hour of mixed traffic, with 20 rooms

Each player makes a random legal move about once a second until the game is over, then begins
another. A game is lost when an answer is missing, refused, or not about the moves that were made.
In a room two people play over WebSockets, and a move is lost when the other one does not see it.
With minutes there are ten more people, each from an address of their own, who ask for one kind of
thing after the other: a move of an opponent, an analysis, a review, a new puzzle, a graph, a film,
a page with its files. Their waits are printed by kind, from the question to the whole answer; their
analyses take the place of the two searches that otherwise run all the time.
Times are wall time as the player sees it; the players share the processors with the server, so a
small machine measures both. Memory and descriptors are those of the server's process, while
all are connected: after a tenth of the time, and at the end; then, when all have left.
The exit code is 1 where the goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

ROOMS = 20
"""Number of rooms in addition to the players, with --minutes."""
ROOM_GAMES = ("tictactoe", "connect4", "dots", "adjacency")
GAMES = ("tictactoe", "connect4", "dots", "adjacency", "onet")
SEARCH = {"start": "connect4:7,10", "agent": "alphabeta", "seconds": 60}
SEARCHES = 2
VISITORS = 10
"""Number of additional people, with --minutes, who ask for one kind of thing after the other."""
PAUSE = 2.0
"""Seconds between two of their requests, about."""
GAME = {"start": "connect4", "moves": "4 4 4 3 5"}
KINDS: dict[str, tuple[str, Any]] = {
    "turn": ("/api/v1/turn", GAME | {"agents": ["human", "level:3"], "seconds": 2}),
    "analyse": ("/api/v1/think", GAME | {"agent": "alphabeta", "seconds": 0.5}),
    "review": ("/api/v1/review", {"start": "tictactoe", "moves": "b2 a1 c1 a3 a2"}),
    "puzzle": ("/api/v1/puzzles", {"game": "tictactoe", "seed": 0}),
    "graph": ("/api/v1/graph", {"start": "onet:16,30", "name": "moves"}),
    "film": ("/api/v1/film", GAME),
    "board 16x30": ("/api/v1/board", {"start": "onet:16,30"}),
    "next puzzle": ("/api/v1/puzzles/next?game=connect4", None),
    "page": ("/play/connect4", None),
    "texts": ("/api/v1/texts/id", None),
    "static": ("/static/js/api.js", None),
}
"""Requests by kind: the path, and the JSON to post (None: a GET request)."""
KEEP_ALIVE = 5
"""Seconds after which the server closes an idle connection."""
MOST_WAIT = 0.25
"""Seconds within which 99 of 100 moves should be answered."""
LONGEST_WAIT = 30
"""Seconds after which a player abandons a game."""
SERVER = """
import sys
from pathlib import Path
from papan.cli.serve import Terminal
from papan.web.serving import run_server
from papan.web.settings import ServerSettings
run_server("127.0.0.1", 0, False, Terminal(), ServerSettings(rate=0, data=Path(sys.argv[1])))
"""


class Lost(Exception):  # noqa: N818 - an outcome
    """Raised if a game cannot continue."""


class Connection:
    """A minimal HTTP client, so that players take little processor time."""

    def __init__(self, address: str, source: str = "") -> None:
        self.host, self.source = address.removeprefix("http://").rstrip("/"), source

    async def __aenter__(self) -> Connection:
        name, _, port = self.host.rpartition(":")
        self._reader, self._writer = await asyncio.open_connection(
            name, int(port), limit=2**20, local_addr=(self.source, 0) if self.source else None
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        self._writer.close()

    async def ask(self, path: str, question: object) -> dict[str, str]:
        """Send a request; return the headers of a good answer, by their names in lower case.

        Raise Lost for any other status.
        """
        body = b"" if question is None else json.dumps(question).encode()
        verb = "GET" if question is None else "POST"
        head = f"{verb} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        if status.split()[1] not in ("200", "201"):
            raise Lost(status)
        pairs = (line.partition(": ") for line in lines)
        return {name.lower(): value for name, _, value in pairs}

    async def answer(self, path: str, question: object) -> Any:
        """Return the whole JSON answer to a request; raise Lost for a bad status."""
        return await self.body(await self.ask(path, question))

    async def body(self, headers: dict[str, str]) -> Any:
        """Read and return the JSON body that follows the *headers* of an answer."""
        return json.loads(await self._reader.readexactly(int(headers["content-length"])))

    async def whole(self, path: str, question: object) -> bytes:
        """Return the whole answer as bytes; of a stream its last line. Raise Lost for a bad
        status.
        """
        headers = await self.ask(path, question)
        if "content-length" in headers:
            return await self._reader.readexactly(int(headers["content-length"]))
        last = b""
        while (line := await self.line()).strip():
            last = line
        return last

    async def line(self) -> bytes:
        """Return the next line of a stream, which is one chunk; empty at its end."""
        size = int(await self._reader.readline() or b"0", 16)
        chunk = await self._reader.readexactly(size + 2)
        return chunk[:size]


class Crowd:
    """All players of a measurement, and their waiting times in seconds."""

    def __init__(self, address: str, seconds: float, pace: float = 1, games: int = 0) -> None:
        self.address, self.pace, self.games = address, pace, games
        self.longest_wait = seconds + LONGEST_WAIT
        self.end = perf_counter() + seconds
        self.waits: list[float] = []
        self.room_waits: list[float] = []
        self.kinds: dict[str, list[float]] = {kind: [] for kind in KINDS}
        self.begun = self.finished = self.searched = 0
        self.searches = SEARCHES
        self.lost: list[str] = []

    @property
    def over(self) -> bool:
        """True if the time is over and at least *games* games are finished."""
        return perf_counter() >= self.end and self.finished >= self.games

    async def play(self, players: int, rooms: int = 0, visitors: int = 0) -> None:
        """Let all players play and ask, and searches run, until the time is over."""
        work = [self._player(number) for number in range(players)]
        work += [self._visitor(number) for number in range(visitors)]
        pairs = [self._pair(number) for number in range(rooms)]
        self.searches = 0 if visitors else SEARCHES
        await asyncio.gather(*work, *pairs, *(self._search() for _ in range(self.searches)))

    async def _player(self, number: int) -> None:
        """Play one game after the other until the time is over."""
        rng = random.Random(number)
        while not self.over:
            self.begun += 1
            try:
                async with (
                    asyncio.timeout(self.longest_wait),
                    Connection(self.address) as connection,
                ):
                    await self._game(connection, rng)
            except (Lost, OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                self.lost.append(f"{type(error).__name__}: {error}")

    async def _game(self, connection: Connection, rng: random.Random) -> None:
        """Play until the game or the time is over; raise Lost for a wrong answer."""
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

    async def _visitor(self, number: int) -> None:
        """Ask one kind of question after the other, each on a connection of its own."""
        rng, source = random.Random(f"visitor {number}"), f"127.0.1.{number + 1}"
        await asyncio.sleep(rng.uniform(0, PAUSE) * self.pace)
        for kind in cycle(rng.sample([*KINDS], len(KINDS))):
            if perf_counter() >= self.end:
                return
            path, question = KINDS[kind]
            if kind == "puzzle":
                question = question | {"seed": rng.randrange(10**6)}
            began = perf_counter()
            try:
                async with (
                    asyncio.timeout(self.longest_wait),
                    Connection(self.address, source) as connection,
                ):
                    last = await connection.whole(path, question)
                if last.startswith(b'{"t": "error"'):
                    raise Lost(last[:100].decode())
                self.kinds[kind].append(perf_counter() - began)
            except (Lost, OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                self.lost.append(f"{kind}: {type(error).__name__}: {error}")
            await asyncio.sleep(rng.uniform(0.5, 1.5) * PAUSE * self.pace)

    async def _pair(self, number: int) -> None:
        """Let two people play in one room after the other."""
        rng = random.Random(-1 - number)
        while not self.over:
            self.begun += 1
            try:
                async with asyncio.timeout(self.longest_wait):
                    await self._room(rng)
            except (Lost, OSError, WebSocketException, TimeoutError) as error:
                self.lost.append(f"room: {type(error).__name__}: {error}")

    async def _room(self, rng: random.Random) -> None:
        """Play a game in a new room, in which both players must see each move; raise Lost if they
        do not.
        """
        async with Connection(self.address) as connection:
            order = {"start": rng.choice(ROOM_GAMES), "seat": "first"}
            headers = await connection.ask("/api/v1/rooms", order)
            name = (await connection.body(headers))["name"]
            seats = [headers["set-cookie"]]
            headers = await connection.ask(f"/api/v1/rooms/{name}/seat", {})
            await connection.body(headers)
            seats.append(headers["set-cookie"])
        url = f"{self.address.rstrip('/').replace('http', 'ws', 1)}/api/v1/rooms/{name}/live"
        first, second = ({"Cookie": seat.partition(";")[0]} for seat in seats)
        async with (
            connect(url, additional_headers=first, proxy=None, open_timeout=None) as one,
            connect(url, additional_headers=second, proxy=None, open_timeout=None) as other,
        ):
            await self._moves((one, other), rng)

    async def _moves(
        self, players: tuple[ClientConnection, ClientConnection], rng: random.Random
    ) -> None:
        board, _ = [await _received_board(each, []) for each in players]
        while board["legal"] and not self.over:
            await asyncio.sleep(rng.uniform(0.5, 1.5) * self.pace)
            move = rng.choice(board["legal"])["m"]
            moves = [*board["moves"], move]
            order = {"t": "move", "move": move, "ply": len(board["moves"])}
            mover, other = players[board["turn"]], players[1 - board["turn"]]
            began = perf_counter()
            await mover.send(json.dumps(order))
            board = await _received_board(other, moves)
            self.room_waits.append(perf_counter() - began)
            await _received_board(mover, moves)
        self.finished += not board["legal"]

    async def _search(self) -> None:
        """Run one search after the other until the time is over."""
        while not self.over:
            last = b""
            try:
                async with Connection(self.address) as connection:
                    await connection.ask("/api/v1/think", SEARCH)
                    while not self.over and (line := await connection.line()).strip():
                        last = line
            except (Lost, OSError, asyncio.IncompleteReadError) as error:
                self.lost.append(f"search: {type(error).__name__}: {error}")
                return
            if b'"error"' in last[:20]:
                self.lost.append(f"search: {last[:100]!r}")
                return
        self.searched += 1

    def wait(self, share: float) -> float:
        """Return the seconds within which this *share* (0 to 1) of the moves was answered."""
        waits = sorted(self.waits)
        return waits[min(len(waits) - 1, int(len(waits) * share))]


async def _received_board(socket: ClientConnection, moves: list[str]) -> Any:
    """Wait until a visitor of a room receives the board with *moves*, and return it.

    Raise Lost if an order was refused.
    """
    while True:
        message = json.loads(await socket.recv())
        if message["t"] == "refused":
            raise Lost(message["message"])
        if message["t"] == "state" and message["board"]["moves"] == moves:
            return message["board"]


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """Start a server; yield its address and its process number."""
    with TemporaryDirectory() as data:
        command = [sys.executable, "-c", SERVER, data]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            yield server.stdout.readline().partition("?")[0], server.pid
        finally:
            server.terminate()
            server.wait(20)
            server.stdout.close()


def resources(pid: int) -> str:
    """Return memory in megabytes and open descriptors of a process, as text."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        open_files = len([*Path(f"/proc/{pid}/fd").iterdir()])
    except OSError:
        return "not known on this system"
    memory = int(status.partition("VmRSS:")[2].split()[0]) / 1024
    return f"{memory:.0f} MB, {open_files} descriptors"


async def watched(crowd: Crowd, pid: int, players: int, rooms: int, visitors: int) -> list[str]:
    """Let a crowd play; return the server's resources early, at the end, and afterwards, as
    text.
    """
    seconds = crowd.end - perf_counter()
    playing = asyncio.ensure_future(crowd.play(players, rooms, visitors))
    await asyncio.sleep(seconds / 10)
    early = resources(pid)
    await asyncio.sleep(seconds * 0.88)
    late = resources(pid)
    await playing
    await asyncio.sleep(KEEP_ALIVE + 1)  # connections that are left behind are closed by then
    return [early, late, resources(pid)]


def processor_seconds(pid: int) -> float:
    """Return the processor seconds of a process so far; 0 if the system does not report them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Start a server, let the players play, and print the results; exit with 1 if the goal is
    missed.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("players", type=int, nargs="?", default=200)
    parser.add_argument("seconds", type=float, nargs="?", default=20)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--rooms", type=int)
    given = parser.parse_args()
    players, seconds = given.players, given.minutes * 60 if given.minutes else given.seconds
    rooms = given.rooms if given.rooms is not None else ROOMS * bool(given.minutes)
    visitors = VISITORS * bool(given.minutes)
    with serving() as (address, pid):
        crowd = Crowd(address, seconds)
        before = processor_seconds(pid)
        early, late, after = asyncio.run(watched(crowd, pid, players, rooms, visitors))
        busy = processor_seconds(pid) - before
    moves = len(crowd.waits) + len(crowd.room_waits)
    print(f"players   {players} and {rooms} rooms for {seconds:g} s; searches: {crowd.searched}")
    print(f"games     {crowd.begun} begun, {crowd.finished} finished, {len(crowd.lost)} lost")
    print(f"moves     {moves}, {moves / seconds:.0f} a second")
    print(f"server    {busy / moves * 1000:.2f} ms of processor time a move")
    print(f"waits     {waits(crowd.waits)}")
    if crowd.room_waits:
        print(f"in rooms  {waits(crowd.room_waits)}")
    if visitors:
        print(by_kind(crowd))
    tenth = max(1, len(crowd.waits) // 10)
    print(f"first     {waits(crowd.waits[:tenth])}")
    print(f"last      {waits(crowd.waits[-tenth:])}")
    print(f"memory    {early} after a tenth; {late} at the end; {after} when all have left")
    rooms_played = bool(crowd.room_waits) or not rooms
    if not rooms_played:
        print("in rooms  no move was made in the time")
    met = (
        rooms_played
        and crowd.wait(0.99) < MOST_WAIT
        and not crowd.lost
        and crowd.searched == crowd.searches
    )
    print(f"goal      p99 < {MOST_WAIT * 1000:.0f} ms, none lost: {'met' if met else 'MISSED'}")
    for reason in sorted(set(crowd.lost))[:5]:
        print(f"lost      {reason}")
    sys.exit(not met)


def by_kind(crowd: Crowd) -> str:
    """Return the waiting times in milliseconds by kind of question, as a Markdown table."""
    rows = {"game move": crowd.waits, "room move": crowd.room_waits} | crowd.kinds
    lines = ["", "| kind | asked | p50 ms | p99 ms | longest ms |", "|---|---|---|---|---|"]
    for kind, found in rows.items():
        ordered = sorted(found)
        places = [min(len(ordered) - 1, int(len(ordered) * share)) for share in (0.5, 0.99, 1)]
        figures = [ordered[place] for place in places] if ordered else []
        cells = " | ".join(f"{figure * 1000:.0f}" for figure in figures) or "- | - | -"
        lines.append(f"| {kind} | {len(ordered)} | {cells} |")
    return "\n".join((*lines, ""))


def waits(found: list[float]) -> str:
    """Return the quantiles of waiting times, given in seconds, in milliseconds as one line."""
    ordered = sorted(found)
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "longest": 1}
    return ", ".join(
        f"{name} {ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000:.0f} ms"
        for name, share in shares.items()
    )


if __name__ == "__main__":
    main()
