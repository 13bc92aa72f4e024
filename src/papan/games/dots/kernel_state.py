"""Dots and Boxes for the searches that games share, as compiled functions on words of 64 bits.

A board is a tuple of words: the bits of the lines drawn, the turn (0 or 1), the boxes of seat 0,
and those of seat 1. The lines are one word on boards of at most 64 lines, which `DotsRules` serve;
else 4 or 21 words, for `WideDotsRules`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import NativeBoard, answers, has, list_cells, packed, with_cell, with_word
from papan.engine.control import Words
from papan.engine.native import ONE, TWO, ZERO, Word, native, popcount, signed, store
from papan.games.dots.support import CONTROL, SOON

if TYPE_CHECKING:
    from papan.games.dots.rules import Dots, DotsPosition

WIDTHS = 4, 21
"""Words for the lines of larger boards: on up to 10 x 11 boxes, and on up to 25 x 25."""


class DotsRules(NamedTuple):
    """The data that compiled rules look up on boards of at most 64 lines.

    A line is a bit, that of its number as a move. *boxes* has the four sides of each box; *beside*
    the sides of the boxes beside line n, at 2n and 2n + 1 (at the rim the same ones twice); *lines*
    all lines. *control* and *soon* are the constants of `support`.
    """

    boxes: Words
    """For each box, by its number, the bits of its four sides."""
    beside: Words
    """The sides of the boxes beside each line: at 2 * line and 2 * line + 1 (at the rim alike)."""
    lines: np.uint64
    """The bits of all lines."""
    control: float
    """Share (0 to 1) of the boxes not yet complete that a seat gains if its rival gives first:
    `support.CONTROL`."""
    soon: int
    """Most safe lines with which it is predicted who runs out of them: `support.SOON`."""


@lru_cache(maxsize=8)
def dots_rules(game: Dots) -> DotsRules:
    """Return the data of the rules of a board of at most 64 lines, cached by game.

    The number of lines is not checked.
    """
    beside = [sides for boxes in game.touching for sides in (boxes[0], boxes[-1])]
    boxes, sides = (np.array(each, dtype=np.uint64) for each in (game.boxes, beside))
    return DotsRules(boxes, sides, Word((1 << game.move_count) - 1), CONTROL, SOON)


class WideDotsRules(NamedTuple):
    """The data that compiled rules look up on boards of more than 64 lines.

    Lines and boxes are numbers, as in `Dots`. *sides* has the four sides of box n, from 4n on;
    *beside* the boxes beside line n, at 2n and 2n + 1 (at the rim the same one twice); *lines* is
    the number of lines. *control* and *soon* are the constants of `support`.
    """

    sides: Words
    """The four sides of each box in a flat array: from 4 * box on, top, left, right and bottom."""
    beside: Words
    """For each line the boxes beside it, at 2 * line and 2 * line + 1 (at the rim alike)."""
    lines: int
    """Number of lines."""
    control: float
    """Share (0 to 1) of the boxes not yet complete that a seat gains if its rival gives first:
    `support.CONTROL`."""
    soon: int
    """Most safe lines with which it is predicted who runs out of them: `support.SOON`."""


@lru_cache(maxsize=8)
def wide_dots_rules(game: Dots) -> WideDotsRules:
    """Return the data of the rules of a board of any size, cached by game.

    `dots_form` uses it for boards of more than 64 lines.
    """
    beside = [box for boxes in game.beside for box in (boxes[0], boxes[-1])]
    sides, boxes = (np.array(each, dtype=np.uint64).ravel() for each in (game.sides, beside))
    return WideDotsRules(sides, boxes, game.move_count, CONTROL, SOON)


def dots_form(position: DotsPosition) -> Native:
    """Return a position as compiled searches take it: rules and board, of any size.

    The board is a tuple of words: the bits of the lines drawn (1, 4 or 21 words), the turn (0 or
    1), and the boxes of seat 0 and of seat 1. The undrawn lines are counted both as the most moves
    and as the most plies to come.
    """
    game, facts = position.game, map(Word, (position.turn, *position.owned))
    left = game.move_count - position.drawn.bit_count()
    if game.move_count > 64:
        words = next(words for words in WIDTHS if game.move_count <= 64 * words)
        board = (*packed(position.drawn, words), *facts)
        return Native(wide_dots_rules(game), board, left, left)
    return Native(dots_rules(game), (Word(position.drawn), *facts), left, left)


TURN_AT, FIRST_BOXES_AT, SECOND_BOXES_AT = -3, -2, -1
"""Indices of words from the end of a board: the turn, and the boxes of either seat."""


@answers(ask.turn, WideDotsRules)
@answers(ask.turn, DotsRules)
def _turn(rules: Any, board: NativeBoard) -> int:
    """Return the seat to move, 0 or 1, of a *board* by `dots_form`."""
    return signed(board[TURN_AT])


@answers(ask.over, DotsRules)
def _over(rules: DotsRules, board: NativeBoard) -> bool:
    """Return whether the game is over: all lines are drawn."""
    return bool(board[0] == rules.lines)


@answers(ask.legal, DotsRules)
def _legal(rules: DotsRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write to *moves* the numbers of the undrawn lines in ascending order; return how many.

    *moves* is a pointer to words; they are written from index *first* on, and there must be room:
    not checked.
    """
    return list_cells(rules.lines & ~board[0], ZERO, moves, first) - first


@answers(ask.play, DotsRules)
def _play(rules: DotsRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after line *move*, a number, which must be undrawn: not checked.

    Both boards are (lines drawn, turn, boxes of seat 0, boxes of seat 1). The seat that completes a
    box moves again.
    """
    drawn, turn = board[0] | ONE << Word(move), board[1]
    one, other = rules.beside[2 * move], rules.beside[2 * move + 1]
    won = Word(one & ~drawn == ZERO) + Word(other & ~drawn == ZERO and other != one)
    first, second = (won, ZERO) if turn == ZERO else (ZERO, won)
    return drawn, turn if won else ONE - turn, board[2] + first, board[3] + second


@answers(ask.margin, WideDotsRules)
@answers(ask.margin, DotsRules)
def _margin(rules: Any, board: NativeBoard, seat: int) -> float:
    """Return how many more boxes *seat* (0 or 1) owns than its rival, negative if fewer."""
    ahead = signed(board[FIRST_BOXES_AT]) - signed(board[SECOND_BOXES_AT])
    return float(ahead if seat == 0 else -ahead)


@answers(ask.evaluate, DotsRules)
def _evaluate(rules: DotsRules, board: NativeBoard, seat: int) -> float:
    """Return the estimated final margin of *seat* (0 or 1), in boxes.

    It is the present margin of *seat*, plus what the seat to move gains if that is *seat*, else
    minus it: the boxes that it can take in this turn or, if there are none, `control_value`.
    """
    mine = seat == signed(board[1])
    ahead = signed(board[2]) - signed(board[3])
    owned = signed(board[2] + board[3])
    expected = float(full_boxes(rules.boxes, board[0]) - owned)
    if expected == 0.0:
        expected = control_value(rules, board[0], rules.boxes.size - owned)
    return float(ahead if seat == 0 else -ahead) + (expected if mine else -expected)


@native(inline=True)
def full_boxes(boxes: Words, drawn: Word) -> int:
    """Return how many boxes are complete once all that lack one side are filled, one by one.

    *boxes* has the four sides of each box as bits, *drawn* the lines drawn so far. Boxes that were
    complete before count, too.
    """
    more = True
    while more:
        more, full = False, 0
        for box in boxes:
            left = box & ~drawn
            if popcount(left) == ONE:
                drawn |= left
                more = True
            full += int(left == ZERO)
    return full


@native(inline=True)
def control_value(rules: DotsRules, drawn: Word, boxes: int) -> float:
    """Return the boxes that the seat to move may expect to gain; negative if it may lose them.

    It is `control_share` of the number of safe lines. *drawn* are the bits of the lines drawn,
    *boxes* is the number of boxes not yet complete. No box may be ready to take: not checked. See
    `support.control`.
    """
    unsafe = ZERO
    for box in rules.boxes:
        if popcount(box & drawn) >= TWO:
            unsafe |= box
    return control_share(rules, signed(popcount(rules.lines & ~drawn & ~unsafe)), boxes)


@native(inline=True)
def control_share(rules: DotsRules | WideDotsRules, safe: int, boxes: int) -> float:
    """Return the boxes that the seat to move may expect to gain; negative if it may lose them.

    *safe* is the number of safe lines, *boxes* the number of boxes not yet complete. With more than
    rules.soon safe lines it is 0.0; else rules.control * *boxes*, positive if *safe* is odd,
    negative if it is even.
    """
    if safe > rules.soon:
        return 0.0
    expected = rules.control * float(boxes)
    return expected if safe & 1 else -expected


# The same on larger boards.


@answers(ask.over, WideDotsRules)
def _wide_over(rules: WideDotsRules, board: NativeBoard) -> bool:
    """Return whether the game is over: all boxes are owned."""
    return bool(board[FIRST_BOXES_AT] + board[SECOND_BOXES_AT] == Word(rules.sides.size) >> TWO)


@answers(ask.legal, WideDotsRules)
def _wide_legal(rules: WideDotsRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write to *moves* the numbers of the undrawn lines in ascending order; return how many.

    *moves* is a pointer to words; they are written from index *first* on, and one word beyond them
    may be overwritten: there must be room for it, too, not checked.
    """
    at = first
    for line in range(rules.lines):
        store(moves, at, Word(line))
        at += int(not has(board, 0, Word(line)))
    return at - first


@native(inline=True)
def lacking(rules: WideDotsRules, board: NativeBoard, box: int) -> tuple[int, Word]:
    """Return how many sides a box lacks (0 to 4), and the number of the last of these lines.

    *box* is its number, *board* one of more than 64 lines. A complete box gives 0 and 0; the second
    0 is no line then.
    """
    count, last = 0, ZERO
    for at in range(4 * box, 4 * box + 4):
        if not has(board, 0, rules.sides[at]):
            count, last = count + 1, rules.sides[at]
    return count, last


@answers(ask.play, WideDotsRules)
def _wide_play(rules: WideDotsRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after line *move*, a number, which must be undrawn: not checked.

    Both boards are laid out as by `dots_form`. The seat that completes a box moves again.
    """
    after: NativeBoard = with_cell(board, 0, Word(move))
    one, other = signed(rules.beside[2 * move]), signed(rules.beside[2 * move + 1])
    won = Word(lacking(rules, after, one)[0] == 0)
    won += Word(other != one and lacking(rules, after, other)[0] == 0)
    size = len(board)
    if won == ZERO:
        after = with_word(after, size + TURN_AT, ONE - board[TURN_AT])
    elif board[TURN_AT] == ZERO:
        after = with_word(after, size + FIRST_BOXES_AT, board[FIRST_BOXES_AT] + won)
    else:
        after = with_word(after, size + SECOND_BOXES_AT, board[SECOND_BOXES_AT] + won)
    return after


@answers(ask.evaluate, WideDotsRules)
def _wide_evaluate(rules: WideDotsRules, board: NativeBoard, seat: int) -> float:
    """Return the estimated final margin of *seat* (0 or 1), in boxes.

    It is the present margin of *seat*, plus what the seat to move gains if that is *seat*, else
    minus it: the boxes that it can take in this turn or, if there are none, `wide_control`.
    """
    mine = seat == signed(board[TURN_AT])
    ahead = signed(board[FIRST_BOXES_AT]) - signed(board[SECOND_BOXES_AT])
    owned, boxes = signed(board[FIRST_BOXES_AT] + board[SECOND_BOXES_AT]), rules.sides.size // 4
    expected = float(wide_full_boxes(rules, board) - owned)
    if expected == 0.0:
        expected = wide_control(rules, board, boxes - owned)
    return float(ahead if seat == 0 else -ahead) + (expected if mine else -expected)


@native(inline=True)
def wide_full_boxes(rules: WideDotsRules, board: NativeBoard) -> int:
    """Return how many boxes are complete once all that lack one side are filled, one by one.

    Boxes that were complete before count, too. *board* is one of more than 64 lines.
    """
    more = True
    while more:
        more, full = False, 0
        for box in range(rules.sides.size // 4):
            count, line = lacking(rules, board, box)
            if count == 1:
                board = with_cell(board, 0, line)
                more = True
            full += int(count == 0)
    return full


@native(inline=True)
def wide_control(rules: WideDotsRules, board: NativeBoard, boxes: int) -> float:
    """Return the boxes that the seat to move may expect to gain; negative if it may lose them.

    It is `control_share` of the number of safe lines. *boxes* is the number of boxes not yet
    complete, *board* one of more than 64 lines. No box may be ready to take: not checked. See
    `support.control`.
    """
    safe = 0
    for line in range(rules.lines):
        if not has(board, 0, Word(line)):
            one, other = rules.beside[2 * line], rules.beside[2 * line + 1]
            quiet = min(lacking(rules, board, one)[0], lacking(rules, board, other)[0]) > 2
            safe += int(quiet)
    return control_share(rules, safe, boxes)
