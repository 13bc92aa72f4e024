"""Run tournaments: games in processes here or on a cluster, each recorded as soon as it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, fields, replace
from functools import cache, partial
from importlib import import_module
from logging import CRITICAL, getLogger
from pathlib import Path
from threading import Condition, Lock
from typing import Any, NamedTuple

from papan.core import CannotPlayError, Game, InvalidSpecError, PapanError, Record
from papan.core.extras import extra_libraries
from papan.core.files import open_regular
from papan.core.interrupts import Interrupted
from papan.core.progress import OnProgress, ignore_progress
from papan.core.session import PERSON
from papan.lab.files import append_line, naming, remove_cut_line, writing
from papan.lab.match import MOST_AT_A_TIME, MatchGame, opening
from papan.lab.referee import KILLS, Forfeit, was_killed
from papan.lab.tournament.check import GameCheck
from papan.lab.tournament.folder import (
    PLAN_FILE,
    Journal,
    TournamentFolder,
    create,
    effort_line,
    reopen,
)
from papan.lab.tournament.plan import AgentOrder, Assignment, TournamentPlan, parse_assignment
from papan.lab.tournament.standings import TournamentState
from papan.lab.work import Executor
from papan.process.host import MARK, end_marked, new_mark, require_fork
from papan.process.lines import CRASHED, LineProcess, ProcessEndedError, ProcessPool, WireMessage

AHEAD = 2
"""Number of games that each worker of a cluster is given at a time, so that it never waits."""

CONNECT_SECONDS = 10
ATTEMPTS = 5
"""Attempts at a game between papan's own agents whose referee is killed: the system may be out of
memory.
"""
REFEREE = "papan.lab.tournament.referee_process"
STEADY = {
    "PYTHONHASHSEED": "0",  # the order of sets is the same in every process
    "OMP_NUM_THREADS": "1",  # agents have equal time only if none takes all cores
}


class LostError(PapanError):
    """Raised if the referee processes or the cluster are gone; finished games are recorded."""


class Outcome(NamedTuple):
    """Result of an attempt to play a game, or to probe an agent."""

    facts: Any
    """The answer as JSON data, a record or facts of an agent; None if the process that had to give
    it was killed.
    """
    turn: int = 0
    """The seat (0 or 1) that was to move last."""
    killed: bool = False
    """True if that process, or the process of an agent, was killed from outside."""

    @property
    def seat(self) -> int:
        """The seat (0 or 1) whose process was killed; the seat to move if the referee was killed.

        Only for an attempt that was `killed`.
        """
        return self.turn if self.facts is None else int(self.facts["blame"]) - 1


class Floor:
    """Lets games be played at the same time, or one alone while all others wait."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._playing, self._alone = 0, False

    @contextmanager
    def taken(self, alone: bool) -> Iterator[None]:
        """Hold a place within the context, for the game that is played in it.

        If *alone*, first wait until all other games are over. While a call waits for that, and
        while its game is played, all further calls wait.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._alone = alone
            self._playing += 1
            self._changed.wait_for(lambda: not alone or self._playing == 1)
        try:
            yield
        finally:
            with self._changed:
                self._playing -= 1
                self._alone = self._alone and not alone
                self._changed.notify_all()


class Replays:
    """Plays games in which a process is killed again, and finds the bot that did it.

    A game whose referee, or one of whose agents, is killed from outside is played again once, while
    no other game is played. If it happens again the bot that did it forfeits: see `_verdict`.
    """

    def __init__(self, attempt: Callable[[Assignment, bool], Outcome]) -> None:
        """Play games with *attempt*; its bool argument asks that no other game runs meanwhile."""
        self._attempt = attempt

    def play(self, assignment: Assignment) -> Any:
        """Play a game to its end, whatever is killed, and return its record as JSON data.

        Raise LostError if the machine, and no bot, kills it again and again, and what *attempt*
        raises.
        """
        first = self._attempt(assignment, False)
        if not first.killed:
            return first.facts
        again = self._attempt(assignment, True)
        return self._verdict(assignment, again) if again.killed else again.facts

    def _verdict(self, assignment: Assignment, game: Outcome) -> Any:
        """Decide a game in which a process was killed twice; return its record as JSON data.

        *game* is the second attempt. If one agent in it is a bot, that bot forfeits. If both are,
        each bot plays the game against papan's random player: if a process is killed again in the
        game of one of them alone, that bot forfeits; if in both games or in none, the bot of
        ``game.seat`` does: its process was killed, or it was to move when the referee was killed
        (on a cluster, that is taken to be seat 0). If no agent is a bot, one that was killed
        forfeits; if the referee was killed, the game is played again (`_replay_until_refereed`).
        Raise LostError as that does, and what an attempt raises.
        """
        suspects = assignment.foreign_seats()
        if not suspects:
            return game.facts or self._replay_until_refereed(assignment)
        if len(suspects) == 1:
            culprit = suspects[0]
        else:
            killers = [
                seat
                for seat in suspects
                if self._attempt(assignment.with_house(1 - seat), True).killed
            ]
            culprit = killers[0] if len(killers) == 1 else game.seat
        if game.facts is not None and game.seat == culprit:
            return game.facts
        return _forfeited(assignment, culprit)

    def _replay_until_refereed(self, assignment: Assignment) -> Any:
        """Replay a game between papan's own agents until its referee survives; return its record.

        It is JSON data. Raise LostError after `ATTEMPTS` attempts, and what an attempt raises.
        """
        for _ in range(ATTEMPTS):
            outcome = self._attempt(assignment, True)
            if outcome.facts is not None:
                return outcome.facts
        raise LostError("tournament.referee_gone")


class RefereePool:
    """Referee processes that wait for games; started when they are needed.

    It may be used by many threads; `close` ends all. Raises PapanError if the system cannot fork.
    """

    def __init__(self) -> None:
        require_fork()
        self._pool: ProcessPool[LineProcess] = ProcessPool()
        self._mark = new_mark()
        self._floor = Floor()
        self._replays = Replays(self._attempt)
        self.close = self._pool.close
        """End all referees, and the agents of their games, at once."""

    def play(self, task: str) -> Any:
        """Play the game of *task*, the text of an assignment; return its record as JSON data.

        That is what `RefereeProcess.play` returns, and `refereed_game` reads it. Raise LostError if
        referees die repeatedly or report an error, or if the pool was closed; OSError if no process
        can be started.
        """
        return self._replays.play(parse_assignment(task))

    def probe(self, order: AgentOrder) -> str:
        """Start an agent in a process of its own and return its full spec, with all settings.

        If it kills the referee twice, the spec is found without asking it, and whether it plays the
        game is not checked. Raise InvalidSpecError if it cannot be started, CannotPlayError if it
        does not play the game, LostError if the referee reports an error or the pool was closed,
        OSError if no process can be started.
        """
        for alone in (False, True):
            outcome = self._request({"probe": asdict(order)}, alone)
            if outcome.facts is not None:
                break
        else:  # it kills the referee when asked: it may take part, and forfeits its games
            return str(import_module(order.catalog).agent_from_user(order.agent).spec)
        facts = outcome.facts
        if not facts.get("spec"):
            key, why = facts.get("key", CRASHED), facts.get("message") or "?"
            if key != CRASHED:
                raise InvalidSpecError(key, **facts["values"])
            raise InvalidSpecError("tournament.no_show", agent=order.agent, why=why)
        if not facts["plays"]:
            raise CannotPlayError("error.cannot_play", agent=facts["spec"], game=order.game)
        return str(facts["spec"])

    def _attempt(self, assignment: Assignment, alone: bool) -> Outcome:
        """Play a game, *alone* or beside others; return what came of it, raise as `_request`."""
        return self._request({"play": assignment.text}, alone)

    def _request(self, request: WireMessage, alone: bool) -> Outcome:
        """Send *request* to a referee process and return what came of it, also if it is killed.

        If *alone*, no other game runs meanwhile, and all idle referees are ended before. Raise
        LostError if the referee reports an error, or if the pool was closed; OSError if no process
        can be started.
        """
        seat = 0

        def on_event(event: WireMessage) -> None:
            nonlocal seat
            seat = int(event["seat"])

        with self._floor.taken(alone):
            if alone:
                self._clear()
            try:
                with self._pool.borrowed(None, self._started) as referee:
                    reply = referee.request(request, on_event)
            except ProcessEndedError:
                if self._pool.closed:
                    raise LostError("tournament.referee_gone") from None
                if alone:
                    self._clear()
                return Outcome(None, seat, killed=True)
        if reply["t"] == "error":
            raise LostError("tournament.referee_lost", why=reply["message"])
        facts = reply["answer"]
        return Outcome(facts, seat, killed=was_killed(facts.get("cause", {})))

    def _started(self) -> LineProcess:
        """Start a referee process and return it; raise OSError if that fails."""
        referee = LineProcess(REFEREE, **STEADY, **{MARK: self._mark})
        referee.kill_when_stopped()  # a bot may stop it, and the parent that would see to that
        return referee

    def _clear(self) -> None:
        """End all referees, and the processes that their agents have left behind."""
        with suppress(ProcessEndedError):  # the pool is closed
            while referee := self._pool.taken(None):
                referee.end()
        end_marked(self._mark)


def _forfeited(assignment: Assignment, seat: int) -> dict[str, Any]:
    """Return the record of a game that *seat* (0 or 1) loses for killing its rival or the referee.

    It is JSON data, without moves.
    """
    plan = assignment.plan
    game: Game = import_module(assignment.catalog).game(plan.game)
    start = opening(game, plan.opening, assignment.seed)
    agents = tuple(order.agent for order in assignment.orders())
    fault = Forfeit("crash", PapanError(KILLS, agent=agents[seat]))
    record = Record(
        game=game.spec,
        start=str(start),
        agents=agents,
        moves="",
        scores=start.scores(),
        end=fault.end,
        blame=seat + 1,
        reason=fault.reason,
        cause=fault.cause,
    )
    return {**asdict(record), "effort": [() for _ in agents], "memory": [0 for _ in agents]}


def probed(
    pool: RefereePool, plan: TournamentPlan, catalog: str, depth: int | None = None
) -> TournamentPlan:
    """Start each agent in a process of its own; return the plan with their full specs.

    *catalog* is the module that builds them; *depth*, in plies, replaces their own unless it is
    None. Raise InvalidSpecError if an agent is a person, and as `RefereePool.probe` does.
    """
    if PERSON in (agent.partition(":")[0] for agent in plan.agents):
        raise InvalidSpecError("tournament.person", game=plan.game)
    orders = [
        AgentOrder(catalog, plan.game, agent, memory=plan.guard.memory, depth=depth)
        for agent in plan.agents
    ]
    return replace(plan, agents=tuple(map(pool.probe, orders)))


@cache
def _pool() -> RefereePool:
    """Return the referee pool of this process, the same for each call; it is never closed."""
    return RefereePool()


def play_here(task: str) -> Any:
    """Play the game of *task* in this process's referee pool, for workers of a cluster.

    *task* is the text of an assignment. Return its record as JSON data, and raise, as
    `RefereePool.play` does.
    """
    return _pool().play(task)


@contextmanager
def this_machine(pool: RefereePool, concurrency: int) -> Iterator[Executor]:
    """Yield an executor that plays *concurrency* games at a time in *pool*.

    A piece is the text of an assignment, its result the record as JSON data; its future raises what
    `RefereePool.play` does. *pool* is closed when the context ends.
    """
    with ThreadPoolExecutor(concurrency) as threads:  # they only wait for their referees
        try:
            yield Executor(lambda task: threads.submit(pool.play, task), lambda: concurrency)
        finally:
            pool.close()


@contextmanager
def cluster(address: str, work: Callable[[Any], Any]) -> Iterator[Executor]:
    """Connect to the dask scheduler at *address* and yield an executor whose workers do *work*.

    *work* is called with each piece that is submitted; its future has the result. *address* is such
    as ``tcp://10.0.0.1:8786``. A piece whose worker is lost is given to another one; when it has
    lost more workers than dask's ``allowed-failures`` (3), its future raises KilledWorker. Raise
    PapanError if dask is not installed, or if no scheduler answers at *address* within
    `CONNECT_SECONDS`; LostError if the block raises KilledWorker, or CancelledError because the
    cluster is lost.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise PapanError("tournament.no_dask") from None
    for name in ("distributed", "distributed.client"):
        getLogger(name).setLevel(CRITICAL)  # we report what goes wrong
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise PapanError("tournament.no_cluster", address=address, why=str(error)) from None
    with client, client.get_executor(pure=False) as futures:
        try:
            yield Executor(partial(futures.submit, work), partial(_width, client))
        except CancelledError:
            raise LostError("tournament.cluster_gone", address=address) from None
        except KilledWorker as error:
            raise LostError("tournament.referee_lost", why=error) from None
        finally:
            futures.shutdown(wait=False)


@contextmanager
def cluster_games(address: str) -> Iterator[Executor]:
    """Yield an executor that plays games on the dask scheduler at *address*.

    A piece is the text of an assignment, its result the record as JSON data. A bot that kills
    workers forfeits. Raise PapanError if dask is not installed or no scheduler answers, LostError
    if the cluster is lost later.
    """
    with cluster(address, play_here) as workers:
        from distributed.scheduler import KilledWorker

        games = ClusterGames(workers, KilledWorker)
        with ThreadPoolExecutor(MOST_AT_A_TIME) as threads:  # they only wait for the cluster
            try:
                yield Executor(lambda task: threads.submit(games.play, task), games.width)
            finally:
                threads.shutdown(wait=False, cancel_futures=True)
                games.close()


class ClusterGames:
    """Plays games on a cluster, and again if a worker is killed (see `Replays`).

    The games that wait for a worker that dies are lost with it: they are played again alone.
    """

    def __init__(self, workers: Executor, killed: type[Exception]) -> None:
        """Play games with *workers*; their futures raise *killed* when a game has killed several
        workers.

        A piece for *workers* is the text of an assignment, its result the record as JSON data.
        """
        self._workers, self._killed = workers, killed
        self._floor, self._replays = Floor(), Replays(self._attempt)
        self._lock, self._closed = Lock(), False
        self._pending: set[Future[Any]] = set()

    def width(self) -> int:
        """Return the number of games that may be submitted at the same time; see `Executor`."""
        return min(self._workers.width(), MOST_AT_A_TIME)

    def play(self, task: str) -> Any:
        """Play the game of *task*, the text of an assignment; return its record as JSON data.

        That is what `RefereeProcess.play` returns. Raise LostError if workers die repeatedly,
        CancelledError after `close`.
        """
        return self._replays.play(parse_assignment(task))

    def close(self) -> None:
        """Cancel all games; threads that wait for one get CancelledError."""
        with self._lock:
            self._closed = True
            pending = [*self._pending]
        for future in pending:
            future.cancel()

    def _attempt(self, assignment: Assignment, alone: bool) -> Outcome:
        """Play a game on the cluster, *alone* or beside others; return what came of it.

        Raise CancelledError after `close`.
        """
        with self._floor.taken(alone):
            future = self._submitted(assignment)
            try:
                return Outcome(future.result())
            except self._killed:  # whose turn it was then is not known here
                return Outcome(None, killed=True)
            finally:
                with self._lock:
                    self._pending.discard(future)

    def _submitted(self, assignment: Assignment) -> Future[Any]:
        """Return the future of a game that is now waiting for a worker; raise CancelledError after
        `close`.
        """
        with self._lock:
            if self._closed:
                raise CancelledError
            future = self._workers.submit(assignment.text)
            self._pending.add(future)
        return future


def _width(client: Any) -> int:
    """Return the number of games for the workers that are connected to *client*, at least 1.

    It is `AHEAD` for each of their threads. Raise CancelledError if the scheduler is gone.
    """
    try:
        threads: dict[str, int] = client.nthreads()
    except (OSError, RuntimeError):  # the scheduler has gone, and the client with it
        raise CancelledError from None
    return max(1, AHEAD * sum(threads.values()))


Warn = Callable[[PapanError], None]
"""Called with an error that does not stop a run."""


def play_or_resume(
    path: Path, plan: TournamentPlan, catalog: str, concurrency: int
) -> TournamentState:
    """Play a tournament here, or continue the one in *path*; return its state at the end.

    A folder without a plan is created with *plan*. *concurrency* is how many games are played at a
    time; *catalog* is the module that finds games and agents. Raise PapanError if the folder has
    another plan or the system cannot fork, and what `reopen`, `create`, `probed` and
    `run_tournament` raise.
    """
    begun = reopen(path) if (path / PLAN_FILE).exists() else None
    if begun and len(begun.plan.agents) == len(plan.agents):  # before agents are started
        _check_same(path, begun.plan, replace(plan, agents=begun.plan.agents))
    with closing(RefereePool()) as pool:
        plan = probed(pool, plan, catalog)
        folder = begun or create(path, plan)
        _check_same(path, folder.plan, plan)
        with this_machine(pool, concurrency) as executor:
            return run_tournament(folder, executor, catalog)


def _check_same(path: Path, begun: TournamentPlan, plan: TournamentPlan) -> None:
    """Raise PapanError, naming the fields that differ, unless *plan* equals *begun*.

    *begun* is the plan of the tournament in the folder *path*, which the error names, too.
    """
    names = [each.name for each in fields(TournamentPlan)]
    differs = [name for name in names if getattr(begun, name) != getattr(plan, name)]
    if differs:
        raise PapanError("tournament.other_plan", path=path, differs=", ".join(differs))


def _ignore(warning: PapanError) -> None:
    """Do nothing with *warning*: the default of `run_tournament`'s argument *warn*."""


def run_tournament(
    folder: TournamentFolder,
    executor: Executor,
    catalog: str,
    on_progress: OnProgress = ignore_progress,
    warn: Warn = _ignore,
) -> TournamentState:
    """Play the games that are missing and return the state at the end of the tournament.

    Each game is in the journal, synced to the disk, before it counts. *catalog* is the module that
    finds games and agents. *on_progress* is called after each game, *warn* with the error if the
    store fails later on: the tournament then goes on.

    After Ctrl-C raise `Interrupted`, whose ``result`` is the state so far. Raise LostError if games
    can no longer be played; PapanError if the journal is in use, damaged or not believed, as
    `Journal` does, if the effort file is no regular file or cannot be changed, if SQLAlchemy is not
    installed, or if the store cannot be opened, as `Collector` does; and OSError if a file cannot
    be opened or a game not be recorded.
    """
    with extra_libraries():
        from papan.lab.store import Collector  # it loads SQLAlchemy

    with (
        Journal(folder.journal, folder.plan, GameCheck(folder, catalog)) as journal,
        open_regular(folder.efforts, "a+b") as efforts,
        closing(Collector(folder, warn)) as collector,
    ):
        with writing(folder.efforts):
            remove_cut_line(efforts)
        state = TournamentState(folder.plan, journal.games)
        collector.add(journal.games)

        def keep(number: int, game: MatchGame) -> None:
            with naming(folder.efforts):
                append_line(efforts, effort_line(folder, number, game), lasting=False)
            with naming(folder.journal):
                journal.write(number, game)
            collector.add({number: game})

        try:
            for number in state.play(executor, keep, catalog):
                on_progress(state.progress(number))
        except KeyboardInterrupt:
            raise Interrupted(state) from None
        return state
