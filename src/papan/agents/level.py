"""Agents that delegate to others: the solver, and levels from careless to strongest.

The solver proves values, and lets a net play where that is out of reach. A level is an opponent for
everyone, from careless (1) to as strong as papan can be (5).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from papan.agents.alphabeta import AlphaBeta
from papan.agents.mcts import Mcts
from papan.agents.solver import PROOF_SHARE, Solver, learned_player, with_proof
from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    Limit,
    Position,
    Thinking,
    learned_patterns,
    native_form,
)
from papan.core.compiling import is_plain
from papan.core.parts import Card, Support


class Strength(NamedTuple):
    """The settings of a level."""

    depth: int
    """Plies that alpha-beta looks ahead; 0: the agent that plays the board best, with all
    its work.
    """
    work: int
    """Thinking per move, in units that are the same for every game: see `level_nodes`."""
    careless: float
    """Probability of a random move, on a board with `forgiving` 1."""


STRENGTHS = {
    1: Strength(depth=1, work=100_000, careless=0.45),
    2: Strength(depth=2, work=200_000, careless=0.25),
    3: Strength(depth=6, work=1_000_000, careless=0.13),
    4: Strength(depth=0, work=200_000, careless=0.05),
    5: Strength(depth=0, work=2_000_000, careless=0.0),
}
STRONGEST = max(STRENGTHS)
STRONGEST_WORK = STRENGTHS[STRONGEST].work
"""Work of the strongest level: somewhat less than a second."""
GAME_IN_NODES = 12
"""Nodes of alpha-beta that take about as long as one random game to its end."""
COMPILED = 10
"""Factor on the nodes of a level without a depth where the search is compiled."""
BESIDE_PROOF_NODES = 1_000_000
"""Nodes for a position of a board with a shipped proof: where that ends, little is left to do."""
EVALUATIONS = 400
"""Positions that a net evaluates in about as long as the most work takes."""


@dataclass
class Level(Agent):
    """Plays every game, from careless (1) to as strong as papan can be (5).

    Its budget is counted in nodes and not in seconds, so that the same seed plays the same game on
    every machine.
    """

    number: int = 3
    seed: int = 0
    """Decides when it is careless, and which of equal moves it makes; not so for the strongest."""

    name: ClassVar[str] = "level"
    has_plain_twin: ClassVar[bool] = True
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("number", min(STRENGTHS), STRONGEST)

    @property
    def spec(self) -> str:
        """The specification, always with its number: ``level:3``."""
        return f"level:{self.number}" + (f",seed={self.seed}" if self.seed else "")

    def plays(self, game: Game) -> bool:
        return self.number in Card.of(game).levels

    def refusal(self, game: Game) -> CannotPlayError:
        levels = ", ".join(f"level:{number}" for number in Card.of(game).levels)
        return CannotPlayError("level.none", agent=self.spec, game=game.spec, levels=levels)

    def load(self, position: Position) -> None:
        if (
            not STRENGTHS[self.number].depth
            and Support.of(position.game).has_solver
            and not is_plain()
        ):
            Solver().load(position)
        thinker(self.number, position, seed=0).load(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        rng = random.Random(f"{self.seed} {position}")
        if rng.random() < carelessness(self.number, position.game):
            move = rng.choice(position.moves())
            thinking.emit("reason", m=position.game.move_name(move), rule="level.careless")
            return Analysis((move,))
        truth = level_solution(self.number, position, thinking)
        if truth and not truth.leaves_choice:
            return truth
        thinking.narrow(Limit(nodes=thinking.nodes + level_nodes(self.number, position)))
        seed = 0 if self.number == STRONGEST else rng.randrange(1, 1_000_000)
        played = thinker(self.number, position, seed).decide(position, thinking)
        return with_proof(played, truth) if truth else played


def carelessness(number: int, game: Game) -> float:
    """Return the probability that a level plays a random move: 1 - (1 - careless) ** error_factor.

    Below 1 the factor counts only for the levels with a search depth.
    """
    factor = Support.of(game).error_factor
    exponent = factor if STRENGTHS[number].depth else max(factor, 1)
    return float(1 - (1 - STRENGTHS[number].careless) ** exponent)


def level_solution(number: int, position: Position, thinking: Thinking) -> Analysis | None:
    """Return what the game's own solver proves with half of the budget; None if nothing."""
    depth, work, _ = STRENGTHS[number]
    support = Support.of(position.game)
    if depth or not support.has_solver or is_plain():
        return None
    solver, most = support.solver(), support.proof_nodes(position) * work // STRONGEST_WORK
    if solver is not None and number == STRONGEST:
        if known := solver.known(position):
            return known
        if solver.known(position.game.start()):
            most = max(most, BESIDE_PROOF_NODES)
    if solver is None or not most:
        return None
    analysis = solver.tried(position, thinking, PROOF_SHARE, most)
    return None if analysis.value is None else analysis


def thinker(number: int, position: Position, seed: int) -> Agent:
    """Return the agent that thinks on a level: alpha-beta, or MCTS in puzzles for one seat.

    A level without a depth is the net where matches have shown that it is stronger.
    """
    depth = STRENGTHS[number].depth
    if not depth and (player := learned_player(position.game)):
        return player
    if position.game.seats == 1 and number > 3:
        return Mcts(iterations=level_nodes(number, position) // GAME_IN_NODES + 1, seed=seed)
    learned = depth and learned_patterns(position.game)
    return AlphaBeta(depth=depth, seed=seed, evaluation="patterns" if learned else "hand")


def level_nodes(number: int, position: Position) -> int:
    """Return the nodes of a level's work: each costs more where there are more moves."""
    depth, work, _ = STRENGTHS[number]
    if not depth and learned_player(position.game):
        return EVALUATIONS * work // STRONGEST_WORK
    paid = work // (40 + position.game.move_count)
    return 1 + paid * (COMPILED if not depth and native_form(position) else 1)
