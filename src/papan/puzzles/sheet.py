"""A sheet of puzzles for class: boards and questions first, the answers on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from papan.core import InvalidSpecError
from papan.core.message import text_of
from papan.core.parts import Drawing
from papan.lab.files import PUBLIC, write_whole
from papan.puzzles import Puzzle, in_words, question, title
from papan.puzzles.answers import PuzzleAnswer, sentences

STYLE = "/static/css/sheet.css"
"""Address of the style sheet in the web app."""
SCRIPT = "/static/js/print.js"
"""Address of the script of the print button in the web app."""
FIELDS = ("puzzle.pupil", "puzzle.class", "puzzle.date")
"""Keys of the fields to fill in at the head of a sheet."""


class Item(NamedTuple):
    """A puzzle in print: its texts, in the language of the sheet, and its board as SVG."""

    title: str
    """Its number on the sheet, game and rating."""
    question: str
    """What is asked, and what the board does not show."""
    board: str
    """The board as SVG."""
    answer: str
    """The solution, the theme, and why it works."""


def items(puzzles: Sequence[Puzzle], language: str) -> list[Item]:
    """Return the printed form of each puzzle, numbered from 1, with the solver's answer.

    *language* is the language of its texts, en or id. All puzzles are solved without a limit, which
    may take long. Empty for none. Raise what `PuzzleAnswer.of` raises: PapanError if the text of a
    puzzle is no position, AssertionError if one cannot be solved.
    """
    answers = [PuzzleAnswer.of(each) for each in puzzles]
    return [
        Item(
            f"{number}. {title(each, language)}",
            in_words(question(each, answer.found), language),
            Drawing.of(each.position).svg(),
            in_print(answer, language),
        )
        for number, (each, answer) in enumerate(zip(puzzles, answers), 1)
    ]


def in_print(answer: PuzzleAnswer, language: str) -> str:
    """Return the answer as text in *language*: the moves, the theme, and the explanation.

    The explanation is that of `sentences`: why the right move works and, if there is a wrong one,
    why the likeliest wrong move fails.
    """
    line = " ".join(map(answer.position.game.move_name, answer.line))
    theme = text_of(f"puzzle.theme_{answer.theme}", language)
    return f"{line} ({theme}). {in_words(sentences(answer), language)}"


def write_sheet(puzzles: Sequence[Puzzle], path: Path, language: str) -> Path:
    """Write a sheet of *puzzles* to *path* as HTML, over any file there; return *path*.

    *language* is the language of its texts, en or id. Raise InvalidSpecError unless *path* ends in
    ``.html``, OSError if it cannot be written, and what `items` raises; nothing is written then.
    """
    if path.suffix != ".html":
        raise InvalidSpecError("puzzle.bad_sheet", path=path)
    return write_whole(path, sheet_html(puzzles, language), PUBLIC)


def sheet_html(puzzles: Sequence[Puzzle], language: str, served: bool = False) -> str:
    """Return an HTML page with *puzzles* for printing, the answers on a page of their own.

    *language* is the language of its texts, en or id. If *served*, it links to the style of the web
    app and has a print button; else it is self-contained. Raise what `items` raises.
    """

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
