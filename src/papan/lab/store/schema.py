"""The tables of the store, and the steps that lead there from an empty or an older one."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, func, select, text

from papan.core import PapanError

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
"""One step for each version. A step that was ever released is never changed: add another one."""

METADATA = MetaData()

TOURNAMENT = Table(
    "tournament",
    METADATA,
    *(Column(name, Text) for name in ("id", "name", "game", "plan", "version", "began")),
)
GAME = Table(
    "game",
    METADATA,
    Column("tournament", Text),
    Column("number", Integer),
    *(Column(name, Text) for name in ("first", "second", "winner", "ending", "record")),
)
"""*first*, *second* and *winner* are agents by name; *record* is the line of the journal."""

SCHEMA = Table("papan_schema", METADATA, Column("version", Integer))

LOCK = 0x706170616E
"""The lock under which PostgreSQL lets one process at a time migrate."""


def migrate(connection: Connection) -> None:
    """Bring the store to the newest version, in the transaction of *connection*."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    connection.execute(text("CREATE TABLE IF NOT EXISTS papan_schema (version INTEGER NOT NULL)"))
    done = stored_version(connection)
    check(done)
    for number, step in enumerate(MIGRATIONS[done:], done + 1):
        for statement in step:
            connection.execute(text(statement))
        connection.execute(SCHEMA.insert().values(version=number))


def stored_version(connection: Connection) -> int:
    """How many steps the store has taken."""
    version = connection.execute(select(func.max(SCHEMA.c.version))).scalar()
    return int(version or 0)


def check(version: int) -> None:
    """Raise if the store was made by a newer papan."""
    if version > len(MIGRATIONS):
        raise PapanError("store.newer", found=version, known=len(MIGRATIONS))
