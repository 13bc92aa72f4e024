"""The process of one job: ``python -m papan.web.job KIND FOLDER``.

It stops as after Ctrl-C when it is told to, or when its server is gone: its standard input closes
then, however the server came to its end. Nobody else works in the folder meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
from pathlib import Path
from threading import Thread
from time import sleep

from papan.core import PapanError
from papan.lab.files import write_whole
from papan.web.errands import ERRANDS
from papan.web.jobrun import FAILURE, FILE, GRACE

NICENESS = 10
"""Whoever plays or analyses meanwhile comes first."""
INTERRUPTED = 130


def main() -> int:
    """Do the job, and say how it went by the exit code: 0 done, 130 interrupted, 1 failed."""
    kind, folder = sys.argv[1], Path(sys.argv[2])
    os.nice(NICENESS)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # also where a shell had it ignored
    try:
        Thread(target=_stop_without_server, daemon=True).start()
        with (folder / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # whoever lost the server before us ends first
            (folder / FAILURE).unlink(missing_ok=True)
            order = json.loads((folder / FILE).read_text(encoding="utf-8"))["order"]
            ERRANDS[kind](folder, order)
    except KeyboardInterrupt:
        return INTERRUPTED
    except PapanError as error:
        return _failed(folder, error.key, error.shown)
    except Exception as error:
        return _failed(folder, "jobs.crashed", {"why": f"{type(error).__name__}: {error}"[:200]})
    return 0


def _stop_without_server() -> None:
    """Wait for the end of standard input; then stop, in the end without mercy."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGINT)
    sleep(GRACE)
    os.killpg(0, signal.SIGKILL)


def _failed(folder: Path, key: str, values: dict[str, str]) -> int:
    if folder.is_dir():  # else nobody wants to know any more
        write_whole(folder / FAILURE, json.dumps({"key": key, "values": values}))
    return 1


if __name__ == "__main__":
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)
