"""The agent `solver`, and `solver_for`: the one place that picks the solver of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from papan.agents.net import Net, weights_for
from papan.core import (
    UNLIMITED,
    Agent,
    Analysis,
    Game,
    Position,
    Proved,
    Support,
    Thinking,
    native_form,
)

PROOF_SHARE, HOPELESS_SHARE = 0.5, 0.1
"""Share of a limit that is spent on a proof before another agent plays: usually, and where a proof
is unlikely (`proof_nodes` is 0)."""


def solver_for(game: Game, **settings: Any) -> Agent | None:
    """Return the solver of *game*: its own, else `NativeSolver` for compiled rules, else None.

    *settings* are given to the solver, such as ``memory=512``; a setting that it does not have is
    ignored, such as *book* for a game without an opening book. Raise InvalidSpecError for a value
    out of range.
    """
    support = Support.of(game)
    solver = support.solver() if support.has_solver else None
    if solver is None and native_form(game.start()) is not None:
        from papan.engine.solver import NativeSolver  # brings Numba

        solver = NativeSolver()
    return solver.with_settings(**settings) if solver and settings else solver


@dataclass
class Solver(Agent):
    """An agent that hands the position to the solver of its game, see `solver_for`.

    With a limit, on a board where a net plays better than what a solver proves in time, the solver
    has a part of it and the net the rest; what is proven stays proven. Raise InvalidSpecError
    unless *memory* is from 1 to 1,000,000 and *threads* from 1 to 64.
    """

    memory: int = 256
    """Megabytes for tables."""
    threads: int = 1
    """Threads that search; solvers without this setting use one."""

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)

    def plays(self, game: Game) -> bool:
        return Support.of(game).has_solver or native_form(game.start()) is not None

    def load(self, position: Position) -> None:
        if self.plays(position.game):
            self._solver(position.game).load(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        solver, player = self._solver(position.game), learned_player(position.game)
        if player is None or thinking.limit == UNLIMITED:
            return solver.decide(position, thinking)
        share = PROOF_SHARE if Support.of(position.game).proof_nodes(position) else HOPELESS_SHARE
        proof = solver.tried(position, thinking, share)
        if proof.exact and not proof.leaves_choice:
            return proof
        return with_proof(player.decide(position, thinking), proof)

    def _solver(self, game: Game) -> Agent:
        """Return the solver of *game* with this agent's settings; AssertionError if it has none."""
        solver = solver_for(game, memory=self.memory, threads=self.threads)
        assert solver is not None, f"{game.spec} has no solver"
        return solver


def learned_player(game: Game) -> Net | None:
    """Return the net that plays *game*, without proofs, if `NetWeights.best_on` says so; else None.

    That is on boards where it has won matches against another agent.
    """
    weights = weights_for(game)
    return Net(proofs=False) if weights and weights.best_on(game) else None


def with_proof(played: Analysis, proof: Analysis) -> Analysis:
    """Return the analysis *played* with what *proof*, of the same position, proves.

    Its move and line are those of *played*, or those of *proof* if the move played is proved to be
    worse. Proved values replace those of the same moves. Bounds, verdict and notes are those of
    *proof*; its facts are added to those of *played*, which win where both have one.
    """
    known = {move: value for move, value in proof.values.items() if isinstance(value, Proved)}
    chosen = known.get(played.move)
    worse = chosen is not None and chosen.high < proof.proved.low
    return replace(
        played,
        line=proof.line if worse else played.line,
        proved=proof.proved,
        values={**played.values, **known},
        facts={**proof.facts, **played.facts},
        verdict=proof.verdict,
        notes=proof.notes,
    )
