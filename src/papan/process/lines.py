"""The line protocol of papan's own processes: one JSON object a line, in both directions.

A process may send ``ready`` first. It answers each request with any number of events, the last of
which is an ``answer`` or an ``error``. ``{"stop": true}`` asks for the best answer so far. When its
input ends, it ends too: nothing outlives papan. Whatever is printed in it goes to standard error,
and cannot be taken for an answer.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import Event as Signal
from threading import Lock, Thread
from typing import Any, Generic, Protocol, TextIO, TypeVar

from papan.core import PapanError
from papan.core.errors import in_one_line
from papan.process.host import kill_when_stopped, own_session, python

WireMessage = dict[str, Any]
"""A message as JSON data: a request, or what has a kind under ``t``, such as ``answer``."""
Emit = Callable[[WireMessage], None]
"""Sends one message to the other end; may raise BrokenPipeError."""

CRASHED = "process.crashed"
"""Key of the error for an exception that is not a PapanError."""


class ProcessEndedError(OSError):
    """Raised if a process ended before it had answered, or its pool is closed."""


# Within the process


def private_streams() -> tuple[TextIO, TextIO]:
    """Return the protocol's streams: requests to read, answers to write. Call it once.

    Afterwards this process's standard input is empty, and what it prints goes to standard error.
    """
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, answers


def queued_requests(requests: TextIO, stop: Signal) -> Iterator[WireMessage]:
    """Return an iterator of requests, which a thread reads from *requests*, one JSON object a line.

    The iterator waits for the next request, and ends with the input. ``{"stop": true}`` and the end
    of the input set *stop*; a new request clears it. Every line must be a JSON object: after
    another one, which is not checked, the iterator waits for ever.
    """
    tasks: SimpleQueue[WireMessage | None] = SimpleQueue()

    def read() -> None:
        for line in requests:
            message = json.loads(line)
            if "stop" in message:
                stop.set()
            else:
                stop.clear()
                tasks.put(message)
        stop.set()
        tasks.put(None)

    Thread(target=read, daemon=True).start()
    return iter(tasks.get, None)


def on_input_end(requests: TextIO, end: Callable[[], None]) -> None:
    """Call *end* in a thread when *requests* ends: then the parent process is gone.

    Return at once. The thread discards what still comes in.
    """

    def wait() -> None:
        while os.read(requests.fileno(), 1024):
            pass
        end()

    Thread(target=wait, daemon=True).start()


def answer_requests(
    requests: Iterable[WireMessage], emit: Emit, handle: Callable[[WireMessage], WireMessage]
) -> None:
    """Emit what *handle* returns for each request, or an ``error`` message if it raises Exception.

    The message is that of `failure`. Return when the requests end, or when nobody reads the answers
    any more. Another BaseException of *handle*, such as SystemExit, and what reading the requests
    raises, is passed on.
    """
    with suppress(BrokenPipeError):  # the reader is gone
        for request in requests:
            try:
                emit(handle(request))
            except BrokenPipeError:
                return
            except Exception as error:  # whatever an agent does wrong must not end the process
                emit(failure(error))


def emitter(out: TextIO, form: Callable[[WireMessage], WireMessage] = dict) -> Emit:
    """Return a function that writes one message a line to *out*, after *form* has converted it.

    The function raises BrokenPipeError if nobody reads *out* any more, TypeError if the converted
    message is no JSON data.
    """

    def emit(message: WireMessage) -> None:
        out.write(json.dumps(form(message), ensure_ascii=False) + "\n")
        out.flush()

    return emit


def failure(error: BaseException) -> WireMessage:
    """Return *error* as a message with the fields ``t``, ``key``, ``values`` and ``message``.

    ``t`` is ``error``, ``key`` a key of the catalogues, ``values`` has the values of its text by
    name, and ``message`` is the text in English. If *error* is no PapanError, the key is `CRASHED`,
    and the text, its type and its own text, is cut to 200 characters.
    """
    if isinstance(error, PapanError):
        return {"t": "error", **error.shown.json(), "message": str(error)}
    name = in_one_line(error)[:200]
    return {"t": "error", "key": CRASHED, "values": {"error": name}, "message": name}


# From outside


class LineProcess:
    """A process of papan's own that answers one request at a time: ``python -m MODULE ARGUMENTS``.

    *environment* are additional environment variables. Raises OSError if it cannot be started.
    """

    def __init__(self, module: str, *arguments: str, **environment: str) -> None:
        self._process = subprocess.Popen(
            python(module, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            **own_session(**environment),
        )
        self._asked = Lock()

    def request(self, request: WireMessage, on_event: Emit = lambda event: None) -> WireMessage:
        """Send a request and return its answer, or its error as a message ``{"t": "error", …}``.

        *on_event* is called with each message before that. Of several threads one asks, the others
        wait. Raise ProcessEndedError if the process ends before it has answered.
        """
        assert self._process.stdin
        with self._asked:
            with suppress(OSError, ValueError):  # it is gone: nothing can be read either
                self._process.stdin.write(json.dumps(request) + "\n")
                self._process.stdin.flush()
            while (message := self._message())["t"] not in ("answer", "error"):
                on_event(message)
        return message

    def _message(self) -> WireMessage:
        """Wait for the next message of the process and return it.

        Raise ProcessEndedError if the process ends before a whole line has come.
        """
        assert self._process.stdout
        line = ""
        with suppress(OSError, ValueError):
            line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise ProcessEndedError("a process ended before it had answered")
        message: WireMessage = json.loads(line)
        return message

    def kill_when_stopped(self) -> None:
        """Kill the process as soon as a signal suspends it: otherwise a request would never return.

        Returns at once: a thread waits.
        """
        Thread(target=kill_when_stopped, args=[self._process.pid], daemon=True).start()

    def end(self) -> None:
        """Kill the process and wait for its end, from any thread.

        A waiting request raises ProcessEndedError, and so do later ones.
        """
        self._process.kill()
        self._process.wait()
        with self._asked:
            assert self._process.stdin and self._process.stdout
            self._process.stdout.close()
            with suppress(OSError):  # what it has not yet read
                self._process.stdin.close()

    def fail(self, error: BaseException) -> None:
        """End the process; *error* is not used."""
        self.end()


# Processes that wait for their next question: starting one for each would take too long


class PooledProcess(Protocol):
    """A process that a pool can contain."""

    def end(self) -> object:
        """End the process, from any thread, whatever it is doing."""

    def fail(self, error: BaseException) -> object:
        """End the process after *error*, to which a note may be added."""


Process = TypeVar("Process", bound=PooledProcess)


class ProcessPool(Generic[Process]):
    """Idle processes by key, to be reused; each is borrowed by one thread at a time.

    Processes with equal keys are interchangeable. At most *most_idle* (default: any number) are
    kept idle: beyond that those that were returned first are ended.
    """

    def __init__(self, most_idle: int = sys.maxsize) -> None:
        self.most_idle = most_idle
        self.forget()

    def forget(self) -> None:
        """Drop all processes without ending them, and be open again.

        After a fork they belong to the parent.
        """
        self._lock = Lock()
        self._idle: list[tuple[Hashable, Process]] = []
        self._lent: set[Process] = set()
        self.closed = False

    @contextmanager
    def borrowed(self, key: Hashable, start: Callable[[], Process]) -> Iterator[Process]:
        """Yield a process with *key* for the block, an idle one or what *start* returns.

        After the block it goes back to the pool, or is ended if the pool was closed meanwhile. If
        the block raises, the process is ended by its `fail`, and the error is raised on. Raise
        ProcessEndedError if the pool is closed before the block begins, and what *start* raises.
        """
        process = self.taken(key) or start()
        try:
            with self._lock:
                self._lent.add(process)
                if self.closed:
                    raise ProcessEndedError("the pool is closed")
            yield process
        except BaseException as error:
            process.fail(error)
            raise
        finally:
            with self._lock:
                self._lent.discard(process)
        self._give_back(key, process)

    def taken(self, key: Hashable) -> Process | None:
        """Remove an idle process with *key* for good and return it; None if there is none.

        Raise ProcessEndedError if the pool is closed.
        """
        with self._lock:
            if self.closed:
                raise ProcessEndedError("the pool is closed")
            for place, (other, process) in enumerate(self._idle):
                if other == key:
                    del self._idle[place]
                    return process
        return None

    def close(self) -> None:
        """End all processes, borrowed ones included.

        From then on `borrowed` and `taken` raise ProcessEndedError, until `forget` is called.
        """
        with self._lock:
            self.closed = True
            idle, self._idle = self._idle, []
            lent = [*self._lent]
        for process in [*lent, *(process for _, process in idle)]:
            process.end()

    def _give_back(self, key: Hashable, process: Process) -> None:
        """Add *process* to the idle ones as the latest, with *key*; end those beyond `most_idle`.

        These are the processes that were given back first. If the pool is closed, all idle ones are
        ended, *process* among them.
        """
        with self._lock:
            self._idle.append((key, process))
            most = 0 if self.closed else self.most_idle
            superfluous = [each for _, each in self._idle[: max(0, len(self._idle) - most)]]
            del self._idle[: len(superfluous)]
        for each in superfluous:
            each.end()
