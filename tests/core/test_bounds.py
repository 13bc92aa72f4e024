"""Numbers without measure are refused in one sentence, whichever way they come in."""

from dataclasses import fields
from math import inf, nan
from typing import Any

import pytest

import papan
from papan.catalog import AGENTS
from papan.core import CannotPlayError, InvalidSpecError, Limit
from papan.core.bounds import ENDLESS, MOST

HUGE = "9" * 18


@pytest.mark.parametrize("amount", [0, -1, nan, 10**23, 1e300])
@pytest.mark.parametrize("key", ["seconds", "nodes"])
def test_c09_a_limit_has_bounds(key: str, amount: float) -> None:
    with pytest.raises(InvalidSpecError, match=f"{key} must be more than 0 and at most "):
        Limit(**{key: amount})


def test_c09_the_largest_limits_are_of_use() -> None:
    position = papan.position("tictactoe .x./.ox/xo. o")
    for limit in (Limit(nodes=MOST["nodes"]), Limit(seconds=MOST["seconds"]), Limit(inf, inf)):
        for name in ("mcts", "alphabeta", "minimax", "solver"):
            assert papan.agent(name).analyse(position, limit).why == "exact"


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        (name, each.name)
        for name, agent in AGENTS.items()
        for each in fields(agent)
        if each.name in MOST
    ],
)
def test_c09_every_setting_has_bounds(name: str, setting: str) -> None:
    for text in (HUGE, "-1"):
        with pytest.raises(InvalidSpecError, match=f"{name}: {setting} must be from "):
            papan.agent(f"{name}:{setting}={text}")
    assert papan.agent(f"{name}:{setting}={MOST[setting]:.0f}")
    if setting in ENDLESS:
        assert papan.agent(f"{name}:{setting}=inf")


def test_c09_every_number_of_an_agent_is_known() -> None:
    """A new setting needs its bounds, or a reason to do without."""
    free = {"seed", "number", "swap", "depth_x", "depth_o"}  # a seed is only text, others ask more
    numbers = {
        each.name
        for agent in AGENTS.values()
        for each in fields(agent)
        if type(each.default) in (int, float)
    }
    assert numbers <= {*MOST, *free}


@pytest.mark.parametrize("game", ["tictactoe", "connect4:4,4", "dots:2,2", "adjacency:4,4,1"])
@pytest.mark.parametrize("setting", ["memory", "threads"])
def test_c09_library_calls_have_bounds(game: str, setting: str) -> None:
    settings: dict[str, Any] = {setting: 99999999999}
    with pytest.raises(InvalidSpecError, match=f"solver: {setting} must be from 1 to "):
        papan.solve(game, **settings)


def test_c09_memory_that_the_machine_does_not_have_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_room(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("papan.games.tictactoe.solver.TicTacToeSolver.decide", no_room)
    with pytest.raises(CannotPlayError, match="solver:memory=1024 ran out of memory"):
        papan.solve("tictactoe", memory=1024)
