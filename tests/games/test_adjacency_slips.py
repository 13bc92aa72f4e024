"""Slips in Adjacency: which moves a level makes that overlooks something, and what it says."""

from random import Random

import pytest

from papan.games.adjacency.slips import AdjacencySight
from tests.games.adjacency_positions import at


def slips(text: str, level: int) -> set[str]:
    """All slips that chance lets a level make: the key's end, and the values of the sentence."""
    sight, found = AdjacencySight(at(text)), set[str]()
    for seed in range(120):
        if slip := sight.slip(level, Random(seed)):
            values = dict(slip.message.values)
            moves = values.pop("move"), values.pop("better")
            assert slip.cells == moves
            assert slip.move == sight.position.legal_move(str(moves[0]))
            facts = " ".join(f"{key}={values[key]}" for key in sorted(values))
            key = slip.message.key.removeprefix("adjacency.slip_")
            found.add(f"{key} {moves[0]} for {moves[1]}: {facts}")
    return found


FEW = "adjacency:4,4,4 xxoo/x.oo/xx.o/xx.. o"
"""b2 turns 3 marks, c3 and c4 one, d4 none; c4 is two rows from b2, c3 one."""
CORNERS = "adjacency:4,4,4 .ooo/ooxx/oxox/xx.x x"
"""a1 turns 2 marks, and the answer 2; c4, three rows away, turns 1, and the answer none."""
FAR = "adjacency:4,5,6 .xxxo/ooxxo/oxoxo/xooo. x"
"""e4 turns 2 marks; a1, four columns away, turns 1."""
WIDE = "adjacency:4,8,12 .o....oo/xxo...oo/xx...o../xx....xo x"
"""f2 turns 2 marks, and the answer 3; of c1, g3 and h3 the answer turns as many as they do."""


@pytest.mark.parametrize(
    ("text", "by_level"),
    [
        (
            FEW,
            [
                {
                    "count c3 for b2: instead=3 marks=1",
                    "count c4 for b2: instead=3 marks=1",
                    "far c3 for b2: instead=3 marks=1",
                    "far c4 for b2: instead=3 marks=1",
                },
                {"count c3 for b2: instead=3 marks=1", "count c4 for b2: instead=3 marks=1"},
                set(),
                set(),
            ],
        ),
        (
            CORNERS,
            [
                *2
                * [
                    {
                        "count c4 for a1: instead=2 marks=1",
                        "far c4 for a1: instead=2 marks=1",
                        "greedy_nothing a1 for c4: instead=1 left=0 lost=2 marks=2 reply=c4",
                    }
                ],
                *2 * [{"greedy_nothing a1 for c4: instead=1 left=0 lost=2 marks=2 reply=c4"}],
            ],
        ),
        (
            FAR,
            [
                *2 * [{"count a1 for e4: instead=2 marks=1", "far a1 for e4: instead=2 marks=1"}],
                {"far a1 for e4: instead=2 marks=1"},
                set(),
            ],
        ),
    ],
    ids=["few", "corners", "far"],
)
def test_each_level_overlooks_what_it_is_blind_to(text: str, by_level: list[set[str]]) -> None:
    assert [slips(text, level) for level in (1, 2, 3, 4)] == by_level


@pytest.mark.parametrize("level", [2, 3, 4])
def test_greed_is_a_slip_where_another_move_keeps_more(level: int) -> None:
    found = {each for each in slips(WIDE, level) if each.startswith("greedy")}
    assert found == {"greedy f2 for a1: instead=1 left=1 lost=3 marks=2 reply=g3"}


@pytest.mark.parametrize(
    "text",
    [
        "adjacency:4,4,4 ..oo/..oo/xx../xx.. x",  # nothing is lost by any move
        "adjacency:4,4,4 xxox/oxxo/oxox/xx.x o",  # the last move
    ],
)
def test_there_may_be_nothing_to_overlook(text: str) -> None:
    assert [slips(text, level) for level in (1, 2, 3, 4)] == [set()] * 4
