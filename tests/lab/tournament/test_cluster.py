"""Many machines: a real scheduler and two workers, one of which is killed in the middle."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from papan.core import PapanError
from papan.lab.tournament.run import cluster
from tests.waiting import LONGEST_WAIT, until

pytestmark = pytest.mark.thorough

PLAN = ("random", "hillclimb", "--nodes", "300", "--pairs", "15", "--seed", "2")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@contextmanager
def program(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", *arguments],
        env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def worker(file: Path, *options: str) -> tuple[str, ...]:
    name = ("distributed.cli.dask_worker", "--scheduler-file", str(file))
    return (*name, "--nthreads", "1", "--no-dashboard", *options)


def games(folder: Path) -> dict[int, object]:
    lines = (folder / "games.jsonl").read_text().splitlines()
    return {facts["number"]: facts for line in lines if (facts := json.loads(line))}


@pytest.mark.slow  # a pool that loses a referee is looked at in every run
def test_a_cluster_that_loses_a_worker_plays_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    file, here, there = tmp_path / "scheduler.json", tmp_path / "here", tmp_path / "there"
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    with (
        program(*scheduler, "--no-dashboard", "--scheduler-file", str(file)),
        program(*worker(file, "--no-nanny")) as doomed,
        program(*worker(file)),
        program("papan", "tournament", "run", str(here), *PLAN) as alone,
    ):
        assert alone.wait(LONGEST_WAIT) == 0
        until(file.exists)
        address = json.loads(file.read_text())["address"]
        run = ("papan", "tournament", "run", str(there), *PLAN, "--cluster", address)
        with program(*run) as shared:
            journal = there / "games.jsonl"
            until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 5)
            doomed.kill()
            assert shared.wait(LONGEST_WAIT) == 0
    assert len(games(here)) == 30
    assert games(there) == games(here)


def test_a_cluster_that_is_not_there_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    words = ["tournament", "run", str(tmp_path / "cup"), *PLAN, "--cluster", "tcp://127.0.0.1:9"]
    code = (
        "from papan.lab.tournament import run as runs; runs.CONNECT_SECONDS = 1\n"
        f"from papan.cli.app import run; raise SystemExit(run({words!r}))"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=ENVIRONMENT, text=True, capture_output=True, check=False, timeout=LONGEST_WAIT,
    )  # fmt: skip
    assert "There is no scheduler at tcp://127.0.0.1:9" in ran.stderr
    assert (ran.returncode, ran.stdout) == (2, "")
    assert not (tmp_path / "cup").exists()


def test_a_cluster_needs_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(PapanError, match=r"papan\[cluster\]"):
        cluster("tcp://127.0.0.1:9").__enter__()
