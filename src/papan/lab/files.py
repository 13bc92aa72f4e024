"""Files that are there as a whole or not at all, whatever happens while they are written."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile


def write_whole(path: Path, text: str | bytes) -> Path:
    """Put *text* into a file, which appears when it is complete."""
    data = text.encode() if isinstance(text, str) else text
    with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        file.write(data)
    return Path(file.name).replace(path)
