"""A simple beginner, to measure levels by: wins if it can, blocks if it must, else near the centre.

Where boxes or marks are counted, it takes the most that it can, and gives the least away.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from papan.core import Game, Move, Position
from papan.games.connect4 import Connect4
from papan.games.dots import Dots


def beginner_move(position: Position, rng: random.Random) -> Move:
    """The first move by what it wins, then what it prevents, then how central it is."""
    return max(
        position.moves(),
        key=lambda move: (*_merit(position, move), -_distance(position.game, move), rng.random()),
    )


def _merit(position: Position, move: Move) -> tuple[float, float]:
    """What a move gains at once, and what it keeps the rival from."""
    seat, rival = position.turn, 1 - position.turn
    child = position.child(move)
    gain = child.scores()[seat] - position.scores()[seat]
    if position.game.largest_margin > 1:
        return gain, -_most_to_take(child, rival)
    waiting: Any = position
    theirs = replace(waiting, turn=rival).child(move)
    return gain, theirs.scores()[rival] - position.scores()[rival]


def _most_to_take(position: Position, seat: int) -> float:
    """The most boxes or marks that *seat* gets with its next move."""
    if position.turn != seat:
        return 0
    before = position.scores()[seat]
    return max(
        (position.child(each).scores()[seat] - before for each in position.moves()), default=0
    )


def _distance(game: Game, move: Move) -> float:
    """How far a move is from the centre of the board, along the longer way."""
    board: Any = game
    if isinstance(game, Connect4):
        return float(abs(2 * move + 1 - board.columns))
    if isinstance(game, Dots):
        return 0.0
    row, column = divmod(move, board.columns)
    return float(max(abs(2 * row + 1 - board.rows), abs(2 * column + 1 - board.columns)))


def beginners_score(level: Any, game: Game, games: int) -> float:
    """The share of the points that the beginner has against a level, in both seats by turns."""
    points = 0.0
    for number in range(games):
        position, rng, seat = game.start(), random.Random(number), number % 2
        agent = replace(level, seed=number + 1)
        while position.moves():
            own = position.turn == seat
            move = beginner_move(position, rng) if own else agent.analyse(position).move
            position = position.child(move)
        ahead = position.scores()[seat] - position.scores()[1 - seat]
        points += 0.5 if ahead == 0 else float(ahead > 0)
    return points / games
