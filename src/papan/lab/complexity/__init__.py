"""How fast games and searches grow: exact counts, measured times, fitted laws, charts."""

from papan.lab.complexity.growth import Growth, exponential, power
from papan.lab.complexity.runs import Effort, Run, Sweep, sweep
from papan.lab.complexity.survey import Board, Exponent, Survey, survey
from papan.lab.complexity.tree import Ply, Tree, grown

__all__ = [
    "Board",
    "Effort",
    "Exponent",
    "Growth",
    "Ply",
    "Run",
    "Survey",
    "Sweep",
    "Tree",
    "exponential",
    "grown",
    "power",
    "survey",
    "sweep",
]
