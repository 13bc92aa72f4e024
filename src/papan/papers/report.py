"""The report on runs of papers: as text, JSON, HTML and PDF, and as files in a folder."""

from __future__ import annotations

import io
import json
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from papan.core import PapanError
from papan.core.message import Message, say
from papan.lab.figures import draw, figure_size, inline
from papan.lab.files import PUBLIC, write_whole
from papan.lab.log import Json
from papan.lab.results import (
    Answer,
    Cell,
    Chart,
    Measure,
    ReportTable,
    Verdict,
    all_tables,
    as_csv,
    as_json,
    as_latex,
    as_text,
    escaped,
    is_number,
    numbers,
    show,
)
from papan.papers.paper import Report

if TYPE_CHECKING:
    from fpdf import FPDF

SIGNS: dict[Verdict, str] = {
    "yes": "\u2713",
    "no": "\u2717",
    "open": "?",
    "incomparable": "\u2260",
    "quoted": "\u201c",
    "none": "",
}
"""So that colour is never the only sign."""


def as_html(reports: Sequence[Report], language: str) -> str:
    """The whole report."""
    style = files("papan").joinpath("papers", "report.css").read_text(encoding="utf-8")
    title = escape(say("lab.title", language))
    links = "".join(
        f'<li><a href="#p{each.run.paper.number}">{each.run.paper.number} '
        f"{escape(say(f'game.{each.run.paper.game}', language))}</a></li>"
        for each in reports
    )
    contents = escape(say("lab.contents", language))
    numbering = Numbering(language)
    overview = _grid(summary(reports), numbering)
    sections = "".join(_section(each, numbering) for each in reports)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">{escape(say("lab.skip", language))}</a>\n'
        f"<header><h1>{title}</h1>\n<p>{escape(say('lab.introduction', language))}</p>\n"
        f'<nav aria-label="{contents}"><ul>{links}</ul></nav></header>\n'
        f'<main id="main">\n{overview}{sections}</main>\n</body>\n</html>\n'
    )


class Words(NamedTuple):
    """Words on the page of a paper: a heading, paragraphs, a list, small print at the end; or a
    quotation, with its translation where the page is in another language."""

    kind: Literal["heading", "text", "quote", "list", "small"]
    texts: Sequence[str]


def section(report: Report, language: str) -> Iterator[Words | ReportTable | Chart]:
    """One paper: what it says, what we found, and where we differ."""
    paper, found = report.run.paper, report.conclusions
    comparison, *others = all_tables(found)

    def heading(name: str) -> Words:
        return Words("heading", [say(f"lab.{name}", language)])

    yield Words("text", [show(paper.abstract, language)])
    yield heading("claims")
    for claim in paper.claims:
        yield Words("quote", [show(claim, each) for each in dict.fromkeys(("id", language))])
    yield comparison
    yield from found.charts
    yield from others
    yield heading("conclusion")
    yield Words("text", [": ".join(each) for each in conclusion(report, language)])
    yield heading("remarks")
    yield Words("text", [show(each, language) for each in paper.remarks])
    yield heading("errata")
    yield Words("list", [show(each, language) for each in paper.errata])
    yield Words("small", [colophon(report, language)])


def _section(report: Report, numbering: Numbering) -> str:
    """One paper, as a part of the page."""
    paper, language = report.run.paper, numbering.language
    game = escape(say(f"game.{paper.game}", language))
    parts = [
        f'<section id="p{paper.number}" aria-labelledby="h{paper.number}">',
        f'<h2 id="h{paper.number}">{paper.number} {game}</h2>',
        f'<p><cite lang="id">{escape(paper.title)}</cite><br>'
        f"{escape(paper.authors)}, {paper.year}<br>{escape(paper.affiliation)}</p>",
        *(_part(report, each, numbering) for each in section(report, language)),
        "</section>\n",
    ]
    return "\n".join(parts)


def _part(report: Report, part: Words | ReportTable | Chart, numbering: Numbering) -> str:
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
            return f'<blockquote><p lang="id">{texts[0]}</p>{translated}</blockquote>'
        case "text":
            return "\n".join(f"<p>{text}</p>" for text in texts)
        case "list":
            return "<ul>" + "".join(f"<li>{text}</li>" for text in texts) + "</ul>"
        case "small":
            return f'<p class="colophon">{texts[0]}</p>'


def _grid(table: ReportTable, numbering: Numbering) -> str:
    """A table that can be scrolled when it is wider than the screen."""
    language, title = numbering.language, escape(numbering.title(table))
    sides = ["number" if is_number(table, each) else "" for each in range(len(table.headings))]
    heads = "".join(
        f'<th scope="col"{_class(side)}>{escape(show(heading, language))}</th>'
        for heading, side in zip(table.headings, sides)
    )
    rows = "".join(
        "<tr>" + "".join(_cell(cell, side, language) for cell, side in zip(row, sides)) + "</tr>\n"
        for row in table.rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{title}">'
        f"<table><caption><span>{title}</span></caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody></table></div>\n"
    )


def _cell(cell: Cell, side: str, language: str) -> str:
    text = escape(show(cell, language))
    if not isinstance(cell, Answer):
        return f"<td{_class(side)}>{text}</td>"
    sign = f'<span aria-hidden="true">{SIGNS[cell.verdict]}</span> ' if SIGNS[cell.verdict] else ""
    return f'<td class="{cell.verdict}">{sign}{text}</td>'


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _downloads(report: Report, table: ReportTable, language: str) -> str:
    """The same table for programs and for papers, inside the page."""
    name = f"{report.run.paper.number}-{table.name}"
    files = {
        "csv": as_csv(table, language),
        "tex": as_latex(table, language, name),
    }
    links = (
        f'<a download="{name}.{kind}" href="data:text/plain;charset=utf-8;base64,'
        f'{b64encode(text.encode()).decode()}">{name}.{kind}</a>'
        for kind, text in files.items()
    )
    return f'<p class="files">{" ".join(links)}</p>\n'


def _figure(report: Report, chart: Chart, numbering: Numbering) -> str:
    """A chart whose ink is that of the page, with its numbers below for whoever cannot see it."""
    name, language = f"{report.run.paper.number}-{chart.name}", numbering.language
    picture, title = inline(chart, name, language), escape(numbering.title(chart))
    return (
        f'<figure><div class="scroll" role="region" tabindex="0" aria-label="{title}">'
        f"{picture}</div><figcaption>{title}</figcaption>\n"
        f"<details><summary>{escape(say('lab.numbers', language))}</summary>"
        f"{_numbers(chart, language)}</details></figure>\n"
    )


def _numbers(chart: Chart, language: str) -> str:
    """What the chart shows, as a list for each series."""
    lists = (
        f"<dt>{escape(label)}</dt><dd>{escape(points)}</dd>"
        for label, points in numbers(chart, language)
    )
    return f"<dl>{''.join(lists)}</dl>"


def conclusion(report: Report, language: str) -> Iterator[tuple[str, str]]:
    """What follows from a run, each part with its heading."""
    for heading, sentences in report.run.paper.conclusion(report.conclusions.findings):
        yield show(heading, language), " ".join(show(each, language) for each in sentences)


def colophon(report: Report, language: str) -> str:
    """Seed, version, machine, and the command, in one sentence."""
    run = report.run
    return say(
        "lab.colophon",
        language,
        command=run.command,
        seed=run.seed,
        began=report.began.replace("T", " ").removesuffix("+00:00"),
        cpu=show(cpu(report), language),
        **report.machine,
    )


def cpu(report: Report) -> int | None:
    """Whole seconds of the processor that a run took, where it is known."""
    return None if report.log.cpu is None else round(report.log.cpu)


def summary(reports: Sequence[Report]) -> ReportTable:
    """How many lines of each paper hold, do not, or are not decided."""
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
    """Counts the tables and figures of a report, and calls each by its number."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._counts = Counter[str]()

    def title(self, shown: ReportTable | Chart) -> str:
        """The title of the next table or figure."""
        kind = "table" if isinstance(shown, ReportTable) else "figure"
        self._counts[kind] += 1
        title = show(shown.title, self.language)
        return say(f"lab.{kind}_number", self.language, number=self._counts[kind], title=title)


FONT = "DejaVu"
FACES = {"": "DejaVuSans.ttf", "B": "DejaVuSans-Bold.ttf", "I": "DejaVuSans-Oblique.ttf"}
"""The fonts that matplotlib brings: they know every sign that a report writes."""
ROOM = 35
"""Millimetres that a heading and the beginning of what follows need."""
GREY = 160
"""Of the lines in tables."""
WIDTH = 150
"""The width of a figure, in millimetres."""
WIDEST, SPACE = 60.0, 3.0
"""Millimetres of text that a column asks for at most, and what it leaves free beside it."""
BOLD = 1.2
"""How much wider the letters of headings are."""


def as_pdf(reports: Sequence[Report], language: str) -> bytes:
    """The whole report."""
    pages, numbering = new_pages(language, say("lab.title", language)), Numbering(language)
    pages.add_page()
    paragraph(pages, say("lab.title", language), 18, "B")
    paragraph(pages, say("lab.introduction", language))
    _pdf_table(pages, summary(reports), numbering)
    for report in reports:
        pages.add_page()
        _pdf_section(pages, report, numbering)
    return bytes(pages.output())


def new_pages(language: str, title: str) -> FPDF:
    """A document without pages yet, with its fonts and the numbers at the feet of pages."""
    try:
        from fpdf import FPDF
    except ImportError:
        raise PapanError("lab.needs_extra") from None

    class Pages(FPDF):  # type: ignore[misc]
        def footer(self) -> None:
            """The number of the page, at its foot."""
            self.set_y(-12)
            self.set_font(FONT, "", 7.5)
            text = say("lab.page_number", language, page=self.page_no(), pages="{nb}")
            self.cell(0, 4, text, align="C")

    pages = Pages()
    pages.set_lang(language)
    pages.set_title(title)
    pages.set_auto_page_break(True, margin=18)
    pages.set_margin(18)
    fonts = files("matplotlib").joinpath("mpl-data", "fonts", "ttf")
    for face, name in FACES.items():
        pages.add_font(FONT, face, str(fonts.joinpath(name)))
    return pages


def _pdf_section(pages: FPDF, report: Report, numbering: Numbering) -> None:
    paper, language = report.run.paper, numbering.language
    name = f"{paper.number} {say(f'game.{paper.game}', language)}"
    pages.start_section(name)
    paragraph(pages, name, 15, "B", above=4)
    paragraph(pages, paper.title, 9, "I")
    paragraph(pages, f"{paper.authors}, {paper.year}. {paper.affiliation}")
    for part in section(report, language):
        if isinstance(part, ReportTable):
            _pdf_table(pages, part, numbering)
        elif isinstance(part, Chart):
            _pdf_figure(pages, part, numbering)
        elif part.kind == "heading":
            heading(pages, part.texts[0], 11)
        elif part.kind == "small":
            paragraph(pages, part.texts[0], 7.5, above=3)
        else:
            for place, text in enumerate(part.texts):
                paragraph(pages, text, 9, "I" if part.kind == "quote" and not place else "")


def paragraph(pages: FPDF, text: str, size: float = 9, face: str = "", above: float = 0.0) -> None:
    """A paragraph."""
    pages.ln(above)
    pages.set_font(FONT, face, size)
    pages.multi_cell(0, size * 0.5, text, new_x="LMARGIN", new_y="NEXT", align="L")
    pages.ln(1)


def heading(pages: FPDF, text: str, size: float) -> None:
    """A heading, never alone at the end of a page."""
    if pages.will_page_break(ROOM):
        pages.add_page()
    paragraph(pages, text, size, "B", above=3)


def _pdf_figure(pages: FPDF, chart: Chart, numbering: Numbering) -> None:
    """A chart with its title, kept together on one page."""
    title, language = numbering.title(chart), numbering.language
    width, height = figure_size(chart, language)
    if pages.will_page_break(WIDTH * height / width + 12):
        pages.add_page()
    pages.ln(3)
    pages.image(io.BytesIO(draw(chart, language, "png")), w=WIDTH, alt_text=title)
    paragraph(pages, title, 9, "B")


def _pdf_table(pages: FPDF, table: ReportTable, numbering: Numbering) -> None:
    """A table over as many pages as it needs, with its headings on each."""
    language = numbering.language
    heading(pages, numbering.title(table), 10)
    pages.set_font(FONT, "", 7)
    pages.set_draw_color(GREY)
    columns = range(len(table.headings))
    sides = ["RIGHT" if is_number(table, column) else "LEFT" for column in columns]
    with pages.table(
        borders_layout="HORIZONTAL_LINES",
        col_widths=[_width(pages, table, column, language) for column in columns],
        text_align=sides,
        line_height=3.6,
        padding=(0.6, 1.2),
    ) as grid:
        for line in (table.headings, *table.rows):
            row = grid.row()
            for cell in line:
                row.cell(show(cell, language))


def _width(pages: FPDF, table: ReportTable, column: int, language: str) -> float:
    """The room a column asks for: long texts are folded, so that numbers and words need not be."""
    texts = (show(row[column], language) for row in table.rows)
    cells = max(map(pages.get_string_width, texts), default=0.0)
    words = show(table.headings[column], language).split()
    heading = BOLD * max(map(pages.get_string_width, words))
    width: float = max(min(cells, WIDEST), heading) + SPACE
    return width


def as_plain(reports: Sequence[Report], language: str) -> str:
    """The comparison with each paper, as text."""
    pages = []
    for report in reports:
        paper = report.run.paper
        heading = f"{paper.number}  {paper.title} ({paper.authors}, {paper.year})"
        follows = (": ".join(part) for part in conclusion(report, language))
        remarks = (*follows, *(show(each, language) for each in paper.remarks))
        tables = (as_text(table, language) for table in all_tables(report.conclusions))
        pages.append("\n\n".join([heading, *tables, *remarks, colophon(report, language)]))
    return "\n\n\n".join(pages) + "\n"


def as_data(reports: Sequence[Report], language: str) -> Json:
    """Findings, tables and the conclusion as JSON, with the words of one language."""
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
                    "what": show(each.what, language),
                    "paper": as_json(each.paper, language),
                    "ours": as_json(each.ours, language),
                    "agrees": each.agrees,
                    "verdict": show(Answer(each.agrees), language),
                    "basis": as_json(each.basis, language),
                }
                for each in report.conclusions.findings
            ],
            "tables": {
                table.name: {
                    "title": show(table.title, language),
                    "headings": [show(each, language) for each in table.headings],
                    "rows": [[as_json(cell, language) for cell in row] for row in table.rows],
                }
                for table in report.conclusions.tables
            },
            "conclusion": dict(conclusion(report, language)),
        }
        for report in reports
    ]


def _files(report: Report, language: str) -> dict[str, Callable[[], str | bytes]]:
    """The files of a report, each by its name with what makes it."""
    number, found = report.run.paper.number, dict[str, Callable[[], str | bytes]]()
    found["report.json"] = partial(_as_json_file, report, language)
    for table in all_tables(report.conclusions):
        found[f"{table.name}.csv"] = partial(as_csv, table, language)
        found[f"{table.name}.tex"] = partial(as_latex, table, language, f"{number}-{table.name}")
    for chart in report.conclusions.charts:
        found[f"{chart.name}.svg"] = partial(inline, chart, f"{number}-{chart.name}", language)
    found["report.html"] = partial(as_html, [report], language)
    found["report.pdf"] = partial(as_pdf, [report], language)
    return found


def _as_json_file(report: Report, language: str) -> str:
    (data,) = as_data([report], language)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def contents(report: Report) -> list[str]:
    """The files of a report, each by its name; figures and PDF only where they can be drawn."""
    drawn = find_spec("matplotlib") is not None
    pages = {"svg": drawn, "html": drawn, "pdf": drawn and find_spec("fpdf") is not None}
    return [name for name in _files(report, "en") if pages.get(name.rpartition(".")[2], True)]


def content(report: Report, name: str, language: str) -> str | bytes | None:
    """What the file *name* of a report holds; None where a report has no such file."""
    make = _files(report, language).get(name)
    return None if make is None else make()


PREAMBLE = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=15mm]{geometry}
\usepackage{longtable}
\setlength{\tabcolsep}{3pt}
\IfFileExists{booktabs.sty}{\usepackage{booktabs}}
  {\newcommand{\toprule}{\hline}\newcommand{\midrule}{\hline}\newcommand{\bottomrule}{\hline}}
\begin{document}
"""


def as_document(reports: Sequence[Report], language: str) -> str:
    """All tables as one document for LaTeX, which needs nothing beside it."""
    overview = as_latex(summary(reports), language, "summary")
    table = escaped(say("lab.table_word", language))
    parts = [PREAMBLE, rf"\renewcommand{{\tablename}}{{{table}}}"]
    parts += [rf"\title{{{escaped(say('lab.title', language))}}}", r"\date{}\maketitle"]
    parts += [escaped(say("lab.introduction", language)), overview]
    for report in reports:
        paper = report.run.paper
        name = f"{paper.number} {say(f'game.{paper.game}', language)}"
        origin = f"{paper.title}. {paper.authors}, {paper.year}."
        parts += [rf"\clearpage\section*{{{escaped(name)}}}", escaped(origin)]
        tables = all_tables(report.conclusions)
        parts += [as_latex(each, language, f"{paper.number}-{each.name}") for each in tables]
        parts += [r"\clearpage", escaped(colophon(report, language))]
    return "\n\n".join([*parts, r"\end{document}", ""])


def write_tables(reports: Sequence[Report], folder: Path, language: str) -> Iterator[Path]:
    """Every table as text, CSV and LaTeX, and all of them as one document for LaTeX."""
    yield write(folder / "report.tex", as_document(reports, language))
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


def write(path: Path, content: str | bytes) -> Path:
    """Put *content* into a file of a report, which everyone may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_whole(path, content, PUBLIC)
