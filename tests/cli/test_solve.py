"""``papan solve``: exact values as text and JSON, one line for each position on standard input."""

import io
import json
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan import api, catalog
from papan.cli.solve import _print_solution
from papan.core import interrupts
from papan.core.message import text_of
from tests.waiting import LONGEST_WAIT, until

from .conftest import Papan

KEYS = ["position", "value", "exact", "best", "line", "nodes", "seconds", "distance"]


def solved(papan: Papan, *arguments: str, typed: str = "") -> list[dict[str, Any]]:
    ran = papan("solve", *arguments, "--json", typed=typed)
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize(
    ("position", "value", "best"),
    [
        ("tictactoe", 0, {"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"}),
        ("tictactoe .../.x./... o", 0, {"a1", "c1", "a3", "c3"}),
        ("tictactoe ..x/..x/.o. o", 1, {"c3"}),
        ("dots:2,2", 2, {"a1b1", "b1c1", "a3b3", "b3c3", "a1a2", "c1c2", "a2a3", "c2c3"}),
        ("adjacency:4,4,1", -2, None),
        ("connect4:4,4", 0, None),
    ],
)
def test_the_value_and_all_best_moves(
    papan: Papan, position: str, value: float, best: set[str] | None
) -> None:
    (facts,) = solved(papan, position)
    assert list(facts)[: len(KEYS)] == KEYS
    assert (facts["value"], facts["exact"]) == (value, True)
    assert best is None or set(facts["best"]) == best
    assert facts["line"][0] in facts["best"]


def test_moves_are_made_first(papan: Papan) -> None:
    (facts,) = solved(papan, "connect4", "--moves", "112233")
    assert (facts["value"], facts["best"], facts["facts"]["score"]) == (1, ["4"], 18)
    assert facts["distance"] == 1


def test_every_move_gets_its_value(papan: Papan) -> None:
    (facts,) = solved(papan, "tictactoe ..x/..x/.o. o", "--all-moves")
    assert {each["m"]: each["v"] for each in facts["moves"] if each["k"] == "exact"} == {
        "a1": -1,
        "b1": -1,
        "a2": -1,
        "b2": -1,
        "a3": -1,
        "c3": 1,
    }


def test_positions_on_standard_input_give_one_line_each(papan: Papan) -> None:
    lines = "tictactoe\n\nonet:2,3 1,2,2/1,3,3\nonet:2,2 1,2/2,1\n"
    facts = solved(papan, typed=lines)
    assert [each["exact"] for each in facts] == [True, True, True]
    assert [each["facts"].get("solvable") for each in facts] == [None, True, False]
    assert len(facts[1]["line"]) == 3


def test_a_board_is_read_from_a_file(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("1 2 2\n1 3 3\n")
    (facts,) = solved(papan, "onet", "--board", str(path))
    assert facts["position"] == "onet:2,3 1,2,2/1,3,3"
    assert facts["facts"]["solvable"] is True
    path.write_text("1,2\n2\n")
    assert papan("solve", "--board", str(path)).code == 2
    assert "regular files only" in papan("solve", "--board", str(tmp_path)).err


def test_what_is_not_proved_is_bounded_honestly(papan: Papan) -> None:
    (facts,) = solved(papan, "connect4:7,10", "--nodes", "2000")
    assert facts["exact"] is False
    low, high = facts["bounds"]
    assert -1 <= low <= high <= 1
    assert facts["why"] == "nodes"
    assert "Not solved; proved: between" in papan("solve", "connect4:7,10", "--nodes", "2000").out


def test_the_verdict_is_a_sentence(papan: Papan) -> None:
    assert "Value +2 for player 1, exact." in papan("solve", "dots:2,2").out
    assert "The board cannot be cleared; this is proved." in papan("solve", "onet:2,2 1,2/2,1").out
    assert "Papan dapat dibersihkan." in papan("solve", "onet:2,3 1,2,2/1,3,3", "--lang", "id").out


def test_c08_a_finished_game_is_solved_without_a_best_move(papan: Papan) -> None:
    ran = papan("solve", "tictactoe xxx/oo./... o")
    assert ran.code == 0
    assert "Value \u22121 for player 2, exact. The game ends after 0 more plies" in ran.out  # T19
    assert "Best" not in ran.out


def test_c11_a_line_may_be_a_game_and_its_first_moves(papan: Papan) -> None:
    ran = papan("solve", "--json", typed="tictactoe a1 b1 a2 b2\ntictactoe\n")
    assert ran.code == 0
    first, second = map(json.loads, ran.out.splitlines())
    assert first["position"] == "tictactoe:3,3,3 xo./xo./... x" and first["best"] == ["a3"]
    assert second["value"] == 0
    assert papan("solve", "connect4:4,4 1212", "--json").out.startswith(
        '{"position": "connect4:4,4'
    )
    ran = papan("solve", "--json", typed="connect4 99\nconnect4:4,4 11111\n")
    assert ran.code == 2
    wrong, illegal = ran.err.splitlines()
    assert wrong.startswith("Line 1: '99' is neither a position, which is written in the form")
    assert illegal.startswith("Line 2: 1 is not legal in")


@pytest.mark.parametrize("text", ["", "  "])
def test_c11_an_empty_position_is_refused_in_a_sentence(papan: Papan, text: str) -> None:
    ran = papan("solve", text)
    assert (ran.code, ran.out) == (2, "")
    assert "There is nothing to solve in an empty text; write a game or a position" in ran.err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_c11_whoever_waits_at_a_terminal_is_told_so(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert papan("solve").err == ""
    monkeypatch.setattr(io, "StringIO", Terminal)
    assert "Type positions, one a line" in papan("solve").err


def test_a_bad_line_is_named_and_the_others_are_solved(papan: Papan) -> None:
    lines = "tictactoe\n\nnonsense\nconnect4 --\ndots:2,2\n"
    ran = papan("solve", "--json", typed=lines)
    assert ran.code == 2
    assert [json.loads(line)["value"] for line in ran.out.splitlines()] == [0, 2]
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["Line 3", "Line 4"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command",
    ["solve connect4:8,10", "solve dots:5,5", "solve adjacency", "analyse tictactoe:9,9,5"],
)
def test_ctrl_c_ends_a_search_and_what_is_known_is_said(papan: Papan, command: str) -> None:
    spent = papan(*command.split(), "--nodes", "100", "--json")

    def interrupt() -> None:
        until(lambda: interrupts._interrupts.answering)
        signal.raise_signal(signal.SIGINT)

    with ThreadPoolExecutor() as apart:
        done = apart.submit(interrupt)
        ran = papan(*command.split(), "--seconds", str(LONGEST_WAIT), "--json")
        done.result()
    facts = json.loads(ran.out)
    assert (ran.code, ran.err, facts["why"]) == (130, "Interrupted.\n", "cancelled")
    assert facts.keys() == json.loads(spent.out).keys()


def test_u03_a_saved_game_is_reviewed_in_words(papan: Papan, tmp_path: Path) -> None:
    session = api.session("tictactoe")
    for name in ("b2", "a1", "c1", "b1", "a3"):
        session.play(name)
    path = tmp_path / "game.json"
    api.save(session.record(), path)
    ran = papan("review", str(path), "--seconds", "60")
    assert (ran.code, ran.out.splitlines()) == (0, [*api.review(session.record()).lines()])
    assert "Pemain 2 tidak menutup a3." in papan("review", str(path), "--lang", "id").out
    rows = [json.loads(line) for line in papan("review", str(path), "--json").out.splitlines()]
    assert [row["move"] for row in rows if row["kind"] == "changed"] == ["b1"]
    assert papan("review", str(tmp_path / "none.json")).code == 2


EMPTY = "." * 9
OPEN_THREE = "/".join([EMPTY, EMPTY, EMPTY, "...xxx...", EMPTY, EMPTY, EMPTY, EMPTY, "o.o...o.."])


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize(
    ("position", "key"),
    [
        (("tictactoe xx./oo./... x",), "solve.best"),
        (("tictactoe:4,4,4",), "solve.best_every"),
        (("tictactoe xox/oxo/ox. x",), "solve.best_only"),
        ((f"tictactoe:9,9,5 {OPEN_THREE} x",), "solve.best_some"),
        (("connect4", "--nodes", "10", "--no-book"), "solve.best_guess"),
    ],
)
def test_y4_it_is_told_whether_those_are_all_best_moves(
    papan: Papan, position: tuple[str, ...], key: str, language: str
) -> None:
    before, _, after = text_of(key, language, moves="|", count=16).partition("|")
    facts = papan("solve", *position, "--lang", language).out.splitlines()
    assert len([line for line in facts if line.startswith(before) and line.endswith(after)]) == 1
    (known,) = solved(papan, *position)
    assert known["best_complete"] is (key not in ("solve.best_some", "solve.best_guess"))


def test_y7_the_values_of_all_moves_are_listed_from_the_best_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    position = catalog.position("tictactoe ..x/..x/.o. o")
    found = api.solve(position, all_moves=True)
    backwards = dict(reversed([*found.values.items()]))
    _print_solution(position, replace(found, values=backwards), all_moves=True)
    listed = re.findall("^([a-c][1-3]): ", capsys.readouterr().out, re.MULTILINE)
    assert listed[0] == "c3"
    assert len(listed) == 6


def without_seconds(text: str) -> str:
    return re.sub(r"seconds: [0-9.]+", "seconds: S", text)


BOARD = """\
  a b c
1 x x .
2 o o .
3 . . .
"""


def test_a_solution_is_told_whole(papan: Papan) -> None:
    position = "tictactoe xx./oo./... x"
    out = papan("solve", position, "--all-moves").out
    assert without_seconds(re.sub("Nodes: [0-9]+", "Nodes: N", out)) == BOARD + (
        "Value +1 for player 1, exact. The win takes 1 move of the winner (1 ply).\n"
        "Best: c1. Every other move is proved to be worse.\n"
        "c1: +1\nc2: 0\na3: \u22121\nb3: \u22121\nc3: \u22121\n"
        "Nodes: N, seconds: S (solved)\n"
    )
    assert ": +1\n" not in papan("solve", position).out


def test_an_analysis_is_told_whole(papan: Papan) -> None:
    out = papan("analyse", "tictactoe xx./oo./... x", "--agent", "minimax").out
    assert without_seconds(out) == BOARD + (
        "\n"
        "minimax is thinking for player 1.\n"
        "Move: c1\n"
        "Value: +1 for player 1 (exact)\n"
        "Best line: c1\n"
        "Nodes: 367, seconds: S (solved)\n"
        "\n"
        "move  value  then\n"
        "c1    = +1\n"
        "c2    = 0    c1 a3 b3 c3\n"
        "a3    = \u22121   c2\n"
        "b3    = \u22121   c1 c2 a3\n"
        "c3    = \u22121   c1 c2 a3\n"
    )


def test_a_graph_is_told_with_its_walk_or_drawn(papan: Papan) -> None:
    lines = papan("graph", "tictactoe", "--from", "a1").out.splitlines()
    assert lines[0] == "Graph 'wins': the lines that win (hypergraph)"
    assert "Vertices: 9; edges: 8." in lines
    assert "Level 1: b1 c1 a2 b2 a3 c3" in lines and "Level 2: b3 c2" in lines
    assert lines[lines.index("Graphs of this position: wins moves.") + 1] == ""
    assert lines[-1] == "a3-c3: a3 b3 c3"
    plain = papan("graph", "tictactoe").out
    assert "Level" not in plain and plain.endswith("a3-c3: a3 b3 c3\n")
    assert papan("graph", "tictactoe", "--graph", "moves").out.startswith("Graph 'moves'")
    form = papan("graph", "tictactoe", "--form", "json").out
    assert len(json.loads(form)) > 0
    assert papan("graph", "tictactoe", "--form", "svg", "--from", "b2").out.startswith("<svg")
    for wrong in (("--graph", "nosuch"), ("--from", "z9")):
        assert papan("graph", "tictactoe", *wrong).code == 2


def test_a_board_in_a_file_has_any_separators_and_blank_lines(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_bytes("\ufeff1, 2 2\n\n 1,3,3\n".encode())
    (facts,) = solved(papan, "--board", str(path))
    assert facts["position"] == "onet:2,3 1,2,2/1,3,3"
    path.write_bytes(b"\xff\n")
    ran = papan("solve", "--board", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert f"{path} cannot be read: " in ran.err
