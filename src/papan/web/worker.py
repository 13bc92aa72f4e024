"""A process that thinks: it reads one task a line, and writes events until the answer.

Whatever a search does, it does here, where it can be killed. Another line, while it thinks, asks
for the best move so far.
"""

from __future__ import annotations

import json
import os
import queue
import sys
from contextlib import AbstractContextManager, nullcontext
from math import inf, isfinite
from pathlib import Path
from threading import Event as Signal
from threading import Thread, current_thread, main_thread
from typing import Any, TextIO

from papan import catalog
from papan.core import Agent, Analysis, Event, Limit, Listener, PapanError, Position
from papan.core.compiling import NotCompiledError, plain_searches, unawaited
from papan.core.thinking import root_moves
from papan.lab.machine import cores
from papan.web.calls import CALLS
from papan.web.event_stream import EventStream

LOADING = 600
"""Seconds of processor time for what a task needs: it may even have to be compiled."""
CPU_RESERVE = 30
"""Seconds of processor time beyond a task's limit, after which the system ends the process."""


def main() -> None:
    """Be a worker that starts from nothing: ``python -m papan.web.worker MEMORY [load]``.

    It loads every search before it is ready, or what a task needs when there is one.
    """
    out = own_output()
    import numba  # noqa: F401 - what takes longest to load

    memory, *load = sys.argv[1:]
    for search in catalog.searches().values() if load else ():
        search()
    serve(sys.stdin, out, int(memory), warm=bool(load))


def serve(tasks_in: TextIO, out: TextIO, memory: int, warm: bool) -> None:
    """Think about one task after the other until the input ends."""
    if current_thread() is main_thread():  # else this is part of a process that is no worker
        _limit_memory(memory)
    tasks: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    stop = Signal()
    Thread(target=_read, args=(tasks_in, tasks, stop), daemon=True).start()

    def say(event: Event) -> None:
        out.write(json.dumps(_plain(event), ensure_ascii=False) + "\n")
        out.flush()

    say({"t": "ready", "pid": os.getpid(), "warm": warm})
    while (task := tasks.get()) is not None:
        try:
            (_call if "call" in task else _think)(task, stop, say)
        except PapanError as error:
            say({"t": "error", "key": error.key, "values": error.shown, "message": str(error)})
        except BrokenPipeError:  # the server is gone
            return
        except Exception as error:  # whatever an agent does wrong must not end the worker
            name = f"{type(error).__name__}: {error}"[:200]
            say({"t": "error", "key": "web.crashed", "values": {"error": name}, "message": name})


def _read(lines: TextIO, tasks: queue.SimpleQueue[dict[str, Any] | None], stop: Signal) -> None:
    """Take tasks and requests to stop from the input, while the main thread thinks."""
    for line in lines:
        message = json.loads(line)
        if "stop" in message:
            stop.set()
        else:
            stop.clear()
            tasks.put(message)
    stop.set()
    tasks.put(None)


def _think(task: dict[str, Any], stop: Signal, say: Listener) -> None:
    """Say what an agent thinks; nothing counts for its limit before it has loaded."""
    outgoing = EventStream(say)
    position = catalog.position(task["position"])
    agent = catalog.agent(task["agent"])
    limit = Limit(task["seconds"], task["nodes"] or inf)
    if task["all_moves"] and agent.name == "solver" and position.game.has_solver:
        settings = {"memory": agent.memory, "all_moves": True}  # type: ignore[attr-defined]
        agent = position.game.solver(**settings) or agent
    _limit_processor(LOADING)
    with _loaded(agent, position):
        _limit_processor(task["seconds"])
        analysis = agent.analyse(position, limit, outgoing.hear, stop.is_set)
    outgoing.flush()
    say(answer(position, analysis))


def _loaded(agent: Agent, position: Position) -> AbstractContextManager[None]:
    """Load what *agent* needs; what is not compiled yet has a plain twin, or is waited for."""
    try:
        with unawaited() if agent.has_plain_twin else nullcontext():
            agent.load(position)
    except NotCompiledError:
        return plain_searches()
    return nullcontext()


def _call(task: dict[str, Any], stop: Signal, say: Listener) -> None:
    """Say what one of the calls answers."""
    _limit_processor(task["seconds"])
    say({"t": "start"})
    say({"t": "answer", "text": CALLS[task["call"]](stop.is_set, **task["arguments"])})


def answer(position: Position, analysis: Analysis) -> Event:
    """The last word of a search: everything the analysis holds, moves by name."""
    name = position.game.move_name
    return {
        "t": "analysis",
        "pos": str(position),
        "turn": position.turn,
        "move": name(analysis.move) if analysis.line else None,
        "best": [name(move) for move in analysis.best],
        "line": [name(move) for move in analysis.line],
        "value": analysis.value,
        "exact": analysis.exact,
        "bounds": analysis.bounds,
        "distance": analysis.distance,
        "facts": dict(analysis.facts),
        "moves": root_moves(position.game, analysis.values),
        "why": analysis.why,
        "nodes": analysis.nodes,
        "ms": round(analysis.seconds * 1000),
    }


def _plain(data: Any) -> Any:
    """The same data without numbers that JSON cannot write: a bound that is none."""
    if isinstance(data, float):
        return data if isfinite(data) else None
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(each) for each in data] if isinstance(data, list | tuple) else data


def own_output() -> TextIO:
    """The way to the server, for events alone: whatever prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _limit_memory(megabytes: int) -> None:
    """Bound the address space: what the libraries have reserved up to now does not count."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError):  # Windows, and macOS, which does not keep such a limit
        return
    most = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _limit_processor(seconds: float) -> None:
    """Let the system itself end a process that neither stops nor can be told to."""
    if current_thread() is not main_thread():
        return
    try:
        import resource
    except ImportError:  # Windows
        return
    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    limit = int(spent + seconds * cores() + CPU_RESERVE)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
