"""Paper 003, Tic Tac Toe: its formulas against counts and clocks, and what its advice brings."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

from papan import catalog
from papan.core import Position
from papan.lab.papers.games import Pairing, agent, games
from papan.lab.papers.measures import ratio
from papan.lab.papers.paper import Found, Paper, parts
from papan.lab.papers.published import tictactoe as published
from papan.lab.papers.tables import tictactoe as report
from papan.lab.results import Conclusions, Finding, Measure, Text, holds, within
from papan.lab.work import Json, WorkItem

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
    for size in published.SIZES:
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
    for luck in range(seed, seed + count):
        rng = random.Random(f"{size} {luck}")
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
    for luck in range(seed, seed + count):
        position = random_position(luck)
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
    plies = {size: found.joined(f"timed/{size}") for size in published.SIZES}
    return Conclusions(
        findings=(*formulas(found, plies), *clocks(plies[3]), *suggestions(found)),
        tables=(
            report.case_table(plies),
            report.time_table(plies[3]),
            report.length_table(found["tree"]),
            report.step_table(found, STEPS),
        ),
        charts=(
            report.time_chart(plies),
            report.node_chart(plies),
            report.step_chart(found, STEPS),
        ),
    )


def formulas(found: Found, plies: dict[int, Json]) -> Iterator[Finding]:
    """T(n) = n^2 and T(m) = b^m against what was counted."""
    for size in published.SIZES:
        looks = {ply[1] for ply in plies[size]}
        what = Text("paper003.looks", {"size": size})
        ours = " ".join(map(str, sorted(looks)))
        yield Finding(what, published.scans(size), ours, holds(looks == {published.scans(size)}))
    nodes = sum(nodes for nodes, _ in found["tree"])
    counted = found[f"start/{MINIMAX}"][0]
    yield Finding(
        Text("paper003.worst"), published.WORST, counted, holds(counted == published.WORST)
    )
    recursion = published.nodes(9, 9)
    yield Finding(Text("paper003.recursion"), recursion, nodes, holds(nodes == recursion))
    ends = [ends for _, ends in found["tree"]]
    yield Finding(Text("paper003.finished"), None, sum(ends))
    length = sum(ply * count for ply, count in enumerate(ends)) / sum(ends)
    low, high = published.AVERAGE_PLIES
    yield Finding(
        Text("paper003.length"), f"{low}-{high}", Measure(length), holds(low <= length <= high)
    )


def clocks(plies: Json) -> Iterator[Finding]:
    """Random-iterative is flat; minimax falls by about the branching factor with every move."""
    slowest, fastest = (choose(report.medians(plies, 2).values()) for choose in (max, min))
    spread = slowest / fastest
    yield Finding(Text("paper003.flat"), Measure(1.0), Measure(spread), holds(spread < FLAT))
    times = report.by_empty(plies, 4)
    for place, (before, after) in enumerate(
        zip(published.MINIMAX_SECONDS, published.MINIMAX_SECONDS[1:])
    ):
        empty = 9 - place
        ours, paper = ratio(times[empty], times[empty - 1]), before / after
        what = Text("paper003.factor", {"empty": empty, "fewer": empty - 1})
        yield Finding(what, Measure(paper), ours, within(ours, paper / 2, paper * 2))


def suggestions(found: Found) -> Iterator[Finding]:
    """Do the suggestions bring what the paper hopes for: fewer nodes?"""
    plain = found[f"start/{MINIMAX}"][0]
    for step in STEPS[2:-1]:
        nodes = found[f"start/{step}"][0]
        what = Text("paper003.suggested", {"agent": step})
        yield Finding(what, Text("paper003.fewer", {"nodes": plain}), nodes, holds(nodes < plain))


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
