"""Workers are started, replaced, copied from one that has everything loaded, and compiled for."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.web import worker_pool
from papan.web.search_queue import SearchQueue
from papan.web.settings import RANKS
from papan.web.worker_pool import WaitingClient, Worker, WorkerPool
from papan.web.worker_protocol import NOT_COMPILED
from tests.waiting import LONGEST_WAIT
from tests.web.asking import thought
from tests.web.test_search_queue import (
    LONG,
    SETTINGS,
    SHORT,
    Fake,
    events,
    until_it_thinks,
    with_fakes,
    with_pool,
)

pytestmark = pytest.mark.thorough


def test_r02_a_worker_that_dies_while_idle_is_replaced_though_who_asked_has_left() -> None:
    first, second = Fake(), Fake("analysis")

    async def test(queue: SearchQueue) -> None:
        queue.pools["analysis"].open()
        while not queue.alive:
            await asyncio.sleep(0.001)
        first.alive = False
        search = queue.admit(SHORT, "me")
        asking = asyncio.ensure_future(events(search))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
        while not second.alive or not queue.alive:
            await asyncio.sleep(0.001)
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_fakes([first, second], test, spare=1)


def test_r02_what_cannot_be_started_now_is_started_later() -> None:
    failures = [OSError("no file descriptors"), TimeoutError(), OSError("no processes")]

    async def test(queue: SearchQueue) -> None:
        assert (await events(queue.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_fakes([*failures, Fake("analysis")], test)


def test_r02_a_pool_that_is_started_again_has_workers_again() -> None:
    async def test(queue: SearchQueue) -> None:
        for _ in range(2):
            assert (await events(queue.admit(SHORT, "one")))[-1]["t"] == "analysis"
            await queue.close()
            await queue.start()

    with_pool(test)


def test_r02_nobody_waits_for_ever() -> None:
    async def test(queue: SearchQueue) -> None:
        reported = await events(queue.admit(SHORT, "me"))
        assert (reported[-1]["t"], reported[-1]["key"]) == ("error", "web.no_worker")
        assert not queue.searches

    with_fakes([], test, longest_wait=0.01)


def test_r02_workers_are_started_before_they_are_needed_and_no_more_than_allowed() -> None:
    fakes = [Fake("root", "analysis") for _ in range(5)]

    async def test(queue: SearchQueue) -> None:
        await queue.start()
        while queue.alive < len(RANKS):
            await asyncio.sleep(0.001)
        searches = [queue.admit(LONG, "me") for _ in range(2)]
        for search in searches:
            await until_it_thinks(search)
        await asyncio.sleep(0.01)
        assert queue.pools["analysis"].alive == 2
        for search in searches:
            await search.close()

    with_fakes(fakes, test, workers=2, spare=1)


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux workers are copied")
def test_l03_workers_are_copies_with_everything_loaded_and_so_are_those_in_their_place() -> None:
    async def test(queue: SearchQueue) -> None:
        await queue.fork_server.settled(LONGEST_WAIT)
        for _ in range(2):
            search = queue.admit(replace(thought("tictactoe", "level:5", 50), rank="game"), "me")
            assert (await events(search))[-1]["t"] == "analysis"
            (worker,) = queue.pools["game"].workers
            assert worker.warm
            assert worker.pid != os.getpid()
            os.kill(worker.pid, signal.SIGKILL)

    with_pool(test, replace(SETTINGS, warm=True), start=None)


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux workers are copied")
def test_l03_a_template_that_would_have_to_compile_ends_instead(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "papan.web.worker", "fork", "100"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    ours, theirs = socket.socketpair()
    with ours, theirs:
        handle = theirs.fileno()
        ended = subprocess.run(command, stdin=handle, env=environment, capture_output=True)
    assert (ended.returncode, ended.stdout) == (NOT_COMPILED, b'{"t": "ready"}\n')


LOADING_FOR_EVER = """
import itertools, time
from papan import api
from papan.web import worker

class Endless:
    def values(self):
        return itertools.repeat(lambda: time.sleep(0.01))

api.compiled_searches = Endless
worker.main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux workers are copied")
def test_l03_who_asks_while_searches_are_loaded_does_not_wait_for_all_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    servers: list[asyncio.subprocess.Process] = []

    async def started(_: str, *arguments: str, stdin: Any) -> asyncio.subprocess.Process:
        if servers:
            raise OSError("no second one")
        command = [sys.executable, "-P", "-c", LOADING_FOR_EVER, *arguments]
        pipe = asyncio.subprocess.PIPE
        servers.append(await asyncio.create_subprocess_exec(*command, stdin=stdin, stdout=pipe))
        return servers[0]

    async def test(queue: SearchQueue) -> None:
        search = queue.admit(replace(thought("tictactoe", "random", 50), rank="game"), "me")
        assert (await events(search))[-1]["t"] == "analysis"
        (worker,) = queue.pools["game"].workers
        assert (queue.fork_server.ready, worker.warm) == (True, False)
        servers[0].kill()
        async with asyncio.timeout(LONGEST_WAIT):
            while queue.fork_server.ready:  # whoever asks a server that has ended gets no worker
                await asyncio.sleep(0.01)

    monkeypatch.setattr(worker_pool, "start_module", started)
    with_pool(test, replace(SETTINGS, warm=True), start=None)


def test_r08_the_compiler_ends_with_its_server(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "papan.web.worker", "compile", "100"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as compiler:
        assert compiler.stdout is not None and compiler.stdin is not None
        assert json.loads(compiler.stdout.readline())["done"] == 0  # it has begun
        compiler.stdin.close()
        assert compiler.wait() == 1


def test_the_longest_wait_is_that_of_the_first_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def none() -> Worker:
        raise OSError

    async def test() -> None:
        pool, loop = WorkerPool("analysis", SETTINGS, none), asyncio.get_running_loop()
        assert pool.longest_wait("me") is None
        pool._waiting = [
            WaitingClient(who, loop.create_future(), since)
            for who, since in (("me", 1.0), ("one", 3.0), ("other", 8.0))
        ]
        assert pool.longest_wait("me") == 7
        assert pool.longest_wait("one") == pool.longest_wait("none") == 9

    monkeypatch.setattr(worker_pool, "monotonic", lambda: 10.0)
    asyncio.run(test())
