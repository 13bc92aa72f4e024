"""What each paper claims, line by line, known before anything is measured.

The lines come from runs (`scripts/make_claims.py`), and a test compares them with a run again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from papan.lab.papers.paper import Paper
from papan.lab.results import Cell, Finding, Measure, Text
from papan.lab.work import Json

FILE = "claims.json"


def claimed(paper: Paper) -> tuple[Finding, ...]:
    """The lines of the comparison as they stand before a run: what, and the paper's value."""
    return tuple(Finding(_text(what), _cell(value)) for what, value in _lines()[paper.number])


def as_data(findings: Sequence[Finding]) -> Json:
    """What the file holds of a paper."""
    return [[_data(each.what), _data(each.paper)] for each in findings]


@cache
def _lines() -> dict[str, Json]:
    text = files("papan").joinpath("lab", "papers", "published", FILE).read_text(encoding="utf-8")
    lines: dict[str, Json] = json.loads(text)
    return lines


def _data(cell: Cell) -> Json:
    if isinstance(cell, Text):
        return {"key": cell.key, "values": {k: _data(value) for k, value in cell.values.items()}}
    if isinstance(cell, Measure):
        return {"value": round(cell.value, 6), "form": cell.form}
    return cell


def _text(data: Json) -> Text:
    return Text(data["key"], {name: _cell(value) for name, value in data["values"].items()})


def _cell(data: Json) -> Cell:
    if not isinstance(data, dict):
        cell: Cell = data
        return cell
    return _text(data) if "key" in data else Measure(data["value"], form=data["form"])
