"""Signatures: what is said of the same positions, counted. Who changes one says so in the commit.

Other tests check that each sentence is true; these notice that one is left out, told of another
move or at another place, which may be as true.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from zlib import crc32

import pytest

from papan import api, catalog
from papan.core import Position
from papan.core.parts import Coach, Support
from papan.core.printable import to_json
from papan.core.reasons import Mistake, deeds, fault, forced_win, reason, threats

BOARDS = {
    "tictactoe": 60,
    "tictactoe:6,6,4": 20,
    "tictactoe:9,9,5": 4,
    "connect4:5,6": 60,
    "dots:3,3": 30,
    "adjacency:4,4,4": 20,
    "onet:4,4,kinds=3,seed=973": 10,
}
"""Positions of each board that are looked at."""


@cache
def positions(spec: str) -> list[Position]:
    """Positions of random games, spread over their whole length."""
    rng, found = Random(f"signature {spec}"), list[Position]()
    while len(found) < BOARDS[spec]:
        game = [catalog.position(spec)]
        while moves := game[-1].moves():
            game.append(game[-1].child(rng.choice(moves)))
        found += [each for each in game[2 + len(found) % 3 :: 4] if not each.is_over]
    return found[: BOARDS[spec]]


def described(spec: str) -> Iterator[object]:
    """All that a move does by its coach, with what shows it, for a few moves of each position."""
    for position in positions(spec):
        for move in position.moves()[:: 1 + len(position.moves()) // 9]:
            for each in deeds(position, move):
                said, line = each.message.json(), list(each.line)
                yield each.kind, said, sorted(each.cells), line, each.decides, each.costs


def reasoned(spec: str) -> Iterator[object]:
    """The reason of a move without a search, and whether it is proved."""
    for position in positions(spec):
        for move in position.moves()[:: 1 + len(position.moves()) // 5]:
            found = reason(position, move)
            yield found.certainty.kind, [each.json() for each in found.messages]


def slipped(spec: str) -> Iterator[object]:
    """What each level overlooks."""
    for position in positions(spec):
        support = Support.of(position.game)
        for level in range(1, 5):
            slip = support.slip(position, level, Random(f"slip {level}"))
            yield slip and (slip.move, slip.message.json(), sorted(slip.cells))


def blamed(spec: str) -> Iterator[object]:
    """Why one move is worse than the next one, as if it were."""
    for position in positions(spec):
        moves = position.moves()
        for move, better in zip(moves[::3], moves[1::3]):
            after = position.child(move)
            mistake = Mistake(position, move, (better,), tuple(after.moves()[:1]))
            found = fault(mistake)
            yield found and found.json()


def threatened(spec: str) -> Iterator[object]:
    """Threats, wins that are forced, and where to look."""
    for position in positions(spec):
        coach = Coach.of(position)
        move = position.moves()[len(position.moves()) // 2]
        yield threats(position), [sorted(coach.area(move)), coach.idea(move).json()]
        yield forced_win(position.child(move), position.turn)


KINDS = {each.__name__: each for each in (described, reasoned, slipped, blamed, threatened)}
SIGNATURES: dict[str, dict[str, tuple[int, int]]] = {
    "tictactoe": {
        "described": (345, 3537929439),
        "reasoned": (179, 3817328238),
        "slipped": (33, 541295486),
        "blamed": (73, 3076829202),
        "threatened": (64, 472990348),
    },
    "tictactoe:6,6,4": {
        "described": (186, 1191728144),
        "reasoned": (93, 2000595446),
        "slipped": (31, 2052544235),
        "blamed": (111, 2391065883),
        "threatened": (20, 812006493),
    },
    "tictactoe:9,9,5": {
        "described": (36, 2898501192),
        "reasoned": (20, 980286039),
        "slipped": (4, 3901953240),
        "blamed": (66, 436636777),
        "threatened": (4, 1356971303),
    },
    "connect4:5,6": {
        "described": (373, 3170937318),
        "reasoned": (179, 3302479177),
        "slipped": (86, 3518743623),
        "blamed": (86, 1994772109),
        "threatened": (61, 94166914),
    },
    "dots:3,3": {
        "described": (170, 1783136750),
        "reasoned": (120, 3149539004),
        "slipped": (25, 613377425),
        "blamed": (22, 1380349660),
        "threatened": (30, 1882700170),
    },
    "adjacency:4,4,4": {
        "described": (164, 1917678705),
        "reasoned": (59, 4242801512),
        "slipped": (31, 3503805036),
        "blamed": (21, 1447484635),
        "threatened": (20, 896283461),
    },
    "onet:4,4,kinds=3,seed=973": {
        "described": (64, 1572669263),
        "reasoned": (33, 967401877),
        "slipped": (0, 2311238363),
        "blamed": (12, 2506845367),
        "threatened": (10, 325723107),
    },
}
"""For each board and kind: how many things are said, and the checksum of all of them."""


@pytest.mark.parametrize("spec", BOARDS)
def test_y7_what_is_said_of_a_position_is_what_always_was(spec: str) -> None:
    for position in positions(spec):
        assert not position.is_over
    found = {}
    for name, kind in KINDS.items():
        said = [to_json(each) for each in kind(spec)]
        some = [each for each in said if each != "null"]
        found[name] = len(some), crc32("\n".join(said).encode())
    assert found == SIGNATURES[spec]


def reviewed(spec: str) -> tuple[int, int]:
    """The mistakes of three games that luck played, and the checksum of all that is proved of them.

    The lines of play are left out: of equal ones a search may prefer another.
    """
    mistakes, said = 0, list[str]()
    for seed in range(3):
        rng, game = Random(f"review {seed}"), api.session(spec)
        while moves := game.position.moves():
            game.play(rng.choice(moves))
        found = api.review(game)
        mistakes += len(found.mistakes)
        for each in found.verdicts:
            facts = {**each.json(), "plan": [], "refutation": [], "said": [], "ends": []}
            said.append(to_json(facts))
        said.append(to_json([found.counts(seat) for seat in range(game.game.seats)]))
        said.append(to_json([each.ply for each in found.mistakes]))
    return mistakes, crc32("\n".join(said).encode())


REVIEWS = {
    "dots:2,2": (16, 2631172178),
    "connect4:4,4": (3, 1512929524),
}
"""For each board: mistakes in three games, and the checksum of what is proved of their moves."""


@pytest.mark.parametrize("spec", REVIEWS)
def test_y7_the_same_games_have_the_same_mistakes(spec: str) -> None:
    assert reviewed(spec) == REVIEWS[spec]
