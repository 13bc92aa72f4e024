"""The worker process: searches, drawings and files that would take the server too long.

``python -m papan.web.worker MODE MEMORY`` runs one of these modes; MEMORY is in megabytes:

- ``cold``: a worker that loads what a task needs; ``warm``: one that loads all searches first;
- ``fork``: a fork server, which exits with `NOT_COMPILED` if it would have to compile;
  ``fork-anyway``: one that compiles, for systems that cannot store compiled code;
- ``compile``: compile everything and end.
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
from datetime import date
from functools import cache
from math import inf
from pathlib import Path
from threading import Event as Signal
from threading import current_thread, main_thread
from time import monotonic, process_time
from typing import Any, TextIO

from papan import api, catalog
from papan.core import Agent, Event, Limit, PapanError, Position, View
from papan.core.compiling import NotCompiledError, notifying, plain_searches, unawaited
from papan.core.drawing import film as moving
from papan.core.explain import EventLog, explain, with_message
from papan.core.hint import hint_of
from papan.core.parts import Drawing
from papan.core.review import Review
from papan.core.reviewer import REVIEW_SECONDS
from papan.core.thinking import Cancelled
from papan.lab.bots import without_path
from papan.lab.machine import cores
from papan.process.host import limit_memory, limit_processor
from papan.process.lines import (
    Emit,
    WireMessage,
    answer_requests,
    emitter,
    on_input_end,
    private_streams,
    queued_requests,
)
from papan.web.boards import GraphView, PositionCache, board_facts, checked_record, graph_page
from papan.web.worker_protocol import LOADING_SECONDS, NOT_COMPILED, event_writer

POSITIONS = PositionCache()
"""Cache of the positions of this worker's tasks."""
MOST_FILM_PLIES = 400
"""Plies of a film at most: those of longer games would be too large."""
PUZZLE_SECONDS = 15
"""Processor seconds within which a new puzzle must be found."""
MOST_FILM_SPOTS = 200_000
"""Spots times plies of a film at most: one of a large board takes seconds."""


def draw_board(cancelled: Cancelled, start: str, moves: str) -> str:
    """Return the `BoardFacts` after *moves* (names, with spaces) from *start* as JSON.

    *start* is a spec or a position as text. *cancelled* is not used. Raise PapanError if they are
    invalid.
    """
    return board_facts(*POSITIONS.reach(start, moves)).model_dump_json()


def reach_position(cancelled: Cancelled, start: str, moves: str) -> str:
    """Return the text of the position after *moves* (names, with spaces) from *start*.

    *start* is a spec or a position as text; *cancelled* is not used. Raise PapanError if they are
    invalid.
    """
    return str(POSITIONS.reach(start, moves)[1])


def draw_graph(cancelled: Cancelled, start: str, moves: str, **view: Any) -> str:
    """Return the `GraphPage` of the position after *moves* (names, with spaces) from *start* as
    JSON.

    *start* is a spec or a position as text, *view* has fields of a `GraphView`; *cancelled* is not
    used. Raise PapanError if *start* or a move is invalid, or there is no graph or vertex of that
    name.
    """
    position = POSITIONS.reach(start, moves)[1]
    return graph_page(position, GraphView(**view)).model_dump_json()


def check_record(cancelled: Cancelled, text: str) -> str:
    """Replay the saved game in the JSON line *text* and return its record as JSON.

    *cancelled* is not used. Raise PapanError if it is invalid.
    """
    return json.dumps(asdict(checked_record(text)))


def draw_film(cancelled: Cancelled, start: str, moves: str, seconds: float) -> str:
    """Return an animated SVG that shows each position of a game for *seconds*, the first one
    included.

    *moves* are names with spaces, from *start* (a spec or a position as text). Raise PapanError if
    the game is invalid or has too many moves for a film, or once *cancelled* returns True.
    """
    plies, last = POSITIONS.reach(start, moves)
    most = min(MOST_FILM_PLIES, MOST_FILM_SPOTS // max(1, len(Drawing.of(last).spots())))
    if len(plies) > most:
        raise PapanError("web.film_long", moves=len(plies), most=most)
    pictures = []
    for ply, position in enumerate([*(position for position, _ in plies), last]):
        if cancelled():
            raise PapanError("web.stopping")
        pictures.append(Drawing.of(position).svg(View(played=plies[:ply])))
    names = " ".join(last.game.move_name(move) for _, move in plies)
    return moving(pictures, last.game.spec, names or str(last), seconds)


def paper_file(
    cancelled: Cancelled, folder: str, paper: tuple[str, str | None], name: str, language: str
) -> str | bytes | None:
    """Return the file *name* of a report, texts in *language* (en or id); None if there is no such
    file or run.

    *paper* is its number and the name of the run, such as ``quick-1`` (None: the newest one, or if
    there is none the one shipped with papan), *folder* the path of the stored runs; *cancelled* is
    not used. Raise PapanError if there is no such paper, or the file of the run is damaged.
    """
    from papan.papers import chosen_papers
    from papan.papers.paper import finished_report
    from papan.papers.report import content

    number, run = paper
    report = finished_report(chosen_papers([number])[0], Path(folder), run)
    return None if report is None else content(report, name, language)


def make_puzzle(cancelled: Cancelled, game: str, theme: str, seed: int) -> str:
    """Return a new puzzle of *game* (a spec) and *theme* (empty: any) as its whole text: theme,
    rating, position.

    *seed* decides which. Raise PapanError if the game is unknown, or if none is found within
    `PUZZLE_SECONDS` or before *cancelled* returns True; so it is, too, for a theme or a board that
    has no puzzles.
    """
    from papan.puzzles.making import PLAYING_LEVELS, make

    rules = catalog.game(game)
    for judge in (
        *(catalog.agent(f"level:{level}") for level in PLAYING_LEVELS),
        api.solver_for(rules),
    ):
        if judge is not None and judge.plays(rules):
            judge.load(rules.start())  # the time to compile does not count
    end = process_time() + PUZZLE_SECONDS
    found = make(rules, seed, theme, lambda: cancelled() or process_time() > end)
    for puzzle in found:
        return puzzle.kept
    raise PapanError("web.no_puzzle_in_time", game=rules.spec, seconds=PUZZLE_SECONDS)


def answer_puzzle(cancelled: Cancelled, name: str, moves: str) -> str:
    """Return the `PuzzleTurn` after *moves* of both seats (names, with spaces) in a puzzle, as
    JSON.

    *name* is its name or whole text; *cancelled* is not used. Raise PapanError if there is no such
    puzzle, the position in a whole text is invalid, a move is not legal, or it is too hard to
    solve.
    """
    from papan.puzzles import recalled
    from papan.web.puzzle_turns import puzzle_turn

    puzzle = recalled(name)
    if puzzle is None:
        raise PapanError("web.no_puzzle", name=name)
    return puzzle_turn(puzzle, moves).model_dump_json()


def make_offline_kit(cancelled: Cancelled, day: str) -> str:
    """Return the `OfflineKit` from *day* on, a date such as 2026-11-16, as JSON.

    There is less in it once *cancelled* returns True. Raise ValueError if *day* is no date.
    """
    from papan.web.offline import offline_kit

    return offline_kit(date.fromisoformat(day), cancelled).model_dump_json()


def render_sheet(cancelled: Cancelled, names: list[str], language: str) -> str:
    """Return an HTML page to print with the puzzles *names*, in *language* (en or id).

    A name may be a whole text; unknown names are left out. The page uses style sheets of the
    server. *cancelled* is not used; puzzles are solved without a limit. Raise PapanError if the
    position in a whole text is invalid.
    """
    from papan.puzzles import recalled
    from papan.puzzles.sheet import sheet_html

    puzzles = [each for each in map(recalled, names) if each]
    return sheet_html(puzzles, language, served=True)


def render_links(
    cancelled: Cancelled, title: str, lines: list[tuple[str, str, str]], language: str
) -> str:
    """Return an HTML page to print with the secret links of the students of a contest.

    *lines* are number, name and whole link of each, *title* is the contest's, *language* en or id.
    It uses style sheets of the server; *cancelled* is not used.
    """
    from papan.web.link_sheet import sheet_of_links

    return sheet_of_links(title, lines, language)


def archive_contest(cancelled: Cancelled, folder: str, file: str) -> str:
    """Write the files of the contest in *folder* to the ZIP archive *file*, both paths; return "".

    Which files, `write_archive` says. *cancelled* is not used. Raise PapanError if a file cannot be
    read or written.
    """
    from papan.contest.archive import write_archive

    write_archive(Path(folder), Path(file))
    return ""


def train_player(
    cancelled: Cancelled, game: str, games: int, rate: float, exploration: float
) -> str:
    """Train a player with *games* games of self-play on *game* (a spec); return its
    `LearningResult` as JSON.

    *rate* is a multiple of the usual learning rate, *exploration* (0 to 1) the share of random
    moves; *cancelled* is not used. The player is not saved. Raise PapanError if there is no such
    game, or if its board cannot be learned.
    """
    from papan.training import snapshot

    return json.dumps(snapshot(game, games, rate, exploration))


CALLS: dict[str, Callable[..., str | bytes | None]] = {
    "answer": answer_puzzle,
    "archive": archive_contest,
    "board": draw_board,
    "film": draw_film,
    "graph": draw_graph,
    "learning": train_player,
    "links": render_links,
    "offline": make_offline_kit,
    "paper_file": paper_file,
    "position": reach_position,
    "puzzle": make_puzzle,
    "record": check_record,
    "sheet": render_sheet,
}
"""Functions that tasks call, by `Task.call`; text is sent unchanged, bytes in base64."""


ROOT_SECONDS = 0.05
"""Least seconds between two ``root`` events of a search."""
MOST_DEPTHS = 64
"""Depth, in plies, up to which the last ``root`` event of every depth is sent."""
MOST_EVENTS = 5_000
"""Largest number of events of other kinds that are sent for one search."""


class EventThinner:
    """Passes on the events of one search to *send*, at a rate that a page can show.

    The latest ``root`` event is sent at most every `ROOT_SECONDS`; the last one of each depth up to
    `MOST_DEPTHS` is sent besides, so that the growth of the search can be drawn. Nodes of the tree
    are sent together, by `flush`.
    """

    def __init__(self, send: Callable[[Event], None]) -> None:
        self._send = send
        self._root: Event | None = None
        self._nodes: list[Event] = []
        self._deepest = 0
        self._emitted = -ROOT_SECONDS
        self._left = MOST_EVENTS

    def receive(self, event: Event) -> None:
        """Take an event of the agent (a dict with its kind as ``t``), and send it now, later, or
        not at all.

        A ``root`` event is held back until it may be sent (see the class), or a later one replaces
        it; the nodes of ``tree`` events are held back until `flush`. ``progress`` is always sent,
        after a ``root`` event that is held back. Of all other kinds together the first
        `MOST_EVENTS` are sent and the following dropped. If one of those sent is ``done``, all that
        is held back is sent before it.
        """
        if event["t"] == "tree":
            self._nodes += event["add"]
        elif event["t"] == "root":
            if self._deepest < event.get("depth", 0) <= MOST_DEPTHS:
                self._deepest = event["depth"]
                self._report()
            self._root = event
            if monotonic() - self._emitted >= ROOT_SECONDS:
                self._report()
        elif event["t"] == "progress":
            self._report()  # before the newer node count of *event*
            self._send(event)
        elif self._left:
            self._left -= 1
            if event["t"] == "done":
                self.flush()
            self._send(event)

    def flush(self) -> None:
        """Send the events that were held back, if any: the latest ``root`` event and the nodes of
        the tree.
        """
        self._report()
        if self._nodes:
            self._send({"t": "tree", "add": self._nodes})
            self._nodes = []

    def _report(self) -> None:
        if self._root is not None:
            self._send(self._root)
            self._emitted = monotonic()
            self._root = None


CPU_RESERVE = 30
"""Processor seconds beyond a task's limit after which the system kills the process."""


def main() -> None:
    """Run the mode that the first argument names: cold, warm, fork, fork-anyway or compile; return
    at its end.

    The second argument is the memory of a worker in megabytes. Raise IndexError or ValueError if
    one is missing or no number; an unknown mode counts as fork.
    """
    mode, memory = sys.argv[1], int(sys.argv[2])
    if mode == "compile":
        _compile()
    elif mode in ("cold", "warm"):
        requests, out = private_streams()
        import numba  # noqa: F401 - takes longest to load

        for load in api.compiled_searches().values() if mode == "warm" else ():
            load()
        work(requests, out, memory, mode == "warm")
    else:
        _serve_forks(memory, compiling=mode == "fork-anyway")


def work(requests: TextIO, out: TextIO, memory: int, warm: bool) -> None:
    """Carry out one task after another until *requests* ends, and write their events to *out*.

    Both are streams of `papan.web.worker_protocol`. *warm* (True: all searches are loaded) is
    repeated in the first event, ``ready``. In the main thread, this process may then take *memory*
    megabytes more than it has now; in another thread it gets no limit. Return as well once nobody
    reads *out* any more; raise BrokenPipeError if nobody reads it from the start.
    """
    if current_thread() is main_thread():
        limit_memory(memory)
    stop, emit = Signal(), event_writer(out)

    def handle(task: WireMessage) -> WireMessage:
        carry_out = {"think": _think, "review": _review, "bot": _bot}.get(task["call"], _call)
        return carry_out(task, stop.is_set, emit)

    tasks = queued_requests(requests, stop)
    emit({"t": "ready", "pid": os.getpid(), "warm": warm})
    answer_requests(tasks, emit, handle)


def _think(task: WireMessage, cancelled: Cancelled, emit: Emit) -> WireMessage:
    """Let an agent search a position, emit its events, and return its analysis as the final event.

    *task* is a `Task` as JSON data. Its arguments are position and agent (texts), nodes (None: no
    limit), all_moves and hint (as in `papan.web.searches.SearchRequest`; all_moves counts for the
    agent ``solver`` only), and of a stored bot file and deadline. The time to load does not count.
    The final event has the fields of `Analysis.json`, *explanation*, and *hint* (None if none is
    wanted, or there is no line). Raise PapanError if the position or the agent is invalid, or the
    agent fails in the search.
    """
    outgoing, asked = EventThinner(lambda event: emit(with_message(event))), task["arguments"]
    log = EventLog(outgoing.receive)
    position, agent = catalog.position(asked["position"]), _asked_agent(asked)
    limit = Limit(task["seconds"], asked["nodes"] or inf)
    if asked["all_moves"] and agent.name == "solver":
        settings = {"memory": agent.memory, "all_moves": True}  # type: ignore[attr-defined]
        agent = api.solver_for(position.game, **settings) or agent
    limit_processor(LOADING_SECONDS)
    with _loaded(agent, position, emit):
        limit_processor(task["seconds"] * cores() + CPU_RESERVE)
        try:
            analysis = agent.analyse(position, limit, log, cancelled)
        except PapanError as error:
            if not asked.get("file"):
                raise
            raise without_path(error, Path(asked["file"])) from None
    outgoing.flush()
    explanation = explain(position, agent, log, analysis)
    hint = hint_of(position, analysis).json() if asked["hint"] and analysis.line else None
    return {"t": "analysis", **analysis.json(), "explanation": explanation.json(), "hint": hint}


def _asked_agent(asked: dict[str, Any]) -> Agent:
    """Return the agent of a task with the arguments *asked*, which may be a stored bot.

    A stored bot is a file that runs in the sandbox: *asked* has ``file`` and ``deadline`` (seconds)
    then. Raise PapanError if the agent cannot be used.
    """
    if not asked.get("file"):
        return catalog.agent(asked["agent"])
    from papan.web.bot_runs import own_agent

    return own_agent(Path(asked["file"]), asked["deadline"])


def _bot(task: WireMessage, cancelled: Cancelled, emit: Emit) -> WireMessage:
    """Check, watch or rate a bot of the workshop, emit its events, and return the result as the
    final event.

    *task* is a `Task` as JSON data; its arguments are *file*, the path of the bot, and the fields
    of `papan.web.workshop.BotOrder` but name and source. The result is that of `BotRun.answer`:
    every PapanError is in it, not raised.
    """
    from papan.web.bot_runs import BotRun

    limit_processor(task["seconds"] * cores() + CPU_RESERVE)
    asked = task["arguments"]
    return BotRun(Path(asked["file"]), asked, emit, cancelled).answer()


def _loaded(agent: Agent, position: Position, emit: Emit) -> AbstractContextManager[None]:
    """Load what *agent* needs for *position*, and return the context to search in.

    If its code is not compiled yet, the context makes it search by slower code in plain Python; an
    agent that has no such code is compiled now, which may take minutes and emits ``compiling``.
    """
    try:
        with unawaited() if agent.has_plain_twin else _awaited(emit):
            agent.load(position)
    except NotCompiledError:
        return plain_searches()
    return nullcontext()


def _awaited(emit: Emit) -> AbstractContextManager[None]:
    """Return a context that emits ``compiling`` whenever a compilation begins in this process."""
    return notifying(lambda begins: emit({"t": "compiling"}) if begins else None)


def _review(task: WireMessage, cancelled: Cancelled, emit: Emit) -> WireMessage:
    """Emit a verdict on each move of a game, the last move first; return the summary as the final
    event.

    The summary has *counts* (of each seat), *moment* (the decisive ply from 0, or None) and *story*
    (in sentences), as `Review.json` has them. The event ``start`` is emitted after loading, before
    the first ``verdict``. *task* is a `Task` as JSON data, with the arguments *start* and *moves*.
    Raise PapanError if they are invalid.
    """
    plies, last = POSITIONS.reach(**task["arguments"])
    positions, moves = [*(each for each, _ in plies), last], [move for _, move in plies]
    limit_processor(LOADING_SECONDS)
    with _awaited(emit):
        reviewer = api.reviewer(positions, moves, REVIEW_SECONDS, cancelled)
    limit_processor(task["seconds"] * cores() + CPU_RESERVE)
    emit({"t": "start"})
    verdicts = []
    for verdict in reviewer.verdicts():
        verdicts.append(verdict)
        lesson = lesson_address(last.game.name, verdict.lesson) if verdict.wrong else ""
        emit({"t": "verdict", **verdict.json(), "lesson": lesson})
    found = Review(tuple(reversed(verdicts)))
    facts = found.json()
    return {"t": "answer", "counts": facts["seats"]} | {
        name: facts[name] for name in ("moment", "story")
    }


@cache
def lesson_address(game: str, key: str) -> str:
    """Return the address of the lesson step with the text *key*, such as ``/learn/dots?step=3``
    (from 1).

    If no step has that text, it is the address of the lesson of *game* (a name), without a step; if
    the game has no lesson, it is empty. Cached.
    """
    from papan.lessons import LESSONS, steps

    if game not in LESSONS:
        return ""
    keys = [step.text.key for step in steps(game)]
    return f"/learn/{game}" + (f"?step={keys.index(key) + 1}" if key in keys else "")


def _call(task: WireMessage, cancelled: Cancelled, emit: Emit) -> WireMessage:
    """Call the function of `CALLS` that *task* names and return its result as the final event.

    *task* is a `Task` as JSON data. The event ``start`` is emitted first. In the final event a text
    (or None) has the key *text*, bytes in base64 have the key *base64*. Raise KeyError if there is
    no such function, and what the function raises.
    """
    limit_processor(task["seconds"] * cores() + CPU_RESERVE)
    emit({"t": "start"})
    found = CALLS[task["call"]](cancelled, **task["arguments"])
    if isinstance(found, bytes):
        return {"t": "answer", "base64": b64encode(found).decode()}
    return {"t": "answer", "text": found}


def _serve_forks(memory: int, compiling: bool) -> None:
    """Fork a worker for each connection that arrives on standard input; return when the server
    ends.

    *memory* of a worker is in megabytes; unless *compiling*, the process exits with `NOT_COMPILED`
    where it would compile. Requests are also served between the loading of two searches: on a busy
    machine loading all of them takes many seconds, and a worker can load what it needs itself.
    """
    if not compiling:
        _end_at_compilation()
    channel = socket.socket(fileno=os.dup(0))
    requests, out = private_streams()
    requests.close()  # a copy of the channel, which would stay open in workers
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no zombies
    emit = emitter(out)

    def fork_once(warm: bool) -> bool:
        """Wait for the server's next connection and fork a worker that serves it, which never
        returns from here.

        *warm* tells the worker whether all searches are loaded. Return False if the server closed
        the channel, else True.
        """
        _, handles, *_ = socket.recv_fds(channel, 1, 1)
        if handles and not os.fork():
            out.close()
            channel.close()
            _run_worker(handles[0], memory, warm)
        for handle in handles:
            os.close(handle)
        return bool(handles)

    with channel, out:
        emit({"t": "ready"})
        for load in api.compiled_searches().values():
            while _has_request(channel):
                if not fork_once(warm=False):
                    return
            load()
        gc.collect()
        gc.freeze()  # memory stays shared: collections in the workers do not touch it
        emit({"t": "loaded"})
        while fork_once(warm=True):
            pass


def _run_worker(handle: int, memory: int, warm: bool) -> None:
    """Carry out the tasks that come through the socket *handle* (a file descriptor), then end this
    process.

    *memory* is in megabytes, *warm* True if all searches are loaded. Never returns.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # so that it is killed with its children, and scheduled as a group of its own
    with socket.socket(fileno=handle) as connection:
        tasks = connection.makefile("r", encoding="utf-8")
        out = connection.makefile("w", encoding="utf-8")
        try:
            work(tasks, out, memory, warm)
        finally:
            os._exit(0)


def _compile() -> None:
    """Compile every search and print a ``compiling`` event before each; exit with 1 if the server
    ends.
    """
    requests, out = private_streams()
    on_input_end(requests, lambda: os._exit(1))
    emit, searches = emitter(out), api.compiled_searches()
    for done, load in enumerate(searches.values()):
        emit({"t": "compiling", "done": done, "total": len(searches)})
        load()


def _has_request(channel: socket.socket) -> bool:
    """Return whether *channel* can be read without waiting: a request has arrived, or its end."""
    poll = select.poll()
    poll.register(channel, select.POLLIN | select.POLLHUP)
    return bool(poll.poll(0))


def _end_at_compilation() -> None:
    """From now on, exit this process with `NOT_COMPILED` when Numba begins to compile; cache hits
    are fine.

    Forked workers do compile: a client waits for them.
    """
    from numba.core import event

    fork_server = os.getpid()

    class End(event.Listener):  # type: ignore[misc]
        def on_start(self, event: object) -> None:
            if os.getpid() == fork_server:
                os._exit(NOT_COMPILED)

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", End())


if __name__ == "__main__":
    main()
