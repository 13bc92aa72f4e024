"""Strength of agents on a board: Elo against fixed anchors, and the regret of their moves in
points.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from papan.core import Agent, Game, InvalidSpecError, Limit, OnProgress, Position, Progress, margin
from papan.core.analysis import finite
from papan.core.interrupts import Interrupted, interruptible
from papan.core.parts import Setup
from papan.core.progress import ignore_progress
from papan.lab.match import Match, play_match, unit_seed
from papan.lab.statistics.intervals import Interval

if TYPE_CHECKING:  # it loads NumPy
    from papan.lab.statistics.ranking import Encounter

PROOF = Limit(nodes=200_000)
"""Limit within which a solver must prove the value of a position."""
TRIES = 20
"""Number of random positions tried, at most, for each one that is needed."""


class Regret(NamedTuple):
    """Points that an agent's moves lose in positions with proved values: counts and mean."""

    positions: int
    """Number of moves that could be judged, one in each position."""
    right: int
    """Number of moves that lose nothing."""
    mean: float
    """Mean loss of a move, in points of the final margin; 0 or more."""


@dataclass(frozen=True)
class AgentStrength:
    """The measured strength of one agent: Elo and regret."""

    agent: str
    """The spec of the agent."""
    games: int
    """Number of games that it has played."""
    elo: Interval
    """Elo above the first anchor, with its 95 % interval."""
    regret: Regret | None
    """None if too few values were proved, or no positions were wanted."""

    def json(self) -> dict[str, object]:
        """Return the strength as JSON data, Elo rounded to one decimal; an infinite end is None.

        Its keys are ``agent``, ``games``, ``elo``, ``elo_low``, ``elo_high`` and ``regret``, which
        is None or an object with the fields of `Regret`.
        """
        return {
            "agent": self.agent,
            "games": self.games,
            "elo": round(self.elo.value, 1),
            "elo_low": finite(round(self.elo.low, 1)),
            "elo_high": finite(round(self.elo.high, 1)),
            "regret": None if self.regret is None else self.regret._asdict(),
        }


MOST_POSITIONS = 100_000
"""The largest number of proved positions to ask for: each is searched for and solved."""


@dataclass(frozen=True)
class Strengths:
    """Plan of a measurement: agents, anchors, games with each anchor, and proved positions.

    Raises InvalidSpecError if *games* is below 1 or *positions* not from 0 to `MOST_POSITIONS`,
    CannotPlayError if one of *agents* does not play the game; anchors are checked when they play.
    """

    game: Game
    agents: tuple[Agent, ...]
    """The agents to be measured, besides the anchors."""
    anchors: tuple[Agent, ...]
    """The agents that all others play against; Elo is counted from the first of them."""
    limit: Limit
    """Limit of each move."""
    games: int = 4
    """Games with each anchor; an odd number is rounded up to whole pairs."""
    positions: int = 12
    """Positions with proved values in which the regret is measured; 0: none."""
    seed: int = 0
    """Decides the openings of the games and the positions."""
    solver: Agent | None = None
    """Agent that proves the values of positions for the regret; None: no regret is measured."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InvalidSpecError("complexity.bad_effort", effort="--games", amount=self.games)
        if not 0 <= self.positions <= MOST_POSITIONS:
            bounds = {"least": 0, "most": MOST_POSITIONS}
            raise InvalidSpecError(
                "error.not_between", name="--positions", amount=self.positions, **bounds
            )
        for agent in self.agents:
            agent.check_plays(self.game)

    def run(self, on_progress: OnProgress = ignore_progress) -> list[AgentStrength]:
        """Measure all agents and anchors; return their strengths, the strongest first.

        An agent that is given twice counts once, by its spec. The list is empty if none meets
        another, as with a single anchor and no agents. *on_progress* is called before each step,
        and at the end. Raise CannotPlayError if an anchor does not play the game, and what an agent
        or the solver raises in a position for the regret: in games it only forfeits. After Ctrl-C
        raise `Interrupted`, whose ``result`` is the list of those that have met another by then.
        """
        players = {agent.spec: agent for agent in (*self.anchors, *self.agents)}
        meetings = list(self._meetings(list(players.values())))
        total = len(meetings) + len(players)
        encounters: list[Encounter] = []
        regrets: dict[str, Regret | None] = {}
        with interruptible:
            try:
                for done, (agent, anchor) in enumerate(meetings):
                    on_progress(Progress(done, total, f"{agent.spec} - {anchor.spec}"))
                    encounters.append(self._met(agent, anchor))
                known = self._known()
                for done, (name, agent) in enumerate(players.items(), len(meetings)):
                    on_progress(Progress(done, total, name))
                    regrets[name] = self._regret(agent, known)
            except KeyboardInterrupt:
                raise Interrupted(self._found(encounters, regrets)) from None
        on_progress(Progress(total, total))
        return self._found(encounters, regrets)

    def _known(self) -> list[Known]:
        """Return the positions in which the regret is measured, each with its proved value.

        They are what `known_positions` returns; empty without a solver, or if no positions are
        wanted.
        """
        if self.solver is None or not self.positions:
            return []
        return known_positions(self.game, self.solver, self.positions, self.seed)

    def _regret(self, agent: Agent, known: Sequence[Known]) -> Regret | None:
        """Return the regret of *agent* in the positions *known*, a result of `known_positions`.

        None without a solver or positions, or if no move could be judged. Raise as `regret_of`.
        """
        solver = self.solver
        return regret_of(agent, known, solver, self.limit) if solver and known else None

    def _met(self, agent: Agent, anchor: Agent) -> Encounter:
        """Play the games of *agent* against *anchor* and return their results, counted for
        *agent*.
        """
        from papan.lab.statistics.ranking import Encounter  # it loads NumPy

        pairs = (self.games + 1) // 2
        result = play_match(Match((agent, anchor), self.game, pairs, self.seed, self.limit))
        return Encounter(agent.spec, anchor.spec, result.wins, result.draws, result.losses)

    def _found(
        self, encounters: Sequence[Encounter], regrets: Mapping[str, Regret | None]
    ) -> list[AgentStrength]:
        """Return the strength of all players that have met another, the strongest first.

        *encounters* are their results, *regrets* the regret of each by its spec; a player that is
        not in *regrets* gets None. The list is empty without encounters.
        """
        from papan.lab.statistics.ranking import rank

        if not encounters:
            return []
        ranking, first = rank(encounters), self.anchors[0].spec
        found = []
        for name in dict.fromkeys(name for each in encounters for name in each[1::-1]):
            played = sum(sum(each[2:]) for each in encounters if name in each[:2])
            elo = ranking.lead(name, first)
            found.append(AgentStrength(name, played, elo, regrets.get(name)))
        return sorted(found, key=lambda each: -each.elo.value)

    def _meetings(self, players: Sequence[Agent]) -> Iterator[tuple[Agent, Agent]]:
        """Yield the pairs that meet, as (player, anchor).

        Each player that is no anchor meets every anchor, and the anchors meet each other once.
        *players* must begin with the anchors in their order: not checked.
        """
        for place, agent in enumerate(players):
            for anchor in self.anchors[:place]:  # the first players are the anchors
                yield agent, anchor


Known: TypeAlias = tuple[Position, float]
"""A position, and its proved final margin in points for the seat to move."""


def known_positions(game: Game, solver: Agent, count: int, seed: int) -> list[Known]:
    """Return *count* positions with several moves, from random games, each with its proved value.

    They are drawn by *seed*; values are the final margins in points for the seat to move. There are
    fewer if `TRIES` * *count* random games do not give enough positions with several moves of which
    *solver* proves the value within `PROOF`. A position may occur twice. Raise what *solver*
    raises.
    """
    rng, found = random.Random(f"{game.spec} {seed}"), list[Known]()
    for attempt in range(TRIES * count):
        course = [Setup.of(game).deal(unit_seed(seed, attempt)).start()]
        while moves := course[-1].moves():
            course.append(course[-1].child(rng.choice(list(moves))))
        position = rng.choice(course[:-1])
        value = true_value(position, position.turn, solver)
        if value is None or len(position.moves()) == 1:
            continue
        found.append((position, value))
        if len(found) == count:
            break
    return found


def true_value(position: Position, seat: int, solver: Agent) -> float | None:
    """Return the final margin of *seat*, in points, with best play; None if it is not proved.

    The limit of *solver* is `PROOF`; of a game that is over the margin is returned without a
    search. Raise what *solver* raises.
    """
    if position.is_over:
        return margin(position, seat)
    analysis = solver.analyse(position, PROOF)
    if not analysis.exact:
        return None
    return analysis.proved.low if position.turn == seat else -analysis.proved.low


def regret_of(agent: Agent, known: Sequence[Known], solver: Agent, limit: Limit) -> Regret | None:
    """Return how many points the moves of *agent* lose; None if no move could be judged.

    *known* are positions with their proved values, as `known_positions` returns them; *limit* is
    that of each move of *agent*. *solver* proves the values after the moves: a move after which it
    does not within `PROOF` is left out. Raise what *agent* or *solver* raises.
    """
    lost = []
    for position, value in known:
        child = position.child(agent.analyse(position, limit).move)
        after = true_value(child, position.turn, solver)
        if after is not None:
            lost.append(value - after)
    if not lost:
        return None
    return Regret(len(lost), sum(each == 0 for each in lost), sum(lost) / len(lost))
