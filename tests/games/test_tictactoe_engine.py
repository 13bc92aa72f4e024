"""Play on boards that are too large to be solved: forced wins are found and proven, moves sound."""

import numpy as np
import pytest

import papan
from papan.core import Agent, Analysis, Limit, Thinking
from papan.engine.solver import NativeSolver
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition
from papan.games.tictactoe.solver import TicTacToeSolver, engine_workspace, holding_moves
from papan.lab.match import Match, play_match

from .tictactoe_twin import Twin

LITTLE = Limit(nodes=30_000)

OPEN_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . x x x . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    o . o . . . o . .
"""
FOUR_THAT_MAKES_AN_OPEN_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . o x x x . . . .
    . . . . . . . . .
    . . . . . x . . .
    . . . . . x . . .
    . . . . . . . . .
    o . o . . . o . o
"""
TWO_OPEN_THREES_IN_ONE_MOVE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . x . . . .
    . . . . x . . . .
    . . x x . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    o . o . . . o . o
"""
OPEN_FOUR_OF_THE_RIVAL = """
    . . . . . . . . .
    . . x . . . . . .
    . . . x . . . . .
    . . o o o o . . .
    . . . . . . . . .
    . . . . x . . . .
    . . . . . . . . .
    . x . . . . . . .
    . . . . . . . . .
"""
FOUR_OF_THE_RIVAL = """
    . . . . . . . . .
    . . x . . . . . .
    . . . x . . . . .
    . x o o o o . . .
    . . . . . . . . .
    . . . . x . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
OPEN_THREE_OF_THE_RIVAL = """
    . . . . . . . . .
    . . x . . . . . .
    . . . . . . . . .
    . . . o o o . . .
    . . . . . . . . .
    . . . . x . . . .
    . . . . . . . . .
    . . . . . . . x .
    . . . . . . . . .
"""


def board(picture: str) -> TicTacToePosition:
    """Nine by nine, five in a row, x to move."""
    rows = "/".join(line.replace(" ", "") for line in picture.split("\n") if line.strip())
    position = papan.position(f"tictactoe:9,9,5 {rows} x")
    assert isinstance(position, TicTacToePosition)
    return position


def play(position: TicTacToePosition, limit: Limit = LITTLE) -> Analysis:
    return TicTacToeSolver().analyse(position, limit)


def name(position: TicTacToePosition, analysis: Analysis) -> str:
    return position.game.move_name(analysis.move)


def check_forced_win(position: TicTacToePosition, analysis: Analysis) -> None:
    """The line is legal and ends with the win of the side to move."""
    turn = position.turn
    for move in analysis.line:
        assert move in position.moves()
        position = position.child(move)
    assert position.scores()[turn] == 1


def test_an_open_three_is_won_in_three() -> None:
    position = board(OPEN_THREE)
    analysis = play(position)
    assert (analysis.value, analysis.exact, analysis.distance) == (1, True, 3)
    assert name(position, analysis) in ("c4", "g4")
    check_forced_win(position, analysis)


def test_a_four_that_makes_an_open_three_is_won_by_a_chain() -> None:
    position = board(FOUR_THAT_MAKES_AN_OPEN_THREE)
    analysis = play(position)
    assert (analysis.value, analysis.exact, analysis.distance) == (1, True, 5)
    assert analysis.facts == {"within": 5}
    assert name(position, analysis) == "f4"
    check_forced_win(position, analysis)


def test_two_open_threes_in_one_move_are_proven_to_win() -> None:
    position = board(TWO_OPEN_THREES_IN_ONE_MOVE)
    analysis = play(position)
    assert (analysis.value, analysis.exact, analysis.why) == (1, True, "exact")
    assert analysis.distance is None, "a quicker win has not been ruled out"
    assert name(position, analysis) == "e5"


def test_an_open_four_of_the_rival_is_proven_to_lose() -> None:
    position = board(OPEN_FOUR_OF_THE_RIVAL)
    analysis = play(position)
    assert (analysis.value, analysis.exact) == (-1, True)
    assert name(position, analysis) in ("b4", "g4")


def test_a_four_of_the_rival_is_stopped() -> None:
    position = board(FOUR_OF_THE_RIVAL)
    analysis = play(position)
    assert name(position, analysis) == "g4"
    assert not analysis.exact or analysis.value != -1


@pytest.mark.parametrize("nodes", [2_000, 30_000])
def test_an_open_three_of_the_rival_is_stopped(nodes: int) -> None:
    position = board(OPEN_THREE_OF_THE_RIVAL)
    assert name(position, play(position, Limit(nodes=nodes))) in ("b4", "c4", "g4", "h4")


def test_three_in_a_row_is_won_by_whoever_starts() -> None:
    analysis = papan.solve("tictactoe:15,15,3", nodes=20_000)
    assert (analysis.value, analysis.exact) == (1, True)


def test_a_row_as_long_as_the_board_is_a_draw() -> None:
    analysis = papan.solve("tictactoe:15,15,15", nodes=2_000)
    assert (analysis.value, analysis.exact, analysis.distance) == (0, True, 225)
    assert len(analysis.best) == 225


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "fewest"),
    [
        ("3,3,3", 0),
        ("4,4,3", 0),
        ("4,4,4", 2),
        ("5,5,4", 4),
        ("5,5,3", 2),
        ("6,6,4", 8),
        ("6,6,5", 8),
    ],
)
def test_what_is_proven_is_true(size: str, fewest: int) -> None:
    proven, engine = 0, TicTacToeSolver(memory=1)
    for position in Twin(size).positions(60, fewest):
        found = NativeSolver.decide(engine, position, Thinking(Limit(nodes=2_000)))
        truth = TicTacToeSolver(all_moves=found.exact).analyse(position)
        assert truth.value is not None
        assert truth.distance is not None
        if not found.exact:
            assert found.bounds is not None
            assert found.bounds[0] <= truth.value <= found.bounds[1]
            continue
        proven += 1
        assert found.value == truth.value
        assert found.distance in (None, truth.distance)
        assert found.facts.get("within", 99) >= truth.distance
        for move, value in found.values.items():
            assert value.number == truth.values[move].number
    assert proven > 5


def test_moves_that_hold_a_draw_do() -> None:
    twin, held = Twin("4,4,4"), 0
    for position in twin.positions(100, 8):
        full = 2**4
        rival, own = position.marks[1 - position.turn], position.marks[position.turn]
        open_ = [line for line in twin.game.lines if not line & own]
        if sum(1 << (line & rival).bit_count() for line in open_) < full:
            held += 1
            assert all(twin.value(position, move) >= 0 for move in holding_moves(position))
    assert held > 20


def test_nodes_are_as_ever() -> None:
    boards = (TWO_OPEN_THREES_IN_ONE_MOVE, FOUR_THAT_MAKES_AN_OPEN_THREE, OPEN_FOUR_OF_THE_RIVAL)
    assert sum(play(board(each)).nodes for each in boards) == 1_282


RINGS = """
    13 13 13 13 13 13
    13 14 14 14 14 13
    13 14 15 15 14 13
    13 14 14 14 14 13
    13 13 13 13 13 13
"""


def test_y7_a_cell_counts_one_less_for_each_ring_around_the_centre() -> None:
    game = papan.game("tictactoe:5,6,4")
    assert isinstance(game, TicTacToe)
    central = np.asarray(engine_workspace(game).central)
    assert [int(each) for each in central[: 5 * 6]] == [int(each) for each in RINGS.split()]


def test_the_same_limit_gives_the_same_move() -> None:
    position = papan.position("tictactoe:15,15,5").after("h8 i9 g9 h7")
    assert isinstance(position, TicTacToePosition)
    first, second = play(position), play(position)
    assert (first.line, first.value, first.nodes) == (second.line, second.value, second.nodes)
    assert (first.exact, first.bounds, first.why) == (False, (-1, 1), "nodes")


@pytest.mark.thorough
@pytest.mark.parametrize("size", ["10,10,5", pytest.param("15,15,5", marks=pytest.mark.slow)])
@pytest.mark.parametrize("rival", ["mcts:iterations=100", "alphabeta:depth=1"])
def test_it_wins_against_plain_agents(size: str, rival: str) -> None:
    agents: tuple[Agent, Agent] = (_Quick(), papan.agent(rival))
    result = play_match(Match(agents, papan.game(f"tictactoe:{size}")))
    assert (result.wins, result.losses) == (2, 0)


class _Quick(TicTacToeSolver):
    """The solver with little time."""

    def decide(self, position, thinking):  # type: ignore[no-untyped-def]
        thinking.narrow(Limit(nodes=5_000))
        return super().decide(position, thinking)
