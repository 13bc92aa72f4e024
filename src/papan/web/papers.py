"""What a page shows of a paper: what it claims, what we found, and what is kept of earlier runs."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from papan.lab.machine import cores
from papan.lab.results import Chart, ReportTable, is_number, numbers, show
from papan.papers.paper import Paper, Size, claimed
from papan.papers.report import contents
from papan.papers.run import Report, Run, saved_runs
from papan.web.lab_models import (
    Amount,
    Claim,
    Compared,
    Found,
    PaperFacts,
    PaperJob,
    PaperPage,
    Plot,
    Points,
    SavedRun,
    Sheet,
)
from papan.web.models import Language


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
