"""Rooms for two people (a game, its visitors, its clock), and the registry of all rooms."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Protocol

from papan.core import PapanError
from papan.web.boards import BoardFacts, PositionCache, board_facts
from papan.web.owner import new_code, new_token, token_hash
from papan.web.room_game import (
    Asking,
    Clocks,
    NewRoom,
    PlayerOrder,
    RoomClock,
    RoomGame,
    RoomState,
    RoomStore,
    Standing,
    new_room_game,
    short_code,
)
from papan.web.settings import RoomLimits
from papan.web.wire import Refused

CLOCK_MARGIN = 0.02
"""Seconds between the end of a player's time and its check, so that it has certainly ended."""
SEAT_NUMBERS = {"first": 0, "second": 1}


class Visitor(Protocol):
    """A connection to a room, as the room sees it."""

    key: str | None
    """The hash of its seat's token; None for a spectator."""

    def notify(self) -> None:
        """Note that the room has changed; must return without waiting."""


@dataclass(frozen=True)
class DrawnBoard:
    """The board of a room and its JSON text, the same for all visitors."""

    game: tuple[int, tuple[str, ...]]
    """The number of the game in the room (from 1), and the names of its moves."""
    board: BoardFacts
    """The position, and all that is needed to play on."""
    text: str
    """The board as JSON."""


class GameRoom:
    """A room: changes of its game are made one at a time, and stored before they are sent.

    *code* is its whole code, *positions* the server's cache; *touched* is when it was changed,
    entered or left last, in seconds of the clock of *store*.
    """

    def __init__(
        self,
        code: str,
        room_game: RoomGame,
        positions: PositionCache,
        store: RoomStore,
        touched: float = 0,
    ) -> None:
        self.code, self.room_game, self.touched = code, room_game, touched
        self.positions, self.store = positions, store
        self.addresses = {f"seat {seat}" for seat, key in enumerate(room_game.keys) if key}
        """Addresses of its players; ``seat N`` for a player who took it at an earlier server."""
        self.version = 0
        """Number of changes since the server started; a visitor who comes or goes is one."""
        self.visitors: set[Visitor] = set()
        self._drawn: DrawnBoard | None = None
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._ringing: asyncio.Task[None] | None = None

    @property
    def is_disposable(self) -> bool:
        """True if the room has no visitors, and a seat is free, the game is over, or it was not
        played.

        That is, no game that two people have begun goes on in it. Two people at one address count
        as one, as in `was_played`.
        """
        room_game = self.room_game
        ended = bool(room_game.given_up) or room_game.over
        return not self.visitors and (None in room_game.keys or ended or not self.was_played)

    @property
    def was_played(self) -> bool:
        """True if a move was made, in this game or an earlier one, and the players took their seats
        from two different addresses.

        A player who took their seat at an earlier server counts as an address.
        """
        begun = bool(self.room_game.moves) or self.room_game.games > 1
        return begun and len(self.addresses) > 1

    def enter(self, visitor: Visitor) -> None:
        """Add *visitor*, and notify all visitors, the new one too."""
        self.visitors.add(visitor)
        self._notify_all()
        self._set_alarm()

    def leave(self, visitor: Visitor) -> None:
        """Remove *visitor*, if it is there, and notify the others; the game and its clocks
        continue.
        """
        self.visitors.discard(visitor)
        if not self.visitors:
            self._drawn = None  # drawings of large boards take much memory
        self._notify_all()

    async def order(self, order: PlayerOrder, key: str | None) -> None:
        """Carry out *order* of the seat whose holder has *key* (the hash of a token), and store the
        game.

        A clock that has run out is applied first. Raise PapanError if the order is not allowed,
        *key* holds no seat (None: a spectator), or it cannot be stored.
        """

        def changed(room_game: RoomGame) -> RoomGame:
            seat, now = room_game.seat_of(key), self.store.clock()
            if seat is None:
                raise PapanError("room.watching")
            return room_game.with_timeout_applied(now).after(order, seat, self.positions, now)

        await self.change(changed)

    async def change(self, act: Callable[[RoomGame], RoomGame]) -> None:
        """Replace the game by what *act* returns for it, after storing that; then notify all
        visitors.

        *act* runs in a thread; raise what it raises, and PapanError if the game cannot be stored:
        then nothing is changed. If *act* returns an equal game, nothing is stored and nobody is
        notified.
        """
        async with self._lock:
            room_game = await asyncio.to_thread(act, self.room_game)
            if room_game == self.room_game:
                return
            await asyncio.to_thread(self.store.save, self.code, room_game)
            self.room_game = room_game
        self._notify_all()
        self._set_alarm()

    async def view(self) -> tuple[RoomGame, DrawnBoard]:
        """Return the game and its drawn board.

        The board is the same object until it changes, while there are visitors; without visitors it
        is drawn anew by each call. Raise PapanError if the game cannot be replayed.
        """
        async with self._lock:
            game = self.room_game.games, self.room_game.moves
            drawn = self._drawn
            if drawn is None or drawn.game != game:
                drawn = await asyncio.to_thread(self._draw, game)
                self._drawn = drawn if self.visitors else None
            return self.room_game, drawn

    async def state(self, key: str | None) -> RoomState:
        """Return the state of the room as the holder of *key*, the hash of a token, sees it (None:
        a spectator).

        Raise PapanError if the game cannot be replayed.
        """
        room_game, drawn = await self.view()
        return self._state(room_game, drawn.board, key)

    async def state_json(self, key: str | None, seen: DrawnBoard | None) -> tuple[str, DrawnBoard]:
        """Return the state as the holder of *key* (None: a spectator) sees it, as a JSON message,
        and its board.

        *key* is the hash of a token, *seen* the board that was sent last (None: none was). The
        message is of the kind ``state``; if its board is *seen*, of the kind ``room``, without the
        board. Raise PapanError if the game cannot be replayed.
        """
        room_game, drawn = await self.view()
        state = self._state(room_game, drawn.board, key)
        rest = state.model_dump_json(exclude={"board"})[1:-1]
        if drawn is seen:
            return f'{{"t":"room",{rest}}}', drawn
        return f'{{"t":"state",{rest},"board":{drawn.text}}}', drawn

    def _state(self, room_game: RoomGame, board: BoardFacts, key: str | None) -> RoomState:
        """Return the state of *room_game* and *board* as the holder of *key* sees it.

        *key* is the hash of a token, None for a spectator.
        """
        end, blame = room_game.given_up or (board.end, None)
        seats = [room_game.seat_of(each.key) for each in self.visitors]
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

    def _draw(self, game: tuple[int, tuple[str, ...]]) -> DrawnBoard:
        board = board_facts(*self.room_game.reached(self.positions))
        return DrawnBoard(game, board, board.model_dump_json())

    def _notify_all(self) -> None:
        self.version += 1
        self.touched = self.store.clock()
        for each in self.visitors:
            each.notify()

    def _set_alarm(self) -> None:
        """Schedule the check that ends the game when the running clock has no time left.

        An earlier alarm is cancelled; without a running clock there is none.
        """
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        clocks = self.room_game.clocks
        if clocks is None or clocks.running is None:
            return
        left = clocks.at(self.store.clock())[clocks.running]
        self._alarm = asyncio.get_running_loop().call_later(left + CLOCK_MARGIN, self._ring)

    def _ring(self) -> None:
        self._ringing = asyncio.ensure_future(self._apply_timeout())

    async def _apply_timeout(self) -> None:
        with suppress(PapanError):  # if the disk is full, the next order applies it
            await self.change(lambda game: game.with_timeout_applied(self.store.clock()))


class RoomRegistry:
    """All rooms of a server by code: creates them within *limits* (None: the usual ones), deletes
    old ones.

    *folder* has their files, which are read when it is made; *positions* is the server's cache.
    *clock* returns seconds, for clocks of games and idle rooms.
    """

    def __init__(
        self,
        folder: Path,
        positions: PositionCache,
        limits: RoomLimits | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.positions, self.store = positions, RoomStore(folder, clock)
        self.limits = limits or RoomLimits()
        self.rooms = {
            code: GameRoom(code, room_game, self.positions, self.store, touched)
            for code, room_game, touched in self.store.rooms()
        }
        """Every room by its whole code, including those that an earlier server stored."""
        self._sockets = Counter[str]()

    async def find(self, code: str) -> GameRoom | None:
        """Return the room with a whole code, or a room with a free seat by its short code.

        None if there is none, or its game cannot be replayed here.
        """
        room = self.rooms.get(code) or self._with_free_seat(code)
        if room is not None:
            with suppress(PapanError):
                await asyncio.to_thread(room.room_game.reached, self.positions)
                return room
        return None

    def _with_free_seat(self, short: str) -> GameRoom | None:
        """Return a room with the short code *short* (``abc-def``) and a free seat; None if there is
        none.
        """
        free = (room for room in self.rooms.values() if None in room.room_game.keys)
        return next((room for room in free if short_code(room.code) == short), None)

    def _unused_code(self) -> str:
        """Return a new whole code whose short form no room has."""
        taken = {short_code(code) for code in self.rooms}
        return next(code for code in iter(new_code, "") if short_code(code) not in taken)

    async def create(self, wanted: NewRoom, address: str) -> tuple[GameRoom, str]:
        """Create a room for a client at *address*; return it and the token of the client's seat.

        *wanted* says which seat that is; ``any`` draws one. Idle rooms are deleted first; if the
        address or the server has too many rooms, a disposable one (`GameRoom.is_disposable`) is
        deleted, too. Raise Refused if there is none to delete (429 for the address, 503 for the
        server), PapanError if the start is invalid or the room cannot be stored.
        """
        timing = wanted.clock
        clocks = None if timing is None else Clocks.fresh(timing.minutes * 60, timing.increment)
        room_game = await asyncio.to_thread(new_room_game, wanted.start, clocks, self.positions)
        token = new_token()
        seat = SEAT_NUMBERS.get(wanted.seat, secrets.randbelow(2))
        self._delete_idle()
        self._check_share(address)
        if len(self.rooms) >= self.limits.rooms and not self._dispose_one(self.rooms.values()):
            raise Refused(503, "room.no_more")
        room = GameRoom(
            self._unused_code(), room_game, self.positions, self.store, self.store.clock()
        )
        room.addresses.add(address)
        self.rooms[room.code] = room
        try:
            await room.change(lambda empty: empty.seated(token_hash(token), seat, wanted.name))
        except BaseException:
            del self.rooms[room.code]
            raise
        return room, token

    async def sit(self, room: GameRoom, address: str, name: str = "") -> str:
        """Give the free seat of *room* to a client at *address*; return the token of the seat.

        *name* is the client's (empty: none). If the address has too many rooms, a disposable one
        (`GameRoom.is_disposable`) is deleted. Raise Refused (429) if there is none to delete,
        PapanError if no seat is free or the room cannot be stored.
        """
        self._check_share(address, room)
        token = new_token()
        await room.change(lambda room_game: room_game.seated(token_hash(token), name=name))
        room.addresses.add(address)
        return token

    def admits(self, room: GameRoom, key: str | None, address: str) -> bool:
        """Return whether one more connection of *address* may enter *room*, by `limits`.

        *key* is the hash of a token; None, or one that holds no seat: a spectator. Spectators and
        the connections of each seat are counted separately.
        """
        seats = [room.room_game.seat_of(each.key) for each in room.visitors]
        seat = room.room_game.seat_of(key)
        most = self.limits.spectators if seat is None else self.limits.tabs
        return seats.count(seat) < most and self._sockets[address] < self.limits.sockets

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Count a connection of *address*, for `admits`, while the context lasts."""
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    def _delete_idle(self) -> None:
        """Delete rooms without visitors, and their files, that have not changed for more than
        `RoomLimits.idle` seconds.
        """
        oldest = self.store.clock() - self.limits.idle
        for room in [*self.rooms.values()]:
            if not room.visitors and room.touched < oldest:
                self._delete(room)

    def _check_share(self, address: str, wanted: GameRoom | None = None) -> None:
        """Raise Refused (429) if *address* has seats in too many rooms other than *wanted* (None:
        in all).

        Too many are `RoomLimits.from_one` or more. If some of these are disposable, one is deleted
        instead, as `_dispose_one` chooses, and nothing is raised.
        """
        own = [room for room in self.rooms.values() if address in room.addresses]
        others = [room for room in own if room is not wanted]
        if len(others) >= self.limits.from_one and not self._dispose_one(others):
            raise Refused(429, "room.too_many")

    def _dispose_one(self, rooms: Iterable[GameRoom]) -> bool:
        """Delete one of *rooms* that is disposable (`GameRoom.is_disposable`); return whether there
        was one.

        Of several, it is one in which two people have not played (`GameRoom.was_played`), if there
        is such a room; among equals the one unchanged longest.
        """
        disposable = [room for room in rooms if room.is_disposable]
        if disposable:
            self._delete(min(disposable, key=lambda room: (room.was_played, room.touched)))
        return bool(disposable)

    def _delete(self, room: GameRoom) -> None:
        del self.rooms[room.code]
        self.store.delete(room.code)
