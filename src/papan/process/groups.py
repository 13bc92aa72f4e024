"""Control groups, with which the Linux kernel limits and counts what a program and all its
processes use.

Versions 1 and 2 of the interface are supported (kernel documentation: admin-guide/cgroup-v1 and
admin-guide/cgroup-v2). A group can be created where papan may create folders there: as root, and
where the system delegates it. Elsewhere `ControlGroup.new` returns None: the supervisor counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from papan.process.supervisor import (
    MEBIBYTE,
    MOST_TASKS,
    end_members,
    event_count,
    read_system_file,
    write_system_file,
)

CGROUP_ROOT = Path("/sys/fs/cgroup")
MEMBERSHIP = "/proc/self/cgroup"
"""File with lines ``number:controllers:path``; version 2 has one, without controllers."""
CONTROLLERS = ("memory", "pids", "cpuacct")
"""Controllers of version 1, each with a tree of its own; version 2 has one tree for all."""
SETTINGS = {
    "memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max"),
    "tasks": ("pids.max",),
    "no_swap": ("memory.swap.max",),
}
"""Files of each limit, in both versions; version 1 limits swap together with memory."""
PEAKS = ("memory.peak", "memory.max_usage_in_bytes")
"""Files with the largest number of bytes so far, of version 2 (from Linux 5.19 on) and 1."""
NAME = re.compile(r"papan-bot-(\d+)-\d+")
NUMBERS = count(1)


class ControlGroup:
    """A control group for one program, with limits on its memory and its number of tasks.

    `new` creates one; its caller must call `end` when the program is no longer needed. The argument
    *folders* has the folder of the group for each name in `CONTROLLERS`, such as
    ``/sys/fs/cgroup/memory/papan-bot-7-1``; in version 2 of the interface all are the same. The
    property `folders` has them as text.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders

    @classmethod
    def new(cls, megabytes: int) -> ControlGroup | None:
        """Create a group for *megabytes* (MiB) of memory in all; None if the system refuses.

        It is named after this process. Groups left behind by papan processes that have ended are
        removed.
        """
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
        """Create the folders and write the limits; return False if the system refuses.

        The limits are *megabytes* of memory, `MOST_TASKS` processes and threads, and no swap; that
        only swap cannot be limited is no refusal. What was created before a refusal stays.
        """
        try:
            for folder in set(self._folders.values()):
                folder.mkdir()
        except OSError:
            return False
        values = {"memory": str(megabytes * MEBIBYTE), "tasks": str(MOST_TASKS), "no_swap": "0"}
        done = {
            what: [
                write_system_file(str(folder / file), values[what])
                for folder in set(self._folders.values())
                for file in files
                if (folder / file).exists()
            ]
            for what, files in SETTINGS.items()
        }
        return any(done["memory"]) and any(done["tasks"])

    @property
    def folders(self) -> str:
        """The paths of the group's folders, each once, separated by colons, for a command line."""
        return ":".join(sorted({str(folder) for folder in self._folders.values()}))

    def processor_seconds(self) -> float:
        """Return the processor seconds of all processes of the group, ended ones included.

        0 if the system does not tell them.
        """
        folder = str(self._folders["cpuacct"])
        if nanoseconds := read_system_file(f"{folder}/cpuacct.usage"):
            return int(nanoseconds) / 1e9
        return event_count([folder], "cpu.stat", "usage_usec") / 1e6

    def peak_memory(self) -> int:
        """Return the most bytes that its processes have had together so far; 0 if not known."""
        counts = (read_system_file(str(self._folders["memory"] / name)) for name in PEAKS)
        return next((int(count) for count in counts if count), 0)

    def end(self) -> None:
        """Kill all processes of the group and remove it; do nothing if it is gone already.

        Stop trying after `SWEEP_SECONDS` of the supervisor. Never raises.
        """
        end_members(self.folders.split(":"))


def own_groups() -> dict[str, Path]:
    """Return the folder in which papan may create groups, by name, for each of `CONTROLLERS`.

    Empty if papan may not create one for each of them, or if the system has no control groups.
    """
    paths = dict[str, str]()
    for line in read_system_file(MEMBERSHIP).decode(errors="replace").splitlines():
        _, controllers, path = line.split(":", 2)
        paths |= dict.fromkeys(controllers.split(","), path.lstrip("/"))
    first = {kind: CGROUP_ROOT / kind / paths[kind] for kind in CONTROLLERS if kind in paths}
    folders = first if len(first) == len(CONTROLLERS) else _unified(paths.get(""))
    return folders if all(os.access(folder, os.W_OK) for folder in folders.values()) else {}


def _unified(path: str | None) -> dict[str, Path]:
    """Return the folder of version 2 in which groups can be limited, for each of `CONTROLLERS`.

    All names have the same folder, whose children have the controllers of memory and of processes.
    Empty if there is none. *path* is that of this process's group below `CGROUP_ROOT`, "" for the
    root, None if `MEMBERSHIP` names none. Besides this group its parent is tried: except for the
    root, a group with processes of its own cannot enable controllers for its children.
    """
    if path is None:
        return {}
    own = CGROUP_ROOT / path
    for folder in (own, own.parent) if path else (own,):
        enabled = read_system_file(str(folder / "cgroup.subtree_control")).split()
        if {b"memory", b"pids"} <= {*enabled}:
            return dict.fromkeys(CONTROLLERS, folder)
    return {}


def remove_orphans() -> None:
    """Kill and remove all control groups whose creator, a papan process, has ended.

    The number of the creator is in the name of a group: ``papan-bot-PROCESS-NUMBER``. What cannot
    be killed or removed stays, and no error is raised. Do nothing if papan may not create groups.
    """
    for parent in set(own_groups().values()):
        for folder in parent.glob("papan-bot-*"):
            match = NAME.fullmatch(folder.name)
            if match and _has_ended(match[1]):
                end_members([str(folder)])


def _has_ended(process: str) -> bool:
    """Return whether the process with the number *process* (as text) has ended.

    That is so even if its parent has not waited for it yet. True without /proc.
    """
    fields = read_system_file(f"/proc/{process}/stat").rpartition(b")")[2].split()
    return not fields or fields[0] in (b"Z", b"X")
