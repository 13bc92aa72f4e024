"""Dots and Boxes for the shared searches.

A board is the lines drawn, the turn, and the boxes of each seat. Up to 64 lines are one word;
larger boards have more words for them, few or many, and number the sides of each box.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import Board, answers, has, list_cells, packed, with_cell, with_word
from papan.engine.control import Words
from papan.engine.native import ONE, TWO, ZERO, Word, native, popcount, signed, store
from papan.games.dots.support import CONTROL, SOON

if TYPE_CHECKING:
    from papan.games.dots.rules import Dots, DotsPosition

U = np.uint64
WIDTHS = 4, 21
"""How many words the lines of larger boards take: on up to 10 x 11 boxes, and on up to 25 x 25."""


class Rules(NamedTuple):
    """What the rules look up."""

    boxes: Words
    """The sides of each box."""
    beside: Words
    """For each line the sides of the boxes beside it: two words, the same twice for one box."""
    lines: np.uint64
    """All lines."""
    control: float
    """See `rules.control`."""
    soon: int


@lru_cache(maxsize=8)
def rules(game: Dots) -> Rules:
    """The rules of a board, a bit for each line."""
    beside = [sides for boxes in game.touching for sides in (boxes[0], boxes[-1])]
    boxes, sides = (np.array(each, dtype=np.uint64) for each in (game.boxes, beside))
    return Rules(boxes, sides, U((1 << game.move_count) - 1), CONTROL, SOON)


class WideRules(NamedTuple):
    """What the rules of larger boards look up."""

    sides: Words
    """The four sides of each box."""
    beside: Words
    """For each line the boxes beside it: two, the same twice for one box."""
    lines: int
    """How many lines there are."""
    control: float
    soon: int


@lru_cache(maxsize=8)
def wide_rules(game: Dots) -> WideRules:
    """The rules of a larger board."""
    beside = [box for boxes in game.beside for box in (boxes[0], boxes[-1])]
    sides, boxes = (np.array(each, dtype=np.uint64).ravel() for each in (game.sides, beside))
    return WideRules(sides, boxes, game.move_count, CONTROL, SOON)


def form(position: DotsPosition) -> Native:
    """The position for the shared searches."""
    game, facts = position.game, map(U, (position.turn, *position.owned))
    left = game.move_count - position.drawn.bit_count()
    if game.move_count > 64:
        words = next(words for words in WIDTHS if game.move_count <= 64 * words)
        board = (*packed(position.drawn, words), *facts)
        return Native(wide_rules(game), board, left, left)
    return Native(rules(game), (U(position.drawn), *facts), left, left)


TURN, FIRST, SECOND = -3, -2, -1
"""Words from the end of a board."""


@answers(ask.turn, WideRules)
@answers(ask.turn, Rules)
def turn(rules: Any, board: Board) -> int:
    return signed(board[TURN])


@answers(ask.over, Rules)
def over(rules: Rules, board: Board) -> bool:
    return bool(board[0] == rules.lines)


@answers(ask.legal, Rules)
def legal(rules: Rules, board: Board, moves: Any, first: int) -> int:
    return list_cells(rules.lines & ~board[0], ZERO, moves, first) - first


@answers(ask.play, Rules)
def play(rules: Rules, board: Board, move: int) -> Board:
    drawn, turn = board[0] | ONE << U(move), board[1]
    one, other = rules.beside[2 * move], rules.beside[2 * move + 1]
    won = U(one & ~drawn == ZERO) + U(other & ~drawn == ZERO and other != one)
    first, second = (won, ZERO) if turn == ZERO else (ZERO, won)
    return drawn, turn if won else ONE - turn, board[2] + first, board[3] + second


@answers(ask.margin, WideRules)
@answers(ask.margin, Rules)
def margin(rules: Any, board: Board, seat: int) -> float:
    ahead = signed(board[FIRST]) - signed(board[SECOND])
    return float(ahead if seat == 0 else -ahead)


@answers(ask.evaluate, Rules)
def evaluate(rules: Rules, board: Board, seat: int) -> float:
    mine = seat == signed(board[1])
    ahead = signed(board[2]) - signed(board[3])
    owned = signed(board[2] + board[3])
    expected = float(full_boxes(rules.boxes, board[0]) - owned)
    if expected == 0.0:
        expected = control(rules, board[0], rules.boxes.size - owned)
    return float(ahead if seat == 0 else -ahead) + (expected if mine else -expected)


@native(inline=True)
def full_boxes(boxes: Words, drawn: Word) -> int:
    """How many boxes are complete once all those are filled that lack one side, and so on."""
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
def control(rules: Rules, drawn: Word, boxes: int) -> float:
    """What the seat to move may hope for when no box can be taken: see `rules.control`."""
    unsafe = ZERO
    for box in rules.boxes:
        if popcount(box & drawn) >= TWO:
            unsafe |= box
    return share(rules, signed(popcount(rules.lines & ~drawn & ~unsafe)), boxes)


@native(inline=True)
def share(rules: Rules | WideRules, safe: int, boxes: int) -> float:
    """The boxes to hope for with so many safe lines."""
    if safe > rules.soon:
        return 0.0
    expected = rules.control * float(boxes)
    return expected if safe & 1 else -expected


# The same on larger boards.


@answers(ask.over, WideRules)
def wide_over(rules: WideRules, board: Board) -> bool:
    return bool(board[FIRST] + board[SECOND] == U(rules.sides.size) >> TWO)


@answers(ask.legal, WideRules)
def wide_legal(rules: WideRules, board: Board, moves: Any, first: int) -> int:
    at = first
    for line in range(rules.lines):
        store(moves, at, U(line))
        at += int(not has(board, 0, U(line)))
    return at - first


@native(inline=True)
def lacking(rules: WideRules, board: Board, box: int) -> tuple[int, Word]:
    """How many sides a box lacks, and the last of those."""
    count, last = 0, ZERO
    for at in range(4 * box, 4 * box + 4):
        if not has(board, 0, rules.sides[at]):
            count, last = count + 1, rules.sides[at]
    return count, last


@answers(ask.play, WideRules)
def wide_play(rules: WideRules, board: Board, move: int) -> Board:
    after: Board = with_cell(board, 0, U(move))
    one, other = signed(rules.beside[2 * move]), signed(rules.beside[2 * move + 1])
    won = U(lacking(rules, after, one)[0] == 0)
    won += U(other != one and lacking(rules, after, other)[0] == 0)
    size = len(board)
    if won == ZERO:
        after = with_word(after, size + TURN, ONE - board[TURN])
    elif board[TURN] == ZERO:
        after = with_word(after, size + FIRST, board[FIRST] + won)
    else:
        after = with_word(after, size + SECOND, board[SECOND] + won)
    return after


@answers(ask.evaluate, WideRules)
def wide_evaluate(rules: WideRules, board: Board, seat: int) -> float:
    mine = seat == signed(board[TURN])
    ahead = signed(board[FIRST]) - signed(board[SECOND])
    owned, boxes = signed(board[FIRST] + board[SECOND]), rules.sides.size // 4
    expected = float(wide_full_boxes(rules, board) - owned)
    if expected == 0.0:
        expected = wide_control(rules, board, boxes - owned)
    return float(ahead if seat == 0 else -ahead) + (expected if mine else -expected)


@native(inline=True)
def wide_full_boxes(rules: WideRules, board: Board) -> int:
    """How many boxes are complete once all those are filled that lack one side, and so on."""
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
def wide_control(rules: WideRules, board: Board, boxes: int) -> float:
    """What the seat to move may hope for when no box can be taken: see `rules.control`."""
    safe = 0
    for line in range(rules.lines):
        if not has(board, 0, U(line)):
            one, other = rules.beside[2 * line], rules.beside[2 * line + 1]
            quiet = min(lacking(rules, board, one)[0], lacking(rules, board, other)[0]) > 2
            safe += int(quiet)
    return share(rules, safe, boxes)
