"""What Dots and Boxes tells searches, nets and puzzles: budgets, planes, themes, by hand."""

import pytest

import papan
from papan.core import Analysis, Proved
from papan.core.parts import Support
from papan.games.dots.puzzles import DotsThemes
from papan.games.dots.rules import Dots
from papan.games.dots.support import SOON, UTILITY_UNIT, line_places
from tests.games.test_dots import drawing

# Searches


def test_a_proof_before_a_move_and_a_second_of_search_are_shorter_on_large_boards() -> None:
    budgets = {}
    for size in ("3,3", "3,4", "4,4", "4,5", "5,5"):  # of 24, 31, 40, 49 and 60 lines
        position = papan.position(f"dots:{size}")
        support = Support.of(position.game)
        budgets[size] = support.proof_nodes(position), support.nodes_a_second
    assert budgets == {
        "3,3": (200_000, 1_000_000),
        "3,4": (200_000, 967_741),
        "4,4": (200_000, 750_000),
        "4,5": (163_265, 612_244),
        "5,5": (133_333, 500_000),
    }


def test_levels_slip_as_often_as_games_among_them_have_shown() -> None:
    rates = {size: Support.of(papan.game(f"dots:{size}")).slip_rates for size in SIZES}
    assert rates == SIZES


SIZES = {
    "2,2": (0.6, 0.35, 0.25, 0.15),
    "3,3": (0.45, 0.4, 0.2, 0.25),
    "4,4": (0.4, 0.33, 0.2, 0.35),
    "5,5": (0.35, 0.2, 0.18, 0.2),
    "6,6": (0.25, 0.2, 0.18, 0.12),
}
"""The probability that each of four levels has a blind spot."""


def test_more_than_two_safe_lines_are_too_many_to_tell_who_runs_out() -> None:
    assert SOON == 2


# Nets


def test_a_net_sees_lines_sides_and_what_is_left() -> None:
    position = papan.position("dots:1,2").after("a1b1 a1a2 a2b2 b1b2")  # a1 is player 2's
    planes = Support.of(position.game).planes(position)
    assert planes is not None
    none, odd = ["000", "000"], ["111", "111"]
    expected = [
        ["100", "100"],  # lines to the right of a dot
        ["110", "000"],  # lines down from it
        none,  # boxes with two sides
        none,  # with three
        ["100", "000"],  # complete
        ["110", "000"],  # boxes
        ["111", "111"],  # dots
    ]
    assert planes.image.shape == (2, 3, 9)
    for number, rows in enumerate(expected):
        plane = planes.image[..., number]
        assert ["".join(str(int(each)) for each in row) for row in plane] == rows, number
    assert planes.image[..., 7] == pytest.approx(3 / 7)  # of the lines are left
    assert ["".join(str(int(each)) for each in row) for row in planes.image[..., 8]] == odd
    # b1c1 to the right of the second dot, b2c2 to the right of the fifth, c1c2 down from the third
    assert planes.places == (2, 8, 5)
    assert planes.ahead == 1 / UTILITY_UNIT == 0.125


def test_a_net_sees_boxes_by_their_sides_and_an_even_number_of_lines_left() -> None:
    position = drawing(
        """
        +---+---+   +
        |       |
        +---+   +   +
        """,
        owned="0-0",
    )
    planes = Support.of(position.game).planes(position)
    assert planes is not None
    sides = [[int(each) for each in planes.image[0, :, number]] for number in (2, 3, 4, 5)]
    assert sides == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]]
    assert planes.image[..., 8].tolist() == [[1.0] * 4] * 2  # five lines are left
    after = Support.of(position.game).planes(position.after("c1d1"))
    assert after is not None
    assert after.image[..., 8].tolist() == [[0.0] * 4] * 2
    assert (planes.ahead, after.ahead) == (0.0, 0.0)


def test_each_line_has_a_place_beside_its_upper_or_left_dot() -> None:
    names = [Dots(1, 2).move_name(line) for line in range(7)]
    places = dict(zip(line_places(Dots(1, 2)), names))
    assert places == {
        0: "a1b1",
        1: "a1a2",
        2: "b1c1",
        3: "b1b2",
        5: "c1c2",
        6: "a2b2",
        8: "b2c2",
    }


# Puzzles

LEFT_TWO = """
    +---+---+---+
    |   |
    +---+---+---+

    +---+---+---+
    """
ONE_OR_TWO = """
    +---+   +---+
            |   |
    +---+---+---+
        |   |   |
    +   +---+---+
    """
TWO_TWOS = """
    +---+---+

    +---+---+

    +---+---+
    """
LAST_SAFE = """
    +---+---+---+

    +---+---+---+

    +---+   +---+
    """
"""After b3c3 no line is safe."""
LAST_SAFE_AND_OPEN = """
    +---+---+---+
    |
    +---+---+---+

    +---+   +---+
    """
TWO_SAFE = """
    +---+---+---+

    +---+---+   +
    """
FOUR_SAFE = """
    +---+---+---+

    +---+---+---+

    +---+   +   +
    """
FIVE_SAFE = """
    +---+---+

    +---+---+

    +   +   +
    """
TWO_ENDS = """
    +---+---+---+---+
    |               |
    +---+---+---+---+

    +---+---+---+---+
    """


@pytest.mark.parametrize(
    ("picture", "owned", "best", "themes"),
    [
        (LEFT_TWO, "1-0", "d1d2", "cross"),
        (LEFT_TWO, "1-0", "d1d2 c1c2", ""),
        (LEFT_TWO, "1-0", "c1c2", "take"),
        (LEFT_TWO, "1-0", "a2a3", ""),
        (TWO_ENDS, "0-0", "b1b2", ""),
        (TWO_ENDS, "0-0", "c1c2", "cross"),
        (ONE_OR_TWO, "3-0", "a3b3 a2a3", "fewest"),
        (ONE_OR_TWO, "3-0", "a3b3", ""),
        (ONE_OR_TWO, "3-0", "b1b2", "handout"),
        (ONE_OR_TWO, "3-0", "b1b2 a3b3", ""),
        (ONE_OR_TWO, "3-0", "a1a2", ""),
        (TWO_TWOS, "0-0", "a1a2 b1b2 c1c2 a2a3 b2b3 c2c3", ""),
        (LAST_SAFE, "0-0", "b3c3", "safe"),
        (LAST_SAFE, "0-0", "b3c3 a1a2", ""),
        (LAST_SAFE, "0-0", "a1a2", ""),
        (LAST_SAFE_AND_OPEN, "0-0", "b3c3", ""),
        (TWO_SAFE, "0-0", "c2d2", "chains"),
        (TWO_SAFE, "0-0", "c2d2 d1d2", ""),
        (FOUR_SAFE, "0-0", "b3c3", "chains"),
        (FIVE_SAFE, "0-0", "a3b3", ""),
    ],
)
def test_which_themes_a_position_has(picture: str, owned: str, best: str, themes: str) -> None:
    position = drawing(picture, owned=owned)
    moves = [position.legal_move(name) for name in best.split()]
    values = {move: Proved.exactly(1 if move in moves else 0) for move in position.moves()}
    found = Analysis((moves[0],), 1.0, Proved.exactly(1), values)
    claims, signs = DotsThemes.claims, DotsThemes.signs
    held = {name for name in claims if claims[name](position, found)}
    assert held == set(themes.split())
    assert all(signs[name](position) for name in held & signs.keys())


@pytest.mark.parametrize(
    ("picture", "owned", "signs"),
    [
        (LEFT_TWO, "1-0", {"cross"}),
        (ONE_OR_TWO, "3-0", {"fewest", "handout"}),
        (LAST_SAFE, "0-0", set()),
        (LAST_SAFE_AND_OPEN, "0-0", set()),
        (TWO_SAFE, "0-0", {"chains"}),
        (FOUR_SAFE, "0-0", {"chains"}),
        (FIVE_SAFE, "0-0", set()),
    ],
)
def test_what_a_theme_needs_at_first_sight(picture: str, owned: str, signs: set[str]) -> None:
    position = drawing(picture, owned=owned)
    assert {name for name, sign in DotsThemes.signs.items() if sign(position)} == signs
