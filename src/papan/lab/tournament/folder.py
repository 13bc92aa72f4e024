"""The folder of a tournament: its plan, the journal of its games, and where results are collected.

- ``plan.json``: what was planned, written once.
- ``games.jsonl``: the journal, one line for each game that is over.
- ``effort.jsonl``: what each move of these games has cost, which differs from run to run.
- ``games.sqlite``: the same games, to be queried; elsewhere if the plan names another store.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from papan.core import InvalidRecordError, PapanError
from papan.lab.files import data_folder, write_whole
from papan.lab.tournament.plan import Plan, parse_plan

PLAN, JOURNAL, EFFORTS, STORE = "plan.json", "games.jsonl", "effort.jsonl", "games.sqlite"
LARGEST_PLAN = 1_000_000


@dataclass(frozen=True)
class Folder:
    """A tournament on the disk."""

    path: Path
    plan: Plan
    identity: str
    """What the store knows it by, wherever the folder is moved."""
    began: str
    version: str
    store: str | None = None
    """The address of a store elsewhere."""
    sealed: bool = True
    """Was it made here, by this user?"""

    @property
    def name(self) -> str:
        return self.path.resolve().name

    @property
    def journal(self) -> Path:
        return self.path / JOURNAL

    @property
    def efforts(self) -> Path:
        return self.path / EFFORTS

    @property
    def store_url(self) -> str:
        return self.store or f"sqlite:///{(self.path / STORE).resolve()}"


def found(path: Path, plan: Plan, store: str | None = None) -> Folder:
    """Make the folder of a new tournament; raises if there is one already."""
    folder = Folder(
        path,
        plan,
        identity=secrets.token_hex(8),
        began=datetime.now(UTC).isoformat(timespec="seconds"),
        version=version("papan"),
        store=store,
    )
    try:
        path.mkdir(parents=True, exist_ok=True)
        if (path / PLAN).exists():
            raise PapanError("tournament.exists", path=path)
        _write(path / PLAN, folder)
    except OSError as error:
        raise PapanError("error.cannot_write", path=path, why=error.strerror) from None
    return reopen(path)


def reopen(path: Path) -> Folder:
    """The tournament in a folder; raises if there is none."""
    try:
        with (path / PLAN).open("rb") as file:
            facts = json.loads(file.read(LARGEST_PLAN))
        plan = parse_plan(facts["plan"])
        texts = {key: str(facts[key]) for key in ("identity", "began", "version")}
        store = facts["store"]
        sealed = genuine(_text(plan), facts["seal"])
    except OSError as error:
        raise PapanError("tournament.none", path=path, why=error.strerror) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, PapanError):
            raise
        raise InvalidRecordError("tournament.bad_plan", why=f"{error!r}"[:100]) from None
    store = None if store is None else str(store)
    return Folder(path, plan, **texts, store=store, sealed=sealed)


def _text(plan: Plan) -> str:
    return json.dumps(plan.json(), sort_keys=True)


def _write(path: Path, folder: Folder) -> None:
    """Write the plan, whole or not at all, and onto the disk."""
    facts = {
        "identity": folder.identity,
        "began": folder.began,
        "version": folder.version,
        "store": folder.store,
        "seal": seal(_text(folder.plan)),
        "plan": folder.plan.json(),
    }
    write_whole(path, json.dumps(facts, ensure_ascii=False, indent=2) + "\n")
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def seal(text: str) -> str | None:
    """The seal of a plan's *text*: proof that this user has made it; None where no key can be kept.

    A plan can name programs to run. One that someone else has sent must not run them unasked.
    """
    try:
        return hmac.new(_key(), text.encode(), "sha256").hexdigest()
    except OSError:
        return None


def genuine(text: str, sealed: object) -> bool:
    """Was *text* sealed here?"""
    expected = seal(text)
    return (
        isinstance(sealed, str) and expected is not None and hmac.compare_digest(expected, sealed)
    )


def _key() -> bytes:
    """The secret of this user, made when it is first needed."""
    path = data_folder() / "seal"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    return path.read_bytes()


def _make(path: Path) -> None:
    """Write a new secret that nobody else can read; whoever comes first has made it."""
    draft = path.with_name(f"{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_bytes(32))
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
