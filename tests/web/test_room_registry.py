"""Rooms are kept, found again, bounded and forgotten; people in them are heard."""

import asyncio
import json
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from papan.core import PapanError
from papan.web.boards import PositionCache
from papan.web.guard import AddressSlots
from papan.web.owner import new_code, new_token, token_hash
from papan.web.room_game import (
    MESSAGE_FORM,
    Clocks,
    Declared,
    MoveMade,
    NewRoom,
    Ping,
    RoomGame,
    RoomStore,
    Timing,
    Wished,
    new_room_game,
    short_code,
)
from papan.web.room_routes import RoomConnection, add_rooms
from papan.web.rooms import GameRoom, RoomRegistry
from papan.web.settings import DAY, RoomLimits, ServerSettings
from papan.web.wire import Refused
from tests.web.test_room_rules import Play, timed

LINES = PositionCache()
ANN, BEN = token_hash("ann"), token_hash("ben")


class Time:
    """A clock that stands still."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_room_is_kept_without_its_secrets(tmp_path: Path) -> None:
    time, token, code = Time(), new_token(), new_code()
    room_game = (
        new_room_game("connect4", Clocks.fresh(60, 2), LINES).seated(token_hash(token)).seated(BEN)
    )
    order = MESSAGE_FORM.validate_python({"t": "move", "move": "4", "ply": 0})
    assert not isinstance(order, Ping)
    room_game = room_game.after(order, 0, LINES, time.now)
    RoomStore(tmp_path, time).save(code, room_game)
    text = (tmp_path / f"{code}.json").read_text(encoding="utf-8")
    assert token not in text
    assert [(found, saved) for found, saved, _ in RoomStore(tmp_path, time).rooms()] == [
        (code, room_game)
    ]


def test_nobody_pays_for_the_time_that_the_server_was_away(tmp_path: Path) -> None:
    time, play = Time(), timed().move(0, "4").move(1, "4")
    time.now = play.now + 10
    RoomStore(tmp_path, time).save(new_code(), play.room_game)
    time.now = 5  # another machine, whose clock began anew
    [(_, room_game, _)] = RoomStore(tmp_path, time).rooms()
    assert room_game.clocks is not None
    assert room_game.clocks.at(time.now + 3) == (47, 60)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2}', '{"version": 1, "table": {}}'])
def test_a_file_that_makes_no_sense_is_no_room(tmp_path: Path, text: str) -> None:
    (tmp_path / f"{new_code()}.json").write_text(text, encoding="utf-8")
    (tmp_path / "notes.json").write_text("{}", encoding="utf-8")
    assert list(RoomStore(tmp_path, Time()).rooms()) == []
    assert list(RoomStore(tmp_path / "nowhere", Time()).rooms()) == []


def test_a_game_that_is_not_known_any_more_is_no_room(tmp_path: Path) -> None:
    codes = [new_code(), new_code(), new_code()]
    room_games = [
        RoomGame("chess"),
        RoomGame("tictactoe", moves=("b2", "b2")),
        RoomGame("tictactoe"),
    ]
    for code, room_game in zip(codes, room_games):
        RoomStore(tmp_path, Time()).save(code, room_game)
    registry = RoomRegistry(tmp_path, LINES)
    found = [asyncio.run(registry.find(code)) for code in codes]
    assert [room and room.code for room in found] == [None, None, codes[2]]


@pytest.mark.parametrize(
    "room_game",
    [
        {"given_up": ["resigned", 2]},
        {"asks": ["rematch", -1]},
        {"clocks": {"seconds": 60, "increment": 0, "left": [60, 60], "running": 7}},
        {"clocks": {"seconds": 60, "increment": 0, "left": ["NaN", 60]}},
    ],
)
def test_a_file_with_a_seat_or_a_time_that_cannot_be_is_no_room(
    tmp_path: Path, room_game: dict[str, Any]
) -> None:
    text = json.dumps({"version": 1, "table": {"start": "tictactoe"} | room_game})
    (tmp_path / f"{new_code()}.json").write_text(text, encoding="utf-8")
    assert list(RoomStore(tmp_path, Time()).rooms()) == []


def test_rooms_are_opened_without_replaying_their_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Play().move(0, "b2").room_game
    RoomStore(tmp_path, Time()).save(new_code(), played)
    monkeypatch.setattr(PositionCache, "reach", None)
    [room] = RoomRegistry(tmp_path, LINES).rooms.values()
    assert room.room_game == played
    assert not room.is_disposable


def test_a_game_that_its_last_move_has_ended_makes_way() -> None:
    play = Play()
    for count, name in enumerate(("b2", "a1", "a2", "b1", "c2")):
        assert not play.room_game.over
        play.move(count % 2, name)
    assert play.room_game.over


def test_a_room_that_everybody_has_left_keeps_no_picture(tmp_path: Path) -> None:
    async def look() -> None:
        room, _ = await RoomRegistry(tmp_path, LINES).create(WANTED, "ann")
        _, picture = await room.view()
        assert (await room.view())[1] is not picture
        someone = Someone()
        room.enter(someone)
        _, picture = await room.view()
        assert (await room.view())[1] is picture
        room.leave(someone)
        assert (await room.view())[1] is not picture

    asyncio.run(look())


def test_a_disk_that_refuses_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        room, token = await RoomRegistry(tmp_path / "rooms", LINES).create(WANTED, "ann")
        (tmp_path / "rooms").rename(tmp_path / "away")
        (tmp_path / "rooms").write_text("in the way")
        before = room.room_game
        with pytest.raises(PapanError) as refusal:
            await room.change(lambda room_game: room_game.seated(BEN))
        assert refusal.value.key == "room.cannot_keep"
        assert room.room_game is before
        assert before.seat_of(token_hash(token)) == 0

    asyncio.run(play())


WANTED = NewRoom(start="tictactoe", seat="first")


class Someone:
    """Stands in a room and hears of changes."""

    def __init__(self, key: str | None = None) -> None:
        self.key, self.heard = key, 0

    def notify(self) -> None:
        self.heard += 1


def test_rooms_have_bounds_and_games_in_play_are_not_lost(tmp_path: Path) -> None:
    async def fill() -> None:
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(rooms=3, from_one=2))
        quiet, _ = await registry.create(WANTED, "ann")
        played = await in_play(registry, "ann", "ben")
        newer, _ = await registry.create(WANTED, "ann")
        assert quiet.code not in registry.rooms
        assert not (tmp_path / f"{quiet.code}.json").exists()
        newer.enter(Someone())
        with pytest.raises(Refused) as refusal:
            await registry.create(WANTED, "ann")
        assert (refusal.value.key, refusal.value.status) == ("room.too_many", 429)
        other, _ = await registry.create(WANTED, "ben")
        other.enter(Someone())
        with pytest.raises(Refused) as refusal:
            await registry.create(WANTED, "eve")
        assert (refusal.value.key, refusal.value.status) == ("room.no_more", 503)
        assert {*registry.rooms} == {played.code, newer.code, other.code}

    asyncio.run(fill())


async def in_play(registry: RoomRegistry, maker: str, other: str) -> GameRoom:
    """A room with a move, whose players come from two addresses, or from one."""
    room, token = await registry.create(WANTED, maker)
    await registry.sit(room, other)
    await room.order(MoveMade(t="move", move="b2", ply=0), token_hash(token))
    return room


def test_r06_rooms_without_a_game_go_first(tmp_path: Path) -> None:
    async def fill() -> None:
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(rooms=4, from_one=100))
        real = await in_play(registry, "ann", "ben")
        over = await in_play(registry, "carl", "dora")
        await over.change(lambda room_game: room_game.ended("resigned", 0, 0))
        both_seats = await in_play(registry, "eve", "eve")
        no_moves, _ = await registry.create(WANTED, "eve")
        await registry.sit(no_moves, "mallory")
        assert [room.is_disposable for room in (real, over, both_seats, no_moves)] == [0, 1, 1, 1]
        for gone in (both_seats, no_moves, over):
            new = await in_play(registry, f"{gone.code} one", f"{gone.code} two")
            assert gone.code not in registry.rooms
            assert new.code in registry.rooms
        with pytest.raises(Refused) as refusal:  # four games between people: none of them is lost
            await registry.create(WANTED, "frank")
        assert (refusal.value.key, refusal.value.status) == ("room.no_more", 503)
        assert real.code in registry.rooms

    asyncio.run(fill())


def test_r06_an_address_sits_in_so_many_rooms_whoever_made_them(tmp_path: Path) -> None:
    async def sit() -> None:
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(from_one=2))
        for maker in ("ann", "ben"):
            await in_play(registry, maker, "eve")
        with pytest.raises(Refused) as refusal:
            await registry.create(WANTED, "eve")
        assert (refusal.value.key, refusal.value.status) == ("room.too_many", 429)
        room, _ = await registry.create(WANTED, "carl")
        with pytest.raises(Refused):
            await registry.sit(room, "eve")
        assert room.room_game.seated(BEN).seat_of(BEN) is not None  # the seat is still free
        await registry.sit(room, "dora")

    asyncio.run(sit())


def test_r06_ten_addresses_cannot_take_all_rooms(tmp_path: Path) -> None:
    async def attack() -> None:
        bounds = ServerSettings().for_strangers("papan.example.org", ("127.0.0.1",)).rooms
        registry = RoomRegistry(tmp_path, LINES, replace(bounds, rooms=50, from_one=2))
        for address in range(10):
            for _ in range(10):
                with suppress(Refused):
                    room, _ = await registry.create(WANTED, f"evil {address}")
                    await registry.sit(room, f"evil {address}")
        games = [await in_play(registry, f"ann {count}", f"ben {count}") for count in range(50)]
        assert {*registry.rooms} == {room.code for room in games}
        assert bounds.from_one * 10 < bounds.rooms

    asyncio.run(attack())


def test_r06_games_of_an_earlier_server_are_between_two_people(tmp_path: Path) -> None:
    async def play() -> None:
        await in_play(RoomRegistry(tmp_path, LINES), "ann", "ben")

    asyncio.run(play())
    [room] = RoomRegistry(tmp_path, LINES).rooms.values()
    assert room.was_played
    assert not room.is_disposable


@pytest.mark.parametrize("jump", [-400 * DAY, 400 * DAY])
def test_a_calendar_that_jumps_ends_no_game_and_forgets_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    async def play() -> None:
        now = Time()
        registry = RoomRegistry(tmp_path, LINES, clock=now)
        timed = NewRoom(start="tictactoe", seat="first", clock=Timing(minutes=5))
        room, token = await registry.create(timed, "ann")
        other = await registry.sit(room, "ben")
        for ply, (who, name) in enumerate([(token, "b2"), (other, "a1")]):
            await room.order(MoveMade(t="move", move=name, ply=ply), token_hash(who))
        true = time.time
        for module in ("rooms", "room_game"):
            place = f"papan.web.{module}.time"
            monkeypatch.setattr(place, lambda: true() + jump, raising=False)
        now.now += 10
        assert (await room.state(None)).room.clock.left == (290, 300)  # type: ignore[union-attr]
        await room.order(MoveMade(t="move", move="a2", ply=2), token_hash(token))
        newer, _ = await registry.create(WANTED, "carl")
        assert {*registry.rooms} == {room.code, newer.code}
        assert (await room.state(None)).room.end == "open"
        now.now += registry.limits.idle + 1  # whatever the calendar says: a week has really passed
        last, _ = await registry.create(WANTED, "dora")
        assert {*registry.rooms} == {last.code}

    asyncio.run(play())


def test_v05_15_an_address_has_so_many_connections_over_all_rooms(tmp_path: Path) -> None:
    async def crowd() -> None:
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(sockets=3))
        rooms = [(await registry.create(WANTED, "ann"))[0] for _ in range(4)]
        with ExitStack() as stack:
            for room in rooms[:3]:
                assert registry.admits(room, None, "eve")
                stack.enter_context(registry.counted("eve"))
            assert not registry.admits(rooms[3], None, "eve")
            assert registry.admits(rooms[3], None, "ben")
        assert registry.admits(rooms[3], None, "eve")

    asyncio.run(crowd())


class Live:
    """A connection to a room by its address, without a network."""

    def __init__(self, api: FastAPI, code: str, client: str) -> None:
        self.received: asyncio.Queue[Any] = asyncio.Queue()
        self.sent: asyncio.Queue[Any] = asyncio.Queue()
        path = f"/v1/rooms/{code}/live"
        scope = {"type": "websocket", "path": path, "raw_path": path.encode(), "scheme": "ws"}
        scope |= {"root_path": "", "query_string": b"", "headers": [(b"host", b"localhost")]}
        scope |= {"client": (client, 1), "subprotocols": []}
        self.received.put_nowait({"type": "websocket.connect"})
        self.life = asyncio.ensure_future(api(scope, self.received.get, self.sent.put))

    async def answer(self) -> tuple[str, int]:
        """What comes after the connection was accepted: its kind, and the code if it is closed."""
        assert (await self.sent.get())["type"] == "websocket.accept"
        message = await self.sent.get()
        return message["type"].removeprefix("websocket."), message.get("code", 0)

    async def close(self) -> None:
        self.received.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.life


def test_y7_connections_are_counted_for_their_address_as_long_as_they_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crowd() -> None:
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(sockets=2))
        monkeypatch.setattr("papan.web.room_routes.RoomRegistry", lambda *given: registry)
        api = FastAPI()
        add_rooms(api, ServerSettings(data=tmp_path), LINES, AddressSlots(2))
        first, second, third = [(await registry.create(WANTED, "ann"))[0].code for _ in range(3)]
        eve = [Live(api, first, "192.0.2.1"), Live(api, second, "192.0.2.1")]
        assert [await each.answer() for each in eve] == [("send", 0)] * 2
        refused = Live(api, third, "192.0.2.1")
        assert await refused.answer() == ("close", 1013)
        other = Live(api, third, "192.0.2.2")
        assert await other.answer() == ("send", 0)
        await eve.pop().close()
        again = Live(api, third, "192.0.2.1")
        assert await again.answer() == ("send", 0)
        for each in (*eve, other, again):
            await each.close()

    asyncio.run(crowd())


def test_v05_16_a_room_with_someone_in_it_is_never_too_old(tmp_path: Path) -> None:
    async def wait() -> None:
        registry = RoomRegistry(tmp_path, LINES)
        room = await in_play(registry, "ann", "ben")
        someone = Someone()
        room.enter(someone)
        room.touched -= 2 * registry.limits.idle
        await registry.create(WANTED, "carl")
        assert room.code in registry.rooms
        room.leave(someone)
        room.touched -= 2 * registry.limits.idle
        await registry.create(WANTED, "carl")
        assert room.code not in registry.rooms

    asyncio.run(wait())


def test_a_room_in_which_nothing_happens_is_forgotten(tmp_path: Path) -> None:
    async def wait() -> None:
        registry = RoomRegistry(tmp_path, LINES)
        old, _ = await registry.create(WANTED, "ann")
        await old.change(lambda room_game: room_game.seated(BEN))
        old.touched -= registry.limits.idle + 1
        fresh, _ = await registry.create(WANTED, "ann")
        assert {*registry.rooms} == {fresh.code}
        assert {*RoomRegistry(tmp_path, LINES).rooms} == {fresh.code}

    asyncio.run(wait())


def test_spectators_never_crowd_out_a_player(tmp_path: Path) -> None:
    async def crowd() -> None:
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(spectators=2, sockets=5))
        room, token = await registry.create(WANTED, "ann")
        for _ in range(2):
            room.enter(Someone())
        assert not registry.admits(room, None, "eve")
        assert registry.admits(room, token_hash(token), "ann")
        with registry.counted("ann"):
            assert registry.admits(room, token_hash(token), "ann")

    asyncio.run(crowd())


def test_one_seat_has_only_so_many_connections(tmp_path: Path) -> None:
    async def crowd() -> None:
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(tabs=2))
        room, token = await registry.create(WANTED, "ann")
        room.enter(Someone(token_hash(token)))
        assert registry.admits(room, token_hash(token), "ann")
        room.enter(Someone(token_hash(token)))
        assert not registry.admits(room, token_hash(token), "ann")
        assert registry.admits(room, None, "ben")

    asyncio.run(crowd())


class Wire:
    """A connection without a network."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def accept(self) -> None:
        pass

    async def receive(self) -> dict[str, Any]:
        return await self.said.get()

    async def send_text(self, text: str) -> None:
        self.heard.put_nowait(json.loads(text))

    def say(self, **order: Any) -> None:
        self.said.put_nowait({"type": "websocket.receive", "text": json.dumps(order)})

    async def expected(self, kind: str) -> dict[str, Any]:
        while (message := await self.heard.get())["t"] != kind:
            pass
        return message


@pytest.mark.parametrize(
    ("part", "key"),
    [("papan.web.rooms.board_facts", "room.cannot_show"), ("Table.after", "room.failed")],
)
def test_a_game_that_fails_ends_no_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, key: str
) -> None:
    def failing(*given: Any) -> Any:
        raise ZeroDivisionError("a plug-in divides by nothing")

    async def play() -> None:
        registry, wire = RoomRegistry(tmp_path, LINES), Wire()
        room, token = await registry.create(WANTED, "ann")
        await registry.sit(room, "ben")
        connection = asyncio.ensure_future(RoomConnection(wire, room, token_hash(token)).run())  # type: ignore[arg-type]
        await wire.expected("state")
        with monkeypatch.context() as patch:
            patch.setattr(part.replace("Table", "papan.web.room_game.RoomGame"), failing)
            wire.say(t="move", move="b2", ply=0)
            refusal = await wire.expected("refused")
            assert refusal["key"] == key
            assert "divides by nothing" in refusal["message"]
        wire.say(t="move", move="b2", ply=0)  # or has it been made?
        wire.say(t="ask", what="takeback")
        reported = await wire.expected("state")
        assert reported["board"]["moves"] == ["b2"]
        wire.said.put_nowait({"type": "websocket.disconnect"})
        await connection

    asyncio.run(play())


def test_a_flag_falls_by_itself(tmp_path: Path) -> None:
    async def wait() -> GameRoom:
        registry = RoomRegistry(tmp_path, LINES)
        wanted = {"start": "tictactoe", "seat": "first", "clock": {"minutes": 0.001}}
        room, token = await registry.create(NewRoom.model_validate(wanted), "ann")
        await room.change(lambda room_game: room_game.seated(BEN))
        room.enter(Someone())
        for key, name in ((token_hash(token), "b2"), (BEN, "a1")):
            order = MESSAGE_FORM.validate_python(
                {"t": "move", "move": name, "ply": int(name == "a1")}
            )
            assert not isinstance(order, Ping)
            await room.order(order, key)
        while room.room_game.given_up is None:
            await asyncio.sleep(0.01)
        return room

    room = asyncio.run(wait())
    assert room.room_game.given_up == ("timeout", 0)
    [(_, saved, _)] = RoomStore(tmp_path, Time()).rooms()
    assert saved.given_up == ("timeout", 0)


def test_s13_codes_and_tokens_are_long_and_never_the_same() -> None:
    assert len({new_code() for _ in range(100)}) == 100
    assert len(new_code().replace("-", "")) * 5 == 80
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) * 6 >= 128


class Line(Wire):
    """A connection that notes how it was closed."""

    closed: int | None = None

    async def close(self, code: int) -> None:
        self.closed = code


async def connected(tmp_path: Path, wire: Line) -> tuple[GameRoom, "asyncio.Task[None]"]:
    """A room with the holder of its first seat, who has a connection."""
    room, token = await RoomRegistry(tmp_path, LINES).create(WANTED, "ann")
    running = asyncio.ensure_future(RoomConnection(wire, room, token_hash(token)).run())  # type: ignore[arg-type]
    await wire.expected("state")
    return room, running


def test_a_message_is_answered_whatever_it_is(tmp_path: Path) -> None:
    async def talk() -> None:
        wire = Line()
        room, running = await connected(tmp_path, wire)
        wire.say(t="ping")
        assert await wire.expected("pong") == {"t": "pong"}
        for order in ({"t": "dance"}, {"t": "move", "move": "b2"}, {"t": "ping", "more": 1}):
            wire.say(**order)
            refused = await wire.expected("refused")
            assert refused["key"] == "room.not_understood" and refused["values"]["problem"]
        wire.say(t="move", move="b2", ply=0)
        assert (await wire.expected("refused"))["key"] == "room.alone"
        wire.said.put_nowait({"type": "websocket.disconnect"})
        await running
        assert wire.closed is None and not room.visitors

    asyncio.run(talk())


@pytest.mark.parametrize(("count", "code"), [(20, None), (21, 1008)])
def test_a_connection_that_says_too_much_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, code: int | None
) -> None:
    monkeypatch.setattr("papan.web.guard.monotonic", lambda: 100.0)

    async def talk() -> None:
        wire = Line()
        room, running = await connected(tmp_path, wire)
        for _ in range(count):
            wire.say(t="ping")
        if code is None:
            for _ in range(count):
                await wire.expected("pong")
            wire.said.put_nowait({"type": "websocket.disconnect"})
        await running
        assert wire.closed == code and not room.visitors

    asyncio.run(talk())


def test_a_connection_that_sends_bytes_is_closed(tmp_path: Path) -> None:
    async def talk() -> None:
        wire = Line()
        room, running = await connected(tmp_path, wire)
        wire.said.put_nowait({"type": "websocket.receive", "bytes": b"x"})
        await running
        assert wire.closed == 1003 and not room.visitors

    asyncio.run(talk())


def test_a_connection_that_is_never_made_leaves_nobody_in_the_room(tmp_path: Path) -> None:
    class Broken(Line):
        async def accept(self) -> None:
            raise RuntimeError("gone")

    async def come() -> None:
        room, _ = await RoomRegistry(tmp_path, LINES).create(WANTED, "ann")
        with pytest.raises(RuntimeError):
            await RoomConnection(Broken(), room, None).run()  # type: ignore[arg-type]
        assert not room.visitors

    asyncio.run(come())


def test_a_room_tells_who_sits_who_is_there_and_what_is_asked(tmp_path: Path) -> None:
    async def look() -> None:
        clock = Time()
        clock.now = 100
        registry = RoomRegistry(tmp_path, LINES, clock=clock)
        wanted = NewRoom(
            start="connect4", seat="second", name="Ann", clock=Timing(minutes=1.5, increment=3)
        )
        room, token = await registry.create(wanted, "ann")
        ann = token_hash(token)
        empty = (await room.state(ann)).room
        assert (empty.taken, empty.present) == ((False, True), (False, False))
        assert (empty.names, empty.asks) == (("", "Ann"), None)
        ben = token_hash(await registry.sit(room, "ben", "Ben"))
        for key in (ann, ann, None, "stranger"):
            room.enter(Someone(key))
        for key, name in ((ben, "4"), (ann, "5")):
            order = MoveMade(t="move", move=name, ply=len(room.room_game.moves))
            await room.order(order, key)
        clock.now = 110
        await room.order(Wished(t="ask", what="takeback"), ann)
        state = await room.state(ann)
        assert (state.name, state.seat, state.board.moves) == (room.code, 1, ["4", "5"])
        assert (await room.state(ben)).seat == 0 and (await room.state(None)).seat is None
        assert state.room.model_dump() == {
            "taken": (True, True),
            "present": (False, True),
            "spectators": 2,
            "end": "open",
            "winner": None,
            "blame": None,
            "asks": {"what": "takeback", "seat": 1},
            "clock": {"seconds": 90.0, "increment": 3.0, "left": (80.0, 90.0), "running": 0},
            "games": 1,
            "names": ("Ben", "Ann"),
        }
        await room.order(Declared(t="resign"), ben)
        ended = (await room.state(None)).room
        assert (ended.end, ended.winner, ended.blame, ended.asks) == ("resigned", 1, 0, None)
        assert ended.clock is not None and ended.clock.running is None

    asyncio.run(look())


def test_who_has_no_seat_may_only_watch_and_what_changes_nothing_is_no_news(tmp_path: Path) -> None:
    async def watch() -> None:
        room = await in_play(RoomRegistry(tmp_path, LINES), "ann", "ben")
        someone = Someone()
        room.enter(someone)
        version, file = room.version, tmp_path / f"{room.code}.json"
        file.unlink()
        with pytest.raises(PapanError) as refused:
            await room.order(Declared(t="resign"), "stranger")
        assert refused.value.key == "room.watching"
        await room.change(lambda room_game: replace(room_game))
        assert (room.version, someone.heard, file.exists()) == (version, 1, False)
        await room.change(lambda room_game: replace(room_game, games=2))
        assert (room.version, someone.heard, file.exists()) == (version + 1, 2, True)

    asyncio.run(watch())


def test_a_room_that_cannot_be_stored_is_not_made(tmp_path: Path) -> None:
    async def create() -> None:
        (tmp_path / "rooms").write_text("in the way")
        registry = RoomRegistry(tmp_path / "rooms", LINES)
        with pytest.raises(PapanError) as refused:
            await registry.create(WANTED, "ann")
        assert refused.value.key == "room.cannot_keep" and registry.rooms == {}

    asyncio.run(create())


def test_an_idle_room_is_forgotten_after_its_time_and_not_before(tmp_path: Path) -> None:
    async def wait() -> None:
        clock = Time()
        registry = RoomRegistry(tmp_path, LINES, RoomLimits(idle=50), clock)
        room, _ = await registry.create(WANTED, "ann")
        for now, left in ((50, True), (50.5, False)):
            clock.now = now
            registry._delete_idle()
            assert (room.code in registry.rooms) is left

    asyncio.run(wait())


def test_a_short_code_opens_a_room_while_a_seat_is_free(tmp_path: Path) -> None:
    async def find() -> None:
        registry = RoomRegistry(tmp_path, LINES)
        room, _ = await registry.create(WANTED, "ann")
        short = short_code(room.code)
        assert short == f"{room.code[:3]}-{room.code[3]}{room.code[5:7]}"
        assert await registry.find(short) is await registry.find(room.code) is room
        await registry.sit(room, "ben")
        assert await registry.find(short) is None and await registry.find(room.code) is room

    asyncio.run(find())
