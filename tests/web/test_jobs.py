"""Jobs outlive pages and servers: they wait, run, pause, go on, fail with a reason, and end."""

import asyncio
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

from papan.core import Limit
from papan.lab.tournament.folder import JOURNAL, found
from papan.lab.tournament.plan import Plan
from papan.web.charge import Charge
from papan.web.jobrun import FILE, Job
from papan.web.jobs import Jobs
from papan.web.refusals import Refused
from papan.web.settings import Settings
from tests.patience import PATIENCE

SHORT = Plan("tictactoe:3,3,3", ("random", "random"), pairs=2, limit=Limit(nodes=50))
LONG = replace(SHORT, pairs=500)


def with_jobs(
    data: Path, test: Callable[[Jobs], Awaitable[None]], **settings: Any
) -> dict[str, str]:
    """Let a server's jobs run during a *test*; tells their states after it has stopped."""

    async def run() -> dict[str, str]:
        charge = Charge(data)
        jobs = Jobs(Settings(data=data, **settings), charge)
        await jobs.start()
        try:
            await test(jobs)
        finally:
            await jobs.close()
            charge.close()
        return {job.id: job.state for job in jobs.all("tournament")}

    return asyncio.run(run())


def begin(jobs: Jobs, plan: Plan = SHORT) -> Job:
    return jobs.add("tournament", {"concurrency": 1}, lambda folder: found(folder, plan))


def games(jobs: Jobs, job: Job) -> int:
    journal = jobs.folder(job) / JOURNAL
    return len(journal.read_text().splitlines()) if journal.exists() else 0


async def until(fact: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not fact():
            await asyncio.sleep(0.05)


def test_a_job_runs_to_its_end_and_is_found_again(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        job = begin(jobs)
        assert job.state == "running"
        await until(lambda: job.state != "running")
        assert (job.state, job.why, games(jobs, job)) == ("done", None, 4)

    async def look(jobs: Jobs) -> None:
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
        {"why": "no"},
        {"kind": "lab"},
    ],
)
def test_a_job_that_makes_no_sense_is_left_alone(tmp_path: Path, change: dict[str, Any]) -> None:
    name = "abcdefghijkm"
    facts = {"kind": "tournament", "id": name, "order": {"concurrency": 1}, "made": "2026"}
    _leave(tmp_path, name, json.dumps(facts | {"state": "done"} | change).encode())

    async def look(jobs: Jobs) -> None:
        assert jobs.all("tournament") == []

    with_jobs(tmp_path, look)


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"[" * 100_000, b"null"])
def test_a_damaged_file_of_a_job_keeps_no_server_from_starting(
    tmp_path: Path, content: bytes
) -> None:
    _leave(tmp_path, "abcdefghijkm", content)

    async def look(jobs: Jobs) -> None:
        assert jobs.all("tournament") == []

    with_jobs(tmp_path, look)


def _leave(data: Path, name: str, content: bytes) -> None:
    (data / "tournament" / name).mkdir(parents=True)
    (data / "tournament" / name / FILE).write_bytes(content)


def test_one_runs_at_a_time_and_so_many_wait(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        first, second = begin(jobs, LONG), begin(jobs)
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
    async def test(jobs: Jobs) -> None:
        await jobs.pause(begin(jobs, LONG))
        with pytest.raises(Refused, match="1 jobs are kept already"):
            begin(jobs)

    with_jobs(tmp_path, test, kept_jobs=1)


def test_a_paused_job_goes_on_where_it_was(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        job = begin(jobs, replace(SHORT, pairs=20))
        await until(lambda: games(jobs, job))
        await jobs.pause(job)
        played = games(jobs, job)
        assert job.state == "paused"
        assert 0 < played < 40
        waiting = begin(jobs, LONG)
        jobs.go_on(job)
        assert (waiting.state, job.state) == ("running", "waiting")
        await jobs.pause(job)
        assert job.state == "paused"
        jobs.go_on(job)
        await jobs.pause(waiting)
        await until(lambda: job.state == "done")
        assert games(jobs, job) == 40

    with_jobs(tmp_path, test)


def test_when_the_server_stops_and_starts_its_jobs_go_on(tmp_path: Path) -> None:
    async def begin_both(jobs: Jobs) -> None:
        job = begin(jobs, replace(SHORT, pairs=20))
        begin(jobs)
        await until(lambda: games(jobs, job))

    async def finish(jobs: Jobs) -> None:
        second, first = jobs.all("tournament")
        assert (first.state, second.state) == ("running", "waiting")
        await until(lambda: second.state == "done")
        assert (games(jobs, first), games(jobs, second)) == (40, 4)

    assert sorted(with_jobs(tmp_path, begin_both).values()) == ["running", "waiting"]
    assert set(with_jobs(tmp_path, finish).values()) == {"done"}


def test_a_job_that_fails_says_why_and_can_be_tried_again(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        job = begin(jobs, replace(SHORT, agents=("random", "bot:mine.py")))
        await until(lambda: job.state == "failed")
        assert job.why and job.why["key"] == "error.unknown_name_far"
        jobs.go_on(job)
        assert job.state == "running"
        await until(lambda: job.state == "failed")

    with_jobs(tmp_path, test)


def test_a_job_whose_process_is_killed_has_failed(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        job = begin(jobs, LONG)
        await until(lambda: games(jobs, job))
        process = jobs._runs[job.id]._process
        assert process is not None
        os.killpg(process.pid, signal.SIGKILL)
        await until(lambda: job.state == "failed")
        assert job.why == {"key": "jobs.died", "values": {"code": "-9"}}

    with_jobs(tmp_path, test)


def test_s17_a_job_that_loses_its_server_stops_before_the_next_begins(tmp_path: Path) -> None:
    async def test(jobs: Jobs) -> None:
        job = begin(jobs, replace(SHORT, pairs=20))
        await jobs.pause(job)
        command = [sys.executable, "-P", "-m", "papan.web.job", "tournament"]
        orphan = subprocess.Popen(
            [*command, str(jobs.folder(job)), "2"], stdin=subprocess.PIPE, start_new_session=True
        )
        await until(lambda: games(jobs, job))
        jobs.go_on(job)  # waits for the lock in the folder
        assert orphan.stdin is not None
        orphan.stdin.close()  # as when the server is killed
        assert await asyncio.to_thread(orphan.wait, PATIENCE) == 130
        await until(lambda: job.state == "done")
        assert games(jobs, job) == 40

    with_jobs(tmp_path, test)


def test_where_processes_cannot_be_forked_the_server_starts_and_says_so(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['fcntl'] = None\n"
        "from pathlib import Path\n"
        "from papan.web.app import build\n"
        "from papan.web.charge import Charge\n"
        "from papan.web.jobs import Jobs\n"
        "from papan.web.refusals import Refused\n"
        "from papan.web.settings import Settings\n"
        "settings = Settings(data=Path(sys.argv[1])); build(settings)\n"
        "try: Jobs(settings, Charge(settings.data)).add('tournament', {})\n"
        "except Refused as refusal: print(refusal.status, refusal.key)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "503 tournament.no_fork\n", done.stderr


def test_what_is_no_job_is_left_alone(tmp_path: Path) -> None:
    for name, text in (("a", "{"), ("b", "{}"), ("c", json.dumps({"kind": "x"}))):
        (tmp_path / "tournament" / name).mkdir(parents=True)
        (tmp_path / "tournament" / name / FILE).write_text(text)

    async def look(jobs: Jobs) -> None:
        assert jobs.all("tournament") == []

    with_jobs(tmp_path, look)
