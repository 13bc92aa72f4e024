"""Tables as text, CSV and LaTeX; the comparison with the paper is a table like any other."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from rich import table as rich_table
from rich.console import Console

from papan.lab.results import Answer, Cell, Conclusions, Measure, ReportTable, Text
from papan.lab.writing.words import show

WIDTH = 110

LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\u2212": "$-$",
    "\u2013": "--",
    "\u00b5": r"\textmu{}",
    "\u2192": r"$\to$",
    "\u221e": r"$\infty$",
}
"""What LaTeX reads as something else, or does not know."""


def comparison(conclusions: Conclusions) -> ReportTable:
    """Paper value, our value, and whether they agree."""
    rows = tuple(
        (each.what, each.paper, each.ours, Answer(each.agrees)) for each in conclusions.findings
    )
    keys = ("lab.what", "lab.paper_value", "lab.our_value", "lab.agrees")
    return ReportTable("claims", Text("lab.comparison"), tuple(map(Text, keys)), rows)


def all_tables(conclusions: Conclusions) -> tuple[ReportTable, ...]:
    """The comparison first, then what it rests on."""
    return comparison(conclusions), *conclusions.tables


def is_number(table: ReportTable, column: int) -> bool:
    """Does a column hold numbers, which are set to the right?"""
    cells = [row[column] for row in table.rows if row[column] is not None]
    return bool(cells) and all(isinstance(cell, (int, float, Measure)) for cell in cells)


def as_text(table: ReportTable, language: str) -> str:
    """The table for a terminal or a text file; long cells are folded, nothing is cut."""
    grid = rich_table.Table(box=None, pad_edge=False, title_justify="left")
    for column, heading in enumerate(table.headings):
        side = "right" if is_number(table, column) else "left"
        grid.add_column(show(heading, language), justify=side, overflow="fold")  # type: ignore[arg-type]
    for row in table.rows:
        grid.add_row(*(show(cell, language).replace("[", r"\[") for cell in row))
    page = io.StringIO()
    Console(file=page, width=WIDTH, no_color=True, highlight=False).print(grid)
    lines = [line.rstrip() for line in page.getvalue().splitlines()]
    return "\n".join([show(table.title, language), "", *lines])


def as_csv(table: ReportTable, language: str) -> str:
    """The table for programs: plain numbers, and the ends of intervals in columns of their own."""
    page = io.StringIO()
    lines = csv.writer(page, lineterminator="\n")
    spans = [column for column in range(len(table.headings)) if _has_interval(table, column)]
    headings = [show(heading, language) for heading in table.headings]
    lines.writerow(
        _spread(headings, spans, [[f"{each} (low)", f"{each} (high)"] for each in headings])
    )
    for row in table.rows:
        ends = [[cell.low, cell.high] if isinstance(cell, Measure) else ["", ""] for cell in row]
        lines.writerow(_spread([_plain(cell, language) for cell in row], spans, ends))
    return page.getvalue()


def _has_interval(table: ReportTable, column: int) -> bool:
    cells = (row[column] for row in table.rows)
    return any(isinstance(cell, Measure) and not cell.counted for cell in cells)


def _spread(
    cells: Sequence[object], spans: Sequence[int], ends: Sequence[Sequence[object]]
) -> list[object]:
    """The cells of a line, with the ends of intervals after those that have some."""
    line: list[object] = []
    for column, cell in enumerate(cells):
        line += [cell, *(ends[column] if column in spans else ())]
    return line


def _plain(cell: Cell, language: str) -> object:
    if isinstance(cell, Measure):
        return cell.value
    return "" if cell is None else cell if isinstance(cell, (int, float)) else show(cell, language)


def as_latex(table: ReportTable, language: str, label: str) -> str:
    r"""The table for a paper; it needs \usepackage{booktabs}."""
    wide = max(range(len(table.headings)), key=lambda column: _longest(table, column, language))
    sides = ["r" if is_number(table, each) else "l" for each in range(len(table.headings))]
    if _longest(table, wide, language) > 30:
        sides[wide] = r"p{0.4\linewidth}"
    rows = [
        " & ".join(escaped(show(cell, language)) for cell in row) + r" \\" for row in table.rows
    ]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering\small",
            rf"\caption{{{escaped(show(table.title, language))}}}",
            rf"\label{{tab:{label}}}",
            rf"\begin{{tabular}}{{{''.join(sides)}}}",
            r"\toprule",
            " & ".join(escaped(show(each, language)) for each in table.headings) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _longest(table: ReportTable, column: int, language: str) -> int:
    return max((len(show(row[column], language)) for row in table.rows), default=0)


def escaped(text: str) -> str:
    """*text* as LaTeX prints it."""
    return "".join(LATEX.get(letter, letter) for letter in text)
