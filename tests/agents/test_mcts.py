"""Monte Carlo tree search: counts, seats, and the moves it must find."""

from collections.abc import Callable
from unittest.mock import ANY

import pytest

import papan
from papan.agents.mcts import Mcts
from papan.core import Event, InvalidSpecError, Limit, Position, Proved
from papan.games.onet import Onet
from tests.agents.definition import Pebbles, plain, random_positions


def last_root(events: list[Event]) -> Event:
    return [event for event in events if event["t"] == "root"][-1]


@pytest.mark.parametrize(
    ("agent", "limit", "iterations", "why"),
    [
        (Mcts(), Limit(), 1_000, "done"),
        (Mcts(iterations=300), Limit(), 300, "done"),
        (Mcts(iterations=300, seconds=1000), Limit(), 300, "done"),
        (Mcts(iterations=300), Limit(nodes=40), 40, "nodes"),
        (Mcts(), Limit(nodes=2_500), 2_500, "nodes"),
        (Mcts(), Limit(seconds=1000, nodes=2_500), 2_500, "nodes"),
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
    assert analysis.why == "done", "that was its own setting"
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


def test_c02_more_games_find_the_only_winning_move() -> None:
    position = papan.position("connect4").after("4 4 4 4 4 3 6 6 3 3 1")
    truth = papan.solve(position)
    assert len(truth.best) == 1
    few, many = (Mcts().analyse(position, Limit(nodes=nodes)) for nodes in (1_000, 200_000))
    assert many.nodes == 200_000 or many.why == "exact"
    assert many.move == truth.move != few.move


@pytest.mark.parametrize("twin", [lambda position: position, plain], ids=["compiled", "plain"])
def test_c02_games_go_to_what_is_open_beside_a_proven_draw(
    twin: Callable[[Position], Position],
) -> None:
    """b2 is soon proven to draw: it gets no more games, and is played as long as b3 looks worse."""
    position = twin(papan.position("tictactoe:3,3,3 ox./.../x.. o"))
    sooner, later, done = (Mcts(games).analyse(position) for games in (260, 340, 380))
    for analysis in sooner, later:
        assert position.game.move_name(analysis.move) == "b2"
        assert (analysis.value, analysis.bounds) == (0, (0, 1))
    b2, b3 = 4, 7
    assert later.values[b2] == sooner.values[b2] == Proved(0, 0, nodes=67, line=ANY)
    assert later.values[b3].nodes > later.values[b2].nodes
    assert done.exact, "else the draw takes the games that would prove it"


def test_c02_an_open_move_that_looks_better_than_a_proven_draw_is_played() -> None:
    analysis = Mcts(300).analyse(papan.position("tictactoe:3,3,3 .../xo./..x o"))
    assert analysis.bounds == (0, 1)
    assert isinstance(analysis.values[1], Proved)
    assert not isinstance(analysis.values[analysis.move], Proved)
    assert analysis.value is not None
    assert analysis.value > 0


def test_l04_a_game_that_outlasts_the_time_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position, looks = papan.position("onet:16,30,gravity=down"), iter(range(10**6))
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: float(next(looks)))
    analysis = Mcts().analyse(position, Limit(seconds=20))
    assert (analysis.why, analysis.nodes, analysis.value) == ("time", 0, None)
    assert analysis.move in position.moves()
    assert analysis.seconds <= 25


@pytest.mark.parametrize("games", [1, 2, 3])
def test_v05_01_what_was_not_tried_is_not_forgotten_in_a_proof(games: int) -> None:
    """One ply before its end a few games try a few moves: their best is not yet the value."""
    for start in random_positions(papan.game("adjacency:5,5,1"), 30, (1, 1)):
        value = papan.solve(start).value
        for position in (start, plain(start)):
            analysis = Mcts(games).analyse(position)
            assert not analysis.exact or analysis.value == value
            if analysis.bounds is not None:
                low, high = analysis.bounds
                assert low <= value <= high  # type: ignore[operator]


@pytest.mark.parametrize("spec", ["tictactoe:4,4,4", "connect4", "dots:3,3", "adjacency:6,6,6"])
def test_v05_10_a_tree_that_is_used_again_is_the_same_for_both_twins(spec: str) -> None:
    """The wins of the new root are those of the seat that now moves."""
    for start in random_positions(papan.game(spec), 2, (0, 4)):
        twins = Mcts(200, reuse=True), Mcts(200, reuse=True)
        native, twin = start, plain(start)
        for _ in range(3):
            one, other = (agent.analyse(position) for agent, position in zip(twins, (native, twin)))
            assert (one.line, one.value, one.values) == (other.line, other.value, other.values)
            roots = [agent._last.root for agent in twins if agent._last]
            assert roots[0].wins == roots[1].wins
            assert roots[0].margin == roots[1].margin
            native, twin = native.play(one.move), twin.play(one.move)
            if native.moves():  # the rival answers
                answer = native.moves()[-1]
                native, twin = native.play(answer), twin.play(answer)
            if not native.moves():
                break


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
    with pytest.raises(InvalidSpecError, match=f"mcts: {setting} must be from 0 to [0-9]+, not -1"):
        papan.agent(f"mcts:{setting}=-1")


def test_y7_a_node_of_the_tree_is_max_where_the_seat_that_searches_moves() -> None:
    root = papan.position("dots:1,2 1110001 2 0-0")
    events: list[Event] = []
    Mcts(iterations=200).analyse(root, Limit(), events.append)
    nodes = [node for event in events if event["t"] == "tree" for node in event["add"]]
    places: dict[int, Position] = {}
    for node in nodes:
        up = node["up"]
        places[node["id"]] = place = root if up is None else places[up].play(node["m"])
        assert node["role"] == ("max" if place.turn == root.turn else "min")
    assert {node["role"] for node in nodes} == {"max", "min"}
