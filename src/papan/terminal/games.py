"""Games in a terminal: begun, reopened, timed, and saved, however they are left."""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from math import inf
from pathlib import Path
from tempfile import gettempdir
from time import monotonic
from typing import NamedTuple

from papan import catalog
from papan.core import Game, InvalidRecordError, InvalidSpecError, PapanError, Record
from papan.core.agent import reseeded
from papan.core.record import player_name
from papan.core.session import PERSON, SeatAgent, Session, dealt, resume
from papan.lab.files import data_folder, load_record, save_record
from papan.terminal.output import program, progress, say


def new_session(spec: str, vs: str, seat: int, seed: int | None) -> Session:
    """A new game with a person on *seat*; the seed is drawn, and shown, where none is given."""
    if seat not in (1, 2):
        raise InvalidSpecError("play.bad_seat", seat=seat)
    seed = secrets.randbelow(10**6) if seed is None else seed
    start = dealt(catalog.position(spec), seed)
    agents: list[SeatAgent] = [None]
    if start.game.seats == 2:
        agents.insert(2 - seat, _agent_on(vs, start.game, seed))
    else:
        catalog.agent(vs)  # nobody plays against it, but a name that makes no sense is a mistake
    progress(say("play.seed", seed=seed))
    return Session(start, agents)


def name_people(session: Session, names: Sequence[str]) -> None:
    """Give people their *names*, seat by seat; raises where there are more names than people."""
    if not names:
        return
    people = session.agents.count(None)
    if len(names) > people:
        raise InvalidSpecError("play.many_names", found=len(names), people=people)
    left = iter([*map(player_name, names), *[""] * people])
    session.names = tuple(next(left) if agent is None else "" for agent in session.agents)


def reopened(path: Path, vs: str, asked: str = "") -> Session:
    """The game that was saved to *path*; a bot or program in it must be named by the user, too.

    A file is data, whoever sent it: loading one must not run what it says.
    """
    record = load_record(path)
    rules = catalog.game(record.game)
    if asked and not _same_game(rules, asked):
        raise InvalidRecordError("play.other_game", path=path, found=rules.spec, asked=asked)
    for spec in record.agents:
        if catalog.external_place(spec) not in (None, catalog.external_place(vs)):
            raise InvalidRecordError("play.runs_a_program", path=path, agent=spec)
    return resume(record, rules, [_agent_on(spec, rules) for spec in record.agents])


def _same_game(rules: Game, asked: str) -> bool:
    """Is it the game that was asked for? A name alone means any of its sizes."""
    return asked == rules.name or catalog.position(asked).game.deal(0) == rules.deal(0)


def _agent_on(spec: str, game: Game, seed: int = 0) -> SeatAgent:
    agent = catalog.agent_from_user(spec).check_plays(game)
    return None if agent.name == PERSON else reseeded(agent, seed)


@contextmanager
def saved_on_exit(sessions: list[Session]) -> Iterator[None]:
    """Keep the games of people, however they are left, and say how to go on with an open one."""
    for name in ("SIGTERM", "SIGHUP"):  # the window was closed, the machine is shut down
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    try:
        yield
    finally:
        for session in sessions:
            if session.would_be_lost:
                command = f'{program()} play --load "{_saved(session)}"'
                progress(say("play.left", command=command))
            elif session.plies and None in session.agents and session.record() != session.saved:
                _saved(session)


def _leave(number: int, frame: object) -> None:
    sys.exit(128 + number)


def _saved(session: Session) -> Path:
    """Where the game was saved: among the user's games, or wherever it can be written."""
    try:
        path = keep_record(session.record())
        session.saved = session.record()
        return path
    except OSError:
        return keep(session, Path(gettempdir()) / _file_name(session.game.name))


class KeptGame(NamedTuple):
    """A game among those of the user."""

    path: Path
    when: datetime
    record: Record


def my_games() -> list[KeptGame]:
    """The games of people that are kept here, the latest first; what makes no sense is left out."""
    found = list[KeptGame]()
    for path in (data_folder() / "games").glob("*.json"):
        with suppress(PapanError, OSError):
            when = datetime.fromtimestamp(path.stat().st_mtime)
            record = load_record(path)
            catalog.position(record.start)
            found.append(KeptGame(path, when, record))
    return sorted(found, key=lambda each: (each.when, each.path.name), reverse=True)


def keep_record(record: Record) -> Path:
    """Where a game is kept among those of the user: in place of what it goes on from."""
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    begun = (each.path for each in my_games() if _goes_on_from(record, each.record))
    path = next(begun, folder / _file_name(record.game.partition(":")[0]))
    save_record(record, path)
    return path


def _goes_on_from(record: Record, before: Record) -> bool:
    moves, made = record.moves.split(), before.moves.split()
    same = (record.start, record.agents, record.names) == (
        before.start,
        before.agents,
        before.names,
    )
    return same and before.end == "open" and moves[: len(made)] == made


def _file_name(game: str) -> str:
    return f"{game}-{datetime.now():%Y%m%d-%H%M%S-%f}.json"


def keep(session: Session, path: Path, known: Path | None = None) -> Path:
    """Save the game to *path*, which must be new or the file that this game was saved to."""
    try:
        path = path.expanduser()
        taken = path.exists() and path != known
        if not taken:
            save_record(session.record(), path)
            session.saved = session.record()
    except (OSError, RuntimeError, ValueError) as error:  # also a home or a name that cannot be
        why = getattr(error, "strerror", None) or error
        raise InvalidRecordError("error.cannot_write", path=path, why=why) from None
    if taken:
        raise InvalidRecordError("error.file_exists", path=path)
    return path


class Clock:
    """Counts down from *seconds* while it runs."""

    def __init__(self, seconds: float = inf) -> None:
        self._left = seconds
        self._since: float | None = None

    @property
    def left(self) -> float:
        """The seconds left; never below 0."""
        running = 0.0 if self._since is None else monotonic() - self._since
        return max(0.0, self._left - running)

    @property
    def running(self) -> bool:
        return self._since is not None

    def start(self) -> None:
        """Let the time run."""
        if self._since is None:
            self._since = monotonic()

    def stop(self) -> None:
        """Hold the time."""
        self._left = self.left
        self._since = None
