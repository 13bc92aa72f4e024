"""Files that are written whole or not at all, saved games, CSV, and seals of a user's own files."""

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
"""Bytes of the largest file of records, and of the longest line; larger ones are not read."""
TAIL = 1 << 16
"""Bytes of a file that are read at a time, from its end, to find the end of its last line."""
PRIVATE, PUBLIC = 0o600, 0o644
"""File modes: readable by the owner alone, and by everyone."""
PRIVATE_FOLDER = 0o700
"""Mode of a folder that its owner alone can enter."""


def data_folder() -> Path:
    """Return the folder for the user's games, tournaments and runs of papers; it may not exist."""
    return user_data_path("papan", appauthor=False)


@contextmanager
def writing(path: str | Path, refused: type[PapanError] = PapanError) -> Iterator[None]:
    """Turn an OSError within the context into *refused*, which says that *path* cannot be written.

    No file is opened: that is for the block to do.
    """
    try:
        yield
    except OSError as error:
        raise refused("error.cannot_write", path=path, why=error.strerror or error) from None


def write_whole(path: Path, content: str | bytes, mode: int = PRIVATE) -> Path:
    """Write *content* to the file *path*, whole or not at all; return *path*.

    The file appears once all of it is on the disk; it replaces a file or a link that is there. Its
    folder must exist. *mode* is that of the file (default: for its owner alone). Raise OSError,
    which names *path*, if it cannot be written.
    """
    try:
        return _written(path, content.encode() if isinstance(content, str) else content, mode)
    except OSError as error:
        if error.filename is not None:  # the name of the temporary file
            error.filename, error.filename2 = str(path), None
        raise


def _written(path: Path, data: bytes, mode: int) -> Path:
    """Write *data* to *path* by way of a temporary file beside it, with this *mode*; return *path*.

    Raise OSError if that fails; the temporary file is then removed.
    """
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


def make_private(folder: Path) -> None:
    """Create *folder* for its owner alone, unless it is there; folders above it as usual.

    A folder that is there keeps its mode. Raise OSError if it cannot be created, such as
    FileExistsError if *folder* is a file.
    """
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within the context, let an OSError that names no file name *path*; it is raised all the same.

    Errors of a file that is open already, as when writing to it, name none.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def append_line(file: BinaryIO, line: str, lasting: bool = True) -> None:
    """Append *line* and a line end to *file*, and sync it to the disk: no power cut can lose it.

    If *lasting* is False it is not synced. *file* must be open to append, and have nothing in its
    buffer: not checked. Raise OSError if it cannot be written: what a full disk has taken of *line*
    is then removed, as another line after it would damage both; but not if another process has
    appended something meanwhile.
    """
    data, handle = line.encode() + b"\n", file.fileno()
    with unbroken():
        end, written = os.fstat(handle).st_size, 0
        try:
            while written < len(data):  # past the buffer, which would be written when it is closed
                written += os.write(handle, data[written:])
            if lasting:
                os.fsync(handle)
        except OSError:
            with suppress(OSError):
                if os.fstat(handle).st_size == end + written:  # nobody else has added a line
                    os.ftruncate(handle, end)
            raise


def remove_cut_line(file: BinaryIO) -> None:
    """Remove the last line of *file* if it lacks its end: a power cut or a kill has cut it short.

    *file* must be open to read and to append; afterwards its position is at its end. A file with
    no line end at all becomes empty. Raise OSError if it cannot be read or changed.
    """
    with unbroken():
        whole = end = os.fstat(file.fileno()).st_size
        while whole:
            begin = max(0, whole - TAIL)
            file.seek(begin)
            if found := file.read(whole - begin).rfind(b"\n") + 1:
                whole = begin + found
                break
            whole = begin
        if whole < end:
            os.ftruncate(file.fileno(), whole)
        file.seek(0, os.SEEK_END)


def iterate_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of *file* from its position on, with their ends; the last one may lack its
    end.

    A line of more than `LONGEST_RECORD` bytes comes in pieces of that size.
    """
    return iter(partial(file.readline, LONGEST_RECORD), b"")


def whole_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of *file* from its position on, with their ends, up to the first without one.

    A line without its end is not yielded, nor are lines after it: it was cut short by an
    interruption, or has more than `LONGEST_RECORD` bytes.
    """
    return takewhile(lambda line: line.endswith(b"\n"), iterate_lines(file))


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell's text that make spreadsheets take it for a formula."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return *rows* as CSV, each ended by a line feed; None is written as an empty cell.

    A text that a spreadsheet would take for a formula gets an apostrophe in front, as names come
    from strangers, and so does one that begins with an apostrophe: `unguarded` removes it again.
    Carriage returns become spaces. Numbers, also as text, are written unchanged.
    """
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerows([_guarded(cell) for cell in row] for row in rows)
    return page.getvalue()


def _guarded(cell: object) -> object:
    """Return *cell* as `csv_text` writes it; what is no text is returned as it is.

    In text, carriage returns become spaces; an apostrophe is added in front of one that begins with
    an apostrophe or one of `FORMULA`, unless it is a number.
    """
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r", " ")  # the writer leaves it unquoted, and readers end the row there
    guard = cell.startswith((*FORMULA, "'")) and not _is_number(cell)
    return f"'{text}" if guard else text


def _is_number(text: str) -> bool:
    """Return whether *text* is a number as `float` reads it, without tabs or other controls."""
    try:
        float(text)
    except ValueError:
        return False
    return text.isprintable()  # float strips tabs


def unguarded(cell: str) -> str:
    """Return the text of a CSV cell that `csv_text` wrote, without the apostrophe it had added.

    A text without an apostrophe in front is returned as it is. Carriage returns stay spaces.
    """
    return cell.removeprefix("'")


def save_record(record: Record, path: Path) -> None:
    """Write *record* to the file *path*, whole or not at all; raise OSError if that fails."""
    write_whole(path, f"{record}\n")


def read_records(path: Path) -> str:
    """Return the text of *path*, a file of records; raise InvalidRecordError if it cannot be read.

    Raise it, too, if it is no regular file, no UTF-8, or larger than `LONGEST_RECORD`.
    """
    try:
        return read_regular(path, LONGEST_RECORD, InvalidRecordError).decode("utf-8-sig")
    except OSError as error:
        why = error.strerror or error
        raise InvalidRecordError("error.cannot_read", path=path, why=why) from None
    except UnicodeDecodeError as error:
        raise InvalidRecordError("error.cannot_read", path=path, why=error) from None


def load_record(path: Path) -> Record:
    """Return the only record in the file *path*.

    Raise InvalidRecordError if there is none, if there are several, if it is invalid, or if the
    file cannot be read, as `read_records` does.
    """
    text = read_records(path)
    try:
        return parse_record(text)
    except InvalidRecordError:
        first, *others = _lines_of_records(text) or [""]
        if not others or not _is_record(first):
            raise
    raise InvalidRecordError("error.several_records", path=path, count=1 + len(others))


def load_records(path: Path) -> dict[int, Record]:
    """Return the records in the file *path*, one a line, by the number of the line, from 1.

    Empty lines are skipped; {} if all are empty. Raise InvalidRecordError, with the number of the
    line, if a record is invalid, and as `read_records` does if the file cannot be read.
    """
    records = dict[int, Record]()
    for number, line in enumerate(read_records(path).split("\n"), 1):
        if line.strip():
            with line_of_records(number):
                records[number] = parse_record(line)
    return records


@contextmanager
def line_of_records(number: int) -> Iterator[None]:
    """Within the context, raise a PapanError anew with the line *number*, from 1, in its text.

    It keeps its class: a game that is unknown stays InvalidSpecError.
    """
    try:
        yield
    except PapanError as error:
        raise type(error)("solve.line", number=number, error=error) from None


def _is_record(line: str) -> bool:
    """Return whether *line* is a record, as `parse_record` reads it."""
    try:
        parse_record(line)
    except InvalidRecordError:
        return False
    return True


def _lines_of_records(text: str) -> list[str]:
    """Return the lines of *text*, without their ends, that have more than white space."""
    return [line for line in text.split("\n") if line.strip()]


# Seals: how papan recognises what this user has written, wherever the file has been. A plan
# can name programs to run and databases to write to, and a proof can claim anything: files that
# others have sent or changed must not be believed unasked.

LONGEST_KEY = 1_000


def seal(text: str) -> str | None:
    """Return the seal of *text*, an HMAC-SHA-256 with this user's key, as 64 hexadecimal digits.

    The first call creates the key. None if no key can be stored or read. Raise PapanError if there
    is a link or a folder in the place of its file, or a file of over `LONGEST_KEY` bytes.
    """
    try:
        return hmac.new(_key(), text.encode(), "sha256").hexdigest()
    except OSError:
        return None


def is_genuine(text: str, sealed: object) -> bool:
    """Return whether *sealed* is this user's seal of *text*; False if it is no seal at all.

    *sealed* may be of any type, as JSON has it. False, too, if no key can be stored or read. The
    first call creates the key. Raise PapanError as `seal` does.
    """
    expected = seal(text)
    return (
        isinstance(sealed, str)
        and sealed.isascii()
        and expected is not None
        and hmac.compare_digest(expected, sealed)
    )


def _key() -> bytes:
    """Return this user's secret key (32 bytes), created by the first call.

    Raise OSError if it cannot be stored or read, PapanError if its path is no regular file of at
    most `LONGEST_KEY` bytes.
    """
    return _key_in(data_folder() / "seal")


@cache
def _key_in(path: Path) -> bytes:
    """Return the key in the file *path*, created if it is missing; cached.

    Raise OSError if it cannot be stored or read, PapanError if *path* is no regular file of at most
    `LONGEST_KEY` bytes.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    return read_regular(path, LONGEST_KEY)


def _make(path: Path) -> None:
    """Create the file *path* with a new secret key of 32 bytes (mode 0600).

    If another process has created it meanwhile, its key stays. Raise OSError if the file cannot be
    written, or its file system has no hard links.
    """
    draft = path.with_name(f"{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(opened, "wb") as file:
            file.write(secrets.token_bytes(32))
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
