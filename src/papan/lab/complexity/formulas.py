"""What theory says about the work of a search: the papers' formulas, beside what is measured."""

from __future__ import annotations

from collections.abc import Callable

FORMULAS: dict[str, Callable[[float, float], float]] = {
    "b^m": lambda moves, depth: moves**depth,
    "b^(m/2)": lambda moves, depth: moves ** -(-depth // 2) + moves ** (depth // 2) - 1,
}
"""By *b*, the moves at the start, and *m*, the depth: paper 003's recursion for minimax, and Knuth
and Moore's best case for alpha-beta (b to m/2 rounded up, plus rounded down, less 1)."""


def scan(side: float) -> float:
    """Paper 003's n^2: the work of an agent that looks at every cell once."""
    return side**2
