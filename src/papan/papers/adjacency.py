"""Paper 001, Adjacency: its matches as they were played and from both seats, and its claims."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import inf, perm
from time import process_time
from typing import NamedTuple

from papan import api, catalog
from papan.core import Event, Move, Position
from papan.core.agent import reseeded
from papan.core.board import Grid
from papan.core.message import Message
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
    holds,
    incomparable,
    measured,
    quoted,
    sometimes,
    with_verdicts,
)
from papan.lab.work import WorkItem
from papan.papers.experiment import (
    EQUIVALENCE_MARGIN,
    MATCH,
    MatchTally,
    Pairing,
    all_of,
    bar_chart,
    games_from_start,
    match_items,
    match_row,
    match_table,
    mean,
    out_of,
    paper_agent,
    points_chart,
    report_table,
    share,
    share_above,
    together,
)
from papan.papers.paper import Exhibit, Found, Paper, PaperPosition, batches, exhibit

# Data printed in the paper: the twelve matches of its section F, one game each.


class Published(NamedTuple):
    """A match of one game that section F prints: players, rounds, marks, and the final board."""

    x: str
    """Player of x, by the paper's word: minimax, local, genetic or human."""
    o: str
    """Player of o, likewise."""
    rounds: int
    """Moves of each player: 8, 16 or 28."""
    scores: tuple[int, int]
    """Marks of x and of o on the final board."""
    board: str
    """The final board: its rows from the top, separated by /."""

    @classmethod
    def read(cls, line: str) -> Published:
        """Return the match in *line*, such as ``minimax human 8 13-11 BOARD`` (see `PRINTED`).

        Raise ValueError if it has another form.
        """
        x, o, rounds, scores, board = line.split()
        first, second = map(int, scores.split("-"))
        return cls(x, o, int(rounds), (first, second), board)

    def score(self, player: str) -> str:
        """Return the final marks as text such as ``13-11``, those of *player* (x's or o's) first.

        Any word but that of x's player counts as o's player.
        """
        mine, theirs = self.scores if player == self.x else self.scores[::-1]
        return f"{mine}-{theirs}"

    def margin(self, player: str) -> int:
        """Return by how many marks *player* (x's or o's) won; negative if it lost."""
        x, o = self.scores
        return x - o if player == self.x else o - x


PRINTED = """
minimax human    8 13-11 xxooxxxo/oxoxoxoo/xoo.o.../......../......../......../xx....../xx......
minimax human   16 24-16 xxoxooxo/oxoxoxox/xxooxxox/xxoxxoxo/.....xox/......o./xx....../xx......
minimax human   28 31-33 oxxxxxxo/xoxoxoxo/xoxoxoox/xoxoxoox/xoxoxooo/oxxooooo/xxoxooox/xoooxxxo
human   local    8 14-10 xooxoxxo/xoxoxxxo/oxoo..../......../......../......../xx....../xx......
human   local   16 19-21 xooxoxxo/xooxoxox/xooxooxo/oxxooxx./.oxoo.../.o....../xo....../xx......
human   local   28 34-30 xoxxxooo/oxooxoxx/oxoxxoox/xxoxooxx/xoxoooxo/oxxoxoxo/oxxxxxxo/xoxxoxoo
minimax genetic  8 19-5  oxxx.xxo/xox...xx/......xx/.....xxx/o...xo../......../xx....../xx......
minimax genetic 16 23-17 .xxxoxxo/.x..xoxo/..xxoxoo/x.xxooox/x...ooxx/..x....x/xoo....x/xoo.o...
minimax genetic 28 34-30 xooxoxxo/oxxoxoox/xxxxooxx/oxxoooox/ooxooxoo/oxxxxoxo/oxxxxoxx/xoxxooox
local   genetic  8 19-5  ...xxoxo/x..x.xxx/oxxxx..x/....x.../....x.o./......../xx....../xx....o.
local   genetic 16 32-8  xx..xxxo/x.xxxxxx/x.xoxx.x/x..xoxx./x...xxx./.x....xx/xxo.o.oo/xx.....o
local   genetic 28 37-27 xxxxoxxo/xoxoxoxx/ooxoxxxo/oxoxooox/xxxxooox/xoxxooxx/oxxxooxx/xxxoooox
"""
MATCHES = tuple(Published.read(line) for line in PRINTED.strip().splitlines())


PROGRAMS = {
    "minimax": "neighbours:program=true",
    "local": "hillclimb",
    "genetic": "reservation",
}
"""Agents that decide as the authors' program did, which played the matches of section F."""
TEXTS = {"minimax": "neighbours", "local": "hillclimb", "genetic": "genetic"}
"""The same algorithms as the paper's text describes them."""

ROUNDS = (8, 16, 28)
PAIRINGS = (("minimax", "human"), ("local", "human"), ("minimax", "genetic"), ("local", "genetic"))
BOTS = PAIRINGS[2:]
"""Pairings without a human: only these can be played again by agents."""
CERTAIN = (("minimax", "local"), ("local", "minimax"))
"""The third pairing of the bots, which section F leaves out: it has no chance, so one game with
each of them as x says everything.
"""
LEVELS = tuple(f"level:{number}" for number in range(1, 6))
SECONDS = {"minimax": (0.2, 0.8, 1.7), "local": (0.05, 0.08, 0.12)}
"""Approximate CPU seconds of a game against genetic, by number of rounds; for the time left."""
PAIR_SECONDS = {"minimax": (0.5, 2.5, 4.0), "local": (0.05, 0.2, 0.3)}
"""CPU seconds of a pair of games between the agents that the text describes, by rounds."""
LOCAL = ("annealing", "stochastic")
"""Kinds of local search that the paper calls less suitable."""
LARGER = ("genetic:population=20", "genetic:generations=80")
"""Genetic with more chromosomes, and with more generations: better but slower, says the paper."""
STRONGER = "adjacency:8,8,8"
"""Board on which agents are compared with each other."""
ENDGAME = "adjacency:6,6,6"
"""Board small enough to be solved exactly in an instant."""
WHOLE = ("adjacency:4,4,4", "adjacency:5,5,2")
"""Boards of which every position is examined."""
SQUARES = 56
"""Number of empty squares at the start."""
DEEPEST = 3
LONGEST_GAME = "adjacency:8,8,28"
REPEATS = 10
"""Number of first moves of genetic that are timed."""
STAGES = (0, 8, 16, 24, 32, 40)
"""Random plies before each of the positions in which the nodes of the paper's search are
counted.
"""
FITNESS = ((8, 5), (8, 50), (28, 5), (28, 50))
"""Rounds and chromosomes for which the fitness of the first generation is measured."""


class Amount(NamedTuple):
    """Amounts of an experiment: how many games, pairs of games and positions."""

    games: tuple[int, int, int]
    """Games under the paper's conditions (from the start, one seating), of 8, 16 and 28 rounds."""
    pairs: tuple[int, int, int]
    """Pairs of games under our conditions (random openings, both seats), of 8, 16 and 28 rounds."""
    levels: int
    """Pairs of games against each of `LEVELS`."""
    matches: int
    """Pairs of games between two agents; five times as many for those of `LOCAL`."""
    endgames: int
    """Random endgames to solve."""
    searches: int
    """Positions at each of `STAGES` in which nodes are counted."""
    breedings: int
    """First moves of genetic whose fitness is recorded."""


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Yield the work items: section F as it was played, from both seats, then every other claim.

    *amount* says how much is played; *seed* is the first of the run's random seeds.
    """
    for first, second in BOTS:
        for rounds, count, pairs, seconds, pair_seconds in zip(
            ROUNDS, amount.games, amount.pairs, SECONDS[first], PAIR_SECONDS[first]
        ):
            game, unit = f"adjacency:8,8,{rounds}", f"{first}-{second}/{rounds}"
            arguments = PROGRAMS[first], PROGRAMS[second], game
            piece = WorkItem(f"printed/{unit}", games_from_start, arguments, seconds)
            yield from batches(piece, seed, count, largest=5)
            pairing = Pairing(TEXTS[first], TEXTS[second], game)
            yield from match_items(unit, pairing, pairs, seed, pair_seconds)
    yield from certain_games()
    for first in ("minimax", "local"):
        for level in LEVELS:
            pairing = Pairing(PROGRAMS[first], level, STRONGER)
            weight = 0.8 if level == LEVELS[-1] else 0.3 if first == "minimax" else 0.02
            yield from match_items(f"{first}/{level}", pairing, amount.levels, seed, weight)
    for first, second in compared():
        pairing = Pairing(first, second, STRONGER)
        quick = second in LOCAL
        pairs, weight = (5 * amount.matches, 0.02) if quick else (amount.matches, 0.1)
        yield from match_items(f"{first}/{second}", pairing, pairs, seed, weight)
    piece = WorkItem("endgames", endgames, weight=0.05)
    yield from batches(piece, seed, amount.endgames, largest=20)
    for board in WHOLE:
        yield WorkItem(f"whole/{board}", every_position, (board,), 1.0)
    yield WorkItem("lines", lines_of_play, weight=0.5)
    for plies in STAGES:
        piece = WorkItem(f"pruned/{plies}", pruned_lines, (plies,), 0.02)
        yield from batches(piece, seed, amount.searches, largest=10)
    yield WorkItem("costs", costs, (seed,), 1.0)
    for rounds, size in FITNESS:
        piece = WorkItem(f"breeding/{rounds}/{size}", breed, (rounds, size), 0.005 * size)
        yield from batches(piece, seed, amount.breedings, largest=10)


def certain_games() -> Iterator[WorkItem]:
    """Yield a work item for one game of each pair of `CERTAIN` at each of `ROUNDS`.

    Nothing is drawn at random in these games: their seed is always 0.
    """
    for (first, second), rounds in product(CERTAIN, ROUNDS):
        seats = PROGRAMS[first], PROGRAMS[second], f"adjacency:8,8,{rounds}"
        yield WorkItem(f"certain/{first}-{second}/{rounds}", games_from_start, (*seats, 0, 1), 0.5)


def compared() -> Iterator[tuple[str, str]]:
    """Yield pairs of agents (specs) that play each other, first the one the paper calls better.

    Of the last pair the paper calls neither better.
    """
    for other in LOCAL:
        yield "hillclimb", other
    for larger in LARGER:
        yield larger, "genetic"
    yield "neighbours:enemy=true", "neighbours"


def endgames(seed: int, count: int) -> Json:
    """Solve *count* random endgames, seeded from *seed* on; return for each a list of six booleans.

    They say whether the exact value is kept by some square beside a mark, by some square beside a
    rival's mark (beside any mark, if there is none), by hillclimb, and by neighbours; whether
    hillclimb attacks (moves beside the rival, if it can); and whether it takes the first square
    beside the most marks of the rival.
    """
    found = []
    for each_seed in range(seed, seed + count):
        rng, position = random.Random(f"endgame {each_seed}"), catalog.position(ENDGAME)
        for _ in range(rng.randrange(4, 7)):
            position = position.child(rng.choice(position.moves()))
        best = set(api.solve(position, all_moves=True).best)
        rivals = marks_beside(position, 1 - position.turn)
        own = marks_beside(position, position.turn)
        tried = {move for move in position.moves() if rivals[move] or own[move]}
        beside = {move for move in position.moves() if rivals[move]}
        climb, limited = (
            paper_agent(each).analyse(position).move for each in ("hillclimb", "neighbours")
        )
        attacks = bool(rivals[climb]) or not beside
        most = max(rivals[move] for move in position.moves())
        by_own = next(move for move in position.moves() if rivals[move] == most)
        found.append(
            [
                *(bool(best & squares) for squares in (tried, beside or tried)),
                *(climb in best, limited in best, attacks, climb == by_own),
            ]
        )
    return found


def marks_beside(position: Position, seat: int) -> dict[Move, int]:
    """Return by move, an empty square, how many of its up to four neighbours have *seat*'s mark."""
    rows = position.write()[0].split("/")
    cells, neighbours = "".join(rows), Grid(len(rows), len(rows[0])).neighbours
    return {
        move: sum(cells[beside] == "xo"[seat] for beside in neighbours[move])
        for move in position.moves()
    }


def every_position(board: str) -> Json:
    """Return four counts of all positions that can follow from the start of *board* (a spec).

    They are the unfinished positions, with the start; those in which some square beside a mark of
    either keeps the exact value; those that have a square beside a mark of the rival of the seat to
    move; and those in which such a square keeps the exact value.
    """
    values: dict[Position, float] = {}
    counts = [0, 0, 0, 0]

    def value(position: Position) -> float:
        """Return the final margin of x (seat 0) with best play, in marks.

        The first time that it sees an unfinished position, it adds it to `counts`.
        """
        if position in values:
            return values[position]
        moves, seat = position.moves(), position.turn
        if not moves:
            x, o = position.scores()
            return x - o
        after = {move: value(position.child(move)) for move in moves}
        best = (min if seat else max)(after.values())
        rivals, own = marks_beside(position, 1 - seat), marks_beside(position, seat)
        near = [move for move in moves if rivals[move]]
        counts[0] += 1
        counts[1] += any(after[move] == best for move in moves if rivals[move] or own[move])
        counts[2] += bool(near)
        counts[3] += any(after[move] == best for move in near)
        values[position] = best
        return best

    value(catalog.position(board))
    return counts


def lines_of_play() -> Json:
    """Return a list of the nodes of minimax without pruning, for the depths 1 to `DEEPEST`.

    It searches the start of `LONGEST_GAME`.
    """
    start = catalog.position(LONGEST_GAME)
    depths = range(1, DEEPEST + 1)
    return [catalog.agent("minimax", depth=depth).analyse(start).nodes for depth in depths]


def pruned_lines(plies: int, seed: int, count: int) -> Json:
    """Return [empty squares, lines visited] for each of *count* positions of `LONGEST_GAME`.

    The positions come after *plies* random plies, each drawn by a seed of its own, from *seed* on.
    The lines are `DEEPEST` plies long, and counted by `papers_search`.
    """
    found = []
    for each_seed in range(seed, seed + count):
        rng, position = random.Random(f"pruned {plies} {each_seed}"), catalog.position(LONGEST_GAME)
        for _ in range(plies):
            position = position.child(rng.choice(position.moves()))
        found.append([len(position.moves()), papers_search(position, DEEPEST)])
    return found


def papers_search(position: Position, depth: int) -> int:
    """Return how many lines of *depth* plies alpha-beta visits, squares tried row by row.

    Lines are valued by the paper's objective: the marks of the seat to move in *position*, minus
    the rival's. The game must last that many plies (not checked).
    """
    seat, lines = position.turn, 0

    def search(position: Position, depth: int, alpha: float, beta: float) -> float:
        nonlocal lines
        if depth == 0:
            lines += 1
            scores = position.scores()
            return scores[seat] - scores[1 - seat]
        best = -inf if position.turn == seat else inf
        for move in position.moves():
            value = search(position.child(move), depth - 1, alpha, beta)
            if position.turn == seat:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if beta <= alpha:
                break
        return best

    search(position, depth, -inf, inf)
    return lines


def costs(seed: int) -> Json:
    """Return by spec, for genetic and `LARGER`, the mean [nodes, CPU seconds] of a first move.

    They are means of `REPEATS` moves on `STRONGER`, each with a seed of its own from *seed* on.
    """
    start, found = catalog.position(STRONGER), {}
    for spec in ("genetic", *LARGER):
        player, nodes = catalog.agent(spec), list[int]()
        player.analyse(start)  # compiled code must be there before the clock runs
        began = process_time()
        for each_seed in range(seed, seed + REPEATS):
            nodes.append(reseeded(player, each_seed).analyse(start).nodes)
        found[spec] = [sum(nodes) / REPEATS, (process_time() - began) / REPEATS]
    return found


def breed(rounds: int, size: int, seed: int, count: int) -> Json:
    """Return for each of *count* first moves of genetic: [greatest possible fitness, generations].

    Each generation is a list of its best, mean and worst fitness. *rounds* is the length of the
    game, *size* the number of chromosomes. Each move has a seed of its own, from *seed* on.
    """
    position, curves = catalog.position(f"adjacency:8,8,{rounds}"), []
    for each_seed in range(seed, seed + count):
        events: list[Event] = []
        genetic = catalog.agent("genetic", population=size, seed=each_seed)
        genetic.analyse(position, listener=events.append)
        bred = [each for each in events if each["t"] == "gen"]
        most = len(bred[0]["line"]) + 1
        curves.append([most, [[each["best"], each["mean"], each["worst"]] for each in bred]])
    return curves


def conclude(found: Found) -> Conclusions:
    """Return the findings, tables and charts of a run, and decide the paper's claims.

    *found* has the results of all items of `plan`; raise KeyError or IndexError if one is missing
    that is needed.
    """
    levels = {  # in place of humans: every level, as the humans' strength is unknown
        PROGRAMS[first]: [MatchTally.of(found, f"{first}/{level}") for level in LEVELS]
        for first in ("minimax", "local")
    }
    return Conclusions(
        findings=with_verdicts(
            [boards()],
            section_f(found),
            persons(),
            formulas(found),
            heuristics(found),
            local_search(found),
            breeding(found),
        ),
        tables=(
            rounds_table(found),
            match_table("001", "levels", levels, LEVELS),
            fitness_table(found),
        ),
        charts=(
            rounds_chart(found),
            points_chart("001", "levels", levels, LEVELS),
            fitness_chart(found),
        ),
    )


def boards() -> Finding:
    """Return the finding on how many printed scores equal the marks on the printed board.

    The verdict is yes if all do, else no.
    """
    right = sum(
        catalog.position(f"adjacency:8,8,{match.rounds} {match.board} x").scores() == match.scores
        for match in MATCHES
    )
    return all_of(Message("paper001.boards"), len(MATCHES), right, len(MATCHES))


def as_printed(found: Found, first: str, second: str, rounds: int) -> MatchTally:
    """Return the results of *first* as x in the games from the start, as the paper played them.

    *first* and *second* are the paper's words, such as ``minimax``; *rounds* is one of `ROUNDS`.
    Empty if *found* has no games of this pairing (see `BOTS`).
    """
    return MatchTally.of(found, f"printed/{first}-{second}/{rounds}")


def by_the_text(found: Found, first: str, second: str, rounds: int) -> MatchTally:
    """Return the results of *first* in pairs of games with both seats and random openings.

    There the agents play as the paper's text describes them (`TEXTS`). *first* and *second* are the
    paper's words, such as ``minimax``; *rounds* is one of `ROUNDS`. Empty if *found* has no games
    of this pairing.
    """
    return MatchTally.of(found, f"{first}-{second}/{rounds}")


def section_f(found: Found) -> Iterator[Finding]:
    """Yield findings on the matches between agents.

    They are on the matches as they were played, then by the paper's text from both seats, then on
    the games of `CERTAIN`, without chance. Raise KeyError if *found* lacks a game of `CERTAIN`.
    """
    for first, second in BOTS:
        for match in matches(first, second):
            played = as_printed(found, first, second, match.rounds)
            what = Message("paper001.match", bots(first, second) | {"rounds": match.rounds})
            yield played.line(what, match.score(match.x))
        all_rounds = together(by_the_text(found, first, second, rounds) for rounds in ROUNDS)
        what = Message("paper001.beats", {"first": TEXTS[first], "second": TEXTS[second]})
        won = sum(match.margin(first) > 0 for match in matches(first, second))
        yield all_rounds.line(what, out_of(won, len(ROUNDS)))
    for (first, second), rounds in product(CERTAIN, ROUNDS):
        ((_, _, mine, theirs),) = found[f"certain/{first}-{second}/{rounds}"]
        what = Message("paper001.certain", bots(first, second) | {"rounds": rounds})
        yield Finding(what, None, f"{mine:g}-{theirs:g}", basis=Message("lab.by_count"))


def bots(first: str, second: str) -> dict[str, Cell]:
    """Return the values ``first`` and ``second`` of a sentence: a message on each player.

    It has the kind of player and its agent of `PROGRAMS`. *first* and *second* are the paper's
    words, such as ``local``; raise KeyError for another one.
    """
    named = {"first": first, "second": second}
    return {
        seat: Message(f"paper001.bot_{kind}", {"agent": PROGRAMS[kind]})
        for seat, kind in named.items()
    }


def persons() -> Iterator[Finding]:
    """Yield findings on the matches against humans, which no agent can replace, without a verdict.

    The last finding quotes the paper on the limits of minimax, which lost one of these games.
    """
    for first, second in PAIRINGS[:2]:
        for match in matches(first, second):
            what = Message(
                "paper001.match_person", {"agent": PROGRAMS[first], "rounds": match.rounds}
            )
            yield incomparable(what, match.score(first), None, Message("paper001.no_person"))
    yield quoted(Message("paper001.limited"), Message("paper001.limited_quote"))


def matches(first: str, second: str) -> list[Published]:
    """Return the printed matches of *first* and *second* (words such as ``human``), shortest first.

    Either may be x; empty if they did not meet.
    """
    return [match for match in MATCHES if {match.x, match.o} == {first, second}]


def formulas(found: Found) -> Iterator[Finding]:
    """Yield findings on the number of lines of play against the paper's formulas.

    The paper's are nPr = n! / (n - depth)! at each depth without pruning, and on average half of
    that with alpha-beta. Ours are counts: without pruning at each depth, with alpha-beta the mean
    share of nPr in random positions, and the number from the start. Raise KeyError or IndexError if
    *found* lacks a count.
    """
    nodes = [1, *found["lines"]]
    for depth in range(1, DEEPEST + 1):
        lines, expected = nodes[depth] - nodes[depth - 1], perm(SQUARES, depth)
        what = Message("paper001.lines", {"depth": depth})
        yield counted(what, expected, lines, lines == expected)
    counts = [each for plies in STAGES for each in found.joined(f"pruned/{plies}")]
    shares = mean([lines / perm(squares, DEEPEST) for squares, lines in counts])
    ours = replace(shares, form="share")
    half = Measure(0.5, form="share")
    what = Message("paper001.pruned", {"depth": DEEPEST})
    yield by_interval(what, half, ours, len(counts))
    start = found.joined("pruned/0")[0][1]
    yield Finding(
        Message("paper001.pruned_at_start", {"depth": DEEPEST}),
        perm(SQUARES, DEEPEST) // 2,
        start,
        "quoted",
        Message("paper001.one_position"),
    )


def by_interval(what: Message, paper: Measure, ours: Measure, count: int) -> Finding:
    """Return a line that compares a printed mean, *paper*, with *ours*, measured in *count* cases.

    *ours* must have an interval. The verdict is *no* if the 95 % interval excludes the printed
    mean, else *open*.
    """
    assert ours.low is not None and ours.high is not None
    inside = ours.low <= paper.value <= ours.high
    basis, rule = Message("lab.by_interval", {"count": count}), Message("lab.rule_interval")
    return Finding(what, paper, ours, "open" if inside else "no", basis, rule=rule)


def heuristics(found: Found) -> Iterator[Finding]:
    """Yield findings on the paper's neighbour heuristic: are the squares that it leaves out needed?

    Also whether leaving out those beside own marks, as the paper proposes, loses strength. Raise
    KeyError if *found* lacks a board of `WHOLE`.
    """
    known = found.joined("endgames")
    cases, quote = len(known), Message("paper001.never_pays")
    for board in WHOLE:
        whole, kept = found[f"whole/{board}"][:2]
        line = Finding(on_whole("tried", board), quote, out_of(kept, whole), holds(kept == whole))
        basis = Message("lab.by_all", {"count": whole})
        yield replace(line, basis=basis, rule=Message("lab.rule_whole"))
    kept = sum(line[0] for line in known)
    yield always(Finding(Message("paper001.tried"), quote, share(kept, cases)), cases, cases - kept)
    quote, why = Message("paper001.lower"), Message("paper001.at_once")
    for board in WHOLE:
        whole, kept = found[f"whole/{board}"][2:]
        yield quoted(on_whole("beside", board), quote, out_of(kept, whole), why)
    kept = sum(line[1] for line in known)
    yield quoted(Message("paper001.beside"), quote, share(kept, cases), why)
    near = MatchTally.of(found, "neighbours:enemy=true/neighbours")
    what, quote = Message("paper001.proposal"), Message("paper001.no_loss")
    yield near.line(what, quote, least=0.5 - EQUIVALENCE_MARGIN)
    limited, quote = sum(line[3] for line in known), Message("paper001.not_always")
    line = Finding(Message("paper001.limited_right"), quote, share(limited, cases))
    yield sometimes(line, cases, cases - limited)


def on_whole(key: str, board: str) -> Message:
    """Return the message ``paper001.KEY_all`` about all positions of *board*, one of `WHOLE`.

    *key* is the KEY; the values of the message are the size, such as ``4x4``, and the rounds, whose
    number must have one digit.
    """
    size = "x".join(board.partition(":")[2].split(",")[:2])
    return Message(f"paper001.{key}_all", {"size": size, "rounds": board[-1]})


def local_search(found: Found) -> Iterator[Finding]:
    """Yield findings on hillclimb, which is steepest ascent.

    They are whether it turns a mark of the rival wherever one can be turned, whether another
    objective (own marks alone) ever chooses another square, and its points against each of `LOCAL`.
    The first two rest on no case if *found* has no endgames.
    """
    known = found.joined("endgames")
    cases, attacks, same = len(known), *(sum(line[place] for line in known) for place in (4, 5))
    line = Finding(Message("paper001.attacks"), Message("paper001.always"), share(attacks, cases))
    yield always(line, cases, cases - attacks, Message("paper001.attack_proof"))
    line = Finding(
        Message("paper001.objective"), Message("paper001.better_choice"), share(same, cases)
    )
    yield sometimes(line, cases, cases - same, Message("paper001.objective_proof"))
    for other in LOCAL:
        tally = MatchTally.of(found, f"hillclimb/{other}")
        what, quote = Message("paper001.suits", {"other": other}), Message("paper001.less_suitable")
        yield tally.line(what, quote, alike=True)


def breeding(found: Found) -> Iterator[Finding]:
    """Yield findings on genetic: the fitness of its first generation, and more of the algorithm.

    For each of `FITNESS` it is the share of moves whose first generation already has the greatest
    possible fitness; for each of `LARGER` the points against genetic, then the time and the nodes
    of a first move as multiples of genetic's. Raise KeyError if *found* lacks the item ``costs``.
    """
    for rounds, size in FITNESS:
        curves = found.joined(f"breeding/{rounds}/{size}")
        full = sum(curve[0][0] == most for most, curve in curves)
        what = Message("paper001.fit_at_once", {"rounds": rounds, "size": size})
        line = Finding(what, Message("paper001.stochastic"), share(full, len(curves)))
        yield share_above(line, full, len(curves))
    for larger in LARGER:
        tally = MatchTally.of(found, f"{larger}/genetic")
        what, quote = Message("paper001.larger", {"agent": larger}), Message("paper001.more_likely")
        yield quoted(what, quote, tally.points, Message("paper001.of_fitness"))
    plain = found["costs"]["genetic"]
    for larger in LARGER:
        nodes, seconds = (more / once for more, once in zip(found["costs"][larger], plain))
        what, quote = Message("paper001.slower", {"agent": larger}), Message("paper001.longer")
        times = {"time": Measure(seconds), "nodes": Measure(nodes)}
        ours, rule = Message("paper001.times", times), Message("paper001.rule_slower")
        yield measured(what, quote, ours, seconds > 1, rule)


def rounds_table(found: Found) -> ReportTable:
    """Return the table of results and mean scores (marks) of each of `BOTS` at each of `ROUNDS`.

    First come the games as the paper played them, then those of `by_the_text`. A pairing without
    games in *found* has a row all the same, with 0 games.
    """
    rows: list[tuple[Cell, ...]] = []
    for how, names, tally_of in (
        ("printed", PROGRAMS, as_printed),
        ("ours", TEXTS, by_the_text),
    ):
        for (first, second), rounds in product(BOTS, ROUNDS):
            tally = tally_of(found, first, second, rounds)
            who, rival, *result, _ = match_row(names[first], names[second], tally)
            conditions = Message(f"paper001.conditions_{how}")
            rows.append((conditions, who, rival, rounds, *result, *tally.scores))
    keys = ("paper001.conditions", *MATCH[:2], "lab.rounds", *MATCH[2:-1])
    return report_table("001", "matches", (*keys, "lab.score", "lab.rival_score"), rows)


def fitness_table(found: Found) -> ReportTable:
    """Return the table of best and mean fitness of genetic in its first and its last generation.

    A row for each of `FITNESS` has rounds, chromosomes, the greatest possible fitness, and these
    four as means over all moves of the run. Raise IndexError if *found* lacks a row's moves.
    """
    rows: list[tuple[Cell, ...]] = []
    for rounds, size in FITNESS:
        curves = found.joined(f"breeding/{rounds}/{size}")
        ends = [
            mean([curve[generation][place] for _, curve in curves])
            for generation in (0, -1)
            for place in (0, 1)
        ]
        rows.append((rounds, size, curves[0][0], *ends))
    keys = ("size", "most", "best_first", "mean_first", "best_last", "mean_last")
    return report_table(
        "001", "fitness", ("lab.rounds", *(f"paper001.{key}" for key in keys)), rows
    )


def rounds_chart(found: Found) -> Chart:
    """Return the chart of the points (share, 0 to 1) of the first agent of each of `BOTS`.

    They have a bar for each of `ROUNDS`. The games are those of `as_printed` in *found*; the share
    is 0 where there are none.
    """
    bars = (
        Series.of(
            Message("paper001.rounds", {"rounds": rounds}),
            [as_printed(found, first, second, rounds).points for first, second in BOTS],
        )
        for rounds in ROUNDS
    )
    names = [f"{PROGRAMS[first]} - {PROGRAMS[second]}" for first, second in BOTS]
    axes = "paper001.pairing", "lab.points"
    return bar_chart("001", "points", axes, bars, names, form="share", level=0.5)


def fitness_chart(found: Found) -> Chart:
    """Return the chart of best, mean and worst fitness by generation, a line for each.

    They are means over all first moves of the longest games with five chromosomes. Raise IndexError
    if *found* has no such moves.
    """
    curves, lines = [curve for _, curve in found.joined("breeding/28/5")], []
    for place, key in enumerate(("best", "mean", "worst")):
        each = [mean([curve[step][place] for curve in curves]) for step in range(len(curves[0]))]
        lines.append(Series.of(Message(f"lab.{key}"), each, range(len(each))))
    return Chart(
        "fitness",
        Message("paper001.chart_fitness"),
        Message("paper001.generation"),
        Message("paper001.fitness"),
        tuple(lines),
    )


def exhibits() -> Iterator[Exhibit]:
    """Yield the final boards of section F, and the example, as the paper prints them."""
    rows = ((each.x, each.o, each.rounds, each.score(each.x)) for each in MATCHES)
    boards = (
        PaperPosition(f"adjacency:8,8,{each.rounds} {each.board} x", agents=("neighbours",))
        for each in MATCHES
    )
    keys = ("X", "O", "lab.rounds", "printed.score")
    yield exhibit("boards", Message("printed.001_boards"), keys, rows, boards)
    start, row = "adjacency:4,4,4,first=o .o../x.../xxo./xxx. o", ("board[1][1]", "b2")
    place = PaperPosition(start, then="b2", agents=("neighbours",))
    headings = ("printed.as_printed", "lab.move")
    yield exhibit("example", Message("printed.001_example"), headings, [row], [place])


PAPER = Paper.declared(
    "001",
    {
        "quick": Amount(
            (30, 20, 10),
            pairs=(3, 3, 3),
            levels=4,
            matches=10,
            endgames=100,
            searches=5,
            breedings=20,
        ),
        "full": Amount(
            (100, 100, 100),
            pairs=(15, 15, 15),
            levels=20,
            matches=300,
            endgames=500,
            searches=20,
            breedings=50,
        ),
    },
    plan,
    conclude,
    exhibits,
)
