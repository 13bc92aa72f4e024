"""A Chromium to drive: the one that is there, else one that this machine can get by itself.

First Debian's package, on Debian and Ubuntu; then, and elsewhere, what Playwright downloads. The
headless shell comes first: the same engine without windows, which needs half the CPU time.
"""

import fcntl
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from tests.web.browser.packages import install, succeeds, unpack
from tests.web.server import Address, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
PACKAGES = [SHELL, "fonts-liberation", "libatomic1"]  # the last is for Playwright itself
LIBRARIES = ("usr/lib/*-linux-gnu", "lib/*-linux-gnu", "usr/lib/*-linux-gnu/pulseaudio")
PROGRAMS = (f"usr/lib/chromium/{SHELL}", "usr/lib/chromium/chromium")
DOWNLOADED = (
    "chromium_headless*/chrome-*/*headless*shell",
    "chromium-*/chrome-linux*/chrome",
)
SYSTEM = Path("/etc/os-release")
FONTS = Path("/etc/fonts")
DEBIAN = f"sudo apt install {SHELL}"
OTHERS = "python -m playwright install --with-deps chromium"


@dataclass(frozen=True)
class Chromium:
    """A program, and the variables that it needs."""

    program: str
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def starts(self) -> bool:
        """Does it say its version? Ubuntu's stub does not, nor does one that lacks a library."""
        command = [self.program, "--version"]
        return succeeds(command, variables=self.variables)


def chromium() -> Chromium:
    """A Chromium that starts; raises, with the one command that helps, where there is none."""
    if found := _on_this_machine():
        return found
    folder = user_cache_path("papan", appauthor=False) / "chromium"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:  # several tests may look for one at the same time
        fcntl.flock(lock, fcntl.LOCK_EX)
        for get in (_nothing, _package, _download):
            get(folder)
            if found := _on_this_machine() or _unpacked(folder) or _downloaded():
                return found
    debian = SYSTEM.exists() and "\nID=debian" in "\n" + SYSTEM.read_text(encoding="utf-8")
    helps = DEBIAN if debian else OTHERS
    raise RuntimeError(f"There is no Chromium to test with: {helps} (or set PAPAN_CHROMIUM).")


@contextmanager
def browsing() -> Iterator[tuple[Address, "Browser"]]:
    """A server with a folder of its own, and a Chromium to visit it: for scripts and benchmarks."""
    from playwright.sync_api import sync_playwright  # slow to load, and who only looks needs none

    found = chromium()
    os.environ.update(found.variables)
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with (
        TemporaryDirectory() as data,
        serving(Path(data)) as (server, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found.program, args=options)
        yield server, browser
        browser.close()


def _on_this_machine() -> Chromium | None:
    chosen = os.environ.get("PAPAN_CHROMIUM")
    programs = [chosen] if chosen else [shutil.which(name) for name in NAMES]
    return _first(Chromium(program) for program in programs if program)


def _unpacked(folder: Path) -> Chromium | None:
    root = folder / "root"
    libraries = [str(path) for pattern in LIBRARIES for path in root.glob(pattern)]
    variables = {"LD_LIBRARY_PATH": ":".join(libraries)}
    if not FONTS.exists():
        variables["FONTCONFIG_FILE"] = str(root / "fonts.conf")
    programs = [root / name for name in PROGRAMS]
    return _first(Chromium(str(each), variables) for each in programs if each.exists())


def _downloaded() -> Chromium | None:
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or user_cache_path("ms-playwright")
    found = (path for pattern in DOWNLOADED for path in sorted(Path(folder).glob(pattern)))
    return _first(map(Chromium, map(str, found)))


def _first(candidates: Iterable[Chromium]) -> Chromium | None:
    return next((each for each in candidates if each.starts), None)


def _nothing(folder: Path) -> None:
    """Only look."""


def _package(folder: Path) -> None:
    """Debian's: installed as root, else unpacked; Ubuntu's root cannot install it either."""
    if os.geteuid() != 0 or not install(PACKAGES):
        unpack(PACKAGES, folder)


def _download(folder: Path) -> None:
    options = ["--with-deps"] if os.geteuid() == 0 else []
    succeeds([sys.executable, "-m", "playwright", "install", *options, "chromium"])
