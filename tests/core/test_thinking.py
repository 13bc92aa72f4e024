"""Limits, the node counter, and the stream of events."""

import json
from math import inf, nan

import pytest

import papan
from papan.core import CannotPlayError, Event, InvalidSpecError, Limit, OutOfBudget, Thinking


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
