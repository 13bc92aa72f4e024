"""Slips in Dots and Boxes: which moves a level makes that overlooks something, and what it says."""

from random import Random

import pytest

from papan.games.dots.slips import DotsSight
from tests.games.test_dots import drawing

LEFT_TWO = """
    +---+---+---+
    |   |
    +---+---+---+

    +---+---+---+
    """
"""Two boxes at the end of a chain can be left: the rival must then open the chain of three."""
LEFT_THREE = """
    +---+---+---+
    |
    +---+---+---+

    +---+---+---+
    """
"""Whatever box is taken first, the last two can still be left."""
LEFT_FOUR = """
    +---+---+---+---+
    |               |
    +---+---+---+---+

    +---+---+---+---+
    """
"""Four boxes between two closed ends: b1b2 and d1d2 take one, and three are too few to leave."""
SHORT = """
    +---+---+---+---+
    |   |   |
    +---+---+---+---+
            |   |   |
    +---+   +---+---+
    """
"""Two boxes can be left, but the chain that the rival must open has only two."""
SAFE_REST = """
    +---+---+---+
    |   |
    +---+---+---+

    +   +   +   +
    """
"""Two boxes can be left, but the rival then has a safe line."""
LAST = """
    +---+---+---+
    |   |
    +---+---+---+
    """
"""Two boxes can be left, but then the game is over."""
THREE_OR_FOUR = """
    +---+---+---+---+

    +---+---+---+---+
                |   |
    +---+---+   +---+
    """
ONE_OR_TWO = """
    +---+   +---+
            |   |
    +---+---+---+
        |   |   |
    +   +---+---+
    """
THIRD_SIDE = """
    +---+   +

    +---+   +
    """
"""After b1b2 the box on its left has three sides; a1a2 has no other side to look at."""
OPEN = {
    1: """
        +---+   +   +
        |
        +---+   +   +
        """,
    2: """
        +---+---+   +   +
        |
        +---+---+   +   +
        """,
    3: """
        +---+---+---+   +   +
        |
        +---+---+---+   +   +
        """,
}
"""So many boxes can be taken, one after the other, and some lines are safe."""


def slips(picture: str, level: int, owned: str = "0-0") -> set[tuple[str, ...]]:
    """All slips that chance lets a level make: the key's end, the values, and what is shown."""
    sight, found = DotsSight(drawing(picture, owned=owned)), set[tuple[str, ...]]()
    for seed in range(150):
        if slip := sight.slip(level, Random(seed)):
            name = sight.game.move_name(slip.move)
            values = slip.message.values
            assert values["move"] == name
            assert slip.message.key.startswith("dots.slip_")
            rest = " ".join(f"{key}={values[key]}" for key in sorted(values) if key != "move")
            found.add((slip.message.key[10:], name, rest, " ".join(slip.cells)))
    return found


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("picture", "owned", "expected"),
    [
        (LEFT_TWO, "1-0", {("greedy", "c1c2", "least=3 left=2", "c1c2")}),
        (LEFT_THREE, "0-0", set()),
        (
            LEFT_FOUR,
            "0-0",
            {
                ("greedy", "b1b2", "least=4 left=4", "b1b2"),
                ("greedy", "d1d2", "least=4 left=4", "d1d2"),
            },
        ),
        (SHORT, "4-0", set()),
        (SAFE_REST, "1-0", set()),
        (LAST, "1-0", set()),
    ],
    ids=["two", "three", "four", "short", "safe", "last"],
)
def test_a_greedy_player_takes_the_boxes_that_should_be_left(
    picture: str, owned: str, expected: set[tuple[str, ...]], level: int
) -> None:
    found = slips(picture, level, owned)
    assert {each for each in found if each[0] == "greedy"} == expected


def chains_of(boxes: int, fewest: int, better: str, lines: str, shown: str) -> set[tuple[str, ...]]:
    return {
        ("chains", line, f"better={better} boxes={boxes} fewest={fewest}", f"{line} {shown}")
        for line in lines.split()
    }


def test_a_player_who_counts_three_boxes_takes_a_chain_of_four_for_one_of_three() -> None:
    four = chains_of(4, 3, "c3d3", "a1a2 b1b2 c1c2 d1d2 e1e2", "a1 b1 c1 d1")
    found = [slips(THREE_OR_FOUR, level, "1-0") for level in (1, 2, 3, 4)]
    assert found == [four, four, four, set()]


def test_a_player_who_counts_one_box_takes_a_chain_of_two_for_one_of_one() -> None:
    two = chains_of(2, 1, "a3b3", "b1c1 a1a2 b1b2", "a1 b1")
    found = [slips(ONE_OR_TWO, level, "3-0") for level in (1, 2, 3, 4)]
    assert found == [two, set(), set(), set()]


def test_a_player_who_looks_at_one_side_of_a_line_draws_the_third_side_of_the_other_box() -> None:
    third = {
        ("sides", "b1b2", f"better={better} boxes=1", "b1b2 a1")
        for better in ("b1c1", "b2c2", "c1c2")
    }
    found = [slips(THIRD_SIDE, level) for level in (1, 2, 3, 4)]
    assert found == [third, third, third, set()]


def test_only_the_weakest_overlooks_boxes_and_no_more_than_two() -> None:
    one = {
        ("boxes", line, "better=b1b2 boxes=1", line)
        for line in ("b1c1", "c1d1", "b2c2", "c2d2", "c1c2", "d1d2")
    }
    two = {
        ("boxes", line, "better=b1b2 boxes=2", line)
        for line in ("c1d1", "d1e1", "c2d2", "d2e2", "d1d2", "e1e2")
    }
    assert [slips(OPEN[boxes], 1) for boxes in (1, 2, 3)] == [one, two, set()]
    assert [slips(OPEN[boxes], 2) for boxes in (1, 2, 3)] == [set(), set(), set()]
