"""Ctrl-C is heard at a good moment, never lost, and what is done by then is handed over."""

import ctypes
import importlib
import json
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import papan
from papan import Interrupted, Position, api
from papan.core import compiling, interrupts
from papan.core.interrupts import interruptible, stopped_by_signal, unbroken
from papan.lab.complexity import SurveyLimit, survey
from papan.lab.files import write_whole
from papan.lab.referee import TrialPlan, try_out
from tests.waiting import LONGEST_WAIT, until


@pytest.fixture(autouse=True)
def everything_is_as_it_was() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook
    yield
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before
    heard = interrupts._interrupts
    assert (heard.calls, heard.answering, heard.writing, heard.presses) == (0, 0, 0, 0)


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def wait_for_it() -> None:
    until(lambda: False)


class Dying:
    """Its finaliser is interrupted, and goes on."""

    ended = False

    def __del__(self) -> None:
        press()
        Dying.ended = True


def test_d2_a_finaliser_does_not_swallow_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible:
        dying = Dying()
        del dying
        wait_for_it()
    assert Dying.ended  # outside: Ctrl-C would hide what is asserted before it


def test_d2_nor_does_a_weak_reference() -> None:
    ended = []

    def last_words() -> None:
        press()
        ended.append(True)

    with pytest.raises(KeyboardInterrupt), interruptible:
        thing = Event()
        weakref.finalize(thing, last_words)
        del thing
        wait_for_it()
    assert ended


def test_d2_nor_does_a_callback_from_c_in_which_it_is_raised() -> None:
    callback = ctypes.CFUNCTYPE(None)(press)
    with pytest.raises(KeyboardInterrupt), interruptible:
        callback()  # Python can only ignore what is raised there
        wait_for_it()


def test_an_import_is_completed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import signal\nsignal.raise_signal(signal.SIGINT)\nwhole = True\n"
    (tmp_path / "papan_interrupted_import.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt), interruptible:
        assert importlib.import_module("papan_interrupted_import").whole
        wait_for_it()
    monkeypatch.delitem(sys.modules, "papan_interrupted_import")


def test_a_file_is_written_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda number: press())
    with pytest.raises(KeyboardInterrupt), interruptible:
        write_whole(tmp_path / "whole", "all of it")
        wait_for_it()
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    assert (tmp_path / "whole").read_text() == "all of it"


def test_the_compiler_is_left_between_two_functions() -> None:
    inside: dict[str, Any] = {"__name__": "numba.core", "press": press, "begin": compiling.begin}
    exec("def work():\n    press()\n    assert True\n    begin('another function')", inside)
    with pytest.raises(KeyboardInterrupt), interruptible:
        inside["work"]()
        pytest.fail("it was compiled")


def test_a_second_ctrl_c_is_not_kept_waiting() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible, unbroken():
        press()
        press()
        pytest.fail("it waited")


def test_it_is_raised_at_the_end_at_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "REPEAT", LONGEST_WAIT)
    reached = False
    with pytest.raises(KeyboardInterrupt), interruptible:
        with unbroken():
            press()
        reached = True
    assert reached


def test_whoever_has_a_handler_keeps_it() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        with interruptible:
            press()
        assert papan.solve("tictactoe").value == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [True]


def test_other_threads_hear_nothing_and_change_nothing() -> None:
    def look() -> object:
        with interruptible, unbroken(), stopped_by_signal():
            return signal.getsignal(signal.SIGINT)

    with ThreadPoolExecutor() as apart:
        assert apart.submit(look).result() is signal.default_int_handler


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no such signal")
def test_a_polite_end_is_heard_as_ctrl_c_is() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), stopped_by_signal():
        signal.raise_signal(signal.SIGTERM)
        wait_for_it()
    assert signal.getsignal(signal.SIGTERM) is before


# What a call had found


def pressed_during_a_search(call: Callable[[], object]) -> Any:
    """The result that an interrupted call hands over."""

    def interrupt() -> None:
        until(lambda: interrupts._interrupts.answering)
        press()

    with ThreadPoolExecutor() as apart, pytest.raises(Interrupted) as stop:
        done = apart.submit(interrupt)
        try:
            call()
        finally:
            done.result()
    return stop.value.result


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["connect4:8,10", "dots:5,5", "adjacency", "tictactoe:9,9,5"])
def test_an_interrupted_solution_has_the_bounds_so_far(game: str) -> None:
    found = pressed_during_a_search(lambda: papan.solve(game))
    assert (found.why, found.exact) == ("cancelled", False)
    assert found.move in papan.position(game).moves()


def test_d15_an_import_of_a_solver_is_not_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a solver was imported left half of it, and no result."""
    usual, imported = api.solver_for, list[bool]()

    def pressed_while_importing(*arguments: Any, **settings: Any) -> Any:
        press()
        imported.append(True)
        return usual(*arguments, **settings)

    monkeypatch.setattr(api, "solver_for", pressed_while_importing)
    with pytest.raises(Interrupted) as stop:
        papan.solve("connect4", book=False)
    assert imported
    assert (str(stop.value.result.position), stop.value.result.exact) == (
        str(papan.position("connect4")),
        False,
    )


def test_d15_ctrl_c_among_all_moves_gives_the_result_of_the_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It gave that of the move that was looked at."""
    start, usual = papan.position("tictactoe"), api.solve
    monkeypatch.setattr(api, "solver_for", lambda *_, **__: None)

    def pressed_at_the_next_move(place: Any, *limits: Any, **settings: Any) -> Any:
        if place != start:
            press()
        return usual(place, *limits, **settings)

    monkeypatch.setattr(api, "solve", pressed_at_the_next_move)
    with pytest.raises(Interrupted) as stop:
        usual(start, all_moves=True)
    found = stop.value.result
    assert (found.position, found.exact) == (start, True)
    assert not all(isinstance(each, papan.Proved) and each.exact for each in found.values.values())


def test_a_plain_search_looks_at_the_flag() -> None:
    with compiling.plain_searches():
        agent = papan.agent("alphabeta:depth=30")
        found = pressed_during_a_search(lambda: agent.analyse(papan.position("connect4")))
    assert found.why == "cancelled"


def presses_at(count: int) -> Callable[[Position], str]:
    """A function that plays the first legal move, and presses Ctrl-C when asked so often."""
    asked = 0

    def choice(position: Position) -> str:
        nonlocal asked
        asked += 1
        if asked == count:
            press()
        return position.game.move_name(position.moves()[0])

    return choice


def test_d6_an_interrupted_match_keeps_the_games_that_are_over() -> None:
    whole = papan.match(presses_at(0), "random", "tictactoe", 5)
    with pytest.raises(Interrupted) as stop:
        papan.match(presses_at(10), "random", "tictactoe", 5)  # a game has 2 to 5 moves of it
    result = stop.value.result
    assert 1 < len(result.games) < 5
    assert result.games == whole.games[: len(result.games)]
    assert result.tally.games == 2 * (len(result.games) // 2)
    assert str(result).startswith("function:choice - random, tictactoe:3,3,3: +")


def test_an_agent_that_does_not_look_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "GRACE", 0.1)

    def endless(position: Position) -> str:
        press()
        wait_for_it()
        return ""

    with pytest.raises(Interrupted) as stop:
        papan.match(endless, "random", "tictactoe")
    assert stop.value.result.games == ()


def test_an_interrupted_review_has_the_last_moves() -> None:
    session = papan.session("tictactoe")
    for name in ("b2", "a1", "c1", "b1", "a3"):
        session.play(name)

    def heard(verdict: object) -> None:
        count.append(verdict)
        if len(count) == 2:
            press()

    count: list[object] = []
    with pytest.raises(Interrupted) as stop:
        api.review(session.record(), on_verdict=heard)
    assert [each.name for each in stop.value.result.verdicts] == ["b1", "a3"]


def test_interrupted_measurements_have_what_is_finished() -> None:
    def after(most: int) -> Callable[..., None]:
        count = iter(range(most))

        def heard(*_: object) -> None:
            if next(count, None) is None:
                press()

        return heard

    agents = [papan.agent("alphabeta:depth=1")]
    rules = papan.game("tictactoe")
    with pytest.raises(Interrupted) as stop:
        effort = {"games": 2, "positions": 0}
        api.strength(rules, agents, papan.Limit(nodes=50), after(2), **effort)
    assert {each.agent for each in stop.value.result} == {"random", "level:1", "level:3"}

    boards = [papan.game("tictactoe:3,4,3"), rules]
    with pytest.raises(Interrupted) as stop:
        survey(boards, agents, SurveyLimit(depth=2, positions=50, repeats=1), after(2))
    assert [each.game for each in stop.value.result.boards] == ["tictactoe:3,4,3"]

    with pytest.raises(Interrupted) as stop:
        try_out(agents[0], TrialPlan([rules], 9), lambda: None, after(2))
    assert len(stop.value.result.seconds) == 3


# Commands


@pytest.mark.thorough
@pytest.mark.parametrize("module", ["papan.catalog", "numba", "papan.cli.solve"])
def test_ctrl_c_while_the_command_is_imported_is_one_sentence(module: str) -> None:
    code = f"""
import importlib.abc, signal, sys
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from papan_command import main
main()
"""
    command = [sys.executable, "-P", "-c", code, "solve", "connect4:8,10", "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_WAIT)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


def test_the_command_that_is_installed_is_the_one_that_hears_it_early() -> None:
    entries = json.dumps([each.value for each in importlib.metadata.entry_points(name="papan")])
    assert "papan_command:main" in entries
