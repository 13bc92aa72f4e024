"""Trees are counted exactly, and laws are found where there are some."""

import pytest

import papan
from papan.lab.complexity import exponential, grown, power
from papan.lab.complexity.formulas import FORMULAS, scan
from tests.games.perft import perfts


def test_tic_tac_toe_has_5478_positions_and_255168_games() -> None:
    tree = grown(papan.position("tictactoe"), 10_000)
    assert tree.complete
    assert tree.positions == 5478
    assert [ply.positions for ply in tree.plies] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [ply.lines for ply in tree.plies][:5] == [1, 9, 72, 504, 3024]
    assert tree.plies[0].branching == 9
    assert tree.plies[-1].moves == 0


@pytest.mark.parametrize(
    "game", ["connect4:4,4", "dots:2,2", "adjacency:4,4,2", "onet:2,4,kinds=2"]
)
def test_lines_are_counted_as_perft_does(game: str) -> None:
    position = papan.position(game)
    lines = [ply.lines for ply in grown(position, 3000).plies]
    assert lines[1:5] == perfts(position, 4)[: len(lines) - 1]


def test_a_tree_that_is_too_large_is_counted_as_far_as_whole_plies_fit() -> None:
    tree = grown(papan.position("tictactoe"), 200)
    assert not tree.complete
    assert [ply.positions for ply in tree.plies] == [1, 9, 72]
    assert tree.plies[-1].moves == 504
    assert len(grown(papan.position("tictactoe"), 1).plies) == 1


def test_laws_that_hold_exactly_are_found_without_error() -> None:
    base = exponential([(depth, 3 * 7.0**depth) for depth in range(1, 6)])
    assert base is not None
    assert (base.factor, base.rate.value) == pytest.approx((3, 7))
    assert base.rate.error == pytest.approx(0, abs=1e-6)
    exponent = power([(side, 0.5 * side**2) for side in (3.0, 4.0, 5.0, 15.0)])
    assert exponent is not None
    assert (exponent.factor, exponent.rate.value) == pytest.approx((0.5, 2))


def test_the_error_is_the_one_of_the_textbook() -> None:
    law = power(
        [(1, 1.0), (2.718281828459045, 2.718281828459045**2), (7.38905609893065, 20.085536923)]
    )
    assert law is not None
    assert law.rate.value == pytest.approx(1.5)
    assert law.rate.error == pytest.approx(12.7062 * (1 / 6 / 2) ** 0.5, rel=1e-4)


def test_two_points_have_a_law_but_no_error_and_one_has_neither() -> None:
    law = exponential([(1, 2.0), (2, 6.0)])
    assert law is not None
    assert law.rate.value == pytest.approx(3)
    assert law.rate.error == float("inf")
    assert exponential([(1, 2.0)]) is None
    assert power([]) is None


def test_formulas_say_what_the_papers_say() -> None:
    assert FORMULAS["b^m"](9, 9) == 387_420_489
    assert [FORMULAS["b^(m/2)"](10, depth) for depth in (1, 2, 3, 4)] == [10, 19, 109, 199]
    assert scan(5) == 25
