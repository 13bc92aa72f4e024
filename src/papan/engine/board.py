"""What compiled searches ask a game: functions declared here, which each game's rules implement.

A board is a tuple of 64-bit words: four where that is enough, else as many as the size of the game
takes. Its *rules* are a named tuple whose type identifies the game; its fields are what the rules
look up. Seats are 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

import numba  # noqa: F401 - whole, before any part of it: see `papan.engine`
import numpy as np
from numba.core import types
from numba.core.datamodel.models import TupleModel
from numba.cpython.unsafe import tuple as tuples
from numba.extending import overload, register_model, typeof_impl

from papan.engine.native import ONE, OPTIONS, WORD, Word, kinds, lowest, native, store

NativeBoard: TypeAlias = tuple[Word, ...]
"""The words of a position; their meaning is the game's own."""

SIX, SIXTY_THREE = Word(6), Word(63)
with_word: Any = tuples.tuple_setitem
"""Return a tuple of words with one word replaced: (tuple, index, word)."""


def turn(rules: Any, board: Any) -> Any:
    """Return the seat to move, 0 or 1.

    *rules* and *board* are the fields of a `papan.core.Native`, the native form of a position.
    """
    _only_compiled()


def over(rules: Any, board: Any) -> Any:
    """Return whether the game is over: no move is legal.

    *rules* and *board* are the native form of a position, as in `turn`.
    """
    _only_compiled()


def legal(rules: Any, board: Any, moves: Any, first: Any) -> Any:
    """Write the legal moves to the words *moves*, from index *first* on; return their number.

    The moves are numbers, in the order of `Position.moves`; 0 of them if the game is over. *moves*
    is a pointer with room for all of them (not checked); *rules* and *board* are those of `turn`.
    """
    _only_compiled()


def play(rules: Any, board: Any, move: Any) -> Any:
    """Return the board, a tuple of words, after *move*, a number; that it is legal is not checked.

    *rules* and *board* are the native form of the position before; both stay as they are.
    """
    _only_compiled()


def margin(rules: Any, board: Any, seat: Any) -> Any:
    """Return the margin of *seat* (0 or 1) on the board as it is, in points, as a float.

    *rules* and *board* are the native form of a position, as in `turn`; the game need not be over.
    """
    _only_compiled()


def evaluate(rules: Any, board: Any, seat: Any) -> Any:
    """Return the game's estimate of the final margin of *seat* (0 or 1), in points, as a float.

    It equals the evaluation in plain Python, and is asked only of positions that are not over.
    *rules* and *board* are those of `turn`.
    """
    _only_compiled()


def weights(rules: Any, board: Any, found: Any, first: Any) -> Any:
    """Write which learned weights add up to the estimate for the seat to move; return how many.

    Each is written as one word: twice the index of the weight in the array of `CanLearn.learn`,
    plus 1 if the weight is subtracted. They go to the words *found*, a pointer, from index *first*
    on. *rules* and *board* are those of `turn`.
    """
    _only_compiled()


def _only_compiled() -> NoReturn:
    """Raise NotImplementedError: only compiled code asks these questions."""
    raise NotImplementedError("only compiled code asks this")


_kernel_types: dict[type, type] = {}
"""By the class of a game's rules, the type as which kernels get them: see `for_kernels`."""


def _kernel_type(rules: type) -> type:
    """Return a subclass of the class *rules* whose name is its module and qualified name; cached.

    Its attribute ``declared`` is *rules*. If a notebook declares a class of that name anew, the
    second name ends in `` 2``, the third in `` 3``.
    """
    if rules not in _kernel_types:
        name = f"{rules.__module__}.{rules.__qualname__}"
        names = [each.__module__ + "." + each.__qualname__ for each in _kernel_types]
        unique = f"{name} {names.count(name) + 1}" if name in names else name
        members = {"__module__": rules.__module__, "__slots__": (), "declared": rules}
        _kernel_types[rules] = type(unique, (rules,), members)
    return _kernel_types[rules]


class RulesType(types.NamedTuple):  # type: ignore[misc, name-defined]
    """The Numba type of the rules of a game, a named tuple.

    *fields* are the Numba types of its fields, in order; *rules* is the class of the named tuple.
    On the disk the type refers to that class, which another process can import.
    """

    def __init__(self, fields: tuple[Any, ...], rules: type) -> None:
        super().__init__(fields, _kernel_type(rules))

    def __reduce__(self) -> tuple[Any, ...]:
        return RulesType, (self.types, self.instance_class.declared)


register_model(RulesType)(TupleModel)


def _type_of_rules(rules: Any, context: Any) -> RulesType:
    """Return the Numba type of *rules*, a value of a class that `_kernel_type` has made.

    Numba calls it, with its own *context*, for each such argument of a kernel.
    """
    fields = (kinds.unliteral(typeof_impl(each, context)) for each in rules)
    return RulesType(tuple(fields), rules.declared)


def for_kernels(rules: Any) -> Any:
    """Return a copy of *rules*, a named tuple, whose type has the full name of its class.

    Pass the copy to kernels. Numba knows named tuples by ``__name__`` and the names and types of
    their fields alone: of two games whose rules are both called ``Rules``, the second would be
    searched by the rules of the first.
    """
    return _kernel_type(type(rules))(*rules)


def answers(question: Callable[..., Any], rules: type) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that registers a game's answer to *question*, such as `legal`.

    *question* is one of the functions above; *rules* is the class of the named tuple in
    `Native.rules`. The decorated function has the parameters of *question*, is compiled with the
    kernel that asks, and is returned unchanged.
    """
    kernel_type = _kernel_type(rules)
    typeof_impl.register(kernel_type)(_type_of_rules)

    def declare(answer: Callable[..., Any]) -> Callable[..., Any]:
        def choose(kind: Any, *others: Any) -> Any:
            asked = getattr(kind, "instance_class", None)
            return answer if asked in (rules, kernel_type) else None

        overload(question, jit_options=dict(OPTIONS), strict=False)(choose)
        return answer

    return declare


@native(WORD(WORD), inline=True)
def mixed(word: Word) -> Word:
    """Return a 64-bit hash of *word* in which every bit counts; no two words share one."""
    word = (word ^ word >> Word(32)) * Word(0xD6E8FEB86659FD93)
    word = (word ^ word >> Word(32)) * Word(0xD6E8FEB86659FD93)
    return word ^ word >> Word(32)


@native(inline=True)
def key(board: NativeBoard) -> Word:
    """Return a 64-bit hash of all words of *board*, at least one; different boards may share it."""
    word = mixed(board[0] + Word(0x9E3779B97F4A7C15))
    for at in range(1, len(board)):
        word = mixed(word ^ board[at] if at & 1 else word + board[at])
    return word


# Sets of cells over several words of a board, from one of its places on.


def packed(cells: int, count: int) -> tuple[Word, ...]:
    """Return a set of cells, an int with a bit for each, as *count* words, lowest bits first.

    Bits from 64 * *count* on are lost.
    """
    return tuple(Word(cells >> 64 * word & 2**64 - 1) for word in range(count))


@native(inline=True)
def list_cells(cells: Word, add: Word, moves: Any, at: int) -> int:
    """Write the bit index of each cell of *cells*, plus *add*, to *moves* from index *at* on.

    *cells* is a word with a bit for each cell; the lowest comes first. *moves* is a pointer to
    words with room for them. Return the index after the last word written; *at* if *cells* is 0.
    """
    while cells:
        store(moves, at, add + lowest(cells))
        cells &= cells - ONE
        at += 1
    return at


@native(inline=True)
def has(board: NativeBoard, first: int, cell: Word) -> bool:
    """Return whether *cell* is in the set of cells that begins at word *first* of the board.

    *cell* is a number from 0: bit *cell* % 64 of the word *first* + *cell* // 64. No bounds are
    checked.
    """
    return bool(board[np.int64(first + np.int64(cell >> SIX))] >> (cell & SIXTY_THREE) & ONE)


@native(inline=True)
def with_cell(board: NativeBoard, first: int, cell: Word) -> NativeBoard:
    """Return the board with *cell* added to the set of cells that begins at its word *first*.

    *cell* is a number from 0: bit *cell* % 64 of the word *first* + *cell* // 64. The board given
    stays as it is; no bounds are checked.
    """
    at = np.int64(first + np.int64(cell >> SIX))
    changed: NativeBoard = with_word(board, at, board[at] | ONE << (cell & SIXTY_THREE))
    return changed
