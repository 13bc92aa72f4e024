"""``papan complexity``: tables, data, charts, and what cannot be measured."""

import json
from pathlib import Path

import pytest

from papan.cli.lab import sized, split_agents

from .conftest import Papan

QUICK = ("--nodes", "700", "--positions", "700", "--repeats", "1")


def test_tables_tell_of_the_game_the_searches_and_the_growth(papan: Papan) -> None:
    out = papan("complexity", "tictactoe", "--sizes", "3,4", *QUICK).out
    assert "tictactoe:3,3,3: more than 334 positions can be reached" in out
    assert "minimax on tictactoe:3,3,3, 9 moves at the start:" in out
    assert "with an effective branching factor b = " in out
    assert "Looking further takes more nodes than allowed." in out
    assert "all agents at depth 2 (95%):" in out
    assert "At the same depth 2 on tictactoe:3,3,3: minimax 82 nodes, alphabeta 36" in out
    assert "nPr, paper 001's formula, is exactly the number of lines" in out
    assert "n^" in out


def test_it_speaks_indonesian(papan: Papan) -> None:
    ran = papan("complexity", "dots:1,1", *QUICK, "--lang", "id")
    assert "dots:1,1: 16 posisi dapat dicapai." in ran.out
    assert "Permainan sudah dicari sampai tuntas." in ran.out
    assert "kedalaman 4" in ran.err


def test_two_forms_at_once_are_refused(papan: Papan) -> None:
    ran = papan("complexity", "dots:1,1", *QUICK, "--csv", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "--json and --csv are two forms of the same data; choose one.\n"


def test_the_same_comes_as_json_and_csv(papan: Papan) -> None:
    facts = json.loads(papan("complexity", "dots:1,1", *QUICK, "--json").out)
    board = facts["boards"][0]
    assert (board["game"], board["positions"], board["complete"]) == ("dots:1,1", 16, True)
    assert [run["nodes"] for run in board["agents"][0]["runs"]] == [5, 17, 41, 65]
    assert facts["exponents"] == []
    lines = papan("complexity", "dots:1,1", *QUICK, "--csv").out.splitlines()
    assert lines[0].startswith("game,side,moves,agent,depth,nodes,median_seconds")
    assert lines[1].startswith('"dots:1,1",1,4,minimax,1,5,')


@pytest.mark.thorough
def test_a_chart_is_drawn_beside_the_data(papan: Papan, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    ran = papan("complexity", "dots:1,1", *QUICK, "--chart", str(path), "--json")
    assert json.loads(ran.out)
    assert f"The chart is in {path}." in ran.err
    assert path.exists()


def test_settings_after_a_comma_belong_to_the_agent_before() -> None:
    text = "minimax,alphabeta:table=false,ordering=false,level:3,solver"
    agents = ["minimax", "alphabeta:table=false,ordering=false", "level:3", "solver"]
    assert split_agents(text) == agents


def test_a_number_stands_for_all_sizes_of_a_game() -> None:
    assert [game.spec for game in sized("tictactoe", "3,4x5x3")] == [
        "tictactoe:3,3,3",
        "tictactoe:4,5,3",
    ]
    assert [game.spec for game in sized("onet", "4,2x6")] == ["onet:4,4", "onet:2,6"]
    assert [game.spec for game in sized("dots:2,2", "")] == ["dots:2,2"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "papan complexity needs GAME"),
        (["chess"], "There is no game 'chess'"),
        (["dots", "--sizes", "0"], "dots:0,0: the board may have 1 to"),
        (["dots", "--sizes", "big"], "'big' is not a size; sizes are written like 3,4"),
        (["tictactoe", "--sizes", "3,x"], "'x' is not a size; sizes are written like 3,4"),  # T18
        (["dots", "--agents", "minmax"], "There is no agent 'minmax'; did you mean 'minimax'?"),
        (["dots", "--agents", ","], "Name at least one agent"),
        (["dots", "--agents", "human"], "name agents that search"),
        (["dots", "--agents", "priority"], "The agent priority cannot play dots"),
        (["dots", "--nodes", "0"], "nodes must be more than 0, not 0"),
        (["dots", "--chart", "chart.gif"], "charts are SVG and end in .svg"),
        (["dots", "--chart", "chart.pdf"], "for a PDF, open one in a browser and print it"),
        (["dots", "--chart", "no-such-folder/chart.svg"], "its folder does not exist"),
    ],
)
def test_what_cannot_be_measured_is_one_clear_line(
    papan: Papan, arguments: list[str], message: str
) -> None:
    ran = papan("complexity", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_minimax_searches_tic_tac_toe_through_if_nothing_else_is_said(papan: Papan) -> None:
    ran = papan("complexity", "tictactoe", "--agents", "minimax", "--repeats", "1", "--json")
    sweep = json.loads(ran.out)["boards"][0]["agents"][0]
    assert (sweep["end"], sweep["runs"][-1]["nodes"]) == ("game", 549946)
