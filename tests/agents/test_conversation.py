"""The talk with a program, line by line, with a clock that passes only while papan waits."""

from collections.abc import Callable, Iterator

import pytest

import papan
from papan.agents import external
from papan.agents.external import Program
from papan.core import CannotPlayError, Event, IllegalMoveError, Limit, OverdueError, PapanError
from papan.process.lines import ProcessPool
from papan.process.sandbox import SandboxView

START = papan.position("tictactoe")
POLL = 1 / 16
Script = list[str | None]
"""The lines of a program in order; None: nothing came while papan waited, as after the last one."""


class Scripted:
    """A process that says what is written, and notes what it is told."""

    games: tuple[str, ...] = ()

    def __init__(self, talk: "Talk", command: tuple[str, ...], memory: int, headroom: int) -> None:
        self.talk = talk
        talk.started.append((command, memory, headroom))
        self.script = iter(talk.scripts.pop(0))

    def send(self, *lines: str) -> None:
        self.talk.sent += [(self.talk.polls, line) for line in lines]

    ask = send

    def line(self, seconds: float) -> str | None:
        said = next(self.script, None)
        if said is None:
            self.talk.polls += 1
            assert seconds == POLL
        return said

    def seconds_since(self) -> float:
        return self.talk.busy

    def count_anew(self) -> float:
        return self.talk.spent.pop(0) if self.talk.spent else 0.0

    def peak_memory(self) -> int:
        return self.talk.memory.pop(0) if self.talk.memory else 0

    def printed(self) -> str:
        return "a word"

    def fail(self, error: BaseException) -> None:
        self.talk.ended += 1

    def end(self) -> None:
        self.talk.ended += 1


class Talk:
    """The scripts of the processes to be started, and what has happened so far."""

    def __init__(self) -> None:
        self.scripts: list[Script] = []
        self.started: list[tuple[tuple[str, ...], int, int]] = []
        self.sent: list[tuple[int, str]] = []
        """What papan has said, each after so many polls."""
        self.polls = self.ended = 0
        self.busy = 0.0
        self.spent: list[float] = []
        self.memory: list[int] = []

    def clock(self) -> float:
        return self.polls * POLL

    def start(
        self,
        command: tuple[str, ...],
        memory: int,
        headroom: int,
        aloud: bool,
        view: SandboxView | None,
    ) -> Scripted:
        assert (aloud, view) == (False, None)
        return Scripted(self, command, memory, headroom)

    def agent(self, *script: str | None, **settings: float) -> Program:
        self.scripts.append(list(script))
        return Program(run="./bot --fast", **settings)  # type: ignore[arg-type]


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Talk]:
    talk = Talk()
    monkeypatch.setattr(external, "ProgramProcess", talk.start)
    monkeypatch.setattr(external, "PROGRAM_POOL", ProcessPool(most_idle=4))
    monkeypatch.setattr(external, "PROGRAM_POLL_SECONDS", POLL)
    monkeypatch.setattr(external, "monotonic", talk.clock)
    monkeypatch.setattr("papan.core.thinking.perf_counter", talk.clock)
    yield talk


def test_a_move_is_asked_for_in_four_lines_and_the_process_waits_for_the_next(talk: Talk) -> None:
    agent = talk.agent("ready", None, None, "move b2", "move a1 -0.25", seed=7, memory=64)
    assert agent.choose(START, Limit(3, 500)) == "b2"
    analysis = agent.analyse(START.play("b2"))
    assert (analysis.move, analysis.value, agent.printed) == (0, -0.25, "a word")
    assert talk.started == [(("./bot", "--fast"), 64, 4)]
    assert talk.sent == [
        (0, "papan 1"),
        (0, "position tictactoe:3,3,3 .../.../... x"),
        (0, "moves a1 b1 c1 a2 b2 c2 a3 b3 c3"),
        (0, "go seconds 3 seed 7 nodes 500"),
        (2, "position tictactoe:3,3,3 .../.x./... o"),
        (2, "moves a1 b1 c1 a2 c2 a3 b3 c3"),
        (2, "go seconds 10 seed 7"),
    ]
    assert talk.ended == 0
    agent.close()
    assert talk.ended == 1


def test_a_process_is_lent_to_who_grants_it_as_much_memory_alone(talk: Talk) -> None:
    agents = [talk.agent("ready", "move a1", "move b1", memory=size) for size in (64, 65)]
    again = Program(run="./bot --fast", memory=64, seed=3)
    assert [agent.choose(START) for agent in (*agents, again)] == ["a1", "a1", "b1"]
    assert [memory for _, memory, _ in talk.started] == [64, 65]


def test_at_the_deadline_it_is_asked_to_stop_and_then_has_half_a_second(talk: Talk) -> None:
    agent = talk.agent("ready", deadline=1)
    with pytest.raises(OverdueError) as late:
        agent.analyse(START)
    assert "./bot --fast,deadline=1" in str(late.value) and " 1.0 s" in str(late.value)
    assert talk.sent[-1] == (17, "stop"), "once its second is over"
    assert [line for _, line in talk.sent].count("stop") == 1
    assert (talk.polls, talk.ended) == (17 + 8, 1)


def test_an_answer_in_the_grace_counts(talk: Talk) -> None:
    agent = talk.agent("ready", *[None] * 24, "move c3", deadline=1)
    assert agent.choose(START) == "c3"
    assert talk.sent[-1] == (17, "stop")


def test_who_cancels_stops_it_at_once(talk: Talk) -> None:
    agent = talk.agent("ready", None, "move c3")
    assert agent.analyse(START, cancelled=lambda: True).move == 8
    assert talk.sent[-1] == (1, "stop")


@pytest.mark.parametrize(("busy", "fine"), [(1.5, True), (1.5625, False)])
def test_processor_time_beyond_the_grace_is_too_much(talk: Talk, busy: float, fine: bool) -> None:
    agent, talk.busy = talk.agent("ready", "info thinking", "move a1", deadline=1), busy
    if fine:
        assert agent.choose(START) == "a1"
        return
    with pytest.raises(OverdueError, match=r"used 1.6 s of processor time .* 1 s were granted"):
        agent.analyse(START)
    assert talk.ended == 1


def test_what_it_has_used_is_added_up_and_the_most_memory_kept(talk: Talk) -> None:
    agent = talk.agent("ready", "info", "move a1", "move b1", "move c1")
    talk.spent, talk.memory = [9.0, 0.5, -3.0, 0.25], [5, 9, 7]
    assert (agent.processor_seconds(), agent.peak_memory()) == (0, 0)
    found = []
    for _ in range(3):
        agent.analyse(START)
        found.append((agent.processor_seconds(), agent.peak_memory()))
    assert found == [(0.5, 5), (0.5, 9), (0.75, 9)], "its start was on nobody's time"
    talk.busy = 0.125
    assert agent.unasked_seconds() == 0.125


def test_its_last_reason_is_told_with_the_move(talk: Talk) -> None:
    events: list[Event] = []
    agent = talk.agent("ready", "info no", "info " + "y" * 300, "move b2 nan", "move b2")
    assert agent.analyse(START, listener=events.append).value is None
    reason = {"t": "reason", "m": "b2", "rule": f'"{"y" * 200}"'}
    assert [each for each in events if each["t"] == "reason"] == [reason]
    agent.analyse(START, listener=events.append)
    assert [each for each in events if each["t"] == "reason"] == [reason], "the next has none"


FAULTS: list[tuple[str, type[PapanError], str]] = [
    ("move", IllegalMoveError, "answered 'move'; an answer is written like 'move a1'"),
    ("move b2 1 2", IllegalMoveError, "an answer is written like 'move a1'"),
    ("x" * 90, IllegalMoveError, f"answered '{'x' * 80}';"),
    ("move z9", IllegalMoveError, "answered z9, which is not a legal move"),
    ("error no idea", CannotPlayError, "no idea"),
]


@pytest.mark.parametrize(("answer", "kind", "said"), FAULTS)
def test_another_answer_is_a_fault_and_ends_it(
    talk: Talk, answer: str, kind: type[PapanError], said: str
) -> None:
    agent = talk.agent("ready", answer)
    with pytest.raises(kind) as caught:
        agent.analyse(START)
    assert type(caught.value) is kind and said in str(caught.value)
    assert "./bot --fast" in str(caught.value)
    assert talk.ended == 1


def test_it_names_its_games_after_what_else_it_says(talk: Talk) -> None:
    agent = talk.agent(None, "My Bot 1.0", None, "ready dots nim", None)
    assert [agent.plays(papan.game(name)) for name in ("dots", "tictactoe")] == [True, False]
    agent.close()
    assert talk.agent("ready").plays(papan.game("onet")), "who names none plays all"


@pytest.mark.parametrize(
    ("script", "said", "polls"),
    [
        (["error too old"], "too old", 0),
        ([], "20 s", 20 * 16),
        ([None, "My Bot " + "x" * 90, None, "1.0"], f"'My Bot {'x' * 73}'", 1 + 2 * 16),
        ([None] * (19 * 16) + ["hello"], "'hello'", 20 * 16),
    ],
)
def test_a_program_that_is_not_ready_in_time_is_ended(
    talk: Talk, script: Script, said: str, polls: int
) -> None:
    asked: Callable[[], object] = lambda: talk.agent(*script).plays(START.game)  # noqa: E731
    with pytest.raises(CannotPlayError) as caught:
        asked()
    assert said in str(caught.value)
    assert (talk.polls, talk.ended) == (polls, 1)
