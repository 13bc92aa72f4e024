"""Adjacency on at most 64 cells for the shared searches.

A board is the marks of the seat to move, those of its rival, the turn, and the plies left.
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
from papan.engine.native import ONE, ZERO, lowest, store
from papan.games.adjacency.evaluate import SAFE
from papan.games.adjacency.kernel_board import count

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


def form(position: AdjacencyPosition) -> Native:
    """The position for the shared searches."""
    own, rival = position.marks[position.turn], position.marks[1 - position.turn]
    left = position.plies_left
    board = U(own), U(rival), U(position.turn), U(left)
    return Native(rules(position.game), board, position.empty.bit_count(), left)


@answers(ask.turn, Rules)
def turn(rules, board):
    return np.int64(board[2])


@answers(ask.over, Rules)
def over(rules, board):
    return board[3] == ZERO


@answers(ask.legal, Rules)
def legal(rules, board, moves, first):
    at = first
    if board[3]:
        empty = rules.cells & ~(board[0] | board[1])
        while empty:
            store(moves, at, lowest(empty))
            empty &= empty - ONE
            at += 1
    return at - first


@answers(ask.play, Rules)
def play(rules, board, move):
    turned = rules.beside[move] & board[1]
    return board[1] ^ turned, board[0] | turned | ONE << U(move), ONE - board[2], board[3] - ONE


@answers(ask.margin, Rules)
def margin(rules, board, seat):
    ahead = count(board[0]) - count(board[1])
    return float(ahead if seat == np.int64(board[2]) else -ahead)


@answers(ask.evaluate, Rules)
def evaluate(rules, board, seat):
    own, rival = board[0], board[1]
    empty = rules.cells & ~(own | rival)
    exposed = (empty & rules.not_last) << ONE | empty >> ONE & rules.not_last
    exposed |= empty << rules.columns | empty >> rules.columns
    ahead = float(count(own) - count(rival))
    if board[3]:
        ahead += rules.safe * float(count(own & ~exposed) - count(rival & ~exposed))
    return ahead if seat == np.int64(board[2]) else -ahead
