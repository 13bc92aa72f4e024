"""Searches run in processes of their own: they end when told, when late, and when nobody waits."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from papan.web.process import NICENESS
from papan.web.refusals import Refused
from papan.web.settings import Settings
from papan.web.telling import Voice
from papan.web.worker import answer
from papan.web.workers import Pool, Search, Task

LONG = Task("connect4:7,10", "alphabeta", seconds=50)
SHORT = Task("tictactoe", "alphabeta", seconds=50)
SETTINGS = Settings(warm=False, workers=1, queue=1, grace=1, searches=9)


def with_pool(test: Callable[[Pool], Awaitable[None]], settings: Settings = SETTINGS) -> None:
    async def run() -> None:
        pool = Pool(settings)
        await pool.start()
        try:
            await test(pool)
        finally:
            await pool.close()

    asyncio.run(run())


async def events(search: Search) -> list[dict[str, Any]]:
    """Everything that a search says, to its end."""
    try:
        return [json.loads(line) async for line in search.lines()]
    finally:
        await search.close()


async def until_it_thinks(search: Search) -> None:
    async for line in search.lines():
        if b'"root"' in line:
            return


def test_a_search_tells_its_events_and_ends_with_the_analysis() -> None:
    async def test(pool: Pool) -> None:
        told = await events(pool.admit(SHORT, "me"))
        kinds = [each["t"] for each in told]
        assert kinds[:2] == ["search", "start"]
        assert kinds[-2:] == ["done", "analysis"]
        assert (told[-1]["value"], told[-1]["exact"]) == (0, True)
        assert not pool.searches

    with_pool(test)


def test_one_worker_serves_one_search_after_the_other() -> None:
    async def test(pool: Pool) -> None:
        told = [await events(pool.admit(SHORT, "me")) for _ in range(3)]
        assert [each[-1]["t"] for each in told] == ["analysis"] * 3

    with_pool(test)


def test_a_search_that_is_hurried_answers_with_its_best_so_far() -> None:
    async def test(pool: Pool) -> None:
        search = pool.admit(LONG, "me")
        last = {}
        async for line in search.lines():
            last = json.loads(line)
            if last["t"] == "root":
                search.stop()
        await search.close()
        assert (last["t"], last["why"]) == ("analysis", "cancelled")

    with_pool(test)


def test_s6_a_search_that_nobody_waits_for_ends() -> None:
    async def test(pool: Pool) -> None:
        search = pool.admit(LONG, "me")
        await until_it_thinks(search)
        await search.close()
        assert not pool.searches
        assert (await events(pool.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_pool(test)


def test_s6_a_worker_that_ignores_its_deadline_is_killed_and_replaced() -> None:
    async def test(pool: Pool) -> None:
        search = pool.admit(Task("connect4:7,10", "alphabeta", seconds=0.2), "me")
        lines = search.lines()
        await anext(lines)
        await anext(lines)
        assert search.worker is not None
        deaf = search.worker.process.pid
        os.kill(deaf, signal.SIGSTOP)
        last = [json.loads(line) async for line in lines][-1]
        assert (last["t"], last["key"]) == ("error", "web.killed")
        await search.close()
        with pytest.raises(ProcessLookupError):
            os.kill(deaf, 0)
        assert (await events(pool.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_pool(test)


def test_a_worker_that_dies_is_told_of_and_replaced() -> None:
    async def test(pool: Pool) -> None:
        search = pool.admit(LONG, "me")
        lines = search.lines()
        await anext(lines)
        await anext(lines)
        assert search.worker is not None
        os.kill(search.worker.process.pid, signal.SIGKILL)
        last = [json.loads(line) async for line in lines][-1]
        assert last["key"] == "web.worker_died"
        await search.close()
        assert (await events(pool.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_pool(test)


def test_s6_the_queue_is_bounded() -> None:
    async def test(pool: Pool) -> None:
        waiting = [pool.admit(LONG, "me") for _ in range(2)]
        with pytest.raises(Refused) as busy:
            pool.admit(LONG, "you")
        assert (busy.value.key, busy.value.status) == ("web.busy", 503)
        for search in waiting:
            await search.close()
        pool.admit(LONG, "you")

    with_pool(test)


def test_s4_one_address_may_not_take_every_place() -> None:
    async def test(pool: Pool) -> None:
        pool.admit(LONG, "me")
        with pytest.raises(Refused) as busy:
            pool.admit(LONG, "me")
        assert busy.value.status == 429
        pool.admit(LONG, "you")

    with_pool(test, Settings(warm=False, workers=1, queue=5, searches=1))


def test_an_agent_that_fails_is_told_of() -> None:
    async def test(pool: Pool) -> None:
        told = await events(pool.admit(Task("tictactoe", "nobody", seconds=1), "me"))
        assert (told[-1]["t"], told[-1]["key"]) == ("error", "error.unknown_name_far")

    with_pool(test)


def test_reports_that_come_too_fast_are_thinned_but_the_last_is_told() -> None:
    said: list[dict[str, Any]] = []
    voice = Voice(said.append)
    for depth in range(1000):
        voice.hear({"t": "root", "depth": depth})
        voice.hear({"t": "tree", "add": [{"id": depth}]})
    voice.hear({"t": "done"})
    assert [each["t"] for each in said][-3:] == ["root", "tree", "done"]
    assert len(said) < 100
    assert said[-3]["depth"] == 999
    assert [each["depth"] for each in said[:60]] == list(range(60))  # how it grew can be drawn
    assert len(said[-2]["add"]) == 1000


def test_the_answer_names_moves_and_writes_no_infinite_numbers() -> None:
    import papan

    position = papan.position("adjacency:4,4,2")
    told = answer(position, papan.agent("alphabeta:depth=2").analyse(position))
    assert told["move"] in told["best"]
    assert {each["m"] for each in told["moves"]} <= {f"{x}{y}" for x in "abcd" for y in range(1, 5)}


def test_s4_searches_of_one_address_wait_for_their_turn_and_not_for_a_worker() -> None:
    async def test(pool: Pool) -> None:
        first, second = pool.admit(LONG, "me"), pool.admit(LONG, "me")
        await until_it_thinks(first)
        waiting = asyncio.ensure_future(events(second))
        assert (await events(pool.admit(SHORT, "you")))[-1]["t"] == "analysis"
        assert second.worker is None
        await first.close()
        while second.worker is None:
            await asyncio.sleep(0.01)
        second.stop()
        assert (await waiting)[-1]["t"] == "analysis"

    with_pool(test, Settings(warm=False, workers=2, queue=5, searches=3, at_once=1))


def test_s5_thinking_is_charged_to_whoever_asked_for_it() -> None:
    async def test(pool: Pool) -> None:
        await events(pool.admit(SHORT, "me"))
        with pytest.raises(Refused) as busy:
            pool.admit(SHORT, "me")
        assert (busy.value.key, busy.value.status) == ("web.quota_spent", 429)
        pool.admit(SHORT, "you")

    with_pool(test, Settings(warm=False, workers=1, quota=1e-9))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps such a limit")
def test_s6_a_search_that_wants_too_much_memory_is_told_so_and_the_worker_goes_on() -> None:
    async def test(pool: Pool) -> None:
        greedy = Task("connect4:7,9", "solver:memory=512", seconds=50)
        told = (await events(pool.admit(greedy, "me")))[-1]
        assert (told["t"], told["key"]) == ("error", "web.crashed")
        assert "MemoryError" in told["message"]
        assert (await events(pool.admit(SHORT, "me")))[-1]["t"] == "analysis"

    with_pool(test, replace(SETTINGS, worker_memory=400))


@pytest.mark.skipif(os.name == "nt", reason="Windows has classes of priority instead")
def test_s6_searches_step_back_behind_the_server() -> None:
    async def test(pool: Pool) -> None:
        search = pool.admit(LONG, "me")
        await until_it_thinks(search)
        assert search.worker is not None
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, search.worker.process.pid) >= max(own, NICENESS)
        await search.close()

    with_pool(test)
