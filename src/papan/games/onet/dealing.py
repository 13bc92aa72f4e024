"""Boards that can be cleared.

Tiles are thrown on the board at random, then taken away at random to see whether that works; most
boards let it happen soon. Where many throws fail, tiles are painted along a way of taking them away
instead, which makes easy boards but never fails: we play with blank tiles, taking any two that can
be linked, and paint each pair with one kind afterwards. The same moves clear the painted board,
because only the places of tiles make links. This never gets stuck, by either rule and with any
gravity: if two tiles stand in one row, a straight line links neighbours in it; the same in a
column. Otherwise no row or column holds two tiles, and a line with one turn links any two of them.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from papan.core import Move

if TYPE_CHECKING:
    from papan.games.onet.rules import Onet, Tiles

    Deal: TypeAlias = tuple[Tiles, tuple[Move, ...]]
    """Tiles, and moves that take their pairs away."""

THROWS = 40


@lru_cache(maxsize=64)
def dealt(game: Onet) -> Deal:
    """A board full of tiles; where the number of cells is odd, one of them is empty."""
    rng = random.Random(game.spec)
    blank = [1] * game.grid.size
    if game.grid.size % 2:
        blank[rng.randrange(game.grid.size)] = 0
    pairs = game.grid.size // 2
    kinds = range(1, min(game.kinds, pairs) + 1)
    paint = [*kinds, *rng.choices(kinds, k=pairs - len(kinds))]
    places = game.fallen(blank)
    return _thrown(game, places, paint * 2, rng) or _painted(game, places, paint, rng)


def shuffled(game: Onet, tiles: Tiles, seed: int) -> Tiles:
    """The same tiles on the same cells, in an order that lets every pair be taken away."""
    rng = random.Random(f"{seed} {game.spec} {tiles}")
    if thrown := _thrown(game, tiles, [tile for tile in tiles if tile], rng):
        return thrown[0]
    counts = Counter(filter(None, tiles))
    paint = [kind for kind, count in counts.items() for _ in range(count // 2)]
    painted = list(_painted(game, tiles, paint, rng)[0])
    single = [kind for kind, count in counts.items() if count % 2]
    rng.shuffle(single)
    bare = (cell for cell, tile in enumerate(tiles) if tile and not painted[cell])
    for cell, kind in zip(bare, single):
        painted[cell] = kind
    return tuple(painted)


def _thrown(game: Onet, places: Tiles, tiles: list[int], rng: random.Random) -> Deal | None:
    """The *tiles* at random on the cells where *places* has any, if such a throw can be cleared."""
    for _ in range(THROWS):
        rng.shuffle(tiles)
        left = iter(tiles)
        board = tuple(next(left) if place else 0 for place in places)
        moves = _way_out(game, board, rng)
        if moves is not None:
            return board, moves
    return None


def _way_out(game: Onet, tiles: Tiles, rng: random.Random) -> tuple[Move, ...] | None:
    """Moves that leave no pair, found by taking pairs at random; None where that got stuck."""
    # Where nothing falls, taking tiles away closes no link: all open pairs can go at once.
    at_once = None if game.gravity == "none" and game.rule == "onet" else 1
    moves = []
    while max(Counter(filter(None, tiles)).values(), default=0) > 1:
        pairs = _open_pairs(game, tiles, rng)[:at_once]
        if not pairs:
            return None
        for first, second in pairs:
            moves.append(game.pair(first, second))
            tiles = game.without(tiles, first, second)
    return tuple(moves)


def _open_pairs(game: Onet, tiles: Tiles, rng: random.Random) -> list[tuple[int, int]]:
    """Equal tiles that can be linked, in random order, no tile in two pairs."""
    links = game.links(tiles)
    alike = defaultdict(list)
    for cell in rng.sample(range(len(tiles)), len(tiles)):
        if tiles[cell]:
            alike[tiles[cell]].append(cell)
    pairs = []
    for cells in alike.values():
        while cells:
            first = cells.pop()
            partner = next((cell for cell in cells if links.linked(first, cell)), None)
            if partner is not None:
                cells.remove(partner)
                pairs.append((first, partner))
    return pairs


def _painted(game: Onet, blank: Tiles, paint: list[int], rng: random.Random) -> Deal:
    """Two tiles of each kind in *paint*, on cells where *blank* has tiles."""
    rng.shuffle(paint)
    painted = [0] * len(blank)
    left = tuple(cell + 1 if tile else 0 for cell, tile in enumerate(blank))  # tiles with numbers
    moves = []
    for kind in paint:
        first, second = _any_link(game, left, rng)
        painted[left[first] - 1] = painted[left[second] - 1] = kind
        moves.append(game.pair(first, second))
        left = game.without(left, first, second)
    return tuple(painted), tuple(moves)


def _any_link(game: Onet, tiles: Tiles, rng: random.Random) -> tuple[int, int]:
    """A random tile, and a random one that it can be linked to."""
    links = game.links(tiles)
    cells = [cell for cell, tile in enumerate(tiles) if tile]
    while True:
        first = rng.choice(cells)
        partners = [cell for cell in cells if cell != first and links.joins(first, cell)]
        if partners:
            return first, rng.choice(partners)
