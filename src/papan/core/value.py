"""The values of moves: proved or guessed, which are different types, and how people read them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar, Literal

from papan.core.position import Move

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
"""How sure a value is, in one character: the first four are proofs, the others are guesses."""


def format_value(amount: float) -> str:
    """A number with its sign, as people write it: a real minus, no needless decimals."""
    text = f"{abs(amount):.2f}".rstrip("0").rstrip(".")
    return ("\u2212" if amount < 0 and text != "0" else "+" if amount > 0 else "") + text


@dataclass(frozen=True)
class Value(ABC):
    """What a move is worth to the seat that makes it: `Proved`, or else a `Guess` or a `Share`."""

    nodes: int = field(default=0, kw_only=True)
    """How much work went into it: nodes, or visits."""
    line: tuple[Move, ...] = field(default=(), kw_only=True)
    """The play expected after the move."""

    proof: ClassVar[bool] = False

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """How sure it is, in one word."""

    @property
    @abstractmethod
    def number(self) -> float:
        """The number that it is shown by, which also sorts moves."""

    def as_event(self) -> dict[str, object]:
        """Its form in events."""
        return {"v": self.number, "k": self.kind}

    def __str__(self) -> str:
        return f"{SIGNS[self.kind]} {format_value(self.number)}"


@dataclass(frozen=True)
class Proved(Value):
    """What is proven of a final margin: it lies between *low* and *high*, both included."""

    low: float = -inf
    high: float = inf

    proof: ClassVar[bool] = True

    def __post_init__(self) -> None:
        assert self.low <= self.high, f"proved to be {self.low} or more and {self.high} or less"

    @classmethod
    def exactly(cls, margin: float, nodes: int = 0, line: tuple[Move, ...] = ()) -> Proved:
        """That it is just this one."""
        return cls(margin, margin, nodes=nodes, line=line)

    @property
    def exact(self) -> bool:
        """Is it known to the point?"""
        return self.low == self.high

    @property
    def nothing(self) -> bool:
        """Is nothing known at all?"""
        return self.low == -inf and self.high == inf

    @property
    def kind(self) -> Kind:
        if self.exact:
            return "exact"
        return "upper" if self.low == -inf else "lower" if self.high == inf else "between"

    @property
    def number(self) -> float:
        return self.high if self.low == -inf else self.low

    def as_event(self) -> dict[str, object]:
        more = {"to": self.high} if self.kind == "between" else {}
        return super().as_event() | more

    def __str__(self) -> str:
        if self.kind == "between":
            return f"{format_value(self.low)} {SIGNS['between']} {format_value(self.high)}"
        return super().__str__()


NOTHING_PROVED = Proved()


@dataclass(frozen=True)
class Guess(Value):
    """What a final margin looks like, which proves nothing."""

    margin: float
    pruned: bool = False
    """It looks no better than that, and a better move was known: the search did not go on."""

    @property
    def kind(self) -> Kind:
        return "pruned" if self.pruned else "estimate"

    @property
    def number(self) -> float:
        return self.margin


@dataclass(frozen=True)
class Share(Value):
    """How often a search by playouts chose a move: a part of all its visits."""

    part: float

    @property
    def kind(self) -> Kind:
        return "visits"

    @property
    def number(self) -> float:
        return self.part

    def __str__(self) -> str:
        return f"{self.part:.0%}"


def value_from_event(event: Mapping[str, Any]) -> Value:
    """The value in an event: `Value.as_event` read back."""
    number = event["v"]
    by_kind: dict[Kind, Value] = {
        "exact": Proved(number, number),
        "lower": Proved(low=number),
        "upper": Proved(high=number),
        "between": Proved(number, event.get("to", inf)),
        "estimate": Guess(number),
        "pruned": Guess(number, pruned=True),
        "visits": Share(number),
    }
    return by_kind[event["k"]]
