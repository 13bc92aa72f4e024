"""Blind spots: who has which, and what is liked most."""

from random import Random

import pytest

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
