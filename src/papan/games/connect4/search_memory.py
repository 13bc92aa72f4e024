"""The memory of Connect 4's kernel: its workspace and table, and threads that share them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.core import Move
from papan.engine import memory
from papan.engine.control import MOST_NODES, NODES, STOP, UNBOUNDED, Words, controls, race
from papan.engine.transpositions import Table
from papan.games.connect4 import kernel
from papan.games.connect4.kernel import SEARCH_STOPPED
from papan.games.connect4.stones import BUCKET_BYTES, Layout, Stones, winning_cells

NODES_PER_BUCKET = 32
"""Nodes per bucket at which the table grows: a small one stays in the cache, and loses little."""


class Connect4Memory:
    """A workspace of the kernel with its controls and a table of at most *memory* bytes.

    The table is that of transpositions; it is larger only where the smallest one that can hold the
    board's keys is. For a search call `clear`, or on a table that was cleared before, `begin`; then
    `put` with a quiet position, then `search`. *layout* says how the board lies in words. Scores
    are those of the kernel: empty cells after a win // 2 + 1, negative for a loss, 0 for a draw.
    Raise ValueError if *memory* is below BUCKET_BYTES (64).
    """

    def __init__(self, layout: Layout, memory: int) -> None:
        self.layout, self.memory = layout, memory
        self.words = controls()
        self._record = connect4_workspace(layout)
        most_buckets = 1 << (memory // BUCKET_BYTES).bit_length() - 1
        self._transpositions = Table(
            kernel.CONNECT4_BUCKET, max(most_buckets, layout.smallest_transpositions)
        )
        self._most_nodes = UNBOUNDED
        self._search: Callable[[int, int], int] = kernel.compiled_search(layout.limbs, layout.lanes)
        self._name_fields()

    def _name_fields(self) -> None:
        """Store the address of `_record`, the workspace, and views of its fields by name.

        To look them up at each use is slow. Also write the address of the controls into the record.
        """
        self._address = self._record.ctypes.data
        self._fields = _views(self._record)
        self._table = _views(self._fields["transpositions"])
        self._root = _views(self._fields["frames"][0, :1])
        self._fields["controls"][0] = self.words.ctypes.data

    def clear(self, stones: Stones, most_nodes: float = inf) -> None:
        """Prepare for a search from *stones* with an empty table; nodes are counted from 0.

        The search may spend *most_nodes*; the table is small at first and grows.
        """
        table, buckets = self._transpositions, self.layout.smallest_transpositions
        table.words[: buckets * table.bucket_words] = 0
        self._fields["transpositions"][0] = table.fields(
            self.layout.key_bits, buckets, grow_at=buckets * NODES_PER_BUCKET
        )
        self.begin(stones, most_nodes)

    def begin(self, stones: Stones, most_nodes: float = inf) -> None:
        """Prepare for a search from *stones* that may spend *most_nodes*, and keep the table.

        Its entries are true in every position of the board; `clear` must have been called once: not
        checked. Nodes are counted from 0 again.
        """
        self.words[NODES], self._most_nodes = 0, UNBOUNDED if most_nodes == inf else int(most_nodes)
        images = not stones.own & self.layout.mirror(stones.rival)  # else no mirror image comes up
        self._fields["mirror"][0] = images

    @property
    def transposition_bytes(self) -> int:
        """Bytes of the part of the transposition table that is in use."""
        return BUCKET_BYTES << self.layout.key_bits - int(self._table["tag_bits"][0])

    @property
    def nodes(self) -> int:
        """Number of positions searched since `begin`."""
        return int(self.words[NODES])

    @property
    def spent(self) -> bool:
        """True if all nodes granted to `begin` have been used."""
        return self.nodes >= self._most_nodes

    @property
    def move(self) -> Move:
        """The column, from 0, by which the last search reached its goal.

        Of no meaning if it did not.
        """
        return int(self._fields["move"][0])

    @move.setter
    def move(self, move: Move) -> None:
        """Set the column, from 0, by which the last search reached its goal."""
        self._fields["move"][0] = move

    def put(self, stones: Stones, low: int, high: int) -> None:
        """Write the position *stones* as the root, with bounds of its score for the seat to move.

        *low* and *high* are what is known of the score, both included; the sign to stop is cleared.
        The position must be one in which `forced_line` finds no move, and not be over: not checked.
        """
        layout, root = self.layout, self._root
        threats = winning_cells(layout, stones.rival) & ~(stones.own | stones.rival)
        boards = {"mine": stones.own, "theirs": stones.rival, "their_wins": threats}
        for name, board in boards.items():
            root[name][0, :, 0] = layout.words_of(board)
        root["left"][0, 0] = layout.empty(stones.own | stones.rival)
        root["low"][0, 0], root["high"][0, 0], root["same"][0] = low, high, 1
        self.words[STOP] = 0

    def search(self, goal: int, most_nodes: int = 0) -> int:
        """Search the root; return a lower bound of its score if at least *goal*, else an upper one.

        The score is that of the seat to move; `move` is the column if *goal* is reached. The search
        stops after *most_nodes* more nodes (0: no such limit), when all nodes granted to `begin` or
        `clear` are spent, or when the sign to stop is set, and then returns SEARCH_STOPPED.
        """
        words = self.words
        most = min(self._most_nodes, self.nodes + most_nodes) if most_nodes else self._most_nodes
        words[MOST_NODES], self._fields["check"][0] = most, 0
        return self._search(self._address, goal)

    @property
    def nodes_to_grow(self) -> int:
        """Nodes left until the table should grow, at least 1; 0 if it cannot grow any more."""
        most = int(self._table["grow_at"][0])
        return max(most - self.nodes, 1) if most < UNBOUNDED else 0

    def go_on(self) -> None:
        """Clear the sign to stop, and grow the table to four times its size if it is time.

        No search may be running on the table: not checked. It is time if `nodes_to_grow` is 1.
        """
        self.words[STOP] = 0
        if self.nodes_to_grow == 1:
            kernel.grow_at_address(self._table["entries"].ctypes.data)

    def share(self, marks: int) -> None:
        """Set the address of the words of 64 bits where threads mark what they search.

        There must be SEARCH_MARKS of them; 0 stands for one thread, which marks nothing.
        """
        self._fields["marks"][0] = marks

    def helper(self) -> Connect4Memory:
        """Return another memory that shares the table, with a workspace and controls of its own.

        Before each search it must `follow` this one.
        """
        twin = copy(self)
        twin.words, twin._record = controls(), connect4_workspace(self.layout)
        twin._name_fields()
        return twin

    def follow(self, workspace: Connect4Memory) -> None:
        """Copy position, bounds and stop sign of *workspace*, a memory with the same table.

        The number of nodes of this memory itself stays. It never grows the table: each workspace
        holds the table's size, and the others would read entries at the wrong places.
        """
        self._record[:] = workspace._record
        self._table["grow_at"][0] = UNBOUNDED
        self._fields["controls"][0] = self.words.ctypes.data
        self.words[STOP] = workspace.words[STOP]


def connect4_workspace(layout: Layout) -> NDArray[Any]:
    """Return a new workspace with the masks of a board: an array of one `Connect4Workspace`.

    All fields but `board` are 0: `Connect4Memory` writes them.
    """
    kind = memory.layout(
        kernel.Connect4Workspace, **kernel.WORKSPACE_SIZES[layout.limbs, layout.lanes]
    )
    record = memory.aligned(kind.itemsize // 8).view(kind)
    board = _views(record["board"])
    lower = sum(layout.floor << row for row in range(layout.rows - 2, -1, -2))
    masks = {"cells": layout.cells, "bottoms": layout.floor, "tops": layout.floor << layout.rows}
    masks |= {"lower": lower, "upper": layout.cells ^ lower, "first": 1}
    for name, mask in masks.items():
        board[name][0].T[:] = layout.words_of(mask)  # in every lane
    for number in range(layout.columns):
        board["columns"][0, number].T[:] = layout.words_of(layout.whole_column(number))
        board["column"][0, :, number] = layout.words_of(layout.column(number))
        board["central"][0, number] = min(number, layout.columns - 1 - number)
    board["step"][0], board["width"][0] = layout.step, layout.columns
    return record


def _views(records: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the fields of *records* by name, each as an array that shares their memory."""
    return {name: records[name] for name in records.dtype.names or ()}


_idle: list[Connect4Memory] = []
"""The last memory given back: to make one takes longer than to solve most positions."""


def take_workspace(rows: int, columns: int, memory: int) -> Connect4Memory:
    """Return a memory for a board: the one that was given back last if it fits, else a new one.

    The one given back fits if board and *memory*, the most bytes of its table, are the same; else
    it is dropped. If it fits, its table still has its content. A new one needs `clear` before a
    search. Call `return_workspace` in the end.
    """
    layout = Layout.for_board(rows, columns, memory)
    try:
        workspace = _idle.pop()
    except IndexError:
        return Connect4Memory(layout, memory)
    return (
        workspace
        if (workspace.layout, workspace.memory) == (layout, memory)
        else Connect4Memory(layout, memory)
    )


def return_workspace(workspace: Connect4Memory) -> None:
    """Give a memory back, so that the next `take_workspace` can use it again.

    One that was given back before and not taken since is dropped.
    """
    _idle[:] = [workspace]


class SearchTeam:
    """A memory and *size* - 1 helpers, one for each thread.

    The first to reach the goal of a search, or to refute it, stops the others.
    """

    def __init__(self, workspace: Connect4Memory, size: int) -> None:
        self.workspace = workspace
        self._helpers = [workspace.helper() for _ in range(size - 1)]

    @property
    def nodes(self) -> int:
        """Number of positions searched by all of them together."""
        if not self._helpers:  # asked a dozen times for each position that is solved
            return self.workspace.nodes
        return self.workspace.nodes + sum(helper.nodes for helper in self._helpers)

    def search(self, goal: int) -> int:
        """Search the root for *goal* on all threads; return a bound like `Connect4Memory.search`.

        If *goal* is reached, `workspace.move` is the column. With several threads SEARCH_STOPPED is
        returned also if the table should grow: call `Connect4Memory.go_on`, then search again.
        Raise RuntimeError if a thread cannot be started.
        """
        if not self._helpers:
            return self.workspace.search(goal)
        marks: Words = np.zeros(kernel.SEARCH_MARKS, dtype=np.uint64)
        self.workspace.share(marks.ctypes.data)
        workspaces = (self.workspace, *self._helpers)
        for helper in self._helpers:
            helper.follow(self.workspace)
        searches = [partial(self._join_in, each, goal) for each in workspaces]
        try:
            found = race(searches, [each.words for each in workspaces])
        finally:
            self.workspace.share(0)
        if not found:
            return SEARCH_STOPPED
        bound, self.workspace.move = found[0]  # now that no search writes moves any more
        return bound

    def _join_in(self, workspace: Connect4Memory, goal: int) -> tuple[int, int] | None:
        """Search for *goal* on one memory; return (bound, column), None if it was stopped.

        The bound is that of `Connect4Memory.search`; the column, from 0, is the move that reaches
        the goal, and means nothing if the bound is below it.
        """
        bound = workspace.search(goal, self.workspace.nodes_to_grow)
        return None if bound == SEARCH_STOPPED else (bound, workspace.move)
