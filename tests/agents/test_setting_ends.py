"""Every setting of an agent is allowed at both ends of its range, and refused just beyond."""

from collections.abc import Callable
from math import inf

import pytest

from papan.agents.alphabeta import AlphaBeta
from papan.agents.external import Program
from papan.agents.learned import Learned
from papan.agents.level import Level
from papan.agents.mcts import Mcts
from papan.agents.metaheuristics import Annealing, Genetic, Stochastic
from papan.agents.minimax import Minimax
from papan.agents.net import Net
from papan.agents.solver import Solver
from papan.core import Agent, InvalidSpecError, Limit
from papan.engine.solver import NativeSolver

RANGES: list[tuple[Callable[..., Agent], str, float, float]] = [
    (Minimax, "depth", 0, 9_999),
    (AlphaBeta, "depth", 0, 9_999),
    (Mcts, "iterations", 0, 10**15),
    (Mcts, "seconds", 0, 10**7),
    (Mcts, "exploration", 0, 10**6),
    (Stochastic, "looks", 0, 100_000),
    (Annealing, "temperature", 0, 1_000),
    (Annealing, "cooling", 0.001, 1_000),
    (Genetic, "population", 1, 100_000),
    (Genetic, "generations", 0, 10**6),
    (Genetic, "swap", 0, 1),
    (Learned, "depth", 1, 20),
    (Learned, "games", 0, 100_000),
    (Learned, "exploration", 0, 1),
    (Learned, "rate", 0, 10),
    (Level, "number", 1, 5),
    (Net, "evaluations", 0, 10**9),
    (Solver, "memory", 1, 10**6),
    (Solver, "threads", 1, 64),
    (NativeSolver, "memory", 1, 10**6),
    (NativeSolver, "threads", 1, 64),
    (lambda **given: Program(run="bot", **given), "deadline", 0.01, 10**6),
    (lambda **given: Program(run="bot", **given), "memory", 16, 10**6),
]


@pytest.mark.parametrize(("kind", "setting", "least", "most"), RANGES)
def test_a_setting_is_allowed_from_end_to_end_and_not_beyond(
    kind: Callable[..., Agent], setting: str, least: float, most: float
) -> None:
    for amount in (least, most):
        assert getattr(kind(**{setting: amount}), setting) == amount
    wide = isinstance(least, int) and setting not in ("seconds", "exploration", "swap", "rate")
    step = 1 if wide else 0.0005
    for amount in (least - step, most + step):
        with pytest.raises(InvalidSpecError, match=f": {setting} must be from .* to .*, not "):
            kind(**{setting: amount})


def test_seconds_alone_may_be_infinite() -> None:
    assert Mcts(seconds=inf).own_limit == Limit()
    with pytest.raises(InvalidSpecError):
        Mcts(exploration=inf)


def test_the_usual_settings_are_those_of_the_help() -> None:
    assert [agent.spec for agent in (Mcts(), Learned(), Genetic(), Annealing(), Solver())] == [
        *("mcts", "learned", "genetic", "annealing", "solver"),
    ]
    assert (Mcts().exploration, Annealing().cooling, Annealing().temperature) == (1.4, 0.1, 0)
    assert (Stochastic().looks, Level().number, Learned().depth) == (100, 3, 2)
    assert (Genetic().population, Genetic().generations, Genetic().swap) == (5, 20, 0.5)
    assert (Learned().exploration, Learned().rate) == (0.15, 1.0)
    assert (Solver().memory, Solver().threads, NativeSolver().memory) == (256, 1, 256)
    assert (Program(run="bot").deadline, Program(run="bot").memory) == (10, 1024)
    assert AlphaBeta().ordering and AlphaBeta().table and not Minimax().pruning
    assert Net().search and Net().proofs and not Mcts().reuse


def test_own_limits_are_those_of_the_settings() -> None:
    assert Mcts().own_limit == Limit()
    assert Mcts(iterations=9, seconds=0.5).own_limit == Limit(seconds=0.5, nodes=9)
    assert Program(run="bot", deadline=2.5).own_limit == Limit(seconds=2.5)
    assert AlphaBeta(depth=4).own_limit == Limit()
