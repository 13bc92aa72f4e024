"""Paper 002, Onet: its experiments move by move, then greedy against the truth on random boards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

from papan import catalog
from papan.core import Agent, Limit, Position
from papan.lab.intervals import middle, share
from papan.lab.papers.games import bars
from papan.lab.papers.paper import Found, Paper, parts
from papan.lab.papers.printed import onet as printed
from papan.lab.results import Answer, Chart, Conclusions, Finding, Table, Text, holds
from papan.lab.units import Json, Unit

RULES = ("paper", "onet")
PLAYERS = ("openings, paper", "openings, onet", "first, onet", "solver, onet")
"""Who clears random boards, and by which rule: the paper's program is the first."""
BOARDS = {"6,12": 20, "8,14": 36}
"""The sizes of random boards, each with its kinds of tiles."""
PATIENCE = Limit(seconds=10)


class Amount(NamedTuple):
    """How many random boards of each size."""

    boards: tuple[int, int]


def plan(amount: Amount, seed: int) -> Iterator[Unit]:
    """Play the paper's boards by both rules, then random boards."""
    for experiment in (*printed.EXPERIMENTS, *printed.EDGES):
        for rule in RULES:
            yield Unit(
                f"run/{experiment.name}/{rule}", run, (experiment.size, experiment.board, rule)
            )
    for (size, kinds), boards in zip(BOARDS.items(), amount.boards):
        for name, first, count in parts(f"random/{size}", boards, largest=5):
            yield Unit(name, clear, (size, kinds, seed + first, count), 0.2 * count)


def run(size: str, board: str, rule: str) -> Json:
    """The moves that most-openings makes on a board, and how many tiles it leaves."""
    return played(catalog.agent("openings"), catalog.position(f"onet:{size},rule={rule} {board}"))


def played(agent: Agent | None, position: Position) -> Json:
    """The moves of *agent*, or the first pair found where there is none, and the tiles left."""
    moves = []
    while legal := position.moves():
        move = legal[0] if agent is None else agent.analyse(position).move
        moves.append(position.game.move_name(move))
        position = position.play(move)
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
        return [catalog.solve(position, PATIENCE.seconds).solvable, perf_counter() - began]
    agent = None if name == "first" else catalog.agent(name)
    return [played(agent, position)[1] == 0, perf_counter() - began]


def conclude(found: Found) -> Conclusions:
    """The paper's runs beside ours, and how good most-openings really is."""
    return Conclusions(
        findings=(*runs(found), *clearing(found)),
        tables=(run_table(found), move_table(found), random_table(found)),
        charts=(cleared_chart(found),),
        remarks=(Text("paper002.remark_rule"), Text("paper002.remark_odd")),
    )


def runs(found: Found) -> Iterator[Finding]:
    """Every experiment of section IV."""
    for experiment in printed.EXPERIMENTS:
        moves, left = found[f"run/{experiment.name}/paper"]
        what = Text(f"paper002.run_{experiment.name}", {"size": experiment.size.replace(",", "x")})
        ours = Text("paper002.moves_left", {"moves": len(moves.split()), "left": left})
        count = len(experiment.paper.split())
        yield Finding(what, count, ours, holds(same_moves(experiment, "paper", moves)))
    moves = found["run/normal/paper"][0].split()
    shown = " ".join((printed.FIRST, *printed.LAST))
    same = " ".join((moves[0], *moves[-3:]))
    yield Finding(Text("paper002.shown_moves"), shown, same, holds(shown == same))
    for experiment in printed.EDGES:
        missed = len(found[f"run/{experiment.name}/paper"][0].split())
        real = len(found[f"run/{experiment.name}/onet"][0].split())
        what = Text(f"paper002.run_{experiment.name}", {"size": experiment.size.replace(",", "x")})
        yield Finding(what, missed, real, holds(missed == real))


def same_moves(experiment: printed.Experiment, rule: str, moves: str) -> bool:
    """Are these the printed moves? A pair may be named from either of its tiles."""
    game = catalog.game(f"onet:{experiment.size}")
    expected = experiment.paper if rule == "paper" else experiment.onet
    return [*map(game.parse_move, expected.split())] == [*map(game.parse_move, moves.split())]


def clearing(found: Found) -> Iterator[Finding]:
    """The paper calls its choice optimal: then it would clear whatever can be cleared."""
    for size in BOARDS:
        boards = found.joined(f"random/{size}")
        possible = [board for board in boards if board[3][0]]
        rate = share(sum(board[0][0] for board in possible), len(possible))
        what = Text("paper002.clears", {"size": size.replace(",", "x")})
        yield Finding(what, Text("paper002.optimal"), rate, holds(rate.value == 1))


def run_table(found: Found) -> Table:
    """All boards, by both rules."""
    rows = []
    for experiment in (*printed.EXPERIMENTS, *printed.EDGES):
        for rule in RULES:
            moves, left = found[f"run/{experiment.name}/{rule}"]
            same = same_moves(experiment, rule, moves)
            name = Text(
                f"paper002.run_{experiment.name}", {"size": experiment.size.replace(",", "x")}
            )
            rows.append(
                (name, Text(f"paper002.rule_{rule}"), len(moves.split()), left, Answer(holds(same)))
            )
    keys = ("lab.board", "paper002.rule", "lab.moves", "paper002.left", "paper002.as_expected")
    return Table("runs", Text("paper002.table_runs"), tuple(map(Text, keys)), tuple(rows))


def move_table(found: Found) -> Table:
    """The first experiment move by move."""
    by_rule = [found[f"run/normal/{rule}"][0].split() for rule in RULES]
    rows = [(number, *moves) for number, moves in enumerate(zip(*by_rule), start=1)]
    headings = (Text("lab.move"), Text("paper002.rule_paper"), Text("paper002.rule_onet"))
    return Table("moves", Text("paper002.table_moves"), headings, tuple(rows))


def random_table(found: Found) -> Table:
    """Random boards: cleared, stuck, proved impossible, and the time."""
    rows = []
    for size in BOARDS:
        boards = found.joined(f"random/{size}")
        for place, player in enumerate(PLAYERS):
            answers = [board[place][0] for board in boards]
            cleared, unknown = answers.count(True), answers.count(None)
            rest = len(answers) - cleared - unknown
            proved = player.startswith("solver")
            seconds = middle([board[place][1] for board in boards])
            outcome = (0, rest, unknown) if proved else (rest, 0, 0)
            name = Text(f"paper002.player_{place + 1}")
            rows.append(
                (size.replace(",", "x"), name, share(cleared, len(answers)), *outcome, seconds)
            )
    keys = ("lab.board", "lab.player", "paper002.cleared", "paper002.stuck", "paper002.impossible")
    headings = tuple(map(Text, (*keys, "paper002.unknown", "lab.time")))
    return Table("random", Text("paper002.table_random"), headings, tuple(rows))


def cleared_chart(found: Found) -> Chart:
    """The share of random boards that each player clears."""
    series = []
    for size, kinds in BOARDS.items():
        boards = found.joined(f"random/{size}")
        rates = [
            share(sum(bool(board[place][0]) for board in boards), len(boards)) for place in range(4)
        ]
        label = Text("paper002.boards", {"size": size.replace(",", "x"), "kinds": kinds})
        series.append(bars(label, rates))
    return Chart(
        "cleared",
        Text("paper002.chart_cleared"),
        Text("lab.player"),
        Text("paper002.cleared"),
        tuple(series),
        kind="bars",
        categories=tuple(Text(f"paper002.player_{place}") for place in range(1, 5)),
        form="share",
    )


PAPER = Paper(
    number="002",
    game="onet",
    title="Implementasi Teori Graf pada Algoritma Pemecahan Game Onet untuk Optimasi "
    "Pencocokan Tile",
    authors="Ranashahira Reztaputri",
    year=2024,
    claims=(Text("paper002.claim_best"), Text("paper002.claim_border")),
    amounts={"quick": Amount(boards=(30, 10)), "full": Amount(boards=(2000, 500))},
    plan=plan,
    conclude=conclude,
)
