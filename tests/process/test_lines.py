"""The line protocol: what is written, what is answered to whom, and what an error says."""

import io
import os
from queue import SimpleQueue
from typing import Any

import pytest

from papan.core import PapanError
from papan.core.message import Message
from papan.process.lines import (
    CRASHED,
    WireMessage,
    answer_requests,
    emitter,
    failure,
    on_input_end,
)
from tests.waiting import LONGEST_WAIT


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            PapanError("error.cannot_write", path="x", why="full"),
            {
                "t": "error",
                "key": "error.cannot_write",
                "values": {"path": "x", "why": "full"},
                "message": str(PapanError("error.cannot_write", path="x", why="full")),
            },
        ),
        (
            ValueError("a\nb"),
            {
                "t": "error",
                "key": CRASHED,
                "values": {"error": "ValueError: a b"},
                "message": "ValueError: a b",
            },
        ),
    ],
)
def test_an_error_is_sent_with_its_key_and_its_text(error: Exception, message: WireMessage) -> None:
    assert failure(error) == message


def test_a_long_error_is_cut_to_two_hundred_characters() -> None:
    said = failure(ValueError("x" * 300))
    assert said["message"] == said["values"]["error"] == "ValueError: " + "x" * 188


def test_a_message_is_a_line_in_its_own_letters_and_is_sent_at_once() -> None:
    sent: list[str] = []

    class Out(io.StringIO):
        def flush(self) -> None:
            sent.append(self.getvalue())

    emit = emitter(Out(), lambda message: {**message, "more": str(Message("x").key)})
    emit({"t": "tö"})
    assert sent == ['{"t": "tö", "more": "x"}\n']


def test_nobody_is_answered_who_is_gone() -> None:
    handled: list[WireMessage] = []

    def gone(message: WireMessage) -> None:
        raise BrokenPipeError

    def handle(request: WireMessage) -> WireMessage:
        handled.append(request)
        if request["n"] == 2:
            raise ValueError
        return {}

    for requests in ([{"n": 1}, {"n": 3}], [{"n": 2}, {"n": 4}]):
        answer_requests(requests, gone, handle)
    assert handled == [{"n": 1}, {"n": 2}]


def test_the_end_of_the_input_is_told_once_and_what_comes_before_is_ignored() -> None:
    theirs, ours = os.pipe()
    over: SimpleQueue[Any] = SimpleQueue()
    with os.fdopen(theirs) as requests:
        on_input_end(requests, lambda: over.put("over"))
        os.write(ours, b"more\n" * 1000)
        os.close(ours)
        assert over.get(timeout=LONGEST_WAIT) == "over"
    assert over.empty()
