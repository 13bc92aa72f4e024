"""The memory of the shared alpha-beta: records for each ply, and what Python reads from them.

First the records, then `SearchMemory`, which owns them: it prepares a search, runs it, and reads
its results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from papan.core import Native, Thinking
from papan.engine.board import for_kernels
from papan.engine.control import Words, run_within
from papan.engine.memory import Row, address_of, copy, fill, kind, layout, new, records_at
from papan.engine.native import ONE, TWO, ZERO, Word, kinds, native, span
from papan.engine.solver import RootScore
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

LEAF, SEARCHED, CUT = range(3)
"""States of an emitted node: a leaf, searched to the end, or cut off."""
STATES = ("leaf", "full", "cut")
"""The names of these states in events, by number."""


class PlyFrame:
    """The position at one ply of the line being searched: moves, event node, killer moves.

    A ply is counted from the root, 0.
    """

    first: int
    """Index of its first move among the moves of all frames."""
    count: int
    """Number of its moves."""
    node: int
    """The number of its emitted node."""
    killers: Annotated[Row[Word], 2, 2]
    """For each seat the two moves that cut off here last, each plus 1; 0 for none."""


class RootMove:
    """The result of the search for one move at the root, as the kernel writes it."""

    score: float
    """Score for the seat to move at the root; an upper bound if not above those before it."""
    nodes: int
    """Nodes counted in all when the move was done."""
    doubts: int
    """Guesses and faults counted in all by then."""


class Emitted:
    """A node of the tree for events, from the point of view of the seat to move at the root."""

    up: int
    """The number of its parent, in the order in which nodes were recorded; 0 for the root, too."""
    move: Word
    """The move that leads to it; of the root it means nothing."""
    mine: bool
    """True if the seat at the root is to move."""
    by_transposition: bool
    """True if the transposition table answered for it."""
    state: int
    """LEAF, CUT or SEARCHED."""
    score: float
    """Its score, as all scores here for the seat to move at the root."""
    low: float
    """Lower end of the window in which it was searched."""
    high: float
    """Upper end of that window."""


class AlphaBetaWorkspace:
    """One search: its settings, its counts, and the addresses of its arrays.

    Scores are margins in points, but for wins and losses as `win` says.
    """

    controls: Word
    """Address of the words shared with the caller: `papan.engine.control`."""
    horizon: int
    """Plies to look ahead."""
    prunes: bool
    """False: plain minimax."""
    orders: bool
    """True if moves are sorted by weight."""
    remembers: bool
    """True if there is a transposition table."""
    win: float
    """The score of a win at ply p is win - p, of a loss p - win."""
    won_from: float
    """From this absolute margin on a finished game is scored as a win or a loss, else by its
    margin.
    """
    win_margin: float
    """The margin that the score of a win stands for."""
    standing: int
    """State of the search, running or why it has stopped: see `papan.engine.control`."""
    seat: int
    """The seat to move at the root."""

    guesses: int
    """Scores of this round that rest on evaluations at the horizon."""
    faults: int
    """Scores of finished games with an ambiguous margin: a win later than `win` plies, or one whose
    margin is not `win_margin`.
    """
    pruned: int
    """Moves that were skipped after a cutoff."""
    probes: int
    """Lookups in the transposition table."""
    hits: int
    """Lookups that answered."""
    stored: int
    """Positions in the table."""

    frames: Word
    """Address of the `PlyFrame` of each ply."""
    lines: Word
    """Address of the best line from each ply, then the line after each move at the root; each is
    its length, then the moves.
    """
    line_room: int
    """Words reserved for a line: its length, then the moves."""
    root_lines: int
    """The number of the first line of a move at the root."""
    root_moves: Word
    """Address of the `RootMove` of each move at the root."""
    finished: int
    """Number of moves at the root that are done."""
    moves: Word
    """Address of the moves of all frames, one frame after the other."""
    weights: Word
    """Address of the weight of each of these moves in the move order."""
    history: Word
    """Address of the sum of (horizon - ply)² over its cutoffs, for each seat and move."""
    move_count: int
    """Number of moves of the game, legal or not: the length of a seat's part of the history."""
    emitted: Word
    """Address of the nodes for events, records of `Emitted`."""
    emitted_count: int
    """Number of these nodes so far."""
    most_emitted: int
    """Nodes that there is room for."""
    emitted_plies: int
    """The deepest ply whose nodes are emitted; -1: none."""
    transpositions: Transpositions
    """The transposition table; empty of fields, all 0, unless `remembers`."""


class AlphaBetaEntry:
    """An entry of the transposition table: the bounds of a position's score."""

    facts: Word
    """Horizon, ply and best move: see `papan.engine.alphabeta`; 0 for an empty entry."""
    check: Word
    """See `papan.engine.transpositions`."""
    low: float
    """Lower bound of its score."""
    high: float
    """Upper bound of its score."""


ALPHABETA_BUCKET = TWO, Word(4)
PLY_FRAME, ALPHABETA_WORKSPACE = kind(PlyFrame), kind(AlphaBetaWorkspace)
ply_frame_at, root_move_at, emitted_at = (
    records_at(PlyFrame),
    records_at(RootMove),
    records_at(Emitted),
)
entry_at = records_at(AlphaBetaEntry)


@native(kinds.void(TRANSPOSITIONS, TRANSPOSITIONS))
def move_in(old: Transpositions, table: Transpositions) -> None:
    """Copy the entries of the table *old* into *table*, which is larger and empty.

    Each bucket becomes several, so that there is room for all.
    """
    for number in span(ZERO, ALPHABETA_BUCKET[0] << old.key_bits):
        source = entry_at(old.entries, number)
        if source.facts:
            name = rest_at(old, ALPHABETA_BUCKET, number, source.facts)
            key = low_bits(table, name), name
            place = first_place(table, ALPHABETA_BUCKET, key)
            if data_at(table, ALPHABETA_BUCKET, place):
                place += ONE
            target = entry_at(table.entries, place)
            target.low, target.high = source.low, source.high
            put_entry(table, ALPHABETA_BUCKET, place, key, source.facts)


class EmittedNode(NamedTuple):
    """A node of the tree for events, as Python reads it, seen by the seat to move at the root.

    Scores are margins in points, but for wins and losses as `AlphaBetaWorkspace.win` says.
    """

    up: int
    """The index of its parent in the list of nodes; 0 for the root, too."""
    move: int
    """The move that leads to it; of the root it means nothing."""
    mine: bool
    """True if the seat at the root is to move."""
    by_transposition: bool
    """True if the transposition table answered for it."""
    state: str
    """One of `STATES`: leaf, full or cut."""
    score: float
    """Its score."""
    low: float
    """Lower end of the window in which it was searched; may be infinite."""
    high: float
    """Upper end of that window; may be infinite."""


class SearchMemory:
    """The workspace of a search of one position, and all arrays that it points to."""

    def __init__(
        self, form: Native, move_count: int = 0, emitted: int = 0, plies: int = -1
    ) -> None:
        """Reserve the memory of a search of the position with the native form *form*; no table yet.

        *move_count* is the number of moves of the game, 0 if there is no history; *emitted* the
        most tree nodes that are recorded for events, *plies* the deepest ply of them (-1: none).
        """
        self.form, frames = form, form.deepest + 2
        self.rules = for_kernels(form.rules)
        self.frames = np.zeros(frames, layout(PlyFrame))
        self.lines: Words = np.zeros((frames + form.widest, frames), np.uint64)
        self.root_moves = np.zeros(form.widest, layout(RootMove))
        self.moves: Words = np.zeros((2, form.widest * frames + 1), np.uint64)
        self.history: Words = np.zeros(2 * move_count, np.uint64)
        self._emitted = np.zeros(emitted, layout(Emitted))
        self.table = Table(ALPHABETA_BUCKET, 0)
        self.workspace = new(
            AlphaBetaWorkspace,
            frames=address_of(self.frames),
            lines=address_of(self.lines),
            line_room=frames,
            root_lines=frames,
            root_moves=address_of(self.root_moves),
            moves=address_of(self.moves),
            weights=address_of(self.moves[1]),
            history=address_of(self.history),
            move_count=move_count,
            emitted=address_of(self._emitted),
            most_emitted=emitted,
            emitted_plies=plies,
            won_from=np.inf,
        )

    def make_room(self, entries: int) -> None:
        """Enlarge the table to *entries*, a power of two from 2 on (not checked), with its content.

        An entry takes 32 bytes. Nothing is done if it has as many already, or more.
        """
        buckets = entries // 2
        if buckets > self.table.most_buckets:
            old, before = self.table, copy(self.workspace.transpositions)
            self.table, key_bits = Table(ALPHABETA_BUCKET, buckets), buckets.bit_length() - 1
            fill(self.workspace, transpositions=self.table.fields(key_bits, buckets))
            if old.most_buckets:
                move_in(before, self.workspace.transpositions)

    def look(
        self, search: Callable[..., int], order: Sequence[int], horizon: float, budget: Thinking
    ) -> None:
        """Score the root moves *order*, in this order, *horizon* plies deep (inf: to the end).

        *search* is the kernel `papan.engine.alphabeta.look`; the scores are read by `root_scores`.
        The moves must be legal: not checked. Raise OutOfBudget if *budget* is spent before; the
        scores found by then can be read.
        """
        fresh = dict.fromkeys(("finished", "guesses", "faults", "emitted_count"), 0)
        fill(self.workspace, horizon=int(min(horizon, self.form.deepest + 1)), **fresh)
        self._began = budget.nodes + 1  # the root is a node
        self.moves[0, : len(order)] = order
        self.frames["first"][1] = len(order)

        def run(controls: Words) -> int:
            """Run the kernel with these control words; return its GOES_ON, OUT_OF_NODES or STOPPED.

            These are numbers of `papan.engine.control`.
            """
            fill(self.workspace, controls=address_of(controls))
            return search(self.rules, self.form.board, self.workspace, len(order))

        run_within(budget, run)

    def root_scores(self) -> Iterator[RootScore]:
        """Yield the result of the last `look` for each root move in its order, as far as it came.

        Scores are for the seat to move at the root; a stopped search has fewer.
        """
        lines, finished = self.lines[int(self.workspace.root_lines) :], int(self.workspace.finished)
        before = self._began, 0
        for line, found in zip(lines, self.root_moves[:finished].tolist()):
            score, nodes, doubts = found
            moves = line[1 : int(line[0]) + 1].tolist()
            yield RootScore(
                without_fraction(score), nodes - before[0], doubts - before[1], tuple(moves)
            )
            before = nodes, doubts

    def emitted(self) -> list[EmittedNode]:
        """Return the nodes recorded in the last `look`, parents before children; empty for none."""
        return [
            EmittedNode(
                up, move, mine, by_transposition, STATES[state], *map(without_fraction, numbers)
            )
            for up, move, mine, by_transposition, state, *numbers in self._emitted[
                : int(self.workspace.emitted_count)
            ].tolist()
        ]


def without_fraction(number: float) -> float:
    """Return a whole number as an int, so that 2 is not shown as 2.0, nor 0 as -0.0.

    Others, infinite ones too, are returned unchanged.
    """
    return int(number) if number.is_integer() else number
