"""The store: the same promises kept by SQLite and by PostgreSQL."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from papan.core import PapanError
from papan.core.record import Record
from papan.lab import store as store_module
from papan.lab.match import MatchGame
from papan.lab.store import Collector, Store, StoreError, parse_store_url
from papan.lab.tournament.folder import TournamentFolder, create, parse_line
from papan.lab.tournament.plan import TournamentPlan, parse_plan
from papan.lab.tournament.standings import TournamentState
from tests.cli.conftest import Papan, papan  # noqa: F401 - a fixture

from .postgres import programs, server
from .tournament.games import made_up_game, made_up_games

pytestmark = pytest.mark.thorough

PLAN = TournamentPlan("tictactoe", ("a", "b", "c"), pairs=4)


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
    engine = create_engine(parse_store_url(server_url))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()


@pytest.fixture
def folder(tmp_path: Path) -> TournamentFolder:
    return create(tmp_path / "cup", PLAN)


def query(url: str, asked: str) -> list[tuple[Any, ...]]:
    """What anyone gets who asks the database."""
    engine = create_engine(parse_store_url(url))
    with engine.connect() as connection:
        rows = [tuple(row) for row in connection.execute(text(asked))]
    engine.dispose()
    return rows


def games_in(url: str, folder: TournamentFolder) -> dict[int, MatchGame]:
    rows = query(url, f"SELECT record FROM game WHERE tournament = '{folder.identity}'")
    return dict(parse_line(f"{line}\n".encode(), PLAN) for (line,) in rows)


def test_what_is_added_can_be_read_by_others(url: str, folder: TournamentFolder) -> None:
    games = made_up_games(PLAN)
    with Store(url) as store:
        store.add(folder, games)
        assert games_in(url, folder) == games  # while it is open, too
    [(name, plan)] = query(url, "SELECT name, plan FROM tournament")
    assert (name, parse_plan(json.loads(plan))) == ("cup", PLAN)


def test_adding_again_changes_nothing(url: str, folder: TournamentFolder) -> None:
    games = made_up_games(PLAN)
    with Store(url) as store:
        store.add(folder, {})
        store.add(folder, {5: games[5]})
        store.add(folder, {5: games[5]})
        store.add(folder, games)
        store.add(folder, games)
    assert games_in(url, folder) == games


def test_one_store_holds_many_tournaments(
    url: str, folder: TournamentFolder, tmp_path: Path
) -> None:
    other = create(tmp_path / "other", PLAN)
    with Store(url) as store:
        store.add(folder, {0: made_up_game(PLAN, 0)})
        store.add(other, made_up_games(PLAN))
    counts = "SELECT name, count(*) FROM tournament JOIN game ON id = tournament GROUP BY name"
    assert dict(query(url, counts)) == {"cup": 1, "other": 24}
    assert list(games_in(url, folder)) == [0]


def test_a_tournament_is_listed_before_its_first_game_is_over(
    url: str, folder: TournamentFolder
) -> None:
    with Store(url) as store:
        store.add(folder, {})
    assert query(url, "SELECT id FROM tournament") == [(folder.identity,)]
    assert games_in(url, folder) == {}


def test_agents_winners_and_endings_can_be_queried(url: str, folder: TournamentFolder) -> None:
    with Store(url) as store:
        store.add(folder, made_up_games(PLAN))
    asked = "SELECT winner, count(*) FROM game WHERE ending = 'win' GROUP BY winner"
    wins = dict(query(url, asked))
    standings = TournamentState(PLAN, made_up_games(PLAN)).standings
    assert wins == {name: standings.total(place).wins for place, name in enumerate("abc")}


def test_an_older_store_is_brought_up_to_date_with_all_it_holds(
    url: str, folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(url) as store:
        store.add(folder, made_up_games(PLAN))
    newer = [*store_module.MIGRATIONS, ("ALTER TABLE game ADD COLUMN note TEXT",)]
    monkeypatch.setattr(store_module, "MIGRATIONS", newer)
    for _ in range(2):
        Store(url).close()
        assert games_in(url, folder) == made_up_games(PLAN)
    monkeypatch.undo()
    with pytest.raises(PapanError, match="has version 2, but this papan knows"):
        Store(url)


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    url: str, folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(url) as store:
        store.add(folder, made_up_games(PLAN))
    faulty = [*store_module.MIGRATIONS, ("CREATE TABLE extra (id INTEGER)", "CREATE NONSENSE")]
    monkeypatch.setattr(store_module, "MIGRATIONS", faulty)
    with pytest.raises(StoreError):
        Store(url)
    monkeypatch.undo()
    Store(url).close()
    assert games_in(url, folder) == made_up_games(PLAN)


def test_a_store_that_was_away_gets_everything_later(
    url: str, folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    warnings = list[PapanError]()
    there = TournamentFolder(folder.path, PLAN, folder.identity, folder.began, folder.version, url)
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
    assert games_in(url, folder) == {number: games[number] for number in range(4)}


def test_a_tournament_is_collected_wherever_its_store_is(
    url: str,
    papan: Papan,  # noqa: F811
    tmp_path: Path,
) -> None:
    cup = str(tmp_path / "cup")
    ran = papan("tournament", "run", cup, "random", "random", "--pairs", "2", "--store", url)
    assert ran.code == 0
    assert papan("tournament", "report", cup).out == ran.out
    assert query(url, "SELECT count(*) FROM game") == [(4,)]


def test_sqlite_writes_ahead_so_that_reports_need_not_wait(
    tmp_path: Path, folder: TournamentFolder
) -> None:
    path = tmp_path / "games.sqlite"
    with Store(f"sqlite:///{path}") as store:
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


def test_y7_a_row_says_who_sat_where_and_who_won(tmp_path: Path) -> None:
    won, lost, drawn = ((1, 0), "win"), ((0, 1), "win"), ((0, 0), "draw")
    plan = TournamentPlan("tictactoe", ("a", "b"), pairs=2)
    folder = create(tmp_path / "pairs", plan)
    games = {
        number: MatchGame(
            plan.seating(number),
            Record("tictactoe:3,3,3", "", ("a", "b"), "", scores, end),  # type: ignore[arg-type]
        )
        for number, (scores, end) in enumerate((won, won, lost, drawn))
    }
    with Store(folder.store_url) as store:
        store.add(folder, games)
    rows = "SELECT number, first, second, winner, ending FROM game ORDER BY number"
    assert query(folder.store_url, rows) == [
        (0, "a", "b", "a", "win"),
        (1, "b", "a", "b", "win"),
        (2, "a", "b", "b", "win"),
        (3, "b", "a", None, "draw"),
    ]
    alone = TournamentPlan("onet", ("a", "b"), seats=1, pairs=1)
    boards = create(tmp_path / "boards", alone)
    record = Record("onet", "", ("b",), "", (3,), "stuck")
    with Store(boards.store_url) as store:
        store.add(boards, {1: MatchGame((1,), record)})
    assert query(boards.store_url, rows) == [(1, "b", None, None, "stuck")]


def test_y7_a_store_that_comes_and_goes_is_told_each_time_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = create(tmp_path, PLAN)
    warned: list[PapanError] = []
    added: list[list[int]] = []
    away = [False]

    def add(store: Store, folder: TournamentFolder, games: dict[int, MatchGame]) -> None:
        if away[0]:
            raise StoreError("store.unreachable", url="x", why="y")
        added.append(sorted(games))

    monkeypatch.setattr(Store, "add", add)
    collector = Collector(folder, warned.append)
    for number, gone in enumerate((False, True, True, False, False, True)):
        away[0] = gone
        collector.add({number: made_up_game(PLAN, number)})
    collector.close()
    assert added == [[0], [1, 2, 3], [4]]
    assert len(warned) == 2
