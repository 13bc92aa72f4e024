"""The doctor really tries things, says where they are, and what helps where they fail."""

import json
from pathlib import Path

import pytest

from papan.cli import doctor
from papan.engine import cache

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
