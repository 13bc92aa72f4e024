"""The process of one job: ``python -m papan.web.job KIND FOLDER DESCRIPTOR``.

It stops as after Ctrl-C when it is told to, or when its server is gone: its standard input closes
then, however the server came to its end. Nobody else works in the folder meanwhile. Why it failed
is told through the descriptor: where a disk is full, no file could tell it.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import sys
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from papan.core import PapanError
from papan.web.job_handlers import JOB_HANDLERS
from papan.web.jobrun import FILE, GRACE
from papan.web.process import lower_priority
from papan.web.settings import NICENESS

INTERRUPTED = 130
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EIO)
"""What the system says where nothing more can be written."""
STORE = ("disk is full", "disk I/O error", "readonly database", "unable to open database file")
"""What SQLite says then."""


def main() -> int:
    """Do the job, and say how it went by the exit code: 0 done, 130 interrupted, 1 failed."""
    kind, folder, saying = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    os.set_inheritable(saying, False)
    lower_priority(os.getpid(), NICENESS["job"])  # whoever plays or analyses meanwhile comes first
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # also where a shell had it ignored
    try:
        Thread(target=_stop_without_server, daemon=True).start()
        with (folder / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # whoever lost the server before us ends first
            order = json.loads((folder / FILE).read_text(encoding="utf-8"))["order"]
            JOB_HANDLERS[kind](folder, order)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        os.write(saying, json.dumps(reason(error)).encode())
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
    return {"key": "jobs.crashed", "values": {"why": f"{type(error).__name__}: {error}"[:200]}}


def _stop_without_server() -> None:
    """Wait for the end of standard input; then interrupt this process, and at last kill it."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGINT)
    sleep(GRACE)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)
