"""A TypeScript to check the scripts with: the one that is there, else the locked one from npm."""

import fcntl
import shutil
import subprocess
from pathlib import Path

from platformdirs import user_cache_path

HERE = Path(__file__).parent
LOCKED = ("package.json", "package-lock.json")
MINUTES = 3


def compiler() -> str | None:
    """The program tsc; None where there is neither it nor a node to get it with."""
    return shutil.which("tsc") or (_fetched() if shutil.which("npm") else None)


def _fetched() -> str | None:
    folder = user_cache_path("papan", appauthor=False) / "typescript"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "node_modules" / ".bin" / "tsc"
    with (folder / "lock").open("w") as lock:  # several tests may look for it at the same time
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists() or _changed(folder):
            for name in LOCKED:
                shutil.copy(HERE / name, folder)
            _install(folder)
    return str(program) if program.exists() else None


def _changed(folder: Path) -> bool:
    """Is what was fetched another version than the locked one?"""
    return any((folder / name).read_bytes() != (HERE / name).read_bytes() for name in LOCKED)


def _install(folder: Path) -> None:
    """If it fails there is no program, and the test says so."""
    subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60 * MINUTES,
    )
