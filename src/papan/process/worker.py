"""Processes of a server, which waits for many at a time: started, written to, read, ended."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any, Self

from papan.process.host import apart, kill_group, processor_seconds, python
from papan.process.lines import Message, ProcessEndedError

LONGEST_LINE = 16 * 2**20
"""Bytes of one event: a whole tree travels in one line."""
STARTING = 300.0
"""Seconds that a process may take to be ready: what it loads may have to be compiled."""
DYING = 10.0
"""Seconds to wait for the end of a process that was killed: the system may be slow with it."""


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

    @classmethod
    async def spawned(cls, module: str, *arguments: str) -> Self:
        """A worker that starts from nothing, which takes seconds."""
        process = await started(module, *arguments)
        assert process.stdout is not None and process.stdin is not None
        worker = cls(process.stdout, process.stdin)
        worker.pid, worker.process = process.pid, process
        return await worker.wakes_up()

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

    def send(self, message: Message) -> None:
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
