"""Moves in words: players, scores and results, and why an agent made its move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from papan.core import Agent, Analysis, Event, Message, Move, Position, Record, Value
from papan.core.explain import (
    EventLog,
    climb_messages,
    greedy,
    move_message,
    notes,
    reason_for,
    rule_message,
    step_message,
    voice,
)
from papan.core.session import PERSON, result_text
from papan.terminal.output import about, figure, language, say, seat_title, source, value_text

LONGEST = 8
"""Number of moves of an expected line that are printed, at most."""
MOST_GENERATIONS = 10
"""Number of generations that are printed: the first, the last, and some between."""


def move_line(position: Position, who: str, move: Move, analysis: Analysis | None = None) -> str:
    """Return who made which move in *position*, as a sentence; *who* is the name of the player.

    If there is an *analysis*, the sentence has its value in points for the seat that moves, if any,
    its nodes, and the moves that it expects, if they are more than the one made: at most `LONGEST`,
    which include that one.
    """
    name = position.game.move_name(move)
    seat = seat_title(position, position.turn)
    text = say("play.moved", player=seat, who=who, move=name)
    if analysis is None:
        return text
    thought = [say("play.nodes", nodes=analysis.nodes)]
    if analysis.value is not None and analysis.best_value is not None:
        thought.insert(0, say("play.value", value=value_text(analysis.best_value), player=seat))
    if len(analysis.line) > 1:
        line = " ".join(map(position.game.move_name, analysis.line[:LONGEST]))
        thought.append(say("play.expects", line=line))
    return f"{text} ({'; '.join(thought)})"


def score_line(position: Position) -> str:
    """Return the scores so far in points, seat by seat, as a sentence.

    In a game for one it also has the most points that are possible.
    """
    scores = position.scores()
    if len(scores) == 1:
        most = position.game.largest_margin
        return say("play.score_alone", score=figure(scores[0]), most=figure(most))
    seats = (f"{seat_title(position, seat)} {figure(score)}" for seat, score in enumerate(scores))
    return say("play.scores", scores=", ".join(seats))


def result_line(position: Position, record: Record) -> str:
    """Return how the game of *record* ended and who won, as a sentence.

    If hints were asked for, a second one tells how many. *position* is any of that game.
    """
    names = [who_sits(record, seat) for seat in range(len(record.agents))]
    result = result_text(position.game, record, names, language())
    hints = sum(record.hints)
    return f"{result} {say('play.hints', hints=hints)}" if hints else result


def who_sits(record: Record, seat: int) -> str:
    """Return the player on *seat* (0 or 1) for people: a person's name, or an agent's spec.

    For a person without a name it is the word for one, in the run's language. Raise IndexError for
    a seat that the game does not have.
    """
    if record.names and record.names[seat]:
        return record.names[seat]
    spec = record.agents[seat]
    return say("play.person") if spec == PERSON else spec


# Why an agent moved so: the explanation that the pages show, line by line.


def why_lines(position: Position, agent: Agent, log: EventLog, analysis: Analysis) -> list[str]:
    """Return lines about why *agent* chose its move: the reason, the agent, the moves, the search.

    *log* has the events of that search in *position*, *analysis* is its result. The moves come with
    their values, the best first; without values, with the rules that spoke for or against them.
    What is not known has no line.
    """
    name = position.game.move_name
    found = reason_for(position, agent, log, analysis)
    reason = f"{found.text(language())} ({_text(found.certainty.message)})" if found else ""
    own = _in_words(voice(position, agent, log, analysis))
    lines = [*filter(None, (reason, own, about(type(agent)), source(type(agent))))]
    for move, value in best_first(analysis):
        line = " ".join(map(name, value.line[:LONGEST]))
        words = filter(None, (name(move), value_text(value), reason_of(name(move), log), line))
        lines.append("  ".join(words))
    if not analysis.values:
        lines += [f"{each['m']}: {_text(rule_message(each))}" for each in log.steps["reason"]]
    return [*lines, *how_lines(log, analysis)]


def short_lines(position: Position, log: EventLog, analysis: Analysis) -> list[str]:
    """Return a few lines on what the value of the chosen move is made of, to show a whole game.

    Empty if nothing is known. *log* has the events of the search in *position*, *analysis* is its
    result. *log* is changed: of the generations of a genetic algorithm only the last stays in it.
    """
    del log.steps["gen"][:-1]
    reason = reason_of(position.game.move_name(analysis.move), log)
    return [*filter(None, [reason]), *course(log, analysis)]


def best_first(analysis: Analysis) -> list[tuple[Move, Value]]:
    """Return the moves of *analysis* with their values, the best first; empty if it has no values.

    Of moves of equal value the one with the lower number comes first.
    """
    return sorted(analysis.values.items(), key=lambda pair: (-pair[1].number, pair[0]))


def reason_of(name: str, log: EventLog) -> str:
    """Return a text on how the move *name* got its value; empty if *log* says nothing of it.

    The text has the sum of terms, the share of wins among visits, the openings that the move leaves
    or its chain value, then the rules that applied to it, in the language of the terminal. *name*
    is a move in notation, such as "b2"; *log* has the events of the search.
    """
    parts = move_message(log.move(name))
    rules = "; ".join(_text(rule_message(each)) for each in log.fired(name))
    return ": ".join(filter(None, (_text(parts) if parts else "", rules)))


def how_lines(log: EventLog, analysis: Analysis) -> Iterator[str]:
    """Yield lines on how the choice was made: rules, elements of a greedy algorithm, and `course`.

    Rules come in one line with their weights in points, the greatest first. *log* has the events of
    that search, *analysis* is its result; nothing if neither tells of this.
    """
    rules = sorted(log.root.get("rules", ()), key=lambda each: -each["v"])
    if rules:
        weights = (f"{value_text(each['v'])} {say(each['rule'])}" for each in rules)
        yield f"{say('web.rules')}: {'; '.join(weights)}"
    yield from map(_text, greedy(analysis))
    yield from course(log, analysis)


def course(log: EventLog, analysis: Analysis) -> Iterator[str]:
    """Yield lines on the course of a search, of the kinds that people can follow; else nothing.

    In order: the steps of a hill climber, the generations of a genetic algorithm (at most
    `MOST_GENERATIONS`), the path that joins two tiles, what a proof rests on (its opening book, its
    table). *log* has the events of the search, *analysis* is its result.
    """
    if climbed := _in_words(climb_messages(log)):
        yield climbed
    yield from (f"{each['m']}: {step_line(each)}" for each in log.steps["climb"])
    for event in _some(log.steps["gen"]):
        yield f"{step_line(event)}: {' '.join(event['line'])}"
    if path := log.last.get("path"):
        yield step_line(path)
    yield from map(_text, notes(analysis))


STEP_EVENTS = ("gen", "climb", "path")
"""Kinds of events about a step of a search that have a sentence."""


def step_line(event: Event) -> str:
    """Return one step of a search (an event of `STEP_EVENTS`) as a sentence; empty for another one.

    It is in the language of this run.
    """
    message = step_message(event)
    return _text(message) if message else ""


def _text(message: Message) -> str:
    return message.text(language())


def _in_words(messages: Iterable[Message]) -> str:
    """Return *messages* as text in the language of this run, joined by spaces."""
    return " ".join(map(_text, messages))


def _some(generations: list[Event]) -> list[Event]:
    """Return at most `MOST_GENERATIONS` of the events: the first, the last, and some between.

    These are evenly spaced, as far as whole numbers allow. If there are no more than that, return
    all.
    """
    last = len(generations) - 1
    if last < MOST_GENERATIONS:
        return generations
    places = {last * step // (MOST_GENERATIONS - 1) for step in range(MOST_GENERATIONS)}
    return [generations[place] for place in sorted(places)]
