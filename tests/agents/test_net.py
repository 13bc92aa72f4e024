"""The agent that plays with nets, and the nets that are a part of papan."""

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import papan
from papan.agents.net import WEIGHTS, NetNode, NetTree, NetWeights, all_weights
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
