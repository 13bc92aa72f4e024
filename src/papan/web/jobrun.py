"""A job, and its process: told to stop, and ended if it does not listen."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import time
from typing import Any, Literal

State = Literal["waiting", "running", "paused", "done", "failed"]
Kind = Literal["tournament", "lab"]

FILE, FAILURE = "job.json", "failure.json"
GRACE = 4.0
"""Seconds in which a job must stop once it is told to."""


@dataclass
class Job:
    """Work that somebody has asked for."""

    kind: Kind
    id: str
    order: dict[str, Any]
    """What is to be done, in the terms of its kind."""
    made: str
    state: State = "waiting"
    queued: float = field(default_factory=time)
    """Since when it has waited: who has waited longest runs next."""
    why: dict[str, Any] | None = None
    """Why it failed: a key of the catalogue and its values."""


class Run:
    """The process of a job. It also stops when it loses us: see `papan.web.job`."""

    def __init__(
        self, job: Job, folder: Path, over: Callable[[Run, State, dict[str, Any] | None], None]
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

    async def _go(self, over: Callable[[Run, State, dict[str, Any] | None], None]) -> None:
        debug = bool(os.environ.get("PAPAN_DEBUG"))
        path = os.pathsep.join(filter(None, sys.path))
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "papan.web.job", self.job.kind, str(self.folder)),
            stdin=asyncio.subprocess.PIPE,  # closes when this server is gone
            stdout=asyncio.subprocess.DEVNULL,
            stderr=None if debug else asyncio.subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        if self.stopping:
            self._interrupt()
        code = await self._process.wait()
        over(self, *self._outcome(code))

    def _interrupt(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)

    def _outcome(self, code: int) -> tuple[State, dict[str, Any] | None]:
        if code == 0:
            return "done", None
        if self.stopping:
            return ("paused" if self.pausing else "running"), None
        try:
            return "failed", json.loads((self.folder / FAILURE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return "failed", {"key": "jobs.died", "values": {"code": str(code)}}
