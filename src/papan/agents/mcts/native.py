"""Monte Carlo tree search compiled, for games that offer a native form: the same games, faster."""

# mypy: disable-error-code="no-untyped-call, no-any-return"

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from papan.agents.mcts.search import Search, Settings, random_state
from papan.core import Move, Native, Position, Thinking, native_form
from papan.engine import mcts as at
from papan.engine.board import key
from papan.engine.control import Words, run_within
from papan.engine.workspace import whole

MOST_NODES = 2**20
"""When a tree has grown so large, about 100 megabytes, games no longer add positions to it."""
ENDLESS = 2**62


class NativeNode:
    """A position in the tree, read from the words of the kernel."""

    def __init__(self, tree: Words, place: int) -> None:
        self._tree, self.place = tree, place
        facts = tree[place : place + at.NODE]
        _, _, self.move, self.mover, self.turn, self.untried, self.visits, *_ = facts.tolist()
        numbers = facts.view(np.float64)[at.WINS : at.KEY].tolist()
        self.wins, self.margin, self.low, self.high = map(whole, numbers)

    @property
    def children(self) -> Sequence[NativeNode]:
        """What has been tried, the newest first."""
        found, place = [], int(self._tree[self.place + at.CHILD])
        while place:
            found.append(NativeNode(self._tree, place))
            place = int(self._tree[place + at.SIBLING])
        return found


class NativeSearch(Search):
    """One tree in the words of the kernel."""

    emit_every = 2**15

    def __init__(self, position: Position, settings: Settings, form: Native) -> None:
        super().__init__(position, settings)
        self.form = form
        self.tree: Words = np.zeros(at.NODE, np.uint64)
        self._plant()
        sizes = {
            at.PATH: form.deepest + 2,
            at.SAMPLE: form.deepest + 2,
            at.MARKS: position.game.move_count,
            at.MOVES: form.widest + 1,
        }
        self.workspace: Words = np.zeros(at.HEADER + sum(sizes.values()), np.uint64)
        place = at.HEADER
        for word, size in sizes.items():
            self.workspace[word] = place
            place += size
        self._set_out()

    def _plant(self) -> None:
        """Write the root, of which nothing is known yet."""
        turn, largest = self.position.turn, self.game.largest_margin
        self.tree[[at.MOVER, at.TURN, at.UNTRIED]] = turn, turn, len(self.moves)
        self.tree.view(np.float64)[[at.LOW, at.HIGH]] = -largest, largest

    def _set_out(self) -> None:
        """Write what the kernel has to know."""
        shares = self.game.seats == 1 and isfinite(self.game.largest_margin)
        self.workspace[[at.SIZE, at.LUCK, at.SHARES]] = (
            at.NODE,
            random_state(self.seed, self.position),
            shares,
        )
        numbers = self.workspace.view(np.float64)
        numbers[[at.EXPLORATION, at.LARGEST]] = self.exploration, self.game.largest_margin

    @property
    def root(self) -> NativeNode:
        return NativeNode(self.tree, 0)

    @property
    def deepest(self) -> int:
        return int(self.workspace[at.DEEPEST])

    @property
    def sample(self) -> list[Move]:
        place = int(self.workspace[at.SAMPLE]) + 1
        return self.workspace[place : place + int(self.workspace[place - 1])].tolist()

    def play(self, games: float, thinking: Thinking) -> None:
        count = int(min(games, thinking.limit.nodes - thinking.nodes + 1, ENDLESS))
        self._make_room(count)

        def search(controls: Words) -> int:
            self.workspace[at.CONTROLS] = controls.ctypes.data
            return at.search(self.form.rules, self.form.board, self.workspace, count)

        if not self.solved:
            run_within(thinking, search)

    def _make_room(self, games: int) -> None:
        """Let the tree have room for a node from each of so many games."""
        size = int(self.workspace[at.SIZE])
        room = min(size + games * at.NODE, MOST_NODES * at.NODE)
        if room > self.tree.size:
            larger: Words = np.zeros(room, np.uint64)
            larger[:size] = self.tree[:size]
            self.tree = larger
        self.workspace[[at.TREE, at.ROOM]] = self.tree.ctypes.data, self.tree.size

    def at(self, position: Position) -> NativeSearch | None:
        form = native_form(position) if position.game == self.game else None
        if form is None:
            return None
        keys = self.tree[at.KEY : int(self.workspace[at.SIZE]) : at.NODE]
        places = (np.flatnonzero(keys == key(form.board)) * at.NODE).tolist()
        if not places:
            return None
        nodes = [NativeNode(self.tree, place) for place in places]
        node = max(nodes, key=lambda node: (node.visits, node.wins, node.margin))
        later = NativeSearch(position, self.settings, form)
        later.tree = np.zeros(int(self.workspace[at.SIZE]), np.uint64)
        later.workspace[at.SIZE] = at.transplant(self.tree, node.place, later.tree)
        later._turn_root()
        return later

    def _turn_root(self) -> None:
        """See the root as the seat that is to move, not as the one that led here."""
        root, numbers = self.root, self.tree.view(np.float64)
        if root.mover != root.turn:
            numbers[[at.WINS, at.MARGIN]] = root.visits - root.wins, -root.margin
            self.tree[at.MOVER] = root.turn
