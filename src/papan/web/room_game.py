"""The game in a room as a value, with its clocks and its file: what may be done, and by whom."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, Field, FiniteFloat, TypeAdapter

from papan.core import PapanError
from papan.core.files import read_regular
from papan.core.record import End, player_name
from papan.core.session import Session, picked_move, rematch
from papan.lab.files import LARGEST_FILE, write_whole
from papan.web.boards import Board, Lines, Reached
from papan.web.owner import same
from papan.web.wire import Facts, PositionText, Strict

CODE = "^[a-z2-7]{4}(-[a-z2-7]{4}){3}$"
"""The form of a room's code: 80 bits, in letters and digits that nobody mistakes for each other."""
SHORT_CODE = "^[a-z2-7]{3}-[a-z2-7]{3}$"
"""The beginning of it, to read out: it opens the room only until both seats are taken, so that
whoever tries codes finds no game, and hardly ever a room."""


def short_code(code: str) -> str:
    """The short code of a room."""
    letters = code.replace("-", "")
    return f"{letters[:3]}-{letters[3:6]}"


Wish: TypeAlias = Literal["takeback", "rematch"]
"""What one player may ask the other for."""


PlayerName: TypeAlias = Annotated[str, Field(max_length=200), AfterValidator(player_name)]


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
    name: PlayerName = ""
    """What the maker is called."""


class Sitting(Strict):
    """Someone who takes a seat."""

    name: PlayerName = ""


class MoveMade(Strict):
    """A move; *ply* counts the moves before it, so that none is made by accident."""

    t: Literal["move"]
    move: Annotated[str, Field(min_length=1, max_length=20)]
    ply: Annotated[int, Field(ge=0, lt=100_000)]


class Wished(Strict):
    """A player asks the other one for something, or agrees; who was asked the same agrees by it."""

    t: Literal["ask", "agree"]
    what: Wish


class Declared(Strict):
    """A player gives up, or does not agree; who has asked takes that back."""

    t: Literal["resign", "decline"]


class Ping(Strict):
    """A page asks whether the server still listens."""

    t: Literal["ping"]


Order: TypeAlias = MoveMade | Wished | Declared
ORDERS: TypeAdapter[Order | Ping] = TypeAdapter(
    Annotated[Order | Ping, Field(discriminator="t")],
)


class Asking(BaseModel):
    """What a player has asked the other one for."""

    what: Wish
    seat: int


class RoomClock(Facts):
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
    names: tuple[str, str]
    """What the players are called; nothing where they have not said so."""


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


FREE_MOVES = 2
"""Nobody's time runs before so many moves are made: the other one may still be on the way."""


@dataclass(frozen=True)
class Clocks:
    """What each player has left, and whose time runs since when."""

    seconds: FiniteFloat
    """What each of them began with."""
    increment: FiniteFloat
    """Seconds that a player gains when the turn passes on."""
    left: tuple[FiniteFloat, FiniteFloat]
    running: Annotated[int, Field(ge=0, le=1)] | None = None
    since: float = 0

    @classmethod
    def fresh(cls, seconds: float, increment: float) -> Clocks:
        """Two full clocks that stand still."""
        return cls(seconds, increment, (seconds, seconds))

    def at(self, now: float) -> tuple[float, float]:
        """What each player has left by now; never below 0."""
        left, gone = [*self.left], max(0.0, now - self.since)
        if self.running is not None:
            left[self.running] = max(0.0, left[self.running] - gone)
        return left[0], left[1]

    def fallen(self, now: float) -> int | None:
        """The seat whose time is over."""
        if self.running is None or self.at(now)[self.running] > 0:
            return None
        return self.running

    def pressed(self, now: float, runs: int | None) -> Clocks:
        """Whose time runs from now on; whoever passes the turn on gains the increment."""
        left = list(self.at(now))
        if self.running is not None and runs == 1 - self.running:
            left[self.running] += self.increment
        return replace(self, left=(left[0], left[1]), running=runs, since=now)

    def held(self, now: float, runs: int | None) -> Clocks:
        """Whose time runs from now on, without a move: nobody gains anything."""
        return replace(self, left=self.at(now), running=runs, since=now)


Keys = tuple[str | None, str | None]
Seat = Annotated[int, Field(ge=0, le=1)]
"""What is read from a file is checked: see `papan.web.room_game`."""


def opened(start: str, clocks: Clocks | None, lines: Lines) -> RoomGame:
    """A game in which nobody has a seat yet; raises where two people cannot play."""
    _, position = lines.reach(start, "")
    if position.game.seats != 2:
        raise PapanError("room.for_two", game=position.game.spec)
    if not position.moves():
        raise PapanError("error.nothing_to_play", position=str(position))
    return RoomGame(start, clocks=clocks)


@dataclass(frozen=True)
class RoomGame:
    """Who has which seat, and the game so far. Each change gives another value, or raises."""

    start: str
    keys: Keys = (None, None)
    """For each seat, by what its holder is known."""
    moves: tuple[str, ...] = ()
    given_up: tuple[End, Seat] | None = None
    """How a seat ended the game by itself."""
    asks: tuple[Wish, Seat] | None = None
    """What a seat asks the other one for."""
    clocks: Clocks | None = None
    games: int = 1
    over: bool = False
    """Did the last move end the game?"""
    names: tuple[str, str] = ("", "")
    """What the holders of the seats are called."""

    def seat_of(self, key: str | None) -> int | None:
        """Where the holder of *key* sits."""
        holders = enumerate(self.keys)
        return next((seat for seat, holder in holders if same(key, holder)), None)

    def seated(self, key: str, wanted: int | None = None, name: str = "") -> RoomGame:
        """Someone takes a free seat; who has one keeps it."""
        if self.seat_of(key) is not None:
            return self
        free = [seat for seat, holder in enumerate(self.keys) if holder is None]
        if not free:
            raise PapanError("room.taken")
        seat = wanted if wanted in free else free[0]
        keys = (key, self.keys[1]) if seat == 0 else (self.keys[0], key)
        names = (name, self.names[1]) if seat == 0 else (self.names[0], name)
        return replace(self, keys=keys, names=names)

    def reached(self, lines: Lines) -> Reached:
        """Every ply, and the position after them."""
        return lines.reach(self.start, " ".join(self.moves))

    def session(self, lines: Lines) -> Session:
        """The game in progress, with a person on each seat."""
        plies, position = self.reached(lines)
        session = Session(plies[0][0] if plies else position, (None, None), plies)
        session.names = self.names
        if self.given_up:
            session.give_up(*self.given_up)
        return session

    def after(self, order: Order, seat: int, lines: Lines, now: float) -> RoomGame:
        """What comes of something that the holder of *seat* wants; raises where it may not be."""
        if isinstance(order, MoveMade):
            return self._played(order, seat, lines, now)
        if isinstance(order, Wished):
            wished = self._asked if order.t == "ask" else self._agreed
            return wished(order.what, seat, lines, now)
        if order.t == "decline":
            return replace(self, asks=None)
        self._in_play(lines)
        return self.ended("resigned", seat, now)

    def late(self, now: float) -> RoomGame:
        """The same game, or the one in which somebody's time is over."""
        seat = self.clocks.fallen(now) if self.clocks and not self.given_up else None
        return self if seat is None else self.ended("timeout", seat, now)

    def ended(self, end: End, seat: int, now: float) -> RoomGame:
        """The game is over by the doing of *seat*."""
        clocks = self.clocks and self.clocks.held(now, None)
        return replace(self, given_up=(end, seat), asks=None, clocks=clocks)

    def _in_play(self, lines: Lines) -> Session:
        session = self.session(lines)
        if session.end != "open":
            raise PapanError("room.over")
        if None in self.keys:
            raise PapanError("room.alone")
        return session

    def _played(self, order: MoveMade, seat: int, lines: Lines, now: float) -> RoomGame:
        session = self._in_play(lines)
        if session.position.turn != seat:
            raise PapanError("room.not_your_turn")
        if order.ply != len(self.moves):
            raise PapanError("room.stale")
        session.play(picked_move(session.position, order.move.strip()))
        over = session.end != "open"
        runs = None if over or len(session.moves) < FREE_MOVES else session.position.turn
        clocks = self.clocks and self.clocks.pressed(now, runs)
        return replace(self, moves=session.moves, asks=None, clocks=clocks, over=over)

    def _asked(self, what: Wish, seat: int, lines: Lines, now: float) -> RoomGame:
        if self.asks == (what, 1 - seat):
            return self._agreed(what, seat, lines, now)
        if what == "rematch":
            if self.session(lines).end == "open":
                raise PapanError("room.not_over")
        else:
            self._taken_back(self._in_play(lines), seat)
        if self.asks is not None and self.asks[1] != seat:
            raise PapanError("room.answer_first")
        return replace(self, asks=(what, seat))

    def _agreed(self, what: Wish, seat: int, lines: Lines, now: float) -> RoomGame:
        if self.asks != (what, 1 - seat):
            raise PapanError("room.not_asked")
        if what == "rematch":
            return self._rematch(lines)
        moves = self._taken_back(self.session(lines), 1 - seat)
        runs = 1 - seat if len(moves) >= FREE_MOVES else None
        clocks = self.clocks and self.clocks.held(now, runs)
        return replace(self, moves=moves, asks=None, clocks=clocks)

    def _taken_back(self, session: Session, seat: int) -> tuple[str, ...]:
        """The moves before the last one of *seat*."""
        if not session.take_back(seat):
            raise PapanError("room.no_move_yet")
        return session.moves

    def _rematch(self, lines: Lines) -> RoomGame:
        """The same game once more with the seats swapped, dealt anew where there is chance."""
        again = rematch(self.session(lines), secrets.randbelow(10**6))
        start = again.game.spec if again.start == again.game.start() else self.start
        clocks = self.clocks and Clocks.fresh(self.clocks.seconds, self.clocks.increment)
        keys, names = self.keys[::-1], self.names[::-1]
        return RoomGame(start, keys, clocks=clocks, games=self.games + 1, names=names)


@dataclass(frozen=True)
class SavedRoom:
    """What a file holds."""

    version: Literal[1]
    table: RoomGame
    """The game; files of earlier versions call it so, too."""


FORM = TypeAdapter(SavedRoom)


class RoomStore:
    """A folder of rooms. The time on their clocks is that of *clock*."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self.folder, self.clock = folder, clock

    def keep(self, code: str, room_game: RoomGame) -> None:
        """Write a room, its clocks as of now; raises where the disk refuses it."""
        clocks = room_game.clocks
        clocks = clocks and clocks.held(self.clock(), clocks.running)
        saved = SavedRoom(1, replace(room_game, clocks=clocks))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(code), FORM.dump_json(saved))
        except OSError as error:
            raise PapanError("room.cannot_keep", why=error.strerror) from error

    def forget(self, code: str) -> None:
        """Take a room away."""
        with suppress(OSError):
            self._path(code).unlink()

    def rooms(self) -> Iterator[tuple[str, RoomGame, float]]:
        """Every room that can be read: its code, its game, and when it last changed.

        Files know that by the calendar, which may be set back; from now on *clock* counts. Nobody
        pays for the time that the server was away.
        """
        for path in sorted(self.folder.glob("*.json")):
            with suppress(OSError, ValueError):
                if re.fullmatch(CODE, path.stem):
                    saved = FORM.validate_json(read_regular(path, LARGEST_FILE)).table
                    clocks = saved.clocks and replace(saved.clocks, since=self.clock())
                    quiet = max(0.0, time() - path.stat().st_mtime)
                    yield path.stem, replace(saved, clocks=clocks), self.clock() - quiet

    def _path(self, code: str) -> Path:
        return self.folder / f"{code}.json"
