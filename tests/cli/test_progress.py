"""Progress: a bar for people, lines for pipes, and a time left that knows what was done before."""

import io
import sys

import pytest

from papan.cli import progress
from papan.cli.progress import Bar, CompilerCounter


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_pipe_every_tenth_is_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(progress, "monotonic", lambda: float(next(clock)))
    with Bar("000") as bar:
        for done in range(50, 101, 5):
            bar.told(done, 100)
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
        bar.told(0, 2)
        bar.told(2, 2)
    assert "000 001" in screen.getvalue()
    assert "100%" in screen.getvalue()


def test_nothing_to_do_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("000") as bar:
        bar.told(3, 3)
    assert capsys.readouterr().err == ""


def test_l05_what_is_compiled_is_counted_on_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, clock = Screen(), iter(range(100))
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "monotonic", lambda: float(next(clock)))
    counter = CompilerCounter()
    for begins in (True, False, True, False):
        counter.hear(begins)
    assert "functions so far" in screen.getvalue()
    assert ": 2 functions" in screen.getvalue()
    assert screen.getvalue().endswith("\r\033[K")  # what is printed next has the line for itself


def test_l05_what_is_compiled_at_once_is_nobody_s_business(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    monkeypatch.setattr(progress, "monotonic", lambda: 1.0)
    CompilerCounter().hear(True)
    monkeypatch.setattr(sys, "stderr", screen)
    CompilerCounter().hear(True)
    assert screen.getvalue() == capsys.readouterr().err == ""
