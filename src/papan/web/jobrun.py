"""A job, and its process: told to stop, and ended if it does not listen."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

State = Literal["waiting", "running", "paused", "done", "failed"]
Kind = Literal["tournament", "lab"]
Why = dict[str, Any]
"""Why a job failed: a key of the catalogue and its values."""

FILE = "job.json"
LIVE: tuple[State, ...] = ("running", "waiting")
GRACE = 4.0
"""Seconds in which a job must stop once it is told to."""
LAST_WORDS = 4096
"""Bytes in which a job says why it failed."""


@dataclass
class Job:
    """Work that somebody has asked for."""

    kind: Kind
    id: str
    order: dict[str, Any]
    """What is to be done, in the terms of its kind."""
    made: str
    state: State = "waiting"
    queued: float = 0
    """Its place among those that wait: the lowest runs next."""
    why: Why | None = None


class Run:
    """The process of a job. It also stops when it loses us: see `papan.web.job`."""

    def __init__(
        self, job: Job, folder: Path, over: Callable[[Run, State, Why | None], None]
    ) -> None:
        self.job, self.folder = job, folder
        self.stopping = self.pausing = False
        self._process: asyncio.subprocess.Process | None = None
        self._task = asyncio.create_task(self._go(over))

    async def stop(self) -> None:
        """Tell it to stop, and end it if it does not listen."""
        self.stopping = True
        self._interrupt()
        done, _ = await asyncio.wait([self._task], timeout=GRACE)
        if not done and self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._task

    async def _go(self, over: Callable[[Run, State, Why | None], None]) -> None:
        """From the start of the process to its end; however that comes, somebody hears of it."""
        try:
            outcome = await self._outcome()
        except OSError as error:  # no process, no memory, no descriptor is left
            why = {"why": error.strerror or type(error).__name__}
            outcome = "failed", {"key": "jobs.cannot_start", "values": why}
        over(self, *outcome)

    async def _outcome(self) -> tuple[State, Why | None]:
        hearing, saying = os.pipe()
        try:
            try:
                self._process = await self._started(saying)
            finally:
                os.close(saying)
            if self.stopping:
                self._interrupt()
            code = await self._process.wait()
            if code == 0:
                return "done", None
            if self.stopping:
                return ("paused" if self.pausing else "running"), None
            return "failed", _last_words(hearing) or _died(code)
        finally:
            os.close(hearing)

    async def _started(self, saying: int) -> asyncio.subprocess.Process:
        debug = bool(os.environ.get("PAPAN_DEBUG"))
        path = os.pathsep.join(filter(None, sys.path))
        words = ("papan.web.job", self.job.kind, str(self.folder), str(saying))
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", *words),
            stdin=asyncio.subprocess.PIPE,  # closes when this server is gone
            stdout=asyncio.subprocess.DEVNULL,
            stderr=None if debug else asyncio.subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=[saying],
            env={**os.environ, "PYTHONPATH": path},
        )

    def _interrupt(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)


def _last_words(hearing: int) -> Why | None:
    """Why a job says that it failed: through a pipe, which works where no file can be written."""
    os.set_blocking(hearing, False)  # what the job has started may still hold the other end
    try:
        why: Why = json.loads(os.read(hearing, LAST_WORDS))
    except (OSError, ValueError):
        return None
    return why


def _died(code: int) -> Why:
    return {"key": "jobs.died", "values": {"code": str(code)}}
