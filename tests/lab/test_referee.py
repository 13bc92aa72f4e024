"""The referee: games are played by the rules, and faults lose with the right reason."""

from time import sleep

import pytest

import papan
from papan.core import Agent, InvalidSpecError, Limit, Position, Progress
from papan.core.interrupts import Interrupted
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


# Y7: who is to blame, who plays on, and what a trial asks


def first_of(position: Position) -> int:
    return position.moves()[0]


def refuse(position: Position) -> int:
    late = referee.overdue_forfeit("slow", 1, 2)
    raise referee.Forfeit("timeout", late.error, "printed")


@pytest.mark.parametrize("seat", [0, 1])
def test_y7_who_forfeits_is_to_blame_and_the_moves_before_are_kept(seat: int) -> None:
    players = [refuse if each == seat else first_of for each in (0, 1)]
    record = referee.conduct(START.after("b2"), players, ["a", "b"])
    assert (record.blame, record.winner, record.end) == (seat + 1, 1 - seat, "timeout")
    assert (record.moves, record.output) == ("" if seat else "a1", "printed")
    assert (record.cause["key"], record.adjudicated) == ("forfeit.late", None)


def test_y7_a_judge_plays_on_from_where_it_knows_everything() -> None:
    def judge(position: Position) -> int | None:
        moves = position.moves()
        return moves[-1] if len(moves) <= 6 else None

    record = referee.conduct(START, [first_of, first_of], ["a", "b"], judge)
    assert record.moves == "a1 b1 c1 c3 b3 a3 c2 b2 a2"
    assert (record.adjudicated, record.end, record.winner) == (3, "draw", None)


def test_y7_a_judge_that_gives_up_decides_nothing() -> None:
    def judge(position: Position) -> int | None:
        moves = position.moves()
        return moves[-1] if len(moves) > 6 else None

    assert referee.perfect_rest(START, judge) is None
    record = referee.conduct(START, [first_of, first_of], ["a", "b"], judge)
    assert record.moves.startswith("a1 b1 c1 a2")
    assert record.adjudicated is None


def test_y7_the_end_of_a_long_output_is_kept() -> None:
    def shout(position: Position) -> str:
        raise ValueError("x" * 5000 + "the end")

    record = referee_game(START, [papan.catalog.player(shout), papan.agent("random")])
    assert record.output.strip().endswith("the end") and len(record.output) == 4000
    assert len(record.reason) < 300


def test_y7_a_late_move_says_what_was_granted_and_what_was_waited() -> None:
    late = referee.overdue_forfeit("bot:a", 0.5, 1.56)
    assert (late.end, late.cause["agent"]) == ("timeout", "bot:a")
    assert (late.cause["granted"], late.cause["waited"]) == ("0.5", "1.6")


def test_y7_a_trial_asks_for_positions_of_all_games_in_turn() -> None:
    games = [papan.game("tictactoe"), papan.game("onet:2,6,3"), papan.game("dots:1,1")]
    found = list(referee.sample_positions(games, 40, 3))
    assert [each.game.name for each in found[:15]] == (
        ["tictactoe"] * 5 + ["onet"] * 5 + ["dots"] * 4 + ["tictactoe"]
    )
    assert len(found) == 40 and all(each.moves() for each in found)
    assert len({str(each) for each in found if each.game.name == "onet"}) > 6
    assert found == list(referee.sample_positions(games, 40, 3))
    assert found != list(referee.sample_positions(games, 40, 4))


def test_y7_a_trial_ends_at_the_fifth_fault_and_asks_nothing_again() -> None:
    restarted: list[bool] = []
    plan = referee.TrialPlan([papan.game("tictactoe")], 50, 10)
    trial = referee.try_out(Crasher(), plan, lambda: restarted.append(True))
    assert [fault.kind for fault in trial.faults] == ["crash"] * 5
    assert (trial.seconds, trial.repeated, trial.fine) == ((), 0, False)
    fault = trial.faults[0].json()
    assert fault.keys() == {"kind", "position", "reason", "output"}
    assert papan.position(fault["position"]).moves() and "oops" in fault["reason"]


def test_y7_a_trial_asks_the_first_questions_again_from_the_last() -> None:
    asked: list[str] = []

    def play(position: Position) -> str:
        asked.append(str(position))
        again = len(asked) > 12 and len(asked) % 2 == 0
        return position.move_names()[-1 if again else 0]

    restarted: list[int] = []
    plan = referee.TrialPlan([papan.game("tictactoe:4,4,3")], 12, 4)
    trial = referee.try_out(papan.catalog.player(play), plan, lambda: restarted.append(len(asked)))
    assert asked[12:] == asked[3::-1] and restarted == [12]
    assert (len(trial.seconds), trial.repeated, trial.faults) == (12, 4, ())
    several = [text for text in (asked[13], asked[15]) if len(papan.position(text).moves()) > 1]
    assert [*trial.changed] == several != [] and not trial.fine


def test_y7_a_move_just_after_its_limit_is_still_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may be late itself."""

    def play(position: Position) -> str:
        sleep(0.02)
        return "a3"

    monkeypatch.setattr(referee, "MOVE_GRACE", 60)
    agents = [papan.catalog.player(play), papan.agent("random")]
    record = referee_game(START.after("a1 b1 a2 b2"), agents, Limit(seconds=0.001))
    assert (record.moves, record.blame, record.winner) == ("a3", None, 0)


def test_a_trial_tells_of_each_question_but_not_of_those_asked_again() -> None:
    counts: list[tuple[float, float]] = []

    def tell(made: Progress) -> None:
        counts.append((made.done, made.total))

    plan = referee.TrialPlan([papan.game("tictactoe")], 7, 3)
    referee.try_out(papan.agent("random"), plan, lambda: None, tell)
    assert counts == [(count, 7) for count in range(1, 8)]
    counts.clear()
    referee.try_out(Crasher(), plan, lambda: None, tell)
    assert counts == [(count, 7) for count in range(1, 5)], "the fifth fault ends it"


def test_a_trial_that_is_interrupted_has_what_was_asked() -> None:
    def stop(made: Progress) -> None:
        if made.done == 3:
            raise KeyboardInterrupt

    plan = referee.TrialPlan([papan.game("tictactoe")], 9, 9)
    restarted: list[bool] = []
    with pytest.raises(Interrupted) as interrupted:
        referee.try_out(papan.agent("random"), plan, lambda: restarted.append(True), stop)
    trial = interrupted.value.result
    assert (len(trial.seconds), trial.repeated, trial.faults, restarted) == (3, 0, (), [])


@pytest.mark.parametrize(
    ("positions", "fine"), [(0, False), (1, True), (10**6, True), (10**6 + 1, False)]
)
def test_a_trial_asks_from_one_to_a_million_questions(positions: int, fine: bool) -> None:
    if fine:
        assert referee.TrialPlan([], positions).positions == positions
    else:
        with pytest.raises(InvalidSpecError, match=r"1,?000,?000"):
            referee.TrialPlan([], positions)


def test_a_traceback_begins_where_papan_has_called() -> None:
    def choose(position: Position) -> str:
        raise ValueError("mine")

    record = referee_game(START, [papan.catalog.player(choose), papan.agent("random")])
    lines = record.output.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert __file__ in lines[1] and lines[1].endswith("in choose")
    assert lines[-1] == "ValueError: mine" and 'referee.py"' not in record.output.replace(
        __file__, ""
    )
