"""One act of thinking: the budget that is granted, what is spent of it, and the events on the way.

The events are one stream for every agent and every view, one JSON object each; `EVENTS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any, TypeAlias, TypedDict

from papan.core.game import Position
from papan.core.text import InvalidSpecError

MOST: Mapping[str, float] = {
    "seconds": 10_000_000,
    "nodes": 10**15,
    "depth": 9_999,
    "iterations": 10**15,
    "exploration": 1_000_000,
    "population": 100_000,
    "generations": 1_000_000,
    "deadline": 1_000_000,
    "threads": 64,
    "memory": 1_000_000,
}
"""By the name of the number. Beyond these it means nothing on any machine, or overflows."""
ENDLESS = ("seconds", "nodes")
"""What may also be infinite: no bound at all."""


def fits(name: str, amount: float, least: float, most: float) -> bool:
    """Is *amount* a number from *least* to *most*, or no bound where that is allowed?"""
    return least <= amount <= most or (amount == inf and name in ENDLESS)


Event: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Event], None]
Cancelled: TypeAlias = Callable[[], bool]

EVENTS: dict[str, tuple[str, ...]] = {
    "start": ("game", "pos", "agent", "seed", "params", "budget"),
    "root": ("depth", "best", "moves", "nodes", "ms"),
    "progress": ("nodes", "ms", "nps"),
    "tree": ("add",),
    "reason": ("m", "rule"),
    "path": ("cells", "turns", "visited"),
    "gen": ("g", "best", "mean", "worst", "div", "line"),
    "climb": ("step", "v", "nbrs", "restart"),
    "done": ("why", "best", "proof"),
}
"""The kinds of events (key ``t``), each with the keys that it always has; it may have more."""

MOST_TREE_NODES = 2_000
"""How much of a search tree is told: views draw a part, never the whole."""
FIRST_NODES = 32
"""So many nodes are granted however short the time: a machine may be too busy to give any."""
EMIT_EVERY, SILENT = 0.1, 0.25
"""Seconds between two events of a search that goes on, and until its mere work is told instead."""
LATEST = 1.05
"""How much of the time may have passed while the tree is told: an answer in time comes first."""


@dataclass(frozen=True)
class Limit:
    """How much thinking the caller grants. Agents stop at whichever bound they meet first."""

    seconds: float = inf
    nodes: float = inf

    def __post_init__(self) -> None:
        for key, amount in (("seconds", self.seconds), ("nodes", self.nodes)):
            if not (amount > 0 and fits(key, amount, 0, MOST[key])):  # nor is nan
                raise InvalidSpecError("error.bad_limit", limit=key, amount=amount, most=MOST[key])

    def within(self, other: Limit) -> Limit:
        """The tighter of two limits, bound by bound."""
        return Limit(min(self.seconds, other.seconds), min(self.nodes, other.nodes))

    def json(self) -> dict[str, float]:
        """The bounds that are really set."""
        bounds = {"s": self.seconds, "nodes": self.nodes}
        return {key: bound for key, bound in bounds.items() if bound != inf}


UNLIMITED = Limit()


class Bounds(TypedDict, total=False):
    """The bounds of a `Limit` by their names, for whoever does not want to build one."""

    seconds: float
    nodes: float


class OutOfBudget(Exception):  # noqa: N818 - a signal, not an error
    """Stops a search from the inside, with the reason; never leaves the agent."""


def never() -> bool:
    """Nobody cancels."""
    return False


class Thinking:
    """The budget and the voice of one analysis."""

    def __init__(
        self, limit: Limit, listener: Listener | None = None, cancelled: Cancelled = never
    ) -> None:
        self.limit = self._granted = limit
        self.nodes = 0
        self._stopped = ""
        self._listener = listener
        self._cancelled = cancelled
        self._began = perf_counter()
        self._tree_nodes = 0
        self._emitted = 0.0

    @property
    def watched(self) -> bool:
        """Is anyone listening? Costly events are only made for someone."""
        return self._listener is not None

    @property
    def seconds(self) -> float:
        return perf_counter() - self._began

    def narrow(self, limit: Limit) -> None:
        """Keep to the agent's own *limit* as well."""
        self.limit = self.limit.within(limit)

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """Within it, work that runs out of its budget just ends; `reason` tells why it did."""
        try:
            yield
        except OutOfBudget as stop:
            self._stopped = str(stop)

    def reason(self, why: str) -> str:
        """Why it really ended: *time* and *nodes* only where all that was granted is spent.

        An agent that stops before, at a limit of its own, is *done*.
        """
        if why != "exact":
            why = self._stopped or why
        spent = {
            "nodes": self.nodes >= self._granted.nodes,
            "time": self.seconds >= self._granted.seconds,
        }
        return why if spent.get(why, True) else "done"

    def share(self, part: float) -> Thinking:
        """A budget of its own from *part* of what is left, for a first try at something."""
        seconds = max((self.limit.seconds - self.seconds) * part, 1e-6)
        left = self.limit.nodes - self.nodes
        nodes = left if left == inf else max(int(left * part), 1)  # nodes are whole
        return Thinking(Limit(seconds, nodes), self._listener, self._cancelled)

    def tick(self) -> None:
        """Count one node; raises OutOfBudget when the limit is reached."""
        if self.nodes >= self.limit.nodes:
            raise OutOfBudget("nodes")
        self.nodes += 1
        if self.nodes > FIRST_NODES:
            self.check()
        elif self._cancelled():
            raise OutOfBudget("cancelled")

    def check(self) -> None:
        """Raise OutOfBudget when the time is over or the caller has cancelled.

        Every search looks here now and then: so the work of one that says nothing is told here.
        """
        seconds = self.seconds
        if seconds > self.limit.seconds:
            raise OutOfBudget("time")
        if self._cancelled():
            raise OutOfBudget("cancelled")
        if self.watched and seconds > self._emitted + SILENT:
            self._emitted = seconds
            self.emit("progress", **self._work(seconds))

    def time_to_emit(self) -> bool:
        """Is anyone listening who has not been told of the root for a while?"""
        return self.watched and self.seconds > self._emitted + EMIT_EVERY

    def emit(self, kind: str, **facts: object) -> None:
        """Tell the listener of an event."""
        if self._listener is not None:
            self._listener({"t": kind, **facts})

    def emit_root(self, depth: float, best: str, moves: list[Event], **facts: object) -> None:
        """Tell what is known of the moves at the root, with the work done so far."""
        seconds = self.seconds
        self._emitted = seconds
        work = self._work(seconds)
        self.emit("root", depth=depth, best=best, moves=moves, **work, **facts)

    def _work(self, seconds: float) -> dict[str, int]:
        """The nodes so far, the time that they took, and how many a second that makes."""
        speed = round(self.nodes / max(seconds, 1e-6))
        return {"nodes": self.nodes, "ms": round(seconds * 1000), "nps": speed}

    def emit_node(self, **facts: object) -> bool:
        """Tell of one node of the search tree, while there is room and time for it; was there?"""
        if not self.watched or self._tree_nodes >= MOST_TREE_NODES:
            return False
        if self.seconds > LATEST * self.limit.seconds:
            return False
        self._tree_nodes += 1
        self.emit("tree", add=[facts])
        return True


class Tree:
    """The nodes of one round of a search: whole plies from the root, parents before children.

    They are kept until the round is over, because only then all of their values are known.
    """

    def __init__(self, root: Position) -> None:
        self.plies = whole_plies(root)
        """How deep the part goes that is kept."""
        self.nodes: list[Event] = []
        self._path: list[int] = []

    def enter(self, ply: int, **facts: object) -> Event:
        """A new node below the last one entered at the ply before; add its value on leaving it."""
        node = {"id": len(self.nodes), "up": self._path[ply - 1] if ply else None, **facts}
        self._path[ply:] = [len(self.nodes)]
        self.nodes.append(node)
        return node

    def emit(self, thinking: Thinking) -> None:
        """Tell of every node, as long as there is time for it."""
        for node in self.nodes:
            if not thinking.emit_node(**node):
                break


def whole_plies(root: Position) -> int:
    """How many plies below *root* may be emitted: at least one."""
    width, shrink = len(root.moves()), int(root.game.moves_stay)
    plies, nodes, layer = 1, 1 + width, width
    while (layer := layer * (width - shrink * plies)) and nodes + layer <= MOST_TREE_NODES:
        nodes += layer
        plies += 1
    return plies
