"""Paper 002, Onet: its experiments move by move, then greedy against the truth on random boards."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from papan import catalog
from papan.core import Agent, Position
from papan.lab.papers.measures import share
from papan.lab.papers.paper import Found, Paper, parts
from papan.lab.papers.published import onet as published
from papan.lab.papers.tables import onet as report
from papan.lab.papers.tables.onet import Ran
from papan.lab.results import Conclusions, Finding, Text, holds
from papan.lab.work import Json, WorkItem

RULES = ("paper", "onet")
BOTH = (*published.EXPERIMENTS, *published.EDGES)
"""The boards of the paper, and two of ours."""
PLAYERS = ("openings, paper", "openings, onet", "first, onet", "solver, onet")
"""Who clears random boards, and by which rule: the paper's program is the first."""
BOARDS = {"6,12": 20, "8,14": 36}
"""The sizes of random boards, each with its kinds of tiles."""
BUDGET = 60.0
"""Seconds for the exact solver; it hardly ever needs one."""


class Amount(NamedTuple):
    """How many random boards of each size."""

    boards: tuple[int, int]


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Play the paper's boards by both rules, then random boards."""
    for experiment in BOTH:
        for rule in RULES:
            yield WorkItem(
                f"run/{experiment.name}/{rule}", run, (experiment.size, experiment.board, rule)
            )
    for (size, kinds), boards in zip(BOARDS.items(), amount.boards):
        for name, first, count in parts(f"random/{size}", boards, largest=5):
            yield WorkItem(name, clear, (size, kinds, seed + first, count), 0.2 * count)


def run(size: str, board: str, rule: str) -> Json:
    """The moves that most-openings makes on a board, and how many tiles it leaves."""
    return played(catalog.agent("openings"), catalog.position(f"onet:{size},rule={rule} {board}"))


def played(agent: Agent | None, position: Position) -> Json:
    """The moves of *agent*, or the first pair found where there is none, and the tiles left."""
    moves = []
    while legal := position.moves():
        move = legal[0] if agent is None else agent.analyse(position).move
        moves.append(position.game.move_name(move))
        position = position.child(move)
    return [" ".join(moves), position.game.largest_margin - position.scores()[0]]


def tiles(size: str, kinds: int, seed: int) -> list[int]:
    """Pairs of tiles, shuffled: some boards of this kind cannot be cleared."""
    rows, columns = map(int, size.split(","))
    pairs = [pair % kinds + 1 for pair in range(rows * columns // 2)]
    both = pairs * 2
    random.Random(f"{size} {kinds} {seed}").shuffle(both)
    return both


def random_board(size: str, kinds: int, seed: int) -> str:
    """A board in text."""
    laid, columns = tiles(size, kinds, seed), int(size.split(",")[1])
    rows = [laid[cell : cell + columns] for cell in range(0, len(laid), columns)]
    return "/".join(",".join(map(str, row)) for row in rows)


def clear(size: str, kinds: int, seed: int, count: int) -> Json:
    """For each board and each player: does it clear the board (None: unknown), in what time?"""
    for example in catalog.GAMES["onet"].solver_examples:
        catalog.solve(example)  # compiled code must be there before the clock runs
    return [
        [attempt(player, size, random_board(size, kinds, each)) for player in PLAYERS]
        for each in range(seed, seed + count)
    ]


def attempt(player: str, size: str, board: str) -> Json:
    """Whether a player clears a board, and how long it takes."""
    name, rule = player.split(", ")
    position = catalog.position(f"onet:{size},rule={rule} {board}")
    began = perf_counter()
    if name == "solver":
        return [catalog.solve(position, BUDGET).solvable, perf_counter() - began]
    agent = None if name == "first" else catalog.agent(name)
    return [played(agent, position)[1] == 0, perf_counter() - began]


def conclude(found: Found) -> Conclusions:
    """The paper's runs beside ours, and how good most-openings really is."""
    ran = [run_facts(found, each, rule) for each in BOTH for rule in RULES]
    tries = {size: found.joined(f"random/{size}") for size in BOARDS}
    return Conclusions(
        findings=(*runs(ran), *edges(ran), *clearing(tries)),
        tables=(report.run_table(ran), report.move_table(ran[:2]), report.random_table(tries)),
        charts=(report.cleared_chart(tries, BOARDS),),
    )


def run_facts(found: Found, experiment: published.Experiment, rule: str) -> Ran:
    """A board played by one rule, beside the known moves; a pair has two names."""
    moves, left = found[f"run/{experiment.name}/{rule}"]
    game = catalog.game(f"onet:{experiment.size}")
    known = experiment.paper if rule == "paper" else experiment.onet
    ours, theirs = (list(map(game.parse_move, text.split())) for text in (moves, known))
    name = Text(f"paper002.run_{experiment.name}", {"size": experiment.size.replace(",", "x")})
    return Ran(name, rule, moves.split(), left, ours == theirs)


def runs(ran: Sequence[Ran]) -> Iterator[Finding]:
    """Every experiment of section IV."""
    faithful = [each for each in ran if each.rule == "paper"]
    for experiment, each in zip(published.EXPERIMENTS, faithful):
        ours = Text("paper002.moves_left", {"moves": len(each.moves), "left": each.left})
        yield Finding(each.name, len(experiment.paper.split()), ours, holds(each.same))
    first, *_, before, last_but_one, last = faithful[0].moves
    made = " ".join((first, before, last_but_one, last))
    figures = " ".join((published.FIRST, *published.LAST))
    yield Finding(Text("paper002.shown_moves"), figures, made, holds(figures == made))


def edges(ran: Sequence[Ran]) -> Iterator[Finding]:
    """The two borders that the paper's rule forgets: its moves beside those of the true rule."""
    edge = 2 * len(published.EXPERIMENTS)
    for paper, onet in zip(ran[edge::2], ran[edge + 1 :: 2]):
        yield Finding(
            paper.name, len(paper.moves), len(onet.moves), holds(paper.moves == onet.moves)
        )


def clearing(tries: Mapping[str, Json]) -> Iterator[Finding]:
    """The paper calls its choice optimal: then it would clear whatever can be cleared."""
    for size, boards in tries.items():
        possible = [board for board in boards if board[3][0]]
        rate = share(sum(board[0][0] for board in possible), len(possible))
        what = Text("paper002.clears", {"size": size.replace(",", "x")})
        yield Finding(what, Text("paper002.optimal"), rate, holds(rate.value == 1))


PAPER = Paper(
    number="002",
    game="onet",
    title="Implementasi Teori Graf pada Algoritma Pemecahan Game Onet untuk Optimasi "
    "Pencocokan Tile",
    authors="Ranashahira Reztaputri",
    year=2024,
    claims=(Text("paper002.claim_best"), Text("paper002.claim_border")),
    recipe=Text("paper002.recipe"),
    remarks=(Text("paper002.remark_rule"), Text("paper002.remark_odd")),
    amounts={"quick": Amount(boards=(30, 10)), "full": Amount(boards=(2000, 500))},
    plan=plan,
    conclude=conclude,
)
