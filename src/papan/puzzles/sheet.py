"""A sheet of puzzles for class: boards and questions first, the answers on a page of their own."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from papan.core import InvalidSpecError
from papan.core.text import say
from papan.lab.files import PUBLIC, write_whole
from papan.papers.report import heading, new_pages, paragraph
from papan.puzzles import Puzzle, question, title
from papan.puzzles.themes import right_moves, solved

STYLE = """
.sheet { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.5rem; padding: 0; }
.sheet li { list-style-position: inside; break-inside: avoid; }
.sheet svg { display: block; width: 100%; max-height: 17rem; height: auto; }
"""
ACROSS, DOWN = 2, 3
"""How many boards stand side by side, and below each other on a page of a PDF."""
CELL_WIDTH, CELL_HEIGHT = 90.0, 88.0
BOARD_WIDTH, BOARD_HEIGHT = 78.0, 66.0
"""Millimetres."""
LEFT, TOP = 18.0, 16.0


def write_sheet(puzzles: Sequence[Puzzle], path: Path, language: str) -> Path:
    """The sheet in a file, as HTML or PDF by how its name ends."""
    if path.suffix not in (".html", ".pdf"):
        raise InvalidSpecError("puzzle.bad_sheet", path=path)
    whole = as_html(puzzles, language) if path.suffix == ".html" else as_pdf(puzzles, language)
    return write_whole(path, whole, PUBLIC)


def as_html(puzzles: Sequence[Puzzle], language: str) -> str:
    """One page that needs nothing else, and prints well."""
    style = files("papan").joinpath("papers", "report.css").read_text(encoding="utf-8") + STYLE
    name = escape(say("puzzle.sheet", language))
    boards = "".join(
        f"<li><strong>{escape(title(each, language))}</strong>"
        f"<p>{escape(asked)}</p>{each.position.svg()}</li>\n"
        for each, (asked, _) in zip(puzzles, _solved(puzzles, language))
    )
    answers = "".join(f"<li>{escape(right)}</li>" for _, right in _solved(puzzles, language))
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{name}</h1>\n<ol class="sheet">\n{boards}</ol>\n'
        f"<section><h2>{escape(say('puzzle.answers', language))}</h2><ol>{answers}</ol></section>\n"
        "</main>\n</body>\n</html>\n"
    )


def as_pdf(puzzles: Sequence[Puzzle], language: str) -> bytes:
    """The same to print: six boards on a page."""
    pages = new_pages(language, say("puzzle.sheet", language))
    pages.set_auto_page_break(False)
    for number, (each, (asked, _)) in enumerate(zip(puzzles, _solved(puzzles, language))):
        row, column = divmod(number % (ACROSS * DOWN), ACROSS)
        if not row and not column:
            pages.add_page()
        x, y = LEFT + column * CELL_WIDTH, TOP + row * CELL_HEIGHT
        pages.set_left_margin(x)
        pages.set_right_margin(pages.w - x - BOARD_WIDTH)
        pages.set_xy(x, y)
        paragraph(pages, f"{number + 1}. {title(each, language)}", 9, "B")
        paragraph(pages, asked, 8)
        svg = plain_svg(each.position.svg()).encode()
        pages.image(
            io.BytesIO(svg),
            x=x,
            y=y + CELL_HEIGHT - BOARD_HEIGHT - 4,
            w=BOARD_WIDTH,
            h=BOARD_HEIGHT,
            keep_aspect_ratio=True,
        )
    pages.set_margin(LEFT)
    pages.set_auto_page_break(True, margin=LEFT)
    pages.add_page()
    heading(pages, say("puzzle.answers", language), 14)
    for number, (_, right) in enumerate(_solved(puzzles, language), 1):
        paragraph(pages, f"{number}. {right}")
    return bytes(pages.output())


def plain_svg(svg: str) -> str:
    """The drawing without what fpdf does not know: unseen words, and a colour that is none."""
    seen = re.sub(r"<(title|desc)>.*?</\1>", "", svg, flags=re.S)
    return seen.replace('"transparent"', '"none"')


def _solved(puzzles: Sequence[Puzzle], language: str) -> Iterator[tuple[str, str]]:
    """What is asked, and the answer: the right moves of one decision, else a whole line."""
    for each in puzzles:
        found = solved(each.position)
        right = right_moves(each.position, found)
        moves = right if len(right) == 1 else found.line
        name = each.position.game.move_name
        line = " ".join(map(name, found.line))
        answer = " ".join(map(name, moves))
        answer = answer if answer == line else f"{answer} ({line})"
        yield question(each, found, language), answer
