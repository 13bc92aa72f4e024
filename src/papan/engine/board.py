"""What a game tells the compiled searches: declared here once, answered by each game's own rules.

A board is a tuple of 64-bit words: four where that is enough, else as many as the size of the game
takes. Its *rules* are a named tuple whose type tells which game it is; the words in it are what the
rules look up. Seats are 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

import numba  # noqa: F401 - whole, before any part of it: see `papan.engine`
import numpy as np
from numba.cpython.unsafe import tuple as tuples
from numba.extending import overload

from papan.engine.native import ONE, OPTIONS, WORD, Word, lowest, native, store

Board: TypeAlias = tuple[Word, ...]

U = np.uint64
SIX, SIXTY_THREE = U(6), U(63)
with_word: Any = tuples.tuple_setitem
"""A tuple of words with another word at a place."""


def turn(rules: Any, board: Any) -> Any:
    """The seat that moves next."""
    _only_compiled()


def over(rules: Any, board: Any) -> Any:
    """Is there no legal move?"""
    _only_compiled()


def legal(rules: Any, board: Any, moves: Any, first: Any) -> Any:
    """Write the legal moves to the words *moves*, from place *first* on; how many there are.

    They are those of the plain rules, in the same order.
    """
    _only_compiled()


def play(rules: Any, board: Any, move: Any) -> Any:
    """The board after a legal move."""
    _only_compiled()


def margin(rules: Any, board: Any, seat: Any) -> Any:
    """How far *seat* is ahead."""
    _only_compiled()


def evaluate(rules: Any, board: Any, seat: Any) -> Any:
    """The game's guess of the final margin of *seat*, the same number as in plain Python."""
    _only_compiled()


def weights(rules: Any, board: Any, found: Any, first: Any) -> Any:
    """Write which learned weights make the guess of the seat to move; how many there are.

    Each is twice the number of a weight, and one more where it counts against that seat.
    """
    _only_compiled()


def _only_compiled() -> NoReturn:
    raise NotImplementedError("only compiled code asks this")


def answers(question: Callable[..., Any], rules: type) -> Callable[[Callable[..., Any]], Any]:
    """Declare how the game with these *rules* answers a question: for a function of that name."""

    _name_apart(rules)

    def declare(answer: Callable[..., Any]) -> Callable[..., Any]:
        def choose(kind: Any, *others: Any) -> Any:
            return answer if getattr(kind, "instance_class", None) is rules else None

        overload(question, jit_options=dict(OPTIONS), strict=False)(choose)
        return answer

    return declare


_known_rules: list[type] = []


def _name_apart(rules: type) -> None:
    """Give *rules* a name that no others have, also where a notebook declares their class anew.

    Numba tells compiled code apart by the names of types alone: of two games whose rules have one
    name and fields of the same types, the second would be searched by the rules of the first.
    """
    if rules in _known_rules:
        return
    place = f"{rules.__module__}.{rules.__qualname__}"
    before = [f"{each.__module__}.{each.__qualname__}" for each in _known_rules].count(place)
    rules.__name__ = f"{place} {before + 1}" if before else place
    _known_rules.append(rules)


@native(WORD(WORD), inline=True)
def mixed(word: Word) -> Word:
    """A word in which every bit of *word* counts; different words stay different."""
    word = (word ^ word >> U(32)) * U(0xD6E8FEB86659FD93)
    word = (word ^ word >> U(32)) * U(0xD6E8FEB86659FD93)
    return word ^ word >> U(32)


@native(inline=True)
def key(board: Board) -> Word:
    """A word that tells boards apart."""
    word = mixed(board[0] + U(0x9E3779B97F4A7C15))
    for at in range(1, len(board)):
        word = mixed(word ^ board[at] if at & 1 else word + board[at])
    return word


# Sets of cells over several words of a board, from one of its places on.


def packed(cells: int, count: int) -> tuple[Word, ...]:
    """A set of cells as so many words."""
    return tuple(U(cells >> 64 * word & 2**64 - 1) for word in range(count))


@native(inline=True)
def list_cells(cells: Word, add: Word, moves: Any, at: int) -> int:
    """Write the cells of a word to *moves*, each plus *add*, from a place on: where they end."""
    while cells:
        store(moves, at, add + lowest(cells))
        cells &= cells - ONE
        at += 1
    return at


@native(inline=True)
def has(board: Board, first: int, cell: Word) -> bool:
    """Is *cell* in the set that begins at the word *first*?"""
    return bool(board[np.int64(first + np.int64(cell >> SIX))] >> (cell & SIXTY_THREE) & ONE)


@native(inline=True)
def with_cell(board: Board, first: int, cell: Word) -> Board:
    """The board with *cell* in that set."""
    at = np.int64(first + np.int64(cell >> SIX))
    changed: Board = with_word(board, at, board[at] | ONE << (cell & SIXTY_THREE))
    return changed
