"""``papan play``, ``watch`` and ``mine``: play and watch games, and look at saved ones."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
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
from papan.terminal.output import (
    about,
    language,
    print_json,
    print_table,
    program,
    progress,
    say,
)
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
    """Play a game against the agent *vs* or another person (``human``), on a screen or in lines.

    The screen is used on a terminal, unless *plain* or *json*, which prints the record at the end.
    *seat* is the person's, 1 or 2; *board* prints the board before each question in lines;
    *seconds* limit each move of the agent (None: its own or the usual limit), *clock* all moves of
    the people in a game (None: no limit); *seed* draws the deal (None: any); *load* continues a
    saved game, with the agents that it names; *name* has the people's names. The game is saved at
    the end. With neither *game* nor *load*, the person chooses game and opponent on the screen, and
    other options are ignored; without a screen raise PapanError. Raise it, too, if an option is
    invalid, the game cannot be saved, or an agent fails in lines.
    """
    screen = on_a_screen() and not (plain or json)
    if screen and not game and load is None:
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
    if screen:
        _play_on_screen(session, limit, timer)
        return
    # Where the record is the data, the conversation is not.
    with redirect_stdout(sys.stderr if json else sys.stdout):
        _converse(session, limit, timer, board)
    if json:
        print(session.record())


def _play_on_screen(session: Session, limit: Limit, timer: Clock) -> None:
    """Let people play the game of *session* on a screen; it is saved at the end.

    So are further games that they begin there. *limit* is that of each move of an agent, *timer*
    that of the people. Raise KeyboardInterrupt after Ctrl-C, InvalidRecordError if a game cannot be
    saved.
    """
    from papan.terminal.app import run_session
    from papan.terminal.game_screen import ScreenContext

    context = ScreenContext(lambda agent: limit, catalog.agent(ADVISER))
    with saved_on_exit(context.sessions):
        run_session(context, session, timer)


def _converse(session: Session, limit: Limit, timer: Clock, board: bool) -> None:
    """Let people play the game of *session* in lines; it is saved at the end.

    *limit* is that of each move of an agent, *timer* that of the people. *board* prints the board
    before each question. Raise PapanError if an agent fails, or the game cannot be saved.
    """
    adviser = catalog.agent(ADVISER)
    talk = Conversation(session, limit, adviser, timer, board)
    talk.rules = partial(rules_of, session.game)
    if session.game.seats == 1:
        talk.program = papers_agent(session.game) or adviser
    with saved_on_exit([session]):
        talk.run()


def rules_of(game: Game) -> str:
    """Return the rules of *game* as Markdown, in the run's language.

    They are the first section of its help page, without the heading. If it has no page, return what
    `about` tells of it.
    """
    from papan.web.help import PAGES, page_text  # takes as long to load as papan itself

    if game.name not in PAGES:
        return about(type(game))
    page = page_text(game.name, "id" if language() == "id" else "en")[0]
    return re.split(r"^## .*\n", page, flags=re.M)[1].strip()


def limit_at(session: Session, seconds: float | None) -> Limit:
    """Return the limit of each move of the agents in this game, and print it if there is an agent.

    *seconds* is the option; None if it was not given: then it is the first agent's own limit, or
    the usual one. It is printed on standard error. Raise PapanError if *seconds* is out of range.
    """
    agent = next((agent for agent in session.agents if agent is not None), None)
    limit = limit_of(seconds, None, USUAL["cli.play"], agent)
    if agent is not None:
        key = "play.no_limit" if limit == UNLIMITED else "play.limit"
        progress(say(key, agent=agent.spec, limit=limit_text(limit)))
    return limit


def choose() -> None:
    """Let the person choose the game and the opponent on a screen, then play until they leave.

    Games are saved at the end, as by `saved_on_exit`. Raise KeyboardInterrupt after Ctrl-C,
    InvalidRecordError if a game cannot be saved.
    """
    from papan.terminal.app import choose_and_show
    from papan.terminal.game_screen import ScreenContext

    context = ScreenContext(lambda agent: USUAL["cli.play"], catalog.agent(ADVISER))
    with saved_on_exit(context.sessions):
        choose_and_show(context)


def on_a_screen() -> bool:
    """Return whether standard input and output are both a terminal, where a screen can be drawn."""
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

    *game* is a spec or a position; *seed* draws the deal and seeds the agents; *seconds* and
    *nodes* limit each move (None: the agent's own or the usual limit). *speed* is in moves a second
    (0: at once; None: 1 on a screen, else at once). *plain* prints lines instead of a screen,
    *json* only the record at the end, *events* the events of the searches as JSON and then the
    record; both print the record of a game that an error or Ctrl-C ends, too. In a game for one *b*
    does not play. Raise PapanError if an option is invalid or a person is to play, and except on a
    screen what an agent raises.
    """
    if speed is not None and not (speed == 0 or speed >= SLOWEST):
        raise InvalidSpecError("watch.bad_speed", speed=speed, slowest=SLOWEST)
    if PERSON in (spec.partition(":")[0] for spec in (a, b)):
        raise InvalidSpecError("watch.person", game=game)
    start = dealt_start(catalog.position(game), seed)
    agents = [reseeded(agent_for(spec, start.game), seed) for spec in (a, b)][: start.game.seats]
    session = Session(start, agents)
    limits = [limit_of(seconds, nodes, USUAL["cli.watch"], agent) for agent in agents]
    if not (json or events or plain) and on_a_screen():
        from papan.terminal.app import run_watched as watch_on_screen
        from papan.terminal.game_screen import ScreenContext

        context = ScreenContext(lambda agent: limits[agents.index(agent)], agents[0])
        watch_on_screen(context, session, 1 if speed is None else speed)
    elif json or events:
        try:
            _play_out(session, limits, speed, events, quiet=True)
        finally:  # also of a game that was interrupted
            print(session.record())
    else:
        print(say("watch.title", game=start.game.spec, agents=" - ".join(x.spec for x in agents)))
        print(Drawing.of(start).picture())
        _play_out(session, limits, speed)
        print(result_line(session.position, session.record()))


def _play_out(
    session: Session,
    limits: Sequence[Limit],
    speed: float | None,
    events: bool = False,
    quiet: bool = False,
) -> None:
    """Let the agents of *session* play it to its end, each move within the limit of its seat.

    *limits* has one for each seat; *speed* is in moves a second (0 or None: at once); *events* and
    *quiet* are those of `_ply`. Raise what an agent raises; the moves so far stay.
    """
    while session.end == "open":
        _ply(session, limits[session.position.turn], events, quiet)
        if speed:
            sleep(1 / speed)


def _ply(session: Session, limit: Limit, events: bool, quiet: bool) -> None:
    """Play one move of the agent whose turn it is, within *limit*, and print it.

    *quiet* prints nothing about the move, *events* prints the events of the search as JSON. Raise
    AssertionError if it is a person's turn, and what the agent raises, such as CannotPlayError.
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
    """Print the saved games, the latest first, as a table or as lines of JSON.

    The keys of a line are number (1 is the latest), when (local time in ISO format), file (path)
    and record.
    """
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
    """Print the saved game *number* (1 is the latest): last position, moves and end.

    The command that resumes or reviews it follows. Raise InvalidRecordError if there is no such
    game, or its moves break the rules.
    """
    kept = _kept(number)
    last = api.replay(kept.record)[-1]
    print(Drawing.of(last).picture())
    print(say("mine.moves", moves=kept.record.moves))
    print(_ending(kept))
    open_ = kept.record.end in ("open", "stuck")
    command = f'play --load "{kept.path}"' if open_ else f"mine review {number}"
    key = "mine.go_on" if open_ else "mine.look_again"
    progress(say(key, command=f"{program()} {command}"))


def review(number: GameNumber, seconds: Seconds = None, json: JsonOption = False) -> None:
    """Review the saved game *number* (1 is the latest) as ``papan review`` does with a file.

    Raise InvalidRecordError if there is no such game, and what `papan.cli.review.review` raises.
    """
    reviews.review(_kept(number).path, seconds, json)


def delete(number: GameNumber) -> None:
    """Delete the file of the saved game *number* (1 is the latest), without asking.

    Raise InvalidRecordError if there is no such game, OSError if its file cannot be deleted.
    """
    kept = _kept(number)
    kept.path.unlink()
    progress(say("mine.deleted", game=kept.record.game, players=" \u2013 ".join(_players(kept))))


def export(target: Annotated[str, argument("FILE")] = "") -> None:
    """Write all saved games as lines of JSON, the latest first; browsers can import them.

    *target* is the path of a new file, empty for standard output; ``~`` is the home folder. Raise
    InvalidRecordError if the file exists, another PapanError if it cannot be written.
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

    Games that are saved already are skipped, and of equal ones all but one. Raise PapanError,
    before any game is saved, if the file cannot be read or a record is invalid; raise OSError if a
    game cannot be saved.
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
    """Return the saved game *number*, 1 for the latest; raise InvalidRecordError for none."""
    games = my_games()
    if not 1 <= number <= len(games):
        raise InvalidRecordError("mine.no_such", number=number, count=len(games))
    return games[number - 1]


def _players(kept: SavedGame) -> list[str]:
    """Return the names of the players of a saved game for people, seat by seat: see `who_sits`."""
    return [who_sits(kept.record, seat) for seat in range(len(kept.record.agents))]


def _ending(kept: SavedGame) -> str:
    """Return how a saved game ended, as a sentence, or that it is not over."""
    if kept.record.end == "open":
        return say("mine.open")
    return result_line(catalog.position(kept.record.start), kept.record)
