"""The folder of a tournament: its plan, the journal of its games, and where results are collected.

- ``plan.json``: the plan, written once.
- ``games.jsonl``: the journal, one line for each game that is over.
- ``effort.jsonl``: the cost of each move of these games, which differs from run to run.
- ``games.sqlite``: the same games, for queries; elsewhere if the plan names another store.
"""

from __future__ import annotations

import json
import os
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import quantiles
from time import time
from typing import Any, BinaryIO, Self

from papan.core import InvalidRecordError, PapanError
from papan.core.files import open_regular, read_regular
from papan.core.printable import to_json
from papan.core.record import parse_record
from papan.lab.files import (
    append_line,
    is_genuine,
    iterate_lines,
    seal,
    whole_lines,
    write_whole,
    writing,
)
from papan.lab.match import MatchGame
from papan.lab.tournament.plan import TournamentPlan, parse_plan
from papan.lab.tournament.standings import TournamentState
from papan.process.host import lock

PLAN_FILE, JOURNAL_FILE, EFFORT_FILE, STORE_FILE = (
    "plan.json",
    "games.jsonl",
    "effort.jsonl",
    "games.sqlite",
)
LARGEST_PLAN = 1_000_000
FACTS = ("identity", "began", "version", "store")
"""Fields of ``plan.json`` besides the plan."""


@dataclass(frozen=True)
class TournamentFolder:
    """A tournament on the disk: its plan, its paths, and whether this user has made it.

    If it is not *sealed*, a stranger may have made it, and chosen the programs that it runs and the
    store to which it writes.
    """

    path: Path
    plan: TournamentPlan
    identity: str
    """Its key in a store, wherever the folder is moved."""
    began: str
    """The time at which it was created, in ISO 8601 and UTC."""
    version: str
    """The version of papan that created it."""
    store: str | None = None
    """Address of a store other than the folder's own, for `parse_store_url`; None: its own."""
    sealed: bool = True
    """True if this user has sealed the plan, or vouches for it."""

    @property
    def name(self) -> str:
        """The name of the folder, which is the tournament's in a store."""
        return self.path.resolve().name

    @property
    def journal(self) -> Path:
        """The path of the journal, which may not exist yet."""
        return self.path / JOURNAL_FILE

    @property
    def efforts(self) -> Path:
        """The path of the effort file, which may not exist yet."""
        return self.path / EFFORT_FILE

    @property
    def store_url(self) -> str:
        """The address of the store, such as ``sqlite:////home/ann/cup/games.sqlite``.

        Raises PapanError if a stranger has chosen it.
        """
        self.check_store()
        return self.store or f"sqlite:///{self.path.resolve() / STORE_FILE}"

    def check_store(self) -> None:
        """Raise PapanError if a stranger has chosen a store other than the folder's own."""
        if self.store and not self.sealed:
            raise PapanError("tournament.untrusted_store", store=self.store)

    def vouched_for(self) -> TournamentFolder:
        """Return the folder as trusted: the user vouches for the programs and store that it names.

        Nothing is written.
        """
        return replace(self, sealed=True)


def create(path: Path, plan: TournamentPlan, store: str | None = None) -> TournamentFolder:
    """Create the folder *path* of a new tournament with *plan* and return it.

    *store* is the address of a database, None: a file in the folder. The folder may exist. The
    journal and the store are not created yet. Raise PapanError if the folder has a tournament
    already or cannot be written.
    """
    folder = TournamentFolder(
        path,
        plan,
        identity=secrets.token_hex(8),
        began=datetime.now(UTC).isoformat(timespec="seconds"),
        version=version("papan"),
        store=store,
    )
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        if (path / PLAN_FILE).exists():
            raise PapanError("tournament.exists", path=path)
        _write(path / PLAN_FILE, folder)
    return reopen(path)


def reopen(path: Path) -> TournamentFolder:
    """Return the tournament in the folder *path*; see `TournamentFolder.sealed` before trusting it.

    Raise PapanError if there is none, or if its ``plan.json`` is damaged, cannot be read, is no
    regular file or has over `LARGEST_PLAN` bytes.
    """
    try:
        facts = json.loads(read_regular(path / PLAN_FILE, LARGEST_PLAN))
        plan = parse_plan(facts["plan"])
        texts = {key: str(facts[key]) for key in ("identity", "began", "version")}
        store = None if facts["store"] is None else str(facts["store"])
        sealed = facts["seal"]
    except OSError as error:
        raise PapanError("tournament.none", path=path, why=error.strerror) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, PapanError):
            raise
        raise InvalidRecordError("tournament.bad_plan", why=f"{error!r}"[:100]) from None
    folder = TournamentFolder(path, plan, **texts, store=store, sealed=False)
    return replace(folder, sealed=is_genuine(_sealed_text(folder), sealed))


def _write(path: Path, folder: TournamentFolder) -> None:
    """Write the plan of *folder*, its `FACTS` and their seal to *path*, whole or not at all.

    File and folder are synced to the disk. The seal is null if there is no key (`seal`). Raise
    OSError if it cannot be written, PapanError as `seal` does.
    """
    facts = {key: getattr(folder, key) for key in FACTS}
    facts |= {"seal": seal(_sealed_text(folder)), "plan": folder.plan.json()}
    write_whole(path, to_json(facts, indent=2) + "\n")
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _sealed_text(folder: TournamentFolder) -> str:
    """Return the text of *folder* that is sealed: all that decides what is run, read and connected
    to.
    """
    facts = [getattr(folder, key) for key in FACTS]
    return json.dumps(["tournament", *facts, folder.plan.sealed_text])


BelieveGame = Callable[[int, bytes, MatchGame], None]
"""Raises InvalidRecordError unless a game, given its number and its line, is to be accepted."""


def believe_all(number: int, line: bytes, game: MatchGame) -> None:
    """Accept every game, for callers that have written the journal themselves or only show it."""


class Journal:
    """The games that are over, by number (`games`); one process at a time may append to it."""

    def __init__(
        self, path: Path, plan: TournamentPlan, believe: BelieveGame = believe_all
    ) -> None:
        """Open and lock the journal *path* of *plan*, made if missing, until the context ends.

        *believe* is called with number, line and game of each, and raises InvalidRecordError if it
        is not to be accepted. A last line that is damaged is removed. Raise PapanError if the
        journal is in use, damaged, no regular file or cannot be opened, or if a game is not
        accepted; OSError if it cannot be read or changed.
        """
        self.games: dict[int, MatchGame] = {}
        with writing(path):
            self._file = open_regular(path, "a+b")
        try:
            self._lock(path.parent)
            self._recover(path, plan, believe)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, number: int, game: MatchGame) -> None:
        """Append a game and sync it to the disk: after the call no power cut can lose it.

        *number* must be a new one; not checked. Raise OSError if that fails.
        """
        append_line(self._file, journal_line(number, game))
        self.games[number] = game

    def _lock(self, folder: Path) -> None:
        """Lock the file; raise PapanError, which names *folder*, if another process has done so."""
        try:
            lock(self._file)
        except OSError:
            raise PapanError("tournament.locked", path=folder) from None

    def _recover(self, path: Path, plan: TournamentPlan, believe: BelieveGame) -> None:
        """Read all games into `games`, and remove a last line that is damaged.

        Raise InvalidRecordError, which names *path*, as `_games_in` does; OSError if the file
        cannot be read or changed.
        """
        self._file.seek(0)
        whole = 0
        for line, number, game in _games_in(self._file, path, plan, believe):
            self.games[number] = game
            whole += len(line)
        self._file.truncate(whole)
        os.fsync(self._file.fileno())


def read_games(
    folder: TournamentFolder, believe: BelieveGame = believe_all
) -> dict[int, MatchGame]:
    """Return by number the games of the tournament in *folder* that are over.

    They can be read while another process plays: a last line that is damaged is left out. Only the
    journal is read, never a store; empty if there is none. Raise InvalidRecordError for any other
    damaged line, for a number that occurs twice, and for a game for which *believe* raises
    PapanError; another PapanError if the journal is no regular file, OSError if it cannot be read.
    """
    try:
        file = open_regular(folder.journal)
    except FileNotFoundError:
        return {}
    with file:
        found = _games_in(file, folder.journal, folder.plan, believe)
        return {number: game for _, number, game in found}


def _games_in(
    file: BinaryIO, path: Path, plan: TournamentPlan, believe: BelieveGame
) -> Iterator[tuple[bytes, int, MatchGame]]:
    """Yield each line of the journal *file* with its number and game; a damaged last line is left
    out.

    Raise InvalidRecordError, which names *path*, if another line is damaged or does not fit *plan*,
    if a number occurs twice, or if *believe* raises PapanError for a game.
    """
    seen = set[int]()
    for count, line in enumerate(iterate_lines(file), 1):
        try:
            number, game = parse_line(line, plan)
        except InvalidRecordError as error:
            if file.read(1):
                raise InvalidRecordError(
                    "tournament.bad_line", path=path, line=count, why=error
                ) from None
            return
        try:
            if number in seen:
                raise InvalidRecordError("tournament.twice", number=number)
            believe(number, line, game)
        except PapanError as error:
            raise InvalidRecordError(
                "tournament.bad_line", path=path, line=count, why=error
            ) from None
        seen.add(number)
        yield line, number, game


def journal_line(number: int, game: MatchGame) -> str:
    """Return the line of a game as JSON, without a line end; `parse_line` reads it, with its end.

    It has ``number`` (*number*, from 0), ``players`` (the seating) and the keys of `Record.json`.
    Effort and memory are left out: see `effort_line`.
    """
    return to_json({"number": number, "players": game.seating, **game.record.json()})


def parse_line(line: bytes, plan: TournamentPlan) -> tuple[int, MatchGame]:
    """Return number and game of a line that `journal_line` wrote; *line* has its end.

    The game has no effort and no memory. Raise InvalidRecordError if the line is damaged, lacks its
    end, or does not fit the plan: its number or its seating is another one.
    """
    text = line.decode("utf-8", errors="replace")
    record = parse_record(text)  # raises unless it is a whole object
    facts: dict[str, Any] = json.loads(text)
    number, players = facts.get("number"), facts.get("players")
    fits = type(number) is int and 0 <= number < plan.games
    if not (line.endswith(b"\n") and fits):
        raise InvalidRecordError("error.not_a_record", text=text[:80])
    assert isinstance(number, int)
    seating = plan.seating(number)
    if players != list(seating) or len(record.agents) != len(seating):
        raise InvalidRecordError("error.not_a_record", text=text[:80])
    return number, MatchGame(seating, replace(record, scores=whole_numbers(record.scores)))


def whole_numbers(scores: tuple[float, ...]) -> tuple[float, ...]:
    """Return the scores with whole numbers as int: 1, not 1.0."""
    return tuple(int(score) if score == int(score) else score for score in scores)


MOST_MOVES = 50_000
"""Number of an agent's latest moves from which its effort is computed."""
RECENT_GAMES = 50
"""Number of latest games from which the pace is computed."""


def effort_line(folder: TournamentFolder, number: int, game: MatchGame) -> str:
    """Return a line of JSON with the cost of a game for each seat, when it ended, and its seal.

    *folder* is that of the tournament, *number* the game's, from 0. The keys of the line are
    ``number``, ``seats`` (for each seat a list with a list for each move: nodes, wall-clock and
    processor seconds), ``at`` (now, in seconds since 1970) and ``seal``, that of the game's line in
    the journal, null if there is no key. It has no line end. Raise PapanError as `seal` does.
    """
    seats = [[list(move) for move in seat] for seat in game.effort]
    sealed = seal(sealed_game(folder, journal_line(number, game)))
    return json.dumps({"number": number, "at": round(time(), 3), "seats": seats, "seal": sealed})


def sealed_game(folder: TournamentFolder, line: str) -> str:
    """Return the text of which a game's seal is made: identity and plan of its tournament, and
    *line*.

    *line* is the game's line in the journal, without its end.
    """
    return json.dumps(["game", folder.identity, folder.plan.sealed_text, line])


@dataclass(frozen=True)
class Spread:
    """Median and 95th percentile of some numbers, in their unit."""

    median: float
    p95: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread | None:
        """Return the spread of *values*; None if there are none."""
        if len(values) < 2:
            return cls(values[0], values[0]) if values else None
        cuts = quantiles(values, n=20, method="inclusive")
        return cls(cuts[9], cuts[18])


@dataclass(frozen=True)
class EffortFacts:
    """Cost of a move of one agent: nodes and milliseconds; None if it has not moved."""

    agent: str
    """The name of the agent, as in the plan."""
    nodes: Spread | None
    milliseconds: Spread | None


@dataclass
class Efforts:
    """Cost of the moves of all agents of a tournament, from the lines of ``effort.jsonl``.

    Only the latest moves count, `MOST_MOVES` of each agent.
    """

    plan: TournamentPlan
    _moves: dict[int, deque[tuple[int, float]]] = field(default_factory=dict)
    """For each agent (index), nodes and wall-clock seconds of its latest moves."""
    _ends: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT_GAMES))
    """When the latest games ended, in seconds since 1970."""

    def add(self, line: bytes) -> None:
        """Add a line that `effort_line` wrote; a damaged line is ignored."""
        try:
            facts: dict[str, Any] = json.loads(line)
            seating = self.plan.seating(facts["number"])
            seats = [[(int(n), float(s)) for n, s, *_ in seat] for seat in facts["seats"]]
            self._ends.append(float(facts["at"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return
        for agent, moves in zip(seating, seats):
            self._moves.setdefault(agent, deque(maxlen=MOST_MOVES)).extend(moves)

    def facts(self) -> list[EffortFacts]:
        """Return the cost of a move of each agent, in the order of the plan."""
        found = []
        for agent, name in enumerate(self.plan.names):
            moves = self._moves.get(agent, ())
            nodes = Spread.of([nodes for nodes, _ in moves])
            times = Spread.of([1000 * seconds for _, seconds in moves])
            found.append(EffortFacts(name, nodes, times))
        return found

    @property
    def pace(self) -> float | None:
        """Games a second, over the latest games; None before two have ended at different times."""
        if len(self._ends) < 2 or self._ends[-1] <= self._ends[0]:
            return None
        return (len(self._ends) - 1) / (self._ends[-1] - self._ends[0])


class TournamentWatch:
    """Follows a running tournament by reading its *folder* again and again; never writes to it.

    `look` adds what is new to `state` (the games that are over), `latest` (their numbers, in the
    order in which they ended) and `efforts` (the cost of their moves).
    """

    def __init__(self, folder: TournamentFolder) -> None:
        self.folder = folder
        self.state = TournamentState(folder.plan)
        self.efforts = Efforts(folder.plan)
        self.latest: list[int] = []
        """Numbers of the games in the order in which they ended."""
        self._journal, self._efforts = _Tail(folder.journal), _Tail(folder.efforts)

    def look(self) -> bool:
        """Read new lines of the files into `state`, `latest` and `efforts`.

        Return whether there was a new game. A last line that is cut short is left for the next
        call. A damaged line of the journal is left for it, too, with all lines after it; one of the
        effort file is ignored. A file that is missing has no lines. Raise PapanError if one is no
        regular file, OSError if it cannot be read.
        """
        for line in self._efforts.lines():
            self.efforts.add(line)
        games = dict(self._new_games())
        self.latest += games
        self.state.add(games)
        return bool(games)

    def _new_games(self) -> Iterator[tuple[int, MatchGame]]:
        """Yield number and game of each new line of the journal, unless the game is known already.

        Stop before the first damaged line: it is read again next time, as it may be rewritten.
        """
        for line in self._journal.lines():
            try:
                number, game = parse_line(line, self.folder.plan)
            except InvalidRecordError:
                self._journal.put_back(line)
                return
            if number not in self.state.games:
                yield number, game


class _Tail:
    """Reads the complete lines that were added to the file *path* since the last call, with their
    ends.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._read = path, 0

    def lines(self) -> Iterator[bytes]:
        """Yield the new complete lines; none if the file does not exist.

        Raise PapanError if it is no regular file, OSError if it cannot be read.
        """
        try:
            file = open_regular(self._path)
        except FileNotFoundError:
            return
        with file:
            file.seek(self._read)
            for line in whole_lines(file):
                self._read += len(line)
                yield line

    def put_back(self, line: bytes) -> None:
        """Let `lines` yield *line* again next time.

        *line* must be the last line that it has yielded: not checked.
        """
        self._read -= len(line)
