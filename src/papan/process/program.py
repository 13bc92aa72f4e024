"""The process of an external agent: lines of text in and out, limits, and how it is ended."""

from __future__ import annotations

import os
import select
import socket
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import sleep
from typing import IO
from weakref import finalize

from papan.core.errors import PapanError
from papan.core.message import Message
from papan.process.groups import ControlGroup
from papan.process.host import (
    end_marked,
    marked_environment,
    new_mark,
    peak_below,
    signal_name,
    spent_below,
)
from papan.process.sandbox import SandboxView, filter_file, find_sandbox
from papan.process.supervisor import ProgramLimits, supervised

MOST_BYTES = 1_000_000
"""Bytes that a program may write for one answer, standard error included."""
LONGEST_LINE = 10_000
LAST_WORDS = 5.0
"""Seconds that a program has to end after it has closed its output."""
SWEEP = 30.0
"""Seconds that the supervisor has to end everything, enough for a busy machine."""
SUPERVISED = os.name == "posix"
MOST_PROCESSES = 64
"""Largest number of processes that a program may have at the same time."""
SIGNALLED = 128
"""The sandbox reports a signal as an exit code: this plus its number."""
DRAIN_SECONDS = 0.0005
"""Seconds between two checks whether everything that the program has printed has been read."""
LAST_LINES = 200
LONGEST_PRINTED = 4000
"""Characters of standard error that are stored, to show why the program failed."""


class ProgramError(PapanError):
    """Raised if a program cannot be started, ends too early, or breaks a limit: it gives no answer.

    *key* and *values* are those of PapanError. Without the value *agent* the text calls the program
    unnamed.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, **{"agent": Message("program.unnamed"), **values})


class ProgramProcess:
    """A running program and its supervisor: lines of text are sent to it and read with a timeout.

    It ends by `end` or `fail`, when nothing refers to it any more, or when papan ends.
    """

    def __init__(
        self,
        command: Sequence[str],
        megabytes: int,
        headroom: int = 1,
        aloud: bool = False,
        view: SandboxView | None = None,
    ) -> None:
        """Start *command* with *megabytes* (MiB) of memory for all of its processes together.

        Each process may reserve *headroom* times as much, since some languages reserve what they
        never use. Standard error is stored, or with *aloud* passed on. With a *view* the program
        runs in the sandbox and sees nothing else. Raise ProgramError if it cannot be started; under
        a supervisor mostly the first `line` raises that instead. Raise PapanError if a sandbox is
        needed and there is none.
        """
        self.megabytes, self._confined = megabytes, view is not None
        sandbox = find_sandbox() if view else None
        self._group, self._mark = ControlGroup.new(megabytes), new_mark()
        self._line, theirs = socket.socketpair()
        folders = self._group.folders if self._group else ""
        limits = ProgramLimits(
            megabytes, headroom * megabytes, MOST_PROCESSES, folders, self._confined
        )
        filtering = filter_file(by_process=not self._group) if view else -1
        inherited: tuple[int, ...] = (theirs.fileno(),) if SUPERVISED else ()
        try:
            with ExitStack() as started:
                if sandbox and view:
                    confined = sandbox.confined(command, view, filtering)
                    confining = started.enter_context(confined)
                    command, inherited = confining.words, inherited + confining.descriptors
                process = subprocess.Popen(
                    supervised(theirs.fileno(), limits, command) if SUPERVISED else command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=None if aloud else subprocess.PIPE,
                    start_new_session=True,
                    pass_fds=inherited,
                    env=marked_environment(self._mark),
                )
        except (OSError, ValueError) as error:  # also a name that cannot be one
            if self._group:
                self._group.end()
            raise ProgramError("program.cannot_start", why=error) from None
        finally:
            theirs.close()
            if filtering >= 0:
                os.close(filtering)
        assert process.stdin and process.stdout
        self.games: tuple[str, ...] = ()
        """Names of the games that it plays; empty for all."""
        self._process, self._counted, self._peak = process, 0.0, 0
        self._input: SimpleQueue[bytes | None] = SimpleQueue()
        self._output = _Output()
        _in_background(_write, process.stdin, self._input)
        self._listener = _in_background(_read_lines, process.stdout, self._output)
        self._reader = _in_background(_read_messages, process.stderr, self._output)
        left = _Resources(process, self._line, self._input, self._group, self._mark)
        self.end = finalize(self, left.end)
        """End the program and all that it has started; called when papan ends at the latest."""

    def processor_seconds(self) -> float:
        """Return the processor seconds that all of its processes have used; 0 if not known."""
        return self._group.processor_seconds() if self._group else spent_below(self._process.pid)

    def seconds_since(self) -> float:
        """Return the processor seconds used since the last `count_anew`, or since the start."""
        return self.processor_seconds() - self._counted

    def count_anew(self) -> float:
        """Return the processor seconds used since the last call, or since the start.

        `seconds_since` counts from here on.
        """
        before, self._counted = self._counted, self.processor_seconds()
        return self._counted - before

    def peak_memory(self) -> int:
        """Return the most bytes of memory that all of its processes have had together so far.

        Without a control group it is an estimate: each call adds up the own peaks of the processes
        that are alive, and the largest sum of all calls is returned. 0 if the system does not tell.
        """
        found = self._group.peak_memory() if self._group else 0
        self._peak = max(self._peak, found or peak_below(self._process.pid))
        return self._peak

    def ask(self, *lines: str) -> None:
        """Discard the output so far, and send *lines* (without ends) to the program.

        Do not wait until they are read.
        """
        self._output.forget()
        self.send(*lines)

    def send(self, *lines: str) -> None:
        """Send *lines* (without ends) to the program; do not wait. Never raises."""
        self._input.put("".join(f"{line}\n" for line in lines).encode())

    def printed(self) -> str:
        """Return what the program has written to standard error since the last `ask`, lines joined.

        Of a long text it is the last `LONGEST_PRINTED` characters; empty if there is none, or if it
        is passed on.
        """
        stream = self._process.stderr
        with suppress(OSError, ValueError):  # it is closed
            while SUPERVISED and stream and self._output.behind(stream) and self._reader.is_alive():
                sleep(DRAIN_SECONDS)
        return self._output.messages_text()

    def line(self, seconds: float) -> str | None:
        """Return the next line of output, stripped; None after *seconds* in which none came.

        Control characters are replaced; a line of more than `LONGEST_LINE` bytes comes in pieces.
        Raise ProgramError if no line is left of a program that has ended or closed its output, or
        if it has written more than `MOST_BYTES` since the last `ask`. After the end of a program
        the call may take some `LAST_WORDS` seconds more.
        """
        try:
            line = self._output.lines.get(timeout=seconds)
        except Empty:
            if self._process.poll() is None:
                return None
            line = self._last_line()
        if self._output.bytes > MOST_BYTES:
            raise ProgramError("program.flood", most=MOST_BYTES)
        if line is None:
            raise self._end_error()
        return _printable(line)

    def _last_line(self) -> bytes | None:
        """Return a line that arrives after the program has ended; None if none does.

        It waits for `LAST_WORDS` seconds at most. A descendant may hold the output open; if the
        supervisor was killed, all are ended first.
        """
        if SUPERVISED and self._process.returncode < 0:
            self.end()
        self._listener.join(timeout=LAST_WORDS)
        with suppress(Empty):
            return self._output.lines.get_nowait()
        return None

    def fail(self, error: BaseException) -> None:
        """End the program; add what it has `printed` to *error* as a note."""
        self.end()
        self._reader.join(timeout=LAST_WORDS)  # its last words may still be on the way
        if printed := self._output.messages_text():
            error.add_note(printed)

    def _end_error(self) -> ProgramError:
        """Return the error that says why no more output comes: how the program ended.

        Wait for its end, `LAST_WORDS` seconds at most.
        """
        try:
            code = self._process.wait(timeout=LAST_WORDS)
        except subprocess.TimeoutExpired:
            return ProgramError("program.mute")
        how, _, why = self._report().partition(" ")
        if how == "cannot_start":
            return ProgramError("program.cannot_start", why=why)
        if how == "crowd":
            return ProgramError("program.crowd", most=MOST_PROCESSES)
        if how == "memory":
            return ProgramError("program.memory", megabytes=self.megabytes)
        if not how and SUPERVISED and code < 0:
            return ProgramError("program.unsupervised", signal=signal_name(-code))
        code = int(why) if how == "ended" else code
        if self._confined and code > SIGNALLED:
            code = SIGNALLED - code
        if code < 0:
            return ProgramError("program.killed", signal=signal_name(-code))
        self._reader.join(timeout=LAST_WORDS)  # its last words may still be on the way
        last = self._output.last_words()
        return ProgramError(
            "program.ended_saying" if last else "program.ended", code=code, last=last
        )

    def _report(self) -> str:
        """Return the supervisor's first line on the program's end, such as ``ended 1``; "" if none.

        Its forms are listed at `papan.process.supervisor.main`.
        """
        with suppress(OSError):
            self._line.setblocking(False)
            return _printable(self._line.recv(LONGEST_LINE).partition(b"\n")[0])
        return ""


class _Output:
    """Output of a program since the last question: lines, standard error, and their size in bytes.

    Lines of standard error before the last `LAST_LINES` are dropped.
    """

    def __init__(self) -> None:
        self.lines: SimpleQueue[bytes | None] = SimpleQueue()
        """Lines of standard output; None at its end."""
        self.bytes = 0
        """Bytes read since the last question, of both streams."""
        self.messages: deque[bytes] = deque(maxlen=LAST_LINES)
        self.taking = Lock()
        """Held from the reading of a piece of standard error until its lines are in *messages*."""

    def behind(self, stream: IO[bytes]) -> bool:
        """Return True if some of *stream*, standard error, is not in *messages* yet.

        An empty pipe alone is no proof: a piece may just be on its way from there to *messages*.
        """
        with self.taking:
            return _readable(stream, 0)

    def forget(self) -> None:
        """Drop all that was read, but for the end of standard output, and count from 0 again."""
        self.bytes = 0
        self.messages.clear()
        while not self.lines.empty():
            if self.lines.get() is None:  # this stays true
                self.lines.put(None)
                return

    def messages_text(self) -> str:
        """Return the last `LONGEST_PRINTED` characters of its standard error; "" if none."""
        return "\n".join(_printable(line, end=True) for line in [*self.messages])[-LONGEST_PRINTED:]

    def last_words(self) -> str:
        """Return the last non-empty line of its standard error, usually the error; "" if none."""
        lines = map(_printable, reversed([*self.messages]))
        return next(filter(None, lines), "")


def _printable(line: bytes, end: bool = False) -> str:
    """Return a line of UTF-8 as text that can be printed.

    Tabs become spaces; control characters and faulty bytes become U+FFFD. Spaces around it are
    removed; with *end* only those at its end.
    """
    text = line.decode(errors="replace").expandtabs(4)
    text = text.rstrip() if end else text.strip()
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _in_background(work: Callable[..., None], *arguments: object) -> Thread:
    """Call *work* with *arguments* in a thread, and return it; papan's end does not wait for it."""
    thread = Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _write(stream: IO[bytes], queued: SimpleQueue[bytes | None]) -> None:
    """Write what is queued to *stream*, as fast as it is read; close it when None is queued.

    Stop, without an error, if nobody reads it any more.
    """
    with suppress(OSError), stream:
        while (text := queued.get()) is not None:
            stream.write(text)
            stream.flush()


def _read(stream: IO[bytes], output: _Output, keep: Callable[[bytes], object]) -> None:
    """Call *keep* with each line of *stream*, until *output* counts over `MOST_BYTES` or it ends.

    Then *stream* is closed; no error is raised. The bytes read are added to those of *output*; a
    line beyond `LONGEST_LINE` bytes comes in pieces.
    """
    with suppress(OSError), stream:
        while output.bytes <= MOST_BYTES and (line := stream.readline(LONGEST_LINE)):
            output.bytes += len(line)
            keep(line)


def _read_lines(stream: IO[bytes], output: _Output) -> None:
    """Add the lines of *stream*, a standard output, to *output*, then None, which is their end."""
    _read(stream, output, output.lines.put)
    output.lines.put(None)


def _read_messages(stream: IO[bytes] | None, output: _Output) -> None:
    """Add each line of *stream* (None: it is passed on) to the messages of *output*.

    After more than `MOST_BYTES` it stops, and ends the lines of *output*. A line whose end has not
    come is added once it has `LONGEST_LINE` bytes, or when the stream ends.
    """
    if stream is None:
        return
    begun = b""
    with suppress(OSError, ValueError), stream:
        while output.bytes <= MOST_BYTES and (not SUPERVISED or _readable(stream, None)):
            with output.taking:
                if not (piece := os.read(stream.fileno(), LONGEST_LINE)):
                    break
                output.bytes += len(piece)
                *lines, begun = (begun + piece).split(b"\n")
                output.messages.extend(lines)
                if len(begun) >= LONGEST_LINE:
                    output.messages.append(begun)
                    begun = b""
    if begun:
        output.messages.append(begun)
    if output.bytes > MOST_BYTES:
        output.lines.put(None)


def _readable(stream: IO[bytes], milliseconds: float | None) -> bool:
    """Return True once *stream* has bytes or its end; False after *milliseconds* (None: never)."""
    waiting = select.poll()
    waiting.register(stream, select.POLLIN)
    return bool(waiting.poll(milliseconds))


class _Resources:
    """Resources of a running program, which `end` releases in the process that started it.

    *line* is the socket to its supervisor, *queued* its input, *group* its control group, if it has
    one, *mark* the mark of its processes (`new_mark`).
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        line: socket.socket,
        queued: SimpleQueue[bytes | None],
        group: ControlGroup | None,
        mark: str,
    ) -> None:
        self._process, self._line, self._input = process, line, queued
        self._group, self._mark = group, mark
        self._owner = os.getpid()

    def end(self) -> None:
        """Make the supervisor kill all processes; kill them from here if the supervisor is gone.

        Wait until they have ended: the supervisor is killed after `SWEEP` seconds. Remove the
        control group. Do nothing in a fork of the process that started them.
        """
        if os.getpid() != self._owner:
            return
        self._input.put(None)
        with suppress(OSError):  # the supervisor notices it, even if a copy holds the line open
            self._line.shutdown(socket.SHUT_WR)
        if not SUPERVISED:
            self._process.kill()
        try:
            with suppress(KeyboardInterrupt):  # Ctrl-C is ignored: the wait is short
                self._process.wait(SWEEP)
        except subprocess.TimeoutExpired:  # something has stopped the supervisor itself
            self._process.kill()
            self._process.wait()
        self._line.close()
        if self._process.returncode:
            end_marked(self._mark)
        if self._group:
            self._group.end()
