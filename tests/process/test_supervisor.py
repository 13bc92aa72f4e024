"""The supervisor's counts and limits, against a system of a few lines; nothing is started."""

import os
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest

from papan.process import supervisor
from papan.process.supervisor import ProgramLimits

resource = pytest.importorskip("resource")


def with_calls(monkeypatch: pytest.MonkeyPatch, **calls: object) -> None:
    """Replace calls of the system, for the supervisor alone."""
    monkeypatch.setattr(supervisor, "os", SimpleNamespace(**vars(os) | calls))


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files of a system that has only these, with pages of 4096 bytes."""
    files: dict[str, str] = {}
    monkeypatch.setattr(supervisor, "read_system_file", lambda path: files.get(path, "").encode())
    monkeypatch.setattr(supervisor, "PAGE", 4096)
    return files


def test_limits_are_words_of_a_command_line() -> None:
    limits = ProgramLimits(1, 2, 3, "/a:/b", confined=True)
    assert limits.arguments == ["1", "2", "3", "/a:/b", "confined"]
    assert limits.folders == ["/a", "/b"]
    free = ProgramLimits(1, 2, 3)
    assert (free.arguments, free.folders) == (["1", "2", "3", "", ""], [])


def test_an_event_is_counted_by_its_whole_name_in_the_first_folder_that_has_it(
    system: dict[str, str],
) -> None:
    system["/a/memory.events"] = "oom_kill_disable 9\nlow 1\n"
    system["/b/memory.events"] = "oom 2\noom_kill 3\noom_kill 8\n"
    system["/c/memory.events"] = "oom_kill 4\n"
    counted = [
        supervisor.event_count(folders, "memory.events", word)
        for folders, word in (
            (["/a", "/b", "/c"], "oom_kill"), (["/c", "/b"], "oom_kill"), (["/b"], "oom"),
            (["/b"], "max"), (["/d"], "oom"), ([], "oom"),
        )
    ]  # fmt: skip
    assert counted == [3, 4, 2, 0, 0, 0]


@pytest.mark.parametrize("name", ["memory.events", "memory.oom_control"])
def test_both_versions_tell_of_a_process_killed_for_memory(
    name: str, system: dict[str, str]
) -> None:
    system[f"/a/{name}"] = "under_oom 1\noom_kill 0\n"
    assert not supervisor.killed_for_memory(["/a"])
    system[f"/a/{name}"] = "under_oom 0\noom_kill 1\n"
    assert supervisor.killed_for_memory(["/a"])


def test_memory_is_counted_in_pages_or_in_shares_of_them(system: dict[str, str]) -> None:
    system["/proc/5/statm"] = "900 30 20 1 0 80 0\n"
    assert supervisor.resident(5) == supervisor.proportional(5) == 30 * 4096
    system["/proc/5/smaps_rollup"] = "00-ff [rollup]\nRss: 120 kB\nPss: 70 kB\nPss_Dirty: 9 kB\n"
    assert supervisor.proportional(5) == 70 * 1024
    system["/proc/6/statm"] = "900"
    assert supervisor.resident(6) == supervisor.resident(7) == supervisor.proportional(7) == 0


@pytest.mark.parametrize(
    ("resident", "shared", "exceeded"),
    [
        ([2**20, 2**20], [2**20, 2**20], ""),
        ([2**20, 2**20 + 1], [2**20, 2**20 + 1], "memory"),
        ([2**21, 1], [2**21, 0], ""),
        ([2**20, 2**20], [2**21, 1], ""),
    ],
    ids=["just so much", "a byte more", "what is shared counts once", "shares are asked last"],
)
def test_memory_of_all_processes_is_what_is_limited(
    resident: list[int], shared: list[int], exceeded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "descendants", lambda process, most: [0, 1])
    monkeypatch.setattr(supervisor, "resident", resident.__getitem__)
    monkeypatch.setattr(supervisor, "proportional", shared.__getitem__)
    assert supervisor.exceeded_limit(ProgramLimits(2, 9, 5)) == exceeded


FAMILY = {1: [2, 3], 2: [4], 3: [5, 6], 5: [7]}


@pytest.mark.parametrize(
    ("most", "found"),
    [(inf, [2, 3, 4, 5, 6, 7]), (2, [2, 3, 4]), (1, [2, 3]), (3, [2, 3, 4, 5, 6])],
)
def test_descendants_come_after_their_parents_until_they_are_too_many(
    most: float, found: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "children", lambda process: [*FAMILY.get(process, [])])
    assert supervisor.descendants(1, most) == found


def test_children_are_those_of_all_threads(
    system: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    system |= {"/proc/5/task/5/children": "7 8 ", "/proc/5/task/6/children": "9 "}
    folders = {"/proc/5/task": ["5", "6"], "/proc": ["5", "self", "12", "meminfo"]}
    with_calls(monkeypatch, listdir=folders.__getitem__)
    assert (supervisor.children(5), supervisor.processes()) == ([7, 8, 9], [5, 12])

    def gone(path: str) -> list[str]:
        raise FileNotFoundError

    with_calls(monkeypatch, listdir=gone)
    assert (supervisor.children(5), supervisor.processes()) == ([], [])


def test_all_below_are_killed_but_those_that_are_spared(monkeypatch: pytest.MonkeyPatch) -> None:
    family = {os.getpid(): [2, 3], 2: [4], 3: [5, 6], 5: [7]}
    killed: list[int] = []
    schedules: list[int] = []
    monkeypatch.setattr(supervisor, "children", lambda process: [*family.get(process, [])])
    monkeypatch.setattr(supervisor, "kill", killed.append)

    def wait(process: int, options: int) -> tuple[int, int]:
        assert options == os.WNOHANG
        assert schedules[-1] == os.SCHED_OTHER, "who ends gets the processor"
        family[os.getpid()].remove(process)
        return process, 9

    def schedule(process: int, policy: int, parameters: os.sched_param) -> None:
        schedules.append(policy)

    with_calls(monkeypatch, waitpid=wait, sched_setscheduler=schedule)
    supervisor.end_descendants({2})
    assert schedules[:2] == [os.SCHED_RR, os.SCHED_OTHER]
    assert (sorted(killed), family[os.getpid()]) == ([3, 5, 6, 7], [2])


def test_children_that_have_ended_are_told_with_their_codes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = [(7, 0), (8, 3 << 8), (9, 11), (0, 0)]
    with_calls(monkeypatch, waitpid=lambda process, options: ended.pop(0))
    assert supervisor._reap() == {7: 0, 8: 3, 9: -11}


@pytest.mark.parametrize(("confined", "user"), [(True, 1000), (False, 1000), (False, 0)])
def test_a_program_is_limited_by_the_kernel_too(
    confined: bool, user: int, system: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is raised above a limit that holds already, and address space is not limited."""
    listed = (name for name in dir(resource) if name.startswith("RLIMIT_"))
    names = {getattr(resource, name): name for name in listed if name != "RLIMIT_OFILE"}
    set_to: dict[str, tuple[int, int]] = {}
    hardest = {"RLIMIT_NOFILE": 99, "RLIMIT_AS": 77}
    written: dict[str, str] = {}
    monkeypatch.setattr(supervisor, "LINUX", True)
    monkeypatch.setattr(supervisor, "write_system_file", written.__setitem__)
    monkeypatch.setattr(
        resource, "setrlimit", lambda kind, both: set_to.update({names[kind]: both})
    )
    monkeypatch.setattr(
        resource, "getrlimit", lambda kind: (1, hardest.get(names[kind], resource.RLIM_INFINITY))
    )
    monkeypatch.setattr(supervisor, "processes", lambda: [5, 6, 7])
    owners = {"/proc/5": user, "/proc/6": user + 1, "/proc/7": user}
    with_calls(
        monkeypatch,
        getuid=lambda: user,
        stat=lambda path: SimpleNamespace(st_uid=owners[path]),
        listdir=lambda path: ["t"] * {"5": 3, "7": 4}[path.split("/")[2]],
    )
    supervisor._limit(ProgramLimits(10, 20, 3, confined=confined))
    expected = {"RLIMIT_DATA": (20 << 20, 20 << 20), "RLIMIT_AS": (77, 77)}
    if confined:
        expected |= {"RLIMIT_FSIZE": (64 << 20, 64 << 20), "RLIMIT_NOFILE": (99, 99)}
        expected |= {"RLIMIT_CORE": (0, 0)}
    if user:
        expected |= {"RLIMIT_NPROC": (512 + 7, 512 + 7)}
    assert (set_to, written) == (expected, {"/proc/self/oom_score_adj": "500"})


def test_a_system_file_is_read_and_written_or_nothing_is_said(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    assert supervisor.read_system_file(path) == b""
    assert supervisor.write_system_file(path, "12\u00b5")
    assert supervisor.read_system_file(path) == "12\u00b5".encode()
    assert not supervisor.write_system_file(f"{path}/no", "1")
