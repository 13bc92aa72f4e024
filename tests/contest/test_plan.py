"""The plan of a contest: every key explained, and a wrong one named."""

import math
import tomllib
from datetime import datetime
from pathlib import Path

import pytest

from papan.contest.formula import Formula
from papan.contest.plan import (
    ContestPlan,
    measure_of,
    new_plan,
    parse_contest_plan,
    read_plan,
    with_disqualified,
)
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
        (SMALL + 'language = "fr"', "wrong value at language; it is written like en | id."),
        (SMALL + 'language = ["en"]', "wrong value at language; it is written like en | id."),
        (SMALL + 'deadline = "soon"', "'soon' is no moment"),
        (SMALL + 'deadline = "0001-01-01"', "'0001-01-01' is no moment"),
        (SMALL + "x = " + "[" * 5000, "cannot be read"),
        (SMALL + "[ladder]\nseed = " + "9" * 5000, "cannot be read"),
        (SMALL + "[ladder]\nseed = -1", "ladder.seed = -1; it must lie between"),
        (SMALL + "[ladder]\nminutes = " + "9" * 400, "wrong value at ladder.minutes"),
        (SMALL + "[ladder]\nminutes = nan", "wrong value at ladder.minutes"),
        (SMALL + "[ladder]\nminutes = 1.7976931348623157e308", "it must lie between 0.01 and"),
        (SMALL + '[marks]\npoints = "points + 1"', "cannot be used (points)"),
        (SMALL + '[house]\nagents = "random"', 'house.agents; it is written like ["text", "text"]'),
        (SMALL + 'house.agents = { a = "random" }', 'house.agents; it is written like ["text"'),
        (SMALL + 'marks.grades = { A = "1" }', 'like [{ grade = "text", when = "text" }, {'),
        (SMALL + 'disqualified = "1"', 'disqualified; it is written like { name = "text" }'),
        (SMALL + 'disqualified = ["1"]', 'disqualified; it is written like { name = "text" }'),
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


def test_a_plan_is_no_larger_than_a_server_reads_at_once(tmp_path: Path) -> None:
    """A page stored what could not be read again: only the file had a limit, of 200,000 bytes."""
    text = new_plan("Cup", "tictactoe", 1, "en")
    longest = f"{text}#{'x' * (64_000 - len(text.encode()) - 1)}".encode()
    assert parse_contest_plan(longest).title == "Cup"
    with pytest.raises(PapanError, match="larger than 64000 bytes"):
        parse_contest_plan(longest + b"x")


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
        ("round(house / 3, 2) + round(2.5)", 0.17 + 2),
        ("max(house, accuracy)", 0.5),
        ("round(house / 0.3, 0) + round(house / 3, 15)", 2 + 0.166666666666667),
    ],
)
def test_formulas_compute_and_compare(text: str, value: float) -> None:
    measures = {"house": 0.5, "accuracy": 0.25}
    assert math.isclose(Formula(text, measures).value(measures), value)


@pytest.mark.parametrize(
    "text",
    [
        "round(1, -999999999)",  # 10 ** 999999999 is computed for it
        "house > 0.6 and round(1, -999999999)",
        "round(1, 16)",
        "round(1, house)",
        "round()",
        "house > 0.6 and min(5)",
        "max()",
        "house > 0.6 and " + "9" * 400 + " * house",
        "1e999",
    ],
)
def test_z25_a_formula_that_cannot_be_computed_for_every_student_is_refused(text: str) -> None:
    """What is wrong for one share of points only shows before the games, and takes no time."""
    with pytest.raises(PapanError, match="cannot be used"):
        Formula(text, ["house"])


def test_z25_a_formula_whose_value_grows_without_end_is_infinite() -> None:
    formula = Formula("round(1e300 * house * 1e300) + 1", ["house"])
    assert formula.value({"house": 0.5}) == math.inf


@pytest.mark.parametrize(
    "text",
    [
        "house < 1 is 1",
        "round(1, -1)",
        "open('x')",
        "house.real",
        "[1]",
        "'a'",
        "lambda: 1",
        "9**9**9",
        "x",
        "",
        "1 if 1 else 2",
    ],
)
def test_formulas_are_nothing_else(text: str) -> None:
    with pytest.raises(PapanError, match="cannot be used"):
        Formula(text, ["house"])


@pytest.mark.parametrize("language", ["en", "id"])
def test_y7_a_plan_without_a_key_has_what_a_new_plan_says(tmp_path: Path, language: str) -> None:
    short = read(tmp_path, SMALL)
    assert (short.language, short.deadline, short.submissions_a_day) == ("en", "", 20)
    assert vars(short.limits) == {"seconds": 0.1, "memory": 512, "searches": False}
    assert vars(short.ladder) == {"minutes": 30, "opening": 4, "seed": 0, "at_a_time": 0}
    assert vars(short.house) == {"agents": ("random", "level:1", "level:2", "level:3"), "pairs": 2}
    assert vars(short.truth) == {"positions": 30, "games": 3, "seconds": 4}
    assert vars(short.marks) == {"points": "60 * house + 40 * accuracy", "grades": ()}
    assert short.disqualified == {} and short.last_moment() == math.inf
    found_plan = read(tmp_path, new_plan("Cup", "tictactoe", 0, language))
    assert found_plan.language == language and found_plan.marks.points == short.marks.points
    for part in ("limits", "ladder", "house", "truth"):
        assert getattr(found_plan, part) == getattr(short, part)
    assert (found_plan.submissions_a_day, found_plan.deadline) == (20, "")


BOUNDS = [
    ("limits", "seconds", "0.01", "0.009", "600.0", "600.1"),
    ("limits", "memory", "64", "63", "1000000", "1000001"),
    ("ladder", "minutes", "0.01", "0.009", "1000000", "1000001"),
    ("ladder", "opening", "0", "-1", "4", "101"),
    ("ladder", "seed", "0", "-1", "9223372036854775807", "9223372036854775808"),
    ("ladder", "at_a_time", "0", "-1", "1024", "1025"),
    ("house", "pairs", "0", "-1", "1000", "1001"),
    ("truth", "positions", "0", "-1", "1000", "1001"),
    ("truth", "games", "0", "-1", "1000", "1001"),
    ("truth", "seconds", "0.1", "0.09", "600", "601"),
    ("", "submissions_a_day", "1", "0", "10000", "10001"),
]


@pytest.mark.parametrize("bounds", BOUNDS, ids=lambda each: f"{each[0]}.{each[1]}")
def test_y7_both_ends_of_every_number_are_allowed_and_no_more(
    tmp_path: Path, bounds: tuple[str, ...]
) -> None:
    part, key, least, less, most, more = bounds
    head = f"[{part}]\n" if part else ""
    name = f"{part}.{key}" if part else key
    for good in (least, most):
        plan = read(tmp_path, f"{SMALL}{head}{key} = {good}")
        assert (
            getattr(getattr(plan, part) if part else plan, key) == tomllib.loads(f"x = {good}")["x"]
        )
    for bad in (less, more):
        with pytest.raises(PapanError, match=rf"(^|\s){name} = "):
            read(tmp_path, f"{SMALL}{head}{key} = {bad}")


def test_y7_a_deadline_is_a_moment_of_the_local_clock(tmp_path: Path) -> None:
    plan = read(tmp_path, SMALL + 'deadline = "2026-12-01 23:59"')
    assert plan.last_moment() == datetime(2026, 12, 1, 23, 59).timestamp()


def test_y7_a_measure_of_a_house_bot_is_a_word_of_a_formula() -> None:
    assert measure_of("level:2") == "vs_level_2"
    assert measure_of("alphabeta:depth=3,seed=1") == "vs_alphabeta_depth_3_seed_1"


def test_y7_a_student_is_set_aside_and_let_in_again_and_all_else_stays(tmp_path: Path) -> None:
    text = SMALL + '# a note\n\n[disqualified]\n"2" = "late"\n\n[truth]\ngames = 5\n'
    out = with_disqualified(text, "1", 'a "copy"\n')
    plan = read(tmp_path, out)
    assert plan.disqualified == {"2": "late", "1": 'a "copy"'}
    assert plan.truth.games == 5 and "# a note" in out
    changed = with_disqualified(out, "2", "a copy")
    assert read(tmp_path, changed).disqualified == {"1": 'a "copy"', "2": "a copy"}
    back = with_disqualified(changed, "1", "")
    assert read(tmp_path, back).disqualified == {"2": "a copy"}
    assert read(tmp_path, with_disqualified(SMALL, "12", "x")).disqualified == {"12": "x"}
    other = read(tmp_path, with_disqualified(text, "games", "a\x07bé"))
    assert other.disqualified == {"2": "late", "games": "a bé"}
    assert other.truth.games == 5  # a student may be called like a key
    assert "bé" in with_disqualified(text, "3", "bé")
    with pytest.raises(PapanError, match="disqualified"):
        with_disqualified(f'{SMALL}disqualified = {{ "1" = "x" }}\n', "2", "y")


def test_a_plan_may_come_from_an_editor_that_marks_its_bytes(tmp_path: Path) -> None:
    assert parse_contest_plan(b"\xef\xbb\xbf" + SMALL.encode()).title == "Cup"
    title = read(tmp_path, new_plan(' A\x07B\\C"D" ', "tictactoe", 1, "id")).title
    assert title == "A B C'D'"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 - 1", 2),
        ("-house + +1", 0.5),
        ("1 / 4", 0.25),
        ("not house", 0),
        ("house < 0.5", 0),
        ("house <= 0.5", 1),
        ("house > 0.5", 0),
        ("house >= 0.5", 1),
        ("house != 0.5", 0),
        ("house == 0.5 and accuracy", 1),
        ("accuracy > 1 or house > 1", 0),
        ("1 > house > 0.6", 0),
        ("round(2.6) + min(1, 2) + max(1, 2)", 6),
        ("missing + 1", 1),
    ],
)
def test_y7_every_operator_of_a_formula_means_what_it_says(text: str, value: float) -> None:
    names = ["house", "accuracy", "missing"]
    assert Formula(text, names).value({"house": 0.5, "accuracy": 0.25}) == value


def test_y7_a_formula_may_be_a_thousand_characters_long() -> None:
    longest = "1+" * 499 + "10"
    assert len(longest) == 1000 and Formula(longest, []).value({}) == 509
    with pytest.raises(PapanError, match="cannot be used"):
        Formula(longest + "0", [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("house + x", "x"),
        ("house +", "invalid syntax"),
        ("f(" + "9" * 99 + ")", "f(" + "9" * 58),
        ("+".join("1" * 600), "1199 > 1000"),
    ],
)
def test_a_formula_that_is_refused_gets_one_sentence(text: str, why: str) -> None:
    with pytest.raises(PapanError) as caught:
        Formula(text, ["house", "rank"])
    values = caught.value.values
    assert (caught.value.key, values["text"], values["known"]) == (
        "contest.bad_formula",
        text,
        "house, rank",
    )
    assert str(values["why"]) == why
