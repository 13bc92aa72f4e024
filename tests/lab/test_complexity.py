"""Trees are counted exactly, and laws are found where there are some."""

import csv
import io
import re
from dataclasses import replace
from math import log
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import papan
from papan.core import CannotPlayError, InvalidSpecError, Progress
from papan.core.message import text_of
from papan.lab.complexity import (
    FORMULAS,
    BoardSurvey,
    GameTree,
    PlyCounts,
    SearchRun,
    Survey,
    SurveyLimit,
    Sweep,
    board_side,
    count_tree,
    scan,
    survey,
    sweep_depths,
)
from papan.lab.figures import draw_survey, survey_drawing
from papan.lab.statistics.intervals import Interval, exponential_law, power_law
from tests.games.perft import perfts


def test_tic_tac_toe_has_5478_positions_and_255168_games() -> None:
    tree = count_tree(papan.position("tictactoe"), 10_000)
    assert tree.complete
    assert tree.positions == 5478
    assert [ply.positions for ply in tree.plies] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [ply.lines for ply in tree.plies][:5] == [1, 9, 72, 504, 3024]
    assert tree.plies[0].branching == 9
    assert tree.plies[-1].moves == 0


@pytest.mark.parametrize(
    "game", ["connect4:4,4", "dots:2,2", "adjacency:4,4,2", "onet:2,4,kinds=2"]
)
def test_lines_are_counted_as_perft_does(game: str) -> None:
    position = papan.position(game)
    lines = [ply.lines for ply in count_tree(position, 3000).plies]
    assert lines[1:5] == perfts(position, 4)[: len(lines) - 1]


def test_a_tree_that_is_too_large_is_counted_as_far_as_whole_plies_fit() -> None:
    tree = count_tree(papan.position("tictactoe"), 200)
    assert not tree.complete
    assert [ply.positions for ply in tree.plies] == [1, 9, 72]
    assert tree.plies[-1].moves == 504
    assert len(count_tree(papan.position("tictactoe"), 1).plies) == 1


def test_laws_that_hold_exactly_are_found_without_error() -> None:
    base = exponential_law([(depth, 3 * 7.0**depth) for depth in range(1, 6)])
    assert base is not None
    assert (base.factor, base.rate.value) == pytest.approx((3, 7))
    assert base.rate.error == pytest.approx(0, abs=1e-6)
    exponent = power_law([(side, 0.5 * side**2) for side in (3.0, 4.0, 5.0, 15.0)])
    assert exponent is not None
    assert (exponent.factor, exponent.rate.value) == pytest.approx((0.5, 2))


def test_the_error_is_the_one_of_the_textbook() -> None:
    law = power_law(
        [(1, 1.0), (2.718281828459045, 2.718281828459045**2), (7.38905609893065, 20.085536923)]
    )
    assert law is not None
    assert law.rate.value == pytest.approx(1.5)
    assert law.rate.error == pytest.approx(12.7062 * (1 / 6 / 2) ** 0.5, rel=1e-4)


def test_two_points_have_a_law_but_no_error_and_one_has_neither() -> None:
    law = exponential_law([(1, 2.0), (2, 6.0)])
    assert law is not None
    assert law.rate.value == pytest.approx(3)
    assert law.rate.error == float("inf")
    assert exponential_law([(1, 2.0)]) is None
    assert power_law([]) is None


def test_formulas_say_what_the_papers_say() -> None:
    assert FORMULAS["b^m"](9, 9) == 387_420_489
    assert [FORMULAS["nPr"](56, depth) for depth in (1, 2, 3)] == [56, 3_080, 166_320]
    assert FORMULAS["nPr/2"](56, 3) == 83_160
    assert [FORMULAS["nPr/2"](5, depth) for depth in (0, 1, 2)] == [0, 2, 10]
    assert FORMULAS["nPr/2"](25, 20) == 64_630_041_847_212_441_600_000  # exact, as nPr is
    assert [FORMULAS["b^(m/2)"](10, depth) for depth in (1, 2, 3, 4)] == [10, 19, 109, 199]
    assert scan(5) == 25


QUICK = SurveyLimit(nodes=700, positions=700, repeats=2)


def swept(agent: str, position: str, effort: SurveyLimit = QUICK) -> Sweep:
    reported: list[Progress] = []
    found = sweep_depths(papan.agent(agent), papan.position(position), effort, reported.append)
    assert [made.done for made in reported] == [*range(1, len(found.runs) + 1)]
    nodes = [f"{run.nodes} " in made.text() for run, made in zip(found.runs, reported)]
    assert all(nodes), [made.text() for made in reported]
    return found


def surveyed(
    *games: str, agents: tuple[str, ...] = ("minimax", "alphabeta", "hillclimb")
) -> Survey:
    rules = [papan.game(spec) for spec in games]
    return survey(rules, [papan.agent(each) for each in agents], QUICK, lambda *facts: None)


def test_minimax_looks_at_every_line_of_play() -> None:
    found = swept("minimax", "tictactoe", SurveyLimit(nodes=20_000, repeats=1))
    assert [run.nodes for run in found.runs] == [10, 82, 586, 3610, 18730]
    assert found.end == "nodes"
    assert found.growth is not None
    assert 5 < found.growth.rate.value < 9


def test_a_sweep_ends_where_the_game_or_the_wish_does() -> None:
    assert swept("alphabeta", "dots:1,1").end == "game"
    assert len(swept("chains", "dots:1,1").runs) == 4
    assert swept("chains", "dots:1,1").end == "game"
    shallow = swept("minimax", "tictactoe", SurveyLimit(depth=2, repeats=1))
    assert (len(shallow.runs), shallow.end) == (2, "depth")


def test_an_agent_without_depth_is_measured_once() -> None:
    found = swept("hillclimb", "tictactoe:5,5,5")
    assert [(run.depth, run.nodes) for run in found.runs] == [(None, 25)]
    assert found.end == "once"
    assert found.growth is None


def test_a_search_that_is_not_finished_is_not_counted() -> None:
    assert swept("mcts:iterations=100000", "tictactoe").runs == ()
    assert swept("minimax", "tictactoe", SurveyLimit(nodes=5)) == Sweep("minimax", (), "nodes")


def test_times_have_a_spread_and_memory_is_counted() -> None:
    run = swept("alphabeta", "tictactoe").runs[-1]
    assert 0 < run.seconds.low <= run.seconds.value <= run.seconds.high
    assert run.memory > 1000


def test_counts_are_the_same_on_every_run() -> None:
    assert counts(surveyed("dots:2,2").json()) == counts(surveyed("dots:2,2").json())


def counts(facts: Any) -> Any:
    """The facts without times and memory, which differ each time."""
    if isinstance(facts, dict):
        return {
            key: counts(value) for key, value in facts.items() if key not in ("seconds", "memory")
        }
    return [counts(each) for each in facts] if isinstance(facts, list) else facts


def test_hill_climbing_takes_n_squared_and_minimax_n_to_twice_the_depth() -> None:
    found = surveyed("tictactoe", "tictactoe:4,4,4", "tictactoe:5,5,5")
    exponents = {each.agent: each for each in found.exponents}
    assert exponents["hillclimb"].nodes.rate.value == pytest.approx(2)
    assert exponents["hillclimb"].nodes.rate.error == pytest.approx(0, abs=1e-9)
    assert exponents["minimax"].depth == 2
    assert exponents["minimax"].nodes.rate.value == pytest.approx(4, abs=0.1)


def test_n05_agents_are_compared_at_one_depth_that_all_reached() -> None:
    found = surveyed("tictactoe", "tictactoe:4,4,4", agents=("minimax", "alphabeta"))
    reached = {each.agent: len(each.runs) for each in found.boards[0].sweeps}
    assert reached["alphabeta"] > reached["minimax"]
    assert {each.depth for each in found.exponents} == {found.depth} == {2}


def test_m09_leaves_are_compared_with_leaves_and_positions_are_not_lines() -> None:
    tree = count_tree(papan.position("tictactoe"), 10_000)
    assert (tree.leaves(9), tree.nodes(9)) == (255_168, 549_946)
    assert (tree.plies[5].lines, tree.plies[5].positions) == (15_120, 1_260)
    assert sum(ply.ended for ply in tree.plies) == tree.leaves(9)


def test_m11_npr_is_exactly_the_number_of_lines_until_a_game_can_end() -> None:
    (board,) = surveyed("adjacency:4,4,2", agents=("minimax",)).boards
    assert [ply.lines for ply in board.tree.plies[:3]] == [1, 8, 56]
    assert [board.formula("nPr", ply) for ply in range(3)] == [1, 8, 56]
    (other,) = surveyed("connect4:4,4", agents=("minimax",)).boards
    assert other.formula("nPr", 2) is None
    assert other.formula("b^m", 2) == 16


def test_m12_lists_and_matrix_are_counted_on_the_graphs_of_the_board() -> None:
    (board,) = surveyed("dots:2,2", agents=("minimax",)).boards
    looks = {each.graph: each for each in board.walks}
    assert (looks["board"].lists, looks["board"].matrix) == (2 * 12, 9**2)
    lists, matrix = surveyed("dots:1,1", "dots:2,2", "dots:3,3", agents=("chains",)).walk_laws[
        "board"
    ]
    assert matrix.rate.value == pytest.approx(2)
    assert 1 < lists.rate.value < 1.5


@pytest.mark.parametrize("language", ["en", "id"])
def test_every_board_ends_in_sentences_that_say_what_was_found(language: str) -> None:
    found = surveyed("tictactoe")
    facts = found.conclusions(found.boards[0])
    keys = ["says_leaves", "says_npr", "says_nodes", "says_half"]
    assert [each.key for each in facts] == [f"complexity.{key}" for key in keys]
    assert all(text_of(each.key, language, **each.values) != each.key for each in facts)


def test_one_size_has_no_exponent() -> None:
    assert surveyed("tictactoe").exponents == []


def test_every_search_is_one_line_of_csv() -> None:
    found = surveyed("tictactoe", "dots:1,1")
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    assert len(rows) == sum(len(each.runs) for board in found.boards for each in board.sweeps)
    assert (rows[1]["agent"], rows[1]["depth"], rows[1]["nodes"]) == ("minimax", "2", "82")
    assert (rows[1]["b^m"], rows[1]["b^(m/2)"]) == ("81", "17")


def test_an_agent_that_cannot_play_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(CannotPlayError, match="priority cannot play tictactoe"):
        surveyed("tictactoe", agents=("minimax", "priority"))


@pytest.mark.parametrize("name", ["depth", "nodes", "positions", "repeats"])
def test_an_effort_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpecError, match=f"{name} must be more than 0"):
        SurveyLimit(**{name: 0})


def test_a_chart_is_written_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    draw_survey(surveyed("tictactoe"), path)
    assert ElementTree.fromstring(path.read_bytes()).tag.endswith("svg")
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.thorough
def test_a_chart_shows_agents_boards_and_formulas_in_both_languages(tmp_path: Path) -> None:
    found = surveyed("tictactoe", "tictactoe:4,4,4")
    for language, words in {"en": ["depth", "seconds"], "id": ["kedalaman", "detik"]}.items():
        path = tmp_path / f"{language}.svg"
        draw_survey(found, path, language)
        text = path.read_text(encoding="utf-8")
        for word in [
            *words,
            "alphabeta  tictactoe:4,4,4",
            "b^m, b = 9, 16",
            "n^2",
            "minimax, m = 2",
            "alphabeta, m = 2",
        ]:
            assert f">{word}<" in text
        assert ("At the same depth 2" if language == "en" else "Pada kedalaman yang sama") in text


def test_a_chart_without_any_curve_is_still_a_chart(tmp_path: Path) -> None:
    draw_survey(surveyed("tictactoe", agents=("hillclimb",)), tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").exists()


def test_y7_times_of_less_than_a_second_count_in_a_law() -> None:
    law = exponential_law([(depth, 0.001 * 7.0**depth) for depth in range(1, 4)])
    assert law is not None and law.rate.value == pytest.approx(7)
    law = power_law([(side, 0.01 * side**2) for side in (2.0, 3.0, 4.0)])
    assert law is not None and law.rate.value == pytest.approx(2)


# Y7: a survey that nobody has measured, with its sentences and rows by hand


def run_of(depth: int | None, nodes: int, seconds: float = 1.0) -> SearchRun:
    return SearchRun(depth, nodes, Interval(seconds, seconds / 2, seconds * 2), 1000 + nodes)


def board_of(side: int, *sweeps: Sweep, shrinks: bool = True) -> BoardSurvey:
    plies = (PlyCounts(0, 1, 1, 4, 0), PlyCounts(1, 4, 4, 12, 0), PlyCounts(2, 9, 12, 20, 2))
    tree = GameTree((*plies, PlyCounts(3, 5, 20, 0, 20)), complete=True)
    return BoardSurvey(f"game:{side}", side, 4, tree, sweeps, shrinks)


BY_HAND = Survey(
    tuple(
        board_of(
            side,
            Sweep("a", (run_of(1, 5), run_of(2, side**4, side**2), run_of(3, 999)), "nodes"),
            Sweep("b", (run_of(1, 4), run_of(2, side**3)), "depth"),
            Sweep("c", (run_of(None, side**2),), "once"),
            Sweep("d", (), "nodes"),
        )
        for side in (2, 4)
    )
)


def test_y7_a_tree_is_counted_by_ply() -> None:
    tree = BY_HAND.boards[0].tree
    assert [tree.nodes(ply) for ply in range(4)] == [1, 5, 17, 37]
    assert [tree.leaves(ply) for ply in range(4)] == [1, 4, 12, 22]
    assert tree.positions == 19
    assert [ply.branching for ply in tree.plies] == [4, 3, 20 / 12, 0]


def test_y7_agents_are_compared_at_the_depth_that_all_reached_on_all_boards() -> None:
    assert BY_HAND.depth == 2
    exponents = {each.agent: each for each in BY_HAND.exponents}
    assert exponents.keys() == {"a", "b", "c"}
    rates = {name: each.nodes.rate.value for name, each in exponents.items()}
    assert rates == pytest.approx({"a": 4, "b": 3, "c": 2})
    assert exponents["a"].seconds.rate.value == pytest.approx(2)
    assert {name: each.depth for name, each in exponents.items()} == {"a": 2, "b": 2, "c": None}


def test_y7_the_sentences_of_a_board_have_its_numbers() -> None:
    leaves, npr, nodes, half = BY_HAND.conclusions(BY_HAND.boards[1])
    assert leaves.values == {
        "plies": 3, "nodes": 37, "leaves": 22, "positions": 19, "formula": 64, "times": 2.9,
    }  # fmt: skip
    assert npr.key == "complexity.says_npr_until"
    assert npr.values == {"ply": 2, "next": 3, "lines": 20, "formula": 24}
    assert nodes.values == {
        "game": "game:4", "depth": 2, "agent": "a", "nodes": 256, "other": "b", "fewer": 64,
        "share": 25, "seconds": 16, "less": 1,
    }  # fmt: skip
    assert half.values == {"depth": 2, "half": 6, "fewer": 64}
    wide = replace(BY_HAND.boards[1], shrinks=False)
    assert [each.key.rpartition("_")[2] for each in BY_HAND.conclusions(wide)] == [
        "leaves",
        "nodes",
    ]


def test_y7_a_row_of_csv_is_that_of_its_search() -> None:
    rows = list(csv.DictReader(io.StringIO(BY_HAND.csv())))
    assert len(rows) == 2 * 6
    assert rows[7] == {
        "game": "game:4", "side": "4", "moves": "4", "agent": "a", "depth": "2", "nodes": "256",
        "median_seconds": "16", "low_seconds": "8", "high_seconds": "32", "memory_bytes": "1256",
        "b^m": "16", "nPr": "12", "nPr/2": "6", "b^(m/2)": "7",
    }  # fmt: skip
    assert (rows[11]["agent"], rows[11]["depth"], rows[11]["b^m"]) == ("c", "", "")


@pytest.mark.parametrize(
    ("spec", "side"),
    [("tictactoe:4,9,3", 6), ("connect4:4,9", 6), ("onet:2,8", 4), ("dots:1,4", 2)],
)
def test_y7_the_side_of_a_board_is_that_of_a_square_as_large(spec: str, side: float) -> None:
    assert board_side(papan.game(spec)) == side


def test_y7_the_sentences_above_a_chart_are_read_from_top_to_bottom(tmp_path: Path) -> None:
    board = replace(BY_HAND.boards[0], game="connect4:2,4")  # there is a game of this name
    found = Survey((board, replace(BY_HAND.boards[1], game="connect4:4,4")))
    draw_survey(found, path := tmp_path / "chart.svg", "id")
    texts = [each for each in ElementTree.parse(path).iter() if each.tag.endswith("text")]
    left = min(
        float(each.get("x", "inf")) for each in texts if "Pada kedalaman" in (each.text or "")
    )
    lines = [each for each in texts if float(each.get("x", "0")) == left]
    lines.sort(key=lambda each: float(each.get("y", "0")))
    nodes = found.conclusions(board)[2]
    assert nodes.key == "complexity.says_nodes"
    sentence = text_of(nodes.key, "id", **nodes.values)
    assert len(sentence) > 66  # it takes two lines
    assert sentence in " ".join(each.text or "" for each in lines)


# A survey drawn: what nobody has measured, as numbers and lines

WRITTEN = [
    "Work of searching: game", "At the same depth 2 on game:2: a 16 nodes, b 8, that is 50%.",
    "1", "2", "3", "10", "100", "1000", "depth", "nodes",
    "mostly the cost of its call; nodes say more.",
    "At depth 2 on game:2, median: a 4 s, b 1 s. A short search is", "1", "2", "3", "1 s", "10 s",
    "depth", "seconds", "n^2.",
    "All at depth 2; nodes grow with the side n like a: n^4, b: n^3, c:", "2", "4", "10", "100",
    "side n of the board", "nodes", "a  game:2", "b  game:2", "a  game:4", "b  game:4",
    "b^m, b = 4, 4", "nPr, b = 4, 4", "b^(m/2), b = 4, 4", "a, m = 2", "b, m = 2", "c", "n^2",
]  # fmt: skip
"""The texts of the drawing of `BY_HAND`, in their order."""
LEGEND = [
    (96.0, 489.0), (253.2, 489.0), (410.4, 489.0), (567.6, 489.0), (724.8, 489.0), (96.0, 507.0),
    (253.2, 507.0), (1016.0, 489.0), (1119.68, 489.0), (1223.36, 489.0), (1327.04, 489.0),
]  # fmt: skip
"""Where the names of its legends stand."""


def curves(picture: str) -> list[list[tuple[float, float]]]:
    """The points of the lines of a drawing."""
    found = re.findall(r'<path d="M([^"A-KN-Za-z]*(?:L[^"a-z]*)+)" fill="none"', picture)
    return [
        [(float(x), float(y)) for x, y in (point.split() for point in line.split("L"))]
        for line in found
    ]


def test_a_survey_is_drawn_with_its_numbers_on_logarithmic_axes() -> None:
    picture = survey_drawing(BY_HAND, "en")
    tree = ElementTree.fromstring(picture)
    texts = [each for each in tree.iter() if each.tag.endswith("text")]
    assert [each.text for each in texts] == WRITTEN
    places = [(float(str(each.get("x"))), float(str(each.get("y")))) for each in texts]
    assert places[0] == (690, 22), "the title, in the middle of three panels of 460"
    assert places[-11:] == LEGEND
    assert (tree.get("width"), tree.get("height")) == ("1380", "518")
    nodes = [
        [5, 16, 999], [4, 8], [5, 256, 999], [4, 64],
        *[[4, 16, 64]] * 2, *[[4, 12, 24]] * 2, *[[4, 7, 19]] * 2,
    ]  # fmt: skip
    seconds = [[1, 4, 1], [1, 1], [1, 16, 1], [1, 1]]
    sizes = [[16, 256], [8, 64], [4, 16], [4, 16]]
    ends = {0: (4, 999), 1: (0.5, 32), 2: (4, 256)}
    drawn = iter(curves(picture))
    for panel, lines in enumerate((nodes, seconds, sizes)):
        low, high = map(log, ends[panel])
        for values in lines:
            heights = [y for _, y in next(drawn)]
            shares = [(0.05 + (log(value) - low) / (high - low)) / 1.1 for value in values]
            expected = [431 - 349 * share for share in shares]  # the panel is from 82 to 431
            assert heights == pytest.approx(expected, abs=0.02)
    assert next(drawn, None) is None


def test_a_survey_of_one_board_has_two_panels_and_one_legend() -> None:
    one = Survey(BY_HAND.boards[:1])
    tree = ElementTree.fromstring(survey_drawing(one, "id"))
    texts = [each.text for each in tree.iter() if each.tag.endswith("text")]
    assert tree.get("width") == "920"
    assert texts.count("kedalaman") == 2 and "n^2" not in texts
    assert [each for each in texts if each and each.startswith(("a  ", "b  ", "b^", "nPr"))] == [
        "a  game:2", "b  game:2", "b^m, b = 4", "nPr, b = 4", "b^(m/2), b = 4",
    ]  # fmt: skip
