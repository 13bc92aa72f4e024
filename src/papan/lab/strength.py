"""How strong agents are on a board: Elo against fixed anchors, and what their moves give away."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from papan.core import Agent, Game, InvalidSpecError, Limit, Position, margin
from papan.core.analysis import finite
from papan.lab.match import Match, play_match, unit_seed
from papan.lab.statistics import Interval

PROOF = Limit(nodes=200_000)
"""How long a solver may look for the truth about a position; others are asked then."""
TRIES = 20
"""How many random positions are looked at, at most, for each one that is asked about."""

Report: TypeAlias = Callable[[int, int, str], None]
"""Hears how much is done, of how much, and what was last."""


class Regret(NamedTuple):
    """What the moves of an agent gave away, in positions whose value is proven."""

    positions: int
    right: int
    """How many of them kept all there was."""
    mean: float
    """What one move gave away of the final margin."""


@dataclass(frozen=True)
class AgentStrength:
    """What was measured of one agent."""

    agent: str
    games: int
    elo: Interval
    """Above the first anchor."""
    regret: Regret | None
    """None where the solver proved too little, or nobody asked."""

    def json(self) -> dict[str, object]:
        """The same as data."""
        return {
            "agent": self.agent,
            "games": self.games,
            "elo": round(self.elo.value, 1),
            "elo_low": finite(round(self.elo.low, 1)),
            "elo_high": finite(round(self.elo.high, 1)),
            "regret": None if self.regret is None else self.regret._asdict(),
        }


@dataclass(frozen=True)
class Survey:
    """Who is measured, and how: games against each anchor, and positions with a known value."""

    game: Game
    agents: tuple[Agent, ...]
    anchors: tuple[Agent, ...]
    limit: Limit
    games: int = 4
    positions: int = 12
    seed: int = 0

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InvalidSpecError("complexity.bad_effort", effort="--games", amount=self.games)
        for agent in self.agents:
            agent.check_plays(self.game)

    def run(self, report: Report) -> list[AgentStrength]:
        """Measure all of them, anchors as well; the strongest first."""
        from papan.lab.statistics.ranking import Encounter, rank  # they load NumPy

        players = {agent.spec: agent for agent in (*self.anchors, *self.agents)}
        meetings = list(self._meetings(list(players.values())))
        total = len(meetings) + len(players)
        encounters = []
        for done, (agent, anchor) in enumerate(meetings):
            report(done, total, f"{agent.spec} - {anchor.spec}")
            pairs = (self.games + 1) // 2
            result = play_match(Match((agent, anchor), self.game, pairs, self.seed, self.limit))
            score = result.wins, result.draws, result.losses
            encounters.append(Encounter(agent.spec, anchor.spec, *score))
        ranking = rank(encounters)
        known = known_positions(self.game, self.positions, self.seed) if self.positions else []
        found = []
        for done, (name, agent) in enumerate(players.items(), len(meetings)):
            report(done, total, name)
            played = sum(sum(each[2:]) for each in encounters if name in each[:2])
            elo = ranking.lead(name, self.anchors[0].spec)
            regret = regret_of(agent, known, self.limit) if known else None
            found.append(AgentStrength(name, played, elo, regret))
        report(total, total, "")
        return sorted(found, key=lambda each: -each.elo.value)

    def _meetings(self, players: Sequence[Agent]) -> Iterator[tuple[Agent, Agent]]:
        """Everybody meets every anchor once, and anchors meet each other."""
        for place, agent in enumerate(players):
            for anchor in self.anchors[:place]:  # the first players are the anchors
                yield agent, anchor


Known: TypeAlias = tuple[Position, float]
"""A position, and the final margin of the seat to move that is proven for it."""


def known_positions(game: Game, count: int, seed: int) -> list[Known]:
    """Positions of random games whose value the solver proves, and where a choice matters."""
    rng, found = random.Random(f"{game.spec} {seed}"), list[Known]()
    for attempt in range(TRIES * count):
        course = [game.deal(unit_seed(seed, attempt)).start()]
        while moves := course[-1].moves():
            course.append(course[-1].child(rng.choice(list(moves))))
        position = rng.choice(course[:-1])
        value = true_value(position, position.turn)
        if value is None or len(position.moves()) == 1:
            continue
        found.append((position, value))
        if len(found) == count:
            break
    return found


def true_value(position: Position, seat: int) -> float | None:
    """The final margin of *seat* with best play; None where it is not proven in time."""
    if position.is_over:
        return margin(position, seat)
    solver = position.game.solver() if position.game.has_solver else None
    analysis = solver.analyse(position, PROOF) if solver else None
    if analysis is None or not analysis.exact:
        return None
    return analysis.proved.low if position.turn == seat else -analysis.proved.low


def regret_of(agent: Agent, known: Sequence[Known], limit: Limit) -> Regret | None:
    """How far the agent's moves stay below what is proven; None where no move could be judged."""
    lost = []
    for position, value in known:
        child = position.child(agent.analyse(position, limit).move)
        after = true_value(child, position.turn)
        if after is not None:
            lost.append(value - after)
    if not lost:
        return None
    return Regret(len(lost), sum(each == 0 for each in lost), sum(lost) / len(lost))
