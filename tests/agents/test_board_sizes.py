"""Every search plays an odd and a wide board of every game: some sizes have rules of their own."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest

import papan
from papan.agents.mcts import Mcts
from papan.agents.minimax import Minimax
from papan.catalog import GAMES
from papan.core import Limit, Move, Position, native_form
from tests.agents.definition import late_positions, outcome, plain, random_positions

ODD = {
    "tictactoe": ("tictactoe:3,5,4", 6),
    "connect4": ("connect4:5,7", 6),
    "dots": ("dots:1,5", 7),
    "adjacency": ("adjacency:5,7,3", 2),
    "onet": ("onet:3,7", 4),
}
"""Boards with an odd side, and how many plies before the end all can be known."""
WIDE = {
    "tictactoe": ("tictactoe:9,9,5", 5),
    "connect4": ("connect4:7,10", 6),
    "dots": ("dots:6,6", 7),
    "adjacency": ("adjacency:9,9,2", 2),
    "onet": ("onet:16,17", 4),
}
"""Boards that do not fit into the words of the usual ones."""
BOARDS = dict((*ODD.values(), *WIDE.values()))
EXACT = ("alphabeta", "minimax", "solver")
SEARCHES = (*EXACT, "mcts:iterations=300", *(f"level:{number}" for number in range(1, 6)))
PLAYED = [
    (agent, spec)
    for agent, spec in product(SEARCHES, BOARDS)
    if papan.agent(agent).plays(papan.game(spec))
]
FEW = Limit(nodes=150)


@cache
def late_position(spec: str) -> Position:
    """A position of a random game that definition alone can solve."""
    return next(late_positions(papan.game(spec), 1, BOARDS[spec]))


@cache
def true_values(position: Position) -> dict[Move, float]:
    """What each move is worth by definition."""
    children = {move: position.child(move) for move in position.moves()}
    return {
        move: outcome(child)[0] * (1 if child.turn == position.turn else -1)
        for move, child in children.items()
    }


def width(spec: str) -> int:
    """How many words a board takes in compiled searches."""
    form = native_form(papan.position(spec))
    assert form is not None
    return len(form.board)


def test_y2_every_game_is_tried_on_an_odd_and_on_a_wide_board() -> None:
    assert ODD.keys() == WIDE.keys() == GAMES.keys()
    for name in GAMES:
        odd, wide = papan.game(ODD[name][0]), papan.game(WIDE[name][0])
        sides: Any = odd
        assert sides.rows % 2 or sides.columns % 2
        assert width(wide.spec) > width(odd.spec)


@pytest.mark.parametrize(("agent", "spec"), PLAYED)
def test_y2_every_search_plays_odd_and_wide_boards(agent: str, spec: str) -> None:
    thinker, start = papan.agent(agent), papan.position(spec)
    analysis = thinker.analyse(start, FEW)
    assert analysis.move in start.moves()
    late = late_position(spec)
    analysis = thinker.analyse(late)
    assert analysis.move in late.moves()
    assert analysis.proved.low <= outcome(late)[0] <= analysis.proved.high
    if agent in EXACT:
        assert analysis.value == outcome(late)[0]
        assert true_values(late)[analysis.move] == analysis.value


@pytest.mark.parametrize("spec", BOARDS)
def test_y2_compiled_searches_of_odd_and_wide_boards_do_as_their_plain_twins(spec: str) -> None:
    start = papan.position(spec)
    for agent in (Minimax(depth=1), Mcts(iterations=4)):
        compiled, twin = (agent.analyse(each, FEW) for each in (start, plain(start)))
        assert (compiled.line, compiled.value) == (twin.line, twin.value)
        assert compiled.values == twin.values


GRAVITY = ("onet:4,6,gravity=down", "onet:4,6,kinds=8,gravity=left")


def best_moves(position: Position) -> set[Move]:
    values = true_values(position)
    return {move for move, value in values.items() if value == max(values.values())}


@pytest.mark.parametrize("spec", BOARDS)
def test_y4_all_best_moves_are_named_where_that_is_cheap(spec: str) -> None:
    late = late_position(spec)
    analysis = papan.solve(late)
    if analysis.exact or late.game.seats == 2:  # of a board that is stuck, less is known
        assert analysis.best_complete
        assert set(analysis.best) == best_moves(late)


@pytest.mark.parametrize("spec", [*BOARDS, *GRAVITY])
def test_y4_moves_are_called_all_best_moves_only_if_they_are(spec: str) -> None:
    game = papan.game(spec)
    late = next(random_positions(game, 1, (8, 8))) if spec in GRAVITY else late_position(spec)
    searches = [papan.solve(late, nodes=nodes) for nodes in (1, 20, 400)]
    searches += [papan.agent(name).analyse(late, FEW) for name in EXACT]
    for analysis in searches:
        assert not analysis.exact or best_moves(late).issuperset(analysis.best)
        assert not analysis.best_complete or set(analysis.best) == best_moves(late)
        assert analysis.json()["best_complete"] is analysis.best_complete
