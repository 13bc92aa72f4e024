"""``papan lab``: list, run, report; results kept, gone on with, and written for people."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.cli import lab
from papan.lab.work import run_all
from papan.papers import PAPERS
from papan.papers import paper as runs
from papan.papers.onet import Amount

from .conftest import Papan

pytestmark = pytest.mark.thorough

ONET = next(paper for paper in PAPERS if paper.number == "002")
TINY: Any = {"quick": Amount(boards=(1, 1)), "full": Amount(boards=(2, 1))}
LITTLE = replace(ONET, amounts=TINY)
"""Paper 002 with two random boards."""


@pytest.fixture(autouse=True)
def one_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.papers.PAPERS", (LITTLE,))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a finished run leaves."""
    run = runs.Run(LITTLE, "quick", 0, tmp_path_factory.mktemp("lab"))
    run_all([run.job()], 0)
    return run.path.read_bytes()


@pytest.fixture
def folder(log: bytes, tmp_path: Path) -> tuple[str, str]:
    """A folder with a finished run, as an option."""
    (tmp_path / "002-quick-0.jsonl").write_bytes(log)
    return "--folder", str(tmp_path)


def test_a_paper_is_run_in_a_process_of_its_own_and_shown(papan: Papan, tmp_path: Path) -> None:
    ran = papan("lab", "run", "002", "--quick", "--seed", "5", "--json", "--folder", str(tmp_path))
    (facts,) = map(json.loads, ran.out.splitlines())
    assert (facts["paper"], facts["seed"], facts["size"]) == ("002", 5, "quick")
    assert {each["agrees"] for each in facts["findings"]} <= {"yes", "no", "open", "quoted", "none"}
    assert ran.code == 0
    assert "left" in ran.err
    assert ran.err.startswith("About 0:"), "how long it takes is said before it starts"


def test_the_papers_are_listed_with_what_is_kept(
    papan: Papan, tmp_path: Path, folder: tuple[str, str]
) -> None:
    assert "none yet" in papan("lab", "list", "--folder", str(tmp_path / "empty")).out
    assert "quick, seed 0: 100%" in papan("lab", "list", *folder).out
    assert "cepat, benih 0: 100%" in papan("lab", "list", *folder, "--lang", "id").out
    (facts,) = json.loads(papan("lab", "list", "--json", *folder).out)
    assert facts["runs"] == [{"size": "quick", "seed": 0, "done": 1.0}]


def test_a_finished_run_is_kept_and_shown_again(papan: Papan, folder: tuple[str, str]) -> None:
    ran = papan("lab", "run", "onet", "--quick", *folder)
    assert ran.code == 0
    assert "normal case, 6x12" in ran.out
    assert "--again measures again" in ran.err


def test_an_interrupted_run_does_only_what_is_missing(
    papan: Papan, folder: tuple[str, str], log: bytes
) -> None:
    path = Path(folder[1]) / "002-quick-0.jsonl"
    path.write_bytes(log[: log.rindex(b'{"unit"') + 9])
    assert "quick, seed 0: 9" in papan("lab", "list", *folder).out
    assert papan("lab", "run", "002", "--quick", *folder).code == 0
    lines, before = path.read_bytes().splitlines(), log.splitlines()
    assert lines[:-1] == before[:-1]
    assert len(lines) == len(before)


def test_ctrl_c_keeps_what_is_done_and_tells_how_to_go_on(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(lab, "run_all", interrupted)
        ran = papan("lab", "run", "002", "--quick", "--seed", "3", "--folder", str(tmp_path))
    assert ran.code == 130
    assert "To go on: papan lab run 002 --quick --seed 3" in ran.err


def test_the_report_writes_tables_and_pages_and_names_them(
    papan: Papan, tmp_path: Path, folder: tuple[str, str]
) -> None:
    plain = papan("lab", "report", *folder)
    assert plain.out.startswith("002  Implementasi")
    assert "Tables as Markdown and CSV" in plain.err
    ran = papan("lab", "report", "--html", "--markdown", *folder, "--lang", "id")
    pages = [Path(line) for line in ran.out.splitlines()]
    assert [page.name for page in pages] == ["report.html", "report.md"]
    assert pages[0].read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert pages[1].read_text(encoding="utf-8").startswith("# ")
    files = {path.suffix for path in (tmp_path / "report-id").rglob("*.*")}
    assert files == {".html", ".md", ".csv", ".svg"}
    with (tmp_path / "report-id" / "tables" / "002-claims.csv").open(newline="") as file:
        assert len(list(csv.reader(file))) == 20


def test_u18_without_a_run_the_report_is_that_of_our_own(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "runs_folder", lambda: tmp_path)
    ran = papan("lab", "report", "--json")
    assert json.loads(ran.out)["size"] == "full"
    assert "002: no finished run of yours is kept." in ran.err
    assert "papan lab run 002 --quick" in ran.err


def test_results_of_other_sources_are_not_reported(
    papan: Papan, folder: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "sources_mark", lambda: "changed")
    ran = papan("lab", "report", *folder)
    assert ran.code == 2
    assert "no finished run to report" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lab", "run", "005"], "There is no paper '005'; choose from 002, onet, all"),
        (["lab", "run"], "papan lab run needs PAPER"),
        (["lab", "rum"], "There is no command 'rum'; did you mean 'run'?"),
        (["lab", "run", "002", "--workers", "0"], "At least 1 process must work, not 0"),
        (["lab", "run", "002", "--seed", "9" * 19], "A seed may have up to 18 digits"),
        (["lab", "run", "002", "--quick", "--folder", "/dev/null/x"], "cannot be written"),
        (["lab", "report", "--folder", "/nowhere"], "There is no finished run to report"),
        (["lab", "report", "006"], "There is no paper '006'"),
    ],
)
def test_mistakes_are_told_in_one_line(papan: Papan, arguments: list[str], message: str) -> None:
    ran = papan(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert message in ran.err
    assert ran.err.count("\n") == 1
