"""Tables that learn, compiled: games of a player with itself, and what it learns from each.

A board is cut into strips of cells (`papan.core.Strips`). A group is some of the strips with a
table: a number for each way to fill them. What is expected of a position is the sum over all groups
and their mirror images, as a number between -1 and 1 (an n-tuple network). Boards are those of
`papan.engine.board` whose words are the marks of the seat to move, its rival's, and the turn.
"""

from __future__ import annotations

from math import tanh
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.engine.board import legal, margin, over, play, turn
from papan.engine.control import Words
from papan.engine.native import ONE, SPLIT, Word, load, native, signed, splitmix, words_at

U = np.uint64
MOST_PLIES = 65
CHANCES = float(1 << 32)


class Tables(NamedTuple):
    """What a player has learned."""

    groups: Words
    """For each group and each of its images, the numbers of the strips."""
    numbers: NDArray[np.float32]
    """For each group, what each way to fill its strips adds, by the turn."""
    cells: int
    """Of a strip."""
    falls: bool
    """Do marks fall to the first empty cell of a strip?"""


class Practice(NamedTuple):
    """How games are played, and how much is learned from them."""

    step: float
    """How far a number moves towards what would have been right."""
    exploration: float
    """How often a move is just any move."""
    random_games: float
    """How often all moves of a game are: a player is also asked what nobody would play."""
    discount: float
    """How much of a result is left a ply earlier: a win is better soon."""


@native()
def practise(  # noqa: PLR0913
    rules: Any, start: Any, tables: Tables, practice: Practice, random_state: Words, games: int
) -> tuple[float, int]:
    """Play games and learn from each; the sum of all errors squared, and of how many positions."""
    room, boards = np.zeros(MOST_PLIES, np.uint64), np.zeros((MOST_PLIES, 4), np.uint64)
    moves = room.ctypes.data
    loss, positions = 0.0, 0
    for _ in range(games):
        plies = play_game(rules, start, tables, practice, random_state, (boards, moves))
        positions += plies
        for ply in range(plies - 1, -1, -1):  # from the end to the start: results travel at once
            board = (boards[ply, 0], boards[ply, 1], boards[ply, 2], boards[ply, 3])
            _, value = best(rules, board, tables, moves)
            loss += correct(tables, board, practice.step, practice.discount * value)
    return loss, positions


@native()
def play_game(  # noqa: PLR0913
    rules: Any, start: Any, tables: Tables, practice: Practice, random_state: Words, memory: Any
) -> int:
    """Play a game, and write down its boards; how many plies it had."""
    boards, moves = memory
    often = 1.0 if chance(random_state) < practice.random_games else practice.exploration
    board, plies = start, 0
    while not over(rules, board):
        for word in range(4):
            boards[plies, word] = board[word]
        plies += 1
        if chance(random_state) < often:
            count = legal(rules, board, words_at(moves), 0)
            move = load(words_at(moves), signed(chance(random_state) * count))
        else:
            move, _ = best(rules, board, tables, moves)
        board = play(rules, board, signed(move))
    return plies


@native()
def best(rules: Any, board: Any, tables: Tables, moves: int) -> tuple[Word, float]:
    """The move that looks best, and what is expected of it; *moves* is the address of room."""
    words, side = words_at(moves), turn(rules, board)
    chosen, most = U(0), -2.0
    for place in range(legal(rules, board, words, 0)):
        move = load(words, place)
        child = play(rules, board, signed(move))
        mine = turn(rules, child) == side
        if over(rules, child):
            value = margin(rules, child, side)
        else:
            value = expected(tables, child) if mine else -expected(tables, child)
        if value > most:
            chosen, most = move, value
    return chosen, most


@native()
def correct(tables: Tables, board: Any, step: float, target: float) -> float:
    """Move what is expected of a position towards *target*; how far off it was, squared."""
    error = target - expected(tables, board)
    for group in range(tables.groups.shape[0]):
        for image in range(tables.groups.shape[1]):
            tables.numbers[group, entry(tables, group, image, board)] += step * error
    return error * error


@native()
def expected(tables: Tables, board: Any) -> float:
    """What the seat to move expects, from -1 to 1."""
    total = 0.0
    for group in range(tables.groups.shape[0]):
        for image in range(tables.groups.shape[1]):
            total += tables.numbers[group, entry(tables, group, image, board)]
    return tanh(total)


@native()
def entry(tables: Tables, group: int, image: int, board: Any) -> int:
    """Which number of a group's table is meant."""
    cells, index = U(tables.cells), board[2]
    mask = (ONE << cells) - ONE
    for place in range(tables.groups.shape[2]):
        shift = tables.groups[group, image, place] * cells
        own, rival = board[0] >> shift & mask, board[1] >> shift & mask
        if tables.falls:  # a one above the marks tells how many there are
            index = index << cells + ONE | own + (own | rival) + ONE
        else:
            index = index << cells + cells | own << cells | rival
    return signed(index)


@native()
def chance(random_state: Words) -> float:
    """A number from 0 on and below 1."""
    random_state[0] += SPLIT
    return signed(splitmix(random_state[0]) >> U(32)) / CHANCES
