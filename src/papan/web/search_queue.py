"""The queue of a server's searches: which are admitted, in which order they run, when each must
end.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import asdict
from math import ceil
from time import monotonic
from typing import Literal

from papan.core.message import Message
from papan.web.guard import AddressSlots, Quota
from papan.web.settings import RANKS, ServerSettings
from papan.web.wire import RETRY_SECONDS, Refused, error_body
from papan.web.worker_pool import (
    ForkServer,
    OnCompiled,
    StartWorker,
    Worker,
    WorkerPool,
    ignore_compiled,
)
from papan.web.worker_protocol import (
    FINAL_KINDS,
    LOADING_SECONDS,
    Task,
    WorkerEvent,
    event_line,
)

MOST_STARTS = 2
"""Number of times that a search is started if its worker dies, before the client gets an error."""
CHECK_SECONDS = 0.5
"""Seconds between two checks of a worker's processor time."""
STOP_SECONDS = 2.0
"""Seconds that searches have to answer once the server stops."""
THREADS = 2
"""Number of the server's own threads that one address may use at the same time."""
MOVE_SECONDS = 2.0
"""Seconds of processor time for a move of a game while another client waits for a worker; also the
seconds by the clock after which that client has waited for long."""
LEAST_MOVE_SECONDS = 0.5
"""Seconds of processor time for a move while another client has waited for long."""
LEAST_COST = 0.01
"""Seconds charged to the quota for every search, however short."""
LEAST_PROGRESS = 0.1
"""Seconds of processor time within `ServerSettings.silence` that show that a search is running."""
ASSUMED_SHARE = 0.1
"""Processor time as a share of the clock, where the system does not measure it."""

BudgetState = Literal["within", "exceeded", "stuck"]


class CpuBudget:
    """The processor time that a worker may use for a task before it is asked to stop, and then
    killed.

    It counts processor time, not the clock: on a busy machine a search may get a tenth of a
    processor, and is slow but not at fault. A search is *exceeded* once it has used its limit and
    `ServerSettings.grace`. It is exceeded, too, if it is silent, that is, has used less than
    `LEAST_PROGRESS` for `ServerSettings.silence`, though its seconds and the grace have passed by
    the clock; while it loads, silence alone is enough. It is *stuck* if one of these happens again
    after it was asked to stop, when only the grace is granted. A search that is exceeded while it
    loads gets no more grace: it is stuck as soon as it was asked to stop.

    *processor_seconds* returns those of the worker's process so far, None where the system does not
    measure them; *clock* returns seconds by the clock.
    """

    def __init__(
        self,
        settings: ServerSettings,
        processor_seconds: Callable[[], float | None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.settings = settings
        self.stop_requested = False
        self._read, self._clock = processor_seconds, clock
        self._began, self._first = clock(), processor_seconds()
        self._started = False
        self._seen = self._most = 0.0
        self._since = self._due = self._began
        self._grant(LOADING_SECONDS)

    @property
    def spent(self) -> float:
        """Seconds of processor time since the worker got the task; an estimate where they are not
        measured.
        """
        now = self._read()
        if now is None or self._first is None:
            return (self._clock() - self._began) * ASSUMED_SHARE
        return now - self._first

    def start(self, seconds: float, threads: int) -> None:
        """Grant *seconds* of processor time to each of *threads* from now on: the worker has
        loaded.

        None are granted if it was asked to stop meanwhile.
        """
        self._started = True
        self._grant(0 if self.stop_requested else seconds, threads)

    def request_stop(self) -> None:
        """Note that the worker was asked to stop: once it has loaded, only `ServerSettings.grace`
        is left to it.

        While it loads, what it may use stays as it is. A second call changes nothing.
        """
        if not self.stop_requested:
            self.stop_requested = True
            if self._started:  # a worker that is loading reads nothing
                self._grant(0)

    def state(self) -> BudgetState:
        """Return whether the worker is ``within`` its budget, ``exceeded`` (ask it to stop) or
        ``stuck`` (kill it).
        """
        spent, now = self.spent, self._clock()
        if spent - self._seen >= LEAST_PROGRESS:
            self._seen, self._since = spent, now
        silent = now >= self._due and now - self._since >= self.settings.silence
        if spent < self._most and not silent:
            return "within"
        return "stuck" if self.stop_requested else "exceeded"

    def _grant(self, seconds: float, threads: int = 1) -> None:
        """Allow from now on *seconds* of processor time for each of *threads*, and
        `ServerSettings.grace` for all of them together.
        """
        self._seen, self._since = self.spent, self._clock()
        self._most = self._seen + seconds * threads + self.settings.grace
        self._due = self._since + (seconds + self.settings.grace if self._started else 0)


class QueuedSearch:
    """One *task* of *client* (an address), from the queue to its end: iterate over `lines`, then
    `close` it.
    """

    def __init__(self, queue: SearchQueue, task: Task, client: str) -> None:
        self.queue, self.task, self.client = queue, task, client
        self.number = secrets.token_urlsafe(16)
        self.key = task.rank, client
        """Rank and client; searches with the same key share the limits of one client."""
        self.worker: Worker | None = None
        self._budget: CpuBudget | None = None
        self._stopped = self._ended = False
        self._timeout: asyncio.Timeout | None = None
        self._timeout_error = "web.no_worker"
        """Key of the error that is sent if no worker is free in time."""

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield every event as a line of JSON: ``search`` with its id first, a final event or an
        error last.

        It waits for a worker after the first. A search whose worker dies, or is stuck and killed,
        is started anew, once, and its events begin anew; a worker that dies before its first event
        was lost while idle, and does not count for the first `ServerSettings.workers` times. The
        last event is an error if the worker says so, if both starts failed, if no worker is free
        within `ServerSettings.longest_wait`, if the search is evicted, or if the server stops
        before it has a worker.
        """
        yield event_line({"t": "search", "id": self.number})
        failure, starts, idle = "web.worker_died", MOST_STARTS, self.queue.settings.workers
        while starts and not self.queue.stopping:
            self._timeout = asyncio.timeout(self.queue.settings.longest_wait)
            try:
                self.worker = worker = await self._pool.acquire(self.client, self._timeout)
            except TimeoutError:
                failure = self._timeout_error
                break
            finally:
                self._timeout = None
            budget, answered = self._start(worker), False
            while event := await self._next(worker, budget):
                answered = True
                yield event.json
                if self._ended:
                    return
            failure = "web.killed" if worker.alive else "web.worker_died"
            await self._release()
            if answered or not idle:
                starts -= 1
            else:
                idle -= 1
        failure = "web.stopping" if self.queue.stopping else failure
        yield event_line({"t": "error", **error_body(Message(failure, {"seconds": RETRY_SECONDS}))})

    @property
    def is_waiting(self) -> bool:
        """True while it waits for a worker."""
        return self._timeout is not None

    def evict(self) -> None:
        """End the wait for a worker with the error ``web.busy`` as its last event; do nothing if it
        does not wait.
        """
        if self._timeout is not None and not self._timeout.expired():
            self._timeout_error = "web.busy"
            self._timeout.reschedule(0)

    def _must_yield(self, budget: CpuBudget) -> bool:
        """Return whether a move of a game has used its share while another client waits.

        The share is `MOVE_SECONDS` of processor time. On a busy machine these can take long, so
        `LEAST_MOVE_SECONDS` are enough once the other client has waited `MOVE_SECONDS` by the
        clock. False for any other task, and for a search that was asked to stop already.
        """
        if self.task.rank != "game" or self.task.call != "think" or budget.stop_requested:
            return False
        wait = self._pool.longest_wait(self.client)
        if wait is None:
            return False
        return budget.spent > (MOVE_SECONDS if wait < MOVE_SECONDS else LEAST_MOVE_SECONDS)

    @property
    def _pool(self) -> WorkerPool:
        return self.queue.pools[self.task.rank]

    def stop(self) -> None:
        """Ask the worker for the best answer so far, now or when the search starts; return
        at once.
        """
        self._stopped = True
        if self.worker is not None and self._budget is not None:
            self.worker.send({"stop": True})
            self._budget.request_stop()

    async def close(self) -> None:
        """Stop the search if it runs, wait for its end, release its worker, and leave the queue.

        A worker that does not stop in time is killed. A second call does nothing.
        """
        try:
            await self._release()
        finally:
            self.queue.searches.pop(self.number, None)

    def _start(self, worker: Worker) -> CpuBudget:
        """Send the task to *worker*, and return the processor time that it may use for it."""
        self._budget = CpuBudget(self.queue.settings, lambda: worker.processor_seconds)
        worker.send(asdict(self.task))
        if self._stopped:
            self.stop()
        return self._budget

    async def _next(self, worker: Worker, budget: CpuBudget) -> WorkerEvent | None:
        """Wait for the next event of *worker*, whose task has *budget*, and return it.

        Meanwhile a worker that has used its budget is asked to stop, and so is one that must yield
        to another client. None if it has died or is stuck.
        """
        while True:
            match budget.state():
                case "exceeded":
                    worker.send({"stop": True})
                    budget.request_stop()
                case "stuck":
                    return None
                case "within" if self._must_yield(budget):
                    self.stop()
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    event = await worker.event()
                    break
        if event is not None and event.kind == "start":
            budget.start(self.task.seconds, self.task.threads)
        self._ended = event is not None and event.kind in FINAL_KINDS
        return event

    async def _release(self) -> None:
        """Stop the search, wait for its end, and give the worker back; kill it if it does not stop
        in time.

        The processor time of the search, at least `LEAST_COST`, is charged to the client. Do
        nothing without a worker.
        """
        worker, budget = self.worker, self._budget
        if worker is None or budget is None:
            return
        self.worker = self._budget = None
        try:
            if not self._ended:
                worker.send({"stop": True})
                budget.request_stop()
                while not self._ended and await self._next(worker, budget):
                    pass
            self.queue.quota.spend(self.client, max(budget.spent, LEAST_COST))
        finally:
            if not self._ended:
                await worker.kill()
            self._pool.release(self.client, worker, succeeded=self._ended)


class SearchQueue:
    """All searches of a server, running and waiting, and the pools of workers that run them.

    *start* starts a worker (None: the fork server does); *on_compiled* is called with the progress
    of the compiler, and with None at its end.
    """

    def __init__(
        self,
        settings: ServerSettings,
        start: StartWorker | None = None,
        on_compiled: OnCompiled = ignore_compiled,
    ) -> None:
        self.settings = settings
        self.fork_server = ForkServer(settings.worker_memory, on_compiled, settings.warm)
        start = start or self.fork_server.worker
        self.pools = {rank: WorkerPool(rank, settings, start) for rank in RANKS}
        self.searches: dict[str, QueuedSearch] = {}
        """The searches that were admitted and neither closed nor evicted, by id, in the order of
        admission.
        """
        self.stopping = False
        """True once the server stops: no more searches start."""
        self.quota = Quota(settings.quota)
        self.threads = AddressSlots(THREADS)
        """Limits how many of the server's own threads one address occupies."""
        self._supervisor: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start workers in the background and return without waiting for them."""
        self.stopping = False
        for pool in self.pools.values():
            pool.open()
        self._supervisor = asyncio.create_task(self.fork_server.run(self._replace_cold))

    async def stop(self) -> None:
        """Ask all searches for their best answer so far, and wait; kill those without one after
        `STOP_SECONDS`.

        Those that wait for a worker end with an error.
        """
        self.stopping = True
        for pool in self.pools.values():
            pool.cancel_waiting()
        for search in self.searches.values():
            search.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while self.searches:
                    await asyncio.sleep(0.02)
        unresponsive = [search.worker for search in self.searches.values() if search.worker]
        await asyncio.gather(*(worker.kill() for worker in unresponsive))

    async def close(self) -> None:
        """Kill all worker processes and the fork server, and wait for their ends; call `stop`
        before.
        """
        if self._supervisor is not None:
            self._supervisor.cancel()
        await asyncio.gather(*(pool.close() for pool in self.pools.values()))
        await self.fork_server.close()

    @property
    def alive(self) -> int:
        """The number of live workers of all ranks."""
        return sum(pool.alive for pool in self.pools.values())

    def admit(self, task: Task, client: str) -> QueuedSearch:
        """Add a search of *task* for *client* (an address) to the queue and return it; it starts
        with `lines`.

        The caller must `close` it. Raise Refused with status 429 if *client* has spent its quota or
        has too many searches of this rank, 503 if the queue of this rank is full; but if another
        client with a waiting search has at least two searches more than *client*, one of those that
        wait is evicted instead.
        """
        if wait := self.quota.wait(client):
            raise Refused(429, "web.quota_spent", seconds=ceil(wait))
        search = QueuedSearch(self, task, client)
        keys = [each.key for each in self.searches.values()]
        if keys.count(search.key) >= self.settings.searches:
            raise Refused(429, "web.too_many_searches", seconds=RETRY_SECONDS)
        rivals = sum(rank == task.rank for rank, _ in keys)
        if rivals >= self.settings.workers + self.settings.queue and not self._evict_for(search):
            raise Refused(503, "web.busy", seconds=RETRY_SECONDS)
        self.searches[search.number] = search
        return search

    def _evict_for(self, newcomer: QueuedSearch) -> bool:
        """Evict the newest waiting search of the client that has most; return whether one was.

        Only searches of the rank of *newcomer* count, only clients with a waiting search are
        considered, and only one with at least two searches more than the client of *newcomer* loses
        one.
        """
        shares = Counter(each.key for each in self.searches.values())
        waiting = [
            each
            for each in self.searches.values()
            if each.is_waiting and each.task.rank == newcomer.task.rank
        ]
        most = max((shares[each.key] for each in waiting), default=0)
        if most < shares[newcomer.key] + 2:
            return False
        evicted = [each for each in waiting if shares[each.key] == most][-1]
        evicted.evict()
        del self.searches[evicted.number]
        return True

    async def _replace_cold(self) -> None:
        for pool in self.pools.values():
            await pool.replace_cold()
