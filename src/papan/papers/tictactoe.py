"""Paper 003, Tic Tac Toe: its formulas against counts and clocks, and what its advice brings."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean, median
from time import process_time
from typing import NamedTuple

from papan import catalog
from papan.core import Position
from papan.lab.results import (
    Cell,
    Chart,
    Conclusions,
    Finding,
    Measure,
    ReportTable,
    Series,
    Text,
    counted,
    judged,
)
from papan.lab.work import Json, WorkItem
from papan.papers.experiment import (
    Pairing,
    Tally,
    agent,
    bars,
    games,
    middle,
    ratio,
    ratio_within,
    share,
)
from papan.papers.paper import Found, Paper, parts

# What the paper prints: its formulas, and the running times of its chart, read off its first graph.

SIZES = (3, 4, 5)

RANDOM_SECONDS = (1e-6,) * 5
"""Random-iterative: about the same at every move of a game on 3x3."""

MINIMAX_SECONDS = (0.93, 0.105, 0.013, 0.0015, 0.00036)
"""Minimax, at its first five looks at the same game."""

AVERAGE_PLIES = (6, 8)
"""The average case: games last so many moves."""

WORST = 387_420_489
"""The worst case: 9^9 scenarios."""


def published_scans(size: int) -> int:
    """T(n) = n^2: the cells that random-iterative looks at for one move."""
    return size**2


def published_nodes(depth: int, branching: int) -> int:
    """T(m) = b T(m-1) + 1, and T(0) = 1: what the paper rounds to b^m."""
    return 1 if depth == 0 else branching * published_nodes(depth - 1, branching) + 1


MINIMAX = "minimax:scoring=depth"
STEPS = (
    "random",
    MINIMAX,
    "alphabeta:ordering=false,table=false",
    "alphabeta:table=false",
    "alphabeta",
    "symmetric",
    "mcts",
    "solver",
)
"""The paper's two algorithms, then each step that it suggests, then the exact solver."""
MOST_EMPTY = {3: 9, 4: 8, 5: 8}
"""Minimax is timed when at most so many cells are empty: before that it would take hours."""
REPEATS = 20
FLAT = 3
"""Noting empty cells costs something too. Beside minimax, whose times differ by more than 10,000,
less than this is flat."""


class Amount(NamedTuple):
    """How many games are timed on each size, positions judged, and pairs of games played."""

    timed: int
    judged: int
    pairs: int


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Count the tree, time games, and try every suggestion."""
    yield WorkItem("tree", tree, weight=1.5)
    for size in SIZES:
        for name, first, count in parts(f"timed/{size}", amount.timed, largest=1):
            yield WorkItem(name, timed_games, (size, seed + first, count), 2 if size == 3 else 0.4)
    for step in STEPS:
        yield WorkItem(f"start/{step}", from_the_start, (step,), 1.5 if step == MINIMAX else 0.1)
        for name, first, count in parts(f"right/{step}", amount.judged, largest=50):
            yield WorkItem(name, right_moves, (step, seed + first, count), 0.02 * count)
        pairing = Pairing(step, "random", "tictactoe")
        yield from games(f"games/{step}", pairing, amount.pairs, seed, 0.1)


def tree() -> Json:
    """How many positions the whole 3x3 tree has at each ply, and how many games end there."""
    nodes, ends = Counter[int](), Counter[int]()

    def visit(position: Position, ply: int) -> None:
        nodes[ply] += 1
        moves = position.moves()
        ends[ply] += not moves
        for move in moves:
            visit(position.child(move), ply + 1)

    visit(catalog.position("tictactoe"), 0)
    return [[nodes[ply], ends[ply]] for ply in range(10)]


def scan(board: str) -> tuple[list[int], int]:
    """The paper's random-iterative engine: the empty cells, and how many cells it looked at."""
    empty, looks = [], 0
    for cell, mark in enumerate(board):
        looks += 1
        if mark == ".":
            empty.append(cell)
    return empty, looks


def timed_games(size: int, seed: int, count: int) -> Json:
    """At each ply of random games: empty cells, looks and seconds of scan, nodes and seconds.

    The clock is that of the processor, which stands still while other programs run.
    """
    minimax, plies = catalog.agent(MINIMAX), []
    for each in range(seed, seed + count):
        rng = random.Random(f"{size} {each}")
        position = catalog.position(f"tictactoe:{size},{size},{size}")
        while moves := position.moves():
            board = position.write()[0].replace("/", "")
            began = process_time()
            for _ in range(REPEATS):
                _, looks = scan(board)
            seconds = (process_time() - began) / REPEATS
            plies.append([len(moves), looks, seconds, None, None])
            if len(moves) <= MOST_EMPTY[size]:
                began = process_time()
                nodes = minimax.analyse(position).nodes
                plies[-1][3:] = [nodes, process_time() - began]
            position = position.child(rng.choice(moves))
    return plies


def from_the_start(step: str) -> Json:
    """The nodes and seconds of one decision on the empty 3x3 board."""
    position, player = catalog.position("tictactoe"), agent(step)
    if step == "solver":
        player.analyse(position)  # compiled code must be there before the clock runs
    began = process_time()
    nodes = player.analyse(position).nodes
    return [nodes, process_time() - began]


def right_moves(step: str, seed: int, count: int) -> Json:
    """How many of *count* moves in random positions keep the exact value."""
    right = 0
    for each in range(seed, seed + count):
        position = random_position(each)
        truth = catalog.solve(position, all_moves=True)
        right += agent(step).analyse(position).move in truth.best
    return [right, count]


def random_position(seed: int) -> Position:
    """A position 2 to 5 random plies into a game of 3x3."""
    rng = random.Random(f"right {seed}")
    while True:
        position = catalog.position("tictactoe")
        for _ in range(rng.randrange(2, 6)):
            if moves := position.moves():
                position = position.child(rng.choice(moves))
        if position.moves():
            return position


def conclude(found: Found) -> Conclusions:
    """Formulas beside counts, clocks beside the paper's chart, and the suggestions side by side."""
    plies = {size: found.joined(f"timed/{size}") for size in SIZES}
    return Conclusions(
        findings=judged((*formulas(found, plies), *clocks(plies[3]), *suggestions(found))),
        tables=(
            case_table(plies),
            time_table(plies[3]),
            length_table(found["tree"]),
            step_table(found, STEPS),
        ),
        charts=(
            time_chart(plies),
            node_chart(plies),
            step_chart(found, STEPS),
        ),
    )


def formulas(found: Found, plies: dict[int, Json]) -> Iterator[Finding]:
    """T(n) = n^2 and T(m) = b^m against what was counted."""
    for size in SIZES:
        looks = {ply[1] for ply in plies[size]}
        what = Text("paper003.looks", {"size": size})
        ours = " ".join(map(str, sorted(looks)))
        yield counted(what, published_scans(size), ours, looks == {published_scans(size)})
    nodes = sum(nodes for nodes, _ in found["tree"])
    visited = found[f"start/{MINIMAX}"][0]
    yield counted(Text("paper003.worst"), WORST, visited, visited == WORST)
    recursion = published_nodes(9, 9)
    yield counted(Text("paper003.recursion"), recursion, nodes, nodes == recursion)
    ends = [ends for _, ends in found["tree"]]
    yield Finding(Text("paper003.finished"), None, sum(ends))
    length = sum(ply * count for ply, count in enumerate(ends)) / sum(ends)
    low, high = AVERAGE_PLIES
    yield counted(Text("paper003.length"), f"{low}-{high}", Measure(length), low <= length <= high)


def clocks(plies: Json) -> Iterator[Finding]:
    """Random-iterative is flat; minimax falls by about the branching factor with every move."""
    slowest, fastest = (choose(medians(plies, 2).values()) for choose in (max, min))
    spread = slowest / fastest
    yield counted(Text("paper003.flat"), Measure(1.0), Measure(spread), spread < FLAT)
    times = by_empty(plies, 4)
    for place, (before, after) in enumerate(pairwise(MINIMAX_SECONDS)):
        empty = 9 - place
        ours, paper = ratio(times[empty], times[empty - 1]), before / after
        what = Text("paper003.factor", {"empty": empty, "fewer": empty - 1})
        fits = ratio_within(times[empty], times[empty - 1], paper / 2, paper * 2)
        yield Finding(what, Measure(paper), ours, evidence=fits)


def suggestions(found: Found) -> Iterator[Finding]:
    """Do the suggestions bring what the paper hopes for: fewer nodes?"""
    plain = found[f"start/{MINIMAX}"][0]
    for step in STEPS[2:-1]:
        nodes = found[f"start/{step}"][0]
        what = Text("paper003.suggested", {"agent": step})
        yield counted(what, Text("paper003.fewer", {"nodes": plain}), nodes, nodes < plain)


def medians(plies: Json, place: int) -> dict[int, float]:
    """The median of one kind of number, by how many cells are empty."""
    return {empty: median(numbers) for empty, numbers in by_empty(plies, place).items()}


def by_empty(plies: Json, place: int) -> dict[int, list[float]]:
    """One kind of number of every ply, by how many cells were empty."""
    found: dict[int, list[float]] = {}
    for ply in plies:
        if ply[place] is not None:
            found.setdefault(ply[0], []).append(ply[place])
    return dict(sorted(found.items(), reverse=True))


def case_table(plies: dict[int, Json]) -> ReportTable:
    """Best, average and worst case: nodes of minimax by size and empty cells, beside b^m."""
    rows = []
    for size in SIZES:
        for empty, nodes in by_empty(plies[size], 3).items():
            counts = (min(nodes), Measure(fmean(nodes)), max(nodes))
            rows.append((f"{size}x{size}", empty, empty**empty, *counts))
    keys = ("lab.board", "paper003.empty", "paper003.formula", "lab.best", "lab.mean", "lab.worst")
    return ReportTable("cases", Text("paper003.table_cases"), tuple(map(Text, keys)), tuple(rows))


def time_table(plies: Json) -> ReportTable:
    """The running times of the paper's chart beside ours, move by move on 3x3."""
    scans, times = by_empty(plies, 2), by_empty(plies, 4)
    rows = []
    for place, empty in enumerate(times):
        known = place < len(MINIMAX_SECONDS)
        paper: tuple[Cell, Cell] = (None, None)
        if known:
            seconds = RANDOM_SECONDS[place], MINIMAX_SECONDS[place]
            paper = Measure(seconds[0], form="seconds"), Measure(seconds[1], form="seconds")
        ours = middle(scans[empty]), middle(times[empty])
        rows.append((empty, paper[0], ours[0], paper[1], ours[1]))
    keys = ("empty", "random_paper", "random_ours", "minimax_paper", "minimax_ours")
    headings = tuple(Text(f"paper003.{key}") for key in keys)
    return ReportTable("times", Text("paper003.table_times"), headings, tuple(rows))


def length_table(tree: Json) -> ReportTable:
    """The whole 3x3 tree: positions and finished games at each ply."""
    rows = [(ply, nodes, ends) for ply, (nodes, ends) in enumerate(tree)]
    headings = (Text("lab.ply"), Text("paper003.positions"), Text("paper003.ended"))
    return ReportTable("tree", Text("paper003.table_tree"), headings, tuple(rows))


def step_table(found: Found, steps: Sequence[str]) -> ReportTable:
    """Every suggestion: nodes, time, right moves, and games against random."""
    rows = []
    for step in steps:
        nodes, seconds = found[f"start/{step}"]
        right, judged = map(sum, zip(*found.under(f"right/{step}")))
        points = Tally.of(found, f"games/{step}").points
        rows.append((step, nodes, Measure(seconds, form="seconds"), share(right, judged), points))
    keys = ("lab.agent", "paper003.nodes", "lab.time", "paper003.right", "paper003.against_random")
    return ReportTable("steps", Text("paper003.table_steps"), tuple(map(Text, keys)), tuple(rows))


def time_chart(plies: dict[int, Json]) -> Chart:
    """Like the paper's chart: seconds for one move, with bands."""
    series = []
    for size in SIZES:
        for place, key in ((2, "paper003.random_on"), (4, "paper003.minimax_on")):
            found = by_empty(plies[size], place)
            series.append(
                line(Text(key, {"size": size}), found, [middle(each) for each in found.values()])
            )
    return Chart(
        "times",
        Text("paper003.chart_times"),
        Text("paper003.empty"),
        Text("lab.time"),
        tuple(series),
        log=True,
        form="seconds",
    )


def line(label: Text, found: dict[int, list[float]], measures: Sequence[Measure]) -> Series:
    """A line over the number of empty cells."""
    drawn = bars(label, measures)
    return Series(label, drawn.y, tuple(found), drawn.low, drawn.high)


def node_chart(plies: dict[int, Json]) -> Chart:
    """The nodes of minimax beside the paper's formula."""
    series = []
    for size in SIZES:
        found = by_empty(plies[size], 3)
        label = Text("paper003.minimax_on", {"size": size})
        series.append(line(label, found, [Measure(fmean(each)) for each in found.values()]))
    empty = tuple(range(9, 0, -1))
    series.append(Series(Text("paper003.formula"), tuple(float(m**m) for m in empty), empty))
    return Chart(
        "nodes",
        Text("paper003.chart_nodes"),
        Text("paper003.empty"),
        Text("paper003.nodes"),
        tuple(series),
        log=True,
    )


def step_chart(found: Found, steps: Sequence[str]) -> Chart:
    """The nodes that each step needs for the first move."""
    nodes = [Measure(found[f"start/{step}"][0]) for step in steps]
    return Chart(
        "steps",
        Text("paper003.chart_steps"),
        Text("lab.agent"),
        Text("paper003.nodes"),
        (bars(Text("paper003.nodes"), nodes),),
        kind="bars",
        categories=tuple(steps),
        log=True,
    )


PAPER = Paper(
    number="003",
    game="tictactoe",
    title="Analisis Kompleksitas 2 Algoritma Penyelesaian Permainan Tic Tac Toe secara Iteratif & "
    "Rekursif (Random-Iterative Algorithm & Minimax Algorithm)",
    authors="Hilmi Musyafa, Adika Ghivan Pratama",
    year=2024,
    claims=(Text("paper003.claim_iterative"), Text("paper003.claim_recursive")),
    recipe=Text("paper003.recipe"),
    remarks=(Text("paper003.remark_bound"), Text("paper003.remark_best")),
    amounts={
        "quick": Amount(timed=3, judged=100, pairs=10),
        "full": Amount(timed=30, judged=1000, pairs=250),
    },
    plan=plan,
    conclude=conclude,
)
