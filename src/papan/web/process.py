"""Worker processes and the fork server: started, written to, read from, and ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from papan.web.settings import NICENESS

LONGEST_LINE = 16 * 2**20
"""Bytes of one event: a whole tree travels in one line."""
STARTING = 300.0
"""Seconds that a worker may take to start, which no search has to account for."""
DYING = 10.0
"""Seconds to wait for the end of a process that was killed: the system may be slow with it."""
FORKS = sys.platform == "linux"
"""Can a process with libraries loaded be copied? macOS may stop such a copy, Windows cannot."""
NOT_COMPILED = 3
"""How a template ends that would have to compile: that is another process's work."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before what could not be started is tried again: twice as long each time."""


Compiled = tuple[int, int] | None
"""How many searches the compiler has done, of how many; None while it has no work."""
Count = Callable[[Compiled], None]
"""Hears how far the compiler is, whenever that changes."""


def uncounted(compiled: Compiled) -> None:
    """Tell nobody."""


class LostError(OSError):
    """A worker was lost before it was ready."""


class Worker:
    """One process, and the way to it and back."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = 0
        self.warm = False
        """Were all solvers loaded before it was ready?"""
        self.process: asyncio.subprocess.Process | None = None
        """Who has to be waited for, where it is our own child."""
        self._reader, self._writer = reader, writer
        self._killed = False

    async def wakes_up(self) -> Worker:
        """Wait for its first line, which says that it is ready; raises, and ends it, if none."""
        try:
            async with asyncio.timeout(STARTING):
                ready = json.loads(await self.line() or b"{}")
        except BaseException:
            await self.kill()
            raise
        if not ready:
            self._writer.close()
            raise LostError("a worker ended before it was ready")
        self.pid, self.warm = ready["pid"], ready["warm"]
        return self

    @property
    def alive(self) -> bool:
        """Has it not ended? Its side of the connection closes then, whatever the reason."""
        lost = self._reader.at_eof() or self._reader.exception() is not None
        return not self._killed and not lost

    def send(self, message: dict[str, Any]) -> None:
        """Send one line."""
        if self.alive and not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def line(self) -> bytes:
        """The next line that it says; nothing when it has died."""
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
            with suppress(ProcessLookupError, PermissionError):  # it has just ended by itself
                if os.name == "nt":
                    os.kill(self.pid, signal.SIGTERM)
                else:
                    os.killpg(self.pid, signal.SIGKILL)
            with suppress(TimeoutError):
                async with asyncio.timeout(DYING):
                    while await self.line():
                        pass
                    if self.process is not None:
                        await self.process.wait()
        self._killed = True
        self._writer.close()


async def spawned(memory: int, load: bool = False) -> Worker:
    """A worker that starts from nothing, which takes seconds: where there is no template."""
    arguments = [str(memory), *(["load"] if load else [])]
    process = await _process("papan.web.worker", *arguments, stdin=asyncio.subprocess.PIPE)
    assert process.stdout is not None and process.stdin is not None
    worker = Worker(process.stdout, process.stdin)
    worker.pid, worker.process = process.pid, process
    return await worker.wakes_up()


class ForkServer:
    """A process in which everything is loaded: workers are copies of it, ready at once.

    It loads only what is compiled already. Where something is not, it ends, the compiler is started
    in its place, and workers start from nothing until that is done.
    """

    def __init__(self, memory: int, count: Count) -> None:
        self.ready = False
        self.compiled: Compiled = None
        self._memory, self._count = memory, count
        self._known = asyncio.Event()
        """Is it known whether workers can be copied, or must start from nothing?"""
        self._channel: socket.socket | None = None
        self._process: asyncio.subprocess.Process | None = None

    async def keep(self, loaded: Callable[[], Awaitable[None]]) -> None:
        """Load everything, then call *loaded*; have it compiled, and start again what ends."""
        if not FORKS:
            self._known.set()
            await self._compile()
            return
        compiled, pause = False, FIRST_PAUSE
        while True:
            code = None
            with suppress(OSError):
                code = await self._serve("anyway" if compiled else "load", loaded)
            self._known.set()  # where there is no template, workers start from nothing
            if code == NOT_COMPILED and not compiled:
                await self._compile()
                compiled = True
            else:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def decided(self, seconds: float) -> None:
        """Wait until everything is loaded, or it is known that it cannot be now."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._known.wait()

    async def worker(self) -> Worker:
        """A new worker, ready to think; raises OSError or TimeoutError where there is none."""
        await self._known.wait()
        if not self.ready:
            return await spawned(self._memory, load=not FORKS and not self.compiled)
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
        """End the template, or the compiler in its place."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _serve(self, how: str, loaded: Callable[[], Awaitable[None]]) -> int:
        """Run the template to its end: its exit code."""
        self._channel, theirs = socket.socketpair()
        with self._channel, theirs:
            process = await self._run(how, str(self._memory), stdin=theirs)
            theirs.close()
            try:
                assert process.stdout is not None
                self.ready = bool(await process.stdout.readline())
                if self.ready:
                    self._known.set()
                    await loaded()
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
                done, total = json.loads(line)
                self._publish((done, total))
            await process.wait()
        finally:
            self._publish(None)

    def _publish(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self._count(compiled)

    async def _run(self, *arguments: str, stdin: Any) -> asyncio.subprocess.Process:
        self._process = await _process("papan.web.fork_server", *arguments, stdin=stdin)
        return self._process


async def _process(module: str, *arguments: str, stdin: Any) -> asyncio.subprocess.Process:
    """A new process, which runs a *module* of papan in a session of its own."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *arguments),
        stdin=stdin,
        stdout=asyncio.subprocess.PIPE,
        stderr=None if os.environ.get("PAPAN_DEBUG") else asyncio.subprocess.DEVNULL,
        limit=LONGEST_LINE,
        start_new_session=os.name != "nt",
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # its threads would not be copied
    )


def processor_seconds(pid: int) -> float | None:
    """How long a process has kept processors busy, all of its threads; None where nobody tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def lower_priority(pid: int, niceness: int) -> None:
    """Let a process have what those with less *niceness* leave of the processor."""
    if pid and niceness:
        with suppress(OSError, AttributeError):  # it has ended already; Windows has no such call
            now = os.getpriority(os.PRIO_PROCESS, pid)
            os.setpriority(os.PRIO_PROCESS, pid, max(now, niceness))
            # Linux may weigh whole sessions against each other: then the session steps back.
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness), encoding="ascii")
