"""Waiting for what must happen: as long as it takes on a busy machine, never for a fixed time."""

import time
from collections.abc import Callable

LONGEST_WAIT = 300
"""Seconds after which something that has not happened is said never to happen."""


def until(condition: Callable[[], object], pause: Callable[[float], object] = time.sleep) -> None:
    """Wait until a condition holds."""
    limit = time.monotonic() + LONGEST_WAIT
    while not condition():
        assert time.monotonic() < limit, "it never happened"
        pause(0.01)
