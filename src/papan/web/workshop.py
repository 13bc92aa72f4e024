"""Routes of the workshop: bots that the owner stores, checks, watches and measures.

Everyone may read the templates; only the owner of the server stores and runs bots, and only in the
sandbox. Workers of its own run them: their address space is not limited, as programs in some
languages reserve more of it than searches may.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from papan import catalog
from papan.core import PapanError, Position
from papan.lab.bots import BOT_SUFFIXES, template
from papan.process.sandbox import find_sandbox
from papan.web.bot_folder import (
    LARGEST_BOT,
    BotFolder,
    KeptBot,
    checked_name,
    encoded,
    own_name,
    remove_run,
)
from papan.web.owner import FolderLock, Owner
from papan.web.request_work import EventResponse, RequestWork
from papan.web.search_queue import SearchQueue
from papan.web.settings import ServerSettings
from papan.web.wire import (
    EVENT_ANSWERS,
    ErrorBody,
    Language,
    SeedNumber,
    SpecText,
    Strict,
    error_body,
)
from papan.web.worker_pool import StartWorker, spawn_worker
from papan.web.worker_protocol import Task

RUN_SECONDS = 600.0
"""Seconds after which a run ends with its results so far."""
RESERVED_MEMORY = 1 << 20
"""Megabytes of address space of a worker: programs in some languages reserve a lot of it."""
BOT_WORKERS, WAITING_RUNS = 2, 4
"""Number of runs at the same time, and of those that may wait."""

BotText = Annotated[str, Field(max_length=LARGEST_BOT)]
MoveSeconds = Annotated[float, Field(ge=0.01, le=10)]


class BotSource(Strict):
    """The text of a bot to store."""

    source: BotText
    """The text, of at most `LARGEST_BOT` bytes."""
    over: Annotated[str, Field(max_length=16)] = ""
    """The digest of the version that it replaces; empty if it replaces none."""


class KeptSource(BaseModel):
    """A stored bot with its text."""

    bot: KeptBot
    """Its entry in the list of stored bots."""
    source: str
    """Its text."""


class BotTemplate(BaseModel):
    """A bot to begin with, in one language."""

    suffix: str
    """Suffix of a file in that language, such as ``.py``."""
    source: str
    """The text of the bot."""


class WorkshopFacts(BaseModel):
    """The workshop as a client sees it: templates, rights, and for the owner the stored bots."""

    yours: bool
    """True if the client may store and run bots: only the owner may."""
    problem: ErrorBody | None
    """Why no bot can run, for the owner; null if they can, and for others."""
    templates: list[BotTemplate]
    """A bot to begin with for each language in which bots can be written."""
    bots: list[KeptBot]
    """The stored bots; empty for all but the owner."""
    largest: int
    """Bytes of a bot at most."""


class BotOrder(Strict):
    """Order of a run of a bot."""

    run: Literal["check", "watch", "rate"]
    """What to do: ``check`` it in positions, ``watch`` it in a game, or ``rate`` it in games
    against papan's own agents.
    """
    name: Annotated[str, Field(max_length=60)]
    """The name of its file, whose suffix says its language."""
    source: BotText
    """The text of the bot."""
    game: Annotated[str, Field(max_length=200)] = ""
    """The spec of a game; empty: all that it plays, only for a check."""
    rival: SpecText = "level:2"
    """The spec of the agent against which it is watched."""
    second: bool = False
    """True if the rival has seat 0, which begins; only where the bot is watched."""
    seconds: MoveSeconds = 1
    """Seconds for a move."""
    positions: Annotated[int, Field(ge=5, le=500)] = 100
    """Number of positions of a check."""
    seed: SeedNumber = 0
    """The number that positions, deals and random moves are drawn from."""


class Workshop:
    """The owner's bots: their folder, and the workers that run them, apart from those of the
    server.

    *lock* guards the data folder of *settings*. *start* starts a worker; None: a new process, as
    `spawn_worker` does.
    """

    def __init__(
        self,
        settings: ServerSettings,
        lock: FolderLock,
        owner: Owner,
        start: StartWorker | None = None,
    ) -> None:
        self.settings, self.lock, self.owner = settings, lock, owner
        self.folder = BotFolder(settings, lock)
        limits = replace(
            settings,
            workers=BOT_WORKERS,
            spare=0,
            queue=WAITING_RUNS,
            searches=BOT_WORKERS + WAITING_RUNS,
            at_once=BOT_WORKERS,
            silence=RUN_SECONDS,
            quota=0,
            warm=False,
        )
        self.queue = SearchQueue(limits, start or partial(spawn_worker, RESERVED_MEMORY, False))

    async def start(self) -> None:
        """Accept runs, and delete the files of runs that were killed together with their server.

        These files stay if the lock has found that nothing can be stored in the data folder.
        """
        self.queue.stopping = False
        if self.lock.lacking is None:
            await asyncio.to_thread(self.folder.clear)

    async def close(self) -> None:
        """End all runs, wait for that, and delete their files."""
        await self.queue.stop()
        await self.queue.close()
        await asyncio.to_thread(self.folder.clear)

    def require_owner(self, request: Request, specs: list[str]) -> None:
        """Raise Refused (403) if one of *specs* is a stored bot (``bot:NAME``) and the client is
        not the owner.
        """
        if any(own_name(each) is not None for each in specs):
            self.owner(request)

    def facts(self, yours: bool, language: str) -> WorkshopFacts:
        """Return what the workshop offers to the owner (*yours*) or to others, in *language* (en or
        id).
        """
        problem = None
        try:
            find_sandbox()
        except PapanError as error:
            problem = ErrorBody.model_validate(error_body(error.shown))
        return WorkshopFacts(
            yours=yours,
            problem=problem if yours else None,
            templates=[
                BotTemplate(suffix=each, source=template(each, language)) for each in BOT_SUFFIXES
            ],
            bots=self.folder.all() if yours else [],
            largest=LARGEST_BOT,
        )

    def play_task(self, position: Position, spec: str, seconds: float, nodes: int | None) -> Task:
        """Return the task in which the stored bot *spec* (``bot:NAME``) chooses a move in
        *position*.

        *seconds* (cut to `ServerSettings.most_seconds`) and *nodes* (None: no limit) limit the
        move. The task runs a copy of the bot, which is written first if there is none. Raise
        PapanError if the bot cannot be read or run, or the game is over.
        """
        if position.is_over:
            raise PapanError("error.nothing_to_play", position=str(position))
        seconds = min(seconds, self.settings.most_seconds)
        file = self.folder.to_play(spec)
        arguments = {
            "position": str(position),
            "agent": spec,
            "file": str(file),
            "deadline": seconds,
            "nodes": nodes,
            "all_moves": False,
            "hint": False,
        }
        return Task("think", arguments, seconds, rank="game")

    def run_task(self, order: BotOrder) -> tuple[Task, Path]:
        """Return the task of a run, and the path of the file written for it, which the caller must
        delete with `remove_run`.

        Raise PapanError if the name, the text, the game or the rival is invalid, bots cannot run,
        or the file cannot be written. Without a game only a check is valid; the rival counts only
        for ``watch``. That the bot plays the game is not checked.
        """
        name, data = checked_name(order.name), encoded(order.source)
        if order.game or order.run != "check":
            catalog.game(order.game)
        if order.run == "watch":
            catalog.agent(order.rival)
        file = self.folder.lay_out(name, data)
        asked = order.model_dump(exclude={"name", "source"}) | {"file": str(file)}
        return Task("bot", asked, RUN_SECONDS), file


def add_workshop(api: FastAPI, workshop: Workshop) -> None:
    """Add the routes of *workshop* to *api*: anybody gets templates, the rest is for the owner
    only.
    """
    common: dict[str, Any] = {"tags": ["bots"], "dependencies": [Depends(workshop.owner)]}

    @api.get("/v1/workshop", tags=["bots"])
    def offered(request: Request, language: Language = "en") -> WorkshopFacts:
        """Return the templates and, for the owner, the stored bots and why they cannot run (null if
        they can).
        """
        return workshop.facts(workshop.owner.asks(request), language)

    @api.get("/v1/workshop/agents", tags=["bots"])
    def playing(request: Request, game: Annotated[SpecText, Query()]) -> list[str]:
        """Return the specs of the stored bots that play *game* (a spec); empty for all but the
        owner.

        Status 422 if the game is invalid.
        """
        name = catalog.game(game).name
        return workshop.folder.playing(name) if workshop.owner.asks(request) else []

    @api.get("/v1/workshop/bots/{name}", **common)
    def kept(name: str) -> KeptSource:
        """Return a stored bot with its text; 403 if the client is not the owner, 404 if there is
        none.

        Status 422 if the name or the text cannot be a bot's.
        """
        return KeptSource(source=workshop.folder.read(name), bot=workshop.folder.facts(name))

    @api.put("/v1/workshop/bots/{name}", **common)
    def keep(name: str, bot: BotSource) -> KeptBot:
        """Store a bot and return it.

        Status 403 if the client is not the owner, 409 if another version is stored by now, 413 or
        422 if the text or the name cannot be a bot's, 503 if there are too many or the disk cannot
        be written.
        """
        return workshop.folder.write(name, bot.source, bot.over)

    @api.delete("/v1/workshop/bots/{name}", status_code=204, **common)
    def delete(name: str) -> None:
        """Delete a stored bot.

        Status 403 if the client is not the owner, 404 if there is no such file or it is a link, 422
        if the name cannot be a bot's, 503 if the disk cannot be written.
        """
        workshop.folder.delete(name)

    @api.post("/v1/workshop/runs", responses=EVENT_ANSWERS, response_class=Response, **common)
    async def run(request: Request, order: BotOrder) -> EventResponse:
        """Run a bot and stream its events, the result last; a disconnect ends the run.

        Status 403 if the client is not the owner, 413 or 422 if the order is invalid, 429 or 503 if
        it is not admitted.
        """
        work = RequestWork(request, workshop.queue)
        task, file = await work.in_thread(workshop.run_task, order)
        try:
            search = workshop.queue.admit(task, work.client)
        except BaseException:
            await asyncio.to_thread(remove_run, file)
            raise

        async def close() -> None:
            with suppress(PapanError):
                await search.close()
            await asyncio.to_thread(remove_run, file)

        return EventResponse(search.lines(), close)
