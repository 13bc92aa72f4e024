"""Paper 004, Connect 4: its tables cell by cell, its games, and its agent tested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from papan import api, catalog
from papan.core import Move, Position
from papan.core.message import Message
from papan.lab.log import Json
from papan.lab.results import (
    Answer,
    Cell,
    Chart,
    Conclusions,
    Finding,
    Measure,
    ReportTable,
    Series,
    counted,
    holds,
    incomparable,
    quoted,
    sometimes,
    with_verdicts,
)
from papan.lab.work import WorkItem
from papan.papers.experiment import (
    MATCH,
    MatchTally,
    Pairing,
    all_of,
    bar_chart,
    game_outcome,
    games_from_start,
    match_items,
    match_row,
    match_table,
    out_of,
    played_games,
    points_chart,
    pooled,
    report_table,
)
from papan.papers.paper import Exhibit, Found, Paper, PaperPosition, batches, each_ply, exhibit

# Data printed in the paper: its three test games and the values in its tables 4, 6 and 8. Cells
# are named by column A-G and row 1-6 from the bottom. Red is the greedy player and moves first;
# blue is the computer it played against, at three levels.

COLUMNS = "ABCDEFG"

PLAYED = {
    1: "G1 F1 G2 G3 F2 A1 F3 F4 G4 E1 E2 G5 D1",
    2: "A1 B1 A2 A3 B2 B3 C1 A4 D1 G1 C2 F1 C3 A5 D2",
    3: "A1 B1 A2 A3 B2 B3 C1 A4 C2 C3 A5 B4 B5 C4 C5 E1 B6 F1 D1 D2",
}
"""Tables 3, 5 and 7, red and blue in turn, as they must be read: blue's A5 in game 2 stands there
as A1, and in the text that we have the end of game 3 stands apart, by columns."""

PUBLISHED = {
    1: "0000000 0000001 0000002 0000120 0000101 0002611 0007610",
    2: "0000000 1100000 0200000 0010000 2061000 2072100 2087500 4058500",
    3: "0000000 1100000 0200000 0010000 2061000 2002000 1332000 2272000 2322000 3034002",
}
"""Tables 4, 6 and 8: for each step of red, one digit for each column."""

TABLES = {1: 4, 2: 6, 3: 8}
"""Number of the paper's table of values of each game."""

BEST_PLAY = {
    4: "draw draw second draw second second second",
    5: "draw draw draw draw first first first",
    6: "draw draw second first second second first",
    7: "draw draw first draw first first unknown",
    8: "draw draw second first second unknown unknown",
}
"""Who wins with best play on boards of so many rows, and as many columns as `MAP_COLUMNS` says."""

MAP_COLUMNS = range(4, 11)

LEVELS = {1: "beginner", 2: "easy", 3: "medium"}

RESULTS = {1: 1, 2: 1, 3: -1}
"""Result of each game for red: 1 won, 0 drawn, -1 lost."""


GAME = "connect4"
_AGENTS = ("priority", "priority-fixed")
"""The paper's agent, and the same without its faults."""
RIVALS = ("level:1", "level:2", "level:3", "level:4", "level:5", "perfect")
FIVE_LEVELS = RIVALS[:5]
SIZES = ("6,7", "7,8", "7,9", "7,10")
"""Boards of the paper, 6x7, 8x7, 9x7 and 10x7: it names columns first where they are more."""
STRATEGIES = ("defensive", "tricky")
"""Rivals of the two kinds that the paper's second conclusion names; how they play is our choice."""
WIDE = "priority-wide"
"""The same agent with a wider scale of values, as the paper's third conclusion asks for."""
OPENING = 8
"""Random plies before each of the games whose moves are judged: solving earlier positions takes
long.
"""
STRATEGY_OPENING = 4
"""Random plies before the games against both strategies, whose agents are deterministic."""
FAULTS = ("win", "block", "won")
"""Kinds of chances that can be missed: an immediate win, a block, a won position."""


class Amount(NamedTuple):
    """Numbers of pairs of games."""

    pairs: int
    """For each agent against each of `RIVALS`, and on each of `SIZES`."""
    strategies: int
    """Against each of `STRATEGIES`."""


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Yield the work items: fill in the tables, review the games, then play.

    *amount* says how many games; *seed* is the first of the run's random seeds.
    """
    yield WorkItem("tables", tables)
    for game in PLAYED:
        yield WorkItem(f"review/{game}", connect4_review, (game,), 4.0)
    for agent in _AGENTS:
        for rival in RIVALS:
            pairing = Pairing(agent, rival, GAME, OPENING)
            for item in match_items(f"{agent}/{rival}", pairing, amount.pairs, seed, 0.5):
                yield replace(item, work=judged_games)
    for rival in FIVE_LEVELS:
        weight = 0.3 if rival == "level:5" else 0.01
        piece = WorkItem(f"empty/{rival}", games_from_start, ("priority", rival, GAME), weight)
        yield from batches(piece, seed, 2 * amount.pairs, largest=5)
    for size in SIZES:
        pairing = Pairing("priority", "level:2", f"connect4:{size}", opening=2)
        yield from match_items(f"size/{size}", pairing, amount.pairs, seed, 0.01)
    for rival in STRATEGIES:
        pairing = Pairing("priority", rival, GAME, STRATEGY_OPENING)
        yield from match_items(f"strategy/{rival}", pairing, amount.strategies, seed, 0.1)
    pairing = Pairing(WIDE, "priority", GAME)
    yield from match_items(f"{WIDE}/priority", pairing, 2 * amount.pairs, seed, 0.01)


def red_turns(game: int) -> Iterator[tuple[Position, str, str]]:
    """Yield (position before it, its cell, its values) for each turn of red in printed *game*.

    *game* is 1, 2 or 3. The cell is as in `PLAYED` (``G1``). The values are those that the paper
    prints for the move, a text of seven digits, one for each column.
    """
    cells, position = PLAYED[game].split(), catalog.position(GAME)
    for ply, cell in enumerate(cells):
        if ply % 2 == 0:
            yield position, cell, PUBLISHED[game].split()[ply // 2]
        position = position.after(cell[0].lower())


def tables() -> Json:
    """Return a row for each step of red in the printed games, as a list of seven parts.

    They are the game, the step, the printed values, those of our agent, red's column, and the
    columns that our agent chooses scanning from the left and from the right. Games and steps count
    from 1, columns from 0; values are lists of one number for each column, 0 in ours where a stone
    cannot go.
    """
    rows = []
    for game in PLAYED:
        for step, (position, cell, values) in enumerate(red_turns(game), start=1):
            left = catalog.agent("priority").analyse(position)
            right = catalog.agent("priority:scan=right").analyse(position)
            ours = [
                int(left.values[move].number) if move in left.values else 0 for move in range(7)
            ]
            column = COLUMNS.index(cell[0])
            rows.append([game, step, list(map(int, values)), ours, column, left.move, right.move])
    return rows


def connect4_review(game: int) -> Json:
    """Return [step, cell, before, after, best columns] for each step of red in printed *game*.

    *game* is 1, 2 or 3, and steps count from 1. Before and after are the exact results for red
    before and after it: 1, 0 or -1. The columns are letters in one text (``D E``).
    """
    steps = []
    for step, (position, cell, _) in enumerate(red_turns(game), start=1):
        truth = api.solve(position, all_moves=True)
        after = truth.values[COLUMNS.index(cell[0])].number
        best = " ".join(COLUMNS[move] for move in sorted(truth.best))
        steps.append([step, cell, truth.value, after, best])
    return steps


def judged_games(pairing: Sequence[Json], seed: int, pairs: int) -> Json:
    """Play like `play_pairs`, with its arguments; return for each game what follows, in a list.

    It has the four fields of the `GameOutcome`, then a dict of the first agent's chances: [number
    had, number missed] by each of `FAULTS`.
    """
    found = []
    for game in played_games(Pairing(*pairing), seed, pairs):
        chances = {fault: [0, 0] for fault in FAULTS}
        position = catalog.position(game.record.start)
        for name in game.record.moves.split():
            move = position.legal_move(name)
            if game.seating[position.turn] == 0:
                for fault, missed in judge(position, move):
                    chances[fault][0] += 1
                    chances[fault][1] += missed
            position = position.child(move)
        found.append([*game_outcome(game), chances])
    return found


def judge(position: Position, move: Move) -> Iterator[tuple[str, bool]]:
    """Yield each of `FAULTS` for which the mover has a chance here, and whether *move* misses it.

    The chances are ``win``, to win at once; ``block``, to mark the only column in which the rival
    threatens to win, if there is no win; and ``won``, to stay in a won position, by the solver.
    """
    wins, threats = winning(position), threatened(position)
    if wins:
        yield "win", move not in wins
    elif len(threats) == 1:
        yield "block", move not in threats
    truth = api.solve(position, all_moves=True)
    if truth.value == 1:
        yield "won", truth.values[move].number < 1


def winning(position: Position) -> list[Move]:
    """Return the moves of the seat to move that win at once, in the order of the rules.

    Empty if there are none.
    """
    return [move for move in position.moves() if position.child(move).scores()[position.turn] == 1]


def threatened(position: Position) -> set[Move]:
    """Return the columns, from 0, in which the rival can win after a move in another column.

    Empty if there are none.
    """
    return {
        reply
        for move in position.moves()
        for reply in winning(position.child(move))
        if reply != move  # on top of the move it would be another cell
    }


def conclude(found: Found) -> Conclusions:
    """Return the findings, tables and charts of a run: printed tables, games, the agent's faults.

    *found* has the results of all items of `plan`; raise KeyError if one is missing that is needed.
    """
    rows = found["tables"]
    met = {agent: [tally(found, agent, rival) for rival in RIVALS] for agent in _AGENTS}
    levels = {"priority": [MatchTally.of(found, f"empty/{rival}") for rival in FIVE_LEVELS]}
    return Conclusions(
        findings=with_verdicts(
            published_tables(rows),
            published_games(found),
            published_levels(levels["priority"]),
            strategies(found),
            faults(found),
            [scale(found)],
        ),
        tables=(
            cell_table(rows),
            review_table({game: found[f"review/{game}"] for game in PLAYED}),
            match_table("004", "matches", met, RIVALS, MATCH[:-1]),
            fault_table(found),
            size_table(found),
            map_table(),
        ),
        charts=(
            points_chart("004", "levels", levels, FIVE_LEVELS),
            points_chart("004", "points", met, RIVALS),
            fault_chart(found),
        ),
    )


def tally(found: Found, agent: str, rival: str) -> MatchTally:
    """Return the results of *agent* against *rival* (specs) in the judged games, for *agent*.

    Empty if they did not meet in *found*.
    """
    return MatchTally(each[:4] for each in found.joined(f"{agent}/{rival}"))


def published_tables(rows: Json) -> Iterator[Finding]:
    """Yield findings on the values of each printed table, and on the moves that follow from them.

    *rows* is what `tables` returns.
    """
    for game, number in TABLES.items():
        pairs = [pair for row in rows if row[0] == game for pair in zip(row[2], row[3])]
        same = sum(theirs == ours for theirs, ours in pairs)
        yield all_of(Message("paper004.cells", {"table": number}), len(pairs), same, len(pairs))
    greatest, whole = sum(row[3][row[4]] == max(row[3]) for row in rows), len(rows)
    yield all_of(Message("paper004.greatest"), whole, greatest, whole)
    for key, place in (("paper004.replayed_left", 5), ("paper004.replayed_right", 6)):
        same = sum(row[4] == row[place] for row in rows)
        yield Finding(Message(key), None, out_of(same, whole))


def published_games(found: Found) -> Iterator[Finding]:
    """Yield findings on the printed games: their winners, and whether red played optimally.

    Raise KeyError if *found* lacks the review of one.
    """
    for game, cells in PLAYED.items():
        columns = "".join(cell[0].lower() for cell in cells.split())
        scores = catalog.position(GAME).after(" ".join(columns)).scores()
        result = int(scores[0] - scores[1])
        names: dict[str, Cell] = {"game": game, "level": LEVELS[game]}
        same = result == RESULTS[game]
        paper, ours = (Message(f"lab.result_{each + 1}") for each in (RESULTS[game], result))
        yield counted(Message("paper004.result", names), paper, ours, same)
        steps = found[f"review/{game}"]
        right = sum(before == after for _, _, before, after, _ in steps)
        claim = Message("paper004.every_step") if game == 1 else Message("paper004.not_every_step")
        ours, agrees = out_of(right, len(steps)), (right == len(steps)) == (game == 1)
        what, rule = Message("paper004.optimal", {"game": game}), "all" if game == 1 else "some"
        line = counted(what, claim, ours, agrees, Message(f"lab.rule_{rule}"))
        yield replace(line, basis=Message("lab.by_solver"))


def published_levels(ours: Sequence[MatchTally]) -> Iterator[Finding]:
    """Yield a finding for each level of the paper's computer, then one for each of our five levels.

    The findings on the paper's levels have the printed results, which cannot be compared; those on
    ours the points of our agent. *ours* has its results against each of `FIVE_LEVELS`, in that
    order.
    """
    for game, level in LEVELS.items():
        what = Message("paper004.level", {"level": level})
        result = Message(f"lab.result_{RESULTS[game] + 1}")
        yield incomparable(what, result, None, Message("paper004.no_site"))
    for rival, tally in zip(FIVE_LEVELS, ours):
        yield Finding(Message("paper004.from_empty", {"rival": rival}), None, tally.points)


def strategies(found: Found) -> Iterator[Finding]:
    """Yield two findings on the paper's second conclusion, on defensive and on tricky players.

    It says that its agent can beat a defensive player, and is not too good against a tricky one.
    The first asks for one game won, the second for over half of the points for the tricky one. Both
    are open without games against `STRATEGIES` in *found*.
    """
    defensive, tricky = (MatchTally.of(found, f"strategy/{rival}") for rival in STRATEGIES)
    what, quote = Message("paper004.against_defensive"), Message("paper004.quote_defensive")
    line = Finding(what, quote, defensive.points)
    yield sometimes(line, len(defensive.outcomes), defensive.counts[0])
    what, quote = Message("paper004.against_tricky"), Message("paper004.quote_tricky")
    yield tricky.turned().line(what, quote)


def scale(found: Found) -> Finding:
    """Return the finding on the paper's third conclusion: wider values make its agent better.

    It has no verdict until `with_verdicts` makes it, from the games of `WIDE` against the original
    in *found*.
    """
    tally = MatchTally.of(found, f"{WIDE}/priority")
    return tally.line(Message("paper004.wide"), Message("paper004.refine"))


def faults(found: Found) -> Iterator[Finding]:
    """Yield for each of `FAULTS` the share of the chances that the agent misses.

    The chances are those of `judge`, against all `RIVALS` in *found*; the agent's priorities rank
    the first two above all else.
    """
    for fault, rate in zip(FAULTS, missed(found, "priority", RIVALS)):
        what = Message(f"paper004.missed_{fault}")
        if fault == "won":
            yield Finding(what, None, rate)
        else:
            yield quoted(
                what, Message("paper004.first_but_summed"), rate, Message("paper004.admits")
            )


def missed(found: Found, agent: str, rivals: Sequence[str]) -> list[Measure]:
    """Return for each of `FAULTS`, in that order, the share of such chances that *agent* missed.

    The shares, 0 to 1 with intervals, are computed by `pooled` over its games in *found* against
    all of *rivals*; agent and rivals are specs.
    """
    games = [game[4] for rival in rivals for game in found.joined(f"{agent}/{rival}")]
    return [pooled([game[fault] for game in games]) for fault in FAULTS]


FAULT_NAMES = tuple(f"paper004.fault_{fault}" for fault in FAULTS)


def cell_table(rows: Json) -> ReportTable:
    """Return the table of the printed values, step by step; a cell where ours differs shows both.

    *rows* is what `tables` returns.
    """
    lines: list[tuple[Cell, ...]] = []
    for game, step, theirs, ours, column, _, _ in rows:
        cells: list[Cell] = [
            str(mine) if his == mine else Message("paper004.differs", {"paper": his, "ours": mine})
            for his, mine in zip(theirs, ours)
        ]
        same = theirs == ours
        lines.append((game, step, *cells, COLUMNS[column], Answer(holds(same))))
    keys = ("paper004.game", "paper004.step", *COLUMNS, "lab.move", "lab.agrees")
    return report_table("004", "cells", keys, lines)


def review_table(reviews: Mapping[int, Json]) -> ReportTable:
    """Return the table of the exact results before and after each of red's steps.

    The last column has the best columns where red gave a result away, else "". *reviews* has what
    `connect4_review` returns for each game, by its number, 1 to 3.
    """
    rows: list[tuple[Cell, ...]] = []
    for game, steps in reviews.items():
        for step, cell, before, after, best in steps:
            words = [Message(f"lab.result_{int(value) + 1}") for value in (before, after)]
            rows.append((game, step, cell, *words, "" if before == after else best))
    keys = ("paper004.game", "paper004.step", "lab.move", "lab.before", "lab.after", "lab.better")
    return report_table("004", "review", keys, rows)


def size_table(found: Found) -> ReportTable:
    """Return the table of the results of the paper's agent against level 2 on each of `SIZES`.

    A row is what `match_row` returns, with the size in place of the agent; *found* has the games.
    """
    rows = (
        match_row(size.replace(",", "x"), "level:2", MatchTally.of(found, f"size/{size}"))
        for size in SIZES
    )
    return report_table("004", "sizes", ("lab.board", *MATCH[1:]), rows)


def map_table() -> ReportTable:
    """Return the table of who wins with best play by rows and columns; see `BEST_PLAY`.

    The page of the game has its sources.
    """
    rows: list[tuple[Cell, ...]] = [
        (str(count), *(Message(f"paper004.best_{each}") for each in results.split()))
        for count, results in BEST_PLAY.items()
    ]
    return report_table("004", "map", ("paper004.rows_columns", *map(str, MAP_COLUMNS)), rows)


def fault_table(found: Found) -> ReportTable:
    """Return the table of the shares of missed chances, by agent and rival.

    Each row has both, then the share, 0 to 1, that `missed` finds in *found* for each of `FAULTS`.
    """
    rows: list[tuple[Cell, ...]] = [
        (agent, rival, *missed(found, agent, (rival,))) for agent in _AGENTS for rival in RIVALS
    ]
    return report_table("004", "faults", ("lab.agent", "lab.rival", *FAULT_NAMES), rows)


def fault_chart(found: Found) -> Chart:
    """Return the chart of the shares of missed chances by kind, a bar for each of `_AGENTS`.

    The shares are those of `missed` over all `RIVALS` in *found*.
    """
    bars = (Series.of(agent, missed(found, agent, RIVALS)) for agent in _AGENTS)
    axes, names = ("paper004.chance", "paper004.missed"), map(Message, FAULT_NAMES)
    return bar_chart("004", "faults", axes, bars, names, form="share")


def exhibits() -> Iterator[Exhibit]:
    """Yield the example of tables 1 and 2, then the test games with the values of each step."""
    keys = ("paper004.step", "lab.move", *COLUMNS)
    row, place = (1, "\u2013", *"0020011"), PaperPosition("connect4", "1 7 2", agents=("priority",))
    yield exhibit("example", Message("printed.004_example"), keys, [row], [place])
    for game, moves in PLAYED.items():
        cells, number = moves.split(), TABLES[game]
        turns = zip_longest(cells[::2], PUBLISHED[game].split(), cells[1::2])
        rows = [(step, red, *values, blue) for step, (red, values, blue) in enumerate(turns, 1)]
        title = Message("printed.004_game", {"moves": number - 1, "values": number})
        columns = [str(COLUMNS.index(cell[0]) + 1) for cell in cells]
        places = each_ply("connect4", columns, "priority")[::2]
        keys = ("paper004.step", "printed.red", *COLUMNS, "printed.blue")
        yield exhibit(f"game{game}", title, keys, rows, places)


PAPER = Paper.declared(
    "004",
    {"quick": Amount(pairs=4, strategies=12), "full": Amount(pairs=250, strategies=200)},
    plan,
    conclude,
    exhibits,
)
