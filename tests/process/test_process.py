"""The process host: one pool, one line protocol, and a sentence where a system lacks something."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Hashable
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from papan.core import PapanError
from papan.process import program, supervisor
from papan.process.lines import (
    CRASHED,
    ProcessEndedError,
    ProcessPool,
    answer_requests,
    emitter,
    queued_requests,
)
from papan.process.sandbox import software
from tests.waiting import LONGEST_WAIT

WITHOUT = """
import os, sys
for name in ("fcntl", "resource"):
    sys.modules[name] = None
for name in ("fork", "killpg", "register_at_fork", "getpriority", "setsid"):
    delattr(os, name)
from pathlib import Path
from papan import catalog
from papan.core import PapanError
from papan.lab.tournament.run import RefereePool
from papan.lab.tournament.folder import Journal
from papan.lab.tournament.plan import TournamentPlan
from papan.process import host, program
import papan.web.job_process, papan.web.worker
host.limit_memory(100)
host.limit_processor(100)
host.lower_priority(os.getpid(), 5)
plan = TournamentPlan("tictactoe", ("a", "b"))
for refused in (RefereePool, lambda: Journal(Path(sys.argv[1]), plan)):
    try:
        refused()
    except PapanError as error:
        print(error.key)
"""
"""What systems without fork and locks have, and what they say."""


class Fake:
    """A process that keeps what is done to it."""

    def __init__(self) -> None:
        self.ended: list[object] = []

    def end(self) -> None:
        self.ended.append(None)

    def fail(self, error: BaseException) -> None:
        self.ended.append(error)


@pytest.mark.thorough
def test_where_there_is_no_fork_everything_loads_and_a_sentence_says_what_cannot_be(
    tmp_path: object,
) -> None:
    command = [sys.executable, "-c", WITHOUT, f"{tmp_path}/journal"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["tournament.no_fork"] * 2, done.stderr


def test_a_process_is_lent_again_and_only_to_who_wants_its_kind() -> None:
    pool: ProcessPool[Fake] = ProcessPool()
    with pool.borrowed("a", Fake) as first:
        pass
    with pool.borrowed("b", Fake) as other, pool.borrowed("a", Fake) as again:
        assert again is first
        assert other is not first


def test_a_process_that_fails_is_ended_and_not_lent_again() -> None:
    pool: ProcessPool[Fake] = ProcessPool()
    error = RuntimeError("lost")
    with pytest.raises(RuntimeError), pool.borrowed("a", Fake) as first:
        raise error
    assert first.ended == [error]
    assert pool.taken("a") is None


def test_more_than_may_wait_are_ended_the_oldest_first() -> None:
    pool: ProcessPool[Fake] = ProcessPool(most_idle=1)
    with pool.borrowed("a", Fake) as first, pool.borrowed("b", Fake) as second:
        pass
    assert (len(first.ended), len(second.ended)) == (0, 1)  # the second came back first


def test_a_closed_pool_has_ended_all_and_lends_none() -> None:
    pool: ProcessPool[Fake] = ProcessPool()
    with pool.borrowed("a", Fake) as idle:
        pass
    with pool.borrowed("b", Fake) as lent:
        pool.close()
        assert idle.ended and lent.ended
    with pytest.raises(ProcessEndedError), pool.borrowed("a", Fake):
        pass


def test_y7_a_process_that_comes_back_after_its_pool_was_closed_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool: ProcessPool[Fake] = ProcessPool()
    give_back = pool._give_back

    def late(key: Hashable, process: Fake) -> None:
        pool.close()  # by another thread, when the process is no longer lent and not yet idle
        give_back(key, process)

    monkeypatch.setattr(pool, "_give_back", late)
    with pool.borrowed("a", Fake) as process:
        pass
    assert process.ended


def test_requests_are_answered_in_turn_and_an_error_ends_nothing() -> None:
    def handle(request: dict[str, object]) -> dict[str, object]:
        if request["n"] == 1:
            raise PapanError("error.cannot_write", path="x", why="y")
        return {"t": "answer", "n": 6 // int(str(request["n"]))}

    stop, out = Event(), io.StringIO()
    lines = '{"n": 2}\n{"n": 1}\n{"n": 0}\n{"n": 3}\n'
    answer_requests(queued_requests(io.StringIO(lines), stop), emitter(out), handle)
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [each.get("n", each.get("key")) for each in said] == [
        3,
        "error.cannot_write",
        CRASHED,
        2,
    ]
    assert stop.is_set()  # the input is over


def test_a_stop_is_for_the_request_under_way_and_not_for_the_next() -> None:
    theirs, ours = os.pipe()
    stop = Event()
    with os.fdopen(theirs) as requests:
        tasks = queued_requests(requests, stop)
        os.write(ours, b'{"stop": true}\n{"n": 1}\n')
        task, stopped = next(tasks), stop.is_set()
        os.close(ours)  # before anything can fail: it ends the thread that reads
        assert not list(tasks)
    assert (task, stopped) == ({"n": 1}, False)


@pytest.mark.thorough
def test_what_a_program_said_before_is_not_held_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MOST_BYTES", 15)
    child = program.ProgramProcess(["sh", "-c", "while read line; do echo 0123456789; done"], 512)
    for _ in range(3):
        child.ask("go")
        assert child.line(LONGEST_WAIT) == "0123456789"
    child.end()


def test_l04_the_last_line_of_a_program_is_heard_however_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Beside busy loops a program was gone before anybody had read why."""
    asked, read = Event(), program._read_lines

    def late(*arguments: Any) -> None:
        asked.wait()
        read(*arguments)

    monkeypatch.setattr(program, "_read_lines", late)
    child = program.ProgramProcess([sys.executable, "-c", "print('error of its own')"], 512)
    child._process.wait()
    wait = child._listener.join

    def join(timeout: float) -> None:
        asked.set()
        wait()

    monkeypatch.setattr(child._listener, "join", join)
    assert child.line(0.01) == "error of its own"
    child.end()


def test_the_error_of_a_program_can_be_read_before_its_agent_is_known() -> None:
    error = program.ProgramError("program.late", seconds=2)
    assert str(error) == "The program did not answer within 2 s."
    assert "Program itu" in error.text("id")


@pytest.mark.parametrize(("processes", "exceeded"), [(3, ""), (4, "crowd")])
def test_y7_a_program_may_have_as_many_processes_as_it_was_granted(
    processes: int, exceeded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "descendants", lambda process, most: [-1] * processes)
    limits = supervisor.ProgramLimits(megabytes=64, data=64, processes=3)
    assert supervisor.exceeded_limit(limits) == exceeded


def test_a_command_needs_its_own_files_and_the_whole_package_of_a_program_in_opt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java, bot = tmp_path / "java", tmp_path / "bot.jar"
    for file in (java, bot):
        file.touch()
    real = {java: Path("/opt/java/bin/java")}
    usual = Path.resolve
    monkeypatch.setattr(Path, "resolve", lambda path: real.get(path) or usual(path))
    needed = software([str(java), "-jar", str(bot), str(tmp_path / "missing"), str(tmp_path)])
    assert needed == (Path("/opt/java"), bot)


SPEAKER = """
import sys
for number, line in enumerate(sys.stdin):
    print("I see", number, file=sys.stderr)
    print("moved", flush=True)
"""


@pytest.mark.thorough
def test_what_was_printed_before_an_answer_is_there_with_the_answer() -> None:
    speaking = program.ProgramProcess((sys.executable, "-c", SPEAKER), megabytes=200)
    over = Event()
    rival = Thread(target=lambda: all(not over.is_set() for _ in count()))  # wants to run, too
    rival.start()
    try:
        for number in range(60):
            speaking.ask("move")
            assert speaking.line(LONGEST_WAIT) == "moved"
            assert speaking.printed() == f"I see {number}"
    finally:
        over.set()
        speaking.end()
        rival.join()
