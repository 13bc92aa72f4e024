"""Files appear whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from papan.lab.files import PUBLIC, write_whole


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
