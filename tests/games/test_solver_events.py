"""Solvers tell bounds, work, speed and the best move while they work, not only at the end."""

import random
from itertools import count

import pytest

import papan
from papan.core import Event, Limit
from papan.core.parts import Support
from papan.engine import control

from .onet_boards import BOARDS, on

ONET = next(on(board["board"]) for board in BOARDS if board["name"] == "d58")
LONG = [
    pytest.param(position, settings, id=position.game.name)
    for position, settings in (
        (papan.position("connect4"), {"book": False}),
        (papan.position("dots:4,4"), {"book": False}),
        (papan.position("adjacency"), {"memory": 1}),
        (papan.position("tictactoe:6,6,4"), {}),
        (ONET, {}),
    )
]


@pytest.mark.thorough
@pytest.mark.parametrize(("position", "settings"), LONG)
def test_c07_every_solver_tells_what_it_knows_while_it_works(
    position: papan.Position, settings: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is counted in looks at the clock, so that no machine is too busy for it."""
    solver = Support.of(position.game).solver(**settings)
    assert solver is not None
    solver.load(position)
    looks, heard = count(), list[Event]()
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: next(looks) / 100)
    monkeypatch.setattr(control, "CALLER_POLL_SECONDS", 5e-4)
    solver.analyse(position, Limit(seconds=3), heard.append)
    roots = [event for event in heard if event["t"] == "root"]
    assert len(roots) > 2
    assert all({"nodes", "nps", "best", "bounds"} <= event.keys() for event in roots)
    assert roots[0]["nodes"] < roots[-1]["nodes"]


def test_t36_no_event_claims_more_than_is_proved_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The weights of lines were once read while the search had put marks of its own."""
    position, rng = papan.position("tictactoe:10,10,7"), random.Random(6)
    for _ in range(rng.randrange(2, 50)):
        position = position.play(rng.choice(position.moves()))
    solver = Support.of(position.game).solver()
    assert solver is not None
    solver.load(position)
    looks, heard = count(), list[Event]()
    monkeypatch.setattr("papan.core.thinking.perf_counter", lambda: next(looks) / 50)
    monkeypatch.setattr(control, "CALLER_POLL_SECONDS", 5e-4)
    analysis = solver.analyse(position, Limit(seconds=3), heard.append)
    assert (analysis.proved, analysis.distance) == (papan.core.Proved(0, 1), None)
    bounds = [event["bounds"] for event in heard if event["t"] == "root"]
    assert len(bounds) > 2
    assert all(low <= 0 and high >= 1 for low, high in bounds)
