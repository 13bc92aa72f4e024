"""The log of a run: a file of JSON lines that an interruption cannot lose and a rerun continues."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from papan.core.files import open_regular
from papan.core.printable import to_json
from papan.lab.files import append_line, is_genuine, seal, whole_lines

Json: TypeAlias = Any
"""What can be written as JSON and read back: the border of the typed world."""


class TimeTaken(NamedTuple):
    """How long an item took: by the clock on the wall, and of the processor."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class RunLog:
    """What a kept run says: what it is, what each item found, and how long all of them took."""

    header: Mapping[str, Json]
    found: Mapping[str, Json]
    seconds: float
    """By the clock on the wall, other programs and all."""
    cpu: float | None
    """Of the processor, all processes and threads together; None where older findings lack it."""
    ignored: int = 0
    """How many findings were not believed, and are not among the others."""

    def is_of(self, identity: Mapping[str, Json]) -> bool:
        """Is it the run that this tells apart from others?"""
        return identity.items() <= self.header.items()


class ResumableLog:
    """A file of JSON lines: what the run is, then each finding, on the disk before the next."""

    def __init__(
        self,
        path: Path,
        identity: Mapping[str, Json],
        facts: Mapping[str, Json],
        sealed: bool = False,
    ) -> None:
        self.path = path
        self.identity = identity
        """What makes this run this run: findings of another one are of no use."""
        self.facts = facts
        """What else is good to know about it."""
        self.sealed = sealed
        """Are findings sealed, and only those of this user believed?"""
        self.found: dict[str, Json] = {}
        self.ignored = 0
        """How many findings in the file are not believed."""

    def open(self, afresh: bool = False, trust: bool = False) -> None:
        """Go on where this run stopped; what another one left, or an old try, is forgotten.

        *trust*: believe the findings of others too.
        """
        log = None if afresh else read_log(self.path, self._is_ours if not trust else None)
        if log is None or not log.is_of(self.identity):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.unlink(missing_ok=True)
            self._append({**self.identity, **self.facts})
            return
        self.found, self.ignored = dict(log.found), log.ignored
        with open_regular(self.path, "r+b") as file:  # a line cut short by the interruption goes
            file.truncate(sum(map(len, whole_lines(file))))

    def keep(self, name: str, value: Json, took: TimeTaken) -> None:
        """Add what an item found, and how long that took."""
        self.found[name] = value
        times = {"seconds": round(took.seconds, 3), "cpu": round(took.cpu, 3)}
        proof = {"seal": seal(self._sealed_text(name, value))} if self.sealed else {}
        self._append({"unit": name, "found": value, **times, **proof})

    def _is_ours(self, line: Mapping[str, Json]) -> bool:
        text = self._sealed_text(str(line["unit"]), line["found"])
        return not self.sealed or is_genuine(text, line.get("seal"))

    def _sealed_text(self, name: str, value: Json) -> str:
        """What is sealed of a finding: all of it, and the run it belongs to."""
        return json.dumps(["finding", self.identity, name, value], sort_keys=True)

    def _append(self, line: Mapping[str, Json]) -> None:
        with open_regular(self.path, "ab") as file:
            append_line(file, to_json(line))


FINDING = {"unit", "found", "seconds"}
"""What the line of a finding has."""


def read_log(
    path: Path, believed: Callable[[Mapping[str, Json]], bool] | None = None
) -> RunLog | None:
    """The run that a file keeps; None if there is none. Raises for what is no regular file.

    *believed* says of the line of each finding whether it counts; all do where there is none.
    """
    try:
        file = open_regular(path)
    except OSError:
        return None
    with file:
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
    return line.keys() >= FINDING and isinstance(line["seconds"], int | float)


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None for a damaged one: what it said is done again."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
