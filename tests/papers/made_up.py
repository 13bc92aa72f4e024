"""Results that nobody has measured, in the form of real ones, and the conclusions as text."""

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from papan.core import Message
from papan.lab.results import Cell, Conclusions, cell_text, numbers
from papan.lab.work import WorkItem
from papan.papers import PAPERS, adjacency, connect4, dots, onet, tictactoe
from papan.papers.allis import recipe as allis
from papan.papers.connect4 import FAULTS, PLAYED
from papan.papers.paper import Found, Paper

AMOUNTS: dict[str, Any] = {
    "000": dots.Amount(pairs=3, chain_pairs=7),
    "001": adjacency.Amount(
        (6, 5, 4), (3, 2, 1), levels=2, matches=3, endgames=21, searches=11, breedings=11
    ),
    "002": onet.Amount(boards=(6, 2)),
    "003": tictactoe.Amount(timed=2, most_empty=9, judged=51, pairs=6, probes=4, large_nodes=500),
    "004": connect4.Amount(pairs=3, strategies=6),
    "005": allis.Amount(),
}
"""Some of everything, and more than fits into one work item."""

Json = Any
Rng = random.Random


def outcome(rng: Rng, seat: int) -> list[Json]:
    mine, theirs = rng.sample(range(10), 2) if rng.random() < 0.8 else (4, 4)
    return [seat, (mine > theirs) - (mine < theirs), mine, theirs]


def pairs(rng: Rng, _pairing: Json, _seed: int, count: int) -> Json:
    return [outcome(rng, seat) for _ in range(count) for seat in (0, 1)]


def flips(rng: Rng, count: int) -> list[bool]:
    return [rng.random() < 0.6 for _ in range(count)]


def fitness(rng: Rng, most: int) -> list[list[float]]:
    return [sorted((rng.randrange(1, most + 1) for _ in range(3)), reverse=True) for _ in range(4)]


def replay(rng: Rng, _agent: str) -> Json:
    moves = dots.MOVES.split()
    return {str(ply): moves[ply - 1 - rng.randrange(2)] for ply in dots.PROGRAM_PLIES}


def review(rng: Rng) -> Json:
    plies = []
    for ply, name in enumerate(dots.MOVES.split()):
        before = rng.randrange(-5, 6)
        after = before - 2 * rng.randrange(2)
        plies.append([ply % 2, name, before, after, rng.sample(dots.MOVES.split(), 2)])
    return plies


def chances(rng: Rng) -> dict[str, list[int]]:
    had = {fault: rng.randrange(5) for fault in FAULTS}
    return {fault: [count, rng.randrange(count + 1)] for fault, count in had.items()}


def steps(rng: Rng, game: int) -> Json:
    cells = PLAYED[game].split()[::2]
    results = [
        (before, rng.choice([each for each in (1, 0, -1) if each <= before]))
        for before in (rng.choice((1, 0, -1)) for _ in cells)
    ]
    return [
        [step, cell, *values, "A G"] for step, (cell, values) in enumerate(zip(cells, results), 1)
    ]


def cells(rng: Rng) -> Json:
    rows = []
    for game, played in PLAYED.items():
        for step, cell in enumerate(played.split()[::2], 1):
            printed = [rng.randrange(9) for _ in range(7)]
            ours = [value if rng.random() < 0.9 else value + 1 for value in printed]
            moves = [rng.randrange(7) for _ in range(2)]
            rows.append([game, step, printed, ours, "ABCDEFG".index(cell[0]), *moves])
    return rows


def ply(rng: Rng, empty: int) -> list[Json]:
    times = [rng.uniform(1, 9) * 10.0 ** -(10 - empty) for _ in range(3)]
    return [empty, 9 + (empty == 4), times[0] / 9, 3**empty, times[1], times[2], times[1] / 50]


def onet_result(rng: Rng, _size: str, board: str, rule: str) -> Json:
    each = next(each for each in onet.BOTH if each.board == board)
    return [each.paper if rule == "paper" else each.onet, 2 * rng.randrange(3)]


def cleared(rng: Rng, _size: str, _kinds: int, _seed: int, count: int) -> Json:
    answers = (True, True, False)
    return [
        [
            [rng.choice(answers if place < 3 else (*answers, None)), rng.random()]
            for place in range(5)
        ]
        for _ in range(count * 6)
    ]


MADE_UP: dict[str, Callable[..., Json]] = {
    "play_pairs": pairs,
    "games_from_start": lambda rng, *call: [outcome(rng, 0) for _ in range(call[-1])],
    "endgames": lambda rng, _seed, count: [flips(rng, 6) for _ in range(4 * count)],
    "every_position": lambda rng, _board: [90, 90 - rng.randrange(2), 80, 71],
    "lines_of_play": lambda rng: [57, 57 + 56 * 55, 57 + 56 * 55 + 56 * 55 * 54 - 1],
    "pruned_lines": lambda rng, plies, _seed, count: [
        [56 - plies, rng.randrange(9_000, 90_000)] for _ in range(2 * count)
    ],
    "costs": lambda rng, _seed: {
        "genetic": [100.0, 0.5],
        "genetic:population=20": [350.0, 1.0],
        "genetic:generations=80": [200.0, 0.25],
    },
    "breed": lambda rng, rounds, size, _seed, count: [
        [rounds + size, fitness(rng, rounds + size)] for _ in range(2 * count)
    ],
    "dots_replay": replay,
    "dots_review": review,
    "chained_games": lambda rng, *call: [[*each, *flips(rng, 1)] for each in pairs(rng, *call)],
    "onet_run": onet_result,
    "searches": lambda rng, _seed, count: [
        [rng.randrange(1, 9), rng.randrange(2, 6), rng.randrange(1, 9), rng.randrange(2, 6)]
        for _ in range(5 * count)
    ],
    "graphs": lambda rng: [["6x12", 72, 126, 5184, 252], ["8x14", 112, 202, 12544, 400]],
    "clear": cleared,
    "tree": lambda rng: tictactoe.tree(),
    "authors_game": lambda rng, _most, _seed, count: [
        ply(rng, empty) for _ in range(3 * count) for empty in range(9, 0, -1)
    ],
    "timed_games": lambda rng, size, most, _seed, count: [
        ply(rng, empty) if empty <= most else [empty, size**2, 1e-6, None, None, None, None]
        for _ in range(2 * count)
        for empty in range(size**2, size, -1)
    ],
    "probes": lambda rng, size, _seed, count: [rng.uniform(1, 9) * 10**size for _ in range(count)],
    "tictactoe_right_moves": lambda rng, _step, _seed, count: [count - 1, count, rng.random()],
    "in_every_position": lambda rng, _step: [4520, 4520],
    "tictactoe_from_the_start": lambda rng, step: [
        rng.randrange(1, 99_999),
        None if step in tictactoe.COMPILED_ONLY else rng.random(),
        None if step in tictactoe.PLAIN_ONLY else rng.random() / 100,
    ],
    "memory": lambda rng, *call: rng.randrange(10_000, 900_000),
    "training": lambda rng: 12.5,
    "tables": cells,
    "connect4_review": steps,
    "judged_games": lambda rng, *call: [[*each, chances(rng)] for each in pairs(rng, *call)],
    "first_stones": lambda rng: dict(zip("abcdefg", (-1, 0, 1, 1, 0, -1, -1))),
}
"""By the name of the function of a work item: what it could have returned."""


def work(paper: Paper) -> list[WorkItem]:
    return [*paper.plan(AMOUNTS[paper.number], 7)]


def results(paper: Paper) -> dict[str, Json]:
    """A result for each work item of a small run of a paper, the same each time."""
    return {item.name: result(item) for item in work(paper)}


def result(item: WorkItem) -> Json:
    return MADE_UP[item.work.__name__](random.Random(item.name), *item.arguments)


def as_text(found: Conclusions) -> Iterator[str]:
    """All findings, tables and charts, with numbers as pages write them."""
    for each in found.findings:
        yield f"{_row((each.what, each.paper, each.ours))} | {each.agrees}"
        reasons = [part for part in (each.basis, each.rule) if part is not None]
        yield from [f"  {_row(reasons)}"] * bool(reasons)
    for table in found.tables:
        yield f"table {table.name}: {cell_as_text(table.title)}"
        yield f"  = {_row(table.headings)}"
        yield from (f"  - {_row(row)}".rstrip() for row in table.rows)
    for chart in found.charts:
        look = f"{chart.kind} {chart.form} level {chart.level}{' log' * chart.log}"
        yield f"chart {chart.name}: {_row((chart.title, chart.x, chart.y))} ({look})"
        for series, (label, points) in zip(found_series(chart.series), numbers(chart, "en")):
            yield f"  {label}: {points} {series}".rstrip()


def found_series(series: tuple[Any, ...]) -> Iterator[str]:
    """The bands of series, with three digits."""
    for each in series:
        ends = zip(each.low, each.high)
        yield " ".join(f"[{low:.3g} {high:.3g}]" for low, high in ends)


def _row(cells: Iterable[Cell]) -> str:
    return " | ".join(map(cell_as_text, cells))


def cell_as_text(cell: Cell) -> str:
    """A cell as text; of a message its key and its values, as texts are tested elsewhere."""
    if isinstance(cell, Message):
        values = ", ".join(f"{name}={cell_as_text(each)}" for name, each in cell.values.items())
        return f"{cell.key}({values})" if values else cell.key
    return "-" if cell is None else cell_text(cell, "en")


def conclusions() -> Iterator[str]:
    """The work of each paper, after a line with its number, and what follows from its results."""
    for paper in PAPERS:
        yield f"== {paper.number}"
        yield from outline(paper)


def declared(paper: Paper) -> Iterator[str]:
    """What the declaration of a paper says, and what it prints with the places that open it."""
    yield f"{paper.number} {paper.game}: {paper.title} ({paper.language})"
    yield f"  {paper.authors}, {paper.year}, {paper.affiliation}"
    lists = (paper.claims, paper.remarks, paper.choices, paper.errata)
    for name, texts in zip(("claims", "remarks", "choices", "errata"), lists):
        yield f"  {name}: {', '.join(map(cell_as_text, texts))}".rstrip()
    yield f"  texts: {cell_as_text(paper.abstract)}, {cell_as_text(paper.recipe)}"
    for size, amount in paper.amounts.items():
        yield f"  {size}: {amount}"
    for says in paper.says:
        yield f"  says {says.part} {says.name}: {' '.join(says.lines)} {dict(says.where)}"
    for entry in paper.programs:
        yield f"  program {cell_as_text(entry.text)}: {entry.address} | {entry.command}"
    for flow in paper.flows:
        boxes = ", ".join(f"{kind} {cell_as_text(text)}" for kind, text in flow.boxes)
        yield f"  flow {cell_as_text(flow.title)}: {boxes}"
    for stage in paper.course:
        yield f"  course {stage.name}: {stage.address}"
    for shown in paper.exhibits():
        yield f"  exhibit {shown.table.name}: {cell_as_text(shown.table.title)}"
        yield f"    = {_row(shown.table.headings)}"
        for row, place in zip(shown.table.rows, shown.places, strict=True):
            moves = f"{len(place.moves.split())} moves, then {place.then[:20]}"
            where = f"{place.start[:40]}, {moves}, {'|'.join(place.agents)}"
            yield f"    - {_row(row)} -> {where}"


def outline(paper: Paper) -> Iterator[str]:
    yield from declared(paper)
    for item in work(paper):
        yield f"{item.name}: {item.work.__name__}{item.arguments} {item.weight:.5g}"
    yield from as_text(paper.conclude(Found(results(paper))))


if __name__ == "__main__":  # writes the file anew that the test compares: read what has changed
    print("\n".join(conclusions()))
