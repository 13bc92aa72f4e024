"""Processes of the operating system: start, lock, limit, measure, find and kill them.

Calls that only some systems have are made here and nowhere else.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic, sleep
from typing import IO, TYPE_CHECKING, Any

from papan.core import PapanError
from papan.process.groups import remove_orphans
from papan.process.supervisor import (
    MEBIBYTE,
    SET_CHILD_SUBREAPER,
    SET_PARENT_DEATH_SIGNAL,
    descendants,
    end_descendants,
    kill,
    prctl,
    processes,
    read_system_file,
)

if TYPE_CHECKING:
    import asyncio

LARGEST_WRITE = 256 * MEBIBYTE
MOST_FILES = 4096
"""Upper bound of the number of file descriptors that a referee has open."""
SWEEP_SECONDS = 2.0
COPIES = sys.platform == "linux"
"""True if a process can be forked after libraries are loaded: unsafe on macOS, impossible on
Windows.
"""


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs *module*, such as ``papan.lab.worker``, in this Python.

    The process does not import from the folder in which it starts.
    """
    return (sys.executable, "-P", "-m", module, *arguments)


def own_session(**environment: str) -> dict[str, Any]:
    """Return the keywords with which `subprocess.Popen` starts a process in a session of its own.

    The process has this one's import path and does not receive its Ctrl-C; killing its group also
    ends what it has started, unless that has moved to another group. Its standard error is dropped
    unless ``PAPAN_DEBUG`` is set, its BLAS has one thread. *environment* are additional environment
    variables.
    """
    path = os.pathsep.join(filter(None, sys.path))
    threads = {"OPENBLAS_NUM_THREADS": "1"}  # more would be lost in copies, or take all cores
    return {
        "stderr": None if os.environ.get("PAPAN_DEBUG") else subprocess.DEVNULL,
        "start_new_session": True,
        "env": {**os.environ, **threads, "PYTHONPATH": path, **environment},
    }


CAN_FORK = hasattr(os, "fork")
"""True if the system can fork, which agents in processes of their own need."""


def require_fork() -> None:
    """Raise PapanError if the system cannot fork."""
    if not CAN_FORK:
        raise PapanError("tournament.no_fork")


def lock(file: IO[bytes], wait: bool = False) -> None:
    """Lock *file* until it is closed; raise BlockingIOError if it is locked already.

    With *wait*, wait until it is free instead. A file that was opened twice locks itself out, also
    within one process. Raise PapanError if the system has no such locks, OSError if the file system
    has none.
    """
    try:
        import fcntl
    except ImportError:
        raise PapanError("tournament.no_fork") from None
    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def kill_group(leader: int) -> None:
    """Kill the process *leader* (its number) and all processes of the group that it leads.

    All get SIGKILL; if none exists any more, nothing is done. On Windows only the process itself
    ends. Never raises.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
    with suppress(OSError):  # before it has made itself a group, and on Windows
        os.kill(leader, getattr(signal, "SIGKILL", signal.SIGTERM))


def signal_name(number: int) -> str:
    """Return a signal for people: its number and its name, if any, as in ``9 (SIGKILL)``."""
    with suppress(ValueError):
        return f"{number} ({signal.Signals(number).name})"
    return str(number)


def stopped_by(child: int) -> int:
    """Return the number of the signal that has suspended the child process numbered *child*.

    The system tells that once: a second call returns 0. So it does if the process runs or has
    ended, is no child of this process, or the system cannot say. It does not wait.
    """
    with suppress(ChildProcessError, AttributeError):  # macOS has no such call
        if found := os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOHANG):
            return found.si_status
    return 0


def kill_when_stopped(child: int) -> None:
    """Wait until the child process numbered *child* ends; kill it if a signal suspends it.

    Its exit code can still be waited for. Return at once if it is no child of this process, and
    where the system cannot wait for that, as on macOS.
    """
    with suppress(OSError, AttributeError):  # it was waited for; macOS has no such call
        either = os.WSTOPPED | os.WEXITED | os.WNOWAIT
        while (found := os.waitid(os.P_PID, child, either)) and found.si_code == os.CLD_STOPPED:
            kill(child)


def end_with_parent() -> None:
    """Make the system kill this process when its parent ends; do nothing except on Linux."""
    prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def adopt_orphans() -> None:
    """Make this process the parent of descendants that lose theirs: `end_strays` finds them.

    Do nothing except on Linux.
    """
    prctl(SET_CHILD_SUBREAPER, 1)


def end_strays(known: set[int]) -> None:
    """Kill the children of this process not in *known* (process numbers), and all below them.

    It tries for at most `SWEEP_SECONDS`; without /proc it does nothing.
    """
    end_descendants(known, SWEEP_SECONDS)


MARK = "PAPAN_MARK"
"""Environment variable that marks processes, to find those whose parents have ended."""


def new_mark() -> str:
    """Return a new mark for a process and its descendants, a text for the variable `MARK`.

    It is this process's own mark (empty if it has none), ``/`` and 16 hexadecimal digits. So
    `end_marked` with the mark of a process also finds those that were marked below it.
    """
    return f"{os.environ.get(MARK, '')}/{os.urandom(8).hex()}"


def marked_environment(mark: str) -> dict[str, str]:
    """Return a copy of this process's environment variables, by name, with `MARK` set to *mark*."""
    return {**os.environ, MARK: mark}


def end_marked(mark: str) -> None:
    """Kill all processes whose mark begins with *mark*, and remove abandoned control groups.

    It tries for at most `SWEEP_SECONDS`; what cannot be killed is left, and no error is raised. A
    process that has cleared its environment is found only if it is in a control group. Without
    /proc no process is found.
    """
    remove_orphans()
    word, until = f"{MARK}={mark}".encode(), monotonic() + SWEEP_SECONDS
    while (found := _processes_with(word)) and monotonic() < until:
        for process in found:
            kill(process)
        sleep(0.002)


def _processes_with(word: bytes) -> list[int]:
    """Return the numbers of the processes whose environment contains *word*, as ``NAME=VALUE``.

    *word* is looked for anywhere in the environment: a value that only begins with VALUE is found,
    too. Processes whose environment this user cannot read are left out. Empty without /proc.
    """
    return [each for each in processes() if word in read_system_file(f"/proc/{each}/environ")]


def spent_below(process: int) -> float:
    """Return the processor seconds of all descendants of *process* (a number), without its own.

    Ended ones count once a parent has waited for them. 0 if the system has no /proc.
    """
    own = _times(process)
    return sum(own[2:]) + sum(map(_spent, descendants(process)))


def _spent(process: int) -> float:
    """Return the processor seconds of a process and of the children that it has waited for.

    0 if it has ended.
    """
    waited = sum(_times(process)[2:])
    with suppress(OSError, AttributeError):  # exact, where /proc counts in hundredths
        return waited + time.clock_gettime(~process << 3 | PROCESSOR_CLOCK)
    return sum(_times(process))


def peak_below(process: int) -> int:
    """Return the bytes of resident memory of all descendants of *process*, each at its peak.

    *process* is a number. Peaks may lie at different times; shared pages count for each. 0 if the
    system has no /proc.
    """
    return sum(map(_peak, descendants(process)))


def _peak(process: int) -> int:
    """Return the peak of a process's resident memory in bytes, given its number; 0 if unknown."""
    for line in read_system_file(f"/proc/{process}/status").splitlines():
        if line.startswith(b"VmHWM:"):
            return int(line.split()[1]) << 10
    return 0


PROCESSOR_CLOCK = 2
"""Number of the clock of another process that is read (CPUCLOCK_SCHED in Linux)."""


def _times(process: int) -> tuple[float, ...]:
    """Return user, system, children's user and children's system seconds of a process (its number).

    Empty if it has ended, or the system has no /proc.
    """
    fields = read_system_file(f"/proc/{process}/stat").rpartition(b")")[2].split()
    tick = os.sysconf("SC_CLK_TCK") if fields else 1
    return tuple(int(each) / tick for each in fields[11:15])


def has_more_descendants(process: int, most: int) -> bool:
    """Return whether *process* (a number) has more than *most* descendants; False without /proc."""
    return len(descendants(process, most)) > most


def confine(memory: int, channel: int) -> None:
    """Confine this process, just forked, so that it can be ended with all that it starts.

    It gets a session of its own, ends with its parent (on Linux), and ignores Ctrl-C. It keeps no
    open file but the descriptor *channel*, above 2, since others lead to its opponent; its standard
    streams lead nowhere. It gets *memory* MiB of address space, a limit that it can raise, and
    writes files of `LARGEST_WRITE` bytes at most and no core dumps, where the system allows these
    limits. This protects a run from faulty bots, not from malicious ones.
    """
    os.setsid()
    end_with_parent()
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is for the process that runs the tournament
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.closerange(3, channel)
    os.closerange(channel + 1, MOST_FILES)
    _limit("AS", memory * MEBIBYTE, hard=False)  # a bot's own limit counts what it really uses
    _limit("FSIZE", LARGEST_WRITE)
    _limit("CORE", 0)


def limit_new_process(seconds: int, megabytes: int) -> None:
    """Put this process, just forked, into a session of its own, and limit what it may use.

    It gets *seconds* of processor time, *megabytes* (MiB) of address space, files of
    `LARGEST_WRITE` bytes at most, and no core dumps. A limit that the system refuses is left out.
    """
    os.setsid()
    _limit("CPU", seconds)
    _limit("AS", megabytes * MEBIBYTE)
    _limit("FSIZE", LARGEST_WRITE)
    _limit("CORE", 0)


def limit_memory(megabytes: int) -> None:
    """Limit the address space of this process to *megabytes* (MiB) more than it has reserved now.

    Do nothing on systems that cannot.
    """
    with suppress(OSError):  # macOS has no such file, and does not keep such a limit
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        _limit("AS", pages * os.sysconf("SC_PAGE_SIZE") + megabytes * MEBIBYTE)


def limit_processor(seconds: float) -> None:
    """Make the system end this process (by SIGXCPU) after *seconds* more of its processor time.

    The limit is rounded down to whole seconds. Do nothing on Windows, and outside the main thread.
    Raise ValueError if a hard limit is in force, as after ``ulimit -t``, that this process may not
    raise.
    """
    with suppress(ImportError):  # Windows
        import resource

        spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        if current_thread() is main_thread():  # else we are part of a process that is no worker
            limit = int(spent + seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _limit(what: str, most: int, hard: bool = True) -> None:
    """Limit the resource RLIMIT_*what* of this process to *most*, in the resource's own unit.

    *hard*: it cannot raise the limit again. Do nothing where that is refused, and on Windows.
    """
    with suppress(ImportError, ValueError, OSError):  # Windows; a stricter limit is in force
        import resource

        kind = getattr(resource, f"RLIMIT_{what}")
        resource.setrlimit(kind, (most, most if hard else resource.getrlimit(kind)[1]))


def processor_seconds(pid: int) -> float | None:
    """Return the processor seconds of the process numbered *pid*, of all its threads.

    None if it has ended, or the system has no /proc.
    """
    times = _times(pid)
    return sum(times[:2]) if times else None


def lower_priority(pid: int, niceness: int) -> None:
    """Raise the nice value (0 to 19) of the process numbered *pid* to *niceness* if it is lower.

    On Linux that of its session is set to *niceness*, too, where sessions have one. Do nothing if
    either number is 0; what the system refuses is left out.
    """
    if pid and niceness:
        with suppress(OSError, AttributeError):  # it has ended already; Windows has no such call
            now = os.getpriority(os.PRIO_PROCESS, pid)
            os.setpriority(os.PRIO_PROCESS, pid, max(now, niceness))
            # Linux may weigh whole sessions against each other: then the session steps back.
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness), encoding="ascii")


async def start_module(
    module: str, *arguments: str, stdin: Any = subprocess.PIPE, limit: int = 2**16
) -> asyncio.subprocess.Process:
    """Start a process that runs *module* with *arguments*, as `own_session` says, and return it.

    Its standard output is a stream; *stdin* is that of `subprocess.Popen`. *limit* is the length in
    bytes of the longest line that can be read. The process must end when its standard input does,
    so that it does not outlive this one. Raise OSError if it cannot be started.
    """
    import asyncio

    return await asyncio.create_subprocess_exec(
        *python(module, *arguments),
        stdin=stdin,
        stdout=subprocess.PIPE,
        limit=limit,
        **own_session(),
    )
