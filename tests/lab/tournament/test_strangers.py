"""A folder from elsewhere can be shown, and does nothing else: no link, no store, no surprise."""

import json
import os
import socket
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from papan.core import PapanError
from papan.lab.tournament.folder import TournamentFolder, create, read_games, reopen
from papan.lab.tournament.plan import TournamentPlan
from papan.lab.tournament.run import run_tournament
from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture

from .games import made_up_executor

PLAN = TournamentPlan("tictactoe", ("a", "b"), pairs=1)
SECRET = b"precious\n"


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tournament that another user has planned, and not begun."""
    path = tmp_path / "cup"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "stranger"))
    create(path, PLAN)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return path


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim"
    path.write_bytes(SECRET)
    return path


def play(folder: TournamentFolder) -> None:
    run_tournament(folder, made_up_executor(1), "papan")


def change(path: Path, **facts: object) -> None:
    plan = path / "plan.json"
    plan.write_text(json.dumps(json.loads(plan.read_text()) | facts))


def bind(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))


EVIL: dict[str, Callable[[Path, Path], None]] = {
    "a link": lambda place, victim: place.symlink_to(victim),
    "a link to nothing": lambda place, victim: place.symlink_to(victim.with_name("new")),
    "a link to a device": lambda place, victim: place.symlink_to("/dev/zero"),
    "another name": lambda place, victim: place.hardlink_to(victim),
    "a pipe": lambda place, victim: os.mkfifo(place),
    "a folder": lambda place, victim: place.mkdir(),
    "a socket": lambda place, victim: bind(place),
}


@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize("name", ["games.jsonl", "effort.jsonl", "plan.json"])
def test_z2_only_regular_files_of_a_folder_are_read_or_written(
    cup: Path, victim: Path, name: str, evil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cup)  # the name of a socket is short
    place = Path(name)
    place.unlink(missing_ok=True)
    EVIL[evil](place, victim)
    with pytest.raises(PapanError) as caught:
        play(reopen(cup))
    expected = "hard links" if evil == "another name" else "regular files only"
    if (name, evil) == ("plan.json", "another name"):  # it is only read
        expected = "cannot be read"
    assert expected in str(caught.value)
    assert victim.read_bytes() == SECRET
    assert not victim.with_name("new").exists()
    if name == "games.jsonl" and evil != "another name":
        with pytest.raises(PapanError, match="regular files only"):
            read_games(reopen(cup))


@pytest.mark.parametrize("evil", ["a link", "a link to nothing", "a pipe", "another name"])
def test_z2_a_strangers_database_is_written_anew(cup: Path, victim: Path, evil: str) -> None:
    EVIL[evil](cup / "games.sqlite", victim)
    play(reopen(cup))
    assert victim.read_bytes() == SECRET
    assert not victim.with_name("new").exists()
    assert not (cup / "games.sqlite").is_symlink()
    with sqlite3.connect(cup / "games.sqlite") as store:
        assert store.execute("SELECT count(*) FROM game").fetchone() == (2,)
    store.close()


def test_z2_a_link_in_place_of_ones_own_store_is_told(tmp_path: Path, victim: Path) -> None:
    own = create(tmp_path / "own", PLAN)
    (own.path / "games.sqlite").symlink_to(victim)
    with pytest.raises(PapanError, match="regular files only"):
        play(own)
    assert victim.read_bytes() == SECRET


def journal_that_deletes(database: Path, victim: Path) -> bytes:
    """A rollback journal whose transaction is said to be of several files, *victim* their list."""
    page, magic, name = 4096, bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    pages = database.stat().st_size // page
    head = (magic + struct.pack(">5I", 0, 0, pages, 512, page)).ljust(512, b"\0")
    checked = struct.pack(">II", len(name), sum(name))
    return head + struct.pack(">I", 2**30 // page + 1) + name + checked + magic


def test_z2_the_journal_of_a_database_deletes_no_file(tmp_path: Path, victim: Path) -> None:
    own = create(tmp_path / "own", PLAN)
    with sqlite3.connect(own.path / "games.sqlite") as store:
        store.execute("CREATE TABLE papan_schema (version INTEGER NOT NULL)")
    store.close()
    content = journal_that_deletes(own.path / "games.sqlite", victim)
    (own.path / "games.sqlite-journal").write_bytes(content)
    with pytest.raises(PapanError, match="names another file, which SQLite would delete"):
        play(own)
    assert victim.read_bytes() == SECRET


def test_z2_no_table_is_made_in_the_database_of_another_program(tmp_path: Path) -> None:
    other = tmp_path / "places.sqlite"
    with sqlite3.connect(other) as places:
        places.execute("CREATE TABLE bookmark (url)")
    places.close()
    with pytest.raises(PapanError, match="a database of another program, with bookmark"):
        play(create(tmp_path / "own", PLAN, f"sqlite:///{other}"))
    with sqlite3.connect(other) as places:
        names = places.execute("SELECT name FROM sqlite_master").fetchall()
    places.close()
    assert names == [("bookmark",)]


@pytest.mark.parametrize("fact", ["store", "identity", "began", "version"])
def test_z1_a_seal_is_of_all_that_a_folder_says(tmp_path: Path, fact: str) -> None:
    own = create(tmp_path / "own", PLAN)
    assert reopen(own.path).sealed
    change(own.path, **{fact: "postgresql://localhost/other"})
    assert not reopen(own.path).sealed


@pytest.mark.thorough
def test_z1_a_report_ignores_an_unsealed_store(
    cup: Path,
    papan: Papan,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that waited there was once told the user's password."""
    monkeypatch.setenv("PGPASSWORD", "secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"postgresql://me@127.0.0.1:{server.getsockname()[1]}/papan"
        change(cup, store=address)
        shown = papan("tournament", "report", str(cup))
        assert shown.code == 0
        assert "0 of 2 games" in shown.out
        assert f"the store that it names, {address}, is not asked" in shown.err
        assert "tournament resume" in shown.err and "--trust" in shown.err
        resumed = papan("tournament", "resume", str(cup))
        assert resumed.code == 2
        assert f"would write to {address}; if you trust it, add --trust" in resumed.err
        with pytest.raises(PapanError, match="would write to"):
            play(reopen(cup))
        with pytest.raises(BlockingIOError):
            server.accept()


def test_z2_a_strangers_path_makes_no_database(cup: Path, tmp_path: Path) -> None:
    change(cup, store=f"sqlite:///{tmp_path / 'new.sqlite'}")
    with pytest.raises(PapanError, match="would write to"):
        play(reopen(cup))
    assert not (tmp_path / "new.sqlite").exists()
    play(reopen(cup).vouched_for())
    assert (tmp_path / "new.sqlite").exists()


def test_z2_a_plan_without_end_is_not_read_to_its_end(cup: Path) -> None:
    with (cup / "plan.json").open("r+b") as file:
        file.truncate(10**12)
    with pytest.raises(PapanError, match="larger than 1000000 bytes"):
        reopen(cup)


def test_z2_a_journal_without_end_is_not_read_to_its_end(cup: Path) -> None:
    with (cup / "games.jsonl").open("wb") as file:
        file.truncate(10**12)
    for read in (read_games, play):
        with pytest.raises(PapanError, match=r"Line 1 of .* is not a game of this tournament"):
            read(reopen(cup))
