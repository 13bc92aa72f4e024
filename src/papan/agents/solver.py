"""Solver: the exact truth about a position; and who plays best where that is out of reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from papan.agents.net import Net, weights_for
from papan.core import (
    UNLIMITED,
    Agent,
    Analysis,
    Game,
    Limit,
    Position,
    Proved,
    Thinking,
    native_form,
)

PROOF_SHARE, HOPELESS_SHARE = 0.5, 0.1
"""How much of a limit goes to a proof before somebody else plays: usually, and with little hope."""


@dataclass
class Solver(Agent):
    """Hands the position to the game's own solver, or to the one of all games.

    With a limit, on a board where a net plays better than what a solver proves in time, the net has
    the rest of it; what is proven stays proven.
    """

    memory: int = 256
    """Megabytes for tables."""
    threads: int = 1

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)

    def plays(self, game: Game) -> bool:
        return game.has_solver or native_form(game.start()) is not None

    def load(self, position: Position) -> None:
        if self.plays(position.game):
            self._solver(position.game).load(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        solver, player = self._solver(position.game), learned_player(position.game)
        if player is None or thinking.limit == UNLIMITED:
            return solver.decide(position, thinking)
        share = PROOF_SHARE if position.game.proof_nodes(position) else HOPELESS_SHARE
        proof = tried(solver, position, thinking, share)
        if proof.exact:
            return proof
        return with_proof(player.decide(position, thinking), proof)

    def _solver(self, game: Game) -> Agent:
        if game.has_solver and (own := game.solver(memory=self.memory, threads=self.threads)):
            return own
        from papan.engine.solver import NativeSolver  # brings Numba

        return NativeSolver(self.memory, self.threads)


def learned_player(game: Game) -> Net | None:
    """The net, where matches have shown that nobody else plays this board as well."""
    weights = weights_for(game)
    return Net(proofs=False) if weights and weights.best_on(game) else None


def tried(
    solver: Agent,
    position: Position,
    thinking: Thinking,
    share: float,
    nodes: float = UNLIMITED.nodes,
) -> Analysis:
    """What a solver says with a *share* of the budget, and with so many nodes at most."""
    trial = thinking.share(share)
    trial.narrow(Limit(nodes=nodes))
    analysis = solver.decide(position, trial)
    thinking.nodes += trial.nodes
    return analysis


def with_proof(played: Analysis, proof: Analysis) -> Analysis:
    """A guess together with what is proven: never a move that is proven to be worse."""
    known = {move: value for move, value in proof.values.items() if isinstance(value, Proved)}
    chosen = known.get(played.move)
    worse = chosen is not None and chosen.high < proof.proved.low
    return replace(
        played,
        line=proof.line if worse else played.line,
        proved=proof.proved,
        values={**played.values, **known},
        facts={**proof.facts, **played.facts},
    )
