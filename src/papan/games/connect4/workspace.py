"""The workspace of the Connect 4 kernel, and threads that share its transpositions."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import inf
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.core import Move
from papan.engine import memory
from papan.engine.control import MOST_NODES, NODES, STOP, UNBOUNDED, Words, controls
from papan.games.connect4 import kernel
from papan.games.connect4.kernel_transpositions import SEARCH_MARKS, grow_at_address
from papan.games.connect4.stones import BUCKET_BYTES, Layout, Stones, winning_cells

STOPPED: int = kernel.STOPPED
NODES_PER_BUCKET = 32
"""When the table grows: a small one is near, and forgets little that matters."""
LINE = 64
"""The bytes of a line of the cache."""


class Workspace:
    """What one solution works with; its table takes no more than so many bytes."""

    def __init__(self, layout: Layout, memory: int) -> None:
        self.layout, self.memory = layout, memory
        self.words = controls()
        self._record = blank_workspace(layout)
        most_buckets = 1 << (memory // BUCKET_BYTES).bit_length() - 1
        buckets = max(most_buckets, layout.smallest_transpositions)
        self._transpositions = aligned(buckets * BUCKET_BYTES).view(np.uint64)
        self._most_nodes = UNBOUNDED
        self._search: Callable[[int, int], int] = kernel.ready(layout.limbs, layout.lanes)
        self._name_fields()
        self._table["entries"][0] = self._transpositions.ctypes.data
        self._table["key_bits"][0], self._table["most_buckets"][0] = layout.key_bits, most_buckets

    def _name_fields(self) -> None:
        """Find the fields that Python writes and reads: views, for by name it takes long."""
        self._address = self._record.ctypes.data
        self._fields = _views(self._record)
        self._table = _views(self._fields["transpositions"])
        self._root = _views(self._fields["frames"][0, :1])
        self._fields["controls"][0] = self.words.ctypes.data

    def clear(self, stones: Stones, most_nodes: float = inf) -> None:
        """Prepare it for a position: transpositions small and empty, no node counted."""
        layout, table, buckets = self.layout, self._table, self.layout.smallest_transpositions
        self._transpositions[: buckets * BUCKET_BYTES // 8] = 0
        table["tag_bits"][0] = layout.key_bits - (buckets.bit_length() - 1)
        table["grow_at"][0] = buckets * NODES_PER_BUCKET
        self.begin(stones, most_nodes)

    def begin(self, stones: Stones, most_nodes: float = inf) -> None:
        """The same with the transpositions of the positions before, which are true of this one."""
        self.words[NODES], self._most_nodes = 0, UNBOUNDED if most_nodes == inf else int(most_nodes)
        images = not stones.own & self.layout.mirror(stones.rival)  # else no mirror image comes up
        self._fields["mirror"][0] = images

    @property
    def transposition_bytes(self) -> int:
        """How large the table has grown."""
        return BUCKET_BYTES << self.layout.key_bits - int(self._table["tag_bits"][0])

    @property
    def nodes(self) -> int:
        """How many positions have been searched."""
        return int(self.words[NODES])

    @property
    def spent(self) -> bool:
        """Have all nodes been used that were granted?"""
        return self.nodes >= self._most_nodes

    @property
    def move(self) -> Move:
        """The move that reached the goal of the last search that did."""
        return int(self._fields["move"][0])

    @move.setter
    def move(self, move: Move) -> None:
        self._fields["move"][0] = move

    def put(self, stones: Stones, low: int, high: int) -> None:
        """Write a quiet position to the workspace, with bounds of its score."""
        layout, root = self.layout, self._root
        threats = winning_cells(layout, stones.rival) & ~(stones.own | stones.rival)
        boards = {"mine": stones.own, "theirs": stones.rival, "their_wins": threats}
        for name, board in boards.items():
            root[name][0, :, 0] = layout.words_of(board)
        root["left"][0, 0] = layout.empty(stones.own | stones.rival)
        root["low"][0, 0], root["high"][0, 0], root["same"][0] = low, high, 1
        self.words[STOP] = 0

    def search(self, goal: int, most_nodes: int = 0) -> int:
        """A bound of the score: *goal* or more, or less; STOPPED if it came to no end.

        It stops after *most_nodes*, if given, or when all are spent.
        """
        words = self.words
        most = min(self._most_nodes, self.nodes + most_nodes) if most_nodes else self._most_nodes
        words[MOST_NODES], self._fields["check"][0] = most, 0
        return self._search(self._address, goal)

    @property
    def nodes_to_grow(self) -> int:
        """After how many more nodes the table should grow; 0 if it cannot any more."""
        most = int(self._table["grow_at"][0])
        return max(most - self.nodes, 1) if most < UNBOUNDED else 0

    def go_on(self) -> None:
        """Get ready to search on: with a larger table, for one that is shared does not grow."""
        self.words[STOP] = 0
        if self.nodes_to_grow == 1:
            grow_at_address(self._table["entries"].ctypes.data)

    def share(self, marks: int) -> None:
        """Let threads note what they search at an address; 0 when they do not any more."""
        self._table["being_searched"][0] = marks

    def helper(self) -> Workspace:
        """Another workspace that shares the table."""
        twin = copy(self)
        twin.words, twin._record = controls(), blank_workspace(self.layout)
        twin._name_fields()
        return twin

    def follow(self, workspace: Workspace) -> None:
        """Work on the same position as another workspace, with the same table."""
        self._record[:] = workspace._record
        self._fields["controls"][0] = self.words.ctypes.data
        self.words[STOP] = workspace.words[STOP]


def aligned(size: int) -> NDArray[np.uint8]:
    """So many bytes, whatever is in them, where a line of the cache begins."""
    room = np.empty(size + LINE, dtype=np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size]


def blank_workspace(layout: Layout) -> NDArray[Any]:
    """The memory of a workspace with the masks of a board: an array of one record."""
    kind = memory.layout(kernel.Workspace, **kernel.SIZES[layout.limbs, layout.lanes])
    record = aligned(kind.itemsize).view(kind)
    record[:] = 0
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
    """The fields of records, each as an array."""
    return {name: records[name] for name in records.dtype.names or ()}


_idle: list[Workspace] = []
"""The last workspace that was left: to make one takes longer than to solve most positions."""


def take_workspace(rows: int, columns: int, memory: int) -> Workspace:
    """A workspace for a board: that which was left, if it fits and nobody else has taken it."""
    layout = Layout.for_board(rows, columns, memory)
    try:
        workspace = _idle.pop()
    except IndexError:
        return Workspace(layout, memory)
    return (
        workspace
        if (workspace.layout, workspace.memory) == (layout, memory)
        else Workspace(layout, memory)
    )


def return_workspace(workspace: Workspace) -> None:
    """Leave a workspace to the next who needs one."""
    _idle[:] = [workspace]


class Team:
    """A workspace and its helpers. Whoever gets to the goal first stops the others."""

    def __init__(self, workspace: Workspace, size: int) -> None:
        self.workspace = workspace
        self._helpers = [workspace.helper() for _ in range(size - 1)]

    @property
    def nodes(self) -> int:
        """How many positions all of them have searched."""
        return self.workspace.nodes + sum(helper.nodes for helper in self._helpers)

    def search(self, goal: int) -> int:
        """What `Workspace.search` gives; STOPPED also when it is time for a larger table."""
        if not self._helpers:
            return self.workspace.search(goal)
        marks: Words = np.zeros(SEARCH_MARKS, dtype=np.uint64)
        self.workspace.share(marks.ctypes.data)
        found: list[tuple[int, int]] = []
        workspaces = (self.workspace, *self._helpers)
        for helper in self._helpers:
            helper.follow(self.workspace)
        threads = [Thread(target=self._join_in, args=(each, goal, found)) for each in workspaces]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.workspace.share(0)
        if not found:
            return STOPPED
        bound, self.workspace.move = found[0]  # now that no search writes moves any more
        return bound

    def _join_in(self, workspace: Workspace, goal: int, found: list[tuple[int, int]]) -> None:
        bound = workspace.search(goal, self.workspace.nodes_to_grow)
        if bound != STOPPED:
            found.append((bound, workspace.move))
        for each in (self.workspace, *self._helpers):
            each.words[STOP] = 1
