"""The five papers as experiments that can be run again: which there are, which one is meant."""

from __future__ import annotations

from collections.abc import Sequence

from papan.core import PapanError
from papan.papers.adjacency import PAPER as ADJACENCY
from papan.papers.connect4 import PAPER as CONNECT4
from papan.papers.dots import PAPER as DOTS
from papan.papers.onet import PAPER as ONET
from papan.papers.paper import Paper
from papan.papers.tictactoe import PAPER as TICTACTOE

PAPERS = (DOTS, ADJACENCY, ONET, TICTACTOE, CONNECT4)


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
