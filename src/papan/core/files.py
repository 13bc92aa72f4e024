"""Reading untrusted files: regular files only, no links, sizes checked before reading."""

from __future__ import annotations

import errno
import os
import stat
import zlib
from io import BytesIO
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from papan.core.errors import PapanError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays: TypeAlias = dict[str, NDArray[Any]]

Mode = Literal["rb", "r+b", "ab", "a+b"]
"""Mode in which a file is opened, as in Python's `open`."""
FLAGS: dict[Mode, int] = {
    "rb": os.O_RDONLY,
    "r+b": os.O_RDWR,
    "ab": os.O_WRONLY | os.O_APPEND | os.O_CREAT,
    "a+b": os.O_RDWR | os.O_APPEND | os.O_CREAT,
}
SAFELY = sum(
    getattr(os, name, 0)
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)
"""Flags that follow no link and do not block on a pipe; not every system has each of them."""
IRREGULAR = (errno.ELOOP, errno.ENXIO, errno.EISDIR, errno.EMLINK)
"""Error numbers of systems for links, pipes, sockets and folders that are opened with them."""


def open_regular(
    path: Path, mode: Mode = "rb", rights: int = 0o666, refused: type[PapanError] = PapanError
) -> BinaryIO:
    """Open the regular file *path* in binary and return it; the caller closes it.

    The modes ``ab`` and ``a+b`` create a file that is missing, with the mode bits *rights*. Raises
    OSError as `open` does, and the error *refused* if *path* is a link, a folder, a pipe or a
    device, or if *mode* can write and the file has further names (hard links). A folder from
    elsewhere could have any of these in the place of a file, so that reading never ends or writing
    changes another file.
    """
    check_regular(path, refused)  # some devices do something as soon as they are opened
    try:
        descriptor = os.open(path, FLAGS[mode] | SAFELY, rights)
    except OSError as error:
        if error.errno in IRREGULAR:
            raise refused("error.not_regular", path=path) from None
        raise
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or (mode != "rb" and found.st_nlink > 1):
        os.close(descriptor)
        key = "error.not_regular" if not stat.S_ISREG(found.st_mode) else "error.linked"
        raise refused(key, path=path)
    return os.fdopen(descriptor, mode)


def check_regular(path: Path, refused: type[PapanError] = PapanError) -> None:
    """Raise *refused* if *path* exists and is no regular file: a link, a folder, a pipe, a device.

    Nothing is raised if *path* does not exist or cannot be examined. No file is opened.
    """
    try:
        found = path.lstat()
    except OSError:
        return
    if not stat.S_ISREG(found.st_mode):
        raise refused("error.not_regular", path=path)


def check_folder(path: Path) -> None:
    """Raise PapanError if *path* is a link: what is written there would go to another folder.

    Whether *path* exists, and whether a folder above it is a link, is not checked.
    """
    if path.is_symlink():
        raise PapanError("error.linked_folder", path=path)


def read_regular(path: Path, most: int, refused: type[PapanError] = PapanError) -> bytes:
    """Return the content of the regular file *path*.

    Raise OSError as `open` does, and *refused* if it has over *most* bytes or is no regular file.
    """
    with open_regular(path, refused=refused) as file:
        data = file.read(most + 1)
    if data is None:  # a special file that would block, such as /proc/kmsg
        raise refused("error.not_regular", path=path)
    if len(data) > most:
        raise refused("error.large_file", path=path, most=most)
    return data


MOST_MEMBERS = 64
"""Largest number of arrays in an archive."""
MEMBER = b"PK\x01\x02"
"""First bytes of each entry in the directory of a ZIP archive."""
ENCRYPTED = 1
DAMAGED_ARRAYS = (
    BadZipFile,
    EOFError,
    NotImplementedError,
    TokenError,  # NumPy reads a header as Python
    ValueError,
    zlib.error,
)
"""Errors of reading arrays in another form than NumPy writes."""


def read_arrays(path: Path, most: int, refused: type[PapanError] = PapanError) -> Arrays:
    """Return the arrays of the ``npz`` file *path* by name; no object is unpickled.

    The arrays can be written to. Raises OSError if it cannot be read, and the error *refused* if it
    is no regular file, not of this form, has over `MOST_MEMBERS` arrays, or over *most* bytes,
    packed or unpacked. Everything is measured before it is unpacked: a small archive can hold any
    number of bytes, and a short array can claim any shape.
    """
    data = read_regular(path, most, refused)
    try:
        if data.count(MEMBER) > MOST_MEMBERS:
            raise ValueError(f"more than {MOST_MEMBERS} parts")
        with ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(each.file_size for each in members) > most:
                raise ValueError(f"more than {most} bytes")
            return {each.filename.removesuffix(".npy"): _array(archive, each) for each in members}
    except DAMAGED_ARRAYS as error:
        raise refused("error.cannot_read", path=path, why=error) from None


def _array(archive: ZipFile, member: ZipInfo) -> NDArray[Any]:
    """Return the array in a *member* of an NPZ *archive*; it can be written to.

    Raise ValueError if it is packed or written in a way unknown here, holds Python objects, or has
    another size than its head says; what NumPy and `zipfile` raise is passed on (`DAMAGED_ARRAYS`).
    """
    import numpy as np
    from numpy.lib import format as npy

    if member.flag_bits & ENCRYPTED or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise ValueError(f"{member.filename} is packed in another way than arrays are")
    with archive.open(member) as file:
        version = npy.read_magic(file)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"{member.filename} has an unknown form")
        header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, by_columns, kind = header(file)
        size = prod(shape) * kind.itemsize
        if kind.hasobject or min(shape, default=0) < 0 or size != member.file_size - file.tell():
            raise ValueError(f"{member.filename} does not hold what it says")
        content = bytearray(file.read())  # of bytes alone it could not be written to
        return np.ndarray(shape, kind, content, order="F" if by_columns else "C")
