"""``papan doctor``: what this installation has, and what it lacks."""

from __future__ import annotations

import platform
import shutil
from importlib import metadata

from papan import catalog
from papan.cli.arguments import Json
from papan.cli.errors import complaint
from papan.cli.language import language, say
from papan.cli.output import print_json, print_table, progress
from papan.lab.machine import cores

PARTS = (
    "anywidget", "fastapi", "fpdf2", "matplotlib", "numba", "numpy", "python-sat", "rich",
    "sqlalchemy", "textual", "typer", "uvicorn",
)  # fmt: skip
WORDS = ("system", "cores", "language", "games", "agents", "plugins", "tables", "browser")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "msedge", "firefox")


def doctor(json: Json = False) -> None:
    """Versions, cores, parts, tables and the browser."""
    tables = catalog.tables()
    for error in filter(None, tables.values()):
        progress(complaint(error))
    found = {
        "papan": _version("papan"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": cores(),
        "language": language(),
        "games": len(catalog.GAMES),
        "agents": len(catalog.AGENTS),
        "plugins": ", ".join(catalog.PLUGINS) or None,
        "tables": ", ".join(name for name, error in tables.items() if error is None) or None,
        "browser": next(filter(None, map(shutil.which, BROWSERS)), None),
        **{part: _version(part) for part in PARTS},
    }
    broken = [
        {"name": each.name, "package": each.package, "why": each.why(language())}
        for each in catalog.BROKEN
    ]
    if json:
        print_json(found | {"broken_plugins": broken})
        return
    missing = say("doctor.missing")
    print_table(
        [say("doctor.part"), say("doctor.found")],
        [[_row(name), missing if value is None else str(value)] for name, value in found.items()],
    )
    for each in broken:
        print(say("doctor.broken_plugin", **each))


def _row(name: str) -> str:
    """What people call a row: programs have one name in all languages."""
    return say(f"doctor.row_{name}") if name in WORDS else name


def _version(part: str) -> str | None:
    try:
        return metadata.version(part)
    except metadata.PackageNotFoundError:
        return None
