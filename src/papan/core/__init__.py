"""Types and functions shared by games, agents and tools. Imports nothing else of papan."""

from papan.core.agent import Agent, NativeAgent
from papan.core.analysis import Analysis, Guess, Proved, Share, Value
from papan.core.board import Grid
from papan.core.drawing import PLAIN, Feature, View
from papan.core.errors import (
    CannotPlayError,
    IllegalMoveError,
    InvalidDatabaseError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidRulesError,
    InvalidSpecError,
    OverdueError,
    PapanError,
    PapanWarning,
    WrongTypeError,
)
from papan.core.game import Game, Move, Place, Position, margin
from papan.core.graph import Graph
from papan.core.limit import UNLIMITED, Limit
from papan.core.message import Message
from papan.core.parts import (
    Card,
    Coach,
    Drawing,
    Native,
    Patterns,
    Planes,
    Setup,
    Strips,
    Support,
    learned_patterns,
    native_form,
)
from papan.core.progress import OnProgress, Progress
from papan.core.record import Record
from papan.core.spec import option
from papan.core.thinking import Event, Listener, OutOfBudget, Thinking

__all__ = [
    "PLAIN",
    "UNLIMITED",
    "Agent",
    "Analysis",
    "CannotPlayError",
    "Card",
    "Coach",
    "Drawing",
    "Event",
    "Feature",
    "Game",
    "Graph",
    "Grid",
    "Guess",
    "IllegalMoveError",
    "InvalidDatabaseError",
    "InvalidMoveError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidRulesError",
    "InvalidSpecError",
    "Limit",
    "Listener",
    "Message",
    "Move",
    "Native",
    "NativeAgent",
    "OnProgress",
    "OutOfBudget",
    "OverdueError",
    "PapanError",
    "PapanWarning",
    "Patterns",
    "Place",
    "Planes",
    "Position",
    "Progress",
    "Proved",
    "Record",
    "Setup",
    "Share",
    "Strips",
    "Support",
    "Thinking",
    "Value",
    "View",
    "WrongTypeError",
    "learned_patterns",
    "margin",
    "native_form",
    "option",
]
