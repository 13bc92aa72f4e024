"""The database that collects results for queries in SQL: an SQLite file, or PostgreSQL."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    column,
    create_engine,
    event,
    func,
    make_url,
    select,
    table,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from papan.core import PapanError
from papan.core.files import check_regular, open_regular
from papan.core.printable import to_json
from papan.lab.files import writing
from papan.lab.match import MatchGame
from papan.lab.tournament.folder import STORE_FILE, TournamentFolder, journal_line

DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
SECRET = {"password", "passfile", "sslpassword", "service", "servicefile"}
"""Query parameters that contain secrets, or name files from which psycopg would read them."""
CONNECT_SECONDS = 10


def parse_store_url(text: str) -> URL:
    """Return the address of a store, such as ``sqlite:///cup.db`` or ``postgresql://host/db``.

    *text* begins with a key of `DRIVERS`; the result has its value as the name of SQLAlchemy's
    driver. Nothing is opened. Raise PapanError if *text* is no such address or names no database,
    or if it contains a password or one of the query parameters `SECRET`.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise PapanError("store.bad_address", text=text) from None
    if url.password or SECRET & url.query.keys():  # addresses are written to files
        raise PapanError("store.password")
    if url.drivername not in DRIVERS or not url.database:
        raise PapanError("store.bad_address", text=text)
    return url.set(drivername=DRIVERS[url.drivername])


def make_engine(url: URL) -> Engine:
    """Return SQLAlchemy's engine for the store at *url*; no connection is made yet.

    *url* must be a result of `parse_store_url`: not checked. An SQLite file that does not exist is
    no error: the first connection creates it; the folder must exist. A PostgreSQL database must
    exist. For SQLite, raise PapanError if the path is that of a link, a folder or another thing
    that is no regular file, or as `_check_journal` does; for PostgreSQL, raise PapanError if its
    driver, psycopg, is not installed.
    """
    if url.drivername == "sqlite":
        return _sqlite(Path(url.database or ""))
    try:
        return create_engine(url, connect_args={"connect_timeout": CONNECT_SECONDS})
    except ImportError:
        raise PapanError("store.no_driver") from None


SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""Last bytes of a rollback journal that names a super-journal, as SQLite's file format calls it."""


def _check_journal(path: Path) -> None:
    """Raise PapanError if SQLite's rollback journal of the file *path* names a super-journal.

    The rollback journal is ``NAME-journal`` in the same folder. SQLite leaves it when a transaction
    is cut short, and reads it when the file is opened next. If the transaction was over several
    files, the rollback journal names one more file, its super-journal, and SQLite deletes that.
    papan makes no such transactions: one that names a file could be a stranger's way to have any
    file deleted. Raise PapanError, too, if the rollback journal is no regular file or cannot be
    read. Nothing is raised if there is none.
    """
    journal = path.with_name(f"{path.name}-journal")
    with writing(journal), suppress(FileNotFoundError), open_regular(journal) as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - len(SUPER_JOURNAL)))
        if file.read() == SUPER_JOURNAL:
            raise PapanError("store.other_journal", path=journal)


def _sqlite(path: Path) -> Engine:
    """Return the engine of an SQLite file; write-ahead logging lets others read while papan writes.

    The first connection creates the file if it does not exist. Raise PapanError if *path* exists
    and is no regular file, or as `_check_journal` does.
    """
    check_regular(path)
    _check_journal(path)
    name = f"file:{quote(str(path))}?mode=rwc"
    made = create_engine("sqlite://", creator=lambda: sqlite3.connect(name, uri=True))

    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, DDL among them
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")  # views and triggers call nothing
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # the journal is what must last

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(made, "connect", prepare)
    event.listen(made, "begin", begin)
    return made


MIGRATIONS: list[tuple[str, ...]] = [
    (
        """CREATE TABLE tournament (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            game TEXT NOT NULL,
            plan TEXT NOT NULL,
            version TEXT NOT NULL,
            began TEXT NOT NULL
        )""",
        """CREATE TABLE game (
            tournament TEXT NOT NULL REFERENCES tournament (id),
            number INTEGER NOT NULL,
            first TEXT NOT NULL,
            second TEXT,
            winner TEXT,
            ending TEXT NOT NULL,
            record TEXT NOT NULL,
            PRIMARY KEY (tournament, number)
        )""",
        "CREATE INDEX game_first ON game (first)",
        "CREATE INDEX game_second ON game (second)",
    ),
]
"""SQL of each version's migration. A released one is never changed: append another one."""

TOURNAMENT = table("tournament", *map(column, ("id", "name", "game", "plan", "version", "began")))
GAME = table(
    "game",
    *map(column, ("tournament", "number", "first", "second", "winner", "ending", "record")),
)
"""Table in which *first*, *second* and *winner* are names of agents, and *record* is the journal's
line.
"""
SCHEMA = table("papan_schema", column("version"))

LOCK = 0x706170616E
"""Advisory lock with which one process at a time migrates a PostgreSQL store."""


def migrate(connection: Connection) -> None:
    """Bring the store to the newest version, in the transaction of *connection*; create its tables.

    The caller begins and commits the transaction. Raise PapanError if a newer papan has migrated
    the store, or if an SQLite file belongs to another program, as `_check_own` finds out; the
    tables of a PostgreSQL database are not examined.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    else:
        _check_own(connection)
    connection.execute(text("CREATE TABLE IF NOT EXISTS papan_schema (version INTEGER NOT NULL)"))
    done = stored_version(connection)
    check_version(done)
    for number, step in enumerate(MIGRATIONS[done:], done + 1):
        for statement in step:
            connection.execute(text(statement))
        connection.execute(SCHEMA.insert().values(version=number))


def _check_own(connection: Connection) -> None:
    """Raise PapanError if the SQLite file behind *connection* belongs to another program.

    It does if it has a table, or anything else with a name, but not the table `SCHEMA`.
    """
    names = connection.execute(text("SELECT name FROM sqlite_master")).scalars().all()
    if names and SCHEMA.name not in names:
        raise PapanError("store.other", tables=", ".join(sorted(names)[:5]))


def stored_version(connection: Connection) -> int:
    """Return the version of the store behind *connection*: the number of its migrations so far.

    0 if none is recorded yet. The table `SCHEMA` must exist, as `migrate` makes sure; else the
    database's own error is raised.
    """
    version = connection.execute(select(func.max(SCHEMA.c.version))).scalar()
    return int(version or 0)


def check_version(version: int) -> None:
    """Raise PapanError if *version* is that of a newer papan."""
    if version > len(MIGRATIONS):
        raise PapanError("store.newer", found=version, known=len(MIGRATIONS))


DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT")


class StoreError(PapanError):
    """Raised if the database fails; the journal still has every game."""


class Store:
    """A database to which any number of tournaments add their games; anyone may query it in SQL."""

    def __init__(self, text: str) -> None:
        """Open the store at the address *text*; create its tables or bring them up to date.

        *text* is as `parse_store_url` reads it. An SQLite file that does not exist is created.
        Raise PapanError as `parse_store_url`, `make_engine` and `migrate` do, StoreError if the
        database fails.
        """
        self.url = parse_store_url(text)
        self._engine = make_engine(self.url)
        try:
            with self._transaction() as connection:
                migrate(connection)
        except PapanError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections to the database; the store cannot be used afterwards."""
        self._engine.dispose()

    def add(self, folder: TournamentFolder, games: Mapping[int, MatchGame]) -> None:
        """Add the tournament in *folder*, and those of its *games* that the store does not have.

        *games* are by number, from 0; empty: only the tournament is added, unless it is there. All
        are added or none. Raise StoreError if the database fails.
        """
        with self._transaction() as connection:
            mine = TOURNAMENT.c.id == folder.identity
            if not connection.execute(select(TOURNAMENT.c.id).where(mine)).first():
                connection.execute(TOURNAMENT.insert().values(**_tournament(folder)))
            stored = select(GAME.c.number).where(
                GAME.c.tournament == folder.identity,
                GAME.c.number.between(min(games, default=0), max(games, default=0)),
            )
            known = set(connection.execute(stored).scalars())
            rows = [
                _game(folder, number, game)
                for number, game in sorted(games.items())
                if number not in known
            ]
            if rows:
                connection.execute(GAME.insert(), rows)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Yield a connection in a transaction: committed after the block, undone if that raises.

        Raise StoreError for an error of the database, also if it is raised in the block.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            why = str(cause).strip().partition("\n")[0]
            url = self.url.render_as_string()
            key = "store.damaged" if _damaged(cause) else "store.unreachable"
            raise StoreError(key, url=url, why=why) from None


def _damaged(cause: object) -> bool:
    """Return whether *cause*, a database error, says that the file is no database any more.

    Then waiting is useless.
    """
    return str(getattr(cause, "sqlite_errorname", "")).startswith(DAMAGED)


def _tournament(folder: TournamentFolder) -> dict[str, str]:
    """Return the row of a tournament in the table `TOURNAMENT`, by column."""
    return {
        "id": folder.identity,
        "name": folder.name,
        "game": folder.plan.game,
        "plan": to_json(folder.plan.json()),
        "version": folder.version,
        "began": folder.began,
    }


def _game(folder: TournamentFolder, number: int, game: MatchGame) -> dict[str, Any]:
    """Return the row of a game, *number* of its tournament, in the table `GAME`, by column."""
    names = [folder.plan.names[agent] for agent in game.seating]
    winner = game.record.winner
    return {
        "tournament": folder.identity,
        "number": number,
        "first": names[0],
        "second": names[1] if len(names) == 2 else None,
        "winner": None if winner is None else names[winner],
        "ending": game.record.end,
        "record": journal_line(number, game),
    }


def _delete_files(path: Path) -> None:
    """Delete the SQLite file *path*, which another user has made, and SQLite's own files beside it.

    They may contain anything, and the tournament's journal has the games. Those that are missing
    are ignored. Raise PapanError if one cannot be deleted.
    """
    for suffix in ("", "-wal", "-shm", "-journal"):
        with writing(path):
            path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


class Collector:
    """Adds a tournament's games to its store; if that fails, it tries again with the next games."""

    def __init__(self, folder: TournamentFolder, warn: Callable[[PapanError], None]) -> None:
        """Open the store of *folder*; *warn* is called with the error if the store fails later.

        If the folder is not sealed (`TournamentFolder.sealed`), another user may have made it: the
        SQLite file in it is deleted and made anew. Raise PapanError if that file cannot be deleted,
        if the folder is not sealed and names a store elsewhere, and as `Store` does; StoreError,
        which is a PapanError, if the database fails now.
        """
        self._folder = folder
        self._warn = warn
        self._away = False
        self._pending: dict[int, MatchGame] = {}
        if not folder.sealed:
            _delete_files(folder.path / STORE_FILE)
        self._store = Store(folder.store_url)

    def close(self) -> None:
        """Close the connections to the store."""
        self._store.close()

    def add(self, games: dict[int, MatchGame]) -> None:
        """Add *games*, by number, and those that could not be added before.

        If the store fails, nothing is raised: the games are kept for the next call, and *warn* is
        called with the StoreError unless the call before this one has failed, too.
        """
        self._pending |= games
        try:
            self._store.add(self._folder, self._pending)
        except StoreError as error:
            if not self._away:  # say it once
                self._warn(error)
            self._away = True
            return
        self._pending.clear()
        self._away = False
