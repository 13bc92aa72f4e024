"""The game in a room as a frozen value (seats, moves, clocks, requests of players), and its
file.
"""

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
from papan.lab.files import LONGEST_RECORD, write_whole
from papan.web.boards import BoardFacts, PositionCache, Reached
from papan.web.owner import same_key
from papan.web.wire import Facts, PositionText, Strict

ROOM_CODE = "^[a-z2-7]{4}(-[a-z2-7]{4}){3}$"
"""Pattern of a room's code: 80 bits in base 32, whose letters and digits do not look alike."""
SHORT_CODE = "^[a-z2-7]{3}-[a-z2-7]{3}$"
"""Pattern of the first six letters of a code, to be read aloud: they open the room only while a
seat is free, so that guessing codes finds no game.
"""


def short_code(code: str) -> str:
    """Return the short form of a room's code: its first six letters, as ``abc-def``."""
    letters = code.replace("-", "")
    return f"{letters[:3]}-{letters[3:6]}"


Wish: TypeAlias = Literal["takeback", "rematch"]
"""Requests of a player to the other one."""


PlayerName: TypeAlias = Annotated[str, Field(max_length=200), AfterValidator(player_name)]


class Timing(Strict):
    """The time control of a new room: minutes for each player, and an increment in seconds."""

    minutes: Annotated[float, Field(gt=0, le=180)]
    """Minutes that each player has for the whole game."""
    increment: Annotated[float, Field(ge=0, le=180)] = 0
    """Seconds that a player gains when the turn passes to the other one."""


class NewRoom(Strict):
    """Order to create a room: its game, the seat of its creator, and the time control."""

    start: PositionText
    """The spec of a game such as ``connect4``, or a position."""
    seat: Literal["first", "second", "any"] = "any"
    """The seat of the player who creates the room."""
    clock: Timing | None = None
    """The time control; null: no clock."""
    name: PlayerName = ""
    """The name of that player, if they want one."""


class Sitting(Strict):
    """Request for the free seat, with the name of the player (empty: none)."""

    name: PlayerName = ""


class MoveMade(Strict):
    """Order to make a move; *ply*, the number of moves before it, must be right."""

    t: Literal["move"]
    move: Annotated[str, Field(min_length=1, max_length=20)]
    """Its name, such as ``b2``."""
    ply: Annotated[int, Field(ge=0, lt=100_000)]
    """The number of moves before it; an order with another number is refused."""


class Wished(Strict):
    """Order to ask the other player for something, or to agree; to ask back for the same is to
    agree.
    """

    t: Literal["ask", "agree"]
    what: Wish
    """To take back the last own move (``takeback``), or another game (``rematch``)."""


class Declared(Strict):
    """Order to resign; or to decline a request, also one's own."""

    t: Literal["resign", "decline"]


class Ping(Strict):
    """A message that is answered with ``pong``, so that a page can check its connection."""

    t: Literal["ping"]


PlayerOrder: TypeAlias = MoveMade | Wished | Declared
MESSAGE_FORM: TypeAdapter[PlayerOrder | Ping] = TypeAdapter(
    Annotated[PlayerOrder | Ping, Field(discriminator="t")],
)


class Asking(BaseModel):
    """A request of the player on *seat* that the other has not answered."""

    what: Wish
    seat: int
    """The seat that asks, 0 or 1."""


class RoomClock(Facts):
    """The clocks of a room in seconds; *running* is the seat whose time runs, null if none does."""

    seconds: float
    """Seconds of each player at the start."""
    increment: float
    """Seconds that a player gains when the turn passes to the other one."""
    left: tuple[float, float]
    """Seconds that each seat has left now."""
    running: int | None
    """The seat (0 or 1) whose time runs; null if none does."""


class Standing(BaseModel):
    """The state of a room without its board; pairs are ordered by seat."""

    taken: tuple[bool, bool]
    """Whether each seat has a holder."""
    present: tuple[bool, bool]
    """Whether each holder is connected."""
    spectators: int
    """Number of connections without a seat."""
    end: End
    """How the game ended; ``open`` while it goes on."""
    winner: int | None
    """The seat (0 or 1) that won; null for a draw, or while the game goes on."""
    blame: int | None
    """The seat (0 or 1) that resigned or ran out of time; null if neither did."""
    asks: Asking | None
    """A request without an answer; null if there is none."""
    clock: RoomClock | None
    """Null if the game has no clock."""
    games: int
    """Number of games started in this room."""
    names: tuple[str, str]
    """The names of the players; empty if they gave none."""


class RoomState(BaseModel):
    """The whole state of a room, from the point of view of one visitor."""

    name: str
    """The code of the room."""
    seat: int | None
    """The seat of the visitor; null for a spectator."""
    room: Standing
    """Everything but the board."""
    board: BoardFacts


class Seated(BaseModel):
    """The code of a room and the client's seat in it; a cookie proves the seat."""

    name: str
    """The code of the room, which is the last part of its link."""
    seat: int
    """The number of the seat, 0 or 1."""


FREE_MOVES = 2
"""Number of moves before the clocks start: the other player may still be arriving."""


@dataclass(frozen=True)
class Clocks:
    """The remaining time of both players in seconds, at a moment of the server's monotonic
    clock.
    """

    seconds: FiniteFloat
    """The time of each player at the start."""
    increment: FiniteFloat
    """Seconds that a player gains when the turn passes to the other one."""
    left: tuple[FiniteFloat, FiniteFloat]
    """Seconds that each seat had left at the moment *since*."""
    running: Annotated[int, Field(ge=0, le=1)] | None = None
    """The seat whose time runs; None while both clocks stand still."""
    since: float = 0
    """That moment, in seconds of the monotonic clock."""

    @classmethod
    def fresh(cls, seconds: float, increment: float) -> Clocks:
        """Return two clocks of *seconds* each, neither of which runs; *increment* is in seconds,
        too.
        """
        return cls(seconds, increment, (seconds, seconds))

    def at(self, now: float) -> tuple[float, float]:
        """Return the seconds that each seat has left at the moment *now*, at least 0.

        *now* is in seconds of the monotonic clock, like `since`.
        """
        left, gone = [*self.left], max(0.0, now - self.since)
        if self.running is not None:
            left[self.running] = max(0.0, left[self.running] - gone)
        return left[0], left[1]

    def fallen(self, now: float) -> int | None:
        """Return the seat (0 or 1) whose time is over at the moment *now*; None if neither is.

        Only the clock that runs can fall. *now* is in seconds of the monotonic clock, like `since`.
        """
        if self.running is None or self.at(now)[self.running] > 0:
            return None
        return self.running

    def pressed(self, now: float, runs: int | None) -> Clocks:
        """Return the clocks after a move at the moment *now*; *runs* is the seat whose time runs
        then, or None.

        *now* is in seconds, like `since`. The seat whose time was running gains the increment if
        the turn passes to the other one.
        """
        left = list(self.at(now))
        if self.running is not None and runs == 1 - self.running:
            left[self.running] += self.increment
        return replace(self, left=(left[0], left[1]), running=runs, since=now)

    def held(self, now: float, runs: int | None) -> Clocks:
        """Return the clocks at the moment *now* with *runs* as the running seat (None: none),
        without an increment.

        *now* is in seconds, like `since`.
        """
        return replace(self, left=self.at(now), running=runs, since=now)


Keys = tuple[str | None, str | None]
Seat = Annotated[int, Field(ge=0, le=1)]
"""The number of a seat, 0 or 1; the bounds are checked when a file is read."""


def new_room_game(start: str, clocks: Clocks | None, positions: PositionCache) -> RoomGame:
    """Return a game from *start* with two free seats.

    Raise PapanError if *start* is invalid, has no legal move, or is not a game for two.
    """
    _, position = positions.reach(start, "")
    if position.game.seats != 2:
        raise PapanError("room.for_two", game=position.game.spec)
    if not position.moves():
        raise PapanError("error.nothing_to_play", position=str(position))
    return RoomGame(start, clocks=clocks)


@dataclass(frozen=True)
class RoomGame:
    """The seats and the game so far, as a value; methods return a changed copy or raise
    PapanError.
    """

    start: str
    """The spec of the game, or the position as text, with which it began."""
    keys: Keys = (None, None)
    """For each seat, the hash of its holder's token; None while the seat is free."""
    moves: tuple[str, ...] = ()
    """Names of the moves so far."""
    given_up: tuple[End, Seat] | None = None
    """How the game was given up, and the seat (0 or 1) that did; None if it was not."""
    asks: tuple[Wish, Seat] | None = None
    """An unanswered request, and the seat that made it; None if there is none."""
    clocks: Clocks | None = None
    """None if the game has no clock."""
    games: int = 1
    """Number of games started in the room."""
    over: bool = False
    """True if the last move ended the game."""
    names: tuple[str, str] = ("", "")
    """The names of the players by seat."""

    def seat_of(self, key: str | None) -> int | None:
        """Return the seat (0 or 1) whose holder has *key*, the hash of its token; None for a
        spectator.
        """
        holders = enumerate(self.keys)
        return next((seat for seat, holder in holders if same_key(key, holder)), None)

    def seated(self, key: str, wanted: int | None = None, name: str = "") -> RoomGame:
        """Return the game with a free seat given to *key*: *wanted* if it is free; a holder keeps
        theirs.

        *key* is the hash of a token, *wanted* a seat (None: any), *name* the player's (empty:
        none). Raise PapanError if no seat is free.
        """
        if self.seat_of(key) is not None:
            return self
        free = [seat for seat, holder in enumerate(self.keys) if holder is None]
        if not free:
            raise PapanError("room.taken")
        seat = wanted if wanted in free else free[0]
        keys = (key, self.keys[1]) if seat == 0 else (self.keys[0], key)
        names = (name, self.names[1]) if seat == 0 else (self.names[0], name)
        return replace(self, keys=keys, names=names)

    def reached(self, positions: PositionCache) -> Reached:
        """Return the plies (each a position and its move), and the position after them.

        Raise PapanError if they cannot be replayed.
        """
        return positions.reach(self.start, " ".join(self.moves))

    def session(self, positions: PositionCache) -> Session:
        """Return the game as a session with a person on each seat, given up if it was.

        Raise PapanError if the moves cannot be replayed.
        """
        plies, position = self.reached(positions)
        session = Session(plies[0][0] if plies else position, (None, None), plies)
        session.names = self.names
        if self.given_up:
            session.give_up(*self.given_up)
        return session

    def after(
        self, order: PlayerOrder, seat: int, positions: PositionCache, now: float
    ) -> RoomGame:
        """Return the game after *order* of *seat* at the moment *now* (seconds of the clock of
        `clocks`).

        Raise PapanError if the order is not allowed.
        """
        if isinstance(order, MoveMade):
            return self._played(order, seat, positions, now)
        if isinstance(order, Wished):
            wished = self._asked if order.t == "ask" else self._agreed
            return wished(order.what, seat, positions, now)
        if order.t == "decline":
            return replace(self, asks=None)
        self._in_play(positions)
        return self.ended("resigned", seat, now)

    def with_timeout_applied(self, now: float) -> RoomGame:
        """Return the game, ended by timeout if a player's time is over at the moment *now*
        (seconds).
        """
        seat = self.clocks.fallen(now) if self.clocks and not self.given_up else None
        return self if seat is None else self.ended("timeout", seat, now)

    def ended(self, end: End, seat: int, now: float) -> RoomGame:
        """Return the game, given up by *seat* at the moment *now* (seconds) with the result
        *end*.
        """
        clocks = self.clocks and self.clocks.held(now, None)
        return replace(self, given_up=(end, seat), asks=None, clocks=clocks)

    def _in_play(self, positions: PositionCache) -> Session:
        """Return the game as a session; raise PapanError if it is over or a seat is free."""
        session = self.session(positions)
        if session.end != "open":
            raise PapanError("room.over")
        if None in self.keys:
            raise PapanError("room.alone")
        return session

    def _played(self, order: MoveMade, seat: int, positions: PositionCache, now: float) -> RoomGame:
        session = self._in_play(positions)
        if session.position.turn != seat:
            raise PapanError("room.not_your_turn")
        if order.ply != len(self.moves):
            raise PapanError("room.stale")
        session.play(picked_move(session.position, order.move.strip()))
        over = session.end != "open"
        runs = None if over or len(session.moves) < FREE_MOVES else session.position.turn
        clocks = self.clocks and self.clocks.pressed(now, runs)
        return replace(self, moves=session.moves, asks=None, clocks=clocks, over=over)

    def _asked(self, what: Wish, seat: int, positions: PositionCache, now: float) -> RoomGame:
        if self.asks == (what, 1 - seat):
            return self._agreed(what, seat, positions, now)
        if what == "rematch":
            if self.session(positions).end == "open":
                raise PapanError("room.not_over")
        else:
            self._taken_back(self._in_play(positions), seat)
        if self.asks is not None and self.asks[1] != seat:
            raise PapanError("room.answer_first")
        return replace(self, asks=(what, seat))

    def _agreed(self, what: Wish, seat: int, positions: PositionCache, now: float) -> RoomGame:
        if self.asks != (what, 1 - seat):
            raise PapanError("room.not_asked")
        if what == "rematch":
            return self._rematch(positions)
        moves = self._taken_back(self.session(positions), 1 - seat)
        runs = 1 - seat if len(moves) >= FREE_MOVES else None
        clocks = self.clocks and self.clocks.held(now, runs)
        return replace(self, moves=moves, asks=None, clocks=clocks)

    def _taken_back(self, session: Session, seat: int) -> tuple[str, ...]:
        """Return the names of the moves before the last one of *seat*; raise PapanError if it has
        made none.
        """
        if not session.take_back(seat):
            raise PapanError("room.no_move_yet")
        return session.moves

    def _rematch(self, positions: PositionCache) -> RoomGame:
        """Return a new game with the seats swapped and full clocks, dealt anew if the start is
        random.
        """
        again = rematch(self.session(positions), secrets.randbelow(10**6))
        start = again.game.spec if again.start == again.game.start() else self.start
        clocks = self.clocks and Clocks.fresh(self.clocks.seconds, self.clocks.increment)
        keys, names = self.keys[::-1], self.names[::-1]
        return RoomGame(start, keys, clocks=clocks, games=self.games + 1, names=names)


@dataclass(frozen=True)
class SavedRoom:
    """The content of a room's file: its version and the game."""

    version: Literal[1]
    """Version of the form of the file."""
    table: RoomGame
    """The game, under the name that earlier versions wrote into files."""


ROOM_FORM = TypeAdapter(SavedRoom)


class RoomStore:
    """Reads and writes the files of rooms in *folder*; *clock* returns the seconds of their games'
    clock.
    """

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self.folder, self.clock = folder, clock

    def save(self, code: str, room_game: RoomGame) -> None:
        """Write the room *code* with its clocks as of now; raise PapanError if the file cannot be
        written.
        """
        clocks = room_game.clocks
        clocks = clocks and clocks.held(self.clock(), clocks.running)
        saved = SavedRoom(1, replace(room_game, clocks=clocks))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(code), ROOM_FORM.dump_json(saved))
        except OSError as error:
            raise PapanError("room.cannot_keep", why=error.strerror) from error

    def delete(self, code: str) -> None:
        """Delete the file of the room *code*, if there is one."""
        with suppress(OSError):
            self._path(code).unlink()

    def rooms(self) -> Iterator[tuple[str, RoomGame, float]]:
        """Yield the code, the game and the time of the last change of every valid room file.

        Times are seconds of *clock*. The time while no server ran is not taken from the players.
        """
        for path in sorted(self.folder.glob("*.json")):
            with suppress(OSError, ValueError):
                if re.fullmatch(ROOM_CODE, path.stem):
                    saved = ROOM_FORM.validate_json(read_regular(path, LONGEST_RECORD)).table
                    clocks = saved.clocks and replace(saved.clocks, since=self.clock())
                    quiet = max(0.0, time() - path.stat().st_mtime)
                    yield path.stem, replace(saved, clocks=clocks), self.clock() - quiet

    def _path(self, code: str) -> Path:
        return self.folder / f"{code}.json"
