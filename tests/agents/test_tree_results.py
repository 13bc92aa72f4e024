"""What MCTS reads from a tree: move, line, values and events, of a tree made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import papan
from papan.agents.mcts import MctsSearch, MctsTree, PlainNode, PlainTree, reward, rounds
from papan.core import Event, Limit, Move, Position, Proved, Share, Thinking
from papan.games.onet import Onet
from tests.agents.definition import Pebbles, plain

START = papan.position("tictactoe")


@dataclass
class Node:
    """A node of a tree made by hand: nothing is proved unless said."""

    move: Move
    turn: int
    visits: int
    wins: float
    margin: float
    low: float = -1
    high: float = 1
    children: Sequence[Node] = ()


@dataclass
class Made:
    """A tree made by hand."""

    root: Node
    deepest: int = 2
    sample: Sequence[Move] = (4, 0, 8)
    emit_every: ClassVar[int] = 1
    played: list[float] = field(default_factory=list)

    def play(self, games: float, thinking: Thinking) -> None:
        self.played.append(games)

    def at(self, position: Position) -> Made | None:
        return None


Known = tuple[float, float, float]
"""The wins of a move, and the bounds of its margin for seat 0."""
NOTHING: Mapping[str, Known] = {}


def tree(
    turn: int = 0, low: float = -1, high: float = 1, known: Mapping[str, Known] = NOTHING
) -> MctsTree:
    """Ten games: five with b2, three with a1, two with c3; no answer to b2 where it is *known*."""
    answers = [Node(1, turn, 1, 1, 1), Node(0, turn, 3, 0.5, -2), Node(8, turn, 1, 1, 1)]
    children = []
    for name, move, visits, wins, margin in (
        ("c3", 8, 2, 1.0, 0.5),
        ("b2", 4, 5, 3.0, 1.0),
        ("a1", 0, 3, 2.0, 1.5),
    ):
        won, least, most = known.get(name, (wins, -1, 1))
        child = Node(move, 1 - turn, visits, won, margin, least, most)
        if name == "b2" and name not in known:
            child.children = answers
        children.append(child)
    return Made(Node(-1, turn, 10, 6, 3, low, high, children))


def search(made: MctsTree, position: Position = START) -> MctsSearch:
    return MctsSearch(position, 1.5, made)


def test_the_most_visited_move_is_the_answer_and_its_mean_margin_the_value() -> None:
    analysis = search(tree()).analysis("done")
    assert (analysis.line, analysis.value, analysis.why) == ((4, 0), 1 / 5, "done")
    assert analysis.proved == Proved() and not analysis.exact
    assert list(analysis.values.items()) == [
        (0, Share(0.3, nodes=3)),
        (4, Share(0.5, nodes=5, line=(0,))),
        (8, Share(0.2, nodes=2)),
    ]


def test_before_any_game_it_is_the_first_move() -> None:
    nothing = search(Made(Node(-1, 0, 0, 0, 0))).analysis("done")
    assert (nothing.line, nothing.value, nothing.values, nothing.why) == ((0,), None, {}, "done")


def test_of_moves_with_as_many_games_the_one_that_won_more_is_the_answer() -> None:
    for first, second in ((0, 4), (4, 0)):
        children = [Node(each, 1, 3, 2.0 if each else 1.5, 0) for each in (first, second)]
        made = Made(Node(-1, 0, 6, 3, 0, children=children))
        assert search(made).analysis("done").move == 4


def flipped(bounds: tuple[float, float]) -> tuple[float, float]:
    return -bounds[1], -bounds[0]


CHOICES: list[tuple[dict[str, Known], tuple[float, float], int, float]] = [
    ({"a1": (3.0, 1, 1)}, (1, 1), 0, 1),  # it wins
    ({"a1": (1.5, 0, 0)}, (0, 1), 4, 0.2),  # b2 is open and looks better than a draw
    ({"a1": (1.5, 0, 0), "b2": (2.0, -1, 1)}, (0, 1), 0, 0),  # it looks worse
    ({"a1": (1.5, 0, 0), "b2": (2.5, -1, 1)}, (0, 1), 4, 0.2),  # as good, with more margin
    ({"b2": (3.0, -1, -1)}, (-1, 1), 0, 0.5),  # the most visited loses
    ({"b2": (3.0, -1, 0), "a1": (1.5, 0, 0), "c3": (1.0, -1, 0)}, (0, 0), 0, 0),  # none is open
    ({"b2": (3.0, -1, -1), "a1": (0.0, -1, -1), "c3": (1.0, -1, -1)}, (-1, -1), 4, -1),  # lost
]
"""What is proved of moves, and of the root; and the move that is made, and its value."""


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(("changes", "bounds", "move", "value"), CHOICES)
def test_what_is_proved_decides_before_the_visits(
    changes: dict[str, Known],
    bounds: tuple[float, float],
    move: int,
    value: float,
    turn: int,
) -> None:
    made, position = tree(0, *bounds, changes), START
    if turn:
        turned = {
            name: (wins, *flipped((low, high))) for name, (wins, low, high) in changes.items()
        }
        made, position = tree(1, *flipped(bounds), turned), START.play("a2")
    found = search(made, position)
    analysis = found.analysis("done")
    assert analysis.move == move and analysis.value == pytest.approx(value)
    assert analysis.proved == (Proved() if bounds == (-1, 1) else Proved(*bounds))
    assert found.solved == analysis.exact == (bounds[0] == bounds[1])
    names = {0: "a1", 4: "b2", 8: "c3"}
    for each, kept in analysis.values.items():
        _, low, high = changes.get(names[each], (0, -1, 1))
        proved = Proved(low, min(high, bounds[1]), nodes=kept.nodes, line=kept.line)
        share = Share(kept.nodes / 10, nodes=kept.nodes, line=kept.line)
        assert kept == (proved if low == high or found.solved else share)


def test_the_root_is_told_with_every_move_and_the_last_game() -> None:
    heard: list[Event] = []
    thinking = Thinking(Limit(), heard.append)
    search(tree()).emit(thinking)
    (event,) = heard
    assert (event["t"], event["depth"], event["best"]) == ("root", 2, "b2")
    assert event["sample"] == ["b2", "a1", "c3"]
    untried = {"k": "visits", "v": 0.0, "n": 0, "w": None, "ucb": None}
    assert event["moves"] == [
        {"m": "a1", "k": "visits", "v": 0.3, "n": 3, "w": 2 / 3, "pv": ["a1"]}
        | {"ucb": 2 / 3 + 1.5 * sqrt(log(10) / 3)},
        *({"m": name, "pv": [name], **untried} for name in ("b1", "c1", "a2")),
        {"m": "b2", "k": "visits", "v": 0.5, "n": 5, "w": 3 / 5, "pv": ["b2", "a1"]}
        | {"ucb": 3 / 5 + 1.5 * sqrt(log(10) / 5)},
        *({"m": name, "pv": [name], **untried} for name in ("c2", "a3", "b3")),
        {"m": "c3", "k": "visits", "v": 0.2, "n": 2, "w": 1 / 2, "pv": ["c3"]}
        | {"ucb": 1 / 2 + 1.5 * sqrt(log(10) / 2)},
    ]


@pytest.mark.parametrize("turn", [0, 1])
def test_the_tree_is_told_ply_by_ply_the_newest_first(turn: int) -> None:
    heard: list[Event] = []
    position = START.play("a2") if turn else START
    search(tree(turn), position).emit_tree(Thinking(Limit(), heard.append))
    keys = ("id", "up", "m", "role", "v", "n", "s")
    assert [tuple(each[key] for key in keys) for event in heard for each in event["add"]] == [
        (0, None, None, "max", 0.6, 10, "full"),
        (1, 0, "c3", "min", 0.5, 2, "leaf"),
        (2, 0, "b2", "min", 0.6, 5, "full"),
        (3, 0, "a1", "min", 2 / 3, 3, "leaf"),
        (4, 2, "b1", "max", 1.0, 1, "leaf"),
        (5, 2, "a1", "max", 0.5 / 3, 3, "leaf"),
        (6, 2, "c3", "max", 1.0, 1, "leaf"),
    ]


def test_no_more_nodes_are_told_than_views_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.agents.mcts.MOST_TREE_NODES", 3)
    heard: list[Event] = []
    search(tree()).emit_tree(Thinking(Limit(), heard.append))
    assert [event["add"][0]["id"] for event in heard] == [0, 1, 2]


@pytest.mark.parametrize(
    ("most", "every", "games"),
    [
        (10, inf, [10]),
        (1, 8, [1]),
        (10, 4, [1, 2, 4, 3]),
        (7, 4, [1, 2, 4]),
        (8, 4, [1, 2, 4, 1]),
        (20, 5, [1, 2, 4, 5, 5, 3]),
        (3, 1, [1, 1, 1]),
        (0, inf, []),
        (0, 4, []),
    ],
)
def test_games_between_events_double_up_to_their_most(
    most: float, every: float, games: list[float]
) -> None:
    assert list(rounds(most, every)) == games
    endless = rounds(inf, 4)
    assert [next(endless) for _ in range(5)] == [1, 2, 4, 4, 4]


def test_a_reward_is_for_the_result_and_alone_for_the_share() -> None:
    assert [reward(START.game, each) for each in (-2, -0.5, 0, 0.25, 3)] == [0, 0, 0.5, 1, 1]
    alone = Onet(3, 4, 6)
    assert [reward(alone, each) for each in (0, 3, 12)] == [0, 0.25, 1]
    endless: Any = SimpleNamespace(seats=1, largest_margin=inf)
    assert [reward(endless, each) for each in (-3, 0, 3)] == [0, 0.5, 1]


def test_bounds_of_a_node_are_the_best_of_its_children() -> None:
    """Seat 1 is to move: for it -0.5 is better than 0.25 of seat 0."""
    game = Pebbles(8)  # whose margins have no end
    node = PlainNode(game.parse("3 1 0-0"), 0)
    assert (node.low, node.high, node.untried, node.solved) == (-inf, inf, [1, 2, 3], False)
    ends = [(1, -0.5, 2.0), (2, 0.25, 0.25), (3, -1.0, 3.0)]
    changed = []
    for move, low, high in ends:
        child = PlainNode(node.position.child(move), 1, move)
        child.low, child.high = low, high
        node.children.insert(0, child)
        node.untried.remove(move)
        changed.append((node.infer(), node.low, node.high))
    assert changed == [(True, -inf, 2.0), (True, -inf, 0.25), (True, -1.0, 0.25)]
    assert not node.infer()


def test_a_tree_that_is_full_plays_on_from_its_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.agents.mcts.MOST_PLAIN_NODES", 4)
    grown = PlainTree(plain(START), (1.4, 0))
    grown.play(20, Thinking(Limit()))
    assert [len(grown.root.children), grown.root.visits, grown.deepest] == [3, 20, 1]
    assert len(grown.root.untried) == 6


def test_a_tree_goes_on_where_the_most_visited_node_is() -> None:
    grown = PlainTree(plain(START), (1.4, 0))
    grown.play(60, Thinking(Limit()))
    child = grown.root.children[3]
    before = child.visits, child.wins, child.margin
    later = grown.at(child.position)
    assert later is not None and later.root is child
    assert (child.visits, child.wins, child.margin) == (
        before[0],
        before[0] - before[1],
        -before[2],
    )
    assert grown.at(papan.position("tictactoe a1 b1 c1 a2 b2")) is None
