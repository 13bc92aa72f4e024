"""What one agent needs for one position, depth by depth: nodes, time and memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from statistics import median, quantiles
from typing import Literal

from papan.core import Agent, Analysis, InvalidSpecError, Limit, Position
from papan.lab.complexity.growth import Growth, exponential
from papan.lab.statistics.intervals import Interval

MOST_PLIES = 500
"""No search goes deeper, whatever it may say."""


@dataclass(frozen=True)
class Effort:
    """How much may be spent on measuring."""

    depth: int | None = None
    """How deep searches go; None: until they need too many nodes."""
    nodes: int = 600_000
    """A search that needs more is left out: what is counted is counted to the end."""
    positions: int = 100_000
    """How many positions of a game are counted."""
    repeats: int = 5
    """How often a time is taken."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "positions", "repeats"):
            amount = getattr(self, name)
            if amount is not None and amount < 1:
                raise InvalidSpecError("complexity.bad_effort", effort=name, amount=amount)


@dataclass(frozen=True)
class Run:
    """One search."""

    depth: int | None
    """How deep it looked; None for an agent that has no depth."""
    nodes: int
    seconds: Interval
    """The median of the times, and the two quartiles."""
    memory: int
    """The most bytes that it held at one time."""


@dataclass(frozen=True)
class Sweep:
    """All searches of one agent in one position."""

    agent: str
    runs: tuple[Run, ...]
    end: Literal["depth", "nodes", "game", "once"]
    """Why there is no deeper one: nobody asked, too many nodes, the game is searched through, or
    the agent knows no depth."""

    @property
    def growth(self) -> Growth | None:
        """Nodes over depth: the rate is the effective branching factor."""
        return exponential([(run.depth, run.nodes) for run in self.runs if run.depth])


def sweep(
    agent: Agent, position: Position, effort: Effort, on_progress: Callable[[Run], object]
) -> Sweep:
    """Search *position* one ply deeper each time, as far as the effort allows."""
    if not has_depth(agent):
        limit = Limit(nodes=effort.nodes)
        if agent.analyse(position, limit).why == "nodes":
            return Sweep(agent.spec, (), "nodes")
        run = _measured(agent, position, None, effort)
        on_progress(run)
        return Sweep(agent.spec, (run,), "once")
    runs: list[Run] = []
    while len(runs) < (effort.depth or MOST_PLIES):
        depth = len(runs) + 1
        analysis = _finished(at_depth(agent, depth), position, depth, effort.nodes)
        if analysis is None:
            return Sweep(agent.spec, tuple(runs), "nodes")
        if runs and analysis.nodes == runs[-1].nodes:  # a ply more made no difference
            return Sweep(agent.spec, tuple(runs), "game")
        runs.append(_measured(at_depth(agent, depth), position, depth, effort))
        on_progress(runs[-1])
        if analysis.why in ("exact", "done"):
            return Sweep(agent.spec, tuple(runs), "game")
    return Sweep(agent.spec, tuple(runs), "depth")


def has_depth(agent: Agent) -> bool:
    """Can the agent be told how deep to look?"""
    return any(field.name == "depth" for field in fields(agent))


def at_depth(agent: Agent, depth: int) -> Agent:
    """The same agent, looking so many plies ahead."""
    settings = {"depth": depth}
    return replace(agent, **settings)


def _finished(agent: Agent, position: Position, depth: int, most: int) -> Analysis | None:
    """The search, if it needs at most so many nodes.

    Searches that know of a limit deepen step by step; no step takes more than the last one does, so
    that a limit for all of them tells, without much ado, which search is hopeless.
    """
    if agent.analyse(position, Limit(nodes=most * depth)).why == "nodes":
        return None
    analysis = agent.analyse(position)
    return analysis if analysis.nodes <= most else None


def _measured(agent: Agent, position: Position, depth: int | None, effort: Effort) -> Run:
    """The times and the memory of a search that was made before: by now it is compiled."""
    limit = Limit() if depth else Limit(nodes=effort.nodes)
    searches = [agent.analyse(position, limit) for _ in range(effort.repeats)]
    seconds = _spread([each.seconds for each in searches])
    return Run(depth, searches[0].nodes, seconds, _memory(agent, position, limit))


def _spread(times: list[float]) -> Interval:
    low, _, high = quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
    return Interval(median(times), low, high)


def _memory(agent: Agent, position: Position, limit: Limit) -> int:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        agent.analyse(position, limit)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
