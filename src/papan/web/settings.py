"""What a server grants its guests: who may ask, how much, and how often."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_urlsafe
from typing import Literal, get_args

from papan.lab.files import data_folder
from papan.lab.machine import cores

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
DAY = 24 * 60 * 60
MESSAGES, MESSAGE_SECONDS = 20, 10
"""How many messages one WebSocket may send in so many seconds; its pings count apart."""

Rank = Literal["game", "analysis"]
"""What a search is for: the next move of somebody's game, or anything else."""
RANKS: tuple[Rank, ...] = get_args(Rank)
NICENESS = {"game": 0, "analysis": 5, "job": 10}
"""Who waits for whom, where the processor is short: each has a third of the one before, about."""


@dataclass(frozen=True)
class Bounds:
    """How much there may be of rooms, and in them."""

    rooms: int = 1_000
    from_one: int = 100
    """Rooms in which one address sits."""
    spectators: int = 50
    """People without a seat in one room."""
    tabs: int = 20
    """Connections of one seat: everybody in a room hears of each."""
    sockets: int = 500
    """Connections of one address."""
    idle: float = 7 * DAY
    """Seconds after which a room is forgotten in which nothing happens."""


@dataclass(frozen=True)
class Settings:
    """The usual values are those of a server for the person at this machine."""

    hosts: tuple[str, ...] = LOOPBACK
    """The names under which browsers may call this server, without a port."""
    proxies: tuple[str, ...] = ()
    """The addresses of proxies that are believed when they say who asks."""
    port: int = 8321
    workers: int = max(2, cores() - 1)
    """How many searches of each rank run at the same time."""
    spare: int = 1
    """How many workers of each rank wait for work; others start when all are busy."""
    queue: int = 16
    """How many searches of each rank may wait for a worker."""
    longest_wait: float = 300
    """Seconds that a search may wait for a worker."""
    searches: int = 8
    """How many searches of each rank one address may have, running or waiting."""
    at_once: int = 8
    """How many of them may run; the others wait for their turn, whoever else asks."""
    quota: float = 0
    """Seconds of processor time that one address may use in a day; 0: as many as it likes."""
    most_seconds: float = 60
    """How long a search may take."""
    grace: float = 5
    """Seconds of processor time beyond its limit after which a search is asked to stop, and
    once more as many after which it is ended."""
    silence: float = 60
    """Seconds after which a late search that uses no processor time at all is ended."""
    warm: bool = True
    """Load every search before workers are ready; have compiled what is not."""
    most_memory: int = 512
    """Megabytes that a search may ask for its tables."""
    worker_memory: int = 2_048
    """Megabytes that a worker may take beyond what it needs to start."""
    connections: int = 500
    """Connections of one address at the same time; proxies, which have many guests, aside."""
    all_connections: int = 900
    """Connections of all addresses; from here on the one that is of no use for longest is ended."""
    slow_seconds: float = 20
    """Seconds in which a request must have come, and in which a client must read on."""
    head: int = 16 * 1024
    """Bytes of the address and the headers of a request, at most."""
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
    rooms: Bounds = Bounds()
    data: Path = field(default_factory=data_folder)
    """The folder of what outlives the server: tournaments, rooms, runs of papers."""
    token: str = field(default_factory=token_urlsafe, repr=False)
    """What the owner of the server proves to be it by: see `papan.web.owner`."""
    log: bool = False
    """Write a line for every answer to standard error."""

    def for_a_network(self, hosts: tuple[str, ...]) -> Settings:
        """The same for a class, where others than the person at this machine can ask."""
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

    def for_strangers(self, name: str, proxies: tuple[str, ...]) -> Settings:
        """The same for anyone: people know its *name*, and come through one of the *proxies*."""
        guests = self.for_a_network((*LOOPBACK, name.lower()))
        rooms = replace(guests.rooms, from_one=20)
        return replace(guests, proxies=proxies, most_seconds=5, quota=600, rooms=rooms, log=True)
