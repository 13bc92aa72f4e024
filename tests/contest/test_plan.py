"""The plan of a contest: every key explained, and a wrong one named."""

import math
from pathlib import Path

import pytest

from papan.contest.formula import Formula
from papan.contest.plan import ContestPlan, new_plan, read_plan
from papan.core import PapanError

SMALL = 'title = "Cup"\ngame = "tictactoe"\n'


def read(folder: Path, text: str) -> ContestPlan:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return read_plan(path)


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_new_plan_explains_every_key_and_can_be_read(tmp_path: Path, language: str) -> None:
    text = new_plan('The "cup"', "tictactoe", 7, language)
    plan = read(tmp_path, text)
    assert plan.title == "The 'cup'"
    assert (plan.ladder.seed, plan.language) == (7, language)
    assert plan == read(tmp_path, SMALL + f'language = "{language}"\n') or plan.marks.grades
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if " = " in line and not line.startswith(("#", "grade", "when")):
            assert lines[place - 1].startswith("#"), f"{line} is not explained"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("title = ", "cannot be read"),
        ('game = "tictactoe"', "lacks the key title"),
        (SMALL + "tittle = 3", "unknown key tittle; do you mean title"),
        (SMALL + "[limits]\nsecond = 1", "unknown key limits.second; do you mean seconds"),
        (SMALL + '[limits]\nseconds = "1"', "wrong value at limits.seconds"),
        (SMALL + "[limits]\nseconds = 0", "limits.seconds = 0.0; it must lie between"),
        (SMALL + "[limits]\nmemory = true", "wrong value at limits.memory"),
        (SMALL + "limits = 3", "wrong value at limits"),
        (SMALL + 'language = "fr"', "wrong value at language"),
        (SMALL + 'deadline = "soon"', "'soon' is no moment"),
        (SMALL + 'deadline = "0001-01-01"', "'0001-01-01' is no moment"),
        (SMALL + "x = " + "[" * 5000, "cannot be read"),
        (SMALL + "[ladder]\nseed = " + "9" * 5000, "cannot be read"),
        (SMALL + "[ladder]\nseed = -1", "ladder.seed = -1; it must lie between"),
        (SMALL + "[ladder]\nminutes = " + "9" * 400, "wrong value at ladder.minutes"),
        (SMALL + "[ladder]\nminutes = nan", "wrong value at ladder.minutes"),
        (SMALL + '[house]\nagents = "random"', 'house.agents; it is written like ["text", "text"]'),
        (SMALL + 'disqualified = "1"', 'disqualified; it is written like { name = "text" }'),
        (SMALL + '[house]\nagents = ["nobody"]', "no agent 'nobody'"),
        (SMALL + '[house]\nagents = ["bot:x.py"]', "bot:x.py"),
        ('title = "Cup"\ngame = "onet"', "a contest needs a game for two"),
        (SMALL + "[ladder]\nopening = 9", "opening"),
        (SMALL + '[marks]\npoints = "elo.__class__"', "cannot be used (elo.__class__)"),
        (SMALL + '[[marks.grades]]\ngrade = "A"', "lacks the key marks.grades.when"),
        (SMALL + '[[marks.grades]]\ngrade = "A"\nwhen = "vs_level_9 > 1"', "vs_level_9"),
    ],
)
def test_a_wrong_plan_gets_one_sentence_that_names_the_key(
    tmp_path: Path, text: str, why: str
) -> None:
    with pytest.raises(PapanError) as caught:
        read(tmp_path, text)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_a_plan_the_command_that_makes_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(PapanError, match="papan class new"):
        read_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("60 * house + 40 * accuracy", 60 * 0.5 + 40 * 0.25),
        ("min(100, 3 * 40) - -2", 102),
        ("house > 0.4 and not accuracy >= 0.5", 1),
        ("0 < accuracy < 0.2 or house == 1", 0),
        ("round(house / 0)", 0),
        ("max(house, accuracy)", 0.5),
    ],
)
def test_formulas_compute_and_compare(text: str, value: float) -> None:
    measures = {"house": 0.5, "accuracy": 0.25}
    assert math.isclose(Formula(text, measures).value(measures), value)


@pytest.mark.parametrize(
    "text",
    ["open('x')", "house.real", "[1]", "'a'", "lambda: 1", "9**9**9", "x", "", "1 if 1 else 2"],
)
def test_formulas_are_nothing_else(text: str) -> None:
    with pytest.raises(PapanError, match="cannot be used"):
        Formula(text, ["house"])
