"""All files of a contest as one archive for its owner to take home."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from papan.contest.folder import RUN_LOCK
from papan.contest.plan import PLAN, STUDENTS, SUBMISSIONS
from papan.contest.submissions import TAKING_FILE, WORK_FOLDER
from papan.lab.files import writing

LINKS_FILE = "links.json"
"""The file in which the web server stores the secret links of the students."""
NOT_EXPORTED = [Path(WORK_FOLDER, name) for name in (LINKS_FILE, TAKING_FILE, RUN_LOCK)]
"""Files of a contest, by their paths in its folder, that are secret or contain nothing of use."""


def write_archive(folder: Path, file: Path) -> None:
    """Write the files of the contest in *folder* to *file*, a ZIP archive, which is overwritten.

    They are the plan, the list, what was handed in, papan's own files and the report; those that
    are missing are left out. So are links, the files `NOT_EXPORTED`, and versions that were stored
    only in part. Raise PapanError if a file cannot be read or written; what was written by then
    stays.
    """
    with writing(file), ZipFile(file, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for name in (PLAN, STUDENTS, SUBMISSIONS, WORK_FOLDER, "report"):
            top = folder / name
            for path in () if top.is_symlink() else (top, *sorted(top.rglob("*"))):
                inside = path.relative_to(folder)
                draft = any(part.startswith(".draft-") for part in inside.parts)
                plain = path.is_file() and not path.is_symlink()
                if plain and not draft and inside not in NOT_EXPORTED:
                    archive.write(path, inside)
