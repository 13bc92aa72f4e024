"""The solver of every game with compiled rules: values by the definition, honest at any limit."""

import pytest

import papan
from papan.core import Event, Game, Limit, Proved, margin
from papan.core.parts import Support
from papan.engine.solver import NativeSolver
from papan.games.adjacency import Adjacency
from papan.games.connect4 import Connect4
from papan.games.dots import Dots
from papan.games.tictactoe import TicTacToe
from tests.agents.definition import Pebbles, random_positions, value

GAMES = [(TicTacToe(), 3), (Dots(1, 2), 0), (Adjacency(4, 4, 2), 0), (Connect4(4, 4), 9)]
"""Games, and how many plies must be played before the definition can keep up."""


@pytest.mark.parametrize(("game", "plies"), GAMES, ids=str)
def test_every_move_is_worth_what_the_definition_says(game: Game, plies: int) -> None:
    for position in random_positions(game, 8, (plies, plies + 4)):
        analysis = NativeSolver(all_moves=True).analyse(position)
        assert (analysis.exact, analysis.why, analysis.value) == (True, "exact", value(position))
        for move in position.moves():
            child = position.child(move)
            truth = value(child) if child.turn == position.turn else -value(child)
            assert analysis.values[move] == Proved.exactly(
                truth, analysis.values[move].nodes, analysis.values[move].line
            )
        end = position
        for move in analysis.line:
            end = end.child(move)
        assert margin(end, position.turn) == analysis.value


@pytest.mark.parametrize("nodes", [1, 2, 50, 1_000])
@pytest.mark.parametrize(("game", "plies"), GAMES, ids=str)
def test_a_limit_is_kept_and_the_bounds_are_true(game: Game, plies: int, nodes: int) -> None:
    for position in random_positions(game, 4, (plies, plies + 2)):
        analysis = NativeSolver().analyse(position, Limit(nodes=nodes))
        assert analysis.nodes <= nodes
        low, high = analysis.bounds or (-99, 99)
        assert low <= value(position) <= high
        for move, found in analysis.values.items():
            child = position.child(move)
            truth = value(child) if child.turn == position.turn else -value(child)
            assert isinstance(found, Proved)
            assert found.low <= truth <= found.high


def test_the_solver_takes_every_game_with_compiled_rules() -> None:
    position = papan.position("adjacency:4,9,2")  # too wide for Adjacency's own solver
    assert not Support.of(position.game).has_solver
    events: list[Event] = []
    analysis = papan.agent("solver").analyse(position, listener=events.append)
    assert analysis.exact
    assert analysis.value == papan.agent("alphabeta").analyse(position).value


def test_a_game_without_compiled_rules_has_no_solver() -> None:
    assert not papan.agent("solver").plays(Pebbles(12))
