"""``papan play``, ``watch`` and ``mine``: play and watch games, and look at saved ones."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from papan import api, catalog
from papan.cli import review as reviews
from papan.cli.arguments import (
    USUAL,
    AgentOption,
    FileArgument,
    GameArgument,
    JsonOption,
    Nodes,
    PositionArgument,
    Seconds,
    Seed,
    agent_for,
    argument,
    check_seed,
    limit_of,
    limit_text,
)
from papan.core import UNLIMITED, Game, InvalidRecordError, InvalidSpecError, Limit
from papan.core.agent import reseeded
from papan.core.explain import EventLog
from papan.core.parts import Drawing
from papan.core.session import PERSON, Session, dealt_start
from papan.lab.files import write_whole, writing
from papan.papers import papers_agent
from papan.terminal.games import (
    Clock,
    Conversation,
    SavedGame,
    my_games,
    name_people,
    new_session,
    reopened,
    save_my_game,
    saved_on_exit,
)
from papan.terminal.output import about, language, print_json, print_table, progress, say
from papan.terminal.reasons import move_line, result_line, short_lines, who_sits

ADVISER, OPPONENT = "level:5", "level:3"


def play(
    game: GameArgument = "",
    vs: AgentOption = OPPONENT,
    seat: Annotated[int, typer.Option(metavar="1|2")] = 1,
    plain: Annotated[bool, typer.Option("--plain")] = False,
    board: Annotated[bool, typer.Option("--board/--no-board")] = True,
    seconds: Seconds = None,
    clock: Annotated[float | None, typer.Option(metavar="S")] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", callback=check_seed)] = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    name: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    json: JsonOption = False,
) -> None:
    """Play a game against the agent *vs* (or another person: ``human``), on a screen or line by
    line.

    *json* prints the record at the end; the other options are those of ``papan play --help``.
    Without a game, choose one on a screen. Raise PapanError if an option is invalid, or no game is
    named and there is no screen.
    """
    if not game and load is None and on_a_screen() and not (plain or json):
        choose()
        return
    limit_of(seconds, None, USUAL["cli.play"])  # raises before anything is printed or started
    timer = Clock() if clock is None else Clock(Limit(seconds=clock).seconds)
    if load is not None:
        session = reopened(load, vs, game)
    elif game:
        session = new_session(game, vs, seat, seed)
    else:
        raise InvalidSpecError("play.which_game", known=", ".join(catalog.GAMES))
    if session.game.seats == 1 and (vs, seat) != (OPPONENT, 1):
        progress(say("play.alone", game=session.game.name))
    name_people(session, name or [])
    limit = limit_at(session, seconds)
    adviser = catalog.agent(ADVISER)
    if plain or json or not on_a_screen():
        talk = Conversation(session, limit, adviser, timer, board)
        talk.rules = partial(rules_of, session.game)
        if session.game.seats == 1:
            talk.program = papers_agent(session.game) or adviser
        # Where the record is the data, the conversation is not.
        with saved_on_exit([session]), redirect_stdout(sys.stderr if json else sys.stdout):
            talk.run()
        if json:
            print(session.record())
    else:
        from papan.terminal.app import run_session
        from papan.terminal.game_screen import ScreenContext

        context = ScreenContext(lambda agent: limit, adviser)
        with saved_on_exit(context.sessions):
            run_session(context, session, timer)


def rules_of(game: Game) -> str:
    """Return the rules of *game* as Markdown, in the run's language: the first section of its help
    page.

    A game without a page has its name or the first line of its docstring.
    """
    from papan.web.help import PAGES, page_text  # takes as long to load as papan itself

    if game.name not in PAGES:
        return about(type(game))
    page = page_text(game.name, "id" if language() == "id" else "en")[0]
    return re.split(r"^## .*\n", page, flags=re.M)[1].strip()


def limit_at(session: Session, seconds: float | None) -> Limit:
    """Return the limit of each move of the agents in this game, and print it if there is an agent.

    *seconds* is the option, None if it was not given. Raise PapanError if it is invalid.
    """
    agent = next((agent for agent in session.agents if agent is not None), None)
    limit = limit_of(seconds, None, USUAL["cli.play"], agent)
    if agent is not None:
        key = "play.no_limit" if limit == UNLIMITED else "play.limit"
        progress(say(key, agent=agent.spec, limit=limit_text(limit)))
    return limit


def choose() -> None:
    """Let the person choose the game and the opponent on a screen, then play until they leave.

    Games are saved at the end, as by `saved_on_exit`.
    """
    from papan.terminal.app import choose_and_show
    from papan.terminal.game_screen import ScreenContext

    context = ScreenContext(lambda agent: USUAL["cli.play"], catalog.agent(ADVISER))
    with saved_on_exit(context.sessions):
        choose_and_show(context)


def on_a_screen() -> bool:
    """Return whether standard input and output are both a terminal, so that a screen can be
    drawn.
    """
    return sys.stdin.isatty() and sys.stdout.isatty()


SLOWEST = 0.001
"""Least speed, in moves a second."""


def watch(
    game: PositionArgument,
    a: AgentOption = "level:3",
    b: AgentOption = "level:3",
    seed: Seed = 0,
    seconds: Seconds = None,
    nodes: Nodes = None,
    speed: Annotated[float | None, typer.Option(metavar="X")] = None,
    plain: Annotated[bool, typer.Option("--plain")] = False,
    events: Annotated[bool, typer.Option("--events")] = False,
    json: JsonOption = False,
) -> None:
    """Show a game between the agents *a* (first seat) and *b*, move by move.

    *speed* is in moves a second (0: at once; None: 1 on a screen, else at once). *json* prints only
    the record, *events* the searches; the other options are those of ``papan watch --help``. Raise
    PapanError if one is invalid or a person is to play.
    """
    if speed is not None and not (speed == 0 or speed >= SLOWEST):
        raise InvalidSpecError("watch.bad_speed", speed=speed, slowest=SLOWEST)
    if PERSON in (spec.partition(":")[0] for spec in (a, b)):
        raise InvalidSpecError("watch.person", game=game)
    start = dealt_start(catalog.position(game), seed)
    agents = [reseeded(agent_for(spec, start.game), seed) for spec in (a, b)][: start.game.seats]
    session = Session(start, agents)
    limits = [limit_of(seconds, nodes, USUAL["cli.watch"], agent) for agent in agents]
    quiet = json or events
    if not (quiet or plain) and on_a_screen():
        from papan.terminal.app import run_watched as watch_on_screen
        from papan.terminal.game_screen import ScreenContext

        context = ScreenContext(lambda agent: limits[agents.index(agent)], agents[0])
        watch_on_screen(context, session, 1 if speed is None else speed)
        return
    if not quiet:
        print(say("watch.title", game=start.game.spec, agents=" - ".join(x.spec for x in agents)))
        print(Drawing.of(start).picture())
    try:
        while session.end == "open":
            _ply(session, limits[session.position.turn], events, quiet)
            if speed:
                sleep(1 / speed)
    finally:
        if quiet:  # also of a game that was interrupted
            print(session.record())
    if not quiet:
        print(result_line(session.position, session.record()))


def _ply(session: Session, limit: Limit, events: bool, quiet: bool) -> None:
    """Play one move of the agent whose turn it is, within *limit*, and print it with its search.

    *quiet* prints no words, *events* the events as JSON. The turn must not be a person's
    (AssertionError).
    """
    position, agent = session.position, session.agent
    assert agent is not None
    log = EventLog(print_json if events else None)
    analysis = agent.analyse(position, limit, log)
    session.play(analysis.move)
    if not quiet:
        print()
        print(move_line(position, agent.spec, analysis.move, analysis))
        for line in short_lines(position, log, analysis):
            print(f"  {line}")
        print(Drawing.of(session.position).picture(session.view))


# The games that people have played here, in the form in which browsers export them.

GameNumber = Annotated[int, argument("N")]
"""Number of a game in the list: 1 is the latest."""


def listed(json: JsonOption = False) -> None:
    """Print the saved games, the latest first, as a table or as lines of JSON."""
    games = my_games()
    if json:
        for number, each in enumerate(games, start=1):
            facts = {"number": number, "when": each.when.isoformat(), "file": str(each.path)}
            print_json(facts | {"record": each.record.json()})
        return
    if not games:
        progress(say("mine.none_here"))
        return
    headings = ("mine.column_game", "mine.column_players", "mine.column_end", "mine.column_when")
    print_table(
        ["#", *map(say, headings)],
        [
            [str(number), each.record.game, " \u2013 ".join(_players(each)), _ending(each), when]
            for number, each in enumerate(games, start=1)
            for when in [each.when.strftime("%Y-%m-%d %H:%M")]
        ],
    )


def show_kept(number: GameNumber) -> None:
    """Print the saved game *number* (1 is the latest): its last position, moves and end; and how to
    resume or review it.

    Raise InvalidRecordError if there is no such game.
    """
    kept = _kept(number)
    last = api.replay(kept.record)[-1]
    print(Drawing.of(last).picture())
    print(say("mine.moves", moves=kept.record.moves))
    print(_ending(kept))
    open_ = kept.record.end in ("open", "stuck")
    command = f'papan play --load "{kept.path}"' if open_ else f"papan mine review {number}"
    progress(say("mine.go_on" if open_ else "mine.look_again", command=command))


def review(number: GameNumber, seconds: Seconds = None, json: JsonOption = False) -> None:
    """Review the saved game *number* (1 is the latest) like ``papan review``.

    Raise InvalidRecordError if there is no such game.
    """
    reviews.review(_kept(number).path, seconds, json)


def delete(number: GameNumber) -> None:
    """Delete the file of the saved game *number* (1 is the latest), without asking.

    Raise InvalidRecordError if there is no such game.
    """
    kept = _kept(number)
    kept.path.unlink()
    progress(say("mine.deleted", game=kept.record.game, players=" \u2013 ".join(_players(kept))))


def export(target: Annotated[str, argument("FILE")] = "") -> None:
    """Write all saved games as lines of JSON, the latest first; browsers can import them.

    *target* is the path of a new file, empty for standard output. Raise InvalidRecordError if the
    file exists, PapanError if it cannot be written.
    """
    games = my_games()
    text = "".join(f"{each.record}\n" for each in games)
    if not target:
        sys.stdout.write(text)
        return
    path = Path(target).expanduser()
    if path.exists():
        raise InvalidRecordError("error.file_exists", path=path)
    with writing(path):
        write_whole(path, text)
    progress(say("mine.exported", count=len(games), path=path))


def take_in(source: FileArgument) -> None:
    """Import the games of a file: an export of a browser or another machine, or one saved game.

    Games that are known are skipped. Raise PapanError if a record is invalid; nothing is saved
    then.
    """
    records = api.load_all(source)  # raises before anything is saved
    known = [each.record for each in my_games()]
    new = [each for place, each in enumerate(records) if each not in (*known, *records[:place])]
    for each in reversed(new):  # the latest comes first in such a file
        save_my_game(each)
    progress(say("mine.taken", count=len(new), known=len(records) - len(new)))


MINE: dict[str, Callable[..., None]] = {
    "list": listed,
    "show": show_kept,
    "review": review,
    "delete": delete,
    "export": export,
    "import": take_in,
}


def _kept(number: int) -> SavedGame:
    games = my_games()
    if not 1 <= number <= len(games):
        raise InvalidRecordError("mine.no_such", number=number, count=len(games))
    return games[number - 1]


def _players(kept: SavedGame) -> list[str]:
    return [who_sits(kept.record, seat) for seat in range(len(kept.record.agents))]


def _ending(kept: SavedGame) -> str:
    if kept.record.end == "open":
        return say("mine.open")
    return result_line(catalog.position(kept.record.start), kept.record)
