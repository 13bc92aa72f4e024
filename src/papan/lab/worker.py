"""The process that does work items for `papan.lab.work`, one after the other."""

from __future__ import annotations

import os
from importlib import import_module
from threading import Event as Signal
from threading import Thread

from papan.lab.work import WorkItem, run_timed
from papan.process.lines import (
    WireMessage,
    answer_requests,
    emitter,
    private_streams,
    queued_requests,
)


def _answer(request: WireMessage) -> WireMessage:
    """Do the work item of *request*; return an ``answer`` with its result and the time it took.

    *request* has the function as ``MODULE:NAME`` under ``work``, and its ``arguments``. The answer
    has the result under ``found``, wall-clock and processor seconds under ``took``. Raise what the
    function raises.
    """
    module, _, name = request["work"].partition(":")
    work = getattr(import_module(module), name)
    found, took = run_timed(WorkItem(name, work, tuple(request["arguments"])))
    return {"t": "answer", "found": found, "took": took}


def main() -> None:
    """Do the work items that standard input asks for, until it ends; then exit at once.

    Results go to standard output, by the protocol of `papan.process.lines`. A work item that is not
    finished when the input ends is given up.
    """
    requests, out = private_streams()
    over = Signal()
    tasks = queued_requests(requests, over)
    Thread(target=lambda: over.wait() and os._exit(1), daemon=True).start()
    answer_requests(tasks, emitter(out), _answer)


if __name__ == "__main__":
    main()
