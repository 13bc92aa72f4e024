"""Paper 000: the game on a board of 3x3 boxes, and what it says about the board."""

MOVES = """
    c3d3 a1b1
    a2b2 b1c1
    c1c2 c1d1
    c2c3 a3b3
    b3b4 c3c4
    b2c2 b1b2 a1a2 c2d2
    a3a4 a4b4 d1d2 d2d3 b3c3
    b4c4 b2b3 a2a3 c4d4 d3d4
"""
"""A round a line: a person on the first seat, then the paper's program on the second."""

PROGRAM_PLIES = (2, 4, 6, 8, 10, 12, 13, 14, 16, 17, 18, 19, 24)

SCORES = "0-0 " * 11 + "0-1 0-2 0-2 0-2 0-3 0-4 0-5 0-5 1-5 2-5 3-5 3-5 3-6"
"""The printed score after each ply."""

DEGREE = 4
"""The lines at every dot of a full board, which the paper calls a regular graph."""


def lines(dots: int) -> float:
    """The paper's number of lines on a full board with so many dots: 2n / r."""
    return 2 * dots / DEGREE
