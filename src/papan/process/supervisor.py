"""The supervisor of an external agent: when the program or papan ends, it kills what is left.

It runs as a script, without papan: quick to start, and nothing to break. Its arguments are the
file descriptor on which papan is heard, megabytes, and the command. On Linux every process that
loses its parent becomes a child of the supervisor, whatever group or session it has moved to.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from math import inf
from pathlib import Path
from time import monotonic

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""Orders for prctl; only Linux knows them."""
LOOK = 1.0
"""Seconds between two looks whether papan is still there: a copy of it may hold the line open."""
SWEEP_SECONDS = 20.0
LINUX = sys.platform == "linux"


def main(line: int, megabytes: int, command: list[str]) -> None:
    """Run *command* until it ends, or papan does; tell papan how it ended."""
    parent = os.getppid()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    prctl(SET_CHILD_SUBREAPER, 1)
    program = _start(line, megabytes, command)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # they are the program's now
        os.dup2(nowhere, standard)
    code = None
    while code is None and os.getppid() == parent:
        ready, _, _ = select.select([line, woken], [], [], LOOK)
        if line in ready:
            break
        if ready:
            os.read(woken, 4096)
        code = _reap().get(program)
    _sweep(program)
    if code is not None:
        _report(line, f"ended {code}")


def _start(line: int, megabytes: int, command: list[str]) -> int:
    """The program, in a session of its own, within so much memory."""
    program = os.fork()
    if program:
        return program
    try:
        os.setsid()
        prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.set_inheritable(line, False)
        _limit_memory(megabytes)
        os.execvp(command[0], command)
    except OSError as error:
        _report(line, f"cannot_start {error}")
    finally:
        os._exit(127)


def _limit_memory(megabytes: int) -> None:
    if LINUX:
        import resource

        limit = megabytes << 20
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _sweep(program: int) -> None:
    """Kill the program and everything that came of it."""
    until = monotonic() + SWEEP_SECONDS
    _kill(-program, signal.SIGKILL)  # its group, where the system tells nothing of descendants
    while monotonic() < until:
        for order in (signal.SIGSTOP, signal.SIGKILL):  # who stands still starts no others
            for process in descendants(os.getpid()):
                _kill(process, order)
        if _none_left():
            return


def _none_left() -> bool:
    """Reap one child, if there is any; True when there is none, running or not."""
    try:
        os.waitpid(-1, 0)
    except ChildProcessError:
        return True
    return False


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
    for listing in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # it has just ended
            found += map(int, listing.read_text().split())
    return found


def _kill(process: int, order: int) -> None:
    with suppress(OSError):
        os.kill(process, order)


def _report(line: int, text: str) -> None:
    with suppress(OSError):
        os.write(line, text.encode(errors="replace") + b"\n")


def prctl(order: int, value: int) -> None:
    """Ask Linux for one of the things above; other systems are not asked."""
    if LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(order, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
