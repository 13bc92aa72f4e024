"""Moves in words: who made which, how the game stands, and why an agent moved as it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from papan.core import Agent, Analysis, Event, Listener, Move, Position, Record, Value
from papan.core.reasons import aim
from papan.core.session import PERSON, result_text
from papan.terminal.output import about, figure, language, player, say, source, value_text

LONGEST = 8
"""How many moves of an expected line are written."""
MOST_GENERATIONS = 10
"""How many generations are written: the first, the last, and some between."""


def move_line(position: Position, who: str, move: Move, analysis: Analysis | None = None) -> str:
    """Who made which move, and what an agent made of it."""
    name = position.game.move_name(move)
    seat = player(position, position.turn)
    text = say("play.moved", player=seat, who=who, move=name)
    if analysis is None:
        return text
    thought = [say("play.nodes", nodes=analysis.nodes)]
    if analysis.value is not None and analysis.best_value is not None:
        thought.insert(0, say("play.value", value=value_text(analysis.best_value), player=seat))
    if len(analysis.line) > 1:
        line = " ".join(map(position.game.move_name, analysis.line[:8]))
        thought.append(say("play.expects", line=line))
    return f"{text} ({'; '.join(thought)})"


def score_line(position: Position) -> str:
    """The scores so far, seat by seat."""
    scores = position.scores()
    if len(scores) == 1:
        most = position.game.largest_margin
        return say("play.score_alone", score=figure(scores[0]), most=figure(most))
    seats = (f"{player(position, seat)} {figure(score)}" for seat, score in enumerate(scores))
    return say("play.scores", scores=", ".join(seats))


def result_line(position: Position, record: Record) -> str:
    """How the game ended and who won."""
    names = [who_sits(record, seat) for seat in range(len(record.agents))]
    return result_text(position.game, record, names, language())


def who_sits(record: Record, seat: int) -> str:
    """An agent by its spec; a person by name, or by a word."""
    if record.names and record.names[seat]:
        return record.names[seat]
    spec = record.agents[seat]
    return say("play.person") if spec == PERSON else spec


# Why an agent moved so: what the panel of the web app shows, for terminals.


class Heard:
    """A listener that keeps what explains a move: the last of each kind, and all small steps.

    Whoever else listens hears it *also*.
    """

    def __init__(self, also: Listener | None = None) -> None:
        self.also = also
        self.last: dict[str, Event] = {}
        self.steps: dict[str, list[Event]] = {"reason": [], "gen": [], "climb": []}

    def __call__(self, event: Event) -> None:
        self.last[event["t"]] = event
        if event["t"] in self.steps:
            self.steps[event["t"]].append(event)
        if self.also is not None:
            self.also(event)

    def move(self, name: str) -> Event:
        """What was emitted last of a move at the root."""
        moves = self.last.get("root", {}).get("moves", ())
        return next((each for each in moves if each["m"] == name), {})


def why_lines(position: Position, agent: Agent, heard: Heard, analysis: Analysis) -> list[str]:
    """Why *agent* moved so: who it is, what each move was worth to it and why, how it got there."""
    name = position.game.move_name
    found = aim(position, analysis.move) if analysis.line else None
    does = f"{name(analysis.move)}: {say(found.key, **found.values)}." if found else ""
    lines = [*filter(None, (does, about(type(agent)), source(type(agent))))]
    for move, value in best_first(analysis):
        line = " ".join(map(name, value.line[:LONGEST]))
        words = filter(None, (name(move), value_text(value), reason_of(name(move), heard), line))
        lines.append("  ".join(words))
    if not analysis.values:
        lines += [f"{each['m']}: {_rule(each)}" for each in heard.steps["reason"]]
    return [*lines, *how_lines(position, heard, analysis)]


def short_lines(position: Position, heard: Heard, analysis: Analysis) -> list[str]:
    """The reason of the chosen move alone, for whoever follows a whole game."""
    del heard.steps["gen"][:-1]
    reason = reason_of(position.game.move_name(analysis.move), heard)
    return [*filter(None, [reason]), *course(position, heard, analysis)]


def best_first(analysis: Analysis) -> list[tuple[Move, Value]]:
    """The moves with their values, the best ones first."""
    return sorted(analysis.values.items(), key=lambda pair: (-pair[1].number, pair[0]))


def reason_of(name: str, heard: Heard) -> str:
    """What the value of a move is made of: a sum of rules, a chain value, openings, visits."""
    facts = heard.move(name)
    fired = [each for each in heard.steps["reason"] if each["m"] == name]
    rules = "; ".join(map(_rule, fired))
    if facts.get("terms"):
        terms = " ".join(map(value_text, facts["terms"]))
        return f"{terms} = {value_text(facts['v'])}: {rules}"
    if facts.get("ucb") is not None and facts.get("w") is not None:
        return _visits(facts)
    if "chain" in facts:
        return say("web.chain_value", value=figure(facts["chain"]))
    if "openings" in facts:
        return say("web.openings", count=facts["openings"])
    return rules


def _rule(event: Event) -> str:
    """A rule that fired: what it says, on which line, and what it adds."""
    line = f" ({say(event['line'])})" if event.get("line") else ""
    weight = f" {value_text(event['v'])}" if event.get("v") else ""
    return f"{say(event['rule'])}{line}{weight}"


def _visits(facts: Event) -> str:
    """What UCB adds up for a move."""
    wins, bonus = facts["w"], facts["ucb"] - facts["w"]
    parts = {"win": wins, "bonus": bonus, "sum": facts["ucb"]}
    numbers = {key: value_text(part).lstrip("+") for key, part in parts.items()}
    return say("web.ucb", visits=facts["n"], wins=round(100 * wins), **numbers)


def how_lines(position: Position, heard: Heard, analysis: Analysis) -> Iterator[str]:
    """How the choice came about: the rules in their order, then the course of the search."""
    rules = sorted(heard.last.get("root", {}).get("rules", ()), key=lambda each: -each["v"])
    if rules:
        weights = (f"{value_text(each['v'])} {say(each['rule'])}" for each in rules)
        yield f"{say('web.rules')}: {'; '.join(weights)}"
    greedy: Any = analysis.facts.get("greedy", ())
    yield from (each.text(language()) for each in greedy)
    yield from course(position, heard, analysis)


def course(position: Position, heard: Heard, analysis: Analysis) -> Iterator[str]:
    """The climb, the generations, the path between two tiles, what a proof rests on."""
    yield from _climb(heard)
    for event in _some(heard.steps["gen"]):
        yield f"{step_line(event)}: {' '.join(event['line'])}"
    if path := heard.last.get("path"):
        yield step_line(path)
    yield from knowledge(position, analysis)


STEPS = {
    "gen": ("screen.generation", ("g", "best", "mean", "worst")),
    "climb": ("screen.climb", ("step", "v", "nbrs", "restart")),
    "path": ("screen.path", ("turns", "visited")),
}
"""The sentence about each kind of event that tells of a step, and the numbers in it."""


def step_line(event: Event) -> str:
    """One step of a search in words."""
    key, names = STEPS[event["t"]]
    return say(key, **{name: value_text(event[name]).lstrip("+") for name in names})


def _climb(heard: Heard) -> Iterator[str]:
    """Where a hill climber stood, and what it took."""
    root, climbs = heard.last.get("root", {}), heard.steps["climb"]
    if not climbs:
        return
    if "here" in root:
        plateau = root.get("plateau", 1)
        summit = say("web.plateau", moves=plateau) if plateau > 1 else say("web.one_summit")
        yield f"{say('web.climb_here', value=value_text(root['here']))} {summit}"
    for each in climbs:
        numbers = {key: each[key] for key in ("step", "nbrs", "restart")}
        yield f"{each['m']}: {say('screen.climb', v=value_text(each['v']), **numbers)}"


def _some(generations: list[Event]) -> list[Event]:
    """The first generation, the last, and at even distances some between."""
    last = len(generations) - 1
    if last < MOST_GENERATIONS:
        return generations
    places = {last * step // (MOST_GENERATIONS - 1) for step in range(MOST_GENERATIONS)}
    return [generations[place] for place in sorted(places)]


def knowledge(position: Position, analysis: Analysis) -> Iterator[str]:
    """What a solver adds to its proof: book, who is in control, why a board is lost."""
    facts: Mapping[str, Any] = analysis.facts
    if isinstance(facts.get("book"), bool):
        yield say("web.book_hit" if facts["book"] else "web.book_miss")
    if facts.get("control"):
        yield say("web.control", player=player(position, facts["control"] - 1))
    if facts.get("double_cross"):
        yield say("web.double_cross", lines=" ".join(facts["double_cross"]))
    certificate = facts.get("certificate") or {}
    if certificate.get("why") == "odd":
        yield say("web.proof_odd", tiles=" ".join(certificate["tiles"]))
    elif certificate.get("why") == "blocked":
        yield say("web.proof_blocked")
