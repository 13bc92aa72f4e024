"""Every sentence about a move of Dots and Boxes is true."""

from __future__ import annotations

import pytest

from papan import api, catalog
from papan.core import Coach
from papan.core.reasons import Reason, reason
from tests.core.test_review import verdict_on
from tests.sentences.boards import Strings
from tests.sentences.boxes import boxes_said
from tests.sentences.said import Said, best_for
from tests.sentences.truth import demand, demand_reason, keys_of_deeds, positions_by_chance


def reason_in(text: str, name: str) -> Reason:
    """The reason of a move by what the solver has proved; each of its sentences is true."""
    position = catalog.position(text)
    found = reason(position, position.legal_move(name), api.solve(position))
    for _ in demand_reason(found):
        pass
    return found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("dots:3,3 111111100101000011001101 1 2-0", "b4c4"),
        ("dots:3,3 000111110101010000011101 2 0-1", "c1d1"),
    ],
)
def test_e3_no_contrast_is_drawn_with_a_move_that_is_as_good(text: str, name: str) -> None:
    found = reason_in(text, name)
    mine = best_for(found.position.after(name), found.position.turn)
    for each in found.messages:
        if each.key == "reason.instead":
            other = found.position.after(each.values["deed"].values["move"])
            assert best_for(other, found.position.turn) < mine


def test_e3_a_sacrifice_that_is_best_is_no_reproach() -> None:
    found = reason_in("dots:3,3 111111100101000011001101 1 2-0", "b3c3")
    said = "b3c3 gives 1 box away, but ends better than any safe line (proved)."
    assert found.text().startswith(said)
    assert "although" not in found.text()


def test_e3_a_safe_line_beside_another_is_not_called_the_last() -> None:
    found = reason_in("dots:3,3 000111110101010000011101 2 0-1", "c1d1")
    assert found.text().startswith("After c1d1 no safe line is left: now player 1 must give away")


def test_e3_a_safe_line_that_is_forced_to_open_has_no_but() -> None:
    found = reason_in("dots:3,3 111111100101000011001101 1 2-0", "b4c4")
    assert found.text().startswith("b4c4 gives nothing away; with 1 safe line left player 2 can")


def test_e3_the_one_safe_line_is_named_and_no_instance_of_it() -> None:
    position = catalog.position("dots:2,2 110100011101 1 1-0")
    said = reason(position, position.legal_move("a2b2")).text()
    assert said == "a2b2 gives 1 box away, although one safe line is left: a3b3."


def test_e3_nobody_asks_for_the_fewest_boxes_where_all_lines_give_as_many() -> None:
    position = catalog.position("dots:2,2 111100111101 2 1-1")
    board = Strings(position)
    assert len({board.to_take([line]) for line in board.left}) == 1
    idea = Coach.of(position).idea(position.legal_move("a3b3"))
    assert idea.text("en") == "Every line gives boxes away now, and each as many."


@pytest.mark.parametrize(
    ("text", "name"),
    [("dots:2,2 000101000011 2 0-1", "b1c1"), ("dots:2,2 010100011000 2 0-1", "a1b1")],
)
def test_y7_boxes_that_were_owned_before_are_not_among_those_left(text: str, name: str) -> None:
    found = verdict_on(text, name)
    [said] = [each for each in found.said if each.key == "dots.fewer_boxes"]
    assert found.position.scores()[found.seat] > 0
    demand(Said(said.key, said.values, found.position, found.move, found))


@pytest.mark.parametrize(("spec", "count"), [("dots:2,2", 30), ("dots:3,3", 60)])
def test_y7_every_reason_that_is_told_fits_the_board(spec: str, count: int) -> None:
    for position, move in positions_by_chance(spec, count):
        found = keys_of_deeds(position, move)
        sentence = f"{position}, {position.game.move_name(move)}"
        assert len(set(found)) == len(found), sentence
        assert found and set(found) <= boxes_said(position, move), sentence
