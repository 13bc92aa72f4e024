"""Paper 002, Onet: its experiments move by move, then greedy against the truth on random boards."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from time import process_time
from typing import NamedTuple, TypeAlias

from papan import api, catalog
from papan.core import Agent, Position
from papan.core.board import Grid, grid_graph
from papan.core.message import Message
from papan.core.parts import Support
from papan.lab.log import Json
from papan.lab.results import (
    Answer,
    Cell,
    Chart,
    Conclusions,
    Finding,
    ReportTable,
    Series,
    counted,
    holds,
    quoted,
    with_verdicts,
)
from papan.lab.work import WorkItem
from papan.papers.experiment import bar_chart, middle, report_table, share, share_above
from papan.papers.paper import (
    Exhibit,
    Found,
    Paper,
    PaperPosition,
    as_pairs,
    batches,
    each_ply,
    exhibit,
)

# Data printed in the paper: the boards of its section IV and what its program does on them.

NO_STEP = Message("paper002.no_step")
EMPTY_BOARD = Message("paper002.empty_board")


class Experiment(NamedTuple):
    """A board, and the moves of the agent ``openings`` on it under each rule, recorded by papan.

    The agent is the paper's player, *most-openings*: it takes the pair after which most links are
    open. The moves are names separated by spaces, such as ``d3e3 c3e4``; the paper's figures show
    some only.
    """

    name: str
    """Word of the key of its title, ``paper002.run_NAME``."""
    size: str
    """Rows and columns, such as ``6,12``."""
    board: str
    """Kinds of tiles: numbers separated by commas, and rows by /."""
    paper: str = ""
    """Moves under the paper's own, narrower rule; empty if there is none."""
    onet: str = ""
    """Moves under the rule of Onet; empty if there is none."""
    printed: Cell = None
    """What its figure shows: an empty board at the end, the program's message, or the proposed
    move.
    """
    shown: int = 0
    """Number of its moves that the paper's figures show."""

    @property
    def title(self) -> Message:
        """The title of the experiment, as a message with its size."""
        return Message(f"paper002.run_{self.name}", {"size": by_x(self.size)})


FIRST, LAST = "d3e3", ("f5l5", "f4c5", "e5e6")
"""The moves that figures 4.3 and 4.4 show of the first experiment."""


EXPERIMENTS = (
    Experiment(
        "normal",
        "6,12",
        (
            "1,2,3,4,5,2,6,7,8,9,10,5/6,11,10,4,12,13,14,12,9,2,5,15/"
            "12,5,16,17,17,14,6,9,6,3,18,13/14,18,12,10,16,19,10,7,17,15,11,16/"
            "20,8,19,11,19,7,8,16,14,15,9,7/15,20,1,13,19,11,18,8,17,18,13,2"
        ),
        (
            "d3e3 c3e4 e2c4 c2d4 d1d2 b2d5 f2d6 g2f3 b1f1 e1b3 h2a3 i2h3 h1h4 j4j5 g3i3 "
            "c1j3 a1c6 g1a2 k3j6 l3k6 l4h5 i6i4 j2l6 j1k5 k1g4 l1k2 a4i5 i1g5 b4g6 b5h6 "
            "a5b6 l2a6 k4f6 f5l5 f4c5 e5e6"
        ),
        (
            "g6j6 d3e3 c3e4 d1d2 e1b3 k1d4 b2d5 d6k6 b1f1 l1k2 k3b4 i1b5 j1i2 f3a4 h1l5 "
            "a5b6 a1c6 j4j5 i4i6 g5h6 k4f6 g1g3 a2i3 g2i5 c2g4 c1j3 h3k5 f2l3 j2l6 l4h5 "
            "l2a6 h4f5 e2h2 a3c4 f4c5 e5e6"
        ),
        printed=EMPTY_BOARD,
        shown=1 + len(LAST),
    ),
    Experiment("no_move", "4,4", "1,2,3,4/2,3,4,5/3,4,5,6/5,6,7,8", printed=NO_STEP),
    Experiment(
        "border",
        "2,6",
        "1,2,3,4,5,1/2,3,4,5,6,7",
        "a1f1 b1a2 c1b2 d1c2 e1d2",
        "a1f1 b1a2 c1b2 d1c2 e1d2",
        printed="a1f1",
        shown=1,
    ),
    Experiment("far_border", "3,6", "6,1,2,3,4,5/2,3,4,5,6,7/3,1,6,7,8,9", printed=NO_STEP),
)
"""The boards of figures 4.3 to 4.7."""

EDGES = (
    Experiment("bottom_row", "2,6", "2,3,4,5,6,7/1,2,3,4,5,1", onet="a2f2 a1b2 b1c2 c1d2 d1e2"),
    Experiment("right_column", "6,2", "2,1/3,2/4,3/5,4/6,5/7,1", onet="b1b6 a1b2 a2b3 a3b4 a4b5"),
)
"""Our boards: figure 4.6 at the two borders that the paper's program omits."""

Spot: TypeAlias = tuple[int, int]
WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Steps (rows, columns) up, down, left, right: in the order of the paper."""

RULES = ("paper", "onet")
BOTH = (*EXPERIMENTS, *EDGES)
"""The boards of the paper, and our two."""
PLAYERS = ("openings, paper", "openings, onet", "first, onet", "solver, onet", "solver, paper")
"""Agent and rule of each player that clears random boards; the first is the paper's program."""
BOARDS = {"6,12": 20, "8,14": 36}
"""Sizes of random boards, each with its number of kinds of tiles."""
BUDGET = 60.0
"""Seconds for the exact solver on one board, which hardly ever needs them."""


class Amount(NamedTuple):
    """Amounts of an experiment: the number of random boards of each size."""

    boards: tuple[int, int]
    """One number for each of `BOARDS`, in that order."""


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Yield the work items: play the paper's boards by both rules, then random boards.

    *amount* says how many boards; *seed* is the first of the run's random seeds.
    """
    for experiment in BOTH:
        for rule in RULES:
            arguments = experiment.size, experiment.board, rule
            yield WorkItem(f"run/{experiment.name}/{rule}", onet_run, arguments)
    piece = WorkItem("searches", searches, weight=0.1)
    yield from batches(piece, seed, amount.boards[0], largest=10)
    yield WorkItem("graphs", graphs)
    for (size, kinds), boards in zip(BOARDS.items(), amount.boards):
        piece = WorkItem(f"random/{size}", clear, (size, kinds), 0.2)
        yield from batches(piece, seed, boards, largest=5)


def onet_run(size: str, board: str, rule: str) -> Json:
    """Return [moves, tiles left] of most-openings, the agent ``openings``, on *board* under *rule*.

    The moves are one text, such as ``d3e3 c3e4``. *size* and *board* have the form of
    `Experiment.size` and `Experiment.board`, *rule* is one of `RULES`.
    """
    return onet_played(
        catalog.agent("openings"), catalog.position(f"onet:{size},rule={rule} {board}")
    )


def onet_played(agent: Agent | None, position: Position) -> Json:
    """Return [moves, tiles left] when *agent* plays on from *position* until no move is left.

    None in place of an agent takes the first pair each time. The moves are one text, such as ``d3e3
    c3e4``; empty if there are none.
    """
    moves = []
    while legal := position.moves():
        move = legal[0] if agent is None else agent.analyse(position).move
        moves.append(position.game.move_name(move))
        position = position.child(move)
    return [" ".join(moves), position.game.largest_margin - position.scores()[0]]


def tiles(size: str, kinds: int, seed: int) -> list[int]:
    """Return the kind, from 1 to *kinds*, of each tile of a random board, row by row.

    They are shuffled pairs of equal tiles. *size* is its rows and columns, such as ``6,12``; their
    product must be even (not checked). *seed* decides the order. Some boards cannot be cleared.
    """
    rows, columns = map(int, size.split(","))
    pairs = [pair % kinds + 1 for pair in range(rows * columns // 2)]
    both = pairs * 2
    random.Random(f"{size} {kinds} {seed}").shuffle(both)
    return both


def random_board(size: str, kinds: int, seed: int) -> str:
    """Return a random board as `Experiment.board` has it, such as ``3,1,2/2,3,1``.

    *size* is its rows and columns, such as ``2,3``, *kinds* the number of kinds of tiles; *seed*
    decides the order.
    """
    dealt, columns = tiles(size, kinds, seed), int(size.split(",")[1])
    rows = [dealt[cell : cell + columns] for cell in range(0, len(dealt), columns)]
    return "/".join(",".join(map(str, row)) for row in rows)


def clear(size: str, kinds: int, seed: int, count: int) -> Json:
    """Return a list for each of *count* random boards: what `attempt` returns for each player.

    The players are `PLAYERS`. The boards, of a *size* such as ``6,12`` with *kinds* kinds of tiles,
    are drawn by *seed* and the numbers after it.
    """
    for example in Support.of(catalog.game("onet")).solver_examples:
        api.solve(example)  # compiled code must be there before the clock runs
    return [
        [attempt(player, size, random_board(size, kinds, each)) for player in PLAYERS]
        for each in range(seed, seed + count)
    ]


def attempt(player: str, size: str, board: str) -> Json:
    """Return [whether *player* clears *board* (None: unknown), CPU seconds that it takes].

    *player* is one of `PLAYERS`; *size* and *board* have the form of `Experiment.size` and
    `Experiment.board`.
    """
    name, rule = player.split(", ")
    position = catalog.position(f"onet:{size},rule={rule} {board}")
    began = process_time()
    if name == "solver":
        return [api.solve(position, BUDGET).facts["solvable"], process_time() - began]
    agent = None if name == "first" else catalog.agent(name)
    return [onet_played(agent, position)[1] == 0, process_time() - began]


QUEUE, STACK = 0, -1
"""End of the list from which the next cell is taken: breadth first, or depth first."""


def searches(seed: int, count: int) -> Json:
    """Return four numbers for each link on *count* random boards with about half of their tiles.

    They are in a list: the cells visited and the cells of the line as `walk` returns them, breadth
    first, then depth first. Boards have 6x12 cells and 20 kinds of tiles, of which each is removed
    with the probability 1/2; they are seeded from *seed* on. All pairs of equal tiles are tried;
    those that one of the searches does not link are left out.
    """
    found = []
    for each_seed in range(seed, seed + count):
        rng = random.Random(f"searches {each_seed}")
        thinned = [kind if rng.random() < 0.5 else 0 for kind in tiles("6,12", 20, each_seed)]
        board = [thinned[cell : cell + 12] for cell in range(0, 72, 12)]
        cells = [(row, column) for row in range(6) for column in range(12) if board[row][column]]
        alike = [
            (one, other)
            for one in cells
            for other in cells
            if one < other and board[one[0]][one[1]] == board[other[0]][other[1]]
        ]
        for one, other in alike:
            breadth, depth = (walk(board, one, other, end) for end in (QUEUE, STACK))
            if breadth[1] and depth[1]:
                found.append([*breadth, *depth])
    return found


def walk(board: list[list[int]], start: Spot, goal: Spot, end: int) -> tuple[int, int]:
    """Return (cells visited, cells of the line found) of the paper's search for a link.

    A line has both of its ends and two turns at most; 0 cells if none was found. *board* has the
    kind of tile of each cell by row, 0 if it is empty; *start* and *goal* are cells (row, column).
    *end* is `QUEUE` for breadth first, `STACK` for depth first. A cell counts once for each
    direction in which it is entered, *start* up to four times.
    """
    waiting = [(start, way, 0, 1) for way in range(4)]
    seen, looked = {(start, way) for way in range(4)}, 0
    while waiting:
        (row, column), way, turns, length = waiting.pop(end)
        looked += 1
        if (row, column) == goal:
            return looked, length
        for other, (down, right) in enumerate(WAYS):
            place = row + down, column + right
            inside = 0 <= place[0] < len(board) and 0 <= place[1] < len(board[0])
            bends = turns + (other != way)
            if not inside or bends > 2 or (place, other) in seen:
                continue
            if place == goal or board[place[0]][place[1]] == 0:
                seen.add((place, other))
                waiting.append((place, other, bends, length + 1))
    return looked, 0


def graphs() -> Json:
    """Return [size, vertices, edges, entries of a matrix, entries of lists] for two empty boards.

    The size is text such as ``6x12``; the entries are those that a breadth-first search reads.
    """
    counts = []
    for rows, columns in ((6, 12), (8, 14)):
        graph = grid_graph(Grid(rows, columns), "." * rows * columns)
        read = graph.walk(graph.vertices[0].name).looks
        sizes = len(graph.vertices), len(graph.edges)
        counts.append([f"{rows}x{columns}", *sizes, read["matrix"], read["lists"]])
    return counts


def conclude(found: Found) -> Conclusions:
    """Return the findings, tables and charts of a run: the printed boards, and random ones.

    *found* has the results of all items of `plan`; raise KeyError, or ValueError without random
    boards of a size, if one is missing that is needed.
    """
    ran = [Ran(each, rule, *found[f"run/{each.name}/{rule}"]) for each in BOTH for rule in RULES]
    tries = {size: found.joined(f"random/{size}") for size in BOARDS}
    return Conclusions(
        findings=with_verdicts(
            runs(ran),
            edges(ran),
            clearing(tries),
            breadth_or_depth(found.joined("searches")),
            representations(found["graphs"]),
        ),
        tables=(run_table(ran), move_table(ran[:2]), random_table(tries)),
        charts=(cleared_chart(tries),),
    )


def by_x(size: str) -> str:
    """Return a size such as ``6,12`` as people write it: 6x12."""
    return size.replace(",", "x")


def runs(ran: Sequence[Ran]) -> Iterator[Finding]:
    """Yield findings on the experiments of section IV: each printed result beside ours.

    *ran* are all runs, as `conclude` makes them: of each board by the paper's rule, then by Onet's.
    """
    for each in ran:
        if each.printed:
            first = each.experiment.name == "border"
            key = "paper002.first_move" if first else "paper002.ends"
            paper, ours = each.experiment.printed, each.shown
            yield counted(Message(key, {"run": each.experiment.title}), paper, ours, paper == ours)
    made, figures = four_moves(ran[0].moves), " ".join((FIRST, *LAST))
    numbers = {"shown": EXPERIMENTS[0].shown, "all": len(ran[0].moves)}
    yield counted(Message("paper002.shown_moves", numbers), figures, made, figures == made)


def four_moves(moves: list[str]) -> str:
    """Return the first and the last three of the names *moves* as one text, separated by spaces.

    Those are the moves that the paper's figures show.
    """
    return " ".join((*moves[:1], *moves[-len(LAST) :]))


def edges(ran: Sequence[Ran]) -> Iterator[Finding]:
    """Yield findings on the two borders that the paper's rule omits: moves made by both rules.

    *ran* are all runs, as `conclude` makes them.
    """
    edge = 2 * len(EXPERIMENTS)
    for paper, onet in zip(ran[edge::2], ran[edge + 1 :: 2]):
        both = {"paper": len(paper.moves), "onet": len(onet.moves)}
        yield Finding(paper.experiment.title, None, Message("paper002.by_both_rules", both))


def clearing(tries: Mapping[str, Json]) -> Iterator[Finding]:
    """Yield three findings on the random boards of each size.

    The first is on the boards that by Onet's rule either most-openings or the first pair clears,
    but not both: the share that most-openings clears. The second is on the boards that can be
    cleared by the paper's rule: the share that its program clears. The third has how many boards
    are not cleared because only Onet's rule allows it (``rule``), because the program chooses a
    wrong pair (``choice``), and because even Onet's rule does not allow it (``nobody``). *tries*
    has the rows of `clear` by size, such as ``6,12``.
    """
    for size, boards in tries.items():
        board_size, quote = by_x(size), Message("paper002.optimal")
        alone = sum(board[1][0] and not board[2][0] for board in boards)
        differ = sum(board[1][0] != board[2][0] for board in boards)
        ours = Message("paper002.part_of", {"share": share(alone, differ), "all": differ})
        line = Finding(Message("paper002.better", {"size": board_size}), quote, ours)
        yield share_above(line, alone, differ)
        possible = [board for board in boards if board[4][0]]
        cleared = sum(board[0][0] for board in possible)
        what, why = Message("paper002.clears", {"size": board_size}), Message("paper002.not_all")
        yield quoted(what, quote, share(cleared, len(possible)), why)
        rule = sum(board[4][0] is False and bool(board[3][0]) for board in boards)
        nobody = sum(board[3][0] is False for board in boards)
        failures = {"rule": rule, "choice": len(possible) - cleared, "nobody": nobody}
        what = Message("paper002.failures", {"size": board_size})
        yield Finding(what, None, Message("paper002.by_rule_and_choice", failures))


def breadth_or_depth(found: Json) -> Iterator[Finding]:
    """Yield two findings on breadth first against depth first, among the links where they differ.

    They are the share of links that get a shorter line breadth first, as the paper says, and the
    share of those found with fewer cells visited. *found* is a list of rows such as `searches`
    returns.
    """
    for key, quote, breadth, depth in (
        ("shorter", Message("paper002.nearest"), 1, 3),
        ("quicker", None, 0, 2),
    ):
        differ = [line for line in found if line[breadth] != line[depth]]
        part, whole = sum(line[breadth] < line[depth] for line in differ), len(differ)
        ours = Message("paper002.part_of", {"share": share(part, whole), "all": whole})
        line = Finding(Message(f"paper002.{key}"), quote, ours)
        yield share_above(line, part, whole) if quote else line


def representations(counts: Json) -> Iterator[Finding]:
    """Yield findings on the entries that a search reads: O(V^2) with a matrix, O(V+E) with lists.

    *counts* are what `graphs` returns.
    """
    for size, vertices, edges, matrix, lists in counts:
        what = Message("paper002.matrix", {"size": size})
        yield counted(what, vertices**2, matrix, matrix == vertices**2)
        what = Message("paper002.lists", {"size": size})
        yield counted(what, 2 * edges, lists, lists == 2 * edges)


class Ran:
    """The play of most-openings (see `Experiment`) on the board of an experiment by one rule.

    *experiment* is that `Experiment`, *rule* one of `RULES`, *left* the number of tiles left. The
    argument *moves* is a text of names separated by spaces; the attribute `moves` is the list of
    them.
    """

    def __init__(self, experiment: Experiment, rule: str, moves: str, left: int) -> None:
        self.experiment, self.rule, self.moves, self.left = experiment, rule, moves.split(), left
        self.printed = rule == "paper" and experiment.printed is not None
        """True if a figure of the paper shows part of this run."""

    @property
    def shown(self) -> Cell:
        """The result as a figure would show it: no move, the proposed move, or how it ends.

        Without a move it is `NO_STEP`, on the board *border* the first move, else the number of
        tiles left, or `EMPTY_BOARD`.
        """
        if not self.moves:
            return NO_STEP
        if self.experiment.name == "border":
            return self.moves[0]
        return Message("paper002.tiles_left", {"left": self.left}) if self.left else EMPTY_BOARD

    @property
    def as_printed(self) -> tuple[Cell, Cell]:
        """Number of its printed moves, and the answer whether everything printed is reproduced.

        Both are None if nothing of this run is printed.
        """
        if not self.printed:
            return None, None
        same = self.shown == self.experiment.printed
        if self.experiment.name == "normal":
            same = same and four_moves(self.moves) == " ".join((FIRST, *LAST))
        return self.experiment.shown, Answer(holds(same))


def run_table(runs: Sequence[Ran]) -> ReportTable:
    """Return the table of *runs*: board, rule, moves made and tiles left, then what is printed.

    The last two columns are those of `Ran.as_printed`.
    """
    rows: list[tuple[Cell, ...]] = []
    for each in runs:
        names = each.experiment.title, Message(f"paper002.rule_{each.rule}")
        rows.append((*names, len(each.moves), each.left, *each.as_printed))
    keys = ("lab.board", "paper002.rule", "lab.moves", "paper002.left")
    return report_table(
        "002", "runs", (*keys, "paper002.moves_printed", "paper002.as_printed"), rows
    )


def move_table(runs: Sequence[Ran]) -> ReportTable:
    """Return the table of one experiment's moves, with a column for each of *runs*.

    A row has a number, from 1, and the name of that move in each of them. *runs* are those of one
    board by several rules; the shortest decides the number of rows.
    """
    moves = zip(*(each.moves for each in runs))
    rows = ((number, *each) for number, each in enumerate(moves, start=1))
    return report_table(
        "002", "moves", ("lab.move", *(f"paper002.rule_{each.rule}" for each in runs)), rows
    )


def random_table(tries: Mapping[str, Json]) -> ReportTable:
    """Return the table of random boards by size and player: how many each clears, and how fast.

    Its numbers are the share cleared (0 to 1), the boards on which it is stuck, those proved
    impossible and those unknown, and the median seconds. *tries* has the rows of `clear` by size,
    such as ``6,12``; raise StatisticsError if a size has none.
    """
    rows = []
    for size, boards in tries.items():
        for place in range(len(PLAYERS)):
            answers = [board[place][0] for board in boards]
            cleared, unknown = answers.count(True), answers.count(None)
            rest = len(answers) - cleared - unknown
            proved = PLAYERS[place].startswith("solver")
            seconds = middle([board[place][1] for board in boards])
            outcome = (0, rest, unknown) if proved else (rest, 0, 0)
            name = Message(f"paper002.player_{place + 1}")
            rows.append((by_x(size), name, share(cleared, len(answers)), *outcome, seconds))
    keys = ("lab.board", "lab.player", "paper002.cleared", "paper002.stuck", "paper002.impossible")
    return report_table("002", "random", (*keys, "paper002.unknown", "lab.time"), rows)


def cleared_chart(tries: Mapping[str, Json]) -> Chart:
    """Return the chart of the share of random boards that each player clears.

    A board counts as not cleared if that is unknown. *tries* has the rows of `clear` by size, such
    as ``6,12``.
    """
    places, bars = range(len(PLAYERS)), []
    for size, boards in tries.items():
        cleared = [sum(bool(board[place][0]) for board in boards) for place in places]
        label = Message("paper002.boards", {"size": by_x(size), "kinds": BOARDS[size]})
        bars.append(Series.of(label, [share(each, len(boards)) for each in cleared]))
    players = (Message(f"paper002.player_{place + 1}") for place in places)
    axes = "lab.player", "paper002.cleared"
    return bar_chart("002", "cleared", axes, bars, players, form="share")


def exhibits() -> Iterator[Exhibit]:
    """Yield the boards of section IV, with a row for each move of the paper's program."""
    for each in EXPERIMENTS:
        start, moves = f"onet:{each.size},rule=paper {each.board}", each.paper.split()
        counts = {"shown": each.shown, "all": len(moves)}
        title = Message("printed.002_board", {"board": each.title, **counts})
        rows: list[tuple[Cell, ...]] = [(0, Message("printed.start"), None)]
        for number, move in enumerate(moves, start=1):
            in_figure = number <= 1 or number > len(moves) + 1 - each.shown
            source = Message("printed.by_figure" if in_figure else "printed.by_agent")
            rows.append((number, as_pairs(move), source))
        first = PaperPosition(start, then=each.paper, agents=("openings",))
        places = first, *each_ply(start, moves, "openings")
        keys = ("lab.move", "printed.as_its_program", "printed.by")
        yield exhibit(each.name, title, keys, rows, places)


PAPER = Paper.declared(
    "002",
    {"quick": Amount(boards=(30, 10)), "full": Amount(boards=(2000, 500))},
    plan,
    conclude,
    exhibits,
)
