"""Running tournaments: games in processes here or on a cluster, each kept the moment it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, fields, replace
from functools import cache, partial
from importlib import import_module
from logging import CRITICAL, getLogger
from pathlib import Path
from threading import Condition
from typing import Any, NamedTuple

from papan.core import CannotPlayError, Game, InvalidSpecError, PapanError, Record
from papan.core.extras import extra_libraries
from papan.core.files import open_regular
from papan.core.interrupts import Interrupted
from papan.core.session import PERSON
from papan.lab.match import MatchGame, opening
from papan.lab.referee import KILLS, Forfeit, was_killed
from papan.lab.tournament.check import GameCheck
from papan.lab.tournament.folder import PLAN, Folder, Journal, effort_line, found, reopen
from papan.lab.tournament.plan import AgentOrder, Assignment, Plan, parse_assignment
from papan.lab.tournament.standings import TournamentState
from papan.lab.work import Executor
from papan.process.host import MARK, end_marked, new_mark, require_fork
from papan.process.lines import CRASHED, LineProcess, Pool, ProcessEndedError, WireMessage

AHEAD = 2
"""How many games each worker of a cluster is given at a time, so that none waits for the next."""

CONNECT_SECONDS = 10
ATTEMPTS = 5
"""How often a game is begun anew in which only agents of papan's play and whose referee is killed
each time: the system may be out of memory."""
REFEREE = "papan.lab.tournament.referee_process"
STEADY = {
    "PYTHONHASHSEED": "0",  # the order of sets is the same in every process
    "OMP_NUM_THREADS": "1",  # agents have equal time only if none takes all cores
}


class LostError(PapanError):
    """Games can no longer be played where they were played; what is over is kept."""


class RefereePool:
    """Referee processes that wait for games; as many are started as are needed at a time.

    A game whose referee, or one of whose agents, is killed from outside is played again once, while
    no other game is played. If it happens again the bot that did it forfeits: see `_verdict`.
    """

    def __init__(self) -> None:
        require_fork()
        self._pool: Pool[LineProcess] = Pool()
        self._mark = new_mark()
        self._floor = Condition()
        self._playing, self._alone = 0, False
        self.close = self._pool.close
        """Ends all referees at once, whatever they are doing; the agents of their games too."""

    def play(self, task: str) -> Any:
        """The facts of the record of the game that *task*, an assignment, asks for."""
        assignment = parse_assignment(task)
        first = self._attempt(assignment)
        if not first.killed:
            return first.facts
        again = self._attempt(assignment, alone=True)
        return self._verdict(assignment, again) if again.killed else again.facts

    def probe(self, order: AgentOrder) -> str:
        """The spec of an agent that can play; raises if there is none. Bots run in no other way."""
        for alone in (False, True):
            outcome = self._request({"probe": asdict(order)}, alone)
            if outcome.facts is not None:
                break
        else:  # it kills whoever asks it: it may take part, and will forfeit its games
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

    def _verdict(self, assignment: Assignment, game: _Outcome) -> Any:
        """What becomes of a game in which something was killed twice.

        One bot in it: the bot forfeits. Two: each plays the game against papan's random player, and
        the only one that kills again forfeits; if both or none do, whoever was killed, or was to
        move when the referee was. No bot: an agent that was killed forfeits; a referee is replaced.
        """
        suspects = assignment.foreign_seats()
        if not suspects:
            return game.facts or self._patiently(assignment)
        if len(suspects) == 1:
            culprit = suspects[0]
        else:
            killers = [
                seat
                for seat in suspects
                if self._attempt(assignment.with_house(1 - seat), alone=True).killed
            ]
            culprit = killers[0] if len(killers) == 1 else game.seat
        if game.facts is not None and game.seat == culprit:
            return game.facts
        return _forfeited(assignment, culprit)

    def _patiently(self, assignment: Assignment) -> Any:
        """A game between agents of papan's whose referees are killed: the machine may recover."""
        for _ in range(ATTEMPTS):
            outcome = self._attempt(assignment, alone=True)
            if outcome.facts is not None:
                return outcome.facts
        raise LostError("tournament.referee_gone")

    def _attempt(self, assignment: Assignment, alone: bool = False) -> _Outcome:
        return self._request({"play": assignment.text}, alone)

    def _request(self, request: WireMessage, alone: bool) -> _Outcome:
        seat = 0

        def on_event(event: WireMessage) -> None:
            nonlocal seat
            seat = int(event["seat"])

        with self._on_floor(alone):
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
                return _Outcome(None, seat)
        if reply["t"] == "error":
            raise LostError("tournament.referee_lost", why=reply["message"])
        return _Outcome(reply["answer"], seat)

    def _started(self) -> LineProcess:
        referee = LineProcess(REFEREE, **STEADY, **{MARK: self._mark})
        referee.kill_when_stopped()  # a bot may stop it, and the parent that would see to that
        return referee

    def _clear(self) -> None:
        """End all referees, who may be dead already, and what their agents have left behind."""
        with suppress(ProcessEndedError):  # the pool is closed
            while referee := self._pool.taken(None):
                referee.end()
        end_marked(self._mark)

    @contextmanager
    def _on_floor(self, alone: bool) -> Iterator[None]:
        """Play among others; or *alone*, after all others have ended their games."""
        with self._floor:
            self._floor.wait_for(lambda: not self._alone)
            self._alone = alone
            self._playing += 1
            self._floor.wait_for(lambda: not alone or self._playing == 1)
        try:
            yield
        finally:
            with self._floor:
                self._playing -= 1
                self._alone = self._alone and not alone
                self._floor.notify_all()


class _Outcome(NamedTuple):
    """How a request to a referee ended: what it answered, and who was to move last."""

    facts: Any
    """None: the referee was killed."""
    turn: int

    @property
    def killed(self) -> bool:
        """Was the referee, or the process of an agent, killed by somebody else than papan?"""
        return self.facts is None or was_killed(self.facts.get("cause", {}))

    @property
    def seat(self) -> int:
        """The seat whose process was killed; of a referee, the one that was to move."""
        return self.turn if self.facts is None else int(self.facts["blame"]) - 1


def _forfeited(assignment: Assignment, seat: int) -> dict[str, Any]:
    """The facts of a game that *seat* loses because it killed its rival or the referee."""
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
    return {**asdict(record), "effort": [() for _ in agents]}


def probed(pool: RefereePool, plan: Plan, catalog: str, depth: int | None = None) -> Plan:
    """The plan with the full specs of its agents, each of which was tried in a process apart."""
    if PERSON in (agent.partition(":")[0] for agent in plan.agents):
        raise InvalidSpecError("tournament.person", game=plan.game)
    orders = [
        AgentOrder(catalog, plan.game, agent, memory=plan.guard.memory, depth=depth)
        for agent in plan.agents
    ]
    return replace(plan, agents=tuple(map(pool.probe, orders)))


@cache
def _pool() -> RefereePool:
    return RefereePool()


def play_here(task: str) -> Any:
    """The facts of the record, from this process's referee pool: what a cluster's workers call."""
    return _pool().play(task)


@contextmanager
def this_machine(pool: RefereePool, concurrency: int) -> Iterator[Executor]:
    """So many games at a time, each in a referee process of its own."""
    with ThreadPoolExecutor(concurrency) as threads:  # they only wait for their referees
        try:
            yield Executor(lambda task: threads.submit(pool.play, task), lambda: concurrency)
        finally:
            pool.close()


@contextmanager
def cluster(address: str, work: Callable[[Any], Any] = play_here) -> Iterator[Executor]:
    """The workers of a dask scheduler; one that is lost has its *work* done by the others."""
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


def _width(client: Any) -> int:
    """How many games the workers that are there now can be given."""
    try:
        threads: dict[str, int] = client.nthreads()
    except (OSError, RuntimeError):  # the scheduler has gone, and the client with it
        raise CancelledError from None
    return max(1, AHEAD * sum(threads.values()))


Watch = Callable[[TournamentState, int], None]
"""Hears of each game that is over, by its number."""
Warn = Callable[[PapanError], None]


def play_tournament(path: Path, plan: Plan, catalog: str, concurrency: int) -> TournamentState:
    """Play a tournament here to its end; one that was interrupted in this folder goes on."""
    begun = reopen(path) if (path / PLAN).exists() else None
    if begun and len(begun.plan.agents) == len(plan.agents):  # before agents are started
        _check_same(path, begun.plan, replace(plan, agents=begun.plan.agents))
    with closing(RefereePool()) as pool:
        plan = probed(pool, plan, catalog)
        folder = begun or found(path, plan)
        _check_same(path, folder.plan, plan)
        with this_machine(pool, concurrency) as executor:
            return run(folder, executor, catalog)


def _check_same(path: Path, begun: Plan, plan: Plan) -> None:
    """Raise where the tournament in *path* is another one than is asked for, and say in what."""
    names = [each.name for each in fields(Plan)]
    differs = [name for name in names if getattr(begun, name) != getattr(plan, name)]
    if differs:
        raise PapanError("tournament.other_plan", path=path, differs=", ".join(differs))


def _ignore(*news: object) -> None:
    """Does not listen."""


def run(
    folder: Folder, executor: Executor, catalog: str, watch: Watch = _ignore, warn: Warn = _ignore
) -> TournamentState:
    """Play what is still to be played; whatever ends this, no game that is over is lost.

    After Ctrl-C it raises `Interrupted` with the state by then.
    """
    with extra_libraries():
        from papan.lab.store import Collector  # it loads SQLAlchemy

    with (
        Journal(folder.journal, folder.plan, GameCheck(folder, catalog)) as journal,
        open_regular(folder.efforts, "ab") as efforts,
        closing(Collector(folder, warn)) as collector,
    ):
        state = TournamentState(folder.plan, journal.games)
        collector.add(journal.games)

        def keep(number: int, game: MatchGame) -> None:
            efforts.write(effort_line(folder, number, game).encode() + b"\n")
            efforts.flush()
            journal.write(number, game)
            collector.add({number: game})

        try:
            for number in state.play(executor, keep, catalog):
                watch(state, number)
        except KeyboardInterrupt:
            raise Interrupted(state) from None
        return state
