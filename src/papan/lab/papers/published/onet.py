"""Paper 002: the boards of its section IV and what its program does on them."""

from typing import NamedTuple


class Experiment(NamedTuple):
    """A board, and the moves of the most-openings player under each rule."""

    name: str
    size: str
    board: str
    paper: str
    """Under the paper's own, narrower rule: what its figures show."""
    onet: str
    """Under the rule of Onet."""


EXPERIMENTS = (
    Experiment(
        "normal",
        "6,12",
        (
            "1,2,3,4,5,2,6,7,8,9,10,5/6,11,10,4,12,13,14,12,9,2,5,15/"
            "12,5,16,17,17,14,6,9,6,3,18,13/14,18,12,10,16,19,10,7,17,15,11,16/"
            "20,8,19,11,19,7,8,16,14,15,9,7/15,20,1,13,19,11,18,8,17,18,13,2"
        ),
        (
            "d3e3 c3e4 e2c4 c2d4 d1d2 b2d5 f2d6 g2f3 b1f1 e1b3 h2a3 i2h3 h1h4 j4j5 g3i3 "
            "c1j3 a1c6 g1a2 k3j6 l3k6 l4h5 i6i4 j2l6 j1k5 k1g4 l1k2 a4i5 i1g5 b4g6 b5h6 "
            "a5b6 l2a6 k4f6 f5l5 f4c5 e5e6"
        ),
        (
            "g6j6 d3e3 c3e4 d1d2 e1b3 k1d4 b2d5 d6k6 b1f1 l1k2 k3b4 i1b5 j1i2 f3a4 h1l5 "
            "a5b6 a1c6 j4j5 i4i6 g5h6 k4f6 g1g3 a2i3 g2i5 c2g4 c1j3 h3k5 f2l3 j2l6 l4h5 "
            "l2a6 h4f5 e2h2 a3c4 f4c5 e5e6"
        ),
    ),
    Experiment(
        "no_move",
        "4,4",
        "1,2,3,4/2,3,4,5/3,4,5,6/5,6,7,8",
        "",
        "",
    ),
    Experiment(
        "border",
        "2,6",
        "1,2,3,4,5,1/2,3,4,5,6,7",
        "a1f1 b1a2 c1b2 d1c2 e1d2",
        "a1f1 b1a2 c1b2 d1c2 e1d2",
    ),
    Experiment(
        "far_border",
        "3,6",
        "6,1,2,3,4,5/2,3,4,5,6,7/3,1,6,7,8,9",
        "",
        "",
    ),
)
"""Figures 4.3 to 4.7."""

EDGES = (
    Experiment(
        "bottom_row",
        "2,6",
        "2,3,4,5,6,7/1,2,3,4,5,1",
        "",
        "a2f2 a1b2 b1c2 c1d2 d1e2",
    ),
    Experiment(
        "right_column",
        "6,2",
        "2,1/3,2/4,3/5,4/6,5/7,1",
        "",
        "b1b6 a1b2 a2b3 a3b4 a4b5",
    ),
)
"""Not in the paper: figure 4.6 at the two borders that its program forgets."""

FIRST, LAST = "d3e3", ("f5l5", "f4c5", "e5e6")
"""The moves that figures 4.3 and 4.4 show of the first experiment."""
