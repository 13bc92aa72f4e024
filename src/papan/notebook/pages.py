"""HTML of things in a notebook: tables and pictures without scripts or network."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import singledispatch
from html import escape

from papan import catalog
from papan.core import Analysis, Move, Position, Record, Value, View
from papan.core.drawing import document, label
from papan.core.explain import verdict
from papan.core.message import locale_language, text_of
from papan.core.numbers import in_figures
from papan.core.parts import Drawing
from papan.core.reasons import Reason, reason
from papan.core.record import moves_of, replayed
from papan.lab.match import MatchResult, forfeit_line
from papan.lab.statistics.intervals import with_ends
from papan.lab.tournament.standings import Standings, column_titles, cross_table, repetitions

CELL = "padding:2px 10px;text-align:left"
"""CSS of a cell, without colours, so that a dark notebook stays legible."""


def image(svg: str, words: str, width: int) -> str:
    """Return HTML of *svg* as a picture *width* pixels wide, or less where there is no room.

    *words* is its alternative text for screen readers, in plain text.
    """
    data = b64encode(svg.encode()).decode()
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(words)}" '
        f'style="width:{width}px;max-width:100%;height:auto">'
    )


def html_table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table with a *caption*; the first cell of each row is the heading of the row.

    *headings* has one for each column, the first included. All are plain texts, which are escaped.
    Raise ValueError for an empty row.
    """
    heads = "".join(_cell(heading, 'th scope="col"') for heading in headings)
    names = (_cell(first, 'th scope="row"') for first, *_ in rows)
    cells = ("".join(map(_cell, rest)) for _, *rest in rows)
    body = "".join(f"<tr>{name}{rest}</tr>" for name, rest in zip(names, cells))
    title = f'<caption style="text-align:left">{escape(caption)}</caption>'
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(text: str, tag: str = "td") -> str:
    """Return a cell of a table with *text*, escaped; *tag* may have attributes after its name.

    The name must have two letters, ``td`` or ``th``.
    """
    return f'<{tag} style="{CELL}">{escape(text)}</{tag[:2]}>'


def beside(*parts: str) -> str:
    """Return HTML that shows *parts*, each HTML, in a row, wrapped where there is no room."""
    blocks = "".join(f"<div>{part}</div>" for part in parts)
    return (
        f'<div style="display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start">{blocks}</div>'
    )


FRAME = 132
"""Width of a board of a film strip, in pixels."""
_GAP = 14
CAPTION = 24
IN_A_ROW = 6
MOST = 24
"""Largest number of boards; a longer game leaves out boards between the first and the last."""


def film_strip(positions: Sequence[Position], moves: Sequence[Move], title: str) -> str:
    """Return the boards of a game as one SVG, `IN_A_ROW` in a row, each below its ply and move.

    *positions* has one more than *moves*: each move leads to the next. At most `MOST` are drawn,
    evenly spaced: see `sampled`. *title*, the moves and the last board in characters are texts for
    screen readers. Raise IndexError without positions.
    """
    played = tuple(zip(positions, moves))
    names = ["", *map(positions[0].game.move_name, moves)]
    shown = sampled(len(positions))
    boards = [Drawing.of(positions[ply]).svg(View(played=played[:ply])) for ply in shown]
    height = max(map(_height, boards)) + CAPTION
    parts = []
    for place, (ply, board) in enumerate(zip(shown, boards)):
        row, column = divmod(place, IN_A_ROW)
        x, y = _GAP + column * (FRAME + _GAP), _GAP + row * (height + _GAP)
        caption = f"{ply}. {names[ply]}" if ply else ""
        parts.append(label(x + FRAME / 2, y + CAPTION / 2, caption))
        parts.append(_placed(board, x, y + CAPTION))
    columns, rows = min(len(shown), IN_A_ROW), -(-len(shown) // IN_A_ROW)
    width = _GAP + columns * (FRAME + _GAP)
    words = "\n".join((" ".join(names[1 : len(positions)]), Drawing.of(positions[-1]).picture()))
    return document(width, _GAP + rows * (height + _GAP), title, words, parts)


def sampled(count: int) -> list[int]:
    """Return the indexes (from 0, ascending) of those of *count* boards that are drawn.

    They are all, or with more than `MOST` boards the first, the last and evenly spaced ones
    between. Empty for 0.
    """
    most = min(count, MOST)
    return [round(place * (count - 1) / max(most - 1, 1)) for place in range(most)]


def _size(svg: str) -> tuple[float, float]:
    """Return the width and the height of an SVG picture, in SVG units.

    Raise AssertionError if it has no viewBox that begins at 0 0.
    """
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None
    return float(found[1]), float(found[2])


def _height(board: str) -> float:
    """Return the height in pixels of *board*, an SVG picture, when it is `FRAME` pixels wide."""
    width, height = _size(board)
    return FRAME * height / width


def _placed(board: str, x: float, y: float) -> str:
    """Return *board*, an SVG picture, as an element of a larger one, its left top corner at (x, y).

    There it is `FRAME` units wide. Raise AssertionError as `_size`.
    """
    opening, rest = board.split(">", 1)
    opening = re.sub(r' (?:width|height|role)="[^"]*"', "", opening)
    return f'{opening} x="{x:g}" y="{y:g}" width="{FRAME}" height="{_height(board):g}">{rest}'


BOARD = 280
"""Width of a board beside a table, in pixels."""
LINE = 8
"""Number of moves shown of an expected line, at most."""


@singledispatch
def page(thing: object) -> str | None:
    """Return *thing* as HTML; None if there is no picture of it.

    The functions below are registered for the types that have one.
    """
    return None


@page.register
def _(analysis: Analysis) -> str | None:
    """Return the board with the values of its moves, and a table beside it.

    None if the analysis does not know its position. The best moves are highlighted.
    """
    position = analysis.position
    if position is None:
        return None
    labels = {move: _figures(value).removeprefix("= ") for move, value in analysis.values.items()}
    board = Drawing.of(position).svg(View(highlights=analysis.best, labels=labels))
    return beside(image(board, Drawing.of(position).picture(), BOARD), _values(analysis, position))


def _values(analysis: Analysis, position: Position) -> str:
    """Return an HTML table of each move's value in points and the expected play after it.

    The caption is `_summary`. An analysis without values shows its move alone, with the value that
    is known of it, or a question mark.
    """
    rows = [
        [name, _figures(value), _line(position, value)] for name, value in analysis.moves.items()
    ] or [[position.game.move_name(analysis.move), _figures(analysis.best_value or "?"), ""]]
    headings = [_say(f"analyse.column_{key}") for key in ("move", "value", "line")]
    return html_table(_summary(analysis, position), headings, rows)


def _line(position: Position, value: Value) -> str:
    """Return the names of the first `LINE` moves of a value's line, with ``…`` if it has more."""
    names = [position.game.move_name(move) for move in value.line[:LINE]]
    return " ".join(names) + (" \u2026" if len(value.line) > LINE else "")


def _summary(analysis: Analysis, position: Position) -> str:
    """Return sentences about an analysis: the reason of its move, the value, and the search.

    They are in this machine's language. The value of *position* is left out where nothing is known
    of it; of the search they tell nodes, seconds and why it ended.
    """
    why, seconds = _say(f"why.{analysis.why}"), _figures(f"{analysis.seconds:.3f}")
    work = _say("analyse.work", nodes=analysis.nodes, seconds=seconds, why=why)
    known = [each.text(locale_language()) for each in verdict(position, analysis)]
    because = reason(position, analysis.move, analysis).text(locale_language())
    return " ".join([because, *known, work])


@page.register
def _(found: Reason) -> str:
    """Return the board with the move and the cells of all its reasons, and these in words."""
    drawing = Drawing.of(found.position)
    cells = [cell for clause in found.clauses for cell in clause.cells]
    board, closing = drawing.svg(View(highlights=(found.move,))).rsplit("</svg>", 1)
    glowing = f"{board}{drawing.pointed_out([*dict.fromkeys(cells)])}</svg>{closing}"
    return beside(
        image(glowing, drawing.picture(), BOARD), f"<div>{escape(found._repr_text_())}</div>"
    )


@page.register
def _(record: Record) -> str:
    """Return the result of a game and its film strip.

    Raise PapanError if the record cannot be replayed.
    """
    positions, result = replayed(record, catalog.game(record.game)), _result(record)
    strip = film_strip(positions, moves_of(record, positions), result)
    picture = image(strip, f"{result} {record.moves}", round(_size(strip)[0]))
    return f"<div>{escape(result)}</div>{picture}"


def _result(record: Record) -> str:
    """Return the players and the result of a record, as one sentence in this machine's language.

    It has the reason, if there is one, and the winner, if a game for two has one.
    """
    how = _say(f"end.{record.end}") + (
        f": {record.reason_in(locale_language())}" if record.reason else ""
    )
    players = " \u2013 ".join(record.agents)
    if record.winner is None or len(record.agents) == 1:
        return _say("notebook.ended", game=record.game, players=players, how=how)
    winner = record.agents[record.winner]
    return _say("notebook.won", game=record.game, players=players, how=how, winner=winner)


COUNTED = ("agent", "wins", "draws", "losses", "forfeits")


@page.register
def _(result: MatchResult) -> str:
    """Return a table of the wins, draws, losses and forfeits of both agents, with Elo above it.

    A note on repeated pairs of games and the forfeits follow, if there are any. Raise PapanError
    without a whole pair of games.
    """
    counts = [result.wins, result.draws, result.losses]
    rows = [
        [name, *map(str, counts[::order]), str(sum(result.forfeits(agent).values()))]
        for agent, (name, order) in enumerate(zip(result.agents, (1, -1)))
    ]
    caption = f"{_say('tournament.column_elo')}: {with_ends(result.elo)}"
    shown = html_table(caption, column_titles(COUNTED, locale_language()), rows)
    repeated = "" if result.distinct == result.pairs else f"{result.distinct}/{result.pairs}"
    return shown + _repetitions(repeated) + _faults(result, result.agents)


def _repetitions(counts: str) -> str:
    """Return an HTML note that pairs of games were repeated; empty if *counts* is empty.

    *counts* tells how many pairs are distinct, such as ``3/10`` for three of ten.
    """
    return f"<div>{escape(_say('tournament.repeated', counts=counts))}</div>" if counts else ""


def _faults(result: MatchResult | Standings, names: Sequence[str]) -> str:
    """Return the HTML of all agents' forfeits with their reasons and printed output; empty if none.

    *names* are the agents' names, in the order of their numbers in *result*.
    """
    parts = []
    for agent, name in enumerate(names):
        for each in result.faults(agent):
            parts.append(f"<div>{escape(forfeit_line(name, each, locale_language()))}</div>")
            parts.append(f"<pre>{escape(each.output)}</pre>" if each.output else "")
    return "".join(parts)


@page.register
def _(standings: Standings) -> str:
    """Return the cross-table, a note on repeated pairs of games, and forfeits, if any."""
    caption = _say("notebook.standings", games=len(standings.games))
    shown = html_table(caption, *cross_table(standings, locale_language()))
    return shown + _repetitions(repetitions(standings)) + _faults(standings, standings.names)


def _figures(value: object) -> str:
    """Return *value* as text, its numbers with the decimal sign of this machine's language."""
    return in_figures(str(value), locale_language())


def _say(key: str, **values: object) -> str:
    """Return the text of *key* in the language of PAPAN_LANG or, if unset, this machine's."""
    return text_of(key, locale_language(), **values)
