"""The value of positions by trying everything: slow, obvious, and by nothing but the rules."""

from functools import cache

from papan.core import Position, margin


@cache
def tried(position: Position) -> tuple[float, int]:
    """Return the final margin of the seat to move, and the plies to the end.

    Of equal margins a win comes as soon and a loss as late as can be.
    """
    if position.is_over:
        return margin(position, position.turn), 0
    options = []
    for move in position.moves():
        child = position.child(move)
        value, plies = tried(child)
        options.append((value if child.turn == position.turn else -value, plies + 1))
    return max(options, key=lambda found: (found[0], -found[1] if found[0] > 0 else found[1]))


def after_each(position: Position) -> dict[int, float]:
    """Return the final margin after each legal move, for the seat that makes it."""
    children = {move: position.child(move) for move in position.moves()}
    return {
        move: tried(child)[0] * (1 if child.turn == position.turn else -1)
        for move, child in children.items()
    }
