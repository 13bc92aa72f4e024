"""The sheet of a contest's secret links: a page to print and to cut apart, with QR codes."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from papan.core.message import text_of
from papan.web.network import qr_code

SHEET_STYLE, SHEET_SCRIPT = "/static/css/sheet.css", "/static/js/print.js"


def sheet_of_links(title: str, lines: Iterable[tuple[str, str, str]], language: str) -> str:
    """Return an HTML page to print, texts in *language*, with a cell to cut out for each student.

    *lines* are number, name and whole link (``https://…``) of each student; *title* is the
    contest's. Raise ValueError if a link is too long for a QR code.
    """

    def words(key: str) -> str:
        return escape(text_of(key, language))

    cells = "".join(
        f"<li><h2>{escape(number)} {escape(name)}</h2><p>{escape(title)}</p>"
        f"{qr_code(link).decode()}<p><code>{escape(link)}</code></p>"
        f"<p>{words('class.sheet_secret')}</p></li>\n"
        for number, name, link in lines
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f'<link rel="stylesheet" href="{SHEET_STYLE}">\n'
        f'<script src="{SHEET_SCRIPT}" defer></script>\n</head>\n<body>\n<main>\n'
        f'<button type="button">{words("puzzle.print")}</button>\n'
        f"<h1>{escape(title)}: {words('class.sheet')}</h1>\n"
        f'<p class="about">{words("class.sheet_about")}</p>\n'
        f'<ol class="sheet links">\n{cells}</ol>\n</main>\n</body>\n</html>\n'
    )
