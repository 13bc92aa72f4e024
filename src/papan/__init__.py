"""papan: board games, the agents that play them and the tools that compare them."""

from papan.catalog import agent as installed_agent
from papan.catalog import game, load_plugins, match, position, solve, tournament
from papan.catalog import trusted_agent as agent
from papan.core import Agent, Analysis, Game, Limit, PapanError, Position, Thinking, margin

__all__ = [
    "Agent",
    "Analysis",
    "Game",
    "Limit",
    "PapanError",
    "Position",
    "Thinking",
    "agent",
    "game",
    "installed_agent",
    "margin",
    "match",
    "position",
    "solve",
    "tournament",
]

load_plugins()  # last, because plug-ins import papan
