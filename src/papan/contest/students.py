"""The list of students of a contest: their numbers and names."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from papan.contest.plan import STUDENTS
from papan.core import InvalidSpecError
from papan.core.files import read_regular

NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
"""A student's number: it is the name of a file, too."""
SEPARATORS = ",;\t"
"""Between number and name in the list of students: tabs are in cells that were copied."""
LARGEST_LIST = 1_000_000
"""Bytes of the file with the list."""
MOST_STUDENTS, MOST_LIST_LINES = 2000, 10_000
"""Students of a contest, and lines of their list, those without a number too."""


@dataclass(frozen=True)
class Student:
    """A student of the list: number and name."""

    number: str
    """The student's number, which matches `NUMBER`."""
    name: str
    """The name, printable, at most 80 characters."""


def read_students(folder: Path) -> list[Student]:
    """Return the students in the list of the contest in *folder*, in its order.

    Raise InvalidSpecError if the file is missing or cannot be read, or as `parse_students`;
    PapanError if it is no regular file, or has over `LARGEST_LIST` bytes.
    """
    path = folder / STUDENTS
    try:
        data = read_regular(path, LARGEST_LIST)
    except OSError as error:
        raise InvalidSpecError("contest.no_students", path=path, why=error.strerror) from None
    return parse_students(data, path)


def parse_students(data: bytes, path: Path | None = None) -> list[Student]:
    """Return the students in a list with the content *data*: lines of number and name, in UTF-8.

    Lines without a number are skipped, and so are headings: a first line whose number has no digit.
    A name is cut to 80 characters. Raise InvalidSpecError for a line with a number but without a
    name, with a number that does not match `NUMBER` or comes twice, or with a wrong quotation mark;
    for what is no UTF-8; and for more than `MOST_STUDENTS` or `MOST_LIST_LINES`. The error names
    the line, from 1, and the file *path* unless that is None.
    """
    found: dict[str, Student] = {}
    count = 1
    try:
        for count, line in enumerate(data.decode("utf-8-sig").splitlines(), 1):
            number, name = _cells(line)
            if count > MOST_LIST_LINES:
                raise ValueError(line[:60])
            if not number or (count == 1 and not any(map(str.isdigit, number))):
                continue  # an empty line, or the headings
            new = number not in found and len(found) < MOST_STUDENTS
            if not (NUMBER.fullmatch(number) and name and new):
                raise ValueError(number[:60])
            found[number] = Student(number, name[:80])
    except (ValueError, csv.Error) as why:  # also what is no UTF-8, or a quotation mark alone
        if path is None:
            raise InvalidSpecError("contest.bad_list", line=count, why=why) from None
        raise InvalidSpecError("contest.bad_students", path=path, line=count, why=why) from None
    return list(found.values())


def _cells(line: str) -> tuple[str, str]:
    """Return number and name in a line of a list of students, "" for what it lacks.

    The first of `SEPARATORS` in the line separates them; further cells are ignored. Runs of blanks,
    and of what cannot be printed, become one blank in a name. Raise csv.Error for a wrong quotation
    mark.
    """
    marks = [mark for mark in line if mark in SEPARATORS]  # spreadsheets differ by country
    rows = list(csv.reader([line], delimiter=marks[0] if marks else ",", strict=True))
    number, name = [*(rows[0] if rows else ()), "", ""][:2]
    plain = "".join(letter if letter.isprintable() else " " for letter in name)
    return number.strip(), " ".join(plain.split())
