"""Output of the commands: data on standard output, the rest on standard error, in one language.

Progress is a bar with the time left, the state of a search, or lines in a pipe.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any, Self, TextIO, TypeVar, cast

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from papan.core import Agent, Event, Game, Listener, PapanError, Position, Progress, Value
from papan.core.interrupts import Interrupted
from papan.core.message import LANGUAGES, first_line, locale_language
from papan.core.message import text_of as say_in
from papan.core.numbers import MINUS, format_value
from papan.core.numbers import in_figures as figures_in
from papan.core.printable import printable, to_json
from papan.core.session import agent_called, seat_name

Result = TypeVar("Result")

_language: ContextVar[str] = ContextVar("language", default="en")


def use_language(language: str) -> None:
    """Set the language of this run: ``en`` or ``id``; unchecked."""
    _language.set(language)


def language() -> str:
    """Return the language of this run: ``en`` or ``id``."""
    return _language.get()


def say(key: str, /, **values: object) -> str:
    """Return the text of *key* with *values* in the run's language; an unknown key itself.

    Raise KeyError if the text names a value that is not given.
    """
    return say_in(key, language(), **values)


def in_local_figures(text: str) -> str:
    """Return *text* with its numbers as the run's language writes them: 1,5 in Indonesian."""
    return figures_in(text, language())


def figure(amount: float, form: str = "g") -> str:
    """Return a number as text in Python's format *form*, written as in this run's language.

    It has a typographic minus; an infinite one is ∞ with its sign, whatever *form* is.
    """
    text = f"{amount:{form}}" if isfinite(amount) else f"{amount:+g}".replace("inf", "\u221e")
    return in_local_figures(text.replace("-", MINUS))


def value_text(value: Value | float) -> str:
    """Return a value in points as text, such as ``+2``, as this run's language writes numbers."""
    return in_local_figures(str(value) if isinstance(value, Value) else format_value(value))


def about(kind: type[Game] | type[Agent]) -> str:
    """Return a game's name, or what an agent does, in the run's language.

    For a plug-in it is the first line of its docstring, or the name of its class.
    """
    key = f"{'game' if issubclass(kind, Game) else 'agent'}.{kind.name}"
    text = say(key)
    return text if text != key else first_line(kind) or kind.__name__


def agent_title(agent: str) -> str:
    """Return the name for people of an agent, given its spec, followed by the spec in brackets.

    It is the name alone if that is the spec, but for capitals. A level is called by its number:
    ``Level 3 (level:3)``.
    """
    name, _, options = agent.partition(":")
    level = say(f"web.level_{options[:1]}") if name == "level" and options else ""
    called = level or agent_called(agent, language())
    return called if called.lower() == agent else f"{called} ({agent})"


def source(kind: type[Agent]) -> str:
    """Return the paper that an agent comes from, with its figure or table; empty if from none."""
    key = f"source.{kind.name}"
    text = say(key)
    return text if text != key else ""


def take_language(arguments: list[str], environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the language (en or id) of ``--lang``, or else of the locale, and the other arguments.

    *environment* has the variables of the locale; the last ``--lang`` counts. Raise PapanError if
    any ``--lang`` is not followed by a language that papan has.
    """
    left, chosen, words = list[str](), "", iter(arguments)
    for word in words:
        if word == "--lang":
            chosen = next(words, "")
        elif word.startswith("--lang="):
            chosen = word.partition("=")[2]
        else:
            left.append(word)
            continue
        if chosen not in LANGUAGES:
            raise PapanError("error.unknown_language", name=chosen, known=", ".join(LANGUAGES))
    return chosen or locale_language(environment), left


def seat_title(position: Position, seat: int) -> str:
    """Return the name for people of a seat (0 or 1) of this game, in the language of this run."""
    return seat_name(position.game, seat, language())


WIDE = 240
"""Width of text in a pipe, in characters, so that no line of data is cut."""

PLAINER = {
    MINUS: "-",
    "\u00b1": "+-",
    "\u00b7": "*",
    "\u2013": "-",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2248": "~",
    "\u2272": "<~",
    "\u2026": "...",
    "\ufffd": "?",
}
"""Replacements for characters that the encoding of the terminal or pipe lacks."""


def open_streams() -> None:
    """Replace the standard streams such that any text can be printed and any input read.

    Characters that their encoding lacks become plainer ones, and control characters U+FFFD, as by
    `PrintableStream`; a stream that the parent process has closed becomes the null device.
    """
    codecs.register_error("papan.plainer", _plain_characters)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))  # noqa: SIM115
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "papan.plainer"),
        (sys.stderr, "papan.plainer"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    sys.stdout = cast(TextIO, PrintableStream(sys.stdout))
    sys.stderr = cast(TextIO, PrintableStream(sys.stderr))


class PrintableStream:
    """A stream that replaces characters that would control the terminal.

    Output may quote a name, a path or a line that a stranger has written. Rich writes colours and
    cursor moves to *stream* itself, which it finds as the attribute `rich_proxied_file`.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Write *text* as `printable` makes it safe; return the number of characters of *text*."""
        self.rich_proxied_file.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write all *lines* as `write` does."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


def _without_replacing(stream: TextIO) -> TextIO:
    """Return the stream behind a `PrintableStream`, which may control the terminal.

    Other streams are returned unchanged.
    """
    return getattr(stream, "rich_proxied_file", stream)


def _plain_characters(error: UnicodeError) -> tuple[str, int]:
    """Return what replaces the characters of *error*, by `PLAINER` or ``?``, and where they end.

    It is a handler of encoding errors, as `codecs.register_error` takes it. Raise AssertionError
    for an error of decoding.
    """
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return "".join(PLAINER.get(letter, "?") for letter in letters), error.end


def program() -> str:
    """Return the command with which the user started papan, for messages.

    It is PAPAN_COMMAND of the environment, or else ``papan``.
    """
    return os.environ.get("PAPAN_COMMAND", "papan")


def console() -> Console:
    """Return a new console for data: colours only on a terminal, and never if NO_COLOR is set.

    Its width is COLUMNS, if that is a number above 0, else that of the terminal, or `WIDE` in a
    pipe. No line is cut.
    """
    said = os.environ.get("COLUMNS", "")
    usual = None if sys.stdout.isatty() else WIDE
    width = int(said) if said.isdecimal() and int(said) else usual
    return Console(highlight=False, soft_wrap=True, width=width)


def print_json(data: object) -> None:
    """Print *data* as one line of JSON on standard output, at once."""
    print(to_json(data), flush=True)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table without frames, so that it also reads well aloud and in a pipe.

    Each row has a text for each heading. Texts wider than their column are folded, and line ends in
    them become blanks.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(_cell(heading), overflow="fold")
    for row in rows:
        table.add_row(*map(_cell, row))
    screen = console()
    for line in screen.render_lines(table, pad=False):
        screen.print(Segments([*_stripped(line), Segment.line()]))


def _stripped(line: list[Segment]) -> list[Segment]:
    """Return *line* without the blanks at its end, with which tables fill columns.

    Empty if there is nothing else.
    """
    while line and not line[-1].text.strip():
        line = line[:-1]
    return [*line[:-1], Segment(line[-1].text.rstrip(), line[-1].style)] if line else []


TAIL = 5
"""Number of last lines of a bot's output that are shown with its fault."""


def print_tail(output: str) -> None:
    """Print the last `TAIL` lines of a bot's output, indented, without control characters."""
    for line in output.splitlines()[-TAIL:]:
        plain = "".join(letter if letter.isprintable() else "\ufffd" for letter in line)
        print(f"    | {plain}")


def _cell(text: str) -> Text:
    """Return *text* for Rich on one line, without markup."""
    return Text(printable(" ".join(text.splitlines())))


def progress(text: str) -> None:
    """Print *text* as a line on standard error."""
    print(printable(text), file=sys.stderr, flush=True)


def rewrite(text: str) -> None:
    """Print *text* on standard error in a line that the next call overwrites; empty clears it.

    It is cut to one row. If standard error is no terminal, do nothing.
    """
    if sys.stderr.isatty():
        shown = text[: shutil.get_terminal_size().columns - 1]  # two rows could not be rewritten
        print(
            f"\r\033[K{printable(shown)}", end="", file=_without_replacing(sys.stderr), flush=True
        )


INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def show_result(call: Callable[[], Result], show: Callable[[Result], object]) -> None:
    """Call *show* with the result of *call*.

    If *call* raises Interrupted, after Ctrl-C, call *show* with the result so far, and raise it
    again. Raise whatever else *call* and *show* raise.
    """
    try:
        result = call()
    except Interrupted as stop:
        show(stop.result)
        raise
    show(result)


STEP = 10
"""Percent of progress between two lines in a pipe."""
PAUSE = 1_000
"""Milliseconds between two lines about a search in a pipe."""
LONGEST = 12
"""Number of moves of a line that are shown, at most."""
MOMENT = 1.5
"""Seconds of compiling before it is shown."""


def _console_for_news() -> Console:
    """Return the console for progress, which draws on standard error."""
    return Console(file=_without_replacing(sys.stderr))


class Bar:
    """Shows progress with the time left on standard error: a bar on a terminal, lines in a pipe.

    A context manager; *name* is what is being done.
    """

    def __init__(self, name: str) -> None:
        self._name = printable(name)
        self._since = monotonic()
        self._before: float | None = None
        """Units of work that were done before this run began; None until the first update."""
        self._said = 0
        self._bar: RichProgress | None = None
        if sys.stderr.isatty():
            named = TextColumn("{task.description}", markup=False)
            time_left = TimeRemainingColumn(elapsed_when_finished=True)
            columns = named, BarColumn(), TaskProgressColumn(), time_left
            above = sys.stdout.isatty()  # what is printed meanwhile goes above the bar
            self._bar = RichProgress(*columns, console=_console_for_news(), redirect_stdout=above)
            self._task = self._bar.add_task(self._name, total=None)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
            sys.stdout = cast(TextIO, PrintableStream(sys.stdout))  # Rich has put another one there
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            sys.stdout = _without_replacing(sys.stdout)
            self._bar.stop()

    def update(self, made: Progress) -> None:
        """Show *made*; work that was done before the first call does not count for the time left.

        In a pipe each *made* with a label gets a line. Without labels there is a line whenever the
        share done has grown by `STEP` percent since the last line or the first call, but none at
        the first call and none at the end. While the total is 0, unknown, no share and no time left
        are told, only labels.
        """
        done, total, news = made.done, made.total, made.text(language())
        percent = int(100 * made.share)
        first = self._before is None
        if self._before is None:
            self._before = done - bool(news)
            self._since = self._since if news else monotonic()
            self._said = percent
            if self._bar is not None:
                self._bar.reset(self._task, total=total or None, completed=int(self._before))
        if self._bar is not None:
            words = printable(news or self._name)
            self._bar.update(self._task, total=total or None, completed=done, description=words)
        elif news and not (total and done > self._before):
            progress(f"{done:g}/{total:g}  {news}" if total else f"{done:g}  {news}")
        elif news:
            left = say("tournament.time_left", time=self._left(done, total))
            progress(f"{done:g}/{total:g}  {left}  {news}")
        elif not first and self._said + STEP <= percent < 100:
            self._said = percent
            left = self._left(done, total)
            progress(say("lab.progress", paper=self._name, percent=percent, left=left))

    def _left(self, done: float, total: float) -> str:
        """Return the time left at the speed so far, as ``minutes:seconds``.

        *done* must be more than was done before the first update, else raise ZeroDivisionError.
        Seconds are rounded down.
        """
        assert self._before is not None
        seconds = (monotonic() - self._since) * (total - done) / (done - self._before)
        return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class CompilerCounter:
    """Counts compiled functions in a line on a terminal, once `MOMENT` seconds have passed.

    They are counted from the first call of `update`.
    """

    def __init__(self) -> None:
        self._count = 0
        self._began: float | None = None

    def update(self, begins: bool) -> None:
        """Count a function whose compilation *begins* (True), or clear the line as it ends (False).

        Before `MOMENT` seconds have passed since the first call, nothing is shown or cleared.
        """
        self._count += begins
        self._began = self._began or monotonic()
        if monotonic() - self._began > MOMENT:
            rewrite(say("cli.compiling", count=self._count) if begins else "")


class Findings:
    """Shows on standard error what a search has found so far: on a terminal a line that changes.

    In a pipe, lines if *wanted*, else nothing. A context manager; the search gets its `listener`.
    """

    def __init__(self, wanted: bool) -> None:
        self._live = Live(console=_console_for_news(), transient=True, redirect_stdout=False)
        self._on_screen = sys.stderr.isatty()
        self._next = 0
        self._root: Event = {}
        """The last root event; empty before the first."""
        self.listener: Listener | None = self._update if self._on_screen or wanted else None
        """The listener for the search; None if nothing is shown."""

    def __enter__(self) -> Self:
        if self._on_screen:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._on_screen:
            self._live.stop()

    def _update(self, event: Event) -> None:
        """Show what is known after *event*, if it is of the kind ``root`` or ``progress``.

        In a pipe that is at most every `PAUSE` milliseconds of the search. Events of other kinds
        change nothing.
        """
        if event["t"] == "root":
            self._root = event
        elif event["t"] != "progress":
            return
        known = {**self._root, **event}
        if self._on_screen:
            self._live.update(Text(printable(findings(known))))
        elif event["ms"] >= self._next:
            self._next = event["ms"] + PAUSE
            progress(findings(known))


def findings(event: Event) -> str:
    """Return what is known of a search as one line: bounds or depth, work, speed, best line.

    *event* has the fields of the last root and progress events (docs/events.md); without a root
    event there is only the work. Bounds are in points for the seat to move, and stand in place of
    the depth if they are known. Of a line `LONGEST` moves are shown at most.
    """
    seconds = figure(event["ms"] / 1000, ".1f")
    work = say("progress.work", nodes=event["nodes"], speed=event["nps"], seconds=seconds)
    if "best" not in event:
        return work
    lines = {move["m"]: move.get("pv") for move in event["moves"]}
    line = lines.get(event["best"]) or [event["best"]]
    facts = {"work": work, "line": " ".join(line[:LONGEST])}
    if not event.get("bounds"):
        return say("progress.search", depth=event["depth"], **facts)
    low, high = event["bounds"]
    return say("progress.proof", low=value_text(low), high=value_text(high), **facts)
