"""What the process of an agent may answer, and what each answer comes to; none is started."""

import json
import os
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

import papan
from papan.core import InvalidSpecError, Limit
from papan.lab.referee import STARVES, Forfeit
from papan.lab.tournament import referee_process
from papan.lab.tournament.plan import AgentOrder, Assignment, TournamentPlan
from papan.lab.tournament.referee_process import (
    LONGEST_ANSWER,
    MOST_BYTES,
    Abandoned,
    AgentProcess,
    respond,
)
from papan.process.lines import CRASHED

START = papan.position("tictactoe")
LATE = {"key": "forfeit.late", "agent": "a", "granted": "1", "waited": "2"}


class Scripted(AgentProcess):
    """An agent whose process has sent these bytes already, and was never started."""

    def __init__(self, sent: bytes) -> None:
        self.order = AgentOrder("papan.catalog", "tictactoe", "bot:x.py")
        self.facts, self.effort, self.memory = {}, [], 0
        self._fault, self._buffer, self.process = None, b"", os.getpid()
        self._channel, self.theirs = socket.socketpair()
        self._lifeline, self.alive = os.pipe()
        self._poll = select.poll()
        self._poll.register(self._channel, select.POLLIN)
        self._poll.register(self._lifeline, 0)
        self.theirs.sendall(sent)


@contextmanager
def scripted(*messages: Any) -> Iterator[Scripted]:
    """An agent that has answered with these messages, bytes as they are."""
    lines = [
        each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages
    ]
    agent = Scripted(b"".join(lines))
    try:
        yield agent
    finally:
        agent._channel.close()
        agent.theirs.close()
        os.close(agent._lifeline)
        if agent.alive >= 0:
            os.close(agent.alive)


def asked(agent: Scripted, limit: Limit = papan.core.UNLIMITED, deadline: float = 60) -> Any:
    """The move of an agent and whether it is exact, or how it forfeits and why."""
    try:
        return agent.ask(START, limit, deadline)
    except Forfeit as forfeit:
        return forfeit.end, forfeit.error.key


@pytest.mark.parametrize(
    ("answer", "found", "effort", "memory"),
    [
        (
            {"move": 4, "exact": True, "nodes": 7, "cpu": 0.25, "memory": 99},
            (4, True), (7, 0.25), 99,
        ),
        ({"move": 0}, (0, False), (0, 0.0), 0),
        (
            {"move": 8, "exact": 1, "nodes": -1, "cpu": -0.5, "memory": MOST_BYTES},
            (8, False), (0, 0.0), 0,
        ),
        (
            {"move": 8, "nodes": True, "cpu": 3, "memory": MOST_BYTES - 1},
            (8, False), (0, 0.0), MOST_BYTES - 1,
        ),
        ({"move": 8, "nodes": 1.5, "cpu": float("inf")}, (8, False), (0, 0.0), 0),
        ({"move": 9}, ("illegal", "error.agent_illegal"), (0, 0.0), 0),
        ({"move": True}, ("illegal", "error.agent_illegal"), (0, 0.0), 0),
        ({"move": "a1"}, ("illegal", "error.agent_illegal"), (0, 0.0), 0),
        ({"end": "win"}, ("illegal", "error.agent_illegal"), (0, 0.0), 0),
        ({"end": "timeout", "cause": LATE}, ("timeout", "forfeit.late"), (0, 0.0), 0),
        ({"end": "crash", "cause": {"key": "no.such"}}, ("crash", "forfeit.garbage"), (0, 0.0), 0),
        (
            {"end": "crash", "cause": {"key": "forfeit.late"}},
            ("crash", "forfeit.garbage"), (0, 0.0), 0,
        ),
        ({"end": "illegal", "cause": 5}, ("illegal", "forfeit.garbage"), (0, 0.0), 0),
        ({"t": "error", "message": "boom"}, ("crash", "forfeit.raised"), (0, 0.0), 0),
    ],
)  # fmt: skip
def test_an_answer_is_a_move_or_a_forfeit_and_nothing_in_it_is_believed_unseen(
    answer: dict[str, Any], found: Any, effort: tuple[int, float], memory: int
) -> None:
    with scripted(answer) as agent:
        assert asked(agent) == found
        ((nodes, _, cpu),) = agent.effort
        assert ((nodes, cpu), agent.memory) == (effort, memory)
        assert agent.failed is isinstance(found[0], str)
        question = json.loads(agent.theirs.recv(1000))
        assert question == {"position": str(START), "limit": {}}


@pytest.mark.parametrize(
    "sent",
    [b"[]\n", b"5\n", b"{\n", b"[" * 50_000 + b"\n", b"\xff\n", b"x" * (LONGEST_ANSWER + 1)],
)
def test_what_is_no_object_of_json_is_garbage(sent: bytes) -> None:
    with scripted() as agent:
        agent._channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 18)
        agent.theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 18)
        agent.theirs.sendall(sent)
        assert asked(agent) == ("crash", "forfeit.garbage")
        assert agent.effort == []


def test_who_has_forfeited_once_forfeits_without_being_asked() -> None:
    with scripted({"move": 9}, {"move": 0}) as agent:
        first, _ = asked(agent)
        agent.theirs.recv(1000)
        assert (first, asked(agent)[0]) == ("illegal", "illegal")
        agent.theirs.setblocking(False)
        with pytest.raises(BlockingIOError):
            agent.theirs.recv(1)


def test_the_last_part_of_an_output_is_kept() -> None:
    with scripted({"end": "crash", "cause": LATE, "output": "x" * 5000 + "end"}) as agent:
        with pytest.raises(Forfeit) as forfeit:
            agent.ask(START, Limit(), 60)
        assert len(forfeit.value.output) == 4000 and forfeit.value.output.endswith("xend")
        assert forfeit.value.cause == LATE


@pytest.mark.parametrize(
    ("limit", "deadline", "granted"), [(Limit(0.01), 60, "0.03"), (Limit(9), 0.01, "0.01")]
)
def test_a_limit_has_a_grace_and_a_deadline_has_none(
    limit: Limit, deadline: float, granted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee_process, "MOVE_GRACE", 0.02)
    with scripted() as agent, pytest.raises(Forfeit) as late:
        agent.ask(START, limit, deadline)
    assert (late.value.end, late.value.cause["granted"]) == ("timeout", granted)


@pytest.mark.parametrize(
    ("crowd", "signal", "key"),
    [(True, 0, "program.crowd"), (False, 19, "forfeit.killed"), (False, 0, "forfeit.late")],
)
def test_a_silent_process_is_looked_at(
    crowd: bool, signal: int, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee_process, "POLL_SECONDS", 0.001)
    asked_about = {(os.getpid(), referee_process.MOST_PROCESSES): crowd}
    monkeypatch.setattr(referee_process, "has_more_descendants", lambda *asked: asked_about[asked])
    monkeypatch.setattr(referee_process, "stopped_by", lambda process: signal)
    with scripted() as agent:
        assert asked(agent, deadline=0.05)[1] == key


@pytest.mark.parametrize(
    ("status", "key", "values"),
    [
        (9, "forfeit.killed", {"signal": "9 (SIGKILL)"}),
        (3 << 8, "forfeit.exited", {"code": "3"}),
        (0, "forfeit.exited", {"code": "0"}),
        (None, "forfeit.closed", {}),
    ],
)
def test_a_process_that_has_ended_tells_how(
    status: int | None, key: str, values: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def waitpid(process: int, options: int) -> tuple[int, int]:
        return (0, 0) if status is None else (process, status)

    calls = {**vars(os), "waitpid": waitpid}
    monkeypatch.setattr(referee_process, "os", SimpleNamespace(**calls))
    monkeypatch.setattr(referee_process, "LAST_WORDS", 0.03)
    with scripted() as agent:
        agent.theirs.close()
        with pytest.raises(Forfeit) as forfeit:
            agent.ask(START, Limit(), 60)
    assert forfeit.value.cause == {"key": key, "agent": "bot:x.py", **values}


def test_a_game_that_nobody_wants_is_abandoned() -> None:
    with scripted() as agent:
        os.close(agent.alive)
        agent.alive = -1
        for question in (lambda: agent.ask(START, Limit(), 60), agent.handshake):
            with pytest.raises(Abandoned):
                question()


WHY = {"agent": "a", "granted": "1", "waited": "2"}
BEGAN = {"t": "error", "key": "forfeit.late", "values": WHY, "message": "late", "began": True}
CANNOT = {"t": "error", "key": "error.no_such", "values": {"name": "x"}, "message": "no x"}


@pytest.mark.parametrize(
    ("message", "spec", "reason", "exists"),
    [
        ({"t": "ready", "spec": "bot:x.py,seed=3", "plays": True}, "bot:x.py,seed=3", None, True),
        (CANNOT, "bot:x.py", "forfeit.raised", False),
        (CANNOT | {"key": CRASHED}, "bot:x.py", "forfeit.raised", True),
        (BEGAN, "bot:x.py", "forfeit.late", True),
        (b"[]\n", "bot:x.py", "forfeit.garbage", True),
    ],
)  # fmt: skip
def test_an_agent_that_is_not_ready_forfeits_or_does_not_exist(
    message: Any, spec: str, reason: str | None, exists: bool
) -> None:
    if isinstance(message, dict) and message.get("began"):
        message = message | {
            "values": {name: LATE[name] for name in ("agent", "granted", "waited")}
        }
    with scripted(message, {"move": 0}) as agent:
        assert agent.handshake() == spec
        assert agent.failed is (reason is not None)
        if reason:
            assert asked(agent) == ("crash", reason)
        if exists:
            agent.check()
        else:
            with pytest.raises(InvalidSpecError) as refused:
                agent.check()
            assert (refused.value.key, refused.value.values) == ("error.no_such", {"name": "x"})


@pytest.mark.parametrize(
    ("unasked", "seconds"),
    [(1.5, 1.5), (0.0, 0), (-1.0, 0), (float("inf"), 0), (2, 0), ("9", 0), (None, 0)],
)
def test_seconds_in_the_turn_of_another_are_believed_if_they_can_be(
    unasked: Any, seconds: float
) -> None:
    with scripted({"t": "answer", "unasked": unasked}) as agent:
        assert agent.unasked_seconds() == seconds
    with scripted(b"[]\n") as silent:
        assert silent.unasked_seconds() == 0


@pytest.mark.parametrize(("spent", "guilty"), [(2.5, False), (2.51, True)])
def test_a_rival_is_to_blame_who_kept_more_than_a_processor_and_a_quarter_busy(
    spent: float, guilty: bool
) -> None:
    def process(agent: str, seconds: float) -> Any:
        order = AgentOrder("papan.catalog", "tictactoe", agent)
        return SimpleNamespace(order=order, unasked_seconds=lambda: seconds)

    processes = [process("late", 99.0), process("rival", spent)]
    if not guilty:
        referee_process._blame_rival(0, processes, 2.0)
        return
    with pytest.raises(Forfeit) as forfeit:
        referee_process._blame_rival(0, processes, 2.0)
    assert (forfeit.value.end, forfeit.value.seat) == ("timeout", 1)
    cause = {"key": STARVES, "agent": "rival", "spent": "2.5", "waited": "2.0"}
    assert forfeit.value.cause == cause


def test_a_referee_answers_what_it_is_asked() -> None:
    task = Assignment(TournamentPlan("tictactoe", ("a", "b")), 3, "papan.catalog")
    referee: Any = SimpleNamespace(
        probe=lambda order: {"order": order}, play=lambda task: {"task": task}
    )
    order = AgentOrder("papan.catalog", "onet", "random", memory=9)
    assert respond(referee, {"probe": vars(order)}) == {"t": "answer", "answer": {"order": order}}
    assert respond(referee, {"play": task.text}) == {"t": "answer", "answer": {"task": task}}


LONG = b"x" * (LONGEST_ANSWER + 1)


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ({"t": "error", "message": "boom"}, {"key": "forfeit.raised", "error": "boom"}),
        (b"[1, 2]\n", {"key": "forfeit.garbage", "line": "b'[1, 2]'"}),
        (b"y" * 99 + b"\n", {"key": "forfeit.garbage", "line": repr(b"y" * 80)}),
        (LONG, {"key": "forfeit.garbage", "line": repr(b"x" * 80)}),
        (
            {"end": "crash", "cause": {"key": "z" * 99}},
            {"key": "forfeit.garbage", "line": repr({"key": "z" * 99})[:80]},
        ),
    ],
)
def test_a_forfeit_quotes_what_was_said(message: Any, cause: dict[str, str]) -> None:
    with scripted() as agent:
        for end, option in ((agent._channel, socket.SO_RCVBUF), (agent.theirs, socket.SO_SNDBUF)):
            end.setsockopt(socket.SOL_SOCKET, option, 1 << 18)
        sent = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        agent.theirs.sendall(sent)
        with pytest.raises(Forfeit) as forfeit:
            agent.ask(START, Limit(), 60)
    assert {"agent": "bot:x.py", **cause} == forfeit.value.cause


def test_a_process_that_was_stopped_is_told_with_its_signal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(referee_process, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(referee_process, "has_more_descendants", lambda process, most: False)
    monkeypatch.setattr(referee_process, "stopped_by", lambda process: 19)
    with scripted() as agent, pytest.raises(Forfeit) as forfeit:
        agent.ask(START, Limit(), 60)
    assert forfeit.value.cause["signal"] == "19 (SIGSTOP)"


def test_an_agent_that_cannot_be_built_is_told_with_its_error() -> None:
    with scripted(CANNOT) as agent:
        agent.handshake()
        with pytest.raises(Forfeit) as forfeit:
            agent.ask(START, Limit(), 60)
    cause = {"key": "forfeit.raised", "agent": "bot:x.py", "error": "no x"}
    assert forfeit.value.cause == cause
