"""Processes that think, and the fork server, which has every search loaded and forks them.

Whatever a search does, it does here, where it can be killed. ``python -m papan.web.worker HOW`` and
its MEMORY is a worker that loads what a task needs (*cold*) or everything first (*warm*), or a fork
server, which ends where something would have to be compiled (*fork*) or compiles it, in case that
cannot be kept (*fork-anyway*); *compile* compiles everything and ends.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
from contextlib import AbstractContextManager, nullcontext
from math import inf, isfinite
from threading import Event as Signal
from threading import current_thread, main_thread
from typing import Any, TextIO

from papan import catalog
from papan.core import Agent, Limit, Position
from papan.core.compiling import NotCompiledError, plain_searches, unawaited
from papan.core.thinking import Cancelled
from papan.lab.machine import cores
from papan.process.host import limit_memory, limit_processor
from papan.process.lines import (
    Emit,
    Message,
    emitter,
    heard,
    private_streams,
    serve,
    when_over,
)
from papan.web.calls import CALLS
from papan.web.event_stream import EventStream

LOADING = 600
"""Seconds of processor time for what a task needs: it may even have to be compiled."""
CPU_RESERVE = 30
"""Seconds of processor time beyond a task's limit, after which the system ends the process."""
NOT_COMPILED = 3
"""How a fork server ends that would have to compile: that is another process's work."""


def main() -> None:
    """Do what the first argument says."""
    how, memory = sys.argv[1], int(sys.argv[2])
    if how == "compile":
        _compile()
    elif how in ("cold", "warm"):
        requests, out = private_streams()
        import numba  # noqa: F401 - what takes longest to load

        for search in catalog.searches().values() if how == "warm" else ():
            search()
        work(requests, out, memory, how == "warm")
    else:
        _fork_workers(memory, compiling=how == "fork-anyway")


def work(requests: TextIO, out: TextIO, memory: int, warm: bool) -> None:
    """Think about one task after the other until the input ends."""
    if current_thread() is main_thread():  # else this is part of a process that is no worker
        limit_memory(memory)
    stop, emit = Signal(), emitter(out, _plain)

    def handle(task: Message) -> Message:
        return (_call if "call" in task else _think)(task, stop.is_set, emit)

    tasks = heard(requests, stop)
    emit({"t": "ready", "pid": os.getpid(), "warm": warm})
    serve(tasks, emit, handle)


def _think(task: Message, cancelled: Cancelled, emit: Emit) -> Message:
    """What an agent thinks; nothing counts for its limit before it has loaded."""
    outgoing = EventStream(emit)
    position = catalog.position(task["position"])
    agent = catalog.agent(task["agent"])
    limit = Limit(task["seconds"], task["nodes"] or inf)
    if task["all_moves"] and agent.name == "solver" and position.game.has_solver:
        settings = {"memory": agent.memory, "all_moves": True}  # type: ignore[attr-defined]
        agent = position.game.solver(**settings) or agent
    limit_processor(LOADING)
    with _loaded(agent, position):
        limit_processor(task["seconds"] * cores() + CPU_RESERVE)
        analysis = agent.analyse(position, limit, outgoing.hear, cancelled)
    outgoing.flush()
    return {"t": "analysis", **analysis.json()}


def _loaded(agent: Agent, position: Position) -> AbstractContextManager[None]:
    """Load what *agent* needs; what is not compiled yet has a plain twin, or is waited for."""
    try:
        with unawaited() if agent.has_plain_twin else nullcontext():
            agent.load(position)
    except NotCompiledError:
        return plain_searches()
    return nullcontext()


def _call(task: Message, cancelled: Cancelled, emit: Emit) -> Message:
    """What one of the calls answers."""
    limit_processor(task["seconds"] * cores() + CPU_RESERVE)
    emit({"t": "start"})
    return {"t": "answer", "text": CALLS[task["call"]](cancelled, **task["arguments"])}


def _plain(data: Any) -> Any:
    """The same data without numbers that JSON cannot write: a bound that is none."""
    if isinstance(data, float):
        return data if isfinite(data) else None
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(each) for each in data] if isinstance(data, list | tuple) else data


def _fork_workers(memory: int, compiling: bool) -> None:
    """Be the fork server: a worker for each connection that comes through standard input."""
    if not compiling:
        _end_at_compilation()
    channel = socket.socket(fileno=os.dup(0))
    requests, out = private_streams()
    requests.close()  # a copy of the channel, which would stay open in workers
    with channel, out:
        for search in catalog.searches().values():
            if _server_is_gone(channel):
                return
            search()
        gc.collect()
        gc.freeze()  # what is loaded stays shared: nobody looks through it for garbage
        emitter(out)({"t": "ready"})
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system itself forgets who has ended
        while handle := _request(channel):
            if not os.fork():
                out.close()
                channel.close()
                _be_a_worker(handle, memory)
            os.close(handle)


def _request(channel: socket.socket) -> int | None:
    """The connection of the next worker that is wanted; None when the server is gone."""
    _, handles, *_ = socket.recv_fds(channel, 1, 1)
    return handles[0] if handles else None


def _be_a_worker(handle: int, memory: int) -> None:
    """Think for the server at the other end of *handle* until it is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # so that it is ended with whatever it starts, and weighed on its own
    with socket.socket(fileno=handle) as connection:
        tasks = connection.makefile("r", encoding="utf-8")
        out = connection.makefile("w", encoding="utf-8")
        try:
            work(tasks, out, memory, warm=True)
        finally:
            os._exit(0)


def _compile() -> None:
    """Compile everything, and tell how far it is; without a server, end."""
    requests, out = private_streams()
    when_over(requests, lambda: os._exit(1))
    emit, searches = emitter(out), catalog.searches()
    for done, search in enumerate(searches.values()):
        emit({"t": "compiling", "done": done, "total": len(searches)})
        search()


def _server_is_gone(channel: socket.socket) -> bool:
    look = select.poll()
    look.register(channel, select.POLLHUP)
    return bool(look.poll(0))


def _end_at_compilation() -> None:
    """End this process when Numba begins to compile: what it loads from its cache is no matter."""
    from numba.core import event

    class End(event.Listener):
        def on_start(self, event: object) -> None:
            os._exit(NOT_COMPILED)

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", End())  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
