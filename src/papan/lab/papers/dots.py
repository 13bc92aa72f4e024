"""Paper 000, Dots and Boxes: its game replayed and reviewed, its agent and its claims tested."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from papan import catalog
from papan.core import Position
from papan.lab.papers.games import Pairing, Tally, games
from papan.lab.papers.paper import Found, Paper
from papan.lab.papers.published import dots as published
from papan.lab.papers.tables import dots as report
from papan.lab.results import (
    Conclusions,
    Finding,
    Measure,
    Text,
    Verdict,
    holds,
)
from papan.lab.work import Json, WorkItem

GAME = "dots:3,3"
AGENTS = ("chains", "chains-fixed")
"""The paper's agent, and the same with its main fault corrected."""
RIVALS = ("random", "level:3", "level:5", "perfect")
SIZES = range(1, 7)


class Amount(NamedTuple):
    """How many pairs of games each agent plays against each rival."""

    pairs: int


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Replay and review the printed game, then let the agents play."""
    for agent in AGENTS:
        yield WorkItem(f"replay/{agent}", replay, (agent,))
    yield WorkItem("review", review, weight=3)
    for agent in AGENTS:
        for rival in RIVALS:
            opening = 2 if rival == "level:5" else 0  # the others leave something to chance
            pairing = Pairing(agent, rival, GAME, opening)
            yield from games(f"{agent}/{rival}", pairing, amount.pairs, seed, weight=0.2)


def positions() -> list[Position]:
    """The printed game: the position at place n is the one before ply n + 1."""
    found = [catalog.position(GAME)]
    for name in published.MOVES.split():
        found.append(found[-1].after(name))
    return found


def replay(agent: str) -> Json:
    """The move that *agent* makes at each ply of the paper's program."""
    game, player = positions(), catalog.agent(agent)
    moves = {ply: player.analyse(game[ply - 1]).move for ply in published.PROGRAM_PLIES}
    return {str(ply): game[0].game.move_name(move) for ply, move in moves.items()}


def review() -> Json:
    """For every ply: who moves, the exact margin before and after the move, and the best moves."""
    plies = []
    for position, name in zip(positions(), published.MOVES.split()):
        truth = catalog.solve(position, all_moves=True)
        played = truth.values[position.legal_move(name)]
        best = [position.game.move_name(move) for move in truth.best]
        plies.append([position.turn, name, truth.value, played.number, best])
    return plies


def conclude(found: Found) -> Conclusions:
    """The claims one by one, the review ply by ply, and the strength of the agents."""
    plies = found["review"]
    return Conclusions(
        findings=(*claims(found, plies), *strength(found)),
        tables=(
            report.review_table(plies),
            report.match_table(found, AGENTS, RIVALS),
            report.board_table({size: dot_degrees(size) for size in SIZES}),
        ),
        charts=(report.value_chart(plies), report.match_chart(found, AGENTS, RIVALS)),
    )


def claims(found: Found, plies: Json) -> Iterator[Finding]:
    """What the paper says about its game, and what is true."""
    moves = published.MOVES.split()
    for agent in AGENTS:
        same = sum(
            found[f"replay/{agent}"][str(ply)] == moves[ply - 1] for ply in published.PROGRAM_PLIES
        )
        whole, faithful = len(published.PROGRAM_PLIES), agent == AGENTS[0]
        yield Finding(
            Text("paper000.replayed", {"agent": agent}),
            whole if faithful else None,
            Text("lab.of", {"part": same, "all": whole}),
            holds(same == whole) if faithful else "none",
        )
    final = positions()[-1].scores()
    score = "-".join(f"{each:g}" for each in final)
    yield Finding(
        Text("paper000.final"), "3-6", score, holds(score == published.SCORES.split()[-1])
    )
    for seat, key in ((1, "paper000.program_optimal"), (0, "paper000.person_optimal")):
        own = [ply for ply in plies if ply[0] == seat]
        right = sum(before == after for _, _, before, after, _ in own)
        share = Text("lab.of", {"part": right, "all": len(own)})
        paper = Text("paper000.all_optimal") if seat else None
        yield Finding(Text(key), paper, share, holds(right == len(own)) if seat else "none")
    yield Finding(Text("paper000.value"), None, Measure(plies[0][2]))
    game = catalog.game(GAME)
    dots = (3 + 1) ** 2
    right = published.lines(dots) == game.move_count
    yield Finding(Text("paper000.lines"), published.lines(dots), game.move_count, holds(right))
    degrees = sorted(set(dot_degrees(3).values()))
    ours = ", ".join(map(str, degrees))
    yield Finding(
        Text("paper000.regular"), published.DEGREE, ours, holds(degrees == [published.DEGREE])
    )


def strength(found: Found) -> Iterator[Finding]:
    """Whoever plays optimally on the second seat wins: the board is worth 3 boxes to it."""
    for rival in RIVALS:
        tally = Tally.of(found, f"chains/{rival}").on_seat(1)
        optimal = Measure(1.0, form="share") if rival == "perfect" else None
        verdict: Verdict = "none"
        if rival == "perfect":
            verdict = "no" if tally.counts[2] else "open"
        what = Text("paper000.second_seat", {"rival": rival})
        yield Finding(what, optimal, tally.points, verdict)


def dot_degrees(size: int) -> dict[str, int]:
    """How many lines of a full board with *size* x *size* boxes meet at each dot."""
    game = catalog.game(f"dots:{size},{size}")
    degrees: dict[str, int] = {}
    for move in range(game.move_count):
        for dot in re.findall("[a-z][0-9]+", game.move_name(move)):
            degrees[dot] = degrees.get(dot, 0) + 1
    return degrees


PAPER = Paper(
    number="000",
    game="dots",
    title="Eksplorasi Implementasi Algoritma Optimal Permainan Dots and Boxes Menggunakan Teori "
    "Graf dan Algoritma Minimax",
    authors="Noumisyifa Nabila Nareswari",
    year=2024,
    claims=(Text("paper000.claim_optimal"), Text("paper000.claim_regular")),
    recipe=Text("paper000.recipe"),
    remarks=(Text("paper000.remark_roles"), Text("paper000.remark_graph")),
    amounts={"quick": Amount(pairs=15), "full": Amount(pairs=500)},
    plan=plan,
    conclude=conclude,
)
