"""Plan of a tournament: each game is determined by the plan and its number alone."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import combinations
from math import inf
from typing import Any

from papan.core import UNLIMITED, InvalidRecordError, InvalidSpecError, Limit
from papan.core.analysis import finite
from papan.lab.match import unit_seed
from papan.lab.statistics.elo import Sprt

FORMAT = 1
"""Version of the form in which plans are written."""
MOST_GAMES = 10**9
MOST_AGENTS = 1_000
HOUSE = "random"
"""Agent that replaces one of two bots to find out which of them kills processes."""
LEAST_MEMORY, MOST_MEMORY = 64, 10**9
KINDS = {"int": int, "str": str, "bool": bool}
"""Types of the fields of a plan, by their annotations."""


@dataclass(frozen=True)
class BotGuard:
    """Limits that keep a bot from stopping a tournament; raises InvalidSpecError if out of range.

    *memory* is from `LEAST_MEMORY` to `MOST_MEMORY`, *deadline* above 0 and finite.
    """

    deadline: float = 60.0
    """Seconds after which a move is overdue, whatever its limit."""
    memory: int = 2048
    """Megabytes for each agent."""

    def __post_init__(self) -> None:
        if not (0 < self.deadline < inf and LEAST_MEMORY <= self.memory <= MOST_MEMORY):
            bounds = {"least": LEAST_MEMORY, "most": MOST_MEMORY}
            raise InvalidSpecError(
                "tournament.bad_guard", deadline=self.deadline, memory=self.memory, **bounds
            )


@dataclass(frozen=True)
class Stopping:
    """Rules that end a tournament before all of its games are played.

    Raises InvalidSpecError for an error that is not above 0.
    """

    sprt: Sprt | None = None
    """The tournament, of two agents, ends when this test accepts a hypothesis; None: no rule."""
    error: float | None = None
    """It ends when every rating's error (`Standings.error`) is at most this; None: no rule."""

    def __post_init__(self) -> None:
        if self.error is not None and not self.error > 0:
            raise InvalidSpecError("tournament.bad_error", error=self.error)

    @property
    def early(self) -> bool:
        """True if the tournament can end before all games are played."""
        return self.sprt is not None or self.error is not None


@dataclass(frozen=True)
class TournamentPlan:
    """Everything that decides which games are played and how they end.

    Raises InvalidSpecError unless there are from 2 to `MOST_AGENTS` agents (2 with a sequential
    test), *pairs* is at least 1, *opening* and *adjudicate* are not negative, *adjudicate* is 0 in
    games of one seat, and there are at most `MOST_GAMES` games. Specs are not checked.
    """

    game: str
    """The spec of the game."""
    agents: tuple[str, ...]
    """The specs of the agents, at least two."""
    seats: int = 2
    """The number of seats of the game, 1 or 2."""
    pairs: int = 10
    """Number of rounds; in each, any two agents that meet play two games, with seats swapped; in
    games of one seat, each agent plays the round's board once.
    """
    seed: int = 0
    """Decides the openings and the seeds of the agents."""
    opening: int = 2
    """Random plies before the agents take over; none in games of one seat."""
    gauntlet: bool = False
    """True if the first agent meets all others, and they do not meet each other."""
    limit: Limit = UNLIMITED
    """Limit of each move."""
    adjudicate: int = 0
    """Nodes that the exact solver may search for a move. It is asked before each move: as soon as
    it proves the best moves up to the end, it plays them for both seats. 0: it is not asked.
    """
    guard: BotGuard = field(default_factory=BotGuard)
    """Limits of time and memory that hold for every agent."""
    stopping: Stopping = field(default_factory=Stopping)
    """Rules that end it early."""

    def __post_init__(self) -> None:
        if self.pairs < 1 or self.opening < 0:
            raise InvalidSpecError("match.bad_numbers", pairs=self.pairs, opening=self.opening)
        if len(self.agents) > MOST_AGENTS:
            raise InvalidSpecError(
                "tournament.too_many_agents", count=len(self.agents), most=MOST_AGENTS
            )
        if len(self.agents) < 2:
            raise InvalidSpecError("tournament.too_few", count=len(self.agents))
        if self.stopping.sprt and len(self.agents) != 2:
            raise InvalidSpecError("tournament.sprt_agents", count=len(self.agents))
        if self.adjudicate < 0 or (self.adjudicate and self.seats == 1):
            raise InvalidSpecError("tournament.bad_adjudicate", nodes=self.adjudicate)
        if self.games > MOST_GAMES:
            raise InvalidSpecError("tournament.too_many", games=self.games, most=MOST_GAMES)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the agents: their specs; the second equal one is ``SPEC #2``, and so on."""
        seen = Counter[str]()
        names = []
        for agent in self.agents:
            seen[agent] += 1
            names.append(agent if seen[agent] == 1 else f"{agent} #{seen[agent]}")
        return tuple(names)

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairs of agents that meet, as indexes into *agents*, the smaller one first.

        They are in ascending order. The list is cached, and must not be changed.
        """
        places = range(len(self.agents))
        return [(0, other) for other in places[1:]] if self.gauntlet else [*combinations(places, 2)]

    @cached_property
    def seatings(self) -> list[tuple[int, ...]]:
        """For each game of a round, in order, the agent (as an index) on each seat.

        Of two agents it is ``[(0, 1), (1, 0)]``, in games of one seat ``[(0,), (1,)]``. The list is
        cached, and must not be changed.
        """
        if self.seats == 1:
            return [(place,) for place in range(len(self.agents))]
        return [seating for a, b in self.pairings for seating in ((a, b), (b, a))]

    def seating(self, number: int) -> tuple[int, ...]:
        """Return the agents (indexes) on the seats of game *number*, counted from 0."""
        return self.seatings[number % len(self.seatings)]

    @property
    def games(self) -> int:
        """Number of games if no rule ends the tournament early."""
        return self.pairs * len(self.seatings)

    def json(self) -> dict[str, Any]:
        """Return the plan as JSON data, which `parse_plan` reads: its fields by name, and
        ``format``.
        """
        return {"format": FORMAT, **asdict(self), "limit": self.limit.json()}

    @cached_property
    def text(self) -> str:
        """The plan as one line of JSON, equal for equal plans."""
        return json.dumps(self.json(), sort_keys=True)

    @cached_property
    def sealed_text(self) -> str:
        """The text of the plan that seals cover; if its form changed, they would be void.

        It is `text` in the form of papan's first version, in which a bound of the limit that is not
        set is null instead of left out.
        """
        bounds = {key: finite(bound) for key, bound in asdict(self.limit).items()}
        return json.dumps({**self.json(), "limit": bounds}, sort_keys=True)


def parse_plan(facts: Any) -> TournamentPlan:
    """Return the plan in *facts*, JSON data that `TournamentPlan.json` wrote.

    Line ends in the specs of agents become blanks. Raise InvalidRecordError if it is damaged or of
    another format, InvalidSpecError or another PapanError for values out of range.
    """
    try:
        if facts["format"] != FORMAT:
            raise InvalidRecordError("tournament.newer", format=str(facts["format"]))
        plain = {each.name: facts[each.name] for each in fields(TournamentPlan)}
        _check_kinds(plain)
        stopping = facts["stopping"]
        sprt = Sprt(**stopping["sprt"]) if stopping["sprt"] else None
        plain |= {
            "agents": tuple(" ".join(agent.splitlines()) for agent in facts["agents"]),
            "limit": Limit.from_json(facts["limit"]),
            "guard": BotGuard(**facts["guard"]),
            "stopping": Stopping(sprt, stopping["error"]),
        }
        return TournamentPlan(**plain)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidRecordError("tournament.bad_plan", why=f"{error!r}"[:100]) from None


def _check_kinds(plain: dict[str, Any]) -> None:
    """Raise TypeError, which names the fields, if a field of a plan has the wrong type.

    Only the fields whose types are in `KINDS` are checked, and that the agents are several texts,
    not one. *plain* has the values of all fields, by name, as JSON has them.
    """
    kinds = {each.name: KINDS.get(str(each.type), object) for each in fields(TournamentPlan)}
    wrong = [name for name, kind in kinds.items() if not isinstance(plain[name], kind)]
    agents = plain["agents"]
    if wrong or isinstance(agents, str) or not all(isinstance(each, str) for each in agents):
        raise TypeError(", ".join(wrong) or "agents")


@dataclass(frozen=True)
class AgentOrder:
    """Order to run an agent in a process, with its seeds and its limit of memory in megabytes."""

    catalog: str
    """The name of the module that turns text into agents and games, such as ``papan``."""
    game: str
    """The spec of the game."""
    agent: str
    """The spec of the agent."""
    agent_seed: int = 0
    """Number that is added to the agent's own seed."""
    seed: int = 0
    """Seed of Python's random numbers in the process, for bots that do not seed their own."""
    memory: int = 2048
    """Megabytes for the process."""
    depth: int | None = None
    """Search depth in plies; None: that of its spec."""


@dataclass(frozen=True)
class Assignment:
    """A game of a tournament to play: the plan and its number determine it."""

    plan: TournamentPlan
    number: int
    """The number of the game, from 0."""
    catalog: str
    """The module whose ``game``, ``position``, ``agent`` and ``agent_from_user`` turn text into
    objects; only ``agent_from_user`` runs bots, which ``is_foreign`` recognises by their specs."""

    @property
    def seed(self) -> int:
        """Seed of the opening, the same for all games of a round."""
        return unit_seed(self.plan.seed, self.number // len(self.plan.seatings))

    def orders(self) -> list[AgentOrder]:
        """Return the order for the agent of each seat.

        Each has another seed: agents with equal ones would mirror each other's moves.
        """
        plan, seed = self.plan, self.seed
        first_agent_seed, memory = len(plan.agents) * seed, plan.guard.memory
        return [
            AgentOrder(
                self.catalog, plan.game, plan.agents[place], first_agent_seed + place, seed, memory
            )
            for place in plan.seating(self.number)
        ]

    def foreign_seats(self) -> list[int]:
        """Return the seats (0, 1) of agents that are not papan's own, in ascending order.

        Their code is a file, a program or a plug-in, as the catalog's ``is_foreign`` finds out.
        """
        is_foreign = import_module(self.catalog).is_foreign
        agents = [self.plan.agents[place] for place in self.plan.seating(self.number)]
        return [seat for seat, agent in enumerate(agents) if is_foreign(agent)]

    def with_house(self, seat: int) -> Assignment:
        """Return the same game with papan's random player on *seat*, 0 or 1, instead of its
        agent.
        """
        agents = list(self.plan.agents)
        agents[self.plan.seating(self.number)[seat]] = HOUSE
        return replace(self, plan=replace(self.plan, agents=tuple(agents)))

    @property
    def text(self) -> str:
        """The assignment as one line of JSON, for another process."""
        return json.dumps(vars(self) | {"plan": self.plan.text})


def parse_assignment(text: str) -> Assignment:
    """Return the assignment that `Assignment.text` wrote.

    Raise KeyError, TypeError or ValueError (PapanError is one) if it is damaged.
    """
    facts = json.loads(text)
    return Assignment(**facts | {"plan": _plan(facts["plan"])})


@lru_cache(maxsize=8)
def _plan(text: str) -> TournamentPlan:
    """Return the plan in *text*, JSON, from a cache: all games of a tournament share the object.

    Raise ValueError if it is no JSON, and as `parse_plan` does.
    """
    return parse_plan(json.loads(text))


def command(plan: TournamentPlan) -> str:
    """Return the command line, quoted for a shell, that plays the same tournament in the folder
    ``cup``.

    It has the agents and all options that decide the games; the store is not among them.
    """
    return shlex.join(["papan", "tournament", "run", "cup", *plan.agents, *_options(plan)])


def _options(plan: TournamentPlan) -> list[str]:
    """Return the words of the options that decide the games, for a command line, unquoted.

    Some options are left out if they have their defaults.
    """
    options = ["--game", plan.game, "--pairs", str(plan.pairs), "--seed", str(plan.seed)]
    options += ["--opening", str(plan.opening)]
    for name, bound in (("nodes", plan.limit.nodes), ("seconds", plan.limit.seconds)):
        options += [f"--{name}", f"{bound:.15g}"] if bound != inf else []
    options += ["--seconds", "inf"] if plan.limit == UNLIMITED else []  # not the usual limit
    options += ["--gauntlet"] if plan.gauntlet else []
    options += ["--adjudicate", str(plan.adjudicate)] if plan.adjudicate else []
    usual = BotGuard()
    if plan.guard.deadline != usual.deadline:
        options += ["--deadline", f"{plan.guard.deadline:.15g}"]
    if plan.guard.memory != usual.memory:
        options += ["--memory", str(plan.guard.memory)]
    if sprt := plan.stopping.sprt:
        errors = f"alpha={sprt.alpha:.15g},beta={sprt.beta:.15g}"
        test = f"elo0={sprt.elo0:.15g},elo1={sprt.elo1:.15g},{errors},model={sprt.model}"
        options += ["--sprt", test]
    if plan.stopping.error is not None:
        options += ["--until-error", f"{plan.stopping.error:.15g}"]
    return options
