"""Learned patterns of Adjacency: 36 squares of nine cells, of which turned ones are alike."""

import random

import numpy as np
import pytest

from papan.core.parts import Support
from papan.games.adjacency.kernel_patterns import (
    AdjacencyPatterns,
    adjacency_patterns,
    moved,
    squares_with,
)
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition
from tests.games.adjacency_positions import played

SQUARES, STAGES, PLIES = 6 * 3**9, 7, 65


@pytest.fixture(scope="module")
def patterns() -> AdjacencyPatterns:
    return AdjacencyPatterns()


def some_positions(count: int) -> list[AdjacencyPosition]:
    """Positions of games of any length on 8x8, not over."""
    chance = random.Random(4)
    games = [Adjacency(rounds=chance.randint(1, 28)) for _ in range(count)]
    return [played(chance, game, chance.randint(1, 2 * game.rounds)) for game in games]


def test_squares_lie_in_six_places_and_have_one_weight_for_each_way_and_stage(
    patterns: AdjacencyPatterns,
) -> None:
    assert patterns.kinds == 6
    assert patterns.weight_count == STAGES * SQUARES + PLIES
    assert [squares_with(line) for line in range(8)] == [1, 2, 3, 3, 3, 3, 2, 1]


def test_a_cell_moves_with_its_square() -> None:
    images = [moved(0, 1, 6, image) for image in range(8)]
    assert images == [(0, 1), (1, 0), (5, 1), (4, 0), (0, 4), (1, 5), (5, 4), (4, 5)]


def test_at_first_patterns_say_what_the_estimate_says(patterns: AdjacencyPatterns) -> None:
    patterns.learn(patterns.prior())
    for position in some_positions(40):
        estimate = Support.of(position.game).evaluate(position, position.turn)
        assert patterns.evaluate(position) == pytest.approx(estimate, abs=36 / 512)


FIRST_AND_LAST = [(1, 2), (3, 6), (7, 12), (13, 20), (21, 30), (31, 42), (43, 56)]
"""The least and the largest number of plies left in each stage of a game."""


@pytest.mark.parametrize(
    ("left", "stage"), [(left, stage) for stage in range(7) for left in FIRST_AND_LAST[stage]]
)
def test_weights_change_with_the_stage_and_the_number_of_plies_left(
    patterns: AdjacencyPatterns, left: int, stage: int
) -> None:
    position = played(random.Random(left), Adjacency(), left)
    weights = np.zeros(patterns.weight_count)
    weights[stage * SQUARES : (stage + 1) * SQUARES] = 0.5
    patterns.learn(weights)
    assert patterns.evaluate(position) == 36 * 0.5
    weights[:] = 0
    weights[STAGES * SQUARES + left] = -3.25
    patterns.learn(weights)
    assert patterns.evaluate(position) == -3.25


def test_weights_are_kept_in_256ths_and_within_125(patterns: AdjacencyPatterns) -> None:
    position = played(random.Random(1), Adjacency(), 9)
    found = []
    for weight in (1000.0, -1000.0, 0.002, 0.0019, 124.999):
        weights = np.zeros(patterns.weight_count)
        weights[STAGES * SQUARES + 9] = weight
        patterns.learn(weights)
        found.append(patterns.evaluate(position))
    assert found == [125, -125, 1 / 256, 0, 125]


def test_papan_ships_patterns_for_8x8_of_any_number_of_rounds() -> None:
    shipped = adjacency_patterns(Adjacency())
    assert shipped is not None and shipped.table.any()
    assert adjacency_patterns(Adjacency(rounds=3)) is shipped
    for rows, columns in ((8, 7), (7, 8), (9, 9)):
        assert adjacency_patterns(Adjacency(rows, columns, 3)) is None
