"""The file of a Dots and Boxes endgame database: where it is, and how it begins.

Numbers are little-endian. After the head come the values, in words of sixteen.
"""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path

from papan.core import InvalidEndgameDbError, PapanError
from papan.core.files import open_regular
from papan.games.dots.rules import Dots

HEAD = struct.Struct("<16sHBBQII")
CHECK = struct.Struct("<I")
START = 64
"""Where the values begin."""
MAGIC, VERSION = b"papan dots table", 2
WORD = 8
PORTION = 2**20
"""How many bytes are read at a time where all of them are."""


def folder() -> Path:
    """Where endgame databases are looked for."""
    return user_data_path("papan", appauthor=False)


def name_of(rows: int | str, columns: int | str) -> str:
    """The name of the file with the endgame database of a board."""
    return f"dots-{rows}x{columns}.table"


def path_for(game: Dots) -> Path:
    """Where the endgame database of a board is looked for."""
    return folder() / name_of(game.rows, game.columns)


@dataclass(frozen=True)
class Head:
    """What an endgame database says of itself."""

    rows: int
    columns: int
    words: int
    left: int = 0
    """How many cores are still to be done."""
    check: int = field(default=0, compare=False)
    """The checksum of all values, once they are."""

    def packed(self) -> bytes:
        """The bytes at the beginning of the file."""
        head = HEAD.pack(MAGIC, VERSION, self.rows, self.columns, self.words, self.left, self.check)
        return (head + CHECK.pack(zlib.crc32(head))).ljust(START, b"\0")

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return START + WORD * self.words


def read_head(path: Path) -> Head:
    """The head of a database; raises InvalidEndgameDbError if it is not one, or is cut off."""
    try:
        with open_regular(path, refused=InvalidEndgameDbError) as file:
            start = file.read(START)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise InvalidEndgameDbError("error.cannot_read", path=path, why=error.strerror) from None
    if len(start) < START:
        raise InvalidEndgameDbError("dots.bad_table", path=path)
    magic, version, *numbers = HEAD.unpack_from(start)
    head = Head(*numbers)
    if (magic, version) != (MAGIC, VERSION) or start != head.packed() or size != head.size:
        raise InvalidEndgameDbError("dots.bad_table", path=path)
    return head


def checksum(path: Path) -> int:
    """The checksum of the values in a file: as quick as the disk is."""
    check = 0
    with open_regular(path, refused=InvalidEndgameDbError) as file:
        file.seek(START)
        while portion := file.read(PORTION):
            check = zlib.crc32(portion, check)
    return check


def databases() -> dict[str, PapanError | None]:
    """Every file that has the name of a database, and what is wrong with it, if anything.

    All of its values are read. Solvers look at the head and the size alone, which takes no time.
    """
    return {path.name: _fault(path) for path in sorted(folder().glob(name_of("*", "*")))}


def _fault(path: Path) -> InvalidEndgameDbError | None:
    try:
        head = read_head(path)
        sound = not head.left and head.check == checksum(path)
    except InvalidEndgameDbError as error:
        return error
    except OSError as error:
        return InvalidEndgameDbError("error.cannot_read", path=path, why=error.strerror)
    fits = path.name == name_of(head.rows, head.columns)
    return None if sound and fits else InvalidEndgameDbError("dots.bad_table", path=path)
