"""Background jobs: tournaments, runs of papers and contests that continue without a page.

A job is a folder in the server's data with the file ``job.json``: its order and its state. When the
server stops, its jobs stop; when it starts again, those that were running or waiting continue. Each
runs in a process of its own: `papan.web.job_process`.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter, model_validator

from papan.core import PapanError
from papan.core.files import read_regular
from papan.core.message import Message
from papan.lab.files import LONGEST_RECORD, is_genuine, seal, write_whole
from papan.papers.paper import Size
from papan.process.host import kill_group, start_module
from papan.web.job_process import JOB_FILE, JOB_STOP_SECONDS
from papan.web.owner import FolderLock
from papan.web.settings import ServerSettings
from papan.web.wire import Refused, Strict

JobState = Literal["waiting", "running", "paused", "done", "failed"]
JobKind = Literal["tournament", "lab", "class"]

UNFINISHED: tuple[JobState, ...] = ("running", "waiting")
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Letters and digits of the ids of jobs, without those that look alike."""
ID_LENGTH = 12
PROCESS_MODULE = "papan.web.job_process"


@dataclass
class BackgroundJob:
    """A job, its order and its state, as ``job.json`` stores them."""

    kind: JobKind
    """What it does: a tournament, a run of a paper (``lab``) or a contest (``class``)."""
    id: str
    """Its name in addresses and of its folder: `ID_LENGTH` letters and digits."""
    order: dict[str, Any]
    """What to do: fields of `TournamentTerms`, `LabTerms` or `ContestTerms`, by *kind*."""
    made: str
    """Time at which it was added: ISO 8601 in UTC."""
    state: JobState = "waiting"
    """``waiting``, ``running``, ``paused``, ``done`` or ``failed``."""
    queued: float = 0
    """Place in the queue, from 1: the lowest number runs next."""
    why: Message | None = None
    """Reason of the failure; None if it has not failed."""


class TournamentTerms(Strict):
    """The order of a tournament; its plan is in the folder of the job."""

    concurrency: Annotated[int, Field(ge=1)]
    """Number of games played at the same time, at most; no more than there are cores."""
    title: str = ""
    """A title for people; empty for none."""


class LabTerms(Strict):
    """The order of a lab job: which experiment to run."""

    paper: str
    """The number of the paper, such as ``004``."""
    size: Size
    """``quick`` or ``full``."""
    seed: int
    """The number that the experiment's randomness is drawn from."""


class ContestTerms(Strict):
    """The order of a contest; its plan is in its folder.

    Raises ValueError for a *folder* that this user has not sealed.
    """

    folder: str
    """Its folder, as named on the command line; empty: the folder of the job."""
    seal: str | None = None
    """The text of `papan.lab.files.seal` for *folder*, which only this user can make and which so
    shows that the user has named it; null for none. Without it a job in data that a stranger made
    could work in any folder.
    """

    @model_validator(mode="after")
    def _demand_seal(self) -> ContestTerms:
        if self.folder and not is_genuine(_sealed_folder(self.folder), self.seal):
            raise ValueError("no seal")
        return self

    @classmethod
    def order_of(cls, folder: Path) -> dict[str, Any]:
        """Return the order of the contest in *folder* as JSON data: its path, and this user's seal
        of it.

        Call it only with a folder that the user has named.
        """
        return {"folder": str(folder), "seal": seal(_sealed_folder(str(folder)))}


def _sealed_folder(folder: str) -> str:
    return json.dumps(["class", folder])


JOB_FORM = TypeAdapter(BackgroundJob)
TERMS: dict[JobKind, type[Strict]] = {
    "tournament": TournamentTerms,
    "lab": LabTerms,
    "class": ContestTerms,
}
OnJobEnd = Callable[["JobProcess", JobState, Message | None], None]
"""Called when the process of a job has ended, with the job's new state, and why it failed
or None.
"""


class JobProcess:
    """The process of a running job; it starts at once and calls *on_end* once, when it has ended.

    *folder* is that of the job. `stopping` is True once it was asked to stop, `pausing` if by its
    owner. Must be made in the event loop.
    """

    def __init__(self, job: BackgroundJob, folder: Path, on_end: OnJobEnd) -> None:
        self.job, self.folder = job, folder
        self.stopping = self.pausing = False
        self._process: asyncio.subprocess.Process | None = None
        self._task = asyncio.create_task(self._run(on_end))

    async def stop(self) -> None:
        """Interrupt the process and wait for its end; kill it after `JOB_STOP_SECONDS`. `on_end` is
        called.

        If it is still being started after that time, return at once: it is interrupted, and
        `on_end` called, later.
        """
        self.stopping = True
        self._interrupt()
        done, _ = await asyncio.wait([self._task], timeout=JOB_STOP_SECONDS)
        if not done and self._process is not None:
            kill_group(self._process.pid)
            await self._task

    async def _run(self, on_end: OnJobEnd) -> None:
        """Run the process to its end, then call *on_end*; the job has failed if it cannot be
        started.
        """
        try:
            outcome = await self._outcome()
        except OSError as error:  # no process, memory or file descriptor is left
            why = {"why": error.strerror or type(error).__name__}
            outcome = "failed", Message("jobs.cannot_start", why)
        on_end(self, *outcome)

    async def _outcome(self) -> tuple[JobState, Message | None]:
        """Run the process to its end; return the job's new state, and why it failed (else None).

        The state is ``done``, ``failed``, ``paused``, or ``running`` if the server stops. Raise
        OSError if the process cannot be started.
        """
        process = await start_module(PROCESS_MODULE, self.job.kind, str(self.folder))
        self._process = process
        if self.stopping:
            self._interrupt()
        assert process.stdout is not None
        line = await process.stdout.readline()
        code = await process.wait()
        if code == 0:
            return "done", None
        if self.stopping:
            return ("paused" if self.pausing else "running"), None
        with suppress(ValueError, KeyError):  # a process that was killed may leave half a line
            return "failed", Message.from_json(json.loads(line))
        return "failed", Message("jobs.died", {"code": str(code)})

    def _interrupt(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)


class JobQueue:
    """All jobs of a server: at most `ServerSettings.jobs` run at a time, the others wait in order.

    Jobs are changed in the event loop only; threads may call `all`, `find` and `folder`. *lock* is
    taken when something is to be changed.
    """

    def __init__(self, settings: ServerSettings, lock: FolderLock) -> None:
        self.settings, self.lock = settings, lock
        self._jobs: dict[str, BackgroundJob] = {}
        self._running: dict[str, JobProcess] = {}
        self._locked = self._closing = False

    async def start(self) -> None:
        """Take the lock, continue the jobs that were interrupted, and start those that wait.

        At most `ServerSettings.jobs` run. Do nothing if the folder cannot be written; raise
        FolderInUse if another server has it.
        """
        with suppress(Refused):
            self._take_lock()

    async def close(self) -> None:
        """Stop the running jobs and wait for their ends; the next server continues them.

        Afterwards this queue starts no job when another ends: make a new queue instead.
        """
        self._closing = True
        await asyncio.gather(*(process.stop() for process in [*self._running.values()]))
        self._locked = False

    def all(self, kind: JobKind) -> list[BackgroundJob]:
        """Return the jobs of *kind* in any state, the newest first; empty if there are none.

        As long as this server has not locked the data folder, they are read from the disk at each
        call.
        """
        if not self._locked:  # another server may have changed them
            self._load()
        jobs = [job for job in [*self._jobs.values()] if job.kind == kind]
        return sorted(jobs, key=lambda job: job.made)[::-1]

    def find(self, kind: JobKind, name: str) -> BackgroundJob | None:
        """Return the job of *kind* with the id *name*; None if there is none."""
        return next((job for job in self.all(kind) if job.id == name), None)

    def folder(self, job: BackgroundJob) -> Path:
        """Return the path of a job's folder, which has its order and its results: ``KIND/ID`` in
        the data.
        """
        return self.settings.data / job.kind / job.id

    def add(
        self,
        kind: JobKind,
        order: dict[str, Any],
        prepare: Callable[[Path], object] = lambda path: 0,
        state: JobState = "waiting",
    ) -> BackgroundJob:
        """Add a job of *kind* with *order* to the end of the queue and return it; it may start at
        once.

        *order* has the fields of the class of *kind* in `TERMS` as JSON data, unchecked. *prepare*
        first writes its files into its folder. In another *state* than ``waiting`` it stays out of
        the queue until `resume`. Raise Refused (503) if too many jobs wait or are stored, or its
        folder cannot be written (by *prepare* either), FolderInUse if another server has the data
        folder, or the PapanError of *prepare*; then nothing is added.
        """
        self._take_lock()
        if state == "waiting":
            self._check_room()
        if len(self._jobs) >= self.settings.kept_jobs:
            raise Refused(503, "jobs.too_many_kept", most=self.settings.kept_jobs)
        name = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        made = datetime.now(UTC).isoformat(timespec="milliseconds")
        job = BackgroundJob(kind, name, order, made, state, self._last_place())
        try:
            self.folder(job).mkdir(0o700, parents=True)  # bots and marks are for its user alone
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

    async def pause(self, job: BackgroundJob) -> None:
        """Stop a running job until `resume` and wait for its end, or take a waiting one out of the
        queue.

        Do nothing in any other state. Raise Refused (503) if the data folder cannot be written,
        FolderInUse if another server has it.
        """
        self._take_lock()
        job = self._jobs.get(job.id, job)
        if process := self._running.get(job.id):
            process.pausing = True
            await process.stop()
        elif job.state == "waiting":
            self._change(job, "paused")

    def resume(self, job: BackgroundJob) -> None:
        """Put a paused or failed job, or a contest that is done, at the end of the queue.

        Do nothing in any other state, or while the process of the job has not ended yet. Raise
        Refused (503) if the queue is full or the data folder cannot be written, FolderInUse if
        another server has it.
        """
        self._take_lock()
        job = self._jobs.get(job.id, job)
        again = job.state == "done" and job.kind == "class"
        if (again or job.state in ("paused", "failed")) and job.id not in self._running:
            self._check_room()
            job.queued, job.why = self._last_place(), None
            self._change(job, "waiting")
            self._advance()

    async def delete(self, job: BackgroundJob) -> None:
        """Stop a job, if it runs, wait for its end, and delete its folder.

        Raise Refused (503) if the data folder cannot be written or ``job.json`` cannot be deleted
        (then the job stays, paused if it was not finished), FolderInUse if another server has the
        folder.
        """
        self._take_lock()
        self._jobs.pop(job.id, None)  # first, so that it does not start again
        if process := self._running.get(job.id):
            await process.stop()
        try:
            await asyncio.to_thread(self._remove, job)
        except OSError as error:
            self._jobs[job.id] = job
            if job.state in UNFINISHED:
                self._change(job, "paused")
            raise Refused(503, "error.cannot_write", path=job.kind, why=error.strerror) from None

    def _check_room(self) -> None:
        """Raise Refused (503) if `ServerSettings.waiting_jobs` jobs or more wait."""
        waiting = sum(job.state == "waiting" for job in self._jobs.values())
        if waiting >= self.settings.waiting_jobs:
            raise Refused(503, "jobs.too_many_waiting", most=self.settings.waiting_jobs)

    def _take_lock(self) -> None:
        """Lock the data folder, load its jobs, and start those that may run, unless the lock is
        held already.

        Raise Refused (503) if the folder cannot be written, FolderInUse if another server has it.
        """
        if not self._locked:
            self.lock.require()
            self._locked = True
            self._load()
            self._advance()

    def _load(self) -> None:
        """Replace the jobs known here by those on the disk, without invalid files.

        If the lock has found that nothing can be stored, unfinished ones count as failed, with that
        reason.
        """
        jobs = {}
        for kind in get_args(JobKind):
            for path in (self.settings.data / kind).glob(f"*/{JOB_FILE}"):
                with suppress(OSError, ValueError):
                    job = JOB_FORM.validate_json(read_regular(path, LONGEST_RECORD), strict=True)
                    TERMS[kind].model_validate(job.order)
                    if (job.kind, job.id) == (kind, path.parent.name):
                        jobs[job.id] = job
        self._jobs = jobs
        if reason := self.lock.lacking:  # no server can continue them
            for job in jobs.values():
                if job.state in UNFINISHED:
                    job.state, job.why = "failed", reason.shown

    def _last_place(self) -> float:
        """Return a place in the queue behind all jobs, from 1: a counter, as clocks may be set
        back.
        """
        return 1 + max((job.queued for job in self._jobs.values()), default=0)

    def _advance(self) -> None:
        """Start waiting jobs until `ServerSettings.jobs` run: interrupted ones first, then by place
        in the queue.
        """
        ready = [job for job in self._jobs.values() if job.state in UNFINISHED]
        for job in sorted(ready, key=lambda job: (job.state != "running", job.queued)):
            if len(self._running) < self.settings.jobs and job.id not in self._running:
                self._change(job, "running")
                self._running[job.id] = JobProcess(job, self.folder(job), self._on_end)

    def _on_end(self, process: JobProcess, state: JobState, why: Message | None) -> None:
        """Note that *process* has ended, with the new *state* of its job and *why* it failed (else
        None).

        Start the next jobs, unless the queue is being closed.
        """
        del self._running[process.job.id]
        if process.job.id in self._jobs:
            process.job.why = why
            self._change(process.job, state)
        if not self._closing:
            self._advance()

    def _change(self, job: BackgroundJob, state: JobState) -> None:
        """Set the state of *job* and store it; ignore errors of the disk."""
        job.state = state
        with suppress(OSError):  # if the disk is full, only this server knows the state
            self._save(job)

    def _save(self, job: BackgroundJob) -> None:
        write_whole(self.folder(job) / JOB_FILE, json.dumps(asdict(job), ensure_ascii=False))

    def _remove(self, job: BackgroundJob) -> None:
        """Delete ``job.json`` of *job*, without which it is no job, and the rest of its folder.

        Raise OSError if ``job.json`` cannot be deleted; other files that cannot be are left.
        """
        (self.folder(job) / JOB_FILE).unlink(missing_ok=True)  # without it the folder is no job
        shutil.rmtree(self.folder(job), ignore_errors=True)
