"""Control groups of version 2, against files laid out as the kernel documents them.

The fake does what admin-guide/cgroup-v2 says of the files that papan uses: a folder that is made
has its interface files; ``cgroup.kill`` ends the processes of a group and of those in it; a
folder can be removed when it has neither processes nor folders. What the kernel does with a limit
cannot be faked: tests/bots/test_hostile.py sees that wherever a group can be had.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papan.process import groups, supervisor
from papan.process.groups import ControlGroup, own_groups, remove_orphans
from papan.process.supervisor import ProgramLimits, end_members, exceeded_limit, members

EVENTS = {
    "memory.events": "low 0\nhigh 0\nmax {max}\noom {max}\noom_kill {killed}\noom_group_kill 0\n",
    "pids.events": "max {crowd}\n",
    "cpu.stat": "usage_usec {microseconds}\nuser_usec 1\nsystem_usec 2\n",
}
NOTHING = {"max": 0, "killed": 0, "crowd": 0, "microseconds": 0}
REMOVE = os.rmdir
OWN = "system.slice/papan.service"


class Kernel:
    """A tree of groups in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: dict[str, str] = {}

    def group(self, path: str, enabled: str = "") -> Path:
        """A group that was there before, with the controllers enabled for those in it."""
        folder = self.root / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup.procs").touch()
        (folder / "cgroup.subtree_control").write_text(enabled)
        return folder

    def made(self, folder: Path) -> None:
        """What appears in a folder that papan has made."""
        enabled = (folder.parent / "cgroup.subtree_control").read_text().split()
        names = ["cgroup.procs", "cgroup.kill", "cgroup.subtree_control"]
        names += ["memory.max", "memory.swap.max"] if "memory" in enabled else []
        names += ["pids.max"] if "pids" in enabled else []
        for name in names:
            (folder / name).touch()
        self.events(folder)

    def events(self, folder: Path, **counts: int) -> None:
        for name, text in EVENTS.items():
            (folder / name).write_text(text.format(**NOTHING | counts))

    def write(self, path: str, text: str) -> bool:
        """Write a file of the system, as `supervisor.write` does."""
        if not Path(path).exists():
            return False
        self.written[Path(path).name] = text
        Path(path).write_text(text)
        if Path(path).name == "cgroup.kill":
            for folder, _, _ in os.walk(Path(path).parent):
                self.end(*supervisor.read_system_file(f"{folder}/cgroup.procs").split())
        return True

    def end(self, *processes: bytes | int) -> None:
        """End processes, which are then in no group."""
        for process in map(int, processes):
            os.kill(process, 9)
            for file in self.root.rglob("cgroup.procs"):
                left = [each for each in file.read_text().split() if int(each) != process]
                file.write_text("".join(f"{each}\n" for each in left))

    def remove(self, path: str) -> None:
        folder = Path(path)
        if any(each.is_dir() for each in folder.iterdir()):
            raise OSError(39, "Directory not empty")
        if (folder / "cgroup.procs").read_text():
            raise OSError(16, "Device or resource busy")
        for file in folder.iterdir():
            file.unlink()
        REMOVE(folder)


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Version 2 with both controllers enabled beside our own group, as systemd delegates it."""
    fake = Kernel(tmp_path / "cgroup")
    fake.group(OWN)
    fake.group("system.slice", "cpu memory pids")
    (tmp_path / "membership").write_text(f"0::/{OWN}\n")
    make = Path.mkdir

    def mkdir(path: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        make(path, mode, parents, exist_ok)
        if path.name.startswith("papan-bot-"):
            fake.made(path)

    monkeypatch.setattr(groups, "CGROUP_ROOT", fake.root)
    monkeypatch.setattr(groups, "MEMBERSHIP", str(tmp_path / "membership"))
    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(groups, "write_system_file", fake.write)
    monkeypatch.setattr(supervisor, "write_system_file", fake.write)
    monkeypatch.setattr(os, "rmdir", fake.remove)
    return fake


@pytest.fixture
def sleeper() -> Iterator[Callable[[], int]]:
    """Starts processes that do nothing."""
    started = list[subprocess.Popen[bytes]]()

    def start() -> int:
        started.append(subprocess.Popen(["sleep", "600"]))
        return started[-1].pid

    yield start
    for process in started:
        process.kill()
        process.wait()


def made() -> tuple[ControlGroup, Path]:
    group = ControlGroup.new(200)
    assert group
    return group, Path(group.folders)


def test_z7_a_group_is_made_beside_our_own_with_its_limits(kernel: Kernel) -> None:
    group, folder = made()
    assert folder.parent == kernel.root / "system.slice"
    assert kernel.written == {
        "memory.max": str(200 << 20),
        "memory.swap.max": "0",
        "pids.max": str(supervisor.MOST_TASKS),
    }
    group.end()
    assert not folder.exists()


@pytest.mark.parametrize("enabled", ["", "cpu memory", "cpu pids"])
def test_z7_without_a_controller_there_is_no_group(kernel: Kernel, enabled: str) -> None:
    kernel.group("system.slice", enabled)
    assert ControlGroup.new(200) is None
    assert not list(kernel.root.rglob("papan-bot-*"))


def test_z7_the_root_group_alone_may_have_processes_and_groups(
    kernel: Kernel, tmp_path: Path
) -> None:
    (tmp_path / "membership").write_text("0::/\n")
    assert own_groups() == {}  # in a container: nothing is enabled there
    kernel.group("", "memory pids")
    assert set(own_groups().values()) == {kernel.root}


def test_z7_a_group_that_lost_its_limits_is_not_used(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        groups, "write_system_file", lambda path, text: not path.endswith("memory.max")
    )
    assert ControlGroup.new(200) is None
    assert not list(kernel.root.rglob("papan-bot-*"))


def test_z7_the_processor_time_of_a_group_is_in_seconds(kernel: Kernel) -> None:
    group, folder = made()
    kernel.events(folder, microseconds=1_250_000)
    assert group.processor_seconds() == 1.25
    (folder / "cpu.stat").unlink()
    assert group.processor_seconds() == 0
    group.end()


@pytest.mark.parametrize("name", ["memory.peak", "memory.max_usage_in_bytes"])
def test_k1_the_most_memory_of_a_group_is_what_the_kernel_has_counted(
    kernel: Kernel, name: str
) -> None:
    group, folder = made()
    assert group.peak_memory() == 0  # before Linux 5.19
    (folder / name).write_text("123456789\n")
    assert group.peak_memory() == 123_456_789
    group.end()
    assert group.peak_memory() == 0


@pytest.mark.parametrize(
    ("counts", "word"), [({}, ""), ({"killed": 1}, "memory"), ({"crowd": 1}, "crowd")]
)
def test_z7_what_the_kernel_has_stopped_is_told(
    kernel: Kernel, sleeper: Callable[[], int], counts: dict[str, int], word: str
) -> None:
    group, folder = made()
    (folder / "cgroup.procs").write_text(f"{sleeper()}\n")
    kernel.events(folder, max=7, **counts)  # it was held back, which is no fault
    assert exceeded_limit(ProgramLimits(10**6, 10**6, 10**6, str(folder))) == word
    group.end()


@pytest.mark.parametrize("has_kill", [True, False])  # kernels before 5.14 have none
def test_z5_all_processes_of_a_group_are_ended_and_it_is_removed(
    kernel: Kernel,
    sleeper: Callable[[], int],
    monkeypatch: pytest.MonkeyPatch,
    has_kill: bool,
) -> None:
    group, folder = made()
    if not has_kill:
        (folder / "cgroup.kill").unlink()
    monkeypatch.setattr(supervisor, "kill", kernel.end)
    inner = kernel.group(f"{folder.relative_to(kernel.root)}/inner/most")
    kernel.group(f"{folder.relative_to(kernel.root)}/inner")
    first, second = sleeper(), sleeper()
    (folder / "cgroup.procs").write_text(f"{first}\n")
    (inner / "cgroup.procs").write_text(f"{second}\n")
    assert members([str(folder)]) == [second, first]
    group.end()
    assert not folder.exists()
    assert [os.waitpid(each, 0)[1] for each in (first, second)] == [9, 9]
    assert kernel.written["pids.max"] == "0"  # nothing could start while it was ended


def test_z5_a_process_of_another_namespace_is_not_taken_for_us(kernel: Kernel) -> None:
    _, folder = made()
    (folder / "cgroup.procs").write_text("0\n")
    assert members([str(folder)]) == []
    (folder / "cgroup.procs").write_text("")
    end_members([str(folder)])
    assert not folder.exists()


def test_z5_groups_whose_maker_has_ended_are_removed(kernel: Kernel) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    _, ours = made()
    orphan = ours.with_name(f"papan-bot-{ended.pid}-1")
    orphan.mkdir()
    remove_orphans()
    assert ours.exists() and not orphan.exists()
    end_members([str(ours)])


V1 = "4:memory:/user\n5:pids:/\n7:cpu,cpuacct:/user/one\n1:name=systemd:/x\n"


def test_version_1_has_a_tree_for_each_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first version, as admin-guide/cgroup-v1 describes it: ours is made in our own groups."""
    membership = tmp_path / "membership"
    membership.write_text(V1)
    monkeypatch.setattr(groups, "CGROUP_ROOT", tmp_path)
    monkeypatch.setattr(groups, "MEMBERSHIP", str(membership))
    expected = {"memory": "memory/user", "pids": "pids", "cpuacct": "cpuacct/user/one"}
    folders = {kind: tmp_path / path for kind, path in expected.items()}
    assert own_groups() == {}, "they are not there"
    for folder in folders.values():
        folder.mkdir(parents=True)
    assert own_groups() == folders
    (folders["cpuacct"] / "cpuacct.usage").write_text("1500000000\n")
    group = ControlGroup({"memory": folders["pids"], **folders})
    assert group.processor_seconds() == 1.5
    assert group.folders == ":".join(sorted(map(str, folders.values())))
    membership.write_text(V1.replace("pids", "cpuset"))
    assert own_groups() == {}, "without one of them there is no group"
    membership.unlink()
    assert own_groups() == {}


@pytest.mark.parametrize("closed", ["memory", "pids", "cpuacct"])
def test_y7_there_are_no_groups_where_one_of_the_controllers_is_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    (tmp_path / "membership").write_text("5:memory:/\n4:pids:/\n3:cpuacct:/\n")
    monkeypatch.setattr(groups, "CGROUP_ROOT", tmp_path)
    monkeypatch.setattr(groups, "MEMBERSHIP", str(tmp_path / "membership"))
    for kind in groups.CONTROLLERS:
        (tmp_path / kind).mkdir()

    def access(folder: Path, mode: int) -> bool:
        assert mode == os.W_OK
        return folder.name != closed

    assert own_groups().keys() == {"memory", "pids", "cpuacct"}
    monkeypatch.setattr("papan.process.groups.os.access", access)
    assert own_groups() == {}


def test_y7_there_are_no_groups_where_that_of_version_2_is_not_ours(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = kernel.root / "system.slice"
    assert set(own_groups().values()) == {ours}
    monkeypatch.setattr("papan.process.groups.os.access", lambda folder, mode: folder != ours)
    assert own_groups() == {}


def test_a_group_that_cannot_be_made_is_none(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *modes: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert ControlGroup.new(200) is None


@pytest.mark.parametrize(
    ("stat", "ended"),
    [
        ("7 (a) Z) S 1 2\n", False), ("7 (a) Z 1 2\n", True), ("7 (a) X 1\n", True), ("", True),
    ],
)  # fmt: skip
def test_a_maker_has_ended_even_if_nobody_waited_for_it(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, stat: str, ended: bool
) -> None:
    orphan = kernel.root / "system.slice" / "papan-bot-7-1"
    stranger = kernel.root / "system.slice" / "papan-bot-7"
    orphan.mkdir()
    stranger.mkdir()
    read = supervisor.read_system_file
    monkeypatch.setattr(
        groups,
        "read_system_file",
        lambda path: stat.encode() if path == "/proc/7/stat" else read(path),
    )
    remove_orphans()
    assert (orphan.exists(), stranger.exists()) == (not ended, True)
