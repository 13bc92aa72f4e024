"""The page about bots: its texts are those that the commands really print."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.web.catalogue import api_reference, command_examples
from tests.web.asking import ask

ROOT = Path(__file__).parents[2]
MEASURED = re.compile(r"\d+[.,]\d{4}|(?<=\(MB\)) +\d+")
"""Seconds, and megabytes: what differs from run to run."""


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", pytest.param("id", marks=pytest.mark.slow)])
def test_the_transcripts_are_what_the_commands_print(language: str, tmp_path: Path) -> None:
    script: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "make_bot_sessions.py"))
    kept = (ROOT / "src" / "papan" / "templates" / f"session.{language}.txt").read_text("utf-8")
    assert MEASURED.sub("", script["session"](language, tmp_path)) == MEASURED.sub("", kept)


@pytest.mark.parametrize("language", ["en", "id"])
def test_the_guide_speaks_the_language_that_is_asked_for(language: str) -> None:
    guide = ask("GET", f"/api/v1/bots?language={language}").json()
    compile(guide["template"], "mybot.py", "exec")
    assert ("Ubahlah" in guide["template"]) == (language == "id")
    assert [each["command"].split()[1] for each in guide["sessions"]] == ["bot", "bot", "match"]
    assert all(each["output"] for each in guide["sessions"])


def test_the_program_is_the_one_of_the_documentation() -> None:
    program = ask("GET", "/api/v1/bots").json()["program"]
    assert f"```sh\n{program}```" in (ROOT / "docs" / "protocol.md").read_text("utf-8")


def test_the_reference_tells_of_everything_that_papan_offers() -> None:
    entries = {each.name: each for each in api_reference()}
    assert {f"papan.{name}" for name in papan.__all__} <= entries.keys()
    assert all(each.about for each in entries.values())
    assert entries["papan.match"].call.startswith(
        "papan.match(first, second, game, pairs=1, seed=0"
    )
    assert entries["Position.play"].call == "Position.play(move)"
    assert entries["Game.spec"].call == "Game.spec"


def test_every_description_in_the_reference_is_a_whole_sentence() -> None:
    cut = [each.name for each in api_reference() if not each.about.endswith((".", "!"))]
    assert cut == []


def test_a_transcript_is_read_command_by_command() -> None:
    one, other = command_examples("$ papan a\nfirst\n  $ second\n\n$ papan b\n")
    assert (one.command, one.output) == ("papan a", "first\n  $ second")
    assert (other.command, other.output) == ("papan b", "")


def test_the_reference_describes_dictionaries_by_what_is_in_them() -> None:
    entries = {entry.name: entry.about for entry in api_reference()}
    assert entries["papan.GAMES"] == "Every game that can be used, by name."
    assert [name for name, about in entries.items() if "dict()" in about] == []
