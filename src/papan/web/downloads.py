"""Files that people take home."""

from __future__ import annotations

from fastapi import Response

from papan.web.answers import Answers

TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "tex": "application/x-tex",
}
"""What files are, by how their names end."""


def download(content: str | bytes, name: str) -> Response:
    """A file that a browser saves under *name*."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, 200, headers, TYPES[_ending(name)])


def as_file(*names: str) -> Answers:
    """What the description of a route says of the files that it answers with."""
    kinds = [TYPES[_ending(each)] for each in names]
    return {200: {"description": "The file.", "content": {kind: {} for kind in kinds}}}


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
