"""The sandbox of an agent's process: no terminal, limited memory, and it does not outlive its game.

This makes runs robust against bots that fail; it is no prison for bots that mean harm.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic

MEGABYTE = 1 << 20
LARGEST_FILE = 256 * MEGABYTE
MOST_FILES = 4096
"""More than a table ever has open."""
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""Orders for prctl; only Linux knows them."""

SWEEP_SECONDS = 2.0


def confine(memory: int, channel: int) -> None:
    """Make this process, just forked, one that can be ended with all that it starts.

    Of the files that it was born with it keeps only *channel*: others lead to its opponent.
    """
    os.setsid()
    _prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever runs the tournament
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.closerange(3, channel)
    os.closerange(channel + 1, MOST_FILES)
    for kind, most in (
        (resource.RLIMIT_AS, memory * MEGABYTE),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # a stricter limit is in force already
            resource.setrlimit(kind, (most, most))


def adopt_orphans() -> None:
    """Become the parent of every process whose own parent ends, so that `sweep` finds it."""
    _prctl(SET_CHILD_SUBREAPER, 1)


def end_group(leader: int) -> None:
    """Kill a process and all of its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    with suppress(ProcessLookupError):  # before it has made itself a group
        os.kill(leader, signal.SIGKILL)


def sweep(known: set[int]) -> None:
    """Kill the processes that slipped out of their group: our children that we did not start."""
    until = monotonic() + SWEEP_SECONDS
    while (strays := set(children(os.getpid())) - known) and monotonic() < until:
        for stray in strays:
            end_group(stray)
            with suppress(ChildProcessError):
                os.waitpid(stray, 0)


def crowded(process: int, most: int) -> bool:
    """Has *process*, with all that it has started, started more than *most* processes?"""
    found, at = [process], 0
    while at < len(found) <= most + 1:
        found += children(found[at])
        at += 1
    return len(found) > most + 1


def children(process: int) -> list[int]:
    """The processes that any thread of *process* has started; none where the system is silent."""
    found = list[int]()
    for listing in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # it has just ended
            found += map(int, listing.read_text().split())
    return found


def _prctl(order: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(order, value, 0, 0, 0)
