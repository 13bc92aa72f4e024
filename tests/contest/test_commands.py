"""``papan class`` as a lecturer types it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture

pytestmark = pytest.mark.thorough

FIRST = "def choose(position): return position.moves()[0]\n"


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_contest_from_the_plan_to_the_marks(
    papan: Papan,  # noqa: F811
    tmp_path: Path,
    language: str,
) -> None:
    cup, unconfined = tmp_path / "my cup", ("--trust-submissions", "--lang", language)
    made = papan("class", "new", str(cup), "--game", "tictactoe", "--lang", language)
    assert made.code == 0 and f"papan class check '{cup}'" in made.out
    plan = cup / "plan.toml"
    text = plan.read_text(encoding="utf-8").replace("pairs = 2", "pairs = 1")
    text = text.replace("opening = 4", "opening = 1").replace("positions = 30", "positions = 3")
    text = text.replace("seconds = 0.1", "seconds = 1").replace("games = 3", "games = 1")
    text = text.replace('["random", "level:1", "level:2", "level:3"]', '["random"]')
    text = text.replace('vs_level_2 > 0.5"', 'score > 0.5"').replace("vs_level_3", "score")
    plan.write_text(text, encoding="utf-8")
    (cup / "students.csv").write_text("number,name\n1,Ani\n2,Budi\n", encoding="utf-8")
    (cup / "submissions" / "1.py").write_text(FIRST, encoding="utf-8")
    (cup / "submissions" / "2.py").write_text("def choose(p): return 99\n", encoding="utf-8")
    checked = papan("class", "check", str(cup), *unconfined)
    assert checked.code == 0
    assert ("set aside" if language == "en" else "disisihkan") in checked.out
    assert ("legal" if language == "en" else "sah") in checked.out
    facts = json.loads(papan("class", "check", str(cup), "--json", *unconfined).out)
    assert [each["fine"] for each in facts] == [True, False]
    run = papan("class", "run", str(cup), *unconfined)
    assert run.code == 0
    assert ("full round robin" if language == "en" else "Turnamen penuh") in run.err
    report = papan("class", "report", str(cup), *unconfined)
    assert report.code == 0 and str(cup / "report" / "index.html") in report.out
    own = [cup, plan, cup / "submissions", cup / "report", *(cup / "work").rglob("*")]
    assert [each for each in own if each.stat().st_mode & 0o077] == []
    marks = papan("class", "report", str(cup), "--csv", *unconfined).out.splitlines()
    assert len(marks) == 3 and marks[1].startswith("1,Ani,1,")


@pytest.mark.parametrize("command", ["check", "run", "report"])
def test_a_folder_without_a_contest_gets_one_sentence(
    papan: Papan,  # noqa: F811
    tmp_path: Path,
    command: str,
) -> None:
    ran = papan("class", command, str(tmp_path))
    assert ran.code == 2
    assert "papan class new DIR" in ran.err and ran.err.count("\n") == 1


def test_a_contest_without_submissions_says_what_it_needs(
    papan: Papan,  # noqa: F811
    tmp_path: Path,
) -> None:
    cup = str(tmp_path / "cup")
    papan("class", "new", cup, "--game", "tictactoe")
    assert (
        "There is no sandbox" in papan("class", "run", cup).err
        or papan("class", "run", cup).code == 2
    )
    assert papan("class", "new", cup).code == 2
    for game in ("onet", "tictactoe:99,99,9"):
        assert papan("class", "new", str(tmp_path / "o"), "--game", game).code == 2
        assert not (tmp_path / "o").exists()  # else the next try would find a contest there
