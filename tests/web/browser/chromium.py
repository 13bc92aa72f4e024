"""A Chromium to drive: the one that is there, else the one of Debian or Ubuntu.

As root it is installed; everyone else gets it unpacked into the cache of the user.
"""

import fcntl
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_cache_path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
HELP = "There is no Chromium to test with: sudo apt install chromium (or set PAPAN_CHROMIUM)."
LIBRARIES = ("usr/lib/*-linux-gnu", "lib/*-linux-gnu", "usr/lib/*-linux-gnu/pulseaudio")
MINUTES = 5


@dataclass(frozen=True)
class Chromium:
    """A program, and the variables that it needs."""

    program: str
    variables: dict[str, str] = field(default_factory=dict)


def chromium() -> Chromium:
    """A Chromium that can be started; raises, with the command that helps, where there is none."""
    if found := _on_this_machine():
        return found
    folder = user_cache_path("papan", appauthor=False) / "chromium"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:  # several tests may look for one at the same time
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = _on_this_machine() or _unpacked(folder)
        if found is None and shutil.which("apt-get"):
            (_install if os.geteuid() == 0 else _unpack)(folder)
            found = _on_this_machine() or _unpacked(folder)
    if found is None:
        raise RuntimeError(HELP)
    return found


def _on_this_machine() -> Chromium | None:
    chosen = os.environ.get("PAPAN_CHROMIUM")
    programs = [chosen] if chosen else [shutil.which(name) for name in NAMES]
    found = next(filter(None, programs), None)
    return Chromium(found) if found else None


def _unpacked(folder: Path) -> Chromium | None:
    root = folder / "root"
    program = root / "usr/lib/chromium/chromium"
    if not program.exists():
        return None
    libraries = [str(path) for pattern in LIBRARIES for path in root.glob(pattern)]
    return Chromium(str(program), {"LD_LIBRARY_PATH": ":".join(libraries)})


def _install(folder: Path) -> None:
    _run("apt-get", "update", "--quiet")
    _run("apt-get", "install", "--yes", "--no-install-recommends", "chromium")


def _unpack(folder: Path) -> None:
    """Download the packages without root, then unpack them: complete, or not at all."""
    archives, half = folder / "archives", folder / "half"
    (archives / "partial").mkdir(parents=True, exist_ok=True)
    places = [f"Dir::Cache::archives={archives}", "Debug::NoLocking=1"]
    options = [word for place in places for word in ("-o", place)]
    _run(
        "apt-get",
        "install",
        "--yes",
        "--download-only",
        "--no-install-recommends",
        *options,
        "chromium",
    )
    for package in archives.glob("*.deb"):
        _run("dpkg", "-x", str(package), str(half))
    if half.exists():
        half.rename(folder / "root")


def _run(*command: str) -> None:
    """One step; if it fails, the search for the program will say so."""
    subprocess.run(command, capture_output=True, check=False, timeout=60 * MINUTES)
