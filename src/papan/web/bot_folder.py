"""The bots of a server's owner: a folder in its data, with one file for each.

Names are checked, links are not followed, and sizes and numbers are limited. The owner may put
files into the folder in other ways, too: every file with the name of a bot is one.
"""

from __future__ import annotations

import ast
import os
import re
import secrets
import shutil
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from papan.core import PapanError
from papan.core.files import check_folder, read_regular
from papan.lab.bots import BOT_SUFFIXES
from papan.lab.files import write_whole
from papan.process.sandbox import find_sandbox
from papan.web.owner import FolderLock
from papan.web.settings import ServerSettings
from papan.web.wire import Facts, Refused

FOLDER, RUNS = "bots", "bot-runs"
"""Folders in the server's data: of the bots, and of files while they run."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}\.(?:py|c|js|java)")
LARGEST_BOT = 64 * 1024
"""Bytes of a bot at most."""
MOST_BOTS = 100
PLAYED, MOST_PLAYED = "played-", 20
"""Prefix of the folders of copies that people play against, and how many of them are stored."""
OWN = "bot"
"""Name of the agent for a bot of the folder, as in ``bot:mybot.py``."""


class KeptBot(Facts):
    """A bot in the owner's folder: its file, the hash of its text, and the games that it lists."""

    name: str
    """The name of its file, such as ``mybot.py``."""
    digest: str
    """Hash of its text, 16 hexadecimal digits: a client that overwrites the bot sends it, to name
    the version it has read.
    """
    changed: float
    """Unix time in seconds of its last change."""
    games: list[str] | None
    """Names of the games that it plays, by the list GAMES in its text; null if it has no list that
    `said_games` can read, or is not in Python.
    """


def checked_name(name: str) -> str:
    """Return *name* if it is a valid file name of a bot, such as ``my-bot_2.py``; raise Refused
    (422) if not.

    Valid are up to 40 ASCII letters, digits, ``_`` and ``-``, the first a letter or a digit, and
    one of the suffixes of bots.
    """
    if not NAME.fullmatch(name):
        known = ", ".join(BOT_SUFFIXES)
        raise Refused(422, "workshop.bad_name", name=name[:60], known=known)
    return name


def encoded(source: str) -> bytes:
    """Return the text of a bot as UTF-8.

    Raise Refused: 413 if it has more than `LARGEST_BOT` bytes, 422 if it has a lone surrogate,
    which UTF-8 cannot express.
    """
    try:
        data = source.encode()
    except UnicodeEncodeError:  # half a pair of surrogates
        raise Refused(422, "workshop.no_text") from None
    if len(data) > LARGEST_BOT:
        raise Refused(413, "workshop.too_large", most=LARGEST_BOT >> 10)
    return data


def own_name(spec: str) -> str | None:
    """Return the file name in a spec such as ``bot:mybot.py``; None if *spec* names another agent.

    The name is not checked; it is empty for ``bot`` alone.
    """
    kind, _, name = spec.partition(":")
    return name if kind == OWN else None


class BotFolder:
    """The folder of the owner's bots, and the folder of those files that are being run.

    Both are in the data folder of *settings*, which *lock* guards.
    """

    def __init__(self, settings: ServerSettings, lock: FolderLock) -> None:
        self.path, self.runs = settings.data / FOLDER, settings.data / RUNS
        self._lock = lock

    def all(self) -> list[KeptBot]:
        """Return the bots that can be read, the last changed first, at most `MOST_BOTS`.

        Files that are no bots, links, and files of more than `LARGEST_BOT` bytes are left out.
        Empty if the folder is missing, is a link or cannot be read.
        """
        found = []
        with suppress(OSError, PapanError):
            check_folder(self.path)
            for path in self.path.iterdir():
                with suppress(OSError, PapanError):
                    found.append(self._facts(path))
        return sorted(found, key=lambda each: (-each.changed, each.name))[:MOST_BOTS]

    def playing(self, game: str) -> list[str]:
        """Return the specs (``bot:NAME``) of the bots that list the game of the name *game*, or
        list no games, in the order of `all`.
        """
        wanted = [each for each in self.all() if not each.games or game in each.games]
        return [f"{OWN}:{each.name}" for each in wanted]

    def file(self, name: str) -> Path:
        """Return the path of the bot with the file name *name*.

        Raise Refused: 422 for an invalid name, 404 if there is none or it is a link.
        """
        path = self.path / checked_name(name)
        if not path.is_file() or path.is_symlink():
            raise Refused(404, "workshop.none", name=name)
        return path

    def read(self, name: str) -> str:
        """Return the text of the bot *name*.

        Raise Refused: 404 if there is none, it is a link or cannot be read, 422 if the name is
        invalid or the file is no UTF-8; another PapanError if it has more than `LARGEST_BOT` bytes.
        """
        try:
            return read_regular(self.file(name), LARGEST_BOT).decode()
        except UnicodeDecodeError:
            raise Refused(422, "workshop.no_text") from None
        except OSError as error:
            raise Refused(404, "error.cannot_read", path=name, why=error.strerror) from None

    def facts(self, name: str) -> KeptBot:
        """Return the bot *name* as an entry of a list.

        Raise what `read` raises, and OSError if the file vanishes meanwhile.
        """
        self.read(name)
        return self._facts(self.path / name)

    def write(self, name: str, source: str, over: str) -> KeptBot:
        """Store *source* as the bot *name* (of its file) and return its entry in the list of bots.

        *over* is the digest of the stored version that it replaces; empty: there is none. Raise
        Refused: 409 if another version is stored, or none although *over* is not empty (the same
        text is never refused so), 413 or 422 if the text or the name cannot be a bot's, 503 if
        there are too many or the data cannot be written. Raise FolderInUse if another server has
        the data folder, another PapanError if the folder of bots is a link. A link or an unreadable
        file of that name counts as none stored, and is replaced.
        """
        data, path = encoded(source), self.path / checked_name(name)
        self._lock.require()
        check_folder(self.path)
        kept = {each.name: each.digest for each in self.all()}
        if name not in kept and len(kept) >= MOST_BOTS:
            raise Refused(503, "workshop.too_many", most=MOST_BOTS)
        if kept.get(name, "") not in (over, digest_of(data)):
            raise Refused(409, "workshop.changed", name=name)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)
        except OSError as error:
            raise Refused(503, "error.cannot_write", path=name, why=error.strerror) from None
        return self._facts(path)

    def delete(self, name: str) -> None:
        """Delete the bot *name*.

        Raise Refused: 422 for an invalid name, 404 if there is no such file or it is a link, 503 if
        the data cannot be written; FolderInUse if another server has the data folder.
        """
        path = self.file(name)
        self._lock.require()
        try:
            path.unlink()
        except OSError as error:
            raise Refused(503, "error.cannot_write", path=name, why=error.strerror) from None

    def lay_out(self, name: str, data: bytes, place: str = "") -> Path:
        """Write *data*, the text of a bot, as the file *name* into a folder of its own, and return
        its path.

        *place* names that folder, which may exist then; empty: a new one with a random name.
        `remove_run` deletes it. Raise Refused (503) if it cannot be written, in which case the
        folder is deleted, FolderInUse if another server has the data folder, PapanError if there is
        no sandbox, or if the folder of all runs is a link.
        """
        find_sandbox()
        self._lock.require()
        folder = self.runs / (place or secrets.token_hex(8))
        try:
            check_folder(self.runs)
            folder.mkdir(parents=True, exist_ok=bool(place))
            write_whole(folder / name, data)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise Refused(503, "error.cannot_write", path=name, why=error.strerror) from None
        return folder / name

    def to_play(self, spec: str) -> Path:
        """Return the path of a copy of the bot of *spec* (``bot:NAME``), to be run.

        It is the same path, which is not written anew, until the bot is edited. At most about
        `MOST_PLAYED` copies stay: a new one deletes those that were asked for longest ago.
        Raise Refused (422) for the spec of another agent, and what `read` and `lay_out` raise.
        """
        name = checked_name(own_name(spec) or "")
        data = self.read(name).encode()
        place = f"{PLAYED}{digest_of(data)}"
        if (file := self.runs / place / name).is_file():
            find_sandbox()
            with suppress(OSError):
                os.utime(file.parent)
            return file
        played = sorted(self.runs.glob(f"{PLAYED}*"), key=_changed)
        for old in played[:-MOST_PLAYED]:
            shutil.rmtree(old, ignore_errors=True)
        return self.lay_out(name, data, place)

    def to_compete(self, names: list[str]) -> dict[str, str]:
        """Return the text of each of the bots *names*, by file name.

        Raise what `read` raises, and PapanError if there is a name but no sandbox.
        """
        if names:
            find_sandbox()
        return {name: self.read(name) for name in names}

    def clear(self) -> None:
        """Delete the folder of all runs, also of those killed together with their server; ignore
        errors of the disk.

        Do nothing if that folder is a link.
        """
        with suppress(OSError, PapanError):
            check_folder(self.runs)
            shutil.rmtree(self.runs, ignore_errors=True)

    def _facts(self, path: Path) -> KeptBot:
        """Return the bot in the file *path* as an entry of the list.

        Raise Refused (422) if its name is not a bot's, OSError or PapanError if it cannot be read.
        """
        data = read_regular(path, LARGEST_BOT)
        changed = path.stat().st_mtime
        games = said_games(data.decode(errors="replace")) if path.suffix == ".py" else None
        checked_name(path.name)
        return KeptBot(name=path.name, digest=digest_of(data), changed=changed, games=games)


def remove_run(file: Path) -> None:
    """Delete the folder into which `BotFolder.lay_out` has written *file*; ignore errors of the
    disk.
    """
    shutil.rmtree(file.parent, ignore_errors=True)


def digest_of(data: bytes) -> str:
    """Return a hash of the text of a bot: the first 16 hexadecimal digits of its SHA-256."""
    return sha256(data).hexdigest()[:16]


@lru_cache(2 * MOST_BOTS)
def said_games(source: str) -> list[str] | None:
    """Return the names in the list GAMES that a Python bot assigns at its top level, as texts.

    None if *source* has no such list, computes it, or is not valid Python. Any literal that can be
    iterated counts as a list. The result, which must not be changed, is cached: to parse a large
    file takes 100 ms, and a list of bots asks for all.
    """
    if "GAMES" not in source:
        return None
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for each in statements:
        value = _value_of_games(each)
        if value is not None:
            with suppress(ValueError, TypeError):
                return [str(name) for name in ast.literal_eval(value)]
    return None


def _value_of_games(statement: ast.stmt) -> ast.expr | None:
    """Return what *statement* assigns to the name GAMES, with a type or not; None if nothing."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    else:
        return None
    named = any(isinstance(target, ast.Name) and target.id == "GAMES" for target in targets)
    return statement.value if named else None


def _changed(folder: Path) -> float:
    """Return when *folder* was last changed or asked for, in Unix seconds; 0 if it is gone."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0
