"""Limits: how much time and how many nodes a search may spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from papan.core.arguments import is_number
from papan.core.errors import InvalidSpecError, WrongTypeError

LARGEST_AMOUNTS: Mapping[str, float] = {
    "seconds": 10_000_000,
    "nodes": 10**15,
    "depth": 9_999,
    "threads": 64,
    "memory": 1_000_000,
}
"""The largest amounts that a search may be given, by name: depth in plies, memory in megabytes.

Larger ones mean nothing on any machine, or overflow.
"""
MAY_BE_INFINITE = ("seconds", "nodes")
"""The amounts that may also be infinite: no bound."""


@dataclass(frozen=True)
class Limit:
    """Bounds of a search: wall-clock *seconds* and *nodes*, both above 0; infinite if not set.

    A search stops at the bound that it reaches first. A number of NumPy's becomes Python's, and
    nodes such as 1e6 a whole number. Raises InvalidSpecError for a bound that is not above 0 (as
    NaN is not), or is finite and above that of `LARGEST_AMOUNTS`, and WrongTypeError for one that
    is no number, such as True, and for nodes that are not whole.
    """

    seconds: float = inf
    nodes: float = inf

    def __post_init__(self) -> None:
        for key, amount in (("seconds", self.seconds), ("nodes", self.nodes)):
            if type(amount) is not float and not is_number(amount):  # NaN: see below
                raise WrongTypeError("error.takes_number", name=key, given=repr(amount)[:80])
            most = LARGEST_AMOUNTS[key]
            if not (0 < amount <= most or amount == inf):  # also rejects NaN
                raise InvalidSpecError("error.bad_limit", limit=key, amount=amount, most=most)
            if type(amount) is not int:
                object.__setattr__(self, key, _plain(key, amount))

    def within(self, other: Limit) -> Limit:
        """Return the limit with the tighter of both seconds and the tighter of both nodes."""
        return Limit(min(self.seconds, other.seconds), min(self.nodes, other.nodes))

    def tightened(self, seconds: float = inf, nodes: float = inf) -> Limit:
        """Return this limit with its bounds lowered to *seconds* and *nodes*, where it is looser.

        Raises as `Limit` does.
        """
        if seconds == nodes == inf:
            return self
        return self.within(Limit(seconds, nodes))

    def json(self) -> dict[str, float]:
        """Return the bounds that are set: ``{"seconds": …, "nodes": …}``.

        An infinite one is left out.
        """
        bounds = {"seconds": self.seconds, "nodes": self.nodes}
        return {key: bound for key, bound in bounds.items() if bound != inf}

    @classmethod
    def from_json(cls, data: Mapping[str, float | None]) -> Limit:
        """Return the limit that `json` wrote, now or in an earlier version.

        Earlier versions wrote ``s`` for seconds, and null for a bound that was not set; a missing
        one is infinite. Raises as `Limit` does; unknown keys are ignored.
        """
        seconds, nodes = data.get("seconds", data.get("s")), data.get("nodes")
        return cls(inf if seconds is None else seconds, inf if nodes is None else nodes)


def _plain(key: str, amount: float) -> float:
    """Return an *amount* above 0 as Python's own number, which JSON takes.

    *key* is ``seconds`` or ``nodes``. Finite nodes are an int, else it is a float. Raise
    WrongTypeError for nodes that are not whole: searches count up to them.
    """
    plain = float(amount)
    if key != "nodes" or plain == inf:
        return plain
    if not plain.is_integer():
        raise WrongTypeError("error.takes_whole", name=key, given=repr(amount)[:80])
    return int(plain)


UNLIMITED = Limit()


def limit_within(limit: Limit, seconds: float, nodes: float) -> Limit:
    """Return *limit* with its bounds lowered to *seconds* and *nodes*; infinite ones do nothing.

    Raises WrongTypeError if *limit* is no Limit, else as `Limit` does.
    """
    if not isinstance(limit, Limit):
        raise WrongTypeError("error.takes_limit", given=repr(limit)[:80])
    return limit.tightened(seconds, nodes)
