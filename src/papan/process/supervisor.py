"""The supervisor of an external agent: it enforces the program's limits and kills what is left of
it.

It runs as a script, without papan, so that it starts quickly. On Linux every descendant that loses
its parent becomes a child of the supervisor, whatever group or session it has moved to. Limits hold
for all processes together: the kernel counts them if the program has a control group
(`papan.process.groups`), else the supervisor does.
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
"""Options of the system call prctl (Linux)."""
LOOK = 0.05
"""Seconds between two checks of what the program uses, and that papan still runs."""
SWEEP_SECONDS = 20.0
"""Seconds for which it tries to kill everything that is left."""
PAUSE = 0.002
"""Seconds to wait for killed processes to end before looking again."""
MOST_TASKS = 512
"""Number of processes and threads at which the kernel refuses to start more."""
LARGEST_FILE, MOST_FILES = 64 << 20, 256
"""Bytes of the largest file, and number of open files, of a process in the sandbox."""
LINUX = sys.platform == "linux"
MEBIBYTE = 1 << 20


class ProgramLimits:
    """Limits of a program, together with all that it starts.

    *megabytes* is the memory of all its processes together, *data* what each may reserve, also in
    megabytes (MiB); *processes* is how many may run at a time. *groups* are the folders of its
    control group, separated by colons. *confined*: it runs in the sandbox.
    """

    def __init__(
        self, megabytes: int, data: int, processes: int, groups: str = "", confined: bool = False
    ) -> None:
        self.megabytes = megabytes
        """Megabytes of resident memory in all; shared pages count once."""
        self.data = data
        """Megabytes of data that one process may reserve: bounds its growth between two checks."""
        self.processes = processes
        """Number of processes at the same time, at most."""
        self.groups = groups
        """Folders of its control group, separated by colons; empty if the supervisor counts."""
        self.confined = confined
        """True if it runs in the sandbox: its files are limited, too."""

    @property
    def folders(self) -> list[str]:
        """Paths of the folders of its control group; empty if the supervisor counts."""
        return [folder for folder in self.groups.split(":") if folder]

    @property
    def arguments(self) -> list[str]:
        """The limits as command-line arguments of this script: the fields in their order.

        *confined* is the word ``confined`` or "".
        """
        numbers = [str(self.megabytes), str(self.data), str(self.processes)]
        return [*numbers, self.groups, "confined" if self.confined else ""]


def main(line: int, limits: ProgramLimits, command: list[str]) -> None:
    """Run *command* until it ends, exceeds its limits, or papan ends; then end all that it started.

    The descriptor *line* is a socket: papan closes its end to end the program. The first line
    written to it tells how it ended: ``ended CODE`` (a signal is a negative number), ``memory``,
    ``crowd`` (too many processes), or ``cannot_start WHY``; none if papan ended it.
    """
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
    """Fork the program into a session of its own, with its limits; return its process number.

    If *command* cannot be started, the child writes ``cannot_start WHY`` to the descriptor *line*
    and exits with 127.
    """
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
    """Set the resource limits of this process, which hold between two checks of the supervisor.

    They are the data that each process may reserve; unless the user is root, the number of the
    user's tasks; and in the sandbox the size and number of files, and no core dumps. No limit is
    raised above a hard limit that holds already; that of address space is raised to its hard limit.
    The process also becomes one that a machine out of memory ends early. Do nothing except on
    Linux; raise OSError if the system refuses a limit.
    """
    if not LINUX:
        return
    import resource

    write_system_file(
        "/proc/self/oom_score_adj", "500"
    )  # a machine out of memory ends a bot, not its user
    bounds = {resource.RLIMIT_DATA: limits.data * MEBIBYTE}
    if limits.confined:
        bounds |= {
            resource.RLIMIT_FSIZE: LARGEST_FILE,
            resource.RLIMIT_NOFILE: MOST_FILES,
            resource.RLIMIT_CORE: 0,
        }
    if os.getuid():  # for root the kernel does not count
        bounds[resource.RLIMIT_NPROC] = _tasks_of_user() + MOST_TASKS
    for kind, most in bounds.items():
        hardest = resource.getrlimit(kind)[1]
        most = most if hardest == resource.RLIM_INFINITY else min(most, hardest)
        resource.setrlimit(kind, (most, most))
    granted = resource.getrlimit(resource.RLIMIT_AS)[1]  # address space is no memory
    resource.setrlimit(resource.RLIMIT_AS, (granted, granted))


def _tasks_of_user() -> int:
    """Return the number of processes and threads of this user on the machine; 0 without /proc."""
    found = 0
    for process in processes():
        with suppress(OSError):  # it has just ended
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                found += len(os.listdir(f"/proc/{process}/task"))
    return found


# What the program uses.


def exceeded_limit(limits: ProgramLimits) -> str:
    """Return which limit the descendants of this process exceed: ``memory``, ``crowd``, or "".

    ``crowd`` is more than ``limits.processes`` descendants. If a control group has processes in it,
    ``crowd`` is also that the kernel has refused to start one in it, and ``memory`` that it has
    killed one for lack of memory. If not, ``memory`` is that the descendants together have more
    than ``limits.megabytes``, pages that they share counted once.
    """
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
    """Return whether the kernel has killed a process of a control group for lack of memory.

    *folders* are the paths of its folders; False if it is gone.
    """
    names = ("memory.events", "memory.oom_control")  # of the second and the first version
    return any(event_count(folders, name, "oom_kill") for name in names)


def event_count(folders: Sequence[str], name: str, word: str) -> int:
    """Return the number after *word* in the file *name* of a control group; 0 if there is none.

    *folders* are the paths of the group's folders. The file has lines ``WORD NUMBER``, which is not
    checked; the first one with *word* counts.
    """
    for folder in folders:
        for line in read_system_file(f"{folder}/{name}").splitlines():
            key, _, number = line.partition(b" ")
            if key == word.encode():
                return int(number)
    return 0


def resident(process: int) -> int:
    """Return the resident memory of a process in bytes; 0 if it has ended, or without /proc.

    *process* is its number. Pages that it shares with other processes count in full.
    """
    fields = read_system_file(f"/proc/{process}/statm").split()
    return int(fields[1]) * PAGE if len(fields) > 1 else 0


def proportional(process: int) -> int:
    """Return the memory of a process in bytes, with its share of the pages that it shares; slow.

    *process* is its number. Where the system does not tell the shares, these pages count in full; 0
    if it has ended.
    """
    for line in read_system_file(f"/proc/{process}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) << 10
    return resident(process)


PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


# Trees of processes.


def end_descendants(spared: Collection[int] = (), seconds: float = SWEEP_SECONDS) -> None:
    """Kill all descendants of this process except the children in *spared* and their descendants.

    *spared* are process numbers. It tries until none is left, or for *seconds*. The children are
    waited for: nobody else gets their exit codes. Without /proc it does nothing.
    """
    until = monotonic() + seconds
    while monotonic() < until and (own := _kill_descendants(spared, until)):
        for child in own:
            with suppress(ChildProcessError):
                os.waitpid(child, os.WNOHANG)
        sleep(PAUSE)


def _kill_descendants(spared: Collection[int], until: float) -> list[int]:
    """Kill all descendants of this process except *spared* and theirs; return the children killed.

    A fork bomb grows while it is killed: this repeats, before all other processes, until no new
    descendant is found, or `monotonic` reaches *until*. The children are not waited for meanwhile:
    Linux would keep the processor busy until a child's last steps are done, and not let it take
    them there, for up to a second.
    """
    seen = set[int]()
    with _scheduled_first():
        while True:
            own = [child for child in children(os.getpid()) if child not in spared]
            new = {*own}.union(*map(descendants, own)) - seen
            for process in new:
                kill(process)
            if not new or monotonic() >= until:
                return own
            seen |= new
            sleep(PAUSE)


def end_members(folders: Sequence[str], seconds: float = SWEEP_SECONDS) -> None:
    """Kill all processes of the control group in *folders* (paths) within *seconds*, and remove it.

    Never raises: what cannot be killed or removed stays.
    """
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
def _scheduled_first() -> Iterator[None]:
    """Schedule this process before all others within the context, if the system allows it.

    Afterwards its schedule is the usual one, whatever it was.
    """
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    try:
        yield
    finally:
        with suppress(OSError, AttributeError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def members(folders: Sequence[str]) -> list[int]:
    """Return the process numbers in the control group in *folders* and in all groups below it.

    Empty if it is gone. The kernel lists a process of a foreign PID namespace as 0, which `kill`
    would take for us; it is left out.
    """
    listed = (
        int(process)
        for folder in folders
        for group in with_subgroups(folder)
        for process in read_system_file(f"{group}/cgroup.procs").split()
    )
    return [process for process in listed if process]


def with_subgroups(folder: str) -> list[str]:
    """Return the folders of a control group and of all groups in it, the innermost first.

    Empty if it does not exist.
    """
    return [path for path, _, _ in os.walk(folder, topdown=False)]


def _remove(folder: str) -> None:
    """Remove an empty control group; try for half a second until the kernel sees that it is empty.

    Never raises.
    """
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
    """Return the exit codes of children that have ended since the last call, by process number.

    That of a child ended by a signal is the signal's negative number. It does not wait.
    """
    ended = {}
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = os.waitstatus_to_exitcode(found[1])
    return ended


def descendants(process: int, most: float = inf) -> list[int]:
    """Return the numbers of the descendants of *process* (a number), parents before their children.

    The search stops soon after more than *most* are found: the list then has more than *most*, but
    perhaps not all. Empty without /proc.
    """
    found = children(process)
    for child in found:  # which grows
        if len(found) > most:
            break
        found += children(child)
    return found


def children(process: int) -> list[int]:
    """Return the numbers of the children of *process* (a number), those of all its threads.

    Empty if it has ended, or if /proc does not list them.
    """
    found = list[int]()
    with suppress(OSError):  # it has just ended
        for task in os.listdir(f"/proc/{process}/task"):
            found += map(int, read_system_file(f"/proc/{process}/task/{task}/children").split())
    return found


def processes() -> list[int]:
    """Return the numbers of all processes of the machine; empty if the system has no /proc."""
    with suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return []


def kill(process: int) -> None:
    """Kill a process with SIGKILL; a negative number is that of a process group. Never raises."""
    with suppress(OSError):
        os.kill(process, signal.SIGKILL)


def read_system_file(path: str) -> bytes:
    """Return the content of a file of the system, such as in /proc; b"" if it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def write_system_file(path: str, text: str) -> bool:
    """Write *text* to a file of the system, such as one of a control group; return whether it did.

    False if it cannot be written; nothing is raised then.
    """
    try:
        with open(path, "wb", buffering=0) as file:
            file.write(text.encode())
    except OSError:
        return False
    return True


def _report(line: int, text: str) -> None:
    """Write *text* and a line end to the descriptor *line*; an error is ignored."""
    with suppress(OSError):
        os.write(line, text.encode(errors="replace") + b"\n")


def prctl(order: int, value: int) -> None:
    """Call Linux's prctl with option *order* and argument *value*; do nothing on other systems.

    Errors are ignored.
    """
    if LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(order, value, 0, 0, 0)


if __name__ == "__main__":
    megabytes, data, most = map(int, sys.argv[2:5])
    granted = ProgramLimits(megabytes, data, most, sys.argv[5], bool(sys.argv[6]))
    main(int(sys.argv[1]), granted, sys.argv[7:])
