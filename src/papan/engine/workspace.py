"""The workspace of the shared alpha-beta: what it keeps for each ply, and what it hands to Python.

Records first, then `SearchMemory`, which owns them: it sets out a search, runs it, and reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from papan.core import Native, Thinking
from papan.engine.control import Words, run_within
from papan.engine.memory import Row, address, copy, fill, kind, layout, new, records_at
from papan.engine.native import ONE, TWO, ZERO, Word, kinds, native, span
from papan.engine.transpositions import (
    TRANSPOSITIONS,
    Table,
    Transpositions,
    data_at,
    first_place,
    low_bits,
    put_entry,
    rest_at,
)

LEAF, FULL, CUT = range(3)
STATES = ("leaf", "full", "cut")


class Frame:
    """A position on the way from the root, one for each ply."""

    first: int
    count: int
    """Its moves among those of all frames: where they begin, how many they are."""
    node: int
    """The number of its emitted node."""
    killers: Annotated[Row[Word], 2, 2]
    """For each seat the two moves that cut here last, each plus 1; 0 for none."""


class RootMove:
    """What was found of a move at the root."""

    score: float
    nodes: int
    doubts: int
    """When it was done: the nodes counted, and the scores met that are not sure."""


class Emitted:
    """A node of the tree, for events, as the seat at the root sees it."""

    up: int
    """Its parent."""
    move: Word
    mine: bool
    """Is the seat at the root to move?"""
    by_transposition: bool
    state: int
    score: float
    low: float
    high: float


class Workspace:
    """One search: its settings, its counts, and the addresses of all else."""

    controls: Word
    horizon: int
    """How many plies to look ahead."""
    prunes: bool
    """Without pruning alpha-beta is minimax."""
    orders: bool
    remembers: bool
    win: float
    """The score of a win at once, less one for each ply until then."""
    won_from: float
    """From this margin on the end of a game is scored as a win, not by its margin."""
    win_margin: float
    """The margin that the score of a win stands for."""
    standing: int
    """Why the search has stopped, if it has: see `papan.engine.control`."""
    seat: int
    """The seat at the root."""

    guesses: int
    """Scores that rest on the horizon."""
    faults: int
    """Scores that do not tell the truth."""
    pruned: int
    probes: int
    """Questions to the transposition table; those answered; positions in it."""
    hits: int
    stored: int

    frames: Word
    lines: Word
    """The best play from each ply, then that after each move at the root; each has its length,
    then the moves."""
    line_room: int
    """Words for a line."""
    root_lines: int
    """The number of the first line of a move at the root."""
    root_moves: Word
    finished: int
    """How many moves at the root are done."""
    moves: Word
    """The moves of all frames one after the other; how promising they are."""
    weights: Word
    history: Word
    """How often each move of each seat was too good to be allowed."""
    move_count: int
    emitted: Word
    emitted_count: int
    most_emitted: int
    emitted_plies: int
    """Nodes of so many plies are emitted; -1: none."""
    transpositions: Transpositions


class Entry:
    """A position in the table."""

    facts: Word
    check: Word
    """See `papan.engine.transpositions`."""
    low: float
    high: float
    """The bounds of its score."""


BUCKET = TWO, Word(4)
FRAME, WORKSPACE = kind(Frame), kind(Workspace)
frame_at, root_move_at, emitted_at = records_at(Frame), records_at(RootMove), records_at(Emitted)
entry_at = records_at(Entry)


@native(kinds.void(TRANSPOSITIONS, TRANSPOSITIONS))
def move_in(old: Transpositions, table: Transpositions) -> None:
    """Fill an empty table with the entries of a smaller one."""
    for number in span(ZERO, BUCKET[0] << old.key_bits):
        source = entry_at(old.entries, number)
        if source.facts:
            name = rest_at(old, BUCKET, number, source.facts)
            key = low_bits(table, name), name
            place = first_place(table, BUCKET, key)
            if data_at(table, BUCKET, place):
                place += ONE
            target = entry_at(table.entries, place)
            target.low, target.high = source.low, source.high
            put_entry(table, BUCKET, place, key, source.facts)


class FoundMove(NamedTuple):
    """What a search found of a move at the root."""

    score: float
    nodes: int
    doubts: int
    """How many scores it rests on that are not sure."""
    line: tuple[int, ...]
    """The play after it."""


class EmittedNode(NamedTuple):
    """What a search tells of a node of its tree, as the seat at the root sees it."""

    up: int
    move: int
    mine: bool
    by_transposition: bool
    state: str
    score: float
    low: float
    high: float


class SearchMemory:
    """A workspace for the native form of a position, and all that it points to."""

    def __init__(
        self, form: Native, move_count: int = 0, emitted: int = 0, plies: int = -1
    ) -> None:
        """Room to order so many moves of either seat; to tell of so many nodes of some plies."""
        self.form, frames = form, form.deepest + 2
        self.frames = np.zeros(frames, layout(Frame))
        self.lines: Words = np.zeros((frames + form.widest, frames), np.uint64)
        self.root_moves = np.zeros(form.widest, layout(RootMove))
        self.moves: Words = np.zeros((2, form.widest * frames + 1), np.uint64)
        self.history: Words = np.zeros(2 * move_count, np.uint64)
        self._emitted = np.zeros(emitted, layout(Emitted))
        self.table = Table(BUCKET, 0)
        self.workspace = new(
            Workspace,
            frames=address(self.frames),
            lines=address(self.lines),
            line_room=frames,
            root_lines=frames,
            root_moves=address(self.root_moves),
            moves=address(self.moves),
            weights=address(self.moves[1]),
            history=address(self.history),
            move_count=move_count,
            emitted=address(self._emitted),
            most_emitted=emitted,
            emitted_plies=plies,
            won_from=np.inf,
        )

    def make_room(self, entries: int) -> None:
        """Let the table have so many entries at least, a power of two; what was known stays."""
        buckets = entries // 2
        if buckets > self.table.most_buckets:
            old, before = self.table, copy(self.workspace.transpositions)
            self.table, key_bits = Table(BUCKET, buckets), buckets.bit_length() - 1
            fill(self.workspace, transpositions=self.table.fields(key_bits, buckets))
            if old.most_buckets:
                move_in(before, self.workspace.transpositions)

    def look(
        self, search: Callable[..., int], order: Sequence[int], horizon: float, budget: Thinking
    ) -> None:
        """Score the moves at the root in this *order*, *horizon* plies ahead, within a budget."""
        fresh = dict.fromkeys(("finished", "guesses", "faults", "emitted_count"), 0)
        fill(self.workspace, horizon=int(min(horizon, self.form.deepest + 1)), **fresh)
        self._began = budget.nodes + 1  # the root is a node
        self.moves[0, : len(order)] = order
        self.frames["first"][1] = len(order)

        def run(controls: Words) -> int:
            fill(self.workspace, controls=address(controls))
            return search(self.form.rules, self.form.board, self.workspace, len(order))

        run_within(budget, run)

    def found(self) -> Iterator[FoundMove]:
        """What was found of the moves at the root, one after the other, as far as it came."""
        lines, finished = self.lines[int(self.workspace.root_lines) :], int(self.workspace.finished)
        before = self._began, 0
        for line, found in zip(lines, self.root_moves[:finished].tolist()):
            score, nodes, doubts = found
            moves = line[1 : int(line[0]) + 1].tolist()
            yield FoundMove(whole(score), nodes - before[0], doubts - before[1], tuple(moves))
            before = nodes, doubts

    def emitted(self) -> list[EmittedNode]:
        """The nodes of the tree for events, parents before children."""
        return [
            EmittedNode(up, move, mine, by_transposition, STATES[state], *map(whole, numbers))
            for up, move, mine, by_transposition, state, *numbers in self._emitted[
                : int(self.workspace.emitted_count)
            ].tolist()
        ]


def whole(number: float) -> float:
    """The same number, without a fraction where there is none: 2 and not 2.0, 0 and not -0.0."""
    return int(number) if number.is_integer() else number
