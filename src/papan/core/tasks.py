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
    """Run *work* in a thread; returns what it returns, raises what it raises.

    It is given a function that says whether to stop: because the task is cancelled, or because
    *cancelled* says so. A cancelled task ends when its thread has ended, so that no search goes on
    behind its back; a second cancellation does not wait. The thread is a daemon.
    """
    loop, stop = asyncio.get_running_loop(), Event()
    over: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        try:
            found = work(lambda: stop.is_set() or cancelled())
        except BaseException as error:  # it belongs to whoever awaits it
            tell(over.set_exception, error)
        else:
            tell(over.set_result, found)

    def tell(how: Callable[[T], None] | Callable[[BaseException], None], what: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: over.done() or how(what))  # type: ignore[arg-type]

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    try:
        return await asyncio.shield(over)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([over])
        if not over.cancelled():
            over.exception()  # looked at, so that nobody complains of it
        raise
