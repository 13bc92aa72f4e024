"""The table of the shared alpha-beta: what is kept comes back, and half an entry is none."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from typing import Any

import numpy as np
import pytest

from papan.engine import transpositions
from papan.engine import workspace as at
from papan.engine.control import Words
from papan.engine.native import native, words_at
from papan.engine.workspace import Workspace

KEY = 0x9E3779B97F4A7C15
FRAME = at.FRAMES


@native()
def recall(words):
    """Ask the table for the first frame."""
    return transpositions.recall(words_at(words.ctypes.data), FRAME)


@native()
def remember(words):
    """Keep what the first frame came to."""
    transpositions.remember(words_at(words.ctypes.data), FRAME)


class Book:
    """A workspace with a table, of which only the first frame is used."""

    def __init__(self, buckets: int = 4) -> None:
        self.workspace = Workspace(widest=2, deepest=2)
        self.use(np.zeros(buckets * transpositions.BUCKET, np.uint64))
        self.workspace.words[[at.REMEMBERS, at.HORIZON]] = 1, 6

    def use(self, words: Words) -> None:
        self.transpositions = words
        self.workspace.words[at.TRANSPOSITIONS] = words.ctypes.data
        self.workspace.words[at.MASK] = words.size // transpositions.BUCKET - 1

    def frame(self, key: int, window: tuple[float, float], ply: int = 2, **facts: Any) -> None:
        self.workspace.words[FRAME + at.KEY], self.workspace.words[FRAME + at.PLY] = key, ply
        self.workspace.numbers[[FRAME + at.ALPHA, FRAME + at.BETA]] = window
        self.workspace.words[FRAME + at.CHOICE] = facts.get("choice", 1)
        self.workspace.words[FRAME + at.SEEN_GUESSES] = facts.get("seen", 0)
        self.workspace.words[FRAME + at.HINT] = 0

    def keep(self, key: int, window: tuple[float, float], score: float, **facts: Any) -> None:
        self.frame(key, window, **facts)
        self.workspace.numbers[FRAME + at.BEST] = score
        remember(self.workspace.words)

    def ask(self, key: int, above: float, **facts: Any) -> float | None:
        """The score that the table has for the question whether a position is worth more."""
        self.frame(key, (above, np.nextafter(above, np.inf)), **facts)
        return (
            float(self.workspace.numbers[FRAME + at.BEST]) if recall(self.workspace.words) else None
        )

    @property
    def hint(self) -> int:
        return int(self.workspace.words[FRAME + at.HINT])


def test_an_exact_score_answers_both_ways() -> None:
    book = Book()
    book.keep(KEY, (-1.0, 1.0), 0.25, choice=3)
    assert (book.ask(KEY, 0.0), book.hint) == (0.25, 3)
    assert book.ask(KEY, 0.5) == 0.25


def test_a_bound_answers_one_way() -> None:
    book = Book()
    book.keep(KEY, (-1.0, 0.25), 0.25)  # at least
    assert book.ask(KEY, 0.0) == 0.25
    assert book.ask(KEY, 0.25) is None
    book.keep(KEY, (0.5, 1.0), 0.5)  # and at most
    assert book.ask(KEY, 0.5) == 0.5
    assert book.ask(KEY, 0.0) == 0.25, "what was known before is kept"
    assert book.ask(KEY, 0.3) is None


def test_an_open_window_gets_a_move_but_no_answer() -> None:
    book = Book()
    book.keep(KEY, (-1.0, 1.0), 0.25, choice=2)
    book.frame(KEY, (-1.0, 1.0))
    assert not recall(book.workspace.words)
    assert book.hint == 2


def test_another_ply_or_a_farther_horizon_is_not_answered() -> None:
    book = Book()
    book.workspace.words[at.GUESSES] = 1
    book.keep(KEY, (-1.0, 1.0), 0.25, seen=0)  # it rests on a guess
    assert book.ask(KEY, 0.0, ply=3) is None
    assert book.ask(KEY, 0.0) == 0.25
    book.workspace.words[at.HORIZON] = 7
    assert book.ask(KEY, 0.0) is None
    assert book.hint == 1


def test_what_met_no_horizon_is_true_for_every_horizon() -> None:
    book = Book()
    book.keep(KEY, (-1.0, 1.0), 0.25)
    book.workspace.words[at.HORIZON] = 20
    assert book.ask(KEY, 0.0) == 0.25


@pytest.mark.parametrize("word", range(transpositions.ENTRY))
def test_an_entry_that_was_half_overwritten_is_not_recognised(word: int) -> None:
    book = Book()
    book.keep(KEY, (-1.0, 1.0), 0.25)
    (used,) = np.flatnonzero(book.transpositions[transpositions.FACTS :: transpositions.ENTRY])
    book.transpositions[int(used) * transpositions.ENTRY + word] ^= np.uint64(1 << 40)
    assert book.ask(KEY, 0.0) is None


def test_positions_nearer_to_the_root_stay() -> None:
    book = Book(buckets=1)
    for number in range(1, 6):
        book.keep(number, (-1.0, 1.0), float(number), ply=number)
    assert book.ask(1, 0.0, ply=1) == 1.0
    assert book.ask(5, 0.0, ply=5) == 5.0, "and the last one is there"
    assert book.ask(3, 0.0, ply=3) is None
    assert book.workspace.words[at.STORED] == 2


def test_a_larger_table_takes_over_what_was_known() -> None:
    book = Book(buckets=8)
    keys = [KEY * number % 2**64 for number in range(1, 9)]
    for number, key in enumerate(keys):
        book.keep(key, (-1.0, 100.0), float(number))
    known = [book.ask(key, -0.5) for key in keys]
    larger: Words = np.zeros(64 * transpositions.BUCKET, np.uint64)
    transpositions.move_in(book.transpositions, larger)
    book.use(larger)
    assert [book.ask(key, -0.5) for key in keys] == known
    assert len(set(known)) > 4
