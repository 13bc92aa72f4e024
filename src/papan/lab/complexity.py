"""Growth of games and searches: exact counts, measured times, fitted laws."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from math import perm, sqrt
from statistics import median, quantiles
from typing import Any, Literal

from papan.core import Agent, Analysis, Game, InvalidSpecError, Limit, Message, Position
from papan.core.analysis import finite
from papan.core.graph import STORES
from papan.core.interrupts import Interrupted, interruptible
from papan.core.parts import Drawing
from papan.core.progress import OnProgress, Progress, ignore_progress
from papan.lab.files import csv_text
from papan.lab.statistics.intervals import Growth, Interval, exponential_law, power_law


@dataclass(frozen=True)
class PlyCounts:
    """Counts of positions, lines and moves after *ply* moves of a game."""

    ply: int
    """Number of moves so far: 0 at the start."""
    positions: int
    """Number of different positions."""
    lines: int
    """Number of different sequences of moves that lead to them (perft)."""
    moves: int
    """Number of legal moves over all lines: the lines of the next ply."""
    ended: int
    """Number of lines that end here because the game is over."""

    @property
    def branching(self) -> float:
        """Mean number of legal moves at this ply, over all lines of play; 0 if all games have
        ended.
        """
        return self.moves / self.lines


@dataclass(frozen=True)
class GameTree:
    """Counts of each ply of a game from its start, as far as they were counted."""

    plies: tuple[PlyCounts, ...]
    """The counts from ply 0, the start, on; at least that one."""
    complete: bool
    """True if the last ply is the end of the longest game."""

    @property
    def positions(self) -> int:
        """Number of positions in all plies together; one that occurs in two plies counts twice."""
        return sum(ply.positions for ply in self.plies)

    def nodes(self, ply: int) -> int:
        """Return the number of nodes of the tree down to *ply*: one for each line that leads to a
        position.

        Plies that were not counted are left out.
        """
        return sum(each.lines for each in self.plies[: ply + 1])

    def leaves(self, ply: int) -> int:
        """Return the number of leaves of the tree cut at *ply*, those that ended before included.

        Raise IndexError if that ply was not counted.
        """
        return self.plies[ply].lines + sum(each.ended for each in self.plies[:ply])


def count_tree(start: Position, most: int) -> GameTree:
    """Return the counts of as many whole plies as have at most *most* positions in all.

    Ply 0, *start* itself, is always counted.
    """
    layer: Counter[Position] | None = Counter({start: 1})
    plies, seen = list[PlyCounts](), 0
    while layer:
        counts = [(len(position.moves()), ways) for position, ways in layer.items()]
        moves = sum(count * ways for count, ways in counts)
        ended = sum(ways for count, ways in counts if not count)
        plies.append(PlyCounts(len(plies), len(layer), layer.total(), moves, ended))
        seen += len(layer)
        layer = _following(layer, most - seen)
    return GameTree(tuple(plies), complete=layer is not None)


def _following(layer: Counter[Position], room: int) -> Counter[Position] | None:
    """Return the positions of the ply after *layer*, each with its number of lines of play.

    *layer* has the positions of one ply, each with the number of lines of play that lead to it.
    None if the next ply has more than *room* positions; empty if no position has a move.
    """
    following: Counter[Position] = Counter()
    for position, ways in layer.items():
        for move in position.moves():
            following[position.child(move)] += ways
        if len(following) > room:
            return None
    return following


FORMULAS: dict[str, Callable[[int, int], int]] = {
    "b^m": lambda moves, depth: moves**depth,
    "nPr": perm,
    "nPr/2": lambda moves, depth: perm(moves, depth) // 2,
    "b^(m/2)": lambda moves, depth: moves ** -(-depth // 2) + moves ** (depth // 2) - 1,
}
"""Formulas of the number of leaves, given *b*, the moves at the start, and *m*, the depth in plies.

All are whole numbers: nPr/2 is rounded down.
Paper 003's minimax has b^m; paper 001's nPr = b!/(b - m)!, where each move takes one away; with
pruning it says nPr/2. Knuth and Moore's best case of alpha-beta is b to m/2 rounded up, plus b to
m/2 rounded down, less 1.
"""
SHRINKING = ("nPr", "nPr/2")
"""Formulas that hold only if each move takes away exactly one move: itself."""


def scan(side: float) -> float:
    """Return side ** 2: by paper 003, the work of an agent that looks at every cell once."""
    return side**2


GREATEST_DEPTH = 500
"""Largest search depth that is measured, in plies, if none is asked for."""


@dataclass(frozen=True)
class SurveyLimit:
    """Limits of a measurement; raises InvalidSpecError for numbers below 1."""

    depth: int | None = None
    """Greatest search depth in plies; None: until a search needs too many nodes, at most
    `GREATEST_DEPTH`.
    """
    nodes: int = 600_000
    """Nodes of the largest search that is measured; larger ones are left out."""
    positions: int = 100_000
    """Largest number of positions of a game that are counted."""
    repeats: int = 5
    """Number of times that each duration is measured."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "positions", "repeats"):
            amount = getattr(self, name)
            if amount is not None and amount < 1:
                raise InvalidSpecError("complexity.bad_effort", effort=name, amount=amount)


@dataclass(frozen=True)
class SearchRun:
    """The measured cost of one search: nodes, seconds and bytes."""

    depth: int | None
    """Its depth in plies; None for an agent without one."""
    nodes: int
    """Nodes that it visited, as `Analysis.nodes` counts them."""
    seconds: Interval
    """Median of the wall-clock times, with the quartiles."""
    memory: int
    """Largest number of bytes that Python had allocated for the search at any time."""


@dataclass(frozen=True)
class Sweep:
    """Searches of one agent in one position, each one ply deeper than the one before."""

    agent: str
    """The spec of the agent."""
    runs: tuple[SearchRun, ...]
    """The searches, from depth 1 on; a single one for an agent without a depth. Empty if already
    the first needs too many nodes.
    """
    end: Literal["depth", "nodes", "game", "once"]
    """Reason why there is no deeper search: the depth was reached, too many nodes, the game is
    exhausted, or the agent has no depth."""

    @property
    def growth(self) -> Growth | None:
        """Law of nodes over depth, fitted; its rate is the effective branching factor.

        None with fewer than two searches that have a depth.
        """
        return exponential_law([(run.depth, run.nodes) for run in self.runs if run.depth])


def sweep_depths(
    agent: Agent,
    position: Position,
    effort: SurveyLimit,
    on_progress: OnProgress = ignore_progress,
) -> Sweep:
    """Measure searches of *position*, one ply deeper each time, within *effort*, and return them.

    They end as `Sweep.end` says. An agent without the setting ``depth`` makes one search, with
    ``effort.nodes`` as its limit; if it reaches this limit, there is none in the result.
    *on_progress* is called after each search that is in the result. Raise what *agent* raises.
    """
    if not agent.has_setting("depth"):
        limit = Limit(nodes=effort.nodes)
        if agent.analyse(position, limit).why == "nodes":
            return Sweep(agent.spec, (), "nodes")
        run = _measured(agent, position, None, effort)
        on_progress(_progress(agent, position, run, 1))
        return Sweep(agent.spec, (run,), "once")
    runs: list[SearchRun] = []
    while len(runs) < (effort.depth or GREATEST_DEPTH):
        depth = len(runs) + 1
        deeper = agent.with_settings(depth=depth)
        analysis = _finished(deeper, position, depth, effort.nodes)
        if analysis is None:
            return Sweep(agent.spec, tuple(runs), "nodes")
        if runs and analysis.nodes == runs[-1].nodes:  # a ply more made no difference
            return Sweep(agent.spec, tuple(runs), "game")
        runs.append(_measured(deeper, position, depth, effort))
        on_progress(_progress(agent, position, runs[-1], len(runs)))
        if analysis.why in ("exact", "done"):
            return Sweep(agent.spec, tuple(runs), "game")
    return Sweep(agent.spec, tuple(runs), "depth")


def _progress(agent: Agent, position: Position, run: SearchRun, done: int) -> Progress:
    """Return progress after the search *run* of an agent, its number *done*; the total is
    unknown.
    """
    values = {"game": position.game.spec, "agent": agent.spec, "nodes": run.nodes}
    if run.depth is None:
        return Progress(done, 0, Message("complexity.searched", values))
    return Progress(done, 0, Message("complexity.searched_depth", values | {"depth": run.depth}))


def _finished(agent: Agent, position: Position, depth: int, most: int) -> Analysis | None:
    """Return the analysis of a search of *depth* plies if it needs at most *most* nodes, else None.

    The depth is a setting of *agent*. A search with a limit deepens step by step, and no step takes
    more than the last one: a limit of *most* * *depth* nodes reveals a hopeless search cheaply.
    """
    if agent.analyse(position, Limit(nodes=most * depth)).why == "nodes":
        return None
    analysis = agent.analyse(position)
    return analysis if analysis.nodes <= most else None


def _measured(
    agent: Agent, position: Position, depth: int | None, effort: SurveyLimit
) -> SearchRun:
    """Return nodes, times and memory of a search by *agent*, made ``effort.repeats`` times.

    The caller has made it once before, so that no time goes into compiling it. *depth* is its depth
    in plies, set in *agent*; None: it has none, and its limit is ``effort.nodes``.
    """
    limit = Limit() if depth else Limit(nodes=effort.nodes)
    searches = [agent.analyse(position, limit) for _ in range(effort.repeats)]
    seconds = _spread([each.seconds for each in searches])
    return SearchRun(depth, searches[0].nodes, seconds, _memory(agent, position, limit))


def _spread(times: list[float]) -> Interval:
    """Return the median of *times*, one or more, with the lower and the upper quartile as ends."""
    low, _, high = quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
    return Interval(median(times), low, high)


def _memory(agent: Agent, position: Position, limit: Limit) -> int:
    """Return the most bytes that Python allocates at any time while *agent* analyses *position*."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        agent.analyse(position, limit)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


COLUMNS = (
    "game", "side", "moves", "agent", "depth", "nodes",
    "median_seconds", "low_seconds", "high_seconds", "memory_bytes",
)  # fmt: skip
"""Columns of `Survey.csv` before those of `FORMULAS`."""


@dataclass(frozen=True)
class WalkCosts:
    """Entries that a breadth-first search reads in a graph's adjacency lists, and in its matrix."""

    graph: str
    """The name of the graph."""
    vertices: int
    """Number of vertices."""
    edges: int
    """Number of edges."""
    lists: int
    """Entries read in adjacency lists."""
    matrix: int
    """Entries read in an adjacency matrix."""


def measure_walks(position: Position) -> tuple[WalkCosts, ...]:
    """Return how many entries a breadth-first search reads in each graph of *position*.

    Each search starts at the first vertex; graphs without edges and hypergraphs are left out. Empty
    if there are no others.
    """
    graphs = [
        each for each in Drawing.of(position).graphs() if each.edges and not each.is_hypergraph
    ]
    found = []
    for graph in graphs:
        sizes, walk = (len(graph.vertices), len(graph.edges)), graph.walk(graph.vertices[0].name)
        found.append(WalkCosts(graph.name, *sizes, **walk.looks))
    return tuple(found)


@dataclass(frozen=True)
class BoardSurvey:
    """Results for one size of a game: counts of its tree, and searches of each agent."""

    game: str
    """The spec of the game."""
    side: float
    """The n of n^2, in cells: the square root of rows times columns (`board_side`)."""
    moves: int
    """Number of legal moves at the start."""
    tree: GameTree
    """Counts of the game from its start."""
    sweeps: tuple[Sweep, ...]
    """Searches of the start, one sweep for each agent."""
    shrinks: bool = False
    """True if each move takes away exactly one, itself: then nPr applies."""
    walks: tuple[WalkCosts, ...] = ()
    """Breadth-first searches in the graphs of the start."""

    def formula(self, name: str, depth: int | None) -> int | None:
        """Return the value of the formula *name* at *depth* plies; None if it does not apply.

        No formula applies if *depth* is None; those of `SHRINKING` apply only if the board
        `shrinks`. Raise KeyError unless *name* is one of `FORMULAS`.
        """
        if depth is None or (name in SHRINKING and not self.shrinks):
            return None
        return FORMULAS[name](self.moves, depth)


@dataclass(frozen=True)
class Exponent:
    """Growth of an agent's work with the side of the board, at one depth for all sizes."""

    agent: str
    """The spec of the agent."""
    depth: int | None
    """The depth in plies; None for an agent without one."""
    nodes: Growth
    """Power law of its nodes over the side."""
    seconds: Growth
    """Power law of its wall-clock times over the side."""


@dataclass(frozen=True)
class Survey:
    """Results for all measured boards, and the laws of growth that they show."""

    boards: tuple[BoardSurvey, ...]
    """Results for each game, in the order in which they were asked for."""

    @property
    def exponents(self) -> list[Exponent]:
        """Growth of each agent's work with the side of the board.

        Agents that were measured on fewer than two sizes are left out.
        """
        agents = dict.fromkeys(sweep.agent for board in self.boards for sweep in board.sweeps)
        return [found for agent in agents if (found := self._exponent(agent))]

    @property
    def depth(self) -> int | None:
        """The greatest depth in plies that all agents reached on all boards; None if none has one.

        Agents without a depth do not count, nor does one on a board where it made no search.
        """
        sweeps = [sweep for board in self.boards for sweep in board.sweeps if sweep.runs]
        return min((len(each.runs) for each in sweeps if each.runs[0].depth), default=None)

    def _exponent(self, agent: str) -> Exponent | None:
        """Return the growth of the work of *agent* (a spec) with the side, at the common `depth`.

        None if it was measured on fewer than two sizes.
        """
        runs = [
            (board.side, run)
            for board in self.boards
            for sweep in board.sweeps
            for run in sweep.runs
            if sweep.agent == agent and run.depth in (None, self.depth)
        ]
        nodes = power_law([(side, run.nodes) for side, run in runs])
        seconds = power_law([(side, run.seconds.value) for side, run in runs])
        return Exponent(agent, runs[0][1].depth, nodes, seconds) if nodes and seconds else None

    @property
    def walk_laws(self) -> dict[str, tuple[Growth, Growth]]:
        """For each graph, by name, two power laws of the entries read over its number of vertices.

        The first law is that of `WalkCosts.lists`, the second that of `WalkCosts.matrix`. A graph
        that was measured with one number of vertices only is left out.
        """
        found: dict[str, list[WalkCosts]] = {}
        for board in self.boards:
            for each in board.walks:
                found.setdefault(each.graph, []).append(each)
        laws = {}
        for graph, walks in found.items():
            lists, matrix = (
                power_law([(each.vertices, getattr(each, store)) for each in walks])
                for store in STORES
            )
            if lists and matrix:
                laws[graph] = lists, matrix
        return laws

    def conclusions(self, board: BoardSurvey) -> list[Message]:
        """Return what the counts of *board*, one of `boards`, show: sentences for any language."""
        return [*_of_the_tree(board), *_of_the_searches(board, self.depth)]

    def json(self) -> dict[str, Any]:
        """Return the survey as JSON data: ``depth``, ``boards`` and ``exponents``.

        ``depth`` is that of the property, in plies or None. ``boards`` has what `_board` returns
        for each board. An exponent has ``agent`` (spec), ``depth`` (None for an agent without one),
        and the laws ``nodes`` and ``seconds``, each with ``factor`` and the exponent ``rate`` from
        ``low`` to ``high`` (`_growth`).
        """
        return {
            "depth": self.depth,
            "boards": [_board(board) for board in self.boards],
            "exponents": [
                vars(each) | {"nodes": _growth(each.nodes), "seconds": _growth(each.seconds)}
                for each in self.exponents
            ],
        }

    def csv(self) -> str:
        """Return CSV with a row for each search, and the values of the formulas beside it.

        Its header is `COLUMNS` and the names in `FORMULAS`; a value that does not apply is empty.
        """
        return csv_text([(*COLUMNS, *FORMULAS), *self._rows()])

    def _rows(self) -> Iterator[list[object]]:
        """Yield the rows of `csv` for all searches, in the order of the boards, without the
        header.
        """
        for board in self.boards:
            for each in board.sweeps:
                for run in each.runs:
                    yield [
                        board.game, f"{board.side:g}", board.moves,
                        each.agent, run.depth, run.nodes,
                        *(f"{time:.6g}" for time in astuple(run.seconds)), run.memory,
                        *(board.formula(name, run.depth) for name in FORMULAS),
                    ]  # fmt: skip


def survey(
    games: Sequence[Game],
    agents: Sequence[Agent],
    effort: SurveyLimit,
    on_progress: OnProgress = ignore_progress,
) -> Survey:
    """Measure each of *agents* in the start of each of *games*, within the limits *effort*.

    *on_progress* is called after each search that is in the result. Raise CannotPlayError if an
    agent does not play a game, before any search, and what the agents raise; after Ctrl-C raise
    `Interrupted` with the `Survey` of the boards that were finished.
    """
    for game in games:
        for agent in agents:
            agent.check_plays(game)
    boards: list[BoardSurvey] = []
    with interruptible:
        try:
            for game in games:
                boards.append(_surveyed(game, agents, effort, on_progress))
        except KeyboardInterrupt:
            raise Interrupted(Survey(tuple(boards))) from None
    return Survey(tuple(boards))


def _surveyed(
    game: Game,
    agents: Sequence[Agent],
    effort: SurveyLimit,
    on_progress: OnProgress = ignore_progress,
) -> BoardSurvey:
    """Return the counts of one game, and the searches of its start by each of *agents*, within
    *effort*.
    """
    start = game.start()
    sweeps = tuple(sweep_depths(agent, start, effort, on_progress) for agent in agents)
    tree = count_tree(start, effort.positions)
    moves = len(start.moves())
    return BoardSurvey(
        game.spec, board_side(game), moves, tree, sweeps, game.moves_stay, measure_walks(start)
    )


def _short(amount: float, form: str) -> float:
    """Return *amount* rounded to the digits of *form*, such as ``.3g``; an int if it is whole."""
    short = float(f"{amount:{form}}")
    return int(short) if short == int(short) else short


def _of_the_tree(board: BoardSurvey) -> Iterator[Message]:
    """Yield one or two sentences that compare the counts of the board with `FORMULAS`.

    One compares the leaves of the tree, cut at the last counted ply, with b^m; the other, if the
    board `shrinks`, the lines of play of each ply with nPr.
    """
    last = board.tree.plies[-1].ply
    leaves = board.tree.leaves(last)
    facts = {
        "plies": last,
        "nodes": board.tree.nodes(last),
        "leaves": leaves,
        "positions": board.tree.positions,
        "formula": board.formula("b^m", last),
        "times": _short(board.moves**last / leaves, ".1f"),
    }
    yield Message("complexity.says_leaves", facts)
    if board.shrinks:
        lines = [(each.ply, each.lines, perm(board.moves, each.ply)) for each in board.tree.plies]
        same = [ply for ply, count, formula in lines if count == formula]
        differs = next(((p, c, f) for p, c, f in lines if c != f), None)
        if differs is None:
            yield Message("complexity.says_npr", {"ply": same[-1]})
        else:
            names = dict(zip(("next", "lines", "formula"), differs))
            yield Message("complexity.says_npr_until", {"ply": differs[0] - 1} | names)


def _of_the_searches(board: BoardSurvey, depth: int | None) -> Iterator[Message]:
    """Yield one or two sentences that compare the nodes of two agents' searches of *depth* plies.

    One is the board's first agent with a depth, the other, among its other agents with a depth, the
    one that took the fewest nodes. If nPr/2 of `FORMULAS` applies to the board, a second sentence
    compares the nodes of this other agent with it. Yield nothing if *depth* is None or fewer than
    two agents have a depth. All agents with a depth must have searched *depth* plies.
    """
    runs = [
        (each.agent, each.runs[depth - 1])
        for each in board.sweeps
        if depth is not None and each.runs and each.runs[0].depth
    ]
    if len(runs) < 2:
        return
    (agent, most), (other, least) = runs[0], min(runs[1:], key=lambda each: each[1].nodes)
    facts = {
        "game": board.game,
        "depth": depth,
        "agent": agent,
        "nodes": most.nodes,
        "other": other,
        "fewer": least.nodes,
        "share": _short(100 * least.nodes / most.nodes, ".3g"),
        "seconds": _short(most.seconds.value, ".2g"),
        "less": _short(least.seconds.value, ".2g"),
    }
    yield Message("complexity.says_nodes", facts)
    if depth is not None and (half := board.formula("nPr/2", depth)):
        yield Message("complexity.says_half", {"depth": depth, "half": half, "fewer": least.nodes})


def board_side(game: Game) -> float:
    """Return the side, in cells, of a square board of the same size: sqrt(rows * columns).

    A game without rows and columns counts as one row of all its moves.
    """
    rows, columns = getattr(game, "rows", 1), getattr(game, "columns", game.move_count)
    return sqrt(rows * columns)


def _board(board: BoardSurvey) -> dict[str, Any]:
    """Return a board as JSON data: its counts by ply, its graphs, and the searches of each
    agent.

    Its keys are ``game`` (spec), ``side`` (in cells), ``moves`` (at the start), ``complete`` and
    ``positions`` (those of `GameTree`), ``plies`` (a list of what `_ply` returns), ``graphs`` (the
    fields of each `WalkCosts`), and ``agents``: for each, ``agent`` (spec), ``end`` (that of
    `Sweep`), ``growth`` (`_growth` of the law of nodes over depth) and ``runs`` (a list of what
    `_run` returns).
    """
    return {
        "game": board.game,
        "side": board.side,
        "moves": board.moves,
        "complete": board.tree.complete,
        "positions": board.tree.positions,
        "plies": [_ply(board, ply) for ply in board.tree.plies],
        "graphs": [asdict(each) for each in board.walks],
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


def _ply(board: BoardSurvey, ply: PlyCounts) -> dict[str, Any]:
    """Return the counts of a ply as JSON data: those of `PlyCounts`, and the tree down to it.

    It has the fields of *ply* by name; ``branching``, the mean number of legal moves in this ply
    (0 if all games have ended); ``nodes`` and ``leaves``, the numbers of nodes and leaves of the
    tree from ply 0 down to this ply; and ``formulas``, an object with the value of each of
    `FORMULAS` at this depth, by name, None for one that does not apply to the board.
    """
    tree = {"nodes": board.tree.nodes(ply.ply), "leaves": board.tree.leaves(ply.ply)}
    formulas = {name: board.formula(name, ply.ply) for name in FORMULAS}
    return asdict(ply) | {"branching": ply.branching} | tree | {"formulas": formulas}


def _run(board: BoardSurvey, run: SearchRun) -> dict[str, Any]:
    """Return a search as JSON data: its depth, its cost, and what the formulas say.

    It has ``depth`` (plies; None for an agent without one), ``nodes``, ``memory`` (bytes),
    ``seconds``, an object with ``median``, ``low`` and ``high`` (the quartiles), and ``formulas``,
    an object with the value of each of `FORMULAS` at its depth, by name, None for one that does not
    apply.
    """
    seconds = dict(zip(("median", "low", "high"), astuple(run.seconds)))
    formulas = {name: board.formula(name, run.depth) for name in FORMULAS}
    return vars(run) | {"seconds": seconds, "formulas": formulas}


def _growth(growth: Growth | None) -> dict[str, float | None] | None:
    """Return a law as JSON data: ``factor``, and ``rate`` from ``low`` to ``high``; None for none.

    Each of these numbers is None where it is infinite.
    """
    if growth is None:
        return None
    rate = dict(zip(("rate", "low", "high"), map(finite, astuple(growth.rate))))
    return {"factor": finite(growth.factor)} | rate
