"""Blind spots: who has which, and what is liked most."""

from random import Random

import pytest

import papan
from papan.core.line_slips import LineSight
from papan.core.marks import LinePosition
from papan.core.slips import in_any_order, most_liked

SPOTS = {"far": range(1, 3), "count": range(1, 2), "diagonals": range(1, 5)}


@pytest.mark.parametrize(
    ("level", "names"),
    [
        (1, {"far", "count", "diagonals"}),
        (2, {"far", "diagonals"}),
        (4, {"diagonals"}),
        (5, set()),
    ],
)
def test_a_level_has_its_blind_spots_in_an_order_drawn_by_luck(level: int, names: set[str]) -> None:
    orders = {tuple(in_any_order(SPOTS, level, Random(seed))) for seed in range(40)}
    assert {frozenset(order) for order in orders} == {frozenset(names)}
    assert len(orders) == {3: 6, 2: 2}.get(len(names), 1)
    assert in_any_order(SPOTS, level, Random(3)) == in_any_order(SPOTS, level, Random(3))


def test_the_move_liked_most_is_made_and_luck_chooses_among_equals() -> None:
    liking = {3: 1.0, 5: 2.0, 8: 2.0, 9: -4.0}
    found = {most_liked(liking, liking.__getitem__, Random(seed)) for seed in range(40)}
    assert found == {5, 8}
    with pytest.raises(ValueError, match="empty"):
        most_liked([], liking.__getitem__, Random(1))


@pytest.mark.parametrize(
    ("spot", "text", "said"),
    [
        ("above", "connect4:4,5 ....o/....x/x.o.o/ooxxx x", "above diagonal b1-e4 4 d3"),
        ("count", "tictactoe .xo/ox./... x", "win column b1-b3 b3"),
        ("count", "tictactoe .oo/..x/..x x", "block row a1-c1 a1"),
        ("count", "tictactoe:5,5,4 ..xo./..o../...x./...../..... x", "stop diagonal a4-d1 two b3"),
        ("count", "tictactoe:5,5,4 ....x/...../..o../..oxo/...xx o", "build column c1-c4 two c2"),
        ("diagonals", "tictactoe o../.x./x.o x", "win diagonal a3-c1 c1"),
        ("diagonals", "tictactoe xxo/oxx/.o. o", "block diagonal a1-c3 c3"),
        ("rival", "tictactoe xo./xo./.x. o", "block column a1-a3 a3"),
        ("far", "tictactoe:5,5,4 o...o/.x.x./..x../xxx../..ooo o", "win row b5-e5 b5"),
        ("far", "tictactoe o../.x./x.o x", ""),
        ("rival", "tictactoe xx./oo./... x", ""),
        ("above", "tictactoe .xo/ox./... x", ""),
    ],
)
def test_a_slip_names_the_line_that_a_blind_spot_hides(spot: str, text: str, said: str) -> None:
    """The sentence without ``slip.line_``, with the words of its values; empty: no slip."""
    position = papan.position(text)
    assert isinstance(position, LinePosition)
    sight = LineSight(position, position.moves(), {spot: range(2, 4)})
    assert sight.slip(1, Random(0)) is sight.slip(4, Random(0)) is None
    slip = sight.slip(2, Random(0))
    if not said:
        assert slip is None
        return
    assert slip is not None
    key, way, ends, *more = said.split()
    assert slip.message.key == f"slip.line_{key}"
    assert [str(each) for each in slip.message.values.values()] == [f"{way} {ends}", *more]
    assert {*slip.cells} >= {*ends.split("-")}
