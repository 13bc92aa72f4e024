"""Files appear whole or not at all, and tables hold no formulas."""

import csv
import errno
import hmac
import io
import os
import stat
from pathlib import Path

import pytest

import papan
from papan.core import InvalidRecordError, PapanError
from papan.core.files import open_regular
from papan.lab import files
from papan.lab.files import (
    PUBLIC,
    append_line,
    csv_text,
    is_genuine,
    iterate_lines,
    load_record,
    load_records,
    make_private,
    naming,
    remove_cut_line,
    seal,
    unguarded,
    whole_lines,
    write_whole,
    writing,
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


def test_a_line_cut_short_stays_where_another_process_has_added_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write, room = tmp_path / "journal", os.write, [3]

    def some(handle: int, data: bytes) -> int:
        if not room:
            with path.open("ab") as other:
                other.write(b"other\n")
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data[: room.pop()])

    with open_regular(path, "a+b") as file, monkeypatch.context() as patch:
        patch.setattr(os, "write", some)
        with pytest.raises(OSError, match="No space"):
            append_line(file, "three")
    assert path.read_bytes() == b"throther\n"


def test_lines_are_whole_up_to_one_that_is_cut_or_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "LONGEST_RECORD", 4)
    text = b"ab\nabc\nabcdef\nx"
    assert [*iterate_lines(io.BytesIO(text))] == [b"ab\n", b"abc\n", b"abcd", b"ef\n", b"x"]
    assert [*whole_lines(io.BytesIO(text))] == [b"ab\n", b"abc\n"]
    assert [*whole_lines(io.BytesIO(b"ab\nx"))] == [b"ab\n"]


def test_an_error_of_writing_says_where_and_why() -> None:
    for error, why in ((OSError(28, "No space left"), "No space left"), (OSError("odd"), "odd")):
        with pytest.raises(InvalidRecordError) as refused, writing("a", InvalidRecordError):
            raise error
        assert refused.value.key == "error.cannot_write"
        assert refused.value.shown.values == {"path": "a", "why": why}


@pytest.mark.skipif(os.name == "nt", reason="Windows knows other rights")
def test_a_folder_is_made_for_its_owner_and_one_that_is_there_stays(tmp_path: Path) -> None:
    folder, there = tmp_path / "deep" / "own", tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)
    for each in (folder, there):
        make_private(each)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, there)] == [0o700, 0o755]


RECORD = papan.session("tictactoe b2").record()
OTHER = papan.session("tictactoe a1").record()


def test_the_only_game_of_a_file_is_read_and_several_are_too_many(tmp_path: Path) -> None:
    path = tmp_path / "games"
    for text in (f"{RECORD}", f"\n{RECORD}\n\n"):
        path.write_text(text)
        assert load_record(path) == RECORD
    path.write_text(f"{RECORD}\n\n{OTHER}\nrubbish\n")
    with pytest.raises(InvalidRecordError) as refused:
        load_record(path)
    assert refused.value.key == "error.several_records"
    assert refused.value.values == {"path": path, "count": 3}
    for text in ("", "\n", f"rubbish\n{RECORD}\n"):
        path.write_text(text)
        with pytest.raises(InvalidRecordError) as refused:
            load_record(path)
        assert refused.value.key == "error.not_a_record"


def test_games_of_a_file_are_numbered_by_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text(f"\n{RECORD}\n \n{OTHER}\n")
    assert load_records(path) == {2: RECORD, 4: OTHER}
    path.write_text(" \n\n")
    assert load_records(path) == {}
    path.write_text(f"{RECORD}\n\nrubbish\n")
    with pytest.raises(InvalidRecordError) as refused:
        load_records(path)
    assert (refused.value.key, refused.value.values["number"]) == ("solve.line", 3)


@pytest.mark.parametrize(
    ("content", "most", "key"),
    [
        (b"x" * 9, 9, "error.not_a_record"),
        (b"x" * 9, 8, "error.large_file"),
        (b"\xff", 9, "error.cannot_read"),
        (None, 9, "error.cannot_read"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(
    content: bytes | None, most: int, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LONGEST_RECORD", most)
    path = tmp_path / "games"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidRecordError) as refused:
        load_record(path)
    assert refused.value.key == key


def test_a_seal_is_of_one_text_by_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mine"
    monkeypatch.setattr(files, "data_folder", lambda: folder)
    sealed = seal("x")
    key = (folder / "seal").read_bytes()
    assert (len(key), stat.S_IMODE((folder / "seal").stat().st_mode)) == (32, 0o600)
    assert sealed == hmac.new(key, b"x", "sha256").hexdigest() == seal("x")
    assert is_genuine("x", sealed) and not is_genuine("y", sealed)
    assert not any(is_genuine("x", each) for each in (None, 5, "", "\xe9" * 64, key))
    folder = tmp_path / "theirs"
    assert not is_genuine("x", sealed)
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "seal").write_bytes(b"a" * 1000)
    assert seal("x") == hmac.new(b"a" * 1000, b"x", "sha256").hexdigest()


def test_without_a_key_nothing_is_sealed_and_nothing_is_genuine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "file"
    folder.touch()
    monkeypatch.setattr(files, "data_folder", lambda: folder)
    assert seal("x") is None
    assert not is_genuine("x", None) and not is_genuine("x", "0" * 64)
    folder = tmp_path / "folder"
    (folder / "seal").mkdir(parents=True)
    with pytest.raises(PapanError):
        seal("x")
    folder = tmp_path / "large"
    folder.mkdir()
    (folder / "seal").write_bytes(b"a" * 1001)
    with pytest.raises(PapanError):
        seal("x")
