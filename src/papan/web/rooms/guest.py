"""Someone who is connected to a room: what is heard from them, and what they are told."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.core import PapanError
from papan.web.guard import complaint
from papan.web.limits import Buckets
from papan.web.log import LOGGER
from papan.web.rooms.messages import ORDERS, Ping
from papan.web.rooms.room import Picture, Room
from papan.web.settings import MESSAGE_SECONDS, MESSAGES

UNHEARD = 20
"""How many answers wait for someone who does not listen; there are no more."""
UNSUPPORTED, FLOOD = 1003, 1008
GONE = (WebSocketDisconnect, RuntimeError)
"""What it means to tell someone something who is not there any more."""


class Guest:
    """One connection. Who holds a seat may have several."""

    def __init__(self, socket: WebSocket, room: Room, key: str | None) -> None:
        self.socket, self.room, self.key = socket, room, key
        self._credits = Buckets(MESSAGES / MESSAGE_SECONDS, MESSAGES)
        self._answers: list[str] = []
        self._stirred = asyncio.Event()

    def stir(self) -> None:
        """Something has changed: tell it soon."""
        self._stirred.set()

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
                self.stir()

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
                await self._stirred.wait()
                self._stirred.clear()
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
