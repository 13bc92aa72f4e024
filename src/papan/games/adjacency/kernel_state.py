"""Adjacency for the shared searches.

A board is the marks of the seat to move, those of its rival, the turn, and the plies left: a word
for each on at most 64 cells, else four for the marks of either seat.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import Board, answers, list_cells, packed, with_cell
from papan.engine.control import Words
from papan.engine.native import ONE, ZERO, Word, lowest, native, popcount, signed
from papan.games.adjacency.kernel_board import count
from papan.games.adjacency.support import SAFE

if TYPE_CHECKING:
    from papan.games.adjacency.rules import Adjacency, AdjacencyPosition

U = np.uint64


class Rules(NamedTuple):
    """What the rules look up."""

    beside: Words
    """For each cell, the cells beside it."""
    cells: np.uint64
    """All cells."""
    not_last: np.uint64
    """Those that have a cell to the right of them."""
    columns: np.uint64
    safe: float
    """What a mark that nobody can turn any more is worth on top."""


@lru_cache(maxsize=8)
def rules(game: Adjacency) -> Rules:
    """The rules of a board, a bit for each cell."""
    beside = np.array(game.beside, dtype=np.uint64)
    not_last = sum(bit for cell, bit in enumerate(game.bits) if (cell + 1) % game.columns)
    return Rules(beside, U(game.board), U(not_last), U(game.columns), SAFE)


class WideRules(NamedTuple):
    """What the rules of larger boards look up."""

    beside: Words
    """For each cell, the cells beside it: four words."""
    cells: tuple[np.uint64, ...]
    """All cells."""
    safe: float


@lru_cache(maxsize=8)
def wide_rules(game: Adjacency) -> WideRules:
    """The rules of a larger board, a bit for each cell."""
    beside = [word for cells in game.beside for word in packed(cells, 4)]
    return WideRules(np.array(beside, dtype=np.uint64), packed(game.board, 4), SAFE)


def form(position: AdjacencyPosition) -> Native:
    """The position for the shared searches."""
    game, left, widest = position.game, position.plies_left, position.empty.bit_count()
    own, rival = position.marks[position.turn], position.marks[1 - position.turn]
    facts = U(position.turn), U(left)
    if game.grid.size > 64:
        return Native(wide_rules(game), (*packed(own, 4), *packed(rival, 4), *facts), widest, left)
    return Native(rules(game), (U(own), U(rival), *facts), widest, left)


TURN, LEFT = -2, -1
"""Words from the end of a board."""


@answers(ask.turn, WideRules)
@answers(ask.turn, Rules)
def turn(rules: Any, board: Board) -> int:
    return signed(board[TURN])


@answers(ask.over, WideRules)
@answers(ask.over, Rules)
def over(rules: Any, board: Board) -> bool:
    return bool(board[LEFT] == ZERO)


@answers(ask.legal, Rules)
def legal(rules: Rules, board: Board, moves: Any, first: int) -> int:
    empty = rules.cells & ~(board[0] | board[1]) if board[3] else ZERO
    return list_cells(empty, ZERO, moves, first) - first


@answers(ask.play, Rules)
def play(rules: Rules, board: Board, move: int) -> Board:
    turned = rules.beside[move] & board[1]
    return board[1] ^ turned, board[0] | turned | ONE << U(move), ONE - board[2], board[3] - ONE


@answers(ask.margin, Rules)
def margin(rules: Rules, board: Board, seat: int) -> float:
    ahead = count(board[0]) - count(board[1])
    return float(ahead if seat == signed(board[2]) else -ahead)


@answers(ask.evaluate, Rules)
def evaluate(rules: Rules, board: Board, seat: int) -> float:
    own, rival = board[0], board[1]
    empty = rules.cells & ~(own | rival)
    exposed = (empty & rules.not_last) << ONE | empty >> ONE & rules.not_last
    exposed |= empty << rules.columns | empty >> rules.columns
    ahead = float(count(own) - count(rival))
    if board[3]:
        ahead += rules.safe * float(count(own & ~exposed) - count(rival & ~exposed))
    return ahead if seat == signed(board[2]) else -ahead


# The same on larger boards.

RIVAL = 4


@native(inline=True)
def empty_cells(rules: WideRules, board: Board) -> Board:
    """The cells without a mark."""
    one, two = ~(board[0] | board[4]), ~(board[1] | board[5])
    three, four = ~(board[2] | board[6]), ~(board[3] | board[7])
    cells = rules.cells
    return one & cells[0], two & cells[1], three & cells[2], four & cells[3]


@answers(ask.legal, WideRules)
def wide_legal(rules: WideRules, board: Board, moves: Any, first: int) -> int:
    at = first
    if board[LEFT]:
        empty = empty_cells(rules, board)
        for word in range(4):
            at = list_cells(empty[word], U(64 * word), moves, at)
    return at - first


@native(inline=True)
def beside_and(
    rules: WideRules, cell: int, board: Board, first: int
) -> tuple[Word, Word, Word, Word]:
    """The cells beside a cell that are in the set which begins at the word *first*."""
    beside, at = rules.beside, 4 * cell
    one, two = beside[at] & board[first], beside[at + 1] & board[first + 1]
    return one, two, beside[at + 2] & board[first + 2], beside[at + 3] & board[first + 3]


@answers(ask.play, WideRules)
def wide_play(rules: WideRules, board: Board, move: int) -> Board:
    one, two, three, four = beside_and(rules, move, board, RIVAL)
    after = (
        board[4] ^ one,
        board[5] ^ two,
        board[6] ^ three,
        board[7] ^ four,
        board[0] | one,
        board[1] | two,
        board[2] | three,
        board[3] | four,
        ONE - board[TURN],
        board[LEFT] - ONE,
    )
    return with_cell(after, RIVAL, U(move))


@native(inline=True)
def lead(board: Board) -> int:
    """How many marks more the seat to move has than its rival."""
    ahead = 0
    for word in range(4):
        ahead += signed(popcount(board[word])) - signed(popcount(board[RIVAL + word]))
    return ahead


@answers(ask.margin, WideRules)
def wide_margin(rules: WideRules, board: Board, seat: int) -> float:
    ahead = lead(board)
    return float(ahead if seat == signed(board[TURN]) else -ahead)


@answers(ask.evaluate, WideRules)
def wide_evaluate(rules: WideRules, board: Board, seat: int) -> float:
    ahead = float(lead(board))
    if board[LEFT]:
        empty, safe = empty_cells(rules, board), 0
        for word in range(4):
            for mine in range(2):
                marks = board[word] if mine else board[RIVAL + word]
                while marks:
                    one, two, three, four = beside_and(
                        rules, 64 * word + signed(lowest(marks)), empty, 0
                    )
                    if one | two | three | four == ZERO:
                        safe += 1 if mine else -1
                    marks &= marks - ONE
        ahead += rules.safe * float(safe)
    return ahead if seat == signed(board[TURN]) else -ahead
