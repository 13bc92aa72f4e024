"""Describe the machine of a measurement: its cores, versions, and a hash of papan's sources."""

from __future__ import annotations

import os
import platform
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path

SOURCES = ("catalog.py", "core", "engine", "games", "agents", "papers", "lab/match.py")
"""Sources that results depend on: after a change in one, earlier results are outdated."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> dict[str, str]:
    """Return facts that measured times depend on, as text by name.

    They are ``processor``, ``cores`` (a number), ``system``, and the versions of ``python`` and
    ``papan``.
    """
    return {
        "processor": _processor(),
        "cores": str(cores()),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "papan": metadata.version("papan"),
    }


def _processor() -> str:
    """Return the name of the processor's model; where that is unknown, its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


@cache
def sources_mark() -> str:
    """Return 16 hexadecimal digits that change with any Python file of `SOURCES`; read once."""
    root, mark = Path(__file__).parents[1], sha256()
    for place in SOURCES:
        path = root / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            mark.update(file.read_bytes())
    return mark.hexdigest()[:16]
