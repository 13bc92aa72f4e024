"""The pool of worker processes: forked or spawned, replaced when they die, each used by one client
at a time.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Self

from papan.core.progress import Progress
from papan.process.host import (
    COPIES,
    kill_group,
    lower_priority,
    processor_seconds,
    start_module,
)
from papan.process.lines import ProcessEndedError
from papan.web.guard import MOST_ADDRESSES
from papan.web.settings import NICENESS, Rank, ServerSettings
from papan.web.worker_protocol import MOST_EVENT_BYTES, NOT_COMPILED, WORKER_MODULE, WorkerEvent

READY_SECONDS = 300.0
"""Seconds within which a process must be ready: what it loads may have to be compiled."""
KILL_SECONDS = 10.0
"""Seconds to wait for a killed process to end."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before a failed start is repeated: doubled after each failure, up to the second
number.
"""
LOADED_SECONDS = 10.0
"""Most seconds to wait for loaded workers before the server's address is printed."""
CHECK_SECONDS = 1.0
"""Seconds between two checks that idle workers are alive."""

OnCompiled = Callable[[Progress | None], object]
"""Called with the number of compiled searches, of all searches, whenever it changes; with None when
compiling has ended.
"""


def ignore_compiled(progress: Progress | None) -> None:
    """Do nothing with *progress*: the default `OnCompiled` callback."""


class Worker:
    """The connection to a worker process: await `when_ready`, then `send` a message and read each
    `event`.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = 0
        self.warm = False
        """True if all searches were loaded before it was ready."""
        self.process: asyncio.subprocess.Process | None = None
        """The process to wait for after it was killed; None for a child of the fork server."""
        self._reader, self._writer = reader, writer
        self._reading = asyncio.Lock()
        self._killed = False
        self._out_of_step = False
        """True once it has sent a line that is no event: what follows cannot be told apart."""

    async def when_ready(self) -> Self:
        """Wait for the event ``ready``, which sets `pid` and `warm`, and return self.

        Raise TimeoutError after `READY_SECONDS`, ProcessEndedError if the process ends, or sends
        too long a line, before. The connection is closed then; after a timeout the process is
        killed, too, if `pid` is known already, as it is of a spawned worker.
        """
        try:
            async with asyncio.timeout(READY_SECONDS):
                event = await self.event()
        except BaseException:
            await self.kill()
            raise
        if event is None:
            self._writer.close()
            raise ProcessEndedError("a worker ended before it was ready")
        ready = json.loads(event.json)
        self.pid, self.warm = ready["pid"], ready["warm"]
        return self

    @property
    def alive(self) -> bool:
        """True until `kill` is done, the process sends too long a line, or the connection ends."""
        return not self._killed and not self._out_of_step and not self._lost

    @property
    def _lost(self) -> bool:
        return self._reader.at_eof() or self._reader.exception() is not None

    def send(self, message: dict[str, Any]) -> None:
        """Send *message*, a `Task` as JSON data or ``{"stop": true}``, as one line; return at once.

        Do nothing if the worker is dead.
        """
        if self.alive and not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def event(self) -> WorkerEvent | None:
        """Wait for the next event and return it; None once the worker is dead.

        A line of more than `MOST_EVENT_BYTES`, which no worker of papan writes, is a fault of the
        process: it counts as dead from then on, and should be killed.
        """
        async with self._reading:  # `kill` reads too, while a search may wait for an event
            if self._out_of_step:
                return None
            try:
                return WorkerEvent.read(await self._reader.readline())
            except ConnectionError:
                return None
            except ValueError:  # the end of this line would be read as an event of its own
                self._out_of_step = True
                return None

    @property
    def processor_seconds(self) -> float | None:
        """Processor time of the process so far, in seconds; None if it has ended, or the system
        does not measure it.
        """
        return processor_seconds(self.pid)

    async def kill(self) -> None:
        """Kill the process and its process group, wait at most `KILL_SECONDS` for its end, and
        close the connection.

        If `pid` is not known yet, or the connection has ended, only close the connection. The same
        holds for a second call.
        """
        if self.pid and not self._killed and not self._lost:
            kill_group(self.pid)
            with suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(KILL_SECONDS):
                    async with self._reading:
                        while await self._reader.read(MOST_EVENT_BYTES):
                            pass
                    if self.process is not None:
                        await self.process.wait()
        self._killed = True
        self._writer.close()


StartWorker = Callable[[], Awaitable[Worker]]
"""Returns a worker that is ready; raises OSError or TimeoutError if none can be started now."""


async def spawn_worker(memory: int, warm: bool) -> Worker:
    """Start a worker as a new interpreter, which takes seconds, and return it when it is ready.

    *memory*: megabytes that it may take beyond what it needs to start; *warm*: it loads all
    searches first. Raise OSError or TimeoutError if that fails.
    """
    arguments = "warm" if warm else "cold", str(memory)
    process = await start_module(WORKER_MODULE, *arguments, limit=MOST_EVENT_BYTES)
    assert process.stdout is not None and process.stdin is not None
    worker = Worker(process.stdout, process.stdin)
    worker.pid, worker.process = process.pid, process
    return await worker.when_ready()


@dataclass(eq=False)
class WaitingClient:
    """A client that waits for a worker: its place in the queue of a pool."""

    client: str
    """Its address."""
    worker: asyncio.Future[Worker]
    """Gets the worker when it is this client's turn; cancelled if the client does not wait any
    more.
    """
    since: float = field(default_factory=lambda: monotonic())
    """When it began to wait, in seconds of the monotonic clock."""


class WorkerPool:
    """The workers of one *rank* (``game`` or ``analysis``): `ServerSettings.spare` more than
    searches have or wait for, at most `ServerSettings.workers`. A live worker that is not needed
    any more stays.

    A free worker goes to the waiting client that has the fewest workers, among equals to the one
    served least recently, and never to one that has `ServerSettings.at_once` already. So a client
    with many searches waits for the turns of other clients before its next one.

    Only the supervisor task calls *start*, which starts a worker, and no request can cancel it: the
    start of a worker goes on even if the client that needed it has disconnected.
    """

    def __init__(self, rank: Rank, settings: ServerSettings, start: StartWorker) -> None:
        self.rank, self.settings = rank, settings
        self.workers: set[Worker] = set()
        self._start = start
        self._idle: deque[Worker] = deque()
        self._waiting: list[WaitingClient] = []
        self._busy: Counter[str] = Counter()
        """Number of workers that each client has."""
        self._last_turns: OrderedDict[str, int] = OrderedDict()
        """The number of each client's last turn; the least recently served client is first."""
        self._turns = 0
        self._demand = 0
        """Number of searches that have a worker or wait for one."""
        self._pause = FIRST_PAUSE
        self._timeouts: set[asyncio.Timeout] = set()
        """The timeouts of the clients that are waiting for a worker."""
        self._change = asyncio.Event()
        self._supervisor: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start the supervisor task, unless it was started since the last `close`."""
        if self._supervisor is None:
            self._supervisor = asyncio.create_task(self._supervise())

    async def close(self) -> None:
        """Stop the supervisor, kill all workers and wait for their ends; `open` or `acquire` start
        the pool again.

        Calls of `acquire` that wait are not ended: call `cancel_waiting` for that before.
        """
        if self._supervisor is not None:
            self._supervisor.cancel()
            with suppress(asyncio.CancelledError):
                await self._supervisor
            self._supervisor = None
        await asyncio.gather(*(worker.kill() for worker in self.workers))
        self.workers.clear()

    @property
    def alive(self) -> int:
        """The number of live workers, idle or busy."""
        return sum(worker.alive for worker in self.workers)

    async def acquire(self, client: str, timeout: asyncio.Timeout) -> Worker:
        """Wait for a worker for *client* (an address) and return it; it must be given back with
        `release`.

        Raise TimeoutError when *timeout*, which must not have been entered yet, expires.
        """
        self.open()
        self._demand += 1
        self._change.set()
        place = WaitingClient(client, asyncio.get_running_loop().create_future())
        self._waiting.append(place)
        try:
            async with timeout:
                self._timeouts.add(timeout)
                self._hand_out()
                return await place.worker
        except BaseException:
            if place.worker.done() and not place.worker.cancelled():  # both happened at once
                self.release(client, place.worker.result(), succeeded=False)
            else:
                self._demand -= 1
                self._waiting = [each for each in self._waiting if each is not place]
            raise
        finally:
            self._timeouts.discard(timeout)

    def _hand_out(self) -> None:
        """Give each idle worker to the waiting client whose turn it is, as `_next` says.

        Stop when no worker is idle, or no client waits that has fewer than `ServerSettings.at_once`
        workers. A dead idle worker is dropped, and the supervisor woken, which replaces it.
        """
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

    def _next(self) -> WaitingClient | None:
        """Return the waiting client whose turn it is: of those with the fewest workers, the one
        served least recently.

        None if no client waits that has fewer than `ServerSettings.at_once` workers. Places in the
        queue whose client does not wait any more are removed.
        """
        self._waiting = [each for each in self._waiting if not each.worker.done()]
        ready = [each for each in self._waiting if self._busy[each.client] < self.settings.at_once]
        order = {each.client: self._last_turns.get(each.client, 0) for each in ready}
        return min(
            ready, key=lambda each: (self._busy[each.client], order[each.client]), default=None
        )

    def longest_wait(self, client: str) -> float | None:
        """Return the seconds for which a client other than *client* (an address) has waited
        longest.

        None if no other waits.
        """
        others = [each.since for each in self._waiting if each.client != client]
        return monotonic() - min(others) if others else None

    def cancel_waiting(self) -> None:
        """Make all calls of `acquire` that wait now raise TimeoutError, soon after this returns."""
        for timeout in self._timeouts:
            if not timeout.expired():
                timeout.reschedule(0)

    def release(self, client: str, worker: Worker, succeeded: bool) -> None:
        """Take back the *worker* of *client*, which must have it (not checked), and give it to the
        next client.

        A dead worker is given to nobody: the supervisor replaces it if it is needed. *succeeded* is
        True if the worker has finished its task: then the pause after failed starts is short again.
        """
        self._demand -= 1
        self._busy[client] -= 1
        if not self._busy[client]:
            del self._busy[client]
        if succeeded:
            self._pause = FIRST_PAUSE
        if worker.alive:
            self._idle.append(worker)
        self._hand_out()
        self._change.set()

    async def replace_cold(self) -> None:
        """Kill idle workers that have not loaded all searches, so that warm ones replace them; busy
        ones stay.
        """
        cold = [worker for worker in self._idle if not worker.warm]
        for worker in cold:
            self._idle.remove(worker)
        for worker in cold:
            await worker.kill()
        self._change.set()

    async def _supervise(self) -> None:
        """Drop dead workers, and start workers, one at a time, while fewer live than are wanted;
        forever.

        Wanted are `ServerSettings.spare` more than searches have or wait for, at most
        `ServerSettings.workers`. After a loss or a failed start it pauses, as `_rest` says. New
        workers get the nice value of their rank.
        """
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
        """Wait until the demand for workers or their number changes, at most `CHECK_SECONDS`; or,
        after a failure, sleep *pause* seconds.

        *pause* None means no failure. The pause after the next failure is twice as long, at most
        `LONGEST_PAUSE`.
        """
        if pause is not None:
            self._pause = min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(pause)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(CHECK_SECONDS):
                await self._change.wait()


class ForkServer:
    """A process that has loaded all searches and forks workers, which are ready at once.

    It also forks while it is loading; such workers are not warm. It loads only compiled code: if
    something is not compiled, it ends, a compiler process runs instead, and until that is done
    workers are spawned.

    *memory*: megabytes that a worker may take beyond what it needs to start; *on_compiled* gets the
    progress of the compiler. Where the fork server is not *wanted*, workers are spawned, and
    nothing is compiled in advance. `ready` is True while the process forks workers; `compiled` is
    the progress of the compiler, None while none runs.
    """

    def __init__(self, memory: int, on_compiled: OnCompiled, wanted: bool = True) -> None:
        self.wanted, self.ready = wanted, False
        self.compiled: Progress | None = None
        self._memory, self._on_compiled = memory, on_compiled
        self._decided = asyncio.Event()
        """Set when it is known whether workers are forked or spawned."""
        self._settled = asyncio.Event()
        """Set when all searches are loaded, or cannot be loaded now."""
        self._channel: socket.socket | None = None
        self._process: asyncio.subprocess.Process | None = None
        if not wanted:
            self._use_spawned()

    async def run(self, on_loaded: Callable[[], Awaitable[None]]) -> None:
        """Run the fork server, restart it when it ends, and compile what it lacks, until cancelled.

        *on_loaded* is awaited whenever a fork server has loaded all searches. Return at once if no
        fork server is wanted, and after compiling where the system cannot fork one (`COPIES`). A
        fork server that cannot be started is tried again. Raise OSError if the compiler cannot be
        started where the system cannot fork; elsewhere a fork server then runs without it.
        """
        if not self.wanted:
            return
        if not COPIES:
            self._use_spawned()
            await self._compile()
            return
        compiled, pause = False, FIRST_PAUSE
        while True:
            code = None
            with suppress(OSError):
                code = await self._serve("fork-anyway" if compiled else "fork", on_loaded)
            self._use_spawned()
            if code == NOT_COMPILED and not compiled:
                with suppress(OSError):  # without a compiler workers compile for themselves
                    await self._compile()
                compiled = True
            else:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _use_spawned(self) -> None:
        """Let `worker` and `settled` wait no longer: workers are spawned while no fork server is
        `ready`.
        """
        self._decided.set()
        self._settled.set()

    async def settled(self, seconds: float = LOADED_SECONDS) -> None:
        """Wait until all searches are loaded or cannot be loaded now, but at most *seconds*."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._settled.wait()

    async def worker(self) -> Worker:
        """Return a new worker that is ready, forked or spawned; first wait until it is known which.

        Raise OSError or TimeoutError if that fails.
        """
        await self._decided.wait()
        if not self.ready:
            warm = self.wanted and not COPIES and not self.compiled
            return await spawn_worker(self._memory, warm)
        assert self._channel is not None
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._channel, [b"+"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        reader, writer = await asyncio.open_connection(sock=ours, limit=MOST_EVENT_BYTES)
        return await Worker(reader, writer).when_ready()

    async def close(self) -> None:
        """Kill the fork server, or the compiler that runs in its place, and wait for its end;
        cancel `run` first.

        Do nothing if neither was ever started.
        """
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _serve(self, how: str, on_loaded: Callable[[], Awaitable[None]]) -> int:
        """Run one fork server process in the mode *how* (``fork``, ``fork-anyway``) to its end.

        Return its exit code. `ready` is True from its first event to its end; *on_loaded* is
        awaited when it has loaded all searches. Raise OSError if it cannot be started.
        """
        self._channel, theirs = socket.socketpair()
        with self._channel, theirs:
            process = await self._start(how, stdin=theirs)
            theirs.close()
            try:
                assert process.stdout is not None
                self.ready = bool(await process.stdout.readline())
                if self.ready:
                    self._decided.set()
                if await process.stdout.readline():
                    await on_loaded()
                    self._settled.set()
                return await process.wait()
            finally:
                self.ready = False

    async def _compile(self) -> None:
        """Run a process that compiles everything, and call `on_compiled` with its progress, at its
        end with None.

        Raise OSError if it cannot be started.
        """
        process = await self._start("compile", stdin=asyncio.subprocess.PIPE)
        lower_priority(process.pid, NICENESS["analysis"])
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                message = json.loads(line)
                self._publish(Progress(message["done"], message["total"]))
            await process.wait()
        finally:
            self._publish(None)

    def _publish(self, compiled: Progress | None) -> None:
        """Store *compiled*, the numbers of compiled and of all searches (None: ended), and call
        `on_compiled`.
        """
        self.compiled = compiled
        self._on_compiled(compiled)

    async def _start(self, how: str, stdin: Any) -> asyncio.subprocess.Process:
        self._process = await start_module(WORKER_MODULE, how, str(self._memory), stdin=stdin)
        return self._process
