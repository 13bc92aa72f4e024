"""Moving a cursor over the spots of a picture with the arrow keys, whatever their shape."""

from __future__ import annotations

from collections.abc import Sequence

from papan.cli.screen.drawing import Place, Spots


def spot_towards(spots: Spots, spot: str, down: int, right: int) -> str:
    """The next spot in a direction; the same one where there is none."""
    row, column = _middle(spots[spot])

    def detour(name: str) -> tuple[float, float]:
        there = _middle(spots[name])
        far = (there[0] - row) * down + (there[1] - column) * right
        aside = abs((there[0] - row) * right) + abs((there[1] - column) * down)
        return (far + 2 * aside, far) if far > 0 else (float("inf"), 0)

    best = min(spots, key=detour)
    return spot if detour(best)[0] == float("inf") else best


def central_spot(spots: Spots) -> str:
    """The spot nearest to the middle of all."""
    row, column = _middle([place for places in spots.values() for place in places])

    def far(name: str) -> float:
        there = _middle(spots[name])
        return abs(there[0] - row) + abs(there[1] - column)

    return min(spots, key=far)


def spots_of(spots: Spots, name: str) -> tuple[str, ...]:
    """The spots that the name of a move is made of; none where the picture does not show them."""
    if name in spots:
        return (name,)
    pairs = ((first, name.removeprefix(first)) for first in spots if name.startswith(first))
    return next((pair for pair in pairs if pair[1] in spots), ())


def odd_spots(spots: Spots) -> set[str]:
    """Every other spot, as on a chess board: for cells that touch each other."""
    corners = {name: places[0] for name, places in spots.items()}
    rows, columns = (sorted({corner[axis] for corner in corners.values()}) for axis in (0, 1))
    colours = {
        name: (rows.index(row) + columns.index(column)) % 2
        for name, (row, column) in corners.items()
    }
    return {name for name, colour in colours.items() if colour != next(iter(colours.values()))}


def _middle(places: Sequence[Place]) -> tuple[float, float]:
    """The middle of some places; a character is twice as high as it is wide."""
    count = len(places)
    return 2 * sum(row for row, _ in places) / count, sum(column for _, column in places) / count
