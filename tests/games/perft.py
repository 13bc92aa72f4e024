"""How many lines of play of a length begin at a position: the fingerprint of a game's rules."""

from papan.core import Position


def perft(position: Position, depth: int) -> int:
    """The number of ways to make *depth* moves from here."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.moves())
    return sum(perft(position.child(move), depth - 1) for move in position.moves())


def perfts(position: Position, depth: int) -> list[int]:
    """The counts for each depth from 1 on."""
    return [perft(position, each) for each in range(1, depth + 1)]
