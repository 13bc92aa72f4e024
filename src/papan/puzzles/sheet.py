"""A sheet of puzzles for class: boards and questions first, the answers on a page of their own."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from papan.core import Analysis, InvalidSpecError
from papan.core.message import say
from papan.core.parts import Drawing
from papan.lab.files import PUBLIC, write_whole
from papan.papers.report import FONT, heading, new_pages, paragraph
from papan.puzzles import Puzzle, question, title
from papan.puzzles.themes import right_moves, solved

if TYPE_CHECKING:
    from fpdf import FPDF

STYLE = "/static/css/sheet.css"
"""Where the pages of the web app have the style, and the script of the button to print."""
SCRIPT = "/static/js/print.js"
FIELDS = ("puzzle.pupil", "puzzle.class", "puzzle.date")
"""What is filled in at the head of a sheet."""
ACROSS, DOWN = 2, 3
"""How many boards stand side by side, and below each other on a page of a PDF."""
CELL_WIDTH, CELL_HEIGHT = 90.0, 87.0
BOARD_WIDTH, BOARD_HEIGHT = 78.0, 46.0
"""Millimetres."""
LEFT, TOP = 18.0, 20.0
MOST_SHOWN = 8
"""How many moves of best play an answer has, after which it is seen where it leads."""


class Item(NamedTuple):
    """A puzzle as it is printed."""

    title: str
    question: str
    board: str
    """The drawing, as SVG."""
    answer: str


def items(puzzles: Sequence[Puzzle], language: str) -> list[Item]:
    """What is printed of each puzzle: by the solver, as no solution is written down."""
    found = [solved(each.position) for each in puzzles]
    return [
        Item(
            f"{number}. {title(each, language)}",
            question(each, truth, language),
            Drawing.of(each.position).svg(),
            answer(each, truth, language),
        )
        for number, (each, truth) in enumerate(zip(puzzles, found), 1)
    ]


def answer(puzzle: Puzzle, found: Analysis, language: str) -> str:
    """The one right move and best play, or all that clears a board."""
    name, right = puzzle.position.game.move_name, right_moves(puzzle.position, found)
    if len(right) > 1 or len(found.line) == 1:
        return " ".join(map(name, found.line))
    line = " ".join(map(name, found.line[:MOST_SHOWN]))
    line += " \u2026" if len(found.line) > MOST_SHOWN else ""
    return say("puzzle.answer_line", language, move=name(right[0]), line=line)


def write_sheet(puzzles: Sequence[Puzzle], path: Path, language: str) -> Path:
    """The sheet in a file, as HTML or PDF by how its name ends."""
    if path.suffix not in (".html", ".pdf"):
        raise InvalidSpecError("puzzle.bad_sheet", path=path)
    whole = as_html(puzzles, language) if path.suffix == ".html" else as_pdf(puzzles, language)
    return write_whole(path, whole, PUBLIC)


def as_html(puzzles: Sequence[Puzzle], language: str, served: bool = False) -> str:
    """A page that prints well; *served* with the web app's style, else it needs nothing else."""

    def words(key: str) -> str:
        return escape(say(key, language))

    printed = items(puzzles, language)
    boards = "".join(
        f"<li><h2>{escape(each.title)}</h2><p>{escape(each.question)}</p>{each.board}"
        f'<p class="line">{words("puzzle.answer")}</p></li>\n'
        for each in printed
    )
    answers = "".join(f"<li>{escape(each.answer)}</li>" for each in printed)
    fields = "".join(f'<p class="line">{words(key)}</p>' for key in FIELDS)
    button = f'<button type="button">{words("puzzle.print")}</button>\n'
    style = files("papan").joinpath("web", *STYLE.split("/")).read_text(encoding="utf-8")
    head = f'<link rel="stylesheet" href="{STYLE}">\n<script src="{SCRIPT}" defer></script>'
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{words('puzzle.sheet')}</title>\n"
        f"{head if served else f'<style>{style}</style>'}\n</head>\n<body>\n<main>\n"
        f"{button if served else ''}<h1>{words('puzzle.sheet')}</h1>\n"
        f'<div class="fields">{fields}</div>\n<ol class="sheet">\n{boards}</ol>\n'
        f"<section><h1>{words('puzzle.answers')}</h1><ol>{answers}</ol></section>\n"
        "</main>\n</body>\n</html>\n"
    )


def as_pdf(puzzles: Sequence[Puzzle], language: str) -> bytes:
    """The same to print: six boards on a page."""
    pages = new_pages(language, say("puzzle.sheet", language))
    pages.set_auto_page_break(False)
    printed = items(puzzles, language)
    for number, each in enumerate(printed):
        row, column = divmod(number % (ACROSS * DOWN), ACROSS)
        if not row and not column:
            pages.add_page()
            _fields(pages, language)
        _cell(pages, each, LEFT + column * CELL_WIDTH, TOP + row * CELL_HEIGHT, language)
    pages.set_margin(LEFT)
    pages.set_auto_page_break(True, margin=LEFT)
    pages.add_page()
    heading(pages, say("puzzle.answers", language), 14)
    for number, each in enumerate(printed, 1):
        paragraph(pages, f"{number}. {each.answer}")
    return bytes(pages.output())


def _fields(pages: FPDF, language: str) -> None:
    """Lines to fill in, at the head of a page."""
    width = (ACROSS * CELL_WIDTH) / len(FIELDS)
    for place, key in enumerate(FIELDS):
        _line(pages, say(key, language), LEFT + place * width, TOP - 8, width - 6)


def _cell(pages: FPDF, item: Item, x: float, y: float, language: str) -> None:
    """One puzzle, with a line for its answer."""
    pages.set_left_margin(x)
    pages.set_right_margin(pages.w - x - BOARD_WIDTH)
    pages.set_xy(x, y)
    paragraph(pages, item.title, 9, "B")
    paragraph(pages, item.question, 8)
    svg = io.BytesIO(plain_svg(item.board).encode())
    low = y + CELL_HEIGHT - BOARD_HEIGHT - 12
    pages.image(svg, x=x, y=low, w=BOARD_WIDTH, h=BOARD_HEIGHT, keep_aspect_ratio=True)
    _line(pages, say("puzzle.answer", language), x, y + CELL_HEIGHT - 6, BOARD_WIDTH)


def _line(pages: FPDF, words: str, x: float, y: float, width: float) -> None:
    """Words, and a line to write on behind them."""
    pages.set_font(FONT, "", 8)
    pages.text(x, y, words)
    pages.set_line_width(0.2)
    pages.line(x + pages.get_string_width(words) + 2, y, x + width, y)


def plain_svg(svg: str) -> str:
    """The drawing without what fpdf does not know: unseen words, and a colour that is none."""
    seen = re.sub(r"<(title|desc)>.*?</\1>", "", svg, flags=re.S)
    return seen.replace('"transparent"', '"none"')
