"""``papan puzzle``: asked in the terminal, or printed on a sheet."""

import json
import re
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest

from papan import catalog, puzzles
from papan.cli.puzzle import Attempt, ask_all, drawn, standing
from papan.core import InvalidSpecError, Message
from papan.puzzles import Puzzle, PuzzleProgress, sheet, themes
from papan.terminal.output import use_language
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


ONE = Puzzle("one", 900, "tictactoe:3,3,3 xx./oo./... x")
BOARD = """\
  a b c
1 x x .
2 o o .
3 . . ."""


def asked(monkeypatch: pytest.MonkeyPatch, *typed: str) -> Attempt:
    """An attempt in which a person types that, and then leaves."""
    lines = iter(typed)

    def answer(prompt: str = "") -> str:
        assert prompt == "", "in a pipe it is a line of its own"
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    return Attempt(ONE)


def test_a_puzzle_is_a_conversation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_language("en")
    typed = ("zz", "", "Hint", "a3", "hint", "petunjuk", "hint", " C1 ")
    attempt = asked(monkeypatch, *typed)
    assert (attempt.run(), attempt.solved, attempt.quits) == (False, True, False)
    out = capsys.readouterr().out
    prompt = "Your move ('hint', 'solution', 'quit'):\n"
    assert out.count(prompt) == len(typed)
    first, *said = out.split(prompt)
    assert first.splitlines() == [
        "Tic Tac Toe (rating 900)",
        *BOARD.splitlines(),
        "You are x (player 1). Win at once. 3 in a row wins.",
    ]
    assert said[0].startswith("'zz' is not a move here")
    assert said[1:3] == ["", "Hint 1 of 3, the idea: One of your lines lacks a single cell.\n"]
    assert said[3].splitlines() == [
        "a3 loses.",
        "This happens: a3 c2",
        "1. a3",
        *BOARD.replace("3 .", "3 x").splitlines(),
        "2. c2",
        *BOARD.replace("3 .", "3 x").replace("o o .", "o o o").splitlines(),
    ]
    assert said[4] == "Hint 2 of 3, where: look at c1 c2.\n"
    assert said[5] == said[6] == "Hint 3 of 3, the move: c1. c1 wins: the row a1-c1.\n"
    assert said[7].splitlines() == [
        "Solved.",
        "c1 wins: the row a1-c1. Why not c2? c2 gives the win away: it is only a draw. "
        "The opponent answers c1.",
        "Theme: Win at once.",
    ]


@pytest.mark.parametrize(
    ("typed", "first", "solved", "quits"),
    [
        (("c1",), True, True, False),
        (("c2", "c1"), False, True, False),
        (("solution",), False, False, False),
        (("jawaban",), False, False, False),
        ((), None, False, True),
        (("quit",), None, False, True),
        (("zz", "keluar"), None, False, True),
        (("hint", "quit"), False, False, True),
        (("c3", "quit"), False, False, True),
    ],
)
def test_an_attempt_tells_how_it_went(
    monkeypatch: pytest.MonkeyPatch,
    typed: tuple[str, ...],
    first: bool | None,
    solved: bool,
    quits: bool,
) -> None:
    attempt = asked(monkeypatch, *typed)
    assert (attempt.run(), attempt.solved, attempt.quits) == (first, solved, quits)
    assert attempt.first is first


def test_puzzles_are_asked_until_the_person_quits_and_each_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_language("en")
    kept = [PuzzleProgress()]
    asked(monkeypatch, "c1", "c2", "quit", "c1")
    monkeypatch.setattr("papan.cli.puzzle._load", lambda: kept[-1])
    monkeypatch.setattr("papan.cli.puzzle._save", kept.append)
    ask_all([ONE] * 5, TODAY, daily=False)
    assert [each.tried for each in kept] == [0, 1, 2]
    assert [each.streak for each in kept] == [0, 1, 0]
    assert [each.days for each in kept] == [0, 0, 0]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == standing(PuzzleProgress())
    # 600 against 900: 1 / (1 + 10 ** (300 / 400)) = 0.151 is expected, 40 * 0.849 = 34 gained;
    # 634 against 900: 0.178, and 40 * 0.178 = 7 lost.
    assert [line for line in lines if "points" in line] == [
        "+34 points: your rating is 634 now.",
        "-7 points: your rating is 627 now.",
    ]
    assert lines[-1] == "-7 points: your rating is 627 now."


def test_the_progress_is_told_in_one_line(papan: Papan, tmp_path: Path) -> None:
    use_language("en")
    progress = PuzzleProgress(rating=612.6, streak=2, days=3, missed={"x": (0, "2026-01-31")})
    line = standing(progress)
    assert [number in line for number in ("613", "2", "3", "1")] == [True] * 4
    path = tmp_path / "data" / "papan" / "puzzles.json"
    path.parent.mkdir(parents=True)
    facts = {"rating": 700.0, "streak": 4, "missed": {"nosuch": [0, "2026-01-31"]}, "seen": ["a"]}
    path.write_text(json.dumps(facts))
    kept = standing(PuzzleProgress(rating=700.0, streak=4))
    assert papan("puzzle", typed="quit\n").out.splitlines()[0] == kept
    for damaged in ("", "[]", '{"missed": 5}', '{"rating": 1}', "9" * 20):
        path.write_text(damaged)
        assert papan("puzzle", typed="quit\n").out.splitlines()[0] == standing(PuzzleProgress())


def test_missed_puzzles_come_first_and_then_others_of_the_theme(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = puzzles.chosen_puzzles("dots", "cross")
    other = puzzles.chosen_puzzles("tictactoe")[0]
    due, later = wanted[0], wanted[1]
    missed = {
        each.kept: (0, day)
        for each, day in ((other, "2000-01-01"), (due, "2000-01-01"), (later, "9999-01-01"))
    }
    monkeypatch.setattr("papan.cli.puzzle._load", lambda: PuzzleProgress(missed=missed))
    found = list(islice(drawn(wanted, "dots", 5, TODAY), 6))
    assert found[0] == due
    assert len({each.name for each in found[1:]}) == 5, "none is asked twice"
    assert {each.theme for each in found} == {"cross"}


def test_without_a_count_six_are_printed(papan: Papan) -> None:
    assert len(papan("puzzle", "dots", "--json", "--seed", "1").out.splitlines()) == 6
    assert (
        len(papan("puzzle", "dots", "--json", "--seed", "1", "--count", "7").out.splitlines()) == 7
    )
    (daily,) = papan("puzzle", "dots", "--daily", "--json").out.splitlines()
    today = datetime.now(UTC).date()
    assert json.loads(daily)["name"] in {puzzles.daily(today).name}
