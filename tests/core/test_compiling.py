"""While something is not compiled yet, plain twins play, and whoever wants to hear of it does."""

import pytest

import papan
from papan.core import Limit, native_form
from papan.core.compiling import NotCompiledError, begin, notifying, plain_searches, unawaited


def test_l05_plain_searches_need_no_compiled_code() -> None:
    start = papan.position("connect4")
    assert native_form(start) is not None
    with plain_searches():
        assert native_form(start) is None
    assert native_form(start) is not None


@pytest.mark.parametrize("agent", ["alphabeta", "minimax", "mcts", "level:1", "level:5"])
def test_l05_plain_twins_play_while_nothing_may_be_compiled(agent: str) -> None:
    with plain_searches(), unawaited():
        analysis = papan.agent(agent).analyse(papan.position("dots:2,2"), Limit(nodes=200))
    assert analysis.nodes or analysis.move >= 0


def test_l05_what_would_have_to_be_compiled_is_refused_where_nobody_waits() -> None:
    begin("a function")
    with unawaited(), pytest.raises(NotCompiledError, match="a function is not compiled yet"):
        begin("a function")
    begin("a function")


def test_compiling_is_forbidden_until_the_last_context_ends() -> None:
    with unawaited():
        with unawaited():
            pass
        with pytest.raises(NotCompiledError):
            begin("a function")
    begin("a function")


def test_searches_are_plain_until_the_last_context_ends() -> None:
    start = papan.position("connect4")
    with plain_searches():
        with plain_searches():
            assert native_form(start) is None
        assert native_form(start) is None
    assert native_form(start) is not None


def test_l05_kernels_tell_when_they_are_compiled() -> None:
    from papan.engine.native import native

    factor = 3  # what has a closure is never kept, so it is compiled here

    @native()
    def times(number):  # type: ignore[no-untyped-def]
        return number * factor

    with unawaited(), pytest.raises(NotCompiledError):
        times(2)  # type: ignore[no-untyped-call]
    heard: list[bool] = []
    with notifying(heard.append):
        assert times(2) == 6  # type: ignore[no-untyped-call]
    assert heard == [True, False]
