"""Game rules for training nets: pure JAX functions of one position, seen by the seat to move.

An array may be larger than the board in it: one net learns all sizes of a game, and what lies
beyond the board is 0. A move is the place of its number in a net's policy, except that Connect 4
is played by columns.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from papan.core.marks import _SOON
from papan.games.adjacency import support as adjacency
from papan.games.connect4 import support as connect4
from papan.games.dots import support as dots
from papan.games.tictactoe import support as tictactoe

Array: TypeAlias = Any
State: TypeAlias = dict[str, Array]


class Step(NamedTuple):
    """The result of a move: the position after it, rewards, and whether the game is over."""

    state: State
    """The position, as seen by the seat that moves next."""
    reward: Array
    """Reward of the seat that moved: utility, and margin in the unit of the game."""
    over: Array
    again: Array
    """True if the same seat moves again."""


def turned(height: int, width: int) -> list[Array]:
    """Return the source cell of each cell, for 4 ways to turn a board, 8 if it is square."""
    cells = np.arange(height * width).reshape(height, width)
    boards = [cells, cells.T] if height == width else [cells]
    flips = [board[::down] for board in boards for down in (1, -1)]
    return [board[:, ::right].reshape(-1) for board in flips for right in (1, -1)]


def in_a_row(stones: Array, count: int) -> Array:
    """Return whether a boolean plane has *count* stones in an unbroken line."""
    height, width = stones.shape
    wide = jnp.pad(stones, ((0, count), (count, count)))
    found = jnp.bool_(False)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        line = stones
        for step in range(1, count):
            begin = count + right * step
            line = line & wide[down * step : down * step + height, begin : begin + width]
        found = found | line.any()
    return found


class Connect4:
    """Every size of Connect 4 for training; popular sizes are drawn more often."""

    shape: ClassVar = (8, 10)
    outputs: ClassVar = 1
    unit: ClassVar = 1.0
    moves: ClassVar = 10
    plies: ClassVar = 80
    symmetries: ClassVar = 2
    often = ((7, 10),) * 6 + ((6, 7),) * 5 + ((7, 8), (7, 9)) * 2
    rare = tuple((rows, columns) for rows in range(4, 9) for columns in range(4, 11))

    def start(self, key: Array) -> State:
        """Return an empty board of a random size; *key* is the random state."""
        first, second = jax.random.split(key)
        usual = jax.random.choice(first, jnp.array(self.often))
        any_size = jax.random.choice(first, jnp.array(self.rare))
        size = jnp.where(jax.random.uniform(second) < 0.75, usual, any_size)
        rows, columns = jnp.arange(self.shape[0]), jnp.arange(self.shape[1])
        board = (rows[:, None] < size[0]) & (columns < size[1])
        return {"own": board & False, "rival": board & False, "board": board}

    def legal(self, state: State) -> Array:
        """Return a mask of the legal moves, one truth value for each column."""
        return connect4.landing(state["own"], state["rival"], state["board"]).any(0)

    def step(self, state: State, move: Array) -> Step:
        """Return the result of a stone in column *move*: position after it, reward, and end."""
        stone = connect4.landing(state["own"], state["rival"], state["board"])
        own = state["own"] | stone & (jnp.arange(self.shape[1]) == move)
        left = state["board"] & ~(own | state["rival"])
        won = in_a_row(own, 4)
        share = left.sum() / state["board"].sum()
        utility = won * (1 - _SOON + _SOON * share)
        after = {"own": state["rival"], "rival": own, "board": state["board"]}
        return Step(after, jnp.stack([utility, won * 1.0]), won | ~left.any(), jnp.bool_(False))

    def image(self, state: State) -> Array:
        """Return the input planes of the net, as the game's `support.image` does."""
        return connect4.image(state["own"], state["rival"], state["board"])

    def board(self, state: State) -> Array:
        """Return the boolean plane of the cells that belong to the board."""
        return state["board"]

    def places(self, state: State) -> Array:
        """Return the index of each move in the policy: the cell where its stone lands."""
        rows = connect4.landing(state["own"], state["rival"], state["board"]).argmax(0)
        return rows * self.shape[1] + jnp.arange(self.shape[1])

    def turn(self, state: State, weights: Array, symmetry: Array) -> tuple[State, Array]:
        """Return the position, mirrored if *symmetry* is 1, and the *weights* of its moves."""
        columns = jnp.arange(self.shape[1])
        wide = state["board"][0].sum()
        source = jnp.where((symmetry == 1) & (columns < wide), wide - 1 - columns, columns)
        return {name: plane[:, source] for name, plane in state.items()}, weights[source]


class Cells:
    """Games in which a move is a cell of a board of one size."""

    shape: tuple[int, int]
    outputs: ClassVar = 1
    symmetries = 8

    @property
    def moves(self) -> int:
        """Number of moves: one for each cell."""
        return self.shape[0] * self.shape[1]

    def legal(self, state: State) -> Array:
        """Return a mask of the legal moves, one truth value for each cell."""
        return ~(state["own"] | state["rival"]).reshape(-1)

    def stone(self, move: Array) -> Array:
        """Return a boolean plane with only the mark of *move*."""
        return (jnp.arange(self.moves) == move).reshape(self.shape)

    def board(self, state: State) -> Array:
        """Return the boolean plane of the cells that belong to the board: all of them."""
        return jnp.ones(self.shape, bool)

    def places(self, state: State) -> Array:
        """Return the index of each move in the policy: its own number."""
        return jnp.arange(self.moves)

    def turn(self, state: State, weights: Array, symmetry: Array) -> tuple[State, Array]:
        """Return the position turned in way *symmetry* (0 to 7), and the *weights* of its moves."""
        source = jnp.array(turned(*self.shape))[symmetry]
        marks = {name: state[name].reshape(-1)[source].reshape(self.shape) for name in MARKS}
        return state | marks, weights[source]


MARKS = ("own", "rival")


class TicTacToe(Cells):
    """One size of Tic Tac Toe for training: *side* by *side* cells, lines of *connect*."""

    unit: ClassVar = 1.0

    def __init__(self, side: int, connect: int) -> None:
        self.shape, self.connect, self.plies = (side, side), connect, side * side

    def start(self, key: Array) -> State:
        """Return an empty board; *key* is not used."""
        return {name: jnp.zeros(self.shape, bool) for name in MARKS}

    def step(self, state: State, move: Array) -> Step:
        """Return the result of a mark on cell *move*: position after it, reward, and end."""
        own = state["own"] | self.stone(move)
        taken = own | state["rival"]
        won = in_a_row(own, self.connect)
        utility = won * (1 - _SOON + _SOON * (1 - taken.mean()))
        after = {"own": state["rival"], "rival": own}
        return Step(after, jnp.stack([utility, won * 1.0]), won | taken.all(), jnp.bool_(False))

    def image(self, state: State) -> Array:
        """Return the input planes of the net, as the game's `support.image` does."""
        return tictactoe.image(state["own"], state["rival"])


class Adjacency(Cells):
    """Adjacency on 8x8 with any number of rounds, for training."""

    shape: tuple[int, int] = (8, 8)
    unit: ClassVar = adjacency.UTILITY_UNIT
    plies: ClassVar = 56

    def start(self, key: Array) -> State:
        """Return the start with two corners taken.

        Two games in five, or more, are of full length.
        """
        first, second = jax.random.split(key)
        rounds = jax.random.randint(first, (), 2, 29)
        rounds = jnp.where(jax.random.uniform(second) < 0.4, 28, rounds)
        own, rival = np.zeros((2, *self.shape), bool)
        own[-2:, :2] = rival[:2, -2:] = True
        return {"own": jnp.array(own), "rival": jnp.array(rival), "left": 2 * rounds}

    def step(self, state: State, move: Array) -> Step:
        """Return the result of a mark on cell *move*: position after it, reward, and end."""
        stone = self.stone(move)
        wide = jnp.pad(stone, 1)
        beside = wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
        gained = beside & state["rival"]
        own, rival, left = (
            state["own"] | stone | gained,
            state["rival"] & ~gained,
            state["left"] - 1,
        )
        ahead = (own.sum() - rival.sum()).astype(jnp.float32)
        end = jnp.stack([adjacency.utility(ahead), ahead / adjacency.UTILITY_UNIT])
        after = {"own": rival, "rival": own, "left": left}
        return Step(after, jnp.where(left <= 0, end, 0.0), left <= 0, jnp.bool_(False))

    def image(self, state: State) -> Array:
        """Return the input planes of the net, as the game's `support.image` does."""
        return adjacency.image(state["own"], state["rival"], state["left"])


class Dots:
    """Dots and Boxes on squares of 2x2 to 5x5 boxes, mostly 4x4 and 5x5, for training."""

    shape: ClassVar = (6, 6)
    outputs: ClassVar = 2
    unit: ClassVar = dots.UTILITY_UNIT
    moves: ClassVar = 72
    plies: ClassVar = 60
    symmetries: ClassVar = 8
    often = (5, 5, 5, 5, 4, 4, 4, 3, 2)

    def __init__(self) -> None:
        self.sources = jnp.array(
            [[self._source(side, way) for way in range(8)] for side in range(6)]
        )

    def _source(self, side: int, way: int) -> list[int]:
        """Return the source line of each line of a board turned in way *way* (0 to 7).

        *side* is the number of boxes a side.
        """

        def image(dot: tuple[int, int]) -> tuple[int, int]:
            """Return the dot that a dot comes from."""
            row, column = dot[::-1] if way & 1 else dot
            return (side - row if way & 2 else row, side - column if way & 4 else column)

        ends = [
            ((row, column), (row + kind, column + 1 - kind))
            for row in range(6)
            for column in range(6)
            for kind in (0, 1)
        ]
        lines = {frozenset(both): place for place, both in enumerate(ends)}
        found = []
        for place, both in enumerate(ends):
            on_board = max(each for dot in both for each in dot) <= side
            found.append(lines[frozenset(map(image, both))] if on_board else place)
        return found

    def start(self, key: Array) -> State:
        """Return an empty board of a random size; *key* is the random state."""
        side = jax.random.choice(key, jnp.array(self.often))
        return {"drawn": jnp.zeros((*self.shape, 2), bool), "side": side}

    def _lines(self, side: Array) -> Array:
        """Return the mask of the lines that belong to a board of *side* boxes a side."""
        rows, columns = jnp.arange(6)[:, None], jnp.arange(6)[None]
        across = (rows <= side) & (columns < side)
        return jnp.stack([across, across.T], -1)

    def legal(self, state: State) -> Array:
        """Return a mask of the legal moves, one truth value for each line."""
        return (self._lines(state["side"]) & ~state["drawn"]).reshape(-1)

    def step(self, state: State, move: Array) -> Step:
        """Return the result of drawing line *move*: position after it, reward, and end."""
        line = (jnp.arange(self.moves) == move).reshape(*self.shape, 2)
        drawn = state["drawn"] | line
        won = (dots.sides(drawn) == 4).sum() - (dots.sides(state["drawn"]) == 4).sum()
        over = ~(self._lines(state["side"]) & ~drawn).any()
        reward = jnp.stack([won, won]).astype(jnp.float32) / dots.UTILITY_UNIT
        return Step(state | {"drawn": drawn}, reward, over, won > 0)

    def image(self, state: State) -> Array:
        """Return the input planes of the net, as the game's `support.image` does."""
        rows, columns = jnp.arange(6)[:, None], jnp.arange(6)[None]
        boxes = (rows < state["side"]) & (columns < state["side"])
        lines = self._lines(state["side"])
        return dots.image(state["drawn"], self.board(state), boxes, lines)

    def board(self, state: State) -> Array:
        """Return the boolean plane of the dots that belong to the board."""
        rows, columns = jnp.arange(6)[:, None], jnp.arange(6)[None]
        return (rows <= state["side"]) & (columns <= state["side"])

    def places(self, state: State) -> Array:
        """Return the index of each move in the policy: its own number."""
        return jnp.arange(self.moves)

    def turn(self, state: State, weights: Array, symmetry: Array) -> tuple[State, Array]:
        """Return the position turned in way *symmetry* (0 to 7), and the *weights* of its moves."""
        source = self.sources[state["side"], symmetry]
        drawn = state["drawn"].reshape(-1)[source].reshape(state["drawn"].shape)
        return state | {"drawn": drawn}, weights[source]


BOARDS: dict[str, Any] = {
    "connect4": Connect4,
    "adjacency": Adjacency,
    "dots": Dots,
    "tictactoe": lambda: TicTacToe(3, 3),
    "gomoku": lambda: TicTacToe(15, 5),
}
"""The boards by the name of their net."""
