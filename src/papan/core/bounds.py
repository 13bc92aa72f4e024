"""The largest numbers that limits and settings may have: one place, for every way they come in."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

MOST: Mapping[str, float] = {
    "seconds": 10_000_000,
    "nodes": 10**15,
    "depth": 9_999,
    "iterations": 10**15,
    "exploration": 1_000_000,
    "population": 100_000,
    "generations": 1_000_000,
    "deadline": 1_000_000,
    "threads": 64,
    "memory": 1_000_000,
}
"""By the name of the number. Beyond these it means nothing on any machine, or overflows."""
ENDLESS = ("seconds", "nodes")
"""What may also be infinite: no bound at all."""


def fits(name: str, amount: float, least: float, most: float) -> bool:
    """Is *amount* a number from *least* to *most*, or no bound where that is allowed?"""
    return least <= amount <= most or (amount == inf and name in ENDLESS)
