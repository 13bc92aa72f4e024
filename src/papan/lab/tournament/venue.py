"""Where the games of a tournament are played: in processes here, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from papan.core import PapanError
from papan.lab.tournament.contest import Venue
from papan.lab.tournament.hall import Hall, play_here

AHEAD = 2
"""How many games each worker of a cluster is given at a time, so that none waits for the next."""

CONNECT_SECONDS = 10


@contextmanager
def this_machine(hall: Hall, concurrency: int) -> Iterator[Venue]:
    """So many games at a time, each at a table of its own."""
    with ThreadPoolExecutor(concurrency) as threads:  # they only wait for their tables
        try:
            yield Venue(lambda task: threads.submit(hall.play, task), lambda: concurrency)
        finally:
            hall.close()


@contextmanager
def cluster(address: str) -> Iterator[Venue]:
    """The workers of a dask scheduler; one that is lost has its games played by the others."""
    try:
        from distributed import Client
    except ImportError:
        raise PapanError("tournament.no_dask") from None
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise PapanError("tournament.no_cluster", address=address, why=str(error)) from None
    with client, client.get_executor(pure=False) as executor:
        try:
            yield Venue(
                lambda task: executor.submit(play_here, task),
                lambda: max(1, AHEAD * sum(client.nthreads().values())),
            )
        finally:
            executor.shutdown(wait=False)
