"""What is asked of the operating system, and what its answers come to; nothing is started."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from papan.core import PapanError
from papan.process import host

resource = pytest.importorskip("resource")

STAT = "{0} (a) b) S 1 2 3 4 5 6 7 8 9 10 {1} {2} {3} {4} 20 0\n"
"""A line of /proc: the name of a program may contain brackets and spaces."""


def with_calls(monkeypatch: pytest.MonkeyPatch, **calls: object) -> None:
    """Replace calls of the system, for the host alone."""
    monkeypatch.setattr(host, "os", SimpleNamespace(**vars(vars(host)["os"]) | calls))


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files of a system that has only these."""
    files: dict[str, str] = {}
    monkeypatch.setattr(host, "read_system_file", lambda path: files.get(path, "").encode())
    with_calls(monkeypatch, sysconf={"SC_CLK_TCK": 100, "SC_PAGE_SIZE": 4096}.__getitem__)
    return files


def below(monkeypatch: pytest.MonkeyPatch, *found: int) -> None:
    monkeypatch.setattr(host, "descendants", lambda process, most=0: [*found])


def test_a_signal_is_told_by_number_and_name() -> None:
    assert [host.signal_name(each) for each in (9, 11, 99)] == ["9 (SIGKILL)", "11 (SIGSEGV)", "99"]


def test_a_module_is_run_by_this_python_and_not_found_in_its_folder() -> None:
    command = (sys.executable, "-P", "-m", "papan.lab.worker", "a", "b")
    assert host.python("papan.lab.worker", "a", "b") == command


def test_a_process_has_our_path_one_thread_for_algebra_and_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", ["", "/a", "/b"])
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "8")
    monkeypatch.setenv("OURS", "1")
    found = host.own_session(MORE="2")
    assert (found["stderr"], found["start_new_session"]) == (subprocess.DEVNULL, True)
    names = ("PYTHONPATH", "OPENBLAS_NUM_THREADS", "OURS", "MORE")
    assert [found["env"][name] for name in names] == ["/a:/b", "1", "1", "2"]
    monkeypatch.setenv("PAPAN_DEBUG", "1")
    assert host.own_session()["stderr"] is None


def test_without_fork_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    host.require_fork()
    monkeypatch.setattr(host, "CAN_FORK", False)
    with pytest.raises(PapanError) as refused:
        host.require_fork()
    assert refused.value.key == "tournament.no_fork"


def test_a_file_is_locked_once_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with path.open("ab") as first, path.open("ab") as second:
        host.lock(first)
        with pytest.raises(BlockingIOError):
            host.lock(second)
        first.close()
        host.lock(second, wait=True)


def test_a_group_is_killed_with_its_leader_whatever_is_left_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed: list[tuple[str, int, int]] = []

    def note(what: str, error: type[OSError]) -> Callable[[int, int], None]:
        def kill(process: int, number: int) -> None:
            killed.append((what, process, number))
            raise error

        return kill

    for error in (ProcessLookupError, PermissionError):
        with_calls(monkeypatch, killpg=note("group", error), kill=note("leader", error))
        host.kill_group(77)
    assert killed == [("group", 77, signal.SIGKILL), ("leader", 77, signal.SIGKILL)] * 2


def test_a_child_that_a_signal_has_stopped_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, ...]] = []

    def waitid(*arguments: int) -> SimpleNamespace | None:
        asked.append(arguments)
        return {5: SimpleNamespace(si_status=signal.SIGSTOP), 6: None}[arguments[1]]

    with_calls(monkeypatch, waitid=waitid)
    assert [host.stopped_by(child) for child in (5, 6)] == [signal.SIGSTOP, 0]
    assert asked[0] == (os.P_PID, 5, os.WSTOPPED | os.WNOHANG)

    def refuse(*arguments: int) -> None:
        raise ChildProcessError

    with_calls(monkeypatch, waitid=refuse)
    assert host.stopped_by(5) == 0


def test_a_child_is_killed_each_time_that_it_is_stopped_and_waited_for_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = [os.CLD_STOPPED, os.CLD_STOPPED, os.CLD_EXITED]
    killed: list[int] = []

    def waitid(*arguments: int) -> SimpleNamespace:
        assert arguments == (os.P_PID, 5, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        return SimpleNamespace(si_code=codes.pop(0))

    with_calls(monkeypatch, waitid=waitid)
    monkeypatch.setattr(host, "kill", killed.append)
    host.kill_when_stopped(5)
    assert (killed, codes) == ([5, 5], [])


def test_a_mark_continues_that_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(host.MARK, raising=False)
    first, second = host.new_mark(), host.new_mark()
    assert first != second and first[0] == "/" and len(bytes.fromhex(first[1:])) == 8
    monkeypatch.setenv(host.MARK, first)
    assert host.new_mark().startswith(f"{first}/")
    environment = host.marked_environment("/m")
    assert environment == {**os.environ, host.MARK: "/m"}


def test_all_processes_below_a_mark_are_killed_until_none_is_left(
    system: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for process, mark in {1: "/a", 2: "/a/b", 3: "/b", 4: "x"}.items():
        system[f"/proc/{process}/environ"] = f"HOME=/\0{host.MARK}={mark}\0X=1"
    swept: list[bool] = []
    killed: list[int] = []

    def kill(process: int) -> None:
        killed.append(process)
        if killed.count(process) == 2:  # the first signal comes to nothing
            del system[f"/proc/{process}/environ"]

    monkeypatch.setattr(host, "processes", lambda: [1, 2, 3, 4, 5])
    monkeypatch.setattr(host, "remove_orphans", lambda: swept.append(True))
    monkeypatch.setattr(host, "kill", kill)
    host.end_marked("/a")
    assert (killed, swept) == ([1, 2, 1, 2], [True])


def test_processor_seconds_are_added_up_in_the_ticks_of_the_system(
    system: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    system["/proc/7/stat"] = STAT.format(7, 100, 50, 1000, 200)
    system["/proc/8/stat"] = STAT.format(8, 300, 4, 20, 1)
    system["/proc/9/stat"] = STAT.format(9, 1, 1, 1, 1)
    below(monkeypatch, 8, 9, 10)
    asked: list[int] = []

    def no_clock(number: int) -> float:
        asked.append(number)
        raise OSError

    monkeypatch.setattr("time.clock_gettime", no_clock)
    assert (host.processor_seconds(7), host.processor_seconds(6)) == (1.5, None)
    assert host.spent_below(7) == pytest.approx(12 + 3.25 + 0.04)
    assert asked == [-70, -78, -86], "~process << 3 | 2"
    monkeypatch.setattr("time.clock_gettime", lambda number: {-70: 3.0417}.get(number, 0.0))
    assert host.spent_below(7) == pytest.approx(12 + 0.21 + 3.0417 + 0.02)
    assert host.spent_below(6) == pytest.approx(0.21 + 3.0417 + 0.02), "it has ended"


def test_peaks_of_memory_are_added_up(
    system: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    system["/proc/7/status"] = "VmPeak:\t 9 kB\nVmHWM:\t 100 kB\n"
    system["/proc/8/status"] = "VmHWM:\t 30 kB\nVmRSS:\t 20 kB\n"
    system["/proc/9/status"] = "Name:\tgone\n"
    below(monkeypatch, 7, 8, 9)
    assert host.peak_below(1) == 130 * 1024


@pytest.mark.parametrize(("most", "more"), [(2, True), (3, False), (4, False)])
def test_descendants_are_too_many_from_one_more_on(
    most: int, more: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    below(monkeypatch, 7, 8, 9)
    assert host.has_more_descendants(1, most) is more


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, int]]:
    """Limits that are set on this process, by name; nothing is limited."""
    found: dict[str, tuple[int, int]] = {}
    names = {getattr(resource, name): name for name in dir(resource) if name.startswith("RLIMIT_")}
    monkeypatch.setattr(resource, "setrlimit", lambda kind, both: found.update({names[kind]: both}))
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (5, 99))
    return found


def test_a_compiler_is_limited_in_all_that_it_may_use(
    limits: dict[str, tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions: list[bool] = []
    with_calls(monkeypatch, setsid=lambda: sessions.append(True))
    host.limit_new_process(60, 1024)
    assert sessions == [True] and limits == {
        "RLIMIT_CPU": (60, 60),
        "RLIMIT_AS": (2**30, 2**30),
        "RLIMIT_FSIZE": (2**28, 2**28),
        "RLIMIT_CORE": (0, 0),
    }


def test_an_agent_keeps_one_descriptor_and_may_raise_only_its_memory_again(
    limits: dict[str, tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[Any, ...]] = []

    def noted(name: str) -> Callable[..., None]:
        return lambda *arguments: done.append((name, *arguments))

    calls = {name: noted(name) for name in ("setsid", "dup2", "closerange")}
    with_calls(monkeypatch, open=lambda *arguments: 50, **calls)
    monkeypatch.setattr(host, "end_with_parent", noted("end_with_parent"))
    monkeypatch.setattr(signal, "signal", noted("signal"))
    host.confine(512, 9)
    assert done == [
        ("setsid",),
        ("end_with_parent",),
        ("signal", signal.SIGINT, signal.SIG_IGN),
        *(("dup2", 50, standard) for standard in (0, 1, 2)),
        ("closerange", 3, 9),
        ("closerange", 10, host.MOST_FILES),
    ]
    assert limits == {
        "RLIMIT_AS": (2**29, 99),
        "RLIMIT_FSIZE": (2**28, 2**28),
        "RLIMIT_CORE": (0, 0),
    }


def test_memory_is_limited_beyond_what_is_reserved_already(
    limits: dict[str, tuple[int, int]], system: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "read_text", lambda path, encoding: "256 9 9 9")
    host.limit_memory(3)
    assert limits == {"RLIMIT_AS": (2**20 + 3 * 2**20,) * 2}


def test_processor_time_is_limited_beyond_what_is_spent_already(
    limits: dict[str, tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrusage", lambda who: (3.2, 1.5, 77))
    host.limit_processor(10.9)
    assert limits == {"RLIMIT_CPU": (15, resource.RLIM_INFINITY)}
    limits.clear()
    monkeypatch.setattr(host, "current_thread", lambda: None)
    host.limit_processor(10.9)
    assert limits == {}, "a thread is part of another process"


@pytest.mark.parametrize(
    ("pid", "niceness", "now", "done"),
    [
        (7, 5, 0, [("set", 7, 5), ("/proc/7/autogroup", "5")]),
        (7, 5, 9, [("set", 7, 9), ("/proc/7/autogroup", "5")]),
        (0, 5, 0, []),
        (7, 0, 0, []),
    ],
)
def test_priority_is_lowered_and_never_raised(
    pid: int, niceness: int, now: int, done: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Any] = []
    with_calls(
        monkeypatch,
        getpriority=lambda which, who: now,
        setpriority=lambda which, who, to: found.append(("set", who, to)),
    )
    monkeypatch.setattr(
        Path, "write_text", lambda path, text, encoding: found.append((str(path), text))
    )
    host.lower_priority(pid, niceness)
    assert found == done
