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
    nodes: int = 100_000
    """A search that needs more is left out: what is counted is counted to the end."""
    positions: int = 100_000
    """How many positions of a game are counted."""
    repeats: int = 5
    """How often a time is taken."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "positions", "repeats"):
            amount = getattr(self, name)
            if amount is not None and amount < 1:
                raise InvalidSpecError("error.bad_limit", limit=name, amount=amount)


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


def sweep(agent: Agent, position: Position, effort: Effort, told: Callable[[Run], object]) -> Sweep:
    """Search *position* one ply deeper each time, as far as the effort allows."""
    if not has_depth(agent):
        run, analysis = _run(agent, position, None, effort)
        if analysis.why == "nodes":
            return Sweep(agent.spec, (), "nodes")
        told(run)
        return Sweep(agent.spec, (run,), "once")
    runs: list[Run] = []
    while len(runs) < (effort.depth or MOST_PLIES):
        deeper = at_depth(agent, len(runs) + 1)
        if not _affordable(deeper, position, effort.nodes):
            return Sweep(agent.spec, tuple(runs), "nodes")
        run, analysis = _run(deeper, position, len(runs) + 1, effort)
        if runs and run.nodes == runs[-1].nodes:  # a ply more made no difference
            return Sweep(agent.spec, tuple(runs), "game")
        runs.append(run)
        told(run)
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


def _affordable(agent: Agent, position: Position, nodes: int) -> bool:
    """Does the search need at most so many nodes?

    It is stopped from outside: some searches do something else where they know of a limit.
    """
    left = iter(range(nodes))
    return agent.analyse(position, cancelled=lambda: next(left, None) is None).why != "cancelled"


def _run(
    agent: Agent, position: Position, depth: int | None, effort: Effort
) -> tuple[Run, Analysis]:
    limit = Limit() if depth else Limit(nodes=effort.nodes)
    analysis = agent.analyse(position, limit)  # the first time may compile, and is not taken
    times = [agent.analyse(position, limit).seconds for _ in range(effort.repeats)]
    seconds = _spread(times)
    return Run(depth, analysis.nodes, seconds, _memory(agent, position, limit)), analysis


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
