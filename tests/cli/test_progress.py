"""Progress: a bar for people, lines for pipes, and a time left that knows what was done before."""

import io
import sys

import pytest

import papan
from papan.cli.app import run_arguments
from papan.core import Event, Listener, Progress
from papan.terminal import output
from papan.terminal.output import Bar, CompilerCounter, Findings, findings


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_pipe_every_tenth_is_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(output, "monotonic", lambda: float(next(clock)))
    with Bar("000") as bar:
        for done in range(50, 101, 5):
            bar.update(Progress(done, 100))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "000: 60% done, about 0:04 left",
        "000: 70% done, about 0:03 left",
        "000: 80% done, about 0:02 left",
        "000: 90% done, about 0:01 left",
    ]


def test_on_a_screen_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with Bar("000 001") as bar:
        bar.update(Progress(0, 2))
        bar.update(Progress(2, 2))
    assert "000 001" in screen.getvalue()
    assert "100%" in screen.getvalue()


def test_a_bar_without_a_known_total_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [Progress(0, 0), Progress(0, 4, "a1"), Progress(2, 0, "a3"), Progress(3, 4, "b1")]
    monkeypatch.setattr(output, "monotonic", lambda: 1.0)
    with Bar("000") as bar:
        for each in made:
            bar.update(each)
    assert capsys.readouterr().err.splitlines() == ["0/4  a1", "2  a3", "3/4  time left 0:00  b1"]
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with Bar("000") as bar:
        for each in made:
            bar.update(each)
    assert "b1" in screen.getvalue()
    assert "75%" in screen.getvalue()


def test_nothing_to_do_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("000") as bar:
        bar.update(Progress(3, 3))
    assert capsys.readouterr().err == ""


def test_l05_what_is_compiled_is_counted_on_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, clock = Screen(), iter(range(100))
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(output, "monotonic", lambda: float(next(clock)))
    counter = CompilerCounter()
    for begins in (True, False, True, False):
        counter.update(begins)
    assert "functions so far" in screen.getvalue()
    assert ": 2 functions" in screen.getvalue()
    assert screen.getvalue().endswith("\r\033[K")  # what is printed next has the line for itself


def test_l05_what_is_compiled_at_once_is_nobody_s_business(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    monkeypatch.setattr(output, "monotonic", lambda: 1.0)
    CompilerCounter().update(True)
    monkeypatch.setattr(sys, "stderr", screen)
    CompilerCounter().update(True)
    assert screen.getvalue() == capsys.readouterr().err == ""


ROOT: Event = {
    "t": "root",
    "depth": 9,
    "best": "4",
    "moves": [{"m": "3", "pv": ["3", "3"]}, {"m": "4", "pv": ["4", "4", "2"]}],
    "nodes": 5_000,
    "nps": 10_000,
    "ms": 500,
}


def test_c07_what_a_search_knows_is_one_line() -> None:
    proof = findings(ROOT | {"bounds": [-1, 1]})
    assert proof == "between \u22121 and +1; 5000 nodes, 10000 per second, 0.5 s; 4 4 2"
    assert findings(ROOT) == "depth 9; 5000 nodes, 10000 per second, 0.5 s; 4 4 2"
    assert findings(ROOT | {"moves": []}).endswith("; 4"), "no more is known of the best move"


def test_c07_in_a_pipe_nothing_is_shown_unless_it_is_wanted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert Findings(wanted=False).listener is None
    with Findings(wanted=True) as shown:
        assert shown.listener is not None
        for milliseconds in (100, 500, 1_000, 1_100, 2_500):
            shown.listener(ROOT | {"ms": milliseconds})
        shown.listener({"t": "done"})
    assert [line.split(", ")[2][:5] for line in capsys.readouterr().err.splitlines()] == [
        "0.1 s",
        "1.1 s",
        "2.5 s",
    ]


def test_c07_work_that_goes_on_is_told_with_what_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Findings(wanted=True) as shown:
        assert shown.listener is not None
        shown.listener({"t": "progress", "nodes": 1, "nps": 2, "ms": 300})
        shown.listener(ROOT | {"bounds": [0, 1]})
        shown.listener({"t": "progress", "nodes": 90_000, "nps": 30_000, "ms": 3_000})
    assert capsys.readouterr().err.splitlines() == [
        "1 node, 2 per second, 0.3 s",
        "between 0 and +1; 90000 nodes, 30000 per second, 3.0 s; 4 4 2",
    ]


def test_c07_on_a_screen_a_search_shows_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with Findings(wanted=False) as shown:
        papan.solve("connect4:4,4", listener=shown.listener)
        assert shown.listener is not None
        shown.listener(ROOT)
    assert "5000 nodes, 10000 per second" in screen.getvalue()


@pytest.mark.parametrize("command", ["solve connect4:7,8", "analyse connect4"])
def test_c07_solve_and_analyse_tell_while_they_work(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def analyse(
        agent: object, place: object, limit: object, listener: Listener, *_: object
    ) -> None:
        listener(ROOT)
        raise KeyboardInterrupt

    monkeypatch.setattr("papan.core.agent.Agent.analyse", analyse)
    assert run_arguments([*command.split(), "--progress"]) == 130
    assert "5000 nodes, 10000 per second" in capsys.readouterr().err
