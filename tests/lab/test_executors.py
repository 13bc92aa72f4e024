"""Executors: how much runs at a time, when it ends, and what a process that fails comes to."""

from collections.abc import Collection, Iterator
from concurrent.futures import Future
from time import monotonic
from typing import Any

import pytest

from papan.core import PapanError
from papan.lab.work import Executor, WorkItem, completed, local_executor
from papan.process.lines import CRASHED, ProcessEndedError

from .work_items import square


class Waiting:
    """An executor for so many pieces at a time, each of which is over when it is asked to be."""

    def __init__(self, width: int, at_once: bool = False) -> None:
        self.started: dict[str, Future[Any]] = {}
        self.executor = Executor(self.submit, lambda: width)
        self.at_once = at_once

    def submit(self, work: str) -> Future[Any]:
        self.started[work] = Future()
        if self.at_once:
            self.started[work].set_result(work.upper())
        return self.started[work]


def pieces(words: str, asked: list[list[str]]) -> Any:
    """The next piece, whose key is its number; *asked* notes what ran whenever one was wanted."""
    left: Iterator[tuple[str, str]] = ((f"{n}", word) for n, word in enumerate(words))

    def following(running: Collection[str]) -> tuple[str, str] | None:
        asked.append([*running])
        return next(left, None)

    return following


def test_as_many_pieces_run_as_may_and_another_begins_when_one_is_over() -> None:
    waiting, asked = Waiting(2), list[list[str]]()
    submit = waiting.submit

    def second_first(work: str) -> Future[Any]:
        future = submit(work)
        if work in "bc":
            future.set_result(work)
        if work == "c":
            waiting.started["a"].set_result("a")
        return future

    over = completed(Executor(second_first, lambda: 2), pieces("abc", asked))
    key, future = next(over)
    assert (key, future.result(), [*waiting.started]) == ("1", "b", ["a", "b"])
    assert sorted((key, future.result()) for key, future in over) == [("0", "a"), ("2", "c")]
    assert asked[:3] == [[], ["0"], ["0"]] and asked[-1] == []


@pytest.mark.parametrize(("wanted", "begun"), [(0, []), (1, ["a", "b"]), (2, ["a", "b", "c"])])
def test_enough_is_asked_before_anything_begins_and_cancels_what_waits(
    wanted: int, begun: list[str]
) -> None:
    waiting, over = Waiting(2), list[str]()
    asked: list[list[str]] = []
    following = pieces("abcd", asked)

    def submit(work: str) -> Future[Any]:
        future = waiting.submit(work)
        if work != "b":  # which never ends
            future.set_result(work)
        return future

    executor = Executor(submit, lambda: 2)
    for key, _ in completed(executor, following, lambda: len(over) >= wanted):
        over.append(key)
    assert (len(over), [*waiting.started]) == (wanted, begun)
    if wanted:
        assert waiting.started["b"].cancelled()


@pytest.mark.parametrize(("seconds", "begun"), [(-1.0, []), (0.0, []), (0.01, ["a"])])
def test_nothing_begins_after_the_end_and_what_runs_then_is_cancelled(
    seconds: float, begun: list[str]
) -> None:
    waiting = Waiting(1)
    until = monotonic() + seconds if seconds else monotonic()
    assert [*completed(waiting.executor, pieces("ab", []), until=until)] == []
    assert [*waiting.started] == begun
    assert all(future.cancelled() for future in waiting.started.values())


def test_who_has_nothing_now_is_asked_again_when_something_is_over() -> None:
    waiting, given = Waiting(3, at_once=True), iter(["a", None, "b", None, None])

    def following(running: Collection[str]) -> tuple[str, str] | None:
        work = next(given)
        return None if work is None else (work, work)

    assert [key for key, _ in completed(waiting.executor, following)] == ["a", "b"]


class Scripted:
    """A worker process that answers as it is told to, and notes what is done with it."""

    answers: list[dict[str, Any] | Exception]
    asked: list[dict[str, Any]]
    ended: int

    def __init__(self, module: str) -> None:
        assert module == "papan.lab.worker"

    def request(self, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        Scripted.ended += 1

    def fail(self, error: BaseException) -> None:
        Scripted.ended += 1


KILLED = ProcessEndedError("killed")
ANSWER = {"t": "answer", "found": 9, "took": [1.5, 0.5]}
REFUSED = {"t": "error", "key": "prove.over", "values": {"position": "x"}, "message": "?"}
FAILED = {"t": "error", "key": CRASHED, "values": {"error": "boom"}, "message": "boom"}


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        ([ANSWER], (9, (1.5, 0.5))),
        ([KILLED, ANSWER], (9, (1.5, 0.5))),
        ([KILLED, KILLED], ("work.worker_killed", {"item": "nine"})),
        ([REFUSED], ("prove.over", {"position": "x"})),
        ([KILLED, FAILED], "boom"),
    ],
)
def test_a_process_that_is_killed_is_replaced_once(
    answers: list[Any], found: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.lab.work.LineProcess", Scripted)
    Scripted.answers, Scripted.asked, Scripted.ended = [*answers], [], 0
    with local_executor(1) as executor:
        future = executor.submit(WorkItem("nine", square, (3,)))
        try:
            got: Any = future.result()
        except PapanError as error:
            got = error.key, error.values
        except RuntimeError as error:
            got = str(error)
        lost = Scripted.ended
        assert (got, executor.width()) == (found, 1)
    assert lost == answers.count(KILLED)
    assert Scripted.ended == len(answers), "all end with the block"
    request = {"work": "tests.lab.work_items:square", "arguments": (3,)}
    assert Scripted.asked == [request] * len(answers)
