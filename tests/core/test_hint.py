"""Hints in three steps: what each step tells and hides, in every game."""

from __future__ import annotations

from random import Random

import pytest

from papan import api, catalog
from papan.core import Position
from papan.core.hint import HINT_STEPS, Hint, hint_of
from papan.core.message import LANGUAGES
from papan.core.parts import Coach

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
