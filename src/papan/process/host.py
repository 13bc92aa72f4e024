"""What systems offer for processes: start one apart, limit it, measure it, end it with its group.

Everything that only some systems have is asked for here and nowhere else.
"""

from __future__ import annotations

import os
import secrets
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
"""More than a referee ever has open."""
SWEEP_SECONDS = 2.0
COPIES = sys.platform == "linux"
"""Can a process with libraries loaded be copied? macOS may stop such a copy, Windows cannot."""


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a *module* with our Python."""
    return (sys.executable, "-P", "-m", module, *arguments)


def own_session(**environment: str) -> dict[str, Any]:
    """How a process of papan's is started: in a session of its own, with the modules we have.

    Ctrl-C is for us alone then, and who ends the session's group ends whatever it has started.
    """
    path = os.pathsep.join(filter(None, sys.path))
    threads = {"OPENBLAS_NUM_THREADS": "1"}  # more would be lost in copies, or take all cores
    return {
        "stderr": None if os.environ.get("PAPAN_DEBUG") else subprocess.DEVNULL,
        "start_new_session": True,
        "env": {**os.environ, **threads, "PYTHONPATH": path, **environment},
    }


CAN_FORK = hasattr(os, "fork")
"""Can processes be forked, which keeps agents apart and quick to start?"""


def require_fork() -> None:
    """Raise where processes cannot be forked."""
    if not CAN_FORK:
        raise PapanError("tournament.no_fork")


def lock(file: IO[bytes], wait: bool = False) -> None:
    """Lock *file* until it is closed; raises BlockingIOError where another process has the lock."""
    try:
        import fcntl
    except ImportError:
        raise PapanError("tournament.no_fork") from None
    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def kill_group(leader: int) -> None:
    """Kill a process and whatever it has started, at once; where it has ended, nothing happens."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
    with suppress(OSError):  # before it has made itself a group, and on Windows
        os.kill(leader, getattr(signal, "SIGKILL", signal.SIGTERM))


def signal_name(number: int) -> str:
    """A signal for people: its number, and its name where it has one."""
    with suppress(ValueError):
        return f"{number} ({signal.Signals(number).name})"
    return str(number)


def stopped_by(child: int) -> int:
    """The signal that has stopped a child of ours; 0 if none has, or the system does not tell."""
    with suppress(ChildProcessError, AttributeError):  # macOS has no such call
        if found := os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOHANG):
            return found.si_status
    return 0


def kill_when_stopped(child: int) -> None:
    """Wait until a child of ours ends, and kill it if somebody stops it before."""
    with suppress(OSError, AttributeError):  # it was waited for; macOS has no such call
        either = os.WSTOPPED | os.WEXITED | os.WNOWAIT
        while (found := os.waitid(os.P_PID, child, either)) and found.si_code == os.CLD_STOPPED:
            kill(child)


def end_with_parent() -> None:
    """Be killed when the parent of this process ends, where the system can do that."""
    prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of every process whose own parent ends, so that `sweep` finds it."""
    prctl(SET_CHILD_SUBREAPER, 1)


def end_strays(known: set[int]) -> None:
    """Kill the processes that slipped out of their group: our children that we did not start."""
    end_descendants(known, SWEEP_SECONDS)


MARK = "PAPAN_MARK"
"""The variable of the environment by which processes are found that nobody is the parent of."""


def new_mark() -> str:
    """A word that marks all processes that come of one; it holds the marks of those before it."""
    return f"{os.environ.get(MARK, '')}/{secrets.token_hex(8)}"


def marked_environment(mark: str) -> dict[str, str]:
    """The environment of a process with a *mark*."""
    return {**os.environ, MARK: mark}


def end_marked(mark: str) -> None:
    """Kill what bears a *mark* and has outlived whoever was to end it, and groups without a maker.

    A process that has wiped its environment is not found, unless it is in a control group.
    """
    remove_orphans()
    word, until = f"{MARK}={mark}".encode(), monotonic() + SWEEP_SECONDS
    while (found := _with(word)) and monotonic() < until:
        for process in found:
            kill(process)
        sleep(0.002)


def _with(word: bytes) -> list[int]:
    """The processes whose environment has *word*; those that have ended have none."""
    return [each for each in processes() if word in read_system_file(f"/proc/{each}/environ")]


def spent_below(process: int) -> float:
    """Seconds of processor time that whatever came of *process* has used; 0 where nobody tells."""
    own = _times(process)
    return sum(own[2:]) + sum(map(_spent, descendants(process)))


def _spent(process: int) -> float:
    """Seconds of processor time of a process and of those that it has waited for."""
    waited = sum(_times(process)[2:])
    with suppress(OSError, AttributeError):  # exact, where /proc counts in hundredths
        return waited + time.clock_gettime(~process << 3 | PROCESSOR_CLOCK)
    return sum(_times(process))


PROCESSOR_CLOCK = 2
"""Which clock of another process is asked for (CPUCLOCK_SCHED of Linux)."""


def _times(process: int) -> tuple[float, ...]:
    """Seconds of a process in its own code and in the system's, and those of who it waited for."""
    fields = read_system_file(f"/proc/{process}/stat").rpartition(b")")[2].split()
    tick = os.sysconf("SC_CLK_TCK") if fields else 1
    return tuple(int(each) / tick for each in fields[11:15])


def has_more_descendants(process: int, most: int) -> bool:
    """Has *process*, with all that it has started, started more than *most* processes?"""
    return len(descendants(process, most)) > most


def confine(memory: int, channel: int) -> None:
    """Make this process, just forked, one that can be ended with all that it starts.

    Of the files that it was born with it keeps only *channel*: others lead to its opponent. This
    makes runs robust against bots that fail; it is no prison for bots that mean harm.
    """
    os.setsid()
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever runs the tournament
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.closerange(3, channel)
    os.closerange(channel + 1, MOST_FILES)
    _limit("AS", memory * MEBIBYTE, hard=False)  # a bot's own limit counts what it really uses
    _limit("FSIZE", LARGEST_WRITE)
    _limit("CORE", 0)


def limit_memory(megabytes: int) -> None:
    """Bound the address space: what the libraries have reserved up to now does not count."""
    with suppress(OSError):  # macOS has no such file, and does not keep such a limit
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        _limit("AS", pages * os.sysconf("SC_PAGE_SIZE") + megabytes * MEBIBYTE)


def limit_processor(seconds: float) -> None:
    """Let the system end this process after so many *seconds* of processor time from now on."""
    with suppress(ImportError):  # Windows
        import resource

        spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        if current_thread() is main_thread():  # else we are part of a process that is no worker
            limit = int(spent + seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _limit(what: str, most: int, hard: bool = True) -> None:
    with suppress(ImportError, ValueError, OSError):  # Windows; a stricter limit is in force
        import resource

        kind = getattr(resource, f"RLIMIT_{what}")
        resource.setrlimit(kind, (most, most if hard else resource.getrlimit(kind)[1]))


def processor_seconds(pid: int) -> float | None:
    """How long a process has kept processors busy, all of its threads; None where nobody tells."""
    times = _times(pid)
    return sum(times[:2]) if times else None


def lower_priority(pid: int, niceness: int) -> None:
    """Let a process have what those with less *niceness* leave of the processor."""
    if pid and niceness:
        with suppress(OSError, AttributeError):  # it has ended already; Windows has no such call
            now = os.getpriority(os.PRIO_PROCESS, pid)
            os.setpriority(os.PRIO_PROCESS, pid, max(now, niceness))
            # Linux may weigh whole sessions against each other: then the session steps back.
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness), encoding="ascii")


async def start_module(
    module: str, *arguments: str, stdin: Any = subprocess.PIPE, limit: int = 2**16
) -> asyncio.subprocess.Process:
    """Start a process that runs *module*, as `apart` says, with its output as a stream.

    *limit* is the length in bytes of the longest line that can be read from it. The process must
    end when its standard input does, so that it does not outlive this one.
    """
    import asyncio

    return await asyncio.create_subprocess_exec(
        *python(module, *arguments),
        stdin=stdin,
        stdout=subprocess.PIPE,
        limit=limit,
        **own_session(),
    )
