"""Bubblewrap for the tests: the one that is there, else Debian's, which they get by themselves."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from papan.core import PapanError
from papan.process.sandbox import BUBBLEWRAP, Sandbox, find_sandbox
from tests.web.browser.packages import install, unpack

PACKAGE = "bubblewrap"


def get_bubblewrap() -> str | None:
    """The path of bubblewrap; None where this machine has none and cannot get it."""
    if found := os.environ.get(BUBBLEWRAP) or shutil.which("bwrap"):
        return found
    folder = user_cache_path("papan", appauthor=False) / PACKAGE
    unpacked = folder / "root" / "usr" / "bin" / "bwrap"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:  # several tests may look for it at the same time
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused = folder / "refused"
        if not unpacked.exists() and not shutil.which("bwrap") and not refused.exists():
            if os.geteuid() != 0 or not install([PACKAGE]):
                unpack([PACKAGE], folder)
            if not unpacked.exists() and not shutil.which("bwrap"):
                refused.touch()  # to wait for a network once is enough
    return shutil.which("bwrap") or (str(unpacked) if unpacked.exists() else None)


def sandbox_or_skip() -> Sandbox:
    """The sandbox of this machine; skips the test where there can be none."""
    program = get_bubblewrap()
    if program is None:
        pytest.skip("bubblewrap is not installed, and cannot be got")
    os.environ[BUBBLEWRAP] = program  # for the processes of bots, too
    try:
        return find_sandbox()
    except PapanError as none:
        pytest.skip(f"no sandbox here: {none}")


def readable_by_all(path: Path) -> Path:
    """The path, after all folders down to it can be entered by every user."""
    for folder in (path, *path.parents):
        if folder.stat().st_uid == os.getuid() and len(folder.parts) > 2:
            folder.chmod(folder.stat().st_mode | 0o555)
    return path
