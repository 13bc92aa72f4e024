"""Routes of rooms: create one, look at it, take a seat; and the WebSocket through which people
play.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from math import ceil
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from pydantic import BaseModel, ValidationError
from starlette.requests import HTTPConnection
from starlette.status import (
    WS_1003_UNSUPPORTED_DATA,
    WS_1008_POLICY_VIOLATION,
    WS_1013_TRY_AGAIN_LATER,
)
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.core import PapanError
from papan.core.errors import in_one_line
from papan.core.message import Message
from papan.web.boards import PositionCache
from papan.web.guard import LOGGER, AddressSlots, TokenBuckets, client_address
from papan.web.network import own_addresses, qr_code
from papan.web.owner import token_hash
from papan.web.room_game import (
    MESSAGE_FORM,
    ROOM_CODE,
    SHORT_CODE,
    NewRoom,
    Ping,
    RoomState,
    Seated,
    Sitting,
)
from papan.web.rooms import DrawnBoard, GameRoom, RoomRegistry
from papan.web.settings import LOOPBACK, MESSAGE_SECONDS, MESSAGES, ServerSettings
from papan.web.wire import Refused, error_body, file_answers

MOST_UNREAD = 20
"""Largest number of unsent answers to a client that does not read; further ones are dropped."""
DISCONNECTED = (WebSocketDisconnect, RuntimeError)
"""Exceptions raised when the peer has disconnected."""
COOKIE = "papan_seat"
SHORT_LENGTH = 7
"""Characters of a short code, with its dash."""
GUESSES, MOST_GUESSES = 1, 20
"""Short codes that an address may try: a second on average, and at once."""
COOKIE_SECONDS = 400 * 24 * 60 * 60
"""Lifetime of a seat's cookie: the longest that browsers allow."""

Slot = Callable[[], AbstractAsyncContextManager[None]]
"""Returns a context in which a client address holds one of the threads that it may use at a time,
for boards can be large.
"""


class Reach(BaseModel):
    """Whether other machines reach this server, and how they could."""

    alone: bool
    """True if only this machine reaches it."""
    addresses: list[str]
    """IPv4 addresses of this machine at which it could serve others; empty if it does so
    already.
    """


def reach_of(settings: ServerSettings) -> Reach:
    """Return whether other machines reach a server with *settings*, and if not, the addresses at
    which they could.
    """
    alone = set(settings.hosts) <= set(LOOPBACK)
    return Reach(alone=alone, addresses=own_addresses() if alone else [])


class RoomConnection:
    """One WebSocket of a visitor of *room*; the holder of a seat may have several.

    *key* is the hash of the seat's token, None for a spectator; *slot* returns the context in which
    it may use a thread (default: no limit).
    """

    def __init__(
        self, socket: WebSocket, room: GameRoom, key: str | None, slot: Slot = nullcontext
    ) -> None:
        self.socket, self.room, self.key, self.slot = socket, room, key, slot
        self._credits = TokenBuckets(MESSAGES / MESSAGE_SECONDS, MESSAGES)
        self._answers: list[str] = []
        self._changed = asyncio.Event()

    def notify(self) -> None:
        """Note that the room has changed, so that its state is sent soon; return without
        waiting.
        """
        self._changed.set()

    async def run(self) -> None:
        """Accept the WebSocket, carry out its orders and send changes of the room until the
        connection ends.

        Close it with 1008 after too many messages, with 1003 after one that is no text. The
        connection is a visitor of the room meanwhile.
        """
        self.room.enter(self)  # before the first await, so that the next visitor is counted right
        try:
            await self.socket.accept()
        except BaseException:
            self.room.leave(self)
            raise
        sending = asyncio.create_task(self._send())
        try:
            code = await self._receive()
            if code is not None:
                with suppress(*DISCONNECTED):
                    await self.socket.close(code)
        finally:
            self.room.leave(self)
            sending.cancel()
            await asyncio.wait([sending])

    async def _receive(self) -> int | None:
        """Carry out messages until the connection ends.

        Return the WebSocket close code if a message was forbidden, or None if the client left.
        """
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return None
            if self._credits.wait(""):
                return WS_1008_POLICY_VIOLATION
            if message.get("text") is None:
                return WS_1003_UNSUPPORTED_DATA
            if answer := await self._answer(message["text"]):
                self._answers = [*self._answers, json.dumps(answer)][:MOST_UNREAD]
                self.notify()

    async def _answer(self, text: str) -> dict[str, Any] | None:
        """Carry out the JSON message *text* and return its answer as JSON data: ``pong`` or
        ``refused``.

        None if an order succeeded: the new state of the room is the answer then. Never raises for a
        bad message.
        """
        try:
            order = MESSAGE_FORM.validate_json(text)
            if isinstance(order, Ping):
                return {"t": "pong"}
            async with self.slot():
                await self.room.order(order, self.key)
        except ValidationError as error:
            problem = error.errors()[0]["msg"][:200]
            return _refused(Message("room.not_understood", {"problem": problem}))
        except PapanError as error:
            return _refused(error.shown)
        except Exception as error:  # a fault in the rules of a plug-in
            return _failed("room.failed", error)
        return None

    async def _send(self) -> None:
        """Send answers and the latest state after each change, until it is cancelled or the peer is
        gone.

        A client that reads slowly skips states between.
        """
        version = -1
        seen: DrawnBoard | None = None
        with suppress(*DISCONNECTED):  # `_receive` ends the connection
            while True:
                await self._changed.wait()
                self._changed.clear()
                answers, self._answers = self._answers, []
                for answer in answers:
                    await self.socket.send_text(answer)
                if version != self.room.version:
                    version = self.room.version
                    try:
                        async with self.slot():
                            text, seen = await self.room.state_json(self.key, seen)
                    except Exception as error:  # a fault in the drawing of a plug-in
                        text = json.dumps(_failed("room.cannot_show", error))
                    await self.socket.send_text(text)


def _refused(message: Message) -> dict[str, Any]:
    return {"t": "refused", **error_body(message)}


def _failed(key: str, error: Exception) -> dict[str, Any]:
    """Log *error*, a fault of a game, with its traceback, and return the ``refused`` message for
    the client.

    *key* is the key of the message's text, which is filled with *error*, cut to 200 characters.
    """
    LOGGER.exception("a game failed")
    return _refused(Message(key, {"error": in_one_line(error)[:200]}))


def any_code(code: str) -> str:
    """Return *code* if it has the form of a room code, ``abcd-efgh-ijkl-mnop`` or ``abc-def``.

    Raise Refused (404) otherwise; whether there is such a room is not checked.
    """
    if not re.fullmatch(f"{ROOM_CODE}|{SHORT_CODE}", code):
        raise Refused(404, "room.gone")
    return code


def whole_code(code: Annotated[str, Depends(any_code)]) -> str:
    """Return *code* if it has the form of a whole room code ``abcd-efgh-ijkl-mnop``.

    Raise Refused (404) for a short one too, as it can be guessed.
    """
    if len(code) == SHORT_LENGTH:
        raise Refused(404, "room.gone")
    return code


AnyCode = Annotated[str, Depends(any_code)]
WholeCode = Annotated[str, Depends(whole_code)]


def add_rooms(
    api: FastAPI, settings: ServerSettings, positions: PositionCache, threads: AddressSlots
) -> None:
    """Add the routes of rooms to *api*; rooms are stored in the data folder of *settings*.

    *positions* is the server's cache, *threads* limits how many threads an address uses.
    """
    registry = RoomRegistry(settings.data / "rooms", positions, settings.rooms)
    guesses = TokenBuckets(GUESSES, MOST_GUESSES)
    _add_reach(api, settings)

    @api.post("/v1/rooms", tags=["rooms"], status_code=201)
    async def create(wanted: NewRoom, request: Request, response: Response) -> Seated:
        """Create a room for two people, with a seat for the client; return its code and the seat
        with status 201.

        A cookie with the token of the seat is set. Status 429 if the address has too many rooms,
        503 if the server has, 422 if the start is invalid or the room cannot be stored.
        """
        async with threads.slot_of(request.scope):
            room, token = await registry.create(wanted, client_address(dict(request.scope)))
        return _seated(request, response, room, token)

    @api.get("/v1/rooms/{code}", tags=["rooms"])
    async def look(code: AnyCode, request: Request) -> RoomState:
        """Return the state of a room for the client; a short code opens a room that has a free
        seat.

        Status 404 if there is none, 429 if the client's address has sent too many short codes.
        """
        if wait := len(code) == SHORT_LENGTH and guesses.wait(client_address(dict(request.scope))):
            raise Refused(429, "web.too_many", seconds=ceil(wait))
        async with threads.slot_of(request.scope):
            return await (await _find(registry, code)).state(_key(request))

    @api.get(
        "/v1/rooms/{code}/qr",
        tags=["rooms"],
        response_class=Response,
        responses=file_answers("svg"),
    )
    async def picture(code: WholeCode, request: Request) -> Response:
        """Return the link to a room as a QR code in SVG; 404 if there is no such room."""
        link = f"{request.url.scheme}://{request.url.netloc}/room/{code}"
        async with threads.slot_of(request.scope):
            await _find(registry, code)
            drawing = await asyncio.to_thread(qr_code, link)
        return Response(drawing, media_type="image/svg+xml")

    @api.post("/v1/rooms/{code}/seat", tags=["rooms"])
    async def sit(
        code: WholeCode, request: Request, response: Response, sitting: Sitting | None = None
    ) -> Seated:
        """Take the free seat and set a cookie for it, or keep the seat that the client has; return
        it.

        Status 404 if there is no such room, 422 if no seat is free or the room cannot be stored,
        429 if the address has too many rooms.
        """
        room, token = await _find(registry, code), request.cookies.get(COOKIE, "")
        if room.room_game.seat_of(token_hash(token)) is None:
            name = "" if sitting is None else sitting.name
            token = await registry.sit(room, client_address(dict(request.scope)), name)
        return _seated(request, response, room, token)

    @api.websocket("/v1/rooms/{code}/live")
    async def live(socket: WebSocket, code: str) -> None:
        """Send the state of a room whenever it has changed, and carry out the orders of its
        players, until the client leaves.

        A client that reads slowly skips states. Close without accepting if there is no room with
        that whole code, with 1013 if the room or the client's address has too many connections,
        with 1008 after too many messages, with 1003 after one that is no text.
        """
        whole = re.fullmatch(ROOM_CODE, code)  # a short one can be guessed
        room = await registry.find(code) if whole else None
        if room is None:
            await socket.close()
            return
        key, address = _key(socket), client_address(dict(socket.scope))
        if registry.admits(room, key, address):
            with registry.counted(address):
                slot = partial(threads.slot_of, socket.scope)
                await RoomConnection(socket, room, key, slot).run()
        else:
            await socket.accept()
            await socket.close(WS_1013_TRY_AGAIN_LATER)


def _add_reach(api: FastAPI, settings: ServerSettings) -> None:
    @api.get("/v1/network", tags=["rooms"])
    def reach() -> Reach:
        """Return whether other machines reach this server, and the addresses at which they
        could.
        """
        return reach_of(settings)


async def _find(registry: RoomRegistry, code: str) -> GameRoom:
    """Return the room of *registry* with a whole or short code; raise Refused (404) if there is
    none.
    """
    if room := await registry.find(code):
        return room
    raise Refused(404, "room.gone")


def _key(asker: HTTPConnection) -> str | None:
    """Return the hash of the seat token in the cookie of *asker*; None if it has none."""
    token = asker.cookies.get(COOKIE)
    return None if token is None else token_hash(token)


def _seated(request: Request, response: Response, room: GameRoom, token: str) -> Seated:
    """Set in *response* the cookie with the *token* of a seat; return the room's code and that
    seat.

    *token* must hold a seat of *room*.
    """
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        path=f"{request.scope['root_path']}/v1/rooms/{room.code}",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    seat = room.room_game.seat_of(token_hash(token))
    assert seat is not None
    return Seated(name=room.code, seat=seat)
