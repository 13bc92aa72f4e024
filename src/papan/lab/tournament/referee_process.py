"""The process that referees games one after the other, and the processes of the agents that play.

Bots never run in the referee's process: each agent has one that is forked from it, asked for moves,
and ended when it fails. The referee speaks the line protocol (`papan.process.lines`). If the other
end vanishes, it ends, and the agents with it.
"""

from __future__ import annotations

import gc
import json
import os
import random
import select
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from functools import partial
from importlib import import_module
from math import inf
from time import monotonic
from typing import Any, NoReturn, Self

from papan.core import (
    Agent,
    Game,
    InvalidSpecError,
    Limit,
    Move,
    PapanError,
    Position,
)
from papan.core.agent import illegal_answer, reseeded
from papan.core.message import Message, catalogue
from papan.lab.match import opening
from papan.lab.referee import (
    LONGEST_OUTPUT,
    MOVE_GRACE,
    STARVES,
    Forfeit,
    Judge,
    SeatPlayer,
    analyse_or_forfeit,
    conduct,
    overdue_forfeit,
)
from papan.lab.tournament.plan import AgentOrder, Assignment, TournamentPlan, parse_assignment
from papan.process.host import (
    adopt_orphans,
    confine,
    end_strays,
    end_with_parent,
    has_more_descendants,
    kill_group,
    signal_name,
    stopped_by,
)
from papan.process.lines import (
    CRASHED,
    Emit,
    WireMessage,
    answer_requests,
    emitter,
    failure,
    private_streams,
)

START_SECONDS = 180.0
"""Seconds within which an agent must be ready to play, compilation included."""
LONGEST_ANSWER = 1 << 16
MOST_PROCESSES = 64
"""Largest number of processes that an agent may start: a bot in another language needs one."""
MOST_BYTES = 1 << 60
"""Bytes of memory that no bot has: what claims more is not believed."""
POLL_SECONDS = 0.1
"""Seconds between two checks of an agent's process."""
UNASKED_SECONDS = 5.0
"""Seconds to wait for an agent's process to tell what its bot has used in its rival's turn."""
OWN_PROCESSORS = 1.25
"""Processors that a bot may keep busy in its rival's turn: one to think ahead, and some more. What
keeps more of them busy while its rival is late has made it late.
"""
LAST_WORDS = 0.5
"""Seconds to wait for the exit code of a process that has closed its channel."""


def agent_main(channel: socket.socket, order: AgentOrder) -> NoReturn:
    """Play as the agent of *order*, answering questions from *channel*, until it closes; then exit.

    The process must just have been forked for that. The first message to *channel* is ``ready``,
    with the spec of the agent and whether it plays the game, or an error.
    """
    emit = emitter(channel.makefile("w", encoding="utf-8"))
    try:
        confine(order.memory, channel.fileno())
        random.seed(order.seed)  # for bots that do not seed their own RNG
        _answer_questions(channel, emit, order)
    except BaseException as error:
        emit(failure(error))
    finally:
        os._exit(0)


def _answer_questions(channel: socket.socket, emit: Emit, order: AgentOrder) -> None:
    """Build the agent of *order*, emit ``ready``, and answer questions from *channel* until it
    closes.

    If it is a bot that cannot be started, the only message is an error with ``began``. Raise what
    building and loading the agent raises.
    """
    catalog = import_module(order.catalog)
    known = set(sys.modules)
    agent, game = _build(catalog, order)
    try:
        plays = agent.plays(game)  # a bot is started to answer this
    except PapanError as error:  # it exists, and its failure is its own
        emit(failure(error) | {"began": True})
        return
    loaded = bool(sys.modules.keys() - known)
    emit({"t": "ready", "spec": agent.spec, "plays": plays, "loaded": loaded})
    with channel.makefile("r", encoding="utf-8") as questions:
        answer_requests(map(json.loads, questions), emit, partial(_reply, catalog, agent))


def _build(catalog: Any, order: AgentOrder) -> tuple[Agent, Game]:
    """Return the agent of *order*, with its seed, depth and memory set and loaded, and its game.

    *catalog* is the module that finds both. Raise InvalidSpecError if the agent does not take the
    depth, and what building or loading it raises.
    """
    game: Game = catalog.game(order.game)
    agent: Agent = reseeded(catalog.agent_from_user(order.agent), order.agent_seed)
    if order.depth is not None:
        if not agent.has_setting("depth"):
            raise InvalidSpecError("tournament.no_depth", agent=agent.spec)
        agent = agent.with_settings(depth=order.depth)
    if agent.has_setting("deadline") and ",memory=" not in order.agent:  # a bot has its own
        agent = agent.with_settings(memory=min(getattr(agent, "memory", inf), order.memory))
    agent.load(game.start())
    return agent, game


def _reply(catalog: Any, agent: Agent, question: WireMessage) -> WireMessage:
    """Return the answer to *question*, a ``position`` as text with a ``limit``, as JSON data.

    It has ``move`` (a number), ``exact`` (whether the value is proved), ``nodes`` and ``cpu``
    (processor seconds); or, if the agent forfeits, ``end``, ``cause`` and ``output``, as in
    `Forfeit`, the output cut to its last `LONGEST_OUTPUT` characters. In both cases it also has
    ``memory``, the bytes of `Agent.peak_memory`. A question with the key ``unasked`` is answered
    with the seconds of `Agent.unasked_seconds` under that key alone. Raise what reading the
    question raises, and what the agent raises when it measures seconds or memory.
    """
    if "unasked" in question:
        return {"t": "answer", "unasked": agent.unasked_seconds()}
    before, answer = agent.processor_seconds(), dict[str, Any]()
    try:
        limit = Limit.from_json(question["limit"])
        found = analyse_or_forfeit(agent, catalog.position(question["position"]), limit)
    except Forfeit as forfeit:
        output = forfeit.output[-LONGEST_OUTPUT:]
        answer = {"end": forfeit.end, "cause": forfeit.cause, "output": output}
    else:
        cpu = agent.processor_seconds() - before
        answer = {"move": found.move, "exact": found.exact, "nodes": found.nodes, "cpu": cpu}
    return {"t": "answer", "memory": agent.peak_memory(), **answer}


class Abandoned(BrokenPipeError):  # noqa: N818 - not an error: no one waits for the game
    """Raised when the process that asked for the game has ended."""


class AgentProcess:
    """The process of one agent: it is asked for moves, and what goes wrong in it is a Forfeit.

    `ask` raises that; an agent that could not be built is for `check`.
    """

    def __init__(self, order: AgentOrder, lifeline: int) -> None:
        """Fork the process that runs the agent of *order* and begins to load it; call `handshake`
        next.

        *lifeline* is a file descriptor: when its other end closes, waiting for the agent raises
        Abandoned. Raise OSError if the system refuses another process or descriptor.
        """
        self.order = order
        self.facts: dict[str, Any] = {}
        """Its first message, ``ready`` or ``error`` (key ``t``); empty before `handshake`, or if
        none came.
        """
        self.effort: list[tuple[int, float, float]] = []
        """Nodes, wall-clock seconds and processor seconds of each answer."""
        self.memory = 0
        """Bytes of memory that a bot's processes have had at most; 0 if it was not measured."""
        self._fault: Forfeit | None = None
        self._buffer = b""
        self._channel, theirs = socket.socketpair()
        self.process = os.fork()
        if self.process == 0:
            self._channel.close()
            agent_main(theirs, order)
        theirs.close()
        self._poll = select.poll()
        self._poll.register(self._channel, select.POLLIN)
        self._poll.register(lifeline, 0)
        self._lifeline = lifeline

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def failed(self) -> bool:
        """True if it has forfeited; every further question would be forfeited, too."""
        return self._fault is not None

    def check(self) -> None:
        """Raise InvalidSpecError if the agent could not be built here, such as for an unknown name.

        That is no forfeit. If it is a bot that exists but cannot be started, or if building it
        raised anything but a PapanError, nothing is raised: it forfeits its games (`ask`).
        `handshake` must have been called: not checked.
        """
        own = self.facts.get("began") or self.facts.get("key") == CRASHED
        if self.facts.get("t") == "error" and not own:
            raise InvalidSpecError.of(Message.from_json(self.facts))

    def close(self) -> None:
        """Kill the process and all processes of its group, and wait for its end.

        What it has started and what has left its group is not killed: `end_strays` finds that.
        """
        kill_group(self.process)
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)
        self._channel.close()

    def handshake(self) -> str:
        """Wait `START_SECONDS` at most until the agent is ready, and return its full spec.

        If it fails, the spec of the order is returned, and each `ask` raises the Forfeit. Raise
        Abandoned if the referee is not needed any more.
        """
        try:
            self.facts = self._receive(START_SECONDS)
            if self.facts.get("began"):
                cause = {"key": self.facts.get("key"), **(self.facts.get("values") or {})}
                raise Forfeit("crash", self._reason(cause))
            if "spec" not in self.facts:
                raise self._crash("forfeit.raised", error=self.facts.get("message"))
        except Forfeit as fault:
            self._fault = fault
        return str(self.facts.get("spec", self.order.agent))

    def ask(self, position: Position, limit: Limit, deadline: float) -> tuple[Move, bool]:
        """Return the agent's move in *position* and whether its value is proved.

        The answer must come within the seconds of *limit* and `MOVE_GRACE`, and within *deadline*,
        in seconds. Its cost is added to `effort`. Raise Forfeit if there is no legal move in time
        or if the agent has forfeited before, Abandoned if the referee is not needed any more.
        """
        if self._fault:
            raise self._fault
        try:
            began = monotonic()
            self._send({"position": str(position), "limit": limit.json()})
            answer = self._receive(min(limit.seconds + MOVE_GRACE, deadline))
            nodes = answer.get("nodes")
            nodes = nodes if type(nodes) is int and nodes >= 0 else 0
            cpu = answer.get("cpu")
            cpu = round(cpu, 6) if isinstance(cpu, float) and 0 <= cpu < inf else 0.0
            self.effort.append((nodes, round(monotonic() - began, 6), cpu))
            memory = answer.get("memory")
            if isinstance(memory, int) and memory < MOST_BYTES:
                self.memory = max(self.memory, memory)
            return self._move(position, answer)
        except Forfeit as fault:
            self._fault = fault
            raise

    def unasked_seconds(self) -> float:
        """Return the CPU seconds that the bot's processes have used since its last answer.

        0 if the process does not tell within `UNASKED_SECONDS`. Raise Abandoned if the referee is
        not needed any more.
        """
        try:
            self._send({"unasked": True})
            spent = self._receive(UNASKED_SECONDS).get("unasked")
        except Forfeit:  # its rival's fault is told all the same
            return 0.0
        return spent if isinstance(spent, float) and 0 <= spent < inf else 0.0

    def _send(self, question: WireMessage) -> None:
        """Send *question*, as `_reply` takes it; raise Forfeit if the process has ended."""
        self._buffer = b""
        try:
            self._channel.sendall(json.dumps(question).encode() + b"\n")
        except OSError:
            raise self._ended() from None

    def _move(self, position: Position, answer: dict[str, Any]) -> tuple[Move, bool]:
        """Return the move in *answer*, a message of the process, and whether its value is proved.

        Raise Forfeit if it reports one, or if its move is not legal in *position*.
        """
        if answer.get("t") == "error":
            raise self._crash("forfeit.raised", error=answer.get("message"))
        if answer.get("end") in ("illegal", "crash", "timeout"):
            output = str(answer.get("output", ""))[-LONGEST_OUTPUT:]
            raise Forfeit(answer["end"], self._reason(answer.get("cause")), output)
        move = answer.get("move")
        if type(move) is not int or move not in position.moves():
            raise Forfeit("illegal", illegal_answer(self.order.agent, repr(move), position))
        return move, answer.get("exact") is True

    def _crash(self, key: str, **values: object) -> Forfeit:
        """Return a forfeit of kind crash, with the text *key* and its *values*."""
        return Forfeit("crash", PapanError(key, agent=self.order.agent, **values))

    def _reason(self, cause: object) -> PapanError:
        """Return the reason that the process gives for a forfeit, as an error.

        A bot may have written anything there: what is no known reason is reported as such.
        """
        values = dict(cause) if isinstance(cause, dict) else {}
        error = PapanError(str(values.pop("key", None)), **values)
        try:
            known = bool(catalogue("en")[error.key] and str(error))
        except (KeyError, IndexError, ValueError):
            known = False
        return error if known else self._crash("forfeit.garbage", line=repr(cause)[:80]).error

    def _receive(self, seconds: float) -> dict[str, Any]:
        """Return the next message of the process; raise Forfeit after *seconds* without one.

        Raise it, too, if the process ends, is suspended, starts too many others or sends no JSON
        object; raise Abandoned when the lifeline closes.
        """
        until = monotonic() + seconds
        while b"\n" not in self._buffer:
            left = until - monotonic()
            if left <= 0:
                raise overdue_forfeit(self.order.agent, seconds, seconds)
            events = self._poll.poll(min(left, POLL_SECONDS) * 1000)
            if any(file == self._lifeline for file, _ in events):
                raise Abandoned
            if events:
                self._read()
            elif has_more_descendants(self.process, MOST_PROCESSES):
                raise self._crash("program.crowd", most=MOST_PROCESSES)
            elif number := stopped_by(self.process):  # by a signal from outside: it cannot answer
                raise self._crash("forfeit.killed", signal=signal_name(number))
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            facts = json.loads(line)
        except (ValueError, RecursionError):
            facts = None
        if not isinstance(facts, dict):
            raise self._crash("forfeit.garbage", line=repr(line[:80]))
        return facts

    def _read(self) -> None:
        """Add what the process has sent to the buffer.

        Raise Forfeit if it has ended, or if the buffer has over `LONGEST_ANSWER` bytes then.
        """
        try:
            received = self._channel.recv(LONGEST_ANSWER)
        except OSError:
            received = b""
        if not received:
            raise self._ended()
        self._buffer += received
        if len(self._buffer) > LONGEST_ANSWER:
            raise self._crash("forfeit.garbage", line=repr(self._buffer[:80]))

    def _ended(self) -> Forfeit:
        """Return the forfeit of a process that no longer answers, with its signal or exit code."""
        until = monotonic() + LAST_WORDS
        while monotonic() < until:
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
                if code < 0:
                    return self._crash("forfeit.killed", signal=signal_name(-code))
                return self._crash("forfeit.exited", code=code)
            select.select([], [], [], 0.01)
        return self._crash("forfeit.closed")


class RefereeProcess:
    """Plays games between agents, each in a process forked from this one."""

    def __init__(self, lifeline: int, emit: Emit) -> None:
        """Prepare to play games while their results are wanted.

        *lifeline* is a file descriptor: when its other end closes, results are not wanted any more,
        and playing raises Abandoned. Before each move *emit* is called with ``{"t": "turn", "seat":
        …}``, so that the pool knows whose turn it was if the referee is killed.
        """
        self._lifeline = lifeline
        self._emit = emit
        self._judges: dict[AgentOrder, AgentProcess] = {}

    def play(self, task: Assignment) -> dict[str, Any]:
        """Play a game to its end, whatever the agents do, and return it for `refereed_game`.

        These are the fields of its record by name, and for each seat its ``effort`` (a
        `SeatEffort`) and its ``memory`` in bytes. Raise InvalidSpecError if an agent could not be
        built here (`AgentProcess.check`), Abandoned if the results are not wanted any more, OSError
        if the system refuses a process.
        """
        plan = task.plan
        game: Game = import_module(task.catalog).game(plan.game)
        start = opening(game, plan.opening, task.seed)
        gc.freeze()  # the agents share what is loaded by now
        with ExitStack() as ending:
            ending.callback(self._sweep)
            processes = [
                ending.enter_context(AgentProcess(order, self._lifeline)) for order in task.orders()
            ]
            names = [process.handshake() for process in processes]
            for process in processes:
                process.check()
            players = [self._player(seat, processes, plan) for seat in range(len(processes))]
            record = conduct(start, players, names, self._judge(task))
        for process in processes:
            _load_what(process)
        return {
            **asdict(record),
            "effort": [tuple(process.effort) for process in processes],
            "memory": [process.memory for process in processes],
        }

    def probe(self, order: AgentOrder) -> dict[str, Any]:
        """Start an agent, end it, and return its first message, as JSON data; empty if none came.

        It has the agent's full ``spec``, whether it ``plays`` the game, and whether it has
        ``loaded`` modules; or it is an error with ``key``, ``values`` and ``message``. Raise
        Abandoned if the result is not wanted any more.
        """
        with AgentProcess(order, self._lifeline) as process:
            process.handshake()
        self._sweep()
        _load_what(process)
        return process.facts

    def _judge(self, task: Assignment) -> Judge | None:
        """Return the exact solver as a `Judge`, which is asked for moves; None if the plan has
        none.

        It returns None where it does not prove the value with ``plan.adjudicate`` nodes. Its
        process is kept for later games, and replaced if it has failed.
        """
        plan = task.plan
        if not plan.adjudicate:
            return None
        order = AgentOrder(task.catalog, plan.game, "solver", memory=plan.guard.memory)
        if order in self._judges and self._judges[order].failed:
            self._judges.pop(order).close()
        if order not in self._judges:
            self._judges[order] = AgentProcess(order, self._lifeline)
            self._judges[order].handshake()
        limit = Limit(nodes=plan.adjudicate)
        return partial(_exact, self._judges[order], limit, plan.guard.deadline)

    def _player(
        self, seat: int, processes: Sequence[AgentProcess], plan: TournamentPlan
    ) -> SeatPlayer:
        """Return a function that emits whose turn it is and asks the process of *seat* for a move.

        It is a `SeatPlayer`. *processes* are those of all seats.
        """

        def play(position: Position) -> Move:
            self._emit({"t": "turn", "seat": position.turn})
            began = monotonic()
            try:
                return processes[seat].ask(position, plan.limit, plan.guard.deadline)[0]
            except Forfeit as fault:
                if fault.end == "timeout":
                    _blame_rival(seat, processes, monotonic() - began)
                raise

        return play

    def _sweep(self) -> None:
        """End all processes that agents have left behind, except those of the solver.

        As `end_strays` does: what cannot be ended in its time is left.
        """
        end_strays({judge.process for judge in self._judges.values()})


def _blame_rival(seat: int, processes: Sequence[AgentProcess], waited: float) -> None:
    """Raise Forfeit for a rival of *seat* that kept the processors busy while *seat* was late.

    *waited* are the seconds of that turn, *processes* those of all seats. A rival is to blame if it
    kept more than `OWN_PROCESSORS` busy; nothing is raised if none did. Raise Abandoned if the
    referee is not needed any more.
    """
    for rival, process in enumerate(processes):
        if rival == seat:
            continue
        spent = process.unasked_seconds()
        if spent > OWN_PROCESSORS * waited:
            facts = {"spent": f"{spent:.1f}", "waited": f"{waited:.1f}"}
            error = PapanError(STARVES, agent=process.order.agent, **facts)
            raise Forfeit("timeout", error, seat=rival)


def _load_what(process: AgentProcess) -> None:
    """Import the modules that the agent of *process* had to import, for the agents of later games.

    These are forked from this process. Do nothing if it imported none, or if the agent is a file or
    a program of a user: those are never run here, and the PapanError that says so is ignored.
    """
    if process.facts.get("loaded"):
        catalog = import_module(process.order.catalog)
        with suppress(PapanError):  # it is a file or a program of the user's
            agent: Agent = catalog.agent(process.order.agent)
            agent.load(catalog.game(process.order.game).start())


def _exact(process: AgentProcess, limit: Limit, deadline: float, position: Position) -> Move | None:
    """Return the move of the solver in *process*, if it proves the value; else None.

    None, too, if the solver forfeits. *limit* and *deadline*, in seconds, are those of
    `AgentProcess.ask`. Raise Abandoned if the referee is not needed any more.
    """
    try:
        move, exact = process.ask(position, limit, deadline)
    except Forfeit:  # the agents play on by themselves
        return None
    return move if exact else None


def respond(referee: RefereeProcess, request: WireMessage) -> WireMessage:
    """Return the answer of *referee* to a request: ``{"t": "answer", "answer": …}``.

    A request has an `AgentOrder` as data under ``probe``, and the answer is what
    `RefereeProcess.probe` returns; or it has the text of an `Assignment` under ``play``, and the
    answer is what `RefereeProcess.play` returns. Raise what these do.
    """
    if "probe" in request:
        return {"t": "answer", "answer": referee.probe(AgentOrder(**request["probe"]))}
    return {"t": "answer", "answer": referee.play(parse_assignment(request["play"]))}


def main() -> None:
    """Serve requests (`respond`) until standard input closes; then exit.

    A child process is the referee and serves them. This process waits for its end and then kills
    what bots have left behind (`_guard`).
    """
    adopt_orphans()
    referee = os.fork()
    if referee:
        _guard(referee)
    try:
        end_with_parent()
        requests, out = private_streams()
        adopt_orphans()
        emit = emitter(out)
        answer_requests(
            map(json.loads, requests),
            emit,
            partial(respond, RefereeProcess(requests.fileno(), emit)),
        )
    finally:
        os._exit(0)


def _guard(referee: int) -> NoReturn:
    """Wait until the child process *referee* ends, kill what bots have left behind, then exit.

    The exit code is the referee's, 0 if it was killed. A referee that was stopped by a signal would
    never answer: it is killed.
    """
    ended, status = 0, 0
    while ended != referee:
        ended, status = os.waitpid(-1, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.kill(ended, signal.SIGKILL)
            ended = 0
    end_strays(set())
    os._exit(max(0, os.waitstatus_to_exitcode(status)))


if __name__ == "__main__":
    main()
