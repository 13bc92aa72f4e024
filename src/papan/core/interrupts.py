"""Ctrl-C: first a flag that searches look at, then KeyboardInterrupt where it does no harm.

Python raises KeyboardInterrupt wherever the main thread happens to be. In a finaliser it is printed
and lost, in an import or a write it leaves half of something, and a search cannot say what it has
found. Within `interruptible` the first Ctrl-C is a flag: searches end with what they know, and
KeyboardInterrupt is raised as soon as no import, finaliser, compiler or write is under way. Any
further one is raised at once.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` without enums: 2 µs, not 30
import _thread
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident, main_thread
from time import monotonic, sleep
from types import FrameType
from typing import Any

GRACE = 3.0
"""Seconds that a search has to end by itself, before KeyboardInterrupt is raised in it."""
REPEAT = 0.02
"""Seconds until a Ctrl-C that came at a bad moment is sent again."""
WAITING = "papan.engine.control"
"""The module that waits for kernels: they all check the flag, so they end by themselves."""
DELICATE = ("importlib", "llvmlite", "numba", "weakref", "_weakrefset")
"""Modules that must not be left by an exception: imports, the compiler, finalisers."""
FINALISER = "__del__"
REPLACED: list[object] = [signal.default_int_handler]
"""The handlers that are replaced: Python's own, and that of the command while it starts."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a call of papan's; `result` is its result so far.

    It has the type that the call returns, for the part that is done: the analysis so far, a match
    of the games that are over. It is a KeyboardInterrupt.
    """

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.result,)  # a pool of processes sends it


class _Interrupts:
    """The state of Ctrl-C: received or not, raised or not; used by the main thread alone."""

    def __init__(self) -> None:
        self.calls = 0
        """Number of `interruptible` blocks that the main thread is in."""
        self.answering = 0
        """Number of them that check the flag by themselves."""
        self.writing = 0
        """Number of `unbroken` blocks that the main thread is in."""
        self.presses = 0
        """Number of Ctrl-C since the outermost `interruptible` block began."""
        self._raised = False
        """True if KeyboardInterrupt was raised and has not arrived yet."""
        self._since = 0.0
        """Time of `monotonic`, in seconds, of the last Ctrl-C."""
        self._ringing = False
        """True while a thread sends the signal again and again."""
        self._rung = False
        """True if the next signal is a repetition of ours."""
        self._lock = Lock()
        self._before: list[tuple[int, Any]] = []
        """Each signal that is handled here, with its former handler."""
        self._unraisable: Any = None

    # -- begin and end

    def begin(self) -> None:
        """Handle Ctrl-C from now on, until `end`; reset what is known of earlier ones.

        A handler of SIGINT that is not one of `REPLACED` stays, and Ctrl-C is left to it.
        `sys.unraisablehook` is replaced, too.
        """
        self.presses, self._raised = 0, False
        if _signal.getsignal(signal.SIGINT) in REPLACED:
            self.take(signal.SIGINT)
        self._unraisable, sys.unraisablehook = sys.unraisablehook, self._lost

    def take(self, number: int) -> None:
        """Handle the signal *number*, such as SIGTERM, like Ctrl-C as well, until `give_back`.

        The system must have this signal; its former handler is kept for `give_back`.
        """
        self._before.append((number, _signal.signal(number, self.handle)))

    def give_back(self, taken: int) -> None:
        """Restore the former handlers of all but the first *taken* signals, the last one first.

        A handler that was changed meanwhile stays.
        """
        while len(self._before) > taken:
            number, handler = self._before.pop()
            if _signal.getsignal(number) == self.handle:  # else it has been changed since
                _signal.signal(number, handler)

    def end(self) -> bool:
        """Restore handlers and hook; return whether there was a Ctrl-C but nothing raised for it.

        What was changed by others meanwhile stays. No more signals are repeated.
        """
        with self._lock:
            ringing, self._ringing = self._ringing, False
        if ringing:
            os.getppid()  # a signal that is on its way arrives when a system call returns
        self.give_back(0)
        if sys.unraisablehook == self._lost:
            sys.unraisablehook = self._unraisable
        pending, self.presses = self.presses > 0 and not self._raised, 0
        return pending

    # -- what happens meanwhile

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal *number*, or its repetition: raise KeyboardInterrupt, now or later.

        Now if that is `_harmless` in *frame*, where the main thread is, as Python gives it to
        handlers; else a thread repeats the signal. Nothing is done for a repetition of a signal for
        which it was raised already; a second Ctrl-C raises it anew.
        """
        repeated, self._rung = self._rung, False
        if not repeated:
            self.presses += 1
            self._since = monotonic()
            self._raised = self._raised and self.presses == 1
        if not self._raised:
            if self._harmless(frame):
                self._raised = True
                raise KeyboardInterrupt
            self._repeat(number)

    def _harmless(self, frame: FrameType | None) -> bool:
        """Return whether KeyboardInterrupt may be raised while the main thread is in *frame*.

        It may never be raised in this module. After the first Ctrl-C it may not be raised in a
        write, an import, a finaliser or the compiler either, nor while a kernel is waited for or a
        search still has time to end by itself.
        """
        insists = self.presses > 1
        if not insists and (self.writing or self._about_to_answer()):
            return False
        while frame is not None:
            module = str(frame.f_globals.get("__name__"))
            if module == __name__:
                return False
            delicate = module == WAITING or module.partition(".")[0] in DELICATE
            if not insists and (delicate or frame.f_code.co_name == FINALISER):
                return False
            frame = frame.f_back
        return True

    def _about_to_answer(self) -> bool:
        """Return whether an `answering` block has still time to end: `GRACE` since Ctrl-C."""
        return self.answering > 0 and monotonic() < self._since + GRACE

    def _repeat(self, number: int) -> None:
        """Start a thread that sends the signal *number* until KeyboardInterrupt or `end`.

        It sends one every `REPEAT` seconds; nothing is done if such a thread runs already. The
        handler calls this, and must not wait for a lock that the main thread may hold: `threading`
        has locks of its own, so the thread is one of `_thread`.
        """
        if not self._ringing:
            self._ringing = True
            _thread.start_new_thread(self._ring, (number,))

    def _ring(self, number: int) -> None:
        """Send the signal *number* every `REPEAT` seconds until its error was raised or `end`."""
        while True:
            sleep(REPEAT)
            with self._lock:
                if self._raised or not self._ringing:
                    self._ringing = False
                    return
                self._rung = True
                _send(number)

    def _lost(self, unraisable: Any) -> None:
        """Handle an exception that cannot propagate, as `sys.unraisablehook` gets it.

        The KeyboardInterrupt of a Ctrl-C is sent again, to be raised elsewhere; others go to the
        hook that was there before.
        """
        if issubclass(unraisable.exc_type, KeyboardInterrupt) and self.presses:
            self._raised = False
            self._repeat(signal.SIGINT)
        else:
            self._unraisable(unraisable)

    def raise_now(self, error: KeyboardInterrupt) -> None:
        """Raise *error*; in the main thread note that it was raised, so that `end` does not."""
        self._raised = self._raised or _in_main_thread()
        raise error


def _send(number: int) -> None:
    """Send the signal *number* to the main thread, which wakes it from a system call if it can."""
    if hasattr(signal, "pthread_kill"):
        ident = main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


_interrupts = _Interrupts()


def _in_main_thread() -> bool:
    return get_ident() == main_thread().ident


def pressed() -> bool:
    """Return whether Ctrl-C was pressed within the outermost `interruptible` block that goes on.

    False outside of one. Works in any thread.
    """
    return _interrupts.presses > 0


def stop_if_pressed() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was `pressed`, in whatever thread this is called."""
    if _interrupts.presses:
        _interrupts.raise_now(KeyboardInterrupt())


def hand_over(result: object) -> None:
    """Raise Interrupted with *result* if Ctrl-C was pressed; for the end of an `answering` block.

    Nothing is raised inside a nested `answering` block, whose outer one has more results, or in
    other threads than the main one.
    """
    if _interrupts.presses and _interrupts.answering == 1 and _in_main_thread():
        _interrupts.raise_now(Interrupted(result))


class _Interruptible:
    """The context managers `interruptible` and `answering`: Ctrl-C is handled within them.

    If *answers*, the work within checks `pressed` by itself, so it gets `GRACE` seconds to end and
    to hand over its result before KeyboardInterrupt is raised in it. They can be nested and entered
    again; leaving the outermost one raises KeyboardInterrupt if a Ctrl-C is still unanswered. In
    other threads than the main one they do nothing.
    """

    def __init__(self, answers: bool) -> None:
        self._answers = answers

    def __enter__(self) -> None:
        if _in_main_thread():
            if not _interrupts.calls:
                _interrupts.begin()
            _interrupts.calls += 1
            _interrupts.answering += self._answers

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if not _in_main_thread():
            return
        _interrupts.answering -= self._answers
        _interrupts.calls -= 1
        if not _interrupts.calls and _interrupts.end() and not _is_interrupt(kind):
            raise KeyboardInterrupt


def _is_interrupt(kind: type[BaseException] | None) -> bool:
    return kind is not None and issubclass(kind, KeyboardInterrupt)


interruptible = _Interruptible(answers=False)
"""Context in which Ctrl-C is handled as this module describes, and never lost.

Only if Python's own handler is installed: any other one stays. It does nothing in other threads
than the main one, as they receive no signals.
"""
answering = _Interruptible(answers=True)
"""`interruptible` around work that checks `pressed` and ends by itself."""


@contextmanager
def unbroken() -> Iterator[None]:
    """Defer the first Ctrl-C to the end of the context; for writing files that must be whole.

    A second Ctrl-C is raised at once. Outside of `interruptible`, and in other threads than the
    main one, this does nothing: no Ctrl-C is deferred.
    """
    if not _in_main_thread():
        yield
        return
    _interrupts.writing += 1
    try:
        yield
    finally:
        _interrupts.writing -= 1


@contextmanager
def stopped_by_signal() -> Iterator[None]:
    """Handle SIGTERM and SIGHUP like Ctrl-C within the context, which is `interruptible`, too.

    Does nothing in other threads than the main one, or for a signal that the system lacks.
    """
    with interruptible:
        taken = len(_interrupts._before)
        if _in_main_thread():
            for name in ("SIGTERM", "SIGHUP"):
                if hasattr(signal, name):
                    _interrupts.take(getattr(signal, name))
        try:
            yield
        finally:
            if _in_main_thread():
                _interrupts.give_back(taken)
