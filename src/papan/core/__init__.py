"""What games, agents and tools agree on. Imports nothing else of papan."""

from papan.core.agent import Agent, NativeAgent
from papan.core.analysis import Analysis, Guess, Proved, Share, Value
from papan.core.board import Grid
from papan.core.drawing import PLAIN, Feature, View
from papan.core.game import (
    Game,
    Move,
    Native,
    Patterns,
    Planes,
    Position,
    Strips,
    learned_patterns,
    margin,
    native_form,
)
from papan.core.graph import Graph
from papan.core.record import Record
from papan.core.text import (
    CannotPlayError,
    IllegalMoveError,
    InvalidEndgameDbError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidRulesError,
    InvalidSpecError,
    OverdueError,
    PapanError,
    PapanWarning,
    option,
)
from papan.core.thinking import UNLIMITED, Event, Limit, Listener, OutOfBudget, Thinking

__all__ = [
    "PLAIN",
    "UNLIMITED",
    "Agent",
    "Analysis",
    "CannotPlayError",
    "Event",
    "Feature",
    "Game",
    "Graph",
    "Grid",
    "Guess",
    "IllegalMoveError",
    "InvalidEndgameDbError",
    "InvalidMoveError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidRulesError",
    "InvalidSpecError",
    "Limit",
    "Listener",
    "Move",
    "Native",
    "NativeAgent",
    "OutOfBudget",
    "OverdueError",
    "PapanError",
    "PapanWarning",
    "Patterns",
    "Planes",
    "Position",
    "Proved",
    "Record",
    "Share",
    "Strips",
    "Thinking",
    "Value",
    "View",
    "learned_patterns",
    "margin",
    "native_form",
    "option",
]
