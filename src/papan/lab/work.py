"""Work items: each is run in a process of a pool, and its result is logged at once.

A run that was interrupted, even by a power cut, goes on with the items that are missing. What was
measured is told with its machine, its versions, and a mark of the sources.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib import import_module, metadata
from math import inf
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from time import monotonic, perf_counter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from papan.core import PapanError
from papan.core.files import open_regular
from papan.core.message import Message
from papan.core.printable import to_json
from papan.lab.files import append_line, genuine, seal, whole_lines
from papan.process.lines import (
    CRASHED,
    LineProcess,
    Pool,
    ProcessEndedError,
    WireMessage,
    emitter,
    heard,
    private_streams,
    serve,
)

Json: TypeAlias = Any
"""What can be written as JSON and read back: the border of the typed world."""

Key = TypeVar("Key")

OnProgress: TypeAlias = Callable[[float, float], None]
"""Hears how much of the work is done: its weight so far, and the weight of all."""


@dataclass(frozen=True)
class WorkItem:
    """A piece of work: a function of a module and what it is called with, all plain data."""

    name: str
    work: Callable[..., Json]
    arguments: tuple[Json, ...] = ()
    weight: float = 1.0
    """How long it takes, compared with others: for the time left, and to begin with the longest."""


class Took(NamedTuple):
    """How long an item took: by the clock on the wall, and of the processor."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class Log:
    """What a kept run says: what it is, what each item found, and how long all of them took."""

    header: Mapping[str, Json]
    found: Mapping[str, Json]
    seconds: float
    """By the clock on the wall, other programs and all."""
    cpu: float | None
    """Of the processor, all processes and threads together; None where older findings lack it."""
    ignored: int = 0
    """How many findings were not believed, and are not among the others."""

    def is_of(self, identity: Mapping[str, Json]) -> bool:
        """Is it the run that this tells apart from others?"""
        return identity.items() <= self.header.items()


class ResumableLog:
    """A file of JSON lines: what the run is, then each finding, on the disk before the next."""

    def __init__(
        self,
        path: Path,
        identity: Mapping[str, Json],
        facts: Mapping[str, Json],
        sealed: bool = False,
    ) -> None:
        self.path = path
        self.identity = identity
        """What makes this run this run: findings of another one are of no use."""
        self.facts = facts
        """What else is good to know about it."""
        self.sealed = sealed
        """Are findings sealed, and only those of this user believed?"""
        self.found: dict[str, Json] = {}
        self.ignored = 0
        """How many findings in the file are not believed."""

    def open(self, afresh: bool = False, trust: bool = False) -> None:
        """Go on where this run stopped; what another one left, or an old try, is forgotten.

        *trust*: believe the findings of others too.
        """
        log = None if afresh else read(self.path, self._is_ours if not trust else None)
        if log is None or not log.is_of(self.identity):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.unlink(missing_ok=True)
            self._append({**self.identity, **self.facts})
            return
        self.found, self.ignored = dict(log.found), log.ignored
        with open_regular(self.path, "r+b") as file:  # a line cut short by the interruption goes
            file.truncate(sum(map(len, whole_lines(file))))

    def keep(self, name: str, value: Json, took: Took) -> None:
        """Add what an item found, and how long that took."""
        self.found[name] = value
        times = {"seconds": round(took.seconds, 3), "cpu": round(took.cpu, 3)}
        proof = {"seal": seal(self._sealed_text(name, value))} if self.sealed else {}
        self._append({"unit": name, "found": value, **times, **proof})

    def _is_ours(self, line: Mapping[str, Json]) -> bool:
        text = self._sealed_text(str(line["unit"]), line["found"])
        return not self.sealed or genuine(text, line.get("seal"))

    def _sealed_text(self, name: str, value: Json) -> str:
        """What is sealed of a finding: all of it, and the run it belongs to."""
        return json.dumps(["finding", self.identity, name, value], sort_keys=True)

    def _append(self, line: Mapping[str, Json]) -> None:
        with open_regular(self.path, "ab") as file:
            append_line(file, to_json(line))


FINDING = {"unit", "found", "seconds"}
"""What the line of a finding has."""


class Job(NamedTuple):
    """All work items of a run, and the log of what they find."""

    log: ResumableLog
    items: Sequence[WorkItem]


def read(path: Path, believed: Callable[[Mapping[str, Json]], bool] | None = None) -> Log | None:
    """The run that a file keeps; None if there is none. Raises for what is no regular file.

    *believed* says of the line of each finding whether it counts; all do where there is none.
    """
    try:
        file = open_regular(path)
    except OSError:
        return None
    with file:
        lines = map(_parsed, whole_lines(file))
        if (first := next(lines, None)) is None:
            return None
        whole = [line for line in lines if line is not None and _is_finding(line)]
    findings = [line for line in whole if believed is None or believed(line)]
    found = {str(line["unit"]): line["found"] for line in findings}
    known = all(isinstance(line.get("cpu"), int | float) for line in findings)
    cpu = sum(line["cpu"] for line in findings) if known else None
    seconds = sum(line["seconds"] for line in findings)
    return Log(first, found, seconds, cpu, len(whole) - len(findings))


def _is_finding(line: dict[str, Any]) -> bool:
    return line.keys() >= FINDING and isinstance(line["seconds"], int | float)


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None for a damaged one: what it said is done again."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def run_all(jobs: Sequence[Job], on_progress: OnProgress, workers: int) -> None:
    """Do what is missing of every job, in *workers* processes; in this one where there are none."""
    missing = [
        (job.log, item) for job in jobs for item in job.items if item.name not in job.log.found
    ]
    missing.sort(key=lambda each: -each[1].weight)
    total = sum(item.weight for job in jobs for item in job.items)
    done = total - sum(item.weight for _, item in missing)
    on_progress(done, total)
    tasks = (((log, item), item) for log, item in missing)
    with executor_here(min(workers, len(missing))) as executor:
        for (log, item), future in completed(executor, lambda running: next(tasks, None)):
            log.keep(item.name, *future.result())
            done += item.weight
            on_progress(done, total)


@dataclass(frozen=True)
class Executor:
    """Where work is done: takes a piece at a time, and says how many it can have at once."""

    submit: Callable[[Any], Future[Any]]
    width: Callable[[], int]


def completed(
    executor: Executor,
    following: Callable[[Collection[Key]], tuple[Key, Any] | None],
    enough: Callable[[], bool] = lambda: False,
    until: float = inf,
) -> Iterator[tuple[Key, Future[Any]]]:
    """Keep an executor at work, and tell of each piece that is over, by its key.

    *following* gives the next piece with its key, given the keys of those that are under way; None
    where there is none for now. It ends when nothing is left to do, *enough* is known, or the clock
    (`monotonic`) comes to *until*.
    """
    running: dict[Future[Any], Key] = {}
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
def executor_here(workers: int) -> Iterator[Executor]:
    """Does work items in *workers* processes, which end with it; in this one where there are none.

    What it answers is what an item found and how long that took, as `timed` does.
    """
    if not workers:
        yield Executor(_done, lambda: 1)
        return
    processes: Pool[LineProcess] = Pool()
    with ThreadPoolExecutor(workers) as threads, closing(processes):
        try:
            yield Executor(lambda item: threads.submit(_asked, processes, item), lambda: workers)
        finally:  # nobody wants the rest: waiting for it would look like hanging
            threads.shutdown(wait=False, cancel_futures=True)


def _done(item: WorkItem) -> Future[tuple[Json, Took]]:
    future: Future[tuple[Json, Took]] = Future()
    future.set_result(timed(item))
    return future


def _asked(processes: Pool[LineProcess], item: WorkItem) -> tuple[Json, Took]:
    """What a process of the pool found, and how long that took."""
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
    return reply["found"], Took(*reply["took"])


def _reply(processes: Pool[LineProcess], request: WireMessage) -> WireMessage:
    with processes.borrowed(None, partial(LineProcess, "papan.lab.work")) as process:
        return process.request(request)


def timed(item: WorkItem) -> tuple[Json, Took]:
    """What an item found, done here and now, and how long that took."""
    began, before = perf_counter(), _cpu()
    found = item.work(*item.arguments)
    return found, Took(perf_counter() - began, _cpu() - before)


def _cpu() -> float:
    """Seconds that this process and those it has waited for have spent on the processor."""
    return sum(os.times()[:4])


def _answer(request: WireMessage) -> WireMessage:
    module, _, name = request["work"].partition(":")
    work = getattr(import_module(module), name)
    found, took = timed(WorkItem(name, work, tuple(request["arguments"])))
    return {"t": "answer", "found": found, "took": took}


def main() -> None:
    """Work for whoever started this process; without them, end at once."""
    requests, out = private_streams()
    over = Signal()
    tasks = heard(requests, over)
    Thread(target=lambda: over.wait() and os._exit(1), daemon=True).start()
    serve(tasks, emitter(out), _answer)


# Where and with what something was measured.

SOURCES = ("catalog.py", "core", "engine", "games", "agents", "papers", "lab/match.py")
"""What results depend on: a change in any of these makes kept results old."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> dict[str, str]:
    """What measured times depend on."""
    return {
        "processor": _processor(),
        "cores": str(cores()),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "papan": metadata.version("papan"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


@cache
def sources_mark() -> str:
    """A short mark that changes with the code that results come from."""
    root, mark = Path(__file__).parents[1], sha256()
    for place in SOURCES:
        path = root / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            mark.update(file.read_bytes())
    return mark.hexdigest()[:16]


if __name__ == "__main__":
    main()
