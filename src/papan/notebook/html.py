"""Pieces of HTML that need nothing else: no script, no style sheet, no network, any theme."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape

CELL = "padding:2px 10px;text-align:left"
"""Cells take the colours of the notebook, so that a dark one stays legible."""


def image(svg: str, words: str, width: int) -> str:
    """A picture that keeps its own paper, with *words* for those who do not see it."""
    data = b64encode(svg.encode()).decode()
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(words)}" '
        f'style="width:{width}px;max-width:100%;height:auto">'
    )


def table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with a name for each column; the first cell of a row names the row."""
    heads = "".join(
        f'<th scope="col" style="{CELL}">{escape(heading)}</th>' for heading in headings
    )
    body = "".join(f"<tr>{_row(row)}</tr>" for row in rows)
    title = f'<caption style="text-align:left">{escape(caption)}</caption>'
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[str]) -> str:
    first, *rest = map(escape, cells)
    return f'<th scope="row" style="{CELL}">{first}</th>' + "".join(
        f'<td style="{CELL}">{cell}</td>' for cell in rest
    )


def beside(*parts: str) -> str:
    """Parts in a row, below each other where there is no room."""
    blocks = "".join(f"<div>{part}</div>" for part in parts)
    return (
        f'<div style="display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start">{blocks}</div>'
    )
