"""Jobs: long work in processes that outlive the page and, interrupted, even the server.

A job is a folder in the server's data with the file ``job.json``: what is to be done, and how it
stands. When the server stops, so do the jobs, and when it starts again, those that were running or
waiting go on by themselves.

``python -m papan.web.jobs KIND FOLDER`` is the process of one. It stops as after Ctrl-C when it is
told to, or when its server is gone: its standard input closes then, however the server came to its
end. Nobody else works in the folder meanwhile. Why it failed is told by the line protocol: where a
disk is full, no file could tell it.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import Any, Literal, get_args

from pydantic import TypeAdapter

from papan import catalog
from papan.core import PapanError
from papan.core.errors import in_one_line
from papan.core.files import read_regular
from papan.core.message import Message
from papan.lab.files import LARGEST_FILE, write_whole
from papan.lab.machine import cores
from papan.papers.paper import Size
from papan.process.host import kill_group, lock, lower_priority
from papan.process.lines import emitter, failure, private_streams, when_over
from papan.web.owner import FolderLock
from papan.web.settings import NICENESS, Settings
from papan.web.wire import Refused, Strict
from papan.web.worker_group import started

State = Literal["waiting", "running", "paused", "done", "failed"]
Kind = Literal["tournament", "lab"]

LIVE: tuple[State, ...] = ("running", "waiting")
FILE = "job.json"
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""What names of jobs are made of: nothing that could be mistaken for another letter."""
NAME_LENGTH = 12
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
    queued: float = 0
    """Its place among those that wait: the lowest runs next."""
    why: Message | None = None


class TournamentTerms(Strict):
    """The order of a tournament, beside the plan in its folder."""

    concurrency: int
    title: str = ""
    """What its maker calls it."""


class LabTerms(Strict):
    """The order of a run of a paper."""

    paper: str
    size: Size
    seed: int


FORM = TypeAdapter(Job)
TERMS: dict[Kind, type[Strict]] = {"tournament": TournamentTerms, "lab": LabTerms}


class Run:
    """The process of a job. It also stops when it loses us: see `main`."""

    def __init__(
        self, job: Job, folder: Path, over: Callable[[Run, State, Message | None], None]
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
            kill_group(self._process.pid)
            await self._task

    async def _go(self, over: Callable[[Run, State, Message | None], None]) -> None:
        """From the start of the process to its end; however that comes, somebody hears of it."""
        try:
            outcome = await self._outcome()
        except OSError as error:  # no process, no memory, no descriptor is left
            why = {"why": error.strerror or type(error).__name__}
            outcome = "failed", Message("jobs.cannot_start", why)
        over(self, *outcome)

    async def _outcome(self) -> tuple[State, Message | None]:
        process = await started("papan.web.jobs", self.job.kind, str(self.folder))
        self._process = process
        if self.stopping:
            self._interrupt()
        assert process.stdout is not None
        said = await process.stdout.readline()
        code = await process.wait()
        if code == 0:
            return "done", None
        if self.stopping:
            return ("paused" if self.pausing else "running"), None
        with suppress(ValueError, KeyError):  # one that was killed may stop in mid-sentence
            return "failed", Message.from_json(json.loads(said))
        return "failed", Message("jobs.died", {"code": str(code)})

    def _interrupt(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)


class Jobs:
    """All jobs of a server."""

    def __init__(self, settings: Settings, lock: FolderLock) -> None:
        self.settings, self.lock = settings, lock
        self._jobs: dict[str, Job] = {}
        self._runs: dict[str, Run] = {}
        self._locked = self._closing = False

    async def start(self) -> None:
        """Go on with what was interrupted, where that can be written down."""
        with suppress(Refused):
            self._take_lock()

    async def close(self) -> None:
        """Stop what is running; the next server goes on with it."""
        self._closing = True
        await asyncio.gather(*(run.stop() for run in [*self._runs.values()]))
        self._locked = False

    def all(self, kind: Kind) -> list[Job]:
        """The jobs of a kind, the newest first."""
        if not self._locked:  # somebody else may have changed them
            self._load()
        return sorted(
            (job for job in [*self._jobs.values()] if job.kind == kind), key=lambda job: job.made
        )[::-1]

    def find(self, kind: Kind, name: str) -> Job | None:
        """The job of that name, if there is one."""
        return next((job for job in self.all(kind) if job.id == name), None)

    def folder(self, job: Job) -> Path:
        """Where a job keeps what it needs and what it finds."""
        return self.settings.data / job.kind / job.id

    def add(
        self, kind: Kind, order: dict[str, Any], prepare: Callable[[Path], object] = lambda path: 0
    ) -> Job:
        """A new job, which runs as soon as it can; *prepare* puts what it needs into its folder."""
        self._take_lock()
        self._check_room()
        if len(self._jobs) >= self.settings.kept_jobs:
            raise Refused(503, "jobs.too_many_kept", most=self.settings.kept_jobs)
        name = "".join(secrets.choice(LETTERS) for _ in range(NAME_LENGTH))
        made = datetime.now(UTC).isoformat(timespec="milliseconds")
        job = Job(kind, name, order, made, queued=self._last_in_line())
        try:
            self.folder(job).mkdir(parents=True)
            prepare(self.folder(job))
            self._save(job)
        except OSError as error:
            self._remove(job)
            raise Refused(503, "error.cannot_write", path=job.kind, why=error.strerror) from None
        except PapanError:
            self._remove(job)
            raise
        self._jobs[job.id] = job
        self._advance()
        return job

    async def pause(self, job: Job) -> None:
        """Stop a job so that it can go on later; one that is over stays as it is."""
        self._take_lock()
        job = self._jobs.get(job.id, job)
        if run := self._runs.get(job.id):
            run.pausing = True
            await run.stop()
        elif job.state == "waiting":
            self._change(job, "paused")

    def go_on(self, job: Job) -> None:
        """Let a job that was paused or has failed wait for its turn again."""
        self._take_lock()
        job = self._jobs.get(job.id, job)
        if job.state in ("paused", "failed") and job.id not in self._runs:
            self._check_room()
            job.queued, job.why = self._last_in_line(), None
            self._change(job, "waiting")
            self._advance()

    async def delete(self, job: Job) -> None:
        """Stop a job and forget everything about it."""
        self._take_lock()
        self._jobs.pop(job.id, None)  # from now on nobody starts it
        if run := self._runs.get(job.id):
            await run.stop()
        await asyncio.to_thread(self._remove, job)

    def _check_room(self) -> None:
        waiting = sum(job.state == "waiting" for job in self._jobs.values())
        if waiting >= self.settings.waiting_jobs:
            raise Refused(503, "jobs.too_many_waiting", most=self.settings.waiting_jobs)

    def _take_lock(self) -> None:
        """Be the one server that runs the jobs of this folder; raises where that cannot be."""
        if not self._locked:
            self.lock.require()
            self._locked = True
            self._load()
            self._advance()

    def _load(self) -> None:
        """Read how the jobs stand; what cannot be read is left alone."""
        found = {}
        for kind in get_args(Kind):
            for path in (self.settings.data / kind).glob(f"*/{FILE}"):
                with suppress(OSError, ValueError):
                    job = FORM.validate_json(read_regular(path, LARGEST_FILE), strict=True)
                    TERMS[kind].model_validate(job.order)
                    if (job.kind, job.id) == (kind, path.parent.name):
                        found[job.id] = job
        self._jobs = found
        if reason := self.lock.lacking:  # nobody goes on with them
            for job in found.values():
                if job.state in LIVE:
                    job.state, job.why = "failed", reason.shown

    def _last_in_line(self) -> float:
        """A place behind everybody who waits; no clock, which may be set back, has a say in it."""
        return 1 + max((job.queued for job in self._jobs.values()), default=0)

    def _advance(self) -> None:
        """Start who has waited longest; those that were interrupted first."""
        ready = [job for job in self._jobs.values() if job.state in LIVE]
        for job in sorted(ready, key=lambda job: (job.state != "running", job.queued)):
            if len(self._runs) < self.settings.jobs and job.id not in self._runs:
                self._change(job, "running")
                self._runs[job.id] = Run(job, self.folder(job), self._over)

    def _over(self, run: Run, state: State, why: Message | None) -> None:
        """A job has stopped."""
        del self._runs[run.job.id]
        if run.job.id in self._jobs:
            run.job.why = why
            self._change(run.job, state)
        if not self._closing:
            self._advance()

    def _change(self, job: Job, state: State) -> None:
        job.state = state
        with suppress(OSError):  # the disk is full: it is still true for this server
            self._save(job)

    def _save(self, job: Job) -> None:
        write_whole(self.folder(job) / FILE, json.dumps(asdict(job), ensure_ascii=False))

    def _remove(self, job: Job) -> None:
        (self.folder(job) / FILE).unlink(missing_ok=True)  # what is left then is no job
        shutil.rmtree(self.folder(job), ignore_errors=True)


# The process of one job

INTERRUPTED = 130
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EIO)
"""What the system says where nothing more can be written."""
STORE = ("disk is full", "disk I/O error", "readonly database", "unable to open database file")
"""What SQLite says then."""
JobHandler = Callable[[Path, dict[str, Any]], None]
"""Work in a folder, on an order; raises PapanError where it cannot be done."""

CATALOG = "papan"
"""Where referee processes find agents."""


def play_tournament(folder: Path, order: dict[str, Any]) -> None:
    """Play what is missing of the tournament in *folder*."""
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.run import RefereePool, probed, run, this_machine

    made = reopen(folder)
    for spec in made.plan.agents:
        catalog.agent(spec)  # only what is installed: raises for files and programs
    with closing(RefereePool()) as pool:
        probed(pool, made.plan, CATALOG)
        with this_machine(pool, order["concurrency"]) as executor:
            run(made, executor, CATALOG)


def run_paper(folder: Path, order: dict[str, Any]) -> None:
    """Measure what is missing of a run; finished, it takes the place of older results."""
    from papan.lab.work import run_all
    from papan.papers import chosen
    from papan.papers.paper import Run

    (paper,) = chosen([order["paper"]])
    run = Run(paper, order["size"], order["seed"], folder)
    run_all([run.job()], cores())
    run.path.replace(folder.parent / run.path.name)


JOB_HANDLERS: dict[str, JobHandler] = {"tournament": play_tournament, "lab": run_paper}


def main() -> int:
    """Do the job, and say how it went by the exit code: 0 done, 130 interrupted, 1 failed."""
    kind, folder = sys.argv[1], Path(sys.argv[2])
    requests, out = private_streams()
    lower_priority(os.getpid(), NICENESS["job"])  # whoever plays or analyses meanwhile comes first
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # also where a shell had it ignored
    try:
        when_over(requests, _stop)
        with (folder / "lock").open("ab") as held:
            lock(held, wait=True)  # whoever lost the server before us ends first
            order = json.loads((folder / FILE).read_text(encoding="utf-8"))["order"]
            JOB_HANDLERS[kind](folder, order)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        emitter(out)(failure(reason(error)))
        return 1
    return 0


def reason(error: Exception) -> PapanError:
    """Why a job failed."""
    for words in STORE:
        if words in str(error):
            return PapanError("jobs.no_disk", why=words)
    if isinstance(error, PapanError):
        return error
    if isinstance(error, OSError) and error.errno in DISK:
        return PapanError("jobs.no_disk", why=error.strerror)
    return PapanError("jobs.crashed", why=in_one_line(error)[:200])


def _stop() -> None:
    """Interrupt this process, and at last kill it."""
    os.kill(os.getpid(), signal.SIGINT)
    sleep(GRACE)
    kill_group(os.getpid())


if __name__ == "__main__":
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)
