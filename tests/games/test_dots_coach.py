"""The coach of Dots and Boxes: what it says of each line, and of each kind of mistake."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from papan.core import Analysis, Coach, Guess, Proved, Value
from papan.core.analysis import NOTHING_PROVED
from papan.core.reasons import Clause, Mistake
from papan.games.dots.chains import gives_first, safe_lines
from papan.games.dots.rules import DotsPosition
from tests.games.test_dots import drawing

LEFT_TWO = """
    +---+---+---+
    |   |
    +---+---+---+

    +---+---+---+
    """
LEFT_TWO_SAFE = """
    +---+---+---+
    |   |
    +---+---+---+

    +   +   +   +
    """
LEFT_FOUR = """
    +---+---+---+---+
    |               |
    +---+---+---+---+

    +---+---+---+---+
    """
LEFT_FIVE = """
    +---+---+---+---+---+
    |                   |
    +---+---+---+---+---+

    +---+---+---+---+---+
    """
THREE_OR_FOUR = """
    +---+---+---+---+

    +---+---+---+---+
                |   |
    +---+---+   +---+
    """
ONE_OR_TWO = """
    +---+   +---+
            |   |
    +---+---+---+
        |   |   |
    +   +---+---+
    """
ROOM_BELOW = """
    +---+---+---+

    +---+---+---+

    +   +   +   +
    """
SHORT_ABOVE = """
    +---+---+

    +---+---+

    +   +   +
    """
THREE_ROWS = """
    +---+---+---+
    |   |
    +---+---+---+

    +---+---+---+
            |   |
    +---+   +---+
    """
"""Two boxes can be left; chains of three and of two are open then."""
LEADS_DOWN = """
    +---+---+---+
    |   |       |
    +---+---+   +
    |   |   |
    +---+---+   +
    """
"""d2d3 and c3d3 are safe until c2d2 is drawn."""
SQUARE = """
    +   +   +

    +   +   +

    +   +   +
    """
LAST_SAFE = """
    +---+---+---+

    +---+---+   +

    """
"""After c2d2 or d1d2 the three boxes are a chain."""


def in_words(clause: Clause) -> str:
    """The key, values and boxes: ! in front if it decides, - if it costs, > if it prevents."""
    values = clause.message.values
    facts = " ".join(f"{key}={values[key]}" for key in sorted(values) if key != "move")
    mark = "!" * clause.decides + "-" * clause.costs + ">" * (clause.kind == "prevents")
    key = clause.message.key.removeprefix("dots.reason_")
    return f"{mark}{key} {facts} [{' '.join(clause.cells[1:])}]"


def said(position: DotsPosition) -> dict[str, str]:
    """All clauses of the coach, each with the lines of which it says them."""
    coach, found = Coach.of(position), defaultdict[str, list[str]](list)
    for move in position.moves():
        name = position.game.move_name(move)
        for clause in coach.deeds(move):
            assert clause.cells[0] == clause.message.values["move"] == name
            assert clause.line == (move,)
            found[in_words(clause)].append(name)
    return {clause: " ".join(names) for clause, names in found.items()}


@pytest.mark.parametrize(
    ("picture", "owned", "expected"),
    [
        (
            "+---+---+---+\n|\n+---+---+---+",
            "0-0",
            {
                "takes_more boxes=1 more=2 [a1]": "b1b2",
                "leaves_open boxes=3 [a1 b1 c1]": "c1c2 d1d2",
            },
        ),
        (  # two of three are a majority
            "+---+---+---+\n|   |\n+---+---+---+",
            "1-0",
            {
                "!majority all=3 boxes=1 own=2 rival_boxes=0 [b1]": "c1c2",
                "leaves_open boxes=2 [b1 c1]": "d1d2",
            },
        ),
        (  # two of four are none
            "+---+---+---+---+\n|   |\n+---+---+---+---+",
            "1-0",
            {
                "takes_more boxes=1 more=2 [b1]": "c1c2",
                "leaves_open boxes=3 [b1 c1 d1]": "d1d2 e1e2",
            },
        ),
        (  # a majority before is no news
            "+---+---+---+---+---+\n|   |   |   |\n+---+---+---+---+---+",
            "3-0",
            {"takes_more boxes=1 more=1 [d1]": "e1e2", "leaves_open boxes=2 [d1 e1]": "f1f2"},
        ),
        (
            "+---+---+\n|       |\n+---+---+",
            "0-0",
            {"!ends all=2 boxes=2 own=2 rival_boxes=0 [a1 b1]": "b1b2"},
        ),
        (  # the only one that lies open
            "+---+---+---+---+\n|   |\n+---+---+   +   +",
            "1-0",
            {
                "takes boxes=1 [b1]": "c1c2",
                "leaves_and_gives boxes=1 given=1 [b1]": "c2d2 d1d2",
                "leaves_open boxes=1 [b1]": "d2e2 e1e2",
            },
        ),
        (
            LEFT_TWO,
            "1-0",
            {
                "takes_more boxes=1 more=1 [b1]": "c1c2",
                "double_cross boxes=2 least=3 [b1 c1]": "d1d2",
                "leaves_and_gives boxes=2 given=3 [b1 c1]": "a2a3 b2b3 c2c3 d2d3",
            },
        ),
        (
            THREE_ROWS,
            "2-0",
            {
                "takes_more boxes=1 more=1 [b1]": "c1c2",
                "double_cross boxes=2 least=2 [b1 c1]": "d1d2",
                "leaves_and_gives boxes=2 given=3 [b1 c1]": "a2a3 b2b3 c2c3 d2d3",
                "leaves_and_gives boxes=2 given=2 [b1 c1]": "b4c4 a3a4 b3b4",
            },
        ),
        (
            LEADS_DOWN,
            "3-0",
            {
                "!majority all=6 boxes=1 own=4 rival_boxes=0 [b1]": "c1c2",
                "double_cross boxes=2 least=1 [b1 c1]": "c2d2",
                "leaves_and_gives boxes=2 given=1 [b1 c1]": "c3d3 d2d3",
            },
        ),
        (
            LEFT_TWO_SAFE,
            "1-0",
            {
                "takes_more boxes=1 more=1 [b1]": "c1c2",
                "leaves boxes=2 [b1 c1]": "d1d2",
                "leaves_open boxes=2 [b1 c1]": "a3b3 b3c3 c3d3 a2a3 b2b3 c2c3 d2d3",
            },
        ),
        (
            LEFT_FOUR,
            "0-0",
            {
                "takes_more boxes=1 more=3 [a1]": "b1b2",
                "double_cross boxes=4 least=4 [a1 b1 c1 d1]": "c1c2",
                "takes_more boxes=1 more=3 [d1]": "d1d2",
                "leaves_and_gives boxes=4 given=4 [a1 b1 c1 d1]": "a2a3 b2b3 c2c3 d2d3 e2e3",
            },
        ),
        (  # five are more than a double-cross leaves
            LEFT_FIVE,
            "0-0",
            {
                "takes_more boxes=1 more=4 [a1]": "b1b2",
                "leaves boxes=5 [a1 b1 c1 d1 e1]": "c1c2 d1d2",
                "takes_more boxes=1 more=4 [e1]": "e1e2",
                "leaves_and_gives boxes=5 given=5 [a1 b1 c1 d1 e1]": (
                    "a2a3 b2b3 c2c3 d2d3 e2e3 f2f3"
                ),
            },
        ),
        (
            THREE_OR_FOUR,
            "1-0",
            {
                "fewest_too boxes=3 example=a2a3 fewest=3 [a2 b2 c2]": "c3d3",
                "fewest_too boxes=3 example=c3d3 fewest=3 [a2 b2 c2]": "a2a3 b2b3 c2c3",
                "more boxes=4 example=c3d3 fewest=3 [a1 b1 c1 d1]": "a1a2 b1b2 c1c2 d1d2 e1e2",
            },
        ),
        (
            ONE_OR_TWO,
            "3-0",
            {
                "fewest_too boxes=1 example=a2a3 fewest=1 [a2]": "a3b3",
                "fewest_too boxes=1 example=a3b3 fewest=1 [a2]": "a2a3",
                "more boxes=2 example=a3b3 fewest=1 [a1 b1]": "b1c1 a1a2 b1b2",
                ">hard_hearted  [a1 b1]": "b1b2",
            },
        ),
        (
            SHORT_ABOVE,
            "0-0",
            {
                "-gives boxes=2 example=a3b3 safe=5 [a1 b1]": "a1a2 b1b2 c1c2",
                "safe_forced safe=2 []": "a3b3 b3c3 a2a3 c2c3",
                "last_safe least=1 []": "b2b3",
            },
        ),
        (  # one safe line after the other: the first of seven or the second decides who gives first
            ROOM_BELOW,
            "0-0",
            {
                "-gives boxes=3 example=a3b3 safe=7 [a1 b1 c1]": "a1a2 b1b2 c1c2 d1d2",
                "safe_forced safe=4 []": "a3b3 c3d3 a2a3 d2d3",
                "safe_forces safe=4 []": "b3c3",
                "safe_forced safe=2 []": "b2b3 c2c3",
            },
        ),
        (
            LAST_SAFE,
            "0-0",
            {
                "last_safe least=3 []": "c2d2 d1d2",
                "-gives boxes=2 example=c2d2 safe=2 [a1 b1]": "a1a2 b1b2 c1c2",
            },
        ),
    ],
)
def test_each_line_of_a_board_is_given_its_reasons(
    picture: str, owned: str, expected: dict[str, str]
) -> None:
    assert said(drawing(picture, owned=owned)) == expected


def test_who_gives_first_is_told_where_no_more_than_eight_safe_lines_hang_together() -> None:
    start = drawing("+   +   +   +\n\n+   +   +   +")
    assert said(start) == {
        "safe safe=9 []": "a1b1 b1c1 c1d1 a2b2 b2c2 c2d2 a1a2 d1d2",
        "safe_forced safe=9 []": "b1b2 c1c2",  # three and six
    }
    assert "safe safe=8 []" not in said(start.after("a1b1"))
    keys = {each.split()[0] for each in said(start.after("a1b1"))}
    assert keys == {"safe_forced", "safe_forces"}


def gives(drawn: int, position: DotsPosition, known: dict[int, bool]) -> bool:
    """Whether the mover can be made to run out of safe lines first: every way is tried."""
    if drawn not in known:
        now = DotsPosition(position.game, drawn)
        known[drawn] = not any(
            gives(drawn | 1 << line, position, known) for line in safe_lines(now)
        )
    return known[drawn]


@pytest.mark.parametrize("picture", ["+   +   +   +   +\n\n+   +   +   +   +", SQUARE])
def test_who_gives_first_is_who_runs_out_of_safe_lines_whatever_it_does(picture: str) -> None:
    start, known, chance = drawing(picture), dict[int, bool](), Random(1)
    compared = Counter[bool | None]()
    for _ in range(60):
        position = start
        while safe := safe_lines(position):
            found = gives_first(position)
            assert found in (None, gives(position.drawn, position, known))
            compared[found] += 1
            position = position.child(chance.choice(safe))
        assert gives_first(position)
    assert min(compared[True], compared[False], compared[None]) > 20


# Mistakes


def fault(
    position: DotsPosition,
    move: str,
    plan: str,
    refutation: str = "",
    ends: tuple[Proved, Proved] = (NOTHING_PROVED, NOTHING_PROVED),
) -> str | None:
    """The sentence about a mistake: its key, and the values but for both moves' names.

    *ends* are the final margins after the better move, and after the mistake.
    """
    better, *rest = plan.split()
    after, other = position.after(move), position.after(better)
    mistake = Mistake(
        position,
        position.legal_move(move),
        (position.legal_move(better), *moves_of(other, rest)),
        moves_of(after, refutation.split()),
        *ends,
    )
    found = Coach.of(position).fault(mistake)
    if found is None:
        return None
    assert (found.values["move"], found.values["better"]) == (move, better)
    facts = sorted(found.values.keys() - {"move", "better"})
    return " ".join((found.key, *(f"{key}={found.values[key]}" for key in facts)))


def moves_of(position: DotsPosition, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(position.game.parse_move, names))


@pytest.mark.parametrize(
    ("picture", "owned", "move", "better", "expected"),
    [
        (LEFT_TWO, "1-0", "d1d2", "c1c2", "dots.left_boxes boxes=2"),
        (LEFT_TWO, "1-0", "a2a3", "c1c2", "dots.left_boxes boxes=2"),
        (LEFT_TWO, "1-0", "c1c2", "d1d2", "dots.refused_double_cross left=2"),
        (LEADS_DOWN, "3-0", "c1c2", "c2d2", "dots.refused_double_cross left=2"),
        (LEFT_TWO_SAFE, "1-0", "c1c2", "d1d2", "dots.refused_turn left=2"),
        (LEFT_TWO_SAFE, "1-0", "c1c2", "a2a3", None),
        (LEFT_TWO, "1-0", "a2a3", "d1d2", "dots.opened_more boxes=3 fewer=0 safe=0"),
        (LEFT_TWO, "1-0", "a2a3", "b2b3", None),
        (THREE_OR_FOUR, "1-0", "a1a2", "a2a3", "dots.opened_longer boxes=4 fewer=3 safe=0"),
        (THREE_OR_FOUR, "1-0", "a2a3", "a1a2", None),
        (ROOM_BELOW, "0-0", "b1b2", "a3b3", "dots.opened_long_chain boxes=3 fewer=0 safe=7"),
        (SHORT_ABOVE, "0-0", "a1a2", "a3b3", "dots.gave_boxes boxes=2 fewer=0 safe=5"),
        (
            ONE_OR_TWO,
            "3-0",
            "a1a2",
            "b1b2",
            "dots.allowed_double_cross boxes=2 fewer=2 left=2 safe=0",
        ),
        (ONE_OR_TWO, "3-0", "b1b2", "a1a2", None),
        (ONE_OR_TWO, "3-0", "a1a2", "b1c1", None),
        (ONE_OR_TWO, "3-0", "a1a2", "a3b3", "dots.opened_longer boxes=2 fewer=1 safe=0"),
    ],
)
def test_a_mistake_is_told_by_what_it_leaves_or_gives(
    picture: str, owned: str, move: str, better: str, expected: str | None
) -> None:
    for turn in (1, 2):
        position = drawing(picture, turn, owned)
        assert fault(position, move, better) == expected
        assert fault(position, better, better) is None


@pytest.mark.parametrize("turn", [1, 2])
def test_a_mistake_is_told_by_who_must_open_the_first_long_chain(turn: int) -> None:
    ring = drawing("+---+---+\n        |\n+   +   +\n        |\n+---+---+", turn)
    # a1a2 and a2a3 make a loop that the mover must open, a2b2 a chain that the rival must open
    loop, chain = ("a1a2", "a2a3 b1b2"), "a2b2 a1a2"
    assert fault(ring, loop[0], chain, loop[1]) == "dots.lost_control"
    assert fault(ring, "a2b2", " ".join(loop), "a1a2") is None
    assert fault(ring, loop[0], chain, "a2a3") is None, "the loop is not opened on the line"


@pytest.mark.parametrize("turn", [1, 2])
def test_a_mistake_is_told_by_who_runs_out_of_safe_lines(turn: int) -> None:
    position = drawing(ROOM_BELOW, turn)
    # after b2b3 and c3d3 no line is safe, after a3b3, b3c3 and c3d3 neither
    short, long = ("b2b3", "c3d3 a1a2"), "a3b3 b3c3 c3d3 a1a2"
    assert fault(position, short[0], long, short[1]) == "dots.ran_out"
    assert fault(position, "a3b3", " ".join(short), "b3c3 c3d3 a1a2") is None
    assert fault(position, short[0], long, "c3d3") is None, "nobody moves without a safe line"


@pytest.mark.parametrize("turn", [1, 2])
def test_a_mistake_is_told_by_who_takes_the_next_boxes(turn: int) -> None:
    position = drawing(ROOM_BELOW, turn)
    theirs = "b3c3 a1a2 b1b2 c1c2 a3b3 d1d2"  # the mover opens, and the rival takes two in a row
    mine = "b3c3 a1a2 b1b2"
    assert fault(position, "a3b3", mine, theirs) == "dots.takes_next boxes=2 instead=1"
    assert fault(position, "b3c3", "a3b3 " + theirs, mine.removeprefix("b3c3 ")) is None
    at_one_stroke = "a1a2 c1c2 b1b2"
    assert fault(position, "a3b3", mine, at_one_stroke) == "dots.takes_next boxes=2 instead=1"


@pytest.mark.parametrize("turn", [1, 2])
def test_a_mistake_is_told_by_how_many_boxes_are_still_to_be_had(turn: int) -> None:
    position = drawing(LEFT_TWO, turn, ("1-0", "0-1")[turn - 1])
    two, three = Proved.exactly(-2), Proved.exactly(0)  # of six boxes, one of which is owned
    said = fault(position, "a2a3", "b2b3", ends=(three, two))
    assert said == "dots.fewer_boxes boxes=1 instead=2 left=5"
    assert fault(position, "a2a3", "b2b3", ends=(three, Proved(-4, -2))) is None
    assert fault(position, "a2a3", "b2b3", ends=(Proved(0, 2), two)) is None


# Lines that are best by a search


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"a1a2": Proved.exactly(2), "c2d2": Proved.exactly(0), "d1d2": Proved.exactly(0)}, "best"),
        ({"a1a2": Proved.exactly(2), "c2d2": Proved.exactly(0), "d1d2": Proved(high=0)}, "best"),
        ({"a1a2": Proved.exactly(2), "c2d2": Proved.exactly(0), "d1d2": Proved.exactly(2)}, "only"),
        ({"a1a2": Proved.exactly(2), "c2d2": Proved.exactly(0), "d1d2": Guess(0.0)}, "only"),
        ({"a1a2": Proved.exactly(2), "c2d2": Proved.exactly(0)}, "only"),
        ({"a1a2": Guess(2.0), "c2d2": Proved.exactly(0), "d1d2": Proved.exactly(0)}, "only"),
        ({"a1a2": Proved.exactly(2), "b1b2": Proved.exactly(3)}, None),
        ({"c2d2": Proved.exactly(0)}, None),
        ({}, None),
    ],
)
def test_a_line_that_gives_boxes_and_is_best_though_lines_are_safe(
    values: Mapping[str, Value], key: str | None
) -> None:
    position = drawing(LAST_SAFE)
    move = position.legal_move("a1a2")
    found = Analysis(
        (move,), 2.0, values={position.legal_move(each): values[each] for each in values}
    )
    clauses = [in_words(each) for each in Coach.of(position).proved(move, found)]
    assert clauses == ([f"gives_{key} boxes=2 [a1 b1]"] if key else [])


@pytest.mark.parametrize(
    ("picture", "owned", "move"),
    [(LAST_SAFE, "0-0", "c2d2"), (LEFT_TWO_SAFE, "1-0", "b2b3"), (THREE_OR_FOUR, "1-0", "a1a2")],
    ids=["safe", "boxes to take", "no safe line"],
)
def test_other_lines_are_no_sacrifice(picture: str, owned: str, move: str) -> None:
    position = drawing(picture, owned=owned)
    made = position.legal_move(move)
    found = Analysis((made,), 2.0, values={made: Proved.exactly(2)})
    assert not [*Coach.of(position).proved(made, found)]


# Other words


def test_a_line_that_is_drawn_cannot_be_drawn_again() -> None:
    error = Coach.of(drawing(LAST_SAFE)).why_illegal(0)
    assert str(error) == "The line a1b1 is drawn already; choose another one."


def test_the_area_of_a_line_is_what_is_left_of_the_boxes_beside_it() -> None:
    position = drawing(LEFT_TWO, owned="1-0")
    coach, names = Coach.of(position), ("c1c2", "d1d2", "b2b3", "a2a3")
    areas = {name: " ".join(coach.area(position.legal_move(name))) for name in names}
    assert areas == {
        "c1c2": "c1c2 d1d2",
        "d1d2": "c1c2 d1d2",
        "b2b3": "a2a3 b2b3 c2c3",
        "a2a3": "a2a3 b2b3",
    }


@pytest.mark.parametrize(
    ("picture", "owned", "move", "key"),
    [
        (THREE_OR_FOUR, "1-0", "a2a3", "fewest"),
        (THREE_OR_FOUR, "1-0", "a1a2", "give"),
        ("+---+---+\n\n+---+---+", "0-0", "a1a2", "all_give"),
        (LEFT_TWO, "1-0", "d1d2", "cross"),
        (LEFT_TWO, "1-0", "c1c2", "take"),
        (LEFT_TWO, "1-0", "a2a3", "leave"),
        (LAST_SAFE, "0-0", "c2d2", "last_safe"),
        (ROOM_BELOW, "0-0", "b3c3", "count"),
        (ROOM_BELOW, "0-0", "b2b3", "safe"),
    ],
)
def test_the_idea_of_a_line_does_not_name_it(picture: str, owned: str, move: str, key: str) -> None:
    position = drawing(picture, owned=owned)
    idea = Coach.of(position).idea(position.legal_move(move))
    assert idea.key == f"dots.idea_{key}"
    assert move not in idea.text("en")


def grouped(pairs: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The keys of a mapping by their value, all without the game's name and the *prefix*."""
    found = defaultdict[str, list[str]](list)
    for key, value in pairs.items():
        found[value.split(".")[1]].append(key.split(".")[1].removeprefix(prefix))
    return {value: " ".join(keys) for value, keys in found.items()}


def test_each_reason_has_its_idea_and_each_mistake_its_lesson() -> None:
    coach = Coach.of(drawing(LAST_SAFE))
    assert grouped(coach.ideas, "reason_") == {
        "idea_take": "majority ends takes takes_more",
        "idea_cross": "double_cross leaves",
        "idea_leave": "leaves_open leaves_and_gives",
        "idea_last_safe": "last_safe",
        "idea_safe": "safe safe_forced",
        "idea_count": "safe_forces",
        "idea_fewest": "fewest fewest_too",
        "idea_give": "more gives gives_best gives_but_one",
    }
    assert grouped(coach.lesson_steps, "") == {
        "dots_take_task": "left_boxes",
        "dots_safe_task": "opened_long_chain gave_boxes",
        "dots_chains": "opened_longer",
        "dots_cross_task": "refused_double_cross",
        "dots_long": "lost_control",
    }
