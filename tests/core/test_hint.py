"""Hints in three steps: what each step tells and hides, in every game."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from papan import api, catalog
from papan.core import Analysis, Message, Position, Proved
from papan.core.hint import HINT_STEPS, Hint, area_around, hint_of
from papan.core.message import LANGUAGES
from papan.core.numbers import Number
from papan.core.parts import Coach
from papan.core.reasons import Clause, Reason, with_people

SMALL = (
    "dots:2,2",
    "adjacency:4,4,4",
    "onet:4,4,kinds=3,seed=7",
    "tictactoe:3,3,3",
    "connect4:4,5",
)


PARITY = "connect4:6,7 ......./......./.x..ox./.x.xooo/.o.xxxo/.o.oxxo x"


def positions(spec: str) -> list[Position]:
    """A game at random, every second position of it."""
    random, position, found = Random(spec), catalog.game(spec).start(), []
    while not position.is_over:
        found.append(position)
        position = position.child(random.choice(position.moves()))
    return found[::2]


def hint_in(position: Position) -> Hint:
    return hint_of(position, api.solve(position, nodes=200_000))


@pytest.mark.parametrize("spec", SMALL)
def test_e1_the_idea_names_no_move_and_the_area_has_it_among_others(spec: str) -> None:
    for position in positions(spec):
        found = hint_in(position)
        name = position.game.move_name(found.move)
        assert name in found.area
        assert len(found.area) > 1 or len(position.moves()) == 1
        assert {*found.area} <= {*map(position.game.move_name, position.moves())}
        assert name not in found.text(1).partition(":")[2].replace(".", " ").split()


@pytest.mark.parametrize("spec", SMALL)
def test_e1_the_area_is_narrower_than_the_board_unless_few_moves_are_left(spec: str) -> None:
    for position in positions(spec):
        moves = len(position.moves())
        assert len(hint_in(position).area) <= max(2 if moves == 3 else 3, moves // 2)


@pytest.mark.parametrize(
    ("language", "idea"),
    [("en", "There is only one move."), ("id", "Hanya ada satu langkah.")],
)
def test_e1_a_hint_says_that_there_is_only_one_move(language: str, idea: str) -> None:
    position = catalog.position("tictactoe:3,3,3 xox/xoo/.xo x")
    assert hint_in(position).text(1, language).endswith(idea)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", SMALL)
def test_e1_the_last_step_suggests_the_move_to_you_and_names_no_agent(
    spec: str, language: str
) -> None:
    for position in positions(spec):
        said = hint_in(position).text(HINT_STEPS, language)
        assert said.startswith("Suggestion: " if language == "en" else "Saran: ")
        assert "{" not in said
        assert not any(name in said for name in ("Komodo", "Kancil", "layer 1", "emain 2"))


def test_e9_a_proved_win_is_told_in_own_moves_and_plies() -> None:
    said = hint_in(catalog.position("tictactoe:3,3,3 oxo/.../x.. x")).text(HINT_STEPS)
    assert said.endswith("With it you win in 2 of your moves (3 plies), whatever comes.")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("tictactoe:3,3,3", "With best play it ends in a draw."),
        ("dots:2,2 010111100011 1 1-0", "With best play you end 4 ahead."),
        ("dots:2,2 010111100111 2 1-0", "With best play you end 2 behind."),
        ("connect4:4,5 xx.x./oo.o./oxxxo/oxxoo x", "With best play it ends in a draw."),
    ],
)
def test_e1_what_is_proved_to_come_of_it_is_told(text: str, outcome: str) -> None:
    assert hint_in(catalog.position(text)).text(HINT_STEPS).endswith(outcome)


def test_e1_a_lost_position_is_called_lost() -> None:
    won = catalog.position("tictactoe:3,3,3 oxo/.../x.. x")
    position = won.child(api.solve(won).move)
    assert api.solve(position).value == -1
    assert "you lose all the same, in" in hint_in(position).text(HINT_STEPS)


def test_e1_the_idea_of_a_hint_is_true_of_its_move() -> None:
    position = catalog.position("connect4 4 4 3 2")
    ideas = {name: Coach.of(position).idea(position.legal_move(name)).key for name in "124"}
    assert ideas == {"1": "idea.look", "2": "idea.look", "4": "lines.idea_many"}


@pytest.mark.parametrize(
    ("text", "idea"),
    [
        ("onet:4,4,kinds=3,seed=973 0,3,0,0/0,1,0,3/3,2,0,0/2,3,1,0", "onet.idea_order"),
        ("connect4:4,5 xx.x./oo.o./oxxxo/oxxoo x", "lines.idea_block"),
        ("adjacency:4,4,4 x.oo/xxxx/xx.o/xooo x", "adjacency.idea_last"),
        ("onet:2,3 1,1,0/0,0,0", "onet.idea_only"),
        ("onet:2,2,gravity=down 1,1/2,2", "onet.idea_meet"),
    ],
)
def test_the_idea_is_that_of_what_is_proved_where_there_is_one(text: str, idea: str) -> None:
    assert hint_in(catalog.position(text)).idea.key == idea


def test_the_idea_of_a_win_by_zugzwang_is_to_think_of_the_end() -> None:
    position = catalog.position(PARITY)
    found = hint_of(position, api.solve(position))
    assert found.idea.key == "connect4.idea_parity"
    assert found.reason.messages[0].key.startswith("connect4.reason_parity")


def test_y7_a_move_that_ends_the_game_is_told_without_the_way_to_its_end() -> None:
    found = hint_in(catalog.position("tictactoe:3,3,3 xx./oo./... x"))
    assert found.outcome is None
    assert found.text(HINT_STEPS) == "Suggestion: c1. c1 wins: the row a1-c1."


def test_y7_the_area_of_the_only_pair_of_its_kind_has_other_pairs() -> None:
    position = catalog.position("onet:2,3 1,2,1/2,3,3")
    assert Coach.of(position).area(position.legal_move("a1c1")) == ("a1c1", "b2c2")


def test_y7_the_area_of_a_cell_at_the_right_edge_ends_there() -> None:
    position = catalog.position("tictactoe:4,4,3")
    area = Coach.of(position).area(position.legal_move("d2"))
    assert {*area} == {"c1", "d1", "c2", "d2", "c3", "d3"}


WIN = catalog.position("tictactoe:3,3,3 oxo/.../x.. x")


@pytest.mark.parametrize(
    ("text", "proved", "distance", "outcome"),
    [
        (str(WIN), Proved(1, 1), 3, Message("hint.win_in", {"moves": 2, "plies": 3})),
        (str(WIN), Proved(1, 1), 4, Message("hint.win_in", {"moves": 2, "plies": 4})),
        (str(WIN), Proved(1, 1), None, Message("hint.win")),
        (str(WIN), Proved(-1, -1), None, Message("hint.loss")),
        (str(WIN), Proved(-1, -1), 4, Message("hint.loss_in", {"moves": 2, "plies": 4})),
        (str(WIN), Proved(0, 0), 5, Message("hint.draw")),
        (str(WIN), Proved(0, 1), 5, None),
        ("dots:2,2", Proved(-3, -3), 12, Message("hint.loss_points", {"points": Number(3)})),
        ("dots:2,2", Proved(3, 3), None, Message("hint.win_points", {"points": Number(3)})),
        ("onet:2,3 1,2,1/2,3,3", Proved(2, 2), 1, None),
    ],
    ids=str,
)
def test_what_is_proved_is_told_with_its_length_or_its_points(
    text: str, proved: Proved, distance: int | None, outcome: Message | None
) -> None:
    position = catalog.position(text)
    analysis = Analysis((position.moves()[0],), 0.5, proved, distance=distance, position=position)
    assert hint_of(position, analysis).outcome == outcome


def test_a_hint_is_data_and_three_texts() -> None:
    move, said = WIN.legal_move("c3"), Message("hint.win")
    clause = Clause("does", Message("reason.wins", {"move": "c3"}))
    found = Hint(WIN, move, Message("idea.look"), ("c3", "b2"), Reason(WIN, move, (clause,)), said)
    assert found.json() == {
        "move": "c3",
        "idea": {"key": "idea.look", "values": {}},
        "area": ["c3", "b2"],
        "outcome": {"key": "hint.win", "values": {}},
    }
    assert replace(found, outcome=None).json()["outcome"] is None
    idea, area = Message("idea.look"), ("c3", "b2")
    assert [found.text(step, "id") for step in (1, 2)] == [
        Message("hint.idea", {"step": 1, "steps": 3, "idea": idea}).text("id"),
        Message("hint.area", {"step": 2, "steps": 3, "moves": area}).text("id"),
    ]
    last = [Message("hint.move", {"move": "c3"}), Message("reason.wins", {"move": "c3"}), said]
    people = {"player": Message("seat.alone"), "rival": Message("because.rival")}
    assert found.text(3) == " ".join(with_people(each, people).text() for each in last)


@pytest.mark.parametrize(
    ("board", "move", "area"),
    [
        ("x../.../... o", "c3", {"b2", "c2", "b3", "c3"}),  # four of eight
        ("xo./.../... x", "c3", {"a3", "b3", "c3"}),  # four of seven would be more than half
        ("xo./x../... o", "c1", {"c1", "b2", "c2"}),  # three of six
    ],
)
def test_the_area_is_half_of_the_moves_or_else_three_that_follow_each_other(
    board: str, move: str, area: set[str]
) -> None:
    position = catalog.position(f"tictactoe {board}")
    assert {*area_around(position, position.legal_move(move))} == area
