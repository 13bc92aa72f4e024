"""How tables and numbers are written: as wide as there is room, as the language writes them."""

import json
import re
import tomllib
from math import inf
from pathlib import Path

import pytest

from papan.cli import doctor
from papan.core import PapanError, Progress
from papan.terminal import output
from papan.terminal.output import figure, print_table, use_language, value_text
from tests.core.test_record import WON

from .conftest import Papan

ROOT = Path(__file__).parents[2]
DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")
HYPHEN = re.compile(r"(?<![\w\]])-\d")
"""A minus that is none: between names and inside of dates a hyphen is right."""


@pytest.fixture(autouse=True)
def english() -> None:
    """The language of a run is kept, and a test before may have asked for another."""
    use_language("en")


@pytest.mark.parametrize("columns", [30, 50, 79])
def test_d8_a_table_is_as_wide_as_columns_says(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_table(["name", "what it does"], [["one", "word " * 40], ["two", "short"]])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns and len(lines) > 4
    assert [line for line in lines if line != line.rstrip()] == []
    assert sum(line.count("word") for line in lines) == 40


@pytest.mark.parametrize("columns", ["", "0", "wide", "-3"])
def test_d8_in_a_pipe_no_line_of_a_table_is_cut(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    print_table(["name", "what it does", ""], [["one", "word " * 40, ""], ["[red]two", "", "x"]])
    heading, *lines = capsys.readouterr().out.splitlines()
    assert (heading.split(), len(lines)) == (["name", "what", "it", "does"], 2)
    assert lines[0].count("word") == 40 and lines[1].startswith("[red]two")
    assert all(line == line.rstrip() for line in (heading, *lines))


def test_d8_numbers_are_written_as_people_of_a_language_do() -> None:
    before = output.language()
    try:
        use_language("en")
        assert figure(-1234.5, ".1f") == "\u22121234.5"
        assert (figure(0.25), figure(3), figure(-inf), value_text(-0.5)) == (
            "0.25", "3", "\u2212\u221e", "\u22120.5",
        )  # fmt: skip
        use_language("id")
        assert figure(-1234.5, ".1f") == "\u22121234,5"
        assert value_text(0.25) == "+0,25"
        assert output.say("analyse.work", nodes=1, seconds=0.5, why="x").count("0,5") == 1
    finally:
        use_language(before)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        ("analyse", "connect4:4,4 1", "--nodes", "500"),
        ("analyse", "tictactoe b2", "--agent", "mcts", "--nodes", "200"),
        ("analyse", "connect4:4,5", "--agent", "hillclimb", "--nodes", "200"),
        ("solve", "tictactoe b2 b1 a1", "--all-moves"),
        ("match", "hillclimb", "random", "--pairs", "3", "--nodes", "50"),
        ("elo", "3", "2", "1", "--elo0", "0", "--elo1", "5"),
        ("strength", "tictactoe", "--agents", "random", "--games", "2", "--nodes", "20"),
        ("complexity", "tictactoe", "--depth", "2"),
        ("watch", "tictactoe", "--nodes", "50"),
        ("bot", "check", "mybot.py", "--game", "tictactoe", "--positions", "4"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_d8_indonesian_output_has_decimal_commas_and_one_minus(
    papan: Papan, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mybot.py").write_text("def choose(position): return position.moves()[0]\n")
    for language in ("id", "en"):
        ran = papan(*arguments, "--lang", language)
        assert ran.code == 0, ran.err
        found = DECIMAL_POINT.findall(ran.out)
        assert not (found if language == "id" else []), ran.out
        assert not HYPHEN.findall(ran.out), ran.out
        assert all(line == line.rstrip() for line in ran.out.splitlines())


@pytest.mark.thorough
def test_d8_a_match_names_its_game(papan: Papan) -> None:
    ran = papan("match", "random", "random", "--game", "dots:2,2", "--pairs", "2", "--seed", "7")
    assert ran.out.splitlines()[0] == "dots:2,2: 4 games, seed 7"
    last = papan("match", "random", "random", "--pairs", "1", "--json").out.splitlines()[-1]
    facts = json.loads(last)
    assert facts["game"] == "tictactoe:3,3,3" and "records" not in facts


def test_d8_the_doctor_lists_every_package_that_papan_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    asked = {*project["dependencies"], *(each for extra in extras for each in extra)}
    names = {re.match(r"[\w-]+", each)[0] for each in asked}  # type: ignore[index]
    assert names - {"papan"} == {*doctor.packages()} - {"papan"}
    needed = {name for name, extra in doctor.packages().items() if not extra}
    assert needed == {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]}  # type: ignore[index]
    assert needed <= doctor._found([]).keys()


def test_d7_the_line_of_a_record_is_its_data() -> None:
    assert json.loads(str(WON)) == WON.json()


@pytest.mark.parametrize(
    ("words", "locale", "language", "left"),
    [
        (["play", "dots"], "", "en", ["play", "dots"]),
        (["play"], "id_ID.UTF-8", "id", ["play"]),
        (["play"], "de_DE.UTF-8", "en", ["play"]),
        (["--lang", "id", "play"], "en_US", "id", ["play"]),
        (["play", "--lang=en", "x"], "id_ID", "en", ["play", "x"]),
        (["--lang", "id", "--lang", "en"], "", "en", []),
        (["--language", "--langx=id"], "", "en", ["--language", "--langx=id"]),
    ],
)
def test_y7_the_language_is_the_last_that_was_asked_for_else_that_of_the_locale(
    words: list[str], locale: str, language: str, left: list[str]
) -> None:
    assert output.take_language(words, {"LANG": locale}) == (language, left)


@pytest.mark.parametrize("words", [["--lang"], ["--lang", "fr"], ["--lang="], ["--lang=ID"]])
def test_y7_a_language_that_papan_lacks_is_refused(words: list[str]) -> None:
    with pytest.raises(PapanError, match="en, id"):
        output.take_language(words, {})


def test_y7_an_agent_has_its_name_and_its_spec_unless_they_are_the_same() -> None:
    titles = {
        "random": "Random",
        "level:1": "Level 1, careless (level:1)",
        "level:3,seed=4": "Level 3 (level:3,seed=4)",
        "alphabeta": "Alpha-beta (alphabeta)",
    }
    assert {spec: output.agent_title(spec) for spec in titles} == titles


def test_y7_a_figure_has_a_typographic_minus_and_is_infinite_in_one_character() -> None:
    amounts = [(-1.5, ".1f"), (0.25, "g"), (inf, ".1f"), (-inf, "+g"), (1234.5, ".0f")]
    assert [output.figure(*each) for each in amounts] == [
        "\u22121.5",
        "0.25",
        "+\u221e",
        "\u2212\u221e",
        "1234",
    ]


def test_y7_the_last_five_lines_of_a_bot_are_shown_and_steer_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output.print_tail("".join(f"{n}\x1b[1m\n" for n in range(7)))
    assert capsys.readouterr().out == "".join(f"    | {n}\ufffd[1m\n" for n in range(2, 7))


def test_y7_a_search_tells_its_bounds_or_its_depth_and_twelve_moves() -> None:
    line = [f"m{n}" for n in range(20)]
    event = {"ms": 1250, "nodes": 9, "nps": 7, "depth": 5, "best": "m0"}
    event["moves"] = [{"m": "x", "pv": ["x"]}, {"m": "m0", "pv": line}]
    deep = output.findings(event)
    assert "5" in deep and "1.2" in deep and " ".join(line[:12]) in deep and "m12" not in deep
    proof = output.findings(event | {"bounds": (-1.0, 2.0)})
    assert proof.index("\u22121") < proof.index("+2")
    assert "m0" in output.findings(event | {"moves": []})
    assert "m0" not in output.findings({"ms": 1, "nodes": 9, "nps": 7})


def test_y7_the_time_left_is_that_of_the_work_of_this_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(output, "monotonic", lambda: now[0])
    bar = output.Bar("paper")
    bar.update(Progress(50, 100))  # of an earlier run
    for done, seconds in ((55, 10), (60, 20), (65, 25), (70, 40), (100, 50)):
        now[0] = 100.0 + seconds
        bar.update(Progress(done, 100))
    lines = capsys.readouterr().err.splitlines()
    assert [("60" in each, "70" in each) for each in lines] == [(True, False), (False, True)]
    assert "1:20" in lines[0] and "1:00" in lines[1]  # 2 seconds for each of 40 and 30
