"""Files with bots, in every language that papan has a template for: compile, run, watch and measure
them.

A file is shown as a template, compiled if its language needs that, run, checked, watched in a game,
and measured in games against papan's levels.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from string import Template

from papan.core import UNLIMITED, Agent, Game, Limit, Move, PapanError, Position, Record
from papan.core.message import text_of
from papan.core.record import replayed
from papan.core.thinking import Cancelled, never
from papan.lab.files import write_whole
from papan.lab.match import Match, MatchGame, play_match
from papan.lab.referee import LONGEST_OUTPUT, BotFault, ask_move, conduct
from papan.lab.statistics.elo import elo_difference
from papan.lab.statistics.intervals import Interval
from papan.process.host import limit_new_process
from papan.process.sandbox import SandboxView, find_sandbox

BOT_SUFFIXES = (".py", ".c", ".js", ".java")
"""File suffixes of the languages in which a bot may be written."""
BUILD_SECONDS, BUILD_MEMORY = 60, 1024
"""Processor seconds, and megabytes, that a compiler may use."""
LARGEST_PROGRAM = 8
"""Megabytes of a compiled bot at most, the same as of a submission: a line of C can become more."""
TEMPLATE_NOTES = ("about", "build", "choose", "flush")
COMPILE = 'gcc -O2 -std=gnu11 -o /tmp/bot "$1" -lm && cat /tmp/bot'
NAMED_LINE = r"{name}[\"']?(?:, line |:)(\d+)"
"""Pattern of a line number of a file, as tracebacks and compilers write it."""


def template(suffix: str, language: str) -> str:
    """Return the source text of papan's template of a bot, with comments in *language*.

    *language* is ``en`` or ``id``; *suffix*, one of `BOT_SUFFIXES`, stands for the programming
    language. Raise OSError if there is no template of these.
    """
    name = f"bot.{language}" if suffix == ".py" else f"bot{suffix}"
    text = files("papan").joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")
    if suffix == ".py":
        return text
    notes = {key: text_of(f"bot.template_{key}", language) for key in TEMPLATE_NOTES}
    return Template(text).substitute(notes)


def bot_spec(main: Path, built: Path, memory: int, options: str) -> str:
    """Return the spec of the agent that runs the bot in the file *main*, such as ``bot:mine.py,…``.

    The language follows from the suffix of *main*: a bot in C is run as *built*, the program that
    `compile_bot` has made of it, bots in other languages from their source. *options*, such as
    ``seed=3``, are further settings of the agent: they are appended after a comma, even if empty.
    *memory* is in megabytes: JavaScript and Java may use three quarters of it as their heap. Raise
    KeyError unless the suffix of *main* is one of `BOT_SUFFIXES`.
    """
    if main.suffix == ".py":
        return f"bot:{main},{options}"
    heap = memory * 3 // 4
    commands = {
        ".c": [str(built) if built.is_absolute() else f"./{built}"],
        ".js": ["node", f"--max-old-space-size={heap}", str(main)],
        ".java": [
            *("java", f"-Xmx{heap}m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            str(main),
        ],
    }
    return f"program:{shlex.join(commands[main.suffix])},{options}"


def compile_bot(
    main: Path,
    built: Path,
    confined: bool = True,
    refused: type[PapanError] = PapanError,
) -> None:
    """Compile the bot *main*, in C, to the program *built*; if *confined*, in the sandbox.

    There the compiler sees only the system and the folder of *main*. Raise *refused* if there is no
    compiler (gcc), if it makes a program of more than `LARGEST_PROGRAM` megabytes, and, with its
    output as a note, if it fails, makes no program or takes more than `BUILD_SECONDS`. Raise
    PapanError if *confined* and no sandbox works here, OSError if *built* cannot be written.
    """
    if not shutil.which("gcc"):
        raise refused("contest.no_compiler")
    command: Sequence[str] = ("sh", "-c", COMPILE, "sh", str(main))
    inherited: tuple[int, ...] = ()
    with ExitStack() as ending:
        if confined:
            walls = find_sandbox().confined(command, SandboxView((main.parent,)))
            confining = ending.enter_context(walls)
            command, inherited = confining.words, confining.descriptors
        else:
            command = ("gcc", "-O2", "-std=gnu11", "-o", "/dev/stdout", str(main), "-lm")
        made = ending.enter_context(tempfile.NamedTemporaryFile(dir=built.parent))
        said = ending.enter_context(tempfile.TemporaryFile())
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=made,
                stderr=said,
                timeout=BUILD_SECONDS,
                check=False,
                preexec_fn=lambda: limit_new_process(BUILD_SECONDS, BUILD_MEMORY),
                pass_fds=inherited,
            )
            code = done.returncode
        except subprocess.TimeoutExpired:
            code = -1
        said.seek(0)
        words = said.read(LONGEST_OUTPUT).decode(errors="replace")
        if Path(made.name).stat().st_size > LARGEST_PROGRAM << 20:
            raise refused("contest.too_large", most=LARGEST_PROGRAM)
        data = Path(made.name).read_bytes()
    if code or not data:
        error = refused("contest.not_built")
        error.add_note(words.replace(f"{main.parent}/", ""))
        raise error
    write_whole(built, data, 0o700)


# What went wrong, and where.


@dataclass(frozen=True)
class BotProblem:
    """A fault of a bot: the reason, what it printed, and the line of its file."""

    error: PapanError
    """The reason, which names the file without its folder."""
    output: str = ""
    """What it printed, with its traceback."""
    line: int | None = None
    """The line of its file that failed, from 1; None if its output names none."""
    position: str = ""
    """The text of the position in which it failed; empty if it failed before it was asked."""
    kind: str = "crash"
    """How a game ends because of it: ``illegal``, ``crash`` or ``timeout``."""

    @classmethod
    def of(cls, error: PapanError, file: Path) -> BotProblem:
        """Return the problem for an *error* that the bot in *file* has caused, as a crash.

        What the bot has printed is in the notes of *error*. The problem has no position.
        """
        output = "\n".join(getattr(error, "__notes__", ()))
        return cls.found(error, output, file)

    @classmethod
    def of_fault(cls, fault: BotFault, file: Path) -> BotProblem:
        """Return the problem for a fault in the trial of the bot in *file*."""
        return cls.found(fault.error, fault.output, file, fault.position, fault.kind)

    @classmethod
    def found(
        cls,
        error: PapanError,
        output: str,
        file: Path,
        position: str = "",
        kind: str = "crash",
    ) -> BotProblem:
        """Return the problem for an *error* of the bot in *file*.

        Its line is looked for in *output*, what the bot printed, and in the value ``why`` of
        *error*. In both texts the path of the file's folder is removed. *position* and *kind* are
        the fields of these names.
        """
        said = output.replace(f"{file.parent}/", "")
        line = fault_line(f"{said}\n{error.values.get('why', '')}", file)
        return cls(without_path(error, file), said, line, position, kind)


def fault_line(output: str, file: Path) -> int | None:
    """Return the line of *file* (from 1) that a traceback or a compiler names; None if none does.

    *output* is what was printed. Python names the innermost frame last, all others name it first;
    where the file is not named, ``(line 7)``, as in a syntax error, counts.
    """
    named = re.findall(NAMED_LINE.format(name=re.escape(file.name)), output)
    if not named and (found := re.search(r"\(line (\d+)\)", output)):
        return int(found[1])
    if not named:
        return None
    return int(named[-1 if file.suffix == ".py" else 0])


def without_path(error: PapanError, file: Path) -> PapanError:
    """Return a copy of *error* with the name of a bot's *file* instead of its spec and path.

    It is a PapanError, whatever the class of *error*, and has no notes.
    """
    values = {
        name: file.name
        if name == "agent"
        else value.replace(f"{file.parent}/", "")
        if isinstance(value, str)
        else value
        for name, value in error.values.items()
    }
    return PapanError(error.key, **values)


# A game to watch.


@dataclass(frozen=True)
class WatchedMove:
    """A move of a game that is watched: its name, and the positions before and after it."""

    number: int
    """Number of the move, from 1."""
    seat: int
    """The seat (0 or 1) that made it."""
    move: str
    """The name of the move, as people write it."""
    position: Position
    """The position after the move."""
    before: Position
    """The position before the move."""
    choice: Move
    """The move as a number of its game."""


OnMove = Callable[[WatchedMove], object]
"""Called after each move of a game."""


def watched_game(
    start: Position,
    agents: Sequence[Agent],
    limit: Limit,
    on_move: OnMove,
    cancelled: Cancelled = never,
) -> Record:
    """Play a game and return its record; *on_move* is called after each move.

    *agents* has one agent for each seat, seat 0 first; *limit* is that of each move. Whatever an
    agent does wrong is a forfeit in the record. Raise GameCancelled when *cancelled* returns True,
    and what *on_move* raises.
    """
    count = 0

    def player(seat: int, position: Position) -> Move:
        nonlocal count
        move = ask_move(agents[seat], position, limit, cancelled)
        count += 1
        name, after = position.game.move_name(move), position.child(move)
        on_move(WatchedMove(count, seat, name, after, position, move))
        return move

    players = [partial(player, seat) for seat in range(len(agents))]
    return conduct(start, players, [agent.spec for agent in agents])


# Its strength.


@dataclass(frozen=True)
class RivalScore:
    """The result of a bot against one rival: games by outcome, and Elo."""

    rival: str
    """The spec of the rival."""
    wins: int
    """Games that the bot won."""
    draws: int
    """Games that were drawn."""
    losses: int
    """Games that the rival won."""
    elo: Interval
    """Elo of the bot minus the rival's, from pairs of games, with its 95 % interval."""


@dataclass(frozen=True)
class BotStrength:
    """The strength of a bot, from games against several rivals."""

    scores: tuple[RivalScore, ...]
    """One for each rival with which a pair of games was played, in the order of the plan."""
    elo: Interval
    """Elo above the mean of the rivals, from all games, with its 95 % interval."""
    games: int
    """Number of games played."""


OnGame = Callable[[str, MatchGame], object]
"""Called with the spec of the rival and the game when it is over."""


@dataclass(frozen=True)
class StrengthPlan:
    """Plan of the games that measure a bot: *pairs* pairs against each of the *rivals*."""

    game: Game
    rivals: tuple[Agent, ...]
    """The agents against which the bot plays, in this order."""
    pairs: int
    """Pairs of games against each rival: two from the same opening, with the seats swapped."""
    limit: Limit = UNLIMITED
    """Limit of each move."""
    seed: int = 0
    """Decides the openings, and with its agents' own seeds their moves."""


def measured_strength(
    bot: Agent, plan: StrengthPlan, on_game: OnGame, cancelled: Cancelled = never
) -> BotStrength | None:
    """Play the games of *plan* with *bot* and return its strength; call *on_game* after each game.

    None if there are no rivals, or if *cancelled* returns True before the first pair is over. When
    *cancelled* returns True, the game that is being played ends, and so does each match that is
    still to come if it goes on to return True; a game whose pair is not complete does not count.
    What the bot does wrong is a forfeit.

    Raise InvalidSpecError if *plan* has no pairs, CannotPlayError if an agent does not play the
    game. After Ctrl-C raise `Interrupted`, whose ``result`` is the `MatchResult` against the
    present rival alone.
    """
    scores = []
    for number, rival in enumerate(plan.rivals):
        first, numbers = number * plan.pairs, (plan.pairs, plan.seed)
        match = Match((bot, rival), plan.game, *numbers, plan.limit, first_pair=first)
        result = play_match(match, cancelled, partial(on_game, rival.spec))
        if result.pairs:
            counts = result.wins, result.draws, result.losses
            scores.append(RivalScore(rival.spec, *counts, elo_difference(result.tally)))
    return BotStrength(tuple(scores), _above_rivals(scores), _games(scores)) if scores else None


def _games(scores: Sequence[RivalScore]) -> int:
    """Return the number of games in *scores* together."""
    return sum(each.wins + each.draws + each.losses for each in scores)


def _above_rivals(scores: Sequence[RivalScore]) -> Interval:
    """Return the Elo of the bot above the mean of its rivals, with its 95 % interval.

    It is by Bradley and Terry, from all games together. *scores* must have one rival at least, and
    each rival once: not checked.
    """
    from papan.lab.statistics.ranking import Encounter, rank  # it loads NumPy

    own = "bot"
    found = rank([Encounter(own, s.rival, s.wins, s.draws, s.losses) for s in scores]).rating(own)
    stretch = 1 + 1 / len(scores)  # the mean of a ranking is that of all players, the bot too
    return Interval(*(stretch * each for each in (found.value, found.low, found.high)))


def forfeit_problem(record: Record, game: Game, file: Path) -> BotProblem:
    """Return the problem for which the bot in *file* forfeited the game of *record*.

    The problem's position is the last one of the game. *record* must be of a game that this bot
    forfeited: not checked. Raise PapanError if the game cannot be replayed.
    """
    cause = dict(record.cause)
    error = PapanError(cause.pop("key", "forfeit.raised"), **(cause or {"error": record.reason}))
    last = replayed(record, game)[-1]
    return BotProblem.found(error, record.output, file, str(last), record.end)
