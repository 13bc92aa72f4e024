"""Searches run in processes of their own: they end when told, when late, and when nobody waits."""

import asyncio
import io
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from math import inf, nan
from time import monotonic
from typing import Any

import pytest
from starlette.types import Message

from papan import catalog
from papan.core import PapanError
from papan.process.host import COPIES, lower_priority
from papan.puzzles.making import make
from papan.web import search_queue, worker, worker_pool
from papan.web.app import build_app
from papan.web.search_queue import (
    ASSUMED_SHARE,
    LEAST_COST,
    CpuBudget,
    QueuedSearch,
    SearchQueue,
)
from papan.web.settings import NICENESS, RANKS, Rank, ServerSettings
from papan.web.wire import Refused
from papan.web.worker import EventThinner
from papan.web.worker_pool import StartWorker, Worker, spawn_worker
from papan.web.worker_protocol import LOADING_SECONDS, Task, WorkerEvent, event_writer
from tests.waiting import LONGEST_WAIT
from tests.web.asking import InThisProcess, ask, thought

pytestmark = pytest.mark.thorough

LONG = thought("connect4:7,10", "alphabeta", 50)
SHORT = thought("tictactoe", "alphabeta", 50)
SETTINGS = ServerSettings(warm=False, workers=1, spare=0, queue=1, grace=1, searches=9)


def with_pool(
    test: Callable[[SearchQueue], Awaitable[None]],
    settings: ServerSettings = SETTINGS,
    start: StartWorker | None = InThisProcess.start,
) -> None:
    """Run a test with a queue whose workers *start* starts; None: the processes of a server."""

    async def run() -> None:
        queue = SearchQueue(settings, start)
        await queue.start()
        try:
            await test(queue)
        finally:
            await queue.close()

    asyncio.run(run())


FORKING = """
import numba
from papan import api
from papan.web import worker

api.compiled_searches = dict
worker.main()
"""
MEMORY = 400
"""Megabytes that a forked worker may take."""


@pytest.fixture(scope="module")
def forked() -> Iterator[StartWorker]:
    """Starts a worker as a process that loads what it is asked for.

    Where the system can, it is a copy of one that waits: a new one costs half a second each time.
    """
    if not COPIES:
        yield partial(spawn_worker, MEMORY, False)
        return
    channel, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-c", FORKING, "fork-anyway", str(MEMORY)]

    async def start() -> Worker:
        ours, workers = socket.socketpair()
        with workers:
            socket.send_fds(channel, [b"+"], [workers.fileno()])
        return await Worker(*await asyncio.open_connection(sock=ours)).when_ready()

    with subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.PIPE), theirs, channel:
        yield start


async def events(search: QueuedSearch) -> list[dict[str, Any]]:
    """Everything that a search says, to its end."""
    try:
        return [json.loads(line) async for line in search.lines()]
    finally:
        await search.close()


async def until_it_thinks(search: QueuedSearch) -> None:
    async for line in search.lines():
        if b'"root"' in line:
            return


def test_a_search_tells_its_events_and_ends_with_the_analysis() -> None:
    async def test(queue: SearchQueue) -> None:
        reported = await events(queue.admit(SHORT, "me"))
        kinds = [each["t"] for each in reported]
        assert kinds[:2] == ["search", "start"]
        assert kinds[-2:] == ["done", "analysis"]
        assert (reported[-1]["value"], reported[-1]["exact"]) == (0, True)
        assert not queue.searches

    with_pool(test)


def test_one_worker_serves_one_search_after_the_other() -> None:
    async def test(queue: SearchQueue) -> None:
        reported = [await events(queue.admit(SHORT, "me")) for _ in range(3)]
        assert [each[-1]["t"] for each in reported] == ["analysis"] * 3

    with_pool(test)


def test_a_search_that_is_hurried_answers_with_its_best_so_far() -> None:
    async def test(queue: SearchQueue) -> None:
        search = queue.admit(LONG, "me")
        last = {}
        async for line in search.lines():
            last = json.loads(line)
            if last["t"] == "root":
                search.stop()
        await search.close()
        assert (last["t"], last["why"]) == ("analysis", "cancelled")

    with_pool(test)


def test_t09_searches_say_their_last_word_when_the_server_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_queue, "STOP_SECONDS", LONGEST_WAIT)

    async def test(queue: SearchQueue) -> None:
        running, second, crowded = (queue.admit(LONG, who) for who in ("me", "me", "you"))
        heard = asyncio.gather(*map(events, (running, second, crowded)))
        while running.worker is None:
            await asyncio.sleep(0.01)
        await queue.stop()
        found, *late = (each[-1] for each in await heard)
        assert (found["t"], found["why"]) == ("analysis", "cancelled")
        assert [each["key"] for each in late] == ["web.stopping"] * 2
        assert late[0]["message"] == "The server is being stopped."
        assert not queue.searches

    with_pool(test, replace(SETTINGS, queue=5, at_once=1))


def test_t09_a_search_that_does_not_listen_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_queue, "STOP_SECONDS", 0)
    monkeypatch.setattr(QueuedSearch, "stop", lambda search: None)

    async def test(queue: SearchQueue) -> None:
        search = queue.admit(LONG, "me")
        heard = asyncio.ensure_future(events(search))
        while search.worker is None:
            await asyncio.sleep(0.01)
        await queue.stop()
        assert (await heard)[-1]["key"] == "web.stopping"

    with_pool(test)


def test_t09_a_worker_can_be_ended_while_somebody_waits_for_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        ours, theirs = socket.socketpair()
        monkeypatch.setattr("papan.web.worker_pool.kill_group", lambda pid: theirs.close())
        worker = Worker(*await asyncio.open_connection(sock=ours))
        worker.pid = 1
        answer = asyncio.ensure_future(worker.event())
        await asyncio.sleep(0)
        await worker.kill()
        assert await answer is None

    asyncio.run(test())


def test_an_answer_that_is_too_large_is_an_error_and_the_next_one_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(worker.CALLS, "board", lambda cancelled: "x" * (16 << 20))

    async def test(queue: SearchQueue) -> None:
        reported = await events(queue.admit(Task("board", {}), "me"))
        assert (reported[-1]["t"], reported[-1]["key"]) == ("error", "web.event_too_large")
        assert reported[-1]["message"] == (
            "What was found is too large to be sent: more than 16 MB."
        )
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"
        assert queue.pools["analysis"].alive == 1

    with_pool(test)


def test_a_worker_that_writes_an_endless_line_is_ended_and_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        ours, theirs = socket.socketpair()
        ended: list[int] = []

        def end(pid: int) -> None:
            ended.append(pid)
            theirs.close()

        monkeypatch.setattr("papan.web.worker_pool.kill_group", end)
        found = Worker(*await asyncio.open_connection(sock=ours, limit=100))
        found.pid = 1
        theirs.sendall(b"root " + b"x" * 1000 + b'\nanswer {"t": "answer"}\n')
        assert await found.event() is None
        assert not found.alive
        assert await found.event() is None
        await found.kill()
        assert ended == [1]

    asyncio.run(test())


def test_s6_a_search_that_nobody_waits_for_ends() -> None:
    async def test(queue: SearchQueue) -> None:
        search = queue.admit(LONG, "me")
        await until_it_thinks(search)
        await search.close()
        assert not queue.searches
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_pool(test)


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot hold a process")
def test_l01_a_search_whose_process_is_held_is_ended_and_done_by_another(
    forked: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []

    class Hurried(CpuBudget):
        """By whose clock hours pass for a process that is held, as soon as it is."""

        def __init__(self, settings: ServerSettings, processor: Callable[[], float | None]) -> None:
            hours = count(1)
            mine = not held
            super().__init__(
                settings,
                processor,
                lambda: monotonic() + (3600 * next(hours) if mine and held else 0),
            )

    async def test(queue: SearchQueue) -> None:
        search = queue.admit(thought("connect4:7,10", "alphabeta", 0.2), "me")
        lines = search.lines()
        await anext(lines)
        await anext(lines)
        assert search.worker is not None
        os.kill(search.worker.pid, signal.SIGSTOP)
        held.append(search.worker.pid)
        last = [json.loads(line) async for line in lines][-1]
        assert last["t"] == "analysis"
        await search.close()
        with pytest.raises(ProcessLookupError):
            os.kill(held[0], 0)

    monkeypatch.setattr(search_queue, "CpuBudget", Hurried)
    monkeypatch.setattr(search_queue, "CHECK_SECONDS", 0.01)
    with_pool(test, start=forked)


def test_s6_the_queue_is_bounded() -> None:
    async def test(queue: SearchQueue) -> None:
        waiting = [queue.admit(LONG, "me") for _ in range(2)]
        with pytest.raises(Refused) as busy:
            queue.admit(LONG, "you")
        assert (busy.value.key, busy.value.status) == ("web.busy", 503)
        for search in waiting:
            await search.close()
        queue.admit(LONG, "you")

    with_pool(test)


def test_s4_one_address_may_not_take_every_place() -> None:
    async def test(queue: SearchQueue) -> None:
        queue.admit(LONG, "me")
        with pytest.raises(Refused) as busy:
            queue.admit(LONG, "me")
        assert busy.value.status == 429
        queue.admit(LONG, "you")

    with_pool(test, ServerSettings(warm=False, workers=1, spare=0, queue=5, searches=1))


def test_an_agent_that_fails_is_told_of() -> None:
    async def test(queue: SearchQueue) -> None:
        reported = await events(queue.admit(thought("tictactoe", "nobody", 1), "me"))
        assert (reported[-1]["t"], reported[-1]["key"]) == ("error", "error.unknown_agent_far")

    with_pool(test)


def test_reports_that_come_too_fast_are_thinned_but_the_last_is_told() -> None:
    said: list[dict[str, Any]] = []
    outgoing = EventThinner(said.append)
    for depth in range(1000):
        outgoing.receive({"t": "root", "depth": depth})
        outgoing.receive({"t": "tree", "add": [{"id": depth}]})
    outgoing.receive({"t": "done"})
    assert [each["t"] for each in said][-3:] == ["root", "tree", "done"]
    assert len(said) < 100
    assert said[-3]["depth"] == 999
    assert [each["depth"] for each in said[:60]] == list(range(60))  # how it grew can be drawn
    assert len(said[-2]["add"]) == 1000


def test_c07_what_has_waited_comes_before_newer_progress() -> None:
    said: list[dict[str, Any]] = []
    outgoing = EventThinner(said.append)
    for nodes in (1, 2):
        outgoing.receive({"t": "root", "depth": 1, "nodes": nodes})
    outgoing.receive({"t": "progress", "nodes": 3})
    outgoing.receive({"t": "done"})
    assert [each.get("nodes") for each in said] == [1, 2, 3, None]


def test_s4_searches_of_one_address_wait_for_their_turn_and_not_for_a_worker() -> None:
    async def test(queue: SearchQueue) -> None:
        first, second = queue.admit(LONG, "me"), queue.admit(LONG, "me")
        await until_it_thinks(first)
        waiting = asyncio.ensure_future(events(second))
        assert (await events(queue.admit(SHORT, "you")))[-1]["t"] == "analysis"
        assert second.worker is None
        await first.close()
        while second.worker is None:
            await asyncio.sleep(0.01)
        second.stop()
        assert (await waiting)[-1]["t"] == "analysis"

    with_pool(test, ServerSettings(warm=False, workers=2, spare=0, queue=5, searches=3, at_once=1))


def test_s5_thinking_is_charged_to_whoever_asked_for_it() -> None:
    async def test(queue: SearchQueue) -> None:
        await events(queue.admit(SHORT, "me"))
        with pytest.raises(Refused) as busy:
            queue.admit(SHORT, "me")
        assert (busy.value.key, busy.value.status) == ("web.quota_spent", 429)
        queue.admit(SHORT, "you")

    with_pool(test, ServerSettings(warm=False, workers=1, spare=0, quota=1e-9))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps such a limit")
def test_s6_a_search_that_wants_too_much_memory_is_told_so_and_the_worker_goes_on(
    forked: StartWorker,
) -> None:
    async def test(queue: SearchQueue) -> None:
        greedy = thought("connect4:8,8", "solver:memory=512", 50)
        reported = (await events(queue.admit(greedy, "me")))[-1]
        assert (reported["t"], reported["key"]) == ("error", "process.crashed")
        assert "MemoryError" in reported["message"]
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_pool(test, start=forked)


@pytest.mark.skipif(os.name == "nt", reason="Windows has classes of priority instead")
def test_l01_analyses_step_back_and_a_persons_game_does_not(forked: StartWorker) -> None:
    async def test(queue: SearchQueue) -> None:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        for rank in RANKS:
            search = queue.admit(replace(LONG, rank=rank), "me")
            await until_it_thinks(search)
            assert search.worker is not None
            found = os.getpriority(os.PRIO_PROCESS, search.worker.pid)
            assert found == max(own, NICENESS[rank])
            await search.close()

    with_pool(test, start=forked)
    assert NICENESS["game"] == 0 < NICENESS["analysis"] < NICENESS["job"]


class Clock:
    """A clock, and the processor time of a worker, as a test sets them."""

    def __init__(self, granted: float = 2) -> None:
        self.time = self.processor = 0.0
        self.budget = CpuBudget(
            ServerSettings(grace=5, silence=60), lambda: self.processor, lambda: self.time
        )
        self.granted = granted

    def after(self, seconds: float, share: float) -> str:
        """The verdict after *seconds* of which the worker got a *share*."""
        self.time += seconds
        self.processor += seconds * share
        return self.budget.state()

    def begin(self) -> None:
        self.budget.start(self.granted, threads=1)


def test_l01_a_search_that_gets_little_of_the_processor_is_not_late() -> None:
    clock = Clock()
    clock.begin()
    assert {clock.after(1, share=0.01) for _ in range(600)} == {"within"}


def test_l01_a_search_is_asked_to_stop_and_ended_by_what_it_has_used() -> None:
    clock = Clock()
    clock.begin()
    assert clock.after(6.9, share=1) == "within"
    assert clock.after(0.2, share=1) == "exceeded"
    clock.budget.request_stop()
    assert clock.after(4.9, share=1) == "within"
    assert clock.after(0.2, share=1) == "stuck"


def test_l01_loading_and_compiling_do_not_count() -> None:
    clock = Clock()
    assert clock.after(LOADING_SECONDS / 2, share=1) == "within"
    clock.budget.request_stop()  # who loads cannot hear
    assert clock.after(20, share=1) == "within"
    clock.begin()
    assert clock.after(4.9, share=1) == "within"
    assert clock.after(0.2, share=1) == "stuck"


def test_l01_a_search_that_does_nothing_at_all_is_ended_long_after_its_limit() -> None:
    clock = Clock(granted=100)
    clock.begin()
    assert {clock.after(1, share=0) for _ in range(104)} == {"within"}  # it may be waiting
    assert clock.after(61, share=0) == "exceeded"
    clock.budget.request_stop()
    assert clock.after(59, share=0) == "within"
    assert clock.after(2, share=0) == "stuck"


def test_l01_without_processor_times_the_clock_is_read_generously() -> None:
    time = 0.0
    budget = CpuBudget(ServerSettings(grace=5), lambda: None, lambda: time)
    time = 70.0
    assert budget.spent == 70 * ASSUMED_SHARE


class Fake:
    """A worker that a test has told what to do; without a process."""

    pid, warm, processor_seconds = 0, True, 0.0

    def __init__(self, *lines: str | None) -> None:
        """Of *lines* None is the end of the worker; after the last one it is silent."""
        self.alive = True
        self.reported: list[dict[str, Any]] = []
        self._lines = list(lines)

    def send(self, message: dict[str, Any]) -> None:
        self.reported.append(message)

    async def event(self) -> WorkerEvent | None:
        if not self.alive:
            return None
        if not self._lines:
            await asyncio.sleep(3600)
        line = self._lines.pop(0)
        if line is None:
            self.alive = False
            return None
        return WorkerEvent(line, f'{{"t": "{line}"}}\n'.encode())

    async def kill(self) -> None:
        self.alive = False


def with_fakes(
    fakes: list[Any], test: Callable[[SearchQueue], Awaitable[None]], **settings: Any
) -> None:
    """Run a test with workers that are started in this order; what is an error is raised."""

    async def start() -> Worker:
        if not fakes:
            await asyncio.sleep(3600)
        fake = fakes.pop(0)
        if isinstance(fake, BaseException):
            raise fake
        return fake  # type: ignore[no-any-return]

    async def run() -> None:
        queue = SearchQueue(replace(SETTINGS, **settings), start)
        try:
            await test(queue)
        finally:
            await queue.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_queue, "CHECK_SECONDS", 0.001)
        patch.setattr(worker_pool, "CHECK_SECONDS", 0.001)
        patch.setattr(worker_pool, "FIRST_PAUSE", 0.001)
        patch.setattr(worker_pool, "LONGEST_PAUSE", 0.001)
        asyncio.run(run())


def test_l01_a_search_whose_worker_is_lost_is_repeated_in_silence() -> None:
    async def test(queue: SearchQueue) -> None:
        reported = await events(queue.admit(SHORT, "me"))
        assert [each["t"] for each in reported] == ["search", "start", "start", "analysis"]

    with_fakes([Fake("start", None), Fake("start", "analysis")], test)


def test_l01_a_search_that_is_lost_twice_is_told_of() -> None:
    async def test(queue: SearchQueue) -> None:
        reported = await events(queue.admit(SHORT, "me"))
        assert (reported[-1]["t"], reported[-1]["key"]) == ("error", "web.worker_died")
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_fakes([Fake("start", None), Fake("start", None), Fake("analysis")], test)


def test_l01_workers_that_were_lost_while_idle_are_no_attempts() -> None:
    async def test(queue: SearchQueue) -> None:
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"

    idle = [Fake(None) for _ in range(3)]
    with_fakes([*idle, Fake("start", None), Fake("start", "analysis")], test, workers=3)


def test_l01_a_search_that_ends_every_worker_ends_too() -> None:
    async def test(queue: SearchQueue) -> None:
        assert (await events(queue.admit(SHORT, "me")))[-1]["key"] == "web.worker_died"

    with_fakes([Fake(None) for _ in range(9)], test, workers=3)


def test_l01_a_stuck_search_is_asked_to_stop_before_its_worker_is_ended() -> None:
    stuck = [Fake("start"), Fake("start")]

    async def test(queue: SearchQueue) -> None:
        reported = await events(queue.admit(replace(SHORT, seconds=0.001), "me"))
        assert reported[-1]["key"] == "web.killed"
        for fake in stuck:
            assert fake.reported[0]["arguments"] == SHORT.arguments
            assert fake.reported[1:] == [{"stop": True}] * 2  # when it was late, and before its end
            assert not fake.alive

    with_fakes([*stuck], test, grace=0.0, silence=0.001)


def test_l01_who_leaves_gives_the_worker_back() -> None:
    fake = Fake("start", "root", "analysis", "start", "analysis")

    async def test(queue: SearchQueue) -> None:
        search = queue.admit(LONG, "me")
        await until_it_thinks(search)
        await search.close()
        assert fake.reported[-1] == {"stop": True}
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"
        assert fake.alive

    with_fakes([fake], test)


def test_l01_moves_of_games_do_not_wait_for_analyses() -> None:
    async def test(queue: SearchQueue) -> None:
        analysis = queue.admit(LONG, "me")
        await until_it_thinks(analysis)  # no other worker may analyse
        game = await events(queue.admit(replace(SHORT, rank="game"), "me"))
        assert game[-1]["t"] == "analysis"
        await analysis.close()

    with_fakes([Fake("root", "analysis"), Fake("analysis")], test, workers=1, at_once=1)


def test_l01_searches_of_a_rank_are_served_in_their_order() -> None:
    served: list[int] = []

    async def one(queue: SearchQueue, number: int) -> None:
        await events(queue.admit(SHORT, f"client {number}"))
        served.append(number)

    async def test(queue: SearchQueue) -> None:
        await asyncio.gather(*(one(queue, number) for number in range(5)))
        assert served == [0, 1, 2, 3, 4]

    with_fakes([Fake(*["analysis"] * 5)], test, workers=1, queue=9)


def test_r03_a_call_is_answered_by_a_worker_and_charged_to_whoever_asked() -> None:
    async def test(queue: SearchQueue) -> None:
        film = Task("film", {"start": "tictactoe", "moves": "b2", "seconds": 1})
        reported = await events(queue.admit(film, "me"))
        assert [each["t"] for each in reported] == ["search", "start", "answer"]
        assert reported[-1]["text"].startswith("<svg")
        with pytest.raises(Refused) as busy:
            queue.admit(film, "me")
        assert busy.value.key == "web.quota_spent"

    with_pool(test, replace(SETTINGS, quota=1e-9))


def test_r03_a_film_is_a_workers_work_and_leaving_ends_it() -> None:
    """The app is asked as a server would, by who leaves before the answer."""
    fake = Fake("start")

    async def run() -> None:
        async def start() -> Worker:
            return fake  # type: ignore[return-value]

        queue = SearchQueue(replace(SETTINGS, grace=0, silence=0.01), start)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("papan.web.app.SearchQueue", lambda *_, **__: queue)
            app = build_app(SETTINGS)
        body = json.dumps({"start": "tictactoe", "moves": "b2"}).encode()
        messages: list[dict[str, Any]] = [
            {"type": "http.request", "body": body},
            {"type": "http.disconnect"},
        ]
        gone = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if len(messages) == 1:
                await gone.wait()
            return messages.pop(0)

        async def send(message: Message) -> None:
            pass

        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": "/api/v1/film",
            "headers": headers,
            "query_string": b"",
            "client": ("127.0.0.1", 1),
        }
        asked = asyncio.ensure_future(app(scope, receive, send))
        while not fake.reported:
            await asyncio.sleep(0.001)
        assert fake.reported[0]["call"] == "film"
        assert queue.searches
        gone.set()
        await asked
        assert {"stop": True} in fake.reported
        assert not queue.searches
        await queue.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_queue, "CHECK_SECONDS", 0.001)
        asyncio.run(run())


@pytest.mark.parametrize(("start", "calls"), [("dots:25,25", ["board"]), ("tictactoe", [])])
def test_r03_only_large_boards_are_workers_work(
    monkeypatch: pytest.MonkeyPatch, start: str, calls: list[str]
) -> None:
    asked: list[str] = []
    whole = SearchQueue.admit

    def admit(queue: SearchQueue, task: Any, client: str) -> QueuedSearch:
        asked.append(task.call)
        return whole(queue, task, client)

    monkeypatch.setattr(SearchQueue, "admit", admit)
    assert ask("POST", "/api/v1/board", json={"start": start}).json()["game"].startswith(start)
    assert asked == calls


def test_r03_long_records_are_workers_work() -> None:
    answer = ask("POST", "/api/v1/record", json={"record": "?".ljust(3_000)})
    assert (answer.status_code, answer.json()["key"]) == (422, "error.not_a_record")


def test_a_process_that_has_ended_cannot_step_back() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    lower_priority(process.pid, 5)


@pytest.mark.parametrize("game", ["onet:16,30", "tictactoe:15,15,5"])
def test_z9_where_no_puzzle_is_found_in_time_that_is_the_answer(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "PUZZLE_SECONDS", 0)
    with pytest.raises(PapanError, match="No puzzle on") as refused:
        worker.make_puzzle(lambda: False, game, "", 1)
    assert refused.value.key == "web.no_puzzle_in_time"


def test_z9_who_leaves_ends_the_making_of_a_puzzle() -> None:
    looks = iter([False] * 3)

    def left() -> bool:
        return next(looks, True)

    assert [*make(catalog.game("tictactoe:15,15,5"), 1, "", left)] == []


def test_y7_a_search_that_takes_no_time_is_charged_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CpuBudget, "spent", 0.0)

    async def test(queue: SearchQueue) -> None:
        await events(queue.admit(SHORT, "me"))
        assert queue.quota.wait("me") > 0 == queue.quota.wait("another")

    with_pool(test, replace(SETTINGS, quota=LEAST_COST))


def test_a_number_that_json_does_not_have_is_null_wherever_it_is_in_an_event() -> None:
    out = io.StringIO()
    bounds: dict[str, Any] = {"in": (-inf, [1.5, nan]), "plain": (inf,), "list": [inf, "inf"]}
    event_writer(out)({"t": "root", "bounds": bounds, "best": inf})
    kind, _, text = out.getvalue().partition(" ")
    found = json.loads(text, parse_constant=pytest.fail)
    assert (kind, found["best"]) == ("root", None)
    assert found["bounds"] == {"in": [None, [1.5, None]], "plain": [None], "list": [None, "inf"]}


class Spent:
    """A budget of which so many seconds are spent."""

    def __init__(self, seconds: float, stops: bool) -> None:
        self.spent, self.stop_requested = seconds, stops


@pytest.mark.parametrize(
    ("rank", "call", "wait", "spent", "yields"),
    [
        ("game", "think", 0.1, 2.0, False),
        ("game", "think", 0.1, 2.1, True),
        ("game", "think", 1.9, 0.6, False),
        ("game", "think", 2.0, 0.6, True),
        ("game", "think", 2.0, 0.5, False),
        ("game", "think", None, 99, False),
        ("analysis", "think", 9, 99, False),
        ("game", "board", 9, 99, False),
    ],
)
def test_a_move_makes_way_after_its_share_and_sooner_for_one_who_has_waited_long(
    rank: Rank, call: str, wait: float | None, spent: float, yields: bool
) -> None:
    queue = SearchQueue(SETTINGS, InThisProcess.start)
    queue.pools["game"].longest_wait = lambda client: wait  # type: ignore[method-assign]
    search = QueuedSearch(queue, Task(call, {}, rank=rank), "me")
    assert search._must_yield(Spent(spent, stops=False)) is yields  # type: ignore[arg-type]
    assert not search._must_yield(Spent(spent, stops=True))  # type: ignore[arg-type]
