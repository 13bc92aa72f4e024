"""The solver of Adjacency: exact values, known positions, honest answers at any limit."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import CannotPlayError, Event, InvalidSpecError, Limit
from papan.core.parts import Support
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition
from papan.games.adjacency.solver import (
    AdjacencyMemory,
    AdjacencyRoot,
    AdjacencySolver,
    transposition_entries,
)
from tests.games.adjacency_positions import (
    at,
    final_margin,
    margin,
    plain,
    positions,
    random_game,
)

DATA = json.loads((Path(__file__).parents[1] / "data" / "adjacency.json").read_text())
KNOWN = DATA["endgames"] + DATA["harder_endgames"]


@pytest.mark.thorough
@pytest.mark.parametrize("count", [20, pytest.param(150, marks=pytest.mark.slow)])
def test_every_move_is_worth_what_plain_minimax_says(count: int) -> None:
    rng = random.Random(3)
    solver = AdjacencySolver(memory=1, all_moves=True)
    for position, _ in zip(positions(rng, 100_000), range(count)):
        known: dict[AdjacencyPosition, int] = {}
        values = {move: -plain(position.child(move), known) for move in position.moves()}
        analysis = solver.analyse(position)
        assert analysis.exact
        assert analysis.value == max(values.values())
        assert {move: value.number for move, value in analysis.values.items()} == values
        assert {value.kind for value in analysis.values.values()} == {"exact"}
        assert final_margin(position, analysis.line) == analysis.value


def opposite(position: AdjacencyPosition, move: int) -> int:
    return position.game.grid.size - 1 - move


def test_a_rival_who_answers_point_by_point_never_loses() -> None:
    rng = random.Random(5)
    for _ in range(300):
        game = random_game(rng)
        if game.grid.size % 2 == 0:
            position = game.start()
            assert AdjacencyRoot(AdjacencyMemory(game, 1, 1 << 10), position).high <= 0
            while moves := position.moves():
                move = rng.choice(moves)
                position = position.child(move).child(opposite(position, move))
            assert margin(position) <= 0


def test_a_lopsided_position_is_not_bounded_that_way() -> None:
    position = Adjacency(rounds=4).start().after("a1 b1")
    assert AdjacencyRoot(AdjacencyMemory(position.game, 1, 1 << 10), position).high > 0


# known positions


@pytest.mark.thorough
@pytest.mark.parametrize("known", KNOWN, ids=lambda each: each["position"].split()[1])
def test_known_endgames(known: dict[str, Any]) -> None:
    position = at(known["position"])
    analysis = AdjacencySolver().analyse(position)
    assert (analysis.value, analysis.exact) == (known["value"], True)
    assert sorted(analysis.best) == sorted(map(position.game.parse_move, known["best"]))
    assert final_margin(position, analysis.line) == known["value"]
    assert analysis.distance == position.plies_left == len(analysis.line)
    assert analysis.bounds == (known["value"], known["value"])


@pytest.mark.parametrize(
    "rounds",
    [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow), pytest.param(6, marks=pytest.mark.slow)],
)
def test_the_game_from_the_start(rounds: int) -> None:
    start = Adjacency(rounds=rounds).start()
    analysis = AdjacencySolver().analyse(start)
    assert (analysis.value, analysis.exact) == (DATA["starts"][str(rounds)], True)
    assert final_margin(start, analysis.line) == analysis.value


def test_five_rounds_are_proven_to_be_lost_by_two() -> None:
    root = AdjacencyRoot(
        AdjacencyMemory(Adjacency(rounds=5), 10**8, 1 << 18), Adjacency(rounds=5).start()
    )
    root.look(2)
    root.prove()
    assert root.proven
    assert root.final(root.high) == -2


# limits


def test_a_node_limit_is_kept_and_repeatable() -> None:
    start = Adjacency(rounds=16).start()
    first, second = (AdjacencySolver().analyse(start, Limit(nodes=50_000)) for _ in range(2))
    assert first.nodes == 50_000
    assert (first.line, first.value, first.bounds) == (second.line, second.value, second.bounds)
    assert (first.exact, first.why) == (False, "nodes")


@pytest.mark.parametrize("nodes", [1, 2, 57, 1_000, 20_000, 300_000])
def test_what_is_said_at_a_limit_is_true(nodes: int) -> None:
    start = Adjacency(rounds=5).start()
    analysis = AdjacencySolver().analyse(start, Limit(nodes=nodes))
    assert analysis.move in start.moves()
    assert analysis.bounds is not None
    low, high = analysis.bounds
    assert low <= DATA["starts"]["5"] <= high
    assert analysis.value is not None
    assert low <= analysis.value <= high


def test_time_ends_a_search_with_honest_bounds() -> None:
    analysis = AdjacencySolver().analyse(Adjacency().start(), Limit(seconds=0.05))
    assert (analysis.exact, analysis.why) == (False, "time")
    assert analysis.bounds is not None
    assert analysis.bounds[0] < 0
    assert analysis.bounds[1] == 0  # the rival can answer point by point


def test_a_search_can_be_cancelled() -> None:
    analysis = AdjacencySolver().analyse(Adjacency().start(), cancelled=lambda: True)
    assert (analysis.exact, analysis.why) == (False, "cancelled")


def test_it_tells_how_far_it_has_come() -> None:
    events: list[Event] = []
    position = at(DATA["harder_endgames"][0]["position"])
    AdjacencySolver().analyse(position, listener=events.append)
    root = next(event for event in reversed(events) if event["t"] == "root")
    known = DATA["harder_endgames"][0]
    assert root["best"] in known["best"]
    assert root["bounds"] == [known["value"], known["value"]]
    assert root["depth"] == position.plies_left
    assert {move["m"] for move in root["moves"]} == {
        position.game.move_name(move) for move in position.moves()
    }
    assert root["nodes"] > 0


def test_moves_that_are_not_best_are_bounded_unless_all_are_asked_for() -> None:
    position = at(
        "adjacency:8,8,28 o.xxoxxo/..xoxoxx/oooxxoxo/ooxx.xoo/ooxxxxxx/oxxooxx./oxoxooxo/xoxxx.xo o"
    )
    few = AdjacencySolver().analyse(position)
    every = AdjacencySolver(all_moves=True).analyse(position)
    for move in position.moves():
        if move in few.best:
            assert few.values[move].kind == "exact"
        elif few.values[move].kind == "upper":
            assert every.values[move].number <= few.values[move].number < 0


# which games, which settings


def test_boards_beyond_eight_by_eight_have_no_solver() -> None:
    large = Adjacency(8, 9, 10)
    assert Support.of(large).solver() is None
    assert isinstance(Support.of(Adjacency(8, 8, 1)).solver(memory=3), AdjacencySolver)
    with pytest.raises(CannotPlayError, match="solver"):
        AdjacencySolver().analyse(large.start())


def test_memory_bounds_the_table() -> None:
    assert transposition_entries(10**9, most=5_000) == 4_096
    assert transposition_entries(3_000, most=10**6) == 4_096
    with pytest.raises(InvalidSpecError, match="memory"):
        AdjacencySolver(memory=0)


def test_a_tiny_table_changes_nothing_but_the_time() -> None:
    known = DATA["harder_endgames"][-1]
    position = at(known["position"])
    root = AdjacencyRoot(AdjacencyMemory(position.game, 10**8, 1 << 4), position)
    root.solve(2, all_moves=False)
    assert root.final(root.high) == known["value"]


def test_node_signature() -> None:
    nodes = 0
    for known in KNOWN:
        nodes += AdjacencySolver().analyse(at(known["position"])).nodes
    for rounds in (3, 4):
        nodes += AdjacencySolver().analyse(Adjacency(rounds=rounds).start()).nodes
    assert nodes == 3_642_664


def test_y7_an_estimate_is_a_final_margin_of_the_seat_to_move() -> None:
    """After sixteen moves by chance marks change hands, but hardly more than six of them."""
    luck = random.Random(1)
    for _ in range(6):
        position = papan.position("adjacency")
        for _ in range(16):
            position = position.child(luck.choice(position.moves()))
        found = papan.solve(position, nodes=300)
        assert found.value is not None and not found.exact
        assert abs(found.value - papan.margin(position, position.turn)) <= 6
