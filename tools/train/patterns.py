"""Learn the patterns of alpha-beta by self-play on one core: ``tools.train.patterns BOARD``.

A player that looks one or two plies ahead plays against itself, from random openings, and makes
some moves at random, so that it also learns from positions that good play avoids. The estimate of a
position moves towards a mean of the search's value and of the values after it (TD learning); each
weight has a learning rate of its own (Adagrad). Between two chunks of games the weights that play
become those that were learned. The same seed and games make the same weights.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from inspect import getfile
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.core import Game, Native
from papan.engine.board import evaluate, legal, margin, over, play, turn, weights, with_word
from papan.engine.learning import random_fraction
from papan.engine.native import ONE, Word, load_word, native, signed, words_at
from papan.engine.patterns import PatternWeights
from papan.games.adjacency.kernel_patterns import AdjacencyPatterns
from papan.games.adjacency.rules import Adjacency
from papan.games.connect4 import kernel_state as connect4_state
from papan.games.connect4.rules import Connect4
from papan.games.tictactoe import kernel_state as tictactoe_state
from papan.games.tictactoe.rules import TicTacToe

MOST_MOVES, MOST_WEIGHTS = 4096, 4096
"""Sizes of the arrays for the moves of two plies, and for the weights of one position."""
CHUNKS = 20

Learned: TypeAlias = NDArray[np.float64]
"""Two numbers per weight: its value, and the sum of its squared gradients."""


@dataclass(frozen=True)
class Plan:
    """All settings of a training of patterns: games, search, exploration, learning."""

    games: int
    rate: float = 0.05
    """Learning rate: the first step of a weight per unit of gradient."""
    trust: float = 0.7
    """Weight of later positions against the search's value (lambda), 0 to 1."""
    opening: int = 8
    """Maximum number of random plies before a game."""
    exploration: float = 0.5
    """Maximum probability of a random move; it varies between games."""
    plies: int = 2
    """Search depth in plies: 1 or 2."""
    doubt: float = 1.0
    """Initial sum of squared gradients of each weight; a greater one slows its first steps."""
    discount: float = 0.99
    """Maximum value of an estimate, as a share of a proved win; makes earlier wins better."""
    seed: int = 1


class Practice(NamedTuple):
    """The settings of a plan that the kernel uses, as a named tuple."""

    rate: float
    trust: float
    opening: int
    exploration: float
    plies: int
    squashed: bool
    """True if estimates are between -1 and 1."""


class Memory(NamedTuple):
    """Working memory for one game, and for learning from one position."""

    boards: NDArray[np.uint64]
    values: PatternWeights
    """Value of the search on each board; *explored*: whether the move there was random."""
    explored: NDArray[np.bool_]
    moves: int
    found: int
    """Addresses of the arrays for moves and for the indices of weights."""
    counts: PatternWeights
    """Number of times each weight counts in a position; 0 between two positions."""


class Board(NamedTuple):
    """A board that is trained: its patterns, and the games that begin there."""

    patterns: Any
    prior: PatternWeights
    """Initial weights."""
    games: tuple[Game, ...]
    plan: Plan
    squashed: bool = True

    @property
    def folder(self) -> Path:
        """The folder of its weights: that of the game's module."""
        return Path(getfile(type(self.games[0]))).parent


def boards() -> dict[str, Board]:
    """Return the boards that can be trained, by the name of their weights."""
    found = {}
    for rows, columns in ((6, 7), (7, 8), (7, 9), (7, 10)):
        game = Connect4(rows, columns)
        patterns = connect4_state.new_connect4_patterns(game)
        found[f"{rows}x{columns}"] = Board(
            patterns, patterns.prior(game.growth), (game,), Plan(games=30_000)
        )
    five = TicTacToe(15, 15, 5)
    patterns = tictactoe_state.new_tictactoe_patterns(five)
    plan = Plan(games=8_000, plies=1)
    found["5"] = Board(patterns, patterns.prior(five.growth), (five,), plan)
    rounds = (28, 28, 28, 22, 16, 16, 12, 8, 8, 5, 3)
    starts = tuple(Adjacency(rounds=each) for each in rounds)
    plan = Plan(games=40_000, rate=0.02, opening=16, doubt=10.0)
    squares = AdjacencyPatterns()
    found["8x8"] = Board(squares, squares.prior(), starts, plan, squashed=False)
    return found


@native()
def one_ply(rules: Any, board: Any, moves: int, first: int, enough: float) -> tuple[Word, float]:
    """Return the best move one ply ahead and its value for the seat to move.

    Any move worth *enough* ends the search. Moves are written to the buffer at address *moves*,
    from index *first* on.
    """
    words, side = words_at(moves), turn(rules, board)
    chosen, best = Word(0), -np.inf
    for place in range(legal(rules, board, words, first)):
        move = load_word(words, first + place)
        child = play(rules, board, signed(move))
        ended = over(rules, child)
        value = margin(rules, child, side) if ended else evaluate(rules, child, side)
        if value > best:
            chosen, best = move, value
            if best >= enough:
                break
    return chosen, best


@native()
def two_plies(rules: Any, board: Any, moves: int) -> tuple[Word, float]:
    """Return the best move two plies ahead and its value, for the seat to move.

    The second ply is the rival's answer. *moves* is the address of a buffer.
    """
    words, side = words_at(moves), turn(rules, board)
    chosen, best, count = Word(0), -np.inf, legal(rules, board, words, 0)
    for place in range(count):
        move = load_word(words, place)
        child = play(rules, board, signed(move))
        if over(rules, child):
            value = margin(rules, child, side)
        else:
            value = -one_ply(rules, child, moves, count, -best)[1]
        if value > best:
            chosen, best = move, value
    return chosen, best


@native()
def restored(start: Any, words: NDArray[np.uint64]) -> Any:
    """Return the board that was written as *words*; *start* is any board of the game."""
    board = start
    for word in range(len(start)):
        board = with_word(board, word, words[word])
    return board


@native()
def play_game(
    rules: Any, board: Any, practice: Practice, random_state: NDArray[np.uint64], memory: Memory
) -> Any:
    """Play a game, record it after its opening; return its recorded plies and last board."""
    often = practice.exploration * random_fraction(random_state) ** 2
    opening = signed(random_fraction(random_state) * (practice.opening + 1))
    plies, made, move = 0, 0, Word(0)
    while not over(rules, board):
        explored = made < opening or random_fraction(random_state) < often
        if made >= opening:
            for word in range(len(board)):
                memory.boards[plies, word] = board[word]
            if practice.plies == 2:
                move, value = two_plies(rules, board, memory.moves)
            else:
                move, value = one_ply(rules, board, memory.moves, 0, np.inf)
            memory.values[plies], memory.explored[plies] = value, explored
            plies += 1
        if explored:
            count = legal(rules, board, words_at(memory.moves), 0)
            move = load_word(words_at(memory.moves), signed(random_fraction(random_state) * count))
        board = play(rules, board, signed(move))
        made += 1
    return plies, board


@native()
def correct(  # noqa: PLR0913
    rules: Any, board: Any, learned: Learned, practice: Practice, target: float, memory: Memory
) -> float:
    """Move the estimate of a board towards *target*; return the squared error before."""
    words, counts, total = words_at(memory.found), memory.counts, 0.0
    found = weights(rules, board, words, 0)
    for place in range(found):
        number, sign = signed(load_word(words, place) >> ONE), 1.0
        if load_word(words, place) & ONE:
            sign = -1.0
        total += sign * learned[0, number]
        counts[number] += sign
    error = target - (np.tanh(total) if practice.squashed else total)
    for place in range(found):
        number = signed(load_word(words, place) >> ONE)
        slope = counts[number] * error
        if slope != 0.0:
            learned[1, number] += slope * slope
            learned[0, number] += practice.rate * slope / np.sqrt(learned[1, number])
        counts[number] = 0.0
    return error * error


@native()
def practise(  # noqa: PLR0913
    rules: Any,
    starts: Any,
    learned: Learned,
    practice: Practice,
    random_state: NDArray[np.uint64],
    memory: Memory,
    games: int,
) -> tuple[float, int]:
    """Play *games* and learn from each; return the sum of squared errors, and of positions."""
    loss, positions = 0.0, 0
    for _ in range(games):
        begin = starts[signed(random_fraction(random_state) * len(starts))]
        plies, board = play_game(rules, begin, practice, random_state, memory)
        ahead = margin(rules, board, 0)
        for ply in range(plies - 1, -1, -1):  # from the end to the start: results travel at once
            board = restored(begin, memory.boards[ply])
            seat, value = turn(rules, board), memory.values[ply]
            later = value if memory.explored[ply] else -ahead if seat else ahead
            target = practice.trust * later + (1.0 - practice.trust) * value
            ahead = -target if seat else target
            loss += correct(rules, board, learned, practice, target, memory)
        positions += plies
    return loss, positions


def train(board: Board, plan: Plan) -> Iterator[tuple[Learned, float]]:
    """Yield the weights after each chunk of games, and the mean squared error in it."""
    patterns, chunk = board.patterns, plan.games // CHUNKS
    patterns.most = plan.discount
    learned: Learned = np.stack([board.prior, np.full(patterns.weight_count, plan.doubt)])
    random_state = np.array([plan.seed], np.uint64)
    chosen = plan.rate, plan.trust, plan.opening, plan.exploration, plan.plies
    practice = Practice(*chosen, board.squashed)
    moves, found = np.zeros(MOST_MOVES, np.uint64), np.zeros(MOST_WEIGHTS, np.uint64)
    for _ in range(CHUNKS):
        patterns.learn(learned[0])
        forms: list[Native] = [patterns.native(game.start()) for game in board.games]
        room = max(form.deepest for form in forms)
        memory = Memory(
            np.zeros((room, len(forms[0].board)), np.uint64),
            np.zeros(room),
            np.zeros(room, np.bool_),
            moves.ctypes.data,
            found.ctypes.data,
            np.zeros(patterns.weight_count),
        )
        starts = tuple(form.board for form in forms)
        loss, positions = practise(
            forms[0].rules, starts, learned, practice, random_state, memory, chunk
        )
        yield learned, loss / positions


def keep(board: Board, name: str, learned: Learned, story: dict[str, Any]) -> None:
    """Write the weights *learned* to their game's folder, and their story to its manifest."""
    file, manifest = (board.folder / f"patterns.{ending}" for ending in ("npz", "json"))
    kept = dict(np.load(file, allow_pickle=False)) if file.exists() else {}
    whole = np.rint(learned[0] * board.patterns.unit)
    kept[name] = np.clip(whole, -32_000, 32_000).astype(np.int16)
    content = BytesIO()
    np.savez_compressed(content, **{key: kept[key] for key in sorted(kept)})
    file.write_bytes(content.getvalue())
    known = json.loads(manifest.read_text("utf-8")) if manifest.exists() else {"boards": {}}
    known["boards"][name] = story
    known["sha256"] = hashlib.sha256(content.getvalue()).hexdigest()
    manifest.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")


def main() -> None:
    """Train one board, and write its weights."""
    known = boards()
    parser = argparse.ArgumentParser()
    parser.add_argument("board", choices=known)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    board = known[asked.board]
    changed = {"games": asked.games or board.plan.games, "seed": asked.seed}
    plan = Plan(**{**asdict(board.plan), **changed})
    began, losses = time.process_time(), list[float]()
    learned = np.zeros((2, 0))
    for learned, loss in train(board, plan):  # noqa: B007 - the last of them is kept
        losses.append(round(loss, 5))
        print(losses[-1], f"{time.process_time() - began:.0f} s", flush=True)
    story = {
        "script": f"python -m tools.train.patterns {asked.board}",
        "plan": asdict(plan),
        "seconds": round(time.process_time() - began, 1),
        "losses": losses,
    }
    keep(board, asked.board, learned, story)


if __name__ == "__main__":
    main()
