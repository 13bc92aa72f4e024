"""Solvers tell bounds, work, speed and the best move while they work, not only at the end."""

from itertools import count

import pytest

import papan
from papan.core import Event, Limit

from .onet_boards import BOARDS, on

ONET = next(on(board["board"]) for board in BOARDS if board["name"] == "d58")
LONG = [
    pytest.param(position, settings, id=position.game.name)
    for position, settings in (
        (papan.position("connect4"), {"book": False}),
        (papan.position("dots:4,4"), {"book": False}),
        (papan.position("adjacency"), {}),
        (papan.position("tictactoe:6,6,4"), {}),
        (ONET, {}),
    )
]


@pytest.mark.parametrize(("position", "settings"), LONG)
def test_c07_every_solver_tells_what_it_knows_while_it_works(
    position: papan.Position, settings: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is counted in looks at the clock, so that no machine is too busy for it."""
    solver = position.game.solver(**settings)
    assert solver is not None
    solver.load(position)
    looks, heard = count(), list[Event]()
    monkeypatch.setattr("papan.core.agent.perf_counter", lambda: next(looks) / 100)
    solver.analyse(position, Limit(seconds=3), heard.append)
    roots = [event for event in heard if event["t"] == "root"]
    assert len(roots) > 2
    assert all({"nodes", "nps", "best", "bounds"} <= event.keys() for event in roots)
    assert roots[0]["nodes"] < roots[-1]["nodes"]
