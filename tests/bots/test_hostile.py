"""Hostile bots: whatever they do, a clear verdict comes in time and nothing of them is left."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import papan
from papan.core import CannotPlayError, OverdueError, PapanError
from papan.core.record import End
from papan.lab.referee import Forfeit, ask

from .conftest import Write

START = papan.position("tictactoe")
LIMIT = papan.Limit(seconds=0.5)

HOSTILE: dict[str, tuple[str, End, str]] = {
    "loop": ("while True: pass", "timeout", "did not answer within"),
    "sleep": ("import time; time.sleep(60)", "timeout", "did not answer within"),
    "exit": ("import sys; sys.exit(3)", "crash", "failed: SystemExit: 3"),
    "hard exit": ("import os; os._exit(7)", "crash", "ended with exit code 7"),
    "die": ("import os; os.kill(os.getpid(), 9)", "crash", "ended with exit code -9"),
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
def test_s15_a_hostile_bot_gets_a_clear_verdict(write: Write, how: str) -> None:
    code, end, reason = HOSTILE[how]
    agent = papan.agent(str(write(f"def choose(position):\n    {code}\n")))
    with pytest.raises(Forfeit) as caught:
        ask(agent, START, LIMIT)
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
    monkeypatch.setattr("papan.agents.program.agent.STARTING", 1.0)
    with pytest.raises(CannotPlayError):
        papan.agent(str(write(how))).plays(START.game)


def test_starting_a_bot_is_not_on_its_own_time(write: Write) -> None:
    agent = papan.agent(str(write("import time; time.sleep(2)\ndef choose(position): return 0")))
    assert ask(agent, START, papan.Limit(seconds=0.2)) == 0


def test_without_a_limit_the_bots_own_deadline_holds(write: Write) -> None:
    path = write("def choose(position):\n    while True: pass")
    with pytest.raises(OverdueError, match="did not answer within"):
        papan.agent(f"{path},deadline=0.3").analyse(START)


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
    analysis = papan.agent(str(path)).analyse(START, cancelled=lambda: True)
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
        papan.agent(f"program:{path},deadline=0.2").analyse(START)
    pids = note.read_text(encoding="utf-8").split()
    assert len(pids) == 2
    assert not any(alive(int(pid)) for pid in pids)


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
        while not (note.exists() and note.read_text(encoding="utf-8")):
            time.sleep(0.05)
        papan.kill()
    assert not alive(int(note.read_text(encoding="utf-8")))


def alive(pid: int) -> bool:
    """Does the process still run? It may take a moment to be cleared away."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] == "Z":
                return False
        except (ProcessLookupError, FileNotFoundError):
            return False
        time.sleep(0.05)
    return True


def test_a_match_goes_on_after_hostile_games(write: Write) -> None:
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
        papan.agent(str(write("def choose(position): 1 / 0"))).analyse(START)
    assert "gagal: ZeroDivisionError" in caught.value.text("id")
