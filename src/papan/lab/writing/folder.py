"""A report as files in a folder; each is there as a whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from papan.lab.files import PUBLIC, write_whole
from papan.lab.runs import Report
from papan.lab.work import Json
from papan.lab.writing.figures import draw, inline
from papan.lab.writing.html import as_html, colophon
from papan.lab.writing.pdf import as_pdf
from papan.lab.writing.tables import all_tables, as_csv, as_latex, as_text
from papan.lab.writing.words import show


def as_plain(reports: Sequence[Report], language: str) -> str:
    """The comparison with each paper, as text."""
    pages = []
    for report in reports:
        paper = report.run.paper
        heading = f"{paper.number}  {paper.title} ({paper.authors}, {paper.year})"
        remarks = (show(remark, language) for remark in paper.remarks)
        tables = (as_text(table, language) for table in all_tables(report.conclusions))
        pages.append("\n\n".join([heading, *tables, *remarks, colophon(report, language)]))
    return "\n\n\n".join(pages) + "\n"


def as_data(reports: Sequence[Report], language: str) -> Json:
    """Findings and tables as JSON, with the words of one language."""
    return [
        {
            "paper": report.run.paper.number,
            "size": report.run.size,
            "seed": report.run.seed,
            "began": report.began,
            "seconds": report.log.seconds,
            "machine": report.machine,
            "findings": [
                {
                    "what": show(each.what, language),
                    "paper": show(each.paper, language),
                    "ours": show(each.ours, language),
                    "agrees": each.agrees,
                }
                for each in report.conclusions.findings
            ],
            "tables": {table.name: as_csv(table, language) for table in report.conclusions.tables},
        }
        for report in reports
    ]


def contents(report: Report) -> list[str]:
    """The files of a report, each by its name; figures and PDF only where they can be drawn."""
    tables = all_tables(report.conclusions)
    drawn = find_spec("matplotlib") is not None
    return [
        "report.json",
        *(f"{table.name}.{kind}" for table in tables for kind in ("csv", "tex")),
        *(f"{chart.name}.svg" for chart in report.conclusions.charts if drawn),
        *(["report.html"] if drawn else []),
        *(["report.pdf"] if drawn and find_spec("fpdf") is not None else []),
    ]


def content(report: Report, name: str, language: str) -> str | bytes | None:
    """What the file *name* of a report holds; None where a report has no such file."""
    stem, _, kind = name.rpartition(".")
    if stem == "report":
        return _whole(report, kind, language)
    for chart in report.conclusions.charts:
        if (chart.name, "svg") == (stem, kind):
            return inline(chart, f"{report.run.paper.number}-{chart.name}", language)
    for table in all_tables(report.conclusions):
        if table.name == stem and kind == "csv":
            return as_csv(table, language)
        if table.name == stem and kind == "tex":
            return as_latex(table, language, f"{report.run.paper.number}-{table.name}")
    return None


def _whole(report: Report, kind: str, language: str) -> str | bytes | None:
    """A whole report in one file."""
    if kind == "json":
        (data,) = as_data([report], language)
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    if kind == "html":
        return as_html([report], language)
    return as_pdf([report], language) if kind == "pdf" else None


def write_tables(reports: Sequence[Report], folder: Path, language: str) -> Iterator[Path]:
    """Every table as text, CSV and LaTeX."""
    for report in reports:
        for table in all_tables(report.conclusions):
            name = f"{report.run.paper.number}-{table.name}"
            yield write(folder / f"{name}.txt", as_text(table, language) + "\n")
            yield write(folder / f"{name}.csv", as_csv(table, language))
            yield write(folder / f"{name}.tex", as_latex(table, language, name))


def write_figures(reports: Sequence[Report], folder: Path, language: str) -> Iterator[Path]:
    """Every figure for a page and for a paper."""
    for report in reports:
        for chart in report.conclusions.charts:
            for kind in ("svg", "pdf"):
                name = f"{report.run.paper.number}-{chart.name}.{kind}"
                yield write(folder / name, draw(chart, language, kind))


def write_html(reports: Sequence[Report], folder: Path, language: str) -> Path:
    """The one page with everything."""
    return write(folder / "report.html", as_html(reports, language))


def write_pdf(reports: Sequence[Report], folder: Path, language: str) -> Path:
    """The pages to print."""
    return write(folder / "report.pdf", as_pdf(reports, language))


def write(path: Path, content: str | bytes) -> Path:
    """Put *content* into a file of a report, which everyone may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_whole(path, content, PUBLIC)
