"""The papers as experiments that can be run again: their list, and the exhibits they print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module

from papan import catalog
from papan.core import Agent, Game, PapanError
from papan.core.message import Message
from papan.core.session import PERSON
from papan.lab.results import Cell, Chart, Finding, ReportTable
from papan.papers.paper import Exhibit, Paper, PaperPosition, declarations

PAPERS: tuple[Paper, ...] = tuple(
    import_module(f"papan.papers.{facts['module']}").PAPER for facts in declarations().values()
)


def paper_names() -> list[str]:
    """Return the words that select papers: of each paper its number (``003``) and its game's name.

    A game that several papers are about is there once for each.
    """
    return [each for paper in PAPERS for each in (paper.number, paper.game)]


def chosen_papers(words: Sequence[str]) -> list[Paper]:
    """Return the papers that *words* name (number, game's name, or ``all``), each once.

    They come in the order of the words, and those of one word by number; none for no words. Raise
    PapanError for an unknown word.
    """
    found = []
    for word in words:
        same = [paper for paper in PAPERS if word in ("all", paper.number, paper.game)]
        if not same:
            known = ", ".join([*paper_names(), "all"])
            raise PapanError("lab.unknown_paper", name=word, known=known)
        found += [paper for paper in same if paper not in found]
    return found


def papers_agent(game: Game) -> Agent | None:
    """Return the agent of the paper about *game*, with the paper's own settings.

    Of several papers about it the first one counts. None if there is no paper about it, or that
    agent does not play this board.
    """
    for facts in declarations().values():
        if facts["game"] == game.name:
            agent = catalog.agent(facts["agent"])
            return agent if agent.plays(game) else None
    return None


@cache
def exhibits(number: str) -> tuple[Exhibit, ...]:
    """Return everything that paper *number* (``003``) prints and the board can show, cached.

    Raise PapanError if the number is unknown.
    """
    (paper,) = chosen_papers([number])
    return tuple(paper.exhibits())


# Positions that the lines, rows and figures of our own measurements link to.


def row_places(number: str, table: ReportTable) -> list[PaperPosition]:
    """Return for each row of our *table* of paper *number* the position that its link opens.

    Raise PapanError for an unknown paper, IndexError if a row is about a ply or step that the paper
    does not have.
    """
    return [_printed_row(number, table.name, row) or place_of(number, row) for row in table.rows]


def finding_place(number: str, finding: Finding) -> PaperPosition:
    """Return the position that the link of *finding*, in the comparison of paper *number*, opens.

    Raise KeyError for an unknown paper.
    """
    return place_of(number, (finding.what,), finding.what.key)


def chart_place(number: str, chart: Chart) -> PaperPosition:
    """Return the position that the link of the figure *chart* of paper *number* opens.

    For the chart *value* of paper 000 that is the start of the printed game; for others what
    `place_of` returns for the labels of their series. Raise KeyError for an unknown paper.
    """
    if (number, chart.name) == ("000", "value"):
        return exhibits(number)[0].places[0]
    return place_of(number, [series.label for series in chart.series])


def _printed_row(number: str, table: str, row: Sequence[Cell]) -> PaperPosition | None:
    """Return the position in the paper that *row* of our table named *table* is about, or None.

    *number* is that of the paper. None if the row is about no printed position: then `place_of`
    finds another. Raise PapanError for an unknown paper, IndexError if the row is about a ply or
    step that the paper does not have.
    """
    printed = exhibits(number)
    match number, table, row:
        case "000", "review", (int(ply), *_):
            return printed[0].places[ply - 1]
        case "002", "moves", (int(ply), *_):
            return printed[0].places[ply]
        case "002", "runs", (Message(key=key), *_):
            names = [f"paper002.run_{each.table.name}" for each in printed]
            return printed[names.index(key)].places[0] if key in names else None
        case "003", "times" | "game" | "tree", (int(count), *_):
            start = printed[0].places[0]
            moves, ply = start.then.split(), count if table == "tree" else 9 - count
            return replace(start, moves=" ".join(moves[:ply]), then=" ".join(moves[ply:]))
        case "004", "cells" | "review", (int(game), int(step), *_):
            return printed[game].places[step - 1]
    return None


def place_of(number: str, cells: Iterable[Cell], key: str = "") -> PaperPosition:
    """Return a position on the board and with the agents (two at most) that words of *cells* name.

    If *cells* name no board, the board is that of the declaration of paper *number*; if they name
    no agent, so is the agent. *key* is the key of the line's text: in paper 000 the lines whose
    keys end in ``final``, ``optimal`` or ``replayed`` are about the printed game. If *cells* name
    no board, these lines open that game after its first move, with one agent at most. Raise
    KeyError for an unknown paper.
    """
    words = [word for cell in cells for word in _words(cell)]
    agents = [word for word in words if _is_agent(word)][:2]
    start = next(filter(None, (_size(number, word) for word in words)), None)
    if start is None and number == "000" and key.endswith(("final", "optimal", "replayed")):
        printed = exhibits(number)[0].places[1]
        return replace(printed, agents=tuple(agents[:1]) or printed.agents)
    own = declarations()[number]
    return PaperPosition(start or own["start"], agents=tuple(agents) or (own["agent"],))


def _words(cell: Cell) -> Iterator[str]:
    """Yield what may be a name in a cell: a text, a whole number as text, those in a message.

    Of a message it is what its values have, at any depth; of other cells nothing.
    """
    if isinstance(cell, Message):
        for value in cell.values.values():
            yield from _words(value)
    elif isinstance(cell, (str, int)):
        yield str(cell)


def _is_agent(word: str) -> bool:
    """Return whether *word* begins like the spec of an agent of the catalogue, except a person."""
    name = word.partition(":")[0]
    return name in catalog.AGENTS and name != PERSON


def _size(number: str, word: str) -> str | None:
    """Return the spec of the game of paper *number* in the size *word*, such as ``7x10``, or None.

    None if *word* is no size. For paper 001 it is a number of rounds that the paper prints, such as
    ``16``. Whether the game has such a board is not checked.
    """
    if number == "001":
        rounds = {str(row[2]) for row in exhibits(number)[0].table.rows}
        return f"adjacency:8,8,{word}" if word in rounds else None
    size = re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", word)
    if not size:
        return None
    rows, columns = size.groups()
    extra = {"002": ",seed=1", "003": f",{min(int(rows), int(columns))}"}.get(number, "")
    return f"{declarations()[number]['game']}:{rows},{columns}{extra}"
