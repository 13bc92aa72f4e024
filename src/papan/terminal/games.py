"""Games in a terminal: new or reopened, timed, played line by line, saved however they end."""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from math import inf
from operator import attrgetter
from pathlib import Path
from tempfile import gettempdir
from time import monotonic
from typing import NamedTuple

from papan import catalog
from papan.core import (
    Agent,
    Game,
    InvalidRecordError,
    InvalidSpecError,
    Limit,
    PapanError,
    Position,
    Record,
)
from papan.core.agent import reseeded
from papan.core.explain import EventLog
from papan.core.hint import HINT_STEPS, Hint, hint_of
from papan.core.message import LANGUAGES, catalogue
from papan.core.parts import Drawing, Setup
from papan.core.record import player_name
from papan.core.session import PERSON, SeatAgent, Session, dealt_start, picked_move, resumed
from papan.lab.files import data_folder, load_record, save_record
from papan.terminal.output import about, language, program, progress, say, seat_title
from papan.terminal.reasons import move_line, result_line, score_line, who_sits, why_lines


def new_session(spec: str, vs: str, seat: int, seed: int | None) -> Session:
    """Return a new game of *spec* with a person on *seat* (1 or 2), and *vs* on the other one.

    *spec* may also be a position. *vs* is the spec of an agent, or ``human``; in a game for one it
    is only looked up, and *seat* does not count. *seed* draws the deal and is added to the agent's
    own; if it is None one is drawn. It is printed on standard error either way. Raise
    InvalidSpecError or another PapanError if game, opponent or seat cannot be used.
    """
    if seat not in (1, 2):
        raise InvalidSpecError("play.bad_seat", seat=seat)
    seed = secrets.randbelow(10**6) if seed is None else seed
    start = dealt_start(catalog.position(spec), seed)
    agents: list[SeatAgent] = [None]
    if start.game.seats == 2:
        agents.insert(2 - seat, _agent_on(vs, start.game, seed))
    else:
        catalog.agent(vs)  # unused, but an unknown name is a mistake
    progress(say("play.seed", seed=seed))
    return Session(start, agents)


def name_people(session: Session, names: Sequence[str]) -> None:
    """Set the *names* of the people of *session*, seat by seat; people without one have no name.

    Nothing changes without names. Raise InvalidSpecError if there are more names than people,
    InvalidRecordError if one is too long or cannot be printed.
    """
    if not names:
        return
    people = session.agents.count(None)
    if len(names) > people:
        raise InvalidSpecError("play.many_names", found=len(names), people=people)
    left = iter([*map(player_name, names), *[""] * people])
    session.names = tuple(next(left) if agent is None else "" for agent in session.agents)


def reopened(path: Path, vs: str, asked: str = "") -> Session:
    """Return the game saved to *path*, to be continued.

    *vs* is the opponent (spec) that the user has named. A file may come from a stranger: an agent
    in it that is a file or a program is run only if *vs* names the same one. Raise
    InvalidRecordError if it names another, for another game than *asked* (a spec; empty: any), and
    if the file is no record or contradicts itself; another PapanError for a game or an agent that
    is unknown, or an agent that cannot play.
    """
    record = load_record(path)
    rules = catalog.game(record.game)
    if asked and not _same_game(rules, asked):
        raise InvalidRecordError("play.other_game", path=path, found=rules.spec, asked=asked)
    for spec in record.agents:
        if catalog.external_place(spec) not in (None, catalog.external_place(vs)):
            raise InvalidRecordError("play.runs_a_program", path=path, agent=spec)
    return resumed(record, rules, [_agent_on(spec, rules) for spec in record.agents])


def _same_game(rules: Game, asked: str) -> bool:
    """Return whether *rules* is the game *asked*, a spec; a name alone means any of its sizes.

    A spec without a seed means any deal. Raise PapanError if *asked* is invalid.
    """
    if asked == rules.name:
        return True
    return Setup.of(catalog.position(asked).game).deal(getattr(rules, "seed", 0)) == rules


def _agent_on(spec: str, game: Game, seed: int = 0) -> SeatAgent:
    """Return the agent *spec*, with *seed* added to its setting of that name; None for a person.

    Files and programs of the user are allowed. Raise PapanError if it is unknown or cannot play
    *game*.
    """
    agent = catalog.agent_from_user(spec).check_plays(game)
    return None if agent.name == PERSON else reseeded(agent, seed)


@contextmanager
def saved_on_exit(sessions: list[Session]) -> Iterator[None]:
    """Save the games of people when the context ends, also by a signal or an error.

    Games without a move or a shuffle, and those that are saved as they are, are left out; how to
    resume those that are not over is printed. *sessions* may grow within the context. From its
    beginning on, and also after its end, SIGTERM and SIGHUP raise SystemExit. Raise
    InvalidRecordError if a game cannot be saved anywhere.
    """
    for name in ("SIGTERM", "SIGHUP"):  # the window was closed, the machine is shut down
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    try:
        yield
    finally:
        for session in sessions:
            if session.has_unsaved_changes:
                command = f'{program()} play --load "{_saved(session)}"'
                progress(say("play.left", command=command))
            elif session.plies and None in session.agents and session.record() != session.saved:
                _saved(session)


def _leave(number: int, frame: object) -> None:
    """Handle the signal *number*: raise SystemExit with 128 and its number. *frame* is unused."""
    sys.exit(128 + number)


def _saved(session: Session) -> Path:
    """Save the game among the user's, or else in the folder for temporary files; return its path.

    Note in *session* what was saved. Raise InvalidRecordError if it cannot be written there either.
    """
    try:
        path = save_my_game(session.record())
        session.saved = session.record()
        return path
    except OSError:
        return keep(session, Path(gettempdir()) / _file_name(session.game.name))


class SavedGame(NamedTuple):
    """A saved game of the user."""

    path: Path
    """The path of its file."""
    when: datetime
    """When its file was written, in local time without a zone."""
    record: Record


def my_games() -> list[SavedGame]:
    """Return the saved games of the user, the latest written first; empty if there are none.

    Files are skipped that cannot be read, hold no record, or name a game or a start that papan does
    not know. That the moves are legal is not checked.
    """
    found = list[SavedGame]()
    for path in (data_folder() / "games").glob("*.json"):
        with suppress(PapanError, OSError):
            when = datetime.fromtimestamp(path.stat().st_mtime)
            record = load_record(path)
            catalog.position(record.start)
            found.append(SavedGame(path, when, record))
    return sorted(found, key=lambda each: (each.when, each.path.name), reverse=True)


def save_my_game(record: Record) -> Path:
    """Save a game among those of the user and return its path; raise OSError if that fails.

    It replaces the latest unfinished game that it continues, if there is one.
    """
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    begun = (each.path for each in my_games() if _goes_on_from(record, each.record))
    path = next(begun, folder / _file_name(record.game.partition(":")[0]))
    save_record(record, path)
    return path


def _goes_on_from(record: Record, before: Record) -> bool:
    """Return whether *record* continues the game *before*, which must be open for that.

    Both then have the same start, agents and names, and *record* begins with the moves of *before*;
    it may have no others.
    """
    moves, made = record.moves.split(), before.moves.split()
    who = attrgetter("start", "agents", "names")
    same = who(record) == who(before)
    return same and before.end == "open" and moves[: len(made)] == made


def _file_name(game: str) -> str:
    """Return a name for a file of the *game* (a name) with the local time in microseconds."""
    return f"{game}-{datetime.now():%Y%m%d-%H%M%S-%f}.json"


def keep(session: Session, path: Path) -> Path:
    """Save the game to *path*, where ``~`` is the home folder; return the path that was written.

    The session's own file is replaced; *path* becomes that file. Raise InvalidRecordError if
    another one is there, or it cannot be written.
    """
    try:
        path = path.expanduser()
        taken = path.exists() and path != session.file
        if not taken:
            save_record(session.record(), path)
            session.saved, session.file = session.record(), path
    except (OSError, RuntimeError, ValueError) as error:  # also a home or a name that cannot be
        why = getattr(error, "strerror", None) or error
        raise InvalidRecordError("error.cannot_write", path=path, why=why) from None
    if taken:
        raise InvalidRecordError("error.file_exists", path=path)
    return path


class Clock:
    """A clock that counts down from *seconds* while it runs, and is stopped at first.

    Infinite seconds: there is no limit.
    """

    def __init__(self, seconds: float = inf) -> None:
        self._left = seconds
        self._since: float | None = None

    @property
    def left(self) -> float:
        """Seconds left, at least 0; infinite without a limit."""
        running = 0.0 if self._since is None else monotonic() - self._since
        return max(0.0, self._left - running)

    @property
    def running(self) -> bool:
        return self._since is not None

    def start(self) -> None:
        """Start the clock; do nothing if it runs."""
        if self._since is None:
            self._since = monotonic()

    def stop(self) -> None:
        """Stop the clock; the seconds left stay. Do nothing if it does not run."""
        self._left = self.left
        self._since = None


# Line mode: a game as a conversation, for terminals, pipes and screen readers.

COMMANDS = (
    "undo", "redo", "hint", "follow", "why", "rules", "moves", "board", "shuffle", "save",
    "opponent", "resign", "help", "quit",
)  # fmt: skip

FOLLOW = "-1"
"""Input that makes the recommended move, as in the authors' program of paper 002."""


class Conversation:
    """One game in line mode, on standard input and output.

    *limit* is that of each search, *adviser* gives the hints, *clock* has the time that the people
    may think in the whole game; the board is printed before each question if *show_board*.
    """

    def __init__(
        self, session: Session, limit: Limit, adviser: Agent, clock: Clock, show_board: bool = True
    ) -> None:
        self.session = session
        self.limit = limit
        self.adviser = adviser
        self.program = adviser
        """The agent whose move is followed: that of the paper about this game, else the adviser."""
        self.clock = clock
        self.rules = partial(about, type(session.game))
        """Returns the rules of the game in words."""
        self.show_board = show_board
        self.left = False
        self._reasons: list[str] = []
        self._shown: Position | None = None
        self._hint_given: Hint | None = None
        self._hint_step = 0

    def run(self) -> None:
        """Play until the game ends or the person leaves; then, unless they left, print the result.

        A game that is stuck and can be shuffled is not yet at its end here. What an agent raises at
        its turn is raised; errors in what people type, and of the agents that advise them, are
        printed.
        """
        print(say("play.welcome", game=self.session.game.spec))
        print(say("play.how_to"))
        while not self.left and (self.session.end == "open" or self.session.can_shuffle):
            if self.session.agent is None:
                self._ask()
            else:
                self._answer(self.session.agent)
        if not self.left:
            self._show()
            print(result_line(self.session.position, self.session.record()))

    def _answer(self, agent: Agent) -> None:
        """Let *agent*, which is to move, search and make its move, and print it.

        Raise what it raises, such as CannotPlayError.
        """
        position, log = self.session.position, EventLog()
        analysis = agent.analyse(position, self.limit, log)
        self.session.play(analysis.move)
        self._reasons = why_lines(position, agent, log, analysis)
        print(move_line(position, agent.spec, analysis.move, analysis))

    def _ask(self) -> None:
        """Read a person's move or command, and carry it out; at the end of the input, leave.

        If no time is left once they have typed it, they lose the game instead.
        """
        self._show()
        if self.session.end == "stuck":
            print(say("play.stuck"))
        seat = self.session.position.turn
        self.clock.start()
        text = self._typed()
        self.clock.stop()
        if text is None:
            self.left = True
        elif self.clock.left <= 0:
            self.session.give_up("timeout", seat)
        else:
            self._try(text)

    def _typed(self) -> str | None:
        """Return the line that the person types, stripped; None at the end of the input.

        In a pipe the prompt is a line of its own, as no typed line ends it.
        """
        position = self.session.position
        alone = position.game.seats == 1
        seat = seat_title(position, position.turn)
        prompt = say("play.prompt_alone") if alone else say("play.prompt", player=seat)
        if sys.stdin.isatty():
            prompt += " "
        else:
            print(prompt, flush=True)
            prompt = ""
        try:
            return input(prompt).strip()
        except EOFError:
            return None

    def _try(self, text: str) -> None:
        """Carry out the move or command *text*, or print why it is refused; nothing if it is empty.

        The first word decides: if it is none of `commands`, in capitals or not, *text* is a move.
        The errors of the adviser and of other agents are printed, too.
        """
        word, _, rest = text.partition(" ")
        command = commands().get(word.lower())
        try:
            if command is not None:
                doer: Callable[[str], None] = getattr(self, f"_{command}")
                doer(rest.strip())
            elif text:
                self._move(text)
        except PapanError as error:
            print(error.text(language()))

    def _move(self, name: str) -> None:
        """Make and print the person's move *name*; raise PapanError if it is no legal move."""
        position = self.session.position
        move = picked_move(position, name)
        self.session.play(move)
        print(move_line(position, who_sits(self.session.record(), position.turn), move))

    def _show(self) -> None:
        """Print the board, if `show_board`, and the score, unless this position was shown last."""
        if self._shown == self.session.position:
            return
        self._shown = self.session.position
        if self.show_board:
            print(Drawing.of(self.session.position).picture(self.session.view))
        print(score_line(self.session.position))

    def _board(self, rest: str) -> None:
        print(Drawing.of(self.session.position).picture(self.session.view))
        print(score_line(self.session.position))

    def _undo(self, rest: str) -> None:
        print(say("play.undone", plies=self.session.undo()))

    def _redo(self, rest: str) -> None:
        print(say("play.redone", plies=self.session.redo()))

    def _hint(self, rest: str) -> None:
        """Print one more step of the hint for this position, after a search for it the first time.

        Only the first step in a position counts as a hint in the record. *rest* is not used. Raise
        PapanError if the adviser fails, or no move is left.
        """
        position = self.session.position
        if self._hint_given is None or self._hint_given.position != position:
            analysis = self.adviser.analyse(position, self.limit)
            self._hint_given, self._hint_step = hint_of(position, analysis), 0
            self.session.hints[position.turn] += 1
        self._hint_step = min(self._hint_step + 1, HINT_STEPS)
        print(self._hint_given.text(self._hint_step, language()))

    def _follow(self, rest: str) -> None:
        """Make and print the move that `program` recommends; it counts as a hint in the record.

        Do nothing if no move is left. *rest* is not used.
        """
        position = self.session.position
        if position.is_over:  # print the result and the commands again
            return
        analysis = self.program.analyse(position, self.limit)
        self.session.hints[position.turn] += 1
        self.session.play(analysis.move)
        print(move_line(position, self.program.spec, analysis.move, analysis))

    def _why(self, rest: str) -> None:
        print("\n".join(self._reasons or [say("play.no_reason")]))

    def _rules(self, rest: str) -> None:
        print(self.rules())

    def _moves(self, rest: str) -> None:
        position = self.session.position
        print(" ".join(map(position.game.move_name, position.moves())))

    def _shuffle(self, rest: str) -> None:
        if not self.session.can_shuffle:
            print(say("play.no_shuffle", game=self.session.game.name))
            return
        self.session.shuffle()
        print(say("play.shuffled"))

    def _save(self, rest: str) -> None:
        if not rest:
            print(say("play.save_where"))
            return
        print(say("play.saved", path=keep(self.session, Path(rest))))

    def _opponent(self, rest: str) -> None:
        """Replace all agents by the one with the spec *rest*, or by people if it is ``human``.

        If *rest* is empty or the game has no agents, print instead which can be named. Raise
        PapanError if it is unknown or cannot play.
        """
        game, agents = self.session.game, self.session.agents
        if not rest or all(each is None for each in agents):
            print(say("play.opponent_who", agents=", ".join(catalog.agent_names(game))))
            return
        other = _agent_on(rest, game)
        self.session.agents = tuple(each if each is None else other for each in agents)
        print(say("play.opponent_now", agent=rest))

    def _resign(self, rest: str) -> None:
        self.session.give_up("resigned", self.session.position.turn)

    def _help(self, rest: str) -> None:
        for command in COMMANDS:
            words = " / ".join(word for word, meant in commands().items() if meant == command)
            print(f"{words}: {say(f'play.help_{command}')}")

    def _quit(self, rest: str) -> None:
        self.left = True


def commands() -> dict[str, str]:
    """Return by word, in all languages, the command that it means, one of `COMMANDS`.

    Words are in lower case; `FOLLOW` is one of them.
    """
    return {FOLLOW: "follow"} | {
        catalogue(each)[f"play.word_{command}"]: command
        for each in LANGUAGES
        for command in COMMANDS
    }
