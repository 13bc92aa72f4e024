"""The Dots and Boxes solver: its theory, its kernels and its answers, against brute force."""

import json
import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import papan
from papan.core import Analysis, Event, Limit, Proved, Thinking
from papan.core.parts import Support
from papan.games.dots.chains import Taking, quiet, safe_lines, step_of, taking
from papan.games.dots.kernel_search import begin_search
from papan.games.dots.rules import Dots, DotsPosition
from papan.games.dots.solver import DotsProver, DotsSolution, DotsSolver, PlayoutGuesses
from papan.games.dots.workspace import DotsBoard, new_memory, turns
from tests.games.test_dots import drawing

CHECKED = json.loads((Path(__file__).parents[1] / "data" / "dots.json").read_text())
"""Positions with their value and all best moves, on which two other programs agree."""
THREE_BY_FOUR = "dots:3,4 0000000000000000000000000000000 1 0-0"
"""The largest board that is solved from its start: it takes as long as all others but one."""

SIZES = [(3, 3), (3, 4), (4, 4), (5, 5), (6, 6), (1, 9), (5, 2), (2, 7)]


def truth(game: Dots) -> DotsProver:
    return DotsProver(game, Thinking(Limit()), memory=8)


class Brute:
    """The boxes still to come, the mover's minus the rival's, by the rules alone."""

    def __init__(self, game: Dots) -> None:
        self.game = game
        self.known = {(1 << game.move_count) - 1: 0}

    def value(self, drawn: int) -> int:
        if drawn not in self.known:
            moves = [move for move in range(self.game.move_count) if not drawn >> move & 1]
            self.known[drawn] = max([self.move_value(drawn, move) for move in moves])
        return self.known[drawn]

    def move_value(self, drawn: int, move: int) -> int:
        after, won = drawn | 1 << move, 0
        future = self.known[after] if after in self.known else self.value(after)
        for box in self.game.touching[move]:
            won += box & after == box
        return won + future if won else -future


@cache
def brute(game: Dots) -> Brute:
    return Brute(game)


def late_position(game: Dots, lines: int, rng: random.Random) -> DotsPosition:
    """A position with so many lines left, any of them, boxes shared out by chance."""
    left = rng.sample(range(game.move_count), lines)
    drawn = (1 << game.move_count) - 1 - sum(1 << line for line in left)
    closed = sum(box & drawn == box for box in game.boxes)
    first = rng.randint(0, closed)
    return DotsPosition(game, drawn, rng.randint(0, 1), (first, closed - first))


def safe_play(game: Dots, lines: int, rng: random.Random) -> DotsPosition:
    """A position with so many lines left, after random lines that gave nothing away."""
    while True:
        position = game.start()
        while len(position.moves()) > lines and (safe := safe_lines(position)):
            position = position.child(rng.choice(safe))
        if len(position.moves()) == lines:
            return position


# The theory


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rows", "columns"),
    [(1, 1), (1, 2), (1, 3), (2, 2), (1, 4), pytest.param(2, 3, marks=pytest.mark.slow)],
)
def test_a_position_with_boxes_to_take_is_worth_what_the_theory_says(
    rows: int, columns: int
) -> None:
    game = Dots(rows, columns)
    values = brute(game)
    values.value(0)
    for drawn in range(1 << game.move_count):
        if not quiet(game, drawn):
            found = taking(game, drawn)
            assert found.value(values.value(found.rest)) == values.value(drawn)


@pytest.mark.thorough
@pytest.mark.parametrize("count", [3, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_theory_holds_late_on_larger_boards(rows: int, columns: int, count: int) -> None:
    game = Dots(rows, columns)
    rng = random.Random(f"theory {rows} {columns}")
    for _ in range(count):
        values = Brute(game)
        drawn = late_position(game, 10, rng).drawn
        values.value(drawn)
        for each, value in values.known.items():
            found = taking(game, each)
            assert found.value(values.value(found.rest)) == value


@pytest.mark.parametrize(
    ("picture", "boxes", "loss"),
    [
        (  # a chain that leads to the rim: its last two boxes can be left
            """
            +---+---+---+
            |
            +---+---+---+
            """,
            3,
            4,
        ),
        (  # a single box has no second one to go with it
            """
            +---+---+---+
            |       |   |
            +---+---+   +
            """,
            3,
            0,
        ),
        (  # closed at both ends: four boxes can be left, as two pairs
            """
            +---+---+---+---+
            |               |
            +---+---+---+---+
            """,
            4,
            8,
        ),
        (  # three are too few
            """
            +---+---+---+
            |           |
            +---+---+---+
            """,
            3,
            0,
        ),
    ],
)
def test_the_loss_of_a_double_cross(picture: str, boxes: int, loss: int) -> None:
    position = drawing(picture)
    found = taking(position.game, position.drawn)
    assert (found.boxes, found.loss) == (boxes, loss)


def test_two_chains_that_meet_are_taken_so_that_the_last_one_leads_on() -> None:
    position = drawing("""
        +---+---+---+
        |           |
        +---+   +---+
                    
        +   +   +   +
        """)
    found = taking(position.game, position.drawn)
    assert found == Taking(3, position.drawn | found.rest, 4)
    assert found.rest == position.after("b1b2 c1c2 b2c2").drawn


# The kernels


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (1, 4)])
def test_the_kernel_knows_every_quiet_position_of_a_small_board(rows: int, columns: int) -> None:
    game = Dots(rows, columns)
    proven = truth(game)
    for drawn in range(1 << game.move_count):
        if quiet(game, drawn):
            assert proven.value(drawn) == brute(game).value(drawn)


@pytest.mark.thorough
def test_the_kernel_knows_quiet_positions_of_two_by_three_boxes() -> None:
    game = Dots(2, 3)
    proven = truth(game)
    rng = random.Random(23)
    for drawn in rng.sample([each for each in range(1 << 17) if quiet(game, each)], 2_000):
        assert proven.value(drawn) == brute(game).value(drawn)


def plain_value(game: Dots, drawn: int, known: dict[int, int]) -> int:
    """The twin of the kernel: quiet positions only, captures by theory, every move tried."""
    if drawn not in known:
        steps = [step_of(game, drawn, move) for move in DotsPosition(game, drawn).moves()]
        known[drawn] = max(
            (each.value(plain_value(game, each.after.rest, known)) for each in steps), default=0
        )
    return known[drawn]


@pytest.mark.thorough
@pytest.mark.parametrize("count", [4, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("rows", "columns"), [*SIZES, (4, 5), (6, 3)])
def test_the_kernel_agrees_with_its_plain_twin(rows: int, columns: int, count: int) -> None:
    game = Dots(rows, columns)
    rng = random.Random(f"twin {rows} {columns}")
    for _ in range(count):
        drawn = taking(game, late_position(game, 16, rng).drawn).rest
        assert truth(game).value(drawn) == plain_value(game, drawn, {})


def open_lines(game: Dots, *paths: list[int], closed: bool) -> int:
    """The lines drawn when all but those along some paths of boxes are."""
    drawn = (1 << game.move_count) - 1
    for path in paths:
        ways = list(pairwise(path))
        if closed:
            ways.append((path[-1], path[0]))
        for one, other in ways:
            drawn &= ~(game.boxes[one] & game.boxes[other])
        if not closed:
            for end in (path[0], path[-1]):
                rim = [line for line in game.sides[end] if len(game.beside[line]) == 1]
                drawn &= ~(1 << rim[0])
    return drawn


def ring(game: Dots, inset: int) -> list[int]:
    """The boxes on a ring around the centre, in order."""
    last_row, last_column = game.rows - 1 - inset, game.columns - 1 - inset
    top = [(inset, column) for column in range(inset, last_column)]
    right = [(row, last_column) for row in range(inset, last_row)]
    bottom = [(last_row, column) for column in range(last_column, inset, -1)]
    left = [(row, inset) for row in range(last_row, inset, -1)]
    return [row * game.columns + column for row, column in top + right + bottom + left]


def test_loops_too_long_to_be_set_aside_are_valued_on_the_board() -> None:
    game = Dots(6, 6)
    rings = [ring(game, inset) for inset in (0, 1, 2)]
    assert [len(each) for each in rings] == [20, 12, 4]
    drawn = open_lines(game, *rings, closed=True)
    assert truth(game).value(drawn) == plain_value(game, drawn, {})


def test_chains_too_long_to_be_set_aside_are_valued_on_the_board() -> None:
    game = Dots(6, 6)
    rows = [list(range(6 * row, 6 * row + 6)) for row in range(6)]
    snake = rows[0] + rows[1][::-1] + rows[2] + rows[3][::-1]
    drawn = open_lines(game, snake, rows[4], rows[5], closed=False)
    assert truth(game).value(drawn) == plain_value(game, drawn, {})


def name_of(game: Dots, drawn: int) -> tuple[int, int]:
    """What the table calls a position."""
    board = DotsBoard(game)
    memory = new_memory(board)
    memory.place(*board.words(drawn), len(game.boxes))
    begin_search(memory.address)
    key, tag = memory.root["name"].tolist()
    return key, tag


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 4), (3, 4), (2, 5)])
def test_a_board_turned_and_mirrored_keeps_its_name(rows: int, columns: int) -> None:
    game = Dots(rows, columns)
    board = DotsBoard(game)
    line_at = {point: line for line, point in enumerate(board.points)}
    drawn = safe_play(game, game.move_count - 8, random.Random(4)).drawn
    lines = [line for line in range(game.move_count) if drawn >> line & 1]
    names = {
        name_of(game, sum(1 << line_at[turn(board.points[line])] for line in lines))
        for turn in turns(game)
    }
    assert len(names) == 1


def test_the_two_rim_lines_of_a_corner_are_interchangeable() -> None:
    start = Dots(3, 3).start()
    lines = ("a1b1", "a1a2", "b1b2")
    across, down, other = (name_of(start.game, start.after(line).drawn) for line in lines)
    assert across == down != other


# The solver


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "value", "best"),
    [
        pytest.param(*row, id=row[0], marks=[pytest.mark.slow] * (row[0] == THREE_BY_FOUR))
        for row in CHECKED
    ],
)
def test_checked_positions(text: str, value: int, best: str) -> None:
    position = papan.position(text)
    analysis = DotsSolver().analyse(position)
    assert (analysis.value, analysis.exact, analysis.why) == (value, True, "exact")
    assert {position.game.move_name(move) for move in analysis.best} == set(best.split())


@pytest.mark.thorough
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_every_move_gets_its_exact_value(rows: int, columns: int) -> None:
    game = Dots(rows, columns)
    rng = random.Random(f"moves {rows} {columns}")
    for _ in range(5):
        position = late_position(game, 11, rng)
        values = Brute(game)
        lead = position.owned[position.turn] - position.owned[1 - position.turn]
        analysis = DotsSolver(all_moves=True).analyse(position)
        assert analysis.value == lead + values.value(position.drawn)
        assert {move: value.number for move, value in analysis.values.items()} == {
            move: lead + values.move_value(position.drawn, move) for move in position.moves()
        }
        assert {value.kind for value in analysis.values.values()} == {"exact"}


@pytest.mark.parametrize(("rows", "columns", "lines"), [(3, 3, 18), (4, 4, 26), (5, 5, 34)])
def test_the_line_is_legal_and_comes_to_the_value(rows: int, columns: int, lines: int) -> None:
    rng = random.Random(f"line {rows} {columns}")
    for _ in range(4):
        position = safe_play(Dots(rows, columns), lines, rng)
        analysis = DotsSolver().analyse(position)
        end = position
        for move in analysis.line:
            assert move in end.moves()
            end = end.child(move)
        assert end.moves() == []
        assert end.owned[position.turn] - end.owned[1 - position.turn] == analysis.value


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        *((f"dots:1,{columns}", -(columns % 2)) for columns in range(1, 10)),
        ("dots:2,1", 0),
        ("dots:2,4", 2),
        ("dots:4,2", 2),
        ("dots:5,2", -2),
    ],
)
def test_known_values_of_small_boards(spec: str, value: int) -> None:
    game = papan.game(spec)
    assert isinstance(game, Dots)
    assert truth(game).value(0) == value


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("spec", "value"),
    [("dots:2,6", 2), ("dots:2,7", 0), ("dots:3,5", -1), ("dots:4,4", 0)],
)
def test_known_values_of_larger_boards(spec: str, value: int) -> None:
    game = papan.game(spec)
    assert isinstance(game, Dots)
    assert DotsProver(game, Thinking(Limit()), memory=256, threads=2).value(0) == value


def test_the_work_is_the_same_every_time() -> None:
    """The node signature: it changes with the search, and with nothing else."""
    rng = random.Random(2026)
    sizes = [(3, 3, 24), (3, 4, 24), (4, 4, 28), (5, 5, 36), (6, 6, 46)]
    nodes = [DotsSolver().analyse(safe_play(Dots(r, c), lines, rng)).nodes for r, c, lines in sizes]
    assert nodes == [24_396, 10_945, 141_298, 14_648, 7_446]


@pytest.mark.thorough
def test_two_threads_find_what_one_finds() -> None:
    rng = random.Random(7)
    for _ in range(3):
        position = safe_play(Dots(4, 4), 27, rng)
        alone, together = (DotsSolver(threads=threads).analyse(position) for threads in (1, 2))
        assert (together.value, set(together.best)) == (alone.value, set(alone.best))


# Limits


@pytest.mark.parametrize("nodes", [1, 2, 50, 999, 1_000, 5_000, 20_000])
def test_a_limit_of_nodes_is_kept_exactly_and_what_is_known_is_true(nodes: int) -> None:
    position = papan.position(CHECKED[4][0])
    analysis, again = (DotsSolver().analyse(position, Limit(nodes=nodes)) for _ in range(2))
    assert (analysis.nodes, analysis.why, analysis.exact) == (nodes, "nodes", False)
    assert analysis.bounds is not None
    low, high = analysis.bounds
    assert low <= CHECKED[4][1] <= high
    assert (analysis.line, analysis.bounds) == (again.line, again.bounds)


def test_it_is_known_first_who_wins_then_by_how_much() -> None:
    analysis = DotsSolver().analyse(papan.position("dots:3,3"), Limit(nodes=12_000))
    assert (analysis.exact, analysis.bounds) == (False, (-9, -1))


@pytest.mark.thorough
def test_time_and_cancelling_end_a_search_at_once() -> None:
    position = papan.position("dots:4,4")
    analysis = DotsSolver().analyse(position, Limit(seconds=0.05))
    assert (analysis.why, analysis.exact) == ("time", False)
    events: list[Event] = []
    analysis = DotsSolver(memory=1).analyse(
        position, listener=events.append, cancelled=lambda: len(events) > 3
    )
    assert (analysis.why, analysis.exact) == ("cancelled", False)
    roots = [event for event in events if event["t"] == "root"]
    assert roots
    assert all(event["bounds"][0] <= 0 <= event["bounds"][1] for event in roots)


@pytest.mark.parametrize("spec", ["dots:5,5", "dots:6,6", "dots:1,25"])
def test_boards_out_of_reach_are_played_all_the_same(spec: str) -> None:
    position = papan.position(spec)
    analysis = DotsSolver().analyse(position, Limit(nodes=3_000))
    assert (analysis.nodes, analysis.why) == (3_000, "nodes")
    assert analysis.line[0] in safe_lines(position)  # type: ignore[arg-type]


def test_playouts_find_the_only_good_move_when_they_can_see_the_end() -> None:
    position = papan.position("dots:4,4 1111100001011010111111010101101010100110 1 2-0")
    assert isinstance(position, DotsPosition)
    guesses = PlayoutGuesses(truth(position.game), position.drawn, 3_000)
    steps = [step_of(position.game, position.drawn, move) for move in position.moves()]
    exact = DotsSolver(all_moves=True).analyse(position)
    assert len(exact.best) == 1
    assert max(steps, key=guesses.of).move == exact.move
    assert guesses.value == pytest.approx(exact.values[exact.move].number - 2, abs=0.5)


def test_too_large_a_board_has_no_solver() -> None:
    assert Support.of(papan.game("dots:7,7")).solver() is None
    assert not DotsSolver().plays(Dots(7, 7))
    assert Support.of(papan.game("dots:6,6")).solver(memory=16) == DotsSolver(memory=16)


# The explanation


LOONY = """
    +---+---+---+---+
                     
    +---+---+---+---+
                     
    +---+---+---+---+
    """


def explained(analysis: Analysis) -> dict[str, object]:
    """The explanation of an endgame, without what it was found with."""
    return {key: fact for key, fact in analysis.facts.items() if key not in ("book", "table")}


def test_before_the_endgame_there_is_nothing_to_explain() -> None:
    assert explained(DotsSolver().analyse(papan.position("dots:2,2"))) == {}


def test_the_solver_tells_of_its_table_and_whether_it_had_a_book() -> None:
    facts = DotsSolver(book=False).analyse(papan.position("dots:2,2")).facts
    assert facts["book"] is False
    assert facts["table"]


def test_who_must_open_a_chain_is_not_in_control() -> None:
    analysis = DotsSolver().analyse(drawing(LOONY))
    assert analysis.value == -4
    assert explained(analysis) == {
        "chains": [4, 4],
        "loops": [],
        "control": 2,
        "double_cross": [],
    }


def test_who_takes_a_chain_keeps_control_by_a_double_cross() -> None:
    taken = drawing(LOONY).after("a1a2 b1b2 c1c2")
    analysis = DotsSolver().analyse(taken)
    assert explained(analysis) == {
        "chains": [4],
        "loops": [],
        "control": 2,
        "double_cross": ["e1e2"],
    }
    assert [taken.game.move_name(move) for move in analysis.best] == ["e1e2"]


def test_with_short_chains_about_the_control_is_not_decided_yet() -> None:
    position = drawing(
        """
        +---+---+---+
                     
        +---+---+---+
        |   |       |
        +---+   +   +
        """,
        owned="1-0",
    )
    facts = DotsSolver().analyse(position).facts
    assert (facts["chains"], facts["control"]) == ([2, 3], None)


def test_y7_of_an_open_chain_and_a_closed_loop_the_cheaper_is_left() -> None:
    game = Dots(3, 4)
    top, middle, bottom = game.sides[:4], game.sides[4:8], game.sides[8:]
    level = {line for across in (top, bottom) for box in across for line in (box[0], box[3])}
    ends = {top[0][1], top[3][2], bottom[0][1]}  # above both ends are shut, below one is open
    drawn = sum(1 << line for line in level | ends)
    assert not any(1 << box[side] & drawn for box in middle for side in (1, 2))
    found = taking(game, drawn)
    assert found.boxes == 8
    assert found.loss == 4, "two boxes of the chain, not four of the closed row, are left"


# What guides the search


@pytest.mark.parametrize(
    ("rows", "columns", "distances"),
    [
        (2, 2, {"a2b2": 1, "b1b2": 1, "a1b1": 5, "b3c3": 5, "a1a2": 5}),  # squared, in half boxes
        (2, 3, {"b2c2": 0, "a2b2": 2, "b1c1": 4, "b1b2": 3, "a1a2": 5}),  # rows twice
        (3, 2, {"b2b3": 0, "b1b2": 2, "a2a3": 4, "a2b2": 3, "a1b1": 5}),  # columns twice
        (2, 4, {"c1c2": 1, "b2c2": 2, "b1c1": 4, "a1b1": 8, "a1a2": 9}),
        (3, 5, {"c2d2": 1, "c2c3": 2, "c1d1": 3, "a1b1": 11, "a1a2": 12}),
        (4, 2, {"a3b3": 1, "b2b3": 2, "a2a3": 4, "a1b1": 9, "a1a2": 8}),
    ],
)
def test_lines_are_told_apart_by_their_distance_from_the_centre(
    rows: int, columns: int, distances: dict[str, int]
) -> None:
    game = Dots(rows, columns)
    board = DotsBoard(game)
    assert {name: board.distance(game.parse_move(name)) for name in distances} == distances


OPEN_ABOVE = """
    +---+---+---+
    |   |
    +---+---+---+

    +   +   +   +
    """


def test_boxes_are_taken_first_then_what_leaves_the_rival_least_from_the_centre_outwards() -> None:
    position = drawing(OPEN_ABOVE, owned="1-0")
    solution = DotsSolution(position, Thinking(Limit()), DotsSolver())
    names = [position.game.move_name(each.move) for each in solution.steps]
    # twice the rows plus the columns, in half boxes from the centre: across before down
    near, far = ["b2b3", "c2c3", "b3c3"], ["a2a3", "d2d3", "a3b3", "c3d3"]
    assert names == ["c1c2", *near, "d1d2", *far]


def test_two_boxes_are_taken_before_one() -> None:
    position = drawing("+---+---+---+\n|       |\n+---+---+---+")
    solution = DotsSolution(position, Thinking(Limit()), DotsSolver())
    assert [position.game.move_name(each.move) for each in solution.steps] == ["b1b2", "d1d2"]


@pytest.mark.parametrize("goal", [-6, 2, 2.5, 3, 4, 4.5, 5, 6, 8])
def test_with_a_goal_only_that_is_proved(goal: float) -> None:
    analysis = DotsSolver(goal=goal).analyse(drawing(OPEN_ABOVE, owned="1-0"))
    assert analysis.bounds is not None
    assert analysis.why == "done"
    low, high = analysis.bounds
    assert low <= 4 <= high  # the value
    assert (low >= goal) == (goal <= 4) != (high < goal)


def test_moves_that_are_not_best_are_proved_to_be_two_boxes_worse() -> None:
    analysis = DotsSolver().analyse(drawing(OPEN_ABOVE, owned="1-0"))
    assert analysis.value == 4
    worse = {move: value for move, value in analysis.values.items() if move not in analysis.best}
    assert worse and set(worse.values()) == {Proved(high=2)}


def test_a_prover_knows_how_much_is_left_and_foresees_its_work() -> None:
    prover = DotsProver(Dots(2, 2), Thinking(Limit(seconds=3, nodes=2_000_000)), memory=1)
    assert [prover.left(drawn) for drawn in (0, 0b100010101, (1 << 12) - 1)] == [4, 4, 0]
    assert prover.left(prover.game.boxes[0]) == 3
    assert prover.likely_nodes(0) == pytest.approx(10**2.44)  # of 12 lines and 4 boxes
    assert prover.likely_nodes(prover.game.boxes[3]) == pytest.approx(10**1.15)  # 8 and 3
    assert prover.bounds(0) == (-4, 4)
    assert (prover.granted, prover.most_nodes) == (2_000_000, 2_000_000)
    assert DotsProver(Dots(2, 2), Thinking(Limit(seconds=3)), memory=1).granted == 3_000_000


def test_what_is_asked_is_proved_and_no_more() -> None:
    prover = truth(Dots(2, 2))  # worth 2
    assert prover.at_least(0, -1)  # as all values are even: 0
    assert prover.bounds(0) == (0, 4)
    assert not prover.at_most(0, 1)
    assert prover.bounds(0) == (2, 4)
    assert not prover.at_least(0, 3)
    assert prover.bounds(0) == (2, 2)
    nodes = prover.nodes
    assert prover.at_least(0, 2) and prover.at_most(0, 2) and not prover.at_most(0, 1)
    assert prover.nodes == nodes


@pytest.mark.parametrize(
    ("first", "answers"),
    [
        (-9, [(True, -2), (True, 0), (True, 2), (False, 2)]),
        (2, [(True, 2), (False, 2)]),
        (9, [(False, -4), (True, 2)]),
    ],
)
def test_bounds_close_in_on_the_value_from_where_they_are_asked(
    first: int, answers: list[tuple[bool, int]]
) -> None:
    prover = truth(Dots(2, 2))
    found = [(holds, prover.bounds(0)[0]) for holds in prover.close_in(0, first)]
    assert prover.bounds(0) == (2, 2)
    assert found == answers
    assert [*prover.close_in(0, first)] == []


def test_a_prover_is_kept_for_the_same_board_and_counts_anew() -> None:
    solver, thinking = DotsSolver(reuse=True, memory=1), Thinking(Limit(nodes=50_000))
    first = solver.truth(Dots(2, 2), thinking)
    assert first.value(0) == 2
    assert first.nodes > 0
    again = solver.truth(Dots(2, 2), Thinking(Limit(nodes=7)))
    assert again is first
    assert (again.nodes, again.most_nodes, again.bounds(0)) == (0, 7, (2, 2))
    assert solver.truth(Dots(2, 3), thinking) is not first
    assert solver.truth(Dots(2, 2), thinking) is not first
    once = DotsSolver(memory=1)
    assert once.truth(Dots(2, 2), thinking) is not once.truth(Dots(2, 2), thinking)


@pytest.mark.parametrize(("visits", "ended"), [(39, ""), (40, "nodes"), (41, "nodes")])
def test_playouts_end_with_the_nodes(visits: int, ended: str) -> None:
    game = Dots(2, 3)
    prover = DotsProver(game, Thinking(Limit(nodes=40)), memory=1)
    guesses = PlayoutGuesses(prover, 0, visits)
    assert (guesses.ended, prover.nodes) == (ended, min(visits, 40))
    made = [guesses.of(step_of(game, 0, move))[0] for move in range(game.move_count)]
    assert sum(made) <= 2 * prover.nodes, "corner lines count as one, and are asked for twice"
