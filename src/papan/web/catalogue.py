"""The games and agents that a page offers, with their options."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from papan import catalog
from papan.core import InvalidSpecError
from papan.core.agent import Agent
from papan.core.game import Game
from papan.core.session import PERSON
from papan.core.text import first_line
from papan.lab.machine import cores
from papan.web.models import AgentFacts, GameFacts, Setting

KINDS = {int: "integer", float: "number", bool: "switch"}


def games() -> list[GameFacts]:
    """Every game, with the sizes that people ask for."""
    return [
        GameFacts(
            name=name,
            about=first_line(kind),
            spec=kind().spec,
            seats=kind.seats,
            presets=list(kind.presets),
            sample=kind.sample or name,
            options=_settings(kind),
        )
        for name, kind in catalog.GAMES.items()
    ]


def agents(game: Game) -> list[AgentFacts]:
    """Every agent that can play *game*; a person is none."""
    names = catalog.agent_names(game)
    return [
        AgentFacts(
            name=name,
            about=first_line(kind),
            settings=_settings(kind),
            names=[each for each in names if each.partition(":")[0] == name],
        )
        for name, kind in catalog.AGENTS.items()
        if name != PERSON and kind().plays(game)
    ]


def agent_for(spec: str, game: Game, most_memory: int) -> Agent:
    """The agent that *spec* names; raises if it cannot play *game* here."""
    agent = catalog.agent(spec)
    if agent.name == PERSON or not agent.plays(game):
        raise agent.refusal(game)
    for setting, most in (("memory", most_memory), ("threads", cores())):
        value = getattr(agent, setting, 0)
        if value > most:
            values = {"setting": setting, "value": value, "least": 1, "most": most}
            raise InvalidSpecError("error.setting_between", agent=agent.name, **values)
    return agent


def _settings(kind: type[Game] | type[Agent]) -> list[Setting]:
    hints = get_type_hints(kind)
    return [_setting(each, hints[each.name]) for each in fields(kind)]


def _setting(field: Field[Any], hint: Any) -> Setting:
    choices = list(get_args(hint)) if get_origin(hint) is Literal else []
    return Setting(
        name=field.name,
        kind="choice" if choices else KINDS.get(hint, "text"),
        default=field.default,
        choices=choices,
        optional=bool(field.metadata.get("option")),
    )
