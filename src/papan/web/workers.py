"""The workers: warm processes, a queue in front of them, and an end for each search."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import ceil
from time import monotonic
from typing import Any

from papan.web.limits import Quota
from papan.web.process import Worker
from papan.web.refusals import RETRY_SECONDS, Refused
from papan.web.settings import Settings

LAST_WORDS = 1.0
"""Seconds that a search gets to end by itself once nobody waits for it any more."""
ENDS = ("analysis", "error")
COMPILING = 300.0
"""Seconds of grace while the solvers are still being compiled: a search may wait for its own."""


@dataclass(frozen=True)
class Task:
    """What to think about."""

    position: str
    agent: str
    seconds: float
    nodes: int | None = None
    all_moves: bool = False
    threads: int = 1
    """How many processors it may keep busy."""


class Search:
    """One task, from the queue to its end. Use it as an iterator of lines, then close it."""

    def __init__(self, pool: Pool, task: Task, client: str) -> None:
        self.pool, self.task, self.client = pool, task, client
        self.number = secrets.token_urlsafe(16)
        self.worker: Worker | None = None
        self._stopped = self._ended = self._has_turn = False
        self._began: float | None = None

    async def lines(self) -> AsyncIterator[bytes]:
        """Every event, the last one an analysis or an error."""
        yield _line({"t": "search", "id": self.number})
        self._has_turn = await self.pool.turn(self.client)
        self.worker = await self.pool.idle_worker()
        try:
            await self._begin(self.worker)
            async with asyncio.timeout(self.task.seconds + self.pool.grace):
                while line := await self.worker.line():
                    self._ended = _kind(line) in ENDS
                    yield line
                    if self._ended:
                        return
        except TimeoutError:
            await self.worker.kill()
            yield _line({"t": "error", "key": "web.killed", "values": {}, "message": "killed"})
            return
        await self.worker.kill()
        yield _line({"t": "error", "key": "web.worker_died", "values": {}, "message": "died"})

    async def _begin(self, worker: Worker) -> None:
        if await worker.wakes_up():
            self._began = monotonic()
            worker.tell(asdict(self.task))
            if self._stopped:
                worker.tell({"stop": True})

    def stop(self) -> None:
        """Ask for the best move so far."""
        self._stopped = True
        if self.worker is not None and self._began is not None:
            self.worker.tell({"stop": True})

    async def close(self) -> None:
        """Give the worker back, if need be without mercy."""
        if self.worker is not None:
            if self._began is not None:
                await self._end(self._began)
            await self.pool.take_back(self.worker)
        self.pool.forget(self, self._has_turn)

    async def _end(self, began: float) -> None:
        """Let the worker finish early; kill it if it does not listen."""
        assert self.worker is not None
        if not self._ended:
            await self._hurry(self.worker)
        self.pool.quota.spend(self.client, (monotonic() - began) * self.task.threads)

    async def _hurry(self, worker: Worker) -> None:
        worker.tell({"stop": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                while line := await worker.line():
                    if _kind(line) in ENDS:
                        return
        await worker.kill()


class Pool:
    """All workers and all searches of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.searches: dict[str, Search] = {}
        self.quota = Quota(settings.quota)
        self._clients: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Semaphore] = {}
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._all: set[Worker] = set()
        self._compiler: Worker | None = None

    async def start(self) -> None:
        """Start every worker, so that no guest waits for one to wake up."""
        for _ in range(self.settings.workers):
            await self._hire()
        if self.settings.warm:
            self._compiler = await Worker.start("papan", "warm")

    async def close(self) -> None:
        """End every process."""
        for worker in (*self._all, *filter(None, [self._compiler])):
            await worker.kill()
        self._all.clear()

    @property
    def grace(self) -> float:
        """How far a search may exceed its limit."""
        compiling = self._compiler is not None and self._compiler.alive
        return COMPILING if compiling else self.settings.grace

    def admit(self, task: Task, client: str) -> Search:
        """A place in the queue; raises if there is none."""
        if wait := self.quota.wait(client):
            raise Refused(429, "web.quota_spent", seconds=ceil(wait))
        if self._clients[client] >= self.settings.searches:
            raise Refused(429, "web.too_many_searches", seconds=RETRY_SECONDS)
        if len(self.searches) >= self.settings.workers + self.settings.queue:
            raise Refused(503, "web.busy", seconds=RETRY_SECONDS)
        search = Search(self, task, client)
        self.searches[search.number] = search
        self._clients[client] += 1
        return search

    async def turn(self, client: str) -> bool:
        """Wait until *client* may have one more search running."""
        turns = self._turns.setdefault(client, asyncio.Semaphore(self.settings.at_once))
        return await turns.acquire()

    def forget(self, search: Search, had_turn: bool) -> None:
        """A search is over."""
        if self.searches.pop(search.number, None) is None:
            return
        if had_turn:
            self._turns[search.client].release()
        self._clients[search.client] -= 1
        if not self._clients[search.client]:
            del self._clients[search.client]
            self._turns.pop(search.client, None)

    async def idle_worker(self) -> Worker:
        """A worker with nothing to do, as soon as there is one."""
        while not (worker := await self._idle.get()).alive:
            self._all.discard(worker)
            await self._hire()
        return worker

    async def take_back(self, worker: Worker) -> None:
        """A worker is free again, or a new one in its place."""
        if worker.alive:
            self._idle.put_nowait(worker)
        else:
            self._all.discard(worker)
            await self._hire()

    async def _hire(self) -> None:
        worker = await Worker.start("papan.web.worker", str(self.settings.worker_memory))
        self._all.add(worker)
        self._idle.put_nowait(worker)


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event).encode() + b"\n"


def _kind(line: bytes) -> str:
    """The kind of an event, which is always its first key."""
    return line[7 : line.find(b'"', 7)].decode() if line.startswith(b'{"t": "') else ""
