"""Files appear whole or not at all, and tables hold no formulas."""

import csv
import io
import os
import stat
from pathlib import Path

import pytest

from papan.lab.files import PUBLIC, csv_text, unguarded, write_whole


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
