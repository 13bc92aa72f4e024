"""Routes of what pages offer: games and agents with their options, texts, and the guide to bots."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import Field, fields
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import inf
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from fastapi import FastAPI, Query, Request, Response
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
from papan.web.compression import packed_response
from papan.web.offline import OfflineKit
from papan.web.request_work import worker_response
from papan.web.search_queue import SearchQueue
from papan.web.wire import Language, Refused, SpecText
from papan.web.worker_protocol import Task

OFFLINE_SECONDS = 120
"""Processor seconds in which a worker must make the `OfflineKit`."""
SETTING_KINDS = {int: "integer", float: "number", bool: "switch"}


class Setting(BaseModel):
    """An option of a game or an agent, as a menu offers it."""

    name: str
    """Its name in a spec."""
    kind: str
    """``integer``, ``number``, ``switch`` (true or false), ``choice`` or ``text``."""
    default: Any
    """The value that it has if a spec does not name it."""
    choices: list[str]
    """Its values, if it is a choice; else empty."""
    optional: bool
    """True if a spec leaves it out while it has its default."""
    least: float | None = None
    """The smallest number; null where the agent declares none."""
    most: float | None = None
    """The largest number; null where the agent declares none."""


class GameFacts(BaseModel):
    """A game in the menu: its sizes, options and number of seats."""

    name: str
    """Its name in specs, such as ``connect4``."""
    about: str
    """Its description in English, used if the catalogues have no text for it."""
    spec: str
    """The spec of its usual size."""
    seats: int
    """Number of seats, 1 or 2."""
    presets: list[str]
    """Specs of further sizes to offer."""
    sample: str
    """A spec and a few moves that show the game, such as ``tictactoe b2 a1``; only the name: its
    start.
    """
    options: list[Setting]
    """The settings that its spec names, sizes first."""
    featured: bool
    """True for the game that pages offer first."""
    level_option: str
    """The option whose choices are the levels of a puzzle; empty where there are none."""


class AgentFacts(BaseModel):
    """An agent in the menu, with its settings; its text has the key ``agent.NAME``."""

    name: str
    """Its name in specs, such as ``mcts``."""
    about: str
    """Its description in English, used if the catalogues have no text for it."""
    settings: list[Setting]
    """Its options, with the bounds of numbers where it declares them."""
    names: list[str]
    """The specs to offer: its name, or each of its levels."""


def game_list() -> list[GameFacts]:
    """Return every game, with its sizes and options, in the order of the menu."""
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


def agent_list(game: Game) -> list[AgentFacts]:
    """Return every agent that can play *game*, with its settings, in the order of the menu, without
    people.
    """
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


def allowed_agent(spec: str, game: Game, most_memory: int) -> Agent:
    """Return the agent of *spec*, if it may play *game* on this server.

    Raise PapanError if it is unknown, a person, or cannot play *game*; InvalidSpecError if it asks
    for more than *most_memory* megabytes or more threads than there are cores.
    """
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
    """Return the settings of a class of games or agents: its dataclass fields, in their order."""
    hints = get_type_hints(kind)
    return [_setting(each, hints[each.name]) for each in fields(kind)]


def _setting(field: Field[Any], hint: Any) -> Setting:
    """Return the setting that the dataclass *field* of the type *hint* declares, without bounds.

    It is a choice if *hint* is a Literal, else of the kind in `SETTING_KINDS`, or a text.
    """
    choices = list(get_args(hint)) if get_origin(hint) is Literal else []
    return Setting(
        name=field.name,
        kind="choice" if choices else SETTING_KINDS.get(hint, "text"),
        default=field.default,
        choices=choices,
        optional=bool(field.metadata.get("option")),
    )


def _bounded(setting: Setting, kind: type[Agent]) -> Setting:
    """Return *setting* of the agent class *kind* with the least and most that a number may have.

    They are read from the error that the value -1 raises; one that it does not name, or an infinite
    one, stays None. Other settings, and those that allow -1, are returned unchanged.
    """
    if setting.kind not in ("integer", "number"):
        return setting
    try:
        kind(**{setting.name: -1})
    except InvalidSpecError as error:
        bounds = {name: error.values.get(name) for name in ("least", "most")}
        return setting.model_copy(update={k: v for k, v in bounds.items() if v != inf})
    return setting


REFERENCE_CLASSES = ("Position", "Game", "Agent", "Thinking", "Analysis")
"""Classes whose methods are useful in a bot."""


class CommandExample(BaseModel):
    """A shell command, and what it prints."""

    command: str
    """The command as it is typed, without the prompt."""
    output: str
    """Its output, without blanks at the end; may be empty."""


class ReferenceEntry(BaseModel):
    """A public name of the Python API, as the page about bots lists it."""

    name: str
    """Its name, such as ``papan.solve`` or ``Position.moves``."""
    call: str
    """The name with its arguments and their defaults, without types."""
    about: str
    """The first line of its docstring, without marks such as backquotes."""


class BotGuide(BaseModel):
    """The texts of the page about writing bots."""

    template: str
    """A bot in Python to begin with."""
    sessions: list[CommandExample]
    """Examples of commands for bots, with what they print."""
    program: str
    """A complete bot as a shell script, which speaks the line protocol."""
    reference: list[ReferenceEntry]
    """The names of the Python API that are useful in a bot."""


def command_examples(text: str) -> Iterator[CommandExample]:
    """Yield each command of a transcript (a line that begins with ``$``) with the lines printed
    after it.

    What comes before the first command is left out.
    """
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield CommandExample(command=command, output=output.rstrip())


TABLES = {
    "papan.AGENTS": "Every agent that can be used, by name.",
    "papan.GAMES": "Every game that can be used, by name.",
}
"""Descriptions of dictionaries of the API, which have no docstrings of their own."""


def api_reference() -> Iterator[ReferenceEntry]:
    """Yield an entry for each public name of the package, by name in lower case, then for each
    public method and property that one of `REFERENCE_CLASSES` defines itself with a docstring.
    """
    for name in sorted(papan.__all__, key=str.lower):
        yield _entry(f"papan.{name}", getattr(papan, name))
    for kind in REFERENCE_CLASSES:
        for name, member in vars(getattr(papan, kind)).items():
            listed = inspect.isfunction(member) or isinstance(member, property)
            if listed and not name.startswith("_") and first_line(member):
                yield _entry(f"{kind}.{name}", member)


def _entry(name: str, thing: object) -> ReferenceEntry:
    about = TABLES.get(name) or re.sub(r"`+|\*(?=\w)|(?<=\w)\*", "", first_line(thing))
    return ReferenceEntry(name=name, call=name + _arguments(thing), about=about)


def _arguments(thing: object) -> str:
    """Return the arguments of a callable such as ``(seed, limit=None)``, without types.

    Empty for a class, a property, or what cannot be called.
    """
    if isinstance(thing, (property, type)) or not callable(thing):
        return ""
    given = inspect.signature(thing).parameters.values()
    return f"({', '.join(_argument(each) for each in given if each.name != 'self')})"


def _argument(given: inspect.Parameter) -> str:
    if given.kind is given.VAR_KEYWORD:
        return f"**{given.name}"
    return given.name if given.default is given.empty else f"{given.name}={_plain(given.default)}"


def _plain(value: object) -> str:
    """Return a default value as source code; ``…`` if it is no number, text, bool or None."""
    return repr(value) if value is None or isinstance(value, (int, float, str)) else "\u2026"


def _text(name: str) -> str:
    return files("papan").joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")


@cache
def _texts_of(language: str) -> tuple[str, str]:
    """Return all texts of *language* as JSON, and an ETag that changes with them."""
    content = json.dumps(catalogue(language), ensure_ascii=False, separators=(",", ":"))
    return content, f'"{sha256(content.encode()).hexdigest()[:16]}"'


def add_catalogue(api: FastAPI, queue: SearchQueue) -> None:
    """Add the routes of games, agents, texts, ``offline`` and the guide to bots to *api*.

    Workers of *queue* make the answer of ``offline``.
    """
    kits: dict[str, bytes] = {}
    making = asyncio.Lock()

    @api.get("/v1/games", tags=["catalogue"])
    def all_games() -> list[GameFacts]:
        """Return every game with its sizes and options."""
        return game_list()

    @api.get("/v1/agents", tags=["catalogue"])
    def all_agents(game: Annotated[SpecText, Query()]) -> list[AgentFacts]:
        """Return every agent that can play *game* (a spec), without people; 422 if the game is
        invalid.
        """
        return agent_list(catalog.game(game))

    @api.get(
        "/v1/texts/{language}",
        tags=["catalogue"],
        responses={304: {"description": "Nothing has changed."}},
        response_model=dict[str, str],
    )
    def texts(request: Request, language: str) -> Response:
        """Return all texts in one language (en or id), by key such as ``web.lead``.

        Status 404 if the language is unknown, 304 without a body if the texts are those of the
        request's ETag.
        """
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise Refused(404, "error.unknown_language", name=language, known=known)
        content, mark = _texts_of(language)
        headers = {"etag": mark, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers=headers)
        return packed_response(request, content, "application/json", headers)

    @api.get("/v1/offline", tags=["catalogue"], response_model=OfflineKit)
    async def offline(request: Request) -> Response:
        """Return the data with which pages work while the server is gone.

        A worker makes it once a day (UTC); after that it is cached. Status 429 or 503 if no worker
        makes it.
        """
        today = str(datetime.now(UTC).date())
        async with making:
            if today not in kits:
                task = Task("offline", {"day": today}, OFFLINE_SECONDS)
                made = await worker_response(request, queue, task)
                kits.clear()
                kits[today] = bytes(made.body)
        return Response(kits[today], media_type="application/json")

    @api.get("/v1/bots", tags=["bots"])
    def guide(language: Language = "en") -> BotGuide:
        """Return the texts of the page about writing bots, in one language."""
        return BotGuide(
            template=_text(f"bot.{language}"),
            sessions=list(command_examples(_text(f"session.{language}"))),
            program=_text("program"),
            reference=list(api_reference()),
        )
