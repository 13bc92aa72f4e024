"""What is told beside the board: the players, what an agent thinks, the moves so far."""

from __future__ import annotations

from math import isfinite

from rich.text import Text
from textual.widgets import Static

from papan.cli.language import player, say
from papan.cli.narrate import who_sits
from papan.cli.screen.look import MARKS
from papan.core import Event, Position, Record
from papan.core.analysis import format_value, value_from_event
from papan.lab.session import Session

COLOURS = ("#5fafff", "#ffaf5f")
"""Blue and orange on a dark ground: the seats, which their marks tell apart as well."""
TURN = "\u25b6"
MOST_VALUES = 5


class Panel(Static):
    """Text that is only drawn anew when it changes."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.shown = Text()

    def set_text(self, text: Text | str) -> None:
        """Show *text*, word for word."""
        text = Text(text) if isinstance(text, str) else text
        if text != self.shown:
            self.shown = text
            self.update(text)


def players(position: Position, record: Record, seconds_left: float, narrow: bool) -> Text:
    """Each seat with its mark, who sits there and its score; an arrow at whose turn it is."""
    words = []
    for seat, (agent, score) in enumerate(zip(record.agents, record.scores)):
        turn = TURN if record.end == "open" and position.turn == seat else " "
        words.append(Text(f"{turn} {_seat(position, seat, agent)} {score:g}", seat_colour(seat)))
    if isfinite(seconds_left):
        words.append(Text(say("screen.clock", time=clock_text(seconds_left))))
    return Text("\n" if narrow else "  ").join(words)


def clock_text(seconds: float) -> str:
    """Minutes and seconds, rounded up: 0:00 is the end."""
    minutes, rest = divmod(-int(-seconds // 1), 60)
    return f"{minutes}:{rest:02d}"


def moves(session: Session) -> Text:
    """Every ply with its number and its mark."""
    name = session.game.move_name
    words = [
        Text(f"{ply}.{_mark(position, position.turn)}{name(move)}", seat_colour(position.turn))
        for ply, (position, move) in enumerate(session.plies, start=1)
    ]
    return Text(" ").join(words)


def thoughts(position: Position, news: dict[str, Event]) -> list[str]:
    """What is known of a search so far, line by line."""
    lines = []
    if "root" in news:
        lines += _root_lines(position, news["root"])
    if "gen" in news:
        lines.append(
            say("screen.generation", **_numbers(news["gen"], "g", "best", "mean", "worst"))
        )
    if "climb" in news:
        lines.append(say("screen.climb", **_numbers(news["climb"], "step", "v", "nbrs", "restart")))
    if "path" in news:
        lines.append(say("screen.path", **_numbers(news["path"], "turns", "visited")))
    if "reason" in news:
        lines.append(f"{news['reason']['m']}: {say(news['reason']['rule'])}")
    if "done" in news:
        lines.append(say(f"why.{news['done']['why']}"))
    return lines


def _root_lines(position: Position, event: Event) -> list[str]:
    lines = [
        say("screen.depth", depth=event["depth"]),
        say(
            "screen.work",
            nodes=event["nodes"],
            speed=event["nps"],
            seconds=f"{event['ms'] / 1000:.1f}",
        ),
        say("screen.best", move=event["best"]),
    ]
    best = [each for each in event["moves"] if each["m"] == event["best"]]
    if best:
        who = player(position, position.turn)
        kind = say(f"kind.{best[0]['k']}")
        lines.append(say("screen.value", value=value_from_event(best[0]), kind=kind, player=who))
        if len(best[0].get("pv", ())) > 1:
            lines.append(say("screen.line", line=" ".join(best[0]["pv"])))
    ranked = sorted(event["moves"], key=lambda each: -float(each["v"]))
    lines += [f"  {each['m']} {value_from_event(each)}" for each in ranked[:MOST_VALUES]]
    return lines


def _numbers(event: Event, *names: str) -> dict[str, str]:
    return {name: format_value(event[name]).lstrip("+") for name in names}


def _seat(position: Position, seat: int, agent: str) -> str:
    if position.game.seats == 1:
        return who_sits(agent)
    return f"{_mark(position, seat)}{player(position, seat)} ({who_sits(agent)})"


def _mark(position: Position, seat: int) -> str:
    return "" if position.game.seats == 1 else f"{[*MARKS][seat]} "


def seat_colour(seat: int) -> str:
    """The colour of a seat's texts."""
    return COLOURS[seat]
