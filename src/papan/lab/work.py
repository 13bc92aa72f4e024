"""Work items: each is done by a process of a pool, or by this one, and its result logged at once.

A run that was interrupted, even by a power cut, continues with the items that are missing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic, perf_counter
from typing import Any, NamedTuple, TypeVar

from papan.core import OnProgress, PapanError, Progress
from papan.core.message import Message
from papan.core.progress import ignore_progress
from papan.lab.log import Json, ResumableLog, TimeTaken
from papan.process.lines import CRASHED, LineProcess, ProcessEndedError, ProcessPool, WireMessage

TaskKey = TypeVar("TaskKey")


@dataclass(frozen=True)
class WorkItem:
    """A piece of work: a function at the top level of a module, and arguments for it."""

    name: str
    """Its name in the log, which no other item of the run has."""
    work: Callable[..., Json]
    """Called with *arguments*, perhaps in another process, which finds it by module and name."""
    arguments: tuple[Json, ...] = ()
    """Plain data, as JSON has it."""
    weight: float = 1.0
    """Expected duration in any unit: for the estimate of the time left, and to start with the
    longest.
    """


class Workload(NamedTuple):
    """The work items of a run, and the log of their results, which is open."""

    log: ResumableLog
    items: Sequence[WorkItem]


def run_all(
    jobs: Sequence[Workload], workers: int, on_progress: OnProgress = ignore_progress
) -> None:
    """Do all items of *jobs* that are missing in their logs, in *workers* processes; in this one if
    0.

    The heaviest come first, and each result is logged at once. *on_progress* is called with the
    weight that is done and that of all items, at first and after each. Raise what an item raises
    (from a process, RuntimeError with its text unless it is a PapanError), PapanError if one kills
    its process twice, and OSError if a log cannot be written.
    """
    missing = [
        (job.log, item) for job in jobs for item in job.items if item.name not in job.log.found
    ]
    missing.sort(key=lambda each: -each[1].weight)
    total = sum(item.weight for job in jobs for item in job.items)
    done = total - sum(item.weight for _, item in missing)
    on_progress(Progress(done, total))
    tasks = (((log, item), item) for log, item in missing)
    with local_executor(min(workers, len(missing))) as executor:
        for (log, item), future in completed(executor, lambda running: next(tasks, None)):
            log.keep(item.name, *future.result())
            done += item.weight
            on_progress(Progress(done, total))


@dataclass(frozen=True)
class Executor:
    """Runs work: *submit* starts a piece, *width* returns how many may run at the same time now."""

    submit: Callable[[Any], Future[Any]]
    """Called with a piece, such as a `WorkItem` or the text of an assignment; its future has the
    result."""
    width: Callable[[], int]


def completed(
    executor: Executor,
    following: Callable[[Collection[TaskKey]], tuple[TaskKey, Any] | None],
    enough: Callable[[], bool] = lambda: False,
    until: float = inf,
) -> Iterator[tuple[TaskKey, Future[Any]]]:
    """Keep *executor* busy; yield the key and the future of each piece that has ended.

    *following* returns the next piece as (key, piece), given the keys of those that run; None if
    there is none for now. It is asked while fewer pieces run than the executor's *width*. The
    future may have an exception instead of a result: that is not raised here. The iteration ends
    when nothing runs and *following* returns None, when *enough* returns True, or when `monotonic`
    reaches *until*, in seconds; pieces that have not been started by then are cancelled. Raise what
    *following* raises, and what submitting a piece raises.
    """
    running: dict[Future[Any], TaskKey] = {}
    try:
        while not enough() and monotonic() < until:
            width = executor.width()
            while len(running) < width and (task := following(running.values())) is not None:
                key, work = task
                running[executor.submit(work)] = key
            if not running:
                return
            timeout = None if until == inf else max(0.0, until - monotonic())
            for future in wait(running, timeout, FIRST_COMPLETED).done:
                yield running.pop(future), future
    finally:
        for future in running:
            future.cancel()


@contextmanager
def local_executor(workers: int) -> Iterator[Executor]:
    """Yield an executor of work items with *workers* processes, which end with the block.

    0: this process does each item as it is submitted, and submitting raises what it raises. The
    result of a future is what `run_timed` returns; from a process it raises PapanError if the item
    raises one or kills its process twice, RuntimeError if it raises anything else.
    """
    if not workers:
        yield Executor(_done_here, lambda: 1)
        return
    processes: ProcessPool[LineProcess] = ProcessPool()
    with ThreadPoolExecutor(workers) as threads, closing(processes):
        try:
            yield Executor(
                lambda item: threads.submit(_done_by_a_process, processes, item), lambda: workers
            )
        finally:  # the rest is not wanted: waiting for it would look like hanging
            threads.shutdown(wait=False, cancel_futures=True)


def _done_here(item: WorkItem) -> Future[tuple[Json, TimeTaken]]:
    """Do *item* in this process, and return a future that has its result; raise what it raises."""
    future: Future[tuple[Json, TimeTaken]] = Future()
    future.set_result(run_timed(item))
    return future


def _done_by_a_process(
    processes: ProcessPool[LineProcess], item: WorkItem
) -> tuple[Json, TimeTaken]:
    """Do *item* in a process of the pool; return its result and the time it took.

    Raise PapanError if it kills its process twice or raises one, RuntimeError if it crashes.
    """
    work = f"{item.work.__module__}:{item.work.__name__}"
    request = {"work": work, "arguments": item.arguments}
    try:
        reply = _reply(processes, request)
    except ProcessEndedError:  # the machine may have been out of memory: once more
        try:
            reply = _reply(processes, request)
        except ProcessEndedError:
            raise PapanError("work.worker_killed", item=item.name) from None
    if reply["t"] == "error":
        if reply["key"] == CRASHED:
            raise RuntimeError(reply["message"])
        raise PapanError.of(Message.from_json(reply))
    return reply["found"], TimeTaken(*reply["took"])


def _reply(processes: ProcessPool[LineProcess], request: WireMessage) -> WireMessage:
    """Return what a process of the pool answers to *request*: an answer or an error message.

    Raise ProcessEndedError if it ends before, or if the pool is closed.
    """
    with processes.borrowed(None, partial(LineProcess, "papan.lab.worker")) as process:
        return process.request(request)


def run_timed(item: WorkItem) -> tuple[Json, TimeTaken]:
    """Do *item* in this process; return its result and the time it took, wall-clock and processor.

    Raise what it raises.
    """
    began, before = perf_counter(), _cpu()
    found = item.work(*item.arguments)
    return found, TimeTaken(perf_counter() - began, _cpu() - before)


def _cpu() -> float:
    """Return the processor seconds of this process and of the children that it has waited for."""
    return sum(os.times()[:4])
