"""Values by the definition and nothing else, and a game that is unkind to searches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from math import inf
from typing import ClassVar
from zlib import crc32

from papan.core import Game, Move, Position, margin, native_form
from papan.core.parts import Support
from papan.games.tictactoe import TicTacToe
from papan.games.tictactoe.support import TicTacToeSupport


@cache
def value(position: Position, depth: float = inf) -> float:
    """The margin of the seat to move with best play; at the horizon the game's own guess."""
    children = [position.child(move) for move in position.moves()]
    if not children:
        return margin(position, position.turn)
    if depth == 0:
        return Support.of(position.game).evaluate(position, position.turn)
    values = [(child, value(child, depth - 1)) for child in children]
    return max(
        true_value if child.turn == position.turn else -true_value for child, true_value in values
    )


@cache
def outcome(position: Position) -> tuple[float, int]:
    """The value and the plies to the end, where winning soon and losing late is best play."""
    children = [position.child(move) for move in position.moves()]
    if not children:
        return margin(position, position.turn), 0
    found = []
    for child in children:
        true_value, plies = outcome(child)
        found.append((true_value if child.turn == position.turn else -true_value, plies + 1))
    return max(found, key=lambda each: (each[0], -each[1] if each[0] > 0 else each[1]))


def random_positions(game: Game, count: int, plies: tuple[int, int]) -> Iterator[Position]:
    """Positions of random games after at least and at most so many plies that are not over yet."""
    rng = random.Random(game.spec)
    while count:
        position = game.start()
        for _ in range(rng.randint(*plies)):
            if moves := position.moves():
                position = position.child(rng.choice(moves))
        if position.moves():
            count -= 1
            yield position


def late_positions(game: Game, count: int, left: int) -> Iterator[Position]:
    """Positions of random games that last as long as they can, at most *left* plies before that."""
    rng = random.Random(game.spec)
    while count:
        position: Position | None = game.start()
        while position and plies_left(position) > left:
            moves = position.moves()
            children = map(position.child, rng.sample(moves, len(moves)))
            position = next((child for child in children if not child.is_over), None)
        if position:
            count -= 1
            yield position


def plies_left(position: Position) -> int:
    """How long the game can go on at most."""
    form = native_form(position)
    assert form is not None
    return form.deepest


def plain(position: Position) -> Position:
    """The same position of a game that offers no compiled form: a game derived from its own."""
    game = position.game
    options = {each.name: getattr(game, each.name) for each in fields(game)}
    derived = type("Plain", (type(game),), {})(**options)
    assert isinstance(derived, Game)
    return derived.parse(str(position))


def noise(seed: int, position: Position, seat: int) -> float:
    """A different guess for every position: what punishes a wrong bound most."""
    guess = crc32(f"{seed} {position}".encode()) % 1001 / 500 - 1
    return guess * 0.9 if seat == 0 else -guess * 0.9


@dataclass(frozen=True)
class NoisyTicTacToe(TicTacToe):
    """Tic Tac Toe whose estimates make no sense."""

    noise: int = 0


class NoisyTicTacToeSupport(TicTacToeSupport, game=NoisyTicTacToe):
    """Estimates that make no sense."""

    game: NoisyTicTacToe

    def evaluate(self, position: Position, seat: int) -> float:
        return noise(self.game.noise, position, seat)


@dataclass(frozen=True)
class Pebbles(Game):
    """Take 1 to 3 pebbles; 2 give another turn. Most pebbles win, or *last*: who takes the last.

    Turns do not alternate, and the same position comes up after different numbers of plies.
    """

    heap: int = 8
    last: bool = False
    noise: int = 0

    name: ClassVar[str] = "pebbles"
    fields: ClassVar[tuple[str, ...]] = ("left", "turn", "owned")

    @property
    def move_count(self) -> int:
        return 4

    @property
    def largest_margin(self) -> float:
        return 1 if self.last else inf

    def start(self) -> PebblesPosition:
        return PebblesPosition(self, self.heap)

    def read(self, fields: Sequence[str]) -> PebblesPosition:
        first, second = fields[2].split("-")
        return PebblesPosition(self, int(fields[0]), int(fields[1]), (int(first), int(second)))

    def move_name(self, move: Move) -> str:
        return str(move)

    def parse_move(self, text: str) -> Move:
        return int(text)


class PebblesSupport(Support, game=Pebbles):
    """Estimates that make no sense."""

    game: Pebbles

    def evaluate(self, position: Position, seat: int) -> float:
        return noise(self.game.noise, position, seat)


@dataclass(frozen=True)
class PebblesPosition(Position):
    """The pebbles left, and what each seat owns: pebbles, or the game."""

    game: Pebbles = field(hash=False)
    left: int
    turn: int = 0
    owned: tuple[int, int] = (0, 0)

    def moves(self) -> list[Move]:
        return list(range(1, min(self.left, 3) + 1))

    def child(self, move: Move) -> PebblesPosition:
        gain = move if not self.game.last else int(move == self.left)
        first, second = self.owned
        owned = (first + gain, second) if self.turn == 0 else (first, second + gain)
        turn = self.turn if move == 2 else 1 - self.turn
        return PebblesPosition(self.game, self.left - move, turn, owned)

    def scores(self) -> tuple[float, float]:
        return self.owned

    def write(self) -> tuple[str, str, str]:
        return str(self.left), str(self.turn), f"{self.owned[0]}-{self.owned[1]}"


@dataclass(frozen=True)
class Road(Pebbles):
    """The first seat may give up for a draw at once, or walk *heap* steps by turns and win."""

    name: ClassVar[str] = "road"

    def start(self) -> RoadPosition:
        return RoadPosition(self, self.heap)


@dataclass(frozen=True)
class RoadPosition(PebblesPosition):
    """The steps left to walk."""

    def moves(self) -> list[Move]:
        return [0, 1] if self.left == self.game.heap else [1][: self.left]

    def child(self, move: Move) -> RoadPosition:
        left = self.left - 1 if move else 0
        owned = (int(move and not left), 0)
        return RoadPosition(self.game, left, 1 - self.turn, owned)
