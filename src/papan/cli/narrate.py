"""Moves, results and reasons told in words: one line for each thing that happens."""

from __future__ import annotations

from papan.cli.language import about, player, say
from papan.core import Agent, Analysis, Event, Move, Position, Record
from papan.lab.session import PERSON


def move_line(position: Position, who: str, move: Move, analysis: Analysis | None = None) -> str:
    """Who made which move, and what an agent made of it."""
    name = position.game.move_name(move)
    seat = player(position, position.turn)
    text = say("play.moved", player=seat, who=who, move=name)
    if analysis is None:
        return text
    thought = [say("play.nodes", nodes=analysis.nodes)]
    if analysis.value is not None:
        thought.insert(0, say("play.value", value=analysis.best_value, player=seat))
    if len(analysis.line) > 1:
        line = " ".join(map(position.game.move_name, analysis.line[:8]))
        thought.append(say("play.expects", line=line))
    return f"{text} ({'; '.join(thought)})"


def score_line(position: Position) -> str:
    """The scores so far, seat by seat."""
    scores = position.scores()
    if len(scores) == 1:
        most = position.game.largest_margin
        return say("play.score_alone", score=f"{scores[0]:g}", most=f"{most:g}")
    seats = (f"{player(position, seat)} {score:g}" for seat, score in enumerate(scores))
    return say("play.scores", scores=", ".join(seats))


def result_line(position: Position, record: Record) -> str:
    """How the game ended and who won."""
    how = say(f"end.{record.end}")
    if record.winner is None or position.game.seats == 1:
        return say("play.ended", how=how)
    seat = record.winner
    who = f"{player(position, seat)} ({who_sits(record.agents[seat])})"
    return say("play.won", how=how, player=who)


def who_sits(spec: str) -> str:
    """An agent by its spec; a person by a word."""
    return say("play.person") if spec == PERSON else spec


def why_lines(
    position: Position, agent: Agent, events: list[Event], analysis: Analysis
) -> list[str]:
    """Why the agent moved as it did: the rules that fired, then what each move was worth to it."""
    lines = [about(type(agent))]
    for event in events:
        if event["t"] == "reason":
            lines.append(f"{event['m']}: {say(event['rule'])}")
    name = position.game.move_name
    for move, value in sorted(analysis.values.items(), key=lambda pair: -pair[1].number):
        line = " ".join(map(name, value.line[:8]))
        lines.append(f"{name(move)} {value} {line}".rstrip())
    return lines
