"""One page of HTML that needs nothing else: for screens, light or dark, and for paper."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from papan.core.text import say
from papan.lab.results import Answer, Cell, Chart, ReportTable
from papan.lab.runs import Report
from papan.lab.writing.figures import inline
from papan.lab.writing.tables import all_tables, as_csv, as_latex, is_number
from papan.lab.writing.words import numbers, show

SIGNS = {"yes": "\u2713", "no": "\u2717", "open": "?", "none": ""}
"""So that colour is never the only sign."""


def as_html(reports: Sequence[Report], language: str) -> str:
    """The whole report."""
    style = files("papan").joinpath("lab", "writing", "report.css").read_text(encoding="utf-8")
    title = escape(say("lab.title", language))
    links = "".join(
        f'<li><a href="#p{each.run.paper.number}">{each.run.paper.number} '
        f"{escape(say(f'game.{each.run.paper.game}', language))}</a></li>"
        for each in reports
    )
    contents = escape(say("lab.contents", language))
    sections = "".join(_section(each, language) for each in reports)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">{escape(say("lab.skip", language))}</a>\n'
        f"<header><h1>{title}</h1>\n<p>{escape(say('lab.introduction', language))}</p>\n"
        f'<nav aria-label="{contents}"><ul>{links}</ul></nav></header>\n'
        f'<main id="main">\n{sections}</main>\n</body>\n</html>\n'
    )


def _section(report: Report, language: str) -> str:
    """One paper: what it says, what we found, and where we differ."""
    paper, found = report.run.paper, report.conclusions
    game = escape(say(f"game.{paper.game}", language))
    parts = [
        f'<section id="p{paper.number}" aria-labelledby="h{paper.number}">',
        f'<h2 id="h{paper.number}">{paper.number} {game}</h2>',
        f'<p><cite lang="id">{escape(paper.title)}</cite><br>'
        f"{escape(paper.authors)}, {paper.year}</p>",
        *_claims(report, language),
        *(_table(report, table, language) for table in all_tables(found)[:1]),
        *(_figure(report, chart, language) for chart in found.charts),
        *(_table(report, table, language) for table in found.tables),
        f"<h3>{escape(say('lab.remarks', language))}</h3>",
        *(f"<p>{escape(show(remark, language))}</p>" for remark in paper.remarks),
        _colophon(report, language),
        "</section>\n",
    ]
    return "\n".join(parts)


def _claims(report: Report, language: str) -> Iterator[str]:
    """The paper in its own words, and translated where the page is not in its language."""
    yield f"<h3>{escape(say('lab.claims', language))}</h3>"
    for claim in report.run.paper.claims:
        quote = f'<blockquote><p lang="id">{escape(show(claim, "id"))}</p>'
        if language != "id":
            quote += f"<p>{escape(show(claim, language))}</p>"
        yield quote + "</blockquote>"


def _table(report: Report, table: ReportTable, language: str) -> str:
    """A table that can be scrolled when it is wider than the screen, and taken along."""
    title = escape(show(table.title, language))
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
        f"<tbody>\n{rows}</tbody></table></div>\n{_downloads(report, table, language)}"
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


def _figure(report: Report, chart: Chart, language: str) -> str:
    """A chart whose ink is that of the page, with its numbers below for whoever cannot see it."""
    name = f"{report.run.paper.number}-{chart.name}"
    picture, title = inline(chart, name, language), escape(show(chart.title, language))
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


def _colophon(report: Report, language: str) -> str:
    """Everything needed to do the same again."""
    return f'<p class="colophon">{escape(colophon(report, language))}</p>'


def colophon(report: Report, language: str) -> str:
    """Seed, version, machine, and the command, in one sentence."""
    run = report.run
    return say(
        "lab.colophon",
        language,
        command=run.command,
        seed=run.seed,
        began=report.began.replace("T", " ").removesuffix("+00:00"),
        seconds=show(round(report.log.seconds), language),
        **report.machine,
    )
