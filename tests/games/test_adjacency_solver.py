"""The solver of Adjacency: exact values, known positions, honest answers at any limit."""

import json
import random
from math import inf
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import CannotPlayError, Event, Guess, InvalidSpecError, Limit, Proved, Thinking
from papan.core.parts import Support
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition
from papan.games.adjacency.solver import (
    AdjacencyMemory,
    AdjacencyRoot,
    AdjacencySolver,
    estimate_weights,
    expected_nodes,
    granted_nodes,
    mirror_bound,
    transposition_entries,
    values_of,
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
@pytest.mark.parametrize("count", [8, pytest.param(150, marks=pytest.mark.slow)])
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
    analysis = AdjacencySolver(memory=1).analyse(Adjacency().start(), cancelled=lambda: True)
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


@pytest.mark.parametrize(
    ("nodes", "most", "entries"),
    [
        (0, 10**6, 1_024),
        (1_024, 10**6, 1_024),
        (1_025, 10**6, 2_048),
        (3_000, 10**6, 4_096),
        (inf, 2_047, 1_024),
        (inf, 2_048, 2_048),
        (10**9, 5_000, 4_096),
        (10**9, 1, 1_024),
    ],
)
def test_memory_bounds_the_table(nodes: float, most: int, entries: int) -> None:
    assert transposition_entries(nodes, most) == entries


def test_no_memory_is_too_little() -> None:
    with pytest.raises(InvalidSpecError, match="memory"):
        AdjacencySolver(memory=0)


def test_a_tiny_table_changes_nothing_but_the_time() -> None:
    known = DATA["harder_endgames"][-1]
    position = at(known["position"])
    root = AdjacencyRoot(AdjacencyMemory(position.game, 10**8, 1 << 4), position)
    root.solve(2, all_moves=False)
    assert root.final(root.high) == known["value"]


@pytest.mark.thorough
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


# budgets


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        (
            "adjacency:4,4,4 x.oo/.ooo/xxxx/xx.x x",
            0.3 * 1.9 * 1.9 * 1.9,
        ),  # three cells to be filled
        ("adjacency:4,4,4 xxoo/xooo/xxxx/xx.x x", 0.3 * 1.9),
        ("adjacency:4,4,3 x.oo/.ooo/xx../xx.x x", 5 * 64 * (5 / 56) ** 1.5),  # three of five
        ("adjacency:8,8,1 ", 5 * 16 * 1.0),  # two of fifty-six
    ],
)
def test_the_nodes_of_a_proof_are_foreseen_by_plies_and_empty_cells(
    text: str, nodes: float
) -> None:
    position = at(text) if "/" in text else Adjacency(rounds=1).start()
    assert expected_nodes(position) == pytest.approx(nodes)


@pytest.mark.parametrize(
    ("limit", "nodes"),
    [
        (Limit(), inf),
        (Limit(nodes=5), 5),
        (Limit(seconds=2), 16_000_000),
        (Limit(seconds=2, nodes=15_999_999), 15_999_999),
        (Limit(seconds=2, nodes=16_000_001), 16_000_000),
    ],
)
def test_a_second_stands_for_eight_million_nodes(limit: Limit, nodes: float) -> None:
    assert granted_nodes(Thinking(limit)) == nodes


def test_the_table_of_the_last_position_is_kept_if_it_is_large_enough_and_of_the_same_board() -> (
    None
):
    solver, game = AdjacencySolver(memory=1, reuse=True), Adjacency(4, 4, 4)
    first = solver.memory_for(game, Thinking(Limit(nodes=7)), 20)
    assert first.entries == 2_048, "64 times the nodes, as a power of two"
    first.words[1] = 5
    again = solver.memory_for(game, Thinking(Limit(nodes=9)), 2_048)
    assert again is first
    assert first.words[:3].tolist() == [0, 0, 9]
    larger = solver.memory_for(game, Thinking(Limit()), 2_049)
    assert larger is not first
    assert larger.entries == 65_536, "a megabyte at most"
    assert solver.memory_for(Adjacency(4, 5, 6), Thinking(Limit()), 1) is not larger
    assert solver.memory_for(game, Thinking(Limit()), 1) is not larger, "another board was last"


def test_without_reuse_every_position_has_a_table_of_its_own() -> None:
    solver, game = AdjacencySolver(), Adjacency(4, 4, 4)
    tables = [solver.memory_for(game, Thinking(Limit()), 1_025) for _ in range(2)]
    assert tables[0] is not tables[1]
    assert [each.entries for each in tables] == [2_048, 2_048]


# estimates and bounds


@pytest.mark.parametrize(
    ("plies", "left", "weights"),
    [
        (2, 4, [-4, -2, -1, 0, 4]),  # half of the neighbours are taken: 1, 1/2, 1/4, 1/8, 1/16
        (1, 5, [-2, -2, -1, -1, 4]),  # a quarter: 1, 3/4, 9/16, 27/64, 81/256
        (10, 0, [-8, 0, 0, 0, 4]),  # all
        (2, 1, [-8, 0, 0, 0, 4]),  # all, and no more than all
    ],
)
def test_a_mark_with_empty_neighbours_counts_less(
    plies: int, left: int, weights: list[int]
) -> None:
    assert estimate_weights(plies, left) == weights


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("adjacency:4,4,3 ..oo/..oo/xx../xx.. x", 0),  # the same when turned around
        ("adjacency:4,4,3 ..xo/..oo/xx../xo.. x", 0),
        ("adjacency:4,4,3 ..xo/..oo/xx../xx.. x", 40),  # not quite the same
        ("adjacency:4,4,3 ..oo/.xoo/xx../xx.. o", 40),  # an odd number of plies
        (
            "adjacency:4,4,4 ..oo/..oo/xx../xx.. x",
            16,
        ),  # full at the end: the empty cells alone count
        ("adjacency:4,4,4 ..xx/..oo/xx../xx.. x", 16),
        ("adjacency:4,4,4 .xoo/..oo/xx../xo.x x", 40),
        ("adjacency:5,5,8 ...oo/...oo/...../xx.../xx... x", 40),  # a cell in the middle
    ],
)
def test_a_rival_who_answers_at_the_opposite_cell_bounds_the_score(text: str, bound: int) -> None:
    assert mirror_bound(at(text), (-8, 40)) == bound


def test_scores_are_told_as_final_margins() -> None:
    root = AdjacencyRoot(
        AdjacencyMemory(Adjacency(4, 4, 4), 1, 1 << 10), at("adjacency:4,4,4 x.oo/.ooo/xo../xx.x o")
    )  # 6 to 5
    assert [root.final(score) for score in (0, 8, -24, 4, -4)] == [1, 2, -2, 1.5, 0.5]
    first, second, third, fourth, fifth = root.choices
    first.low, first.high, first.nodes = 8, 8, 3
    second.high = 0
    third.guess, third.nodes = 4, 7
    fourth.low = -8
    root.line = (first.move, second.move)
    assert values_of(root) == {
        first.move: Proved(2, 2, nodes=3, line=(second.move,)),
        second.move: Proved(-inf, 1),
        third.move: Guess(1.5, True, nodes=7),
        fourth.move: Proved(0, inf),
    }
    assert not fifth.looked_at
    root.line = (third.move,)
    assert values_of(root)[third.move] == Guess(1.5, False, nodes=7)
