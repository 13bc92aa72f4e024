"""The table of the shared alpha-beta: what is kept comes back, and half an entry is none."""

import numpy as np
import pytest

from papan.core import Native
from papan.engine.alphabeta import recall, remember
from papan.engine.native import Word
from papan.engine.workspace import SearchMemory

KEY = 0x9E3779B97F4A7C15
INF = float("inf")
CHOICE = 3


class Book:
    """A workspace with a table."""

    def __init__(self, entries: int = 8) -> None:
        board = (Word(0),) * 4
        self.memory = SearchMemory(Native((), board, widest=2, deepest=2))
        self.memory.make_room(entries)
        self.workspace = self.memory.workspace
        self.workspace.remembers, self.workspace.horizon = True, 6

    def keep(self, key: int, low: float, high: float, ply: int = 2, sure: bool = True) -> None:
        remember(self.workspace, ply, Word(key), (low, high, Word(CHOICE), sure))

    def bounds(self, key: int, ply: int = 2) -> tuple[float, float]:
        return recall(self.workspace, ply, Word(key))[:2]

    def hint(self, key: int, ply: int = 2) -> int:
        return int(recall(self.workspace, ply, Word(key))[2])


def test_what_is_kept_comes_back() -> None:
    book = Book()
    book.keep(KEY, 0.25, 0.5)
    assert (book.bounds(KEY), book.hint(KEY)) == ((0.25, 0.5), CHOICE)
    assert (book.bounds(KEY + 1), book.hint(KEY + 1)) == ((-INF, INF), 0)


def test_bounds_of_the_same_search_add_up() -> None:
    book = Book()
    book.keep(KEY, 0.25, INF)
    book.keep(KEY, -INF, 0.5)
    assert book.bounds(KEY) == (0.25, 0.5)


def test_another_ply_or_a_farther_horizon_gets_a_move_but_no_bounds() -> None:
    book = Book()
    book.keep(KEY, 0.25, 0.25, sure=False)
    assert (book.bounds(KEY, ply=3), book.hint(KEY, ply=3)) == ((-INF, INF), CHOICE)
    assert book.bounds(KEY) == (0.25, 0.25)
    book.workspace.horizon = 7
    assert (book.bounds(KEY), book.hint(KEY)) == ((-INF, INF), CHOICE)


@pytest.mark.parametrize("sure", [True, False])
def test_bounds_at_another_ply_are_replaced_and_not_mixed(sure: bool) -> None:
    book = Book()
    book.keep(KEY, 0.5, 0.75, ply=4, sure=sure)
    book.keep(KEY, 0.25, INF, ply=2, sure=sure)
    assert book.bounds(KEY, ply=2) == (0.25, INF)
    assert book.bounds(KEY, ply=4) == (-INF, INF)
    assert book.workspace.stored == 1


def test_bounds_by_another_horizon_are_replaced_and_not_mixed() -> None:
    book = Book()
    book.keep(KEY, 0.5, 0.75, sure=False)
    book.workspace.horizon = 7
    book.keep(KEY, 0.25, INF, sure=False)
    assert book.bounds(KEY) == (0.25, INF)


def test_what_met_no_horizon_is_true_for_every_horizon() -> None:
    book = Book()
    book.keep(KEY, 0.25, 0.25)
    book.workspace.horizon = 20
    assert book.bounds(KEY) == (0.25, 0.25)
    assert recall(book.workspace, 2, Word(KEY))[3], "and it is no guess"


@pytest.mark.parametrize("word", range(4))
def test_an_entry_that_was_half_overwritten_is_not_recognised(word: int) -> None:
    book = Book()
    book.keep(KEY, 0.25, 0.25)
    words = book.memory.table.words.reshape(-1, 4)
    (used,) = np.flatnonzero(words[:, 0])
    words[used, word] ^= np.uint64(1 << 40)
    assert book.bounds(KEY) == (-INF, INF)


def test_positions_nearer_to_the_root_stay() -> None:
    book = Book(entries=2)
    for number in range(1, 6):
        book.keep(number, number, number, ply=number)
    assert book.bounds(1, ply=1) == (1, 1)
    assert book.bounds(5, ply=5) == (5, 5), "and the last one is there"
    assert book.bounds(3, ply=3) == (-INF, INF)
    assert book.workspace.stored == 2


def test_a_larger_table_takes_over_what_was_known() -> None:
    book = Book(entries=16)
    keys = [KEY * number % 2**64 for number in range(1, 9)]
    for number, key in enumerate(keys):
        book.keep(key, number, number)
    known = [book.bounds(key) for key in keys]
    book.memory.make_room(128)
    assert [book.bounds(key) for key in keys] == known
    assert len(set(known)) > 4


def test_a_table_that_is_switched_off_knows_nothing() -> None:
    book = Book()
    book.workspace.remembers = False
    book.keep(KEY, 0.25, 0.25)
    assert book.workspace.stored == book.workspace.probes == 0
    assert book.bounds(KEY) == (-INF, INF)
