"""``papan puzzle``: asked in the terminal, or printed on a sheet."""

import json
import re
from pathlib import Path

import pytest

from papan import catalog, puzzles
from papan.cli.puzzle import Attempt, ask_all
from papan.core import InvalidSpecError, Message
from papan.puzzles import Puzzle, PuzzleProgress, sheet, themes
from tests.puzzles.claims import TODAY, WIN

from .conftest import Papan


@pytest.mark.thorough
def test_the_terminal_refutes_what_is_wrong_and_keeps_what_was_missed(
    papan: Papan, tmp_path: Path
) -> None:
    wanted = ("puzzle", "dots", "--theme", "cross", "--seed", "3", "--count", "1")
    facts = json.loads(papan(*wanted, "--json").out)
    position = catalog.position(facts["position"])
    wrong = next(name for name in position.move_names() if name not in facts["right"])
    typed = f"nonsense\nhint\n{wrong}\n{facts['right'][0]}\n"
    out = papan(*wanted, typed=typed).out
    assert f"This happens: {wrong}" in out
    assert "Solved." in out
    assert re.search(r"-[0-9]+ points: your rating is 5[0-9]{2} now[.]", out)
    kept = json.loads((tmp_path / "data" / "papan" / "puzzles.json").read_text())
    assert list(kept["missed"]) == [facts["name"]]


def test_who_had_a_hint_has_not_solved_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(("hint", "c1"))
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    attempt = Attempt(Puzzle("win", 900, "tictactoe:3,3,3 xx./oo./... x"))
    assert (attempt.run(), attempt.solved) == (False, True)


@pytest.mark.thorough
def test_who_quits_after_a_hint_gets_no_other_puzzle(papan: Papan) -> None:
    asked = papan("puzzle", "tictactoe", "--theme", "draw", typed="hint\nquit\nhint\n").out
    assert asked.count("You are") == asked.count("Hint 1 of 3, the idea:") == 1


@pytest.mark.thorough
def test_a_win_is_played_to_its_end_against_the_best_defence(papan: Papan) -> None:
    wanted = ("puzzle", "connect4", "--theme", "win", "--seed", "3", "--count", "1")
    facts = json.loads(papan(*wanted, "--json").out)
    out = papan(*wanted, typed="\n".join([*facts["line"][::2], ""])).out
    assert "Right. Go on." in out
    assert "Solved." in out
    assert re.search(r"\+[0-9]+ points: your rating is 6[0-9]{2} now[.]", out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "There is no game 'chess' with puzzles; choose from"),
        (["--theme", "mate"], "There is no puzzle theme 'mate'; choose from "),
        (["onet", "--theme", "win"], "There is no such puzzle of onet; there are: clear (easy)"),
        (["--new"], "New puzzles of which game?"),
        (["--difficulty", "mad"], "There is no difficulty 'mad'; choose from easy, medium, hard"),
    ],
)
def test_bad_input_is_told_in_one_line(papan: Papan, arguments: list[str], message: str) -> None:
    ran = papan("puzzle", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_sheet_has_a_board_for_each_puzzle_and_its_answer(papan: Papan, tmp_path: Path) -> None:
    wanted = ("puzzle", "dots", "--theme", "cross", "--seed", "3", "--count", "2")
    page = tmp_path / "class.html"
    assert papan(*wanted, "--sheet", str(page)).out == f"{page}\n"
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    drawn = puzzles.sample(puzzles.chosen_puzzles("dots", "cross"), 2, 3)
    right = [each.position.game.move_name(themes.solved(each.position).move) for each in drawn]
    assert all(each in text.partition("<h1>Answers")[2] for each in right)
    assert text.count(">Answer:<") == 2
    for other in ("class.pdf", "class.doc"):
        refused = papan(*wanted, "--sheet", other)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "for a PDF, open the sheet in a browser and print it" in refused.err


@pytest.mark.parametrize("count", ["-1", "0"])
def test_t10_the_number_of_puzzles_is_one_or_more(papan: Papan, count: str) -> None:
    ran = papan("puzzle", "--count", count)
    assert (ran.code, ran.err) == (2, f"--count must be more than 0, not {count}.\n")


def test_more_puzzles_may_be_asked_for_than_a_machine_can_count(papan: Papan) -> None:
    daily = papan("puzzle", "--daily", "--json", "--count", "9" * 20)
    assert (daily.code, daily.out.count("\n")) == (0, 1)


@pytest.mark.parametrize(("typed", "days"), [("solution", 0), ("right", 1)])
def test_y7_a_puzzle_of_the_day_that_was_given_up_is_no_day_in_a_row(
    monkeypatch: pytest.MonkeyPatch, typed: str, days: int
) -> None:
    kept = [PuzzleProgress()]
    asked = Puzzle("one", 900, "tictactoe:3,3,3 xx./oo./... x")
    monkeypatch.setattr("builtins.input", lambda *_: "c1" if typed == "right" else typed)
    monkeypatch.setattr("papan.cli.puzzle._load", lambda: kept[-1])
    monkeypatch.setattr("papan.cli.puzzle._save", kept.append)
    ask_all([asked], TODAY, daily=True)
    assert kept[-1].days == days


def test_y7_a_sheet_is_for_everyone_and_shows_its_text_as_text(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sheet, "question", lambda *_: [Message("<&")])
    page = sheet.write_sheet([WIN, WIN], tmp_path / "class.html", "id")
    text = page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o777 == 0o644
    assert text.startswith('<!DOCTYPE html>\n<html lang="id">')
    assert text.count("<p>&lt;&amp;</p>") == 2
    numbers = re.findall(r"<h2>([0-9]+)\. ", text)
    assert numbers == ["1", "2"]
    assert "<button" not in text and "<style>" in text
    served = sheet.sheet_html([WIN], "en", served=True)
    assert "<button" in served and "<style>" not in served
    with pytest.raises(InvalidSpecError):
        sheet.write_sheet([WIN], tmp_path / "class.html.txt", "en")
