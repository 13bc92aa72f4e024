"""Pictures drawn larger, and the spots under their characters."""

import pytest

from papan import catalog
from papan.core.parts import Drawing
from papan.terminal.board import (
    BoardLook,
    Scale,
    ScaledPicture,
    central_spot,
    draw_scaled,
    fitting_scale,
    odd_spots,
    spot_towards,
    spots_of,
)

SPECS = ["tictactoe", "tictactoe:2,15,3", "connect4:8,10", "dots:2,4", "adjacency", "onet:6,12"]


def drawing(text: str, across: int, down: int) -> ScaledPicture:
    position = catalog.position(text)
    return draw_scaled(
        Drawing.of(position).picture(), Drawing.of(position).spots(), Scale(across, down)
    )


def shape(drawn: ScaledPicture) -> str:
    """The drawing, with ``_`` for blanks that belong to a spot."""
    return "\n".join(
        "".join("_" if owner and mark == " " else mark for mark, owner in zip(*line)).rstrip()
        for line in drawn.lines
    )


def test_the_smallest_drawing_is_the_picture() -> None:
    position = catalog.position("dots:2,2")
    assert "\n".join(line.text.rstrip() for line in drawing("dots:2,2", 1, 1).lines) == (
        Drawing.of(position).picture()
    )


def test_cells_grow_around_their_marks() -> None:
    assert shape(drawing("tictactoe x../.o./... x", 2, 2)) == (
        "   a   b   c\n1 _x_ _._ _._\n\n2 _._ _o_ _._\n\n3 _._ _._ _._"
    )
    assert shape(drawing("tictactoe:1,3,3", 4, 4)) == (
        "     a       b       c\n"
        "  _______ _______ _______\n"
        "1 ___.___ ___.___ ___.___\n"
        "  _______ _______ _______"
    )


def test_columns_grow_as_a_whole() -> None:
    assert shape(drawing("connect4:4,4", 2, 2)).splitlines()[:3] == [
        "  _1_ _2_ _3_ _4_",
        "  ___ ___ ___ ___",
        "4 _._ _._ _._ _._",
    ]


def test_lines_grow_along_their_length() -> None:
    assert shape(drawing("dots:1,1 1010 1 0-0", 2, 2)) == (
        "   a       b\n1  +-------+\n  _|_     ___\n  _|_     ___\n  _|_     ___\n2  +_______+"
    )


def test_words_of_two_characters_stay_together() -> None:
    assert shape(drawing("onet:1,2 10,10", 2, 1)).splitlines()[1] == "1 _10_ _10_"


@pytest.mark.parametrize(
    ("spec", "room", "scale"),
    [
        ("tictactoe", (48, 19), (4, 4)),
        ("adjacency", (48, 19), (2, 2)),
        ("adjacency", (40, 13), (2, 1)),
        ("onet:6,12", (40, 13), (1, 2)),
        ("tictactoe:15,15,5", (40, 13), (1, 1)),
        ("dots:1,1", (200, 60), (2, 2)),
    ],
)
def test_the_largest_drawing_that_fits_is_chosen(
    spec: str, room: tuple[int, int], scale: tuple[int, int]
) -> None:
    position = catalog.position(spec)
    assert (
        fitting_scale(Drawing.of(position).picture(), Drawing.of(position).spots(), *room) == scale
    )


def test_a_click_beside_a_line_hits_it() -> None:
    drawn = drawing("dots:1,1", 1, 1)
    assert drawn.spot_near(2, 2) == "a1a2"
    assert drawn.spot_near(2, 1) == "a1a2"
    assert drawn.spot_near(40, 40) is None


@pytest.mark.parametrize("spec", ["dots", "tictactoe", "onet:2,3"])
def test_a_click_means_the_nearest_spot_within_three_columns(spec: str) -> None:
    drawn = drawing(spec, 2, 2)
    for row in range(drawn.height):
        for column in range(drawn.width):
            far = {
                spot: min(2 * abs(row - down) + abs(column - right) for down, right in places)
                for spot, places in drawn.places.items()
            }
            spot, least = drawn.spot_near(row, column), min(far.values())
            assert spot is None if least > 3 else spot is not None and far[spot] == least


def test_changes_are_the_characters_that_a_move_changed() -> None:
    before, after = (catalog.position("connect4:4,4").after(moves) for moves in ("1", "11"))
    drawn = [
        draw_scaled(Drawing.of(each).picture(), Drawing.of(each).spots(), Scale(2, 2))
        for each in (before, after)
    ]
    assert drawn[0].changes(drawn[1]) == {(6, 3): "o"}
    assert drawn[0].changes(drawing("connect4:4,4", 1, 1)) == {}


@pytest.mark.parametrize("spec", SPECS)
def test_arrow_keys_lead_everywhere(spec: str) -> None:
    spots = Drawing.of(catalog.position(spec)).spots()
    reached, queue = set[str](), [central_spot(spots)]
    while queue:
        spot = queue.pop()
        if spot not in reached:
            reached.add(spot)
            for direction in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                queue.append(spot_towards(spots, spot, *direction))
    assert reached == set(spots)


@pytest.mark.parametrize("spec", SPECS)
def test_every_move_is_found_by_its_spots(spec: str) -> None:
    position = catalog.position(spec)
    for move in position.moves():
        name = position.game.move_name(move)
        assert "".join(spots_of(Drawing.of(position).spots(), name)) == name


def test_neighbouring_cells_differ_in_shade() -> None:
    assert odd_spots(Drawing.of(catalog.position("tictactoe")).spots()) == {"b1", "a2", "c2", "b3"}


def test_a_look_brackets_hints_and_names_marks() -> None:
    look = BoardLook(
        drawing("tictactoe x../.../... o", 1, 1), hint=("b2",), picked=("c3",), lit="a1"
    )
    rows = ["".join(mark for mark, _ in look.cells(row)) for row in range(4)]
    assert rows == ["  a b c", "1 x . .", "2 .[.].", "3 . .>."]
    assert dict(look.cells(1))["x"] == ("spot", "first", "lit", "first-lit")
    assert dict(look.cells(0))["a"] == ()
