"""A sheet of puzzles for class: boards and questions first, the answers on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from papan.core import Analysis, InvalidSpecError
from papan.core.message import text_of
from papan.core.parts import Drawing
from papan.lab.files import PUBLIC, write_whole
from papan.puzzles import Puzzle, question, title
from papan.puzzles.themes import right_moves, solved

STYLE = "/static/css/sheet.css"
"""Addresses of the style, and of the script of the print button, in the web app."""
SCRIPT = "/static/js/print.js"
FIELDS = ("puzzle.pupil", "puzzle.class", "puzzle.date")
"""Fields to fill in at the head of a sheet."""
MOST_SHOWN = 8
"""Maximum number of moves of best play that an answer shows."""


class Item(NamedTuple):
    """A printed puzzle."""

    title: str
    question: str
    board: str
    """The board as SVG."""
    answer: str


def items(puzzles: Sequence[Puzzle], language: str) -> list[Item]:
    """Return the printed form of each puzzle, with the solver's answer."""
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
    """Return the one right move and best play, or all moves that clear a board."""
    name, right = puzzle.position.game.move_name, right_moves(puzzle.position, found)
    if len(right) > 1 or len(found.line) == 1:
        return " ".join(map(name, found.line))
    line = " ".join(map(name, found.line[:MOST_SHOWN]))
    line += " \u2026" if len(found.line) > MOST_SHOWN else ""
    return text_of("puzzle.answer_line", language, move=name(right[0]), line=line)


def write_sheet(puzzles: Sequence[Puzzle], path: Path, language: str) -> Path:
    """Write a sheet as HTML and return *path*; raise InvalidSpecError unless it ends in .html."""
    if path.suffix != ".html":
        raise InvalidSpecError("puzzle.bad_sheet", path=path)
    return write_whole(path, sheet_html(puzzles, language), PUBLIC)


def sheet_html(puzzles: Sequence[Puzzle], language: str, served: bool = False) -> str:
    """Return a page for printing: *served* with the web app's style, else self-contained."""

    def words(key: str) -> str:
        return escape(text_of(key, language))

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
