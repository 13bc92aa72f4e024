"""Measure games a second of a tournament with one and two workers, and the overhead of one game.

    python -m benchmarks.tournament            processes of this machine
    python -m benchmarks.tournament cluster    workers of a dask cluster on this machine as well

The overhead is what a game takes at a table (two fresh processes, a referee, moves as text, the
journal on the disk) beyond what it takes in one process. Random agents show it best: they do not
think. Each number is the median of three runs; starting the workers is not counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import papan
from papan.core import Limit
from papan.lab.match import Match, play_match
from papan.lab.tournament.folder import Journal
from papan.lab.tournament.plan import TournamentPlan
from papan.lab.tournament.run import RefereePool, cluster_games, this_machine
from papan.lab.tournament.standings import TournamentState
from papan.lab.work import Executor

PLANS = {
    "tictactoe, random": TournamentPlan("tictactoe", ("random", "random"), pairs=40),
    "connect4, random": TournamentPlan("connect4", ("random", "random"), pairs=20),
    "connect4, alphabeta 500 nodes": TournamentPlan(
        "connect4", ("alphabeta", "alphabeta"), pairs=4, limit=Limit(nodes=500)
    ),
}
RUNS = 3

Open = Callable[[], AbstractContextManager[Executor]]


def alone(plan: TournamentPlan) -> float:
    """Return the wall seconds for a game in one process."""
    agents = papan.agent(plan.agents[0]), papan.agent(plan.agents[1])
    began = perf_counter()
    play_match(Match(agents, papan.game(plan.game), plan.pairs, plan.seed, plan.limit))
    return (perf_counter() - began) / plan.games


def in_referees(plan: TournamentPlan, executor: Executor) -> float:
    """Return the wall seconds for a game of a tournament whose workers are ready."""
    with TemporaryDirectory() as folder, Journal(Path(folder) / "games.jsonl", plan) as journal:
        began = perf_counter()
        for _ in TournamentState(plan).play(executor, journal.write, "papan"):
            pass
        return (perf_counter() - began) / plan.games


@contextmanager
def local_cluster(workers: int) -> Iterator[Executor]:
    """Start the workers of a dask cluster on this machine, and yield their executor."""
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as machines,
        cluster_games(machines.scheduler_address) as executor,
    ):
        yield executor


def referees(workers: int) -> AbstractContextManager[Executor]:
    """Return a context whose executor has *workers* referees on this machine."""
    return this_machine(RefereePool(), workers)


def main(kinds: list[tuple[str, Callable[[int], AbstractContextManager[Executor]]]]) -> None:
    """Print one line of speeds for each plan and each kind of worker."""
    heading = ("games", "one process", "1 worker", "2 workers", "speed-up", "overhead a game")
    print("{:44}{:>14}{:>12}{:>12}{:>10}{:>18}".format(*heading))
    for (title, plan), (kind, executor) in ((p, k) for p in PLANS.items() for k in kinds):
        base = median(alone(plan) for _ in range(RUNS))
        one, two = (measured(plan, partial(executor, workers)) for workers in (1, 2))
        print(
            f"{title + ', ' + kind:44}{1 / base:12.1f}/s{1 / one:10.1f}/s{1 / two:10.1f}/s"
            f"{one / two:10.2f}{(one - base) * 1000:15.1f} ms"
        )


def measured(plan: TournamentPlan, executor: Open) -> float:
    """Return the median seconds for a game of several runs, after one that makes all
    workers ready.
    """
    with executor() as place:
        in_referees(plan, place)
        return median(in_referees(plan, place) for _ in range(RUNS))


if __name__ == "__main__":
    local: list[tuple[str, Callable[[int], AbstractContextManager[Executor]]]] = [
        ("tables", referees)
    ]
    main([*local, ("dask", local_cluster)] if "cluster" in sys.argv[1:] else local)
