"""Processes that think, draw and write, and the fork server, which forks them with all loaded.

Whatever a search does, it does here, where it can be killed. ``python -m papan.web.worker HOW`` and
its MEMORY is a worker that loads what a task needs (*cold*) or everything first (*warm*), or a fork
server, which ends where something would have to be compiled (*fork*) or compiles it, in case that
cannot be kept (*fork-anyway*); *compile* compiles everything and ends.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from math import inf, isfinite
from pathlib import Path
from threading import Event as Signal
from threading import current_thread, main_thread
from time import monotonic, process_time
from typing import Any, TextIO

from papan import api, catalog
from papan.core import Agent, Event, Limit, PapanError, Position, View
from papan.core.agent import Cancelled
from papan.core.compiling import NotCompiledError, notifying, plain_searches, unawaited
from papan.core.drawing import film as moving
from papan.core.explain import EventLog, explain, with_message
from papan.core.parts import Drawing
from papan.core.review import Review
from papan.lab.machine import cores
from papan.process.host import limit_memory, limit_processor
from papan.process.lines import (
    Emit,
    WireMessage,
    emitter,
    heard,
    private_streams,
    serve,
    when_over,
)
from papan.web import boards
from papan.web.boards import Lines, reopened

LINES = Lines()
"""The games that this worker was asked about."""
MOST_PLIES = 400
"""Longer films are too large to be of use."""
PUZZLE_SECONDS = 15
"""Seconds of processor time in which a puzzle must be found."""
MOST_DRAWN = 200_000
"""How often a spot of the board is drawn, at most: a film of a large board takes seconds."""


def board(cancelled: Cancelled, start: str, moves: str) -> str:
    """What a page shows of a game, as JSON."""
    return boards.board(*LINES.reach(start, moves)).model_dump_json()


def position(cancelled: Cancelled, start: str, moves: str) -> str:
    """The position that a game has reached, as text."""
    return str(LINES.reach(start, moves)[1])


def graph(cancelled: Cancelled, start: str, moves: str, **view: Any) -> str:
    """A graph of the position that a game has reached, as JSON."""
    found = LINES.reach(start, moves)[1]
    return boards.graph_page(found, boards.GraphView(**view)).model_dump_json()


def record(cancelled: Cancelled, text: str) -> str:
    """A saved game, replayed and checked, as JSON."""
    return json.dumps(asdict(reopened(text)))


def film(cancelled: Cancelled, start: str, moves: str, seconds: float) -> str:
    """Every position of a game, one after another, as one SVG that moves."""
    plies, last = LINES.reach(start, moves)
    most = min(MOST_PLIES, MOST_DRAWN // max(1, len(Drawing.of(last).spots())))
    if len(plies) > most:
        raise PapanError("web.film_long", moves=len(plies), most=most)
    pictures = []
    for ply, position in enumerate([*(position for position, _ in plies), last]):
        if cancelled():
            raise PapanError("web.stopping")  # or nobody waits for it any more
        pictures.append(Drawing.of(position).svg(View(played=plies[:ply])))
    names = " ".join(last.game.move_name(move) for _, move in plies)
    return moving(pictures, last.game.spec, names or str(last), seconds)


def paper_file(
    cancelled: Cancelled, folder: str, paper: tuple[str, str | None], name: str, language: str
) -> str | bytes | None:
    """A file of the report of a paper and its run; None where there is no such file."""
    from papan.papers import chosen
    from papan.papers.report import content
    from papan.web.papers import newest

    number, run = paper
    report = newest(chosen([number])[0], Path(folder), run)
    return None if report is None else content(report, name, language)


def puzzle(cancelled: Cancelled, game: str, theme: str, seed: int) -> str:
    """A puzzle that nobody has seen, as people keep it."""
    from papan.puzzles.making import PLAYER, make

    rules = catalog.game(game)
    for judge in (catalog.agent(PLAYER), api.solver_for(rules)):
        if judge is not None and judge.plays(rules):
            judge.load(rules.start())  # what is compiled first does not count
    end = process_time() + PUZZLE_SECONDS
    found = make(rules, seed, theme, lambda: cancelled() or process_time() > end)
    for puzzle in found:
        return puzzle.kept
    raise PapanError("web.no_puzzle_in_time", game=rules.spec, seconds=PUZZLE_SECONDS)


def sheet(cancelled: Cancelled, kind: str, names: list[str], language: str) -> str | bytes:
    """A sheet of puzzles to print."""
    from papan.puzzles import recalled
    from papan.puzzles.sheet import as_html, as_pdf

    puzzles = [each for each in map(recalled, names) if each]
    if kind == "pdf":
        return as_pdf(puzzles, language)
    return as_html(puzzles, language, served=True)


def learning(cancelled: Cancelled, game: str, games: int, rate: float, exploration: float) -> str:
    """How good a player is that learned from so many games, as JSON."""
    from papan.training import snapshot

    return json.dumps(snapshot(game, games, rate, exploration))


CALLS: dict[str, Callable[..., str | bytes | None]] = {
    "board": board,
    "film": film,
    "graph": graph,
    "learning": learning,
    "paper_file": paper_file,
    "position": position,
    "puzzle": puzzle,
    "record": record,
    "sheet": sheet,
}


PAUSE = 0.05
"""Seconds between two reports of how far a search is."""
MOST_DEPTHS = 64
"""How deep a search may go with a report about each depth."""
MOST_EVENTS = 5_000
"""How many events of other kinds one search may tell."""


class EventStream:
    """Hears every event of an agent and passes on what a page can show.

    Of the reports about the root the latest counts, and the last one before a search goes deeper
    than ever, so that its growth can be drawn; nodes of the tree travel together.
    """

    def __init__(self, say: Callable[[Event], None]) -> None:
        self._say = say
        self._root: Event | None = None
        self._nodes: list[Event] = []
        self._deepest = 0
        self._emitted = -PAUSE
        self._left = MOST_EVENTS

    def receive(self, event: Event) -> None:
        """Pass *event* on, now or later."""
        if event["t"] == "tree":
            self._nodes += event["add"]
        elif event["t"] == "root":
            if self._deepest < event.get("depth", 0) <= MOST_DEPTHS:
                self._deepest = event["depth"]
                self._report()
            self._root = event
            if monotonic() - self._emitted >= PAUSE:
                self._report()
        elif event["t"] == "progress":
            self._report()  # or what has waited would come later and count back
            self._say(event)
        elif self._left:
            self._left -= 1
            if event["t"] == "done":
                self.flush()
            self._say(event)

    def flush(self) -> None:
        """Pass on what has waited."""
        self._report()
        if self._nodes:
            self._say({"t": "tree", "add": self._nodes})
            self._nodes = []

    def _report(self) -> None:
        if self._root is not None:
            self._say(self._root)
            self._emitted = monotonic()
            self._root = None


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

        for search in api.compiled_searches().values() if how == "warm" else ():
            search()
        work(requests, out, memory, how == "warm")
    else:
        _fork_workers(memory, compiling=how == "fork-anyway")


def work(requests: TextIO, out: TextIO, memory: int, warm: bool) -> None:
    """Think about one task after the other until the input ends."""
    if current_thread() is main_thread():  # else this is part of a process that is no worker
        limit_memory(memory)
    stop, emit = Signal(), emitter(out, _plain)

    def handle(task: WireMessage) -> WireMessage:
        how = {"think": _think, "review": _review}.get(task["call"], _call)
        return how(task, stop.is_set, emit)

    tasks = heard(requests, stop)
    emit({"t": "ready", "pid": os.getpid(), "warm": warm})
    serve(tasks, emit, handle)


def _think(task: WireMessage, cancelled: Cancelled, emit: Emit) -> WireMessage:
    """What an agent thinks; nothing counts for its limit before it has loaded."""
    outgoing, asked = EventStream(lambda event: emit(with_message(event))), task["arguments"]
    log = EventLog(outgoing.receive)
    position, agent = catalog.position(asked["position"]), catalog.agent(asked["agent"])
    limit = Limit(task["seconds"], asked["nodes"] or inf)
    if asked["all_moves"] and agent.name == "solver":
        settings = {"memory": agent.memory, "all_moves": True}  # type: ignore[attr-defined]
        agent = api.solver_for(position.game, **settings) or agent
    limit_processor(LOADING)
    with _loaded(agent, position, emit):
        limit_processor(task["seconds"] * cores() + CPU_RESERVE)
        analysis = agent.analyse(position, limit, log, cancelled)
    outgoing.flush()
    explanation = explain(position, agent, log, analysis)
    return {"t": "analysis", **analysis.json(), "explanation": explanation.json()}


def _loaded(agent: Agent, position: Position, emit: Emit) -> AbstractContextManager[None]:
    """Load what *agent* needs; what is not compiled yet has a plain twin, or is waited for."""
    try:
        with unawaited() if agent.has_plain_twin else _awaited(emit):
            agent.load(position)
    except NotCompiledError:
        return plain_searches()
    return nullcontext()


def _awaited(emit: Emit) -> AbstractContextManager[None]:
    """Within it, say so where something has to be compiled."""
    return notifying(lambda begins: emit({"t": "compiling"}) if begins else None)


def _review(task: WireMessage, cancelled: Cancelled, emit: Emit) -> WireMessage:
    """A game in words: a verdict on each move, the last move first, then what they add up to."""
    from papan.web.learn import lesson_address

    plies, last = LINES.reach(**task["arguments"])
    positions, moves = [*(each for each, _ in plies), last], [move for _, move in plies]
    limit_processor(LOADING)
    with _awaited(emit):
        reviewer = api.reviewer(positions, moves, task["seconds"], cancelled)
    limit_processor(task["seconds"] * cores() + CPU_RESERVE)
    emit({"t": "start"})
    verdicts = []
    for verdict in reviewer.verdicts():
        verdicts.append(verdict)
        lesson = lesson_address(last.game.name, verdict.lesson) if verdict.wrong else ""
        emit({"t": "verdict", **verdict.json(), "lesson": lesson})
    found = Review(tuple(reversed(verdicts)))
    return {"t": "answer", "counts": [found.counts(seat) for seat in range(last.game.seats)]}


def _call(task: WireMessage, cancelled: Cancelled, emit: Emit) -> WireMessage:
    """What one of the calls answers."""
    limit_processor(task["seconds"] * cores() + CPU_RESERVE)
    emit({"t": "start"})
    found = CALLS[task["call"]](cancelled, **task["arguments"])
    if isinstance(found, bytes):
        return {"t": "answer", "base64": b64encode(found).decode()}
    return {"t": "answer", "text": found}


def _plain(data: Any) -> Any:
    """The same data without numbers that JSON cannot write: a bound that is none."""
    if isinstance(data, float):
        return data if isfinite(data) else None
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(each) for each in data] if isinstance(data, list | tuple) else data


def _fork_workers(memory: int, compiling: bool) -> None:
    """Be the fork server: a worker for each connection that comes through standard input.

    Who comes before everything is loaded waits for one search at most: on a busy machine all of
    them take many seconds, and a copy loads what it needs.
    """
    if not compiling:
        _end_at_compilation()
    channel = socket.socket(fileno=os.dup(0))
    requests, out = private_streams()
    requests.close()  # a copy of the channel, which would stay open in workers
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system itself forgets who has ended
    emit = emitter(out)

    def copied(warm: bool) -> bool:
        """Be copied for the next worker that is wanted; False when the server is gone."""
        _, handles, *_ = socket.recv_fds(channel, 1, 1)
        if handles and not os.fork():
            out.close()
            channel.close()
            _be_a_worker(handles[0], memory, warm)
        for handle in handles:
            os.close(handle)
        return bool(handles)

    with channel, out:
        emit({"t": "ready"})
        for search in api.compiled_searches().values():
            while _is_waiting(channel):
                if not copied(warm=False):
                    return
            search()
        gc.collect()
        gc.freeze()  # what is loaded stays shared: nobody looks through it for garbage
        emit({"t": "loaded"})
        while copied(warm=True):
            pass


def _be_a_worker(handle: int, memory: int, warm: bool) -> None:
    """Think for the server at the other end of *handle* until it is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # so that it is ended with whatever it starts, and weighed on its own
    with socket.socket(fileno=handle) as connection:
        tasks = connection.makefile("r", encoding="utf-8")
        out = connection.makefile("w", encoding="utf-8")
        try:
            work(tasks, out, memory, warm)
        finally:
            os._exit(0)


def _compile() -> None:
    """Compile everything, and tell how far it is; without a server, end."""
    requests, out = private_streams()
    when_over(requests, lambda: os._exit(1))
    emit, searches = emitter(out), api.compiled_searches()
    for done, search in enumerate(searches.values()):
        emit({"t": "compiling", "done": done, "total": len(searches)})
        search()


def _is_waiting(channel: socket.socket) -> bool:
    """Is a worker wanted, or the server gone?"""
    look = select.poll()
    look.register(channel, select.POLLIN | select.POLLHUP)
    return bool(look.poll(0))


def _end_at_compilation() -> None:
    """End this process when Numba begins to compile: what it loads from its cache is no matter.

    Copies of it have somebody who waits for them: they compile.
    """
    from numba.core import event

    itself = os.getpid()

    class End(event.Listener):  # type: ignore[misc]
        def on_start(self, event: object) -> None:
            if os.getpid() == itself:
                os._exit(NOT_COMPILED)

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", End())


if __name__ == "__main__":
    main()
