"""Explanations: events and analyses of agents as messages, the same for every view.

The terminal, the pages and the notebook show these words; what only one game knows its solver adds
as `Analysis.notes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Any

from papan.core.agent import Agent
from papan.core.analysis import Analysis, Share
from papan.core.game import Position, margin
from papan.core.message import Message, seat_message
from papan.core.numbers import Number
from papan.core.reasons import (
    MOST_CLAUSES,
    Certainty,
    Clause,
    Reason,
    forced_win,
    reason,
    wins,
    with_people,
)
from papan.core.session import agent_message
from papan.core.thinking import Event, Listener

SLIGHT, CLEAR = 0.1, 0.4
"""Estimated margins where a win is 1: below the first the game is even, above the second one seat
is clearly better."""
LEVEL = 0.75
"""Points: a smaller estimated lead is an even game."""
SHORT_SLIP = "slip.short"
"""Key of the message that an agent looked fewer plies ahead than usual."""


class EventLog:
    """A listener that stores the events that explain a move: the last of each kind, and all steps.

    `last` has, by kind (a key of `EVENTS`), the last event of each kind that came; `steps` has, for
    each of the kinds reason, gen and climb, the list of all its events, perhaps empty. Every event
    of any kind is passed on to *listener*, if there is one.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self.listener = listener
        self.last: dict[str, Event] = {}
        self.steps: dict[str, list[Event]] = {"reason": [], "gen": [], "climb": []}

    def __call__(self, event: Event) -> None:
        self.last[event["t"]] = event
        if event["t"] in self.steps:
            self.steps[event["t"]].append(event)
        if self.listener is not None:
            self.listener(event)

    @property
    def root(self) -> Event:
        """The last event of kind ``root``; empty if there was none."""
        return self.last.get("root", {})

    def move(self, name: str) -> Event:
        """Return the facts about the move called *name* in the last root event.

        They are as `root_moves` writes them; empty if there are none.
        """
        return next((each for each in self.root.get("moves", ()) if each["m"] == name), {})

    def depth(self, name: str) -> int | None:
        """Return how many plies the search looked ahead to choose the move with this *name*.

        None if the last root event prefers another move, tells mere bounds or no depth, and if
        there was none.
        """
        root = self.root
        low, high = root.get("bounds") or (0, 0)
        return root.get("depth") if root.get("best") == name and low == high else None

    def fired(self, name: str) -> list[Event]:
        """Return the "reason" events about the move *name*, in order; empty if there are none.

        Each says that a rule of the agent spoke for or against the move: see docs/events.md.
        """
        return [each for each in self.steps["reason"] if each["m"] == name]


@dataclass(frozen=True)
class Explanation:
    """The reasons of an agent's choice: the game's reason, then sentences in the agent's own
    terms.
    """

    reason: Reason | None
    """The reason of the move, the same for whoever makes it; None if the game is over."""
    voice: tuple[Message, ...]
    """The agent's own account of its choice, in its terms. The value ``player`` of each message is
    the agent's name, or *it*; a view may put another name there.
    """
    verdict: tuple[Message, ...]
    """The value of the position, and how certain it is."""
    notes: tuple[Message, ...] = ()
    """Notes of a solver on its proof: book, table, and remarks of its game."""
    climb: tuple[Message, ...] = ()
    """For a hill climber: the value it started from, and whether one move or several were best."""

    def json(self) -> dict[str, Any]:
        """Return the explanation as JSON data: each field by name, lists of `Message.json`.

        ``reason`` is `Reason.json` or None.
        """
        parts = {name: part for name, part in vars(self).items() if name != "reason"}
        lists = {name: [each.json() for each in part] for name, part in parts.items()}
        return {"reason": self.reason and self.reason.json(), **lists}


def explain(position: Position, agent: Agent, log: EventLog, analysis: Analysis) -> Explanation:
    """Return why *agent* chose the move of *analysis* in *position*.

    *log* must have been the listener of that analysis: not checked. If the analysis has no line
    (the game is over), the explanation has no reason and no voice. If the reason is proved but the
    value is not, its verdict is what `_shown` says, if anything; else it is that of `verdict`.
    """
    why = reason_for(position, agent, log, analysis)
    shown = None
    if why is not None and why.certainty.kind == "proved" and not analysis.exact:
        shown = _shown(position, why)
    return Explanation(
        why,
        tuple(voice(position, agent, log, analysis)),
        (shown,) if shown else tuple(verdict(position, analysis)),
        tuple(notes(analysis)),
        tuple(climb_messages(log)),
    )


def _shown(position: Position, why: Reason) -> Message | None:
    """Return a message on how the game ends after the move of *why*, if that needs no search.

    It needs none if the game is over, if the mover cannot be kept from winning at the next turn, or
    if the rival can win at once; for games of points see `_shown_points`. In a game for one it
    needs none if the game is over, or if *why* says that it can no longer be cleared. *position* is
    the one before the move. None if a search is needed.
    """
    child, seat, game = position.child(why.move), position.turn, position.game
    player = {"player": seat_message(seat, game.seats)}
    if game.seats == 1:
        score = {"score": Number(child.scores()[0]), "most": Number(game.largest_margin)}
        if child.is_over:
            return Message("play.score_alone", score)
        stays = any(each.decides and each.costs for each in why.clauses)
        return Message("web.uncleared_now") if stays else None
    if not _decides(position):
        return _shown_points(child, seat, why)
    if child.is_over and child.winner is None:
        return Message("web.draws_now")
    if child.winner == seat or forced_win(child, seat) is not None:
        return Message("web.wins", player)
    lost = not child.is_over and child.turn != seat and wins(child)
    return Message("web.loses_now", player) if lost else None


def _shown_points(child: Position, seat: int, why: Reason) -> Message | None:
    """Return how a game of points ends for *seat* after a move to *child*; None if that is open.

    If *child* is over, or every move there ends the game, the message says by how many points
    *seat* is ahead or behind in the end, or that it is a draw. Else, if *why*, the reason of the
    move, has a clause of kind ``does`` that decides the game, and *seat* is ahead in *child*, it
    says only that *seat* wins.
    """
    player = {"player": seat_message(seat, child.game.seats)}
    ends = [child] if child.is_over else [child.child(move) for move in child.moves()]
    if all(each.is_over for each in ends):
        margins = [margin(each, seat) for each in ends]
        value = max(margins) if child.turn == seat else min(margins)
        if not value:
            return Message("web.draws_now")
        points = {"points": Number(abs(value))}
        return Message("web.ahead_now" if value > 0 else "web.behind_now", {**player, **points})
    decided = any(each.decides and each.kind == "does" for each in why.clauses)
    return Message("web.wins_now", player) if decided and margin(child, seat) > 0 else None


def reason_for(
    position: Position, agent: Agent, log: EventLog, analysis: Analysis
) -> Reason | None:
    """Return the reason of the chosen move, with how certain the agent was; None without a move.

    *log* must have been the listener of *analysis*. If the agent, a level, has overlooked something
    (a slip), that comes first, unless the move wins by force: see `_as_slip`. A reason that is not
    proved is learned if *agent* is a net or learned tables, else an estimate of the depth that
    *log* has, perhaps None.
    """
    if not analysis.line:
        return None
    found, name = reason(position, analysis.move, analysis), position.game.move_name(analysis.move)
    if slip := _slip_clause(log.fired(name)):
        found = _as_slip(found, slip)
    if found.certainty.kind == "proved":
        return found
    learned = agent.name in ("net", "learned")
    certainty = Certainty("learned") if learned else Certainty(depth=log.depth(name))
    return replace(found, certainty=certainty)


def _as_slip(found: Reason, slip: Clause) -> Reason:
    """Return the reason *found* of a move with the clause *slip* first: what was overlooked.

    At most one of its own clauses stays (`MOST_CLAUSES`). What the move costs is told only where
    the slip does not say so itself, and never what another move would have cost: that would praise
    the slip. A move that wins by force is no slip, whatever was overlooked: its reason comes back
    as it was. The certainty is an estimate after a ``slip.short`` if no clause that stays decides.
    """
    if _wins_by_force(found):
        return found
    kept = [each for each in found.clauses if _stays_beside(slip, each)][: MOST_CLAUSES - 1]
    proved = slip.message.key != SHORT_SLIP or any(each.decides for each in kept)
    certainty = found.certainty if proved else Certainty()
    return replace(found, clauses=(slip, *kept), certainty=certainty)


def _wins_by_force(found: Reason) -> bool:
    """Return whether, in a game in which a win is all that counts, the move of *found* wins.

    True if one of its clauses of kind ``does`` or ``then`` decides the game and tells no cost.
    """
    forced = (each for each in found.clauses if each.kind in ("does", "then") and not each.costs)
    return _decides(found.position) and any(each.decides for each in forced)


def _stays_beside(slip: Clause, clause: Clause) -> bool:
    """Return whether *clause* is still told of a move that was a *slip*: see `_as_slip`.

    Not if it says that nothing is to be said (``reason.quiet``) or what another move would allow,
    if it has the same numbers as the slip (`_repeated`), or if it tells a cost, unless the slip is
    a `SHORT_SLIP`, which names none.
    """
    if clause.message.key == "reason.quiet" or clause.kind == "instead":
        return False
    known = clause.costs and slip.message.key != SHORT_SLIP
    return not known and not _repeated(clause, slip)


def _repeated(clause: Clause, slip: Clause) -> bool:
    """Return whether the message of *slip* has all the numbers of that of *clause*: it says it too.

    Numbers are values of type int other than 0; names and values must be equal. False if *clause*
    has none.
    """
    values = clause.message.values.items()
    numbers = {each for each in values if isinstance(each[1], int) and each[1]}
    return bool(numbers) and numbers <= {*slip.message.values.items()}


def _slip_clause(fired: Sequence[Event]) -> Clause | None:
    """Return a clause on what the agent overlooked when it chose the move; None if it did not.

    A level may overlook something at a move on purpose: see `papan.core.slips`.
    *fired* are the reason events about the move; the first with a ``slip`` counts.
    """
    slips = (each for each in fired if "slip" in each)
    return next((Clause("slip", _slip_message(each), tuple(each["cells"])) for each in slips), None)


def _slip_message(event: Event) -> Message:
    """Return the sentence of a reason event with a ``slip``: what was overlooked."""
    return Message.from_json({"key": event["rule"], "values": event["slip"]})


# Events in words.


def with_message(event: Event) -> Event:
    """Return *event* with its sentence as ``says`` (`Message.json`), if it has one.

    In a root event each of ``moves`` that has a sentence gets its own. What is given is not
    changed.
    """
    if event["t"] == "root":
        moves = [_saying(each, move_message(each)) for each in event["moves"]]
        return {**event, "moves": moves}
    return _saying(event, step_message(event))


def _saying(facts: Event, message: Message | None) -> Event:
    """Return *facts* with the *message* as ``says`` (`Message.json`); as they are without one."""
    return {**facts, "says": message.json()} if message else facts


def move_message(facts: Event) -> Message | None:
    """Return a message on what the value of a move in a root event is made of; None if unknown.

    *facts* are the move's entry in ``moves``: it may have visits with wins, the terms of a sum,
    openings, or a chain value, see docs/events.md.
    """
    if facts.get("ucb") is not None and facts.get("w") is not None:
        return _visits(facts)
    if facts.get("terms"):
        terms = " ".join(_signed(each).text() for each in facts["terms"])
        return Message("explain.sum", {"terms": terms, "sum": _signed(facts["v"])})
    if "openings" in facts:
        return Message("web.openings", {"count": facts["openings"]})
    if "chain" in facts:
        return Message("web.chain_value", {"value": Number(facts["chain"])})
    return None


def _visits(facts: Event) -> Message:
    """Return a message with the sum that UCB compares: share of wins + bonus for few visits.

    *facts* has the win rate ``w`` (0 to 1), the sum ``ucb`` and the number of visits ``n``.
    """
    wins = facts["w"]
    parts = {"win": wins, "bonus": facts["ucb"] - wins, "sum": facts["ucb"]}
    numbers = {key: Number(part, "plain") for key, part in parts.items()}
    whole = {"visits": Number(facts["n"]), "wins": round(100 * wins)}
    return Message("web.ucb", whole | numbers)


def step_message(event: Event) -> Message | None:
    """Return a message on one step of a search: an event of kind gen, climb, path or reason.

    None for other kinds.
    """
    match event["t"]:
        case "gen":
            values = {name: Number(event[name], "plain") for name in ("best", "mean", "worst")}
            return Message("screen.generation", {"g": event["g"]} | values)
        case "climb":
            names = ("step", "nbrs", "restart")
            return Message(
                "screen.climb", {"v": _signed(event["v"])} | {name: event[name] for name in names}
            )
        case "path":
            return Message("screen.path", {name: event[name] for name in ("turns", "visited")})
        case "reason":
            return rule_message(event)
    return None


def rule_message(event: Event) -> Message:
    """Return a message on a rule that fired, of a reason event.

    It has the rule's name and, if known, its line and what it adds to the value; for a slip, what
    was overlooked.
    """
    if "slip" in event:
        people = {"player": Message("because.it"), "rival": Message("because.rival")}
        return with_people(_slip_message(event), people)
    rule = Message(event["rule"])
    if event.get("line"):
        rule = Message("explain.rule_on_line", {"rule": rule, "line": Message(event["line"])})
    if event.get("v"):
        rule = Message("explain.rule_adds", {"rule": rule, "value": _signed(event["v"])})
    return rule


def climb_messages(log: EventLog) -> Iterator[Message]:
    """Yield the messages of a hill climber: where it stood, and whether several moves were
    highest.

    The first comes only if the last root event has ``here``, the value where it stood; the last
    says that it does not start again elsewhere. Nothing if there was no climb event.
    """
    if not log.steps["climb"]:
        return
    if "here" in log.root:
        yield Message("web.climb_here", {"value": _signed(log.root["here"])})
    plateau = log.root.get("plateau", 1)
    yield Message("web.plateau", {"moves": plateau}) if plateau > 1 else Message("web.one_summit")
    yield Message("web.no_restart")


# The agent's own account.


def voice(position: Position, agent: Agent, log: EventLog, analysis: Analysis) -> Iterator[Message]:
    """Yield how the agent came to the move, in its own terms, and what it expects.

    The first sentence names the agent, the others call it *it*. Yields nothing if the analysis
    has no line, or there is nothing to say.
    """
    if not analysis.line:
        return
    name = position.game.move_name(analysis.move)
    found = [_own_rule(agent, log, name), _expectation(position, agent, log, analysis, name)]
    for place, each in enumerate(filter(None, found)):
        player = Message("because.it") if place else agent_message(agent.spec)
        yield with_people(each, {"player": player})


def _own_rule(agent: Agent, log: EventLog, name: str) -> Message | None:
    """Return a message on which rule of the agent chose the move *name*; None if none is known.

    Slips, rules that lower the value and those with a name in ``_none`` do not count. Carelessness
    of a level, chance, and the words of a user's program count as rules; the first of these that
    chose the move is told alone.
    """
    kept = [each for each in log.fired(name) if "slip" not in each and (each.get("v") or 0) >= 0]
    rules = [*dict.fromkeys(each["rule"] for each in kept)]
    if "level.careless" in rules:
        return Message("because.careless")
    if agent.name == "random":
        return Message("because.chance", {"moves": Number(len(log.root.get("moves", ())))})
    words = next((each for each in rules if each.startswith('"')), "")  # of a user's program
    if words:
        return Message("because.says", {"words": words})
    fired = tuple(Message(each) for each in rules if not each.endswith("_none"))
    return Message("because.rules", {"rules": fired}) if fired else None


def _expectation(
    position: Position, agent: Agent, log: EventLog, analysis: Analysis, name: str
) -> Message | None:
    """Return a message on the proved result or how the estimate came about; None if unknown.

    None, too, if there is a reason event about the move *name*, if chance chose it, and, in a game
    for two, if it wins at once. In a game for one, and if *analysis* has a verdict, it is
    `Analysis.verdict`, perhaps None.
    """
    if agent.name == "random" or log.fired(name):
        return None
    if position.child(analysis.move).winner == position.turn and position.game.seats > 1:
        return None
    if analysis.verdict or position.game.seats == 1:
        return analysis.verdict
    if analysis.exact and analysis.value is not None:
        return _proved(analysis.value, analysis.distance, position)
    return _method(agent, log, analysis, name) or _expected(position, log, analysis, name)


def _method(agent: Agent, log: EventLog, analysis: Analysis, name: str) -> Message | None:
    """Return a message on how a search that breeds, climbs or samples came to the move *name*.

    None for other searches.
    """
    if generations := len(log.steps["gen"]):
        return Message("because.generations", {"generations": generations, "move": name})
    if log.steps["climb"]:
        return Message("because.climb")
    if any(isinstance(value, Share) for value in analysis.values.values()):
        key = "because.visits" if agent.name == "net" else "because.playouts"
        return Message(key, {"games": Number(analysis.nodes), "move": name})
    return None


def _expected(position: Position, log: EventLog, analysis: Analysis, name: str) -> Message | None:
    """Return a message on the estimate after the move *name*, and its depth; None without one."""
    if analysis.value is None:
        return None
    estimate = {"outlook": _estimate_in_words(analysis.value, position)}
    if depth := log.depth(name):
        return Message("because.depth", {"depth": depth} | estimate)
    return Message("because.expects", estimate)


def _decides(position: Position) -> bool:
    """Return whether a win is all that counts in its game: the largest margin is one point."""
    return position.game.largest_margin == 1


def _proved(value: float, plies: int | None, position: Position) -> Message:
    """Return a message on a proved *value*, the final margin in points for the seat to move.

    *plies* is the length of best play from *position* on, None if unknown. It is told, with the
    winner's moves, where a win is all that counts.
    """
    if not value:
        return Message("because.draw")
    if not _decides(position):
        points = {"points": Number(abs(value))}
        return Message("because.ahead" if value > 0 else "because.behind", points)
    if not plies:
        return Message("because.won" if value > 0 else "because.lost")
    moves = {"moves": ceil(plies / 2), "plies": plies}
    return Message("because.win" if value > 0 else "because.loss", moves)


def distance_message(position: Position, value: float, plies: int) -> Message:
    """Return a message on how soon the game ends under best play: in *plies*, from *position* on.

    Where a win is all that counts, also in the winner's moves, unless *value* or *plies* is 0.
    *value* is the final margin in points for the seat to move; 0 is a draw.
    """
    if value and _decides(position) and plies:
        return Message("analyse.distance_win", {"moves": ceil(plies / 2), "plies": plies})
    return Message("analyse.distance", {"plies": plies})


def _estimate_in_words(value: float, position: Position) -> Message:
    """Return a message on an estimated final margin: *value* in points for the seat to move.

    In words such as *better* where a win is all that counts (a value from -1 to 1), else in whole
    points. Below `SLIGHT`, or `LEVEL` points, either way the game is called even.
    """
    size, ahead = abs(value), value > 0
    if size < (SLIGHT if _decides(position) else LEVEL):
        return Message("because.even")
    if not _decides(position):
        key = "because.points_ahead" if ahead else "because.points_behind"
        return Message(key, {"points": Number(round(size))})
    if size > CLEAR:
        return Message("because.much_better" if ahead else "because.much_worse")
    return Message("because.better" if ahead else "because.worse")


# What the position is worth.


def verdict(position: Position, analysis: Analysis) -> Iterator[Message]:
    """Yield messages on the value for the seat to move: proved, bounded or estimated.

    `Analysis.verdict` is the only one if there is one; always at least one.
    """
    player = seat_message(position.turn, position.game.seats)
    if analysis.verdict:
        yield analysis.verdict
    elif analysis.exact and analysis.value is not None:
        if position.game.seats == 1:
            score = {"score": Number(analysis.value), "most": Number(position.game.largest_margin)}
            yield Message("solve.exact_alone", score)
        else:
            yield Message(_outcome(analysis.value, position), _about(player, analysis.value))
        if analysis.distance is not None:
            yield distance_message(position, analysis.value, analysis.distance)
    else:
        if analysis.value is not None and position.game.seats == 1:
            ends = Number(round(analysis.value)), Number(position.game.largest_margin)
            yield Message("web.guess_alone", dict(zip(("value", "most"), ends, strict=True)))
        elif analysis.value is not None:
            value = Message("explain.estimate", {"value": _signed(analysis.value)})
            yield Message("web.guess", {"value": value, "player": player})
        if analysis.value is None or analysis.bounds:  # no bounds: it did not set out to prove
            yield _bounded(position, analysis, player)


def _about(player: Message, value: float) -> dict[str, object]:
    """Return two values of a message: ``value``, *value* points with their sign, and ``player``."""
    return {"value": _signed(value), "player": player}


def _outcome(value: float, position: Position) -> str:
    """Return the key of the sentence on an exact *value* in points for the seat to move."""
    if not _decides(position):
        return "solve.exact"
    return "web.wins" if value > 0 else "web.loses" if value < 0 else "web.draws"


def _bounded(position: Position, analysis: Analysis, player: Message) -> Message:
    """Return a message on the proved bounds of *position*, whose value is not proved.

    Or that nothing is proved: bounds that the rules give anyway do not count. *player* names the
    seat to move, for which the bounds are.
    """
    most = position.game.largest_margin
    least = 0.0 if position.game.seats == 1 else -most
    low, high = analysis.bounds or (-inf, inf)
    if position.game.seats == 1 and (low > least or high < most):
        ends = {"low": Number(max(low, least)), "high": Number(min(high, most))}
        return Message("solve.bounds_alone", {**ends, "most": Number(most)})
    if low > least and high < most:
        ends = {"low": _signed(low), "high": _signed(high)}
        return Message("solve.bounds", {**ends, "player": player})
    if low > least:
        return Message("web.at_least", _about(player, low))
    if high < most:
        return Message("web.at_most", _about(player, high))
    spent = analysis.why in ("time", "nodes")
    return Message("web.nothing_proved" if spent else "web.not_proved")


def notes(analysis: Analysis) -> Iterator[Message]:
    """Yield messages on a solver's work: its book, its table, and the notes of its game.

    They come from the facts ``book`` (a bool: was the position in the book) and ``table`` (bytes,
    not told if 0) of *analysis*, then from `Analysis.notes`; nothing if there are none.
    """
    book, table = analysis.facts.get("book"), analysis.facts.get("table")
    if isinstance(book, bool):
        yield Message("web.book_hit" if book else "web.book_miss")
    if isinstance(table, int) and table:
        yield Message("web.table_size", {"size": _size(table)})
    yield from analysis.notes


def _size(count: int) -> Message:
    """Return *count* bytes as a message in whole kB (2^10 bytes) or, from 2^20 bytes on, MB."""
    large = count >= 2**20
    unit = 2**20 if large else 2**10
    return Message(
        "explain.megabytes" if large else "explain.kilobytes",
        {"size": Number(round(count / unit))},
    )


def greedy(analysis: Analysis) -> Sequence[Message]:
    """Return messages on the elements of a greedy algorithm: candidates, selection and so on.

    They are the fact ``greedy`` of *analysis*, whose type is not checked; empty without one.
    """
    found: Any = analysis.facts.get("greedy", ())
    return tuple(found)


def _signed(amount: float) -> Number:
    """Return *amount* as a number that is written with its sign."""
    return Number(amount, "signed")
