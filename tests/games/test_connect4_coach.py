"""What is said about moves of Connect 4 in particular: where they land, and wins by zugzwang."""

from dataclasses import replace

import pytest

from papan import api, catalog
from papan.core import Analysis, Coach, Proved
from papan.core.hint import hint_of
from papan.core.reasons import Clause

PARITY = "connect4:6,7 ......./......./.x..ox./.x.xooo/.o.xxxo/.o.oxxo x"
"""The solver wins by the threat on c3, which is there already."""
NEW_THREAT = "connect4:6,7 ......./...ox../..xooo./..oxox./..xxox./..oxxxo o"
"""Column 1 makes a threat on b2, and the solver wins by it."""


def proved(text: str, name: str, analysis: Analysis) -> list[Clause]:
    position = catalog.position(text)
    return [*Coach.of(position).proved(position.legal_move(name), analysis)]


@pytest.mark.parametrize(
    ("text", "key", "place"),
    [
        (PARITY, "connect4.reason_parity", "c3"),
        (NEW_THREAT, "connect4.reason_parity_new", "b2"),
    ],
)
def test_a_proved_win_by_zugzwang_is_told_with_its_line(text: str, key: str, place: str) -> None:
    position = catalog.position(text)
    found = api.solve(position)
    name = position.game.move_name(found.move)
    (clause,) = proved(text, name, found)
    assert clause.message.key == key
    assert clause.message.values == {"move": name, "place": place, "plies": len(found.line)}
    assert (clause.kind, clause.decides, clause.line) == ("then", True, found.line)
    assert place in clause.cells and len(clause.cells) == 4
    assert hint_of(position, found).idea.key == "connect4.idea_parity"


def test_no_zugzwang_is_told_of_another_move_a_short_line_or_what_is_not_proved() -> None:
    position = catalog.position(PARITY)
    found = api.solve(position)
    name = position.game.move_name(found.move)
    other = next(each for each in position.move_names() if each != name)
    assert proved(PARITY, name, found)
    assert not proved(PARITY, other, found)
    for changed in (
        replace(found, proved=Proved(0, 1)),
        replace(found, proved=Proved(0, 0)),
        replace(found, proved=Proved(-1, -1)),
        replace(found, line=found.line[:5]),
        replace(found, line=found.line[:-1]),  # no win at its end
        replace(found, line=(6, 5, 4, 4, 3, 2, 2)),  # in the end O could do without c2
    ):
        assert not proved(PARITY, name, changed)


@pytest.mark.parametrize(("made", "expected"), [(2, True), (4, False)])
def test_in_five_plies_or_fewer_a_win_is_one_of_threats(made: int, expected: bool) -> None:
    position = catalog.position(PARITY)
    found = api.solve(position)
    assert len(found.line) == 9
    later = position.after(found.line[:made])
    rest = replace(found, line=found.line[made:])
    assert bool([*Coach.of(later).proved(rest.move, rest)]) == expected


@pytest.mark.parametrize(
    ("moves", "name", "place", "area"),
    [
        ("", "4", "d1", "3 4 5"),
        ("4 4", "4", "d3", "3 4 5"),
        ("", "1", "a1", "1 2"),
        ("", "7", "g1", "6 7"),
        ("1 1 1 1 1 1", "2", "b1", "2 3"),  # a full column is no place to look at
    ],
)
def test_a_move_goes_to_the_cell_where_it_lands_among_its_open_neighbours(
    moves: str, name: str, place: str, area: str
) -> None:
    position = catalog.position("connect4").after(moves)
    coach, move = Coach.of(position), position.legal_move(name)
    assert (coach.place_of(move), " ".join(coach.area(move))) == (place, area)


def test_a_full_column_has_no_place_where_a_stone_lands() -> None:
    full = catalog.position("connect4").after("1 1 1 1 1 1")
    with pytest.raises(ValueError, match="not in tuple"):
        Coach.of(full).place_of(0)


def test_a_mistake_is_learned_where_the_lesson_teaches_what_was_missed() -> None:
    steps = Coach.of(catalog.position("connect4")).lesson_steps
    assert {key.removeprefix("review."): step for key, step in steps.items()} == {
        "missed_win": "lesson.connect4_win_task",
        "not_blocked": "lesson.connect4_block_task",
        "allowed_win": "lesson.connect4_threats",
        "missed_double": "lesson.connect4_double_task",
        "allowed_double": "lesson.connect4_double_task",
    }
