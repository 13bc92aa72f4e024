"""Functions as agents: what they may answer, and what happens if they answer nonsense."""

import json

import numpy as np
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
    with pytest.raises(papan.IllegalMoveError, match="answered z9, which is not a legal move"):
        Function(lambda position: "z9").choose(START)
    with pytest.raises(papan.PapanError, match="99"):
        Function(lambda position: 99).choose(START)
    result = papan.match(lambda position: 99, "random", game="tictactoe")
    assert result.forfeits(0) == {"illegal": 2}
    result = papan.match(lambda position: "z9", "random", game="tictactoe")
    assert result.forfeits(0) == {"illegal": 2}


def test_a_function_may_answer_with_a_number_of_numpy() -> None:
    def last(position: papan.Position) -> int:
        answer: int = np.array(position.moves())[-1]
        return answer

    result = papan.match(last, "random", game="tictactoe")
    assert result.forfeits(0) == {}
    assert json.dumps(result.json())
    move = Function(last).analyse(START).move
    assert (move, type(move)) == (8, int)


def test_choose_names_the_move_of_any_agent() -> None:
    position = papan.position("tictactoe xx./oo./... x")
    assert papan.agent("alphabeta", depth=3).choose(position) == "c1"
