"""The file of a Dots and Boxes table: where it is, and how it begins.

Numbers are little-endian. After the head come the values, in words of sixteen.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from papan.core import InvalidTableError
from papan.games.dots.rules import Dots

HEAD = struct.Struct("<16sHBBQI")
CHECK = struct.Struct("<I")
START = 64
"""Where the values begin."""
MAGIC, VERSION = b"papan dots table", 1
WORD = 8


def folder() -> Path:
    """Where tables are looked for."""
    return user_data_path("papan", appauthor=False)


def name_of(rows: int | str, columns: int | str) -> str:
    """The name of the file with the table of a board."""
    return f"dots-{rows}x{columns}.table"


def path_for(game: Dots) -> Path:
    """Where the table of a board is looked for."""
    return folder() / name_of(game.rows, game.columns)


@dataclass(frozen=True)
class Head:
    """What a table says of itself."""

    rows: int
    columns: int
    words: int
    left: int = 0
    """How many cores are still to be done."""

    def packed(self) -> bytes:
        """The bytes at the beginning of the file."""
        head = HEAD.pack(MAGIC, VERSION, self.rows, self.columns, self.words, self.left)
        return (head + CHECK.pack(zlib.crc32(head))).ljust(START, b"\0")

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return START + WORD * self.words


def read_head(path: Path) -> Head:
    """The head of a table; raises InvalidTableError if the file is not one, or is cut off."""
    try:
        with path.open("rb") as file:
            start = file.read(START)
        size = path.stat().st_size
    except OSError as error:
        raise InvalidTableError("error.cannot_read", path=path, why=error.strerror) from None
    if len(start) < START:
        raise InvalidTableError("dots.bad_table", path=path)
    magic, version, *numbers = HEAD.unpack_from(start)
    head = Head(*numbers)
    if (magic, version) != (MAGIC, VERSION) or start != head.packed() or size != head.size:
        raise InvalidTableError("dots.bad_table", path=path)
    return head


def tables() -> dict[str, InvalidTableError | None]:
    """Every file that has the name of a table, and what is wrong with it, if anything."""
    return {path.name: _fault(path) for path in sorted(folder().glob(name_of("*", "*")))}


def _fault(path: Path) -> InvalidTableError | None:
    try:
        head = read_head(path)
    except InvalidTableError as error:
        return error
    whole = not head.left and path.name == name_of(head.rows, head.columns)
    return None if whole else InvalidTableError("dots.bad_table", path=path)
