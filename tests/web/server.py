"""A server to ask: in a process of its own, as people start it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DRAIN = 20
"""Seconds to wait for a server to stop; it promises less, but the machine may be busy."""


@contextmanager
def serving(data: Path, port: int = 0) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A server that keeps everything in a folder: its address, and its process."""
    command = [sys.executable, "-P", "-m", "papan", "serve", "--no-browser"]
    command += ["--port", str(port), "--data", str(data)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PAPAN_LANG": "en"},
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip().rstrip("/"), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(DRAIN)
        process.stdout.close()
