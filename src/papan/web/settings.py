"""What a server grants its guests: who may ask, how much, and how often."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from papan.lab.files import data_folder
from papan.lab.machine import cores

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Settings:
    """The usual values are those of a server for the person at this machine."""

    hosts: tuple[str, ...] = LOOPBACK
    """The names under which browsers may call this server, without a port."""
    port: int = 8321
    workers: int = max(2, cores() - 1)
    """How many searches run at the same time."""
    queue: int = 16
    """How many searches may wait for a worker."""
    searches: int = 8
    """How many searches one address may have, running or waiting."""
    most_seconds: float = 60
    """How long a search may take."""
    grace: float = 5
    """Seconds beyond its limit after which a search is killed."""
    warm: bool = True
    """Have the solvers compiled when the server starts, where they are not."""
    most_memory: int = 512
    """Megabytes that a search may ask for its tables."""
    body: int = 16 * 1024
    """Bytes of a request, at most."""
    rate: float = 100
    """Requests a second from one address, in the long run; 0: as many as come."""
    burst: int = 400
    """Requests at once from one address."""
    jobs: int = 1
    """How many jobs (tournaments, runs of papers) run at the same time."""
    waiting_jobs: int = 8
    """How many jobs may wait for their turn."""
    kept_jobs: int = 200
    """How many jobs are kept, whatever their state."""
    data: Path = field(default_factory=data_folder)
    """The folder of what outlives the server: tournaments, rooms, runs of papers."""
