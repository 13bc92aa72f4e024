"""Limits, the node counter, and the stream of events."""

import json
from dataclasses import fields
from math import inf, nan
from typing import Any

import pytest

import papan
from papan.catalog import AGENTS
from papan.core import (
    CannotPlayError,
    Event,
    InvalidSpecError,
    Limit,
    OutOfBudget,
    Proved,
    Thinking,
)
from papan.core.analysis import finite, root_moves
from papan.core.limit import LARGEST_AMOUNTS, MAY_BE_INFINITE
from papan.core.thinking import MOST_TREE_NODES, Tree, whole_plies

HUGE = "9" * 18


@pytest.mark.parametrize("amount", [0, -1, nan, 10**23, 1e300])
@pytest.mark.parametrize("key", ["seconds", "nodes"])
def test_c09_a_limit_has_bounds(key: str, amount: float) -> None:
    with pytest.raises(InvalidSpecError, match=f"{key} must be more than 0 and at most "):
        Limit(**{key: amount})


OWN = {"iterations", "exploration", "population", "generations", "deadline"}
BOUNDED = {*LARGEST_AMOUNTS, *OWN}
"""The settings of agents that have bounds."""


def test_c09_the_largest_limits_are_of_use() -> None:
    position = papan.position("tictactoe .x./.ox/xo. o")
    for limit in (
        Limit(nodes=LARGEST_AMOUNTS["nodes"]),
        Limit(seconds=LARGEST_AMOUNTS["seconds"]),
        Limit(inf, inf),
    ):
        for name in ("mcts", "alphabeta", "minimax", "solver"):
            assert papan.agent(name).analyse(position, limit).why == "exact"


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        (name, each.name)
        for name, agent in AGENTS.items()
        for each in fields(agent)
        if each.name in BOUNDED
    ],
)
def test_c09_every_setting_has_bounds(name: str, setting: str) -> None:
    for text in ("-1", HUGE):
        with pytest.raises(InvalidSpecError, match=f"{name}: {setting} must be from ") as refused:
            papan.agent(f"{name}:{setting}={text}")
    most = refused.value.values["most"]  # an agent may have a narrower one of its own
    assert papan.agent(f"{name}:{setting}={most:.0f}")
    if setting in MAY_BE_INFINITE:
        assert papan.agent(f"{name}:{setting}=inf")


def test_c09_every_number_of_an_agent_has_bounds() -> None:
    """A seed is only text; the plies of paper 001 are counted against its rounds later."""
    free = {"seed", "depth_x", "depth_o"}
    for agent in AGENTS.values():
        for each in fields(agent):
            if type(each.default) in (int, float) and each.name not in free:
                with pytest.raises(InvalidSpecError):
                    agent(**{each.name: 10**16})


@pytest.mark.parametrize("game", ["tictactoe", "connect4:4,4", "dots:2,2", "adjacency:4,4,1"])
@pytest.mark.parametrize("setting", ["memory", "threads"])
def test_c09_library_calls_have_bounds(game: str, setting: str) -> None:
    settings: dict[str, Any] = {setting: 99999999999}
    with pytest.raises(InvalidSpecError, match=f"{setting} must be from 1 to "):
        papan.solve(game, **settings)


def test_c09_memory_that_the_machine_does_not_have_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_room(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("papan.games.tictactoe.solver.TicTacToeSolver.decide", no_room)
    with pytest.raises(CannotPlayError, match="solver:memory=1024 ran out of memory"):
        papan.solve("tictactoe", memory=1024)


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"nodes": -1}, {"seconds": nan}])
def test_a_limit_must_leave_room_to_think(limit: dict[str, float]) -> None:
    with pytest.raises(InvalidSpecError, match="must be more than 0"):
        Limit(**limit)


def test_the_tighter_bound_counts() -> None:
    assert Limit(seconds=2).within(Limit(seconds=1, nodes=9)) == Limit(seconds=1, nodes=9)
    assert Limit(nodes=5).json() == {"nodes": 5}


def test_nodes_are_counted_up_to_the_limit_and_not_beyond() -> None:
    thinking = Thinking(Limit(nodes=3))
    for _ in range(3):
        thinking.tick()
    with pytest.raises(OutOfBudget, match="nodes"):
        thinking.tick()
    assert thinking.nodes == 3


def test_time_runs_out() -> None:
    thinking = Thinking(Limit(seconds=0.01))
    with pytest.raises(OutOfBudget, match="time"):
        while True:
            thinking.tick()


def test_whoever_asked_can_cancel() -> None:
    with pytest.raises(OutOfBudget, match="cancelled"):
        Thinking(Limit(), cancelled=lambda: True).tick()


def test_events_reach_the_listener_and_trees_are_capped() -> None:
    heard: list[Event] = []
    thinking = Thinking(Limit(inf), heard.append)
    for number in range(5_000):
        thinking.emit_node(id=number)
    assert [event["t"] for event in heard] == ["tree"] * 2_000
    assert not Thinking(Limit()).watched


def test_an_agent_streams_its_thoughts() -> None:
    kinds = [event["t"] for event in papan.agent("random").think(papan.position("tictactoe"))]
    assert kinds == ["start", "root", "done"]


def test_a_setting_without_bound_is_told_as_json_can_write_it() -> None:
    events = papan.agent("mcts:seconds=inf").think(papan.position("tictactoe"), Limit(nodes=5))
    assert json.dumps(list(events), allow_nan=False)


def test_errors_of_an_agent_reach_whoever_listens() -> None:
    over = papan.position("tictactoe").after("a1 a2 b1 b2 c1")
    with pytest.raises(CannotPlayError, match="There is nothing to think about"):
        list(papan.agent("random").think(over))


def test_a_share_of_a_budget_counts_whole_nodes_and_is_never_nothing() -> None:
    thinking = Thinking(Limit(nodes=5))
    assert thinking.share(0.5).limit.nodes == 2
    thinking.nodes = 5
    assert thinking.share(0.5).limit.nodes == 1
    assert Thinking(Limit()).share(0.5).limit.nodes == inf


def test_c07_the_work_of_a_search_that_says_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: now)
    heard: list[Event] = []
    search = Thinking(Limit(), heard.append)
    for hundredths in range(101):
        now, search.nodes = hundredths / 100, 10 * hundredths
        search.check()
        if hundredths == 60:
            search.emit_root(1, "a1", [])
    assert [(event["t"], event["ms"], event["nodes"], event["nps"]) for event in heard] == [
        ("progress", 260, 260, 1_000),
        ("progress", 520, 520, 1_000),
        ("root", 600, 600, 1_000),
        ("progress", 860, 860, 1_000),
    ]


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


def test_y7_no_node_is_told_once_the_time_is_well_over(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: clock[0])
    heard: list[Event] = []
    thinking = Thinking(Limit(seconds=2), heard.append)
    emitted = []
    for clock[0] in (0.0, 2.0, 2.09, 2.11):
        emitted.append(thinking.emit_node(id=len(heard)))
    assert emitted == [True, True, True, False] and len(heard) == 3


@pytest.mark.parametrize(("text", "proof"), [("xx./oo./... x", "exact"), ("x../.../... o", None)])
def test_y7_the_last_event_has_the_move_why_it_ended_and_whether_it_is_proved(
    text: str, proof: str | None
) -> None:
    heard: list[Event] = []
    found = papan.agent("alphabeta:depth=2").analyse(f"tictactoe {text}", listener=heard.append)
    assert found.position is not None
    name = found.position.game.move_name(found.move)
    why = "exact" if proof else "depth"
    assert heard[-1] == {"t": "done", "why": why, "best": name, "proof": proof}


def test_a_share_of_the_time_is_a_share_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: clock[0])
    thinking = Thinking(Limit(seconds=8))
    clock[0] = 6.0
    assert thinking.share(0.5).limit.seconds == 1
    clock[0] = 9.0
    assert 0 < thinking.share(0.5).limit.seconds < 0.001, "it is over"


@pytest.mark.parametrize(
    ("spent", "own", "why", "said"),
    [
        ((5, 1.0), Limit(), "exact", "exact"),
        ((5, 1.0), Limit(), "depth", "depth"),
        ((5, 1.0), Limit(), "cancelled", "cancelled"),
        ((9, 1.0), Limit(), "nodes", "done"),
        ((10, 1.0), Limit(), "nodes", "nodes"),
        ((10, 1.0), Limit(nodes=10), "nodes", "nodes"),
        ((3, 1.0), Limit(nodes=3), "nodes", "done"),
        ((5, 1.9), Limit(), "time", "done"),
        ((5, 2.0), Limit(), "time", "time"),
        ((5, 1.0), Limit(seconds=1), "time", "done"),
    ],
)
def test_a_search_ends_for_the_reason_that_its_caller_gave_or_is_done(
    spent: tuple[int, float], own: Limit, why: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller allows ten nodes and two seconds; *own* is the agent's limit."""
    clock = [100.0]
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: clock[0])
    thinking = Thinking(Limit(2, 10))
    thinking.narrow(own)
    thinking.nodes, clock[0] = spent[0], 100.0 + spent[1]
    assert thinking.reason(why) == said


def test_what_stopped_a_search_is_told_unless_it_is_exact() -> None:
    thinking = Thinking(Limit(nodes=2))
    with thinking.until_stopped():
        for _ in range(9):
            thinking.tick()
    assert [thinking.reason(why) for why in ("depth", "exact")] == ["nodes", "exact"]
    stopped = Thinking(Limit(), cancelled=lambda: True)
    with stopped.until_stopped():
        stopped.check()
    assert stopped.reason("done") == "cancelled"
    with pytest.raises(ZeroDivisionError), thinking.until_stopped():
        raise ZeroDivisionError


def test_a_search_may_visit_some_nodes_however_late_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: clock[0])
    late = Thinking(Limit(seconds=1))
    clock[0] = 9.0
    for _ in range(32):
        late.tick()
    with pytest.raises(OutOfBudget, match="time"):
        late.tick()
    exact = Thinking(Limit(seconds=1))
    clock[0] = 10.0
    exact.check()  # a second is not more than a second
    clock[0] = 10.001
    with pytest.raises(OutOfBudget, match="time"):
        exact.check()


def test_a_root_event_is_due_a_tenth_of_a_second_after_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: clock[0])
    thinking, silent = Thinking(Limit(), lambda event: None), Thinking(Limit())
    due = []
    for clock[0] in (0.05, 0.1, 0.11):
        due.append(thinking.time_to_emit())
    thinking.emit_root(1, "a1", [])
    for clock[0] in (0.2, 0.22):
        due.append(thinking.time_to_emit())
    assert due == [False, False, True, False, True] and not silent.time_to_emit()


def test_a_root_event_has_its_moves_the_work_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: clock[0])
    heard: list[Event] = []
    thinking = Thinking(Limit(), heard.append)
    thinking.nodes, clock[0] = 7, 0.0025
    thinking.emit_root(3, "a1", [{"m": "a1"}], here=2)
    assert heard == [
        {"t": "root", "depth": 3, "best": "a1", "moves": [{"m": "a1"}], "nodes": 7, "ms": 2,
         "nps": 2800, "here": 2}
    ]  # fmt: skip


@pytest.mark.parametrize(("most", "plies"), [(586, 3), (585, 2), (82, 2), (81, 1), (1, 1)])
def test_a_ply_of_a_tree_fits_up_to_the_last_node(
    most: int, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are 1 + 9 + 72 + 504 in three plies."""
    monkeypatch.setattr("papan.core.thinking.MOST_TREE_NODES", most)
    assert whole_plies(papan.position("tictactoe")) == plies


def test_an_agent_that_is_asked_by_another_spends_of_its_budget() -> None:
    thinking = Thinking(Limit(nodes=1000))
    thinking.nodes = 200
    position = papan.position("connect4")
    agent = papan.agent("minimax:depth=30")
    assert agent.tried(position, thinking, 0.25).why != "exact"
    assert thinking.nodes == 400
    agent.tried(position, thinking, 1, nodes=50)
    assert thinking.nodes == 450
