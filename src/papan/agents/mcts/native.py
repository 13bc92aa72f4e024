"""Monte Carlo tree search compiled, for games that offer a native form: the same games, faster."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.agents.mcts import Search, Settings, random_state
from papan.core import Move, Native, Position, Thinking, native_form
from papan.engine import mcts as kernel
from papan.engine.board import key
from papan.engine.control import Words, run_within
from papan.engine.memory import address, fill, layout, new
from papan.engine.workspace import whole

MOST_NODES = 2**20
"""When a tree has grown so large, about 100 megabytes, games no longer add positions to it."""
ENDLESS = 2**62

Tree = NDArray[Any]
"""Records of the kernel's nodes."""


def sprout(nodes: int) -> Tree:
    """Room for so many nodes."""
    return np.zeros(nodes, layout(kernel.Node))


class NativeNode:
    """A position in the tree, as the records of the kernel tell of it now."""

    def __init__(self, tree: Tree, number: int) -> None:
        self._tree, self.number = tree, number
        self._child, self._sibling, self.move, self.mover, self.turn, *rest = tree[number].tolist()
        self.untried, self.visits, *numbers, _ = rest
        self.wins, self.margin, self.low, self.high = map(whole, numbers)

    @cached_property
    def children(self) -> Sequence[NativeNode]:
        """What has been tried, the newest first."""
        found, number = [], self._child
        while number:
            found.append(NativeNode(self._tree, number))
            number = found[-1]._sibling
        return found


class NativeSearch(Search):
    """One tree in the records of the kernel."""

    emit_every = 2**15

    def __init__(self, position: Position, settings: Settings, form: Native) -> None:
        super().__init__(position, settings)
        turn, largest = position.turn, self.game.largest_margin
        self.form, self.tree = form, sprout(1)
        fill(self.tree[0], mover=turn, turn=turn, untried=len(self.moves), low=-largest)
        fill(self.tree[0], high=largest)
        self._sample, self._path = np.zeros((2, form.deepest + 2), np.uint64)
        self._marks = np.zeros(position.game.move_count, np.uint64)
        self._moves = np.zeros(form.widest + 1, np.uint64)
        self.workspace = new(
            kernel.Workspace,
            node_count=1,
            random_state=random_state(self.seed, position),
            exploration=self.exploration,
            largest=largest,
            shares=self.game.seats == 1 and isfinite(largest),
            sample=address(self._sample),
            path=address(self._path),
            marks=address(self._marks),
            moves=address(self._moves),
        )

    @property
    def root(self) -> NativeNode:
        return NativeNode(self.tree, 0)

    @property
    def deepest(self) -> int:
        return int(self.workspace.deepest)

    @property
    def sample(self) -> list[Move]:
        sample: list[Move] = self._sample[: int(self.workspace.length)].tolist()
        return sample

    def play(self, games: float, thinking: Thinking) -> None:
        count = int(min(games, thinking.limit.nodes - thinking.nodes + 1, ENDLESS))
        self._make_room(count)

        def search(controls: Words) -> int:
            fill(self.workspace, controls=address(controls))
            return kernel.search(self.form.rules, self.form.board, self.workspace, count)

        if not self.solved:
            run_within(thinking, search)

    def _make_room(self, games: int) -> None:
        """Let the tree have room for a node from each of so many games."""
        size = int(self.workspace.node_count)
        room = min(size + games, MOST_NODES)
        if room > self.tree.size:
            larger = sprout(room)
            larger[:size] = self.tree[:size]
            self.tree = larger
        fill(self.workspace, tree=address(self.tree), most_nodes=self.tree.size)

    def at(self, position: Position) -> NativeSearch | None:
        form = native_form(position) if position.game == self.game else None
        if form is None:
            return None
        size = int(self.workspace.node_count)
        numbers = np.flatnonzero(self.tree["key"][:size] == key(form.board)).tolist()
        if not numbers:
            return None
        nodes = [NativeNode(self.tree, number) for number in numbers]
        node = max(nodes, key=lambda node: (node.visits, node.wins, node.margin))
        later = NativeSearch(position, self.settings, form)
        later.tree = sprout(size)
        old, new = address(self.tree), address(later.tree)
        fill(later.workspace, node_count=kernel.transplant(old, np.uint64(node.number), new))
        later._turn_root()
        return later

    def _turn_root(self) -> None:
        """See the root as the seat that is to move, not as the one that led here."""
        root = self.root
        if root.mover != root.turn:
            wins = root.visits - root.wins
            fill(self.tree[0], wins=wins, margin=-root.margin, mover=root.turn)
