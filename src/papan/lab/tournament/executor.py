"""Where the games of a tournament are played: in processes here, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from logging import CRITICAL, getLogger
from typing import Any

from papan.core import PapanError
from papan.lab.tournament.referee_pool import LostError, RefereePool, play_here
from papan.lab.tournament.state import Executor

AHEAD = 2
"""How many games each worker of a cluster is given at a time, so that none waits for the next."""

CONNECT_SECONDS = 10


@contextmanager
def this_machine(pool: RefereePool, concurrency: int) -> Iterator[Executor]:
    """So many games at a time, each in a referee process of its own."""
    with ThreadPoolExecutor(concurrency) as threads:  # they only wait for their referees
        try:
            yield Executor(lambda task: threads.submit(pool.play, task), lambda: concurrency)
        finally:
            pool.close()


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a dask scheduler; one that is lost has its games played by the others."""
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise PapanError("tournament.no_dask") from None
    for name in ("distributed", "distributed.client"):
        getLogger(name).setLevel(CRITICAL)  # we report what goes wrong
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise PapanError("tournament.no_cluster", address=address, why=str(error)) from None
    with client, client.get_executor(pure=False) as futures:
        try:
            yield Executor(partial(futures.submit, play_here), partial(_width, client))
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
