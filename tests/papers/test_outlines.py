"""What follows from results: every line, table and figure of a paper, from made-up numbers."""

from itertools import groupby
from pathlib import Path

import pytest

from papan.papers import PAPERS

from .made_up import outline

FILE = Path(__file__).parents[1] / "data" / "conclusions.txt"
"""Written by ``python -m tests.papers.made_up``."""
LINES = FILE.read_text(encoding="utf-8").splitlines()
NUMBERS = [line.removeprefix("== ") for line in LINES if line.startswith("== ")]
PARTS = [[*lines] for head, lines in groupby(LINES, lambda line: line[:3] == "== ") if not head]


@pytest.mark.parametrize(("number", "lines"), [*zip(NUMBERS, PARTS)], ids=NUMBERS)
def test_every_conclusion_from_made_up_results_is_as_written_down(
    number: str, lines: list[str]
) -> None:
    (paper,) = (each for each in PAPERS if each.number == number)
    assert list(outline(paper)) == lines


def test_every_paper_is_written_down() -> None:
    assert [paper.number for paper in PAPERS] == NUMBERS
