"""``papan play``: a game between people and agents, on a screen or line by line."""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated, Optional

import typer

from papan import catalog
from papan.cli.arguments import (
    USUAL,
    AgentOption,
    GameArgument,
    Json,
    Seconds,
    agent_for,
    check_seed,
    limit_of,
    limit_text,
)
from papan.cli.language import say
from papan.cli.output import program, progress
from papan.cli.plain import Conversation, keep
from papan.core import Game, InvalidRecordError, InvalidSpecError, Limit
from papan.lab.clock import Clock
from papan.lab.files import data_folder
from papan.lab.match import reseeded
from papan.lab.session import PERSON, SeatAgent, Session, load, resume

ADVISER = "level:5"


def play(
    game: GameArgument = "",
    vs: AgentOption = "level:3",
    seat: Annotated[int, typer.Option(metavar="1|2")] = 1,
    plain: Annotated[bool, typer.Option("--plain")] = False,
    board: Annotated[bool, typer.Option("--board/--no-board")] = True,
    seconds: Seconds = None,
    clock: Annotated[Optional[float], typer.Option(metavar="S")] = None,  # noqa: UP045
    seed: Annotated[Optional[int], typer.Option(metavar="S", callback=check_seed)] = None,  # noqa: UP045
    load: Annotated[Optional[Path], typer.Option(metavar="FILE")] = None,  # noqa: UP045
    json: Json = False,
) -> None:
    """A game against an agent (or another person: ``--vs human``)."""
    if not game and load is None and on_a_screen() and not (plain or json):
        choose()
        return
    limit_of(seconds, None, USUAL["cli.play"])  # raises before anything is said or started
    timer = Clock() if clock is None else Clock(Limit(seconds=clock).seconds)
    if load is not None:
        session = reopened(load, vs, game)
    elif game:
        session = new_session(game, vs, seat, seed)
    else:
        raise InvalidSpecError("play.which_game", known=", ".join(catalog.GAMES))
    limit = limit_at(session, seconds)
    adviser = catalog.agent(ADVISER)
    if plain or json or not on_a_screen():
        talk = Conversation(session, limit, adviser, timer, board)
        # Where the record is the data, the conversation is not.
        with saved_on_exit([session]), redirect_stdout(sys.stderr if json else sys.stdout):
            talk.run()
        if json:
            print(session.record().json())
    else:
        from papan.cli.screen import ScreenContext, show

        context = ScreenContext(limit, adviser)
        with saved_on_exit(context.sessions):
            show(context, session, timer)


def new_session(spec: str, vs: str, seat: int, seed: int | None) -> Session:
    """A new game with a person on *seat*; the seed is drawn, and shown, where none is given."""
    if seat not in (1, 2):
        raise InvalidSpecError("play.bad_seat", seat=seat)
    luck = secrets.randbelow(10**6) if seed is None else seed
    start = catalog.position(spec)
    if start == start.game.start():
        start = start.game.deal(luck).start()
    agents: list[SeatAgent] = [None]
    if start.game.seats == 2:
        agents.insert(2 - seat, _agent_on(vs, start.game, luck))
    else:
        catalog.agent(vs)  # nobody plays against it, but a name that makes no sense is a mistake
    progress(say("play.seed", seed=luck))
    return Session(start, agents)


def reopened(path: Path, vs: str, asked: str = "") -> Session:
    """The game that was saved to *path*; a bot or program in it must be named by the user, too.

    A file is data, whoever sent it: loading one must not run what it says.
    """
    record = load(path)
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


def limit_at(session: Session, seconds: float | None) -> Limit:
    """How long agents may think in this game, which is said."""
    agent = next((agent for agent in session.agents if agent is not None), None)
    limit = limit_of(seconds, None, USUAL["cli.play"], agent)
    if agent is not None:
        progress(say("play.limit", agent=agent.spec, limit=limit_text(limit)))
    return limit


@contextmanager
def saved_on_exit(sessions: list[Session]) -> Iterator[None]:
    """Save the games that are left before their end, however it happens, and say how to go on."""
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


def _leave(number: int, frame: object) -> None:
    sys.exit(128 + number)


def _saved(session: Session) -> Path:
    """Where the game was saved: among the user's games, or wherever it can be written."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    name = f"{session.game.name}-{stamp}.json"
    try:
        folder = data_folder() / "games"
        folder.mkdir(parents=True, exist_ok=True)
        return keep(session, folder / name)
    except (OSError, InvalidRecordError):
        return keep(session, Path(gettempdir()) / name)


def choose() -> None:
    """Choose the game and the opponent on a screen, then play."""
    from papan.cli.screen import ScreenContext, choose_and_show

    context = ScreenContext(USUAL["cli.play"], catalog.agent(ADVISER))
    with saved_on_exit(context.sessions):
        choose_and_show(context)


def on_a_screen() -> bool:
    """Is there a person at a terminal?"""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _agent_on(spec: str, game: Game, luck: int = 0) -> SeatAgent:
    agent = agent_for(spec, game)
    return None if agent.name == PERSON else reseeded(agent, luck)
