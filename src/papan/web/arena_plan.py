"""The plan of a tournament that a page asks for."""

from dataclasses import fields, replace
from typing import Any

from papan import catalog
from papan.core import Agent, InvalidSpecError, Limit
from papan.lab.statistics import Sprt
from papan.lab.tournament.plan import Plan, Stopping
from papan.web.arena_models import TournamentOrder
from papan.web.catalogue import agent_for

USUAL_NODES = 10_000
AMPLE_NODES = 10**9
"""What ends a search that is to end by its depth, if nothing else does."""
MOST_GAMES = 20_000
"""How many games a tournament of the arena may have; the terminal knows no such bound."""


def plan_of(order: TournamentOrder, most_memory: int) -> Plan:
    """The plan that is asked for; raises if it makes no sense."""
    rules = catalog.game(order.game)
    agents = [agent_for(spec, rules, most_memory) for spec in order.agents]
    if order.depth is not None:
        agents = [_at_depth(agent, order.depth) for agent in agents]
    sprt = Sprt(**order.sprt.model_dump()) if order.sprt else None
    plan = Plan(
        rules.spec,
        tuple(agent.spec for agent in agents),
        rules.seats,
        order.pairs,
        order.seed,
        order.opening,
        order.gauntlet,
        _limit(order),
        stopping=Stopping(sprt, order.error),
    )
    if plan.games > MOST_GAMES:
        raise InvalidSpecError("tournament.too_many", games=plan.games, most=MOST_GAMES)
    return plan


def _limit(order: TournamentOrder) -> Limit:
    chosen = [bound for bound in (order.seconds, order.nodes, order.depth) if bound is not None]
    if len(chosen) > 1:
        raise InvalidSpecError("arena.one_budget")
    if order.seconds is not None:
        return Limit(seconds=order.seconds)
    return Limit(nodes=AMPLE_NODES if order.depth else order.nodes or USUAL_NODES)


def _at_depth(agent: Agent, depth: int) -> Agent:
    if not any(each.name == "depth" for each in fields(agent)):
        raise InvalidSpecError("arena.no_depth", agent=agent.spec)
    settings: dict[str, Any] = {"depth": depth}
    return replace(agent, **settings)
