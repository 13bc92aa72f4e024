"""Agents that delegate to others: the solver, and levels from careless to strongest.

The solver proves values, and lets a net play where that is out of reach. A level is an opponent for
everyone, from careless (1) to as strong as papan can be (5).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from papan.agents.alphabeta import AlphaBeta
from papan.agents.mcts import Mcts
from papan.agents.solver import PROOF_SHARE, Solver, learned_player, with_proof
from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    Limit,
    Message,
    Move,
    Position,
    Thinking,
    learned_patterns,
    native_form,
)
from papan.core.compiling import is_plain
from papan.core.parts import Card, Support
from papan.core.slips import Slip


class Strength(NamedTuple):
    """The settings of a level: how many plies it looks ahead, and how much work it may do."""

    depth: int
    """Plies that alpha-beta looks ahead; 0: no bound but the work, and `thinker` picks the agent
    that plays the board best.
    """
    work: int
    """Thinking per move, in units that are the same for every game: see `level_nodes`."""


STRENGTHS = {
    1: Strength(depth=1, work=100_000),
    2: Strength(depth=2, work=200_000),
    3: Strength(depth=6, work=1_000_000),
    4: Strength(depth=0, work=200_000),
    5: Strength(depth=0, work=2_000_000),
}
SHORT_SIGHT = {1: 1, 2: 1, 3: 1, 4: 2}
"""Plies that a level, 1 to 4, looks ahead when it overlooks the answer, or what comes after."""
SHARE = 0.4
"""The part, 0 to 1, of what is left of the budget for each look of `Level._short`."""
STRONGEST = max(STRENGTHS)
"""Number of the strongest level: 5."""
STRONGEST_WORK = STRENGTHS[STRONGEST].work
"""Work of the strongest level: somewhat less than a second."""
GAME_IN_NODES = 12
"""Nodes of alpha-beta that take about as long as one random game to its end."""
COMPILED = 10
"""Factor on the nodes of a level without a depth where the search is compiled."""
BESIDE_PROOF_NODES = 1_000_000
"""Nodes that the solver of level 5 may visit at least, on a board with a shipped proof: in
positions that the proof leaves out, little is left to do."""
EVALUATIONS = 400
"""Positions that a net may evaluate for a move of level 5; for one of level 4 a tenth of it."""


@dataclass
class Level(Agent):
    """An agent for every game, from careless (level 1) to as strong as papan can be (5).

    Its own budget is counted in nodes and not in seconds, so that the same seed plays the same game
    on every machine. Raise InvalidSpecError unless *number* is from 1 to 5.
    """

    number: int = 3
    """The level, 1 to 5."""
    seed: int = 0
    """Decides when it is careless, and which of equal moves it makes; not so for the strongest."""

    name: ClassVar[str] = "level"
    has_plain_twin: ClassVar[bool] = True
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("number", min(STRENGTHS), STRONGEST)

    @property
    def spec(self) -> str:
        """The specification, always with its number: ``level:3``, or ``level:3,seed=7``."""
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
        slips = rng.random() < slip_rate(self.number, position.game)
        seed = 0 if self.number == STRONGEST else rng.randrange(1, 1_000_000)
        slip = self._slip(position, seed, rng, thinking) if slips else None
        if slip is None:
            return self._thought(position, seed, thinking)
        name, message = position.game.move_name(slip.move), slip.message.json()
        overlooked = (
            {"slip": message["values"], "cells": [*slip.cells]} if message["values"] else {}
        )
        thinking.emit("reason", m=name, rule=message["key"], **overlooked)
        return Analysis((slip.move,))

    def _thought(self, position: Position, seed: int, thinking: Thinking) -> Analysis:
        """Return the analysis of the level when it overlooks nothing: by the solver or `thinker`.

        If `level_solution` finds an analysis that leaves no choice, it is returned. Else the
        thinker decides, with *seed*, and what the solver has proved, if anything, is added
        (`with_proof`). Before the thinker begins, *thinking* is narrowed: `level_nodes` more nodes
        than the solver has visited.
        """
        truth = level_solution(self.number, position, thinking)
        if truth and not truth.leaves_choice:
            return truth
        thinking.narrow(Limit(nodes=thinking.nodes + level_nodes(self.number, position)))
        played = thinker(self.number, position, seed).decide(position, thinking)
        return with_proof(played, truth) if truth else played

    def _slip(
        self, position: Position, seed: int, rng: random.Random, thinking: Thinking
    ) -> Slip | None:
        """Return a slip, a move that overlooks something; None if there is nothing to overlook.

        There are two ways: a blind spot, something on the board that the level, 1 to 4, does not
        see (`Support.slip`), and a look at too few plies ahead, with *seed* (`_short`). *rng* draws
        which is tried first; if that finds no slip, the other one is tried. In a game for one seat
        neither is: *rng* draws any legal move as the slip; None if there is only one.
        """
        if position.game.seats == 1:
            moves = position.moves()
            return Slip(rng.choice(moves), Message("level.careless")) if len(moves) > 1 else None
        ways: list[Callable[[], Slip | None]] = [
            lambda: Support.of(position.game).slip(position, self.number, rng),
            lambda: self._short(position, seed, thinking),
        ]
        rng.shuffle(ways)
        return next(filter(None, (way() for way in ways)), None)

    def _short(self, position: Position, seed: int, thinking: Thinking) -> Slip | None:
        """Return the slip of a look `SHORT_SIGHT` plies ahead; None if its move is the usual one.

        The usual move is that of `_thought`. None, too, if the budget of the short look ended
        before it had seen so many plies: a slip says how many they were. Each look has the part
        `SHARE` of what is left of *thinking*, and both have *seed*. If there is a slip, the short
        look is repeated to emit its events; otherwise nothing is emitted.
        """
        plies = SHORT_SIGHT[self.number]
        usual = self._thought(position, seed, thinking.share(SHARE, silent=True)).move
        short = Nearby(depth=plies, seed=seed, evaluation=evaluation(self.number, position.game))
        look = thinking.share(SHARE, silent=True)
        move = short.decide(position, look).move
        if move == usual or look.reason("depth") != "depth":
            return None
        short.decide(position, thinking.share(SHARE))  # now that it counts, its tree is shown
        name = position.game.move_name
        facts = {"move": name(move), "better": name(usual), "plies": plies}
        return Slip(move, Message("slip.short", facts), (name(move), name(usual)))


def slip_rate(number: int, game: Game) -> float:
    """Return the probability, 0 to 1, that level *number* (1 to 5) looks for a slip at a move.

    If it finds one, it overlooks something. 0 for level 5.
    """
    return (*Support.of(game).slip_rates, 0.0)[number - 1]


def level_solution(number: int, position: Position, thinking: Thinking) -> Analysis | None:
    """Return what the game's own solver finds within `PROOF_SHARE` of the budget *thinking*.

    It may visit `Support.proof_nodes` nodes, at level 4 a tenth of them, at level 5 on a board with
    a shipped proof at least `BESIDE_PROOF_NODES`. Level 5 first asks for such a proof
    (`Agent.known`); one of the exact value is returned without a search. None for levels *number* 1
    to 3, without a solver, while searches must be plain (`plain_searches`), and where it may visit
    no node. If the solver finds no value, proved or guessed, None too, unless level 5 knows a proof
    of bounds here: then its bounds are returned.
    """
    depth, work = STRENGTHS[number]
    support = Support.of(position.game)
    if depth or not support.has_solver or is_plain():
        return None
    solver, most = support.solver(), support.proof_nodes(position) * work // STRONGEST_WORK
    known: Analysis | None = None
    if solver is not None and number == STRONGEST:
        known = solver.known(position)
        if known and known.exact:
            return known
        if solver.known(position.game.start()):
            most = max(most, BESIDE_PROOF_NODES)
    if solver is None or not most:
        return None
    analysis = solver.tried(position, thinking, PROOF_SHARE, most)
    return analysis if known or analysis.value is not None else None


def thinker(number: int, position: Position, seed: int) -> Agent:
    """Return the agent that plays for level *number* (1 to 5) where it neither slips nor proves.

    At level 4 or 5, if `learned_player` returns a net, it is that net; else, if the game is for one
    seat, it is MCTS. In all other cases it is alpha-beta: `AlphaBeta` at level 5, `Nearby` at the
    levels below. *seed* becomes the seed of MCTS and of alpha-beta; a net has none. The agent is
    new, and none of its kernels or weights are loaded.
    """
    depth = STRENGTHS[number].depth
    if not depth and (player := learned_player(position.game)):
        return player
    if position.game.seats == 1 and number > 3:
        return Mcts(iterations=level_nodes(number, position) // GAME_IN_NODES + 1, seed=seed)
    looks = AlphaBeta if number == STRONGEST else Nearby
    return looks(depth=depth, seed=seed, evaluation=evaluation(number, position.game))


class Nearby(AlphaBeta):
    """An agent: alpha-beta that leaves out remote moves at the root.

    A move is remote if it is far from everything on the board (`Support.is_remote`).
    """

    def considered(self, position: Position) -> list[Move]:
        """Return the legal moves that are not remote, in the order of `AlphaBeta.considered`.

        All legal moves if each of them is remote; empty if the game is over.
        """
        support, moves = Support.of(position.game), super().considered(position)
        return [each for each in moves if not support.is_remote(position, each)] or moves


def evaluation(number: int, game: Game) -> Literal["hand", "patterns"]:
    """Return the setting `AlphaBeta.evaluation` of the level *number* (1 to 5) on a board.

    It is "patterns" for levels 2 and 3 where patterns were learned for the board of *game*, else
    "hand": the game's own rule.
    """
    return "patterns" if number in (2, 3) and learned_patterns(game) else "hand"


def level_nodes(number: int, position: Position) -> int:
    """Return the nodes that the level *number* (1 to 5) may spend on a move, at least 1.

    They are 1 + work // (40 + `Game.move_count`), with the work of the level in `STRENGTHS`; at
    levels 4 and 5 the quotient is multiplied by `COMPILED` where the search is compiled. At levels
    4 and 5 of a board that a net plays (`learned_player`), the result is instead the number of
    positions that the net may evaluate: 40 and 400.
    """
    depth, work = STRENGTHS[number]
    if not depth and learned_player(position.game):
        return EVALUATIONS * work // STRONGEST_WORK
    paid = work // (40 + position.game.move_count)
    return 1 + paid * (COMPILED if not depth and native_form(position) else 1)
