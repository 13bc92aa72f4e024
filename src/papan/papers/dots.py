"""Paper 000, Dots and Boxes: its game replayed and reviewed, its agent and its claims tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from papan import api, catalog
from papan.core import Position
from papan.core.graph import Graph
from papan.core.message import Message
from papan.core.parts import Drawing
from papan.lab.log import Json
from papan.lab.results import (
    Cell,
    Chart,
    Conclusions,
    Finding,
    Measure,
    ReportTable,
    Series,
    always,
    counted,
    with_verdicts,
)
from papan.lab.work import WorkItem
from papan.papers.experiment import (
    EQUIVALENCE_MARGIN,
    MatchTally,
    Pairing,
    all_of,
    game_outcome,
    match_items,
    match_table,
    out_of,
    played_games,
    points_chart,
    report_table,
)
from papan.papers.paper import (
    Exhibit,
    Found,
    Paper,
    PaperPosition,
    as_pairs,
    each_ply,
    exhibit,
)

# Data printed in the paper: the game on a board of 3x3 boxes, and what it says about the board.

MOVES = """
    c3d3 a1b1
    a2b2 b1c1
    c1c2 c1d1
    c2c3 a3b3
    b3b4 c3c4
    b2c2 b1b2 a1a2 c2d2
    a3a4 a4b4 d1d2 d2d3 b3c3
    b4c4 b2b3 a2a3 c4d4 d3d4
"""
"""The printed game, one round a line: a human on the first seat, then the paper's program on the
second.
"""

PROGRAM_PLIES = (2, 4, 6, 8, 10, 12, 13, 14, 16, 17, 18, 19, 24)

SCORES = "0-0 " * 11 + "0-1 0-2 0-2 0-2 0-3 0-4 0-5 0-5 1-5 2-5 3-5 3-5 3-6"
"""The printed score after each ply, the human's boxes first."""

DEGREE = 4
"""Number of lines at every dot of a full board by the paper, which calls it a regular graph."""


def published_lines(dots: int) -> float:
    """Return the number of lines of a full board with *dots* dots by the paper: 2n / r.

    n is *dots*, r is `DEGREE`. The true number is another one.
    """
    return 2 * dots / DEGREE


CHAINS = {"A": 3, "B": 5, "C": 1}
"""Figure 8: the chains, and the number of boxes of each."""

GAME = "dots:3,3"
THREE_CHAINS = "c2d2 c3d3 c1d1 a3a4 b3b4 b2c2 a1a2 a2a3 c3c4 b2b3 a1b1 b1c1"
"""Lines (our choice) after which the chains of the board are those of figure 8."""
REPLAYED = (
    "chains",
    "chains:reading=printed",
    "chains:reading=none",
    "chains:depth=2",
    "chains:depth=5",
    "chains:order=dots",
    "chains-fixed",
)
"""Agents that replay the printed game: other choices where the paper leaves one open (reading,
depth, order of equal lines), and one without the fault."""
CHAIN_VALUE = ("chains", "chains:reading=none")
"""The paper's agent, and the same with a constant instead of its chain value.

The chain value of a line is 1 if the number of boxes of the chain beside it has the parity that the
player wants, else 0; see `papan.games.dots.paper.chain_value`.
"""
LONG = 3
"""Least number of boxes of a long chain."""
SMALLER, LARGER = "dots:2,2", "dots:4,4"
REGULAR = 5
"""Number of dots of a complete graph, which is regular, to test the paper's formula."""
_AGENTS = ("chains", "chains-fixed")
"""The paper's agent, and the same with its main fault corrected."""
RIVALS = ("random", "level:3", "level:5", "perfect")
SIZES = range(1, 7)


PLAYED = {
    *((GAME, rival) for rival in RIVALS),
    *((SMALLER, rival) for rival in ("random", "level:3", "perfect")),
    *((LARGER, rival) for rival in ("random", "level:3")),
}
"""Pairs of board and rival that are played."""
WON = {(GAME, 1), (SMALLER, 0)}
"""Pairs of a board and the seat that is known to win it."""


class Amount(NamedTuple):
    """Numbers of pairs of games."""

    pairs: int
    """Of each agent against each rival on each board."""
    chain_pairs: int
    """Of the agent with its chain value against that without it."""


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Yield the work items: replay and review the printed game, then let the agents play.

    *amount* says how many games; *seed* is the first of the run's random seeds.
    """
    for agent in REPLAYED:
        yield WorkItem(f"replay/{agent}", dots_replay, (agent,), 0.5 if "depth" in agent else 0.1)
    pairing = Pairing(*CHAIN_VALUE, GAME)
    for item in match_items("chain-value", pairing, amount.chain_pairs, seed, weight=0.1):
        yield replace(item, work=chained_games)
    for game, rival in sorted(PLAYED):
        if game != GAME:
            pairing = Pairing("chains", rival, game, opening=0)
            weight = 0.02 if game == SMALLER else 0.3
            yield from match_items(f"{game}/{rival}", pairing, amount.pairs, seed, weight)
    yield WorkItem("review", dots_review, weight=0.3)
    for agent in _AGENTS:
        for rival in RIVALS:
            opening = 2 if rival == "level:5" else 0  # the other rivals play at random in part
            pairing = Pairing(agent, rival, GAME, opening)
            yield from match_items(f"{agent}/{rival}", pairing, amount.pairs, seed, weight=0.15)


def positions() -> list[Position]:
    """Return the 25 positions of the printed game; the one at index n is before ply n + 1."""
    found = [catalog.position(GAME)]
    for name in MOVES.split():
        found.append(found[-1].after(name))
    return found


def dots_replay(agent: str) -> Json:
    """Return by ply, as text (``"2"``), the name of the move that *agent* (a spec) makes there.

    The plies are those of the paper's program, `PROGRAM_PLIES`, in the printed game.
    """
    game, player = positions(), catalog.agent(agent)
    moves = {ply: player.analyse(game[ply - 1]).move for ply in PROGRAM_PLIES}
    return {str(ply): game[0].game.move_name(move) for ply, move in moves.items()}


def dots_review() -> Json:
    """Return [seat, move, margin before, margin after, best moves] for every printed ply.

    The margins are final margins with best play, exact, in boxes, for that seat. Moves are names;
    the best moves are a list of those that were best in place of the move.
    """
    plies = []
    for position, name in zip(positions(), MOVES.split()):
        truth = api.solve(position, all_moves=True)
        played = truth.values[position.legal_move(name)]
        best = [position.game.move_name(move) for move in truth.best]
        plies.append([position.turn, name, truth.value, played.number, best])
    return plies


def chained_games(pairing: Sequence[Json], seed: int, pairs: int) -> Json:
    """Play like `play_pairs`, with its arguments; return for each game what follows, in a list.

    It has the four fields of the `GameOutcome`, then a boolean: whether the first agent got the
    parity of the number of `long_chains` that it wants, which is odd on seat 0 and even on seat 1.
    They are counted in the first position of the game without a safe line.
    """
    found = []
    for game in played_games(Pairing(*pairing), seed, pairs):
        position = catalog.position(game.record.start)
        for name in game.record.moves.split():
            if not has_safe_line(position):
                break
            position = position.after(name)
        odd = long_chains(position) % 2 == 1
        found.append([*game_outcome(game), odd == (game.seating.index(0) == 0)])
    return found


def open_sides(position: Position) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Return the number of undrawn sides by box, and what every undrawn line separates: two names.

    They are names of boxes, such as ``a1``, and of the outside, ``ground``, as in the graph *boxes*
    of *position*, a position of Dots and Boxes.
    """
    graph = graph_of(position, "boxes")
    pairs = [(edge.ends[0], edge.ends[1]) for edge in graph.edges]
    boxes = {box.name: 0 for box in graph.vertices if box.name[-1].isdigit()}
    for box in (end for pair in pairs for end in pair if end in boxes):
        boxes[box] += 1
    return boxes, pairs


def has_safe_line(position: Position) -> bool:
    """Return whether a line can be drawn that gives no box a third side."""
    sides, pairs = open_sides(position)
    return any(all(sides.get(box, 4) > 2 for box in pair) for pair in pairs)


def long_chains(position: Position) -> int:
    """Return the number of groups of `LONG` or more boxes joined through undrawn lines.

    Every box of a group has two or three sides drawn.
    """
    sides, pairs = open_sides(position)
    left, found = {box for box, count in sides.items() if count in (1, 2)}, 0
    while left:
        group = [left.pop()]
        for box in group:
            beside = {other for pair in pairs if box in pair for other in pair} & left
            group += beside
            left -= beside
        found += len(group) >= LONG
    return found


def conclude(found: Found) -> Conclusions:
    """Return the findings, tables and charts of a run: claims, review ply by ply, strength.

    *found* has the results of all items of `plan`; raise KeyError if one is missing that is needed.
    """
    plies = found["review"]
    met = {
        agent: [MatchTally.of(found, f"{agent}/{rival}") for rival in RIVALS] for agent in _AGENTS
    }
    return Conclusions(
        findings=with_verdicts(claims(found, plies), forcing(found), dots_strength(found)),
        tables=(review_table(plies), match_table("000", "matches", met, RIVALS), board_table()),
        charts=(value_chart(plies), points_chart("000", "points", met, RIVALS)),
    )


def claims(found: Found, plies: Json) -> Iterator[Finding]:
    """Yield findings on the paper's claims about its printed game, and about a board as a graph.

    *plies* is what `dots_review` returns. Raise KeyError if *found* lacks what one of `REPLAYED`
    played.
    """
    moves, whole = MOVES.split(), len(PROGRAM_PLIES)
    for agent in REPLAYED:
        same = sum(found[f"replay/{agent}"][str(ply)] == moves[ply - 1] for ply in PROGRAM_PLIES)
        what = Message("paper000.replayed", {"agent": agent})
        if agent == _AGENTS[0]:
            yield all_of(what, whole, same, whole)
        else:
            yield Finding(what, None, out_of(same, whole))
    final = positions()[-1].scores()
    score = "-".join(f"{each:g}" for each in final)
    yield counted(Message("paper000.final"), "3-6", score, score == SCORES.split()[-1])
    person, program = (
        [before == after for seat, _, before, after, _ in plies if seat == each] for each in (0, 1)
    )
    what, quote = Message("paper000.program_optimal"), Message("paper000.all_optimal")
    yield all_of(what, quote, sum(program), len(program))
    yield Finding(Message("paper000.person_optimal"), None, out_of(sum(person), len(person)))
    yield Finding(Message("paper000.value"), None, Measure(plies[0][2]))
    board = full_board(3)
    printed, lines = published_lines(len(board.vertices)), len(board.edges)
    yield counted(Message("paper000.lines"), printed, lines, printed == lines)
    edges = REGULAR * (REGULAR - 1) // 2  # each dot is joined to all others
    formula = 2 * REGULAR / (REGULAR - 1)
    what = Message("paper000.regular_formula", {"dots": REGULAR})
    yield counted(what, Measure(formula), edges, formula == edges)
    degrees = sorted(set(board.degrees.values()))
    ours = ", ".join(map(str, degrees))
    yield counted(Message("paper000.regular"), DEGREE, ours, degrees == [DEGREE])


def forcing(found: Found) -> Iterator[Finding]:
    """Yield two findings on the chain value: does it force the number of chains, and bring points?

    See `CHAIN_VALUE`. *found* has the rows of `chained_games`, in the items ``chain-value/1`` and
    so on.
    """
    games, quote = found.joined("chain-value"), Message("paper000.forces_quote")
    tally = MatchTally(game[:4] for game in games)
    wished = MatchTally((seat, 1 if wish else -1, 0, 0) for seat, _, _, _, wish in games)
    rule = Message("lab.rule_games_alike", {"alike": Measure(EQUIVALENCE_MARGIN, form="share")})
    yield replace(wished.line(Message("paper000.forced"), quote, alike=True), rule=rule)
    yield tally.line(Message("paper000.forces"), quote, alike=True)


def dots_strength(found: Found) -> Iterator[Finding]:
    """Yield a finding on the points of the paper's agent on each seat for each of `PLAYED`.

    Where the winner is known (2x2: the first player, 3x3: the second), one game not won against the
    perfect player refutes optimal play. *found* has the games; a share of none is 0.
    """
    for game, seat in ((GAME, 1), (GAME, 0), *product((SMALLER, LARGER), (0, 1))):
        for rival in RIVALS:
            if (game, rival) not in PLAYED:
                continue
            unit = "chains" if game == GAME else game
            tally = MatchTally.of(found, f"{unit}/{rival}").on_seat(seat)
            board = game.partition(":")[2].replace(",", "x")
            what = Message("paper000.on_seat", {"seat": seat + 1, "rival": rival, "size": board})
            if rival == "perfect" and (game, seat) in WON:
                line = Finding(what, Message("paper000.wins_all"), tally.points)
                yield always(line, len(tally.outcomes), len(tally.outcomes) - tally.counts[0])
            else:
                yield Finding(what, None, tally.points)


def full_board(size: int) -> Graph:
    """Return the graph of the dots and all lines of a board with *size* x *size* boxes."""
    return graph_of(catalog.position(f"dots:{size},{size}"), "board")


def graph_of(position: Position, name: str) -> Graph:
    """Return the graph *name* of a position: ``lines``, ``board`` or ``boxes``.

    They are those of `DotsDrawing.graphs`. Raise StopIteration for another name.
    """
    return next(graph for graph in Drawing.of(position).graphs() if graph.name == name)


def review_table(plies: Json) -> ReportTable:
    """Return the table of every ply: player, move, exact margins, what it gave away, better moves.

    The margins before and after the ply, for the player, and what it gave away are in boxes; better
    moves are there where it gave something away. *plies* is what `dots_review` returns.
    """
    rows = []
    for number, (seat, name, before, after, best) in enumerate(plies, start=1):
        who = Message("paper000.program" if seat else "paper000.person")
        lost = before - after
        better = " ".join(best) if lost else ""
        rows.append((number, who, name, Measure(before), Measure(after), Measure(lost), better))
    keys = ("ply", "player", "move", "before", "after", "given_away", "better")
    return report_table("000", "review", (f"lab.{key}" for key in keys), rows)


def board_table() -> ReportTable:
    """Return the table of full boards of each of `SIZES`: dots, lines by the paper, lines, degrees.

    The degrees are all numbers of lines that a dot has, in one text.
    """
    rows: list[tuple[Cell, ...]] = []
    for size in SIZES:
        board = full_board(size)
        dots, degrees = len(board.vertices), sorted(set(board.degrees.values()))
        counts = dots, published_lines(dots), len(board.edges)
        rows.append((f"{size}x{size}", *counts, " ".join(map(str, degrees))))
    keys = ("board", "dots", "lines_paper", "lines_ours", "degrees")
    return report_table("000", "graph", (f"paper000.{key}" for key in keys), rows)


def value_chart(plies: Json) -> Chart:
    """Return the chart of the program's exact final margin (boxes) after each ply, from ply 0 on.

    Each fall is a mistake of the program. *plies* is what `dots_review` returns; raise IndexError
    if there are none.
    """
    margins = [-plies[0][2], *(after if seat else -after for seat, _, _, after, _ in plies)]
    return Chart(
        "value",
        Message("paper000.chart_value"),
        Message("lab.ply"),
        Message("paper000.margin_of_program"),
        (Series(Message("paper000.program"), tuple(margins), tuple(range(len(margins)))),),
        kind="steps",
        level=3,
    )


def exhibits() -> Iterator[Exhibit]:
    """Yield the transcript of figures 8 and 9, ply by ply, and the chains of figure 8."""
    moves, rows = MOVES.split(), list[tuple[Cell, ...]]()
    for ply, (name, score) in enumerate(zip(moves, SCORES.split()), start=1):
        who = Message("paper000.program" if ply in PROGRAM_PLIES else "paper000.person")
        rows.append((ply, who, as_pairs(name), score))
    keys = ("lab.ply", "lab.player", "printed.as_printed", "printed.score")
    places = each_ply(GAME, moves, "chains")
    yield exhibit("transcript", Message("printed.000_transcript"), keys, rows, places)
    chains = tuple(CHAINS.items())
    board = PaperPosition(GAME, THREE_CHAINS, agents=("chains",))
    title, headings = Message("printed.000_figure8"), ("printed.chain", "printed.boxes")
    yield exhibit("figure8", title, headings, chains, [board] * len(chains))


PAPER = Paper.declared(
    "000",
    {
        "quick": Amount(pairs=12, chain_pairs=12),
        "full": Amount(pairs=500, chain_pairs=500),
    },
    plan,
    conclude,
    exhibits,
)
