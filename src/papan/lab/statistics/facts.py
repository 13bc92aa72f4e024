"""What statistics found, as plain data that can be written as JSON."""

from __future__ import annotations

from math import isfinite

from papan.lab.statistics.difference import elo_difference, normalised_elo, superiority
from papan.lab.statistics.intervals import Interval
from papan.lab.statistics.sprt import Sprt
from papan.lab.statistics.tally import Tally


def tally_facts(tally: Tally) -> dict[str, object]:
    """What a tally proves."""
    return {
        "games": tally.games,
        "score": tally.score,
        "elo": interval_facts(elo_difference(tally)),
        "normalised_elo": interval_facts(normalised_elo(tally)),
        "los": superiority(tally),
    }


def interval_facts(interval: Interval) -> dict[str, float | None]:
    """What is known of a value: None stands for a bound that is not there."""
    bounds = {"value": interval.value, "low": interval.low, "high": interval.high}
    return {name: bound if isfinite(bound) else None for name, bound in bounds.items()}


def sprt_facts(test: Sprt, tally: Tally) -> dict[str, object]:
    """How a test stands."""
    facts = {"llr": test.ratio(tally), "bounds": test.bounds, "verdict": test.verdict(tally)}
    return {"sprt": facts}
