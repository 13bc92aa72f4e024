"""Dots and Boxes: the rules against counted tables, worked examples, OpenSpiel and known values."""

import random
from collections import Counter
from math import factorial
from textwrap import dedent
from xml.etree import ElementTree

import pyspiel
import pytest

import papan
from papan.core import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Position,
    Setup,
    View,
)
from papan.core.parts import Drawing, Support
from papan.games.dots.chains import Chain, Taking, boxes_to_take, chains, safe_lines
from papan.games.dots.drawing import completions
from papan.games.dots.rules import Dots, DotsPosition


def drawing(picture: str, turn: int = 1, owned: str = "0-0") -> DotsPosition:
    """The position of a picture: dots are +, lines are --- and |, dots stand four apart."""
    rows = dedent(picture).strip("\n").split("\n")
    width = max(map(len, rows))
    rows = [row.ljust(width) for row in rows]
    across = [row[column] for row in rows[::2] for column in range(2, width, 4)]
    down = [row[column] for row in rows[1::2] for column in range(0, width, 4)]
    lines = "".join("0" if mark == " " else "1" for mark in (*across, *down))
    return Dots(len(rows) // 2, width // 4).read((lines, str(turn), owned))


def outcomes(
    position: Position, known: dict[Position, Counter[tuple[float, ...]]]
) -> Counter[tuple[float, ...]]:
    """How many ways to play on end in which scores."""
    if position not in known:
        nexts = [outcomes(position.child(move), known) for move in position.moves()]
        known[position] = sum(nexts, Counter()) if nexts else Counter({position.scores(): 1})
    return known[position]


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        (1, 1, {(0, 1): 24}),
        (1, 2, {(0, 2): 3168, (1, 1): 1152, (2, 0): 720}),
        (1, 3, {(0, 3): 1415808, (1, 2): 932544, (2, 1): 569088, (3, 0): 711360}),
        (
            2,
            2,
            {
                (0, 4): 116660736,
                (1, 3): 84828672,
                (2, 2): 76096512,
                (3, 1): 82192896,
                (4, 0): 119222784,
            },
        ),
    ],
)
def test_all_games_by_their_scores(
    rows: int, columns: int, expected: dict[tuple[int, int], int]
) -> None:
    game = Dots(rows, columns)
    assert outcomes(game.start(), {}) == expected
    assert sum(expected.values()) == factorial(game.move_count)


@pytest.mark.parametrize(
    ("rows", "columns", "positions"), [(1, 1, 16), (1, 2, 142), (1, 3, 1238), (2, 2, 5349)]
)
def test_all_positions(rows: int, columns: int, positions: int) -> None:
    known: dict[Position, Counter[tuple[float, ...]]] = {}
    outcomes(Dots(rows, columns).start(), known)
    assert len(known) == positions


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 2), (6, 6), (10, 10)],
)
def test_open_spiel_agrees(rows: int, columns: int) -> None:
    rng = random.Random(f"{rows} {columns}")
    rules = pyspiel.load_game(
        f"dots_and_boxes(num_rows={rows},num_cols={columns},utility_margin=true)"
    )
    for _ in range(8 if rows * columns > 30 else 40):
        position, state = Dots(rows, columns).start(), rules.new_initial_state()
        while not state.is_terminal():
            assert position.moves() == state.legal_actions()
            assert position.turn == state.current_player()
            picture = str(state)
            assert position.scores() == (picture.count("1"), picture.count("2"))
            move = rng.choice(position.moves())
            position = position.child(move)
            state.apply_action(move)
        first, second = position.scores()
        assert position.moves() == []
        assert [first - second, second - first] == state.returns()


def values(game: Dots) -> dict[int, int]:
    """The boxes still to come, the mover's minus the rival's, for each set of drawn lines."""
    known: dict[int, int] = {}

    def value(position: DotsPosition) -> int:
        if position.drawn not in known:
            best = 0 if not position.moves() else -len(game.boxes)
            for move in position.moves():
                child = position.child(move)
                gained = child.owned[position.turn] - position.owned[position.turn]
                future = value(child)
                best = max(best, gained + (future if child.turn == position.turn else -future))
            known[position.drawn] = best
        return known[position.drawn]

    value(game.start())
    return known


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rows", "columns", "margin"),
    [
        (1, 1, -1),
        (1, 2, 0),
        (1, 3, -1),
        (1, 4, 0),
        (2, 1, 0),
        (2, 2, 2),
        pytest.param(1, 5, -1, marks=pytest.mark.slow),
        pytest.param(2, 3, -2, marks=pytest.mark.slow),
    ],
)
def test_the_value_of_small_boards(rows: int, columns: int, margin: int) -> None:
    assert values(Dots(rows, columns))[0] == margin


def test_a_line_without_a_box_passes_the_turn() -> None:
    position = Dots(2, 2).start().after("a1b1")
    assert (position.turn, position.owned) == (1, (0, 0))


def test_a_box_gives_its_owner_another_turn() -> None:
    position = Dots(2, 2).start().after("a1b1 a2b2 a1a2 b1b2")
    assert (position.turn, position.owned) == (1, (0, 1))
    assert Drawing.of(position).picture() == "\n".join(
        (
            "  a   b   c",
            "1 +---+   +",
            "  | * |",
            "2 +---+   +",
            "",
            "3 +   +   +",
        )
    )


def test_one_line_completes_two_boxes() -> None:
    before = drawing("""
        +---+---+
        |       |
        +---+---+
        """)
    after = before.after("b1b2")
    assert (after.turn, after.owned) == (0, (2, 0))
    assert after.moves() == []


def test_the_game_ends_when_all_lines_are_drawn_though_one_side_leads_long_before() -> None:
    position = Dots(1, 3).start().after("a1b1 a2b2 b1c1 b2c2 c1d1 c2d2 a1a2 b1b2 c1c2")
    assert position.owned == (0, 2)
    assert position.moves() == [9]
    assert position.after("d1d2").scores() == (0, 3)


def test_a_line_is_drawn_once() -> None:
    with pytest.raises(IllegalMoveError, match=r"b1a1 is not legal in .*; legal: a2b2 a1a2 b1b2"):
        Dots(1, 1).start().after("a1b1 b1a1")


@pytest.mark.parametrize("text", ["b2c2", "c2b2", "B2C2", "c2B2"])
def test_the_dots_of_a_line_may_come_in_either_order_and_case(text: str) -> None:
    game = Dots(2, 2)
    assert game.move_name(game.parse_move(text)) == "b2c2"


def test_lines_across_come_before_lines_down() -> None:
    game = Dots(1, 2)
    names = [game.move_name(move) for move in range(game.move_count)]
    assert names == ["a1b1", "b1c1", "a2b2", "b2c2", "a1a2", "b1b2", "c1c2"]


@pytest.mark.parametrize("text", ["a1c1", "a1b2", "a1a1", "b1c2"])
def test_dots_that_are_not_neighbours_make_no_line(text: str) -> None:
    with pytest.raises(InvalidMoveError) as caught:
        Dots(2, 2).parse_move(text)
    assert str(caught.value) == (
        f"'{text}' does not join two neighbouring dots; write a line like 'a1b1'."
    )


@pytest.mark.parametrize("text", ["a1", "a1d1", "a0a1", "a1b1c1", "11", "zz"])
def test_what_is_not_two_dots_is_refused(text: str) -> None:
    with pytest.raises(
        InvalidMoveError, match=f"'{text}' is not a move here; .* 'a1b1', up to 'c3'"
    ):
        Dots(2, 2).parse_move(text)


@pytest.mark.parametrize("spec", ["dots:0,3", "dots:3,0", "dots:26,3", "dots:3,26", "dots:-1,3"])
def test_other_sizes_are_refused(spec: str) -> None:
    with pytest.raises(InvalidSpecError) as caught:
        papan.game(spec)
    assert str(caught.value) == f"{spec}: the board may have 1 to 25 rows and columns of boxes."


def test_the_largest_board_can_be_played_and_read() -> None:
    position = Dots(25, 25).start().after("z25z26 y26z26")
    assert papan.position(str(position)) == position
    full = papan.position(f"dots:25,25 {'1' * 1300} 2 525-100")
    assert (full.is_over, full.turn, full.scores()) == (True, 1, (525, 100))
    assert full.game.largest_margin == 625


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0000 1", "is not a position; write it in the form 'dots:1,1 <lines> <turn> <boxes>'"),
        ("000 1 0-0", "'000' does not say which lines are drawn; write 4 digits"),
        ("0002 1 0-0", "'0002' does not say which lines are drawn"),
        ("0000 3 0-0", "'3' cannot be to move; write 1 or 2"),
        ("0000 x 0-0", "'x' cannot be to move; write 1 or 2"),
        ("0000 1 1-0", "'1-0' does not fit the lines, which complete so many boxes: 0"),
        ("1111 1 0-0", "'0-0' does not fit the lines, which complete so many boxes: 1; .* '0-1'"),
        ("1111 1 1-1", "'1-1' does not fit the lines"),
        ("1111 1 2--1", "'2--1' does not fit the lines"),
        ("1111 1 one", "'one' does not fit the lines"),
    ],
)
def test_text_that_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidPositionError, match=message):
        Dots(1, 1).parse(text)


CHAINS = {
    "no chain on an empty board": ("+   +   +\n\n+   +   +", "0-0", []),
    "an open chain": (
        """
        +---+---+---+

        +---+---+---+
        """,
        "0-0",
        [("open", "a1 b1 c1", "a1a2 b1b2 c1c2 d1d2")],
    ),
    "a half-open chain": (
        """
        +---+---+---+
                    |
        +---+---+---+
        """,
        "0-0",
        [("half-open", "a1 b1 c1", "a1a2 b1b2 c1c2")],
    ),
    "a closed chain": (
        """
        +---+---+---+
        |           |
        +---+---+---+
        """,
        "0-0",
        [("closed", "a1 b1 c1", "b1b2 c1c2")],
    ),
    "a half-open chain around a corner": (
        """
        +---+---+
        |       |
        +---+   +
        """,
        "0-0",
        [("half-open", "a1 b1", "b1b2 b2c2")],
    ),
    "a single box is a chain of one": (
        """
        +---+
        |
        +   +
        """,
        "0-0",
        [("open", "a1", "b1b2 a2b2")],
    ),
    "a loop": (
        """
        +---+---+
        |       |
        +   +   +
        |       |
        +---+---+
        """,
        "0-0",
        [("loop", "a1 a2 b2 b1", "b1b2 a2b2 b2b3 b2c2")],
    ),
    "chains end where three meet": (
        """
        +---+---+---+

        +---+   +---+
        |   |   |   |
        +---+   +---+
        """,
        "1-1",
        [
            ("open", "a1", "a1a2 b1b2"),
            ("open", "c1", "c1c2 d1d2"),
            ("open", "b2", "b2c2 b3c3"),
        ],
    ),
    "a chain around a corner, beside a box that still has room": (
        """
        +---+---+---+
        |
        +   +---+---+
        |   |
        +   +   +   +
        """,
        "0-0",
        [("open", "c1 b1 a1 a2", "d1d2 c1c2 b1b2 a2b2 a3b3"), ("open", "b2", "c2c3 b3c3")],
    ),
}


@pytest.mark.parametrize(("picture", "owned", "expected"), CHAINS.values(), ids=CHAINS)
def test_chains_and_loops(picture: str, owned: str, expected: list[tuple[str, str, str]]) -> None:
    position = drawing(picture, owned=owned)
    assert [described(position, chain) for chain in chains(position)] == expected


def described(position: DotsPosition, chain: Chain) -> tuple[str, str, str]:
    """A chain in words: a box is named after the dot at its top left."""
    game = position.game
    corners = (game.lines[game.sides[box][0]][0] for box in chain.boxes)
    boxes = " ".join(game.dots.names[dot] for dot in corners)
    return chain.shape, boxes, " ".join(map(game.move_name, chain.lines))


def test_chains_of_three_are_long() -> None:
    three, two = (
        chains(drawing("+---+---+---+\n\n+---+---+---+")),
        chains(drawing("+---+---+\n\n+---+---+")),
    )
    assert [(chain.length, chain.long) for chain in (*three, *two)] == [(3, True), (2, False)]


def test_each_box_with_two_or_three_sides_is_in_one_chain() -> None:
    rng = random.Random(0)
    for _ in range(200):
        position = Dots(4, 5).start()
        for _ in range(rng.randint(0, 45)):
            position = position.child(rng.choice(position.moves()))
        drawn = [(box & position.drawn).bit_count() for box in position.game.boxes]
        expected = [box for box, sides in enumerate(drawn) if sides in (2, 3)]
        assert sorted(box for chain in chains(position) for box in chain.boxes) == expected
        for chain in chains(position):
            lines_more = len(chain.lines) - chain.length
            assert lines_more == {"open": 1, "half-open": 0, "closed": -1, "loop": 0}[chain.shape]
            assert all(line in position.moves() for line in chain.lines)


def test_a_safe_line_gives_no_box_away() -> None:
    rng = random.Random(1)
    for _ in range(200):
        position = Dots(3, 4).start()
        for _ in range(rng.randint(0, 25)):
            position = position.child(rng.choice(safe_lines(position) or position.moves()))
        could = ready(position)
        safe = [move for move in position.moves() if ready(position.child(move)) == could]
        takes = [move for move in position.moves() if position.child(move).turn == position.turn]
        assert safe_lines(position) == [move for move in safe if move not in takes]


def ready(position: DotsPosition) -> int:
    """How many boxes lack one line."""
    return sum((box & position.drawn).bit_count() == 3 for box in position.game.boxes)


@pytest.mark.parametrize(
    ("picture", "owned", "count"),
    [
        ("+---+---+---+\n\n+---+---+---+", "0-0", 0),
        ("+---+---+---+\n|\n+---+---+---+", "0-0", 3),
        ("+---+---+---+\n|           |\n+---+---+---+", "0-0", 3),
        # two arms that meet open the third
        ("+---+---+---+\n|           |\n+---+   +---+\n|   |   |   |\n+---+   +---+", "2-0", 4),
    ],
)
def test_boxes_there_for_the_taking(picture: str, owned: str, count: int) -> None:
    position = drawing(picture, owned=owned)
    assert boxes_to_take(position) == count
    assert Support.of(position.game).evaluate(position, 0) >= count + position.owned[0] - 1


def test_the_estimate_comes_nearer_to_the_truth_than_the_boxes_owned() -> None:
    game = Dots(2, 2)
    known = values(game)
    rng = random.Random(2)
    bare = guessed = 0.0
    for _ in range(500):
        position = game.start()
        for _ in range(rng.randint(0, 11)):
            position = position.child(rng.choice(safe_lines(position) or position.moves()))
        owned = position.owned[position.turn] - position.owned[1 - position.turn]
        truth = owned + known[position.drawn]
        bare += abs(truth - owned)
        guessed += abs(truth - Support.of(game).evaluate(position, position.turn))
    assert guessed < 0.7 * bare


def test_who_must_open_a_chain_is_worse_off() -> None:
    forced = drawing("""
        +---+---+---+

        +---+---+---+
        """)
    assert (
        Support.of(forced.game).evaluate(forced, 0)
        < 0
        < Support.of(forced.game).evaluate(forced, 1)
    )


def game_so_far(names: str) -> tuple[DotsPosition, View]:
    """The position after moves on the board of two boxes, and the view that knows them."""
    position = Dots(1, 2).start()
    played = []
    for name in names.split():
        move = position.legal_move(name)
        played.append((position, move))
        position = position.child(move)
    return position, View(tuple(played))


def owners(position: DotsPosition, view: View) -> dict[int, int | None]:
    """The seat that completed each complete box; None where it happened before the view begins."""
    return {box: how and how[0] for box, how in completions(position, view).items()}


def test_the_picture_shows_who_owns_a_box_when_the_view_tells() -> None:
    position, view = game_so_far("a1b1 b1c1 a2b2 b2c2 a1a2 b1b2 c1c2")
    assert owners(position, view) == {0: 1, 1: 1}
    assert Drawing.of(position).picture(view).splitlines() == [
        "  a   b   c",
        "1 +---+---+",
        "  | o | o |",
        "2 +---+---+",
    ]
    assert Drawing.of(position).picture().splitlines()[2] == "  | * | * |"


def test_boxes_completed_before_the_view_begins_have_no_owner() -> None:
    position, view = game_so_far("a1b1 b1c1 a2b2 b2c2 a1a2 b1b2 c1c2")
    assert owners(position, View(view.played[-1:])) == {0: None, 1: 1}


def parts(svg: str, word: str) -> list[ElementTree.Element]:
    """The parts of a drawing that have *word* among their classes."""
    every = ElementTree.fromstring(svg).iter()
    return [part for part in every if word in part.get("class", "").split()]


def test_the_drawing_shows_owners_by_colour_and_mark() -> None:
    position, view = game_so_far("a1b1 b1c1 a2b2 a1a2 b1b2 b2c2 c1c2")
    assert owners(position, view) == {0: 0, 1: 1}
    svg = Drawing.of(position).svg(view)
    assert [part.get("class") for part in parts(svg, "box")] == ["box first", "box second"]
    marks = [*parts(svg, "first"), *parts(svg, "second")]
    assert [part.tag.rpartition("}")[2] for part in marks] == ["rect", "path", "rect", "circle"]
    assert [part.get("class") for part in parts(Drawing.of(position).svg(), "box")] == [
        "box unknown"
    ] * 2


def test_the_drawing_marks_the_last_line_and_offers_the_open_ones() -> None:
    position, view = game_so_far("a1b1 b1b2")
    hint = position.legal_move("a2b2")
    svg = Drawing.of(position).svg(View(view.played, (hint,), {hint: "+1"}))
    assert [part.get("data-move") for part in parts(svg, "hit")] == [
        position.game.move_name(move) for move in position.moves()
    ]
    assert len(parts(svg, "line")) == 2
    last, highlight, value = (parts(svg, word)[0] for word in ("last", "highlight", "value"))
    assert value.get("stroke") is None  # a stroke would cover the letters in some viewers
    assert ends(last) == [(105, 45), (105, 105)]
    assert ends(highlight) == [(45, 105), (105, 105)]
    assert (value.text, value.get("x"), value.get("y")) == ("+1", "75", "105")


def ends(line: ElementTree.Element) -> list[tuple[float, float]]:
    x1, y1, x2, y2 = (float(line.get(key, "nan")) for key in ("x1", "y1", "x2", "y2"))
    return [(x1, y1), (x2, y2)]


def seen(game: str, moves: str) -> dict[str, list[object]]:
    """What experts see after *moves*, by its key."""
    found = Drawing.of(papan.position(game).after(moves)).features()
    return {each.key: list(each.values.values()) for each in found}


def test_a_chain_of_two_can_be_given_away_in_two_ways() -> None:
    handouts = seen("dots:1,2", "a1b1 b1c1 a2b2 b2c2")
    assert handouts["dots.hard_hearted"] == ["b1b2"]
    assert handouts["dots.half_hearted"] == ["a1a2 c1c2"]


def test_the_last_boxes_of_a_chain_or_loop_can_be_left_to_keep_control() -> None:
    chain = seen("dots:1,2", "a1b1 b1c1 a2b2 b2c2 a1a2")
    assert chain["dots.double_cross"] == ["c1c2"]
    loop = "a1b1 b1c1 a1a2 a2a3 c1c2 c2c3 a3b3 b3c3 a2b2"
    assert seen("dots:2,2", loop)["dots.double_cross"] == ["b2c2"]
    assert "dots.double_cross" not in seen("dots:2,2", loop.removesuffix(" a2b2"))


def test_the_long_chain_rule_says_whom_the_parity_favours() -> None:
    chain = "a1b1 b1c1 c1d1 a2b2 b2c2 c2d2"
    assert seen("dots:1,3", chain)["dots.chain_rule"] == [8, 1, 2]
    assert "dots.chain_rule" not in seen("dots:1,3", "a1b1")


def test_experts_see_chains_loops_and_safe_lines() -> None:
    start = papan.position("dots:2,2")
    seen = [(each.key, *each.values.values()) for each in Drawing.of(start).features()]
    assert seen == [("dots.safe_lines", 12)]
    loop = start.after("a1b1 b1c1 a1a2 c1c2 a2a3 c2c3 a3b3 b3c3")
    seen = [(each.key, *each.values.values()) for each in Drawing.of(loop).features()]
    assert seen == [("dots.loop", 4), ("dots.safe_lines", 0)]
    chain = Drawing.of(
        papan.position("dots:1,3").after("a1b1 b1c1 c1d1 a2b2 b2c2 c2d2")
    ).features()[0]
    assert (chain.key, chain.values) == ("dots.long_chain", {"boxes": 3})
    assert len(parts(chain.svg, "thread")) == 1


@pytest.mark.parametrize(
    ("loss", "rest", "crosses"),
    [(4, -3, True), (4, -2, False), (8, -4, False), (8, -5, True), (0, -9, False)],
)
def test_y7_boxes_are_left_only_where_that_is_better_than_to_take_all(
    loss: int, rest: int, crosses: bool
) -> None:
    taking = Taking(4, 0, loss)
    assert taking.crosses(rest) is crosses
    assert taking.value(rest) == 4 + max(rest, -loss - rest if loss else rest)


def test_a_game_is_over_when_no_line_is_left() -> None:
    rng = random.Random(1)
    for spec in ("dots:1,1", "dots:2,3", "dots:6,6"):
        position = papan.game(spec).start()
        while not position.is_over:
            assert position.moves()
            position = position.child(rng.choice(position.moves()))
        assert not position.moves()


# Y7: what else a person sees, by hand


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dots:2,2", 0),  # twelve safe lines: too many to count
        ("dots:1,2 1000010 1 0-0", 0),  # three
        ("dots:1,2 1110000 1 0-0", -0.25 * 2),  # two: the mover gives first
        ("dots:1,3 1111010000 1 0-0", 0.25 * 3),  # one: the rival gives first
        ("dots:1,2 1111000 2 0-0", -0.25 * 2),  # none
        ("dots:1,3 1011011100 1 1-0", 1 - 0.25 * 2),  # two, and a box is owned
        ("dots:1,3 1011011100 2 1-0", -1 - 0.25 * 2),
        ("dots:1,2 1111100 1 0-0", 2),  # both can be taken
    ],
)
def test_y7_who_runs_out_of_safe_lines_is_expected_to_lose_a_quarter(
    text: str, expected: float
) -> None:
    position = papan.position(text)
    support = Support.of(position.game)
    found = [support.evaluate(position, seat) for seat in (position.turn, 1 - position.turn)]
    assert found == [expected, -expected]


@pytest.mark.parametrize(
    ("size", "solved"),
    [
        *((size, True) for size in ("6,6", "5,7", "4,9", "2,18", "1,25")),
        *((size, False) for size in ("6,7", "5,8", "3,13")),
    ],
)
def test_y7_boards_of_36_boxes_have_a_solver(size: str, solved: bool) -> None:
    support = Support.of(papan.game(f"dots:{size}"))
    assert (support.solver() is not None) == support.has_solver == solved


def test_y7_each_size_has_slip_rates_of_its_own() -> None:
    sizes = ("1,4", "2,2", "3,3", "4,4", "5,5", "2,3", "6,6")
    rates = [Support.of(papan.game(f"dots:{size}")).slip_rates for size in sizes]
    assert rates[0] == rates[1] and rates[5] == rates[6]
    assert len(set(rates)) == 5
    assert all(first > last for first, *_, last in rates)


def test_y7_the_graph_of_boxes_has_the_ground_and_the_lines_that_are_left() -> None:
    position = papan.position("dots:1,3").after("a1b1 b1c1 c1d1 a2b2 b2c2 c2d2")
    lines, whole, boxes = Drawing.of(position).graphs()
    assert (len(lines.edges), len(whole.edges)) == (6, 10)
    assert {edge.mark for edge in lines.edges} == {""}
    undrawn = {edge.name for edge in whole.edges if edge.mark == "undrawn"}
    assert undrawn == {"a1a2", "b1b2", "c1c2", "d1d2"}
    assert {frozenset(edge.ends) for edge in boxes.edges} == {
        frozenset(ends) for ends in (("a1", "ground"), ("a1", "b1"), ("b1", "c1"), ("c1", "ground"))
    }
    facts = {name: value for note in boxes.notes for name, value in note.values.items()}
    assert (facts["long"], facts["short"], facts["loops"]) == (1, 0, 0)
    closed = Drawing.of(papan.position("dots:1,2 1111110 1 1-0")).graphs()[0]
    assert [set(cycle) for cycle in closed.cycles] == [{"a1", "b1", "a2", "b2"}]
    assert closed.notes[0].values == {"boxes": 1, "all": 2}


@pytest.mark.parametrize(
    ("owned", "spot", "content", "after"),
    [
        ("1111100 1 0-0", "b1b2", "-", "1111110 1 1-0"),
        ("1111100 2 0-0", "b1b2", "-", "1111110 2 0-1"),
        ("1111110 1 1-0", "b1b2", ".", "1111100 1 0-0"),
        ("1111111 1 1-1", "c1c2", ".", "1111110 1 1-0"),
        ("1111111 2 2-0", "c1c2", ".", "1111110 2 1-0"),
        ("1111111 1 0-2", "c1c2", ".", "1111110 1 0-1"),
    ],
)
def test_y7_a_box_that_is_closed_by_hand_is_the_mover_s_and_an_open_one_nobody_s(
    owned: str, spot: str, content: str, after: str
) -> None:
    position = papan.position(f"dots:1,2 {owned}")
    draft = Setup.of(position.game).draft(position)
    assert draft is not None
    assert str(draft.put(spot, content)) == f"dots:1,2 {after}"
    assert str(draft.cleared()).split()[1:] == ["0000000", owned.split()[1], "0-0"]
    boxes = sum(int(each) for each in owned.split()[2].split("-"))
    if boxes:
        shared = draft.dialled("boxes", boxes - 1)
        assert (shared.scores(), shared.turn) == ((boxes - 1, 1), position.turn)
    dials = [(dial.name, dial.value, dial.least, dial.most) for dial in draft.dials()]
    assert dials == ([("boxes", int(owned.split()[2][0]), 0, boxes)] if boxes else [])
