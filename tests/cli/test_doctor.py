"""The doctor really tries things, says where they are, and what helps where they fail."""

import json
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from papan import api, catalog
from papan.catalog import Broken
from papan.cli import doctor
from papan.core import PapanError
from papan.engine import cache
from papan.web.owner import FolderInUse, FolderLock

from .conftest import Papan


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what takes long, where something else is to be seen."""
    monkeypatch.setattr(doctor, "_search", lambda name: (True, name))
    monkeypatch.setattr(doctor, "_bot", lambda settings="": (True, "bot"))


def test_r01_a_search_of_each_kind_a_bot_and_the_cache_are_tried(papan: Papan) -> None:
    ran = papan("doctor", "--json")
    tried = json.loads(ran.out)["tried"]
    kinds = ["solver", "alphabeta", "minimax", "mcts", "bot"]
    assert list(tried) == [*kinds, "sandbox", "cache", "data", "port", "browser"]
    assert all(tried[kind]["well"] for kind in kinds)
    assert tried["cache"]["found"] == str(cache.folder())
    assert not list(cache.folder().glob("papan_trial*"))
    assert ran.code == 0


@pytest.mark.usefixtures("quick")
def test_r01_code_that_is_not_found_again_is_wrong(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache.KernelCache, "_load", lambda *_: None)
    ran = papan("doctor")
    assert ran.code == 1
    assert "answer is not compiled yet" in ran.out
    assert "compiled code: make the folder writable" in ran.out


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("language", "words"), [("en", "WRONG"), ("id", "SALAH")])
def test_c12_a_folder_that_cannot_be_written_to_is_wrong_and_comes_with_a_remedy(
    papan: Papan, tmp_path: Path, language: str, words: str
) -> None:
    (tmp_path / "data").touch()
    ran = papan("doctor", "--lang", language)
    assert ran.code == 1
    assert words in ran.out
    assert "XDG_DATA_HOME" in ran.out


@pytest.mark.usefixtures("quick")
def test_c12_nobody_misses_plugins_that_were_never_installed(papan: Papan) -> None:
    [line] = [line for line in papan("doctor").out.splitlines() if line.startswith("plug-ins")]
    assert line.split(maxsplit=1)[1].strip() == "none installed"


@pytest.mark.usefixtures("quick")
def test_a_crash_of_one_kind_keeps_the_others_from_nothing(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(name: str) -> tuple[bool, str]:
        raise ModuleNotFoundError("No module\nnamed 'matches'")

    monkeypatch.setattr(doctor, "_search", crash)
    ran = papan("doctor", "--json")
    tried = json.loads(ran.out)["tried"]
    assert ran.code == 1
    assert tried["mcts"] == {
        "well": False,
        "found": "ModuleNotFoundError: No module named 'matches'",
    }
    assert tried["bot"]["well"]


@pytest.fixture
def nothing(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the cache and the files of games, too."""
    monkeypatch.setattr(doctor, "_cache", lambda: (True, "cache"))
    monkeypatch.setattr(catalog, "check_files", lambda: None)
    monkeypatch.setattr(catalog, "databases", dict)


class Disk(NamedTuple):
    """What a disk has free, in bytes."""

    free: int


@pytest.mark.usefixtures("nothing")
@pytest.mark.parametrize(("lacking", "well"), [(0, True), (1, False)])
def test_a_disk_needs_a_hundred_megabytes(
    papan: Papan, monkeypatch: pytest.MonkeyPatch, lacking: int, well: bool
) -> None:
    free = 100 * 2**20 - lacking
    monkeypatch.setattr("shutil.disk_usage", lambda folder: Disk(free))
    ran = papan("doctor", "--json")
    assert json.loads(ran.out)["tried"]["data"]["well"] is well
    assert ran.code == (0 if well else 1)


@pytest.mark.usefixtures("nothing")
def test_a_port_that_is_taken_and_a_missing_screen_are_no_faults(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr("papan.web.settings.ServerSettings", lambda: SimpleNamespace(port=port))
        ran = papan("doctor", "--json")
    tried = json.loads(ran.out)["tried"]
    assert (tried["port"]["well"], tried["browser"]["well"], ran.code) == (None, None, 0)
    assert str(port) in tried["port"]["found"]
    monkeypatch.setenv("DISPLAY", ":0")
    assert json.loads(papan("doctor", "--json").out)["tried"]["port"]["well"] is True
    assert json.loads(papan("doctor", "--json").out)["tried"]["browser"]["well"] is True


@pytest.mark.usefixtures("nothing")
def test_a_server_that_has_the_folder_is_named(papan: Papan, tmp_path: Path) -> None:
    def take(lock: FolderLock) -> None:
        raise FolderInUse(lock.folder, "http://here", "")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FolderLock, "take", take)
        found = json.loads(papan("doctor", "--json").out)["tried"]["data"]
    assert found["well"] is True
    assert "http://here" in found["found"] and str(tmp_path / "data" / "papan") in found["found"]


@pytest.mark.usefixtures("quick")
def test_what_was_found_is_two_tables_and_advice(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = [
        doctor.Trial("bot", True, "fine"),
        doctor.Trial("port", None, "taken"),
        doctor.Trial("data", False, "full"),
    ]
    found: dict[str, object] = {"papan": "1.0", "plugins": None, "numba": None, "typer": None}
    broken = {"x": Broken("nim", "papan", PapanError("screen.over"))}
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(doctor, "_trials", lambda: iter(trials))
    monkeypatch.setattr(doctor, "_found", lambda names: found)
    monkeypatch.setattr(catalog, "check_files", lambda: None)
    monkeypatch.setattr(catalog, "databases", dict)
    ran = papan("doctor")
    assert ran.code == 1
    rows, tried = (part.splitlines() for part in ran.out.split("\n\n"))
    assert [row.split()[1:] for row in rows[1:]] == [
        ["1.0"], ["none", "installed"], ["missing"], ["none", "installed"],
    ]  # fmt: skip
    assert [line.split()[-1] for line in tried[1:4]] == ["fine", "taken", "full"]
    assert [line.partition(":")[0] for line in tried[4:]] == [trials[1].text, trials[2].text]
    trials.pop()
    assert papan("doctor").code == 0
    monkeypatch.setattr(catalog, "BROKEN", broken)
    ran = papan("doctor")
    assert ran.code == 1 and "nim" in ran.out and "The game is over" in ran.out
    monkeypatch.setattr(catalog, "BROKEN", {})
    found_databases = {"a": None, "b": PapanError("cli.no_dash")}
    monkeypatch.setattr(catalog, "databases", lambda: found_databases)
    ran = papan("doctor")
    assert ran.code == 1 and "standard input" in ran.err


def test_kernels_are_compiled_once_or_measured_again(
    papan: Papan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = tmp_path / "all"
    monkeypatch.setattr(cache, "all_compiled", lambda: marks)
    monkeypatch.setattr(doctor, "cores", lambda: 1)
    monkeypatch.setattr(catalog, "GAMES", dict.fromkeys(("x", "y")))
    searches = {game: {f"{game} mcts": list, game: list} for game in ("x", "y")}
    monkeypatch.setattr(api, "compiled_searches", searches.__getitem__)
    ran = papan("warm")
    assert (ran.code, ran.out, ran.err.count("\n")) == (0, "", 2)
    assert "1" in ran.err.splitlines()[0] and "2" in ran.err.splitlines()[1]
    assert marks.exists()
    again = papan("warm")
    assert (again.code, again.out, again.err) == (0, "", "")
    facts = json.loads(papan("warm", "--json").out)
    assert set(facts) == {"x mcts", "x", "y mcts", "y"}
    assert all(seconds >= 0 for seconds in facts.values())
