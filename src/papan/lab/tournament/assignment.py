"""One game to be played, as text for a process anywhere: nothing else is needed to play it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from math import inf

from papan.core import Limit
from papan.lab.tournament.plan import Plan


@dataclass(frozen=True)
class Assignment:
    """A game of a tournament, or with no agents' luck to try, the probe of one agent."""

    catalog: str
    """The module whose ``game``, ``position``, ``agent`` and ``agent_from_user`` turn text into
    what it names; of the last two only ``agent_from_user`` runs bots."""
    game: str
    agents: tuple[str, ...]
    luck: tuple[int, ...]
    """What each agent's seed is shifted by: twins would mirror each other."""
    seed: int
    opening: int
    seconds: float | None
    nodes: float | None
    deadline: float
    memory: int
    adjudicate: int

    @property
    def limit(self) -> Limit:
        """How much thinking is granted for each move."""
        return Limit(self.seconds or inf, self.nodes or inf)

    def json(self) -> str:
        return json.dumps(asdict(self))


def parse_assignment(text: str) -> Assignment:
    """The assignment that `Assignment.json` wrote."""
    facts = json.loads(text)
    lists = {"agents": tuple(facts["agents"]), "luck": tuple(facts["luck"])}
    return Assignment(**facts | lists)


def assignment(plan: Plan, number: int, catalog: str) -> Assignment:
    """Game *number* of the plan. All games of a round begin with the same opening."""
    turn, place = divmod(number, len(plan.seatings))
    seating = plan.seatings[place]
    seed = plan.seed + turn
    return Assignment(
        catalog=catalog,
        game=plan.game,
        agents=tuple(plan.agents[agent] for agent in seating),
        luck=tuple(len(plan.agents) * seed + agent for agent in seating),
        seed=seed,
        opening=plan.opening,
        seconds=None if plan.limit.seconds == inf else plan.limit.seconds,
        nodes=None if plan.limit.nodes == inf else plan.limit.nodes,
        deadline=plan.guard.deadline,
        memory=plan.guard.memory,
        adjudicate=plan.adjudicate,
    )
