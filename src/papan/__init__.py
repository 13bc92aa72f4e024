"""papan: board games, the agents that play them and the tools that compare them."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING

from papan.catalog import agent as agent
from papan.catalog import (
    agent_from_user,
    game,
    load,
    load_plugins,
    match,
    position,
    prove,
    replay,
    review,
    save,
    session,
    solve,
    tournament,
)
from papan.core import (
    Agent,
    Analysis,
    Game,
    Guess,
    IllegalMoveError,
    InvalidMoveError,
    Limit,
    PapanError,
    Position,
    Proved,
    Record,
    Thinking,
    Value,
    margin,
)
from papan.core.drawing import HtmlRepr
from papan.notebook import paint, stepper, widget

__all__ = [
    "Agent",
    "Analysis",
    "Game",
    "Guess",
    "IllegalMoveError",
    "InvalidMoveError",
    "Limit",
    "PapanError",
    "Position",
    "Proved",
    "Record",
    "Thinking",
    "Value",
    "agent",
    "agent_from_user",
    "game",
    "load",
    "margin",
    "match",
    "position",
    "prove",
    "replay",
    "review",
    "save",
    "session",
    "solve",
    "stepper",
    "tournament",
    "widget",
]

__version__ = version("papan")

if TYPE_CHECKING:  # the packages of these names can be listed, see catalog.Listing
    agents: Mapping[str, type[Agent]]
    games: Mapping[str, type[Game]]


def __dir__() -> list[str]:
    """What people find here; modules and what they are made of come with an import."""
    return sorted((*__all__, "__doc__", "__version__", "agents", "games"))


HtmlRepr.painter = paint
load_plugins()  # last, because plug-ins import papan
