"""Ctrl-C while an agent thinks: it ends the thinking, and what is known by then is still said."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from papan.core.thinking import Cancelled, never

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


@contextmanager
def until_interrupted() -> Iterator[Cancelled]:
    """Has someone pressed Ctrl-C? Then KeyboardInterrupt comes at the end, or when pressed again.

    Only the main thread can hear it.
    """
    if current_thread() is not main_thread():
        yield never
        return
    before = signal.getsignal(signal.SIGINT)
    heard = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        heard = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, hear)
    try:
        yield lambda: heard
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt
