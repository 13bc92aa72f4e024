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
    """Return the short form of a room's whole *code* ``abcd-efgh-ijkl-mnop``: ``abc-def``."""
    letters = code.replace("-", "")
    return f"{letters[:3]}-{letters[3:6]}"


Wish: TypeAlias = Literal["takeback", "rematch"]
"""Requests of a player to the other one."""


PlayerName: TypeAlias = Annotated[str, Field(max_length=200), AfterValidator(player_name)]


class Timing(Strict):
    """The time control of a new room."""

    minutes: Annotated[float, Field(gt=0, le=180)]
    """Minutes that each player has for the whole game."""
    increment: Annotated[float, Field(ge=0, le=180)] = 0
    """Seconds that a player gains when the turn passes to the other one."""


class NewRoom(Strict):
    """Order to create a room."""

    start: PositionText
    """The spec of a game such as ``connect4``, or a position as text."""
    seat: Literal["first", "second", "any"] = "any"
    """The seat of the player who creates the room."""
    clock: Timing | None = None
    """The time control; null: no clock."""
    name: PlayerName = ""
    """The name of that player, in at most 30 characters; empty for none."""


class Sitting(Strict):
    """Request for the free seat of a room."""

    name: PlayerName = ""
    """The name of the player, in at most 30 characters; empty for none."""


class MoveMade(Strict):
    """Order of a player to make a move."""

    t: Literal["move"]
    """The kind of the message."""
    move: Annotated[str, Field(min_length=1, max_length=20)]
    """Its name, such as ``b2``."""
    ply: Annotated[int, Field(ge=0, lt=100_000)]
    """The number of moves before it; an order with another number is refused."""


class Wished(Strict):
    """Order to ask the other player for something, or to agree to what they have asked for.

    An order to ask for what the other player has asked for agrees to it.
    """

    t: Literal["ask", "agree"]
    """The kind of the message: to ask, or to agree."""
    what: Wish
    """To take back the last own move (``takeback``), or another game (``rematch``)."""


class Declared(Strict):
    """Order to resign (``resign``), or to decline a request, the own one included (``decline``)."""

    t: Literal["resign", "decline"]


class Ping(Strict):
    """A message that is answered with ``pong``, so that a page can check its connection."""

    t: Literal["ping"]


PlayerOrder: TypeAlias = MoveMade | Wished | Declared
MESSAGE_FORM: TypeAdapter[PlayerOrder | Ping] = TypeAdapter(
    Annotated[PlayerOrder | Ping, Field(discriminator="t")],
)


class Asking(BaseModel):
    """A request of a player that the other has not answered."""

    what: Wish
    """``takeback`` of the last own move, or ``rematch``."""
    seat: int
    """The seat that asks, 0 or 1."""


class RoomClock(Facts):
    """The clocks of a room, as pages show them; all times are in seconds."""

    seconds: float
    """Seconds of each player at the start."""
    increment: float
    """Seconds that a player gains when the turn passes to the other one."""
    left: tuple[float, float]
    """Seconds that each seat has left now."""
    running: int | None
    """The seat (0 or 1) whose time runs; null if none does."""


class Standing(BaseModel):
    """The state of a room without its board; pairs have seat 0 first."""

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
    """The clocks of both players; null if the game has no clock."""
    games: int
    """Number of games started in this room."""
    names: tuple[str, str]
    """The names of the players; empty if they gave none."""


class RoomState(BaseModel):
    """The whole state of a room, as one visitor sees it."""

    name: str
    """The whole code of the room."""
    seat: int | None
    """The seat of the visitor, 0 or 1; null for a spectator."""
    room: Standing
    """Everything but the board."""
    board: BoardFacts
    """The position, and all that is needed to play on."""


class Seated(BaseModel):
    """Which seat of which room the client has; a cookie proves it."""

    name: str
    """The whole code of the room, which is the last part of its link."""
    seat: int
    """The number of the seat, 0 or 1."""


FREE_MOVES = 2
"""Number of moves before the clocks start: the other player may still be arriving."""


@dataclass(frozen=True)
class Clocks:
    """The remaining time of both players, at a moment of the server's monotonic clock; in
    seconds.
    """

    seconds: FiniteFloat
    """The time of each player at the start."""
    increment: FiniteFloat
    """Seconds that a player gains when the turn passes to the other one."""
    left: tuple[FiniteFloat, FiniteFloat]
    """Seconds that each seat (0, 1) had left at the moment *since*."""
    running: Annotated[int, Field(ge=0, le=1)] | None = None
    """The seat (0 or 1) whose time runs; None while both clocks stand still."""
    since: float = 0
    """The moment at which `left` was right, in seconds of the monotonic clock."""

    @classmethod
    def fresh(cls, seconds: float, increment: float) -> Clocks:
        """Return two clocks with *seconds* left each, neither of which runs.

        *increment* is what a move adds, in seconds.
        """
        return cls(seconds, increment, (seconds, seconds))

    def at(self, now: float) -> tuple[float, float]:
        """Return the seconds that seat 0 and seat 1 have left at the moment *now*, 0 at least.

        *now* is in seconds of the monotonic clock, like `since`; a moment before `since` counts as
        `since`.
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
        then (None: none).

        *now* is in seconds of the monotonic clock, like `since`. The seat whose time was running
        gains the increment if *runs* is the other one.
        """
        left = list(self.at(now))
        if self.running is not None and runs == 1 - self.running:
            left[self.running] += self.increment
        return replace(self, left=(left[0], left[1]), running=runs, since=now)

    def held(self, now: float, runs: int | None) -> Clocks:
        """Return the clocks with *runs* as the running seat (None: none) from the moment *now* on,
        without an increment.

        *now* is in seconds of the monotonic clock, like `since`.
        """
        return replace(self, left=self.at(now), running=runs, since=now)


Keys = tuple[str | None, str | None]
Seat = Annotated[int, Field(ge=0, le=1)]
"""The number of a seat, 0 or 1; the bounds are checked when a file is read."""


def new_room_game(start: str, clocks: Clocks | None, positions: PositionCache) -> RoomGame:
    """Return a game with two free seats from *start*, a spec or a position as text; *clocks* None:
    no clock.

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
    """The seats of a room and the game so far, as a value: methods return a changed copy.

    A method whose change is not allowed raises PapanError. Moments are seconds of the clock of
    *clocks*; the *positions* that methods take are the server's cache, in which the moves are
    replayed.
    """

    start: str
    """The spec of the game, or the position as text, with which it began."""
    keys: Keys = (None, None)
    """For each seat, the hash of its holder's token (`papan.web.owner.token_hash`); None while it
    is free.
    """
    moves: tuple[str, ...] = ()
    """Names of the moves so far."""
    given_up: tuple[End, Seat] | None = None
    """How the game was given up, and the seat (0 or 1) that did; None if it was not."""
    asks: tuple[Wish, Seat] | None = None
    """An unanswered request (``takeback`` or ``rematch``), and the seat that made it; None if there
    is none.
    """
    clocks: Clocks | None = None
    """The clocks of both players; None if the game has no clock."""
    games: int = 1
    """Number of games started in the room."""
    over: bool = False
    """True if the last move ended the game; False also after resignation or timeout."""
    names: tuple[str, str] = ("", "")
    """The names of the players by seat; empty if they gave none."""

    def seat_of(self, key: str | None) -> int | None:
        """Return the seat (0 or 1) whose holder has *key*, the hash of a token; None if no holder
        has.
        """
        holders = enumerate(self.keys)
        return next((seat for seat, holder in holders if same_key(key, holder)), None)

    def seated(self, key: str, wanted: int | None = None, name: str = "") -> RoomGame:
        """Return the game with a free seat given to *key*, the hash of a token; unchanged if it has
        a seat.

        It is the seat *wanted* (None: any) if that is free, else the other; *name* is the player's
        (empty: none). Raise PapanError if no seat is free.
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
        """Return the plies of the game (position before, move made), and the position after them.

        Raise PapanError if they cannot be replayed.
        """
        return positions.reach(self.start, " ".join(self.moves))

    def session(self, positions: PositionCache) -> Session:
        """Return the game as a session with a person on each seat, given up if it was.

        *positions* is the server's cache. Raise PapanError if the moves cannot be replayed.
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
        """Return the game after *order* of *seat* (0 or 1) at the moment *now*.

        *now* is in seconds of the monotonic clock, like `Clocks.since`. An agreed rematch starts a
        new game. Raise PapanError if the order is not allowed. A clock that has run out does not
        stop the order: call `with_timeout_applied` first.
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
        """Return the game, ended by timeout if a player's time is over at the moment *now*.

        *now* is in seconds of the monotonic clock, like `Clocks.since`. Return the same game if
        nobody's time is over, if it has no clocks, or if it was given up before.
        """
        seat = self.clocks.fallen(now) if self.clocks and not self.given_up else None
        return self if seat is None else self.ended("timeout", seat, now)

    def ended(self, end: End, seat: int, now: float) -> RoomGame:
        """Return the game as given up by *seat*; *end* is ``resigned`` or ``timeout``.

        *now* is the moment, in seconds of the monotonic clock, like `Clocks.since`. Clocks stand
        still then; whether it was over before is not checked.
        """
        clocks = self.clocks and self.clocks.held(now, None)
        return replace(self, given_up=(end, seat), asks=None, clocks=clocks)

    def _in_play(self, positions: PositionCache) -> Session:
        """Return the game as a session; raise PapanError if it is over, or a seat is free.

        Raise it, too, if the moves cannot be replayed; *positions* is the server's cache.
        """
        session = self.session(positions)
        if session.end != "open":
            raise PapanError("room.over")
        if None in self.keys:
            raise PapanError("room.alone")
        return session

    def _played(self, order: MoveMade, seat: int, positions: PositionCache, now: float) -> RoomGame:
        """Return the game after the move of *seat* at the moment *now* (seconds).

        A request without an answer is dropped. Raise PapanError if the game is over or a seat is
        free, it is not the turn of *seat*, *order* was made after another number of moves, or the
        move is not legal.
        """
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
        """Return the game with the request *what* of *seat*; if the other seat has asked the same,
        agree to it.

        It replaces an earlier request of *seat*. Raise PapanError for a rematch before the game is
        over, for a takeback when it is over, a seat is free or *seat* has made no move, or if
        another request of the other seat has no answer.
        """
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
        """Return the game after *seat* agrees to the request *what* of the other seat, at *now*
        (seconds).

        A takeback undoes that seat's last move and all after it; its clock runs then (none runs
        before `FREE_MOVES` moves), and no time comes back. Raise PapanError if there is no such
        request.
        """
        if self.asks != (what, 1 - seat):
            raise PapanError("room.not_asked")
        if what == "rematch":
            return self._rematch(positions)
        moves = self._taken_back(self.session(positions), 1 - seat)
        runs = 1 - seat if len(moves) >= FREE_MOVES else None
        clocks = self.clocks and self.clocks.held(now, runs)
        return replace(self, moves=moves, asks=None, clocks=clocks)

    def _taken_back(self, session: Session, seat: int) -> tuple[str, ...]:
        """Take back the last move of *seat* and all after it in *session*, which is changed; return
        the names of the moves left.

        Raise PapanError if *seat* has made no move.
        """
        if not session.take_back(seat):
            raise PapanError("room.no_move_yet")
        return session.moves

    def _rematch(self, positions: PositionCache) -> RoomGame:
        """Return a new game with seats and names swapped and full clocks, dealt anew if its game
        deals.

        A start that is not that of its game, such as one set up by hand, stays. Raise PapanError if
        the moves cannot be replayed.
        """
        again = rematch(self.session(positions), secrets.randbelow(10**6))
        start = again.game.spec if again.start == again.game.start() else self.start
        clocks = self.clocks and Clocks.fresh(self.clocks.seconds, self.clocks.increment)
        keys, names = self.keys[::-1], self.names[::-1]
        return RoomGame(start, keys, clocks=clocks, games=self.games + 1, names=names)


@dataclass(frozen=True)
class SavedRoom:
    """The content of the file of a room: the version of its form, and the game."""

    version: Literal[1]
    """Version of the form of the file; another one is not read."""
    table: RoomGame
    """The game of the room; ``table`` is its name in files of all versions."""


ROOM_FORM = TypeAdapter(SavedRoom)


class RoomStore:
    """Reads and writes the file of each room in *folder*; *clock* returns the seconds of the games'
    clocks.
    """

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self.folder, self.clock = folder, clock

    def save(self, code: str, room_game: RoomGame) -> None:
        """Write *room_game* as the file of the room *code* (a whole code), with the seconds that
        its clocks have left now.

        Raise PapanError if the file cannot be written.
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
        """Delete the file of the room *code*, if there is one; ignore errors of the disk."""
        with suppress(OSError):
            self._path(code).unlink()

    def rooms(self) -> Iterator[tuple[str, RoomGame, float]]:
        """Yield code, game and time of the last change (seconds of *clock*) of each valid room
        file, by code.

        The time while no server ran is not taken from the players. Invalid files are left out.
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
