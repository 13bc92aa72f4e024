"""What games, agents and tools agree on. Imports nothing else of papan."""

from papan.core.agent import Agent, Analysis, NativeAgent
from papan.core.errors import (
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
)
from papan.core.grid import Grid
from papan.core.position import Game, Move, Native, Position, margin, native_form
from papan.core.record import Record
from papan.core.spec import option
from papan.core.thinking import UNLIMITED, Event, Limit, Listener, OutOfBudget, Thinking
from papan.core.value import Guess, Proved, Share, Value
from papan.core.view import PLAIN, Feature, View

__all__ = [
    "PLAIN",
    "UNLIMITED",
    "Agent",
    "Analysis",
    "CannotPlayError",
    "Event",
    "Feature",
    "Game",
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
    "Position",
    "Proved",
    "Record",
    "Share",
    "Thinking",
    "Value",
    "View",
    "margin",
    "native_form",
    "option",
]
