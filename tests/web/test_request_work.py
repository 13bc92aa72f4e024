"""Work for one request: what each answer of a worker becomes, and what a disconnect ends."""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request

from papan.web.boards import LARGE_TEXT, PositionCache
from papan.web.request_work import EventResponse, RequestWork
from papan.web.search_queue import SearchQueue
from papan.web.searches import Thinkers, TurnRequest, turn_events
from papan.web.wire import GameLine, Refused
from papan.web.worker_protocol import Task
from tests.web.asking import QUIET


class Answered(RequestWork):
    """Work that a worker has answered with these events."""

    def __init__(self, *events: dict[str, Any], leaves: bool = False) -> None:
        self.given, self.asked, self.closed = events, list[Task](), 0
        gone = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if not leaves:
                await gone.wait()
            return {"type": "http.disconnect"}

        scope = {"type": "http", "client": ("10.0.0.1", 1), "headers": []}
        super().__init__(Request(scope, receive), SearchQueue(QUIET))

    async def events(self, task: Task) -> AsyncIterator[bytes]:
        self.asked.append(task)
        for each in self.given:
            yield json.dumps(each).encode() + b"\n"

    async def close(self) -> None:
        self.closed += 1


START = {"t": "start"}
VALUES = {"seconds": "2", "error": "e", "moves": "9", "most": "8"}
"""Those that any of the sentences below may need."""
TASK = Task("paper_file", {"name": "a.csv"})


def error(key: str) -> dict[str, Any]:
    return {"t": "error", "key": key, "values": VALUES, "message": "x"}


@pytest.mark.parametrize(
    ("event", "content"),
    [
        ({"t": "answer", "text": "é"}, "é".encode()),
        ({"t": "answer", "text": ""}, b""),
        ({"t": "answer", "base64": b64encode(b"\xff\x00").decode()}, b"\xff\x00"),
    ],
)
def test_the_last_event_is_the_answer(event: dict[str, Any], content: bytes) -> None:
    async def call() -> bytes:
        return await Answered(START, event).call(TASK)

    assert asyncio.run(call()) == content


@pytest.mark.parametrize(
    ("event", "status", "key"),
    [
        ({"t": "answer", "text": None}, 404, "web.no_file"),
        (error("plugin.own_error"), 422, "plugin.own_error"),
        (error("web.film_long"), 422, "web.film_long"),
        (error("web.busy"), 503, "web.busy"),
        (error("process.crashed"), 503, "process.crashed"),
        (error("web.killed"), 503, "web.killed"),
        (error("web.no_worker"), 503, "web.no_worker"),
        (error("web.stopping"), 503, "web.stopping"),
        (error("web.worker_died"), 503, "web.worker_died"),
    ],
)
def test_an_error_of_a_worker_is_the_servers_fault_or_the_requests(
    event: dict[str, Any], status: int, key: str
) -> None:
    async def call() -> bytes:
        return await Answered(START, event).call(TASK)

    with pytest.raises(Refused) as refused:
        asyncio.run(call())
    assert (refused.value.status, refused.value.key) == (status, key)
    assert refused.value.values == ({"name": "a.csv"} if status == 404 else VALUES)


def test_work_of_a_client_that_leaves_is_cancelled_and_closed() -> None:
    async def leave() -> tuple[bool, int]:
        ended = asyncio.Event()

        async def work() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        request = Answered(leaves=True)
        with pytest.raises(Refused) as refused:
            await request.until_disconnect(work())
        assert (refused.value.status, refused.value.key) == (503, "web.killed")
        await asyncio.sleep(0)
        return ended.is_set(), request.closed

    assert asyncio.run(leave()) == (True, 1)


def test_work_that_ends_gives_its_result_or_its_error_and_is_closed() -> None:
    async def work() -> tuple[int, int]:
        async def seven() -> int:
            return 7

        async def broken() -> int:
            raise KeyError("x")

        request = Answered()
        found = await request.until_disconnect(seven())
        with pytest.raises(KeyError):
            await request.until_disconnect(broken())
        return found, request.closed

    assert asyncio.run(work()) == (7, 2)


def test_a_large_board_is_for_a_worker_and_a_small_one_is_not() -> None:
    async def positions() -> None:
        cache, large = PositionCache(), "dots:25,25"
        work = Answered(START, {"t": "answer", "text": "tictactoe:3,3,3 .../.x./... o"})
        found = await work.position(cache, GameLine(start=large, moves="a1b1"))
        assert str(found) == "tictactoe:3,3,3 .../.x./... o"  # whatever the worker says
        assert await work.board_json(cache, GameLine(start=large, moves="a1b1"))
        arguments = {"start": large, "moves": "a1b1"}
        assert work.asked == [
            Task("position", arguments, rank="game"),
            Task("board", arguments, rank="game"),
        ]
        own = await work.position(cache, GameLine(start="tictactoe", moves="a1"))
        assert str(own) == "tictactoe:3,3,3 x../.../... o" and len(work.asked) == 2
        line = GameLine(start="tictactoe", moves="a1 b1")
        board = json.loads(await work.board_json(cache, line))
        assert board["moves"] == ["a1", "b1"] and len(work.asked) == 2

    asyncio.run(positions())


@pytest.mark.parametrize(("length", "large"), [(LARGE_TEXT, False), (LARGE_TEXT + 1, True)])
def test_a_board_is_large_by_the_length_of_its_text(
    monkeypatch: pytest.MonkeyPatch, length: int, large: bool
) -> None:
    class Long:
        def __str__(self) -> str:
            return "x" * length

    monkeypatch.setattr("papan.catalog.position", lambda start: Long())
    assert PositionCache().is_large("anything") is large


def test_a_stream_is_closed_when_it_ends_and_when_it_breaks_off() -> None:
    async def stream(breaks: bool) -> tuple[list[str], int]:
        closed, sent = [0], list[str]()

        async def lines() -> AsyncIterator[bytes]:
            yield b"{}\n"

        async def close() -> None:
            closed[0] += 1

        async def send(message: Any) -> None:
            sent.append(message["type"])
            if breaks:
                raise OSError("gone")

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {}

        response = EventResponse(lines(), close)
        assert response.headers["content-type"] == "application/jsonl"
        assert response.headers["cache-control"] == "no-cache"
        try:
            await response({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)
        except BaseException:
            assert breaks
        return sent, closed[0]

    sent, closed = asyncio.run(stream(False))
    assert (sent[0], sent[-1], closed) == ("http.response.start", "http.response.body", 1)
    assert asyncio.run(stream(True)) == (["http.response.start"], 1)


@pytest.mark.parametrize(
    ("agents", "moves", "rank"),
    [
        (["human", "random"], "b2", "game"),
        (["random", "human"], "", "game"),
        (["random", "random"], "", "analysis"),
        (["random", "random"], "b2", "analysis"),
        (["random", "human"], "b2", None),
    ],
)
def test_y7_the_answer_to_a_person_is_searched_among_the_moves_of_games(
    agents: list[str], moves: str, rank: str | None
) -> None:
    work, queue = Answered({"t": "analysis", "move": None}), SearchQueue(QUIET)
    no_bots: Any = SimpleNamespace(queue=queue)

    async def play() -> list[bytes]:
        scope = {"type": "http", "client": ("10.0.0.1", 1), "headers": []}
        thinkers = Thinkers(Request(scope), queue, no_bots)
        thinkers.work = work
        line = GameLine(start="tictactoe", moves=moves)
        turn = TurnRequest(start="tictactoe", moves=moves, agents=agents)
        return [event async for event in turn_events(thinkers, PositionCache(), line, turn, b"")]

    asyncio.run(play())
    assert [task.rank for task in work.asked] == ([] if rank is None else [rank])
