"""Searches in programs that use asyncio: they do not block the loop, and end when cancelled."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

import papan
from papan import api
from papan.core.tasks import in_thread
from tests.waiting import LONGEST_WAIT, until

ENDLESS = "connect4:7,10"
"""No solver comes to an end here while a test waits."""


@dataclass
class Thinker(papan.Agent):
    """Thinks until it is told to stop, and tells when it began and when it ended."""

    name = "thinker"

    def __post_init__(self) -> None:
        self.began, self.ended = threading.Event(), threading.Event()

    def decide(self, position: papan.Position, thinking: papan.Thinking) -> papan.Analysis:
        self.began.set()
        pause = threading.Event()
        try:
            with thinking.until_stopped():
                while True:
                    thinking.check()
                    pause.wait(0.001)
            return papan.Analysis((position.moves()[0],))
        finally:
            self.ended.set()


async def begun(agent: Thinker) -> None:
    """Wait until the agent thinks, while the loop goes on."""
    limit = asyncio.get_running_loop().time() + LONGEST_WAIT
    while not agent.began.is_set():
        assert asyncio.get_running_loop().time() < limit
        await asyncio.sleep(0.001)


CALLS: dict[str, Callable[[Thinker], Awaitable[object]]] = {
    "analyse": lambda agent: agent.analyse_async("tictactoe"),
    "match": lambda agent: papan.match_async(agent, "random", "tictactoe", limit=papan.Limit()),
    "match in time": lambda agent: papan.match_async("random", agent, "tictactoe", seconds=9_999),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_d7_a_cancelled_task_leaves_no_search_behind(
    call: Callable[[Thinker], Awaitable[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Thinker()
    monkeypatch.setattr("papan.lab.match.reseeded", lambda agent, offset: agent)

    async def main() -> None:
        task = asyncio.ensure_future(call(agent))
        await begun(agent)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert agent.ended.is_set()

    asyncio.run(main())


@pytest.mark.parametrize("name", ["solve", "match", "Agent.analyse"])
def test_y7_a_cancelled_task_tells_its_search_to_stop(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, called = (papan.Agent, name[6:]) if "." in name else (api, name)
    twin, original = getattr(owner, f"{called}_async"), getattr(owner, called)
    given = {
        "solve": ("tictactoe",),
        "match": ("random", "random", "tictactoe"),
        "analyse": (papan.agent("random"), "tictactoe"),
    }[called]
    begun, stopped = threading.Event(), threading.Event()

    def search(*arguments: object, **more: object) -> None:
        bound = inspect.signature(original).bind(*arguments, **more)
        begun.set()
        until(bound.arguments["cancelled"])
        stopped.set()

    async def main() -> None:
        task = asyncio.ensure_future(twin(*given))
        await asyncio.to_thread(until, begun.is_set)
        assert not stopped.is_set()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert stopped.is_set()

    monkeypatch.setattr(owner, called, search)
    asyncio.run(main())


@pytest.mark.thorough
def test_d7_a_timeout_stops_a_solver() -> None:
    stopped = threading.Event()

    def work(cancelled: Callable[[], bool]) -> papan.Analysis:
        try:
            return papan.solve(ENDLESS, cancelled=cancelled, memory=16)
        finally:
            stopped.set()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await in_thread(work, lambda: False)
        assert stopped.is_set()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await papan.solve_async(ENDLESS, memory=16)

    before = threading.active_count()
    asyncio.run(main())
    until(lambda: threading.active_count() <= before)


def test_d7_twins_answer_as_their_functions_do_and_raise_what_they_raise() -> None:
    start = papan.position("tictactoe b2 a1")
    agent = papan.agent("alphabeta", depth=3)

    async def main() -> None:
        assert (await agent.analyse_async(start)).line == agent.analyse(start).line
        assert (await papan.solve_async(start, all_moves=True)).best == papan.solve(start).best
        games = list[papan.MatchGame]()
        result = await papan.match_async(
            "random", agent, "tictactoe", 2, seed=5, on_game=games.append
        )
        again = papan.match("random", agent, "tictactoe", 2, seed=5)
        assert result == again and tuple(games) == again.games
        with pytest.raises(papan.InvalidSpecError, match="There is no game 'tictacto'"):
            await papan.solve_async("tictacto")
        with pytest.raises(papan.WrongTypeError):
            await papan.match_async("random", start, "tictactoe")  # type: ignore[arg-type]

    asyncio.run(main())


def test_d7_the_loop_goes_on_while_a_search_runs() -> None:
    agent = Thinker()

    async def main() -> None:
        search = asyncio.ensure_future(agent.analyse_async("tictactoe", cancelled=done.is_set))
        await begun(agent)
        turns = 0
        for _ in range(5):
            await asyncio.sleep(0)
            turns += 1
        assert turns == 5 and not search.done()
        done.set()
        assert (await search).why == "cancelled"

    done = threading.Event()
    asyncio.run(main())


def test_d7_a_cancelled_match_has_the_pairs_that_were_played() -> None:
    games = list[papan.MatchGame]()
    result = papan.match(
        "random", "random", "tictactoe", 9, on_game=games.append, cancelled=lambda: len(games) >= 5
    )
    assert result.games == tuple(games[:4])
    assert result.games == papan.match("random", "random", "tictactoe", 2).games


@pytest.mark.parametrize("name", ["solve", "match", "Agent.analyse"])
def test_y7_every_argument_reaches_the_search_in_the_thread(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has a value of its own, so that one left out or exchanged with another is noticed."""
    owner, called = (papan.Agent, name[6:]) if "." in name else (api, name)
    twin = getattr(owner, f"{called}_async")
    names = list(inspect.signature(twin).parameters)
    given = {each: object() for each in names}
    numbers = {"seconds": 7.0, "nodes": 9.0}
    if called == "analyse":
        given |= {"self": papan.agent("random"), "limit": papan.Limit(), **numbers}
    wanted = {each: given[each] for each in names if each != "cancelled"}
    taken: dict[str, object] = {}

    def note(*arguments: object, **more: object) -> str:
        taken.update(inspect.signature(original).bind(*arguments, **more).arguments)
        return "the answer"

    original = getattr(owner, called)
    monkeypatch.setattr(owner, called, note)
    assert asyncio.run(twin(**{**given, "cancelled": lambda: True})) == "the answer"
    assert taken.pop("cancelled")() is True  # type: ignore[operator]
    if called == "analyse":  # which has made one limit of them
        wanted = {**wanted, "limit": papan.Limit(7, 9)}
        del wanted["seconds"], wanted["nodes"]
    assert taken == wanted
