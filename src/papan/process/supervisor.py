"""The supervisor of an external agent: it holds the program to its limits and kills what is left.

It runs as a script, without papan: quick to start, and nothing to break. On Linux every process
that loses its parent becomes a child of the supervisor, whatever group or session it has moved to.
Memory and the number of processes are those of all of them together: the kernel counts them where
papan has a control group for the program (`papan.process.groups`), else the supervisor does.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:  # they would take longer to load than all the rest
    from collections.abc import Collection, Iterator, Sequence

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""Orders for prctl; only Linux knows them."""
LOOK = 0.05
"""Seconds between two looks at what the program uses, and whether papan is still there."""
SWEEP_SECONDS = 20.0
PAUSE = 0.002
"""Seconds in which processes that were killed may end."""
MOST_TASKS = 512
"""How many processes and threads a program may have: a bomb is stopped here by the kernel."""
LINUX = sys.platform == "linux"
MEBIBYTE = 1 << 20


class ProgramLimits:
    """What a program may use, together with all that it starts."""

    def __init__(self, megabytes: int, data: int, processes: int, groups: str = "") -> None:
        self.megabytes = megabytes
        """Resident memory; what processes share counts once."""
        self.data = data
        """Megabytes of data that each process may ask for: how far one gets between two looks."""
        self.processes = processes
        self.groups = groups
        """The folders of its control group, separated by colons; none: the supervisor counts."""

    @property
    def folders(self) -> list[str]:
        return [folder for folder in self.groups.split(":") if folder]

    @property
    def arguments(self) -> list[str]:
        """The same for a command line."""
        return [str(self.megabytes), str(self.data), str(self.processes), self.groups]


def main(line: int, limits: ProgramLimits, command: list[str]) -> None:
    """Run *command* until it ends, uses too much, or papan ends; tell papan which."""
    parent = os.getppid()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    prctl(SET_CHILD_SUBREAPER, 1)
    program = _start(line, limits, command)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # they are the program's now
        os.dup2(nowhere, standard)
    code, end = None, ""
    while code is None and not end and os.getppid() == parent:
        ready, _, _ = select.select([line, woken], [], [], LOOK)
        if line in ready:
            break
        if ready:
            os.read(woken, 4096)
        code = _reap().get(program)
        end = exceeded_limit(limits)
    kill(-program)  # its group at once, before anything in it starts another process
    end_members(limits.folders)
    end_descendants()
    if end or code is not None:
        _report(line, end or f"ended {code}")


def _start(line: int, limits: ProgramLimits, command: list[str]) -> int:
    """The program, in a session of its own, within its limits."""
    program = os.fork()
    if program:
        return program
    try:
        os.setsid()
        prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.set_inheritable(line, False)
        for folder in limits.folders:
            write_system_file(f"{folder}/cgroup.procs", "0")
        _limit(limits)
        os.execvp(command[0], command)
    except OSError as error:
        _report(line, f"cannot_start {error}")
    finally:
        os._exit(127)


def _limit(limits: ProgramLimits) -> None:
    """Bound what one process can take before anybody looks."""
    if not LINUX:
        return
    import resource

    write_system_file(
        "/proc/self/oom_score_adj", "500"
    )  # a machine out of memory ends a bot, not its user
    bounds = {resource.RLIMIT_DATA: limits.data * MEBIBYTE}
    if os.getuid():  # for root the kernel does not count
        bounds[resource.RLIMIT_NPROC] = _tasks_of_user() + MOST_TASKS
    for kind, most in bounds.items():
        hardest = resource.getrlimit(kind)[1]
        most = most if hardest == resource.RLIM_INFINITY else min(most, hardest)
        resource.setrlimit(kind, (most, most))
    granted = resource.getrlimit(resource.RLIMIT_AS)[1]  # address space is no memory
    resource.setrlimit(resource.RLIMIT_AS, (granted, granted))


def _tasks_of_user() -> int:
    """How many processes and threads the user has now."""
    found = 0
    for process in processes():
        with suppress(OSError):  # it has just ended
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                found += len(os.listdir(f"/proc/{process}/task"))
    return found


# What the program uses.


def exceeded_limit(limits: ProgramLimits) -> str:
    """What the children of this process have too much of: ``crowd`` or ``memory``; nothing: ""."""
    found = descendants(os.getpid(), limits.processes)
    if len(found) > limits.processes:
        return "crowd"
    if members(limits.folders):  # as root it may have left them
        if event_count(limits.folders, "pids.events", "max"):
            return "crowd"
        return "memory" if killed_for_memory(limits.folders) else ""
    most = limits.megabytes * MEBIBYTE
    if sum(map(resident, found)) > most and sum(map(proportional, found)) > most:
        return "memory"
    return ""


def killed_for_memory(folders: Sequence[str]) -> bool:
    """Has the kernel killed a process of a control group because its memory was used up?"""
    names = ("memory.events", "memory.oom_control")  # of the second and the first version
    return any(event_count(folders, name, "oom_kill") for name in names)


def event_count(folders: Sequence[str], name: str, word: str) -> int:
    """The number after *word* in the file *name* of a control group; 0 where there is none."""
    for folder in folders:
        for line in read_system_file(f"{folder}/{name}").splitlines():
            key, _, number = line.partition(b" ")
            if key == word.encode():
                return int(number)
    return 0


def resident(process: int) -> int:
    """Bytes of memory that a process has in use; what others share counts in full."""
    fields = read_system_file(f"/proc/{process}/statm").split()
    return int(fields[1]) * PAGE if len(fields) > 1 else 0


def proportional(process: int) -> int:
    """Bytes of memory that a process has in use, its part of what is shared; slow to find out."""
    for line in read_system_file(f"/proc/{process}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) << 10
    return resident(process)


PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


# Trees of processes.


def end_descendants(spared: Collection[int] = (), seconds: float = SWEEP_SECONDS) -> None:
    """Kill whatever came of this process, but for the children that are *spared* and theirs.

    A bomb grows while it is looked for: it is looked for until nothing is left, or so long.
    """
    until = monotonic() + seconds
    with _ahead():
        while monotonic() < until:
            own = [child for child in children(os.getpid()) if child not in spared]
            if not own:
                return
            for process in {*own}.union(*map(descendants, own)):
                kill(process)
            for child in own:
                with suppress(ChildProcessError):
                    os.waitpid(child, os.WNOHANG)
            sleep(PAUSE)


def end_members(folders: Sequence[str], seconds: float = SWEEP_SECONDS) -> None:
    """Kill the processes of a control group, wherever they are, and remove the group."""
    until = monotonic() + seconds
    for folder in folders:
        write_system_file(f"{folder}/pids.max", "0")
        write_system_file(f"{folder}/cgroup.kill", "1")
    while (found := members(folders)) and monotonic() < until:
        for process in found:
            kill(process)
        sleep(PAUSE)
    for folder in folders:
        for group in with_subgroups(folder):
            _remove(group)


@contextmanager
def _ahead() -> Iterator[None]:
    """Let this process go before all others, where the system allows it: a bomb has many."""
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    try:
        yield
    finally:
        with suppress(OSError, AttributeError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def members(folders: Sequence[str]) -> list[int]:
    """The processes of a control group and of the groups that a program has created in it.

    The kernel lists a process of a foreign PID namespace as 0, which `kill` would take for us.
    """
    listed = (
        int(process)
        for folder in folders
        for group in with_subgroups(folder)
        for process in read_system_file(f"{group}/cgroup.procs").split()
    )
    return [process for process in listed if process]


def with_subgroups(folder: str) -> list[str]:
    """The folders of a control group and of all groups in it, the innermost first."""
    return [path for path, _, _ in os.walk(folder, topdown=False)]


def _remove(folder: str) -> None:
    """Remove a control group; the kernel may take a moment to see that it is empty."""
    for _ in range(50):
        try:
            os.rmdir(folder)
        except FileNotFoundError:
            return
        except OSError:
            sleep(0.01)
        else:
            return


def _reap() -> dict[int, int]:
    """How those ended that have, by process: an exit code, or a signal as a negative number."""
    ended = {}
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = os.waitstatus_to_exitcode(found[1])
    return ended


def descendants(process: int, most: float = inf) -> list[int]:
    """All that came of *process*; with many of them, some more than *most*."""
    found = children(process)
    for child in found:  # which grows
        if len(found) > most:
            break
        found += children(child)
    return found


def children(process: int) -> list[int]:
    """The processes that any thread of *process* has started; none where the system is silent."""
    found = list[int]()
    with suppress(OSError):  # it has just ended
        for task in os.listdir(f"/proc/{process}/task"):
            found += map(int, read_system_file(f"/proc/{process}/task/{task}/children").split())
    return found


def processes() -> list[int]:
    """All processes of the machine that we can see; none where the system is silent."""
    with suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return []


def kill(process: int) -> None:
    """Kill a process, or the group of one if the number is negative; one that has ended is fine."""
    with suppress(OSError):
        os.kill(process, signal.SIGKILL)


def read_system_file(path: str) -> bytes:
    """What a file of the system says; nothing where it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def write_system_file(path: str, text: str) -> bool:
    """Tell the system something through a file; False where it does not listen."""
    try:
        with open(path, "wb", buffering=0) as file:
            file.write(text.encode())
    except OSError:
        return False
    return True


def _report(line: int, text: str) -> None:
    with suppress(OSError):
        os.write(line, text.encode(errors="replace") + b"\n")


def prctl(order: int, value: int) -> None:
    """Ask Linux for one of the things above; other systems are not asked."""
    if LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(order, value, 0, 0, 0)


if __name__ == "__main__":
    megabytes, data, most = map(int, sys.argv[2:5])
    main(int(sys.argv[1]), ProgramLimits(megabytes, data, most, sys.argv[5]), sys.argv[6:])
