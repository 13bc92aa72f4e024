"""The controls of a compiled search: its budget, and how it is run, watched and stopped.

A kernel that runs in the main thread reacts to neither Ctrl-C nor the clock. So it runs in a thread
of its own, and both sides share a few words: the kernel counts its nodes and polls the stop flag
every 1024 of them; the caller polls the clock, shows progress, and raises the flag.
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
from papan.engine.native import (
    ONE,
    WORD_POINTER,
    ZERO,
    load_shared,
    load_word,
    native,
    store_shared,
)

Words = NDArray[np.uint64]
Result = TypeVar("Result")

STOP, NODES, MOST_NODES = 0, 1, 2
"""Indices of the shared words: the stop flag, the nodes so far, and the most nodes allowed, at
which a count ends exactly.
"""

GOES_ON, OUT_OF_NODES, STOPPED = range(3)
"""The state of a search when it returns: finished or still running, out of nodes, or stopped."""

CALLER_POLL_SECONDS = 0.005
"""Seconds between two polls of the caller: a tenth of the shortest useful time limit."""

UNBOUNDED = 2**63
"""The most nodes where there is no limit."""

NODES_PER_POLL = np.uint64(1024)
"""Nodes between two looks of the kernel at the stop flag."""


def controls(most_nodes: float = inf) -> Words:
    """Return new control words for a kernel and its caller: no nodes yet, not stopped.

    They are an array of 16 words, of which STOP, NODES and MOST_NODES are used. *most_nodes* are
    allowed, 0 or more: a fraction is dropped; inf for any number.
    """
    words = np.zeros(16, dtype=np.uint64)
    words[MOST_NODES] = UNBOUNDED if most_nodes == inf else int(most_nodes)
    return words


@native(types.int64(WORD_POINTER), inline=True)
def spend(words: Any) -> int:
    """Count a node and return GOES_ON; return OUT_OF_NODES or STOPPED if the search must end.

    *words* is a pointer to control words. OUT_OF_NODES: as many as are allowed were counted before,
    and this one is not. STOPPED: the stop flag is set, which is looked at every `NODES_PER_POLL`
    nodes; this one has been counted.
    """
    nodes = load_word(words, NODES)
    if nodes >= load_word(words, MOST_NODES):
        return OUT_OF_NODES
    store_shared(words, NODES, nodes + ONE)
    if (nodes + ONE) % NODES_PER_POLL == ZERO and load_shared(words, STOP):
        return STOPPED
    return GOES_ON


def run(kernel: Callable[[], Result], words: Words, look: Callable[[int], None]) -> Result:
    """Run *kernel* in a thread of its own, wait for it, and return its result.

    *words* are its control words; *look* is called with its node count every few milliseconds,
    perhaps never for a short search. What the kernel raises is raised here. If *look* raises, the
    stop flag is set, and what it raised is raised here once the kernel has returned, whatever
    became of that. The flag stays set in either case. Raise RuntimeError if no thread can be
    started.
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
    """Run *search* within a *budget*, and set `budget.nodes` to the nodes counted in all.

    Raise OutOfBudget if the budget is spent or its caller has cancelled, and what *search* raises.
    *search* gets the control words and returns GOES_ON, OUT_OF_NODES or STOPPED. The first search,
    before which no nodes are counted, always begins, so that it has a result however short the time
    was. A search that has one node left, or none, runs in the calling thread: it is asked for to
    have the kernel compiled, and the compiler imports the module of the rules, which the caller may
    be importing: another thread would wait for that for ever.
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
    """Run searches in threads until one has finished; return all results but None, as they came.

    Each search has its own control *words*; the first to finish, whatever it returns, sets the stop
    flag in all of them, and the others must return soon then. Empty if all return None. One that
    raises stops the others, too: when all have ended, the first error is raised, whatever the
    others have found. Raise RuntimeError if a thread cannot be started, once those begun have
    ended.
    """
    found: list[Result] = []
    errors: list[BaseException] = []

    def stop() -> None:
        for each in words:
            each[STOP] = 1

    def join_in(search: Callable[[], Result | None]) -> None:
        try:
            result = search()
            if result is not None:
                found.append(result)
        except BaseException as error:  # it belongs to the caller, not to this thread
            errors.append(error)
        finally:
            stop()

    threads = [Thread(target=join_in, args=(search,)) for search in searches]
    begun: list[Thread] = []
    try:
        for thread in threads:
            thread.start()
            begun.append(thread)
    except BaseException:  # no more threads: those that run use the caller's memory
        stop()
        raise
    finally:
        for thread in begun:
            thread.join()
    if errors:
        raise errors.pop(0)  # kept in the list, it would keep alive what the search used
    return found


class _End:
    """Tells one waiting thread, as an event does, that a kernel has returned.

    `Thread.join` would not do: when Ctrl-C interrupts it, Python 3.11 and 3.12 consider the thread
    ended while it still runs, and its memory would be given to the next search.
    """

    def __init__(self) -> None:
        self.reached = False
        self._gate = Lock()
        self._gate.acquire()

    def reach(self) -> None:
        """Signal that the kernel has returned; called once, by its thread."""
        self.reached = True
        self._gate.release()

    def wait(self) -> None:
        """Wait until the end is reached, at most `CALLER_POLL_SECONDS`.

        Not to be called again after a wait during which it was reached: that would last so long.
        """
        self._gate.acquire(timeout=CALLER_POLL_SECONDS)

    def outwait(self) -> None:
        """Wait until the kernel has returned; only then raise KeyboardInterrupt, if Ctrl-C came."""
        pressed: KeyboardInterrupt | None = None
        while not self.reached:
            try:
                self.wait()
            except KeyboardInterrupt as again:
                pressed = again
        if pressed:
            raise pressed


def _work(kernel: Callable[[], Result], future: Future[Result], end: _End) -> None:
    """Run *kernel*, store its result or its exception in *future*, then signal the *end*."""
    try:
        future.set_result(kernel())
    except BaseException as error:  # it belongs to the caller, not to this thread
        future.set_exception(error)
    finally:
        del kernel, future
        end.reach()


def _watch(end: _End, words: Words, look: Callable[[int], None]) -> None:
    """Call *look* with the node count every `CALLER_POLL_SECONDS` until the *end*.

    Then, or if *look* raises, set the stop flag in *words*, wait for the kernel, and raise what
    *look* raised.
    """
    try:
        while not end.reached:
            end.wait()
            look(int(words[NODES]))
    finally:
        words[STOP] = 1
        end.outwait()
