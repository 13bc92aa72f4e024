"""Results of a search: an Analysis, and values that are proved or guessed (different types)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite, isnan, nan
from typing import Any, ClassVar, Literal

from papan.core.drawing import HtmlRepr
from papan.core.errors import CannotPlayError, InvalidPositionError
from papan.core.game import Game, Move, Position
from papan.core.message import Message
from papan.core.numbers import UNDEFINED, format_value

Kind = Literal["exact", "lower", "upper", "between", "estimate", "pruned", "visits"]

SIGNS: dict[Kind, str] = {
    "exact": "=",
    "lower": "\u2265",
    "upper": "\u2264",
    "between": "\u2026",
    "estimate": "\u2248",
    "pruned": "\u2272",
    "visits": "%",
}
"""Sign of each kind of value, one character: the first four are proofs, the others guesses."""


@dataclass(frozen=True)
class Value(ABC):
    """The value of a move for the seat that makes it: `Proved` or `Guess` in points, or `Share`.

    A `Share` is the move's part of all visits, from 0 to 1.
    """

    nodes: int = field(default=0, kw_only=True)
    """Nodes or visits that were spent on it."""
    line: tuple[Move, ...] = field(default=(), kw_only=True)
    """The moves expected after it."""

    proof: ClassVar[bool] = False
    """True for a class whose values are proved."""

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """The kind of value, one of `SIGNS`.

        A proof is ``exact``, ``lower``, ``upper`` or ``between`` (two bounds); a guess is
        ``estimate``, ``pruned`` (an upper estimate) or ``visits`` (a share of them).
        """

    @property
    @abstractmethod
    def number(self) -> float:
        """The number that stands for the value in views and sorts moves.

        Points for the mover, or a share of visits (0 to 1). Of bounds it is the lower one, or the
        upper one where only that is known; plus infinity if nothing is proved. NaN for a guess or a
        share that is undefined.
        """

    def json(self) -> dict[str, object]:
        """Return the value as events have it: number ``v`` and kind ``k``.

        The number is None if it is infinite or NaN. Of kind ``between`` also ``to``, the upper
        bound.
        """
        return {"v": finite(self.number), "k": self.kind}

    def __str__(self) -> str:
        return f"{SIGNS[self.kind]} {format_value(self.number)}"


@dataclass(frozen=True)
class Proved(Value):
    """A proof that the final margin, in points for the mover, is from *low* to *high* inclusive.

    An infinite bound is not proved; without bounds nothing is: see `nothing`. AssertionError is
    raised if *low* is above *high*.
    """

    low: float = -inf
    high: float = inf

    proof: ClassVar[bool] = True

    def __post_init__(self) -> None:
        assert self.low <= self.high, f"proved to be {self.low} or more and {self.high} or less"

    @classmethod
    def exactly(cls, margin: float, nodes: int = 0, line: tuple[Move, ...] = ()) -> Proved:
        """Return the proof that the final margin is *margin* points for the mover.

        *nodes* were spent on it; *line* are the moves expected after it.
        """
        return cls(margin, margin, nodes=nodes, line=line)

    @property
    def exact(self) -> bool:
        """True if both bounds are equal."""
        return self.low == self.high

    @property
    def nothing(self) -> bool:
        """True if both bounds are infinite: nothing is proved."""
        return self.low == -inf and self.high == inf

    @property
    def kind(self) -> Kind:
        if self.exact:
            return "exact"
        return "upper" if self.low == -inf else "lower" if self.high == inf else "between"

    @property
    def number(self) -> float:
        return self.high if self.low == -inf else self.low

    def json(self) -> dict[str, object]:
        more = {"to": finite(self.high)} if self.kind == "between" else {}
        return super().json() | more

    def __str__(self) -> str:
        if self.kind == "between":
            return f"{format_value(self.low)} {SIGNS['between']} {format_value(self.high)}"
        return super().__str__()


NOTHING_PROVED = Proved()


@dataclass(frozen=True)
class Guess(Value):
    """An estimate of the final margin in points for the mover; it proves nothing."""

    margin: float
    """The estimate in points: above 0 the mover is ahead."""
    pruned: bool = False
    """True if it is only an upper estimate: a better move was known, so the search stopped."""

    @property
    def kind(self) -> Kind:
        return "pruned" if self.pruned else "estimate"

    @property
    def number(self) -> float:
        return self.margin


@dataclass(frozen=True)
class Share(Value):
    """The share (0 to 1) of all visits that a search by playouts gave to a move."""

    part: float

    @property
    def kind(self) -> Kind:
        return "visits"

    @property
    def number(self) -> float:
        return self.part

    def __str__(self) -> str:
        return UNDEFINED if isnan(self.part) else f"{self.part:.0%}"


def value_from_event(event: Mapping[str, Any]) -> Value:
    """Return the value that `Value.json` wrote into an event: its number ``v`` and kind ``k``.

    Of kind ``between`` also ``to``, the upper bound; nodes and line are not read. A number that is
    None was not finite: as a bound it proves nothing, as a guess or a share it is undefined (nan).
    Raises KeyError if ``v`` or ``k`` is missing or the kind is unknown, AssertionError if ``to`` is
    below ``v``. Types are not checked.
    """
    given = event["v"]
    number = nan if given is None else given
    low, high = (-inf, inf) if given is None else (given, given)
    most = event.get("to")
    by_kind: dict[Kind, Callable[[], Value]] = {
        "exact": lambda: Proved(low, high),
        "lower": lambda: Proved(low=low),
        "upper": lambda: Proved(high=high),
        "between": lambda: Proved(low, inf if most is None else most),
        "estimate": lambda: Guess(number),
        "pruned": lambda: Guess(number, pruned=True),
        "visits": lambda: Share(number),
    }
    return by_kind[event["k"]]()


def root_moves(game: Game, values: Mapping[Move, Value]) -> list[dict[str, Any]]:
    """Return moves as JSON: name ``m``, value ``v``, kind ``k``, nodes ``n``, line ``pv``.

    A value of kind ``between`` also has its upper bound, ``to``: see `Value.json`. The list is in
    the order of *values*, which has the values of moves of *game*, in points (or shares of visits)
    for the seat that makes them. The line is a list of names that begins with the move.
    """
    return [
        {
            "m": game.move_name(move),
            **value.json(),
            "n": int(value.nodes),
            "pv": [game.move_name(each) for each in (move, *value.line)],
        }
        for move, value in values.items()
    ]


def _plain(fact: object) -> object:
    """Return *fact* as JSON data: messages in their JSON form, everything else unchanged.

    Also within lists and tuples, which become lists; not within dicts.
    """
    if isinstance(fact, list | tuple):
        return [_plain(each) for each in fact]
    return fact.json() if isinstance(fact, Message) else fact


def finite(bound: float) -> float | None:
    """Return *bound* as JSON takes it: as Python's number, and None if it is infinite or NaN."""
    if not isfinite(bound):
        return None
    return bound if type(bound) in (int, float) else float(bound)  # NumPy's, of a bot


@dataclass(frozen=True)
class Analysis(HtmlRepr):
    """The result of a search: the chosen move, its value in points, the expected line, the work."""

    line: tuple[Move, ...]
    """The expected line, the chosen move first; empty if the game is over."""
    guess: float | None = None
    """The estimated final margin for the seat to move; None if there is none."""
    proved: Proved = NOTHING_PROVED
    """The proved bounds of the final margin for the seat to move."""
    values: Mapping[Move, Value] = field(default_factory=dict)
    """The value of each legal move that was searched, for the seat to move."""
    distance: int | None = None
    """Plies to the end under best play; None if unknown."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Further results of a solver by name, as JSON data or messages: its game describes them."""
    verdict: Message | None = None
    """The result in words, if the game has better ones than its final margin."""
    notes: tuple[Message, ...] = ()
    """Further results of a solver in words."""
    why: str = "done"
    """Reason it stopped: exact, depth, time, nodes, cancelled, or done: see `Thinking.reason`.

    It is done if its method came to its end, or the agent to a limit of its own.
    """
    nodes: int = 0
    """Nodes that were searched; set by `Agent.analyse`, as *seconds* are."""
    seconds: float = 0.0
    """Wall-clock time of the search."""
    position: Position | None = field(default=None, repr=False, compare=False)
    """The position searched; set by `Agent.analyse`."""

    @property
    def move(self) -> Move:
        """The chosen move, the first of `line`; raises CannotPlayError if `line` is empty."""
        if not self.line:
            raise CannotPlayError("error.nothing_to_play", position=str(self.position))
        return self.line[0]

    @property
    def exact(self) -> bool:
        """True if the final margin is proved: the position is solved."""
        return self.proved.exact

    @property
    def value(self) -> float | None:
        """The final margin in points for the seat to move: proved if `exact`, else a guess.

        The guess is brought within the proved bounds. None if there is neither.
        """
        if self.exact or self.guess is None:
            return self.proved.low if self.exact else None
        return min(max(self.guess, self.proved.low), self.proved.high)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The proved (low, high) of the final margin, in points for the seat to move.

        One of them may be infinite. None if nothing is proved.
        """
        return None if self.proved.nothing else (self.proved.low, self.proved.high)

    @property
    def best_value(self) -> Value | None:
        """The value as `Proved` if it is exact, else as `Guess`, in points for the seat to move.

        Without an estimate the proved bounds; None if nothing is known.
        """
        if self.exact or self.value is None:
            return None if self.proved.nothing else self.proved
        return Guess(self.value)

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves proved to be best, the chosen one first; only that one if not `exact`.

        If `exact`, they are the moves in `values` that are proved to reach the exact value: empty
        if there are none, as when the game is over, and without the chosen move if that is none of
        them. If not `exact`, the chosen move alone, or empty without a line. `best_complete` is
        False if there can be others.
        """
        if not self.exact:
            return self.line[:1]
        found = [
            move
            for move, value in self.values.items()
            if isinstance(value, Proved) and value.low == self.proved.low
        ]
        return tuple(sorted(found, key=lambda move: move != self.move))

    @property
    def best_complete(self) -> bool:
        """True if every legal move that is not in `best` is proved to be worse.

        False if the value is not exact or the position unknown.
        """
        if not self.exact or self.position is None:
            return False
        others = set(self.position.moves()).difference(self.best)
        values = [self.values.get(move) for move in others]
        return all(isinstance(each, Proved) and each.high < self.proved.low for each in values)

    @property
    def leaves_choice(self) -> bool:
        """True if a proof that comes with papan (``proof`` of `facts`) has several best moves.

        Then another agent may choose among them.
        """
        return "proof" in self.facts and len(self.best) > 1

    @property
    def moves(self) -> dict[str, Value]:
        """The value of each move that was searched, by the name of the move, the best first.

        Best is the highest `Value.number`. Without a `position` moves have their numbers, as text,
        for names. Empty if no move was valued.
        """
        values = sorted(self.values.items(), key=lambda each: -each[1].number)
        return {self._name(move): value for move, value in values}

    def json(self) -> dict[str, Any]:
        """Return the analysis as JSON data, moves by name; values are for the seat to move.

        Its keys are ``position`` (text) and ``turn``; ``value`` (None if unknown or not finite),
        ``exact``, ``bounds`` (None or a list of two, None for an infinite one), ``distance``
        (plies or None) and ``verdict`` (`Message.json` or None); ``move`` (None if the game is
        over), ``best``, ``best_complete``, ``line`` and ``moves`` (see `root_moves`); ``nodes``,
        ``seconds`` (to six decimals) and ``why``; ``facts`` (a dict) and ``notes`` (a list of
        `Message.json`). Raises InvalidPositionError if `position` is None.
        """
        position = self.position
        if position is None:
            raise InvalidPositionError("error.no_position")
        name = position.game.move_name
        return {
            "position": str(position),
            "value": None if self.value is None else finite(self.value),
            "exact": bool(self.exact),
            "best": [name(move) for move in self.best],
            "line": [name(move) for move in self.line],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "distance": self.distance,
            "turn": position.turn,
            "move": name(self.move) if self.line else None,
            "bounds": self.bounds and [finite(bound) for bound in self.bounds],
            "facts": {name: _plain(fact) for name, fact in self.facts.items()},
            "verdict": self.verdict and self.verdict.json(),
            "notes": [each.json() for each in self.notes],
            "moves": root_moves(position.game, self.values),
            "why": self.why,
            "best_complete": bool(self.best_complete),
        }

    def __str__(self) -> str:
        line = " ".join(map(self._name, self.line))
        return line if self.best_value is None else f"{line} ({self.best_value})"

    def __repr__(self) -> str:
        facts = f"exact={self.exact} nodes={self.nodes}"
        return f"<Analysis {self.position}: {str(self).strip()}, {facts}>"

    def _name(self, move: Move) -> str:
        """Return the name of *move*; its number, as text, if the position is unknown."""
        return str(move) if self.position is None else self.position.game.move_name(move)
