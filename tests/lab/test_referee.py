"""The referee: games are played by the rules, and faults lose with the right reason."""

import pytest

import papan
from papan.core import Agent, Limit
from papan.lab import referee
from papan.lab.referee import referee_game

from .bots import Babbler, Cheater, Crasher, Sleeper

START = papan.position("tictactoe")


def test_a_game_is_played_to_its_end_and_recorded() -> None:
    record = referee_game(START, [papan.agent("random:seed=1"), papan.agent("random:seed=2")])
    position = START.after(record.moves)
    assert not position.moves()
    assert record.scores == position.scores()
    assert record.end in ("win", "draw")
    assert record.blame is None
    assert record.agents == ("random:seed=1", "random:seed=2")


@pytest.mark.parametrize(
    ("agent", "end", "reason"),
    [
        (Cheater(), "illegal", "a1"),
        (Babbler(), "illegal", "'b2'"),
        (Babbler("true"), "illegal", "True"),
        (Babbler("far"), "illegal", "1000000000"),
        (Babbler("below"), "illegal", "-1"),
        (Babbler("half"), "illegal", "0.5"),
        (Crasher(), "crash", "ZeroDivisionError: oops"),
        (Crasher("SystemExit"), "crash", "SystemExit: oops"),
        (Crasher("nothing"), "crash", ""),
        (Crasher("empty"), "illegal", "answered None"),
    ],
)
@pytest.mark.parametrize("limit", [Limit(), Limit(seconds=5)], ids=["untimed", "timed"])
def test_a_fault_loses_with_its_reason(agent: Agent, end: str, reason: str, limit: Limit) -> None:
    record = referee_game(START.after("a1"), [papan.agent("random"), agent], limit)
    assert (record.end, record.blame, record.winner) == (end, 2, 0)
    assert reason in record.reason
    assert record.moves == ""
    assert papan.core.record.parse_record(str(record)) == record


def test_an_overdue_move_loses_without_waiting_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "MOVE_GRACE", 0.05)
    record = referee_game(START, [Sleeper(), papan.agent("random")], Limit(seconds=0.05))
    assert (record.end, record.blame, record.winner) == ("timeout", 1, 1)
    assert "within 0.05 s" in record.reason


def test_ctrl_c_is_nobodys_fault() -> None:
    class Impatient(Cheater):
        def decide(self, position: object, thinking: object) -> papan.core.Analysis:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        referee_game(START, [Impatient(), Impatient()])


@pytest.mark.parametrize(
    ("key", "signal", "killed"),
    [
        ("program.killed", "SIGKILL", True),
        ("forfeit.killed", "SIGTERM", True),
        ("program.killed", "SIGSEGV", False),
        ("program.killed", "SIGXCPU", False),
        ("forfeit.raised", "SIGKILL", False),
    ],
)
def test_y7_only_a_signal_from_outside_is_a_reason_to_play_again(
    key: str, signal: str, killed: bool
) -> None:
    assert referee.was_killed({"key": key, "signal": signal}) is killed
