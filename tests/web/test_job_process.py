"""The processes of jobs and of checks, without a process: what they do, and how they end."""

import io
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from papan.core import PapanError
from papan.lab.tournament.folder import create
from papan.lab.tournament.plan import TournamentPlan
from papan.web import check_process, job_process
from papan.web.job_process import (
    JOB_FILE,
    confined_bot,
    enter_bots,
    keep_bots,
    resume_contest,
    resume_tournament,
)

CONFINED = "deadline=10,memory=1024,confined=file"


# The bots of a tournament.


def test_bots_are_copied_compiled_once_and_named_by_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keep_bots(tmp_path, {})
    assert enter_bots(tmp_path) == set() and not (tmp_path / "bots").exists()
    assert Path.cwd() == tmp_path
    keep_bots(tmp_path, {"a.py": "# a", "b.c": "int main;"})
    place = tmp_path / "bots"
    assert (place / "a.py").read_text() == "# a"
    (place / "notes.txt").write_text("no bot")
    compiled: list[tuple[Path, Path]] = []
    monkeypatch.setattr(job_process, "compile_bot", lambda *given: compiled.append(given))
    expected = {f"bot:a.py,{CONFINED}", f"program:./b.c.compiled,{CONFINED}"}
    assert enter_bots(tmp_path) == expected and Path.cwd() == place
    assert compiled == [(place / "b.c", place / "b.c.compiled")]
    (place / "b.c.compiled").touch()
    assert enter_bots(tmp_path) == expected and len(compiled) == 1
    assert confined_bot("a.py") == f"bot:a.py,{CONFINED}"


def test_a_bot_or_a_folder_that_is_a_link_is_not_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "bots").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PapanError):
        enter_bots(tmp_path)
    (tmp_path / "bots").unlink()
    keep_bots(tmp_path, {"a.py": "#"})
    (tmp_path / "bots" / "b.py").symlink_to(tmp_path / "bots" / "a.py")
    with pytest.raises(PapanError):
        enter_bots(tmp_path)


def test_a_tournament_plays_no_file_but_its_own_bots_on_as_many_cores_as_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done: list[Any] = []
    run = "papan.lab.tournament.run"
    pool = SimpleNamespace(close=lambda: done.append("closed"))
    monkeypatch.setattr(f"{run}.RefereePool", lambda: pool)
    monkeypatch.setattr(f"{run}.probed", lambda *given: done.append(("probed", *given[1:])))

    class Machine:
        def __init__(self, given: Any, width: int) -> None:
            self.width = width

        def __enter__(self) -> int:
            return self.width

        def __exit__(self, *error: object) -> None:
            done.append("left")

    monkeypatch.setattr(f"{run}.this_machine", Machine)
    monkeypatch.setattr(f"{run}.run_tournament", lambda *given: done.append(given[1:]))
    monkeypatch.setattr(job_process, "cores", lambda: 3)
    own = confined_bot("a.py")
    for name, agents in (("good", (own, "random")), ("bad", ("bot:/tmp/x.py", "random"))):
        folder = tmp_path / name
        create(folder, TournamentPlan("tictactoe:3,3,3", agents))
        keep_bots(folder, {"a.py": "#"})
    plan = TournamentPlan("tictactoe:3,3,3", (own, "random"))
    for asked, width in ((2, 2), (8, 3)):
        done.clear()
        resume_tournament(tmp_path / "good", {"concurrency": asked})
        assert done == [("probed", plan, "papan"), (width, "papan"), "left", "closed"]
    done.clear()
    with pytest.raises(PapanError):
        resume_tournament(tmp_path / "bad", {"concurrency": 1})
    assert done == []


# Contests.


@pytest.mark.parametrize(
    ("players", "house", "plays"),
    [(0, 0, False), (0, 3, False), (1, 0, False), (1, 1, True), (1, 3, True), (2, 0, True)],
)
def test_a_contest_is_played_by_two_at_least_one_of_whom_may_be_of_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int, house: int, plays: bool
) -> None:
    plan = SimpleNamespace(house=SimpleNamespace(agents=["random"] * house))
    done: list[str] = []
    made = SimpleNamespace(
        players={str(number): number for number in range(players)},
        plan=plan,
        check=lambda on_check: done.append("checked"),
    )
    with_contest(monkeypatch, lambda folder: made, done, lambda: ())
    resume_contest(tmp_path, {"folder": ""})
    assert done == (["checked", "played", "judged", "reported"] if plays else ["checked"])


def with_contest(
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[[Path], Any],
    done: list[str],
    state: Callable[[], object],
) -> None:
    """Let contests be *opened*, note what is *done* with them, and ask for the *state* of files."""

    def find_truth(contest: Any, go_on: Callable[[Any], None]) -> str:
        go_on(None)
        done.append("judged")
        return "truth"

    def run_contest(contest: Any, enough: Callable[[], bool]) -> None:
        done.append("played" if not enough() else "stopped")

    monkeypatch.setattr("papan.contest.folder.Contest.open", opened)
    monkeypatch.setattr("papan.contest.folder.contest_state", lambda folder: state())
    monkeypatch.setattr("papan.contest.run.run_contest", run_contest)
    monkeypatch.setattr("papan.contest.truth.find_truth", find_truth)
    monkeypatch.setattr(
        "papan.contest.pages.write_report", lambda contest, truth: done.append("reported")
    )


def test_a_contest_begins_again_where_its_files_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = SimpleNamespace(house=SimpleNamespace(agents=["random"]))
    done: list[Any] = []
    folders: list[Path] = []
    made = SimpleNamespace(players={"1 v1": 1}, plan=plan, check=lambda on_check: None)
    # Asked: before, noted, while it is played, while it is judged, and after.
    states = iter([1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3])

    def opened(folder: Path) -> Any:
        folders.append(folder)
        return made

    with_contest(monkeypatch, opened, done, lambda: next(states))
    resume_contest(tmp_path, {"folder": str(tmp_path / "cup")})
    assert folders == [tmp_path / "cup"] * 3
    assert done == ["stopped", "played", "played", "judged", "reported"]


# The processes themselves.


def ended(
    monkeypatch: pytest.MonkeyPatch, module: Any, *arguments: str
) -> tuple[int, str, list[int]]:
    """The exit code of a process, what it has printed, and the priorities that it took."""
    out, priorities = io.StringIO(), list[int]()
    monkeypatch.setattr(module, "private_streams", lambda: (io.StringIO(), out))
    monkeypatch.setattr(module, "on_input_end", lambda requests, end: None)
    monkeypatch.setattr(module, "lower_priority", lambda pid, by: priorities.append(by))
    monkeypatch.setattr(signal, "signal", lambda *given: None)
    monkeypatch.setattr(sys, "argv", ["module", *arguments])
    return module.main(), out.getvalue(), priorities


def handled(error: BaseException | None) -> Callable[[Path, dict[str, Any]], None]:
    def handle(folder: Path, order: dict[str, Any]) -> None:
        assert order == {"a": 1}
        if error is not None:
            raise error

    return handle


@pytest.mark.parametrize(
    ("error", "code", "key"),
    [
        (None, 0, None),
        (KeyboardInterrupt(), 130, None),
        (PapanError("contest.empty"), 1, "contest.empty"),
        (OSError(28, "No space left on device"), 1, "jobs.no_disk"),
        (OSError(2, "No such file or directory"), 1, "jobs.crashed"),
        (PapanError("solve.line", number=1, error="database or disk is full"), 1, "jobs.no_disk"),
        (ZeroDivisionError("oops"), 1, "jobs.crashed"),
    ],
)
def test_a_job_ends_with_a_code_and_a_reason(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException | None,
    code: int,
    key: str | None,
) -> None:
    (tmp_path / JOB_FILE).write_text(json.dumps({"order": {"a": 1}, "state": "running"}))
    monkeypatch.setitem(job_process.JOB_HANDLERS, "lab", handled(error))
    found, printed, priorities = ended(monkeypatch, job_process, "lab", str(tmp_path))
    assert (found, priorities) == (code, [10])
    assert (json.loads(printed)["key"] if printed else None) == key


def test_the_bots_of_a_contest_have_the_priority_of_everyone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / JOB_FILE).write_text(json.dumps({"order": {"a": 1}}))
    monkeypatch.setitem(job_process.JOB_HANDLERS, "class", handled(None))
    assert ended(monkeypatch, job_process, "class", str(tmp_path)) == (0, "", [])


def test_a_job_is_interrupted_then_killed_with_all_that_it_has_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[Any] = []
    monkeypatch.setattr(os, "kill", lambda *given: done.append(given))
    monkeypatch.setattr(job_process, "sleep", done.append)
    monkeypatch.setattr(job_process, "kill_group", done.append)
    job_process._stop()
    assert done == [(os.getpid(), signal.SIGINT), 4.0, os.getpid()]


@pytest.mark.parametrize("fails", [False, True])
def test_a_check_is_of_one_student_and_tells_why_it_could_not_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    asked: list[Any] = []

    def check(on_check: object, only: tuple[str, ...]) -> None:
        asked.append(only)
        if fails:
            raise PapanError("sandbox.none")

    def opened(folder: Path) -> Any:
        asked.append(folder)
        return SimpleNamespace(check=check)

    monkeypatch.setattr("papan.contest.folder.Contest.without_games", opened)
    code, printed, priorities = ended(monkeypatch, check_process, str(tmp_path), "7")
    assert asked == [tmp_path, ("7",)] and priorities == [5]
    assert code == (1 if fails else 0)
    assert (json.loads(printed)["key"] if printed else None) == ("sandbox.none" if fails else None)
