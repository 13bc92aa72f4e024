"""Every agent spends the budget that it is given, or says why not; and it keeps within it."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

import papan
from papan.agents.external import Human
from papan.catalog import AGENTS, GAMES, agent_names
from papan.core import Agent, Limit, Position
from papan.core.parts import Card
from papan.engine import control

pytestmark = pytest.mark.thorough

ENDINGS = ("exact", "depth")
"""Reasons for any agent to stop before its budget is spent."""
SMALLEST = {
    "connect4": "connect4:5,5",
    "dots": "dots:3,3",
    "adjacency": "adjacency:5,5,8",
    "onet": "onet:4,6",
    "tictactoe": "tictactoe:4,4,4",
}
"""Boards that no search of a few thousand nodes exhausts, and none takes long for."""
LARGEST = {
    name: max(
        (name, *Card.of(GAMES[name]()).presets),
        key=lambda spec: papan.game(spec).move_count,
    )
    for name in GAMES
}


BETWEEN = ("level:2", "level:3", "level:4")
"""Levels that think as the others do, only more or less."""


def cases(boards: dict[str, str]) -> list[Any]:
    """Every agent on every game that it plays."""
    return [
        pytest.param(name, boards.get(game, game), id=f"{name} {game}")
        for name, game in product(agent_names(), GAMES)
        if name not in BETWEEN
        and AGENTS[name.partition(":")[0]]().plays(papan.game(boards.get(game, game)))
    ]


def seated(name: str, position: Position) -> Agent:
    """The agent of that name; a person in its place answers with the first move there is."""
    agent = papan.agent(name)
    if isinstance(agent, Human):
        answer = position.game.move_name(position.moves()[0])
        agent.ask, agent.show = lambda prompt: answer, lambda text: None
    return agent


@pytest.mark.parametrize("nodes", [1, 1_100])
@pytest.mark.parametrize(("name", "board"), cases(SMALLEST))
def test_c02_a_budget_of_nodes_is_spent_to_the_last(name: str, board: str, nodes: int) -> None:
    position = papan.position(board)
    agent = seated(name, position)
    analysis = agent.analyse(position, Limit(nodes=nodes))
    early = (*ENDINGS, "done") if agent.ends_by_itself else ENDINGS
    if analysis.why == "nodes":
        assert analysis.nodes == nodes
    else:
        assert analysis.nodes <= nodes
        assert analysis.why in early


class Clock:
    """Time that passes only by work: a tick for each look at it, and for each call of the rules.

    So a busy machine takes no longer, and who forgets to look at the clock is late.
    """

    TICK = 0.001

    def __init__(self) -> None:
        self.ticks = 0

    def __call__(self) -> float:
        self.ticks += 1
        return self.ticks * self.TICK

    def counts(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """The same method, which takes time."""

        def counted(*arguments: Any, **settings: Any) -> Any:
            self.ticks += 1
            return method(*arguments, **settings)

        return counted


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    monkeypatch.setattr("papan.core.thinking.perf_counter", clock)
    monkeypatch.setattr(control, "CALLER_POLL_SECONDS", 1e-4)
    yield clock


def slowed(position: Position, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules of the position's game take time."""
    for method in ("moves", "child"):
        for kind in type(position).__mro__:
            if method in vars(kind):
                monkeypatch.setattr(kind, method, clock.counts(vars(kind)[method]))
                break


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "watched"])
@pytest.mark.parametrize(("name", "board"), cases(LARGEST))
def test_c02_l04_a_budget_of_time_is_spent_and_kept(
    name: str, board: str, watched: bool, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = papan.position(board)
    agent = seated(name, position)
    agent.load(position)
    slowed(position, clock, monkeypatch)
    began, granted = clock.ticks, 300
    limit = Limit(seconds=granted * clock.TICK)
    analysis = agent.analyse(position, limit, (lambda event: None) if watched else None)
    spent = clock.ticks - began
    assert spent <= 1.1 * granted
    if analysis.why == "time":
        assert spent >= granted
    else:
        assert analysis.why in ((*ENDINGS, "done") if agent.ends_by_itself else ENDINGS)
