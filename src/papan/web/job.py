"""The process of one job, ``python -m papan.web.job KIND FOLDER``, and the handlers of each kind.

It stops as after Ctrl-C when it is told to, or when its server is gone: its standard input closes
then, however the server came to its end. Nobody else works in the folder meanwhile. Why it failed
is told by the line protocol: where a disk is full, no file could tell it.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Any

from papan import catalog
from papan.core import PapanError
from papan.core.text import in_one_line
from papan.lab.machine import cores
from papan.process.host import kill_group, lock, lower_priority
from papan.process.lines import emitter, private_streams, when_over
from papan.web.settings import NICENESS

FILE = "job.json"
GRACE = 4.0
"""Seconds in which a job must stop once it is told to."""
INTERRUPTED = 130
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EIO)
"""What the system says where nothing more can be written."""
STORE = ("disk is full", "disk I/O error", "readonly database", "unable to open database file")
"""What SQLite says then."""


JobHandler = Callable[[Path, dict[str, Any]], None]
"""Work in a folder, on an order; raises PapanError where it cannot be done."""

CATALOG = "papan"
"""Where referee processes find agents."""


def play_tournament(folder: Path, order: dict[str, Any]) -> None:
    """Play what is missing of the tournament in *folder*."""
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.run import RefereePool, probed, run, this_machine

    made = reopen(folder)
    for spec in made.plan.agents:
        catalog.agent(spec)  # only what is installed: raises for files and programs
    with closing(RefereePool()) as pool:
        probed(pool, made.plan, CATALOG)
        with this_machine(pool, order["concurrency"]) as executor:
            run(made, executor, CATALOG)


def run_paper(folder: Path, order: dict[str, Any]) -> None:
    """Measure what is missing of a run; finished, it takes the place of older results."""
    from papan.lab.work import run_all
    from papan.papers import chosen
    from papan.papers.run import Run

    (paper,) = chosen([order["paper"]])
    run = Run(paper, order["size"], order["seed"], folder)
    run_all([run.job()], lambda done, total: None, cores())
    run.path.replace(folder.parent / run.path.name)


JOB_HANDLERS: dict[str, JobHandler] = {"tournament": play_tournament, "lab": run_paper}


def main() -> int:
    """Do the job, and say how it went by the exit code: 0 done, 130 interrupted, 1 failed."""
    kind, folder = sys.argv[1], Path(sys.argv[2])
    requests, out = private_streams()
    lower_priority(os.getpid(), NICENESS["job"])  # whoever plays or analyses meanwhile comes first
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # also where a shell had it ignored
    try:
        when_over(requests, _stop)
        with (folder / "lock").open("ab") as held:
            lock(held, wait=True)  # whoever lost the server before us ends first
            order = json.loads((folder / FILE).read_text(encoding="utf-8"))["order"]
            JOB_HANDLERS[kind](folder, order)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        emitter(out)({"t": "error", **reason(error)})
        return 1
    return 0


def reason(error: Exception) -> dict[str, Any]:
    """Why a job failed: a key of the catalogue and its values."""
    for words in STORE:
        if words in str(error):
            return {"key": "jobs.no_disk", "values": {"why": words}}
    if isinstance(error, PapanError):
        return {"key": error.key, "values": error.shown}
    if isinstance(error, OSError) and error.errno in DISK:
        return {"key": "jobs.no_disk", "values": {"why": error.strerror}}
    return {"key": "jobs.crashed", "values": {"why": in_one_line(error)[:200]}}


def _stop() -> None:
    """Interrupt this process, and at last kill it."""
    os.kill(os.getpid(), signal.SIGINT)
    sleep(GRACE)
    kill_group(os.getpid())


if __name__ == "__main__":
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)
