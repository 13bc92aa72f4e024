"""Scores of Connect 4 by the definition: every move to the end, by the rules alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from papan.games.connect4 import Connect4
from papan.games.connect4.rules import Connect4Position


@cache
def score(position: Connect4Position) -> int:
    """Half the cells that are empty before the winning stone, rounded up; below 0 for the loser."""
    moves = position.moves()
    if not moves:
        return -(empty(position) // 2 + 1) if any(position.scores()) else 0
    after = [position.child(move) for move in moves]
    if any(any(child.scores()) for child in after):
        return (empty(position) + 1) // 2  # it wins at once, and the sooner, the better
    return max(-score(child) for child in after)


def empty(position: Connect4Position) -> int:
    """How many cells are empty."""
    return position.game.rows * position.game.columns - position.taken.bit_count()


def random_positions(
    game: Connect4, count: int, least_empty: int, most_empty: int
) -> Iterator[Connect4Position]:
    """Positions of games that nobody has won yet, with so many empty cells."""
    rng = random.Random(f"{game.spec} {most_empty}")
    while count:
        position = _random_position(game, rng.randint(least_empty, most_empty), rng)
        if position is not None:
            count -= 1
            yield position


def _random_position(game: Connect4, cells: int, rng: random.Random) -> Connect4Position | None:
    """A random game of moves that win nothing; None if there is no such move any more."""
    position = game.start()
    while empty(position) > cells:
        after = [position.child(move) for move in position.moves()]
        quiet = [each for each in after if each.moves()]
        if not quiet:
            return None
        position = rng.choice(quiet)
    return position
