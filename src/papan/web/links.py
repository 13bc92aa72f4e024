"""Secret links of students: a browser that opens one hands in for that student, without a password.

They are stored in a file of the contest that only its user can read, because a lecturer prints them
again. A link that was lost is replaced by a new one, and the old one is not valid any more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from papan.contest.archive import LINKS_FILE
from papan.contest.submissions import WORK_FOLDER, taking_in
from papan.core import InvalidRecordError
from papan.core.files import read_regular
from papan.lab.files import PRIVATE, write_whole, writing
from papan.web.owner import new_code, same_key

LARGEST_LINKS = 1_000_000


class SecretLinks:
    """The secret codes of the students of the contest in *folder*, stored in a file there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / WORK_FOLDER / LINKS_FILE
        self._seen: object = None
        self._codes: dict[str, str] = {}

    def codes(self) -> dict[str, str]:
        """Return the code of each student, by student number; empty if there is no file.

        The file is read again when it has changed; callers must not change the result. Raise
        InvalidRecordError if it is damaged, no regular file or cannot be read.
        """
        try:
            found = self._path.lstat()
        except OSError:
            return {}
        seen = found.st_mtime_ns, found.st_size, found.st_ino
        if seen != self._seen:
            self._codes, self._seen = self._read(), seen
        return self._codes

    def complete(self, numbers: Iterable[str]) -> dict[str, str]:
        """Give a new code to each of *numbers* (of students) that has none, and return all codes,
        by number.

        Callers must not change the result. Raise PapanError if the file cannot be read or written.
        """
        numbers = list(numbers)
        if all(each in self.codes() for each in numbers):
            return self.codes()
        return self._change(lambda codes: {each: new_code() for each in numbers} | codes)

    def renew(self, number: str) -> str:
        """Give student *number* a new code and return it; the old one is not valid any more.

        Whether there is such a student is not checked. Raise PapanError if the file cannot be read
        or written.
        """
        return self._change(lambda codes: codes | {number: new_code()})[number]

    def holder(self, code: str) -> str | None:
        """Return the number of the student with *code*; None if nobody has it.

        All codes are compared, each in constant time, so that the duration reveals nothing. Raise
        InvalidRecordError if the file is damaged or cannot be read.
        """
        if not code.isascii():  # no key is, and they cannot be compared
            return None
        holders = [number for number, each in self.codes().items() if same_key(each, code)]
        return holders[0] if holders else None

    def _change(self, change: Callable[[dict[str, str]], dict[str, str]]) -> dict[str, str]:
        """Replace the codes, by student number, by what *change* returns for them; store and return
        them.

        Raise PapanError if the file cannot be read or written.
        """
        with taking_in(self.folder), writing(self._path):
            self._path.parent.mkdir(exist_ok=True)
            codes = change(self._read() if self._path.exists() else {})
            write_whole(self._path, json.dumps(codes), PRIVATE)
        return self.codes()

    def _read(self) -> dict[str, str]:
        """Return the codes in the file, by student number.

        Raise InvalidRecordError if it cannot be read or is damaged.
        """
        try:
            facts = json.loads(read_regular(self._path, LARGEST_LINKS))
            return {str(number): str(code) for number, code in facts.items()}
        except (OSError, ValueError, AttributeError) as error:
            raise InvalidRecordError("error.cannot_read", path=self._path, why=error) from None
