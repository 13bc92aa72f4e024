"""Workers of a server: forked or started, replaced when they die, handed out one by one."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from papan.process.host import (
    COPIES,
    apart,
    kill_group,
    lower_priority,
    processor_seconds,
    python,
)
from papan.process.lines import ProcessEndedError, WireMessage
from papan.web.guard import MOST_ADDRESSES
from papan.web.settings import NICENESS, Rank, Settings
from papan.web.worker import NOT_COMPILED

WORKER = "papan.web.worker"
LONGEST_LINE = 16 * 2**20
"""Bytes of one event: a whole tree travels in one line."""
STARTING = 300.0
"""Seconds that a process may take to be ready: what it loads may have to be compiled."""
DYING = 10.0
"""Seconds to wait for the end of a process that was killed: the system may be slow with it."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before what could not be started is tried again: twice as long each time."""
MOMENT = 10.0
"""Seconds to wait for workers, at most, before people are told where the server is."""
LOOK_EVERY = 1.0
"""Seconds between two looks at workers that nobody uses: are they still alive?"""

Compiled = tuple[int, int] | None
"""How many searches the compiler has done, of how many; None while it has no work."""
Count = Callable[[Compiled], None]
"""Hears how far the compiler is, whenever that changes."""


def uncounted(compiled: Compiled) -> None:
    """Tell nobody."""


async def started(
    module: str, *arguments: str, stdin: Any = asyncio.subprocess.PIPE
) -> asyncio.subprocess.Process:
    """A new process that runs a *module*; it ends when its input does, as it does with us."""
    return await asyncio.create_subprocess_exec(
        *python(module, *arguments),
        stdin=stdin,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
        **apart(),
    )


class Worker:
    """A process that emits events while it works, and the way to it and back."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = 0
        self.warm = False
        """Were all solvers loaded before it was ready?"""
        self.process: asyncio.subprocess.Process | None = None
        """Who has to be waited for, where it is our own child."""
        self._reader, self._writer = reader, writer
        self._reading = asyncio.Lock()
        self._killed = False

    async def wakes_up(self) -> Self:
        """Wait for its first line, which says that it is ready; raises, and ends it, if none."""
        try:
            async with asyncio.timeout(STARTING):
                ready = json.loads(await self.line() or b"{}")
        except BaseException:
            await self.kill()
            raise
        if not ready:
            self._writer.close()
            raise ProcessEndedError("a worker ended before it was ready")
        self.pid, self.warm = ready["pid"], ready["warm"]
        return self

    @property
    def alive(self) -> bool:
        """Has it not ended? Its side of the connection closes then, whatever the reason."""
        lost = self._reader.at_eof() or self._reader.exception() is not None
        return not self._killed and not lost

    def send(self, message: WireMessage) -> None:
        """Send one line."""
        if self.alive and not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def line(self) -> bytes:
        """The next line that it says; nothing when it has died."""
        async with self._reading:  # who ends it reads, too, while somebody waits for its answer
            with suppress(ConnectionError):
                return await self._reader.readline()
            return b""

    @property
    def processor_seconds(self) -> float | None:
        """How long it has kept processors busy; None where the system does not tell."""
        return processor_seconds(self.pid)

    async def kill(self) -> None:
        """End the process, and whatever it has started, at once."""
        if self.alive and self.pid:
            kill_group(self.pid)
            with suppress(TimeoutError):
                async with asyncio.timeout(DYING):
                    while await self.line():
                        pass
                    if self.process is not None:
                        await self.process.wait()
        self._killed = True
        self._writer.close()


Start = Callable[[], Awaitable[Worker]]
"""Gives a worker that is ready; raises OSError or TimeoutError where none can be had now."""


async def spawned(memory: int, warm: bool) -> Worker:
    """A worker that starts from nothing, which takes seconds: where there is no fork server."""
    process = await started(WORKER, "warm" if warm else "cold", str(memory))
    assert process.stdout is not None and process.stdin is not None
    worker = Worker(process.stdout, process.stdin)
    worker.pid, worker.process = process.pid, process
    return await worker.wakes_up()


@dataclass(eq=False)
class Place:
    """Somebody who waits for a worker."""

    client: str
    worker: asyncio.Future[Worker]


class WorkerGroup:
    """As many workers as are wanted, and never more than the settings allow.

    A worker that is free goes to the client that waits and has fewest, then to the one whose last
    turn is longest ago: whoever asks for much waits for everybody else's turn before the next one.

    Nobody but `_keep` starts workers, and it is never cancelled with somebody's question: so a
    worker that is lost is replaced, whoever asked for it, and whoever has left meanwhile.
    """

    def __init__(self, rank: Rank, settings: Settings, start: Start) -> None:
        self.rank, self.settings = rank, settings
        self.workers: set[Worker] = set()
        self._start = start
        self._idle: deque[Worker] = deque()
        self._waiting: list[Place] = []
        self._busy: Counter[str] = Counter()
        """How many workers each client has."""
        self._last_turns: OrderedDict[str, int] = OrderedDict()
        """When each client got a worker last; who has not asked for longest is forgotten first."""
        self._turns = 0
        self._demand = 0
        """How many searches have a worker or wait for one."""
        self._pause = FIRST_PAUSE
        self._waits: set[asyncio.Timeout] = set()
        """Of those who wait for a worker."""
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

    async def acquire(self, client: str, wait: asyncio.Timeout) -> Worker:
        """A worker that is ready, for a *client*; raises TimeoutError when the *wait* is over."""
        self.open()
        self._demand += 1
        self._change.set()
        place = Place(client, asyncio.get_running_loop().create_future())
        self._waiting.append(place)
        try:
            async with wait:
                self._waits.add(wait)
                self._hand_out()
                return await place.worker
        except BaseException:
            if place.worker.done() and not place.worker.cancelled():  # while they were leaving
                self.release(client, place.worker.result(), well=False)
            else:
                self._demand -= 1
                self._waiting = [each for each in self._waiting if each is not place]
            raise
        finally:
            self._waits.discard(wait)

    def _hand_out(self) -> None:
        """Give workers that are free to those whose turn it is."""
        while self._idle and (place := self._next()):
            worker = self._idle.popleft()
            if not worker.alive:
                self._change.set()
                continue
            self._waiting.remove(place)
            self._busy[place.client] += 1
            self._turns += 1
            self._last_turns[place.client] = self._turns
            self._last_turns.move_to_end(place.client)
            if len(self._last_turns) > MOST_ADDRESSES:
                self._last_turns.popitem(last=False)
            place.worker.set_result(worker)

    def _next(self) -> Place | None:
        """Whose turn it is; nobody's where all who wait have as many workers as they may."""
        self._waiting = [each for each in self._waiting if not each.worker.done()]
        ready = [each for each in self._waiting if self._busy[each.client] < self.settings.at_once]
        order = {each.client: self._last_turns.get(each.client, 0) for each in ready}
        return min(
            ready, key=lambda each: (self._busy[each.client], order[each.client]), default=None
        )

    def keeps_waiting(self, client: str) -> bool:
        """Does anybody else wait, while this *client* has a worker?"""
        return any(each.client != client for each in self._waiting)

    def dismiss(self) -> None:
        """Let nobody wait for a worker any longer."""
        for wait in self._waits:
            if not wait.expired():
                wait.reschedule(0)

    def release(self, client: str, worker: Worker, well: bool) -> None:
        """The worker of a *client* is free, or lost; *well*: it has done what it was asked for."""
        self._demand -= 1
        self._busy[client] -= 1
        if not self._busy[client]:
            del self._busy[client]
        if well:
            self._pause = FIRST_PAUSE
        if worker.alive:
            self._idle.append(worker)
        self._hand_out()
        self._change.set()

    async def renew(self) -> None:
        """End workers that have not loaded everything and wait for work: better ones can be had."""
        cold = [worker for worker in self._idle if not worker.warm]
        for worker in cold:
            self._idle.remove(worker)
        for worker in cold:
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
            self._idle.append(worker)
            self._hand_out()

    async def _rest(self, pause: float | None) -> None:
        """Wait for a change; after a failure for a *pause*, which is twice as long each time."""
        if pause is not None:
            self._pause = min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(pause)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY):
                await self._change.wait()


class ForkServer:
    """A process in which everything is loaded: workers are copies of it, ready at once.

    Who is in a hurry gets a copy while it loads. It loads only what is compiled already. Where
    something is not, it ends, the compiler is started in its place, and workers start from nothing
    until that is done.
    """

    def __init__(self, memory: int, count: Count, wanted: bool = True) -> None:
        self.wanted, self.ready = wanted, False
        self.compiled: Compiled = None
        self._memory, self._count = memory, count
        self._open = asyncio.Event()
        """Is it known whether workers can be copied, or must start from nothing?"""
        self._settled = asyncio.Event()
        """Is everything loaded, or known that it cannot be now?"""
        self._channel: socket.socket | None = None
        self._process: asyncio.subprocess.Process | None = None
        if not wanted:
            self._decide()

    async def keep(self, loaded: Callable[[], Awaitable[None]]) -> None:
        """Load everything, then call *loaded*; have it compiled, and start again what ends."""
        if not self.wanted:
            return
        if not COPIES:
            self._decide()
            await self._compile()
            return
        compiled, pause = False, FIRST_PAUSE
        while True:
            code = None
            with suppress(OSError):
                code = await self._serve("fork-anyway" if compiled else "fork", loaded)
            self._decide()
            if code == NOT_COMPILED and not compiled:
                await self._compile()
                compiled = True
            else:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _decide(self) -> None:
        """There is no fork server now: workers start from nothing."""
        self._open.set()
        self._settled.set()

    async def decided(self, seconds: float = MOMENT) -> None:
        """Wait until everything is loaded, or it is known that it cannot be now."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._settled.wait()

    async def worker(self) -> Worker:
        """A new worker, ready to think; raises OSError or TimeoutError where there is none."""
        await self._open.wait()
        if not self.ready:
            warm = self.wanted and not COPIES and not self.compiled
            return await spawned(self._memory, warm)
        assert self._channel is not None
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._channel, [b"+"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        reader, writer = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)
        return await Worker(reader, writer).wakes_up()

    async def close(self) -> None:
        """End the fork server, or the compiler in its place."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _serve(self, how: str, loaded: Callable[[], Awaitable[None]]) -> int:
        """Run the fork server to its end: its exit code."""
        self._channel, theirs = socket.socketpair()
        with self._channel, theirs:
            process = await self._run(how, stdin=theirs)
            theirs.close()
            try:
                assert process.stdout is not None
                self.ready = bool(await process.stdout.readline())
                if self.ready:
                    self._open.set()
                if await process.stdout.readline():
                    await loaded()
                    self._settled.set()
                return await process.wait()
            finally:
                self.ready = False

    async def _compile(self) -> None:
        """Have everything compiled; the compiler ends with us, however we come to our end."""
        process = await self._run("compile", stdin=asyncio.subprocess.PIPE)
        lower_priority(process.pid, NICENESS["analysis"])
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                message = json.loads(line)
                self._publish((message["done"], message["total"]))
            await process.wait()
        finally:
            self._publish(None)

    def _publish(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self._count(compiled)

    async def _run(self, how: str, stdin: Any) -> asyncio.subprocess.Process:
        self._process = await started(WORKER, how, str(self._memory), stdin=stdin)
        return self._process
