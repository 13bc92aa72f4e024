"""Tables on the command line: used, left aside, reported, complained of."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.games.dots import endgame_db_file
from papan.games.dots.endgame_db import endgame_db_for
from papan.games.dots.rules import Dots
from tests.cli.conftest import Papan
from tests.games.test_dots_endgame_db import load_script

NAME = "dots-2x2.table"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where tables are looked for; nothing is there yet."""
    monkeypatch.setattr(endgame_db_file, "database_folder", lambda: tmp_path)
    endgame_db_for.cache_clear()
    yield tmp_path
    endgame_db_for.cache_clear()


def test_solve_uses_a_table_unless_it_is_told_not_to(papan: Papan, folder: Path) -> None:
    load_script().make(Dots(2, 2), folder / NAME)
    known, searched = (
        json.loads(papan("solve", "dots:2,2", "--json", *more).out) for more in ([], ["--no-book"])
    )
    assert (known["value"], known["nodes"]) == (2, 0)
    assert searched["nodes"] > 0
    assert sorted(known["best"]) == sorted(searched["best"])


@pytest.mark.thorough
def test_doctor_says_which_tables_there_are(
    papan: Papan, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.cli.doctor._trials", list)  # they search, and start a bot
    assert json.loads(papan("doctor", "--json").out)["tables"] is None
    load_script().make(Dots(2, 2), folder / NAME)
    assert json.loads(papan("doctor", "--json").out)["tables"] == NAME
    (folder / "dots-4x4.table").write_bytes((folder / NAME).read_bytes())
    ran = papan("doctor", "--json")
    assert json.loads(ran.out)["tables"] == NAME
    assert "dots-4x4.table is not a whole table" in ran.err


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("language", "words"), [("en", "is not used"), ("id", "tidak dipakai")])
def test_a_wrong_table_is_complained_of_in_one_line(
    papan: Papan, folder: Path, language: str, words: str
) -> None:
    (folder / NAME).write_bytes(b"something else")
    ran = papan("solve", "dots:2,2", "--json", "--lang", language)
    assert (ran.code, json.loads(ran.out)["value"]) == (0, 2)
    assert ran.err.count("\n") == 1
    assert words in ran.err
