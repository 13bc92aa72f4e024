"""What the papers print, opened on the board: games, tables, figures; their origin and errata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from papan import catalog
from papan.core.session import PERSON
from papan.lab.results import Cell, Chart, Finding, Measure, ReportTable, Text
from papan.papers import adjacency, connect4, dots, onet, tictactoe


@dataclass(frozen=True)
class Place:
    """A position to open: where the game begins, the moves made, and those still to come."""

    start: str
    moves: str = ""
    then: str = ""
    agents: tuple[str, ...] = ()
    """Who thinks about it; two agents play each other from there."""


@dataclass(frozen=True)
class Exhibit:
    """A game or a table that a paper prints, with the place that each row of it opens."""

    table: ReportTable
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Imprint:
    """Where a paper comes from, and what is printed in it."""

    affiliation: str
    errata: int
    """How many there are; their texts are in the catalogue."""
    agent: str
    """The paper's own agent."""

    def texts(self, number: str) -> tuple[Text, tuple[Text, ...]]:
        """What the paper is about in our words, and its errata."""
        errata = (Text(f"printed.{number}_erratum_{each}") for each in range(1, self.errata + 1))
        return Text(f"printed.{number}_abstract"), tuple(errata)


BANDUNG = (
    "Program Studi Teknik Informatika, Sekolah Teknik Elektro dan Informatika, "
    "Institut Teknologi Bandung"
)
IMPRINTS = {
    "000": Imprint(BANDUNG, 5, "chains"),
    "001": Imprint("Teknik Informatika, Institut Teknologi Bandung", 4, "neighbours"),
    "002": Imprint(BANDUNG, 4, "openings"),
    "003": Imprint("Fakultas Informatika, Universitas Telkom, Bandung", 3, "minimax:scoring=depth"),
    "004": Imprint(BANDUNG, 6, "priority"),
}


def steps(start: str, moves: Sequence[str], agent: str) -> list[Place]:
    """The position before each move of a game; the moves from there on can be made again."""
    return [
        Place(start, " ".join(moves[:ply]), " ".join(moves[ply:]), (agent,))
        for ply in range(len(moves))
    ]


def headings(*keys: str) -> tuple[Text, ...]:
    """The headings of a table."""
    return tuple(map(Text, keys))


@cache
def exhibits(number: str) -> tuple[Exhibit, ...]:
    """All that a paper prints and the board can show."""
    return tuple(EXHIBITS[number]())


def _dots() -> Iterator[Exhibit]:
    """The transcript of figures 8 and 9, ply by ply."""
    moves = dots.MOVES.split()
    position, rows = catalog.position(dots.GAME), list[tuple[Cell, ...]]()
    for ply, (name, score) in enumerate(zip(moves, dots.SCORES.split()), start=1):
        who = Text("paper000.program" if ply in dots.PROGRAM_PLIES else "paper000.person")
        rows.append((ply, who, as_pairs(position.game.move_name(position.legal_move(name))), score))
    head = headings("lab.ply", "lab.player", "printed.as_printed", "printed.score")
    table = ReportTable("transcript", Text("printed.000_transcript"), head, tuple(rows))
    yield Exhibit(table, tuple(steps(dots.GAME, moves, "chains")))


def as_pairs(name: str) -> str:
    """Two cells as papers 000 and 002 print them: rows and columns counted from 0."""
    cells = re.findall("([a-z])([0-9]+)", name)
    return " ".join(f"({int(row) - 1}, {ord(column) - ord('a')})" for column, row in cells)


def _adjacency() -> Iterator[Exhibit]:
    """The final boards of section F."""
    rows, places = list[tuple[Cell, ...]](), []
    for each in adjacency.MATCHES:
        score = f"{each.scores[0]}-{each.scores[1]}"
        rows.append((each.x, each.o, each.rounds, score))
        places.append(Place(f"adjacency:8,8,{each.rounds} {each.board} x", agents=("neighbours",)))
    head = (Text("X"), Text("O"), *headings("lab.rounds", "printed.score"))
    table = ReportTable("boards", Text("printed.001_boards"), head, tuple(rows))
    yield Exhibit(table, tuple(places))
    example = "adjacency:4,4,4,first=o .o../x.../xxo./xxx. o"
    shown = ReportTable(
        "example",
        Text("printed.001_example"),
        headings("printed.as_printed", "lab.move"),
        (("board[1][1]", "b2"),),
    )
    yield Exhibit(shown, (Place(example, then="b2", agents=("neighbours",)),))


def _onet() -> Iterator[Exhibit]:
    """The boards of section IV: a row for each move of the paper's program."""
    for each in onet.EXPERIMENTS:
        start, moves = f"onet:{each.size},rule=paper {each.board}", each.paper.split()
        name = Text(f"paper002.run_{each.name}", {"size": each.size.replace(",", "x")})
        counts = {"shown": onet.SHOWN[each.name], "all": len(moves)}
        title = Text("printed.002_board", {"board": name, **counts})
        rows: list[tuple[Cell, ...]] = [(0, Text("printed.start"))]
        rows += [(number, as_pairs(move)) for number, move in enumerate(moves, start=1)]
        places = [Place(start, then=each.paper, agents=("openings",))]
        head = headings("lab.move", "printed.as_its_program")
        table = ReportTable(each.name, title, head, tuple(rows))
        yield Exhibit(table, (*places, *steps(start, moves, "openings")))


EMPTYING = "b2 a1 c3 c1 b1 b3 a2 c2 a3"
"""A game of our own: the paper times one but does not print it."""


def _tictactoe() -> Iterator[Exhibit]:
    """The points of its chart, at positions with as many empty cells."""
    moves, rows = EMPTYING.split(), list[tuple[Cell, ...]]()
    for ply, seconds in enumerate(tictactoe.MINIMAX_SECONDS):
        rows.append((9 - ply, Measure(seconds, form="seconds")))
    head = headings("paper003.empty", "paper003.minimax_paper")
    table = ReportTable("times", Text("printed.003_times"), head, tuple(rows))
    yield Exhibit(table, tuple(steps("tictactoe", moves, IMPRINTS["003"].agent)[: len(rows)]))


def _connect4() -> Iterator[Exhibit]:
    """The example of tables 1 and 2, then the three test games with the values of each step."""
    example = ReportTable(
        "example",
        Text("printed.004_example"),
        (*headings("paper004.step", "lab.move"), *map(Text, connect4.COLUMNS)),
        ((1, "\u2013", *"0020011"),),
    )
    yield Exhibit(example, (Place("connect4", "1 7 2", agents=("priority",)),))
    for game, played in connect4.PLAYED.items():
        cells, values = played.split(), connect4.PUBLISHED[game].split()
        rows = [
            (step + 1, cells[2 * step], *values[step], _answer(cells, 2 * step + 1))
            for step in range(len(values))
        ]
        table = connect4.TABLES[game]
        title = Text("printed.004_game", {"moves": table - 1, "values": table})
        keys = headings("paper004.step", "printed.red")
        head = (*keys, *map(Text, connect4.COLUMNS), Text("printed.blue"))
        columns = [str(connect4.COLUMNS.index(cell[0]) + 1) for cell in cells]
        places = steps("connect4", columns, "priority")[::2]
        yield Exhibit(ReportTable(f"game{game}", title, head, tuple(rows)), tuple(places))


def _answer(cells: Sequence[str], ply: int) -> Cell:
    return cells[ply] if ply < len(cells) else None


EXHIBITS = {
    "000": _dots,
    "001": _adjacency,
    "002": _onet,
    "003": _tictactoe,
    "004": _connect4,
}


# Where the lines, rows and figures of our own measurements lead.


def row_places(number: str, table: ReportTable) -> list[Place]:
    """What each row of a table is about, on the board."""
    return [_printed_row(number, table.name, row) or place_of(number, row) for row in table.rows]


def finding_place(number: str, finding: Finding) -> Place:
    """What a line of the comparison is about."""
    return place_of(number, (*finding.what.values.values(), finding.what), finding.what.key)


def chart_place(number: str, chart: Chart) -> Place:
    """What a figure is about."""
    if (number, chart.name) == ("000", "value"):
        return exhibits(number)[0].places[0]
    return place_of(number, [series.label for series in chart.series])


def _printed_row(number: str, table: str, row: Sequence[Cell]) -> Place | None:
    """The printed position that a row measures, where it measures one."""
    match number, table, row:
        case "000", "review", (int(ply), *_):
            return exhibits(number)[0].places[ply - 1]
        case "002", "moves", (int(ply), *_):
            return exhibits(number)[0].places[ply]
        case "002", "runs", (Text(key=key), *_):
            names = [f"paper002.run_{each.name}" for each in onet.EXPERIMENTS]
            return exhibits(number)[names.index(key)].places[0] if key in names else None
        case "003", "times" | "tree", (int(count), *_):
            empty = count if table == "times" else 9 - count
            return steps("tictactoe", (*EMPTYING.split(), ""), IMPRINTS[number].agent)[9 - empty]
        case "004", "cells" | "review", (int(game), int(step), *_):
            return exhibits(number)[game].places[step - 1]
    return None


def place_of(number: str, cells: Iterable[Cell], key: str = "") -> Place:
    """The game, the size and the agents that *cells* speak of; else the paper's own."""
    words = [word for cell in cells for word in _words(cell)]
    agents = [word for word in words if _is_agent(word)][:2]
    start = next(filter(None, (_size(number, word) for word in words)), None)
    if start is None and number == "000" and key.endswith(("final", "optimal", "replayed")):
        return _with(exhibits(number)[0].places[1], agents)
    names = tuple(agents) or (IMPRINTS[number].agent,)
    return Place(start or STARTS[number], agents=names)


STARTS = {
    "000": "dots:3,3",
    "001": "adjacency:8,8,8",
    "002": "onet:6,12,seed=1",
    "003": "tictactoe",
    "004": "connect4",
}


def _with(place: Place, agents: Sequence[str]) -> Place:
    return Place(place.start, place.moves, place.then, tuple(agents[:1]) or place.agents)


def _words(cell: Cell) -> Iterator[str]:
    """The words in a cell that may name something, those of a sentence's values among them."""
    if isinstance(cell, Text):
        for value in cell.values.values():
            yield from _words(value)
    elif isinstance(cell, (str, int)):
        yield str(cell)


def _is_agent(word: str) -> bool:
    name = word.partition(":")[0]
    return name in catalog.AGENTS and name != PERSON


def _size(number: str, word: str) -> str | None:
    """The game of the size that a word names."""
    if number == "001":
        return f"adjacency:8,8,{word}" if word in map(str, adjacency.ROUNDS) else None
    size = re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", word)
    if not size:
        return None
    rows, columns = size.groups()
    extra = {"002": ",seed=1", "003": f",{min(int(rows), int(columns))}"}.get(number, "")
    return f"{STARTS[number].partition(':')[0]}:{rows},{columns}{extra}"
