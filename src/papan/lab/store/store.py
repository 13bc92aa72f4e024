"""The store: tournaments and their games in a database, safe to add to again and again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from papan.core import PapanError
from papan.lab.match import MatchGame
from papan.lab.store.address import address, engine
from papan.lab.store.schema import GAME, TOURNAMENT, check, migrate, stored_version
from papan.lab.tournament.folder import Folder
from papan.lab.tournament.journal import journal_line, parse_line
from papan.lab.tournament.plan import Plan, parse_plan

DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT")


class StoreError(PapanError):
    """The database does not answer as it should: the journal still has everything."""


@dataclass(frozen=True)
class Stored:
    """A tournament in the store."""

    identity: str
    name: str
    plan: Plan
    version: str
    began: str
    games: int


class Store:
    """One database with any number of tournaments."""

    def __init__(self, text: str, writable: bool = False) -> None:
        """Open a store; one that is *writable* is made or brought up to date as needed."""
        self.url = address(text)
        self._engine = engine(text, writable)
        try:
            with self._transaction() as connection:
                if writable:
                    migrate(connection)
                else:
                    check(stored_version(connection))
        except PapanError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def add(self, folder: Folder, games: Mapping[int, MatchGame]) -> None:
        """Add a tournament, and those of its *games* that are not there yet."""
        with self._transaction() as connection:
            mine = TOURNAMENT.c.id == folder.identity
            if not connection.execute(select(TOURNAMENT.c.id).where(mine)).first():
                connection.execute(TOURNAMENT.insert().values(**_tournament(folder)))
            kept = select(GAME.c.number).where(
                GAME.c.tournament == folder.identity,
                GAME.c.number.between(min(games, default=0), max(games, default=0)),
            )
            known = set(connection.execute(kept).scalars())
            rows = [
                _game(folder, number, game)
                for number, game in sorted(games.items())
                if number not in known
            ]
            if rows:
                connection.execute(GAME.insert(), rows)

    def tournaments(self) -> list[Stored]:
        """What is in the store, the oldest first."""
        count = func.count(GAME.c.number).label("games")
        joined = TOURNAMENT.outerjoin(GAME, GAME.c.tournament == TOURNAMENT.c.id)
        query = select(*TOURNAMENT.c, count).select_from(joined).group_by(*TOURNAMENT.c)
        with self._transaction() as connection:
            rows = connection.execute(query.order_by(TOURNAMENT.c.began, TOURNAMENT.c.id)).all()
        return [_stored(row) for row in rows]

    def games(self, identity: str) -> dict[int, MatchGame]:
        """The games of a tournament, by number."""
        plan = next((each.plan for each in self.tournaments() if each.identity == identity), None)
        if plan is None:
            raise StoreError("store.unknown", url=self.url.render_as_string())
        query = select(GAME.c.record).where(GAME.c.tournament == identity).order_by(GAME.c.number)
        with self._transaction() as connection:
            lines = connection.execute(query).scalars().all()
        return dict(parse_line(f"{line}\n".encode(), plan) for line in lines)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
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
    """Is the file of a store no longer a database, so that waiting does not help?"""
    return str(getattr(cause, "sqlite_errorname", "")).startswith(DAMAGED)


def _tournament(folder: Folder) -> dict[str, str]:
    return {
        "id": folder.identity,
        "name": folder.name,
        "game": folder.plan.game,
        "plan": json.dumps(folder.plan.json(), ensure_ascii=False),
        "version": folder.version,
        "began": folder.began,
    }


def _game(folder: Folder, number: int, game: MatchGame) -> dict[str, Any]:
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


def _stored(row: Any) -> Stored:
    plan = parse_plan(json.loads(row.plan))
    return Stored(row.id, row.name, plan, row.version, row.began, row.games)
