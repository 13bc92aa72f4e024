"""A catalogue with bots that do the worst: for referee processes, which find it by name."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any, ClassVar

from papan import catalog
from papan.core import Agent, Analysis, Position, Thinking

game = catalog.game
position = catalog.position
agent = catalog.agent


def agent_from_user(spec: str) -> Agent:
    name, _, how = spec.partition(":")
    return Hostile(how) if name == "hostile" else catalog.agent(spec)


@dataclass
class Hostile(Agent):
    """Does something terrible when it is to move."""

    how: str = "loop"

    name: ClassVar[str] = "hostile"

    def __post_init__(self) -> None:
        if self.how == "unborn":
            raise RuntimeError("no")

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
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


ACTIONS: dict[str, Callable[[], Any]] = {
    "loop": loop,
    "fork": fork_bomb,
    "print": print_without_end,
    "exit": lambda: os._exit(3),
    "quit": lambda: sys.exit("bye"),
    "garbage": lambda: "b2",
    "nothing": lambda: None,
    "wrong": lambda: 10**9,
    "crash": lambda: ctypes.string_at(0),
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
