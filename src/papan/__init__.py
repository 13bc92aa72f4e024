"""papan: board games, the agents that play them and the tools that compare them."""

from papan.catalog import agent as installed_agent
from papan.catalog import game, load_plugins, match, position, solve, tournament
from papan.catalog import trusted_agent as agent
from papan.core import Agent, Analysis, Game, Limit, PapanError, Position, Record, Thinking, margin
from papan.core.showing import painted_by
from papan.notebook.entry import paint, stepper, widget

__all__ = [
    "Agent",
    "Analysis",
    "Game",
    "Limit",
    "PapanError",
    "Position",
    "Record",
    "Thinking",
    "agent",
    "game",
    "installed_agent",
    "margin",
    "match",
    "position",
    "solve",
    "stepper",
    "tournament",
    "widget",
]

painted_by(paint)
load_plugins()  # last, because plug-ins import papan
