"""Paper 004: its three test games and the values in its tables 4, 6 and 8.

Cells are named by column A-G and row 1-6 from the bottom. Red is the greedy player and moves first;
blue is the computer it played against, at three levels.
"""

COLUMNS = "ABCDEFG"

PLAYED = {
    1: "G1 F1 G2 G3 F2 A1 F3 F4 G4 E1 E2 G5 D1",
    2: "A1 B1 A2 A3 B2 B3 C1 A4 D1 G1 C2 F1 C3 A5 D2",
    3: "A1 B1 A2 A3 B2 B3 C1 A4 C2 C3 A5 B4 B5 C4 C5 E1 B6 F1 D1 D2",
}
"""Tables 3, 5 and 7, red and blue in turn, without their misprints: blue's A5 in game 2 is printed
as A1, and the end of game 3 is printed by columns."""

PUBLISHED = {
    1: "0000000 0000001 0000002 0000120 0000101 0002611 0007610",
    2: "0000000 1100000 0200000 0010000 2061000 2072100 2087500 4058500",
    3: "0000000 1100000 0200000 0010000 2061000 2002000 1332000 2272000 2322000 3034002",
}
"""Tables 4, 6 and 8: one digit a column for each step of red."""

MISSES = {
    (1, 2, "F"): (0, 1),  # the pair F2-G1 overlooked
    (1, 3, "F"): (0, 2),  # a slip by one column: the move was F2
    (1, 3, "G"): (2, 0),
    (1, 7, "E"): (6, 7),  # copied from the row above, or a pair missed
    (2, 6, "E"): (1, 3),  # C1-D1-E1 is a three
    (2, 8, "B"): (0, 1),  # the pair B4-C3 overlooked
    (3, 7, "C"): (3, 2),  # not explained
}
"""The cells where the tables are not what the paper's own rules give: printed, ours."""

TABLES = {1: 4, 2: 6, 3: 8}
"""The number of each game's table of values."""

LEVELS = {1: "beginner", 2: "easy", 3: "medium"}

RESULTS = {1: 1, 2: 1, 3: -1}
"""Won, won, lost."""
