"""The file of a Dots and Boxes endgame database: where it is, and its head.

Numbers are little-endian. After the head come the values, sixteen in a word.
"""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path

from papan.core import InvalidDatabaseError, PapanError
from papan.core.files import open_regular
from papan.games.dots.rules import Dots

HEAD = struct.Struct("<16sHBBQII")
"""The head: MAGIC, FORMAT_VERSION, rows, columns, words, cores left, and checksum of the values."""
CHECK = struct.Struct("<I")
"""What follows the head: its CRC-32."""
VALUES_START = 64
"""Offset of the values in bytes."""
MAGIC, FORMAT_VERSION = b"papan dots table", 2
WORD_BYTES = 8
PORTION = 2**20
"""Bytes read at a time for a checksum."""


def database_folder() -> Path:
    """Return the user's folder of endgame databases; it may not exist."""
    return user_data_path("papan", appauthor=False)


def name_of(rows: int | str, columns: int | str) -> str:
    """Return the name of the file with the endgame database of a board, such as dots-3x4.table.

    ``*`` in place of a number makes a pattern for such names.
    """
    return f"dots-{rows}x{columns}.table"


def path_for(game: Dots) -> Path:
    """Return the path where the endgame database of a board is looked for; it may not exist."""
    return database_folder() / name_of(game.rows, game.columns)


@dataclass(frozen=True)
class Head:
    """The head of a database file: the size of the board in boxes, and how much of it is done."""

    rows: int
    columns: int
    words: int
    """Number of words of 8 bytes that the values take."""
    left: int = 0
    """Number of `endgame_db.Core` whose values are still to be written; 0 if it is complete."""
    check: int = field(default=0, compare=False)
    """The CRC-32 of all values, once they are done; 0 before. Heads are compared without it."""

    def packed(self) -> bytes:
        """Return the head as the VALUES_START bytes at the beginning of the file.

        Raise struct.error for numbers that do not fit, such as more than 255 rows.
        """
        head = HEAD.pack(
            MAGIC, FORMAT_VERSION, self.rows, self.columns, self.words, self.left, self.check
        )
        return (head + CHECK.pack(zlib.crc32(head))).ljust(VALUES_START, b"\0")

    @property
    def size(self) -> int:
        """Size of the whole file in bytes."""
        return VALUES_START + WORD_BYTES * self.words


def read_head(path: Path) -> Head:
    """Return the head of the database file *path*.

    Raise InvalidDatabaseError if the file is missing, cannot be read or is no regular file (such as
    a link), if its head is not that of a database, or if it has another size than the head says.
    The database may be incomplete (see `Head.left`), and its values are not read.
    """
    try:
        with open_regular(path, refused=InvalidDatabaseError) as file:
            start = file.read(VALUES_START)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise InvalidDatabaseError("error.cannot_read", path=path, why=error.strerror) from None
    if len(start) < VALUES_START:
        raise InvalidDatabaseError("dots.bad_table", path=path)
    magic, version, *numbers = HEAD.unpack_from(start)
    head = Head(*numbers)
    if (magic, version) != (MAGIC, FORMAT_VERSION) or start != head.packed() or size != head.size:
        raise InvalidDatabaseError("dots.bad_table", path=path)
    return head


def checksum(path: Path) -> int:
    """Return the CRC-32 of all values in a database file: its bytes from VALUES_START to the end.

    Raise OSError if the file is missing or cannot be read, InvalidDatabaseError if it is no regular
    file. The head is not looked at.
    """
    check = 0
    with open_regular(path, refused=InvalidDatabaseError) as file:
        file.seek(VALUES_START)
        while portion := file.read(PORTION):
            check = zlib.crc32(portion, check)
    return check


def endgame_databases() -> dict[str, PapanError | None]:
    """Return every file in the user's folder named like a database, with its error; None if sound.

    Keys are names of files, in alphabetical order; empty if there are none, or no folder. The files
    are read whole, which may take long; solvers check only the head and the size.
    """
    return {path.name: _fault(path) for path in sorted(database_folder().glob(name_of("*", "*")))}


def _fault(path: Path) -> InvalidDatabaseError | None:
    """Return the error in a database file, which is read whole.

    None if it can be read, is complete, has the checksum of its head, and the name of its board.
    """
    try:
        head = read_head(path)
        sound = not head.left and head.check == checksum(path)
    except InvalidDatabaseError as error:
        return error
    except OSError as error:
        return InvalidDatabaseError("error.cannot_read", path=path, why=error.strerror)
    fits = path.name == name_of(head.rows, head.columns)
    return None if sound and fits else InvalidDatabaseError("dots.bad_table", path=path)
