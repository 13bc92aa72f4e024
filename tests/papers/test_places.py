"""Where the lines, rows and figures of a run lead: which board, after which moves, for whom."""

import pytest

from papan import catalog
from papan.core import PapanError
from papan.core.message import Message
from papan.lab.results import Cell, Chart, Finding, Measure, ReportTable, Series
from papan.papers import (
    chart_place,
    exhibits,
    finding_place,
    paper_names,
    papers_agent,
    place_of,
    row_places,
)
from papan.papers.onet import EXPERIMENTS
from papan.papers.paper import PaperPosition, each_ply, exhibit

PRINTED = "c3d3 a1b1 a2b2 b1c1 c1c2 c1d1 c2c3 a3b3 b3b4 c3c4 b2c2 b1b2 a1a2 c2d2 a3a4 a4b4 d1d2 "
PRINTED += "d2d3 b3c3 b4c4 b2b3 a2a3 c4d4 d3d4"
DOTS = PRINTED.split()
TIMED = ["a1", "b2", "b1", "c1", "a3", "a2", "c2", "b3", "c3"]
NESTED = Message("x", {"a": "level:2", "b": Message("y", {"c": "hillclimb"})})


def after(start: str, moves: list[str], ply: int, agent: str) -> PaperPosition:
    """The position of a game before a ply (from 1)."""
    return PaperPosition(start, " ".join(moves[: ply - 1]), " ".join(moves[ply - 1 :]), (agent,))


@pytest.mark.parametrize(
    ("number", "cells", "start", "agents"),
    [
        ("000", ("chains", "random"), "dots:3,3", ("chains", "random")),
        ("000", ("2x2", "4x4"), "dots:2,2", ("chains",)),
        ("001", (16, NESTED), "adjacency:8,8,16", ("level:2", "hillclimb")),
        ("001", (17,), "adjacency:8,8,8", ("neighbours",)),
        ("002", (Message("x", {"size": "8x14"}),), "onet:8,14,seed=1", ("openings",)),
        ("002", (), "onet:6,12,seed=1", ("openings",)),
        ("003", ("4x5",), "tictactoe:4,5,4", ("minimax:scoring=depth",)),
        ("003", ("3x3", "mcts:iterations=5", "random", "solver"), "tictactoe:3,3,3", None),
        ("004", ("7x10", "human", "level:2"), "connect4:7,10", ("level:2",)),
        ("004", ("123x4", "7x", 3.5, None, Measure(2), "x7x8"), "connect4", ("priority",)),
        ("005", ("d",), "connect4", ("solver",)),
    ],
)
def test_a_line_opens_the_board_and_the_agents_that_it_names(
    number: str, cells: tuple[Cell, ...], start: str, agents: tuple[str, ...] | None
) -> None:
    want = PaperPosition(start, agents=agents or ("mcts:iterations=5", "random"))
    assert place_of(number, cells) == want
    named = {f"value_{n}": cell for n, cell in enumerate(cells)}
    assert finding_place(number, Finding(Message("x", named), None)) == want


@pytest.mark.parametrize("end", ["final", "optimal", "replayed"])
def test_a_line_on_the_printed_game_of_dots_opens_it_where_the_program_begins(end: str) -> None:
    printed = after("dots:3,3", DOTS, 2, "chains")
    assert place_of("000", (), f"paper000.{end}") == printed
    other = PaperPosition(printed.start, printed.moves, printed.then, ("chains-fixed",))
    what = Message(f"paper000.{end}", {"agent": "chains-fixed", "rival": "random"})
    assert finding_place("000", Finding(what, None)) == other
    board = PaperPosition("dots:4,4", agents=("chains",))
    assert place_of("000", ("4x4",), f"paper000.{end}") == board
    assert place_of("003", (), f"paper003.{end}").start == "tictactoe"


def rows(name: str, *cells: tuple[Cell, ...]) -> ReportTable:
    return ReportTable(name, Message("x"), (), cells)


def test_a_row_on_a_ply_opens_the_printed_game_there() -> None:
    assert row_places("000", rows("review", (1,), (24,))) == [
        after("dots:3,3", DOTS, ply, "chains") for ply in (1, 24)
    ]
    minimax = "minimax:scoring=depth"
    for name in ("times", "game"):  # nine empty cells are the start
        assert row_places("003", rows(name, (9,), (4,))) == [
            after("tictactoe", TIMED, ply, minimax) for ply in (1, 6)
        ]
    assert row_places("003", rows("tree", (0,), (3,))) == [
        after("tictactoe", TIMED, ply, minimax) for ply in (1, 4)
    ]
    assert row_places("003", rows("steps", ("mcts",)))[0].agents == ("mcts",)


def test_a_row_of_an_experiment_of_onet_opens_its_board() -> None:
    normal, border = (EXPERIMENTS[place] for place in (0, 2))
    start = f"onet:6,12,rule=paper {normal.board}"
    moves = normal.paper.split()
    assert row_places("002", rows("moves", (1,), (3,))) == [
        after(start, moves, ply, "openings") for ply in (1, 3)
    ]
    first = PaperPosition(
        f"onet:2,6,rule=paper {border.board}", then=border.paper, agents=("openings",)
    )
    ours = PaperPosition("onet:2,6,seed=1", agents=("openings",))
    names = (Message("paper002.run_border"), Message("paper002.run_bottom_row", {"size": "2x6"}))
    assert row_places("002", rows("runs", *((name,) for name in names))) == [first, ours]


@pytest.mark.parametrize("name", ["cells", "review"])
def test_a_row_of_a_test_game_of_connect4_opens_reds_step(name: str) -> None:
    first, last = row_places("004", rows(name, (2, 3, "A2"), (3, 10, "D1")))
    assert (first.moves, first.then) == ("1 2 1 1", "2 2 3 1 4 7 3 6 3 1 4")
    assert (last.moves, last.then) == ("1 2 1 1 2 2 3 1 3 3 1 2 2 3 3 5 2 6", "4 4")
    assert {each.start for each in (first, last)} == {"connect4"}
    with pytest.raises(IndexError):
        row_places("004", rows(name, (1, 8, "A1")))  # the game has seven steps


def test_a_figure_opens_the_printed_game_or_what_its_series_name() -> None:
    heads = (Message("x"),) * 3
    assert chart_place("000", Chart("value", *heads, ())) == after("dots:3,3", DOTS, 1, "chains")
    chart = Chart("points", *heads, tuple(Series(each, ()) for each in ("random", "chains-fixed")))
    assert chart_place("000", chart) == PaperPosition("dots:3,3", agents=("random", "chains-fixed"))


def test_papers_and_their_agents_are_found_by_number_or_game() -> None:
    assert paper_names() == [
        *("000", "dots", "001", "adjacency", "002", "onet", "003", "tictactoe"),
        *("004", "connect4", "005", "connect4"),
    ]
    agents = {game: papers_agent(catalog.game(game)) for game in ("connect4", "dots:3,3")}
    assert {game: agent and agent.name for game, agent in agents.items()} == {
        "connect4": "priority",
        "dots:3,3": "chains",
    }
    with pytest.raises(PapanError, match="006"):
        exhibits("006")
    with pytest.raises(KeyError):
        place_of("006", ())


def test_a_printed_game_has_a_place_for_each_of_its_moves() -> None:
    places = each_ply("tictactoe", ["a1", "b2"], "random")
    assert places == [
        PaperPosition("tictactoe", "", "a1 b2", ("random",)),
        PaperPosition("tictactoe", "a1", "b2", ("random",)),
    ]
    found = exhibit("name", Message("title"), ["lab.ply", "x"], [(1, "a"), (2, "b")], places)
    assert found.table == ReportTable(
        "name", Message("title"), (Message("lab.ply"), Message("x")), ((1, "a"), (2, "b"))
    )
    assert found.places == tuple(places)
