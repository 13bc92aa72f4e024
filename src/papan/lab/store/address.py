"""From the address of a store to a connection: what SQLite and PostgreSQL each need to be told."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from papan.core import PapanError

DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
CONNECT_SECONDS = 10


def address(text: str) -> URL:
    """The address that *text* writes; raises if it is none of a store."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise PapanError("store.bad_address", text=text) from None
    if url.password:  # addresses are written to files
        raise PapanError("store.password")
    if url.drivername not in DRIVERS or not url.database:
        raise PapanError("store.bad_address", text=text)
    return url.set(drivername=DRIVERS[url.drivername])


def engine(text: str, writable: bool) -> Engine:
    """What connects to the store; where it is not *writable*, nothing can be changed."""
    url = address(text)
    if url.drivername == "sqlite":
        return _sqlite(Path(url.database or ""), writable)
    try:
        made = create_engine(url, connect_args={"connect_timeout": CONNECT_SECONDS})
    except ImportError:
        raise PapanError("store.no_driver") from None
    return made if writable else made.execution_options(postgresql_readonly=True)


def _sqlite(path: Path, writable: bool) -> Engine:
    """A file. Write-ahead logging lets reports read while a tournament writes."""
    mode = "rwc" if writable else "ro"
    if not writable and path.exists() and not os.access(path.parent, os.W_OK):
        mode += "&immutable=1"  # no log can be made next to it, so nobody is writing either
    name = f"file:{quote(str(path))}?mode={mode}"
    made = create_engine("sqlite://", creator=lambda: sqlite3.connect(name, uri=True))

    @event.listens_for(made, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, DDL among them
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA busy_timeout = 10000")
        if writable:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # the journal is what must last

    @event.listens_for(made, "begin")
    def begin(connection: object) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writable else "BEGIN")  # type: ignore[attr-defined]

    return made
