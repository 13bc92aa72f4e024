"""Dots and Boxes with at most 64 lines for the shared searches.

A board is the lines drawn, the turn, and the boxes of each seat.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import answers
from papan.engine.control import Words
from papan.engine.native import ONE, TWO, ZERO, lowest, native, popcount, store
from papan.games.dots.evaluate import CONTROL, SOON

if TYPE_CHECKING:
    from papan.games.dots.rules import Dots, DotsPosition

U = np.uint64


class Rules(NamedTuple):
    """What the rules look up."""

    boxes: Words
    """The sides of each box."""
    beside: Words
    """For each line the sides of the boxes beside it: two words, the same twice for one box."""
    lines: np.uint64
    """All lines."""
    control: float
    """See `evaluate.py`."""
    soon: int


@lru_cache(maxsize=8)
def rules(game: Dots) -> Rules:
    """The rules of a board, a bit for each line."""
    beside = [sides for boxes in game.touching for sides in (boxes[0], boxes[-1])]
    boxes, sides = (np.array(each, dtype=np.uint64) for each in (game.boxes, beside))
    return Rules(boxes, sides, U((1 << game.move_count) - 1), CONTROL, SOON)


def form(position: DotsPosition) -> Native:
    """The position for the shared searches."""
    left = position.game.move_count - position.drawn.bit_count()
    first, second = position.owned
    board = U(position.drawn), U(position.turn), U(first), U(second)
    return Native(rules(position.game), board, left, left)


@answers(ask.turn, Rules)
def turn(rules, board):
    return np.int64(board[1])


@answers(ask.over, Rules)
def over(rules, board):
    return board[0] == rules.lines


@answers(ask.legal, Rules)
def legal(rules, board, moves, first):
    at, left = first, rules.lines & ~board[0]
    while left:
        store(moves, at, lowest(left))
        left &= left - ONE
        at += 1
    return at - first


@answers(ask.play, Rules)
def play(rules, board, move):
    drawn, turn = board[0] | ONE << U(move), board[1]
    one, other = rules.beside[2 * move], rules.beside[2 * move + 1]
    won = U(one & ~drawn == ZERO) + U(other & ~drawn == ZERO and other != one)
    first, second = (won, ZERO) if turn == ZERO else (ZERO, won)
    return drawn, turn if won else ONE - turn, board[2] + first, board[3] + second


@answers(ask.margin, Rules)
def margin(rules, board, seat):
    ahead = np.int64(board[2]) - np.int64(board[3])
    return float(ahead if seat == 0 else -ahead)


@answers(ask.evaluate, Rules)
def evaluate(rules, board, seat):
    mine = seat == np.int64(board[1])
    ahead = np.int64(board[2]) - np.int64(board[3])
    owned = np.int64(board[2] + board[3])
    expected = float(full_boxes(rules.boxes, board[0]) - owned)
    if expected == 0.0:
        expected = control(rules, board[0], rules.boxes.size - owned)
    return float(ahead if seat == 0 else -ahead) + (expected if mine else -expected)


@native(inline=True)
def full_boxes(boxes, drawn):
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
def control(rules, drawn, boxes):
    """What the seat to move may hope for when no box can be taken: see `evaluate.py`."""
    unsafe = ZERO
    for box in rules.boxes:
        if popcount(box & drawn) >= TWO:
            unsafe |= box
    safe = popcount(rules.lines & ~drawn & ~unsafe)
    if safe > U(rules.soon):
        return 0.0
    expected = rules.control * float(boxes)
    return expected if safe & ONE else -expected
