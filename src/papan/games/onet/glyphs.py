"""The motifs on Onet tiles: nine shapes in four patterns, alone, as twins or as triplets.

So 108 kinds differ in shape and not only in colour; every tile also wears its number.
"""

from __future__ import annotations

from papan.core.view import tag

# Each shape fills the square from -1 to 1.
SHAPES = (
    "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z",  # disc
    "M-.9-.9H.9V.9H-.9Z",  # square
    "M0-1L1 .8H-1Z",  # triangle
    "M0-1.1L.75 0L0 1.1L-.75 0Z",  # diamond
    "M-.35-1H.35V-.35H1V.35H.35V1H-.35V.35H-1V-.35H-.35Z",  # plus
    "M0-1.1L.26-.36L1.05-.34L.42.14L.65.89L0 .44L-.65.89L-.42.14L-1.05-.34L-.26-.36Z",  # star
    "M-.9-1H.9L.2 0L.9 1H-.9L-.2 0Z",  # hourglass
    "M0 1C-1.7-.2-.9-1.1-.5-1C-.2-.95 0-.7 0-.45C0-.7.2-.95.5-1C.9-1.1 1.7-.2 0 1Z",  # heart
    "M0-1.1L1 0H.4V1H-.4V0H-1Z",  # arrow
)
COLOURS = (
    "#0b5fa5",
    "#c2410c",
    "#16803c",
    "#7c3aed",
    "#a3123a",
    "#0f6b75",
    "#8a5a00",
    "#b0268c",
    "#3b4250",
)
PATTERNS = 4  # full, hollow, with a dot, with a stripe
COPIES = ((0.0,), (-0.55, 0.55), (-0.75, 0.0, 0.75))
SIZES = (1.0, 0.55, 0.4)


def motif(kind: int, x: float, y: float, reach: float) -> str:
    """The drawing for a kind of tile, around a point."""
    rest, shape = divmod(kind - 1, len(SHAPES))
    copies, pattern = divmod(rest, PATTERNS)
    copies %= len(COPIES)
    colour = COLOURS[(shape + rest) % len(COLOURS)]  # equal shapes get different colours
    size = SIZES[copies] * reach
    body = "".join(
        tag(
            "g",
            _figure(SHAPES[shape], pattern, colour),
            transform=f"translate({x + place * reach:g} {y + place * reach:g}) scale({size:g})",
        )
        for place in COPIES[copies]
    )
    return tag("g", body, class_="motif", pointer_events="none")


def _figure(shape: str, pattern: int, colour: str) -> str:
    """One shape in its pattern."""
    hollow = pattern in (1, 2)
    fill = "none" if hollow else colour
    parts = [tag("path", d=shape, fill=fill, stroke=colour, stroke_width=0.2)]
    if pattern == 2:
        parts.append(tag("circle", r=0.3, fill=colour))
    elif pattern == 3:
        parts.append(tag("path", d="M-1.2 .25H1.2", stroke="#ffffff", stroke_width=0.32))
    return "".join(parts)
