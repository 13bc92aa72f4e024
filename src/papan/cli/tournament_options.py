"""What ``match`` and ``tournament`` share: options, progress, and the executor of the games."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Optional, Self

import typer

from papan.cli.arguments import complete_agent, complete_game
from papan.cli.language import say
from papan.cli.output import progress
from papan.core import InvalidSpecError, PapanError
from papan.core.text import build
from papan.lab.machine import cores
from papan.lab.match import MatchGame
from papan.lab.statistics import Sprt

if TYPE_CHECKING:  # only loaded where a tournament is really played
    from papan.lab.tournament.executor import RefereePool
    from papan.lab.tournament.state import Executor, TournamentState

CATALOG = "papan"
"""Where the processes of tables find agents, files and programs of the user's among them."""

MOST_AT_A_TIME = 1024

USUAL_COLUMNS = 80
"""How wide a terminal is that does not say."""

Agents = Annotated[
    list[str],
    typer.Argument(metavar="AGENT AGENT...", autocompletion=complete_agent, show_default=False),
]
GameOption = Annotated[str, typer.Option(metavar="GAME", autocompletion=complete_game)]
Pairs = Annotated[int, typer.Option("--pairs", "--rounds", metavar="N")]
Opening = Annotated[int, typer.Option("--opening", "--openings", metavar="N")]
SprtOption = Annotated[
    Optional[str],  # noqa: UP045 - typer reads it
    typer.Option("--sprt", metavar="elo0=0,elo1=5"),
]
UntilError = Annotated[Optional[float], typer.Option(metavar="ELO")]  # noqa: UP045
Concurrency = Annotated[Optional[int], typer.Option(metavar="N")]  # noqa: UP045


def sprt_of(text: str | None) -> Sprt | None:
    """The test that the option asks for, such as ``elo0=0 elo1=5``."""
    if text is None:
        return None
    return build("sprt:" + re.sub(r"[\s,]+", ",", text.strip()), {"sprt": Sprt})


def at_a_time(concurrency: int | None) -> int:
    """How many games are played at a time: one on each core where nobody says otherwise."""
    if concurrency is not None and not 1 <= concurrency <= MOST_AT_A_TIME:
        raise InvalidSpecError("tournament.bad_concurrency", most=MOST_AT_A_TIME)
    return concurrency or cores()


def check_system() -> None:
    """Raise where processes cannot be forked, which keeps agents apart and quick to start."""
    if not hasattr(os, "fork"):
        raise PapanError("tournament.no_fork")


def executor_at(
    pool: RefereePool, concurrency: int, address: str | None
) -> AbstractContextManager[Executor]:
    """Where the games are played: on the cluster at *address*, or here."""
    from papan.lab.tournament.executor import cluster, this_machine

    return cluster(address) if address else this_machine(pool, concurrency)


@contextmanager
def stopped_by_signal() -> Iterator[None]:
    """Within it, whoever ends this process politely is heard as Ctrl-C is."""

    def leave(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(getattr(signal, name), leave) for name in names]
    try:
        yield
    finally:
        for name, handler in zip(names, before):
            signal.signal(getattr(signal, name), handler)


class Progress:
    """Progress of a tournament: a bar for people, a line for each game in a pipe; the time left."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._played = 0
        self._live = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._width:
            print(file=sys.stderr, flush=True)

    def show(self, state: TournamentState, number: int) -> None:
        """Tell of a game that is over."""
        self._played += 1
        seconds = (monotonic() - self._began) / self._played * state.left
        left = say("tournament.time_left", time=str(timedelta(seconds=round(seconds))))
        done = f"{len(state.games)}/{state.plan.games}"
        line = f"{done}  {left}  {_game(state.games[number])}"
        if not self._live:
            progress(line)
            return
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or USUAL_COLUMNS
        line = line[: columns - 1]
        print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
        self._width = len(line)


def _game(played: MatchGame) -> str:
    """A game in one line."""
    record = played.record
    scores = "-".join(f"{score:g}" for score in record.scores)
    text = f"{' - '.join(record.agents)}  {scores}  {say(f'end.{record.end}')}"
    if record.blame is None:
        return text
    return f"{text}: {record.agents[record.blame - 1]} ({record.reason})"
