"""Onet: take away pairs of equal tiles that a line with at most two turns can link.

One player. The line runs over empty cells and may leave the board by one cell. The score is the
number of empty cells; the game ends when no pair can be linked. Boards are dealt so that they can
be cleared.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import ClassVar, Literal, TypeAlias

from papan.core import (
    Game,
    Grid,
    InvalidPositionError,
    InvalidSpecError,
    Move,
    Position,
    option,
)
from papan.games.onet.links import LinkPoint, NarrowLinks, OnetLinks

# Where the tiles of Onet move to fill holes: gravity in nine forms, one for each level of play.

Gravity: TypeAlias = Literal[
    "none", "down", "up", "left", "right", "sides", "centre", "poles", "equator"
]
"""Directions of falling tiles, in the order of levels. *sides*: the left half moves left and the
right half right; *centre*: both move to the middle column. *poles* and *equator*: so do the upper
and the lower half."""

Path: TypeAlias = Sequence[int]
"""Cells that tiles move along, from where they pile up."""


def paths(grid: Grid, gravity: Gravity) -> tuple[Path, ...]:
    """Return the paths that tiles move along, each the numbers of its cells; empty without gravity.

    A path begins where its tiles pile up. Where a line of odd length is halved, the second half is
    longer.
    """
    size, wide = grid.size, grid.columns
    if gravity in ("left", "right", "sides", "centre"):
        lines = [range(first, first + wide) for first in range(0, size, wide)]
    else:
        lines = [range(first, size, wide) for first in range(wide)]
    return tuple(path for line in lines for path in _piles(line, gravity) if path)


def _piles(line: range, gravity: Gravity) -> tuple[range, ...]:
    """Return the paths along one row or column, *line*, its cells from the left or upper end.

    They are one, or two where the line is halved, of which the first may be empty; none without
    gravity.
    """
    half = len(line) // 2
    match gravity:
        case "none":
            return ()
        case "left" | "up":
            return (line,)
        case "right" | "down":
            return (line[::-1],)
        case "sides" | "poles":
            return line[:half], line[half:][::-1]
        case "centre" | "equator":
            return line[:half][::-1], line[half:]


Tiles: TypeAlias = tuple[int, ...]
"""The kind of the tile on each cell, row by row; 0 is an empty cell."""

MOST_ROWS, MOST_COLUMNS, MOST_KINDS = 16, 30, 999

# All pairs of one board are asked about one after the other.
open_links, narrow_links = lru_cache(maxsize=4)(OnetLinks), lru_cache(maxsize=4)(NarrowLinks)


@dataclass(frozen=True)
class Onet(Game):
    """The rules of Onet: size (at most 16 by 30 cells), the tiles dealt, how they link and fall.

    A move is a pair of cells: the lower number * cells of the board + the other. Raise
    InvalidSpecError for other sizes, a board of one cell, or kinds that are not 1 to 999.
    """

    rows: int = 6
    columns: int = 12
    kinds: int = option(20)
    """Number of kinds of tiles; fewer where the board has no room for a pair of each."""
    seed: int = option(0)
    """Seed of the deal: each number deals another board; 0 leaves the choice to the caller."""
    rule: Literal["onet", "paper"] = option("onet")
    """*paper*: the narrower links that the program of paper 002 finds."""
    gravity: Gravity = option("none")
    """Direction in which tiles move to fill holes."""

    name: ClassVar[str] = "onet"
    seats: ClassVar[int] = 1
    fields: ClassVar[tuple[str, ...]] = ("board",)

    def __post_init__(self) -> None:
        fits = 1 <= self.rows <= MOST_ROWS and 1 <= self.columns <= MOST_COLUMNS
        if not fits or self.grid.size < 2:
            raise InvalidSpecError(
                "onet.bad_size", spec=self.spec, rows=MOST_ROWS, columns=MOST_COLUMNS
            )
        if not 1 <= self.kinds <= MOST_KINDS:
            raise InvalidSpecError("onet.bad_kinds", spec=self.spec, most=MOST_KINDS)

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.rows, self.columns)

    @property
    def move_count(self) -> int:
        return self.grid.size**2

    @property
    def largest_margin(self) -> float:
        return self.grid.size

    def start(self) -> OnetPosition:
        return OnetPosition(self, dealt(self)[0])

    def solution(self) -> tuple[Move, ...]:
        """Return moves that clear the board as it was dealt by `start`, in their order."""
        return dealt(self)[1]

    def move_name(self, move: Move) -> str:
        return "".join(self.grid.names[cell] for cell in self.cells(move))

    def parse_move(self, text: str) -> Move:
        first, second = self.grid.parse(text, count=2)
        return self.pair(first, second)

    def split_moves(self, text: str) -> list[str]:
        return self.grid.split(text, count=2)

    def read(self, fields: Sequence[str]) -> OnetPosition:
        """Return the position of the *fields* of a text: one, such as ``1,2,0/2,1,0``.

        It has the kind of each cell, row by row: 0 (empty) to 999, also kinds above `kinds`. Raise
        InvalidPositionError if it does not fit the board, or has something else.
        """
        rows = [row.split(",") for row in fields[0].split("/")]
        words = [word for row in rows for word in row]
        fits = [len(row) for row in rows] == [self.columns] * self.rows
        if not fits or not all(re.fullmatch("[0-9]{1,3}", word) for word in words):
            example = self.grid.board(["1"] * self.grid.size, between=",")
            raise InvalidPositionError(
                "onet.bad_board", text=fields[0], example=example, most=MOST_KINDS
            )
        return OnetPosition(self, tuple(map(int, words)))

    def pair(self, first: int, second: int) -> Move:
        """Return the move that takes away the tiles on two cells, by number, in either order."""
        return min(first, second) * self.grid.size + max(first, second)

    def cells(self, move: Move) -> tuple[int, int]:
        """Return the two cells of *move*, the lower number first."""
        return divmod(move, self.grid.size)

    def links(self, tiles: Tiles) -> OnetLinks | NarrowLinks:
        """Return the links between *tiles* by the rule of this game; the last four are cached."""
        return (
            open_links(self.grid, tiles) if self.rule == "onet" else narrow_links(self.grid, tiles)
        )

    def without(self, tiles: Tiles, first: int, second: int) -> Tiles:
        """Return the kinds by cell after the tiles on two cells are gone, and others have fallen.

        *first* and *second* are the numbers of these cells. Nothing is checked.
        """
        left = list(tiles)
        left[first] = left[second] = 0
        return self.fallen(left)

    def fallen(self, tiles: Sequence[int]) -> Tiles:
        """Return the kinds by cell after the tiles have moved into the holes.

        On each path they keep their order. The same tiles without gravity.
        """
        if self.gravity == "none":
            return tuple(tiles)
        moved = [0] * len(tiles)
        for path in self.paths:
            pile = (tiles[cell] for cell in path if tiles[cell])
            for cell, tile in zip(path, pile):
                moved[cell] = tile
        return tuple(moved)

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """The paths of cells that tiles move along, each from where they pile up.

        Empty without gravity.
        """
        return paths(self.grid, self.gravity)


def only_opens(game: Onet) -> bool:
    """Return whether taking tiles can only open links: not with gravity or the paper's rule."""
    return game.rule == "onet" and game.gravity == "none"


def renumbered(tiles: Tiles, cells: Sequence[int]) -> Tiles:
    """Return the tiles on these *cells*, in this order, their kinds numbered from 1 as they come.

    0, an empty cell, stays 0.
    """
    numbers = {0: 0}
    return tuple(numbers.setdefault(tiles[cell], len(numbers)) for cell in cells)


@dataclass(frozen=True, slots=True, repr=False)
class OnetPosition(Position):
    """A position: the kinds of the tiles that are left, row by row; 0 is an empty cell."""

    game: Onet = field(hash=False)
    tiles: Tiles
    """The kind of the tile on each cell, by its number; 0 is an empty cell."""
    turn: int = 0

    def moves(self) -> list[Move]:
        return sorted(self._pairs())

    @property
    def is_over(self) -> bool:
        """True if no pair can be taken; the first one that is found decides."""
        return next(self._pairs(), None) is None

    def _pairs(self) -> Iterator[Move]:
        """Yield every pair that can be taken, as a move, in no particular order."""
        links = self.game.links(self.tiles)
        return (
            self.game.pair(first, second)
            for cells in self.alike()
            for first, second in combinations(cells, 2)
            if links.linked(first, second)
        )

    def allows(self, move: Move) -> bool:
        if not 0 <= move < self.game.move_count:
            return False
        first, second = self.game.cells(move)
        alike = first < second and 0 != self.tiles[first] == self.tiles[second]
        return alike and self.game.links(self.tiles).linked(first, second)

    def child(self, move: Move) -> OnetPosition:
        return OnetPosition(self.game, self.game.without(self.tiles, *self.game.cells(move)))

    def image(self) -> OnetPosition:
        """Return the least image: kinds renumbered, and turned or mirrored if no tiles fall.

        Kinds are numbered from 1 as they first occur; of the images that so arise the one with the
        least `tiles` is returned. By the paper's rule kinds are only renumbered.
        """
        turns = self.game.rule == "onet" and self.game.gravity == "none"
        images = self.game.grid.images if turns else self.game.grid.images[:1]
        return replace(self, tiles=min(renumbered(self.tiles, image) for image in images))

    def scores(self) -> tuple[float]:
        return (self.tiles.count(0),)

    @property
    def cleared(self) -> bool:
        """True if no tile is left."""
        return not any(self.tiles)

    def write(self) -> tuple[str]:
        return (self.game.grid.board([str(tile) for tile in self.tiles], between=","),)

    def alike(self) -> list[list[int]]:
        """Return the cells of equal tiles, in a list for each kind that is left.

        Kinds come in the order in which they first occur, cells in ascending order; empty without
        tiles.
        """
        cells = defaultdict(list)
        for cell, tile in enumerate(self.tiles):
            if tile:
                cells[tile].append(cell)
        return list(cells.values())

    def path(self, move: Move) -> tuple[LinkPoint, ...]:
        """Return the ends and corners of the line that links the tiles of *move*, as (row, column).

        They lead from the lower cell to the other; corners may lie just outside the board. *move*
        must be legal, else ValueError may be raised.
        """
        return open_links(self.game.grid, self.tiles).path(*self.game.cells(move))

    def why_not(self, first: int, second: int) -> str | None:
        """Return the text key of the reason why the tiles on two cells cannot be taken away.

        None if they can; *first* and *second* are numbers of cells. A key is such as
        "onet.blocked".
        """
        tile, other = self.tiles[first], self.tiles[second]
        if first == second:
            return "onet.same_tile"
        if not tile or not other:
            return "onet.empty_cell"
        if tile != other:
            return "onet.different_tiles"
        if self.game.links(self.tiles).linked(first, second):
            return None
        links = open_links(self.game.grid, self.tiles)
        if links.joins(first, second):
            return "onet.narrow_rule"
        return "onet.too_many_turns" if links.reaches(first, second) else "onet.blocked"

    def shuffled(self, seed: int) -> OnetPosition:
        """Return the same tiles in another order on the same cells, such that it can be cleared.

        It follows from *seed*. One tile of each kind that is odd in number stays when all others
        are taken.
        """
        return OnetPosition(self.game, shuffled(self.game, self.tiles, seed))


# Boards that can be cleared.
#
# Tiles are thrown on the board at random, then taken away at random to see whether that works; most
# boards let it happen soon. Where many throws fail, tiles are painted along a way of taking them
# away instead, which makes easy boards but never fails: we play with blank tiles, taking any two
# that can be linked, and paint each pair with one kind afterwards. The same moves clear the painted
# board, because only the places of tiles make links. This never gets stuck, by either rule and with
# any gravity: if two tiles stand in one row, a straight line links neighbours in it; the same in a
# column. Otherwise no row or column holds two tiles, and a line with one turn links any two.

Deal: TypeAlias = tuple[Tiles, tuple[Move, ...]]
"""Tiles, and moves that take their pairs away."""
THROWS = 40


@lru_cache(maxsize=64)
def dealt(game: Onet) -> Deal:
    """Return the kinds by cell of a board full of tiles, and the moves that clear it; cached.

    Of an odd number of cells one is empty, 0. The deal follows from the spec of the game, which has
    the seed.
    """
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
    """Return the same tiles on the same cells, in an order that lets every pair be taken away.

    The result has the kinds by cell, as *tiles* does; it follows from *seed*, the game and the
    tiles. Of each kind that is odd in number one tile stays when all pairs are taken.
    """
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
    """Return a random deal of *tiles* to *places* that can be cleared, with moves that do it.

    *tiles* are kinds, and are shuffled in place; *places* has a number for each cell, not 0 where
    one is to stand. There must be as many of these as tiles: not checked. None if THROWS deals
    fail.
    """
    for _ in range(THROWS):
        rng.shuffle(tiles)
        left = iter(tiles)
        board = tuple(next(left) if place else 0 for place in places)
        moves = _way_out(game, board, rng)
        if moves is not None:
            return board, moves
    return None


def _way_out(game: Onet, tiles: Tiles, rng: random.Random) -> tuple[Move, ...] | None:
    """Return moves after which at most one tile of each kind is left; None if that got stuck.

    They are found by taking pairs at random; so there may be a way where none is returned.
    """
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
    """Return pairs of equal tiles that can be linked, by cells, in random order.

    No tile is in two pairs; empty if no pair can be linked.
    """
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
    """Return a deal with two tiles for each kind in *paint*, on cells where *blank* is not 0.

    Its moves take all of them away; it always succeeds. *blank* must have at least two such cells
    for each of *paint*: not checked. All other cells are 0 in the result. *paint* is shuffled in
    place.
    """
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
    """Return the cells of two random tiles that can be linked, whatever their kinds.

    There must be two tiles at least, fallen as the gravity of *game* has it: not checked.
    """
    links = game.links(tiles)
    cells = [cell for cell, tile in enumerate(tiles) if tile]
    while True:
        first = rng.choice(cells)
        partners = [cell for cell in cells if cell != first and links.joins(first, cell)]
        if partners:
            return first, rng.choice(partners)
