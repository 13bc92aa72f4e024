"""The controls of a compiled search: its budget, and how it is run, watched and stopped at once.

A kernel that runs in the main thread hears no Ctrl-C and no clock. So it runs in a thread of its
own, and both sides share a few words: the kernel counts its nodes and looks at the flag every
thousand of them; the caller looks at the clock, shows progress, and raises the flag.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from math import inf
from threading import Lock, Thread
from typing import Any, TypeVar

import numpy as np
from numba import types
from numpy.typing import NDArray

from papan.core import Thinking
from papan.engine.native import ONE, WORDS, ZERO, load, load_shared, native, store_shared

Words = NDArray[np.uint64]
Result = TypeVar("Result")

STOP, NODES, MOST_NODES = 0, 1, 2
"""The shared words: raise to stop; nodes so far; nodes at most, so that a count ends exactly."""

GOES_ON, OUT_OF_NODES, STOPPED = range(3)
"""How a search stands when it returns: it is done, or why it is not."""

LOOK_EVERY = 0.005
"""Seconds between two looks of the caller: a tenth of the shortest time that is worth granting."""

UNBOUNDED = 2**63

NODES_PER_LOOK = np.uint64(1024)
"""Nodes between two looks of the kernel at the flag."""


def controls(most_nodes: float = inf) -> Words:
    """The words that a kernel and its caller share."""
    words = np.zeros(16, dtype=np.uint64)
    words[MOST_NODES] = UNBOUNDED if most_nodes == inf else int(most_nodes)
    return words


@native(types.int64(WORDS), inline=True)
def spend(words: Any) -> int:
    """Count a node, if there is one left to be spent; look at the flag now and then."""
    nodes = load(words, NODES)
    if nodes >= load(words, MOST_NODES):
        return OUT_OF_NODES
    store_shared(words, NODES, nodes + ONE)
    if (nodes + ONE) % NODES_PER_LOOK == ZERO and load_shared(words, STOP):
        return STOPPED
    return GOES_ON


def run(kernel: Callable[[], Result], words: Words, look: Callable[[int], None]) -> Result:
    """What *kernel* returns; *look* is called with its nodes, and stops it by raising.

    Whatever *look* raises is raised again once the kernel has stopped.
    """
    future: Future[Result] = Future()
    end = _End()
    Thread(target=_work, args=(kernel, future, end), daemon=True).start()
    try:
        _watch(end, words, look)
        return future.result()
    finally:
        del future  # an error in it would keep alive what the kernel used: tables of megabytes


def run_within(budget: Thinking, search: Callable[[Words], int]) -> None:
    """Run a search within a budget, which counts its nodes and raises when it is spent.

    The first one always begins, so that it has something to say however short the time was.
    One node needs no thread: it is asked for to have the kernel compiled, and the compiler imports
    the module of its rules, which the caller may just be importing: another thread would wait for
    that for ever.
    """
    if budget.nodes:
        budget.check()
    words = controls(budget.limit.nodes)
    words[NODES] = budget.nodes

    def look(nodes: int) -> None:
        budget.nodes = nodes
        budget.check()

    try:
        few = budget.limit.nodes - budget.nodes <= 1
        standing = search(words) if few else run(lambda: search(words), words, look)
    finally:
        budget.nodes = int(words[NODES])
    if standing == OUT_OF_NODES:
        budget.tick()


def race(searches: Sequence[Callable[[], Result | None]], words: Sequence[Words]) -> list[Result]:
    """What searches find that run at the same time, each with words of its own, but for None.

    Whoever ends first stops the others.
    """
    found: list[Result] = []

    def join_in(search: Callable[[], Result | None]) -> None:
        result = search()
        if result is not None:
            found.append(result)
        for each in words:
            each[STOP] = 1

    threads = [Thread(target=join_in, args=(search,)) for search in searches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


class _End:
    """The end of a kernel, waited for in short stretches.

    `Thread.join` would not do: when Ctrl-C interrupts it, Python 3.11 and 3.12 take the thread for
    ended while it still runs, and its memory is given to the next search under it.
    """

    def __init__(self) -> None:
        self.reached = False
        self._gate = Lock()
        self._gate.acquire()

    def reach(self) -> None:
        """Say that the kernel has returned."""
        self.reached = True
        self._gate.release()

    def wait(self) -> None:
        """Wait for a moment, or until it is reached."""
        self._gate.acquire(timeout=LOOK_EVERY)

    def outwait(self) -> None:
        """Wait until it is reached, however often Ctrl-C is pressed; raise that afterwards."""
        pressed: KeyboardInterrupt | None = None
        while not self.reached:
            try:
                self.wait()
            except KeyboardInterrupt as again:
                pressed = again
        if pressed:
            raise pressed


def _work(kernel: Callable[[], Result], future: Future[Result], end: _End) -> None:
    """Run *kernel* and hand over what it returns or raises."""
    try:
        future.set_result(kernel())
    except BaseException as error:  # it belongs to the caller, not to this thread
        future.set_exception(error)
    finally:
        del kernel, future
        end.reach()


def _watch(end: _End, words: Words, look: Callable[[int], None]) -> None:
    """Look until the *end* of a kernel; when this returns or raises, the kernel has stopped."""
    try:
        while not end.reached:
            end.wait()
            look(int(words[NODES]))
    finally:
        words[STOP] = 1
        end.outwait()
