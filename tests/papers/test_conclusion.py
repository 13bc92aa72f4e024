"""What follows, in words: it is what the verdicts of the run say, and not what another one said."""

from dataclasses import replace
from pathlib import Path

import pytest

from papan.core.message import LANGUAGES, catalogue
from papan.lab.results import Finding, FindingVerdict, cell_text, with_verdicts
from papan.papers import PAPERS, onet
from papan.papers.paper import EXPECTED, Paper, reference

each_paper = pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)


def kept(paper: Paper) -> tuple[Finding, ...]:
    return reference(paper, Path()).conclusions.findings


def parts(paper: Paper, findings: tuple[Finding, ...]) -> dict[str, list[str]]:
    """The names of the sentences under each heading."""
    return {
        heading.key.removeprefix("lab.says_"): [each.key.partition("_")[2] for each in sentences]
        for heading, sentences in paper.conclusion(findings)
    }


def turned(
    findings: tuple[Finding, ...], verdicts: dict[FindingVerdict, FindingVerdict]
) -> tuple[Finding, ...]:
    return tuple(replace(each, agrees=verdicts.get(each.agrees, each.agrees)) for each in findings)


@each_paper
def test_t06_our_own_run_bears_out_what_its_conclusion_says(paper: Paper) -> None:
    found = parts(paper, kept(paper))
    assert "contrary" not in found
    assert {each.part for each in paper.says} <= {*found, "fails", "holds"}
    assert {"holds", "unknown", "today"} <= set(found)
    judged_lines = {each.what.key for each in kept(paper) if each.agrees in ("yes", "no", "open")}
    for each in paper.says:
        assert {f"paper{paper.number}.{line}" for line in each.lines} <= judged_lines, each.name
        for language in LANGUAGES:
            assert f"says.{paper.number}_{each.name}" in catalogue(language)


@each_paper
def test_t06_a_run_that_says_otherwise_has_another_conclusion(paper: Paper) -> None:
    certain = {each.name for each in paper.says if not each.lines}
    small = parts(paper, turned(kept(paper), {"yes": "open", "no": "open"}))
    assert {*small.get("holds", []), *small.get("fails", [])} <= certain
    assert {*small["open"]} == {each.name for each in paper.says if each.lines}
    for part, verdict in EXPECTED.items():
        other: FindingVerdict = "no" if verdict == "yes" else "yes"
        against = parts(paper, turned(kept(paper), {verdict: other, "open": other}))
        rested = {each.name for each in paper.says if each.lines and each.part == part}
        assert rested <= {*against.get("contrary", [])}


def test_t06_one_board_more_is_no_better_choice() -> None:
    """29 boards of 30 cleared against 28: nobody can say by that who clears more."""
    boards = [[[True, 1]] * 5] * 28
    boards += [[[True, 1], [True, 1], [False, 1], [True, 1], [True, 1]]]
    boards += [[[False, 1]] * 5]
    findings = with_verdicts(onet.clearing({"6,12": boards, "8,14": boards}))
    assert parts(onet.PAPER, findings)["open"].count("choice") == 2
    (undecided,) = [
        " ".join(cell_text(each, "en") for each in sentences)
        for heading, sentences in onet.PAPER.conclusion(findings)
        if cell_text(heading, "en") == "Undecided in this run"
    ]
    assert "clears more boards of 6x12" in undecided
