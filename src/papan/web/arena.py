"""Routes of the arena: tournaments to start, watch, pause and download."""

import asyncio
import json
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Annotated, Any, Literal, get_args

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from papan import catalog
from papan.core import Agent, Game, InvalidSpecError, Limit, PapanError, View
from papan.core.files import open_regular
from papan.core.message import Message
from papan.core.parts import Drawing
from papan.core.record import End, moves_of, replayed
from papan.lab.files import whole_lines
from papan.lab.machine import cores
from papan.lab.match import MatchGame
from papan.lab.results import table_markdown
from papan.lab.statistics.elo import Sprt
from papan.lab.tournament.folder import (
    EffortFacts,
    TournamentFolder,
    TournamentWatch,
    create,
    reopen,
)
from papan.lab.tournament.plan import Stopping, TournamentPlan, command
from papan.lab.tournament.report import (
    TournamentResult,
    tournament_csv,
    tournament_facts,
    tournament_table,
)
from papan.web.bot_folder import checked_name, own_name
from papan.web.catalogue import allowed_agent
from papan.web.job_process import confined_bot, keep_bots
from papan.web.jobs import BackgroundJob, JobQueue, JobState
from papan.web.settings import ServerSettings
from papan.web.wire import (
    Facts,
    Language,
    Refused,
    SeedNumber,
    SpecText,
    Strict,
    download,
    file_answers,
)
from papan.web.workshop import Workshop

EloBound = Annotated[float, Field(ge=-1000, le=1000)]
ErrorRisk = Annotated[float, Field(gt=0, lt=0.5)]


class SprtOrder(Strict):
    """Order of a sequential probability ratio test between two agents, by Elo of the first above
    the second.
    """

    elo0: EloBound = 0
    """Normalised Elo of the first agent above the second, under the hypothesis H0."""
    elo1: EloBound = 10
    """Normalised Elo of the first agent above the second, under the hypothesis H1; above *elo0*."""
    alpha: ErrorRisk = 0.05
    """Probability to accept H1 although H0 is true."""
    beta: ErrorRisk = 0.05
    """Probability to accept H0 although H1 is true."""


class TournamentOrder(Strict):
    """Order of a tournament; at most one of *seconds*, *nodes* and *depth* limits each move of
    every agent.
    """

    game: SpecText
    """The spec of the game."""
    agents: Annotated[list[SpecText], Field(min_length=2, max_length=12)]
    """Their specs, such as ``mcts:seed=3``, or ``bot:mybot.py`` for a bot of the owner."""
    seconds: Annotated[float, Field(gt=0, le=60)] | None = None
    """Seconds by the clock for a move; null: no such limit."""
    nodes: Annotated[int, Field(ge=1, le=10**9)] | None = None
    """Nodes for a move; null: `DEFAULT_NODES` if no other limit is given."""
    depth: Annotated[int, Field(ge=1, le=100)] | None = None
    """Depth of each search in plies; null: no such limit."""
    pairs: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Pairs of games, with seats swapped, of any two agents that meet; in a game for one, games of
    each agent.
    """
    opening: Annotated[int, Field(ge=0, le=40)] = 2
    """Random plies before the agents take over."""
    seed: SeedNumber = 0
    """The number that openings and the agents' seeds are drawn from."""
    gauntlet: bool = False
    """True if the first agent meets all others, and they do not meet each other."""
    sprt: SprtOrder | None = None
    """A test that ends the tournament, of two agents; null: none."""
    error: Annotated[float, Field(gt=0, le=1000)] | None = None
    """Stop when the 95 % interval of every agent's Elo is at most plus or minus this; null: play
    all games.
    """
    concurrency: Annotated[int, Field(ge=1, le=64)] | None = None
    """Games at the same time, at most, and no more than there are cores; null: one less than there
    are cores, at least one.
    """
    title: Annotated[str, Field(max_length=80)] = ""
    """A title for people."""


class TournamentFacts(Facts):
    """A tournament in the list: its job, its agents, and the numbers of games finished and
    planned.
    """

    id: str
    """The id of its job, part of its address."""
    state: JobState
    """``waiting``, ``running``, ``paused``, ``done`` or ``failed``."""
    why: Message | None
    """Why it failed; null if it has not."""
    made: str
    """Time at which it was ordered: ISO 8601 in UTC."""
    title: str
    """A title for people; empty for none."""
    game: str
    """The spec of the game."""
    agents: list[str]
    """Names of the agents: their specs, numbered if one occurs twice."""
    games: int
    """Number of games that are over."""
    planned: int
    """Number of games in all; fewer are played if a test or *error* ends it."""
    yours: bool
    """True if the client may pause and delete it: only the owner may."""


class PlayedGame(Facts):
    """A finished game of a tournament: who played it, its moves and its result."""

    number: int
    """Its number in the tournament, from 0."""
    agents: list[str]
    """Names of the agents by seat."""
    start: str
    """The position, as text, at which the agents took over."""
    moves: str
    """Names of the moves from *start* on, separated by spaces."""
    end: End
    """How it ended, such as ``win``, ``draw`` or ``timeout``."""
    winner: int | None
    """The seat (0 or 1) that won; null for a draw, or in a game for one that was not cleared."""
    scores: list[float]
    """Final points of each seat."""


class LastGame(PlayedGame):
    """A finished game, and in addition the picture of its last position."""

    svg: str
    """The last position as an SVG document; empty if it cannot be replayed."""


class GameList(BaseModel):
    """One page: at most `PAGE_GAMES` games of a tournament."""

    total: int
    """Number of games on all pages together."""
    games: list[PlayedGame]
    """The games of this page, by number."""


class TournamentReport(TournamentFacts):
    """All results of a tournament, in addition to its entry in the list."""

    seen: int
    """Number of games in these results; while it runs there may be a few more."""
    order: dict[str, Any]
    """The plan as JSON data, by field: agents, game, limits, seed and all else that determines the
    games.
    """
    contest: TournamentResult
    """Standings, encounters of any two agents, and tests."""
    efforts: list[EffortFacts]
    """For each agent, nodes and milliseconds of a move."""
    pace: float | None
    """Finished games a second; null if it is unknown."""
    last: list[LastGame]
    """The last `LAST_GAMES` games, the newest first."""
    command: str
    """The command that plays the same tournament in a terminal."""


MOST_FOLLOWED = 6
"""Number of tournaments in memory; the least recently used is dropped first."""
REPORT_SECONDS = 1.0
"""Seconds between two computations of a report, at least."""
REPORT_SHARE = 0.1
"""Share of the time that computing a report may take, at most."""
LAST_GAMES = 4
PAGE_GAMES = 50
"""Games on one page of the list."""


@lru_cache(1_000)
def plan_in(folder: Path) -> TournamentFolder:
    """Return the tournament in *folder*, cached, as its plan never changes.

    Raise PapanError if there is none or it is damaged; that is not cached.
    """
    return reopen(folder)


@lru_cache(1_000)
def _lines(journal: Path, size: int) -> int:
    """Return the number of whole lines of *journal*; 0 if *size*, its length in bytes, is 0.

    The result is cached by path and *size*, so a longer file is counted again. Raise PapanError or
    OSError if it cannot be read.
    """
    if not size:
        return 0
    with open_regular(journal) as file:
        return sum(1 for _ in whole_lines(file))


class FollowedTournament:
    """Results of the tournament in *folder*, updated from its journal while it is played.

    `report` and `games` are safe for threads; hold `lock` to use `watch`. Raises PapanError if
    *folder* has no tournament or it is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.watch = TournamentWatch(plan_in(folder))
        self.plan = self.watch.folder.plan
        self.lock = Lock()
        self._report: TournamentReport | None = None
        self._due = 0.0

    def report(self, facts: TournamentFacts) -> TournamentReport:
        """Return all results so far; while it runs they may be some seconds old.

        *facts* is its entry in the list, as it is now: the report repeats it. While it runs,
        results are computed again after `REPORT_SECONDS` at the earliest, in at most `REPORT_SHARE`
        of the time. Lists in the report are shared with later ones and must not be changed. Raise
        PapanError or OSError if a file of the tournament cannot be read.
        """
        with self.lock:
            self.watch.look()
            stale = self._report is None or len(self.watch.latest) != self._report.seen
            if stale and (facts.state != "running" or monotonic() >= self._due):
                began = monotonic()
                self._report = self._compute_report(facts)
                self._due = monotonic() + max(REPORT_SECONDS, (monotonic() - began) / REPORT_SHARE)
            assert self._report is not None
            return self._report.model_copy(update=dict(facts))

    def _compute_report(self, facts: TournamentFacts) -> TournamentReport:
        """Return the results of all games read so far; *facts* is the tournament's entry in the
        list.
        """
        watch, plan = self.watch, self.plan
        latest = watch.latest[-LAST_GAMES:][::-1]
        return TournamentReport.of(
            facts,
            seen=len(watch.latest),
            order=plan.json(),
            contest=tournament_facts(watch.state),
            efforts=watch.efforts.facts(),
            pace=watch.efforts.pace,
            last=[self._last(number) for number in latest],
            command=command(plan),
        )

    def _last(self, number: int) -> LastGame:
        game = self.watch.state.games[number]
        return LastGame.of(played_game(self.plan, number, game), svg=_picture(game))

    def games(self, chosen: Collection[str], after: int) -> GameList:
        """Return one page of the games that *chosen* selects, by number: those after the first
        *after*.

        *chosen* are names of agents: empty for all games, one for all games of that agent, several
        for the games in which nobody else plays. The page has at most `PAGE_GAMES` games, none
        beyond the last; its total counts all. Raise PapanError or OSError if a file of the
        tournament cannot be read.
        """
        with self.lock:
            self.watch.look()
            plan, games = self.plan, self.watch.state.games
            wanted = [
                number
                for number in sorted(games)
                if is_chosen([plan.names[agent] for agent in games[number].seating], chosen)
            ]
            page = wanted[after : after + PAGE_GAMES]
            return GameList(
                total=len(wanted),
                games=[played_game(plan, number, games[number]) for number in page],
            )


def is_chosen(players: Collection[str], chosen: Collection[str]) -> bool:
    """Return whether a game of *players* (names) is listed where *chosen* (names) are asked for.

    True for every game if *chosen* is empty; for a single name if that agent plays; for several
    names if no other agent plays.
    """
    if len(chosen) > 1:
        return all(name in chosen for name in players)
    return all(name in players for name in chosen)


@lru_cache(MOST_FOLLOWED)
def followed(folder: Path) -> FollowedTournament:
    """Return the results of the tournament in *folder*, as a cached object that all callers and
    threads share.

    It is live: `report` and `games` read what was added to the journal. It is the same object while
    *folder* is among the last `MOST_FOLLOWED` asked for; hold its `lock` to use its `watch`. Raise
    PapanError if there is no tournament or it is damaged.
    """
    return FollowedTournament(folder)


def played_game(plan: TournamentPlan, number: int, game: MatchGame) -> PlayedGame:
    """Return the finished *game*, number *number* (from 0) of *plan*, with the names of its agents
    by seat.
    """
    agents = [plan.names[agent] for agent in game.seating]
    return PlayedGame.of(game.record, number=number, agents=agents)


def _picture(game: MatchGame) -> str:
    """Return the last position of *game* as an SVG document, with the last move marked.

    Empty if the moves cannot be replayed, or the game of its record is unknown here.
    """
    try:
        positions = replayed(game.record, catalog.game(game.record.game))
    except PapanError:  # the rules have changed
        return ""
    moves = moves_of(game.record, positions)
    return Drawing.of(positions[-1]).svg(View(played=tuple(zip(positions, moves))))


DEFAULT_NODES = 10_000
DEPTH_NODES = 10**9
"""Node limit of searches that are limited by depth."""
MOST_ARENA_GAMES = 20_000
"""Games of a tournament of the arena at most; tournaments of the terminal are not limited."""


def plan_of(order: TournamentOrder, most_memory: int) -> TournamentPlan:
    """Return the plan of the tournament that *order* describes; bots of the owner play in the
    sandbox.

    Whether these bots are stored is not checked. Raise PapanError if a game, an agent or the name
    of a bot is invalid, an agent cannot play the game or needs over *most_memory* megabytes or more
    threads than there are cores, *order* has a depth that an agent cannot be given, a move has more
    than one limit, a test has bounds that contradict each other or not two agents, or there are
    more games than `MOST_ARENA_GAMES`.
    """
    rules = catalog.game(order.game)
    agents = [_agent_text(spec, rules, order.depth, most_memory) for spec in order.agents]
    sprt = Sprt(**order.sprt.model_dump()) if order.sprt else None
    plan = TournamentPlan(
        rules.spec,
        tuple(agents),
        rules.seats,
        order.pairs,
        order.seed,
        order.opening,
        order.gauntlet,
        _limit(order),
        stopping=Stopping(sprt, order.error),
    )
    if plan.games > MOST_ARENA_GAMES:
        raise InvalidSpecError("tournament.too_many", games=plan.games, most=MOST_ARENA_GAMES)
    return plan


def _agent_text(spec: str, rules: Game, depth: int | None, most_memory: int) -> str:
    """Return the spec that a plan gets for the agent *spec*; of a bot of the owner, one for the
    sandbox.

    *depth* is set as the depth of its searches in plies; None: it keeps its own. Raise PapanError
    if the agent cannot play *rules*, needs over *most_memory* megabytes or more threads than there
    are cores, or has no setting *depth* although one is wanted, or if a bot's name is invalid.
    """
    if (name := own_name(spec)) is not None:
        if depth is not None:
            raise InvalidSpecError("arena.no_depth", agent=name)
        return confined_bot(checked_name(name))
    agent = allowed_agent(spec, rules, most_memory)
    return (agent if depth is None else _at_depth(agent, depth)).spec


def _limit(order: TournamentOrder) -> Limit:
    """Return the limit of each move that *order* gives: its seconds or its nodes.

    An order with a depth gets `DEPTH_NODES` nodes, as the depth is set in the agents; one without
    any limit gets `DEFAULT_NODES`. Raise InvalidSpecError if it has more than one of the three.
    """
    chosen = [bound for bound in (order.seconds, order.nodes, order.depth) if bound is not None]
    if len(chosen) > 1:
        raise InvalidSpecError("arena.one_budget")
    if order.seconds is not None:
        return Limit(seconds=order.seconds)
    return Limit(nodes=DEPTH_NODES if order.depth else order.nodes or DEFAULT_NODES)


def _at_depth(agent: Agent, depth: int) -> Agent:
    """Return *agent* with searches of *depth* plies; raise InvalidSpecError if it has no such
    setting, or if its setting allows no such depth.
    """
    if not agent.has_setting("depth"):
        raise InvalidSpecError("arena.no_depth", agent=agent.spec)
    return agent.with_settings(depth=depth)


TournamentFile = Literal["games.jsonl", "table.csv", "table.md", "report.json"]


class Arena:
    """Finds the tournaments among *jobs* and their results, for the routes of the arena.

    *workshop* has the owner, and the folder of the bots that may take part.
    """

    def __init__(self, jobs: JobQueue, workshop: Workshop) -> None:
        self.jobs, self.owner, self.bots = jobs, workshop.owner, workshop.folder

    def job(self, name: str) -> BackgroundJob:
        """Return the tournament's job with the id *name*; raise Refused (404) if there is none."""
        if job := self.jobs.find("tournament", name):
            return job
        raise Refused(404, "web.no_tournament", name=name)

    def facts(self, job: BackgroundJob, yours: bool = True) -> TournamentFacts:
        """Return the entry in the list of the tournament of *job*; *yours*: the client is the
        owner.

        Raise PapanError if its folder is damaged, PapanError or OSError if its journal cannot be
        read. A missing journal has no games.
        """
        made = plan_in(self.jobs.folder(job))
        size = made.journal.lstat().st_size if made.journal.exists() else 0
        return TournamentFacts.of(
            job,
            title=str(job.order.get("title", "")),
            game=made.plan.game,
            agents=made.plan.names,
            games=_lines(made.journal, size),
            planned=made.plan.games,
            yours=yours,
        )

    def followed(self, job: BackgroundJob) -> FollowedTournament:
        """Return the results of the tournament of *job*: the shared object that the function
        `followed` returns.

        Raise PapanError if its folder is damaged.
        """
        return followed(self.jobs.folder(job))


def add_arena(api: FastAPI, settings: ServerSettings, jobs: JobQueue, workshop: Workshop) -> None:
    """Add the routes of tournaments to *api*: anybody may look, only the owner may change
    something.

    Tournaments become jobs of *jobs*; the bots of *workshop* may take part. *settings* limits the
    memory of an agent.
    """
    arena = Arena(jobs, workshop)
    _watching(api, arena)
    _steering(api, arena, settings.most_memory)


def _steering(api: FastAPI, arena: Arena, most_memory: int) -> None:
    """Add the routes that start or change tournaments, for the owner only.

    *most_memory* is what an agent may use, in megabytes.
    """
    common: dict[str, Any] = {"tags": ["arena"], "dependencies": [Depends(arena.owner)]}

    @api.post("/v1/tournaments", status_code=201, **common)
    async def start(order: TournamentOrder) -> TournamentFacts:
        """Start a tournament as a job and return it, with status 201; 403 if the client is not the
        owner.

        An invalid order gets 422, one with a bot that is not stored 404, a full queue, too many
        stored jobs or a full disk 503.
        """
        plan = await asyncio.to_thread(plan_of, order, most_memory)
        names = [name for spec in order.agents if (name := own_name(spec)) is not None]
        sources = await asyncio.to_thread(arena.bots.to_compete, names)
        width = min(order.concurrency or max(1, cores() - 1), cores())
        terms = {"concurrency": width, "title": order.title.strip()}

        def prepare(folder: Path) -> None:
            create(folder, plan)
            keep_bots(folder, sources)

        job = arena.jobs.add("tournament", terms, prepare)
        return arena.facts(job)

    @api.post("/v1/tournaments/{name}/pause", **common)
    async def pause(job: Annotated[BackgroundJob, Depends(arena.job)]) -> TournamentFacts:
        """Pause a tournament until it is continued, and return it; one that has ended stays as it
        is.

        Status 403 if the client is not the owner, 404 if there is no such tournament, 503 if its
        folder cannot be written.
        """
        await arena.jobs.pause(job)
        return arena.facts(job)

    @api.post("/v1/tournaments/{name}/go-on", **common)
    async def go_on(job: Annotated[BackgroundJob, Depends(arena.job)]) -> TournamentFacts:
        """Continue a paused or failed tournament and return it; in any other state it stays as it
        is.

        Status 403 if the client is not the owner, 404 if there is none, 503 if the queue is full or
        its folder cannot be written.
        """
        arena.jobs.resume(job)
        return arena.facts(job)

    @api.delete("/v1/tournaments/{name}", status_code=204, **common)
    async def delete(job: Annotated[BackgroundJob, Depends(arena.job)]) -> None:
        """Delete a tournament and all its games; one that runs is stopped first.

        Status 403 if the client is not the owner, 404 if there is none, 503 if its folder cannot be
        written.
        """
        await arena.jobs.delete(job)


def _watching(api: FastAPI, arena: Arena) -> None:
    """Add the routes that only read: the list of tournaments, results, games and files."""

    @api.get("/v1/tournaments", tags=["arena"])
    def tournaments(request: Request) -> list[TournamentFacts]:
        """Return all tournaments, the newest first; may be empty. Those that cannot be read are
        left out.
        """
        listed, yours = [], arena.owner.asks(request)
        for job in arena.jobs.all("tournament"):
            with suppress(PapanError, OSError, ValueError):
                listed.append(arena.facts(job, yours))
        return listed

    @api.get(
        "/v1/tournaments/{name}",
        tags=["arena"],
        responses={304: {"description": "Nothing has changed."}},
        response_model=TournamentReport,
    )
    def tournament(request: Request, job: Annotated[BackgroundJob, Depends(arena.job)]) -> Response:
        """Return all results of a tournament; 404 if there is none, 422 if its folder is damaged.

        Status 304 without a body if they are those of the request's ETag.
        """
        facts = arena.facts(job, arena.owner.asks(request))
        report = arena.followed(job).report(facts)
        mark = f'"{report.seen}-{report.state}-{report.yours}"'
        headers = {"etag": mark, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers=headers)
        return Response(report.model_dump_json(), 200, headers, "application/json")

    @api.get("/v1/tournaments/{name}/games", tags=["arena"])
    def games(
        job: Annotated[BackgroundJob, Depends(arena.job)],
        one: Annotated[str, Query(max_length=1000)] = "",
        other: Annotated[str, Query(max_length=1000)] = "",
        after: Annotated[int, Query(ge=0, le=MOST_ARENA_GAMES)] = 0,
    ) -> GameList:
        """Return one page of the games, by number: those after the first *after*.

        Listed are the games in which nobody but the agents *one* and *other* (names) plays; all
        games of the one agent if the other is empty; all games if both are. Status 404 if there is
        no such tournament, 422 if its folder is damaged.
        """
        return arena.followed(job).games([name for name in (one, other) if name], after)

    @api.get(
        "/v1/tournaments/{name}/files/{form}",
        tags=["arena"],
        response_class=Response,
        responses=file_answers(*get_args(TournamentFile)),
    )
    def file(
        job: Annotated[BackgroundJob, Depends(arena.job)],
        form: TournamentFile,
        language: Language = "en",
    ) -> Response:
        """Return a file to download: the games as JSON Lines, or the table as CSV, Markdown or
        JSON.

        *language* is that of the texts in Markdown. Status 404 if there is no such tournament, 422
        if its folder is damaged.
        """
        return download(_text(arena.followed(job), form, language), f"papan-{job.id}-{form}")


def _text(followed: FollowedTournament, form: TournamentFile, language: Language) -> str | bytes:
    """Return the content of the file *form*: of the games as bytes, of the tables as text.

    The games are the whole lines of the journal, empty if there is none yet. Only Markdown has
    texts in *language*. Raise PapanError or OSError if a file of the tournament cannot be read.
    """
    with followed.lock:
        followed.watch.look()
        state = followed.watch.state
        if form == "table.csv":
            return tournament_csv(state)
        if form == "table.md":
            return table_markdown(tournament_table(state), language)
        if form == "report.json":
            return json.dumps(asdict(tournament_facts(state)), ensure_ascii=False, indent=2)
        journal = followed.watch.folder.journal
        if not journal.exists():
            return b""
        with open_regular(journal) as file:
            return b"".join(whole_lines(file))
