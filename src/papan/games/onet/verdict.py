"""What the solver of Onet finds out about a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from papan.core import Grid

Pair: TypeAlias = tuple[int, int]
"""Two cells whose tiles are taken together."""
Certificate: TypeAlias = dict[str, Any]
"""Why a board can never be cleared, as JSON; `proof.proves` checks it."""


@dataclass(frozen=True)
class Verdict:
    """Whether a board can be cleared."""

    solvable: bool | None
    """None: not known."""
    pairs: tuple[Pair, ...]
    """Pairs in an order in which they can be taken: all of them, or the most that were found."""
    least_left: int = 0
    """At least so many tiles stay whatever is played."""
    certificate: Certificate | None = None
    why: str = "exact"
    """Why the search ended: exact, time, nodes or cancelled."""


Look: TypeAlias = Callable[[Verdict], None]
"""Hears what is known so far."""


def odd_kind(tiles: Sequence[int]) -> int | None:
    """A kind with an odd number of tiles: one of them will always stay."""
    counts = Counter(filter(None, tiles))
    return next((kind for kind in sorted(counts) if counts[kind] % 2), None)


def odd_certificate(grid: Grid, tiles: Sequence[int], kind: int) -> Certificate:
    """The tiles of a kind that are odd in number."""
    return {"why": "odd", "tiles": [name for name, tile in zip(grid.names, tiles) if tile == kind]}


def least_left(tiles: Sequence[int], stuck: Sequence[int]) -> int:
    """How many tiles stay at least, when those on the *stuck* cells can never be taken."""
    counts = Counter(filter(None, tiles))
    staying = Counter(tiles[cell] for cell in stuck)
    return sum(staying[kind] + (counts[kind] - staying[kind]) % 2 for kind in counts)
