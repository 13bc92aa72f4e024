"""The sandbox: whatever a confined bot tries, it reaches nothing of others and leaves nothing."""

import mmap
import os
import py_compile
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import papan
from papan.agents import external
from papan.agents.external import PROGRAM_POOL
from papan.catalog import external_agent
from papan.core import CannotPlayError, PapanError
from papan.core.record import End
from papan.lab.referee import Forfeit, ask_move
from papan.lab.tournament.plan import Assignment, TournamentPlan
from papan.lab.tournament.run import RefereePool
from papan.process import sandbox
from papan.process.groups import ControlGroup
from papan.process.sandbox import (
    ARCHITECTURES,
    PRIVATE_SPACE,
    Sandbox,
    SandboxView,
    find_sandbox,
    system_call_filter,
)
from papan.process.supervisor import processes, read_system_file
from tests.bubblewrap import readable_by_all, sandbox_or_skip
from tests.waiting import until

from .conftest import FIRST_MOVE, Write

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux"),
]

START = papan.position("tictactoe")


@pytest.fixture(autouse=True)
def walls() -> Sandbox:
    """The sandbox of this machine."""
    return sandbox_or_skip()


class Outside:
    """What a bot could reach: a secret, a rival, a server, a process."""

    def __init__(self, folder: Path) -> None:
        self.secret, self.rival = folder / "secret", folder / "rival.py"
        self.secret.write_text("token")
        self.rival.write_text(FIRST_MOVE)
        self.mark, self.socket = folder / "mark", folder / "socket"
        self.server = socket.create_server(("127.0.0.1", 0))
        self.local = socket.socket(socket.AF_UNIX)
        self.local.bind(str(self.socket))
        self.local.listen()
        self.victim = subprocess.Popen(["sleep", "600"], env={**os.environ, "TOKEN": "secret"})

    def close(self) -> None:
        self.victim.kill()
        self.victim.wait()
        self.server.close()
        self.local.close()


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    folder = tmp_path / "outside"
    folder.mkdir()
    with closing(Outside(folder)) as found:
        yield found


ATTACKS = """
import ctypes, os, socket, time
libc = ctypes.CDLL(None, use_errno=True)

def call(*arguments):
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def local():
    with socket.socket(socket.AF_UNIX) as line:
        line.connect({socket!r})

def same(path):
    with open(path, "r+b", buffering=0) as file:
        text = file.read()
        file.seek(0)
        file.write(text)

attacks = {{
    "secret": lambda: open({secret!r}).read(),
    "rival": lambda: open({rival!r}).read(),
    "list": lambda: os.listdir({folder!r}),
    "write": lambda: open({mark!r}, "w").write("x"),
    "connect": lambda: socket.create_connection(("127.0.0.1", {port}), 2).close(),
    "local": local,
    "see": lambda: os.kill({victim}, 0),
    "environ": lambda: open("/proc/{victim}/environ").read(),
    "stop": lambda: os.kill({victim}, 19),
    "trace": lambda: call(101, 16, {victim}, 0, 0),
    "memory": lambda: open("/proc/{victim}/mem", "rb"),
    "kernel": lambda: same("/proc/sys/kernel/core_pattern"),
    "system": lambda: open("/usr/mark", "w"),
    "root": lambda: open("/mark", "w"),
    "clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
    "namespace": lambda: call(272, 0x10000000),
    "mount": lambda: call(165, b"none", b"/tmp", b"tmpfs", 0, 0),
}}
if os.uname().machine != "x86_64":  # the numbers of system calls are others
    for name in ("trace", "namespace", "mount"):
        del attacks[name]
done = []
for name in {tried!r} or attacks:
    try:
        attacks[name]()
        done.append(name)
    except OSError:
        pass
raise SystemExit("reached: " + " ".join(done) + ".")
"""
HARMLESS = ["secret", "rival", "list", "write", "connect", "local", "see", "environ"]
"""Attacks that anybody may make on processes and files of his own."""


def attacker(outside: Outside, tried: list[str]) -> str:
    return ATTACKS.format(
        secret=str(outside.secret),
        rival=str(outside.rival),
        folder=str(outside.secret.parent),
        mark=str(outside.mark),
        port=outside.server.getsockname()[1],
        socket=str(outside.socket),
        victim=outside.victim.pid,
        tried=tried,
    )


def test_k5_a_confined_bot_reaches_nothing_of_its_host(write: Write, outside: Outside) -> None:
    code = attacker(outside, [])
    confined = external_agent(f"{write(code)},confined=file")
    with pytest.raises(CannotPlayError, match=r"reached: \."):
        confined.plays(START.game)
    assert not outside.mark.exists()
    assert outside.victim.poll() is None


def test_without_the_sandbox_the_same_bot_reaches_all_of_it(write: Write, outside: Outside) -> None:
    agent = external_agent(str(write(attacker(outside, HARMLESS))))
    with pytest.raises(CannotPlayError, match=f"reached: {' '.join(HARMLESS)}"):
        agent.plays(START.game)


def test_as_an_ordinary_user_nothing_is_within_reach_either(
    walls: Sandbox, outside: Outside, tmp_path: Path
) -> None:
    program = readable_by_all(tmp_path) / "bot.sh"
    program.write_text(
        dedent(f"""\
        cat {outside.secret} && echo READ
        echo x > {outside.mark} && echo WROTE
        ls /proc/{outside.victim.pid} && echo SAW
        kill -0 {outside.victim.pid} && echo SIGNALLED
        cat /proc/sys/kernel/core_pattern > /tmp/x
        cat /tmp/x > /proc/sys/kernel/core_pattern && echo TUNED
        echo x > /mark && echo ROOT
        id -u
        """)
    )
    tool = Path(shutil.copy(walls.program, tmp_path / "bwrap"))
    tool.chmod(0o755)
    view = SandboxView((program,))
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    done = run_confined(Sandbox(str(tool)), ["sh", str(program)], view, **user)
    assert done.stdout.split() == ["65534"], done.stderr


def test_passwords_in_the_environment_are_out_of_reach(
    write: Write, walls: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every process of the namespace is asked, bubblewrap's own too, by a bot and by a compiler."""
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    code = """
        from pathlib import Path
        texts = [each.read_bytes() for each in Path("/proc").glob("[0-9]*/environ")]
        raise SystemExit(f"reached: {b'hunter2' in b''.join(texts)} of {len(texts)}.")
    """
    confined = external_agent(f"{write(dedent(code))},confined=file")
    with pytest.raises(CannotPlayError, match=r"reached: False of [2-9]\."):
        confined.plays(START.game)
    said = run_confined(walls, ["sh", "-c", "cat /proc/1/environ; echo end"], SandboxView(()))
    assert (said.stdout, said.returncode) == ("end\n", 0)


def test_no_command_line_inside_names_what_the_sandbox_shows(
    walls: Sandbox, tmp_path: Path
) -> None:
    """The first process was bubblewrap with its arguments: every folder of the host in them."""
    shown, instead = tmp_path / "shown", tmp_path / "instead"
    shown.write_text("x")
    instead.write_text("y")
    view = SandboxView((shown,), ((shown, instead),), variables=(("SECRET", "hunter2"),))
    script = "cat /proc/[0-9]*/cmdline | tr '\\0' ' '; ls -l /proc/1/fd"
    said = run_confined(walls, ["sh", "-c", script], view).stdout
    assert "--args" in said
    assert not [word for word in ("--ro-bind", str(tmp_path), "hunter2", "memfd") if word in said]


def run_confined(
    walls: Sandbox, command: list[str], view: SandboxView, **user: Any
) -> subprocess.CompletedProcess[str]:
    with walls.confined(command, view) as line:
        return subprocess.run(
            line.words,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            pass_fds=line.descriptors,
            **user,
        )


HIDDEN_MEMORY = """
import ctypes, mmap, os, socket
libc = ctypes.CDLL(None, use_errno=True)

def system(found):
    if found < 0:
        raise OSError(ctypes.get_errno(), "refused")

ways = {
    "anonymous": lambda: mmap.mmap(-1, 1 << 20),
    "zero": lambda: open("/dev/zero", "r+b"),
    "file": lambda: os.memfd_create("memory"),
    "segment": lambda: system(libc.shmget(0, 1 << 20, 0o1600)),
    "semaphores": lambda: system(libc.semget(0, 1, 0o1600)),
    "messages": lambda: system(libc.msgget(0, 0o1600)),
    "machine": lambda: socket.socket(40, socket.SOCK_STREAM),
    "packets": lambda: socket.socket(38, socket.SOCK_SEQPACKET),
    "own": lambda: (mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE), socket.socketpair()),
    "network": lambda: socket.socket(),
}
done = []
for name, way in ways.items():
    try:
        way()
        done.append(name)
    except OSError:
        pass
raise SystemExit("reached: " + " ".join(done) + ".")
"""


def test_z25_no_memory_is_hidden_and_no_socket_leads_out_of_the_sandbox(write: Write) -> None:
    """Memory that nobody has mapped is in no process, and sockets of machines in no namespace."""
    confined = external_agent(f"{write(HIDDEN_MEMORY)},confined=file")
    with pytest.raises(CannotPlayError, match=r"reached: own network\."):
        confined.plays(START.game)


PROGRAM = """\
#!{python}
import os, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "papan":
        print("ready", flush=True)
    elif word == "go":
        BODY
"""
BODIES: dict[str, tuple[str, str, End, str]] = {
    "fork": (
        "[os.fork() for _ in range(8)]; time.sleep(60)",
        "",
        "crash",
        "more than 64 processes",
    ),
    "memory": (
        "[os.fork() or (bytearray(40 << 20), time.sleep(60)) for _ in range(8)]; time.sleep(60)",
        ",memory=200",
        "crash",
        "used more than 200 MB of memory",
    ),
    "output": (
        "any(os.write(2, b'x' * 999) < 0 for _ in iter(int, 1))",
        "",
        "crash",
        "wrote more than",
    ),
    "slowly": (
        "[(os.write(1, b'x'), time.sleep(0.1)) for _ in range(600)]",
        "",
        "timeout",
        "0.3 s",
    ),
    "kill": ("os.kill(os.getpid(), 9)", "", "crash", "killed by signal 9 (SIGKILL)"),
    "exit": ("print('no heap', file=sys.stderr); os._exit(4)", "", "crash", "last words: no heap"),
}


@pytest.fixture(params=["group", "supervisor"])
def counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who counts what a program uses: the kernel, where it lets us, else the supervisor."""
    if request.param == "supervisor":
        monkeypatch.setattr(ControlGroup, "new", lambda megabytes: None)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("how", BODIES)
def test_z7_limits_hold_in_the_sandbox(program: Write, how: str) -> None:
    body, settings, end, reason = BODIES[how]
    path = program(PROGRAM.format(python="/usr/bin/env python3").replace("BODY", body))
    if not shutil.which("python3", path="/usr/bin:/bin"):
        pytest.skip("the system has no Python of its own")
    seconds = 0.3 if end == "timeout" else 60
    agent = external_agent(f"program:{path},deadline=60{settings},confined=file")
    with pytest.raises(Forfeit) as caught:
        ask_move(agent, START, papan.Limit(seconds=seconds))
    assert caught.value.end == end
    assert reason in caught.value.reason
    assert not running(path)


def test_z25_no_child_is_forgotten_where_processes_are_counted(
    program: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processor time of children that nobody waits for is lost, if their end is ignored."""
    if not shutil.which("python3", path="/usr/bin:/bin"):
        pytest.skip("the system has no Python of its own")
    body = """import signal
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)"""
    path = program(PROGRAM.format(python="/usr/bin/env python3").replace("BODY", body))
    monkeypatch.setattr(ControlGroup, "new", lambda megabytes: None)
    with pytest.raises(Forfeit, match="Operation not permitted"):
        ask_move(external_agent(f"program:{path},confined=file"), START)


def running(path: Path) -> list[int]:
    """The processes whose command line names *path*."""
    word = str(path).encode()
    return [each for each in processes() if word in read_system_file(f"/proc/{each}/cmdline")]


DAEMONS = """\
#!/bin/sh
setsid sleep 600.75 &
(env -i setsid sleep 600.75 &)
while read -r word rest; do
    case $word in
        papan) echo ready ;;
        moves) legal=$rest ;;
        go) kill -9 -1 2> /dev/null; echo move ${legal%% *} ;;
    esac
done
"""


def test_z5_daemons_end_with_the_sandbox_and_signals_stay_inside(program: Write) -> None:
    agent = external_agent(f"program:{program(DAEMONS)},confined=file")
    assert ask_move(agent, START) == 0
    agent.close()
    until(lambda: not running(Path("600.75")))


def test_the_private_folder_of_a_bot_is_small_and_gone_afterwards(write: Write) -> None:
    path = write("""
        def choose(position):
            size = 0
            try:
                for number in range(99):
                    with open(f"/tmp/{number}", "wb", buffering=0) as file:
                        size += file.write(bytes(8 << 20))
            except OSError as full:
                raise ValueError(f"{size} {full.errno}")
        """)
    with pytest.raises(CannotPlayError) as caught:
        external_agent(f"{path},confined=file").analyse(START)
    size, error = str(caught.value).partition("ValueError: ")[2].split()[:2]
    assert int(size) <= PRIVATE_SPACE
    assert error == "28"
    assert not Path("/tmp/0").exists()


def test_who_tampers_with_papan_in_its_own_process_cheats_only_itself(write: Write) -> None:
    path = write("""
        import papan
        from papan.games.tictactoe.rules import *
        def choose(position):
            type(position).moves = lambda self: [99]
            type(position.game).move_name = lambda self, move: "z9"
            papan.core.agent.illegal_answer = None
            return 99
        """)
    with pytest.raises(Forfeit) as caught:
        ask_move(external_agent(f"{path},confined=file"), START)
    assert caught.value.end == "illegal"
    assert "legal: a1 b1 c1 a2 b2 c2 a3 b3 c3" in caught.value.reason


SEARCHES = """
import papan
def choose(position):
    return {how}
"""


@pytest.mark.parametrize(
    "how",
    [
        "papan.agent('solver').choose(position)",
        "papan.solve(position).move",
        "papan.agent('alphabeta').choose(position)",
        "__import__('papan.games.tictactoe.solver', fromlist=['x']).TicTacToeSolver()",
        "__import__('papan.engine.solver', fromlist=['x'])",
    ],
)
def test_a_contest_hides_papans_searches_from_its_bots(write: Write, how: str) -> None:
    path = write(SEARCHES.format(how=how))
    with pytest.raises(CannotPlayError, match=r"no agent|hides papan's searches|No module|Error"):
        external_agent(f"{path},confined=file,unaided=true").analyse(START)


COPIES = """
from pathlib import Path
import papan
folder = Path(papan.__file__).parent
texts = [each.read_bytes() for each in folder.rglob("*") if each.is_file()]
found = [word for word in WORDS if any(word in text for text in texts)]
raise SystemExit(f"{folder.parent.name}: {found}.")
"""


@pytest.mark.parametrize("elsewhere", [False, True])
def test_z25_no_compiled_copy_of_a_search_is_left_to_an_unaided_bot(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: bool
) -> None:
    """Python keeps what it has compiled beside its source, and runs it without that as well.

    Or in a folder of its own, which the bot sees if it lies in one of Python or papan.
    """
    copy = readable_by_all(tmp_path) / "installed" / "papan"
    shutil.copytree(external.PAPAN_FOLDER, copy, ignore=shutil.ignore_patterns("static", "papers"))
    monkeypatch.setattr(external, "PAPAN_FOLDER", copy)
    if elsewhere:
        monkeypatch.setattr(sys, "pycache_prefix", str(copy / "compiled"))
    names = ("games/tictactoe/solver", "engine/solver", "agents/solver", "games/tictactoe/rules")
    for name in names:
        py_compile.compile(str(copy / f"{name}.py"), doraise=True)
    assert [*copy.glob("games/*/proofs/*.proof")]
    modules = [f"papan.{name.replace('/', '.')}" for name in names]
    first = [str(import_module(each).__doc__).encode()[:40] for each in modules]
    path = write(COPIES.replace("WORDS", repr([*first, b"\xfd7zXZ"])))
    agent = external_agent(f"{path},confined=file,unaided=true")
    with pytest.raises(CannotPlayError) as caught:
        agent.plays(START.game)
    assert f"SystemExit: installed: {first[3:]}. (line" in str(caught.value)


def test_z25_a_program_sees_no_papan_that_the_system_has(
    program: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where papan is installed for all users it is among the system's software."""
    path = program("#!/bin/sh\nread -r line\necho error $(ls /usr/share)\n")
    agent = external_agent(f"program:{path},confined=file")
    with pytest.raises(CannotPlayError, match="doc"):
        agent.plays(START.game)
    monkeypatch.setattr(external, "PAPAN_FOLDER", Path("/usr/share"))
    with pytest.raises(CannotPlayError, match=r"refuses: __init__\.py$|: __init__\.py\.?$"):
        agent.plays(START.game)


def test_an_unaided_bot_still_has_the_rules(write: Write) -> None:
    path = write("""
        import papan
        def choose(position):
            assert position.play(4).turn == 1
            assert papan.margin(position, 0) == 0
            return papan.game("connect4").start().moves()[0] or 4
        """)
    assert external_agent(f"{path},confined=file,unaided=true").analyse(START).move == 4


def test_k1_thinking_in_the_rivals_turn_is_charged(
    program: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which("python3", path="/usr/bin:/bin"):
        pytest.skip("the system has no Python of its own")
    body = """[os.fork() or any(iter(int, 1)) for _ in range(3)]
        print("move", "b2", flush=True)"""
    path = program(PROGRAM.format(python="/usr/bin/env python3").replace("BODY", body))
    agent = external_agent(f"program:{path},confined=file")
    assert ask_move(agent, START, papan.Limit(seconds=10)) == 4
    with PROGRAM_POOL.borrowed(agent._key, agent._start) as child:  # the one that waits
        until(lambda: child.seconds_since() > 0.5)
    monkeypatch.setattr(external, "GRACE_SECONDS", 0.1)
    with pytest.raises(Forfeit) as caught:
        ask_move(agent, START, papan.Limit(seconds=0.2))
    assert caught.value.end == "timeout"
    assert "the rival's turn before it" in caught.value.reason


BUILDS = {
    ".py": ("", "{file}"),
    ".c": ("gcc -o {program} {file}", "program:{program}"),
    ".js": ("node", "program:node {file}"),
    ".java": ("java", "program:java {file},memory=2048"),
}


@pytest.mark.parametrize("language", BUILDS)
def test_bots_in_every_language_of_a_template_play_in_the_sandbox(
    tmp_path: Path, language: str
) -> None:
    from papan.cli.agents import new

    build, spec = BUILDS[language]
    tool = build.split()[0] if build else ""
    if tool and not shutil.which(tool, path="/usr/bin:/bin"):
        pytest.skip(f"{tool} is not installed")
    file = tmp_path / f"Bot{language}"
    new(file)
    places = {"file": file, "program": file.with_suffix("")}
    if "{" in build:
        subprocess.run(build.format(**places).split(), check=True)
    agent = external_agent(f"{spec.format(**places)},confined=file")
    assert agent.choose(START) in START.move_names()
    agent.close()


def test_a_folder_of_its_own_is_seen_whole_and_read_only(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "helper.py").write_text("def best(position): return 4\n")
    (own / "main.py").write_text("from helper import best as choose\n")
    agent = external_agent(f"{own}/main.py,confined=folder")
    assert agent.analyse(START).move == 4
    alone = external_agent(f"{own}/main.py,confined=file")
    with pytest.raises(CannotPlayError, match="No module named 'helper'"):
        alone.analyse(START)


def test_a_game_between_confined_bots_is_refereed(write: Write) -> None:
    agents = tuple(f"{write(FIRST_MOVE)},confined=file" for _ in range(2))
    plan = TournamentPlan("tictactoe", agents, opening=0)
    with closing(RefereePool()) as pool:
        facts = pool.play(Assignment(plan, 0, "papan.catalog").text)
    assert facts["end"] == "win"


STARVING = """\
#!/usr/bin/env python3
import os, sys, time
moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "papan":
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go" and SLEEPS:
        time.sleep(60)
    elif word == "go":
        print("move", moves[0], flush=True)
        for _ in range(PROCESSES):
            if not os.fork():
                os.setsid()
                until = time.monotonic() + 4
                while time.monotonic() < until:
                    pass
                os._exit(0)
"""


@pytest.mark.usefixtures("counted")
def test_z25_what_a_bot_uses_unasked_is_known(program: Write) -> None:
    if not shutil.which("python3", path="/usr/bin:/bin"):
        pytest.skip("the system has no Python of its own")
    text = STARVING.replace("SLEEPS", "False").replace("PROCESSES", "4")
    agent = external_agent(f"program:{program(text)},confined=file")
    assert ask_move(agent, START) == 0
    until(lambda: agent.unasked_seconds() > 0.3)
    agent.close()


def test_z25_a_bot_may_think_ahead_while_its_rival_is_late(program: Write) -> None:
    if not shutil.which("python3", path="/usr/bin:/bin"):
        pytest.skip("the system has no Python of its own")
    texts = [
        STARVING.replace("SLEEPS", str(sleeps)).replace("PROCESSES", "1")
        for sleeps in (False, True)
    ]
    agents = tuple(f"program:{program(text)},confined=file" for text in texts)
    plan = TournamentPlan("tictactoe", agents, opening=0, limit=papan.Limit(seconds=0.3))
    with closing(RefereePool()) as pool:
        facts = pool.play(Assignment(plan, 0, "papan.catalog").text)
    assert (facts["end"], facts["blame"]) == ("timeout", 2)


def test_without_a_sandbox_a_confined_bot_is_refused_at_once(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(FIRST_MOVE)
    monkeypatch.delenv(sandbox.BUBBLEWRAP)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(PapanError, match="sudo apt install bubblewrap"):
        external_agent(f"{path},confined=file")
    monkeypatch.setenv(sandbox.BUBBLEWRAP, "/usr/bin/false")
    with pytest.raises(PapanError, match="user namespaces"):
        find_sandbox()
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(PapanError, match="needs Linux"):
        find_sandbox()


def test_hiding_searches_needs_the_sandbox(write: Write) -> None:
    with pytest.raises(PapanError, match="works in the sandbox only"):
        external_agent(f"{write(FIRST_MOVE)},unaided=true")


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("by_process", [False, True])
def test_the_filter_of_system_calls_does_what_it_says(machine: str, by_process: bool) -> None:
    """Runs the filter as the kernel would, on every number of a call."""
    import struct

    column = list(ARCHITECTURES).index(machine)
    refused = {numbers[column] for numbers in sandbox.REFUSED.values()}
    steps: list[tuple[int, int, int, int]] = [
        *struct.iter_unpack("=HBBI", system_call_filter(machine, by_process))
    ]

    def verdict(number: int, argument: int, architecture: int, flags: int = 0) -> int:
        words = {0: number, 4: architecture, 16: argument, 40: flags}
        place = value = 0
        while True:
            code, yes, no, k = steps[place]
            if code == sandbox.RETURN:
                return k
            if code == sandbox.LOAD:
                value, place = words[k], place + 1
                continue
            if code == sandbox.MASK:
                value, place = value & k, place + 1
                continue
            true = {
                sandbox.EQUAL: value == k,
                sandbox.AT_LEAST: value >= k,
                sandbox.ANY_BIT: bool(value & k),
            }[code]
            place += 1 + (yes if true else no)

    own = ARCHITECTURES[machine]
    for number in range(600):
        want = sandbox.REFUSE if number in refused else sandbox.ALLOW
        want = sandbox.UNKNOWN if number == sandbox.CLONE3 else want
        assert verdict(number, socket.AF_INET, own) == want, number
    assert verdict(sandbox.CLONE[column], 0x10000000, own) == sandbox.REFUSE
    assert verdict(sandbox.CLONE[column], 0x3D0F00, own) == sandbox.ALLOW  # a thread
    assert verdict(1, 0, 1) == verdict(0x40000001, 0, own) == sandbox.REFUSE
    families = {each: verdict(sandbox.SOCKET[column], each, own) for each in range(60)}
    allowed = {each for each, found in families.items() if found == sandbox.ALLOW}
    assert allowed == {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK}
    assert {*families.values()} == {sandbox.ALLOW, sandbox.REFUSE}
    signals = {each: verdict(sandbox.ON_SIGNAL[column], each, own) for each in range(65)}
    kept = {each for each, found in signals.items() if found != sandbox.ALLOW}
    assert kept == ({signal.SIGCHLD} if by_process else set())
    for flags in range(0x40):
        shared = flags & mmap.MAP_SHARED and flags & mmap.MAP_ANONYMOUS
        want = sandbox.REFUSE if shared else sandbox.ALLOW
        assert verdict(sandbox.MMAP[column], 0, own, flags) == want, flags


def test_where_no_filter_is_known_there_is_none() -> None:
    assert system_call_filter("sparc") == b""
