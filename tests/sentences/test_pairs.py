"""Every sentence about a move of Onet is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from papan import catalog
from papan.core import Coach, Move, Position, Proved
from papan.core.reasons import Mistake, fault
from papan.games.onet.rules import Onet, OnetPosition
from tests.sentences.boards import fewest_left
from tests.sentences.said import Said
from tests.sentences.truth import demand, demand_verdict, verdicts


def test_e3_no_kind_with_two_tiles_is_looked_for_where_every_kind_has_two() -> None:
    ideas = {
        text: Coach.of(position).idea(position.legal_move("a1b1")).key
        for text in ("onet:2,2 1,1/2,2", "onet:1,6 1,1,2,2,2,2")
        for position in [catalog.position(text)]
    }
    assert [*ideas.values()] == ["onet.idea_alike", "onet.idea_last_two"]


def traps(spec: str, count: int) -> Iterator[tuple[Position, Move]]:
    """Boards of Onet by chance that can be cleared, each with a pair after which they cannot."""
    rng, game = Random(f"traps {spec}"), catalog.game(spec)
    assert isinstance(game, Onet)
    kinds = range(1, game.kinds + 1)
    while count > 0:
        pairs = [*kinds, *rng.choices(kinds, k=game.grid.size // 2 - game.kinds)]
        position = OnetPosition(game, tuple(rng.sample(pairs * 2, game.grid.size)))
        if fewest_left(position):
            continue
        wrong = [move for move in position.moves() if fewest_left(position.child(move))]
        if wrong:
            yield position, rng.choice(wrong)
            count -= 1


TRAPPED = {
    "onet:2,5,kinds=3": 3,
    "onet:2,5,kinds=3,gravity=left": 3,
    "onet:2,5,kinds=3,gravity=right": 3,
    "onet:2,5,kinds=3,rule=paper": 4,
}
"""How many mistakes on each board are looked at in a quick test."""


def trapped(spec: str, count: int) -> Counter[str]:
    found = Counter[str]()
    for position, move in traps(spec, count):
        (verdict,) = verdicts([position, position.child(move)], [move])
        demand_verdict(verdict)
        found[verdict.said[0].key] += verdict.wrong
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("spec", TRAPPED)
def test_y6_every_wrong_pair_of_onet_has_a_reason_that_is_true(spec: str) -> None:
    assert "review.uncleared" not in trapped(spec, TRAPPED[spec])


def test_y6_where_tiles_stay_in_pairs_it_is_told_how_many_are_left_over() -> None:
    """By the paper's rule a pair may be right later and wrong now."""
    position = catalog.position("onet:2,5,kinds=3,rule=paper 1,2,1,3,1/2,2,3,1,2")
    move = position.legal_move("a1e1")
    mistake = Mistake(position, move, (move,), (), now=Proved(high=6))
    said = fault(mistake)
    assert said is not None and (said.key, said.values["tiles"]) == ("onet.left_over", 4)
    demand(Said(said.key, said.values, position, move))


def test_y7_two_equal_tiles_are_never_the_wrong_pair() -> None:
    """There is no other tile that one of them could have gone with."""
    position = catalog.position("onet:2,4,kinds=3 1,2,3,1/2,3,0,0")
    for move in position.moves():
        others = tuple(other for other in position.moves() if other != move)
        said = fault(Mistake(position, move, (*others, move), (), now=Proved(high=6)))
        assert said is not None and said.key == "onet.left_over"


@pytest.mark.slow
@pytest.mark.parametrize("spec", TRAPPED)
def test_y6_reasons_of_many_wrong_pairs_are_true(spec: str) -> None:
    assert "review.uncleared" not in trapped(spec, 25 * TRAPPED[spec])
