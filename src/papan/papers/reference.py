"""The results that papan brings along: our own full run of each paper, with machine and date.

`scripts/make_reference.py` writes them from a run; pages show them until there is another one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import TypeAdapter

from papan.lab.results import Conclusions
from papan.lab.work import Log
from papan.papers.paper import Paper, Size
from papan.papers.run import Report, Run

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
