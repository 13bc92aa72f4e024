"""The page of all items: each of its commands runs, and what it says of a command is true."""

import re
import shlex
from pathlib import Path

import pytest

from papan.papers import PAPERS
from papan.papers.paper import Paper
from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture

from .conftest import report, shared_folder, tiny

PAGE = Path(__file__).parents[2] / "docs" / "papers" / "coverage.md"
COMMANDS = sorted(set(re.findall("`papan ([^`]+)`", PAGE.read_text(encoding="utf-8"))))
BOARD = "4 4\n1 2 3 4\n2 3 4 5\n3 4 5 6\n5 6 7 8\n"
"""What the program of paper 002 is given: rows and columns, then the numbers of the tiles."""


def kind(command: str) -> object:
    marks = [pytest.mark.slow] if command.startswith("complexity") else []
    return pytest.param(command, marks=marks)


@pytest.mark.thorough
@pytest.mark.parametrize("command", [kind(each) for each in COMMANDS])
def test_q10_every_command_of_the_page_of_items_runs(
    papan: Papan,  # noqa: F811
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "board.txt").write_text(BOARD, encoding="utf-8")
    words = shlex.split(command.replace("FILE", str(tmp_path / "board.txt")))
    if words[0] == "play":
        words += ["--plain"] * ("--plain" not in words)
    if words[:2] == ["lab", "run"]:
        report(words[2])  # the tiny run that all tests share: the command finds it done
        monkeypatch.setattr("papan.papers.chosen_papers", small)
        words += ["--quick", "--seed", "0", "--folder", str(shared_folder())]
    ran = papan(*words, typed="quit\n")
    assert ran.code == 0, ran.err
    assert ran.out.strip()


@pytest.mark.thorough
@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)
def test_q13_the_commands_of_an_authors_program_run(
    paper: Paper,
    papan: Papan,  # noqa: F811
    tmp_path: Path,
) -> None:
    (tmp_path / "board.txt").write_text(BOARD, encoding="utf-8")
    listed = papan("lab", "program", paper.number)
    assert listed.code == 0
    for each in paper.programs:
        assert each.command in listed.out
        words = shlex.split(each.command.replace("FILE", str(tmp_path / "board.txt")))[1:]
        if words[:2] != ["lab", "run"]:  # the commands of the page of items, run above
            plain = ["--plain"] if words[0] in ("play", "watch") else []
            quick = ["--speed", "0"] if words[0] == "watch" else []
            ran = papan(*words, *plain, *quick, typed="quit\n")
            assert ran.code == 0, ran.err


def small(words: list[str]) -> list[Paper]:
    return [tiny(each) for each in PAPERS if each.number in words]


def test_q10_the_page_has_no_command_that_lacks_its_game() -> None:
    assert len(COMMANDS) > 20
    assert all(" " in command for command in COMMANDS)


@pytest.mark.thorough
def test_q10_the_page_says_how_table_2_is_printed(papan: Papan) -> None:  # noqa: F811
    (command,) = [each for each in COMMANDS if "a g b" in each]
    ran = papan(*shlex.split(command), "--json")
    assert ran.code == 0
    assert '"agent":"priority"' in ran.out.replace(" ", "")


@pytest.mark.thorough
def test_q10_help_explains_the_option_that_chooses_a_graph(papan: Papan) -> None:  # noqa: F811
    ran = papan("graph", "--help")
    assert "Which graph" in ran.out
    assert "name of a person" not in ran.out
