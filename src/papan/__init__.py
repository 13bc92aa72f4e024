"""papan: board games, the agents that play them and the tools that compare them."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING

from papan.catalog import agent as agent
from papan.catalog import (
    agent_from_user,
    game,
    load,
    load_all,
    load_plugins,
    match,
    match_async,
    position,
    prove,
    replay,
    review,
    save,
    session,
    solve,
    solve_async,
    tournament,
)
from papan.catalog import is_foreign as is_foreign
from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    Guess,
    IllegalMoveError,
    InvalidEndgameDbError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidRulesError,
    InvalidSpecError,
    Limit,
    OverdueError,
    PapanError,
    PapanWarning,
    Position,
    Proved,
    Record,
    Share,
    Thinking,
    Value,
    WrongTypeError,
    margin,
)
from papan.core.drawing import HtmlRepr
from papan.core.interrupts import Interrupted
from papan.core.review import Review, Verdict
from papan.core.session import Session
from papan.lab.match import MatchGame, MatchResult
from papan.notebook import paint, stepper, widget

if TYPE_CHECKING:  # the packages of these names can be listed, see catalog.Listing
    agents: Mapping[str, type[Agent]]
    games: Mapping[str, type[Game]]

__all__ = [
    "Agent",
    "Analysis",
    "CannotPlayError",
    "Game",
    "Guess",
    "IllegalMoveError",
    "Interrupted",
    "InvalidEndgameDbError",
    "InvalidMoveError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidRulesError",
    "InvalidSpecError",
    "Limit",
    "MatchGame",
    "MatchResult",
    "OverdueError",
    "PapanError",
    "PapanWarning",
    "Position",
    "Proved",
    "Record",
    "Review",
    "Session",
    "Share",
    "Thinking",
    "Value",
    "Verdict",
    "WrongTypeError",
    "agent",
    "agent_from_user",
    "agents",
    "game",
    "games",
    "load",
    "load_all",
    "margin",
    "match",
    "match_async",
    "position",
    "prove",
    "replay",
    "review",
    "save",
    "session",
    "solve",
    "solve_async",
    "stepper",
    "tournament",
    "widget",
]

__version__ = version("papan")


def __dir__() -> list[str]:
    """What people find here; modules and what they are made of come with an import."""
    return sorted((*__all__, "__doc__", "__version__"))


HtmlRepr.painter = paint
load_plugins()  # last, because plug-ins import papan
