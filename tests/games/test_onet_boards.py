"""Onet boards: dealt ones, known ones, shuffled ones, and which of them can be cleared."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import papan
from papan.core import Position
from papan.core.parts import Setup
from papan.games.onet import Onet
from papan.games.onet.rules import Gravity, OnetPosition

DATA = json.loads((Path(__file__).parents[1] / "data" / "onet.json").read_text())

Rule = Literal["onet", "paper"]

sizes = st.tuples(st.integers(1, 9), st.integers(1, 10)).filter(lambda size: size != (1, 1))


@settings(max_examples=50)
@given(
    size=sizes,
    kinds=st.integers(1, 40),
    seed=st.integers(-5, 10**6),
    rule=st.sampled_from(["onet", "paper"]),
    gravity=st.sampled_from(get_args(Gravity)),
)
def test_a_dealt_board_can_be_cleared(
    size: tuple[int, int], kinds: int, seed: int, rule: Rule, gravity: Gravity
) -> None:
    game = Onet(*size, kinds, seed, rule, gravity)
    position = game.start()
    counts = Counter(position.tiles)
    empty, pairs = divmod(game.grid.size, 2)[::-1]
    assert counts.pop(0, 0) == empty
    assert sorted(counts) == list(range(1, min(kinds, pairs) + 1))
    assert all(count % 2 == 0 for count in counts.values())
    for move in game.solution():
        assert move in position.moves()
        position = position.child(move)
    assert position.cleared


@pytest.mark.thorough
@pytest.mark.parametrize(
    "gravity",
    [
        each if each == "down" else pytest.param(each, marks=pytest.mark.slow)
        for each in get_args(Gravity)  # smaller boards fall every way in the test above
    ],
)
@pytest.mark.parametrize("rule", ["onet", pytest.param("paper", marks=pytest.mark.slow)])
def test_the_largest_board_can_be_cleared(rule: Rule, gravity: Gravity) -> None:
    game = Onet(16, 30, 36, rule=rule, gravity=gravity)
    position = game.start()
    for move in game.solution():
        assert position.why_not(*game.cells(move)) is None
        position = position.child(move)
    assert position.cleared


def test_tiles_of_a_dealt_board_hang_in_no_hole() -> None:
    for seed in range(20):
        assert Onet(3, 5, seed=seed, gravity="down").start().tiles.index(0) < 5
        assert Onet(3, 5, seed=seed, gravity="left").start().tiles.index(0) % 5 == 4


def test_a_board_is_dealt_from_its_seed() -> None:
    assert Onet().start() == Onet().start()
    assert Onet().start().tiles is Onet().start().tiles  # dealt once
    assert len({Onet(seed=seed).start().tiles for seed in range(20)}) == 20
    assert papan.game("onet:6,12,20,7") == Onet(seed=7)
    assert papan.game("onet:6,12,20,7").spec == "onet:6,12,seed=7"
    assert Setup.of(Onet(4, 6, 5)).deal(9) == Onet(4, 6, 5, 9)
    assert Setup.of(Onet(4, 6, 5, 7)).deal(9) == Onet(4, 6, 5, 7)  # chosen on purpose: it stays


@pytest.mark.parametrize("known", DATA["boards"], ids=lambda each: each["size"])
def test_known_boards(known: dict[str, Any]) -> None:
    position = papan.game(f"onet:{known['size']}").parse(known["board"])
    if known["solution"]:
        assert position.after(known["solution"]).cleared
    else:
        assert not can_be_cleared(position, set())


def can_be_cleared(position: Position, hopeless: set[Position]) -> bool:
    if position.cleared:
        return True
    if position in hopeless:
        return False
    hopeless.add(position)
    return any(can_be_cleared(position.child(move), hopeless) for move in position.moves())


# shuffling


@settings(deadline=None)
@given(
    size=sizes,
    gravity=st.sampled_from(get_args(Gravity)),
    rule=st.sampled_from(["onet", "paper"]),
    seed=st.integers(0, 10**6),
)
def test_a_shuffle_keeps_tiles_and_cells_and_has_a_move(
    size: tuple[int, int], gravity: Gravity, rule: Rule, seed: int
) -> None:
    rng = random.Random(seed)
    game = Onet(*size, rule=rule, gravity=gravity)
    full = rng.random()
    tiles = [rng.randint(1, 9) * (rng.random() < full) for _ in range(game.grid.size)]
    position = OnetPosition(game, game.fallen(tiles))
    after = position.shuffled(seed)
    assert Counter(after.tiles) == Counter(position.tiles)
    assert [tile > 0 for tile in after.tiles] == [tile > 0 for tile in position.tiles]
    pairs = any(count > 1 for tile, count in Counter(tiles).items() if tile)
    assert bool(after.moves()) == pairs


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rule", "gravity"),
    [
        *(("onet", gravity) for gravity in get_args(Gravity)),
        *(("paper", gravity) for gravity in ("none", "down")),
        *(  # tiles fall alike by both rules
            pytest.param("paper", gravity, marks=pytest.mark.slow)
            for gravity in get_args(Gravity)
            if gravity not in ("none", "down")
        ),
    ],
)
def test_a_shuffle_lets_every_pair_go(rule: Rule, gravity: Gravity) -> None:
    rng = random.Random(1)
    for seed in range(60):
        game = Onet(rng.randint(1, 4), rng.randint(2, 4), rule=rule, gravity=gravity)
        tiles = game.fallen([rng.randint(0, 5) for _ in range(game.grid.size)])
        odd = sum(count % 2 for tile, count in Counter(tiles).items() if tile)
        assert fewest_left(OnetPosition(game, tiles).shuffled(seed), {}) == odd


def fewest_left(position: OnetPosition, known: dict[OnetPosition, int]) -> int:
    """How few tiles the best play leaves, by trying everything."""
    if position not in known:
        left = len(position.tiles) - position.tiles.count(0)
        after = (fewest_left(position.child(move), known) for move in position.moves())
        known[position] = min(after, default=left)
    return known[position]


def test_a_stuck_board_can_be_shuffled_and_cleared() -> None:
    position = Onet(2, 2).read(["1,2/2,1"])
    assert not position.moves()
    for seed in range(10):
        assert can_be_cleared(position.shuffled(seed), set())


def test_another_seed_shuffles_otherwise() -> None:
    position = Onet().start()
    assert len({position.shuffled(seed) for seed in range(10)} | {position}) == 11


def test_q11_a_first_line_with_rows_and_columns_is_understood() -> None:
    """As the program of paper 002 reads it: M N, then the board."""
    rows = [["2", "3"], ["1", "2", "1"], ["2", "0", "0"]]
    read = Setup.of(Onet()).read_rows
    assert str(read(rows)) == str(read(rows[1:])) == "onet:2,3 1,2,1/2,0,0"
    narrow = [["2", "2"], ["1", "1"], ["2", "2"]]
    assert str(read(narrow)) == "onet:3,2 2,2/1,1/2,2", "it may be a row of its own"


@pytest.mark.parametrize(
    ("game", "board", "moves", "shuffled"),
    [
        (Onet(2, 4, 4, 1), "2,2,1,4/3,3,1,4", "d1d2 a1b1 a2b2 c1c2", "4,3,1,4/1,2,2,3"),
        (Onet(3, 3, 3, 7), "1,2,1/2,3,0/1,1,3", "a3b3 a1c1 b2c3 b1a2", "1,1,1/1,2,0/2,3,3"),
        (
            Onet(2, 4, 2, 1, gravity="down"),
            "1,2,1,1/1,1,2,1",
            "a1c1 b1c2 b2d2 a2d2",
            "1,1,1,2/2,1,1,1",
        ),
        (Onet(2, 4, 4, 1, "paper"), "3,4,1,1/3,4,2,2", "a1a2 b1b2 c2d2 c1d1", "2,1,3,2/1,4,4,3"),
    ],
    ids=lambda each: each.spec if isinstance(each, Onet) else None,
)
def test_a_seed_deals_and_shuffles_the_same_board_in_every_version(
    game: Onet, board: str, moves: str, shuffled: str
) -> None:
    start = game.start()
    assert start.write() == (board,)
    assert " ".join(map(game.move_name, game.solution())) == moves
    assert start.after(moves).cleared
    assert start.shuffled(5).write() == (shuffled,)


def test_only_two_tiles_that_a_line_links_are_a_legal_number() -> None:
    position = Onet(1, 5).read(["1,1,2,0,2"])
    legal = [move for move in range(-3, 30) if position.allows(move)]
    assert legal == [0 * 5 + 1, 2 * 5 + 4]
