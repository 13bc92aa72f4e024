"""How much one address may ask for: requests out of a bucket, seconds of thinking in a day."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from time import monotonic

from papan.web.settings import DAY

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


class Quota:
    """How long each address has let the server think today, by a clock that nobody can set."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._day = 0
        self._spent: defaultdict[str, float] = defaultdict(float)

    def wait(self, address: str, now: float | None = None) -> float:
        """0 while *address* has seconds left, else how long it is until the next day."""
        now = self._turn_the_page(now)
        spent = bool(self.seconds) and self._spent.get(address, 0) >= self.seconds
        return DAY - now % DAY if spent else 0

    def spend(self, address: str, seconds: float, now: float | None = None) -> None:
        """Note down how long a search took."""
        if self.seconds:
            self._turn_the_page(now)
            self._spent[address] += seconds

    def _turn_the_page(self, now: float | None) -> float:
        now = monotonic() if now is None else now
        if self._day != now // DAY:
            self._day = int(now // DAY)
            self._spent.clear()
        return now
