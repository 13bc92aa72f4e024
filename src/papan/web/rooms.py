"""Rooms: made within bounds, with people on seats and watching, who play and are told."""

from __future__ import annotations

import asyncio
import io
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Protocol

from fastapi import Depends, FastAPI, Request, Response
from pydantic import ValidationError
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.core import PapanError
from papan.core.errors import in_one_line
from papan.core.message import Message
from papan.web.boards import Board, Lines, board
from papan.web.guard import LOGGER, Buckets, Turns, address
from papan.web.owner import key_of, new_code, new_token
from papan.web.room_game import (
    CODE,
    ORDERS,
    SHORT_CODE,
    Asking,
    Clocks,
    NewRoom,
    Order,
    Ping,
    RoomClock,
    RoomGame,
    RoomState,
    RoomStore,
    Seated,
    Sitting,
    Standing,
    opened,
    short_code,
)
from papan.web.settings import MESSAGE_SECONDS, MESSAGES, Bounds, Settings
from papan.web.wire import Refused, as_file, complaint

TICK = 0.02
"""Seconds after which a flag that should have fallen has certainly done so."""


class Present(Protocol):
    """Someone in a room."""

    key: str | None

    def notify(self) -> None:
        """Hear that something has changed."""


@dataclass(frozen=True)
class Picture:
    """A board as it is shown, with its text, which is the same for everybody."""

    game: tuple[int, tuple[str, ...]]
    board: Board
    text: str


class Room:
    """Where a game is played; changes come one after the other, and are on the disk when told."""

    def __init__(
        self, code: str, room_game: RoomGame, lines: Lines, store: RoomStore, touched: float = 0
    ) -> None:
        self.code, self.room_game, self.touched = code, room_game, touched
        self.lines, self.store = lines, store
        self.addresses = {f"seat {seat}" for seat, key in enumerate(room_game.keys) if key}
        """Where its players come from; those that sat down at an earlier server, by their seats."""
        self.version = 0
        self.people: set[Present] = set()
        self._picture: Picture | None = None
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._ringing: asyncio.Task[None] | None = None

    @property
    def waits(self) -> bool:
        """Would nobody miss it? No one is here, and no game is being played."""
        room_game = self.room_game
        ended = bool(room_game.given_up) or room_game.over
        return not self.people and (None in room_game.keys or ended or not self.played)

    @property
    def played(self) -> bool:
        """Has a game come about: is there a move, and do the players come from two addresses?"""
        begun = bool(self.room_game.moves) or self.room_game.games > 1
        return begun and len(self.addresses) > 1

    def enter(self, someone: Present) -> None:
        """Someone comes in; everybody hears of it."""
        self.people.add(someone)
        self._broadcast()
        self._wind()

    def leave(self, someone: Present) -> None:
        """Someone goes, without any harm to the game."""
        self.people.discard(someone)
        if not self.people:
            self._picture = None  # pictures of large boards are large
        self._broadcast()

    async def order(self, order: Order, key: str | None) -> None:
        """Do what somebody wants; raises, and changes nothing, where it may not be."""

        def done(room_game: RoomGame) -> RoomGame:
            seat, now = room_game.seat_of(key), self.store.clock()
            if seat is None:
                raise PapanError("room.watching")
            return room_game.late(now).after(order, seat, self.lines, now)

        await self.change(done)

    async def change(self, act: Callable[[RoomGame], RoomGame]) -> None:
        """Put another game state in place of this one, first on the disk."""
        async with self._lock:
            room_game = await asyncio.to_thread(act, self.room_game)
            if room_game == self.room_game:
                return
            await asyncio.to_thread(self.store.keep, self.code, room_game)
            self.room_game = room_game
        self._broadcast()
        self._wind()

    async def view(self) -> tuple[RoomGame, Picture]:
        """The game as it is, and its board."""
        async with self._lock:
            game = self.room_game.games, self.room_game.moves
            picture = self._picture
            if picture is None or picture.game != game:
                picture = await asyncio.to_thread(self._draw, game)
                self._picture = picture if self.people else None
            return self.room_game, picture

    async def state(self, key: str | None) -> RoomState:
        """Everything, as the holder of *key* sees it."""
        room_game, picture = await self.view()
        return self._state(room_game, picture.board, key)

    async def news(self, key: str | None, seen: Picture | None) -> tuple[str, Picture]:
        """The newest state as text; without the board, where it is the one that was *seen*."""
        room_game, picture = await self.view()
        state = self._state(room_game, picture.board, key)
        rest = state.model_dump_json(exclude={"board"})[1:-1]
        if picture is seen:
            return f'{{"t":"room",{rest}}}', picture
        return f'{{"t":"state",{rest},"board":{picture.text}}}', picture

    def _state(self, room_game: RoomGame, board: Board, key: str | None) -> RoomState:
        """How things stand in the game, with its *board*, for the holder of *key*."""
        end, blame = room_game.given_up or (board.end, None)
        seats = [room_game.seat_of(each.key) for each in self.people]
        clocks = room_game.clocks
        left = clocks.at(self.store.clock()) if clocks else None
        standing = Standing(
            taken=(room_game.keys[0] is not None, room_game.keys[1] is not None),
            present=(0 in seats, 1 in seats),
            spectators=seats.count(None),
            end=end,
            winner=board.winner if blame is None else 1 - blame,
            blame=blame,
            asks=room_game.asks and Asking(what=room_game.asks[0], seat=room_game.asks[1]),
            clock=RoomClock.of(clocks, left=left) if clocks else None,
            games=room_game.games,
            names=room_game.names,
        )
        return RoomState(name=self.code, seat=room_game.seat_of(key), room=standing, board=board)

    def _draw(self, game: tuple[int, tuple[str, ...]]) -> Picture:
        drawn = board(*self.room_game.reached(self.lines))
        return Picture(game, drawn, drawn.model_dump_json())

    def _broadcast(self) -> None:
        self.version += 1
        self.touched = self.store.clock()
        for each in self.people:
            each.notify()

    def _wind(self) -> None:
        """Set the alarm for the moment when the running time is over."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        clocks = self.room_game.clocks
        if clocks is None or clocks.running is None:
            return
        left = clocks.at(self.store.clock())[clocks.running]
        self._alarm = asyncio.get_running_loop().call_later(left + TICK, self._ring)

    def _ring(self) -> None:
        self._ringing = asyncio.ensure_future(self._over())

    async def _over(self) -> None:
        with suppress(PapanError):  # where the disk is full, the game waits for its next order
            await self.change(lambda room_game: room_game.late(self.store.clock()))


UNHEARD = 20
"""How many answers wait for someone who does not listen; there are no more."""
UNSUPPORTED, FLOOD = 1003, 1008
GONE = (WebSocketDisconnect, RuntimeError)
"""What it means to tell someone something who is not there any more."""


Turn = Callable[[], AbstractAsyncContextManager[None]]
"""Within it, it is the turn of an address: the boards of rooms can be large."""


class Connection:
    """One connection. Who holds a seat may have several."""

    def __init__(
        self, socket: WebSocket, room: Room, key: str | None, turn: Turn = nullcontext
    ) -> None:
        self.socket, self.room, self.key, self.turn = socket, room, key, turn
        self._credits = Buckets(MESSAGES / MESSAGE_SECONDS, MESSAGES)
        self._answers: list[str] = []
        self._changed = asyncio.Event()

    def notify(self) -> None:
        """Something has changed: tell it soon."""
        self._changed.set()

    async def stay(self) -> None:
        """Listen and tell until the connection ends."""
        self.room.enter(self)  # before anything is awaited: whoever comes next finds them counted
        try:
            await self.socket.accept()
        except BaseException:
            self.room.leave(self)
            raise
        sending = asyncio.create_task(self._send())
        try:
            code = await self._listen()
            if code is not None:
                with suppress(*GONE):
                    await self.socket.close(code)
        finally:
            self.room.leave(self)
            sending.cancel()
            await asyncio.wait([sending])

    async def _listen(self) -> int | None:
        """Hear messages; the code to close with, where they go too far."""
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return None
            if self._credits.wait(""):
                return FLOOD
            if message.get("text") is None:
                return UNSUPPORTED
            if answer := await self._answer(message["text"]):
                self._answers = [*self._answers, json.dumps(answer)][:UNHEARD]
                self.notify()

    async def _answer(self, text: str) -> dict[str, Any] | None:
        """Do what a message asks for; what to say to it, if anything."""
        try:
            order = ORDERS.validate_json(text)
            if isinstance(order, Ping):
                return {"t": "pong"}
            async with self.turn():
                await self.room.order(order, self.key)
        except ValidationError as error:
            problem = error.errors()[0]["msg"][:200]
            return {
                "t": "refused",
                **complaint(Message("room.not_understood", {"problem": problem})),
            }
        except PapanError as error:
            return {"t": "refused", **complaint(error.shown)}
        except Exception as error:  # the rules of a plug-in
            return _failure("room.failed", error)
        return None

    async def _send(self) -> None:
        """Tell the newest state whenever there is one: who is slow misses some, and never lags."""
        version = -1
        seen: Picture | None = None
        with suppress(*GONE):  # whoever listens hears of it too
            while True:
                await self._changed.wait()
                self._changed.clear()
                answers, self._answers = self._answers, []
                for answer in answers:
                    await self.socket.send_text(answer)
                if version != self.room.version:
                    version = self.room.version
                    try:
                        async with self.turn():
                            text, seen = await self.room.news(self.key, seen)
                    except Exception as error:  # the drawing of a plug-in
                        text = json.dumps(_failure("room.cannot_show", error))
                    await self.socket.send_text(text)


def _failure(key: str, error: Exception) -> dict[str, Any]:
    """What people are told where a game itself fails; whoever runs the server reads the rest."""
    LOGGER.exception("a game failed")
    values = {"error": in_one_line(error)[:200]}
    return {"t": "refused", **complaint(Message(key, values))}


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
        room = self.rooms.get(code) or self._waiting(code)
        if room is not None:
            with suppress(PapanError):  # a game of a plug-in that is not there any more
                await asyncio.to_thread(room.room_game.reached, self.lines)
                return room
        return None

    def _waiting(self, short: str) -> Room | None:
        """The room of a short code, while a seat is free there."""
        free = (room for room in self.rooms.values() if None in room.room_game.keys)
        return next((room for room in free if short_code(room.code) == short), None)

    def _new_code(self) -> str:
        """A code whose beginning is that of no other room."""
        taken = {short_code(code) for code in self.rooms}
        return next(code for code in iter(new_code, "") if short_code(code) not in taken)

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
        room = Room(self._new_code(), room_game, self.lines, self.store, self.store.clock())
        room.addresses.add(maker)
        self.rooms[room.code] = room
        try:
            await room.change(lambda empty: empty.seated(key_of(token), seat, wanted.name))
        except BaseException:
            del self.rooms[room.code]
            raise
        return room, token

    async def sit(self, room: Room, who: str, name: str = "") -> str:
        """The token of the free seat, for someone who comes from an address."""
        self._check_share(who, room)
        token = new_token()
        await room.change(lambda room_game: room_game.seated(key_of(token), name=name))
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
SHORT = 7
"""How long a short code is, with its dash."""
GUESSES, MOST_GUESSES = 1, 20
"""How many short codes an address may try: so many a second, and so many at once."""


def any_code(code: str) -> str:
    """A code as rooms have them, whole or short; what is none belongs to no room."""
    if not re.fullmatch(f"{CODE}|{SHORT_CODE}", code):
        raise Refused(404, "room.gone")
    return code


def whole_code(code: Annotated[str, Depends(any_code)]) -> str:
    """A whole code: a short one, which can be guessed, opens nothing here."""
    if len(code) == SHORT:
        raise Refused(404, "room.gone")
    return code


AnyCode = Annotated[str, Depends(any_code)]
Code = Annotated[str, Depends(whole_code)]
CROWDED = 1013
LONGEST = 400 * 24 * 60 * 60
"""Seconds for which browsers keep a cookie at most: a game may last as long as it is played."""


def add_rooms(api: FastAPI, settings: Settings, lines: Lines, threads: Turns) -> None:
    """Let *api* have rooms, which are kept in the folder of the server."""
    registry = RoomRegistry(settings.data / "rooms", lines, settings.rooms)
    guesses = Buckets(GUESSES, MOST_GUESSES)

    @api.post("/v1/rooms", tags=["rooms"], status_code=201)
    async def make(wanted: NewRoom, request: Request, response: Response) -> Seated:
        """A room for two people, and a seat in it for who makes it."""
        async with threads.of(request.scope):
            room, token = await registry.make(wanted, address(dict(request.scope)))
        return _seated(request, response, room, token)

    @api.get("/v1/rooms/{code}", tags=["rooms"])
    async def look(code: AnyCode, request: Request) -> RoomState:
        """Everything about a room, as who asks may see it; a short code finds who waits."""
        if wait := len(code) == SHORT and guesses.wait(address(dict(request.scope))):
            raise Refused(429, "web.too_many", seconds=ceil(wait))
        async with threads.of(request.scope):
            return await (await _found(registry, code)).state(_key(request))

    @api.get(
        "/v1/rooms/{code}/qr",
        tags=["rooms"],
        response_class=Response,
        responses=as_file("svg"),
    )
    async def picture(code: Code, request: Request) -> Response:
        """The link to a room as a picture that phones read (QR)."""
        link = f"{request.url.scheme}://{request.url.netloc}/room/{code}"
        async with threads.of(request.scope):
            await _found(registry, code)
            drawing = await asyncio.to_thread(_qr, link)
        return Response(drawing, media_type="image/svg+xml")

    @api.post("/v1/rooms/{code}/seat", tags=["rooms"])
    async def sit(
        code: Code, request: Request, response: Response, sitting: Sitting | None = None
    ) -> Seated:
        """Sit down on the free seat; who has one already keeps it."""
        room, token = await _found(registry, code), request.cookies.get(COOKIE, "")
        if room.room_game.seat_of(key_of(token)) is None:
            name = "" if sitting is None else sitting.name
            token = await registry.sit(room, address(dict(request.scope)), name)
        return _seated(request, response, room, token)

    @api.websocket("/v1/rooms/{code}/live")
    async def live(socket: WebSocket, code: str) -> None:
        """Be in a room: hear of every change, and play."""
        whole = re.fullmatch(CODE, code)  # a short one can be guessed, and opens nothing here
        room = await registry.find(code) if whole else None
        if room is None:
            await socket.close()
            return
        key, who = _key(socket), address(dict(socket.scope))
        if registry.admits(room, key, who):
            with registry.connection(who):
                await Connection(socket, room, key, partial(threads.of, socket.scope)).stay()
        else:
            await socket.accept()
            await socket.close(CROWDED)


def _qr(text: str) -> bytes:
    import segno

    drawing = io.BytesIO()
    segno.make(text, micro=False).save(drawing, kind="svg", xmldecl=False, omitsize=True, border=3)
    return drawing.getvalue()


async def _found(registry: RoomRegistry, code: str) -> Room:
    if room := await registry.find(code):
        return room
    raise Refused(404, "room.gone")


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
