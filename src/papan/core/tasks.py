"""Work in a thread for programs that use asyncio: cancelling the task stops the search in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[Callable[[], bool]], T], cancelled: Callable[[], bool]) -> T:
    """Run *work* in a thread of its own; return its result, raise its exception.

    *work* is called with a function that returns whether to stop: because the task is cancelled, or
    because *cancelled* returns True. A cancelled task waits until *work* has ended, and then raises
    CancelledError; a second cancellation does not wait. The thread is a daemon.
    """
    loop, stop = asyncio.get_running_loop(), Event()
    over: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        """Do the work in this thread, and tell the task its result or exception."""
        try:
            found = work(lambda: stop.is_set() or cancelled())
        except BaseException as error:  # raised again by the task
            tell(over.set_exception, error)
        else:
            tell(over.set_result, found)

    def tell(how: Callable[[T], None] | Callable[[BaseException], None], what: object) -> None:
        """Call *how* with *what* in the task's thread, unless the task or its loop is over."""
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(lambda: over.done() or how(what))  # type: ignore[arg-type]

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    try:
        return await asyncio.shield(over)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([over])
        if not over.cancelled():
            over.exception()  # retrieved, so that asyncio does not log it
        raise
