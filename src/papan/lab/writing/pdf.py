"""The report as PDF: pages that print as they are, with figures, tables and a contents list."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from papan.core import PapanError
from papan.core.text import say
from papan.lab.results import Chart, ReportTable
from papan.lab.runs import Report
from papan.lab.writing.figures import draw, figure_size
from papan.lab.writing.html import colophon
from papan.lab.writing.tables import all_tables, is_number
from papan.lab.writing.words import show

if TYPE_CHECKING:
    from fpdf import FPDF

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
    pages = _pages(language)
    pages.add_page()
    _line(pages, say("lab.title", language), 18, "B")
    _line(pages, say("lab.introduction", language))
    for report in reports:
        if report is not reports[0]:
            pages.add_page()
        _section(pages, report, language)
    return bytes(pages.output())


def _pages(language: str) -> FPDF:
    try:
        from fpdf import FPDF
    except ImportError:
        raise PapanError("lab.needs_extra") from None
    pages = FPDF()
    pages.set_lang(language)
    pages.set_title(say("lab.title", language))
    pages.set_auto_page_break(True, margin=18)
    pages.set_margin(18)
    fonts = files("matplotlib").joinpath("mpl-data", "fonts", "ttf")
    for face, name in FACES.items():
        pages.add_font(FONT, face, str(fonts.joinpath(name)))
    return pages


def _section(pages: FPDF, report: Report, language: str) -> None:
    paper, found = report.run.paper, report.conclusions
    name = f"{paper.number} {say(f'game.{paper.game}', language)}"
    pages.start_section(name)
    _line(pages, name, 15, "B", above=4)
    _line(pages, paper.title, 9, "I")
    _line(pages, f"{paper.authors}, {paper.year}")
    _heading(pages, say("lab.claims", language), 11)
    for claim in paper.claims:
        _line(pages, show(claim, "id"), 9, "I")
        if language != "id":
            _line(pages, show(claim, language))
    comparison, *others = all_tables(found)
    _table(pages, comparison, language)
    for chart in found.charts:
        _figure(pages, chart, language)
    for table in others:
        _table(pages, table, language)
    _heading(pages, say("lab.remarks", language), 11)
    for remark in paper.remarks:
        _line(pages, show(remark, language))
    _line(pages, colophon(report, language), 7.5, above=3)


def _line(pages: FPDF, text: str, size: float = 9, face: str = "", above: float = 0.0) -> None:
    """A paragraph."""
    pages.ln(above)
    pages.set_font(FONT, face, size)
    pages.multi_cell(0, size * 0.5, text, new_x="LMARGIN", new_y="NEXT", align="L")
    pages.ln(1)


def _heading(pages: FPDF, text: str, size: float) -> None:
    """A heading, never alone at the end of a page."""
    if pages.will_page_break(ROOM):
        pages.add_page()
    _line(pages, text, size, "B", above=3)


def _figure(pages: FPDF, chart: Chart, language: str) -> None:
    """A chart with its title, kept together on one page."""
    title = show(chart.title, language)
    width, height = figure_size(chart, language)
    if pages.will_page_break(WIDTH * height / width + 12):
        pages.add_page()
    pages.ln(3)
    pages.image(io.BytesIO(draw(chart, language, "png")), w=WIDTH, alt_text=title)
    _line(pages, title, 9, "B")


def _table(pages: FPDF, table: ReportTable, language: str) -> None:
    """A table over as many pages as it needs, with its headings on each."""
    _heading(pages, show(table.title, language), 10)
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
    return max(min(cells, WIDEST), heading) + SPACE
