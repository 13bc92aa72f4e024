"""What every agent promises, tried on every game that it plays."""

import json
from collections.abc import Callable
from functools import cache
from itertools import product

import pytest

import papan
from papan.agents.external import Human
from papan.catalog import GAMES, agent_names
from papan.core import Agent, Analysis, Event, Limit, Position
from papan.core.analysis import value_from_event
from papan.core.thinking import EVENTS

SMALL = {
    "connect4": "connect4:5,5",
    "dots": "dots:2,2",
    "adjacency": "adjacency:5,5,4",
    "onet": "onet:3,6",
}
"""Boards that leave time to try everything."""
OPENING = 3
LIMITS: dict[str, tuple[Limit, Callable[[], bool]]] = {
    "one node": (Limit(nodes=1), lambda: False),
    "few nodes": (Limit(nodes=7), lambda: False),
    "no time": (Limit(seconds=1e-6), lambda: False),
    "cancelled": (Limit(), lambda: True),
}
ENOUGH = Limit(nodes=150)


def seated(name: str, position: Position) -> Agent:
    """The agent of that name; a person in its place answers with the first move there is."""
    agent = papan.agent(name)
    if isinstance(agent, Human):
        answer = position.game.move_name(position.moves()[0])
        agent.ask, agent.show = lambda prompt: answer, lambda text: None
    return agent


def opened(name: str) -> Position:
    """A game some plies after its start."""
    position = papan.position(SMALL.get(name, name))
    for ply in range(OPENING):
        moves = position.moves()
        position = position.child(moves[ply * 7 % len(moves)])
    return position


CASES = [
    pytest.param(name, opened(game), id=f"{name} {game}")
    for name, game in product(agent_names(), GAMES)
    if papan.agent(name).plays(papan.game(SMALL.get(game, game)))
]


@cache
def alone(name: str, position: Position) -> Analysis:
    return seated(name, position).analyse(position, ENOUGH)


@cache
def heard(name: str, position: Position) -> list[Event]:
    events: list[Event] = []
    seated(name, position).analyse(position, ENOUGH, events.append)
    return events


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("name", "position"), CASES)
def test_answers_legally_however_small_the_limit(name: str, position: Position, limit: str) -> None:
    budget, cancelled = LIMITS[limit]
    analysis = seated(name, position).analyse(position, budget, cancelled=cancelled)
    assert analysis.move in position.moves()
    assert analysis.nodes <= budget.nodes
    assert analysis.why in ("exact", "depth", "time", "nodes", "cancelled", "done")


@pytest.mark.parametrize(("name", "position"), CASES)
def test_the_same_settings_give_the_same_answer(name: str, position: Position) -> None:
    first, second = alone(name, position), seated(name, position).analyse(position, ENOUGH)
    assert (first.line, first.value, first.values) == (second.line, second.value, second.values)


@pytest.mark.parametrize(("name", "position"), CASES)
def test_listening_changes_nothing(name: str, position: Position) -> None:
    first = alone(name, position)
    watched = seated(name, position).analyse(position, ENOUGH, lambda event: None)
    assert (first.line, first.value, first.nodes) == (watched.line, watched.value, watched.nodes)


@pytest.mark.parametrize(("name", "position"), CASES)
def test_the_expected_lines_are_legal(name: str, position: Position) -> None:
    analysis = alone(name, position)
    lines = [(move, *value.line) for move, value in analysis.values.items()]
    for line in (analysis.line, *lines):
        position.after(" ".join(map(position.game.move_name, line)))


@pytest.mark.parametrize(("name", "position"), CASES)
def test_events_keep_to_the_format(name: str, position: Position) -> None:
    events = heard(name, position)
    assert [event["t"] for event in events].count("start") == 1
    assert (events[0]["t"], events[-1]["t"]) == ("start", "done")
    for event in events:
        assert event.keys() >= {"t", *EVENTS[event["t"]]}
        assert json.dumps(event, allow_nan=False)


@pytest.mark.parametrize(("name", "position"), CASES)
def test_moves_in_events_are_legal_here(name: str, position: Position) -> None:
    legal = set(map(position.game.move_name, position.moves()))
    for event in heard(name, position):
        if event["t"] in ("root", "done"):
            assert event["best"] in legal
        for move in event.get("moves", ()):
            assert move["m"] in legal
            assert value_from_event(move).json().items() <= move.items()
            position.after(" ".join(move.get("pv", ())))


@pytest.mark.parametrize(("name", "position"), CASES)
def test_a_told_tree_hangs_together(name: str, position: Position) -> None:
    added = [each for each in heard(name, position) if each["t"] == "tree"]
    nodes = [node for event in added for node in event["add"]]
    ids = [node["id"] for node in nodes]
    assert len(set(ids)) == len(ids)
    assert len({node["up"] for node in nodes}.difference(ids)) <= 1, "one root"


@pytest.mark.parametrize("name", agent_names())
def test_the_spec_reads_back(name: str) -> None:
    agent = papan.agent(name)
    assert papan.agent(agent.spec) == agent


@pytest.mark.parametrize(
    "spec",
    [
        "random:seed=7",
        "minimax:depth=3,scoring=depth",
        "alphabeta:depth=4,ordering=false,table=false,seed=2",
        "mcts:iterations=50,seconds=0.5,exploration=0.7,seed=3",
        "genetic:population=50,generations=30,swap=0.25,seed=4",
        "human:language=id",
        "level:5,seed=6",
    ],
)
def test_every_setting_is_in_the_spec(spec: str) -> None:
    assert papan.agent(spec).spec == spec
