"""Work in units: kept at once, gone on with after any interruption, never done twice."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from papan.core import PapanError
from papan.lab import log as logs
from papan.lab.log import ResumableLog, TimeTaken, read_log
from papan.lab.work import WorkItem, Workload, run_all
from papan.process.supervisor import children
from tests.waiting import until

from .work_items import fail, kill, kill_once, slow_square, square

pytestmark = pytest.mark.thorough

SQUARES = [WorkItem(f"square/{number}", square, (number,), weight=number) for number in range(1, 6)]
FOUND = {f"square/{number}": number * number for number in range(1, 6)}


def opened_log(folder: Path, seed: int = 0) -> ResumableLog:
    found = ResumableLog(folder / "deep" / "run.jsonl", {"seed": seed}, {"began": "today"})
    found.open()
    return found


@pytest.mark.parametrize("workers", [0, 2])
def test_units_are_done_here_or_in_processes_with_the_same_results(
    tmp_path: Path, workers: int
) -> None:
    on_progress: list[tuple[float, float]] = []
    log = opened_log(tmp_path)
    run_all(
        [Workload(log, SQUARES)], workers, lambda made: on_progress.append((made.done, made.total))
    )
    assert log.found == FOUND
    assert on_progress[0] == (0, 15)
    assert on_progress[-1] == (15, 15)
    assert on_progress == sorted(on_progress)


def test_what_was_found_is_read_back(tmp_path: Path) -> None:
    run_all([Workload(opened_log(tmp_path), SQUARES)], 0)
    log = read_log(opened_log(tmp_path).path)
    assert log is not None
    assert log.found == FOUND
    assert log.header == {"seed": 0, "began": "today"}
    assert log.seconds >= 0


def test_only_what_is_missing_is_done(tmp_path: Path) -> None:
    run_all([Workload(opened_log(tmp_path), SQUARES[:3])], 0)
    on_progress: list[float] = []
    log = opened_log(tmp_path)
    run_all([Workload(log, SQUARES)], 0, lambda made: on_progress.append(made.done))
    assert on_progress == [6, 11, 15]
    assert log.found == FOUND


def test_a_line_cut_short_is_forgotten_and_done_again(tmp_path: Path) -> None:
    log = opened_log(tmp_path)
    run_all([Workload(log, SQUARES)], 0)
    data = log.path.read_bytes()
    for cut in (1, 5, 20):
        log.path.write_bytes(data[:-cut])
        again = opened_log(tmp_path)
        assert len(again.found) == 4
        run_all([Workload(again, SQUARES)], 0)
        lines = log.path.read_text().splitlines()
        assert len([json.loads(line) for line in lines]) == 6


def test_a_damaged_line_costs_only_its_own_finding(tmp_path: Path) -> None:
    log = opened_log(tmp_path)
    run_all([Workload(log, SQUARES)], 0)
    header, first, *others = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(b"".join([header, b"\x00" * len(first) + b"\n", *others]))
    again = opened_log(tmp_path)
    assert len(again.found) == 4
    run_all([Workload(again, SQUARES)], 0)
    assert opened_log(tmp_path).found == FOUND


@pytest.mark.parametrize("rest", [b"", b"\x00\xff\n", b"[]\n", b'{"seed": 0}\n{"unit": 3}\n'])
def test_a_file_that_makes_no_sense_is_begun_anew(tmp_path: Path, rest: bytes) -> None:
    path = opened_log(tmp_path).path
    path.write_bytes(rest)
    assert opened_log(tmp_path).found == {}
    assert read_log(path) is not None


def test_findings_of_another_run_are_of_no_use(tmp_path: Path) -> None:
    run_all([Workload(opened_log(tmp_path), SQUARES)], 0)
    assert opened_log(tmp_path, seed=1).found == {}
    assert opened_log(tmp_path, seed=0).found == {}  # the file is now that of seed 1


def test_whoever_wants_to_measure_anew_can(tmp_path: Path) -> None:
    log = opened_log(tmp_path)
    run_all([Workload(log, SQUARES)], 0)
    log.open(afresh=True)
    assert read_log(log.path).found == {}  # type: ignore[union-attr]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_unit_that_fails_ends_the_run_and_loses_nothing(tmp_path: Path, workers: int) -> None:
    items = [*SQUARES, WorkItem("fail", fail, weight=0.1)]
    with pytest.raises((ValueError, RuntimeError), match="as it must"):
        run_all([Workload(opened_log(tmp_path), items)], workers)
    assert opened_log(tmp_path).found.items() <= FOUND.items()


SCRIPT = """
import sys
from pathlib import Path
from papan.lab.log import ResumableLog
from papan.lab.work import WorkItem, Workload, run_all
from tests.lab.work_items import slow_square
if __name__ == "__main__":
    log = ResumableLog(Path(sys.argv[1]), {}, {})
    log.open()
    items = [WorkItem(f"square/{n}", slow_square, (n, sys.argv[2])) for n in range(40)]
    run_all([Workload(log, items)], 2)
"""


def lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_s17_killed_at_any_point_it_goes_on_and_leaves_no_process_behind(tmp_path: Path) -> None:
    path, notes = tmp_path / "run.jsonl", tmp_path / "notes"
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, str(script), str(path), str(notes)]
    with subprocess.Popen(command, cwd=root, env={**os.environ, "PYTHONPATH": paths}) as process:
        until(lambda: lines(path) >= 4)
        workers = children(process.pid)
        process.send_signal(signal.SIGKILL)
    assert len(workers) >= 2
    until(lambda: not any(map(alive, workers)))
    before = read_log(path)
    assert before is not None
    assert 3 <= len(before.found) < 40

    log = ResumableLog(path, {}, {})
    log.open()
    done = lines(notes)
    items = [WorkItem(f"square/{n}", slow_square, (n, str(notes))) for n in range(40)]
    run_all([Workload(log, items)], 0)
    assert log.found == {f"square/{n}": n * n for n in range(40)}
    assert lines(notes) - done == 40 - len(before.found)


def test_y7_the_heaviest_work_comes_first_and_its_weight_counts(tmp_path: Path) -> None:
    log = ResumableLog(tmp_path / "log.jsonl", {"run": 1}, {})
    log.open()
    items = [WorkItem(name, len, (name * 3,), weight) for name, weight in WEIGHTS.items()]
    log.keep("b", 3, TimeTaken(1.0, 1.0))
    reported: list[tuple[float, float]] = []
    run_all([Workload(log, items)], 0, lambda made: reported.append((made.done, made.total)))
    assert list(log.found) == ["b", "c", "d", "a"]
    assert reported == [(5, 18), (13, 18), (16, 18), (18, 18)]
    assert dict(log.found) == dict.fromkeys("abcd", 3)


WEIGHTS = {"a": 2, "b": 5, "c": 8, "d": 3}


def test_y7_a_log_adds_up_the_time_of_what_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = ResumableLog(path, {"run": 1}, {"machine": "m"})
    log.open()
    log.keep("a", 1, TimeTaken(1.25, 0.5))
    log.keep("b", 2, TimeTaken(2.0, 0.25))
    read = read_log(path)
    assert read is not None
    assert (read.seconds, read.cpu, read.ignored) == (3.25, 0.75, 0)
    assert read.is_of({"run": 1}) and not read.is_of({"run": 2}) and not read.is_of({"other": 1})
    some = read_log(path, lambda line: line["unit"] == "b")
    assert some is not None
    assert (some.found, some.seconds, some.cpu, some.ignored) == ({"b": 2}, 2.0, 0.25, 1)
    with path.open("a") as file:
        file.write('{"unit": "c", "found": 3, "seconds": 4}\n')
    older = read_log(path)
    assert older is not None and (older.seconds, older.cpu) == (7.25, None)


def test_y7_what_another_user_sealed_counts_only_where_that_one_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    log = ResumableLog(path, {"run": 1}, {}, sealed=True)
    log.open()
    log.keep("a", 1, TimeTaken(1.0, 1.0))
    for trusted in (False, True):
        mine = ResumableLog(path, {"run": 1}, {}, sealed=True)
        mine.open(trust=trusted)
        assert (mine.found, mine.ignored) == ({"a": 1}, 0)
    monkeypatch.setattr("papan.lab.log.is_genuine", lambda text, sealed: False)
    found = []
    for trusted in (False, True):
        other = ResumableLog(path, {"run": 1}, {}, sealed=True)
        other.open(trust=trusted)
        found.append((other.found, other.ignored))
    assert found == [({}, 1), ({"a": 1}, 0)]


def test_z10_a_unit_whose_process_is_killed_is_done_once_more_but_not_for_ever(
    tmp_path: Path,
) -> None:
    log = opened_log(tmp_path)
    once = WorkItem("once", kill_once, (str(tmp_path / "before"),), weight=2)
    with pytest.raises(PapanError) as error:
        run_all([Workload(log, [once, WorkItem("always", kill)])], 1)
    assert (error.value.key, error.value.values["item"]) == ("work.worker_killed", "always")
    assert log.found == {"once": 7}


def test_a_log_that_cannot_be_read_for_now_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = opened_log(tmp_path)
    run_all([Workload(log, SQUARES)], 0)
    before = log.path.read_bytes()

    def refused(path: Path, *arguments: object) -> BinaryIO:
        raise OSError(errno.EMFILE, "Too many open files", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(logs, "open_regular", refused)
        with pytest.raises(OSError, match="Too many open files"):
            opened_log(tmp_path)
    assert log.path.read_bytes() == before
    assert opened_log(tmp_path).found == FOUND
