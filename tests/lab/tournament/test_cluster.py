"""Many machines: a real scheduler and two workers, one of which is killed in the middle."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from papan.core import PapanError
from papan.lab.referee import KILLS
from papan.lab.tournament.folder import create
from papan.lab.tournament.plan import Assignment, BotGuard, TournamentPlan, parse_assignment
from papan.lab.tournament.run import ClusterGames, LostError, cluster, cluster_games, run_tournament
from papan.lab.work import Executor
from tests.waiting import LONGEST_WAIT, until

pytestmark = pytest.mark.thorough

PLAN = ("random", "hillclimb", "--nodes", "300", "--pairs", "15", "--seed", "2")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@contextmanager
def program(*arguments: str, allowed: str = "3") -> Iterator["subprocess.Popen[str]"]:
    """A program of papan's or of dask's; a task may cost a scheduler *allowed* workers and one."""
    variables = ENVIRONMENT | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": allowed}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", *arguments],
        env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
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
    if not find_spec("distributed"):  # which takes long to import
        pytest.skip("dask is not installed")
    words = ["tournament", "run", str(tmp_path / "cup"), *PLAN, "--cluster", "tcp://127.0.0.1:9"]
    code = (
        "from papan.lab.tournament import run as runs; runs.CONNECT_SECONDS = 1\n"
        f"from papan.cli.app import run_arguments; raise SystemExit(run_arguments({words!r}))"
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
        cluster("tcp://127.0.0.1:9", str).__enter__()


HOSTILE = "tests.lab.tournament.hostile"
Died = type("Died", (Exception,), {})
"""What a future of a cluster raises after several workers have died of it."""


def games_on(kills: Callable[[Assignment, int], bool]) -> ClusterGames:
    """Games on a cluster whose workers die of those that *kills* picks; the int counts attempts."""
    attempts = list[Assignment]()

    def submit(task: str) -> Future[Any]:
        future: Future[Any] = Future()
        attempts.append(parse_assignment(task))
        if kills(attempts[-1], len(attempts)):
            future.set_exception(Died())
        else:
            future.set_result({"end": "draw", "blame": None, "cause": {}})
        return future

    return ClusterGames(Executor(submit, lambda: 2), Died)


def task(*agents: str) -> str:
    return Assignment(TournamentPlan("tictactoe", agents, opening=0), 0, HOSTILE).text


@pytest.mark.parametrize(
    ("agents", "killers", "blame"),
    [
        (("hostile:worker", "random"), ("hostile:worker",), 1),
        (("random", "hostile:worker"), ("hostile:worker",), 2),
        (("hostile:calm", "hostile:worker"), ("hostile:worker",), 2),
        (("hostile:worker", "hostile:calm"), ("hostile:worker",), 1),
        (("hostile:worker", "hostile:loop"), ("hostile:worker", "hostile:loop"), 1),
    ],
)
def test_z5_a_bot_that_kills_workers_again_and_again_forfeits(
    agents: tuple[str, str], killers: tuple[str, ...], blame: int
) -> None:
    games = games_on(lambda game, count: bool({*killers} & {*game.plan.agents}))
    facts = games.play(task(*agents))
    assert (facts["end"], facts["blame"], facts["cause"]["key"]) == ("crash", blame, KILLS)


def test_z5_a_game_that_waited_for_a_worker_that_died_is_played_again() -> None:
    games = games_on(lambda game, count: count == 1)
    assert games.play(task("hostile:calm", "random"))["end"] == "draw"


def test_z5_a_cluster_that_kills_papans_own_agents_again_and_again_is_lost() -> None:
    games = games_on(lambda game, count: True)
    with pytest.raises(LostError):
        games.play(task("random", "random"))


def test_z5_games_of_a_cluster_that_is_left_are_cancelled() -> None:
    ended, asked = list[BaseException](), list[str]()
    waiting: Future[Any] = Future()

    def submit(task: str) -> Future[Any]:
        asked.append(task)
        return waiting

    games = ClusterGames(Executor(submit, lambda: 2), Died)

    def play() -> None:
        try:
            games.play(task("random", "random"))
        except CancelledError as error:
            ended.append(error)

    first = Thread(target=play)
    first.start()
    until(lambda: bool(asked))
    games.close()
    first.join()
    play()  # none is begun any more
    assert (len(ended), len(asked)) == (2, 1)


@pytest.mark.slow  # the rule by itself is looked at in every run, above
def test_z5_a_run_goes_on_when_a_bot_kills_the_workers_of_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    plan = TournamentPlan(
        "tictactoe", ("hostile:worker", "random", "hostile:calm"), pairs=1, opening=0,
        guard=BotGuard(deadline=50, memory=512),
    )  # fmt: skip
    with (
        program(*scheduler, "--no-dashboard", "--scheduler-file", str(file), allowed="0"),
        program(*worker(file)),
    ):
        until(file.exists)
        with cluster_games(json.loads(file.read_text())["address"]) as executor:
            state = run_tournament(create(tmp_path / "cup", plan), executor, HOSTILE)
    standings = state.standings
    assert len(state.games) == 6
    assert [standings.forfeits(agent).total() for agent in range(3)] == [4, 0, 0]


@pytest.mark.parametrize("page", ["run-a-tournament.md", "id/run-a-tournament.md"])
def test_z10_the_page_on_clusters_asks_everybody_who_they_are(page: str) -> None:
    """It once told to start a scheduler that runs any program for whoever reaches it."""
    lines = (Path(__file__).parents[3] / "docs" / page).read_text(encoding="utf-8").splitlines()
    started = [line for line in lines if line.startswith(("dask scheduler", "dask worker"))]
    assert started
    assert all("--protocol tls" in line or "tls://" in line for line in started)
