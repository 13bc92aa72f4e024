"""Marks in a row: which lines are complete, and what the others promise.

First for at most 64 cells: each line is a word with a bit for each of its cells, at most 8, and all
lies on one array of words. Then for boards of any size.
"""

from __future__ import annotations

from functools import lru_cache
from math import tanh
from typing import Any, NamedTuple, Self

import numpy as np

from papan.core import Native
from papan.core.marks import LineGame, LinePosition, open_lines
from papan.engine import board as ask
from papan.engine.board import Board, answers, has, packed, with_cell
from papan.engine.control import Words
from papan.engine.native import ONE, ZERO, Word, load, native, popcount, signed, store, words_at

U = np.uint64
THREE, BYTE = U(3), U(255)
MOST_IN_LINE = 8
"""How many cells a line has at most, so that numbers of open lines fit into the bytes of a word."""

LINE_COUNT, GAINS = 0, 1
"""The first words: how many lines there are; what a line is worth with so many marks."""
THROUGH = GAINS + MOST_IN_LINE
"""For each cell where its lines begin; the next word says where they end."""
LINES = THROUGH + 65


class Rules(NamedTuple):
    """What the rules of every game of marks in a row look up.

    Those of smaller boards derive from it, each by a name of its own: Numba tells compiled code
    apart by the names of types and of what they hold.
    """

    lines: Words
    """See `lay_out`; on a larger board how many marks a line has, what it is worth with so many,
    for each cell where its lines begin and then where the last ones end, and these lines, four
    words each."""
    cells: int
    column: int
    """How many cells a column has that marks fall down; 0: they stay where they are put."""
    full: float
    """What a full line is worth."""
    most: float
    """What an estimate is at most."""

    @classmethod
    def of(cls, game: LineGame, lines: Words) -> Self:
        """The rules of a game that has these *lines*."""
        column = game.strip if game.move_count < game.grid.size else 0
        return cls(lines, game.grid.size, column, game.full_line, game.most)


@lru_cache(maxsize=16)
def lay_out(game: LineGame) -> Words:
    """The words for the lines of a game: each mark makes one better."""
    lines, growth = [game.without_gaps(line) for line in game.lines], int(game.growth)
    through = [[line for line in lines if line >> cell & 1] for cell in range(64)]
    begins = np.cumsum([len(lines), *map(len, through)]) + LINES
    gains = [0, *(growth**marks for marks in range(1, MOST_IN_LINE))]
    own = [line for cell in through for line in cell]
    return np.array([len(lines), *gains, *begins.tolist(), *lines, *own], dtype=np.uint64)


@native(inline=True)
def completes(words: Words, marks: Word, cell: int) -> Word:
    """Is one of the lines through *cell* all *marks*?"""
    for at in range(words[THROUGH + cell], words[THROUGH + cell + 1]):
        if words[at] & ~marks == ZERO:
            return ONE
    return ZERO


@native(inline=True)
def line_balance(words: Words, own: Word, rival: Word) -> np.int64:
    """What the lines with marks of one side alone are worth: those of *own* less the *rival*'s."""
    at, lines = words_at(words.ctypes.data), np.int64(LINES)
    open_own = open_rival = ZERO  # how many lines with so many marks: a byte for each number
    for line in range(lines, lines + np.int64(words[LINE_COUNT])):
        mine, theirs = popcount(load(at, line) & own), popcount(load(at, line) & rival)
        open_own += (ONE if theirs == ZERO else ZERO) << (mine << THREE)
        open_rival += (ONE if mine == ZERO else ZERO) << (theirs << THREE)
    total = np.int64(0)
    for marks in range(1, MOST_IN_LINE):
        shift = U(marks) << THREE
        more = np.int64(open_own >> shift & BYTE) - np.int64(open_rival >> shift & BYTE)
        total += more * np.int64(words[GAINS + marks])
    return total


def answer_alike(rules: type) -> None:
    """Answer for the *rules* of a game what does not depend on where marks may be put.

    Its boards are the marks of the seat to move, those of its rival, the turn, and whether a line
    is full.
    """
    answers(ask.turn, rules)(small_turn)
    answers(ask.over, rules)(small_over)
    answers(ask.margin, rules)(small_margin)
    answers(ask.evaluate, rules)(small_evaluate)


def small_turn(rules: Rules, board: Board) -> int:
    return signed(board[2])


def small_over(rules: Rules, board: Board) -> bool:
    full = ~(board[0] | board[1]) << U(64 - rules.cells) == ZERO
    return bool(full or board[3] != ZERO)


def small_margin(rules: Rules, board: Board, seat: int) -> float:
    won = float(board[3])
    return -won if seat == signed(board[2]) else won


def small_evaluate(rules: Rules, board: Board, seat: int) -> float:
    balance = line_balance(rules.lines, board[0], board[1])
    return rules.most * tanh((balance if seat == signed(board[2]) else -balance) / rules.full)


# On larger boards, and with longer lines: what the lines promise is kept as marks are made.
# A board is four words for the marks of each seat, the turn, whether a line is full, what the lines
# promise the first seat, and how many cells are empty.

SECOND, TURN, FULL, PROMISE, EMPTY = 4, 8, 9, 10, 11
MOST_IN_WIDE_LINE, MOST_CELLS = 16, 256
WIDE_THROUGH = GAINS + MOST_IN_WIDE_LINE
WIDE_LINES = WIDE_THROUGH + MOST_CELLS + 1


@lru_cache(maxsize=8)
def wide_rules(game: LineGame) -> Rules:
    """The rules of a larger board."""
    lines = [game.without_gaps(line) for line in game.lines]
    through = [[line for line in lines if line >> cell & 1] for cell in range(MOST_CELLS)]
    begins = WIDE_LINES + 4 * np.cumsum([0, *map(len, through)])
    gains = [0, *(int(game.growth) ** marks for marks in range(1, MOST_IN_WIDE_LINE))]
    masks = [word for cell in through for line in cell for word in packed(line, 4)]
    length = lines[0].bit_count()
    words = np.array([length, *gains, *begins.tolist(), *masks], dtype=np.uint64)
    return Rules.of(game, words)


def form(position: LinePosition, small: type[Rules]) -> Native:
    """A position that is not over, for the shared searches; *small* boards have these rules."""
    game, turn = position.game, position.turn
    first, second = position.without_gaps()
    left = game.grid.size - position.taken.bit_count()
    widest = min(game.move_count, left)
    if game.grid.size > 64 or game.lines[0].bit_count() > MOST_IN_LINE:
        promise = open_lines(game.lines, *position.marks, game.growth)
        facts = (turn, 0, int(promise) % 2**64, left)
        words = (*packed(first, 4), *packed(second, 4), *map(U, facts))
        return Native(wide_rules(game), words, widest, left)
    own, rival = (second, first) if turn else (first, second)
    board = U(own), U(rival), U(turn), ZERO
    return Native(small.of(game, lay_out(game)), board, widest, left)


@native(inline=True)
def taken(board: Board, cell: Word) -> bool:
    """Is there a mark on a cell?"""
    return has(board, 0, cell) or has(board, SECOND, cell)


@native()
def marked(words: Words, board: Board, cell: Word) -> Board:
    """The board after the seat to move has marked a cell."""
    seat, full, gained = signed(board[TURN]), ZERO, signed(0)
    begin, end = words[WIDE_THROUGH + signed(cell)], words[WIDE_THROUGH + signed(cell) + 1]
    for at in range(signed(begin), signed(end), 4):
        first = second = ZERO
        for word in range(4):
            first += popcount(words[at + word] & board[word])
            second += popcount(words[at + word] & board[SECOND + word])
        own, rival = (second, first) if seat else (first, second)
        if rival == ZERO:
            gained += signed(words[GAINS + signed(own) + 1]) - signed(words[GAINS + signed(own)])
            if own + ONE == words[LINE_COUNT]:
                full = ONE
        elif own == ZERO:
            gained += signed(words[GAINS + signed(rival)])
    promise = board[PROMISE] + U(-gained if seat else gained)
    facts = ONE - board[TURN], full, promise, board[EMPTY] - ONE
    return with_cell(board, SECOND * seat, cell)[:TURN] + facts


@answers(ask.turn, Rules)
def turn(rules: Rules, board: Board) -> int:
    return signed(board[TURN])


@answers(ask.over, Rules)
def over(rules: Rules, board: Board) -> bool:
    return bool(board[EMPTY] == ZERO or board[FULL] != ZERO)


@answers(ask.legal, Rules)
def legal(rules: Rules, board: Board, moves: Any, first: int) -> int:
    at = first
    if board[FULL] == ZERO:
        high = max(rules.column, 1)
        for move in range(rules.cells // high):
            store(moves, at, U(move))
            at += int(not taken(board, U(move * high + high - 1)))
    return at - first


@answers(ask.play, Rules)
def play(rules: Rules, board: Board, move: int) -> Board:
    cell = U(move * max(rules.column, 1))
    while taken(board, cell):
        cell += ONE
    return marked(rules.lines, board, cell)


@answers(ask.margin, Rules)
def margin(rules: Rules, board: Board, seat: int) -> float:
    won = float(board[FULL])
    return -won if seat == signed(board[TURN]) else won


@answers(ask.evaluate, Rules)
def evaluate(rules: Rules, board: Board, seat: int) -> float:
    promise = signed(board[PROMISE])
    return rules.most * tanh((-promise if seat else promise) / rules.full)
