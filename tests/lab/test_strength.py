"""Strength: Elo against anchors, and what moves give away of a proven result."""

import json
from math import inf

import pytest

import papan
from papan import api, catalog
from papan.cli.app import run_arguments
from papan.core import InvalidSpecError, Limit
from papan.core.parts import Support
from papan.lab.bots import RivalScore, _above_rivals
from papan.lab.statistics.intervals import Interval
from papan.lab.strength import (
    AgentStrength,
    Regret,
    Strengths,
    known_positions,
    regret_of,
    true_value,
)

FEW = Limit(nodes=30)


def test_the_first_anchor_has_no_elo_and_who_wins_has_more() -> None:
    alphabeta = papan.agent("alphabeta:depth=2")
    found = api.strength("tictactoe", [alphabeta], FEW, games=4, positions=0)
    by_name = {each.agent: each for each in found}
    assert by_name["random"].elo.value == 0
    assert by_name["alphabeta:depth=2"].elo.value > 0
    assert by_name["alphabeta:depth=2"].games == 4 * 4, "two games, both seats, for each pair"
    assert [each.elo.value for each in found] == sorted(
        (each.elo.value for each in found), reverse=True
    )


def test_regret_is_what_a_move_gives_away() -> None:
    position = papan.position("tictactoe").after("a1 b1 a2 b2")  # a3 wins, all else does not
    solver = Support.of(position.game).solver()
    assert solver is not None and true_value(position, position.turn, solver) == 1
    known = [(position, 1.0)]
    right = regret_of(papan.agent("alphabeta:depth=1"), known, solver, Limit())
    assert right is not None and (right.right, right.mean) == (1, 0)
    wrong = regret_of(catalog.player(lambda position: "c3"), known, solver, Limit())
    assert wrong is not None and (wrong.positions, wrong.right, wrong.mean) == (1, 0, 2)


def test_positions_are_the_same_for_the_same_seed_and_have_a_choice() -> None:
    game = papan.game("tictactoe")
    solver = Support.of(game).solver()
    assert solver is not None
    known = known_positions(game, solver, 3, seed=1)
    assert known == known_positions(game, solver, 3, seed=1)
    assert known != known_positions(game, solver, 3, seed=2)
    assert all(len(position.moves()) > 1 for position, _ in known)


def test_y7_an_odd_number_of_games_is_rounded_up_to_whole_pairs() -> None:
    found = api.strength("tictactoe", [papan.agent("random:seed=5")], FEW, games=3, positions=0)
    played = {each.agent: each.games for each in found}
    assert played["random:seed=5"] == 4 * 4, "four games with each of the four anchors"


def test_y7_a_position_with_a_forced_move_says_nothing_about_regret() -> None:
    game = papan.game("tictactoe")
    solver = Support.of(game).solver()
    assert solver is not None
    known = known_positions(game, solver, 60, seed=3)
    assert len(known) == 60 and min(len(position.moves()) for position, _ in known) == 2


def test_the_command_prints_a_table_or_data(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["strength", "tictactoe", "--agents", "random", "--games", "2", "--nodes", "20"]
    assert run_arguments([*asked, "--positions", "1", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["agent"] for row in rows} == {"random", "level:1", "level:3", "level:4"}
    assert rows[0]["regret"]["positions"] == 1
    assert run_arguments([*asked, "--positions", "0"]) == 0
    assert "tictactoe:3,3,3, 20 nodes per move; random has Elo 0:" in capsys.readouterr().out
    assert run_arguments(["strength", "tictactoe", "--games", "0"]) == 2
    assert "--games must be more than 0, not 0." in capsys.readouterr().err
    for positions in ("-1", "9" * 20):
        assert run_arguments(["strength", "tictactoe", "--positions", positions]) == 2
        said = f"--positions must be from 0 to 100000, not {positions}.\n"
        assert capsys.readouterr().err == said


def test_t02_nobody_is_measured_who_asks_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "agent_names", lambda plays: ["human", "random"])
    found = api.strength("tictactoe", None, FEW, games=1, positions=0)
    assert "human" not in {each.agent for each in found} > {"random"}


def test_y7_everyone_meets_every_anchor_and_anchors_meet_each_other_once() -> None:
    names = ("random", "random:seed=1", "random:seed=2", "random:seed=3")
    first, second, *others = (papan.agent(name) for name in names)
    plan = Strengths(papan.game("tictactoe"), (*others,), (first, second), FEW, positions=0)
    found = {
        (agent.spec, anchor.spec) for agent, anchor in plan._meetings([first, second, *others])
    }
    assert found == {
        (names[1], names[0]),
        (names[2], names[0]),
        (names[2], names[1]),
        (names[3], names[0]),
        (names[3], names[1]),
    }


def test_y7_a_value_is_that_of_the_seat_that_is_asked_about() -> None:
    position = papan.position("tictactoe").after("a1 b1 a2 b2")  # x wins by a3
    solver = Support.of(position.game).solver()
    assert solver is not None
    assert [true_value(position, seat, solver) for seat in (0, 1)] == [1, -1]
    assert [true_value(position.after("a3"), seat, solver) for seat in (0, 1)] == [1, -1]
    box = papan.position("dots:1,2 1111110 1 1-0")  # the first seat takes the other box, too
    dots = Support.of(box.game).solver()
    assert dots is not None
    assert [true_value(box, seat, dots) for seat in (0, 1)] == [2, -2]


def test_y7_regret_is_the_mean_over_what_could_be_judged() -> None:
    lost = papan.position("tictactoe").after("a1 b1 a2 b2")
    even = papan.position("tictactoe").after("a1 b2 b1")  # o must block at c1
    solver = Support.of(lost.game).solver()
    assert solver is not None
    found = regret_of(
        catalog.player(lambda position: "c3"), [(lost, 1.0), (even, 0.0)], solver, Limit()
    )
    assert found == Regret(2, 0, 1.5)
    mixed = {str(lost): "a3", str(even): "c3"}
    found = regret_of(
        catalog.player(lambda position: mixed[str(position)]),
        [(lost, 1.0), (even, 0.0)],
        solver,
        Limit(),
    )
    assert found == Regret(2, 1, 0.5)
    assert regret_of(catalog.player(lambda position: "c3"), [], solver, Limit()) is None


def test_y7_strength_as_data_has_the_ends_on_their_sides() -> None:
    strength = AgentStrength("a", 8, Interval(12.34, -inf, 40.06), Regret(4, 3, 0.25))
    assert strength.json() == {
        "agent": "a",
        "games": 8,
        "elo": 12.3,
        "elo_low": None,
        "elo_high": 40.1,
        "regret": {"positions": 4, "right": 3, "mean": 0.25},
    }


def test_y7_strength_is_measured_in_as_many_positions_as_are_asked_for() -> None:
    agents = (papan.agent("random"),)
    game = papan.game("tictactoe")
    for positions in (0, 100_000):
        Strengths(game, agents, agents, FEW, positions=positions)
    for games, positions in ((4, -1), (4, 100_001), (0, 0)):
        with pytest.raises(InvalidSpecError):
            Strengths(game, agents, agents, FEW, games, positions)


@pytest.mark.parametrize("rivals", [1, 2, 4])
def test_three_wins_of_four_against_equal_rivals_are_191_above_them_however_many(
    rivals: int,
) -> None:
    unknown = Interval(0, -inf, inf)
    scores = [RivalScore(f"level:{each}", 300, 0, 100, unknown) for each in range(rivals)]
    found = _above_rivals(scores)
    assert found.value == pytest.approx(190.85, abs=1)
    assert 190.85 - found.low == pytest.approx(found.high - 190.85, abs=2)


def test_strength_tells_who_plays_and_how_much_is_done() -> None:
    reported: list[tuple[float, float, str]] = []
    agents = (papan.agent("random:seed=1"),)
    plan = Strengths(papan.game("tictactoe"), agents, (papan.agent("random"),), FEW, 1, 0)
    plan.run(lambda made: reported.append((made.done, made.total, made.text())))
    assert reported == [
        (0, 3, "random:seed=1 - random"),
        (1, 3, "random"),
        (2, 3, "random:seed=1"),
        (3, 3, ""),
    ]
