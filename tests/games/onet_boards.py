"""Onet boards for tests: known ones, random ones, and the truth by trying everything."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any, Literal

from papan.core import Analysis
from papan.games.onet import Onet
from papan.games.onet.rules import Gravity, OnetPosition
from papan.games.onet.solver import OnetSolver

BOARDS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "onet_solver.json").read_text()
)
"""Boards of all sizes, hard by choice, and whether they can be cleared."""

Rule = Literal["onet", "paper"]


def on(board: str, gravity: Gravity = "none", rule: Rule = "onet") -> OnetPosition:
    """The position with rows of numbers, set apart by lines or by slashes."""
    rows = [row.replace(",", " ").split() for row in board.strip().replace("/", "\n").splitlines()]
    game = Onet(len(rows), len(rows[0]), gravity=gravity, rule=rule)
    return game.read(["/".join(",".join(row) for row in rows)])


def random_board(
    rng: random.Random, kinds: int = 7, gravity: Gravity = "none", rule: Rule = "onet"
) -> OnetPosition:
    """A full 4x4 board: every seventh of them cannot be cleared where there are seven kinds."""
    game = Onet(4, 4, gravity=gravity, rule=rule)
    tiles = [pair % kinds + 1 for pair in range(8) for _ in range(2)]
    rng.shuffle(tiles)
    return OnetPosition(game, tuple(tiles))


@cache
def fewest_left(position: OnetPosition) -> int:
    """How many tiles stay at least, by trying everything."""
    left = len(position.tiles) - position.tiles.count(0)
    for move in position.moves():
        if left:
            left = min(left, fewest_left(position.child(move)))
    return left


def solve(position: OnetPosition, **settings: Any) -> Analysis:
    return OnetSolver(**settings).analyse(position)
