"""Growth: work that grows with a power of the board, and work that each ply multiplies."""

from __future__ import annotations

from math import factorial

from papan import catalog
from papan.core import Position
from papan.lessons.lesson import Lesson, Scene, StepTable, Story, Text, TextValue

SIDES = (3, 6, 12)
PLIES = 4
FASTER = 100
"""How much faster the machine is that people dream of."""


def looks(side: int) -> int:
    """How many cells are looked at to list the empty ones of a board."""
    position = catalog.position(f"tictactoe:{side},{side},{side}")
    return len(position.write()[0].replace("/", ""))


def lines(position: Position, plies: int) -> int:
    """How many lines of play of that length there are: counted one by one."""
    if plies == 0:
        return 1
    return sum(lines(position.child(move), plies - 1) for move in position.moves())


def least(moves: int, plies: int) -> int:
    """How many ends of lines alpha-beta must look at, if it always tries the best move first."""
    return int(moves ** (plies // 2) + moves ** ((plies + 1) // 2)) - 1


def grow(story: Story) -> dict[int, int]:
    """The whole lesson; the lines of play of each length that it has counted."""
    small = catalog.position("tictactoe")
    story.scene = Scene(small)
    story.add_step("lesson.growth_start", line="scan")
    _squares(story)
    found = _lines(story, small)
    _bound(story, found)
    wide = catalog.position("connect4")
    story.scene = Scene(wide)
    _factor(story, wide)
    _prune(story, len(wide.moves()))
    return found


def _squares(story: Story) -> None:
    """n²: the cells of a board."""
    rows = [(side, looks(side)) for side in SIDES]
    heads = ("lesson.head_n", "lesson.head_looks")
    story.add_step("lesson.growth_scan", line="look", table=StepTable(heads, tuple(rows[:-1])))
    (_, before), (side, answer) = rows[-2:]
    story.ask_number(
        "looks",
        answer,
        "lesson.growth_ask_looks",
        why="lesson.growth_why_looks",
        slips={"lesson.growth_slip_twice": 2 * before, "lesson.growth_slip_add": 2 * side},
        side=side,
        before=before,
    )
    table = StepTable(heads, tuple(rows), marked=len(rows) - 1)
    facts: dict[str, TextValue] = {"looks": answer, "before": before}
    story.add_step("lesson.growth_square", facts, line="column", variables=facts, table=table)
    story.ask_number(
        "factor",
        looks(15) // looks(3),
        "lesson.growth_ask_five",
        why="lesson.growth_why_five",
        slips={"lesson.growth_slip_rows": 5, "lesson.growth_slip_sum": 10},
    )
    five: dict[str, TextValue] = {"factor": looks(15) // looks(3), "looks": looks(15)}
    story.add_step("lesson.growth_five", five, line="column", variables=five)


def _lines(story: Story, root: Position) -> dict[int, int]:
    """Lines of play: every ply multiplies them."""
    found = {plies: lines(root, plies) for plies in range(1, PLIES + 1)}
    heads = ("lesson.head_plies", "lesson.head_lines")
    rows = tuple(found.items())
    moves = len(root.moves())
    first: dict[str, TextValue] = {"first": moves, "left": moves - 1, "lines": found[2]}
    story.add_step("lesson.growth_lines", first, line="each", table=StepTable(heads, rows[:2]))
    story.ask_number(
        "lines",
        found[3],
        "lesson.growth_ask_lines",
        why="lesson.growth_why_lines",
        slips={
            "lesson.growth_slip_added": found[2] + moves - 2,
            "lesson.growth_slip_nine": found[2] * moves,
        },
        lines=found[2],
        left=moves - 2,
    )
    facts: dict[str, TextValue] = {"lines": found[3]}
    table = StepTable(heads, rows, marked=2)
    more = {**facts, "before": found[2], "left": moves - 2, "next": found[PLIES]}
    story.add_step("lesson.growth_multiplied", more, line="deeper", variables=facts, table=table)
    return found


ABOVE, EXACT, BELOW = "lesson.growth_above", "lesson.growth_exact", "lesson.growth_below"


def _bound(story: Story, found: dict[int, int]) -> None:
    """b^m is a bound where moves are used up: the paper's 9^9."""
    moves = found[1]
    story.add_step("lesson.growth_power", {"moves": moves}, line="play")
    true = EXACT if found[PLIES] == moves**PLIES else ABOVE
    why: dict[TextValue, Text] = {
        EXACT: Text("lesson.growth_why_exact", {"moves": moves}),
        BELOW: Text("lesson.growth_why_below", {"moves": moves}),
    }
    choices = (EXACT, ABOVE, BELOW)
    ask = "lesson.growth_ask_bound"
    story.ask_choice("power", true, choices, ask, why=why, moves=moves)
    rows = tuple((plies, count, moves**plies) for plies, count in found.items())
    heads = ("lesson.head_plies", "lesson.head_lines", "lesson.head_power")
    facts: dict[str, TextValue] = {"all": moves**moves, "orders": factorial(moves)}
    table = StepTable(heads, rows)
    story.add_step(
        "lesson.growth_bound", facts, line="play", variables={"power": true}, table=table
    )


def _factor(story: Story, root: Position) -> None:
    """Where no move is used up, each ply costs the same factor; what a faster machine buys."""
    found = {plies: lines(root, plies) for plies in (1, 2, 3)}
    moves = len(root.moves())
    table = StepTable(("lesson.head_plies", "lesson.head_lines"), tuple(found.items()))
    story.add_step("lesson.growth_columns", {"moves": moves}, line="each", table=table)
    story.ask_number(
        "factor",
        moves,
        "lesson.growth_ask_factor",
        why="lesson.growth_why_factor",
        slips={"lesson.growth_slip_one": 1, "lesson.growth_slip_double": 2},
        moves=moves,
    )
    facts: dict[str, TextValue] = {"factor": moves}
    story.add_step("lesson.growth_factor", facts, line="deeper", variables=facts)
    more = next(plies for plies in range(99) if moves ** (plies + 1) > FASTER)
    story.ask_number(
        "more",
        more,
        "lesson.growth_ask_faster",
        why="lesson.growth_why_faster",
        slips={"lesson.growth_slip_divided": FASTER // moves, "lesson.growth_slip_all": FASTER},
        faster=FASTER,
        moves=moves,
    )
    values: dict[str, TextValue] = {
        "faster": FASTER,
        "moves": moves,
        "more": more,
        "enough": moves**more,
        "far": moves ** (more + 1),
    }
    story.add_step("lesson.growth_faster", values, line="deeper", variables={"more": more})


def _prune(story: Story, moves: int) -> None:
    """Two laws in one picture, and what pruning does to the second."""
    sizes = range(1, 9)
    curves = {
        "square": tuple(float(each**2) for each in sizes),
        "power": tuple(float(2**each) for each in sizes),
    }
    story.add_step("lesson.growth_beside", line="play", curves=curves)
    overtakes = next(n for n in range(2, 99) if all(2**m > m**2 for m in range(n, n + 9)))
    story.ask_number(
        "overtakes",
        overtakes,
        "lesson.growth_ask_overtakes",
        why="lesson.growth_why_overtakes",
        slips={"lesson.growth_slip_equal": overtakes - 1},
    )
    facts: dict[str, TextValue] = {"overtakes": overtakes}
    story.add_step("lesson.growth_overtakes", facts, line="play", variables=facts, curves=curves)
    rows = tuple((plies, moves**plies, least(moves, plies)) for plies in (2, 4, 6, 8))
    heads = ("lesson.head_plies", "lesson.head_minimax", "lesson.head_least")
    table = StepTable(heads, rows)
    values: dict[str, TextValue] = {"moves": moves, "all": rows[-1][1], "least": rows[-1][2]}
    story.add_step("lesson.growth_prune", values, line="play", table=table)


LESSON = Lesson(
    "growth",
    "tictactoe",
    grow,
    ("scan", "row", "column", "look", "play", "stop", "each", "deeper"),
    agent="minimax",
    variants=("minimax:depth=3", "minimax:depth=4"),
    place=4,
)
