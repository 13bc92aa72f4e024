"""Proofs that an Onet board cannot be cleared: the checker believes only what follows."""

import random
from contextlib import closing
from itertools import combinations
from typing import Any

import pytest

from papan.games.onet import Onet
from papan.games.onet.clearing import Pairings, least_left, odd_kind
from papan.games.onet.rules import OnetPosition

from .onet_boards import fewest_left, on, random_board, solve
from .onet_certificates import proves


def certificate() -> tuple[OnetPosition, dict[str, Any]]:
    position = on("4 1 8 7 9 3/4 5 7 6 5 2/9 8 3 7 6 8/2 3 7 1 8 3")
    found: Any = solve(position).facts["certificate"]
    assert len(found["sets"]) > 2
    assert proves(position, found)
    return position, found


def test_each_set_is_needed() -> None:
    position, found = certificate()
    for left_out in range(len(found["sets"])):
        sets = [each for place, each in enumerate(found["sets"]) if place != left_out]
        assert not proves(position, {**found, "sets": sets})


def test_each_step_must_follow() -> None:
    position, found = certificate()
    assert not proves(position, {**found, "sets": found["sets"][:1]})
    assert not proves(position, {"why": "blocked", "sets": [], "steps": []})
    alike = position.alike()[0]
    pair = "".join(position.game.grid.names[cell] for cell in alike[:2])
    assert not proves(position, {"why": "blocked", "sets": [], "steps": [[pair], ["-" + pair]]})


def test_nonsense_is_refused() -> None:
    position = on("1 1 2/2 0 3/3 3 3")
    assert not proves(position, {"why": "odd", "tiles": ["a1", "b1"]})
    assert not proves(position, {"why": "odd", "tiles": ["c2", "a3", "b3"]})
    assert not proves(position, {"why": "odd", "tiles": ["b2"]})
    assert not proves(position, {"why": "odd", "tiles": []})
    assert not proves(position, {"why": "because"})
    assert not proves(position, {"why": "blocked", "sets": [["b2"]], "steps": []})
    assert not proves(position, {"why": "blocked", "sets": [[]], "steps": []})
    assert not proves(position, {"why": "blocked", "sets": [["a1"]], "steps": [["a1c1"]]})


def test_no_proof_holds_for_a_board_that_can_be_cleared() -> None:
    """Any sets, and any steps: nothing false may follow."""
    rng = random.Random(11)
    for _ in range(100):
        position = random_board(rng)
        if fewest_left(position):
            continue
        tiles = [cell for cell, tile in enumerate(position.tiles) if tile]
        cell_names = position.game.grid.names
        sets = [
            [cell_names[cell] for cell in rng.sample(tiles, rng.randint(1, len(tiles)))]
            for _ in range(30)
        ]
        assert not proves(position, {"why": "blocked", "sets": sets, "steps": []})


def test_blocked_sets_prove_nothing_with_gravity() -> None:
    position, found = certificate()
    for options in ({"gravity": "down"}, {"rule": "paper"}):
        game = Onet(position.game.rows, position.game.columns, **options)  # type: ignore[arg-type]
        assert not proves(OnetPosition(game, position.tiles), found)


def test_a_pairing_has_each_tile_once() -> None:
    kinds = [range(2), range(2, 6), range(6, 12), range(12, 28)]
    with closing(Pairings(kinds, lambda: None)) as pairings:
        pairing = pairings.propose()
    assert pairing is not None
    assert sorted(cell for pair in pairing for cell in pair) == list(range(28))
    for kind in kinds:
        assert sum(first in kind and second in kind for first, second in pairing) * 2 == len(kind)


@pytest.mark.parametrize(("tiles", "pairings"), [(2, 1), (4, 3), (6, 15), (8, 105)])
def test_ruling_out_one_after_the_other_leaves_none(tiles: int, pairings: int) -> None:
    """As many as there are ways to pair so many tiles."""
    kind = range(tiles)
    seen = []
    with closing(Pairings([kind], lambda: None)) as left:
        while (pairing := left.propose()) is not None:
            seen.append(frozenset(map(frozenset, pairing)))
            others = [pair for pair in combinations(kind, 2) if frozenset(pair) not in seen[-1]]
            left.rule_out(list(kind), others)
    assert len(seen) == len(set(seen)) == pairings


def test_the_fewest_that_stay() -> None:
    tiles = (1, 1, 1, 2, 2, 0)
    assert odd_kind(tiles) == 1
    assert odd_kind((2, 2, 0)) is None
    assert least_left(tiles, ()) == 1
    assert least_left(tiles, (0, 3)) == 3
    assert least_left(tiles, (3, 4)) == 3


def test_of_a_kind_of_which_some_stay_only_the_others_leave_in_pairs() -> None:
    tiles = (1, 1, 1, 2, 2, 0)
    assert least_left(tiles, (0,)) == 1, "the odd one is the one that stays"
    assert least_left(tiles, (3,)) == 3, "and so does its twin"
