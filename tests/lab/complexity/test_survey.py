"""Searches are counted exactly and to their end, and the same on every run."""

import csv
import io
import sys
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import CannotPlayError, InvalidSpecError, PapanError
from papan.lab.complexity import Effort, Run, Survey, Sweep, survey, sweep
from papan.lab.complexity.chart import draw

QUICK = Effort(nodes=700, positions=700, repeats=2)


def swept(agent: str, position: str, effort: Effort = QUICK) -> Sweep:
    reported: list[Run] = []
    found = sweep(papan.agent(agent), papan.position(position), effort, reported.append)
    assert tuple(reported) == found.runs
    return found


def surveyed(
    *games: str, agents: tuple[str, ...] = ("minimax", "alphabeta", "hillclimb")
) -> Survey:
    rules = [papan.game(spec) for spec in games]
    return survey(rules, [papan.agent(each) for each in agents], QUICK, lambda *facts: None)


def test_minimax_looks_at_every_line_of_play() -> None:
    found = swept("minimax", "tictactoe", Effort(nodes=20_000, repeats=1))
    assert [run.nodes for run in found.runs] == [10, 82, 586, 3610, 18730]
    assert found.end == "nodes"
    assert found.growth is not None
    assert 5 < found.growth.rate.value < 9


def test_a_sweep_ends_where_the_game_or_the_wish_does() -> None:
    assert swept("alphabeta", "dots:1,1").end == "game"
    assert len(swept("chains", "dots:1,1").runs) == 4
    assert swept("chains", "dots:1,1").end == "game"
    shallow = swept("minimax", "tictactoe", Effort(depth=2, repeats=1))
    assert (len(shallow.runs), shallow.end) == (2, "depth")


def test_an_agent_without_depth_is_measured_once() -> None:
    found = swept("hillclimb", "tictactoe:5,5,5")
    assert [(run.depth, run.nodes) for run in found.runs] == [(None, 25)]
    assert found.end == "once"
    assert found.growth is None


def test_a_search_that_is_not_finished_is_not_counted() -> None:
    assert swept("mcts:iterations=100000", "tictactoe").runs == ()
    assert swept("minimax", "tictactoe", Effort(nodes=5)) == Sweep("minimax", (), "nodes")


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
        Effort(**{name: 0})


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("suffix", "beginning"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")]
)
def test_a_chart_is_written_in_the_format_of_its_name(
    tmp_path: Path, suffix: str, beginning: bytes
) -> None:
    path = tmp_path / f"chart{suffix}"
    draw(surveyed("tictactoe"), path)
    assert path.read_bytes().startswith(beginning)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.thorough
def test_a_chart_shows_agents_boards_and_formulas_in_both_languages(tmp_path: Path) -> None:
    found = surveyed("tictactoe", "tictactoe:4,4,4")
    for language, words in {"en": ["depth", "seconds"], "id": ["kedalaman", "detik"]}.items():
        path = tmp_path / f"{language}.svg"
        draw(found, path, language)
        text = path.read_text(encoding="utf-8")
        for word in [
            *words,
            "alphabeta  tictactoe:4,4,4",
            "b^m, b = 9, 16",
            "n^2",
            "minimax, m = 2",
        ]:
            assert f">{word}<" in text


def test_a_chart_without_any_curve_is_still_a_chart(tmp_path: Path) -> None:
    draw(surveyed("tictactoe", agents=("hillclimb",)), tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").exists()


def test_without_matplotlib_a_chart_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PapanError, match=r"pip install 'papan\[lab\]'"):
        draw(surveyed("dots:1,1"), tmp_path / "chart.svg")
