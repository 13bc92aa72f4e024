"""Marks in a row: which lines are complete, and what open lines are worth.

First for at most 64 cells and lines of at most 8: each line is a word with a bit for each of its
cells, and all lines lie in one array of words. Then for boards of any size.
"""

from __future__ import annotations

from functools import lru_cache
from math import tanh
from typing import Any, NamedTuple, Self

import numpy as np

from papan.core import Native
from papan.core.marks import LineGame, LinePosition, open_lines
from papan.engine import board as ask
from papan.engine.board import NativeBoard, answers, has, packed, with_cell
from papan.engine.control import Words
from papan.engine.native import (
    ONE,
    ZERO,
    Word,
    load_word,
    native,
    popcount,
    signed,
    store,
    words_at,
)

THREE, BYTE = Word(3), Word(255)
MOST_IN_LINE = 8
"""Most cells of a line on a small board, so that counts of open lines fit into the bytes
of a word.
"""

LINE_COUNT, GAINS_AT = 0, 1
"""Indices of the first words: the number of lines; the worth of a line by its number of marks."""
THROUGH_AT = GAINS_AT + MOST_IN_LINE
"""Index of the first of 65 words: where the lines of each cell begin; the next word is
their end.
"""
LINES_AT = THROUGH_AT + 65
"""Index of the first line of a small board."""


class RowRules(NamedTuple):
    """The data that the rules of a game of marks in a row look up.

    Those of small boards derive from it, one class for each game: the class identifies the game. A
    line is worth growth**n while it has n marks of one seat and none of the other.
    """

    lines: Words
    """See `lay_out`. On a larger board: the cells of a line, its worth by the marks on it, for each
    cell where its lines begin (and where the last ones end), and these lines, four words each.
    """
    cells: int
    """Cells of the board."""
    column: int
    """Cells of a column that marks fall down; 0: they stay where they are put."""
    full: float
    """The worth of a full line."""
    most: float
    """The largest estimate, in points."""

    @classmethod
    def of(cls, game: LineGame, lines: Words) -> Self:
        """Return the rules of *game* with the words *lines*, which describe its winning lines.

        They are those of `lay_out` on a small board, else those that `wide_row_rules` makes.
        """
        column = game.strip if game.move_count < game.grid.size else 0
        return cls(lines, game.grid.size, column, game.full_line, game.most)


@lru_cache(maxsize=16)
def lay_out(game: LineGame) -> Words:
    """Return the words that describe the lines of a board of at most 64 cells.

    They are the number of lines; from GAINS_AT on what a line with 0 to 7 marks is worth, growth**n
    (0 for none); from THROUGH_AT on, for each of 64 cells, the index at which the lines through it
    begin, then the index after the last of all; from LINES_AT on all lines, then the lines through
    each cell in turn, each line as a word with a bit for each of its cells. Lines must have at most
    8 cells: not checked. Cached for 16 games: do not change the array.
    """
    lines, growth = [game.without_gaps(line) for line in game.lines], int(game.growth)
    through = [[line for line in lines if line >> cell & 1] for cell in range(64)]
    begins = np.cumsum([len(lines), *map(len, through)]) + LINES_AT
    gains = [0, *(growth**marks for marks in range(1, MOST_IN_LINE))]
    own = [line for cell in through for line in cell]
    return np.array([len(lines), *gains, *begins.tolist(), *lines, *own], dtype=np.uint64)


@native(inline=True)
def completes(words: Words, marks: Word, cell: int) -> Word:
    """Return 1 if a line through *cell* has all its cells in *marks*, else 0, on a small board.

    *words* are those of `lay_out`, *marks* is a bitboard, *cell* a number.
    """
    for at in range(words[THROUGH_AT + cell], words[THROUGH_AT + cell + 1]):
        if words[at] & ~marks == ZERO:
            return ONE
    return ZERO


@native(inline=True)
def line_balance(words: Words, own: Word, rival: Word) -> np.int64:
    """Return the sum of growth**n over the open lines of *own*, less that over those of *rival*.

    *words* are those of `lay_out`, *own* and *rival* the bitboards of either side. A line is open
    if it has n > 0 marks of this side and none of the other. No line of 8 cells may be full: not
    checked.
    """
    at, lines = words_at(words.ctypes.data), np.int64(LINES_AT)
    open_own = open_rival = ZERO  # lines by their number of marks: a byte for each
    for line in range(lines, lines + np.int64(words[LINE_COUNT])):
        mine, theirs = popcount(load_word(at, line) & own), popcount(load_word(at, line) & rival)
        open_own += (ONE if theirs == ZERO else ZERO) << (mine << THREE)
        open_rival += (ONE if mine == ZERO else ZERO) << (theirs << THREE)
    total = np.int64(0)
    for marks in range(1, MOST_IN_LINE):
        shift = Word(marks) << THREE
        more = np.int64(open_own >> shift & BYTE) - np.int64(open_rival >> shift & BYTE)
        total += more * np.int64(words[GAINS_AT + marks])
    return total


def answer_alike(rules: type) -> None:
    """Register for the class *rules* the answers that all games on small boards share.

    They are those about the turn, the end, the margin and the estimate. Their boards are four
    words: the marks of the seat to move, those of its rival, the turn, and 1 if a line is full.
    """
    answers(ask.turn, rules)(small_turn)
    answers(ask.over, rules)(small_over)
    answers(ask.margin, rules)(small_margin)
    answers(ask.evaluate, rules)(small_evaluate)


def small_turn(rules: RowRules, board: NativeBoard) -> int:
    """Return the seat to move, 0 or 1, on a small board, whose words are those of `row_form`."""
    return signed(board[2])


def small_over(rules: RowRules, board: NativeBoard) -> bool:
    """Return whether a line is full or no cell is empty, on a board of up to 64 cells."""
    full = ~(board[0] | board[1]) << Word(64 - rules.cells) == ZERO
    return bool(full or board[3] != ZERO)


def small_margin(rules: RowRules, board: NativeBoard, seat: int) -> float:
    """Return the margin of *seat*: -1.0 if its rival has a full line, 1.0 if it has, else 0.0.

    A full line is taken for that of the seat that has just moved.
    """
    won = float(board[3])
    return -won if seat == signed(board[2]) else won


def small_evaluate(rules: RowRules, board: NativeBoard, seat: int) -> float:
    """Return the estimate for *seat* (0 or 1) in points, for boards of up to 64 cells.

    It is most * tanh(balance / full): *most* is the largest estimate, the balance is `line_balance`
    for that seat, *full* the worth of a full line; both are fields of *rules*.
    """
    balance = line_balance(rules.lines, board[0], board[1])
    return rules.most * tanh((balance if seat == signed(board[2]) else -balance) / rules.full)


# On larger boards, and with longer lines: the value of the lines is updated with each mark.
# A board is four words for the marks of each seat, the turn, whether a line is full, the value of
# the lines to the first seat, and the number of empty cells.

SECOND_AT, ROW_TURN_AT, FULL_AT, PROMISE_AT, EMPTY_AT = 4, 8, 9, 10, 11
MOST_IN_WIDE_LINE, MOST_WIDE_CELLS = 16, 256
WIDE_THROUGH = GAINS_AT + MOST_IN_WIDE_LINE
WIDE_LINES = WIDE_THROUGH + MOST_WIDE_CELLS + 1


@lru_cache(maxsize=8)
def wide_row_rules(game: LineGame) -> RowRules:
    """Return the rules of a board of over 64 cells, or with lines of over 8; cached for 8 games.

    It must have at most 256 cells, and lines of at most 16: not checked. See `RowRules.lines`.
    """
    lines = [game.without_gaps(line) for line in game.lines]
    through = [[line for line in lines if line >> cell & 1] for cell in range(MOST_WIDE_CELLS)]
    begins = WIDE_LINES + 4 * np.cumsum([0, *map(len, through)])
    gains = [0, *(int(game.growth) ** marks for marks in range(1, MOST_IN_WIDE_LINE))]
    masks = [word for cell in through for line in cell for word in packed(line, 4)]
    length = lines[0].bit_count()
    words = np.array([length, *gains, *begins.tolist(), *masks], dtype=np.uint64)
    return RowRules.of(game, words)


def row_form(position: LinePosition, small: type[RowRules]) -> Native:
    """Return a position that is not over as compiled searches take it: rules and board.

    *small* is the game's class of rules for small boards, those of at most 64 cells with lines of
    at most 8; a larger board has `RowRules` itself. A small board is four words: the bitboards of
    the seat to move and of its rival, the seat to move, and whether a line is full. A larger one is
    twelve: four for the marks of each seat, the seat to move, whether a line is full, the value of
    the lines to seat 0, and the number of empty cells. Bitboards have no unused bits between cells.
    """
    game, turn = position.game, position.turn
    first, second = position.without_gaps()
    left = game.grid.size - position.taken.bit_count()
    widest = min(game.move_count, left)
    if game.grid.size > 64 or game.lines[0].bit_count() > MOST_IN_LINE:
        promise = open_lines(game.lines, *position.marks, game.growth)
        facts = (turn, 0, int(promise) % 2**64, left)
        words = (*packed(first, 4), *packed(second, 4), *map(Word, facts))
        return Native(wide_row_rules(game), words, widest, left)
    own, rival = (second, first) if turn else (first, second)
    board = Word(own), Word(rival), Word(turn), ZERO
    return Native(small.of(game, lay_out(game)), board, widest, left)


@native(inline=True)
def taken(board: NativeBoard, cell: Word) -> bool:
    """Return whether there is a mark of either seat on the cell number *cell* of a large board.

    The words of *board* are those of `row_form`.
    """
    return has(board, 0, cell) or has(board, SECOND_AT, cell)


@native()
def with_mark(words: Words, board: NativeBoard, cell: Word) -> NativeBoard:
    """Return a large board after the seat to move has marked *cell*, with all its words updated.

    *words* are the `lines` of `wide_row_rules`; *cell* is the number of an empty cell, not checked.
    """
    seat, full, gained = signed(board[ROW_TURN_AT]), ZERO, signed(0)
    begin, end = words[WIDE_THROUGH + signed(cell)], words[WIDE_THROUGH + signed(cell) + 1]
    for at in range(signed(begin), signed(end), 4):
        first = second = ZERO
        for word in range(4):
            first += popcount(words[at + word] & board[word])
            second += popcount(words[at + word] & board[SECOND_AT + word])
        own, rival = (second, first) if seat else (first, second)
        if rival == ZERO:
            gained += signed(words[GAINS_AT + signed(own) + 1]) - signed(
                words[GAINS_AT + signed(own)]
            )
            if own + ONE == words[LINE_COUNT]:
                full = ONE
        elif own == ZERO:
            gained += signed(words[GAINS_AT + signed(rival)])
    promise = board[PROMISE_AT] + Word(-gained if seat else gained)
    facts = ONE - board[ROW_TURN_AT], full, promise, board[EMPTY_AT] - ONE
    return with_cell(board, SECOND_AT * seat, cell)[:ROW_TURN_AT] + facts


@answers(ask.turn, RowRules)
def wide_turn(rules: RowRules, board: NativeBoard) -> int:
    """Return the seat to move, 0 or 1, on a large board, whose words are those of `row_form`."""
    return signed(board[ROW_TURN_AT])


@answers(ask.over, RowRules)
def wide_over(rules: RowRules, board: NativeBoard) -> bool:
    """Return whether a line is full or no cell is empty, on a large board, as in `row_form`."""
    return bool(board[EMPTY_AT] == ZERO or board[FULL_AT] != ZERO)


@answers(ask.legal, RowRules)
def wide_legal(rules: RowRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the legal moves, columns or cells by number, in ascending order; return how many.

    They are written to words of *moves* from index *first* on; none if a line is full. One word
    after them may be overwritten, too.
    """
    at = first
    if board[FULL_AT] == ZERO:
        high = max(rules.column, 1)
        for move in range(rules.cells // high):
            store(moves, at, Word(move))
            at += int(not taken(board, Word(move * high + high - 1)))
    return at - first


@answers(ask.play, RowRules)
def wide_play(rules: RowRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after *move*: a column, in which the mark falls, or a cell, by number.

    It must be legal; not checked.
    """
    cell = Word(move * max(rules.column, 1))
    while taken(board, cell):
        cell += ONE
    return with_mark(rules.lines, board, cell)


@answers(ask.margin, RowRules)
def row_margin(rules: RowRules, board: NativeBoard, seat: int) -> float:
    """Return the margin of *seat*: -1.0 if its rival has a full line, 1.0 if it has, else 0.0.

    A full line is taken for that of the seat that has just moved.
    """
    won = float(board[FULL_AT])
    return -won if seat == signed(board[ROW_TURN_AT]) else won


@answers(ask.evaluate, RowRules)
def wide_evaluate(rules: RowRules, board: NativeBoard, seat: int) -> float:
    """Return the estimate for *seat* (0 or 1) in points: most * tanh(value of the lines / full).

    The value is that in the word PROMISE_AT of the board, which is for seat 0, with the sign turned
    for seat 1; *most*, the largest estimate, and *full*, the worth of a full line, are in *rules*.
    """
    promise = signed(board[PROMISE_AT])
    return rules.most * tanh((-promise if seat else promise) / rules.full)
