"""The server side of the bot protocol for files in Python: loads the file, and answers with it.

The agent ``bot:FILE`` runs it as ``python -m papan.bot_main FILE``. What a bot prints goes to
standard error, so that it cannot be taken for an answer; a bot is refused other processes. With a
position and a seed behind the file it answers this one question in the open.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from math import inf
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from traceback import extract_tb, format_exception
from types import ModuleType, TracebackType
from typing import Any, NoReturn, TextIO

from papan import catalog
from papan.core import UNLIMITED, Agent, Limit, PapanError, Position, Thinking
from papan.core.agent import reseeded
from papan.core.arguments import whole
from papan.process.lines import private_streams

MODULE = "papan_bot"
FORBIDDEN = (
    "_winapi.CreateProcess",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.system",
    "subprocess.Popen",
)
"""Names of Python's audit events by which processes are started."""


PLACES = sorted({*sys.path, sys.prefix, sys.base_prefix} - {"", "/", "/usr"}, key=len, reverse=True)
"""Folders of this Python and of papan, as they were before a bot was loaded; inner ones first."""


class LoadedBot:
    """The content of a bot's file: a function ``choose(position)``, or an Agent of its own.

    The function comes first if it has both. Raises PapanError if *module* has no such function and
    not exactly one Agent, and what building the Agent raises.
    """

    def __init__(self, module: ModuleType) -> None:
        self._choose: Callable[[Position], Any] | None = getattr(module, "choose", None)
        own = [
            kind
            for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, Agent) and kind.__module__ == MODULE
        ]
        if self._choose is None and len(own) != 1:
            raise PapanError("bot.no_choose", agent=Path(str(module.__file__)).name)
        self._agent: Agent | None = None if self._choose else own[0]()
        self._games: Sequence[str] = getattr(module, "GAMES", ())

    @property
    def games(self) -> list[str]:
        """The names of papan's games that the bot plays, in the order of menus.

        If an Agent answers, those that it plays. If the function answers, those in the file's list
        GAMES; all games if there is no such list or it is empty; empty if the list has no game of
        papan.
        """
        if self._agent is not None:
            return [name for name, kind in catalog.GAMES.items() if self._agent.plays(kind())]
        return [name for name in catalog.GAMES if not self._games or name in self._games]

    def answer(self, position: Position, seed: int, thinking: Thinking) -> tuple[Any, Any]:
        """Return the bot's move, not yet checked, and its value of the position or None.

        The move is what the function or the Agent answers, a number or a name. The value is a
        margin in points for the seat to move; None from a function, or if the Agent has none.
        *seed* decides the random numbers of the module `random` and of an Agent; *thinking* holds
        the limit of an Agent. Raise whatever the bot raises.
        """
        random.seed(f"{seed} {position}")  # makes random bots reproducible
        if self._agent is None:
            assert self._choose is not None
            return self._choose(position), None
        analysis = reseeded(self._agent, seed).decide(position, thinking)
        return analysis.move, analysis.value


def main(path: Path) -> None:
    """Answer requests on standard input until there are no more; then the process ends with code 0.

    They are ``papan``, ``position`` and ``go`` (docs/protocol.md); other lines are ignored. If
    *path* is no bot or plays no game of papan, if a position makes no sense, or if the bot raises
    anything, print the traceback on standard error, write the line ``error WHY`` and return.
    """
    requests, answers = private_streams()
    questions: SimpleQueue[str] = SimpleQueue()
    stop = Signal()
    Thread(target=_listen, args=(requests, questions, stop), daemon=True).start()
    _stay_alone()
    try:
        bot = LoadedBot(_load(path))
        if not bot.games:
            raise PapanError("bot.no_games", agent=path.name)
        position = ""
        while True:
            word, _, rest = questions.get().partition(" ")
            if word == "papan":
                print("ready", *bot.games, file=answers, flush=True)
            elif word == "position":
                position = rest
            elif word == "go":
                answer = _move(bot, catalog.position(position), rest, stop)
                _flush()  # what it has printed comes before its answer
                print(answer, file=answers, flush=True)
    except BaseException as error:  # user code may raise anything
        _flush()
        _show(error, path, _without_places)
        print(f"error {_explained(error, path)}", file=answers, flush=True)


def _move(bot: LoadedBot, position: Position, granted: str, stop: Signal) -> str:
    """Return the line that answers ``go``: ``move NAME``, with the bot's value if it has one.

    *granted* are the words after ``go``: each of seconds, nodes and seed that is given, with its
    number. *stop* is set when papan wants the best move so far. If the answer is no number of a
    move of the game, NAME is its text: papan checks it. Raise whatever the bot raises.
    """
    words = granted.split()
    numbers = dict(zip(words[::2], words[1::2]))
    limit = Limit(float(numbers.get("seconds", inf)), float(numbers.get("nodes", inf)))
    thinking = Thinking(limit, None, stop.is_set)
    move, value = bot.answer(position, int(numbers.get("seed", 0)), thinking)
    number = whole(move)
    if number is None or not 0 <= number < position.game.move_count:
        name = str(move)
    else:
        name = position.game.move_name(number)
    return f"move {_line(name)}" + ("" if value is None else f" {value}")


def _load(path: Path) -> ModuleType:
    """Load the file *path* as a module; its folder can be imported from, but never hides a library.

    Raise whatever the file raises, and ImportError if it cannot be a module.
    """
    sys.dont_write_bytecode = True
    sys.path.append(str(path.parent))
    spec = spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise ImportError(path.name)
    module = module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


def _listen(requests: TextIO, questions: SimpleQueue[str], stop: Signal) -> None:
    """Put each line of *requests* into *questions*, even while the bot thinks.

    The line ``stop`` is not put there but sets *stop* at once, and ``go`` clears it. At ``quit``,
    or when papan closes the stream, end the process with code 0.
    """
    for line in requests:
        word = line.split(" ", 1)[0].strip()
        if word == "quit":
            break
        if word == "stop":
            stop.set()
        else:
            if word == "go":
                stop.clear()
            questions.put(line.strip())
    os._exit(0)


def _stay_alone() -> None:
    """Make the usual ways to start other processes, mostly mistakes, raise PermissionError.

    It lasts as long as this process.
    """
    sys.addaudithook(_alone)
    with suppress(ImportError):  # absent on Windows, and without audit events
        vars(import_module("_posixsubprocess"))["fork_exec"] = _refused


def _alone(event: str, arguments: object) -> None:
    """Raise PermissionError if the audit *event* is one of `FORBIDDEN`.

    It is the hook of `_stay_alone`; *arguments* are those of the event, not looked at.
    """
    if event in FORBIDDEN:
        raise PermissionError(f"a bot may not start other processes ({event})")


def _refused(*arguments: object) -> NoReturn:
    """Raise PermissionError, in place of a function that starts a process."""
    _alone("subprocess.Popen", arguments)
    raise AssertionError


def _flush() -> None:
    """Flush what the bot has printed, to standard error in `main`; raise nothing if that fails."""
    with suppress(Exception):
        sys.stdout.flush()


def _show(error: BaseException, path: Path, shown: Callable[[str], str] = str) -> None:
    """Print the traceback of an *error* on standard error, from where it enters the file *path*.

    The whole one if it never enters *path*. Each line is cut after 1000 characters (a message may
    be a megabyte long), and then printed as *shown* returns it.
    """
    trace = format_exception(type(error), error, _in_file(error, path))
    lines = (shown(line[:1000]) for line in "".join(trace).splitlines())
    print(*lines, sep="\n", file=sys.stderr)


def _without_places(text: str) -> str:
    """Return *text* in which files below `PLACES` have their paths there: ``papan/core/game.py``.

    Students see it, and where a lecturer's computer has its Python is none of their business.
    """
    for place in PLACES:
        text = text.replace(f"{place}{os.sep}", "")
    return text


def _in_file(error: BaseException, path: Path) -> TracebackType | None:
    """Return the traceback of an *error* from where it enters *path*; None if it never does."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != str(path):
        trace = trace.tb_next
    return trace


def _explained(error: BaseException, path: Path) -> str:
    """Return the error in one line, such as ``ValueError: no move (line 7)``, for the protocol.

    At most 200 characters, and then the number of the innermost line of *path* that the error has
    passed, if any; for a SyntaxError it is the line that it names. If papan has found the fault (a
    PapanError with a key that begins with ``bot.``), the result is that key alone, such as
    ``bot.no_choose``.
    """
    if isinstance(error, PapanError) and error.key.startswith("bot."):
        return error.key
    lines = [
        frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    number = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    where = "" if number is None else f" (line {number})"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return _line(_without_places(f"{type(error).__name__}: {text}".rstrip(": "))) + where


def _line(text: str) -> str:
    """Return *text* as one line of at most 200 characters; white space becomes single spaces."""
    return " ".join(text.split())[:200]


def answer_openly(path: Path, position: Position, seed: int) -> int:
    """Let the bot in *path* answer one request, with its output and its failure visible.

    *seed* decides its random numbers. Print ``move NAME``, with its value if it has one, and return
    0 as exit code. If the file cannot be loaded, the bot raises anything, or its move is not legal,
    print that on standard error and return 1.
    """
    try:
        move, value = LoadedBot(_load(path)).answer(position, seed, Thinking(UNLIMITED))
        name = position.game.move_name(position.legal_move(move))
    except PapanError as error:
        print(error, file=sys.stderr)
        return 1
    except BaseException as error:
        _show(error, path)
        return 1
    print(f"move {name}" + ("" if value is None else f" {value}"))
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(Path(sys.argv[1]))
    else:
        place = catalog.position(sys.argv[2])
        sys.exit(answer_openly(Path(sys.argv[1]), place, int(sys.argv[3])))
