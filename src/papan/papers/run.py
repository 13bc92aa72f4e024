"""Runs of papers: carried out in pieces, kept in a folder, found again for a report.

Papan brings a full run of each, with machine and date, which is shown until there is another one:
`scripts/make_reference.py` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import TypeAdapter

from papan.lab.files import data_folder
from papan.lab.machine import machine, sources_mark
from papan.lab.results import Conclusions
from papan.lab.work import Job, Json, Log, ResumableLog, read
from papan.papers.paper import Found, Paper, Size


def runs_folder(data: Path | None = None) -> Path:
    """Where runs are kept: below *data*, or below the user's own data folder."""
    return (data_folder() if data is None else data) / "lab"


@dataclass(frozen=True)
class Run:
    """One paper, how thoroughly, from which seed, kept in which folder."""

    paper: Paper
    size: Size
    seed: int
    folder: Path

    @property
    def name(self) -> str:
        """What tells the runs of a paper apart."""
        return f"{self.size}-{self.seed}"

    @property
    def path(self) -> Path:
        return self.folder / f"{self.paper.number}-{self.name}.jsonl"

    @property
    def command(self) -> str:
        """What does the same in a terminal."""
        quick = " --quick" if self.size == "quick" else ""
        return f"papan lab run {self.paper.number}{quick} --seed {self.seed}"

    @property
    def identity(self) -> dict[str, Json]:
        return {
            "paper": self.paper.number,
            "size": self.size,
            "seed": self.seed,
            "sources": sources_mark(),
        }

    def done(self) -> float:
        """The part that is done, from 0 to 1."""
        log = read(self.path)
        if log is None or not self._same(log):
            return 0.0
        items = self.paper.items(self.size, self.seed)
        total = sum(item.weight for item in items)
        return sum(item.weight for item in items if item.name in log.found) / total

    def seconds_left(self, afresh: bool = False) -> float:
        """About how long one core needs for what is missing: units weigh a second of one core."""
        total = sum(item.weight for item in self.paper.items(self.size, self.seed))
        return total * (1.0 if afresh else 1 - self.done())

    def job(self, afresh: bool = False) -> Job:
        """This run as work to be done: what is kept of it, and all its units."""
        facts = {"machine": machine(), "began": datetime.now(UTC).isoformat(timespec="seconds")}
        log = ResumableLog(self.path, self.identity, facts)
        log.open(afresh)
        return Job(log, self.paper.items(self.size, self.seed))

    def report(self) -> Report:
        """What the finished run led to."""
        log = read(self.path)
        assert log is not None
        return Report(self, log, self.paper.conclude(Found(log.found)))

    def _same(self, log: Log) -> bool:
        return all(log.header.get(key) == value for key, value in self.identity.items())


@dataclass(frozen=True)
class Report:
    """What a finished run led to, and where it was measured."""

    run: Run
    log: Log
    conclusions: Conclusions
    reference: bool = False
    """Whether it came with papan, instead of from a run on this machine."""

    @property
    def name(self) -> str:
        """What tells the reports of a paper apart."""
        return "reference" if self.reference else self.run.name

    @property
    def machine(self) -> dict[str, str]:
        return dict(self.log.header["machine"])

    @property
    def began(self) -> str:
        return str(self.log.header["began"])


def saved_runs(folder: Path, paper: Paper) -> Iterable[Run]:
    """The runs of *paper* in a folder, the newest first; those of older sources are left out."""
    paths = sorted(folder.glob(f"{paper.number}-*.jsonl"), key=lambda path: -path.stat().st_mtime)
    for path in paths:
        for size in paper.amounts:
            seed = path.stem.removeprefix(f"{paper.number}-{size}-")
            if re.fullmatch("-?[0-9]{1,18}", seed):
                run = Run(paper, size, int(seed), folder)
                if run.done():
                    yield run


def reports(folder: Path, papers: Sequence[Paper]) -> list[Report]:
    """The newest finished run of each paper that has one."""
    found = []
    for paper in papers:
        finished = (run for run in saved_runs(folder, paper) if run.done() == 1)
        if run := next(iter(finished), None):
            found.append(run.report())
    return found


FOLDER = "reference"
"""Beside this file: a file of JSON for each paper."""


@dataclass(frozen=True)
class Kept:
    """What is kept of a finished run: what it led to, and how it was measured."""

    size: Size
    seed: int
    began: str
    seconds: float
    cpu: float | None
    machine: dict[str, str]
    conclusions: Conclusions


def as_file(report: Report) -> str:
    """What the file of a paper holds."""
    run, log = report.run, report.log
    kept = Kept(
        size=run.size,
        seed=run.seed,
        began=report.began,
        seconds=round(log.seconds, 1),
        cpu=None if log.cpu is None else round(log.cpu, 1),
        machine=report.machine,
        conclusions=report.conclusions,
    )
    data = TypeAdapter(Kept).dump_python(kept, exclude_defaults=True)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def from_file(text: str) -> Kept:
    """What such a file says."""
    return TypeAdapter(Kept).validate_json(text)


def reference(paper: Paper, folder: Path) -> Report:
    """Our own run of a paper; *folder* is where reports about it are written."""
    kept = _kept(paper.number)
    header = {"machine": kept.machine, "began": kept.began}
    log = Log(header, {}, kept.seconds, kept.cpu)
    run = Run(paper, kept.size, kept.seed, folder)
    return Report(run, log, kept.conclusions, reference=True)


@cache
def _kept(number: str) -> Kept:
    place = files("papan").joinpath("papers", FOLDER, f"{number}.json")
    return from_file(place.read_text(encoding="utf-8"))
