"""Rooms in the API: to make one within bounds, look into it, sit down, and be there."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Annotated

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi import Path as Place
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from papan.core import PapanError
from papan.web.boards import Lines
from papan.web.guard import address
from papan.web.owner import key_of, new_code, new_token
from papan.web.rooms.messages import CODE, NewRoom, RoomState, Seated
from papan.web.rooms.room import Connection, Room
from papan.web.rooms.room_game import Clocks, RoomStore, opened
from papan.web.settings import Bounds, Settings
from papan.web.wire import BODY, Refused, refusals

SEATS = {"first": 0, "second": 1}


class RoomRegistry:
    """Finds rooms, makes them, and forgets those that nobody needs any more."""

    def __init__(
        self,
        folder: Path,
        lines: Lines,
        bounds: Bounds | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.lines, self.store = lines, RoomStore(folder, clock)
        self.bounds = bounds or Bounds()
        self.rooms = {
            code: Room(code, room_game, self.lines, self.store, touched)
            for code, room_game, touched in self.store.rooms()
        }
        """Every room by its code; those of an earlier server among them."""
        self._sockets = Counter[str]()

    async def find(self, code: str) -> Room | None:
        """The room of that code, if there is one whose game can be played here."""
        room = self.rooms.get(code)
        if room is not None:
            with suppress(PapanError):  # a game of a plug-in that is not there any more
                await asyncio.to_thread(room.room_game.reached, self.lines)
                return room
        return None

    async def make(self, wanted: NewRoom, maker: str) -> tuple[Room, str]:
        """A new room, and the token of its maker's seat."""
        timing = wanted.clock
        clocks = None if timing is None else Clocks.fresh(timing.minutes * 60, timing.increment)
        room_game = await asyncio.to_thread(opened, wanted.start, clocks, self.lines)
        token = new_token()
        seat = SEATS.get(wanted.seat, secrets.randbelow(2))
        self._forget_old()
        self._check_share(maker)
        if len(self.rooms) >= self.bounds.rooms and not self._make_way(self.rooms.values()):
            raise Refused(503, "room.no_more")
        room = Room(new_code(), room_game, self.lines, self.store, self.store.clock())
        room.addresses.add(maker)
        self.rooms[room.code] = room
        try:
            await room.change(lambda empty: empty.seated(key_of(token), seat))
        except BaseException:
            del self.rooms[room.code]
            raise
        return room, token

    async def sit(self, room: Room, who: str) -> str:
        """The token of the free seat, for someone who comes from an address."""
        self._check_share(who, room)
        token = new_token()
        await room.change(lambda room_game: room_game.seated(key_of(token)))
        room.addresses.add(who)
        return token

    def admits(self, room: Room, key: str | None, who: str) -> bool:
        """Is there a place for one more connection? A player is never crowded out by spectators."""
        seats = [room.room_game.seat_of(each.key) for each in room.people]
        seat = room.room_game.seat_of(key)
        most = self.bounds.spectators if seat is None else self.bounds.tabs
        return seats.count(seat) < most and self._sockets[who] < self.bounds.sockets

    @contextmanager
    def connection(self, who: str) -> Iterator[None]:
        """Count a connection of an address while it lasts."""
        self._sockets[who] += 1
        try:
            yield
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    def _forget_old(self) -> None:
        """Forget the rooms in which nothing has happened for long, and nobody is."""
        oldest = self.store.clock() - self.bounds.idle
        for room in [*self.rooms.values()]:
            if not room.people and room.touched < oldest:
                self._forget(room)

    def _check_share(self, who: str, wanted: Room | None = None) -> None:
        """Raise where someone who comes from *who* sits in too many rooms to sit in another."""
        own = [room for room in self.rooms.values() if who in room.addresses and room is not wanted]
        if len(own) >= self.bounds.from_one and not self._make_way(own):
            raise Refused(429, "room.too_many")

    def _make_way(self, rooms: Iterable[Room]) -> bool:
        """Forget a room where nobody plays: first where no game came about, then the quietest."""
        waiting = [room for room in rooms if room.waits]
        if waiting:
            self._forget(min(waiting, key=lambda room: (room.played, room.touched)))
        return bool(waiting)

    def _forget(self, room: Room) -> None:
        del self.rooms[room.code]
        self.store.forget(room.code)


COOKIE = "papan_seat"
Code = Annotated[str, Place(pattern=CODE)]
CROWDED = 1013
LONGEST = 400 * 24 * 60 * 60
"""Seconds for which browsers keep a cookie at most: a game may last as long as it is played."""


def add_rooms(api: FastAPI, settings: Settings, lines: Lines) -> None:
    """Let *api* have rooms, which are kept in the folder of the server."""
    registry = RoomRegistry(settings.data / "rooms", lines, settings.rooms)

    @api.post("/v1/rooms", tags=["rooms"], status_code=201, responses=BODY | refusals(503))
    async def make(wanted: NewRoom, request: Request, response: Response) -> Seated:
        """A room for two people, and a seat in it for who makes it."""
        room, token = await registry.make(wanted, address(dict(request.scope)))
        return _seated(request, response, room, token)

    @api.get("/v1/rooms/{code}", tags=["rooms"], responses=refusals(404, 413, 422))
    async def look(code: Code, request: Request) -> RoomState:
        """Everything about a room, as who asks may see it."""
        return await (await _found(registry, code)).state(_key(request))

    @api.post("/v1/rooms/{code}/seat", tags=["rooms"], responses=refusals(404, 413, 422))
    async def sit(code: Code, request: Request, response: Response) -> Seated:
        """Sit down on the free seat; who has one already keeps it."""
        room, token = await _found(registry, code), request.cookies.get(COOKIE, "")
        if room.room_game.seat_of(key_of(token)) is None:
            token = await registry.sit(room, address(dict(request.scope)))
        return _seated(request, response, room, token)

    @api.websocket("/v1/rooms/{code}/live")
    async def live(socket: WebSocket, code: str) -> None:
        """Be in a room: hear of every change, and play."""
        room = await registry.find(code)
        if room is None:
            await socket.close()
            return
        key, who = _key(socket), address(dict(socket.scope))
        if registry.admits(room, key, who):
            with registry.connection(who):
                await Connection(socket, room, key).stay()
        else:
            await socket.accept()
            await socket.close(CROWDED)


async def _found(registry: RoomRegistry, code: str) -> Room:
    if room := await registry.find(code):
        return room
    raise HTTPException(404)


def _key(asker: HTTPConnection) -> str | None:
    """By what someone is known who has a seat."""
    token = asker.cookies.get(COOKIE)
    return None if token is None else key_of(token)


def _seated(request: Request, response: Response, room: Room, token: str) -> Seated:
    """Give someone the proof of a seat, which no script and no other page can read."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=LONGEST,
        path=f"{request.scope['root_path']}/v1/rooms/{room.code}",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    seat = room.room_game.seat_of(key_of(token))
    assert seat is not None
    return Seated(name=room.code, seat=seat)
