"""Running tournaments: games in processes here or on a cluster, each kept the moment it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from functools import cache, partial
from logging import CRITICAL, getLogger
from pathlib import Path
from typing import Any

from papan.core import CannotPlayError, InvalidSpecError, PapanError
from papan.core.session import PERSON
from papan.lab.match import MatchGame
from papan.lab.tournament.folder import PLAN, Folder, Journal, effort_line, found, reopen
from papan.lab.tournament.plan import AgentOrder, Plan
from papan.lab.tournament.standings import TournamentState
from papan.lab.work import Executor
from papan.process.host import require_fork
from papan.process.lines import CRASHED, LineProcess, Message, Pool, ProcessEndedError

AHEAD = 2
"""How many games each worker of a cluster is given at a time, so that none waits for the next."""

CONNECT_SECONDS = 10
ATTEMPTS = 3
"""How often a game is begun anew because its referee was lost: the system may be out of memory."""
REFEREE = "papan.lab.tournament.referee_process"
STEADY = {
    "PYTHONHASHSEED": "0",  # the order of sets is the same in every process
    "OMP_NUM_THREADS": "1",  # agents have equal time only if none takes all cores
}


class LostError(PapanError):
    """Games can no longer be played where they were played; what is over is kept."""


class RefereePool:
    """Referee processes that wait for games; as many are started as are needed at a time."""

    def __init__(self) -> None:
        require_fork()
        self._pool: Pool[LineProcess] = Pool()
        self.close = self._pool.close
        """Ends all referees at once, whatever they are doing; the agents of their games too."""

    def play(self, task: str) -> Any:
        """The facts of the record of the game that *task*, an assignment, asks for."""
        return self._request({"play": task})

    def probe(self, order: AgentOrder) -> str:
        """The spec of an agent that can play; raises if there is none. Bots run in no other way."""
        facts = self._request({"probe": asdict(order)})
        if not facts.get("spec"):
            key, why = facts.get("key", CRASHED), facts.get("message") or "?"
            if key != CRASHED:
                raise InvalidSpecError(key, **facts["values"])
            raise InvalidSpecError("tournament.no_show", agent=order.agent, why=why)
        if not facts["plays"]:
            raise CannotPlayError("error.cannot_play", agent=facts["spec"], game=order.game)
        return str(facts["spec"])

    def _request(self, request: Message) -> Any:
        for _ in range(ATTEMPTS):
            try:
                with self._pool.borrowed(None, partial(LineProcess, REFEREE, **STEADY)) as referee:
                    reply = referee.request(request)
            except ProcessEndedError:
                continue
            if reply["t"] == "error":
                raise LostError("tournament.referee_lost", why=reply["message"])
            return reply["answer"]
        raise LostError("tournament.referee_gone")


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
    with closing(RefereePool()) as pool:
        plan = probed(pool, plan, catalog)
        folder = reopen(path) if (path / PLAN).exists() else found(path, plan)
        if folder.plan != plan:
            raise PapanError("tournament.other_plan", path=path)
        with this_machine(pool, concurrency) as executor:
            return run(folder, executor, catalog)


def _ignore(*news: object) -> None:
    """Does not listen."""


def run(
    folder: Folder, executor: Executor, catalog: str, watch: Watch = _ignore, warn: Warn = _ignore
) -> TournamentState:
    """Play what is still to be played; whatever ends this, no game that is over is lost."""
    from papan.lab.store import Collector  # it loads SQLAlchemy

    with (
        Journal(folder.journal, folder.plan) as journal,
        closing(Collector(folder, warn)) as collector,
        folder.efforts.open("a", encoding="utf-8") as efforts,
    ):
        state = TournamentState(folder.plan, journal.games)
        collector.add(journal.games)

        def keep(number: int, game: MatchGame) -> None:
            efforts.write(effort_line(number, game) + "\n")
            efforts.flush()
            journal.write(number, game)
            collector.add({number: game})

        for number in state.play(executor, keep, catalog):
            watch(state, number)
        return state
