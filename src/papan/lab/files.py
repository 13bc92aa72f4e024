"""Files that are whole or not there, saved games among them, and seals of what a user has made."""

from __future__ import annotations

import csv
import hmac
import io
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO

from platformdirs import user_data_path

from papan.core import InvalidRecordError, PapanError, Record
from papan.core.files import read_regular
from papan.core.interrupts import unbroken
from papan.core.record import parse_record

LONGEST_RECORD = 10_000_000
"""No record of a game, nor any line of a file, has more bytes: whatever has is not read."""
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
    with unbroken():
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
    with unbroken():
        file.write(line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def iterate_lines(file: BinaryIO) -> Iterator[bytes]:
    """One line after another from where *file* is now; the last one may lack its end."""
    return iter(partial(file.readline, LONGEST_RECORD), b"")


def whole_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines that have an end, with it: what an interruption has cut short is none."""
    return takewhile(lambda line: line.endswith(b"\n"), iterate_lines(file))


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What the text of a cell begins with that a spreadsheet takes for a formula."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Write *rows* as CSV, one line each; None is an empty cell.

    A text that a spreadsheet would take for a formula gets an apostrophe in front: names come from
    strangers. `unguarded` takes it off again. Numbers, also as text, are written as they are.
    """
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerows([_guarded(cell) for cell in row] for row in rows)
    return page.getvalue()


def _guarded(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r", " ")  # the writer leaves it unquoted, and readers end the row there
    guard = cell.startswith((*FORMULA, "'")) and not _is_number(cell)
    return f"'{text}" if guard else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isprintable()  # float strips tabs


def unguarded(cell: str) -> str:
    """The text of a cell as it was before `csv_text` wrote it."""
    return cell.removeprefix("'")


def save_record(record: Record, path: Path) -> None:
    """Write *record*, whole or not at all."""
    write_whole(path, f"{record}\n")


def read_records(path: Path) -> str:
    """The text of a file of records; raises InvalidRecordError."""
    try:
        return read_regular(path, LONGEST_RECORD, InvalidRecordError).decode("utf-8-sig")
    except OSError as error:
        why = error.strerror or error
        raise InvalidRecordError("error.cannot_read", path=path, why=why) from None
    except UnicodeDecodeError as error:
        raise InvalidRecordError("error.cannot_read", path=path, why=error) from None


def load_record(path: Path) -> Record:
    """The record that `save_record` wrote; raises InvalidRecordError."""
    text = read_records(path)
    try:
        return parse_record(text)
    except InvalidRecordError:
        first, *others = _lines_of_records(text) or [""]
        if not others or not _is_record(first):
            raise
    raise InvalidRecordError("error.several_records", path=path, count=1 + len(others))


def load_records(path: Path) -> list[Record]:
    """The records in a file that has one on each line; raises InvalidRecordError."""
    return list(map(parse_record, _lines_of_records(read_records(path))))


def _is_record(line: str) -> bool:
    try:
        parse_record(line)
    except InvalidRecordError:
        return False
    return True


def _lines_of_records(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


# Seals: how papan knows again what this user has written, whoever had the file in between. A plan
# can name programs to run and databases to write to, and a proof can claim anything: what someone
# else has sent, or changed, must not be believed unasked.

LONGEST_KEY = 1_000


def seal(text: str) -> str | None:
    """The seal of *text*: proof that this user has written it; None where no key can be kept."""
    try:
        return hmac.new(_key(), text.encode(), "sha256").hexdigest()
    except OSError:
        return None


def is_genuine(text: str, sealed: object) -> bool:
    """Was *text* sealed here?"""
    expected = seal(text)
    return (
        isinstance(sealed, str)
        and sealed.isascii()
        and expected is not None
        and hmac.compare_digest(expected, sealed)
    )


def _key() -> bytes:
    """The secret of this user, made when it is first needed."""
    return _key_in(data_folder() / "seal")


@cache
def _key_in(path: Path) -> bytes:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    return read_regular(path, LONGEST_KEY)


def _make(path: Path) -> None:
    """Write a new secret that nobody else can read; whoever comes first has made it."""
    draft = path.with_name(f"{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_bytes(32))
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
