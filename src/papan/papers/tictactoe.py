"""Paper 003, Tic Tac Toe: its formulas against counts and times, and its suggestions."""

from __future__ import annotations

import random
import tracemalloc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, zip_longest
from math import inf, log10
from statistics import fmean, median
from time import process_time
from typing import NamedTuple

from papan import api, catalog
from papan.core import UNLIMITED, Agent, Limit, Position, margin
from papan.core.compiling import plain_searches
from papan.core.message import Message
from papan.lab.complexity import count_tree
from papan.lab.log import Json
from papan.lab.results import (
    Cell,
    Chart,
    Conclusions,
    Finding,
    Measure,
    ReportForm,
    ReportTable,
    Series,
    always,
    counted,
    measured,
    quoted,
    with_verdicts,
)
from papan.lab.work import WorkItem
from papan.papers.experiment import (
    MatchTally,
    Pairing,
    bar_chart,
    match_items,
    middle,
    out_of,
    paper_agent,
    report_table,
    share,
)
from papan.papers.paper import (
    Exhibit,
    Found,
    Paper,
    PaperPosition,
    batches,
    each_ply,
    exhibit,
)

# Data: the paper's formulas, and the running times that its authors measured, one for each number
# of empty cells. These are in files of their repository; graph 1 of the paper draws the formulas.

SIZES = (3, 4, 5)

RANDOM_SECONDS = (1.2e-6, 9e-7, 9e-7, 8e-7, 8e-7, 8e-7, 1e-6, 9e-7)
"""Seconds of random-iterative: about the same at every move of a game on 3x3."""

MINIMAX_SECONDS = (
    *(0.928506, 0.105132, 0.0129397, 0.0014964, 0.0003576),
    *(8.04e-5, 2.65e-5, 1.01e-5, 3e-6),
)
"""Seconds of minimax: all nine points, from nine empty cells down to one."""

TIMED = ("a1", "b2", "b1", "c1", "a3", "a2", "c2", "b3", "c3")
"""The game that the authors' program times: its minimax against itself, always the same game,
because of equal moves it takes the first, row by row. The paper does not print it.
"""

AVERAGE_PLIES = (6, 8)
"""The average case: least and greatest number of moves of a game."""

WORST = 387_420_489
"""The worst case: 9^9 scenarios."""

BEST = 9**5
"""The best case: b^5, if the game ends with the fifth move."""


def published_nodes(depth: int, branching: int) -> int:
    """Return the nodes by the paper's formula: T(m) = b T(m-1) + 1, T(0) = 1; about b^m.

    *depth* is m, *branching* is b.
    """
    return 1 if depth == 0 else branching * published_nodes(depth - 1, branching) + 1


MINIMAX = "minimax:scoring=depth"
PRUNING = "minimax:pruning=true"
TAUGHT_BY = 30_000
TAUGHT = f"learned:games={TAUGHT_BY}"
"""The paper's suggestion c on a small scale: tables learned in *TAUGHT_BY* games of self-play."""
STEPS = (
    "random",
    MINIMAX,
    PRUNING,
    "alphabeta:ordering=false,table=false",
    "alphabeta:table=false",
    "alphabeta",
    "symmetric",
    "mcts",
    TAUGHT,
    "solver",
)
"""The paper's two algorithms; its suggestions, step by step; symmetry, our addition; the solver."""
LEARNED = "net:proofs=false"
"""The paper's suggestion c: a net trained by self-play, without the help of a solver."""
SUGGESTED = (PRUNING, "alphabeta")
"""Suggestions a and d: pruning, and a table of evaluated positions."""
SIDE_BY_SIDE = (*SUGGESTED, "mcts", TAUGHT)
"""These with e, another algorithm, and c, machine learning: the agents whose costs are compared."""
COMPILED_ONLY, PLAIN_ONLY = (TAUGHT, "solver"), ("random", PRUNING, "symmetric")
"""Agents that exist in one form only; all others are timed in both, like with like."""
TABLE = ("alphabeta:table=false", "alphabeta")
"""The same search without and with a table."""
LARGE = "tictactoe:4,4,4"
"""A larger board that the paper mentions, to measure the memory of a table."""
MOST_EMPTY = {3: 9, 4: 8, 5: 8}
"""By size, the most empty cells at which minimax is timed; with more it would take hours."""
ENOUGH = 2_000
"""Nodes below which a search is repeated to be timed."""
REPEATS = 20
SMALLER = Message("lab.rule_smaller")
NEAR = 0.25
"""The authors timed their game once. A ratio of their times follows that of the counted calls if it
differs by no more than this share; those of the last moves, of a few calls each, differ most, by a
fifth."""
FLAT = 3
"""Largest ratio of times that counts as flat.

The authors' own times of random-iterative differ by 1.5; those of minimax by more than 100,000.
"""


class Amount(NamedTuple):
    """Amounts of an experiment: how many games, positions and nodes."""

    timed: int
    """Games timed on each size of board: the authors' on 3x3, random ones on the others."""
    most_empty: int
    """Empty cells of a position up to which minimax runs; `MOST_EMPTY` lowers it on larger
    boards.
    """
    judged: int
    """Random positions in which the moves of each agent are judged."""
    pairs: int
    """Pairs of games of each agent against random."""
    probes: int
    """Random games that estimate the size of a tree."""
    large_nodes: int
    """Nodes of a search of the larger board."""


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Yield the work items: count the tree, time games, and try every suggestion.

    *amount* says how much is played; *seed* is the first of the run's random seeds.
    """
    yield WorkItem("tree", tree, weight=0.1)
    piece = WorkItem("authors", authors_game, (amount.most_empty,), 4.0)
    yield from batches(piece, seed, amount.timed, largest=1)
    for size in SIZES:
        empty = min(amount.most_empty, MOST_EMPTY[size])
        piece = WorkItem(f"timed/{size}", timed_games, (size, empty), 0.8)
        yield from batches(piece, seed, amount.timed, largest=1)
        yield WorkItem(f"probes/{size}", probes, (size, seed, amount.probes), 0.001 * amount.probes)
    piece = WorkItem(f"right/{LEARNED}", tictactoe_right_moves, (LEARNED,), 0.02)
    yield from batches(piece, seed, amount.judged, largest=50)
    yield WorkItem("all", in_every_position, (MINIMAX,), 4.0)
    for step in STEPS:
        weight = 3.0 if step == MINIMAX else 0.5
        yield WorkItem(f"start/{step}", tictactoe_from_the_start, (step,), weight)
        piece = WorkItem(f"right/{step}", tictactoe_right_moves, (step,), 0.007)
        yield from batches(piece, seed, amount.judged, largest=50)
        pairing = Pairing(step, "random", "tictactoe")
        yield from match_items(f"games/{step}", pairing, amount.pairs, seed, 0.04)
    for step in (TABLE[0], *SIDE_BY_SIDE):
        yield WorkItem(f"memory/{step}", memory, (step,), 0.5)
    for step in TABLE:
        arguments = step, LARGE, amount.large_nodes
        yield WorkItem(f"large/{step}", memory, arguments, 0.0001 * amount.large_nodes)
    yield WorkItem("training", training, (), 0.5)


def tree() -> Json:
    """Return [lines, positions, finished games, chance] for each ply of the whole 3x3 tree, from 0.

    The lines are the sequences of that many moves, the positions those that they lead to, each
    counted once; the finished games are the lines that end at that ply, the chance (0 to 1) is that
    of a game with random moves to end there.
    """
    start, plies = catalog.position("tictactoe"), []
    chances = {start: Fraction(1)}
    for ply in count_tree(start, most=10_000).plies:
        ended = sum(chance for position, chance in chances.items() if position.is_over)
        plies.append([ply.lines, ply.positions, ply.ended, float(ended)])
        chances = following(chances)
    return plies


def following(chances: dict[Position, Fraction]) -> dict[Position, Fraction]:
    """Return the probabilities of the positions of the next ply under uniformly random moves.

    *chances* has those of this ply; finished games drop out.
    """
    found = defaultdict[Position, Fraction](Fraction)
    for position, chance in chances.items():
        moves = position.moves()
        for move in moves:
            found[position.child(move)] += chance / len(moves)
    return found


def authors_game(most_empty: int, _seed: int, count: int) -> Json:
    """Return what `timed_ply` returns for each ply of the authors' game (`TIMED`), *count* times.

    Minimax is searched with at most *most_empty* empty cells. The seed is unused: nothing is drawn.
    """
    plies = []
    for _ in range(count):
        position = catalog.position("tictactoe")
        for name in TIMED:
            plies.append(timed_ply(position, len(position.moves()) <= most_empty))
            position = position.after(name)
    return plies


def timed_games(size: int, most_empty: int, seed: int, count: int) -> Json:
    """Return what `timed_ply` returns for each ply of *count* random games, one after another.

    The board has *size* x *size* cells. Games are seeded from *seed* on. Minimax is searched with
    at most *most_empty* empty cells; on 3x3 without times, as the authors' game is timed.
    """
    plies = []
    for each_seed in range(seed, seed + count):
        rng = random.Random(f"{size} {each_seed}")
        position = catalog.position(f"tictactoe:{size},{size},{size}")
        while moves := position.moves():
            plies.append(timed_ply(position, len(moves) <= most_empty, clock=size > SIZES[0]))
            position = position.child(rng.choice(moves))
    return plies


def timed_ply(position: Position, searched: bool, clock: bool = True) -> Json:
    """Return a list of seven numbers on the cost of one move in *position*.

    They are the empty cells; looks and seconds of random-iterative; nodes of minimax, its seconds
    in plain Python, compiled, and in plain Python for a call that visits one node. The looks are
    the cells that random-iterative looks at to find the empty ones. The numbers of minimax are None
    unless *searched*, its seconds also without *clock*. Like is timed with like: the authors'
    program is a plain search, so ours is, too. The clock is that of the processor, which stops
    while other programs run.
    """
    minimax = catalog.agent(MINIMAX)
    looks, seconds = timed(catalog.agent("random"), position, REPEATS)
    ply: list[float | None] = [len(position.moves()), looks, seconds, None, None, None, None]
    if searched:
        ply[3] = minimax.analyse(position).nodes  # compiles what the clock does not measure
    if searched and clock:
        with plain_searches():
            nodes, ply[4] = timed(minimax, position, 1)
            if nodes < ENOUGH:
                _, ply[4] = timed(minimax, position, REPEATS)
            _, ply[6] = timed(minimax, position, REPEATS, Limit(nodes=1))
        _, ply[5] = timed(minimax, position, 1)
    return ply


def timed(
    player: Agent, position: Position, repeats: int, limit: Limit = UNLIMITED
) -> tuple[int, float]:
    """Return the nodes of an analysis of *position* by *player*, and its CPU seconds.

    The analysis has *limit* and is made *repeats* times (1 or more); the seconds are the mean, the
    nodes those of the last one.
    """
    began = process_time()
    for _ in range(repeats):
        nodes = player.analyse(position, limit).nodes
    return nodes, (process_time() - began) / repeats


def probes(size: int, seed: int, count: int) -> Json:
    """Return a list of *count* estimates of the nodes of the whole tree of a *size* x *size* board.

    Each is made from one random game (Knuth, 1975), seeded from *seed* on; their mean is unbiased.
    """
    found = []
    for each_seed in range(seed, seed + count):
        rng = random.Random(f"probe {size} {each_seed}")
        position = catalog.position(f"tictactoe:{size},{size},{size}")
        nodes = ways = 1
        while moves := position.moves():
            ways *= len(moves)
            nodes += ways
            position = position.child(rng.choice(moves))
        found.append(float(nodes))
    return found


def memory(step: str, board: str = "tictactoe", nodes: float = inf) -> Json:
    """Return the peak bytes that Python allocates while an agent decides on an empty *board*.

    *step* and *board* are specs. The agent searches in plain Python, with at most *nodes*; what its
    first 100 nodes allocate for good is not counted. The learning player (`TAUGHT`) runs compiled
    and learns anew, so that its tables are counted.
    """
    position = catalog.position(board)
    if step == TAUGHT:
        player = untaught(1)
        tracemalloc.start()
        player.analyse(position)
    else:
        player = paper_agent(step)
        with plain_searches():
            player.analyse(position, nodes=100)
            tracemalloc.start()
            player.analyse(position, nodes=nodes)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def untaught(number: int) -> Agent:
    """Return the learning player in a form that this process has not trained yet.

    Trained players are cached by their number of games: this one is asked for *number* games fewer
    than `TAUGHT_BY`. As games are played in whole chunks, it learns from equally many if *number*
    is small.
    """
    return paper_agent(f"learned:games={TAUGHT_BY - number}")


def training() -> Json:
    """Return the CPU seconds that the learning player's training of `TAUGHT_BY` games takes."""
    position = catalog.position("tictactoe")
    paper_agent("learned:games=1").load(
        position
    )  # compiled code must be there before the clock runs
    began = process_time()
    untaught(2).load(position)
    return process_time() - began


def tictactoe_from_the_start(step: str) -> Json:
    """Return (nodes, CPU seconds in plain Python, compiled) of one decision of the agent *step*.

    It decides on the empty 3x3 board; *step* is a spec. The seconds are None for a form in which
    the agent does not run.
    """
    position, player = catalog.position("tictactoe"), paper_agent(step)
    plain = compiled = None
    if step not in COMPILED_ONLY:
        with plain_searches():
            nodes, plain = timed(player, position, 1)
    if step not in PLAIN_ONLY:
        player.analyse(position)  # what is compiled or learned must be there before the clock runs
        nodes, compiled = timed(player, position, 1)
    return nodes, plain, compiled


def in_every_position(step: str) -> Json:
    """Return [unfinished positions of 3x3, those in which *step*'s move keeps the exact value].

    Both are numbers of positions; *step* is the spec of an agent.
    """
    values: dict[Position, float] = {}

    def value(position: Position) -> float:
        """Return the final margin of the side to move with best play, 1, 0 or -1.

        It is stored in `values`, as are those of all positions that can follow.
        """
        if position not in values:
            replies = [-value(position.child(move)) for move in position.moves()]
            values[position] = max(replies) if replies else margin(position, position.turn)
        return values[position]

    value(catalog.position("tictactoe"))
    player, right = paper_agent(step), 0
    unfinished = [position for position in values if position.moves()]
    for position in unfinished:
        right += -values[position.child(player.analyse(position).move)] == values[position]
    return [len(unfinished), right]


def tictactoe_right_moves(step: str, seed: int, count: int) -> Json:
    """Return [moves that are exact, *count*, loss of the others] of the agent *step* (a spec).

    It moves in *count* random positions, seeded from *seed* on; the loss is a sum in points.
    """
    right, lost = 0, 0.0
    for each in range(seed, seed + count):
        position = random_position(each)
        truth = api.solve(position, all_moves=True)
        move = paper_agent(step).analyse(position).move
        right += move in truth.best
        if move not in truth.best:
            lost += truth.proved.low + api.solve(position.child(move)).proved.low
    return [right, count, lost]


def random_position(seed: int) -> Position:
    """Return an unfinished position of 3x3 after 2 to 5 random plies, drawn by *seed*."""
    rng = random.Random(f"right {seed}")
    while True:
        position = catalog.position("tictactoe")
        for _ in range(rng.randrange(2, 6)):
            if moves := position.moves():
                position = position.child(rng.choice(moves))
        if position.moves():
            return position


def conclude(found: Found) -> Conclusions:
    """Return the findings, tables and charts of a run: formulas, times, suggestions.

    *found* has the results of all items of `plan`; raise KeyError or ValueError if one is missing
    that is needed.
    """
    plies = {size: found.joined(f"timed/{size}") for size in SIZES}
    authors = found.joined("authors")
    return Conclusions(
        findings=with_verdicts(
            iterative(plies),
            formulas(found),
            clocks(authors),
            suggestions(found),
            larger_boards(found),
        ),
        tables=(
            case_table(plies),
            time_table(authors),
            game_table(authors),
            length_table(found["tree"]),
            step_table(found),
            suggestion_table(found),
        ),
        charts=(
            time_chart({**plies, SIZES[0]: authors}),
            node_chart(plies),
            step_chart(found),
        ),
    )


def iterative(plies: dict[int, Json]) -> Iterator[Finding]:
    """Yield findings on the cells that random-iterative examines: n^2 for each move.

    That is the paper's T(n), for a board of n x n, and k n^2 for k moves. *plies* has the
    `timed_ply` data of all random games, by size of board; raise KeyError or ValueError if a size
    has none.
    """
    for size in SIZES:
        looks = [ply[1] for ply in plies[size]]
        what = Message("paper003.looks", {"size": size})
        ours = Message(
            "paper003.least_mean_most",
            dict(zip(("least", "mean", "most"), tictactoe_spread(looks))),
        )
        yield counted(what, size**2, ours, set(looks) == {size**2})
    first = plies[3][: [ply[0] for ply in plies[3]].index(9, 1) if len(plies[3]) > 9 else None]
    looks = sum(ply[1] for ply in first)
    ours = Message("paper003.looks_in_moves", {"looks": looks, "moves": len(first)})
    yield counted(Message("paper003.looks_of_game"), "9k", ours, looks == 9 * len(first))


def tictactoe_spread(numbers: Sequence[float]) -> tuple[Cell, Cell, Cell]:
    """Return the least, the mean and the greatest of *numbers*, as cells.

    Raise ValueError if there are none.
    """
    return min(numbers), Measure(fmean(numbers)), max(numbers)


def formulas(found: Found) -> Iterator[Finding]:
    """Yield findings on T(m) = b^m against the counts of leaves and of nodes.

    Also on the length of a random game. Raise KeyError if *found* lacks the item ``tree``.
    """
    tree = found["tree"]
    nodes, ends = (sum(row[place] for row in tree) for place in (0, 2))
    yield counted(Message("paper003.worst"), WORST, ends, ends == WORST)
    yield counted(Message("paper003.bound"), WORST, ends, ends <= WORST, SMALLER)
    recursion = published_nodes(9, 9)
    yield counted(Message("paper003.recursion"), recursion, nodes, nodes == recursion)
    yield counted(Message("paper003.best_case"), BEST, tree[5][0], tree[5][0] == BEST)
    length = sum(ply * row[3] for ply, row in enumerate(tree))
    low, high = AVERAGE_PLIES
    what, inside = Message("paper003.length"), Message("lab.rule_range")
    yield counted(what, f"{low}-{high}", Measure(length), low <= length <= high, inside)
    alike = sum(ply * row[2] for ply, row in enumerate(tree)) / ends
    yield Finding(Message("paper003.length_alike"), None, Measure(alike))


def clocks(plies: Json) -> Iterator[Finding]:
    """Yield findings on times by number of empty cells, those of the agents and those of the paper.

    The claims are that the time of random-iterative is about the same at every move, and that the
    time of minimax falls with every move by about the ratio of its calls. *plies* has the
    `timed_ply` data of the authors' game; raise ValueError if it is empty.
    """
    slowest, fastest = (choose(medians(plies, 2).values()) for choose in (max, min))
    spread = slowest / fastest
    theirs = max(RANDOM_SECONDS) / min(RANDOM_SECONDS)
    what, rule = Message("paper003.flat"), Message("paper003.rule_flat", {"most": FLAT})
    yield measured(what, Measure(theirs), Measure(spread), spread < FLAT, rule)
    times, calls = falls(searching(plies)), calls_of_minimax(plies)
    for place, (before, after) in enumerate(pairwise(MINIMAX_SECONDS)):
        empty, paper = 9 - place, before / after
        what = Message("paper003.factor", {"empty": empty, "fewer": empty - 1})
        games = times.get(empty, [])
        if not games:
            yield Finding(what, Measure(paper))
            continue
        ratio = calls[empty] / calls[empty - 1]
        spread_of = {"calls": ratio, "time": median(games), "least": min(games), "most": max(games)}
        values = {name: Measure(each) for name, each in spread_of.items()}
        ours = Message("paper003.calls_and_time", values)
        rule = Message("paper003.rule_factor", {"share": Measure(NEAR, form="share")})
        line = measured(what, Measure(paper), ours, follows(paper, ratio), rule)
        yield replace(line, basis=Message("paper003.by_calls", {"count": len(games)}))


def follows(times: float, calls: float) -> bool:
    """Return whether *times*, a ratio of two times, differs from *calls* by at most a share `NEAR`.

    *calls* is the ratio of the numbers of calls in these times, not 0; the share is of *calls*.
    """
    return abs(times / calls - 1) <= NEAR


def calls_of_minimax(plies: Json) -> dict[int, int]:
    """Return by number of empty cells the calls of the authors' minimax at each ply of its game.

    *plies* has the `timed_ply` data of that game. There is one call for every node below the
    position itself; plies that were not searched are left out.
    """
    return {ply[0]: ply[3] - 1 for ply in plies if ply[3] is not None}


def falls(plies: Iterable[tuple[int, float | None]]) -> dict[int, list[float]]:
    """Return, by number of empty cells, each ply's number divided by the next ply's.

    There is a list with one such ratio for each game. *plies* are pairs of empty cells and a
    number, such as seconds, game after game; a ratio with None is left out. Raise ZeroDivisionError
    if the next number is 0.
    """
    found: dict[int, list[float]] = {}
    for (empty, before), (fewer, after) in pairwise(plies):
        if fewer == empty - 1 and before is not None and after is not None:
            found.setdefault(empty, []).append(before / after)
    return found


def searching(plies: Json) -> Iterator[tuple[int, float | None]]:
    """Yield for each ply (empty cells, seconds of minimax without the overhead of a call).

    The seconds are at least a hundredth of the whole time, and None where minimax was not timed.
    *plies* has `timed_ply` data.
    """
    for empty, _, _, _, seconds, _, call in plies:
        yield empty, None if seconds is None else max(seconds - call, seconds / 100)


def suggestions(found: Found) -> Iterator[Finding]:
    """Yield findings on the paper's suggestions: nodes, memory (KiB) and strength.

    Raise KeyError or ValueError if *found* lacks the results of an agent.
    """
    plain = found[f"start/{MINIMAX}"][0]
    for step in SUGGESTED:
        nodes = found[f"start/{step}"][0]
        what = Message("paper003.suggested", {"agent": step})
        fewer = Message("paper003.fewer", {"nodes": plain})
        yield counted(what, fewer, nodes, nodes < plain, SMALLER)
    for unit, board in (("memory", "3x3"), ("large", "4x4")):
        without, with_table = (found[f"{unit}/{step}"] / 1024 for step in TABLE)
        sizes = {"without": Measure(without), "table": Measure(with_table)}
        ours, less = Message("paper003.kibibytes", sizes), Message("paper003.less_memory")
        what = Message(
            f"paper003.{'memory' if unit == 'memory' else 'memory_large'}", {"size": board}
        )
        rule = Message("paper003.rule_memory")
        yield measured(what, less, ours, with_table < without, rule)
    right, judged_, _ = chosen_by(found, "mcts")
    yield quoted(Message("paper003.alternative"), "MCTS", share(right, judged_))
    right, judged_, _ = chosen_by(found, LEARNED)
    what = Message("paper003.learning", {"agent": LEARNED})
    yield quoted(what, Message("paper003.learning_quote"), share(right, judged_))


def chosen_by(found: Found, step: str) -> tuple[int, int, float]:
    """Return how many moves of the agent *step* are exact, how many there are, and what is lost.

    That is the sum of the points that the moves that are not exact lose. *step* is a spec; the
    moves are those of `tictactoe_right_moves` in all of its items in *found*. Raise ValueError if
    there are none.
    """
    right, count, lost = map(sum, zip(*found.under(f"right/{step}")))
    return right, count, lost


def larger_boards(found: Found) -> Iterator[Finding]:
    """Yield findings on plain minimax: the size of its tree on large boards, and its play on 3x3.

    The size is given as a power of 10; before its share of exact moves comes that of random play.
    Raise KeyError or ValueError if *found* lacks their results.
    """
    for size in SIZES[1:]:
        nodes = found[f"probes/{size}"]
        what = Message("paper003.tree_of", {"size": size})
        ours = Message("paper003.power", {"power": Measure(log10(fmean(nodes)))})
        yield Finding(what, None, ours)
    right, judged_, _ = chosen_by(found, "random")
    what = Message("paper003.right_of", {"agent": "random"})
    yield quoted(what, Message("paper003.not_predictive"), share(right, judged_))
    positions, right = found["all"]
    line = Finding(
        Message("paper003.right_everywhere", {"agent": MINIMAX}),
        Message("paper003.optimal"),
        out_of(right, positions),
    )
    yield always(line, positions, positions - right, Message("lab.by_all", {"count": positions}))


def medians(plies: Json, place: int) -> dict[int, float]:
    """Return by number of empty cells the median of one number of `timed_ply`.

    *plies* is a list of what it returned; *place* is the index of the number in that, from 0. None
    is left out.
    """
    return {empty: median(numbers) for empty, numbers in by_empty(plies, place).items()}


def by_empty(plies: Json, place: int) -> dict[int, list[float]]:
    """Return by number of empty cells, the most first, all values of one number of `timed_ply`.

    *plies* is a list of what it returned; *place* is the index of the number in that, from 0. None
    is left out.
    """
    found: dict[int, list[float]] = {}
    for ply in plies:
        if ply[place] is not None:
            found.setdefault(ply[0], []).append(ply[place])
    return dict(sorted(found.items(), reverse=True))


def case_table(plies: dict[int, Json]) -> ReportTable:
    """Return the table of nodes of minimax in the best, average and worst case, beside b^m.

    Its columns are board, empty cells (the most first), m^m, then the fewest, mean and most nodes.
    *plies* has for each size of `SIZES` a list of what `timed_ply` returned, of all random games
    one after another; plies that minimax did not search are left out. Raise KeyError if it lacks a
    size.
    """
    rows = []
    for size in SIZES:
        for empty, nodes in by_empty(plies[size], 3).items():
            rows.append((f"{size}x{size}", empty, empty**empty, *tictactoe_spread(nodes)))
    keys = ("lab.board", "paper003.empty", "paper003.formula", "lab.best", "lab.mean", "lab.worst")
    return report_table("003", "cases", keys, rows)


def time_table(plies: Json) -> ReportTable:
    """Return the table of the authors' seconds beside ours, move by move on 3x3.

    *plies* has the `timed_ply` data of the authors' game.
    """
    kinds = [by_empty(plies, place) for place in (2, 4, 6, 5)]
    rows: list[tuple[Cell, ...]] = []
    for empty, theirs, paper in zip_longest(range(9, 0, -1), RANDOM_SECONDS, MINIMAX_SECONDS):
        scan, *ours = (middle(each[empty]) if each.get(empty) else None for each in kinds)
        rows.append((empty, seconds(theirs), scan, seconds(paper), *ours))
    keys = ("empty", "random_paper", "random_ours", "minimax_paper", "minimax_ours", "call")
    return report_table(
        "003", "times", (f"paper003.{key}" for key in (*keys, "minimax_compiled")), rows
    )


def game_table(plies: Json) -> ReportTable:
    """Return the table of the game that is timed: moves, calls of minimax, seconds per call.

    *plies* has the `timed_ply` data of the authors' game.
    """
    calls, rows = calls_of_minimax(plies), list[tuple[Cell, ...]]()
    for place, (name, paper) in enumerate(zip(TIMED, MINIMAX_SECONDS)):
        empty = len(TIMED) - place
        each_call = seconds(paper / calls[empty]) if empty in calls else None
        rows.append((empty, name, seconds(paper), calls.get(empty), each_call))
    keys = (f"paper003.{key}" for key in ("minimax_paper", "calls", "each_call"))
    return report_table("003", "game", ("paper003.empty", "lab.move", *keys), rows)


def length_table(tree: Json) -> ReportTable:
    """Return the table of the whole 3x3 tree by ply: lines, positions, finished games, and chance.

    The chance is that of a random game to end there. *tree* is what the function `tree` returns.
    """
    rows = [
        (ply, lines, positions, ends, Measure(chance, form="share"))
        for ply, (lines, positions, ends, chance) in enumerate(tree)
    ]
    keys = ("paper003.lines", "paper003.positions", "paper003.ended", "paper003.likely")
    return report_table("003", "tree", ("lab.ply", *keys), rows)


def step_table(found: Found) -> ReportTable:
    """Return the table of every agent of `STEPS`: nodes, seconds, exact moves, and points.

    The points are against random. Nodes and CPU seconds (in plain Python, then compiled; None where
    it does not run so) are those of the first move on 3x3; exact moves and points are shares, 0 to
    1. Raise KeyError or ValueError if *found* lacks the results of an agent.
    """
    rows = []
    for step in STEPS:
        nodes, *times = found[f"start/{step}"]
        right, judged, _ = chosen_by(found, step)
        points = MatchTally.of(found, f"games/{step}").points
        rows.append((step, nodes, *map(seconds, times), share(right, judged), points))
    keys = ("nodes", "time_plain", "time_compiled", "right", "against_random")
    return report_table("003", "steps", ("lab.agent", *(f"paper003.{key}" for key in keys)), rows)


def seconds(time: float | None) -> Measure | None:
    """Return *time*, in seconds, as a cell of a table; None stays None."""
    return None if time is None else Measure(time, form="seconds")


def suggestion_table(found: Found) -> ReportTable:
    """Return the table of the agents of `SIDE_BY_SIDE`: what a first move costs and brings.

    It costs nodes, CPU seconds (in plain Python, then compiled) and memory (KiB); it brings a share
    of exact moves, mean points lost by a move, and a share of points against random. The last
    column has the seconds of training, None for those that do not learn. Raise KeyError or
    ValueError if *found* lacks the results of an agent.
    """
    rows = []
    for step in SIDE_BY_SIDE:
        nodes, *times = found[f"start/{step}"]
        right, count, lost = chosen_by(found, step)
        learning = seconds(found["training"]) if step == TAUGHT else None
        costs = *map(seconds, times), Measure(found[f"memory/{step}"] / 1024)
        points = MatchTally.of(found, f"games/{step}").points
        brings = share(right, count), Measure(lost / count), points
        rows.append((step, nodes, *costs, *brings, learning))
    keys = ("nodes", "time_plain", "time_compiled", "memory_kib", "right")
    more = ("regret", "against_random", "training")
    headings = ("lab.agent", *(f"paper003.{key}" for key in (*keys, *more)))
    return report_table("003", "suggestions", headings, rows)


def time_chart(plies: dict[int, Json]) -> Chart:
    """Return a chart like the paper's: seconds for one move by empty cells, with 95 % bands.

    *plies* has `timed_ply` data by size of board; raise KeyError if it lacks one of `SIZES`.
    """
    lines = [
        Series(Message(f"paper003.{name}_paper"), theirs, tuple(range(9, 9 - len(theirs), -1)))
        for name, theirs in (("random", RANDOM_SECONDS), ("minimax", MINIMAX_SECONDS))
    ]
    for size in SIZES:
        for place, key in ((2, "paper003.random_on"), (4, "paper003.minimax_on")):
            found = by_empty(plies[size], place)
            times = [middle(each) for each in found.values()]
            lines.append(Series.of(Message(key, {"size": size}), times, [*found]))
    return chart_by_empty("times", "lab.time", lines, form="seconds")


def node_chart(plies: dict[int, Json]) -> Chart:
    """Return the chart of the nodes of minimax by empty cells, beside the paper's formula.

    The nodes are means. *plies* has `timed_ply` data by size of board; raise KeyError if it lacks
    one of `SIZES`.
    """
    lines = []
    for size in SIZES:
        found = by_empty(plies[size], 3)
        nodes = [Measure(fmean(each)) for each in found.values()]
        lines.append(Series.of(Message("paper003.minimax_on", {"size": size}), nodes, [*found]))
    empty = tuple(range(9, 0, -1))
    lines.append(Series(Message("paper003.formula"), tuple(float(m**m) for m in empty), empty))
    return chart_by_empty("nodes", "paper003.nodes", lines)


def chart_by_empty(
    name: str, y: str, lines: Sequence[Series], form: ReportForm = "number"
) -> Chart:
    """Return the chart ``paper003.chart_NAME`` with *lines* over empty cells; its y is logarithmic.

    *name* is also that of its file, *y* the whole key of what is along its y axis, *form* how
    numbers are written.
    """
    title, x = Message(f"paper003.chart_{name}"), Message("paper003.empty")
    return Chart(name, title, x, Message(y), tuple(lines), log=True, form=form)


def step_chart(found: Found) -> Chart:
    """Return the bar chart of the nodes that each agent of `STEPS` needs for the first move on 3x3.

    The axis is logarithmic. Raise KeyError if *found* lacks the item ``start/AGENT`` of one.
    """
    nodes = [Measure(found[f"start/{step}"][0]) for step in STEPS]
    bars = (Series.of(Message("paper003.nodes"), nodes),)
    return bar_chart("003", "steps", ("lab.agent", "paper003.nodes"), bars, STEPS, log=True)


def exhibits() -> Iterator[Exhibit]:
    """Yield the authors' times with the game that is timed, and the tree of figure 3."""
    times = enumerate(MINIMAX_SECONDS)
    rows = ((9 - ply, Measure(seconds, form="seconds")) for ply, seconds in times)
    places = each_ply("tictactoe", TIMED, MINIMAX)
    keys = ("paper003.empty", "paper003.minimax_paper")
    yield exhibit("times", Message("printed.003_times"), keys, rows, places)
    start = "tictactoe o.x/x../xoo x"
    ends = (("b2", "+10"), ("b1", "-10, +10"), ("c2", "-10, +10"))
    tree = (PaperPosition(start, then=move, agents=(MINIMAX,)) for move, _ in ends)
    keys = ("lab.move", "printed.003_scores")
    yield exhibit("tree", Message("printed.003_tree"), keys, ends, tree)


PAPER = Paper.declared(
    "003",
    {
        "quick": Amount(
            timed=6, most_empty=9, judged=100, pairs=10, probes=1000, large_nodes=5_000
        ),
        "full": Amount(
            timed=12, most_empty=9, judged=200, pairs=50, probes=20_000, large_nodes=20_000
        ),
    },
    plan,
    conclude,
    exhibits,
)
