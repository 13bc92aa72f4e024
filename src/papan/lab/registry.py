"""The registry of papers: which there are, which one is meant, and where their runs are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from papan.core import PapanError
from papan.lab.files import data_folder
from papan.lab.papers import PAPERS
from papan.lab.papers.paper import Paper


def runs_folder(data: Path | None = None) -> Path:
    """Where runs are kept: below *data*, or below the user's own data folder."""
    return (data_folder() if data is None else data) / "lab"


def names() -> list[str]:
    """What to type for a paper."""
    return [each for paper in PAPERS for each in (paper.number, paper.game)]


def chosen(words: Sequence[str]) -> list[Paper]:
    """The papers that are meant: by number, by game, or all of them."""
    found = []
    for word in words:
        same = [paper for paper in PAPERS if word in ("all", paper.number, paper.game)]
        if not same:
            known = ", ".join([*names(), "all"])
            raise PapanError("lab.unknown_paper", name=word, known=known)
        found += [paper for paper in same if paper not in found]
    return found
