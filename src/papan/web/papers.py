"""What a page shows of a paper: what it claims, what we found, and what is kept of earlier runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from papan.lab.machine import cores
from papan.lab.results import Chart, ReportTable, Verdict, is_number, numbers, show
from papan.papers.paper import Paper, Size, claimed
from papan.papers.report import contents
from papan.papers.run import Report, Run, saved_runs
from papan.web.jobs import State
from papan.web.models import Language, Seed, Strict


class PaperOrder(Strict):
    """A run to be carried out."""

    size: Size = "quick"
    seed: Seed = 0


class SavedRun(BaseModel):
    """What is kept of a run, wherever it was started; *done* goes from 0 to 1."""

    name: str
    size: Size
    seed: int
    done: float


class PaperJob(SavedRun):
    """A run that this server carries out."""

    id: str
    state: State
    why: dict[str, Any] | None
    """Why it failed: a key of the catalogue and its values."""


class PaperFacts(BaseModel):
    """A paper to choose."""

    number: str
    game: str
    title: str
    authors: str
    year: int
    runs: list[SavedRun]
    jobs: list[PaperJob]


class Claim(BaseModel):
    """The paper in its own words, and translated."""

    original: str
    english: str


class Amount(BaseModel):
    """How thoroughly a paper can be run, and about how many seconds that takes here."""

    size: Size
    seconds: float


class Compared(BaseModel):
    """One line of the comparison; *ours* is null before a run."""

    what: str
    paper: str
    ours: str | None
    agrees: Verdict


class Sheet(BaseModel):
    """A table in words; *numbers* says which columns are set to the right."""

    name: str
    title: str
    headings: list[str]
    rows: list[list[str]]
    numbers: list[bool]


class Points(BaseModel):
    """One series of a figure, as text."""

    label: str
    text: str


class Plot(BaseModel):
    """A figure: the file NAME.svg draws it."""

    name: str
    title: str
    series: list[Points]


class Found(BaseModel):
    """What a finished run led to, and everything needed to do the same again."""

    name: str
    size: Size
    seed: int
    began: str
    seconds: float
    machine: dict[str, str]
    command: str
    tables: list[Sheet]
    plots: list[Plot]
    files: list[str]


class PaperPage(PaperFacts):
    """A paper, and the run that was asked for or else the newest that is finished."""

    claims: list[Claim]
    recipe: str
    remarks: list[str]
    amounts: list[Amount]
    comparison: list[Compared]
    found: Found | None
    yours: bool = False
    """Whether whoever asks may start a run."""


def facts(paper: Paper, folder: Path, jobs: list[PaperJob]) -> PaperFacts:
    """A paper in a list."""
    runs = [
        SavedRun(name=run.name, size=run.size, seed=run.seed, done=run.done())
        for run in saved_runs(folder, paper)
    ]
    return PaperFacts(
        number=paper.number,
        game=paper.game,
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        runs=runs,
        jobs=jobs,
    )


def page(
    paper: Paper, folder: Path, jobs: list[PaperJob], run: str | None, language: Language
) -> PaperPage | None:
    """Everything about a paper; None where the *run* that was asked for is not there."""
    report = newest(paper, folder, run)
    if report is None and run is not None:
        return None
    findings = claimed(paper) if report is None else report.conclusions.findings
    return PaperPage(
        **facts(paper, folder, jobs).model_dump(),
        claims=[
            Claim(original=show(each, "id"), english=show(each, "en")) for each in paper.claims
        ],
        recipe=show(paper.recipe, language),
        remarks=[show(each, language) for each in paper.remarks],
        amounts=[Amount(size=size, seconds=seconds(paper, size)) for size in get_args(Size)],
        comparison=[
            Compared(
                what=show(each.what, language),
                paper=show(each.paper, language),
                ours=None if report is None else show(each.ours, language),
                agrees=each.agrees,
            )
            for each in findings
        ],
        found=None if report is None else _found(report, language),
    )


def seconds(paper: Paper, size: Size) -> float:
    """How long a run takes here, about: units weigh a second of one core."""
    return sum(item.weight for item in paper.items(size, 0)) / cores()


def newest(paper: Paper, folder: Path, name: str | None) -> Report | None:
    """The newest finished run, or the one of that name."""
    for run in saved_runs(folder, paper):
        if name in (None, run.name) and run.done() == 1:
            return _report(run)
    return None


_REPORTS: dict[tuple[Path, int], Report] = {}
MOST_CACHED = 16
"""How many reports are remembered: conclusions take a moment."""


def _report(run: Run) -> Report:
    """What a run led to, remembered until its file changes."""
    key = run.path, run.path.stat().st_mtime_ns
    found = _REPORTS.get(key) or run.report()
    _REPORTS[key] = found
    while len(_REPORTS) > MOST_CACHED:
        _REPORTS.pop(next(iter(_REPORTS)), None)
    return found


def _found(report: Report, language: Language) -> Found:
    run = report.run
    return Found(
        name=run.name,
        size=run.size,
        seed=run.seed,
        began=report.began,
        seconds=report.log.seconds,
        machine=report.machine,
        command=run.command,
        tables=[_sheet(each, language) for each in report.conclusions.tables],
        plots=[_plot(each, language) for each in report.conclusions.charts],
        files=contents(report),
    )


def _sheet(table: ReportTable, language: Language) -> Sheet:
    return Sheet(
        name=table.name,
        title=show(table.title, language),
        headings=[show(each, language) for each in table.headings],
        rows=[[show(cell, language) for cell in row] for row in table.rows],
        numbers=[is_number(table, column) for column in range(len(table.headings))],
    )


def _plot(chart: Chart, language: Language) -> Plot:
    series = [Points(label=label, text=text) for label, text in numbers(chart, language)]
    return Plot(name=chart.name, title=show(chart.title, language), series=series)
