"""Searches: a queue in front of the workers, an end for each search, and what it costs whom."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import ceil
from time import monotonic
from typing import Any, Literal

from papan.core.message import Message
from papan.web.guard import Quota, Turns
from papan.web.settings import RANKS, Rank, Settings
from papan.web.wire import RETRY_SECONDS, Refused, complaint
from papan.web.worker import LOADING
from papan.web.worker_group import (
    Count,
    ForkServer,
    Start,
    Worker,
    WorkerGroup,
    uncounted,
)

ENDS = ("analysis", "answer", "error")
ATTEMPTS = 2
"""How often a search is begun whose worker is lost, before anybody hears of it."""
LOOK_EVERY = 0.5
"""Seconds between two looks at how much a worker has used."""
LAST_WORDS = 2.0
"""Seconds in which a search must have answered once the server is told to stop."""
THREADS = 2
"""How many questions of one address the server itself works at; none of them takes long."""
MOVE_SECONDS = 2.0
"""Seconds of processor time for a move of a game while somebody else waits for a worker."""
LEAST_COST = 0.01
"""Seconds that every search costs, however little it takes."""
Verdict = Literal["fine", "late", "stuck"]

LEAST = 0.1
"""Seconds of processor time that show, within a whole time of silence, that something goes on."""
UNMEASURED = 10
"""Where the system does not tell the processor time: a search gets a tenth of it, we suppose."""


@dataclass(frozen=True)
class Task:
    """What a worker is to do: one of the calls of `papan.web.worker`."""

    call: str
    arguments: dict[str, Any]
    seconds: float = 30
    threads: int = 1
    """How many processors it may keep busy."""
    rank: Rank = "analysis"


class CpuBudget:
    """What one worker may still use before it is asked to stop, and before it is ended.

    It counts processor time, not the clock. A busy machine may give a search a tenth of a
    processor: then it is slow, and there is nothing wrong with it. One that has used up what it was
    granted, and more, or does nothing at all, is stuck.
    """

    def __init__(
        self,
        settings: Settings,
        spent: Callable[[], float | None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.settings = settings
        self.asked = False
        """Was it asked to stop?"""
        self._read, self._clock = spent, clock
        self._began, self._first = clock(), spent()
        self._thinks = False
        self._seen = self._most = 0.0
        self._since = self._due = self._began
        self._grant(LOADING)

    @property
    def spent(self) -> float:
        """Seconds of processor time since it was handed over."""
        now = self._read()
        if now is None or self._first is None:
            return (self._clock() - self._began) / UNMEASURED
        return now - self._first

    def begin(self, seconds: float, threads: int) -> None:
        """Now it has loaded everything: from here on it has what it was granted."""
        self._thinks = True
        self._grant(0 if self.asked else seconds, threads)

    def ask(self) -> None:
        """It is asked to stop: from now on it has the grace, and no more."""
        if not self.asked:
            self.asked = True
            if self._thinks:  # else it cannot hear before it has loaded
                self._grant(0)

    def verdict(self) -> Verdict:
        """How it stands; *late*: it is time to ask it to stop."""
        spent, now = self.spent, self._clock()
        if spent - self._seen >= LEAST:
            self._seen, self._since = spent, now
        silent = now >= self._due and now - self._since >= self.settings.silence
        if spent < self._most and not silent:
            return "fine"
        return "stuck" if self.asked else "late"

    def _grant(self, seconds: float, threads: int = 1) -> None:
        """So many seconds more, and the grace; what happens from now on is new."""
        self._seen, self._since = self.spent, self._clock()
        self._most = self._seen + seconds * threads + self.settings.grace
        self._due = self._since + (seconds + self.settings.grace if self._thinks else 0)


class Search:
    """One task, from the queue to its end. Use it as an iterator of lines, then close it."""

    def __init__(self, pool: Pool, task: Task, client: str) -> None:
        self.pool, self.task, self.client = pool, task, client
        self.number = secrets.token_urlsafe(16)
        self.key = task.rank, client
        """Whose it is: searches of one rank and one client wait for each other."""
        self.worker: Worker | None = None
        self._budget: CpuBudget | None = None
        self._stopped = self._ended = False
        self._wait: asyncio.Timeout | None = None
        self._unserved = "web.no_worker"
        """What is told where no worker came in time."""

    async def lines(self) -> AsyncIterator[bytes]:
        """Every event, the last one an analysis, an answer or an error."""
        yield event_line({"t": "search", "id": self.number})
        failure, attempts, silent = "web.worker_died", ATTEMPTS, self.pool.settings.workers
        while attempts and not self.pool.stopping:
            self._wait = asyncio.timeout(self.pool.settings.longest_wait)
            try:
                self.worker = worker = await self._group.acquire(self.client, self._wait)
            except TimeoutError:
                failure = self._unserved
                break
            finally:
                self._wait = None
            budget, heard = self._begin(worker), False
            while line := await self._next(worker, budget):
                heard = True
                yield line
                if self._ended:
                    return
            failure = "web.killed" if worker.alive else "web.worker_died"
            await self._release()
            if heard or not silent:
                attempts -= 1
            else:
                silent -= 1  # it was lost while idle, and so may be every other one
        failure = "web.stopping" if self.pool.stopping else failure
        yield event_line({"t": "error", **complaint(Message(failure, {"seconds": RETRY_SECONDS}))})

    @property
    def waits(self) -> bool:
        """Has it no worker yet?"""
        return self._wait is not None

    def make_way(self) -> None:
        """Wait no longer for a worker: somebody else is to have the place."""
        if self._wait is not None and not self._wait.expired():
            self._unserved = "web.busy"
            self._wait.reschedule(0)

    def _outstays(self, budget: CpuBudget) -> bool:
        """Has a move been thought about for long enough, while somebody else waits for theirs?"""
        is_move = self.task.rank == "game" and self.task.call == "think"
        long = is_move and not budget.asked and budget.spent > MOVE_SECONDS
        return long and self._group.keeps_waiting(self.client)

    @property
    def _group(self) -> WorkerGroup:
        return self.pool.groups[self.task.rank]

    def stop(self) -> None:
        """Ask for the best move so far."""
        self._stopped = True
        if self.worker is not None and self._budget is not None:
            self.worker.send({"stop": True})
            self._budget.ask()

    async def close(self) -> None:
        """Release the worker, once its search has stopped."""
        try:
            await self._release()
        finally:
            self.pool.searches.pop(self.number, None)

    def _begin(self, worker: Worker) -> CpuBudget:
        self._budget = CpuBudget(self.pool.settings, lambda: worker.processor_seconds)
        worker.send(asdict(self.task))
        if self._stopped:
            self.stop()
        return self._budget

    async def _next(self, worker: Worker, budget: CpuBudget) -> bytes:
        """The next event; nothing where the worker has died, or is stuck."""
        while True:
            match budget.verdict():
                case "late":
                    worker.send({"stop": True})
                    budget.ask()
                case "stuck":
                    return b""
                case "fine" if self._outstays(budget):
                    self.stop()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    line = await worker.line()
                    break
        if _kind(line) == "start":
            budget.begin(self.task.seconds, self.task.threads)
        self._ended = _kind(line) in ENDS
        return line

    async def _release(self) -> None:
        """Let the worker finish early, where it has not; end it if it does not listen."""
        worker, budget = self.worker, self._budget
        if worker is None or budget is None:
            return
        self.worker = self._budget = None
        try:
            if not self._ended:
                worker.send({"stop": True})
                budget.ask()
                while not self._ended and await self._next(worker, budget):
                    pass
            self.pool.quota.spend(self.client, max(budget.spent, LEAST_COST))
        finally:
            if not self._ended:
                await worker.kill()
            self._group.release(self.client, worker, self._ended)


class Pool:
    """All workers and all searches of a server."""

    def __init__(
        self, settings: Settings, start: Start | None = None, count: Count = uncounted
    ) -> None:
        self.settings = settings
        self.fork_server = ForkServer(settings.worker_memory, count, settings.warm)
        start = start or self.fork_server.worker
        self.groups = {rank: WorkerGroup(rank, settings, start) for rank in RANKS}
        self.searches: dict[str, Search] = {}
        self.stopping = False
        """Was the server told to stop? Then no search begins."""
        self.quota = Quota(settings.quota)
        self.threads = Turns(THREADS)
        """Whose turn it is in the threads of the server itself."""
        self._supervisor: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to start workers; nobody waits for them but who asks for a search."""
        self.stopping = False
        for group in self.groups.values():
            group.open()
        self._supervisor = asyncio.create_task(self.fork_server.keep(self._renew))

    async def stop(self) -> None:
        """Let every search say its last word: its best move so far, or that it has none."""
        self.stopping = True
        for group in self.groups.values():
            group.dismiss()
        for search in self.searches.values():
            search.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                while self.searches:
                    await asyncio.sleep(0.02)
        deaf = [search.worker for search in self.searches.values() if search.worker]
        await asyncio.gather(*(worker.kill() for worker in deaf))

    async def close(self) -> None:
        """End every process."""
        if self._supervisor is not None:
            self._supervisor.cancel()
        await asyncio.gather(*(group.close() for group in self.groups.values()))
        await self.fork_server.close()

    @property
    def alive(self) -> int:
        """How many workers there are."""
        return sum(group.alive for group in self.groups.values())

    def admit(self, task: Task, client: str) -> Search:
        """A place in the queue; raises if there is none."""
        if wait := self.quota.wait(client):
            raise Refused(429, "web.quota_spent", seconds=ceil(wait))
        search = Search(self, task, client)
        keys = [each.key for each in self.searches.values()]
        if keys.count(search.key) >= self.settings.searches:
            raise Refused(429, "web.too_many_searches", seconds=RETRY_SECONDS)
        rivals = sum(rank == task.rank for rank, _ in keys)
        if rivals >= self.settings.workers + self.settings.queue and not self._make_way(search):
            raise Refused(503, "web.busy", seconds=RETRY_SECONDS)
        self.searches[search.number] = search
        return search

    def _make_way(self, newcomer: Search) -> bool:
        """Let the newest search that waits of whoever has most make way for one with fewer."""
        shares = Counter(each.key for each in self.searches.values())
        waiting = [
            each
            for each in self.searches.values()
            if each.waits and each.task.rank == newcomer.task.rank
        ]
        most = max((shares[each.key] for each in waiting), default=0)
        if most < shares[newcomer.key] + 2:
            return False
        leaving = [each for each in waiting if shares[each.key] == most][-1]
        leaving.make_way()
        del self.searches[leaving.number]
        return True

    async def _renew(self) -> None:
        for group in self.groups.values():
            await group.renew()


def event_line(event: dict[str, Any]) -> bytes:
    """An event as it travels."""
    return json.dumps(event).encode() + b"\n"


def _kind(line: bytes) -> str:
    """The kind of an event, which is always its first key."""
    return line[7 : line.find(b'"', 7)].decode() if line.startswith(b'{"t": "') else ""
