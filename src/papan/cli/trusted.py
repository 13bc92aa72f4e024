"""The catalogue of what the user has typed: agents may be files and programs of the user's, too.

Processes that play tournaments know a catalogue by the name of its module; this one is for agents
that were vetted, `papan.catalog` for all others.
"""

from papan.catalog import game, position
from papan.catalog import trusted_agent as agent

__all__ = ["agent", "game", "position"]
