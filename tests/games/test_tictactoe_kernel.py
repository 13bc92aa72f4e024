"""What the Tic Tac Toe kernels see and prove at a glance, next to the rules and plain minimax."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from papan.core import Limit, Thinking
from papan.engine.memory import copy
from papan.engine.native import native
from papan.engine.transpositions import Transpositions, grow
from papan.games.tictactoe.kernel import (
    EXACT_BUCKET,
    drawn_by_pairing,
    exact_key,
    recall_exact,
    remember_exact,
    static_info,
)
from papan.games.tictactoe.kernel_engine import EngineWorkspace, lift_mark, put_mark
from papan.games.tictactoe.rules import TicTacToePosition
from papan.games.tictactoe.solver import EngineSolution, ExactSolution

from .tictactoe_twin import Twin

FREE = Thinking(Limit())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "fewest"),
    [
        ("3,3,3", 0),
        ("3,4,3", 2),
        ("1,8,3", 0),
        pytest.param("4,4,4", 7, marks=pytest.mark.slow),
    ],
)
def test_whoever_is_held_cannot_win(size: str, fewest: int) -> None:
    twin, count = Twin(size), 0
    for position in twin.positions(200, fewest):
        exact = ExactSolution(position, FREE, 1)
        own, rival = exact.marks()
        score = twin.score(position)
        if drawn_by_pairing(own, rival, np.uint64(0), exact.workspace.lines):
            assert score <= 0
            count += 1
        if drawn_by_pairing(rival, own, np.uint64(1), exact.workspace.lines):
            assert score >= 0
            count += 1
    assert count > 50


@pytest.mark.parametrize(
    ("size", "holds"),
    [
        ("3,3,3", 0),
        ("4,4,3", 0),
        ("4,4,4", 1),
        ("5,5,5", 1),
        ("5,5,4", 0),
        ("3,12,4", 1),
        ("2,15,3", 1),
    ],
)
def test_the_first_player_is_held_on_boards_that_are_long_for_their_lines(
    size: str, holds: int
) -> None:
    position = Twin(size).game.start()
    exact = ExactSolution(position, FREE, 1)
    own, rival = exact.marks()
    assert drawn_by_pairing(own, rival, np.uint64(0), exact.workspace.lines) == holds


def test_a_survey_sees_where_each_side_wins() -> None:
    twin = Twin("4,5,3")
    for position in twin.positions(200, 2):
        exact = ExactSolution(position, FREE, 1)
        own, rival = exact.marks()
        wins, threats, live = map(int, static_info(own, rival, exact.workspace.lines)[:3])
        passed = TicTacToePosition(twin.game, position.marks, 1 - position.turn)
        for found, place in ((wins, position), (threats, passed)):
            winning = [move for move in position.moves() if any(place.child(move).scores())]
            assert found == sum(1 << exact.bits[move] for move in winning)
        x, o = position.marks
        open_ = [line for line in twin.game.lines if not line & x or not line & o]
        cells = [
            cell for cell, bit in enumerate(twin.game.bits) if any(bit & line for line in open_)
        ]
        assert live == sum(1 << exact.bits[cell] for cell in cells)


@native()
def double(table: Transpositions) -> None:
    grow(table, EXACT_BUCKET, np.uint64(1))


def test_a_table_that_grows_forgets_nothing() -> None:
    position = Twin("5,5,4").game.start()
    exact = ExactSolution(position, FREE, 16)
    workspace = exact.workspace
    rng = np.random.default_rng(7)
    keys = rng.integers(0, 2**63, (200, 2)).astype(np.uint64)
    for number, (own, rival) in enumerate(keys):
        remember_exact(own, rival, -(number % 60), number % 60, workspace)
    before = [recall_exact(own, rival, workspace) for own, rival in keys]
    assert before.count((-128, 128)) < 20
    for _ in range(4):
        double(workspace.transpositions)
        assert [recall_exact(own, rival, workspace) for own, rival in keys] == before


def test_a_full_bucket_keeps_the_emptier_board() -> None:
    exact = ExactSolution(Twin("3,3,3").game.start(), FREE, 1)
    zero, together = np.uint64(0), dict[int, dict[int, np.uint64]]()
    for count, cells in ((1, 64), (2, 64), (3, 20), (4, 20)):
        for chosen in combinations(range(cells), count):
            marks = np.uint64(sum(1 << cell for cell in chosen))
            together.setdefault(int(exact_key(marks, zero)[0]) >> 40, {})[count] = marks
    bucket = next(bucket for bucket in together.values() if len(bucket) == 4)
    one, two, three, four = (bucket[count] for count in range(1, 5))
    for marks in (three, one, two, four):
        remember_exact(marks, zero, 0, int(marks).bit_count(), exact.workspace)
    assert recall_exact(one, zero, exact.workspace) == (0, 1)
    assert recall_exact(four, zero, exact.workspace) == (0, 4)
    assert recall_exact(two, zero, exact.workspace) == (-128, 128)


def counted(position: TicTacToePosition) -> dict[str, Any]:
    """What the field keeps count of, counted afresh."""
    game = position.game
    opened = np.zeros((2, 16), int)
    through = np.zeros((2, game.grid.size, game.connect), int)
    for line in game.lines:
        for seat in range(2):
            if not line & position.marks[1 - seat]:
                marks = (line & position.marks[seat]).bit_count()
                opened[seat, marks] += 1
                for cell, bit in enumerate(game.bits):
                    through[seat, cell, marks] += bool(bit & line)
    return {"open": opened, "through": through}


@pytest.mark.parametrize("size", ["9,9,5", "4,7,3", "15,15,5", "3,11,7"])
def test_a_field_keeps_count_while_marks_come_and_go(size: str) -> None:
    twin = Twin(size)
    for position in twin.positions(3, 10):
        engine = EngineSolution(twin.game.start(), FREE, 1)
        workspace, blank = engine.workspace, copy(engine.workspace)
        marked = [
            (np.uint64(seat), np.uint64(cell))
            for cell, bit in enumerate(twin.game.bits)
            for seat in range(2)
            if position.marks[seat] & bit
        ]
        for seat, cell in marked:
            put_mark(seat, cell, workspace)
        check_field(position, workspace)
        for seat, cell in reversed(marked):
            lift_mark(seat, cell, workspace)
        assert workspace == blank


def check_field(position: TicTacToePosition, workspace: EngineWorkspace) -> None:
    truth, size = counted(position), position.game.grid.size
    gain = np.asarray(workspace.gain).tolist()[: position.game.connect]
    assert np.asarray(workspace.open).tolist() == truth["open"].tolist()
    for seat in range(2):
        for cell in range(size):
            lines = truth["through"][seat, cell].tolist()
            weight = sum(count * each for count, each in zip(lines, gain))
            assert int(workspace.weights[seat, cell]) == weight
