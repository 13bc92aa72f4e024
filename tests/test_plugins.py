"""Plug-ins: games and agents of other packages, and what becomes of broken ones."""

import json
import os
import subprocess
import sys
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from papan import catalog
from papan.catalog import Broken, plugins
from papan.core import Agent, Game, PapanError
from papan.plugins import brings_plugins
from tests.plugin_package import install
from tests.together import run_together

pytestmark = pytest.mark.thorough


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with a package that brings plug-ins, good and broken ones."""
    return install(tmp_path)


def environment(folder: Path) -> dict[str, str]:
    """Return an environment in which papan finds the plug-ins in *folder*."""
    path = os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))
    return {**os.environ, "LC_ALL": "C.UTF-8", "PAPAN_LANG": "en", "PYTHONPATH": path}


def papan_with(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", "-m", "papan", *arguments],
        capture_output=True, text=True, check=False, env=environment(folder),
    )  # fmt: skip


def test_games_and_agents_of_other_packages_are_played(installed: Path) -> None:
    match = "match greedy random --game nim:9 --pairs 1 --concurrency 1 --json"
    played, games, agents = run_together(
        environment(installed), tuple(match.split()), ("games",), ("agents", "--game", "nim")
    )
    assert played.code == 0, played.err
    assert json.loads(played.out.splitlines()[0])["game"] == "nim:9"
    assert "Nim, after Bouton." in games.out
    assert "Takes as much as it can." in agents.out


def test_a_broken_plugin_is_one_clear_line_of_the_doctor(installed: Path) -> None:
    ran = papan_with(installed, "doctor")
    assert ran.returncode == 1
    assert "nim, greedy" in ran.stdout
    broken = [line for line in ran.stdout.splitlines() if line.startswith("The plug-in")]
    assert broken == [
        "The plug-in gone of plugged cannot be used: "
        "ModuleNotFoundError: No module named 'no_such_module'",
        "The plug-in leaver of plugged cannot be used: "
        "plugged:leave is not a class derived from papan.Agent",
        "The plug-in liar of plugged cannot be used: "
        "its name 'liar' is not how its text 'honest' begins",
        "The plug-in quitter of plugged cannot be used: SystemExit: no (quitter.py, line 1)",
        "The plug-in thief of plugged cannot be used: the name 'random' is taken already",
    ]


def test_bots_play_games_of_other_packages(installed: Path) -> None:
    bot = installed / "mybot.py"
    bot.write_text("def choose(position): return position.moves()[-1]", encoding="utf-8")
    ran = papan_with(installed, "bot", "check", str(bot), "--game", "nim", "--positions", "9")
    assert ran.returncode == 0, ran.stderr


def test_plugins_are_noticed_wherever_python_would_find_them(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "gone")])
    assert not brings_plugins()
    archive = tmp_path / "packages.zip"
    archive.touch()
    old = tmp_path / "old.egg" / "EGG-INFO"
    old.mkdir(parents=True)
    old.joinpath("entry_points.txt").write_text("[papan.agents]\nx = x:X\n", encoding="utf-8")
    for place in (installed, archive, old.parent):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "path", [*sys.path, str(place)])
            assert brings_plugins(), place
    finder = SimpleNamespace(find_distributions=list)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    assert brings_plugins(), "another finder may bring some"


def test_without_plugins_there_is_nothing_to_load() -> None:
    assert plugins("papan.no_such_group", Agent, ()) == {}  # type: ignore[type-abstract]
    assert plugins("papan.no_such_group", Game, ()) == {}  # type: ignore[type-abstract]


def test_y7_an_agent_of_a_plugin_is_as_foreign_as_a_file_or_a_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(catalog, "PLUGINS", ["guest"])
    foreign = ("guest", "guest:depth=2", "mybot.py", "bot:mybot.py", "program:./guest --fast")
    assert [spec for spec in foreign if not catalog.is_foreign(spec)] == []
    own = ("random", "alphabeta:depth=2", "level:3", "guests")
    assert [spec for spec in own if catalog.is_foreign(spec)] == []


def test_what_is_wrong_with_a_plugin_is_told_in_both_languages() -> None:
    broken = Broken("x", "y", PapanError("plugin.name_taken", taken="random"))
    assert broken.why("en") == "the name 'random' is taken already"
    assert broken.why("id") == "nama 'random' sudah dipakai"


def test_y7_two_packages_cannot_bring_a_game_of_the_same_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = "papan.games.connect4.rules:Connect4"
    offered = [EntryPoint(name, game, "papan.games") for name in ("second", "first")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: offered)
    monkeypatch.setattr(catalog, "BROKEN", broken := dict[str, Broken]())
    assert [*plugins("papan.games", Game, set())] == ["connect4"]  # type: ignore[type-abstract]
    assert [(key, str(each.error)) for key, each in broken.items()] == [
        ("papan.games:second", "the name 'connect4' is taken already")
    ]
