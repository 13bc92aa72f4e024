"""One search: its limit, the events that it emits, and how it is stopped.

The events are one stream for every agent and every view, one JSON object each; `EVENTS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter
from typing import Any, TypeAlias

from papan.core.game import Position
from papan.core.interrupts import pressed
from papan.core.limit import Limit

Event: TypeAlias = dict[str, Any]
"""An event as JSON data: its kind under ``t``, and the keys that `EVENTS` and docs/events.md
tell."""
Listener: TypeAlias = Callable[[Event], None]
"""Called with each event as it happens, in the thread that searches."""
Cancelled: TypeAlias = Callable[[], bool]
"""Called now and then during a search, which stops once it has returned True."""

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
"""Nodes of a search tree that are emitted at most: views draw a part of it."""
FIRST_NODES = 32
"""Nodes that a search may visit however short its time is: a busy machine may give it none."""
EMIT_EVERY, SILENT = 0.1, 0.25
"""Seconds between two root events, and without one until a progress event is emitted."""
LATEST = 1.05
"""Share of the time limit after which no more tree nodes are emitted: the answer comes first."""


class OutOfBudget(Exception):  # noqa: N818 - a signal, not an error
    """Raised inside a search to stop it; never leaves the agent.

    Its text is the reason: ``time``, ``nodes`` or ``cancelled``.
    """


def never() -> bool:
    """Return False: the default of every `cancelled` parameter."""
    return False


class Thinking:
    """The budget of one analysis in seconds and nodes, and the sink of its events.

    The time runs from its creation on. The search counts its `nodes` here: `tick` counts one and
    raises OutOfBudget if the nodes or seconds of *limit* are spent; `check` looks at the seconds
    alone. Both also raise it once *cancelled* returns True or Ctrl-C was `pressed`, so a search
    calls one of them regularly. *listener* is called with each event; None: nobody listens.
    """

    def __init__(
        self, limit: Limit, listener: Listener | None = None, cancelled: Cancelled = never
    ) -> None:
        self.limit = self._granted = limit
        self.nodes = 0
        self._stopped = ""
        self._listener = listener
        self._cancelled = pressed if cancelled is never else lambda: cancelled() or pressed()
        self._began = perf_counter()
        self._tree_nodes = 0
        self._emitted = 0.0

    @property
    def watched(self) -> bool:
        """True if there is a listener: without one callers need not make costly events."""
        return self._listener is not None

    @property
    def seconds(self) -> float:
        """The wall-clock seconds since this budget was made."""
        return perf_counter() - self._began

    def narrow(self, limit: Limit) -> None:
        """Lower each bound of the budget to that of the agent's own *limit*, where that is tighter.

        The `reason` of a search that ends at such a bound is ``done``.
        """
        self.limit = self.limit.within(limit)

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """Run the block and end it silently on OutOfBudget; `reason` then says why it ended."""
        try:
            yield
        except OutOfBudget as stop:
            self._stopped = str(stop)

    def reason(self, why: str) -> str:
        """Return why the search ended: exact, depth, time, nodes, cancelled or done.

        *why* is the search's own reason. Unless it is *exact*, what stopped the search in
        `until_stopped`, if anything did, replaces it. *time* and *nodes* become *done* while the
        caller's limit is not spent: the agent has stopped at a limit of its own.
        """
        if why != "exact":
            why = self._stopped or why
        spent = {
            "nodes": self.nodes >= self._granted.nodes,
            "time": self.seconds >= self._granted.seconds,
        }
        return why if spent.get(why, True) else "done"

    def share(self, part: float, silent: bool = False) -> Thinking:
        """Return a new budget of *part* (0 to 1) of what is left: at least a microsecond, one node.

        Its time runs from now on. It is cancelled when this one is, and has the same listener, or
        none if *silent*: the events of that work are not shown. What it spends is not counted here.
        """
        seconds = max((self.limit.seconds - self.seconds) * part, 1e-6)
        left = self.limit.nodes - self.nodes
        nodes = left if left == inf else max(int(left * part), 1)  # nodes are whole
        listener = None if silent else self._listener
        return Thinking(Limit(seconds, nodes), listener, self._cancelled)

    def tick(self) -> None:
        """Count one node; raises OutOfBudget if the limit is reached or the caller has cancelled.

        No node is counted beyond the limit. The time is not looked at in the first `FIRST_NODES`.
        """
        if self.nodes >= self.limit.nodes:
            raise OutOfBudget("nodes")
        self.nodes += 1
        if self.nodes > FIRST_NODES:
            self.check()
        elif self._cancelled():
            raise OutOfBudget("cancelled")

    def check(self) -> None:
        """Raise OutOfBudget if the time is over or the caller has cancelled; nodes are not checked.

        Every search calls this regularly, so it also emits the progress event that is due once no
        root or progress event was emitted for `SILENT` seconds.
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
        """Return whether a root event is due: the last one is over `EMIT_EVERY` seconds old.

        A progress event counts as well. False without a listener.
        """
        return self.watched and self.seconds > self._emitted + EMIT_EVERY

    def emit(self, kind: str, **facts: object) -> None:
        """Send an event of *kind*, a key of `EVENTS`, to the listener; do nothing if there is none.

        *facts* are its other keys, with values that JSON can hold. Neither is checked.
        """
        if self._listener is not None:
            self._listener({"t": kind, **facts})

    def emit_root(self, depth: float, best: str, moves: list[Event], **facts: object) -> None:
        """Emit a root event: *depth* in plies, the *best* move's name, and all *moves* as JSON.

        Each of *moves* is as `root_moves` writes it. The work so far (nodes, milliseconds, nodes
        per second) and *facts*, further keys of the event, are added.
        """
        seconds = self.seconds
        self._emitted = seconds
        work = self._work(seconds)
        self.emit("root", depth=depth, best=best, moves=moves, **work, **facts)

    def _work(self, seconds: float) -> dict[str, int]:
        """Return the work so far: ``nodes``, milliseconds ``ms``, nodes per second ``nps``.

        *seconds* is the time so far; all are rounded to whole numbers.
        """
        speed = round(self.nodes / max(seconds, 1e-6))
        return {"nodes": self.nodes, "ms": round(seconds * 1000), "nps": speed}

    def emit_node(self, **facts: object) -> bool:
        """Emit one node of the search tree and return True; else emit nothing and return False.

        It is False without a listener, after `MOST_TREE_NODES` nodes, and once `LATEST` times the
        seconds of the limit have passed. *facts* are the node as JSON data, not checked: ``id``,
        ``up`` (its parent's id, None for the root), ``m`` (the move's name), ``v`` (its value) and
        more, see docs/events.md.
        """
        if not self.watched or self._tree_nodes >= MOST_TREE_NODES:
            return False
        if self.seconds > LATEST * self.limit.seconds:
            return False
        self._tree_nodes += 1
        self.emit("tree", add=[facts])
        return True


class Tree:
    """The nodes of one round of a search: whole plies from the root, parents before children.

    *root* is the position that is searched; it decides how many `plies` below it are recorded. The
    nodes are emitted when the round is over: only then all of their values are known.
    """

    def __init__(self, root: Position) -> None:
        self.plies = whole_plies(root)
        """Plies below the root of which nodes are recorded."""
        self.nodes: list[Event] = []
        """The nodes so far, each as `Thinking.emit_node` takes it."""
        self._path: list[int] = []

    def enter(self, ply: int, **facts: object) -> Event:
        """Add a node at *ply*, 0 for the root, below the last one of the ply before; return it.

        *facts* are its keys besides ``id`` and ``up``. The dict returned is the node itself: the
        caller adds the value to it when it is known. No *ply* may be left out; not checked.
        """
        node = {"id": len(self.nodes), "up": self._path[ply - 1] if ply else None, **facts}
        self._path[ply:] = [len(self.nodes)]
        self.nodes.append(node)
        return node

    def emit(self, thinking: Thinking) -> None:
        """Emit the nodes in order by *thinking*; stop where `Thinking.emit_node` returns False."""
        for node in self.nodes:
            if not thinking.emit_node(**node):
                break


def whole_plies(root: Position) -> int:
    """Return how many whole plies below *root* fit into `MOST_TREE_NODES`: at least one.

    An estimate, as if every position had the legal moves of *root*, or one less each ply where
    moves stay.
    """
    width, shrink = len(root.moves()), int(root.game.moves_stay)
    plies, nodes, layer = 1, 1 + width, width
    while (layer := layer * (width - shrink * plies)) and nodes + layer <= MOST_TREE_NODES:
        nodes += layer
        plies += 1
    return plies
