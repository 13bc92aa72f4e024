"""Agents outside of papan: a person, a function, and a file or a program in its own process.

The processes answer in lines of text.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.machinery import all_suffixes
from math import inf, isfinite
from pathlib import Path
from time import monotonic
from typing import ClassVar, Literal, SupportsIndex, cast

from platformdirs import user_cache_path

from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    IllegalMoveError,
    InvalidMoveError,
    InvalidSpecError,
    Limit,
    Move,
    OutOfBudget,
    OverdueError,
    PapanError,
    Position,
    Thinking,
)
from papan.core.agent import illegal_answer
from papan.core.message import text_of
from papan.core.parts import Drawing
from papan.core.spec import write_spec
from papan.process.host import python
from papan.process.lines import ProcessPool
from papan.process.program import ProgramError, ProgramProcess
from papan.process.sandbox import (
    SandboxView,
    compiled_elsewhere,
    find_sandbox,
    python_files,
    python_variables,
    software,
)


@dataclass
class Human(Agent):
    """An agent that is a person: it shows the board, asks for a move's name, and explains errors.

    It asks on standard error and reads standard input until a move is legal; to ask elsewhere, set
    `ask` and `show`. A person cannot be hurried: the caller that grants the time must check whether
    it was exceeded.
    """

    language: Literal["en", "id"] = "en"
    """The language of its questions and errors."""

    name: ClassVar[str] = "human"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.ask: Callable[[str], str] = ask_person
        self.show: Callable[[str], object] = show_person

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Return the move that the person names, without a value.

        The board is shown first; what is no legal move is answered with the reason, and asked
        again. Raise CannotPlayError if the input ends.
        """
        seat = position.turn + 1
        self.show(Drawing.of(position).picture())
        while True:
            try:
                answer = self.ask(text_of("human.prompt", self.language, seat=seat))
            except EOFError:
                raise CannotPlayError("human.gone", seat=seat) from None
            try:
                return Analysis((position.legal_move(answer.strip()),))
            except PapanError as error:
                self.show(error.text(self.language))


def show_person(text: str, end: str = "\n") -> None:
    """Print *text* and then *end* on standard error, because standard output is for data."""
    print(text, end=end, file=sys.stderr, flush=True)


def ask_person(prompt: str) -> str:
    """Show *prompt* on standard error and return the line that the person types, without its end.

    Raise EOFError if there is no more input.
    """
    show_person(prompt, end="")
    return input()


@dataclass
class Function(Agent):
    """An agent that plays what ``choice(position)`` answers: a legal move, or the name of one."""

    choice: Callable[[Position], SupportsIndex | str]
    """The function; what it raises, its caller gets."""

    name: ClassVar[str] = "function"
    ends_by_itself: ClassVar[bool] = True

    @property
    def spec(self) -> str:
        """The name of the function as a spec: ``function:choose``; ``function:?`` without one.

        The agent cannot be restored from this text.
        """
        return f"function:{getattr(self.choice, '__name__', '?')}"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Return the move that the function answers.

        Raise IllegalMoveError for an unknown or illegal name, and what the function raises. A move
        given as a number is not checked here, but by `analyse`.
        """
        answer = self.choice(position)
        if not isinstance(answer, str):
            return Analysis((cast(Move, answer),))
        try:
            return Analysis((position.legal_move(answer),))
        except (IllegalMoveError, InvalidMoveError):
            raise illegal_answer(self.spec, answer, position) from None


PROTOCOL_VERSION = 1
"""The version of the protocol of docs/protocol.md, sent in the handshake: ``papan 1``."""
STARTING_SECONDS = 20.0
"""Seconds that a program may take to get ready."""
GREETING_SECONDS = 2.0
"""Seconds that a program gets for *ready* once it has printed something else."""
GRACE_SECONDS = 0.5
"""Seconds between the request to stop and the end of a process."""
PROGRAM_POLL_SECONDS = 0.05
"""Seconds between two looks at the clock."""
REFUSALS = ("bot.no_choose", "bot.no_games")
"""Keys of messages that the process of a file may refuse with."""

PAPAN_FOLDER = Path(__file__).parents[1]
HIDDEN = PAPAN_FOLDER / "process" / "hidden.py"
"""The file that is shown to a bot in place of what is hidden from it."""
AIDS = (
    "agents/[a-df-z]*.py",
    "engine",
    "games/*/kernel*.py",
    "games/*/paper.py",
    "games/*/proofs",
    "games/*/solver.py",
    "games/*/*.bin",
    "games/*/*.npz",
    "weights/*",
)
"""Globs of what papan thinks with, below its folder: hidden from a bot that must play unaided."""

PROGRAM_POOL: ProcessPool[ProgramProcess] = ProcessPool(most_idle=4)
"""The processes of external agents that are idle, by `ExternalAgent._key`; four at most."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=PROGRAM_POOL.forget)


@dataclass
class ExternalAgent(Agent):
    """Base of `Bot` and `Program`, agents in a process of their own that answers in lines of text.

    The process starts at the first question, and waits in `PROGRAM_POOL` for the next one. Raise
    InvalidSpecError unless *deadline* is from 0.01 to 1,000,000 and *memory* from 16 to 1,000,000,
    PapanError if *confined* is not "no" and there is no sandbox here.
    """

    seed: int = 0
    """Sent with each question, for the random choices of a bot that makes any."""
    deadline: float = 10.0
    """Seconds for a move, unless the caller grants less."""
    memory: int = 1024
    """Megabytes that it may use, together with all that it starts."""
    confined: Literal["no", "file", "folder"] = "no"
    """Whether it runs in the sandbox, and there sees its own file alone or its folder, too."""

    where: ClassVar[str]
    """Name of the setting that holds its path or command: ``file`` or ``run``."""
    ends_by_itself: ClassVar[bool] = True
    headroom: ClassVar[int] = 1
    """Factor on its memory that each of its processes may reserve, used or not."""
    aloud = False
    """True if its output goes where papan's own messages go, as it comes."""

    @property
    @abstractmethod
    def view(self) -> SandboxView:
        """The files that it sees in the sandbox."""

    def __post_init__(self) -> None:
        self.demand("deadline", 0.01, 1_000_000)
        self.demand("memory", 16)
        if self.confined != "no":
            find_sandbox()  # raises where there is none
        self._spent, self._peak = 0.0, 0
        self.printed = ""
        """What it has printed for its last answer."""

    @property
    @abstractmethod
    def command(self) -> tuple[str, ...]:
        """The words of the command that starts its process."""

    @property
    def spec(self) -> str:
        """The specification, path or command first without its name: ``bot:mybot.py,seed=3``."""
        place = str(getattr(self, self.where))
        options = write_spec("", self, terse=True).removesuffix(f"{self.where}={place}")
        return f"{self.name}:{place},{options}".rstrip(",")

    def plays(self, game: Game) -> bool:
        """Return whether its process names this game, or names no games: then it plays any.

        The process is started unless an idle one waits. Raise CannotPlayError if it cannot be
        started.
        """
        with self._child() as child:
            return not child.games or game.name in child.games

    @property
    def own_limit(self) -> Limit:
        return Limit(seconds=self.deadline)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        """Return an analysis with the move that the process answers, and its value if it has one.

        Raise OverdueError if it is late, CannotPlayError if the process fails, IllegalMoveError if
        its answer is no legal move. *thinking* is narrowed to `deadline`.
        """
        thinking.narrow(self.own_limit)
        with self._child() as child:
            child.ask(*self._question(position, thinking.limit))
            try:
                answer, reason = self._answer(child, thinking)
                self.printed = child.printed()
            finally:
                self._spent += max(0.0, child.count_anew())
            return self._understood(position, thinking, answer, reason)

    def processor_seconds(self) -> float:
        """Return the CPU seconds used for this agent's answers, by all its processes together."""
        return self._spent

    def unasked_seconds(self) -> float:
        """Return the CPU seconds that all its processes together have used since its last answer.

        A process is started if none waits. Raise CannotPlayError if it cannot be started.
        """
        with self._child() as child:
            return child.seconds_since()

    def peak_memory(self) -> int:
        """Return the most bytes of memory that all its processes together have had; 0 at first."""
        return self._peak

    def close(self) -> None:
        """End the idle processes that could answer for it, those of equal agents included.

        The next question starts a new one, without memory of the old one.
        """
        while child := PROGRAM_POOL.taken(self._key):
            child.end()

    @property
    def _key(self) -> tuple[object, ...]:
        """Return the key of an idle process that may answer for this agent: equal keys, equal use.

        These are its command, memory, sandbox, what is hidden there, and the state of its file.
        """
        return self.command, self.memory, self.confined, self._hides, self._edited

    @property
    def _hides(self) -> bool:
        """True if papan's searches and solvers are hidden from it in the sandbox."""
        return False

    @property
    def _edited(self) -> int:
        """The time at which its file was changed, in ns; 0 if unknown or if there is no such file.

        It is a part of `_key`: after a change of the file a new process answers.
        """
        return 0

    @contextmanager
    def _child(self) -> Iterator[ProgramProcess]:
        """Yield a process, started or idle until then, that is ready for a question, for the block.

        A ProgramError, also one in the block, is raised as CannotPlayError with the same message
        and notes, which names the agent; then, and after any other exception, the process is ended.
        """
        try:
            with PROGRAM_POOL.borrowed(self._key, self._start) as child:
                yield child
        except ProgramError as trouble:
            error = CannotPlayError(trouble.key, **{**trouble.values, "agent": self.spec})
            for note in getattr(trouble, "__notes__", ()):
                error.add_note(note)
            raise error from None

    def _start(self) -> ProgramProcess:
        """Start the process and return it after its handshake, with the `games` that it names.

        Raise ProgramError if it cannot be started, or as `_handshake` does, and PapanError if it is
        confined and there is no sandbox; a process that was started is then ended.
        """
        view = None if self.confined == "no" else self.view
        child = ProgramProcess(self.command, self.memory, self.headroom, self.aloud, view)
        try:
            child.send(f"papan {PROTOCOL_VERSION}")
            child.games = self._handshake(child)
            child.count_anew()  # what the start takes is no time of a move
        except BaseException as error:
            child.fail(error)
            raise
        return child

    def _handshake(self, child: ProgramProcess) -> tuple[str, ...]:
        """Return the names of the games that the process *child* plays; empty for all.

        It may print other lines before. Raise ProgramError if it refuses, ends, or is not ready
        within `STARTING_SECONDS`, or `GREETING_SECONDS` after it has printed something else.
        """
        until, printed = monotonic() + STARTING_SECONDS, ""
        while monotonic() < until:
            line = child.line(PROGRAM_POLL_SECONDS) or ""
            word, _, rest = line.partition(" ")
            if word == "ready":
                return tuple(rest.split())
            if word == "error":
                raise self._refusal(rest)
            if word and not printed:
                printed, until = line, min(until, monotonic() + GREETING_SECONDS)
        if printed:
            raise ProgramError("program.greeting", line=printed[:80])
        raise ProgramError("program.not_ready", seconds=f"{STARTING_SECONDS:g}")

    def _refusal(self, why: str) -> ProgramError:
        """Return the error for a process that refuses, with the reason *why* it gave."""
        return ProgramError("program.refused", why=why)

    def _question(self, position: Position, limit: Limit) -> tuple[str, ...]:
        """Return the three lines that ask for a move: ``position …``, ``moves …`` and ``go …``.

        They have the position as text, the names of the legal moves, and seconds, seed and (unless
        infinite) nodes.
        """
        names = " ".join(map(position.game.move_name, position.moves()))
        nodes = f" nodes {limit.nodes:.0f}" if isfinite(limit.nodes) else ""
        go = f"go seconds {limit.seconds:g} seed {self.seed}{nodes}"
        return f"position {position}", f"moves {names}", go

    def _answer(self, child: ProgramProcess, thinking: Thinking) -> tuple[str, str]:
        """Return the line that answers, and the last reason given before it ("" if none).

        The line is not checked; the reason is the text after *info*. When the time is over or the
        caller has cancelled, the process is asked to stop, and gets `GRACE_SECONDS`; raise
        OverdueError after that, and at once if it has used too much CPU time (see
        `_check_processor`). Raise ProgramError if it says ``error``, or ends.
        """
        until, reason = inf, ""
        while monotonic() < until:
            line = child.line(PROGRAM_POLL_SECONDS) or ""
            word, _, rest = line.partition(" ")
            if word != "info":
                self._peak = max(self._peak, child.peak_memory())
            if word == "info":
                reason = rest
            elif word == "error":
                raise ProgramError("program.failed", why=rest)
            if word != "info":
                self._check_processor(child, thinking)
            if word not in ("", "info"):
                return line, reason
            if until == inf and _over(thinking):
                child.send("stop")
                until = monotonic() + GRACE_SECONDS
        granted = min(thinking.limit.seconds, thinking.seconds)
        raise OverdueError("program.late", agent=self.spec, seconds=f"{granted:.1f}")

    def _check_processor(self, child: ProgramProcess, thinking: Thinking) -> None:
        """Raise OverdueError if the processes of *child* have used too much CPU time for this move.

        That is more than `GRACE_SECONDS` beyond the seconds of the limit of *thinking*. All that
        they have used since their last move counts: also what they use in their rival's turn, as
        that slows the rival down.
        """
        spent, granted = child.seconds_since(), thinking.limit.seconds
        if spent > granted + GRACE_SECONDS:
            facts = {
                "spent": f"{spent:.1f}",
                "seconds": f"{granted:g}",
                "grace": f"{GRACE_SECONDS:g}",
            }
            raise OverdueError("program.busy", agent=self.spec, **facts)

    def _understood(
        self, position: Position, thinking: Thinking, answer: str, reason: str
    ) -> Analysis:
        """Return the analysis for the line *answer*: ``move NAME``, or ``move NAME VALUE``.

        The value is in points for the seat that makes the move; None if VALUE is missing or no
        finite number. Emit a "reason" event with the first 200 characters of *reason*, unless that
        is empty. Raise IllegalMoveError for another line, and for an illegal move.
        """
        found = re.fullmatch(r"move (\S+)(?: (\S+))?", answer)
        if not found:
            example = position.game.move_name(position.moves()[0])
            raise IllegalMoveError(
                "program.garbage", agent=self.spec, line=answer[:80], example=example
            )
        name, value = found.groups()
        try:
            move = position.legal_move(name)
        except (IllegalMoveError, InvalidMoveError):
            raise illegal_answer(self.spec, name, position) from None
        if reason:
            thinking.emit("reason", m=position.game.move_name(move), rule=f'"{reason[:200]}"')
        return Analysis((move,), _number(value))


@dataclass
class Program(ExternalAgent):
    """An agent that is a program of the user's and speaks the protocol of docs/protocol.md.

    Raise InvalidSpecError if its command line is empty or cannot be split into words, and what
    `ExternalAgent` raises.
    """

    run: str = ""
    """The command line, split into words as a shell does: ``./mybot --fast``."""

    name: ClassVar[str] = "program"
    where: ClassVar[str] = "run"
    headroom: ClassVar[int] = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            self._words = tuple(shlex.split(self.run, posix=os.name == "posix"))
        except ValueError as error:
            raise InvalidSpecError("program.cannot_start", agent=self.run, why=error) from None
        if not self._words:
            raise InvalidSpecError("program.no_command")

    @property
    def command(self) -> tuple[str, ...]:
        if self.confined == "no":
            return self._words
        return tuple(  # it starts in another folder
            str(path.absolute()) if (path := Path(word)).is_file() else word for word in self._words
        )

    @property
    def view(self) -> SandboxView:
        files = software(self._words)
        own = next(iter(reversed(files)), Path("/usr/bin"))
        shown = (*files, own.parent) if self.confined == "folder" else files
        covered = ((PAPAN_FOLDER, HIDDEN),) if PAPAN_FOLDER.is_relative_to("/usr") else ()
        return SandboxView(shown, covered, folder=own.parent)


@dataclass
class Bot(ExternalAgent):
    """An agent that is a Python file with a function ``choose(position)``, or an Agent of its own.

    Raise InvalidSpecError if there is no such file, if its name is not that of a Python file, or if
    *unaided* is asked for without the sandbox, and what `ExternalAgent` raises.
    """

    unaided: bool = False
    """True if papan's searches and solvers are hidden from it; only in the sandbox."""
    file: str = ""
    """The path of the file; ``~`` is the user's folder."""

    name: ClassVar[str] = "bot"
    where: ClassVar[str] = "file"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unaided and self.confined == "no":
            raise InvalidSpecError("bot.unaided", file=self.file)
        self._path = Path(self.file).expanduser()
        if not self._path.is_file():
            raise InvalidSpecError("bot.no_file", file=self.file)
        if not self._path.resolve().name.endswith(tuple(all_suffixes())):
            raise InvalidSpecError("bot.not_python", file=self.file)

    @property
    def command(self) -> tuple[str, ...]:
        return python("papan.bot_main", str(self._path.resolve()))

    @property
    def view(self) -> SandboxView:
        path = self._path.resolve()
        own = path.parent if self.confined == "folder" else path
        view = SandboxView(
            (*python_files(PAPAN_FOLDER), own),
            variables=(("PYTHONPATH", str(PAPAN_FOLDER.parent)), *python_variables()),
            folder=path.parent,
        )
        if self.unaided:
            return replace(view, replaced=tuple((each, HIDDEN) for each in _aids(PAPAN_FOLDER)))
        cache = user_cache_path("papan", appauthor=False)
        latest = sorted(cache.glob("kernels-*"), key=lambda each: each.stat().st_mtime)[-1:]
        places = (*view.variables, ("XDG_CACHE_HOME", str(cache.parent)))
        return replace(view, linked=tuple(latest), variables=places)

    @property
    def _hides(self) -> bool:
        return self.unaided

    @property
    def _edited(self) -> int:
        return self._path.stat().st_mtime_ns if self._path.exists() else 0

    def _refusal(self, why: str) -> ProgramError:
        return ProgramError(why) if why in REFUSALS else super()._refusal(why)


def _aids(folder: Path) -> list[Path]:
    """Return the files and folders of papan, in *folder*, that match `AIDS`, sorted.

    Python's compiled copies of them, from which they could be run as well, come with them.
    """
    found = {each for pattern in AIDS for each in folder.glob(pattern)}
    places = (
        (place, each)
        for each in found
        for place in (each.parent / "__pycache__", *compiled_elsewhere(each.parent))
    )
    copies = (place.glob(f"{each.stem}.*pyc") for place, each in places)
    folders = map(compiled_elsewhere, found)
    return sorted(found.union(*copies, *folders))


def _over(thinking: Thinking) -> bool:
    """Return whether the time of *thinking* is over, or its caller has cancelled.

    Nodes are not looked at: a program counts none here.
    """
    try:
        thinking.check()
    except OutOfBudget:
        return True
    return False


def _number(text: str | None) -> float | None:
    """Return the value that a program adds to its move, in points for the seat that makes it.

    None if *text* is None or not a finite number.
    """
    try:
        value = float(text or "nan")
    except ValueError:
        return None
    return value if isfinite(value) else None
