"""What a notebook shows of each thing: tables and pictures that need no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from html import escape

from papan import catalog
from papan.core import Analysis, Position, Record, Value, View
from papan.core.analysis import format_value
from papan.core.record import replay
from papan.core.text import locale_language, say
from papan.lab.match import MatchResult, forfeit_line
from papan.lab.statistics import Tally, elo_difference
from papan.lab.statistics.intervals import with_ends
from papan.lab.tournament.standings import Standings
from papan.notebook.film import film
from papan.notebook.html import beside, image, table

BOARD = 280
"""How wide a board beside a table is."""
LINE = 8
"""How many moves of an expected line are shown."""


@singledispatch
def page(thing: object) -> str | None:
    """The HTML of *thing*; None where there is no picture of it."""
    return None


@page.register
def _(analysis: Analysis) -> str | None:
    position = analysis.position
    if position is None:
        return None
    labels = {move: str(value).removeprefix("= ") for move, value in analysis.values.items()}
    board = position.svg(View(highlights=analysis.best, labels=labels))
    return beside(image(board, position.picture(), BOARD), _values(analysis, position))


def _values(analysis: Analysis, position: Position) -> str:
    """What each move is worth, and the play expected after it."""
    rows = [
        [name, str(value), _line(position, value)] for name, value in analysis.moves.items()
    ] or [[position.game.move_name(analysis.move), _whole(analysis), ""]]
    headings = [_say(f"analyse.column_{key}") for key in ("move", "value", "line")]
    return table(_summary(analysis, position), headings, rows)


def _line(position: Position, value: Value) -> str:
    names = [position.game.move_name(move) for move in value.line[:LINE]]
    return " ".join(names) + (" \u2026" if len(value.line) > LINE else "")


def _summary(analysis: Analysis, position: Position) -> str:
    """The value and for whom, and what it cost."""
    seat = "seat.alone" if position.game.seats == 1 else f"seat.{position.turn + 1}"
    kind = _say("kind.exact" if analysis.exact else "kind.estimate")
    why, seconds = _say(f"why.{analysis.why}"), f"{analysis.seconds:.3f}"
    work = _say("analyse.work", nodes=analysis.nodes, seconds=seconds, why=why)
    if analysis.value is None:
        return work
    value = _say("analyse.value", value=format_value(analysis.value), kind=kind, player=_say(seat))
    return f"{value}. {work}"


def _whole(analysis: Analysis) -> str:
    """The value of the position with its kind, or what is proven of it."""
    return str(analysis.best_value or "?")


@page.register
def _(record: Record) -> str:
    game = catalog.game(record.game)
    positions = replay(record, game)
    moves = [game.parse_move(name) for name in game.split_moves(record.moves)]
    result = _result(record)
    strip = film(positions, moves, result)
    picture = image(strip, f"{result} {record.moves}", _natural_width(strip))
    return f"<div>{escape(result)}</div>{picture}"


def _result(record: Record) -> str:
    """Who played, and how it ended."""
    how = _say(f"end.{record.end}") + (f": {record.reason}" if record.reason else "")
    players = " \u2013 ".join(record.agents)
    if record.winner is None or len(record.agents) == 1:
        return _say("notebook.ended", game=record.game, players=players, how=how)
    winner = record.agents[record.winner]
    return _say("notebook.won", game=record.game, players=players, how=how, winner=winner)


def _natural_width(svg: str) -> int:
    return round(float(svg.split(' width="', 1)[1].split('"', 1)[0]))


@page.register
def _(result: MatchResult) -> str:
    paired = bool(result.games) and len(result.games[0].seating) == 2
    tally = (Tally.of_pairs if paired else Tally.of_games)(result.outcomes)
    rows = [
        [name, *map(str, counts), str(sum(result.forfeits(agent).values()))]
        for agent, (name, counts) in enumerate(zip(result.agents, _counts(result)))
    ]
    caption = f"{_say('tournament.column_elo')}: {with_ends(elo_difference(tally))}"
    shown = table(caption, _columns("agent", "wins", "draws", "losses", "forfeits"), rows)
    return shown + _faults(result, result.agents)


def _faults(result: MatchResult | Standings, names: Sequence[str]) -> str:
    """Why games were lost by an agent's own fault, with what it had printed."""
    parts = []
    for agent, name in enumerate(names):
        for each in result.faults(agent):
            parts.append(f"<div>{escape(forfeit_line(name, each, locale_language()))}</div>")
            parts.append(f"<pre>{escape(each.output)}</pre>" if each.output else "")
    return "".join(parts)


def _counts(result: MatchResult) -> tuple[tuple[int, ...], tuple[int, ...]]:
    counts = (result.wins, result.draws, result.losses)
    return counts, counts[::-1]


@page.register
def _(standings: Standings) -> str:
    order = standings.order()
    places = map(str, range(1, len(order) + 1))
    keys = ("rank", "agent", "rating", "points", "wins", "draws", "losses", "forfeits")
    headings = [*_columns(*keys), *places]
    rows = [_standing(standings, agent) for agent in order]
    shown = table(_say("notebook.standings", games=len(standings.games)), headings, rows)
    return shown + _faults(standings, standings.names)


def _standing(standings: Standings, agent: int) -> list[str]:
    order, total = standings.order(), standings.total(agent)
    return [
        str(order.index(agent) + 1),
        standings.names[agent],
        with_ends(standings.rating(agent)) if total.games else "",
        f"{total.points:g}/{total.games}",
        *map(str, (total.wins, total.draws, total.losses, standings.forfeits(agent).total())),
        *(
            str(standings.score(agent, other)) if standings.met(agent, other) else "\u00b7"
            for other in order
        ),
    ]


def _columns(*keys: str) -> list[str]:
    return [_say(f"tournament.column_{key}") for key in keys]


def _say(key: str, **values: object) -> str:
    """The text of *key* in the language of this machine, or the one that PAPAN_LANG names."""
    return say(key, locale_language(), **values)
