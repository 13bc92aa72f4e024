"""``papan serve``: what the options ask of the server, and when another one is opened instead."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from papan.cli.serve import Terminal, has_browser
from papan.contest.folder import new_contest
from papan.core import PapanError
from papan.core.progress import Progress
from papan.terminal.output import use_language
from papan.web import owner, serving
from papan.web.owner import FolderInUse

from .conftest import Papan

Asked = list[tuple[Any, ...]]
HERE = "http://127.0.0.1:8321/"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What servers were asked for: host, port, whether to open a browser, and settings."""
    found: Asked = []

    def run_server(host: str, port: int, browse: bool, terminal: Any, settings: Any) -> None:
        found.append((host, port, browse, settings))

    monkeypatch.setattr(serving, "run_server", run_server)
    monkeypatch.setenv("DISPLAY", ":0")
    return found


def test_without_options_the_usual_server_opens_in_the_browser(papan: Papan, asked: Asked) -> None:
    assert papan("serve").code == 0
    ((host, port, browse, settings),) = asked
    assert (host, port, browse) == ("127.0.0.1", None, True)
    assert (settings.log, settings.contests, settings.proxies) == (False, (), ())
    assert papan().code == 0, "papan alone serves, too"
    assert asked[1][:3] == asked[0][:3]


def test_every_option_reaches_the_server(papan: Papan, asked: Asked, tmp_path: Path) -> None:
    cup = tmp_path / "cup"
    new_contest(cup, "tictactoe", "en")
    words = ("--port", "0", "--host", "0.0.0.0", "--no-browser", "--data", str(tmp_path), "--log")
    assert papan("serve", *words, "--class", str(cup)).code == 0
    ((host, port, browse, settings),) = asked
    assert (host, port, browse) == ("0.0.0.0", 0, False)
    assert (settings.data, settings.log, settings.contests) == (tmp_path, True, (cup.resolve(),))


def test_a_server_for_strangers_has_a_name_and_proxies(papan: Papan, asked: Asked) -> None:
    words = ("--proxy", "10.0.0.0/8", "--proxy", "::1")
    assert papan("serve", "--public", "papan.example.org", *words).code == 0
    ((_, _, _, settings),) = asked
    assert settings.proxies == ("10.0.0.0/8", "::1")
    assert "papan.example.org" in settings.hosts
    assert settings.log


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--public", "papan.example.org"], "--public and --proxy go together"),
        (["--proxy", "10.0.0.1"], "--public and --proxy go together"),
        (["--public", "x", "--proxy", "10.0.0.1", "--proxy", "near"], "near is no address of a"),
        (["--class", "nowhere"], "papan class new DIR"),
    ],
)
def test_what_cannot_be_served_is_one_clear_line(
    papan: Papan, asked: Asked, words: list[str], message: str
) -> None:
    ran = papan("serve", *words)
    assert (ran.code, ran.out, asked) == (2, "", [])
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Asked]:
    """Let another server have the folder, at an address; the addresses that are opened."""

    def at(url: str) -> Asked:
        opened: Asked = []

        def run_server(*_: object) -> None:
            raise FolderInUse(tmp_path, url, "token")

        monkeypatch.setattr(serving, "run_server", run_server)
        monkeypatch.setattr(serving, "open_browser", lambda *given: opened.append(given))
        monkeypatch.setattr(owner, "address_with_code", lambda url, token: f"{url}?{token}")
        monkeypatch.setenv("DISPLAY", ":0")
        return opened

    return at


def test_a_server_that_runs_already_is_opened(
    papan: Papan, elsewhere: Callable[[str], Asked], tmp_path: Path
) -> None:
    opened = elsewhere(HERE)
    ran = papan("serve")
    assert (ran.code, ran.out) == (0, f"{HERE}?token\n")
    assert ran.err.startswith("papan is already running; its page is opened.")
    assert opened == [(tmp_path, f"{HERE}?token")]
    ran = papan("serve", "--no-browser")
    assert (ran.code, ran.out) == (0, f"{HERE}?token\n")
    assert ran.err.startswith("papan is already running at this address.")
    assert len(opened) == 1


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", []),
        (HERE, ["--port", "0"]),
        (HERE, ["--host", "localhost"]),
        (HERE, ["--public", "x.org", "--proxy", "10.0.0.1"]),
        (HERE, ["--class", "cup"]),
    ],
)
def test_who_asks_for_a_server_of_their_own_is_told_of_the_other(
    papan: Papan, elsewhere: Callable[[str], Asked], tmp_path: Path, url: str, words: list[str]
) -> None:
    new_contest(tmp_path / "cup", "tictactoe", "en")
    words = [word.replace("cup", str(tmp_path / "cup")) for word in words]
    opened = elsewhere(url)
    ran = papan("serve", *words)
    assert (ran.code, ran.out, opened) == (2, "", [])
    assert f"Another papan server keeps its data in {tmp_path} ({url})" in ran.err


@pytest.mark.parametrize(
    ("platform", "screens", "browses"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":1"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_browser_needs_a_screen(
    monkeypatch: pytest.MonkeyPatch, platform: str, screens: dict[str, str], browses: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in screens.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert has_browser() is browses


@pytest.mark.parametrize(
    ("url", "others"),
    [
        ("http://127.0.0.1:8321/?code=1", False),
        ("http://localhost:8321/", False),
        ("http://[::1]:8321/", False),
        ("http://192.168.0.2:8321/?code=1", True),
    ],
)
def test_the_address_is_data_and_the_rest_is_news(
    capsys: pytest.CaptureFixture[str], url: str, others: bool
) -> None:
    use_language("en")
    Terminal().announce(url, None)
    said = capsys.readouterr()
    assert said.out == f"{url}\n"
    running, *more = said.err.splitlines()
    assert running.startswith("papan is running at this address; Ctrl-C stops it.")
    expected = ["Others open http://192.168.0.2:8321/, which makes nobody the owner."]
    assert more == (expected if others else [])
    Terminal().announce(url, PapanError("serve.bad_proxy", address="x"))
    assert capsys.readouterr().err.splitlines()[-1].startswith("x is no address of a proxy")


def test_compiling_is_counted_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use_language("en")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    Terminal().on_compiled(Progress(2, 9))
    shown = capsys.readouterr().err
    assert "2" in shown and "9" in shown and "\n" not in shown
    Terminal().on_compiled(None)
    assert capsys.readouterr().err == "\r\033[K"
