"""What travels in a room: what people ask for, and what they are told."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter

from papan.core.record import End
from papan.web.boards import Board
from papan.web.wire import PositionText, Strict

CODE = "^[a-z2-7]{4}(-[a-z2-7]{4}){3}$"
"""The form of a room's code: 80 bits, in letters and digits that nobody mistakes for each other."""

Wish: TypeAlias = Literal["takeback", "rematch"]
"""What one player may ask the other for."""


class Timing(Strict):
    """The time that each player has."""

    minutes: Annotated[float, Field(gt=0, le=180)]
    increment: Annotated[float, Field(ge=0, le=180)] = 0
    """Seconds that a player gains when the turn passes on."""


class NewRoom(Strict):
    """A room to make."""

    start: PositionText
    """A game such as ``connect4``, or a position."""
    seat: Literal["first", "second", "any"] = "any"
    """Where the maker sits."""
    clock: Timing | None = None


class MoveMade(Strict):
    """A move; *ply* counts the moves before it, so that none is made by accident."""

    t: Literal["move"]
    move: Annotated[str, Field(min_length=1, max_length=20)]
    ply: Annotated[int, Field(ge=0, lt=100_000)]


class Resigned(Strict):
    """A player gives up."""

    t: Literal["resign"]


class Asked(Strict):
    """A player asks the other one for something; who has been asked the same agrees by it."""

    t: Literal["ask"]
    what: Wish


class Agreed(Strict):
    """The other player agrees."""

    t: Literal["agree"]
    what: Wish


class Declined(Strict):
    """The other player does not agree, or the one who asked takes it back."""

    t: Literal["decline"]


class Ping(Strict):
    """A page asks whether the server still listens."""

    t: Literal["ping"]


Order: TypeAlias = MoveMade | Resigned | Asked | Agreed | Declined
ORDERS: TypeAdapter[Order | Ping] = TypeAdapter(
    Annotated[Order | Ping, Field(discriminator="t")],
)


class Asking(BaseModel):
    """What a player has asked the other one for."""

    what: Wish
    seat: int


class RoomClock(BaseModel):
    """What the clocks show."""

    seconds: float
    increment: float
    left: tuple[float, float]
    running: int | None


class Standing(BaseModel):
    """How things stand in a room, apart from the board."""

    taken: tuple[bool, bool]
    present: tuple[bool, bool]
    spectators: int
    end: End
    winner: int | None
    blame: int | None
    """The seat (0, 1) that resigned or ran out of time."""
    asks: Asking | None
    clock: RoomClock | None
    games: int
    """How many games were begun here."""


class RoomState(BaseModel):
    """Everything that a page needs to show a room."""

    name: str
    """The code of the room."""
    seat: int | None
    """Where the one who asks sits; nowhere, for a spectator."""
    room: Standing
    board: Board


class Seated(BaseModel):
    """A room and the seat that one has in it; the cookie proves it."""

    name: str
    """The code of the room, which its link ends with."""
    seat: int
