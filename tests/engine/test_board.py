"""The compiled rules of each game say what the plain rules say, wherever a random game leads."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import papan
from papan.catalog import GAMES
from papan.core import Game, Native, Position, learned_patterns, margin, native_form
from papan.core.parts import Card, Support
from papan.engine import board as ask
from papan.engine.native import native, words_at
from tests.agents.definition import NoisyTicTacToe, plain

SPECS = [
    "tictactoe",
    "tictactoe:2,5,3",
    "tictactoe:8,8,3",
    "tictactoe:8,8,8",
    "connect4",
    "connect4:4,4",
    "connect4:7,9",
    "connect4:8,8",
    "dots:1,1",
    "dots:3,3",
    "dots:5,5",
    "adjacency",
    "adjacency:4,15,20",
    "adjacency:5,6,7,first=o",
    "onet:6,12",
    "onet:2,4,2",
    "onet:9,16,30,4",
    "connect4:7,10",
]
LARGE = [
    "tictactoe:15,15,5",
    "tictactoe:4,15,9",
    "connect4:8,10",
    "dots:6,6",
    "dots:11,12",
    "adjacency:9,9,10",
    "adjacency:15,15,50",
    "onet:16,17",
    "onet:10,12,1",
]


def rules_that_say(answer: float) -> Any:
    """Rules that differ from others of their name only in what they answer."""

    class Rules(NamedTuple):
        most: int

    @ask.answers(ask.margin, Rules)
    def margin(rules, board, seat):
        return answer

    return ask.for_kernels(Rules(3))


@native()
def margin_by(rules):
    return ask.margin(rules, (np.uint64(0),), 0)


def test_t35_games_whose_rules_have_one_name_are_told_apart() -> None:
    """Two students had called theirs `Rules`, as the page does: one was played by the other's."""
    one, two = map(rules_that_say, (1.0, 2.0))
    assert (margin_by(one), margin_by(two)) == (1.0, 2.0)


@native()
def quick_search(rules, board, moves):
    """All that the rules tell of a board."""
    count = ask.legal(rules, board, words_at(moves.ctypes.data), 0)
    ahead = ask.margin(rules, board, 0), ask.margin(rules, board, 1)
    guess = ask.evaluate(rules, board, 0), ask.evaluate(rules, board, 1)
    return count, ask.turn(rules, board), ask.over(rules, board), ahead, guess


@native()
def after(rules, board, move):
    """The board after a move."""
    return ask.play(rules, board, move)


def words(board: Any) -> list[int]:
    return [int(word) for word in board]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spec", [*SPECS, *(pytest.param(spec, marks=pytest.mark.slow) for spec in LARGE)]
)
def test_compiled_rules_are_the_plain_rules(spec: str) -> None:
    for seed in range(4):
        follow(
            papan.position(spec),
            seed,
            native_form,
            lambda it, seat: Support.of(it.game).evaluate(it, seat),
        )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spec", ["connect4", "connect4:7,10", "tictactoe:7,8,5", "adjacency:8,8,9"]
)
def test_learned_patterns_are_kept_up_as_the_plain_twin_counts_them(spec: str) -> None:
    patterns = learned_patterns(papan.game(spec))
    assert patterns is not None

    def guess(position: Position, seat: int) -> float:
        value = patterns.evaluate(position)
        return value if seat == position.turn else -value

    for seed in range(2):
        follow(papan.position(spec), seed, patterns.native, guess)


def follow(
    start: Position,
    seed: int,
    form_of: Callable[[Position], Native | None],
    guess_of: Callable[[Position, int], float],
) -> None:
    """A random game, in which the compiled rules say what the plain ones say."""
    rng, position = random.Random(f"{start} {seed}"), start
    form = form_of(start)
    assert form is not None
    board: Any = form.board
    moves = np.zeros(form.widest + 1, np.uint64)
    for ply in range(form.deepest + 1):
        count, turn, over, ahead, guess = quick_search(form.rules, board, moves)
        legal = position.moves()
        assert moves[:count].tolist() == legal
        assert (turn, over) == (position.turn, not legal)
        seats = range(position.game.seats)
        assert ahead[: len(seats)] == tuple(margin(position, seat) for seat in seats)
        if over:
            break
        guesses = tuple(guess_of(position, seat) for seat in seats)
        assert guess[: len(seats)] == guesses
        again = form_of(position)
        assert again is not None
        assert words(again.board) == words(board)
        assert len(legal) <= again.widest <= form.widest
        assert again.deepest <= form.deepest - ply
        move = rng.choice(legal)
        position = position.child(move)
        board = tuple(map(np.uint64, after(form.rules, board, move)))
    assert not position.moves()


@pytest.mark.parametrize("spec", ["onet:4,4,rule=paper", "onet:4,4,gravity=down"])
def test_other_rules_have_no_compiled_form(spec: str) -> None:
    assert native_form(papan.position(spec)) is None


LARGEST = [
    "tictactoe:15,15,15",
    "tictactoe:1,15,15",
    "connect4:8,10",
    "dots:25,25",
    "dots:1,25",
    "adjacency:15,15,108",
    "onet:16,30",
    "onet:16,30,1",
]
PRESETS = [preset for game in GAMES.values() for preset in Card.of(game()).presets]


@pytest.mark.parametrize("spec", [*GAMES, *PRESETS, *LARGEST])
def test_u08_every_size_that_people_can_choose_has_a_compiled_form(spec: str) -> None:
    assert native_form(papan.position(spec)) is not None


@pytest.mark.parametrize("game", [NoisyTicTacToe(), plain(papan.position("dots")).game], ids=str)
def test_a_game_derived_from_another_does_not_inherit_its_compiled_rules(game: Game) -> None:
    start: Position = game.start()
    assert native_form(start) is None


def test_keys_tell_boards_apart() -> None:
    rng = random.Random(1)
    boards = {tuple(rng.getrandbits(2) for _ in range(4)) for _ in range(200)}
    keys = {ask.key(tuple(map(np.uint64, board))) for board in boards}
    assert len(keys) == len(boards) > 100
