"""The kernels of Onet say what the rules say; and the facts that its solver rests on."""

import random
from itertools import combinations
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.games.onet import Onet, kernel, kernel_clear, rules
from papan.games.onet.links import OnetLinks
from papan.games.onet.rules import Gravity, OnetPosition
from papan.games.onet.solver import fall_table

from .onet_boards import Rule, on, random_board


def laid(position: OnetPosition) -> tuple[Any, Any]:
    tiles = np.array(position.tiles, np.int64)
    return kernel.new_board(tiles, position.game.rows, position.game.columns)[0], tiles


def boards(count: int, rule: Rule) -> list[OnetPosition]:
    """Boards of all sizes, from nearly empty to full."""
    rng = random.Random(5)
    positions = []
    for number in range(count):
        rows, columns = (16, 30) if number == 0 else (rng.randint(1, 9), rng.randint(2, 12))
        crowd, kinds, gap = rng.random(), rng.choice([1, 3, 8, 20, 40]), rng.choice([1, 7, 24])
        tiles = [
            gap * rng.randint(1, kinds) * (rng.random() < crowd) for _ in range(rows * columns)
        ]
        tiles[-1] = 999
        positions.append(OnetPosition(Onet(rows, columns, rule=rule), tuple(tiles)))
    return positions


def test_linked_pairs_are_the_legal_moves() -> None:
    for position in boards(500, "onet"):
        board, _ = laid(position)
        pairs = np.zeros(2 * int(board["pairs"]), np.uint64)
        count = int(kernel.linked_pairs(board, pairs))
        found = pairs[: 2 * count].reshape(-1, 2).tolist()
        assert sorted(position.game.pair(*pair) for pair in found) == position.moves()


def test_narrow_pairs_are_the_legal_moves_of_the_paper() -> None:
    for position in boards(150, "paper"):
        board, tiles = laid(position)
        pairs = np.zeros(2 * int(board["pairs"]), np.uint64)
        count = int(kernel.narrow_pairs(board, tiles, pairs))
        found = pairs[: 2 * count].reshape(-1, 2).tolist()
        assert sorted(position.game.pair(*pair) for pair in found) == position.moves()


@pytest.mark.parametrize("gravity", get_args(Gravity))
def test_tiles_fall_as_the_rules_say(gravity: Gravity) -> None:
    for position in boards(100, "onet"):
        game = Onet(position.game.rows, position.game.columns, gravity=gravity)
        tiles = np.array(position.tiles, np.int64)
        kernel_clear.fall(tiles, fall_table(game))
        assert tuple(tiles) == game.fallen(position.tiles)


def test_kernels_have_room_for_the_largest_board() -> None:
    assert (kernel.MOST_KERNEL_ROWS, kernel.MOST_KERNEL_COLUMNS) == (
        rules.MOST_ROWS,
        rules.MOST_COLUMNS,
    )


def touching(position: OnetPosition, standing: set[int]) -> set[frozenset[int]]:
    """The pairs that touch the cells *standing* and are linked when only these stand."""
    links = OnetLinks(
        position.game.grid, [cell in standing for cell in range(position.game.grid.size)]
    )
    return {
        frozenset(pair)
        for cells in position.alike()
        for pair in combinations(cells, 2)
        if not standing.isdisjoint(pair) and links.joins(*pair)
    }


def never_taken(position: OnetPosition, standing: set[int]) -> set[int]:
    """What is left when every tile that is linked is taken away, even alone."""
    while linked := standing & set().union(*touching(position, standing)):
        standing = standing - linked
    return standing


def random_pairing(rng: random.Random, position: OnetPosition) -> list[list[int]]:
    pairs = []
    for cells in position.alike():
        rng.shuffle(cells)
        pairs += [cells[place : place + 2] for place in range(0, len(cells), 2)]
    return pairs


def test_what_can_never_be_taken_and_a_least_part_of_it() -> None:
    rng = random.Random(2)
    stuck_boards = 0
    for _ in range(300):
        position = random_board(rng)
        board, _ = laid(position)
        cells, scratch = np.zeros((2, 16), np.uint64)
        count = kernel_clear.relax(board, cells, kernel_clear.standing_tiles(board, cells))
        stuck = set(cells[:count].tolist())
        assert stuck == never_taken(position, set(range(16)))
        if stuck:
            stuck_boards += 1
            count = kernel_clear.shrink(board, cells, count, scratch)
            least = set(cells[:count].tolist())
            assert least <= stuck
            assert never_taken(position, least) == least
            assert not any(never_taken(position, least - {cell}) for cell in least)
    assert stuck_boards > 20


def test_a_pairing_works_or_is_blocked_by_tiles_that_other_pairs_would_open() -> None:
    rng = random.Random(4)
    works = 0
    for _ in range(300):
        position = random_board(rng, kinds=4)
        pairing = random_pairing(rng, position)
        board, _ = laid(position)
        for first, second in pairing:
            board["mate"][first], board["mate"][second] = second, first
        whole = np.arange(16, dtype=np.uint64)
        cells, moves, pairs = (
            np.zeros(16, np.uint64),
            np.zeros(16, np.uint64),
            np.zeros(400, np.uint64),
        )
        address = np.asarray(board).ctypes.data
        left, found = kernel_clear.try_pairing(address, whole, cells, moves, pairs)
        if left == 0:
            works += 1
            for pair in moves.reshape(-1, 2).tolist():
                assert sorted(pair) in map(sorted, pairing)
                assert position.game.pair(*pair) in position.moves()
                position = position.child(position.game.pair(*pair))
            assert position.cleared
        else:
            opening = set(map(frozenset, pairs[: 2 * int(found)].reshape(-1, 2).tolist()))
            assert opening == touching(position, set(cells[:left].tolist()))
            assert opening.isdisjoint(map(frozenset, pairing))
    assert 50 < works < 250


def names(position: OnetPosition) -> list[str]:
    return [position.game.move_name(move) for move in position.moves()]


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_taking_tiles_away_never_closes_a_link(seed: int) -> None:
    rng = random.Random(seed)
    position = random_board(rng)
    fewer = [tile * (rng.random() < 0.6) for tile in position.tiles]
    grid = position.game.grid
    many, few = OnetLinks(grid, position.tiles), OnetLinks(grid, fewer)
    for pair in combinations(range(grid.size), 2):
        assert few.joins(*pair) >= many.joins(*pair)


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_it_does_not_matter_for_a_link_whether_tiles_stand_at_its_ends(seed: int) -> None:
    position = random_board(random.Random(seed))
    grid = position.game.grid
    for first, second in combinations(range(grid.size), 2):
        tiles = list(position.tiles)
        tiles[first] = tiles[second] = 1
        with_ends = OnetLinks(grid, tiles).joins(first, second)
        tiles[first] = tiles[second] = 0
        assert OnetLinks(grid, tiles).joins(first, second) == with_ends


def test_with_gravity_a_link_may_close() -> None:
    before = on(
        """
        3 2 1 6
        6 4 4 2
        5 5 3 1
        """,
        gravity="down",
    )
    assert names(before) == ["b2c2", "a3b3"]
    assert before.after("a3b3") == on(
        """
        0 0 1 6
        3 2 4 2
        6 4 3 1
        """,
        gravity="down",
    )
    assert names(before.after("a3b3")) == []
