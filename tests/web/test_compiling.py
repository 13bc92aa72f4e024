"""While the solvers are compiled the server plays on, with plain twins, and tells how far it is."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from papan import catalog
from papan.cli.serve import Terminal
from papan.core import Agent, Position
from papan.core.compiling import begin, is_plain
from papan.core.progress import Progress
from papan.process.lines import WireMessage
from papan.web.app import build_app
from papan.web.search_queue import SearchQueue
from papan.web.settings import ServerSettings
from papan.web.worker import _loaded
from papan.web.worker_pool import ForkServer
from papan.web.worker_protocol import NOT_COMPILED


def uncompiled(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """The same agent, where nothing that it needs is compiled."""

    def load(position: Position) -> None:
        begin("look")

    monkeypatch.setattr(agent, "load", load)
    return agent


@pytest.mark.parametrize("name", ["alphabeta", "minimax", "mcts", "level:1", "level:5"])
def test_l05_a_search_that_is_not_compiled_takes_its_plain_twin(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    agent = uncompiled(catalog.agent(name), monkeypatch)
    reported: list[WireMessage] = []
    with _loaded(agent, catalog.position("connect4"), reported.append):
        assert (is_plain(), reported) == (True, [])
    assert not is_plain()


def test_l05_what_has_no_plain_twin_is_waited_for_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = uncompiled(catalog.agent("solver"), monkeypatch)
    reported: list[WireMessage] = []
    with _loaded(agent, catalog.position("connect4"), reported.append):
        assert (is_plain(), reported) == (False, [{"t": "compiling"}])


def test_l05_a_compiled_search_is_used() -> None:
    reported: list[WireMessage] = []
    with _loaded(catalog.agent("random"), catalog.position("connect4"), reported.append):
        assert (is_plain(), reported) == (False, [])


class Compiling(ForkServer):
    """One that waits for the compiler."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.compiled = Progress(3, 25)


def test_l05_the_server_tells_how_far_the_compiler_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = ServerSettings(hosts=("testserver",), data=tmp_path)
    assert TestClient(build_app(settings)).get("/api/v1/health").json()["compiling"] is None
    monkeypatch.setattr("papan.web.search_queue.ForkServer", Compiling)
    assert TestClient(build_app(settings)).get("/api/v1/health").json()["compiling"] == [3, 25]


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that has two searches to compile, and is quick."""

    async def run(*_: object, **__: object) -> Any:
        says = '{"done": 0, "total": 2}\n{"done": 1, "total": 2}\n'
        return await asyncio.create_subprocess_exec("printf", says, stdout=asyncio.subprocess.PIPE)

    monkeypatch.setattr(ForkServer, "_start", run)


def test_a_server_whose_compiler_cannot_be_started_tries_again_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    async def start(*_: object, **__: object) -> Any:
        raise OSError("no more processes")

    async def serve(self: ForkServer, kind: str, *_: object) -> int:
        asked.append(kind)
        if len(asked) > 1:
            raise asyncio.CancelledError
        return NOT_COMPILED

    monkeypatch.setattr(ForkServer, "_start", start)
    monkeypatch.setattr(ForkServer, "_serve", serve)
    queue = SearchQueue(ServerSettings())
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(queue.fork_server.run(lambda: asyncio.sleep(0)))
    assert asked == ["fork", "fork-anyway"]
    assert queue.fork_server.compiled is None


@pytest.mark.usefixtures("compiler")
def test_l05_the_terminal_of_the_server_counts_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    queue = SearchQueue(ServerSettings(), on_compiled=Terminal().on_compiled)
    asyncio.run(queue.fork_server._compile())
    words = "\r\033[KCompiling the solvers, only once: {} of 2. You can play meanwhile."
    assert capsys.readouterr().err == words.format(0) + words.format(1) + "\r\033[K"
    assert queue.fork_server.compiled is None


@pytest.mark.usefixtures("compiler")
def test_l05_a_server_without_a_terminal_does_not_count(capsys: pytest.CaptureFixture[str]) -> None:
    queue = SearchQueue(ServerSettings(), on_compiled=Terminal().on_compiled)
    asyncio.run(queue.fork_server._compile())
    assert capsys.readouterr().err == ""
