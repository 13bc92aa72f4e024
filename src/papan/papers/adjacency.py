"""Paper 001, Adjacency: its twelve matches played again, many times and from both seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from papan import catalog
from papan.core import Event
from papan.lab.results import (
    Cell,
    Chart,
    Conclusions,
    Finding,
    ReportTable,
    Series,
    Text,
    counted,
    incomparable,
    judged,
)
from papan.lab.work import Json, WorkItem
from papan.papers.experiment import Pairing, Tally, bars, games, mean, together
from papan.papers.paper import Found, Paper, parts

# What the paper prints: the twelve matches of its section F, one game each.


class Published(NamedTuple):
    """One match: who played x and o, over how many rounds, the score and the final board."""

    x: str
    o: str
    rounds: int
    scores: tuple[int, int]
    board: str


MATCHES = (
    Published(
        "minimax",
        "human",
        8,
        (13, 11),
        "xxooxxxo/oxoxoxoo/xoo.o.../......../......../......../xx....../xx......",
    ),
    Published(
        "minimax",
        "human",
        16,
        (24, 16),
        "xxoxooxo/oxoxoxox/xxooxxox/xxoxxoxo/.....xox/......o./xx....../xx......",
    ),
    Published(
        "minimax",
        "human",
        28,
        (31, 33),
        "oxxxxxxo/xoxoxoxo/xoxoxoox/xoxoxoox/xoxoxooo/oxxooooo/xxoxooox/xoooxxxo",
    ),
    Published(
        "human",
        "local",
        8,
        (14, 10),
        "xooxoxxo/xoxoxxxo/oxoo..../......../......../......../xx....../xx......",
    ),
    Published(
        "human",
        "local",
        16,
        (19, 21),
        "xooxoxxo/xooxoxox/xooxooxo/oxxooxx./.oxoo.../.o....../xo....../xx......",
    ),
    Published(
        "human",
        "local",
        28,
        (34, 30),
        "xoxxxooo/oxooxoxx/oxoxxoox/xxoxooxx/xoxoooxo/oxxoxoxo/oxxxxxxo/xoxxoxoo",
    ),
    Published(
        "minimax",
        "genetic",
        8,
        (19, 5),
        "oxxx.xxo/xox...xx/......xx/.....xxx/o...xo../......../xx....../xx......",
    ),
    Published(
        "minimax",
        "genetic",
        16,
        (23, 17),
        ".xxxoxxo/.x..xoxo/..xxoxoo/x.xxooox/x...ooxx/..x....x/xoo....x/xoo.o...",
    ),
    Published(
        "minimax",
        "genetic",
        28,
        (34, 30),
        "xooxoxxo/oxxoxoox/xxxxooxx/oxxoooox/ooxooxoo/oxxxxoxo/oxxxxoxx/xoxxooox",
    ),
    Published(
        "local",
        "genetic",
        8,
        (19, 5),
        "...xxoxo/x..x.xxx/oxxxx..x/....x.../....x.o./......../xx....../xx....o.",
    ),
    Published(
        "local",
        "genetic",
        16,
        (32, 8),
        "xx..xxxo/x.xxxxxx/x.xoxx.x/x..xoxx./x...xxx./.x....xx/xxo.o.oo/xx.....o",
    ),
    Published(
        "local",
        "genetic",
        28,
        (37, 27),
        "xxxxoxxo/xoxoxoxx/ooxoxxxo/oxoxooox/xxxxooox/xoxxooxx/oxxxooxx/xxxoooox",
    ),
)


AGENTS = {
    "minimax": "neighbours",
    "local": "hillclimb",
    "genetic": "genetic",
    "human": "level:3",
}
"""Who plays for the names of the paper. A person is played by an agent that looks two plies ahead
and makes any move at all one time in five."""

ROUNDS = (8, 16, 28)
SECONDS = {"minimax": (0.3, 1.0, 2.1), "local": (0.02, 0.1, 0.3)}
"""How long a game takes, about: for the time left."""
PAIRINGS = (("minimax", "human"), ("local", "human"), ("minimax", "genetic"), ("local", "genetic"))
GENERATIONS = 20


class Amount(NamedTuple):
    """How many pairs of games for 8, 16 and 28 rounds, and how often genetic thinks."""

    pairs: tuple[int, int, int]
    breedings: int


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """The four pairings of section F at each number of rounds, and the genetic fitness."""
    for first, second in PAIRINGS:
        for rounds, pairs, seconds in zip(ROUNDS, amount.pairs, SECONDS[first]):
            pairing = Pairing(AGENTS[first], AGENTS[second], f"adjacency:8,8,{rounds}")
            yield from games(f"{first}-{second}/{rounds}", pairing, pairs, seed, 2 * seconds)
    for name, start, count in parts("breeding", amount.breedings, largest=10):
        yield WorkItem(name, breed, (seed + start, count), 0.1 * count)


def breed(seed: int, count: int) -> Json:
    """The best, mean and worst fitness of every generation, when genetic makes its first move."""
    curves = []
    for each in range(seed, seed + count):
        events: list[Event] = []
        genetic = catalog.agent("genetic", generations=GENERATIONS, seed=each)
        genetic.analyse(catalog.position("adjacency:8,8,28"), listener=events.append)
        curves.append(
            [[each["best"], each["mean"], each["worst"]] for each in events if each["t"] == "gen"]
        )
    return curves


def conclude(found: Found) -> Conclusions:
    """The paper's table beside ours, and which of its conclusions hold."""
    tallies = {
        (AGENTS[first], AGENTS[second], rounds): tally(found, first, second, rounds)
        for first, second in PAIRINGS
        for rounds in ROUNDS
    }
    return Conclusions(
        findings=judged((*boards(), *conclusions(found), *winners(found))),
        tables=(match_table(tallies),),
        charts=(points_chart(tallies), fitness_chart(found.joined("breeding"))),
    )


def tally(found: Found, first: str, second: str, rounds: int) -> Tally:
    """What the games of a pairing came to."""
    return Tally.of(found, f"{first}-{second}/{rounds}")


def boards() -> Iterator[Finding]:
    """Are the printed scores the marks on the printed boards?"""
    right = sum(
        catalog.position(f"adjacency:8,8,{match.rounds} {match.board} x").scores() == match.scores
        for match in MATCHES
    )
    ours = Text("lab.of", {"part": right, "all": len(MATCHES)})
    yield counted(Text("paper001.boards"), len(MATCHES), ours, right == len(MATCHES))


def conclusions(found: Found) -> Iterator[Finding]:
    """Who beats whom, over all rounds, by the paper's own words."""
    for first, second in PAIRINGS:
        all_rounds = together(tally(found, first, second, rounds) for rounds in ROUNDS)
        claimed = won_by(first, second) > 1
        key = "paper001.beats" if claimed else "paper001.loses"
        what = Text(key, {"first": AGENTS[first], "second": AGENTS[second]})
        published = Text("lab.of", {"part": won_by(first, second), "all": len(ROUNDS)})
        yield against(second, what, published, all_rounds, claimed)


def against(second: str, what: Text, published: Cell, tally: Tally, claimed: bool) -> Finding:
    """A line of section F; a person that an agent stands for cannot confirm or refute it."""
    if second == "human":
        return incomparable(what, published, tally.points, Text("paper001.no_person"))
    return Finding(what, published, tally.points, evidence=tally.ahead(claimed))


def won_by(first: str, second: str) -> int:
    """How many of the printed matches of a pairing its first player won."""
    return sum(
        margin(match, first) > 0 for match in MATCHES if {match.x, match.o} == {first, second}
    )


def margin(match: Published, player: str) -> int:
    """By how much *player* won a printed match."""
    x, o = match.scores
    return x - o if match.x == player else o - x


def winners(found: Found) -> Iterator[Finding]:
    """Each of the twelve printed matches: did the stronger side win it?"""
    for match in MATCHES:
        first = match.x if (match.x, match.o) in PAIRINGS else match.o
        second = match.o if first == match.x else match.x
        played = tally(found, first, second, match.rounds)
        what = Text(
            "paper001.match",
            {"first": AGENTS[first], "second": AGENTS[second], "rounds": match.rounds},
        )
        score = match.scores if first == match.x else match.scores[::-1]
        yield against(
            second, what, f"{score[0]}-{score[1]}", played, claimed=margin(match, first) > 0
        )


Tallies: TypeAlias = Mapping[tuple[str, str, int], Tally]
"""What the games of two agents came to, by their names and the number of rounds."""


def match_table(tallies: Tallies) -> ReportTable:
    """Every pairing at every number of rounds, with its scores."""
    rows = []
    for (first, second, rounds), tally in tallies.items():
        counts = (len(tally.outcomes), *tally.counts)
        rows.append((first, second, rounds, *counts, tally.points, *tally.scores))
    keys = ("agent", "rival", "rounds", "games", "won", "drawn", "lost", "points")
    headings = tuple(Text(f"lab.{key}") for key in (*keys, "score", "rival_score"))
    return ReportTable("matches", Text("paper001.table_matches"), headings, tuple(rows))


def points_chart(tallies: Tallies) -> Chart:
    """The points of the first agent of each pairing, by rounds."""
    pairings = dict.fromkeys((first, second) for first, second, _ in tallies)
    return Chart(
        "points",
        Text("paper001.chart_points"),
        Text("paper001.pairing"),
        Text("lab.points"),
        tuple(
            bars(
                Text("paper001.rounds", {"rounds": rounds}),
                [tallies[first, second, rounds].points for first, second in pairings],
            )
            for rounds in dict.fromkeys(rounds for _, _, rounds in tallies)
        ),
        kind="bars",
        categories=tuple(" - ".join(pairing) for pairing in pairings),
        form="share",
        level=0.5,
    )


def fitness_chart(curves: Json) -> Chart:
    """How fit the chromosomes are, generation by generation, over many first moves."""
    series = []
    for place, key in enumerate(("best", "mean", "worst")):
        each = [mean([curve[step][place] for curve in curves]) for step in range(len(curves[0]))]
        line = bars(Text(f"lab.{key}"), each)
        series.append(Series(line.label, line.y, tuple(range(len(each))), line.low, line.high))
    return Chart(
        "fitness",
        Text("paper001.chart_fitness"),
        Text("paper001.generation"),
        Text("paper001.fitness"),
        tuple(series),
    )


PAPER = Paper(
    number="001",
    game="adjacency",
    title="Minimax Algorithm and Alpha Beta Pruning in Adjacency Strategy Game",
    authors="Nigel Sahl, Hosea Nathanael Abetnego, Rava Maulana, Hanif Muhammad Zhafran",
    year=2023,
    claims=(
        Text("paper001.claim_minimax"),
        Text("paper001.claim_genetic"),
        Text("paper001.claim_local"),
    ),
    recipe=Text("paper001.recipe"),
    remarks=(Text("paper001.remark_person"), Text("paper001.remark_one_game")),
    amounts={
        "quick": Amount(pairs=(10, 4, 2), breedings=20),
        "full": Amount(pairs=(200, 100, 50), breedings=500),
    },
    plan=plan,
    conclude=conclude,
)
