"""Functions as agents: what they may answer, and what happens if they answer nonsense."""

import pytest

import papan
from papan.agents.external import Function

START = papan.position("tictactoe")


def test_a_function_answers_with_a_move_or_its_name() -> None:
    assert Function(lambda position: position.moves()[0]).choose(START) == "a1"
    assert Function(lambda position: "b2").choose(START) == "b2"


def test_a_function_plays_a_match_under_its_own_name() -> None:
    def first(position: papan.Position) -> int:
        return position.moves()[0]

    result = papan.match(first, "random", game="tictactoe", pairs=2)
    assert result.agents == ("function:first", "random")
    assert len(result.games) == 4


def test_nonsense_is_refused_and_loses_the_game() -> None:
    with pytest.raises(papan.PapanError, match="is not a move here"):
        Function(lambda position: "z9").choose(START)
    with pytest.raises(papan.PapanError, match="99"):
        Function(lambda position: 99).choose(START)
    result = papan.match(lambda position: 99, "random", game="tictactoe")
    assert result.forfeits(0) == {"illegal": 2}


def test_choose_names_the_move_of_any_agent() -> None:
    position = papan.position("tictactoe xx./oo./... x")
    assert papan.agent("alphabeta", depth=3).choose(position) == "c1"
