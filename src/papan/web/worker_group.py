"""The workers of one rank: replaced when they die, handed out one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from papan.web.process import FIRST_PAUSE, LONGEST_PAUSE, Worker, lower_priority
from papan.web.settings import NICENESS, Rank, Settings

LOOK_EVERY = 1.0
"""Seconds between two looks at workers that nobody uses: are they still alive?"""

Start = Callable[[], Awaitable[Worker]]
"""Gives a worker that is ready; raises OSError or TimeoutError where none can be had now."""


class WorkerGroup:
    """As many workers as are wanted, and never more than the settings allow.

    Nobody but `_keep` starts workers, and it is never cancelled with somebody's question: so a
    worker that is lost is replaced, whoever asked for it, and whoever has left meanwhile.
    """

    def __init__(self, rank: Rank, settings: Settings, start: Start) -> None:
        self.rank, self.settings = rank, settings
        self.workers: set[Worker] = set()
        self._start = start
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._demand = 0
        """How many searches have a worker or wait for one."""
        self._pause = FIRST_PAUSE
        self._change = asyncio.Event()
        self._supervisor: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to keep workers, if that was not done before."""
        if self._supervisor is None:
            self._supervisor = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """End every worker."""
        if self._supervisor is not None:
            self._supervisor.cancel()
            with suppress(asyncio.CancelledError):
                await self._supervisor
            self._supervisor = None  # who starts the app again gets workers again
        await asyncio.gather(*(worker.kill() for worker in self.workers))
        self.workers.clear()

    @property
    def alive(self) -> int:
        """How many workers there are."""
        return sum(worker.alive for worker in self.workers)

    async def acquire(self) -> Worker:
        """A worker that is ready; raises TimeoutError after the longest wait."""
        self.open()
        self._demand += 1
        self._change.set()
        try:
            async with asyncio.timeout(self.settings.longest_wait):
                while not (worker := await self._idle.get()).alive:
                    self._change.set()
                return worker
        except BaseException:
            self._demand -= 1
            raise

    def release(self, worker: Worker, well: bool) -> None:
        """A worker is free again, or lost; *well*: it has done what it was asked for."""
        self._demand -= 1
        if well:
            self._pause = FIRST_PAUSE
        if worker.alive:
            self._idle.put_nowait(worker)
        self._change.set()

    async def renew(self) -> None:
        """End workers that have not loaded everything and wait for work: better ones can be had."""
        for worker in [self._idle.get_nowait() for _ in range(self._idle.qsize())]:
            if worker.warm:
                self._idle.put_nowait(worker)
            else:
                await worker.kill()
        self._change.set()

    async def _keep(self) -> None:
        """Start workers while some are missing; where that fails, wait longer each time."""
        while True:
            self._change.clear()
            lost = {worker for worker in self.workers if not worker.alive}
            self.workers -= lost
            wanted = min(self.settings.workers, self._demand + self.settings.spare)
            if lost or len(self.workers) >= wanted:
                await self._rest(self._pause if lost else None)
                continue
            try:
                worker = await self._start()
            except (OSError, TimeoutError):
                await self._rest(self._pause)
                continue
            lower_priority(worker.pid, NICENESS[self.rank])
            self.workers.add(worker)
            self._idle.put_nowait(worker)

    async def _rest(self, pause: float | None) -> None:
        """Wait for a change; after a failure for a *pause*, which is twice as long each time."""
        if pause is not None:
            self._pause = min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(pause)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY):
                await self._change.wait()
