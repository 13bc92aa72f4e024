"""Adjacency for the searches that games share, as compiled functions on words of 64 bits.

A board is a tuple of words: the marks of the seat to move, those of its rival, the turn (0 or 1),
and the plies left. Each seat's marks are a bitboard of one word on at most 64 cells, which
`AdjacencyRules` serve; else of four, the lowest bits first, for `WideAdjacencyRules`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from papan.core import Native
from papan.engine import board as ask
from papan.engine.board import NativeBoard, answers, list_cells, packed, with_cell
from papan.engine.control import Words
from papan.engine.native import ONE, ZERO, Word, lowest, native, popcount, signed
from papan.games.adjacency.kernel_board import cell_count
from papan.games.adjacency.support import SAFE

if TYPE_CHECKING:
    from papan.games.adjacency.rules import Adjacency, AdjacencyPosition


class AdjacencyRules(NamedTuple):
    """The data that compiled rules look up on boards of at most 64 cells."""

    beside: Words
    """For each cell, the cells beside it, as a bitboard."""
    cells: np.uint64
    """All cells, as a bitboard."""
    not_last: np.uint64
    """Cells that have a cell to the right of them, as a bitboard."""
    columns: np.uint64
    """Number of columns."""
    safe: float
    """Extra worth, in marks, of a mark that can never be turned."""


@lru_cache(maxsize=8)
def adjacency_rules(game: Adjacency) -> AdjacencyRules:
    """Return the data of the rules of a board, cached by game.

    It must have at most 64 cells: not checked.
    """
    beside = np.array(game.beside, dtype=np.uint64)
    not_last = sum(bit for cell, bit in enumerate(game.bits) if (cell + 1) % game.columns)
    return AdjacencyRules(beside, Word(game.board), Word(not_last), Word(game.columns), SAFE)


class WideAdjacencyRules(NamedTuple):
    """The data that compiled rules look up on boards of more than 64 cells."""

    beside: Words
    """For each cell, the cells beside it: four words from 4 * cell on, the lowest bits first."""
    cells: tuple[np.uint64, ...]
    """All cells: a bitboard of four words, the lowest bits first."""
    safe: float
    """Extra worth, in marks, of a mark that can never be turned."""


@lru_cache(maxsize=8)
def wide_adjacency_rules(game: Adjacency) -> WideAdjacencyRules:
    """Return the data of the rules of a board with bitboards of four words, cached by game.

    It must have at most 256 cells, as every board has; `adjacency_form` uses it for more than 64.
    """
    beside = [word for cells in game.beside for word in packed(cells, 4)]
    return WideAdjacencyRules(np.array(beside, dtype=np.uint64), packed(game.board, 4), SAFE)


def adjacency_form(position: AdjacencyPosition) -> Native:
    """Return a position, on a board of any size, as compiled searches take it.

    Its board is (marks of the seat to move, marks of its rival, turn, plies left): each seat's
    marks are one word, or four on more than 64 cells. `Native.widest` is the number of empty cells,
    `Native.deepest` that of the plies left.
    """
    game, left, widest = position.game, position.plies_left, position.empty.bit_count()
    own, rival = position.marks[position.turn], position.marks[1 - position.turn]
    facts = Word(position.turn), Word(left)
    if game.grid.size > 64:
        return Native(
            wide_adjacency_rules(game), (*packed(own, 4), *packed(rival, 4), *facts), widest, left
        )
    return Native(adjacency_rules(game), (Word(own), Word(rival), *facts), widest, left)


TURN_AT, LEFT_AT = -2, -1
"""Indices of words from the end of a board: the turn, and the plies left."""


@answers(ask.turn, WideAdjacencyRules)
@answers(ask.turn, AdjacencyRules)
def adjacency_turn(rules: Any, board: NativeBoard) -> int:
    """Return the seat to move, 0 or 1, of a *board* by `adjacency_form`."""
    return signed(board[TURN_AT])


@answers(ask.over, WideAdjacencyRules)
@answers(ask.over, AdjacencyRules)
def adjacency_over(rules: Any, board: NativeBoard) -> bool:
    """Return whether the game is over: no ply is left, on a board of any size."""
    return bool(board[LEFT_AT] == ZERO)


@answers(ask.legal, AdjacencyRules)
def adjacency_legal(rules: AdjacencyRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the numbers of the empty cells to *moves* in ascending order; return how many they are.

    At the end of the game nothing is written, and 0 returned. *moves* is a pointer to words; they
    are written from index *first* on, and there must be room: not checked.
    """
    empty = rules.cells & ~(board[0] | board[1]) if board[3] else ZERO
    return list_cells(empty, ZERO, moves, first) - first


@answers(ask.play, AdjacencyRules)
def adjacency_play(rules: AdjacencyRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after a mark on cell *move*; it turns the rival marks beside it.

    *move* is the number of an empty cell: not checked. Both boards are laid out as by
    `adjacency_form`; the seat to move changes, so the rival's marks come first then.
    """
    turned = rules.beside[move] & board[1]
    return board[1] ^ turned, board[0] | turned | ONE << Word(move), ONE - board[2], board[3] - ONE


@answers(ask.margin, AdjacencyRules)
def adjacency_margin(rules: AdjacencyRules, board: NativeBoard, seat: int) -> float:
    """Return the marks of *seat* (0 or 1) less those of its rival, on at most 64 cells."""
    ahead = cell_count(board[0]) - cell_count(board[1])
    return float(ahead if seat == signed(board[2]) else -ahead)


@answers(ask.evaluate, AdjacencyRules)
def _evaluate(rules: AdjacencyRules, board: NativeBoard, seat: int) -> float:
    """Return the estimate for *seat* in marks: its lead + rules.safe * its lead in safe marks.

    *seat* is 0 or 1. A mark is safe if no empty cell is beside it. At the end it is the lead.
    """
    own, rival = board[0], board[1]
    empty = rules.cells & ~(own | rival)
    exposed = (empty & rules.not_last) << ONE | empty >> ONE & rules.not_last
    exposed |= empty << rules.columns | empty >> rules.columns
    ahead = float(cell_count(own) - cell_count(rival))
    if board[3]:
        ahead += rules.safe * float(cell_count(own & ~exposed) - cell_count(rival & ~exposed))
    return ahead if seat == signed(board[2]) else -ahead


# The same on larger boards.

RIVAL_AT = 4
"""Index of the first of the four words of the rival's marks."""


@native(inline=True)
def empty_cells(rules: WideAdjacencyRules, board: NativeBoard) -> NativeBoard:
    """Return the cells without a mark as a bitboard of four words, the lowest bits first.

    *board* must be one of more than 64 cells: not checked.
    """
    one, two = ~(board[0] | board[4]), ~(board[1] | board[5])
    three, four = ~(board[2] | board[6]), ~(board[3] | board[7])
    cells = rules.cells
    return one & cells[0], two & cells[1], three & cells[2], four & cells[3]


@answers(ask.legal, WideAdjacencyRules)
def _wide_legal(rules: WideAdjacencyRules, board: NativeBoard, moves: Any, first: int) -> int:
    """Write the numbers of the empty cells to *moves* in ascending order; return how many they are.

    At the end of the game nothing is written, and 0 returned. *moves* is a pointer to words; they
    are written from index *first* on, and there must be room: not checked.
    """
    at = first
    if board[LEFT_AT]:
        empty = empty_cells(rules, board)
        for word in range(4):
            at = list_cells(empty[word], Word(64 * word), moves, at)
    return at - first


@native(inline=True)
def beside_and(
    rules: WideAdjacencyRules, cell: int, board: NativeBoard, first: int
) -> tuple[Word, Word, Word, Word]:
    """Return the cells beside *cell* that are in a bitboard of *board*, as four words.

    *cell* is a number; the bitboard is the four words of *board* from index *first* on. The lowest
    bits come first.
    """
    beside, at = rules.beside, 4 * cell
    one, two = beside[at] & board[first], beside[at + 1] & board[first + 1]
    return one, two, beside[at + 2] & board[first + 2], beside[at + 3] & board[first + 3]


@answers(ask.play, WideAdjacencyRules)
def _wide_play(rules: WideAdjacencyRules, board: NativeBoard, move: int) -> NativeBoard:
    """Return the board after a mark on cell *move*: the rival marks beside it are turned.

    *move* is the number of an empty cell: not checked. Both boards are laid out as by
    `adjacency_form`; the seat to move changes, so the rival's marks come first then.
    """
    one, two, three, four = beside_and(rules, move, board, RIVAL_AT)
    after = (
        board[4] ^ one,
        board[5] ^ two,
        board[6] ^ three,
        board[7] ^ four,
        board[0] | one,
        board[1] | two,
        board[2] | three,
        board[3] | four,
        ONE - board[TURN_AT],
        board[LEFT_AT] - ONE,
    )
    return with_cell(after, RIVAL_AT, Word(move))


@native(inline=True)
def lead(board: NativeBoard) -> int:
    """Return the marks of the seat to move less those of its rival.

    *board* must be one of more than 64 cells: not checked.
    """
    ahead = 0
    for word in range(4):
        ahead += signed(popcount(board[word])) - signed(popcount(board[RIVAL_AT + word]))
    return ahead


@answers(ask.margin, WideAdjacencyRules)
def wide_margin(rules: WideAdjacencyRules, board: NativeBoard, seat: int) -> float:
    """Return the marks of *seat* (0 or 1) less those of its rival, on more than 64 cells."""
    ahead = lead(board)
    return float(ahead if seat == signed(board[TURN_AT]) else -ahead)


@answers(ask.evaluate, WideAdjacencyRules)
def _wide_evaluate(rules: WideAdjacencyRules, board: NativeBoard, seat: int) -> float:
    """Return the estimate for *seat* in marks: its lead + rules.safe * its lead in safe marks.

    *seat* is 0 or 1. A mark is safe if no empty cell is beside it. At the end it is the lead.
    """
    ahead = float(lead(board))
    if board[LEFT_AT]:
        empty, safe = empty_cells(rules, board), 0
        for word in range(4):
            for mine in range(2):
                marks = board[word] if mine else board[RIVAL_AT + word]
                while marks:
                    one, two, three, four = beside_and(
                        rules, 64 * word + signed(lowest(marks)), empty, 0
                    )
                    if one | two | three | four == ZERO:
                        safe += 1 if mine else -1
                    marks &= marks - ONE
        ahead += rules.safe * float(safe)
    return ahead if seat == signed(board[TURN_AT]) else -ahead
