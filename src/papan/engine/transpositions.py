"""The transposition table of the shared alpha-beta: bounds of scores, depth searched, best move.

An entry is four words, the last of them a check: the position's key mixed with the other three. So
an entry that another thread has half overwritten is not recognised, and no locks are needed. A
bucket of two entries is one line of the machine's cache.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from papan.engine.memory import address, fill, kind, layout, records_at
from papan.engine.native import ONE, TWO, WORD, ZERO, Word, kinds, native, span
from papan.engine.workspace import WORKSPACE, Workspace

NUMBER = kinds.int64
KNOWN = kinds.Tuple((kinds.float64, kinds.float64, WORD, kinds.boolean))
Known: TypeAlias = tuple[float, float, Word, bool]
"""Bounds of a score, the best move plus 1 or 0, and whether no bound is a guess."""


class Entry:
    """A position in the table."""

    low: float
    high: float
    """The bounds of its score."""
    reach: np.uint16
    """The horizon of the search, or COMPLETE if that met none."""
    ply: np.uint16
    choice: np.uint32
    """The best move plus 1; 0 where there is none."""
    check: Word


class EntryWords:
    """The same as bare words."""

    low: Word
    high: Word
    facts: Word
    check: Word


COMPLETE = 0xFFFF
entry_at, words_of = records_at(Entry), records_at(EntryWords)


@native(WORD(kind(EntryWords)), inline=True)
def key_of(words: EntryWords) -> Word:
    """The key of the position in an entry."""
    return words.low ^ words.high ^ words.facts ^ words.check


@native(NUMBER(WORD, WORD, WORD), inline=True)
def found(transpositions: Word, bucket: Word, key: Word) -> int:
    """The place of a position in its bucket, 0 or 1; -1 if it is not there."""
    for place in range(2):
        words = words_of(transpositions, bucket + Word(place))
        if key_of(words) == key and words.facts:
            return place
    return -1


@native(KNOWN(WORKSPACE, NUMBER, WORD))
def recall(workspace: Workspace, ply: int, key: Word) -> Known:
    """What the table knows of a position, as far as that is of use at this ply and horizon."""
    if not workspace.remembers:
        return -np.inf, np.inf, ZERO, True
    workspace.probes += 1
    bucket = (key & workspace.mask) * TWO
    place = found(workspace.transpositions, bucket, key)
    if place < 0:
        return -np.inf, np.inf, ZERO, True
    entry = entry_at(workspace.transpositions, bucket + Word(place))
    hint, reach = Word(entry.choice), int(entry.reach)
    if int(entry.ply) != ply or reach < workspace.horizon:
        return -np.inf, np.inf, hint, True  # the distance to a win counts from the root
    return entry.low, entry.high, hint, reach == COMPLETE


@native(kinds.void(WORKSPACE, NUMBER, WORD, KNOWN))
def remember(workspace: Workspace, ply: int, key: Word, known: Known) -> None:
    """Keep what is known of a position, as `recall` gives it: over what was, over what is stale or
    deeper in the tree, or in the second place.
    """
    if not workspace.remembers:
        return
    low, high, choice, sure = known
    reach = COMPLETE if sure else workspace.horizon
    bucket = (key & workspace.mask) * TWO
    place = found(workspace.transpositions, bucket, key)
    entry = entry_at(workspace.transpositions, bucket + Word(max(place, 0)))
    words = words_of(workspace.transpositions, bucket + Word(max(place, 0)))
    if place >= 0 and int(entry.reach) == reach:
        low, high = max(low, entry.low), min(high, entry.high)
    if place < 0:
        if words.facts and int(entry.ply) < ply and int(entry.reach) >= workspace.horizon:
            entry = entry_at(workspace.transpositions, bucket + ONE)
            words = words_of(workspace.transpositions, bucket + ONE)
        workspace.stored += words.facts == ZERO
    entry.low, entry.high = low, high
    entry.reach, entry.ply, entry.choice = np.uint16(reach), np.uint16(ply), np.uint32(choice)
    words.check = ZERO
    words.check = key ^ key_of(words)


@native(kinds.void(WORD, WORD, WORD, WORD))
def move_in(old: Word, old_count: Word, new: Word, new_count: Word) -> None:
    """Fill an empty table with the entries of a smaller one; counts are of entries."""
    mask = new_count // TWO - ONE
    for number in span(ZERO, old_count):
        source = words_of(old, number)
        if source.facts:
            place = (key_of(source) & mask) * TWO
            if words_of(new, place).facts:
                place += ONE
            target = words_of(new, place)
            target.low, target.high = source.low, source.high
            target.facts, target.check = source.facts, source.check


class Table:
    """A transposition table of so many entries, a power of two."""

    def __init__(self, entries: int) -> None:
        self.entries = np.zeros(entries, layout(Entry))

    def grow(self, entries: int) -> None:
        """Make room for more entries, if there is less; what was known stays."""
        if entries > self.entries.size:
            old, self.entries = self.entries, np.zeros(entries, layout(Entry))
            move_in(address(old), Word(old.size), address(self.entries), Word(entries))

    def lend(self, workspace: Workspace) -> None:
        """Let a search use the table."""
        mask = self.entries.size // 2 - 1
        fill(workspace, transpositions=address(self.entries), mask=mask)
