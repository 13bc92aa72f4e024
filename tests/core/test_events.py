"""What searches tell of their trees."""

from math import inf

import pytest

import papan
from papan.core import Event, Limit, Proved, Thinking
from papan.core.events import Tree, finite, root_moves, whole_plies
from papan.core.thinking import MOST_TREE_NODES


@pytest.mark.parametrize(
    ("text", "moves", "plies"),
    [
        ("tictactoe", "", 3),  # 1 + 9 + 72 + 504, but not 3024 more
        ("tictactoe", "a1 b1 c1", 6),  # all that is left
        ("connect4", "", 3),  # 1 + 7 + 49 + 343, but not 2401 more
        ("adjacency", "", 1),
        ("tictactoe:15,15,5", "", 1),
    ],
)
def test_a_tree_is_told_of_in_whole_plies(text: str, moves: str, plies: int) -> None:
    assert whole_plies(papan.position(text).after(moves)) == plies


@pytest.mark.parametrize("agent", ["minimax:depth=4", "alphabeta:depth=4", "mcts"])
def test_parents_come_before_children_and_the_cap_is_kept(agent: str) -> None:
    events: list[Event] = []
    papan.agent(agent).analyse(papan.position("tictactoe"), Limit(nodes=5_000), events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    assert 50 < len(nodes) <= MOST_TREE_NODES
    assert [node["id"] for node in nodes] == list(range(len(nodes)))
    assert nodes[0]["up"] is None
    assert all(node["up"] < node["id"] for node in nodes[1:])


def test_a_node_hangs_below_the_last_one_of_the_ply_before() -> None:
    heard: list[Event] = []
    tree = Tree(papan.position("tictactoe"))
    for ply, move in ((0, None), (1, "a1"), (2, "b1"), (2, "c1"), (1, "b1"), (2, "a1")):
        tree.enter(ply, m=move)
    tree.emit(Thinking(Limit(), heard.append))
    assert [event["add"][0]["up"] for event in heard] == [None, 0, 1, 1, 0, 4]


def test_root_moves_speak_in_names() -> None:
    game = papan.game("tictactoe")
    assert root_moves(game, {4: Proved.exactly(1, 9, (0, 8))}) == [
        {"m": "b2", "v": 1, "k": "exact", "n": 9, "pv": ["b2", "a1", "c3"]}
    ]


def test_a_bound_that_is_none_is_none() -> None:
    assert [finite(bound) for bound in (-inf, 0.5, inf)] == [None, 0.5, None]
