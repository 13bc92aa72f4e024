"""Paper 000 (minimax with chain values for Dots and Boxes): its transcript, move by move."""

import random
from array import array
from collections.abc import Sequence

import pytest

import papan
from papan.core import CannotPlayError, Event, InvalidSpecError, Limit
from papan.games.dots.paper import Chains, ChainsFixed, Reading, chain_length, chain_value
from papan.games.dots.rules import Dots, DotsPosition
from papan.papers import dots as published

MOVES = published.MOVES.split()

REVIEW = {
    4: (3, 1, 15),
    5: (-1, -3, 1),
    6: (3, 3, 16),
    7: (-3, -5, 2),
    8: (5, 3, 2),
    9: (-3, -3, 8),
    10: (3, 3, 5),
    11: (-3, -3, 11),
    12: (3, 3, 1),
    13: (3, 3, 1),
    14: (3, 3, 5),
    15: (-3, -7, 2),
    16: (7, 7, 3),
    17: (7, 7, 2),
    18: (7, 7, 1),
    19: (7, 3, 2),
    20: (-3, -3, 2),
    21: (-3, -3, 1),
    22: (-3, -3, 1),
    23: (-3, -3, 2),
    24: (3, 3, 1),
}
"""With best play from each ply on: the final margin of the mover, its margin after the move that
was played, and how many moves are best. Plies 1 to 3 are left out: too many positions follow."""

ERRORS = {4: (3, 1), 5: (-1, -3), 7: (-3, -5), 8: (5, 3), 15: (-3, -7), 19: (7, 3)}
"""The plies that lost boxes."""


def positions() -> list[DotsPosition]:
    """The positions of the transcript: the one at place n is before ply n + 1."""
    found = [Dots().start()]
    for name in MOVES:
        found.append(found[-1].after(name))
    return found


def test_the_transcript_is_legal_and_its_scores_are_right() -> None:
    game = positions()
    assert len(MOVES) == Dots().move_count == 24
    scores = [f"{position.owned[0]}-{position.owned[1]}" for position in game[1:]]
    assert scores == published.SCORES.split()
    assert game[-1].moves() == []
    assert [ply for ply in range(1, 25) if game[ply - 1].turn == 1] == [*published.PROGRAM_PLIES]


def replayed(agent: Chains) -> dict[int, str]:
    """The program's plies in which *agent* moves otherwise, each with its own move."""
    game = positions()
    moves = {ply: agent.analyse(game[ply - 1]).move for ply in published.PROGRAM_PLIES}
    names = {ply: Dots().move_name(move) for ply, move in moves.items()}
    return {ply: name for ply, name in names.items() if name != MOVES[ply - 1]}


@pytest.mark.thorough
@pytest.mark.parametrize("depth", [3, 4, 5])
def test_13_of_13_moves_are_the_programs(depth: int) -> None:
    assert replayed(Chains(depth)) == {}


def test_with_the_extra_turn_respected_11_of_13_are() -> None:
    assert replayed(ChainsFixed()) == {14: "a4b4", 19: "c4d4"}


@pytest.mark.parametrize(("agent", "nodes"), [(Chains(), 3847), (ChainsFixed(), 3361)])
def test_node_signature_over_the_programs_plies(agent: Chains, nodes: int) -> None:
    game = positions()
    assert sum(agent.analyse(game[ply - 1]).nodes for ply in published.PROGRAM_PLIES) == nodes


def test_moves_come_by_chain_value_then_across_before_down() -> None:
    root = [event for event in events(Chains(), positions()[16]) if event["t"] == "root"][-1]
    names = [move["m"] for move in root["moves"]]
    assert names == ["b3c3", "b4c4", "c4d4", "a2a3", "b2b3", "d3d4", "d1d2", "d2d3"]


def test_of_equal_moves_the_first_is_expected() -> None:
    line = Chains().analyse(positions()[11]).line
    assert [Dots().move_name(move) for move in line] == ["b1b2", "c2d2", "b3c3"]


def margins(position: DotsPosition) -> Sequence[int]:
    """The boxes still to come, the mover's minus the rival's, for each set of lines drawn later."""
    lines = position.moves()
    place = {line: 1 << number for number, line in enumerate(lines)}
    # Each line that is left, with what else is left of the boxes beside it.
    beside = [
        (place[line], [box_left(position, box, place) for box in position.game.beside[line]])
        for line in lines
    ]
    table = array("b", bytes(1 << len(lines)))
    for drawn in range(len(table) - 2, -1, -1):
        best = -len(position.game.boxes)
        for line, boxes in beside:
            if not drawn & line:
                after = drawn | line
                won = 0
                for box in boxes:
                    won += after & box == box
                value = won + table[after] if won else -table[after]
                if value > best:
                    best = value
        table[drawn] = best
    return table


def box_left(position: DotsPosition, box: int, place: dict[int, int]) -> int:
    return sum(place[line] for line in position.game.sides[box] if line in place)


@pytest.mark.slow
def test_review_of_the_transcript_from_ply_4_on() -> None:
    game = positions()
    first = game[3]
    lines = first.moves()
    table = margins(first)

    def margin(position: DotsPosition, seat: int) -> int:
        """The final margin of *seat* with best play."""
        later = sum(1 << number for number, line in enumerate(lines) if position.drawn >> line & 1)
        future = table[later] if position.turn == seat else -table[later]
        return position.owned[seat] - position.owned[1 - seat] + future

    review = {}
    for ply in REVIEW:
        position, seat = game[ply - 1], game[ply - 1].turn
        values = [margin(position.child(move), seat) for move in position.moves()]
        best = margin(position, seat)
        review[ply] = (best, margin(game[ply], seat), values.count(best))
        assert max(values) == best
    assert review == REVIEW
    assert {ply: pair[:2] for ply, pair in review.items() if pair[0] != pair[1]} == ERRORS


def printed_chain_length(position: DotsPosition, move: int) -> int:
    """The length that the paper's ``find_chain`` finds, as printed."""
    game, drawn = position.game, position.drawn
    visited: set[int] = set()
    length = 0

    def find_chain(box: int) -> None:
        nonlocal length
        sides = (game.boxes[box] & drawn).bit_count()
        if box in visited or sides == 4:
            return
        visited.add(box)
        if sides == 3:
            length += 1
            for line in game.sides[box]:
                if not drawn >> line & 1:
                    for other in game.beside[line]:
                        find_chain(other)

    for box in game.beside[move]:
        find_chain(box)
    return length


def random_positions(game: Dots, count: int, drawn: int = 0) -> list[DotsPosition]:
    """Positions of random games with at least so many lines drawn."""
    rng = random.Random(game.spec)
    found = []
    for _ in range(count):
        position = game.start()
        for _ in range(rng.randrange(drawn, game.move_count)):
            position = position.child(rng.choice(position.moves()))
        found.append(position)
    return found


def test_the_chain_value_is_the_parity_of_the_printed_chain() -> None:
    seen = set()
    for position in random_positions(Dots(3, 4), 200):
        for move in position.moves():
            length = printed_chain_length(position, move)
            seen.add(length)
            first, second = (chain_value(position, move, seat) for seat in (0, 1))
            assert (first, second) == ((1.0, 0.0) if length % 2 else (0.0, 1.0))
    assert seen == {0, 1, 2}


def true_margin(position: DotsPosition) -> int:
    """The final margin of the mover with best play."""
    future = margins(position)[0] if position.moves() else 0
    return position.owned[position.turn] - position.owned[1 - position.turn] + future


@pytest.mark.thorough
def test_to_the_end_the_corrected_agent_is_right_and_the_paper_often_is_not() -> None:
    wrong = 0
    game = random_positions(Dots(2, 2), 60, drawn=5)
    for position in game:
        truth = true_margin(position)
        analysis = ChainsFixed(depth=12).analyse(position)
        assert (analysis.value, analysis.exact, analysis.why) == (truth, True, "exact")
        assert true_margin_after(position, analysis.move) == truth
        fault = Chains(depth=12).analyse(position)
        assert (fault.exact, fault.why) == (False, "depth")
        wrong += fault.value != truth
    assert wrong > len(game) / 3


def test_a_search_of_as_many_plies_as_lines_are_left_is_exact_and_a_shorter_one_is_none() -> None:
    for position in random_positions(Dots(2, 2), 5, drawn=8):
        left = len(position.moves())
        found = [ChainsFixed(depth).analyse(position) for depth in (left - 1, left, left + 1)]
        assert [each.exact for each in found] == [False, True, True]
        assert [each.why for each in found] == ["depth", "exact", "exact"]


def true_margin_after(position: DotsPosition, move: int) -> int:
    child = position.child(move)
    return true_margin(child) if child.turn == position.turn else -true_margin(child)


def test_bounds_of_the_corrected_agent_hold() -> None:
    for position in random_positions(Dots(2, 2), 30, drawn=4):
        for move, value in ChainsFixed(depth=12).analyse(position).values.items():
            truth = true_margin_after(position, move)
            assert value.number == truth if value.kind == "exact" else value.number >= truth
            assert value.kind in ("exact", "upper")


def plain_minimax(position: DotsPosition, seat: int, depth: int, role: str) -> float:
    """The paper's search without pruning."""
    if depth == 0 or not position.moves():
        return position.owned[seat] - position.owned[1 - seat]
    after = "min" if role == "max" else "max"
    values = [
        plain_minimax(position.child(move), seat, depth - 1, after) for move in position.moves()
    ]
    return max(values) if role == "max" else min(values)


def test_pruning_changes_nothing() -> None:
    for position in random_positions(Dots(2, 3), 25):
        expected = plain_minimax(position, position.turn, 3, "max")
        assert Chains().analyse(position).value == expected


def test_its_line_can_be_played() -> None:
    for position in random_positions(Dots(3, 3), 25):
        line = ChainsFixed(depth=4).analyse(position).line
        names = " ".join(map(position.game.move_name, line))
        assert len(line) == min(4, len(position.moves()))
        assert position.after(names).game == position.game


def events(agent: Chains, position: DotsPosition) -> list[Event]:
    heard: list[Event] = []
    agent.analyse(position, listener=heard.append)
    return heard


def test_it_tells_the_tree_with_windows_and_cuts() -> None:
    position = positions()[18]
    nodes = [event["add"][0] for event in events(Chains(), position) if event["t"] == "tree"]
    by_id = {node["id"]: node for node in nodes}
    root = by_id[0]
    assert (root["up"], root["m"], root["role"], root["s"]) == (None, None, "max", "full")
    assert {node["s"] for node in nodes} == {"full", "cut", "leaf"}
    for node in nodes[1:]:
        parent = by_id[node["up"]]
        assert node["role"] == ("min" if parent["role"] == "max" else "max")
        assert node["up"] < node["id"]
        if node["s"] == "cut":
            assert node["why"] == ("v>=b" if node["role"] == "max" else "v<=a")
            assert node["v"] >= node["b"] if node["role"] == "max" else node["v"] <= node["a"]


def test_the_corrected_agent_tells_the_extra_turn() -> None:
    position = positions()[16]  # boxes can be taken
    nodes = [event["add"][0] for event in events(ChainsFixed(), position) if event["t"] == "tree"]
    roles = {node["m"]: node["role"] for node in nodes if node["up"] == 0}
    takes = {"d1d2", "d2d3"}
    assert roles == {name: "max" if name in takes else "min" for name in roles}
    assert takes < roles.keys()


def test_it_tells_the_chain_value_of_every_move() -> None:
    position = positions()[16]
    root = [event for event in events(Chains(), position) if event["t"] == "root"][-1]
    assert root["best"] == MOVES[16]
    assert root["pruned"] > 0
    chains = {move["m"]: move["chain"] for move in root["moves"]}
    takes = {"d1d2", "d2d3"}  # one box each: an odd chain, which the second player does not want
    assert chains == {
        position.game.move_name(move): 0.0 if position.game.move_name(move) in takes else 1.0
        for move in position.moves()
    }


@pytest.mark.parametrize("agent", [Chains(), ChainsFixed(), ChainsFixed(depth=9)])
def test_however_little_it_may_think_it_moves(agent: Chains) -> None:
    position = positions()[8]
    cancelled = agent.analyse(position, cancelled=lambda: True)
    assert cancelled.move in position.moves()
    assert (cancelled.why, cancelled.value, cancelled.exact) == ("cancelled", None, False)
    for nodes in (1, 2, 30, 200):
        short = agent.analyse(position, Limit(nodes=nodes))
        assert short.move in position.moves()
        assert (short.why, short.nodes, short.exact) == ("nodes", nodes, False)


def test_it_plays_dots_of_any_size_and_nothing_else() -> None:
    start = Dots(1, 1).start()
    assert Chains().analyse(start).move == 0
    with pytest.raises(CannotPlayError, match="chains cannot play tictactoe:3,3,3"):
        Chains().analyse(papan.position("tictactoe"))


def test_its_depth_reads_back_and_is_at_least_1() -> None:
    assert papan.agent("chains:depth=5") == Chains(5)
    assert ChainsFixed(2).spec == "chains-fixed:depth=2"
    with pytest.raises(InvalidSpecError, match="chains: depth must be from 1 to 9999, not 0"):
        papan.agent("chains:depth=0")


@pytest.mark.thorough
@pytest.mark.parametrize(("reading", "differs"), [("none", {}), ("printed", {16: "d1d2"})])
def test_m05_the_printed_game_does_not_depend_on_the_chain_value(
    reading: Reading, differs: dict[int, str]
) -> None:
    """With a constant in its place all thirteen moves are the same: they are no evidence of it."""
    assert replayed(Chains(reading=reading)) == differs


def test_m05_the_two_readings_of_find_chain_count_other_boxes() -> None:
    """Two boxes with three sides, side by side, and a drawn line between them."""
    position = Dots(1, 3).start().after("a1b1 b1c1 a2b2 b2c2 b1b2")
    ends = position.legal_move("a1a2")
    assert chain_length(position, ends, "undrawn") == 1
    assert chain_length(position, ends, "printed") == 2
    assert {chain_value(position, move, 0, "none") for move in position.moves()} == {0.0}


def test_equal_lines_may_also_come_dot_by_dot() -> None:
    agent = Chains(depth=1, order="dots")
    root = [event for event in events(agent, Dots(2, 2).start()) if event["t"] == "root"][-1]
    assert " ".join(move["m"] for move in root["moves"]) == (
        "a1b1 a1a2 b1c1 b1b2 c1c2 a2b2 a2a3 b2c2 b2b3 c2c3 a3b3 b3c3"
    )


@pytest.mark.parametrize(
    ("agent", "after_one", "after_two"),
    [(Chains(2), "min", "max"), (ChainsFixed(2), "min", "min")],  # the second line wins the box
)
def test_a_whole_search_of_two_plies_is_told(agent: Chains, after_one: str, after_two: str) -> None:
    heard = events(agent, Dots(1, 1).start().after("a1b1 a2b2"))
    tree = [event["add"][0] for event in heard if event["t"] == "tree"]
    keys = ("id", "up", "m", "role", "a", "b", "v", "s")
    assert [tuple(node[key] for key in keys) for node in tree] == [
        (0, None, None, "max", None, None, -1, "full"),
        (1, 0, "a1a2", after_one, None, None, -1, "full"),
        (2, 1, "b1b2", after_two, None, None, -1, "leaf"),
        (3, 0, "b1b2", after_one, -1, None, -1, "full"),
        (4, 3, "a1a2", after_two, -1, None, -1, "leaf"),
    ]
    first, last = (event for event in heard if event["t"] == "root")
    moves = [
        {"m": "a1a2", "v": -1, "k": "estimate", "n": 2, "pv": ["a1a2", "b1b2"], "chain": 0.0},
        {"m": "b1b2", "v": -1, "k": "pruned", "n": 2, "pv": ["b1b2", "a1a2"], "chain": 0.0},
    ]
    if agent.name == "chains-fixed":  # it sees the end
        moves = [{**moves[0], "k": "exact"}, {**moves[1], "k": "upper"}]
    assert (first["moves"], last["moves"]) == (moves[:1], moves)
    assert (last["best"], last["depth"], last["nodes"], last["pruned"]) == ("a1a2", 2, 5, 0)
