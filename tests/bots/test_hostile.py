"""Hostile bots: whatever they do, a clear verdict comes in time and nothing of them is left."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import papan
from papan.catalog import external_agent
from papan.core import CannotPlayError, OverdueError, PapanError
from papan.core.record import End
from papan.lab.referee import Forfeit, TrialPlan, ask_move, try_out
from papan.lab.tournament.plan import AgentOrder, Assignment, TournamentPlan
from papan.lab.tournament.run import LostError, RefereePool
from papan.process.groups import ControlGroup, own_groups
from papan.process.program import ProgramProcess
from papan.process.supervisor import processes, read_system_file
from tests.waiting import LONGEST_WAIT, until

from .conftest import Write

pytestmark = pytest.mark.thorough

START = papan.position("tictactoe")

HOSTILE: dict[str, tuple[str, End, str]] = {
    "loop": ("while True: pass", "timeout", "did not answer within"),
    "sleep": ("import time; time.sleep(60)", "timeout", "did not answer within"),
    "exit": ("import sys; sys.exit(3)", "crash", "failed: SystemExit: 3"),
    "hard exit": ("import os; os._exit(7)", "crash", "ended with exit code 7"),
    "die": ("import os; os.kill(os.getpid(), 9)", "crash", "killed by signal 9 (SIGKILL)"),
    "fork": ("import os; [os.fork() for _ in range(9)]", "crash", "may not start other processes"),
    "start": ("import subprocess; subprocess.run('ls')", "crash", "may not start other processes"),
    "print": ("while True: print('x' * 1000)", "crash", "wrote more than 1000000 bytes"),
    "shout": ("import os\n    while True: os.write(2, b'x' * 1000)", "crash", "wrote more than"),
    "memory": ("return 'x' * 10**10", "crash", "MemoryError"),
    "recursion": ("return choose(position)", "crash", "RecursionError"),
    "raise": ("raise KeyboardInterrupt", "crash", "KeyboardInterrupt"),
    "garbage": ("return object()", "illegal", "an answer is written like"),
    "taken": ("return 99", "illegal", "answered 99, which is not a legal move"),
    "escapes": ("raise ValueError('\\x1b[31m' + 'y' * 10**6)", "crash", "ValueError"),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_s15_a_hostile_bot_gets_a_clear_verdict(
    write: Write, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    code, end, reason = HOSTILE[how]
    if how == "sleep":  # a loop could have used as much of the processor by then
        monkeypatch.setattr("papan.agents.external.GRACE_SECONDS", 0.1)
    agent = papan.agent_from_user(str(write(f"def choose(position):\n    {code}\n")))
    seconds = 0.2 if end == "timeout" else LONGEST_WAIT
    with pytest.raises(Forfeit) as caught:
        ask_move(agent, START, papan.Limit(seconds=seconds))
    assert caught.value.end == end
    assert reason in caught.value.reason
    assert len(caught.value.reason) < 1000
    assert caught.value.reason.isprintable()


@pytest.mark.parametrize(
    "how", ["while True: pass", "import os; os._exit(7)", "print('x' * 10**7)"]
)
def test_s15_a_file_that_is_hostile_from_the_start_is_refused(
    write: Write, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.agents.external.STARTING_SECONDS", 0.3)
    with pytest.raises(CannotPlayError):
        papan.agent_from_user(str(write(how))).plays(START.game)


def test_starting_a_bot_is_not_on_its_own_time(write: Write) -> None:
    agent = papan.agent_from_user(
        str(write("import time; time.sleep(6)\ndef choose(position): return 0"))
    )
    assert ask_move(agent, START, papan.Limit(seconds=5)) == 0


def test_without_a_limit_the_bots_own_deadline_holds(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papan.agents.external.GRACE_SECONDS", 0.1)
    path = write("import time\ndef choose(position):\n    time.sleep(1000)")  # no processor time
    with pytest.raises(OverdueError, match="did not answer within"):
        papan.agent_from_user(f"{path},deadline=0.3").analyse(START)


def test_a_bot_that_is_cancelled_is_told_to_stop_and_then_ended(write: Write) -> None:
    path = write("""
        import papan
        class Patient(papan.Agent):
            name = "patient"
            def decide(self, position, thinking):
                while True:
                    try:
                        thinking.check()
                    except papan.core.OutOfBudget:
                        return papan.Analysis((4,))
        """)
    analysis = papan.agent_from_user(str(path)).analyse(START, cancelled=lambda: True)
    assert analysis.move == 4


def test_s15_nothing_that_a_bot_started_is_left(program: Write, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    path = program(f"""\
#!/bin/sh
sleep 60 &
echo $$ $! > {note}
read line
echo ready
read line
sleep 60
""")
    with pytest.raises(OverdueError):
        papan.agent_from_user(f"program:{path},deadline=0.2").analyse(START)
    pids = note.read_text(encoding="utf-8").split()
    assert len(pids) == 2
    until(lambda: not any(alive(int(pid)) for pid in pids))


STRAYS = """\
#!/bin/sh
setsid sleep 600 & echo $! >> NOTE
(setsid sh -c 'echo $$ >> NOTE; sleep 600' &)
(env -i setsid sleep 600 & echo $! >> NOTE)
while read -r word rest; do
    case $word in
        papan) echo ready ;;
        moves) legal=$rest ;;
        go) setsid sleep 600 & echo $! >> NOTE; ANSWER ;;
    esac
done
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of all descendants")
@pytest.mark.parametrize("answer", ["echo move ${legal%% *}", "exit 3", "kill -9 $$", "sleep 600"])
def test_c10_children_in_sessions_of_their_own_end_with_the_bot(
    program: Write, tmp_path: Path, answer: str
) -> None:
    note = tmp_path / "pids"
    path = program(STRAYS.replace("NOTE", str(note)).replace("ANSWER", answer))
    agent = external_agent(f"program:{path},deadline=0.5")
    try_out(agent, TrialPlan([START.game], 3), agent.close)
    agent.close()
    pids = note.read_text(encoding="utf-8").split()
    assert len(pids) >= 4
    until(lambda: not any(alive(int(pid)) for pid in pids))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of all descendants")
def test_c10_children_end_even_if_papan_is_killed(program: Write, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    path = program(STRAYS.replace("NOTE", str(note)).replace("ANSWER", "sleep 600"))
    agent = f"program:{path},deadline=600"
    command = [sys.executable, "-P", "-m", "papan", "analyse", "tictactoe", "--agent", agent]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as papan:
        until(lambda: note.exists() and len(note.read_text(encoding="utf-8").split()) >= 4)
        papan.kill()
    until(lambda: not any(alive(int(pid)) for pid in note.read_text(encoding="utf-8").split()))


def test_r09_a_bot_killed_by_somebody_else_is_told_so(write: Write, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    path = write(f"""
        import os
        from pathlib import Path
        Path({str(note)!r}).write_text(str(os.getpid()))
        def choose(position): return position.moves()[0]
        """)
    agent = papan.agent_from_user(str(path))
    assert agent.plays(START.game)
    os.kill(int(note.read_text(encoding="utf-8")), signal.SIGKILL)
    with pytest.raises(Forfeit, match="crash") as caught:
        ask_move(agent, START)
    assert "was killed by signal 9 (SIGKILL), which papan did not send" in caught.value.reason


def test_r09_a_pool_of_processes_is_refused_to_a_bot_in_python(write: Write) -> None:
    path = write("""
        import multiprocessing
        def choose(position):
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                return pool.map(abs, [0])[0]
        """)
    with pytest.raises(CannotPlayError, match="may not start other processes"):
        papan.agent_from_user(str(path)).analyse(START)


def test_c10_a_supervisor_that_is_killed_takes_its_program_with_it(program: Write) -> None:
    path = program("#!/bin/sh\nread x; echo ready; read x; kill -9 $PPID; exec sleep 600")
    with pytest.raises(CannotPlayError, match=r"killed by signal 9 \(SIGKILL\), which papan did"):
        papan.agent_from_user(f"program:{path}").analyse(START)


def test_s15_a_bot_ends_even_if_papan_is_killed(write: Write, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    path = write(f"""
        import os
        from pathlib import Path
        Path({str(note)!r}).write_text(str(os.getpid()))
        def choose(position):
            while True: pass
        """)
    command = [sys.executable, "-P", "-m", "papan", "analyse", "tictactoe", "--agent", str(path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as papan:
        until(lambda: note.exists() and note.read_text(encoding="utf-8"))
        papan.kill()
    until(lambda: not alive(int(note.read_text(encoding="utf-8"))))


FORKING = f"""\
#!{sys.executable}
import mmap, os, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "papan":
        print("ready", flush=True)
    elif word == "go":
        BODY
"""
BOMB = "[os.fork() for _ in range(8)]; time.sleep(60)"  # 256 processes: a bomb that has an end
ESCAPING = "[os.fork() or os.setsid() for _ in range(8)]; time.sleep(60)"
HUNGRY = "[os.fork() or (bytearray(40 << 20), time.sleep(60)) for _ in range(8)]; time.sleep(60)"
SHARING = (
    "shared = bytearray(100 << 20); [os.fork() or time.sleep(60) for _ in range(3)]; "
    "print('move', 'b2', flush=True)"
)
HOLDING = (
    "said, say = os.pipe(); "
    "os.fork() or (bytearray(60 << 20), os.write(say, b'x'), time.sleep(60)); "
    "os.read(said, 1); held = bytearray(60 << 20); print('move', 'b2', flush=True)"
)
BUSY = (
    "os.fork() or [sum(range(1000)) for _ in iter(lambda: os.times()[0] < 0.3, False)] "
    "and os._exit(0); os.wait(); print('move', 'b2', flush=True)"
)
COUNTED = ["group", "supervisor"]
"""Who counts what a program uses: the kernel, where it lets us, and the supervisor elsewhere."""


@pytest.fixture(params=COUNTED)
def counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "supervisor":
        monkeypatch.setattr(ControlGroup, "new", lambda megabytes: None)
    elif not own_groups():
        pytest.skip("this user can have no control group")
    return str(request.param)


def running(path: Path) -> list[int]:
    """The processes that run a program."""
    return [
        each
        for each in processes()
        if str(path).encode() in read_system_file(f"/proc/{each}/cmdline")
    ]


def groups() -> set[Path]:
    """The control groups of the bots that this process has started."""
    return {
        each
        for folder in own_groups().values()
        for each in folder.glob(f"papan-bot-{os.getpid()}-*")
    }


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of descendants")


@linux_only
@pytest.mark.parametrize("body", [BOMB, ESCAPING])
def test_z5_a_fork_bomb_is_ended_with_all_of_its_processes(
    program: Write, counted: str, body: str
) -> None:
    path, before = program(FORKING.replace("BODY", body)), groups()
    with pytest.raises(CannotPlayError, match="started more than 64 processes"):
        papan.agent_from_user(f"program:{path},deadline=60").analyse(START)
    assert not running(path)
    assert groups() <= before


@linux_only
def test_z7_the_limit_of_memory_is_one_for_all_processes_together(
    program: Write, counted: str
) -> None:
    path = program(FORKING.replace("BODY", HUNGRY))
    with pytest.raises(CannotPlayError, match="used more than 200 MB of memory, all of its"):
        papan.agent_from_user(f"program:{path},deadline=60,memory=200").analyse(START)
    assert not running(path)


@linux_only
def test_z7_memory_that_processes_share_counts_once(program: Write, counted: str) -> None:
    agent = external_agent(f"program:{program(FORKING.replace('BODY', SHARING))},memory=256")
    assert agent.analyse(START).move == 4
    until(lambda: agent.analyse(START).move == 4)  # the supervisor has looked at it by then
    agent.close()


@linux_only
def test_k1_processor_time_is_that_of_all_processes(program: Write, counted: str) -> None:
    agent = external_agent(f"program:{program(FORKING.replace('BODY', BUSY))},deadline=60")
    assert agent.analyse(START).move == 4
    assert agent.processor_seconds() >= 0.25
    agent.close()


@linux_only
def test_k1_memory_is_measured_for_all_processes_together(program: Write, counted: str) -> None:
    agent = external_agent(f"program:{program(FORKING.replace('BODY', HOLDING))},memory=512")
    assert agent.peak_memory() == 0
    assert agent.analyse(START).move == 4
    assert agent.peak_memory() >= 120 << 20
    agent.close()
    assert agent.peak_memory() >= 120 << 20
    assert papan.agent("random").peak_memory() == 0


def test_k1_processor_time_binds_a_move(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 11.4, 11.4, 13.0, 13.0])  # at the start, then before and after each move
    monkeypatch.setattr(ProgramProcess, "processor_seconds", lambda child: next(clock))
    agent = papan.agent_from_user(str(write("def choose(position): return 0")))
    assert ask_move(agent, START, papan.Limit(seconds=1)) == 0
    with pytest.raises(Forfeit) as caught:
        ask_move(agent, START, papan.Limit(seconds=1))
    assert caught.value.end == "timeout"
    assert "used 1.6 s of processor time for one move" in caught.value.reason


@linux_only
def test_d1_address_space_that_is_only_reserved_is_no_memory(program: Write) -> None:
    """A Java program reserves gigabytes; in tournaments it failed whatever memory it was given."""
    body = "space = mmap.mmap(-1, 3 << 30); print('move', 'b2', flush=True)"
    path = program(FORKING.replace("BODY", body))
    plan = TournamentPlan("tictactoe", (f"program:{path}", "random"), opening=0)
    with closing(RefereePool()) as pool:
        record = pool.play(Assignment(plan, 0, "papan.catalog").text)
    assert record["moves"].startswith("b2")
    assert "mmap" not in record["output"]


@pytest.mark.parametrize(("granted", "spec"), [("memory=3000", ""), ("", ",memory=512")])
def test_d1_memory_is_what_the_bot_says_else_what_the_tournament_grants(
    program: Write, granted: str, spec: str
) -> None:
    agent = f"program:{program(FORKING)}" + (f",{granted}" if granted else "")
    with closing(RefereePool()) as pool:
        order = AgentOrder("papan.catalog", "tictactoe", agent, memory=512)
        assert pool.probe(order) == agent + spec


@linux_only
@pytest.mark.parametrize("wiped", [False, True])
def test_z5_a_bot_that_kills_its_supervisor_leaves_nothing_behind(
    program: Write, tmp_path: Path, counted: str, wiped: bool
) -> None:
    if wiped and counted == "supervisor":
        pytest.skip("without a control group, who has no parent and no environment is not found")
    note = tmp_path / "pid"
    wipe = "env -i" if wiped else ""
    path = program(f"""\
#!/bin/sh
read x; echo ready; read x
({wipe} setsid sh -c 'echo $$ > {note}; exec sleep 600' &)
while [ ! -s {note} ]; do sleep 0.01; done
kill -9 $PPID
exec sleep 600
""")
    with pytest.raises(CannotPlayError, match=r"supervisor of .* was killed by signal 9"):
        papan.agent_from_user(f"program:{path}").analyse(START)
    until(lambda: not alive(int(note.read_text(encoding="utf-8"))))


KILLER = """\
#!/bin/sh
above() { read -r line < /proc/$1/stat; set -- ${line##*) }; echo $2; }
read x; echo ready; read x
setsid sleep 600.25 &
setsid env -i sleep 600.25 &
supervisor=$PPID; agent=$(above $supervisor); referee=$(above $agent); guard=$(above $referee)
trap '' TERM
kill -9 TOO $referee $agent $supervisor
exec sleep 600.25
"""


@linux_only
@pytest.mark.parametrize("too", ["", "$guard"])
def test_z5_a_program_that_kills_supervisor_and_referee_forfeits_and_is_ended(
    program: Write, too: str
) -> None:
    if too and not own_groups():
        pytest.skip("without a control group, who has no parent and no environment is not found")
    path = program(KILLER.replace("TOO", too))
    plan = TournamentPlan("tictactoe", (f"program:{path}", "random"), opening=0)
    with closing(RefereePool()) as pool:
        facts = pool.play(Assignment(plan, 0, "papan.catalog").text)
    assert (facts["end"], facts["blame"]) == ("crash", 1)
    assert facts["cause"]["key"] == "forfeit.kills"
    until(lambda: not running(Path("600.25")))


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("os.kill(os.getpid(), 9)", "killed by signal 9"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("os._exit(7)", "exit code 7"),
    ],
)
def test_z5_a_bot_that_cannot_be_started_forfeits_and_stops_nothing(
    write: Write, how: str, reason: str
) -> None:
    """It had been started once when the games were planned: then each game stopped all others."""
    path = write(f"import os\n{how}\ndef choose(position): return 1\n")
    plan = TournamentPlan("tictactoe", (str(path), "random"), opening=0)
    with closing(RefereePool()) as pool:
        facts = pool.play(Assignment(plan, 0, "papan.catalog").text)
        missing = TournamentPlan("tictactoe", (str(path) + "x.py", "random"), opening=0)
        with pytest.raises(LostError, match="There is no file"):
            pool.play(Assignment(missing, 0, "papan.catalog").text)
    assert (facts["end"], facts["blame"], facts["moves"]) == ("crash", 1, "")
    assert reason in facts["reason"]


def alive(pid: int) -> bool:
    """Does the process still run?"""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_match_goes_on_after_hostile_games(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.agents.external.GRACE_SECONDS", 0.1)
    path = write("""
        def choose(position):
            while len(position.moves()) < 6: pass
            return position.moves()[0]
        """)
    result = papan.match(f"{path},deadline=0.2", "random", game="tictactoe", pairs=1)
    assert result.forfeits(0) == {"timeout": 2}
    assert [game.record.end for game in result.games] == ["timeout", "timeout"]


def test_every_verdict_can_be_told_in_indonesian(write: Write) -> None:
    with pytest.raises(PapanError) as caught:
        papan.agent_from_user(str(write("def choose(position): 1 / 0"))).analyse(START)
    assert "gagal: ZeroDivisionError" in caught.value.text("id")
