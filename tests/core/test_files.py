"""Files that a stranger may have made are measured, and are regular, before anything is read."""

import io
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papan.core import PapanError
from papan.core.files import check_regular, open_regular, read_arrays, read_regular

MOST = 100_000


def npy(array: object) -> bytes:
    file = io.BytesIO()
    np.save(file, np.asarray(array))
    return file.getvalue()


def archive(path: Path, **members: bytes) -> Path:
    return packed(path, members, zipfile.ZIP_DEFLATED)


def packed(path: Path, members: dict[str, bytes], method: int) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return path


def test_arrays_are_read_as_numpy_wrote_them(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    some: dict[str, Any] = {
        "a": np.arange(12, dtype=np.float32).reshape(3, 4),
        "b": np.asfortranarray(np.arange(6).reshape(2, 3)),
        "none": np.zeros((0, 5)),
        "one": np.array(7),
    }
    for write in (np.savez, np.savez_compressed):
        write(path, **some)
        found = read_arrays(path, MOST)
        assert found.keys() == some.keys()
        for name, array in some.items():
            assert found[name].dtype == array.dtype
            np.testing.assert_array_equal(found[name], array)


def claims(shape: str, kind: str = "<f4") -> bytes:
    """A file of an array of that shape, with four bytes in it."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + b"1234"


EVIL: dict[str, Callable[[Path], object]] = {
    "a bomb": lambda path: archive(path, a=npy(np.zeros(10**7, np.uint8))),
    "many parts": lambda path: archive(path, **{f"a{each}": b"" for each in range(100)}),
    "parts that are large together": lambda path: archive(
        path, **{f"a{each}": npy(np.zeros(MOST // 2, np.uint8)) for each in range(3)}
    ),
    "a large shape": lambda path: archive(path, a=claims("(10000000000000,)")),
    "a negative shape": lambda path: archive(path, a=claims("(-1, -1)")),
    "a shape of no numbers": lambda path: archive(path, a=claims("('a',)")),
    "a deep shape": lambda path: archive(path, a=claims("(" * 3000 + ")" * 3000)),
    "a shape without end": lambda path: archive(path, a=claims("(2,")),
    "objects": lambda path: archive(path, a=claims("(1,)", "|O")),
    "an unknown kind": lambda path: archive(path, a=claims("(1,)", "hello")),
    "another way to pack": lambda path: packed(path, {"a": npy(1)}, zipfile.ZIP_LZMA),
    "no array": lambda path: archive(path, a=b"hello"),
    "nothing": lambda path: path.write_bytes(b""),
    "no archive": lambda path: path.write_bytes(b"PK\x03\x04" + bytes(100)),
    "one array": lambda path: path.write_bytes(npy(1)),
    "too much": lambda path: path.write_bytes(bytes(MOST + 1)),
    "cut off": lambda path: path.write_bytes(archive(path, a=npy(1)).read_bytes()[:-10]),
}


@pytest.mark.parametrize("evil", EVIL)
def test_z9_arrays_are_measured_before_they_are_read(tmp_path: Path, evil: str) -> None:
    path = tmp_path / "arrays.npz"
    EVIL[evil](path)
    tracemalloc.start()
    try:
        with pytest.raises(PapanError, match=r"cannot be read: |larger than"):
            read_arrays(path, MOST)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 5_000_000


def test_z9_a_part_that_hides_its_size_is_no_larger(tmp_path: Path) -> None:
    """The list of an archive says ten bytes, and there are ten million."""
    content = npy(np.zeros(10**7, np.uint8))
    data = archive(tmp_path / "honest.npz", a=content).read_bytes()
    size = len(content).to_bytes(4, "little")
    assert data.count(size) == 2
    path = tmp_path / "arrays.npz"
    path.write_bytes(data.replace(size, len(content[:200]).to_bytes(4, "little")))
    with pytest.raises(PapanError, match="cannot be read"):
        read_arrays(path, MOST)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_z2_a_file_is_opened_only_where_it_is_one(tmp_path: Path) -> None:
    file, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    file.write_bytes(b"text")
    link.symlink_to(file)
    os.mkfifo(pipe)
    assert read_regular(file, 4) == b"text"
    with pytest.raises(PapanError, match="file is larger than 3 bytes"):
        read_regular(file, 3)
    for path in (link, pipe, tmp_path, Path("/dev/null")):
        for mode in ("rb", "r+b", "ab", "a+b"):
            with pytest.raises(PapanError, match="regular files only"):
                open_regular(path, mode)
        with pytest.raises(PapanError, match="regular files only"):
            check_regular(path)
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "none")
    with open_regular(tmp_path / "new", "ab", 0o600) as made:
        made.write(b"more")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_z2_a_link_that_appears_after_the_look_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.core.files.check_regular", lambda *arguments: None)
    victim, link, pipe = (tmp_path / name for name in ("victim", "link", "pipe"))
    victim.write_bytes(b"text")
    link.symlink_to(victim)
    os.mkfifo(pipe)
    for path in (link, pipe, tmp_path):
        for mode in ("rb", "ab"):
            with pytest.raises(PapanError, match="regular files only"):
                open_regular(path, mode)
    assert victim.read_bytes() == b"text"


@pytest.mark.parametrize(("more", "read"), [(0, True), (1, False)])
def test_arrays_may_fill_their_limits_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int, read: bool
) -> None:
    content = npy(np.zeros(1_000, np.uint8))
    path = archive(tmp_path / "size.npz", a=content)
    many = archive(tmp_path / "many.npz", **{f"a{each}": npy(each) for each in range(64 + more)})
    for file, most in ((path, len(content) - more), (many, MOST)):
        if read:
            assert read_arrays(file, most)
        else:
            with pytest.raises(PapanError, match="cannot be read: more than"):
                read_arrays(file, most)


def test_what_was_read_can_be_written_to(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", a=np.arange(3))
    found = read_arrays(tmp_path / "a.npz", MOST)["a"]
    found[0] = 7
    assert found.tolist() == [7, 1, 2]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no hard links of this kind")
def test_a_file_with_another_name_is_read_but_not_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"text")
    os.link(file, tmp_path / "other")
    assert read_regular(file, 4) == b"text"
    for mode in ("r+b", "ab", "a+b"):
        with pytest.raises(PapanError) as refused:
            open_regular(file, mode)
        assert (refused.value.key, refused.value.values) == ("error.linked", {"path": file})
