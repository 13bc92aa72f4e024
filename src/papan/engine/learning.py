"""Self-play learning of value tables (an n-tuple network), compiled.

A board is cut into strips of cells (`papan.core.Strips`). A group is some of the strips with a
table: a number for each way to fill them. The value of a position for the seat to move is the tanh
of the sum over all groups and their mirror images: from -1 to 1. Boards are those of
`papan.engine.board` whose words are the marks of the seat to move, its rival's, and the turn.
"""

from __future__ import annotations

from math import tanh
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.engine.board import legal, margin, over, play, turn
from papan.engine.control import Words
from papan.engine.native import ONE, SPLIT, Word, load_word, native, signed, splitmix, words_at

MOST_LEARNING_PLIES = 65
"""Room for the boards of one game: a ply for each of 64 cells, and one more."""
CHANCES = float(1 << 32)
"""How many different numbers `random_fraction` returns."""


class Tables(NamedTuple):
    """The learned tables of numbers, and how they cut a board into strips."""

    groups: Words
    """The numbers of strips, an array (groups, images of each, strips of each)."""
    numbers: NDArray[np.float32]
    """An array (groups, ways): a number for each way to fill a group's strips, see `entry`."""
    cells: int
    """Cells in a strip."""
    falls: bool
    """True if marks fall to the first empty cell of a strip."""


class Practice(NamedTuple):
    """Settings of self-play and of learning from it: rates and probabilities."""

    step: float
    """Learning rate: the part of the error by which each number is corrected."""
    exploration: float
    """Probability that a move is random."""
    random_games: float
    """Probability that all moves of a game are random, so that unlikely positions are
    learned too.
    """
    discount: float
    """Factor per ply on the value of what follows: a win is better sooner."""


@native()
def practise(  # noqa: PLR0913
    rules: Any, start: Any, tables: Tables, practice: Practice, random_state: Words, games: int
) -> tuple[float, int]:
    """Play *games* of self-play and learn; return the sum of squared errors and the number of them.

    There is one error for each ply of each game: that of the value, from -1 to 1, of the position
    before it, which is corrected towards `discount` times the value of its `best` move. *practice*
    has the rates. Each game starts from *start*, a board of at most 64 cells (not checked). The
    numbers of *tables* are changed in place, and the *random_state*, an array of one word, is
    advanced.
    """
    room, boards = (
        np.zeros(MOST_LEARNING_PLIES, np.uint64),
        np.zeros((MOST_LEARNING_PLIES, 4), np.uint64),
    )
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
    """Play a game of self-play from *start* and record its boards; return its number of plies.

    It plays the `best` move by *tables*, or a random one as often as *practice* says. *memory* is a
    pair: the array (plies, 4) that the board before each move is written to, and the address of a
    buffer of words for moves; room in both is not checked. The *random_state* is advanced; *tables*
    are not changed.
    """
    boards, moves = memory
    often = 1.0 if random_fraction(random_state) < practice.random_games else practice.exploration
    board, plies = start, 0
    while not over(rules, board):
        for word in range(4):
            boards[plies, word] = board[word]
        plies += 1
        if random_fraction(random_state) < often:
            count = legal(rules, board, words_at(moves), 0)
            move = load_word(words_at(moves), signed(random_fraction(random_state) * count))
        else:
            move, _ = best(rules, board, tables, moves)
        board = play(rules, board, signed(move))
    return plies


@native()
def best(rules: Any, board: Any, tables: Tables, moves: int) -> tuple[Word, float]:
    """Return the move with the highest value for the seat to move, and that value (-1 to 1).

    The value is that of *tables* after the move, or the margin, in points for that seat, where the
    move ends the game; of equal moves the first. *moves* is the address of a buffer of words, which
    gets the legal moves. Without any, return 0 and -2.0.
    """
    words, side = words_at(moves), turn(rules, board)
    chosen, most = Word(0), -2.0
    for place in range(legal(rules, board, words, 0)):
        move = load_word(words, place)
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
    """Add *step* * error to each number behind the value of *board*; return the squared error.

    The error is *target* less the value before; both are from -1 to 1, for the seat to move. There
    is a number in *tables* for each group and image, changed in place; one that serves two images
    is changed twice.
    """
    error = target - expected(tables, board)
    for group in range(tables.groups.shape[0]):
        for image in range(tables.groups.shape[1]):
            tables.numbers[group, entry(tables, group, image, board)] += step * error
    return error * error


@native()
def expected(tables: Tables, board: Any) -> float:
    """Return the value of a board for the seat to move, -1 to 1: tanh of the sum of its numbers.

    It has one in *tables* for each group and image, at the index that `entry` returns.
    """
    total = 0.0
    for group in range(tables.groups.shape[0]):
        for image in range(tables.groups.shape[1]):
            total += tables.numbers[group, entry(tables, group, image, board)]
    return tanh(total)


@native()
def entry(tables: Tables, group: int, image: int, board: Any) -> int:
    """Return the index into the table of *group* for its mirror image number *image* on *board*.

    In binary, highest bits first: the turn, then a code for each of the group's strips, with
    `cells` bits for the marks of the seat to move and as many for its rival's. Where marks fall,
    the code has `cells` + 1 bits: a one above the highest mark, and below it a bit for each mark, 1
    for those of the seat to move. The words of *board* are as in the module's text.
    """
    cells, index = Word(tables.cells), board[2]
    mask = (ONE << cells) - ONE
    for place in range(tables.groups.shape[2]):
        shift = tables.groups[group, image, place] * cells
        own, rival = board[0] >> shift & mask, board[1] >> shift & mask
        if tables.falls:  # a one above the marks encodes their number
            index = index << cells + ONE | own + (own | rival) + ONE
        else:
            index = index << cells + cells | own << cells | rival
    return signed(index)


@native()
def random_fraction(random_state: Words) -> float:
    """Return a random number from 0 (included) to 1 (excluded), a multiple of 1 / `CHANCES`.

    The random state, the first word of *random_state*, is advanced.
    """
    random_state[0] += SPLIT
    return signed(splitmix(random_state[0]) >> Word(32)) / CHANCES
