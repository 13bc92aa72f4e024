"""The workspace of the Connect 4 kernel: a board, transpositions, and frames for the search."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import inf

from papan.core import Move
from papan.engine.control import MOST_NODES, NODES, STOP, UNBOUNDED, controls
from papan.games.connect4 import kernel
from papan.games.connect4 import kernel_layout as at
from papan.games.connect4.forced import Stones, winning_cells
from papan.games.connect4.layout import Layout, aligned_room

STOPPED: int = kernel.STOPPED
NODES_PER_BUCKET = 32
"""When the table grows: a small one is near, and forgets little that matters."""
BUCKET_BYTES = 8 * at.BUCKET


class Workspace:
    """What one solution works with; its table takes no more than so many bytes."""

    def __init__(self, layout: Layout, memory: int) -> None:
        self.layout, self.memory = layout, memory
        self.words = controls()
        self._masks, self._frames = layout.masks(), layout.frames()
        most_buckets = 1 << (memory // BUCKET_BYTES).bit_length() - 1
        self._transpositions = aligned_room(
            max(most_buckets, layout.smallest_transpositions) * at.BUCKET
        )
        self._most_nodes = UNBOUNDED
        self._search: Callable[..., int] = kernel.ready(layout.limbs, layout.lanes)
        self._masks_at, self._words_at = self._masks.ctypes.data, self.words.ctypes.data
        words = self.words
        words[at.FRAMES], words[at.TRANSPOSITIONS] = (
            self._frames.ctypes.data,
            self._transpositions.ctypes.data,
        )
        words[at.STEP], words[at.WIDTH] = layout.step, layout.columns
        words[at.KEY_BITS], words[at.MOST_BUCKETS] = layout.key_bits, most_buckets

    def clear(self, stones: Stones, most_nodes: float = inf) -> None:
        """Prepare it for a position: transpositions small and empty, no node counted."""
        layout, words, buckets = self.layout, self.words, self.layout.smallest_transpositions
        self._transpositions[: buckets * at.BUCKET] = 0
        words[at.TAG_BITS] = layout.key_bits - (buckets.bit_length() - 1)
        words[at.GROW_AT] = buckets * NODES_PER_BUCKET
        words[NODES], self._most_nodes = 0, UNBOUNDED if most_nodes == inf else int(most_nodes)
        words[at.MIRRORED] = not stones.own & layout.mirror(stones.rival)  # else there is no image

    @property
    def transposition_bytes(self) -> int:
        """How large the table has grown."""
        tag_bits = int(self.words[at.TAG_BITS])
        return BUCKET_BYTES << self.layout.key_bits - tag_bits

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
        return int(self.words[at.MOVE])

    def put(self, stones: Stones, low: int, high: int) -> None:
        """Lay a quiet position on the workspace, with bounds of its score."""
        layout, size = self.layout, self.layout.limbs * self.layout.lanes
        threats = winning_cells(layout, stones.rival) & ~(stones.own | stones.rival)
        boards = ((at.MINE, stones.own), (at.THEIRS, stones.rival), (at.THEIR_WINS, threats))
        for field, board in boards:
            for limb, word in enumerate(layout.words_of(board)):
                self._frames[field * size + limb * layout.lanes] = word
        left = layout.empty(stones.own | stones.rival)
        for field, number in ((at.LEFT, left), (at.LOW, low), (at.HIGH, high), (at.SAME, 1)):
            self._frames[field * size] = number % 2**64
        self.words[STOP] = 0

    def search(self, goal: int, most_nodes: int = 0) -> int:
        """A bound of the score: *goal* or more, or less; STOPPED if it came to no end.

        It stops after *most_nodes*, if given, or when all are spent.
        """
        words = self.words
        most = min(self._most_nodes, self.nodes + most_nodes) if most_nodes else self._most_nodes
        words[MOST_NODES], words[at.CHECK] = most, 0
        return self._search(self._masks_at, self._words_at, 0, 0, goal)

    @property
    def nodes_to_grow(self) -> int:
        """After how many more nodes the table should grow; 0 if it cannot any more."""
        most = int(self.words[at.GROW_AT])
        return max(most - self.nodes, 1) if most < UNBOUNDED else 0

    def go_on(self) -> None:
        """Get ready to search on: with a larger table, for one that is shared does not grow."""
        self.words[STOP] = 0
        if self.nodes_to_grow == 1:
            kernel.GROW(self._words_at)

    def helper(self) -> Workspace:
        """Another workspace that shares the table."""
        twin = copy(self)
        twin.words, twin._frames = self.words.copy(), self.layout.frames()
        twin._words_at = twin.words.ctypes.data
        twin.words[NODES] = 0
        return twin

    def follow(self, workspace: Workspace) -> None:
        """Work on the same position as another workspace, with the same table."""
        own = self.nodes
        self.words[:] = workspace.words
        self.words[NODES], self.words[at.FRAMES] = own, self._frames.ctypes.data
        frame = at.FRAME * self.layout.limbs * self.layout.lanes
        self._frames[:frame] = workspace._frames[:frame]


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
