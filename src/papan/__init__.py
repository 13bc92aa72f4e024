"""papan: board games, the agents that play them and the tools that compare them."""

from papan.catalog import agent, game, match, position, solve
from papan.core import Agent, Analysis, Game, Limit, PapanError, Position, Thinking

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
    "match",
    "position",
    "solve",
]
