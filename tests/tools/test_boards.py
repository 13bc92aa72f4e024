"""The rules for training agree with the rules of the games; only where JAX is installed."""

import random
from typing import Any

import numpy as np
import pytest

import papan
from papan.core import Position, margin
from papan.core.parts import Support

jax: Any = pytest.importorskip("jax")

SIZES = {
    "connect4": ("connect4:6,7", "connect4:7,10", "connect4:4,5"),
    "tictactoe": ("tictactoe:3,3,3",),
    "gomoku": ("tictactoe:15,15,5",),
    "adjacency": ("adjacency:8,8,28", "adjacency:8,8,5"),
    "dots": ("dots:5,5", "dots:4,4", "dots:3,3"),
}


def start(board: Any, game: Any) -> dict[str, Any]:
    """The first position of a game in the array of a board for training."""
    state: dict[str, Any] = board.start(jax.random.PRNGKey(0))
    if "board" in state:
        cells = np.zeros(board.shape, bool)
        cells[: game.rows, : game.columns] = True
        state["board"] = jax.numpy.array(cells)
    if "left" in state:
        state["left"] = jax.numpy.int32(2 * game.rounds)
    if "side" in state:
        state["side"] = jax.numpy.int32(game.rows)
    return state


class Pair:
    """A game and its board for training, side by side."""

    def __init__(self, name: str, spec: str) -> None:
        from tools.train.boards import BOARDS

        self.board, self.position = BOARDS[name](), papan.position(spec)
        self.game, self.by_columns = self.position.game, name == "connect4"
        self.counts_boxes = name == "dots"
        self.state = start(self.board, self.game)
        self.image, self.legal = jax.jit(self.board.image), jax.jit(self.board.legal)
        self.places, self.step = jax.jit(self.board.places), jax.jit(self.board.step)
        self.turn = jax.jit(self.board.turn)

    def compare(self, symmetry: int) -> None:
        """Both see the same, and allow the same moves, turned or not."""
        planes = Support.of(self.game).planes(self.position)
        assert planes is not None
        height, width = planes.image.shape[:2]
        image = np.asarray(self.image(self.state))
        assert np.allclose(image[:height, :width], planes.image, atol=1e-6)
        assert not image[height:].any() and not image[:, width:].any()
        if planes.places:
            legal = np.asarray(self.legal(self.state))
            places = np.asarray(self.places(self.state))[legal]
            assert sorted(places) == sorted(map(self.place, planes.places))
            turned, moved = self.turn(self.state, jax.numpy.array(legal), symmetry)
            assert (np.asarray(self.legal(turned)) == np.asarray(moved)).all()

    def place(self, place: int) -> int:
        """The same place in the larger array."""
        planes = Support.of(self.game).planes(self.position)
        assert planes is not None
        cell, output = divmod(place, self.board.outputs)
        row, column = divmod(cell, planes.image.shape[1])
        return int((row * self.board.shape[1] + column) * self.board.outputs + output)

    def play(self, at: int) -> None:
        """Make the same move in both, which must win the same."""
        before, move = self.position, self.position.moves()[at]
        planes, after = Support.of(self.game).planes(before), before.child(move)
        ended = Support.of(self.game).planes(after)
        assert planes is not None and ended is not None
        step = self.step(self.state, move if self.by_columns else self.place(planes.places[at]))
        assert bool(step.over) == after.is_over
        assert after.is_over or bool(step.again) == (after.turn == before.turn)
        sign = 1 if after.turn == before.turn else -1
        won = self.margin_won(before, after)
        assert np.allclose(step.reward, [sign * ended.ahead - planes.ahead, won], atol=1e-5)
        self.position, self.state = after, step.state

    def margin_won(self, before: Position, after: Position) -> float:
        won = margin(after, before.turn) if after.is_over else 0.0
        if self.counts_boxes:
            won = margin(after, before.turn) - margin(before, before.turn)
        return won / float(self.board.unit)


@pytest.mark.parametrize(("name", "spec"), [(name, spec) for name in SIZES for spec in SIZES[name]])
def test_rules_for_training_are_those_of_the_game(name: str, spec: str) -> None:
    pair, rng = Pair(name, spec), random.Random(1)
    while not pair.position.is_over:
        pair.compare(rng.randrange(pair.board.symmetries))
        pair.play(rng.randrange(len(pair.position.moves())))
    pair.compare(0)
