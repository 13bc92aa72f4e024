"""Waiting for what must happen: as long as it takes on a busy machine, never for a fixed time."""

import time
from collections.abc import Callable

LONGEST_WAIT = 300
"""Seconds after which something that has not happened is said never to happen."""


PAUSES = (0.01, 0.2)
"""The shortest and the longest pause between two looks, in seconds."""


def until(condition: Callable[[], object], pause: Callable[[float], object] = time.sleep) -> None:
    """Wait until a condition holds.

    The longer it takes, the less often it is asked: asking can cost as much as what is waited for.
    """
    began = time.monotonic()
    while not condition():
        waited = time.monotonic() - began
        assert waited < LONGEST_WAIT, "it never happened"
        pause(min(max(waited / 10, PAUSES[0]), PAUSES[1]))
