"""Limits of a server: which hosts it answers, and how much each client may ask, use and store."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_urlsafe
from typing import Literal, get_args

from papan.lab.files import data_folder
from papan.lab.machine import cores

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
DAY = 24 * 60 * 60
"""Seconds of a day."""
MESSAGES, MESSAGE_SECONDS = 20, 10
"""Number of messages, pings excluded, that a WebSocket may send within so many seconds."""

Rank = Literal["game", "analysis"]
"""The purpose of a search: the next move of a person's game, or anything else."""
RANKS: tuple[Rank, ...] = get_args(Rank)
NICENESS = {"game": 0, "analysis": 5, "job": 10}
"""Nice values of processes; each gets about a third of the processor time of the one before."""


@dataclass(frozen=True)
class RoomLimits:
    """Largest numbers of rooms and of connections to them, and how long idle rooms stay."""

    rooms: int = 1_000
    """Rooms of the server in all."""
    from_one: int = 100
    """Rooms in which one address may have a seat."""
    spectators: int = 50
    """Connections without a seat to one room."""
    tabs: int = 20
    """Connections of one seat: each change is sent to all of them."""
    sockets: int = 500
    """Connections of one address to all rooms."""
    idle: float = 7 * DAY
    """Seconds without a change or a visitor after which a room is deleted."""


@dataclass(frozen=True)
class ServerSettings:
    """All limits of a server; the defaults suit one person on their own machine.

    The rank of a search is what it is for: a person's game, or an analysis. Each rank has workers
    and a queue of its own, and limits by rank hold for each of both.
    """

    hosts: tuple[str, ...] = LOOPBACK
    """Names and addresses under which browsers may call this server, in lower case, without
    a port.
    """
    proxies: tuple[str, ...] = ()
    """Addresses or networks of the proxies whose X-Forwarded headers are trusted."""
    port: int = 8321
    """TCP port at which it listens, if it is free."""
    workers: int = max(2, cores() - 1)
    """Number of searches of each rank that run at the same time, at most, each in a process."""
    spare: int = 1
    """Number of workers of each rank beyond those that searches have or wait for, as far as
    `workers` allows.
    """
    queue: int = 16
    """Number of searches of each rank that may wait for a worker."""
    longest_wait: float = 300
    """Seconds that a search waits for a worker before it fails."""
    searches: int = 8
    """Number of searches of each rank that one address may have, running and waiting."""
    at_once: int = 8
    """Number of searches of each rank of one address that may run; more wait even if a worker is
    free.
    """
    quota: float = 0
    """Processor seconds that one address may use in a day; 0: unlimited."""
    most_seconds: float = 60
    """Longest limit of a search, in seconds; longer ones are shortened to it."""
    grace: float = 5
    """Processor seconds beyond its limit after which a search is asked to stop, and as many again
    after which its worker is killed.
    """
    silence: float = 60
    """Seconds by the clock without use of the processor after which an overdue search counts as
    stuck.
    """
    warm: bool = True
    """Load all searches before workers are ready, and compile those that are not compiled."""
    most_memory: int = 512
    """Megabytes that a search may ask for its tables."""
    worker_memory: int = 2_048
    """Megabytes that a worker may take beyond what it needs to start."""
    connections: int = 500
    """Connections of one address at the same time; those of proxies are not counted."""
    all_connections: int = 900
    """Connections of all addresses; beyond it another one is closed, that unused longest if any is
    unused.
    """
    slow_seconds: float = 20
    """Seconds in which a request must be complete, and in which a client must continue reading."""
    head: int = 16 * 1024
    """Bytes of the request line and the headers at most."""
    body: int = 16 * 1024
    """Bytes of the body of a request at most, where it is no file."""
    upload: int = 1 << 20
    """Bytes of a file at most: of the body of a PUT of the owner or a student, or of a request to
    one of `file_paths`.
    """
    file_paths: tuple[str, ...] = ("/api/v1/workshop/runs",)
    """Paths of other requests of the owner whose bodies are files."""
    student_paths: tuple[str, ...] = ("/api/v1/hand-in",)
    """Paths to which a PUT sends a student's file: their routes ask who sends it before they read
    it.
    """
    rate: float = 100
    """Requests a second from one address on average; 0: unlimited."""
    burst: int = 400
    """Requests that one address may send at once."""
    jobs: int = 1
    """Number of jobs (tournaments, runs of papers, contests) that run at the same time, at most."""
    waiting_jobs: int = 8
    """Number of jobs that may wait for others, at most."""
    kept_jobs: int = 200
    """Number of stored jobs in any state, at most."""
    rooms: RoomLimits = RoomLimits()
    """Limits of rooms and of the connections to them."""
    data: Path = field(default_factory=data_folder)
    """The folder for tournaments, rooms, runs of papers and contests."""
    contests: tuple[Path, ...] = ()
    """Folders of contests that the command line names; all others are in `data`."""
    token: str = field(default_factory=token_urlsafe, repr=False)
    """The secret of the owner of the server; see `papan.web.owner`."""
    log: bool = False
    """Write one line for each response to standard error."""

    def for_a_network(self, hosts: tuple[str, ...]) -> ServerSettings:
        """Return these settings with tighter limits for a local network such as a class.

        *hosts* are the names and addresses of this server there, as `host_names` returns them.
        """
        return replace(
            self,
            hosts=hosts,
            connections=100,
            rooms=replace(self.rooms, sockets=100),
            workers=max(1, cores() - 1),
            searches=3,
            at_once=1,
            most_seconds=10,
            most_memory=256,
            worker_memory=1_024,
        )

    def for_strangers(self, name: str, proxies: tuple[str, ...]) -> ServerSettings:
        """Return these settings with the limits of a public server called *name*, behind a proxy.

        *proxies* are the addresses or networks of the proxies that are trusted.
        """
        guests = self.for_a_network((*LOOPBACK, name.lower()))
        rooms = replace(guests.rooms, from_one=20)
        return replace(guests, proxies=proxies, most_seconds=5, quota=600, rooms=rooms, log=True)
