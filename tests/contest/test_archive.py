"""The archive of a contest: what its owner takes home, and what stays."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from papan.contest.archive import write_archive
from papan.core import PapanError

KEPT = (
    "plan.toml",
    "students.csv",
    "submissions/1.py",
    "submissions/2/main.py",
    "work/games.jsonl",
    "work/versions/1/0001-abc/main.py",
    "work/versions/1/0001-abc/lock",  # a student's own file
    "work/versions/1/0001-abc/links.json",
    "report/students/1.html",
)
LEFT = (
    "work/links.json",
    "work/lock",
    "work/taking",
    "work/versions/1/.draft-x1/main.py",
    "submissions/.draft-x2",
    "notes.txt",
    "private/diary.txt",
)


def test_an_archive_has_the_files_of_a_contest_but_no_secrets_and_no_drafts(
    tmp_path: Path,
) -> None:
    cup = tmp_path / "cup"
    for name in (*KEPT, *LEFT):
        (cup / name).parent.mkdir(parents=True, exist_ok=True)
        (cup / name).write_text(f"this is {name}")
    target = tmp_path / "cup.zip"
    target.write_text("an older archive, which was longer than this one")
    write_archive(cup, target)
    with ZipFile(target) as archive:
        found = {name: archive.read(name).decode() for name in archive.namelist()}
    assert found == {name: f"this is {name}" for name in KEPT}


def test_an_archive_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(PapanError, match=r"nowhere/cup\.zip"):
        write_archive(tmp_path, tmp_path / "nowhere" / "cup.zip")
