"""Jobs outlive pages and servers: they wait, run, pause, go on, fail with a reason, and end."""

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.core import Limit, PapanError
from papan.core.message import Message
from papan.lab.machine import cores
from papan.lab.tournament import run
from papan.lab.tournament.folder import JOURNAL_FILE, create
from papan.lab.tournament.plan import TournamentPlan
from papan.process.host import own_session, python
from papan.web.job_process import (
    BOTS_FOLDER,
    JOB_FILE,
    enter_bots,
    failure_reason,
    resume_tournament,
)
from papan.web.jobs import BackgroundJob, ContestTerms, JobProcess, JobQueue
from papan.web.owner import FolderLock
from papan.web.settings import ServerSettings
from papan.web.wire import Refused
from tests.referees import Referees
from tests.waiting import LONGEST_WAIT
from tests.web import counted_games
from tests.web.asking import QUIET, TOKEN, alive, client
from tests.web.counted_games import HOLD

pytestmark = pytest.mark.thorough

SHORT = TournamentPlan("tictactoe:3,3,3", ("random", "random"), pairs=2, limit=Limit(nodes=50))
LONG = replace(SHORT, pairs=500)


def with_jobs(
    data: Path, test: Callable[[JobQueue], Awaitable[None]], **settings: Any
) -> dict[str, str]:
    """Let a server's jobs run during a *test*; tells their states after it has stopped."""

    async def run() -> dict[str, str]:
        lock = FolderLock(data)
        jobs = JobQueue(ServerSettings(data=data, **settings), lock)
        await jobs.start()
        try:
            await test(jobs)
        finally:
            await jobs.close()
            lock.close()
        return {job.id: job.state for job in jobs.all("tournament")}

    return asyncio.run(run())


def begin(jobs: JobQueue, plan: TournamentPlan = SHORT) -> BackgroundJob:
    return jobs.add("tournament", {"concurrency": 1}, lambda folder: create(folder, plan))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes of jobs play no games, see `tests.web.counted_games`."""
    monkeypatch.setattr("papan.web.jobs.PROCESS_MODULE", counted_games.__name__)


def begin_held(jobs: JobQueue, plan: TournamentPlan = SHORT) -> BackgroundJob:
    """Begin a job that waits after each game until it is interrupted, or `let_go`."""

    def prepare(folder: Path) -> None:
        create(folder, plan)
        (folder / HOLD).touch()

    return jobs.add("tournament", {"concurrency": 1}, prepare)


def let_go(jobs: JobQueue, job: BackgroundJob) -> None:
    """Let a job that is held play on when it goes on."""
    (jobs.folder(job) / HOLD).unlink()


def games(jobs: JobQueue, job: BackgroundJob) -> int:
    journal = jobs.folder(job) / JOURNAL_FILE
    return len(journal.read_text().splitlines()) if journal.exists() else 0


def state_of(job: BackgroundJob) -> tuple[str, Message | None]:
    """The state of a job now, and why."""
    return job.state, job.why


async def until(fact: Callable[[], object]) -> None:
    async with asyncio.timeout(LONGEST_WAIT):
        while not fact():
            await asyncio.sleep(0.05)


def test_a_job_runs_to_its_end_and_is_found_again(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        job = begin(jobs)
        assert job.state == "running"
        await until(lambda: job.state != "running")
        assert (job.state, job.why, games(jobs, job)) == ("done", None, 4)

    async def look(jobs: JobQueue) -> None:
        assert [job.state for job in jobs.all("tournament")] == ["done"]

    with_jobs(tmp_path, test)
    with_jobs(tmp_path, look)


@pytest.mark.parametrize(
    "change",
    [
        {"made": 5},
        {"state": "dancing"},
        {"queued": None},
        {"order": []},
        {"order": {}},
        {"order": {"concurrency": 0}},
        {"why": "no"},
        {"kind": "lab"},
    ],
)
def test_a_job_that_makes_no_sense_is_left_alone(tmp_path: Path, change: dict[str, Any]) -> None:
    name = "abcdefghijkm"
    facts = {"kind": "tournament", "id": name, "order": {"concurrency": 1}, "made": "2026"}
    _leave(tmp_path, name, json.dumps(facts | {"state": "done"} | change).encode())

    async def look(jobs: JobQueue) -> None:
        assert jobs.all("tournament") == []

    with_jobs(tmp_path, look)


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"[" * 100_000, b"null"])
def test_a_damaged_file_of_a_job_keeps_no_server_from_starting(
    tmp_path: Path, content: bytes
) -> None:
    _leave(tmp_path, "abcdefghijkm", content)

    async def look(jobs: JobQueue) -> None:
        assert jobs.all("tournament") == []

    with_jobs(tmp_path, look)


def _leave(data: Path, name: str, content: bytes) -> None:
    (data / "tournament" / name).mkdir(parents=True)
    (data / "tournament" / name / JOB_FILE).write_bytes(content)


def test_z23_the_lock_of_a_job_is_not_made_through_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"

    async def test(jobs: JobQueue) -> None:
        def prepare(folder: Path) -> None:
            create(folder, SHORT)
            (folder / "lock").symlink_to(elsewhere)

        job = jobs.add("tournament", {"concurrency": 1}, prepare)
        await until(lambda: job.state != "running")
        assert (job.state, job.why and job.why.key) == ("failed", "error.not_regular")

    with_jobs(tmp_path / "data", test)
    assert not elsewhere.exists()


@pytest.mark.parametrize("seal", [None, "", "0" * 64])
def test_z24_a_stranger_names_no_folder_of_a_contest(tmp_path: Path, seal: str | None) -> None:
    """It would be played in, written to, and erased with the contest."""
    data, thesis = tmp_path / "data", tmp_path / "thesis"
    own = ContestTerms.order_of(thesis)
    for name, order in (("abcdefghijkm", own | {"seal": seal}), ("abcdefghijkn", own)):
        facts = {"kind": "class", "id": name, "order": order, "made": "2026", "state": "paused"}
        (data / "class" / name).mkdir(parents=True)
        (data / "class" / name / JOB_FILE).write_text(json.dumps(facts))

    async def look(jobs: JobQueue) -> None:
        assert [job.id for job in jobs.all("class")] == ["abcdefghijkn"]

    with_jobs(data, look)


@pytest.mark.parametrize("linked", ["folder", "file"])
def test_z24_bots_of_a_strangers_tournament_are_no_links(tmp_path: Path, linked: str) -> None:
    """A program in C was compiled into the folder that a link led to."""
    cup, elsewhere = tmp_path / "cup", tmp_path / "elsewhere"
    for folder in (cup, elsewhere):
        folder.mkdir()
    (elsewhere / "mine.c").write_text("int main(void) { return 0; }")
    if linked == "folder":
        (cup / BOTS_FOLDER).symlink_to(elsewhere)
    else:
        (cup / BOTS_FOLDER).mkdir()
        (cup / BOTS_FOLDER / "mine.c").symlink_to(elsewhere / "mine.c")
    before = Path.cwd()
    try:
        with pytest.raises(PapanError, match="link"):
            enter_bots(cup)
    finally:
        os.chdir(before)
    assert [each.name for each in elsewhere.iterdir()] == ["mine.c"]


def test_z23_a_job_plays_no_more_games_at_a_time_than_there_are_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, referees: Referees
) -> None:
    widths: list[int] = []
    wide = run.this_machine

    def noted(pool: run.RefereePool, width: int) -> Any:
        widths.append(width)
        return wide(pool, 1)

    monkeypatch.setattr(run, "this_machine", noted)
    monkeypatch.setattr(run, "LineProcess", referees.one)
    create(tmp_path / "cup", SHORT)
    resume_tournament(tmp_path / "cup", {"concurrency": 10**6})
    assert widths == [cores()]


def test_v05_17_a_job_that_is_done_does_not_go_on(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        job = begin(jobs)
        await jobs.pause(job)
        job.state = "done"
        jobs._save(job)

    with_jobs(tmp_path, test, jobs=0)

    async def ask() -> str:
        settings = replace(QUIET, workers=0, data=tmp_path)
        async with alive(settings) as app, client(app, token=TOKEN) as owner:
            [job] = (await owner.get("/api/v1/tournaments")).json()
            answer = await owner.post(f"/api/v1/tournaments/{job['id']}/go-on")
            return str(answer.json()["state"])

    assert asyncio.run(ask()) == "done"


@pytest.mark.parametrize("step", [1, -1])
def test_v05_18_who_has_waited_longest_runs_next_however_the_clock_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    begun: list[str] = []

    class Started(JobProcess):
        def __init__(self, job: BackgroundJob, folder: Path, over: Any) -> None:
            self.job, self.over = job, over
            begun.append(job.id)

        async def stop(self) -> None:
            pass

    clock = iter(range(10**6, 10**6 + 1000 * step, 10 * step))
    monkeypatch.setattr("papan.web.jobs.JobProcess", Started)
    monkeypatch.setattr("papan.web.jobs.time", lambda: next(clock), raising=False)

    async def test(jobs: JobQueue) -> None:
        waiting = [begin(jobs) for _ in range(4)]
        await jobs.pause(waiting[1])
        jobs.resume(waiting[1])  # behind all others now
        for _ in waiting:
            run: Any = jobs._running[begun[-1]]
            run.over(run, "done", None)
        assert begun == [waiting[place].id for place in (0, 2, 3, 1)]

    with_jobs(tmp_path, test)


@pytest.mark.usefixtures("counted")
def test_a_job_whose_process_cannot_be_started_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*words: str, **options: Any) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    async def test(jobs: JobQueue) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("asyncio.create_subprocess_exec", refuse)
            job = begin(jobs)
            await until(lambda: job.state != "running")
        why = {"why": os.strerror(errno.EAGAIN)}
        assert (job.state, job.why) == ("failed", Message("jobs.cannot_start", why))
        jobs.resume(job)
        await until(lambda: job.state == "done")

    with_jobs(tmp_path, test)


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "jobs.no_disk"),
        (OSError(errno.EROFS, "Read-only file system"), "jobs.no_disk"),
        (PermissionError(errno.EACCES, "Permission denied"), "jobs.no_disk"),
        (RuntimeError("(sqlite3.OperationalError) database or disk is full"), "jobs.no_disk"),
        (OSError(errno.ENOENT, "No such file"), "jobs.crashed"),
        (ZeroDivisionError("division by zero"), "jobs.crashed"),
        (PapanError("error.nothing_to_play", position="x"), "error.nothing_to_play"),
    ],
)
def test_r08_a_job_says_what_the_disk_says(error: Exception, key: str) -> None:
    found = failure_reason(error)
    assert found.key == key
    assert str(found)
    if key == "jobs.no_disk":
        assert found.text("id").find(str(found.shown.values["why"])) > 0


def test_r08_a_job_that_is_killed_or_whose_disk_refuses_has_failed_and_goes_on_when_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(jobs: JobQueue) -> None:
        job = begin(jobs, replace(SHORT, pairs=20))
        await until(lambda: games(jobs, job))
        process = jobs._running[job.id]._process
        assert process is not None
        os.killpg(process.pid, signal.SIGKILL)
        await until(lambda: job.state == "failed")
        assert job.why == Message("jobs.died", {"code": "-9"})
        small = tmp_path / "python"  # as a disk that is full: no file may grow beyond 512 bytes
        small.write_text(f'#!/bin/sh\nulimit -f 1\nexec "{sys.executable}" "$@"\n')
        small.chmod(0o755)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", str(small))
            jobs.resume(job)
            assert state_of(job) == ("running", None)
            await until(lambda: job.state == "failed")
        assert job.why and job.why.key == "jobs.no_disk", job.why
        await jobs.pause(job)
        assert job.state == "failed"  # there is nothing to pause
        jobs.resume(job)
        await until(lambda: job.state == "done")
        assert games(jobs, job) == 40

    with_jobs(tmp_path, test)


def test_r08_where_nothing_can_be_written_no_job_is_said_to_run(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        begin(jobs, LONG)
        begin(jobs)

    assert sorted(with_jobs(tmp_path, test).values()) == ["running", "waiting"]
    lock = tmp_path / "in-charge"
    lock.unlink()
    lock.mkdir()  # as good as a folder that may not be written, also for root

    async def look(jobs: JobQueue) -> None:
        for job in jobs.all("tournament"):
            assert (job.state, job.why and job.why.key) == ("failed", "error.not_regular")
        with pytest.raises(Refused) as refusal:
            begin(jobs)
        assert (refusal.value.status, refusal.value.key) == (503, "error.not_regular")
        lock.rmdir()  # and it goes on where it may again
        begin(jobs)
        assert sorted(job.state for job in jobs.all("tournament")) == [
            "running",
            "waiting",
            "waiting",
        ]

    with_jobs(tmp_path, look)


def test_a_job_that_cannot_be_deleted_stays_and_the_reason_is_told(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        job = begin(jobs, LONG)
        file = jobs.folder(job) / "job.json"
        file.unlink()
        file.mkdir()  # as good as a file that may not be deleted, also for root
        with pytest.raises(Refused) as refusal:
            await jobs.delete(job)
        assert (refusal.value.status, refusal.value.key) == (503, "error.cannot_write")
        assert [each.state for each in jobs.all("tournament")] == ["paused"]
        file.rmdir()
        await jobs.delete(job)
        assert not jobs.folder(job).exists()
        assert jobs.all("tournament") == []

    with_jobs(tmp_path, test)


@pytest.mark.usefixtures("counted")
def test_one_runs_at_a_time_and_so_many_wait(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        first, second = begin_held(jobs), begin(jobs)
        assert (first.state, second.state) == ("running", "waiting")
        with pytest.raises(Refused) as refusal:
            begin(jobs)
        assert (refusal.value.status, refusal.value.key) == (503, "jobs.too_many_waiting")
        await jobs.delete(first)
        assert not jobs.folder(first).exists()
        await until(lambda: second.state == "done")
        assert jobs.all("tournament") == [second]

    with_jobs(tmp_path, test, waiting_jobs=1)


def test_no_more_are_kept_than_is_said(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        await jobs.pause(begin(jobs, LONG))
        with pytest.raises(Refused, match="1 jobs are kept already"):
            begin(jobs)

    with_jobs(tmp_path, test, kept_jobs=1)


@pytest.mark.usefixtures("counted")
def test_a_paused_job_goes_on_where_it_was(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        job = begin_held(jobs)
        await until(lambda: games(jobs, job))
        await jobs.pause(job)
        assert (job.state, games(jobs, job)) == ("paused", 1)
        let_go(jobs, job)
        waiting = begin_held(jobs)
        jobs.resume(job)
        assert (waiting.state, job.state) == ("running", "waiting")
        await jobs.pause(job)
        assert job.state == "paused"
        jobs.resume(job)
        await jobs.pause(waiting)
        await until(lambda: job.state == "done")
        assert games(jobs, job) == 4

    with_jobs(tmp_path, test)


@pytest.mark.usefixtures("counted")
def test_when_the_server_stops_and_starts_its_jobs_go_on(tmp_path: Path) -> None:
    async def begin_both(jobs: JobQueue) -> None:
        job = begin_held(jobs)
        begin(jobs)
        await until(lambda: games(jobs, job))

    async def finish(jobs: JobQueue) -> None:
        second, first = jobs.all("tournament")
        assert (first.state, second.state) == ("running", "waiting")
        await until(lambda: second.state == "done")
        assert (games(jobs, first), games(jobs, second)) == (4, 4)

    assert sorted(with_jobs(tmp_path, begin_both).values()) == ["running", "waiting"]
    [hold] = tmp_path.rglob(HOLD)
    hold.unlink()
    assert set(with_jobs(tmp_path, finish).values()) == {"done"}


def test_a_job_that_fails_says_why_and_can_be_tried_again(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        job = begin(jobs, replace(SHORT, agents=("random", "bot:mine.py")))
        await until(lambda: job.state == "failed")
        assert job.why and job.why.key == "error.not_installed"
        jobs.resume(job)
        assert [(each.state, each.why) for each in jobs.all("tournament")] == [("running", None)]
        await until(lambda: job.state == "failed")

    with_jobs(tmp_path, test)


@pytest.mark.usefixtures("counted")
def test_s17_a_job_that_loses_its_server_stops_before_the_next_begins(tmp_path: Path) -> None:
    async def test(jobs: JobQueue) -> None:
        job = begin_held(jobs)
        await jobs.pause(job)
        orphan = subprocess.Popen(
            python(counted_games.__name__, "tournament", str(jobs.folder(job))),
            stdin=subprocess.PIPE,
            **own_session(),
        )
        await until(lambda: games(jobs, job))
        let_go(jobs, job)
        jobs.resume(job)  # waits for the lock in the folder
        assert orphan.stdin is not None
        orphan.stdin.close()  # as when the server is killed
        assert await asyncio.to_thread(orphan.wait, LONGEST_WAIT) == 130
        await until(lambda: job.state == "done")
        assert games(jobs, job) == 4

    with_jobs(tmp_path, test)


def test_where_processes_cannot_be_forked_the_server_starts_and_says_so(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['fcntl'] = None\n"
        "from pathlib import Path\n"
        "from papan.web.app import build_app\n"
        "from papan.web.owner import FolderLock\n"
        "from papan.web.jobs import JobQueue\n"
        "from papan.web.wire import Refused\n"
        "from papan.web.settings import ServerSettings\n"
        "settings = ServerSettings(data=Path(sys.argv[1])); build_app(settings)\n"
        "try: JobQueue(settings, FolderLock(settings.data)).add('tournament', {})\n"
        "except Refused as refusal: print(refusal.status, refusal.key)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "503 tournament.no_fork\n", done.stderr


def test_what_is_no_job_is_left_alone(tmp_path: Path) -> None:
    for name, text in (("a", "{"), ("b", "{}"), ("c", json.dumps({"kind": "x"}))):
        (tmp_path / "tournament" / name).mkdir(parents=True)
        (tmp_path / "tournament" / name / JOB_FILE).write_text(text)

    async def look(jobs: JobQueue) -> None:
        assert jobs.all("tournament") == []

    with_jobs(tmp_path, look)
