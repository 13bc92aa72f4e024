"""Connections below any request: counted by address, never silent for ever, with small heads."""

import asyncio
import inspect
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from papan.web.app import build_app
from papan.web.network import bare, bracketed, host_names
from papan.web.owner import FolderLock
from papan.web.serving import (
    HttpConnection,
    ReadDeadline,
    Server,
    WebSocketConnection,
    configuration,
    listening,
)
from papan.web.settings import LOOPBACK, MESSAGES, ServerSettings
from tests.web.asking import QUIET, made

pytestmark = pytest.mark.thorough


LOCAL = replace(QUIET, workers=0, jobs=0, rate=0, slow_seconds=60)
CLASS = replace(LOCAL.for_a_network((*LOOPBACK, "school")), workers=0)
PUBLIC = replace(LOCAL.for_strangers("papan.example.org", ("127.0.0.9",)), workers=0, log=False)
TIERS = {"local": LOCAL, "class": CLASS, "public": PUBLIC}
EACH_TIER = pytest.mark.parametrize("tier", TIERS)
ASK = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
MANY = 5


@asynccontextmanager
async def running(settings: ServerSettings, rooms: bool = False) -> AsyncIterator[int]:
    """A server within this process, as `papan serve` runs it: its port.

    One without *rooms* of its own has an API that others have asked before: to make one takes
    longer than most of these tests.
    """
    lock = FolderLock(settings.data)
    with pytest.MonkeyPatch.context() as patch:
        if not rooms:
            _, api = made(QUIET)
            patch.setattr("papan.web.app.build_api", lambda *_: api)
        app = build_app(settings, lock)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Server(configuration(settings, app))
        life = asyncio.create_task(server._serve([listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield int(listener.getsockname()[1])
        finally:
            server.should_exit = True
            await life


def tried(
    settings: ServerSettings,
    data: Path,
    test: Callable[["Caller"], Awaitable[None]],
    rooms: bool = False,
) -> None:
    async def run() -> None:
        async with running(replace(settings, data=data), rooms) as port, asyncio.timeout(120):
            caller = Caller(port)
            try:
                await test(caller)
            finally:
                await caller.close()

    asyncio.run(run())


class Caller:
    """Opens connections to a port, from any address of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.writers: list[asyncio.StreamWriter] = []

    async def close(self) -> None:
        for writer in self.writers:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def open(self, host: str = "127.0.0.1") -> "Line":
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(host, 0))
        self.writers.append(writer)
        return Line(reader, writer)


class Line:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def answer(self, request: bytes = ASK) -> int:
        """The status of the answer to a request."""
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-len")]
        await self.reader.readexactly(int(length[0].split(b":")[1]) if length else 0)
        return int(head.split()[1])

    async def ended(self) -> None:
        """Wait until the server has closed it."""
        while True:
            try:
                if not await self.reader.read(2**16):
                    return
            except ConnectionError:
                return


@EACH_TIER
def test_r04_one_address_has_so_many_connections_and_others_have_theirs(
    tier: str, tmp_path: Path
) -> None:
    async def test(caller: Caller) -> None:
        silent = [await caller.open() for _ in range(MANY)]
        assert await silent[-1].answer() == 200  # it has really come
        one_more = await caller.open()
        assert await one_more.answer(b"") == 429
        await one_more.ended()
        assert await (await caller.open("127.0.0.2")).answer() == 200
        silent[0].writer.close()
        while await (again := await caller.open()).answer() != 200:
            await again.ended()

    tried(replace(TIERS[tier], connections=MANY), tmp_path, test)


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: local",
        b"POST /api/v1/board HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    ],
)
def test_z6_half_open_connections_of_many_addresses_are_shed_oldest_first(
    begun: bytes, tmp_path: Path
) -> None:
    async def test(caller: Caller) -> None:
        good = await caller.open("127.0.0.99")
        half_open = []
        for number in range(11 * MANY):
            line = await caller.open(f"127.0.0.{2 + number % 11}")
            line.writer.write(begun)
            half_open.append(line)
            assert await good.answer() == 200  # it asks, and so it stays
        for line in half_open[: -4 * MANY]:
            await line.ended()
        newcomer = await caller.open("127.0.0.98")
        assert [await newcomer.answer() for _ in range(3)] == [200] * 3
        assert not half_open[-1].reader.at_eof()  # those that came last are still there

    bounds = replace(CLASS, connections=MANY, all_connections=4 * MANY)
    tried(bounds, tmp_path, test)


def test_z6_none_is_shed_as_long_as_there_are_no_more_than_allowed(tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        silent = [await caller.open(f"127.0.0.{2 + number}") for number in range(MANY - 1)]
        last = await caller.open("127.0.0.99")
        assert await last.answer() == 200  # the server has seen all of them
        assert not any(each.reader.at_eof() for each in silent)
        assert await (await caller.open("127.0.0.98")).answer() == 200
        await silent[0].ended()  # one more than allowed
        assert not any(each.reader.at_eof() for each in silent[1:])

    tried(replace(CLASS, connections=MANY, all_connections=MANY), tmp_path, test)


def test_z6_where_all_connections_are_in_use_the_greediest_loses_one(tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        name = await _room(caller)
        uri = f"ws://localhost:{caller.port}/api/v1/rooms/{name}/live"
        async with AsyncExitStack() as sockets:
            greedy = [
                await sockets.enter_async_context(
                    connect(
                        uri,
                        proxy=None,
                        ping_interval=None,
                        close_timeout=1,
                        local_addr=("127.0.0.7", 0),
                        host="127.0.0.1",
                    )
                )
                for _ in range(2 * MANY)
            ]
            assert await (await caller.open("127.0.0.8")).answer() == 200
            gone = [asyncio.ensure_future(each.wait_closed()) for each in greedy]
            await asyncio.wait(gone, return_when=asyncio.FIRST_COMPLETED)
            assert sum(each.done() for each in gone) == 1
            for each in gone:
                each.cancel()

    tried(replace(CLASS, all_connections=2 * MANY), tmp_path, test, rooms=True)


def test_r04_the_connections_of_a_proxy_are_those_of_its_guests(tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        lines = [await caller.open("127.0.0.9") for _ in range(3 * MANY)]
        assert [await line.answer() for line in lines] == [200] * (3 * MANY)

    tried(replace(PUBLIC, connections=MANY), tmp_path, test)


@EACH_TIER
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"\r\n",
        b"GET / HTTP/1.1\r\nHost: local",
        b"POST /api/v1/board HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["silent", "a line", "half a head", "half a body"],
)
def test_r04_what_never_becomes_a_request_is_not_held_for_ever(
    tier: str, begun: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(caller: Caller) -> None:
        lines = [await caller.open() for _ in range(3)]
        for line in lines:
            line.writer.write(begun)
        for line in lines:
            await line.ended()

    with caplog.at_level(logging.ERROR):
        tried(replace(TIERS[tier], slow_seconds=0.2), tmp_path, test)
    assert caplog.text == ""


def test_r04_a_request_that_comes_drop_by_drop_ends_all_the_same(tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        line = await caller.open()
        ended = asyncio.ensure_future(line.ended())
        while not ended.done():  # each drop is in time, all of them together are not
            line.writer.write(b"a" if line.reader.at_eof() else b"G")
            await asyncio.sleep(0.02)

    tried(replace(CLASS, slow_seconds=0.5), tmp_path, test)


def test_r04_an_answer_that_nobody_reads_is_dropped(tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", caller.port))
        with deaf:
            ask = b"GET /api/v1/texts/en HTTP/1.1\r\nHost: localhost\r\n\r\n"
            deaf.setblocking(False)
            loop = asyncio.get_running_loop()
            with pytest.raises(ConnectionError):
                while True:  # ask for more and more until the server has had enough
                    await loop.sock_sendall(deaf, ask)
                    await asyncio.sleep(0.01)

    tried(replace(CLASS, slow_seconds=0.5), tmp_path, test)


@EACH_TIER
def test_r04_heads_are_small(tier: str, tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        head = ASK.replace(b"\r\n\r\n", b"\r\nX: " + b"x" * 100_000 + b"\r\n\r\n")
        assert await (await caller.open()).answer(head) in (400, 431)
        path = ASK.replace(b"/health", b"/health?" + b"x" * 15_000 + b"&" + b"y" * 2_000)
        assert await (await caller.open()).answer(path) in (400, 431)
        assert await (await caller.open()).answer(ASK) == 200

    tried(TIERS[tier], tmp_path, test)


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_r08_a_flood_of_pings_ends_a_socket(opcode: Opcode, tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        url = f"ws://127.0.0.1:{caller.port}/api/v1/rooms/{await _room(caller)}/live"
        async with connect(url, proxy=None, ping_interval=None) as one:
            await one.recv()
            frame = Frame(opcode, b"x" * 100).serialize(mask=True)
            one.transport.write(frame * (10 * MESSAGES))
            with pytest.raises(ConnectionClosed) as end:
                while True:
                    await one.recv()
            assert end.value.rcvd is not None
            assert end.value.rcvd.code == 1008
        async with connect(url, proxy=None, ping_interval=None) as one:
            for _ in range(MESSAGES // 2):
                await (await one.ping())  # a few are answered

    tried(LOCAL, tmp_path, test, rooms=True)


@pytest.mark.parametrize("pieces", [[b"\xff"], [b'{"t": "', b"\xc3", b'("}']])
def test_a_text_that_is_not_utf8_closes_a_socket_without_a_traceback(
    pieces: list[bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(caller: Caller) -> None:
        url = f"ws://127.0.0.1:{caller.port}/api/v1/rooms/{await _room(caller)}/live"
        async with connect(url, proxy=None, ping_interval=None) as one:
            await one.recv()
            for number, piece in enumerate(pieces):
                opcode = Opcode.CONT if number else Opcode.TEXT
                frame = Frame(opcode, piece, fin=number == len(pieces) - 1)
                one.transport.write(frame.serialize(mask=True))
            with pytest.raises(ConnectionClosed) as end:
                while True:
                    await one.recv()
            assert end.value.rcvd is not None
            assert end.value.rcvd.code == 1007
        async with connect(url, proxy=None, ping_interval=None) as one:
            await one.recv()  # the room goes on

    with caplog.at_level(logging.INFO):
        tried(LOCAL, tmp_path, test, rooms=True)
    assert "Traceback" not in caplog.text
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


OVERRIDDEN = {
    H11Protocol: {
        "connection_lost": "dbb688fa2b38",
        "connection_made": "6efb565ff3d3",
        "data_received": "e03b145518ca",
        "handle_websocket_upgrade": "6f42a029e35a",
        "on_response_complete": "1fbb8f48c6a1",
        "pause_writing": "17a8fd215d96",
        "resume_writing": "7844bbaa8cce",
        "timeout_keep_alive_handler": "fcd7338529fe",
    },
    WebSocketsSansIOProtocol: {
        "connection_lost": "dd116afc4d80",
        "connection_made": "f533ec93747c",
        "handle_cont": "d96fe1479da6",
        "handle_parser_exception": "ff5cf13c764f",
        "handle_ping": "41bcf345d372",
        "handle_pong": "b20c68cc7e4f",
        "keepalive_timeout": "8e1ceb6ec446",
        "pause_writing": "4830f7e0d81f",
        "resume_writing": "ef79384e5fff",
        "send_receive_event_to_app": "a2b10de91477",
    },
}
"""Hashes of the sources of the methods of uvicorn 0.54 that `papan.web.serving` overrides."""


@pytest.mark.parametrize("protocol", OVERRIDDEN)
def test_uvicorn_has_not_changed_the_methods_that_are_overridden(
    protocol: type[asyncio.Protocol],
) -> None:
    """Where this fails, read uvicorn's new source and what `serving` does, then the new hash."""
    sources = {name: inspect.getsource(getattr(protocol, name)) for name in OVERRIDDEN[protocol]}
    found = {name: sha256(text.encode()).hexdigest()[:12] for name, text in sources.items()}
    assert found == OVERRIDDEN[protocol]


def test_every_method_that_is_overridden_is_watched() -> None:
    for protocol, own in (
        (H11Protocol, HttpConnection),
        (WebSocketsSansIOProtocol, WebSocketConnection),
    ):
        names = {name for kind in (own, ReadDeadline) for name in vars(kind)}
        inherited = {name for name in names if hasattr(protocol, name) and name[0] != "_"}
        assert inherited <= OVERRIDDEN[protocol].keys()


async def _room(caller: Caller) -> str:
    line = await caller.open()
    body = b'{"start": "tictactoe"}'
    head = f"POST /api/v1/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    line.writer.write(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
    head = (await line.reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = head.partition("content-length:")[2].split()[0]
    name: str = json.loads(await line.reader.readexactly(int(length)))["name"]
    return name


@pytest.mark.parametrize("request_line", ["OPTIONS *", "GET foo", "CONNECT localhost:1", "GET *"])
@pytest.mark.parametrize("log", [False, True])
def test_r08_what_is_no_address_of_a_page_is_400_and_nothing_breaks(
    request_line: str, log: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(caller: Caller) -> None:
        line = await caller.open()
        head = f"{request_line} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        assert await line.answer(head.encode()) == 400

    with caplog.at_level(logging.ERROR):
        tried(replace(LOCAL, log=log), tmp_path, test)
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(("tier", "facts"), [("local", True), ("class", True), ("public", False)])
def test_r08_strangers_are_told_no_names(tier: str, facts: bool, tmp_path: Path) -> None:
    async def test(caller: Caller) -> None:
        line = await caller.open()
        line.writer.write(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        answer = (await line.reader.read()).decode()
        assert answer.startswith("HTTP/1.1 421")
        assert ("localhost" in answer) is facts
        assert "papan.example.org" not in answer

    tried(TIERS[tier], tmp_path, test)


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_a_server_listens_on_the_sixth_version_too(host: str) -> None:
    if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no addresses of the sixth version")
    assert (bare(host), bracketed(bare(host))) == ("::1", "[::1]")
    assert bracketed(bare(host)) in LOCAL.hosts
    assert "[::]" in host_names("::")
    with listening(bare(host), 0) as listener:
        assert listener.family == socket.AF_INET6
        assert listener.getsockname()[0] == "::1"
