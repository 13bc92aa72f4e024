"""Files appear whole or not at all, and tables hold no formulas."""

import csv
import errno
import io
import os
import stat
from pathlib import Path

import pytest

from papan.core.files import open_regular
from papan.lab.files import (
    PUBLIC,
    append_line,
    csv_text,
    naming,
    remove_cut_line,
    seal,
    unguarded,
    write_whole,
)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows other rights")
def test_a_file_is_its_owners_unless_everyone_may_read_it(tmp_path: Path) -> None:
    own = write_whole(tmp_path / "own", "text")
    page = write_whole(tmp_path / "page", b"text", PUBLIC)
    assert own.read_bytes() == page.read_bytes() == b"text"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (own, page)] == [0o600, 0o644]


def test_a_file_that_cannot_be_finished_leaves_the_old_one_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = write_whole(tmp_path / "game", "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_line_that_a_full_disk_cuts_short_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = tmp_path / "journal", os.write
    with open_regular(path, "a+b") as file:
        append_line(file, "one")
        with monkeypatch.context() as patch, pytest.raises(OSError, match="No space") as full:
            room = [3]

            def some(handle: int, data: bytes) -> int:
                if not room:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return write(handle, data[: room.pop()])

            patch.setattr(os, "write", some)
            with naming(path):
                append_line(file, "two")
        assert full.value.filename == str(path)
        assert path.read_bytes() == b"one\n"
        append_line(file, "three", lasting=False)
    assert path.read_bytes() == b"one\nthree\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (b"", b""),
        (b"one\n", b"one\n"),
        (b"one\ntwo", b"one\n"),
        (b"one", b""),
        (b"one\n" + b"x" * 200_000, b"one\n"),
        (b"x" * 65_535 + b"\n" + b"y" * 65_536, b"x" * 65_535 + b"\n"),
        (b"x" * 200_000, b""),
    ],
    ids=len,
)
def test_a_last_line_without_its_end_is_removed(tmp_path: Path, text: bytes, left: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(text)
    with open_regular(path, "a+b") as file:
        remove_cut_line(file)
        append_line(file, "next")
    assert path.read_bytes() == left + b"next\n"


def test_a_name_that_is_taken_by_a_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


NAMES = ("=1+1", "+1+1", "-1+1", "@sum(a1)", "\t=1+1", "'quoted", "program:./bot", "-")


@pytest.mark.parametrize("name", NAMES)
def test_z22_a_name_is_no_formula_in_a_spreadsheet_and_is_read_back(name: str) -> None:
    [[cell, number]] = csv.reader(io.StringIO(csv_text([[name, 1.5]]), newline=""))
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert (unguarded(cell), number) == (name, "1.5")


@pytest.mark.parametrize("name", ["\t5", "\t-12.5", "\r3"])
def test_y7_a_number_behind_a_control_character_is_guarded_like_any_text(name: str) -> None:
    [[cell]] = csv.reader(io.StringIO(csv_text([[name]]), newline=""))
    assert cell.startswith("'") and cell.endswith(name[1:])


@pytest.mark.parametrize("number", ["-12.34", "+1e-05", "-inf", -3, None, ""])
def test_z22_numbers_are_written_as_they_are(number: object) -> None:
    [[cell]] = csv.reader([csv_text([[number]]).strip("\n") or '""'])
    assert cell == ("" if number is None else str(number))


def test_z22_a_name_never_ends_its_row() -> None:
    rows = [*csv.reader(io.StringIO(csv_text([["a\rb", "\r=1", "c\nd"]]), newline=""))]
    assert rows == [["a b", "' =1", "c\nd"]]


def test_a_key_that_cannot_take_its_place_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("a file system without hard links")

    monkeypatch.setattr("papan.lab.files.data_folder", lambda: tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("os.link", refuse)
        assert seal("x") is None
    assert [*tmp_path.iterdir()] == []
    assert seal("x") is not None
