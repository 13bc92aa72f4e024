"""The agent that plays with nets, and the nets that are a part of papan."""

import random
from collections.abc import Iterator
from hashlib import sha256
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import papan
from papan.agents.net import (
    FIRST_PLAY,
    LARGEST_BATCH,
    PUCT_EXPLORATION,
    WEIGHTS,
    NetNode,
    NetTree,
    NetWeights,
    all_weights,
    proved,
)
from papan.core import CannotPlayError, Event, Limit, Position, Thinking, margin
from papan.core.parts import Support
from tests.agents.definition import outcome

Numbers = NDArray[Any]
MEGABYTE = 10**6
ALONE = "net:proofs=false"


@pytest.mark.parametrize("weights", all_weights(), ids=lambda weights: weights.name)
def test_every_net_has_a_manifest_that_tells_how_it_was_made(weights: NetWeights) -> None:
    manifest = weights.manifest
    content = (WEIGHTS / f"{weights.name}.npz").read_bytes()
    assert manifest["sha256"] == sha256(content).hexdigest()
    assert {"seed", "seconds", "channels", "blocks"} <= manifest["plan"].keys()
    assert manifest["device"] and manifest["seconds"] and manifest["curve"] and manifest["losses"]


def test_all_nets_together_are_smaller_than_five_megabytes() -> None:
    sizes = [len(each.read_bytes()) for each in WEIGHTS.iterdir() if each.is_file()]
    assert sum(sizes) < 5 * MEGABYTE


def test_a_board_without_weights_is_refused_by_naming_those_that_have_some() -> None:
    with pytest.raises(CannotPlayError, match=r"tictactoe:4,4,4.*connect4.*tictactoe:3,3,3"):
        papan.agent("net").analyse(papan.position("tictactoe:4,4,4"))


def convolved(image: Numbers, weights: Numbers, bias: Numbers) -> Numbers:
    """By the definition: for each cell the sum over its neighbourhood."""
    height, width, planes = image.shape
    filters = weights.reshape(3, 3, planes, -1)
    result = np.zeros((height, width, filters.shape[-1])) + bias
    for row, column, down, right in np.ndindex(height, width, 3, 3):
        there = row + down - 1, column + right - 1
        if 0 <= there[0] < height and 0 <= there[1] < width:
            result[row, column] += image[there] @ filters[down, right]
    return result


def test_the_net_computes_what_its_definition_says() -> None:
    position = papan.position("tictactoe").after("b2 a1 c1")
    planes = Support.of(position.game).planes(position)
    assert planes is not None
    with np.load(str(WEIGHTS / "tictactoe.npz")) as kept:
        arrays = {name: kept[name].astype(np.float64) for name in kept.files}

    def layer(name: str) -> tuple[Numbers, Numbers]:
        return arrays[f"{name}.weights"], arrays[f"{name}.bias"]

    def dense(x: Numbers, name: str) -> Numbers:
        weights, bias = layer(name)
        return np.asarray(x @ weights + bias)

    def pool(x: Numbers) -> Numbers:
        return np.concatenate([x.mean((0, 1)), x.max((0, 1))])

    x = np.maximum(convolved(planes.image, *layer("stem")), 0)
    for block in range(3):
        inner = convolved(x, *layer(f"block{block}.first")) + dense(pool(x), f"block{block}.pool")
        x = np.maximum(x + convolved(np.maximum(inner, 0), *layer(f"block{block}.second")), 0)
    policy = dense(np.maximum(dense(x, "policy"), 0), "policy_out")
    values = dense(np.maximum(dense(pool(x), "value"), 0), "value_out")
    found = NetWeights("tictactoe").evaluate(np.stack([planes.image, planes.image]))
    assert np.allclose(found[0][1], policy.reshape(-1), atol=1e-3)
    assert np.allclose(found[1][1], values, atol=1e-3)


def reachable(position: Position) -> Iterator[Position]:
    """Every position of a game that is not over, once."""
    seen, waiting = {position}, [position]
    for each in waiting:
        if each.moves():
            yield each
            children = {each.child(move) for move in each.moves()} - seen
            seen |= children
            waiting += children


def errors(positions: list[Position], evaluations: int) -> list[Position]:
    """Where the net, without the solver, gives the result away."""
    agent = papan.agent(ALONE)
    wrong = []
    for position in positions:
        child = position.child(agent.analyse(position, nodes=evaluations).move)
        best, _ = outcome(position)
        if -outcome(child)[0] != best:
            wrong.append(position)
    return wrong


def test_tic_tac_toe_is_played_without_an_error() -> None:
    positions = sorted(reachable(papan.position("tictactoe")), key=str)
    assert errors(random.Random(0).sample(positions, 40), evaluations=150) == []


@pytest.mark.slow
def test_tic_tac_toe_is_played_without_an_error_anywhere() -> None:
    positions = list(reachable(papan.position("tictactoe")))
    assert len(positions) == 4520
    assert errors(positions, evaluations=150) == []


def test_connect_4_opens_in_the_middle_at_first_sight() -> None:
    analysis = papan.agent("net:search=false").analyse(papan.position("connect4"))
    assert (analysis.line, analysis.nodes, analysis.why) == ((3,), 1, "depth")
    assert not analysis.exact


@pytest.mark.parametrize("board", ["connect4:4,5", "connect4:7,10"])
def test_every_size_of_connect_4_sees_a_win(board: str) -> None:
    position = papan.position(board).after("1 2 1 2 1 2")
    assert papan.agent(ALONE).analyse(position, nodes=60).move == 0


def test_more_evaluations_are_counted_one_by_one() -> None:
    analysis = papan.agent(f"{ALONE},evaluations=70").analyse(papan.position("connect4:5,5"))
    assert analysis.nodes == 70
    assert sum(value.nodes for value in analysis.values.values()) == 69


def test_the_solver_proves_the_last_plies() -> None:
    position = papan.position("tictactoe").after("b2 a1 c1")
    analysis = papan.agent("net").analyse(position, nodes=2000)
    assert analysis.exact and analysis.value == 0
    alone = papan.agent(ALONE).analyse(position, nodes=100)
    assert not alone.exact and alone.best_value is not None and alone.best_value.kind == "estimate"


def test_it_explains_itself_by_prior_visits_value_line_and_tree() -> None:
    events: list[Event] = []
    papan.agent(ALONE).analyse(papan.position("connect4:4,4"), nodes=50, listener=events.append)
    root = [event for event in events if event["t"] == "root"][-1]
    assert {"m", "k", "v", "n", "w", "p", "pv"} <= root["moves"][0].keys()
    assert sum(move["p"] for move in root["moves"]) == pytest.approx(1, abs=1e-3)
    tree = [node for event in events if event["t"] == "tree" for node in event["add"]]
    assert tree[0]["up"] is None and len(tree) > 10


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("tictactoe:3,3,3 xx./oo./... x", "c1"),  # the other one is to move at the end
        ("tictactoe:3,3,3 xx./oo./x.. o", "c2"),
        ("connect4:4,5 ...../x..../x..../xooo. x", "1"),
        ("dots:3,3 111111111111111111111110 1 4-4", "d3d4"),  # who has taken it is to move
        ("dots:3,3 111111111111111111111110 2 4-4", "d3d4"),
    ],
)
def test_y7_the_margin_of_an_ended_game_is_that_of_who_moved(text: str, move: str) -> None:
    position = papan.position(text)
    weights = next(each for each in all_weights() if each.fits(position.game))
    tree = NetTree(position, weights)
    number = position.legal_move(move)
    tree.first_sight(Thinking(Limit()))
    at = [*tree.root.moves].index(number)
    while len(tree.root.visits) <= at:
        tree.root.enter(len(tree.root.visits))
    path = [(tree.root, at)]
    leaf = tree._new_child(tree.root, at)
    tree._back(path, leaf)
    assert leaf.position.is_over
    assert tree.root.margins[at] == margin(leaf.position, position.turn) > 0


class OneMind(NetWeights):
    """A net that wants the first move everywhere, so that visits meet on their way down."""

    seen = 0

    def evaluate(self, images: Numbers) -> tuple[Numbers, Numbers]:
        policy, values = super().evaluate(images)
        self.seen += len(images)
        policy[:] = -40.0 * np.arange(policy.shape[1])
        return policy, values


def test_y7_a_visit_that_meets_another_is_taken_back_once() -> None:
    weights = OneMind("dots")
    tree, thinking = NetTree(papan.position("dots:5,5"), weights), Thinking(Limit(nodes=50))
    tree.first_sight(thinking)
    tree.grow(thinking)
    assert weights.seen == thinking.nodes == 50
    assert sum(tree.root.visits) == 49
    waiting: list[NetNode] = [tree.root]
    for node in waiting:
        for at, child in enumerate(node.children):
            assert child is not None and node.visits[at] == 1 + sum(child.visits)
            sign = 1 if child.turn == node.turn else -1
            below = child.value[0] + sum(child.utilities)
            assert node.utilities[at] == pytest.approx(sign * below, abs=1e-6)
            waiting.append(child)
    assert len(waiting) == 50


# Y7: what a net sees, read from the text of a board


def grown(spec: str, count: int) -> list[Position]:
    """Positions of a game by chance, the last of them at its end."""
    rng, found = random.Random(f"planes {spec}"), list[Position]()
    while len(found) < count:
        position = papan.position(spec)
        while position.moves():
            found.append(position)
            position = position.child(rng.choice(position.moves()))
        found.append(position)
    return found


def planes_of(position: Position) -> tuple[Numbers, tuple[int, ...], float]:
    planes = Support.of(position.game).planes(position)
    assert planes is not None
    return planes


def marks_of(position: Any) -> tuple[Numbers, Numbers]:
    """Where the mover and the rival have marks, as numbers."""
    board, mark = position.write()
    rows = [[*row] for row in board.split("/")]
    own, rival = (np.array(rows) == each for each in (mark, "xo"[mark == "x"]))
    return own.astype(float), rival.astype(float)


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:4,5,4", "connect4:4,5", "connect4"])
def test_y7_a_net_sees_lines_from_the_side_to_move(spec: str) -> None:
    for position in grown(spec, 40):
        image, places, ahead = planes_of(position)
        own, rival = marks_of(position)
        rows, columns = own.shape
        board, taken = np.ones(own.shape), own + rival
        share = taken.sum() / taken.size
        expected = [own, rival, board]
        cells = position.moves()
        if spec.startswith("connect4"):
            even = np.array([[(rows - row) % 2 == 0] * columns for row in range(rows)])
            open_ones = [column for column in range(columns) if not taken[0, column]]
            low = {column: int(rows - 1 - taken[:, column].sum()) for column in open_ones}
            landing = np.zeros(own.shape)
            for column, row in low.items():
                landing[row, column] = 1
            expected += [even, landing]
            cells = [low[move] * columns + move for move in position.moves()]
        assert np.allclose(image, np.stack([*expected, board * share], axis=-1)), str(position)
        assert [*places] == cells
        lost = position.winner is not None
        assert ahead == pytest.approx(-(0.9 + 0.1 * (1 - share)) if lost else 0)


@pytest.mark.parametrize("spec", ["adjacency:4,4,4", "adjacency:4,6,8,first=o"])
def test_y7_a_net_sees_marks_and_the_plies_that_are_left(spec: str) -> None:
    for position in grown(spec, 40):
        image, places, ahead = planes_of(position)
        own, rival = marks_of(position)
        left = 8 + 2 * int(spec.split(",")[2]) - int((own + rival).sum())
        board = np.ones(own.shape)
        clocks = [board * left / 56, board * min(left, 8) / 8, board * (left % 2)]
        assert np.allclose(image, np.stack([own, rival, board, *clocks], axis=-1))
        assert [*places] == position.moves()
        lead = float(own.sum() - rival.sum())
        value = (np.sign(lead) + np.tanh(lead / 16)) / 2
        assert ahead == pytest.approx(0 if left else value)


@pytest.mark.parametrize("spec", ["dots:2,2", "dots:2,3"])
def test_y7_a_net_sees_lines_boxes_and_how_many_are_left(spec: str) -> None:
    rows, columns = map(int, spec.partition(":")[2].split(","))
    for position in grown(spec, 40):
        image, places, ahead = planes_of(position)
        facts: Any = position
        names = {facts.game.move_name(line): line for line in range(facts.game.move_count)}

        def drawn(row: int, column: int, down: int, names: Any = names, facts: Any = facts) -> bool:
            there = row + down, column + 1 - down
            name = "".join(f"{'abcde'[c]}{r + 1}" for r, c in ((row, column), there))
            return name in names and bool(facts.drawn >> names[name] & 1)

        left = len(position.moves())
        for row, column in np.ndindex(rows + 1, columns + 1):
            box = row < rows and column < columns
            sides = (
                drawn(row, column, 0)
                + drawn(row + 1, column, 0)
                + drawn(row, column, 1)
                + drawn(row, column + 1, 1)
            )
            lines = drawn(row, column, 0), drawn(row, column, 1)
            boxes = (box and sides == count for count in (2, 3, 4))
            expected = [*lines, *boxes, box, 1, left / len(names), left % 2]
            assert image[row, column].tolist() == pytest.approx([*map(float, expected)])
        dots = {f"{'abcd'[c]}{r + 1}": (r, c) for r, c in np.ndindex(rows + 1, columns + 1)}
        for move, place in zip(position.moves(), places, strict=True):
            first, second = (facts.game.move_name(move)[cut : cut + 2] for cut in (0, 2))
            (r, c), (down, _) = dots[first], dots[second]
            assert place == 2 * (r * (columns + 1) + c) + (down != r)
        own, rival = facts.owned[facts.turn], facts.owned[1 - facts.turn]
        assert ahead == (own - rival) / 8


class Plain(NetWeights):
    """A net of which everything can be computed by hand, with the sizes of its batches."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.batches: list[int] = []

    def evaluate(self, images: Numbers) -> tuple[Numbers, Numbers]:
        self.batches.append(len(images))
        places = super().evaluate(images[:1])[0].shape[1]
        policy = np.tile(np.arange(places) * 7 % 5 / 2, (len(images), 1)).astype(np.float32)
        filled = images.sum((1, 2))
        values = np.stack([(filled[:, 0] - filled[:, 1]) / 10, filled[:, 0] / 4], axis=1)
        return policy, values.astype(np.float32)


def test_y7_an_evaluated_node_has_its_moves_by_prior_and_its_values_in_points() -> None:
    weights = Plain("dots")
    position = papan.position("dots:2,2 101010010110 2 0-1")
    tree = NetTree(position, weights)
    tree.first_sight(Thinking(Limit()))
    planes = Support.of(position.game).planes(position)
    assert planes is not None and planes.ahead != 0
    filled = planes.image.sum((0, 1))
    assert tree.root.value == pytest.approx(
        (
            (filled[0] - filled[1]) / 10 + planes.ahead,
            (filled[0] / 4 + planes.ahead) * weights.manifest["unit"],
        )
    )
    likes = [float(np.exp(place * 7 % 5 / 2)) for place in planes.places]
    order = sorted(range(len(likes)), key=lambda at: -likes[at])
    assert [*tree.root.moves] == [position.moves()[at] for at in order]
    assert list(tree.root.priors) == pytest.approx([likes[at] / sum(likes) for at in order])


def test_y7_the_promising_move_has_the_highest_puct_value() -> None:
    rng, position = random.Random(7), papan.position("tictactoe")
    for _ in range(300):
        node, tried = NetNode.of(position), rng.randrange(10)
        node.priors = sorted((rng.random() for _ in range(9)), reverse=True)
        node.value = rng.uniform(-1, 1), 0.0
        node.visits = [rng.randrange(9) for _ in range(tried)]
        node.utilities = [rng.uniform(-1, 1) * max(visits, 1) for visits in node.visits]

        def hope(at: int, node: NetNode = node, tried: int = tried) -> float:
            wide = PUCT_EXPLORATION * node.priors[at] * sqrt(1 + sum(node.visits))
            if at == tried:
                return node.value[0] - FIRST_PLAY * sqrt(sum(node.priors[:tried])) + wide
            visits = node.visits[at]
            return node.utilities[at] / max(visits, 1) + wide / (1 + visits)

        assert node.promising() == max(range(min(tried + 1, 9)), key=hope)


SIGNATURES = {
    "connect4:4,4": [99, 60, 25, 15],
    "dots:2,2 111000100000 1 0-0": [34, 34, 18, 19, 14, 11, 62, 7],
    "adjacency:4,4,2": [40, 36, 40, 62, 4, 6, 7, 4],
}
"""Visits of the moves of a board, in the order of their priors, after 200 evaluations."""


@pytest.mark.parametrize("text", SIGNATURES)
def test_y7_a_search_with_a_plain_net_visits_what_it_always_has(text: str) -> None:
    position = papan.position(text)
    weights = Plain(position.game.name)
    tree, thinking = NetTree(position, weights), Thinking(Limit(nodes=200))
    tree.first_sight(thinking)
    tree.grow(thinking)
    assert tree.root.visits == SIGNATURES[text]
    assert max(weights.batches) <= LARGEST_BATCH
    if text == "connect4:4,4":  # where no visit meets another: one more for sixteen visits each
        assert weights.batches[:25] == [1] * 17 + [2] * 8


@pytest.mark.parametrize(("left", "tries"), [(4, 0), (5, 1)])
def test_y7_a_proof_is_tried_where_a_fifth_of_the_nodes_is_one(left: int, tries: int) -> None:
    asked: list[float] = []

    class Prover(papan.Agent):
        name = "prover"

        def decide(self, position: Position, thinking: Thinking) -> papan.Analysis:
            asked.append(thinking.limit.nodes)
            return papan.Analysis((0,), proved=papan.Proved(1, 1))

    thinking = Thinking(Limit(nodes=10))
    thinking.nodes = 10 - left
    assert (proved(Prover(), papan.position("tictactoe"), thinking) is not None) == bool(tries)
    assert asked == [1] * tries


def test_y7_a_proof_has_a_part_of_the_nodes_and_no_more_than_its_most() -> None:
    asked: list[float] = []

    class Unsure(papan.Agent):
        name = "unsure"

        def decide(self, position: Position, thinking: Thinking) -> papan.Analysis:
            asked.append(thinking.limit.nodes)
            thinking.nodes += 3
            return papan.Analysis((0,), proved=papan.Proved(0, 1))

    for nodes in (1_000, 10**9):
        thinking = Thinking(Limit(nodes=nodes))
        assert proved(Unsure(), papan.position("tictactoe"), thinking) is None
        assert thinking.nodes == 3  # what it has spent counts
    assert asked == [200, 200_000]


def test_y7_a_net_knows_its_boards_and_where_it_is_best() -> None:
    fitting = {
        text: [each.name for each in all_weights() if each.fits(papan.game(text))]
        for text in ("tictactoe:3,3,3", "tictactoe:15,15,5", "tictactoe:3,4,3", "tictactoe:4,4,3")
    }
    assert list(fitting.values()) == [["tictactoe"], ["gomoku"], [], []]
    for text, names in (("connect4:5,9", ["connect4"]), ("dots:3,3", ["dots"]), ("dots:3,2", [])):
        assert [each.name for each in all_weights() if each.fits(papan.game(text))] == names
    best = [text for text in ("connect4:7,8", "connect4:7,10", "connect4:6,7", "dots:3,3")
            if any(each.best_on(papan.game(text)) for each in all_weights())]  # fmt: skip
    assert best == ["connect4:7,8", "connect4:7,10"]
    assert papan.agent("net:evaluations=9").own_limit == Limit(nodes=9)
    assert papan.agent("net").own_limit == Limit()


def test_y7_the_tree_is_told_with_the_mean_utility_of_who_moved() -> None:
    """In Dots and Boxes who takes a box moves again: its nodes keep their sign."""
    heard: list[Event] = []
    position, weights = papan.position("dots:2,2 101010010110 2 0-1"), Plain("dots")
    thinking = Thinking(Limit(nodes=60), heard.append)
    tree = NetTree(position, weights)
    tree.first_sight(thinking)
    tree.grow(thinking)
    heard.clear()
    tree.emit_tree(thinking)
    nodes = [node for event in heard for node in event["add"]]
    root = nodes[0]
    assert (root["up"], root["m"], root["role"], root["n"]) == (None, None, "max", 60)
    below = [node for node in nodes if node["up"] == 0]
    emitted = {node["m"]: node for node in below}
    assert [node["n"] for node in below] == sorted((node["n"] for node in below), reverse=True)
    name = position.game.move_name
    for at, move in enumerate(tree.root.moves[: len(tree.root.visits)]):
        node, visits = emitted[name(move)], tree.root.visits[at]
        assert node["n"] == visits
        assert node["v"] == pytest.approx(tree.root.utilities[at] / visits)
        assert node["role"] == ("max" if position.child(move).turn == position.turn else "min")
    assert {"max", "min"} == {node["role"] for node in below}
    assert {"full", "leaf"} == {node["s"] for node in nodes}
