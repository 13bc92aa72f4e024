"""Rooms on a real server: seats, the connection, what it forbids, and what outlives the server."""

import io
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from papan.web.room_routes import COOKIE
from tests.waiting import LONGEST_WAIT
from tests.web.asking import QUIET, ask
from tests.web.server import serving

pytestmark = pytest.mark.thorough


@dataclass
class Person:
    """Someone who knows a room, and perhaps has the token of a seat in it."""

    server: str
    code: str
    token: str | None = None

    @property
    def path(self) -> str:
        return f"{self.server}/api/v1/rooms/{self.code}"

    @property
    def headers(self) -> dict[str, str]:
        return {"cookie": f"{COOKIE}={self.token}"} if self.token else {}

    def guest(self) -> "Person":
        return Person(self.server, self.code)

    def sit(self) -> httpx2.Response:
        answer = httpx2.post(f"{self.path}/seat", headers=self.headers)
        self.token = answer.cookies.get(COOKIE, self.token)
        return answer

    def look(self) -> Any:
        return httpx2.get(self.path, headers=self.headers).json()

    @contextmanager
    def live(self, **headers: str) -> Iterator["Talk"]:
        url = f"{self.path.replace('http', 'ws', 1)}/live"
        with connect(url, additional_headers=self.headers | headers, proxy=None) as socket:
            yield Talk(socket)


@dataclass
class Talk:
    """A connection to a room."""

    socket: ClientConnection

    def receive(self, kind: str) -> Any:
        """The next message of a kind."""
        while True:
            message = json.loads(self.socket.recv(timeout=LONGEST_WAIT))
            if message["t"] == kind:
                return message

    def say(self, t: str, **more: Any) -> "Talk":
        self.socket.send(json.dumps({"t": t, **more}))
        return self

    def after(self, count: int) -> Any:
        """The state in which so many moves are made."""
        while True:
            state = self.receive("state")
            if len(state["board"]["moves"]) == count:
                return state

    def closed(self) -> int:
        """The code with which the server ends the connection."""
        with pytest.raises(ConnectionClosed) as end:
            while True:
                self.socket.recv(timeout=LONGEST_WAIT)
        assert end.value.rcvd is not None
        return end.value.rcvd.code


def room(server: str, **wanted: Any) -> Person:
    """The maker of a room, on the first seat."""
    order = {"start": "tictactoe", "seat": "first"} | wanted
    answer = httpx2.post(f"{server}/api/v1/rooms", json=order)
    assert answer.status_code == 201, answer.text
    return Person(server, answer.json()["name"], answer.cookies[COOKIE])


def pair(server: str, **wanted: Any) -> tuple[Person, Person]:
    """The two players of a room."""
    ann = room(server, **wanted)
    ben = ann.guest()
    assert ben.sit().status_code == 200
    return ann, ben


def test_a_room_tells_everything_first_and_then_every_change(server: str) -> None:
    ann, ben = pair(server)
    with ann.live() as one, ben.live() as other:
        state = one.receive("state")
        assert (state["name"], state["seat"]) == (ann.code, 0)
        assert state["board"]["moves"] == []
        assert state["room"]["taken"] == [True, True]
        assert other.receive("state")["seat"] == 1
        one.say("move", move="b2", ply=0)
        assert other.after(1)["board"]["moves"] == ["b2"]
        other.say("resign")
        over = one.receive("room")
        while over["room"]["end"] == "open":
            over = one.receive("room")
        assert (over["room"]["end"], over["room"]["winner"]) == ("resigned", 0)
        assert "board" not in over


def test_presence_is_told_and_nobody_loses_by_being_away(server: str) -> None:
    ann, ben = pair(server)
    with ann.live() as one:
        one.receive("state")
        with ben.live() as other:
            other.receive("state")
            assert one.receive("room")["room"]["present"] == [True, True]
            with ann.guest().live() as watcher:
                assert watcher.receive("state")["seat"] is None
                assert one.receive("room")["room"]["spectators"] == 1
        reported = one.receive("room")["room"]
        while reported["present"] != [True, False]:
            reported = one.receive("room")["room"]
        assert reported["end"] == "open"
    with ben.live() as other:
        assert other.receive("state")["room"]["end"] == "open"


def test_a_seat_goes_to_the_first_who_sits_down(server: str) -> None:
    ann = room(server, seat="second")
    assert ann.sit().json()["seat"] == 1
    ben, eve = ann.guest(), ann.guest()
    assert ben.look()["seat"] is None  # to look is not to sit
    assert ben.sit().json()["seat"] == 0
    assert ben.sit().json()["seat"] == 0
    answer = eve.sit()
    assert (answer.status_code, answer.json()["key"]) == (422, "room.taken")
    assert eve.look()["room"]["taken"] == [True, True]


def test_u20_a_short_code_leads_to_a_room_until_both_seats_are_taken(server: str) -> None:
    ann = room(server)
    letters = ann.code.replace("-", "")
    short = Person(server, f"{letters[:3]}-{letters[3:6]}")
    assert short.look()["name"] == ann.code
    assert short.sit().status_code == 404  # a seat takes the whole code
    with pytest.raises(InvalidStatus), short.live():  # and so does a connection
        pass
    ann.guest().sit()
    assert httpx2.get(short.path).status_code == 404
    assert ann.look()["name"] == ann.code


def test_u20_short_codes_cannot_be_tried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.web.room_routes.GUESSES", 1e-6)  # a slow machine gets no more
    monkeypatch.setattr("papan.web.room_routes.MOST_GUESSES", 3)
    settings = replace(QUIET, grace=1.25)  # an API of its own
    path = "/api/v1/rooms/aaa-aaa"
    statuses = [ask("GET", path, settings).status_code for _ in range(4)]
    assert statuses == [404, 404, 404, 429]
    assert ask("GET", "/api/v1/rooms/aaaa-aaaa-aaaa-aaaa", settings).status_code == 404


def test_u20_the_link_of_a_room_is_a_picture_that_phones_read(server: str) -> None:
    import segno

    ann = room(server)
    answer = httpx2.get(f"{ann.path}/qr")
    assert answer.headers["content-type"] == "image/svg+xml"
    expected = io.BytesIO()
    code = segno.make(f"{server}/room/{ann.code}", micro=False)
    code.save(expected, kind="svg", xmldecl=False, omitsize=True, border=3)
    assert answer.content == expected.getvalue()
    other = "a" if ann.path[-1] != "a" else "b"  # the code of a room may end with any letter
    assert httpx2.get(f"{ann.path[:-1]}{other}/qr").status_code == 404


def test_a_wrong_turn_and_an_illegal_move_are_refused_in_the_usual_form(server: str) -> None:
    ann, ben = pair(server)
    with ann.live() as one, ben.live() as other:
        other.say("move", move="b2", ply=0)
        refusal = other.receive("refused")
        assert refusal["key"] == "room.not_your_turn"
        assert set(refusal) == {"t", "key", "values", "message"}
        one.say("move", move="q7", ply=0)
        assert "q7" in one.receive("refused")["message"]
    assert ann.look()["board"]["moves"] == []


def test_a_rematch_swaps_the_seats_of_those_who_are_there(server: str) -> None:
    ann, ben = pair(server)
    with ann.live() as one, ben.live() as other:
        one.receive("state")
        one.say("resign")
        other.say("ask", what="rematch")
        one.say("agree", what="rematch")
        while one.receive("state")["seat"] != 1:
            pass
        while other.receive("state")["seat"] != 0:
            pass


def test_a_connection_that_still_lives_is_answered(server: str) -> None:
    with room(server).live() as one:
        assert one.say("ping").receive("pong") == {"t": "pong"}


@pytest.mark.parametrize(
    ("wanted", "key"),
    [
        ({"start": "onet"}, "room.for_two"),
        ({"start": "chess"}, "error.unknown_game_far"),
        ({"seat": "third"}, "web.bad_request"),
        ({"clock": {"minutes": 0}}, "web.bad_request"),
        ({"clock": {"minutes": 9999}}, "web.bad_request"),
        ({"clock": {"minutes": 5, "increment": -1}}, "web.bad_request"),
    ],
)
def test_s7_a_room_that_makes_no_sense_is_not_made(wanted: dict[str, Any], key: str) -> None:
    answer = ask("POST", "/api/v1/rooms", json={"start": "tictactoe"} | wanted)
    assert (answer.status_code, answer.json()["key"]) == (422, key)


@pytest.mark.parametrize("code", ["aaaa-aaaa-aaaa-aaaa", "nonsense"])
def test_t26_a_room_that_is_not_there_is_told_so(server: str, code: str) -> None:
    nobody = Person(server, code)
    for answer in (httpx2.get(nobody.path), httpx2.get(f"{nobody.path}/qr"), nobody.sit()):
        assert (answer.status_code, answer.json()["key"]) == (404, "room.gone")
    with pytest.raises(InvalidStatus), nobody.live():
        pass


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1"])
def test_s2_a_foreign_page_gets_no_connection(server: str, origin: str) -> None:
    ann = room(server)
    with pytest.raises(InvalidStatus) as refusal, ann.live(origin=origin):
        pass
    assert refusal.value.response.status_code == 403
    assert httpx2.post(f"{ann.path}/seat", headers={"origin": origin}).status_code == 403


def test_s2_its_own_pages_and_programs_get_one(server: str) -> None:
    ann = room(server)
    for headers in ({}, {"origin": server}):
        with ann.live(**headers) as one:
            assert one.receive("state")["seat"] == 0


def test_s3_a_large_frame_ends_the_connection(server: str) -> None:
    with room(server).live() as one:
        with suppress(ConnectionClosed):  # perhaps before all of it is sent
            one.socket.send("x" * 100_000)
        assert one.closed() == 1009


def test_s3_a_flood_ends_the_connection(server: str) -> None:
    ann = room(server)
    with ann.live() as one:
        with suppress(ConnectionClosed):
            for _ in range(30):
                one.say("ping")
        assert one.closed() == 1008
    with ann.live() as one:
        assert one.receive("state")["seat"] == 0  # and costs nobody the seat


def test_s3_binary_frames_end_the_connection(server: str) -> None:
    with room(server).live() as one:
        one.socket.send(b"move")
        assert one.closed() == 1003


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"t": "dance"}',
        '{"t": "move"}',
        '{"t": "move", "move": "b2", "ply": 0, "seat": 1}',
        '{"t": "move", "move": "' + "b" * 3000 + '", "ply": 0}',
        "[" * 4000,
    ],
    ids=lambda text: text[:20],
)
def test_s3_a_message_that_makes_no_sense_is_refused_once(server: str, text: str) -> None:
    with room(server).live() as one:
        one.receive("state")
        one.socket.send(text)
        assert one.receive("refused")["key"] == "room.not_understood"
        assert one.say("ping").receive("pong")


def test_s13_without_the_token_nobody_moves(server: str) -> None:
    ann, ben = pair(server)
    other_room, _ = pair(server)
    for token in (None, "guess", "", ben.token and ben.token[:-1], other_room.token):
        with Person(server, ann.code, token).live() as eve:
            assert eve.receive("state")["seat"] is None
            for message in ({"t": "move", "move": "b2", "ply": 0}, {"t": "resign"}):
                eve.say(**message)
                assert eve.receive("refused")["key"] == "room.watching"
    assert ann.look()["board"]["moves"] == []
    assert ann.look()["room"]["end"] == "open"


def test_s13_the_token_is_in_a_cookie_that_only_this_server_reads(server: str) -> None:
    answer = httpx2.post(f"{server}/api/v1/rooms", json={"start": "tictactoe"})
    cookie = answer.headers["set-cookie"]
    code, token = answer.json()["name"], answer.cookies[COOKIE]
    parts = {part.strip().lower() for part in cookie.split(";")}
    assert {"httponly", "samesite=strict", f"path=/api/v1/rooms/{code}"} <= parts
    assert token not in answer.text
    assert token not in httpx2.get(f"{server}/api/v1/rooms/{code}").text


def test_a_page_of_a_room_is_served() -> None:
    for path in ("/room", "/room/aaaa-aaaa-aaaa-aaaa"):
        assert ask("GET", path, QUIET).status_code == 200


def test_s17_a_server_that_is_killed_loses_no_game_and_s18_rooms_do_not_keep_it_from_stopping(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as (address, process):
        ann, ben = pair(address, clock={"minutes": 5, "increment": 3})
        with ann.live() as one, ben.live() as other:
            one.say("move", move="b2", ply=0)
            other.after(1)
            other.say("move", move="a1", ply=1)
            one.after(2)
            process.send_signal(signal.SIGKILL)
            process.wait()
    with serving(tmp_path) as (address, process):
        ann.server = ben.server = address
        with ann.live() as one, ben.live() as other:
            state = one.receive("state")
            assert (state["seat"], state["board"]["moves"]) == (0, ["b2", "a1"])
            assert state["room"]["clock"]["running"] == 0
            assert other.receive("state")["seat"] == 1
            one.say("move", move="c3", ply=2)
            assert other.after(3)["room"]["end"] == "open"
            process.send_signal(signal.SIGTERM)
            assert (one.closed(), other.closed()) == (1012, 1012)
        assert process.wait(LONGEST_WAIT) in (0, -signal.SIGTERM)
