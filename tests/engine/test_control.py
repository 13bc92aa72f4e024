"""A kernel runs in its own thread, stops at its node limit to the node, and at once when told."""

# mypy: disable-error-code="no-any-return, no-untyped-call"

import gc
import signal
import sys
import threading
import time
import weakref

import numpy as np
import pytest

from papan.core import Limit, OutOfBudget, Thinking
from papan.engine.control import (
    GOES_ON,
    MOST_NODES,
    NODES,
    STOP,
    Words,
    controls,
    race,
    run,
    run_within,
    spend,
)
from papan.engine.native import (
    ONE,
    WORD,
    WORD_POINTER,
    Word,
    load_shared,
    load_word,
    native,
    store_shared,
    words_at,
)


@native(WORD(WORD_POINTER))
def _count(words: object) -> Word:
    nodes = load_word(words, NODES)
    while nodes < load_word(words, MOST_NODES) and load_shared(words, STOP) == 0:
        nodes += ONE
        store_shared(words, NODES, nodes)
    return nodes


@native()
def count(words: Words) -> Word:
    return _count(words_at(words.ctypes.data))


def test_a_node_limit_is_kept_to_the_node() -> None:
    words = controls(most_nodes=12_345)
    assert run(lambda: count(words), words, look=lambda nodes: None) == 12_345


def test_what_one_of_several_searches_raises_stops_the_others_and_reaches_the_caller() -> None:
    words = [controls(), controls()]
    stopped = threading.Event()

    def fail() -> int:
        raise MemoryError("a table")

    def go_on() -> int:
        while not words[1][STOP]:
            time.sleep(0.001)
        stopped.set()
        return 7

    with pytest.raises(MemoryError, match="a table"):
        race([fail, go_on], words)
    assert stopped.is_set()


def test_searches_end_before_the_caller_hears_that_a_thread_cannot_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = [controls(), controls()]
    ended = threading.Event()
    begun: list[threading.Thread] = []
    start = threading.Thread.start

    def once(thread: threading.Thread) -> None:
        if begun:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        start(thread)

    def go_on() -> None:
        while not words[0][STOP]:
            time.sleep(0.001)
        ended.set()

    monkeypatch.setattr(threading.Thread, "start", once)
    with pytest.raises(RuntimeError, match="new thread"):
        race([go_on, go_on], words)
    assert ended.is_set()


def test_whoever_looks_can_stop_it_by_raising() -> None:
    count(controls(most_nodes=1))  # compiled before the clock runs
    words, seen = controls(), list[int]()

    def look(nodes: int) -> None:
        seen.append(nodes)
        if len(seen) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        run(lambda: count(words), words, look)
    assert words[STOP] == 1
    assert 0 < seen[0] <= seen[1] <= seen[2] <= words[NODES]


def test_errors_of_the_kernel_reach_the_caller() -> None:
    def broken() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(broken, controls(), look=lambda nodes: None)


def test_what_a_stopped_kernel_used_is_set_free() -> None:
    class Table:
        """Something large."""

    def look(nodes: int) -> None:
        if nodes:
            raise TimeoutError

    def stopped(table: Table) -> None:
        words[NODES] = 1
        while not words[STOP]:
            pass
        raise ValueError(table)

    words = controls()
    tables = [Table()]
    remembered = weakref.ref(tables[0])
    gc.disable()  # what only the collector of cycles finds may stay for long
    try:
        with pytest.raises(TimeoutError):
            run(lambda: stopped(tables[0]), words, look)
        tables.clear()
        assert remembered() is None
    finally:
        gc.enable()


def test_without_a_limit_nodes_are_as_good_as_unbounded() -> None:
    assert controls()[MOST_NODES] == np.uint64(2**63)


@native()
def spend_up_to(words: Words, most: int) -> int:
    pointer = words_at(words.ctypes.data)
    for _ in range(most):
        standing = spend(pointer)
        if standing != GOES_ON:
            return standing
    return GOES_ON


def test_a_search_counts_its_nodes_in_a_budget() -> None:
    thinking = Thinking(Limit(nodes=100))
    thinking.nodes = 30
    run_within(thinking, lambda words: spend_up_to(words, 50))
    assert thinking.nodes == 80


def test_a_budget_of_nodes_is_spent_to_the_last() -> None:
    thinking = Thinking(Limit(nodes=100))
    thinking.nodes = 30
    with pytest.raises(OutOfBudget, match="nodes"):
        run_within(thinking, lambda words: spend_up_to(words, 71))
    assert thinking.nodes == 100


def test_a_budget_that_is_cancelled_stops_the_search() -> None:
    spend_up_to(controls(), 1)  # compiled before anybody waits
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    thinking = Thinking(Limit(), cancelled=cancelled)
    with pytest.raises(OutOfBudget, match="cancelled"):
        run_within(thinking, lambda words: spend_up_to(words, 2**62))
    assert thinking.nodes > 0


def test_l01_words_of_a_search_that_came_to_its_end_do_not_keep_the_next_from_stopping() -> None:
    count(controls(most_nodes=1))
    words = controls(most_nodes=5)
    count(words)  # as a solver that first tries with a few nodes does

    def search() -> Word:
        words[MOST_NODES] = 2**63
        return count(words)

    def look(nodes: int) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        run(search, words, look)


@pytest.mark.skipif(sys.platform == "win32", reason="no signal reaches a single thread")
def test_a_kernel_has_stopped_before_ctrl_c_gets_through() -> None:
    """Ctrl-C comes while the caller waits, and once more while the kernel takes long to stop."""
    words, ended = controls(), list[int]()
    caller = threading.get_ident()

    def press_ctrl_c() -> None:
        signal.pthread_kill(caller, signal.SIGINT)

    def kernel() -> None:
        while not words[NODES]:  # the caller waits now
            time.sleep(0.001)
        press_ctrl_c()
        while not words[STOP]:
            time.sleep(0.001)
        press_ctrl_c()
        time.sleep(0.05)
        ended.append(1)

    def look(nodes: int) -> None:
        words[NODES] = 1

    with pytest.raises(KeyboardInterrupt):
        run(kernel, words, look)
    assert ended
