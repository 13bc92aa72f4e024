"""A room: its game, who is in it, what is heard from them, and what they are told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.core import PapanError
from papan.web.boards import Board, Lines, board
from papan.web.guard import Buckets
from papan.web.log import LOGGER
from papan.web.rooms.messages import ORDERS, Asking, Order, Ping, RoomClock, RoomState, Standing
from papan.web.rooms.room_game import Clocks, RoomGame, RoomStore
from papan.web.settings import MESSAGE_SECONDS, MESSAGES
from papan.web.wire import complaint


def _faces(clocks: Clocks, now: float) -> RoomClock:
    return RoomClock(
        seconds=clocks.seconds,
        increment=clocks.increment,
        left=clocks.at(now),
        running=clocks.running,
    )


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
        room = self._standing(room_game, picture.board)
        return RoomState(
            name=self.code, seat=room_game.seat_of(key), room=room, board=picture.board
        )

    async def news(self, key: str | None, seen: Picture | None) -> tuple[str, Picture]:
        """The newest state as text; without the board, where it is the one that was *seen*."""
        room_game, picture = await self.view()
        room = self._standing(room_game, picture.board)
        facts = {"name": json.dumps(self.code), "seat": json.dumps(room_game.seat_of(key))}
        facts |= {"room": room.model_dump_json()}
        if picture is seen:
            return _joined({"t": '"room"'} | facts), picture
        return _joined({"t": '"state"'} | facts | {"board": picture.text}), picture

    def _standing(self, room_game: RoomGame, board: Board) -> Standing:
        """How things stand in the game, apart from its *board*."""
        end, blame = room_game.given_up or (board.end, None)
        seats = [room_game.seat_of(each.key) for each in self.people]
        clocks = room_game.clocks
        return Standing(
            taken=(room_game.keys[0] is not None, room_game.keys[1] is not None),
            present=(0 in seats, 1 in seats),
            spectators=seats.count(None),
            end=end,
            winner=board.winner if blame is None else 1 - blame,
            blame=blame,
            asks=room_game.asks and Asking(what=room_game.asks[0], seat=room_game.asks[1]),
            clock=None if clocks is None else _faces(clocks, self.store.clock()),
            games=room_game.games,
        )

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


def _joined(parts: dict[str, str]) -> str:
    """An object of parts that are JSON already: a board is written once for everybody."""
    return "{" + ",".join(f'"{name}":{text}' for name, text in parts.items()) + "}"


UNHEARD = 20
"""How many answers wait for someone who does not listen; there are no more."""
UNSUPPORTED, FLOOD = 1003, 1008
GONE = (WebSocketDisconnect, RuntimeError)
"""What it means to tell someone something who is not there any more."""


class Connection:
    """One connection. Who holds a seat may have several."""

    def __init__(self, socket: WebSocket, room: Room, key: str | None) -> None:
        self.socket, self.room, self.key = socket, room, key
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
            await self.room.order(order, self.key)
        except ValidationError as error:
            problem = error.errors()[0]["msg"][:200]
            return {"t": "refused", **complaint("room.not_understood", {"problem": problem})}
        except PapanError as error:
            return {"t": "refused", **complaint(error.key, error.shown)}
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
                        text, seen = await self.room.news(self.key, seen)
                    except Exception as error:  # the drawing of a plug-in
                        text = json.dumps(_failure("room.cannot_show", error))
                    await self.socket.send_text(text)


def _failure(key: str, error: Exception) -> dict[str, Any]:
    """What people are told where a game itself fails; whoever runs the server reads the rest."""
    LOGGER.exception("a game failed")
    values = {"error": f"{type(error).__name__}: {error}"[:200]}
    return {"t": "refused", **complaint(key, values)}
