"""Files that are there as a whole or not at all, and the folder for what outlives a command."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from platformdirs import user_data_path

PRIVATE, PUBLIC = 0o600, 0o644
"""Who may read a file: its owner, or everyone."""


def data_folder() -> Path:
    """The folder of what papan keeps for its user: games, tournaments, runs of papers."""
    return user_data_path("papan", appauthor=False)


def write_whole(path: Path, content: str | bytes, mode: int = PRIVATE) -> Path:
    """Put *content* into a file, which appears when it is complete and on the disk."""
    data = content.encode() if isinstance(content, str) else content
    file = NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False)  # noqa: SIM115
    part = Path(file.name)
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(mode)
        return part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
