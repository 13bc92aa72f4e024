"""Paper 003: its formulas, and the running times of its chart, read off its first graph."""

SIZES = (3, 4, 5)

RANDOM_SECONDS = (1e-6,) * 5
"""Random-iterative: about the same at every move of a game on 3x3."""

MINIMAX_SECONDS = (0.93, 0.105, 0.013, 0.0015, 0.00036)
"""Minimax, at its first five looks at the same game."""

AVERAGE_PLIES = (6, 8)
"""The average case: games last so many moves."""

WORST = 387_420_489
"""The worst case: 9^9 scenarios."""


def scans(size: int) -> int:
    """T(n) = n^2: the cells that random-iterative looks at for one move."""
    return size**2


def nodes(depth: int, branching: int) -> int:
    """T(m) = b T(m-1) + 1, and T(0) = 1: what the paper rounds to b^m."""
    return 1 if depth == 0 else branching * nodes(depth - 1, branching) + 1
