"""Units of work for tests, in a module that worker processes can import."""

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def slow_square(number: int, notes: str) -> int:
    """Says that it was done; takes a moment, so that a run can be killed."""
    time.sleep(0.05)
    with Path(notes).open("a") as file:
        file.write(f"{number}\n")
    return number * number


def fail() -> None:
    raise ValueError("as it must")


def kill_once(place: str) -> int:
    """Kills its process the first time, as a machine without memory does."""
    before = Path(place)
    if not before.exists():
        before.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
