"""The fork server: a process that loads every search, then forks a worker when asked.

``python -m papan.web.fork_server load MEMORY`` ends where something would have to be compiled,
``anyway MEMORY`` compiles it, in case that cannot be kept, ``compile`` compiles all of it and ends.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from threading import Thread

from papan import catalog
from papan.web.process import NOT_COMPILED
from papan.web.worker import own_output, serve


def main() -> None:
    """Do what the first argument says."""
    how, *memory = sys.argv[1:]
    if how == "compile":
        _compile()
        return
    if how == "load":
        _end_at_compilation()
    with socket.socket(fileno=os.dup(0)) as channel, own_output() as out:
        for search in catalog.searches().values():
            if _server_is_gone(channel):
                return
            search()
        gc.collect()
        gc.freeze()  # what is loaded stays shared: nobody looks through it for garbage
        print("ready", file=out, flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system itself forgets who has ended
        while handle := _request(channel):
            if not os.fork():
                out.close()
                channel.close()
                _be_a_worker(handle, int(memory[0]))
            os.close(handle)


def _request(channel: socket.socket) -> int | None:
    """The connection of the next worker that is wanted; None when the server is gone."""
    _, handles, *_ = socket.recv_fds(channel, 1, 1)
    return handles[0] if handles else None


def _be_a_worker(handle: int, memory: int) -> None:
    """Think for the server at the other end of *handle* until it is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # so that it is ended with whatever it starts, and weighed on its own
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with socket.socket(fileno=handle) as connection:
        tasks = connection.makefile("r", encoding="utf-8")
        out = connection.makefile("w", encoding="utf-8")
        try:
            serve(tasks, out, memory, warm=True)
        finally:
            os._exit(0)


def _compile() -> None:
    """Compile everything, and tell how far it is; without a server, end."""
    out = own_output()
    Thread(target=_end_with_the_server, daemon=True).start()
    searches = catalog.searches()
    for done, search in enumerate(searches.values()):
        print(json.dumps([done, len(searches)]), file=out, flush=True)
        search()


def _end_with_the_server() -> None:
    """Wait for the end of the input, which the server holds open for as long as it lives."""
    while os.read(0, 1024):
        pass
    os._exit(1)


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
