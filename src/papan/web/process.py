"""The process of a worker: started, told, heard, and ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

LONGEST_LINE = 16 * 2**20
"""Bytes of one event: a whole tree travels in one line."""
WAKING = 60.0
"""Seconds that a worker may take to start, which no search has to account for."""
NICENESS = 10
"""How far searches step back behind answers to moves, where the processor is short."""


class Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._awake = False

    @classmethod
    async def start(cls, *module: str) -> Worker:
        """A new process, which runs a *module* of papan."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", *module),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if os.environ.get("PAPAN_DEBUG") else asyncio.subprocess.DEVNULL,
            limit=LONGEST_LINE,
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        )
        _step_back(process.pid)
        return cls(process)

    @property
    def alive(self) -> bool:
        return self.process.returncode is None

    async def wakes_up(self) -> bool:
        """Wait for its first line, which says that it is ready to think; False if none comes."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WAKING):
                self._awake = self._awake or bool(await self.line())
        return self._awake

    def tell(self, message: dict[str, Any]) -> None:
        """Send one line."""
        assert self.process.stdin is not None
        if self.alive and not self.process.stdin.is_closing():
            self.process.stdin.write(json.dumps(message).encode() + b"\n")

    async def line(self) -> bytes:
        """The next line that it says; nothing when it has died."""
        assert self.process.stdout is not None
        return await self.process.stdout.readline()

    async def kill(self) -> None:
        """End the process, and whatever it has started, at once."""
        if not self.alive:
            return
        with suppress(ProcessLookupError):  # it has just ended by itself
            if os.name == "nt":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()


def _step_back(pid: int) -> None:
    """Let a process have what others leave of the processor."""
    with suppress(OSError, AttributeError):  # it has ended already; Windows has no such call
        os.setpriority(os.PRIO_PROCESS, pid, NICENESS)
        # Linux may weigh whole sessions against each other: then the session has to step back.
        Path(f"/proc/{pid}/autogroup").write_text(str(NICENESS), encoding="ascii")
