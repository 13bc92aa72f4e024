"""The routes of rooms: make one, look into it, sit down, and be there."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Path, Request, Response, WebSocket
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from papan.web.answers import BODY, refusals
from papan.web.boards import Lines
from papan.web.guard import address
from papan.web.rooms.guest import Guest
from papan.web.rooms.keys import key_of
from papan.web.rooms.messages import CODE, NewRoom, RoomState, Seated
from papan.web.rooms.registry import RoomRegistry
from papan.web.rooms.room import Room
from papan.web.settings import Settings

COOKIE = "papan_seat"
Code = Annotated[str, Path(pattern=CODE)]
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
                await Guest(socket, room, key).stay()
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
