"""Tables: whatever a bot does, the game ends with the right reason and nothing stays behind."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import CannotPlayError, InvalidSpecError, Limit
from papan.core.record import Record
from papan.lab.match import Match
from papan.lab.referee import KILLS, STARVES
from papan.lab.tournament.plan import AgentOrder, Assignment, BotGuard, TournamentPlan
from papan.lab.tournament.run import LostError, RefereePool
from papan.process.supervisor import processes, read_system_file
from tests.lab.tournament import hostile
from tests.waiting import LONGEST_WAIT, until

pytestmark = pytest.mark.thorough

HOSTILE = "tests.lab.tournament.hostile"
GUARD = BotGuard(deadline=50, memory=512)


@pytest.fixture(scope="module")
def pool() -> Iterator[RefereePool]:
    opened = RefereePool()
    yield opened
    opened.close()


def play(pool: RefereePool, plan: TournamentPlan, number: int = 0) -> Record:
    facts = pool.play(Assignment(plan, number, HOSTILE).text)
    del facts["effort"], facts["memory"]
    return Record(
        **facts | {key: tuple(facts[key]) for key in ("agents", "scores", "names", "hints")}
    )


def processes_with(word: str) -> list[int]:
    """The processes whose command line or whose environment speaks of *word*."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            texts = [(folder / name).read_bytes() for name in ("cmdline", "environ")]
        except OSError:
            continue
        if any(word.encode() in text for text in texts):
            found.append(int(folder.name))
    return found


@pytest.mark.parametrize(
    ("how", "end", "reason"),
    [
        ("loop", "timeout", "within 0.2 s"),
        ("print", "timeout", "within 0.2 s"),
        ("interrupt", "timeout", "within 0.2 s"),
        ("fork", "crash", "processes"),
        ("exit", "crash", "exit code 3"),
        ("quit", "crash", "SystemExit: bye"),
        ("crash", "crash", "SIGSEGV"),
        ("abort", "crash", "SIGKILL"),
        ("garbage", "illegal", "b2"),
        ("nothing", "illegal", "None"),
        ("wrong", "illegal", "1000000000"),
        ("babble", "crash", "garbage"),
        ("flood", "crash", "xxxx"),
        ("eat", "crash", "ran out of memory"),
        ("fill", "crash", "OSError"),
        ("deaf", "crash", "has closed the line to the referee"),
        ("unborn", "crash", "RuntimeError: no"),
    ],
)
def test_a_hostile_bot_forfeits_its_game_and_the_next_game_goes_on(
    pool: RefereePool, how: str, end: str, reason: str
) -> None:
    guard = BotGuard(deadline=0.2 if end == "timeout" else 50, memory=512)
    plan = TournamentPlan("tictactoe", (f"hostile:{how}", "random"), opening=0, guard=guard)
    record = play(pool, plan)
    assert (record.end, record.blame, record.winner) == (end, 1, 1)
    assert reason in record.reason
    calm = play(pool, TournamentPlan("tictactoe", ("random", "random"), guard=GUARD))
    assert calm.end in ("win", "draw")


@pytest.mark.parametrize(
    ("how", "seat"),
    [("busy", 0), ("busy", 1), ("thinking", 0), ("mute", 0), ("boastful", 0), ("broken", 0)],
)
def test_z25_who_keeps_the_processors_busy_while_its_rival_is_late_forfeits(
    pool: RefereePool, how: str, seat: int
) -> None:
    """One processor is what a bot may think ahead with: its late rival had the others."""
    agents = (f"hostile:{how}", "hostile:sleep")
    guard = BotGuard(deadline=0.5, memory=512)
    plan = TournamentPlan("tictactoe", agents, opening=0, guard=guard)
    record = play(pool, plan, seat)  # in the second game of a pair seats are swapped
    assert record.end == "timeout" and record.blame is not None
    assert (how in record.agents[record.blame - 1]) == (how == "busy")
    assert (record.cause["key"] == STARVES) == (how == "busy")


def test_v05_13_a_bot_that_answers_for_its_process_plays_no_illegal_move(pool: RefereePool) -> None:
    plan = TournamentPlan("tictactoe", ("hostile:dictate", "random"), opening=0, guard=GUARD)
    record = play(pool, plan)
    assert (record.end, record.blame) == ("illegal", 1)
    assert "answered 99, which is not a legal move" in record.reason


@pytest.mark.parametrize("how", ["babble", "flood", "deaf"])
def test_a_bot_cannot_meddle_with_its_opponent(pool: RefereePool, how: str) -> None:
    record = play(
        pool, TournamentPlan("tictactoe", ("random", f"hostile:{how}"), opening=0, guard=GUARD)
    )
    assert (record.end, record.blame) == ("crash", 2)


def test_a_table_has_loaded_what_agents_need_after_their_first_game(pool: RefereePool) -> None:
    plan = TournamentPlan("tictactoe", ("level:5", "random"))
    agents = papan.agent("level:5"), papan.agent("random")
    games = Match(agents, papan.game("tictactoe")).play()
    assert [play(pool, plan, number) for number in range(2)] == [game.record for game in games]


def test_a_bot_cannot_leave_a_process_behind(
    pool: RefereePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_TEST", mark := f"escape-{os.getpid()}")
    apart = RefereePool()
    play(apart, TournamentPlan("tictactoe", ("hostile:escape", "random"), opening=0, guard=GUARD))
    tables = processes_with(mark)
    apart.close()
    assert len(tables) == 2  # the referee and its guard


@pytest.mark.parametrize(
    ("how", "seat"),
    [
        *(("referee", 2), ("stop-referee", 1), ("stop-above", 2), ("above", 1)),
        *(
            pytest.param(how, seat, marks=pytest.mark.slow)  # the first to move, or the second
            for how, seat in {"referee": 1, "stop-referee": 2, "stop-above": 1, "above": 2}.items()
        ),
    ],
)
def test_z5_a_bot_that_kills_the_referee_forfeits_and_the_run_goes_on(
    pool: RefereePool, how: str, seat: int
) -> None:
    agents = ("random", "random")[: seat - 1] + (f"hostile:{how}", "random")[: 3 - seat]
    record = play(pool, TournamentPlan("tictactoe", agents, opening=0, guard=GUARD))
    assert (record.end, record.blame, record.winner) == ("crash", seat, 2 - seat)
    assert "killed the process of its rival or of the referee" in record.reason
    calm = play(pool, TournamentPlan("tictactoe", ("random", "random"), guard=GUARD))
    assert calm.end in ("win", "draw")
    assert not [
        each for each in processes() if SLEEPING in read_system_file(f"/proc/{each}/cmdline")
    ]


SLEEPING = f"sleep\0{hostile.LONG_SLEEP}".encode()


@pytest.mark.parametrize(("agents", "blame"), [(("calm", "referee"), 2), (("rival", "calm"), 1)])
def test_z5_of_two_bots_the_one_that_kills_without_the_other_forfeits(
    pool: RefereePool, agents: tuple[str, str], blame: int
) -> None:
    bots = tuple(f"hostile:{how}" for how in agents)
    record = play(pool, TournamentPlan("tictactoe", bots, opening=0, guard=GUARD))
    assert (record.end, record.blame) == ("crash", blame)
    assert "killed the process of its rival or of the referee" in record.reason


def test_z10_an_agent_of_ours_that_is_killed_once_plays_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_TEST_NOTE", str(tmp_path / "note"))
    with closing(RefereePool()) as apart:
        plan = TournamentPlan("tictactoe", ("hostile:rival-once", "random"), opening=0, guard=GUARD)
        record = play(apart, plan)
    assert (tmp_path / "note").exists()
    assert (record.blame, record.reason) == (1, "SystemExit: once was enough")


@pytest.mark.parametrize("how", ["rival", "end-rival", "stop-rival"])
def test_z10_an_agent_of_ours_is_not_blamed_for_what_its_rival_does(
    pool: RefereePool, how: str
) -> None:
    plan = TournamentPlan("tictactoe", (f"hostile:{how}", "random"), opening=0, guard=GUARD)
    record = play(pool, plan)
    assert (record.end, record.blame) == ("crash", 1)
    assert record.cause["key"] == KILLS


@pytest.mark.skipif(sys.platform != "linux", reason="signals without a name are those of Linux")
def test_z5_a_signal_without_a_name_is_a_forfeit_as_any_other(pool: RefereePool) -> None:
    plan = TournamentPlan("tictactoe", ("random", "hostile:nameless"), opening=0, guard=GUARD)
    record = play(pool, plan)
    assert (record.end, record.blame) == ("crash", 2)
    assert "ended by the signal 40." in record.reason


def test_z5_a_bot_that_kills_whoever_asks_it_is_let_in_and_loses(pool: RefereePool) -> None:
    order = AgentOrder(HOSTILE, "tictactoe", "hostile:birth-referee")
    assert pool.probe(order) == "hostile:how=birth-referee"
    record = play(
        pool, TournamentPlan("tictactoe", ("random", "hostile:birth-referee"), guard=GUARD)
    )
    assert (record.end, record.blame) == ("crash", 2)


def test_games_at_a_table_are_those_of_a_match_in_one_process(pool: RefereePool) -> None:
    plan = TournamentPlan(
        "dots:2,2", ("random", "alphabeta"), pairs=2, seed=5, limit=Limit(nodes=50)
    )
    agents = papan.agent("random"), papan.agent("alphabeta")
    games = Match(agents, papan.game("dots:2,2"), 2, 5, Limit(nodes=50)).play()
    assert [play(pool, plan, number) for number in range(4)] == [game.record for game in games]


def test_a_puzzle_is_played_alone(pool: RefereePool) -> None:
    plan = TournamentPlan("onet:2,6,3", ("openings", "random"), seats=1, seed=4)
    first, second = play(pool, plan, 0), play(pool, plan, 1)
    assert first.agents == ("openings",)
    assert first.start == second.start
    assert first.end in ("cleared", "stuck")


def test_the_exact_solver_plays_on_for_both_once_it_can(pool: RefereePool) -> None:
    plan = TournamentPlan("tictactoe", ("random", "random"), adjudicate=100_000, opening=2)
    for number in range(4):
        record = play(pool, plan, number)
        assert record.adjudicated == 0
        value = papan.solve(record.start).value
        turn = papan.position(record.start).turn
        assert record.scores[turn] - record.scores[1 - turn] == value


def test_without_enough_nodes_the_agents_play_on_themselves(pool: RefereePool) -> None:
    plan = TournamentPlan("tictactoe:5,5,4", ("random", "random"), adjudicate=1, opening=0)
    record = play(pool, plan)
    assert record.adjudicated is None or record.adjudicated > 0
    assert papan.core.record.parse_record(str(record)) == record


def test_a_probe_tells_what_is_wrong_with_an_agent(pool: RefereePool) -> None:
    order = AgentOrder(HOSTILE, "tictactoe", "random:seed=7")
    assert pool.probe(order) == "random:seed=7"
    with pytest.raises(InvalidSpecError, match="did you mean 'random'"):
        pool.probe(replace(order, agent="randon"))
    with pytest.raises(CannotPlayError, match="cannot play"):
        pool.probe(replace(order, agent="priority"))
    with pytest.raises(InvalidSpecError, match="does not get ready"):
        pool.probe(replace(order, agent="hostile:unborn"))


def test_a_depth_is_given_to_agents_that_have_one(pool: RefereePool) -> None:
    order = AgentOrder(HOSTILE, "tictactoe", "alphabeta", depth=3)
    assert pool.probe(order) == "alphabeta:depth=3"
    with pytest.raises(InvalidSpecError, match="has no depth"):
        pool.probe(replace(order, agent="random"))


def test_a_table_that_is_lost_is_replaced(pool: RefereePool) -> None:
    for _, table in pool._pool._idle:
        table._process.kill()
        table._process.wait()
    record = play(pool, TournamentPlan("tictactoe", ("random", "random")))
    assert record.end in ("win", "draw")


def test_a_table_tells_of_an_error_of_its_own(pool: RefereePool) -> None:
    with pytest.raises(LostError, match="no_such_catalogue"):
        pool.play(
            Assignment(
                TournamentPlan("tictactoe", ("random", "random")), 0, "no_such_catalogue"
            ).text
        )


def test_an_agent_that_does_not_exist_here_is_no_forfeit(pool: RefereePool) -> None:
    with pytest.raises(LostError, match="There is no agent 'gone'"):
        play(pool, TournamentPlan("tictactoe", ("random", "gone")))


def test_a_closed_pool_plays_no_more() -> None:
    closed = RefereePool()
    closed.close()
    with pytest.raises(LostError):
        play(closed, TournamentPlan("tictactoe", ("random", "random")))


def test_a_table_whose_pool_is_gone_ends_with_all_agents() -> None:
    mark = f"orphan-{os.getpid()}"
    plan = TournamentPlan("tictactoe", ("hostile:loop", "random"), opening=0)
    request = json.dumps({"play": Assignment(plan, 0, HOSTILE).text})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    table: subprocess.Popen[Any] = subprocess.Popen(
        [sys.executable, "-P", "-m", "papan.lab.tournament.referee_process"],
        stdin=subprocess.PIPE,
        env=environment | {"PAPAN_TEST": mark},
        text=True,
    )
    assert table.stdin
    table.stdin.write(request + "\n")
    table.stdin.flush()
    until(lambda: len(processes_with(mark)) == 4)  # the referee, its guard, and its two seats
    table.stdin.close()
    assert table.wait(LONGEST_WAIT) == 0
    until(lambda: not processes_with(mark))
