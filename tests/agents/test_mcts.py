"""Monte Carlo tree search: counts, seats, and the moves it must find."""

import pytest

import papan
from papan.agents.mcts import Mcts
from papan.core import Event, InvalidSpecError, Limit
from papan.games.onet import Onet
from tests.agents.definition import Pebbles


def last_root(events: list[Event]) -> Event:
    return [event for event in events if event["t"] == "root"][-1]


@pytest.mark.parametrize(
    ("agent", "limit", "iterations", "why"),
    [
        (Mcts(), Limit(), 1_000, "done"),
        (Mcts(iterations=300), Limit(), 300, "done"),
        (Mcts(iterations=300, seconds=1000), Limit(), 300, "done"),
        (Mcts(iterations=300), Limit(nodes=40), 40, "nodes"),
        (Mcts(seconds=1000), Limit(nodes=40), 40, "nodes"),
    ],
    ids=lambda each: each.spec if isinstance(each, Mcts) else str(each),
)
def test_the_visits_of_the_moves_add_up_to_the_iterations(
    agent: Mcts, limit: Limit, iterations: int, why: str
) -> None:
    events: list[Event] = []
    analysis = agent.analyse(papan.position("tictactoe"), limit, events.append)
    assert (analysis.nodes, analysis.why) == (iterations, why)
    assert sum(value.nodes for value in analysis.values.values()) == iterations
    assert sum(value.number for value in analysis.values.values()) == pytest.approx(1)
    assert {value.kind for value in analysis.values.values()} == {"visits"}
    assert sum(move["n"] for move in last_root(events)["moves"]) == iterations


def test_stops_when_its_seconds_are_over() -> None:
    analysis = Mcts(seconds=0.01).analyse(papan.position("tictactoe"))
    assert analysis.why == "time"
    assert analysis.nodes > 0


@pytest.mark.parametrize(
    ("text", "moves", "best"),
    [
        ("tictactoe", "a1 b1 a2 b2", "a3"),  # it wins
        ("tictactoe", "a1 b2 b1", "c1"),  # or else x wins
        ("connect4", "4 1 4 1 4 2", "4"),
        ("connect4", "1 4 1 4 7 4", "4"),
        ("dots:1,1", "a1b1 a1a2 b1b2", "a2b2"),
    ],
)
def test_finds_what_must_be_found(text: str, moves: str, best: str) -> None:
    position = papan.position(text).after(moves)
    for seed in range(3):
        analysis = Mcts(iterations=400, seed=seed).analyse(position)
        assert position.game.move_name(analysis.move) == best


def test_an_extra_turn_is_taken_by_the_seat_that_has_it() -> None:
    """Of 4 pebbles only 2 win: they give another turn, in which the other 2 can be taken."""
    analysis = Mcts(iterations=300).analyse(Pebbles(4, last=True).start())
    assert analysis.line == (2, 2)
    assert analysis.value == pytest.approx(1, abs=0.1)


def test_the_value_is_the_mean_margin_of_the_games() -> None:
    won = papan.position("tictactoe").after("a1 b1 a2 b2")
    assert Mcts(iterations=2_000).analyse(won).value == pytest.approx(1, abs=0.05)
    lost = papan.position("tictactoe").after("b2 a2 b3")  # x takes b1 or c1
    value = Mcts(iterations=2_000).analyse(lost).value
    assert value is not None
    assert value < 0


def test_a_puzzle_alone_is_cleared() -> None:
    position = Onet(2, 4, 2).start()
    while position.moves():
        position = position.child(Mcts(iterations=30).analyse(position).move)
    assert position.cleared


def test_a_puzzle_alone_counts_the_share_that_was_done() -> None:
    events: list[Event] = []
    analysis = Mcts(iterations=50).analyse(Onet(3, 4, 6).start(), listener=events.append)
    root = last_root(events)
    (rate,) = (move["w"] for move in root["moves"] if move["m"] == root["best"])
    assert analysis.value == pytest.approx(rate * 12)


def test_exploration_spreads_the_visits() -> None:
    start = papan.position("connect4")
    most = [
        max(value.nodes for value in Mcts(400, exploration=each).analyse(start).values.values())
        for each in (0.0, 1.4, 100.0)
    ]
    assert most == sorted(most, reverse=True)
    assert most[2] < 400 / 7 + 5


def test_the_seed_decides_the_games() -> None:
    start = papan.position("connect4")
    visits = [
        [value.nodes for value in Mcts(100, seed=seed).analyse(start).values.values()]
        for seed in (1, 1, 2)
    ]
    assert visits[0] == visits[1] != visits[2]


def test_tells_rates_bounds_and_a_sample_game() -> None:
    events: list[Event] = []
    start = papan.position("tictactoe")
    Mcts(iterations=200).analyse(start, listener=events.append)
    root = last_root(events)
    assert " ".join(move["m"] for move in root["moves"]) == "a1 b1 c1 a2 b2 c2 a3 b3 c3"
    for move in root["moves"]:
        assert 0 <= move["w"] <= 1
        assert move["ucb"] > move["w"]
    assert not start.after(" ".join(root["sample"])).moves(), "a whole game"
    first = next(event for event in events if event["t"] == "root")
    assert [move["n"] for move in first["moves"]].count(0) == 8


def test_tells_its_tree_parents_first() -> None:
    events: list[Event] = []
    Mcts(iterations=50).analyse(papan.position("tictactoe"), listener=events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    assert len(nodes) == 51
    assert nodes[0]["n"] == 50
    for node in nodes[1:]:
        children = sum(child["n"] for child in nodes if child["up"] == node["id"])
        assert node["up"] < node["id"]
        assert children in (node["n"], node["n"] - 1)


@pytest.mark.parametrize("setting", ["iterations", "seconds", "exploration"])
def test_negative_settings_are_refused(setting: str) -> None:
    with pytest.raises(InvalidSpecError, match=f"mcts: {setting} must be at least 0, not -1"):
        papan.agent(f"mcts:{setting}=-1")
