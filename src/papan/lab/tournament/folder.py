"""The folder of a tournament: its plan, the journal of its games, and where results are collected.

- ``plan.json``: what was planned, written once.
- ``games.jsonl``: the journal, one line for each game that is over.
- ``effort.jsonl``: what each move of these games has cost, which differs from run to run.
- ``games.sqlite``: the same games, to be queried; elsewhere if the plan names another store.
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
"""What a folder says of itself beside its plan."""


@dataclass(frozen=True)
class TournamentFolder:
    """A tournament on the disk."""

    path: Path
    plan: TournamentPlan
    identity: str
    """What the store knows it by, wherever the folder is moved."""
    began: str
    version: str
    store: str | None = None
    """The address of a store elsewhere."""
    sealed: bool = True
    """Is all that it says what this user has planned here, or vouches for?"""

    @property
    def name(self) -> str:
        return self.path.resolve().name

    @property
    def journal(self) -> Path:
        return self.path / JOURNAL_FILE

    @property
    def efforts(self) -> Path:
        return self.path / EFFORT_FILE

    @property
    def store_url(self) -> str:
        """Where results are collected; raises where a stranger has chosen the place."""
        self.check_store()
        return self.store or f"sqlite:///{self.path.resolve() / STORE_FILE}"

    def check_store(self) -> None:
        """Raise if results would be collected in a place that a stranger has chosen."""
        if self.store and not self.sealed:
            raise PapanError("tournament.untrusted_store", store=self.store)

    def vouched_for(self) -> TournamentFolder:
        """The same, for a user who vouches for the programs and the store that it names."""
        return replace(self, sealed=True)


def create(path: Path, plan: TournamentPlan, store: str | None = None) -> TournamentFolder:
    """Make the folder of a new tournament; raises if there is one already."""
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
    """The tournament in a folder; raises if there is none."""
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
    """Write the plan, whole or not at all, and onto the disk."""
    facts = {key: getattr(folder, key) for key in FACTS}
    facts |= {"seal": seal(_sealed_text(folder)), "plan": folder.plan.json()}
    write_whole(path, to_json(facts, indent=2) + "\n")
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _sealed_text(folder: TournamentFolder) -> str:
    """All that decides what a tournament runs, reads, writes and connects to."""
    facts = [getattr(folder, key) for key in FACTS]
    return json.dumps(["tournament", *facts, folder.plan.sealed_text])


BelieveGame = Callable[[int, bytes, MatchGame], None]
"""Raises InvalidRecordError unless a game, with its number and its line, is to be believed."""


def believe_all(number: int, line: bytes, game: MatchGame) -> None:
    """Believe every game: whoever asks has written the journal, or only shows it."""


class Journal:
    """The games that are over, by their numbers; one process at a time may add to them."""

    def __init__(
        self, path: Path, plan: TournamentPlan, believe: BelieveGame = believe_all
    ) -> None:
        """Open the journal of a *plan*; *believe* raises for games that are not to be believed."""
        self.games: dict[int, MatchGame] = {}
        with writing(path):
            self._file = open_regular(path, "a+b")
        try:
            lock(self._file)
        except OSError:
            self._file.close()
            raise PapanError("tournament.locked", path=path.parent) from None
        try:
            self._recover(path, plan, believe)
        except PapanError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, number: int, game: MatchGame) -> None:
        """Keep a game; when this returns, no power cut can lose it."""
        append_line(self._file, journal_line(number, game))
        self.games[number] = game

    def _recover(self, path: Path, plan: TournamentPlan, believe: BelieveGame) -> None:
        """Read what is there; a last line that was not written to its end is dropped."""
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
    """The games that are over, by their numbers, whether or not somebody is playing others.

    The journal has them before any store, and says nothing but games; no store is asked.
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
    """Each whole line of a journal with its game; raises for one that is none, but for the last."""
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
    """A game as one line: its record, with its number and who sat on the seats."""
    return to_json({"number": number, "players": game.seating, **game.record.json()})


def parse_line(line: bytes, plan: TournamentPlan) -> tuple[int, MatchGame]:
    """The game of the plan that `journal_line` wrote; raises InvalidRecordError."""
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
    """The same scores, written as they were: 1 and not 1.0."""
    return tuple(int(score) if score == int(score) else score for score in scores)


MOST_MOVES = 50_000
"""Of so many of its latest moves the effort of an agent is told."""
RECENT_GAMES = 50
"""How many games the pace is taken from."""


def effort_line(folder: TournamentFolder, number: int, game: MatchGame) -> str:
    """What a game has cost each seat, when it was over, and the seal of its line in the journal."""
    seats = [[list(move) for move in seat] for seat in game.effort]
    sealed = seal(sealed_game(folder, journal_line(number, game)))
    return json.dumps({"number": number, "at": round(time(), 3), "seats": seats, "seal": sealed})


def sealed_game(folder: TournamentFolder, line: str) -> str:
    """What is sealed of a game: its line in the journal, and the tournament it belongs to."""
    return json.dumps(["game", folder.identity, folder.plan.sealed_text, line])


@dataclass(frozen=True)
class Spread:
    """The middle of some numbers, and what only one in twenty of them exceeds."""

    median: float
    p95: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread | None:
        """That of some values, if there are any."""
        if len(values) < 2:
            return cls(values[0], values[0]) if values else None
        cuts = quantiles(values, n=20, method="inclusive")
        return cls(cuts[9], cuts[18])


@dataclass(frozen=True)
class EffortFacts:
    """What the moves of an agent have cost."""

    agent: str
    nodes: Spread | None
    milliseconds: Spread | None


@dataclass
class Efforts:
    """What the agents of a tournament have spent on their moves."""

    plan: TournamentPlan
    _moves: dict[int, deque[tuple[int, float]]] = field(default_factory=dict)
    _ends: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT_GAMES))

    def add(self, line: bytes) -> None:
        """Count what `effort_line` wrote; a damaged line says nothing."""
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
        """What the moves of each agent have cost."""
        found = []
        for agent, name in enumerate(self.plan.names):
            moves = self._moves.get(agent, ())
            nodes = Spread.of([nodes for nodes, _ in moves])
            times = Spread.of([1000 * seconds for _, seconds in moves])
            found.append(EffortFacts(name, nodes, times))
        return found

    @property
    def pace(self) -> float | None:
        """How many games are over each second, by the latest of them."""
        if len(self._ends) < 2 or self._ends[-1] <= self._ends[0]:
            return None
        return (len(self._ends) - 1) / (self._ends[-1] - self._ends[0])


class TournamentWatch:
    """The course of a tournament, as far as its folder tells."""

    def __init__(self, folder: TournamentFolder) -> None:
        self.folder = folder
        self.state = TournamentState(folder.plan)
        self.efforts = Efforts(folder.plan)
        self.latest: list[int] = []
        """The games in the order in which they were over."""
        self._journal, self._efforts = _Tail(folder.journal), _Tail(folder.efforts)

    def look(self) -> bool:
        """Read what is new; is there anything?"""
        for line in self._efforts.lines():
            self.efforts.add(line)
        games = dict(self._new_games())
        self.latest += games
        self.state.add(games)
        return bool(games)

    def _new_games(self) -> Iterator[tuple[int, MatchGame]]:
        """The games that are over since; what a power cut has left behind them is written anew."""
        for line in self._journal.lines():
            try:
                number, game = parse_line(line, self.folder.plan)
            except InvalidRecordError:
                self._journal.put_back(line)
                return
            if number not in self.state.games:
                yield number, game


class _Tail:
    """The lines of a file that are complete and have not been read yet."""

    def __init__(self, path: Path) -> None:
        self._path, self._read = path, 0

    def lines(self) -> Iterator[bytes]:
        """One line after another."""
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
        """Read the last *line* again next time."""
        self._read -= len(line)
