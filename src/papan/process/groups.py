"""Control groups: Linux counts what a program and all that it starts use, and stops them.

Both versions are known. A group can be had where papan may make folders in its own group: as root,
and where the system delegates it. Elsewhere `ControlGroup.new` gives None: the supervisor counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from papan.process.supervisor import MEGABYTE, MOST_TASKS, end_members, read, write

ROOT = Path("/sys/fs/cgroup")
CONTROLLERS = ("memory", "pids", "cpuacct")
"""Those of the first version, each of which has a tree of its own."""
SETTINGS = {
    "memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max"),
    "tasks": ("pids.max",),
    "no_swap": ("memory.swap.max",),
}
NAME = re.compile(r"papan-bot-(\d+)-\d+")
NUMBERS = count(1)


class ControlGroup:
    """A group of processes that the kernel holds to limits."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders

    @classmethod
    def new(cls, megabytes: int) -> ControlGroup | None:
        """A group for processes with so much memory in all; None where there can be none."""
        name = f"papan-bot-{os.getpid()}-{next(NUMBERS)}"
        parents = own_groups()
        if not parents:
            return None
        remove_orphans()
        group = cls({kind: parent / name for kind, parent in parents.items()})
        if group._make(megabytes):
            return group
        group.end()
        return None

    def _make(self, megabytes: int) -> bool:
        """Make the folders and set the limits; False where the system does not let us."""
        try:
            for folder in set(self._folders.values()):
                folder.mkdir()
        except OSError:
            return False
        values = {"memory": str(megabytes * MEGABYTE), "tasks": str(MOST_TASKS), "no_swap": "0"}
        done = {
            what: [
                write(str(folder / file), values[what])
                for folder in set(self._folders.values())
                for file in files
                if (folder / file).exists()
            ]
            for what, files in SETTINGS.items()
        }
        return any(done["memory"]) and any(done["tasks"])

    @property
    def folders(self) -> str:
        """Where it is, for the supervisor: separated by colons."""
        return ":".join(sorted({str(folder) for folder in self._folders.values()}))

    def processor_seconds(self) -> float:
        """Seconds of processor time that all of its processes have used, those that ended too."""
        folder = self._folders["cpuacct"]
        if usage := read(str(folder / "cpuacct.usage")):
            return int(usage) / 1e9
        found = re.search(rb"usage_usec (\d+)", read(str(folder / "cpu.stat")))
        return int(found[1]) / 1e6 if found else 0.0

    def end(self) -> None:
        """Kill all of its processes, and remove it; where the supervisor has, nothing happens."""
        end_members(self.folders.split(":"))


def own_groups() -> dict[str, Path]:
    """The folders in which this process may have groups, by controller; none where it may not."""
    lines = read("/proc/self/cgroup").decode().splitlines()
    paths = dict[str, str]()
    for line in lines:
        _, controllers, path = line.split(":", 2)
        paths |= dict.fromkeys(controllers.split(","), path.lstrip("/"))
    first = {kind: ROOT / kind / paths[kind] for kind in CONTROLLERS if kind in paths}
    found = first if len(first) == len(CONTROLLERS) else _unified(paths.get(""))
    return found if all(os.access(folder, os.W_OK) for folder in found.values()) else {}


def _unified(path: str | None) -> dict[str, Path]:
    """The same for the second version: beside our own group, which may not have both."""
    if not path:
        return {}
    parent = (ROOT / path).parent
    enabled = read(str(parent / "cgroup.subtree_control")).split()
    return dict.fromkeys(CONTROLLERS, parent) if {b"memory", b"pids"} <= {*enabled} else {}


def remove_orphans() -> None:
    """End what is left of groups whose maker was killed before it could."""
    for parent in set(own_groups().values()):
        for folder in parent.glob("papan-bot-*"):
            found = NAME.fullmatch(folder.name)
            if found and _has_ended(found[1]):
                end_members([str(folder)])


def _has_ended(process: str) -> bool:
    """Has a process ended, though its parent may not have noticed yet?"""
    fields = read(f"/proc/{process}/stat").rpartition(b")")[2].split()
    return not fields or fields[0] in (b"Z", b"X")
