"""The store: the same promises kept by SQLite and by PostgreSQL."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from papan.core import PapanError
from papan.lab import store as store_module
from papan.lab.store import Collector, Store, StoreError, address
from papan.lab.tournament.folder import Folder, found
from papan.lab.tournament.plan import Plan
from papan.lab.tournament.standings import TournamentState
from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture

from .postgres import programs, server
from .tournament.games import made_up_game, made_up_games

pytestmark = pytest.mark.thorough

PLAN = Plan("tictactoe", ("a", "b", "c"), pairs=4)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    folder = programs()
    if folder is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: apt install postgresql)")
    with server(folder) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty store of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'some where?.sqlite'}"
        return
    server_url: str = request.getfixturevalue("postgres")
    yield server_url
    engine = create_engine(address(server_url))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return found(tmp_path / "cup", PLAN)


def test_what_is_added_can_be_read_by_others(url: str, folder: Folder) -> None:
    games = made_up_games(PLAN)
    with Store(url, writable=True) as store:
        store.add(folder, games)
        with Store(url) as reader:
            assert reader.games(folder.identity) == games
            (stored,) = reader.tournaments()
    assert (stored.name, stored.plan, stored.games) == ("cup", PLAN, PLAN.games)


def test_adding_again_changes_nothing(url: str, folder: Folder) -> None:
    games = made_up_games(PLAN)
    with Store(url, writable=True) as store:
        store.add(folder, {})
        store.add(folder, {5: games[5]})
        store.add(folder, {5: games[5]})
        store.add(folder, games)
        store.add(folder, games)
        assert store.games(folder.identity) == games


def test_one_store_holds_many_tournaments(url: str, folder: Folder, tmp_path: Path) -> None:
    other = found(tmp_path / "other", PLAN)
    with Store(url, writable=True) as store:
        store.add(folder, {0: made_up_game(PLAN, 0)})
        store.add(other, made_up_games(PLAN))
        assert {each.name: each.games for each in store.tournaments()} == {"cup": 1, "other": 24}
        assert list(store.games(folder.identity)) == [0]


def test_a_tournament_is_listed_before_its_first_game_is_over(url: str, folder: Folder) -> None:
    with Store(url, writable=True) as store:
        store.add(folder, {})
        assert [(each.identity, each.games) for each in store.tournaments()] == [
            (folder.identity, 0)
        ]
        assert store.games(folder.identity) == {}


def test_agents_winners_and_endings_can_be_queried(url: str, folder: Folder) -> None:
    with Store(url, writable=True) as store:
        store.add(folder, made_up_games(PLAN))
    engine = create_engine(address(url)) if "sqlite" not in url else create_engine(url)
    query = "SELECT winner, count(*) FROM game WHERE ending = 'win' GROUP BY winner"
    with engine.connect() as connection:
        wins = {str(name): int(count) for name, count in connection.execute(text(query))}
    engine.dispose()
    standings = TournamentState(PLAN, made_up_games(PLAN)).standings
    assert wins == {name: standings.total(place).wins for place, name in enumerate("abc")}


def test_a_reader_can_change_nothing(url: str, folder: Folder) -> None:
    Store(url, writable=True).close()
    with Store(url) as reader, pytest.raises(StoreError, match="does not answer"):
        reader.add(folder, made_up_games(PLAN))
    with Store(url) as reader:
        assert reader.tournaments() == []


def test_a_store_that_is_not_there_is_told_to_a_reader(url: str) -> None:
    with pytest.raises(StoreError, match="does not answer"):
        Store(url)


def test_an_unknown_tournament_is_told(url: str) -> None:
    with (
        Store(url, writable=True) as store,
        pytest.raises(StoreError, match="'papan tournament resume' adds what is missing"),
    ):
        store.games("nobody")


def test_an_older_store_is_brought_up_to_date_with_all_it_holds(
    url: str, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(url, writable=True) as store:
        store.add(folder, made_up_games(PLAN))
    newer = [*store_module.MIGRATIONS, ("ALTER TABLE game ADD COLUMN note TEXT",)]
    monkeypatch.setattr(store_module, "MIGRATIONS", newer)
    for _ in range(2):
        with Store(url, writable=True) as store:
            assert store.games(folder.identity) == made_up_games(PLAN)
    monkeypatch.undo()
    for writable in (True, False):
        with pytest.raises(PapanError, match="has version 2, but this papan knows"):
            Store(url, writable)


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    url: str, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(url, writable=True) as store:
        store.add(folder, made_up_games(PLAN))
    faulty = [*store_module.MIGRATIONS, ("CREATE TABLE extra (id INTEGER)", "CREATE NONSENSE")]
    monkeypatch.setattr(store_module, "MIGRATIONS", faulty)
    with pytest.raises(StoreError):
        Store(url, writable=True)
    monkeypatch.undo()
    with Store(url, writable=True) as store:
        assert store.games(folder.identity) == made_up_games(PLAN)


def test_a_store_that_was_away_gets_everything_later(
    url: str, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    warnings = list[PapanError]()
    there = Folder(folder.path, PLAN, folder.identity, folder.began, folder.version, url)
    collector = Collector(there, warnings.append)
    games = made_up_games(PLAN)

    def away(*arguments: object) -> None:
        raise StoreError("store.unreachable", url=url, why="gone")

    collector.add({0: games[0]})
    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", away)
        collector.add({1: games[1]})
        collector.add({2: games[2]})
    collector.add({3: games[3]})
    collector.close()
    assert len(warnings) == 1
    with Store(url) as reader:
        assert reader.games(folder.identity) == {number: games[number] for number in range(4)}


def test_a_tournament_is_collected_wherever_its_store_is(
    url: str,
    papan: Papan,  # noqa: F811
    tmp_path: Path,
) -> None:
    cup = str(tmp_path / "cup")
    ran = papan("tournament", "run", cup, "random", "random", "--pairs", "2", "--store", url)
    assert ran.code == 0
    assert papan("tournament", "report", cup).out == ran.out
    with Store(url) as store:
        assert [each.games for each in store.tournaments()] == [4]


def test_sqlite_writes_ahead_so_that_reports_need_not_wait(tmp_path: Path, folder: Folder) -> None:
    path = tmp_path / "games.sqlite"
    with Store(f"sqlite:///{path}", writable=True) as store:
        store.add(folder, made_up_games(PLAN))
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not the address of a store"),
        ("games.sqlite", "is not the address of a store"),
        ("sqlite://", "is not the address of a store"),
        ("mysql://localhost/papan", "is not the address of a store"),
        ("postgresql://localhost:port/papan", "is not the address of a store"),
        ("postgresql://me:secret@localhost/papan", "Leave passwords"),
        ("postgresql://me@localhost/papan?password=secret", "PGPASSWORD, PGPASSFILE or"),
        ("postgresql://me@localhost/papan?sslpassword=secret", "Leave passwords"),
        ("postgresql://me@localhost/papan?passfile=secret", "Leave passwords"),
        ("postgresql://me@localhost/papan?service=secret", "Leave passwords"),
    ],
)
def test_z9_an_address_must_be_one_of_a_store_and_hold_no_secret(text: str, message: str) -> None:
    with pytest.raises(PapanError, match=message) as caught:
        Store(text)
    assert "secret" not in str(caught.value)
