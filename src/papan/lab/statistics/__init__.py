"""What results of games prove: intervals, Elo, sequential tests. Pure functions.

`papan.lab.statistics.ranking` rates many players; it stays apart because it loads numpy.
"""

from papan.lab.statistics.elo import (
    Sprt,
    Tally,
    Verdict,
    elo_difference,
    elo_of,
    expected_score,
    normalised_elo,
    score_doubts,
    score_interval,
    share_doubts,
    share_interval,
    superiority,
)
from papan.lab.statistics.intervals import (
    Interval,
    bootstrap,
    mean_interval,
    median_interval,
    rank_doubts,
    ratio_interval,
)

__all__ = [
    "Interval",
    "Sprt",
    "Tally",
    "Verdict",
    "bootstrap",
    "elo_difference",
    "elo_of",
    "expected_score",
    "mean_interval",
    "median_interval",
    "normalised_elo",
    "rank_doubts",
    "ratio_interval",
    "score_doubts",
    "score_interval",
    "share_doubts",
    "share_interval",
    "superiority",
]
