"""The process of `papan.lab.work` that does work items, one after another."""

from __future__ import annotations

import os
from importlib import import_module
from threading import Event as Signal
from threading import Thread

from papan.lab.work import WorkItem, timed
from papan.process.lines import WireMessage, emitter, heard, private_streams, serve


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


if __name__ == "__main__":
    main()
