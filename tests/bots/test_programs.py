"""Programs in any language that speak the line protocol."""

import sys
from pathlib import Path

import pytest

import papan
from papan.core import CannotPlayError, Event, IllegalMoveError, InvalidSpecError
from tests.waiting import until

from .conftest import SHELL, Write
from .test_hostile import alive

pytestmark = pytest.mark.thorough

START = papan.position("tictactoe")

TALKER = f"""\
#!{sys.executable}
import sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "papan":
        print(GREETING, flush=True)
    elif word == "go":
        print(ANSWER, flush=True)
"""


def talker(answer: str, greeting: str = "ready") -> str:
    """A program that always answers the same."""
    return TALKER.replace("ANSWER", repr(answer)).replace("GREETING", repr(greeting))


def test_a_shell_script_plays(program: Write) -> None:
    events: list[Event] = []
    agent = papan.agent_from_user(f"program:{program(SHELL)}")
    analysis = agent.analyse(START, listener=events.append)
    assert (analysis.move, analysis.value) == (0, 0.25)
    assert {"t": "reason", "m": "a1", "rule": '"the first one"'} in events
    assert papan.match(agent, "random", game="dots:2,2", pairs=2).forfeits(0) == {}


def test_a_program_may_have_arguments_with_any_characters(program: Write) -> None:
    path = program("#!/bin/sh\nread x; echo ready; while read w r; do [ $w = go ] && echo $2; done")
    agent = papan.agent_from_user(f"program:{path} --depth=3,4 'move c3',seed=5")
    assert agent.analyse(START).move == 8
    assert papan.agent_from_user(agent.spec) == agent


def test_everything_about_the_question_is_said(program: Write) -> None:
    path = program("""\
#!/bin/sh
read hello; echo ready tictactoe
read position; read moves; read go
echo "error $hello | $position | $moves | $go"
""")
    with pytest.raises(CannotPlayError) as caught:
        papan.agent_from_user(f"program:{path},seed=7").analyse(
            START.after("b2"), papan.Limit(2, 500)
        )
    assert (
        "papan 1 | position tictactoe:3,3,3 .../.x./... o | moves a1 b1 c1 a2 c2 a3 b3 c3 "
        "| go seconds 2 seed 7 nodes 500" in str(caught.value)
    )


def test_a_program_says_which_games_it_plays(program: Write) -> None:
    agent = papan.agent_from_user(f"program:{program(talker('move 4', 'ready connect4 nim'))}")
    assert agent.plays(papan.game("connect4:5,5"))
    assert not agent.plays(START.game)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("b2", "answered 'b2'; an answer is written like 'move a1'"),
        ("move", "an answer is written like 'move a1'"),
        ("move z9", "answered z9, which is not a legal move"),
        ("MOVE a1", "answered 'MOVE a1'"),
        ("move a1 move a2", "answered 'move a1 move a2'"),
        ("\\xff\\x00", "an answer is written like"),
    ],
)
def test_an_answer_that_is_not_understood_is_illegal(
    program: Write, answer: str, message: str
) -> None:
    agent = papan.agent_from_user(f"program:{program(talker(answer))}")
    with pytest.raises(IllegalMoveError, match=message.replace("'", ".")):
        agent.analyse(START)


@pytest.mark.parametrize(
    ("answer", "value"),
    [("move a1", None), ("move a1 -1.5", -1.5), ("move a1 inf", None), ("move a1 good", None)],
)
def test_a_value_is_welcome_if_it_is_a_number(
    program: Write, answer: str, value: float | None
) -> None:
    assert papan.agent_from_user(f"program:{program(talker(answer))}").analyse(START).value == value


def test_a_program_that_keeps_silent_is_ended(
    program: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.agents.external.STARTING_SECONDS", 0.3)
    with pytest.raises(CannotPlayError, match=r"did not say 'ready' within 0.3 s"):
        papan.agent_from_user(f"program:{program('#!/bin/sh' + chr(10) + 'sleep 60')}").plays(
            START.game
        )


def test_d8_a_wrong_greeting_is_quoted_without_waiting_for_another(
    program: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.agents.external.GREETING_SECONDS", 0.1)
    path = program(talker("move a1", "hello"))
    with pytest.raises(CannotPlayError, match="said 'hello' where 'ready' was expected"):
        papan.agent_from_user(f"program:{path}").plays(START.game)


def test_d8_a_program_may_say_its_name_before_it_is_ready(program: Write) -> None:
    agent = papan.agent_from_user(
        f"program:{program(talker('move b2', 'MyBot 1.0' + chr(10) + 'ready'))}"
    )
    assert agent.analyse(START).move == 4


def test_a_program_that_does_not_listen_cannot_hold_papan_up(program: Write) -> None:
    path = program("#!/bin/sh\necho ready\nwhile :; do echo move a1; sleep 0.02; done")
    agent = papan.agent_from_user(f"program:{path}")
    onet = papan.position("onet:16,30,kinds=2")
    for _ in range(20):
        assert agent.analyse(START).move == 0
    with pytest.raises(IllegalMoveError):
        for _ in range(20):
            agent.analyse(onet)


def test_a_program_that_closes_its_output_is_told_so(program: Write) -> None:
    path = program("#!/bin/sh\nread x; echo ready; exec 1>&-; sleep 60")
    with pytest.raises(CannotPlayError, match="closed its output"):
        papan.agent_from_user(f"program:{path}").analyse(START)


def test_last_words_tell_why_a_program_ended(program: Write) -> None:
    path = program("#!/bin/sh\nread x; echo ready; read x; echo no table >&2; exit 4")
    with pytest.raises(CannotPlayError, match=r"exit code 4 .* last words: no table"):
        papan.agent_from_user(f"program:{path}").analyse(START)


@pytest.mark.parametrize("command", ["./no-such-program", "/", "'unbalanced"])
def test_what_cannot_be_started_is_one_clear_sentence(command: str) -> None:
    with pytest.raises((CannotPlayError, InvalidSpecError), match="cannot be started"):
        papan.agent_from_user(f"program:{command}").plays(START.game)


def test_a_program_needs_a_command() -> None:
    with pytest.raises(InvalidSpecError, match="Write what to run"):
        papan.agent_from_user("program:")


def test_d7_leaving_a_with_statement_ends_the_process_of_a_program(
    program: Write, tmp_path: Path
) -> None:
    note = tmp_path / "pids"
    path = program(SHELL.replace("#!/bin/sh", f"#!/bin/sh\necho $$ >> {note}"))
    with papan.agent_from_user(f"program:{path}") as bot:
        assert bot.choose(START) == bot.choose("tictactoe") == "a1"
        (pid,) = note.read_text(encoding="utf-8").split()
        assert alive(int(pid))
    until(lambda: not alive(int(pid)))
    with bot:  # asked again, it starts a new one
        assert bot.choose(START) == "a1"
    assert len(note.read_text(encoding="utf-8").split()) == 2
