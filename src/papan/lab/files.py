"""Files that are whole or not there, saved games among them, and the folder of what is kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO

from platformdirs import user_data_path

from papan.core import InvalidRecordError, PapanError, Record
from papan.core.record import parse_record

LARGEST_FILE = 10_000_000
"""No record of a game takes more bytes: whatever does is not read to its end."""
PRIVATE, PUBLIC = 0o600, 0o644
"""Who may read a file: its owner, or everyone."""


def data_folder() -> Path:
    """The folder of what papan keeps for its user: games, tournaments, runs of papers."""
    return user_data_path("papan", appauthor=False)


@contextmanager
def writing(path: str | Path, refused: type[PapanError] = PapanError) -> Iterator[None]:
    """Within it, what keeps *path* from being written is one sentence for people."""
    try:
        yield
    except OSError as error:
        raise refused("error.cannot_write", path=path, why=error.strerror or error) from None


def write_whole(path: Path, content: str | bytes, mode: int = PRIVATE) -> Path:
    """Put *content* into a file, which appears when it is complete and on the disk."""
    try:
        return _written(path, content.encode() if isinstance(content, str) else content, mode)
    except OSError as error:
        if error.filename is not None:  # that of a part, which nobody has heard of
            error.filename, error.filename2 = str(path), None
        raise


def _written(path: Path, data: bytes, mode: int) -> Path:
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


def append_line(file: BinaryIO, line: str) -> None:
    """Add a line to a file; when this returns, no power cut can lose it."""
    file.write(line.encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def whole_lines(data: bytes) -> list[bytes]:
    """The lines that have an end, with it: what an interruption has cut short is none."""
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)


def save_record(record: Record, path: Path) -> None:
    """Write *record*, whole or not at all."""
    write_whole(path, record.json() + "\n")


def read_records(path: Path) -> str:
    """The text of a file of records; raises InvalidRecordError."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_FILE).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise InvalidRecordError("error.cannot_read", path=path, why=error) from None


def load_record(path: Path) -> Record:
    """The record that `save_record` wrote; raises InvalidRecordError."""
    return parse_record(read_records(path))
