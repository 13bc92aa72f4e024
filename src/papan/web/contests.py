"""The contests of a server: each is a job with the folder that ``papan class`` makes and reads.

Pages show what is in the folder, to which the process of the job, checks of submissions and the
terminal write. Checks run in processes of their own, a few at a time.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import NamedTuple

from papan.contest.folder import CHECKS_FILE, Contest, GamesJournal, contest_state, new_contest
from papan.contest.plan import PLAN, STUDENTS, SUBMISSIONS
from papan.contest.standings import StudentPlace, standings_of
from papan.contest.submissions import WORK_FOLDER, Version
from papan.contest.truth import ExactJudgement, kept_truth, truth_state
from papan.core import PapanError
from papan.core.message import Message
from papan.lab.machine import cores
from papan.process.host import kill_group, start_module
from papan.web.jobs import BackgroundJob, ContestTerms, JobQueue
from papan.web.links import SecretLinks
from papan.web.settings import ServerSettings
from papan.web.wire import Refused

CHECK_MODULE = "papan.web.check_process"
STANDINGS_SECONDS = 1.0
"""Least seconds between two computations of the standings."""
STANDINGS_SHARE = 0.1
"""Share of the time that computing the standings may take, at most."""
CHECK_AGAIN_SECONDS = 20.0
"""Seconds after which a check whose process failed is tried again."""


class FollowedContest:
    """The contest in *folder*, read again whenever its files have changed; safe for threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.links = SecretLinks(folder)
        self._lock = RLock()
        self._contest: Contest | None = None
        self._state: object = None
        self._journal = GamesJournal(folder)
        self._standings: list[StudentPlace] = []
        self._standings_of: object = None
        self._due = 0.0
        self._truth: ExactJudgement | None = None
        self._truth_state: object = None

    def look(self) -> Contest:
        """Return the contest in its present state.

        It is the same object until its plan, its list, its submissions or its checks change, and
        gets each new game: callers must not change it. New submissions are stored as versions.
        Raise PapanError if a file is invalid or cannot be read.
        """
        with self._lock, _reading(self.folder):
            checks = self.folder / WORK_FOLDER / CHECKS_FILE
            size = checks.stat().st_size if checks.exists() else 0
            state = contest_state(self.folder), size
            if self._contest is None or state != self._state:
                self._contest = Contest.without_games(self.folder)
                self._state = state
            self._contest.games = self._journal.look()
            return self._contest

    def standings(self) -> list[StudentPlace]:
        """Return a line for each student who takes part, the strongest first; it may be some
        seconds old.

        The list is shared by all callers, who must not change it. Raise what `look` raises.
        """
        with self._lock:
            contest = self.look()
            basis = self._state, len(contest.games)
            if basis != self._standings_of and monotonic() >= self._due:
                began = monotonic()
                self._standings, self._standings_of = standings_of(contest), basis
                took = monotonic() - began
                self._due = monotonic() + max(STANDINGS_SECONDS, took / STANDINGS_SHARE)
                if not contest.games:
                    self._due = 0.0
            return self._standings

    def truth(self) -> ExactJudgement | None:
        """Return what exact values say of the players' moves, as far as a run has judged them.

        None before a run has begun to judge, or if the plan has changed since. The object is shared
        by all callers, who must not change it. Raise PapanError if a file is invalid or cannot
        be read.
        """
        with self._lock, _reading(self.folder):
            contest = self.look()
            state = truth_state(contest), self._state
            if state != self._truth_state:
                self._truth, self._truth_state = kept_truth(contest), state
            return self._truth

    def codes(self) -> dict[str, str]:
        """Return the secret code of each student of the list, by student number; make those that
        are missing.

        Raise what `look` raises, and PapanError if the file of the codes is invalid or cannot be
        written.
        """
        with self._lock:
            numbers = [each.number for each in self.look().students]
            codes = self.links.complete(numbers)
            return {number: codes[number] for number in numbers}


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Turn an OSError within the context into a PapanError: a file in *folder* cannot be read."""
    try:
        yield
    except OSError as error:
        path, why = error.filename or folder, error.strerror or error
        raise PapanError("error.cannot_read", path=path, why=why) from None


class HandedIn(NamedTuple):
    """The student of a contest to whom a secret link belongs."""

    job: BackgroundJob
    """The job of the contest."""
    followed: FollowedContest
    """The contest."""
    student: str
    """The number of the student."""


class CheckQueue:
    """Runs the checks of submissions, each in a process: a few at a time, one for each student.

    Checks are started and stopped in the event loop only; threads may ask about them.
    """

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(max(1, cores() - 1))
        self._tasks: dict[tuple[Path, str], asyncio.Task[None]] = {}
        self._failed: dict[tuple[Path, str, int], tuple[Message, float]] = {}

    def running(self, folder: Path, student: str) -> bool:
        """Return whether a check of *student* (a number) of the contest in *folder* runs or
        waits.
        """
        return (folder, student) in self._tasks

    def failure(self, folder: Path, version: Version) -> Message | None:
        """Return why a check of *version* could not be made; None if that never happened.

        It is the last such reason, even if a later check could be made. A bot that failed its check
        is no failure here.
        """
        found = self._failed.get((folder, version.student, version.number))
        return None if found is None else found[0]

    def start(self, folder: Path, version: Version) -> None:
        """Check *version* of a student of the contest in *folder* as soon as a process is free;
        return at once.

        Do nothing if a check of the student runs or waits, or if a check of this version could not
        be made in the last `CHECK_AGAIN_SECONDS`.
        """
        key = (folder, version.student)
        _, again = self._failed.get((*key, version.number), (None, 0.0))
        if key not in self._tasks and monotonic() >= again:
            self._tasks[key] = asyncio.create_task(self._check(folder, version))

    async def stop(self, folder: Path | None = None) -> None:
        """Kill the checks of the contest in *folder* (None: all checks) and wait for their ends.

        A check that waits for a process is dropped.
        """
        tasks = {key: task for key, task in self._tasks.items() if folder in (None, key[0])}
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        for key, task in tasks.items():
            if self._tasks.get(key) is task:  # it was cancelled before it began
                del self._tasks[key]

    async def _check(self, folder: Path, version: Version) -> None:
        """Check *version* once a process is free; note the reason if that could not be done."""
        student = version.student
        try:
            async with self._slots:
                why = await _checked(folder, student)
            if why is not None:
                failed = why, monotonic() + CHECK_AGAIN_SECONDS
                self._failed[folder, student, version.number] = failed
        finally:
            del self._tasks[folder, student]


async def _checked(folder: Path, student: str) -> Message | None:
    """Run a process that checks *student* (a number) to its end; return why it could not check, or
    None.
    """
    try:
        process = await start_module(CHECK_MODULE, str(folder), student)
    except OSError as error:  # no process, memory or file descriptor is left
        return Message("jobs.cannot_start", {"why": error.strerror or type(error).__name__})
    assert process.stdout is not None
    try:
        line = await process.stdout.readline()
        code = await process.wait()
    finally:
        kill_group(process.pid)
        await asyncio.shield(process.wait())
    if code == 0:
        return None
    with suppress(ValueError, KeyError):  # a process that was killed may leave half a line
        return Message.from_json(json.loads(line))
    return Message("jobs.died", {"code": str(code)})


class Contests:
    """The contests of a server: the jobs of the kind ``class`` in *jobs*, and the folders they are
    in.

    *settings* has the folders of contests that were named on the command line.
    """

    def __init__(self, settings: ServerSettings, jobs: JobQueue) -> None:
        self.settings, self.jobs, self.checks = settings, jobs, CheckQueue()
        self._followed: dict[Path, FollowedContest] = {}

    def all(self) -> list[BackgroundJob]:
        """Return the jobs of all contests, the newest first.

        A folder that was named on the command line, has a plan and is not among them becomes a job,
        paused. Raise Refused (503) or FolderInUse if that cannot be stored.
        """
        known = {each.order["folder"] for each in self.jobs.all("class")}
        for folder in self.settings.contests:
            if str(folder) not in known and (folder / PLAN).exists():  # or it was deleted
                self.jobs.add("class", ContestTerms.order_of(folder), state="paused")
        return self.jobs.all("class")

    def job(self, name: str) -> BackgroundJob:
        """Return the contest's job with the id *name*; raise Refused (404) if there is none."""
        if found := self.jobs.find("class", name):
            return found
        raise Refused(404, "class.gone")

    def folder(self, job: BackgroundJob) -> Path:
        """Return the path of a contest's files: a folder named on the command line, or that of its
        job.
        """
        return Path(job.order["folder"]) if job.order["folder"] else self.jobs.folder(job)

    def followed(self, job: BackgroundJob) -> FollowedContest:
        """Return the contest of *job*, to be read; nothing is read yet.

        It is the same object for each call, until the contest is deleted.
        """
        return self._followed.setdefault(self.folder(job), FollowedContest(self.folder(job)))

    def make(self, game: str, title: str, language: str) -> BackgroundJob:
        """Make a contest and return its job, which is paused until its owner starts it.

        *game* is a spec, *language* (en or id) that of the plan. Raise PapanError for a game that
        is unknown or not for two, or if the plan cannot be written; Refused (503) if there are too
        many jobs or the folder cannot be made; FolderInUse if another server has the data folder.
        """
        return self.jobs.add(
            "class",
            {"folder": ""},
            lambda folder: new_contest(folder, game, language, title),
            state="paused",
        )

    async def delete(self, job: BackgroundJob) -> None:
        """Stop the games and checks of a contest, delete its job and its files, and wait until that
        is done.

        Files that do not belong to it, as in a folder of the command line, stay, and their folder
        with them. Raise Refused (503) or FolderInUse if the job's folder cannot be written, OSError
        if the plan or the list of students cannot be deleted.
        """
        folder = self.folder(job)
        await self.checks.stop(folder)
        await self.jobs.delete(job)
        await self.checks.stop(folder)  # those that began meanwhile
        await asyncio.to_thread(_erase, folder)
        self._followed.pop(folder, None)

    def holder(self, code: str) -> HandedIn | None:
        """Return the student whose secret link has *code*; None if there is none.

        Contests with files that are damaged or cannot be read, and students who are not in the
        list any more, are left out.
        """
        for job in self.jobs.all("class"):
            followed = self.followed(job)
            with suppress(PapanError, OSError):  # a contest whose files are damaged
                number = followed.links.holder(code)
                if number is None:  # a stranger has nothing looked for
                    continue
                if number in {each.number for each in followed.look().students}:
                    return HandedIn(job, followed, number)
        return None

    def check_new(self, followed: FollowedContest, versions: Iterable[Version]) -> None:
        """Start the missing checks of *versions* of a contest and return at once, as
        `CheckQueue.start` does.
        """
        for version in versions:
            self.checks.start(followed.folder, version)

    def go_on(self, job: BackgroundJob) -> None:
        """Put a contest whose games were done back into the queue, for a new bot or more minutes.

        Do nothing in any other state, if too many jobs wait, or if the data folder cannot be
        written. Raise FolderInUse if another server has it.
        """
        if job.state == "done":
            with suppress(Refused):  # too many jobs wait: its owner starts it
                self.jobs.resume(job)


OWN = (SUBMISSIONS, WORK_FOLDER, "report")
"""Folders in the folder of a contest that belong to it."""


def _erase(folder: Path) -> None:
    """Delete the files of a contest, and its folder if nothing else is in it.

    Folders that cannot be deleted, and links in their places, stay; raise OSError if the plan or
    the list of students cannot be deleted.
    """
    from shutil import rmtree

    for name in OWN:
        rmtree(folder / name, ignore_errors=True)  # of a link only an error
    for name in (PLAN, STUDENTS):
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


ORIGIN = re.compile(
    r"https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?|https?://\[[0-9a-fA-F:]+\](:[0-9]{1,5})?"
)
"""Pattern of the address of a server, with which links begin."""


def hand_in_link(origin: str, code: str) -> str:
    """Return a student's link ``ORIGIN/hand-in#CODE``: browsers do not send the part after ``#``.

    Raise Refused (422) if *origin* is no address of a server, such as
    ``https://papan.example:8321``.
    """
    if not ORIGIN.fullmatch(origin):
        raise Refused(422, "class.bad_origin", origin=origin[:60])
    return f"{origin}/hand-in#{code}"
