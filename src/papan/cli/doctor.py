"""``papan doctor``: what this installation has, and what it lacks."""

from __future__ import annotations

import os
import platform
import shutil
from importlib import metadata

from papan import catalog
from papan.cli.arguments import Json
from papan.cli.language import language, say
from papan.cli.output import print_json, print_table

PARTS = ("fastapi", "numba", "numpy", "python-sat", "rich", "textual", "typer", "uvicorn")
WORDS = ("system", "cores", "language", "games", "agents", "browser")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "msedge", "firefox")


def doctor(json: Json = False) -> None:
    """Versions, cores, parts and the browser."""
    found = {
        "papan": _version("papan"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "language": language(),
        "games": len(catalog.GAMES),
        "agents": len(catalog.AGENTS),
        "browser": next(filter(None, map(shutil.which, BROWSERS)), None),
        **{part: _version(part) for part in PARTS},
    }
    if json:
        print_json(found)
        return
    missing = say("doctor.missing")
    print_table(
        [say("doctor.part"), say("doctor.found")],
        [[_row(name), missing if value is None else str(value)] for name, value in found.items()],
    )


def _row(name: str) -> str:
    """What people call a row: programs have one name in all languages."""
    return say(f"doctor.row_{name}") if name in WORDS else name


def _version(part: str) -> str | None:
    try:
        return metadata.version(part)
    except metadata.PackageNotFoundError:
        return None
