"""The log of a run: a file of JSON lines that no interruption loses and the next run continues."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from papan.core.files import open_regular
from papan.core.printable import to_json
from papan.lab.files import append_line, is_genuine, naming, seal, whole_lines

Json: TypeAlias = Any
"""Anything that JSON can contain, not checked by types."""


class TimeTaken(NamedTuple):
    """Duration of an item: wall-clock seconds, and processor seconds."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class RunLog:
    """The content of a log: facts of the run, the result of each item by name, and the time they
    took.
    """

    header: Mapping[str, Json]
    """The first line: the identity of the run, and other facts such as the machine."""
    found: Mapping[str, Json]
    """The result of each item by its name."""
    seconds: float
    """Wall-clock seconds of all accepted results together."""
    cpu: float | None
    """Processor seconds of all accepted results together, those of all processes and threads; None
    if a result lacks them.
    """
    ignored: int = 0
    """Number of results in the file that were rejected."""

    def is_of(self, identity: Mapping[str, Json]) -> bool:
        """Return whether this is the log of the run with *identity*: its header has all of it."""
        return identity.items() <= self.header.items()


class ResumableLog:
    """Writes a log: a line for the run, then one for each result, each synced to the disk.

    Call `open` first, which fills `found` and creates the file. *identity* tells which run it is: a
    log with another one is replaced, not continued. *facts*, such as the machine, are written to
    the same line and not compared. *sealed*: results are sealed, and of those in the file only
    those are accepted that this user has sealed.
    """

    def __init__(
        self,
        path: Path,
        identity: Mapping[str, Json],
        facts: Mapping[str, Json],
        sealed: bool = False,
    ) -> None:
        self.path = path
        self.identity = identity
        """Identity of this run: a log with another identity is overwritten, not continued."""
        self.facts = facts
        """Other facts for the first line, such as the machine."""
        self.sealed = sealed
        """True if results are sealed, and only those sealed by this user are accepted."""
        self.found: dict[str, Json] = {}
        """The result of each item so far, by its name; empty before `open`."""
        self.ignored = 0
        """Number of results in the file that were rejected."""

    def open(self, afresh: bool = False, trust: bool = False) -> None:
        """Continue the log of the same run, or start a new one in place of the file that is there.

        A log is continued if its header has this run's *identity*: then `found` gets the results
        that are accepted, and a last line that was cut short is removed from the file. A file of
        another form is replaced, and missing folders are created. *afresh* always starts a new log.
        *trust* accepts all results, also those without a seal. Raise PapanError if the path is no
        regular file, or its file has several hard links, and as `seal` does; OSError if it cannot
        be written or, without *afresh*, read: then it stays as it is. With *afresh* a link is
        replaced.
        """
        log = None if afresh else _read(self.path, self._is_ours if not trust else None)
        if log is None or not log.is_of(self.identity):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.unlink(missing_ok=True)
            self._append({**self.identity, **self.facts})
            return
        self.found, self.ignored = dict(log.found), log.ignored
        with open_regular(self.path, "r+b") as file:  # a line cut short by the interruption goes
            file.truncate(sum(map(len, whole_lines(file))))

    def keep(self, name: str, value: Json, took: TimeTaken) -> None:
        """Append the result *value* of the item *name* and the time it took; add it to `found`.

        Raise OSError if it cannot be written, PapanError if the path is no regular file; `found`
        has it even then.
        """
        self.found[name] = value
        times = {"seconds": round(took.seconds, 3), "cpu": round(took.cpu, 3)}
        proof = {"seal": seal(self._sealed_text(name, value))} if self.sealed else {}
        self._append({"unit": name, "found": value, **times, **proof})

    def _is_ours(self, line: Mapping[str, Json]) -> bool:
        """Return whether to accept a result, given its line as JSON data.

        True if the log is not sealed; else whether this user has sealed the result. Raise
        PapanError as `seal` does.
        """
        text = self._sealed_text(str(line["unit"]), line["found"])
        return not self.sealed or is_genuine(text, line.get("seal"))

    def _sealed_text(self, name: str, value: Json) -> str:
        """Return the text that is sealed: identity of the run, name of the item, and result."""
        return json.dumps(["finding", self.identity, name, value], sort_keys=True)

    def _append(self, line: Mapping[str, Json]) -> None:
        """Append *line*, an object, as JSON, and sync it to the disk.

        Raise OSError, which names the file, if that fails, PapanError if it is no regular file.
        """
        with naming(self.path), open_regular(self.path, "ab") as file:
            append_line(file, to_json(line))


FINDING = {"unit", "found", "seconds"}
"""Keys that the line of a result must have."""


def read_log(
    path: Path, believed: Callable[[Mapping[str, Json]], bool] | None = None
) -> RunLog | None:
    """Return the log in the file *path*; None if it is missing or damaged at its beginning.

    None, too, if the file is empty or cannot be read. *believed* returns whether to accept a
    result, given its line as JSON data; without it all are accepted. Of results with the same name
    the last one counts. Other damaged lines are skipped; a line that was cut short, or has more
    than `LONGEST_RECORD` bytes, ends the log. Raise PapanError if *path* is no regular file, and
    what *believed* raises.
    """
    try:
        return _read(path, believed)
    except OSError:
        return None


def _read(path: Path, believed: Callable[[Mapping[str, Json]], bool] | None) -> RunLog | None:
    """Do what `read_log` does, but raise OSError if the file is there and cannot be read."""
    try:
        file = open_regular(path)
    except FileNotFoundError:
        return None
    with naming(path), file:
        lines = map(_parsed, whole_lines(file))
        if (first := next(lines, None)) is None:
            return None
        whole = [line for line in lines if line is not None and _is_finding(line)]
    findings = [line for line in whole if believed is None or believed(line)]
    found = {str(line["unit"]): line["found"] for line in findings}
    known = all(isinstance(line.get("cpu"), int | float) for line in findings)
    cpu = sum(line["cpu"] for line in findings) if known else None
    seconds = sum(line["seconds"] for line in findings)
    return RunLog(first, found, seconds, cpu, len(whole) - len(findings))


def _is_finding(line: dict[str, Any]) -> bool:
    """Return whether *line*, a JSON object of a log, has the form of a result.

    It has the keys `FINDING`, and ``seconds`` is a number.
    """
    return line.keys() >= FINDING and isinstance(line["seconds"], int | float)


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object that *line* contains; None if it is anything else."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
