"""Write the report on runs of papers: as text, JSON, HTML to read and print, Markdown and CSV."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from papan.core.message import Message, text_of
from papan.lab.figures import draw_chart, inline_chart
from papan.lab.files import PUBLIC, write_whole
from papan.lab.log import Json
from papan.lab.results import (
    Answer,
    Cell,
    Chart,
    FindingVerdict,
    Measure,
    ReportTable,
    all_tables,
    cell_json,
    cell_text,
    has_numbers_only,
    markdown,
    numbers,
    table_csv,
    table_markdown,
    table_text,
)
from papan.papers.paper import Report

SIGNS: dict[FindingVerdict, str] = {
    "yes": "\u2713",
    "no": "\u2717",
    "open": "?",
    "incomparable": "\u2260",
    "quoted": "\u201c",
    "none": "",
}
"""Sign of each verdict, so that colour is never the only difference."""


def report_html(reports: Sequence[Report], language: str) -> str:
    """Return the whole report on *reports* as an HTML page, in *language* (en or id)."""
    style = files("papan").joinpath("papers", "report.css").read_text(encoding="utf-8")
    title = escape(text_of("lab.title", language))
    links = "".join(
        f'<li><a href="#p{each.run.paper.number}">{each.run.paper.number} '
        f"{escape(text_of(f'game.{each.run.paper.game}', language))}</a></li>"
        for each in reports
    )
    contents = escape(text_of("lab.contents", language))
    numbering = Numbering(language)
    overview = _grid(summary(reports), numbering)
    sections = "".join(_section(each, numbering) for each in reports)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">{escape(text_of("lab.skip", language))}</a>\n'
        f"<header><h1>{title}</h1>\n<p>{escape(text_of('lab.introduction', language))}</p>\n"
        f'<nav aria-label="{contents}"><ul>{links}</ul></nav></header>\n'
        f'<main id="main">\n{overview}{sections}</main>\n</body>\n</html>\n'
    )


class ReportWords(NamedTuple):
    """Words on the page of a paper."""

    kind: Literal["heading", "text", "quote", "list", "small"]
    """What they are; a quote is a quotation and, after it, its translation."""
    texts: Sequence[str]
    """Plain texts: paragraphs or entries of a list; a heading and small print have one."""


def section(report: Report, language: str) -> Iterator[ReportWords | ReportTable | Chart]:
    """Yield the parts of one paper's report in *language* (en or id), in order.

    They are the abstract, the claims, the comparison, the charts, the other tables, the conclusion,
    the differences from the paper, its open choices and its slips, if any, and how the run was
    measured. A heading is a part of its own. Raise KeyError as `colophon`.
    """
    paper, found = report.run.paper, report.conclusions
    comparison, *others = all_tables(found)

    def heading(name: str) -> ReportWords:
        return ReportWords("heading", [text_of(f"lab.{name}", language)])

    yield ReportWords("text", [cell_text(paper.abstract, language)])
    yield heading("claims")
    for claim in paper.claims:
        yield ReportWords(
            "quote", [cell_text(claim, each) for each in dict.fromkeys((paper.language, language))]
        )
    yield comparison
    yield from found.charts
    yield from others
    yield heading("conclusion")
    yield ReportWords("text", [": ".join(each) for each in conclusion(report, language)])
    yield heading("remarks")
    yield ReportWords("text", [cell_text(each, language) for each in paper.remarks])
    for name, texts in (("choices", paper.choices), ("errata", paper.errata)):
        if texts:
            yield heading(name)
            yield ReportWords("list", [cell_text(each, language) for each in texts])
    yield ReportWords("small", [colophon(report, language)])


def _section(report: Report, numbering: Numbering) -> str:
    """Return *report* as HTML, a part of the page, in the language of *numbering*.

    *numbering* counts its tables and figures.
    """
    paper, language = report.run.paper, numbering.language
    game = escape(text_of(f"game.{paper.game}", language))
    parts = [
        f'<section id="p{paper.number}" aria-labelledby="h{paper.number}">',
        f'<h2 id="h{paper.number}">{paper.number} {game}</h2>',
        f'<p><cite lang="{paper.language}">{escape(paper.title)}</cite><br>'
        f"{escape(paper.authors)}, {paper.year}<br>{escape(paper.affiliation)}</p>",
        *(_part(report, each, numbering) for each in section(report, language)),
        "</section>\n",
    ]
    return "\n".join(parts)


def _part(report: Report, part: ReportWords | ReportTable | Chart, numbering: Numbering) -> str:
    """Return one *part* of *report* as HTML; *numbering* counts its tables and figures.

    A table is followed by links to download it, a figure by its numbers.
    """
    if isinstance(part, ReportTable):
        return _grid(part, numbering) + _downloads(report, part, numbering.language)
    if isinstance(part, Chart):
        return _figure(report, part, numbering)
    texts = [escape(text) for text in part.texts]
    match part.kind:
        case "heading":
            return f"<h3>{texts[0]}</h3>"
        case "quote":
            translated = "".join(f"<p>{text}</p>" for text in texts[1:])
            quoted = report.run.paper.language
            return f'<blockquote><p lang="{quoted}">{texts[0]}</p>{translated}</blockquote>'
        case "text":
            return "\n".join(f"<p>{text}</p>" for text in texts)
        case "list":
            return "<ul>" + "".join(f"<li>{text}</li>" for text in texts) + "</ul>"
        case "small":
            return f'<p class="colophon">{texts[0]}</p>'


SHORT = 14
"""Number of rows up to which a table is printed on one page."""


def _grid(table: ReportTable, numbering: Numbering) -> str:
    """Return a table as HTML that scrolls if it is wider than the screen.

    *numbering* gives its number and the language.
    """
    language, title = numbering.language, escape(numbering.title(table))
    short = " short" if len(table.rows) <= SHORT else ""
    sides = [
        "number" if has_numbers_only(table, each) else "" for each in range(len(table.headings))
    ]
    heads = "".join(
        f'<th scope="col"{_class(side)}>{escape(cell_text(heading, language))}</th>'
        for heading, side in zip(table.headings, sides)
    )
    rows = "".join(
        "<tr>" + "".join(_cell(cell, side, language) for cell, side in zip(row, sides)) + "</tr>\n"
        for row in table.rows
    )
    return (
        f'<div class="scroll{short}" role="region" tabindex="0" aria-label="{title}">'
        f"<table><caption><span>{title}</span></caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody></table></div>\n"
    )


def _cell(cell: Cell, side: str, language: str) -> str:
    """Return a cell of a table as HTML; *side* is the class of its column, ``number`` or empty."""
    text = unbroken_html(cell_text(cell, language))
    if not isinstance(cell, Answer):
        whole = "whole" if isinstance(cell, Measure) else ""
        return f"<td{_class(side or whole)}>{text}</td>"
    sign = f'<span aria-hidden="true">{SIGNS[cell.verdict]}</span> ' if SIGNS[cell.verdict] else ""
    return f'<td class="{cell.verdict}">{sign}{text}</td>'


WHOLE = re.compile(r"[^\s()]*\w[=:]\w[^\s(),]*|\bp (?:=|&lt;) [^\s,]+")
"""Pattern of specs such as mcts:iterations=5, and of probabilities."""


def unbroken_html(text: str) -> str:
    """Return plain *text* as HTML in which no line is broken inside a spec or a probability."""
    return WHOLE.sub(r'<span class="whole">\g<0></span>', escape(text))


def _class(name: str) -> str:
    """Return the HTML attribute for the class *name*, after a blank; "" for no name."""
    return f' class="{name}"' if name else ""


def _downloads(report: Report, table: ReportTable, language: str) -> str:
    """Return HTML links to the table as CSV and as Markdown, in *language*.

    The files are in the links themselves, and are called by the number of the paper of *report*.
    """
    name = f"{report.run.paper.number}-{table.name}"
    files = {
        "csv": table_csv(table, language),
        "md": table_markdown(table, language),
    }
    links = (
        f'<a download="{name}.{kind}" href="data:text/plain;charset=utf-8;base64,'
        f'{b64encode(text.encode()).decode()}">{name}.{kind}</a>'
        for kind, text in files.items()
    )
    return f'<p class="files">{" ".join(links)}</p>\n'


def _figure(report: Report, chart: Chart, numbering: Numbering) -> str:
    """Return the HTML of a figure: the chart, its numbered title, and its numbers as text.

    *numbering* gives its number and the language.
    """
    name, language = f"{report.run.paper.number}-{chart.name}", numbering.language
    picture, title = inline_chart(chart, name, language), escape(numbering.title(chart))
    return (
        f'<figure><div class="scroll" role="region" tabindex="0" aria-label="{title}">'
        f"{picture}</div><figcaption>{title}</figcaption>\n"
        f"<details><summary>{escape(text_of('lab.numbers', language))}</summary>"
        f"{_numbers(chart, language)}</details></figure>\n"
    )


def _numbers(chart: Chart, language: str) -> str:
    """Return the HTML list of a chart's numbers, one entry for each series."""
    lists = (
        f"<dt>{escape(label)}</dt><dd>{escape(points)}</dd>"
        for label, points in numbers(chart, language)
    )
    return f"<dl>{''.join(lists)}</dl>"


def conclusion(report: Report, language: str) -> Iterator[tuple[str, str]]:
    """Yield (heading, text) for each part of a run's conclusion, in *language* (en or id)."""
    for heading, sentences in report.run.paper.conclusion(report.conclusions.findings):
        yield (
            cell_text(heading, language),
            " ".join(cell_text(each, language) for each in sentences),
        )


def colophon(report: Report, language: str) -> str:
    """Return how a run was measured (command, seed, date, time, machine) as text, in *language*.

    Raise KeyError if the log does not name all of the machine.
    """
    run = report.run
    return text_of(
        "lab.colophon",
        language,
        command=run.command,
        seed=run.seed,
        began=report.began.replace("T", " ").removesuffix("+00:00"),
        cpu=cell_text(cpu(report), language),
        **report.machine,
    )


def cpu(report: Report) -> int | None:
    """Return the processor time of a run, of all its processes, in whole seconds, or None.

    None if it is unknown.
    """
    return None if report.log.cpu is None else round(report.log.cpu)


def summary(reports: Sequence[Report]) -> ReportTable:
    """Return the table with a row for each of *reports*: its lines, in all and by verdict.

    A row has the number of the paper, its game, the number of lines of the comparison, how many of
    these have each verdict, in the order of `SIGNS`, and the processor seconds of the run, None if
    they are unknown.
    """
    rows = []
    for report in reports:
        verdicts = [each.agrees for each in report.conclusions.findings]
        game = Message(f"game.{report.run.paper.game}")
        counts = [verdicts.count(each) for each in SIGNS]
        seconds = Measure(report.log.cpu, form="seconds") if report.log.cpu is not None else None
        rows.append((report.run.paper.number, game, len(verdicts), *counts, seconds))
    claiming = (f"lab.verdict_{each}" for each in SIGNS if each != "none")
    keys = ("lab.paper", "lab.game", "lab.lines", *claiming, "lab.no_claim", "lab.cpu")
    heads = tuple(map(Message, keys))
    return ReportTable("summary", Message("lab.summary"), heads, tuple(rows))


class Numbering:
    """Counts the tables and the figures of a report in *language*, each from 1.

    Each call of `title` counts one.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._counts = Counter[str]()

    def title(self, shown: ReportTable | Chart) -> str:
        """Return the title of the next table or figure, with its number."""
        kind = "table" if isinstance(shown, ReportTable) else "figure"
        self._counts[kind] += 1
        title = cell_text(shown.title, self.language)
        return text_of(f"lab.{kind}_number", self.language, number=self._counts[kind], title=title)


def report_markdown(reports: Sequence[Report], language: str) -> str:
    """Return the whole report in Markdown, in *language*; each figure is a list of its numbers."""
    numbering = Numbering(language)
    parts = [f"# {markdown(text_of('lab.title', language))}"]
    parts += [markdown(text_of("lab.introduction", language))]
    parts += _markdown_part(summary(reports), numbering)
    for report in reports:
        paper = report.run.paper
        parts.append(f"## {paper.number} {markdown(text_of(f'game.{paper.game}', language))}")
        origin = markdown(f"{paper.authors}, {paper.year}. {paper.affiliation}")
        parts.append(f"*{markdown(paper.title)}*. {origin}")
        for part in section(report, language):
            parts += _markdown_part(part, numbering)
    return "\n\n".join(parts) + "\n"


def _markdown_part(part: ReportWords | ReportTable | Chart, numbering: Numbering) -> Iterator[str]:
    """Yield the Markdown blocks of one part of a report; *numbering* numbers tables and figures."""
    language = numbering.language
    if isinstance(part, ReportTable):
        yield table_markdown(part, language, numbering.title(part)).rstrip()
    elif isinstance(part, Chart):
        yield f"**{markdown(numbering.title(part))}**"
        lines = numbers(part, language)
        yield "\n".join(f"- {markdown(label)}: {markdown(points)}" for label, points in lines)
    elif part.kind == "heading":
        yield f"### {markdown(part.texts[0])}"
    elif part.kind == "list":
        yield "\n".join(f"- {markdown(text)}" for text in part.texts)
    else:
        before = "> " if part.kind == "quote" else ""
        yield from (before + markdown(text) for text in part.texts)


def report_text(reports: Sequence[Report], language: str) -> str:
    """Return *reports* as plain text in *language*: tables, conclusions, remarks and choices.

    The part on a report begins with number, title, authors and year of its paper, and ends with its
    `colophon`. Abstracts, claims, charts and slips are left out.
    """
    pages = []
    for report in reports:
        paper = report.run.paper
        heading = f"{paper.number}  {paper.title} ({paper.authors}, {paper.year})"
        follows = (": ".join(part) for part in conclusion(report, language))
        words = (*paper.remarks, *paper.choices)
        remarks = (*follows, *(cell_text(each, language) for each in words))
        tables = (table_text(table, language) for table in all_tables(report.conclusions))
        pages.append("\n\n".join([heading, *tables, *remarks, colophon(report, language)]))
    return "\n\n\n".join(pages) + "\n"


def report_data(reports: Sequence[Report], language: str) -> Json:
    """Return JSON data: a list with one dict for each report, its words in *language* (en or id).

    Each has ``paper`` (number), ``size``, ``seed``, ``began``, ``seconds``, ``cpu`` (processor
    seconds or None), ``machine``, ``findings``, ``tables``, and ``conclusion``: texts by heading. A
    finding is a dict with the fields of `Finding` without ``evidence``, and with ``verdict``, which
    is ``agrees`` in words. ``tables``, without the comparison, has by name a dict with ``title``,
    ``headings`` and ``rows``.
    """
    return [
        {
            "paper": report.run.paper.number,
            "size": report.run.size,
            "seed": report.run.seed,
            "began": report.began,
            "seconds": report.log.seconds,
            "cpu": report.log.cpu,
            "machine": report.machine,
            "findings": [
                {
                    "what": cell_text(each.what, language),
                    "paper": cell_json(each.paper, language),
                    "ours": cell_json(each.ours, language),
                    "agrees": each.agrees,
                    "verdict": cell_text(Answer(each.agrees), language),
                    "basis": cell_json(each.basis, language),
                    "rule": cell_json(each.rule, language),
                }
                for each in report.conclusions.findings
            ],
            "tables": {
                table.name: {
                    "title": cell_text(table.title, language),
                    "headings": [cell_text(each, language) for each in table.headings],
                    "rows": [[cell_json(cell, language) for cell in row] for row in table.rows],
                }
                for table in report.conclusions.tables
            },
            "conclusion": dict(conclusion(report, language)),
        }
        for report in reports
    ]


def _files(report: Report, language: str) -> dict[str, Callable[[], str]]:
    """Return by file name a function that returns the content; words are in *language*, en or id.

    The files are ``report.json``, ``report.html``, ``report.md``, and by the name of each table
    ``NAME.csv`` and ``NAME.md``, of each chart ``NAME.svg``.
    """
    number, found = report.run.paper.number, dict[str, Callable[[], str]]()
    found["report.json"] = partial(_json_file, report, language)
    for table in all_tables(report.conclusions):
        found[f"{table.name}.csv"] = partial(table_csv, table, language)
        found[f"{table.name}.md"] = partial(table_markdown, table, language)
    for chart in report.conclusions.charts:
        found[f"{chart.name}.svg"] = partial(
            inline_chart, chart, f"{number}-{chart.name}", language
        )
    found["report.html"] = partial(report_html, [report], language)
    found["report.md"] = partial(report_markdown, [report], language)
    return found


def _json_file(report: Report, language: str) -> str:
    """Return *report* as `report_data` has it in *language*, as the text of a JSON object."""
    (data,) = report_data([report], language)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def contents(report: Report) -> list[str]:
    """Return the names of the files of a report, such as ``report.html``, which `content` makes."""
    return list(_files(report, "en"))


def content(report: Report, name: str, language: str) -> str | None:
    """Return the text of the file *name* of a report, one of `contents`, in *language* (en or id).

    None if it has no such file.
    """
    make = _files(report, language).get(name)
    return None if make is None else make()


def write_tables(reports: Sequence[Report], folder: Path, language: str) -> Iterator[Path]:
    """Write every table to *folder*, in *language*, as Markdown and as CSV; yield the paths.

    The files are called ``NUMBER-NAME.md`` and ``.csv``, by the paper and the table. Each is
    written when its path is asked for, over an old one. Raise OSError if that fails.
    """
    for report in reports:
        for table in all_tables(report.conclusions):
            name = f"{report.run.paper.number}-{table.name}"
            yield write_report_file(folder / f"{name}.md", table_markdown(table, language))
            yield write_report_file(folder / f"{name}.csv", table_csv(table, language))


def write_figures(reports: Sequence[Report], folder: Path, language: str) -> Iterator[Path]:
    """Write every figure to *folder*, in *language*, as SVG; yield the paths.

    The files are called ``NUMBER-NAME.svg``, by the paper and the chart. Each is written when its
    path is asked for, over an old one. Raise OSError if that fails.
    """
    for report in reports:
        for chart in report.conclusions.charts:
            name = f"{report.run.paper.number}-{chart.name}.svg"
            yield write_report_file(folder / name, draw_chart(chart, language))


def write_report_file(path: Path, content: str) -> Path:
    """Write *content* to *path*, whole or not at all, readable by everyone; return *path*.

    Folders that are missing are created, an old file is replaced. Raise OSError if that fails.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_whole(path, content, PUBLIC)
