"""What stands on a tile: its motif; kinds beyond the last motif wear a frame and their number."""

from __future__ import annotations

from papan.core.drawing import label, tag
from papan.games.onet.motifs import MOTIFS

INK = "#22252b"
FRAMES = ("none", "7 4", "1 4.5", "18 5")
"""The strokes around further kinds with the same motif, as dashes."""


def motif(kind: int, x: float, y: float, reach: float) -> str:
    """The drawing for a kind of tile, around a point."""
    turn, place = divmod(kind - 1, len(MOTIFS))
    size = reach / 10 * (0.7 if turn else 1)
    drawn = tag("g", MOTIFS[place], transform=f"translate({x:g} {y:g}) scale({size:g})")
    if turn:
        number = label(x + reach, y + reach, str(kind), 10, class_="number")
        drawn += _frame(turn, x, y, reach) + number
    return tag("g", drawn, class_="motif", pointer_events="none")


def _frame(turn: int, x: float, y: float, reach: float) -> str:
    return tag(
        "circle",
        cx=x,
        cy=y,
        r=reach,
        fill="none",
        stroke=INK,
        stroke_width=2,
        stroke_linecap="round",
        stroke_dasharray=FRAMES[(turn - 1) % len(FRAMES)],
    )
