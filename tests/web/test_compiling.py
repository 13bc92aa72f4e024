"""While the solvers are compiled the server plays on, with plain twins, and tells how far it is."""

import pytest

from papan import catalog
from papan.core import Agent, Position
from papan.core.compiling import begin, is_plain
from papan.web.settings import Settings
from papan.web.worker import _loaded
from papan.web.workers import Pool


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
    with _loaded(agent, catalog.position("connect4")):
        assert is_plain()
    assert not is_plain()


def test_l05_what_has_no_plain_twin_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = uncompiled(catalog.agent("solver"), monkeypatch)
    with _loaded(agent, catalog.position("connect4")):
        assert not is_plain()


def test_l05_a_compiled_search_is_used() -> None:
    with _loaded(catalog.agent("random"), catalog.position("connect4")):
        assert not is_plain()


def test_l05_the_server_knows_how_far_the_compiler_is() -> None:
    pool = Pool(Settings())
    assert pool.template is not None
    assert pool.compiling is None
    pool.template.compiled = 3, 25
    assert pool.compiling == (3, 25)
    assert Pool(Settings(warm=False)).compiling is None
