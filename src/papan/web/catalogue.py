"""What pages offer: games and agents with their options, all texts, and how to write a bot."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import Field, fields
from importlib.resources import files
from math import inf
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from fastapi import FastAPI, Query
from pydantic import BaseModel

import papan
from papan import catalog
from papan.core import InvalidSpecError
from papan.core.agent import Agent
from papan.core.game import Game
from papan.core.message import LANGUAGES, catalogue, first_line
from papan.core.parts import Card
from papan.core.session import PERSON
from papan.lab.machine import cores
from papan.web.wire import Language, Refused, SpecText

KINDS = {int: "integer", float: "number", bool: "switch"}


class Setting(BaseModel):
    """An option of a game or an agent."""

    name: str
    kind: str
    """integer, number, switch, choice or text."""
    default: Any
    choices: list[str]
    optional: bool
    least: float | None = None
    """What a number of an agent must be at least and at most, where the agent says so."""
    most: float | None = None


class GameFacts(BaseModel):
    """A game to choose."""

    name: str
    about: str
    """What the game says of itself, in English: for those that the catalogue does not know."""
    spec: str
    seats: int
    presets: list[str]
    sample: str
    """A spec and a few moves, which show what the game is about."""
    options: list[Setting]
    featured: bool
    """True for the game that pages offer first."""
    level_option: str
    """The option whose choices are the levels of a puzzle; empty where there are none."""


class AgentFacts(BaseModel):
    """An agent to choose; its text is in the catalogue under ``agent.NAME``."""

    name: str
    about: str
    """What the agent says of itself, for those that the catalogue does not know."""
    settings: list[Setting]
    names: list[str]
    """What to ask for: its name, or each of its levels."""


def games() -> list[GameFacts]:
    """Every game, with the sizes that people ask for."""
    return [
        GameFacts(
            name=name,
            about=first_line(kind),
            spec=kind().spec,
            seats=kind.seats,
            presets=list(Card.of(kind()).presets),
            sample=Card.of(kind()).sample or name,
            options=_settings(kind),
            featured=Card.of(kind()).featured,
            level_option=Card.of(kind()).level_option,
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
            settings=[_bounded(each, kind) for each in _settings(kind)],
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


def _bounded(setting: Setting, kind: type[Agent]) -> Setting:
    """The same with its bounds, which an agent tells whoever asks for what is below any of them."""
    if setting.kind not in ("integer", "number"):
        return setting
    try:
        kind(**{setting.name: -1})
    except InvalidSpecError as error:
        bounds = {name: error.values.get(name) for name in ("least", "most")}
        return setting.model_copy(update={k: v for k, v in bounds.items() if v != inf})
    return setting


CLASSES = ("Position", "Game", "Agent", "Thinking", "Analysis")
"""Whose methods a bot's maker needs."""


class Session(BaseModel):
    """A command, and what it prints."""

    command: str
    output: str


class Entry(BaseModel):
    """Something of the Python API: how it is called, and what it gives."""

    name: str
    call: str
    about: str


class Guide(BaseModel):
    """How to write a bot."""

    template: str
    sessions: list[Session]
    program: str
    """A whole bot in the shell, which speaks the line protocol."""
    reference: list[Entry]


def sessions(text: str) -> Iterator[Session]:
    """The commands in a transcript, each with what it prints."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield Session(command=command, output=output.rstrip())


def reference() -> Iterator[Entry]:
    """The Python API: what papan offers, then what can be asked of positions, games and agents."""
    for name in sorted(papan.__all__, key=str.lower):
        yield _entry(f"papan.{name}", getattr(papan, name))
    for kind in CLASSES:
        for name, member in vars(getattr(papan, kind)).items():
            listed = inspect.isfunction(member) or isinstance(member, property)
            if listed and not name.startswith("_") and first_line(member):
                yield _entry(f"{kind}.{name}", member)


def _entry(name: str, thing: object) -> Entry:
    about = re.sub(r"`+|\*(?=\w)|(?<=\w)\*", "", first_line(thing))
    return Entry(name=name, call=name + _arguments(thing), about=about)


def _arguments(thing: object) -> str:
    """What something is called with, as one writes it: no types."""
    if isinstance(thing, (property, type)) or not callable(thing):
        return ""
    given = inspect.signature(thing).parameters.values()
    return f"({', '.join(_argument(each) for each in given if each.name != 'self')})"


def _argument(given: inspect.Parameter) -> str:
    if given.kind is given.VAR_KEYWORD:
        return f"**{given.name}"
    return given.name if given.default is given.empty else f"{given.name}={_plain(given.default)}"


def _plain(value: object) -> str:
    """A default as one writes it; what has no short text is left out."""
    return repr(value) if value is None or isinstance(value, (int, float, str)) else "\u2026"


def _text(name: str) -> str:
    return files("papan").joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")


def add_catalogue(api: FastAPI) -> None:
    """Add the questions about what there is to choose."""

    @api.get("/v1/games", tags=["catalogue"])
    def all_games() -> list[GameFacts]:
        """Every game with its sizes and options."""
        return games()

    @api.get("/v1/agents", tags=["catalogue"])
    def all_agents(game: Annotated[SpecText, Query()]) -> list[AgentFacts]:
        """Every agent that can play a game."""
        return agents(catalog.game(game))

    @api.get("/v1/texts/{language}", tags=["catalogue"])
    def texts(language: str) -> dict[str, str]:
        """Everything that papan says, in one language."""
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise Refused(404, "error.unknown_language", name=language, known=known)
        return dict(catalogue(language))

    @api.get("/v1/bots", tags=["bots"])
    def guide(language: Language = "en") -> Guide:
        """How to write a bot: texts to read and to copy."""
        return Guide(
            template=_text(f"bot.{language}"),
            sessions=list(sessions(_text(f"session.{language}"))),
            program=_text("program"),
            reference=list(reference()),
        )
