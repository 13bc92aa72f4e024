"""A person at the terminal."""

from collections.abc import Iterator

import pytest

import papan
from papan.agents.external import Human
from papan.core import CannotPlayError
from papan.core.parts import Drawing


def seated(answers: list[str], language: str = "en") -> tuple[Human, list[str]]:
    """A person with these answers, and everything shown and asked."""
    agent = papan.agent("human", language=language)
    assert isinstance(agent, Human)
    shown: list[str] = []
    waiting: Iterator[str] = iter(answers)

    def ask(prompt: str) -> str:
        shown.append(prompt)
        for answer in waiting:
            return answer
        raise EOFError

    agent.ask, agent.show = ask, shown.append
    return agent, shown


def test_shows_the_board_and_plays_the_answer() -> None:
    position = papan.position("tictactoe").after("a1")
    agent, shown = seated([" b2 "])
    assert position.game.move_name(agent.analyse(position).move) == "b2"
    assert shown == [Drawing.of(position).picture(), "Player 2, your move: "]


def test_explains_what_is_wrong_and_asks_again() -> None:
    agent, shown = seated(["", "zz", "a1", "b2"])
    position = papan.position("tictactoe").after("a1")
    assert position.game.move_name(agent.analyse(position).move) == "b2"
    assert len([text for text in shown if text == "Player 2, your move: "]) == 4
    assert "'zz' is not a move here" in shown[4]
    assert "a1" in shown[6]


def test_speaks_the_language_of_the_player() -> None:
    agent, shown = seated(["zz", "b2"], "id")
    agent.analyse(papan.position("tictactoe"))
    assert shown[1] == "Pemain 1, langkah Anda: "
    assert "bukan langkah" in shown[2]


def test_the_end_of_the_input_is_a_clear_error() -> None:
    agent, _ = seated([])
    with pytest.raises(CannotPlayError, match="the input ended while player 1 was to move"):
        agent.analyse(papan.position("tictactoe"))


def test_asks_at_the_terminal_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda: "b2")
    position = papan.position("tictactoe")
    assert position.game.move_name(Human().analyse(position).move) == "b2"
    captured = capsys.readouterr()
    assert captured.out == ""  # what a match prints there is data
    assert captured.err == f"{Drawing.of(position).picture()}\nPlayer 1, your move: "
