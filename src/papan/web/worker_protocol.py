"""Messages between the server and its worker processes: tasks in one direction, events in the
other.

The server writes one JSON object a line: a `Task`, or ``{"stop": true}``. A worker answers with
events, one a line: the kind of the event, a space, and the event as JSON. The server passes the
JSON on to a page without parsing it, and needs only the kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, TextIO

from papan.core import PapanError
from papan.web.settings import Rank

MOST_EVENT_BYTES = 16 * 2**20
"""Bytes of one event at most, with its kind: a whole search tree is one event."""
WORKER_MODULE = "papan.web.worker"
LOADING_SECONDS = 600
"""Processor seconds for loading what a task needs, which may include compiling it."""
NOT_COMPILED = 3
"""Exit code of a fork server that would have to compile: a separate process does that."""
FINAL_KINDS = ("analysis", "answer", "error")
"""Kinds of the events that end a task."""


@dataclass(frozen=True)
class Task:
    """A task of a worker: a call of a function of `papan.web.worker.CALLS`, or ``think``,
    ``review``, ``bot``.
    """

    call: str
    """Key of the function in `papan.web.worker.CALLS`, or ``think``, ``review`` or ``bot``."""
    arguments: dict[str, Any]
    """Arguments by name, as JSON data: those of the function in `CALLS` without *cancelled*; for
    ``think``, ``review`` and ``bot`` those that `_think`, `_review` and `_bot` of
    `papan.web.worker` read.
    """
    seconds: float = 30
    """Processor seconds for each thread, not counting the time to load; for ``think`` also the
    limit of the search in seconds by the clock.
    """
    threads: int = 1
    """Number of threads that it may use at the same time."""
    rank: Rank = "analysis"
    """What it is for: ``game`` (a person waits for a move) or ``analysis``; each has workers of its
    own.
    """


@dataclass(frozen=True)
class WorkerEvent:
    """An event as the server passes it on, without parsing it."""

    kind: str
    """Its name, such as ``root`` (docs/events.md)."""
    json: bytes
    """The event as a JSON object in UTF-8, with the end of the line."""

    @classmethod
    def read(cls, line: bytes) -> WorkerEvent | None:
        """Return the event in *line*: a kind, a space, and JSON, which is not parsed.

        None if *line* does not end with a line feed: then the stream has ended, perhaps within a
        line.
        """
        if not line.endswith(b"\n"):
            return None
        kind, _, text = line.partition(b" ")
        return cls(kind.decode(), text)


def event_writer(out: TextIO) -> Callable[[dict[str, Any]], None]:
    """Return a function that writes one event (JSON data with its kind as ``t``) to *out* and
    flushes it.

    Infinite and undefined numbers become null. The function raises BrokenPipeError if nobody reads
    *out* any more, and PapanError, having written nothing, for an event of more than
    `MOST_EVENT_BYTES`.
    """

    def write(event: dict[str, Any]) -> None:
        line = f"{event['t']} {json.dumps(_finite(event), ensure_ascii=False)}\n"
        if len(line.encode()) > MOST_EVENT_BYTES:
            raise PapanError("web.event_too_large", most=MOST_EVENT_BYTES >> 20)
        out.write(line)
        out.flush()

    return write


def event_line(event: dict[str, Any]) -> bytes:
    """Return an event as one line of JSON in UTF-8, as pages read it: without the kind before it.

    Its numbers must be finite, which is not checked.
    """
    return json.dumps(event).encode() + b"\n"


def _finite(data: Any) -> Any:
    """Return the JSON data *data* with None for infinite and undefined numbers, which JSON does not
    have, and with lists in place of tuples.
    """
    if isinstance(data, float):
        return data if isfinite(data) else None
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    return [_finite(each) for each in data] if isinstance(data, list | tuple) else data
