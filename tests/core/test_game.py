"""What positions can do before any game adds to it."""

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import papan
from papan import catalog
from papan.core import (
    Coach,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRulesError,
    InvalidSpecError,
    WrongTypeError,
    margin,
)
from papan.core.session import picked_move
from papan.web.boards import PositionCache
from tests.plugin_package import NIM


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "a1 is not possible here."), ("id", "a1 tidak bisa dimainkan di sini.")],
)
def test_a_game_that_gives_no_reason_still_says_that_a_move_is_not_possible(
    language: str, text: str
) -> None:
    position = papan.position("tictactoe x../.../... o")
    assert Coach(position).why_illegal(0).text(language) == text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("connect4 x....../o....../x....../o....../x....../o...... x", 0),
        ("tictactoe x../.../... o", 0),
        ("dots:1,1 1000 2 0-0", 0),
        ("adjacency:4,4,4 ..oo/..oo/xx../xx.. x", 2),
        ("onet:2,2 1,1/2,2", 2),
    ],
)
def test_c05_play_refuses_what_the_rules_forbid(text: str, move: int) -> None:
    position = papan.position(text)
    name = position.game.move_name(move)
    for given in (move, np.int64(move), name):
        with pytest.raises(IllegalMoveError, match=f"{name} is not legal in .*; legal: "):
            position.play(given)


@pytest.mark.parametrize(
    ("text", "name", "rule"),
    [
        ("tictactoe x../.../... o", "a1", "a1 is taken already; choose an empty cell."),
        ("dots:1,1 1000 2 0-0", "a1b1", "The line a1b1 is drawn already; choose another one."),
        ("adjacency:4,4,4 ..oo/..oo/xx../xx.. x", "c1", "c1 is taken already"),
        ("onet:2,2 1,1/2,2", "a1a2", "These tiles don't match; pick two equal ones."),
        ("onet:2,3 0,1,1/2,2,3", "a1b1", "That tile is gone; pick two tiles."),
    ],
)
def test_play_says_in_the_words_of_the_game_what_forbids_a_move(
    text: str, name: str, rule: str
) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        papan.position(text).play(name)
    assert f". {rule}" in str(refused.value) and "; legal: " in str(refused.value)


def test_play_names_no_rule_where_the_coach_of_a_game_knows_none() -> None:
    names: dict[str, Any] = {"__name__": "nim"}
    exec(dedent(NIM), names)
    with pytest.raises(IllegalMoveError) as refused:
        names["Nim"](2).start().play("3")
    assert str(refused.value) == "3 is not legal in 'nim:2 2 1'; legal: 1 2."


@pytest.mark.parametrize("game", catalog.GAMES)
def test_c05_play_refuses_what_is_no_move_of_the_game(game: str) -> None:
    start = papan.game(game).start()
    for number in (-1, start.game.move_count):
        with pytest.raises(
            InvalidMoveError, match=f"{number} is not the number of a move of {start.game.spec}"
        ):
            start.play(number)
    for nonsense in (None, 1.0, (0,)):
        with pytest.raises(InvalidMoveError, match="is not a move: a move is a whole number"):
            start.play(nonsense)  # type: ignore[arg-type]
    with pytest.raises(InvalidMoveError):
        start.play("nonsense")


def test_c05_play_takes_a_number_or_a_text_and_gives_what_child_gives() -> None:
    start = papan.game("connect4").start()
    assert start.play("4") == start.play(3) == start.child(3) == start.after("4")
    with pytest.raises(IllegalMoveError, match="4 cannot be played: the game is over"):
        start.after("4142434").play("4")


def test_c05_a_class_written_for_an_unchecked_play_is_told_what_to_rename() -> None:
    old = dedent(NIM).replace("def child(", "def play(")
    with pytest.raises(InvalidRulesError, match="rename its method play to child") as caught:
        exec(compile(old, "nim.py", "exec"), {"__name__": "nim"})
    assert "ganti nama metodenya play menjadi child" in caught.value.text("id")


PRINTED = {
    "dots": ("2,2 2,3 0,0 0,1 a2b2", "c3d3 a1b1 a2b2"),
    "dots:2,2": ("(0, 0) to (0, 1)", "a1b1"),
    "onet:2,6 1,2,3,4,5,1/2,3,4,5,6,7": ("0 0 0 5", "a1f1"),
    "onet:6,6 1,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,1": (
        "(0, 0) dengan (5, 5)",
        "a1f6",
    ),
    "tictactoe": ("1,1 0 0 c3", "b2 a1 c3"),
    "adjacency": ("5,0 (0, 5)", "a6 f1"),
    "connect4": ("D1 D2 E1", "4 4 5"),
}
"""Moves as the papers type and print them, and papan's own."""


@pytest.mark.parametrize("start", PRINTED)
def test_n03_moves_are_read_as_the_papers_type_them(start: str) -> None:
    position = catalog.position(start)
    theirs, ours = PRINTED[start]
    assert position.after(theirs) == position.after(ours)
    assert PositionCache().reach(start, theirs)[1] == position.after(ours)


@pytest.mark.parametrize("text", ["0,0", "0,0 0", "0,0 0,9", "4,0 4,1", "0,0 1,1", "0,0 0,1 0,2"])
def test_n03_pairs_that_are_no_line_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(InvalidMoveError, match="write "):
        picked_move(catalog.position("dots"), text)


@pytest.mark.parametrize("text", ["0,3", "3,0", "3,3"])
def test_y7_a_row_or_a_column_beyond_the_board_is_no_cell(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        catalog.position("tictactoe").play(text)


def test_a_position_is_read_with_or_without_the_spec_of_its_game() -> None:
    game = papan.game("tictactoe")
    assert game.parse("tictactoe:3,3,3 x../.../... o") == game.parse(" x../.../...   o ")
    for text in ("x../.../...", "tictactoe:4,4,3 x../.../... o", "", "x../.../... o o"):
        with pytest.raises(InvalidPositionError) as refused:
            game.parse(text)
        form = "tictactoe:3,3,3 <board> <turn>"
        assert refused.value.values == {"text": text, "form": form}


@pytest.mark.parametrize(
    ("text", "result", "winner"),
    [
        ("tictactoe xx./oo./... x", "open", None),
        ("tictactoe xxx/oo./... o", "win", 0),
        ("tictactoe xx./ooo/x.. x", "win", 1),
        ("tictactoe xox/xxo/oxo o", "draw", None),
        ("dots:1,1 1111 2 0-1", "win", 1),
        ("onet:2,2 1,2/2,1", "stuck", None),
        ("onet:2,2 0,0/0,0", "cleared", 0),
        ("onet:2,2 1,1/2,2", "open", None),
    ],
)
def test_a_result_is_that_of_the_scores_and_of_one_alone(
    text: str, result: str, winner: int | None
) -> None:
    position = papan.position(text)
    assert (position.result, position.winner) == (result, winner)
    assert position.is_over == (result != "open")
    assert position.cleared == (result == "cleared")


def test_a_margin_is_the_lead_over_the_rival_or_the_score_of_one_alone() -> None:
    position = papan.position("dots:2,2 111111111111 1 3-1")
    assert [margin(position, seat) for seat in (0, 1)] == [2, -2]
    alone = papan.position("onet:2,3 1,2,1/2,3,3").after("a1c1")
    assert margin(alone, 0) == alone.scores()[0] > 0
    for seat, shown in ((2, 2), (-1, -1), (True, "True"), ("1", "'1'")):
        with pytest.raises(InvalidSpecError) as refused:
            margin(position, seat)  # type: ignore[arg-type]
        assert refused.value.values == {"seat": shown, "last": 1}
    with pytest.raises(InvalidSpecError):
        margin(alone, 1)


def test_several_moves_are_a_text_or_a_list() -> None:
    start = papan.position("tictactoe")
    assert start.after("b2 a1") == start.after(["b2", 0]) == start.after(np.array([4, 0]))
    assert start.after("") == start.after([]) == start
    with pytest.raises(WrongTypeError) as refused:
        start.after(4)  # type: ignore[arg-type]
    assert refused.value.values == {"given": "4"}


def test_moves_are_named_in_their_order() -> None:
    position = papan.position("tictactoe xox/oxo/... x")
    assert position.move_names() == ["a3", "b3", "c3"]
    assert [position.allows(move) for move in (5, 6, 8, 9, -1)] == [False, True, True, False, False]
    assert repr(position) == "papan.position('tictactoe:3,3,3 xox/oxo/... x')"
