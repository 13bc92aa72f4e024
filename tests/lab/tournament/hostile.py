"""A catalogue with bots that do the worst: for referee processes, which find it by name."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, ClassVar

from papan import catalog
from papan.core import Agent, Analysis, Game, Position, Thinking
from papan.process.supervisor import children

game = catalog.game
position = catalog.position
agent = catalog.agent


def agent_from_user(spec: str) -> Agent:
    name, _, how = spec.partition(":")
    return Hostile(how) if name == "hostile" else catalog.agent(spec)


def is_foreign(spec: str) -> bool:
    return spec.startswith("hostile")


@dataclass
class Hostile(Agent):
    """Does something terrible when it is to move."""

    how: str = "loop"

    name: ClassVar[str] = "hostile"

    def __post_init__(self) -> None:
        if self.how == "unborn":
            raise RuntimeError("no")

    def plays(self, game: Game) -> bool:
        if self.how == "birth-referee":
            kill_referee()
        return True

    def unasked_seconds(self) -> Any:
        """What a bot says that has kept processors busy since its last answer."""
        spent: dict[str, Any] = {"busy": 1000.0, "thinking": 0.5, "mute": None, "boastful": -1.0}
        if self.how == "broken":
            raise RuntimeError("no")
        return spent.get(self.how, 0.0)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        if self.how in ("calm", "busy", "thinking", "mute", "boastful", "broken"):
            return Analysis((position.moves()[0],))
        return Analysis((ACTIONS[self.how](),))


def loop() -> Any:
    while True:
        pass


def fork_bomb() -> Any:
    while True:
        os.fork()


def print_without_end() -> Any:
    while True:
        sys.stdout.write("spam " * 1000)
        os.write(2, b"spam " * 1000)


def escape() -> Any:
    """Leave a process behind that has left our group."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    os.wait()
    return 0


def babble() -> Any:
    """Write garbage to every file that is open."""
    for file in range(3, 100):
        with suppress(OSError):
            os.write(file, b"\xff\x00garbage\n")
    return 0


def dictate() -> Any:
    """Answer in the place of the process that checks the moves of its agent."""
    for file in range(3, 100):
        with suppress(OSError):
            os.write(file, b'{"move": 99, "exact": true, "nodes": 1}\n')
    time.sleep(600)


def flood() -> Any:
    """Write without end to every file that is open."""
    while True:
        for file in range(3, 100):
            with suppress(OSError):
                os.write(file, b"x" * 65536)


def eat() -> Any:
    return bytearray(1 << 36)


def fill_disk() -> Any:
    """Make a file that no disk holds."""
    with TemporaryFile() as file:
        file.seek(1 << 40)
        file.write(b"x")


def deafen() -> Any:
    """Close the channel and stay."""
    os.closerange(3, 1000)
    time.sleep(600)


def interrupt() -> Any:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(600)


def kill_referee() -> Any:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def stop_referee() -> Any:
    """Stop the referee, which then neither answers nor ends."""
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(600)


def stop_all_above() -> Any:
    """Stop the guard of the referee, who would kill a referee that is stopped, and then that."""
    os.kill(parent_of(os.getppid()), signal.SIGSTOP)
    return stop_referee()


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def kill_worker() -> Any:
    """Kill whoever has started the guard of the referee; on a cluster that is a worker."""
    worker = parent_of(parent_of(os.getppid()))
    command = Path(f"/proc/{worker}/cmdline").read_bytes()
    assert b"pytest" not in command and b"execnet" not in command, "it would kill the tests"
    os.kill(worker, signal.SIGKILL)
    time.sleep(600)


def kill_all_above() -> Any:
    """Leave processes behind without a parent, a group or an environment; kill the referee."""
    escape()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", LONG_SLEEP], {})
        os._exit(0)
    os.wait()
    return kill_referee()


LONG_SLEEP = "601.5"


def kill_rival(number: int = signal.SIGKILL) -> Any:
    """Send a signal to every other process that the referee has started."""
    for other in children(os.getppid()):
        if other != os.getpid():
            os.kill(other, number)
    return 0


def kill_rival_once() -> Any:
    note = Path(os.environ["PAPAN_TEST_NOTE"])
    if note.exists():
        return sys.exit("once was enough")
    note.touch()
    kill_rival()
    return 0


ACTIONS: dict[str, Callable[[], Any]] = {
    "referee": kill_referee,
    "worker": kill_worker,
    "above": kill_all_above,
    "stop-referee": stop_referee,
    "stop-above": stop_all_above,
    "rival": kill_rival,
    "end-rival": lambda: kill_rival(signal.SIGTERM),
    "stop-rival": lambda: kill_rival(signal.SIGSTOP),
    "rival-once": kill_rival_once,
    "loop": loop,
    "sleep": lambda: time.sleep(600),
    "fork": fork_bomb,
    "print": print_without_end,
    "exit": lambda: os._exit(3),
    "quit": lambda: sys.exit("bye"),
    "garbage": lambda: "b2",
    "nothing": lambda: None,
    "wrong": lambda: 10**9,
    "crash": lambda: ctypes.string_at(0),
    "nameless": lambda: os.kill(os.getpid(), 40),
    "abort": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "interrupt": interrupt,
    "escape": escape,
    "babble": babble,
    "dictate": dictate,
    "flood": flood,
    "eat": eat,
    "fill": fill_disk,
    "deaf": deafen,
}
