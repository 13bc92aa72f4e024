"""The process of a job whose games are lines that nobody plays, and which can be held.

It is `papan.web.job_process` with another tournament: a real one takes three times as long.
"""

import signal
import sys
from pathlib import Path
from threading import Event
from typing import Any

from papan.lab.tournament.folder import JOURNAL_FILE, reopen
from papan.web import job_process

HOLD = "hold"
"""Where a file of this name is in its folder, a job waits after its next game to be interrupted."""


def resume_tournament(folder: Path, order: dict[str, Any]) -> None:
    """Write a line for each game that is missing."""
    path = folder / JOURNAL_FILE
    path.touch()
    played = len(path.read_text().splitlines())
    for game in range(played, 2 * reopen(folder).plan.pairs):
        with path.open("a") as journal:
            journal.write(f"{game}\n")
        if (folder / HOLD).exists():
            Event().wait()


if __name__ == "__main__":
    job_process.JOB_HANDLERS["tournament"] = resume_tournament
    code = job_process.main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)
