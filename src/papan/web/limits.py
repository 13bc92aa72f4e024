"""How often one address may ask: a bucket of tokens that fills up again with time."""

from __future__ import annotations

from collections import OrderedDict
from time import monotonic

MOST_ADDRESSES = 10_000
"""How many addresses are remembered; who has been quiet longest is forgotten first."""


class Buckets:
    """A bucket for each address: a request takes one token out."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, now: float | None = None) -> float:
        """Take a token for *address*: 0, or the seconds until there is one."""
        if not self.rate:
            return 0
        now = monotonic() if now is None else now
        level, since = self._levels.pop(address, (float(self.burst), now))
        level = min(self.burst, level + (now - since) * self.rate)
        granted = level >= 1
        self._levels[address] = (level - granted, now)
        if len(self._levels) > MOST_ADDRESSES:
            self._levels.popitem(last=False)
        return 0 if granted else (1 - level) / self.rate
