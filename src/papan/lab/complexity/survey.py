"""A survey of a game: every size, every agent, and what grows how fast."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from io import StringIO
from math import isfinite, sqrt
from typing import Any

from papan.core import Agent, Game
from papan.lab.complexity.formulas import FORMULAS
from papan.lab.complexity.growth import Growth, power
from papan.lab.complexity.runs import Effort, Run, Sweep, sweep
from papan.lab.complexity.tree import Tree, grown
from papan.lab.statistics.intervals import Interval

COLUMNS = (
    "game", "side", "moves", "agent", "depth", "nodes",
    "median_seconds", "low_seconds", "high_seconds", "memory_bytes",
)  # fmt: skip


@dataclass(frozen=True)
class Board:
    """What was found out about one size of a game."""

    game: str
    side: float
    """The n of n^2: the square root of rows times columns."""
    moves: int
    """The legal moves at the start."""
    tree: Tree
    sweeps: tuple[Sweep, ...]


@dataclass(frozen=True)
class Exponent:
    """How the work of an agent grows with the side of the board, at one depth for all sizes."""

    agent: str
    depth: int | None
    nodes: Growth
    seconds: Growth


@dataclass(frozen=True)
class Survey:
    """The boards, from which all else follows."""

    boards: tuple[Board, ...]

    @property
    def exponents(self) -> list[Exponent]:
        """The growth over sizes, where there is more than one."""
        agents = dict.fromkeys(sweep.agent for board in self.boards for sweep in board.sweeps)
        return [found for agent in agents if (found := self._exponent(agent))]

    def _exponent(self, agent: str) -> Exponent | None:
        found = [(board.side, _of(agent, board)) for board in self.boards]
        sweeps = [(side, sweep) for side, sweep in found if sweep and sweep.runs]
        if not sweeps:
            return None
        level = min(len(sweep.runs) for _, sweep in sweeps) - 1
        runs = [(side, sweep.runs[level]) for side, sweep in sweeps]
        nodes = power([(side, run.nodes) for side, run in runs])
        seconds = power([(side, run.seconds.value) for side, run in runs])
        return Exponent(agent, runs[0][1].depth, nodes, seconds) if nodes and seconds else None

    def json(self) -> dict[str, Any]:
        """All of it as data."""
        return {
            "boards": [_board(board) for board in self.boards],
            "exponents": [
                {
                    "agent": each.agent,
                    "depth": each.depth,
                    "nodes": _growth(each.nodes),
                    "seconds": _growth(each.seconds),
                }
                for each in self.exponents
            ],
        }

    def csv(self) -> str:
        """Every search as one line, with the formulas beside it."""
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow((*COLUMNS, *FORMULAS))
        writer.writerows(self._rows())
        return text.getvalue()

    def _rows(self) -> Iterator[list[object]]:
        for board in self.boards:
            for each in board.sweeps:
                for run in each.runs:
                    yield [
                        board.game, f"{board.side:g}", board.moves,
                        each.agent, run.depth, run.nodes,
                        *(f"{time:.6g}" for time in _times(run.seconds)), run.memory,
                        *(expected(board, run, name) for name in FORMULAS),
                    ]  # fmt: skip


def survey(
    games: Sequence[Game],
    agents: Sequence[Agent],
    effort: Effort,
    on_progress: Callable[[Game, Agent, Run], object],
) -> Survey:
    """Measure every agent on every board; *told* hears of each search."""
    for game in games:
        for agent in agents:
            agent.check_plays(game)
    return Survey(tuple(_surveyed(game, agents, effort, on_progress) for game in games))


def _surveyed(
    game: Game,
    agents: Sequence[Agent],
    effort: Effort,
    on_progress: Callable[[Game, Agent, Run], object],
) -> Board:
    start = game.start()
    sweeps = tuple(
        sweep(agent, start, effort, partial(on_progress, game, agent)) for agent in agents
    )
    tree = grown(start, effort.positions)
    return Board(game.spec, side(game), len(start.moves()), tree, sweeps)


def side(game: Game) -> float:
    """The side of a square board as large as this one."""
    rows, columns = getattr(game, "rows", 1), getattr(game, "columns", game.move_count)
    return sqrt(rows * columns)


def expected(board: Board, run: Run, formula: str) -> int | None:
    """What a formula says about a search."""
    return None if run.depth is None else int(FORMULAS[formula](board.moves, run.depth))


def _of(agent: str, board: Board) -> Sweep | None:
    return next((sweep for sweep in board.sweeps if sweep.agent == agent), None)


def _board(board: Board) -> dict[str, Any]:
    return {
        "game": board.game,
        "side": board.side,
        "moves": board.moves,
        "complete": board.tree.complete,
        "positions": board.tree.positions,
        "plies": [asdict(ply) | {"branching": ply.branching} for ply in board.tree.plies],
        "agents": [
            {
                "agent": each.agent,
                "end": each.end,
                "growth": _growth(each.growth),
                "runs": [_run(board, run) for run in each.runs],
            }
            for each in board.sweeps
        ],
    }


def _run(board: Board, run: Run) -> dict[str, Any]:
    names = ("median", "low", "high")
    return {
        "depth": run.depth,
        "nodes": run.nodes,
        "seconds": dict(zip(names, _times(run.seconds))),
        "memory": run.memory,
        "formulas": {name: expected(board, run, name) for name in FORMULAS},
    }


def _growth(growth: Growth | None) -> dict[str, float | None] | None:
    if growth is None:
        return None
    bounds = {"rate": growth.rate.value, "low": growth.rate.low, "high": growth.rate.high}
    return {"factor": growth.factor} | {
        name: bound if isfinite(bound) else None for name, bound in bounds.items()
    }


def _times(seconds: Interval) -> tuple[float, float, float]:
    return seconds.value, seconds.low, seconds.high
